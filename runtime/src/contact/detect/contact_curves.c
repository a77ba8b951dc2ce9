// SPDX-License-Identifier: MIT
#include "contact/detect/contact_curves.h"

#include <string.h>

// ---- places ----------------------------------------------------------------------------------------------

static bool IsBefore( gelGridPoint a, gelGridPoint b )
{
	if ( a.x != b.x ) return a.x < b.x;
	return a.y != b.y ? a.y < b.y : a.z < b.z;
}

// Where the edge from -> to meets a triangle. Both triangles of the edge compute it from the same end, so
// that curves close to the last bit. Ends at the same place cannot be on different sides of a triangle.
static double CrossEdge( gelGridPoint from, gelGridPoint to, const gelGridPoint face[3], double q[3] )
{
	bool isTurned = IsBefore( to, from );
	gelGridPoint p = isTurned ? to : from, r = isTurned ? from : to;
	double t = gelCrossingFraction( p, r, face[0], face[1], face[2] );
	q[0] = p.x + t * ( r.x - p.x );
	q[1] = p.y + t * ( r.y - p.y );
	q[2] = p.z + t * ( r.z - p.z );
	return isTurned ? 1.0 - t : t;
}

// Where a pair crosses: places and fractions.
static gelSegment MakeSegment(
	const gelContactSurface* a, const gelContactSurface* b, const gelTrianglePair* pair )
{
	gelGridPoint corners[2][3];
	gelContactSurface_GetCorners( a, pair->patchA, pair->triangleA, corners[0] );
	gelContactSurface_GetCorners( b, pair->patchB, pair->triangleB, corners[1] );
	gelSegment segment;
	for ( int end = 0; end < 2; ++end )
	{
		gelTriangleCrossing crossing = pair->crossings[end];
		const gelGridPoint* own = corners[crossing.isEdgeOfB];
		segment.lambda[end] = CrossEdge( own[crossing.edge], own[( crossing.edge + 1 ) % 3],
			corners[1 - crossing.isEdgeOfB], segment.q[end] );
	}
	return segment;
}

// ---- partners --------------------------------------------------------------------------------------------

// Triangles share at most one edge, so two of them name it.
static gelEndKey MakeKey( const gelContactSurface* a, const gelContactSurface* b, const gelTrianglePair* pair,
	gelTriangleCrossing crossing )
{
	bool isOfB = crossing.isEdgeOfB != 0;
	const gelPackView* pack = isOfB ? b->pack : a->pack;
	uint32_t own = isOfB ? pair->triangleB : pair->triangleA;
	const gelPackPatch* patch = pack->patches + ( isOfB ? pair->patchB : pair->patchA );
	uint32_t across = gelCdg_GetNeighbor( &pack->cdg, patch, own, crossing.edge );
	if ( across == GEL_CDG_NIL ) across -= crossing.edge;
	return ( gelEndKey ){ own < across ? own : across, own < across ? across : own,
		isOfB ? pair->triangleA | 0x80000000u : pair->triangleB };
}

static bool AreEqual( gelEndKey a, gelEndKey b )
{
	return a.low == b.low && a.high == b.high && a.face == b.face;
}

static uint32_t Hash( gelEndKey key )
{
	uint64_t x = ( (uint64_t)key.low << 32 | key.high ) * UINT64_C( 0x9E3779B97F4A7C15 );
	x = ( x ^ x >> 29 ^ key.face ) * UINT64_C( 0xBF58476D1CE4E5B9 );
	return (uint32_t)( x >> 32 );
}

// Ends are numbered 2 * pair for the start, and + 1 for the end of its segment. False: both are starts, or
// both ends, or one of them has a partner already.
static bool Link( gelContactScratch* s, uint32_t endA, uint32_t endB )
{
	GEL_ASSERT( endA != endB );
	if ( ( endA & 1u ) == ( endB & 1u ) ) return false;
	uint32_t start = ( endA & 1u ? endB : endA ) / 2, end = ( endA & 1u ? endA : endB ) / 2;
	if ( s->prev[start] != GEL_NONE || s->next[end] != GEL_NONE ) return false;
	s->prev[start] = end;
	s->next[end] = start;
	return true;
}

static uint32_t LinkEnds( gelContactScratch* s )
{
	uint32_t endCount = 2 * s->pairs.count, size = 8, conflicts = 0;
	while ( size < 2 * endCount )
		size *= 2;
	memset( s->table, 0, size * sizeof( uint32_t ) );
	for ( uint32_t end = 0; end < endCount; ++end )
	{
		uint32_t slot = Hash( s->ends[end] ) & ( size - 1 );
		while ( s->table[slot] != 0 && !AreEqual( s->ends[s->table[slot] - 1], s->ends[end] ) )
			slot = ( slot + 1 ) & ( size - 1 );
		if ( s->table[slot] == 0 )
			s->table[slot] = end + 1;
		else if ( !Link( s, s->table[slot] - 1, end ) )
			++conflicts;
	}
	return conflicts;
}

// ---- chains ----------------------------------------------------------------------------------------------

// The first segment of the chain that a pair is in; of a closed one, the pair.
static uint32_t FindStart( const gelContactScratch* s, uint32_t pair )
{
	GEL_ASSERT( pair < s->pairs.count );
	uint32_t start = pair;
	while ( s->prev[start] != GEL_NONE && s->prev[start] != pair )
		start = s->prev[start];
	return s->prev[start] == GEL_NONE ? start : pair;
}

// Adds up 1/2 ( q0 - o ) x ( q1 - o ) with o on the curve. The straight line that closes an open curve ends
// in o and adds nothing.
static void AddSegment( gelCurve* curve, const double o[3], const gelSegment* segment )
{
	double u[3], v[3], d2 = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		u[k] = segment->q[0][k] - o[k];
		v[k] = segment->q[1][k] - o[k];
		d2 += ( v[k] - u[k] ) * ( v[k] - u[k] );
	}
	curve->vectorArea[0] += 0.5 * ( u[1] * v[2] - u[2] * v[1] );
	curve->vectorArea[1] += 0.5 * ( u[2] * v[0] - u[0] * v[2] );
	curve->vectorArea[2] += 0.5 * ( u[0] * v[1] - u[1] * v[0] );
	curve->length += sqrt( d2 );
}

static void TakeCurve( gelContactScratch* s, uint32_t start )
{
	GEL_ASSERT( start < s->pairs.count );
	uint32_t index = s->curveCount++;
	gelCurve* curve = s->curves + index;
	*curve = ( gelCurve ){
		.first = start, .parent = { index, index, index }, .region = GEL_NONE, .cut = GEL_NONE
	};
	uint32_t pair = start;
	do
	{
		s->pairCurves[pair] = index;
		AddSegment( curve, s->segments[start].q[0], s->segments + pair );
		++curve->count;
		pair = s->next[pair];
	} while ( pair != GEL_NONE && pair != start );
	curve->isOpen = pair == GEL_NONE;
}

uint32_t gelJoinIntersectionCurves(
	gelContactScratch* s, const gelContactSurface* a, const gelContactSurface* b )
{
	for ( uint32_t i = 0; i < s->pairs.count; ++i )
	{
		const gelTrianglePair* pair = s->pairs.items + i;
		s->segments[i] = MakeSegment( a, b, pair );
		for ( int end = 0; end < 2; ++end )
			s->ends[2 * i + (uint32_t)end] = MakeKey( a, b, pair, pair->crossings[end] );
		s->next[i] = s->prev[i] = s->pairCurves[i] = GEL_NONE;
	}
	uint32_t conflicts = LinkEnds( s );
	s->curveCount = 0;
	for ( uint32_t i = 0; i < s->pairs.count; ++i )
	{
		if ( s->pairCurves[i] == GEL_NONE ) TakeCurve( s, FindStart( s, i ) );
	}
	return conflicts;
}
