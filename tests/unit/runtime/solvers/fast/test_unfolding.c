// SPDX-License-Identifier: MIT
// No load keeps a tet inside out (fast/unfolding.h). The pass that sees to it is the scalar projection of one
// tet, bit for bit on every instruction set; it does not move the center of mass; and bodies that lie under a
// hundred times their weight stay upright, side by side with the bits that each gets alone.
#include "node_mess.h"

#include "solvers/fast/fast_kernels.h"
#include "solvers/fast/unfolding.h"
#include "stage.h"
#include "state/world.h"
#include "volume_ref.h"

#include <math.h>
#include <stdlib.h>

// ---- one pass --------------------------------------------------------------------------------------------

static float GetDet( const gelAsset* asset, uint32_t t, const gelVec3* x )
{
	const uint32_t* node = asset->pack.tets[t].node;
	return gelTetDeterminant( x[node[0]], x[node[1]], x[node[2]], x[node[3]] );
}

// The slow twin: tet by tet, in the order of the slots. @return whether there was one to unfold
static bool UnfoldTets_Ref( const gelAsset* asset, const float* w, gelVec3* x )
{
	bool isAny = false;
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		uint32_t t = asset->slotTets[slot];
		float maxMove = t == GEL_PACK_NO_TET ? 0.0f : asset->maxVolumeMoves[t], kappa = 0.0f;
		if ( t == GEL_PACK_NO_TET || GetDet( asset, t, x ) >= GEL_LEAST_VOLUME * asset->restDets[t] )
			continue;
		const uint32_t* node = asset->pack.tets[t].node;
		float corner[4] = { w[node[0]], w[node[1]], w[node[2]], w[node[3]] };
		gelVec3* corners[4] = { x + node[0], x + node[1], x + node[2], x + node[3] };
		gelVolumeConstraint constraint = { GEL_LEAST_VOLUME * asset->restDets[t], 0.0f, maxMove * maxMove };
		gelSolveVolumeTet_Ref( constraint, corner, corners, &kappa );
		isAny = true;
	}
	return isAny;
}

static void ComparePass( const gelStage* stage, Mess mess, gelSimdLevel level )
{
	if ( gelFindSimdLevel( level ) != level ) return;
	const gelAsset* asset = stage->asset;
	const gelBody* body = gelGetBody( stage->body );
	size_t n = (size_t)asset->nodeCount;
	gelRandom random = { 400 + (uint64_t)mess };
	gelVec3* x = gelTestAlloc( n, sizeof( gelVec3 ) );
	gelVec4* wide = gelTestAlloc( n + 1, sizeof( gelVec4 ) );
	double before[3] = { 0.0 }, after[3] = { 0.0 }, mass = 0.0;
	for ( size_t i = 0; i < n; ++i )
	{
		x[i] = MakeMess( mess, stage->rest[i], 1.0f, &random );
		wide[i] = gelMakeVec4( x[i], body->invMasses[i] );
	}
	bool isAny = UnfoldTets_Ref( asset, body->invMasses, x );
	assert_true( isAny == ( mess != messSmall ) );
	for ( size_t i = 0; i < n; ++i )
	{
		double m = asset->pack.masses[i].mass;
		mass += m;
		for ( int k = 0; k < 3; ++k )
			before[k] += m * ( &wide[i].x )[k];
	}
	assert_true( gelGetVolumeKernels( level )->unfold( asset->volumes, asset->blockCount, wide ) == isAny );
	for ( size_t i = 0; i < n; ++i )
	{
		assert_memory_equal( wide + i, x + i, sizeof( gelVec3 ) );
		for ( int k = 0; k < 3; ++k )
			after[k] += (double)asset->pack.masses[i].mass * ( &x[i].x )[k];
	}
	// hundreds of moves, each rounded to 6e-8 of a metre
	for ( int k = 0; k < 3; ++k )
		assert_true( fabs( after[k] - before[k] ) < 1e-6 * mass );
	free( x );
	free( wide );
}

static void TestPassIsTheProjection( void** state )
{
	(void)state;
	const Mess messes[] = { messSmall, messRandom, messMirrored };
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	for ( int level = 0; level < levelCount; ++level )
	{
		for ( size_t i = 0; i < sizeof( messes ) / sizeof( messes[0] ); ++i )
			ComparePass( &stage, messes[i], s_levels[level] );
	}
	gelFreeStage( &stage );
}

// ---- bodies ----------------------------------------------------------------------------------------------

// A box of 1 m and 5 kPa is dropped onto the ground by 98.1 m/s^2: 20 times what it can carry.
static gelStage MakeCrushedStage( double poissonsRatio )
{
	gelStageDef def = gelDefaultStageDef();
	def.youngsModulus = 5e3;
	def.poissonsRatio = poissonsRatio;
	def.world.hasGround = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, -98.1f, 0.0f };
	def.body.transform.position = ( gelVec3 ){ 0.0f, 0.1f, 0.0f };
	return gelMakeStage( &def );
}

static void TestCrushedBodiesStayUpright( void** state )
{
	(void)state;
	const double ratios[] = { 0.0, 0.33, 0.45 };
	for ( int k = 0; k < 3; ++k )
	{
		gelStage stage = MakeCrushedStage( ratios[k] );
		int most = 0;
		float least = 1.0f, lowest = 0.0f;
		for ( int i = 0; i < 120; ++i )
		{
			gelStage_Step( &stage, 1 );
			gelBodyDynamics now = gelBody_GetDynamics( stage.body );
			most = now.invertedTetCount > most ? now.invertedTetCount : most;
			least = fminf( least, now.volume );
		}
		gelBodyDynamics dynamics = gelBody_GetDynamics( stage.body );
		assert_true( least < 0.5f ); // or nothing was crushed
		assert_int_equal( dynamics.invertedTetCount, 0 );
		assert_true( most <= 8 ); // tets at a time, where 60 were without
		assert_int_equal( gelWorld_GetCounters( stage.world ).nonFiniteBodyCount, 0 );
		gelStage_Fetch( &stage );
		for ( int i = 0; i < stage.nodeCount; ++i )
			lowest = fminf( lowest, stage.nodes[i].y );
		assert_true( lowest > -1e-3f ); // -1.2 when they may be moved into the ground
		gelFreeStage( &stage );
	}
}

// Hashes of `count` bodies in one world, which fall apart from each other.
static void CrushMany( const gelStage* stage, int first, int count, uint64_t* hashes )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	worldDef.gravity = ( gelVec3 ){ 0.0f, -98.1f, 0.0f };
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_success );
	gelBodyId ids[GEL_MAX_LANES];
	for ( int i = 0; i < count; ++i )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = stage->asset;
		def.transform.position =
			( gelVec3 ){ 5.0f * (float)( first + i ), 0.1f + 0.02f * (float)( first + i ), 0.0f };
		assert_int_equal( gelCreateBody( world, &def, ids + i ), gel_success );
	}
	for ( int step = 0; step < 60; ++step )
		assert_int_equal( gelWorld_Step( world, stage->step ), gel_success );
	for ( int i = 0; i < count; ++i )
		hashes[i] = gelBody_HashState( ids[i] );
	gelDestroyWorld( world );
}

static void TestCrushedSideBySide( void** state )
{
	(void)state;
	enum
	{
		count = 8
	};
	gelStage stage = MakeCrushedStage( 0.33 );
	uint64_t together[count], alone;
	CrushMany( &stage, 0, count, together );
	for ( int i = 0; i < count; ++i )
	{
		CrushMany( &stage, i, 1, &alone );
		assert_true( alone == together[i] );
	}
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestPassIsTheProjection ),
		cmocka_unit_test( TestCrushedBodiesStayUpright ),
		cmocka_unit_test( TestCrushedSideBySide ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
