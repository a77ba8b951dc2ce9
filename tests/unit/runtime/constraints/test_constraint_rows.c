// SPDX-License-Identifier: MIT
// Rows of constraints as linear algebra: the joint projection is one, filtered conjugate gradients find what
// the dense saddle point system has as its solution, and the Schur complement of the fast solver agrees with
// its matrix.
#include "test_support.h"

#include "constraints/constraint_rows.h"
#include "constraints/constraint_schur.h"
#include "math/dense_factor.h"
#include "stage.h"
#include "simd/supernodal_solve.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES 64

// A box of 2 x 2 x 2 cells with pins that share nodes, repeat each other, and come as points, lines and
// planes.
static gelStage MakeHeld( gelSolverType solver, bool hasPins, gelBody** outBody )
{
	gelStageDef def = gelDefaultStageDef();
	for ( int k = 0; k < 3; ++k )
		def.cells[k] = 2;
	def.body.solver = gelDefaultSolverDef( solver );
	def.pinLeft = hasPins;
	gelStage stage = gelMakeStage( &def );
	const struct
	{
		gelConstraintKind kind;
		gelEmbeddedPoint point;
		gelVec3 axis;
	} holds[] = {
		{ gel_constraintPoint, { 0, { 0.4f, 0.3f, 0.2f, 0.1f } }, { 0.0f, 1.0f, 0.0f } },
		{ gel_constraintPoint, { 0, { 0.4f, 0.3f, 0.2f, 0.1f } }, { 0.0f, 1.0f, 0.0f } },
		{ gel_constraintLine, { 1, { 0.1f, 0.1f, 0.1f, 0.7f } }, { 1.0f, 2.0f, 3.0f } },
		{ gel_constraintPlane, { 2, { 0.0f, 0.5f, 0.5f, 0.0f } }, { 0.3f, -1.0f, 0.2f } },
		{ gel_constraintPlane, { 2, { 0.25f, 0.25f, 0.25f, 0.25f } }, { 0.0f, 0.0f, 1.0f } },
		{ gel_constraintPoint, { 30, { 0.0f, 0.0f, 1.0f, 0.0f } }, { 0.0f, 1.0f, 0.0f } },
	};
	for ( size_t i = 0; i < sizeof( holds ) / sizeof( holds[0] ); ++i )
	{
		gelConstraintDef constraint = gelDefaultConstraintDef();
		constraint.kind = holds[i].kind;
		constraint.point = holds[i].point;
		constraint.axis = holds[i].axis;
		gelBody_GetPointPosition( stage.body, &constraint.point, &constraint.target );
		gelConstraintId id;
		gelResult result = gelCreateConstraint( stage.body, &constraint, &id );
		assert_true(
			result == gel_success || ( hasPins && result == gel_errorArgument ) ); // all nodes pinned
		constraint.target.x += 0.01f * (float)( i < 2 ? 1 : i );                   // the first two agree
		constraint.target.y -= 0.02f;
		gelConstraint_SetTarget( id, constraint.target );
	}
	gelConstraintDef spring = gelDefaultConstraintDef();
	spring.kind = gel_constraintSpring;
	spring.point = ( gelEmbeddedPoint ){ 20, { 0.25f, 0.25f, 0.25f, 0.25f } };
	spring.target = ( gelVec3 ){ 1.0f, 1.0f, 1.0f };
	spring.stiffness = 1e4f;
	gelConstraintId id;
	assert_int_equal( gelCreateConstraint( stage.body, &spring, &id ), gel_success );
	*outBody = gelGetBody( stage.body );
	memcpy( ( *outBody )->xOld, ( *outBody )->x, (size_t)stage.nodeCount * sizeof( gelVec3 ) );
	assert_true( stage.nodeCount <= MAX_NODES );
	return stage;
}

static void Fill( gelRandom* random, gelVec4* y, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		y[i] = ( gelVec4 ){ (float)gelRandom_Uniform( random, -1, 1 ),
			(float)gelRandom_Uniform( random, -1, 1 ), (float)gelRandom_Uniform( random, -1, 1 ), 0.0f };
	}
}

static double Dot( const gelVec4* a, const gelVec4* b, int count )
{
	double sum = 0.0;
	for ( int i = 0; i < count; ++i )
		sum += (double)a[i].x * b[i].x + (double)a[i].y * b[i].y + (double)a[i].z * b[i].z;
	return sum;
}

// Largest value of a hard row.
static double GetViolation( const gelBody* body, const gelVec4* y )
{
	const gelConstraintSet* set = body->constraints;
	double rows[3 * GEL_MAX_CONSTRAINTS], worst = 0.0;
	for ( int i = 0; i < set->clusterCount; ++i )
	{
		if ( set->clusters[i].isSoft ) continue;
		gelConstraintRows_Gather( set, set->clusters + i, y, rows );
		for ( int k = 0; k < set->clusters[i].rowCount; ++k )
			worst = fmax( worst, fabs( rows[k] ) );
	}
	return worst;
}

static void TestProjection( void** state )
{
	(void)state;
	gelRandom random = { 17 };
	for ( int hasPins = 0; hasPins < 2; ++hasPins )
	{
		gelBody* body;
		gelStage stage = MakeHeld( gel_solverImplicit, hasPins == 1, &body );
		assert_true( gelConstraintRows_Prepare( body, 0.01f ) );
		gelConstraintRows_FactorClusters( body );
		assert_true( body->constraints->clusterCount >= 2 );
		gelVec4 a[MAX_NODES], b[MAX_NODES], sa[MAX_NODES], sb[MAX_NODES], again[MAX_NODES];
		for ( int trial = 0; trial < 20; ++trial )
		{
			Fill( &random, a, MAX_NODES );
			Fill( &random, b, MAX_NODES );
			memcpy( sa, a, sizeof( a ) );
			memcpy( sb, b, sizeof( b ) );
			gelConstraintRows_Project( body, sa );
			gelConstraintRows_Project( body, sb );
			assert_true( GetViolation( body, a ) > 1e-2 );
			assert_true( GetViolation( body, sa ) < 1e-6 ); // H S = 0
			assert_true( fabs( Dot( sa, b, stage.nodeCount ) - Dot( a, sb, stage.nodeCount ) ) < 1e-5 );
			memcpy( again, sa, sizeof( sa ) );
			gelConstraintRows_Project( body, again );
			for ( int i = 0; i < stage.nodeCount; ++i )
				assert_true( gelLength( gelSub( gelXyz( again[i] ), gelXyz( sa[i] ) ) ) < 1e-6f );
		}
		gelFreeStage( &stage );
	}
}

// The same without the joint treatment of rows that share nodes: neither symmetric nor a projection.
static void TestOneAfterAnotherIsNoProjection( void** state )
{
	(void)state;
	const double rows[2][6] = { { 0.8, 0.6, 0, 0, 0, 0 }, { 0.6, 0.64, 0.48, 0, 0, 0 } };
	double y[6] = { 1, -2, 3, 0.5, -1, 2 };
	for ( int r = 0; r < 2; ++r )
	{
		double dot = 0, norm = 0;
		for ( int k = 0; k < 6; ++k )
		{
			dot += rows[r][k] * y[k];
			norm += rows[r][k] * rows[r][k];
		}
		for ( int k = 0; k < 6; ++k )
			y[k] -= rows[r][k] * dot / norm;
	}
	double left = 0;
	for ( int k = 0; k < 6; ++k )
		left += rows[0][k] * y[k];
	assert_true( fabs( left ) > 0.05 ); // the second row has undone the first
}

// ---- conjugate gradients --------------------------------------------------------------------------------

// y = A x with a dense symmetric positive matrix over 3 n numbers.
static void Multiply( const double* A, int n, const gelVec4* x, gelVec4* y )
{
	for ( int i = 0; i < n; ++i )
	{
		double sum[3] = { 0, 0, 0 };
		for ( int d = 0; d < 3; ++d )
		{
			const double* row = A + (size_t)( 3 * i + d ) * (size_t)( 3 * n );
			for ( int k = 0; k < n; ++k )
				sum[d] += row[3 * k] * x[k].x + row[3 * k + 1] * x[k].y + row[3 * k + 2] * x[k].z;
		}
		y[i] = ( gelVec4 ){ (float)sum[0], (float)sum[1], (float)sum[2], 0.0f };
	}
}

static double* MakeMatrix( gelRandom* random, int n )
{
	int size = 3 * n;
	double* A = calloc( (size_t)size * (size_t)size, sizeof( double ) );
	assert_non_null( A );
	for ( int i = 0; i < size; ++i )
	{
		for ( int k = 0; k < i; ++k )
			A[i * size + k] = A[k * size + i] = gelRandom_Uniform( random, -0.5, 0.5 );
	}
	for ( int i = 0; i < size; ++i ) // dominated by its diagonal: positive
		A[i * size + i] = 0.5 * size + gelRandom_Uniform( random, 0, size );
	return A;
}

// Hard rows of the set as a dense matrix, and what they want.
static int FillRows( const gelBody* body, int n, double* H, double* wanted )
{
	const gelConstraintSet* set = body->constraints;
	int count = 0;
	for ( int row = 0; row < set->rowCount; ++row )
	{
		const gelConstraintPoint* point = set->points + set->rowPoints[row];
		if ( set->clusters[point->cluster].isSoft ) continue;
		gelVec3 axis = gelGetRowAxis( set, row );
		double* to = H + (size_t)count * (size_t)( 3 * n );
		memset( to, 0, (size_t)( 3 * n ) * sizeof( double ) );
		for ( int k = 0; k < 4; ++k )
		{
			to[3 * point->node[k]] += (double)( point->freeWeight[k] * axis.x );
			to[3 * point->node[k] + 1] += (double)( point->freeWeight[k] * axis.y );
			to[3 * point->node[k] + 2] += (double)( point->freeWeight[k] * axis.z );
		}
		wanted[count++] = gelConstraintRows_GetError( body, row, body->x, true );
	}
	return count;
}

static void TestFilteredGradientsSolveTheSaddlePoint( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	gelBody* body;
	gelStage stage = MakeHeld( gel_solverImplicit, false, &body );
	int n = stage.nodeCount, size = 3 * n;
	assert_true( gelConstraintRows_Prepare( body, 0.01f ) );
	gelConstraintRows_FactorClusters( body );
	double* A = MakeMatrix( &random, n );
	gelVec4 b[MAX_NODES], d[MAX_NODES], r[MAX_NODES], p[MAX_NODES], q[MAX_NODES];
	Fill( &random, b, MAX_NODES );
	for ( int i = 0; i < n; ++i )
		b[i] = ( gelVec4 ){ 50.0f * b[i].x, 50.0f * b[i].y, 50.0f * b[i].z, 0.0f };

	// filtered conjugate gradients
	memset( d, 0, sizeof( d ) );
	gelConstraintRows_Prescribe( body, body->x, d );
	Multiply( A, n, d, q );
	for ( int i = 0; i < n; ++i )
		r[i] = gelMakeVec4( gelSub( gelXyz( b[i] ), gelXyz( q[i] ) ), 0.0f );
	gelConstraintRows_Project( body, r );
	memcpy( p, r, sizeof( r ) );
	double rr = Dot( r, r, n );
	for ( int iteration = 0; iteration < 60; ++iteration )
	{
		Multiply( A, n, p, q );
		gelConstraintRows_Project( body, q );
		double pq = Dot( p, q, n );
		if ( pq <= 0.0 || rr <= 0.0 ) break;
		float alpha = (float)( rr / pq );
		for ( int i = 0; i < n; ++i )
		{
			d[i] = gelMakeVec4( gelMulAdd( gelXyz( d[i] ), alpha, gelXyz( p[i] ) ), 0.0f );
			r[i] = gelMakeVec4( gelMulAdd( gelXyz( r[i] ), -alpha, gelXyz( q[i] ) ), 0.0f );
		}
		gelConstraintRows_Project( body, r ); // rounding would grow in the rows, where q does not see it
		double next = Dot( r, r, n );
		for ( int i = 0; i < n; ++i )
			p[i] = gelMakeVec4( gelMulAdd( gelXyz( r[i] ), (float)( next / rr ), gelXyz( p[i] ) ), 0.0f );
		rr = next;
	}

	// A d + H^T s = b, H d = wanted; a tiny block for the rows that repeat
	double* H = calloc( (size_t)size * 64, sizeof( double ) );
	double wanted[64];
	int rows = FillRows( body, n, H, wanted ), total = size + rows;
	double *K = calloc( (size_t)total * (size_t)total, sizeof( double ) ),
		   *y = calloc( (size_t)total, sizeof( double ) );
	assert_true( H && K && y && rows > 10 );
	for ( int i = 0; i < size; ++i )
	{
		memcpy(
			K + (size_t)i * (size_t)total, A + (size_t)i * (size_t)size, (size_t)size * sizeof( double ) );
		for ( int k = 0; k < rows; ++k )
			K[i * total + size + k] = K[( size + k ) * total + i] = H[k * size + i];
		y[i] = i % 3 == 0 ? b[i / 3].x : i % 3 == 1 ? b[i / 3].y : b[i / 3].z;
	}
	for ( int k = 0; k < rows; ++k )
	{
		K[( size + k ) * total + size + k] = -1e-9;
		y[size + k] = wanted[k];
	}
	gelSolveTestSystem( K, y, total );
	double largest = 0, worst = 0;
	for ( int i = 0; i < n; ++i )
	{
		largest = fmax( largest, fmax( fabs( y[3 * i] ), fabs( y[3 * i + 1] ) ) );
		worst = fmax( worst,
			fabs( y[3 * i] - d[i].x ) + fabs( y[3 * i + 1] - d[i].y ) + fabs( y[3 * i + 2] - d[i].z ) );
	}
	assert_true( largest > 0.01 );
	assert_true( worst < 1e-3 * largest );
	free( A );
	free( H );
	free( K );
	free( y );
	gelFreeStage( &stage );
}

// ---- the complement -------------------------------------------------------------------------------------

// After gelSchur_Solve every hard row has what it wants, and a spring pulls what its length says, whatever
// was there before; what the constraints gave has no net effect on linear momentum beyond the impulses
// themselves.
static void TestComplementMeetsTheRows( void** state )
{
	(void)state;
	gelRandom random = { 9 };
	for ( int hasPins = 0; hasPins < 2; ++hasPins )
	{
		gelBody* body;
		gelStage stage = MakeHeld( gel_solverFastCorotated, hasPins == 1, &body );
		float h = stage.step;
		assert_true( gelAsset_FindFactor( body->asset, h, body->pinSetId, &body->factor ) );
		gelVec3 x[MAX_NODES], before[MAX_NODES];
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			gelVec3 noise = { (float)gelRandom_Uniform( &random, -0.01, 0.01 ), 0.01f, -0.02f };
			before[i] = x[i] = body->invMasses[i] > 0.0f ? gelAdd( body->x[i], noise ) : body->x[i];
		}
		gelSchur_Solve( body, h, x );
		const gelConstraintSet* set = body->constraints;
		gelVec3 impulse = { 0, 0, 0 }, moved = { 0, 0, 0 };
		for ( int row = 0; row < set->rowCount; ++row )
		{
			double left = gelConstraintRows_GetError( body, row, x, false );
			double softness = set->points[set->rowPoints[row]].softness;
			double wanted = gelConstraintRows_GetError( body, row, before, false );
			assert_true( fabs( left - softness * set->impulses[row] ) < 5e-3 * fabs( wanted ) + 1e-6 );
			impulse = gelMulAdd( impulse, (float)set->impulses[row], gelGetRowAxis( set, row ) );
		}
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			moved = gelMulAdd( moved, body->asset->pack.masses[i].mass, gelSub( x[i], before[i] ) );
			if ( body->invMasses[i] == 0.0f ) assert_memory_equal( x + i, before + i, sizeof( gelVec3 ) );
		}
		if ( hasPins == 0 )
			assert_true( gelLength( gelSub( moved, impulse ) ) < 1e-3f * gelLength( impulse ) );
		gelFreeStage( &stage );
	}
}

static void TestDenseFactor( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	double a[64], factor[64], x[8], y[8];
	for ( int i = 0; i < 8; ++i )
	{
		x[i] = gelRandom_Uniform( &random, -1, 1 );
		for ( int k = 0; k <= i; ++k )
			a[8 * i + k] = a[8 * k + i] = i == k ? 5.0 : gelRandom_Uniform( &random, -0.5, 0.5 );
	}
	for ( int i = 0; i < 8; ++i )
	{
		y[i] = 0.0;
		for ( int k = 0; k < 8; ++k )
			y[i] += a[8 * i + k] * x[k];
	}
	memcpy( factor, a, sizeof( a ) );
	gelFactorDense( factor, 8, 1e-12 );
	gelSolveDense( factor, 8, y );
	for ( int i = 0; i < 8; ++i )
		assert_true( fabs( y[i] - x[i] ) < 1e-12 );
	// a matrix of rank one: rows without a pivot get nothing, and all is finite
	for ( int i = 0; i < 64; ++i )
		factor[i] = 1.0;
	gelFactorDense( factor, 8, 1e-9 );
	for ( int i = 0; i < 8; ++i )
		y[i] = 2.0;
	gelSolveDense( factor, 8, y );
	assert_true( fabs( y[0] - 2.0 ) < 1e-12 );
	for ( int i = 1; i < 8; ++i )
		assert_true( y[i] == 0.0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestProjection ),
		cmocka_unit_test( TestOneAfterAnotherIsNoProjection ),
		cmocka_unit_test( TestFilteredGradientsSolveTheSaddlePoint ),
		cmocka_unit_test( TestComplementMeetsTheRows ),
		cmocka_unit_test( TestDenseFactor ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
