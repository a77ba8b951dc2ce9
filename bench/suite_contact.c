// SPDX-License-Identifier: MIT
// Contact determination of two deformed bodies that overlap deeply, on one thread.
//
// Pair finding, with the refit of the coarse boxes and the deformation of the vertices that it looks at, is
// compared with trees of boxes over all art triangles, refitted and descended together in the same run. Those
// get the deformed art positions for free, as if they were there for drawing (deform_ms says what both would
// cost). They are looked for in the surface as it was drawn, which has fewer triangles than the one that is
// cut along the cage. The whole determination is compared with its own pair finding, and with parts of the
// method switched off (Civit-Flores, thesis, table 5.2). What follows the pairs is fitted to their number and
// to that of the triangles inside, at several depths of overlap and for all sizes.
#include "bench.h"

#include "aabb_tree.h"
#include "contact_stage.h"
#include "simd/levels.h"
#include "state/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CONTACT_CAPACITY 2048

// In such a cage the surface of a dragon is in some 250 tets.
#define CAGE_TETS 255

// How far the second body is from the middle of the first one, in sizes of the body.
static const gelVec3 s_offset = { 0.21f, 0.11f, 0.13f };

typedef struct Side
{
	gelBenchBody art;
	gelBodyId body;
	gelContactSurface surface;
	gelVec3* positions; // deformed art [m]
	gelAabbTree tree;
} Side;

typedef struct Run
{
	gelWorldId world;
	Side side[2];
	void* memory;
	gelContactScratch* scratch;
	gelSimdLevel simd;
	gelDetectOptions options;
	gelDetectStats stats;
	gelFoundContact contacts[CONTACT_CAPACITY];
	int count;
	uint32_t treePairs;
} Run;

static void Refit( Run* run )
{
	for ( int i = 0; i < 2; ++i )
	{
		gelBody* body = gelGetBody( run->side[i].body );
		const gelAsset* asset = body->asset;
		gelBody_RefitCoarseNow( body );
		run->side[i].surface = gelMakeContactSurface(
			&asset->pack, asset->coarse, asset->coarseCount, body->x, body->coarse, body->origin );
	}
}

static void FindPairs( void* context )
{
	Run* run = context;
	gelContactSurface *a = &run->side[0].surface, *b = &run->side[1].surface;
	gelFindSettings settings = { gelGetContactKernels( run->options.simd ), run->options.fewPairs };
	Refit( run );
	gelContactScratch_Bind( run->scratch, a, b );
	if ( gelContactSurface_Pair( a, b ) ) gelFindTrianglePairs( a, b, &settings, &run->scratch->pairs );
}

static void RefitOnly( void* context )
{
	Refit( context );
}

static void DetectAll( void* context )
{
	Run* run = context;
	Refit( run );
	run->count = gelDetectContacts( &run->side[0].surface, &run->side[1].surface, run->scratch, &run->options,
		run->contacts, CONTACT_CAPACITY, &run->stats );
}

static void FindTreePairs( void* context )
{
	Run* run = context;
	Side *a = run->side, *b = run->side + 1;
	gelAabbTree_Refit( &a->tree, a->positions );
	gelAabbTree_Refit( &b->tree, b->positions );
	run->treePairs = gelAabbTree_CountPairs( &a->tree, a->positions, &b->tree, b->positions );
}

static void DeformArt( void* context )
{
	Run* run = context;
	for ( int i = 0; i < 2; ++i )
		gelBody_GetPositions( run->side[i].body, run->side[i].positions, run->side[i].art.info.vertexCount );
}

// Processor time of this thread [s]: one thread does it all and waits for nothing, and others may be
// busy.
static double GetTime( void* context )
{
	(void)context;
	struct timespec time;
	clock_gettime( CLOCK_THREAD_CPUTIME_ID, &time );
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Bends a body and moves it, turned half around for the second one.
static bool Bend( Side* side, int index )
{
	int count = side->art.info.nodeCount;
	gelAabb box = side->art.info.restBounds;
	gelVec3 size = gelSub( box.max, box.min ), middle = gelScale( 0.5f, gelAdd( box.min, box.max ) );
	gelVec3* x = calloc( 2 * (size_t)count, sizeof( gelVec3 ) );
	if ( x == NULL ) return false;
	gelBody_GetNodePositions( side->body, x, count );
	for ( int i = 0; i < count; ++i )
	{
		gelVec3 p = gelSub( x[i], middle );
		p.x += 0.05f * size.x * sinf( 4.0f * p.y / size.y );
		p.z += 0.05f * size.z * sinf( 3.0f * p.x / size.x );
		float sign = index == 0 ? 1.0f : -1.0f;
		x[i] = gelMakeVec3( sign * p.x, p.y, sign * p.z );
		if ( index == 1 )
			x[i] =
				gelAdd( x[i], gelMakeVec3( s_offset.x * size.x, s_offset.y * size.y, s_offset.z * size.z ) );
	}
	bool ok = gelBody_SetNodeState( side->body, x, x + count, count ) == gel_success;
	free( x );
	return ok;
}

static bool PrepareSide( gelBench* bench, Run* run, int index, int triangles )
{
	Side* side = run->side + index;
	if ( !gelMakeBenchCaged( bench, "dragon", triangles, CAGE_TETS, &side->art ) ) return false;
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = side->art.asset;
	if ( gelCreateBody( run->world, &def, &side->body ) != gel_success ) return false;
	int count = side->art.info.vertexCount;
	side->positions = malloc( (size_t)count * sizeof( gelVec3 ) );
	if ( side->positions == NULL ) return false;
	gelBody_GetPositions( side->body, side->positions, count );
	bool ok = gelBuildAabbTree( &side->tree, side->positions, gelAsset_GetTriangles( side->art.asset ),
		(uint32_t)side->art.info.triangleCount );
	return ok && Bend( side, index );
}

static bool Prepare( gelBench* bench, Run* run, int triangles )
{
	gelWorldDef def = gelDefaultWorldDef();
	if ( gelCreateWorld( &def, &run->world ) != gel_success ) return false;
	gelContactLimits limits = { .maxPairs = GEL_CONTACT_DEFAULT_PAIRS };
	for ( int i = 0; i < 2; ++i )
	{
		if ( !PrepareSide( bench, run, i, triangles ) ) return false;
		gelContactLimits_Include( &limits, &run->side[i].art.asset->pack );
	}
	run->memory = aligned_alloc( 64, gelContactScratch_GetBytes( &limits ) );
	if ( run->memory == NULL ) return false;
	run->scratch = gelContactScratch_Init( &limits, run->memory );
	run->simd = gelFindSimdLevel( gel_simdAutomatic );
	run->options = gelDefaultDetectOptions();
	run->options.simd = run->simd;
	DeformArt( run );
	return true;
}

static void FreeRun( Run* run )
{
	gelDestroyWorld( run->world );
	for ( int i = 0; i < 2; ++i )
	{
		gelFreeAabbTree( &run->side[i].tree );
		free( run->side[i].positions );
		gelFreeBenchBody( &run->side[i].art );
	}
	free( run->memory );
	free( run );
}

// Times of the phases, each the best of several runs.
static void MeasurePhases( Run* run, double best[gel_detectPhaseCount] )
{
	run->options.clock = GetTime;
	for ( int k = 0; k < gel_detectPhaseCount; ++k )
		best[k] = 1e30;
	for ( int i = 0; i < 20; ++i )
	{
		DetectAll( run );
		for ( int k = 0; k < gel_detectPhaseCount; ++k )
			best[k] = fmin( best[k], run->stats.seconds[k] );
	}
	run->options.clock = NULL;
}

// ---- what merging and flood are linear in ----

typedef struct Sample
{
	double pairs, inner;  // triangles that cross; triangles inside, in patches with cuts
	double curves, flood; // [s]
} Sample;

typedef struct Samples
{
	Sample items[16];
	int count;
} Samples;

static void AddSample( Samples* samples, const Run* run, const double phase[gel_detectPhaseCount] )
{
	samples->items[samples->count++] = ( Sample ){ run->stats.pairCount, run->stats.innerTriangleCount,
		phase[gel_phaseCurves], phase[gel_phaseFlood] };
}

// Least squares of relative errors: curves = a pairs; flood = b pairs + c inner.
static void Fit( gelBench* bench, const char* name, const Samples* samples )
{
	double sum = 0.0, squares = 0.0, pp = 0.0, pi = 0.0, ii = 0.0, p = 0.0, i = 0.0;
	for ( int k = 0; k < samples->count; ++k )
	{
		const Sample* s = samples->items + k;
		double curves = s->pairs / s->curves, x = s->pairs / s->flood, y = s->inner / s->flood;
		sum += curves, squares += curves * curves;
		pp += x * x, pi += x * y, ii += y * y, p += x, i += y;
	}
	double a = sum / squares, det = pp * ii - pi * pi;
	double b = ( p * ii - i * pi ) / det, c = ( i * pp - p * pi ) / det, worst[2] = { 0.0, 0.0 };
	for ( int k = 0; k < samples->count; ++k )
	{
		const Sample* s = samples->items + k;
		worst[0] = fmax( worst[0], fabs( a * s->pairs / s->curves - 1.0 ) );
		worst[1] = fmax( worst[1], fabs( ( b * s->pairs + c * s->inner ) / s->flood - 1.0 ) );
	}
	gelBench_Row( bench, "linear", name, "curves_ns_per_pair", 1e9 * a, "curves_worst_error", worst[0],
		"flood_ns_per_pair", 1e9 * b, "flood_ns_per_inner_triangle", 1e9 * c, "flood_worst_error", worst[1],
		NULL );
}

// Moves the second body from its place, in units of the way to the first one.
static bool Move( Run* run, double way )
{
	Side* side = run->side + 1;
	int count = side->art.info.nodeCount;
	gelVec3 size = gelSub( side->art.info.restBounds.max, side->art.info.restBounds.min );
	gelVec3 step =
		gelScale( (float)way, gelMakeVec3( s_offset.x * size.x, s_offset.y * size.y, s_offset.z * size.z ) );
	gelVec3* x = calloc( 2 * (size_t)count, sizeof( gelVec3 ) );
	if ( x == NULL ) return false;
	gelBody_GetNodePositions( side->body, x, count );
	for ( int i = 0; i < count; ++i )
		x[i] = gelAdd( x[i], step );
	bool ok = gelBody_SetNodeState( side->body, x, x + count, count ) == gel_success;
	free( x );
	return ok;
}

// The same surfaces at seven depths, from almost in the same place to a touch.
static bool MeasureDepths( gelBench* bench, Run* run, const char* size, Samples* samples )
{
	bool ok = Move( run, -0.8 );
	for ( int i = 0; i < 7 && ok; ++i )
	{
		double phase[gel_detectPhaseCount];
		char name[64];
		MeasurePhases( run, phase );
		const gelDetectStats* s = &run->stats;
		snprintf( name, sizeof( name ), "%s, depth %d", size, i + 1 );
		gelBench_Row( bench, "depths", name, "pairs", (double)s->pairCount, "inner_triangles",
			(double)s->innerTriangleCount, "cut_patches", (double)s->cutPatchCount, "inner_patches",
			(double)s->innerPatchCount, "find_ms", 1e3 * phase[gel_phasePairs], "curves_ms",
			1e3 * phase[gel_phaseCurves], "flood_ms", 1e3 * phase[gel_phaseFlood], NULL );
		AddSample( samples, run, phase );
		ok = Move( run, 0.3 );
	}
	return ok;
}

// ---- all of it ----

// Best times of pair finding, of the trees and of the whole determination, in turn: neither noise nor caches
// and branch predictors that know one of them by heart favour any.
static void MeasureInTurn( const gelBench* bench, Run* run, double best[3] )
{
	void ( *const runs[3] )( void* ) = { FindPairs, FindTreePairs, DetectAll };
	double budget = bench->quick ? 0.06 : 2.0, spent = 0.0; // [s]
	best[0] = best[1] = best[2] = 1e30;
	for ( int i = 0; i < 4 || spent < budget; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double start = GetTime( NULL );
			runs[k]( run );
			double seconds = GetTime( NULL ) - start;
			spent += seconds;
			best[k] = fmin( best[k], seconds );
		}
	}
}

static double MeasureSize( gelBench* bench, Run* run, const char* name, Samples* samples )
{
	double best[3], refit = gelBench_Best( bench, RefitOnly, run ),
					deform = gelBench_Best( bench, DeformArt, run );
	MeasureInTurn( bench, run, best );
	double pairs = best[0], tree = best[1], whole = best[2];
	double phase[gel_detectPhaseCount];
	MeasurePhases( run, phase );
	AddSample( samples, run, phase );
	const gelDetectStats* s = &run->stats;
	gelBench_Row( bench, "contact", name, "pairs_ms", 1e3 * pairs, "refit_ms", 1e3 * refit, "tree_ms",
		1e3 * tree, "deform_ms", 1e3 * deform, "times_faster", tree / pairs, "times_faster_with_deform",
		( tree + deform ) / pairs, "whole_ms", 1e3 * whole, "whole_by_pairs", whole / pairs, NULL );
	gelBench_Row( bench, "phases", name, "find_ms", 1e3 * phase[gel_phasePairs], "curves_ms",
		1e3 * phase[gel_phaseCurves], "flood_ms", 1e3 * phase[gel_phaseFlood], "regions_ms",
		1e3 * phase[gel_phaseRegions], "rays_ms", 1e3 * phase[gel_phaseRays], "curves_ns_per_pair",
		1e9 * phase[gel_phaseCurves] / s->pairCount, "flood_ns_per_pair",
		1e9 * phase[gel_phaseFlood] / s->pairCount, NULL );
	gelBench_Row( bench, "counts", name, "occupied_tets",
		(double)run->side[0].art.asset->pack.header->cdgTetCount, "tests", (double)s->testCount, "pairs",
		(double)s->pairCount, "tree_pairs", (double)run->treePairs, "curves", (double)s->curveCount, "open",
		(double)s->openCurveCount, "regions", (double)s->regionCount, "complex",
		(double)s->complexRegionCount, "inner_triangles", (double)s->innerTriangleCount, "cut_patches",
		(double)s->cutPatchCount, "inner_patches", (double)s->innerPatchCount, "points",
		(double)s->pointCount, "rays", (double)s->rayCount, "contacts", (double)run->count, NULL );
	return pairs;
}

static double FindWithoutTrees( Run* run )
{
	gelContactSurface *a = &run->side[0].surface, *b = &run->side[1].surface;
	double start = GetTime( NULL );
	Refit( run );
	gelContactScratch_Bind( run->scratch, a, b );
	if ( gelContactSurface_Pair( a, b ) ) gelFindTrianglePairs_Ref( a, b, &run->scratch->pairs );
	return GetTime( NULL ) - start;
}

// The method with parts switched off.
static void MeasureAblation( gelBench* bench, Run* run, const char* size, bool hasNoTrees )
{
	static const struct
	{
		const char* name;
		bool noTrees, noPatchFlood;
		uint32_t fewPairs;
		bool isScalar;
	} rows[] = {
		{ "all", false, false, 0, false },
		{ "T_int = 1", false, false, 1, false },
		{ "no patch flood", false, true, 0, false },
		{ "no wide kernels", false, false, 0, true },
		{ "no trees", true, false, 0, false },
	};
	double all = 0.0;
	gelDetectOptions options = run->options;
	for ( int i = 0; i < (int)( sizeof( rows ) / sizeof( rows[0] ) ); ++i )
	{
		if ( rows[i].noTrees && !hasNoTrees ) continue; // minutes, for 100K triangles
		double phase[gel_detectPhaseCount] = { 0.0 };
		run->options.noPatchFlood = rows[i].noPatchFlood;
		run->options.fewPairs = rows[i].fewPairs;
		run->options.simd = rows[i].isScalar ? gelGetBaseLevel() : run->simd;
		if ( rows[i].noTrees )
			phase[gel_phasePairs] = FindWithoutTrees( run ); // which is all but nothing
		else
			MeasurePhases( run, phase );
		double total = 0.0;
		for ( int k = 0; k < gel_detectPhaseCount; ++k )
			total += phase[k];
		if ( i == 0 ) all = total;
		char name[64];
		snprintf( name, sizeof( name ), "%s, %s", size, rows[i].name );
		gelBench_Row( bench, "ablation", name, "total_ms", 1e3 * total, "find_ms",
			1e3 * phase[gel_phasePairs], "merge_ms", 1e3 * phase[gel_phaseCurves], "points_ms",
			1e3 * ( phase[gel_phaseFlood] + phase[gel_phaseRegions] ), "rays_ms", 1e3 * phase[gel_phaseRays],
			"times_all", total / all, NULL );
	}
	run->options = options;
}

bool gelBenchContact( gelBench* bench )
{
	static const int triangles[] = { 1000, 10000, 100000, 400000 };
	int count = bench->quick ? 2 : 4;
	double pairs[4] = { 0.0 };
	Samples samples = { .count = 0 };
	for ( int i = 0; i < count; ++i )
	{
		Run* run = calloc( 1, sizeof( Run ) );
		bool ok = run != NULL && Prepare( bench, run, triangles[i] );
		char name[32];
		snprintf( name, sizeof( name ), "dragons %dK", triangles[i] / 1000 );
		if ( ok )
		{
			pairs[i] = MeasureSize( bench, run, name, &samples );
			if ( triangles[i] == 10000 || triangles[i] == 100000 )
				MeasureAblation( bench, run, name, triangles[i] == 10000 && !bench->quick );
			if ( triangles[i] == ( bench->quick ? 10000 : 100000 ) )
				ok = MeasureDepths( bench, run, name, &samples );
		}
		if ( run != NULL ) FreeRun( run );
		if ( !ok ) return false;
	}
	Fit( bench, "sizes and depths", &samples );
	if ( count == 4 )
		gelBench_Row(
			bench, "growth", "10K to 400K", "exponent", log( pairs[3] / pairs[1] ) / log( 40.0 ), NULL );
	return true;
}
