// SPDX-License-Identifier: MIT
// A coarse cage cannot express everything that a fine one did: a folded leg inside of a few tets comes over
// as strain that was not there, and would be let loose in the next steps. While a body has several times the
// stretch energy per mass that it had before, its tets are drawn towards their undeformed shapes where they
// are: neighbors that disagree meet in the middle, so what goes first is what varies from tet to tet. The
// center of mass stays.
#include "lod/lod_transfer.h"

#include "asset/blocks.h"
#include "math/polar.h"

// How much more energy is left alone, for the sake of the shape: the same bend costs more in coarser tets
// anyway.
#define GEL_ALLOWED_ENERGY 3.0

// A strain so small that its energy is none.
#define GEL_NO_STRAIN 1.0e-3

#define GEL_MAX_SWEEPS 24

// Iterations of a rotation at most: a sweep moves nodes further than a step does.
#define GEL_RELAX_ITERATIONS 20

// R (I + e_p): what the tet would be without stress.
static gelMat3 GetGoal( const gelBody* body, int slot )
{
	GEL_ASSERT( slot >= 0 && slot < GEL_BLOCK_LANES * body->asset->blockCount );
	gelMat3 R = gelMakeMat3FromQuat( body->q[slot] );
	if ( body->plastic == NULL ) return R;
	gelSym3 e = gelGetLaneStrain( body->plastic + slot / GEL_BLOCK_LANES, slot % GEL_BLOCK_LANES );
	gelVec3 cx = { 1.0f + e.xx, e.xy, e.xz }, cy = { e.xy, 1.0f + e.yy, e.yz },
			cz = { e.xz, e.yz, 1.0f + e.zz };
	return ( gelMat3 ){ gelMulMV( R, cx ), gelMulMV( R, cy ), gelMulMV( R, cz ) };
}

// Stretch energy per mass [J/kg]. @param outFloor that of strains that are none
static double GetEnergy( const gelBody* body, double* outFloor )
{
	const gelPackView* pack = &body->asset->pack;
	double energy = 0.0, stiffness = 0.0;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
	{
		uint32_t t = body->asset->slotTets[slot];
		if ( t == GEL_PACK_NO_TET ) continue;
		double muVolume = (double)pack->materials[pack->tetRests[t].material].mu * pack->tetRests[t].volume;
		gelMat3 F = gelDeformationGradient( pack, t, body->x );
		energy += muVolume * gelFrobeniusSquared( gelSubMat3( F, GetGoal( body, slot ) ) );
		stiffness += muVolume;
	}
	*outFloor = GEL_NO_STRAIN * GEL_NO_STRAIN * stiffness / body->asset->mass;
	return energy / body->asset->mass;
}

// One sweep: every node to the mean of where its tets want it, by their masses. The scratch memory of a step
// holds the sums, weights in w.
static void Sweep( gelBody* body )
{
	const gelPackView* pack = &body->asset->pack;
	int count = body->asset->nodeCount;
	gelVec4* sums = body->xTilde;
	for ( int i = 0; i < count; ++i )
		sums[i] = ( gelVec4 ){ 0 };
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
	{
		uint32_t t = body->asset->slotTets[slot];
		if ( t == GEL_PACK_NO_TET ) continue;
		const uint32_t* node = pack->tets[t].node;
		float w = pack->materials[pack->tetRests[t].material].density * pack->tetRests[t].volume;
		gelVec3 center = { 0.0f, 0.0f, 0.0f }, restCenter = center;
		for ( int k = 0; k < 4; ++k )
		{
			center = gelMulAdd( center, 0.25f, body->x[node[k]] );
			restCenter = gelMulAdd( restCenter, 0.25f, gelGetRestNode( pack->nodes, node[k] ) );
		}
		gelMat3 goal = GetGoal( body, slot );
		for ( int k = 0; k < 4; ++k )
		{
			gelVec3 arm = gelSub( gelGetRestNode( pack->nodes, node[k] ), restCenter );
			gelVec3 p = gelAdd( center, gelMulMV( goal, arm ) );
			gelVec4* sum = sums + node[k];
			*sum = ( gelVec4 ){ sum->x + w * p.x, sum->y + w * p.y, sum->z + w * p.z, sum->w + w };
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		float inv = 1.0f / sums[i].w;
		if ( body->invMasses[i] > 0.0f )
			body->x[i] = gelMakeVec3( inv * sums[i].x, inv * sums[i].y, inv * sums[i].z );
		sums[i] = ( gelVec4 ){ 0 };
	}
}

static void UpdateRotations( gelBody* body )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
	{
		uint32_t t = body->asset->slotTets[slot];
		if ( t == GEL_PACK_NO_TET ) continue;
		gelMat3 F = gelDeformationGradient( &body->asset->pack, t, body->x );
		body->q[slot] = gelPolarSolve_Ref( F, body->q[slot], GEL_RELAX_ITERATIONS );
	}
}

void gelRelaxState( const gelBody* from, gelBody* to )
{
	double unused, floor;
	double allowed = GEL_ALLOWED_ENERGY * GetEnergy( from, &unused );
	for ( int i = 0; i < GEL_MAX_SWEEPS; ++i )
	{
		double energy = GetEnergy( to, &floor );
		if ( energy <= ( allowed > floor ? allowed : floor ) ) return;
		Sweep( to );
		UpdateRotations( to );
	}
}
