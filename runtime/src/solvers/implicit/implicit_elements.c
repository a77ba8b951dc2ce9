// SPDX-License-Identifier: MIT
// Elements of the implicit solver, one at a time.
#include "solvers/implicit/implicit_elements.h"

#include "asset/blocks.h"
#include "solvers/implicit/degenerate.h"

static void StoreStiffness( const gelImplicitPass* pass, int slot, gelMat3 R, gelSym3 e, float mean )
{
	GEL_ASSERT( slot >= 0 && slot < GEL_BLOCK_LANES * pass->blockCount );
	int lane = slot % GEL_BLOCK_LANES;
	const gelElementBlock* element = pass->elements + slot / GEL_BLOCK_LANES;
	gelStiffnessBlock* block = pass->blocks + slot / GEL_BLOCK_LANES;
	float mu = element->muVolume[lane], lambda = pass->lambdaVolumes[slot], s = pass->stiffnessScale;
	float t = mean;
	if ( pass->findTwist )
		t = pass->findTwist( pass, slot, R, e, mean );
	else if ( mean < 0.0f )
		t = pass->differential == gel_differentialTwo ? 0.0f : gelMeanTwist( e, mu, lambda );
	block->a[lane] = s * ( mu + t );
	block->b[lane] = s * ( mu - t );
	block->c[lane] = s * lambda;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 g = gelGetLaneVector( element->gradient, k, lane );
		gelSetLaneVector( block->gradient, k, lane, gelMulMV( R, g ) );
	}
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

void gelUpdateSlot( const gelImplicitPass* pass, int slot, gelMat3 R, float mean, gelVec3 outForces[3] )
{
	GEL_ASSERT( slot >= 0 && slot < GEL_BLOCK_LANES * pass->blockCount );
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
		gelUpdateSlot( pass, slot, response.R, mean, forces ); // for its strain and stiffness
		for ( int k = 0; k < 3; ++k )
			forces[k] = gelScale( pass->forceScale, response.forces[k + 1] );
		gelAddCornerForces( element, lane, forces, pass->forces );
	}
}
