// SPDX-License-Identifier: MIT
// Every public function that takes numbers with NaN, infinity and numbers too large: all are refused without
// changing a bit.
#include "test_support.h"
#include "gelpack/experimental.h"

#include "hostile_scene.h"
#include "state/world.h"

#include <math.h>

static const float bad[] = { NAN, INFINITY, -INFINITY, 1.0e30f, -1.1e9f };
#define BAD_COUNT ( (int)( sizeof( bad ) / sizeof( bad[0] ) ) )

// A vector with a bad component, each in turn.
static gelVec3 Spoil( int which, float value )
{
	return ( gelVec3 ){ which % 3 == 0 ? value : 0.5f, which % 3 == 1 ? value : 0.5f,
		which % 3 == 2 ? value : 0.5f };
}

static void SpoilDefs( const gelHostileScene* scene, float value, gelVec3 v )
{
	gelWorldId world;
	gelBodyId body;
	gelFrameId frame;
	gelConstraintId id;
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = v;
	GEL_REFUSED( gelCreateWorld( &worldDef, &world ) );
	worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	worldDef.ground.offset = value;
	GEL_REFUSED( gelCreateWorld( &worldDef, &world ) );
	worldDef = gelDefaultWorldDef();
	worldDef.groundStaticFriction = value;
	GEL_REFUSED( gelCreateWorld( &worldDef, &world ) );

	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = scene->stage.asset;
	gelBodyDef spoiled = bodyDef;
	spoiled.linearVelocity = v;
	GEL_REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	spoiled = bodyDef;
	spoiled.transform.rotation.v = v;
	GEL_REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	spoiled = bodyDef;
	spoiled.contactFriction = value;
	GEL_REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	GEL_REFUSED( gelBody_SetContactFriction( scene->body, value ) );
	spoiled.contactFriction = -0.5f; // only -1 is below 0
	GEL_REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	GEL_REFUSED( gelBody_SetContactFriction( scene->body, -0.5f ) );
	spoiled = bodyDef;
	spoiled.solver.fast.stiffnessScale = value;
	GEL_REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	gelImplicitVariant variant;
	float* const numbers[6] = { &spoiled.solver.implicit.tolerance, &spoiled.solver.implicit.massDamping,
		&spoiled.solver.implicit.stiffnessDamping, &variant.degeneratePush, &spoiled.plasticity.yieldStrain,
		&spoiled.plasticity.creepRate };
	for ( int k = 0; k < 6; ++k )
	{
		spoiled = bodyDef;
		spoiled.solver = gelDefaultSolverDef( gel_solverImplicit );
		variant = gelDefaultImplicitVariant();
		spoiled.solver.implicit.variant = &variant;
		spoiled.plasticity.enableYield = true;
		*numbers[k] = value;
		GEL_REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	}
	assert_false( gelAsset_CanStep( scene->stage.asset, &bodyDef, value ) );

	gelFrameDef frameDef = gelDefaultFrameDef();
	frameDef.transform.position = v;
	GEL_REFUSED( gelCreateFrame( scene->body, &frameDef, &frame ) );
	frameDef = gelDefaultFrameDef();
	frameDef.transform.rotation.s = value;
	GEL_REFUSED( gelCreateFrame( scene->body, &frameDef, &frame ) );
	frameDef = gelDefaultFrameDef();
	frameDef.mass = value;
	frameDef.inertia = ( gelVec3 ){ 1.0f, 1.0f, 1.0f };
	GEL_REFUSED( gelCreateFrame( scene->body, &frameDef, &frame ) );
	frameDef.mass = 1.0f;
	frameDef.inertia = v;
	GEL_REFUSED( gelCreateFrame( scene->body, &frameDef, &frame ) );

	gelConstraintDef hold = gelMakeHold( scene, gel_constraintPoint );
	hold.target = v;
	GEL_REFUSED( gelCreateConstraint( scene->body, &hold, &id ) );
	hold = gelMakeHold( scene, gel_constraintPoint );
	hold.point.weight[2] = value;
	GEL_REFUSED( gelCreateConstraint( scene->body, &hold, &id ) );
	hold = gelMakeHold( scene, gel_constraintPlane );
	hold.axis = v;
	GEL_REFUSED( gelCreateConstraint( scene->body, &hold, &id ) );
	hold = gelMakeHold( scene, gel_constraintSpring );
	hold.stiffness = value;
	GEL_REFUSED( gelCreateConstraint( scene->body, &hold, &id ) );
	hold = gelMakeHold( scene, gel_constraintSpring );
	hold.damping = value;
	GEL_REFUSED( gelCreateConstraint( scene->body, &hold, &id ) );
}

static void SpoilBody( gelHostileScene* scene, float value, gelVec3 v )
{
	gelBodyId body = scene->body;
	gelQuat one = { { 0.0f, 0.0f, 0.0f }, 1.0f }, q = { { 0.0f, 0.0f, 0.0f }, value };
	gelVec3 zero = { 0.0f, 0.0f, 0.0f }, out;
	gelEmbeddedPoint point = scene->point, wild = scene->point;
	wild.weight[1] = value;
	float mass;
	bool isInside;
	GEL_REFUSED( gelWorld_SetGravity( scene->stage.world, v ) );
	assert_int_not_equal( gelWorld_Step( scene->stage.world, value ), gel_success );
	scene->zeros[5] = v;
	GEL_REFUSED(
		gelBody_SetNodeState( body, scene->zeros, scene->stage.velocities, scene->stage.nodeCount ) );
	GEL_REFUSED(
		gelBody_SetNodeState( body, scene->stage.velocities, scene->zeros, scene->stage.nodeCount ) );
	scene->zeros[5] = zero;
	GEL_REFUSED( gelBody_SetPinTarget( body, 0, v ) );
	GEL_REFUSED( gelBody_AddNodeForce( body, 0, v ) );
	GEL_REFUSED( gelBody_Reset( body, ( gelTransform ){ v, one } ) );
	GEL_REFUSED( gelBody_Reset( body, ( gelTransform ){ zero, q } ) );
	GEL_REFUSED( gelBody_Teleport( body, ( gelTransform ){ v, one } ) );
	GEL_REFUSED( gelBody_Teleport( body, ( gelTransform ){ zero, q } ) );
	GEL_REFUSED( gelBody_AddPointForce( body, &point, v ) );
	GEL_REFUSED( gelBody_AddPointForce( body, &wild, zero ) );
	GEL_REFUSED( gelBody_AddPointImpulse( body, &point, v ) );
	GEL_REFUSED( gelBody_AddPointImpulse( body, &wild, zero ) );
	GEL_REFUSED( gelBody_SetPointVelocity( body, &point, v ) );
	GEL_REFUSED( gelBody_SetPointVelocity( body, &wild, zero ) );
	GEL_REFUSED( gelBody_MovePoint( body, &point, v, 0.0f ) );
	GEL_REFUSED( gelBody_MovePoint( body, &wild, zero, 0.0f ) );
	GEL_REFUSED( gelBody_MovePoint( body, &point, zero, value ) );
	GEL_REFUSED( gelBody_MovePoint( body, &point, zero, -0.01f ) );
	GEL_REFUSED( gelBody_GetPointMass( body, &wild, &mass ) );
	GEL_REFUSED( gelBody_GetPointPosition( body, &wild, &out ) );
	GEL_REFUSED( gelBody_GetPointVelocity( body, &wild, &out ) );
	assert_int_not_equal( gelBody_ContainsPoint( body, v, &isInside ), gel_success ); // it has no surface
	GEL_REFUSED( gelBody_FindPoint( body, v, &point ) );
	gelTransform pose = { v, one };
	GEL_REFUSED( gelFrame_SetTransform( scene->frame, pose ) );
	pose = ( gelTransform ){ zero, q };
	GEL_REFUSED( gelFrame_SetTransform( scene->frame, pose ) );
	GEL_REFUSED( gelConstraint_SetTarget( scene->pin, v ) );
	GEL_REFUSED( gelConstraint_SetAxis( scene->line, v ) );
	GEL_REFUSED( gelConstraint_SetAxis( scene->line, zero ) );
	GEL_REFUSED( gelConstraint_SetAxis( scene->pin, ( gelVec3 ){ 1.0f, 0.0f, 0.0f } ) ); // has none
	GEL_REFUSED( gelConstraint_SetSpring( scene->spring, value, 1.0f ) );
	GEL_REFUSED( gelConstraint_SetSpring( scene->spring, 1.0f, value ) );
	GEL_REFUSED( gelConstraint_SetSpring( scene->spring, 0.0f, 0.0f ) );
	GEL_REFUSED( gelConstraint_SetSpring( scene->pin, 1.0f, 1.0f ) );
}

static void SpoilRays( const gelHostileScene* scene, float value, gelVec3 v )
{
	gelRayHit hit;
	gelConstraintId id;
	for ( int k = 0; k < 3; ++k )
	{
		gelRay ray = gelDefaultRay();
		if ( k == 0 ) ray.origin = v;
		if ( k == 1 ) ray.translation = v;
		if ( k == 2 ) ray.maxFraction = value;
		bool isHuge = fabsf( value ) < 1e31f && !( k == 2 && value < 0.0f ); // rays may be long
		gelResult results[5] = { gelBody_CastRay( scene->body, &ray, &hit ),
			gelWorld_CastRay( scene->stage.world, &ray, &hit ),
			gelBody_CastRays( scene->body, &ray, 1, &hit ),
			gelWorld_CastRays( scene->stage.world, &ray, 1, &hit ),
			isHuge ? gel_errorArgument : gelWorld_Grab( scene->stage.world, &ray, NULL, &id, &hit ) };
		for ( int i = 0; i < 5; ++i )
			assert_true( results[i] == gel_errorArgument || isHuge );
	}
	gelRay ray = gelDefaultRay();
	gelGrabDef grab = gelDefaultGrabDef();
	grab.frequency = value;
	GEL_REFUSED( gelWorld_Grab( scene->stage.world, &ray, &grab, &id, &hit ) );
	grab = gelDefaultGrabDef();
	grab.dampingRatio = value;
	GEL_REFUSED( gelWorld_Grab( scene->stage.world, &ray, &grab, &id, &hit ) );
}

static void TestBadNumbers( void** state )
{
	(void)state;
	for ( int s = 0; s < 2; ++s )
	{
		gelHostileScene scene = gelMakeHostileScene( s == 0 ? gel_solverFastCorotated : gel_solverImplicit );
		gelStage_Step( &scene.stage, 3 );
		uint64_t hash = gelBody_HashState( scene.body );
		for ( int i = 0; i < 3 * BAD_COUNT; ++i )
		{
			gelVec3 v = Spoil( i, bad[i % BAD_COUNT] );
			SpoilDefs( &scene, bad[i % BAD_COUNT], v );
			SpoilBody( &scene, bad[i % BAD_COUNT], v );
			SpoilRays( &scene, bad[i % BAD_COUNT], v );
		}
		assert_true( gelBody_HashState( scene.body ) == hash ); // not a bit
		gelFreeStage( &scene.stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBadNumbers ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
