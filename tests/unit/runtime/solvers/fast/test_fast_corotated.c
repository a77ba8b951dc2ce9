// SPDX-License-Identifier: MIT
// Laws of the fast corotated solver: rest, momentum, affine states, free fall, and no NaN whatever happens.
#include "test_support.h"

#include "elements_ref.h"
#include "solvers/fast/fast_corotated.h"
#include "stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double Distance( gelVec3 a, gelVec3 b )
{
	double x = (double)a.x - b.x, y = (double)a.y - b.y, z = (double)a.z - b.z;
	return sqrt( x * x + y * y + z * z );
}

// Undeformed, without forces, nothing moves by a single bit, wherever the body is.
static void TestRestStaysAtRest( void** state )
{
	(void)state;
	gelAssertRestStays( gelDefaultStageDef(), 1000 );
}

// A turned body is off by rounding, which must not grow.
static void TestTurnedRestStaysAtRest( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.body.transform.rotation = ( gelQuat ){ { 0.36f, 0.48f, 0.0f }, 0.8f };
	gelStage stage = gelMakeStage( &def );
	gelStage_Fetch( &stage );
	gelVec3* start = stage.positions; // large enough: a box has more art vertices than needed here
	int count = stage.nodeCount < stage.vertexCount ? stage.nodeCount : stage.vertexCount;
	memcpy( start, stage.nodes, (size_t)count * sizeof( gelVec3 ) );
	gelStage_Step( &stage, 1000 );
	gelStage_Fetch( &stage );
	for ( int i = 0; i < count; ++i )
	{
		assert_true( Distance( stage.nodes[i], start[i] ) < 1e-4 );
		assert_true( gelLength( stage.velocities[i] ) < 1e-4f );
	}
	gelFreeStage( &stage );
}

// Random displacements of the nodes, up to `size` in each coordinate, and random velocities.
static void Shake( gelStage* stage, double size, double speed, uint64_t seed )
{
	gelRandom random = { seed };
	gelStage_Fetch( stage );
	for ( int i = 0; i < stage->nodeCount; ++i )
	{
		float* x = &stage->nodes[i].x;
		float* v = &stage->velocities[i].x;
		for ( int k = 0; k < 3; ++k )
		{
			x[k] += (float)gelRandom_Uniform( &random, -size, size );
			v[k] = (float)gelRandom_Uniform( &random, -speed, speed );
		}
	}
	assert_int_equal(
		gelBody_SetNodeState( stage->body, stage->nodes, stage->velocities, stage->nodeCount ), gel_success );
}

static void TestCornersSumToZero( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	Shake( &stage, 0.1, 0.0, 11 );
	gelBody* body = gelGetBody( stage.body );
	int cornerCount = 4 * GEL_BLOCK_LANES * body->asset->blockCount;
	gelVec3* corners = malloc( (size_t)cornerCount * sizeof( gelVec3 ) );
	assert_non_null( corners );
	gelComputeCorners_Ref( body->asset, body->x, body->q, stage.step, corners );
	double sum[3] = { 0.0 }, size = 0.0;
	for ( int i = 0; i < cornerCount; ++i )
	{
		sum[0] += corners[i].x;
		sum[1] += corners[i].y;
		sum[2] += corners[i].z;
		size += gelLength( corners[i] );
	}
	for ( int k = 0; k < 3; ++k )
		assert_true( fabs( sum[k] ) < 1e-6 * size );
	free( corners );
	gelFreeStage( &stage );
}

// Stages 2 to 4 push only in pairs: a free body keeps its linear momentum to rounding.
static void TestLinearMomentum( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.body.linearVelocity = ( gelVec3 ){ 1.0f, 2.0f, -3.0f };
	def.poissonsRatio = 0.45;
	gelStage stage = gelMakeStage( &def );
	Shake( &stage, 0.1, 2.0, 12 );
	gelBodyDynamics before = gelBody_GetDynamics( stage.body );
	double scale = 0.0; // sum of m |v|
	for ( int i = 0; i < stage.nodeCount; ++i )
		scale += before.mass / stage.nodeCount * gelLength( stage.velocities[i] );
	gelStage_Step( &stage, 100 );
	gelBodyDynamics after = gelBody_GetDynamics( stage.body );
	assert_true( Distance( before.linearMomentum, after.linearMomentum ) < 1e-4 * scale );
	gelFreeStage( &stage );
}

// 1 m box, 1 MPa, one turn per second: never gains angular momentum, and keeps what backward Euler keeps at
// 10 ms, 75 % after a second.
static void TestAngularMomentum( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.youngsModulus = 1e6;
	def.step = 0.01;
	def.body.angularVelocity = ( gelVec3 ){ 0.0f, 6.2831853f, 0.0f };
	gelStage stage = gelMakeStage( &def );
	double first = gelLength( gelBody_GetDynamics( stage.body ).angularMomentum ), last = first;
	for ( int i = 0; i < 100; ++i )
	{
		gelStage_Step( &stage, 1 );
		double now = gelLength( gelBody_GetDynamics( stage.body ).angularMomentum );
		assert_true( now < last * ( 1.0 + 1e-4 ) );
		last = now;
	}
	assert_true( last > 0.70 * first );
	gelFreeStage( &stage );
}

// Affine positions on the boundary give the same affine map inside (nu = 0: the stretch term alone).
static void TestPatch( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.pinBoundary = true;
	def.poissonsRatio = 0.0;
	def.damping = 5.0;
	gelStage stage = gelMakeStage( &def );
	// a turn by 40 degrees about y after a symmetric stretch
	const float c = 0.76604444f, s = 0.64278761f;
	gelMat3 R = { { c, 0.0f, -s }, { 0.0f, 1.0f, 0.0f }, { s, 0.0f, c } };
	gelMat3 S = { { 1.2f, 0.1f, 0.0f }, { 0.1f, 0.9f, -0.05f }, { 0.0f, -0.05f, 1.1f } };
	gelRandom random = { 13 };
	int pinCount = gelAsset_GetPinnedNodes( stage.asset, gelGetBody( stage.body )->pinSetId, NULL, 0 );
	assert_true( pinCount > 0 && pinCount < stage.nodeCount );
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		stage.nodes[i] = gelMulMV( R, gelMulMV( S, stage.rest[i] ) );
		stage.velocities[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		if ( gelGetBody( stage.body )->invMasses[i] > 0.0f )
			stage.nodes[i].y += (float)gelRandom_Uniform( &random, -0.1, 0.1 );
	}
	gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
	gelStage_Step( &stage, 300 );
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
		assert_true( Distance( stage.nodes[i], gelMulMV( R, gelMulMV( S, stage.rest[i] ) ) ) < 2e-6 );
	gelFreeStage( &stage );
}

// n steps of backward Euler under gravity fall by g h^2 n (n + 1) / 2, without deforming; also far from the
// world's origin, and so far down that the body's own origin had to follow.
static void TestFreeFall( void** state )
{
	(void)state;
	const int n = 600;
	gelStageDef def = gelDefaultStageDef();
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	def.body.transform.position = ( gelVec3 ){ 1.0e5f, 0.0f, -3.0e4f };
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, n );
	const gelBody* body = gelGetBody( stage.body );
	double h = stage.step, expected = -9.81 * h * h * 0.5 * n * ( n + 1.0 );
	gelVec3 shift = gelSub( body->x[0], stage.rest[0] );
	assert_true( fabs( body->origin[1] + shift.y - expected ) < 1e-4 * fabs( expected ) );
	assert_true( fabs( body->origin[1] - expected ) < 4.0 ); // it followed
	for ( int i = 0; i < stage.nodeCount; ++i )
		assert_true( Distance( gelSub( body->x[i], stage.rest[i] ), shift ) < 5e-4 ); // 1e-6 of the way
	gelFreeStage( &stage );
}

// Moving the body's origin is exact: the same step, seen from two origins.
static void TestRecenterIsExact( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelBody* body = gelGetBody( stage.body );
	gelRandom random = { 14 };
	double before[3][256];
	assert_true( stage.nodeCount <= 256 );
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		body->x[i] = gelAdd( stage.rest[i], gelMakeVec3( 117.3f, -41.7f, 23.1f ) );
		body->x[i].x += (float)gelRandom_Uniform( &random, 0.0, 0.01 );
		before[0][i] = body->origin[0] + body->x[i].x;
		before[1][i] = body->origin[1] + body->x[i].y;
		before[2][i] = body->origin[2] + body->x[i].z;
	}
	gelBody_Recenter( body );
	assert_true( body->origin[0] != 0.0 );
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		assert_true( body->origin[0] + body->x[i].x == before[0][i] );
		assert_true( body->origin[1] + body->x[i].y == before[1][i] );
		assert_true( body->origin[2] + body->x[i].z == before[2][i] );
	}
	gelFreeStage( &stage );
}

// A state is taken as precisely as floats say it, wherever the body was before.
static void TestNodeStateFromFarAway( void** state )
{
	(void)state;
	for ( int i = 0; i < 4; ++i )
	{
		gelStageDef def = gelDefaultStageDef();
		def.body.transform.position = ( gelVec3 ){ 0.0f, i < 2 ? 1.0e6f : 1.0e8f, 0.1f };
		def.pinLeft = i % 2 == 1;
		gelStage stage = gelMakeStage( &def );
		gelRandom random = { 17 };
		for ( int k = 0; k < stage.nodeCount; ++k )
		{
			stage.nodes[k] = stage.rest[k];
			stage.nodes[k].x += (float)gelRandom_Uniform( &random, -0.01, 0.01 ) - 100.0f;
			stage.nodes[k].y += (float)gelRandom_Uniform( &random, -0.01, 0.01 );
			stage.velocities[k] = gelMakeVec3( 0.25f, (float)k, 0.0f );
		}
		assert_int_equal(
			gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount ), gel_success );
		const gelBody* body = gelGetBody( stage.body );
		for ( int k = 0; k < stage.nodeCount; ++k )
		{
			assert_true( fabs( body->origin[0] + body->x[k].x - stage.nodes[k].x ) < 1e-6 );
			assert_true( fabs( body->origin[1] + body->x[k].y - stage.nodes[k].y ) < 1e-6 );
			assert_true( fabs( body->origin[2] + body->x[k].z - stage.nodes[k].z ) < 1e-6 );
			assert_memory_equal( body->v + k, stage.velocities + k, sizeof( gelVec3 ) );
		}
		for ( int k = 0; k < body->pinCount; ++k )
			assert_memory_equal( body->pinTargets + k, body->x + body->pins[k], sizeof( gelVec3 ) );
		gelFreeStage( &stage );
	}
}

static void AssertUsable( gelStage* stage )
{
	gelStage_Fetch( stage );
	for ( int i = 0; i < stage->nodeCount; ++i )
	{
		assert_true( gelIsUsable( stage->nodes[i] ) );
		assert_true( gelIsUsable( stage->velocities[i] ) );
	}
	assert_int_equal( gelWorld_GetCounters( stage->world ).nonFiniteBodyCount, 0 );
}

static void TestExtremes( void** state )
{
	(void)state;
	const struct
	{
		double youngsModulus, step, poissonsRatio;
	} cases[] = { { 1e5, 1.0 / 60.0, 0.33 }, { 1e9, 1.0 / 60.0, 0.33 }, { 1e5, 0.1, 0.49 },
		{ 1e9, 0.1, 0.45 } };
	for ( int c = 0; c < 4; ++c )
	{
		gelStageDef def = gelDefaultStageDef();
		def.youngsModulus = cases[c].youngsModulus;
		def.step = cases[c].step;
		def.poissonsRatio = cases[c].poissonsRatio;
		def.world.hasGround = true;
		def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		gelStage stage = gelMakeStage( &def );
		gelStage_Fetch( &stage );
		for ( int i = 0; i < stage.nodeCount; ++i )
			stage.nodes[i] = gelMakeVec3( 0.5f, 0.5f, 0.5f ); // all in one point
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		gelStage_Step( &stage, 30 );
		AssertUsable( &stage );
		gelRandom random = { 15 };
		for ( int i = 0; i < stage.nodeCount; ++i ) // anywhere in the bounding box
			stage.nodes[i] = gelMakeVec3( (float)gelRandom_Uniform( &random, 0.0, 1.0 ),
				(float)gelRandom_Uniform( &random, 0.0, 1.0 ),
				(float)gelRandom_Uniform( &random, 0.0, 1.0 ) );
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		gelStage_Step( &stage, 100 );
		AssertUsable( &stage );
		gelFreeStage( &stage );
	}
}

// From a soup of nodes in the bounding box, and from all nodes in one point (but for 1e-4 m, since the exact
// point is a critical point of the energy), no tet is left inverted after 50 steps of 10 ms.
static void TestSoupAndPointRecover( void** state )
{
	(void)state;
	for ( int isPoint = 0; isPoint < 2; ++isPoint )
	{
		gelStageDef def = gelDefaultStageDef();
		def.youngsModulus = 1e6;
		def.step = 0.01;
		gelStage stage = gelMakeStage( &def );
		gelRandom random = { 17 };
		gelStage_Fetch( &stage );
		double size = isPoint ? 1e-4 : 1.0;
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			stage.nodes[i] = gelMakeVec3( (float)gelRandom_Uniform( &random, 0.0, size ),
				(float)gelRandom_Uniform( &random, 0.0, size ),
				(float)gelRandom_Uniform( &random, 0.0, size ) );
			stage.velocities[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		}
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		assert_true( gelBody_GetDynamics( stage.body ).invertedTetCount > 0 );
		gelStage_Step( &stage, 50 );
		assert_int_equal( gelBody_GetDynamics( stage.body ).invertedTetCount, 0 );
		// a soup may come to rest tangled; a point unfolds to the rest shape
		gelStage_Step( &stage, 250 );
		gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
		assert_int_equal( dynamics.invertedTetCount, 0 );
		assert_true( fabsf( dynamics.volume - 1.0f ) < ( isPoint ? 1e-3f : 0.1f ) );
		gelFreeStage( &stage );
	}
}

// Turned inside out by a mirror (with noise, since an exact mirror image is a critical point).
static void TestMirroredRecovers( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.youngsModulus = 1e6;
	def.step = 0.01;
	gelStage stage = gelMakeStage( &def );
	gelRandom random = { 16 };
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		stage.nodes[i] = gelMakeVec3( -stage.rest[i].x + (float)gelRandom_Uniform( &random, -1e-3, 1e-3 ),
			stage.rest[i].y + (float)gelRandom_Uniform( &random, -1e-3, 1e-3 ),
			stage.rest[i].z + (float)gelRandom_Uniform( &random, -1e-3, 1e-3 ) );
		stage.velocities[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
	assert_true( gelBody_GetDynamics( stage.body ).invertedTetCount > 0 );
	gelStage_Step( &stage, 50 );
	assert_int_equal( gelBody_GetDynamics( stage.body ).invertedTetCount, 0 );
	gelStage_Step( &stage, 250 );
	gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
	assert_true( fabsf( dynamics.volume - 1.0f ) < 1e-3f );
	assert_true( dynamics.elasticEnergy < 1e-5f * 1e6f ); // part of the energy of unit strain
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestRestStaysAtRest ),
		cmocka_unit_test( TestTurnedRestStaysAtRest ),
		cmocka_unit_test( TestCornersSumToZero ),
		cmocka_unit_test( TestLinearMomentum ),
		cmocka_unit_test( TestAngularMomentum ),
		cmocka_unit_test( TestPatch ),
		cmocka_unit_test( TestFreeFall ),
		cmocka_unit_test( TestRecenterIsExact ),
		cmocka_unit_test( TestNodeStateFromFarAway ),
		cmocka_unit_test( TestExtremes ),
		cmocka_unit_test( TestMirroredRecovers ),
		cmocka_unit_test( TestSoupAndPointRecover ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
