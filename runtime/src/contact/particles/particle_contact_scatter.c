// SPDX-License-Identifier: MIT
// Bodies as rigid ones, and from contacts back to particles.
#include "contact/particles/particle_contact.h"
#include "solvers/particles/particle_handles.h"
#include "math/turn_math.h"

// A particle of a body.
typedef struct gelMember
{
	gelParticleState* state;
	int lane;
	uint32_t slot;
	float mass, inertia;
} gelMember;

static gelMember GetMember( const gelParticles* p, uint32_t particle )
{
	GEL_ASSERT( particle < (uint32_t)p->model->count );
	uint32_t slot = p->model->particleSlots[particle];
	gelMember out = { .state = p->states + slot / GEL_BLOCK_LANES,
		.lane = (int)( slot % GEL_BLOCK_LANES ),
		.slot = slot,
		.inertia = 1.0f / gelGetInvInertia( p->model, slot ) };
	out.mass = p->model->blocks[slot / GEL_BLOCK_LANES].mass[out.lane];
	return out;
}

// As an impulse at the start of a sub-step of h seconds would, and by a push and a turn without velocity.
static void Change( const gelMember* m, float h, gelVec3 dv, gelVec3 dw, gelVec3 push, gelQuat turn )
{
	GEL_ASSERT( h > 0.0f );
	gelVec3 x = gelAdd( gelGetLane3( m->state->x[0], m->lane ), push );
	gelQuat q = gelMulQuat( gelMakeTurn( gelScale( h, dw ) ), gelGetLaneQuat( m->state->q[0], m->lane ) );
	q = gelMulQuat( turn, q );
	float scale = 1.5f - 0.5f * gelLengthSquaredQuat( q );
	gelSetLane3( m->state->x[0], m->lane, gelMulAdd( x, h, dv ) );
	gelSetLaneQuat( m->state->q[0], m->lane, ( gelQuat ){ gelScale( scale, q.v ), scale * q.s } );
	gelSetLane3( m->state->v[0], m->lane, gelAdd( gelGetLane3( m->state->v[0], m->lane ), dv ) );
	gelSetLane3( m->state->w[0], m->lane, gelAdd( gelGetLane3( m->state->w[0], m->lane ), dw ) );
}

// A body as a rigid one.
typedef struct gelRigid
{
	gelVec3 center;
	double inertia[6]; // xx yy zz xy xz yz
} gelRigid;

static gelRigid MakeRigid( const gelParticles* p )
{
	gelRigid rigid = { .inertia = { 0.0 } };
	double sum[3] = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < p->model->count; ++i )
	{
		gelMember m = GetMember( p, (uint32_t)i );
		gelVec3 x = gelGetLane3( m.state->x[0], m.lane );
		sum[0] += (double)( m.mass * x.x );
		sum[1] += (double)( m.mass * x.y );
		sum[2] += (double)( m.mass * x.z );
	}
	double inv = 1.0 / (double)p->model->mass;
	rigid.center = gelMakeVec3( (float)( inv * sum[0] ), (float)( inv * sum[1] ), (float)( inv * sum[2] ) );
	for ( int i = 0; i < p->model->count; ++i )
	{
		gelMember m = GetMember( p, (uint32_t)i );
		gelVec3 r = gelSub( gelGetLane3( m.state->x[0], m.lane ), rigid.center );
		double x = r.x, y = r.y, z = r.z, mass = m.mass, own = m.inertia;
		rigid.inertia[0] += mass * ( y * y + z * z ) + own;
		rigid.inertia[1] += mass * ( x * x + z * z ) + own;
		rigid.inertia[2] += mass * ( x * x + y * y ) + own;
		rigid.inertia[3] -= mass * x * y;
		rigid.inertia[4] -= mass * x * z;
		rigid.inertia[5] -= mass * y * z;
	}
	return rigid;
}

// I^-1 by cofactors: positive, since every particle has an inertia of its own.
static void Invert( const gelRigid* rigid, gelVec3 out[3] )
{
	const double* m = rigid->inertia;
	double cxx = m[1] * m[2] - m[5] * m[5], cxy = m[4] * m[5] - m[3] * m[2], cxz = m[3] * m[5] - m[4] * m[1];
	double cyy = m[0] * m[2] - m[4] * m[4], cyz = m[3] * m[4] - m[0] * m[5], czz = m[0] * m[1] - m[3] * m[3];
	double inv = 1.0 / ( m[0] * cxx + m[3] * cxy + m[4] * cxz );
	out[0] = gelMakeVec3( (float)( inv * cxx ), (float)( inv * cxy ), (float)( inv * cxz ) );
	out[1] = gelMakeVec3( (float)( inv * cxy ), (float)( inv * cyy ), (float)( inv * cyz ) );
	out[2] = gelMakeVec3( (float)( inv * cxz ), (float)( inv * cyz ), (float)( inv * czz ) );
}

// A ellipsoid that its neighbors hold is heavier than it is alone, as particle_contact_solve.c says.
static void FillEllipsoid(
	const gelParticles* p, gelEllipsoid* ellipsoid, float subStep, bool isHeld, bool isAsleep )
{
	const gelParticleModel* model = p->model;
	const gelParticleState* state = p->states + ellipsoid->slot / GEL_BLOCK_LANES;
	int lane = (int)( ellipsoid->slot % GEL_BLOCK_LANES );
	float h2 = subStep * subStep, own = 1.0f / gelGetInvInertia( model, ellipsoid->slot );
	float inertia = own + h2 * model->turnStiffness[ellipsoid->slot];
	float lone = model->blocks[ellipsoid->slot / GEL_BLOCK_LANES].mass[lane];
	float mass = isHeld ? lone + h2 * model->stiffness[ellipsoid->slot] : lone;
	ellipsoid->v = ellipsoid->v0 = gelGetLane3( state->v[0], lane );
	ellipsoid->w = ellipsoid->w0 = gelGetLane3( state->w[0], lane );
	ellipsoid->h = subStep;
	ellipsoid->invMass = isAsleep ? 0.0f : 1.0f / mass;
	ellipsoid->invInertia = isAsleep ? 0.0f : 1.0f / inertia;
	ellipsoid->rest = isAsleep ? 0.0f : 1.0f - lone / mass;
	ellipsoid->turnRest = isAsleep ? 0.0f : 1.0f - own / inertia;
	ellipsoid->push = gelMakeVec3( 0.0f, 0.0f, 0.0f );
}

void gelHitEllipsoidBody( gelEllipsoidStep* step, gelEllipsoidBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	const gelParticles* p = gelGetParticles( body->body );
	gelBodyContact* touch = body->touch;
	gelVec3 none = { 0.0f, 0.0f, 0.0f };
	bool isAsleep = body->body->isAsleep, isHeld = p->handles != NULL && p->handles->count > 0;
	for ( int i = body->ellipsoidFirst; i < body->ellipsoidFirst + body->ellipsoidCount; ++i )
		FillEllipsoid( p, step->ellipsoids + i, h / (float)p->def.subSteps, isHeld, isAsleep );
	body->isHit = true;
	touch->lackCount = 0;
	body->shift = body->turn = none;
	touch->invMass = isHeld || isAsleep ? 0.0f : 1.0f / p->model->mass;
	touch->shift = touch->turn = touch->center = none;
	touch->invInertia[0] = touch->invInertia[1] = touch->invInertia[2] = none;
	if ( isHeld || isAsleep ) return;
	gelRigid rigid = MakeRigid( p );
	touch->center = rigid.center;
	Invert( &rigid, touch->invInertia );
}

void gelScatterEllipsoidBody( const gelEllipsoidStep* step, const gelEllipsoidBody* body )
{
	const gelBodyContact* touch = body->touch;
	gelQuat turn = gelMakeTurn( touch->turn );
	gelMat3 R = gelMakeMat3FromQuat( turn );
	for ( int i = body->ellipsoidFirst; i < body->ellipsoidFirst + body->ellipsoidCount; ++i )
	{
		const gelEllipsoid* ellipsoid = step->ellipsoids + i;
		gelMember m = GetMember( gelGetParticles( body->body ), ellipsoid->particle );
		gelVec3 arm = gelSub( ellipsoid->x, touch->center );
		gelVec3 dv = gelAdd(
			gelSub( ellipsoid->v, ellipsoid->v0 ), gelAdd( body->shift, gelCross( body->turn, arm ) ) );
		gelVec3 dw = gelAdd( gelSub( ellipsoid->w, ellipsoid->w0 ), body->turn );
		gelVec3 rigid = gelAdd( touch->shift, gelSub( gelMulMV( R, arm ), arm ) );
		Change( &m, ellipsoid->h, dv, dw, gelAdd( ellipsoid->push, rigid ), turn );
	}
}
