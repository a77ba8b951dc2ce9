// SPDX-License-Identifier: MIT
#include "common/program/program.h"

#include "common/program/clean_text.h"
#include "common/program/memory.h"
#include "common/program/pending_files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static int CoreCount( void )
{
	long count = sysconf( _SC_NPROCESSORS_ONLN );
	return count < 1 ? 1 : count > GEL_MAX_THREADS ? GEL_MAX_THREADS : (int)count;
}

// Passes take and give back arrays of megabytes. Memory that stays in the process is cheaper than pages that
// the system has to clear for each of them.
static void KeepFreedMemory( void )
{
#ifdef __GLIBC__
	mallopt( M_MMAP_THRESHOLD, 1 << 30 );
	mallopt( M_TRIM_THRESHOLD, 1 << 30 );
	mallopt( M_TOP_PAD, 16 << 20 );
#endif
}

// "--json body.gel other.gel" is an easy slip, and a report in place of a pack is a loss. So a report only
// ever replaces what can be one: nothing, an empty file, or text that starts like a JSON object.
static bool WouldDestroy( const char* jsonPath )
{
	struct stat status;
	if ( jsonPath == NULL || strcmp( jsonPath, "-" ) == 0 ) return false;
	if ( stat( jsonPath, &status ) != 0 || !S_ISREG( status.st_mode ) ) return false;
	FILE* stream = fopen( jsonPath, "rb" );
	if ( stream == NULL ) return false;
	int first = fgetc( stream );
	fclose( stream );
	return first != EOF && first != '{';
}

bool gelProgram_Begin(
	gelProgram* program, const gelProgramInfo* info, const gelOption* options, int argc, char** argv )
{
	*program = ( gelProgram ){ .info = info, .threads = CoreCount(), .coreCount = CoreCount() };
	const gelOption common[] = {
		{ .name = "help", .letter = 'h', .type = gel_optionHelp, .help = "print this text" },
		{ .name = "version",
			.type = gel_optionVersion,
			.help = "print the version and that of the pack format" },
		{ .name = "quiet",
			.letter = 'q',
			.type = gel_optionFlag,
			.target = &program->quiet,
			.help = "print errors only" },
		{ .name = "json",
			.type = gel_optionString,
			.value = "PATH|-",
			.target = &program->jsonPath,
			.bare = "-",
			.help = "write a machine-readable report" },
		{ .name = "threads",
			.letter = 'j',
			.type = gel_optionInt,
			.value = "N",
			.target = &program->threads,
			.min = 1,
			.max = GEL_MAX_THREADS,
			.given = &program->threadsGiven,
			.help = "worker threads; the result is the same [all cores]" },
		{ .name = "warnings-as-errors",
			.type = gel_optionFlag,
			.target = &program->warningsAsErrors,
			.help = "reject input that causes a warning (exit 3)" },
		{ .name = NULL },
	};
	KeepFreedMemory();
	gelWatchLibraries();
	gelWatchSignals();
	gelParseResult result = gelParseOptions( info, options, common, argc, argv, &program->operands );
	if ( result == gel_parseOk && WouldDestroy( program->jsonPath ) )
	{
		gelFindings_Add( &program->findings, gel_findingUsage, program->jsonPath,
			"is not a report and would be overwritten by --json; give another path or remove it" );
		result = gel_parseError;
	}
	program->parsed = result == gel_parseOk;
	program->exitCode = result == gel_parseError ? gel_exitUsage : gel_exitDone;
	if ( !program->parsed ) return false;

	program->findings.quiet = program->quiet;
	program->findings.warningsAsErrors = program->warningsAsErrors;
	program->findings.progress = &program->progress;
	gelInitProgress( &program->progress, program->quiet );
	gelInitReport( &program->report, info->name );
	bool isStream = program->jsonPath == NULL || strcmp( program->jsonPath, "-" ) == 0;
	return isStream ||
		gelPathSet_AddOutput( &program->paths, program->jsonPath, "--json", &program->findings );
}

// Buffered output can fail as late as here, for instance on a full disk.
static void FlushStdout( gelProgram* program )
{
	bool failed = ferror( stdout ) != 0;
	if ( fflush( stdout ) != 0 || failed )
	{
		gelFindings_Add(
			&program->findings, gel_findingCannotWrite, "standard output", "it cannot be written" );
	}
}

int gelProgram_Finish( gelProgram* program )
{
	gelProgress_Clear( &program->progress );
	gelFindings_Flush( &program->findings );
	FlushStdout( program );
	// Findings first, then the report, because it holds the code; only a report that cannot be written can
	// still make it worse.
	int exitCode = gelWorseExitCode( program->findings.exitCode, program->exitCode );
	// A report that would overwrite another file of the command was refused already.
	if ( program->parsed && program->jsonPath != NULL &&
		!gelPathSet_HasClash( &program->paths, program->jsonPath ) )
	{
		exitCode = gelWorseExitCode(
			exitCode, gelReport_Write( &program->report, &program->findings, exitCode, program->jsonPath ) );
	}
	gelFreePathSet( &program->paths );
	gelFreeReport( &program->report );
	gelFreeFindings( &program->findings );
	gelFreeOperands( &program->operands );
	gelEndWatch();
	return exitCode;
}

void gelProgram_Say( const gelProgram* program, const char* format, ... )
{
	bool stdoutIsReport = program->jsonPath != NULL && strcmp( program->jsonPath, "-" ) == 0;
	if ( program->quiet || stdoutIsReport ) return;
	char raw[2048], clean[4 * sizeof( raw )];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( raw, sizeof( raw ), format, arguments );
	va_end( arguments );
	size_t length = strlen( raw );
	if ( length > 0 && raw[length - 1] == '\n' ) raw[length - 1] = 0;
	gelCleanTextTo( clean, sizeof( clean ), raw );
	puts( clean );
}
