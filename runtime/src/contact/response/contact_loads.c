// SPDX-License-Identifier: MIT
#include "contact/response/contact_loads.h"

#include "asset/surface_cells.h"
#include "constraints/constraint_set.h"
#include "contact/shapes/collider_set.h"
#include "solvers/solver.h"
#include "state/world.h"

#include <string.h>

// Part of the way to the force of the last step that the load of a new contact goes; by how much that part
// grows from step to step, and where it ends.
#define GEL_LOAD_RATE      0.2f
#define GEL_LOAD_HASTE     1.2f
#define GEL_MOST_LOAD_RATE 0.2f

// Loads that swing: they were off by this part of the load at least, and by this part of what they had been
// off by the other way in the step before. What is left of the rate at least.
#define GEL_LEAST_SWING     0.0f
#define GEL_SWING_PART      0.25f
#define GEL_LEAST_LOAD_RATE 0.01f

// Part of all normal forces on a body that makes a point stay.
#define GEL_LEAST_SHARE 2.0e-3f

// Pressure on a body in Young's moduli, over its size: up to the first all loads are given in advance, from
// the second on none.
#define GEL_FIRM_PRESSURE 0.12f
#define GEL_FLAT_PRESSURE 0.28f

// ---- pairs -----------------------------------------------------------------------------------------------

uint32_t gelBodyPair_GetOther( const gelBodyPair* pair )
{
	return pair->b ? GEL_OTHER_BODY | pair->b->slot
				   : GEL_OTHER_SURFACE | ( pair->collider->motion.index + 1 );
}

// The contact of the last step that a contact goes on from; NULL: it is new.
static const gelCachedContact* FindCached( const gelBodyContact* touch, uint32_t other, uint64_t feature )
{
	for ( int k = 0; k < touch->cachedCount; ++k )
	{
		const gelCachedContact* cached = touch->cached + k;
		if ( cached->other == other && cached->feature == feature ) return cached;
	}
	return NULL;
}

bool gelHasLoad( const gelBodyPair* pair, uint64_t feature )
{
	return FindCached( pair->a->contact, gelBodyPair_GetOther( pair ), feature ) != NULL;
}

uint64_t gelHashLoads( const gelBodyPair* pair )
{
	const gelBodyContact* touch = pair->a->contact;
	uint32_t other = gelBodyPair_GetOther( pair );
	uint64_t hash = 0;
	for ( int k = 0; k < touch->cachedCount; ++k )
	{
		if ( touch->cached[k].other != other ) continue;
		uint64_t mixed = ( touch->cached[k].feature + 1 ) * UINT64_C( 0x9E3779B97F4A7C15 );
		hash += mixed ^ mixed >> 29; // a sum: in any order
	}
	return hash;
}

// Adds up what contacts carried that are not there any more: pieces of surface merge and part all the time,
// and what they carried together goes on.
static gelVec3 SumLost( const gelBodyPair* pair, const gelKeptContact* kept, uint32_t other )
{
	gelVec3 load = { 0.0f, 0.0f, 0.0f };
	const gelBodyContact* touch = pair->a->contact;
	for ( int k = 0; k < touch->cachedCount; ++k )
	{
		const gelCachedContact* cached = touch->cached + k;
		bool isLost = cached->other == other;
		for ( int i = 0; i < pair->keptCount && isLost; ++i )
			isLost = kept[i].found.feature != cached->feature;
		if ( isLost ) load = gelAdd( load, cached->load );
	}
	return load;
}

void gelRecallLoads( const gelBodyPair* pair, gelKeptContact* kept, float h )
{
	GEL_ASSERT( h > 0.0f && pair->keptCount > 0 );
	uint32_t other = gelBodyPair_GetOther( pair );
	gelVec3 lost = SumLost( pair, kept, other );
	int newCount = 0;
	for ( int i = 0; i < pair->keptCount; ++i )
	{
		const gelCachedContact* cached = FindCached( pair->a->contact, other, kept[i].found.feature );
		kept[i].isNew = cached == NULL;
		kept[i].load = cached ? cached->load : gelMakeVec3( 0.0f, 0.0f, 0.0f );
		kept[i].rate = cached ? cached->rate : 0.0f;
		kept[i].change = cached ? cached->change : 0.0f;
		newCount += kept[i].isNew;
	}
	// new ones carry what others have left; without any, all do
	float part = 1.0f / (float)( newCount > 0 ? newCount : pair->keptCount );
	for ( int i = 0; i < pair->keptCount; ++i )
	{
		if ( newCount == 0 || kept[i].isNew ) kept[i].load = gelMulAdd( kept[i].load, part, lost );
		kept[i].load = gelScale( h * h, kept[i].load );
	}
}

static void AddLoad( gelBody* body, const uint32_t node[4], const float w[4], gelVec3 load )
{
	if ( !body->hasLoads ) memset( body->loads, 0, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	body->hasLoads = true;
	for ( int k = 0; k < 4; ++k )
		body->loads[node[k]] = gelMulAdd( body->loads[node[k]], w[k], load );
}

void gelGivePairLoads( const gelBodyPair* pair, const gelKeptContact* kept )
{
	for ( int i = 0; i < pair->keptCount; ++i )
	{
		gelVec3 load = kept[i].load;
		if ( gelLengthSquared( load ) == 0.0f ) continue;
		const gelFoundContact* found = &kept[i].found;
		gelContactPoint a = gelMakeCellPoint( pair->a, found->cellA, found->weightsA );
		AddLoad( pair->a, a.node, a.w, load );
		if ( pair->b == NULL ) continue;
		gelContactPoint b = gelMakeCellPoint( pair->b, found->cellB, found->weightsB );
		AddLoad( pair->b, b.node, b.w, gelNeg( load ) );
	}
}

// ---- a body ----------------------------------------------------------------------------------------------

// Points that cannot be met any more lose their load.
static void AddPointLoads( const struct gelWorld* world, gelBody* body, float h )
{
	gelBodyContact* touch = body->contact;
	for ( int i = 0; i < touch->cachedCount; ++i )
	{
		gelCachedContact* cached = touch->cached + i;
		if ( !gelCachedContact_IsPoint( cached ) || gelLengthSquared( cached->load ) == 0.0f ) continue;
		if ( !gelMeetsCollider( world, body, cached->other ) )
		{
			cached->load = gelMakeVec3( 0.0f, 0.0f, 0.0f );
			continue;
		}
		float w[4];
		gelGetSlotWeights( body->asset, (uint32_t)cached->feature, w );
		AddLoad( body, gelGetSurfaceNodes( body->asset, cached->cell ), w, gelScale( h * h, cached->load ) );
	}
}

// The matrix of the fast solver resists turning as if it were strain (contact_response.h): what turns the
// body as a whole is taken out of the loads and becomes a part of its prediction, as forces.
static void SplitTurn( gelBody* body, float h )
{
	gelContactResponse response = gelMakeContactResponse( body, body->x );
	if ( !response.canTurn ) return;
	const double *c = response.center, *inv = response.invInertia;
	gelVec3 center = { (float)c[0], (float)c[1], (float)c[2] };
	double t[3] = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 torque = gelCross( gelSub( body->x[i], center ), body->loads[i] );
		t[0] += torque.x, t[1] += torque.y, t[2] += torque.z;
	}
	gelVec3 turn = { (float)( inv[0] * t[0] + inv[1] * t[1] + inv[2] * t[2] ),
		(float)( inv[3] * t[0] + inv[4] * t[1] + inv[5] * t[2] ),
		(float)( inv[6] * t[0] + inv[7] * t[1] + inv[8] * t[2] ) };
	const gelPackMass* masses = body->asset->pack.masses;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		gelVec3 part = gelScale( masses[i].mass, gelCross( turn, gelSub( body->x[i], center ) ) );
		body->loads[i] = gelSub( body->loads[i], part );
		body->forces[i] = gelMulAdd( body->forces[i], 1.0f / ( h * h ), part );
	}
	body->hasForces = true;
}

void gelGiveLoads( const struct gelWorld* world, gelBody* body, const gelStepContext* ctx )
{
	GEL_ASSERT( body->contact != NULL && body->loads != NULL );
	float h = ctx->h;
	AddPointLoads( world, body, h );
	if ( !body->hasLoads ) return;
	if ( body->solver->takesLoads && body->solver->takesLoads( body ) )
	{
		SplitTurn( body, h );
		return;
	}
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		body->forces[i] = gelMulAdd( body->forces[i], 1.0f / ( h * h ), body->loads[i] );
	body->hasForces = true;
	body->hasLoads = false;
}

// ---- memory ----------------------------------------------------------------------------------------------

// Sums the normal forces on bodies.
static void SumForces( const gelIslandWork* work )
{
	for ( int i = 0; i < work->bodyCount; ++i )
		work->bodies[i]->contact->pressed = 0.0f;
	for ( int i = 0; i < work->itemCount; ++i )
	{
		const gelContactItem* item = work->items + i;
		float force = item->force.lambda / ( work->h * work->h );
		item->a.body->contact->pressed += force;
		if ( item->b.body ) item->b.body->contact->pressed += force;
	}
}

// Loads are forces of the past. A body that gives way more than in proportion, since it is pressed flat,
// would be driven by them from one side to the other, where impulses that are found anew in every step hold
// it. That is in sight when the pressure on it gets near its modulus.
static float GetPart( const gelContactPoint* point )
{
	if ( point->body == NULL || point->body->solver->dilation == gel_dilationTrace ) return 1.0f;
	const gelAsset* asset = point->body->asset;
	float modulus = point->body->stiffnessScale * asset->meanYoung * asset->restSize * asset->restSize;
	float pressure = 0.5f * point->body->contact->pressed / modulus;
	float part = ( GEL_FLAT_PRESSURE - pressure ) / ( GEL_FLAT_PRESSURE - GEL_FIRM_PRESSURE );
	return gelMinFloat( 1.0f, gelMaxFloat( 0.0f, part ) );
}

// A load that was too small in one step and as much too large in the next one follows more slowly from then
// on: the body gives way by so much more than contact thinks that it would go on for ever, or grow.
static float GetRate( const gelContactItem* item, float change )
{
	if ( item->rate == 0.0f ) return GEL_LOAD_RATE;
	float least =
		gelMaxFloat( GEL_SWING_PART * fabsf( item->change ), GEL_LEAST_SWING * gelLength( item->load ) );
	bool swings = change * item->change < 0.0f && fabsf( change ) > least;
	return swings ? gelMaxFloat( 0.5f * item->rate, GEL_LEAST_LOAD_RATE )
				  : gelMinFloat( GEL_LOAD_HASTE * item->rate, GEL_MOST_LOAD_RATE );
}

// Loads follow the forces slowly: what swings from step to step ends, and a blow is not repeated.
static gelVec3 GetNextLoad( const gelContactItem* item, gelVec3 force, float rate )
{
	gelVec3 load = gelMulAdd( item->load, rate, gelSub( force, item->load ) );
	float push = gelDot( item->normal, load ), most = 2.0f * gelDot( item->normal, force );
	if ( !( push > 0.0f ) ) return gelMakeVec3( 0.0f, 0.0f, 0.0f );
	float part = gelMinFloat( GetPart( &item->a ), GetPart( &item->b ) );
	return gelScale( part * gelMinFloat( 1.0f, most / push ), load );
}

static void KeepItem( const gelContactItem* item, float h )
{
	gelBodyContact* touch = item->a.body->contact;
	bool isPoint = item->point != NULL;
	// a point between vertices could not be found again; what carries next to nothing is not worth keeping
	float least = GEL_LEAST_SHARE * touch->pressed * h * h;
	if ( !( item->force.lambda > least ) || ( isPoint && item->point->slot == UINT32_MAX ) ) return;
	gelCachedContact cached = { .feature = item->feature, .cell = item->cellA, .isUsed = 1 };
	gelVec3 force = gelScale( 1.0f / ( h * h ), item->impulse );
	cached.change = gelDot( item->normal, gelSub( force, item->load ) );
	cached.rate = GetRate( item, cached.change );
	cached.load = GetNextLoad( item, force, cached.rate );
	if ( !gelIsUsable( cached.load ) || touch->cachedCount == touch->cacheCapacity ) return;
	cached.other = isPoint ? item->collider1
		: item->b.body     ? GEL_OTHER_BODY | item->b.body->slot
						   : GEL_OTHER_SURFACE | item->collider1;
	touch->cached[touch->cachedCount++] = cached;
}

void gelKeepLoads( const gelIslandWork* work )
{
	SumForces( work );
	for ( int i = 0; i < work->bodyCount; ++i )
		gelBodyContact_ForgetCached( work->bodies[i] );
	for ( int i = work->pairItemCount; i < work->itemCount; ++i ) // points first: they are bound to come back
		KeepItem( work->items + i, work->h );
	for ( int i = 0; i < work->pairItemCount; ++i )
		KeepItem( work->items + i, work->h );
}
