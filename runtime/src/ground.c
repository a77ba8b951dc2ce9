// SPDX-License-Identifier: MIT
#include "ground.h"

#include <string.h>

// A vertex that starts a step below the plane (placed there by the game) leaves it at this speed [m/s]
// instead of within one step, which would shoot it into the air.
#define GEL_DEPENETRATION_SPEED 1.0f

// The plane in coordinates of the body, and what the loops share.
typedef struct gelGroundFrame
{
	const gelAsset* asset;
	const float* invMasses;
	gelVec3 normal;
	float offset; // [m]
} gelGroundFrame;

static gelGroundFrame MakeFrame( const gelBody* body, const gelPlane* ground )
{
	gelVec3 n = ground->normal;
	// in double: far from the world's origin the two terms nearly cancel
	double offset =
		ground->offset - ( n.x * body->origin[0] + n.y * body->origin[1] + n.z * body->origin[2] );
	return ( gelGroundFrame ){ body->asset, body->invMasses, n, (float)offset };
}

// One art vertex with its tet.
typedef struct gelGroundVertex
{
	const uint32_t* node;
	float w[4];
	float invMass; // effective: sum w_i^2 / m_i [1/kg]
} gelGroundVertex;

static gelGroundVertex GetVertex( const gelGroundFrame* frame, uint32_t tet, uint32_t vertex )
{
	gelGroundVertex g = { .node = frame->asset->pack.tets[tet].node };
	gelGetWeights( frame->asset->pack.embedWeights, vertex, g.w );
	for ( int k = 0; k < 4; ++k )
		g.invMass += g.w[k] * g.w[k] * frame->invMasses[g.node[k]];
	return g;
}

static gelVec3 GetPoint( const gelGroundVertex* g, const gelVec3* x )
{
	gelVec3 p = gelScale( g->w[0], x[g->node[0]] );
	for ( int k = 1; k < 4; ++k )
		p = gelMulAdd( p, g->w[k], x[g->node[k]] );
	return p;
}

static void ApplyImpulse( const gelGroundFrame* frame, const gelGroundVertex* g, gelVec3 impulse, gelVec3* x )
{
	for ( int k = 0; k < 4; ++k )
		x[g->node[k]] = gelMulAdd( x[g->node[k]], g->w[k] * frame->invMasses[g->node[k]], impulse );
}

static float GetHeight( const gelGroundFrame* frame, gelVec3 p )
{
	return gelDot( frame->normal, p ) - frame->offset;
}

// A vertex is a convex combination of its tet's nodes: none is below the lowest node.
static bool TetIsAbove( const gelGroundFrame* frame, uint32_t tet, const gelVec3* x )
{
	const uint32_t* node = frame->asset->pack.tets[tet].node;
	bool above = true;
	for ( int k = 0; k < 4; ++k )
		above = above && GetHeight( frame, x[node[k]] ) > 0.0f;
	return above;
}

void gelClearGroundImpulses( gelBody* body )
{
	if ( body->groundImpulses == NULL ) return;
	memset( body->groundImpulses, 0, (size_t)body->asset->vertexCount * sizeof( float ) );
	memset( body->groundTets, 0, (size_t)body->asset->tetCount );
}

// Sum of external forces against the plane, as an impulse [kg m].
static float GetWeight( const gelBody* body, const gelStepContext* ctx )
{
	double sum = 0.0;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		if ( body->invMasses[i] == 0.0f ) continue;
		float mass = body->asset->pack.masses[i].mass;
		sum -= gelDot( ctx->ground.normal, gelMulAdd( body->forces[i], mass, ctx->gravity ) );
	}
	return fmaxf( 0.0f, (float)sum * ctx->h * ctx->h );
}

static double SumImpulses( const gelBody* body )
{
	const gelAsset* asset = body->asset;
	double sum = 0.0;
	for ( int t = 0; t < asset->tetCount; ++t )
	{
		if ( !body->groundTets[t] ) continue;
		for ( uint32_t i = asset->tetVertexFirst[t]; i < asset->tetVertexFirst[t + 1]; ++i )
			sum += body->groundImpulses[asset->tetVertices[i]];
	}
	return sum;
}

void gelWarmStartGround_Ref( gelBody* body, const gelStepContext* ctx, gelVec3* xTilde )
{
	const gelAsset* asset = body->asset;
	double support = SumImpulses( body );
	if ( support <= 0.0 ) return;
	float weight = GetWeight( body, ctx );
	float scale = support > weight ? (float)( weight / support ) : 1.0f;
	gelGroundFrame frame = MakeFrame( body, &ctx->ground );
	for ( uint32_t t = 0; t < (uint32_t)asset->tetCount; ++t )
	{
		if ( !body->groundTets[t] ) continue;
		for ( uint32_t i = asset->tetVertexFirst[t]; i < asset->tetVertexFirst[t + 1]; ++i )
		{
			float* lambda = body->groundImpulses + asset->tetVertices[i];
			if ( *lambda == 0.0f ) continue;
			*lambda *= scale;
			gelGroundVertex g = GetVertex( &frame, t, asset->tetVertices[i] );
			ApplyImpulse( &frame, &g, gelScale( *lambda, frame.normal ), xTilde );
		}
	}
}

// How deep a vertex may be after the step: not at all, unless it started there.
static float GetAllowedHeight(
	const gelGroundFrame* frame, const gelGroundVertex* g, const gelVec3* xOld, float h )
{
	float old = GetHeight( frame, GetPoint( g, xOld ) );
	return fminf( 0.0f, old + GEL_DEPENETRATION_SPEED * h );
}

// One sweep of lambda <- max( 0, lambda - height / invMass ). A vertex above the plane loses impulse that
// the warm start gave it, but is never pulled down by more than that: the sum over the step only pushes.
static void SolveNormals( gelBody* body, const gelGroundFrame* frame, float h, bool onlyPush, gelVec3* x )
{
	const gelAsset* asset = body->asset;
	for ( uint32_t t = 0; t < (uint32_t)asset->tetCount; ++t )
	{
		if ( !body->groundTets[t] && TetIsAbove( frame, t, x ) ) continue;
		for ( uint32_t i = asset->tetVertexFirst[t]; i < asset->tetVertexFirst[t + 1]; ++i )
		{
			float* lambda = body->groundImpulses + asset->tetVertices[i];
			gelGroundVertex g = GetVertex( frame, t, asset->tetVertices[i] );
			float height = GetHeight( frame, GetPoint( &g, x ) );
			if ( height >= 0.0f && ( onlyPush || *lambda == 0.0f ) ) continue;
			if ( g.invMass <= 0.0f ) continue; // all its nodes are pinned
			if ( height < 0.0f ) height -= GetAllowedHeight( frame, &g, body->xOld, h );
			float change = fmaxf( -height / g.invMass, onlyPush ? 0.0f : -*lambda );
			*lambda += change;
			ApplyImpulse( frame, &g, gelScale( change, frame->normal ), x );
			body->groundTets[t] = 1;
		}
	}
}

// Coulomb: the tangential impulse that would undo the displacement of the step is applied in full while it
// is below static friction times the normal impulse, else as much as dynamic friction gives.
static void ApplyFriction( const gelGroundFrame* frame, const gelGroundVertex* g, float lambda,
	float muStatic, float muDynamic, const gelVec3* xOld, gelVec3* x )
{
	// from node displacements: the difference of positions would lose digits
	gelVec3 move = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
		move = gelMulAdd( move, g->w[k], gelSub( x[g->node[k]], xOld[g->node[k]] ) );
	gelVec3 slip = gelMulAdd( move, -gelDot( frame->normal, move ), frame->normal );
	float length = gelLength( slip );
	if ( length <= 0.0f ) return;
	float needed = length / g->invMass;
	float given = needed <= muStatic * lambda ? needed : fminf( needed, muDynamic * lambda );
	ApplyImpulse( frame, g, gelScale( -given / length, slip ), x );
}

// Friction of all vertices that are held by the ground; counts them and forgets tets without any.
static int SolveFriction( gelBody* body, const gelGroundFrame* frame, const gelStepContext* ctx, gelVec3* x )
{
	const gelAsset* asset = body->asset;
	int contactCount = 0;
	for ( uint32_t t = 0; t < (uint32_t)asset->tetCount; ++t )
	{
		if ( !body->groundTets[t] ) continue;
		const gelPackMaterial* material = asset->pack.materials + asset->pack.tetRests[t].material;
		float muStatic = 0.5f * ( ctx->staticFriction + material->staticFriction );
		float muDynamic = fminf( muStatic, 0.5f * ( ctx->dynamicFriction + material->dynamicFriction ) );
		int tetContacts = 0;
		for ( uint32_t i = asset->tetVertexFirst[t]; i < asset->tetVertexFirst[t + 1]; ++i )
		{
			float lambda = body->groundImpulses[asset->tetVertices[i]];
			if ( lambda <= 0.0f ) continue;
			gelGroundVertex g = GetVertex( frame, t, asset->tetVertices[i] );
			ApplyFriction( frame, &g, lambda, muStatic, muDynamic, body->xOld, x );
			++tetContacts;
		}
		body->groundTets[t] = tetContacts > 0;
		contactCount += tetContacts;
	}
	return contactCount;
}

void gelSolveGround_Ref( gelBody* body, const gelStepContext* ctx, gelVec3* x )
{
	gelGroundFrame frame = MakeFrame( body, &ctx->ground );
	SolveNormals( body, &frame, ctx->h, false, x );
	SolveNormals( body, &frame, ctx->h, false, x );
	SolveNormals( body, &frame, ctx->h, true, x ); // pushes only: nothing is below the plane afterwards
	body->groundContactCount = SolveFriction( body, &frame, ctx, x );
}
