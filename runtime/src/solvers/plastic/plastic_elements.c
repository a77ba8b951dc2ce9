// SPDX-License-Identifier: MIT
#include "solvers/plastic/plastic_elements.h"

#include "asset/blocks.h"
#include "solvers/plastic/plasticity.h"
#include "math/polar.h"

gelPlasticityDef gelDefaultPlasticityDef( void )
{
	return ( gelPlasticityDef ){
		.yieldStrain = 0.05f, .creepRate = 50.0f, .maxStrain = 0.5f, .isVolumeKept = true
	};
}

static bool IsWithin( float a, float high )
{
	return a >= 0.0f && a <= high; // false for NaN
}

bool gelPlasticityDef_IsValid( const gelPlasticityDef* def )
{
	if ( !def->enableYield ) return true;
	return IsWithin( def->yieldStrain, 10.0f ) && IsWithin( def->yieldStress, 1.0e12f ) &&
		IsWithin( def->creepRate, 1.0e9f ) && IsWithin( def->maxStrain, 0.9f );
}

void gelAddPlasticCorners( gelBody* body, const gelVec4* u, float h )
{
	GEL_ASSERT( body->plastic != NULL && h > 0.0f );
	const gelAsset* asset = body->asset;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		int lane = slot % GEL_BLOCK_LANES;
		gelSym3 plastic = gelGetLaneStrain( body->plastic + slot / GEL_BLOCK_LANES, lane );
		if ( gelNormSym3( plastic ) == 0.0f ) continue;
		const gelElementBlock* block = asset->elements + slot / GEL_BLOCK_LANES;
		gelMat3 F = gelGetSlotDeformation( block, lane, u );
		gelMat3 change = gelPlasticRestChange( F, body->q[slot], &plastic );
		float c = 2.0f * h * h * block->muVolume[lane];
		gelVec3 corners[3];
		for ( int k = 0; k < 3; ++k )
		{
			gelVec3 g = { block->gradient[3 * k][lane], block->gradient[3 * k + 1][lane],
				block->gradient[3 * k + 2][lane] };
			corners[k] = gelScale( c, gelMulMV( change, g ) );
		}
		gelAddCornerForces( block, lane, corners, body->b );
	}
}

// Iterations of a rotation after a step: the second leaves 1e-5 degrees.
#define GEL_FLOW_ITERATIONS 2

void gelFlowPlasticStrains( gelBody* body, float h )
{
	GEL_ASSERT( body->plastic != NULL && h > 0.0f );
	const gelAsset* asset = body->asset;
	const gelPackView* pack = &asset->pack;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		uint32_t t = asset->slotTets[slot];
		if ( t == GEL_NO_TET ) continue;
		gelMat3 F = gelDeformationGradient( pack, t, body->x );
		if ( !( gelDeterminant( F ) > 0.0f ) ) continue;
		gelPlasticFlow flow =
			gelMakePlasticFlow( &body->def.plasticity, pack->materials[pack->tetRests[t].material].mu, h );
		gelMat3 R = gelMakeMat3FromQuat( gelPolarSolve_Ref( F, body->q[slot], GEL_FLOW_ITERATIONS ) );
		gelStrainBlock* block = body->plastic + slot / GEL_BLOCK_LANES;
		gelSym3 plastic = gelGetLaneStrain( block, slot % GEL_BLOCK_LANES );
		if ( gelUpdatePlasticStrain( &flow, gelComputeStrain( R, F ), &plastic ) )
			gelSetLaneStrain( block, slot % GEL_BLOCK_LANES, plastic );
	}
}

uint64_t gelHashPlasticity( const gelBody* body )
{
	const gelPlasticityDef* def = &body->def.plasticity;
	const float numbers[5] = { def->yieldStrain, def->yieldStress, def->creepRate, def->maxStrain,
		def->isVolumeKept ? 1.0f : 0.0f };
	return body->plastic ? gelPack_Hash( numbers, sizeof( numbers ) ) : 0;
}
