// SPDX-License-Identifier: MIT
// Bodies of particles come to rest and fall asleep.
#include "test_support.h"

#include "math/gel_math.h"
#include "particle_stage.h"

#include <math.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage;
static float s_abuse; // speed that cubes are thrown at the ground with [m/s]

// A cube of balls, three along each edge, that stands on the ground.
static void MakeCube( double size, double youngsModulus, double step, bool hasContact )
{
	gelInitParticleStage( &s_def );
	const uint32_t n[3] = { 3, 3, 3 };
	gelStageAddLattice( &s_def, n, size / 3.0, true );
	s_def.world.enableContact = hasContact;
	s_def.world.hasGround = true;
	s_def.world.gravity.y = -9.81f;
	s_def.youngsModulus = youngsModulus;
	s_def.damping = 1.0;
	s_def.steps[0] = step;
	s_def.body.enableSleep = true;
	s_def.body.transform.position.y = (float)( size / 6.0 );
	if ( s_abuse > 0.0f )
	{
		s_def.body.transform.position.y += (float)size;
		s_def.body.linearVelocity = ( gelVec3 ){ 3.0f, -s_abuse, 1.0f };
		s_def.body.angularVelocity = ( gelVec3 ){ 5.0f, s_abuse, -8.0f };
	}
	gelMakeParticleStage( &s_def, &s_stage );
}

// From soft to as stiff as the factor holds, a cube that was put on the ground is asleep within four seconds,
// with contact and without.
static void TestStiffOnesSleep( void** state )
{
	(void)state;
	static const double moduli[6] = { 1e4, 1e6, 1e8, 1e9, 1e10, 3e10 };
	for ( int k = 0; k < 12; ++k )
	{
		MakeCube( 0.3, moduli[k / 2], 1.0 / 60.0, k % 2 == 1 );
		gelParticleStage_Step( &s_stage, 240 );
		assert_false( gelBody_IsAwake( s_stage.body ) );
		assert_true( gelBody_GetDynamics( s_stage.body ).centerOfMass.y > 0.12f );
		gelFreeParticleStage( &s_stage );
	}
}

// Root mean square over the mass [m/s].
static double GetRms( void )
{
	gelBodyDynamics d = gelBody_GetDynamics( s_stage.body );
	return sqrt( 2.0 * (double)d.kineticEnergy / (double)d.mass );
}

// A cube on the ground that a plate presses to half of its height within a second stays below it, gets slow
// within a second and sleeps soon after.
static void TestPressedToHalf( void** state )
{
	(void)state;
	static const double moduli[3] = { 1e5, 2e5, 1e6 };
	for ( int k = 0; k < 6; ++k )
	{
		MakeCube( 0.3, moduli[k / 2], 1.0 / 60.0, true );
		gelColliderDef plate = gelDefaultColliderDef();
		plate.shape = k % 2 == 0 ? gel_shapeBox : gel_shapePlane;
		plate.halfExtents = ( gelVec3 ){ 1.0f, 0.1f, 1.0f };
		float half = k % 2 == 0 ? 0.1f : 0.0f;
		if ( k % 2 == 1 ) plate.transform.rotation = ( gelQuat ){ { 1.0f, 0.0f, 0.0f }, 0.0f }; // faces down
		plate.transform.position = ( gelVec3 ){ 0.1f, 0.31f + half, 0.1f };
		gelColliderId id;
		assert_int_equal( gelCreateCollider( s_stage.world, &plate, &id ), gel_success );
		gelTransform target = plate.transform;
		for ( int i = 1; i <= 60; ++i )
		{
			target.position.y = half + 0.31f - 0.16f * (float)i / 60.0f;
			assert_int_equal( gelCollider_SetTarget( id, target ), gel_success );
			gelParticleStage_Step( &s_stage, 1 );
		}
		gelParticleStage_Step( &s_stage, 60 );
		assert_true( GetRms() < 0.01 );
		gelParticleStage_Step( &s_stage, 120 );
		assert_false( gelBody_IsAwake( s_stage.body ) );
		gelVec3 center = gelBody_GetDynamics( s_stage.body ).centerOfMass;
		assert_true( fabsf( center.x - 0.1f ) < 0.01f && fabsf( center.z - 0.1f ) < 0.01f );
		assert_true( center.y > 0.06f && center.y < 0.09f );
		gelFreeParticleStage( &s_stage );
	}
}

// Puts every particle to a random place in the lower part of the cube.
static void Scramble( double size, uint64_t seed )
{
	gelRandom random = { seed };
	gelParticleStage_Fetch( &s_stage );
	for ( int i = 0; i < s_stage.count; ++i )
	{
		gelVec3* x = &s_stage.poses[i].position;
		x->x = (float)gelRandom_Uniform( &random, 0.0, 0.7 * size );
		x->y = (float)gelRandom_Uniform( &random, 0.1 * size, 0.7 * size );
		x->z = (float)gelRandom_Uniform( &random, 0.0, 0.7 * size );
	}
	gelParticleStage_Put( &s_stage );
}

// Thrown at the ground with a spin, scrambled, scrambled into a corner: 0.03 to 3 m, 1e4 to 1e8 Pa, two
// lengths of step. All cubes up to 0.3 m sleep within ten seconds, with contact or without. Those of 3 m jump
// for metres and ring on, as nothing but the damping of 1/s takes their energy; near half of them sleep by
// then.
static void TestAbusedOnesSleep( void** state )
{
	(void)state;
	static const double sizes[3] = { 0.03, 0.3, 3.0 }, moduli[3] = { 1e4, 1e6, 1e8 };
	int slept[3] = { 0, 0, 0 };
	for ( int k = 0; k < 54; ++k )
	{
		int kind = k % 3, size = k / 3 % 3, rate = k / 27 == 0 ? 60 : 120;
		s_abuse = kind == 0 ? 20.0f : 0.0f;
		MakeCube( sizes[size], moduli[k / 9 % 3], 1.0 / rate, k % 2 == 0 );
		if ( kind == 1 ) Scramble( sizes[size], (uint64_t)k );
		if ( kind == 2 ) Scramble( 0.1 * sizes[size], (uint64_t)k );
		for ( int i = 0; i < 10 * rate && gelBody_IsAwake( s_stage.body ); ++i )
			gelParticleStage_Step( &s_stage, 1 );
		slept[size] += !gelBody_IsAwake( s_stage.body );
		gelFreeParticleStage( &s_stage );
	}
	s_abuse = 0.0f;
	assert_int_equal( slept[0] + slept[1], 36 );
	assert_true( slept[2] >= 8 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestStiffOnesSleep ),
		cmocka_unit_test( TestPressedToHalf ),
		cmocka_unit_test( TestAbusedOnesSleep ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
