// SPDX-License-Identifier: MIT
// Rotations of nodes, errors of tets, and the refresh of the factor.
#include "solvers/warp/warp_body.h"

#include "solvers/warp/warp_rest.h"

#include <string.h>

// Sums of quaternions shorter than this part of their weights come from rotations that disagree: the node
// keeps its old one.
#define GEL_MIN_AGREEMENT 0.1f

static gelQuat GetNodeTurn( const gelWarp* warp, uint32_t node )
{
	const gelVec4* q = warp->nodeTurns + node;
	return ( gelQuat ){ { q->x, q->y, q->z }, q->w };
}

static gelQuat Conjugate( gelQuat q )
{
	return ( gelQuat ){ gelNeg( q.v ), q.s };
}

static float DotQuat( gelQuat a, gelQuat b )
{
	return gelDot( a.v, b.v ) + a.s * b.s;
}

// Mean of the rotations of the tets around each node by volume, as quaternions on the side of the last one: a
// turn of the whole body turns it along.
static void UpdateNodeTurns( gelBody* body )
{
	gelWarp* warp = gelGetWarp( body );
	const gelPackView* pack = &body->asset->pack;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelQuat sum = { { 0.0f, 0.0f, 0.0f }, 0.0f }, old = GetNodeTurn( warp, (uint32_t)i );
		float weights = 0.0f;
		for ( uint32_t k = pack->gatherFirst[i]; k < pack->gatherFirst[i + 1]; ++k )
		{
			uint32_t tet = pack->gatherCorners[k] / 4;
			gelQuat q = body->q[warp->tetSlots[tet]];
			float volume = pack->tetRests[tet].volume, weight = DotQuat( q, old ) < 0.0f ? -volume : volume;
			sum.v = gelMulAdd( sum.v, weight, q.v );
			sum.s += weight * q.s;
			weights += volume;
		}
		float length = sqrtf( gelLengthSquaredQuat( sum ) );
		if ( !( length > GEL_MIN_AGREEMENT * weights ) ) continue;
		warp->nodeTurns[i] = gelMakeVec4( gelScale( 1.0f / length, sum.v ), sum.s / length );
	}
}

// ---- errors ---------------------------------------------------------------------------------------------

static void UpdateErrors( gelBody* body, float scale )
{
	GEL_ASSERT( scale > 0.0f );
	gelWarp* warp = gelGetWarp( body );
	const gelWarpTree* tree = warp->tree;
	const gelAsset* asset = body->asset;
	for ( int i = 0; i < asset->nodeCount; ++i )
		warp->velocities[i] = gelMakeVec4( body->v[i], 0.0f );
	warp->velocities[asset->nodeCount] = ( gelVec4 ){ 0.0f, 0.0f, 0.0f, 0.0f };
	gelWarpPass pass = { asset->elements, asset->blockCount, asset->lambdaVolumes, warp->inverseMasses,
		body->q, warp->nodeTurns, warp->velocities, warp->turns, scale, warp->tetErrors };
	gelGetWarpKernels( body->simd )->findErrors( &pass );
	warp->stats.error = 0.0f;
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		float worst = 0.0f;
		for ( uint32_t k = tree->tetFirst[s]; k < tree->tetFirst[s + 1]; ++k )
			worst = gelMaxFloat( warp->tetErrors[warp->tetSlots[tree->tets[k]]], worst );
		warp->errors[s] = worst;
		warp->stats.error = gelMaxFloat( worst, warp->stats.error );
	}
}

// ---- refresh --------------------------------------------------------------------------------------------

// The turns of the tets of a supernode are those of now.
static void TakeTurns( gelBody* body, uint32_t s )
{
	gelWarp* warp = gelGetWarp( body );
	const gelWarpTree* tree = warp->tree;
	for ( uint32_t k = tree->tetFirst[s]; k < tree->tetFirst[s + 1]; ++k )
	{
		uint32_t tet = tree->tets[k], slot = warp->tetSlots[tet];
		gelQuat q = body->q[slot];
		for ( int c = 0; c < 4; ++c )
		{
			gelQuat node = GetNodeTurn( warp, body->asset->pack.tets[tet].node[c] );
			gelSetTetTurn( warp->turns + slot / GEL_BLOCK_LANES, (int)( slot % GEL_BLOCK_LANES ), c,
				gelMulQuat( Conjugate( node ), q ) );
		}
	}
	warp->ages[s] = 0.0f;
}

static gelWarpSystem MakeSystem( const gelBody* body, float scale )
{
	GEL_ASSERT( scale > 0.0f );
	const gelWarp* warp = gelGetWarp( body );
	return ( gelWarpSystem ){ .tree = warp->tree,
		.pack = &body->asset->pack,
		.dense = warp->dense,
		.masses = gelGetImplicit( body )->masses,
		.scale = scale,
		.turns = warp->turns,
		.tetSlots = warp->tetSlots,
		.factor = warp->factor,
		.world = warp->world };
}

static int Factor( const gelWarp* warp, const gelWarpSystem* system, const uint8_t* isWanted )
{
	return warp->isLean ? gelFactorWarpLeft( system, &warp->left, isWanted )
						: gelFactorWarp( system, isWanted );
}

static void RefreshPart( gelBody* body, float scale )
{
	GEL_ASSERT( scale > 0.0f );
	gelWarp* warp = gelGetWarp( body );
	gelWarpDef def = warp->def;
	if ( *warp->isLost != 0.0f ) def = ( gelWarpDef ){ .schedule = gel_warpQuality, .tolerance = 0.0f };
	uint64_t cost = gelChooseSupernodes(
		warp->tree, &def, warp->totalCost, warp->errors, warp->ages, warp->order, warp->isWanted );
	warp->stats.operations = (float)( (double)cost / (double)warp->totalCost );
	for ( uint32_t s = 0; s < warp->tree->superCount; ++s )
	{
		if ( !warp->isWanted[s] ) continue;
		TakeTurns( body, s );
		++warp->stats.refreshedCount;
	}
	if ( cost == 0 ) return;
	warp->isAtRest = false;
	gelWarpSystem system = MakeSystem( body, scale );
	warp->stats.liftCount = Factor( warp, &system, warp->isWanted );
}

// Another step length, or a state that came from elsewhere: all of the factor, from the turns as they are.
static void RemakeFactor( gelBody* body, float h, float scale )
{
	GEL_ASSERT( h > 0.0f && scale > 0.0f );
	gelWarp* warp = gelGetWarp( body );
	if ( !gelWarp_TakeRestFactor( body, h ) )
	{
		gelWarpSystem system = MakeSystem( body, scale );
		Factor( warp, &system, NULL );
	}
	warp->factorStep = h;
}

void gelWarp_Refresh( gelBody* body, float h, float scale )
{
	GEL_ASSERT( h > 0.0f && scale > 0.0f );
	gelWarp* warp = gelGetWarp( body );
	warp->stats = ( gelWarpStats ){ .superCount = (int)warp->tree->superCount };
	if ( !warp->def.isSheet ) UpdateNodeTurns( body );
	if ( warp->factorStep != h ) RemakeFactor( body, h, scale );
	for ( uint32_t s = 0; s < warp->tree->superCount; ++s )
		warp->ages[s] += h;
	UpdateErrors( body, scale );
	RefreshPart( body, scale );
}

// Two solves leave a part of 1e-2 when the factor is fresh, and of 1e-4 in float at best. More than half: the
// factor has nothing to do with the matrix any more.
void gelWarp_Judge( gelBody* body, float residual )
{
	GEL_ASSERT( residual >= 0.0f );
	gelWarp* warp = gelGetWarp( body );
	warp->stats.residual = residual;
	*warp->isLost = residual <= 0.5f ? 0.0f : 1.0f;
}

// ---- solve ----------------------------------------------------------------------------------------------

void gelWarp_Solve( gelBody* body, const gelVec4* r, int count, gelVec4* z )
{
	GEL_ASSERT( count > 0 && r != NULL && z != NULL );
	gelWarp* warp = gelGetWarp( body );
	const gelWarpTree* tree = warp->tree;
	for ( uint32_t c = 0; c < tree->n; ++c )
	{
		uint32_t node = tree->perm[c];
		gelMat3 R = gelMakeMat3FromQuat( GetNodeTurn( warp, node ) );
		gelVec3 a = gelXyz( r[node] );
		warp->b[3 * c] = gelDot( R.cx, a );
		warp->b[3 * c + 1] = gelDot( R.cy, a );
		warp->b[3 * c + 2] = gelDot( R.cz, a );
	}
	gelSolveWarp( tree, warp->dense, &warp->factor, warp->b, warp->solveScratch );
	memset( z, 0, (size_t)count * sizeof( gelVec4 ) );
	for ( uint32_t c = 0; c < tree->n; ++c )
	{
		uint32_t node = tree->perm[c];
		gelMat3 R = gelMakeMat3FromQuat( GetNodeTurn( warp, node ) );
		gelVec3 a = { warp->b[3 * c], warp->b[3 * c + 1], warp->b[3 * c + 2] };
		z[node] = gelMakeVec4( gelMulMV( R, a ), 0.0f );
	}
}
