// SPDX-License-Identifier: MIT
// Bodies of particles that were made in each other, and shapes that are put into them: they part by places
// alone, as wholes, and get no speed.
#include "test_support.h"

#include "math/gel_math.h"
#include "particle_stage.h"
#include "test_pool.h"

#include <math.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage;

static void InitBlock( double youngsModulus )
{
	gelInitParticleStage( &s_def );
	gelStageAddBlock( &s_def );
	s_def.youngsModulus = youngsModulus;
}

static gelBodyId AddBlock( gelVec3 position, gelQuat rotation )
{
	gelBodyDef def = s_def.body;
	def.transform.position = position;
	def.transform.rotation = rotation;
	return gelParticleStage_AddBody( &s_stage, def );
}

static gelVec3 GetCenter( gelBodyId id )
{
	return gelBody_GetDynamics( id ).centerOfMass;
}

// Root mean square over the mass [m/s].
static double GetRms( gelBodyId id )
{
	gelBodyDynamics d = gelBody_GetDynamics( id );
	return sqrt( 2.0 * d.kineticEnergy / d.mass );
}

static double GetEnergy( gelBodyId id )
{
	gelBodyDynamics d = gelBody_GetDynamics( id );
	return (double)d.kineticEnergy + (double)d.elasticEnergy;
}

static double GetFastest( gelBodyId id )
{
	gelParticlePose poses[GEL_STAGE_PARTICLES];
	int count = gelBody_GetParticlePoses( id, poses, GEL_STAGE_PARTICLES );
	double fastest = 0.0;
	for ( int i = 0; i < count; ++i )
		fastest = fmax( fastest, (double)gelLength( poses[i].linearVelocity ) );
	return fastest;
}

// Depth of the deepest pair of balls of two bodies [m].
static double GetDepth( gelBodyId a, gelBodyId b )
{
	gelParticlePose pa[GEL_STAGE_PARTICLES], pb[GEL_STAGE_PARTICLES];
	int na = gelBody_GetParticlePoses( a, pa, GEL_STAGE_PARTICLES );
	int nb = gelBody_GetParticlePoses( b, pb, GEL_STAGE_PARTICLES );
	double deepest = 0.0;
	for ( int i = 0; i < na * nb; ++i )
		deepest =
			fmax( deepest, 0.1 - (double)gelLength( gelSub( pa[i / nb].position, pb[i % nb].position ) ) );
	return deepest;
}

// ---- bodies ----------------------------------------------------------------------------------------------

// What a run of two bodies has shown.
typedef struct Run
{
	double fastest;  // root mean square of either [m/s]
	double left;     // the same at the end
	double energy;   // most of both [J]
	double depth;    // at the end [m]
	double shift;    // way of their common center [m]
	double momentum; // at the end [N s]
} Run;

static Run RunPair( gelBodyId a, gelBodyId b, int steps )
{
	const gelBodyId ids[2] = { a, b };
	Run run = { 0 };
	gelVec3 centers[2], momentum = { 0.0f, 0.0f, 0.0f };
	for ( int end = 0; end < 2; ++end )
	{
		double mass = 0.0;
		gelVec3 sum = { 0.0f, 0.0f, 0.0f };
		for ( int i = 0; i < 2; ++i )
		{
			gelBodyDynamics d = gelBody_GetDynamics( ids[i] );
			sum = gelMulAdd( sum, d.mass, d.centerOfMass );
			mass += (double)d.mass;
			if ( end == 1 ) momentum = gelAdd( momentum, d.linearMomentum );
		}
		centers[end] = gelScale( (float)( 1.0 / mass ), sum );
		for ( int i = 0; i < steps && end == 0; ++i )
		{
			gelParticleStage_Step( &s_stage, 1 );
			run.left = fmax( GetRms( a ), GetRms( b ) );
			run.fastest = fmax( run.fastest, run.left );
			run.energy = fmax( run.energy, GetEnergy( a ) + GetEnergy( b ) );
		}
	}
	run.depth = GetDepth( a, b );
	run.shift = (double)gelLength( gelSub( centers[1], centers[0] ) );
	run.momentum = (double)gelLength( momentum );
	return run;
}

// From a touch that is too deep to the very same place: they part within a second and never get fast, and
// what is kept is kept. On four threads all is the same to the last bit.
static void TestOverlapGivesNoSpeed( void** state )
{
	(void)state;
	static const gelVec3 offsets[] = { { 0.28f, 0.03f, -0.02f }, { 0.2f, 0.05f, 0.0f },
		{ 0.15f, 0.15f, 0.02f }, { 0.1f, 0.1f, 0.1f }, { 0.05f, 0.02f, 0.03f }, { 0.0f, 0.0f, 0.01f },
		{ 0.0f, 0.0f, 0.0f } };
	for ( int k = 0; k < 7; ++k )
	{
		InitBlock( k % 2 == 0 ? 2e5 : 2e6 );
		gelMakeParticleStage( &s_def, &s_stage );
		Run run = RunPair( s_stage.body, AddBlock( offsets[k], gelIdentityQuat() ), 60 );
		assert_true( run.fastest < 0.01 && run.energy < 1e-3 ); // ball by ball: 0.3 to 3.4, 2 to 2400
		assert_true( run.depth < 1e-3 );
		assert_true( run.shift < 1e-4 && run.momentum < 2e-3 );
		gelFreeParticleStage( &s_stage );
	}
}

static gelQuat PickTurn( gelRandom* random )
{
	float q[4];
	for ( int i = 0; i < 4; ++i )
		q[i] = (float)gelRandom_Normal( random );
	gelQuat turn = { { q[0], q[1], q[2] }, q[3] };
	float scale = 1.0f / sqrtf( gelLengthSquaredQuat( turn ) );
	return ( gelQuat ){ gelScale( scale, turn.v ), scale * turn.s };
}

// Chains, sheets and blocks that are turned in any way.
static void TestTurnedOnes( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	double deepest = 0.0;
	for ( int k = 0; k < 12; ++k )
	{
		gelInitParticleStage( &s_def );
		const uint32_t sizes[3][3] = { { 9, 1, 1 }, { 5, 5, 1 }, { 3, 3, 3 } };
		gelStageAddLattice( &s_def, sizes[k % 3], 0.1, true );
		if ( k % 3 == 0 ) s_def.kind = GEL_PARTICLES_ROD;
		s_def.world.enableContact = true;
		s_def.youngsModulus = 2e5;
		gelMakeParticleStage( &s_def, &s_stage );
		gelQuat turn = PickTurn( &random );
		gelBodyId other = AddBlock( gelMakeVec3( 0.0f, 0.0f, 0.0f ), turn );
		gelVec3 way = gelSub( GetCenter( s_stage.body ), GetCenter( other ) );
		for ( int i = 0; i < 3; ++i )
			( &way.x )[i] += (float)gelRandom_Uniform( &random, -0.1, 0.1 );
		gelDestroyBody( other );
		other = AddBlock( way, turn );
		double before = GetDepth( s_stage.body, other );
		Run run = RunPair( s_stage.body, other, 60 );
		deepest = fmax( deepest, before );
		assert_true( run.fastest < 0.01 && run.energy < 1e-3 );
		assert_true( run.depth < 1e-3 );
		assert_true( run.shift < 1e-4 && run.momentum < 2e-3 );
		gelFreeParticleStage( &s_stage );
	}
	assert_true( deepest > 0.07 );
}

// Five in one place on the ground: they come out of each other, and none gets below it. On four threads all
// is the same to the last bit.
static uint64_t RunFive( int workerCount, int steps )
{
	InitBlock( 2e5 );
	s_def.world.hasGround = true;
	s_def.world.gravity.y = -9.81f;
	s_def.body.transform.position.y = 0.05f;
	if ( workerCount > 1 )
		s_def.world.tasks = ( gelTaskSystem ){
			.parallelFor = gelTestPool_ParallelFor, .context = &workerCount, .workerCount = workerCount
		};
	gelMakeParticleStage( &s_def, &s_stage );
	gelBodyId ids[5] = { s_stage.body };
	for ( int i = 1; i < 5; ++i )
		ids[i] =
			AddBlock( gelMakeVec3( 0.01f * (float)i, 0.05f, 0.005f * (float)( i * i ) ), gelIdentityQuat() );
	double fastest = 0.0;
	uint64_t hash = 0;
	for ( int i = 0; i < steps; ++i )
	{
		gelParticleStage_Step( &s_stage, 1 );
		for ( int k = 0; k < 5; ++k )
		{
			fastest = fmax( fastest, GetRms( ids[k] ) );
			if ( i < 10 ) hash = 31 * hash + gelBody_HashState( ids[k] );
		}
	}
	assert_true( fastest < 1.0 ); // speed of falling, at most [m/s]
	for ( int k = 0; k < 5 && steps > 100; ++k )
	{
		assert_true( GetRms( ids[k] ) < 0.02 && GetCenter( ids[k] ).y > 0.145f );
		for ( int i = 0; i < k; ++i )
			assert_true( GetDepth( ids[k], ids[i] ) < 2e-3 );
	}
	gelFreeParticleStage( &s_stage );
	return hash;
}

static void TestFiveInOnePlace( void** state )
{
	(void)state;
	assert_true( RunFive( 1, 120 ) == RunFive( 4, 10 ) );
}

// ---- shapes ----------------------------------------------------------------------------------------------

static gelColliderDef MakeShape( int kind )
{
	gelColliderDef def = gelDefaultColliderDef();
	const gelColliderShape shapes[3] = { gel_shapeSphere, gel_shapeCapsule, gel_shapeBox };
	def.shape = shapes[kind % 3];
	bool isSmall = kind >= 3;
	def.radius = kind % 3 == 2 ? 0.0f : isSmall ? 0.045f : 0.18f;
	def.halfLength = isSmall ? 0.06f : 0.15f;
	def.halfExtents = isSmall ? ( gelVec3 ){ 0.06f, 0.03f, 0.05f } : ( gelVec3 ){ 0.18f, 0.18f, 0.18f };
	def.transform.position.x = 30.0f;
	return def;
}

// Shapes that are larger than a block, and shapes that are wholly inside of it. It leaves in one way, slowly.
static void TestShapePutIntoBody( void** state )
{
	(void)state;
	for ( int k = 0; k < 12; ++k )
	{
		InitBlock( 2e5 );
		gelMakeParticleStage( &s_def, &s_stage );
		gelColliderDef def = MakeShape( k % 6 );
		gelColliderId id;
		assert_int_equal( gelCreateCollider( s_stage.world, &def, &id ), gel_success );
		gelParticleStage_Step( &s_stage, 1 );
		def.transform.position =
			k < 6 ? ( gelVec3 ){ 0.145f, 0.115f, 0.1f } : ( gelVec3 ){ 0.1f, 0.1f, 0.1f };
		assert_int_equal( gelCollider_Teleport( id, def.transform ), gel_success );
		double length = 0.0;
		gelVec3 first = GetCenter( s_stage.body ), last = first;
		for ( int i = 0; i < 80; ++i )
		{
			gelParticleStage_Step( &s_stage, 1 );
			assert_true( GetFastest( s_stage.body ) < 0.01 ); // each ball by its own way: 1.2 to 4.4
			assert_true( GetEnergy( s_stage.body ) < 1e-3 );
			gelVec3 now = GetCenter( s_stage.body );
			double move = (double)gelLength( gelSub( now, last ) );
			assert_true( move < 1.0 / 60.0 );
			length += move;
			last = now;
		}
		assert_true( length < 1.1 * (double)gelLength( gelSub( last, first ) ) );
		gelContact contacts[64];
		int count = gelWorld_GetContacts( s_stage.world, contacts, 64 );
		for ( int i = 0; i < count; ++i )
			assert_true( contacts[i].depth < 1e-3f );
		gelFreeParticleStage( &s_stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestOverlapGivesNoSpeed ),
		cmocka_unit_test( TestTurnedOnes ),
		cmocka_unit_test( TestFiveInOnePlace ),
		cmocka_unit_test( TestShapePutIntoBody ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
