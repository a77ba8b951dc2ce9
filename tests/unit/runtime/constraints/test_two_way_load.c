// SPDX-License-Identifier: MIT
// Two-way attachments under a load that stays.
#include "test_support.h"

#include "math/gel_math.h"
#include "stage.h"

#include <math.h>
#include <stdio.h>

static gelVec3 GetPosition( const gelStage* stage, gelEmbeddedPoint point )
{
	gelVec3 p;
	assert_int_equal( gelBody_GetPointPosition( stage->body, &point, &p ), gel_success );
	return p;
}

static double Distance( gelVec3 a, gelVec3 b )
{
	return (double)gelLength( gelSub( a, b ) );
}

// A ball hangs on a body that hangs on a pin: under its weight, which stays, the anchor keeps to the ball.
static void TestTwoWayUnderLoad( void** state )
{
	(void)state;
	const float masses[3] = { 5.0f, 20.0f, 100.0f };
	for ( int i = 0; i < 12; ++i )
	{
		gelStageDef stageDef = gelDefaultStageDef();
		for ( int k = 0; k < 3; ++k )
			stageDef.size[k] = 0.4;
		stageDef.youngsModulus = 1e6;
		stageDef.step = i < 6 ? 1.0 / 60.0 : 0.1;
		stageDef.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		stageDef.body.solver =
			gelDefaultSolverDef( i / 3 % 2 == 0 ? gel_solverFastCorotated : gel_solverImplicit );
		gelStage stage = gelMakeStage( &stageDef );
		float m = masses[i % 3], h = stage.step;
		gelConstraintDef def = gelDefaultConstraintDef();
		gelConstraintId id;
		def.point = gelAsset_GetNodePoint( stage.asset, stage.nodeCount - 1 );
		def.target = GetPosition( &stage, def.point );
		assert_int_equal( gelCreateConstraint( stage.body, &def, &id ), gel_success );
		def.target = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		def.point = gelAsset_GetNodePoint( stage.asset, 0 );
		gelFrameDef frameDef = gelDefaultFrameDef();
		gelVec3 x = frameDef.transform.position = GetPosition( &stage, def.point ), v = { 0.0f, 0.0f, 0.0f };
		frameDef.mass = m;
		frameDef.inertia = gelMakeVec3( 0.004f * m, 0.004f * m, 0.004f * m );
		assert_int_equal( gelCreateFrame( stage.body, &frameDef, &def.frame ), gel_success );
		assert_int_equal( gelCreateConstraint( stage.body, &def, &id ), gel_success );
		double worst = 0.0;
		int stepCount = (int)lround( 20.0 / stageDef.step );
		for ( int step = 0; step < stepCount; ++step )
		{
			gelTransform pose = frameDef.transform;
			v.y -= 9.81f * h;
			pose.position = gelMulAdd( x, h, v );
			assert_int_equal( gelFrame_SetTransform( def.frame, pose ), gel_success );
			gelStage_Step( &stage, 1 );
			gelReaction reaction;
			assert_int_equal( gelFrame_GetReaction( def.frame, &reaction ), gel_success );
			v = gelMulAdd( v, h / m, reaction.force );
			x = gelMulAdd( x, h, v );
			if ( 2 * step > stepCount )
				worst = fmax( worst, Distance( x, GetPosition( &stage, def.point ) ) );
		}
		double limit = i < 6 ? 4e-5 : 3e-3; // measured: 1.7e-5 and 1.2e-3 m
		printf( "%g kg, solver %d, %g s: anchor off by %.2e m\n", (double)m, (int)stageDef.body.solver.type,
			stageDef.step, worst );
		assert_true( worst < limit );
		gelFreeStage( &stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestTwoWayUnderLoad ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
