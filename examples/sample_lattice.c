// SPDX-License-Identifier: MIT
// Marching tetrahedra on a body centerd cubic lattice: nodes are the corners and the centers of cubes;
// two neighboring centers and an edge of the face between them make a tetrahedron, twelve for each
// cube. Any signs at the nodes give a closed 2-manifold, which marching cubes does not promise.
// Memory follows the surface, not the volume: nodes exist only in blocks that the surface may touch.
#include "sample_surface.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE  8 // cubes along an edge
#define BLOCK_NODES ( BLOCK_SIZE * BLOCK_SIZE * BLOCK_SIZE )

typedef struct Node
{
	int x, y, z;
	int kind; // 0: corner of a cube, 1: its center
} Node;

typedef struct EdgeSlot
{
	uint64_t low, high; // node keys plus 1; 0: free
	uint32_t point;
} EdgeSlot;

typedef struct Lattice
{
	gelField* field;
	gelSampleSurface* surface;
	double spacing; // [m]
	gelVec3d origin;
	int blocks[3];
	uint32_t* blockToSlot; // 1-based, 0: the surface is not there
	float* values;         // for each slot corners, then centers
	uint32_t slotCount;
	EdgeSlot* edges; // open addressing
	size_t edgeCapacity;
	bool outOfMemory;
} Lattice;

static gelVec3d NodePosition( const Lattice* lattice, Node n )
{
	double shift = n.kind == 1 ? 0.5 : 0.0;
	gelVec3d offset = gelMakeVec3d( n.x + shift, n.y + shift, n.z + shift );
	return gelMulAddD( lattice->origin, lattice->spacing, offset );
}

static size_t BlockIndex( const Lattice* lattice, int x, int y, int z )
{
	return ( (size_t)z * (size_t)lattice->blocks[1] + (size_t)y ) * (size_t)lattice->blocks[0] + (size_t)x;
}

// Place of a node in values, or SIZE_MAX where the surface is not near.
static size_t NodeIndex( const Lattice* lattice, Node n )
{
	int x = n.x / BLOCK_SIZE, y = n.y / BLOCK_SIZE, z = n.z / BLOCK_SIZE;
	if ( x >= lattice->blocks[0] || y >= lattice->blocks[1] || z >= lattice->blocks[2] ) return SIZE_MAX;
	uint32_t slot = lattice->blockToSlot[BlockIndex( lattice, x, y, z )];
	if ( slot == 0 ) return SIZE_MAX;
	// Corners and centers of a block are two runs of 512 floats, side by side.
	size_t inner =
		(size_t)( ( n.z % BLOCK_SIZE * BLOCK_SIZE + n.y % BLOCK_SIZE ) * BLOCK_SIZE + n.x % BLOCK_SIZE );
	return ( (size_t)( slot - 1 ) * 2 + (size_t)n.kind ) * BLOCK_NODES + inner;
}

// Marks the blocks that may hold an end of an edge through the surface.
static bool FindBlocks( Lattice* lattice )
{
	size_t count = (size_t)lattice->blocks[0] * (size_t)lattice->blocks[1] * (size_t)lattice->blocks[2];
	lattice->blockToSlot = calloc( count, sizeof( uint32_t ) );
	if ( lattice->blockToSlot == NULL ) return false;
	double size = BLOCK_SIZE * lattice->spacing;
	// Half of the diagonal of a block and one cube of border on all sides.
	double radius = 0.8661 * ( BLOCK_SIZE + 2 ) * lattice->spacing;
	for ( int z = 0; z < lattice->blocks[2]; ++z )
	{
		for ( int y = 0; y < lattice->blocks[1]; ++y )
		{
			for ( int x = 0; x < lattice->blocks[0]; ++x )
			{
				gelVec3d center =
					gelMulAddD( lattice->origin, size, gelMakeVec3d( x + 0.5, y + 0.5, z + 0.5 ) );
				if ( !gelField_IsClear( lattice->field, center, radius ) )
					lattice->blockToSlot[BlockIndex( lattice, x, y, z )] = ++lattice->slotCount;
			}
		}
	}
	return true;
}

// The nodes of one kind in an eighth of a block. Where its middle is far enough from the surface they all get
// the value there: only the sign is of interest.
static void EvaluateOctant( Lattice* lattice, Node first )
{
	const int half = BLOCK_SIZE / 2;
	Node middle = { first.x + half / 2, first.y + half / 2, first.z + half / 2, first.kind };
	double value = gelField_Evaluate( lattice->field, NodePosition( lattice, middle ) );
	// An edge may end two cubes away from the middle's last node.
	bool far = gelField_IsFar( lattice->field, value, 1.7321 * ( half / 2 + 2 ) * lattice->spacing );
	float* values = lattice->values + NodeIndex( lattice, first );
	for ( int i = 0; i < half * half * half; ++i )
	{
		int x = i % half, y = i / half % half, z = i / ( half * half );
		Node n = { first.x + x, first.y + y, first.z + z, first.kind };
		double own = far ? value : gelField_Evaluate( lattice->field, NodePosition( lattice, n ) );
		values[( z * BLOCK_SIZE + y ) * BLOCK_SIZE + x] = (float)own;
	}
}

static void EvaluateBlock( Lattice* lattice, int x, int y, int z )
{
	for ( int i = 0; i < 16; ++i )
	{
		int half = BLOCK_SIZE / 2;
		Node first = { x * BLOCK_SIZE + ( i & 1 ) * half, y * BLOCK_SIZE + ( i >> 1 & 1 ) * half,
			z * BLOCK_SIZE + ( i >> 2 & 1 ) * half, i >> 3 };
		EvaluateOctant( lattice, first );
	}
}

static uint32_t AddPoint( Lattice* lattice, gelVec3d p )
{
	gelSampleSurface* surface = lattice->surface;
	if ( !gelGrow( (void**)&surface->points, &surface->pointCapacity, (size_t)surface->pointCount + 1,
			 sizeof( gelVec3d ) ) )
		gelExitWithoutMemory( sizeof( gelVec3d ), "ask for fewer triangles" );
	surface->points[surface->pointCount] = p;
	return surface->pointCount++;
}

static void AddTriangle( Lattice* lattice, uint32_t a, uint32_t b, uint32_t c )
{
	GEL_ASSERT( a != b && b != c && c != a );
	gelSampleSurface* surface = lattice->surface;
	if ( !gelGrow( (void**)&surface->corners, &surface->triangleCapacity, (size_t)surface->triangleCount + 1,
			 3 * sizeof( uint32_t ) ) )
	{
		lattice->outOfMemory = true;
		return;
	}
	uint32_t* corners = surface->corners + 3 * (size_t)surface->triangleCount++;
	corners[0] = a;
	corners[1] = b;
	corners[2] = c;
}

static size_t EdgeHash( uint64_t low, uint64_t high, size_t capacity )
{
	uint64_t h = low * 0x9E3779B97F4A7C15ull ^ high * 0xC2B2AE3D27D4EB4Full;
	h ^= h >> 29;
	h *= 0xBF58476D1CE4E5B9ull;
	return (size_t)( h >> 20 ) & ( capacity - 1 );
}

static void GrowEdges( Lattice* lattice )
{
	size_t capacity = lattice->edgeCapacity == 0 ? 1 << 14 : 2 * lattice->edgeCapacity;
	EdgeSlot* grown = gelTakeZeroed( capacity, sizeof( EdgeSlot ) );
	for ( size_t i = 0; i < lattice->edgeCapacity; ++i )
	{
		EdgeSlot slot = lattice->edges[i];
		if ( slot.low != 0 )
		{
			size_t at = EdgeHash( slot.low, slot.high, capacity );
			while ( grown[at].low != 0 )
				at = ( at + 1 ) & ( capacity - 1 );
			grown[at] = slot;
		}
	}
	free( lattice->edges );
	lattice->edges = grown;
	lattice->edgeCapacity = capacity;
}

typedef struct Tet
{
	Node nodes[4];
	size_t keys[4];
	float values[4];
} Tet;

// The point where the surface crosses the edge between nodes i and j, made on first use.
static uint32_t EdgePoint( Lattice* lattice, const Tet* tet, int i, int j )
{
	if ( 2 * (size_t)lattice->surface->pointCount >= lattice->edgeCapacity ) GrowEdges( lattice );
	if ( tet->keys[i] > tet->keys[j] )
	{
		int t = i;
		i = j;
		j = t;
	}
	uint64_t low = tet->keys[i] + 1, high = tet->keys[j] + 1;
	size_t at = EdgeHash( low, high, lattice->edgeCapacity );
	while ( lattice->edges[at].low != 0 )
	{
		if ( lattice->edges[at].low == low && lattice->edges[at].high == high )
			return lattice->edges[at].point;
		at = ( at + 1 ) & ( lattice->edgeCapacity - 1 );
	}
	// Kept off the ends, so that no triangle is born without area.
	double vi = tet->values[i], vj = tet->values[j];
	double t = gelSampleClamp( vi / ( vi - vj ), 0.03, 0.97 );
	gelVec3d a = NodePosition( lattice, tet->nodes[i] ), b = NodePosition( lattice, tet->nodes[j] );
	uint32_t point = AddPoint( lattice, gelMulAddD( a, t, gelSubD( b, a ) ) );
	lattice->edges[at] = ( EdgeSlot ){ low, high, point };
	return point;
}

// Even permutations that bring the inside nodes (bits of the index) to the front, so that the
// orientation stays: one or two inside; three are the mirror of one.
static const uint8_t s_order[16][4] = { { 0, 1, 2, 3 }, { 0, 1, 2, 3 }, { 1, 0, 3, 2 }, { 0, 1, 2, 3 },
	{ 2, 3, 0, 1 }, { 0, 2, 3, 1 }, { 1, 2, 0, 3 }, { 3, 2, 1, 0 }, { 3, 2, 1, 0 }, { 0, 3, 1, 2 },
	{ 1, 3, 2, 0 }, { 2, 3, 0, 1 }, { 2, 3, 0, 1 }, { 1, 0, 3, 2 }, { 0, 1, 2, 3 }, { 0, 1, 2, 3 } };

static double PointDistance2( const gelSampleSurface* surface, uint32_t a, uint32_t b )
{
	gelVec3d d = gelSubD( surface->points[a], surface->points[b] );
	return gelDotD( d, d );
}

// Nodes are positively oriented: dot( b - a, cross( c - a, d - a ) ) > 0.
static void PolygoniseTet( Lattice* lattice, const Tet* tet )
{
	int mask = 0, inside = 0;
	for ( int i = 0; i < 4; ++i )
	{
		int bit = tet->values[i] < 0.0f;
		mask |= bit << i;
		inside += bit;
	}
	if ( inside == 0 || inside == 4 ) return;
	const uint8_t* o = s_order[mask];
	if ( inside == 2 )
	{
		uint32_t ac = EdgePoint( lattice, tet, o[0], o[2] ), ad = EdgePoint( lattice, tet, o[0], o[3] );
		uint32_t bd = EdgePoint( lattice, tet, o[1], o[3] ), bc = EdgePoint( lattice, tet, o[1], o[2] );
		if ( lattice->outOfMemory ) return;
		// Two inside, two outside: a quadrilateral, cut along its shorter diagonal.
		bool shorter =
			PointDistance2( lattice->surface, ac, bd ) <= PointDistance2( lattice->surface, ad, bc );
		AddTriangle( lattice, ac, ad, shorter ? bd : bc );
		AddTriangle( lattice, shorter ? ac : ad, bd, bc );
		return;
	}
	uint32_t ab = EdgePoint( lattice, tet, o[0], o[1] );
	uint32_t ac = EdgePoint( lattice, tet, o[0], o[2] );
	uint32_t ad = EdgePoint( lattice, tet, o[0], o[3] );
	AddTriangle( lattice, ab, inside == 1 ? ac : ad, inside == 1 ? ad : ac );
}

// The four tets around the face between a cube and its neighbor along an axis.
static void PolygoniseFace( Lattice* lattice, Node cube, int axis )
{
	//             c3 ---- c2           x: centers of the two cubes, on both sides of the face
	//             |  x  x  |           four tets: both centers and one edge of the face each
	//             c0 ---- c1
	static const int step[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	const int *u = step[axis], *v = step[( axis + 1 ) % 3], *w = step[( axis + 2 ) % 3];
	Node nodes[6] = { { cube.x, cube.y, cube.z, 1 }, { cube.x + u[0], cube.y + u[1], cube.z + u[2], 1 } };
	for ( int i = 0; i < 4; ++i )
	{
		int b = i == 1 || i == 2, c = i >= 2;
		nodes[2 + i] = ( Node ){ cube.x + u[0] + b * v[0] + c * w[0], cube.y + u[1] + b * v[1] + c * w[1],
			cube.z + u[2] + b * v[2] + c * w[2], 0 };
	}
	size_t keys[6];
	for ( int i = 0; i < 6; ++i )
	{
		// A node in a block without the surface has only neighbors of its own sign.
		keys[i] = NodeIndex( lattice, nodes[i] );
		if ( keys[i] == SIZE_MAX ) return;
	}
	for ( int i = 0; i < 4; ++i )
	{
		int use[4] = { 0, 1, 2 + i, 2 + ( i + 1 ) % 4 };
		Tet tet;
		for ( int j = 0; j < 4; ++j )
		{
			tet.nodes[j] = nodes[use[j]];
			tet.keys[j] = keys[use[j]];
			tet.values[j] = lattice->values[keys[use[j]]];
		}
		PolygoniseTet( lattice, &tet );
	}
}

static void PolygoniseBlock( Lattice* lattice, int x, int y, int z )
{
	for ( int i = 0; i < BLOCK_NODES && !lattice->outOfMemory; ++i )
	{
		Node cube = { x * BLOCK_SIZE + i % BLOCK_SIZE, y * BLOCK_SIZE + i / BLOCK_SIZE % BLOCK_SIZE,
			z * BLOCK_SIZE + i / ( BLOCK_SIZE * BLOCK_SIZE ), 1 };
		for ( int axis = 0; axis < 3; ++axis )
			PolygoniseFace( lattice, cube, axis );
	}
}

static void ForEachBlock( Lattice* lattice, void ( *visit )( Lattice*, int, int, int ) )
{
	for ( int z = 0; z < lattice->blocks[2]; ++z )
	{
		for ( int y = 0; y < lattice->blocks[1]; ++y )
		{
			for ( int x = 0; x < lattice->blocks[0]; ++x )
			{
				if ( lattice->blockToSlot[BlockIndex( lattice, x, y, z )] != 0 ) visit( lattice, x, y, z );
			}
		}
	}
}

bool gelExtractSampleSurface( gelField* field, double spacing, gelSampleSurface* outSurface )
{
	memset( outSurface, 0, sizeof( *outSurface ) );
	Lattice lattice = { .field = field, .surface = outSurface, .spacing = spacing };
	// The border of the lattice has to be outside everywhere, or the surface would be open there.
	double margin = 2.0 * spacing;
	lattice.origin = gelSubD( field->low, gelMakeVec3d( margin, margin, margin ) );
	gelVec3d size = gelSubD( field->high, field->low );
	lattice.blocks[0] = (int)( ( size.x + 2.0 * margin ) / ( BLOCK_SIZE * spacing ) ) + 1;
	lattice.blocks[1] = (int)( ( size.y + 2.0 * margin ) / ( BLOCK_SIZE * spacing ) ) + 1;
	lattice.blocks[2] = (int)( ( size.z + 2.0 * margin ) / ( BLOCK_SIZE * spacing ) ) + 1;
	bool ok = FindBlocks( &lattice );
	if ( ok )
	{
		lattice.values = malloc( (size_t)lattice.slotCount * 2 * BLOCK_NODES * sizeof( float ) + 1 );
		ok = lattice.values != NULL;
	}
	if ( ok )
	{
		ForEachBlock( &lattice, EvaluateBlock );
		ForEachBlock( &lattice, PolygoniseBlock );
		ok = !lattice.outOfMemory && !field->outOfMemory && outSurface->triangleCount > 0;
	}
	free( lattice.blockToSlot );
	free( lattice.values );
	free( lattice.edges );
	if ( !ok ) gelFreeSampleSurface( outSurface );
	return ok;
}
