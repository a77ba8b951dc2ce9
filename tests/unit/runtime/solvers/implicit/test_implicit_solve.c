// SPDX-License-Identifier: MIT
// The iterative solvers against dense ones: product and assembled matrix, solutions with and without
// constraints of nodes, indefinite matrices, and what the preconditioners are worth.
#include "test_support.h"

#include "implicit_drive.h"
#include "implicit_ref.h"
#include "solvers/experiments/experiments.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A body with its last linear system, whose matrix is assembled in double from the blocks that the kernels
// use.
typedef struct System
{
	gelStage stage;
	gelBody* body;
	gelLinearSystem linear;
	double* matrix; // matrix of the free nodes, rows of 3 per node
	int* rows;      // per free number: index into vectors of nodes, 3 node + axis
	int n;
	gelVec4 *r, *d, *product;
} System;

static gelVec4* MakeVector( int count )
{
	size_t bytes = (size_t)count * sizeof( gelVec4 );
	gelVec4* v = aligned_alloc( 64, ( bytes + 63 ) / 64 * 64 );
	assert_non_null( v );
	memset( v, 0, bytes );
	return v;
}

// Z h of the formulas in double, element by element.
static void AddElement( const gelStiffness* stiffness, int slot, int n, double* K )
{
	const gelStiffnessBlock* block = stiffness->blocks + slot / 8;
	int lane = slot % 8, node[4];
	double h[4][3] = { { 0.0 } }, T[9] = { 0.0 };
	for ( int k = 0; k < 4; ++k )
		node[k] = (int)( block->node[k][lane] / sizeof( gelVec4 ) );
	for ( int k = 1; k < 4; ++k )
	{
		for ( int d = 0; d < 3; ++d )
		{
			h[k][d] = block->gradient[3 * ( k - 1 ) + d][lane];
			h[0][d] -= h[k][d];
		}
	}
	if ( stiffness->twists )
	{
		static const int place[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
		for ( int i = 0; i < 9; ++i )
			T[i] = stiffness->twists[slot / 8].T[place[i]][lane];
	}
	double a = block->a[lane], b = block->b[lane], c = block->c[lane];
	for ( int j = 0; j < 12; ++j ) // unit displacement of corner j / 3 along j % 3
	{
		double L[9] = { 0.0 }, Z[9];
		for ( int d = 0; d < 3; ++d )
			L[3 * ( j % 3 ) + d] = h[j / 3][d];
		double trace = L[0] + L[4] + L[8];
		const double y[3] = { 0.5 * ( L[7] - L[5] ), 0.5 * ( L[2] - L[6] ), 0.5 * ( L[3] - L[1] ) };
		double w[3];
		for ( int i = 0; i < 3; ++i )
			w[i] = T[3 * i] * y[0] + T[3 * i + 1] * y[1] + T[3 * i + 2] * y[2];
		const double cross[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
		for ( int i = 0; i < 9; ++i )
			Z[i] = a * L[i] + b * L[3 * ( i % 3 ) + i / 3] + ( i % 4 == 0 ? c * trace : 0.0 ) + cross[i];
		for ( int i = 0; i < 12; ++i )
		{
			const double* row = Z + 3 * ( i % 3 );
			double force = row[0] * h[i / 3][0] + row[1] * h[i / 3][1] + row[2] * h[i / 3][2];
			if ( node[i / 3] < n / 3 && node[j / 3] < n / 3 )
				K[( 3 * node[i / 3] + i % 3 ) * n + 3 * node[j / 3] + j % 3] += force;
		}
	}
}

// The stiffness at given positions: a step of the exact differential leaves that of C.
static void UpdateStiffness( gelBody* body, const gelVec3* rest, const gelVec3* x, float h )
{
	gelImplicit* implicit = gelGetImplicit( body );
	const gelAsset* asset = body->asset;
	gelVec4 *u = MakeVector( implicit->vectorCount ), *forces = MakeVector( implicit->vectorCount );
	for ( int i = 0; i < asset->nodeCount; ++i )
		u[i] = gelMakeVec4( gelSub( x[i], rest[i] ), 0.0f );
	gelImplicitPass pass = { .elements = asset->elements,
		.lambdaVolumes = asset->lambdaVolumes,
		.blockCount = asset->blockCount,
		.u = u,
		.forceScale = h * h,
		.stiffnessScale = h * h,
		.differential = implicit->variant.differential,
		.twists = implicit->twists,
		.findTwist = gelFindVariantTwist,
		.polarSteps = 10,
		.q = body->q,
		.blocks = implicit->blocks,
		.forces = forces,
		.leftLanes = implicit->leftLanes };
	assert_true( gelUpdateImplicit_Ref( &pass ) );
	free( u );
	free( forces );
}

// @param squeeze the body is that much smaller than at rest: what makes the exact differential indefinite
static System MakeSystem( gelStageDef* def, double noise, double squeeze )
{
	System system = { 0 };
	if ( def->body.solver.type != gel_solverImplicit )
		def->body.solver = gelDefaultSolverDef( gel_solverImplicit );
	system.stage = gelMakeStage( def );
	gelStage* stage = &system.stage;
	gelRandom random = { 9 };
	for ( int i = 0; i < stage->nodeCount; ++i )
	{
		stage->nodes[i] = gelScale( (float)( 1.0 - squeeze ), stage->rest[i] );
		if ( stage->rest[i].x < 1e-6f ) continue;
		stage->nodes[i].x += (float)gelRandom_Uniform( &random, -noise, noise );
		stage->nodes[i].y += (float)gelRandom_Uniform( &random, -noise, noise );
		stage->nodes[i].z += (float)gelRandom_Uniform( &random, -noise, noise );
	}
	gelBody_SetNodeState( stage->body, stage->nodes, stage->velocities, stage->nodeCount );
	gelStage_Step( stage, 1 );
	gelBody* body = system.body = gelGetBody( stage->body );
	const gelImplicit* implicit = gelGetImplicit( body );
	UpdateStiffness( body, stage->rest, stage->nodes, stage->step );
	system.linear = ( gelLinearSystem ){ .body = body,
		.stiffness = { implicit->blocks, stage->asset->blockCount, implicit->twists, implicit->multiply },
		.masses = implicit->masses,
		.count = implicit->vectorCount,
		.preconditioner = implicit->def.preconditioner,
		.blocks = implicit->inverses,
		.isFree = body->pinCount == 0 };
	for ( int i = 0; i < 8; ++i )
		system.linear.work[i] = MakeVector( implicit->vectorCount );
	system.r = MakeVector( implicit->vectorCount );
	system.d = MakeVector( implicit->vectorCount );
	system.product = MakeVector( implicit->vectorCount );

	int full = 3 * stage->nodeCount;
	double* K = calloc( (size_t)full * (size_t)full, sizeof( double ) );
	system.rows = calloc( (size_t)full, sizeof( int ) );
	assert_true( K && system.rows );
	for ( int slot = 0; slot < 8 * stage->asset->blockCount; ++slot )
		AddElement( &system.linear.stiffness, slot, full, K );
	for ( int i = 0; i < full; ++i )
	{
		K[i * full + i] += implicit->masses[i / 3];
		if ( body->invMasses[i / 3] > 0.0f ) system.rows[system.n++] = i;
	}
	system.matrix = calloc( (size_t)system.n * (size_t)system.n, sizeof( double ) );
	assert_non_null( system.matrix );
	for ( int i = 0; i < system.n; ++i )
	{
		for ( int j = 0; j < system.n; ++j )
			system.matrix[i * system.n + j] = K[system.rows[i] * full + system.rows[j]];
	}
	free( K );
	return system;
}

static void FreeSystem( System* system )
{
	for ( int i = 0; i < 8; ++i )
		free( system->linear.work[i] );
	free( system->r );
	free( system->d );
	free( system->product );
	free( system->matrix );
	free( system->rows );
	gelFreeStage( &system->stage );
}

// The matrix may be indefinite.
static void SolveDense( int n, const double* matrix, double* b )
{
	double* m = gelTestAlloc( (size_t)n * (size_t)n, sizeof( double ) );
	memcpy( m, matrix, (size_t)n * (size_t)n * sizeof( double ) );
	gelSolveTestSystem( m, b, n );
	free( m );
}

// Random right-hand side on the free nodes, as vector of nodes and of free numbers.
static void FillRhs( const System* system, double* b )
{
	gelRandom random = { 10 };
	for ( int i = 0; i < system->n; ++i )
	{
		float value = (float)gelRandom_Normal( &random );
		( &system->r[system->rows[i] / 3].x )[system->rows[i] % 3] = value;
		b[i] = value;
	}
	memset( system->d, 0, (size_t)system->linear.count * sizeof( gelVec4 ) );
}

// The product is that of the assembled matrix.
static void TestProductIsMatrix( void** state )
{
	(void)state;
	for ( int differential = gel_differentialX; differential <= gel_differentialExact; ++differential )
	{
		gelStageDef def = gelDefaultStageDef();
		def.pinLeft = differential % 2 == 0;
		def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
		gelImplicitVariant variant = gelDefaultImplicitVariant();
		variant.differential = (gelDifferential)differential;
		variant.linearSolver = gel_linearMinres;
		def.body.solver.implicit.variant = &variant;
		System system = MakeSystem( &def, 0.05, 0.0 );
		double* b = calloc( (size_t)system.n, sizeof( double ) );
		FillRhs( &system, b );
		gelMultiplySystem( &system.linear, system.r, system.product );
		gelProjectNodes( &system.linear, system.product );
		double error = 0.0, size = 0.0;
		for ( int i = 0; i < system.n; ++i )
		{
			double sum = 0.0;
			for ( int j = 0; j < system.n; ++j )
				sum += system.matrix[i * system.n + j] * b[j];
			double is = ( &system.product[system.rows[i] / 3].x )[system.rows[i] % 3];
			error = fmax( error, fabs( is - sum ) );
			size = fmax( size, fabs( sum ) );
		}
		assert_true( error < 2e-6 * size );
		for ( int k = 0; k < system.body->pinCount; ++k )
			assert_true( system.product[system.body->pins[k]].x == 0.0f );
		free( b );
		FreeSystem( &system );
	}
}

// Solutions at a tight tolerance are those of a dense solver: both methods, all preconditioners; minimal
// residuals also for the indefinite matrix of the exact differential.
static void TestSolutions( void** state )
{
	(void)state;
	static const struct
	{
		gelDifferential differential;
		gelLinearSolver solver;
		gelPreconditioner preconditioner;
		bool pinLeft;
	} cases[] = {
		{ gel_differentialX, gel_linearCg, gel_preconditionBlocks, true },
		{ gel_differentialX, gel_linearCg, gel_preconditionBlocks, false },
		{ gel_differentialC, gel_linearCg, gel_preconditionNone, true },
		{ gel_differentialX, gel_linearCg, gel_preconditionFactor, true },
		{ gel_differentialX, gel_linearCg, gel_preconditionFactor, false },
		{ gel_differentialH, gel_linearMinres, gel_preconditionBlocks, true },
		{ gel_differentialTwo, gel_linearMinres, gel_preconditionNone, false },
		{ gel_differentialExact, gel_linearMinres, gel_preconditionBlocks, true },
		{ gel_differentialExact, gel_linearMinres, gel_preconditionFactor, false },
	};
	for ( size_t c = 0; c < sizeof( cases ) / sizeof( cases[0] ); ++c )
	{
		gelStageDef def = gelDefaultStageDef();
		def.pinLeft = cases[c].pinLeft;
		def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
		gelImplicitVariant variant = gelDefaultImplicitVariant();
		variant.differential = cases[c].differential;
		variant.linearSolver = cases[c].solver;
		def.body.solver.implicit.variant = &variant;
		def.body.solver.implicit.preconditioner = cases[c].preconditioner;
		bool isExact = cases[c].differential == gel_differentialExact;
		System system = MakeSystem( &def, 0.05, isExact ? 0.2 : 0.0 );
		double* b = calloc( (size_t)system.n, sizeof( double ) );
		FillRhs( &system, b );
		double reference = gelGetNorm( &system.linear, system.r );
		gelSolveFcn* solve = cases[c].solver == gel_linearMinres ? gelSolveMinres : gelSolveSystem;
		gelLinearResult result = solve( &system.linear, 2000, 1e-6f, reference, system.r, system.d );
		SolveDense( system.n, system.matrix, b );
		double error = 0.0, size = 0.0;
		for ( int i = 0; i < system.n; ++i )
		{
			double is = ( &system.d[system.rows[i] / 3].x )[system.rows[i] % 3];
			error += ( is - b[i] ) * ( is - b[i] );
			size += b[i] * b[i];
		}
		assert_true( result.iterations > 3 && result.iterations < 2000 );
		assert_true( sqrt( error ) < 1e-3 * sqrt( size ) );
		free( b );
		FreeSystem( &system );
	}
}

// The matrix of the exact differential at this state has negative eigenvalues: else the case above would say
// little.
static void TestExactIsIndefinite( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = def.cells[1] = def.cells[2] = 1;
	def.youngsModulus = 1e9;
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	gelImplicitVariant variant = gelDefaultImplicitVariant();
	variant.differential = gel_differentialExact;
	variant.linearSolver = gel_linearMinres;
	def.body.solver.implicit.variant = &variant;
	System system = MakeSystem( &def, 0.05, 0.2 );
	double* values = calloc( (size_t)system.n, sizeof( double ) );
	gelEigenDense( system.n, system.matrix, values, NULL );
	double lowest = 0.0, highest = 0.0;
	for ( int i = 0; i < system.n; ++i )
	{
		lowest = fmin( lowest, values[i] );
		highest = fmax( highest, values[i] );
	}
	assert_true( lowest < -1e-3 * highest );
	free( values );
	FreeSystem( &system );
}

static int CountIterations( double youngsModulus, gelPreconditioner preconditioner )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = 16;
	def.cells[1] = def.cells[2] = 5;
	def.size[0] = 3.2;
	def.pinLeft = true;
	def.youngsModulus = youngsModulus;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	def.body.solver.implicit.preconditioner = preconditioner;
	def.body.solver.implicit.linearIterations = 2000;
	gelStage stage = gelMakeStage( &def );
	int sum = 0;
	for ( int i = 0; i < 20; ++i )
	{
		gelStage_Step( &stage, 1 );
		sum += gelGetImplicit( gelGetBody( stage.body ) )->linearIterations;
	}
	gelFreeStage( &stage );
	return sum / 20;
}

// Measured at 1e5, 1e6, 1e7, 1e8, 1e9, 1e10 Pa: factor 3 8 17 25 21 15, blocks 6 19 48 79 81 76, none 16 33
// 76 119 115 98 iterations. Blocks need more the finer the cage, the factor does not.
static void TestPreconditioners( void** state )
{
	(void)state;
	int factor = CountIterations( 1e8, gel_preconditionFactor );
	int blocks = CountIterations( 1e8, gel_preconditionBlocks );
	assert_true( factor < 40 && CountIterations( 1e10, gel_preconditionFactor ) <= factor );
	assert_true( blocks > 2 * factor );
	assert_true( CountIterations( 1e8, gel_preconditionNone ) > blocks );
}

// A step length without a factor is refused with that preconditioner, and taken without it.
static void TestFactorIsNeeded( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	def.body.solver.implicit.preconditioner = gel_preconditionFactor;
	gelStage stage = gelMakeStage( &def );
	assert_int_equal( gelWorld_Step( stage.world, 0.0123f ), gel_errorNoFactor );
	assert_int_equal( gelWorld_Step( stage.world, stage.step ), gel_success );
	gelFreeStage( &stage );
	def.body.solver.implicit.preconditioner = gel_preconditionBlocks;
	stage = gelMakeStage( &def );
	assert_int_equal( gelWorld_Step( stage.world, 0.0123f ), gel_success );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestProductIsMatrix ),
		cmocka_unit_test( TestSolutions ),
		cmocka_unit_test( TestExactIsIndefinite ),
		cmocka_unit_test( TestPreconditioners ),
		cmocka_unit_test( TestFactorIsNeeded ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
