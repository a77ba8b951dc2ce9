// SPDX-License-Identifier: MIT
// Damping of supernodes whose matrix is stale and was not refreshed: their motion is blended towards the
// rigid one with the same momenta, the more the larger their error (Hecht et al. 2012, section 4.4). So a
// body whose budget is too small becomes sluggish where it would otherwise become unstable.
#include "solvers/warp/warp_body.h"

#include "math/turn_math.h"

// A rotation about a center cannot be told from fewer nodes.
#define GEL_MIN_DAMPED_NODES 4u

// What is left of the motion lets strains relax: a supernode that is rigid for good would keep them.
#define GEL_MAX_DAMPING 0.8f

// Mass, center, mean displacement, then angular momentum and inertia about the center of some nodes.
typedef struct RigidFit
{
	double mass, center[3], shift[3], spin[3], inertia[6]; // xx yy zz xy xz yz
} RigidFit;

static RigidFit FitRigid( const gelBody* body, const uint32_t* nodes, uint32_t count )
{
	GEL_ASSERT( count > 0 );
	const gelVec4* moved = gelGetImplicit( body )->moved;
	RigidFit fit = { 0 };
	for ( uint32_t k = 0; k < count; ++k )
	{
		double m = body->asset->pack.masses[nodes[k]].mass;
		const float *x = &body->xOld[nodes[k]].x, *d = &moved[nodes[k]].x;
		fit.mass += m;
		for ( int c = 0; c < 3; ++c )
		{
			fit.center[c] += m * x[c];
			fit.shift[c] += m * d[c];
		}
	}
	for ( int c = 0; c < 3; ++c )
	{
		fit.center[c] /= fit.mass;
		fit.shift[c] /= fit.mass;
	}
	for ( uint32_t k = 0; k < count; ++k )
	{
		double m = body->asset->pack.masses[nodes[k]].mass, r[3], d[3];
		for ( int c = 0; c < 3; ++c )
		{
			r[c] = (double)( &body->xOld[nodes[k]].x )[c] - fit.center[c];
			d[c] = (double)( &moved[nodes[k]].x )[c] - fit.shift[c];
		}
		for ( int c = 0; c < 3; ++c )
		{
			int a = ( c + 1 ) % 3, b = ( c + 2 ) % 3;
			fit.spin[c] += m * ( r[a] * d[b] - r[b] * d[a] );
			fit.inertia[c] += m * ( r[a] * r[a] + r[b] * r[b] );
		}
		fit.inertia[3] -= m * r[0] * r[1];
		fit.inertia[4] -= m * r[0] * r[2];
		fit.inertia[5] -= m * r[1] * r[2];
	}
	return fit;
}

// Solves inertia w = spin. @return false: the nodes lie on a line
static bool GetTurn( const RigidFit* fit, double w[3] )
{
	const double *I = fit->inertia, *s = fit->spin;
	double xx = I[1] * I[2] - I[5] * I[5], xy = I[4] * I[5] - I[3] * I[2], xz = I[3] * I[5] - I[4] * I[1];
	double yy = I[0] * I[2] - I[4] * I[4], yz = I[3] * I[4] - I[0] * I[5], zz = I[0] * I[1] - I[3] * I[3];
	double det = I[0] * xx + I[3] * xy + I[4] * xz, trace = I[0] + I[1] + I[2];
	if ( !( det > 1e-6 * trace * trace * trace ) ) return false;
	w[0] = ( xx * s[0] + xy * s[1] + xz * s[2] ) / det;
	w[1] = ( xy * s[0] + yy * s[1] + yz * s[2] ) / det;
	w[2] = ( xz * s[0] + yz * s[1] + zz * s[2] ) / det;
	return true;
}

static void DampNodes( gelBody* body, const uint32_t* nodes, uint32_t count, float part )
{
	GEL_ASSERT( count > 0 && part >= 0.0f && part <= 1.0f );
	RigidFit fit = FitRigid( body, nodes, count );
	double w[3];
	if ( !GetTurn( &fit, w ) ) return;
	// a turn along the tangent would make the nodes drift apart, and nothing would draw them together again
	gelMat3 R = gelMakeMat3FromQuat( gelMakeTurn( ( gelVec3 ){ (float)w[0], (float)w[1], (float)w[2] } ) );
	gelVec3 shift = { (float)fit.shift[0], (float)fit.shift[1], (float)fit.shift[2] };
	gelVec3 center = { (float)fit.center[0], (float)fit.center[1], (float)fit.center[2] };
	for ( uint32_t k = 0; k < count; ++k )
	{
		gelVec3 r = gelSub( body->xOld[nodes[k]], center ),
				d = gelXyz( gelGetImplicit( body )->moved[nodes[k]] );
		gelVec3 rigid = gelAdd( shift, gelSub( gelMulMV( R, r ), r ) );
		gelGetImplicit( body )->moved[nodes[k]] =
			gelMakeVec4( gelMulAdd( d, part, gelSub( rigid, d ) ), 0.0f );
	}
}

void gelWarp_Damp( gelBody* body )
{
	const gelWarp* warp = gelGetWarp( body );
	const gelWarpTree* tree = warp->tree;
	float limit = warp->def.dampAbove;
	for ( uint32_t s = 0; s < tree->superCount && limit > 0.0f; ++s )
	{
		uint32_t first = tree->superFirst[s], count = tree->superFirst[s + 1] - first;
		if ( warp->isWanted[s] || !( warp->errors[s] > limit ) || count < GEL_MIN_DAMPED_NODES ) continue;
		float part = warp->errors[s] / limit - 1.0f;
		DampNodes( body, tree->perm + first, count, gelMinFloat( part, GEL_MAX_DAMPING ) );
	}
}
