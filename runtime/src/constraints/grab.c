// SPDX-License-Identifier: MIT
// Grabbing: a ray, and a spring where it hits.
#include "state/world.h"

gelGrabDef gelDefaultGrabDef( void )
{
	return ( gelGrabDef ){ .frequency = 5.0f, .dampingRatio = 1.0f, .cookie = GEL_COOKIE };
}

static bool GrabDefIsValid( const gelGrabDef* def )
{
	return def->cookie == GEL_COOKIE && def->frequency > 0.0f && def->frequency <= 1000.0f &&
		def->dampingRatio >= 0.0f && def->dampingRatio <= 100.0f;
}

gelResult gelWorld_Grab( gelWorldId worldId, const gelRay* ray, const gelGrabDef* def,
	gelConstraintId* outConstraintId, gelRayHit* outHit )
{
	if ( outHit != NULL ) *outHit = ( gelRayHit ){ .isHit = false };
	if ( outConstraintId == NULL ) return GEL_CALLER_ERROR( gel_errorArgument );
	*outConstraintId = ( gelConstraintId ){ 0 };
	gelGrabDef defaults = gelDefaultGrabDef();
	if ( def == NULL ) def = &defaults;
	if ( !GrabDefIsValid( def ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	gelRayHit hit;
	gelResult result = gelWorld_CastRay( worldId, ray, &hit );
	if ( result != gel_success ) return result;
	if ( outHit != NULL ) *outHit = hit;
	if ( !hit.isHit ) return gel_success;

	// k = m w^2, c = 2 zeta m w of the whole body on a spring
	float omega = 6.2831853f * def->frequency, mass = gelGetBody( hit.body )->asset->mass;
	gelConstraintDef spring = gelDefaultConstraintDef();
	spring.kind = gel_constraintSpring;
	spring.point = hit.point;
	spring.target = hit.position;
	spring.stiffness = gelMinFloat( mass * omega * omega, 1.0e12f );
	spring.damping = gelMinFloat( 2.0f * def->dampingRatio * mass * omega, 1.0e12f );
	return gelCreateConstraint( hit.body, &spring, outConstraintId );
}
