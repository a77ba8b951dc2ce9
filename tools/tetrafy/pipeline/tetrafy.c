// SPDX-License-Identifier: MIT
// The mesher from end to end: clean, search the cell size, classify, split, fit, verify.
//
//     art mesh -> gelPrepareArt (clean, tree, parts)   once per art, shared by all cages of a chain
//              -> Build   grid search, classes, [--manifold], split; or a cage from elsewhere, proven first
//              -> Fit     ODT passes, then [--relax] with the outside held
//              -> Verify  proof by exact predicates; nothing that fails is given out
//              -> report and picture
#include "tetrafy/mesher/cage_refit.h"
#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/mesher/odt_fit.h"
#include "tetrafy/mesher/split.h"
#include "tetrafy/pipeline/tetrafy_job.h"
#include "tetrafy/verify/cage_manifold.h"
#include "tetrafy/verify/cage_verify.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

gelTetrafySettings gelDefaultTetrafySettings( void )
{
	return ( gelTetrafySettings ){ .targetTets = 500, .fitPasses = 4, .threads = 1 };
}

// Lays the grid with the cell size that was asked for, or searches one.
static gelCellSearch MakeGrid( gelTetrafyJob* job )
{
	const gelTetrafySettings* settings = job->settings;
	gelCellSearch grid = { .cell = settings->cellSize };
	gelProgress_Update( &job->program->progress, "classifying", 0.1 );
	if ( settings->cellSize > 0.0 )
	{
		gelReport_Phase( &job->program->report, "classify" );
		if ( gelMakeLattice( &job->surface->box, grid.cell, 0, &grid.lattice ) )
			grid.classes = gelClassify( &grid.lattice, job->tree, settings->threads );
		return grid;
	}
	gelReport_Phase( &job->program->report, "search" );
	grid = gelFindCell( job->tree, (uint32_t)settings->targetTets, settings->threads );
	return grid;
}

// On lattice classes, before splitting: taking whole External tets back in is something that only the lattice
// knows.
static void FillDefects( gelTetrafyJob* job, gelCellSearch* grid )
{
	if ( !job->settings->manifold ) return;
	gelReport_Phase( &job->program->report, "manifold" );
	uint32_t filled = gelFillManifoldDefects(
		&grid->lattice, job->tree, !job->settings->noSplit, job->settings->threads, &grid->classes );
	gelReport_SetInt( &job->program->report, "manifold.filled_tets", filled );
}

// @param cell that was asked for, or 0
static void RefuseGrid( gelTetrafyJob* job, double cell )
{
	gelFindings* findings = &job->program->findings;
	double smallest = gelSmallestCell( &job->surface->box );
	if ( cell > 0.0 && cell < smallest )
	{
		gelFindings_Add( findings, gel_findingGridTooLarge, job->settings->artPath,
			"a cell of %g m gives more than %u cells; the smallest for this art is --cell %.3g", cell,
			GEL_GRID_MAX_CELLS, 1.01 * smallest );
		return;
	}
	gelFindings_Add( findings, gel_findingGridTooLarge, job->settings->artPath,
		"no grid fits: the art has no extent, or is too small for its distance from the origin; scale it or "
		"move it to the origin" );
}

static bool BuildFromGrid( gelTetrafyJob* job )
{
	gelCellSearch grid = MakeGrid( job );
	if ( grid.classes.classes == NULL )
	{
		RefuseGrid( job, grid.cell );
		return false;
	}
	FillDefects( job, &grid );
	if ( job->settings->cellSize == 0.0 ) gelReportSearch( job, &grid );
	gelReportClasses( job, &grid.lattice, &grid.classes );
	job->cage = gelMakeTetMesh( &grid.lattice, &grid.classes );
	gelFreeCellSearch( &grid );
	return true;
}

// Readers of cage files, our own too, refuse what lies farther out.
static bool IsWithinReach( gelTetrafyJob* job )
{
	double farthest = 0.0;
	for ( uint32_t i = 0; i < job->cage.nodeCount; ++i )
	{
		gelVec3d p = job->cage.points[i];
		farthest = fmax( farthest, fmax( fabs( p.x ), fmax( fabs( p.y ), fabs( p.z ) ) ) );
	}
	if ( farthest <= GEL_CAGE_MAX_COORD ) return true;
	gelFindings_Add( &job->program->findings, gel_findingCageTooLarge, job->settings->artPath,
		"the cage reaches %.3g m from the origin, cage files at most %g m; use --scale or a smaller --cell",
		farthest, GEL_CAGE_MAX_COORD );
	return false;
}

static void Split( gelTetrafyJob* job )
{
	if ( job->settings->noSplit ) return;
	gelReport_Phase( &job->program->report, "split" );
	gelSplitCounts counts = gelSplitFeatures( &job->cage, job->tree, job->settings->threads );
	gelReport_SetInt( &job->program->report, "split.faces", counts.splitFaces );
	gelReport_SetInt( &job->program->report, "split.added_nodes", counts.addedNodes );
}

static void Fit( gelTetrafyJob* job )
{
	gelReport* report = &job->program->report;
	gelProgress_Update( &job->program->progress, "fitting", 0.6 );
	gelReport_Phase( report, "fit" );
	gelFitSettings fit = gelDefaultFitSettings();
	fit.passes = job->settings->fitPasses;
	fit.threads = job->settings->threads;
	gelFitStats stats = gelFitCage( &job->cage, job->tree, &fit );
	gelReport_SetInt( report, "fit.passes", stats.passes );
	gelReport_SetInt( report, "fit.moves", stats.moves );
	gelReport_SetInt( report, "fit.contacts", stats.contacts );
	gelReport_SetInt( report, "fit.refused", stats.refused );
	gelReport_SetReal( report, "fit.last_move", stats.lastMove );
	fit.passes = job->settings->relaxPasses;
	// Smoothing moves inner nodes only, so it needs no test against the art.
	fit.boundary = false;
	if ( fit.passes > 0 ) gelFitCage( &job->cage, job->tree, &fit );
}

// A pack holds floats. A cage on a lattice too fine for them may still be rounded, when it bounds the art
// afterwards; else it is one of doubles.
static void RoundCage( gelTetrafyJob* job )
{
	gelTetMesh* cage = &job->cage;
	if ( cage->rounded ) return;
	gelVec3d* exact = gelTetAlloc( cage->nodeCount, sizeof( gelVec3d ) );
	memcpy( exact, cage->points, cage->nodeCount * sizeof( gelVec3d ) );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
		cage->points[i] = ( gelVec3d ){ (float)exact[i].x, (float)exact[i].y, (float)exact[i].z };
	gelCageProof proof = gelProveCage( cage, job->tree, job->settings->threads );
	cage->rounded = gelCageProof_Holds( &proof );
	if ( !cage->rounded )
	{
		memcpy( cage->points, exact, cage->nodeCount * sizeof( gelVec3d ) );
		gelFindings_Add( &job->program->findings, gel_findingArtFarAway, job->settings->artPath,
			"floats cannot hold the cage, and a pack has floats: rounded to them it does not bound the art. "
			"The art is too far from the origin for its size, or too small; move or scale it" );
	}
	free( exact );
}

// Independent of how the cage was made: it looks at nothing but tets and triangles, so that a bug in any pass
// before ends here and not in a pack.
static bool Verify( gelTetrafyJob* job )
{
	gelProgress_Update( &job->program->progress, "verifying", 0.9 );
	gelReport_Phase( &job->program->report, "verify" );
	RoundCage( job );
	gelCageProof proof = gelProveCage( &job->cage, job->tree, job->settings->threads );
	gelReport_SetInt( &job->program->report, "cage.boundary_faces", proof.boundaryFaces );
	if ( gelCageProof_Holds( &proof ) ) return true;
	gelCageProof_Report( &proof, &job->cage, job->surface, job->settings->artPath, job->program );
	gelFindings_Add( &job->program->findings, gel_findingCageNotBounding, job->settings->artPath,
		"the cage failed its verification and is not written; please report this with the art file" );
	return false;
}

// A cage from elsewhere has to bound the art before anything is done with it.
static bool BuildFromCage( gelTetrafyJob* job )
{
	gelReport_Phase( &job->program->report, "check" );
	const gelCage* given = job->settings->fromCage;
	job->cage = gelTetMesh_FromCage( given );
	if ( job->cage.nodeCount < given->nodeCount )
	{
		gelFindings_Add( &job->program->findings, gel_findingMeshedNodesDropped, job->settings->artPath,
			"%u of %u nodes of the cage belong to no tet; dropped", given->nodeCount - job->cage.nodeCount,
			given->nodeCount );
	}
	gelCageProof proof = gelProveCage( &job->cage, job->tree, job->settings->threads );
	if ( !gelCageProof_Holds( &proof ) )
	{
		gelCageProof_Report( &proof, &job->cage, job->surface, job->settings->artPath, job->program );
		return false;
	}
	gelAdoptCage( &job->cage, job->tree, job->settings->threads );
	job->stats.cellSize = job->cage.cell;
	return true;
}

static bool Build( gelTetrafyJob* job )
{
	if ( job->settings->fromCage != NULL ) return BuildFromCage( job );
	if ( !BuildFromGrid( job ) || !IsWithinReach( job ) ) return false;
	Split( job );
	return true;
}

static void ReportCrossings( gelTetrafyArt* art, const char* artPath, gelProgram* program )
{
	gelCrossings crossings = gelFindCrossings( &art->tree, program->threads );
	const gelPlaceCount* pairs = &crossings.pairs;
	gelReport_SetInt( &program->report, "surface.crossing_pairs", pairs->count );
	gelReport_SetBool( &program->report, "surface.crossings_complete", crossings.complete );
	art->crosses = pairs->count > 0;
	if ( pairs->count == 0 ) return;
	gelFindings_Add( &program->findings, gel_findingMeshSelfIntersects, artPath,
		"%s%u pairs of triangles go through each other (first: triangle %u at %g %g %g)",
		crossings.complete ? "" : "at least ", pairs->count, pairs->firstTriangle, pairs->firstPoint.x,
		pairs->firstPoint.y, pairs->firstPoint.z );
}

gelTetrafyArt* gelPrepareArt( const gelMesh* mesh, const char* artPath, gelProgram* program )
{
	if ( mesh->triangleCount == 0 )
	{
		gelFindings_Add( &program->findings, gel_findingNoSurface, artPath,
			"the art has no triangles; a cage needs a surface to bound" );
		return NULL;
	}
	gelTetrafyArt* art = gelTetAlloc( 1, sizeof( gelTetrafyArt ) );
	gelReport_Phase( &program->report, "clean" );
	art->surface = gelMakeSurface( mesh );
	gelReport_Phase( &program->report, "tree" );
	uint32_t* labels = NULL;
// Labels read the triangles, and the tree does, too; both only read.
#pragma omp task shared( labels )
	labels = gelLabelParts( &art->surface );
	art->tree = gelMakeSurfaceTree( &art->surface );
#pragma omp taskwait
	gelReport_Phase( &program->report, "parts" );
	// Turned triangles change dipoles and the order of corners, so the tree is made again although its boxes
	// would still fit.
	if ( gelOrientParts( &art->surface, &art->tree, labels ) )
	{
		gelFreeSurfaceTree( &art->tree );
		art->tree = gelMakeSurfaceTree( &art->surface );
	}
	free( labels );
	gelReport_Phase( &program->report, NULL );
	return art;
}

gelTetrafyArt* gelPrepareArtOnThreads(
	const gelMesh* mesh, const char* artPath, int threads, gelProgram* program )
{
	GEL_ASSERT( threads >= 1 );
	gelTetrafyArt* art = NULL;
#pragma omp parallel num_threads( threads )
#pragma omp single
	art = gelPrepareArt( mesh, artPath, program );
	return art;
}

void gelReportArt( gelTetrafyArt* art, const char* artPath, gelProgram* program )
{
	gelReport_Phase( &program->report, "crossings" );
	gelSurface_Report( &art->surface, artPath, program );
	ReportCrossings( art, artPath, program );
	gelReport_Phase( &program->report, NULL );
}

void gelFreeArt( gelTetrafyArt* art )
{
	if ( art == NULL ) return;
	gelFreeSurfaceTree( &art->tree );
	gelFreeSurface( &art->surface );
	free( art );
}

bool gelMakeCage( const gelTetrafyArt* art, const gelTetrafySettings* settings, gelProgram* program,
	gelCage* outCage, gelTetrafyStats* outStats )
{
	GEL_ASSERT( art != NULL && settings->threads > 0 );
	*outCage = ( gelCage ){ 0 };
	gelTetrafyJob job = { .settings = settings,
		.program = program,
		.surface = &art->surface,
		.tree = &art->tree,
		.crosses = art->crosses };
	bool ok = Build( &job );
	if ( ok )
	{
		Fit( &job );
		ok = Verify( &job );
	}
	if ( ok )
	{
		gelReport_Phase( &program->report, "measure" );
		gelReportCage( &job );
		gelTetMesh_ToCage( &job.cage, outCage );
		if ( outStats != NULL ) *outStats = job.stats;
	}
	if ( settings->picturePath != NULL )
	{
		gelReport_Phase( &program->report, "picture" );
		gelDrawJob( &job );
	}
	gelReport_Phase( &program->report, NULL );
	gelProgress_Clear( &program->progress );
	gelFreeTetMesh( &job.cage );
	return ok;
}

bool gelTetrafy( const gelMesh* mesh, const gelTetrafySettings* settings, gelProgram* program,
	gelCage* outCage, gelTetrafyStats* outStats )
{
	*outCage = ( gelCage ){ 0 };
	gelTetrafyArt* art = gelPrepareArtOnThreads( mesh, settings->artPath, settings->threads, program );
	if ( art != NULL ) gelReportArt( art, settings->artPath, program );
	bool ok = art != NULL && gelMakeCage( art, settings, program, outCage, outStats );
	gelFreeArt( art );
	return ok;
}
