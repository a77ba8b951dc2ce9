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
		&asset->pack, asset->coarse, asset->coarseCount, body->x, body->coarse, body->origin );
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

// ---- every triangle against every other ------------------------------------------------------------------

static void GrowBox( const gelGridPoint p[3], int32_t low[3], int32_t high[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		const int32_t x[3] = { p[i].x, p[i].y, p[i].z };
		for ( int k = 0; k < 3; ++k )
		{
			low[k] = i == 0 || x[k] < low[k] ? x[k] : low[k];
			high[k] = i == 0 || x[k] > high[k] ? x[k] : high[k];
		}
	}
}

static bool DoBoxesMeet( const gelGridPoint a[3], const gelGridPoint b[3] )
{
	int32_t lowA[3], highA[3], lowB[3], highB[3];
	GrowBox( a, lowA, highA );
	GrowBox( b, lowB, highB );
	bool meet = true;
	for ( int k = 0; k < 3; ++k )
		meet = meet && lowA[k] <= highB[k] && lowB[k] <= highA[k];
	return meet;
}

static void TestPatches( gelPatchSearch* s )
{
	const gelPackPatch* p = s->surface[0]->pack->patches + s->patch[0];
	const gelPackPatch* q = s->surface[1]->pack->patches + s->patch[1];
	for ( int side = 0; side < 2; ++side )
		gelContactSurface_Deform( s->surface[side], s->patch[side] );
	for ( uint32_t i = p->triangleFirst; i < p->triangleFirst + p->triangleCount; ++i )
	{
		gelGridPoint a[3], b[3];
		gelContactSurface_GetCorners( s->surface[0], s->patch[0], i, a );
		for ( uint32_t j = q->triangleFirst; j < q->triangleFirst + q->triangleCount; ++j )
		{
			gelContactSurface_GetCorners( s->surface[1], s->patch[1], j, b );
			if ( DoBoxesMeet( a, b ) ) gelTestTriangles( s, i, j );
		}
	}
	s->pairs->testCount += p->triangleCount * q->triangleCount;
}

static int ComparePairs( const void* a, const void* b )
{
	const gelTrianglePair *p = a, *q = b;
	if ( p->triangleA != q->triangleA ) return p->triangleA < q->triangleA ? -1 : 1;
	return p->triangleB < q->triangleB ? -1 : p->triangleB > q->triangleB;
}

void gelFindTrianglePairs_Ref( gelContactSurface* a, gelContactSurface* b, gelTrianglePairs* pairs )
{
	gelPatchSearch search = { .surface = { a, b }, .pairs = pairs };
	a->deform = b->deform = gelGetContactKernels( gelGetBaseLevel() )->deformPatch;
	for ( search.patch[0] = 0; search.patch[0] < a->pack->header->cdgPatchCount; ++search.patch[0] )
	{
		for ( search.patch[1] = 0; search.patch[1] < b->pack->header->cdgPatchCount; ++search.patch[1] )
			TestPatches( &search );
	}
	qsort( pairs->items, pairs->count, sizeof( gelTrianglePair ), ComparePairs );
}
