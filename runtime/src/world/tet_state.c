// SPDX-License-Identifier: MIT
// Strain and stress of every tet, for tools, sounds, and games that break things.
#include "asset/blocks.h"
#include "math/polar.h"
#include "solvers/solver.h"
#include "state/world.h"

#include <string.h>

// Symmetric part of R^T A as xx, yy, zz, yz, xz, xy.
static void TakeSymmetric( gelMat3 m, float out[6] )
{
	out[0] = m.cx.x;
	out[1] = m.cy.y;
	out[2] = m.cz.z;
	out[3] = 0.5f * ( m.cy.z + m.cz.y );
	out[4] = 0.5f * ( m.cx.z + m.cz.x );
	out[5] = 0.5f * ( m.cx.y + m.cy.x );
}

// sqrt( 3/2 |deviator|^2 )
static float GetVonMises( const float s[6] )
{
	float a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
	float shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
	return sqrtf( 0.5f * ( a * a + b * b + c * c ) + 3.0f * shear );
}

// R^T P. Fast corotated: Psi = mu |F - R|^2 + lambda/2 (J - 1)^2, so P = 2 mu (F - R) + lambda (J - 1) cof F,
// and R^T cof F = cof S. Implicit: P = R ( 2 mu e + lambda tr(e) ).
static void FillStress( const gelBody* body, const gelPackMaterial* material, gelMat3 S, gelTetState* state )
{
	float e[6]; // only the elastic part makes stress
	for ( int k = 0; k < 6; ++k )
		e[k] = state->strain[k] - state->plasticStrain[k];
	float volume[6] = { 1.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f }, pressure = e[0] + e[1] + e[2];
	if ( body->solver->dilation == gel_dilationDeterminant )
	{
		TakeSymmetric( gelCofactor( S ), volume );
		pressure = state->volumeRatio - 1.0f;
	}
	for ( int k = 0; k < 6; ++k )
		state->stress[k] = 2.0f * material->mu * e[k] + material->lambda * pressure * volume[k];
	state->vonMises = GetVonMises( state->stress );
}

static gelTetState MakeState( const gelBody* body, int slot, uint32_t t )
{
	GEL_ASSERT( t < (uint32_t)body->asset->tetCount );
	GEL_ASSERT( slot >= 0 && slot < GEL_BLOCK_LANES * body->asset->blockCount );
	const gelPackView* pack = &body->asset->pack;
	const uint32_t* node = pack->tets[t].node;
	gelTetState state = { 0 };
	gelMat3 F = gelDeformationGradient( pack, t, body->x );
	state.rotation = body->solver->movesNodes
		? gelPolarSolve_Ref( F, body->q[slot], GEL_WARM_ITERATIONS )
		: gelPolarSolve_Ref( F, gelIdentityQuat(), GEL_COLD_ITERATIONS );
	gelMat3 S = gelMulTransposedMM( gelMakeMat3FromQuat( state.rotation ), F );
	TakeSymmetric( gelSubMat3( S, gelIdentity() ), state.strain );
	if ( body->plastic )
	{
		gelSym3 p = gelGetLaneStrain( body->plastic + slot / GEL_BLOCK_LANES, slot % GEL_BLOCK_LANES );
		const float rows[6] = { p.xx, p.yy, p.zz, p.yz, p.xz, p.xy };
		memcpy( state.plasticStrain, rows, sizeof( rows ) );
	}
	float det = gelTetDeterminant( body->x[node[0]], body->x[node[1]], body->x[node[2]], body->x[node[3]] );
	state.volumeRatio = det / body->asset->restDets[t];
	state.isInverted = !( state.volumeRatio > 0.0f );
	FillStress( body, pack->materials + pack->tetRests[t].material, S, &state );
	return state;
}

int gelBody_GetTetStates( gelBodyId bodyId, gelTetState* out, int outCapacity )
{
	const gelBody* body = gelAskBody( bodyId );
	if ( body == NULL ) return 0;
	for ( int slot = 0; out != NULL && slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
	{
		uint32_t t = body->asset->slotTets[slot];
		if ( t != GEL_NO_TET && (int64_t)t < outCapacity ) out[t] = MakeState( body, slot, t );
	}
	return body->asset->tetCount;
}
