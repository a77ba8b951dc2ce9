// SPDX-License-Identifier: MIT
// Curves close, whatever touches whatever, and enclose on both surfaces what is inside.
#include "contact/detect/contact_clip.h"
#include "contact/detect/contact_flood.h"
#include "contact_stage.h"
#include "contact/detect/contact_states.h"
#include "test_surfaces.h"

#include <math.h>

#define CAPACITY 2048

static gelFoundContact s_contacts[CAPACITY];

static gelContactCouple MakeStage( gelContactStage a, gelContactStage b )
{
	return gelMakeContactCouple( a, b, 60000 );
}

static gelContactStage MakeBox( double x, double y, double z, int cells )
{
	const double low[3] = { -x, -y, -z }, high[3] = { x, y, z };
	gelMesh mesh = gelMakeTestBoxSurface( low, high );
	gelContactStage stage = gelMakeContactStageFromMesh( &mesh, cells, 1.0 );
	gelFreeMesh( &mesh );
	return stage;
}

static gelContactStage MakeSphere( double radius, int n, int cells )
{
	gelMesh mesh = gelMakeTestSphere( radius, n );
	gelContactStage stage = gelMakeContactStageFromMesh( &mesh, cells, 1.0 );
	gelFreeMesh( &mesh );
	return stage;
}

static gelVec3 RestMap( gelVec3 rest, void* context )
{
	(void)context;
	return rest;
}

// All ends have partners, each triangle has at least one segment, states do not contradict each other.
static void CheckStates( const gelContactCouple* s, const gelContactSurface* surface, int side )
{
	const gelContactScratch* scratch = s->scratch;
	const gelContactSideScratch* own = scratch->side + side;
	for ( uint32_t i = 0; i < own->cutCount; ++i )
	{
		const gelCutTriangle* cut = own->cuts + i;
		gelEdgeSums sums = gelSumEdges( scratch, side, cut );
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( cut->inside[k] <= 1 );
			assert_int_equal( sums.net[k], cut->inside[( k + 1 ) % 3] - cut->inside[k] );
			// the cut triangles stand by triangle, so the neighbor can be found without marks
			uint32_t across = gelCdg_GetNeighbor(
				&surface->pack->cdg, surface->pack->patches + cut->patch, cut->triangle, k );
			for ( uint32_t j = i + 1; j < own->cutCount; ++j )
			{
				const gelCutTriangle* other = own->cuts + j;
				if ( other->triangle != across ) continue;
				for ( int e = 0; e < 3; ++e )
				{
					if ( gelCdg_GetNeighbor( &surface->pack->cdg, surface->pack->patches + other->patch,
							 across, e ) != cut->triangle )
						continue;
					assert_int_equal( other->inside[e], cut->inside[( k + 1 ) % 3] );
					assert_int_equal( other->inside[( e + 1 ) % 3], cut->inside[k] );
				}
			}
		}
	}
}

// Every key twice, once as a start and once as an end: that is what next and prev say.
static void CheckChains( const gelContactCouple* s )
{
	const gelContactScratch* scratch = s->scratch;
	uint32_t sum = 0;
	for ( uint32_t i = 0; i < scratch->pairs.count; ++i )
	{
		assert_true( scratch->next[i] != GEL_NONE && scratch->prev[scratch->next[i]] == i );
		const gelSegment *from = scratch->segments + i, *to = scratch->segments + scratch->next[i];
		assert_memory_equal( from->q[1], to->q[0], sizeof( to->q[0] ) ); // to the last bit
	}
	for ( uint32_t i = 0; i < scratch->curveCount; ++i )
		sum += scratch->curves[i].count;
	assert_int_equal( sum, scratch->pairs.count );
}

// Curves of closed surfaces close, for the bodies as they are.
static void CheckClosed( gelContactCouple* s )
{
	s->options = gelMakeTestOptions();
	s->options.noPatchFlood = true;
	s->count = gelDetectOnStage( &s->a, &s->b, s->scratch, &s->options, s_contacts, CAPACITY, &s->stats );
	assert_int_equal( s->stats.lostPairCount, 0 );
	assert_int_equal( s->stats.conflictCount, 0 );
	assert_int_equal( s->stats.openCurveCount, 0 );
	CheckChains( s );
}

// The same, and what is inside of two bodies that do not cross themselves.
static void CheckLaws( gelContactCouple* s )
{
	CheckClosed( s );
	if ( s->stats.pairCount == 0 ) return;
	CheckStates( s, &s->a.surface, gel_sideA );
	CheckStates( s, &s->b.surface, gel_sideB );

	gelInnerFigures a = gelMeasureInner( s->scratch, &s->a.surface, gel_sideA );
	gelInnerFigures b = gelMeasureInner( s->scratch, &s->b.surface, gel_sideB );
	double unit = 1.0 / ( s->a.surface.grid.scale * s->a.surface.grid.scale ), S = a.area + b.area;
	double curves[3] = { 0.0, 0.0, 0.0 }, parts[2][3] = { { 0.0 }, { 0.0 } };
	for ( uint32_t i = 0; i < s->scratch->curveCount; ++i )
	{
		for ( int k = 0; k < 3; ++k )
			curves[k] += unit * s->scratch->curves[i].vectorArea[k];
	}
	for ( int side = 0; side < 2; ++side )
	{
		for ( uint32_t i = 0; i < s->scratch->side[side].partCount; ++i )
		{
			const gelPart* part = s->scratch->side[side].parts + i;
			for ( int k = 0; k < 3 && part->area > 0.0; ++k )
				parts[side][k] += unit * part->vectorArea[k];
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		assert_true( fabs( a.vectorArea[k] + b.vectorArea[k] ) <= 1e-6 * S );
		assert_true( fabs( curves[k] - a.vectorArea[k] ) <= 1e-6 * S );
		assert_true( fabs( parts[0][k] - a.vectorArea[k] ) <= 1e-6 * S );
		assert_true( fabs( parts[1][k] - b.vectorArea[k] ) <= 1e-6 * S );
	}
}

static void TestDeformedBodies( void** state )
{
	(void)state;
	gelRandom random = { 31 };
	gelMesh torus = gelMakeTestTorus( 0.55, 0.25, 10 );
	gelContactCouple s = MakeStage( gelMakeContactStageFromMesh( &torus, 3, 1.0 ), MakeSphere( 0.8, 7, 3 ) );
	uint32_t pairs = 0;
	gelFreeMesh( &torus );
	for ( int round = 0; round < 48; ++round )
	{
		bool isSimple = round % 2 == 0;
		gelQueryStage_Deform( &s.a.stage, isSimple ? gel_shapeBent : gel_shapeCrumpled, &random );
		gelQueryStage_Deform( &s.b.stage, round % 4 == 3 ? gel_shapeCrumpled : gel_shapeBent, &random );
		gelContactStage_Move( &s.b, gelRandomVec3( &random, 0.7 ) );
		if ( isSimple )
			CheckLaws( &s );
		else
			CheckClosed( &s );
		pairs += s.stats.pairCount;
	}
	assert_true( pairs > 3000 );
	gelFreeContactCouple( &s );
}

// Everything that is zero at once: the same mesh in the same place, boxes on the same lattice, faces that
// touch, edges on edges.
static void TestIdenticalBodies( void** state )
{
	(void)state;
	gelRandom random = { 32 };
	gelContactCouple s = MakeStage( MakeSphere( 0.8, 6, 3 ), MakeSphere( 0.8, 6, 3 ) );
	for ( int round = 0; round < 4; ++round )
	{
		gelQueryStage* q = &s.a.stage;
		gelQueryStage_Deform( q, round == 0 ? gel_shapeRest : gel_shapeBent, &random );
		assert_int_equal(
			gelBody_SetNodeState( s.b.stage.body, q->nodes, q->zeros, q->info.nodeCount ), gel_success );
		CheckLaws( &s );
		assert_true( s.stats.pairCount > 0 );
	}
	gelFreeContactCouple( &s );
}

static void TestLattice( void** state )
{
	(void)state;
	gelContactCouple s = MakeStage( MakeBox( 0.5, 0.5, 0.5, 4 ), MakeBox( 0.5, 0.25, 0.75, 4 ) );
	uint32_t pairs = 0;
	for ( int i = 0; i < 125; ++i )
	{
		gelVec3 at = { 0.25f * (float)( i % 5 ), 0.25f * (float)( i / 5 % 5 - 1 ),
			0.25f * (float)( i / 25 ) };
		gelContactStage_Map( &s.a, RestMap, NULL );
		gelContactStage_Map( &s.b, RestMap, NULL );
		gelContactStage_Move( &s.b, at );
		CheckLaws( &s );
		pairs += s.stats.pairCount;
	}
	assert_true( pairs > 1000 );
	gelFreeContactCouple( &s );
}

// Volume of the overlap of two balls, and how it changes: the vector area is its gradient.
static void TestLens( void** state )
{
	(void)state;
	const double r = 0.8, step = 1e-3, pi = 3.14159265358979;
	gelContactCouple s = MakeStage( MakeSphere( r, 16, 4 ), MakeSphere( r, 16, 4 ) );
	double volumes[3], slope = 0.0, d = 0.9;
	for ( int i = 0; i < 3; ++i )
	{
		gelContactStage_Map( &s.a, RestMap, NULL );
		gelContactStage_Move( &s.a, gelMakeVec3( (float)( d + ( i - 1 ) * step ), 0.013f, 0.007f ) );
		CheckLaws( &s );
		gelInnerFigures a = gelMeasureInner( s.scratch, &s.a.surface, gel_sideA );
		gelInnerFigures b = gelMeasureInner( s.scratch, &s.b.surface, gel_sideB );
		volumes[i] = a.volume + b.volume;
		if ( i == 1 ) slope = a.vectorArea[0];
	}
	double lens = pi * ( 4.0 * r + d ) * ( 2.0 * r - d ) * ( 2.0 * r - d ) / 12.0;
	double difference = ( volumes[2] - volumes[0] ) / ( 2.0 * step );
	assert_true( volumes[1] < lens && volumes[1] > 0.96 * lens ); // the mesh is inside of the ball
	assert_true( fabs( difference - slope ) < 1e-3 * fabs( slope ) );
	assert_true( slope < 0.0 );
	gelFreeContactCouple( &s );
}

// A corner in a face: the normal is that of the face. An edge on an edge: across both.
static void TestExactNormals( void** state )
{
	(void)state;
	gelContactCouple s = MakeStage( MakeBox( 0.5, 0.5, 0.5, 3 ), MakeBox( 0.8, 0.3, 0.8, 3 ) );
	gelQuat tip = { { 0.28007269f, 0.36509475f, 0.11603011f }, 0.88022845f }; // in general position
	gelContactStage_Place( &s.a, tip, gelMakeVec3( 0.03f, 1.05f, -0.02f ) );
	CheckLaws( &s );
	assert_int_equal( s.stats.curveCount, 1 );
	assert_true( s.count > 0 );
	for ( int i = 0; i < s.count; ++i )
		assert_true( s_contacts[i].normal.y > 1.0f - 1e-6f );

	// a ridge of A along z, turned about y, on a ridge of B along x, and all of it turned again
	const gelQuat about[4] = { { { 0.0f, 0.0f, 0.3826834f }, 0.9238795f },
		{ { 0.0f, 0.1494381f, 0.0f }, 0.9887711f }, { { 0.3826834f, 0.0f, 0.0f }, 0.9238795f }, tip };
	gelMat3 R = gelMakeMat3FromQuat( tip );
	gelVec3 up = R.cy;
	gelContactStage_Map( &s.a, RestMap, NULL );
	gelContactStage_Map( &s.b, RestMap, NULL );
	gelContactStage_Place( &s.b, gelMulQuat( about[3], about[2] ), gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	gelContactStage_Place( &s.a, gelMulQuat( about[3], gelMulQuat( about[1], about[0] ) ),
		gelMulMV( R, gelMakeVec3( 0.05f, 1.1f * 0.70710678f + 0.70710678f - 0.03f, 0.02f ) ) );
	CheckLaws( &s );
	assert_int_equal( s.stats.curveCount, 1 );
	assert_true( s.count > 0 );
	for ( int i = 0; i < s.count; ++i )
		assert_true( gelDot( s_contacts[i].normal, up ) > 1.0f - 1e-5f );
	gelFreeContactCouple( &s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestDeformedBodies ),
		cmocka_unit_test( TestIdenticalBodies ),
		cmocka_unit_test( TestLattice ),
		cmocka_unit_test( TestLens ),
		cmocka_unit_test( TestExactNormals ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
