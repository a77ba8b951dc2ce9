// SPDX-License-Identifier: MIT
// Paint from the surface of the art into the cage around it. With p the paint, linear in each triangle, and u
// linear in each tet, u minimizes
//     1/a^2 * integral over the art of (u - p)^2  +  GEL_SMOOTHNESS/a * integral over the cage of |grad u|^2
// with a the edge of a regular tet of mean volume: u follows the paint where there is some, and is harmonic
// (the finite element solution of Laplace's equation) in the inside. The surface is sampled at points no
// farther than a/2 apart. Conjugate gradients with the diagonal as preconditioner, on one thread, in the
// order of the tets: the same bits on every machine.
#include "bake/body/paint.h"

#include "bake/body/body_passes.h"
#include "tetrafy/geometry/tet_shape.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <string.h>

#define GEL_SMOOTHNESS   0.01
#define GEL_MAX_SAMPLES  4e6 // samples of triangles that are divided
#define GEL_PAINT_ROUNDS 1000
#define GEL_PAINT_RESIDUAL                                                                                   \
	1e-8 // part of the first residual; materials are told apart by 1/240 of the paint's range

typedef struct Samples
{
	float* points; // 3 each [m]
	double* values;
	double* areas; // [m^2]
	uint32_t count;
} Samples;

typedef struct System
{
	const gelCage* cage;
	double ( *matrices )[4][4]; // per tet
	double* diagonal;           // per node
	double* right;
	double size; // a [m]
} System;

// Gradients of the barycentric coordinates [1/m] and the volume [m^3].
static double GetGradients( const gelCage* cage, uint32_t tet, gelVec3d out[4] )
{
	GEL_ASSERT( tet < cage->tetCount );
	gelVec3d x[4];
	for ( size_t k = 0; k < 4; ++k )
		x[k] = gelLoadVec3d( cage->positions + 3 * (size_t)cage->tets[4 * (size_t)tet + k] );
	return fabs( gelTetGradients( x, out ) ) / 6.0;
}

// ---- the surface -----------------------------------------------------------------------------------------

static gelVec3d GetVertex( const gelMesh* mesh, uint32_t vertex )
{
	const float* p = mesh->positions + 3 * (size_t)vertex;
	return gelMakeVec3d( (double)p[0], (double)p[1], (double)p[2] );
}

static uint32_t GetDivisions( const gelMesh* mesh, uint32_t triangle, double spacing )
{
	GEL_ASSERT( spacing > 0.0 );
	const uint32_t* corners = mesh->indices + 3 * (size_t)triangle;
	double longest = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3d a = GetVertex( mesh, corners[k] ), b = GetVertex( mesh, corners[( k + 1 ) % 3] );
		longest = fmax( longest, gelLengthD( gelSubD( a, b ) ) );
	}
	double most = fmax( 1.0, floor( sqrt( GEL_MAX_SAMPLES / (double)mesh->triangleCount ) ) );
	return (uint32_t)fmin( fmax( ceil( longest / spacing ), 1.0 ), most );
}

static double GetArea( const gelMesh* mesh, const uint32_t* corners )
{
	gelVec3d x = GetVertex( mesh, corners[0] );
	gelVec3d a = gelSubD( GetVertex( mesh, corners[1] ), x ), b = gelSubD( GetVertex( mesh, corners[2] ), x );
	return 0.5 * gelLengthD( gelCrossD( a, b ) );
}

// The middle of a small triangle, by its weights in the large one.
static void AddSample( Samples* s, const gelMesh* mesh, const double* values, const uint32_t* corners,
	const double w[3], double area )
{
	GEL_ASSERT( area >= 0.0 );
	double value = 0.0;
	gelVec3d x = { 0.0, 0.0, 0.0 };
	for ( int k = 0; k < 3; ++k )
	{
		value += w[k] * values[corners[k]];
		x = gelMulAddD( x, w[k], GetVertex( mesh, corners[k] ) );
	}
	gelVec3 point = gelToFloat( x );
	memcpy( s->points + 3 * (size_t)s->count, &point, sizeof( point ) );
	s->values[s->count] = value;
	s->areas[s->count++] = area;
}

// n * n small triangles: those that stand, and those on their heads between them.
static Samples SampleSurface( const gelMesh* mesh, const double* values, double spacing, gelBakePool* pool )
{
	size_t count = 0;
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
	{
		size_t n = GetDivisions( mesh, t, spacing );
		count += n * n;
	}
	Samples s = { gelBakePool_Alloc( pool, 3 * count, sizeof( float ) ),
		gelBakePool_Alloc( pool, count, sizeof( double ) ),
		gelBakePool_Alloc( pool, count, sizeof( double ) ), 0 };
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
	{
		const uint32_t* corners = mesh->indices + 3 * (size_t)t;
		uint32_t n = GetDivisions( mesh, t, spacing );
		double area = GetArea( mesh, corners ) / ( (double)n * (double)n );
		for ( uint32_t i = 0; i < n; ++i )
		{
			for ( uint32_t k = 0; k < 2 * ( n - i ) - 1; ++k )
			{
				double third =
					k % 2 == 0 ? 1.0 / 3.0 : 2.0 / 3.0; // part of the step to the next row and column
				double x = ( (double)( k / 2 ) + third ) / (double)n, y = ( (double)i + third ) / (double)n;
				AddSample( &s, mesh, values, corners, ( double[3] ){ 1.0 - x - y, x, y }, area );
			}
		}
	}
	return s;
}

// ---- the system ------------------------------------------------------------------------------------------

// Matrices by tet instead of one sparse matrix: a product is one loop over the tets, and there is no pattern
// to build for some hundred iterations.
static System MakeSystem( const gelCage* cage, gelBakePool* pool )
{
	System s = { .cage = cage,
		.matrices = gelBakePool_Alloc( pool, cage->tetCount, sizeof( double[4][4] ) ),
		.diagonal = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( double ) ),
		.right = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( double ) ) };
	gelVec3d g[4];
	double volume = 0.0;
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
		volume += GetGradients( cage, t, g );
	// Edge of a regular tet: V = a^3 / ( 6 sqrt 2 ).
	s.size = cbrt( 6.0 * sqrt( 2.0 ) * volume / (double)cage->tetCount );
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		double factor = GEL_SMOOTHNESS / s.size * GetGradients( cage, t, g );
		for ( int i = 0; i < 4; ++i )
		{
			for ( int k = 0; k < 4; ++k )
				s.matrices[t][i][k] = factor * gelDotD( g[i], g[k] );
		}
	}
	return s;
}

// @param tets that hold the samples, GEL_NO_INDEX: none, and nothing to say about the cage
static void AddSurface(
	System* s, const Samples* samples, const uint32_t* tets, const float* weights, double mean )
{
	for ( uint32_t i = 0; i < samples->count; ++i )
	{
		if ( tets[i] == GEL_NO_INDEX ) continue;
		double factor = samples->areas[i] / ( s->size * s->size );
		const float* w = weights + 4 * (size_t)i;
		for ( size_t a = 0; a < 4; ++a )
		{
			for ( size_t b = 0; b < 4; ++b )
				s->matrices[tets[i]][a][b] += factor * (double)w[a] * (double)w[b];
			s->right[s->cage->tets[4 * (size_t)tets[i] + a]] +=
				factor * (double)w[a] * ( samples->values[i] - mean );
		}
	}
	for ( uint32_t t = 0; t < s->cage->tetCount; ++t )
	{
		for ( size_t k = 0; k < 4; ++k )
			s->diagonal[s->cage->tets[4 * (size_t)t + k]] += s->matrices[t][k][k];
	}
}

static void Apply( const System* s, const double* x, double* out )
{
	memset( out, 0, s->cage->nodeCount * sizeof( double ) );
	for ( uint32_t t = 0; t < s->cage->tetCount; ++t )
	{
		const double( *m )[4] = (const double( * )[4])s->matrices[t];
		const uint32_t* n = s->cage->tets + 4 * (size_t)t;
		for ( int k = 0; k < 4; ++k )
			out[n[k]] += m[k][0] * x[n[0]] + m[k][1] * x[n[1]] + m[k][2] * x[n[2]] + m[k][3] * x[n[3]];
	}
}

static double Precondition( const System* s, const double* r, double* z )
{
	double sum = 0.0;
	for ( uint32_t i = 0; i < s->cage->nodeCount; ++i )
	{
		z[i] = s->diagonal[i] > 0.0 ? r[i] / s->diagonal[i] : 0.0;
		sum += r[i] * z[i];
	}
	return sum;
}

// From x = 0: what is not connected to any paint stays there. The residual is left in s->right.
static void Solve( System* s, double* x, gelBakePool* pool )
{
	const uint32_t n = s->cage->nodeCount;
	double* r = s->right;
	double* z = gelBakePool_Alloc( pool, n, sizeof( double ) );
	double* p = gelBakePool_Alloc( pool, n, sizeof( double ) );
	double* q = gelBakePool_Alloc( pool, n, sizeof( double ) );
	double rz = Precondition( s, r, z ), least = GEL_PAINT_RESIDUAL * GEL_PAINT_RESIDUAL * rz;
	memcpy( p, z, n * sizeof( double ) );
	for ( int round = 0; round < GEL_PAINT_ROUNDS && rz > least; ++round )
	{
		Apply( s, p, q );
		double pq = 0.0;
		for ( uint32_t i = 0; i < n; ++i )
			pq += p[i] * q[i];
		if ( !( pq > 0.0 ) ) break;
		for ( uint32_t i = 0; i < n; ++i )
		{
			x[i] += rz / pq * p[i];
			r[i] -= rz / pq * q[i];
		}
		double next = Precondition( s, r, z );
		for ( uint32_t i = 0; i < n; ++i )
			p[i] = z[i] + next / rz * p[i];
		rz = next;
	}
}

// A flat tet has no gradients; the bake refuses it.
static bool HasGradients( const gelCage* cage )
{
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		gelVec3d g[4];
		double volume = GetGradients( cage, t, g ), sum = 0.0;
		for ( int k = 0; k < 4; ++k )
			sum += gelDotD( g[k], g[k] );
		if ( !( volume > 0.0 && isfinite( sum ) ) ) return false;
	}
	return true;
}

void gelSpreadPaint(
	const gelMesh* mesh, const double* values, const gelCage* cage, int threads, double* outNodes )
{
	GEL_ASSERT( threads >= 1 && cage->tetCount > 0 );
	double low = values[mesh->indices[0]], high = low;
	for ( size_t i = 0; i < 3 * (size_t)mesh->triangleCount; ++i )
	{
		low = fmin( low, values[mesh->indices[i]] );
		high = fmax( high, values[mesh->indices[i]] );
	}
	// The unknown is the difference from the middle of the range: zero, where conjugate gradients start, is
	// then a sensible value for parts of the cage that hold no paint.
	double mean = 0.5 * ( low + high );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
		outNodes[i] = low;
	gelBakePool pool = { NULL };
	gelFindings quiet = { .silent = true };
	gelBakeCage checked;
	// A cage that cannot be used is refused by the bake, with its reasons; one color needs no search.
	if ( low < high && gelCheckCage( cage, NULL, &pool, &quiet, &checked ) && HasGradients( cage ) )
	{
		System system = MakeSystem( cage, &pool );
		Samples samples = SampleSurface( mesh, values, 0.5 * system.size, &pool );
		uint32_t* tets = gelBakePool_Alloc( &pool, samples.count, sizeof( uint32_t ) );
		float* weights = gelBakePool_Alloc( &pool, 4 * (size_t)samples.count, sizeof( float ) );
		double* x = gelBakePool_Alloc( &pool, cage->nodeCount, sizeof( double ) );
		gelPlacePoints( samples.points, samples.count, &checked, threads, tets, weights );
		AddSurface( &system, &samples, tets, weights, mean );
		Solve( &system, x, &pool );
		for ( uint32_t i = 0; i < cage->nodeCount; ++i )
			// A least-squares field overshoots beside sharp borders of paint; nothing becomes stiffer than
			// what was painted.
			outNodes[i] = fmin( fmax( mean + x[i], low ), high );
	}
	gelFreeFindings( &quiet );
	gelFreeBakePool( &pool );
}
