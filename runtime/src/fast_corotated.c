// SPDX-License-Identifier: MIT
#include "fast_corotated.h"

#include "constraint_schur.h"
#include "ground.h"
#include "spin_keeper.h"
#include "supernodal_solve.h"

#include <string.h>

// Passes of local (rotations) and global (solve) steps. One is the paper's setting; at longer steps more are
// needed near pinned nodes, where the prediction of a free node has dropped by h^2 g and its pinned
// neighbour's has not. Sag of a beam without volume term relative to the static solution, 1 / 2 / 3 passes:
// 10 ms 1.05 / 0.99 / 0.99; 20 ms 1.20 / 1.02 / 0.98; 33 ms 1.48 / 1.20 / 1.01.
static int GetPassCount( const gelBody* body, float h )
{
	if ( body->passes > 0 ) return body->passes;
	return h <= 0.0101f ? 1 : h <= 0.0168f ? 2 : 3;
}

static int GetSweepCount( const gelBody* body )
{
	if ( body->volumeSweeps > 0 ) return body->volumeSweeps;
	float nu = body->asset->maxPoisson;
	return nu <= 0.4f ? 1 : nu <= 0.45f ? 2 : 5;
}

static gelVec3 GetRest( const gelBody* body, int i )
{
	return gelGetRestNode( body->asset->pack.nodes, (uint32_t)i );
}

// x~ and its displacements.
static void Predict( gelBody* body, const gelStepContext* ctx )
{
	float h = ctx->h;
	int n = body->asset->nodeCount;
	gelSpinKeeper_Begin( body, h );
	memcpy( body->xOld, body->x, (size_t)n * sizeof( gelVec3 ) );
	for ( int i = 0; i < n; ++i )
	{
		float w = body->invMasses[i];
		gelVec3 velocity = gelMulAdd( body->v[i], h, ctx->gravity );
		velocity = gelMulAdd( velocity, h * w, body->forces[i] );
		gelVec3 x = gelMulAdd( body->x[i], h, velocity );
		body->xTilde[i] = gelMakeVec4( x, w );
		body->uTilde[i] = gelMakeVec4( gelSub( x, GetRest( body, i ) ), 0.0f );
	}
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
	body->isUsable = body->kernels->updateElements(
		asset->elements, asset->blockCount, u, body->uTilde, body->elasticStep, body->q, body->b );
	for ( uint32_t row = 0; row < body->factor.header->n; ++row )
		body->y[row] = body->b[body->factor.perm[row]];
}

// x = x~ + A^-1 b for free nodes, x = x~ for pinned ones.
static void TakeSolution( gelBody* body )
{
	const gelPackFactorView* factor = &body->factor;
	for ( int i = 0; i < body->pinCount; ++i )
		body->p[body->pins[i]] = body->xTilde[body->pins[i]];
	for ( uint32_t row = 0; row < factor->header->n; ++row )
	{
		uint32_t node = factor->perm[row];
		gelVec4 x = body->xTilde[node];
		body->p[node] = gelMakeVec4( gelAdd( gelXyz( x ), gelXyz( body->y[row] ) ), x.w );
	}
}

// Displacements of the positions so far, in the memory of y, which is free between solves.
static gelVec4* UpdateDisplacements( gelBody* body )
{
	int n = body->asset->nodeCount;
	for ( int i = 0; i < n; ++i )
		body->y[i] = gelMakeVec4( gelSub( gelXyz( body->p[i] ), GetRest( body, i ) ), 0.0f );
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
	for ( int sweep = 0; sweep < sweepCount; ++sweep )
		body->kernels->sweepVolume( asset->volumes, asset->blockCount, h, kappa, body->p );
}

// v = (x - x_old)/h, damped implicitly: v / (1 + h d) never turns round however large d is.
static void UpdateVelocities( gelBody* body, float h )
{
	const gelAsset* asset = body->asset;
	float invH = 1.0f / h;
	const float *x = &body->x->x, *xOld = &body->xOld->x;
	float* v = &body->v->x;
	for ( size_t i = 0; i < 3 * (size_t)asset->nodeCount; ++i )
		v[i] = invH * ( x[i] - xOld[i] );
	gelSpinKeeper_End( body, h );
	if ( !asset->hasDamping ) return;
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		if ( body->invMasses[i] == 0.0f ) continue; // moves as the game says
		body->v[i] = gelScale( 1.0f / ( 1.0f + h * asset->nodeDampings[i] ), body->v[i] );
	}
}

void gelFinishFastStep( gelBody* body, const gelStepContext* ctx )
{
	int n = body->asset->nodeCount;
	body->wasPutBack = false;
	body->groundContactCount = 0;
	for ( int i = 0; i < n; ++i )
		body->x[i] = gelXyz( body->p[i] );
	gelSchur_Solve( body, ctx->h, body->x );
	if ( ctx->hasGround ) gelSolveGround_Ref( body, ctx, body->x );
	memset( body->forces, 0, (size_t)n * sizeof( gelVec3 ) );
	if ( gelBody_IsUsable( body ) )
		UpdateVelocities( body, ctx->h );
	else
		gelBody_PutBack( body );
	gelSchur_Finish( body, ctx->h );
	gelBody_Recenter( body );
	gelBody_UpdateSleep( body, ctx->h );
}

void gelStepFastCorotated( gelBody* const* bodies, int count, const gelStepContext* ctx )
{
	GEL_ASSERT( count <= GEL_MAX_GROUP );
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
		gelSolveFactor( bodies[0]->kernels, &bodies[0]->factor, y, count, bodies[0]->solveScratch );
		for ( int i = 0; i < count; ++i )
			TakeSolution( bodies[i] );
	}
	for ( int i = 0; i < count; ++i )
	{
		SolveVolume( bodies[i] );
		gelFinishFastStep( bodies[i], ctx );
	}
}
