// SPDX-License-Identifier: MIT
// Against tunnelling. Contacts are found where surfaces overlap at the start of a step, so bodies that pass
// each other within one would not notice. Where the bounds of two of them, swept by how they move against
// each other, meet although they do not yet, and the way is longer than half of the thinner one, both are
// braked to that: by opposite impulses, as in a collision without bounce, so momentum is kept. In the end
// they overlap by less than half, and go on as contacts.
//
// Boxes of rings and slanted bars are mostly empty, so they only tell who is far away. What counts are bounds
// of the smaller body, along seven axes, and those of what each cell of the larger one has of its surface
// (coarse_tree.h).
#include "state/coarse_tree.h"
#include "contact/shapes/collider_set.h"
#include "contact/step/contact_step.h"
#include "state/world.h"

#include <math.h>

// Part of the thinner body that two bodies may move against each other in a step.
#define GEL_BRAKE_PART 0.5f

// One that may be hit, or hits.
typedef struct gelBrakeSide
{
	const double *low, *high; // box [m, world space]
	float thickness;          // size of its thinnest parts, or its smallest side [m]
	bool isThin;              // the former: others are braked inside of its box, too
	float mass;               // [kg]; infinite: is moved by nobody
	gelVec3 velocity;         // how the center of mass moves [m/s]
	gelBody* body;            // NULL: a collider
	const gelAsset* asset;
	const gelCoarseBoxes* boxes; // the coarse tree of the asset [m, relative to the origin]
	const double* origin;        // [m, world space]
	float wobble;                // how far turning takes points of a collider [m]
} gelBrakeSide;

// ---- what boxes do not tell ------------------------------------------------------------------------------

// Bounds of one on its way.
typedef struct gelSweep
{
	float low[GEL_DOP_AXES], high[GEL_DOP_AXES]; // at the start, in the space of the other one's boxes [m]
	float move[8];                               // along the axes [m]
} gelSweep;

static bool SweepMeets( const gelSweep* sweep, const gelDop* box )
{
	float begin = 0.0f, end = 1.0f; // the part of the way on which they overlap
	for ( int k = 0; k < GEL_DOP_AXES; ++k )
	{
		float ahead = box->low[k] - sweep->high[k], behind = box->high[k] - sweep->low[k];
		float move = sweep->move[k];
		if ( move == 0.0f )
		{
			if ( ahead > 0.0f || behind < 0.0f ) return false;
			continue;
		}
		float inv = 1.0f / move;
		begin = fmaxf( begin, inv * ( move > 0.0f ? ahead : behind ) );
		end = fminf( end, inv * ( move > 0.0f ? behind : ahead ) );
		if ( begin > end ) return false;
	}
	return true;
}

// How far points of a side leave the way of its center of mass in a step: it turns, it is deformed [m].
static float GetWobble( const gelBrakeSide* side, float h )
{
	GEL_ASSERT( h > 0.0f );
	if ( side->body == NULL ) return side->wobble;
	float fastest2 = 0.0f;
	for ( int i = 0; i < side->asset->nodeCount; ++i )
		fastest2 = fmaxf( fastest2, gelLengthSquared( gelSub( side->body->v[i], side->velocity ) ) );
	return h * sqrtf( fastest2 );
}

static gelSweep MakeSweep( const gelBrakeSide* side, const gelBrakeSide* other, gelVec3 move, float slack )
{
	GEL_ASSERT( slack >= 0.0f );
	const double *o = side->origin, *p = other->origin;
	gelVec3 shift = { (float)( o[0] - p[0] ), (float)( o[1] - p[1] ), (float)( o[2] - p[2] ) };
	const gelDop* box = &side->boxes[side->asset->coarseCount - 1].all;
	gelSweep sweep;
	float shifts[8];
	gelProjectOnDop( shift, shifts );
	gelProjectOnDop( move, sweep.move );
	for ( int k = 0; k < GEL_DOP_AXES; ++k )
	{
		float room = k < 3 ? slack : 1.7320508f * slack; // these axes are not unit vectors
		sweep.low[k] = box->low[k] + shifts[k] - room;
		sweep.high[k] = box->high[k] + shifts[k] + room;
	}
	return sweep;
}

static float GetSize( const gelBrakeSide* side )
{
	const gelDop* box = &side->boxes[side->asset->coarseCount - 1].all;
	return box->high[0] - box->low[0] + box->high[1] - box->low[1] + box->high[2] - box->low[2];
}

static bool MeetsCell( const gelSweep* sweep, const gelCoarseNode* node, const gelCoarseBoxes* boxes )
{
	for ( int lane = 0; lane < GEL_COARSE_LANES; ++lane )
	{
		if ( !gelIsCell( node->child[lane] ) ) continue;
		gelDop box;
		for ( int k = 0; k < GEL_DOP_AXES; ++k )
		{
			box.low[k] = boxes->low[k][lane];
			box.high[k] = boxes->high[k][lane];
		}
		if ( SweepMeets( sweep, &box ) ) return true;
	}
	return false;
}

static bool MeetsSurface( const gelSweep* sweep, const gelBrakeSide* side )
{
	for ( int i = 0; i < side->asset->coarseCount; ++i )
	{
		const gelCoarseBoxes* boxes = side->boxes + i;
		if ( SweepMeets( sweep, &boxes->all ) && MeetsCell( sweep, side->asset->coarse + i, boxes ) )
			return true;
	}
	return false;
}

// Whether surfaces may meet when A moves by d against B, and do not yet; with thin parts, whether they may at
// all. Who was seen coming is slow when it is there, so those that overlap are left to their contacts.
static bool SurfacesMeet( const gelBrakeSide* a, const gelBrakeSide* b, gelVec3 d, float slack )
{
	if ( a->body && !gelBody_NeedCoarse( a->body ) ) return true;
	if ( b->body && !gelBody_NeedCoarse( b->body ) ) return true;
	bool isSmaller = GetSize( a ) <= GetSize( b );
	const gelBrakeSide *small = isSmaller ? a : b, *large = isSmaller ? b : a;
	gelSweep sweep = MakeSweep( small, large, isSmaller ? d : gelNeg( d ), slack );
	if ( !MeetsSurface( &sweep, large ) ) return false;
	if ( a->isThin || b->isThin ) return true;
	sweep = MakeSweep( small, large, gelMakeVec3( 0.0f, 0.0f, 0.0f ), 0.0f );
	return !MeetsSurface( &sweep, large );
}

// ---- sides -----------------------------------------------------------------------------------------------

static gelVec3 GetVelocity( const gelBody* body )
{
	double p[3] = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		double m = body->asset->pack.masses[i].mass;
		p[0] += m * body->v[i].x;
		p[1] += m * body->v[i].y;
		p[2] += m * body->v[i].z;
	}
	double inv = 1.0 / body->asset->mass;
	return gelMakeVec3( (float)( inv * p[0] ), (float)( inv * p[1] ), (float)( inv * p[2] ) );
}

static float GetThickness( const gelAabb* box )
{
	gelVec3 size = gelSub( box->max, box->min );
	return gelMinFloat( size.x, gelMinFloat( size.y, size.z ) );
}

static gelBrakeSide MakeSide( const gelContactProxy* proxy )
{
	const gelBody* body = proxy->body;
	bool isThin = body->contact->thickness > 0.0f;
	return ( gelBrakeSide ){ proxy->low, proxy->high,
		isThin ? body->contact->thickness : GetThickness( &body->asset->restBounds ), isThin,
		body->pinCount > 0 ? INFINITY : body->asset->mass, body->contact->velocity, proxy->body, body->asset,
		body->coarse, body->origin, 0.0f };
}

// Whether the boxes overlap when A moves by d against B.
static bool BoxesMeet( const gelBrakeSide* a, const gelBrakeSide* b, gelVec3 d )
{
	const float move[3] = { d.x, d.y, d.z };
	bool meets = true;
	for ( int k = 0; k < 3; ++k )
		meets = meets && a->low[k] + fminf( move[k], 0.0f ) <= b->high[k] &&
			b->low[k] <= a->high[k] + fmaxf( move[k], 0.0f );
	return meets;
}

static void ChangeVelocity( gelBody* body, gelVec3 change )
{
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		if ( body->invMasses[i] > 0.0f ) body->v[i] = gelAdd( body->v[i], change );
	}
	body->contact->velocity = gelAdd( body->contact->velocity, change );
}

// How the velocity of A against B has to change; zero: not at all.
static gelVec3 FindBrake( const gelBrakeSide* a, const gelBrakeSide* b, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelVec3 relative = gelSub( a->velocity, b->velocity ), none = { 0.0f, 0.0f, 0.0f };
	float way = h * gelLength( relative );
	float allowed = GEL_BRAKE_PART * gelMinFloat( a->thickness, b->thickness );
	gelVec3 d = gelScale( h, relative );
	if ( !( way > 1.0001f * allowed ) || !BoxesMeet( a, b, d ) ) return none;
	// forces of this step may change the way a little
	float slack = GetWobble( a, h ) + GetWobble( b, h ) + 0.1f * allowed;
	if ( !SurfacesMeet( a, b, d, slack ) ) return none;
	return gelScale( allowed / way - 1.0f, relative );
}

static void BrakeBodies( gelContactStep* step, gelContactProxy* p, gelContactProxy* q, float h )
{
	gelBrakeSide a = MakeSide( p ), b = MakeSide( q );
	if ( !gelFiltersAgree( p->body->contact->filter, q->body->contact->filter ) ) return;
	gelVec3 change = FindBrake( &a, &b, h );
	if ( gelLengthSquared( change ) == 0.0f || ( isinf( a.mass ) && isinf( b.mass ) ) ) return;
	float shareA = isinf( a.mass ) ? 0.0f : isinf( b.mass ) ? 1.0f : b.mass / ( a.mass + b.mass );
	++step->counters.brakedPairCount;
	gelBody_Wake( p->body );
	gelBody_Wake( q->body );
	if ( shareA > 0.0f ) ChangeVelocity( p->body, gelScale( shareA, change ) );
	if ( shareA < 1.0f ) ChangeVelocity( q->body, gelScale( shareA - 1.0f, change ) );
}

// How far a turn takes the points of a surface, at most: its farthest corner times the change of axes [m].
static float GetTurnReach( const gelCollider* collider, const gelAabb* box )
{
	gelMat3 from = collider->motion.start.rotation, to = collider->motion.end.rotation;
	float change2 = gelLengthSquared( gelSub( to.cx, from.cx ) ) +
		gelLengthSquared( gelSub( to.cy, from.cy ) ) + gelLengthSquared( gelSub( to.cz, from.cz ) );
	return sqrtf( change2 ) * gelLength( gelMaxVec3( gelNeg( box->min ), box->max ) );
}

static void BrakeAtSurface( struct gelWorld* world, gelContactProxy* p, gelCollider* collider, float h )
{
	gelColliderSurface_Place( collider->surface, world->simd, &collider->motion.start );
	gelAabb box = gelColliderSurface_GetBox( collider->surface );
	const double *o = collider->surface->origin, *from = collider->motion.start.position,
				 *to = collider->motion.end.position;
	double low[3] = { o[0] + box.min.x, o[1] + box.min.y, o[2] + box.min.z };
	double high[3] = { o[0] + box.max.x, o[1] + box.max.y, o[2] + box.max.z };
	gelVec3 move = { (float)( to[0] - from[0] ), (float)( to[1] - from[1] ), (float)( to[2] - from[2] ) };
	bool isThin = collider->def.thickness > 0.0f;
	gelBrakeSide a = MakeSide( p ),
				 b = { low, high, isThin ? collider->def.thickness : GetThickness( &box ), isThin, INFINITY,
					 gelScale( 1.0f / h, move ), NULL, collider->surface->asset, collider->surface->boxes, o,
					 GetTurnReach( collider, &box ) };
	if ( isinf( a.mass ) || !gelFiltersAgree( p->body->contact->filter, collider->def.filter ) ) return;
	gelVec3 change = FindBrake( &a, &b, h );
	if ( gelLengthSquared( change ) == 0.0f ) return;
	++world->contact->counters.brakedPairCount;
	ChangeVelocity( p->body, change );
}

// The thinnest of all bodies.
static float GetLeastThickness( const gelContactStep* step )
{
	float least = INFINITY;
	for ( int i = 0; i < step->proxyCount; ++i )
		least = gelMinFloat( MakeSide( step->proxies + i ).thickness, least );
	return least;
}

void gelGuardAgainstTunnelling( struct gelWorld* world, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelContactStep* step = world->contact;
	for ( int i = 0; i < step->proxyCount; ++i )
		step->proxies[i].body->contact->velocity = GetVelocity( step->proxies[i].body );
	float least = GetLeastThickness( step );
	for ( int i = 0; i < step->proxyCount; ++i )
	{
		gelContactProxy* proxy = step->proxies + i;
		if ( proxy->body->isAsleep ) continue;
		for ( int k = 0; k < world->colliderCount; ++k )
		{
			gelCollider* collider = world->colliders + k;
			if ( collider->isUsed && collider->surface ) BrakeAtSurface( world, proxy, collider, h );
		}
		// when two pass each other too fast, one is faster than half of that
		if ( h * gelLength( proxy->body->contact->velocity ) <= 0.5f * GEL_BRAKE_PART * least ) continue;
		for ( int k = 0; k < step->proxyCount; ++k )
		{
			if ( k != i ) BrakeBodies( step, proxy, step->proxies + k, h );
		}
	}
}
