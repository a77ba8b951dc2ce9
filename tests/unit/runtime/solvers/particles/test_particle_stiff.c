// SPDX-License-Identifier: MIT
// Stiffness over ten decades and steps from 1/30 to 1/1000 s: energy does not come out of nothing. Bakes that
// cannot hold a stiffness in floats say so; what they let pass has to obey.
#include "test_support.h"

#include "math/gel_math.h"
#include "particle_stage.h"

#include <math.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage;

static const double s_moduli[] = { 1e2, 1e4, 1e6, 1e8, 1e9, 1e10, 1e11, 1e12 };
static const double s_steps[] = { 1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0, 1.0 / 1000.0 };

enum
{
	modulusCount = 8,
	stepCount = 4,
	runCount = modulusCount * stepCount,
	steps = GEL_IS_SANITIZED ? 20 : 60
};

// Settings of a run; particles are added by the test.
static void InitRun( int run )
{
	gelInitParticleStage( &s_def );
	s_def.youngsModulus = s_moduli[run % modulusCount];
	s_def.steps[0] = s_steps[run / modulusCount];
	s_def.mayBeRefused = s_def.youngsModulus >= 1e12;
}

static double GetEnergy( void )
{
	gelBodyDynamics d = gelBody_GetDynamics( s_stage.body );
	return (double)d.kineticEnergy + (double)d.elasticEnergy -
		(double)d.mass * ( (double)s_def.world.gravity.y * (double)d.centerOfMass.y );
}

// A block that spins, and whose particles fly in all directions. Its kinetic energy never grows beyond a
// thousandth. Elastic energy does at first where ten iterations are not enough, but it is gone after ten
// steps and never becomes motion. Momentum stays: without particle_momentum.c rounding gives 1e10 Pa at 1/30
// s 0.3 of the kinetic energy per second, and 1e11 Pa 25 times of it.
static void TestFreeBody( void** state )
{
	(void)state;
	int made = 0;
	for ( int run = 0; run < runCount; ++run )
	{
		InitRun( run );
		const uint32_t n[3] = { 4, 3, 3 };
		gelStageAddLattice( &s_def, n, 0.1, true );
		if ( !gelMakeParticleStage( &s_def, &s_stage ) ) continue;
		++made;
		for ( int i = 0; i < s_stage.count; ++i )
		{
			gelParticlePose* p = s_stage.poses + i;
			gelVec3 own = { 0.1f * sinf( 7.0f * (float)i ), 0.1f * cosf( 5.0f * (float)i ), 0.0f };
			p->angularVelocity = gelMakeVec3( 1.0f, 2.0f, 3.0f );
			p->linearVelocity = gelAdd( gelCross( p->angularVelocity, p->position ), own );
		}
		gelParticleStage_Put( &s_stage );
		double first = GetEnergy();
		gelBodyDynamics before = gelBody_GetDynamics( s_stage.body );
		for ( int i = 0; i < steps; ++i )
		{
			gelParticleStage_Step( &s_stage, 1 );
			gelBodyDynamics now = gelBody_GetDynamics( s_stage.body );
			assert_true( (double)now.kineticEnergy < 1.001 * first );
			if ( i >= 10 ) assert_true( GetEnergy() < 1.001 * first );
			gelVec3 change = gelSub( now.linearMomentum, before.linearMomentum );
			assert_true( gelLength( change ) < 2e-4f * now.mass );
		}
		gelFreeParticleStage( &s_stage );
	}
	assert_true( made > runCount - stepCount );
}

// A rod of 1.9 m that swings from one end. Bound: 1e-3 of its weight times its length.
static void TestSwingingRod( void** state )
{
	(void)state;
	for ( int run = 0; run < runCount; ++run )
	{
		InitRun( run );
		gelStageAddChain( &s_def, 20, 0.1, 0.05 );
		s_def.world.gravity.y = -9.81f;
		if ( !gelMakeParticleStage( &s_def, &s_stage ) ) continue;
		gelConstraintDef def = gelDefaultConstraintDef();
		def.kind = gel_constraintPoint;
		gelConstraintId id;
		assert_int_equal( gelBody_FindPoint( s_stage.body, def.target, &def.point ), gel_success );
		assert_int_equal( gelCreateConstraint( s_stage.body, &def, &id ), gel_success );
		double first = GetEnergy(), scale = 1.9 * 9.81 * (double)gelBody_GetDynamics( s_stage.body ).mass;
		for ( int i = 0; i < steps; ++i )
		{
			gelParticleStage_Step( &s_stage, 1 );
			assert_true( GetEnergy() < first + 1e-3 * scale );
		}
		assert_true( gelBody_GetDynamics( s_stage.body ).centerOfMass.y < 0.0f ); // it does swing
		gelFreeParticleStage( &s_stage );
	}
}

// A block that falls on a corner from 0.3 m bounces no higher than it was, and comes to rest on the ground.
static void TestFallingBlock( void** state )
{
	(void)state;
	for ( int run = 0; run < 2 * modulusCount; ++run ) // 1/30 and 1/60 s
	{
		InitRun( run );
		const uint32_t n[3] = { 3, 3, 3 };
		gelStageAddLattice( &s_def, n, 0.1, true );
		s_def.world.gravity.y = -9.81f;
		s_def.world.hasGround = true;
		s_def.body.transform.position = gelMakeVec3( 0.0f, 0.5f, 0.0f );
		s_def.body.transform.rotation = ( gelQuat ){ { 0.3f, 0.2f, 0.4f }, 0.842615f };
		if ( !gelMakeParticleStage( &s_def, &s_stage ) ) continue;
		gelBodyDynamics d = gelBody_GetDynamics( s_stage.body );
		double first = GetEnergy(), height = d.centerOfMass.y;
		for ( int i = 0; i < 2 * steps; ++i )
		{
			gelParticleStage_Step( &s_stage, 1 );
			d = gelBody_GetDynamics( s_stage.body );
			double motion = (double)d.kineticEnergy + 9.81 * (double)d.mass * (double)d.centerOfMass.y;
			assert_true( motion < 1.005 * first );
			assert_true( (double)d.centerOfMass.y < height + 1e-3 );
		}
		gelFreeParticleStage( &s_stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFreeBody ),
		cmocka_unit_test( TestSwingingRod ),
		cmocka_unit_test( TestFallingBlock ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
