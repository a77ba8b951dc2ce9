// SPDX-License-Identifier: MIT
// Bodies of particles of one asset iterate side by side, in the lanes of wide registers. Nobody can tell:
// each ends with the bits that it has when it is alone in its world, on every instruction set, for every
// number of bodies, with ground, forces, handles, contact, and beside a body that breaks down.
#include "test_support.h"

#include "simd/levels.h"
#include "gelpack/interact.h"
#include "solvers/particles/particle_body.h"
#include "particle_stage.h"
#include "world/solver_table.h"
#include "solvers/lane_scratch.h"
#include "test_pool.h"

#include <string.h>

#define MAX_BODIES 21

static gelParticleStageDef s_def;
static gelParticleStage s_stage;

typedef struct Case
{
	gelSimdLevel simd;
	int count, subSteps, iterations, stepCount;
	bool hasGround, hasContact;
	int heldEvery;  // every so many bodies have a handle; 0: none
	int brokenBody; // gets absurd velocities in step 2; -1: none
	int workers;
} Case;

// What is compared: all slots, also those that no particle fills.
typedef struct Outcome
{
	uint64_t hash;
	gelParticleState states[8];
	int blockCount;
} Outcome;

static gelBodyId MakeBody( gelWorldId world, const Case* c, int i )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = s_stage.asset;
	def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	def.transform.position = ( gelVec3 ){ 20.0f * (float)i, 0.4f + 0.05f * (float)i, 0.0f };
	def.angularVelocity = ( gelVec3 ){ 1.0f, 0.3f * (float)i, -2.0f };
	def.solver.particles.subSteps = c->subSteps;
	def.solver.particles.iterations = c->iterations;
	def.solver.particles.enableSpinLoss = i % 3 == 1;
	gelBodyId id;
	assert_int_equal( gelCreateBody( world, &def, &id ), gel_success );
	if ( c->heldEvery == 0 || i % c->heldEvery != 0 ) return id;
	gelConstraintDef hold = gelDefaultConstraintDef();
	assert_int_equal( gelBody_FindPoint( id, def.transform.position, &hold.point ), gel_success );
	hold.target = def.transform.position;
	gelConstraintId constraint;
	assert_int_equal( gelCreateConstraint( id, &hold, &constraint ), gel_success );
	return id;
}

static void Break( gelBodyId body )
{
	gelParticlePose poses[GEL_STAGE_PARTICLES];
	int count = gelBody_GetParticlePoses( body, poses, GEL_STAGE_PARTICLES );
	for ( int i = 0; i < count; ++i )
		poses[i].linearVelocity = ( gelVec3 ){ i % 2 ? 9e8f : -9e8f, 9e8f, 0.0f };
	gelBody_SetParticlePoses( body, poses, count );
}

static void Run( const Case* c, int first, int count, Outcome* outcomes )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	int workers = c->workers;
	worldDef.hasGround = c->hasGround;
	worldDef.enableContact = c->hasContact;
	worldDef.simd = c->simd;
	if ( workers > 1 ) worldDef.tasks = ( gelTaskSystem ){ gelTestPool_ParallelFor, &workers, workers };
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_success );
	gelBodyId ids[MAX_BODIES];
	for ( int i = 0; i < count; ++i )
		ids[i] = MakeBody( world, c, first + i );
	bool hasLanes = gelWorld_GetLaneScratch(
						world.world, s_stage.asset, gelFindSolver( gel_solverOrientedParticles ), 0 ) != NULL;
	assert_true( hasLanes == ( count >= GEL_MIN_LANES ) );
	for ( int step = 0; step < c->stepCount; ++step )
	{
		for ( int i = 0; i < count; ++i )
		{
			float f = 100.0f * (float)( first + i );
			if ( step == 1 ) gelBody_AddNodeForce( ids[i], 0, ( gelVec3 ){ f, 0.0f, -f } );
			if ( step == 2 && first + i == c->brokenBody ) Break( ids[i] );
		}
		assert_int_equal( gelWorld_Step( world, s_stage.step * (float)c->subSteps ), gel_success );
	}
	for ( int i = 0; i < count; ++i )
	{
		const gelParticles* p = gelGetParticles( gelGetBody( ids[i] ) );
		memset( outcomes + i, 0, sizeof( Outcome ) );
		outcomes[i].hash = gelBody_HashState( ids[i] );
		outcomes[i].blockCount = p->model->blockCount;
		assert_in_range( p->model->blockCount, 1, 8 );
		memcpy( outcomes[i].states, p->states, (size_t)p->model->blockCount * sizeof( gelParticleState ) );
	}
	gelDestroyWorld( world );
}

static void CheckCase( Case c )
{
	if ( gelFindSimdLevel( c.simd ) != c.simd ) return;
	static Outcome together[MAX_BODIES], alone;
	Run( &c, 0, c.count, together );
	for ( int i = 0; i < c.count; ++i )
	{
		Case single = c;
		single.workers = 1;
		Run( &single, i, 1, &alone );
		assert_memory_equal( alone.states, together[i].states, sizeof( alone.states ) );
		assert_true( alone.hash == together[i].hash );
		if ( i > 0 ) assert_true( together[i].hash != together[i - 1].hash );
	}
}

static void TestEveryCount( void** state )
{
	(void)state;
	for ( int count = 1; count <= MAX_BODIES; count += count < 6 ? 4 : 1 )
		CheckCase( ( Case ){ gel_simdAutomatic, count, 2, 3, 5, true, false, 0, -1, 1 } );
}

static void TestEveryInstructionSet( void** state )
{
	(void)state;
	static const gelSimdLevel levels[] = { gel_simdScalar, gel_simdSse2, gel_simdAvx2, gel_simdAvx512,
		gel_simdNeon };
	for ( size_t i = 0; i < sizeof( levels ) / sizeof( levels[0] ); ++i )
	{
		CheckCase( ( Case ){ levels[i], 19, 1, 2, 4, false, false, 0, -1, 1 } );
		CheckCase( ( Case ){ levels[i], 12, 1, 5, 4, true, false, 4, -1, 1 } );
	}
}

static void TestInContact( void** state )
{
	(void)state;
	CheckCase( ( Case ){ gel_simdAutomatic, 17, 2, 2, 4, true, true, 0, -1, 1 } );
	CheckCase( ( Case ){ gel_simdAutomatic, 17, 2, 2, 4, true, true, 5, -1, 3 } );
}

static void TestNeighborsOfABrokenBody( void** state )
{
	(void)state;
	CheckCase( ( Case ){ gel_simdAutomatic, 16, 1, 2, 5, false, false, 0, 3, 1 } );
	CheckCase( ( Case ){ gel_simdAutomatic, 9, 1, 2, 5, false, false, 0, 8, 2 } );
}

// A cloud: particles with few and with many neighbors, batches that are not full.
static int MakeAsset( void** state )
{
	(void)state;
	gelInitParticleStage( &s_def );
	gelStageAddCloud( &s_def, 20, 6 );
	s_def.stiffness = 1e7;
	gelMakeParticleStage( &s_def, &s_stage );
	return 0;
}

static int FreeAsset( void** state )
{
	(void)state;
	gelFreeParticleStage( &s_stage );
	return 0;
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestEveryCount ),
		cmocka_unit_test( TestEveryInstructionSet ),
		cmocka_unit_test( TestInContact ),
		cmocka_unit_test( TestNeighborsOfABrokenBody ),
	};
	return cmocka_run_group_tests( tests, MakeAsset, FreeAsset );
}
