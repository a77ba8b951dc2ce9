// SPDX-License-Identifier: MIT
#include "bake_command.h"

#include "bake_passes.h"
#include "bake_pool.h"
#include "cage_file.h"
#include "material_regions.h"
#include "mesh_import.h"
#include "tetrafy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gelProgramInfo s_info = {
	.name = "gel-bake",
	.summary = "bakes an art mesh and its tetrahedral cage into a pack that libgelpack simulates",
	.operands = "IN.(obj|gltf|glb) -o OUT.gel",
	.example = "gel-bake bear.glb -o bear.gel --tets 800 --young 2e5 --step 1/60 --pin-box=-1,0,-1,1,0.1,1",
	.minOperands = 1,
	.maxOperands = 1,
};

// Without physics there is nothing to step, to pin or to leave out.
static void SetStatic( gelBakeCommand* command, gelFindings* findings )
{
	const char* clash = command->stepTexts.count > 0 ? "--step"
		: command->pinBoxTexts.count > 0             ? "--pin-box"
		: command->forQuality                        ? "--quality"
		: command->noCollision                       ? "--no-collision"
													 : NULL;
	command->settings.isStatic = command->isStatic;
	if ( command->isStatic && clash != NULL )
		gelFindings_Add( findings, gel_finding5, NULL, "%s has no meaning together with --static", clash );
}

static void SetCollision( gelBakeCommand* command, gelFindings* findings )
{
	gelBakeCollision* collision = &command->settings.collision;
	if ( command->isStatic ) *collision = gel_collisionFine;
	if ( command->noCollision ) *collision = gel_collisionNone;
	if ( !command->collisionCellsGiven ) return;
	*collision = command->collisionCells == 0 ? gel_collisionFine : gel_collisionCoarse;
	if ( command->noCollision )
		gelFindings_Add(
			findings, gel_finding5, NULL, "--collision-cells has no meaning together with --no-collision" );
}

static void CheckGates( const gelBakeCommand* command, gelFindings* findings )
{
	const gelGates* gates = &command->gates;
	if ( command->isStatic && ( gates->soak || gates->maxStepMicros > 0.0 ) )
		gelFindings_Add(
			findings, gel_finding5, NULL, "--soak and --max-step-us have no meaning together with --static" );
	if ( command->maxStrainGiven && !gates->soak )
		gelFindings_Add( findings, gel_finding5, NULL, "--max-strain has no meaning without --soak" );
}

// "60", "auto", "rod:20"
static void SetParticles( gelBakeCommand* command, gelFindings* findings )
{
	static const struct
	{
		const char* name;
		gelParticleKind kind;
	} kinds[] = { { "auto", gel_particlesAuto }, { "solid", gel_particlesSolid },
		{ "sheet", gel_particlesSheet }, { "rod", gel_particlesRod } };
	const char* text = command->particleText;
	if ( text == NULL ) return;
	gelParticleSettings* particles = &command->settings.particles;
	size_t length = strcspn( text, ":" );
	for ( int i = 0; i < 4; ++i )
	{
		if ( strlen( kinds[i].name ) == length && strncmp( text, kinds[i].name, length ) == 0 )
			particles->kind = kinds[i].kind;
	}
	const char* number = particles->kind == gel_particlesNone ? text
		: text[length] == ':'                                 ? text + length + 1
															  : NULL;
	if ( particles->kind == gel_particlesNone ) particles->kind = gel_particlesAuto;
	if ( number == NULL ) return;
	double count = 0.0;
	if ( gelParseNumber( number, &count ) && count >= 1.0 && count <= GEL_PACK_MAX_PARTICLES &&
		count == floor( count ) )
	{
		particles->count = (int)count;
		return;
	}
	gelFindings_Add( findings, gel_finding5, NULL,
		"--particles %.40s is not a number from 1 to %u, nor auto, solid, sheet or rod with such a number "
		"behind a colon",
		text, GEL_PACK_MAX_PARTICLES );
}

// Before any work; the bake checks again, for those who call it as a library.
static void CheckMaterial( const gelBakeMaterial* material, gelFindings* findings )
{
	gelPackMaterial packed;
	gelBuildMaterial( material, findings, &packed );
	if ( strlen( material->name ) < sizeof( packed.name ) ) return;
	gelFindings_Add( findings, gel_finding5, NULL, "--material '%.60s' is longer than %zu bytes",
		material->name, sizeof( packed.name ) - 1 );
}

bool gelBakeCommand_Parse( gelBakeCommand* command, gelProgram* program, int argc, char** argv )
{
	memset( command, 0, sizeof( *command ) );
	command->settings = gelDefaultBakeSettings();
	command->settings.name = NULL;
	command->scale = 1.0;
	command->targetTets = gelDefaultTetrafySettings().targetTets;
	command->gates = gelDefaultGates();
	gelBakeMaterial* m = &command->settings.material;
	// Ranges of material values and steps are checked by the bake, which knows more than a closed interval.
	const gelOption options[] = {
		{ .name = "output",
			.letter = 'o',
			.type = gel_optionString,
			.value = "FILE",
			.target = &command->outputPath,
			.help = "pack to write (to a temporary name first, then renamed)" },
		{ .name = "cage",
			.letter = 'c',
			.type = gel_optionString,
			.value = "FILE",
			.target = &command->cagePath,
			.help = "cage to use: .msh .node .ele .veg [made from the art]" },
		{ .name = "tets",
			.type = gel_optionInt,
			.value = "N",
			.target = &command->targetTets,
			.min = GEL_MIN_TARGET_TETS,
			.max = GEL_MAX_TARGET_TETS,
			.given = &command->targetTetsGiven,
			.help = "tets to aim at when the cage is made from the art, 5 to 5000000 [500]" },
		{ .name = "scale",
			.type = gel_optionFloat,
			.value = "S",
			.target = &command->scale,
			.min = 1e-12,
			.max = 1e12,
			.help =
				"metres per unit of the art, such as 0.01 for centimetres; a cage is in metres already [1]" },
		{ .name = "step",
			.type = gel_optionList,
			.value = "S",
			.target = &command->stepTexts,
			.help = "step length to bake for, 1e-6 to 1 s; may be repeated [1/60]" },
		{ .name = "quality",
			.type = gel_optionFlag,
			.target = &command->forQuality,
			.help = "also bake what the quality mode of the runtime needs: one more, longer step length for "
					"each, and none if Poisson's ratio is 0" },
		{ .name = "static",
			.type = gel_optionFlag,
			.target = &command->isStatic,
			.help =
				"bake a surface that others touch and that moves as a rigid whole: collision geometry, no "
				"physics" },
		{ .name = "young",
			.type = gel_optionFloat,
			.value = "PA",
			.target = &m->youngsModulus,
			.help = "Young's modulus, above 0 up to 1e15 Pa [1e5]" },
		{ .name = "poisson",
			.type = gel_optionFloat,
			.value = "NU",
			.target = &m->poissonsRatio,
			.help = "Poisson's ratio, 0 to 0.4999 [0.33]" },
		{ .name = "density",
			.type = gel_optionFloat,
			.value = "RHO",
			.target = &m->density,
			.help = "density, above 0 up to 1e9 kg/m^3 [1000]" },
		{ .name = "damping",
			.type = gel_optionFloat,
			.value = "D",
			.target = &m->damping,
			.help = "extra velocity damping, 0 to 1e6 1/s [0]" },
		{ .name = "static-friction",
			.type = gel_optionFloat,
			.value = "F",
			.target = &m->staticFriction,
			.help = "friction coefficient at rest, 0 to 1000 [0.6]" },
		{ .name = "dynamic-friction",
			.type = gel_optionFloat,
			.value = "F",
			.target = &m->dynamicFriction,
			.help = "friction coefficient while sliding, 0 to 1000 [0.5]" },
		{ .name = "material",
			.type = gel_optionString,
			.value = "NAME",
			.target = &m->name,
			.help = "name of the material, at most 23 bytes [rubber]" },
		{ .name = "materials",
			.type = gel_optionString,
			.value = "FILE.json",
			.target = &command->materialsPath,
			.help = "further materials and the regions of the body that have them, see docs/materials.md; "
					"the rest has the material of the options above" },
		{ .name = "pin-box",
			.type = gel_optionList,
			.value = "X0,Y0,Z0,X1,Y1,Z1",
			.target = &command->pinBoxTexts,
			.help = "pin the cage nodes inside; coordinates are metres of the art, after --scale; several "
					"boxes make "
					"one pin set" },
		{ .name = "no-collision",
			.type = gel_optionFlag,
			.target = &command->noCollision,
			.help = "leave out the collision geometry" },
		{ .name = "collision-cells",
			.type = gel_optionChoice,
			.value = "CELLS",
			.choices = "fine|coarse",
			.target = &command->collisionCells,
			.given = &command->collisionCellsGiven,
			.help = "cut the surface for collision along the tets of the cage, or of a coarser cage over the "
					"same nodes: fewer pieces for art of few triangles [fine]" },
		{ .name = "particles",
			.type = gel_optionString,
			.value = "N|KIND[:N]",
			.target = &command->particleText,
			.help = "also bake oriented particles: so many, or 'auto', 'solid', 'sheet' or 'rod', each with "
					"a count if wanted, such as rod:20 [none]" },
		{ .name = "warp",
			.type = gel_optionFlag,
			.target = &command->settings.hasWarp,
			.help = "also bake for the warp-cancelling solver: fronts of its factor, for each pin set" },
		{ .name = "name",
			.type = gel_optionString,
			.value = "NAME",
			.target = &command->settings.name,
			.help = "name of the asset [that of the input file]" },
		{ .name = "jobs",
			.type = gel_optionInt,
			.value = "N",
			.target = &program->threads,
			.min = 1,
			.max = GEL_MAX_THREADS,
			.help = "the same as --threads: one asset is baked by all workers together" },
		{ .name = "max-bytes",
			.type = gel_optionFloat,
			.value = "N",
			.target = &command->gates.maxBytes,
			.min = 1.0,
			.max = 1e15,
			.help = "write no pack that is larger (exit 5) [no limit]" },
		{ .name = "max-step-us",
			.type = gel_optionFloat,
			.value = "US",
			.target = &command->gates.maxStepMicros,
			.min = 1e-3,
			.max = 1e12,
			.help =
				"write no pack whose step is estimated to take longer on one thread of this machine (exit "
				"5), see docs/gates.md [no limit]" },
		{ .name = "soak",
			.type = gel_optionFlag,
			.target = &command->gates.soak,
			.help =
				"drop, squash, stretch, twist and spin the body with the runtime; write no pack that fails "
				"(exit 5), but a picture OUT.gel.soak-SCENE.png" },
		{ .name = "max-strain",
			.type = gel_optionFloat,
			.value = "X",
			.target = &command->gates.maxStrain,
			.min = 1e-6,
			.max = 1e6,
			.given = &command->maxStrainGiven,
			.help = "largest principal strain that the soak allows [no limit]" },
		{ .name = "depfile",
			.type = gel_optionString,
			.value = "FILE",
			.target = &command->depfilePath,
			.help = "write a Make rule with every file that was read" },
		{ .name = NULL },
	};
	if ( !gelProgram_Begin( program, &s_info, options, argc, argv ) ) return false;
	command->inputPath = program->operands.items[0];
	command->settings.threads = program->threads;
	if ( command->outputPath == NULL )
	{
		gelFindings_Add( &program->findings, gel_finding5, NULL, "there is no output: add -o OUT.gel" );
	}
	if ( command->cagePath != NULL && command->targetTetsGiven )
	{
		gelFindings_Add(
			&program->findings, gel_finding5, NULL, "--tets has no meaning together with --cage" );
	}
	CheckGates( command, &program->findings );
	SetStatic( command, &program->findings );
	SetCollision( command, &program->findings );
	SetParticles( command, &program->findings );
	CheckMaterial( m, &program->findings );
	return program->findings.errorCount == 0;
}

// What lives from the import to the end.
typedef struct BakeRun
{
	const gelBakeCommand* command;
	gelProgram* program;
	gelBakePool pool;
	gelMesh mesh;
	gelImportFiles files;
	gelCage cage;
	gelBakeSettings settings;
	gelBakePinSet pins;
	gelMaterialRegions regions;
	double* steps; // [s]
	char name[256];
	double startTime; // [s]
} BakeRun;

static bool CheckSteps( const BakeRun* run )
{
	gelBakeSettings planned = run->settings;
	planned.pinSetCount = run->command->pinBoxTexts.count > 0;
	return gelCheckSteps( &planned, &run->program->findings );
}

static bool ParseSteps( BakeRun* run )
{
	if ( run->command->isStatic ) run->settings.stepCount = 0;
	if ( run->command->isStatic ) return true;
	const gelStringList* texts = &run->command->stepTexts;
	int count = texts->count > 0 ? texts->count : run->settings.stepCount;
	double* steps = gelBakePool_Alloc( &run->pool, 2 * (size_t)count, sizeof( double ) ); // quality adds some
	memcpy( steps, run->settings.steps, (size_t)( texts->count > 0 ? 0 : count ) * sizeof( double ) );
	for ( int i = 0; i < texts->count; ++i )
	{
		if ( gelParseNumber( texts->items[i], steps + i ) ) continue;
		gelFindings_Add( &run->program->findings, gel_finding5, NULL,
			"--step %s is not a number such as 0.01 or 1/60", texts->items[i] );
		return false;
	}
	run->settings.steps = run->steps = steps;
	run->settings.stepCount = count;
	return CheckSteps( run );
}

// Once it is known which materials are in use: the runtime asks for the one with the largest Poisson's ratio.
static bool AddQualitySteps( BakeRun* run )
{
	if ( !run->command->forQuality ) return true;
	gelBakeMaterial material = gelGetQualityMaterial( &run->settings, run->cage.tetCount );
	run->settings.stepCount = gelAddQualitySteps( &material, run->steps, run->settings.stepCount );
	return CheckSteps( run );
}

static bool ParsePinBoxes( BakeRun* run, gelPinBox** outBoxes )
{
	const gelStringList* texts = &run->command->pinBoxTexts;
	*outBoxes = gelBakePool_Alloc( &run->pool, (size_t)texts->count, sizeof( gelPinBox ) );
	for ( int i = 0; i < texts->count; ++i )
	{
		if ( gelParsePinBox( texts->items[i], *outBoxes + i ) ) continue;
		gelFindings_Add( &run->program->findings, gel_finding5, NULL,
			"--pin-box %s does not have the form X0,Y0,Z0,X1,Y1,Z1", texts->items[i] );
		return false;
	}
	return true;
}

// The base name without extension; a path would make the pack depend on where it was baked.
static void ChooseName( BakeRun* run )
{
	if ( run->settings.name != NULL ) return;
	const char* slash = strrchr( run->command->inputPath, '/' );
	snprintf( run->name, sizeof( run->name ), "%s", slash != NULL ? slash + 1 : run->command->inputPath );
	char* dot = strrchr( run->name, '.' );
	if ( dot != NULL && dot != run->name ) *dot = 0;
	run->settings.name = run->name;
}

static bool CheckPaths( const gelBakeCommand* command, gelProgram* program )
{
	gelPathSet* paths = &program->paths;
	gelFindings* findings = &program->findings;
	return gelPathSet_AddInput( paths, command->inputPath, "the art", findings ) &&
		gelPathSet_AddCage( paths, command->cagePath, "--cage", false, findings ) &&
		gelPathSet_AddInput( paths, command->materialsPath, "--materials", findings ) &&
		gelPathSet_AddOutput( paths, command->outputPath, "-o", findings ) &&
		gelPathSet_AddOutput( paths, command->depfilePath, "--depfile", findings );
}

static bool Import( BakeRun* run )
{
	gelProgram* program = run->program;
	const char* path = run->command->inputPath;
	gelReport_Phase( &program->report, "import" );
	bool ok = gelImportMesh( path, &program->findings, &run->mesh, &run->files ) &&
		gelScaleImported( &run->mesh, run->command->scale, path, &program->findings );
	for ( int i = 0; ok && i < run->files.count; ++i )
	{
		ok = gelPathSet_AddInput(
			&program->paths, run->files.paths[i], "read with the art", &program->findings );
	}
	return ok;
}

static bool ReadCage( BakeRun* run )
{
	const char* path = run->command->cagePath;
	gelFindings* findings = &run->program->findings;
	gelReport_Phase( &run->program->report, "read cage" );
	if ( !gelLoadCage( path, findings, &run->cage ) ) return false;
	gelDropUnusedNodes( &run->cage, findings, path );
	return true;
}

static bool MakeCage( BakeRun* run )
{
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	gelTetrafyStats stats;
	settings.targetTets = run->command->targetTets;
	settings.artPath = run->command->inputPath;
	settings.threads = run->program->threads;
	gelReport_Phase( &run->program->report, "tetrafy" );
	return gelTetrafy( &run->mesh, &settings, run->program, &run->cage, &stats );
}

static bool PlaceMaterials( BakeRun* run )
{
	const char* path = run->command->materialsPath;
	if ( path == NULL ) return true;
	gelReport_Phase( &run->program->report, "materials" );
	run->settings.tetMaterials = gelPlaceMaterials( &run->regions, &run->settings.material, &run->mesh,
		&run->cage, path, &run->pool, &run->program->findings );
	return run->settings.tetMaterials != NULL;
}

static bool WriteDepfile( const BakeRun* run )
{
	gelBakePool pool = { NULL };
	const char** files = gelBakePool_Alloc( &pool, (size_t)run->files.count + 3, sizeof( char* ) );
	char* cageFiles[2] = { NULL, NULL };
	int count = 0;
	for ( int i = 0; i < run->files.count; ++i )
	{
		files[count++] = run->files.paths[i];
	}
	if ( run->command->cagePath != NULL )
		gelCagePaths( run->command->cagePath, cageFiles + 0, cageFiles + 1 );
	if ( run->command->materialsPath != NULL ) files[count++] = run->command->materialsPath;
	if ( cageFiles[0] != NULL ) files[count++] = cageFiles[0];
	if ( cageFiles[1] != NULL ) files[count++] = cageFiles[1];
	char* text = gelFormatDepfile( run->command->outputPath, files, count );
	bool ok = text != NULL &&
		gelWriteFile( run->command->depfilePath, text, strlen( text ), &run->program->findings );
	free( text );
	free( cageFiles[0] );
	free( cageFiles[1] );
	gelFreeBakePool( &pool );
	return ok;
}

// A column of height H is compressed by about rho g H / (2 E) under its own weight. From a quarter on, a body
// lies there like a puddle, which nearly always means that the art is in centimetres. What a body of several
// materials does is not that simple.
static void CheckOwnWeight( BakeRun* run )
{
	if ( run->settings.isStatic || run->command->materialsPath != NULL ) return;
	const gelBakeMaterial* m = &run->settings.material;
	double height = (double)run->mesh.boundsMax[1] - (double)run->mesh.boundsMin[1]; // [m]
	double pressure = m->density * 9.81 * height;                                    // [Pa]
	if ( pressure < 0.5 * m->youngsModulus ) return;
	gelFindings_Add( &run->program->findings, gel_finding515, run->command->inputPath,
		"the body is %.3g m high and will collapse under its own weight; use --young %.2g or more, or "
		"--scale (0.01 "
		"for art in centimetres)",
		height, 10.0 * pressure );
}

// The matrix of such a body can often not be factored, which is hard to tell from other reasons.
static void CheckSize( BakeRun* run )
{
	double sum = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		double extent = (double)run->mesh.boundsMax[k] - (double)run->mesh.boundsMin[k]; // [m]
		sum += extent * extent;
	}
	if ( sqrt( sum ) >= 1e-3 ) return;
	gelFindings_Add( &run->program->findings, gel_finding516, run->command->inputPath,
		"the body is microscopic: %.2g m from corner to corner; give --scale if the unit of the art is not "
		"the "
		"metre",
		sqrt( sum ) );
}

// 1234567 -> "1,234,567"
static const char* FormatCount( char out[32], uint64_t value )
{
	char digits[32];
	int length = snprintf( digits, sizeof( digits ), "%llu", (unsigned long long)value ), n = 0;
	for ( int i = 0; i < length; ++i )
	{
		if ( i > 0 && ( length - i ) % 3 == 0 ) out[n++] = ',';
		out[n++] = digits[i];
	}
	out[n] = 0;
	return out;
}

static void Summarize( const BakeRun* run, size_t byteCount )
{
	const json_t* counts = json_object_get( run->program->report.root, "counts" );
	const gelMesh* mesh = &run->mesh;
	char size[32], tets[32], nodes[32], pinned[32], triangles[32], pins[48] = "";
	if ( byteCount < 1000000 )
	{
		snprintf( size, sizeof( size ), "%zu KB", ( byteCount + 500 ) / 1000 );
	}
	else
	{
		snprintf( size, sizeof( size ), "%.1f MB", 1e-6 * (double)byteCount );
	}
	if ( run->pins.nodeCount > 0 )
		snprintf( pins, sizeof( pins ), "%s of ", FormatCount( pinned, run->pins.nodeCount ) );
	double extent[3]; // [m]
	for ( int k = 0; k < 3; ++k )
	{
		extent[k] = (double)mesh->boundsMax[k] - (double)mesh->boundsMin[k];
	}
	gelProgram_Say( run->program,
		"%s: %s, %s tets, %s%s nodes%s, %d colors, %s triangles, body %.3g x %.3g x %.3g m, %.2f s",
		run->command->outputPath, size, FormatCount( tets, run->cage.tetCount ), pins,
		FormatCount( nodes, run->cage.nodeCount ), pins[0] != 0 ? " pinned" : "",
		(int)json_integer_value( json_object_get( counts, "colors" ) ),
		FormatCount( triangles, mesh->triangleCount ), extent[0], extent[1], extent[2],
		gelNow() - run->startTime );
}

static void BakeAndWrite( BakeRun* run )
{
	gelProgram* program = run->program;
	size_t byteCount;
	run->settings.artFile = run->command->inputPath;
	run->settings.scale = run->command->scale;
	run->settings.cageFile =
		run->command->cagePath != NULL ? run->command->cagePath : run->command->inputPath;
	memcpy( run->settings.inputHash, run->files.sha256, sizeof( run->settings.inputHash ) );
	uint8_t* bytes = gelBake( &run->mesh, &run->cage, &run->settings, program, &byteCount );
	if ( bytes != NULL &&
		gelPassGates( &run->command->gates, bytes, byteCount, run->command->outputPath, program ) )
	{
		gelReport_Phase( &program->report, "write" );
		// The depfile first: a pack that is there without one would look up to date for ever.
		bool written = run->command->depfilePath == NULL || WriteDepfile( run );
		written = written && gelWriteFile( run->command->outputPath, bytes, byteCount, &program->findings );
		gelReport_Phase( &program->report, NULL );
		if ( written ) Summarize( run, byteCount );
	}
	free( bytes );
}

void gelBakeCommand_Run( const gelBakeCommand* command, gelProgram* program )
{
	BakeRun run = {
		.command = command, .program = program, .settings = command->settings, .startTime = gelNow()
	};
	gelFindings* findings = &program->findings;
	gelPinBox* boxes;
	bool ok = CheckPaths( command, program ) && ParseSteps( &run ) && ParsePinBoxes( &run, &boxes ) &&
		( command->materialsPath == NULL ||
			gelReadMaterialRegions(
				command->materialsPath, &run.settings.material, &run.pool, findings, &run.regions ) );
	ChooseName( &run );
	gelReport_SetString( &program->report, "input", command->inputPath );
	gelReport_SetString( &program->report, "input_cage", command->cagePath );
	gelReport_SetString( &program->report, "output", command->outputPath );
	ok = ok && Import( &run );
	if ( ok ) CheckOwnWeight( &run );
	if ( ok ) CheckSize( &run );
	if ( ok ) ok = command->cagePath != NULL ? ReadCage( &run ) : MakeCage( &run );
	if ( ok && command->pinBoxTexts.count > 0 )
	{
		run.pins = gelPinNodesInBoxes( &run.cage, boxes, command->pinBoxTexts.count );
		run.settings.pinSets = &run.pins;
		run.settings.pinSetCount = 1;
	}
	ok = ok && PlaceMaterials( &run ) && AddQualitySteps( &run );
	// a warning may count as an error
	if ( ok && findings->errorCount == 0 ) BakeAndWrite( &run );
	gelReport_Phase( &program->report, NULL );
	free( run.pins.nodes );
	gelFreeCage( &run.cage );
	gelFreeImportFiles( &run.files );
	gelFreeMesh( &run.mesh );
	gelFreeBakePool( &run.pool );
}
