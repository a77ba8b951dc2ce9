// SPDX-License-Identifier: MIT
// Polar decomposition by itself, as in the paper's Table 4: 800 thousand matrices, start within 10 degrees.
#include "step_bench.h"

#include "solvers/fast/fast_kernels.h"
#include "math/polar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct gelPolarRun
{
	gelSimdLevel simd;
	int blockCount;
	float ( *F )[9][GEL_BLOCK_LANES];
	gelQuat *start, *q;
	gelMat3* R; // by the Jacobi SVD
} gelPolarRun;

static gelMat3 GetMatrix( const gelPolarRun* run, int i )
{
	float m[9];
	for ( int k = 0; k < 9; ++k )
		m[k] = run->F[i / 8][k][i % 8];
	return ( gelMat3 ){ { m[0], m[1], m[2] }, { m[3], m[4], m[5] }, { m[6], m[7], m[8] } };
}

static void Wide( void* context )
{
	gelPolarRun* run = context;
	memcpy( run->q, run->start, 8 * (size_t)run->blockCount * sizeof( gelQuat ) );
	gelGetElementKernels( run->simd )
		->polarSteps( (const float( * )[9][GEL_BLOCK_LANES])run->F, run->q, run->blockCount, 1 );
}

static void Scalar( void* context )
{
	gelPolarRun* run = context;
	for ( int i = 0; i < 8 * run->blockCount; ++i )
		run->q[i] = gelPolarStep_Ref( GetMatrix( run, i ), run->start[i], NULL );
}

// One-sided Jacobi: columns of F V are turned in pairs until they are orthogonal; then F = U S V^T, R = U
// V^T. The smallest singular value takes the sign of the determinant.
static gelMat3 FindRotation( gelMat3 F )
{
	gelVec3 a[3] = { F.cx, F.cy, F.cz }, v[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for ( int sweep = 0; sweep < 20; ++sweep )
	{
		float off = 0.0f, size = 0.0f;
		for ( int pair = 0; pair < 3; ++pair )
		{
			int i = pair == 2 ? 1 : 0, j = pair == 0 ? 1 : 2;
			float aii = gelDot( a[i], a[i] ), ajj = gelDot( a[j], a[j] ), aij = gelDot( a[i], a[j] );
			off += aij * aij;
			size += aii * ajj;
			if ( aij == 0.0f ) continue;
			float tau = ( ajj - aii ) / ( 2.0f * aij );
			float t = ( tau >= 0.0f ? 1.0f : -1.0f ) / ( fabsf( tau ) + sqrtf( 1.0f + tau * tau ) );
			float c = 1.0f / sqrtf( 1.0f + t * t ), s = c * t;
			gelVec3 ai = a[i], vi = v[i];
			a[i] = gelSub( gelScale( c, ai ), gelScale( s, a[j] ) );
			a[j] = gelAdd( gelScale( s, ai ), gelScale( c, a[j] ) );
			v[i] = gelSub( gelScale( c, vi ), gelScale( s, v[j] ) );
			v[j] = gelAdd( gelScale( s, vi ), gelScale( c, v[j] ) );
		}
		if ( off <= 1e-13f * size ) break;
	}
	int least = 0;
	for ( int k = 1; k < 3; ++k )
		least = gelLengthSquared( a[k] ) < gelLengthSquared( a[least] ) ? k : least;
	for ( int k = 0; k < 3; ++k )
		a[k] = gelScale( 1.0f / gelLength( a[k] ), a[k] );
	gelVec3 rest = gelCross( a[( least + 1 ) % 3], a[( least + 2 ) % 3] ); // so that det U = 1
	float handed = gelDot( v[0], gelCross( v[1], v[2] ) );
	a[least] = gelScale( handed, rest );
	gelMat3 R = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
	for ( int k = 0; k < 3; ++k )
	{
		R.cx = gelMulAdd( R.cx, v[k].x, a[k] );
		R.cy = gelMulAdd( R.cy, v[k].y, a[k] );
		R.cz = gelMulAdd( R.cz, v[k].z, a[k] );
	}
	return R;
}

static void JacobiSvd( void* context )
{
	gelPolarRun* run = context;
	for ( int i = 0; i < 8 * run->blockCount; ++i )
		run->R[i] = FindRotation( GetMatrix( run, i ) );
}

static float Random( uint64_t* state )
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (float)(int32_t)( *state >> 32 ) * 0x1p-31f;
}

// Rotations by up to 10 degrees of 10 % noise around the identity.
static void FillMatrices( gelPolarRun* run )
{
	uint64_t state = 1;
	for ( int i = 0; i < 8 * run->blockCount; ++i )
	{
		gelVec3 w = { Random( &state ), Random( &state ), Random( &state ) };
		w = gelScale( 0.0872f * fabsf( Random( &state ) ) / ( gelLength( w ) + 1e-6f ), w ); // half the angle
		gelMat3 R = gelMakeMat3FromQuat( ( gelQuat ){ w, sqrtf( 1.0f - gelLengthSquared( w ) ) } );
		for ( int k = 0; k < 3; ++k )
		{
			gelVec3 e = { 0.1f * Random( &state ), 0.1f * Random( &state ), 0.1f * Random( &state ) };
			( &e.x )[k] += 1.0f;
			gelVec3 column = gelMulMV( R, e );
			for ( int d = 0; d < 3; ++d )
				run->F[i / 8][3 * k + d][i % 8] = ( &column.x )[d];
		}
		run->start[i] = gelIdentityQuat();
	}
}

// Mean angle to the rotations of the SVD [degrees].
static double MeanError( const gelPolarRun* run )
{
	double sum = 0.0;
	for ( int i = 0; i < 8 * run->blockCount; ++i )
	{
		gelMat3 d = gelSubMat3( gelMakeMat3FromQuat( run->q[i] ), run->R[i] );
		sum += 2.0 * asin( fmin( 1.0, sqrt( (double)gelFrobeniusSquared( d ) / 8.0 ) ) ) * 57.29577951;
	}
	return sum / ( 8.0 * run->blockCount );
}

bool gelMeasurePolar( gelBench* bench )
{
	gelPolarRun run = { 0 };
	run.blockCount = bench->quick ? 1000 : 100000;
	size_t count = 8 * (size_t)run.blockCount;
	run.F = aligned_alloc( 64, (size_t)run.blockCount * sizeof( *run.F ) );
	run.start = aligned_alloc( 64, count * sizeof( gelQuat ) );
	run.q = aligned_alloc( 64, count * sizeof( gelQuat ) );
	run.R = malloc( count * sizeof( gelMat3 ) );
	bool ok = run.F && run.start && run.q && run.R;
	if ( ok )
	{
		FillMatrices( &run );
		double svd = gelBench_Best( bench, JacobiSvd, &run ), scalar = gelBench_Best( bench, Scalar, &run );
		for ( int i = 0; i < GEL_BENCH_LEVELS; ++i )
		{
			run.simd = gel_benchLevels[i];
			if ( gelFindSimdLevel( run.simd ) != run.simd ) continue;
			double wide = gelBench_Best( bench, Wide, &run );
			gelBench_Row( bench, "polar", gelGetSimdName( run.simd ), "matrices", (double)count, "ns_each",
				wide * 1e9 / (double)count, "mean_error_degrees", MeanError( &run ), "scalar_ns_each",
				scalar * 1e9 / (double)count, "jacobi_svd_ns_each", svd * 1e9 / (double)count,
				"svd_times_wide", svd / wide, "scalar_times_wide", scalar / wide, NULL );
		}
	}
	free( run.F );
	free( run.start );
	free( run.q );
	free( run.R );
	return ok;
}
