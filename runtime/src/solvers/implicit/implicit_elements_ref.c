// SPDX-License-Identifier: MIT
// The element loops of the implicit solver, one tet at a time: the slow twins of implicit_kernels.c.
#include "solvers/implicit/implicit_elements.h"

#include "asset/blocks.h"
#include "solvers/implicit/degenerate.h"
#include "math/polar.h"

static void StoreStiffness( const gelImplicitPass* pass, int slot, gelMat3 R, gelSym3 e, float mean )
{
	int lane = slot % GEL_BLOCK_LANES;
	const gelElementBlock* element = pass->elements + slot / GEL_BLOCK_LANES;
	gelStiffnessBlock* block = pass->blocks + slot / GEL_BLOCK_LANES;
	float mu = element->muVolume[lane], lambda = pass->lambdaVolumes[slot], s = pass->stiffnessScale;
	float t = mean < 0.0f ? gelMeanTwist( pass->differential, e, mu, lambda ) : mean;
	block->a[lane] = s * ( mu + t );
	block->b[lane] = s * ( mu - t );
	block->c[lane] = s * lambda;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 g = gelGetLaneVector( element->gradient, k, lane );
		gelSetLaneVector( block->gradient, k, lane, gelMulMV( R, g ) );
	}
	if ( !gelHasTwistTensor( pass->differential ) ) return;
	gelSym3 T = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
	if ( mean < 0.0f ) T = gelTurnSym( R, gelTwistTensor( pass->differential, e, mu, lambda, t ) );
	const float rows[6] = { T.xx, T.yy, T.zz, T.xy, T.xz, T.yz };
	for ( int k = 0; k < 6; ++k )
		block->twist[k][lane] = s * rows[k];
}

// What is left of a strain after the plastic part; the strain itself is kept for those who ask.
static gelSym3 TakeElasticPart( const gelImplicitPass* pass, int slot, gelSym3 e )
{
	int block = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
	float rows[6] = { e.xx, e.yy, e.zz, e.xy, e.xz, e.yz };
	for ( int k = 0; k < 6; ++k )
	{
		if ( pass->strains ) pass->strains[block].e[k][lane] = rows[k];
		if ( pass->plastic ) rows[k] = rows[k] - pass->plastic[block].e[k][lane];
	}
	return ( gelSym3 ){ rows[0], rows[1], rows[2], rows[3], rows[4], rows[5] };
}

void gelUpdateSlot_Ref( const gelImplicitPass* pass, int slot, gelMat3 R, float mean, gelVec3 outForces[3] )
{
	int lane = slot % GEL_BLOCK_LANES;
	const gelElementBlock* element = pass->elements + slot / GEL_BLOCK_LANES;
	gelSym3 strain = gelCorotatedStrain( R, gelGetSlotDeformation( element, lane, pass->u ) );
	gelSym3 e = TakeElasticPart( pass, slot, strain );
	float mu = element->muVolume[lane], lambda = pass->lambdaVolumes[slot];
	// V P g = R Z g with the stress Z = 2 mu e + lambda tr(e) I in the frame of the element
	gelSym3 Z = gelScaleSymAdd( 2.0f * mu, e, lambda * gelSymTrace( e ) );
	gelVec3 twist = { 0.0f, 0.0f, 0.0f };
	if ( pass->plastic )
	{
		gelSym3 p = gelGetLaneStrain( pass->plastic + slot / GEL_BLOCK_LANES, lane );
		gelSym3 total = { e.xx + p.xx, e.yy + p.yy, e.zz + p.zz, e.xy + p.xy, e.xz + p.xz, e.yz + p.yz };
		twist = gelPlasticTwist( total, p, mu );
	}
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 g = gelGetLaneVector( element->gradient, k, lane ), local = gelMulSymV( Z, g );
		if ( pass->plastic ) local = gelAdd( local, gelCross( twist, g ) );
		outForces[k] = gelScale( -pass->forceScale, gelMulMV( R, local ) );
	}
	StoreStiffness( pass, slot, R, e, mean );
}

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
		gelUpdateSlot_Ref( pass, slot, gelMakeMat3FromQuat( pass->q[slot] ), -1.0f, forces );
		gelAddCornerForces( element, lane, forces, pass->forces );
	}
	return isUsable;
}

void gelUpdateLeftLanes(
	const gelImplicitPass* pass, const gelRotationParams* params, const gelAsset* asset, uint8_t* witnesses )
{
	const gelPackView* pack = &asset->pack;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * pass->blockCount; ++slot )
	{
		int lane = slot % GEL_BLOCK_LANES;
		uint32_t tet = asset->slotTets[slot];
		if ( ( pass->leftLanes[slot / GEL_BLOCK_LANES] >> lane & 1 ) == 0 || tet == GEL_NO_TET ) continue;
		const gelElementBlock* element = pass->elements + slot / GEL_BLOCK_LANES;
		const gelPackTetRest* packed = pack->tetRests + tet;
		const gelPackMaterial* material = pack->materials + packed->material;
		gelElementRest rest = { .volume = packed->volume, .mu = material->mu };
		rest.lambda = gelMaxFloat( material->lambda, 0.0f );
		gelVec3 x[4], forces[3];
		for ( int k = 0; k < 4; ++k )
		{
			gelVec3 u = gelGetNodeAt( pass->u, element->node[k][lane] );
			x[k] = gelAdd( gelGetRestNode( pack->nodes, pack->tets[tet].node[k] ), u );
			if ( k > 0 ) rest.gradients[k - 1] = gelGetGradient( packed, k - 1 );
		}
		gelSym3 plastic;
		if ( pass->plastic ) plastic = gelGetLaneStrain( pass->plastic + slot / GEL_BLOCK_LANES, lane );
		gelRotationState state = { pass->q[slot], witnesses[slot] };
		gelMat3 F = gelGetSlotDeformation( element, lane, pass->u );
		gelElementResponse response =
			gelComputeElement( params, &rest, pass->plastic ? &plastic : NULL, F, x, &state );
		pass->q[slot] = state.q;
		witnesses[slot] = state.witness;
		float mean = response.isDegenerate ? element->muVolume[lane] : -1.0f;
		gelUpdateSlot_Ref( pass, slot, response.R, mean, forces ); // for its strain and stiffness
		for ( int k = 0; k < 3; ++k )
			forces[k] = gelScale( pass->forceScale, response.forces[k + 1] );
		gelAddCornerForces( element, lane, forces, pass->forces );
	}
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
		if ( stiffness->hasTwist )
		{
			const float( *t )[GEL_BLOCK_LANES] = block->twist;
			gelSym3 T = { t[0][lane], t[1][lane], t[2][lane], t[3][lane], t[4][lane], t[5][lane] };
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
