// SPDX-License-Identifier: MIT
// Grabbing with a ray: what is hit is held, dragged and let go.
#include "test_support.h"

#include "query_stage.h"
#include "state/world.h"

#include <math.h>

static void TestGrabDragRelease( void** state )
{
	(void)state;
	for ( int art = 0; art < gel_queryOpen; ++art )
	{
		gelQueryStage stage = gelMakeQueryStage( (gelQueryArt)art );
		gelWorld_SetGravity( stage.world, ( gelVec3 ){ 0.0f, -9.81f, 0.0f } );
		gelBodyDynamics start = gelBody_GetDynamics( stage.body );
		gelFactorInfo factor;
		assert_true( gelAsset_GetFactors( stage.asset, &factor, 1 ) > 0 );
		// from above; a torus has a hole in the middle, so not through the center
		gelVec3 aim = gelAdd( start.centerOfMass, gelMakeVec3( 0.05f, 0.0f, 0.02f ) );
		if ( art == gel_queryTorus )
		{
			gelAabb box = gelBody_GetBounds( stage.body );
			aim.x = box.max.x - 0.1f * ( box.max.x - box.min.x );
		}
		gelRay ray = gelMakeRayThrough( gelAdd( aim, gelMakeVec3( 0.0f, 5.0f, 0.0f ) ), aim );
		gelConstraintId grip;
		gelRayHit hit;
		assert_int_equal( gelWorld_Grab( stage.world, &ray, NULL, &grip, &hit ), gel_success );
		assert_true( hit.isHit && gelConstraint_IsValid( grip ) );
		gelVec3 target, p;
		gelConstraint_GetTarget( grip, &target );
		assert_true( gelLength( gelSub( target, hit.position ) ) < 1e-5f );
		// up by two metres in two seconds, then wait
		for ( int step = 0; step < 360; ++step )
		{
			if ( step < 120 ) target.y += 2.0f / 120.0f;
			assert_int_equal( gelConstraint_SetTarget( grip, target ), gel_success );
			assert_int_equal( gelWorld_Step( stage.world, factor.step ), gel_success );
		}
		gelBody_GetPointPosition( stage.body, &hit.point, &p );
		// it may still swing; at rest the spring of 5 Hz is m g / k = g / (2 pi 5)^2 = 1 cm longer
		gelReaction reaction;
		gelConstraint_GetReaction( grip, &reaction );
		assert_true( fabsf( target.y - p.y - 9.81f / ( 31.416f * 31.416f ) ) < 0.01f );
		assert_true( fabsf( reaction.force.y + 9.81f * start.mass ) < 0.5f * 9.81f * start.mass );
		gelDestroyConstraint( grip );
		gelBodyDynamics before = gelBody_GetDynamics( stage.body );
		for ( int step = 0; step < 30; ++step )
			assert_int_equal( gelWorld_Step( stage.world, factor.step ), gel_success );
		gelBodyDynamics after = gelBody_GetDynamics( stage.body );
		assert_true( after.linearMomentum.y <
			before.linearMomentum.y - 0.9f * start.mass * 9.81f * 30.0f * factor.step );

		// nothing there
		ray.origin.x += 100.0f;
		assert_int_equal( gelWorld_Grab( stage.world, &ray, NULL, &grip, &hit ), gel_success );
		assert_false( hit.isHit || gelConstraint_IsValid( grip ) );
		gelFreeQueryStage( &stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestGrabDragRelease ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
