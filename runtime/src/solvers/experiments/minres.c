// SPDX-License-Identifier: MIT
#include "solvers/experiments/experiments.h"

#include <math.h>
#include <string.h>

// Paige and Saunders 1975, in the form of Elman, Silvester and Wathen 2014, algorithm 4.1: v are Lanczos
// vectors, z = M^-1 v, w directions of the solution, (c, s) Givens rotations. |eta| is the residual in the
// norm of M^-1.
static gelLinearResult Iterate(
	const gelLinearSystem* system, int maxIterations, double goalRatio, gelVec4* r, gelVec4* d )
{
	const gelVectorKernels* vectors = gelGetVectorKernels( system->body->simd );
	gelVec4 *v0 = system->work[0], *v1 = system->work[1], *v2 = system->work[2], *z = system->work[3];
	gelVec4 *w0 = system->work[4], *w1 = system->work[5], *w2 = system->work[6];
	int count = system->count, i = 0;
	size_t bytes = (size_t)count * sizeof( gelVec4 );
	memset( v0, 0, bytes );
	memset( w0, 0, bytes );
	memset( w1, 0, bytes );
	memcpy( v1, r, bytes );
	double gamma0 = 1.0, gamma1 = sqrt( fmax( gelPrecondition( system, v1, z ), 0.0 ) );
	double eta = gamma1, goal = goalRatio * gamma1, s0 = 0.0, s1 = 0.0, c0 = 1.0, c1 = 1.0;
	for ( ; i < maxIterations && fabs( eta ) > goal && gamma1 > 0.0; ++i )
	{
		gelMultiplySystem( system, z, v2 );
		gelProjectNodes( system, v2 );
		double delta = vectors->dot( v2, z, count ) / ( gamma1 * gamma1 );
		vectors->combine( (float)( 1.0 / gamma1 ), v2, (float)( -delta / gamma1 ), v1,
			(float)( -gamma1 / gamma0 ), v0, count, v2 );

		double a3 = s0 * gamma1, a2 = s1 * delta + c0 * c1 * gamma1, a0 = c1 * delta - c0 * s1 * gamma1;
		gelVec4* zNext = v0; // v0 is of no use any more
		double gamma2 = sqrt( fmax( gelPrecondition( system, v2, zNext ), 0.0 ) );
		double a1 = sqrt( a0 * a0 + gamma2 * gamma2 );
		if ( !( a1 > 0.0 ) ) break;
		vectors->combine( (float)( 1.0 / ( a1 * gamma1 ) ), z, (float)( -a3 / a1 ), w0, (float)( -a2 / a1 ),
			w1, count, w2 );
		s0 = s1, c0 = c1, c1 = a0 / a1, s1 = gamma2 / a1;
		vectors->combine( 1.0f, d, (float)( c1 * eta ), w2, 0.0f, w2, count, d );
		eta *= -s1;

		gelVec4* spare = w0;
		w0 = w1, w1 = w2, w2 = spare;
		spare = z;
		z = zNext, v0 = v1, v1 = v2, v2 = spare;
		gamma0 = gamma1, gamma1 = gamma2;
	}
	return ( gelLinearResult ){ i, fabs( eta ) };
}

gelLinearResult gelSolveMinres( const gelLinearSystem* system, int maxIterations, float tolerance,
	double reference, gelVec4* r, gelVec4* d )
{
	GEL_ASSERT( maxIterations > 0 && tolerance >= 0.0f && r != d );
	gelVec4 *product = system->work[0], *b = system->work[7];
	int count = system->count;
	memcpy( b, r, (size_t)count * sizeof( gelVec4 ) );
	double norm = gelBeginSolve( system, r, d ), goal = tolerance * reference;
	gelLinearResult result = { 0, norm };
	if ( norm > goal )
	{
		result = Iterate( system, maxIterations, goal / norm, r, d );
		gelMultiplySystem( system, d, product );
		gelGetVectorKernels( system->body->simd )
			->combine( 1.0f, b, -1.0f, product, 0.0f, product, count, r );
		gelProjectNodes( system, r );
		result.residual = gelGetNorm( system, r );
	}
	gelCorrectRigid( system, r, d );
	result.residual = reference > 0.0 ? result.residual / reference : 0.0;
	return result;
}
