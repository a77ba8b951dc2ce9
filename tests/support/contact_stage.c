// SPDX-License-Identifier: MIT
#include "contact_stage.h"

#include "cdg_stage.h"
#include "world.h"

#include <stdlib.h>

gelContactStage gelMakeContactStage( gelQueryArt art )
{
	return ( gelContactStage ){ .stage = gelMakeQueryStage( art ) };
}

gelContactStage gelMakeContactStageFromMesh( const gelMesh* mesh, int n, double extent )
{
	gelCage cage = gelMakeBoxCage( n, n, n, 2.0 * extent, 2.0 * extent, 2.0 * extent, gel_boxSplitFive );
	for ( uint32_t i = 0; i < 3 * cage.nodeCount; ++i )
		cage.positions[i] -= extent;
	size_t bytes;
	uint8_t* pack = gelBakeWithCollision( mesh, &cage, &bytes );
	gelFreeCage( &cage );
	return ( gelContactStage ){ .stage = gelMakeQueryStageFromPack( pack, bytes ) };
}

void gelFreeContactStage( gelContactStage* stage )
{
	gelFreeQueryStage( &stage->stage );
}

void gelContactStage_Look( gelContactStage* stage )
{
	gelBody* body = stage->stage.inside;
	const gelAsset* asset = body->asset;
	assert_true( gelBody_NeedCoarse( body ) );
	stage->surface = gelMakeContactSurface(
		&asset->pack, asset->coarse, asset->coarseCount, body->x, body->coarse, body->frames, body->origin );
}

void gelContactStage_Place( gelContactStage* stage, gelQuat rotation, gelVec3 translation )
{
	assert_int_equal( gelBody_Teleport( stage->stage.body, rotation, translation ), gel_success );
}

void gelContactStage_Move( gelContactStage* stage, gelVec3 translation )
{
	gelContactStage_Place( stage, ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f }, translation );
}

void gelContactStage_Map( gelContactStage* stage, gelNodeMap* map, void* context )
{
	gelQueryStage* q = &stage->stage;
	for ( int i = 0; i < q->info.nodeCount; ++i )
		q->nodes[i] = map( q->rest[i], context );
	assert_int_equal( gelBody_SetNodeState( q->body, q->nodes, q->zeros, q->info.nodeCount ), gel_success );
}

gelContactScratch* gelMakeTestScratch(
	const gelContactStage* a, const gelContactStage* b, uint32_t maxPairs, void** outMemory )
{
	gelContactLimits limits = { .maxPairs = maxPairs };
	gelContactLimits_Include( &limits, &a->stage.inside->asset->pack );
	gelContactLimits_Include( &limits, &b->stage.inside->asset->pack );
	*outMemory = aligned_alloc( 64, gelContactScratch_GetBytes( &limits ) );
	assert_non_null( *outMemory );
	return gelContactScratch_Init( &limits, *outMemory );
}

gelDetectOptions gelMakeTestOptions( gelKernels* kernels )
{
	*kernels = gelFindKernels( gel_simdAutomatic );
	assert_non_null( kernels->name );
	gelDetectOptions options = gelDefaultDetectOptions();
	options.kernels = kernels;
	return options;
}

int gelDetectOnStage( gelContactStage* a, gelContactStage* b, gelContactScratch* scratch,
	const gelDetectOptions* options, gelFoundContact* out, int capacity, gelDetectStats* stats )
{
	gelContactStage_Look( a );
	gelContactStage_Look( b );
	return gelDetectContacts( &a->surface, &b->surface, scratch, options, out, capacity, stats );
}
