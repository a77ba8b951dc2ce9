// SPDX-License-Identifier: MIT
// Runs the bakes of a manifest, each in a process of its own: a bake that crashes, or that the system ends
// for its memory, is one asset less, and the others go on. A child is a fork that calls what main() would,
// with its report and its messages in files without a name; they are read when it has ended.
#include "bake/command/bake_batch.h"

#include "bake/command/bake_cache.h"

#include <gelpack/asserts.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined( __linux__ )
#include <signal.h>
#include <sys/prctl.h>
#endif

typedef struct BatchJob
{
	pid_t process; // 0: none
	int asset;
	FILE *report, *messages;
	double start; // [s]
} BatchJob;

typedef struct BatchOutcome
{
	int exitCode;
	bool isCached;
	long long tets, triangles, bytes;
	double seconds;
	json_t* findings;
} BatchOutcome;

typedef struct Batch
{
	const gelBakeCommand* command;
	gelProgram* program;
	gelBakePool pool;
	gelBatchManifest manifest;
	int first, stride; // assets of the shard: first, first + stride, ...
	BatchOutcome* outcomes;
	char folder[PATH_MAX]; // folder of the manifest, in which bakes run
	char cache[PATH_MAX];
	int baked, cached, failed, done, wanted;
} Batch;

// ---- the child -------------------------------------------------------------------------------------------

// Words of the command line of one bake.
static char** MakeWords( const Batch* batch, const gelBatchAsset* asset, gelBakePool* pool, int* outCount )
{
	const gelProgram* program = batch->program;
	char* threads = gelBakePool_Alloc( pool, 16, 1 );
	// One thread per bake: many bakes side by side fill a machine better than one on many threads.
	snprintf( threads, 16, "%d", program->threadsGiven ? program->threads : 1 );
	const char* head[] = { "gel-bake", "--json", "-", "--threads", threads, "-o", asset->output };
	const char* tail[] = { program->quiet ? "--quiet" : NULL,
		program->warningsAsErrors ? "--warnings-as-errors" : NULL, batch->cache[0] != 0 ? "--cache" : NULL,
		batch->cache[0] != 0 ? batch->cache : NULL, batch->command->asked.request.force ? "--force" : NULL,
		// Behind "--", so that a file whose name begins with a dash is a file.
		"--", asset->input };
	const int headCount = sizeof( head ) / sizeof( head[0] ), tailCount = sizeof( tail ) / sizeof( tail[0] );
	size_t capacity = (size_t)( headCount + asset->optionCount + tailCount + 1 );
	const char** words = gelBakePool_Alloc( pool, capacity, sizeof( char* ) );
	int count = 0;
	for ( int i = 0; i < headCount; ++i )
		words[count++] = head[i];
	for ( int i = 0; i < asset->optionCount; ++i )
		words[count++] = asset->options[i];
	for ( int i = 0; i < tailCount; ++i )
	{
		if ( tail[i] != NULL ) words[count++] = tail[i];
	}
	*outCount = count;
	return (char**)(uintptr_t)words; // as main() has them; nobody writes
}

static int MakeOutputFolder( const char* output )
{
	char folder[PATH_MAX];
	const char* slash = strrchr( output, '/' );
	if ( slash == NULL || slash == output ) return 0;
	if ( (size_t)( slash - output ) >= sizeof( folder ) ) return ENAMETOOLONG;
	snprintf( folder, sizeof( folder ), "%.*s", (int)( slash - output ), output );
	return gelMakeFolders( folder );
}

static void RunChild( const Batch* batch, const BatchJob* job, pid_t parent )
{
#if defined( __linux__ )
	// A batch that is killed takes its bakes along, and they remove their temporary files.
	// The parent may have died between fork and prctl; then no signal comes any more, and getppid tells.
	prctl( PR_SET_PDEATHSIG, SIGTERM );
	if ( getppid() != parent ) _exit( gel_exitInternal );
#else
	(void)parent;
#endif
	const gelBatchAsset* asset = batch->manifest.assets + job->asset;
	if ( dup2( fileno( job->report ), STDOUT_FILENO ) < 0 ||
		dup2( fileno( job->messages ), STDERR_FILENO ) < 0 || chdir( batch->folder ) != 0 )
		_exit( gel_exitIo );
	int error = MakeOutputFolder( asset->output );
	if ( error != 0 )
	{
		fprintf(
			stderr, "%s: error: T0002: its folder cannot be made: %s\n", asset->output, strerror( error ) );
		_exit( gel_exitIo );
	}
	gelBakePool pool = { NULL };
	int count;
	char** words = MakeWords( batch, asset, &pool, &count );
	gelBakeCommand command;
	gelProgram program;
	if ( gelBakeCommand_Parse( &command, &program, count, words ) ) gelBakeCommand_Run( &command, &program );
	gelFreeBakeCommand( &command );
	int exitCode = gelProgram_Finish( &program );
	fflush( stdout );
	_exit( exitCode ); // without the parent's handlers and buffers
}

// ---- the parent ------------------------------------------------------------------------------------------

static char* ReadAll( FILE* stream, size_t* outBytes )
{
	*outBytes = 0;
	if ( fseek( stream, 0, SEEK_END ) != 0 ) return NULL;
	long length = ftell( stream );
	rewind( stream );
	char* text = length >= 0 ? malloc( (size_t)length + 1 ) : NULL;
	if ( text == NULL ) return NULL;
	*outBytes = fread( text, 1, (size_t)length, stream );
	text[*outBytes] = 0;
	return text;
}

static bool StartJob( Batch* batch, BatchJob* job, int asset )
{
	GEL_ASSERT( asset >= 0 && asset < batch->manifest.count );
	// Files, not pipes: a pipe that nobody empties while the parent waits would stop the child.
	*job = ( BatchJob ){ .asset = asset, .report = tmpfile(), .messages = tmpfile(), .start = gelNow() };
	// A fork copies what stands in buffers, and both processes would write it.
	fflush( stdout );
	fflush( stderr );
	pid_t parent = getpid();
	if ( job->report != NULL && job->messages != NULL ) job->process = fork();
	if ( job->process == 0 && job->report != NULL && job->messages != NULL ) RunChild( batch, job, parent );
	if ( job->process > 0 ) return true;
	gelFindings_Add( &batch->program->findings, gel_findingBatchBakeFailed,
		batch->manifest.assets[asset].input, "it cannot be started: %s", strerror( errno ) );
	if ( job->report != NULL ) fclose( job->report );
	if ( job->messages != NULL ) fclose( job->messages );
	batch->outcomes[asset].exitCode = gel_exitInternal;
	batch->done += 1;
	batch->failed += 1;
	*job = ( BatchJob ){ 0 };
	return false;
}

// A child that ended by itself says so in its exit code; one that was ended cannot.
static int ExitCodeOf( Batch* batch, const BatchJob* job, int status )
{
	if ( WIFEXITED( status ) && WEXITSTATUS( status ) <= gel_exitLimit ) return WEXITSTATUS( status );
	const char* input = batch->manifest.assets[job->asset].input;
	if ( WIFSIGNALED( status ) )
		gelFindings_Add( &batch->program->findings, gel_findingBatchBakeFailed, input,
			"its bake was ended by signal %d", WTERMSIG( status ) );
	else
		gelFindings_Add( &batch->program->findings, gel_findingBatchBakeFailed, input,
			"its bake ended with code %d", WEXITSTATUS( status ) );
	return gel_exitInternal;
}

static void FinishJob( Batch* batch, BatchJob* job, int status )
{
	BatchOutcome* outcome = batch->outcomes + job->asset;
	size_t bytes;
	char* text = ReadAll( job->messages, &bytes );
	gelProgress_Clear( &batch->program->progress );
	if ( text != NULL ) fwrite( text, 1, bytes, stderr );
	free( text );
	outcome->exitCode = ExitCodeOf( batch, job, status );
	outcome->seconds = gelNow() - job->start;
	text = ReadAll( job->report, &bytes );
	json_t* report = text != NULL ? json_loadb( text, bytes, 0, NULL ) : NULL;
	const json_t* counts = json_object_get( report, "counts" );
	outcome->isCached = json_is_true( json_object_get( report, "cached" ) );
	outcome->tets = json_integer_value( json_object_get( counts, "tets" ) );
	outcome->triangles = json_integer_value( json_object_get( counts, "triangles" ) );
	outcome->bytes = json_integer_value( json_object_get( counts, "bytes" ) );
	outcome->findings = json_incref( json_object_get( report, "findings" ) );
	json_decref( report );
	free( text );
	fclose( job->report );
	fclose( job->messages );
	*job = ( BatchJob ){ 0 };
	batch->done += 1;
	batch->failed += outcome->exitCode != 0;
	batch->cached += outcome->exitCode == 0 && outcome->isCached;
	batch->baked += outcome->exitCode == 0 && !outcome->isCached;
}

static void RunJobs( Batch* batch, int jobCount )
{
	GEL_ASSERT( jobCount >= 1 );
	BatchJob* jobs = gelBakePool_Alloc( &batch->pool, (size_t)jobCount, sizeof( BatchJob ) );
	int next = batch->first, running = 0;
	while ( next < batch->manifest.count || running > 0 )
	{
		for ( int i = 0; i < jobCount && next < batch->manifest.count; ++i )
		{
			if ( jobs[i].process != 0 ) continue;
			running += StartJob( batch, jobs + i, next );
			next += batch->stride;
		}
		gelProgress_Update(
			&batch->program->progress, "bake", (double)batch->done / (double)( batch->wanted + 1 ) );
		// Slots are refilled as bakes end; assets start in the order of the manifest.
		int status;
		pid_t ended = running > 0 ? waitpid( -1, &status, 0 ) : -1;
		for ( int i = 0; i < jobCount && ended > 0; ++i )
		{
			if ( jobs[i].process != ended ) continue;
			FinishJob( batch, jobs + i, status );
			running -= 1;
		}
		if ( ended < 0 && errno != EINTR && running > 0 ) break;
	}
	gelProgress_Clear( &batch->program->progress );
}

// ---- what came of it -------------------------------------------------------------------------------------

static const char* StatusOf( const BatchOutcome* outcome )
{
	static const char* const failures[] = { "", "wrong options", "input or output", "rejected", "internal",
		"over a limit" };
	return outcome->exitCode != 0 ? failures[outcome->exitCode] : outcome->isCached ? "cached" : "baked";
}

static void PrintTable( const Batch* batch, double seconds, int jobCount )
{
	size_t width = 5;
	for ( int i = batch->first; i < batch->manifest.count; i += batch->stride )
	{
		size_t length = strlen( batch->manifest.assets[i].output );
		width = length > width && length < 60 ? length : width;
	}
	gelProgram_Say( batch->program, "%-*s  %-15s %9s %10s %12s %8s", (int)width, "pack", "status", "tets",
		"triangles", "bytes", "s" );
	for ( int i = batch->first; i < batch->manifest.count; i += batch->stride )
	{
		const BatchOutcome* o = batch->outcomes + i;
		if ( o->exitCode != 0 )
			gelProgram_Say( batch->program, "%-*s  FAILED (%d): %s", (int)width,
				batch->manifest.assets[i].output, o->exitCode, StatusOf( o ) );
		else
			gelProgram_Say( batch->program, "%-*s  %-15s %9lld %10lld %12lld %8.2f", (int)width,
				batch->manifest.assets[i].output, StatusOf( o ), o->tets, o->triangles, o->bytes,
				o->seconds );
	}
	gelProgram_Say( batch->program, "%d assets: %d baked, %d from the cache, %d failed; %.2f s with %d job%s",
		batch->wanted, batch->baked, batch->cached, batch->failed, seconds, jobCount,
		jobCount == 1 ? "" : "s" );
}

static void FillReport( Batch* batch, double seconds )
{
	gelReport* report = &batch->program->report;
	gelReport_SetString( report, "input", batch->command->asked.request.manifestPath );
	gelReport_SetInt( report, "batch.assets", batch->wanted );
	gelReport_SetInt( report, "batch.baked", batch->baked );
	gelReport_SetInt( report, "batch.cached", batch->cached );
	gelReport_SetInt( report, "batch.failed", batch->failed );
	gelReport_SetReal( report, "batch.seconds", seconds );
	json_t* array = json_array();
	for ( int i = batch->first; i < batch->manifest.count; i += batch->stride )
	{
		const gelBatchAsset* asset = batch->manifest.assets + i;
		BatchOutcome* o = batch->outcomes + i;
		json_t* item = json_pack( "{s:s, s:s, s:i, s:b, s:I, s:I, s:I, s:f}", "input", asset->input, "output",
			asset->output, "exit_code", o->exitCode, "cached", o->isCached, "tets", (json_int_t)o->tets,
			"triangles", (json_int_t)o->triangles, "bytes", (json_int_t)o->bytes, "seconds", o->seconds );
		json_object_set_new( item, "findings", o->findings != NULL ? o->findings : json_array() );
		o->findings = NULL;
		json_array_append_new( array, item );
	}
	gelReport_SetJson( report, "assets", array );
}

// ---- all of it -------------------------------------------------------------------------------------------

// Bakes run in the folder of the manifest, so that its paths are relative to it; the cache is where it is.
static bool FindFolders( Batch* batch )
{
	const gelBakeCommand* command = batch->command;
	gelFindings* findings = &batch->program->findings;
	const char* slash = strrchr( command->asked.request.manifestPath, '/' );
	snprintf( batch->folder, sizeof( batch->folder ), "%.*s",
		slash == NULL ? 1 : (int)( slash - command->asked.request.manifestPath ) + 1,
		slash == NULL ? "." : command->asked.request.manifestPath );
	if ( command->asked.request.cachePath == NULL ) return true;
	int error = gelMakeFolders( command->asked.request.cachePath ), length = 0;
	char current[PATH_MAX];
	if ( error == 0 && getcwd( current, sizeof( current ) ) == NULL ) error = errno;
	if ( error == 0 )
		length = snprintf( batch->cache, sizeof( batch->cache ), "%s%s%s",
			command->asked.request.cachePath[0] == '/' ? "" : current,
			command->asked.request.cachePath[0] == '/' ? "" : "/", command->asked.request.cachePath );
	if ( error == 0 && length < (int)sizeof( batch->cache ) ) return true;
	gelFindings_Add( findings, gel_findingCannotWrite, command->asked.request.cachePath,
		"the cache cannot be used: %s", strerror( error != 0 ? error : ENAMETOOLONG ) );
	return false;
}

void gelBakeBatch( const gelBakeCommand* command, gelProgram* program )
{
	GEL_ASSERT( command->asked.request.manifestPath != NULL );
	Batch batch = { .command = command, .program = program, .stride = 1 };
	gelFindings* findings = &program->findings;
	double start = gelNow();
	bool ok =
		gelPathSet_AddInput( &program->paths, command->asked.request.manifestPath, "--manifest", findings );
	if ( ok && command->asked.request.shardText != NULL &&
		!gelParseShard( command->asked.request.shardText, &batch.first, &batch.stride ) )
	{
		gelFindings_Add( findings, gel_findingUsage, NULL,
			"--shard %.40s has to be K/N, a part and the number of parts, such as 1/4",
			command->asked.request.shardText );
		ok = false;
	}
	ok = ok &&
		gelReadBatchManifest( command->asked.request.manifestPath, &batch.pool, findings, &batch.manifest ) &&
		FindFolders( &batch );
	if ( ok )
	{
		int jobCount =
			gelIsGiven( &command->asked, "jobs" ) ? command->asked.request.jobs : program->coreCount;
		batch.outcomes =
			gelBakePool_Alloc( &batch.pool, (size_t)batch.manifest.count + 1, sizeof( BatchOutcome ) );
		for ( int i = batch.first; i < batch.manifest.count; i += batch.stride )
			batch.wanted += 1;
		gelReport_Phase( &program->report, "bake" );
		RunJobs( &batch, jobCount );
		gelReport_Phase( &program->report, NULL );
		PrintTable( &batch, gelNow() - start, jobCount );
		for ( int i = batch.first; i < batch.manifest.count; i += batch.stride )
			// The worst code of all assets, so that a build fails if one does.
			program->exitCode = gelWorseExitCode( program->exitCode, batch.outcomes[i].exitCode );
		FillReport( &batch, gelNow() - start );
	}
	gelFreeBakePool( &batch.pool );
}
