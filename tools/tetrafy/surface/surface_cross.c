// SPDX-License-Identifier: MIT
// Does the surface go through itself? Only told, never acted upon: so doubles decide, pairs that merely touch
// do not count, and the search ends when it has cost enough.
#include "tetrafy/surface/surface_tree.h"

#include <gelpack/asserts.h>

// In boxes that are looked at, some ten nanoseconds each: a surface of 15,000 triangles takes it all.
#define GEL_CROSSING_BUDGET UINT64_C( 1000000 )

// Leaves that are searched before what they cost is added up.
#define GEL_LEAVES_AT_ONCE 1024u

// Share of a determinant's terms that rounding may make up.
#define GEL_CLEAR_SHARE 1e-12

// Zero when rounding could have made it: then a pair merely touches, as far as this report is concerned.
static double Determinant( gelVec3d a, gelVec3d b, gelVec3d c )
{
	gelVec3d n = gelCrossD( b, c );
	double det = gelDotD( a, n );
	double size = gelLengthD( a ) * gelLengthD( b ) * gelLengthD( c );
	return fabs( det ) > GEL_CLEAR_SHARE * size ? det : 0.0;
}

// Does the segment clearly go through the inside of the triangle?
// Five signs as in tri_tri.c, but strictly: the ends on different sides, the line on the same side of all
// three edges.
static bool Pierces( gelVec3d u, gelVec3d w, const gelVec3d t[3] )
{
	gelVec3d a = gelSubD( t[0], u ), b = gelSubD( t[1], u ), c = gelSubD( t[2], u );
	gelVec3d d = gelSubD( w, u );
	double below = Determinant( a, b, c );
	if ( below == 0.0 ) return false;
	double above = Determinant( gelSubD( t[0], w ), gelSubD( t[1], w ), gelSubD( t[2], w ) );
	if ( !( below < 0.0 ? above > 0.0 : above < 0.0 ) ) return false;
	double x = Determinant( d, a, b ), y = Determinant( d, b, c ), z = Determinant( d, c, a );
	return ( x > 0.0 && y > 0.0 && z > 0.0 ) || ( x < 0.0 && y < 0.0 && z < 0.0 );
}

static bool TrianglesCross( const gelVec3d a[3], const gelVec3d b[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		int next = ( k + 1 ) % 3;
		if ( Pierces( a[k], a[next], b ) || Pierces( b[k], b[next], a ) ) return true;
	}
	return false;
}

// A triangle with what quick tests need.
typedef struct Facet
{
	const gelVec3d* corners;
	gelBox3d box;
	gelVec3d normal;  // normal of any length
	double tolerance; // rounding error of products with it
} Facet;

static Facet MakeFacet( const gelVec3d* corners, double size )
{
	GEL_ASSERT( size >= 0.0 );
	Facet facet = { .corners = corners, .box = gelBox3d_Empty() };
	for ( int k = 0; k < 3; ++k )
		gelBox3d_AddPoint( &facet.box, corners[k] );
	facet.normal = gelCrossD( gelSubD( corners[1], corners[0] ), gelSubD( corners[2], corners[0] ) );
	facet.tolerance = GEL_CLEAR_SHARE * size * gelLengthD( facet.normal );
	return facet;
}

// Most neighbors are on one side of each other's planes.
// A smooth surface has hardly any other pairs, so this sorts out nearly all of them for three products each.
static bool IsOnOneSide( const Facet* facet, const gelVec3d* corners )
{
	double low = INFINITY, high = -INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		double height = gelDotD( facet->normal, gelSubD( corners[k], facet->corners[0] ) );
		low = gelMinDouble( low, height );
		high = gelMaxDouble( high, height );
	}
	return low >= -facet->tolerance || high <= facet->tolerance;
}

// Triangles with a common edge cross nowhere else.
static bool ShareAnEdge( const gelSurface* surface, uint32_t triA, uint32_t triB )
{
	const uint32_t *a = surface->tris + 3 * (size_t)triA, *b = surface->tris + 3 * (size_t)triB;
	int shared = 0;
	for ( int i = 0; i < 3; ++i )
		shared += a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
	return shared >= 2;
}

static void NoteCrossing( gelCrossings* found, const gelSurface* surface, uint32_t triA, uint32_t triB )
{
	GEL_ASSERT( triA != triB );
	uint32_t tri = surface->triToSource[triA] < surface->triToSource[triB] ? triA : triB;
	uint32_t source = surface->triToSource[tri];
	if ( found->pairs.count == 0 || source < found->pairs.firstTriangle )
	{
		found->pairs.firstTriangle = source;
		found->pairs.firstPoint = surface->points[surface->tris[3 * (size_t)tri]];
	}
	found->pairs.count += 1;
}

typedef struct CrossSearch
{
	const gelSurfaceTree* tree;
	double size; // longest side of the surface [m]
	uint64_t cost;
	gelCrossings found;
} CrossSearch;

static void TestPair( CrossSearch* search, const Facet* facet, uint32_t slotA, uint32_t slotB )
{
	const gelSurfaceTree* tree = search->tree;
	const gelVec3d* other = tree->corners + 3 * (size_t)slotB;
	search->cost += 4;
	if ( IsOnOneSide( facet, other ) ) return;
	uint32_t triA = tree->slotToTri[slotA], triB = tree->slotToTri[slotB];
	if ( ShareAnEdge( tree->surface, triA, triB ) ) return;
	search->cost += 8;
	Facet second = MakeFacet( other, search->size );
	if ( IsOnOneSide( &second, facet->corners ) || !TrianglesCross( facet->corners, other ) ) return;
	NoteCrossing( &search->found, tree->surface, triA, triB );
}

// Pairs of a leaf's triangles with each other and with those of later leaves.
static void SearchLeaf( CrossSearch* search, uint32_t leaf )
{
	const gelSurfaceTree* tree = search->tree;
	const gelTreeNode* own = tree->nodes + leaf;
	Facet facets[GEL_LEAF_TRIANGLES];
	for ( uint32_t i = 0; i < own->count; ++i )
		facets[i] = MakeFacet( tree->corners + 3 * (size_t)( own->first + i ), search->size );
	// From the leaf itself onwards in preorder: each pair of leaves is looked at by the earlier one only.
	for ( uint32_t at = leaf; at < tree->nodeCount; )
	{
		const gelTreeNode* node = tree->nodes + at;
		search->cost += 1;
		bool isMissed = !gelBox3d_Overlaps( &own->box, &node->box );
		at = isMissed ? node->skip : at + 1;
		if ( isMissed ) continue;
		for ( uint32_t j = node->first; j < node->first + node->count; ++j )
		{
			const gelVec3d* c = tree->corners + 3 * (size_t)j;
			gelBox3d box = { gelMinVec3d( c[0], gelMinVec3d( c[1], c[2] ) ),
				gelMaxVec3d( c[0], gelMaxVec3d( c[1], c[2] ) ) };
			search->cost += own->count;
			for ( uint32_t i = 0; i < own->count && own->first + i < j; ++i )
				if ( gelBox3d_Overlaps( &facets[i].box, &box ) )
					TestPair( search, facets + i, own->first + i, j );
		}
	}
}

static void AddPairs( gelPlaceCount* pairs, const gelPlaceCount* other )
{
	if ( other->count == 0 ) return;
	bool isFirst = pairs->count == 0 || other->firstTriangle < pairs->firstTriangle;
	uint32_t count = pairs->count + other->count;
	if ( isFirst ) *pairs = *other;
	pairs->count = count;
}

// Searches the leaves side by side, then adds up what they found and cost in their order, until the budget is
// used up.
static void SearchLeaves( CrossSearch* search, const uint32_t* leaves, uint32_t count, int threads )
{
	GEL_ASSERT( threads > 0 );
	(void)threads;
	CrossSearch parts[GEL_LEAVES_AT_ONCE];
#pragma omp parallel for schedule( dynamic, 32 ) num_threads( threads )
	for ( uint32_t i = 0; i < count; ++i )
	{
		parts[i] = ( CrossSearch ){ .tree = search->tree, .size = search->size };
		SearchLeaf( parts + i, leaves[i] );
	}
	// Leaves beyond the end of the budget were searched in vain when threads are many; they are left out
	// here, so that the count is the same for any number of threads.
	for ( uint32_t i = 0; i < count && search->found.complete; ++i )
	{
		AddPairs( &search->found.pairs, &parts[i].found.pairs );
		search->cost += parts[i].cost;
		search->found.complete = search->cost < GEL_CROSSING_BUDGET;
	}
}

gelCrossings gelFindCrossings( const gelSurfaceTree* tree, int threads )
{
	GEL_ASSERT( threads > 0 );
	// All over the surface in turns, so that a search that ends early has been everywhere.
	enum
	{
		turns = 16
	};
	const gelBox3d* box = &tree->surface->box;
	CrossSearch search = { .tree = tree, .found.complete = true };
	search.size = gelLengthD( gelSubD( box->max, box->min ) );
	uint32_t leaves[GEL_LEAVES_AT_ONCE], count = 0;
	for ( uint32_t turn = 0; turn < turns && search.found.complete; ++turn )
	{
		for ( uint32_t at = turn; at < tree->nodeCount && search.found.complete; at += turns )
		{
			if ( tree->nodes[at].count == 0 ) continue;
			leaves[count++] = at;
			if ( count < GEL_LEAVES_AT_ONCE ) continue;
			SearchLeaves( &search, leaves, count, threads );
			count = 0;
		}
	}
	SearchLeaves( &search, leaves, count, threads );
	return search.found;
}
