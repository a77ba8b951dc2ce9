// SPDX-License-Identifier: MIT
// The collision geometry of a body: patches and the boxes above them.
#include "draw/draw_parts.h"

#include "query/query_debug.h"
#include "query/surface_query.h"

#define GEL_BOX_COLOR   0x4A1D5Cu
#define GEL_PLAIN_COLOR 0xCFCFCFu // what belongs to no node of the level

// Color of a triangle by the tree node of a level that it belongs to. The first triangle of a node is its
// own and belongs to none below.
static uint32_t ColorTriangle( const gelPackPatch* patch, uint32_t triangle, int level )
{
	GEL_ASSERT( level >= 0 && level <= 30 );
	gelCdgRange range = { patch->triangleFirst, patch->triangleFirst + patch->triangleCount };
	for ( int k = 0; k < level; ++k )
	{
		gelCdgRange left, right;
		gelCdgRange_Split( range, &left, &right );
		bool isLeft = triangle >= left.first && triangle < left.end;
		bool isRight = triangle >= right.first && triangle < right.end;
		if ( !isLeft && !isRight ) return GEL_PLAIN_COLOR;
		range = isLeft ? left : right;
	}
	return gelDraw_PickColor( range.first );
}

static void DrawPatch( const gelDebugDraw* draw, const gelBody* body, const gelPackPatch* patch )
{
	const gelPackView* pack = &body->asset->pack;
	gelVec3 x[4];
	gelGetCellNodes( body->x, pack->cells + patch->cell, x );
	for ( uint32_t t = patch->triangleFirst; t < patch->triangleFirst + patch->triangleCount; ++t )
	{
		uint32_t slots[3];
		gelVec3 corners[3];
		gelCdg_GetCorners( &pack->cdg, patch, t, slots );
		for ( int k = 0; k < 3; ++k )
			corners[k] = gelToWorld( body, gelDeformVertex( &pack->cdg, slots[k], x ) );
		draw->drawTriangle( corners, ColorTriangle( patch, t, draw->patchLevel ), draw->context );
	}
}

static void DrawBox( const gelBody* body, gelAabb box, void* context )
{
	(void)body;
	gelDraw_Box( context, box, GEL_BOX_COLOR );
}

void gelDraw_Surface( const gelDebugDraw* draw, const gelBody* body )
{
	const gelPackView* pack = &body->asset->pack;
	bool hasPatches = draw->enablePatches && draw->drawTriangle && pack->patches;
	for ( uint32_t i = 0; hasPatches && i < pack->header->cdgPatchCount; ++i )
		DrawPatch( draw, body, pack->patches + i );
	gelDebugDraw copy = *draw;
	if ( draw->enableBoxes ) gelVisitCoarseBoxes( body, draw->boxLevel, DrawBox, &copy );
}
