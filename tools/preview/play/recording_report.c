// SPDX-License-Identifier: MIT
// A recording as figures: the CSV table and the report.
#include "preview/play/recording.h"

#include "common/program/output_file.h"

#include <gelpack/asserts.h>

#include <stdio.h>

bool gelWriteCsv( const gelRecording* r, const char* path, gelFindings* findings )
{
	gelOutputFile file;
	if ( !gelOutputFile_Begin( &file, path, findings ) ) return false;
	FILE* stream = file.stream;
	fputs( "frame,time_s,body,kinetic_J,elastic_J,potential_J,total_J,com_x_m,com_y_m,com_z_m,volume_m3,"
		   "inverted_tets,min_y_m,max_y_m,ground_contacts,contacts\n",
		stream );
	for ( int frame = 0; frame < r->frameCount; ++frame )
	{
		for ( int body = 0; body < r->bodyCount; ++body )
		{
			const gelFrameStats* s = gelRecording_Stats( r, frame, body );
			const gelBodyDynamics* d = &s->dynamics;
			double total = (double)d->kineticEnergy + (double)d->elasticEnergy + (double)s->potentialEnergy;
			fprintf( stream, "%d,%.9g,%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%.9g,%.9g,%d,%d\n", frame,
				r->times[frame], body, (double)d->kineticEnergy, (double)d->elasticEnergy,
				(double)s->potentialEnergy, total, (double)d->centerOfMass.x, (double)d->centerOfMass.y,
				(double)d->centerOfMass.z, (double)d->volume, d->invertedTetCount, (double)s->bounds.min.y,
				(double)s->bounds.max.y, r->contacts[frame], r->bodyContacts[frame] );
		}
	}
	return gelOutputFile_Commit( &file, findings );
}

// Sums and extremes over the bodies of one frame.
typedef struct FrameTotals
{
	double kinetic, elastic, potential; // [J]
	double volume;                      // [m^3]
	double minHeight, maxHeight;        // [m]
	int inverted;
} FrameTotals;

static FrameTotals TotalsOf( const gelRecording* r, int frame )
{
	GEL_ASSERT( frame >= 0 && frame < r->frameCount );
	FrameTotals t = { .minHeight = INFINITY, .maxHeight = -INFINITY };
	for ( int body = 0; body < r->bodyCount; ++body )
	{
		const gelFrameStats* s = gelRecording_Stats( r, frame, body );
		t.kinetic += (double)s->dynamics.kineticEnergy;
		t.elastic += (double)s->dynamics.elasticEnergy;
		t.potential += (double)s->potentialEnergy;
		t.volume += (double)s->dynamics.volume;
		t.inverted += s->dynamics.invertedTetCount;
		t.minHeight = fmin( t.minHeight, (double)s->bounds.min.y );
		t.maxHeight = fmax( t.maxHeight, (double)s->bounds.max.y );
	}
	return t;
}

static void ReportMotion( const gelRecording* r, gelReport* report )
{
	FrameTotals first = TotalsOf( r, 0 ), last = TotalsOf( r, r->frameCount - 1 );
	double minVolume = first.volume, maxVolume = first.volume, peakElastic = 0.0;
	double minHeight = first.minHeight, maxHeight = first.maxHeight;
	int inverted = 0;
	for ( int frame = 0; frame < r->frameCount; ++frame )
	{
		FrameTotals t = TotalsOf( r, frame );
		minVolume = fmin( minVolume, t.volume ), maxVolume = fmax( maxVolume, t.volume );
		minHeight = fmin( minHeight, t.minHeight ), maxHeight = fmax( maxHeight, t.maxHeight );
		peakElastic = fmax( peakElastic, t.elastic );
		inverted = t.inverted > inverted ? t.inverted : inverted;
	}
	gelReport_SetReal( report, "motion.first_energy", first.kinetic + first.elastic + first.potential );
	gelReport_SetReal( report, "motion.last_energy", last.kinetic + last.elastic + last.potential );
	gelReport_SetReal( report, "motion.last_kinetic_energy", last.kinetic );
	gelReport_SetReal( report, "motion.peak_elastic_energy", peakElastic );
	gelReport_SetReal( report, "motion.rest_volume", first.volume );
	gelReport_SetReal( report, "motion.min_volume", minVolume );
	gelReport_SetReal( report, "motion.max_volume", maxVolume );
	gelReport_SetReal( report, "motion.min_height", minHeight );
	gelReport_SetReal( report, "motion.max_height", maxHeight );
	gelReport_SetInt( report, "motion.max_inverted_tets", inverted );
	gelReport_SetInt( report, "motion.repaired_bodies", r->repairedBodies );
}

void gelReportRecording( const gelRecording* r, const gelScene* scene, gelReport* report )
{
	int64_t tets = 0, vertices = 0, triangles = 0;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		gelAssetInfo info = gelAsset_GetInfo( gelBody_GetAsset( scene->bodies[i] ) );
		tets += info.tetCount;
		vertices += info.vertexCount;
		triangles += info.triangleCount;
	}
	gelReport_SetInt( report, "scene.bodies", scene->bodyCount );
	gelReport_SetInt( report, "scene.nodes", scene->nodeCount );
	gelReport_SetInt( report, "scene.tets", tets );
	gelReport_SetInt( report, "scene.vertices", vertices );
	gelReport_SetInt( report, "scene.triangles", triangles );
	gelReport_SetInt( report, "simulation.frames", r->frameCount - 1 );
	gelReport_SetInt( report, "simulation.steps", r->stepCount );
	gelReport_SetReal( report, "simulation.step", (double)scene->step );
	gelReport_SetReal( report, "simulation.time", r->times[r->frameCount - 1] );
	double mean = r->stepCount > 0 ? r->stepSeconds / (double)r->stepCount : 0.0;
	gelReport_SetReal( report, "simulation.microseconds_per_step", 1e6 * mean );
	gelReport_SetReal( report, "simulation.slowest_step_microseconds", 1e6 * r->slowestStep );
	ReportMotion( r, report );
}
