// SPDX-License-Identifier: MIT
#include "solvers/fast/spin_keeper.h"

#include "constraints/constraint_set.h"

#include <math.h>

// The largest turn that is given back in one step [rad]. A step of backward Euler takes ( h w )^2 / 2 of the
// spin; more than this is a body that has just collapsed or burst, whose inertia says nothing.
#define GEL_MAX_SPIN_CHANGE 0.1

// sum of m ( x - c ) x v, and with forces of h ( x - c ) x f
static void AddMomentum( const gelBody* body, const double c[3], double h, double l[3] )
{
	const gelPackMass* masses = body->asset->pack.masses;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		double m = masses[i].mass;
		double rx = body->x[i].x - c[0], ry = body->x[i].y - c[1], rz = body->x[i].z - c[2];
		double px = m * body->v[i].x, py = m * body->v[i].y, pz = m * body->v[i].z;
		if ( h > 0.0 )
		{
			px += h * body->forces[i].x;
			py += h * body->forces[i].y;
			pz += h * body->forces[i].z;
		}
		l[0] += ry * pz - rz * py;
		l[1] += rz * px - rx * pz;
		l[2] += rx * py - ry * px;
	}
}

// Stress that remains inside a dented body makes the stages of the solver work against each other in every
// step, each at positions that the other left: without the keeper it would begin to spin.
static bool KeepsSpin( const gelBody* body )
{
	return body->def.solver.fast.enableSpinKeeping || body->plastic != NULL;
}

void gelSpinKeeper_Begin( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	if ( !KeepsSpin( body ) || body->pinCount > 0 ) return;
	gelContactResponse response = gelMakeContactResponse( body, body->x );
	body->spinTarget[0] = body->spinTarget[1] = body->spinTarget[2] = 0.0;
	AddMomentum( body, response.center, h, body->spinTarget );
}

void gelSpinKeeper_End( gelBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	if ( !KeepsSpin( body ) || body->pinCount > 0 || gelBody_IsInContact( body ) ) return;
	if ( body->constraints && body->constraints->rowCount > 0 ) return;
	gelContactResponse response = gelMakeContactResponse( body, body->x );
	if ( !response.canTurn ) return;
	const double *c = response.center, *inv = response.invInertia;
	double l[3] = { 0.0, 0.0, 0.0 }, dw[3];
	AddMomentum( body, c, 0.0, l );
	for ( int k = 0; k < 3; ++k )
		l[k] = body->spinTarget[k] - l[k];
	for ( int k = 0; k < 3; ++k )
		dw[k] = inv[3 * k] * l[0] + inv[3 * k + 1] * l[1] + inv[3 * k + 2] * l[2];
	double turn = h * sqrt( dw[0] * dw[0] + dw[1] * dw[1] + dw[2] * dw[2] );
	if ( !( turn < (double)INFINITY ) ) return;
	double scale = turn > GEL_MAX_SPIN_CHANGE ? GEL_MAX_SPIN_CHANGE / turn : 1.0;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		double rx = body->x[i].x - c[0], ry = body->x[i].y - c[1], rz = body->x[i].z - c[2];
		gelVec3* v = body->v + i;
		v->x += (float)( scale * ( dw[1] * rz - dw[2] * ry ) );
		v->y += (float)( scale * ( dw[2] * rx - dw[0] * rz ) );
		v->z += (float)( scale * ( dw[0] * ry - dw[1] * rx ) );
	}
}
