// SPDX-License-Identifier: MIT
#include "bake/surface/coarse_mesh.h"

#include "tetrafy/geometry/exact_orient.h"
#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

// Edges get no longer than this, in mean edges of the cage. Contact presses on the nodes of a cell only:
// without a limit a box of 12 triangles keeps a few nodes at its corners, and sags by a tenth of its height
// between them.
#define GEL_COARSE_LONGEST 3.5

#define MAX_PAIRS ( 3 * GEL_COARSE_STAR )

void gelCoarseList_Add( gelCoarseList* list, uint32_t item, gelBakePool* pool )
{
	if ( list->count == list->capacity )
	{
		list->capacity = list->capacity < 16 ? 16 : 2 * list->capacity;
		uint32_t* grown = gelBakePool_Alloc( pool, list->capacity, sizeof( uint32_t ) );
		if ( list->count > 0 ) memcpy( grown, list->items, list->count * sizeof( uint32_t ) );
		list->items = grown;
	}
	list->items[list->count++] = item;
}

static void RemoveItem( gelCoarseList* list, uint32_t item )
{
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		if ( list->items[i] != item ) list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

static bool Has( const uint32_t* nodes, int count, uint32_t node )
{
	bool has = false;
	for ( int k = 0; k < count; ++k )
		has = has || nodes[k] == node;
	return has;
}

static gelBox3d BoundFace( const gelCoarseMesh* mesh, const gelCoarseFace* face )
{
	gelBox3d box = gelBox3d_Empty();
	for ( int k = 0; k < 3; ++k )
		gelBox3d_AddPoint( &box, mesh->nodes[face->node[k]] );
	return box;
}

static void AddFace( gelCoarseMesh* mesh, const gelCoarseFace* face )
{
	GEL_ASSERT( mesh->faceCount <= mesh->faceCapacity );
	if ( mesh->faceCount == mesh->faceCapacity )
	{
		mesh->faceCapacity = mesh->faceCapacity < 64 ? 64 : 2 * mesh->faceCapacity;
		gelCoarseFace* faces = gelBakePool_Alloc( mesh->pool, mesh->faceCapacity, sizeof( gelCoarseFace ) );
		gelBox3d* boxes = gelBakePool_Alloc( mesh->pool, mesh->faceCapacity, sizeof( gelBox3d ) );
		if ( mesh->faceCount > 0 )
		{
			memcpy( faces, mesh->faces, mesh->faceCount * sizeof( gelCoarseFace ) );
			memcpy( boxes, mesh->faceBoxes, mesh->faceCount * sizeof( gelBox3d ) );
		}
		mesh->faces = faces;
		mesh->faceBoxes = boxes;
	}
	mesh->faceBoxes[mesh->faceCount] = BoundFace( mesh, face );
	mesh->faces[mesh->faceCount++] = *face;
}

// Mean length of the edges of all tets [m].
static double MeasureEdges( const gelCdgCage* cage )
{
	double sum = 0.0;
	for ( uint32_t i = 0; i < 6 * cage->tetCount; ++i )
	{
		const uint32_t* n = cage->tets[i / 6].node;
		sum += gelLengthD(
			gelSubD( cage->nodes[n[GEL_CELL_EDGE[i % 6][0]]], cage->nodes[n[GEL_CELL_EDGE[i % 6][1]]] ) );
	}
	return sum / ( 6.0 * (double)cage->tetCount );
}

gelCoarseMesh gelMakeCoarseMesh( const gelCdgCage* cage, gelBakePool* pool )
{
	gelCoarseMesh mesh = { .nodes = cage->nodes, .nodeCount = cage->nodeCount, .tetCount = cage->tetCount };
	mesh.pool = pool;
	mesh.tets = gelBakePool_Alloc( pool, cage->tetCount, sizeof( gelPackTet ) );
	mesh.alive = gelBakePool_Alloc( pool, cage->tetCount, sizeof( bool ) );
	mesh.around = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( gelCoarseList ) );
	memcpy( mesh.tets, cage->tets, cage->tetCount * sizeof( gelPackTet ) );
	for ( uint32_t i = 0; i < 4 * cage->tetCount; ++i )
	{
		mesh.alive[i / 4] = true;
		gelCoarseList_Add( mesh.around + cage->tets[i / 4].node[i % 4], i / 4, pool );
		if ( cage->neighbors[i] != GEL_NO_INDEX ) continue;
		gelCoarseFace face;
		for ( int k = 0; k < 3; ++k )
			face.node[k] = cage->tets[i / 4].node[GEL_CELL_FACE[i % 4][k]];
		AddFace( &mesh, &face );
	}
	mesh.longestEdge = GEL_COARSE_LONGEST * MeasureEdges( cage );
	return mesh;
}

// 1 for a regular tet; negative: not positive, exactly.
static double Quality( const gelVec3d* x, const uint32_t n[4] )
{
	if ( gelOrient3d( x[n[0]], x[n[1]], x[n[2]], x[n[3]] ) <= 0 ) return -1.0;
	double longest = 0.0;
	for ( int i = 0; i < 6; ++i )
	{
		gelVec3d d = gelSubD( x[n[GEL_CELL_EDGE[i][0]]], x[n[GEL_CELL_EDGE[i][1]]] );
		longest = gelMaxDouble( longest, gelDotD( d, d ) );
	}
	gelVec3d u = gelSubD( x[n[1]], x[n[0]] ), v = gelSubD( x[n[2]], x[n[0]] );
	gelVec3d w = gelSubD( x[n[3]], x[n[0]] );
	return 1.4142135623730951 * gelDotD( u, gelCrossD( v, w ) ) / ( longest * sqrt( longest ) );
}

static bool IsTooLong( const gelCoarseMesh* mesh, const gelPackTet* tet, uint32_t to )
{
	double longest = 0.0;
	for ( int k = 0; k < 4; ++k )
	{
		longest =
			gelMaxDouble( longest, gelLengthD( gelSubD( mesh->nodes[tet->node[k]], mesh->nodes[to] ) ) );
	}
	return longest > mesh->longestEdge;
}

// A face at `to`, by its other two nodes.
typedef struct Pair
{
	uint32_t low, high;
	gelCoarseFace face;
} Pair;

static int ComparePairs( const void* left, const void* right )
{
	const Pair *a = left, *b = right;
	if ( a->low != b->low ) return a->low < b->low ? -1 : 1;
	return a->high < b->high ? -1 : a->high > b->high;
}

static uint32_t AddPairs( Pair* pairs, uint32_t count, const uint32_t n[4], uint32_t to )
{
	for ( int f = 0; f < 4; ++f )
	{
		if ( n[f] == to ) continue;
		const uint8_t* c = GEL_CELL_FACE[f];
		Pair* pair = pairs + count++;
		pair->face = ( gelCoarseFace ){ { n[c[0]], n[c[1]], n[c[2]] } };
		int at = n[c[0]] == to ? 0 : n[c[1]] == to ? 1 : 2;
		uint32_t a = n[c[( at + 1 ) % 3]], b = n[c[( at + 2 ) % 3]];
		pair->low = a < b ? a : b;
		pair->high = a < b ? b : a;
	}
	return count;
}

// How many tets at `to` have its face (to, low, high).
static uint32_t CountSame( const Pair* pairs, uint32_t first, uint32_t count )
{
	uint32_t end = first + 1;
	while ( end < count && ComparePairs( pairs + first, pairs + end ) == 0 )
		++end;
	return end - first;
}

static uint32_t CountOf( const Pair* pairs, uint32_t count, const Pair* wanted )
{
	const Pair* found = bsearch( wanted, pairs, count, sizeof( Pair ), ComparePairs );
	if ( found == NULL ) return 0;
	uint32_t first = (uint32_t)( found - pairs );
	while ( first > 0 && ComparePairs( pairs + first - 1, wanted ) == 0 )
		--first;
	return CountSame( pairs, first, count );
}

static bool PlanFaces( const gelCoarseMesh* mesh, gelCoarseMove* move )
{
	Pair before[MAX_PAIRS], after[MAX_PAIRS];
	uint32_t beforeCount = 0, afterCount = 0;
	const gelCoarseList* around = mesh->around + move->to;
	if ( around->count + move->keptCount > GEL_COARSE_STAR ) return false;
	for ( uint32_t i = 0; i < around->count; ++i )
	{
		const uint32_t* n = mesh->tets[around->items[i]].node;
		beforeCount = AddPairs( before, beforeCount, n, move->to );
		if ( !Has( n, 4, move->node ) ) afterCount = AddPairs( after, afterCount, n, move->to );
	}
	for ( uint32_t i = 0; i < move->keptCount; ++i )
		afterCount = AddPairs( after, afterCount, move->kept[i].node, move->to );
	qsort( before, beforeCount, sizeof( Pair ), ComparePairs );
	qsort( after, afterCount, sizeof( Pair ), ComparePairs );
	move->bareCount = move->freshCount = 0;
	for ( uint32_t i = 0, same = 0; i < afterCount; i += same )
	{
		same = CountSame( after, i, afterCount );
		if ( same > 2 ) return false;
		uint32_t old = CountOf( before, beforeCount, after + i );
		if ( same == 1 && old != 1 )
		{
			if ( move->bareCount == GEL_COARSE_STAR ) return false;
			move->bare[move->bareCount++] = after[i].face;
		}
		if ( same == 2 && old == 0 )
		{
			move->fresh[move->freshCount][0] = after[i].low;
			move->fresh[move->freshCount++][1] = after[i].high;
		}
	}
	return afterCount > 0;
}

bool gelPlanCoarseMove(
	const gelCoarseMesh* mesh, uint32_t node, uint32_t to, double leastQuality, gelCoarseMove* out )
{
	GEL_ASSERT( node != to && node < mesh->nodeCount && to < mesh->nodeCount );
	const gelCoarseList* around = mesh->around + node;
	if ( around->count > GEL_COARSE_STAR ) return false;
	out->node = node;
	out->to = to;
	out->keptCount = 0;
	double worst = INFINITY, worstBefore = INFINITY;
	for ( uint32_t i = 0; i < around->count; ++i )
	{
		gelPackTet tet = mesh->tets[around->items[i]];
		worstBefore = gelMinDouble( worstBefore, Quality( mesh->nodes, tet.node ) );
		if ( Has( tet.node, 4, to ) ) continue;
		for ( int k = 0; k < 4; ++k )
		{
			if ( tet.node[k] == node ) tet.node[k] = to;
		}
		worst = gelMinDouble( worst, Quality( mesh->nodes, tet.node ) );
		if ( worst <= 0.0 || IsTooLong( mesh, &tet, to ) ) return false;
		out->keptTet[out->keptCount] = around->items[i];
		out->kept[out->keptCount++] = tet;
	}
	return worst >= gelMinDouble( leastQuality, worstBefore ) && PlanFaces( mesh, out );
}

static void GetCorners( const gelCoarseMesh* mesh, const gelCoarseFace* face, gelVec3d out[3] )
{
	for ( int k = 0; k < 3; ++k )
		out[k] = mesh->nodes[face->node[k]];
}

// Two faces with one common node meet elsewhere if and only if the far edge of one meets the other: what is
// common to them ends there, seen from the node.
static bool FarEdgeMeets( const gelVec3d* x, const gelCoarseFace* a, const gelCoarseFace* b )
{
	int k = 0;
	while ( !Has( b->node, 3, a->node[k] ) )
		++k;
	const gelVec3d p = x[a->node[( k + 1 ) % 3]], q = x[a->node[( k + 2 ) % 3]];
	const gelVec3d edge[3] = { p, q, q }, face[3] = { x[b->node[0]], x[b->node[1]], x[b->node[2]] };
	return gelTriangleMeetsTriangle( edge, face );
}

// Two faces with a common edge meet elsewhere only when one is folded onto the other.
static bool IsFolded( const gelVec3d* x, const gelCoarseFace* a, const gelCoarseFace* b )
{
	int i = 0, j = 0;
	while ( Has( b->node, 3, a->node[i] ) )
		++i;
	while ( Has( a->node, 3, b->node[j] ) )
		++j;
	gelVec3d p = x[a->node[( i + 1 ) % 3]], q = x[a->node[( i + 2 ) % 3]], u = x[a->node[i]],
			 v = x[b->node[j]];
	if ( gelOrient3d( p, q, u, v ) != 0 ) return false;
	for ( int axis = 0; axis < 3; ++axis )
	{
		int side = gelOrient2d( p, q, u, axis );
		if ( side != 0 ) return gelOrient2d( p, q, v, axis ) == side;
	}
	return true;
}

static bool FacesMeet( const gelCoarseMesh* mesh, const gelCoarseFace* a, const gelCoarseFace* b )
{
	int common = 0;
	for ( int k = 0; k < 3; ++k )
		common += Has( b->node, 3, a->node[k] );
	if ( common == 1 ) return FarEdgeMeets( mesh->nodes, a, b ) || FarEdgeMeets( mesh->nodes, b, a );
	if ( common == 2 ) return IsFolded( mesh->nodes, a, b );
	if ( common == 3 ) return true;
	gelVec3d s[3], f[3];
	GetCorners( mesh, a, s );
	GetCorners( mesh, b, f );
	return gelTriangleMeetsTriangle( s, f );
}

// Is a face of the outside at `to` no more there after the move?
static bool IsCovered( const gelCoarseMove* move, const gelCoarseFace* face, const gelCoarseMesh* mesh )
{
	if ( Has( face->node, 3, move->node ) ) return true;
	if ( !Has( face->node, 3, move->to ) ) return false;
	// it was the face of one tet: gone when that vanishes, inner when a kept tet comes to lie on it
	uint32_t count = 0;
	const gelCoarseList* around = mesh->around + move->to;
	for ( uint32_t i = 0; i < around->count + move->keptCount; ++i )
	{
		const uint32_t* n =
			i < around->count ? mesh->tets[around->items[i]].node : move->kept[i - around->count].node;
		if ( Has( n, 4, move->node ) ) continue;
		count += Has( n, 4, face->node[0] ) && Has( n, 4, face->node[1] ) && Has( n, 4, face->node[2] );
	}
	return count != 1;
}

// A part of the cage that lies apart may be swept over whole: then no faces cross, but tets overlap.
static bool Swallows( const gelCoarseMesh* mesh, const gelCoarseMove* move, uint32_t node )
{
	for ( uint32_t i = 0; i < move->keptCount; ++i )
	{
		const uint32_t* n = move->kept[i].node;
		if ( Has( n, 4, node ) ) return false;
		gelVec3d tet[4];
		for ( int k = 0; k < 4; ++k )
			tet[k] = mesh->nodes[n[k]];
		if ( gelPointInTet( mesh->nodes[node], tet ) >= 0 ) return true;
	}
	return false;
}

bool gelCoarseMove_KeepsOutside( const gelCoarseMesh* mesh, const gelCoarseMove* move )
{
	gelBox3d boxes[GEL_COARSE_STAR], all = gelBox3d_Empty();
	for ( uint32_t i = 0; i < 4 * move->keptCount; ++i )
		gelBox3d_AddPoint( &all, mesh->nodes[move->kept[i / 4].node[i % 4]] );
	for ( uint32_t i = 0; i < move->bareCount; ++i )
	{
		boxes[i] = BoundFace( mesh, move->bare + i );
		for ( uint32_t j = 0; j < i; ++j )
		{
			if ( gelBox3d_Overlaps( boxes + i, boxes + j ) &&
				FacesMeet( mesh, move->bare + i, move->bare + j ) )
				return false;
		}
	}
	for ( uint32_t f = 0; f < mesh->faceCount && move->bareCount > 0; ++f )
	{
		if ( !gelBox3d_Overlaps( &all, mesh->faceBoxes + f ) || IsCovered( move, mesh->faces + f, mesh ) )
			continue;
		if ( Swallows( mesh, move, mesh->faces[f].node[0] ) ) return false;
		for ( uint32_t i = 0; i < move->bareCount; ++i )
		{
			if ( gelBox3d_Overlaps( boxes + i, mesh->faceBoxes + f ) &&
				FacesMeet( mesh, move->bare + i, mesh->faces + f ) )
				return false;
		}
	}
	return true;
}

void gelMakeCoarseMove( gelCoarseMesh* mesh, const gelCoarseMove* move )
{
	GEL_ASSERT( move->keptCount <= GEL_COARSE_STAR && move->bareCount <= GEL_COARSE_STAR );
	uint32_t kept = 0;
	for ( uint32_t f = 0; f < mesh->faceCount; ++f )
	{
		if ( IsCovered( move, mesh->faces + f, mesh ) ) continue;
		mesh->faceBoxes[kept] = mesh->faceBoxes[f];
		mesh->faces[kept++] = mesh->faces[f];
	}
	mesh->faceCount = kept;
	for ( uint32_t i = 0; i < move->bareCount; ++i )
		AddFace( mesh, move->bare + i );
	gelCoarseList* around = mesh->around + move->node;
	for ( uint32_t i = 0; i < around->count; ++i )
	{
		gelPackTet* tet = mesh->tets + around->items[i];
		if ( !Has( tet->node, 4, move->to ) ) continue;
		mesh->alive[around->items[i]] = false;
		for ( int k = 0; k < 4; ++k )
		{
			if ( tet->node[k] != move->node ) RemoveItem( mesh->around + tet->node[k], around->items[i] );
		}
	}
	for ( uint32_t i = 0; i < move->keptCount; ++i )
	{
		mesh->tets[move->keptTet[i]] = move->kept[i];
		gelCoarseList_Add( mesh->around + move->to, move->keptTet[i], mesh->pool );
	}
	around->count = 0;
}

uint32_t gelCoarseMesh_Neighbors( const gelCoarseMesh* mesh, uint32_t node, uint32_t* out, uint32_t capacity )
{
	GEL_ASSERT( node < mesh->nodeCount && capacity > 0 );
	uint32_t count = 0;
	const gelCoarseList* around = mesh->around + node;
	for ( uint32_t i = 0; i < 4 * around->count; ++i )
	{
		uint32_t n = mesh->tets[around->items[i / 4]].node[i % 4], at = 0;
		if ( n == node ) continue;
		while ( at < count && out[at] < n )
			++at;
		if ( ( at < count && out[at] == n ) || count == capacity ) continue;
		memmove( out + at + 1, out + at, ( count - at ) * sizeof( uint32_t ) );
		out[at] = n;
		count += 1;
	}
	return count;
}
