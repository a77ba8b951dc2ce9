// SPDX-License-Identifier: MIT
// The command line of gel-bake.
#include "bake/command/bake_command.h"

#include "bake/command/bake_levels.h"
#include "bake/body/body_passes.h"
#include "bake/settings/recipe.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const gelProgramInfo s_info = {
	.name = "gel-bake",
	.summary = "bakes an art mesh and its tetrahedral cage into a pack that libgelpack simulates",
	.operands = "IN.(obj|gltf|glb) -o OUT.gel | --manifest FILE.json",
	.example = "gel-bake bear.glb -o bear.gel --tets 800 --young 2e5 --step 1/60 --pin-box=-1,0,-1,1,0.1,1",
	.minOperands = 0,
	.maxOperands = 1,
};

// Without physics there is nothing to step, to pin, to solve or to leave out.
static void SetStatic( gelBakeCommand* command, gelFindings* findings )
{
	bool isPainted = command->paintTexts.count > 0 && strcmp( command->paintTexts.items[0], "none" ) != 0;
	const char* clash = command->stepTexts.count > 0 ? "step"
		: command->pinBoxTexts.count > 0             ? "pin-box"
		: isPainted                                  ? "paint"
		: command->forQuality                        ? "quality"
		: command->settings.hasWarp                  ? "warp"
		: command->particleText != NULL              ? "particles"
		: command->levelTexts.count > 0              ? "lod"
		: command->noCollision                       ? "no-collision"
		: command->gates.soak                        ? "soak"
		: command->gates.maxStepMicros > 0.0         ? "max-step-us"
													 : NULL;
	command->settings.isStatic = command->isStatic;
	if ( command->isStatic && clash != NULL )
		gelFailOption(
			command->recipes, clash, findings, "--%s has no meaning together with --static", clash );
}

static void SetCollision( gelBakeCommand* command, gelFindings* findings )
{
	gelBakeCollision* collision = &command->settings.collision;
	if ( command->isStatic ) *collision = gel_collisionFine;
	if ( command->noCollision ) *collision = gel_collisionNone;
	if ( !command->collisionCellsGiven ) return;
	if ( command->collisionCells == 0 ) *collision = gel_collisionFine;
	if ( command->collisionCells == 1 ) *collision = gel_collisionCoarse;
	if ( command->noCollision )
		gelFailOption( command->recipes, "collision-cells", findings,
			"--collision-cells has no meaning together with --no-collision" );
}

static void CheckGates( const gelBakeCommand* command, gelFindings* findings )
{
	if ( command->maxStrainGiven && !command->gates.soak )
		gelFailOption(
			command->recipes, "max-strain", findings, "--max-strain has no meaning without --soak" );
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
	particles->kind = gel_particlesNone;
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
	gelFailOption( command->recipes, "particles", findings,
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
	gelFindings_Add( findings, gel_findingUsage, NULL, "--material '%.60s' is longer than %zu bytes",
		material->name, sizeof( packed.name ) - 1 );
}

// What does not change the pack, and files, which count by their bytes. Gates are passed again.
static const char* const s_notOfPack[] = { "output", "cage", "recipe", "materials", "jobs", "manifest",
	"shard", "cache", "force", "depfile", "max-bytes", "max-step-us", "soak", "max-strain", "verify", NULL };

// What stands beside --manifest.
static const char* const s_ofBatch[] = { "jobs", "manifest", "shard", "cache", "force", "output", NULL };

// One asset, or a manifest of many, in which the options of bakes stand.
static void CheckFiles( gelBakeCommand* command, gelProgram* program, bool hasOptions )
{
	gelFindings* findings = &program->findings;
	bool isBatch = command->manifestPath != NULL;
	if ( isBatch && ( program->operands.count > 0 || command->outputPath != NULL ) )
		gelFindings_Add( findings, gel_findingUsage, NULL,
			"with --manifest there is neither a file nor -o: both stand in the manifest" );
	else if ( isBatch && hasOptions )
		gelFindings_Add( findings, gel_findingUsage, NULL,
			"options of bakes stand in the manifest (\"options\"), not on the command line" );
	else if ( !isBatch && program->operands.count == 0 )
	{
		gelFindings_Add( findings, gel_findingUsage, NULL, "a file is missing: %s", s_info.operands );
		gelPrintUsage( &s_info );
	}
	else if ( !isBatch && command->outputPath == NULL )
		gelFindings_Add( findings, gel_findingUsage, NULL, "there is no output: add -o OUT.gel" );
	if ( !isBatch && command->shardText != NULL )
		gelFindings_Add( findings, gel_findingUsage, NULL, "--shard has no meaning without --manifest" );
	if ( command->force && command->cachePath == NULL )
		gelFindings_Add( findings, gel_findingUsage, NULL, "--force has no meaning without --cache" );
	command->inputPath = isBatch ? NULL : program->operands.items[0];
}

// "none" says no to what a recipe has.
static void DropNones( gelBakeCommand* command, const gelOption* options )
{
	gelStringList* const lists[] = { &command->levelTexts, &command->pinBoxTexts };
	for ( int i = 0; i < 2; ++i )
	{
		if ( lists[i]->count == 1 && strcmp( lists[i]->items[0], "none" ) == 0 ) lists[i]->count = 0;
	}
	if ( command->particleText != NULL && strcmp( command->particleText, "none" ) == 0 )
		command->particleText = NULL;
	// the others are merged, so this one has to be kept in mind
	gelStringList* points = &command->attachTexts;
	if ( points->count != 1 || strcmp( points->items[0], "none" ) != 0 ) return;
	points->count = 0;
	gelCloseOption( options, "attach", command->closed );
}

static void Apply( gelBakeCommand* command, gelRecipe* recipe, const gelOption* options )
{
	gelApplyRecipe( recipe, options, command->closed, &command->pool );
	recipe->next = command->recipes;
	command->recipes = recipe;
}

static bool ReadRecipe( gelBakeCommand* command, const gelOption* options, gelFindings* findings )
{
	command->regionsPath = command->materialsPath;
	if ( command->recipePath == NULL ) return true;
	gelRecipe* recipe = gelBakePool_Alloc( &command->pool, 1, sizeof( gelRecipe ) );
	if ( !gelReadRecipe( command->recipePath, &command->pool, findings, recipe ) ) return false;
	Apply( command, recipe, options );
	command->hasRecipeRegions = recipe->hasRegions && command->materialsPath == NULL;
	if ( command->hasRecipeRegions ) command->regionsPath = command->recipePath;
	return true;
}

// What follows from the options, and whether they go together.
static bool SetDerived( gelBakeCommand* command, gelProgram* program )
{
	gelFindings* findings = &program->findings;
	command->settings.threads = program->threads;
	if ( command->cagePath != NULL && command->targetTetsGiven )
		gelFailOption( command->recipes, "tets", findings, "--tets has no meaning together with --cage" );
	gelParseLevels( &command->levelTexts,
		command->cagePath != NULL ? GEL_MAX_TARGET_TETS : command->targetTets, command->recipes, findings );
	CheckGates( command, findings );
	SetStatic( command, findings );
	SetCollision( command, findings );
	SetParticles( command, findings );
	CheckMaterial( &command->settings.material, findings );
	return findings->errorCount == 0;
}

bool gelBakeCommand_ApplyExtras( gelBakeCommand* command, const gelMesh* mesh, gelProgram* program )
{
	gelExtrasRecipes extras;
	if ( !gelReadExtrasRecipes( mesh, command->inputPath, &command->pool, &program->findings, &extras ) )
		return false;
	for ( int i = 0; i < extras.count; ++i )
	{
		Apply( command, extras.recipes + i, command->options );
		if ( extras.recipes[i].hasRegions && command->regionsPath == NULL && command->extrasRegions == NULL )
			command->extrasRegions = extras.texts + i;
	}
	return extras.count == 0 || SetDerived( command, program );
}

// A copy of the table for what is read later.
static void KeepOptions( gelBakeCommand* command, const gelOption* options )
{
	size_t count = 1;
	while ( options[count - 1].name != NULL )
		count += 1;
	gelOption* copy = gelBakePool_Alloc( &command->pool, count, sizeof( gelOption ) );
	memcpy( copy, options, count * sizeof( gelOption ) );
	command->options = copy;
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
	gelOption options[] = {
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
		{ .name = "recipe",
			.type = gel_optionString,
			.value = "FILE.json",
			.target = &command->recipePath,
			.help = "settings of the body, see docs/recipes.md; what the command line says wins" },
		{ .name = "tets",
			.type = gel_optionInt,
			.value = "N",
			.target = &command->targetTets,
			.min = GEL_MIN_TARGET_TETS,
			.max = GEL_MAX_TARGET_TETS,
			.given = &command->targetTetsGiven,
			.help = "tets to aim at when the cage is made from the art, 5 to 5000000 [500]" },
		{ .name = "lod",
			.type = gel_optionList,
			.value = "TETS",
			.target = &command->levelTexts,
			.help = "also bake a coarser level of about so many tets, for bodies that are far away, see "
					"docs/lod.md; may be repeated, from fine to coarse, up to 7 times" },
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
		{ .name = "attach",
			.type = gel_optionList,
			.value = "NAME=X,Y,Z",
			.target = &command->attachTexts,
			.help = "a named attachment point at so many metres, and :QX,QY,QZ,QW for its axes or :RADIUS "
					"behind that, see docs/recipes.md; may be repeated" },
		{ .name = "paint",
			.type = gel_optionList,
			.value = "KIND=CHANNEL",
			.target = &command->paintTexts,
			.help = "where stiffness, density or pin is painted: color.r to color.a or an attribute, and "
					":LOW:HIGH or :LOW:HIGH:log for 0 to 1; 'none' for nothing [stiffness=_STIFFNESS "
					"density=_DENSITY pin=_PIN, where the art has them]" },
		{ .name = "no-collision",
			.type = gel_optionFlag,
			.target = &command->noCollision,
			.help = "leave out the collision geometry" },
		{ .name = "collision-cells",
			.type = gel_optionChoice,
			.value = "CELLS",
			.choices = "fine|coarse|auto",
			.target = &command->collisionCells,
			.given = &command->collisionCellsGiven,
			.help = "cut the surface for collision along the tets of the cage, or of a coarser cage over the "
					"same nodes: fewer pieces for art of few triangles [auto]" },
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
			.target = &command->jobs,
			.min = 1,
			.max = GEL_MAX_THREADS,
			.given = &command->jobsGiven,
			.help = "with --manifest: bakes that run at once, each on one thread unless --threads is given "
					"[all cores]; else the same as --threads" },
		{ .name = "manifest",
			.type = gel_optionString,
			.value = "FILE.json",
			.target = &command->manifestPath,
			.help = "bake many assets, see docs/build_systems.md" },
		{ .name = "shard",
			.type = gel_optionString,
			.value = "K/N",
			.target = &command->shardText,
			.help = "of a manifest: only every N-th asset, from the K-th on [1/1]" },
		{ .name = "cache",
			.type = gel_optionString,
			.value = "FOLDER",
			.target = &command->cachePath,
			.help = "take the pack from there if it was baked before from the same bytes and options, else "
					"put it there" },
		{ .name = "force",
			.type = gel_optionFlag,
			.target = &command->force,
			.help = "bake even if the pack is in the cache" },
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
		{ .name = "verify",
			.type = gel_optionFlag,
			.target = &command->verify,
			.help = "bake, but write nothing: compare with the pack that is there (exit 5 if bytes differ)" },
		{ .name = "depfile",
			.type = gel_optionString,
			.value = "FILE",
			.target = &command->depfilePath,
			.help = "write a Make rule with every file that was read" },
		{ .name = NULL },
	};
	_Static_assert( sizeof( options ) / sizeof( options[0] ) <= GEL_MAX_BAKE_OPTIONS, "room for given" );
	for ( int i = 0; options[i].name != NULL; ++i )
	{
		if ( options[i].given == NULL ) options[i].given = command->given + i;
	}
	char* defaults = gelFormatOptions( options, s_ofBatch );
	bool ok = gelProgram_Begin( program, &s_info, options, argc, argv );
	char* given = gelFormatOptions( options, s_ofBatch );
	bool hasOptions = defaults == NULL || given == NULL || strcmp( defaults, given ) != 0;
	free( defaults );
	free( given );
	if ( !ok ) return false;
	CheckFiles( command, program, hasOptions );
	DropNones( command, options );
	command->ownAttachCount = command->attachTexts.count;
	if ( program->findings.errorCount > 0 || !ReadRecipe( command, options, &program->findings ) )
		return false;
	command->optionsText = gelFormatOptions( options, s_notOfPack );
	if ( command->jobsGiven && command->manifestPath == NULL ) program->threads = command->jobs;
	KeepOptions( command, options );
	return SetDerived( command, program );
}

void gelFreeBakeCommand( gelBakeCommand* command )
{
	free( command->optionsText );
	command->optionsText = NULL;
	gelFreeBakePool( &command->pool );
}
