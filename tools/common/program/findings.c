// SPDX-License-Identifier: MIT
// Messages with permanent numbers. Each is printed at once, so that a run that dies has said what it knew;
// counted by kind; and kept for the report, up to a limit for each kind.
#include "common/program/findings.h"

#include "common/program/clean_text.h"
#include "common/program/memory.h"
#include "common/program/progress.h"

#include <gelpack/asserts.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// clang-format off
#define GEL_FINDING( name, number, severity, exitCode, title ) { number, severity, exitCode, title },
static const struct
{
	int number;
	gelSeverity severity;
	int exitCode;
	const char* title;
} s_list[GEL_FINDING_COUNT] = {
#include "common/program/finding_list.h"
};
#undef GEL_FINDING
// clang-format on

static int IndexOf( int number )
{
	for ( int i = 0; i < GEL_FINDING_COUNT; ++i )
	{
		if ( s_list[i].number == number ) return i;
	}
	return -1;
}

const char* gelFinding_Title( int number )
{
	int index = IndexOf( number );
	return index < 0 ? "unknown finding" : s_list[index].title;
}

gelSeverity gelFinding_Severity( int number )
{
	int index = IndexOf( number );
	return index < 0 ? gel_severityError : s_list[index].severity;
}

int gelFinding_Number( int index )
{
	GEL_ASSERT( index >= 0 && index < GEL_FINDING_COUNT );
	return s_list[index].number;
}

const char* gelSeverity_Name( gelSeverity severity )
{
	return severity == gel_severityError ? "error" : severity == gel_severityWarning ? "warning" : "info";
}

int gelWorseExitCode( int a, int b )
{
	GEL_ASSERT( a >= gel_exitDone && a <= gel_exitLimit && b >= gel_exitDone && b <= gel_exitLimit );
	// Not by number: exit codes have been given out in another order than they weigh.
	static const int rank[6] = { [gel_exitDone] = 0,
		[gel_exitUsage] = 1,
		[gel_exitLimit] = 2,
		[gel_exitInput] = 3,
		[gel_exitIo] = 4,
		[gel_exitInternal] = 5 };
	return rank[b] > rank[a] ? b : a;
}

int gelFindings_Total( const gelFindings* findings, int number )
{
	int index = IndexOf( number );
	return index < 0 ? 0 : findings->totals[index];
}

static void Print(
	gelFindings* findings, int number, gelSeverity severity, const char* file, const char* text )
{
	if ( findings->silent || ( findings->quiet && severity != gel_severityError ) ) return;
	if ( findings->progress != NULL ) gelProgress_Clear( findings->progress );
	fprintf( stderr, "%s%s%s: T%04d: %s\n", file ? file : "", file ? ": " : "", gelSeverity_Name( severity ),
		number, text );
}

// Keeps the texts for the report. Without memory the finding was at least printed.
static void Keep( gelFindings* findings, int number, gelSeverity severity, char* file, char* text )
{
	if ( !GEL_GROW( findings->items, findings->capacity, (size_t)findings->count + 1 ) )
		gelExitWithoutMemory( sizeof( gelFinding ), "the report would not be whole" );
	findings->items[findings->count++] = ( gelFinding ){ number, severity, file, text };
}

static char* FormatText( const char* format, va_list arguments )
{
	va_list copy;
	va_copy( copy, arguments );
	int length = vsnprintf( NULL, 0, format, copy );
	va_end( copy );
	if ( length < 0 ) return NULL; // not a text that can be printed
	char* raw = gelTake( (size_t)length + 1 );
	vsnprintf( raw, (size_t)length + 1, format, arguments );
	char* clean = gelCleanText( raw );
	free( raw );
	return clean;
}

void gelFindings_Add( gelFindings* findings, int number, const char* file, const char* format, ... )
{
	GEL_ASSERT( IndexOf( number ) >= 0 ); // finding_list.h has it
	int index = IndexOf( number );
	gelSeverity severity = gelFinding_Severity( number );
	int exitCode = index < 0 ? gel_exitInternal : s_list[index].exitCode;
	if ( severity == gel_severityWarning && findings->warningsAsErrors )
	{
		severity = gel_severityError;
		exitCode = gel_exitInput;
	}
	findings->errorCount += severity == gel_severityError;
	findings->warningCount += severity == gel_severityWarning;
	if ( severity == gel_severityError )
		findings->exitCode = gelWorseExitCode( findings->exitCode, exitCode );

	int total = index < 0 ? 1 : ++findings->totals[index];
	if ( total > GEL_FINDINGS_KEPT ) return;

	va_list arguments;
	va_start( arguments, format );
	char* text = FormatText( format, arguments );
	va_end( arguments );
	char* cleanFile = file == NULL ? NULL : gelCleanText( file );
	if ( total <= GEL_FINDINGS_PRINTED )
		Print( findings, number, severity, cleanFile, text ? text : gelFinding_Title( number ) );
	Keep( findings, number, severity, cleanFile, text );
}

void gelFindings_Flush( gelFindings* findings )
{
	for ( int i = 0; i < GEL_FINDING_COUNT; ++i )
	{
		int hidden = findings->totals[i] - GEL_FINDINGS_PRINTED;
		if ( hidden <= 0 ) continue;
		gelSeverity severity = s_list[i].severity;
		if ( severity == gel_severityWarning && findings->warningsAsErrors ) severity = gel_severityError;
		char text[160];
		snprintf( text, sizeof( text ), "%d more of this kind: %s", hidden, s_list[i].title );
		Print( findings, s_list[i].number, severity, NULL, text );
	}
}

void gelFreeFindings( gelFindings* findings )
{
	for ( int i = 0; i < findings->count; ++i )
	{
		free( findings->items[i].file );
		free( findings->items[i].text );
	}
	free( findings->items );
	*findings = ( gelFindings ){ 0 };
}
