// SPDX-License-Identifier: MIT
// The command line of gel-bake.
#include "bake/command/bake_command.h"

#include "bake/body/body_passes.h"
#include "bake/settings/setting_text.h"

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

// A static surface is there to be touched, so it has collision geometry whatever its size; "auto" leaves the
// choice to the bake.
static void SetCollision( gelAskedSettings* asked )
{
	gelBakeRequest* request = &asked->request;
	gelBakeCollision* collision = &request->settings.collision;
	if ( request->settings.isStatic ) *collision = gel_collisionFine;
	if ( request->noCollision ) *collision = gel_collisionNone;
	if ( !gelIsGiven( asked, "collision-cells" ) ) return;
	if ( request->collisionCells == 0 ) *collision = gel_collisionFine;
	if ( request->collisionCells == 1 ) *collision = gel_collisionCoarse;
}

// One asset, or a manifest of many, in which the options of bakes stand.
static void CheckFiles( gelBakeCommand* command, gelProgram* program )
{
	gelFindings* findings = &program->findings;
	const gelBakeRequest* request = &command->asked.request;
	bool isBatch = request->manifestPath != NULL, hasOptions = false;
	for ( int i = 0; i < gelSettingCount; ++i )
		hasOptions = hasOptions || ( command->asked.given[i] && !( gelSettings[i].traits & gel_traitBatch ) );
	if ( isBatch && ( program->operands.count > 0 || request->outputPath != NULL ) )
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
	else if ( !isBatch && request->outputPath == NULL )
		gelFindings_Add( findings, gel_findingUsage, NULL, "there is no output: add -o OUT.gel" );
	if ( !isBatch && request->shardText != NULL )
		gelFindings_Add( findings, gel_findingUsage, NULL, "--shard has no meaning without --manifest" );
	if ( request->force && request->cachePath == NULL )
		gelFindings_Add( findings, gel_findingUsage, NULL, "--force has no meaning without --cache" );
	command->inputPath = isBatch ? NULL : program->operands.items[0];
}

static bool ReadRecipe( gelBakeCommand* command, gelFindings* findings )
{
	gelAskedSettings* asked = &command->asked;
	const char* path = asked->request.recipePath;
	command->regionsPath = asked->request.materialsPath;
	if ( path == NULL ) return true;
	gelRecipe* recipe = gelBakePool_Alloc( &asked->pool, 1, sizeof( gelRecipe ) );
	if ( !gelReadRecipe( path, &asked->pool, findings, recipe ) ) return false;
	gelApplyRecipe( recipe, asked );
	command->hasRecipeRegions = recipe->hasRegions && asked->request.materialsPath == NULL;
	if ( command->hasRecipeRegions ) command->regionsPath = path;
	return true;
}

// What follows from the options, and whether they go together. Ranges of material values are checked before
// any work; the bake checks again, for those who call it as a library.
static bool SetDerived( gelBakeCommand* command, gelProgram* program )
{
	gelPackMaterial packed;
	gelBakeSettings* settings = &command->asked.request.settings;
	settings->threads = program->threads;
	gelCheckTogether( &command->asked, &program->findings );
	SetCollision( &command->asked );
	gelBuildMaterial( &settings->material, &program->findings, &packed );
	return program->findings.errorCount == 0;
}

bool gelBakeCommand_ApplyExtras( gelBakeCommand* command, const gelMesh* mesh, gelProgram* program )
{
	gelAskedSettings* asked = &command->asked;
	gelExtrasRecipes* extras = &asked->extras;
	if ( !gelReadExtrasRecipes( mesh, command->inputPath, &asked->pool, &program->findings, extras ) )
		return false;
	for ( int i = 0; i < extras->count; ++i )
	{
		gelApplyRecipe( extras->recipes + i, asked );
		if ( extras->recipes[i].hasRegions && command->regionsPath == NULL && command->extrasRegions == NULL )
			command->extrasRegions = extras->sources + i;
	}
	return extras->count == 0 || SetDerived( command, program );
}

// An option of the command line for a row. What is more than a number or a text is kept as texts at first.
static gelOption MakeOption( const gelSetting* setting, gelAskedSettings* asked, gelStringList* texts )
{
	static const gelOptionType types[] = { [gel_settingFlag] = gel_optionFlag,
		[gel_settingCount] = gel_optionInt,
		[gel_settingReal] = gel_optionFloat,
		[gel_settingText] = gel_optionString,
		[gel_settingFile] = gel_optionString,
		[gel_settingChoice] = gel_optionChoice };
	// A free range: the command line takes any number, and the bake says what is wrong with it in terms of
	// physics.
	bool isText = gelIsTextSetting( setting ), isFree = ( setting->traits & gel_traitFreeRange ) != 0;
	return ( gelOption ){
		.name = setting->option,
		.letter = setting->letter,
		.type = isText ? gel_optionList : types[setting->kind],
		.value = setting->value,
		.target = isText ? texts : gelGetSettingValue( &asked->request, setting ),
		.min = isFree ? 0.0 : setting->min,
		.max = isFree ? 0.0 : setting->max,
		.choices = setting->choices,
		.help = setting->help,
		.given = asked->given + gelGetSettingIndex( setting ),
	};
}

// What decides about the pack, for the key of the cache.
// From the options as they were filled in, so that one that is added later cannot be forgotten. Those that
// leave the pack as it is (threads, output, limits) have the trait "aside".
static char* FormatKey( const gelOption* options )
{
	gelOption kept[GEL_MAX_SETTINGS + 1];
	int count = 0;
	for ( const gelOption* option = options; option->name != NULL; ++option )
	{
		if ( ( gelFindSetting( option->name )->traits & gel_traitAside ) == 0 ) kept[count++] = *option;
	}
	kept[count] = ( gelOption ){ .name = NULL };
	return gelFormatOptions( kept );
}

bool gelBakeCommand_Parse( gelBakeCommand* command, gelProgram* program, int argc, char** argv )
{
	memset( command, 0, sizeof( *command ) );
	gelAskedSettings* asked = &command->asked;
	asked->request = gelDefaultBakeRequest();
	gelOption options[GEL_MAX_SETTINGS + 1];
	gelStringList texts[GEL_MAX_SETTINGS] = { { NULL, 0 } };
	int count = 0;
	for ( int i = 0; i < gelSettingCount; ++i )
	{
		if ( gelSettings[i].option != NULL )
			options[count++] = MakeOption( gelSettings + i, asked, texts + i );
	}
	options[count] = ( gelOption ){ .name = NULL };
	if ( !gelProgram_Begin( program, &s_info, options, argc, argv ) ) return false;
	CheckFiles( command, program );
	bool ok = program->findings.errorCount == 0;
	for ( int i = 0; i < gelSettingCount && ok; ++i )
	{
		if ( gelSettings[i].option != NULL && gelIsTextSetting( gelSettings + i ) )
			ok = gelParseSetting( gelSettings + i, texts + i, asked, &program->findings );
	}
	if ( !ok || !ReadRecipe( command, &program->findings ) ) return false;
	command->optionsText = FormatKey( options );
	// --jobs of a single bake is another word for --threads.
	if ( gelIsGiven( asked, "jobs" ) && asked->request.manifestPath == NULL )
		program->threads = asked->request.jobs;
	return SetDerived( command, program );
}

void gelFreeBakeCommand( gelBakeCommand* command )
{
	free( command->optionsText );
	command->optionsText = NULL;
	gelFreeAskedSettings( &command->asked );
}
