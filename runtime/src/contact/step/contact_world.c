// SPDX-License-Identifier: MIT
// Contact as the game sees it: settings and the list of the last step.
#include "gelpack/contact.h"

#include "asset/surface_cells.h"
#include "contact/shapes/collider_set.h"
#include "contact/step/contact_step.h"
#include "state/world.h"

// Before who touches whom changes.
static void WakeAll( gelBodyId bodyId )
{
	gelBody* body = gelAskBody( bodyId );
	gelBody_Wake( body );
	gelWorld_WakeAround( bodyId.world, body );
}

// Whether a body touches others than the ground.
static bool TakesPart( const gelBody* body )
{
	return body != NULL && body->contact != NULL && body->contact->takesPart;
}

// The part of a body in contact, if it may be changed now.
static gelResult GetTouch( gelBodyId bodyId, gelBodyContact** outTouch )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyId.world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	*outTouch = TakesPart( body ) ? body->contact : NULL;
	return *outTouch ? gel_success : gel_errorUnsupported;
}

gelResult gelWorld_EnableContact( gelWorldId worldId, bool enable )
{
	struct gelWorld* world = worldId.world;
	if ( world == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	if ( !world->def.enableContact ) return gel_errorUnsupported;
	for ( int i = 0; i < world->liveCount && world->contact->isEnabled != enable; ++i )
	{
		if ( world->live[i]->contact ) gelBody_Wake( world->live[i] );
	}
	world->contact->isEnabled = enable;
	return gel_success;
}

bool gelWorld_IsContactEnabled( gelWorldId worldId )
{
	const struct gelWorld* world = worldId.world;
	return world != NULL && world->def.enableContact && world->contact->isEnabled;
}

gelContactCounters gelWorld_GetContactCounters( gelWorldId worldId )
{
	const struct gelWorld* world = worldId.world;
	return world && world->contact ? world->contact->counters : ( gelContactCounters ){ 0 };
}

gelResult gelBody_EnableContact( gelBodyId bodyId, bool enable )
{
	gelBodyContact* touch;
	gelResult result = GetTouch( bodyId, &touch );
	if ( result != gel_success ) return result;
	if ( touch->isEnabled != enable ) WakeAll( bodyId );
	touch->isEnabled = enable;
	return gel_success;
}

bool gelBody_IsContactEnabled( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return TakesPart( body ) && body->contact->isEnabled;
}

gelResult gelBody_SetContactFilter( gelBodyId bodyId, gelContactFilter filter )
{
	gelBodyContact* touch;
	gelResult result = GetTouch( bodyId, &touch );
	if ( result != gel_success ) return result;
	if ( touch->filter.category != filter.category || touch->filter.mask != filter.mask ) WakeAll( bodyId );
	touch->filter = filter;
	return gel_success;
}

gelContactFilter gelBody_GetContactFilter( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return TakesPart( body ) ? body->contact->filter : ( gelContactFilter ){ 0 };
}

gelResult gelBody_SetContactFriction( gelBodyId bodyId, float friction )
{
	if ( !gelIsContactFriction( friction ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	gelBodyContact* touch;
	gelResult result = GetTouch( bodyId, &touch );
	if ( result != gel_success ) return result;
	if ( touch->friction != friction ) WakeAll( bodyId );
	touch->friction = friction;
	return gel_success;
}

float gelBody_GetContactFriction( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return TakesPart( body ) ? body->contact->friction : 0.0f;
}

// ---- the list --------------------------------------------------------------------------------------------

static gelVec3 GetPlace( const gelContactPoint* point )
{
	gelVec3 sum = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
		sum = gelMulAdd( sum, point->w[k], point->body->x[point->node[k]] );
	return gelToWorld( point->body, sum );
}

static int GetMaterialIndex( const gelBody* body, uint32_t cell )
{
	GEL_ASSERT( cell < body->asset->pack.header->cdgTetCount );
	const gelPackView* pack = &body->asset->pack;
	return (int)( gelGetCellMaterial( pack, cell ) - pack->materials );
}

static gelBodyId MakeId( struct gelWorld* world, const gelBody* body )
{
	return ( gelBodyId ){ world, body->slot + 1, world->slots[body->slot].generation };
}

static gelContact MakeContact( struct gelWorld* world, const gelContactItem* item )
{
	GEL_ASSERT( item->a.body != NULL && ( item->b.body != NULL || item->collider1 != 0 ) );
	gelContact contact = { .bodyA = MakeId( world, item->a.body ),
		.pointA = GetPlace( &item->a ),
		.normal = item->normal,
		.depth = item->depth,
		.area = item->area,
		.impulse = gelScale( 1.0f / world->contact->step, item->impulse ),
		.materialA = GetMaterialIndex( item->a.body, item->cellA ),
		.materialB = -1 };
	if ( item->b.body != NULL )
	{
		contact.bodyB = MakeId( world, item->b.body );
		contact.pointB = GetPlace( &item->b );
		contact.materialB = GetMaterialIndex( item->b.body, item->cellB );
		return contact;
	}
	uint32_t generation = world->colliders[item->collider1 - 1].generation;
	contact.colliderB = ( gelColliderId ){ world, item->collider1, generation };
	contact.pointB = contact.pointA;
	return contact;
}

static gelContact MakePointContact( struct gelWorld* world, gelBody* body, const gelTouchPoint* point )
{
	gelContactPoint at = { .body = body };
	for ( int k = 0; k < 4; ++k )
	{
		at.node[k] = point->node[k];
		at.w[k] = point->w[k];
	}
	gelContact contact = { .bodyA = MakeId( world, body ),
		.normal = point->normal,
		.depth = gelMaxFloat( -point->gap, 0.0f ),
		.impulse = gelScale( 1.0f / world->contact->step, point->impulse ),
		.materialB = -1 };
	contact.pointA = contact.pointB = GetPlace( &at );
	contact.materialA =
		(int)( gelGetSurfaceMaterial( body->asset, point->cell ) - body->asset->pack.materials );
	if ( point->collider1 == 0 ) return contact;
	uint32_t generation = world->colliders[point->collider1 - 1].generation;
	contact.colliderB = ( gelColliderId ){ world, point->collider1, generation };
	return contact;
}

static gelContact MakeRecordContact( struct gelWorld* world, const gelContactRecord* record )
{
	GEL_ASSERT( record->a != NULL );
	gelContact contact = { .bodyA = MakeId( world, record->a ),
		.pointA = record->pointA,
		.pointB = record->pointB,
		.normal = record->normal,
		.depth = record->depth,
		.area = record->area,
		.impulse = record->impulse,
		.materialB = record->materialB };
	if ( record->b ) contact.bodyB = MakeId( world, record->b );
	if ( record->collider1 == 0 ) return contact;
	uint32_t generation = world->colliders[record->collider1 - 1].generation;
	contact.colliderB = ( gelColliderId ){ world, record->collider1, generation };
	return contact;
}

// Points that pushed. @return how many
static int VisitPoints( struct gelWorld* world, gelBody* body, gelContactVisitor* visit, void* context )
{
	const gelBodyContact* touch = body->contact;
	int count = 0;
	if ( touch == NULL || touch->pointStamp != world->contact->stamp ) return 0;
	for ( int i = 0; i < touch->pointCount; ++i )
	{
		if ( !gelTouchPoint_Pushes( touch->points + i ) ) continue;
		gelContact contact = MakePointContact( world, body, touch->points + i );
		visit( &contact, context );
		++count;
	}
	return count;
}

int gelVisitContacts( struct gelWorld* world, gelContactVisitor* visit, void* context )
{
	const gelContactStep* step = world->contact;
	int count = 0;
	for ( int i = 0; step != NULL && i < step->islandCount; ++i )
	{
		const gelIsland* island = step->islands + i;
		for ( int k = 0; k < island->pairItemCount; ++k )
		{
			gelContact contact = MakeContact( world, step->items + island->itemFirst + k );
			visit( &contact, context );
			++count;
		}
	}
	for ( int i = 0; step != NULL && i < world->liveCount; ++i )
		count += VisitPoints( world, world->live[i], visit, context );
	const gelContactRecords* records = step ? step->records : NULL;
	for ( int i = 0; records != NULL && i < records->count; ++i, ++count )
	{
		gelContact contact = MakeRecordContact( world, records->items + i );
		visit( &contact, context );
	}
	return count;
}

typedef struct ContactList
{
	gelContact* out;
	int count, capacity;
} ContactList;

static void TakeContact( const gelContact* contact, void* context )
{
	ContactList* list = context;
	if ( list->out != NULL && list->count < list->capacity ) list->out[list->count++] = *contact;
}

int gelWorld_GetContacts( gelWorldId worldId, gelContact* out, int outCapacity )
{
	ContactList list = { out, 0, outCapacity };
	return worldId.world ? gelVisitContacts( worldId.world, TakeContact, &list ) : 0;
}
