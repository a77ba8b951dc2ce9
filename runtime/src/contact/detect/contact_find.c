// SPDX-License-Identifier: MIT
#include "contact/detect/contact_find.h"

#include "contact/detect/self_contact_culling.h"

#include <string.h>

// Two ranges of no more triangles than the root of this are compared triangle by triangle. (Civit-Flores'
// T_int, who has 8; boxes of triangles are cheaper, and tighter, than bounds of nodes, above all with
// kernels.)
#define GEL_FEW_PAIRS ( 128u * 128u )

static void KeepPair( gelTrianglePairs* pairs, const gelTrianglePair* pair )
{
	if ( pairs->count == pairs->capacity )
		++pairs->lostCount;
	else
		pairs->items[pairs->count++] = *pair;
}

// Names of the corners of two triangles of one body. False: they have a common one.
static bool FindIds( const gelPatchSearch* s, const gelTrianglePair* pair, uint32_t ids[2][3] )
{
	for ( int side = 0; side < 2; ++side )
	{
		const gelCdgView* cdg = &s->surface[side]->pack->cdg;
		const gelPackPatch* patch = s->surface[side]->pack->patches + s->patch[side];
		gelCdg_GetCorners( cdg, patch, side == 0 ? pair->triangleA : pair->triangleB, ids[side] );
		for ( int k = 0; k < 3; ++k )
			ids[side][k] = gelCdg_GetWeld( cdg, patch, ids[side][k] );
	}
	for ( int i = 0; i < 9; ++i )
	{
		if ( ids[0][i % 3] == ids[1][i / 3] ) return false;
	}
	return true;
}

// The same pair with A and B exchanged: curves run the other way.
static gelTrianglePair Mirror( const gelTrianglePair* pair )
{
	gelTrianglePair out = { pair->triangleB, pair->triangleA, pair->patchB, pair->patchA,
		{ pair->crossings[1], pair->crossings[0] } };
	for ( int end = 0; end < 2; ++end )
	{
		out.crossings[end].isEdgeOfB ^= 1u;
		out.crossings[end].isStart ^= 1u;
	}
	return out;
}

static void LoadCorners( const gelPatchSearch* s, int side, uint32_t triangle, double out[3][3] )
{
	const gelContactSurface* surface = s->surface[side];
	uint32_t slots[3];
	gelCdg_GetCorners( &surface->pack->cdg, surface->pack->patches + s->patch[side], triangle, slots );
	for ( int k = 0; k < 3; ++k )
	{
		const gelVec4* p = surface->points + slots[k];
		out[k][0] = (double)p->x, out[k][1] = (double)p->y, out[k][2] = (double)p->z;
	}
}

void gelTestTriangles( const gelPatchSearch* s, uint32_t triangleA, uint32_t triangleB )
{
	if ( s->pairs->lostCount != 0 ) return;
	gelCrossing crossing;
	LoadCorners( s, 0, triangleA, crossing.p[0] );
	LoadCorners( s, 1, triangleB, crossing.p[1] );
	if ( !gelCrossing_Filter( &crossing ) ) return; // most end here
	uint32_t ids[2][3];
	gelTrianglePair pair = { triangleA, triangleB, s->patch[0], s->patch[1], { { 0 }, { 0 } } };
	crossing.isWide = false;
	crossing.ids[0] = crossing.ids[1] = NULL;
	if ( s->isOfOne )
	{
		if ( !FindIds( s, &pair, ids ) ) return;
		crossing.ids[0] = ids[0];
		crossing.ids[1] = ids[1];
	}
	gelCountExactTests( s->pairs, 1u );
	if ( s->pairs->lostCount != 0 ) return;
	if ( gelCrossing_Find( &crossing, pair.crossings ) != 0 )
		gelKeepCrossing( s, triangleA, triangleB, pair.crossings );
}

void gelKeepCrossing(
	const gelPatchSearch* s, uint32_t triangleA, uint32_t triangleB, const gelTriangleCrossing crossings[2] )
{
	if ( s->pairs->lostCount != 0 ) return;
	gelTrianglePair pair = { triangleA, triangleB, s->patch[0], s->patch[1], { crossings[0], crossings[1] } };
	if ( s->isOfOne && s->pairs->capacity - s->pairs->count < 2 ) // both or none
	{
		++s->pairs->lostCount;
		return;
	}
	KeepPair( s->pairs, &pair );
	if ( !s->isOfOne ) return;
	gelTrianglePair mirror = Mirror( &pair );
	KeepPair( s->pairs, &mirror );
}

// ---- patches ----

// Outwards, the direction of the vector area of a deformed patch: cof( F ) N with F = D_s D_m^-1, and the
// inverse of cof( D_m ) is D_m^T / det( D_m ). Zero for a patch without area.
static gelVec3 FindPatchNormal( const gelContactSurface* s, uint32_t index )
{
	const gelPackPatch* patch = s->pack->patches + index;
	const gelPackCell* cell = s->pack->cells + patch->cell;
	const float* N = patch->vectorArea;
	gelPackNode o = s->pack->nodes[cell->node[0]];
	gelVec3 e[3];
	float v[3];
	for ( int k = 0; k < 3; ++k )
	{
		gelPackNode p = s->pack->nodes[cell->node[k + 1]];
		e[k] = gelSub( s->nodes[cell->node[k + 1]], s->nodes[cell->node[0]] );
		v[k] = N[0] * ( p.x - o.x ) + N[1] * ( p.y - o.y ) + N[2] * ( p.z - o.z );
	}
	gelVec3 n = gelScale( v[0], gelCross( e[1], e[2] ) );
	n = gelMulAdd( n, v[1], gelCross( e[2], e[0] ) );
	n = gelMulAdd( n, v[2], gelCross( e[0], e[1] ) );
	float length = gelLength( n ), sign = ( cell->flags & GEL_CDG_CELL_ODD ) != 0 ? -1.0f : 1.0f;
	return length > 0.0f && length < INFINITY ? gelScale( sign / length, n )
											  : gelMakeVec3( 0.0f, 0.0f, 0.0f );
}

// Where the centroid of a patch is, in the space of the pair.
static gelVec3 FindPatchMiddle( const gelContactSurface* s, uint32_t index )
{
	const gelPackPatch* patch = s->pack->patches + index;
	gelVec3 middle = s->shift;
	for ( int k = 0; k < 4; ++k )
		middle = gelMulAdd( middle, patch->centroid[k], s->nodes[s->pack->cells[patch->cell].node[k]] );
	return middle;
}

static gelVec3 Normalize( gelVec3 a, gelVec3 other )
{
	float length = gelLength( a );
	return length > 1.0e-6f && length < INFINITY ? gelScale( 1.0f / length, a ) : other;
}

void gelFindPatchAxes( const gelPatchSearch* s, gelVec3 out[2] )
{
	gelVec3 a = FindPatchNormal( s->surface[0], s->patch[0] );
	gelVec3 b = FindPatchNormal( s->surface[1], s->patch[1] );
	out[0] = Normalize( gelSub( b, a ), gelMakeVec3( 0.0f, 1.0f, 0.0f ) );
	gelVec3 way = gelSub(
		FindPatchMiddle( s->surface[0], s->patch[0] ), FindPatchMiddle( s->surface[1], s->patch[1] ) );
	out[1] = Normalize( gelMulAdd( way, -gelDot( out[0], way ), out[0] ), out[0] );
}

// ---- coarse trees ----

typedef struct Search
{
	const gelContactKernels* kernels;
	gelPatchSearch patches;
} Search;

static void SearchCells( Search* s, uint32_t cellA, uint32_t cellB )
{
	gelPatchSearch* search = &s->patches;
	// each pair comes in both orders
	if ( search->isOfOne && ( cellA >= cellB || gelAreCellsApart( search->surface[0], cellA, cellB ) ) )
		return;
	const gelPackCell* a = search->surface[0]->pack->cells + cellA;
	const gelPackCell* b = search->surface[1]->pack->cells + cellB;
	for ( uint32_t i = 0; i < a->patchCount; ++i )
	{
		for ( uint32_t j = 0; j < b->patchCount; ++j )
		{
			search->patch[0] = a->patchFirst + i;
			search->patch[1] = b->patchFirst + j;
			s->kernels->searchPatches( search );
		}
	}
}

// A child in a coarse tree: node times eight and lane.
#define GEL_COARSE_ROOT UINT32_MAX

// Splitting a node leaves seven others behind, and each tree has so many levels at most.
#define GEL_COARSE_STACK ( 7 * 2 * GEL_CDG_MAX_DEPTH + 8 )

typedef struct ChildPair
{
	uint32_t child[2];
} ChildPair;

static uint32_t GetChild( const gelContactSurface* s, uint32_t place )
{
	if ( place == GEL_COARSE_ROOT ) return (uint32_t)s->treeCount - 1;
	return s->tree[place / GEL_COARSE_LANES].child[place % GEL_COARSE_LANES];
}

// The box of a child, moved to the body space of another surface and grown by what rounding may cost.
static gelContactBounds GetBox( const gelContactSurface* s, uint32_t place, const gelContactSurface* other )
{
	gelContactBounds out;
	float shift[8];
	gelProjectOnDop( gelSub( s->shift, other->shift ), shift );
	const gelCoarseBoxes* boxes = s->boxes + place / GEL_COARSE_LANES;
	const gelDop* all = gelContactSurface_GetBox( s );
	for ( int k = 0; k < GEL_DOP_AXES; ++k )
	{
		float slack = ( k < 3 ? 1.0f : 3.0f ) * ( s->slack + other->slack );
		bool isRoot = place == GEL_COARSE_ROOT;
		float low = isRoot ? all->low[k] : boxes->low[k][place % GEL_COARSE_LANES];
		float high = isRoot ? all->high[k] : boxes->high[k][place % GEL_COARSE_LANES];
		out.low[k] = low + shift[k] - slack;
		out.high[k] = high + shift[k] + slack;
	}
	out.low[7] = out.high[7] = 0.0f;
	return out;
}

static float GetSize( const gelContactBounds* b )
{
	return ( b->high[0] - b->low[0] ) + ( b->high[1] - b->low[1] ) + ( b->high[2] - b->low[2] );
}

static void SearchCoarse( Search* s )
{
	ChildPair stack[GEL_COARSE_STACK];
	int depth = 0;
	stack[depth++] = ( ChildPair ){ { GEL_COARSE_ROOT, GEL_COARSE_ROOT } };
	while ( depth > 0 && s->patches.pairs->lostCount == 0 )
	{
		ChildPair top = stack[--depth];
		uint32_t child[2];
		gelContactBounds box[2];
		for ( int side = 0; side < 2; ++side )
		{
			child[side] = GetChild( s->patches.surface[side], top.child[side] );
			box[side] = GetBox( s->patches.surface[side], top.child[side], s->patches.surface[1 - side] );
		}
		bool isCell[2] = { gelIsCell( child[0] ), gelIsCell( child[1] ) };
		if ( isCell[0] && isCell[1] )
		{
			SearchCells( s, child[0] & ~GEL_COARSE_CELL, child[1] & ~GEL_COARSE_CELL );
			continue;
		}
		int side = isCell[0] || ( !isCell[1] && GetSize( box + 1 ) > GetSize( box ) ) ? 1 : 0;
		const gelCoarseBoxes* boxes = s->patches.surface[side]->boxes + child[side];
		unsigned mask = s->kernels->meetChildren( boxes, box + 1 - side );
		for ( uint32_t lane = 0; lane < GEL_COARSE_LANES; ++lane )
		{
			if ( ( mask >> lane & 1u ) == 0 ) continue;
			GEL_ASSERT( depth < (int)GEL_COARSE_STACK );
			stack[depth] = top;
			stack[depth++].child[side] = child[side] * GEL_COARSE_LANES + lane;
		}
	}
}

// ---- order -----------------------------------------------------------------------------------------------

// Sorts by bits 32 .. of the keys, stable, by bytes from the lowest on: linear, and without a comparison that
// could depend on anything. @return which of the two arrays holds the result
static uint64_t* SortKeys( uint64_t* keys, uint64_t* other, uint32_t count, uint64_t largest )
{
	for ( int shift = 32; shift < 64 && largest >> shift != 0; shift += 8 )
	{
		uint32_t places[257] = { 0 };
		for ( uint32_t i = 0; i < count; ++i )
			++places[( keys[i] >> shift & 0xFFu ) + 1];
		for ( uint32_t i = 1; i < 256; ++i )
			places[i] += places[i - 1];
		for ( uint32_t i = 0; i < count; ++i )
			other[places[keys[i] >> shift & 0xFFu]++] = keys[i];
		uint64_t* swap = keys;
		keys = other;
		other = swap;
	}
	return keys;
}

void gelOrderPairs( const gelTrianglePairs* pairs, int side, uint64_t* keys, uint32_t* order )
{
	uint64_t* sorted = keys;
	for ( int pass = 0; pass < 2; ++pass ) // the other side's triangle first, then this one's
	{
		uint64_t largest = 0;
		for ( uint32_t i = 0; i < pairs->count; ++i )
		{
			uint32_t index = pass == 0 ? i : order[i];
			const gelTrianglePair* pair = pairs->items + index;
			uint32_t triangle = side == pass ? pair->triangleB : pair->triangleA;
			keys[i] = (uint64_t)triangle << 32 | index;
			largest = keys[i] > largest ? keys[i] : largest;
		}
		sorted = SortKeys( keys, keys + pairs->count, pairs->count, largest );
		for ( uint32_t i = 0; i < pairs->count; ++i )
			order[i] = (uint32_t)sorted[i];
	}
}

// Puts pairs into an order, each along the cycle that it is in. @param order is used up
static void Rearrange( gelTrianglePair* items, uint32_t* order, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		gelTrianglePair first = items[i];
		uint32_t to = i;
		for ( uint32_t from = order[to]; from != to && from != i; from = order[to] )
		{
			items[to] = items[from];
			order[to] = to;
			to = from;
		}
		items[to] = first;
		order[to] = to;
	}
}

static void SortPairs( gelTrianglePairs* pairs )
{
	gelOrderPairs( pairs, 0, pairs->keys, pairs->order );
	Rearrange( pairs->items, pairs->order, pairs->count );
}

static void FindPairs( gelContactSurface* a, gelContactSurface* b, const gelFindSettings* settings,
	bool isOfOne, gelTrianglePairs* pairs )
{
	uint32_t fewPairs = settings->fewPairs != 0 ? settings->fewPairs : GEL_FEW_PAIRS, leafSize = 1;
	while ( leafSize < GEL_MAX_LEAF && ( leafSize + 1 ) * ( leafSize + 1 ) <= fewPairs )
		++leafSize;
	Search search = { settings->kernels, { { a, b }, { 0, 0 }, leafSize, isOfOne, 0.0f, pairs } };
	a->deform = b->deform = search.kernels->deformPatch;
	SearchCoarse( &search );
	SortPairs( pairs );
}

void gelFindTrianglePairs(
	gelContactSurface* a, gelContactSurface* b, const gelFindSettings* settings, gelTrianglePairs* pairs )
{
	FindPairs( a, b, settings, false, pairs );
}

void gelFindOwnPairs( gelContactSurface* surface, const gelFindSettings* settings, gelTrianglePairs* pairs )
{
	FindPairs( surface, surface, settings, true, pairs );
}
