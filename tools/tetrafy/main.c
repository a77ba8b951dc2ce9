// SPDX-License-Identifier: MIT
// gel-tetrafy: art mesh in, bounding cage out.
#include "common/import/mesh_import.h"
#include "tetrafy/geometry/tet_memory.h"
#include "common/mesh/cage_file.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <gelpack/asserts.h>
#include <gelpack/math_double.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEL_MAX_LODS 8

static const gelProgramInfo info = {
	.name = "gel-tetrafy",
	.summary = "makes a coarse tetrahedral cage that strictly bounds an art mesh",
	.operands = "IN.(obj|gltf|glb) -o CAGE.(msh|msh4|vtk|vtu|usda|node)",
	.example = "gel-tetrafy cat.obj -o cat.msh --tets 400 --json -",
	.minOperands = 1,
	.maxOperands = 1,
};

typedef struct Command
{
	gelTetrafySettings settings;
	const char* outPath;
	const char* fromPath; // --from, or NULL
	bool targetTetsGiven;
	int lods;
	double scale; // art units to metres
	gelImportOptions import;
} Command;

// A cage with where it goes.
typedef struct Level
{
	char* path;
	gelCage cage;
	gelTetrafyStats stats;
	double seconds;
} Level;

// cat.msh, cat.lod1.msh, cat.lod2.msh ...
static char* LevelPath( const char* path, int level )
{
	const char* dot = strrchr( path, '.' );
	size_t bytes = strlen( path ) + 16;
	char* out = gelTetAlloc( bytes, 1 );
	if ( level == 0 )
		snprintf( out, bytes, "%s", path );
	else
		snprintf( out, bytes, "%.*s.lod%d%s", (int)( dot - path ), path, level, dot );
	return out;
}

// Levels after the first have twice the cell of the one before; each is a cage of the same art on its own.
// Their figures go into the report as a list, the first one's as those of the run. Findings about the first
// cage name the art, those about the others the cage.
static bool MakeLevel(
	gelProgram* program, const Command* command, const gelTetrafyArt* art, Level* levels, int index )
{
	GEL_ASSERT( index >= 0 );
	gelTetrafySettings settings = command->settings;
	Level* level = levels + index;
	level->path = LevelPath( command->outPath, index );
	// The report has one place for each figure, so further levels write into one that is thrown away.
	gelReport keep = program->report;
	if ( index > 0 )
	{
		// Twice the cell is an eighth of the tets, about.
		settings.cellSize = levels[0].stats.cellSize * ( 1 << index );
		settings.picturePath = NULL;
		settings.artPath = level->path;
		gelInitReport( &program->report, info.name );
	}
	double start = gelNow();
	bool ok = gelMakeCage( art, &settings, program, &level->cage, &level->stats );
	if ( ok && index == 0 && level->stats.pieces > 1 )
	{
		gelFindings_Add( &program->findings, gel_findingCagePieces, settings.artPath,
			"the cage has %u separate pieces, as the art or its gaps have", level->stats.pieces );
	}
	level->seconds += gelNow() - start;
	if ( index > 0 )
	{
		gelFreeReport( &program->report );
		program->report = keep;
	}
	return ok && program->findings.errorCount == 0;
}

static void SayLevel( gelProgram* program, const Level* level, const gelMesh* mesh )
{
	double size[3]; // [m]
	for ( int k = 0; k < 3; ++k )
		size[k] = (double)mesh->boundsMax[k] - (double)mesh->boundsMin[k];
	char ratio[32] = ""; // an open surface has no volume to compare with
	double share = level->stats.solidVolume > 0.0 ? level->stats.cageVolume / level->stats.solidVolume : 0.0;
	if ( share > 0.0 )
		snprintf( ratio, sizeof ratio, share < 1e6 ? "volume x%.2f, " : "volume x%.1e, ", share );
	gelProgram_Say( program,
		"%s: %u tets, %u nodes, cell %g m, body %.3g x %.3g x %.3g m, %sdihedral %.1f..%.1f deg, %.2f s",
		level->path, level->cage.tetCount, level->cage.nodeCount, level->stats.cellSize, size[0], size[1],
		size[2], ratio, level->stats.minDihedral, level->stats.maxDihedral, level->seconds );
}

static void ReportLevels( gelProgram* program, const Level* levels, int count )
{
	GEL_ASSERT( count > 0 );
	json_t* list = json_array();
	for ( int i = 0; i < count; ++i )
	{
		json_t* item = json_object();
		json_object_set_new( item, "level", json_integer( i ) );
		json_object_set_new( item, "cell", json_real( levels[i].stats.cellSize ) );
		json_object_set_new( item, "tets", json_integer( levels[i].cage.tetCount ) );
		json_object_set_new( item, "nodes", json_integer( levels[i].cage.nodeCount ) );
		json_object_set_new( item, "volume", json_real( levels[i].stats.cageVolume ) );
		json_object_set_new( item, "min_dihedral", json_real( levels[i].stats.minDihedral ) );
		json_array_append_new( list, item );
	}
	gelReport_SetJson( &program->report, "levels", list );
}

// All cages are made before the first is written: they come together or not at all.
static void MakeAndWrite( gelProgram* program, const Command* command, const gelMesh* mesh )
{
	Level levels[GEL_MAX_LODS] = { 0 };
	double start = gelNow();
	gelTetrafyArt* art = gelPrepareArtOnThreads( mesh, command->settings.artPath, program->threads, program );
	bool ok = art != NULL;
	if ( ok ) gelReportArt( art, command->settings.artPath, program );
	levels[0].seconds = gelNow() - start;
	for ( int i = 0; i < command->lods && ok; ++i )
		ok = MakeLevel( program, command, art, levels, i );
	gelFreeArt( art );
	gelReport_Phase( &program->report, "write" );
	const gelCage* cages[GEL_MAX_LODS];
	const char* paths[GEL_MAX_LODS];
	for ( int i = 0; i < command->lods; ++i )
	{
		cages[i] = &levels[i].cage;
		paths[i] = levels[i].path;
	}
	// All files or none: each is complete under a temporary name before the first is renamed.
	ok = ok && gelSaveCages( cages, paths, command->lods, &program->findings );
	for ( int i = 0; i < command->lods && ok; ++i )
		SayLevel( program, levels + i, mesh );
	if ( ok && command->lods > 1 ) ReportLevels( program, levels, command->lods );
	for ( int i = 0; i < command->lods; ++i )
	{
		gelFreeCage( &levels[i].cage );
		free( levels[i].path );
	}
}

static bool AddPaths( gelProgram* program, const Command* command )
{
	gelPathSet* paths = &program->paths;
	gelFindings* findings = &program->findings;
	bool ok = gelPathSet_AddInput( paths, program->operands.items[0], "the art", findings ) &&
		gelPathSet_AddCage( paths, command->fromPath, "--from", false, findings ) &&
		gelPathSet_AddOutput( paths, command->settings.picturePath, "--picture", findings );
	for ( int i = 0; ok && i < command->lods; ++i )
	{
		char* path = LevelPath( command->outPath, i );
		ok = gelPathSet_AddCage( paths, path, i == 0 ? "-o" : "--lods", true, findings );
		free( path );
	}
	return ok;
}

// Reads the art; what it names beside itself is an input too.
static bool Import( gelProgram* program, const Command* command, gelMesh* mesh )
{
	gelImportFiles files = { 0 };
	const char* path = program->operands.items[0];
	gelReport_Phase( &program->report, "import" );
	gelImportOptions options = command->import;
	options.threads = program->threads;
	bool ok = gelImportMeshWith( path, &options, &program->findings, mesh, &files ) &&
		gelScaleImported( mesh, command->scale, path, &program->findings );
	for ( int i = 0; ok && i < files.count; ++i )
		ok = gelPathSet_AddInput( &program->paths, files.paths[i], "read with the art", &program->findings );
	gelFreeImportFiles( &files );
	return ok;
}

static bool CommandIsUsable( gelProgram* program, const Command* command )
{
	gelCageFormat format;
	if ( command->outPath == NULL || !gelCageFormat_FromPath( command->outPath, &format ) )
	{
		gelFindings_Add( &program->findings, gel_findingOutputNotCage, command->outPath,
			"name the cage with -o; its extension says the format: .msh .msh4 .vtk .vtu .usda .node" );
		return false;
	}
	const gelTetrafySettings* settings = &command->settings;
	if ( command->fromPath != NULL &&
		( command->lods > 1 || settings->cellSize > 0.0 || settings->manifold || settings->noSplit ) )
	{
		gelFindings_Add( &program->findings, gel_findingUsage, NULL,
			"--from takes a finished cage: no --lods, --cell, --manifold or --no-split" );
		return false;
	}
	// Two wishes for the same thing: refused, rather than one of them dropped silently.
	bool hasCell = command->settings.cellSize > 0.0;
	if ( command->targetTetsGiven && ( hasCell || command->fromPath != NULL ) )
	{
		gelFindings_Add( &program->findings, gel_findingUsage, NULL, "--tets has no meaning together with %s",
			hasCell ? "--cell" : "--from" );
		return false;
	}
	return AddPaths( program, command );
}

static void Run( gelProgram* program, Command* command )
{
	if ( !CommandIsUsable( program, command ) ) return;
	gelReport_SetString( &program->report, "input", program->operands.items[0] );
	gelReport_SetString( &program->report, "input_cage", command->fromPath );
	gelReport_SetString( &program->report, "output", command->outPath );
	gelMesh mesh = { 0 };
	gelCage given = { 0 };
	if ( !Import( program, command, &mesh ) )
	{
		gelFreeMesh( &mesh );
		return;
	}
	command->settings.threads = program->threads;
	command->settings.artPath = program->operands.items[0];
	bool ready = command->fromPath == NULL || gelLoadCage( command->fromPath, &program->findings, &given );
	if ( command->fromPath != NULL ) command->settings.fromCage = &given;
	if ( ready ) MakeAndWrite( program, command, &mesh );
	gelReport_Phase( &program->report, NULL );
	gelFreeCage( &given );
	gelFreeMesh( &mesh );
}

int main( int argc, char** argv )
{
	Command command = { .settings = gelDefaultTetrafySettings(), .lods = 1, .scale = 1.0 };
	gelTetrafySettings* settings = &command.settings;
	// clang-format off
	const gelOption options[] = {
		{ .name = "output", .letter = 'o', .type = gel_optionString, .value = "FILE", .target = &command.outPath,
		  .help = "cage to write: .msh (2.2) .msh4 (4.1) .vtk .vtu .usda .node (with .ele)" },
		{ .name = "tets", .type = gel_optionInt, .value = "N", .target = &settings->targetTets,
		  .min = GEL_MIN_TARGET_TETS, .max = GEL_MAX_TARGET_TETS, .given = &command.targetTetsGiven,
		  .help = "tets to aim at, 5 to 5000000 [500]" },
		{ .name = "cell", .type = gel_optionFloat, .value = "H", .target = &settings->cellSize, .min = 1e-30, .max = 1e30,
		  .help = "edge of a grid cell [m], instead of --tets" },
		{ .name = "fit", .type = gel_optionInt, .value = "N", .target = &settings->fitPasses, .min = 0, .max = 1000,
		  .help = "fitting passes; 0 leaves the grid as it is [4]" },
		{ .name = "relax", .type = gel_optionInt, .value = "N", .target = &settings->relaxPasses, .min = 0, .max = 1000,
		  .help = "passes that smooth the inside only, after fitting [0]" },
		{ .name = "scale", .type = gel_optionFloat, .value = "S", .target = &command.scale, .min = 1e-12, .max = 1e12,
		  .help = "metres per unit of the art; give gel-bake the same [1]" },
		{ .name = "node", .type = gel_optionString, .value = "NAMES", .target = &command.import.nodes,
		  .help = "take only these nodes of the art: names or globs; give gel-bake the same [all]" },
		{ .name = "exclude", .type = gel_optionString, .value = "NAMES", .target = &command.import.excluded,
		  .help = "leave out these nodes of the art" },
		{ .name = "project", .type = gel_optionString, .value = "FOLDER", .target = &command.import.project,
		  .help = "folder in which a glTF file may name buffers [that of the art]" },
		{ .name = "animation", .type = gel_optionString, .value = "NAME", .target = &command.import.animation,
		  .help = "take the art in the pose of this animation; give gel-bake the same [its rest pose]" },
		{ .name = "time", .type = gel_optionFloat, .value = "S", .target = &command.import.time, .min = 0.0, .max = 1e6,
		  .help = "moment of the animation [s] [0]" },
		{ .name = "no-split", .type = gel_optionFlag, .target = &settings->noSplit,
		  .help = "keep close but separate parts of the art glued together" },
		{ .name = "manifold", .type = gel_optionFlag, .target = &settings->manifold,
		  .help = "add tets where the outside of the cage would touch itself at an edge or a node" },
		{ .name = "lods", .type = gel_optionInt, .value = "K", .target = &command.lods, .min = 1, .max = GEL_MAX_LODS,
		  .help = "also write K - 1 coarser cages, each with twice the cell: CAGE.lod1.msh ... [1]" },
		{ .name = "from", .type = gel_optionString, .value = "CAGE", .target = &command.fromPath,
		  .help = "check this cage against the art and refit it, instead of making one" },
		{ .name = "picture", .type = gel_optionString, .value = "PNG", .target = &settings->picturePath,
		  .help = "draw the cage around the art, with what is wrong in red; also when the command fails" },
		{ .name = NULL },
	};
	// clang-format on
	gelProgram program;
	if ( gelProgram_Begin( &program, &info, options, argc, argv ) ) Run( &program, &command );
	return gelProgram_Finish( &program );
}
