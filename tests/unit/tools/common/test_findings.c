// SPDX-License-Identifier: MIT
// Findings, the report that repeats them, and the exit code that follows from them.
#include "test_support.h"

#include "capture.h"
#include "common/program/clean_text.h"
#include "common/program/findings.h"
#include "common/program/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD( text ) ( (char*)(uintptr_t)( text ) ) // main has char**, though nothing writes there

// Any number of a severity, whatever the list says today.
static int NumberWith( gelSeverity severity )
{
	for ( int i = 0; i < GEL_FINDING_COUNT; ++i )
	{
		int number = gelFinding_Number( i );
		if ( gelFinding_Severity( number ) == severity ) return number;
	}
	fail_msg( "no finding has severity %s", gelSeverity_Name( severity ) );
	return 0;
}

static int CountLines( const char* text )
{
	int count = 0;
	for ( const char* c = text; *c; ++c )
		count += *c == '\n';
	return count;
}

static void NumbersAreUniqueAndInRange( void** state )
{
	(void)state;
	for ( int i = 0; i < GEL_FINDING_COUNT; ++i )
	{
		int number = gelFinding_Number( i );
		assert_in_range( number, 1, 899 );
		assert_true( strlen( gelFinding_Title( number ) ) > 4 );
		for ( int j = 0; j < i; ++j )
			assert_int_not_equal( number, gelFinding_Number( j ) );
	}
}

static void LinesAreFileSeverityNumberText( void** state )
{
	(void)state;
	gelFindings findings = { 0 };
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	gelFindings_Add( &findings, gel_findingCannotRead, "dir/a.obj", "cannot be read: %s", "gone" );
	gelFindings_Add( &findings, gel_findingInternal, NULL, "%d%%", 7 );
	char* printed = gelCapture_End( &capture );
	assert_string_equal( printed, "dir/a.obj: error: T0001: cannot be read: gone\nerror: T0004: 7%\n" );
	assert_int_equal( findings.errorCount, 2 );
	assert_int_equal( findings.exitCode, gel_exitInternal );
	free( printed );
	gelFreeFindings( &findings );
}

static void TheWorstExitCodeWins( void** state )
{
	(void)state;
	static const int worseAndWorse[] = { gel_exitDone, gel_exitUsage, gel_exitLimit, gel_exitInput,
		gel_exitIo, gel_exitInternal };
	for ( int i = 0; i < 6; ++i )
	{
		for ( int j = 0; j < 6; ++j )
		{
			int expected = worseAndWorse[i > j ? i : j];
			assert_int_equal( gelWorseExitCode( worseAndWorse[i], worseAndWorse[j] ), expected );
		}
	}
}

static void ManyOfAKindAreCounted( void** state )
{
	(void)state;
	int number = NumberWith( gel_severityWarning );
	gelFindings findings = { 0 };
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	for ( int i = 0; i < 5000; ++i )
		gelFindings_Add( &findings, number, "a.obj", "line %d", i );
	char* printed = gelCapture_End( &capture );
	assert_int_equal( CountLines( printed ), GEL_FINDINGS_PRINTED );
	free( printed );
	assert_int_equal( findings.count, GEL_FINDINGS_KEPT );
	assert_int_equal( findings.warningCount, 5000 );
	assert_int_equal( gelFindings_Total( &findings, number ), 5000 );
	assert_int_equal( findings.exitCode, gel_exitDone );
	gelCapture_Begin( &capture, 2 );
	gelFindings_Flush( &findings );
	printed = gelCapture_End( &capture );
	assert_int_equal( CountLines( printed ), 1 );
	assert_non_null( strstr( printed, "4980 more" ) );
	free( printed );
	gelFreeFindings( &findings );
}

static void WarningsCanBeErrors( void** state )
{
	(void)state;
	gelFindings findings = { .warningsAsErrors = true, .quiet = true };
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	gelFindings_Add( &findings, NumberWith( gel_severityInfo ), "a", "an info" );
	assert_int_equal( findings.exitCode, gel_exitDone );
	gelFindings_Add( &findings, NumberWith( gel_severityWarning ), "a", "a warning" );
	char* printed = gelCapture_End( &capture );
	assert_int_equal( findings.exitCode, gel_exitInput );
	assert_int_equal( findings.errorCount, 1 );
	assert_int_equal( findings.warningCount, 0 );
	assert_non_null( strstr( printed, "a: error: " ) ); // quiet keeps errors
	assert_null( strstr( printed, "an info" ) );
	free( printed );
	gelFreeFindings( &findings );
}

static void QuietKeepsErrorsOnly( void** state )
{
	(void)state;
	gelFindings findings = { .quiet = true };
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	gelFindings_Add( &findings, NumberWith( gel_severityWarning ), "a", "a warning" );
	gelFindings_Add( &findings, gel_findingCannotRead, "a", "an error" );
	char* printed = gelCapture_End( &capture );
	assert_string_equal( printed, "a: error: T0001: an error\n" );
	assert_int_equal( findings.count, 2 );
	free( printed );
	gelFreeFindings( &findings );
}

static void TextBecomesHarmless( void** state )
{
	(void)state;
	static const struct
	{
		const char *raw, *clean;
	} cases[] = {
		{ "plain text 1/2", "plain text 1/2" }, { "\033[2J\a", "\\x1B[2J\\x07" },
		{ "a\tb\r\nc", "a\\tb\\r\\nc" },
		{ "Kn\xC3\xB6\xC3\xB6"
		  "del \xE2\x82\xAC \xF0\x9F\x90\xBB",
			"Kn\xC3\xB6\xC3\xB6"
			"del \xE2\x82\xAC \xF0\x9F\x90\xBB" },
		{ "\x7F\xC2\x9B"
		  "1m",
			"\\x7F\\x9B1m" },                           // DEL; C1 control that starts a sequence
		{ "\xE2\x80\xAEtxt.exe", "\\u202Etxt.exe" },    // right-to-left override
		{ "\xFF\xC3", "\\xFF\\xC3" },                   // no UTF-8; cut off
		{ "\xC0\xAF", "\\xC0\\xAF" },                   // overlong
		{ "\xED\xA0\x80", "\\xED\\xA0\\x80" },          // surrogate
		{ "\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80" }, // above U+10FFFF
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		char* clean = gelCleanText( cases[i].raw );
		assert_string_equal( clean, cases[i].clean );
		free( clean );
	}
	char small[6];
	gelCleanTextTo( small, sizeof( small ), "abcd\xC3\xB6" );
	assert_string_equal( small, "abcd" ); // the character that does not fit is left out whole
}

// Random bytes: the result is valid UTF-8 for jansson and has no byte that a terminal obeys.
static void AnyBytesBecomeHarmless( void** state )
{
	(void)state;
	gelRandom random = { 7 };
	for ( int i = 0; i < 20000; ++i )
	{
		char raw[17] = { 0 };
		for ( int k = 0; k < 16; ++k )
			raw[k] = (char)gelRandom_Next( &random );
		char* clean = gelCleanText( raw );
		for ( const char* c = clean; *c; ++c )
			assert_true( (unsigned char)*c >= 0x20 && *c != 0x7F );
		json_t* string = json_string( clean );
		assert_non_null( string );
		json_decref( string );
		free( clean );
	}
}

// ---- report ----

static json_t* RunAndReport( const char* path, int* outExitCode )
{
	static const gelProgramInfo info = { "gel-test", "tests", "IN", "gel-test a", 0, 1 };
	static const gelOption none[] = { { .name = NULL } };
	char* argv[] = { WORD( "gel-test" ), WORD( "--json" ), WORD( path ) };
	gelProgram program;
	assert_true( gelProgram_Begin( &program, &info, none, 3, argv ) );
	gelReport_Phase( &program.report, "import" );
	gelReport_SetInt( &program.report, "cage.tets", 12 );
	gelReport_Phase( &program.report, "mesh" );
	gelReport_SetReal( &program.report, "cage.volume", 0.1 );
	gelReport_SetReal( &program.report, "cage.bad", NAN );
	gelReport_SetString( &program.report, "name", "a\xFF\n" );
	gelReport_SetBool( &program.report, "cage.closed", true );
	gelReport_SetJson( &program.report, "cage.list", json_pack( "[ii]", 1, 2 ) );
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	gelFindings_Add( &program.findings, gel_findingCannotRead, "b\033.obj", "cannot be read" );
	*outExitCode = gelProgram_Finish( &program );
	free( gelCapture_End( &capture ) );
	return json_load_file( path, 0, NULL );
}

static void ReportsCarryEverything( void** state )
{
	(void)state;
	char path[600];
	const char* folder = gelMakeFolder();
	snprintf( path, sizeof( path ), "%s/report.json", folder );
	int exitCode;
	json_t* report = RunAndReport( path, &exitCode );
	assert_non_null( report );
	assert_int_equal( exitCode, gel_exitIo );

	const char* keys[] = { "schema_version", "tool", "version", "exit_code", "phases", "cage", "name",
		"findings", "finding_totals" };
	int index = 0;
	const char* key;
	json_t* value;
	json_object_foreach( report, key, value )
	{
		assert_string_equal( key, keys[index++] );
	}
	assert_int_equal( index, 9 );
	assert_int_equal( json_integer_value( json_object_get( report, "exit_code" ) ), gel_exitIo );
	assert_string_equal( json_string_value( json_object_get( report, "tool" ) ), "gel-test" );
	const json_t* phases = json_object_get( report, "phases" );
	assert_int_equal( json_array_size( phases ), 2 );
	assert_string_equal(
		json_string_value( json_object_get( json_array_get( phases, 1 ), "name" ) ), "mesh" );
	assert_true( json_number_value( json_object_get( json_array_get( phases, 1 ), "seconds" ) ) >= 0.0 );
	const json_t* cage = json_object_get( report, "cage" );
	assert_int_equal( json_integer_value( json_object_get( cage, "tets" ) ), 12 );
	assert_true( json_real_value( json_object_get( cage, "volume" ) ) == 0.1 );
	assert_true( json_is_null( json_object_get( cage, "bad" ) ) );
	assert_string_equal( json_string_value( json_object_get( report, "name" ) ), "a\\xFF\\n" );
	const json_t* finding = json_array_get( json_object_get( report, "findings" ), 0 );
	assert_string_equal( json_string_value( json_object_get( finding, "number" ) ), "T0001" );
	assert_string_equal( json_string_value( json_object_get( finding, "severity" ) ), "error" );
	assert_string_equal(
		json_string_value( json_object_get( finding, "title" ) ), gelFinding_Title( gel_findingCannotRead ) );
	assert_string_equal( json_string_value( json_object_get( finding, "file" ) ), "b\\x1B.obj" );
	assert_string_equal( json_string_value( json_object_get( finding, "text" ) ), "cannot be read" );
	json_decref( report );
	gelRemoveFolder( folder );
}

static void AReportThatCannotBeWrittenIsAnError( void** state )
{
	(void)state;
	int exitCode;
	assert_null( RunAndReport( "/nonexistent-folder/report.json", &exitCode ) );
	assert_int_equal( exitCode, gel_exitIo );
}

// Library code may run with a zeroed program: tests and other tools do.
static void AZeroReportTakesEverything( void** state )
{
	(void)state;
	gelReport report = { 0 };
	gelProgress progress = { 0 };
	gelReport_Phase( &report, "a" );
	gelReport_Phase( &report, NULL );
	gelReport_SetInt( &report, "a.b", 1 );
	gelReport_SetString( &report, "c", "d" );
	gelProgress_Update( &progress, "label", 0.5 );
	gelProgress_Clear( &progress );
	gelFreeReport( &report );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( NumbersAreUniqueAndInRange ),
		cmocka_unit_test( LinesAreFileSeverityNumberText ),
		cmocka_unit_test( TheWorstExitCodeWins ),
		cmocka_unit_test( ManyOfAKindAreCounted ),
		cmocka_unit_test( WarningsCanBeErrors ),
		cmocka_unit_test( QuietKeepsErrorsOnly ),
		cmocka_unit_test( TextBecomesHarmless ),
		cmocka_unit_test( AnyBytesBecomeHarmless ),
		cmocka_unit_test( ReportsCarryEverything ),
		cmocka_unit_test( AReportThatCannotBeWrittenIsAnError ),
		cmocka_unit_test( AZeroReportTakesEverything ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
