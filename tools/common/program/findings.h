// SPDX-License-Identifier: MIT
// Findings: numbered things that a tool noticed about its input. Each number is permanent and stands in
// finding_list.h with its name in code, its severity and a title; the text of an occurrence names the place
// and gives advice.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gelSeverity
{
	gel_severityInfo,
	gel_severityWarning,
	gel_severityError,
} gelSeverity;

// clang-format off
#define GEL_FINDING( name, number, severity, exitCode, title ) gel_finding##name = number,
typedef enum gelFindingNumber
{
#include "common/program/finding_list.h"
} gelFindingNumber;
#undef GEL_FINDING

/// How many numbers there are.
#define GEL_FINDING( name, number, severity, exitCode, title ) +1
enum
{
	GEL_FINDING_COUNT = 0
#include "common/program/finding_list.h"
};
#undef GEL_FINDING
// clang-format on

/// So many findings of one number are printed, and so many kept for the report; the rest are counted. A
/// broken scan can have a million equal faults, which nobody reads.
#define GEL_FINDINGS_PRINTED 20
#define GEL_FINDINGS_KEPT    1000

/// Exit codes of all tools (product contract).
typedef enum gelExitCode
{
	gel_exitDone = 0,
	gel_exitUsage = 1,
	gel_exitIo = 2,
	gel_exitInput = 3,
	gel_exitInternal = 4,
	gel_exitLimit = 5,
} gelExitCode;

typedef struct gelFinding
{
	int number;
	gelSeverity severity;
	char* file; // the file that it is about, or NULL; printable UTF-8
	char* text; // one line; printable UTF-8
} gelFinding;

/// Zero bits are a valid empty list. Not for use from several threads at once.
typedef struct gelFindings
{
	gelFinding* items;
	int count;
	size_t capacity;
	int errorCount, warningCount;
	int exitCode; // exit code of the worst error so far
	bool quiet;   // errors only on stderr
	bool silent;  // nothing on stderr: for a caller that says it in other words
	bool warningsAsErrors;
	int totals[GEL_FINDING_COUNT]; // occurrences, in the order of finding_list.h
	struct gelProgress* progress;  // NULL, or erased before a line is printed
} gelFindings;

/// Records a finding and prints it to stderr at once: "FILE: warning: T0104: text". An error sets the
/// exit code that finding_list.h gives to its number; with warningsAsErrors a warning counts as an
/// error (exit 3). At most 20 of one number are printed, the rest are counted.
void gelFindings_Add( gelFindings* findings, int number, const char* file, const char* format, ... )
	__attribute__( ( format( printf, 4, 5 ) ) );

/// Prints "N more T0104" lines for what was not printed. Called by gelProgram_Finish.
void gelFindings_Flush( gelFindings* findings );

/// Occurrences of a number, printed or not.
int gelFindings_Total( const gelFindings* findings, int number );

/// The one of two exit codes that says more: internal, I/O, input, limit, usage, done.
int gelWorseExitCode( int a, int b );

const char* gelFinding_Title( int number );
gelSeverity gelFinding_Severity( int number );
/// The i-th number of finding_list.h.
int gelFinding_Number( int index );
const char* gelSeverity_Name( gelSeverity severity );
void gelFreeFindings( gelFindings* findings );
