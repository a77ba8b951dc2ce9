// SPDX-License-Identifier: MIT
// A picture of a body in trouble: cage and art as they are, tets that are inside out in red.
#pragma once

#include "common/program/findings.h"

#include <stddef.h>

/// A deformed body. Positions are 3 floats [m].
typedef struct gelPosedBody
{
	const float *nodes, *vertices;
	const uint32_t *tets, *triangles; // 4 nodes, 3 vertices
	int nodeCount, vertexCount, tetCount, triangleCount;
} gelPosedBody;

/// @return false: an error was added
bool gelWriteSoakPicture( const char* path, const gelPosedBody* body, gelFindings* findings );
