// SPDX-License-Identifier: MIT
#include "solvers/implicit/rigid_modes.h"

#include "constraints/constraint_rows.h"
#include "math/dense_factor.h"

#include <string.h>

#define N GEL_RIGID_MODES

// A motion is allowed when it moves what is held by less than this part of what motions can, squared.
#define GEL_ALLOWED_PART 1.0e-6

// Pivots below this part of the smallest diagonal entry are noise.
#define GEL_MODE_PIVOT 1.0e-6

// Sweeps of Jacobi's method: six are enough for 6 x 6 in double.
#define GEL_MODE_SWEEPS 8

gelRigidModes gelRigidModes_LayOut( gelArena* arena, int vectorCount )
{
	GEL_ASSERT( vectorCount > 0 );
	gelRigidModes modes = { 0 };
	for ( int k = 0; k < N; ++k )
	{
		modes.z[k] = gelArena_Take( arena, (size_t)vectorCount, sizeof( gelVec4 ) );
		modes.Az[k] = gelArena_Take( arena, (size_t)vectorCount, sizeof( gelVec4 ) );
	}
	return modes;
}

static gelVec3 GetCenter( const gelAsset* asset, const gelVec3* x )
{
	double sum[3] = { 0.0, 0.0, 0.0 }, mass = 0.0;
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		double m = asset->pack.masses[i].mass;
		sum[0] += m * x[i].x;
		sum[1] += m * x[i].y;
		sum[2] += m * x[i].z;
		mass += m;
	}
	return ( gelVec3 ){ (float)( sum[0] / mass ), (float)( sum[1] / mass ), (float)( sum[2] / mass ) };
}

// Turns are scaled by the size of the body, so that all motions are alike.
static float GetTurnScale( const gelBody* body )
{
	return 2.0f / body->asset->restSize;
}

// Translation by the first three numbers and turn by the others.
static void FillMode( const gelLinearSystem* system, const gelVec3* x, const double motion[N], gelVec4* z )
{
	const gelAsset* asset = system->body->asset;
	gelVec3 center = GetCenter( asset, x );
	gelVec3 move = { (float)motion[0], (float)motion[1], (float)motion[2] };
	gelVec3 turn = { (float)motion[3], (float)motion[4], (float)motion[5] };
	float scale = GetTurnScale( system->body );
	memset( z, 0, (size_t)system->count * sizeof( gelVec4 ) );
	for ( int i = 0; i < asset->nodeCount; ++i )
		z[i] = gelMakeVec4( gelMulAdd( move, scale, gelCross( turn, gelSub( x[i], center ) ) ), 0.0f );
}

// G += a a^T, where a is what the six motions do along an axis at arm r from the center.
static void AddHeld( const gelBody* body, gelVec3 r, gelVec3 axis, double G[N][N] )
{
	gelVec3 turn = gelScale( GetTurnScale( body ), gelCross( r, axis ) );
	const double a[N] = { axis.x, axis.y, axis.z, turn.x, turn.y, turn.z };
	for ( int i = 0; i < N; ++i )
	{
		for ( int j = 0; j < N; ++j )
			G[i][j] += a[i] * a[j];
	}
}

// Over all directions that pins and constraints hold.
static void SumHeld( const gelBody* body, const gelVec3* x, bool withSprings, double G[N][N] )
{
	const gelMat3 axes = gelIdentity();
	const gelConstraintSet* set = body->constraints;
	gelVec3 center = GetCenter( body->asset, x );
	for ( int i = 0; i < body->pinCount; ++i )
	{
		gelVec3 r = gelSub( x[body->pins[i]], center );
		AddHeld( body, r, axes.cx, G );
		AddHeld( body, r, axes.cy, G );
		AddHeld( body, r, axes.cz, G );
	}
	for ( int i = 0; set != NULL && i < set->pointCount; ++i )
	{
		const gelConstraintPoint* point = set->points + i;
		if ( point->frame >= 0 || ( point->softness > 0.0f && !withSprings ) ) continue;
		gelVec3 r = gelSub( gelInterpolate( point->node, point->weight, x ), center );
		for ( int k = 0; k < point->rowCount; ++k )
			AddHeld( body, r, point->axis[k], G );
	}
}

// One rotation of Jacobi's method, of the rows and columns p and q of G and of the vectors V.
static void Rotate( double G[N][N], double V[N][N], int p, int q )
{
	GEL_ASSERT( p >= 0 && p < q && q < N );
	if ( G[p][q] == 0.0 ) return;
	double theta = ( G[q][q] - G[p][p] ) / ( 2.0 * G[p][q] );
	double t = ( theta >= 0.0 ? 1.0 : -1.0 ) / ( fabs( theta ) + sqrt( theta * theta + 1.0 ) );
	double c = 1.0 / sqrt( t * t + 1.0 ), s = t * c;
	for ( int k = 0; k < N; ++k )
	{
		double a = G[k][p], b = G[k][q];
		G[k][p] = c * a - s * b;
		G[k][q] = s * a + c * b;
	}
	for ( int k = 0; k < N; ++k )
	{
		double a = G[p][k], b = G[q][k];
		G[p][k] = c * a - s * b;
		G[q][k] = s * a + c * b;
		a = V[p][k], b = V[q][k];
		V[p][k] = c * a - s * b;
		V[q][k] = s * a + c * b;
	}
}

// The six motions as rows of V, sorted: those that nothing holds come first. @return how many these are
static int SortMotions( const gelBody* body, const gelVec3* x, bool withSprings, double V[N][N] )
{
	double G[N][N] = { { 0.0 } }, W[N][N] = { { 0.0 } }, largest = 0.0;
	for ( int k = 0; k < N; ++k )
		W[k][k] = 1.0;
	SumHeld( body, x, withSprings, G );
	for ( int i = 0; i < GEL_MODE_SWEEPS * N * N; ++i )
	{
		int p = i / N % N, q = i % N;
		if ( p < q ) Rotate( G, W, p, q );
	}
	for ( int k = 0; k < N; ++k )
		largest = fmax( largest, G[k][k] );
	int count = 0, freeCount = 0;
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int k = 0; k < N; ++k )
		{
			bool isFree = G[k][k] <= GEL_ALLOWED_PART * largest;
			if ( isFree == ( pass == 0 ) ) memcpy( V[count++], W[k], sizeof( W[k] ) );
		}
		if ( pass == 0 ) freeCount = count;
	}
	return freeCount;
}

bool gelIsHeld( const gelBody* body )
{
	double V[N][N];
	return SortMotions( body, body->x, true, V ) == 0;
}

// What constraints do not allow stays in the space as far as they do: the translation of all other nodes
// balances the forces, without which a reaction would be off by what the iterations have left.
void gelRigidModes_Find( gelRigidModes* modes, const gelLinearSystem* system, const gelVec3* x )
{
	double V[N][N];
	int freeCount = SortMotions( system->body, x, false, V );
	modes->count = system->hasConstraints ? N : freeCount;
	for ( int k = 0; k < modes->count; ++k )
	{
		FillMode( system, x, V[k], modes->z[k] );
		gelProjectNodes( system, modes->z[k] );
	}
}

void gelRigidModes_Factor( gelRigidModes* modes, const gelLinearSystem* system )
{
	const gelVectorKernels* vectors = gelGetVectorKernels( system->body->simd );
	double smallest = INFINITY;
	int n = modes->count;
	for ( int i = 0; i < n; ++i )
	{
		if ( system->isFree && i < 3 ) // K does not see translations
			vectors->multiplyMasses( system->masses, modes->z[i], system->count, modes->Az[i] );
		else
			gelMultiplySystem( system, modes->z[i], modes->Az[i] );
		gelProjectNodes( system, modes->Az[i] );
		for ( int j = 0; j <= i; ++j )
			modes->matrix[n * i + j] = vectors->dot( modes->z[i], modes->Az[j], system->count );
		smallest = fmin( smallest, modes->matrix[n * i + i] );
	}
	gelFactorDense( modes->matrix, n, GEL_MODE_PIVOT * fmax( smallest, 0.0 ) );
}

// y = ( Z^T A Z )^-1 V^T a
static void SolveModes( const gelRigidModes* modes, const gelLinearSystem* system, gelVec4* const* V,
	const gelVec4* a, double* y )
{
	for ( int k = 0; k < modes->count; ++k )
		y[k] = gelGetVectorKernels( system->body->simd )->dot( V[k], a, system->count );
	gelSolveDense( modes->matrix, modes->count, y );
}

// a += V y
static void AddModes( const gelLinearSystem* system, gelVec4* const* V, double* y, int count, gelVec4* a )
{
	GEL_ASSERT( count >= 0 && count <= N );
	for ( int k = 0; k < count; k += 2 )
	{
		bool isPair = k + 1 < count;
		gelGetVectorKernels( system->body->simd )
			->combine( 1.0f, a, (float)y[k], V[k], isPair ? (float)y[k + 1] : 0.0f, V[isPair ? k + 1 : k],
				system->count, a );
	}
}

void gelRigidModes_Correct(
	const gelRigidModes* modes, const gelLinearSystem* system, gelVec4* r, gelVec4* d )
{
	GEL_ASSERT( r != d );
	double y[N];
	SolveModes( modes, system, modes->z, r, y );
	AddModes( system, modes->z, y, modes->count, d );
	for ( int k = 0; k < modes->count; ++k )
		y[k] = -y[k];
	AddModes( system, modes->Az, y, modes->count, r );
}

void gelRigidModes_Deflate(
	const gelRigidModes* modes, const gelLinearSystem* system, const gelVec4* z, gelVec4* p )
{
	GEL_ASSERT( z != p );
	double y[N];
	SolveModes( modes, system, modes->Az, z, y );
	for ( int k = 0; k < modes->count; ++k )
		y[k] = -y[k];
	AddModes( system, modes->z, y, modes->count, p );
}
