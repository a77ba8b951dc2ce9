// SPDX-License-Identifier: MIT
#include "inspect.h"

static const gelProgramInfo s_info = {
	.name = "gel-inspect",
	.summary = "prints what is in a pack, and verifies it",
	.operands = "PACK.gel",
	.example = "gel-inspect bear.gel --verify --json=bear.json",
	.minOperands = 1,
	.maxOperands = 1,
};

static void Run( gelProgram* program, bool verify )
{
	gelInspectedPack pack;
	gelReport_Phase( &program->report, "read" );
	gelReport_SetString( &program->report, "input", program->operands.items[0] );
	if ( !gelPathSet_AddInput( &program->paths, program->operands.items[0], "the pack", &program->findings ) )
		return;
	if ( !gelInspectedPack_Open( &pack, program->operands.items[0], &program->findings ) ) return;
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

int main( int argc, char** argv )
{
	bool verify = false;
	const gelOption options[] = {
		{ .name = "verify",
			.type = gel_optionFlag,
			.target = &verify,
			.help = "also check META, masses, and every factor against the cage (exit 3 if wrong)" },
		{ .name = NULL },
	};
	gelProgram program;
	if ( gelProgram_Begin( &program, &s_info, options, argc, argv ) ) Run( &program, verify );
	return gelProgram_Finish( &program );
}
