// SPDX-License-Identifier: MIT
#include "stage_view.h"

#include <stdlib.h>
#include <string.h>

// Packs carry no colours; neighbours in this list differ in hue, and none is as dark as a shadow.
static const uint32_t palette[] = { 0xF0674F, 0x2BA8A2, 0xF3AE35, 0x8A72DC, 0x79B63B, 0x3F93E0, 0xE86BA3,
	0xB98B5E };

#define GEL_CAGE_LINE_COLOR 0x16324F

static int CompareEdges( const void* a, const void* b )
{
	uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
	return x < y ? -1 : x > y ? 1 : 0;
}

// Every edge of the cage once, as pairs of nodes. free() the result; NULL: out of memory.
static uint32_t* CageEdges( const gelAsset* asset, int* outCount )
{
	static const int corners[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
	size_t tetCount = (size_t)gelAsset_GetInfo( asset ).tetCount;
	const uint32_t* tets = gelAsset_GetTets( asset );
	uint64_t* edges = malloc( ( 6 * tetCount + 1 ) * sizeof( uint64_t ) );
	uint32_t* pairs = malloc( ( 12 * tetCount + 1 ) * sizeof( uint32_t ) );
	if ( edges == NULL || pairs == NULL )
	{
		free( edges );
		free( pairs );
		return NULL;
	}
	for ( size_t i = 0; i < 6 * tetCount; ++i )
	{
		uint64_t a = tets[4 * ( i / 6 ) + (size_t)corners[i % 6][0]],
				 b = tets[4 * ( i / 6 ) + (size_t)corners[i % 6][1]];
		edges[i] = a < b ? a << 32 | b : b << 32 | a;
	}
	qsort( edges, 6 * tetCount, sizeof( uint64_t ), CompareEdges );
	int count = 0;
	for ( size_t i = 0; i < 6 * tetCount; ++i )
	{
		if ( i > 0 && edges[i] == edges[i - 1] ) continue;
		pairs[2 * count + 0] = (uint32_t)( edges[i] >> 32 );
		pairs[2 * count + 1] = (uint32_t)edges[i];
		count += 1;
	}
	free( edges );
	*outCount = count;
	return pairs;
}

static bool AddBody( gelStageView* view, int body )
{
	const gelAsset* asset = gelBody_GetAsset( view->scene->bodies[body] );
	gelAssetInfo info = gelAsset_GetInfo( asset );
	gelColor color = gelColorFromHex( palette[(size_t)body % ( sizeof( palette ) / sizeof( palette[0] ) )] );
	int most = info.vertexCount > info.nodeCount ? info.vertexCount : info.nodeCount;
	view->vertexCapacity = most > view->vertexCapacity ? most : view->vertexCapacity;
	// Light gets through ears and limbs but not through a trunk.
	float depth = fmaxf( 0.2f * gelAabb_Radius( info.restBounds ), 1e-6f );
	if ( gelRenderer_AddSurface( view->renderer, gelAsset_GetTriangles( asset ), info.triangleCount,
			 info.vertexCount, color, depth ) < 0 )
	{
		return false;
	}
	if ( !view->showCage ) return true;
	int lineCount = 0;
	uint32_t* pairs = CageEdges( asset, &lineCount );
	bool ok = pairs != NULL &&
		gelRenderer_AddLines(
			view->renderer, pairs, lineCount, info.nodeCount, gelColorFromHex( GEL_CAGE_LINE_COLOR ) ) >= 0;
	free( pairs );
	return ok;
}

bool gelCreateStageView( gelStageView* view, gelScene* scene, bool showCage, gelFindings* findings )
{
	*view = ( gelStageView ){ .scene = scene, .showCage = showCage };
	char error[160] = "";
	view->renderer = gelCreateRenderer( error, sizeof( error ) );
	if ( view->renderer == NULL )
	{
		gelFindings_Add( findings, gel_finding707, NULL, "the renderer cannot start: %s", error );
		return false;
	}
	bool ok = true;
	for ( int i = 0; ok && i < scene->bodyCount; ++i )
	{
		ok = AddBody( view, i );
	}
	if ( ok )
	{
		view->positions = malloc( ( (size_t)view->vertexCapacity + 1 ) * sizeof( gelVec3 ) );
		view->normals = malloc( ( (size_t)view->vertexCapacity + 1 ) * sizeof( gelVec3 ) );
		ok = view->positions != NULL && view->normals != NULL;
	}
	if ( ok ) return true;
	gelFindings_Add(
		findings, gel_finding3, NULL, "out of memory for the surfaces of %d bodies", scene->bodyCount );
	gelDestroyStageView( view );
	return false;
}

void gelDestroyStageView( gelStageView* view )
{
	gelDestroyRenderer( view->renderer );
	free( view->positions );
	free( view->normals );
	memset( view, 0, sizeof( *view ) );
}

void gelStageView_Update( gelStageView* view )
{
	for ( int i = 0; i < view->scene->bodyCount; ++i )
	{
		gelBodyId body = view->scene->bodies[i];
		gelBody_GetPositions( body, view->positions, view->vertexCapacity );
		gelBody_GetNormals( body, view->normals, view->vertexCapacity );
		gelRenderer_SetSurface( view->renderer, i, view->positions, view->normals );
		if ( !view->showCage ) continue;
		gelBody_GetNodePositions( body, view->positions, view->vertexCapacity );
		gelRenderer_SetLines( view->renderer, i, view->positions );
	}
}
