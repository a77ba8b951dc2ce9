// SPDX-License-Identifier: MIT
#include "implicit_ref.h"

#include "asset/blocks.h"
#include "math/polar.h"

static bool IsLeftOut( const gelImplicitPass* pass, int slot, gelMat3 F )
{
	if ( pass->witnesses == NULL ) return false;
	return pass->witnesses[slot] != 0 || !( gelDeterminant( F ) > pass->degenerateBelow );
}

bool gelUpdateImplicit_Ref( const gelImplicitPass* pass )
{
	bool isUsable = true;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * pass->blockCount; ++slot )
	{
		int lane = slot % GEL_BLOCK_LANES, block = slot / GEL_BLOCK_LANES;
		const gelElementBlock* element = pass->elements + block;
		gelMat3 F = gelGetSlotDeformation( element, lane, pass->u );
		if ( pass->witnesses && lane == 0 ) pass->leftLanes[block] = 0;
		if ( IsLeftOut( pass, slot, F ) )
		{
			pass->leftLanes[block] = (uint8_t)( pass->leftLanes[block] | 1u << lane );
			continue;
		}
		for ( int i = 0; i < pass->polarSteps; ++i )
			pass->q[slot] = gelPolarStep_Ref( F, pass->q[slot], NULL );
		float length2 = gelLengthSquaredQuat( pass->q[slot] );
		isUsable = isUsable && length2 > 0.5f && length2 < 2.0f;
		gelVec3 forces[3];
		gelUpdateSlot( pass, slot, gelMakeMat3FromQuat( pass->q[slot] ), -1.0f, forces );
		gelAddCornerForces( element, lane, forces, pass->forces );
	}
	return isUsable;
}

void gelMultiplyStiffness_Ref( const gelStiffness* stiffness, const gelVec4* x, gelVec4* y )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * stiffness->blockCount; ++slot )
	{
		int lane = slot % GEL_BLOCK_LANES;
		const gelStiffnessBlock* block = stiffness->blocks + slot / GEL_BLOCK_LANES;
		gelVec3 x0 = gelGetNodeAt( x, block->node[0][lane] ), h[3];
		gelMat3 L = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
		for ( int k = 0; k < 3; ++k )
		{
			gelVec3 d = gelSub( gelGetNodeAt( x, block->node[k + 1][lane] ), x0 );
			h[k] = gelGetLaneVector( block->gradient, k, lane );
			L.cx = k == 0 ? gelScale( h[k].x, d ) : gelMulAdd( L.cx, h[k].x, d );
			L.cy = k == 0 ? gelScale( h[k].y, d ) : gelMulAdd( L.cy, h[k].y, d );
			L.cz = k == 0 ? gelScale( h[k].z, d ) : gelMulAdd( L.cz, h[k].z, d );
		}
		float a = block->a[lane], b = block->b[lane];
		float pressure = block->c[lane] * ( L.cx.x + L.cy.y + L.cz.z );
		gelMat3 Z = {
			{ ( a + b ) * L.cx.x + pressure, a * L.cx.y + b * L.cy.x, a * L.cx.z + b * L.cz.x },
			{ a * L.cy.x + b * L.cx.y, ( a + b ) * L.cy.y + pressure, a * L.cy.z + b * L.cz.y },
			{ a * L.cz.x + b * L.cx.z, a * L.cz.y + b * L.cy.z, ( a + b ) * L.cz.z + pressure },
		};
		if ( stiffness->twists )
		{
			const gelTwistBlock* twist = stiffness->twists + slot / GEL_BLOCK_LANES;
			gelSym3 T = { twist->T[0][lane], twist->T[1][lane], twist->T[2][lane], twist->T[3][lane],
				twist->T[4][lane], twist->T[5][lane] };
			gelVec3 axis = { 0.5f * ( L.cy.z - L.cz.y ), 0.5f * ( L.cz.x - L.cx.z ),
				0.5f * ( L.cx.y - L.cy.x ) };
			gelVec3 w = gelMulSymV( T, axis );
			Z.cx.y += w.z, Z.cx.z -= w.y, Z.cy.x -= w.z;
			Z.cy.z += w.x, Z.cz.x += w.y, Z.cz.y -= w.x;
		}
		gelVec3 f[3] = { gelMulMV( Z, h[0] ), gelMulMV( Z, h[1] ), gelMulMV( Z, h[2] ) };
		gelVec3 corner[4] = { gelNeg( gelAdd( gelAdd( f[0], f[1] ), f[2] ) ), f[0], f[1], f[2] };
		for ( int k = 0; k < 4; ++k )
			gelAddToNodeAt( y, block->node[k][lane], corner[k] );
	}
}

// s (h . h) I + t h h^T
static void AddDiagonalBlock( gelVec4* block, float s, float t, gelVec3 h )
{
	float diagonal = s * gelLengthSquared( h );
	gelVec3 th = gelScale( t, h );
	block[0].x += diagonal + th.x * h.x;
	block[0].y += diagonal + th.y * h.y;
	block[0].z += diagonal + th.z * h.z;
	block[1].x += th.x * h.y;
	block[1].y += th.x * h.z;
	block[1].z += th.y * h.z;
}

void gelAddDiagonal_Ref( const gelStiffness* stiffness, gelVec4* blocks )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * stiffness->blockCount; ++slot )
	{
		int lane = slot % GEL_BLOCK_LANES;
		const gelStiffnessBlock* block = stiffness->blocks + slot / GEL_BLOCK_LANES;
		float a = block->a[lane], bc = block->b[lane] + block->c[lane];
		gelVec3 h[4];
		for ( int k = 1; k < 4; ++k )
			h[k] = gelGetLaneVector( block->gradient, k - 1, lane );
		h[0] = gelAdd( gelAdd( h[1], h[2] ), h[3] );
		for ( int k = 0; k < 4; ++k )
			AddDiagonalBlock( blocks + 2 * ( block->node[k][lane] / sizeof( gelVec4 ) ), a, bc, h[k] );
	}
}
