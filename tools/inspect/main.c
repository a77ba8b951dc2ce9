// SPDX-License-Identifier: MIT
#include "inspect.h"

static const gelProgramInfo s_info = {
	.name = "gel-inspect",
	.summary = "prints what is in a pack, verifies it, and compares two",
	.operands = "PACK.gel [OTHER.gel]",
	.example = "gel-inspect bear.gel --verify --json=bear.json",
	.minOperands = 1,
	.maxOperands = 2,
};

static bool Open( gelProgram* program, const char* path, gelInspectedPack* pack )
{
	return gelPathSet_AddInput( &program->paths, path, "the pack", &program->findings ) &&
		gelInspectedPack_Open( pack, path, &program->findings );
}

static void Inspect( gelProgram* program, const char* path, bool verify )
{
	gelInspectedPack pack;
	gelReport_Phase( &program->report, "read" );
	gelReport_SetString( &program->report, "input", path );
	if ( !Open( program, path, &pack ) ) return;
	gelPackFacts facts = gelMeasurePack( &pack.view );
	gelReportPack( &program->report, &pack, &facts );
	gelPrintPack( program, &pack, &facts );
	if ( verify )
	{
		gelReport_Phase( &program->report, "verify" );
		if ( gelVerifyPack( &pack, program ) ) gelProgram_Say( program, "verified: every rule holds" );
	}
	gelInspectedPack_Close( &pack );
}

static void Compare( gelProgram* program, const char* pathA, const char* pathB )
{
	gelInspectedPack a, b;
	gelReport_Phase( &program->report, "read" );
	gelReport_SetString( &program->report, "input", pathA );
	gelReport_SetString( &program->report, "other", pathB );
	if ( !Open( program, pathA, &a ) ) return;
	if ( Open( program, pathB, &b ) )
	{
		gelReport_Phase( &program->report, "diff" );
		if ( !gelDiffPacks( &a, &b, program ) )
			gelFindings_Add( &program->findings, gel_finding618, pathB, "it is not byte for byte %s", pathA );
		gelInspectedPack_Close( &b );
	}
	gelInspectedPack_Close( &a );
}

static void Run( gelProgram* program, bool verify, bool diff )
{
	const gelParsedOperands* packs = &program->operands;
	if ( ( packs->count == 2 ) != diff || ( diff && verify ) )
		gelFindings_Add( &program->findings, gel_finding5, NULL,
			"--diff takes two packs and no --verify; without it there is one pack" );
	else if ( diff )
		Compare( program, packs->items[0], packs->items[1] );
	else
		Inspect( program, packs->items[0], verify );
}

int main( int argc, char** argv )
{
	bool verify = false, diff = false;
	const gelOption options[] = {
		{ .name = "verify",
			.type = gel_optionFlag,
			.target = &verify,
			.help = "also check META, masses, and every factor against the cage (exit 3 if wrong)" },
		{ .name = "diff",
			.type = gel_optionFlag,
			.target = &diff,
			.help = "say in what two packs differ: figures, settings, sections (exit 5 if they do)" },
		{ .name = NULL },
	};
	gelProgram program;
	if ( gelProgram_Begin( &program, &s_info, options, argc, argv ) ) Run( &program, verify, diff );
	return gelProgram_Finish( &program );
}
