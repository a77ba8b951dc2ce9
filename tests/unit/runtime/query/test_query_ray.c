// SPDX-License-Identifier: MIT
// Rays against deformed bodies: the same as testing every triangle, whatever the shape; and what a hit tells.
#include "query/query_debug.h"
#include "query_stage.h"

#include "small_pack.h"
#include "query/surface_query.h"
#include "state/coarse_kernels.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>

// Levels of SIMD that this machine has.
static int GetLevels( gelSimdLevel out[5] )
{
	static const gelSimdLevel levels[] = { gel_simdScalar, gel_simdSse2, gel_simdAvx2, gel_simdAvx512,
		gel_simdNeon };
	int count = 0;
	for ( int i = 0; i < 5; ++i )
	{
		if ( gelFindSimdLevel( levels[i] ) == levels[i] ) out[count++] = levels[i];
	}
	return count;
}

static gelSurfaceHit CompareKernels( const gelQueryStage* stage, const gelBodyRay* ray, gelRayFaces faces )
{
	assert_true( gelBody_NeedCoarse( stage->inside ) );
	gelSimdLevel levels[5];
	int count = GetLevels( levels );
	gelSurfaceHit slow = gelCastRay( stage->inside, ray, faces, gelSearchSurface_Ref );
	int winding = faces == gel_facesBoth ? gelCountWinding( stage->inside, ray, gelSearchSurface_Ref ) : 0;
	for ( int i = 0; i < count; ++i )
	{
		gelSearchFcn* search = gelGetQueryKernels( levels[i] )->searchSurface;
		gelSurfaceHit fast = gelCastRay( stage->inside, ray, faces, search );
		assert_int_equal( fast.triangle, slow.triangle );
		if ( fast.triangle != GEL_CDG_NIL )
			assert_memory_equal( &fast.at.distance, &slow.at.distance, sizeof( double ) );
		if ( faces != gel_facesBoth ) continue;
		assert_int_equal( gelCountWinding( stage->inside, ray, search ), winding );
	}
	return slow;
}

static void CompareFloats( const void* expected, const void* actual, size_t bytes )
{
	const float *a = expected, *b = actual;
	for ( size_t i = 0; i < bytes / sizeof( float ); ++i )
		assert_true( a[i] == b[i] || ( isnan( a[i] ) && isnan( b[i] ) ) ); // -0 is 0
}

// The same boxes from every kernel.
static void CompareCoarse( const gelQueryStage* stage )
{
	gelSimdLevel levels[5];
	int count = GetLevels( levels );
	const gelAsset* asset = stage->asset;
	size_t treeCount = (size_t)asset->coarseCount;
	gelCoarseBoxes* boxes = aligned_alloc( 64, 2 * treeCount * sizeof( gelCoarseBoxes ) );
	assert_non_null( boxes );
	gelRefitCoarse_Ref( asset->coarse, asset->coarseCount, stage->inside->x, boxes );
	for ( int i = 0; i < count; ++i )
	{
		gelGetCoarseKernels( levels[i] )
			->refit( asset->coarse, asset->coarseCount, stage->inside->x, boxes + treeCount );
		CompareFloats( boxes, boxes + treeCount, treeCount * sizeof( gelCoarseBoxes ) );
	}
	free( boxes );
}

// Both ways for one ray, on all three kinds of faces. Returns whether it hit.
static bool CompareToRef( const gelQueryStage* stage, const gelRay* ray )
{
	gelBodyRay bodyRay;
	gelRayHit hit;
	bool anyHit = false;
	for ( int faces = 0; faces < 3; ++faces )
	{
		gelRay one = *ray;
		one.faces = (gelRayFaces)faces;
		assert_int_equal( gelBody_CastRay( stage->body, &one, &hit ), gel_success );
		gelSurfaceHit slow = { .triangle = GEL_CDG_NIL };
		if ( gelMakeBodyRay( stage->inside, &one, (double)one.maxFraction, &bodyRay ) )
			slow = CompareKernels( stage, &bodyRay, one.faces );
		assert_int_equal( hit.isHit, slow.triangle != GEL_CDG_NIL );
		if ( !hit.isHit ) continue;
		assert_int_equal( hit.cellTriangle, slow.triangle );
		assert_true( faces == gel_facesBoth || hit.isBackFace == ( faces == gel_facesBack ) );
		anyHit = true;
	}
	return anyHit;
}

static void CheckShapes( gelQueryStage* stage, int roundCount, uint64_t seed )
{
	gelRandom random = { seed };
	for ( int shape = 0; shape < gel_shapeCount; ++shape )
	{
		int hits = 0, count = 0;
		for ( int round = 0; round < roundCount; ++round )
		{
			gelQueryStage_Deform( stage, (gelQueryShape)shape, &random );
			CompareCoarse( stage );
			for ( int i = 0; i < ( GEL_IS_SANITIZED ? 8 : 25 ); ++i, ++count )
			{
				gelRay ray = gelQueryStage_PickRay( stage, &random );
				hits += CompareToRef( stage, &ray );
			}
		}
		// a body without any area cannot be hit
		if ( shape != gel_shapeLine && shape != gel_shapePoint ) assert_in_range( hits, count / 8, count );
	}
}

static void TestAllArtsAllShapes( void** state )
{
	(void)state;
	for ( int art = 0; art < gel_queryArtCount; ++art )
	{
		gelQueryStage stage = gelMakeQueryStage( (gelQueryArt)art );
		CheckShapes( &stage, 1, 11 + (uint64_t)art );
		gelFreeQueryStage( &stage );
	}
}

// Spins, flies and hits the ground: boxes follow every step.
static void TestWhileMoving( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryTorus );
	gelRandom random = { 5 };
	gelWorld_SetGravity( stage.world, ( gelVec3 ){ 0.0f, -9.81f, 0.0f } );
	for ( int i = 0; i < stage.info.nodeCount; ++i )
		stage.zeros[i] = gelCross( ( gelVec3 ){ 3.0f, 9.0f, 1.0f }, stage.rest[i] );
	gelQueryStage_Deform( &stage, gel_shapeBent, &random );
	int hits = 0, rayCount = GEL_IS_SANITIZED ? 3 : 10;
	for ( int step = 0; step < 60; ++step )
	{
		assert_int_equal( gelWorld_Step( stage.world, (float)( 1.0 / 60.0 ) ), gel_success );
		gelQueryStage_Fetch( &stage );
		for ( int i = 0; i < rayCount; ++i )
		{
			gelRay ray = gelQueryStage_PickRay( &stage, &random );
			hits += CompareToRef( &stage, &ray );
		}
	}
	assert_in_range( hits, 20 * rayCount, 60 * rayCount );
	gelBody_Reset(
		stage.body, ( gelTransform ){ ( gelVec3 ){ 3.0f, 0.0f, 0.0f }, ( gelQuat ){ { 0, 0, 0 }, 1 } } );
	gelRayHit hit;
	gelRay ray = gelMakeRayThrough( ( gelVec3 ){ 3.55f, 0.0f, 5.0f }, ( gelVec3 ){ 3.55f, 0.0f, 0.0f } );
	gelBody_CastRay( stage.body, &ray, &hit );
	assert_true( hit.isHit && fabsf( hit.position.z - 0.25f ) < 0.05f );
	gelFreeQueryStage( &stage );
}

// An implementation that shares nothing: Moeller and Trumbore 1997 in double, over the vertices that are
// handed out. Rays that pass an edge closely are left out, and so are triangles seen edge-on.
static double CastIndependently( const gelQueryStage* stage, const gelRay* ray, bool* isClear )
{
	double nearest = INFINITY;
	*isClear = true;
	const double o[3] = { ray->origin.x, ray->origin.y, ray->origin.z };
	const double d[3] = { ray->translation.x, ray->translation.y, ray->translation.z };
	for ( int t = 0; t < stage->info.patchTriangleCount; ++t )
	{
		double v[3][3], e1[3], e2[3], s[3], p[3], q[3];
		for ( int k = 0; k < 3; ++k )
		{
			gelVec3 c = stage->vertices[stage->triangles[3 * t + k]];
			v[k][0] = c.x;
			v[k][1] = c.y;
			v[k][2] = c.z;
		}
		for ( int k = 0; k < 3; ++k )
		{
			e1[k] = v[1][k] - v[0][k];
			e2[k] = v[2][k] - v[0][k];
			s[k] = o[k] - v[0][k];
		}
		for ( int k = 0; k < 3; ++k )
		{
			int a = ( k + 1 ) % 3, b = ( k + 2 ) % 3;
			p[k] = d[a] * e2[b] - d[b] * e2[a];
			q[k] = s[a] * e1[b] - s[b] * e1[a];
		}
		double det = e1[0] * p[0] + e1[1] * p[1] + e1[2] * p[2];
		if ( det == 0.0 ) continue;
		double u = ( s[0] * p[0] + s[1] * p[1] + s[2] * p[2] ) / det;
		double w = ( d[0] * q[0] + d[1] * q[1] + d[2] * q[2] ) / det;
		double f = ( e2[0] * q[0] + e2[1] * q[1] + e2[2] * q[2] ) / det;
		double margin = fmin( u, fmin( w, 1.0 - u - w ) );
		if ( margin < -1e-3 || f < -1e-3 || f > (double)ray->maxFraction + 1e-3 ) continue;
		if ( margin < 1e-3 || f < 1e-3 || f > (double)ray->maxFraction - 1e-3 || fabs( det ) < 1e-7 )
			*isClear = false;
		nearest = fmin( nearest, f );
	}
	return nearest;
}

static void TestIndependently( void** state )
{
	(void)state;
	static const gelQueryShape shapes[] = { gel_shapeRest, gel_shapeBent, gel_shapeCrumpled,
		gel_shapeMirrored };
	gelQueryStage stage = gelMakeQueryStage( gel_queryHollow );
	gelRandom random = { 17 };
	int clearHits = 0, clearMisses = 0, rayCount = GEL_IS_SANITIZED ? 800 : 4000;
	for ( int i = 0; i < rayCount; ++i )
	{
		if ( i % 200 == 0 ) gelQueryStage_Deform( &stage, shapes[i / 200 % 4], &random );
		gelRay ray = gelMakeRayThrough( gelRandomVec3( &random, 2.0 ), gelRandomVec3( &random, 1.0 ) );
		bool isClear;
		double expected = CastIndependently( &stage, &ray, &isClear );
		gelRayHit hit;
		assert_int_equal( gelBody_CastRay( stage.body, &ray, &hit ), gel_success );
		if ( !isClear ) continue;
		assert_int_equal( hit.isHit, expected < INFINITY );
		if ( hit.isHit ) assert_true( fabs( expected - (double)hit.fraction ) < 1e-5 );
		clearHits += hit.isHit;
		clearMisses += !hit.isHit;
	}
	assert_true( clearHits > rayCount / 8 && clearMisses > rayCount / 20 );
	gelFreeQueryStage( &stage );
}

// From a point that the surface winds around, no direction leads out.
static void TestNoRayEscapes( void** state )
{
	(void)state;
	static const gelQueryShape shapes[] = { gel_shapeRest, gel_shapeBent, gel_shapeCrumpled,
		gel_shapeMirrored, gel_shapeSquashed, gel_shapeFar };
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	gelRandom random = { 23 };
	int count = 0, pointCount = GEL_IS_SANITIZED ? 80 : 400;
	for ( int s = 0; s < 6; ++s )
	{
		gelQueryStage_Deform( &stage, shapes[s], &random );
		gelAabb box = gelBody_GetBounds( stage.body );
		for ( int i = 0; i < pointCount; ++i )
		{
			gelVec3 p = { (float)gelRandom_Uniform( &random, box.min.x, box.max.x ),
				(float)gelRandom_Uniform( &random, box.min.y, box.max.y ),
				(float)gelRandom_Uniform( &random, box.min.z, box.max.z ) };
			bool isInside;
			assert_int_equal( gelBody_ContainsPoint( stage.body, p, &isInside ), gel_success );
			if ( !isInside ) continue;
			for ( int k = 0; k < 8; ++k, ++count )
			{
				gelRay ray = gelQueryStage_PickRay( &stage, &random ); // for its target
				ray.translation = gelSub( gelMulAdd( ray.origin, 1.0f, ray.translation ), p );
				ray.origin = p;
				if ( k == 7 ) ray.translation = ( gelVec3 ){ 0.0f, 0.0f, -1.0f };
				ray.maxFraction = 1e6f;
				gelRayHit hit;
				assert_int_equal( gelBody_CastRay( stage.body, &ray, &hit ), gel_success );
				assert_true( hit.isHit );
			}
		}
	}
	assert_true( count > 10 * pointCount );
	gelFreeQueryStage( &stage );
}

// ---- what a hit tells --------------------------------------------------------------------------------

static gelVec3 Mix( const gelVec3* points, const gelRayHit* hit )
{
	gelVec3 p = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 3; ++k )
		p = gelMulAdd( p, hit->weight[k], points[hit->vertex[k]] );
	return p;
}

static float Distance( gelVec3 a, gelVec3 b )
{
	return gelLength( gelSub( a, b ) );
}

static void CheckHit(
	const gelQueryStage* stage, const gelRay* ray, const gelRayHit* hit, const gelVec3* restArt )
{
	float size = 1.0f + gelLength( ray->translation );
	gelVec3 p;
	assert_true( hit->fraction >= 0.0f && hit->fraction <= ray->maxFraction );
	assert_true(
		Distance( gelMulAdd( ray->origin, hit->fraction, ray->translation ), hit->position ) < 2e-6f * size );
	assert_int_equal( gelBody_GetPointPosition( stage->body, &hit->point, &p ), gel_success );
	assert_true( Distance( p, hit->position ) < 2e-6f );
	assert_true( fabsf( gelLength( hit->normal ) - 1.0f ) < 1e-5f );
	float along = gelDot( hit->normal, ray->translation );
	if ( fabsf( along ) > 1e-4f ) assert_int_equal( hit->isBackFace, along > 0.0f );

	// at rest the point of the art triangle is the point of the cage
	gelVec3 atRest = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
	{
		assert_true( hit->point.weight[k] >= 0.0f );
		atRest = gelMulAdd( atRest, hit->point.weight[k],
			stage->rest[gelAsset_GetTets( stage->asset )[4 * hit->point.tet + k]] );
	}
	assert_true( Distance( atRest, Mix( restArt, hit ) ) < 2e-6f );
	for ( int k = 0; k < 3; ++k )
	{
		assert_true( hit->weight[k] >= 0.0f );
		assert_int_equal( hit->vertex[k], gelAsset_GetTriangles( stage->asset )[3 * hit->triangle + k] );
	}
	int sourceCount = gelAsset_GetTriangleSources( stage->asset, NULL, 0 );
	uint32_t* sources = malloc( (size_t)sourceCount * sizeof( uint32_t ) );
	assert_int_equal( gelAsset_GetTriangleSources( stage->asset, sources, sourceCount ), sourceCount );
	assert_int_equal( sources[hit->cellTriangle], hit->triangle );
	free( sources );
	gelPatchInfo* patches = malloc( (size_t)stage->info.patchCount * sizeof( gelPatchInfo ) );
	assert_int_equal(
		gelAsset_GetPatches( stage->asset, patches, stage->info.patchCount ), stage->info.patchCount );
	const gelPatchInfo* patch = patches + hit->patch;
	assert_in_range(
		hit->cellTriangle, patch->triangleFirst, patch->triangleFirst + patch->triangleCount - 1 );
	assert_true( patch->cell == hit->cell && patch->tet == hit->point.tet );
	free( patches );
}

static void TestHitDetails( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryTorus );
	gelRandom random = { 29 };
	gelVec3* restArt = calloc( (size_t)stage.info.vertexCount, sizeof( gelVec3 ) );
	gelBody_GetPositions( stage.body, restArt, stage.info.vertexCount );
	int hits = 0;
	for ( int i = 0; i < 1500; ++i )
	{
		if ( i % 100 == 0 )
			gelQueryStage_Deform( &stage, i % 200 == 0 ? gel_shapeRest : gel_shapeBent, &random );
		gelRay ray = gelMakeRayThrough( gelRandomVec3( &random, 2.0 ), gelRandomVec3( &random, 0.8 ) );
		gelRayHit hit;
		gelBody_CastRay( stage.body, &ray, &hit );
		if ( !hit.isHit ) continue;
		++hits;
		CheckHit( &stage, &ray, &hit, restArt );
		assert_memory_equal( &hit.body, &stage.body, sizeof( hit.body ) );
		if ( i / 100 % 2 == 0 ) assert_true( Distance( Mix( restArt, &hit ), hit.position ) < 2e-6f );
	}
	assert_true( hits > 300 );
	free( restArt );
	gelFreeQueryStage( &stage );
}

// Cells that are no tets of the cage: the point is still one of the cage, where it was at rest; on a deformed
// body it is that of the art triangle, and only near the hit.
static void TestCoarseCells( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryCoarse );
	gelRandom random = { 31 };
	gelVec3* restArt = calloc( (size_t)stage.info.vertexCount, sizeof( gelVec3 ) );
	gelBody_GetPositions( stage.body, restArt, stage.info.vertexCount );
	int hits = 0;
	float farthest = 0.0f;
	for ( int i = 0; i < 1000; ++i )
	{
		bool isDeformed = i >= 200;
		if ( i % 200 == 0 && isDeformed ) gelQueryStage_Deform( &stage, gel_shapeBent, &random );
		gelRay ray = gelMakeRayThrough( gelRandomVec3( &random, 2.0 ), gelRandomVec3( &random, 0.5 ) );
		gelRayHit hit;
		gelBody_CastRay( stage.body, &ray, &hit );
		if ( !hit.isHit ) continue;
		++hits;
		gelVec3 p, atRest = { 0.0f, 0.0f, 0.0f };
		assert_int_equal( gelBody_GetPointPosition( stage.body, &hit.point, &p ), gel_success );
		for ( int k = 0; k < 4; ++k )
		{
			atRest = gelMulAdd( atRest, hit.point.weight[k],
				stage.rest[gelAsset_GetTets( stage.asset )[4 * hit.point.tet + k]] );
		}
		assert_true( Distance( atRest, Mix( restArt, &hit ) ) < 1e-5f );
		assert_true( Distance( p, hit.position ) < ( isDeformed ? 0.28f : 1e-5f ) ); // nodes move by 0.14 m
		farthest = fmaxf( farthest, Distance( p, hit.position ) );
		gelVec3 along = gelMulAdd( ray.origin, hit.fraction, ray.translation );
		assert_true( Distance( along, hit.position ) < 1e-5f );
	}
	assert_true( hits > 300 && farthest > 1e-3f ); // so that it is worth a word in query.h
	free( restArt );
	gelFreeQueryStage( &stage );
}

// Art that is inside out answers like the right one, but for the order of its own vertices.
static void TestInsideOutArt( void** state )
{
	(void)state;
	gelQueryStage right = gelMakeQueryStage( gel_queryHollow ), turned = gelMakeQueryStage( gel_queryTurned );
	gelRandom random = { 53 };
	int hits = 0;
	for ( int i = 0; i < 400; ++i )
	{
		for ( int k = 0; k < 2 && i % 100 == 0; ++k )
		{
			gelRandom same = { 59 + (uint64_t)i };
			gelQueryStage_Deform( k == 0 ? &right : &turned, i == 0 ? gel_shapeRest : gel_shapeBent, &same );
		}
		gelRay ray = gelMakeRayThrough( gelRandomVec3( &random, 2.0 ), gelRandomVec3( &random, 0.6 ) );
		if ( i % 4 == 0 ) ray.origin = gelRandomVec3( &random, 0.2 ); // in the hollow
		gelRayHit a, b;
		gelBody_CastRay( right.body, &ray, &a );
		gelBody_CastRay( turned.body, &ray, &b );
		assert_int_equal( a.isHit, b.isHit );
		if ( !a.isHit ) continue;
		hits += 1;
		assert_int_equal( a.isBackFace, b.isBackFace );
		assert_true( a.triangle == b.triangle && a.cellTriangle == b.cellTriangle );
		assert_memory_equal( &a.position, &b.position, sizeof( a.position ) );
		assert_memory_equal( &a.normal, &b.normal, sizeof( a.normal ) );
		assert_memory_equal( &a.point, &b.point, sizeof( a.point ) );
		assert_true( a.vertex[0] == b.vertex[0] && a.vertex[1] == b.vertex[2] && a.vertex[2] == b.vertex[1] );
		assert_true(
			fabsf( a.weight[1] - b.weight[2] ) < 1e-6f && fabsf( a.weight[2] - b.weight[1] ) < 1e-6f );
	}
	assert_true( hits > 200 );
	gelFreeQueryStage( &right );
	gelFreeQueryStage( &turned );
}

// The same pack with longer records and plain weights, as earlier and larger ones have them.
static void CompareRecords( uint32_t words )
{
	size_t bytes;
	gelQueryStage brief = gelMakeQueryStage( gel_queryEllipsoid );
	uint8_t* pack = gelMakePlainPack( brief.pack, brief.info.packBytes, words, &bytes );
	gelQueryStage plain = gelMakeQueryStageFromPack( pack, bytes );
	assert_true( plain.info.packBytes > brief.info.packBytes );
	assert_int_equal( plain.inside->asset->pack.cdg.words, words );
	for ( int i = 0; i < 2; ++i )
	{
		gelRandom same = { 43 };
		gelQueryStage_Deform( i == 0 ? &brief : &plain, gel_shapeCrumpled, &same );
	}
	gelRandom random = { 47 };
	for ( int i = 0; i < 200; ++i )
	{
		gelRay ray = gelQueryStage_PickRay( &brief, &random );
		gelRayHit a, b;
		gelBody_CastRay( brief.body, &ray, &a );
		gelBody_CastRay( plain.body, &ray, &b );
		assert_int_equal( a.isHit, b.isHit );
		assert_int_equal( a.cellTriangle, b.cellTriangle );
		assert_memory_equal( &a.position, &b.position, sizeof( a.position ) );
	}
	CheckShapes( &plain, 1, 41 );
	gelFreeQueryStage( &brief );
	gelFreeQueryStage( &plain );
}

static void TestLongerRecords( void** state )
{
	(void)state;
	CompareRecords( GEL_CDG_NARROW_WORDS ); // indices of 21 bits
	CompareRecords( GEL_CDG_WIDE_WORDS );
}

static void TestPrecisionOfFarRays( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	gelRandom random = { 37 };
	for ( int i = 0; i < 200; ++i )
	{
		// the same line from near, from 100 km away and with fractions of every size
		gelVec3 direction = { 0.0f, i % 2 ? 1.0f : -1.0f, 0.0f };
		gelVec3 p = gelRandomVec3( &random, 0.4 );
		p.y = 0.0f;
		gelRay near = gelMakeRayThrough( gelMulAdd( p, -2.0f, direction ), p ), far = near;
		far.origin = gelMulAdd( p, -1.0e5f, direction );
		far.translation = gelScale( i % 3 == 0 ? 1.0e-20f : i % 3 == 1 ? 1.0e9f : 3.0f, direction );
		far.maxFraction = i % 3 == 0 ? 3.0e38f : 1.0e6f;
		gelRayHit nearHit, farHit;
		gelBody_CastRay( stage.body, &near, &nearHit );
		assert_int_equal( gelBody_CastRay( stage.body, &far, &farHit ), gel_success );
		assert_true( nearHit.isHit );
		if ( i % 3 == 0 )
		{
			assert_true( farHit.isHit == ( 1.0e5f < far.maxFraction * 1.0e-20f ) );
			continue;
		}
		assert_true( farHit.isHit && Distance( nearHit.position, farHit.position ) < 1e-6f );
	}
	gelFreeQueryStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestAllArtsAllShapes ),
		cmocka_unit_test( TestWhileMoving ),
		cmocka_unit_test( TestIndependently ),
		cmocka_unit_test( TestNoRayEscapes ),
		cmocka_unit_test( TestHitDetails ),
		cmocka_unit_test( TestCoarseCells ),
		cmocka_unit_test( TestInsideOutArt ),
		cmocka_unit_test( TestLongerRecords ),
		cmocka_unit_test( TestPrecisionOfFarRays ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
