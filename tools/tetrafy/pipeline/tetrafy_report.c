// SPDX-License-Identifier: MIT
#include "tetrafy/pipeline/tetrafy_job.h"

#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/geometry/tet_shape.h"
#include "tetrafy/mesher/cage_refit.h"
#include "tetrafy/mesher/shared_tets.h"
#include "tetrafy/verify/cage_manifold.h"
#include "tetrafy/verify/cage_picture.h"
#include "tetrafy/verify/cage_quality.h"
#include "tetrafy/verify/cage_verify.h"

#include <stdlib.h>

#define SAMPLE_ERROR    0.03 // relative error of a volume that gelSampleSolid finds
#define FEW_SHARED_TETS 0.05 // part of all tets; every cage that is coarse for its art has some

void gelReportSearch( gelTetrafyJob* job, const gelCellSearch* search )
{
	uint32_t target = (uint32_t)job->settings->targetTets;
	gelReport_SetInt( &job->program->report, "grid.evaluations", search->evaluations );
	uint32_t tets = search->classes.internal + search->classes.piercing; // with those that --manifold added
	// Within 15 % nobody wants to hear about it.
	if ( tets * 100.0 >= target * 85.0 && tets * 100.0 <= target * 115.0 ) return;
	gelFindings_Add( &job->program->findings, gel_findingTetCountMissed, job->settings->artPath,
		"%u tets were asked for, the nearest grid has %u%s; try --cell, or another number", target,
		search->tets, tets > search->tets ? " before --manifold fills it" : "" );
}

void gelReportClasses( gelTetrafyJob* job, const gelLattice* lattice, const gelClassification* classes )
{
	gelProgram* program = job->program;
	gelTetrafyStats* stats = &job->stats;
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
		gelVec3d p = classes->firstLeak;
		gelFindings_Add( &program->findings, gel_findingHoleWide, job->settings->artPath,
			"a hole is wider than a cell (near %g %g %g); the cage is closed there by the winding number "
			"only",
			p.x, p.y, p.z );
	}
	gelVec3d size = gelSubD( job->surface->box.max, job->surface->box.min );
	double largest = fmax( size.x, fmax( size.y, size.z ) );
	if ( classes->internal + classes->piercing < GEL_MIN_TARGET_TETS && lattice->cell > largest )
	{
		gelFindings_Add( &program->findings, gel_findingCellTooLarge, job->settings->artPath,
			"the cage has %u tets only: a cell of %g m is larger than the art, which is %.3g m long",
			classes->internal + classes->piercing, lattice->cell, largest );
	}
	if ( classes->internal == 0 && !job->surface->encloses )
	{
		gelFindings_Add( &program->findings, gel_findingNothingEnclosed, job->settings->artPath,
			"no tet lies inside: the cage is a layer around the surface; close the surface or ask for more "
			"tets" );
	}
}

static void ReportAngles( gelTetrafyJob* job, const gelCageQuality* quality )
{
	gelReport* report = &job->program->report;
	gelReport_SetReal( report, "cage.min_dihedral", quality->minDihedral );
	gelReport_SetReal( report, "cage.max_dihedral", quality->maxDihedral );
	gelReport_SetReal( report, "cage.mean_radius_ratio", quality->meanRadiusRatio );
	gelReport_SetReal( report, "cage.min_radius_ratio", quality->minRadiusRatio );
	gelReport_SetInt( report, "cage.below_15_degrees", quality->below15 );
	json_t* bins = json_array();
	for ( int i = 0; i < GEL_DIHEDRAL_BINS; ++i )
		json_array_append_new( bins, json_integer( quality->histogram[i] ) );
	gelReport_SetJson( report, "cage.dihedral_histogram", bins );
	// More than 5 % thin tets make the solvers converge slowly; a few always lie in thin parts of the art.
	if ( quality->below15 * 20 > job->cage.tetCount )
	{
		gelFindings_Add( &job->program->findings, gel_findingTetsThin, job->settings->artPath,
			"%u of %u tets have an angle below 15 degrees; ask for more tets or use a smaller --cell",
			quality->below15, job->cage.tetCount );
	}
}

static void ReportTopology( gelTetrafyJob* job )
{
	gelReport* report = &job->program->report;
	gelManifoldDefects defects = gelFindManifoldDefects( &job->cage );
	gelReport_SetInt( report, "cage.nonmanifold_edges", defects.edgeCount );
	gelReport_SetInt( report, "cage.nonmanifold_vertices", defects.vertexCount );
	if ( job->settings->manifold && defects.edgeCount + defects.vertexCount > 0 )
	{
		gelFindings_Add( &job->program->findings, gel_findingCageTouchesItself, job->settings->artPath,
			"--manifold left %u edges and %u nodes where the outside of the cage touches itself; try another "
			"number of tets, or --no-split",
			defects.edgeCount, defects.vertexCount );
	}
	gelFreeManifoldDefects( &defects );
	uint32_t shared = gelCountSharedTets( &job->cage, job->tree, job->settings->threads );
	gelReport_SetInt( report, "cage.shared_tets", shared );
	uint32_t pieces = gelCountCagePieces( &job->cage );
	job->stats.pieces = pieces;
	gelReport_SetInt( report, "cage.pieces", pieces );
	if ( shared > FEW_SHARED_TETS * job->cage.tetCount )
	{
		gelFindings_Add( &job->program->findings, gel_findingPartsShareTet, job->settings->artPath,
			"%u of %u tets hold parts of the surface with a gap between them, which will move together "
			"there; more tets part them",
			shared, job->cage.tetCount );
	}
}

// Volume of what the surface encloses, in whatever number of layers; 0 when there is nothing to compare with.
static double SolidVolume( const gelTetrafyJob* job )
{
	const gelSurface* surface = job->surface;
	if ( !surface->encloses ) return 0.0;
	if ( !job->crosses && !surface->overlaps ) return surface->signedVolume;
	// The signed volume counts what parts share twice. A few crossing triangles of a scan do not matter.
	double sampled = gelSampleSolid( &job->cage, job->tree, job->settings->threads );
	bool same = fabs( surface->signedVolume - sampled ) < SAMPLE_ERROR * sampled;
	return same ? surface->signedVolume : sampled;
}

void gelReportCage( gelTetrafyJob* job )
{
	gelReport* report = &job->program->report;
	gelTetrafyStats* stats = &job->stats;
	gelCageQuality quality = gelMeasureCage( &job->cage );
	stats->cageVolume = quality.volume;
	stats->solidVolume = SolidVolume( job );
	stats->minDihedral = quality.minDihedral;
	stats->maxDihedral = quality.maxDihedral;
	stats->meanGap = gelMeasureGap( &job->cage, job->tree, job->settings->threads );
	double diagonal = gelLengthD( gelSubD( job->surface->box.max, job->surface->box.min ) );
	gelReport_SetInt( report, "cage.tets", job->cage.tetCount );
	gelReport_SetInt( report, "cage.nodes", job->cage.nodeCount );
	gelReport_SetReal( report, "cage.volume", quality.volume );
	if ( stats->solidVolume > 0.0 )
	{
		gelReport_SetReal( report, "cage.solid_volume", stats->solidVolume );
		gelReport_SetReal( report, "cage.volume_ratio", quality.volume / stats->solidVolume );
	}
	gelReport_SetReal( report, "cage.mean_gap", stats->meanGap );
	if ( diagonal > 0.0 ) gelReport_SetReal( report, "cage.mean_gap_of_diagonal", stats->meanGap / diagonal );
	ReportAngles( job, &quality );
	ReportTopology( job );
}

void gelDrawJob( gelTetrafyJob* job )
{
	const gelTetMesh* cage = &job->cage;
	gelPictureMarks marks = { 0 };
	uint8_t* badTets = gelTetAlloc( cage->tetCount, 1 );
	for ( uint32_t tet = 0; tet < cage->tetCount; ++tet )
	{
		gelVec3d p[4];
		gelTetMesh_TetPoints( cage, tet, p );
		badTets[tet] = gelTetVolume( p ) <= 0.0 || gelTetSmallestDihedral( p ) < 15.0;
	}
	gelMarkBadTets( cage, job->tree, badTets );
	uint8_t* badTris = gelTetAlloc( job->surface->triCount, 1 );
	if ( cage->tetCount > 0 ) gelMarkBadTriangles( cage, job->tree, badTris );
	marks.badTets = badTets;
	marks.badTris = badTris;
	gelWriteCagePicture( job->settings->picturePath, job->surface, cage, &marks, &job->program->findings );
	free( badTets );
	free( badTris );
}
