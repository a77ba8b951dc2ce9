// SPDX-License-Identifier: MIT
// Detailed figures that fall, ride, pile up and squeeze through, by what comes of it.
#include "test_support.h"

#include "contact_scene.h"
#include "math/gel_math.h"

static const double s_step = 1.0 / 60.0;

static const gelSolverType s_solvers[2] = { gel_solverFastCorotated, gel_solverImplicit };

static gelBodyDef MakeBodyDef( int solver )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.enableSleep = false;
	def.solver = gelDefaultSolverDef( s_solvers[solver] );
	return def;
}

static gelColliderId AddSurface( const gelContactScene* scene, int asset, gelVec3 position, float friction )
{
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSurface;
	def.asset = scene->assets[asset];
	def.transform.position = position;
	def.staticFriction = def.dynamicFriction = friction;
	gelColliderId id;
	assert_int_equal( gelCreateCollider( scene->world, &def, &id ), gel_success );
	return id;
}

// A figure hits a bumpy nest at 12 m/s. A second later less than 1 % of it is in the nest, and it lies there.
static void DropIntoNest( int solver )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
	gelSampleDef figure = gelDefaultSampleDef( "figure" ), nest = gelDefaultSampleDef( "bowl" );
	figure.triangles = 6000;
	figure.tets = 400;
	figure.youngsModulus = 2e5;
	nest.scale = 4.0;
	nest.triangles = 4000;
	nest.tets = 300;
	int figureAsset = gelContactScene_AddSample( &scene, &figure ),
		nestAsset = gelContactScene_AddSample( &scene, &nest );
	AddSurface( &scene, nestAsset, ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, 0.5f );
	gelBodyDef def = MakeBodyDef( solver );
	def.linearVelocity.y = -12.0f;
	gelContactScene_AddBody( &scene, figureAsset, &def, ( gelVec3 ){ 0.05f, 1.4f, 0.03f } );
	// a stand-in for the nest in a world of its own, to be asked what is inside
	gelContactScene probe = gelMakeContactScene( &worldDef, s_step );
	gelBodyDef probeDef = gelDefaultBodyDef();
	probeDef.asset = scene.assets[nestAsset];
	gelBodyId nestBody;
	assert_int_equal( gelCreateBody( probe.world, &probeDef, &nestBody ), gel_success );
	gelAabb bounds = gelAsset_GetInfo( scene.assets[nestAsset] ).restBounds;
	gelSceneSums before = gelContactScene_Sum( &scene );
	int begun = -1;
	for ( int i = 0; i < 120; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		bool touches = gelWorld_GetContactCounters( scene.world ).contactCount > 0;
		if ( touches && begun < 0 ) begun = i;
		gelSceneSums now = gelContactScene_Sum( &scene );
		assert_true(
			now.kinetic + now.elastic + now.potential < 1.01 * ( before.kinetic + before.potential ) );
		if ( begun >= 0 && i == begun + 60 ) break;
	}
	assert_true( begun >= 0 );
	assert_true( gelGetSharedPart( scene.bodies[0], nestBody ) < 0.01 );
	gelBodyDynamics end = gelBody_GetDynamics( scene.bodies[0] );
	gelVec3 c = end.centerOfMass;
	assert_true( c.y > 0.1f * bounds.max.y && c.x > bounds.min.x && c.x < bounds.max.x &&
		c.z > bounds.min.z && c.z < bounds.max.z );
	assert_int_equal( end.invertedTetCount, 0 );
	gelFreeContactScene( &probe );
	gelFreeContactScene( &scene );
}

static void TestFigureInNest( void** state )
{
	(void)state;
	DropIntoNest( 0 );
	DropIntoNest( 1 );
}

// A rider sits on a horse for five seconds, while the horse gives way under it.
static void Ride( int solver )
{
	gelContactScene scene = gelMakeContactScene( NULL, s_step );
	gelSampleDef horse = gelDefaultSampleDef( "horse" ), rider = gelDefaultSampleDef( "bear" );
	horse.triangles = 4000;
	horse.tets = 300;
	horse.youngsModulus = 1e6;
	horse.friction = rider.friction = 1.5;
	horse.pinBottom = true;
	rider.scale = 0.7;
	rider.triangles = 3000;
	rider.tets = 200;
	rider.density = 300.0;
	int horseAsset = gelContactScene_AddSample( &scene, &horse ),
		riderAsset = gelContactScene_AddSample( &scene, &rider );
	gelBodyDef def = MakeBodyDef( solver );
	gelContactScene_AddBody( &scene, horseAsset, &def, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelVec3 top = { 0.0f, gelAsset_GetInfo( scene.assets[horseAsset] ).restBounds.max.y, 0.0f };
	// the back: where a ray from above the middle meets the horse
	gelRay ray = gelDefaultRay();
	ray.origin = ( gelVec3 ){ 0.0f, top.y + 1.0f, 0.0f };
	ray.translation = ( gelVec3 ){ 0.0f, -3.0f, 0.0f };
	gelRayHit hit;
	assert_int_equal( gelBody_CastRay( scene.bodies[0], &ray, &hit ), gel_success );
	assert_true( hit.isHit );
	gelContactScene_AddBody( &scene, riderAsset, &def, ( gelVec3 ){ 0.0f, hit.position.y + 0.005f, 0.0f } );
	float back = hit.position.y;
	gelVec3 start = gelBody_GetDynamics( scene.bodies[1] ).centerOfMass;
	for ( int i = 0; i < 300; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		if ( i >= 60 ) assert_true( gelWorld_GetContactCounters( scene.world ).contactCount > 0 );
	}
	gelBodyDynamics end = gelBody_GetDynamics( scene.bodies[1] );
	gelVec3 moved = gelSub( end.centerOfMass, start );
	assert_true( gelLength( moved ) < 0.035f ); // a tenth of its height
	assert_true( gelGetFastestNode( scene.bodies[1] ) < 0.1 );
	assert_true( end.centerOfMass.y > back );
	assert_true( gelGetSharedPart( scene.bodies[1], scene.bodies[0] ) < 0.01 );
	assert_int_equal( end.invertedTetCount, 0 );
	gelFreeContactScene( &scene );
}

static void TestRider( void** state )
{
	(void)state;
	Ride( 0 );
	Ride( 1 );
}

// Thirty bodies fall into a bowl: after twenty seconds all of them lie in it and sleep.
static void FillBowl( int solver )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
	gelSampleDef bowl = gelDefaultSampleDef( "bowl" );
	bowl.scale = 5.0;
	bowl.triangles = 3000;
	bowl.tets = 250;
	bowl.isStatic = true;
	int bowlAsset = gelContactScene_AddSample( &scene, &bowl );
	gelAabb bounds = gelAsset_GetInfo( scene.assets[bowlAsset] ).restBounds;
	AddSurface( &scene, bowlAsset, ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, 0.6f );
	static const char* const names[3] = { "sphere", "star", "box" };
	int assets[3];
	for ( int i = 0; i < 3; ++i )
	{
		gelSampleDef sample = gelDefaultSampleDef( names[i] );
		sample.scale = 0.5;
		sample.triangles = 1000;
		sample.tets = 60;
		sample.youngsModulus = 2e5;
		assets[i] = gelContactScene_AddSample( &scene, &sample );
	}
	gelBodyDef def = MakeBodyDef( solver );
	def.enableSleep = true;
	for ( int i = 0; i < 30; ++i )
	{
		gelVec3 place = { 0.32f * (float)( i % 3 - 1 ) + 0.01f * (float)( i / 9 ),
			0.8f + 0.35f * (float)( i / 9 ), 0.32f * (float)( i / 3 % 3 - 1 ) };
		gelContactScene_AddBody( &scene, assets[i % 3], &def, place );
	}
	gelSceneSums before = gelContactScene_Sum( &scene );
	int steps = GEL_IS_SANITIZED ? 60 : 1200;
	for ( int i = 0; i < steps; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		if ( i % 30 != 0 ) continue;
		gelSceneSums now = gelContactScene_Sum( &scene );
		assert_true( now.kinetic + now.elastic + now.potential < 1.01 * before.potential );
	}
	int awake = 0;
	for ( int i = 0; i < scene.bodyCount; ++i )
	{
		gelVec3 p = gelBody_GetDynamics( scene.bodies[i] ).centerOfMass;
		assert_true( p.y > 0.0f && p.x > bounds.min.x && p.x < bounds.max.x && p.z > bounds.min.z &&
			p.z < bounds.max.z );
		awake += gelBody_IsAwake( scene.bodies[i] );
	}
	if ( !GEL_IS_SANITIZED ) assert_int_equal( awake, 0 );
	assert_int_equal( gelWorld_GetContactCounters( scene.world ).droppedContactCount, 0 );
	gelFreeContactScene( &scene );
}

static void TestBowlOfThirty( void** state )
{
	(void)state;
	FillBowl( 0 );
	FillBowl( 1 );
}

// A soft ball squeezes through a ring that is too narrow for it, and is round again below.
static void PassRing( int solver )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
	gelSampleDef ring = gelDefaultSampleDef( "torus" ), ball = gelDefaultSampleDef( "sphere" );
	ring.triangles = ball.triangles = 2000;
	ring.tets = ball.tets = 150;
	ring.scale = 2.0;
	ring.isStatic = true;
	ring.friction = ball.friction = 0.0;
	ball.youngsModulus = 1e4;
	int ringAsset = gelContactScene_AddSample( &scene, &ring );
	gelAabb bounds = gelAsset_GetInfo( scene.assets[ringAsset] ).restBounds;
	// how wide the hole is: rays from the middle of the ring
	gelBodyDef probeDef = gelDefaultBodyDef();
	probeDef.asset = scene.assets[ringAsset];
	gelContactScene probe = gelMakeContactScene( &worldDef, s_step );
	gelBodyId ringBody;
	assert_int_equal( gelCreateBody( probe.world, &probeDef, &ringBody ), gel_success );
	gelVec3 center = gelScale( 0.5f, gelAdd( bounds.min, bounds.max ) );
	gelVec3 size = gelSub( bounds.max, bounds.min );
	bool isFlatY = size.y < size.x && size.y < size.z;
	gelRay ray = gelDefaultRay();
	ray.origin = center;
	ray.translation = ( gelVec3 ){ 1.0f, 0.0f, 0.0f };
	gelRayHit hit;
	assert_int_equal( gelBody_CastRay( ringBody, &ray, &hit ), gel_success );
	assert_true( hit.isHit );
	float hole = hit.fraction; // its radius
	gelFreeContactScene( &probe );

	ball.scale = 1.15 * (double)hole / 0.25; // the sample's radius
	int ballAsset = gelContactScene_AddSample( &scene, &ball );
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSurface;
	def.asset = scene.assets[ringAsset];
	def.staticFriction = def.dynamicFriction = 0.0f;
	if ( !isFlatY ) def.transform.rotation = ( gelQuat ){ { 0.70710678f, 0.0f, 0.0f }, 0.70710678f };
	gelColliderId id;
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_success );
	gelMat3 r = gelMakeMat3FromQuat( def.transform.rotation );
	gelVec3 middle = gelMulMV( r, center );
	gelBodyDef bodyDef = MakeBodyDef( solver );
	bodyDef.linearVelocity.y = -2.0f;
	gelContactScene_AddBody(
		&scene, ballAsset, &bodyDef, ( gelVec3 ){ middle.x, middle.y + hole, middle.z } );
	gelBodyDynamics before = gelBody_GetDynamics( scene.bodies[0] );
	int touched = 0;
	for ( int i = 0; i < 180; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		touched += gelWorld_GetContactCounters( scene.world ).contactCount > 0;
		if ( gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.y < middle.y - 6.0f * hole ) break;
	}
	gelBodyDynamics after = gelBody_GetDynamics( scene.bodies[0] );
	assert_true( touched > 5 );
	assert_true( after.centerOfMass.y < middle.y - 2.0f * hole );
	assert_int_equal( after.invertedTetCount, 0 );
	assert_float_equal( after.volume, before.volume, 0.05f * before.volume );
	gelFreeContactScene( &scene );
}

static void TestBallThroughRing( void** state )
{
	(void)state;
	PassRing( 0 );
	PassRing( 1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFigureInNest ),
		cmocka_unit_test( TestRider ),
		cmocka_unit_test( TestBowlOfThirty ),
		cmocka_unit_test( TestBallThroughRing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
