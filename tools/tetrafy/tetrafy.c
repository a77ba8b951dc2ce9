// SPDX-License-Identifier: MIT
// The mesher from end to end: clean, search the cell size, classify, build, verify.
#include "tetrafy.h"

#include "cage_picture.h"
#include "cage_quality.h"
#include "cage_verify.h"
#include "cell_search.h"
#include "odt_fit.h"
#include "split.h"

#include <stdlib.h>

gelTetrafySettings gelDefaultTetrafySettings( void )
{
	return ( gelTetrafySettings ){ .targetTets = 500, .fitPasses = 4, .threads = 1 };
}

// Everything that lives during one run.
typedef struct Job
{
	const gelTetrafySettings* settings;
	gelProgram* program;
	gelSurface surface;
	gelSurfaceTree tree;
	gelTetMesh cage;
	gelTetrafyStats* stats;
} Job;

static void ReportSearch( Job* job, const gelCellSearch* search )
{
	uint32_t target = (uint32_t)job->settings->targetTets;
	gelReport_SetInt( &job->program->report, "grid.evaluations", search->evaluations );
	if ( search->tets * 100.0 >= target * 85.0 && search->tets * 100.0 <= target * 115.0 ) return;
	gelFindings_Add( &job->program->findings, gel_finding411, job->settings->artPath,
		"%u tets were asked for, the nearest grid has %u; try --cell, or another number", target,
		search->tets );
}

static void ReportClasses( Job* job, const gelLattice* lattice, const gelClassification* classes )
{
	gelProgram* program = job->program;
	gelTetrafyStats* stats = job->stats;
	stats->cellSize = lattice->cell;
	for ( int axis = 0; axis < 3; ++axis )
		stats->gridCells[axis] = lattice->count[axis];
	stats->piercing = classes->piercing;
	stats->internal = classes->internal;
	stats->external = classes->external;
	gelReport_SetReal( &program->report, "grid.cell", lattice->cell );
	gelReport_SetInt( &program->report, "grid.cells_x", lattice->count[0] );
	gelReport_SetInt( &program->report, "grid.cells_y", lattice->count[1] );
	gelReport_SetInt( &program->report, "grid.cells_z", lattice->count[2] );
	gelReport_SetInt( &program->report, "grid.piercing", classes->piercing );
	gelReport_SetInt( &program->report, "grid.internal", classes->internal );
	gelReport_SetInt( &program->report, "grid.external", classes->external );
	gelReport_SetInt( &program->report, "grid.components", classes->components );
	if ( classes->leaks > 0 )
	{
		gelDvec p = classes->firstLeak;
		gelFindings_Add( &program->findings, gel_finding409, job->settings->artPath,
			"a hole is wider than a cell (near %g %g %g); the cage is closed there by the winding number "
			"only",
			p.x, p.y, p.z );
	}
	if ( classes->internal == 0 && !job->surface.closed )
	{
		gelFindings_Add( &program->findings, gel_finding410, job->settings->artPath,
			"no tet lies inside: the cage is a layer around the surface; close the surface or ask for more "
			"tets" );
	}
	if ( !lattice->rounded )
	{
		gelFindings_Add( &program->findings, gel_finding412, job->settings->artPath,
			"the art is so far from the origin that floats cannot hold its cage; move it to the origin" );
	}
}

// Lays the grid with the cell size that was asked for, or searches one.
static gelCellSearch MakeGrid( Job* job )
{
	const gelTetrafySettings* settings = job->settings;
	gelCellSearch grid = { .cell = settings->cellSize };
	gelProgress_Update( &job->program->progress, "classifying", 0.1 );
	if ( settings->cellSize > 0.0 )
	{
		gelReport_Phase( &job->program->report, "classify" );
		if ( gelMakeLattice( &job->surface.box, grid.cell, &grid.lattice ) )
			grid.classes = gelClassify( &grid.lattice, &job->tree, settings->threads );
		return grid;
	}
	gelReport_Phase( &job->program->report, "search" );
	grid = gelFindCell( &job->tree, (uint32_t)settings->targetTets, settings->threads );
	if ( grid.cell > 0.0 ) ReportSearch( job, &grid );
	return grid;
}

static bool BuildFromGrid( Job* job )
{
	gelCellSearch grid = MakeGrid( job );
	if ( grid.classes.classes == NULL )
	{
		gelFindings_Add( &job->program->findings, gel_finding408, job->settings->artPath,
			"a cell of %g m gives more than %u cells, or cells too small for the coordinates; raise --cell "
			"or lower --tets",
			grid.cell, GEL_GRID_MAX_CELLS );
		return false;
	}
	ReportClasses( job, &grid.lattice, &grid.classes );
	job->cage = gelMakeTetMesh( &grid.lattice, &grid.classes );
	gelFreeCellSearch( &grid );
	return true;
}

static void Split( Job* job )
{
	if ( job->settings->noSplit ) return;
	gelReport_Phase( &job->program->report, "split" );
	gelSplitCounts counts = gelSplitFeatures( &job->cage, &job->tree, job->settings->threads );
	gelReport_SetInt( &job->program->report, "split.faces", counts.splitFaces );
	gelReport_SetInt( &job->program->report, "split.added_nodes", counts.addedNodes );
}

static void Fit( Job* job )
{
	gelReport* report = &job->program->report;
	gelProgress_Update( &job->program->progress, "fitting", 0.6 );
	gelReport_Phase( report, "fit" );
	gelFitSettings fit = gelDefaultFitSettings();
	fit.passes = job->settings->fitPasses;
	gelFitStats stats = gelFitCage( &job->cage, &job->tree, &fit );
	gelReport_SetInt( report, "fit.passes", stats.passes );
	gelReport_SetInt( report, "fit.moves", stats.moves );
	gelReport_SetInt( report, "fit.contacts", stats.contacts );
	gelReport_SetInt( report, "fit.refused", stats.refused );
	gelReport_SetReal( report, "fit.last_move", stats.lastMove );
	fit.passes = job->settings->relaxPasses;
	fit.boundary = false;
	if ( fit.passes > 0 ) gelFitCage( &job->cage, &job->tree, &fit );
}

static void ReportQuality( Job* job )
{
	gelReport* report = &job->program->report;
	gelReport_Phase( report, "measure" );
	gelCageQuality quality = gelMeasureCage( &job->cage );
	job->stats->cageVolume = quality.volume;
	job->stats->solidVolume = job->surface.closed ? job->surface.signedVolume : 0.0;
	job->stats->minDihedral = quality.minDihedral;
	job->stats->maxDihedral = quality.maxDihedral;
	gelReport_SetInt( report, "cage.tets", job->cage.tetCount );
	gelReport_SetInt( report, "cage.nodes", job->cage.nodeCount );
	gelReport_SetReal( report, "cage.volume", quality.volume );
	if ( job->stats->solidVolume > 0.0 )
		gelReport_SetReal( report, "cage.volume_ratio", quality.volume / job->stats->solidVolume );
	gelReport_SetReal( report, "cage.min_dihedral", quality.minDihedral );
	gelReport_SetReal( report, "cage.max_dihedral", quality.maxDihedral );
	gelReport_SetReal( report, "cage.mean_radius_ratio", quality.meanRadiusRatio );
	gelReport_SetReal( report, "cage.min_radius_ratio", quality.minRadiusRatio );
	job->stats->meanGap = gelMeasureGap( &job->cage, &job->tree );
	gelReport_SetReal( report, "cage.mean_gap", job->stats->meanGap );
	gelReport_SetReal( report, "cage.mean_gap_of_diagonal",
		job->stats->meanGap / gelDvec_Length( gelDvec_Sub( job->surface.box.max, job->surface.box.min ) ) );
	gelReport_SetInt( report, "cage.below_15_degrees", quality.below15 );
	json_t* bins = json_array();
	for ( int i = 0; i < GEL_DIHEDRAL_BINS; ++i )
		json_array_append_new( bins, json_integer( quality.histogram[i] ) );
	gelReport_SetJson( report, "cage.dihedral_histogram", bins );
	if ( quality.below15 * 20 > job->cage.tetCount )
	{
		gelFindings_Add( &job->program->findings, gel_finding413, job->settings->artPath,
			"%u of %u tets have an angle below 15 degrees; ask for more tets or use a smaller --cell",
			quality.below15, job->cage.tetCount );
	}
}

static bool Verify( Job* job )
{
	gelProgress_Update( &job->program->progress, "verifying", 0.9 );
	gelReport_Phase( &job->program->report, "verify" );
	gelCageProof proof = gelProveCage( &job->cage, &job->tree, job->settings->threads );
	gelReport_SetInt( &job->program->report, "cage.boundary_faces", proof.boundaryFaces );
	if ( gelCageProof_Holds( &proof ) ) return true;
	gelCageProof_Report( &proof, &job->cage, &job->surface, job->program );
	gelFindings_Add( &job->program->findings, gel_finding415, job->settings->artPath,
		"the cage failed its verification and is not written; please report this with the art file" );
	return false;
}

// Thin tets, and triangles that meet the outside of a cage that failed, are shown in red.
static void DrawPicture( Job* job )
{
	const gelTetMesh* cage = &job->cage;
	gelPictureMarks marks = { 0 };
	uint8_t* badTets = gelTetAlloc( cage->tetCount, 1 );
	for ( uint32_t tet = 0; tet < cage->tetCount; ++tet )
	{
		gelDvec p[4];
		gelTetMesh_TetPoints( cage, tet, p );
		badTets[tet] = gelTetVolume( p ) <= 0.0 || gelTetSmallestDihedral( p ) < 15.0;
	}
	uint8_t* badTris = gelTetAlloc( job->surface.triCount, 1 );
	gelMarkTouchedTriangles( cage, &job->tree, badTris );
	marks.badTets = badTets;
	marks.badTris = badTris;
	gelWriteCagePicture( job->settings->picturePath, &job->surface, cage, &marks, &job->program->findings );
	free( badTets );
	free( badTris );
}

bool gelTetrafy( const gelMesh* mesh, const gelTetrafySettings* settings, gelProgram* program,
	gelCage* outCage, gelTetrafyStats* outStats )
{
	gelTetrafyStats stats = { 0 };
	*outCage = ( gelCage ){ 0 };
	if ( mesh->triangleCount == 0 )
	{
		gelFindings_Add( &program->findings, gel_finding401, settings->artPath,
			"the art has no triangles; a cage needs a surface to bound" );
		return false;
	}
	Job job = { .settings = settings, .program = program, .stats = &stats };
	gelReport_Phase( &program->report, "clean" );
	job.surface = gelMakeSurface( mesh );
	gelSurface_Report( &job.surface, settings->artPath, program );
	gelReport_Phase( &program->report, "tree" );
	job.tree = gelMakeSurfaceTree( &job.surface );

	bool ok = BuildFromGrid( &job );
	if ( ok )
	{
		Split( &job );
		Fit( &job );
		ok = Verify( &job );
	}
	if ( ok )
	{
		ReportQuality( &job );
		gelTetMesh_ToCage( &job.cage, outCage );
		if ( outStats != NULL ) *outStats = stats;
	}
	if ( settings->picturePath != NULL )
	{
		gelReport_Phase( &program->report, "picture" );
		DrawPicture( &job );
	}
	gelReport_Phase( &program->report, NULL );
	gelProgress_Clear( &program->progress );
	gelFreeTetMesh( &job.cage );
	gelFreeSurfaceTree( &job.tree );
	gelFreeSurface( &job.surface );
	return ok;
}
