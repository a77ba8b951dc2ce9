// SPDX-License-Identifier: MIT
// Experiments 1 to 4 of Civit-Flores' thesis, chapter 3: beams held at their upper left corner swing under
// ten times gravity, without damping. What matters is how much of the energy each differential of the stress
// keeps, for several step lengths and iteration counts. And the start of the suite; chapter 4 is in
// suite_degeneration.c.
#include "experiment_files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char* const differentialNames[] = { "exact", "dP(1)", "dP(2)", "dP(H)", "dP(X)", "dP(C)" };
static const gelDifferential differentials[] = { gel_differentialExact, gel_differentialOne,
	gel_differentialTwo, gel_differentialH, gel_differentialX, gel_differentialC };
static const int rates[] = { 30, 60, 120, 240 }, newtons[] = { 1, 2, 4, 8 };

// One table row per run: what is left of the energy, and what it cost.
static void Summarize( gelBench* bench, const gelExperimentSheet* sheet, int panel, int series )
{
	char name[128];
	const gelExperimentRecord* r = sheet->records + panel * sheet->seriesCount + series;
	const gelExperimentState* last = r->states + r->count - 1;
	double largest = 0.0, roughness = 0.0; // a state that alternates between steps is rough
	for ( int i = 0; i < r->count; ++i )
	{
		largest = fmax( largest, r->states[i].kinetic );
		if ( i == 0 || i + 1 == r->count ) continue;
		double bend = r->states[i - 1].elastic - 2.0 * r->states[i].elastic + r->states[i + 1].elastic;
		roughness += fabs( bend ) / ( r->count - 2 );
	}
	snprintf( name, sizeof( name ), "%s, %s", sheet->panelTitles[panel], sheet->seriesNames[series] );
	gelBench_Row( bench, sheet->name, name, "energy", last->kinetic + last->potential + last->elastic,
		"largestKinetic", largest, "roughness", roughness, "linearIterations", (double)r->linearIterations,
		"seconds", r->seconds, NULL );
}

static bool RunAndSummarize( gelBench* bench, gelExperimentSheet* sheet, const gelExperimentDef* def,
	const gelExperimentModel* model, int panel, int series )
{
	double duration = bench->quick ? 0.5 : 5.0;
	gelExperimentRecord* record = gelExperimentSheet_At( sheet, panel, series );
	if ( !gelRecordExperiment( def, model, duration, 0, record ) ) return false;
	Summarize( bench, sheet, panel, series );
	return true;
}

// The plot shows what dP(H) covers and some more: where another differential goes wild it may leave the
// picture.
static void FitToHybrid( gelExperimentSheet* sheet )
{
	double low = INFINITY, high = -INFINITY;
	for ( int panel = 0; panel < sheet->rows * sheet->columns; ++panel )
	{
		const gelExperimentRecord* r = gelExperimentSheet_At( sheet, panel, 3 );
		for ( int i = 0; i < r->count; ++i )
		{
			low = fmin( low, gelCurveValue( sheet->curve, r->states + i ) );
			high = fmax( high, gelCurveValue( sheet->curve, r->states + i ) );
		}
	}
	sheet->yLow = low - 0.1 * ( high - low );
	sheet->yHigh = high + 0.4 * ( high - low );
}

// Differentials, in panels of step length (rows) and Newton iterations (columns).
static bool RunGrid(
	gelBench* bench, const char* name, const char* title, gelExperimentDef def, int linearIterations )
{
	int size = bench->quick ? 2 : 4;
	gelExperimentSheet sheet = { .name = name,
		.title = title,
		.curve = gel_curveEnergy,
		.rows = size,
		.columns = size,
		.seriesCount = 6,
		.seriesNames = differentialNames };
	if ( !gelExperimentSheet_Init( &sheet ) ) return false;
	gelExperimentModel model;
	bool ok = gelBakeExperiment( &def, bench->program, &model );
	for ( int i = 0; ok && i < size * size * 6; ++i )
	{
		int panel = i / 6, series = i % 6, rate = rates[panel / size], newton = newtons[panel % size];
		def.step = 1.0 / rate;
		def.implicit.newtonIterations = newton;
		def.implicit.linearIterations = linearIterations;
		def.variant.differential = differentials[series];
		def.variant.linearSolver = series == 0 ? gel_linearMinres : gel_linearCg;
		snprintf( sheet.panelTitles[panel], sizeof( sheet.panelTitles[panel] ), "h = 1/%d s, %d Newton", rate,
			newton );
		ok = RunAndSummarize( bench, &sheet, &def, &model, panel, series );
	}
	gelFreeExperimentModel( &model );
	if ( ok ) FitToHybrid( &sheet );
	ok = ok && gelWriteExperiment( bench, &sheet );
	gelExperimentSheet_Free( &sheet );
	return ok;
}

// Young's moduli, in panels of linear iterations (rows) and Newton iterations (columns).
static bool RunStiffness( gelBench* bench, const char* name, const char* title, int rate )
{
	static const char* const names[] = { "E = 1e3 Pa", "E = 1e4 Pa", "E = 1e5 Pa", "E = 1e6 Pa" };
	static const int linears[] = { 10, 20, 40, 2000 };
	int size = bench->quick ? 2 : 4;
	gelExperimentSheet sheet = { .name = name,
		.title = title,
		.curve = gel_curvePotential,
		.rows = size,
		.columns = size,
		.seriesCount = 4,
		.seriesNames = names };
	if ( !gelExperimentSheet_Init( &sheet ) ) return false;
	gelExperimentModel models[4] = { { 0 } };
	bool ok = true;
	for ( int i = 0; ok && i < 4; ++i )
	{
		gelExperimentDef def = gelMakeBeam3dDef();
		def.youngsModulus = pow( 10.0, 3 + i );
		ok = gelBakeExperiment( &def, bench->program, models + i );
	}
	for ( int i = 0; ok && i < size * size * 4; ++i )
	{
		int panel = i / 4, series = i % 4, linear = linears[panel / size], newton = newtons[panel % size];
		gelExperimentDef def = gelMakeBeam3dDef();
		def.step = 1.0 / rate;
		def.implicit.newtonIterations = newton;
		def.implicit.linearIterations = linear;
		def.variant.differential = gel_differentialH;
		snprintf( sheet.panelTitles[panel], sizeof( sheet.panelTitles[panel] ), "%s linear, %d Newton",
			linear == 2000     ? "all"
				: linear == 10 ? "10"
				: linear == 20 ? "20"
							   : "40",
			newton );
		ok = RunAndSummarize( bench, &sheet, &def, models + series, panel, series );
	}
	for ( int i = 0; i < 4; ++i )
		gelFreeExperimentModel( models + i );
	ok = ok && gelWriteExperiment( bench, &sheet );
	gelExperimentSheet_Free( &sheet );
	return ok;
}

// The experiments of the two chapters.
static bool RunBeamExperiments( gelBench* bench )
{
	gelExperimentDef slab = gelMakeBeam2dDef( bench->quick ? 3 : 1 );
	return RunGrid( bench, "experiment1", "Experiment 1: slab, as many linear iterations as needed", slab,
			   2000 ) &&
		RunGrid( bench, "experiment2", "Experiment 2: slab, 10 linear iterations", slab, 10 ) &&
		RunGrid(
			bench, "experiment3", "Experiment 3: Beam3D, 10 linear iterations", gelMakeBeam3dDef(), 10 ) &&
		RunStiffness( bench, "experiment4_60", "Experiment 4: Beam3D, stiffness, dP(H), h = 1/60 s", 60 ) &&
		RunStiffness( bench, "experiment4_120", "Experiment 4: Beam3D, stiffness, dP(H), h = 1/120 s", 120 );
}

bool gelBenchExperiments( gelBench* bench )
{
	if ( mkdir( bench->output, 0777 ) != 0 && errno != EEXIST )
	{
		gelFindings_Add(
			&bench->program->findings, 2, bench->output, "cannot make the folder: %s", strerror( errno ) );
		return false;
	}
	return RunBeamExperiments( bench ) && gelRunDegenerationExperiments( bench );
}
