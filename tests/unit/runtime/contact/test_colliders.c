// SPDX-License-Identifier: MIT
// Bodies on things that do not give way: planes, spheres, capsules and boxes that stand or move.
#include "test_support.h"

#include "contact/shapes/collider_shape.h"
#include "query/query_debug.h"
#include "contact_scene.h"

#include <math.h>
#include <stdlib.h>

static const float s_step = 1.0f / 60.0f;

static gelQuat Turn( gelVec3 axis, float angle )
{
	return ( gelQuat ){ gelScale( sinf( 0.5f * angle ), axis ), cosf( 0.5f * angle ) };
}

static gelContactScene MakeScene( void )
{
	gelWorldDef def = gelDefaultWorldDef(); // no ground
	return gelMakeContactScene( &def, s_step );
}

static gelColliderId AddCollider( const gelContactScene* scene, const gelColliderDef* def )
{
	gelColliderId id;
	assert_int_equal( gelCreateCollider( scene->world, def, &id ), gel_success );
	return id;
}

static gelBodyDef MakeBodyDef( int solver )
{
	gelBodyDef def = gelDefaultBodyDef();
	if ( solver == 1 ) def.solver.fast.mode = gel_modeQuality;
	if ( solver == 2 ) def.solver = gelDefaultSolverDef( gel_solverImplicit );
	def.enableSleep = true;
	return def;
}

enum
{
	solverCount = 3
};

// How deep the deepest vertex of a body is in a shape in that pose [m].
static float GetDepth( gelBodyId body, const gelShape* shape, const gelTransform* pose )
{
	int count = gelBody_GetPatchVertices( body, NULL, 0 );
	gelVec3* p = calloc( (size_t)count, sizeof( gelVec3 ) );
	assert_non_null( p );
	gelBody_GetPatchVertices( body, p, count );
	gelMat3 r = gelMakeMat3FromQuat( pose->rotation );
	float deepest = 0.0f;
	for ( int i = 0; i < count; ++i )
	{
		gelVec3 d = gelSub( p[i], pose->position ), normal;
		gelVec3 local = { gelDot( r.cx, d ), gelDot( r.cy, d ), gelDot( r.cz, d ) };
		deepest = fmaxf( deepest, -gelShape_GetDistance( shape, local, &normal ) );
	}
	free( p );
	return deepest;
}

// ---- lying -----------------------------------------------------------------------------------------------

// A plane as a collider does what the ground does, and feels the weight.
static void TestPlaneIsGround( void** state )
{
	(void)state;
	for ( int k = 0; k < solverCount; ++k )
	{
		gelContactScene onGround = gelMakeContactScene( NULL, s_step ), onPlane = MakeScene();
		gelShapeDef shape = gelDefaultShapeDef();
		gelColliderDef def = gelDefaultColliderDef();
		gelColliderId plane = AddCollider( &onPlane, &def );
		gelBodyDef bodyDef = MakeBodyDef( k );
		gelContactScene_AddBody( &onGround, gelContactScene_AddShape( &onGround, &shape ), &bodyDef,
			( gelVec3 ){ 0.0f, 0.3f, 0.0f } );
		gelContactScene_AddBody( &onPlane, gelContactScene_AddShape( &onPlane, &shape ), &bodyDef,
			( gelVec3 ){ 0.0f, 0.3f, 0.0f } );
		gelContactScene_Step( &onGround, 150 );
		gelContactScene_Step( &onPlane, 150 );
		gelBodyDynamics a = gelBody_GetDynamics( onGround.bodies[0] ),
						b = gelBody_GetDynamics( onPlane.bodies[0] );
		assert_float_equal( a.centerOfMass.y, b.centerOfMass.y, 5e-3f );
		gelShape half = { .isHalfSpace = true };
		assert_true( GetDepth( onPlane.bodies[0], &half, &def.transform ) < 5e-3f );
		gelReaction reaction;
		if ( gelBody_IsAwake( onPlane.bodies[0] ) )
		{
			assert_int_equal( gelCollider_GetReaction( plane, &reaction ), gel_success );
			assert_float_equal( reaction.force.y, -9.81f * b.mass, 0.02f * 9.81f * b.mass );
		}
		gelContactScene_Step( &onPlane, 90 );
		assert_false( gelBody_IsAwake( onPlane.bodies[0] ) );
		gelFreeContactScene( &onGround );
		gelFreeContactScene( &onPlane );
	}
}

// The sum of what a collider received is the momentum that the body lost.
static void TestReactionIsMomentum( void** state )
{
	(void)state;
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
	gelShapeDef shape = gelDefaultShapeDef();
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSphere;
	def.radius = 0.4f;
	def.transform.position = ( gelVec3 ){ 2.0f, 0.6f, 0.45f };
	gelColliderId sphere = AddCollider( &scene, &def );
	gelBodyDef bodyDef = MakeBodyDef( 0 );
	bodyDef.linearVelocity.x = 4.0f;
	gelContactScene_AddBody(
		&scene, gelContactScene_AddShape( &scene, &shape ), &bodyDef, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelSceneSums before = gelContactScene_Sum( &scene );
	double received[3] = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < 60; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		gelReaction reaction;
		gelCollider_GetReaction( sphere, &reaction );
		received[0] += (double)( s_step * reaction.force.x );
		received[1] += (double)( s_step * reaction.force.y );
		received[2] += (double)( s_step * reaction.force.z );
	}
	gelSceneSums after = gelContactScene_Sum( &scene );
	assert_true( received[0] > 3000.0 ); // 4000 kg m/s came in: at least stopped
	for ( int d = 0; d < 3; ++d )
		assert_true( fabs( before.momentum[d] - after.momentum[d] - received[d] ) < 4.0 );
	gelFreeContactScene( &scene );
}

// ---- shapes ---------------------------------------------------------------------------------------------

static gelColliderDef MakeObstacle( int kind )
{
	gelColliderDef def = gelDefaultColliderDef();
	def.transform.position = ( gelVec3 ){ 0.45f, -0.5f, 0.55f };
	def.transform.rotation = Turn( ( gelVec3 ){ 0.6f, 0.0f, 0.8f }, 0.5f );
	def.shape = kind == 0 ? gel_shapeSphere : kind == 1 ? gel_shapeCapsule : gel_shapeBox;
	def.radius = kind == 2 ? 0.0f : kind == 3 ? 0.1f : 0.35f;
	def.halfLength = 0.5f;
	def.halfExtents = ( gelVec3 ){ 0.4f, 0.2f, 0.4f };
	return def;
}

static gelShape MakeShape( const gelColliderDef* def )
{
	gelShape shape = { .radius = def->radius };
	if ( def->shape == gel_shapeCapsule ) shape.core.y = def->halfLength;
	if ( def->shape == gel_shapeBox ) shape.core = def->halfExtents;
	return shape;
}

// A soft box falls on each shape over a plane; it is pushed out and ends beside or on it.
static void TestFallOnShapes( void** state )
{
	(void)state;
	for ( int k = 0; k < 4 * solverCount; ++k )
	{
		gelContactScene scene = MakeScene();
		gelShapeDef shape = gelDefaultShapeDef();
		shape.cells[0] = shape.cells[1] = shape.cells[2] = 4;
		gelColliderDef plane = gelDefaultColliderDef(), obstacle = MakeObstacle( k % 4 );
		plane.transform.position.y = -1.0f;
		AddCollider( &scene, &plane );
		AddCollider( &scene, &obstacle );
		gelBodyDef bodyDef = MakeBodyDef( k / 4 );
		gelContactScene_AddBody(
			&scene, gelContactScene_AddShape( &scene, &shape ), &bodyDef, ( gelVec3 ){ 0.0f, 0.3f, 0.0f } );
		gelShape solid = MakeShape( &obstacle );
		float deepest = 0.0f;
		for ( int i = 0; i < 180; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			deepest = fmaxf( deepest, GetDepth( scene.bodies[0], &solid, &obstacle.transform ) );
		}
		assert_true( deepest < 0.015f );
		assert_true( GetDepth( scene.bodies[0], &solid, &obstacle.transform ) < 0.005f );
		assert_true( gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.y > -0.6f );
		gelFreeContactScene( &scene );
	}
}

// A sphere smaller than any triangle of the surface still holds what falls on it, as long as that is there.
static void TestSmallShapesAreNotMissed( void** state )
{
	(void)state;
	gelContactScene scene = MakeScene();
	gelShapeDef shape = gelDefaultShapeDef();
	shape.cells[0] = shape.cells[1] = shape.cells[2] = 1;
	shape.youngsModulus = 1e6;
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSphere;
	def.radius = 0.06f;
	for ( int i = 0; i < 4; ++i )
	{
		def.transform.position =
			( gelVec3 ){ 0.3f + 0.4f * (float)( i % 2 ), -0.2f, 0.35f + 0.3f * (float)( i / 2 ) };
		AddCollider( &scene, &def );
	}
	gelBodyDef bodyDef = MakeBodyDef( 0 );
	gelContactScene_AddBody(
		&scene, gelContactScene_AddShape( &scene, &shape ), &bodyDef, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelContactScene_Step( &scene, 180 );
	assert_true( gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.y > 0.25f );
	gelFreeContactScene( &scene );
}

// ---- motion ----------------------------------------------------------------------------------------------

// A piston presses a box to two thirds of its height and goes up again (after Hecht et al. 2012, Fig. 5).
static void TestPiston( void** state )
{
	(void)state;
	for ( int k = 0; k < solverCount; ++k )
	{
		gelContactScene scene = gelMakeContactScene( NULL, s_step );
		gelShapeDef shape = gelDefaultShapeDef();
		gelColliderDef def = gelDefaultColliderDef();
		def.shape = gel_shapeBox;
		def.halfExtents = ( gelVec3 ){ 1.0f, 0.1f, 1.0f };
		def.transform.position = ( gelVec3 ){ 0.5f, 1.2f, 0.5f };
		gelColliderId piston = AddCollider( &scene, &def );
		gelBodyDef bodyDef = MakeBodyDef( k );
		gelContactScene_AddBody(
			&scene, gelContactScene_AddShape( &scene, &shape ), &bodyDef, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
		gelContactScene_Step( &scene, 60 );
		float height = gelBody_GetBounds( scene.bodies[0] ).max.y;
		gelTransform pose = def.transform;
		for ( int i = 0; i < 120; ++i ) // down by 0.55 m in a second, and up
		{
			pose.position.y += i < 60 ? -0.55f / 60.0f : 0.55f / 60.0f;
			assert_int_equal( gelCollider_SetTarget( piston, pose ), gel_success );
			gelContactScene_Step( &scene, 1 );
			float below = gelBody_GetBounds( scene.bodies[0] ).max.y - ( pose.position.y - 0.1f );
			assert_true( below < 0.03f );
			gelTransform now;
			gelCollider_GetTransform( piston, &now );
			assert_true( now.position.y == pose.position.y );
		}
		gelContactScene_Step( &scene, 120 );
		gelBodyDynamics end = gelBody_GetDynamics( scene.bodies[0] );
		assert_int_equal( end.invertedTetCount, 0 );
		assert_float_equal( gelBody_GetBounds( scene.bodies[0] ).max.y, height, 0.01f );
		gelFreeContactScene( &scene );
	}
}

// A thin wall stops what is faster than its thickness per step.
static void TestFastBodiesDoNotPass( void** state )
{
	(void)state;
	for ( int k = 0; k < solverCount; ++k )
	{
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
		gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
		gelShapeDef shape = gelDefaultShapeDef();
		shape.youngsModulus = 1e6;
		gelColliderDef def = gelDefaultColliderDef();
		def.shape = gel_shapeBox;
		def.halfExtents = ( gelVec3 ){ 0.01f, 3.0f, 3.0f };
		def.transform.position = ( gelVec3 ){ 2.0f, 0.5f, 0.5f };
		AddCollider( &scene, &def );
		gelBodyDef bodyDef = MakeBodyDef( k );
		bodyDef.linearVelocity.x = 30.0f; // 0.5 m per step
		gelContactScene_AddBody(
			&scene, gelContactScene_AddShape( &scene, &shape ), &bodyDef, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
		for ( int i = 0; i < 60; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			gelSceneSums sums = gelContactScene_Sum( &scene );
			assert_true( gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.x < 2.0f );
			assert_true( sums.kinetic + sums.elastic < 1.05 * 0.5 * sums.mass * 900.0 );
		}
		gelFreeContactScene( &scene );
	}
}

// A belt carries what lies on it: friction brings it to the speed of the belt, not beyond.
static void TestBelt( void** state )
{
	(void)state;
	gelContactScene scene = MakeScene();
	gelShapeDef shape = gelDefaultShapeDef();
	shape.youngsModulus = 1e6;
	gelColliderDef def = gelDefaultColliderDef();
	gelColliderId belt = AddCollider( &scene, &def );
	gelBodyDef bodyDef = MakeBodyDef( 0 );
	gelContactScene_AddBody(
		&scene, gelContactScene_AddShape( &scene, &shape ), &bodyDef, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelContactScene_Step( &scene, 60 );
	gelTransform pose = def.transform;
	float speed = 0.0f, early = 0.0f;
	for ( int i = 0; i < 90; ++i )
	{
		pose.position.x += 2.0f * s_step;
		gelCollider_SetTarget( belt, pose );
		gelContactScene_Step( &scene, 1 );
		gelBodyDynamics now = gelBody_GetDynamics( scene.bodies[0] );
		speed = now.linearMomentum.x / now.mass;
		if ( i == 11 ) early = speed;
		assert_true( speed < 2.2f ); // the body shears, and swings by 7 %
	}
	// Coulomb: mu g t, as long as it slides; mu is the mean of 0.5 and 0.5
	assert_float_equal( early, 0.5f * 9.81f * 12.0f * s_step, 0.15f );
	assert_float_equal( speed, 2.0f, 0.05f );
	gelFreeContactScene( &scene );
}

// Below the angle of friction it stays, above it slides with g (sin - mu cos).
static void TestSlopes( void** state )
{
	(void)state;
	for ( int k = 0; k < 2 * solverCount; ++k )
	{
		bool isSteep = k % 2 == 1;
		float angle = isSteep ? 0.6f : 0.3f, mu = 0.45f; // the angle of friction is 0.42
		gelContactScene scene = MakeScene();
		gelShapeDef shape = gelDefaultShapeDef();
		shape.youngsModulus = 2e6;
		shape.size[1] = 0.4;
		shape.cells[1] = 1;
		shape.friction = mu;
		gelColliderDef def = gelDefaultColliderDef();
		def.staticFriction = def.dynamicFriction = mu;
		def.transform.rotation = Turn( ( gelVec3 ){ 0.0f, 0.0f, 1.0f }, angle );
		AddCollider( &scene, &def );
		gelBodyDef bodyDef = MakeBodyDef( k / 2 );
		bodyDef.enableSleep = false;
		bodyDef.transform.rotation = def.transform.rotation;
		gelContactScene_AddBody(
			&scene, gelContactScene_AddShape( &scene, &shape ), &bodyDef, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
		gelContactScene_Step( &scene, 30 );
		gelVec3 start = gelBody_GetDynamics( scene.bodies[0] ).centerOfMass;
		gelVec3 v = gelBody_GetDynamics( scene.bodies[0] ).linearMomentum;
		float before = gelLength( v ) / gelBody_GetDynamics( scene.bodies[0] ).mass;
		gelContactScene_Step( &scene, 60 );
		gelBodyDynamics end = gelBody_GetDynamics( scene.bodies[0] );
		float moved = gelLength( gelSub( end.centerOfMass, start ) );
		float expected = before + 0.5f * 9.81f * ( sinf( angle ) - mu * cosf( angle ) );
		if ( isSteep )
			assert_float_equal( moved, expected, 0.1f * expected );
		else
			assert_true( moved < 5e-3f );
		gelFreeContactScene( &scene );
	}
}

// ---- life ------------------------------------------------------------------------------------------------

static void TestIdsAndFilters( void** state )
{
	(void)state;
	gelContactScene scene = MakeScene();
	gelShapeDef shape = gelDefaultShapeDef();
	gelColliderDef def = gelDefaultColliderDef();
	def.filter.category = 4;
	gelColliderId plane = AddCollider( &scene, &def );
	gelBodyDef bodyDef = MakeBodyDef( 0 );
	bodyDef.contactFilter.mask = 3;
	int asset = gelContactScene_AddShape( &scene, &shape );
	gelContactScene_AddBody( &scene, asset, &bodyDef, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	bodyDef.contactFilter.mask = 4;
	gelContactScene_AddBody( &scene, asset, &bodyDef, ( gelVec3 ){ 3.0f, 0.0f, 0.0f } );
	gelContactScene_Step( &scene, 120 );
	assert_true( gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.y < -5.0f ); // not for it
	assert_true( gelBody_GetDynamics( scene.bodies[1] ).centerOfMass.y > 0.4f );
	assert_false( gelBody_IsAwake( scene.bodies[1] ) );

	gelTransform up = def.transform;
	up.position.y = 0.05f;
	assert_int_equal( gelCollider_SetTarget( plane, up ), gel_success );
	assert_true( gelBody_IsAwake( scene.bodies[1] ) );
	gelContactScene_Step( &scene, 120 );
	assert_false( gelBody_IsAwake( scene.bodies[1] ) );
	gelDestroyCollider( plane );
	assert_true( gelBody_IsAwake( scene.bodies[1] ) );
	assert_false( gelCollider_IsValid( plane ) );
	assert_int_equal( gelCollider_SetTarget( plane, up ), gel_errorStaleId );
	gelContactScene_Step( &scene, 60 );
	assert_true( gelBody_GetDynamics( scene.bodies[1] ).centerOfMass.y < -1.0f );
	gelColliderId next = AddCollider( &scene, &def );
	assert_int_equal( next.index1, plane.index1 );
	assert_false( gelCollider_IsValid( plane ) );
	gelFreeContactScene( &scene );
}

static void TestRefusals( void** state )
{
	(void)state;
	gelContactScene scene = MakeScene();
	gelColliderDef def = gelDefaultColliderDef();
	gelColliderId id;
	def.shape = gel_shapeSphere;
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_errorArgument ); // no radius
	def.radius = NAN;
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_errorArgument );
	def.radius = 1.0f;
	def.transform.rotation.s = 0.5f;
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_errorArgument );
	def = gelDefaultColliderDef();
	def.shape = gel_shapeBox;
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_errorArgument );
	def.halfExtents = ( gelVec3 ){ 1.0f, 0.0f, 1.0f }; // flat
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_errorArgument );
	def.radius = 0.01f;
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_success );
	gelDestroyCollider( id );
	def = gelDefaultColliderDef();
	def.shape = (gelColliderShape)77;
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_errorArgument );
	def = gelDefaultColliderDef();
	def.cookie = 0;
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_errorArgument );
	def = gelDefaultColliderDef();
	for ( int i = 0; i < 64; ++i )
		assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_success );
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_errorFull );
	gelWorldDef plain = gelDefaultWorldDef();
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &plain, &world ), gel_success );
	assert_int_equal( gelCreateCollider( world, &def, &id ), gel_errorUnsupported );
	assert_false( gelCollider_IsValid( ( gelColliderId ){ world.world, 1, 0 } ) );
	gelDestroyWorld( world );
	gelFreeContactScene( &scene );
}

// Ids of nothing and numbers of nowhere change nothing, and are told.
static void TestNonsense( void** state )
{
	(void)state;
	gelContactScene scene = MakeScene();
	gelColliderDef def = gelDefaultColliderDef();
	gelColliderId plane = AddCollider( &scene, &def );
	gelColliderId stale = { plane.world, plane.index1, plane.generation + 1 }, far = { plane.world, 9999, 0 };
	gelColliderId ids[3] = { stale, far, { 0 } };
	gelTransform pose = def.transform;
	gelReaction reaction;
	for ( int i = 0; i < 3; ++i )
	{
		assert_false( gelCollider_IsValid( ids[i] ) );
		assert_null( gelCollider_GetUserData( ids[i] ) );
		assert_int_equal( gelCollider_SetUserData( ids[i], &pose ), gel_errorStaleId );
		assert_int_equal( gelCollider_SetTarget( ids[i], pose ), gel_errorStaleId );
		assert_int_equal( gelCollider_Teleport( ids[i], pose ), gel_errorStaleId );
		assert_int_equal( gelCollider_GetTransform( ids[i], &pose ), gel_errorStaleId );
		assert_int_equal( gelCollider_GetReaction( ids[i], &reaction ), gel_errorStaleId );
		gelDestroyCollider( ids[i] );
	}
	assert_true( gelCollider_IsValid( plane ) );
	assert_int_equal( gelCollider_GetTransform( plane, NULL ), gel_errorArgument );
	assert_int_equal( gelCollider_GetReaction( plane, NULL ), gel_errorArgument );
	assert_int_equal( gelCreateCollider( scene.world, NULL, &plane ), gel_errorArgument );
	assert_int_equal( gelCreateCollider( scene.world, &def, NULL ), gel_errorArgument );
	assert_int_equal( gelCreateCollider( ( gelWorldId ){ 0 }, &def, &stale ), gel_errorArgument );
	plane = AddCollider( &scene, &def );
	const float bad[] = { NAN, INFINITY, -INFINITY, 1e30f };
	for ( int i = 0; i < 4; ++i )
	{
		pose = def.transform;
		pose.position.y = bad[i];
		assert_int_equal( gelCollider_SetTarget( plane, pose ), gel_errorArgument );
		assert_int_equal( gelCollider_Teleport( plane, pose ), gel_errorArgument );
		pose = def.transform;
		pose.rotation.v.x = bad[i];
		assert_int_equal( gelCollider_SetTarget( plane, pose ), gel_errorArgument );
	}
	assert_int_equal( gelWorld_OverlapShape( scene.world, NULL, NULL, 0 ), 0 );
	assert_int_equal( gelWorld_OverlapShape( ( gelWorldId ){ 0 }, &def, NULL, 0 ), 0 );
	assert_int_equal( gelCollider_GetTransform( plane, &pose ), gel_success );
	assert_true( pose.position.y == 0.0f );
	gelFreeContactScene( &scene );
}

// A collider that is put into a body lets it out without throwing it, and one that jumps far and back every
// step leaves it whole.
static void TestWildMotions( void** state )
{
	(void)state;
	for ( int k = 0; k < solverCount; ++k )
	{
		gelContactScene scene = gelMakeContactScene( NULL, s_step );
		gelShapeDef shape = gelDefaultShapeDef();
		gelColliderDef def = gelDefaultColliderDef();
		def.shape = gel_shapeSphere;
		def.radius = 0.3f;
		def.transform.position = ( gelVec3 ){ 5.0f, 0.2f, 0.5f };
		gelColliderId ball = AddCollider( &scene, &def );
		gelBodyDef bodyDef = MakeBodyDef( k );
		gelContactScene_AddBody(
			&scene, gelContactScene_AddShape( &scene, &shape ), &bodyDef, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
		gelContactScene_Step( &scene, 30 );
		gelTransform pose = def.transform;
		pose.position.x = 0.5f; // in the middle
		assert_int_equal( gelCollider_Teleport( ball, pose ), gel_success );
		for ( int i = 0; i < 120; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			assert_true( gelGetFastestNode( scene.bodies[0] ) < 8.0 );
		}
		for ( int i = 0; i < 60; ++i )
		{
			pose.position.x = i % 2 == 0 ? -40.0f : 40.0f; // 4800 m/s
			gelCollider_SetTarget( ball, pose );
			gelContactScene_Step( &scene, 1 );
		}
		pose.position.x = 40.0f;
		gelCollider_SetTarget( ball, pose );
		gelBody_Reset(
			scene.bodies[0], ( gelTransform ){ ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, gelIdentityQuat() } );
		gelContactScene_Step( &scene, 90 );
		assert_int_equal( gelBody_GetDynamics( scene.bodies[0] ).invertedTetCount, 0 );
		assert_true( gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.y > 0.4f );
		gelFreeContactScene( &scene );
	}
}

// ---- states ----------------------------------------------------------------------------------------------

// A world that is put back has its colliders where they were, on their way to where they were going, and goes
// on to the same bits; but not while it has others.
static void TestStatesHaveColliders( void** state )
{
	(void)state;
	gelContactScene scene = gelMakeContactScene( NULL, s_step );
	gelShapeDef shape = gelDefaultShapeDef();
	gelBodyDef bodyDef = MakeBodyDef( 0 );
	gelContactScene_AddBody(
		&scene, gelContactScene_AddShape( &scene, &shape ), &bodyDef, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSphere;
	def.radius = 0.3f;
	def.transform.position = ( gelVec3 ){ -0.31f, 0.5f, 0.5f };
	gelColliderId ball = AddCollider( &scene, &def );
	gelTransform pose = def.transform, now;
	pose.position.x += 0.02f;
	gelContactScene_Step( &scene, 3 );
	gelCollider_SetTarget( ball, pose );
	uint8_t saved[65536];
	size_t bytes = gelWorld_GetStateBytes( scene.world );
	assert_true( bytes <= sizeof( saved ) );
	assert_int_equal( gelWorld_SaveState( scene.world, saved, bytes ), gel_success );
	uint64_t hashes[2];
	for ( int k = 0; k < 2; ++k )
	{
		gelContactScene_Step( &scene, 1 ); // to its target
		gelTransform next = pose;
		for ( int i = 0; i < 10; ++i )
		{
			next.position.x += 0.01f;
			gelCollider_SetTarget( ball, next );
			gelContactScene_Step( &scene, 1 );
		}
		hashes[k] = gelBody_HashState( scene.bodies[0] );
		assert_int_equal( gelWorld_RestoreState( scene.world, saved, bytes ), gel_success );
		gelCollider_GetTransform( ball, &now );
		assert_true( now.position.x == def.transform.position.x );
	}
	assert_true( hashes[0] == hashes[1] );
	AddCollider( &scene, &def );
	assert_int_equal( gelWorld_RestoreState( scene.world, saved, bytes ), gel_errorUnsupported );
	gelFreeContactScene( &scene );
}

// With room for a tenth of the contacts, each of several towers keeps its deepest ones: none falls through.
static void TestFewContacts( void** state )
{
	(void)state;
	for ( int kind = 0; kind < 2; ++kind )
	{
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.contactCapacity = 24;
		gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
		gelColliderDef def = gelDefaultColliderDef();
		def.shape = kind == 0 ? gel_shapePlane : gel_shapeBox;
		def.halfExtents = ( gelVec3 ){ 10.0f, 1.0f, 10.0f };
		def.transform.position.y = kind == 0 ? 0.0f : -1.0f;
		gelColliderId id;
		assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_success );
		gelShapeDef shape = gelDefaultShapeDef();
		shape.youngsModulus = 1e6;
		int box = gelContactScene_AddShape( &scene, &shape ), dropped = 0;
		for ( int i = 0; i < 4; ++i )
			gelContactScene_AddBody( &scene, box, NULL,
				( gelVec3 ){ 1.5f * (float)( i / 2 ), 0.02f + 0.99f * (float)( i % 2 ), 0.0f } );
		for ( int i = 0; i < 90; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			dropped += gelWorld_GetContactCounters( scene.world ).droppedContactCount;
		}
		assert_true( dropped > 0 );
		for ( int i = 0; i < 4; ++i )
			assert_true( gelBody_GetDynamics( scene.bodies[i] ).centerOfMass.y > 0.4f );
		gelFreeContactScene( &scene );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestPlaneIsGround ),
		cmocka_unit_test( TestReactionIsMomentum ),
		cmocka_unit_test( TestFallOnShapes ),
		cmocka_unit_test( TestSmallShapesAreNotMissed ),
		cmocka_unit_test( TestPiston ),
		cmocka_unit_test( TestFastBodiesDoNotPass ),
		cmocka_unit_test( TestBelt ),
		cmocka_unit_test( TestSlopes ),
		cmocka_unit_test( TestIdsAndFilters ),
		cmocka_unit_test( TestRefusals ),
		cmocka_unit_test( TestFewContacts ),
		cmocka_unit_test( TestNonsense ),
		cmocka_unit_test( TestWildMotions ),
		cmocka_unit_test( TestStatesHaveColliders ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
