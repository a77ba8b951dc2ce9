// SPDX-License-Identifier: MIT
#include "fast_corotated.h"

#include "ground.h"
#include "polar.h"
#include "supernodal_solve.h"
#include "volume.h"

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

void gelPredict_Ref( const gelBody* body, const gelStepContext* ctx, gelVec3* xTilde )
{
	float h = ctx->h;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 velocity = gelMulAdd( body->v[i], h, ctx->gravity );
		velocity = gelMulAdd( velocity, h * body->invMasses[i], body->forces[i] );
		xTilde[i] = gelMulAdd( body->x[i], h, velocity );
	}
	for ( int i = 0; i < body->pinCount; ++i )
		xTilde[body->pins[i]] = body->pinTargets[i];
}

void gelUpdateRotations_Ref( const gelAsset* asset, const gelVec3* x, gelQuat* q )
{
	for ( uint32_t t = 0; t < (uint32_t)asset->tetCount; ++t )
		q[t] = gelPolarStep_Ref( gelDeformationGradient( &asset->pack, t, x ), q[t], NULL );
}

void gelComputeCorners_Ref(
	const gelAsset* asset, const gelVec3* xTilde, const gelQuat* q, float h, gelVec3* corners )
{
	for ( uint32_t t = 0; t < (uint32_t)asset->tetCount; ++t )
	{
		const gelPackTetRest* rest = asset->pack.tetRests + t;
		float c = 2.0f * h * h * asset->pack.materials[rest->material].mu * rest->volume;
		gelMat3 F = gelDeformationGradient( &asset->pack, t, xTilde );
		gelMat3 Q = gelSubMat3( gelMakeMat3FromQuat( q[t] ), F );
		gelVec3* b = corners + 4 * (size_t)t;
		for ( int k = 0; k < 3; ++k )
			b[k + 1] = gelScale( c, gelMulMV( Q, gelGetGradient( rest, k ) ) );
		b[0] = gelNeg( gelAdd( gelAdd( b[1], b[2] ), b[3] ) );
	}
}

void gelGatherCorners_Ref(
	const gelAsset* asset, const gelPackFactorView* factor, const gelVec3* corners, gelVec3* rhs )
{
	const uint32_t* first = asset->pack.gatherFirst;
	const uint32_t* list = asset->pack.gatherCorners;
	for ( uint32_t row = 0; row < factor->header->n; ++row )
	{
		uint32_t node = factor->perm[row];
		gelVec3 sum = { 0.0f, 0.0f, 0.0f };
		for ( uint32_t k = first[node]; k < first[node + 1]; ++k )
			sum = gelAdd( sum, corners[list[k]] );
		rhs[row] = sum;
	}
}

// Global step: x = x~ + A^-1 b for free nodes, x = x~ for pinned ones.
static void SolveStretch( gelBody* body, float h )
{
	const gelAsset* asset = body->asset;
	const gelPackFactorView* factor = &body->factor;
	gelComputeCorners_Ref( asset, body->xTilde, body->q, h, body->corners );
	gelGatherCorners_Ref( asset, factor, body->corners, body->rhs );
	gelSolveFactor_Ref( factor, (float*)body->rhs );
	memcpy( body->x, body->xTilde, (size_t)asset->nodeCount * sizeof( gelVec3 ) );
	for ( uint32_t row = 0; row < factor->header->n; ++row )
	{
		uint32_t node = factor->perm[row];
		body->x[node] = gelAdd( body->x[node], body->rhs[row] );
	}
}

static bool AllUsable( const gelBody* body )
{
	bool usable = true;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		usable = usable && gelIsUsable( body->x[i] );
	for ( int t = 0; t < body->asset->tetCount; ++t )
	{
		float length2 = gelLengthSquaredQuat( body->q[t] );
		usable = usable && length2 > 0.5f && length2 < 2.0f;
	}
	return usable;
}

// A pack that no tool of ours wrote, or forces near the end of float, can give NaN. The body goes back to
// where it was, at rest, and the game goes on.
static void PutBack( gelBody* body )
{
	size_t n = (size_t)body->asset->nodeCount;
	memcpy( body->x, body->xOld, n * sizeof( gelVec3 ) );
	memset( body->v, 0, n * sizeof( gelVec3 ) );
	for ( int i = 0; i < body->pinCount; ++i )
		body->pinTargets[i] = body->x[body->pins[i]];
	gelBody_ResetRotations( body );
	body->wasPutBack = true;
}

// v = (x - x_old)/h, damped implicitly: v / (1 + h d) never turns round however large d is.
static void UpdateVelocities( gelBody* body, float h )
{
	const gelAsset* asset = body->asset;
	float invH = 1.0f / h;
	for ( int i = 0; i < asset->nodeCount; ++i )
		body->v[i] = gelScale( invH, gelSub( body->x[i], body->xOld[i] ) );
	if ( !asset->hasDamping ) return;
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		if ( body->invMasses[i] == 0.0f ) continue; // moves as the game says
		body->v[i] = gelScale( 1.0f / ( 1.0f + h * asset->nodeDampings[i] ), body->v[i] );
	}
}

void gelStepFastCorotated( gelBody* body, const gelStepContext* ctx )
{
	const gelAsset* asset = body->asset;
	size_t n = (size_t)asset->nodeCount;
	body->wasPutBack = false;
	body->groundContactCount = 0;

	memcpy( body->xOld, body->x, n * sizeof( gelVec3 ) );
	gelPredict_Ref( body, ctx, body->xTilde );
	gelUpdateRotations_Ref( asset, body->xTilde, body->q );
	SolveStretch( body, ctx->h );
	for ( int pass = 1; pass < GetPassCount( body, ctx->h ); ++pass )
	{
		gelUpdateRotations_Ref( asset, body->x, body->q );
		SolveStretch( body, ctx->h );
	}
	gelSolveVolume_Ref( asset, body->invMasses, ctx->h, GetSweepCount( body ), body->kappa, body->x );
	if ( ctx->hasGround ) gelSolveGround_Ref( body, ctx, body->x );

	memset( body->forces, 0, n * sizeof( gelVec3 ) );
	if ( AllUsable( body ) )
		UpdateVelocities( body, ctx->h );
	else
		PutBack( body );
	gelBody_Recenter( body );
}
