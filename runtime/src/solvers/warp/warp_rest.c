// SPDX-License-Identifier: MIT
// The factor of the rest shape: made by the bake, copied by new bodies.
#include "core/caller_error.h"
#include "gelpack/warp.h"

#include "asset/blocks.h"
#include "solvers/warp/warp_body.h"
#include "solvers/warp/warp_rest.h"

#include <string.h>

// What a factor of the rest shape is made from, beside the factor itself.
typedef struct RestState
{
	gelTurnBlock* turns;
	uint32_t* tetSlots;
	float* masses;
} RestState;

static RestState LayOut( gelArena* arena, const gelAsset* asset )
{
	return ( RestState ){ gelArena_Take( arena, (size_t)asset->blockCount, sizeof( gelTurnBlock ) ),
		gelArena_Take( arena, (size_t)asset->tetCount, sizeof( uint32_t ) ),
		gelArena_Take( arena, (size_t)asset->nodeCount, sizeof( float ) ) };
}

static void Fill( const gelAsset* asset, float step, RestState* rest )
{
	GEL_ASSERT( step > 0.0f );
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		for ( int k = 0; k < 4; ++k )
			gelSetTetTurn(
				rest->turns + slot / GEL_BLOCK_LANES, slot % GEL_BLOCK_LANES, k, gelIdentityQuat() );
		if ( asset->slotTets[slot] != GEL_NO_TET ) rest->tetSlots[asset->slotTets[slot]] = (uint32_t)slot;
	}
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		float rate = asset->hasDamping ? asset->nodeDampings[i] : 0.0f;
		rest->masses[i] = asset->pack.masses[i].mass * ( 1.0f + step * rate );
	}
}

gelResult gelAsset_MakeWarpFactor(
	const gelAsset* asset, float step, uint64_t pinSetId, float* panels, float* updates, float* tiles )
{
	if ( asset == NULL || panels == NULL || updates == NULL || tiles == NULL || !( step > 0.0f ) )
		return GEL_CALLER_ERROR( gel_errorArgument );
	const gelWarpTree* tree = gelAsset_FindWarpTree( asset, pinSetId );
	if ( tree == NULL ) return gel_errorUnsupported;
	gelArena arena = { 0 };
	LayOut( &arena, asset );
	size_t bytes = arena.bytes;
	void* memory = arena.overflow ? NULL : gelAllocate( &asset->allocator, bytes );
	if ( memory == NULL ) return gel_errorMemory;
	arena = ( gelArena ){ .base = memory };
	RestState rest = LayOut( &arena, asset );
	Fill( asset, step, &rest );
	gelWarpSystem system = { .tree = tree,
		.pack = &asset->pack,
		.dense = gelFindDense( gelFindSimdLevel( gel_simdAutomatic ) ),
		.masses = rest.masses,
		.scale = step * step,
		.turns = rest.turns,
		.tetSlots = rest.tetSlots,
		.factor = { panels, updates, tiles } };
	gelFactorWarp( &system, NULL );
	gelFree( &asset->allocator, memory, bytes );
	return gel_success;
}

bool gelWarp_TakeRestFactor( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelWarp* warp = gelGetWarp( body );
	const gelPackView* pack = &body->asset->pack;
	if ( !warp->isAtRest || warp->def.massDamping != 0.0f || warp->def.stiffnessDamping != 0.0f )
		return false;
	uint64_t key = gelPack_FactorKey( GEL_FACTOR_WARP, (double)h, body->pinSetId );
	const gelPackSection* section = gelPack_FindSection( pack, GEL_SECTION_WFAC, key );
	if ( section == NULL ) return false;
	gelWarpNumbers numbers = gelPack_GetWarpNumbers( pack, section );
	gelWarpSizes sizes = gelGetWarpSizes( warp->tree );
	memcpy( warp->factor.panels, numbers.panels, (size_t)sizes.panels * sizeof( float ) );
	if ( !warp->isLean && sizes.updates > 0 )
		memcpy( warp->factor.updates, numbers.updates, (size_t)sizes.updates * sizeof( float ) );
	memcpy( warp->factor.tiles, numbers.tiles, (size_t)sizes.tiles * sizeof( float ) );
	return true;
}
