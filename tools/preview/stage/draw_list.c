// SPDX-License-Identifier: MIT
#include "preview/stage/draw_list.h"

#include "common/program/memory.h"

#include <gelpack/math_float.h>

#include <stdlib.h>
#include <string.h>

#define GEL_AXIS_COLOR 0x0A3FA8

// Room for more. False: out of memory, and the list says so.
static bool Grow( gelDrawList* list, void** array, size_t* capacity, size_t needed, size_t elementBytes )
{
	bool ok = gelGrow( array, capacity, needed, elementBytes );
	list->isOutOfMemory = list->isOutOfMemory || !ok;
	return ok;
}

static void DrawSegment( gelVec3 from, gelVec3 to, uint32_t color, void* context )
{
	gelDrawList* list = context;
	size_t count = 2 * (size_t)list->lineCount;
	if ( !Grow( list, (void**)&list->ends, &list->endCapacity, count + 2, sizeof( gelVec3 ) ) ) return;
	list->ends[count] = from;
	list->ends[count + 1] = to;
	list->lineColor = color;
	list->lineCount += 1;
}

static void DrawTriangle( const gelVec3 corners[3], uint32_t color, void* context )
{
	gelDrawList* list = context;
	size_t count = (size_t)list->triangleCount;
	if ( !Grow( list, (void**)&list->corners, &list->cornerCapacity, 3 * count + 3, sizeof( gelVec3 ) ) ||
		!Grow( list, (void**)&list->colors, &list->colorCapacity, count + 1, sizeof( uint32_t ) ) )
		return;
	memcpy( list->corners + 3 * count, corners, 3 * sizeof( gelVec3 ) );
	list->colors[count] = color;
	list->triangleCount += 1;
}

// The axis along y is the longest, that along x the shortest.
static void DrawTransform( gelTransform transform, void* context )
{
	gelDrawList* list = context;
	float s = list->axisLength;
	const gelVec3 axes[3] = { { s, 0.0f, 0.0f }, { 0.0f, 3.0f * s, 0.0f }, { 0.0f, 0.0f, 2.0f * s } };
	for ( int k = 0; k < 3; ++k )
		DrawSegment( transform.position, gelTransformPoint( transform, axes[k] ), GEL_AXIS_COLOR, list );
}

static void DrawEllipsoid( gelTransform transform, gelVec3 radius, uint32_t color, void* context )
{
	gelDrawList* list = context;
	size_t count = (size_t)list->ellipsoidCount;
	if ( !Grow( list, (void**)&list->ellipsoids, &list->ellipsoidCapacity, count + 1,
			 sizeof( gelDrawnEllipsoid ) ) )
		return;
	list->ellipsoids[count] = ( gelDrawnEllipsoid ){ transform, radius, color };
	list->ellipsoidCount += 1;
}

gelDebugDraw gelDrawList_MakeDraw( gelDrawList* list )
{
	gelDebugDraw draw = gelDefaultDebugDraw();
	draw.drawSegment = DrawSegment;
	draw.drawTriangle = DrawTriangle;
	draw.drawTransform = DrawTransform;
	draw.drawEllipsoid = DrawEllipsoid;
	draw.context = list;
	return draw;
}

bool gelDrawList_Fill( gelDrawList* list, gelWorldId world, const gelDebugDraw* draw )
{
	list->lineCount = list->triangleCount = list->ellipsoidCount = 0;
	return gelWorld_Draw( world, draw ) == gel_success && !list->isOutOfMemory;
}

void gelDrawList_Free( gelDrawList* list )
{
	free( list->ends );
	free( list->corners );
	free( list->colors );
	free( list->ellipsoids );
	*list = ( gelDrawList ){ 0 };
}
