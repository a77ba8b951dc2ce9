// SPDX-License-Identifier: MIT
// What the suite of experiments leaves behind: one CSV and one PNG per experiment, in the folder of --output.
#pragma once

#include "bench.h"
#include "experiment.h"
#include "plot.h"

/// What a curve shows.
typedef enum gelCurve
{
	gel_curveEnergy,     // kinetic, potential and elastic [J]
	gel_curvePotential,  // [J]
	gel_curveDegenerate, // number of tets
} gelCurve;

/// Curves by panel: a run per series, all with the same series names.
typedef struct gelExperimentSheet
{
	const char *name, *title; // base name of the files; line above the plot
	gelCurve curve;
	int rows, columns, seriesCount;
	const char* const* seriesNames;
	char ( *panelTitles )[48];    // rows * columns
	gelExperimentRecord* records; // by panels, then series
	double yLow, yHigh;           // ends of the plot's y axis; equal: taken from the data
} gelExperimentSheet;

/// Allocates titles and records. False: out of memory.
bool gelExperimentSheet_Init( gelExperimentSheet* sheet );
void gelExperimentSheet_Free( gelExperimentSheet* sheet );

static inline gelExperimentRecord* gelExperimentSheet_At( gelExperimentSheet* sheet, int panel, int series )
{
	return sheet->records + panel * sheet->seriesCount + series;
}

double gelCurveValue( gelCurve curve, const gelExperimentState* state );

/// Writes <output>/<name>.csv and <output>/<name>.png.
bool gelWriteExperiment( gelBench* bench, const gelExperimentSheet* sheet );

bool gelRunDegenerationExperiments( gelBench* bench );
