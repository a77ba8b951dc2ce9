// SPDX-License-Identifier: MIT
// Who has the memory of a world. All of it is taken when the world is made and when bodies and colliders
// come: every block of the runtime is in one of these sums, which a test holds against the allocator.
#include "constraints/constraint_set.h"
#include "contact/shapes/collider_set.h"
#include "contact/step/contact_step.h"
#include "solvers/lane_scratch.h"
#include "world/solver_table.h"

static size_t CountConstraints( const struct gelWorld* world )
{
	size_t bytes = 0;
	for ( int i = 0; i < world->liveCount; ++i )
		bytes += world->live[i]->constraints ? world->live[i]->constraints->rowBytes : 0;
	return bytes;
}

static size_t CountBodies( const struct gelWorld* world )
{
	size_t bytes = 0;
	for ( int i = 0; i < world->liveCount; ++i )
		bytes += world->live[i]->bytes;
	return bytes;
}

static size_t CountColliders( const struct gelWorld* world )
{
	size_t bytes = 0;
	for ( int i = 0; i < world->colliderCount; ++i )
		bytes += world->colliders[i].surface ? world->colliders[i].surface->bytes : 0;
	return bytes;
}

gelWorldMemory gelWorld_GetMemory( gelWorldId worldId )
{
	const struct gelWorld* world = worldId.world;
	if ( world == NULL ) return ( gelWorldMemory ){ 0 };
	gelWorldMemory memory = { .slots = world->bytes,
		.bodies = CountBodies( world ),
		.constraints = CountConstraints( world ),
		.workers = gelWorld_GetLaneBytes( world ),
		.colliders = CountColliders( world ) };
	const gelContactStep* contact = world->contact;
	if ( contact != NULL )
	{
		memory.slots += contact->bytes;
		memory.workers += contact->deskBytes;
		memory.contacts = contact->listBytes + contact->floatCount * sizeof( float );
		memory.detection = contact->scratchBytes;
		if ( contact->ellipsoids )
			memory.particles = gelFindParticleContact()->getBytes( contact->ellipsoids );
	}
	memory.total = memory.slots + memory.bodies + memory.constraints + memory.workers + memory.contacts +
		memory.detection + memory.colliders + memory.particles;
	return memory;
}

size_t gelBody_GetBytes( gelBodyId bodyId )
{
	const gelBody* body = gelAskBody( bodyId );
	return body ? body->bytes : 0;
}
