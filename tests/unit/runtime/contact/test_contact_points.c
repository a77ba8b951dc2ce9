// SPDX-License-Identifier: MIT
// Contacts are what they say: points of both surfaces, a way out, a depth; and they do not depend on where
// the bodies are, which one comes first, or what the memory was used for before.
#include "contact_stage.h"
#include "test_surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 512

typedef struct Stage
{
	gelContactCouple couple;
	gelFoundContact contacts[CAPACITY];
} Stage;

static Stage* MakeStage( gelContactStage a, gelContactStage b )
{
	Stage* s = calloc( 1, sizeof( Stage ) );
	assert_non_null( s );
	s->couple = gelMakeContactCouple( a, b, 20000 );
	s->couple.options = gelMakeTestOptions();
	return s;
}

static void FreeStage( Stage* s )
{
	gelFreeContactCouple( &s->couple );
	free( s );
}

static void Detect( Stage* s )
{
	s->couple.count = gelDetectOnStage( &s->couple.a, &s->couple.b, s->couple.scratch, &s->couple.options,
		s->contacts, CAPACITY, &s->couple.stats );
}

static gelContactStage MakeSphere( double radius, int n, int cells )
{
	gelMesh mesh = gelMakeTestSphere( radius, n );
	gelContactStage stage = gelMakeContactStageFromMesh( &mesh, cells, 1.0 );
	gelFreeMesh( &mesh );
	return stage;
}

// What holds for every contact, here with a normal near `way`.
static void CheckContact( const gelFoundContact* c, gelVec3 way )
{
	float sumA = 0.0f, sumB = 0.0f;
	for ( int k = 0; k < 4; ++k )
	{
		assert_true( c->weightsA[k] >= 0.0f && c->weightsB[k] >= 0.0f );
		sumA += c->weightsA[k];
		sumB += c->weightsB[k];
	}
	assert_true( fabsf( sumA - 1.0f ) < 1e-5f && fabsf( sumB - 1.0f ) < 1e-5f );
	assert_true( fabsf( gelLength( c->normal ) - 1.0f ) < 1e-5f );
	assert_true( gelDot( c->normal, way ) > 0.999f );
	gelVec3 d = gelSub( c->pointB, c->pointA );
	assert_true( c->depth >= 0.0f && c->depth < 0.21f && c->area > 0.0f );
	assert_true( gelLength( gelMulAdd( d, -c->depth, c->normal ) ) < 1e-4f );
}

static void TestBalls( void** state )
{
	(void)state;
	Stage* s =
		MakeStage( gelMakeContactStage( gel_queryEllipsoid ), gelMakeContactStage( gel_queryEllipsoid ) );
	gelContactStage_Move( &s->couple.a, gelMakeVec3( 0.01f, 1.4f, 0.02f ) );
	Detect( s );
	assert_int_equal( s->couple.stats.curveCount, 1 );
	assert_int_equal( s->couple.stats.openCurveCount + s->couple.stats.conflictCount, 0 );
	assert_int_equal( s->couple.count + (int)s->couple.stats.missedCount, s->couple.stats.pointCount );
	assert_true( s->couple.count > 40 && s->couple.stats.innerPatchCount > 10 );
	double area[2] = { 0.0, 0.0 };
	for ( int i = 0; i < s->couple.count; ++i )
	{
		CheckContact( s->contacts + i, gelMakeVec3( 0.0071f, 0.99987f, 0.0142f ) );
		area[s->contacts[i].flags & gel_foundFromB ? 1 : 0] += (double)s->contacts[i].area;
		assert_true( i == 0 || s->contacts[i].feature > s->contacts[i - 1].feature );
	}
	double cap =
		2.0 * 3.14159265 * 0.8 * ( 0.8 - 0.7 ); // cap of the ball [m^2]; that of the mesh is a bit less
	for ( int side = 0; side < 2; ++side )
		assert_true( area[side] < cap && area[side] > 0.85 * cap );
	FreeStage( s );
}

typedef struct Motion
{
	gelMat3 R;
	gelVec3 t;
	float phase;
} Motion;

// Bent, and then moved as a whole.
static gelVec3 BendAndMove( gelVec3 x, void* context )
{
	const Motion* m = context;
	gelVec3 bent = { x.x + 0.1f * sinf( 2.0f * x.y + m->phase ), x.y + 0.05f * sinf( 3.0f * x.z ),
		1.1f * x.z };
	return gelAdd( gelMulMV( m->R, bent ), m->t );
}

static void PlaceBoth( Stage* s, gelMat3 R, gelVec3 t )
{
	Motion a = { R, gelAdd( gelMulMV( R, gelMakeVec3( 0.21f, 1.17f, -0.13f ) ), t ), 0.3f },
		   b = { R, t, 1.7f };
	gelContactStage_Map( &s->couple.a, BendAndMove, &a );
	gelContactStage_Map( &s->couple.b, BendAndMove, &b );
}

// Contacts turn along. Snapping and rounding of floats are not the same: points move by some units in the
// last place, and patches that are hardly touched may come or go.
static void TestRigidMotion( void** state )
{
	(void)state;
	Stage* s = MakeStage( MakeSphere( 0.8, 8, 3 ), MakeSphere( 0.85, 9, 3 ) );
	gelMat3 R = gelMakeMat3FromQuat( ( gelQuat ){ { 0.28007269f, 0.36509475f, 0.11603011f }, 0.88022845f } );
	gelVec3 t = { 3.0f, -1.0f, 2.0f };
	PlaceBoth( s, gelIdentity(), gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	Detect( s );
	gelFoundContact first[CAPACITY];
	int count = s->couple.count, matched = 0;
	uint32_t pairs = s->couple.stats.pairCount;
	memcpy( first, s->contacts, sizeof( first ) );
	assert_true( count > 20 );
	PlaceBoth( s, R, t );
	double shift[3];
	for ( int k = 0; k < 3; ++k )
		shift[k] = s->couple.a.stage.inside->origin[k];
	Detect( s );
	assert_true( abs( (int)pairs - (int)s->couple.stats.pairCount ) <= (int)pairs / 50 );
	assert_int_equal( s->couple.stats.curveCount, 1 );
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; j < s->couple.count; ++j )
		{
			if ( s->contacts[j].feature != first[i].feature ) continue;
			++matched;
			gelVec3 o = { (float)shift[0], (float)shift[1], (float)shift[2] };
			gelVec3 p = gelAdd( s->contacts[j].pointA, o ), q = gelAdd( gelMulMV( R, first[i].pointA ), t );
			assert_true(
				gelLength( gelSub( gelMulMV( R, first[i].normal ), s->contacts[j].normal ) ) < 1e-4f );
			// centroids of slivers are worth less
			if ( first[i].area < 1e-4f ) continue;
			assert_true( gelLength( gelSub( p, q ) ) < 1e-4f );
			assert_true( fabsf( first[i].depth - s->contacts[j].depth ) < 1e-4f );
			assert_true( fabsf( first[i].area - s->contacts[j].area ) < 1e-4f );
		}
	}
	assert_true( matched >= count - 2 );
	FreeStage( s );
}

// Which body comes first does not matter, as long as nothing is a tie.
static void TestSwap( void** state )
{
	(void)state;
	Stage* s = MakeStage( MakeSphere( 0.8, 8, 3 ), MakeSphere( 0.85, 9, 3 ) );
	PlaceBoth( s, gelIdentity(), gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
	Detect( s );
	gelFoundContact swapped[CAPACITY];
	gelDetectStats stats;
	int count = gelDetectOnStage(
			&s->couple.b, &s->couple.a, s->couple.scratch, &s->couple.options, swapped, CAPACITY, &stats ),
		matched = 0;
	assert_int_equal( stats.pairCount, s->couple.stats.pairCount );
	assert_int_equal( count, s->couple.count );
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; j < count; ++j )
		{
			const gelFoundContact *p = s->contacts + i, *q = swapped + j;
			if ( ( p->feature ^ UINT64_C( 1 ) << 63 ) != q->feature ) continue;
			++matched;
			assert_true( gelLength( gelAdd( p->normal, q->normal ) ) < 1e-5f );
			assert_true( fabsf( p->depth - q->depth ) < 1e-5f && fabsf( p->area - q->area ) < 1e-6f );
			assert_int_equal( p->cellA, q->cellB );
			assert_int_equal( p->flags ^ q->flags, gel_foundFromB );
		}
	}
	assert_int_equal( matched, count );
	FreeStage( s );
}

// The same bytes from fresh memory, from used memory, and with the scalar twins.
static void TestSameBytes( void** state )
{
	(void)state;
	gelRandom random = { 51 };
	Stage* s = MakeStage( gelMakeContactStage( gel_queryTorus ), gelMakeContactStage( gel_queryEllipsoid ) );
	for ( int round = 0; round < 6; ++round )
	{
		gelQueryStage_Deform( &s->couple.a.stage, gel_shapeBent, &random );
		gelQueryStage_Deform(
			&s->couple.b.stage, round % 2 == 0 ? gel_shapeBent : gel_shapeCrumpled, &random );
		gelContactStage_Move( &s->couple.b, gelRandomVec3( &random, 0.5 ) );
		Detect( s );
		void* memory;
		gelContactScratch* fresh = gelMakeTestScratch( &s->couple.a, &s->couple.b, 15000, &memory );
		gelDetectOptions options = s->couple.options;
		options.fewPairs = round + 1;
		if ( round % 3 == 0 ) options.simd = gel_simdAutomatic;
		gelFoundContact again[CAPACITY];
		gelDetectStats stats;
		int count = gelDetectOnStage( &s->couple.a, &s->couple.b, fresh, &options, again, CAPACITY, &stats );
		assert_int_equal( count, s->couple.count );
		for ( int i = 0; i < count; ++i )
		{
			assert_memory_equal( &again[i].pointA, &s->contacts[i].pointA, sizeof( gelVec3 ) );
			assert_memory_equal( &again[i].normal, &s->contacts[i].normal, sizeof( gelVec3 ) );
			assert_true( again[i].depth == s->contacts[i].depth && again[i].area == s->contacts[i].area );
			assert_true( again[i].feature == s->contacts[i].feature );
		}
		free( memory );
	}
	FreeStage( s );
}

// With little room the deepest contacts are there, in order, and the others are counted.
static void TestNoRoom( void** state )
{
	(void)state;
	Stage* s =
		MakeStage( gelMakeContactStage( gel_queryEllipsoid ), gelMakeContactStage( gel_queryEllipsoid ) );
	gelContactStage_Move( &s->couple.a, gelMakeVec3( 0.01f, 1.4f, 0.02f ) );
	Detect( s );
	for ( int room = 0; room < s->couple.count; room += 7 )
	{
		gelFoundContact few[CAPACITY];
		gelDetectStats stats;
		int count = gelDetectOnStage(
			&s->couple.a, &s->couple.b, s->couple.scratch, &s->couple.options, few, room, &stats );
		float least = INFINITY;
		int deeper = 0;
		assert_int_equal( count, room );
		assert_int_equal( stats.droppedCount, s->couple.count - room );
		for ( int i = 0; i < count; ++i )
		{
			least = fminf( least, few[i].depth );
			assert_true( i == 0 || few[i].feature > few[i - 1].feature );
		}
		for ( int i = 0; i < s->couple.count; ++i )
			deeper += s->contacts[i].depth > least;
		assert_true( deeper < room || room == 0 );
	}
	// too little for the pairs: the fallback pushes the bodies apart
	void* memory;
	gelContactScratch* small = gelMakeTestScratch( &s->couple.a, &s->couple.b, 50, &memory );
	gelDetectStats stats;
	int count = gelDetectOnStage(
		&s->couple.a, &s->couple.b, small, &s->couple.options, s->contacts, CAPACITY, &stats );
	assert_true( stats.lostPairCount > 0 && count > 0 );
	for ( int i = 0; i < count; ++i )
		assert_true( s->contacts[i].flags & gel_foundFallback );
	free( memory );
	FreeStage( s );
}

static gelVec3 Shrink( gelVec3 x, void* context )
{
	return gelScale( *(const float*)context, x );
}

// A body inside of another one is pushed out the short way; one in its hollow is not there.
static void TestContainment( void** state )
{
	(void)state;
	Stage* s =
		MakeStage( gelMakeContactStage( gel_queryEllipsoid ), gelMakeContactStage( gel_queryEllipsoid ) );
	float small = 0.1f;
	const gelVec3 places[] = { { 0.0f, 0.5f, 0.0f }, { -0.45f, 0.02f, 0.01f }, { 0.01f, 0.0f, 0.6f } };
	for ( int swap = 0; swap < 2; ++swap )
	{
		for ( int i = 0; i < 3; ++i )
		{
			gelContactStage* inner = swap == 0 ? &s->couple.a : &s->couple.b;
			float one = 1.0f;
			gelContactStage_Map( swap == 0 ? &s->couple.b : &s->couple.a, Shrink, &one );
			gelContactStage_Map( inner, Shrink, &small );
			gelContactStage_Move( inner, places[i] );
			Detect( s );
			assert_int_equal( s->couple.stats.pairCount, 0 );
			assert_true( s->couple.count > 8 );
			assert_true( gelDoSurfacesOverlap(
				&s->couple.a.surface, &s->couple.b.surface, s->couple.scratch, &s->couple.options ) );
			for ( int k = 0; k < s->couple.count; ++k )
			{
				gelVec3 out = gelScale( swap == 0 ? 1.0f : -1.0f, s->contacts[k].normal );
				assert_true( gelDot( out, places[i] ) > 0.9f * gelLength( places[i] ) );
				assert_int_equal(
					s->contacts[k].flags, gel_foundFallback | ( swap == 0 ? 0u : gel_foundFromB ) );
				assert_true( s->contacts[k].depth > 0.05f );
			}
			gelContactStage_Move( inner, gelScale( 2.0f, places[i] ) ); // outside, within the box
			gelContactStage_Look( inner );
			s->couple.options.isContainmentChecked = false;
			Detect( s );
			assert_int_equal( s->couple.count * (int)( s->couple.stats.pairCount == 0 ), 0 );
			s->couple.options.isContainmentChecked = true;
		}
	}
	FreeStage( s );

	s = MakeStage( gelMakeContactStage( gel_queryEllipsoid ), gelMakeContactStage( gel_queryHollow ) );
	gelContactStage_Map( &s->couple.a, Shrink, &small );
	Detect( s );
	assert_int_equal( s->couple.count, 0 );
	assert_true( !gelDoSurfacesOverlap(
		&s->couple.a.surface, &s->couple.b.surface, s->couple.scratch, &s->couple.options ) );
	gelContactStage_Move( &s->couple.a, gelMakeVec3( 0.0f, 0.6f, 0.0f ) ); // in the wall
	Detect( s );
	assert_true( s->couple.count > 0 );
	FreeStage( s );
}

// Holes: curves stay open where they meet one, and nothing else changes.
static void TestOpenSurface( void** state )
{
	(void)state;
	Stage* s = MakeStage( gelMakeContactStage( gel_queryOpen ), gelMakeContactStage( gel_queryEllipsoid ) );
	gelRandom random = { 52 };
	uint32_t open = 0;
	int contacts = 0;
	for ( int round = 0; round < 20; ++round )
	{
		float one = 1.0f;
		gelContactStage_Map( &s->couple.b, Shrink, &one );
		gelContactStage_Move( &s->couple.b, gelRandomVec3( &random, 0.9 ) );
		Detect( s );
		open += s->couple.stats.openCurveCount;
		contacts += s->couple.count;
		assert_int_equal( s->couple.stats.conflictCount, 0 );
		for ( int i = 0; i < s->couple.count; ++i )
		{
			assert_true( s->contacts[i].depth >= 0.0f && s->contacts[i].depth < 2.0f );
			if ( s->couple.stats.openCurveCount == 0 )
				assert_true( ( s->contacts[i].flags & gel_foundOpen ) == 0 );
		}
	}
	assert_true( open > 0 && contacts > 100 );
	FreeStage( s );
}

// Several spikes through one large triangle are several regions with a normal each, not one complex one.
static void TestIslands( void** state )
{
	(void)state;
	const double low[3] = { -0.9, -0.9, -0.9 }, high[3] = { 0.9, 0.9, 0.9 };
	const double tetLow = -0.35;
	gelMesh floor = gelMakeTestBoxSurface( low, high ), tips[4];
	for ( int i = 0; i < 4; ++i ) // small boxes, apart
	{
		double x = 0.4 * ( i % 2 ) - 0.2, z = 0.4 * ( i / 2 ) - 0.2;
		const double from[3] = { x - 0.06, tetLow, z - 0.06 }, to[3] = { x + 0.06, 0.2, z + 0.06 };
		tips[i] = gelMakeTestBoxSurface( from, to );
	}
	gelMesh two[2] = { gelJoinMeshes( tips, tips + 1 ), gelJoinMeshes( tips + 2, tips + 3 ) };
	gelMesh feet = gelJoinMeshes( two, two + 1 );
	Stage* s = MakeStage(
		gelMakeContactStageFromMesh( &feet, 1, 1.0 ), gelMakeContactStageFromMesh( &floor, 1, 1.0 ) );
	gelContactStage_Move( &s->couple.a, gelMakeVec3( 0.31f, 0.9f + 0.3f, 0.42f ) );
	Detect( s );
	assert_int_equal( s->couple.stats.curveCount, 4 );
	assert_int_equal( s->couple.stats.regionCount, 4 );
	assert_int_equal( s->couple.stats.complexRegionCount, 0 );
	assert_true( s->couple.count >= 8 );
	for ( int i = 0; i < s->couple.count; ++i )
	{
		assert_true( s->contacts[i].normal.y > 0.9999f );
		if ( s->contacts[i].flags & gel_foundFromB )
			assert_true( fabsf( s->contacts[i].depth - 0.05f ) < 1e-4f );
	}
	for ( int i = 0; i < 4; ++i )
		gelFreeMesh( tips + i );
	gelFreeMesh( two );
	gelFreeMesh( two + 1 );
	gelFreeMesh( &feet );
	gelFreeMesh( &floor );
	FreeStage( s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBalls ),
		cmocka_unit_test( TestRigidMotion ),
		cmocka_unit_test( TestSwap ),
		cmocka_unit_test( TestSameBytes ),
		cmocka_unit_test( TestNoRoom ),
		cmocka_unit_test( TestContainment ),
		cmocka_unit_test( TestOpenSurface ),
		cmocka_unit_test( TestIslands ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
