// SPDX-License-Identifier: MIT
// Every public function with arguments that no game should pass: NaN, infinity, numbers too large, null,
// stale and wild ids. All are refused without changing a bit, and a monkey that calls everything with numbers
// at the edge of what is allowed does not get the world to lose its mind.
#include "test_support.h"
#include "gelpack/experimental.h"

#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES 128

static const float bad[] = { NAN, INFINITY, -INFINITY, 1.0e30f, -1.1e9f };
#define BAD_COUNT ( (int)( sizeof( bad ) / sizeof( bad[0] ) ) )

typedef struct Scene
{
	gelStage stage;
	gelBodyId body;
	gelConstraintId pin, line, spring;
	gelFrameId frame;
	gelEmbeddedPoint point;
	gelVec3 zeros[MAX_NODES];
} Scene;

static gelConstraintDef MakeHold( const Scene* scene, gelConstraintKind kind )
{
	gelConstraintDef def = gelDefaultConstraintDef();
	def.kind = kind;
	def.point = scene->point;
	def.point.tet += (int)kind;
	def.target = ( gelVec3 ){ 0.1f, 0.2f, 0.3f };
	def.stiffness = 100.0f;
	return def;
}

static Scene MakeScene( gelSolverType solver )
{
	Scene scene = { .point = { 3, { 0.25f, 0.25f, 0.25f, 0.25f } } };
	gelStageDef def = gelDefaultStageDef();
	def.world.gravity.y = -9.81f;
	def.world.hasGround = true;
	def.body.solver = gelDefaultSolverDef( solver );
	def.body.allowSleep = true;
	def.pinLeft = false;
	scene.stage = gelMakeStage( &def );
	scene.body = scene.stage.body;
	assert_true( scene.stage.nodeCount <= MAX_NODES );
	gelFrameDef frameDef = gelDefaultFrameDef();
	assert_int_equal( gelCreateFrame( scene.body, &frameDef, &scene.frame ), gel_success );
	gelConstraintDef hold = MakeHold( &scene, gel_constraintPoint );
	assert_int_equal( gelCreateConstraint( scene.body, &hold, &scene.pin ), gel_success );
	hold = MakeHold( &scene, gel_constraintLine );
	assert_int_equal( gelCreateConstraint( scene.body, &hold, &scene.line ), gel_success );
	hold = MakeHold( &scene, gel_constraintSpring );
	assert_int_equal( gelCreateConstraint( scene.body, &hold, &scene.spring ), gel_success );
	return scene;
}

// ---- numbers --------------------------------------------------------------------------------------------

#define REFUSED( call ) assert_int_equal( call, gel_errorArgument )

// A vector with a bad component, each in turn.
static gelVec3 Spoil( int which, float value )
{
	return ( gelVec3 ){ which % 3 == 0 ? value : 0.5f, which % 3 == 1 ? value : 0.5f,
		which % 3 == 2 ? value : 0.5f };
}

static void SpoilDefs( const Scene* scene, float value, gelVec3 v )
{
	gelWorldId world;
	gelBodyId body;
	gelFrameId frame;
	gelConstraintId id;
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = v;
	REFUSED( gelCreateWorld( &worldDef, &world ) );
	worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	worldDef.ground.offset = value;
	REFUSED( gelCreateWorld( &worldDef, &world ) );
	worldDef = gelDefaultWorldDef();
	worldDef.groundStaticFriction = value;
	REFUSED( gelCreateWorld( &worldDef, &world ) );

	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = scene->stage.asset;
	gelBodyDef spoiled = bodyDef;
	spoiled.linearVelocity = v;
	REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	spoiled = bodyDef;
	spoiled.transform.rotation.v = v;
	REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	spoiled = bodyDef;
	spoiled.contactFriction = value;
	REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	REFUSED( gelBody_SetContactFriction( scene->body, value ) );
	spoiled.contactFriction = -0.5f; // only -1 is below 0
	REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	REFUSED( gelBody_SetContactFriction( scene->body, -0.5f ) );
	spoiled = bodyDef;
	spoiled.solver.fast.stiffnessScale = value;
	REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
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
		spoiled.plasticity.isEnabled = true;
		*numbers[k] = value;
		REFUSED( gelCreateBody( scene->stage.world, &spoiled, &body ) );
	}
	assert_false( gelAsset_CanStep( scene->stage.asset, &bodyDef, value ) );

	gelFrameDef frameDef = gelDefaultFrameDef();
	frameDef.transform.position = v;
	REFUSED( gelCreateFrame( scene->body, &frameDef, &frame ) );
	frameDef = gelDefaultFrameDef();
	frameDef.transform.rotation.s = value;
	REFUSED( gelCreateFrame( scene->body, &frameDef, &frame ) );
	frameDef = gelDefaultFrameDef();
	frameDef.mass = value;
	frameDef.inertia = ( gelVec3 ){ 1.0f, 1.0f, 1.0f };
	REFUSED( gelCreateFrame( scene->body, &frameDef, &frame ) );
	frameDef.mass = 1.0f;
	frameDef.inertia = v;
	REFUSED( gelCreateFrame( scene->body, &frameDef, &frame ) );

	gelConstraintDef hold = MakeHold( scene, gel_constraintPoint );
	hold.target = v;
	REFUSED( gelCreateConstraint( scene->body, &hold, &id ) );
	hold = MakeHold( scene, gel_constraintPoint );
	hold.point.weight[2] = value;
	REFUSED( gelCreateConstraint( scene->body, &hold, &id ) );
	hold = MakeHold( scene, gel_constraintPlane );
	hold.axis = v;
	REFUSED( gelCreateConstraint( scene->body, &hold, &id ) );
	hold = MakeHold( scene, gel_constraintSpring );
	hold.stiffness = value;
	REFUSED( gelCreateConstraint( scene->body, &hold, &id ) );
	hold = MakeHold( scene, gel_constraintSpring );
	hold.damping = value;
	REFUSED( gelCreateConstraint( scene->body, &hold, &id ) );
}

static void SpoilBody( Scene* scene, float value, gelVec3 v )
{
	gelBodyId body = scene->body;
	gelQuat one = { { 0.0f, 0.0f, 0.0f }, 1.0f }, q = { { 0.0f, 0.0f, 0.0f }, value };
	gelVec3 zero = { 0.0f, 0.0f, 0.0f }, out;
	gelEmbeddedPoint point = scene->point, wild = scene->point;
	wild.weight[1] = value;
	float mass;
	bool isInside;
	REFUSED( gelWorld_SetGravity( scene->stage.world, v ) );
	assert_int_not_equal( gelWorld_Step( scene->stage.world, value ), gel_success );
	scene->zeros[5] = v;
	REFUSED( gelBody_SetNodeState( body, scene->zeros, scene->stage.velocities, scene->stage.nodeCount ) );
	REFUSED( gelBody_SetNodeState( body, scene->stage.velocities, scene->zeros, scene->stage.nodeCount ) );
	scene->zeros[5] = zero;
	REFUSED( gelBody_SetPinTarget( body, 0, v ) );
	REFUSED( gelBody_AddNodeForce( body, 0, v ) );
	REFUSED( gelBody_Reset( body, ( gelTransform ){ v, one } ) );
	REFUSED( gelBody_Reset( body, ( gelTransform ){ zero, q } ) );
	REFUSED( gelBody_Teleport( body, ( gelTransform ){ v, one } ) );
	REFUSED( gelBody_Teleport( body, ( gelTransform ){ zero, q } ) );
	REFUSED( gelBody_AddPointForce( body, &point, v ) );
	REFUSED( gelBody_AddPointForce( body, &wild, zero ) );
	REFUSED( gelBody_AddPointImpulse( body, &point, v ) );
	REFUSED( gelBody_AddPointImpulse( body, &wild, zero ) );
	REFUSED( gelBody_SetPointVelocity( body, &point, v ) );
	REFUSED( gelBody_SetPointVelocity( body, &wild, zero ) );
	REFUSED( gelBody_MovePoint( body, &point, v, 0.0f ) );
	REFUSED( gelBody_MovePoint( body, &wild, zero, 0.0f ) );
	REFUSED( gelBody_MovePoint( body, &point, zero, value ) );
	REFUSED( gelBody_MovePoint( body, &point, zero, -0.01f ) );
	REFUSED( gelBody_GetPointMass( body, &wild, &mass ) );
	REFUSED( gelBody_GetPointPosition( body, &wild, &out ) );
	REFUSED( gelBody_GetPointVelocity( body, &wild, &out ) );
	assert_int_not_equal( gelBody_ContainsPoint( body, v, &isInside ), gel_success ); // it has no surface
	REFUSED( gelBody_FindPoint( body, v, &point ) );
	gelTransform pose = { v, one };
	REFUSED( gelFrame_SetTransform( scene->frame, pose ) );
	pose = ( gelTransform ){ zero, q };
	REFUSED( gelFrame_SetTransform( scene->frame, pose ) );
	REFUSED( gelConstraint_SetTarget( scene->pin, v ) );
	REFUSED( gelConstraint_SetAxis( scene->line, v ) );
	REFUSED( gelConstraint_SetAxis( scene->line, zero ) );
	REFUSED( gelConstraint_SetAxis( scene->pin, ( gelVec3 ){ 1.0f, 0.0f, 0.0f } ) ); // has none
	REFUSED( gelConstraint_SetSpring( scene->spring, value, 1.0f ) );
	REFUSED( gelConstraint_SetSpring( scene->spring, 1.0f, value ) );
	REFUSED( gelConstraint_SetSpring( scene->spring, 0.0f, 0.0f ) );
	REFUSED( gelConstraint_SetSpring( scene->pin, 1.0f, 1.0f ) );
}

static void SpoilRays( const Scene* scene, float value, gelVec3 v )
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
	REFUSED( gelWorld_Grab( scene->stage.world, &ray, &grab, &id, &hit ) );
	grab = gelDefaultGrabDef();
	grab.dampingRatio = value;
	REFUSED( gelWorld_Grab( scene->stage.world, &ray, &grab, &id, &hit ) );
}

static void TestBadNumbers( void** state )
{
	(void)state;
	for ( int s = 0; s < 2; ++s )
	{
		Scene scene = MakeScene( s == 0 ? gel_solverFastCorotated : gel_solverImplicit );
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

// ---- null and stale -------------------------------------------------------------------------------------

static void CallWithBody( const Scene* scene, gelBodyId body, gelResult wanted )
{
	gelVec3 v = { 0.0f, 0.0f, 0.0f };
	gelQuat q = { { 0.0f, 0.0f, 0.0f }, 1.0f };
	gelEmbeddedPoint point = scene->point;
	gelRay ray = gelDefaultRay();
	gelRayHit hit;
	gelAabb box;
	gelTetState tet;
	gelConstraintId id;
	gelFrameId frame;
	gelConstraintDef hold = MakeHold( scene, gel_constraintPoint );
	gelFrameDef frameDef = gelDefaultFrameDef();
	uint8_t bytes[64] = { 0 };
	float mass;
	bool isInside;
	assert_int_equal( gelBody_SetNodeState( body, scene->zeros, scene->zeros, 1 ), wanted );
	assert_int_equal( gelBody_SetPinTarget( body, 0, v ), wanted );
	assert_int_equal( gelBody_AddNodeForce( body, 0, v ), wanted );
	assert_int_equal( gelBody_GetAttachmentTransform( body, 0, &frameDef.transform ), wanted );
	assert_int_equal( gelBody_HoldAttachment( body, 0, ( gelFrameId ){ 0 }, NULL, NULL ), wanted );
	frameDef = gelDefaultFrameDef();
	assert_int_equal( gelBody_SetAwake( body, true ), wanted );
	assert_int_equal( gelBody_EnableContact( body, true ), wanted );
	assert_int_equal( gelBody_SetContactFilter( body, 1, 1 ), wanted );
	assert_int_equal( gelBody_SetContactFriction( body, 0.5f ), wanted );
	uint32_t filter[2] = { 7, 7 };
	gelBody_GetContactFilter( body, filter, filter + 1 );
	gelBody_GetContactFilter( body, NULL, NULL );
	assert_true( filter[0] == 0 && filter[1] == 0 && !gelBody_IsContactEnabled( body ) );
	assert_int_equal( gelBody_Reset( body, ( gelTransform ){ v, q } ), wanted );
	assert_int_equal( gelBody_Teleport( body, ( gelTransform ){ v, q } ), wanted );
	assert_int_equal( gelBody_CastRay( body, &ray, &hit ), wanted );
	assert_int_equal( gelBody_CastRays( body, &ray, 1, &hit ), wanted );
	assert_int_equal( gelBody_ContainsPoint( body, v, &isInside ), wanted );
	assert_int_equal( gelBody_FindPoint( body, v, &point ), wanted );
	point = scene->point;
	assert_int_equal( gelBody_GetPointPosition( body, &point, &v ), wanted );
	assert_int_equal( gelBody_GetPointVelocity( body, &point, &v ), wanted );
	assert_int_equal( gelBody_GetPointMass( body, &point, &mass ), wanted );
	assert_int_equal( gelBody_AddPointForce( body, &point, v ), wanted );
	assert_int_equal( gelBody_AddPointImpulse( body, &point, v ), wanted );
	assert_int_equal( gelBody_SetPointVelocity( body, &point, v ), wanted );
	assert_int_equal( gelBody_MovePoint( body, &point, v, 0.0f ), wanted );
	assert_int_equal( gelCreateConstraint( body, &hold, &id ), wanted );
	assert_int_equal( gelCreateFrame( body, &frameDef, &frame ), wanted );
	assert_int_equal( gelBody_SaveState( body, bytes, 64 ), wanted );
	assert_int_equal( gelBody_RestoreState( body, bytes, 64 ), wanted );
	if ( wanted != gel_errorStaleId ) return;
	assert_int_equal( gelBody_GetPositions( body, &v, 1 ) + gelBody_GetNormals( body, &v, 1 ), 0 );
	gelVertexTarget target = { body, &v, &v, 0, 1 };
	if ( body.world != NULL )
		assert_int_equal( gelWorld_GetVertices( ( gelWorldId ){ body.world }, &target, 1 ), wanted );
	assert_int_equal( gelBody_GetNodePositions( body, &v, 1 ) + gelBody_GetNodeVelocities( body, &v, 1 ), 0 );
	assert_int_equal( gelBody_GetTetStates( body, &tet, 1 ) + gelBody_GetConstraints( body, &id, 1 ), 0 );
	assert_int_equal(
		gelBody_GetPatchVertices( body, &v, 1 ) + gelBody_GetCoarseBoxes( body, 0, &box, 1 ), 0 );
	assert_true( gelBody_GetBounds( body ).max.x == 0.0f && gelBody_GetStateBytes( body ) == 0 );
	assert_true( gelBody_GetDynamics( body ).mass == 0.0f && gelBody_HashState( body ) == 0 );
	assert_null( gelBody_GetAsset( body ) );
	assert_null( gelBody_GetUserData( body ) );
	assert_false( gelBody_IsAwake( body ) || gelBody_IsValid( body ) );
	gelDestroyBody( body );
}

static void CallWithIds( gelConstraintId id, gelFrameId frame, gelResult wanted )
{
	gelVec3 v = { 1.0f, 0.0f, 0.0f };
	gelEmbeddedPoint point;
	gelReaction reaction;
	gelTransform pose = { v, { { 0.0f, 0.0f, 0.0f }, 1.0f } };
	assert_int_equal( gelConstraint_SetTarget( id, v ), wanted );
	assert_int_equal( gelConstraint_SetAxis( id, v ), wanted );
	assert_int_equal( gelConstraint_SetSpring( id, 1.0f, 1.0f ), wanted );
	assert_int_equal( gelConstraint_GetTarget( id, &v ), wanted );
	assert_int_equal( gelConstraint_GetPoint( id, &point ), wanted );
	assert_int_equal( gelConstraint_GetReaction( id, &reaction ), wanted );
	assert_int_equal( gelFrame_SetTransform( frame, pose ), wanted );
	assert_int_equal( gelFrame_GetTransform( frame, &pose ), wanted );
	assert_int_equal( gelFrame_GetReaction( frame, &reaction ), wanted );
	gelDestroyConstraint( id );
	gelDestroyFrame( frame );
	if ( wanted == gel_errorStaleId )
		assert_false( gelConstraint_IsValid( id ) || gelFrame_IsValid( frame ) );
}

static void TestStaleIds( void** state )
{
	(void)state;
	Scene scene = MakeScene( gel_solverFastCorotated );
	uint64_t hash = gelBody_HashState( scene.body );
	struct gelWorld* world = scene.stage.world.world;
	gelBodyId wild[4] = { { 0 }, { world, 0, 0 }, { world, 100000, 0 }, { world, 1, 12345 } };
	for ( int i = 0; i < 4; ++i )
	{
		CallWithBody( &scene, wild[i], gel_errorStaleId );
		CallWithIds(
			( gelConstraintId ){ wild[i], 1, 1 }, ( gelFrameId ){ wild[i], 1, 1 }, gel_errorStaleId );
	}
	const uint32_t indices[4] = { 0, 17, UINT32_MAX, 1 };
	for ( int i = 0; i < 4; ++i )
		CallWithIds( ( gelConstraintId ){ scene.body, indices[i], 99 },
			( gelFrameId ){ scene.body, indices[i], 99 }, gel_errorStaleId );
	assert_true( gelBody_HashState( scene.body ) == hash );

	// a slot that is used again does not answer to the old id
	gelConstraintId old = scene.pin, again;
	gelDestroyConstraint( old );
	gelConstraintDef hold = MakeHold( &scene, gel_constraintPoint );
	assert_int_equal( gelCreateConstraint( scene.body, &hold, &again ), gel_success );
	assert_int_equal( again.index1, old.index1 );
	assert_false( gelConstraint_IsValid( old ) );
	// capacities end
	gelConstraintId id;
	int count = gelBody_GetConstraints( scene.body, NULL, 0 );
	for ( ; count < 16; ++count )
		assert_int_equal( gelCreateConstraint( scene.body, &hold, &id ), gel_success );
	assert_int_equal( gelCreateConstraint( scene.body, &hold, &id ), gel_errorFull );
	assert_int_equal( id.index1, 0 );
	// a frame of another body is none of ours
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = scene.stage.asset;
	gelBodyId other;
	assert_int_equal( gelCreateBody( scene.stage.world, &def, &other ), gel_success );
	hold.frame = scene.frame;
	assert_int_equal( gelCreateConstraint( other, &hold, &id ), gel_errorArgument );
	def.constraintCapacity = 0;
	assert_int_equal( gelCreateBody( scene.stage.world, &def, &other ), gel_success );
	hold.frame = ( gelFrameId ){ 0 };
	assert_int_equal( gelCreateConstraint( other, &hold, &id ), gel_errorFull );
	gelFreeStage( &scene.stage );
}

static void TestNull( void** state )
{
	(void)state;
	Scene scene = MakeScene( gel_solverFastCorotated );
	gelBodyId body = scene.body;
	gelWorldId world = scene.stage.world, none = { 0 };
	uint64_t hash = gelBody_HashState( body );
	gelVec3 v = { 0.0f, 0.0f, 0.0f };
	gelEmbeddedPoint* noPoint = NULL;
	gelRay ray = gelDefaultRay();
	gelRayHit hit;
	gelConstraintId id;
	gelFrameId frame;
	float mass;
	REFUSED( gelBody_AddPointForce( body, noPoint, v ) );
	REFUSED( gelBody_AddPointImpulse( body, noPoint, v ) );
	REFUSED( gelBody_SetPointVelocity( body, noPoint, v ) );
	REFUSED( gelBody_MovePoint( body, noPoint, v, 0.0f ) );
	REFUSED( gelBody_GetPointMass( body, noPoint, &mass ) );
	REFUSED( gelBody_GetPointMass( body, &scene.point, NULL ) );
	REFUSED( gelBody_GetPointPosition( body, &scene.point, NULL ) );
	REFUSED( gelBody_GetPointVelocity( body, noPoint, &v ) );
	REFUSED( gelBody_FindPoint( body, v, NULL ) );
	REFUSED( gelBody_ContainsPoint( body, v, NULL ) );
	REFUSED( gelBody_CastRay( body, NULL, &hit ) );
	REFUSED( gelBody_CastRay( body, &ray, NULL ) );
	REFUSED( gelBody_CastRays( body, NULL, 1, &hit ) );
	REFUSED( gelWorld_CastRay( none, &ray, &hit ) );
	REFUSED( gelWorld_CastRays( none, &ray, 1, &hit ) );
	gelVertexTarget target = { .positions = NULL };
	REFUSED( gelWorld_GetVertices( none, &target, 1 ) );
	REFUSED( gelWorld_Grab( none, &ray, NULL, &id, &hit ) );
	REFUSED( gelWorld_Grab( world, NULL, NULL, &id, &hit ) );
	REFUSED( gelWorld_Grab( world, &ray, NULL, NULL, &hit ) );
	REFUSED( gelCreateConstraint( body, NULL, &id ) );
	REFUSED( gelCreateFrame( body, NULL, &frame ) );
	gelConstraintDef noDefault = { .point = scene.point };
	REFUSED( gelCreateConstraint( body, &noDefault, &id ) );
	gelConstraintDef hold = MakeHold( &scene, (gelConstraintKind)77 );
	hold.point = scene.point;
	REFUSED( gelCreateConstraint( body, &hold, &id ) );
	hold = MakeHold( &scene, gel_constraintPoint );
	REFUSED( gelCreateConstraint( body, &hold, NULL ) );
	const int tets[3] = { -1, 1000000, INT32_MIN };
	for ( int i = 0; i < 3; ++i )
	{
		hold.point.tet = tets[i];
		REFUSED( gelCreateConstraint( body, &hold, &id ) );
		REFUSED( gelBody_AddPointForce( body, &hold.point, v ) );
	}
	REFUSED( gelFrame_GetTransform( scene.frame, NULL ) );
	REFUSED( gelFrame_GetReaction( scene.frame, NULL ) );
	REFUSED( gelConstraint_GetTarget( scene.pin, NULL ) );
	REFUSED( gelConstraint_GetPoint( scene.pin, NULL ) );
	REFUSED( gelConstraint_GetReaction( scene.pin, NULL ) );
	REFUSED( gelBody_SaveState( body, NULL, 1 << 20 ) );
	REFUSED( gelWorld_SaveState( none, &hit, sizeof( hit ) ) );
	REFUSED( gelWorld_SaveState( world, NULL, 1 << 20 ) );
	REFUSED( gelWorld_RestoreState( none, &hit, sizeof( hit ) ) );
	REFUSED( gelWorld_RestoreState( world, NULL, 0 ) );
	assert_true( gelWorld_GetStateBytes( none ) == 0 );
	REFUSED( gelWorld_Step( none, 0.1f ) );
	REFUSED( gelWorld_SetGravity( none, v ) );
	REFUSED( gelWorld_EnableContact( none, true ) );
	assert_int_equal( gelWorld_EnableContact( world, true ), gel_errorUnsupported ); // made without
	assert_int_equal( gelBody_EnableContact( body, true ), gel_errorUnsupported );
	assert_false( gelWorld_IsContactEnabled( none ) || gelWorld_IsContactEnabled( world ) );
	assert_int_equal( gelWorld_GetContacts( none, NULL, 0 ) + gelWorld_GetContacts( world, NULL, 0 ), 0 );
	assert_int_equal( gelWorld_GetContactCounters( none ).contactCount, 0 );
	assert_int_equal( gelWorld_GetContactEvents( none, NULL, 0 ), 0 );
	bool overlaps = true;
	REFUSED( gelBody_OverlapsBody( body, body, &overlaps ) );
	REFUSED( gelBody_OverlapsBody( body, body, NULL ) );
	assert_false( overlaps );
	assert_int_equal( gelBody_GetIntersectionCurves( body, body, NULL, 0 ), 0 );
	assert_int_equal( gelBody_GetIntersectionCurves( ( gelBodyId ){ 0 }, body, NULL, 4 ), 0 );
	REFUSED( gelWorld_StepMany( none, 0.1f, 1 ) );
	REFUSED( gelWorld_StepMany( world, NAN, 1 ) );
	REFUSED( gelWorld_StepMany( world, 0.1f, -1 ) );
	assert_true( gelWorld_GetStepTimes( none ).total == 0.0 );
	assert_true( gelWorld_GetGravity( none ).y == 0.0f && gelWorld_GetCounters( none ).bodyCount == 0 );
	assert_true( gelBody_HashState( body ) == hash );
	assert_int_equal( gelGetVersion().major, GEL_VERSION_MAJOR );
	assert_non_null( gelResult_String( (gelResult)-5 ) );
	const int threads[3] = { -1, 0, 1 };
	for ( int i = 0; i < 3; ++i )
	{
		gelTaskSystem tasks = gelGetOpenMpTasks( threads[i] );
		assert_true( tasks.parallelFor == NULL || tasks.workerCount >= 1 );
	}
	gelDestroyWorld( none );
	gelFreeStage( &scene.stage );
}

static void TestAssetsFromNothing( void** state )
{
	(void)state;
	Scene scene = MakeScene( gel_solverFastCorotated );
	gelAssetDef def = gelDefaultAssetDef();
	gelAsset* asset = NULL;
	gelLoadError error;
	uint8_t bytes[256];
	memset( bytes, 0xA5, sizeof( bytes ) );
	assert_int_not_equal( gelOpenAsset( bytes, sizeof( bytes ), &def, &asset, &error ), gel_success );
	assert_int_not_equal( gelLoadAsset( bytes, sizeof( bytes ), &def, &asset, &error ), gel_success );
	assert_int_not_equal( gelLoadAssetFile( "/nonexistent.gel", &def, &asset, &error ), gel_success );
	assert_null( asset );
	gelDestroyAsset( asset );
	gelVec3 v;
	uint64_t pinSet;
	int node;
	uint32_t index;
	gelFactorInfo factor;
	gelPatchInfo patch;
	gelTreeNode tree;
	const gelAsset* assets[2] = { NULL, scene.stage.asset };
	for ( int i = 0; i < 2; ++i )
	{
		const gelAsset* a = assets[i];
		assert_int_equal( gelAsset_GetInfo( a ).nodeCount > 0, i );
		assert_int_equal( gelAsset_GetTriangles( a ) != NULL, i );
		assert_int_equal( gelAsset_GetVertexSources( a ) != NULL, i );
		size_t metaBytes = 1;
		assert_null( gelAsset_GetMeta( a, NULL ) );
		assert_int_equal( gelAsset_GetMeta( a, &metaBytes ) != NULL, i );
		assert_int_equal( metaBytes > 0, i );
		assert_int_equal( gelAsset_GetTets( a ) != NULL, i );
		assert_null( gelAsset_GetSourceNodes( a ) );
		assert_null( gelAsset_GetSourceTets( a ) );
		// one element of room and wild capacities
		const int rooms[3] = { 1, 0, -7 };
		for ( int k = 0; k < 3; ++k )
		{
			assert_int_equal( gelAsset_GetRestNodes( a, &v, rooms[k] ) > 0, i );
			assert_int_equal( gelAsset_GetFactors( a, &factor, rooms[k] ) > 0, i );
			gelAsset_GetPinSets( a, &pinSet, rooms[k] );
			gelAsset_GetPinnedNodes( a, 77, &node, rooms[k] );
			gelAsset_GetTetMaterials( a, &node, rooms[k] );
			assert_non_null( gelAsset_GetMaterial( a, rooms[k] ).name );
			gelAsset_GetPatches( a, &patch, rooms[k] );
			gelAsset_GetPatchTriangles( a, &index, rooms[k] );
			gelAsset_GetTriangleSources( a, &index, rooms[k] );
			gelAsset_GetTreeNodes( a, rooms[k], &tree, rooms[k] );
		}
		assert_int_equal( gelAsset_GetVertexPoint( a, -1 ).tet, -1 );
		assert_int_equal( gelAsset_GetVertexPoint( a, INT32_MAX ).tet, -1 );
		assert_int_equal( gelAsset_GetNodePoint( a, INT32_MAX ).tet, -1 );
	}
	gelBodyDef bodyDef = gelDefaultBodyDef();
	assert_false( gelAsset_CanStep( NULL, &bodyDef, 0.01f ) );
	gelFreeStage( &scene.stage );
}

// ---- during a step --------------------------------------------------------------------------------------

typedef struct Inside
{
	Scene* scene;
	int calls;
} Inside;

static void CallInside( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	(void)minRange;
	Inside* inside = context;
	CallWithBody( inside->scene, inside->scene->body, gel_errorLocked );
	CallWithIds( inside->scene->pin, inside->scene->frame, gel_errorLocked );
	++inside->calls;
	task( 0, itemCount, 0, taskContext );
}

static void TestLocked( void** state )
{
	(void)state;
	Scene scene = MakeScene( gel_solverFastCorotated );
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = scene.stage.asset;
	def.transform.position.y = 5.0f;
	def.solver.fast.passes = 3; // not of the same group
	gelBodyId other;
	assert_int_equal( gelCreateBody( scene.stage.world, &def, &other ), gel_success );
	Inside inside = { &scene, 0 };
	scene.stage.world.world->def.tasks = ( gelTaskSystem ){ CallInside, &inside, 2 };
	gelStage_Step( &scene.stage, 2 );
	assert_int_equal( inside.calls, 2 );
	assert_true( gelConstraint_IsValid( scene.pin ) && gelFrame_IsValid( scene.frame ) );
	gelFreeStage( &scene.stage );
}

// ---- a monkey -------------------------------------------------------------------------------------------

// Small, large, and at the very edge of what is allowed.
static float PickNumber( gelRandom* random )
{
	switch ( gelRandom_Next( random ) % 8 )
	{
		case 0:
			return 0.0f;
		case 1:
			return 1.0e9f;
		case 2:
			return -1.0e9f;
		case 3:
			return (float)( 1.0e6 * gelRandom_Normal( random ) );
		case 4:
			return 1.0e-38f;
		case 5:
			return NAN;
		default:
			return (float)gelRandom_Normal( random );
	}
}

static gelVec3 PickVector( gelRandom* random )
{
	return ( gelVec3 ){ PickNumber( random ), PickNumber( random ), PickNumber( random ) };
}

static gelQuat PickQuat( gelRandom* random )
{
	gelQuat q = { { (float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ),
					  (float)gelRandom_Normal( random ) },
		0.1f };
	float inv = 1.0f / sqrtf( gelLengthSquaredQuat( q ) );
	return ( gelQuat ){ gelScale( inv, q.v ), inv * q.s };
}

static void Poke( gelRandom* random, Scene* scene )
{
	gelBodyId body = scene->body;
	gelEmbeddedPoint point = { (int)( gelRandom_Next( random ) % 100 ), { 0.7f, 0.1f, 0.1f, 0.1f } };
	gelConstraintDef hold = MakeHold( scene, (gelConstraintKind)( gelRandom_Next( random ) % 4 ) );
	gelFrameDef frameDef = gelDefaultFrameDef();
	gelTransform pose = { PickVector( random ), PickQuat( random ) };
	gelConstraintId ids[16], id;
	int count = gelBody_GetConstraints( body, ids, 16 );
	gelConstraintId any =
		count > 0 ? ids[gelRandom_Next( random ) % (uint64_t)count] : ( gelConstraintId ){ 0 };
	switch ( gelRandom_Next( random ) % 16 )
	{
		case 0:
			gelBody_AddPointForce( body, &point, PickVector( random ) );
			break;
		case 1:
			gelBody_AddPointImpulse( body, &point, PickVector( random ) );
			break;
		case 2:
			gelBody_SetPointVelocity( body, &point, PickVector( random ) );
			break;
		case 3:
			gelBody_MovePoint( body, &point, PickVector( random ), PickNumber( random ) );
			break;
		case 4:
		case 5:
			hold.point = point;
			hold.target = PickVector( random );
			hold.axis = PickVector( random );
			hold.stiffness = fabsf( PickNumber( random ) );
			hold.damping = fabsf( PickNumber( random ) );
			if ( gelRandom_Next( random ) % 2 ) hold.frame = scene->frame;
			gelCreateConstraint( body, &hold, &id );
			break;
		case 6:
			gelConstraint_SetTarget( any, PickVector( random ) );
			break;
		case 7:
			gelConstraint_SetAxis( any, PickVector( random ) );
			break;
		case 8:
			gelDestroyConstraint( any );
			break;
		case 9:
			gelFrame_SetTransform( scene->frame, pose );
			break;
		case 10:
			gelBody_Teleport( body, ( gelTransform ){ PickVector( random ), PickQuat( random ) } );
			break;
		case 11:
			if ( gelRandom_Next( random ) % 4 == 0 )
				gelBody_Reset( body, ( gelTransform ){ PickVector( random ), PickQuat( random ) } );
			break;
		case 12:
			gelWorld_SetGravity( scene->stage.world, PickVector( random ) );
			break;
		case 13:
			gelDestroyFrame( scene->frame );
			frameDef.mass = fabsf( PickNumber( random ) );
			frameDef.inertia = ( gelVec3 ){ 1e-3f, 1.0f, 1e3f };
			gelCreateFrame( body, &frameDef, &scene->frame );
			break;
		case 14:
			gelBody_AddNodeForce( body, 3, PickVector( random ) );
			break;
		default:
			gelConstraint_SetSpring( any, fabsf( PickNumber( random ) ), fabsf( PickNumber( random ) ) );
			break;
	}
}

static void TestMonkey( void** state )
{
	(void)state;
	const gelSolverType solvers[3] = { gel_solverFastCorotated, gel_solverImplicit,
		gel_solverWarpCancelling };
	for ( int s = 0; s < 3; ++s )
	{
		for ( uint64_t seed = 1; seed <= 4; ++seed )
		{
			gelRandom random = { seed };
			Scene scene = MakeScene( solvers[s] );
			for ( int i = 0; i < 400; ++i )
			{
				Poke( &random, &scene );
				if ( i % 2 == 0 ) gelStage_Step( &scene.stage, 1 );
				gelStage_Fetch( &scene.stage );
				for ( int k = 0; k < scene.stage.nodeCount; ++k )
				{
					gelVec3 x = scene.stage.nodes[k], v = scene.stage.velocities[k];
					assert_true( isfinite( x.x ) && isfinite( x.y ) && isfinite( x.z ) );
					assert_true( isfinite( v.x ) && isfinite( v.y ) && isfinite( v.z ) );
				}
				gelReaction reaction;
				if ( gelFrame_GetReaction( scene.frame, &reaction ) == gel_success )
					assert_false( isnan( reaction.force.x + reaction.force.y + reaction.force.z ) );
			}
			// what is left can be used
			gelWorld_SetGravity( scene.stage.world, ( gelVec3 ){ 0.0f, -9.81f, 0.0f } );
			gelConstraintId ids[16];
			for ( int k = gelBody_GetConstraints( scene.body, ids, 16 ); k-- > 0; )
				gelDestroyConstraint( ids[k] );
			gelBody_Reset( scene.body,
				( gelTransform ){
					( gelVec3 ){ 0.0f, 0.1f, 0.0f }, ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f } } );
			int before = gelWorld_GetCounters( scene.stage.world ).nonFiniteBodyCount;
			gelStage_Step( &scene.stage, 60 );
			assert_int_equal( gelWorld_GetCounters( scene.stage.world ).nonFiniteBodyCount, before );
			assert_true( fabsf( gelBody_GetDynamics( scene.body ).centerOfMass.y - 0.45f ) < 0.1f );
			gelFreeStage( &scene.stage );
		}
	}
}

// ---- completeness ----------------------------------------------------------------------------------------

static char* ReadText( const char* path )
{
	FILE* file = fopen( path, "rb" );
	assert_non_null( file );
	char* text = calloc( 1 << 20, 1 );
	assert_non_null( text );
	size_t count = fread( text, 1, ( 1 << 20 ) - 1, file );
	assert_true( count > 0 );
	fclose( file );
	return text;
}

// Every function of the public headers is called by this file, or by that of its topic.
static void TestEveryFunctionIsHere( void** state )
{
	(void)state;
	const char* headers[10] = { "base.h", "contact.h", "gelpack.h", "interact.h", "query.h", "collider.h",
		"warp.h", "particles.h", "lod.h", "attach.h" };
	const char* topics[5] = { "contact/test_colliders.c", "solvers/warp/test_warp_bodies.c",
		"solvers/particles/test_particle_bodies.c", "lod/test_lod_policy.c",
		"constraints/test_attachments.c" };
	int count = 0;
	for ( int i = 0; i < 10; ++i )
	{
		const char* source = i >= 5 ? topics[i - 5] : "world/test_hostile_calls.c";
		char path[1024];
		snprintf( path, sizeof( path ), "%s/../unit/runtime/%s", GEL_TEST_DATA, source );
		char* own = ReadText( path );
		snprintf( path, sizeof( path ), "%s/../../runtime/include/gelpack/%s", GEL_TEST_DATA, headers[i] );
		char* text = ReadText( path );
		for ( char* at = strstr( text, "\nGEL_API" ); at != NULL; at = strstr( at + 1, "\nGEL_API" ) )
		{
			char* end = strchr( at, '(' );
			assert_non_null( end );
			char* start = end;
			while ( start[-1] != ' ' && start[-1] != '*' )
				--start;
			char name[128];
			snprintf( name, sizeof( name ), "%.*s", (int)( end - start + 1 ), start );
			if ( strstr( own, name ) == NULL ) fail_msg( "%s is not tried", name );
			++count;
		}
		free( text );
		free( own );
	}
	assert_true( count > 100 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBadNumbers ),
		cmocka_unit_test( TestStaleIds ),
		cmocka_unit_test( TestNull ),
		cmocka_unit_test( TestAssetsFromNothing ),
		cmocka_unit_test( TestLocked ),
		cmocka_unit_test( TestMonkey ),
		cmocka_unit_test( TestEveryFunctionIsHere ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
