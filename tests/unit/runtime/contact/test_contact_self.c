// SPDX-License-Identifier: MIT
// A body that touches itself: what two bodies would find, found by one; and ties among its own vertices.
#include "contact/detect/self_contact_culling.h"
#include "contact_stage.h"
#include "test_surfaces.h"

#include <math.h>
#include <stdlib.h>

#define CAPACITY 512

// ---- ties ------------------------------------------------------------------------------------------------

static gelGridPoint RandomPoint( gelRandom* random, int size )
{
	gelGridPoint p = { (int32_t)( gelRandom_Next( random ) >> 33 ) % size,
		(int32_t)( gelRandom_Next( random ) >> 33 ) % size,
		(int32_t)( gelRandom_Next( random ) >> 33 ) % size };
	return p;
}

// The same points with the first of them moved for real, by less and less along x, y and z.
static int OrientMoved( const gelGridPoint p[4], const uint32_t ids[4] )
{
	static const long double steps[3] = { 1e-3L, 1e-6L, 1e-12L };
	long double x[4][3];
	for ( int i = 0; i < 4; ++i )
	{
		int rank = 0;
		for ( int j = 0; j < 4; ++j )
			rank += ids[j] < ids[i];
		const int32_t* c = &p[i].x;
		for ( int k = 0; k < 3; ++k )
			x[i][k] = (long double)c[k] + ( rank == 0 ? steps[k] : 0.0L );
	}
	long double u[3], v[3], w[3];
	for ( int k = 0; k < 3; ++k )
	{
		u[k] = x[1][k] - x[0][k];
		v[k] = x[2][k] - x[0][k];
		w[k] = x[3][k] - x[0][k];
	}
	long double det = w[0] * ( u[1] * v[2] - u[2] * v[1] ) + w[1] * ( u[2] * v[0] - u[0] * v[2] ) +
		w[2] * ( u[0] * v[1] - u[1] * v[0] );
	return fabsl( det ) < 1e-14L ? 0 : det > 0.0L ? 1 : -1;
}

// Never zero, changes its sign with every exchange of two points, is the exact sign where there is one, and
// that of points that have been moved where the first moves decide.
static void TestPerturbedSigns( void** state )
{
	(void)state;
	gelRandom random = { 61 };
	int tieCount = 0, movedCount = 0;
	for ( int round = 0; round < 20000; ++round )
	{
		gelGridPoint p[4];
		uint32_t ids[4] = { 3, 11, 5, 8 };
		for ( int k = 0; k < 4; ++k )
			p[k] = RandomPoint( &random, round % 2 == 0 ? 3 : 2 );
		int sign = gelOrientPerturbed( p, ids );
		int exact = gelOrientExact( p[0], p[1], p[2], p[3], 0 );
		assert_true( sign == 1 || sign == -1 );
		if ( exact != 0 ) assert_int_equal( sign, exact );
		tieCount += exact == 0;
		int moved = OrientMoved( p, ids );
		if ( moved != 0 ) assert_int_equal( sign, moved );
		movedCount += exact == 0 && moved != 0;
		int i = (int)( gelRandom_Next( &random ) >> 33 ) % 4, j = ( i + 1 + round % 3 ) % 4;
		gelGridPoint q = p[i];
		uint32_t id = ids[i];
		p[i] = p[j], p[j] = q;
		ids[i] = ids[j], ids[j] = id;
		assert_int_equal( gelOrientPerturbed( p, ids ), -sign );
	}
	assert_true( tieCount > 5000 && movedCount > 3000 );
}

// ---- two balls in one body -------------------------------------------------------------------------------

// Balls around x = -0.6 and 0.6, which nodes left and right of the middle carry.
static gelContactStage MakeBalls( bool hasLeft, bool hasRight )
{
	gelMesh left = gelMakeTestSphere( 0.35, 7 ), right = gelMakeTestSphere( 0.35, 7 );
	for ( uint32_t i = 0; i < left.vertexCount; ++i )
		left.positions[3 * i] -= 0.6f;
	for ( uint32_t i = 0; i < right.vertexCount; ++i )
		right.positions[3 * i] += 0.6f;
	gelFinishMesh( &left );
	gelFinishMesh( &right );
	gelMesh both = gelJoinMeshes( &left, &right );
	gelContactStage stage = gelMakeContactStageFromMesh( hasLeft && hasRight ? &both
			: hasLeft                                                        ? &left
																			 : &right,
		5, 1.0 );
	gelFreeMesh( &left );
	gelFreeMesh( &right );
	gelFreeMesh( &both );
	return stage;
}

static gelVec3 Press( gelVec3 x, void* context )
{
	float d = *(const float*)context, sign = x.x < 0.0f ? 1.0f : -1.0f;
	return gelMakeVec3( x.x + sign * d, x.y + 0.02f * sign * x.z, x.z + 0.03f * x.y );
}

static void TestLikeTwoBodies( void** state )
{
	(void)state;
	gelContactStage one = MakeBalls( true, true ), a = MakeBalls( true, false ), b = MakeBalls( false, true );
	void* memory;
	gelContactScratch* scratch = gelMakeTestScratch( &one, &a, 20000, &memory );
	gelDetectOptions options = gelMakeTestOptions();
	gelFoundContact contacts[CAPACITY], own[CAPACITY];
	gelDetectStats stats, ownStats;
	for ( int round = 0; round < 4; ++round )
	{
		float press = 0.24f + 0.04f * (float)round; // 0.25: they touch
		gelContactStage_Map( &one, Press, &press );
		gelContactStage_Map( &a, Press, &press );
		gelContactStage_Map( &b, Press, &press );
		int count = gelDetectOnStage( &a, &b, scratch, &options, contacts, CAPACITY, &stats );
		gelContactStage_Look( &one );
		int ownCount = gelDetectSelfContacts( &one.surface, scratch, &options, own, CAPACITY, &ownStats );
		assert_int_equal( ownStats.conflictCount, 0 );
		// and some slivers that cross by rounding
		assert_true( ownStats.pairCount >= 2 * stats.pairCount );
		if ( round == 0 ) assert_int_equal( count + ownCount, 0 );
		if ( round > 0 ) assert_true( count > 5 && ownCount > 5 );
		double depth[2] = { 0.0 }, area[2] = { 0.0 }, push[2] = { 0.0 };
		for ( int i = 0; i < count; ++i )
		{
			depth[0] += (double)contacts[i].depth * (double)contacts[i].area;
			area[0] += (double)contacts[i].area;
			push[0] += (double)contacts[i].normal.x;
		}
		for ( int i = 0; i < ownCount; ++i )
		{
			depth[1] += (double)own[i].depth * (double)own[i].area;
			area[1] += (double)own[i].area;
			assert_true(
				own[i].depth >= 0.0f && ( own[i].flags & ( gel_foundOpen | gel_foundComplex ) ) == 0 );
			// points of the left ball, which are further right, go left, those of the right ball go right
			push[1] += (double)own[i].normal.x;
			assert_true( fabsf( own[i].normal.x ) > 0.9f );
			gelVec3 d = gelSub( own[i].pointB, own[i].pointA );
			assert_true( gelLength( gelMulAdd( d, -own[i].depth, own[i].normal ) ) < 1e-4f );
		}
		assert_true( fabs( area[0] - area[1] ) <= 0.01 * area[0] );
		assert_true( fabs( depth[0] - depth[1] ) <= 0.01 * depth[0] );
		if ( count > 0 ) assert_true( push[0] < -0.9 * count && fabs( push[1] ) < 0.5 * ownCount );
	}
	free( memory );
	gelFreeContactStage( &one );
	gelFreeContactStage( &a );
	gelFreeContactStage( &b );
}

// Without room for all pairs, those that are there make contacts, and none of them is wrong: the two balls
// are pushed apart. With little room for contacts, the deepest are there.
static void TestNoRoom( void** state )
{
	(void)state;
	gelContactStage one = MakeBalls( true, true );
	gelDetectOptions options = gelMakeTestOptions();
	gelFoundContact contacts[CAPACITY], again[CAPACITY];
	gelDetectStats stats;
	float press = 0.33f;
	gelContactStage_Map( &one, Press, &press );
	const uint32_t rooms[] = { 20000, 201, 100, 61, 2, 1 };
	uint32_t all = 0;
	for ( int i = 0; i < 6; ++i )
	{
		void* memory;
		gelContactScratch* scratch = gelMakeTestScratch( &one, &one, rooms[i], &memory );
		gelContactStage_Look( &one );
		int count = gelDetectSelfContacts( &one.surface, scratch, &options, contacts, CAPACITY, &stats );
		if ( i == 0 ) all = stats.pairCount;
		assert_int_equal( stats.lostPairCount > 0, i > 0 );
		assert_true( all > 201 && stats.pairCount <= rooms[i] && stats.pairCount % 2 == 0 );
		if ( rooms[i] > 60 ) assert_true( count > 0 );
		for ( int k = 0; k < count; ++k )
		{
			assert_int_equal( ( contacts[k].flags & gel_foundOpen ) != 0, i > 0 );
			assert_true( contacts[k].depth >= 0.0f && contacts[k].depth < 0.5f );
			assert_true( fabsf( contacts[k].normal.x ) > 0.7f );
		}
		int room = count / 2, fewCount;
		fewCount = gelDetectSelfContacts( &one.surface, scratch, &options, again, room, &stats );
		assert_int_equal( fewCount, room );
		assert_int_equal( stats.droppedCount, count - room );
		for ( int k = 0; k < room; ++k )
		{
			int deeper = 0;
			for ( int j = 0; j < count; ++j )
				deeper += contacts[j].depth > again[k].depth;
			assert_true( deeper < room );
		}
		for ( uint32_t k = 0; k < scratch->limits.maxTriangles; ++k )
			assert_int_equal( scratch->side[0].triangleMarks[k], 0 );
		free( memory );
	}
	gelFreeContactStage( &one );
}

// ---- creases, crumpled bodies ----------------------------------------------------------------------------

static void TestCrumpled( void** state )
{
	(void)state;
	gelRandom random = { 62 };
	gelMesh torus = gelMakeTestTorus( 0.55, 0.25, 8 );
	gelContactStage one = gelMakeContactStageFromMesh( &torus, 3, 1.0 );
	gelFreeMesh( &torus );
	void* memory;
	gelContactScratch* scratch = gelMakeTestScratch( &one, &one, 20000, &memory );
	gelDetectOptions options = gelMakeTestOptions();
	gelFoundContact contacts[CAPACITY];
	gelDetectStats stats;
	uint32_t pairs = 0;
	for ( int shape = 0; shape < gel_shapeCount; ++shape )
	{
		gelQueryStage_Deform( &one.stage, (gelQueryShape)shape, &random );
		gelContactStage_Look( &one );
		int count = gelDetectSelfContacts( &one.surface, scratch, &options, contacts, CAPACITY, &stats );
		assert_int_equal( stats.conflictCount, 0 );
		// slivers along the cuts cross by rounding, which is nothing to answer to
		if ( shape == gel_shapeRest || shape == gel_shapeMirrored ) assert_int_equal( count, 0 );
		pairs += stats.pairCount;
		for ( int i = 0; i < count; ++i )
		{
			assert_true( isfinite( contacts[i].depth ) && contacts[i].depth >= 0.0f );
			assert_true( fabsf( gelLength( contacts[i].normal ) - 1.0f ) < 1e-5f );
			assert_true( isfinite( contacts[i].area ) && isfinite( contacts[i].pointB.x ) );
		}
		for ( uint32_t i = 0; i < scratch->limits.maxTriangles; ++i )
			assert_int_equal( scratch->side[0].triangleMarks[i], 0 );
		// wide and scalar code find the same
		uint32_t found = stats.pairCount;
		gelDetectOptions scalar = options;
		scalar.simd = gel_simdAutomatic;
		scalar.fewPairs = 1;
		gelContactStage_Look( &one );
		if ( shape == gel_shapeBent )
		{
			gelDetectSelfContacts( &one.surface, scratch, &scalar, contacts, CAPACITY, &stats );
			assert_int_equal( stats.pairCount, found );
		}
	}
	assert_true( pairs > 1000 );
	free( memory );
	gelFreeContactStage( &one );
}

// ---- what is not searched --------------------------------------------------------------------------------

// A point well inside of a cell.
static gelVec3 PickInside( const gelContactSurface* s, uint32_t cell, gelRandom* random )
{
	float w[4], sum = 0.0f;
	for ( int k = 0; k < 4; ++k )
		sum += w[k] = (float)gelRandom_Uniform( random, 0.02, 1.0 );
	gelVec3 p = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
		p = gelMulAdd( p, w[k] / sum, s->nodes[s->pack->cells[cell].node[k]] );
	return p;
}

static double GetVolume( gelVec3 a, gelVec3 b, gelVec3 c, gelVec3 d )
{
	return (double)gelDot( gelCross( gelSub( b, a ), gelSub( c, a ) ), gelSub( d, a ) );
}

static bool IsInside( const gelContactSurface* s, uint32_t cell, gelVec3 p )
{
	gelVec3 x[4];
	for ( int k = 0; k < 4; ++k )
		x[k] = s->nodes[s->pack->cells[cell].node[k]];
	double all = GetVolume( x[0], x[1], x[2], x[3] );
	double w[4] = { GetVolume( p, x[1], x[2], x[3] ), GetVolume( x[0], p, x[2], x[3] ),
		GetVolume( x[0], x[1], p, x[3] ), GetVolume( x[0], x[1], x[2], p ) };
	bool isInside = all != 0.0;
	for ( int k = 0; k < 4; ++k )
		isInside = isInside && w[k] / all > 1e-3;
	return isInside;
}

// Cells that are told to be apart have no point in common, however the body is deformed; and of a body at
// rest none has to be searched.
static void TestCellsApart( void** state )
{
	(void)state;
	gelRandom random = { 63 };
	gelMesh torus = gelMakeTestTorus( 0.55, 0.25, 16 );
	gelContactStage one = gelMakeContactStageFromMesh( &torus, 4, 1.0 );
	gelFreeMesh( &torus );
	void* memory;
	gelContactScratch* scratch = gelMakeTestScratch( &one, &one, 20000, &memory );
	gelDetectOptions options = gelMakeTestOptions();
	gelFoundContact contacts[CAPACITY];
	gelDetectStats stats;
	for ( int shape = 0; shape < gel_shapeCount; ++shape )
	{
		gelQueryStage_Deform( &one.stage, (gelQueryShape)shape, &random );
		gelContactStage_Look( &one );
		gelDetectSelfContacts( &one.surface, scratch, &options, contacts, CAPACITY, &stats );
		if ( shape == gel_shapeRest ) assert_int_equal( stats.testCount, 0 );
		uint32_t count = one.surface.pack->header->cdgTetCount, apart = 0;
		for ( uint32_t a = 0; a < count; ++a )
		{
			gelVec3 p[4];
			for ( int k = 0; k < 4; ++k )
				p[k] = PickInside( &one.surface, a, &random );
			for ( uint32_t b = 0; b < count; ++b )
			{
				bool isApart = gelAreCellsApart( &one.surface, a, b );
				assert_int_equal( isApart, gelAreCellsApart( &one.surface, b, a ) );
				apart += isApart;
				for ( int k = 0; k < 4 && isApart && a != b; ++k )
					assert_false( IsInside( &one.surface, b, p[k] ) );
			}
		}
		if ( shape < gel_shapeSquashed ) assert_true( apart > count );
	}
	free( memory );
	gelFreeContactStage( &one );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestPerturbedSigns ),
		cmocka_unit_test( TestLikeTwoBodies ),
		cmocka_unit_test( TestNoRoom ),
		cmocka_unit_test( TestCrumpled ),
		cmocka_unit_test( TestCellsApart ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
