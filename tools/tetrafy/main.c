// SPDX-License-Identifier: MIT
// gel-tetrafy: art mesh in, bounding cage out.
#include "cage_file.h"
#include "mesh_import.h"
#include "tetrafy.h"

static const gelProgramInfo info = {
	.name = "gel-tetrafy",
	.summary = "makes a coarse tetrahedral cage that strictly bounds an art mesh",
	.operands = "IN.(obj|gltf|glb) -o CAGE.(msh|msh4|vtk|node)",
	.example = "gel-tetrafy cat.obj -o cat.msh --tets 400 --json -",
	.minOperands = 1,
	.maxOperands = 1,
};

static void Run( gelProgram* program, gelTetrafySettings* settings, const char* outPath )
{
	gelCageFormat format;
	if ( outPath == NULL || !gelCageFormat_FromPath( outPath, &format ) )
	{
		gelFindings_Add( &program->findings, gel_finding416, outPath,
			"name the cage with -o; its extension says the format: .msh .msh4 .vtk .node" );
		return;
	}
	gelMesh mesh = { 0 };
	gelReport_Phase( &program->report, "import" );
	if ( !gelImportMesh( program->operands.items[0], &program->findings, &mesh, NULL ) ) return;
	settings->threads = program->threads;
	settings->artPath = program->operands.items[0];
	gelCage cage = { 0 };
	gelTetrafyStats stats = { 0 };
	double start = gelNow();
	bool ok = gelTetrafy( &mesh, settings, program, &cage, &stats ) && program->findings.errorCount == 0;
	double seconds = gelNow() - start;
	gelReport_Phase( &program->report, "write" );
	if ( ok && gelSaveCage( &cage, outPath, &program->findings ) )
	{
		gelProgram_Say( program,
			"%s: %u tets, %u nodes, cell %g m, volume x%.2f, dihedral %.1f..%.1f deg, %.2f s", outPath,
			cage.tetCount, cage.nodeCount, stats.cellSize,
			stats.solidVolume > 0.0 ? stats.cageVolume / stats.solidVolume : 0.0, stats.minDihedral,
			stats.maxDihedral, seconds );
	}
	gelReport_Phase( &program->report, NULL );
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
}

int main( int argc, char** argv )
{
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	const char* outPath = NULL;
	const gelOption options[] = {
		{ .name = "output",
			.letter = 'o',
			.type = gel_optionString,
			.value = "FILE",
			.target = &outPath,
			.help = "cage to write: .msh (2.2) .msh4 (4.1) .vtk .node (with .ele)" },
		{ .name = "tets",
			.type = gel_optionInt,
			.value = "N",
			.target = &settings.targetTets,
			.min = 5,
			.max = 5000000,
			.help = "tets to aim at [500]" },
		{ .name = "cell",
			.type = gel_optionFloat,
			.value = "H",
			.target = &settings.cellSize,
			.min = 1e-30,
			.max = 1e30,
			.help = "edge of a grid cell [m], instead of --tets" },
		{ .name = "fit",
			.type = gel_optionInt,
			.value = "N",
			.target = &settings.fitPasses,
			.min = 0,
			.max = 1000,
			.help = "fitting passes; 0 leaves the grid as it is [4]" },
		{ .name = "relax",
			.type = gel_optionInt,
			.value = "N",
			.target = &settings.relaxPasses,
			.min = 0,
			.max = 1000,
			.help = "passes that smooth the inside only, after fitting [0]" },
		{ .name = "no-split",
			.type = gel_optionFlag,
			.target = &settings.noSplit,
			.help = "keep close but separate parts of the art glued together" },
		{ .name = "picture",
			.type = gel_optionString,
			.value = "PNG",
			.target = &settings.picturePath,
			.help = "draw the cage around the art, with what is wrong in red; also when the command fails" },
		{ .name = NULL },
	};
	gelProgram program;
	if ( gelProgram_Begin( &program, &info, options, argc, argv ) ) Run( &program, &settings, outPath );
	return gelProgram_Finish( &program );
}
