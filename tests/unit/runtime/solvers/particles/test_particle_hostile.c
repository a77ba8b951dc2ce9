// SPDX-License-Identifier: MIT
// What a game or a file should not do to bodies of particles that touch others: damaged packs, bodies of one
// and two particles, shapes without sense, far places, long steps, handles that come and go, bodies that are
// destroyed while their contacts are read, and states that are restored in the middle of a heap.
#include "test_support.h"

#include "math/gel_math.h"
#include "pack/pack_read.h"
#include "particle_stage.h"
#include "small_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage;
static const gelVec3 s_none = { 0.0f, 0.0f, 0.0f };

// A world with ground, gravity and contact; particles are added by the test.
static void InitWorld( void )
{
	gelInitParticleStage( &s_def );
	s_def.world.enableContact = true;
	s_def.world.hasGround = true;
	s_def.world.gravity.y = -9.81f;
	s_def.body.transform.position.y = 0.05f;
	s_def.youngsModulus = 2e5;
}

static void InitBlock( void )
{
	InitWorld();
	gelStageAddBlock( &s_def );
}

static gelBodyId AddBody( const gelAsset* asset, gelWorldId world, gelVec3 position, gelVec3 velocity )
{
	gelBodyDef def = s_def.body;
	def.asset = asset;
	def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	def.transform.position = position;
	def.linearVelocity = velocity;
	gelBodyId id;
	assert_int_equal( gelCreateBody( world, &def, &id ), gel_success );
	return id;
}

static gelBodyId AddBlock( gelVec3 position, gelVec3 velocity )
{
	return AddBody( s_stage.asset, s_stage.world, position, velocity );
}

static gelColliderId AddBox( gelVec3 position )
{
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeBox;
	def.halfExtents = ( gelVec3 ){ 0.5f, 0.1f, 0.5f };
	def.transform.position = position;
	gelColliderId id;
	assert_int_equal( gelCreateCollider( s_stage.world, &def, &id ), gel_success );
	return id;
}

static void Step( int count )
{
	for ( int i = 0; i < count; ++i )
		assert_int_equal( gelWorld_Step( s_stage.world, s_stage.step ), gel_success );
}

static void AssertFinite( gelBodyId id )
{
	gelParticlePose poses[GEL_STAGE_PARTICLES];
	int count = gelBody_GetParticlePoses( id, poses, GEL_STAGE_PARTICLES );
	for ( int i = 0; i < count; ++i )
	{
		assert_true( gelIsUsable( gelScale( 0.25f, poses[i].position ) ) );
		assert_true( isfinite( gelLength( poses[i].linearVelocity ) ) );
		assert_true( isfinite( gelLength( poses[i].angularVelocity ) ) );
		assert_true( fabsf( gelLengthSquaredQuat( poses[i].rotation ) - 1.0f ) < 1e-3f );
	}
}

// ---- packs -----------------------------------------------------------------------------------------------

// Loads a pack, lets two bodies of it fall on each other and a box, and reads what there is to read.
static void UsePack( const uint8_t* pack, size_t bytes )
{
	gelAsset* asset;
	if ( gelLoadAsset( pack, bytes, NULL, &asset, NULL ) != gel_success ) return;
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &s_def.world, &world ), gel_success );
	gelBodyDef def = s_def.body;
	def.asset = asset;
	def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	def.enableSelfContact = true;
	gelBodyId ids[2];
	int made = 0;
	for ( int i = 0; i < 2; ++i )
	{
		def.transform.position.y = 0.03f + 0.08f * (float)i;
		made += gelCreateBody( world, &def, ids + made ) == gel_success;
	}
	gelColliderDef box = gelDefaultColliderDef();
	box.shape = gel_shapeBox;
	box.halfExtents = ( gelVec3 ){ 0.1f, 0.05f, 0.1f };
	gelColliderId collider;
	assert_int_equal( gelCreateCollider( world, &box, &collider ), gel_success );
	for ( int i = 0; i < 3; ++i )
		gelWorld_Step( world, s_stage.step );
	for ( int i = 0; i < made; ++i )
	{
		static gelVec3 out[4096];
		static gelPaletteMatrix palette[64];
		gelBody_GetPositions( ids[i], out, 4096 );
		gelBody_GetNormals( ids[i], out, 4096 );
		gelBody_GetPalette( ids[i], s_none, palette, 64 );
		gelBody_GetDynamics( ids[i] );
		gelConstraintDef hold = gelDefaultConstraintDef();
		gelConstraintId id;
		gelBody_FindPoint( ids[i], s_none, &hold.point );
		gelCreateConstraint( ids[i], &hold, &id );
	}
	gelWorld_Step( world, s_stage.step );
	gelDestroyWorld( world );
	gelDestroyAsset( asset );
}

// Words of the sections of particles are replaced, and the checksums mended: the pack is refused, or does no
// harm.
static void TestDamagedPacks( void** state )
{
	(void)state;
	static const uint32_t words[] = { 0, 1, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x7FC00000u, 0x7F800000u,
		0xFF800000u, 0x7F7FFFFFu, 1u << 23, 0x3F800000u, 0xBF800000u, 0x00010001u };
	static const uint32_t kinds[] = { GEL_SECTION_OPGR, GEL_SECTION_OPSK, GEL_SECTION_OPFA };
	InitWorld();
	gelStageAddChain( &s_def, 4, 0.1, 0.05 );
	gelMakeParticleStage( &s_def, &s_stage );
	gelPackView view;
	gelPackFault fault;
	assert_int_equal( gelTryPack( s_stage.pack, s_stage.packBytes, &view, &fault ), gel_packOk );
	UsePack( s_stage.pack, s_stage.packBytes );
	gelRandom random = { 77 };
	int rounds = GEL_IS_SANITIZED ? 600 : 2000;
	for ( int round = 0; round < rounds; ++round )
	{
		const gelPackSection* section = gelPack_GetSection( &view, kinds[round % 3], 0 );
		uint8_t* copy = gelCopyPack( s_stage.pack, s_stage.packBytes );
		size_t place = section->offset + gelRandom_Next( &random ) % ( section->bytes / 4 ) * 4;
		uint32_t word = words[gelRandom_Next( &random ) % ( sizeof( words ) / sizeof( words[0] ) )], old;
		memcpy( &old, copy + place, 4 );
		if ( round % 2 == 0 ) word = old ^ 1u << gelRandom_Next( &random ) % 32;
		memcpy( copy + place, &word, 4 );
		gelRepairPackHashes( copy, s_stage.packBytes );
		UsePack( copy, s_stage.packBytes );
		free( copy );
	}
	gelFreeParticleStage( &s_stage );
}

// ---- states ----------------------------------------------------------------------------------------------

static uint64_t HashBodies( const gelBodyId* ids, int count )
{
	uint64_t hash = 0;
	for ( int i = 0; i < count; ++i )
		hash = 31 * hash + gelBody_HashState( ids[i] );
	return hash;
}

// In a heap with a box under it, while bodies are pushed out of each other: the same bits again.
static void TestRestoreInContact( void** state )
{
	(void)state;
	InitBlock();
	gelMakeParticleStage( &s_def, &s_stage );
	AddBox( gelMakeVec3( 0.3f, 0.0f, 0.2f ) );
	gelBodyId ids[6] = { s_stage.body };
	for ( int i = 1; i < 6; ++i )
		ids[i] =
			AddBlock( gelMakeVec3( 0.12f * (float)( i % 3 ), 0.2f * (float)i, 0.05f * (float)i ), s_none );
	Step( 12 );
	size_t bytes = gelWorld_GetStateBytes( s_stage.world );
	uint8_t* saved = malloc( bytes );
	assert_non_null( saved );
	assert_int_equal( gelWorld_SaveState( s_stage.world, saved, bytes ), gel_success );
	assert_true( gelWorld_GetContacts( s_stage.world, NULL, 0 ) > 10 );
	uint64_t hashes[2];
	for ( int k = 0; k < 2; ++k )
	{
		Step( 20 );
		hashes[k] = HashBodies( ids, 6 );
		assert_int_equal( gelWorld_RestoreState( s_stage.world, saved, bytes ), gel_success );
	}
	assert_true( hashes[0] == hashes[1] );
	free( saved );
	gelFreeParticleStage( &s_stage );
}

// One that is still awake, but still, does not wake the sleeper beside it. That is so again after it was
// restored from a time at which it was kicked.
static void TestRestoreBesideSleeper( void** state )
{
	(void)state;
	InitBlock();
	s_def.youngsModulus = 2e6;
	s_def.damping = 2.0;
	s_def.body.enableSleep = true;
	gelMakeParticleStage( &s_def, &s_stage );
	s_def.body.enableSleep = false;
	gelBodyId other = AddBlock( gelMakeVec3( 0.302f, 0.05f, 0.0f ), s_none );
	for ( int i = 0; i < 240 && gelBody_IsAwake( s_stage.body ); ++i )
		Step( 1 );
	Step( 5 );
	assert_false( gelBody_IsAwake( s_stage.body ) );
	size_t bytes = gelWorld_GetStateBytes( s_stage.world );
	uint8_t* saved = malloc( bytes );
	assert_non_null( saved );
	assert_int_equal( gelWorld_SaveState( s_stage.world, saved, bytes ), gel_success );
	gelEmbeddedPoint point = gelAsset_GetVertexPoint( s_stage.asset, 5 );
	gelBody_AddPointImpulse( other, &point, gelMakeVec3( 20.0f, 20.0f, 0.0f ) );
	Step( 1 );
	assert_int_equal( gelWorld_RestoreState( s_stage.world, saved, bytes ), gel_success );
	Step( 1 );
	assert_false( gelBody_IsAwake( s_stage.body ) );
	free( saved );
	gelFreeParticleStage( &s_stage );
}

// ---- shapes without sense --------------------------------------------------------------------------------

// Bodies of one and two particles: they lie on each other and on a box, and come to rest.
static void TestFewParticles( void** state )
{
	(void)state;
	for ( uint32_t count = 1; count <= 2; ++count )
	{
		InitWorld();
		gelStageAddChain( &s_def, count, 0.1, 0.05 );
		s_def.body.enableSelfContact = true;
		gelMakeParticleStage( &s_def, &s_stage );
		AddBox( gelMakeVec3( 0.5f, 0.0f, 0.0f ) );
		gelBodyId ids[6] = { s_stage.body };
		for ( int i = 1; i < 6; ++i )
			ids[i] = AddBlock( gelMakeVec3( 0.08f * (float)i, 0.05f * (float)i, 0.0f ), s_none );
		Step( 120 );
		for ( int i = 0; i < 6; ++i )
		{
			AssertFinite( ids[i] );
			gelBodyDynamics d = gelBody_GetDynamics( ids[i] );
			assert_true( d.centerOfMass.y > 0.04f && d.centerOfMass.y < 0.5f );
			assert_true( gelLength( d.linearMomentum ) < 1.5f * d.mass );
		}
		gelFreeParticleStage( &s_stage );
	}
}

// Poses of the first body of a heap: all in one point, mirrored, random, turned inside out, far too large.
static void Deform( int kind, gelRandom* random )
{
	gelParticleStage_Fetch( &s_stage );
	for ( int i = 0; i < s_stage.count; ++i )
	{
		gelVec3* x = &s_stage.poses[i].position;
		if ( kind == 0 ) *x = gelMakeVec3( 0.1f, 0.1f, 0.1f );
		if ( kind == 1 ) x->x = -x->x;
		if ( kind == 2 )
			*x = gelMakeVec3( (float)gelRandom_Uniform( random, -0.3, 0.3 ),
				(float)gelRandom_Uniform( random, 0.0, 0.5 ), (float)gelRandom_Uniform( random, -0.3, 0.3 ) );
		if ( kind == 3 ) *x = gelSub( gelMakeVec3( 0.2f, 0.3f, 0.2f ), *x );
		if ( kind == 4 ) *x = gelScale( 20.0f, *x );
	}
	gelParticleStage_Put( &s_stage );
}

// Each finds back to its shape, and neither it nor those around it are thrown away.
static void TestDeformedInContact( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	for ( int kind = 0; kind < 5; ++kind )
	{
		InitBlock();
		s_def.damping = 1.0;
		gelMakeParticleStage( &s_def, &s_stage );
		gelBodyId others[2] = { AddBlock( gelMakeVec3( 0.29f, 0.05f, 0.0f ), s_none ),
			AddBlock( gelMakeVec3( 0.0f, 0.36f, 0.02f ), s_none ) };
		Step( 5 );
		Deform( kind, &random );
		Step( 150 );
		AssertFinite( s_stage.body );
		assert_int_equal( gelWorld_GetCounters( s_stage.world ).nonFiniteBodyCount, 0 );
		gelBodyDynamics d = gelBody_GetDynamics( s_stage.body );
		assert_true( d.elasticEnergy < 5.0f && d.kineticEnergy < 0.5f * d.mass );
		for ( int i = 0; i < 2; ++i )
		{
			AssertFinite( others[i] );
			assert_true( gelLength( gelBody_GetDynamics( others[i] ).centerOfMass ) < 20.0f );
		}
		gelFreeParticleStage( &s_stage );
	}
}

// ---- far and long ----------------------------------------------------------------------------------------

// A million metres from the origin blocks lie on each other as here.
static void TestFarAway( void** state )
{
	(void)state;
	float heights[2];
	for ( int k = 0; k < 2; ++k )
	{
		InitBlock();
		s_def.world.hasGround = false;
		gelVec3 far = k == 0 ? s_none : gelMakeVec3( 1.0e6f, -3.0e5f, 2.0e6f );
		s_def.body.transform.position = gelAdd( far, gelMakeVec3( 0.0f, 0.05f, 0.0f ) );
		gelMakeParticleStage( &s_def, &s_stage );
		AddBox( gelAdd( far, gelMakeVec3( 0.125f, -0.1f, 0.125f ) ) );
		gelBodyId top = AddBlock( gelAdd( far, gelMakeVec3( 0.0f, 0.375f, 0.0f ) ), s_none );
		Step( 60 );
		AssertFinite( top );
		heights[k] =
			gelBody_GetDynamics( top ).centerOfMass.y - gelBody_GetDynamics( s_stage.body ).centerOfMass.y;
		assert_true( gelBody_GetDynamics( s_stage.body ).centerOfMass.y - far.y > 0.1f );
		gelFreeParticleStage( &s_stage );
	}
	assert_true( fabsf( heights[0] - 0.3f ) < 0.02f );
	assert_true( fabsf( heights[1] - 0.3f ) < 0.1f ); // there a float is a multiple of 1/8 m at best
}

// Steps of a second: nothing passes the ground for good, nothing becomes infinite.
static void TestLongSteps( void** state )
{
	(void)state;
	InitBlock();
	s_def.steps[0] = 1.0;
	gelMakeParticleStage( &s_def, &s_stage );
	gelBodyId ids[4] = { s_stage.body };
	AddBox( gelMakeVec3( 0.6f, 0.1f, 0.0f ) );
	for ( int i = 1; i < 4; ++i )
		ids[i] = AddBlock( gelMakeVec3( 0.2f * (float)i, 0.3f * (float)i, 0.0f ), s_none );
	Step( 40 );
	for ( int i = 0; i < 4; ++i )
	{
		AssertFinite( ids[i] );
		gelVec3 c = gelBody_GetDynamics( ids[i] ).centerOfMass;
		assert_true( c.y > 0.0f && gelLength( c ) < 100.0f );
	}
	gelFreeParticleStage( &s_stage );
}

// ---- what changes between steps --------------------------------------------------------------------------

// Handles on every particle of a body that others lie on, moved, let go one by one, and made again.
static void TestHandlesInContact( void** state )
{
	(void)state;
	InitBlock();
	s_def.body.constraintCapacity = 32;
	gelMakeParticleStage( &s_def, &s_stage );
	gelBodyId other = AddBlock( gelMakeVec3( 0.02f, 0.36f, 0.0f ), s_none );
	gelConstraintId ids[27];
	for ( int round = 0; round < 3; ++round )
	{
		gelParticleStage_Fetch( &s_stage );
		int made = 0;
		for ( int i = 0; i < 27; ++i )
		{
			gelConstraintDef def = gelDefaultConstraintDef();
			def.kind = gel_constraintPoint;
			def.target = s_stage.poses[i].position;
			assert_int_equal( gelBody_FindPoint( s_stage.body, def.target, &def.point ), gel_success );
			made += gelCreateConstraint( s_stage.body, &def, ids + made ) == gel_success;
		}
		assert_true( made >= 16 );
		for ( int i = 0; i < made; ++i )
		{
			gelVec3 wrong = { NAN, 0.0f, 0.0f };
			assert_int_not_equal( gelConstraint_SetTarget( ids[i], wrong ), gel_success );
			Step( 1 );
			gelDestroyConstraint( ids[i] );
		}
		Step( 5 );
	}
	Step( 60 );
	AssertFinite( s_stage.body );
	AssertFinite( other );
	assert_int_equal( gelWorld_GetCounters( s_stage.world ).nonFiniteBodyCount, 0 );
	assert_true( gelBody_GetDynamics( other ).centerOfMass.y > 0.3f );
	gelFreeParticleStage( &s_stage );
}

// Bodies and colliders that are destroyed while their events and contacts are read: the lists lose them, the
// rest of the heap falls on.
static void TestDeletesInEventLoop( void** state )
{
	(void)state;
	InitBlock();
	gelMakeParticleStage( &s_def, &s_stage );
	gelColliderId box = AddBox( gelMakeVec3( 0.4f, 0.0f, 0.0f ) );
	for ( int i = 1; i < 8; ++i )
		AddBlock( gelMakeVec3( 0.1f * (float)( i % 4 ), 0.31f * (float)i, 0.0f ), s_none );
	int destroyed = 0;
	for ( int i = 0; i < 60; ++i )
	{
		Step( 1 );
		gelContactEvent events[16];
		int count = gelWorld_GetContactEvents( s_stage.world, events, 16 );
		for ( int k = 0; k < count && k < 16 && i > 10; ++k )
		{
			if ( i == 30 ) gelDestroyCollider( box );
			if ( i % 5 != 0 || events[k].bodyA.index1 == s_stage.body.index1 ) continue;
			int before = gelWorld_GetContacts( s_stage.world, NULL, 0 );
			gelDestroyBody( events[k].bodyA ); // perhaps for the second time
			++destroyed;
			gelContact contacts[256];
			int left = gelWorld_GetContacts( s_stage.world, contacts, 256 );
			assert_true( left <= before );
			for ( int c = 0; c < left && c < 256; ++c )
				assert_true( contacts[c].bodyA.index1 != events[k].bodyA.index1 );
		}
	}
	assert_true( destroyed > 3 );
	gelFreeParticleStage( &s_stage );
}

// Sub-steps and iterations that are not baked or out of range are refused, none is "as usual".
static void TestNoSubSteps( void** state )
{
	(void)state;
	InitBlock();
	gelMakeParticleStage( &s_def, &s_stage );
	gelBodyDef def = s_def.body;
	def.asset = s_stage.asset;
	def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	gelBodyId id;
	static const int wrong[4] = { -1, 65, 1 << 30, -2147483647 };
	for ( int i = 0; i < 4; ++i )
	{
		def.solver.particles = ( gelParticleDef ){ .subSteps = wrong[i] };
		assert_int_not_equal( gelCreateBody( s_stage.world, &def, &id ), gel_success );
		def.solver.particles = ( gelParticleDef ){ .iterations = wrong[i] == 65 ? 1001 : wrong[i] };
		assert_int_not_equal( gelCreateBody( s_stage.world, &def, &id ), gel_success );
	}
	def.solver.particles = ( gelParticleDef ){ .subSteps = 0, .iterations = 0 };
	def.transform.position.x = 0.2f;
	assert_int_equal( gelCreateBody( s_stage.world, &def, &id ), gel_success );
	Step( 30 );
	AssertFinite( id );
	gelFreeParticleStage( &s_stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestDamagedPacks ),
		cmocka_unit_test( TestRestoreInContact ),
		cmocka_unit_test( TestRestoreBesideSleeper ),
		cmocka_unit_test( TestFewParticles ),
		cmocka_unit_test( TestDeformedInContact ),
		cmocka_unit_test( TestFarAway ),
		cmocka_unit_test( TestLongSteps ),
		cmocka_unit_test( TestHandlesInContact ),
		cmocka_unit_test( TestDeletesInEventLoop ),
		cmocka_unit_test( TestNoSubSteps ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
