// SPDX-License-Identifier: MIT
#include "contact_find.h"

// Two ranges with no more pairs of triangles than this are tested pair by pair. (Civit-Flores' T_int.)
#define GEL_FEW_PAIRS 8

// A patch of 2^29 triangles has 30 levels. A node is split into its own triangle and two children, so each
// level of either tree leaves two entries behind.
#define GEL_DUAL_STACK ( 2 * 2 * 32 + 1 )

typedef struct Search
{
	gelContactSurface* surface[2];
	gelTrianglePairs* pairs;
} Search;

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

static void TestPair( Search* s, const uint32_t patch[2], uint32_t triangleA, uint32_t triangleB )
{
	gelGridPoint a[3], b[3];
	gelContactSurface_GetCorners( s->surface[0], patch[0], triangleA, a );
	gelContactSurface_GetCorners( s->surface[1], patch[1], triangleB, b );
	gelTrianglePair pair = { triangleA, triangleB, patch[0], patch[1], { { 0 }, { 0 } } };
	++s->pairs->testCount;
	if ( AreApart( a, b ) ) return;
	if ( gelCrossTriangles( a, b, false, pair.crossings ) == 0 ) return;
	if ( s->pairs->count == s->pairs->capacity )
		++s->pairs->lostCount;
	else
		s->pairs->items[s->pairs->count++] = pair;
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
	Search* search;
	uint32_t patch[2];
	const gelCellAxes* axes[2];
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
			gelCellAxes_Bound( s->axes[side], gelCdg_GetBounds( &surface->pack->cdg, range.first ) );
		return part;
	}
	gelGridPoint p[3];
	gelContactSurface_GetCorners( surface, s->patch[side], range.first, p );
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
			TestPair( s->search, s->patch, i, j );
	}
}

static void SearchPatches( PatchSearch* s )
{
	const gelPackPatch* patch[2];
	Part roots[2];
	for ( int side = 0; side < 2; ++side )
	{
		patch[side] = s->search->surface[side]->pack->patches + s->patch[side];
		uint32_t first = patch[side]->triangleFirst, end = first + patch[side]->triangleCount;
		gelContactSurface_Deform( s->search->surface[side], s->patch[side] );
		roots[side] = MakePart( s, side, ( gelCdgRange ){ first, end } );
	}
	s->depth = 0;
	Push( s, 0, roots, roots + 1 );
	while ( s->depth > 0 )
	{
		PartPair top = s->stack[--s->depth];
		uint32_t countA = GetCount( top.part ), countB = GetCount( top.part + 1 );
		if ( (uint64_t)countA * countB <= GEL_FEW_PAIRS )
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

static void SearchCells( Search* s, uint32_t cellA, uint32_t cellB )
{
	const gelPackCell* a = s->surface[0]->pack->cells + cellA;
	const gelPackCell* b = s->surface[1]->pack->cells + cellB;
	gelCellAxes axesA = gelContactSurface_GetAxes( s->surface[0], cellA );
	gelCellAxes axesB = gelContactSurface_GetAxes( s->surface[1], cellB );
	PatchSearch search;
	search.search = s;
	search.axes[0] = &axesA;
	search.axes[1] = &axesB;
	for ( uint32_t i = 0; i < a->patchCount; ++i )
	{
		for ( uint32_t j = 0; j < b->patchCount; ++j )
		{
			search.patch[0] = a->patchFirst + i;
			search.patch[1] = b->patchFirst + j;
			SearchPatches( &search );
		}
	}
}

// A box of the coarse tree in the space of the pair.
static gelContactBounds GetBox( const gelContactSurface* s, uint32_t node )
{
	gelContactBounds out;
	float shift[8];
	gelProjectOnDop( s->shift, shift );
	for ( int k = 0; k < 8; ++k )
	{
		float slack = k < 3 ? s->slack : 3.0f * s->slack;
		out.low[k] = s->boxes[node].low[k] + shift[k] - slack;
		out.high[k] = s->boxes[node].high[k] + shift[k] + slack;
	}
	return out;
}

static float GetSize( const gelContactBounds* b )
{
	return ( b->high[0] - b->low[0] ) + ( b->high[1] - b->low[1] ) + ( b->high[2] - b->low[2] );
}

typedef struct NodePair
{
	uint32_t node[2];
} NodePair;

static void SearchCoarse( Search* s )
{
	NodePair stack[2 * GEL_CDG_MAX_DEPTH + 1];
	int depth = 0;
	stack[depth++] = ( NodePair ){ { 0, 0 } };
	while ( depth > 0 )
	{
		NodePair top = stack[--depth];
		const gelPackBvhNode* node[2];
		gelContactBounds box[2];
		for ( int side = 0; side < 2; ++side )
		{
			node[side] = s->surface[side]->pack->bvh + top.node[side];
			box[side] = GetBox( s->surface[side], top.node[side] );
		}
		if ( !gelContactBounds_Overlap( box, box + 1 ) ) continue;
		bool isLeaf[2] = { node[0]->left == GEL_CDG_NIL, node[1]->left == GEL_CDG_NIL };
		if ( isLeaf[0] && isLeaf[1] )
		{
			SearchCells( s, node[0]->right, node[1]->right );
			continue;
		}
		int side = isLeaf[0] || ( !isLeaf[1] && GetSize( box + 1 ) > GetSize( box ) ) ? 1 : 0;
		GEL_ASSERT( depth + 2 <= 2 * (int)GEL_CDG_MAX_DEPTH + 1 );
		stack[depth] = stack[depth + 1] = top;
		stack[depth].node[side] = node[side]->right;
		stack[depth + 1].node[side] = node[side]->left;
		depth += 2;
	}
}

static bool ComesBefore( const gelTrianglePair* a, const gelTrianglePair* b )
{
	return a->triangleA != b->triangleA ? a->triangleA < b->triangleA : a->triangleB < b->triangleB;
}

static void SiftDown( gelTrianglePair* items, uint32_t root, uint32_t count )
{
	gelTrianglePair item = items[root];
	for ( uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1 )
	{
		if ( child + 1 < count && ComesBefore( items + child, items + child + 1 ) ) ++child;
		if ( !ComesBefore( &item, items + child ) ) break;
		items[root] = items[child];
		root = child;
	}
	items[root] = item;
}

// Heapsort: in place, where qsort may allocate.
static void SortPairs( gelTrianglePair* items, uint32_t count )
{
	for ( uint32_t i = count / 2; i-- > 0; )
		SiftDown( items, i, count );
	for ( uint32_t end = count; end-- > 1; )
	{
		gelTrianglePair last = items[end];
		items[end] = items[0];
		items[0] = last;
		SiftDown( items, 0, end );
	}
}

void gelFindTrianglePairs( gelContactSurface* a, gelContactSurface* b, gelTrianglePairs* pairs )
{
	Search search = { { a, b }, pairs };
	uint32_t first = pairs->count;
	SearchCoarse( &search );
	SortPairs( pairs->items + first, pairs->count - first );
}

void gelFindTrianglePairs_Ref( gelContactSurface* a, gelContactSurface* b, gelTrianglePairs* pairs )
{
	Search search = { { a, b }, pairs };
	uint32_t patch[2], first = pairs->count;
	for ( patch[0] = 0; patch[0] < a->pack->header->cdgPatchCount; ++patch[0] )
	{
		for ( patch[1] = 0; patch[1] < b->pack->header->cdgPatchCount; ++patch[1] )
		{
			const gelPackPatch *p = a->pack->patches + patch[0], *q = b->pack->patches + patch[1];
			gelContactSurface_Deform( a, patch[0] );
			gelContactSurface_Deform( b, patch[1] );
			for ( uint32_t i = p->triangleFirst; i < p->triangleFirst + p->triangleCount; ++i )
			{
				for ( uint32_t j = q->triangleFirst; j < q->triangleFirst + q->triangleCount; ++j )
					TestPair( &search, patch, i, j );
			}
		}
	}
	SortPairs( pairs->items + first, pairs->count - first );
}
