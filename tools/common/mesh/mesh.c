// SPDX-License-Identifier: MIT
#include "common/mesh/mesh.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

void gelFreeMesh( gelMesh* mesh )
{
	if ( mesh == NULL ) return;
	free( mesh->positions );
	free( mesh->normals );
	free( mesh->uvs );
	free( mesh->colors );
	free( mesh->vertToSource );
	free( mesh->indices );
	free( mesh->triMaterial );
	free( mesh->linePoints );
	free( mesh->vertToWeld );
	for ( uint32_t i = 0; i < mesh->materialCount; ++i )
	{
		free( mesh->materials[i].name );
		free( mesh->materials[i].picture );
	}
	free( mesh->materials );
	for ( uint32_t i = 0; i < mesh->groupCount; ++i )
	{
		free( mesh->groups[i].name );
		free( mesh->groups[i].parents );
		free( mesh->groups[i].extras );
	}
	free( mesh->groups );
	free( mesh->extras );
	for ( uint32_t i = 0; i < mesh->pointCount; ++i )
	{
		free( mesh->points[i].name );
		free( mesh->points[i].extras );
	}
	free( mesh->points );
	for ( uint32_t i = 0; i < mesh->attributeCount; ++i )
	{
		free( mesh->attributes[i].name );
		free( mesh->attributes[i].values );
	}
	free( mesh->attributes );
	*mesh = ( gelMesh ){ 0 };
}

// Bits of a coordinate with -0 folded into +0, so that equal positions have equal keys.
static uint32_t CoordinateKey( float x )
{
	uint32_t bits;
	memcpy( &bits, &x, sizeof bits );
	return bits == 0x80000000u ? 0u : bits;
}

// Mixes three words; any good spread will do since the numbering does not depend on it.
static uint32_t HashKey( const uint32_t key[3] )
{
	uint64_t h = key[0] * 0x9E3779B97F4A7C15ull;
	h = ( h ^ ( h >> 29 ) ^ key[1] ) * 0xBF58476D1CE4E5B9ull;
	h = ( h ^ ( h >> 32 ) ^ key[2] ) * 0x94D049BB133111EBull;
	return (uint32_t)( h >> 32 ) ^ (uint32_t)h;
}

static uint32_t TableSize( uint32_t count )
{
	uint32_t size = 16;
	while ( size < count + count / 2 )
		size *= 2;
	return size;
}

bool gelMesh_Weld( gelMesh* mesh )
{
	uint32_t count = mesh->vertexCount;
	uint32_t size = TableSize( count );
	// table: weld + 1 (0: free); first: the vertex that gave a weld its position
	uint32_t* table = calloc( size, sizeof( uint32_t ) );
	uint32_t* first = malloc( ( (size_t)count + 1 ) * sizeof( uint32_t ) );
	uint32_t* welds = malloc( ( (size_t)count + 1 ) * sizeof( uint32_t ) );
	if ( table == NULL || first == NULL || welds == NULL )
	{
		free( table );
		free( first );
		free( welds );
		return false;
	}
	uint32_t weldCount = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const float* p = mesh->positions + 3 * (size_t)i;
		uint32_t key[3] = { CoordinateKey( p[0] ), CoordinateKey( p[1] ), CoordinateKey( p[2] ) };
		uint32_t slot = HashKey( key ) & ( size - 1 );
		for ( ;; slot = ( slot + 1 ) & ( size - 1 ) )
		{
			if ( table[slot] == 0 )
			{
				first[weldCount] = i;
				table[slot] = ++weldCount;
				break;
			}
			const float* q = mesh->positions + 3 * (size_t)first[table[slot] - 1];
			if ( p[0] == q[0] && p[1] == q[1] && p[2] == q[2] ) break; // finite, so == is equality of keys
		}
		welds[i] = table[slot] - 1;
	}
	free( table );
	free( first );
	free( mesh->vertToWeld );
	mesh->vertToWeld = welds;
	mesh->weldCount = weldCount;
	return true;
}

// Angle [rad] of the direction (cosine, sine), sine >= 0, in plain arithmetic: the C library picks its atan2
// by the processor, and normals must have the same bits on every machine. Abramowitz and Stegun, 4.4.49:
// error below 2e-8.
static double DirectionAngle( double sine, double cosine )
{
	double wide = fabs( cosine );
	double low = sine < wide ? sine : wide, high = sine < wide ? wide : sine;
	double x = high > 0.0 ? low / high : 0.0, q = x * x;
	double tail = 0.0429096138 + q * ( -0.0161657367 + q * 0.0028662257 );
	double middle = -0.1420889944 + q * ( 0.1065626393 + q * ( -0.0752896400 + q * tail ) );
	double angle = x * ( 1.0 + q * ( -0.3333314528 + q * ( 0.1999355085 + q * middle ) ) );
	if ( sine > wide ) angle = 1.57079632679489662 - angle;
	return cosine < 0.0 ? 3.14159265358979324 - angle : angle;
}

// Corner angle [rad] between two edges; the ratio stays exact for slivers where acos of the dot product does
// not.
static double CornerAngle( const double u[3], const double v[3] )
{
	double c[3] = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] };
	double sine = sqrt( c[0] * c[0] + c[1] * c[1] + c[2] * c[2] );
	return DirectionAngle( sine, u[0] * v[0] + u[1] * v[1] + u[2] * v[2] );
}

// Adds angle * unit face normal of one triangle to the sums of its three welds (Thürmer and Wüthrich 1998).
static void AddTriangleNormal( const gelMesh* mesh, uint32_t triangle, double* sums )
{
	GEL_ASSERT( triangle < mesh->triangleCount );
	const uint32_t* corners = mesh->indices + 3 * (size_t)triangle;
	double p[3][3];
	for ( int k = 0; k < 3; ++k )
		for ( int d = 0; d < 3; ++d )
			p[k][d] = mesh->positions[3 * (size_t)corners[k] + d];
	double e[3][3]; // e[k] runs from corner k to corner k + 1
	for ( int k = 0; k < 3; ++k )
		for ( int d = 0; d < 3; ++d )
			e[k][d] = p[( k + 1 ) % 3][d] - p[k][d];
	double n[3] = { e[0][1] * e[1][2] - e[0][2] * e[1][1], e[0][2] * e[1][0] - e[0][0] * e[1][2],
		e[0][0] * e[1][1] - e[0][1] * e[1][0] };
	double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
	if ( !( length > 0.0 ) || !isfinite( length ) ) return;
	for ( int k = 0; k < 3; ++k )
	{
		// Both edges leave the corner.
		double back[3] = { -e[( k + 2 ) % 3][0], -e[( k + 2 ) % 3][1], -e[( k + 2 ) % 3][2] };
		// Angle weights do not depend on how a flat face is cut into triangles; area weights do.
		double weight = CornerAngle( e[k], back ) / length;
		double* sum = sums + 3 * (size_t)mesh->vertToWeld[corners[k]];
		for ( int d = 0; d < 3; ++d )
			sum[d] += weight * n[d];
	}
}

// Unit vector of a sum; +z where nothing was added or everything cancelled.
static void StoreNormal( const double sum[3], float out[3] )
{
	double length = sqrt( sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] );
	bool usable = length > 1e-12 && isfinite( length );
	for ( int d = 0; d < 3; ++d )
		out[d] = usable ? (float)( sum[d] / length ) : ( d == 2 ? 1.0f : 0.0f );
}

bool gelMesh_FillNormals( gelMesh* mesh, const bool* missing )
{
	double* sums = calloc( (size_t)mesh->weldCount * 3 + 1, sizeof( double ) );
	if ( sums == NULL ) return false;
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
		AddTriangleNormal( mesh, t, sums );
	for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
		if ( missing == NULL || missing[i] )
			StoreNormal( sums + 3 * (size_t)mesh->vertToWeld[i], mesh->normals + 3 * (size_t)i );
	free( sums );
	return true;
}

bool gelMesh_ComputeNormals( gelMesh* mesh )
{
	if ( mesh->vertToWeld == NULL && !gelMesh_Weld( mesh ) ) return false;
	if ( mesh->normals == NULL )
	{
		mesh->normals = malloc( ( (size_t)mesh->vertexCount * 3 + 1 ) * sizeof( float ) );
		if ( mesh->normals == NULL ) return false;
	}
	mesh->normalsFromFile = false;
	return gelMesh_FillNormals( mesh, NULL );
}

void gelMesh_ComputeBounds( gelMesh* mesh )
{
	for ( int d = 0; d < 3; ++d )
	{
		mesh->boundsMin[d] = mesh->vertexCount > 0 ? mesh->positions[d] : 0.0f;
		mesh->boundsMax[d] = mesh->boundsMin[d];
	}
	for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
	{
		for ( int d = 0; d < 3; ++d )
		{
			float x = mesh->positions[3 * (size_t)i + d];
			if ( x < mesh->boundsMin[d] ) mesh->boundsMin[d] = x;
			if ( x > mesh->boundsMax[d] ) mesh->boundsMax[d] = x;
		}
	}
}

// Welds are made again: positions that differed may round to the same float.
bool gelMesh_Scale( gelMesh* mesh, double scale )
{
	for ( size_t i = 0; i < 3 * (size_t)mesh->vertexCount; ++i )
		mesh->positions[i] = (float)( scale * (double)mesh->positions[i] );
	for ( size_t i = 0; i < 6 * (size_t)mesh->lineCount; ++i )
		mesh->linePoints[i] = (float)( scale * (double)mesh->linePoints[i] );
	for ( uint32_t i = 0; i < mesh->pointCount; ++i )
	{
		for ( int k = 0; k < 3; ++k )
			mesh->points[i].position[k] *= scale;
	}
	gelMesh_ComputeBounds( mesh );
	return gelMesh_Weld( mesh );
}

// ---- lines -----------------------------------------------------------------------------------------------

double gelMesh_GetLineLength( const gelMesh* mesh, uint32_t line )
{
	GEL_ASSERT( line < mesh->lineCount );
	const float* p = mesh->linePoints + 6 * (size_t)line;
	double x = (double)p[3] - p[0], y = (double)p[4] - p[1], z = (double)p[5] - p[2];
	return sqrt( x * x + y * y + z * z );
}

typedef struct LineEnd
{
	float p[3];
	uint32_t slot; // 2 * segment + which end
} LineEnd;

static int ComparePositions( const LineEnd* a, const LineEnd* b )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( a->p[k] != b->p[k] ) return a->p[k] < b->p[k] ? -1 : 1;
	}
	return 0;
}

static int CompareEnds( const void* left, const void* right )
{
	const LineEnd *a = left, *b = right;
	int order = ComparePositions( a, b );
	return order != 0 ? order : a->slot < b->slot ? -1 : a->slot > b->slot;
}

uint32_t gelMesh_WeldLineEnds( const gelMesh* mesh, uint32_t* outNumbers )
{
	GEL_ASSERT( mesh->lineCount == 0 || mesh->linePoints != NULL );
	uint32_t count = 2 * mesh->lineCount, distinct = 0;
	LineEnd* ends = gelTake( ( (size_t)count + 1 ) * sizeof( LineEnd ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		memcpy( ends[i].p, mesh->linePoints + 3 * (size_t)i, sizeof( ends[i].p ) );
		ends[i].slot = i;
	}
	qsort( ends, count, sizeof( LineEnd ), CompareEnds );
	for ( uint32_t i = 0; i < count; ++i )
	{
		distinct += i == 0 || ComparePositions( ends + i - 1, ends + i ) != 0;
		outNumbers[ends[i].slot] = distinct - 1;
	}
	free( ends );
	return distinct;
}
