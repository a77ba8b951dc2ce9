// SPDX-License-Identifier: MIT
#include "solvers/implicit/linear_solve.h"

#include "solvers/implicit/implicit.h"
#include "constraints/constraint_rows.h"
#include "solvers/implicit/rigid_modes.h"
#include "simd/supernodal_solve.h"

#include <string.h>

// A solve ends when this many iterations in a row bring less than this part of what all have brought,
// measured as energy, the square of the distance to the solution in the metric of A: float has no more to
// give. The residual is no measure of progress, it may rise and wait while the energy falls.
#define GEL_STAGNATION_COUNT 5
#define GEL_STAGNATION_PART  1.0e-12

void gelMultiplySystem( const gelLinearSystem* system, const gelVec4* x, gelVec4* y )
{
	GEL_ASSERT( x != y && system->count % 8 == 0 );
	gelSimdLevel simd = system->body->simd;
	gelGetVectorKernels( simd )->multiplyMasses( system->masses, x, system->count, y );
	gelMultiplyStiffness( simd, &system->stiffness, x, y );
	if ( system->hasConstraints ) gelConstraintRows_AddSoftProduct( system->body, x, y );
}

void gelProjectNodes( const gelLinearSystem* system, gelVec4* y )
{
	const gelBody* body = system->body;
	for ( int i = 0; i < body->pinCount; ++i )
		y[body->pins[i]] = ( gelVec4 ){ 0.0f, 0.0f, 0.0f, 0.0f };
	if ( system->hasConstraints ) gelConstraintRows_Project( body, y );
}

double gelGetNorm( const gelLinearSystem* system, const gelVec4* a )
{
	return sqrt( gelGetVectorKernels( system->body->simd )->dot( a, a, system->count ) );
}

// z = A_c^-1 r with the factor that the fast corotated solver uses.
static void SolveWithFactor( const gelLinearSystem* system, const gelVec4* r, gelVec4* z )
{
	GEL_ASSERT( r != z );
	gelBody* body = system->body;
	for ( uint32_t row = 0; row < body->factor.header->n; ++row )
		body->y[row] = r[body->factor.perm[row]];
	gelSolveFactor( body->simd, &body->factor, &body->y, 1, body->solveScratch );
	memset( z, 0, (size_t)system->count * sizeof( gelVec4 ) );
	for ( uint32_t row = 0; row < body->factor.header->n; ++row )
		z[body->factor.perm[row]] = body->y[row];
}

double gelPrecondition( const gelLinearSystem* system, const gelVec4* r, gelVec4* z )
{
	const gelVectorKernels* vectors = gelGetVectorKernels( system->body->simd );
	if ( system->ownFactor )
		system->ownFactor->solve( system->body, r, system->count, z );
	else if ( system->preconditioner == gel_preconditionBlocks )
	{
		double product = vectors->multiplyBlocks( system->blocks, r, system->count, z );
		if ( !system->hasConstraints ) return product;
	}
	else if ( system->preconditioner == gel_preconditionFactor )
		SolveWithFactor( system, r, z );
	else
		memcpy( z, r, (size_t)system->count * sizeof( gelVec4 ) );
	if ( system->hasConstraints ) gelConstraintRows_Project( system->body, z );
	return vectors->dot( r, z, system->count );
}

void gelCorrectRigid( const gelLinearSystem* system, gelVec4* r, gelVec4* d )
{
	GEL_ASSERT( r != d );
	if ( system->modes )
	{
		gelRigidModes_Correct( system->modes, system, r, d );
		return;
	}
	if ( !system->isFree ) return;
	double sum[3] = { 0.0, 0.0, 0.0 }, mass = 0.0;
	int n = system->body->asset->nodeCount;
	for ( int i = 0; i < n; ++i )
	{
		sum[0] += r[i].x;
		sum[1] += r[i].y;
		sum[2] += r[i].z;
		mass += system->masses[i];
	}
	gelVec3 t = { (float)( sum[0] / mass ), (float)( sum[1] / mass ), (float)( sum[2] / mass ) };
	for ( int i = 0; i < n; ++i )
	{
		d[i] = gelMakeVec4( gelAdd( gelXyz( d[i] ), t ), 0.0f );
		r[i] = gelMakeVec4( gelMulAdd( gelXyz( r[i] ), -system->masses[i], t ), 0.0f );
	}
}

// Counts iterations without progress. @return whether to stop
static bool IsStagnant( double gain, double* total, int* count )
{
	*total += gain;
	*count = gain < GEL_STAGNATION_PART * *total ? *count + 1 : 0;
	return *count >= GEL_STAGNATION_COUNT;
}

// Projected preconditioned conjugate gradients. At negative curvature, which only an experiment has,
// the energy has no minimum along p: the solution so far is kept, or the first direction if there is none.
static gelLinearResult SolveCg(
	const gelLinearSystem* system, int maxIterations, double goal, double norm, gelVec4* r, gelVec4* d )
{
	GEL_ASSERT( maxIterations > 0 && goal >= 0.0 && r != d );
	const gelVectorKernels* vectors = gelGetVectorKernels( system->body->simd );
	gelVec4 *z = system->work[0], *p = system->work[1], *q = system->work[2];
	int count = system->count, stagnantCount = 0, i = 0;
	double rz = gelPrecondition( system, r, z ), total = 0.0;
	memcpy( p, z, (size_t)count * sizeof( gelVec4 ) );
	if ( system->modes ) gelRigidModes_Deflate( system->modes, system, z, p );
	for ( ; i < maxIterations && ( norm > goal || i < system->minIterations ) && rz > 0.0; ++i )
	{
		gelMultiplySystem( system, p, q );
		gelProjectNodes( system, q );
		double pq = vectors->dot( p, q, count );
		if ( !( pq > 0.0 ) )
		{
			if ( i == 0 ) vectors->advance( 1.0f, p, q, count, d, r );
			break;
		}
		double alpha = rz / pq;
		norm = sqrt( vectors->advance( (float)alpha, p, q, count, d, r ) );
		if ( IsStagnant( alpha * rz, &total, &stagnantCount ) ) break;
		// a solve with a factor is dear: none for a direction that nobody takes
		bool isLast = i + 1 == maxIterations || ( norm <= goal && i + 1 >= system->minIterations );
		if ( isLast ) return ( gelLinearResult ){ i + 1, norm };
		double before = rz;
		rz = gelPrecondition( system, r, z );
		vectors->turn( z, (float)( rz / before ), count, p );
		if ( system->modes ) gelRigidModes_Deflate( system->modes, system, z, p );
	}
	return ( gelLinearResult ){ i, norm };
}

double gelBeginSolve( const gelLinearSystem* system, gelVec4* r, gelVec4* d )
{
	gelVec4* product = system->work[0];
	gelMultiplySystem( system, d, product );
	gelGetVectorKernels( system->body->simd )
		->combine( 1.0f, r, -1.0f, product, 0.0f, product, system->count, r );
	if ( system->modes ) gelProjectNodes( system, r );
	gelCorrectRigid( system, r, d );
	gelProjectNodes( system, r );
	return gelGetNorm( system, r );
}

gelLinearResult gelSolveSystem( const gelLinearSystem* system, int maxIterations, float tolerance,
	double reference, gelVec4* r, gelVec4* d )
{
	GEL_ASSERT( maxIterations > 0 && tolerance >= 0.0f && r != d );
	double norm = gelBeginSolve( system, r, d ), goal = tolerance * reference;
	gelLinearResult result = { 0, norm };
	if ( norm > goal || system->minIterations > 0 )
		result = SolveCg( system, maxIterations, goal, norm, r, d );
	gelCorrectRigid( system, r, d );
	result.residual = reference > 0.0 ? result.residual / reference : 0.0;
	return result;
}
