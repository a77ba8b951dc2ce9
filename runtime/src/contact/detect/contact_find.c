// SPDX-License-Identifier: MIT
#include "contact/detect/contact_find.h"

#include "contact/detect/self_contact_culling.h"

#include <string.h>

// Two ranges of no more triangles than the root of this are compared triangle by triangle. (Civit-Flores'
// T_int, who has 8; boxes of triangles are cheaper, and tighter, than bounds of nodes, above all with
// kernels.)
#define GEL_FEW_PAIRS     ( 128u * 128u )
#define GEL_FEW_PAIRS_REF ( 8u * 8u )

// A patch of 2^29 triangles has 30 levels. A node is split into its own triangle and two children, so each
// level of either tree leaves two entries behind.
#define GEL_DUAL_STACK ( 2 * 2 * 32 + 1 )

static int32_t Min3( int32_t a, int32_t b, int32_t c )
{
	return a < b ? ( a < c ? a : c ) : ( b < c ? b : c );
}

static int32_t Max3( int32_t a, int32_t b, int32_t c )
{
	return a > b ? ( a > c ? a : c ) : ( b > c ? b : c );
}

// Whether the boxes of two triangles are apart. Exact.
static bool AreApart( const gelGridPoint a[3], const gelGridPoint b[3] )
{
	return Max3( a[0].x, a[1].x, a[2].x ) < Min3( b[0].x, b[1].x, b[2].x ) ||
		Max3( b[0].x, b[1].x, b[2].x ) < Min3( a[0].x, a[1].x, a[2].x ) ||
		Max3( a[0].y, a[1].y, a[2].y ) < Min3( b[0].y, b[1].y, b[2].y ) ||
		Max3( b[0].y, b[1].y, b[2].y ) < Min3( a[0].y, a[1].y, a[2].y ) ||
		Max3( a[0].z, a[1].z, a[2].z ) < Min3( b[0].z, b[1].z, b[2].z ) ||
		Max3( b[0].z, b[1].z, b[2].z ) < Min3( a[0].z, a[1].z, a[2].z );
}

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

// The same after a look at their boxes.
static void TestPair( const gelPatchSearch* s, uint32_t triangleA, uint32_t triangleB )
{
	gelGridPoint a[3], b[3];
	gelContactSurface_GetCorners( s->surface[0], s->patch[0], triangleA, a );
	gelContactSurface_GetCorners( s->surface[1], s->patch[1], triangleB, b );
	if ( !AreApart( a, b ) ) gelTestTriangles( s, triangleA, triangleB );
}

// ---- trees of two patches ----

// A range of triangles of a patch, or the first of it alone.
typedef struct Part
{
	gelCdgRange range;
	gelContactBounds bounds;
} Part;

typedef struct PartPair
{
	Part part[2];
} PartPair;

typedef struct PatchSearch
{
	const gelPatchSearch* search;
	gelCellAxes axes[2];
	PartPair stack[GEL_DUAL_STACK];
	int depth;
} PatchSearch;

static uint32_t GetCount( const Part* part )
{
	return part->range.end - part->range.first;
}

static Part MakePart( const PatchSearch* s, int side, gelCdgRange range )
{
	const gelContactSurface* surface = s->search->surface[side];
	Part part = { .range = range };
	if ( range.end - range.first > 1 )
	{
		part.bounds =
			gelCellAxes_Bound( s->axes + side, gelCdg_GetBounds( &surface->pack->cdg, range.first ) );
		return part;
	}
	gelGridPoint p[3];
	gelContactSurface_GetCorners( surface, s->search->patch[side], range.first, p );
	part.bounds = gelContactSurface_BoundTriangle( surface, p );
	return part;
}

static void Push( PatchSearch* s, int side, const Part* part, const Part* other )
{
	if ( !gelContactBounds_Overlap( &part->bounds, &other->bounds ) ) return;
	PartPair* to = s->stack + s->depth++;
	GEL_ASSERT( s->depth <= GEL_DUAL_STACK );
	to->part[side] = *part;
	to->part[1 - side] = *other;
}

static void TestAll( PatchSearch* s, const Part* a, const Part* b )
{
	for ( uint32_t i = a->range.first; i < a->range.end; ++i )
	{
		for ( uint32_t j = b->range.first; j < b->range.end; ++j )
			TestPair( s->search, i, j );
	}
	gelCountBoxTests( s->search->pairs, GetCount( a ) * GetCount( b ) );
}

// Twin of the kernel searchPatches, with the axes of the cells' boxes.
static void SearchPatches_Ref( const gelPatchSearch* search )
{
	PatchSearch state, *s = &state;
	Part roots[2];
	s->search = search;
	for ( int side = 0; side < 2; ++side )
	{
		const gelPackPatch* patch = search->surface[side]->pack->patches + search->patch[side];
		uint32_t first = patch->triangleFirst, end = first + patch->triangleCount;
		gelContactSurface_Deform( search->surface[side], search->patch[side] );
		s->axes[side] = gelContactSurface_GetAxes( search->surface[side], patch->cell );
		roots[side] = MakePart( s, side, ( gelCdgRange ){ first, end } );
	}
	s->depth = 0;
	Push( s, 0, roots, roots + 1 );
	while ( s->depth > 0 && search->pairs->lostCount == 0 )
	{
		PartPair top = s->stack[--s->depth];
		uint32_t countA = GetCount( top.part ), countB = GetCount( top.part + 1 );
		if ( countA <= search->leafSize && countB <= search->leafSize )
		{
			TestAll( s, top.part, top.part + 1 );
			continue;
		}
		int side = countA >= countB ? 0 : 1;
		gelCdgRange range = top.part[side].range, parts[3];
		parts[0] = ( gelCdgRange ){ range.first, range.first + 1 };
		gelCdgRange_Split( range, parts + 1, parts + 2 );
		for ( int k = 0; k < 3; ++k )
		{
			if ( parts[k].first == parts[k].end ) continue;
			Part part = MakePart( s, side, parts[k] );
			Push( s, side, &part, top.part + 1 - side );
		}
	}
}

// ---- coarse trees ----

typedef struct Search
{
	const gelContactKernels* kernels; // NULL: scalar
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
			if ( s->kernels != NULL )
				s->kernels->searchPatches( search );
			else
				SearchPatches_Ref( search );
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

// Children of a node that a box meets, as bits.
static unsigned MeetChildren( const gelCoarseBoxes* boxes, const gelContactBounds* box )
{
	unsigned mask = 0;
	for ( int lane = 0; lane < GEL_COARSE_LANES; ++lane )
	{
		bool isApart = false;
		for ( int k = 0; k < GEL_DOP_AXES; ++k )
			isApart |= boxes->low[k][lane] > box->high[k] || boxes->high[k][lane] < box->low[k];
		mask |= isApart ? 0u : 1u << lane;
	}
	return mask;
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
		unsigned mask = s->kernels != NULL ? s->kernels->meetChildren( boxes, box + 1 - side )
										   : MeetChildren( boxes, box + 1 - side );
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

// Directions of a gelDop, and one to spare. The normals of both patches as further directions, as in the
// thesis, have been tried: they save 4 % of the tests of rough surfaces at best, less than they cost.
static const float s_axes[3][8] = { { 1.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, -1.0f, 0.0f },
	{ 0.0f, 1.0f, 0.0f, 1.0f, 1.0f, -1.0f, 1.0f, 0.0f },
	{ 0.0f, 0.0f, 1.0f, 1.0f, -1.0f, 1.0f, 1.0f, 0.0f } };

static void FindPairs( gelContactSurface* a, gelContactSurface* b, const gelFindSettings* settings,
	bool isOfOne, gelTrianglePairs* pairs )
{
	uint32_t few = settings->kernels != NULL ? GEL_FEW_PAIRS : GEL_FEW_PAIRS_REF;
	uint32_t fewPairs = settings->fewPairs != 0 ? settings->fewPairs : few, leafSize = 1;
	while ( leafSize < GEL_MAX_LEAF && ( leafSize + 1 ) * ( leafSize + 1 ) <= fewPairs )
		++leafSize;
	Search search = { settings->kernels, { { a, b }, { 0, 0 }, leafSize, isOfOne, pairs, { { 0.0f } } } };
	memcpy( search.patches.axes, s_axes, sizeof( s_axes ) );
	a->deform = b->deform = search.kernels != NULL ? search.kernels->deformPatch : NULL;
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

void gelFindTrianglePairs_Ref( gelContactSurface* a, gelContactSurface* b, gelTrianglePairs* pairs )
{
	gelPatchSearch search = { { a, b }, { 0, 0 }, 0, false, pairs, { { 0.0f } } };
	a->deform = b->deform = NULL;
	for ( search.patch[0] = 0; search.patch[0] < a->pack->header->cdgPatchCount; ++search.patch[0] )
	{
		for ( search.patch[1] = 0; search.patch[1] < b->pack->header->cdgPatchCount; ++search.patch[1] )
		{
			const gelPackPatch *p = a->pack->patches + search.patch[0],
							   *q = b->pack->patches + search.patch[1];
			gelContactSurface_Deform( a, search.patch[0] );
			gelContactSurface_Deform( b, search.patch[1] );
			pairs->testCount += p->triangleCount * q->triangleCount; // no limit here
			for ( uint32_t i = p->triangleFirst; i < p->triangleFirst + p->triangleCount; ++i )
			{
				for ( uint32_t j = q->triangleFirst; j < q->triangleFirst + q->triangleCount; ++j )
					TestPair( &search, i, j );
			}
		}
	}
	SortPairs( pairs );
}
