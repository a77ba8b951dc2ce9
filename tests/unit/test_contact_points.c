// SPDX-License-Identifier: MIT
// Contacts are what they say: points of both surfaces, a way out, a depth.
#include "contact_stage.h"

#include "test_surfaces.h"

#include <math.h>
#include <stdlib.h>

#define CAPACITY 512

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
	gelContactStage a = gelMakeContactStage( gel_queryBall ), b = gelMakeContactStage( gel_queryBall );
	void* memory;
	gelContactScratch* scratch = gelMakeTestScratch( &a, &b, 4096, &memory );
	gelKernels kernels;
	gelDetectOptions options = gelMakeTestOptions( &kernels );
	gelFoundContact contacts[CAPACITY];
	gelDetectStats stats;
	gelContactStage_Move( &a, gelMakeVec3( 0.01f, 1.4f, 0.02f ) );
	int count = gelDetectOnStage( &a, &b, scratch, &options, contacts, CAPACITY, &stats );
	assert_int_equal( stats.curveCount, 1 );
	assert_int_equal( stats.openCurveCount + stats.conflictCount, 0 );
	assert_int_equal( count + (int)stats.missedCount, stats.pointCount );
	assert_true( count > 40 && stats.innerPatchCount > 10 );
	for ( int i = 0; i < count; ++i )
		CheckContact( contacts + i, gelMakeVec3( 0.0071f, 0.99987f, 0.0142f ) );
	free( memory );
	gelFreeContactStage( &a );
	gelFreeContactStage( &b );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBalls ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
