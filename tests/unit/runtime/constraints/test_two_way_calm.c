// SPDX-License-Identifier: MIT
// A ball that is thrown with a body hanging on it: together they lose energy, however few iterations there
// are, however light the ball is, and keep their momentum.
#include "test_support.h"

#include "math/gel_math.h"
#include "stage.h"

#include <math.h>
#include <stdio.h>

#define POINT_COUNT 3

// A rigid ball of the game: semi-implicit Euler.
typedef struct Ball
{
	gelVec3 position, velocity, spin; // [m], [m/s], [rad/s]
	gelQuat rotation;
	float mass, inertia; // [kg], [kg m^2]
	gelFrameId frame;
} Ball;

static gelQuat Turn( gelQuat q, gelVec3 turn )
{
	gelQuat p = { gelScale( 0.5f, turn ), 1.0f };
	gelQuat r = gelMulQuat( p, q );
	float inv = 1.0f / sqrtf( gelLengthSquaredQuat( r ) );
	return ( gelQuat ){ gelScale( inv, r.v ), inv * r.s };
}

// A bar of 40 kg that nothing else holds, with iterations as they are by default.
static gelStage MakeBar( gelSolverType solver, double youngsModulus, double step )
{
	gelStageDef def = gelDefaultStageDef();
	const double size[3] = { 0.2, 1.0, 0.2 };
	const int cells[3] = { 4, 20, 4 };
	for ( int k = 0; k < 3; ++k )
	{
		def.size[k] = size[k];
		def.cells[k] = cells[k];
	}
	def.youngsModulus = youngsModulus;
	def.step = step;
	def.body.solver = gelDefaultSolverDef( solver );
	return gelMakeStage( &def );
}

static int FindNode( const gelStage* stage, gelVec3 place )
{
	int best = 0;
	for ( int i = 1; i < stage->nodeCount; ++i )
	{
		if ( gelLength( gelSub( stage->rest[i], place ) ) < gelLength( gelSub( stage->rest[best], place ) ) )
			best = i;
	}
	return best;
}

// A ball of 5 cm on top, held at points next to it that are not in a row.
static Ball AttachBall( const gelStage* stage, float mass )
{
	const gelVec3 anchors[POINT_COUNT] = { { 0.2f, 0.399f, 0.2f }, { 0.31f, 0.399f, 0.2f },
		{ 0.2f, 0.399f, 0.09f } };
	Ball ball = { .position = { 0.1f, 1.05f, 0.1f }, .velocity = { 1.0f, 0.5f, 0.0f } };
	ball.rotation = ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f };
	ball.mass = mass;
	ball.inertia = 0.4f * mass * 0.05f * 0.05f;
	gelFrameDef frameDef = gelDefaultFrameDef();
	frameDef.transform.position = ball.position;
	frameDef.mass = mass;
	frameDef.inertia = gelMakeVec3( ball.inertia, ball.inertia, ball.inertia );
	assert_int_equal( gelCreateFrame( stage->body, &frameDef, &ball.frame ), gel_success );
	for ( int k = 0; k < POINT_COUNT; ++k )
	{
		gelConstraintDef def = gelDefaultConstraintDef();
		gelConstraintId id;
		int node = FindNode( stage, anchors[k] );
		def.point = gelAsset_GetNodePoint( stage->asset, node );
		def.frame = ball.frame;
		def.target = gelSub( stage->rest[node], ball.position );
		assert_int_equal( gelCreateConstraint( stage->body, &def, &id ), gel_success );
	}
	return ball;
}

static void StepBoth( gelStage* stage, Ball* ball )
{
	float h = stage->step;
	gelTransform pose = { gelMulAdd( ball->position, h, ball->velocity ),
		Turn( ball->rotation, gelScale( h, ball->spin ) ) };
	assert_int_equal( gelFrame_SetTransform( ball->frame, pose ), gel_success );
	gelStage_Step( stage, 1 );
	gelReaction reaction;
	assert_int_equal( gelFrame_GetReaction( ball->frame, &reaction ), gel_success );
	gelVec3 kick = gelScale( h / ball->mass, reaction.force );
	gelVec3 turn = gelScale( h / ball->inertia, reaction.torque );
	ball->velocity = gelAdd( ball->velocity, kick );
	ball->position = gelMulAdd( pose.position, h, kick );
	ball->spin = gelAdd( ball->spin, turn );
	ball->rotation = Turn( pose.rotation, gelScale( h, turn ) );
}

static double GetEnergy( const gelStage* stage, const Ball* ball )
{
	gelBodyDynamics d = gelBody_GetDynamics( stage->body );
	gelVec3 v = ball->velocity, w = ball->spin;
	return (double)( d.kineticEnergy + d.elasticEnergy ) +
		0.5 * (double)( ball->mass * gelDot( v, v ) + ball->inertia * gelDot( w, w ) );
}

static gelVec3 GetMomentum( const gelStage* stage, const Ball* ball )
{
	return gelMulAdd( gelBody_GetDynamics( stage->body ).linearMomentum, ball->mass, ball->velocity );
}

static void Throw( gelSolverType solver, double youngsModulus, double step, float part )
{
	gelStage stage = MakeBar( solver, youngsModulus, step );
	Ball ball = AttachBall( &stage, part * gelAsset_GetInfo( stage.asset ).mass );
	double start = GetEnergy( &stage, &ball ), largest = 0.0;
	gelVec3 momentum = GetMomentum( &stage, &ball );
	for ( int i = 0; i < (int)lround( 1.0 / step ); ++i )
	{
		StepBoth( &stage, &ball );
		double energy = GetEnergy( &stage, &ball );
		assert_true( isfinite( energy ) );
		largest = fmax( largest, energy );
	}
	gelVec3 change = gelSub( GetMomentum( &stage, &ball ), momentum );
	double lost = (double)gelLength( change ) / (double)gelLength( momentum );
	printf( "solver %d, %g Pa, 1/%.0f s, %.3f of the body: energy at most %.3f, momentum off by %.2e\n",
		(int)solver, youngsModulus, 1.0 / step, (double)part, largest / start, lost );
	assert_true( largest < 1.02 * start );
	assert_true( lost < ( solver == gel_solverImplicit ? 5e-4 : 1e-2 ) );
	gelFreeStage( &stage );
}

static void ThrowAll( gelSolverType solver )
{
	const double moduli[2] = { 1e4, 1e6 }, steps[4] = { 1.0 / 240.0, 1.0 / 120.0, 1.0 / 60.0, 1.0 / 20.0 };
	const float parts[4] = { 1.0f / 40.0f, 1.0f / 12.0f, 0.3f, 1.0f };
	for ( int i = 0; i < 2 * 4 * 4; ++i )
		Throw( solver, moduli[i / 16], steps[i / 4 % 4], parts[i % 4] );
}

static void TestFast( void** state )
{
	(void)state;
	ThrowAll( gel_solverFastCorotated );
}

static void TestImplicit( void** state )
{
	(void)state;
	ThrowAll( gel_solverImplicit );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFast ),
		cmocka_unit_test( TestImplicit ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
