// SPDX-License-Identifier: MIT
// Command lines: what is accepted, what is refused and with which words.
#include "test_support.h"

#include "capture.h"
#include "common/program/options.h"
#include "common/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD( text ) ( (char*)(uintptr_t)( text ) ) // main has char**, though nothing writes there

static bool s_flag, s_given;
static int s_int, s_choice;
static double s_real;
static const char* s_string;
static const char* s_report;
static gelStringList s_pins, s_steps;

static const gelOption s_own[] = {
	{ .name = "output",
		.letter = 'o',
		.type = gel_optionString,
		.value = "FILE",
		.target = &s_string,
		.help = "where to",
		.given = &s_given },
	{ .name = "tets",
		.type = gel_optionInt,
		.value = "N",
		.target = &s_int,
		.min = 1,
		.max = 1000,
		.help = "how many [500]" },
	{ .name = "step",
		.type = gel_optionFloat,
		.value = "S",
		.target = &s_real,
		.min = -10,
		.max = 10,
		.help = "seconds [1/60]" },
	{ .name = "solver",
		.type = gel_optionChoice,
		.choices = "fast|implicit|warp",
		.target = &s_choice,
		.help = "which [fast]" },
	{ .name = "pin",
		.letter = 'p',
		.type = gel_optionList,
		.value = "NAME",
		.target = &s_pins,
		.help = "may be repeated" },
	{ .name = "sub-step",
		.type = gel_optionList,
		.value = "S",
		.target = &s_steps,
		.help = "may be repeated" },
	{ .name = NULL },
};
static const gelOption s_common[] = {
	{ .name = "help", .letter = 'h', .type = gel_optionHelp, .help = "print this" },
	{ .name = "version", .type = gel_optionVersion, .help = "print the version" },
	{ .name = "quiet", .letter = 'q', .type = gel_optionFlag, .target = &s_flag, .help = "say less" },
	{ .name = "json",
		.type = gel_optionString,
		.value = "PATH|-",
		.target = &s_report,
		.bare = "-",
		.help = "a report" },
	{ .name = NULL },
};
static const gelProgramInfo s_info = { "gel-test", "tests the options", "IN -o OUT", "gel-test a -o b", 1,
	2 };

static gelParsedOperands s_operands;
static char* s_printed; // by the last command line, on stderr

static gelParseResult Run( const char* words )
{
	char buffer[1024];
	char* argv[64] = { WORD( "gel-test" ) };
	int argc = 1;
	snprintf( buffer, sizeof( buffer ), "%s", words );
	for ( char* word = strtok( buffer, " " ); word != NULL; word = strtok( NULL, " " ) )
		argv[argc++] = strcmp( word, "EMPTY" ) == 0 ? WORD( "" ) : word;
	s_flag = s_given = false;
	s_int = s_choice = -1;
	s_real = -1.0;
	s_string = s_report = NULL;
	gelFreeOperands( &s_operands );
	free( s_printed );
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	gelParseResult result = gelParseOptions( &s_info, s_own, s_common, argc, argv, &s_operands );
	s_printed = gelCapture_End( &capture );
	// only values are kept: the words die with the buffer
	s_string = s_string != NULL ? "set" : NULL;
	return result;
}

static int TearDown( void** state )
{
	(void)state;
	gelFreeOperands( &s_operands );
	free( s_printed );
	s_printed = NULL;
	return 0;
}

static void NumbersAreWholeStrings( void** state )
{
	(void)state;
	static const struct
	{
		const char* text;
		double value;
	} good[] = { { "1", 1 }, { "-2.5", -2.5 }, { "1e3", 1000 }, { "+.5", 0.5 }, { "1/60", 1.0 / 60.0 },
		{ "-3/4", -0.75 }, { "1e2/1e3", 0.1 }, { "0/5", 0 } };
	static const char* const bad[] = { "", " 1", "1 ", "1x", "0x10", "inf", "nan", "1e999", "1/0", "/2", "1/",
		"1/2/3", "1,5", "--1", "e5", ".", "-", "1e", "1e400/2" };
	double value;
	for ( size_t i = 0; i < sizeof( good ) / sizeof( good[0] ); ++i )
	{
		assert_true( gelParseNumber( good[i].text, &value ) );
		assert_true( value == good[i].value );
	}
	for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
	{
		if ( gelParseNumber( bad[i], &value ) ) fail_msg( "'%s' was taken for %g", bad[i], value );
	}
}

static void ValuesComeInEveryForm( void** state )
{
	(void)state;
	assert_int_equal( Run( "a --tets 7 --step 1/60 --solver warp -q" ), gel_parseOk );
	assert_int_equal( s_int, 7 );
	assert_true( s_real == 1.0 / 60.0 && s_flag );
	assert_int_equal( s_choice, 2 );
	assert_false( s_given );
	assert_int_equal( Run( "a --tets=7 --step=-2 -oout" ), gel_parseOk );
	assert_int_equal( s_int, 7 );
	assert_true( s_real == -2.0 && s_string != NULL && s_given );
	assert_int_equal( Run( "--step -2 a -o out b" ), gel_parseOk );
	assert_true( s_real == -2.0 );
	assert_int_equal( s_operands.count, 2 );
	assert_int_equal( Run( "-o -1,0,2 a" ), gel_parseOk );
	assert_true( s_string != NULL );
	assert_int_equal( Run( "--tets 1 --tets 9 a" ), gel_parseOk );
	assert_int_equal( s_int, 9 );
	assert_int_equal( Run( "-qo out a" ), gel_parseOk );
	assert_true( s_flag && s_string != NULL );
	assert_int_equal( Run( "- --output=--quiet" ), gel_parseOk );
	assert_false( s_flag );
	assert_int_equal( Run( "-- --tets -q" ), gel_parseOk );
	assert_int_equal( s_operands.count, 2 );
	assert_false( s_flag );
}

static void ListsKeepTheirOrder( void** state )
{
	(void)state;
	const char* words[] = { "gel-test", "--pin", "c", "--sub-step=1", "-pa", "in", "--sub-step", "2", "-p",
		"b" };
	char* argv[10];
	for ( int i = 0; i < 10; ++i )
		argv[i] = WORD( words[i] );
	assert_int_equal( Run( "a" ), gel_parseOk );
	assert_int_equal( s_pins.count, 0 );
	gelFreeOperands( &s_operands );
	assert_int_equal( gelParseOptions( &s_info, s_own, s_common, 10, argv, &s_operands ), gel_parseOk );
	assert_int_equal( s_pins.count, 3 );
	assert_string_equal( s_pins.items[0], "c" );
	assert_string_equal( s_pins.items[1], "a" );
	assert_string_equal( s_pins.items[2], "b" );
	assert_int_equal( s_steps.count, 2 );
	assert_string_equal( s_steps.items[1], "2" );
}

static void BareOptionsHaveADefault( void** state )
{
	(void)state;
	assert_int_equal( Run( "a --json" ), gel_parseOk );
	assert_string_equal( s_report, "-" );
	assert_int_equal( Run( "--json --quiet a" ), gel_parseOk );
	assert_true( s_flag );
	assert_string_equal( s_report, "-" );
	assert_int_equal( Run( "--json - a" ), gel_parseOk );
	assert_int_equal( s_operands.count, 1 );
}

static void MisuseSaysWhatIsWrong( void** state )
{
	(void)state;
	static const struct
	{
		const char *words, *message;
	} cases[] = {
		{ "", "a file is missing" },
		{ "a b c", "'c' is one file too many" },
		{ "a EMPTY", "empty file name" },
		{ "a --output", "--output needs a value" },
		{ "a --output EMPTY", "--output has an empty FILE" },
		{ "a --output=", "--output has an empty FILE" },
		{ "a -o --quiet", "'--quiet' follows" },
		{ "a -o", "--output needs a value" },
		{ "a --quiet=1", "--quiet takes no value" },
		{ "a -q=1", "--quiet takes no value" },
		{ "a --tets 0", "must lie between 1 and 1000" },
		{ "a --tets 1001", "must lie between 1 and 1000" },
		{ "a --tets 1.5", "whole number" },
		{ "a --tets many", "not 'many'" },
		{ "a --tets 99999999999", "between 1 and 1000" },
		{ "a --step 11", "must lie between -10 and 10" },
		{ "a --step nan", "needs a number" },
		{ "a --solver wrap", "fast|implicit|warp" },
		{ "a --solver fast|implicit", "must be one of" },
		{ "a --solver=", "must be one of" },
		{ "a --qiet", "did you mean --quiet?" },
		{ "a --outptu=x", "did you mean --output?" },
		{ "a --sol fast", "did you mean --solver?" },
		{ "a --tet 5", "did you mean --tets?" },
		{ "a --zzzzzz", "unknown option --zzzzzz\n" },
		{ "a -x", "unknown option -x" },
		{ "a -output x", "did you mean --output?" },
		{ "a --=", "unknown option --" },
		{ "a --sub_step 1", "did you mean --sub-step?" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		gelParseResult result = Run( cases[i].words );
		if ( result != gel_parseError || strstr( s_printed, cases[i].message ) == NULL )
			fail_msg( "'%s' gave %d and: %s", cases[i].words, (int)result, s_printed );
		assert_ptr_equal( strstr( s_printed, "gel-test: error: T0005: " ), s_printed );
		assert_non_null( strstr( s_printed, "usage: gel-test IN -o OUT [options]\n" ) );
		assert_non_null( strstr( s_printed, "gel-test --help" ) );
	}
}

static void MessagesShowNoRawControls( void** state )
{
	(void)state;
	assert_int_equal( Run( "a --\033[31m" ), gel_parseError );
	assert_null( strchr( s_printed, '\033' ) );
	assert_non_null( strstr( s_printed, "\\x1B[31m" ) );
}

// Every option is in the help with its words, nothing is wider than a terminal, and columns line up.
static void HelpIsComplete( void** state )
{
	(void)state;
	gelCapture capture;
	gelCapture_Begin( &capture, 1 );
	assert_int_equal( Run( "--help" ), gel_parseHelp );
	char* help = gelCapture_End( &capture );
	assert_string_equal( s_printed, "" );
	static const char* const parts[] = { "gel-test: tests the options\n",
		"usage: gel-test IN -o OUT [options]\n", "  -o, --output FILE", "      --solver fast|implicit|warp",
		"how many [500]", "  -q, --quiet", "common options:", "gel-test a -o b", "5 a requested limit" };
	for ( size_t i = 0; i < sizeof( parts ) / sizeof( parts[0] ); ++i )
	{
		if ( strstr( help, parts[i] ) == NULL ) fail_msg( "'%s' is not in the help:\n%s", parts[i], help );
	}
	size_t column = 0;
	for ( char* line = strtok( help, "\n" ); line != NULL; line = strtok( NULL, "\n" ) )
	{
		assert_true( strlen( line ) <= 80 );
		const char* text = strstr( line, "where to" );
		if ( text == NULL ) text = strstr( line, "say less" );
		if ( text == NULL ) continue;
		if ( column != 0 ) assert_int_equal( column, (size_t)( text - line ) );
		column = (size_t)( text - line );
	}
	assert_true( column > 0 );
	free( help );
}

static void VersionNamesBothVersions( void** state )
{
	(void)state;
	gelCapture capture;
	gelCapture_Begin( &capture, 1 );
	assert_int_equal( Run( "--version" ), gel_parseHelp );
	char* text = gelCapture_End( &capture );
	int v[5] = { -1, -1, -1, -1, -1 };
	assert_int_equal(
		sscanf( text, "gel-test %d.%d.%d (pack format %d.%d)", v, v + 1, v + 2, v + 3, v + 4 ), 5 );
	free( text );
}

static void ProgramsRefuseToOverwriteWithAReport( void** state )
{
	(void)state;
	char path[600];
	const char* folder = gelMakeFolder();
	snprintf( path, sizeof( path ), "%s/body.gel", folder );
	gelFindings findings = { 0 };
	assert_true( gelWriteFile( path, "\x89GEL", 4, &findings ) );
	char* argv[] = { WORD( "gel-test" ), WORD( "a" ), WORD( "--json" ), path };
	gelProgram program;
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	bool begun = gelProgram_Begin( &program, &s_info, s_own, 4, argv );
	int exitCode = gelProgram_Finish( &program );
	free( gelCapture_End( &capture ) );
	assert_false( begun );
	assert_int_equal( exitCode, gel_exitUsage );
	size_t bytes;
	uint8_t* read = gelReadFile( path, 100, &bytes, &findings );
	assert_int_equal( bytes, 4 );
	free( read );
	gelRemoveFolder( folder );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( NumbersAreWholeStrings ),
		cmocka_unit_test_teardown( ValuesComeInEveryForm, TearDown ),
		cmocka_unit_test_teardown( ListsKeepTheirOrder, TearDown ),
		cmocka_unit_test_teardown( BareOptionsHaveADefault, TearDown ),
		cmocka_unit_test_teardown( MisuseSaysWhatIsWrong, TearDown ),
		cmocka_unit_test_teardown( MessagesShowNoRawControls, TearDown ),
		cmocka_unit_test_teardown( HelpIsComplete, TearDown ),
		cmocka_unit_test_teardown( VersionNamesBothVersions, TearDown ),
		cmocka_unit_test( ProgramsRefuseToOverwriteWithAReport ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
