// SPDX-License-Identifier: MIT
#include "block_jacobi.h"

// blocks[node] += s (h . h) I + t h h^T
static void AddBlock( gelSym3* block, float s, float t, gelVec3 h )
{
	float diagonal = s * gelLengthSquared( h );
	block->xx += diagonal + t * h.x * h.x;
	block->yy += diagonal + t * h.y * h.y;
	block->zz += diagonal + t * h.z * h.z;
	block->xy += t * h.x * h.y;
	block->xz += t * h.x * h.z;
	block->yz += t * h.y * h.z;
}

void gelAddStiffnessBlocks( const gelStiffness* stiffness, gelSym3* blocks )
{
	for ( int i = 0; i < stiffness->blockCount; ++i )
	{
		const gelStiffnessBlock* block = stiffness->blocks + i;
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
		{
			float a = block->a[lane], bc = block->b[lane] + block->c[lane];
			gelVec3 sum = { 0.0f, 0.0f, 0.0f };
			for ( int k = 0; k < 3; ++k )
			{
				gelVec3 h = { block->gradient[3 * k][lane], block->gradient[3 * k + 1][lane],
					block->gradient[3 * k + 2][lane] };
				sum = gelAdd( sum, h );
				AddBlock( blocks + block->node[k + 1][lane] / sizeof( gelVec4 ), a, bc, h );
			}
			AddBlock( blocks + block->node[0][lane] / sizeof( gelVec4 ), a, bc, sum );
		}
	}
}

// By cofactors. A block that float has made singular, or one without mass and stiffness, is left to its
// diagonal.
static gelSym3 InvertBlock( gelSym3 m, double mass )
{
	double xx = mass + m.xx, yy = mass + m.yy, zz = mass + m.zz, xy = m.xy, xz = m.xz, yz = m.yz;
	double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
	double det = xx * cxx + xy * cxy + xz * cxz, mean = ( xx + yy + zz ) / 3.0;
	if ( !( det > 1.0e-9 * mean * mean * mean ) )
	{
		float inv = mean > 0.0 ? (float)( 1.0 / mean ) : 0.0f;
		return ( gelSym3 ){ inv, inv, inv, 0.0f, 0.0f, 0.0f };
	}
	double inv = 1.0 / det;
	return ( gelSym3 ){ (float)( inv * cxx ), (float)( inv * ( xx * zz - xz * xz ) ),
		(float)( inv * ( xx * yy - xy * xy ) ), (float)( inv * cxy ), (float)( inv * cxz ),
		(float)( inv * ( xy * xz - xx * yz ) ) };
}

void gelInvertNodeBlocks( const float* masses, const float* invMasses, const gelSym3* blocks, int nodeCount,
	int count, gelNodeBlock* out )
{
	for ( int i = 0; i < count; ++i )
	{
		gelSym3 m = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
		if ( i < nodeCount && invMasses[i] > 0.0f ) m = InvertBlock( blocks[i], masses[i] );
		float( *rows )[GEL_BLOCK_LANES] = out[i / GEL_BLOCK_LANES].m;
		const float values[6] = { m.xx, m.yy, m.zz, m.xy, m.xz, m.yz };
		for ( int k = 0; k < 6; ++k )
			rows[k][i % GEL_BLOCK_LANES] = values[k];
	}
}
