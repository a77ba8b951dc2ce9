// SPDX-License-Identifier: MIT
#include "bake/gates/soak_picture.h"

#include "common/program/memory.h"
#include "tetrafy/verify/cage_picture.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

static gelVec3d* CopyPoints( const float* from, int count )
{
	gelVec3d* points = gelTake( ( (size_t)count + 1 ) * sizeof( gelVec3d ) );
	for ( int i = 0; i < count; ++i )
		points[i] = ( gelVec3d ){ from[3 * i], from[3 * i + 1], from[3 * i + 2] };
	return points;
}

static uint32_t* CopyIndices( const uint32_t* from, size_t count )
{
	uint32_t* copy = gelTake( ( count + 1 ) * sizeof( uint32_t ) );
	memcpy( copy, from, count * sizeof( uint32_t ) );
	return copy;
}

static uint8_t* MarkInverted( const gelTetMesh* cage )
{
	uint8_t* bad = gelTakeZeroed( (size_t)cage->tetCount + 1, 1 );
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		gelVec3d p[4];
		gelTetMesh_TetPoints( cage, t, p );
		gelVec3d a = gelSubD( p[1], p[0] ), b = gelSubD( p[2], p[0] ), c = gelSubD( p[3], p[0] );
		bad[t] = gelDotD( a, gelCrossD( b, c ) ) <= 0.0;
	}
	return bad;
}

bool gelWriteSoakPicture( const char* path, const gelPosedBody* body, gelFindings* findings )
{
	GEL_ASSERT( body->tetCount > 0 );
	gelTetMesh cage = { .nodeCount = (uint32_t)body->nodeCount, .tetCount = (uint32_t)body->tetCount };
	gelSurface art = { .pointCount = (uint32_t)body->vertexCount };
	art.properCount = art.edgedCount = art.triCount = (uint32_t)body->triangleCount;
	cage.points = CopyPoints( body->nodes, body->nodeCount );
	cage.tets = CopyIndices( body->tets, 4 * (size_t)body->tetCount );
	art.points = CopyPoints( body->vertices, body->vertexCount );
	art.tris = CopyIndices( body->triangles, 3 * (size_t)body->triangleCount );
	uint8_t* bad = MarkInverted( &cage );
	gelPictureMarks marks = { NULL, bad };
	bool ok = gelWriteCagePicture( path, &art, &cage, &marks, findings );
	free( bad );
	free( cage.points );
	free( cage.tets );
	free( art.points );
	free( art.tris );
	return ok;
}
