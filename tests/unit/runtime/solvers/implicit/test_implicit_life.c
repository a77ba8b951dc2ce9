// SPDX-License-Identifier: MIT
// The implicit solver through its settings: refused ones, damping, every way to find rotations, recovery from
// inside out, other solvers beside it, saved states, and no memory taken while stepping.
#include "test_support.h"

#include "counting_allocator.h"
#include "solvers/experiments/rotation.h"
#include "solvers/implicit/implicit.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>

static gelStageDef ImplicitStageDef( void )
{
	gelStageDef def = gelDefaultStageDef();
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	return def;
}

static void TestWrongSettings( void** state )
{
	(void)state;
	gelStageDef stageDef = ImplicitStageDef();
	gelStage stage = gelMakeStage( &stageDef );
	for ( int wrong = 0; wrong < 16; ++wrong )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = stage.asset;
		def.solver = gelDefaultSolverDef( gel_solverImplicit );
		gelImplicitDef* i = &def.solver.implicit;
		gelImplicitVariant v = gelDefaultImplicitVariant();
		i->variant = &v;
		switch ( wrong )
		{
			case 0:
				i->newtonIterations = 0;
				break;
			case 1:
				i->newtonIterations = 101;
				break;
			case 2:
				i->linearIterations = 0;
				break;
			case 3:
				i->linearIterations = 10001;
				break;
			case 4:
				i->tolerance = NAN;
				break;
			case 5:
				i->tolerance = -1.0f;
				break;
			case 6:
				v.linearSolver = (gelLinearSolver)2;
				break;
			case 7:
				i->preconditioner = (gelPreconditioner)3;
				break;
			case 8:
				v.differential = (gelDifferential)6;
				break;
			case 9:
				v.element = (gelElementType)2;
				break;
			case 10:
				v.rotation = (gelRotationKind)8;
				break;
			case 11:
				v.degenerateBelow = 2.0f;
				break;
			case 12:
				v.degeneratePush = 0.5f;
				break;
			case 13:
				i->massDamping = INFINITY;
				break;
			case 14:
				i->stiffnessDamping = -1.0f;
				break;
			default:
				def.solver = gelDefaultSolverDef( (gelSolverType)77 );
				break;
		}
		gelBodyId id;
		assert_int_equal( gelCreateBody( stage.world, &def, &id ), gel_errorArgument );
		def.solver = gelDefaultSolverDef( gel_solverFastCorotated );
		if ( wrong == 15 ) continue;
		assert_int_equal( gelCreateBody( stage.world, &def, &id ), gel_success ); // which does not read them
		gelDestroyBody( id );
	}
	gelFreeStage( &stage );
}

// v / (1 + h a) per step for the mass part; the stiffness part leaves translations alone and stops
// vibrations.
static void TestDamping( void** state )
{
	(void)state;
	gelStageDef def = ImplicitStageDef();
	def.body.solver.implicit.massDamping = 2.0f;
	def.body.linearVelocity = ( gelVec3 ){ 3.0f, 0.0f, 0.0f };
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 60 );
	double expected = 3.0 * pow( 1.0 + 2.0 / 60.0, -60.0 );
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
		assert_true( fabs( stage.velocities[i].x - expected ) < 1e-3 );
	gelFreeStage( &stage );

	double energies[2];
	for ( int damped = 0; damped < 2; ++damped )
	{
		def = ImplicitStageDef();
		def.body.solver.implicit.stiffnessDamping = damped ? 0.01f : 0.0f;
		def.body.solver.implicit.newtonIterations = 3;
		def.body.solver.implicit.linearIterations = 60;
		def.body.linearVelocity = ( gelVec3 ){ 3.0f, 0.0f, 0.0f };
		stage = gelMakeStage( &def );
		stage.step = 1.0f / 240.0f;
		gelStage_Fetch( &stage );
		for ( int i = 0; i < stage.nodeCount; ++i )
			stage.nodes[i].y *= 1.1f;
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		gelStage_Step( &stage, 60 );
		gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
		double rigid = 0.5 * dynamics.mass * 9.0;
		energies[damped] = dynamics.kineticEnergy + dynamics.elasticEnergy - rigid;
		assert_true( fabsf( dynamics.linearMomentum.x / dynamics.mass - 3.0f ) < 1e-4f );
		gelFreeStage( &stage );
	}
	assert_true( energies[1] < 0.3 * energies[0] && energies[0] > 0.0 );
}

// Thrown together at random in its box, the body finds back to its shape by every method that is meant to,
// with witnesses only where elements are degenerate, and to none in the end.
static void TestRecovery( void** state )
{
	(void)state;
	const gelRotationKind kinds[] = { gel_rotationDapd, gel_rotationApd, gel_rotationIsvd, gel_rotationQr,
		gel_rotationCsvd, gel_rotationProject, gel_rotationReflect };
	for ( size_t k = 0; k < sizeof( kinds ) / sizeof( kinds[0] ); ++k )
	{
		gelStageDef def = ImplicitStageDef();
		gelImplicitVariant variant = gelDefaultImplicitVariant();
		variant.rotation = kinds[k];
		variant.hasExactForces = k == 0;
		def.body.solver.implicit.variant = &variant;
		def.body.solver.implicit.massDamping = 1.0f;
		gelStage stage = gelMakeStage( &def );
		gelRandom random = { 21 };
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			stage.nodes[i] = ( gelVec3 ){ (float)gelRandom_Uniform( &random, 0.0, 1.0 ),
				(float)gelRandom_Uniform( &random, 0.0, 1.0 ),
				(float)gelRandom_Uniform( &random, 0.0, 1.0 ) };
		}
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		const gelBody* body = gelGetBody( stage.body );
		bool hadWitness = false;
		int slots = 8 * stage.asset->blockCount;
		for ( int step = 0; step < 200; ++step )
		{
			gelStage_Step( &stage, 1 );
			for ( int slot = 0; slot < slots && gelUsesWitness( kinds[k] ); ++slot )
			{
				uint32_t tet = stage.asset->slotTets[slot];
				if ( tet == GEL_PACK_NO_TET ) continue;
				float J = gelDeterminant( gelDeformationGradient( &stage.asset->pack, tet, body->x ) );
				bool hasWitness = gelGetImplicit( body )->witnesses[slot] != 0;
				hadWitness = hadWitness || hasWitness;
				assert_true( J > 0.11f ? !hasWitness : J < 0.09f ? hasWitness : true );
			}
		}
		assert_true( hadWitness == gelUsesWitness( kinds[k] ) );
		gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
		assert_int_equal( dynamics.invertedTetCount, 0 );
		assert_true( fabsf( dynamics.volume - 1.0f ) < 0.05f );
		assert_int_equal( gelWorld_GetCounters( stage.world ).nonFiniteBodyCount, 0 );
		gelFreeStage( &stage );
	}
}

// QR frames find back from a shake. Their gradients shrink with the element, so that a body in one point has
// next to no forces and stays there; but it stays finite.
static void TestQrSurvives( void** state )
{
	(void)state;
	for ( int collapsed = 0; collapsed < 2; ++collapsed )
	{
		gelStageDef def = ImplicitStageDef();
		gelImplicitVariant variant = gelDefaultImplicitVariant();
		variant.element = gel_elementQr;
		def.body.solver.implicit.variant = &variant;
		def.body.solver.implicit.massDamping = 1.0f;
		gelStage stage = gelMakeStage( &def );
		gelRandom random = { 22 };
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			gelVec3 noise = { (float)gelRandom_Uniform( &random, -0.1, 0.1 ),
				(float)gelRandom_Uniform( &random, -0.1, 0.1 ),
				(float)gelRandom_Uniform( &random, -0.1, 0.1 ) };
			gelVec3 point = gelScale( 1e-3f, noise );
			stage.nodes[i] = collapsed ? point : gelAdd( stage.rest[i], noise );
		}
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		gelStage_Step( &stage, 400 );
		gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
		assert_true( collapsed || fabsf( dynamics.volume - 1.0f ) < 0.02f );
		assert_true( isfinite( dynamics.kineticEnergy ) && isfinite( dynamics.volume ) );
		assert_int_equal( gelWorld_GetCounters( stage.world ).nonFiniteBodyCount, 0 );
		gelFreeStage( &stage );
	}
}

// Solvers side by side in a world do not see each other, and a state that is put back goes on with the same
// bits.
static void TestCompanyAndRollback( void** state )
{
	(void)state;
	gelStageDef def = ImplicitStageDef();
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.world.hasGround = true;
	def.body.transform.position = ( gelVec3 ){ 0.0f, 0.2f, 0.0f };
	def.body.angularVelocity = ( gelVec3 ){ 4.0f, 1.0f, 0.0f };
	gelStage stage = gelMakeStage( &def ), alone = gelMakeStage( &def );
	gelBodyDef other = def.body;
	other.asset = stage.asset;
	gelBodyId ids[4];
	for ( int i = 0; i < 4; ++i )
	{
		other.solver = gelDefaultSolverDef( i % 2 == 0 ? gel_solverFastCorotated : gel_solverImplicit );
		if ( i % 2 == 1 ) other.solver.implicit.newtonIterations = 1 + i / 2;
		assert_int_equal( gelCreateBody( stage.world, &other, ids + i ), gel_success );
	}
	// upside down for a while: witnesses are part of the state
	gelStage* both[] = { &stage, &alone };
	for ( int s = 0; s < 2; ++s )
	{
		gelStage_Fetch( both[s] );
		for ( int i = 0; i < both[s]->nodeCount; ++i )
			both[s]->nodes[i].x = -both[s]->nodes[i].x + 1e-3f * (float)( i % 7 );
		gelBody_SetNodeState( both[s]->body, both[s]->nodes, both[s]->velocities, both[s]->nodeCount );
		gelStage_Step( both[s], 3 );
	}
	assert_true( gelBody_HashState( stage.body ) == gelBody_HashState( alone.body ) );
	size_t bytes = gelBody_GetStateBytes( stage.body );
	void* saved = malloc( bytes );
	assert_int_equal( gelBody_SaveState( stage.body, saved, bytes ), gel_success );
	const gelBody* body = gelGetBody( stage.body );
	int witnessCount = 0;
	for ( int slot = 0; slot < 8 * stage.asset->blockCount; ++slot )
		witnessCount += gelGetImplicit( body )->witnesses[slot] != 0;
	assert_true( witnessCount > 0 );
	gelStage_Step( &stage, 100 );
	uint64_t hash = gelBody_HashState( stage.body );
	assert_int_equal( gelBody_RestoreState( stage.body, saved, bytes ), gel_success );
	gelStage_Step( &stage, 100 );
	assert_true( gelBody_HashState( stage.body ) == hash );
	free( saved );
	gelFreeStage( &alone );
	gelFreeStage( &stage );
}

static int s_callCount;

// One block per body and three for its world, whatever the settings; none in steps.
static void TestMemory( void** state )
{
	(void)state;
	for ( int kind = 0; kind < 4; ++kind )
	{
		gelStageDef def = ImplicitStageDef();
		def.world.allocator = gelMakeCountingAllocator( &s_callCount );
		def.world.hasGround = true;
		def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		gelImplicitVariant variant = gelDefaultImplicitVariant();
		variant.linearSolver = kind == 1 ? gel_linearMinres : gel_linearCg;
		variant.element = kind == 2 ? gel_elementQr : gel_elementPolar;
		if ( kind > 0 ) def.body.solver.implicit.variant = &variant;
		def.body.solver.implicit.preconditioner = kind == 3 ? gel_preconditionFactor : gel_preconditionBlocks;
		s_callCount = 0;
		gelStage stage = gelMakeStage( &def );
		assert_int_equal( s_callCount, 4 );
		gelStage_Step( &stage, 30 );
		assert_int_equal( s_callCount, 4 );
		assert_true( gelWorld_GetCounters( stage.world ).groundContactCount > 0 );
		gelFreeStage( &stage );
	}
}

// Far from the world's origin nothing is less precise, and numbers that leave float end in rest, not in NaN.
static void TestFarAndWild( void** state )
{
	(void)state;
	gelStageDef def = ImplicitStageDef();
	def.body.linearVelocity = ( gelVec3 ){ 500.0f, 0.0f, 0.0f };
	def.body.transform.position = ( gelVec3 ){ 1.0e6f, -3.0e5f, 2.0e6f };
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 600 );
	const gelBody* body = gelGetBody( stage.body );
	assert_true( gelLength( body->x[0] ) < 100.0f ); // the origin has followed
	gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
	assert_true( fabsf( dynamics.volume - 1.0f ) < 1e-4f );
	assert_true( fabs( body->origin[0] + body->x[0].x - 1.0e6 - 5000.0 ) < 2.0 );

	assert_int_equal( gelBody_AddNodeForce( stage.body, 0, ( gelVec3 ){ 1e9f, 1e9f, 1e9f } ), gel_success );
	gelStage_Step( &stage, 1 );
	for ( int i = 0; i < 200; ++i )
	{
		gelBody_AddNodeForce( stage.body, i % stage.nodeCount, ( gelVec3 ){ 1e9f, -1e9f, 1e9f } );
		gelStage_Step( &stage, 1 );
	}
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
		assert_true( isfinite( stage.nodes[i].x ) && isfinite( stage.velocities[i].x ) );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestWrongSettings ),
		cmocka_unit_test( TestDamping ),
		cmocka_unit_test( TestRecovery ),
		cmocka_unit_test( TestQrSurvives ),
		cmocka_unit_test( TestCompanyAndRollback ),
		cmocka_unit_test( TestMemory ),
		cmocka_unit_test( TestFarAndWild ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
