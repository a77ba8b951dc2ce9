// SPDX-License-Identifier: MIT
// Ellipsoids against ellipsoids, and against colliders with a shape.
#include "ball_contact.h"
#include "collider_set.h"
#include "world.h"

// Searches for a normal: steps at most.
#define GEL_GAP_STEPS      5
#define GEL_COLLIDER_STEPS 3

// sqrt( n . S n ): how far an ellipsoid reaches, and the point where, S n / that.
static float GetReach( gelSym3 S, gelVec3 n, gelVec3* outPoint )
{
	gelVec3 p = gelMulSym3( S, n );
	float reach = sqrtf( gelMaxFloat( gelDot( n, p ), 1.0e-30f ) );
	*outPoint = gelScale( 1.0f / reach, p );
	return reach;
}

// The gap f(n) = n . g with g = d - A n / |..| - B n / |..|, whose part across n is the gradient on the
// sphere. Its curvature is at most |d| + reachA^2 / a + reachB^2 / b, so that steps of the inverse never
// overshoot.
float gelFindBallGap( gelSym3 A, gelSym3 B, gelVec3 d, float reachA, float reachB, gelVec3* outNormal )
{
	float length = gelLength( d ), best = -INFINITY;
	gelVec3 n = length > 1.0e-20f ? gelScale( 1.0f / length, d ) : gelMakeVec3( 0.0f, 1.0f, 0.0f );
	*outNormal = n;
	for ( int i = 0; i < GEL_GAP_STEPS; ++i )
	{
		gelVec3 pa, pb;
		float a = GetReach( A, n, &pa ), b = GetReach( B, n, &pb );
		gelVec3 g = gelSub( d, gelAdd( pa, pb ) );
		float gap = gelDot( n, g );
		if ( gap > best )
		{
			best = gap;
			*outNormal = n;
		}
		if ( gap >= 0.0f ) break;
		float bound = length + reachA * reachA / a + reachB * reachB / b;
		gelVec3 next = gelMulAdd( n, 1.0f / bound, gelMulAdd( g, -gap, n ) );
		n = gelScale( 1.0f / gelLength( next ), next );
	}
	return best;
}

// ---- pairs -----------------------------------------------------------------------------------------------

static gelVec3 GetOffset( const gelBody* a, const gelBody* b )
{
	return ( gelVec3 ){ (float)( a->origin[0] - b->origin[0] ), (float)( a->origin[1] - b->origin[1] ),
		(float)( a->origin[2] - b->origin[2] ) };
}

// Parts of one body that overlap when it is at rest, as far as their longest radii reach, never touch.
static bool MaySelfTouch( const gelBody* body, const gelBall* a, const gelBall* b )
{
	if ( !body->touch->isSelfEnabled ) return false;
	const gelVec3* rest = body->particles->model->restPositions;
	float reach = a->reach + b->reach;
	return gelLengthSquared( gelSub( rest[a->slot], rest[b->slot] ) ) > reach * reach;
}

static bool MayTouch( const gelBallStep* step, const gelBall* a, const gelBall* b )
{
	if ( a->invMass + b->invMass == 0.0f ) return false;
	const gelBody *bodyA = step->bodies[a->owner].body, *bodyB = step->bodies[b->owner].body;
	if ( bodyA == bodyB ) return MaySelfTouch( bodyA, a, b );
	return gelTouch_FiltersAgree( bodyA->touch, bodyB->touch->category, bodyB->touch->mask );
}

static void TestPair( struct gelWorld* world, int first, int second )
{
	gelBallStep* step = world->contact->balls;
	int i = gelMinInt( first, second ), k = first + second - i; // A has the lower slot
	const gelBall *a = step->balls + i, *b = step->balls + k;
	gelVec3 d = gelSub( a->x, b->x );
	if ( a->owner != b->owner )
		d = gelAdd( d, GetOffset( step->bodies[a->owner].body, step->bodies[b->owner].body ) );
	float reach = a->reach + b->reach;
	if ( !( gelLengthSquared( d ) < reach * reach ) || !MayTouch( step, a, b ) ) return;
	gelSym3 A = gelBallStep_GetShape( step, i ), B = gelBallStep_GetShape( step, k );
	gelVec3 n, pa, pb;
	float gap = gelFindBallGap( A, B, d, a->reach, b->reach, &n );
	if ( !( gap < 0.0f ) ) return;
	gelBallContact* contact = gelBallStep_Add( world, i );
	if ( contact == NULL ) return;
	GetReach( A, n, &pa );
	GetReach( B, n, &pb );
	contact->b = k;
	contact->featureB = b->particle;
	contact->normal = n;
	contact->depth = -gap;
	contact->armA = gelNeg( pa );
	contact->armB = pb;
	const float *fa = step->bodies[a->owner].friction, *fb = step->bodies[b->owner].friction;
	contact->friction[0] = 0.5f * ( fa[0] + fb[0] );
	contact->friction[1] = gelMinFloat( contact->friction[0], 0.5f * ( fa[1] + fb[1] ) );
}

void gelFindBallPairs( struct gelWorld* world )
{
	gelBallStep* step = world->contact->balls;
	for ( int i = 0; i < step->ballCount; ++i )
	{
		const gelBall* ball = step->balls + i;
		const double* o = step->bodies[ball->owner].body->origin;
		const double center[3] = { o[0] + ball->x.x, o[1] + ball->x.y, o[2] + ball->x.z };
		step->grid.cells[i] = gelMakeBallCell( center, ball->reach );
	}
	gelBallGrid_Build( &step->grid, step->ballCount );
	for ( int i = 0; i < step->ballCount; ++i )
	{
		int count = gelBallGrid_Query( &step->grid, i, step->near, GEL_MAX_NEAR_BALLS );
		if ( count > GEL_MAX_NEAR_BALLS )
			world->contact->counters.droppedContactCount += count - GEL_MAX_NEAR_BALLS;
		for ( int k = 0; k < gelMinInt( count, GEL_MAX_NEAR_BALLS ); ++k )
			TestPair( world, i, step->near[k] );
	}
}

// ---- colliders -------------------------------------------------------------------------------------------

// A collider as one body sees it in one sub-step, poses in body space.
typedef struct gelBallCollider
{
	const gelShape* shape;
	gelMat3 before, now; // rotations
	gelVec3 from, to;    // positions [m]
} gelBallCollider;

static gelVec3 ToLocal( const gelMat3* r, gelVec3 center, gelVec3 p )
{
	gelVec3 d = gelSub( p, center );
	return ( gelVec3 ){ gelDot( r->cx, d ), gelDot( r->cy, d ), gelDot( r->cz, d ) };
}

// How far the shape reaches along n, in its own space; not for half-spaces.
static float GetSupport( const gelShape* shape, gelVec3 n )
{
	return fabsf( n.x ) * shape->core.x + fabsf( n.y ) * shape->core.y + fabsf( n.z ) * shape->core.z +
		shape->radius;
}

// The largest gap along the few normals that lead out of the shape where the ball is deepest.
static float FindGap( const gelBallCollider* c, gelSym3 S, gelVec3 center, gelVec3* outNormal )
{
	float best = -INFINITY;
	gelVec3 at = center;
	for ( int i = 0; i < GEL_COLLIDER_STEPS; ++i )
	{
		gelVec3 n, point;
		gelShape_GetDistance( c->shape, at, &n );
		gelVec3 world = gelMulMV( c->now, n );
		float reach = GetReach( S, world, &point );
		float support = c->shape->isHalfSpace ? 0.0f : GetSupport( c->shape, n );
		float gap = gelDot( n, center ) - reach - support;
		if ( gap > best )
		{
			best = gap;
			*outNormal = world;
		}
		if ( gap >= 0.0f || c->shape->isHalfSpace ) break;
		at = gelSub( center, ToLocal( &c->now, gelMakeVec3( 0.0f, 0.0f, 0.0f ), point ) );
	}
	return best;
}

// A ball that is too fast for its size may have passed the surface with its centre: the way out is then where
// it came in.
static bool FindEntry(
	const gelBallCollider* c, gelSym3 S, gelVec3 start, gelVec3 end, float* outGap, gelVec3* outNormal )
{
	gelVec3 n, point;
	float fraction;
	if ( gelShape_GetDistance( c->shape, start, &n ) < 0.0f ) return false;
	if ( !gelShape_FindEntry( c->shape, start, end, &fraction ) ) return false;
	gelVec3 place = gelMulAdd( start, fraction, gelSub( end, start ) );
	float height = gelShape_GetDistance( c->shape, place, &n );
	*outNormal = gelMulMV( c->now, n );
	*outGap = gelDot( n, gelSub( end, place ) ) + height - GetReach( S, *outNormal, &point );
	return true;
}

static void TestCollider(
	struct gelWorld* world, const gelCollider* collider, const gelBallCollider* c, int index )
{
	gelBallStep* step = world->contact->balls;
	const gelBall* ball = step->balls + index;
	const gelBallBody* owner = step->bodies + ball->owner;
	const gelParticleStart* starts = owner->body->particles->starts + ball->slot / GEL_BLOCK_LANES;
	gelVec3 start =
		ToLocal( &c->before, c->from, gelGetLane3( starts->x[0], (int)( ball->slot % GEL_BLOCK_LANES ) ) );
	gelVec3 end = ToLocal( &c->now, c->to, ball->x ), n;
	float move = gelLength( gelSub( end, start ) ), gap;
	if ( !( gelShape_GetDistance( c->shape, end, &n ) < ball->reach + move ) ) return;
	gelSym3 S = gelBallStep_GetShape( step, index );
	bool isFast = move > ball->reach && FindEntry( c, S, start, end, &gap, &n );
	if ( !isFast ) gap = FindGap( c, S, end, &n );
	if ( !( gap < 0.0f ) ) return;
	gelBallContact* contact = gelBallStep_Add( world, index );
	if ( contact == NULL ) return;
	GetReach( S, n, &contact->armA );
	contact->armA = gelNeg( contact->armA );
	contact->collider1 = collider->motion.index + 1;
	contact->normal = n;
	contact->depth = -gap;
	contact->friction[0] = 0.5f * ( owner->friction[0] + collider->motion.staticFriction );
	contact->friction[1] =
		gelMinFloat( contact->friction[0], 0.5f * ( owner->friction[1] + collider->motion.dynamicFriction ) );
}

// Where the points that touch are in the sub-step, from the whole motion of the step.
static void SetVelocities( gelBallStep* step, const gelCollider* collider, const gelBallCollider* c,
	int first, const gelBallRound* round )
{
	for ( int i = first; i < step->contactCount; ++i )
	{
		gelBallContact* contact = step->contacts + i;
		const gelBall* ball = step->balls + contact->a;
		gelVec3 local = ToLocal( &c->now, c->to, gelAdd( ball->x, contact->armA ) );
		const gelColliderPose *from = &collider->motion.start, *to = &collider->motion.end;
		gelVec3 shift = { (float)( to->position[0] - from->position[0] ),
			(float)( to->position[1] - from->position[1] ), (float)( to->position[2] - from->position[2] ) };
		gelVec3 turn = gelSub( gelMulMV( to->rotation, local ), gelMulMV( from->rotation, local ) );
		contact->velocityB = gelScale( 1.0f / round->h, gelAdd( shift, turn ) );
	}
}

static gelVec3 GetCenter( const gelBody* body, const gelColliderPose* pose )
{
	return ( gelVec3 ){ (float)( pose->position[0] - body->origin[0] ),
		(float)( pose->position[1] - body->origin[1] ), (float)( pose->position[2] - body->origin[2] ) };
}

static void TestBody(
	struct gelWorld* world, const gelCollider* collider, const gelBallBody* body, const gelBallRound* round )
{
	const gelColliderMotion* motion = &collider->motion;
	gelVec3 start = GetCenter( body->body, &motion->start ), end = GetCenter( body->body, &motion->end );
	gelVec3 size = gelSub( body->box.max, body->box.min );
	if ( !gelMayReach(
			 &body->box, start, end, motion, gelMaxFloat( size.x, gelMaxFloat( size.y, size.z ) ) ) )
		return;
	gelColliderPose before = gelCollider_GetPoseAt( collider, round->before );
	gelColliderPose now = gelCollider_GetPoseAt( collider, round->now );
	gelBallCollider c = { &motion->shape, before.rotation, now.rotation, GetCenter( body->body, &before ),
		GetCenter( body->body, &now ) };
	int first = world->contact->balls->contactCount;
	for ( int i = 0; i < body->ballCount; ++i )
		TestCollider( world, collider, &c, body->ballFirst + i );
	SetVelocities( world->contact->balls, collider, &c, first, round );
}

void gelFindBallColliders( struct gelWorld* world, const gelBallRound* round )
{
	const gelBallStep* step = world->contact->balls;
	for ( int k = 0; k < world->colliderCount; ++k )
	{
		const gelCollider* collider = world->colliders + k;
		if ( !collider->isUsed || collider->surface != NULL ) continue;
		for ( int i = 0; i < step->bodyCount; ++i )
		{
			const gelBallBody* body = step->bodies + i;
			if ( body->body->isAsleep ) continue;
			if ( gelTouch_FiltersAgree( body->body->touch, collider->def.category, collider->def.mask ) )
				TestBody( world, collider, body, round );
		}
	}
}
