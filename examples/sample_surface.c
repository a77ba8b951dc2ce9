// SPDX-License-Identifier: MIT
// Connectivity of a closed surface as a corner table (Rossignac 2001).
//
//     corner c        a corner of triangle c / 3; corners[c] is its point
//     next, previous  the other two, counter-clockwise
//     opposite[c]     the corner on the other side of the edge that faces c, from next to previous
//     swing           from a corner to the next one around the same point
//
//            c
//           / .             edge of c: from n to p
//          n---p            opposite[c] = o
//           . /
//            o
#include "sample_surface.h"

#include "common/program/memory.h"

#include <stdlib.h>
#include <string.h>

void gelFreeSampleSurface( gelSampleSurface* surface )
{
	free( surface->points );
	free( surface->corners );
	free( surface->opposite );
	free( surface->pointToCorner );
	memset( surface, 0, sizeof( *surface ) );
}

double gelSampleSurface_Area( const gelSampleSurface* surface )
{
	double sum = 0.0;
	for ( size_t t = 0; t < surface->triangleCount; ++t )
	{
		const uint32_t* c = surface->corners + 3 * t;
		gelVec3d ab = gelSubD( surface->points[c[1]], surface->points[c[0]] );
		gelVec3d ac = gelSubD( surface->points[c[2]], surface->points[c[0]] );
		sum += 0.5 * gelLengthD( gelCrossD( ab, ac ) );
	}
	return sum;
}

// Sorts corners by the point where their edge starts: corners of point p end up in
// sorted[first[p] .. first[p + 1]).
static void SortByStart( const gelSampleSurface* surface, uint32_t* first, uint32_t* sorted )
{
	uint32_t cornerCount = 3 * surface->triangleCount;
	for ( uint32_t c = 0; c < cornerCount; ++c )
		first[surface->corners[c] + 1] += 1;
	for ( uint32_t p = 0; p < surface->pointCount; ++p )
		first[p + 1] += first[p];
	// Filling moves each start to the next one's; the loop after this moves them back.
	for ( uint32_t c = 0; c < cornerCount; ++c )
	{
		uint32_t start = surface->corners[gelNextCorner( c )];
		sorted[first[start]++] = c;
	}
	for ( uint32_t p = surface->pointCount; p > 0; --p )
		first[p] = first[p - 1];
	first[0] = 0;
}

static bool MatchCorners( gelSampleSurface* surface, const uint32_t* first, const uint32_t* sorted )
{
	uint32_t cornerCount = 3 * surface->triangleCount;
	for ( uint32_t c = 0; c < cornerCount; ++c )
	{
		uint32_t start = surface->corners[gelNextCorner( c )], end = surface->corners[gelPreviousCorner( c )];
		uint32_t found = 0;
		for ( uint32_t i = first[end]; i < first[end + 1]; ++i )
		{
			if ( surface->corners[gelPreviousCorner( sorted[i] )] == start )
			{
				surface->opposite[c] = sorted[i];
				found += 1;
			}
		}
		// None: an open edge. Two: an edge of more than two triangles. Samples have neither, or are no
		// samples.
		if ( found != 1 ) return false;
		surface->pointToCorner[surface->corners[c]] = c;
	}
	return true;
}

bool gelSampleSurface_Connect( gelSampleSurface* surface )
{
	size_t cornerCount = 3 * (size_t)surface->triangleCount;
	free( surface->opposite );
	free( surface->pointToCorner );
	surface->opposite = gelTake( cornerCount * sizeof( uint32_t ) + 1 );
	surface->pointToCorner = gelTake( surface->pointCount * sizeof( uint32_t ) + 1 );
	uint32_t* first = gelTakeZeroed( (size_t)surface->pointCount + 2, sizeof( uint32_t ) );
	uint32_t* sorted = gelTake( cornerCount * sizeof( uint32_t ) + 1 );
	SortByStart( surface, first, sorted );
	bool ok = MatchCorners( surface, first, sorted );
	free( first );
	free( sorted );
	return ok;
}

uint32_t gelSampleSurface_CountPieces( const gelSampleSurface* surface )
{
	uint32_t triangleCount = surface->triangleCount;
	bool* seen = gelTakeZeroed( (size_t)triangleCount + 1, sizeof( bool ) );
	uint32_t* stack = gelTake( (size_t)triangleCount * sizeof( uint32_t ) + 1 );
	uint32_t pieces = 0;
	for ( uint32_t first = 0; first < triangleCount; ++first )
	{
		if ( seen[first] ) continue;
		pieces += 1;
		seen[first] = true;
		stack[0] = first;
		for ( uint32_t depth = 1; depth > 0; )
		{
			uint32_t t = stack[--depth];
			for ( uint32_t c = 3 * t; c < 3 * t + 3; ++c )
			{
				uint32_t other = surface->opposite[c] / 3;
				if ( !seen[other] )
				{
					seen[other] = true;
					stack[depth++] = other;
				}
			}
		}
	}
	free( seen );
	free( stack );
	return pieces;
}
