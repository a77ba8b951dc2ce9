// SPDX-License-Identifier: MIT
#include "inspect/verify.h"

static const gelProgramInfo s_info = {
	.name = "gel-inspect",
	.summary = "prints what is in a pack, verifies it, and compares two",
	.operands = "PACK.gel [OTHER.gel]",
	.example = "gel-inspect bear.gel --verify --json=bear.json",
	.minOperands = 1,
	.maxOperands = 2,
};

// What is asked for.
typedef struct Wishes
{
	bool verify, diff;
	const char* skinPath; // NULL: none
} Wishes;

static bool Open( gelProgram* program, const char* path, gelInspectedPack* pack )
{
	return gelPathSet_AddInput( &program->paths, path, "the pack", &program->findings ) &&
		gelInspectedPack_Open( pack, path, &program->findings );
}

static void Inspect( gelProgram* program, const char* path, const Wishes* wishes )
{
	gelInspectedPack pack;
	gelReport_Phase( &program->report, "read" );
	gelReport_SetString( &program->report, "input", path );
	if ( wishes->skinPath &&
		!gelPathSet_AddOutput( &program->paths, wishes->skinPath, "--skin-glb", &program->findings ) )
		return;
	if ( !Open( program, path, &pack ) ) return;
	gelPackFacts facts = gelMeasurePack( &pack.view );
	gelReportPack( &program->report, &pack, &facts );
	gelPrintPack( program, &pack, &facts );
	if ( wishes->verify )
	{
		gelReport_Phase( &program->report, "verify" );
		if ( gelVerifyPack( &pack, program ) ) gelProgram_Say( program, "verified: every rule holds" );
	}
	if ( wishes->skinPath && gelWriteSkinGlb( &pack, wishes->skinPath, &program->findings ) )
		gelProgram_Say( program, "%s: %u joints, %u vertices", wishes->skinPath,
			pack.view.particles.header->particleCount, pack.view.header->artVertexCount );
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
			gelFindings_Add(
				&program->findings, gel_findingPacksDiffer, pathB, "it is not byte for byte %s", pathA );
		gelInspectedPack_Close( &b );
	}
	gelInspectedPack_Close( &a );
}

static void Run( gelProgram* program, const Wishes* wishes )
{
	const gelParsedOperands* packs = &program->operands;
	if ( ( packs->count == 2 ) != wishes->diff || ( wishes->diff && ( wishes->verify || wishes->skinPath ) ) )
		gelFindings_Add( &program->findings, gel_findingUsage, NULL,
			"--diff takes two packs, no --verify and no --skin-glb; without it there is one pack" );
	else if ( wishes->diff )
		Compare( program, packs->items[0], packs->items[1] );
	else
		Inspect( program, packs->items[0], wishes );
}

int main( int argc, char** argv )
{
	Wishes wishes = { 0 };
	const gelOption options[] = {
		{ .name = "verify",
			.type = gel_optionFlag,
			.target = &wishes.verify,
			.help = "also check META, masses, and every factor against the cage (exit 3 if wrong)" },
		{ .name = "diff",
			.type = gel_optionFlag,
			.target = &wishes.diff,
			.help = "say in what two packs differ: figures, settings, sections (exit 5 if they do)" },
		{ .name = "skin-glb",
			.type = gel_optionString,
			.value = "FILE",
			.target = &wishes.skinPath,
			.help = "write the rest body as a skinned mesh with a joint per particle (--particles)" },
		{ .name = NULL },
	};
	gelProgram program;
	if ( gelProgram_Begin( &program, &s_info, options, argc, argv ) ) Run( &program, &wishes );
	return gelProgram_Finish( &program );
}
