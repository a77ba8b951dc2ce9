// SPDX-License-Identifier: MIT
#include "contact/response/contact_response.h"

#include "constraints/constraint_set.h"

// I^-1 sum of r x s over the free nodes. With masses, s are displacements and the sum is their angular
// momentum.
static gelVec3 GetTurn( const gelContactResponse* response, const gelBody* body, const gelVec3* x,
	const gelVec3* s, const gelPackMass* masses )
{
	double t[3] = { 0.0, 0.0, 0.0 };
	for ( uint32_t row = 0; row < body->rowCount; ++row )
	{
		uint32_t node = body->rowNodes[row];
		double w = masses ? masses[node].mass : 1.0;
		double rx = x[node].x - response->center[0];
		double ry = x[node].y - response->center[1];
		double rz = x[node].z - response->center[2];
		t[0] += w * ( ry * s[row].z - rz * s[row].y );
		t[1] += w * ( rz * s[row].x - rx * s[row].z );
		t[2] += w * ( rx * s[row].y - ry * s[row].x );
	}
	const double* inv = response->invInertia;
	return ( gelVec3 ){ (float)( inv[0] * t[0] + inv[1] * t[1] + inv[2] * t[2] ),
		(float)( inv[3] * t[0] + inv[4] * t[1] + inv[5] * t[2] ),
		(float)( inv[6] * t[0] + inv[7] * t[1] + inv[8] * t[2] ) };
}

// s += turn x r, times the node's mass if given.
static void AddTurn( const gelContactResponse* response, const gelBody* body, const gelVec3* x, gelVec3 turn,
	const gelPackMass* masses, gelVec3* s )
{
	gelVec3 center = { (float)response->center[0], (float)response->center[1], (float)response->center[2] };
	for ( uint32_t row = 0; row < body->rowCount; ++row )
	{
		uint32_t node = body->rowNodes[row];
		float w = masses ? masses[node].mass : 1.0f;
		s[row] = gelMulAdd( s[row], w, gelCross( turn, gelSub( x[node], center ) ) );
	}
}

void gelContactResponse_Apply(
	const gelContactResponse* response, gelBody* body, const gelVec3* x, gelVec3* s )
{
	GEL_ASSERT( x != NULL && s != NULL && x != s );
	if ( !response->canTurn )
	{
		body->solver->respond( body, s );
		if ( body->constraints ) body->constraints->calls->filter( body, s );
		return;
	}
	const gelPackMass* masses = body->asset->pack.masses;
	gelVec3 turn = GetTurn( response, body, x, s, NULL );
	AddTurn( response, body, x, gelNeg( turn ), masses, s );
	body->solver->respond( body, s );
	gelVec3 leftover = GetTurn( response, body, x, s, masses );
	AddTurn( response, body, x, gelSub( turn, leftover ), NULL, s );
	if ( body->constraints ) body->constraints->calls->filter( body, s );
}
