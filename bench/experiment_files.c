// SPDX-License-Identifier: MIT
#include "experiment_files.h"

#include "common/program/output_file.h"

#include <stdio.h>
#include <stdlib.h>

bool gelExperimentSheet_Init( gelExperimentSheet* sheet )
{
	size_t panels = (size_t)( sheet->rows * sheet->columns );
	sheet->panelTitles = calloc( panels, sizeof( *sheet->panelTitles ) );
	sheet->records = calloc( panels * (size_t)sheet->seriesCount, sizeof( gelExperimentRecord ) );
	if ( sheet->panelTitles != NULL && sheet->records != NULL ) return true;
	gelExperimentSheet_Free( sheet );
	return false;
}

void gelExperimentSheet_Free( gelExperimentSheet* sheet )
{
	for ( int i = 0; sheet->records != NULL && i < sheet->rows * sheet->columns * sheet->seriesCount; ++i )
		gelFreeExperimentRecord( sheet->records + i );
	free( sheet->records );
	free( sheet->panelTitles );
	sheet->records = NULL;
	sheet->panelTitles = NULL;
}

double gelCurveValue( gelCurve curve, const gelExperimentState* state )
{
	if ( curve == gel_curveDegenerate ) return state->degenerateCount;
	if ( curve == gel_curvePotential ) return state->potential;
	return state->kinetic + state->potential + state->elastic;
}

// One line per step and run: panel, series, time, energies, counts.
static bool WriteCsv( gelBench* bench, const gelExperimentSheet* sheet, const char* path )
{
	gelFindings* findings = &bench->program->findings;
	gelOutputFile file;
	if ( !gelOutputFile_Begin( &file, path, findings ) ) return false;
	FILE* out = file.stream;
	fprintf(
		out, "panel,series,time_s,kinetic_J,potential_J,elastic_J,degenerate,inverted,largest_stretch\n" );
	for ( int i = 0; i < sheet->rows * sheet->columns * sheet->seriesCount; ++i )
	{
		const gelExperimentRecord* r = sheet->records + i;
		for ( int k = 0; k < r->count; ++k )
		{
			const gelExperimentState* s = r->states + k;
			fprintf( out, "\"%s\",\"%s\",%.6g,%.6g,%.6g,%.6g,%d,%d,%.5g\n",
				sheet->panelTitles[i / sheet->seriesCount], sheet->seriesNames[i % sheet->seriesCount],
				r->times[k], s->kinetic, s->potential, s->elastic, s->degenerateCount, s->invertedCount,
				s->largestStretch );
		}
	}
	return gelOutputFile_Commit( &file, findings );
}

static const char* CurveLabel( gelCurve curve )
{
	if ( curve == gel_curveDegenerate ) return "tets with det F below 0.1";
	return curve == gel_curvePotential ? "potential energy [J]" : "mechanical energy [J]";
}

static bool WritePng( gelBench* bench, const gelExperimentSheet* sheet, const char* path )
{
	int panelCount = sheet->rows * sheet->columns, count = panelCount * sheet->seriesCount;
	gelPlotPanel* panels = calloc( (size_t)panelCount, sizeof( gelPlotPanel ) );
	gelPlotSeries* series = calloc( (size_t)count, sizeof( gelPlotSeries ) );
	double** values = calloc( (size_t)count, sizeof( double* ) );
	bool ok = panels != NULL && series != NULL && values != NULL;
	for ( int i = 0; ok && i < count; ++i )
	{
		const gelExperimentRecord* r = sheet->records + i;
		values[i] = calloc( (size_t)r->count + 1, sizeof( double ) );
		ok = values[i] != NULL;
		for ( int k = 0; ok && k < r->count; ++k )
			values[i][k] = gelCurveValue( sheet->curve, r->states + k );
		series[i] =
			( gelPlotSeries ){ sheet->seriesNames[i % sheet->seriesCount], r->times, values[i], r->count };
		panels[i / sheet->seriesCount] = ( gelPlotPanel ){ sheet->panelTitles[i / sheet->seriesCount],
			series + i / sheet->seriesCount * sheet->seriesCount, sheet->seriesCount };
	}
	gelPlot plot = { sheet->title, "time [s]", CurveLabel( sheet->curve ), panels, sheet->rows,
		sheet->columns, sheet->seriesNames, sheet->seriesCount, sheet->yLow, sheet->yHigh };
	ok = ok && gelWritePlot( &plot, path, &bench->program->findings );
	for ( int i = 0; values != NULL && i < count; ++i )
		free( values[i] );
	free( values );
	free( series );
	free( panels );
	return ok;
}

bool gelWriteExperiment( gelBench* bench, const gelExperimentSheet* sheet )
{
	char path[2][1024];
	const char* folder = bench->output;
	if ( snprintf( path[0], sizeof( path[0] ), "%s/%s.csv", folder, sheet->name ) >= (int)sizeof( path[0] ) ||
		snprintf( path[1], sizeof( path[1] ), "%s/%s.png", folder, sheet->name ) >= (int)sizeof( path[1] ) )
	{
		gelFindings_Add(
			&bench->program->findings, gel_findingUsage, NULL, "the path of --output is too long" );
		return false;
	}
	return WriteCsv( bench, sheet, path[0] ) && WritePng( bench, sheet, path[1] );
}
