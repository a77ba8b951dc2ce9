// SPDX-License-Identifier: MIT
// Bodies of particles come to rest and fall asleep.
#include "test_support.h"

#include "particle_stage.h"

static gelParticleStageDef s_def;
static gelParticleStage s_stage;

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

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestStiffOnesSleep ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
