// SPDX-License-Identifier: MIT
// The art by positions, and who meets whom along its edges. A surface is a solid's boundary if around each
// edge it comes in pairs with opposite directions; where more than two triangles meet, pairs are those that
// have the solid between them, so that two boxes that touch along an edge stay two boxes.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// By the two ends of the edge, so that all triangles at one edge stand together; then by place, so that the
// order, and with it every number that follows, is the same on every machine.
static int CompareHalves( const void* left, const void* right )
{
	const gelCdgHalf *a = left, *b = right;
	if ( a->low != b->low ) return a->low < b->low ? -1 : 1;
	if ( a->high != b->high ) return a->high < b->high ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

// A triangle around an edge, seen along it.
typedef struct Spoke
{
	double angle;
	uint32_t place;
	bool forward; // the triangle's side runs from the low to the high point: the solid is on the side of
				  // falling angles
	bool paired;
} Spoke;

// Among triangles at one angle, those come first that close a wedge: the two sides of a two-sided sheet then
// go on with those of the next triangle, and solids that touch with a face stay two. The other way each
// triangle would be joined to its own back, and be alone with it.
static int CompareSpokes( const void* left, const void* right )
{
	const Spoke *a = left, *b = right;
	if ( a->angle != b->angle ) return a->angle < b->angle ? -1 : 1;
	if ( a->forward != b->forward ) return a->forward ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

// Two neighbors of a closed, consistently turned surface run along their common edge in opposite directions:
// of a proper pair exactly one is forward.
static bool IsForward( const gelCdgArt* art, const gelCdgHalf* half )
{
	return art->corners[half->place] == half->low;
}

// Angles of the triangles around an edge, from the frame u, v across it. Only their order matters: angles
// that come out equal belong to triangles that lie on each other, which CompareSpokes decides.
static void MeasureSpokes( const gelCdgArt* art, const gelCdgHalf* halves, uint32_t count, Spoke* spokes )
{
	gelVec3d a = art->points[halves[0].low];
	gelVec3d d = gelSubD( art->points[halves[0].high], a ), u = { 0.0, 0.0, 0.0 };
	// any direction across the edge: the axis that the edge is least along
	double ax = fabs( d.x ), ay = fabs( d.y ), az = fabs( d.z );
	if ( ax <= ay && ax <= az )
		u.x = 1.0;
	else if ( ay <= az )
		u.y = 1.0;
	else
		u.z = 1.0;
	u = gelSubD( u, gelScaleD( gelDotD( u, d ) / gelDotD( d, d ), d ) );
	gelVec3d v = gelScaleD( 1.0 / sqrt( gelDotD( d, d ) ), gelCrossD( d, u ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t side = halves[i].place % 3;
		gelVec3d p = gelSubD( art->points[art->corners[halves[i].place - side + ( side + 2 ) % 3]], a );
		spokes[i] = ( Spoke ){ atan2( gelDotD( p, v ), gelDotD( p, u ) ), halves[i].place,
			IsForward( art, halves + i ), false };
	}
	qsort( spokes, count, sizeof( Spoke ), CompareSpokes );
}

// Round the edge, a backward triangle opens a wedge of solid and the next forward one that is free closes it.
static void PairSpokes( gelCdgArt* art, Spoke* spokes, uint32_t count, uint32_t* stack )
{
	uint32_t top = 0;
	for ( uint32_t i = 0; i < 2 * count; ++i )
	{
		Spoke* spoke = spokes + i % count;
		if ( spoke->paired ) continue;
		if ( !spoke->forward )
		{
			if ( i < count ) stack[top++] = i;
			continue;
		}
		if ( top == 0 ) continue;
		Spoke* other = spokes + stack[--top];
		art->sheets[spoke->place] = art->sheets[other->place] = art->sheetCount++;
		spoke->paired = other->paired = true;
	}
}

// Three and more triangles at an edge: pairs by angle where as many run forward as backward. Otherwise no
// pairing closes the surface, and the first such edge is kept for the message.
static void PairManyHalves( gelCdgArt* art, const gelCdgHalf* halves, uint32_t count )
{
	uint32_t forwardCount = 0;
	for ( uint32_t i = 0; i < count; ++i )
		forwardCount += IsForward( art, halves + i );
	art->nonManifoldEdges += 1;
	if ( 2 * forwardCount != count )
	{
		if ( art->oddEdge[0] != GEL_NO_INDEX ) return;
		art->oddEdge[0] = halves[0].low;
		art->oddEdge[1] = halves[0].high;
		return;
	}
	gelBakePool scratch = { NULL };
	Spoke* spokes = gelBakePool_Alloc( &scratch, count, sizeof( Spoke ) );
	uint32_t* stack = gelBakePool_Alloc( &scratch, count, sizeof( uint32_t ) );
	MeasureSpokes( art, halves, count, spokes );
	PairSpokes( art, spokes, count, stack );
	gelFreeBakePool( &scratch );
}

// All triangles at one edge.
static void PairHalves( gelCdgArt* art, const gelCdgHalf* halves, uint32_t count )
{
	GEL_ASSERT( count > 0 );
	if ( count > 2 )
	{
		PairManyHalves( art, halves, count );
		return;
	}
	bool pair = count == 2 && IsForward( art, halves ) != IsForward( art, halves + 1 );
	for ( uint32_t i = 0; i < count; ++i )
		art->sheets[halves[i].place] = pair ? art->sheetCount : art->sheetCount + i;
	art->sheetCount += pair ? 1 : count;
	art->openEdges += count == 1;
	art->flippedEdges += count == 2 && !pair;
}

// Nearly always a handful: insertion beats the C library.
static void SortFewHalves( gelCdgHalf* halves, uint32_t count )
{
	if ( count > 32 )
	{
		qsort( halves, count, sizeof( gelCdgHalf ), CompareHalves );
		return;
	}
	for ( uint32_t i = 1; i < count; ++i )
	{
		gelCdgHalf half = halves[i];
		uint32_t at = i;
		for ( ; at > 0 && CompareHalves( &half, halves + at - 1 ) < 0; --at )
			halves[at] = halves[at - 1];
		halves[at] = half;
	}
}

// All sides of triangles, by their ends.
static gelCdgHalf* SortHalves( const gelCdgArt* art, gelBakePool* pool )
{
	const uint32_t count = 3 * art->triangleCount;
	gelCdgHalf* halves = gelBakePool_Alloc( pool, count, sizeof( gelCdgHalf ) );
	// Buckets by the low point: sorting a few at a time is much faster than all at once.
	uint32_t* first = gelBakePool_Alloc( pool, (size_t)art->pointCount + 2, sizeof( uint32_t ) );
	for ( uint32_t pass = 0; pass < 2; ++pass )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			uint32_t a = art->corners[i], b = art->corners[i - i % 3 + ( i % 3 + 1 ) % 3];
			uint32_t low = a < b ? a : b, high = a < b ? b : a;
			if ( pass == 0 )
				first[low + 2] += 1;
			else
				halves[first[low + 1]++] = ( gelCdgHalf ){ low, high, i };
		}
		for ( uint32_t i = 2; i < art->pointCount + 2 && pass == 0; ++i )
			first[i] += first[i - 1];
	}
	for ( uint32_t p = 0; p < art->pointCount; ++p )
		SortFewHalves( halves + first[p], first[p + 1] - first[p] );
	return halves;
}

uint32_t gelCdgHalf_End( const gelCdgHalf* halves, uint32_t first, uint32_t count )
{
	GEL_ASSERT( first < count );
	uint32_t end = first + 1;
	while ( end < count && halves[end].low == halves[first].low && halves[end].high == halves[first].high )
		++end;
	return end;
}

// A sheet is an edge of the art as one pair of triangles, or one alone, sees it. Vertices on edges are keyed
// by the sheet and not by the end points, so that solids that share an edge do not share its vertices.
static void NumberSheets( gelCdgArt* art )
{
	gelBakePool scratch = { NULL };
	const uint32_t count = 3 * art->triangleCount;
	gelCdgHalf* halves = SortHalves( art, &scratch );
	gelTurnParts( art, halves ); // before pairing, which asks where the solid is
	for ( uint32_t i = 0, end = 0; i < count; i = end )
	{
		end = gelCdgHalf_End( halves, i, count );
		PairHalves( art, halves + i, end - i );
	}
	gelFreeBakePool( &scratch );
}

// Triangles by positions instead of by vertices: a seam of texture coordinates is no edge of the surface.
// Triangles that use a position twice have no area and no inside; they leave here.
gelCdgArt gelBuildCdgArt( const gelMesh* mesh, gelBakePool* pool )
{
	GEL_ASSERT( mesh->triangleCount == 0 || mesh->indices != NULL );
	gelCdgArt art = { .pointCount = mesh->weldCount, .oddEdge = { GEL_NO_INDEX, GEL_NO_INDEX } };
	art.points = gelBakePool_Alloc( pool, mesh->weldCount, sizeof( gelVec3d ) );
	art.weldToVert = gelBakePool_Alloc( pool, mesh->weldCount, sizeof( uint32_t ) );
	// Backwards, so that of several vertices in one position the lowest number stays.
	for ( uint32_t v = mesh->vertexCount; v-- > 0; )
	{
		const float* p = mesh->positions + 3 * (size_t)v;
		art.points[mesh->vertToWeld[v]] = ( gelVec3d ){ (double)p[0], (double)p[1], (double)p[2] };
		art.weldToVert[mesh->vertToWeld[v]] = v;
	}
	const size_t sideCount = 3 * (size_t)mesh->triangleCount;
	art.corners = gelBakePool_Alloc( pool, sideCount, sizeof( uint32_t ) );
	art.sheets = gelBakePool_Alloc( pool, sideCount, sizeof( uint32_t ) );
	art.sources = gelBakePool_Alloc( pool, mesh->triangleCount, sizeof( uint32_t ) );
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
	{
		uint32_t c[3];
		for ( int k = 0; k < 3; ++k )
			c[k] = mesh->vertToWeld[mesh->indices[3 * (size_t)t + (size_t)k]];
		if ( c[0] == c[1] || c[1] == c[2] || c[2] == c[0] ) continue;
		memcpy( art.corners + 3 * (size_t)art.triangleCount, c, sizeof( c ) );
		art.sources[art.triangleCount++] = t;
	}
	art.droppedTriangles = mesh->triangleCount - art.triangleCount;
	NumberSheets( &art );
	return art;
}
