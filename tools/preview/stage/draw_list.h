// SPDX-License-Identifier: MIT
// What gelWorld_Draw draws, kept until the renderer takes it.
#pragma once

#include "preview/render/renderer.h"

#include <gelpack/gelpack.h>

typedef struct gelDrawnEllipsoid
{
	gelTransform transform; // its axes in the world
	gelVec3 radius;         // [m]
	uint32_t color;
} gelDrawnEllipsoid;

typedef struct gelDrawList
{
	gelVec3* ends; // two per line [m]
	int lineCount;
	gelVec3* corners; // three per triangle [m]
	uint32_t* colors; // per triangle
	int triangleCount;
	gelDrawnEllipsoid* ellipsoids;
	int ellipsoidCount;
	size_t endCapacity, cornerCapacity, colorCapacity, ellipsoidCapacity;
	uint32_t lineColor; // color of the last line: one overlay has one
	float axisLength;   // length of the shortest axis of a place [m]
	bool isOutOfMemory; // something is missing
} gelDrawList;

/// Callbacks that fill the list; everything else is left as gelDefaultDebugDraw has it.
gelDebugDraw gelDrawList_MakeDraw( gelDrawList* list );

/// Draws a world into the list, in place of what was there. False: out of memory.
bool gelDrawList_Fill( gelDrawList* list, gelWorldId world, const gelDebugDraw* draw );
void gelDrawList_Free( gelDrawList* list );
