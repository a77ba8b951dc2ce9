// SPDX-License-Identifier: MIT
// Settings in the art: the pack of the same options; the command line and the recipe win; what is wrong is
// said with the node and the key.
#include "test_support.h"

#include "glb_box.h"
#include "import_drive.h"
#include "pack/pack_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gelGlbBox s_box = { .size = { 0.4f, 0.4f, 0.4f }, .divisions = 2 };

// A bake of the box with extras and `more` is that of the box without extras with `options`.
static void ExpectSame( const gelGlbBox* box, const char* more, const char* options )
{
	gelGlbBox plain = *box;
	plain.nodeExtras = plain.lastNodeExtras = plain.meshExtras = plain.sceneExtras = NULL;
	gelWriteGlbBox( "extras.glb", box );
	gelWriteGlbBox( "plain.glb", &plain );
	// collision geometry takes most of the time and is the same anyway
	const char* quick = strstr( options, "--static" ) != NULL ? "" : " --no-collision";
	char words[2][1000];
	snprintf( words[0], sizeof( words[0] ), "%s%s", more, quick );
	snprintf( words[1], sizeof( words[1] ), "%s%s", options, quick );
	gelBakeRunResult a = gelRunBake( "extras.glb", words[0] ), b = gelRunBake( "plain.glb", words[1] );
	if ( a.exitCode != 0 || b.exitCode != 0 ) fail_msg( "%s: %s%s", options, a.messages, b.messages );
	if ( !gelIsSamePack( &a, &b ) ) fail_msg( "not the bytes of %s", options );
	gelFreeBakeRun( &a );
	gelFreeBakeRun( &b );
}

static void ExpectSameExtras( const char* nodeExtras, const char* more, const char* options )
{
	gelGlbBox box = s_box;
	box.nodeExtras = nodeExtras;
	ExpectSame( &box, more, options );
}

static void ExtrasAreOptions( void** state )
{
	(void)state;
	ExpectSameExtras( "{\"gelpack\":{\"cage\":{\"tets\":40},\"material\":{\"young\":3e4,\"poisson\":0.2}}}",
		"", "--tets 40 --young 3e4 --poisson 0.2" );
	ExpectSameExtras(
		"{\"gelpack\":\"{ \\\"cage\\\": { \\\"tets\\\": 40 }, \\\"steps\\\": [\\\"1/60\\\"] }\"}", "",
		"--tets 40" );
	ExpectSameExtras( "{\"gelpack_tets\":40.0,\"gelpack_preset\":\"flesh\",\"gelpack_young\":30000.5,"
					  "\"gelpack_damping\":2,\"other\":7}",
		"",
		"--tets 40 --material flesh --young 30000.5 --poisson 0.45 --density 1050 --damping 2 "
		"--no-collision" );
	ExpectSameExtras( "{\"gelpack_tets\":40,\"gelpack_steps\":[0.01,0.02],\"gelpack_quality\":1,"
					  "\"gelpack_warp\":false,\"gelpack_pin_box\":[-1,-1,-1,1,0.1,1]}",
		"", "--tets 40 --step 0.01 --step 0.02 --quality --pin-box=-1,-1,-1,1,0.1,1" );
	ExpectSameExtras( "{\"gelpack_tets\":40,\"gelpack_scale\":0.5,\"gelpack_steps\":\"1/30\"}", "",
		"--tets 40 --scale 0.5 --step 1/30" );
	ExpectSameExtras( "{\"gelpack_static\":true,\"gelpack_tets\":40}", "", "--tets 40 --static" );
	const char* regions =
		"{\"materials\":{\"a\":{\"young\":1e6}},\"regions\":[{\"material\":\"a\",\"tets\":[0,9]}]";
	char text[600], options[700];
	snprintf( text, sizeof( text ), "%s}", regions );
	gelWriteTestFile( "regions.json", text, strlen( text ) );
	snprintf( options, sizeof( options ), "--tets 40 --materials %s/regions.json", gelImportFolder() );
	snprintf( text, sizeof( text ), "{\"gelpack\":%s,\"cage\":{\"tets\":40}}}", regions );
	ExpectSameExtras( text, "", options );
	ExpectSameExtras( text, options, options );
}

// Levels are packs of their own, which name the input: so it is the number of sections that tells.
static void LevelsAreOptions( void** state )
{
	(void)state;
	gelGlbBox box = s_box;
	box.nodeExtras = "{\"gelpack_tets\":60,\"gelpack_levels\":20.0}";
	gelWriteGlbBox( "extras.glb", &box );
	gelBakeRunResult runs[3];
	static const char* const options[] = { "--no-collision", "--no-collision --lod 20",
		"--no-collision --paint none" };
	uint32_t counts[3];
	for ( int i = 0; i < 3; ++i )
	{
		if ( i == 2 ) box.nodeExtras = "{\"gelpack_tets\":60}";
		if ( i == 2 ) gelWriteGlbBox( "extras.glb", &box );
		runs[i] = gelRunBake( "extras.glb", options[i] );
		assert_int_equal( runs[i].exitCode, 0 );
		counts[i] = ( (const gelPackHeader*)(const void*)runs[i].bytes )->sectionCount;
	}
	assert_int_equal( runs[0].byteCount, runs[1].byteCount );
	assert_memory_equal( runs[0].bytes, runs[1].bytes, runs[1].byteCount );
	assert_true( counts[0] > counts[2] );
	for ( int i = 0; i < 3; ++i )
		gelFreeBakeRun( runs + i );
}

// The node, its mesh and the scene: the nearer one counts.
static void PlacesHaveAnOrder( void** state )
{
	(void)state;
	gelGlbBox box = s_box;
	box.sceneExtras = "{\"gelpack_tets\":40,\"gelpack_young\":1e6,\"gelpack_density\":500}";
	box.meshExtras = "{\"gelpack_young\":2e6,\"gelpack_poisson\":0.1}";
	box.nodeExtras = "{\"gelpack_poisson\":0.2}";
	ExpectSame( &box, "", "--tets 40 --young 2e6 --poisson 0.2 --density 500" );
	// several nodes with one mesh say the same
	box.nodeCount = 2;
	box.nodeExtras = NULL;
	ExpectSame( &box, "", "--tets 40 --young 2e6 --poisson 0.1 --density 500" );
	box.meshExtras = box.sceneExtras = NULL;
	box.nodeExtras = "{\"gelpack_young\":2e6}";
	box.lastNodeExtras = "{\"gelpack_tets\":40}";
	ExpectSame( &box, "", "--tets 40 --young 2e6" );
}

static void CommandLineAndRecipeWin( void** state )
{
	(void)state;
	const char* extras =
		"{\"gelpack\":{\"cage\":{\"tets\":60},\"steps\":[0.01,0.02],\"material\":{\"preset\":"
		"\"flesh\"},\"pins\":[{\"box\":[-1,-1,-1,1,0.1,1]}]}}";
	ExpectSameExtras( extras, "--tets 40 --young 1e5 --step 0.03 --pin-box=-1,-1,-1,1,0.2,1",
		"--tets 40 --material flesh --young 1e5 --poisson 0.45 --density 1050 --step 0.03 "
		"--pin-box=-1,-1,-1,1,0.2,1" );
	const char* recipe =
		"{ \"cage\": { \"tets\": 40 }, \"material\": { \"young\": 7e4 }, \"static\": false }";
	gelWriteTestFile( "recipe.json", recipe, strlen( recipe ) );
	char options[700];
	snprintf( options, sizeof( options ), "--recipe %s/recipe.json --density 900", gelImportFolder() );
	ExpectSameExtras(
		"{\"gelpack_tets\":60,\"gelpack_young\":3e4,\"gelpack_poisson\":0.4,\"gelpack_density\":1}", options,
		"--tets 40 --young 7e4 --poisson 0.4 --density 900" );
	// no, none, empty and auto are said, too
	const char* no =
		"{ \"cage\": { \"tets\": 40, \"levels\": [] }, \"quality\": false, \"warp\": false, \"static\": "
		"false, \"pins\": [], \"collision\": \"auto\", \"limits\": { \"soak\": false } }";
	gelWriteTestFile( "no.json", no, strlen( no ) );
	snprintf( options, sizeof( options ), "--recipe %s/no.json", gelImportFolder() );
	ExpectSameExtras( "{\"gelpack_quality\":1,\"gelpack_warp\":1,\"gelpack_levels\":20,\"gelpack_soak\":1,"
					  "\"gelpack_max_strain\":1e-6,\"gelpack_pin_box\":[-1,-1,-1,1,0.1,1]}",
		options, "--tets 40" );
	ExpectSameExtras( "{\"gelpack_static\":1}", options, "--tets 40" );
	// what excludes each other: the command line has decided
	ExpectSameExtras(
		"{\"gelpack_steps\":0.01,\"gelpack_quality\":true}", "--tets 40 --static", "--tets 40 --static" );
}

static void ExpectError( const gelGlbBox* box, const char* wanted )
{
	gelWriteGlbBox( "wrong.glb", box );
	gelBakeRunResult result = gelRunBake( "wrong.glb", "--tets 40" );
	if ( result.exitCode != 3 || strstr( result.messages, wanted ) == NULL ||
		strstr( result.messages, "T0555" ) == NULL )
		fail_msg( "wanted '%s', exit 3; got %d, %s", wanted, result.exitCode, result.messages );
	const char* line = strchr( result.messages, '\n' );
	if ( line == NULL || line[1] != 0 ) fail_msg( "more than one line: %s", result.messages );
	gelFreeBakeRun( &result );
}

static void MistakesHaveAPlace( void** state )
{
	(void)state;
	static const struct
	{
		const char* extras;
		const char* wanted;
	} cases[] = {
		{ "{\"gelpack\":{\"material\":{\"young\":-1}}}",
			"node \"part 0\": extras.gelpack.material.young: \"young\" has" },
		{ "{\"gelpack\":{\"yuong\":1}}", "node \"part 0\": extras.gelpack.yuong: there is no" },
		{ "{\"gelpack\":{\"pins\":[{\"box\":[1]}]}}", "node \"part 0\": extras.gelpack.pins[0].box: " },
		{ "{\"gelpack\":7}", "node \"part 0\": extras.gelpack: it has to be an object" },
		{ "{\"gelpack\":\"{ \\\"warp\\\":\\n 3 }\"}",
			"node \"part 0\": extras.gelpack, line 1, column 3: \"warp\"" },
		{ "{\"gelpack\":\"{ soft }\"}", "node \"part 0\": extras.gelpack, line 1, column" },
		{ "{\"gelpack_yuong\":1}", "node \"part 0\": extras.gelpack_yuong: there is no such setting" },
		{ "{\"gelpack_young\":\"soft\"}",
			"node \"part 0\": extras.gelpack_young: \"young\" has to be a number" },
		{ "{\"gelpack_tets\":40.5}", "node \"part 0\": extras.gelpack_tets: " },
		{ "{\"gelpack_quality\":2}", "node \"part 0\": extras.gelpack_quality: " },
		{ "{\"gelpack_steps\":[0]}", "node \"part 0\": extras.gelpack_steps: a step length" },
		{ "{\"gelpack_pin_box\":[1,2]}", "node \"part 0\": extras.gelpack_pin_box: " },
		{ "{\"gelpack_max_strain\":2}", "node \"part 0\": extras.gelpack_max_strain: " },
		{ "{\"gelpack_preset\":\"gold\"}", "node \"part 0\": extras.gelpack_preset: " },
		{ "{\"gelpack_cage\":\"../x.msh\"}",
			"node \"part 0\": extras.gelpack_cage: \"file\" has to be a file below" },
		{ "{\"gelpack_cage\":\"/etc/passwd\"}",
			"node \"part 0\": extras.gelpack_cage: \"file\" has to be a file below" },
		{ "{\"gelpack\":{\"materials\":{\"a\":3}}}", "node \"part 0\": extras.gelpack.materials.a: " },
		{ "{\"gelpack_young\":1e4,\"gelpack\":{\"material\":{\"young\":2e4}}}",
			"contradict each other about \"young\"" },
	};
	gelGlbBox box = s_box;
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		box.nodeExtras = cases[i].extras;
		ExpectError( &box, cases[i].wanted );
	}
	// what jansson does not take is not taken for nothing
	box.nodeExtras = "{\"gelpack_young\":1e999}";
	ExpectError( &box, "node 0 \"part 0\"" );
	box.nodeExtras = NULL;
	box.sceneExtras = "{\"other\":\"\\u0000\",\"gelpack_young\":1e4}";
	ExpectError( &box, "scene: the extras hold settings" );
	box.sceneExtras = "{\"gelpack_young\":0}";
	ExpectError( &box, "scene: extras.gelpack_young: " );
	box.sceneExtras = NULL;
	box.nodeCount = 3;
	box.nodeExtras = "{\"gelpack_young\":1e4}";
	box.lastNodeExtras = "{\"gelpack_young\":2e4}";
	ExpectError(
		&box, "node \"part 0\": extras and node \"part 2\": extras contradict each other about \"young\"" );
}

// Extras of others are not ours, whatever they are.
static void ForeignExtrasSayNothing( void** state )
{
	(void)state;
	static const char* const foreign[] = { "7", "[\"gelpack_young\"]",
		"{\"young\":3,\"gelpacker\":1,\"Gelpack\":{\"x\":1}}" };
	for ( size_t i = 0; i < sizeof( foreign ) / sizeof( foreign[0] ); ++i )
		ExpectSameExtras( foreign[i], "--tets 40", "--tets 40" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( ExtrasAreOptions ),
		cmocka_unit_test( LevelsAreOptions ),
		cmocka_unit_test( PlacesHaveAnOrder ),
		cmocka_unit_test( CommandLineAndRecipeWin ),
		cmocka_unit_test( MistakesHaveAPlace ),
		cmocka_unit_test( ForeignExtrasSayNothing ),
	};
	return cmocka_run_group_tests( tests, NULL, gelRemoveImportFolder );
}
