// SPDX-License-Identifier: MIT
// Bodies that a game has wrecked come back: scrambled ones do not sleep inside out, and ones that cannot be
// stepped from where they are get their rest shape.
#include "test_support.h"

#include "stage.h"

#include "solvers/node_body.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 4

static gelStageDef MakeBoxDef( gelSolverType solver )
{
	gelStageDef def = gelDefaultStageDef();
	def.body.solver = gelDefaultSolverDef( solver );
	def.body.enableSleep = true;
	return def;
}

static int CountInverted( const gelStage* stage )
{
	return gelBody_GetDynamics( stage->body ).invertedTetCount;
}

// All nodes anywhere in the box.
static void Scramble( gelStage* stage, gelRandom* random )
{
	for ( int i = 0; i < stage->nodeCount; ++i )
	{
		stage->nodes[i] = ( gelVec3 ){ (float)gelRandom_Uniform( random, 0.0, 1.0 ),
			(float)gelRandom_Uniform( random, 0.0, 1.0 ), (float)gelRandom_Uniform( random, 0.0, 1.0 ) };
		stage->velocities[i] = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	}
	assert_int_equal(
		gelBody_SetNodeState( stage->body, stage->nodes, stage->velocities, stage->nodeCount ), gel_success );
}

static void TestScrambledBodiesUnfold( void** state )
{
	(void)state;
	static const gelSolverType solvers[] = { gel_solverFastCorotated, gel_solverImplicit };
	int folded = 0;
	for ( int s = 0; s < 2; ++s )
	{
		gelStageDef def = MakeBoxDef( solvers[s] );
		def.damping = 1.0e5; // so slow that it counts as still: what a minimum of the energy would do as well
		for ( uint64_t seed = 1; seed <= SEEDS; ++seed )
		{
			gelStage stage = gelMakeStage( &def );
			gelRandom random = { seed };
			Scramble( &stage, &random );
			assert_true( CountInverted( &stage ) > 0 );
			for ( int i = 0; i < 1200 && gelBody_IsAwake( stage.body ); ++i )
				gelStage_Step( &stage, 1 );
			assert_false( gelBody_IsAwake( stage.body ) );
			assert_int_equal( CountInverted( &stage ), 0 );
			folded += gelWorld_GetCounters( stage.world ).unfoldedBodyCount;
			gelFreeStage( &stage );
		}
	}
	assert_true( folded >= SEEDS ); // some unfold by themselves
}

// A step that fails from rest is given up: the body gets its rest shape, and goes on.
static void TestNothingRepeatsForEver( void** state )
{
	(void)state;
	gelStageDef def = MakeBoxDef( gel_solverImplicit );
	gelStage stage = gelMakeStage( &def );
	gelRandom random = { 7 };
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
		stage.nodes[i].y *= 1.0e-3f * (float)gelRandom_Uniform( &random, 0.0, 1.0 );
	memset( stage.velocities, 0, (size_t)stage.nodeCount * sizeof( gelVec3 ) );
	gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
	// as the end of a step that failed
	gelBody* body = gelAskBody( stage.body );
	memcpy( body->xOld, body->x, (size_t)stage.nodeCount * sizeof( gelVec3 ) );
	gelNodeBody_PutBack( body );
	gelBodyDynamics d = gelBody_GetDynamics( stage.body );
	assert_int_equal( d.invertedTetCount, 0 );
	assert_true( fabsf( d.volume / (float)( def.size[0] * def.size[1] * def.size[2] ) - 1.0f ) < 1e-3f );
	// one that fails on its way goes back to where it started
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
		stage.velocities[i] = ( gelVec3 ){ 0.0f, 1.0f, 0.0f };
	stage.nodes[0].x -= 0.01f;
	gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
	memcpy( body->xOld, body->x, (size_t)stage.nodeCount * sizeof( gelVec3 ) );
	uint64_t place = gelPack_Hash( body->x, (size_t)stage.nodeCount * sizeof( gelVec3 ) );
	gelNodeBody_PutBack( body );
	assert_true( place == gelPack_Hash( body->x, (size_t)stage.nodeCount * sizeof( gelVec3 ) ) );
	gelStage_Step( &stage, 10 );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestScrambledBodiesUnfold ),
		cmocka_unit_test( TestNothingRepeatsForEver ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
