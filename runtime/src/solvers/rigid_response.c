// SPDX-License-Identifier: MIT
#include "solvers/rigid_response.h"

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

gelContactResponse gelMakeRigidResponse( const gelBody* body, const gelVec3* x )
{
	GEL_ASSERT( body->solver->movesNodes );
	gelContactResponse response = { 0 };
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
