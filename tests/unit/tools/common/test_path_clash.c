// SPDX-License-Identifier: MIT
// No output of a command is another file of it, by whatever name.
#include "test_support.h"

#include "capture.h"
#include "common/program/path_clash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* s_folder;
static char s_before[4096];
static gelFindings s_findings;
static gelCapture s_capture;
static gelPathSet s_set;

static int SetUp( void** state )
{
	(void)state;
	assert_non_null( getcwd( s_before, sizeof( s_before ) ) );
	s_folder = gelMakeFolder();
	assert_int_equal( chdir( s_folder ), 0 );
	gelCapture_Begin( &s_capture, 2 );
	return 0;
}

static int TearDown( void** state )
{
	(void)state;
	free( gelCapture_End( &s_capture ) );
	assert_int_equal( chdir( s_before ), 0 );
	gelFreePathSet( &s_set );
	gelFreeFindings( &s_findings );
	s_findings = ( gelFindings ){ 0 };
	gelRemoveFolder( s_folder );
	return 0;
}

static void Touch( const char* path )
{
	FILE* file = fopen( path, "wb" );
	assert_non_null( file );
	fclose( file );
}

static bool In( const char* path )
{
	return gelPathSet_AddInput( &s_set, path, "the art", &s_findings );
}

static bool Out( const char* path )
{
	return gelPathSet_AddOutput( &s_set, path, "-o", &s_findings );
}

// One pair in a set of its own: the answer must not depend on which comes first.
static void Expect( const char* input, const char* output, bool allowed )
{
	assert_true( In( input ) );
	assert_int_equal( Out( output ), allowed );
	assert_int_equal( gelPathSet_HasClash( &s_set, output ), !allowed );
	gelFreePathSet( &s_set );
	assert_true( Out( output ) );
	assert_int_equal( In( input ), allowed );
	gelFreePathSet( &s_set );
}

static void SeesThroughNames( void** state )
{
	(void)state;
	char absolute[600];
	Touch( "a.obj" );
	Touch( "b.obj" );
	assert_int_equal( symlink( "a.obj", "link.msh" ), 0 );
	assert_int_equal( symlink( "link.msh", "link2.msh" ), 0 );
	assert_int_equal( symlink( "new.gel", "dangling" ), 0 );
	assert_int_equal( link( "a.obj", "hard.obj" ), 0 );
	snprintf( absolute, sizeof( absolute ), "%s/a.obj", s_folder );
	Expect( "a.obj", "a.obj", false );
	Expect( "a.obj", "./a.obj", false );
	Expect( "a.obj", absolute, false );
	Expect( "a.obj", "link.msh", false );
	Expect( "a.obj", "link2.msh", false );
	Expect( "link2.msh", "a.obj", false );
	Expect( "a.obj", "hard.obj", false );
	Expect( "a.obj", "b.obj", true );
	Expect( "a.obj", "a.obj.gel", true );
	// files that are not there yet
	Expect( "new.gel", "./new.gel", false );
	Expect( "new.gel", "dangling", false );
	Expect( "new.gel", "nowhere/new.gel", true );
	snprintf( absolute, sizeof( absolute ), "%s/new.gel", s_folder );
	Expect( "new.gel", absolute, false );
}

static void ComparesOutputs( void** state )
{
	(void)state;
	assert_true( Out( "a.gel" ) );
	assert_true( gelPathSet_AddOutput( &s_set, "b.json", "--json", &s_findings ) );
	assert_true( gelPathSet_AddOutput( &s_set, NULL, "--depfile", &s_findings ) );
	assert_false( gelPathSet_AllowsOutput( &s_set, "./b.json", "--out", &s_findings ) );
	assert_true( gelPathSet_HasClash( &s_set, "b.json" ) );
	assert_false( gelPathSet_HasClash( &s_set, "a.gel" ) );
	assert_int_equal( s_findings.exitCode, gel_exitUsage );
	const char* text = s_findings.items[0].text;
	assert_non_null( strstr( text, "./b.json" ) );
	assert_non_null( strstr( text, "'b.json' (--json)" ) );
	// reading a file twice is no loss
	assert_true( In( "c.obj" ) );
	assert_true( In( "c.obj" ) );
}

static void KnowsBothFilesOfTetGen( void** state )
{
	(void)state;
	assert_true( gelPathSet_AddCage( &s_set, "a.node", "-o", true, &s_findings ) );
	assert_false( gelPathSet_AddOutput( &s_set, "a.ele", "--json", &s_findings ) );
	assert_true( gelPathSet_AddOutput( &s_set, "a.msh", "--json", &s_findings ) );
}

static void LetsDevicesBe( void** state )
{
	(void)state;
	Expect( "/dev/null", "/dev/null", true );
	assert_true( Out( "/dev/null" ) );
	assert_true( Out( "/dev/null" ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( SeesThroughNames, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( ComparesOutputs, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( KnowsBothFilesOfTetGen, SetUp, TearDown ),
		cmocka_unit_test_setup_teardown( LetsDevicesBe, SetUp, TearDown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
