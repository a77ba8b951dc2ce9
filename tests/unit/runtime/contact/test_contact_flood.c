// SPDX-License-Identifier: MIT
// What the flood says to be inside is inside, whole patches are worth what their triangles are, and nothing
// that physics does to a body makes it stumble.
#include "contact/detect/contact_flood.h"
#include "contact/detect/contact_rays.h"
#include "contact_stage.h"
#include "test_surfaces.h"

#include <math.h>
#include <stdlib.h>

#define CAPACITY 2048

static gelFoundContact s_contacts[CAPACITY];

static gelContactCouple MakeStage( gelContactStage a, gelContactStage b )
{
	return gelMakeContactCouple( a, b, 100000 );
}

static void Detect( gelContactCouple* s, bool noPatchFlood )
{
	s->options = gelMakeTestOptions();
	s->options.noPatchFlood = noPatchFlood;
	s->count = gelDetectOnStage( &s->a, &s->b, s->scratch, &s->options, s_contacts, CAPACITY, &s->stats );
	assert_int_equal( s->stats.lostPairCount, 0 );
}

// N = cof(F) N_m to rounding; the area is an upper bound, and not far off for tets that are bent this much.
static void TestWholePatches( void** state )
{
	(void)state;
	gelRandom random = { 41 };
	gelContactCouple s =
		MakeStage( gelMakeContactStage( gel_queryTorus ), gelMakeContactStage( gel_queryEllipsoid ) );
	double excess = 0.0;
	uint32_t patchCount = 0;
	for ( int shape = 0; shape < gel_shapeFlat; ++shape )
	{
		gelQueryStage_Deform( &s.a.stage, (gelQueryShape)shape, &random );
		Detect( &s, false );
		const gelContactSurface* surface = &s.a.surface;
		for ( uint32_t i = 0; i < surface->pack->header->cdgPatchCount; ++i )
		{
			const gelPackPatch* patch = surface->pack->patches + i;
			double N[3] = { 0.0, 0.0, 0.0 }, S = 0.0;
			gelContactSurface_Deform( &s.a.surface, i );
			for ( uint32_t t = patch->triangleFirst; t < patch->triangleFirst + patch->triangleCount; ++t )
			{
				gelGridPoint p[3];
				gelContactSurface_GetCorners( surface, i, t, p );
				double u[3] = { p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z };
				double v[3] = { p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z };
				double n[3] = { u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
					u[0] * v[1] - u[1] * v[0] };
				for ( int k = 0; k < 3; ++k )
					N[k] += 0.5 * n[k];
				S += 0.5 * sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
			}
			gelPart part = gelMeasurePatch( surface, i );
			// vertices are on the grid, and weights have 21 bits: a unit or two along the border
			double tolerance = 1e-5 * S + 8.0 * sqrt( S ) + 64.0;
			for ( int k = 0; k < 3; ++k )
				assert_true( fabs( part.vectorArea[k] - N[k] ) <= tolerance );
			assert_true( part.area >= S - tolerance );
			if ( shape <= gel_shapeBent && S > 1e6 )
			{
				excess += part.area / S - 1.0;
				++patchCount;
			}
		}
	}
	assert_true( patchCount > 100 && excess / patchCount < 0.03 );
	gelFreeContactCouple( &s );
}

// Sums are those without whole patches, counts are equal.
static void TestPatchFlood( void** state )
{
	(void)state;
	gelRandom random = { 42 };
	gelContactCouple s =
		MakeStage( gelMakeContactStage( gel_queryTorus ), gelMakeContactStage( gel_queryEllipsoid ) );
	uint32_t wholePatches = 0;
	for ( int round = 0; round < 12; ++round )
	{
		gelQueryStage_Deform( &s.a.stage, gel_shapeBent, &random );
		gelQueryStage_Deform( &s.b.stage, gel_shapeBent, &random );
		gelContactStage_Move( &s.b, gelRandomVec3( &random, 0.8 ) );
		gelDetectStats stats[2];
		double N[2][2][3] = { { { 0.0 } } }, S[2][2] = { { 0.0 } };
		for ( int way = 0; way < 2; ++way )
		{
			Detect( &s, way == 1 );
			stats[way] = s.stats;
			double unit = 1.0 / ( s.a.surface.grid.scale * s.a.surface.grid.scale );
			for ( int side = 0; side < 2; ++side )
			{
				for ( uint32_t i = 0; i < s.scratch->side[side].partCount; ++i )
				{
					const gelPart* part = s.scratch->side[side].parts + i;
					S[way][side] += unit * part->area;
					for ( int k = 0; k < 3 && part->area > 0.0; ++k )
						N[way][side][k] += unit * part->vectorArea[k];
				}
			}
		}
		wholePatches += stats[0].innerPatchCount;
		assert_int_equal( stats[1].innerPatchCount, 0 );
		assert_int_equal( stats[0].curveCount, stats[1].curveCount );
		assert_int_equal( stats[0].regionCount, stats[1].regionCount );
		assert_int_equal( stats[0].cutTriangleCount, stats[1].cutTriangleCount );
		if ( stats[0].complexRegionCount == 0 ) assert_int_equal( stats[0].pointCount, stats[1].pointCount );
		for ( int side = 0; side < 2; ++side )
		{
			assert_true( S[0][side] >= S[1][side] * ( 1.0 - 1e-4 ) && S[0][side] <= 1.1 * S[1][side] );
			for ( int k = 0; k < 3; ++k )
				assert_true( fabs( N[0][side][k] - N[1][side][k] ) <= 1e-5 * S[1][side] );
		}
	}
	assert_true( wholePatches > 100 );
	gelFreeContactCouple( &s );
}

// The middle of every triangle that no curve touches is on the side that the flood says.
static void TestWindingNumbers( void** state )
{
	(void)state;
	gelRandom random = { 43 };
	gelContactCouple s =
		MakeStage( gelMakeContactStage( gel_queryTorus ), gelMakeContactStage( gel_queryEllipsoid ) );
	uint32_t insideCount = 0, outsideCount = 0;
	for ( int round = 0; round < 4; ++round )
	{
		gelQueryStage_Deform( &s.a.stage, gel_shapeBent, &random );
		gelQueryStage_Deform( &s.b.stage, gel_shapeBent, &random );
		gelContactStage_Move( &s.b, gelRandomVec3( &random, 0.6 ) );
		Detect( &s, true );
		gelRayCaster caster = { s.scratch, { &s.a.surface, &s.b.surface },
			gelGetQueryKernels( s.options.simd )->searchSurface, 0, false };
		for ( int side = 0; side < 2; ++side )
		{
			gelContactSurface* surface = caster.surface[side];
			const gelContactSideScratch* own = s.scratch->side + side;
			uint8_t* marks = calloc( surface->pack->header->cdgTriangleCount, 1 );
			assert_non_null( marks );
			for ( uint32_t i = 0; i < own->queueCount; ++i )
				marks[(uint32_t)own->queue[i]] = 1;
			for ( uint32_t i = 0; i < own->cutCount; ++i )
				marks[own->cuts[i].triangle] = 2;
			for ( uint32_t p = 0; p < surface->pack->header->cdgPatchCount; ++p )
			{
				const gelPackPatch* patch = surface->pack->patches + p;
				gelContactSurface_Deform( surface, p );
				for ( uint32_t t = patch->triangleFirst; t < patch->triangleFirst + patch->triangleCount;
					  ++t )
				{
					if ( marks[t] == 2 || ( gelRandom_Next( &random ) >> 16 ) % 8 != 0 ) continue;
					gelGridPoint c[3];
					gelContactSurface_GetCorners( surface, p, t, c );
					double unit = 1.0 / ( 3.0 * surface->grid.scale );
					double at[3] = { unit * ( (double)c[0].x + c[1].x + c[2].x ),
						unit * ( (double)c[0].y + c[1].y + c[2].y ),
						unit * ( (double)c[0].z + c[1].z + c[2].z ) };
					int winding = gelCountSurfaceWinding( &caster, 1 - side, at );
					assert_int_equal( winding, marks[t] );
					insideCount += marks[t];
					outsideCount += 1u - marks[t];
				}
			}
			free( marks );
		}
	}
	assert_true( insideCount > 300 && outsideCount > 300 );
	gelFreeContactCouple( &s );
}

static bool IsFinite( gelVec3 v )
{
	return isfinite( v.x ) && isfinite( v.y ) && isfinite( v.z );
}

// Collapsed, flat, inverted: never a number that is none, and never a mark left behind.
static void TestBrokenBodies( void** state )
{
	(void)state;
	gelRandom random = { 44 };
	gelContactCouple s =
		MakeStage( gelMakeContactStage( gel_queryTorus ), gelMakeContactStage( gel_queryHollow ) );
	int contacts = 0;
	for ( int round = 0; round < gel_shapeCount * gel_shapeCount; ++round )
	{
		int shapeA = round % gel_shapeCount, shapeB = round / gel_shapeCount;
		if ( ( shapeA == gel_shapeFar ) != ( shapeB == gel_shapeFar ) ) continue;
		gelQueryStage_Deform( &s.a.stage, (gelQueryShape)shapeA, &random );
		gelQueryStage_Deform( &s.b.stage, (gelQueryShape)shapeB, &random );
		gelContactStage_Move( &s.b, gelRandomVec3( &random, 0.4 ) );
		Detect( &s, round % 3 == 0 );
		assert_int_equal( s.stats.conflictCount + s.stats.openCurveCount, 0 );
		contacts += s.count;
		for ( int i = 0; i < s.count; ++i )
		{
			const gelFoundContact* c = s_contacts + i;
			float sum = 0.0f;
			assert_true( IsFinite( c->normal ) && IsFinite( c->pointA ) && IsFinite( c->pointB ) );
			assert_true( fabsf( gelLength( c->normal ) - 1.0f ) < 1e-5f );
			assert_true( c->depth >= 0.0f && isfinite( c->depth ) && c->area >= 0.0f && isfinite( c->area ) );
			for ( int k = 0; k < 4; ++k )
				sum += c->weightsA[k] + c->weightsB[k];
			assert_true( fabsf( sum - 2.0f ) < 1e-4f );
		}
		for ( int side = 0; side < 2; ++side )
		{
			const gelContactSideScratch* own = s.scratch->side + side;
			for ( uint32_t i = 0; i < s.scratch->limits.maxTriangles; ++i )
				assert_int_equal( own->triangleMarks[i], 0 );
			for ( uint32_t i = 0; i < s.scratch->limits.maxPatches; ++i )
				assert_int_equal( own->patchMarks[i] | own->partHeads[i], 0 );
		}
	}
	assert_true( contacts > 100 );
	gelFreeContactCouple( &s );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestWholePatches ),
		cmocka_unit_test( TestPatchFlood ),
		cmocka_unit_test( TestWindingNumbers ),
		cmocka_unit_test( TestBrokenBodies ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
