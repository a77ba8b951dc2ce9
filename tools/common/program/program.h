// SPDX-License-Identifier: MIT
// The frame that all tools share: common options, findings, report, progress, exit code.
//
//     int main( int argc, char** argv )
//     {
//         gelProgram program;
//         if ( !gelProgram_Begin( &program, &info, options, argc, argv ) ) return gelProgram_Finish( &program
//         ); Run( &program, ... ); return gelProgram_Finish( &program );
//     }
#pragma once

#include "common/program/findings.h"
#include "common/program/options.h"
#include "common/program/output_file.h"
#include "common/program/path_clash.h"
#include "common/program/progress.h"
#include "common/program/report.h"

/// Most worker threads that an option may ask for.
#define GEL_MAX_THREADS 256

typedef struct gelProgram
{
	const gelProgramInfo* info;
	gelParsedOperands operands;
	gelFindings findings;
	gelReport report;
	gelProgress progress;
	gelPathSet paths; // inputs and outputs; --json is in it, the tool adds the rest before it writes
	// common options
	const char* jsonPath; // --json, or NULL
	int threads;          // --threads, default: all cores
	bool threadsGiven;
	int coreCount; // cores of the machine
	bool quiet;
	bool warningsAsErrors;
	int exitCode; // set by Begin for help, version and usage errors
	bool parsed;
} gelProgram;

/// Parses; false: nothing more to do (help was printed, or the command line is wrong).
bool gelProgram_Begin(
	gelProgram* program, const gelProgramInfo* info, const gelOption* options, int argc, char** argv );

/// Writes the report, prints what is left to say, frees everything. @return the process's exit code
int gelProgram_Finish( gelProgram* program );

/// One summary line on stdout, unless --quiet or the report goes to stdout.
void gelProgram_Say( const gelProgram* program, const char* format, ... )
	__attribute__( ( format( printf, 2, 3 ) ) );
