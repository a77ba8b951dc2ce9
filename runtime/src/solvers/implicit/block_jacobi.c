// SPDX-License-Identifier: MIT
#include "solvers/implicit/block_jacobi.h"

// By cofactors. A block that float has made singular, or one without mass and stiffness, is left to its
// diagonal.
static gelSym3 InvertBlock( gelSym3 m, double mass )
{
	GEL_ASSERT( mass >= 0.0 );
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

void gelInvertNodeBlocks( const float* masses, const float* invMasses, const gelVec4* sums,
	const gelSym3* soft, int nodeCount, int count, gelNodeBlock* out )
{
	GEL_ASSERT( nodeCount >= 0 && count >= nodeCount && count % 8 == 0 );
	for ( int i = 0; i < count; ++i )
	{
		gelSym3 m = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
		if ( i < nodeCount && invMasses[i] > 0.0f )
		{
			gelVec4 diagonal = sums[2 * i], mixed = sums[2 * i + 1];
			m = ( gelSym3 ){ diagonal.x, diagonal.y, diagonal.z, mixed.x, mixed.y, mixed.z };
			if ( soft )
				m = ( gelSym3 ){ m.xx + soft[i].xx, m.yy + soft[i].yy, m.zz + soft[i].zz, m.xy + soft[i].xy,
					m.xz + soft[i].xz, m.yz + soft[i].yz };
			m = InvertBlock( m, masses[i] );
		}
		float( *rows )[GEL_BLOCK_LANES] = out[i / GEL_BLOCK_LANES].m;
		const float values[6] = { m.xx, m.yy, m.zz, m.xy, m.xz, m.yz };
		for ( int k = 0; k < 6; ++k )
			rows[k][i % GEL_BLOCK_LANES] = values[k];
	}
}
