// SPDX-License-Identifier: MIT
// Raycasts on a deformed body, against a loop over all art triangles and against a tree of boxes over them
// that is refitted to the deformed positions every step. The time of a step's queries is that of the refit
// plus that of so many rays; the tree gets the deformed art positions for free, as if they were there for
// drawing (deform_us says what they would cost). Our rays also say where on the art the hit is, those of the
// others only how far away. All are compiled with the same options, but our search picks its instructions at
// run time. The tree is a good one: surface area heuristic with 16 bins, 32 bytes per node, nearest child
// first, refitted bottom-up.
#include "bench.h"

#include "aabb_tree.h"
#include "state/coarse_tree.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>

#define RAY_COUNT 1000

typedef struct gelRayRun
{
	gelBodyId body;
	gelWorldId world;
	gelRay rays[RAY_COUNT];
	gelVec3* positions; // deformed art [m]
	const uint32_t* triangles;
	uint32_t triangleCount;
	int vertexCount;
	gelAabbTree tree;
	int hitCount, treeHitCount;
	int bruteCount; // rays of a brute force run
	double worst;   // largest difference of fractions between us and the tree
} gelRayRun;

static void CastOurs( void* context )
{
	gelRayRun* run = context;
	run->hitCount = 0;
	for ( int i = 0; i < RAY_COUNT; ++i )
	{
		gelRayHit hit;
		gelBody_CastRay( run->body, run->rays + i, &hit );
		run->hitCount += hit.isHit;
	}
}

static void RefitOurs( void* context )
{
	gelRayRun* run = context;
	gelBody_RefitCoarseNow( gelGetBody( run->body ) );
}

static void AskInsides( void* context )
{
	gelRayRun* run = context;
	for ( int i = 0; i < RAY_COUNT; ++i )
	{
		const gelRay* ray = run->rays + i;
		bool isInside;
		gelBody_ContainsPoint(
			run->body, gelMulAdd( ray->origin, 1.0f / 3.0f, ray->translation ), &isInside );
	}
}

static void AskBounds( void* context )
{
	gelRayRun* run = context;
	gelBody_GetBounds( run->body );
}

static void Deform( void* context )
{
	gelRayRun* run = context;
	gelBody_GetPositions( run->body, run->positions, run->vertexCount );
}

static void CastTree( void* context )
{
	gelRayRun* run = context;
	run->treeHitCount = 0;
	for ( int i = 0; i < RAY_COUNT; ++i )
	{
		const gelRay* ray = run->rays + i;
		run->treeHitCount +=
			gelAabbTree_CastRay( &run->tree, run->positions, ray->origin, ray->translation, 1.0f ) < 1.0f;
	}
}

static void RefitTree( void* context )
{
	gelRayRun* run = context;
	gelAabbTree_Refit( &run->tree, run->positions );
}

static void CastBrute( void* context )
{
	gelRayRun* run = context;
	for ( int i = 0; i < run->bruteCount; ++i )
	{
		const gelRay* ray = run->rays + i;
		run->treeHitCount += gelCastRayAtAll( run->positions, run->triangles, run->triangleCount, ray->origin,
								 ray->translation, 1.0f ) < 1.0f;
	}
}

static float Random( uint64_t* state )
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (float)( *state >> 40 ) * 0x1p-23f - 1.0f; // [-1, 1)
}

// From around the body to points in its box, and on beyond it.
static void MakeRays( gelRayRun* run )
{
	gelAabb box = gelBody_GetBounds( run->body );
	gelVec3 center = gelScale( 0.5f, gelAdd( box.min, box.max ) ),
			half = gelScale( 0.5f, gelSub( box.max, box.min ) );
	float reach = 2.0f * gelLength( half );
	uint64_t state = 1;
	for ( int i = 0; i < RAY_COUNT; ++i )
	{
		gelVec3 d;
		do
		{
			d = ( gelVec3 ){ Random( &state ), Random( &state ), Random( &state ) };
		} while ( gelLengthSquared( d ) > 1.0f || gelLengthSquared( d ) < 0.01f );
		gelVec3 target = gelAdd( center,
			( gelVec3 ){ half.x * Random( &state ), half.y * Random( &state ), half.z * Random( &state ) } );
		run->rays[i] = gelDefaultRay();
		run->rays[i].origin = gelMulAdd( center, reach / gelLength( d ), d );
		run->rays[i].translation = gelScale( 3.0f, gelSub( target, run->rays[i].origin ) );
	}
}

static void Compare( gelRayRun* run )
{
	for ( int i = 0; i < RAY_COUNT; ++i )
	{
		const gelRay* ray = run->rays + i;
		gelRayHit hit;
		gelBody_CastRay( run->body, ray, &hit );
		float f = gelAabbTree_CastRay( &run->tree, run->positions, ray->origin, ray->translation, 1.0f );
		if ( hit.isHit && f < 1.0f )
			run->worst = fmax( run->worst, fabs( (double)hit.fraction - (double)f ) );
	}
}

static bool Prepare( gelRayRun* run, const gelBenchBody* body )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = body->asset;
	bodyDef.transform.position.y = 0.02f - body->info.restBounds.min.y;
	run->positions = malloc( (size_t)body->info.vertexCount * sizeof( gelVec3 ) );
	if ( run->positions == NULL || gelCreateWorld( &worldDef, &run->world ) != gel_success ) return false;
	if ( gelCreateBody( run->world, &bodyDef, &run->body ) != gel_success ) return false;
	run->triangles = gelAsset_GetTriangles( body->asset );
	run->triangleCount = (uint32_t)body->info.triangleCount;
	run->vertexCount = body->info.vertexCount;
	gelBody_GetPositions( run->body, run->positions, body->info.vertexCount );
	if ( !gelBuildAabbTree( &run->tree, run->positions, run->triangles, run->triangleCount ) ) return false;
	for ( int i = 0; i < 20; ++i )
	{
		if ( gelWorld_Step( run->world, 1.0f / 60.0f ) != gel_success ) return false;
	}
	gelBody_GetPositions( run->body, run->positions, body->info.vertexCount );
	gelAabbTree_Refit( &run->tree, run->positions );
	MakeRays( run );
	return true;
}

// Rays per step at which the tree is level with us.
static double FindBreakEven( double ray, double refit, double treeRay, double treeRefit )
{
	return ray > treeRay ? ( treeRefit - refit ) / ( ray - treeRay ) : 1e9; // never
}

static void Measure( gelBench* bench, const char* name, gelRayRun* run )
{
	run->bruteCount = bench->quick ? 2 : 20;
	double ray = gelBench_Best( bench, CastOurs, run ) / RAY_COUNT,
		   refit = gelBench_Best( bench, RefitOurs, run );
	double treeRay = gelBench_Best( bench, CastTree, run ) / RAY_COUNT;
	int treeHits = run->treeHitCount;
	double treeRefit = gelBench_Best( bench, RefitTree, run );
	double brute = gelBench_Best( bench, CastBrute, run ) / run->bruteCount;
	double deform = gelBench_Best( bench, Deform, run );
	Compare( run );
	gelBench_Row( bench, "ray", name, "ray_us", ray * 1e6, "refit_us", refit * 1e6, "tree_ray_us",
		treeRay * 1e6, "tree_refit_us", treeRefit * 1e6, "deform_us", deform * 1e6, "brute_ray_us",
		brute * 1e6, "times_brute", ( refit + ray ) / brute, "times_tree_1",
		( refit + ray ) / ( treeRefit + treeRay ), "times_tree_100",
		( refit + 100.0 * ray ) / ( treeRefit + 100.0 * treeRay ), "times_tree_1000",
		( refit + 1000.0 * ray ) / ( treeRefit + 1000.0 * treeRay ), "break_even_rays",
		FindBreakEven( ray, refit, treeRay, treeRefit ), "break_even_with_deform",
		FindBreakEven( ray, refit, treeRay, treeRefit + deform ), "hits", (double)run->hitCount, "tree_hits",
		(double)treeHits, "worst_difference", run->worst, NULL );
	gelBench_Row( bench, "ask", name, "inside_us", gelBench_Best( bench, AskInsides, run ) / RAY_COUNT * 1e6,
		"bounds_us", gelBench_Best( bench, AskBounds, run ) * 1e6, NULL );
}

static bool MeasureRays( gelBench* bench, const char* name, const gelBenchBody* body )
{
	gelRayRun* run = calloc( 1, sizeof( gelRayRun ) );
	bool ok = run != NULL && Prepare( run, body );
	if ( ok ) Measure( bench, name, run );
	if ( run != NULL )
	{
		if ( run->world.world != NULL ) gelDestroyWorld( run->world );
		gelFreeAabbTree( &run->tree );
		free( run->positions );
	}
	free( run );
	return ok;
}

bool gelBenchRay( gelBench* bench )
{
	static const int triangles[] = { 10000, 100000 };
	bool ok = true;
	for ( int i = 0; ok && i < ( bench->quick ? 1 : 2 ); ++i )
	{
		char name[64];
		snprintf( name, sizeof( name ), "bear %dK", triangles[i] / 1000 );
		gelBenchBody body;
		ok = gelMakeBenchSample( bench, "bear", triangles[i], &body ) && MeasureRays( bench, name, &body );
		gelFreeBenchBody( &body );
	}
	return ok;
}
