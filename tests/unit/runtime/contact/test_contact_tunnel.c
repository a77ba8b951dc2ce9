// SPDX-License-Identifier: MIT
// What is small and fast stays on its side of what is thin, and what threads find together is the same bit
// by bit in a world that has everything: sleep, colliders, surfaces, friction, contact with oneself.
#include "test_support.h"

#include "contact_scene.h"
#include "test_pool.h"
#include "math/gel_math.h"

#include <math.h>

static const double s_step = 1.0 / 60.0;

static const gelSolverType s_solvers[2] = { gel_solverFastCorotated, gel_solverImplicit };

// A wall of 3 x 3 m, one layer of cells, 5 cm thick.
static gelShapeDef MakeWall( void )
{
	gelShapeDef wall = gelDefaultShapeDef();
	wall.cells[0] = 1;
	wall.cells[1] = wall.cells[2] = 6;
	wall.size[0] = 0.05;
	wall.size[1] = wall.size[2] = 3.0;
	wall.inset = 0.01;
	return wall;
}

static gelShapeDef MakeBullet( void )
{
	gelShapeDef bullet = gelDefaultShapeDef();
	bullet.cells[0] = bullet.cells[1] = bullet.cells[2] = 2;
	bullet.size[0] = bullet.size[1] = bullet.size[2] = 0.2;
	bullet.youngsModulus = 1e6;
	return bullet;
}

// Boxes of 20 cm fly at a wall of 5 cm with 50 m/s, 0.83 m per step, from several distances and at an angle:
// none of them gets through, and none comes back faster than it came.
static void TestBulletsAndWall( void** state )
{
	(void)state;
	for ( int k = 0; k < 2; ++k )
	{
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
		gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
		gelShapeDef wall = MakeWall(), bullet = MakeBullet();
		gelColliderDef def = gelDefaultColliderDef();
		def.shape = gel_shapeSurface;
		def.asset = scene.assets[gelContactScene_AddShape( &scene, &wall )];
		def.transform.position = ( gelVec3 ){ 3.0f, 0.0f, 0.0f };
		gelColliderId id;
		assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_success );
		int asset = gelContactScene_AddShape( &scene, &bullet );
		gelBodyDef body = gelDefaultBodyDef();
		body.solver = gelDefaultSolverDef( s_solvers[k] );
		for ( int i = 0; i < 9; ++i )
		{
			float slant = 5.0f * (float)( i % 3 - 1 );
			body.linearVelocity = ( gelVec3 ){ sqrtf( 2500.0f - slant * slant ), 0.0f, slant };
			gelContactScene_AddBody( &scene, asset, &body,
				( gelVec3 ){
					0.1f * (float)i, 0.4f + 0.9f * (float)( i / 3 ), 0.4f + 0.9f * (float)( i % 3 ) } );
		}
		int touched = 0;
		for ( int i = 0; i < 60; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			touched += gelWorld_GetContactCounters( scene.world ).touchingPairCount;
			for ( int b = 0; b < scene.bodyCount; ++b )
			{
				gelBodyDynamics d = gelBody_GetDynamics( scene.bodies[b] );
				assert_true( d.centerOfMass.x < 3.05f );
				assert_true( d.kineticEnergy + d.elasticEnergy < 1.01f * 0.5f * d.mass * 2500.0f );
			}
		}
		assert_true( touched >= 9 );
		gelFreeContactScene( &scene );
	}
}

// The same with walls that are bodies, in cages that are much larger than they are: being in the cage is not
// being at the wall.
static void TestBulletsAndSoftWall( void** state )
{
	(void)state;
	for ( int i = 0; i < 18; ++i )
	{
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
		gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
		gelShapeDef wall = MakeWall(), bullet = MakeBullet();
		wall.size[0] = 0.3;
		wall.inset = 0.4; // 6 cm are left
		wall.size[1] = wall.size[2] = 12.0;
		gelBodyDef body = gelDefaultBodyDef();
		body.solver = gelDefaultSolverDef( s_solvers[i % 2] );
		int wallAsset = gelContactScene_AddShape( &scene, &wall );
		int bulletAsset = gelContactScene_AddShape( &scene, &bullet );
		gelContactScene_AddBody( &scene, wallAsset, &body, ( gelVec3 ){ 3.0f, -6.0f, -6.0f } );
		body.linearVelocity.x = 50.0f;
		gelContactScene_AddBody(
			&scene, bulletAsset, &body, ( gelVec3 ){ 0.09f * (float)( i / 2 ), 0.0f, 0.0f } );
		for ( int s = 0; s < 60; ++s )
		{
			gelContactScene_Step( &scene, 1 );
			float x = gelBody_GetDynamics( scene.bodies[1] ).centerOfMass.x;
			assert_true( x < gelBody_GetDynamics( scene.bodies[0] ).centerOfMass.x + 0.05f );
		}
		gelFreeContactScene( &scene );
	}
}

// What is in the way, and how.
typedef struct Obstacle
{
	bool isRing, isCollider, isThin;
} Obstacle;

// A ring around the y axis, 0.84 m to the middle of its tube of 0.36 m; or a bar of 3 m along x = y.
static void AddObstacle( gelContactScene* scene, Obstacle obstacle )
{
	gelShapeDef bar = gelDefaultShapeDef();
	bar.cells[0] = 12;
	bar.cells[1] = bar.cells[2] = 1;
	bar.size[0] = 3.0;
	bar.size[1] = bar.size[2] = 0.25;
	gelSampleDef ring = gelDefaultSampleDef( "torus" );
	ring.scale = 4.0;
	ring.tets = 300;
	int asset =
		obstacle.isRing ? gelContactScene_AddSample( scene, &ring ) : gelContactScene_AddShape( scene, &bar );
	gelColliderDef collider = gelDefaultColliderDef();
	gelBodyDef body = gelDefaultBodyDef();
	gelColliderId id;
	collider.shape = gel_shapeSurface;
	collider.asset = scene->assets[asset];
	if ( !obstacle.isRing ) body.transform.rotation = ( gelQuat ){ { 0.0f, 0.0f, 0.38268343f }, 0.92387953f };
	collider.transform.rotation = body.transform.rotation;
	collider.thickness = body.contactThickness = obstacle.isThin ? 0.25f : 0.0f;
	if ( obstacle.isCollider )
		assert_int_equal( gelCreateCollider( scene->world, &collider, &id ), gel_success );
	else
		gelContactScene_AddBody( scene, asset, &body, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
}

// @return speed of a ball of 20 cm along its way after it was shot at a target with 25 m/s [m/s]
static float Shoot( Obstacle obstacle, gelVec3 target, gelVec3 way, int* outTouched, int* outBraked )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
	AddObstacle( &scene, obstacle );
	gelShapeDef ball = MakeBullet();
	ball.isBall = true;
	gelBodyDef def = gelDefaultBodyDef();
	def.linearVelocity = gelScale( 25.0f, way );
	gelVec3 corner = gelSub( gelMulAdd( target, -2.1f, way ), gelMakeVec3( 0.1f, 0.1f, 0.1f ) );
	int flying = gelContactScene_AddBody( &scene, gelContactScene_AddShape( &scene, &ball ), &def, corner );
	*outTouched = *outBraked = 0;
	for ( int i = 0; i < 40; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		gelContactCounters counters = gelWorld_GetContactCounters( scene.world );
		*outTouched += counters.touchingPairCount;
		*outBraked += counters.brakedPairCount;
	}
	gelBodyDynamics d = gelBody_GetDynamics( scene.bodies[flying] );
	gelFreeContactScene( &scene );
	return gelDot( d.linearMomentum, way ) / d.mass;
}

// A ball that flies through the hole of a ring, or past a slanted bar, keeps its speed, although boxes meet;
// one that hits them does not.
static void TestNearMisses( void** state )
{
	(void)state;
	for ( int k = 0; k < 8; ++k )
	{
		Obstacle obstacle = { k % 2 == 0, k / 2 % 2 == 1, k / 4 == 1 };
		gelVec3 way = { 0.0f, obstacle.isRing, !obstacle.isRing };
		gelVec3 miss = { 0.0f, 0.36f, 0.0f }, hit = { 0.84f, 0.36f, 0.0f };
		if ( !obstacle.isRing )
		{
			miss = ( gelVec3 ){ 1.7f, 0.4f, 0.1f };
			hit = ( gelVec3 ){ 0.9f, 1.1f, 0.1f };
		}
		int touched, braked;
		float speed = Shoot( obstacle, miss, way, &touched, &braked );
		assert_true( touched == 0 && braked == 0 && fabsf( speed - 25.0f ) < 0.01f );
		speed = Shoot( obstacle, hit, way, &touched, &braked );
		assert_true( touched > 0 && braked > 0 && speed < 20.0f );
	}
}

// A box that is put into a block, just under its top, leaves it by the top.
static void TestShortWayOut( void** state )
{
	(void)state;
	for ( int k = 0; k < 2; ++k )
	{
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
		gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
		gelShapeDef block = gelDefaultShapeDef(), small = MakeBullet();
		block.youngsModulus = 1e6;
		gelBodyDef body = gelDefaultBodyDef();
		body.solver = gelDefaultSolverDef( s_solvers[k] );
		gelContactScene_AddBody(
			&scene, gelContactScene_AddShape( &scene, &block ), &body, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
		gelContactScene_AddBody(
			&scene, gelContactScene_AddShape( &scene, &small ), &body, ( gelVec3 ){ 0.4f, 0.75f, 0.42f } );
		assert_true( gelGetSharedPart( scene.bodies[1], scene.bodies[0] ) > 0.9 );
		double fastest = 0.0;
		for ( int i = 0; i < 180; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			fastest = fmax( fastest, gelGetFastestNode( scene.bodies[1] ) );
		}
		gelVec3 p = gelBody_GetDynamics( scene.bodies[1] ).centerOfMass;
		assert_true( p.y > 1.05f && fabsf( p.x - 0.5f ) < 0.3f && fabsf( p.z - 0.52f ) < 0.3f );
		assert_true( fastest < 5.0 );
		assert_true( gelGetSharedPart( scene.bodies[1], scene.bodies[0] ) < 0.02 );
		gelFreeContactScene( &scene );
	}
}

// ---- threads ---------------------------------------------------------------------------------------------

#define MAX_WORKERS 3

// A slab as a static surface, a paddle that sweeps over it, towers of boxes of both solvers that fall asleep,
// a bar that falls over and looks for contact with itself. @return a hash of all states after every step
static uint64_t RunWorld( int workers, int* outSleepers )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	if ( workers > 1 ) worldDef.tasks = ( gelTaskSystem ){ gelTestPool_ParallelFor, &workers, workers };
	gelContactScene scene = gelMakeContactScene( &worldDef, s_step );
	gelShapeDef box = MakeBullet(), slab = gelDefaultShapeDef(), bar = gelDefaultShapeDef();
	box.size[0] = box.size[1] = box.size[2] = 0.4;
	slab.size[0] = slab.size[2] = 4.0;
	slab.size[1] = 0.4;
	bar.cells[0] = 12;
	bar.cells[1] = bar.cells[2] = 1;
	bar.size[0] = 4.0;
	bar.size[1] = bar.size[2] = 0.4;
	bar.youngsModulus = 5e4;
	int boxAsset = gelContactScene_AddShape( &scene, &box );
	gelColliderDef def = gelDefaultColliderDef();
	gelColliderId id, paddle;
	def.shape = gel_shapeSurface;
	def.asset = scene.assets[gelContactScene_AddShape( &scene, &slab )];
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_success );
	def.shape = gel_shapeCapsule;
	def.radius = 0.1f;
	def.halfLength = 1.0f;
	def.transform.position = ( gelVec3 ){ -1.5f, 0.6f, 2.0f };
	def.transform.rotation = ( gelQuat ){ { 0.70710678f, 0.0f, 0.0f }, 0.70710678f };
	assert_int_equal( gelCreateCollider( scene.world, &def, &paddle ), gel_success );
	gelBodyDef body = gelDefaultBodyDef();
	body.enableSleep = true;
	for ( int i = 0; i < 6; ++i ) // two towers of three
	{
		body.solver = gelDefaultSolverDef( s_solvers[i % 2] );
		gelContactScene_AddBody( &scene, boxAsset, &body,
			( gelVec3 ){ 1.0f + 1.2f * (float)( i / 3 ), 0.39f + 0.395f * (float)( i % 3 ), 1.8f } );
	}
	body.enableSelfContact = true;
	body.solver = gelDefaultSolverDef( gel_solverFastCorotated );
	gelContactScene_AddBody(
		&scene, gelContactScene_AddShape( &scene, &bar ), &body, ( gelVec3 ){ 5.0f, 1.5f, 0.0f } );
	gelTransform pose = def.transform;
	uint64_t hash = 0;
	*outSleepers = 0;
	for ( int i = 0; i < ( GEL_IS_SANITIZED ? 60 : 240 ); ++i )
	{
		pose.position.x = fminf( pose.position.x + 0.9f / 60.0f, 2.0f );
		if ( i >= 60 ) gelCollider_SetTarget( paddle, pose );
		gelContactScene_Step( &scene, 1 );
		for ( int b = 0; b < scene.bodyCount; ++b )
		{
			hash = hash * 0x9E3779B97F4A7C15u + gelBody_HashState( scene.bodies[b] );
			*outSleepers += !gelBody_IsAwake( scene.bodies[b] );
		}
	}
	gelFreeContactScene( &scene );
	return hash;
}

static void TestThreadsInAWorldOfAll( void** state )
{
	(void)state;
	int sleepers, others;
	uint64_t wanted = RunWorld( 1, &sleepers );
	if ( !GEL_IS_SANITIZED ) assert_true( sleepers > 0 );
	for ( int workers = 2; workers <= MAX_WORKERS; ++workers )
		assert_true( RunWorld( workers, &others ) == wanted && others == sleepers );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBulletsAndWall ),
		cmocka_unit_test( TestBulletsAndSoftWall ),
		cmocka_unit_test( TestNearMisses ),
		cmocka_unit_test( TestShortWayOut ),
		cmocka_unit_test( TestThreadsInAWorldOfAll ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
