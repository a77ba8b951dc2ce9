// SPDX-License-Identifier: MIT
// What gel-preview writes and reads: animated GLB, GIF, scene files with places of mistakes, differences.
#include "test_support.h"

#include "preview/out/compare.h"
#include "preview/out/gif_out.h"
#include "preview/out/glb_out.h"
#include "common/program/json_place.h"
#include "common/program/output_file.h"
#include "preview/scene/scene_file.h"
#include "test_bodies.h"

#include <cgltf.h>
#include <gif_lib.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* TemporaryPath( const char* name )
{
	static char path[128];
	snprintf( path, sizeof( path ), "test_preview_files-%ld-%s", (long)getpid(), name );
	return path;
}

// ---- GLB ---------------------------------------------------------------------------------------------

typedef struct Stage
{
	uint8_t* bytes;
	gelAsset* asset;
	gelPackSet packs;
	gelProgram program;
	gelScene scene;
	gelRecording recording;
} Stage;

static const char* const stagePaths[] = { "box.gel" };

static void Record( Stage* stage, int moments, int copies )
{
	size_t byteCount = 0;
	memset( stage, 0, sizeof( *stage ) );
	gelInitTestProgram( &stage->program );
	stage->bytes = gelBakeTestBox( 3, 2, 2, 0.6, 0.4, 0.4, false, &byteCount );
	assert_int_equal( gelLoadAsset( stage->bytes, byteCount, NULL, &stage->asset, NULL ), gel_success );
	stage->packs = ( gelPackSet ){ &stage->asset, stagePaths, 1 };
	const gelSceneSettings settings = {
		.kind = gelFindScene( "drop" ), .dropHeight = 0.2, .seconds = 1.0, .copies = copies
	};
	assert_true( gelCreateScene( &stage->scene, &stage->packs, &settings, &stage->program.findings ) );
	const gelRecordingSettings take = { 40, 60.0, moments, false, false, NULL };
	assert_true( gelRecord( &stage->recording, &stage->scene, &take, &stage->program ) );
}

static void FreeStage( Stage* stage )
{
	gelFreeRecording( &stage->recording );
	gelDestroyScene( &stage->scene );
	gelDestroyAsset( stage->asset );
	free( stage->bytes );
	gelFreeTestProgram( &stage->program );
}

static cgltf_data* ParseGlb( const char* path )
{
	cgltf_options options = { 0 };
	cgltf_data* data = NULL;
	assert_int_equal( cgltf_parse_file( &options, path, &data ), cgltf_result_success );
	assert_int_equal( cgltf_load_buffers( &options, data, path ), cgltf_result_success );
	assert_int_equal( cgltf_validate( data ), cgltf_result_success );
	return data;
}

static const cgltf_accessor* FindPositions( const cgltf_attribute* attributes, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
	{
		if ( attributes[i].type == cgltf_attribute_type_position ) return attributes[i].data;
	}
	return NULL;
}

// Weights of the targets at a time, by linear interpolation as glTF 2.0, appendix C, says.
static void WeightsAt( const cgltf_animation_sampler* sampler, float time, float* out, size_t targets )
{
	float t0 = 0.0f, t1 = 0.0f;
	size_t k = 0, count = sampler->input->count;
	for ( ; k + 1 < count; ++k )
	{
		cgltf_accessor_read_float( sampler->input, k, &t0, 1 );
		cgltf_accessor_read_float( sampler->input, k + 1, &t1, 1 );
		if ( time <= t1 ) break;
	}
	float f = ( time - t0 ) / ( t1 - t0 );
	for ( size_t i = 0; i < targets; ++i )
	{
		float a, b;
		cgltf_accessor_read_float( sampler->output, k * targets + i, &a, 1 );
		cgltf_accessor_read_float( sampler->output, ( k + 1 ) * targets + i, &b, 1 );
		out[i] = ( 1.0f - f ) * a + f * b;
	}
}

static gelVec3 MorphedVertex( const cgltf_primitive* p, const float* weights, size_t vertex )
{
	float sum[3], d[3];
	cgltf_accessor_read_float( FindPositions( p->attributes, p->attributes_count ), vertex, sum, 3 );
	for ( size_t i = 0; i < p->targets_count; ++i )
	{
		const cgltf_morph_target* target = p->targets + i;
		cgltf_accessor_read_float(
			FindPositions( target->attributes, target->attributes_count ), vertex, d, 3 );
		for ( int c = 0; c < 3; ++c )
			sum[c] += weights[i] * d[c];
	}
	return ( gelVec3 ){ sum[0], sum[1], sum[2] };
}

// At every moment the file has the vertices that the runtime has; between two moments the mean of both.
static void TestGlbHasTheRightPositions( void** state )
{
	(void)state;
	Stage stage;
	Record( &stage, 6, 2 );
	const char* path = TemporaryPath( "a.glb" );
	assert_true( gelWriteAnimatedGlb( &stage.recording, &stage.scene, NULL, path, &stage.program ) );
	cgltf_data* data = ParseGlb( path );
	assert_int_equal( data->meshes_count, 2 );
	assert_int_equal( data->animations_count, 1 );
	assert_int_equal( data->animations[0].channels_count, 2 );
	const cgltf_animation_sampler* sampler = data->animations[0].samplers;
	int vertexCount = gelAsset_GetInfo( stage.asset ).vertexCount;
	gelVec3* expected = malloc( (size_t)vertexCount * sizeof( gelVec3 ) );
	float weights[5], moved = 0.0f;
	for ( int body = 0; body < 2; ++body )
	{
		const cgltf_primitive* p = data->meshes[body].primitives;
		assert_int_equal( p->targets_count, 5 );
		assert_int_equal( p->indices->count, 3 * (size_t)gelAsset_GetInfo( stage.asset ).triangleCount );
		for ( int m = 0; m < 6; ++m )
		{
			const gelRecording* r = &stage.recording;
			assert_int_equal(
				gelScene_SetNodes( &stage.scene, r->nodes + (size_t)m * (size_t)r->nodeCount ), gel_success );
			gelBody_GetPositions( stage.scene.bodies[body], expected, vertexCount );
			WeightsAt( sampler, (float)r->times[r->momentFrames[m]], weights, 5 );
			for ( int v = 0; v < vertexCount; ++v )
			{
				gelVec3 d = gelSub( MorphedVertex( p, weights, (size_t)v ), expected[v] );
				assert_true( gelDot( d, d ) < 1e-12f );
				gelVec3 way = gelSub( MorphedVertex( p, ( float[5] ){ 0 }, (size_t)v ), expected[v] );
				moved = fmaxf( moved, gelDot( way, way ) );
			}
		}
	}
	assert_true( moved > 0.01f );
	free( expected );
	cgltf_free( data );
	unlink( path );
	FreeStage( &stage );
}

static void TestGlbOfOneMomentStandsStill( void** state )
{
	(void)state;
	Stage stage;
	Record( &stage, 1, 1 );
	const char* path = TemporaryPath( "one.glb" );
	assert_true( gelWriteAnimatedGlb( &stage.recording, &stage.scene, NULL, path, &stage.program ) );
	cgltf_data* data = ParseGlb( path );
	assert_int_equal( data->animations_count, 0 );
	assert_int_equal( data->meshes[0].primitives[0].targets_count, 0 );
	cgltf_free( data );
	unlink( path );
	assert_false(
		gelWriteAnimatedGlb( &stage.recording, &stage.scene, NULL, "nowhere/a.glb", &stage.program ) );
	assert_int_equal( stage.program.findings.exitCode, gel_exitIo );
	FreeStage( &stage );
}

// ---- GIF ---------------------------------------------------------------------------------------------

// A soft gradient with a bright square that moves.
static gelImage MakePicture( int frame )
{
	gelImage image;
	assert_true( gelCreateImage( &image, 60, 40 ) );
	for ( int y = 0; y < 40; ++y )
		for ( int x = 0; x < 60; ++x )
		{
			uint8_t* p = image.pixels + 3 * ( 60 * y + x );
			bool square = x >= 10 * frame && x < 10 * frame + 8 && y >= 10 && y < 20;
			p[0] = square ? 230 : (uint8_t)( 100 + x );
			p[1] = square ? 30 : (uint8_t)( 120 + y );
			p[2] = square ? 40 : 160;
		}
	return image;
}

static void TestGifShowsWhatWasDrawn( void** state )
{
	(void)state;
	gelFindings findings = { 0 };
	gelGifPalette* palette = calloc( 1, sizeof( gelGifPalette ) );
	const char* path = TemporaryPath( "a.gif" );
	gelGif gif;
	for ( int i = 0; i < 3; ++i )
	{
		gelImage image = MakePicture( i );
		gelGifPalette_Count( palette, &image );
		gelFreeImage( &image );
	}
	gelGifPalette_Choose( palette );
	assert_true( gelGif_Begin( &gif, path, 60, 40, palette, &findings ) );
	for ( int i = 0; i < 3; ++i )
	{
		gelImage image = MakePicture( i );
		assert_true( gelGif_Add( &gif, &image, 3 + i ) );
		gelFreeImage( &image );
	}
	assert_true( gelGif_End( &gif, true, &findings ) );

	int error = 0;
	GifFileType* file = DGifOpenFileName( path, &error );
	assert_non_null( file );
	assert_int_equal( DGifSlurp( file ), GIF_OK );
	assert_int_equal( file->ImageCount, 3 );
	assert_int_equal( file->SWidth, 60 );
	for ( int i = 0; i < 3; ++i )
	{
		GraphicsControlBlock control;
		gelImage image = MakePicture( i );
		assert_int_equal( DGifSavedExtensionToGCB( file, i, &control ), GIF_OK );
		assert_int_equal( control.DelayTime, 3 + i );
		for ( int k = 0; k < 60 * 40; ++k )
		{
			GifColorType c = file->SColorMap->Colors[file->SavedImages[i].RasterBits[k]];
			const uint8_t* p = image.pixels + 3 * k;
			// 5 bits a channel, and the pattern of the dithering
			assert_true(
				abs( c.Red - p[0] ) < 20 && abs( c.Green - p[1] ) < 20 && abs( c.Blue - p[2] ) < 20 );
		}
		gelFreeImage( &image );
	}
	DGifCloseFile( file, &error );
	free( palette );
	unlink( path );
}

static void TestDroppedGifLeavesNothing( void** state )
{
	(void)state;
	gelFindings findings = { 0 };
	gelGifPalette* palette = calloc( 1, sizeof( gelGifPalette ) );
	const char* path = TemporaryPath( "dropped.gif" );
	gelGif gif;
	gelGifPalette_Choose( palette ); // palette of no picture at all
	assert_true( gelGif_Begin( &gif, path, 8, 8, palette, &findings ) );
	assert_false( gelGif_End( &gif, false, &findings ) );
	assert_int_equal( access( path, F_OK ), -1 );
	free( palette );
}

// ---- differences -------------------------------------------------------------------------------------

static void TestDifferencesAreCounted( void** state )
{
	(void)state;
	gelImage a = MakePicture( 0 ), b = MakePicture( 0 ), c = MakePicture( 2 ), drawn;
	gelImageDifference same = gelCompareImages( &a, &b, 0 );
	assert_int_equal( same.changedPixels, 0 );
	assert_int_equal( same.largest, 0 );
	gelImageDifference moved = gelCompareImages( &a, &c, 6 );
	assert_int_equal( moved.changedPixels, 160 ); // a square of 8 x 10 that went, and one that came
	assert_true( fabs( moved.changedPart - 160.0 / 2400.0 ) < 1e-12 );
	b.pixels[0] += 5;
	assert_int_equal( gelCompareImages( &a, &b, 6 ).changedPixels, 0 );
	assert_int_equal( gelCompareImages( &a, &b, 4 ).changedPixels, 1 );
	assert_true( gelDrawDifference( &a, &c, &drawn ) );
	gelColor8 there = gelImage_Pixel( &drawn, 3, 12 ), elsewhere = gelImage_Pixel( &drawn, 40, 30 );
	assert_true( there.r > there.g + 100 );
	assert_true( elsewhere.r == elsewhere.g && elsewhere.g == elsewhere.b );
	gelFreeImage( &a );
	gelFreeImage( &b );
	gelFreeImage( &c );
	gelFreeImage( &drawn );
}

// ---- scene files -------------------------------------------------------------------------------------

static void TestPlacesInJson( void** state )
{
	(void)state;
	const char* text = "{\n  \"a\": [1, \"}],{\\\"\", {\"b\": 2}],\n\t\"c\": { \"d\": [ 5 , 6 ] }\n}";
	const struct
	{
		gelJsonStep path[3];
		int depth, line, column;
	} cases[] = {
		{ { { 0 } }, 0, 1, 1 },
		{ { { "a", 0 } }, 1, 2, 3 },
		{ { { "a", 0 }, { NULL, 1 } }, 2, 2, 12 },
		{ { { "a", 0 }, { NULL, 2 }, { "b", 0 } }, 3, 2, 23 },
		{ { { "c", 0 }, { "d", 0 }, { NULL, 1 } }, 3, 3, 20 },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		int line = 0, column = 0;
		assert_true( gelFindJsonPlace( text, cases[i].path, cases[i].depth, &line, &column ) );
		assert_int_equal( line, cases[i].line );
		assert_int_equal( column, cases[i].column );
	}
	int line, column;
	assert_false( gelFindJsonPlace( text, ( gelJsonStep[] ){ { "x", 0 } }, 1, &line, &column ) );
	assert_false( gelFindJsonPlace( text, ( gelJsonStep[] ){ { "a", 0 }, { NULL, 3 } }, 2, &line, &column ) );
}

static const char* const goodScene =
	"{\n"
	"  \"name\": \"all of it\", \"packs\": [\"a.gel\"], \"gravity\": [0, -5, 0],\n"
	"  \"ground\": { \"height\": 0.1, \"staticFriction\": 1, \"dynamicFriction\": 0.9 },\n"
	"  \"step\": 0.01, \"solver\": \"implicit\", \"frames\": 30,\n"
	"  \"bodies\": [ { \"pack\": 0, \"at\": [0, 1, 0], \"turn\": [0, 90, 0], \"velocity\": [1, 0, 0],\n"
	"    \"spin\": [0, 180, 0], \"solver\": \"quality\", \"keepSpin\": true, \"collapsed\": true } ],\n"
	"  \"handles\": [ { \"body\": 0, \"region\": { \"min\": [0, 0.8, 0], \"max\": [1, 1, 1] }, \"kind\": "
	"\"press\",\n"
	"    \"release\": 2, \"motion\": { \"repeat\": true, \"keys\": [ { \"time\": 0 }, { \"time\": 1, "
	"\"move\": [0, 1, 0] } ] } } ],\n"
	"  \"colliders\": [ { \"kind\": \"box\", \"at\": [0, 2, 0], \"halfSize\": [1, 0.1, 1] },\n"
	"    { \"kind\": \"sphere\", \"radius\": 0.5 }, { \"kind\": \"capsule\", \"radius\": 0.1, "
	"\"halfLength\": 1 }, { \"kind\": \"plane\" } ],\n"
	"  \"camera\": { \"yaw\": 10, \"pitch\": 20, \"target\": [0, 1, 0], \"distance\": 4 }\n"
	"}\n";

static void TestSceneFileIsTakenOver( void** state )
{
	(void)state;
	gelFindings findings = { 0 };
	const char* path = TemporaryPath( "scene.json" );
	gelSceneFile file;
	assert_true( gelWriteFile( path, goodScene, strlen( goodScene ), &findings ) );
	assert_true( gelReadSceneFile( &file, path, &findings ) );
	const gelSceneDef* def = &file.def;
	assert_string_equal( def->name, "all of it" );
	assert_int_equal( file.packCount, 1 );
	assert_string_equal( file.packs[0], "a.gel" );
	assert_true( def->gravity.y == -5.0f && def->ground == 0.1f && def->step == 0.01 );
	assert_int_equal( def->solver, gel_previewImplicit );
	assert_int_equal( def->frames, 30 );
	assert_int_equal( def->bodies[0].solver, gel_previewQuality );
	assert_true( def->bodies[0].isCollapsed && def->bodies[0].keepSpin && !def->bodies[0].isSheet );
	assert_true( fabsf( def->bodies[0].rotation.v.y - sqrtf( 0.5f ) ) < 1e-6f );
	assert_true( fabsf( def->bodies[0].spin.y - 3.14159265f ) < 1e-5f );
	assert_int_equal( def->handles[0].kind, gel_handlePress );
	assert_true( def->handles[0].release == 2.0f && def->handles[0].region.min.y == 0.8f );
	assert_true( gelMotion_At( &def->handles[0].motion, 0.5f ).position.y == 0.5f );
	assert_true( fabsf( gelMotion_At( &def->handles[0].motion, 1.25f ).position.y - 0.15625f ) < 1e-6f );
	assert_int_equal( def->colliderCount, 4 );
	assert_int_equal( def->colliders[3].kind, gel_colliderKindPlane );
	assert_true( def->camera.hasTarget && def->camera.distance == 4.0f );
	assert_true( gelSceneFile_CheckPacks( &file, path, 1, &findings ) );
	assert_false( gelSceneFile_CheckPacks( &file, path, 0, &findings ) );
	gelFreeSceneFile( &file );
	gelFreeFindings( &findings );
	unlink( path );
}

// What is wrong, where, and in which words.
static void TestMistakesAreFound( void** state )
{
	(void)state;
	const struct
	{
		const char *text, *place, *words;
	} cases[] = {
		{ "", "line 1,", "expected" },
		{ "[]", "line 1, column 1:", "object" },
		{ "{}", "line 1, column 1:", "bodies" },
		{ "{ \"bodies\": [ {} ],\n \"gravety\": 1 }", "line 2, column 2:", "gravety" },
		{ "{ \"bodies\": [ {},\n { \"at\": [0, 1] } ] }", "line 2, column 4:", "three numbers" },
		{ "{ \"bodies\": [ {} ], \"solver\": \"best\" }", "line 1, column 21:", "fast|quality|implicit" },
		{ "{ \"bodies\": [ {} ], \"step\": 7 }", "line 1, column 21:", "from 1e-05 to 1" },
		{ "{ \"bodies\": [ {} ], \"handles\": [ { \"body\": 1 } ] }", "line 1, column 36:", "from 0 to 0" },
		{ "{ \"bodies\": [ {} ], \"colliders\": [ {} ] }", "line 1, column 36:", "kind" },
		{ "{ \"bodies\": [ {} ], \"colliders\": [ { \"kind\": \"sphere\" } ] }", "line 1,", "radius" },
		{ "{ \"bodies\": [ {} ], \"camera\": { \"distance\": 2 } }", "line 1,", "belong together" },
		{ "{ \"bodies\": [ {} ], \"handles\": [ { \"motion\": { \"keys\": [ { \"time\": 1 },\n{ \"time\": 1 "
		  "} ] } } ] }",
			"line 2, column 1:", "have to grow" },
		{ "{ \"bodies\": [ {} ], \"bodies\": [ {} ] }", "line 1,", "duplicate" },
		{ "{ \"bodies\": [ {} ], \"packs\": [ 3 ] }", "line 1, column 32:", "path" },
	};
	const char* path = TemporaryPath( "wrong.json" );
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		gelFindings findings = { 0 };
		gelSceneFile file;
		assert_true( gelWriteFile( path, cases[i].text, strlen( cases[i].text ), &findings ) );
		assert_false( gelReadSceneFile( &file, path, &findings ) );
		assert_int_equal( findings.count, 1 );
		assert_int_equal( findings.items[0].number, 711 );
		assert_int_equal( findings.exitCode, gel_exitInput );
		if ( strstr( findings.items[0].text, cases[i].place ) == NULL ||
			strstr( findings.items[0].text, cases[i].words ) == NULL )
			fail_msg( "case %d: %s", (int)i, findings.items[0].text );
		gelFreeFindings( &findings );
	}
	unlink( path );
}

// Any damage: refused with one finding, or read as a scene within its limits.
static void TestDamagedScenes( void** state )
{
	(void)state;
	const char* path = TemporaryPath( "damaged.json" );
	size_t length = strlen( goodScene );
	char* text = malloc( length + 1 );
	gelRandom random = { 11 };
	int refused = 0;
	gelFindings findings = { .quiet = true };
	for ( int round = 0; round < 400; ++round )
	{
		memcpy( text, goodScene, length + 1 );
		for ( int k = 0; k <= round % 3; ++k )
			text[(size_t)gelRandom_Uniform( &random, 0.0, (double)length )] =
				(char)gelRandom_Uniform( &random, 32.0, 127.0 );
		gelSceneFile file;
		assert_true( gelWriteFile( path, text, round % 5 == 0 ? (size_t)round : length, &findings ) );
		if ( gelReadSceneFile( &file, path, &findings ) )
			gelFreeSceneFile( &file );
		else
			refused += 1;
	}
	assert_true( refused > 150 );
	assert_int_equal( gelFindings_Total( &findings, gel_findingSceneFileWrong ), refused );
	gelFreeFindings( &findings );
	free( text );
	unlink( path );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestGlbHasTheRightPositions ),
		cmocka_unit_test( TestGlbOfOneMomentStandsStill ),
		cmocka_unit_test( TestGifShowsWhatWasDrawn ),
		cmocka_unit_test( TestDroppedGifLeavesNothing ),
		cmocka_unit_test( TestDifferencesAreCounted ),
		cmocka_unit_test( TestPlacesInJson ),
		cmocka_unit_test( TestSceneFileIsTakenOver ),
		cmocka_unit_test( TestMistakesAreFound ),
		cmocka_unit_test( TestDamagedScenes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
