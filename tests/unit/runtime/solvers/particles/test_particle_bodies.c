// SPDX-License-Identifier: MIT
// Bodies of particles in a world: life, states, ground and friction, sleep, handles of a game, what is
// refused, and calls that make no sense.
#include "test_support.h"

#include "math/gel_math.h"
#include "particle_stage.h"
#include "test_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage;

static void MakeBlock( bool hasGround, float height )
{
	gelInitParticleStage( &s_def );
	const uint32_t n[3] = { 4, 3, 3 };
	gelStageAddLattice( &s_def, n, 0.1, true );
	s_def.world.gravity.y = -9.81f;
	s_def.world.hasGround = hasGround;
	s_def.body.transform.position.y = height;
	s_def.body.enableSleep = true;
	s_def.youngsModulus = 1e5;
}

static float GetLowest( void )
{
	float low = 1e9f;
	for ( int i = 0; i < s_stage.count; ++i )
		low = fminf( low, s_stage.poses[i].position.y - 0.05f );
	return low;
}

static void TestFallsAndRests( void** state )
{
	(void)state;
	MakeBlock( true, 0.6f );
	gelMakeParticleStage( &s_def, &s_stage );
	gelParticleStage_Step( &s_stage, 10 );
	// free fall by backward Euler: h^2 g k (k + 1) / 2 over 30 sub-steps of 1/180 s
	float fallen = 9.81f / ( 180.0f * 180.0f ) * 0.5f * 30.0f * 31.0f;
	assert_true( fabsf( s_stage.poses[0].position.y - ( 0.6f - fallen ) ) < 1e-4f );
	gelParticleStage_Step( &s_stage, 400 );
	assert_true( GetLowest() > -0.01f && GetLowest() < 0.01f );
	assert_false( gelBody_IsAwake( s_stage.body ) );
	uint64_t hash = gelBody_HashState( s_stage.body );
	gelParticleStage_Step( &s_stage, 20 );
	assert_true( gelBody_HashState( s_stage.body ) == hash );
	assert_int_equal( gelBody_SetAwake( s_stage.body, true ), gel_success );
	gelParticleStage_Step( &s_stage, 1 );
	assert_true( gelWorld_GetCounters( s_stage.world ).groundContactCount > 0 );
	gelFreeParticleStage( &s_stage );
}

// Made below the ground: it comes out as a whole. Particles that are lifted one by one would throw it.
static void TestMadeBelow( void** state )
{
	(void)state;
	MakeBlock( true, -0.3f );
	gelMakeParticleStage( &s_def, &s_stage );
	double fastest = 0.0;
	for ( int i = 0; i < 120; ++i )
	{
		gelParticleStage_Step( &s_stage, 1 );
		gelBodyDynamics d = gelBody_GetDynamics( s_stage.body );
		fastest = fmax( fastest, sqrt( 2.0 * d.kineticEnergy / d.mass ) );
	}
	assert_true( fastest < 0.5 ); // was 5 and more
	assert_true( GetLowest() > -0.01f && GetLowest() < 0.05f );
	gelFreeParticleStage( &s_stage );
}

// A block on a slope stays below the angle of friction and slides above it, about as Coulomb has it.
static void TestFriction( void** state )
{
	(void)state;
	for ( int kind = 0; kind < 2; ++kind )
	{
		MakeBlock( true, 0.06f );
		s_def.body.enableSleep = false;
		s_def.world.groundStaticFriction = 0.6f; // as the material
		s_def.world.groundDynamicFriction = 0.5f;
		double slope = kind == 0 ? 0.35 : 0.9; // tangent
		double angle = atan( slope );
		s_def.world.gravity =
			( gelVec3 ){ (float)( 9.81 * sin( angle ) ), (float)( -9.81 * cos( angle ) ), 0.0f };
		s_def.youngsModulus = 1e6;
		gelMakeParticleStage( &s_def, &s_stage );
		gelParticleStage_Step( &s_stage, 60 );
		float before = gelBody_GetDynamics( s_stage.body ).centerOfMass.x;
		float speed =
			gelBody_GetDynamics( s_stage.body ).linearMomentum.x / gelBody_GetDynamics( s_stage.body ).mass;
		gelParticleStage_Step( &s_stage, 60 );
		float moved = gelBody_GetDynamics( s_stage.body ).centerOfMass.x - before - speed;
		double coulomb = 0.5 * 9.81 * ( sin( angle ) - 0.5 * cos( angle ) ); // in one second
		if ( kind == 0 ) assert_true( fabsf( moved + speed ) < 0.02f );
		if ( kind == 1 ) assert_true( moved > 0.6 * coulomb && moved < 1.3 * coulomb );
		gelFreeParticleStage( &s_stage );
	}
}

static void TestStates( void** state )
{
	(void)state;
	MakeBlock( true, 0.3f );
	gelMakeParticleStage( &s_def, &s_stage );
	gelParticleStage_Step( &s_stage, 30 );
	gelEmbeddedPoint point = gelAsset_GetVertexPoint( s_stage.asset, 5 );
	gelBody_AddPointForce( s_stage.body, &point, ( gelVec3 ){ 5.0f, 50.0f, 3.0f } );
	size_t bytes = gelBody_GetStateBytes( s_stage.body );
	uint8_t* saved = malloc( bytes );
	assert_non_null( saved );
	assert_int_equal( gelBody_SaveState( s_stage.body, saved, bytes ), gel_success );
	gelParticleStage_Step( &s_stage, 30 );
	uint64_t hash = gelBody_HashState( s_stage.body );
	assert_int_equal( gelBody_RestoreState( s_stage.body, saved, bytes ), gel_success );
	gelParticleStage_Step( &s_stage, 30 );
	assert_true( gelBody_HashState( s_stage.body ) == hash );
	// a state with a number that no step can go on with
	float nan = NAN;
	for ( size_t at = 200; at + 4 < bytes; at += 403 )
	{
		uint8_t* wrong = malloc( bytes );
		assert_non_null( wrong );
		memcpy( wrong, saved, bytes );
		memcpy( wrong + at / 4 * 4, &nan, 4 );
		assert_true( gelBody_RestoreState( s_stage.body, wrong, bytes ) != gel_success );
		free( wrong );
	}
	assert_true( gelBody_HashState( s_stage.body ) == hash );
	free( saved );
	gelFreeParticleStage( &s_stage );
}

// Bodies that are stepped together have the bits of bodies alone.
static void TestGroups( void** state )
{
	(void)state;
	MakeBlock( true, 0.5f );
	gelMakeParticleStage( &s_def, &s_stage );
	gelBodyId more[5];
	gelBodyDef body = s_def.body;
	body.asset = s_stage.asset;
	body.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	for ( int i = 0; i < 5; ++i )
	{
		body.transform.position.x = 2.0f * (float)( i + 1 );
		body.solver.particles.iterations = i == 4 ? 7 : 0;
		assert_int_equal( gelCreateBody( s_stage.world, &body, more + i ), gel_success );
	}
	gelParticleStage_Step( &s_stage, 60 );
	uint64_t hash = gelBody_HashState( s_stage.body );
	gelFreeParticleStage( &s_stage );
	gelMakeParticleStage( &s_def, &s_stage );
	gelParticleStage_Step( &s_stage, 60 );
	assert_true( gelBody_HashState( s_stage.body ) == hash );
	gelFreeParticleStage( &s_stage );
}

static void TestGrab( void** state )
{
	(void)state;
	MakeBlock( false, 0.0f );
	s_def.world.gravity.y = 0.0f;
	gelMakeParticleStage( &s_def, &s_stage );
	gelRay ray = gelDefaultRay();
	ray.origin = ( gelVec3 ){ 0.137f, 0.089f, 2.0f };
	assert_true( gelAsset_GetInfo( s_stage.asset ).cellCount > 0 );
	ray.translation = ( gelVec3 ){ 0.0f, 0.0f, -10.0f };
	gelConstraintId grip;
	gelRayHit hit;
	assert_int_equal( gelWorld_Grab( s_stage.world, &ray, NULL, &grip, &hit ), gel_success );
	assert_true( hit.isHit );
	gelVec3 hand = hit.position;
	for ( int i = 0; i < 120; ++i )
	{
		hand.y += 0.01f;
		assert_int_equal( gelConstraint_SetTarget( grip, hand ), gel_success );
		gelParticleStage_Step( &s_stage, 1 );
	}
	gelParticleStage_Step( &s_stage, 240 );
	gelVec3 at;
	assert_int_equal( gelBody_GetPointPosition( s_stage.body, &hit.point, &at ), gel_success );
	assert_true( gelLength( gelSub( at, hand ) ) < 0.02f );
	gelFreeParticleStage( &s_stage );
}

// An impulse at a point gives the body its momentum and its angular momentum.
static void TestImpulse( void** state )
{
	(void)state;
	MakeBlock( false, 0.0f );
	gelMakeParticleStage( &s_def, &s_stage );
	gelEmbeddedPoint point = gelAsset_GetVertexPoint( s_stage.asset, 3 );
	gelVec3 at, impulse = { 1.0f, 2.0f, -0.5f };
	assert_int_equal( gelBody_GetPointPosition( s_stage.body, &point, &at ), gel_success );
	assert_int_equal( gelBody_AddPointImpulse( s_stage.body, &point, impulse ), gel_success );
	gelBodyDynamics d = gelBody_GetDynamics( s_stage.body );
	gelVec3 wanted = gelCross( gelSub( at, d.centerOfMass ), impulse );
	assert_true( gelLength( gelSub( d.linearMomentum, impulse ) ) < 1e-4f );
	assert_true( gelLength( gelSub( d.angularMomentum, wanted ) ) < 0.01f * gelLength( wanted ) );
	float mass;
	gelVec3 v;
	assert_int_equal( gelBody_GetPointMass( s_stage.body, &point, &mass ), gel_success );
	assert_true( mass > 0.0f && mass < d.mass );
	assert_int_equal( gelBody_GetPointVelocity( s_stage.body, &point, &v ), gel_success );
	assert_true( gelDot( v, impulse ) > 0.0f );
	gelFreeParticleStage( &s_stage );
}

static void TestTeleportAndReset( void** state )
{
	(void)state;
	MakeBlock( false, 0.0f );
	s_def.world.gravity.y = 0.0f;
	s_def.body.angularVelocity.z = 2.0f;
	gelMakeParticleStage( &s_def, &s_stage );
	gelParticleStage_Step( &s_stage, 10 );
	gelVec3 before = s_stage.poses[7].position;
	gelQuat turn = { { 0.0f, 0.70710678f, 0.0f }, 0.70710678f };
	assert_int_equal(
		gelBody_Teleport( s_stage.body, ( gelTransform ){ ( gelVec3 ){ 100.0f, 0.0f, 0.0f }, turn } ),
		gel_success );
	gelParticleStage_Fetch( &s_stage );
	gelVec3 after = s_stage.poses[7].position;
	assert_true( fabsf( after.x - 100.0f - before.z ) < 1e-4f && fabsf( after.z + before.x ) < 1e-4f );
	assert_true( fabsf( s_stage.poses[7].angularVelocity.x - 2.0f ) < 0.2f ); // z becomes x
	gelParticleStage_Step( &s_stage, 60 );
	assert_int_equal(
		gelBody_Reset( s_stage.body, ( gelTransform ){ ( gelVec3 ){ 1.0f, 2.0f, 3.0f }, gelIdentityQuat() } ),
		gel_success );
	gelParticleStage_Fetch( &s_stage );
	assert_true( fabsf( s_stage.poses[0].position.y - 2.0f ) < 1e-6f );
	assert_true( gelLength( s_stage.poses[0].linearVelocity ) == 0.0f );
	gelFreeParticleStage( &s_stage );
}

static void TestRefused( void** state )
{
	(void)state;
	MakeBlock( false, 0.0f );
	gelMakeParticleStage( &s_def, &s_stage );
	gelBodyDef def = gelDefaultBodyDef();
	gelBodyId body;
	def.asset = s_stage.asset;
	def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	def.plasticity.enableYield = true;
	assert_int_equal( gelCreateBody( s_stage.world, &def, &body ), gel_errorUnsupported );
	def.plasticity.enableYield = false;
	def.solver.particles.subSteps = 65;
	assert_int_equal( gelCreateBody( s_stage.world, &def, &body ), gel_errorArgument );
	def.solver.particles.subSteps = 5; // not baked: told by the step, and before
	assert_false( gelAsset_CanStep( s_stage.asset, &def, s_stage.step ) );
	assert_int_equal( gelCreateBody( s_stage.world, &def, &body ), gel_success );
	assert_int_equal( gelWorld_Step( s_stage.world, s_stage.step ), gel_errorNoFactor );
	gelDestroyBody( body );
	def.solver.particles.subSteps = 6;
	assert_true( gelAsset_CanStep( s_stage.asset, &def, s_stage.step ) );
	assert_int_equal( gelWorld_Step( s_stage.world, s_stage.step ), gel_success );

	gelConstraintDef hold = gelDefaultConstraintDef();
	gelConstraintId id;
	hold.kind = gel_constraintLine;
	hold.point = gelAsset_GetVertexPoint( s_stage.asset, 0 );
	assert_int_equal( gelCreateConstraint( s_stage.body, &hold, &id ), gel_errorUnsupported );
	hold.kind = gel_constraintDirection; // without stiffness
	assert_int_equal( gelCreateConstraint( s_stage.body, &hold, &id ), gel_errorArgument );
	gelVec3 nodes[512];
	int nodeCount = gelBody_GetNodePositions( s_stage.body, nodes, 512 );
	assert_int_equal( gelBody_SetNodeState( s_stage.body, nodes, nodes, nodeCount ), gel_errorUnsupported );
	// an asset without particles
	size_t bytes;
	uint8_t* pack = gelBakeTestBox( 1, 1, 1, 1.0, 1.0, 1.0, false, &bytes );
	gelAsset* plain;
	assert_int_equal( gelLoadAsset( pack, bytes, NULL, &plain, NULL ), gel_success );
	def.asset = plain;
	assert_int_equal( gelCreateBody( s_stage.world, &def, &body ), gel_errorUnsupported );
	assert_int_equal( gelAsset_GetParticles( plain, NULL, 0 ), 0 );
	assert_null( gelAsset_GetSkin( plain ) );
	def.solver = gelDefaultSolverDef( gel_solverFastCorotated );
	assert_int_equal( gelCreateBody( s_stage.world, &def, &body ), gel_success );
	hold.stiffness = 1.0f;
	hold.target.x = 1.0f;
	hold.point = gelAsset_GetVertexPoint( plain, 0 );
	assert_int_equal( gelCreateConstraint( body, &hold, &id ), gel_errorUnsupported );
	assert_int_equal( gelBody_SetParticlePoses( body, s_stage.poses, s_stage.count ), gel_errorUnsupported );
	gelDestroyBody( body );
	gelDestroyAsset( plain );
	free( pack );
	gelFreeParticleStage( &s_stage );
}

// ---- nonsense --------------------------------------------------------------------------------------------

static float PickNumber( gelRandom* random )
{
	static const float odd[] = { 0.0f, NAN, INFINITY, -INFINITY, 1e9f, -1e9f, 2e9f, 1e-30f, 3e38f, 1.0f };
	uint64_t k = gelRandom_Next( random ) % 20;
	return k < 10 ? odd[k] : (float)gelRandom_Uniform( random, -2.0, 2.0 );
}

static gelVec3 PickVector( gelRandom* random )
{
	float x = PickNumber( random ), y = PickNumber( random );
	return ( gelVec3 ){ x, y, PickNumber( random ) };
}

static void Poke( gelRandom* random )
{
	gelEmbeddedPoint point = gelAsset_GetVertexPoint( s_stage.asset, (int)( gelRandom_Next( random ) % 40 ) );
	if ( gelRandom_Next( random ) % 10 == 0 ) point.weight[0] = PickNumber( random );
	gelConstraintDef hold = gelDefaultConstraintDef();
	gelConstraintId id, ids[16];
	int count = gelBody_GetConstraints( s_stage.body, ids, 16 );
	id = count > 0 ? ids[gelRandom_Next( random ) % (uint64_t)count] : ( gelConstraintId ){ 0 };
	switch ( gelRandom_Next( random ) % 11 )
	{
		case 0:
			gelBody_AddPointForce( s_stage.body, &point, PickVector( random ) );
			break;
		case 1:
			gelBody_AddPointImpulse( s_stage.body, &point, PickVector( random ) );
			break;
		case 2:
			gelBody_SetPointVelocity( s_stage.body, &point, PickVector( random ) );
			break;
		case 3:
			gelBody_MovePoint( s_stage.body, &point, PickVector( random ), fabsf( PickNumber( random ) ) );
			break;
		case 4:
		case 5:
			hold.kind = (gelConstraintKind)( gelRandom_Next( random ) % 6 );
			hold.point = point;
			hold.target = PickVector( random );
			hold.axis = PickVector( random );
			hold.stiffness = fabsf( PickNumber( random ) );
			hold.damping = fabsf( PickNumber( random ) );
			gelCreateConstraint( s_stage.body, &hold, &id );
			break;
		case 6:
			gelConstraint_SetTarget( id, PickVector( random ) );
			break;
		case 7:
			gelConstraint_SetAxis( id, PickVector( random ) );
			break;
		case 8:
			gelDestroyConstraint( id );
			break;
		case 9:
			for ( int i = 0; i < s_stage.count; ++i )
				( &s_stage.poses[i].position.x )[i % 3] = PickNumber( random );
			gelBody_SetParticlePoses( s_stage.body, s_stage.poses, s_stage.count );
			break;
		default:
			gelBody_AddNodeForce( s_stage.body, 1, PickVector( random ) );
			break;
	}
}

static void TestMonkey( void** state )
{
	(void)state;
	for ( uint64_t seed = 1; seed <= 6; ++seed )
	{
		gelRandom random = { seed };
		MakeBlock( true, 0.2f );
		gelMakeParticleStage( &s_def, &s_stage );
		for ( int i = 0; i < 300; ++i )
		{
			Poke( &random );
			gelParticleStage_Step( &s_stage, 1 );
			for ( int k = 0; k < s_stage.count; ++k )
			{
				assert_true( gelIsUsable( gelScale( 0.25f, s_stage.poses[k].position ) ) );
				assert_true( isfinite( gelLength( s_stage.poses[k].linearVelocity ) ) );
			}
		}
		gelConstraintId ids[16];
		for ( int k = gelBody_GetConstraints( s_stage.body, ids, 16 ); k-- > 0; )
			gelDestroyConstraint( ids[k] );
		gelBody_Reset( s_stage.body, ( gelTransform ){ ( gelVec3 ){ 0.0f, 0.1f, 0.0f }, gelIdentityQuat() } );
		int before = gelWorld_GetCounters( s_stage.world ).nonFiniteBodyCount;
		gelParticleStage_Step( &s_stage, 60 );
		assert_int_equal( gelWorld_GetCounters( s_stage.world ).nonFiniteBodyCount, before );
		gelFreeParticleStage( &s_stage );
	}
}

static void TestNullCalls( void** state )
{
	(void)state;
	gelBodyId none = { 0 };
	gelParticlePose pose = { .rotation = gelIdentityQuat() };
	assert_int_equal(
		gelAsset_GetParticles( NULL, NULL, 3 ) + gelAsset_GetParticleEdges( NULL, NULL, 3 ), 0 );
	assert_int_equal( gelAsset_GetParticleShape( NULL ), 0 );
	assert_null( gelAsset_GetSkin( NULL ) );
	assert_int_equal( gelDefaultSolverDef( gel_solverOrientedParticles ).particles.subSteps, 0 );
	assert_int_equal( gelBody_GetParticlePoses( none, &pose, 1 ), 0 );
	assert_int_equal( gelBody_GetPalette( none, pose.position, NULL, 1 ), 0 );
	assert_int_equal( gelBody_SetParticlePoses( none, &pose, 1 ), gel_errorStaleId );
	MakeBlock( false, 0.0f );
	gelMakeParticleStage( &s_def, &s_stage );
	assert_int_equal( gelBody_SetParticlePoses( s_stage.body, NULL, s_stage.count ), gel_errorArgument );
	assert_int_equal(
		gelBody_SetParticlePoses( s_stage.body, s_stage.poses, s_stage.count - 1 ), gel_errorArgument );
	s_stage.poses[3].rotation.s = 7.0f;
	assert_int_equal(
		gelBody_SetParticlePoses( s_stage.body, s_stage.poses, s_stage.count ), gel_errorArgument );
	int edges[2 * 512];
	assert_int_equal( gelAsset_GetParticleEdges( s_stage.asset, edges, 512 ), s_def.edgeCount );
	gelFreeParticleStage( &s_stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFallsAndRests ),
		cmocka_unit_test( TestMadeBelow ),
		cmocka_unit_test( TestFriction ),
		cmocka_unit_test( TestStates ),
		cmocka_unit_test( TestGroups ),
		cmocka_unit_test( TestGrab ),
		cmocka_unit_test( TestImpulse ),
		cmocka_unit_test( TestTeleportAndReset ),
		cmocka_unit_test( TestRefused ),
		cmocka_unit_test( TestMonkey ),
		cmocka_unit_test( TestNullCalls ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
