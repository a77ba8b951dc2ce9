// SPDX-License-Identifier: MIT
#include "bench.h"

#include <string.h>

static const struct
{
	const char* name;
	gelSuiteFcn* run;
	bool onlyByName; // takes long: not part of "all"
} suites[] = {
	{ "bake", gelBenchBake, false },
	{ "cage", gelBenchCage, false },
	{ "collide", gelBenchCollide, false },
	{ "contact", gelBenchContact, false },
	{ "contact-step", gelBenchContactStep, false },
	{ "experiments", gelBenchExperiments, true },
	{ "implicit", gelBenchImplicit, false },
	{ "load", gelBenchLoad, false },
	{ "lod", gelBenchLod, false },
	{ "particles", gelBenchParticles, false },
	{ "ray", gelBenchRay, false },
	{ "scenes", gelBenchScenes, false },
	{ "skin", gelBenchSkin, false },
	{ "step", gelBenchStep, false },
	{ "warp", gelBenchWarp, false },
};
enum
{
	suiteCount = sizeof( suites ) / sizeof( suites[0] )
};

static const gelProgramInfo info = {
	.name = "gel-bench",
	.summary = "Measures the tools and the runtime; suites: bake cage collide contact contact-step implicit "
			   "load lod particles ray scenes skin step warp (default: all), experiments.",
	.operands = "[SUITE...]",
	.example = "gel-bench step skin --json step.json",
	.minOperands = 0,
	.maxOperands = suiteCount,
};

static bool IsWanted( const gelProgram* program, int suite )
{
	for ( int i = 0; i < program->operands.count; ++i )
	{
		if ( strcmp( program->operands.items[i], suites[suite].name ) == 0 ) return true;
	}
	return program->operands.count == 0 && !suites[suite].onlyByName;
}

static bool CheckSuites( gelProgram* program )
{
	for ( int i = 0; i < program->operands.count; ++i )
	{
		bool known = false;
		for ( int k = 0; k < suiteCount; ++k )
			known = known || strcmp( program->operands.items[i], suites[k].name ) == 0;
		if ( known ) continue;
		gelFindings_Add( &program->findings, gel_findingUsage, NULL,
			"there is no suite '%s'; suites: bake cage collide contact contact-step experiments implicit "
			"load lod particles ray scenes skin step warp",
			program->operands.items[i] );
		return false;
	}
	return true;
}

static void RunSuites( gelBench* bench )
{
	gelProgram* program = bench->program;
	gelBench_MeasureMachine( bench );
	for ( int i = 0; i < suiteCount; ++i )
	{
		if ( !IsWanted( program, i ) ) continue;
		bench->results = json_object();
		bool ok = suites[i].run( bench );
		gelReport_SetJson( &program->report, suites[i].name, bench->results );
		if ( !ok && program->findings.errorCount == 0 )
		{
			gelFindings_Add(
				&program->findings, gel_findingInternal, NULL, "suite '%s' failed", suites[i].name );
		}
	}
}

int main( int argc, char** argv )
{
	gelProgram program;
	gelBench bench = { .program = &program, .output = "experiments" };
	const gelOption options[] = {
		{ .name = "quick",
			.type = gel_optionFlag,
			.target = &bench.quick,
			.help = "smallest sizes, few repetitions: shows that everything runs" },
		{ .name = "output",
			.type = gel_optionString,
			.target = &bench.output,
			.value = "DIR",
			.help = "folder for the plots and tables of the experiments [experiments]" },
		{ .name = "only",
			.type = gel_optionString,
			.target = &bench.only,
			.value = "TEXT",
			.help = "of scenes: those with TEXT in their name alone, such as 'plain, pit'" },
		{ 0 },
	};
	if ( gelProgram_Begin( &program, &info, options, argc, argv ) && CheckSuites( &program ) )
		RunSuites( &bench );
	return gelProgram_Finish( &program );
}
