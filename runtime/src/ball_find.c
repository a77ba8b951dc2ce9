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

// Two balls whose centres are d apart, less than they reach.
static void TestPair( struct gelWorld* world, int i, int k, gelVec3 d )
{
	gelBallStep* step = world->contact->balls;
	const gelBall *a = step->balls + i, *b = step->balls + k;
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

// Whether a ball is in a box that is `shift` away from its own space.
static bool IsInBox( const gelVec4* place, const gelAabb* box, gelVec3 shift )
{
	gelVec3 x = { place->x - shift.x, place->y - shift.y, place->z - shift.z };
	float r = place->w;
	return x.x + r >= box->min.x && x.x - r <= box->max.x && x.y + r >= box->min.y && x.y - r <= box->max.y &&
		x.z + r >= box->min.z && x.z - r <= box->max.z;
}

// Whether two boxes meet, of which the first is shifted.
static bool DoBoxesMeet( const gelAabb* a, const gelAabb* b, gelVec3 shift )
{
	return a->min.x + shift.x <= b->max.x && a->max.x + shift.x >= b->min.x &&
		a->min.y + shift.y <= b->max.y && a->max.y + shift.y >= b->min.y && a->min.z + shift.z <= b->max.z &&
		a->max.z + shift.z >= b->min.z;
}

static bool MayBodiesTouch( const gelBallBody* a, const gelBallBody* b )
{
	if ( a->isLost || b->isLost || ( a->body->isAsleep && b->body->isAsleep ) ) return false;
	return gelTouch_FiltersAgree( a->body->touch, b->body->touch->category, b->body->touch->mask );
}

// Balls of each that are in the box of the other, all against all.
static void TestBodies( struct gelWorld* world, const gelBallBody* a, const gelBallBody* b )
{
	gelBallStep* step = world->contact->balls;
	gelVec3 shift = gelGetBodyOffset( a->body, b->body );
	if ( !DoBoxesMeet( &a->box, &b->box, shift ) || !MayBodiesTouch( a, b ) ) return;
	const gelVec4* places = step->places;
	int count = 0;
	for ( int k = b->ballFirst; k < b->ballFirst + b->ballCount; ++k )
	{
		if ( IsInBox( places + k, &a->box, shift ) && count < GEL_MAX_NEAR_BALLS ) step->inside[count++] = k;
	}
	for ( int i = a->ballFirst; count > 0 && i < a->ballFirst + a->ballCount; ++i )
	{
		if ( !IsInBox( places + i, &b->box, gelNeg( shift ) ) ) continue;
		gelVec3 x = { places[i].x + shift.x, places[i].y + shift.y, places[i].z + shift.z };
		for ( int n = 0; n < count; ++n )
		{
			int k = step->inside[n];
			gelVec3 d = { x.x - places[k].x, x.y - places[k].y, x.z - places[k].z };
			float reach = places[i].w + places[k].w;
			if ( gelLengthSquared( d ) < reach * reach ) TestPair( world, i, k, d );
		}
	}
}

// Neighbours of entry i of the grid. @return how many there are in step->near
static int FindNear( struct gelWorld* world, int i )
{
	gelBallStep* step = world->contact->balls;
	int count = gelBallGrid_Query( &step->grid, i, step->near, GEL_MAX_NEAR_BALLS );
	if ( count <= GEL_MAX_NEAR_BALLS ) return count;
	world->contact->counters.droppedPairCount += count - GEL_MAX_NEAR_BALLS;
	return GEL_MAX_NEAR_BALLS;
}

// Parts of one body that overlap when it is at rest, as far as their longest radii reach, never touch.
static void TestSelf( struct gelWorld* world, const gelBallBody* body )
{
	gelBallStep* step = world->contact->balls;
	const gelVec3* rest = body->body->particles->model->restPositions;
	const gelBall* balls = step->balls + body->ballFirst;
	for ( int i = 0; i < body->ballCount; ++i )
	{
		const double center[3] = { balls[i].x.x, balls[i].x.y, balls[i].x.z };
		step->grid.cells[i] = gelMakeBallCell( center, balls[i].reach );
	}
	gelBallGrid_Build( &step->grid, body->ballCount );
	for ( int i = 0; i < body->ballCount; ++i )
	{
		int count = FindNear( world, i );
		for ( int n = 0; n < count; ++n )
		{
			int low = gelMinInt( i, step->near[n] ), high = i + step->near[n] - low;
			const gelBall *a = balls + low, *b = balls + high;
			float reach = a->reach + b->reach;
			gelVec3 d = gelSub( a->x, b->x );
			if ( !( gelLengthSquared( d ) < reach * reach ) ) continue;
			if ( gelLengthSquared( gelSub( rest[a->slot], rest[b->slot] ) ) > reach * reach )
				TestPair( world, body->ballFirst + low, body->ballFirst + high, d );
		}
	}
}

// Bodies are found by the balls around their boxes.
void gelFindBallPairs( struct gelWorld* world )
{
	gelBallStep* step = world->contact->balls;
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		const gelBallBody* body = step->bodies + i;
		const double* o = body->body->origin;
		gelVec3 c = gelScale( 0.5f, gelAdd( body->box.min, body->box.max ) );
		const double center[3] = { o[0] + c.x, o[1] + c.y, o[2] + c.z };
		float radius = 0.5f * gelLength( gelSub( body->box.max, body->box.min ) );
		step->grid.cells[i] = gelMakeBallCell( center, radius );
	}
	gelBallGrid_Build( &step->grid, step->bodyCount );
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		int count = FindNear( world, i );
		for ( int n = 0; n < count; ++n )
		{
			int low = gelMinInt( i, step->near[n] ), high = i + step->near[n] - low; // A has the lower slot
			TestBodies( world, step->bodies + low, step->bodies + high );
		}
	}
	for ( int i = 0; i < step->bodyCount; ++i )
	{
		const gelBallBody* body = step->bodies + i;
		if ( body->body->touch->isSelfEnabled && gelBallBody_IsActive( body ) ) TestSelf( world, body );
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
		float support = c->shape->isHalfSpace ? 0.0f : gelShape_GetReach( c->shape, n );
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
			if ( !gelBallBody_IsActive( body ) ) continue;
			if ( gelTouch_FiltersAgree( body->body->touch, collider->def.category, collider->def.mask ) )
				TestBody( world, collider, body, round );
		}
	}
}
