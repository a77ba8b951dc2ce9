// SPDX-License-Identifier: MIT
// What particles carry: art, cage, and matrices for a graphics card. And what a game may ask about them.
#include "state/coarse_tree.h"
#include "solvers/particles/particle_handles.h"
#include "gelpack/particles.h"
#include "state/world.h"

#include <string.h>

_Static_assert( sizeof( gelSkinVertex ) == sizeof( gelPackSkin ), "skins of a pack are handed out in place" );

void gelParticles_FillPalette( const gelParticles* p, gelVec3 offset )
{
	for ( int i = 0; i < p->model->count; ++i )
	{
		uint32_t slot = p->model->particleSlots[i];
		const gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
		int lane = (int)( slot % GEL_BLOCK_LANES );
		gelMat3 R = gelMakeMat3FromQuat( gelGetLaneQuat( state->q[0], lane ) );
		gelVec3 turned = gelMulMV( R, p->model->restPositions[slot] );
		gelVec4* column = p->palette + 4 * (size_t)i;
		column[0] = gelMakeVec4( R.cx, 0.0f );
		column[1] = gelMakeVec4( R.cy, 0.0f );
		column[2] = gelMakeVec4( R.cz, 0.0f );
		gelVec3 t = gelSub( gelGetLane3( state->x[0], lane ), turned );
		column[3] = gelMakeVec4( gelAdd( t, offset ), 0.0f );
	}
}

void gelParticles_MoveNodes( gelBody* body )
{
	const gelPackView* pack = &body->asset->pack;
	gelParticles_FillPalette( gelGetParticles( body ), gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	gelGetParticleKernels( body->simd )
		->skinNodes( gelGetParticles( body )->palette, pack->particles.nodeSkins,
			(const gelVec4*)(const void*)pack->nodes, body->asset->nodeCount, body->x );
}

gelVec3 gelParticles_GetNodeVelocity( const gelBody* body, uint32_t node )
{
	GEL_ASSERT( node < (uint32_t)body->asset->nodeCount );
	const gelParticles* p = gelGetParticles( body );
	const gelPackSkin* skin = body->asset->pack.particles.nodeSkins + node;
	gelVec3 rest = gelGetRestNode( body->asset->pack.nodes, node ), sum = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t slot = p->model->particleSlots[skin->particle[k]];
		const gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
		int lane = (int)( slot % GEL_BLOCK_LANES );
		gelMat3 R = gelMakeMat3FromQuat( gelGetLaneQuat( state->q[0], lane ) );
		gelVec3 arm = gelMulMV( R, gelSub( rest, p->model->restPositions[slot] ) );
		gelVec3 v =
			gelAdd( gelGetLane3( state->v[0], lane ), gelCross( gelGetLane3( state->w[0], lane ), arm ) );
		sum = gelMulAdd( sum, (float)skin->weight[k] * ( 1.0f / 65535.0f ), v );
	}
	return sum;
}

// ---- energies --------------------------------------------------------------------------------------------

typedef struct Pose
{
	gelMat3 R;
	gelVec3 x;
} Pose;

static Pose GetPose( const gelParticles* p, uint32_t particle )
{
	GEL_ASSERT( particle < (uint32_t)p->model->count );
	uint32_t slot = p->model->particleSlots[particle];
	const gelParticleState* state = p->states + slot / GEL_BLOCK_LANES;
	int lane = (int)( slot % GEL_BLOCK_LANES );
	return ( Pose ){ gelMakeMat3FromQuat( gelGetLaneQuat( state->q[0], lane ) ),
		gelGetLane3( state->x[0], lane ) };
}

// tr( D M D^T )
static double GetTrace( gelMat3 D, gelSym3 M )
{
	const gelVec3 rows[3] = { { D.cx.x, D.cy.x, D.cz.x }, { D.cx.y, D.cy.y, D.cz.y },
		{ D.cx.z, D.cy.z, D.cz.z } };
	double sum = 0.0;
	for ( int a = 0; a < 3; ++a )
		sum += (double)gelDot( rows[a], gelMulSym3( M, rows[a] ) );
	return sum;
}

// The elastic energy of particle_model.h.
static double SumElastic( const gelBody* body )
{
	const gelParticleView* view = &body->asset->pack.particles;
	const gelParticleModel* model = gelGetParticles( body )->model;
	double sum = 0.0;
	for ( uint32_t i = 0; i < view->header->particleCount; ++i )
	{
		Pose own = GetPose( gelGetParticles( body ), i );
		gelVec3 rest = model->restPositions[model->particleSlots[i]];
		for ( uint32_t n = view->neighborFirst[i]; n < view->neighborFirst[i + 1]; ++n )
		{
			uint32_t j = view->neighbors[n], slot = model->particleSlots[j];
			Pose other = GetPose( gelGetParticles( body ), j );
			double volume = view->particles[j].volume, density = view->particles[j].mass / volume;
			gelVec3 d = gelSub( model->restPositions[slot], rest );
			gelVec3 gap = gelSub( gelMulMV( own.R, d ), gelSub( other.x, own.x ) );
			sum += GetTrace( gelSubMat3( own.R, other.R ), model->moments[slot] ) / density +
				volume * (double)gelLengthSquared( gap );
		}
	}
	return 0.5 * view->header->stiffness * sum;
}

static void SumCage( const gelBody* body, gelBodyDynamics* out )
{
	double volume = 0.0;
	for ( int t = 0; t < body->asset->tetCount; ++t )
	{
		const uint32_t* node = body->asset->pack.tets[t].node;
		float det =
			gelTetDeterminant( body->x[node[0]], body->x[node[1]], body->x[node[2]], body->x[node[3]] );
		volume += det / 6.0;
		out->invertedTetCount += det <= 0.0f;
	}
	out->volume = (float)volume;
}

// Inertia times angular velocity: rho (tr Ab - Ab) turned along.
static gelVec3 GetSpin( gelSym3 m, gelMat3 R, gelVec3 w )
{
	gelVec3 local = { gelDot( R.cx, w ), gelDot( R.cy, w ), gelDot( R.cz, w ) };
	gelVec3 l = gelSub( gelScale( m.xx + m.yy + m.zz, local ), gelMulSym3( m, local ) );
	return gelMulMV( R, l );
}

gelBodyDynamics gelParticles_GetDynamics( const gelBody* body )
{
	const gelParticles* p = gelGetParticles( body );
	gelBodyDynamics out = { 0 };
	double mass = 0.0, energy = 0.0, c[3] = { 0.0 }, momentum[3] = { 0.0 }, l[3] = { 0.0 };
	for ( int i = 0; i < p->model->count; ++i )
	{
		uint32_t slot = p->model->particleSlots[i];
		const gelParticleState* s = p->states + slot / GEL_BLOCK_LANES;
		int lane = (int)( slot % GEL_BLOCK_LANES );
		double m = p->model->blocks[slot / GEL_BLOCK_LANES].mass[lane];
		gelVec3 x = gelGetLane3( s->x[0], lane ), v = gelGetLane3( s->v[0], lane );
		gelVec3 w = gelGetLane3( s->w[0], lane );
		gelVec3 spin =
			GetSpin( p->model->moments[slot], gelMakeMat3FromQuat( gelGetLaneQuat( s->q[0], lane ) ), w );
		const double at[3] = { x.x, x.y, x.z }, speed[3] = { v.x, v.y, v.z };
		mass += m;
		energy += 0.5 * m * (double)gelLengthSquared( v ) + 0.5 * (double)gelDot( w, spin );
		for ( int k = 0; k < 3; ++k )
		{
			int a = ( k + 1 ) % 3, b = ( k + 2 ) % 3;
			c[k] += m * at[k];
			momentum[k] += m * speed[k];
			l[k] += m * ( at[a] * speed[b] - at[b] * speed[a] ) + (double)( &spin.x )[k];
		}
	}
	for ( int k = 0; k < 3; ++k )
		c[k] /= mass;
	out.mass = (float)mass;
	out.kineticEnergy = (float)energy;
	out.elasticEnergy = (float)SumElastic( body );
	SumCage( body, &out );
	for ( int k = 0; k < 3; ++k )
	{
		int a = ( k + 1 ) % 3, b = ( k + 2 ) % 3;
		( &out.centerOfMass.x )[k] = (float)( body->origin[k] + c[k] );
		( &out.linearMomentum.x )[k] = (float)momentum[k];
		( &out.angularMomentum.x )[k] = (float)( l[k] - ( c[a] * momentum[b] - c[b] * momentum[a] ) );
	}
	return out;
}

// ---- the game -------------------------------------------------------------------------------------------

int gelAsset_GetParticles( const gelAsset* asset, gelParticle* out, int outCapacity )
{
	if ( asset == NULL || gelGetParticleModel( asset ) == NULL ) return 0;
	for ( int i = 0; out != NULL && i < gelMinInt( gelGetParticleModel( asset )->count, outCapacity ); ++i )
	{
		const gelPackParticle* p = asset->pack.particles.particles + i;
		out[i] = ( gelParticle ){ { p->position[0], p->position[1], p->position[2] },
			{ { p->rotation[0], p->rotation[1], p->rotation[2] }, p->rotation[3] },
			{ p->radius[0], p->radius[1], p->radius[2] }, p->mass };
	}
	return gelGetParticleModel( asset )->count;
}

int gelAsset_GetParticleEdges( const gelAsset* asset, int* out, int outCapacity )
{
	if ( asset == NULL || gelGetParticleModel( asset ) == NULL ) return 0;
	const gelParticleView* view = &asset->pack.particles;
	int count = 0;
	for ( uint32_t i = 0; i < view->header->particleCount; ++i )
	{
		for ( uint32_t n = view->neighborFirst[i]; n < view->neighborFirst[i + 1]; ++n )
		{
			if ( view->neighbors[n] < i ) continue;
			if ( out != NULL && count < outCapacity )
			{
				out[2 * count] = (int)i;
				out[2 * count + 1] = (int)view->neighbors[n];
			}
			++count;
		}
	}
	return count;
}

gelParticleShape gelAsset_GetParticleShape( const gelAsset* asset )
{
	if ( asset == NULL || gelGetParticleModel( asset ) == NULL ) return gel_particlesInVolume;
	return (gelParticleShape)asset->pack.particles.header->kind;
}

const gelSkinVertex* gelAsset_GetSkin( const gelAsset* asset )
{
	if ( asset == NULL ) return NULL;
	return (const gelSkinVertex*)(const void*)asset->pack.particles.vertexSkins;
}

static gelParticlePose GetParticlePose( const gelBody* body, const gelParticles* p, int i )
{
	GEL_ASSERT( i >= 0 && i < p->model->count );
	uint32_t slot = p->model->particleSlots[i];
	const gelParticleState* s = p->states + slot / GEL_BLOCK_LANES;
	int lane = (int)( slot % GEL_BLOCK_LANES );
	return ( gelParticlePose ){ gelToWorld( body, gelGetLane3( s->x[0], lane ) ),
		gelGetLaneQuat( s->q[0], lane ), gelGetLane3( s->v[0], lane ), gelGetLane3( s->w[0], lane ) };
}

int gelBody_GetParticlePoses( gelBodyId bodyId, gelParticlePose* out, int outCapacity )
{
	const gelBody* body = gelAskBody( bodyId );
	const gelParticles* p = body ? gelGetParticles( body ) : NULL;
	if ( p == NULL ) return 0;
	for ( int i = 0; out != NULL && i < gelMinInt( p->model->count, outCapacity ); ++i )
		out[i] = GetParticlePose( body, p, i );
	return p->model->count;
}

#define GEL_EDGE_COLOR 0x16324Fu

void gelParticles_Draw( const gelBody* body, const gelDebugDraw* draw, uint32_t color )
{
	const gelParticles* p = gelGetParticles( body );
	const gelParticleView* view = &body->asset->pack.particles;
	for ( int i = 0; i < p->model->count; ++i )
	{
		const gelPackParticle* rest = view->particles + i;
		gelParticlePose pose = GetParticlePose( body, p, i );
		gelQuat turn = { { rest->rotation[0], rest->rotation[1], rest->rotation[2] }, rest->rotation[3] };
		gelTransform transform = { pose.position, gelMulQuat( pose.rotation, turn ) };
		gelVec3 radius = { rest->radius[0], rest->radius[1], rest->radius[2] };
		if ( draw->drawEllipsoid ) draw->drawEllipsoid( transform, radius, color, draw->context );
		for ( uint32_t n = view->neighborFirst[i]; n < view->neighborFirst[i + 1]; ++n )
		{
			if ( view->neighbors[n] < (uint32_t)i || draw->drawSegment == NULL ) continue;
			gelVec3 other = GetParticlePose( body, p, (int)view->neighbors[n] ).position;
			draw->drawSegment( pose.position, other, GEL_EDGE_COLOR, draw->context );
		}
	}
}

static bool IsPose( const gelParticlePose* pose )
{
	return gelIsUsable( pose->position ) && gelIsUsable( pose->linearVelocity ) &&
		gelIsUsable( pose->angularVelocity ) &&
		fabsf( gelLengthSquaredQuat( pose->rotation ) - 1.0f ) < 1.0e-3f; // false for NaN
}

gelResult gelBody_SetParticlePoses( gelBodyId bodyId, const gelParticlePose* poses, int count )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( gelGetParticles( body ) == NULL ) return gel_errorUnsupported;
	const gelParticles* p = gelGetParticles( body );
	if ( poses == NULL || count != p->model->count ) return GEL_CALLER_ERROR( gel_errorArgument );
	for ( int i = 0; i < count; ++i )
	{
		if ( !IsPose( poses + i ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	}
	for ( int i = 0; i < count; ++i )
	{
		uint32_t slot = p->model->particleSlots[i];
		gelParticleState* s = p->states + slot / GEL_BLOCK_LANES;
		int lane = (int)( slot % GEL_BLOCK_LANES );
		float inv = 1.0f / sqrtf( gelLengthSquaredQuat( poses[i].rotation ) );
		gelQuat q = { gelScale( inv, poses[i].rotation.v ), inv * poses[i].rotation.s };
		gelSetLane3( s->x[0], lane, gelToBody( body, poses[i].position ) );
		gelSetLaneQuat( s->q[0], lane, q );
		gelSetLane3( s->v[0], lane, poses[i].linearVelocity );
		gelSetLane3( s->w[0], lane, poses[i].angularVelocity );
	}
	gelBody_Wake( body );
	gelParticles_MoveNodes( body );
	if ( body->constraints ) body->constraints->calls->follow( body );
	gelBody_RefitCoarse( body );
	return gel_success;
}

int gelBody_GetPalette( gelBodyId bodyId, gelVec3 origin, gelPaletteMatrix* out, int outCapacity )
{
	gelBody* body = gelAskBody( bodyId );
	if ( body == NULL || gelGetParticles( body ) == NULL ) return 0;
	const gelParticles* p = gelGetParticles( body );
	gelParticles_FillPalette( p, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	const double shift[3] = { body->origin[0] - origin.x, body->origin[1] - origin.y,
		body->origin[2] - origin.z };
	for ( int i = 0; out != NULL && i < gelMinInt( p->model->count, outCapacity ); ++i )
	{
		const gelVec4* column = p->palette + 4 * (size_t)i;
		for ( int row = 0; row < 3; ++row )
		{
			for ( int k = 0; k < 4; ++k )
				out[i].m[row][k] = ( &column[k].x )[row];
			out[i].m[row][3] = (float)( shift[row] + ( &column[3].x )[row] );
		}
	}
	return p->model->count;
}
