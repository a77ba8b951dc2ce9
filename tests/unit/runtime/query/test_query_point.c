// SPDX-License-Identifier: MIT
// Insides, embedded points, bounds, rays through worlds; and everything that a caller can do wrong.
#include "query/query_debug.h"
#include "query_stage.h"

#include "query/surface_query.h"
#include "state/world.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static float Distance( gelVec3 a, gelVec3 b )
{
	return gelLength( gelSub( a, b ) );
}

// ---- insides -----------------------------------------------------------------------------------------

// How often the surface winds around p, from solid angles (van Oosterom and Strackee 1983).
static double SolidAngleWinding( const gelQueryStage* stage, gelVec3 p )
{
	double sum = 0.0;
	for ( int t = 0; t < stage->info.patchTriangleCount; ++t )
	{
		double v[3][3], length[3];
		for ( int k = 0; k < 3; ++k )
		{
			gelVec3 c = stage->vertices[stage->triangles[3 * t + k]];
			v[k][0] = (double)c.x - (double)p.x;
			v[k][1] = (double)c.y - (double)p.y;
			v[k][2] = (double)c.z - (double)p.z;
			length[k] = sqrt( v[k][0] * v[k][0] + v[k][1] * v[k][1] + v[k][2] * v[k][2] );
		}
		double det = v[0][0] * ( v[1][1] * v[2][2] - v[1][2] * v[2][1] ) +
			v[0][1] * ( v[1][2] * v[2][0] - v[1][0] * v[2][2] ) +
			v[0][2] * ( v[1][0] * v[2][1] - v[1][1] * v[2][0] );
		double below = length[0] * length[1] * length[2];
		for ( int k = 0; k < 3; ++k )
		{
			const double *a = v[k], *b = v[( k + 1 ) % 3];
			below += ( a[0] * b[0] + a[1] * b[1] + a[2] * b[2] ) * length[( k + 2 ) % 3];
		}
		sum += 2.0 * atan2( det, below );
	}
	return sum / ( 4.0 * 3.14159265358979323846 );
}

static void TestInsides( void** state )
{
	(void)state;
	static const gelQueryShape shapes[] = { gel_shapeRest, gel_shapeBent, gel_shapeCrumpled,
		gel_shapeMirrored, gel_shapeFar };
	gelRandom random = { 3 };
	for ( int art = 0; art < gel_queryArtCount; ++art )
	{
		int insideCount = 0, outsideCount = 0;
		gelQueryStage stage = gelMakeQueryStage( (gelQueryArt)art );
		for ( int s = 0; s < 5; ++s )
		{
			gelQueryStage_Deform( &stage, shapes[s], &random );
			gelAabb box = gelBody_GetBounds( stage.body );
			for ( int i = 0; i < 80; ++i )
			{
				gelVec3 p = { (float)gelRandom_Uniform( &random, box.min.x, box.max.x ),
					(float)gelRandom_Uniform( &random, box.min.y, box.max.y ),
					(float)gelRandom_Uniform( &random, box.min.z, box.max.z ) };
				// on a grid, where axes pass through corners
				if ( i % 4 == 0 )
					p = stage.vertices[gelRandom_Next( &random ) % (uint64_t)stage.info.patchVertexCount];
				if ( i % 4 == 0 ) p.x = 0.5f * ( box.min.x + box.max.x );
				double winding = SolidAngleWinding( &stage, p );
				bool isInside;
				assert_int_equal( gelBody_ContainsPoint( stage.body, p, &isInside ), gel_success );
				if ( art == gel_queryOpen )
				{
					if ( fabs( winding ) > 0.9 || fabs( winding ) < 0.1 )
						outsideCount += isInside == ( fabs( winding ) < 0.5 );
					++insideCount;
					continue;
				}
				if ( fabs( winding - round( winding ) ) > 1e-3 ) continue; // on the surface
				assert_int_equal( isInside, round( winding ) != 0.0 );
				insideCount += isInside;
				outsideCount += !isInside;
			}
		}
		if ( art == gel_queryOpen )
			assert_true(
				outsideCount < insideCount / 50 ); // wrong now and then, where two rays leave by holes
		else
			assert_true( insideCount > 40 && outsideCount > 40 );
		gelFreeQueryStage( &stage );
	}
}

// ---- embedded points ---------------------------------------------------------------------------------

static void TestFindPoint( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	gelRandom random = { 4 };
	for ( int i = 0; i < 600; ++i )
	{
		if ( i % 100 == 0 )
			gelQueryStage_Deform( &stage,
				i % 300 < 100       ? gel_shapeRest
					: i % 300 < 200 ? gel_shapeBent
									: gel_shapeMirrored,
				&random );
		gelEmbeddedPoint point = { .tet =
									   (int)( gelRandom_Next( &random ) % (uint64_t)stage.info.tetCount ) },
						 found;
		float sum = 0.0f;
		for ( int k = 0; k < 4; ++k )
			sum += point.weight[k] = (float)gelRandom_Uniform( &random, 0.05, 1.0 );
		for ( int k = 0; k < 4; ++k )
			point.weight[k] /= sum;
		gelVec3 p, q;
		assert_int_equal( gelBody_GetPointPosition( stage.body, &point, &p ), gel_success );
		assert_int_equal( gelBody_FindPoint( stage.body, p, &found ), gel_success );
		assert_int_equal( found.tet, point.tet ); // these shapes do not overlap
		for ( int k = 0; k < 4; ++k )
			assert_true( fabsf( found.weight[k] - point.weight[k] ) < 1e-4f );
		assert_int_equal( gelBody_GetPointPosition( stage.body, &found, &q ), gel_success );
		assert_true( Distance( p, q ) < 1e-5f );
	}
	gelEmbeddedPoint none;
	assert_int_equal( gelBody_FindPoint( stage.body, ( gelVec3 ){ 9.0f, 0.0f, 0.0f }, &none ), gel_success );
	assert_int_equal( none.tet, -1 );
	// nothing has an inside any more, and nothing divides by zero
	gelQueryStage_Deform( &stage, gel_shapeFlat, &random );
	assert_int_equal( gelBody_FindPoint( stage.body, ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, &none ), gel_success );
	gelFreeQueryStage( &stage );
}

static void TestVertexPoints( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryTorus );
	gelRandom random = { 6 };
	for ( int i = 0; i < stage.info.nodeCount; ++i )
		stage.zeros[i] = gelAdd(
			( gelVec3 ){ 1.0f, 2.0f, 3.0f }, gelCross( ( gelVec3 ){ 0.0f, 2.0f, 0.0f }, stage.rest[i] ) );
	gelQueryStage_Deform( &stage, gel_shapeRest, &random );
	gelVec3* art = calloc( (size_t)stage.info.vertexCount, sizeof( gelVec3 ) );
	gelBody_GetPositions( stage.body, art, stage.info.vertexCount );
	for ( int v = 0; v < stage.info.vertexCount; v += 7 )
	{
		gelEmbeddedPoint point = gelAsset_GetVertexPoint( stage.asset, v );
		gelVec3 p, velocity;
		assert_int_equal( gelBody_GetPointPosition( stage.body, &point, &p ), gel_success );
		assert_int_equal( gelBody_GetPointVelocity( stage.body, &point, &velocity ), gel_success );
		assert_true( Distance( p, art[v] ) < 1e-6f );
		gelVec3 expected =
			gelAdd( ( gelVec3 ){ 1.0f, 2.0f, 3.0f }, gelCross( ( gelVec3 ){ 0.0f, 2.0f, 0.0f }, art[v] ) );
		assert_true( Distance( velocity, expected ) < 1e-5f );
	}
	assert_int_equal( gelAsset_GetVertexPoint( stage.asset, -1 ).tet, -1 );
	assert_int_equal( gelAsset_GetVertexPoint( stage.asset, stage.info.vertexCount ).tet, -1 );
	assert_int_equal( gelAsset_GetVertexPoint( NULL, 0 ).tet, -1 );
	free( art );
	gelFreeQueryStage( &stage );
}

// ---- bounds ------------------------------------------------------------------------------------------

static bool Holds( gelAabb box, gelVec3 p )
{
	return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y && p.z >= box.min.z &&
		p.z <= box.max.z;
}

static void TestBounds( void** state )
{
	(void)state;
	gelRandom random = { 8 };
	gelQueryStage stage = gelMakeQueryStage( gel_queryTorus );
	gelAabb* boxes = calloc( (size_t)stage.info.cellCount, sizeof( gelAabb ) );
	for ( int shape = 0; shape < gel_shapeCount; ++shape )
	{
		gelQueryStage_Deform( &stage, (gelQueryShape)shape, &random );
		gelAabb box = gelBody_GetBounds( stage.body ), tight = { stage.vertices[0], stage.vertices[0] };
		for ( int i = 0; i < stage.info.patchVertexCount; ++i )
		{
			assert_true( Holds( box, stage.vertices[i] ) );
			tight.min = gelMinVec3( tight.min, stage.vertices[i] );
			tight.max = gelMaxVec3( tight.max, stage.vertices[i] );
		}
		gelVec3 side = gelSub( stage.inside->box.max, stage.inside->box.min );
		float size = fmaxf( side.x, fmaxf( side.y, side.z ) ),
			  reach = fmaxf( gelLength( tight.min ), gelLength( tight.max ) );
		float loose = GEL_BOUNDS_TOLERANCE * size + 0x1p-18f * reach;
		assert_true( tight.min.x - box.min.x <= loose && box.max.x - tight.max.x <= loose );
		assert_true( tight.min.y - box.min.y <= loose && box.max.y - tight.max.y <= loose );
		assert_true( tight.min.z - box.min.z <= loose && box.max.z - tight.max.z <= loose );

		// every level holds every vertex; level 0 is the whole, deeper ones never have fewer boxes
		int last = 0;
		for ( int level = 0; level < stage.info.coarseLevelCount; ++level )
		{
			int count = gelBody_GetCoarseBoxes( stage.body, level, boxes, stage.info.cellCount );
			assert_true( count >= last );
			last = count;
			for ( int i = 0; i < stage.info.patchVertexCount; i += 13 )
			{
				bool isHeld = false;
				for ( int b = 0; b < count; ++b )
					isHeld = isHeld || Holds( boxes[b], stage.vertices[i] );
				assert_true( isHeld );
			}
		}
		assert_int_equal( last, stage.info.cellCount );
		assert_int_equal( gelBody_GetCoarseBoxes( stage.body, -1, NULL, 0 ), stage.info.cellCount );
		assert_int_equal( gelBody_GetCoarseBoxes( stage.body, 0, boxes, 1 ), 1 );
	}
	free( boxes );
	gelFreeQueryStage( &stage );
}

// Tree nodes of a level do not overlap, and those of the next are the same triangles without the parents'
// own.
static void TestTreeNodes( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	int left = stage.info.patchTriangleCount, level = 0;
	for ( int count = stage.info.patchCount; count > 0; ++level )
	{
		gelTreeNode* nodes = calloc( (size_t)count, sizeof( gelTreeNode ) );
		assert_int_equal( gelAsset_GetTreeNodes( stage.asset, level, nodes, count ), count );
		int sum = 0;
		for ( int i = 0; i < count; ++i )
		{
			sum += nodes[i].triangleCount;
			if ( i > 0 )
				assert_true(
					nodes[i].triangleFirst >= nodes[i - 1].triangleFirst + nodes[i - 1].triangleCount );
		}
		assert_int_equal( sum, left );
		left -= count;
		free( nodes );
		count = gelAsset_GetTreeNodes( stage.asset, level + 1, NULL, 0 );
	}
	assert_int_equal( left, 0 );
	assert_in_range( level, 3, 20 );
	assert_int_equal( gelAsset_GetTreeNodes( stage.asset, -1, NULL, 0 ), 0 );
	assert_int_equal( gelAsset_GetTreeNodes( stage.asset, 1000, NULL, 0 ), 0 );
	gelFreeQueryStage( &stage );
}

// ---- worlds ------------------------------------------------------------------------------------------

#define BODIES 6

static bool SkipBody( gelBodyId bodyId, void* context )
{
	const gelBodyId* skipped = context;
	return bodyId.index1 != skipped->index1;
}

static void TestWorldRays( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryTorus );
	gelRandom random = { 9 };
	gelBodyId bodies[BODIES] = { stage.body };
	for ( int i = 1; i < BODIES; ++i )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = stage.asset;
		def.transform.position = i == 1 ? ( gelVec3 ){ 0.0f, 0.0f, 0.0f } : gelRandomVec3( &random, 2.0 );
		def.enableQueries = i != 2; // this one is invisible
		assert_int_equal( gelCreateBody( stage.world, &def, bodies + i ), gel_success );
	}
	gelDestroyBody( bodies[4] );
	int hits = 0, ties = 0, filtered = 0;
	for ( int i = 0; i < 2000; ++i )
	{
		gelRay ray = gelMakeRayThrough( gelRandomVec3( &random, 4.0 ), gelRandomVec3( &random, 2.0 ) );
		gelRayHit best = { 0 }, hit;
		for ( int b = 0; b < BODIES; ++b )
		{
			gelResult expected = b == 2 ? gel_errorUnsupported : b == 4 ? gel_errorStaleId : gel_success;
			assert_int_equal( gelBody_CastRay( bodies[b], &ray, &hit ), expected );
			if ( hit.isHit && ( !best.isHit || hit.fraction < best.fraction ) ) best = hit;
		}
		assert_int_equal( gelWorld_CastRay( stage.world, &ray, &hit ), gel_success );
		assert_int_equal( hit.isHit, best.isHit );
		if ( !hit.isHit ) continue;
		++hits;
		ties += hit.body.index1 == 1; // the first two bodies are at the same place
		assert_true( hit.body.index1 != 2 );
		assert_true( hit.fraction == best.fraction && hit.cellTriangle == best.cellTriangle );
		assert_true( gelBody_IsValid( hit.body ) && hit.body.index1 == best.body.index1 );
		ray.filter = SkipBody;
		ray.filterContext = &best.body;
		assert_int_equal( gelWorld_CastRay( stage.world, &ray, &hit ), gel_success );
		if ( !hit.isHit ) continue;
		++filtered;
		assert_true( hit.body.index1 != best.body.index1 && hit.fraction >= best.fraction );
	}
	assert_true( hits > 300 && ties > 50 && filtered > 50 );
	gelFreeQueryStage( &stage );
}

// ---- threads -----------------------------------------------------------------------------------------

typedef struct Asker
{
	const gelQueryStage* stage;
	uint64_t seed;
	gelRayHit hits[200];
	bool insides[200];
} Asker;

static void* Ask( void* context )
{
	Asker* asker = context;
	gelRandom random = { asker->seed };
	for ( int i = 0; i < 200; ++i )
	{
		gelRay ray = gelQueryStage_PickRay( asker->stage, &random );
		gelWorld_CastRay( asker->stage->world, &ray, asker->hits + i );
		gelBody_ContainsPoint( asker->stage->body, ray.origin, asker->insides + i );
	}
	return NULL;
}

static void TestThreadsMayAsk( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	gelRandom random = { 10 };
	gelQueryStage_Deform( &stage, gel_shapeBent, &random );
	Asker* askers = calloc( 4, sizeof( Asker ) );
	pthread_t threads[3];
	for ( int i = 0; i < 4; ++i )
		askers[i] = ( Asker ){ .stage = &stage, .seed = 77 };
	for ( int i = 0; i < 3; ++i )
		assert_int_equal( pthread_create( threads + i, NULL, Ask, askers + i ), 0 );
	for ( int i = 0; i < 3; ++i )
		pthread_join( threads[i], NULL );
	Ask( askers + 3 );
	for ( int i = 0; i < 3; ++i )
	{
		assert_memory_equal( askers[i].insides, askers[3].insides, sizeof( askers[i].insides ) );
		for ( int k = 0; k < 200; ++k )
		{
			assert_int_equal( askers[i].hits[k].isHit, askers[3].hits[k].isHit );
			assert_memory_equal(
				&askers[i].hits[k].position, &askers[3].hits[k].position, sizeof( gelVec3 ) );
		}
	}
	free( askers );
	gelFreeQueryStage( &stage );
}

// ---- misuse ------------------------------------------------------------------------------------------

static void ExpectBadRay( const gelQueryStage* stage, gelRay ray )
{
	gelRayHit hit = { .isHit = true };
	assert_int_equal( gelBody_CastRay( stage->body, &ray, &hit ), gel_errorArgument );
	assert_false( hit.isHit );
	hit.isHit = true;
	assert_int_equal( gelWorld_CastRay( stage->world, &ray, &hit ), gel_errorArgument );
	assert_false( hit.isHit );
}

static void TestBadArguments( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	static const float bad[] = { NAN, INFINITY, -INFINITY };
	gelRay good = gelDefaultRay();
	gelRayHit hit;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			gelRay ray = good;
			( &ray.origin.x )[axis] = bad[i];
			ExpectBadRay( &stage, ray );
			ray = good;
			( &ray.translation.x )[axis] = bad[i];
			ExpectBadRay( &stage, ray );
			gelVec3 p = { 0.0f, 0.0f, 0.0f };
			( &p.x )[axis] = bad[i];
			bool isInside = true;
			gelEmbeddedPoint point = { 0 };
			assert_int_equal( gelBody_ContainsPoint( stage.body, p, &isInside ), gel_errorArgument );
			assert_false( isInside );
			assert_int_equal( gelBody_FindPoint( stage.body, p, &point ), gel_errorArgument );
			assert_int_equal( point.tet, -1 );
		}
		gelRay ray = good;
		ray.maxFraction = bad[i];
		ExpectBadRay( &stage, ray );
		gelEmbeddedPoint point = { 0, { bad[i], 0.0f, 0.0f, 1.0f } };
		gelVec3 p;
		assert_int_equal( gelBody_GetPointPosition( stage.body, &point, &p ), gel_errorArgument );
	}
	gelRay ray = good;
	ray.translation = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	ExpectBadRay( &stage, ray );
	ray = good;
	ray.maxFraction = 0.0f;
	ExpectBadRay( &stage, ray );
	ray = good;
	ray.faces = (gelRayFaces)3;
	ExpectBadRay( &stage, ray );
	ExpectBadRay( &stage, ( gelRay ){ 0 } );

	assert_int_equal( gelBody_CastRay( stage.body, NULL, &hit ), gel_errorArgument );
	assert_int_equal( gelBody_CastRay( stage.body, &good, NULL ), gel_errorArgument );
	assert_int_equal( gelWorld_CastRay( ( gelWorldId ){ 0 }, &good, &hit ), gel_errorArgument );
	assert_int_equal( gelWorld_CastRay( stage.world, NULL, &hit ), gel_errorArgument );
	assert_int_equal( gelWorld_CastRay( stage.world, &good, NULL ), gel_errorArgument );
	assert_int_equal( gelBody_ContainsPoint( stage.body, good.origin, NULL ), gel_errorArgument );
	assert_int_equal( gelBody_FindPoint( stage.body, good.origin, NULL ), gel_errorArgument );
	gelVec3 p;
	const gelEmbeddedPoint points[] = { { -1, { 1, 0, 0, 0 } }, { stage.info.tetCount, { 1, 0, 0, 0 } },
		{ 0, { 1, 1, 0, 0 } }, { 0, { 0, 0, 0, 0 } }, { 0, { 2e6f, -2e6f, 1, 0 } } };
	for ( size_t i = 0; i < sizeof( points ) / sizeof( points[0] ); ++i )
	{
		assert_int_equal( gelBody_GetPointPosition( stage.body, points + i, &p ), gel_errorArgument );
		assert_int_equal( gelBody_GetPointVelocity( stage.body, points + i, &p ), gel_errorArgument );
	}
	assert_int_equal( gelBody_GetPointPosition( stage.body, NULL, &p ), gel_errorArgument );
	assert_int_equal( gelBody_GetPointPosition( stage.body, points, NULL ), gel_errorArgument );

	gelBodyId stale = stage.body;
	gelDestroyBody( stage.body );
	bool isInside;
	gelEmbeddedPoint point = { 0, { 1, 0, 0, 0 } };
	assert_int_equal( gelBody_CastRay( stale, &good, &hit ), gel_errorStaleId );
	assert_int_equal( gelBody_ContainsPoint( stale, good.origin, &isInside ), gel_errorStaleId );
	assert_int_equal( gelBody_GetPointPosition( stale, &point, &p ), gel_errorStaleId );
	assert_int_equal( gelBody_FindPoint( stale, good.origin, &point ), gel_errorStaleId );
	assert_int_equal( gelBody_GetPatchVertices( stale, NULL, 0 ), 0 );
	assert_int_equal( gelBody_GetCoarseBoxes( stale, 0, NULL, 0 ), 0 );
	gelAabb box = gelBody_GetBounds( stale ), zero = { { 0, 0, 0 }, { 0, 0, 0 } };
	assert_memory_equal( &box, &zero, sizeof( box ) );
	assert_int_equal( gelWorld_CastRay( stage.world, &good, &hit ), gel_success ); // an empty world
	assert_false( hit.isHit );
	gelFreeQueryStage( &stage );
}

// Rays of any length from anywhere: an answer, and never an infinite loop or a trap.
static void TestExtremeRays( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	gelRandom random = { 12 };
	static const float sizes[] = { FLT_MAX, 1e30f, 1e9f, 1.0f, 1e-10f, 1e-30f, FLT_MIN, 1e-45f };
	for ( int i = 0; i < 4000; ++i )
	{
		if ( i % 500 == 0 ) gelQueryStage_Deform( &stage, (gelQueryShape)( i / 500 + 1 ), &random );
		gelRay ray = gelDefaultRay();
		ray.origin = gelScale(
			i % 3 == 0 ? sizes[gelRandom_Next( &random ) % 8] : 1.0f, gelRandomVec3( &random, 1.0 ) );
		ray.translation =
			gelScale( sizes[gelRandom_Next( &random ) >> 8 & 7], gelRandomVec3( &random, 1.0 ) );
		ray.maxFraction = sizes[gelRandom_Next( &random ) >> 8 & 7];
		gelRayHit hit;
		bool isNull = gelLength( ray.translation ) == 0.0f && ray.translation.x == 0.0f &&
			ray.translation.y == 0.0f && ray.translation.z == 0.0f;
		assert_int_equal(
			gelBody_CastRay( stage.body, &ray, &hit ), isNull ? gel_errorArgument : gel_success );
		if ( !hit.isHit ) continue;
		assert_true( gelIsUsable( hit.position ) && gelIsUsable( hit.normal ) );
		assert_true( hit.fraction >= 0.0f && hit.fraction <= ray.maxFraction );
	}
	gelFreeQueryStage( &stage );
}

// Packs without collision geometry say so, and the rest works.
static void TestWithoutCollision( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	if ( gelAsset_GetInfo( stage.asset ).patchCount > 0 )
	{
		gelFreeStage( &stage );
		fail_msg( "this test wants a pack without collision geometry" );
	}
	gelRay ray = gelDefaultRay();
	gelRayHit hit;
	bool isInside;
	gelEmbeddedPoint point;
	assert_int_equal( gelBody_CastRay( stage.body, &ray, &hit ), gel_errorUnsupported );
	assert_int_equal( gelWorld_CastRay( stage.world, &ray, &hit ), gel_success );
	assert_false( hit.isHit );
	assert_int_equal( gelBody_ContainsPoint( stage.body, ray.origin, &isInside ), gel_errorUnsupported );
	assert_int_equal( gelBody_FindPoint( stage.body, ( gelVec3 ){ 0.3f, 0.4f, 0.5f }, &point ), gel_success );
	assert_true( point.tet >= 0 );
	gelAabb box = gelBody_GetBounds( stage.body );
	assert_true( box.min.x <= 0.0f && box.min.x > -1e-3f && box.max.y >= 1.0f && box.max.y < 1.001f );
	assert_int_equal( gelAsset_GetPatches( stage.asset, NULL, 0 ), 0 );
	assert_int_equal( gelAsset_GetPatchTriangles( stage.asset, NULL, 0 ), 0 );
	assert_int_equal( gelAsset_GetTreeNodes( stage.asset, 0, NULL, 0 ), 0 );
	assert_int_equal( gelBody_GetPatchVertices( stage.body, NULL, 0 ), 0 );
	assert_int_equal( gelBody_GetCoarseBoxes( stage.body, 0, NULL, 0 ), 0 );
	assert_int_equal( gelAsset_GetTriangleSources( stage.asset, NULL, 0 ), 0 );
	gelFreeStage( &stage );
}

static void AskDuringStep( void* context, gelTaskFcn* task, int itemCount, int minRange, void* taskContext )
{
	(void)minRange;
	const gelBodyId* body = context;
	gelRay ray = gelDefaultRay();
	gelRayHit hit;
	bool isInside;
	gelVec3 p;
	gelEmbeddedPoint point = { 0, { 1, 0, 0, 0 } };
	assert_int_equal( gelBody_CastRay( *body, &ray, &hit ), gel_errorLocked );
	assert_int_equal( gelWorld_CastRay( ( gelWorldId ){ body->world }, &ray, &hit ), gel_errorLocked );
	assert_int_equal( gelBody_ContainsPoint( *body, ray.origin, &isInside ), gel_errorLocked );
	assert_int_equal( gelBody_FindPoint( *body, ray.origin, &point ), gel_errorLocked );
	point = ( gelEmbeddedPoint ){ 0, { 1, 0, 0, 0 } };
	assert_int_equal( gelBody_GetPointPosition( *body, &point, &p ), gel_errorLocked );
	task( 0, itemCount, 0, taskContext );
}

static void TestLocked( void** state )
{
	(void)state;
	gelQueryStage stage = gelMakeQueryStage( gel_queryEllipsoid );
	gelBodyId bodies[2];
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.tasks = ( gelTaskSystem ){ AskDuringStep, bodies, 2 };
	gelWorldId world;
	assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_success );
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = stage.asset;
	for ( int i = 0; i < 2; ++i )
		assert_int_equal( gelCreateBody( world, &bodyDef, bodies + i ), gel_success );
	assert_int_equal( gelWorld_Step( world, (float)( 1.0 / 60.0 ) ), gel_success );
	gelDestroyWorld( world );
	gelFreeQueryStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestInsides ),
		cmocka_unit_test( TestFindPoint ),
		cmocka_unit_test( TestVertexPoints ),
		cmocka_unit_test( TestBounds ),
		cmocka_unit_test( TestTreeNodes ),
		cmocka_unit_test( TestWorldRays ),
		cmocka_unit_test( TestThreadsMayAsk ),
		cmocka_unit_test( TestBadArguments ),
		cmocka_unit_test( TestExtremeRays ),
		cmocka_unit_test( TestWithoutCollision ),
		cmocka_unit_test( TestLocked ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
