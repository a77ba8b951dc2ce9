// SPDX-License-Identifier: MIT
#include "contact_stage.h"

#include "cdg_stage.h"
#include "contact/detect/contact_clip.h"
#include "state/world.h"

#include <math.h>
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
	assert_int_equal(
		gelBody_Teleport( stage->stage.body, ( gelTransform ){ translation, rotation } ), gel_success );
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

gelDetectOptions gelMakeTestOptions( void )
{
	gelDetectOptions options = gelDefaultDetectOptions();
	options.simd = gelFindSimdLevel( gel_simdAutomatic );
	return options;
}

int gelDetectOnStage( gelContactStage* a, gelContactStage* b, gelContactScratch* scratch,
	const gelDetectOptions* options, gelFoundContact* out, int capacity, gelDetectStats* stats )
{
	gelContactStage_Look( a );
	gelContactStage_Look( b );
	return gelDetectContacts( &a->surface, &b->surface, scratch, options, out, capacity, stats );
}

// Adds a share of a triangle, which is flat: its volume follows from any of its points.
static void AddShare( gelInnerFigures* figures, const gelContactSurface* surface, uint32_t patch,
	uint32_t triangle, double share )
{
	gelGridPoint p[3];
	double unit = 1.0 / surface->grid.scale, n[3];
	gelContactSurface_GetCorners( surface, patch, triangle, p );
	double a[3] = { p[0].x * unit, p[0].y * unit, p[0].z * unit };
	double u[3] = { p[1].x * unit - a[0], p[1].y * unit - a[1], p[1].z * unit - a[2] };
	double v[3] = { p[2].x * unit - a[0], p[2].y * unit - a[1], p[2].z * unit - a[2] };
	for ( int k = 0; k < 3; ++k )
	{
		int i = ( k + 1 ) % 3, j = ( k + 2 ) % 3;
		n[k] = 0.5 * share * ( u[i] * v[j] - u[j] * v[i] );
		figures->vectorArea[k] += n[k];
		figures->volume += n[k] * a[k] / 3.0;
	}
	figures->area += sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
}

gelInnerFigures gelMeasureInner(
	const gelContactScratch* scratch, const gelContactSurface* surface, int side )
{
	gelInnerFigures figures = { 0 };
	const gelContactSideScratch* own = scratch->side + side;
	for ( uint32_t i = 0; i < own->cutCount; ++i )
	{
		const gelCutTriangle* cut = own->cuts + i;
		gelEdgeSums edges = gelSumEdges( scratch, side, cut );
		gelClipFrame frame = gelMakeClipFrame( surface, cut );
		double share = gelClipEdges( &edges, cut->inside[2] == 1 ).area;
		for ( uint32_t j = cut->first; j < cut->first + cut->count; ++j )
			share += gelClipSegment( scratch, &frame, side, own->order[j] ).area;
		AddShare( &figures, surface, cut->patch, cut->triangle, share );
	}
	for ( uint32_t i = 0; i < own->queueCount; ++i )
	{
		assert_true( ( own->queue[i] & GEL_MARK_PATCH ) == 0 );
		AddShare( &figures, surface, (uint32_t)( own->queue[i] >> 32 ), (uint32_t)own->queue[i], 1.0 );
	}
	return figures;
}

gelContactCouple gelMakeContactCouple( gelContactStage a, gelContactStage b, uint32_t maxPairs )
{
	gelContactCouple couple = { .a = a, .b = b };
	couple.scratch = gelMakeTestScratch( &couple.a, &couple.b, maxPairs, &couple.memory );
	return couple;
}

void gelFreeContactCouple( gelContactCouple* couple )
{
	free( couple->memory );
	gelFreeContactStage( &couple->a );
	gelFreeContactStage( &couple->b );
}
