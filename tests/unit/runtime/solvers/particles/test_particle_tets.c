// SPDX-License-Identifier: MIT
// Bodies of particles on bodies of tets, and on baked surfaces.
#include "test_support.h"

#include "contact_scene.h"
#include "math/gel_math.h"
#include "particle_stage.h"

#include <math.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage; // for its asset

// A cube of 27 balls of 5 cm, 0.3 m wide, 14 kg.
static void MakeAsset( double damping )
{
	gelInitParticleStage( &s_def );
	const uint32_t n[3] = { 3, 3, 3 };
	gelStageAddLattice( &s_def, n, 0.1, true );
	s_def.youngsModulus = 2e5;
	s_def.damping = damping;
	gelMakeParticleStage( &s_def, &s_stage );
}

static gelBodyId AddBlock( const gelContactScene* scene, gelVec3 position, gelVec3 velocity )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = s_stage.asset;
	def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	def.transform.position = position;
	def.linearVelocity = velocity;
	def.enableSleep = true;
	gelBodyId id;
	assert_int_equal( gelCreateBody( scene->world, &def, &id ), gel_success );
	return id;
}

static float GetLowest( gelBodyId id )
{
	static gelParticlePose poses[64];
	int count = gelBody_GetParticlePoses( id, poses, 64 );
	float low = 1e9f;
	for ( int i = 0; i < count; ++i )
		low = fminf( low, poses[i].position.y );
	return low;
}

// Falls on a box of tets on the ground, lighter and heavier than itself, with every solver that has tets.
static void TestFallOnTets( void** state )
{
	(void)state;
	MakeAsset( 1.0 );
	static const gelSolverType solvers[2] = { gel_solverFastCorotated, gel_solverImplicit };
	for ( int k = 0; k < 4; ++k )
	{
		gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
		gelShapeDef shape = gelDefaultShapeDef();
		shape.size[1] = 0.3;
		shape.density = k % 2 == 0 ? 30.0 : 1000.0; // 9 kg, 300 kg
		gelBodyDef def = gelDefaultBodyDef();
		def.enableSleep = false;
		def.solver = gelDefaultSolverDef( solvers[k / 2] );
		int box = gelContactScene_AddShape( &scene, &shape );
		int tets = gelContactScene_AddBody( &scene, box, &def, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
		gelBodyId block =
			AddBlock( &scene, gelMakeVec3( 0.4f, 0.5f, 0.4f ), gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
		double force = 0.0, deepest = 1.0;
		for ( int i = 0; i < 90; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			deepest = fmin( deepest, (double)GetLowest( block ) );
			gelContact contacts[64];
			int count = gelWorld_GetContacts( scene.world, contacts, 64 );
			for ( int c = 0; c < count && c < 64 && i >= 60; ++c )
			{
				if ( contacts[c].bodyB.index1 == 0 ) continue; // the ground below the tets
				assert_true( contacts[c].bodyA.index1 == block.index1 );
				assert_true( contacts[c].bodyB.index1 == scene.bodies[tets].index1 );
				force += (double)contacts[c].impulse.y * 2.0; // per second
			}
		}
		double weight = 9.81 * (double)gelBody_GetDynamics( block ).mass;
		assert_true( deepest > 0.3 - 0.08 ); // the surface is lower than the cage, and gives way
		assert_true( GetLowest( block ) < 0.36f );
		assert_true( fabs( force - weight ) < 0.1 * weight );
		// less than gravity gives it in a step, 2.3 N s, which places take back: it stands
		assert_true( fabsf( gelBody_GetDynamics( block ).linearMomentum.y ) < 1.5f );
		float low = GetLowest( block );
		gelContactScene_Step( &scene, 60 );
		assert_true( fabsf( GetLowest( block ) - low ) < 0.003f );
		gelFreeContactScene( &scene );
	}
	gelFreeParticleStage( &s_stage );
}

// In space: linear momentum is that of before, whoever is heavier.
static void TestMomentum( void** state )
{
	(void)state;
	MakeAsset( 0.0 );
	gelWorldDef world = gelDefaultWorldDef();
	world.gravity.y = 0.0f;
	world.enableContact = true;
	gelContactScene scene = gelMakeContactScene( &world, 1.0 / 60.0 );
	gelShapeDef shape = gelDefaultShapeDef();
	shape.density = 50.0;
	int box = gelContactScene_AddShape( &scene, &shape );
	int tets = gelContactScene_AddBody( &scene, box, NULL, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	gelBodyId block = AddBlock( &scene, gelMakeVec3( 0.5f, 1.2f, 0.3f ), gelMakeVec3( 0.0f, -3.0f, 0.0f ) );
	double before = (double)gelBody_GetDynamics( block ).linearMomentum.y;
	gelContactScene_Step( &scene, 40 );
	gelBodyDynamics a = gelBody_GetDynamics( block ), b = gelBody_GetDynamics( scene.bodies[tets] );
	assert_true(
		fabs( (double)a.linearMomentum.y + (double)b.linearMomentum.y - before ) < 1e-3 * fabs( before ) );
	assert_true( b.linearMomentum.y < -0.3f * (float)fabs( before ) );
	// they part, or go on together
	assert_true( a.linearMomentum.y / a.mass > b.linearMomentum.y / b.mass - 0.1f );
	gelFreeContactScene( &scene );
	gelFreeParticleStage( &s_stage );
}

// A sleeping box of tets wakes up when a block falls on it; both sleep in the end.
static void TestSleep( void** state )
{
	(void)state;
	MakeAsset( 1.0 );
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef shape = gelDefaultShapeDef();
	shape.size[1] = 0.3;
	gelBodyDef def = gelDefaultBodyDef();
	def.enableSleep = true;
	int box = gelContactScene_AddShape( &scene, &shape );
	int tets = gelContactScene_AddBody( &scene, box, &def, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	gelContactScene_Step( &scene, 120 );
	assert_false( gelBody_IsAwake( scene.bodies[tets] ) );
	gelBodyId block = AddBlock( &scene, gelMakeVec3( 0.4f, 0.45f, 0.4f ), gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	bool hasWoken = false;
	for ( int i = 0; i < 240; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		hasWoken = hasWoken || gelBody_IsAwake( scene.bodies[tets] );
	}
	assert_true( hasWoken );
	assert_false( gelBody_IsAwake( block ) || gelBody_IsAwake( scene.bodies[tets] ) );
	assert_true( GetLowest( block ) > 0.25f );
	gelDestroyBody( scene.bodies[tets] ); // what lies on it falls
	gelContactScene_Step( &scene, 30 );
	assert_true( GetLowest( block ) < 0.1f );
	scene.bodyCount = 0;
	gelFreeContactScene( &scene );
	gelFreeParticleStage( &s_stage );
}

// The surface of a torus that stands: a block falls on it and stays outside.
static void TestStaticSurface( void** state )
{
	(void)state;
	MakeAsset( 1.0 );
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelSampleDef sample = gelDefaultSampleDef( "bear" );
	sample.isStatic = true;
	int asset = gelContactScene_AddSample( &scene, &sample );
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSurface;
	def.asset = scene.assets[asset];
	gelColliderId id;
	assert_int_equal( gelCreateCollider( scene.world, &def, &id ), gel_success );
	gelAssetInfo info = gelAsset_GetInfo( scene.assets[asset] );
	gelVec3 low = info.restBounds.min, high = info.restBounds.max;
	gelBodyId block = AddBlock( &scene,
		gelMakeVec3( 0.5f * ( low.x + high.x ) - 0.1f, high.y + 0.1f, 0.5f * ( low.z + high.z ) - 0.1f ),
		gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	float most = 0.0f;
	bool isHit = false;
	for ( int i = 0; i < 60; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		gelReaction reaction;
		gelCollider_GetReaction( id, &reaction );
		most = fmaxf( most, -reaction.force.y );
		gelContactEvent events[4]; // it falls on the ground afterwards
		int eventCount = gelWorld_GetContactEvents( scene.world, events, 4 );
		for ( int k = 0; k < eventCount && k < 4; ++k )
			isHit = isHit || ( events[k].type == gel_touchBegin && events[k].colliderB.index1 == id.index1 );
	}
	assert_true( isHit && most > 9.81f * gelBody_GetDynamics( block ).mass );
	// no center is inside: straight down from it there is either nothing or an outer face
	static gelParticlePose poses[64];
	int count = gelBody_GetParticlePoses( block, poses, 64 );
	gelBodyDef probe = gelDefaultBodyDef();
	probe.asset = scene.assets[asset];
	probe.enableContact = false;
	gelBodyId solid;
	assert_int_equal( gelCreateBody( scene.world, &probe, &solid ), gel_success );
	for ( int i = 0; i < count; ++i )
	{
		bool isInside = true;
		assert_int_equal( gelBody_ContainsPoint( solid, poses[i].position, &isInside ), gel_success );
		assert_false( isInside );
	}
	gelFreeContactScene( &scene );
	gelFreeParticleStage( &s_stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFallOnTets ),
		cmocka_unit_test( TestMomentum ),
		cmocka_unit_test( TestSleep ),
		cmocka_unit_test( TestStaticSurface ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
