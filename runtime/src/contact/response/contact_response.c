// SPDX-License-Identifier: MIT
#include "contact/response/contact_response.h"

#include "constraints/constraint_schur.h"
#include "solvers/implicit/implicit.h"
#include "simd/supernodal_solve.h"

// Inverse of a symmetric 3x3 matrix; false when it is singular relative to its size.
static bool InvertSymmetric( const double m[9], double out[9] )
{
	double c0 = m[4] * m[8] - m[5] * m[5];
	double c1 = m[2] * m[5] - m[1] * m[8];
	double c2 = m[1] * m[5] - m[2] * m[4];
	double det = m[0] * c0 + m[1] * c1 + m[2] * c2;
	double trace = m[0] + m[4] + m[8];
	if ( !( det > 1.0e-9 * trace * trace * trace ) ) return false;
	double inv = 1.0 / det;
	out[0] = inv * c0;
	out[1] = out[3] = inv * c1;
	out[2] = out[6] = inv * c2;
	out[4] = inv * ( m[0] * m[8] - m[2] * m[2] );
	out[5] = out[7] = inv * ( m[1] * m[2] - m[0] * m[5] );
	out[8] = inv * ( m[0] * m[4] - m[1] * m[1] );
	return true;
}

gelContactResponse gelMakeContactResponse( const gelBody* body, const gelVec3* x )
{
	gelContactResponse response = { 0 };
	// held: a free turn is not its answer, unless gelSchur_Filter takes out what is forbidden
	if ( body->pinCount > 0 ) return response;
	if ( body->implicit != NULL && gelConstraintSet_IsActive( body->constraints ) ) return response;
	const gelPackMass* masses = body->asset->pack.masses;
	double mass = 0.0, *c = response.center;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		double m = masses[i].mass;
		mass += m;
		c[0] += m * x[i].x;
		c[1] += m * x[i].y;
		c[2] += m * x[i].z;
	}
	for ( int k = 0; k < 3; ++k )
		c[k] /= mass;

	double inertia[9] = { 0.0 };
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		double m = masses[i].mass, rx = x[i].x - c[0], ry = x[i].y - c[1], rz = x[i].z - c[2];
		inertia[0] += m * ( ry * ry + rz * rz );
		inertia[4] += m * ( rx * rx + rz * rz );
		inertia[8] += m * ( rx * rx + ry * ry );
		inertia[1] -= m * rx * ry;
		inertia[2] -= m * rx * rz;
		inertia[5] -= m * ry * rz;
	}
	response.canTurn = InvertSymmetric( inertia, response.invInertia );
	return response;
}

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

// A^-1 s in place.
static void Solve( gelBody* body, gelVec3* s )
{
	uint32_t n = body->rowCount;
	if ( body->implicit )
	{
		gelImplicit_Respond( body, s );
		return;
	}
	for ( uint32_t row = 0; row < n; ++row )
		body->y[row] = gelMakeVec4( s[row], 0.0f );
	gelSolveFactor( body->kernels, &body->factor, &body->y, 1, body->solveScratch );
	for ( uint32_t row = 0; row < n; ++row )
		s[row] = gelXyz( body->y[row] );
}

void gelContactResponse_Apply(
	const gelContactResponse* response, gelBody* body, const gelVec3* x, gelVec3* s )
{
	if ( !response->canTurn )
	{
		Solve( body, s );
		gelSchur_Filter( body, s );
		return;
	}
	const gelPackMass* masses = body->asset->pack.masses;
	gelVec3 turn = GetTurn( response, body, x, s, NULL );
	AddTurn( response, body, x, gelNeg( turn ), masses, s );
	Solve( body, s );
	gelVec3 leftover = GetTurn( response, body, x, s, masses );
	AddTurn( response, body, x, gelSub( turn, leftover ), NULL, s );
	gelSchur_Filter( body, s );
}
