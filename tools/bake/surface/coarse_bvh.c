// SPDX-License-Identifier: MIT
// The tree over the cells of a body. Its topology is found once, from boxes at rest; the boxes themselves are
// refitted by the runtime as the body moves. A pair of clusters is rated by the volume of the box around
// both. For few cells the best pair is merged again and again, each cluster remembering its best partner;
// beyond that the cells are divided at the median.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

#define GEL_BVH_BOTTOM_UP_LIMIT 2000u

// A tree while it is built: leaves are 0 .. count - 1, inner nodes follow.
typedef struct Draft
{
	uint32_t left, right; // children of inner nodes
} Draft;

// Volume of the box around two boxes at rest [m^3]. The runtime bounds cells by 14 directions; their volume
// would order the pairs hardly differently (Civit-Flores 5.4.4 merges by the same measure).
static double Volume( const gelBox3d* a, const gelBox3d* b )
{
	gelBox3d box = *a;
	gelBox3d_AddBox( &box, b );
	return ( box.max.x - box.min.x ) * ( box.max.y - box.min.y ) * ( box.max.z - box.min.z );
}

// Depth first, so that a walk down the left side reads memory in order. @return levels
static uint32_t Flatten(
	const Draft* drafts, uint32_t leafCount, uint32_t root, gelPackBvhNode* out, gelBakePool* pool )
{
	typedef struct Entry
	{
		uint32_t draft, parent, level; // parent: 2 * node + side
	} Entry;
	Entry* stack = gelBakePool_Alloc( pool, (size_t)leafCount + 1, sizeof( Entry ) );
	uint32_t top = 0, count = 0, depth = 0;
	stack[top++] = ( Entry ){ root, GEL_NO_INDEX, 1 };
	while ( top > 0 )
	{
		Entry entry = stack[--top];
		uint32_t index = count++;
		depth = entry.level > depth ? entry.level : depth;
		if ( entry.parent != GEL_NO_INDEX )
		{
			gelPackBvhNode* parent = out + entry.parent / 2;
			*( entry.parent % 2 == 0 ? &parent->left : &parent->right ) = index;
		}
		if ( entry.draft < leafCount )
		{
			out[index] = ( gelPackBvhNode ){ GEL_CDG_NIL, entry.draft };
			continue;
		}
		const Draft* draft = drafts + entry.draft;
		stack[top++] = ( Entry ){ draft->right, 2 * index + 1, entry.level + 1 };
		stack[top++] = ( Entry ){ draft->left, 2 * index, entry.level + 1 };
	}
	return depth;
}

// ---- bottom-up -----------------------------------------------------------------------------------------

typedef struct Cluster
{
	gelBox3d box;
	uint32_t draft;   // index in the draft of the tree
	uint32_t lowest;  // leaf, to break ties
	uint32_t partner; // best one among the clusters behind this one
	double volume;    // volume of the box with it [m^3]
} Cluster;

// Best partner of a cluster among those with a higher lowest leaf. Keeping it makes merging O(n^2) in
// practice; comparing all pairs anew each time, as in the thesis, would be O(n^3).
static void FindPartner( Cluster* clusters, uint32_t count, uint32_t i )
{
	Cluster* c = clusters + i;
	c->volume = INFINITY;
	c->partner = GEL_NO_INDEX;
	for ( uint32_t j = 0; j < count; ++j )
	{
		if ( clusters[j].lowest <= c->lowest ) continue; // each pair once: by the lower leaf
		double volume = Volume( &c->box, &clusters[j].box );
		bool better = c->partner == GEL_NO_INDEX || volume < c->volume ||
			( volume == c->volume && clusters[j].lowest < clusters[c->partner].lowest );
		if ( !better ) continue;
		c->volume = volume;
		c->partner = j;
	}
}

static uint32_t FindBestCluster( const Cluster* clusters, uint32_t count )
{
	uint32_t best = GEL_NO_INDEX;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( clusters[i].partner == GEL_NO_INDEX ) continue;
		bool better = best == GEL_NO_INDEX || clusters[i].volume < clusters[best].volume ||
			( clusters[i].volume == clusters[best].volume && clusters[i].lowest < clusters[best].lowest );
		if ( better ) best = i;
	}
	return best;
}

// Merges cluster i with its partner j, which leaves; the last cluster takes its place.
static uint32_t MergeClusters( Cluster* clusters, uint32_t count, uint32_t i, Draft* drafts, uint32_t draft )
{
	GEL_ASSERT( i < count && count > 1 );
	uint32_t j = clusters[i].partner, last = count - 1;
	drafts[draft] = ( Draft ){ clusters[i].draft, clusters[j].draft };
	gelBox3d_AddBox( &clusters[i].box, &clusters[j].box );
	clusters[i].draft = draft;
	clusters[j] = clusters[last];
	uint32_t merged = i == last ? j : i;
	for ( uint32_t k = 0; k < last; ++k )
	{
		Cluster* c = clusters + k;
		bool stale = k == merged || c->partner == i || c->partner == j;
		if ( c->partner == last && !stale ) c->partner = j;
		if ( stale ) c->partner = last; // marked: found again below
	}
	// For the others the merged box is no better than its parts were, and those were not chosen.
	for ( uint32_t k = 0; k < last; ++k )
	{
		if ( clusters[k].partner == last ) FindPartner( clusters, last, k );
	}
	return last;
}

// The two ways to build it. Bottom-up gives a better tree in more than linear time.
static gelPackBvhNode* BuildBottomUp( const gelBox3d* boxes, uint32_t count, gelBakePool* pool )
{
	GEL_ASSERT( count > 0 );
	gelBakePool scratch = { NULL };
	Draft* drafts = gelBakePool_Alloc( &scratch, 2 * (size_t)count, sizeof( Draft ) );
	Cluster* clusters = gelBakePool_Alloc( &scratch, count, sizeof( Cluster ) );
	for ( uint32_t i = 0; i < count; ++i )
		clusters[i] = ( Cluster ){ .box = boxes[i], .draft = i, .lowest = i };
	for ( uint32_t i = 0; i < count; ++i )
		FindPartner( clusters, count, i );
	uint32_t left = count, draft = count;
	while ( left > 1 )
		left = MergeClusters( clusters, left, FindBestCluster( clusters, left ), drafts, draft++ );
	gelPackBvhNode* nodes = gelBakePool_Alloc( pool, 2 * (size_t)count - 1, sizeof( gelPackBvhNode ) );
	uint32_t depth = Flatten( drafts, count, clusters[0].draft, nodes, &scratch );
	gelFreeBakePool( &scratch );
	return depth <= GEL_CDG_MAX_DEPTH ? nodes : NULL;
}

// ---- top-down ------------------------------------------------------------------------------------------

typedef struct Item
{
	double middle;
	uint32_t leaf;
} Item;

static int CompareItems( const void* left, const void* right )
{
	const Item *a = left, *b = right;
	if ( a->middle != b->middle ) return a->middle < b->middle ? -1 : 1;
	return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

static double GetMiddle( const gelBox3d* box, int axis )
{
	return axis == 0 ? box->min.x + box->max.x
		: axis == 1  ? box->min.y + box->max.y
					 : box->min.z + box->max.z;
}

// Along the longest side of the range, by the middles of the boxes; leaves break ties.
static void SortRange( const gelBox3d* boxes, Item* items, uint32_t count )
{
	gelBox3d all = gelBox3d_Empty();
	for ( uint32_t i = 0; i < count; ++i )
		gelBox3d_AddBox( &all, boxes + items[i].leaf );
	double x = all.max.x - all.min.x, y = all.max.y - all.min.y, z = all.max.z - all.min.z;
	int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
	for ( uint32_t i = 0; i < count; ++i )
		items[i].middle = GetMiddle( boxes + items[i].leaf, axis );
	qsort( items, count, sizeof( Item ), CompareItems );
}

// Halves of halves: the depth is the logarithm of the count. @return draft
static uint32_t Divide(
	const gelBox3d* boxes, Item* items, uint32_t count, Draft* drafts, uint32_t* draftCount )
{
	if ( count == 1 ) return items[0].leaf;
	SortRange( boxes, items, count );
	uint32_t half = count / 2;
	uint32_t left = Divide( boxes, items, half, drafts, draftCount );
	uint32_t right = Divide( boxes, items + half, count - half, drafts, draftCount );
	drafts[*draftCount] = ( Draft ){ left, right };
	return ( *draftCount )++;
}

static gelPackBvhNode* BuildTopDown( const gelBox3d* boxes, uint32_t count, gelBakePool* pool )
{
	GEL_ASSERT( count > 0 );
	gelBakePool scratch = { NULL };
	Draft* drafts = gelBakePool_Alloc( &scratch, 2 * (size_t)count, sizeof( Draft ) );
	Item* items = gelBakePool_Alloc( &scratch, count, sizeof( Item ) );
	for ( uint32_t i = 0; i < count; ++i )
		items[i].leaf = i;
	uint32_t draftCount = count, root = Divide( boxes, items, count, drafts, &draftCount );
	gelPackBvhNode* nodes = gelBakePool_Alloc( pool, 2 * (size_t)count - 1, sizeof( gelPackBvhNode ) );
	Flatten( drafts, count, root, nodes, &scratch );
	gelFreeBakePool( &scratch );
	return nodes;
}

gelPackBvhNode* gelBuildCoarseBvh( const gelBox3d* boxes, uint32_t count, gelBakePool* pool )
{
	GEL_ASSERT( count > 0 );
	gelPackBvhNode* nodes = NULL;
	if ( count <= GEL_BVH_BOTTOM_UP_LIMIT ) nodes = BuildBottomUp( boxes, count, pool );
	// a chain of cells that grow can be deeper than a pack allows
	return nodes != NULL ? nodes : BuildTopDown( boxes, count, pool );
}
