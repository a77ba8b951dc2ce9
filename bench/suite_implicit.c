// SPDX-License-Identifier: MIT
// The implicit solver: what a step of ten linear iterations costs per tet and iteration, where the time goes,
// and the loops against their scalar twins.
#include "bench.h"

#include "implicit_ref.h"
#include "solvers/implicit/block_jacobi.h"
#include "solvers/implicit/implicit.h"
#include "state/world.h"

#include <stdlib.h>
#include <string.h>

static const float s_step = 1.0f / 60.0f;

// Iterations of the linear solver in a measured step.
#define GEL_BENCH_ITERATIONS 10

typedef struct gelImplicitRun
{
	gelWorldId world;
	gelBodyId id;
	gelBody* body;
	gelImplicitPass pass; // as in the last step
	gelStiffness stiffness;
	gelVec3 *x, *v; // state to start each measured step from
} gelImplicitRun;

static bool Begin( gelImplicitRun* run, const gelBenchBody* body, gelImplicitDef settings )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = body->asset;
	bodyDef.solver = gelDefaultSolverDef( gel_solverImplicit );
	bodyDef.solver.implicit = settings;
	bodyDef.angularVelocity = ( gelVec3 ){ 1.5f, 2.0f, 0.7f };
	*run = ( gelImplicitRun ){ 0 };
	if ( gelCreateWorld( &worldDef, &run->world ) != gel_success ) return false;
	if ( gelCreateBody( run->world, &bodyDef, &run->id ) != gel_success ) return false;
	run->body = gelGetBody( run->id );
	for ( int i = 0; i < 20; ++i )
		gelWorld_Step( run->world, s_step );
	size_t n = (size_t)body->info.nodeCount;
	run->x = malloc( n * sizeof( gelVec3 ) );
	run->v = malloc( n * sizeof( gelVec3 ) );
	if ( run->x == NULL || run->v == NULL ) return false;
	memcpy( run->x, run->body->x, n * sizeof( gelVec3 ) );
	memcpy( run->v, run->body->v, n * sizeof( gelVec3 ) );
	gelImplicit* implicit = gelGetImplicit( run->body );
	run->pass = ( gelImplicitPass ){ .elements = body->asset->elements,
		.lambdaVolumes = body->asset->lambdaVolumes,
		.blockCount = body->asset->blockCount,
		.u = implicit->u,
		.forceScale = s_step * s_step,
		.stiffnessScale = s_step * s_step,
		.differential = implicit->variant.differential,
		.polarSteps = 2,
		.q = run->body->q,
		.blocks = implicit->blocks,
		.forces = implicit->rhs,
		.degenerateBelow = implicit->variant.degenerateBelow,
		.witnesses = implicit->witnesses,
		.leftLanes = implicit->leftLanes };
	run->stiffness = ( gelStiffness ){ implicit->blocks, body->asset->blockCount, NULL, NULL };
	return true;
}

static void End( gelImplicitRun* run )
{
	if ( run->world.world ) gelDestroyWorld( run->world );
	free( run->x );
	free( run->v );
}

// Always the same step, whatever the ones before did to the body.
static void Step( void* context )
{
	gelImplicitRun* run = context;
	size_t bytes = (size_t)run->body->asset->nodeCount * sizeof( gelVec3 );
	memcpy( run->body->x, run->x, bytes );
	memcpy( run->body->v, run->v, bytes );
	gelWorld_Step( run->world, s_step );
}

static void Elements( void* context )
{
	const gelImplicitRun* run = context;
	gelGetImplicitKernels( run->body->simd )->updateImplicit( &run->pass );
}

static void Elements_Ref( void* context )
{
	const gelImplicitRun* run = context;
	gelUpdateImplicit_Ref( &run->pass );
}

// Sums are set back every time, or they would leave float.
static void Product( void* context )
{
	const gelImplicitRun* run = context;
	const gelImplicit* implicit = gelGetImplicit( run->body );
	memset( implicit->work[0], 0, (size_t)implicit->vectorCount * sizeof( gelVec4 ) );
	gelGetImplicitKernels( run->body->simd )
		->multiplyStiffness( &run->stiffness, implicit->change, implicit->work[0] );
}

static void Product_Ref( void* context )
{
	const gelImplicitRun* run = context;
	const gelImplicit* implicit = gelGetImplicit( run->body );
	memset( implicit->work[0], 0, (size_t)implicit->vectorCount * sizeof( gelVec4 ) );
	gelMultiplyStiffness_Ref( &run->stiffness, implicit->change, implicit->work[0] );
}

// Everything of an iteration but the product with the stiffness matrix.
static void Vectors( void* context )
{
	const gelImplicitRun* run = context;
	const gelImplicit* implicit = gelGetImplicit( run->body );
	const gelVectorKernels* vectors = gelGetVectorKernels( run->body->simd );
	int count = implicit->vectorCount;
	vectors->multiplyMasses( implicit->masses, implicit->work[1], count, implicit->work[2] );
	vectors->dot( implicit->work[1], implicit->work[2], count );
	vectors->advance( 1e-9f, implicit->work[1], implicit->work[2], count, implicit->change, implicit->rhs );
	vectors->multiplyBlocks( implicit->inverses, implicit->rhs, count, implicit->work[0] );
	vectors->turn( implicit->work[0], 0.5f, count, implicit->work[1] );
}

static void Preconditioner( void* context )
{
	const gelImplicitRun* run = context;
	const gelBody* body = run->body;
	const gelImplicit* implicit = gelGetImplicit( body );
	int n = body->asset->nodeCount;
	memset( implicit->sums, 0, 2 * ( (size_t)n + 1 ) * sizeof( gelVec4 ) );
	gelGetImplicitKernels( body->simd )->addDiagonal( &run->stiffness, implicit->sums );
	gelInvertNodeBlocks( implicit->masses, body->invMasses, implicit->sums, NULL, n, implicit->vectorCount,
		implicit->inverses );
}

static gelImplicitDef GetSettings( int iterations )
{
	gelImplicitDef settings = gelDefaultSolverDef( gel_solverImplicit ).implicit;
	settings.linearIterations = iterations;
	settings.tolerance = 0.0f;
	return settings;
}

// Seconds of a step and its iterations.
static bool MeasureStep(
	gelBench* bench, const gelBenchBody* body, gelImplicitDef settings, double* outStep, int* outIterations )
{
	gelImplicitRun run;
	bool ok = Begin( &run, body, settings );
	if ( ok )
	{
		*outStep = gelBench_Best( bench, Step, &run );
		*outIterations = gelGetImplicit( run.body )->linearIterations;
	}
	End( &run );
	return ok;
}

static bool MeasureBody( gelBench* bench, const char* name, const gelBenchBody* body )
{
	gelImplicitRun run;
	double step = 0.0, longStep = 0.0, t = body->info.tetCount;
	int iterations = 0, longIterations = 0;
	bool ok = MeasureStep( bench, body, GetSettings( GEL_BENCH_ITERATIONS ), &step, &iterations ) &&
		MeasureStep( bench, body, GetSettings( 2 * GEL_BENCH_ITERATIONS ), &longStep, &longIterations ) &&
		longIterations > iterations && Begin( &run, body, GetSettings( GEL_BENCH_ITERATIONS ) );
	if ( !ok ) return false;
	double elements = gelBench_Best( bench, Elements, &run );
	double elementsRef = gelBench_Best( bench, Elements_Ref, &run );
	double product = gelBench_Best( bench, Product, &run ),
		   productRef = gelBench_Best( bench, Product_Ref, &run );
	double vectors = gelBench_Best( bench, Vectors, &run );
	double precondition = gelBench_Best( bench, Preconditioner, &run );
	double known = elements + precondition + iterations * ( product + vectors );
	gelBench_Row( bench, "implicit", name, "tets", t, "nodes", (double)body->info.nodeCount, "iterations",
		(double)iterations, "step_us", step * 1e6, "ns_per_tet_and_iteration", step * 1e9 / t / iterations,
		"ns_of_one_more", ( longStep - step ) * 1e9 / t / ( longIterations - iterations ), "elements_share",
		elements / step, "preconditioner_share", precondition / step, "product_share",
		iterations * product / step, "vectors_share", iterations * vectors / step, "other_share",
		1.0 - known / step, NULL );
	gelBench_Row( bench, "implicit_ratios", name, "scalar_times_product", productRef / product,
		"scalar_times_elements", elementsRef / elements, "ns_per_tet_product", product * 1e9 / t,
		"ns_per_tet_elements", elements * 1e9 / t, NULL );
	End( &run );
	return true;
}

// Settings against the default one, same body, same number of iterations.
static bool MeasureVariants( gelBench* bench, const gelBenchBody* body )
{
	static const struct
	{
		const char* name;
		gelDifferential differential;
		gelLinearSolver solver;
		gelElementType element;
	} variants[] = {
		{ "X, cg", gel_differentialX, gel_linearCg, gel_elementPolar },
		{ "H, cg", gel_differentialH, gel_linearCg, gel_elementPolar },
		{ "C, cg", gel_differentialC, gel_linearCg, gel_elementPolar },
		{ "X, minres", gel_differentialX, gel_linearMinres, gel_elementPolar },
		{ "exact, minres", gel_differentialExact, gel_linearMinres, gel_elementPolar },
		{ "qr element, cg", gel_differentialX, gel_linearCg, gel_elementQr },
	};
	double first = 0.0;
	bool ok = true;
	for ( size_t i = 0; ok && i < sizeof( variants ) / sizeof( variants[0] ); ++i )
	{
		gelImplicitDef settings = GetSettings( GEL_BENCH_ITERATIONS );
		gelImplicitVariant variant = gelDefaultImplicitVariant();
		variant.differential = variants[i].differential;
		variant.linearSolver = variants[i].solver;
		variant.element = variants[i].element;
		if ( i > 0 ) settings.variant = &variant;
		double step = 0.0;
		int iterations = 0;
		ok = MeasureStep( bench, body, settings, &step, &iterations );
		if ( i == 0 ) first = step;
		gelBench_Row( bench, "implicit_variants", variants[i].name, "iterations", (double)iterations,
			"step_us", step * 1e6, "times_default", step / first, NULL );
	}
	return ok;
}

bool gelBenchImplicit( gelBench* bench )
{
	static const int tets[] = { 450, 1000, 4000 };
	bool ok = true;
	for ( int i = 0; ok && i < ( bench->quick ? 1 : 3 ); ++i )
	{
		gelBenchBody body;
		char name[64];
		snprintf( name, sizeof( name ), "beam %d", tets[i] );
		ok = gelMakeBenchBeam( bench, tets[i], &body ) && MeasureBody( bench, name, &body );
		if ( ok && i == 0 ) ok = MeasureVariants( bench, &body );
		gelFreeBenchBody( &body );
	}
	gelBenchBody cage;
	ok = ok && gelMakeBenchSample( bench, "bear", bench->quick ? 5000 : 20000, &cage );
	if ( !ok ) return false;
	ok = MeasureBody( bench, "bear cage", &cage );
	gelFreeBenchBody( &cage );
	return ok;
}
