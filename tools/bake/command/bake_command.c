// SPDX-License-Identifier: MIT
// One bake from the command line to the file:
//
//     ReadSettings    paths, recipe, art, extras of the art     nothing slow before what can be refused
//     TakeFromCache   key over program, options, files          a hit ends here, but for the gates
//     cage            read, or made in process
//     pins, materials, paint, steps of the quality mode         what depends on the cage
//     gelBake         levels first, then the body
//     gates           --max-bytes, --max-runtime-bytes, --max-step-us, --soak
//     depfile, pack, cache
#include "bake/command/bake_command.h"

#include "bake/settings/attachment_points.h"
#include "bake/command/bake_cache.h"
#include "bake/command/bake_levels.h"
#include "bake/command/depfile.h"
#include "bake/command/verify_bake.h"
#include "bake/settings/material_file.h"
#include "bake/factor/factor_passes.h"
#include "bake/gates/gates.h"
#include "bake/body/bake_pool.h"
#include "common/mesh/cage_file.h"
#include "bake/surface/cdg.h"
#include "common/import/mesh_import.h"
#include "common/program/memory.h"
#include "common/program/output_file.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What lives from the import to the end.
typedef struct BakeRun
{
	gelBakeCommand* command;
	const gelBakeRequest* request; // what the command line asks for
	gelProgram* program;
	gelBakePool pool;
	gelMesh mesh;
	gelImportFiles files;
	gelCage cage;
	gelBakeSettings settings;
	gelCdgArt collisionArt; // in artPool
	gelBakePool artPool;
	gelBakePinSet pins;
	gelBakeAttachment* attachments;
	gelMaterialRegions regions;
	gelBakeLevel levels[GEL_PACK_MAX_LEVELS];
	double* steps;      // [s]
	int plainStepCount; // before those that the quality mode adds; 0: it adds none
	gelCacheKey key;
	bool hasKey, isCached;
	gelOutputFile draft; // pack that is being written; zero: none
	char name[256];
	double startTime; // [s]
} BakeRun;

static bool CheckSteps( const BakeRun* run )
{
	gelBakeSettings planned = run->settings;
	// Pins are not known before the cage; the count of factors is all that matters here.
	planned.pinSetCount = run->request->pinBoxes.count > 0;
	return gelCheckSteps( &planned, &run->program->findings );
}

// Twice as much room as steps: the quality mode adds at most one for each.
static bool TakeSteps( BakeRun* run )
{
	if ( run->settings.isStatic ) run->settings.stepCount = 0;
	if ( run->settings.isStatic ) return true;
	const gelValueList* list = &run->request->steps;
	int count = list->count > 0 ? list->count : run->settings.stepCount;
	double* steps = gelBakePool_Alloc( &run->pool, 2 * (size_t)count, sizeof( double ) ); // quality adds some
	memcpy( steps, list->count > 0 ? list->items : run->settings.steps, (size_t)count * sizeof( double ) );
	run->settings.steps = run->steps = steps;
	run->settings.stepCount = count;
	return CheckSteps( run );
}

// Once it is known which materials are in use: the runtime asks for the one with the largest Poisson's ratio.
static bool AddQualitySteps( BakeRun* run )
{
	if ( !run->request->forQuality ) return true;
	gelBakeMaterial material = gelGetQualityMaterial( &run->settings, run->cage.tetCount );
	run->plainStepCount = run->settings.stepCount;
	run->settings.stepCount = gelAddQualitySteps( &material, run->steps, run->plainStepCount );
	for ( int i = run->plainStepCount; i < run->settings.stepCount; ++i )
	{
		if ( run->steps[i] <= GEL_PACK_MAX_STEP ) continue;
		gelFailOption( &run->command->asked, "quality", &run->program->findings,
			"--quality needs a factor for %.3g s, and the longest is for %g s; use shorter steps or a "
			"smaller Poisson's ratio",
			run->steps[i], GEL_PACK_MAX_STEP );
		return false;
	}
	return CheckSteps( run );
}

static bool TakeAttachments( BakeRun* run )
{
	run->settings.attachmentCount = 0;
	if ( !gelMergeAttachments( &run->request->attachments, &run->pool, &run->program->findings,
			 &run->attachments, &run->settings.attachmentCount ) )
		return false;
	run->settings.attachments = run->attachments;
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
	const gelBakeRequest* request = &command->asked.request;
	gelPathSet* paths = &program->paths;
	gelFindings* findings = &program->findings;
	return gelPathSet_AddInput( paths, command->inputPath, "the art", findings ) &&
		gelPathSet_AddInput( paths, request->materialsPath, "--materials", findings ) &&
		gelPathSet_AddInput( paths, request->recipePath, "--recipe", findings ) &&
		gelPathSet_AddOutput( paths, request->outputPath, "-o", findings ) &&
		gelPathSet_AddOutput( paths, request->depfilePath, "--depfile", findings );
}

static bool Import( BakeRun* run )
{
	gelProgram* program = run->program;
	gelAskedSettings* asked = &run->command->asked;
	const char* path = run->command->inputPath;
	gelReport_Phase( &program->report, "import" );
	const gelBakeSettings* settings = &run->request->settings;
	const gelImportOptions options = { program->threads, settings->animation, settings->animationTime,
		settings->nodes, settings->excluded, run->request->projectPath };
	bool ok = gelImportMeshWith( path, &options, &program->findings, &run->mesh, &run->files ) &&
		gelBakeCommand_ApplyExtras( run->command, &run->mesh, program ) &&
		gelScaleImported( &run->mesh, run->request->settings.scale, path, &program->findings ) &&
		( gelIsClosed( asked, "attach" ) ||
			gelReadArtAttachments(
				&run->mesh, path, &asked->pool, &program->findings, &asked->request.attachments ) );
	for ( int i = 0; ok && i < run->files.count; ++i )
	{
		ok = gelPathSet_AddInput(
			&program->paths, run->files.paths[i], "read with the art", &program->findings );
	}
	return ok;
}

static bool ReadCage( BakeRun* run )
{
	const char* path = run->request->cagePath;
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
	settings.targetTets = run->request->targetTets;
	settings.artPath = run->command->inputPath;
	settings.threads = run->program->threads;
	gelReport_Phase( &run->program->report, "tetrafy" );
	// Cleaning for the mesher and preparing for the collision passes read the same art and write apart, so
	// each takes a thread.
	gelTetrafyArt* art = NULL;
	const bool collides = run->settings.collision != gel_collisionNone;
	// what the mesher and the collision passes need of the art alone
#pragma omp parallel sections num_threads( settings.threads > 1 ? 2 : 1 )
	{
#pragma omp section
		art = gelPrepareArt( &run->mesh, settings.artPath, run->program );
#pragma omp section
		if ( collides ) run->collisionArt = gelBuildCdgArt( &run->mesh, &run->artPool );
	}
	if ( art != NULL ) gelReportArt( art, settings.artPath, run->program );
	bool ok = art != NULL && gelMakeCage( art, &settings, run->program, &run->cage, &stats );
	gelFreeArt( art );
	if ( collides ) run->settings.collisionArt = &run->collisionArt;
	return ok;
}

static bool ReadRegions( BakeRun* run )
{
	const gelBakeCommand* command = run->command;
	const gelBakeMaterial* base = &run->settings.material;
	gelFindings* findings = &run->program->findings;
	if ( command->extrasRegions != NULL )
		return gelReadExtrasRegions( command->extrasRegions, base, &run->pool, findings, &run->regions );
	return command->regionsPath == NULL ||
		gelReadMaterialRegions(
			command->regionsPath, command->hasRecipeRegions, base, &run->pool, findings, &run->regions );
}

// The file that the regions are in; NULL: one material.
static const char* GetRegionsPath( const BakeRun* run )
{
	return run->command->extrasRegions != NULL ? run->command->inputPath : run->command->regionsPath;
}

static bool PlaceMaterials( BakeRun* run )
{
	const char* path = GetRegionsPath( run );
	if ( path == NULL ) return true;
	gelReport_Phase( &run->program->report, "materials" );
	run->settings.tetMaterials = gelPlaceMaterials( &run->regions, &run->settings.material, &run->mesh,
		&run->cage, path, &run->pool, &run->program->findings );
	return run->settings.tetMaterials != NULL;
}

// After the regions: paint says more about a place.
static bool Paint( BakeRun* run )
{
	if ( run->settings.isStatic ) return true;
	gelReport_Phase( &run->program->report, "paint" );
	gelPaintInput input = { &run->request->paint, &run->mesh, run->command->inputPath, &run->cage,
		&run->settings.material, run->program->threads };
	gelPaintResult result;
	if ( !gelReadPaint( &input, &run->pool, &run->program->findings, &result ) ) return false;
	gelApplyPaint( &result, &run->cage, &run->pool, &run->settings, &run->pins );
	return true;
}

// A cage of TetGen is two files, .node and .ele; NULL stands for one that is not there. free() them.
static void NameCageFiles( const BakeRun* run, char* outFiles[2] )
{
	const char* path = run->request->cagePath;
	outFiles[0] = outFiles[1] = NULL;
	if ( path != NULL && !gelCagePaths( path, outFiles + 0, outFiles + 1 ) )
		gelExitWithoutMemory( strlen( path ), "a key or a dependency would be missing" );
}

static bool WriteDepfile( const BakeRun* run )
{
	gelBakePool pool = { NULL };
	const char** files = gelBakePool_Alloc( &pool, (size_t)run->files.count + 4, sizeof( char* ) );
	char* cageFiles[2];
	int count = 0;
	for ( int i = 0; i < run->files.count; ++i )
		files[count++] = run->files.paths[i];
	NameCageFiles( run, cageFiles );
	if ( run->request->materialsPath != NULL ) files[count++] = run->request->materialsPath;
	if ( run->request->recipePath != NULL ) files[count++] = run->request->recipePath;
	if ( cageFiles[0] != NULL ) files[count++] = cageFiles[0];
	if ( cageFiles[1] != NULL ) files[count++] = cageFiles[1];
	char* text = gelFormatDepfile( run->request->outputPath, files, count );
	bool ok = text != NULL &&
		gelWriteFile( run->request->depfilePath, text, strlen( text ), &run->program->findings );
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
	if ( run->settings.isStatic || run->regions.count > 0 ||
		gelIsPainted( &run->request->paint, &run->mesh, gel_paintStiffness ) )
		return;
	const gelBakeMaterial* m = &run->settings.material;
	double height = (double)run->mesh.boundsMax[1] - (double)run->mesh.boundsMin[1]; // [m]
	double pressure = m->density * 9.81 * height;                                    // [Pa]
	// rho g H / (2 E) = 1/4.
	if ( pressure < 0.5 * m->youngsModulus ) return;
	gelFindings_Add( &run->program->findings, gel_findingBodyTooSoft, run->command->inputPath,
		"the body is %.3g m high and will collapse under its own weight; use --young %.2g or more, or "
		"--scale (0.01 for art in centimetres)",
		height, 10.0 * pressure );
}

// The matrix of such a body can often not be factored, which is hard to tell from other reasons; and one that
// is smaller than what gravity moves it in one step, g h^2, is pressed into the ground deeper than it is
// high.
static void CheckSize( BakeRun* run )
{
	double sum = 0.0, fall = 0.0; // [m^2], [m]
	for ( int k = 0; k < 3; ++k )
	{
		double extent = (double)run->mesh.boundsMax[k] - (double)run->mesh.boundsMin[k]; // [m]
		sum += extent * extent;
	}
	for ( int i = 0; i < run->settings.stepCount; ++i )
		fall = fmax( fall, 9.81 * run->settings.steps[i] * run->settings.steps[i] );
	const double size = sqrt( sum ); // from corner to corner [m]
	if ( size < 1e-3 )
		gelFindings_Add( &run->program->findings, gel_findingBodyMicroscopic, run->command->inputPath,
			"the body is microscopic: %.2g m from corner to corner; give --scale if the unit of the art is "
			"not "
			"the metre",
			size );
	else if ( size < fall )
		gelFindings_Add( &run->program->findings, gel_findingBodyMicroscopic, run->command->inputPath,
			"the body is %.2g m from corner to corner, and gravity moves it %.2g m in a step: it will not "
			"stand on "
			"the ground; use --step %.2g or less, or --scale if the unit of the art is not the metre",
			size, fall, sqrt( size / ( 4.0 * 9.81 ) ) );
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

static uint64_t CountOf( const json_t* counts, const char* name )
{
	return (uint64_t)json_integer_value( json_object_get( counts, name ) );
}

static void Summarize( const BakeRun* run, size_t byteCount )
{
	const json_t* counts = json_object_get( run->program->report.root, "counts" );
	const gelMesh* mesh = &run->mesh;
	char size[32], tets[32], nodes[32], pinned[32], triangles[32], pins[48] = "";
	if ( byteCount < 1000000 )
		snprintf( size, sizeof( size ), "%zu KB", ( byteCount + 500 ) / 1000 );
	else
		snprintf( size, sizeof( size ), "%.1f MB", 1e-6 * (double)byteCount );
	if ( run->pins.nodeCount > 0 )
		snprintf( pins, sizeof( pins ), "%s of ", FormatCount( pinned, run->pins.nodeCount ) );
	double extent[3]; // [m]
	for ( int k = 0; k < 3; ++k )
		extent[k] = (double)mesh->boundsMax[k] - (double)mesh->boundsMin[k];
	gelProgram_Say( run->program,
		"%s: %s, %s tets, %s%s nodes%s, %d colors, %s triangles, body %.3g x %.3g x %.3g m, %.2f s%s",
		run->request->outputPath, size, FormatCount( tets, CountOf( counts, "tets" ) ), pins,
		FormatCount( nodes, CountOf( counts, "nodes" ) ), pins[0] != 0 ? " pinned" : "",
		(int)CountOf( counts, "colors" ), FormatCount( triangles, mesh->triangleCount ), extent[0], extent[1],
		extent[2], gelNow() - run->startTime, run->isCached ? ", from the cache" : "" );
}

// What a summary and a report say about a pack that was baked at another time; and its warnings, which count
// as if it were baked now.
static void ReplayMeta( BakeRun* run, const gelPackView* pack, size_t byteCount )
{
	gelReport* report = &run->program->report;
	json_t* meta = json_loadb( pack->meta, pack->metaBytes, 0, NULL );
	json_t* counts = json_object_get( meta, "counts" );
	if ( json_is_object( counts ) ) gelReport_SetJson( report, "counts", json_incref( counts ) );
	gelReport_SetInt( report, "counts.bytes", (int64_t)byteCount );
	size_t index;
	json_t* warning;
	json_array_foreach( json_object_get( meta, "warnings" ), index, warning )
	{
		int number = (int)json_integer_value( json_object_get( warning, "number" ) );
		// Checks before the cache may have said it already, in this run and with more words.
		if ( gelFindings_Total( &run->program->findings, number ) > 0 ) continue;
		gelFindings_Add( &run->program->findings, number, run->command->inputPath,
			"%s, %d times; the pack is from the cache, --force says more", gelFinding_Title( number ),
			(int)json_integer_value( json_object_get( warning, "count" ) ) );
	}
	json_decref( meta );
}

static void WriteOutputs( BakeRun* run, const uint8_t* bytes, size_t byteCount )
{
	gelProgram* program = run->program;
	gelReport_Phase( &program->report, "write" );
	// The depfile first: a pack that is there without one would look up to date for ever.
	bool written = run->request->depfilePath == NULL || WriteDepfile( run );
	if ( written && run->draft.temporaryPath != NULL )
		written = gelOutputFile_Commit( &run->draft, &program->findings );
	else if ( written )
		written = gelWriteFile( run->request->outputPath, bytes, byteCount, &program->findings );
	gelReport_Phase( &program->report, NULL );
	if ( written ) Summarize( run, byteCount );
}

// Packs from the cache pass them, too: how long a step takes depends on the machine.
static bool PassesGates( const BakeRun* run, const uint8_t* bytes, size_t byteCount )
{
	return gelPassGates( &run->request->gates, bytes, byteCount, run->request->outputPath, run->program );
}

// True: the pack was in the cache, and nothing is left to do.
static bool TakeFromCache( BakeRun* run )
{
	const gelBakeCommand* command = run->command;
	const gelBakeRequest* request = run->request;
	// --verify asks whether a bake gives these bytes, so it has to bake.
	if ( request->cachePath == NULL || command->optionsText == NULL || request->verify ) return false;
	gelProgram* program = run->program;
	gelReport_Phase( &program->report, "cache" );
	char* cageFiles[2];
	NameCageFiles( run, cageFiles );
	gelCacheInputs inputs = { command->optionsText, run->settings.name, run->files.sha256,
		{ cageFiles[0], cageFiles[1], request->materialsPath, request->recipePath } };
	run->hasKey = gelMakeCacheKey( &inputs, &program->findings, &run->key );
	free( cageFiles[0] );
	free( cageFiles[1] );
	size_t byteCount = 0;
	gelPackView pack;
	run->isCached = run->hasKey && !request->force &&
		gelFindInCache( request->cachePath, &run->key, &run->pool, &pack, &byteCount );
	gelReport_SetBool( &program->report, "cached", run->isCached );
	if ( !run->isCached ) return false;
	ReplayMeta( run, &pack, byteCount );
	if ( program->findings.errorCount == 0 && PassesGates( run, pack.bytes, byteCount ) )
		WriteOutputs( run, pack.bytes, byteCount );
	return true;
}

static bool MakeLevels( BakeRun* run )
{
	const gelBakeRequest* request = run->request;
	gelLevelInputs inputs = { &run->mesh, request->pinBoxes.items, request->pinBoxes.count, &run->regions,
		GetRegionsPath( run ), &request->paint, &run->settings, &run->cage, run->plainStepCount };
	if ( !gelBakeLevels( &inputs, request->levels.items, request->levels.count, run->program, run->levels ) )
		return false;
	run->settings.levels = run->levels;
	run->settings.levelCount = request->levels.count;
	return run->program->findings.errorCount == 0;
}

static void DraftPack( void* context, const uint8_t* bytes, size_t byteCount )
{
	BakeRun* run = context;
	gelDraftFile( &run->draft, run->request->outputPath, bytes, byteCount );
}

// The disk and the check of the pack wait for each other only where something else comes between them: gates,
// which may take seconds and refuse the pack, and a depfile, which is written before the pack.
static bool CanDraft( const BakeRun* run )
{
	const gelBakeRequest* request = run->request;
	const gelGates* gates = &request->gates;
	return run->settings.threads > 1 && !request->verify && request->depfilePath == NULL && !gates->soak &&
		gates->maxBytes <= 0.0 && gates->maxRuntimeBytes <= 0.0 && gates->maxStepMicros <= 0.0;
}

static void BakeAndWrite( BakeRun* run )
{
	GEL_ASSERT( run->settings.isStatic || run->steps != NULL );
	gelProgram* program = run->program;
	size_t byteCount;
	// Paths are for messages only and stay out of pack and provenance.
	run->settings.artFile = run->command->inputPath;
	run->settings.scale = run->request->settings.scale;
	run->settings.cageFile =
		run->request->cagePath != NULL ? run->request->cagePath : run->command->inputPath;
	memcpy( run->settings.inputHash, run->files.sha256, sizeof( run->settings.inputHash ) );
	if ( !MakeLevels( run ) ) return;
	run->settings.draft = CanDraft( run ) ? DraftPack : NULL; // not that of a level
	run->settings.draftContext = run;
	uint8_t* bytes = gelBake( &run->mesh, &run->cage, &run->settings, program, &byteCount );
	if ( bytes != NULL && run->request->verify )
		gelVerifyBake( run->request->outputPath, bytes, byteCount, program );
	bool passed = bytes != NULL && !run->request->verify && PassesGates( run, bytes, byteCount );
	if ( passed ) WriteOutputs( run, bytes, byteCount );
	if ( passed && run->hasKey && program->findings.errorCount == 0 )
		gelStoreInCache( run->request->cachePath, &run->key, bytes, byteCount, &program->findings );
	gelOutputFile_Abort( &run->draft ); // nothing, once it has its name
	free( bytes );
}

static void PinBakeAndWrite( BakeRun* run )
{
	const gelBakeRequest* request = run->request;
	const gelValueList* boxes = &request->pinBoxes;
	bool ok = request->cagePath != NULL ? ReadCage( run ) : MakeCage( run );
	if ( ok && boxes->count > 0 ) run->pins = gelPinNodesInBoxes( &run->cage, boxes->items, boxes->count );
	ok = ok && PlaceMaterials( run ) && Paint( run );
	if ( ok && ( boxes->count > 0 || run->pins.nodeCount > 0 ) )
	{
		run->settings.pinSets = &run->pins;
		run->settings.pinSetCount = 1;
	}
	ok = ok && AddQualitySteps( run );
	// a warning may count as an error
	if ( ok && run->program->findings.errorCount == 0 ) BakeAndWrite( run );
}

static bool TakeSettings( BakeRun* run )
{
	run->settings = run->request->settings;
	return TakeSteps( run ) && TakeAttachments( run ) && ReadRegions( run );
}

static bool AddCagePath( BakeRun* run )
{
	gelProgram* program = run->program;
	return gelPathSet_AddCage( &program->paths, run->request->cagePath, "--cage", false, &program->findings );
}

// What command line and recipe say is looked at before a large file is read, and again when it is known what
// the art adds.
static bool ReadSettings( BakeRun* run )
{
	const char* cagePath = run->request->cagePath;
	return AddCagePath( run ) && CheckPaths( run->command, run->program ) && TakeSettings( run ) &&
		Import( run ) && ( cagePath != NULL || AddCagePath( run ) ) && TakeSettings( run );
}

// A small body is baked sooner than threads meet, all the more on a machine that is busy with other bakes. So
// it gets one thread, unless the command line says how many.
static void ChooseThreads( BakeRun* run )
{
	const gelBakeRequest* request = run->request;
	// Threads of OpenMP spin while they wait. A bake of a small body on two threads of a busy machine took
	// 500 ms of processor time instead of 310.
	const uint64_t smallArt = 20000; // triangles, or tets times ten
	bool isSmall = run->mesh.triangleCount + 10 * (uint64_t)request->targetTets < smallArt;
	bool isGiven = run->program->threadsGiven || gelIsGiven( &run->command->asked, "jobs" );
	if ( isSmall && request->cagePath == NULL && !isGiven ) run->program->threads = 1;
	run->settings.threads = run->program->threads;
}

void gelBakeCommand_Run( gelBakeCommand* command, gelProgram* program )
{
	GEL_ASSERT( command->inputPath != NULL && command->asked.request.outputPath != NULL );
	const gelBakeRequest* request = &command->asked.request;
	BakeRun run = { .command = command, .request = request, .program = program, .startTime = gelNow() };
	bool ok = ReadSettings( &run );
	ChooseName( &run );
	ChooseThreads( &run );
	gelReport_SetString( &program->report, "input", command->inputPath );
	gelReport_SetString( &program->report, "input_cage", request->cagePath );
	gelReport_SetString( &program->report, "output", request->outputPath );
	if ( ok ) CheckOwnWeight( &run );
	if ( ok ) CheckSize( &run );
	if ( ok && !TakeFromCache( &run ) && program->findings.errorCount == 0 ) PinBakeAndWrite( &run );
	gelReport_Phase( &program->report, NULL );
	free( run.pins.nodes );
	gelFreeBakeLevels( run.levels, (int)GEL_PACK_MAX_LEVELS );
	gelFreeCage( &run.cage );
	gelFreeImportFiles( &run.files );
	gelFreeMesh( &run.mesh );
	gelFreeBakePool( &run.pool );
	gelFreeBakePool( &run.artPool );
}
