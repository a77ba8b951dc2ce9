// SPDX-License-Identifier: MIT
#include "solvers/fast/fast_corotated.h"

#include "asset/blocks.h"
#include "constraints/constraint_set.h"
#include "solvers/node_body.h"
#include "simd/node_kernels.h"
#include "solvers/fast/lanes.h"
#include "solvers/plastic/plastic_elements.h"
#include "solvers/fast/spin_keeper.h"
#include "solvers/fast/unfolding.h"
#include "state/touch_point.h"
#include "simd/supernodal_solve.h"

#include <string.h>

// Passes of local (rotations) and global (solve) steps. One is the paper's setting; at longer steps more are
// needed near pinned nodes, where the prediction of a free node has dropped by h^2 g and its pinned
// neighbor's has not. Sag of a beam without volume term relative to the static solution, 1 / 2 / 3 passes:
// 10 ms 1.05 / 0.99 / 0.99; 20 ms 1.20 / 1.02 / 0.98; 33 ms 1.48 / 1.20 / 1.01.
static int GetPassCount( const gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	if ( body->def.solver.fast.passes > 0 ) return body->def.solver.fast.passes;
	return h <= 0.0101f ? 1 : h <= 0.0168f ? 2 : 3;
}

static int GetSweepCount( const gelBody* body )
{
	if ( body->def.solver.fast.volumeSweeps > 0 ) return body->def.solver.fast.volumeSweeps;
	float nu = body->asset->maxPoisson;
	return nu <= 0.4f ? 1 : nu <= 0.45f ? 2 : 5;
}

static gelVec3 GetRest( const gelBody* body, int i )
{
	GEL_ASSERT( i >= 0 && i < body->asset->nodeCount );
	return gelGetRestNode( body->asset->pack.nodes, (uint32_t)i );
}

// x~ and its displacements.
static void Predict( gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( body->factor.header != NULL );
	int n = body->asset->nodeCount;
	gelSpinKeeper_Begin( body, ctx->h );
	memcpy( body->xOld, body->x, (size_t)n * sizeof( gelVec3 ) );
	gelNodePass pass = { body->x, body->v, body->forces, body->invMasses, body->asset->pack.nodes, n, ctx->h,
		ctx->gravity };
	gelGetNodeKernels( body->simd )->predict( &pass, body->xTilde, body->uTilde );
	for ( int k = 0; k < body->pinCount; ++k )
	{
		int i = (int)body->pins[k];
		body->xTilde[i] = gelMakeVec4( body->pinTargets[k], 0.0f );
		body->uTilde[i] = gelMakeVec4( gelSub( body->pinTargets[k], GetRest( body, i ) ), 0.0f );
	}
	body->xTilde[n] = body->uTilde[n] = body->p[n] = ( gelVec4 ){ 0.0f, 0.0f, 0.0f, 0.0f };
}

// Local step: rotations at displacements u, right-hand sides in the order of the factor.
static void UpdateElements( gelBody* body, const gelVec4* u )
{
	const gelAsset* asset = body->asset;
	memset( body->b, 0, ( (size_t)asset->nodeCount + 1 ) * sizeof( gelVec4 ) );
	for ( int i = 0; i < asset->nodeCount && body->hasLoads; ++i )
		body->b[i] = gelMakeVec4( body->loads[i], 0.0f );
	body->isUsable = gelGetElementKernels( body->simd )
						 ->updateElements( asset->elements, asset->blockCount, u, body->uTilde,
							 body->elasticStep, body->q, body->b );
	if ( body->plastic ) gelAddPlasticCorners( body, u, body->elasticStep );
	gelGetNodeKernels( body->simd )
		->gatherRows( body->factor.perm, body->factor.header->n, body->b, body->y );
}

// x = x~ + A^-1 b for free nodes, x = x~ for pinned ones.
static void TakeSolution( gelBody* body )
{
	GEL_ASSERT( body->rowNodes != NULL );
	const gelPackFactorView* factor = &body->factor;
	for ( int i = 0; i < body->pinCount; ++i )
		body->p[body->pins[i]] = body->xTilde[body->pins[i]];
	gelGetNodeKernels( body->simd )
		->addRows( factor->perm, factor->header->n, body->xTilde, body->y, body->p );
}

// Displacements of the positions so far, in the memory of y, which is free between solves.
static gelVec4* UpdateDisplacements( gelBody* body )
{
	int n = body->asset->nodeCount;
	gelGetNodeKernels( body->simd )->subtractRest( body->p, body->asset->pack.nodes, n, body->y );
	body->y[n] = ( gelVec4 ){ 0.0f, 0.0f, 0.0f, 0.0f };
	return body->y;
}

static void SolveVolume( gelBody* body )
{
	float h = body->elasticStep;
	const gelAsset* asset = body->asset;
	int sweepCount = GetSweepCount( body );
	float* kappa = sweepCount > 1 ? body->kappa : NULL;
	if ( kappa ) memset( kappa, 0, GEL_BLOCK_LANES * (size_t)asset->blockCount * sizeof( float ) );
	body->isFolding = false;
	for ( int sweep = 0; sweep < sweepCount; ++sweep )
		body->isFolding |=
			gelGetVolumeKernels( body->simd )->sweep( asset->volumes, asset->blockCount, h, kappa, body->p );
}

// Whether so many tets were inside out when the step began that they are a tangle (unfolding.h).
static bool IsTangled( const gelBody* body )
{
	GEL_ASSERT( body->xOld != NULL );
	const gelPackTet* tets = body->asset->pack.tets;
	const gelVec3* x = body->xOld;
	int inverted = 0;
	for ( int t = 0; t < body->asset->tetCount; ++t )
	{
		const uint32_t* node = tets[t].node;
		inverted += gelTetDeterminant( x[node[0]], x[node[1]], x[node[2]], x[node[3]] ) <= 0.0f;
	}
	return inverted > body->asset->tetCount / GEL_UNFOLDING_PART;
}

// Points that the ground and shapes carry do not follow into them.
static void KeepOut( gelBody* body )
{
	GEL_ASSERT( body->p != NULL );
	const gelBodyContact* touch = body->contact;
	for ( int i = 0; touch && i < touch->pointCount; ++i )
	{
		const gelTouchPoint* point = touch->points + i;
		float way = 0.0f, sum = 0.0f;
		for ( int k = 0; k < 4; ++k )
		{
			gelVec3 move = gelSub( gelXyz( body->p[point->node[k]] ), body->x[point->node[k]] );
			way += point->w[k] * gelDot( point->normal, move );
			sum += point->w[k] * point->w[k];
		}
		for ( int k = 0; k < 4 && way < 0.0f && gelTouchPoint_Pushes( point ); ++k )
		{
			gelVec4* p = body->p + point->node[k];
			*p = gelMakeVec4( gelMulAdd( gelXyz( *p ), -way * point->w[k] / sum, point->normal ), p->w );
		}
	}
}

// Tets that the step has left flat or inside out.
static void UnfoldTets( gelBody* body )
{
	GEL_ASSERT( body->p != NULL );
	const gelAsset* asset = body->asset;
	int n = asset->nodeCount;
	// In quality mode plain steps come between others, which would not keep what these do: bodies tremble.
	if ( body->data != NULL || IsTangled( body ) ) return;
	for ( int i = 0; i < n; ++i )
		body->p[i] = gelMakeVec4( body->x[i], body->invMasses[i] );
	body->p[n] = ( gelVec4 ){ 0.0f, 0.0f, 0.0f, 0.0f };
	const gelVolumeKernels* kernels = gelGetVolumeKernels( body->simd );
	for ( int pass = 0; pass < GEL_MAX_UNFOLDS; ++pass )
	{
		if ( !kernels->unfold( asset->volumes, asset->blockCount, body->p ) ) break;
		KeepOut( body );
	}
	gelGetNodeKernels( body->simd )->store( body->p, n, body->x );
}

void gelUnfoldTets( gelBody* body )
{
	GEL_ASSERT( body->x != NULL );
	if ( body->isFolding && gelBody_IsInContact( body ) && !gelBody_IsTouched( body ) &&
		!gelBody_IsConstrained( body ) )
		UnfoldTets( body );
}

// What constraints ask for comes last, even if it folds tets.
static void SolveConstraints( gelBody* body, const gelStepContext* ctx )
{
	if ( body->isFolding && gelBody_IsConstrained( body ) ) UnfoldTets( body );
	if ( body->constraints ) body->constraints->calls->solve( body, ctx->h, body->x );
}

// v = (x - x_old)/h, damped implicitly: v / (1 + h d) never turns round however large d is.
// @return false: the step failed
static bool UpdateVelocities( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	const gelAsset* asset = body->asset;
	bool isWithin =
		gelGetNodeKernels( body->simd )
			->difference( body->x, body->xOld, asset->nodeCount, 1.0f / h, GEL_MAX_COORDINATE, body->v );
	if ( !isWithin || !body->isUsable ) return false;
	gelSpinKeeper_End( body, h );
	for ( int i = 0; i < asset->nodeCount && asset->hasDamping; ++i )
	{
		if ( body->invMasses[i] == 0.0f ) continue; // moves as the game says
		body->v[i] = gelScale( 1.0f / ( 1.0f + h * asset->nodeDampings[i] ), body->v[i] );
	}
	return true;
}

void gelEndFastStep( gelBody* body, const gelStepContext* ctx )
{
	if ( body->hasForces ) memset( body->forces, 0, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	body->hasForces = false;
	gelUnfoldTets( body );
	if ( !UpdateVelocities( body, ctx->h ) ) gelNodeBody_PutBack( body );
	if ( body->plastic && !body->wasPutBack ) gelFlowPlasticStrains( body, ctx->h );
	if ( body->constraints ) body->constraints->calls->finish( body, ctx->h );
}

void gelFinishFastStep( gelBody* body, const gelStepContext* ctx )
{
	gelGetNodeKernels( body->simd )->store( body->p, body->asset->nodeCount, body->x );
	SolveConstraints( body, ctx );
}

static void StepOneByOne( gelBody* const* bodies, int count, const gelStepContext* ctx )
{
	GEL_ASSERT( count >= 1 && count <= GEL_MAX_GROUP );
	gelVec4* y[GEL_MAX_GROUP];
	for ( int i = 0; i < count; ++i )
	{
		Predict( bodies[i], ctx );
		y[i] = bodies[i]->y;
	}
	for ( int pass = 0; pass < GetPassCount( bodies[0], ctx->h ); ++pass )
	{
		for ( int i = 0; i < count; ++i )
		{
			const gelVec4* u = pass == 0 ? bodies[i]->uTilde : UpdateDisplacements( bodies[i] );
			UpdateElements( bodies[i], u );
		}
		gelSolveFactor( bodies[0]->simd, &bodies[0]->factor, y, count, bodies[0]->solveScratch );
		for ( int i = 0; i < count; ++i )
			TakeSolution( bodies[i] );
	}
	for ( int i = 0; i < count; ++i )
	{
		SolveVolume( bodies[i] );
		gelGetNodeKernels( bodies[i]->simd )
			->store( bodies[i]->p, bodies[i]->asset->nodeCount, bodies[i]->x );
	}
}

// ---- side by side ----------------------------------------------------------------------------------------

// Old positions are kept by exchanging arrays: nothing has to be copied, and the step writes all of the new
// ones. Whoever looks for contacts between bodies has taken note of where positions are.
static void KeepPositions( gelBody* body )
{
	gelVec3* x = body->x;
	if ( body->contact )
		memcpy( body->xOld, x, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	else
	{
		body->x = body->xOld;
		body->xOld = x;
	}
}

// Scratch memory: | xTilde | uTilde | p | b | y | solveScratch | kappa |
static gelLanes MakeLanes(
	gelBody* const* bodies, int count, int laneCount, const gelStepContext* ctx, float* scratch )
{
	GEL_ASSERT( count >= 1 && count <= laneCount && scratch != NULL );
	const gelAsset* asset = bodies[0]->asset;
	size_t nodes = 3 * (size_t)laneCount * ( (size_t)asset->nodeCount + 1 );
	size_t rows = asset->solveScratch / GEL_SOLVE_SCRATCH_PER_BLOCK * 8;
	gelLanes lanes = { asset->nodeCount, asset->blockCount, asset->elements, asset->volumes,
		asset->pack.nodes, bodies[0]->invMasses, ctx->h, bodies[0]->elasticStep, ctx->gravity,
		.xTilde = scratch, .uTilde = scratch + nodes, .p = scratch + 2 * nodes, .b = scratch + 3 * nodes,
		.y = scratch + 4 * nodes, .solveScratch = scratch + 5 * nodes,
		.kappa = scratch + 5 * nodes + 3 * (size_t)laneCount * rows };
	for ( int k = 0; k < laneCount; ++k )
	{
		gelBody* body = bodies[gelMinInt( k, count - 1 )];
		lanes.x[k] = body->xOld;
		lanes.v[k] = body->v;
		lanes.forces[k] = body->forces;
		lanes.q[k] = body->q;
		lanes.out[k] = body->x;
		lanes.hasForces |= body->hasForces;
	}
	return lanes;
}

// Pinned nodes are where the game wants them; p keeps that, since the solve only writes free nodes.
static void SetLanePins( gelBody* const* bodies, int count, int laneCount, const gelLanes* lanes )
{
	GEL_ASSERT( count >= 1 && count <= laneCount );
	for ( int k = 0; k < laneCount; ++k )
	{
		const gelBody* body = bodies[gelMinInt( k, count - 1 )];
		for ( int i = 0; i < body->pinCount; ++i )
		{
			gelVec3 to = body->pinTargets[i], u = gelSub( to, GetRest( body, (int)body->pins[i] ) );
			for ( int d = 0; d < 3; ++d )
			{
				size_t at = (size_t)laneCount * ( 3 * (size_t)body->pins[i] + (size_t)d ) + (size_t)k;
				lanes->xTilde[at] = lanes->p[at] = ( &to.x )[d];
				lanes->uTilde[at] = ( &u.x )[d];
			}
		}
	}
}

// Right-hand sides begin with the loads of contact. Those of lanes without a body, too: what the last lane
// stores is what the last body gets.
static void SetLaneLoads( gelBody* const* bodies, int count, int laneCount, const gelLanes* lanes )
{
	for ( int k = 0; k < laneCount; ++k )
	{
		const gelBody* body = bodies[gelMinInt( k, count - 1 )];
		for ( int i = 0; i < lanes->nodeCount && body->hasLoads; ++i )
		{
			float* to = lanes->b + 3 * (size_t)laneCount * (size_t)i + (size_t)k;
			to[0] = body->loads[i].x;
			to[laneCount] = body->loads[i].y;
			to[2 * laneCount] = body->loads[i].z;
		}
	}
}

// @return a bit per lane whose body is folding
static int SweepLanes( const gelLaneKernels* kernels, const gelLanes* lanes, int sweepCount )
{
	GEL_ASSERT( sweepCount >= 0 );
	float* kappa = sweepCount > 1 ? lanes->kappa : NULL;
	size_t slots = GEL_BLOCK_LANES * (size_t)lanes->blockCount;
	if ( kappa ) memset( kappa, 0, (size_t)kernels->laneCount * slots * sizeof( float ) );
	int folding = 0;
	for ( int sweep = 0; sweep < sweepCount; ++sweep )
		folding |= kernels->sweepVolume( lanes, kappa );
	return folding;
}

// Up to kernels->laneCount bodies.
static void StepSideBySide( const gelLaneKernels* kernels, gelBody* const* bodies, int count,
	const gelStepContext* ctx, float* scratch )
{
	GEL_ASSERT( bodies[0]->asset == bodies[count - 1]->asset );
	const gelBody* first = bodies[0];
	int n = first->asset->nodeCount, laneCount = kernels->laneCount, usable = 0;
	size_t nodeBytes = 3 * (size_t)laneCount * sizeof( float ), padding = 3 * (size_t)laneCount * (size_t)n;
	for ( int i = 0; i < count; ++i )
	{
		gelSpinKeeper_Begin( bodies[i], ctx->h );
		KeepPositions( bodies[i] );
	}
	gelLanes lanes = MakeLanes( bodies, count, laneCount, ctx, scratch );
	kernels->predict( &lanes );
	SetLanePins( bodies, count, laneCount, &lanes );
	memset( lanes.uTilde + padding, 0, nodeBytes );
	memset( lanes.p + padding, 0, nodeBytes );
	for ( int pass = 0; pass < GetPassCount( first, ctx->h ); ++pass )
	{
		float* u = pass == 0 ? lanes.uTilde : lanes.y; // y is free between solves
		if ( pass > 0 )
		{
			kernels->subtractRest( &lanes, u );
			memset( u + padding, 0, nodeBytes );
		}
		memset( lanes.b, 0, nodeBytes * ( (size_t)n + 1 ) );
		SetLaneLoads( bodies, count, laneCount, &lanes );
		usable = kernels->updateElements( &lanes, u );
		kernels->solve( &lanes, &first->factor );
	}
	int folding = SweepLanes( kernels, &lanes, GetSweepCount( first ) );
	kernels->store( &lanes );
	for ( int i = 0; i < count; ++i )
	{
		bodies[i]->isUsable = ( usable >> i & 1 ) != 0;
		bodies[i]->isFolding = ( folding >> i & 1 ) != 0;
	}
}

// The loops for the next of `count` bodies; NULL: one by one.
static const gelLaneKernels* ChooseLanes( gelSimdLevel simd, int count )
{
	const gelLaneKernels* kernels = gelGetLaneKernels( simd );
	if ( count < GEL_MIN_LANES || kernels->laneCount == 0 ) return NULL;
	return count >= GEL_MIN_WIDE_LANES && kernels->wide != NULL ? kernels->wide : kernels;
}

void gelStepFastCorotated( gelBody* const* bodies, int count, const gelStepContext* ctx, float* laneScratch )
{
	GEL_ASSERT( count >= 1 && count <= GEL_MAX_GROUP && ctx->h > 0.0f );
	GEL_ASSERT( count <= GEL_MAX_GROUP );
	bool canUseLanes = laneScratch != NULL && bodies[0]->factor.version == 2;
	for ( int i = 0; i < count; ++i )
		canUseLanes = canUseLanes && bodies[i]->plastic == NULL;
	for ( int first = 0; first < count; )
	{
		int left = count - first;
		const gelLaneKernels* lanes = canUseLanes ? ChooseLanes( bodies[0]->simd, left ) : NULL;
		int taken = lanes ? gelMinInt( left, lanes->laneCount ) : left;
		if ( lanes )
			StepSideBySide( lanes, bodies + first, taken, ctx, laneScratch );
		else
			StepOneByOne( bodies + first, taken, ctx );
		first += taken;
	}
	for ( int i = 0; i < count; ++i )
		SolveConstraints( bodies[i], ctx );
}
