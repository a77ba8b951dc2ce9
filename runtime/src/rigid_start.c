// SPDX-License-Identifier: MIT
#include "rigid_start.h"

#include "contact_response.h"
#include "implicit.h"

// A turn per step that is worth it [rad]: the square of a smaller one is lost in float.
#define GEL_LEAST_TURN 1.0e-3

// Mean velocity, and sum of m r x v about the centre of mass.
static void GetMotion( const gelBody* body, const double c[3], double mean[3], double spin[3] )
{
	const gelPackMass* masses = body->asset->pack.masses;
	double mass = 0.0;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		double m = masses[i].mass, vx = body->v[i].x, vy = body->v[i].y, vz = body->v[i].z;
		double rx = body->x[i].x - c[0], ry = body->x[i].y - c[1], rz = body->x[i].z - c[2];
		mass += m;
		mean[0] += m * vx;
		mean[1] += m * vy;
		mean[2] += m * vz;
		spin[0] += m * ( ry * vz - rz * vy );
		spin[1] += m * ( rz * vx - rx * vz );
		spin[2] += m * ( rx * vy - ry * vx );
	}
	for ( int k = 0; k < 3; ++k )
		mean[k] /= mass;
}

void gelStartRigid( gelBody* body, float h )
{
	gelImplicit* implicit = body->implicit;
	gelContactResponse response = gelMakeContactResponse( body, body->x );
	if ( !response.canTurn ) return;
	double mean[3] = { 0.0, 0.0, 0.0 }, spin[3] = { 0.0, 0.0, 0.0 }, w[3];
	GetMotion( body, response.center, mean, spin );
	for ( int k = 0; k < 3; ++k )
	{
		const double* row = response.invInertia + 3 * k;
		w[k] = row[0] * spin[0] + row[1] * spin[1] + row[2] * spin[2];
	}
	double speed = sqrt( w[0] * w[0] + w[1] * w[1] + w[2] * w[2] );
	if ( !( h * speed > GEL_LEAST_TURN && h * speed < (double)INFINITY ) ) return;
	// half of atan( h |w| ), without functions that differ between libraries
	double cosine = 1.0 / sqrt( 1.0 + h * speed * h * speed );
	double s = sqrt( 0.5 * ( 1.0 - cosine ) ) / speed;
	gelQuat turn = { { (float)( s * w[0] ), (float)( s * w[1] ), (float)( s * w[2] ) },
		(float)sqrt( 0.5 * ( 1.0 + cosine ) ) };
	gelMat3 R = gelMakeMat3FromQuat( turn );
	gelMat3 change = R;
	change.cx.x -= 1.0f;
	change.cy.y -= 1.0f;
	change.cz.z -= 1.0f;
	gelVec3 center = { (float)response.center[0], (float)response.center[1], (float)response.center[2] };
	gelVec3 move = { (float)( h * mean[0] ), (float)( h * mean[1] ), (float)( h * mean[2] ) };
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 turned = gelMulMV( change, gelSub( body->x[i], center ) );
		implicit->moved[i] = gelMakeVec4( gelAdd( move, turned ), 0.0f );
		body->x[i] = gelAdd( body->xOld[i], gelXyz( implicit->moved[i] ) );
	}
	for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
		body->q[slot] = gelMulQuat( turn, body->q[slot] );
}

void gelKeepMomentum( gelBody* body, const gelStepContext* ctx )
{
	gelImplicit* implicit = body->implicit;
	const gelPackMass* masses = body->asset->pack.masses;
	double h = ctx->h, sum[3] = { 0.0, 0.0, 0.0 }, mass = 0.0;
	int n = body->asset->nodeCount;
	for ( int i = 0; i < n; ++i )
	{
		double m = masses[i].mass, damped = implicit->masses[i];
		const gelVec3 *v = body->v + i, *f = body->forces + i;
		sum[0] += h * ( m * ( v->x + h * ctx->gravity.x ) + h * f->x ) - damped * implicit->moved[i].x;
		sum[1] += h * ( m * ( v->y + h * ctx->gravity.y ) + h * f->y ) - damped * implicit->moved[i].y;
		sum[2] += h * ( m * ( v->z + h * ctx->gravity.z ) + h * f->z ) - damped * implicit->moved[i].z;
		mass += damped;
	}
	gelVec3 t = { (float)( sum[0] / mass ), (float)( sum[1] / mass ), (float)( sum[2] / mass ) };
	for ( int i = 0; i < n; ++i )
		implicit->moved[i] = gelMakeVec4( gelAdd( gelXyz( implicit->moved[i] ), t ), 0.0f );
}
