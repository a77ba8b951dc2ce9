// SPDX-License-Identifier: MIT
#include "test_surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void gelFinishMesh( gelMesh* mesh )
{
	free( mesh->vertToWeld );
	mesh->vertToWeld = NULL;
	free( mesh->normals );
	mesh->normals = NULL;
	gelMesh_Weld( mesh );
	gelMesh_ComputeNormals( mesh );
	gelMesh_ComputeBounds( mesh );
}

typedef struct Builder
{
	gelMesh mesh;
	uint32_t vertexCapacity, triangleCapacity;
} Builder;

static uint32_t AddVertex( Builder* builder, const double p[3] )
{
	gelMesh* mesh = &builder->mesh;
	if ( mesh->vertexCount == builder->vertexCapacity )
	{
		builder->vertexCapacity = 2 * builder->vertexCapacity + 64;
		mesh->positions = realloc( mesh->positions, 3 * (size_t)builder->vertexCapacity * sizeof( float ) );
	}
	for ( int k = 0; k < 3; ++k )
		mesh->positions[3 * (size_t)mesh->vertexCount + k] = (float)p[k];
	return mesh->vertexCount++;
}

static void AddTriangle( Builder* builder, uint32_t a, uint32_t b, uint32_t c )
{
	gelMesh* mesh = &builder->mesh;
	if ( mesh->triangleCount == builder->triangleCapacity )
	{
		builder->triangleCapacity = 2 * builder->triangleCapacity + 64;
		mesh->indices = realloc( mesh->indices, 3 * (size_t)builder->triangleCapacity * sizeof( uint32_t ) );
	}
	uint32_t t[3] = { a, b, c };
	memcpy( mesh->indices + 3 * (size_t)mesh->triangleCount, t, sizeof t );
	mesh->triangleCount += 1;
}

typedef struct Lattice
{
	Builder builder;
	const double* values; // per lattice point
	double extent;
	int n;
} Lattice;

static void LatticePoint( const Lattice* lattice, int index, double out[3] )
{
	int side = lattice->n + 1;
	int at[3] = { index % side, index / side % side, index / side / side };
	for ( int k = 0; k < 3; ++k )
		out[k] = lattice->extent * ( 2.0 * at[k] / lattice->n - 1.0 );
}

// Where the surface cuts an edge of the lattice; the lower end comes first, so that neighbors agree on the
// bits.
static uint32_t CutVertex( Lattice* lattice, int a, int b )
{
	if ( a > b )
	{
		int keep = a;
		a = b;
		b = keep;
	}
	double pa[3], pb[3], p[3];
	LatticePoint( lattice, a, pa );
	LatticePoint( lattice, b, pb );
	double t = lattice->values[a] / ( lattice->values[a] - lattice->values[b] );
	for ( int k = 0; k < 3; ++k )
		p[k] = pa[k] + t * ( pb[k] - pa[k] );
	return AddVertex( &lattice->builder, p );
}

// inside and outside hold the corners of one tet; flip says which way round they are.
static void CutTet( Lattice* lattice, const int tet[4], bool positive )
{
	int order[4], inCount = 0;
	for ( int k = 0; k < 4; ++k )
		if ( lattice->values[tet[k]] < 0.0 ) order[inCount++] = k;
	if ( inCount == 0 || inCount == 4 ) return;
	int at = inCount;
	for ( int k = 0; k < 4; ++k )
		if ( lattice->values[tet[k]] >= 0.0 ) order[at++] = k;
	// parity of the permutation that put the inside corners first
	for ( int i = 0; i < 4; ++i )
		for ( int j = i + 1; j < 4; ++j )
			if ( order[i] > order[j] ) positive = !positive;
	int c[4] = { tet[order[0]], tet[order[1]], tet[order[2]], tet[order[3]] };
	uint32_t v[4];
	if ( inCount == 1 )
	{
		for ( int k = 0; k < 3; ++k )
			v[k] = CutVertex( lattice, c[0], c[k + 1] );
		AddTriangle( &lattice->builder, v[0], positive ? v[1] : v[2], positive ? v[2] : v[1] );
	}
	else if ( inCount == 3 )
	{
		for ( int k = 0; k < 3; ++k )
			v[k] = CutVertex( lattice, c[k], c[3] );
		AddTriangle( &lattice->builder, v[0], positive ? v[1] : v[2], positive ? v[2] : v[1] );
	}
	else
	{
		v[0] = CutVertex( lattice, c[0], c[2] );
		v[1] = CutVertex( lattice, c[0], c[3] );
		v[2] = CutVertex( lattice, c[1], c[3] );
		v[3] = CutVertex( lattice, c[1], c[2] );
		AddTriangle( &lattice->builder, v[0], positive ? v[1] : v[2], positive ? v[2] : v[1] );
		AddTriangle( &lattice->builder, v[0], positive ? v[2] : v[3], positive ? v[3] : v[2] );
	}
}

// Six tets around the diagonal of every cell (Kuhn), one per order of the axes.
static void CutCell( Lattice* lattice, int i, int j, int k )
{
	static const int orders[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 },
		{ 1, 0, 2 } };
	int side = lattice->n + 1, strides[3] = { 1, side, side * side };
	for ( int o = 0; o < 6; ++o )
	{
		int tet[4] = { i + side * ( j + side * k ) };
		for ( int step = 0; step < 3; ++step )
			tet[step + 1] = tet[step] + strides[orders[o][step]];
		CutTet( lattice, tet, o < 3 );
	}
}

// The zero surface of a field over the cube [-extent, extent]^3 with n^3 cells, by marching tets: closed,
// oriented outwards, manifold, as long as it stays inside the cube. Complete with normals, welds and bounds.
static gelMesh MakeFieldSurface( gelTestField* field, const void* context, double extent, int n )
{
	int side = n + 1;
	Lattice lattice = { .extent = extent, .n = n };
	double* values = malloc( (size_t)side * side * side * sizeof( double ) );
	for ( int i = 0; i < side * side * side; ++i )
	{
		double p[3];
		LatticePoint( &lattice, i, p );
		double value = field( p[0], p[1], p[2], context );
		// Cuts right at a lattice point would collapse triangles.
		values[i] = fabs( value ) < 1e-4 * extent / n ? 1e-4 * extent / n : value;
	}
	lattice.values = values;
	for ( int k = 0; k < n; ++k )
		for ( int j = 0; j < n; ++j )
			for ( int i = 0; i < n; ++i )
				CutCell( &lattice, i, j, k );
	free( values );
	gelFinishMesh( &lattice.builder.mesh );
	return lattice.builder.mesh;
}

static double SphereField( double x, double y, double z, const void* context )
{
	return sqrt( x * x + y * y + z * z ) - *(const double*)context;
}

gelMesh gelMakeTestSphere( double radius, int n )
{
	return MakeFieldSurface( SphereField, &radius, 1.2 * radius, n );
}

static double HollowField( double x, double y, double z, const void* context )
{
	const double* radii = context;
	double r = sqrt( x * x + y * y + z * z );
	return fmax( r - radii[0], radii[1] - r );
}

gelMesh gelMakeTestHollow( double outer, double inner, int n )
{
	double radii[2] = { outer, inner };
	return MakeFieldSurface( HollowField, radii, 1.2 * outer, n );
}

static double TorusField( double x, double y, double z, const void* context )
{
	const double* radii = context;
	double ring = sqrt( x * x + y * y ) - radii[0];
	return sqrt( ring * ring + z * z ) - radii[1];
}

gelMesh gelMakeTestTorus( double radius, double tube, int n )
{
	double radii[2] = { radius, tube };
	return MakeFieldSurface( TorusField, radii, 1.2 * ( radius + tube ), n );
}

static double Capsule( double x, double y, double z, double x0, double y0, double y1, double radius )
{
	double t = fmin( fmax( y, y0 ), y1 );
	return sqrt( ( x - x0 ) * ( x - x0 ) + ( y - t ) * ( y - t ) + z * z ) - radius;
}

static double ForkField( double x, double y, double z, const void* context )
{
	(void)context;
	double left = Capsule( x, y, z, -0.22, -0.5, 0.95, 0.12 ),
		   right = Capsule( x, y, z, 0.22, -0.5, 0.95, 0.12 );
	double handle = Capsule( x, y, z, 0.0, -0.95, -0.5, 0.14 );
	double bridge = Capsule( y + 0.5, x, z, 0.0, -0.22, 0.22, 0.12 );
	return fmin( fmin( left, right ), fmin( handle, bridge ) );
}

gelMesh gelMakeTestFork( int n )
{
	return MakeFieldSurface( ForkField, NULL, 1.15, n );
}

gelMesh gelMakeTestBoxSurface( const double low[3], const double high[3] )
{
	static const uint8_t quads[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 },
		{ 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
	Builder builder = { 0 };
	for ( int i = 0; i < 8; ++i )
	{
		double p[3] = { i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2] };
		AddVertex( &builder, p );
	}
	for ( int i = 0; i < 6; ++i )
	{
		AddTriangle( &builder, quads[i][0], quads[i][1], quads[i][2] );
		AddTriangle( &builder, quads[i][0], quads[i][2], quads[i][3] );
	}
	gelFinishMesh( &builder.mesh );
	return builder.mesh;
}

gelMesh gelMakeTestUrchin( uint64_t seed, int n )
{
	gelMesh mesh = gelMakeTestSphere( 0.6, n );
	gelRandom random = { seed };
	// A vertex of the sphere moves with all render vertices of its weld.
	double* scale = malloc( ( (size_t)mesh.weldCount + 1 ) * sizeof( double ) );
	for ( uint32_t i = 0; i < mesh.weldCount; ++i )
		scale[i] =
			gelRandom_Uniform( &random, 0.0, 1.0 ) < 0.06 ? gelRandom_Uniform( &random, 1.2, 2.2 ) : 1.0;
	for ( uint32_t v = 0; v < mesh.vertexCount; ++v )
		for ( int k = 0; k < 3; ++k )
			mesh.positions[3 * (size_t)v + k] *= (float)scale[mesh.vertToWeld[v]];
	free( scale );
	gelFinishMesh( &mesh );
	return mesh;
}

gelMesh gelJoinMeshes( const gelMesh* a, const gelMesh* b )
{
	Builder builder = { 0 };
	const gelMesh* parts[2] = { a, b };
	for ( int i = 0; i < 2; ++i )
	{
		uint32_t base = builder.mesh.vertexCount;
		for ( uint32_t v = 0; v < parts[i]->vertexCount; ++v )
		{
			const float* p = parts[i]->positions + 3 * (size_t)v;
			AddVertex( &builder, ( const double[3] ){ p[0], p[1], p[2] } );
		}
		for ( uint32_t t = 0; t < parts[i]->triangleCount; ++t )
		{
			const uint32_t* v = parts[i]->indices + 3 * (size_t)t;
			AddTriangle( &builder, base + v[0], base + v[1], base + v[2] );
		}
	}
	gelFinishMesh( &builder.mesh );
	return builder.mesh;
}

void gelFilterTriangles( gelMesh* mesh, const uint8_t* keep )
{
	uint32_t kept = 0;
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
	{
		if ( !keep[t] ) continue;
		memmove( mesh->indices + 3 * (size_t)kept, mesh->indices + 3 * (size_t)t, 3 * sizeof( uint32_t ) );
		kept += 1;
	}
	mesh->triangleCount = kept;
	gelFinishMesh( mesh );
}

void gelFlipTriangle( gelMesh* mesh, uint32_t triangle )
{
	uint32_t* t = mesh->indices + 3 * (size_t)triangle;
	uint32_t keep = t[1];
	t[1] = t[2];
	t[2] = keep;
}

gelMesh gelMakeTestDebris( uint64_t seed, int count )
{
	gelRandom random = { seed };
	gelMesh mesh = { 0 };
	for ( int i = 0; i < count; ++i )
	{
		double low[3], high[3];
		for ( int k = 0; k < 3; ++k )
		{
			low[k] = gelRandom_Uniform( &random, -1.0, 1.0 );
			high[k] = low[k] + gelRandom_Uniform( &random, 0.05, 0.4 );
		}
		gelMesh box = gelMakeTestBoxSurface( low, high ), joined = gelJoinMeshes( &mesh, &box );
		gelFreeMesh( &mesh );
		gelFreeMesh( &box );
		mesh = joined;
	}
	return mesh;
}
