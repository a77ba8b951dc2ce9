// SPDX-License-Identifier: MIT
// The degeneration experiments of Civit-Flores' thesis, chapter 4: how many tets are flat or inside out over
// time, by the method that finds their rotations.
#include "experiment_files.h"

#include <stdio.h>

static const char* const methodNames[] = { "QR", "ISVD", "APD", "DAPD 1", "DAPD 5", "DAPD 5 exact" };
static const struct
{
	gelRotationKind kind;
	float push;
	bool isExact;
} methods[] = {
	{ gel_rotationQr, 1.0f, false },
	{ gel_rotationIsvd, 1.0f, false },
	{ gel_rotationApd, 1.0f, false },
	{ gel_rotationDapd, 1.0f, false },
	{ gel_rotationDapd, 5.0f, false },
	{ gel_rotationDapd, 5.0f, true },
};
enum
{
	methodCount = sizeof( methods ) / sizeof( methods[0] )
};

// Time until no tet is degenerate any more [s]; the duration when some always are.
static double RecoveryTime( const gelExperimentRecord* r )
{
	int last = r->count;
	while ( last > 0 && r->states[last - 1].degenerateCount == 0 )
		--last;
	return last < r->count ? r->times[last] : r->times[r->count - 1];
}

static bool RunMethods( gelBench* bench, gelExperimentSheet* sheet, int panel, const char* title,
	gelExperimentDef def, double duration, uint64_t seed )
{
	snprintf( sheet->panelTitles[panel], sizeof( sheet->panelTitles[panel] ), "%s", title );
	gelExperimentModel model;
	bool ok = gelBakeExperiment( &def, bench->program, &model );
	for ( int i = 0; ok && i < methodCount; ++i )
	{
		def.variant.rotation = methods[i].kind;
		def.variant.degeneratePush = methods[i].push;
		def.variant.hasExactForces = methods[i].isExact;
		gelExperimentRecord* r = gelExperimentSheet_At( sheet, panel, i );
		ok = gelRecordExperiment( &def, &model, duration, seed, r );
		if ( !ok ) break;
		char name[128];
		snprintf( name, sizeof( name ), "%s, %s", title, methodNames[i] );
		double area = 0.0;
		for ( int k = 0; k < r->count; ++k )
			area += r->states[k].degenerateCount * def.step;
		gelBench_Row( bench, sheet->name, name, "recoverySeconds", RecoveryTime( r ), "degenerateSeconds",
			area, "left", (double)r->states[r->count - 1].degenerateCount, NULL );
	}
	gelFreeExperimentModel( &model );
	return ok;
}

static gelExperimentSheet MakeSheet( const char* name, const char* title, int columns )
{
	return ( gelExperimentSheet ){ .name = name,
		.title = title,
		.curve = gel_curveDegenerate,
		.rows = 1,
		.columns = columns,
		.seriesCount = methodCount,
		.seriesNames = methodNames };
}

// Nodes anywhere in the bounding box.
static bool RunScattered( gelBench* bench )
{
	gelExperimentSheet sheet = MakeSheet( "scattered", "Nodes scattered in the bounding box, h = 1/60 s", 3 );
	if ( !gelExperimentSheet_Init( &sheet ) ) return false;
	double duration = bench->quick ? 0.25 : 4.0;
	bool ok = RunMethods( bench, &sheet, 0, "cube", gelMakeCubeDef( bench->quick ? 3 : 6 ), duration, 11 ) &&
		RunMethods( bench, &sheet, 1, "figure", gelMakeCreatureDef( "figure" ), duration, 12 ) &&
		RunMethods( bench, &sheet, 2, "dragon", gelMakeCreatureDef( "dragon" ), duration, 13 ) &&
		gelWriteExperiment( bench, &sheet );
	gelExperimentSheet_Free( &sheet );
	return ok;
}

// From 5 m onto the ground, at ten times gravity.
static bool RunDropped( gelBench* bench )
{
	static const char* const samples[] = { "figure", "dragon", "horse" };
	gelExperimentSheet sheet = MakeSheet( "dropped", "Dropped from 5 m at 100 m/s^2, h = 1/60 s", 3 );
	if ( !gelExperimentSheet_Init( &sheet ) ) return false;
	bool ok = true;
	for ( int i = 0; ok && i < 3; ++i )
	{
		gelExperimentDef def = gelMakeCreatureDef( samples[i] );
		def.gravity = 100.0;
		def.height = 5.0;
		ok = RunMethods( bench, &sheet, i, samples[i], def, bench->quick ? 0.5 : 3.0, 0 );
	}
	ok = ok && gelWriteExperiment( bench, &sheet );
	gelExperimentSheet_Free( &sheet );
	return ok;
}

// Held degenerate by gravity: half of the beam has nothing below it.
static bool RunHalfBase( gelBench* bench )
{
	gelExperimentSheet sheet =
		MakeSheet( "half_base", "Beam on half of its base at 50 m/s^2, h = 1/60 s", 1 );
	if ( !gelExperimentSheet_Init( &sheet ) ) return false;
	gelExperimentDef def = gelMakeHalfBaseDef();
	def.implicit.linearIterations = 10;
	bool ok = RunMethods( bench, &sheet, 0, "beam", def, bench->quick ? 0.5 : 10.0, 0 ) &&
		gelWriteExperiment( bench, &sheet );
	gelExperimentSheet_Free( &sheet );
	return ok;
}

bool gelRunDegenerationExperiments( gelBench* bench )
{
	return RunScattered( bench ) && RunDropped( bench ) && RunHalfBase( bench );
}
