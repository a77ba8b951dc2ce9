// SPDX-License-Identifier: MIT
// Small parts of gel-bake's command line: boxes, depfiles, stable JSON.
#include "test_support.h"

#include "bake/command/bake_batch.h"
#include "bake/command/bake_cache.h"
#include "bake/command/bake_command.h"
#include "bake/command/depfile.h"
#include "bake/settings/setting_text.h"
#include "bake/passes/pack_parts.h"
#include "test_bodies.h"

#include <stdlib.h>

static void TestPinBoxes( void** state )
{
	(void)state;
	gelPinBox box;
	assert_true( gelParsePinBox( "1,2,3,-4,5e0,1/2", &box ) );
	assert_true( box.low[0] == -4.0 && box.low[1] == 2.0 && box.low[2] == 0.5 );
	assert_true( box.high[0] == 1.0 && box.high[1] == 5.0 && box.high[2] == 3.0 );
	const char* bad[] = { "", "1", "1,2,3,4,5", "1,2,3,4,5,", "1,2,3,4,5,6,7", "1,2,3,4,5,x", "1,,3,4,5,6",
		"nan,0,0,1,1,1", "1,2,3,4,5,6 7" };
	for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
		assert_false( gelParsePinBox( bad[i], &box ) );
	gelCage cage = gelMakeBoxCage( 2, 2, 2, 1.0, 1.0, 1.0, gel_boxSplitSix );
	const gelPinBox boxes[] = { { { 0, 0, 0 }, { 0, 1, 1 } },
		{ { 0, 0, 0 }, { 1, 1, 0 } } }; // two sides, one edge shared
	gelBakePinSet pins = gelPinNodesInBoxes( &cage, boxes, 2 );
	assert_int_equal( pins.nodeCount, 9 + 9 - 3 );
	for ( uint32_t i = 1; i < pins.nodeCount; ++i )
		assert_true( pins.nodes[i - 1] < pins.nodes[i] );
	free( pins.nodes );
	gelFreeCage( &cage );
}

static void TestDepfile( void** state )
{
	(void)state;
	const char* files[] = { "a b.obj", "$x#.mtl", "c:\\d e" };
	char* text = gelFormatDepfile( "out.gel", files, 3 );
	assert_string_equal( text, "out.gel: \\\n  a\\ b.obj \\\n  $$x\\#.mtl \\\n  c\\:\\d\\ e\n" );
	free( text );
	text = gelFormatDepfile( "o\\ p", NULL, 0 ); // a backslash before the space is doubled
	assert_string_equal( text, "o\\\\\\ p:\n" );
	free( text );
}

static void TestShards( void** state )
{
	(void)state;
	int first, stride;
	assert_true( gelParseShard( "2/5", &first, &stride ) );
	assert_int_equal( first, 1 );
	assert_int_equal( stride, 5 );
	assert_true( gelParseShard( "1/1", &first, &stride ) );
	const char* bad[] = { "", "1", "0/3", "4/3", "-1/3", "1/0", "1/2x", "/2", "a/b", "99999999999/3" };
	for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
		assert_false( gelParseShard( bad[i], &first, &stride ) );
}

// Equal values give an equal key whatever the order of the words; each value that changes a pack changes it.
static void TestOptionsText( void** state )
{
	(void)state;
	static const char* const lines[][6] = {
		{ "gel-bake", "a.obj", "-o", "a.gel", NULL },
		{ "gel-bake", "-o", "b.gel", "a.obj", "--jobs=2", NULL },
		{ "gel-bake", "a.obj", "-oa.gel", "--young", "2e5", NULL },
		{ "gel-bake", "a.obj", "-oa.gel", "--tets", "500", NULL }, // said, but the default
		{ "gel-bake", "a.obj", "-oa.gel", "--step", "0.01", NULL },
		{ "gel-bake", "a.obj", "-oa.gel", "--warp", NULL },
		{ "gel-bake", "a.obj", "-oa.gel", "--particles", "rod:20", NULL },
		{ "gel-bake", "a.obj", "-oa.gel", "--collision-cells", "fine", NULL },
	};
	enum
	{
		COUNT = sizeof( lines ) / sizeof( lines[0] )
	};
	char* texts[COUNT];
	for ( int i = 0; i < COUNT; ++i )
	{
		int count = 0;
		while ( count < 6 && lines[i][count] != NULL )
			++count;
		gelBakeCommand command;
		gelProgram program;
		assert_true( gelBakeCommand_Parse( &command, &program, count, (char**)(uintptr_t)lines[i] ) );
		texts[i] = command.optionsText;
		command.optionsText = NULL; // kept
		gelFreeBakeCommand( &command );
		gelProgram_Finish( &program );
	}
	assert_string_equal( texts[0], texts[1] );
	for ( int i = 1; i < COUNT; ++i )
	{
		for ( int k = i + 1; k < COUNT; ++k )
			assert_string_not_equal( texts[i], texts[k] );
	}
	for ( int i = 0; i < COUNT; ++i )
		free( texts[i] );
}

static void TestStableJson( void** state )
{
	(void)state;
	json_t* value = json_pack( "{s:f, s:i, s:[f,f,f,b,n], s:{s:s}}", "b", 0.1, "a", -3, "c", 1e300, 1.0,
		1.0 / 3.0, 1, "aa", "q", "\"\xC3\xA4\n" );
	char* text = gelFormatStableJson( value );
	assert_string_equal( text,
		"{\"a\":-3,\"aa\":{\"q\":\"\\\"\xC3\xA4\\n\"},\"b\":0.1,\"c\":[1e+300,1.0,0.3333333333333333,true,"
		"null]}" );
	free( text );
	json_decref( value );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestPinBoxes ),
		cmocka_unit_test( TestDepfile ),
		cmocka_unit_test( TestShards ),
		cmocka_unit_test( TestOptionsText ),
		cmocka_unit_test( TestStableJson ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
