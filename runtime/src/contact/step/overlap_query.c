// SPDX-License-Identifier: MIT
// Who overlaps a shape, and do two bodies overlap: questions between steps, with the same tests as contacts.
#include "contact/shapes/collider_set.h"
#include "gelpack/contact.h"
#include "contact/step/contact_step.h"
#include "solvers/solver.h"
#include "state/world.h"

static bool MayOverlap( const gelBody* body, const gelColliderMotion* motion )
{
	gelVec3 center = gelToBody( body,
		( gelVec3 ){ (float)motion->start.position[0], (float)motion->start.position[1],
			(float)motion->start.position[2] } );
	return gelMayReach( &body->box, center, center, motion, 0.0f );
}

// Something of the surface is in the shape, or the whole shape is in the body.
static bool Overlaps( gelBodyId bodyId, gelBody* body, const gelColliderMotion* motion )
{
	if ( !MayOverlap( body, motion ) ) return false;
	if ( gelTouchesShape( body, motion ) ) return true;
	bool isInside = false;
	const double* p = motion->start.position;
	gelVec3 center = { (float)p[0], (float)p[1], (float)p[2] };
	return !motion->shape.isHalfSpace && gelBody_ContainsPoint( bodyId, center, &isInside ) == gel_success &&
		isInside;
}

int gelWorld_OverlapShape( gelWorldId worldId, const gelColliderDef* def, gelBodyId* out, int outCapacity )
{
	struct gelWorld* world = worldId.world;
	gelColliderMotion motion;
	if ( world == NULL || world->isLocked || !gelMakeQueryMotion( def, &motion ) ) return 0;
	int count = 0;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* body = world->live[i];
		if ( body->asset->pack.cells == NULL ) continue;
		if ( body->contact && !gelFiltersAgree( body->contact->filter, def->filter ) ) continue;
		gelBodyId id = { world, body->slot + 1, world->slots[body->slot].generation };
		if ( !Overlaps( id, body, &motion ) ) continue;
		if ( out != NULL && count < outCapacity ) out[count] = id;
		++count;
	}
	return count;
}

gelResult gelBody_OverlapsBody( gelBodyId bodyIdA, gelBodyId bodyIdB, bool* outOverlaps )
{
	if ( outOverlaps == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outOverlaps = false;
	gelBody *a = gelGetBody( bodyIdA ), *b = gelGetBody( bodyIdB );
	if ( a == NULL || b == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	if ( bodyIdA.world != bodyIdB.world || a == b ) return GEL_CALLER_ERROR( gel_errorArgument );
	struct gelWorld* world = bodyIdA.world;
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	bool haveSurfaces = gelBody_HasContactSurface( a ) && gelBody_HasContactSurface( b );
	if ( !haveSurfaces ) return gel_errorUnsupported;
	if ( !gelBody_NeedCoarse( a ) || !gelBody_NeedCoarse( b ) ) return gel_errorLocked;
	gelContactSurface surfaceA = gelBody_GetContactSurface( a ), surfaceB = gelBody_GetContactSurface( b );
	gelDetectOptions options = gelDefaultDetectOptions();
	options.simd = world->simd;
	*outOverlaps = gelDoSurfacesOverlap( &surfaceA, &surfaceB, world->contact->finds[0].scratch, &options );
	return gel_success;
}
