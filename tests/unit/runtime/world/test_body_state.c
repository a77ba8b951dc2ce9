// SPDX-License-Identifier: MIT
// States: steps after a restore give the bits that they gave before, damaged and foreign states are refused
// whole, and teleporting, resetting and looking into tets say what they should.
#include "test_support.h"

#include "constraints/constraint_set.h"
#include "pack/pack_read.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Three boxes over the ground, with pins, a spring, frames, and one that is asleep: everything that is state.
typedef struct Scene
{
	gelStage stage;
	gelBodyId bodies[3];
	gelConstraintId drag;
	gelFrameId frame;
} Scene;

static gelConstraintId Hold( gelBodyId body, gelConstraintKind kind, int tet, gelFrameId frame )
{
	gelConstraintDef def = gelDefaultConstraintDef();
	def.kind = kind;
	def.point = ( gelEmbeddedPoint ){ tet, { 0.1f, 0.2f, 0.3f, 0.4f } };
	gelBody_GetPointPosition( body, &def.point, &def.target );
	def.axis = ( gelVec3 ){ 1.0f, 1.0f, 0.0f };
	def.stiffness = 5e3f;
	def.damping = 1e2f;
	def.frame = frame;
	if ( frame.index1 > 0 ) def.target = ( gelVec3 ){ 0.1f, -0.1f, 0.0f };
	gelConstraintId id;
	assert_int_equal( gelCreateConstraint( body, &def, &id ), gel_success );
	return id;
}

static Scene MakeScene( gelSolverType solver )
{
	Scene scene;
	gelStageDef def = gelDefaultStageDef();
	for ( int k = 0; k < 3; ++k )
		def.size[k] = 0.4;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.world.hasGround = true;
	def.body.solver = gelDefaultSolverDef( solver );
	def.body.enableSleep = true;
	def.body.transform.position.y = 0.02f;
	def.body.angularVelocity = ( gelVec3 ){ 0.3f, 1.0f, 0.1f };
	scene.stage = gelMakeStage( &def );
	scene.bodies[0] = scene.stage.body;
	for ( int i = 1; i < 3; ++i )
	{
		gelBodyDef bodyDef = def.body;
		bodyDef.asset = scene.stage.asset;
		bodyDef.transform.position = ( gelVec3 ){ 2.0f * (float)i, i == 1 ? 1.0f : 0.0f, 0.0f };
		if ( i == 2 ) bodyDef.angularVelocity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
		assert_int_equal( gelCreateBody( scene.stage.world, &bodyDef, scene.bodies + i ), gel_success );
	}
	gelFrameDef frameDef = gelDefaultFrameDef();
	frameDef.transform.position = ( gelVec3 ){ 2.2f, 1.6f, 0.2f };
	frameDef.mass = 3.0f;
	frameDef.inertia = ( gelVec3 ){ 0.1f, 0.1f, 0.1f };
	assert_int_equal( gelCreateFrame( scene.bodies[1], &frameDef, &scene.frame ), gel_success );
	Hold( scene.bodies[1], gel_constraintPoint, 3, scene.frame );
	Hold( scene.bodies[1], gel_constraintSpring, 9, ( gelFrameId ){ 0 } );
	Hold( scene.bodies[0], gel_constraintLine, 17, ( gelFrameId ){ 0 } );
	scene.drag = Hold( scene.bodies[0], gel_constraintPoint, 30, ( gelFrameId ){ 0 } );
	return scene;
}

// A step of the game, in which all inputs follow from the number of the step.
static void Play( Scene* scene, int step )
{
	gelVec3 target = { 0.3f + 0.2f * sinf( 0.1f * (float)step ), 0.3f, 0.1f };
	gelConstraint_SetTarget( scene->drag, target );
	gelTransform pose = { { 2.2f, 1.6f + 0.1f * sinf( 0.07f * (float)step ), 0.2f },
		{ { 0.0f, 0.0f, 0.0f }, 1.0f } };
	gelFrame_SetTransform( scene->frame, pose );
	if ( step % 10 == 0 ) gelBody_AddNodeForce( scene->bodies[1], 3, ( gelVec3 ){ 20.0f, 0.0f, 5.0f } );
	gelStage_Step( &scene->stage, 1 );
}

static void TestRollback( void** state )
{
	(void)state;
	const gelSolverType solvers[3] = { gel_solverFastCorotated, gel_solverImplicit,
		gel_solverWarpCancelling };
	for ( int s = 0; s < 3; ++s )
	{
		Scene scene = MakeScene( solvers[s] );
		for ( int step = 0; step < 60; ++step )
			Play( &scene, step );
		assert_false( gelBody_IsAwake( scene.bodies[2] ) );
		gelBody_AddNodeForce( scene.bodies[0], 1, ( gelVec3 ){ 1.0f, 2.0f, 3.0f } ); // forces are state, too

		size_t bytes = gelWorld_GetStateBytes( scene.stage.world );
		uint8_t* saved = malloc( bytes + 1 );
		assert_non_null( saved );
		assert_int_equal(
			gelWorld_SaveState( scene.stage.world, saved + 1, bytes ), gel_success ); // any alignment
		uint64_t hashes[2][3];
		gelWorldCounters counters[2];
		gelVec3 positions[2];
		for ( int run = 0; run < 2; ++run )
		{
			for ( int step = 60; step < 160; ++step )
				Play( &scene, step );
			for ( int i = 0; i < 3; ++i )
				hashes[run][i] = gelBody_HashState( scene.bodies[i] );
			counters[run] = gelWorld_GetCounters( scene.stage.world );
			gelBody_GetPositions( scene.bodies[0], positions + run, 1 );
			if ( run == 1 ) break;
			// make a mess that the restore has to undo
			gelDestroyConstraint( scene.drag );
			gelBody_SetAwake( scene.bodies[2], true );
			gelWorld_SetGravity( scene.stage.world, ( gelVec3 ){ 1.0f, 2.0f, 3.0f } );
			gelStage_Step( &scene.stage, 3 );
			assert_int_equal( gelWorld_RestoreState( scene.stage.world, saved + 1, bytes ), gel_success );
			assert_true( gelConstraint_IsValid( scene.drag ) );
			assert_false( gelBody_IsAwake( scene.bodies[2] ) );
			assert_true( gelWorld_GetGravity( scene.stage.world ).y == -9.81f );
		}
		assert_memory_equal( hashes[0], hashes[1], sizeof( hashes[0] ) );
		assert_memory_equal( positions, positions + 1, sizeof( gelVec3 ) );
		assert_true( counters[0].stepCount == counters[1].stepCount );
		assert_int_equal( counters[0].groundContactCount, counters[1].groundContactCount );
		free( saved );
		gelFreeStage( &scene.stage );
	}
}

// One body into another of the same making, in another world.
static void TestCopyToAnotherWorld( void** state )
{
	(void)state;
	Scene a = MakeScene( gel_solverFastCorotated ), b = MakeScene( gel_solverFastCorotated );
	for ( int step = 0; step < 30; ++step )
		Play( &a, step );
	size_t bytes = gelBody_GetStateBytes( a.bodies[1] );
	assert_true( bytes == gelBody_GetStateBytes( b.bodies[0] ) );
	uint8_t* saved = malloc( bytes );
	assert_int_equal( gelBody_SaveState( a.bodies[1], saved, bytes ), gel_success );
	assert_int_equal( gelBody_RestoreState( b.bodies[0], saved, bytes ), gel_success );
	assert_true( gelBody_HashState( a.bodies[1] ) == gelBody_HashState( b.bodies[0] ) );
	gelStage_Step( &a.stage, 20 );
	gelStage_Step( &b.stage, 20 );
	assert_true( gelBody_HashState( a.bodies[1] ) == gelBody_HashState( b.bodies[0] ) );
	free( saved );
	gelFreeStage( &a.stage );
	gelFreeStage( &b.stage );
}

// Every single bit of a state matters, and a damaged one changes nothing.
static void TestDamagedStates( void** state )
{
	(void)state;
	gelRandom random = { 21 };
	Scene scene = MakeScene( gel_solverFastCorotated );
	for ( int step = 0; step < 20; ++step )
		Play( &scene, step );
	gelBodyId body = scene.bodies[1];
	size_t bytes = gelBody_GetStateBytes( body ), worldBytes = gelWorld_GetStateBytes( scene.stage.world );
	uint8_t *saved = malloc( bytes + 8 ), *world = malloc( worldBytes + 8 );
	assert_true( saved != NULL && world != NULL );
	assert_int_equal( gelBody_SaveState( body, saved, bytes - 1 ), gel_errorFull );
	assert_int_equal( gelBody_SaveState( body, saved, bytes ), gel_success );
	assert_int_equal( gelWorld_SaveState( scene.stage.world, world, worldBytes ), gel_success );
	Play( &scene, 20 );
	uint64_t hash = gelBody_HashState( body );
	for ( int trial = 0; trial < 2000; ++trial )
	{
		bool isWorld = trial % 2 == 1;
		uint8_t* target = isWorld ? world : saved;
		size_t at = gelRandom_Next( &random ) % ( isWorld ? worldBytes : bytes );
		if ( trial < 112 ) at = (size_t)trial / 2;
		uint8_t bit = (uint8_t)( 1u << ( gelRandom_Next( &random ) % 8 ) );
		target[at] ^= bit;
		gelResult result = isWorld ? gelWorld_RestoreState( scene.stage.world, world, worldBytes )
								   : gelBody_RestoreState( body, saved, bytes );
		assert_int_not_equal( result, gel_success );
		target[at] ^= bit;
	}
	for ( size_t length = 0; length < bytes; length += length < 64 ? 1 : 997 )
		assert_int_equal( gelBody_RestoreState( body, saved, length ), gel_errorTruncated );
	assert_int_equal( gelBody_RestoreState( body, saved, bytes + 1 ), gel_errorTruncated );
	assert_int_equal( gelBody_RestoreState( body, NULL, bytes ), gel_errorArgument );
	assert_int_equal( gelBody_RestoreState( body, world, worldBytes ), gel_errorNotAPack );
	assert_true( gelBody_HashState( body ) == hash );
	assert_int_equal( gelBody_RestoreState( body, saved, bytes ), gel_success );

	// another body is missing now: the world's state does not fit any more, that of the body does
	gelDestroyBody( scene.bodies[2] );
	assert_int_equal( gelWorld_RestoreState( scene.stage.world, world, worldBytes ), gel_errorUnsupported );
	assert_int_equal( gelBody_RestoreState( body, saved, bytes ), gel_success );
	free( saved );
	free( world );
	gelFreeStage( &scene.stage );
}

// A forger who knows the hash: what is inside is judged, too.
static void TestForgedStates( void** state )
{
	(void)state;
	gelRandom random = { 33 };
	Scene scene = MakeScene( gel_solverFastCorotated );
	gelBodyId body = scene.bodies[1];
	size_t bytes = gelBody_GetStateBytes( body );
	uint8_t *saved = malloc( bytes ), *forged = malloc( bytes );
	assert_true( saved != NULL && forged != NULL );
	assert_int_equal( gelBody_SaveState( body, saved, bytes ), gel_success );
	int accepted = 0, refused = 0;
	for ( int trial = 0; trial < 4000; ++trial )
	{
		memcpy( forged, saved, bytes );
		size_t count = 1 + gelRandom_Next( &random ) % 3;
		for ( size_t i = 0; i < count; ++i )
		{
			// any word behind the header; often near the end, where constraints and frames are
			size_t words = bytes / 4 - 10, back = gelRandom_Next( &random ) % 700;
			size_t at = 10 +
				( trial % 2 ? words - 1 - ( back < words ? back : 0 ) : gelRandom_Next( &random ) % words );
			uint32_t word = (uint32_t)gelRandom_Next( &random );
			if ( trial % 5 == 0 ) word = 0x7FC00000u; // NaN
			if ( trial % 5 == 1 ) word = 0xFFFFFFFFu;
			if ( trial % 5 == 2 ) word = 0x7F000000u; // huge
			memcpy( forged + 4 * at, &word, 4 );
		}
		uint64_t hash = gelPack_Hash( forged + 40, bytes - 40 );
		memcpy( forged + 16, &hash, 8 );
		gelResult result = gelBody_RestoreState( body, forged, bytes );
		assert_true( result == gel_success || result == gel_errorCorrupt );
		refused += result != gel_success;
		accepted += result == gel_success;
		if ( result == gel_success && trial % 8 == 0 ) gelStage_Step( &scene.stage, 2 ); // survives
		gelBodyDynamics d = gelBody_GetDynamics( body );
		assert_true(
			isfinite( d.centerOfMass.x ) && isfinite( d.centerOfMass.y ) && isfinite( d.centerOfMass.z ) );
	}
	assert_true( refused > 500 && accepted > 100 );
	free( saved );
	free( forged );
	gelFreeStage( &scene.stage );
}

// States of bodies with other settings are refused.
static void TestForeignStates( void** state )
{
	(void)state;
	Scene scene = MakeScene( gel_solverFastCorotated );
	size_t bytes = gelBody_GetStateBytes( scene.bodies[0] );
	uint8_t* saved = malloc( bytes );
	assert_int_equal( gelBody_SaveState( scene.bodies[0], saved, bytes ), gel_success );
	for ( int i = 0; i < 6; ++i )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = scene.stage.asset;
		def.enableSleep = true;
		if ( i == 0 ) def.solver = gelDefaultSolverDef( gel_solverImplicit );
		if ( i == 1 ) def.solver.fast.passes = 3;
		if ( i == 2 ) def.solver.fast.volumeSweeps = 7;
		if ( i == 3 ) def.enableSleep = false;
		if ( i == 4 ) def.constraintCapacity = 15;
		if ( i == 5 ) def.frameCapacity = 0;
		gelBodyId other;
		assert_int_equal( gelCreateBody( scene.stage.world, &def, &other ), gel_success );
		assert_int_equal( gelBody_RestoreState( other, saved, bytes ), gel_errorUnsupported );
		gelDestroyBody( other );
	}
	gelStageDef def = gelDefaultStageDef();
	def.body.enableSleep = true;
	gelStage otherAsset = gelMakeStage( &def );
	assert_int_equal( gelBody_RestoreState( otherAsset.body, saved, bytes ), gel_errorUnsupported );
	gelFreeStage( &otherAsset );
	free( saved );
	gelFreeStage( &scene.stage );
}

// ---- places ---------------------------------------------------------------------------------------------

// Teleporting commutes with stepping where nothing tells places apart, and takes pins along.
static void TestTeleport( void** state )
{
	(void)state;
	for ( int i = 0; i < 2; ++i )
	{
		gelStageDef def = gelDefaultStageDef();
		def.body.solver = gelDefaultSolverDef( i == 0 ? gel_solverFastCorotated : gel_solverImplicit );
		def.body.angularVelocity = ( gelVec3 ){ 1.0f, 2.0f, -1.0f };
		gelStage a = gelMakeStage( &def ), b = gelMakeStage( &def );
		Hold( a.body, gel_constraintPoint, 5, ( gelFrameId ){ 0 } );
		Hold( b.body, gel_constraintPoint, 5, ( gelFrameId ){ 0 } );
		gelStage_Step( &a, 30 );
		gelStage_Step( &b, 30 );
		gelQuat q = { { 0.0f, 0.6f, 0.0f }, 0.8f };
		gelVec3 t = { 100.0f, -20.0f, 7.0f };
		assert_int_equal( gelBody_Teleport( b.body, ( gelTransform ){ t, q } ), gel_success );
		for ( int part = 0; part < 2; ++part )
		{
			gelStage_Fetch( &a );
			gelStage_Fetch( &b );
			gelMat3 R = gelMakeMat3FromQuat( q );
			for ( int k = 0; k < a.nodeCount; ++k )
			{
				gelVec3 x = gelAdd( gelMulMV( R, a.nodes[k] ), t ), v = gelMulMV( R, a.velocities[k] );
				assert_true( gelLength( gelSub( x, b.nodes[k] ) ) < ( part == 0 ? 2e-5f : 2e-3f ) );
				assert_true( gelLength( gelSub( v, b.velocities[k] ) ) < ( part == 0 ? 1e-5f : 2e-2f ) );
			}
			gelStage_Step( &a, 30 );
			gelStage_Step( &b, 30 );
		}
		assert_int_equal( gelBody_Teleport( b.body, ( gelTransform ){ t, ( gelQuat ){ { 0, 0, 0 }, 2.0f } } ),
			gel_errorArgument );
		gelFreeStage( &a );
		gelFreeStage( &b );
	}
}

static void TestResetTakesPinsAlong( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.world.gravity.y = -9.81f;
	gelStage stage = gelMakeStage( &def );
	gelConstraintId pin = Hold( stage.body, gel_constraintPoint, 5, ( gelFrameId ){ 0 } );
	gelStage_Step( &stage, 20 );
	assert_int_equal(
		gelBody_Reset(
			stage.body, ( gelTransform ){ ( gelVec3 ){ 50.0f, 3.0f, 0.0f }, ( gelQuat ){ { 0, 0, 0 }, 1 } } ),
		gel_success );
	gelEmbeddedPoint point;
	gelVec3 target, position;
	assert_int_equal( gelConstraint_GetPoint( pin, &point ), gel_success );
	for ( int i = 0; i < 2; ++i )
	{
		gelConstraint_GetTarget( pin, &target );
		gelBody_GetPointPosition( stage.body, &point, &position );
		assert_true( gelLength( gelSub( target, position ) ) < 1e-4f && target.x > 49.0f );
		gelStage_Step( &stage, 30 );
	}
	gelFreeStage( &stage );
}

// ---- tets -----------------------------------------------------------------------------------------------

// A stretched and turned bar: strain and stress as the material says, the rotation as it was turned.
static void TestTetStates( void** state )
{
	(void)state;
	for ( int i = 0; i < 2; ++i )
	{
		gelStageDef def = gelDefaultStageDef();
		def.poissonsRatio = 0.3;
		def.body.solver = gelDefaultSolverDef( i == 0 ? gel_solverFastCorotated : gel_solverImplicit );
		gelStage stage = gelMakeStage( &def );
		gelAssetInfo info = gelAsset_GetInfo( stage.asset );
		gelTetState* tets = calloc( (size_t)info.tetCount, sizeof( gelTetState ) );
		const double E = 1e5, nu = 0.3, mu = E / ( 2 * ( 1 + nu ) ),
					 lambda = E * nu / ( ( 1 + nu ) * ( 1 - 2 * nu ) );
		const double s = 1.001; // small, so that both materials are Hooke's
		gelQuat q = { { 0.48f, 0.0f, 0.36f }, 0.8f };
		gelMat3 R = gelMakeMat3FromQuat( q );
		gelStage_Fetch( &stage );
		for ( int k = 0; k < stage.nodeCount; ++k )
			stage.nodes[k] =
				gelMulMV( R, ( gelVec3 ){ (float)s * stage.rest[k].x, stage.rest[k].y, stage.rest[k].z } );
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		assert_int_equal( gelBody_GetTetStates( stage.body, tets, info.tetCount ), info.tetCount );
		for ( int t = 0; t < info.tetCount; ++t )
		{
			assert_true( fabs( tets[t].strain[0] - ( s - 1 ) ) < 2e-6 );
			for ( int k = 1; k < 6; ++k )
				assert_true( fabsf( tets[t].strain[k] ) < 2e-6f );
			assert_true( fabs( tets[t].stress[0] - ( 2 * mu + lambda ) * ( s - 1 ) ) <
				0.01 * ( 2 * mu + lambda ) * ( s - 1 ) );
			assert_true( fabs( tets[t].stress[1] - lambda * ( s - 1 ) ) < 0.02 * lambda * ( s - 1 ) );
			assert_true( fabs( tets[t].vonMises - 2 * mu * ( s - 1 ) ) < 0.02 * 2 * mu * ( s - 1 ) );
			assert_true( fabs( tets[t].volumeRatio - s ) < 1e-5 && !tets[t].isInverted );
			float dot = gelDot( tets[t].rotation.v, q.v ) + tets[t].rotation.s * q.s;
			assert_true( fabsf( dot ) > 0.99999f );
		}
		for ( int k = 0; k < stage.nodeCount; ++k )
			stage.nodes[k].x = -stage.nodes[k].x;
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		assert_int_equal( gelBody_GetTetStates( stage.body, NULL, 0 ), info.tetCount );
		gelBody_GetTetStates( stage.body, tets, info.tetCount );
		for ( int t = 0; t < info.tetCount; ++t )
			assert_true( tets[t].isInverted && tets[t].volumeRatio < 0.0f );
		free( tets );
		gelFreeStage( &stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestRollback ),
		cmocka_unit_test( TestCopyToAnotherWorld ),
		cmocka_unit_test( TestDamagedStates ),
		cmocka_unit_test( TestForgedStates ),
		cmocka_unit_test( TestForeignStates ),
		cmocka_unit_test( TestTeleport ),
		cmocka_unit_test( TestResetTakesPinsAlong ),
		cmocka_unit_test( TestTetStates ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
