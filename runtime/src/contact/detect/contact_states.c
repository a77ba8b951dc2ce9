// SPDX-License-Identifier: MIT
#include "contact/detect/contact_states.h"

#include "contact/detect/contact_clip.h"

// In gelCutTriangle.inside, while connected triangles are collected.
#define GEL_IN_QUEUE 3u

static bool IsKnown( const gelCutTriangle* cut )
{
	return cut->inside[0] != GEL_UNKNOWN;
}

// Corners of one triangle from its own edges, if they say anything.
static void SetFromEdges( gelCutTriangle* cut, const gelEdgeSums* sums )
{
	bool isKnown = false;
	for ( int k = 0; k < 3; ++k )
	{
		if ( sums->net[k] == 0 ) continue;
		cut->inside[k] = sums->net[k] < 0;
		cut->inside[( k + 1 ) % 3] = sums->net[k] > 0;
		isKnown = true;
	}
	// the third corner is level with one of the others
	for ( int k = 0; k < 3 && isKnown; ++k )
	{
		if ( cut->inside[k] != GEL_UNKNOWN ) continue;
		bool isLikeNext = sums->net[k] == 0;
		cut->inside[k] = cut->inside[( k + ( isLikeNext ? 1 : 2 ) ) % 3];
	}
}

// The cut triangle across an edge, or NULL.
static const gelCutTriangle* GetCutNeighbor(
	const gelContactSideScratch* side, const gelContactSurface* surface, const gelCutTriangle* cut, int edge )
{
	const gelPackView* pack = surface->pack;
	uint32_t across = gelCdg_GetNeighbor( &pack->cdg, pack->patches + cut->patch, cut->triangle, edge );
	if ( across == GEL_CDG_NIL ) return NULL;
	uint32_t mark = side->triangleMarks[across];
	return mark & GEL_MARK_CUT ? side->cuts + ( mark & ~GEL_MARK_CUT ) : NULL;
}

// The corner of a triangle where the edge starts that it shares with another one.
static int FindEdge( const gelContactSurface* surface, const gelCutTriangle* cut, uint32_t across )
{
	const gelPackView* pack = surface->pack;
	for ( int k = 0; k < 3; ++k )
	{
		if ( gelCdg_GetNeighbor( &pack->cdg, pack->patches + cut->patch, cut->triangle, k ) == across )
			return k;
	}
	return 0;
}

// Evidence that corners of a triangle without information are outside, as an area in units of the triangle:
// as if they were, the clipped area cannot be negative.
static double WeighOutside(
	const gelContactScratch* s, const gelContactSurface* surface, int side, const gelCutTriangle* cut )
{
	gelEdgeSums edges = gelSumEdges( s, side, cut );
	gelClipFrame frame = gelMakeClipFrame( surface, cut );
	double area = gelClipEdges( &edges, false ).area;
	for ( uint32_t i = cut->first; i < cut->first + cut->count; ++i )
		area += gelClipSegment( s, &frame, side, s->side[side].order[i] ).area;
	return area;
}

// Edges of a triangle without information have as many entries as exits: all its corners are alike, and like
// those that it shares with neighbors. So connected ones are taken together: as a neighbor with information
// says, else by all their evidence.
static void SetCluster( gelContactScratch* s, const gelContactSurface* surface, int side, uint32_t first )
{
	gelContactSideScratch* own = s->side + side;
	uint64_t* queue = own->queue; // is not in use yet
	uint32_t count = 0;
	uint8_t state = GEL_UNKNOWN;
	double outside = 0.0;
	queue[count++] = first;
	own->cuts[first].inside[1] = GEL_IN_QUEUE;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const gelCutTriangle* cut = own->cuts + queue[i];
		outside += WeighOutside( s, surface, side, cut );
		for ( int k = 0; k < 3; ++k )
		{
			const gelCutTriangle* other = GetCutNeighbor( own, surface, cut, k );
			if ( other == NULL || other->inside[1] == GEL_IN_QUEUE ) continue;
			if ( IsKnown( other ) )
			{
				state = other->inside[FindEdge( surface, other, cut->triangle )];
				continue;
			}
			uint32_t index = (uint32_t)( other - own->cuts );
			own->cuts[index].inside[1] = GEL_IN_QUEUE;
			queue[count++] = index;
		}
	}
	if ( state == GEL_UNKNOWN ) state = outside < 0.0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		gelCutTriangle* cut = own->cuts + queue[i];
		cut->inside[0] = cut->inside[1] = cut->inside[2] = state;
	}
}

// Group pairs by triangle.
static void GroupPairs( gelContactScratch* s, int side )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	gelContactSideScratch* own = s->side + side;
	for ( uint32_t i = 0; i < s->pairs.count; ++i )
	{
		const gelTrianglePair* pair = s->pairs.items + own->order[i];
		uint32_t triangle = side == gel_sideA ? pair->triangleA : pair->triangleB;
		gelCutTriangle* last = own->cuts + own->cutCount - 1;
		if ( own->cutCount > 0 && last->triangle == triangle )
		{
			++last->count;
			continue;
		}
		own->cuts[own->cutCount] = ( gelCutTriangle ){
			.triangle = triangle,
			.patch = side == gel_sideA ? pair->patchA : pair->patchB,
			.first = i,
			.count = 1,
			.label = s->pairCurves[own->order[i]],
			.inside = { GEL_UNKNOWN, GEL_UNKNOWN, GEL_UNKNOWN },
		};
		own->triangleMarks[triangle] = GEL_MARK_CUT | own->cutCount++;
	}
}

void gelMakeCutTriangles( gelContactScratch* s, const gelContactSurface* surface, int side )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	gelContactSideScratch* own = s->side + side;
	gelOrderPairs( &s->pairs, side, s->keys, own->order );
	GroupPairs( s, side );
	for ( uint32_t i = 0; i < own->cutCount; ++i )
	{
		gelEdgeSums sums = gelSumEdges( s, side, own->cuts + i );
		own->cuts[i].crossedEdges = (uint8_t)sums.crossed;
		SetFromEdges( own->cuts + i, &sums );
	}
	for ( uint32_t i = 0; i < own->cutCount; ++i )
	{
		if ( !IsKnown( own->cuts + i ) ) SetCluster( s, surface, side, i );
	}
}
