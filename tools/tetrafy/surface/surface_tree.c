// SPDX-License-Identifier: MIT
// Sorted along the Morton curve and split where the keys split, which takes no search for good planes:
// building is linear but for the sort. Splits at planes of space instead of medians save a third of the
// visits of a sweep.
#include "tetrafy/surface/surface_tree.h"

#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/geometry/tri_box.h"
#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

// Slots or nodes that one task takes: some tens of microseconds of work. Tasks run on whatever threads of the
// caller have nothing else to do; each writes to places of its own, so the tree is the same for any number.
#define GEL_TASK_ITEMS 4096

typedef struct SortItem
{
	uint64_t key;
	uint32_t tri;
} SortItem;

// Spreads the low 16 bits of x to every third bit.
static uint64_t SpreadBits( uint64_t x )
{
	x &= 0xFFFF;
	x = ( x | x << 16 ) & UINT64_C( 0x0000FF0000FF );
	x = ( x | x << 8 ) & UINT64_C( 0x00F00F00F00F );
	x = ( x | x << 4 ) & UINT64_C( 0x0C30C30C30C3 );
	return ( x | x << 2 ) & UINT64_C( 0x249249249249 );
}

// 16 bits per axis, z in the highest place of each triple; one scale for all axes, so that cells of the curve
// are cubes.
static uint64_t MortonKey( const gelBox3d* box, gelVec3d p )
{
	gelVec3d size = gelSubD( box->max, box->min );
	double scale = 65535.0 / gelMaxDouble( gelMaxDouble( size.x, size.y ), gelMaxDouble( size.z, 1e-300 ) );
	gelVec3d q = gelScaleD( scale, gelSubD( p, box->min ) );
	return SpreadBits( (uint64_t)q.x ) | SpreadBits( (uint64_t)q.y ) << 1 | SpreadBits( (uint64_t)q.z ) << 2;
}

// Stable, so that equal keys keep the order of the file. Four passes of twelve bits: the result is in items
// again.
static void RadixSort( SortItem* items, SortItem* scratch, uint32_t count )
{
	uint32_t starts[4][4096] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
		for ( int pass = 0; pass < 4; ++pass )
			starts[pass][items[i].key >> 12 * pass & 4095] += 1;
	for ( int pass = 0; pass < 4; ++pass )
	{
		uint32_t at = 0;
		for ( int digit = 0; digit < 4096; ++digit )
		{
			uint32_t size = starts[pass][digit];
			starts[pass][digit] = at;
			at += size;
		}
		for ( uint32_t i = 0; i < count; ++i )
			scratch[starts[pass][items[i].key >> 12 * pass & 4095]++] = items[i];
		SortItem* other = items;
		items = scratch;
		scratch = other;
	}
}

static SortItem* SortSlots( const gelSurface* surface )
{
	SortItem* items = gelTetGrow( NULL, surface->triCount, sizeof( SortItem ) );
	SortItem* scratch = gelTetGrow( NULL, surface->triCount, sizeof( SortItem ) );
#pragma omp taskloop grainsize( GEL_TASK_ITEMS )
	for ( uint32_t i = 0; i < surface->triCount; ++i )
	{
		const uint32_t* t = surface->tris + 3 * (size_t)i;
		gelVec3d sum = gelAddD( surface->points[t[0]], surface->points[t[1]] );
		gelVec3d middle = gelScaleD( 1.0 / 3.0, gelAddD( sum, surface->points[t[2]] ) );
		middle = gelMinVec3d( gelMaxVec3d( middle, surface->box.min ), surface->box.max );
		items[i] = ( SortItem ){ MortonKey( &surface->box, middle ), i };
	}
	RadixSort( items, scratch, surface->triCount );
	free( scratch );
	return items;
}

static void FillSlots( gelSurfaceTree* tree, const SortItem* items )
{
	const gelSurface* surface = tree->surface;
#pragma omp taskloop grainsize( GEL_TASK_ITEMS )
	for ( uint32_t i = 0; i < tree->slotCount; ++i )
	{
		const uint32_t* t = surface->tris + 3 * (size_t)items[i].tri;
		tree->slotToTri[i] = items[i].tri;
		for ( int k = 0; k < 3; ++k )
			tree->corners[3 * (size_t)i + k] = surface->points[t[k]];
	}
}

// Where a run of sorted keys falls into two: at the change of their highest differing bit, which is a plane
// in space; equal keys are halved. (Lauterbach et al. 2009, "Fast BVH construction on GPUs")
static uint32_t SplitRun( const SortItem* items, uint32_t first, uint32_t end )
{
	GEL_ASSERT( first < end );
	uint64_t difference = items[first].key ^ items[end - 1].key;
	if ( difference == 0 ) return first + ( end - first ) / 2;
	int bit = 63;
	while ( ( difference >> bit & 1 ) == 0 )
		bit -= 1;
	uint32_t low = first, high = end - 1; // the bit is 0 at low and 1 at high
	while ( high - low > 1 )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( items[middle].key >> bit & 1 )
			high = middle;
		else
			low = middle;
	}
	return high;
}

// Lays out the subtree over slots [first, end) from a node on and returns the node after it; the boxes come
// later. The depth is bounded by the bits of a key plus the halvings of equal ones.
static uint32_t PlaceNodes(
	gelSurfaceTree* tree, const SortItem* items, uint32_t at, uint32_t first, uint32_t end )
{
	GEL_ASSERT( first < end );
	// Left children follow their parent at once, right ones behind the whole left subtree; "skip" of the left
	// child is the right one.
	//
	//     preorder:  node | left subtree ......... | right subtree ......... | next
	//                 ^at   ^at + 1                  ^nodes[at + 1].skip        ^nodes[at].skip
	gelTreeNode* node = tree->nodes + at;
	if ( end - first <= GEL_LEAF_TRIANGLES )
	{
		*node = ( gelTreeNode ){ .skip = at + 1, .first = first, .count = end - first };
		return node->skip;
	}
	uint32_t split = SplitRun( items, first, end );
	uint32_t right = PlaceNodes( tree, items, at + 1, first, split );
	*node = ( gelTreeNode ){ .skip = PlaceNodes( tree, items, right, split, end ) };
	return node->skip;
}

static double FarthestCorner( const gelBox3d* box, gelVec3d p )
{
	gelVec3d far = { gelMaxDouble( p.x - box->min.x, box->max.x - p.x ),
		gelMaxDouble( p.y - box->min.y, box->max.y - p.y ),
		gelMaxDouble( p.z - box->min.z, box->max.z - p.z ) };
	return gelLengthD( far );
}

// The box and the dipole of a node whose children have theirs.
static void MeasureNode( gelSurfaceTree* tree, double* areas, uint32_t at )
{
	gelTreeNode* node = tree->nodes + at;
	gelTreeDipole* dipole = tree->dipoles + at;
	gelVec3d middle = { 0 };
	node->box = gelBox3d_Empty();
	dipole->areaVector = ( gelVec3d ){ 0 };
	areas[at] = 0.0;
	if ( node->count == 0 )
	{
		uint32_t left = at + 1, right = tree->nodes[left].skip;
		gelBox3d_AddBox( &node->box, &tree->nodes[left].box );
		gelBox3d_AddBox( &node->box, &tree->nodes[right].box );
		dipole->areaVector = gelAddD( tree->dipoles[left].areaVector, tree->dipoles[right].areaVector );
		areas[at] = areas[left] + areas[right];
		middle = gelAddD( gelScaleD( areas[left], tree->dipoles[left].center ),
			gelScaleD( areas[right], tree->dipoles[right].center ) );
	}
	for ( uint32_t i = node->first; i < node->first + node->count; ++i )
	{
		const gelVec3d* c = tree->corners + 3 * (size_t)i;
		gelVec3d cross = gelCrossD( gelSubD( c[1], c[0] ), gelSubD( c[2], c[0] ) );
		double area = 0.5 * gelLengthD( cross );
		gelVec3d sum = gelAddD( c[0], gelAddD( c[1], c[2] ) );
		for ( int k = 0; k < 3; ++k )
			gelBox3d_AddPoint( &node->box, c[k] );
		dipole->areaVector = gelMulAddD( dipole->areaVector, 0.5, cross );
		areas[at] += area;
		middle = gelMulAddD( middle, area / 3.0, sum );
	}
	gelVec3d boxCenter = gelScaleD( 0.5, gelAddD( node->box.min, node->box.max ) );
	dipole->center = areas[at] > 0.0 ? gelScaleD( 1.0 / areas[at], middle ) : boxCenter;
	// Radius around the box, not around the points: an upper bound is enough, and boxes need no second walk.
	dipole->radius = FarthestCorner( &node->box, dipole->center );
}

// Bottom up: children stand behind their parent, so a walk from the end has them ready.
static void MeasureSubtree( gelSurfaceTree* tree, double* areas, uint32_t at )
{
	uint32_t end = tree->nodes[at].skip;
	if ( end - at <= GEL_TASK_ITEMS )
	{
		while ( end-- > at )
			MeasureNode( tree, areas, end );
		return;
	}
#pragma omp task
	MeasureSubtree( tree, areas, at + 1 );
	MeasureSubtree( tree, areas, tree->nodes[at + 1].skip );
#pragma omp taskwait
	MeasureNode( tree, areas, at );
}

static void MarkFirstUses( gelSurfaceTree* tree, const SortItem* items )
{
	const gelSurface* surface = tree->surface;
	uint8_t* seen = gelTetAlloc( surface->pointCount, 1 );
	for ( uint32_t i = 0; i < tree->slotCount; ++i )
	{
		uint32_t tri = items[i].tri;
		const uint32_t* t = surface->tris + 3 * (size_t)tri;
		for ( int k = 0; k < 3; ++k )
		{
			// In a closed surface every edge comes as often one way as the other: take the upward one.
			bool takeEdge = !surface->closed || tri >= surface->edgedCount || t[k] < t[( k + 1 ) % 3];
			tree->firstUses[i] |= (uint8_t)( ( seen[t[k]] == 0 ) << k | takeEdge << ( 3 + k ) );
			seen[t[k]] = 1;
		}
	}
	free( seen );
}

gelSurfaceTree gelMakeSurfaceTree( const gelSurface* surface )
{
	gelSurfaceTree tree = { .surface = surface, .slotCount = surface->triCount };
	// Not cleared: fewer than half of the nodes are used as a rule, and the tasks touch their parts first.
	tree.nodes = gelTetGrow( NULL, 2 * (size_t)tree.slotCount, sizeof( gelTreeNode ) );
	tree.corners = gelTetGrow( NULL, 3 * (size_t)tree.slotCount, sizeof( gelVec3d ) );
	tree.slotToTri = gelTetGrow( NULL, tree.slotCount, sizeof( uint32_t ) );
	tree.firstUses = gelTetAlloc( tree.slotCount, 1 );
	SortItem* items = SortSlots( surface );
// Layout needs the sorted keys only, so it runs beside the copying of corners; measuring needs both.
#pragma omp task shared( tree )
	MarkFirstUses( &tree, items );
#pragma omp task shared( tree )
	tree.nodeCount = PlaceNodes( &tree, items, 0, 0, tree.slotCount );
	FillSlots( &tree, items );
#pragma omp taskwait
	free( items );
	tree.nodes = gelTetGrow( tree.nodes, tree.nodeCount, sizeof( gelTreeNode ) );
	tree.dipoles = gelTetGrow( NULL, tree.nodeCount, sizeof( gelTreeDipole ) );
	double* areas = gelTetGrow( NULL, tree.nodeCount, sizeof( double ) );
	MeasureSubtree( &tree, areas, 0 );
	free( areas );
	return tree;
}

void gelFreeSurfaceTree( gelSurfaceTree* tree )
{
	free( tree->nodes );
	free( tree->dipoles );
	free( tree->corners );
	free( tree->slotToTri );
	free( tree->firstUses );
	*tree = ( gelSurfaceTree ){ 0 };
}

bool gelSurfaceTree_MeetsTriangle( const gelSurfaceTree* tree, const gelVec3d face[3], uint32_t* outTri )
{
	gelTriangleFrame frame = gelMakeTriangleFrame( face );
	for ( uint32_t at = 0; at < tree->nodeCount; )
	{
		const gelTreeNode* node = tree->nodes + at;
		bool isMissed = !gelTriangleMayMeetBox( &frame, &node->box );
		at = isMissed ? node->skip : at + 1;
		if ( isMissed ) continue;
		for ( uint32_t i = node->first; i < node->first + node->count; ++i )
		{
			if ( !gelTriangleMeetsTriangle( tree->corners + 3 * (size_t)i, face ) ) continue;
			if ( outTri != NULL ) *outTri = tree->slotToTri[i];
			return true;
		}
	}
	return false;
}

// @return false: no room
static bool AddToCut( const gelSurfaceTree* tree, uint32_t at, const gelBox3d* region, gelTreeCut* cut )
{
	if ( !gelBox3d_Overlaps( region, &tree->nodes[at].box ) ) return true;
	if ( cut->count == GEL_CUT_ROOTS ) return false;
	cut->roots[cut->count++] = at;
	return true;
}

// Level by level, as long as the next one has room for all nodes that the region reaches.
gelTreeCut gelSurfaceTree_Cut( const gelSurfaceTree* tree, const gelBox3d* region )
{
	gelTreeCut cut = { .count = 1 }; // the root of the tree
	for ( bool deeper = true; deeper; )
	{
		gelTreeCut next = { 0 };
		deeper = false;
		for ( uint32_t i = 0; i < cut.count; ++i )
		{
			uint32_t at = cut.roots[i];
			bool leaf = tree->nodes[at].count > 0;
			if ( !AddToCut( tree, leaf ? at : at + 1, region, &next ) ) return cut;
			if ( !leaf && !AddToCut( tree, tree->nodes[at + 1].skip, region, &next ) ) return cut;
			deeper = deeper || !leaf;
		}
		cut = next;
	}
	return cut;
}
