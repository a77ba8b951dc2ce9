// SPDX-License-Identifier: MIT
// One factor for every step length with every pin set and without pins. The graph and its order belong to the
// pin set alone; the factors are independent of each other and run side by side.
#include "bake/body/body_passes.h"
#include "bake/factor/factor_passes.h"

#include "pack/pack_read.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <stdio.h>

typedef struct Job
{
	const gelBakeGraph* graph;
	const uint32_t* order;
	gelBakePool pool; // memory of the factor
	gelBakeFactor factor;
	gelFactorStatus status;
} Job;

// @param level of detail that the cage is of, 0: the finest
static bool CheckPins( const gelBakePinSet* pins, uint32_t nodeCount, int level, gelFindings* findings )
{
	GEL_ASSERT( pins->nodeCount == 0 || pins->nodes != NULL );
	for ( uint32_t i = 0; i < pins->nodeCount; ++i )
	{
		// Strictly ascending: then no node is there twice, and hashes of equal sets are equal.
		if ( pins->nodes[i] < nodeCount && ( i == 0 || pins->nodes[i - 1] < pins->nodes[i] ) ) continue;
		gelFindings_Add( findings, gel_findingPinSetUnusable, NULL,
			"pinned node %u is out of place: nodes have to ascend and to be below %u", pins->nodes[i],
			nodeCount );
		return false;
	}
	if ( pins->nodeCount > 0 && pins->nodeCount < nodeCount ) return true;
	char of[48] = "";
	if ( level > 0 ) snprintf( of, sizeof( of ), " of level %d (%u nodes)", level, nodeCount );
	gelFindings_Add( findings, gel_findingPinSetUnusable, NULL,
		pins->nodeCount == 0
			? "no cage node%s is in the pin set; enlarge the box of --pin-box, or what is painted%s"
			: "every cage node%s is pinned, so nothing is left to simulate; shrink the box of --pin-box, or "
			  "what is painted%s",
		of, level > 0 ? ", or give the level more tets (--lod)" : "" );
	return false;
}

static bool IdentifyPinSets( gelBakeData* data, gelFindings* findings )
{
	const gelBakeSettings* settings = data->settings;
	data->pinSetIds = gelBakePool_Alloc( &data->pool, (size_t)settings->pinSetCount, sizeof( uint64_t ) );
	data->pinSets = gelBakePool_Alloc( &data->pool, (size_t)settings->pinSetCount, sizeof( gelBakePinSet ) );
	for ( int i = 0; i < settings->pinSetCount; ++i )
	{
		const gelBakePinSet* pins = data->pinSets + i;
		if ( !CheckPins( settings->pinSets + i, data->cage.nodeCount, settings->level, findings ) )
			return false;
		data->pinSets[i] = gelOrderPins( &data->cage, settings->pinSets + i, &data->pool );
		// A pin set is known by what it holds. A game that pins the same nodes finds the factor without
		// knowing numbers of sets; 0 is the name of no pins.
		data->pinSetIds[i] = gelPack_Hash( pins->nodes, pins->nodeCount * sizeof( uint32_t ) );
		for ( int j = 0; j < i; ++j )
		{
			if ( data->pinSetIds[i] != data->pinSetIds[j] ) continue;
			gelFindings_Add( findings, gel_findingPinSetUnusable, NULL,
				"pin sets %d and %d hold the same %u nodes", j, i, pins->nodeCount );
			return false;
		}
	}
	return true;
}

bool gelCheckSteps( const gelBakeSettings* settings, gelFindings* findings )
{
	GEL_ASSERT( settings->stepCount == 0 || settings->steps != NULL );
	for ( int i = 0; i < settings->stepCount; ++i )
	{
		double step = settings->steps[i];
		if ( !( step >= GEL_PACK_MIN_STEP && step <= GEL_PACK_MAX_STEP ) )
		{
			gelFindings_Add( findings, gel_findingStepRange, NULL, "a step of %g s is not in [%g, %g]", step,
				GEL_PACK_MIN_STEP, GEL_PACK_MAX_STEP );
			return false;
		}
		for ( int j = 0; j < i; ++j )
		{
			// Equal as floats is equal for the runtime, which looks factors up by the bits of its step.
			if ( (float)settings->steps[j] != (float)step ) continue;
			gelFindings_Add( findings, gel_findingStepRange, NULL, "the step of %g s is given twice", step );
			return false;
		}
	}
	// 16 sections are left for the rest of the pack
	uint64_t factors = (uint64_t)settings->stepCount * ( (uint64_t)settings->pinSetCount + 1 );
	if ( settings->stepCount > 0 && factors + (uint64_t)settings->pinSetCount <= GEL_PACK_MAX_SECTIONS - 16 )
		return true;
	gelFindings_Add( findings, gel_findingStepRange, NULL,
		"%d step lengths with %d pin sets: between 1 and %u factors fit into a pack", settings->stepCount,
		settings->pinSetCount, GEL_PACK_MAX_SECTIONS - 16 );
	return false;
}

static void RunJob( Job* job, const gelBakeData* data )
{
	GEL_ASSERT( job->order != NULL && job->factor.step > 0.0 );
	gelBakePool scratch = { NULL };
	gelBakeMatrix A = gelAssembleMatrix( &data->cage, &data->gather, &data->rest, data->materials.items,
		data->masses, job->graph, job->factor.step, &scratch );
	job->status = gelFactorMatrix( &A, job->graph, job->order, &job->pool, &job->factor );
	gelFreeBakePool( &scratch );
}

static bool ReportJob( const Job* job, const char* file, gelFindings* findings )
{
	double step = job->factor.step;
	switch ( job->status )
	{
		case gel_factorOk:
			return true;
		case gel_factorTooLarge:
			gelFindings_Add( findings, gel_findingFormatLimit, file,
				"the factor for %u free nodes has more than %u values; use a coarser cage", job->graph->n,
				GEL_PACK_MAX_VALUES );
			return false;
		case gel_factorLibrary:
			gelFindings_Add( findings, gel_findingInternal, NULL,
				"the factorization for %u free nodes failed in CHOLMOD", job->graph->n );
			return false;
		default:
			gelFindings_Add( findings, gel_findingBadlyConditioned, file,
				"the system matrix for a step of %g s cannot be factored in 32-bit floats (diagonal from %g "
				"to %g); make the tets of the cage more alike in size, lower Young's modulus or "
				"the step, or give --scale if the unit of the art is not the metre",
				step, job->factor.minDiagonal, job->factor.maxDiagonal );
			return false;
	}
}

// Graphs and orders of the empty pin set and of all others. METIS draws its random numbers from the C
// library, so only one call runs at a time.
static bool PrepareJobs( gelBakeData* data, Job* jobs, gelFindings* findings )
{
	const gelBakeSettings* settings = data->settings;
	gelBakeGraph* graphs =
		gelBakePool_Alloc( &data->pool, (size_t)settings->pinSetCount + 1, sizeof( gelBakeGraph ) );
	for ( int p = 0; p <= settings->pinSetCount; ++p )
	{
		const gelBakePinSet* pins = p == 0 ? NULL : data->pinSets + p - 1;
		graphs[p] = gelBuildGraph( &data->cage, &data->gather, pins != NULL ? pins->nodes : NULL,
			pins != NULL ? pins->nodeCount : 0, &data->pool );
		const uint32_t* order = gelOrderNodes( graphs + p, &data->pool );
		if ( order == NULL )
		{
			gelFindings_Add(
				findings, gel_findingInternal, NULL, "METIS could not order %u nodes", graphs[p].n );
			return false;
		}
		for ( int s = 0; s < settings->stepCount; ++s )
		{
			Job* job = jobs + p * settings->stepCount + s;
			job->graph = graphs + p;
			job->order = order;
			// The step that the runtime will have: 1/60 as a float, and the matrix of exactly that.
			job->factor.step = (double)(float)settings->steps[s];
			job->factor.pinSetId = p == 0 ? 0 : data->pinSetIds[p - 1];
		}
	}
	return true;
}

bool gelBuildFactors( gelBakeData* data, gelProgram* program )
{
	const gelBakeSettings* settings = data->settings;
	gelFindings* findings = &program->findings;
	if ( settings->isStatic ) return true;
	if ( !gelCheckSteps( settings, findings ) || !IdentifyPinSets( data, findings ) ) return false;
	const int jobCount = settings->stepCount * ( settings->pinSetCount + 1 );
	Job* jobs = gelBakePool_Alloc( &data->pool, (size_t)jobCount, sizeof( Job ) );
	gelReport_Phase( &program->report, "order" );
	if ( !PrepareJobs( data, jobs, findings ) ) return false;
	gelReport_Phase( &program->report, "factor" );
	gelProgress_Update( &program->progress, "factoring", 0.5 );
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( settings->threads > 0 ? settings->threads : 1 )
	for ( int i = 0; i < jobCount; ++i )
		RunJob( jobs + i, data );
	bool ok = true;
	data->factors = gelBakePool_Alloc( &data->pool, (size_t)jobCount, sizeof( gelBakeFactor ) );
	data->factorCount = jobCount;
	for ( int i = 0; i < jobCount; ++i )
	{
		// In the order of the jobs, so that messages do not depend on which thread was done first. Memory of
		// every job moves into the pool of the bake, also that of jobs that failed.
		ok = ok && ReportJob( jobs + i, data->cage.file, findings );
		data->factors[i] = jobs[i].factor;
		gelBakePool_Adopt( &data->pool, &jobs[i].pool );
	}
	return ok;
}
