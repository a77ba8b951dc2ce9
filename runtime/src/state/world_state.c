// SPDX-License-Identifier: MIT
// What modules above ask a world for: the body of an id, its threads, who is near.
#include "state/world.h"

#include "state/body_contact.h"

gelBody* gelGetBody( gelBodyId bodyId )
{
	struct gelWorld* world = bodyId.world;
	if ( world == NULL || bodyId.index1 == 0 || bodyId.index1 > (uint32_t)world->def.bodyCapacity )
		return NULL;
	const gelBodySlot* slot = world->slots + ( bodyId.index1 - 1 );
	return slot->generation == bodyId.generation ? slot->body : NULL;
}

gelBody* gelAskBody( gelBodyId bodyId )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) (void)GEL_CALLER_ERROR( gel_errorStaleId );
	return body;
}

gelResult gelUseBody( gelBodyId bodyId, gelBody** outBody )
{
	*outBody = gelGetBody( bodyId );
	if ( *outBody == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	return bodyId.world->isLocked ? GEL_CALLER_ERROR( gel_errorLocked ) : gel_success;
}

void gelWorld_ParallelFor( struct gelWorld* world, gelTaskFcn* task, int count, void* taskContext )
{
	GEL_ASSERT( task != NULL && count >= 0 );
	const gelTaskSystem* tasks = &world->def.tasks;
	if ( tasks->parallelFor && tasks->workerCount > 1 && count > 1 )
		tasks->parallelFor( tasks->context, task, count, 1, taskContext );
	else if ( count > 0 )
		task( 0, count, 0, taskContext );
}

// By boxes, enlarged by this part of the sizes of both.
#define GEL_WAKE_MARGIN 0.01f

bool gelAreNear( const gelBody* a, const gelBody* b, float reach )
{
	GEL_ASSERT( reach >= 0.0f );
	float margin = GEL_WAKE_MARGIN * ( a->asset->restSize + b->asset->restSize ) + reach;
	gelVec3 shift = { (float)( b->origin[0] - a->origin[0] ), (float)( b->origin[1] - a->origin[1] ),
		(float)( b->origin[2] - a->origin[2] ) };
	gelVec3 low = gelAdd( b->box.min, shift ), high = gelAdd( b->box.max, shift );
	return low.x <= a->box.max.x + margin && a->box.min.x <= high.x + margin &&
		low.y <= a->box.max.y + margin && a->box.min.y <= high.y + margin && low.z <= a->box.max.z + margin &&
		a->box.min.z <= high.z + margin;
}

void gelWorld_WakeAround( struct gelWorld* world, const gelBody* body )
{
	GEL_ASSERT( !world->isLocked );
	if ( world->contact == NULL || body->contact == NULL ) return;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* other = world->live[i];
		if ( other != body && other->isAsleep && other->contact && gelAreNear( body, other, 0.0f ) )
			gelBody_Wake( other );
	}
}
