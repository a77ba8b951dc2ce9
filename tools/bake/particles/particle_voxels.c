// SPDX-License-Identifier: MIT
// The inside of a surface as voxels. Lines through the centers of all voxels, along each axis, are cut with
// the triangles: a center is inside when the signed crossings before it do not cancel, on at least two of its
// three lines. Two centers are linked when the line between them crosses nothing, so that gaps and walls far
// thinner than a voxel keep their two sides apart.
#include "bake/particles/particle_bake.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Voxels along the longest side of the art: as few as give enough samples, since the links see gaps of any
// width, but no more than this.
#define GEL_MIN_SIDE 24
#define GEL_MAX_SIDE 192

// Lines are off the centers by these shares of a voxel: art likes to have its edges on round numbers.
#define GEL_SHIFT_U 0.0123
#define GEL_SHIFT_V 0.0217

typedef struct Grid
{
	double low[3], size; // corner and side of a voxel [m]
	int n[3];
} Grid;

// Where a line meets a triangle.
typedef struct Crossing
{
	uint32_t line;
	int32_t sign;
	double depth; // along the axis, in voxels
} Crossing;

typedef struct Crossings
{
	Crossing* items;
	size_t count, capacity;
} Crossings;

static Grid MakeGrid( const gelMesh* mesh, int voxels )
{
	GEL_ASSERT( voxels > 0 );
	Grid grid = { .size = 0.0 };
	for ( int k = 0; k < 3; ++k )
	{
		double side = (double)mesh->boundsMax[k] - (double)mesh->boundsMin[k];
		grid.size = fmax( grid.size, side / voxels );
	}
	for ( int k = 0; k < 3 && grid.size > 0.0; ++k )
	{
		double side = (double)mesh->boundsMax[k] - (double)mesh->boundsMin[k];
		grid.n[k] = (int)ceil( side / grid.size ) + 2; // centers on the border are outside
		// The art in the middle, with at least a voxel of air on both sides.
		grid.low[k] = (double)mesh->boundsMin[k] - 0.5 * ( grid.n[k] * grid.size - side );
	}
	return grid;
}

static void Add( Crossings* list, Crossing crossing, gelBakePool* pool )
{
	if ( list->count == list->capacity )
	{
		size_t capacity = list->capacity == 0 ? 65536 : 2 * list->capacity;
		Crossing* items = gelBakePool_Alloc( pool, capacity, sizeof( Crossing ) );
		if ( list->count > 0 ) memcpy( items, list->items, list->count * sizeof( Crossing ) );
		list->items = items;
		list->capacity = capacity;
	}
	list->items[list->count++] = crossing;
}

// Twice the signed area of a triangle in the plane.
static double Cross( const double a[2], const double b[2], const double c[2] )
{
	return ( b[0] - a[0] ) * ( c[1] - a[1] ) - ( b[1] - a[1] ) * ( c[0] - a[0] );
}

// Lines along `axis` that a triangle meets; p: corners in voxels, seen along the axis, and their depths. A
// line exactly through an edge counts for the one side or the other by the sign of zero: the shift makes that
// rare.
static void CrossTriangle( const Grid* grid, const double p[3][2], const double depth[3], int u, int v,
	Crossings* list, gelBakePool* pool )
{
	double area = Cross( p[0], p[1], p[2] );
	if ( area == 0.0 ) return;
	int low[2], high[2];
	for ( int k = 0; k < 2; ++k )
	{
		int n = grid->n[k == 0 ? u : v];
		low[k] = (int)fmax( 0.0, ceil( fmin( p[0][k], fmin( p[1][k], p[2][k] ) ) ) );
		high[k] = (int)fmin( n - 1.0, floor( fmax( p[0][k], fmax( p[1][k], p[2][k] ) ) ) );
	}
	for ( int j = low[1]; j <= high[1]; ++j )
	{
		for ( int i = low[0]; i <= high[0]; ++i )
		{
			const double at[2] = { i, j };
			double a = Cross( p[1], p[2], at ), b = Cross( p[2], p[0], at ), c = Cross( p[0], p[1], at );
			bool isInside = area > 0.0 ? a > 0.0 && b > 0.0 && c > 0.0 : a < 0.0 && b < 0.0 && c < 0.0;
			if ( !isInside ) continue;
			// Depth in the plane of the triangle by barycentric weights: a, b, c are twice the areas opposite
			// the corners.
			double d = ( a * depth[0] + b * depth[1] + c * depth[2] ) / area;
			Add( list, ( Crossing ){ (uint32_t)( j * grid->n[u] + i ), area > 0.0 ? 1 : -1, d }, pool );
		}
	}
}

static int CompareCrossings( const void* a, const void* b )
{
	const Crossing *x = a, *y = b;
	if ( x->line != y->line ) return x->line < y->line ? -1 : 1;
	if ( x->depth != y->depth ) return x->depth < y->depth ? -1 : 1;
	return x->sign < y->sign ? -1 : x->sign > y->sign;
}

//
//     axis 0: lines along x, seen in the plane (u, v) = (y, z);   axis 1: (z, x);   axis 2: (x, y)
static Crossings CrossAll( const gelMesh* mesh, const Grid* grid, int axis, gelBakePool* pool )
{
	Crossings list = { NULL, 0, 0 };
	int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
	{
		double p[3][2], depth[3];
		for ( int k = 0; k < 3; ++k )
		{
			const float* x = mesh->positions + 3 * (size_t)mesh->indices[3 * (size_t)t + (size_t)k];
			p[k][0] = ( (double)x[u] - grid->low[u] ) / grid->size - 0.5 - GEL_SHIFT_U;
			p[k][1] = ( (double)x[v] - grid->low[v] ) / grid->size - 0.5 - GEL_SHIFT_V;
			depth[k] = ( (double)x[axis] - grid->low[axis] ) / grid->size - 0.5;
		}
		CrossTriangle( grid, (const double( * )[2])p, depth, u, v, &list, pool );
	}
	if ( list.count > 1 ) qsort( list.items, list.count, sizeof( Crossing ), CompareCrossings );
	return list;
}

static size_t GetVoxel( const Grid* grid, int axis, uint32_t line, int depth )
{
	GEL_ASSERT( axis >= 0 && axis < 3 && depth >= 0 );
	int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3, at[3];
	at[axis] = depth;
	at[u] = (int)line % grid->n[u];
	at[v] = (int)line / grid->n[u];
	return ( (size_t)at[2] * (size_t)grid->n[1] + (size_t)at[1] ) * (size_t)grid->n[0] + (size_t)at[0];
}

// One line: votes of the voxels whose centers are inside, and a bit for those with a surface before the next.
static void ScanLine(
	const Grid* grid, int axis, const Crossing* items, size_t count, uint8_t* votes, uint8_t* walls )
{
	int winding = 0;
	size_t k = 0;
	for ( int depth = 0; depth < grid->n[axis]; ++depth )
	{
		size_t before = k;
		for ( ; k < count && items[k].depth <= depth; ++k )
			winding += items[k].sign;
		// A surface between this center and the one before it, whatever its direction: also where a thin wall
		// is crossed twice and the winding number is the same on both sides.
		if ( k > before && depth > 0 )
			walls[GetVoxel( grid, axis, items[0].line, depth - 1 )] |= (uint8_t)( 1 << axis );
		if ( winding != 0 ) votes[GetVoxel( grid, axis, items[0].line, depth )] += 1;
	}
}

// Samples of the voxels with two votes. @return numbers of the samples by voxel
static uint32_t* NumberVoxels(
	const Grid* grid, const uint8_t* votes, gelBakePool* scratch, gelBakePool* pool, gelSampleGraph* graph )
{
	size_t voxelCount = (size_t)grid->n[0] * (size_t)grid->n[1] * (size_t)grid->n[2];
	uint32_t* numbers = gelBakePool_Alloc( scratch, voxelCount, sizeof( uint32_t ) );
	for ( size_t i = 0; i < voxelCount; ++i )
		// Two votes of three: a hole in the art spoils the lines through it along one axis, and leaves those
		// along the others right.
		numbers[i] = votes[i] >= 2 ? graph->count++ : GEL_NO_INDEX;
	graph->points = gelBakePool_Alloc( pool, graph->count, sizeof( *graph->points ) );
	graph->weights = gelBakePool_Alloc( pool, graph->count, sizeof( double ) );
	for ( size_t i = 0; i < voxelCount; ++i )
	{
		if ( numbers[i] == GEL_NO_INDEX ) continue;
		size_t x = i % (size_t)grid->n[0], yz = i / (size_t)grid->n[0];
		size_t y = yz % (size_t)grid->n[1], z = yz / (size_t)grid->n[1];
		gelVec3d at = { (double)x + 0.5, (double)y + 0.5, (double)z + 0.5 };
		graph->points[numbers[i]] = gelMulAddD( gelLoadVec3d( grid->low ), grid->size, at );
		graph->weights[numbers[i]] = grid->size * grid->size * grid->size;
	}
	return numbers;
}

static void LinkVoxels( const Grid* grid, const uint32_t* numbers, const uint8_t* walls, gelBakePool* pool,
	gelSampleGraph* graph )
{
	const size_t strides[3] = { 1, (size_t)grid->n[0], (size_t)grid->n[0] * (size_t)grid->n[1] };
	size_t voxelCount = strides[2] * (size_t)grid->n[2];
	graph->linkFirst = gelBakePool_Alloc( pool, (size_t)graph->count + 1, sizeof( uint32_t ) );
	graph->links = gelBakePool_Alloc( pool, 6 * (size_t)graph->count + 1, sizeof( uint32_t ) );
	uint32_t count = 0;
	for ( size_t i = 0; i < voxelCount; ++i ) // the border of the grid is outside
	{
		if ( numbers[i] == GEL_NO_INDEX ) continue;
		for ( int k = 0; k < 3; ++k )
		{
			size_t back = i >= strides[k] ? i - strides[k] : i;
			if ( back != i && numbers[back] != GEL_NO_INDEX && ( walls[back] >> k & 1 ) == 0 )
				graph->links[count++] = numbers[back];
			size_t next = i + strides[k];
			if ( next < voxelCount && numbers[next] != GEL_NO_INDEX && ( walls[i] >> k & 1 ) == 0 )
				graph->links[count++] = numbers[next];
		}
		graph->linkFirst[numbers[i] + 1] = count;
	}
}

static gelSampleGraph SampleGrid( const gelMesh* mesh, int voxels, gelBakePool* pool )
{
	Grid grid = MakeGrid( mesh, voxels );
	gelSampleGraph graph = { .variance = grid.size * grid.size / 12.0, .spacing = grid.size };
	if ( !( grid.size > 0.0 ) || !isfinite( grid.size ) ) return graph;
	gelBakePool scratch = { NULL };
	size_t voxelCount = (size_t)grid.n[0] * (size_t)grid.n[1] * (size_t)grid.n[2];
	uint8_t* votes = gelBakePool_Alloc( &scratch, voxelCount, 1 );
	uint8_t* walls = gelBakePool_Alloc( &scratch, voxelCount, 1 );
	for ( int axis = 0; axis < 3; ++axis )
	{
		Crossings list = CrossAll( mesh, &grid, axis, &scratch );
		for ( size_t first = 0, end; first < list.count; first = end )
		{
			for ( end = first; end < list.count && list.items[end].line == list.items[first].line; )
				++end;
			ScanLine( &grid, axis, list.items + first, end - first, votes, walls );
		}
	}
	uint32_t* numbers = NumberVoxels( &grid, votes, &scratch, pool, &graph );
	LinkVoxels( &grid, numbers, walls, pool, &graph );
	gelFreeBakePool( &scratch );
	gelFindParts( &graph, pool );
	return graph;
}

gelSampleGraph gelSampleVolume( const gelMesh* mesh, uint32_t wanted, gelBakePool* pool )
{
	GEL_ASSERT( wanted > 0 );
	for ( int voxels = GEL_MIN_SIDE;; voxels = voxels * 3 / 2 )
	{
		gelBakePool own = { NULL };
		gelSampleGraph graph = SampleGrid( mesh, voxels, &own );
		// Thin art (a shell, a wire) has few voxels inside and may never have enough; then the finest grid
		// counts.
		bool isEnough = graph.count >= wanted || voxels * 3 / 2 > GEL_MAX_SIDE;
		if ( !isEnough )
		{
			gelFreeBakePool( &own );
			continue;
		}
		gelBakePool_Adopt( pool, &own );
		return graph;
	}
}
