// SPDX-License-Identifier: MIT
// Bodies that are inside of each other, or of a shape, because the game has put them there or because they
// were too fast. Each ellipsoid would take the nearest way out of the ellipsoid that it is in, which leads
// into the next one: bodies would stay where they are, and be torn. Here all contacts of the two get one way,
// the shortest on which they leave each other as wholes (exit_direction.h).
#include "contact/particles/particle_contact.h"
#include "math/exit_direction.h"
#include "state/world.h"

// A contact is deep when it was deeper than this at the start of the sub-step, in radii along its normal of
// the larger side: the center of the larger ellipsoid is in the smaller one, and the normal means nothing any
// more. Where contacts contradict each other, less is enough: ellipsoids of one body may be between those of
// the other. What is less deep than the least has no say.
#define GEL_DEEP_PART  1.0f
#define GEL_AMONG_PART 0.2f
#define GEL_LEAST_PART 0.03f

// Normals agree on a way when its component along each of them is at least this, and it is found in time.
#define GEL_AGREEMENT   0.3f
#define GEL_AGREE_STEPS 32

// Contacts with a shape whose normal is near to the way keep it: cosine of the angle.
#define GEL_SAME_WAY_OUT 0.9f // cosine of the angle

// Contacts of one body with one other thing: first .. end - 1 of an island.
typedef struct gelEllipsoidRun
{
	struct gelWorld* world;
	const gelEllipsoidRound* round;
	const gelEllipsoidIsland* island;
	int first, end;
	gelMat3 rotation; // from the space of the shape
	gelVec3 center;   // middle of the shape, in the space of A [m]
} gelEllipsoidRun;

static gelEllipsoidContact* GetContact( const gelEllipsoidRun* run, int i )
{
	return gelEllipsoidIsland_Get( run->world->contact->ellipsoids, run->island, i );
}

static const gelShape* GetShape( const gelEllipsoidRun* run, const gelEllipsoidContact* c )
{
	return &run->world->colliders[c->collider1 - 1].motion.shape;
}

// How far a ellipsoid reaches along a unit direction [m].
static float GetReach( gelEllipsoidStep* step, int ellipsoid, gelVec3 n )
{
	gelSym3 S = gelEllipsoidStep_GetShape( step, ellipsoid );
	return sqrtf( gelMaxFloat( gelDot( n, gelMulSym3( S, n ) ), 1.0e-30f ) );
}

// ---- whether ---------------------------------------------------------------------------------------------

// How deep a contact was before the sub-step, in sizes.
static float GetExcess( const gelEllipsoidRun* run, const gelEllipsoidContact* c )
{
	gelEllipsoidStep* step = run->world->contact->ellipsoids;
	float size = GetReach( step, c->a, c->normal );
	if ( c->b >= 0 ) size = gelMaxFloat( size, GetReach( step, c->b, c->normal ) );
	float come = -step->ellipsoids[c->a].h * gelDot( c->normal, gelEllipsoidStep_GetVelocity( step, c ) );
	return ( c->depth - gelMaxFloat( come, 0.0f ) ) / size;
}

// Whether there is a direction with a component along the normals of all contacts that are deeper than the
// least: by relaxation, a step towards the normal that likes the direction least (Agmon 1954).
static bool DoNormalsAgree( const gelEllipsoidRun* run )
{
	gelVec3 way = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < GEL_AGREE_STEPS; ++k )
	{
		float least = INFINITY;
		gelVec3 worst = way;
		for ( int i = run->first; i < run->end; ++i )
		{
			const gelEllipsoidContact* c = GetContact( run, i );
			float along = gelDot( way, c->normal );
			if ( !( c->excess > GEL_LEAST_PART && along < least ) ) continue;
			least = along;
			worst = c->normal;
		}
		if ( least > GEL_AGREEMENT ) return true;
		way = gelMulAdd( way, 2.0f * GEL_AGREEMENT - least, worst );
		float length = gelLength( way );
		if ( length > 1.0f ) way = gelScale( 1.0f / length, way );
	}
	return false;
}

static bool IsHeld( const gelEllipsoidRun* run, int ellipsoid )
{
	const gelEllipsoidStep* step = run->world->contact->ellipsoids;
	return step->bodies[step->ellipsoids[ellipsoid].owner].touch->invMass == 0.0f;
}

// Where the normals contradict each other, ellipsoids are not pushed one by one: they would be wedged. Not so
// if something holds the one body: it gives way only ellipsoid by ellipsoid, and a sheet that hangs by its
// corners may have folded around what it carries.
static bool IsTangled( const gelEllipsoidRun* run )
{
	float deepest = 0.0f;
	for ( int i = run->first; i < run->end; ++i )
	{
		gelEllipsoidContact* c = GetContact( run, i );
		c->excess = GetExcess( run, c );
		deepest = gelMaxFloat( c->excess, deepest );
	}
	const gelEllipsoidContact* first = GetContact( run, run->first );
	bool isHeld = IsHeld( run, first->a ) || ( first->b >= 0 && IsHeld( run, first->b ) );
	bool isWedged = !isHeld && deepest > GEL_LEAST_PART && !DoNormalsAgree( run );
	for ( int i = run->first; i < run->end; ++i )
		GetContact( run, i )->isWedged = isWedged;
	return deepest > GEL_DEEP_PART || ( deepest > GEL_AMONG_PART && isWedged );
}

// ---- whereto ---------------------------------------------------------------------------------------------

// The axis that normals lie along, whatever their signs: across sheets and chains that lie on each other. By
// powers of the matrix of their products.
static gelVec3 FindAxis( const gelEllipsoidRun* run )
{
	gelSym3 m = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
	for ( int i = run->first; i < run->end; ++i )
	{
		gelVec3 n = GetContact( run, i )->normal;
		m.xx += n.x * n.x;
		m.yy += n.y * n.y;
		m.zz += n.z * n.z;
		m.xy += n.x * n.y;
		m.xz += n.x * n.z;
		m.yz += n.y * n.z;
	}
	gelVec3 axis = GetContact( run, run->first )->normal;
	for ( int i = 0; i < 8; ++i )
	{
		gelVec3 next = gelMulSym3( m, axis );
		float length = gelLength( next );
		if ( !( length > 0.0f ) ) return axis;
		axis = gelScale( 1.0f / length, next );
	}
	return axis;
}

// Reach of all ellipsoids of a body; ways in its space, shifted.
static gelSpans GetSpans(
	gelEllipsoidStep* step, const gelEllipsoidBody* body, const gelWays* ways, gelVec3 shift )
{
	gelSpans spans = gelMakeEmptySpans();
	for ( int i = body->ellipsoidFirst; i < body->ellipsoidFirst + body->ellipsoidCount; ++i )
	{
		gelVec3 x = gelAdd( step->ellipsoids[i].x, shift );
		for ( int k = 0; k < ways->count; ++k )
		{
			float t = gelDot( ways->way[k], x ), reach = GetReach( step, i, ways->way[k] );
			gelSpans_Include( &spans, k, t - reach, t + reach );
		}
	}
	return spans;
}

// Axes of the shape as the ones that are tried, in the space of the body.
static gelVec3 FindExitOfShape( const gelEllipsoidRun* run, const gelVec3* floor )
{
	gelEllipsoidStep* step = run->world->contact->ellipsoids;
	const gelEllipsoidContact* c = GetContact( run, run->first );
	gelWays ways = gelMakeWays();
	gelSpans other = gelMakeEmptySpans();
	for ( int k = 0; k < ways.count; ++k )
	{
		float reach = gelShape_GetReach( GetShape( run, c ), ways.way[k] );
		ways.way[k] = gelMulMV( run->rotation, ways.way[k] );
		gelSpans_Include( &other, k, -reach, reach );
	}
	gelSpans own =
		GetSpans( step, step->bodies + step->ellipsoids[c->a].owner, &ways, gelNeg( run->center ) );
	return gelFindShortestWay( &ways, &own, &other, floor );
}

static gelVec3 FindWayApart( const gelEllipsoidRun* run, gelVec3 shift )
{
	gelEllipsoidStep* step = run->world->contact->ellipsoids;
	const gelEllipsoidContact* c = GetContact( run, run->first );
	gelWays ways = gelMakeWays();
	ways.way[ways.count++] = FindAxis( run );
	gelSpans a = GetSpans( step, step->bodies + step->ellipsoids[c->a].owner, &ways, shift );
	gelSpans b =
		GetSpans( step, step->bodies + step->ellipsoids[c->b].owner, &ways, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	return gelFindShortestWay( &ways, &a, &b, NULL );
}

// ---- contacts --------------------------------------------------------------------------------------------

// Two ellipsoids act on each other in the middle between them, so that angular momentum stays, without
// friction: they do not touch there.
static void TurnPair( gelEllipsoidStep* step, gelEllipsoidContact* c, gelVec3 way, gelVec3 shift )
{
	gelVec3 d = gelAdd( gelSub( step->ellipsoids[c->a].x, step->ellipsoids[c->b].x ), shift );
	c->normal = way;
	c->depth = GetReach( step, c->a, way ) + GetReach( step, c->b, way ) - gelDot( way, d );
	c->armA = gelScale( -0.5f, d );
	c->armB = gelScale( 0.5f, d );
	c->force.mu = 0.0f;
}

static void TurnFromShape( const gelEllipsoidRun* run, gelEllipsoidContact* c, gelVec3 way )
{
	if ( gelDot( way, c->normal ) >= GEL_SAME_WAY_OUT ) return;
	gelEllipsoidStep* step = run->world->contact->ellipsoids;
	float reach = GetReach( step, c->a, way );
	gelVec3 d = gelSub( step->ellipsoids[c->a].x, run->center );
	c->normal = way;
	c->depth = gelShape_GetReach( GetShape( run, c ), gelTurnBack( &run->rotation, way ) ) + reach -
		gelDot( way, d );
	c->armA = gelScale( -1.0f / reach, gelMulSym3( gelEllipsoidStep_GetShape( step, c->a ), way ) );
	c->force.mu = 0.0f;
}

static void AgreeOnShape( gelEllipsoidRun* run )
{
	gelEllipsoidStep* step = run->world->contact->ellipsoids;
	const gelEllipsoidContact* c = GetContact( run, run->first );
	const gelCollider* collider = run->world->colliders + ( c->collider1 - 1 );
	if ( collider->surface != NULL || collider->motion.shape.isHalfSpace ) return;
	gelBody* body = step->bodies[step->ellipsoids[c->a].owner].body;
	gelColliderPose pose = gelCollider_GetTransformAt( collider, run->round->now );
	run->rotation = pose.rotation;
	run->center = gelGetOffset( pose.position, body->origin );
	if ( !IsTangled( run ) ) return;
	const gelStepContext* ctx = run->round->ctx;
	bool isStanding = ctx->hasGround && body->groundContactCount > 0;
	gelVec3 way = FindExitOfShape( run, isStanding ? &ctx->ground.normal : NULL );
	for ( int i = run->first; i < run->end; ++i )
		TurnFromShape( run, GetContact( run, i ), way );
	body->stillTime = 0.0f;
}

static void AgreeOnPair( gelEllipsoidRun* run )
{
	gelEllipsoidStep* step = run->world->contact->ellipsoids;
	const gelEllipsoidContact* c = GetContact( run, run->first );
	gelBody* a = step->bodies[step->ellipsoids[c->a].owner].body;
	gelBody* b = step->bodies[step->ellipsoids[c->b].owner].body;
	if ( a == b || !IsTangled( run ) ) return;
	gelVec3 shift = gelGetOffset( a->origin, b->origin );
	gelVec3 way = FindWayApart( run, shift );
	for ( int i = run->first; i < run->end; ++i )
		TurnPair( step, GetContact( run, i ), way, shift );
	a->stillTime = b->stillTime = 0.0f;
}

void gelShareExitDirections(
	struct gelWorld* world, const gelEllipsoidIsland* island, const gelEllipsoidRound* round )
{
	const gelEllipsoidStep* step = world->contact->ellipsoids;
	const int* order = step->order + island->first;
	gelEllipsoidRun run = { .world = world, .round = round, .island = island };
	for ( int i = 0; i < island->count; i = run.end )
	{
		run.first = i;
		run.end = i + 1;
		while (
			run.end < island->count && step->keys[order[run.end]].id.pair == step->keys[order[i]].id.pair )
			++run.end;
		const gelEllipsoidContact* c = GetContact( &run, i );
		if ( c->b >= 0 ) AgreeOnPair( &run );
		if ( c->collider1 != 0 ) AgreeOnShape( &run );
	}
}
