// SPDX-License-Identifier: MIT
// Momenta and energies of bodies whose solver moves nodes.
#include "asset/blocks.h"
#include "math/polar.h"
#include "solvers/node_body.h"

// Momenta and kinetic energy, summed in double: the terms nearly cancel.
static void SumNodes( const gelBody* body, gelBodyDynamics* out )
{
	const gelAsset* asset = body->asset;
	double mass = 0.0, energy = 0.0, c[3] = { 0.0 }, p[3] = { 0.0 }, l[3] = { 0.0 };
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		double m = asset->pack.masses[i].mass;
		gelVec3 x = body->x[i], v = body->v[i];
		mass += m;
		c[0] += m * x.x, c[1] += m * x.y, c[2] += m * x.z;
		p[0] += m * v.x, p[1] += m * v.y, p[2] += m * v.z;
		l[0] += m * ( (double)x.y * v.z - (double)x.z * v.y );
		l[1] += m * ( (double)x.z * v.x - (double)x.x * v.z );
		l[2] += m * ( (double)x.x * v.y - (double)x.y * v.x );
		energy += 0.5 * m * ( (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z );
	}
	for ( int k = 0; k < 3; ++k )
		c[k] /= mass;
	out->mass = (float)mass;
	out->centerOfMass = ( gelVec3 ){ (float)( body->origin[0] + c[0] ), (float)( body->origin[1] + c[1] ),
		(float)( body->origin[2] + c[2] ) };
	out->linearMomentum = ( gelVec3 ){ (float)p[0], (float)p[1], (float)p[2] };
	out->angularMomentum = ( gelVec3 ){ (float)( l[0] - ( c[1] * p[2] - c[2] * p[1] ) ),
		(float)( l[1] - ( c[2] * p[0] - c[0] * p[2] ) ), (float)( l[2] - ( c[0] * p[1] - c[1] * p[0] ) ) };
	out->kineticEnergy = (float)energy;
}

// The part of the strain that makes stress. @return |e|^2
static double GetElasticStrain( const gelBody* body, int slot, gelMat3 R, gelMat3 F, double* outTrace )
{
	GEL_ASSERT( slot >= 0 && slot < GEL_BLOCK_LANES * body->asset->blockCount );
	gelSym3 e = gelCorotatedStrain( R, F ), p = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
	if ( body->plastic )
		p = gelGetLaneStrain( body->plastic + slot / GEL_BLOCK_LANES, slot % GEL_BLOCK_LANES );
	double xx = e.xx - p.xx, yy = e.yy - p.yy, zz = e.zz - p.zz;
	double xy = e.xy - p.xy, xz = e.xz - p.xz, yz = e.yz - p.yz;
	*outTrace = xx + yy + zz;
	return xx * xx + yy * yy + zz * zz + 2.0 * ( xy * xy + xz * xz + yz * yz );
}

static void SumTets( const gelBody* body, gelBodyDynamics* out )
{
	const gelPackView* pack = &body->asset->pack;
	double energy = 0.0, volume = 0.0;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
	{
		uint32_t t = body->asset->slotTets[slot];
		if ( t == GEL_NO_TET ) continue;
		const gelPackTetRest* rest = pack->tetRests + t;
		const gelPackMaterial* material = pack->materials + rest->material;
		const uint32_t* node = pack->tets[t].node;
		gelMat3 F = gelDeformationGradient( pack, t, body->x );
		gelQuat q = gelPolarSolve_Ref( F, body->q[slot], GEL_WARM_ITERATIONS );
		gelMat3 R = gelMakeMat3FromQuat( q );
		double trace, stretch2 = GetElasticStrain( body, slot, R, F, &trace );
		float restDet = body->asset->restDets[t];
		double J = (double)gelTetDeterminant(
					   body->x[node[0]], body->x[node[1]], body->x[node[2]], body->x[node[3]] ) /
			restDet;
		double dilation = body->solver->dilation == gel_dilationTrace ? trace : J - 1.0;
		energy += rest->volume * ( material->mu * stretch2 + 0.5 * material->lambda * dilation * dilation );
		volume += J * restDet / 6.0;
		out->invertedTetCount += J <= 0.0;
	}
	out->elasticEnergy = (float)( energy * body->stiffnessScale );
	out->volume = (float)volume;
}

gelBodyDynamics gelNodeBody_GetDynamics( const gelBody* body )
{
	gelBodyDynamics dynamics = { 0 };
	SumNodes( body, &dynamics );
	SumTets( body, &dynamics );
	return dynamics;
}
