// SPDX-License-Identifier: MIT
// What gel-preview does without OpenGL: framing, pictures, captions, scenes, recordings, tables.
#include "test_support.h"

#include "preview/render/camera.h"
#include "preview/out/contact_sheet.h"
#include "preview/render/label.h"
#include "common/program/output_file.h"
#include "preview/app/preview_options.h"
#include "preview/play/recording.h"
#include "test_bodies.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- camera ------------------------------------------------------------------------------------------

static void ProjectPoint( const gelMat4* m, gelVec3 p, float out[3] )
{
	float clip[4];
	for ( int i = 0; i < 4; ++i )
		clip[i] = m->m[i] * p.x + m->m[4 + i] * p.y + m->m[8 + i] * p.z + m->m[12 + i];
	assert_true( clip[3] > 0.0f );
	for ( int i = 0; i < 3; ++i )
		out[i] = clip[i] / clip[3];
}

static gelVec3 RandomPoint( gelRandom* random, double size )
{
	return ( gelVec3 ){ (float)gelRandom_Uniform( random, -size, size ),
		(float)gelRandom_Uniform( random, -size, size ), (float)gelRandom_Uniform( random, -size, size ) };
}

// Every box of any size is inside of its picture, and fills it in one direction.
static void TestFramingFitsAndFills( void** state )
{
	(void)state;
	gelRandom random = { 7 };
	for ( int round = 0; round < 200; ++round )
	{
		double size = pow( 10.0, gelRandom_Uniform( &random, -3.0, 3.0 ) );
		gelAabb box = gelAabb_Empty();
		for ( int i = 0; i < 4; ++i )
			box = gelAabb_Add( box, RandomPoint( &random, size ) );
		float yaw = (float)gelRandom_Uniform( &random, -7.0, 7.0 );
		float pitch = (float)gelRandom_Uniform( &random, -1.4, 1.4 );
		float aspect = (float)gelRandom_Uniform( &random, 0.4, 2.5 );
		gelCamera camera = gelFrameBox( box, yaw, pitch, aspect, 0.1f );
		gelMat4 m = gelCamera_ViewProjection( &camera, aspect, gelAabb_Center( box ), gelAabb_Radius( box ) );
		float reach = 0.0f;
		for ( int i = 0; i < 8; ++i )
		{
			gelVec3 corner = { i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
				i & 4 ? box.max.z : box.min.z };
			float p[3];
			ProjectPoint( &m, corner, p );
			reach = fmaxf( reach, fmaxf( fabsf( p[0] ), fabsf( p[1] ) ) );
			assert_true( p[2] > -1.0f && p[2] < 1.0f ); // between the near and far plane
		}
		assert_true( reach < 0.901f );
		assert_true( reach > 0.85f );
	}
}

// A ray through a place of the picture meets points that are drawn there, also in a picture that is shifted.
static void TestCameraRaysMeetWhatIsDrawn( void** state )
{
	(void)state;
	const gelCamera camera = { { 1.0f, 2.0f, 3.0f }, 0.4f, 0.3f, 5.0f, 0.5f, 0.55f };
	const float aspect = 1.6f, a = -0.3f, b = 0.7f;
	gelVec3 look[3], eye = gelCamera_Eye( &camera );
	gelCamera_Rays( &camera, aspect, look );
	gelVec3 ray = gelAdd( look[0], gelAdd( gelScale( a, look[1] ), gelScale( b, look[2] ) ) );
	gelVec3 p = gelAdd( eye, gelScale( 4.0f, ray ) );
	gelMat4 m = gelCamera_ViewProjection( &camera, aspect, camera.target, 1.0f );
	const float in[4] = { p.x, p.y, p.z, 1.0f };
	float out[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
	for ( int i = 0; i < 16; ++i )
		out[i % 4] += ( (const float*)&m )[i] * in[i / 4];
	assert_float_equal( out[0] / out[3], a, 1e-4f );
	assert_float_equal( out[1] / out[3], b, 1e-4f );
}

static void TestCameraLooksFromWhereItStands( void** state )
{
	(void)state;
	gelCamera camera = { { 1.0f, 2.0f, 3.0f }, 0.0f, 0.0f, 5.0f, 0.5f, 0.0f };
	gelVec3 eye = gelCamera_Eye( &camera );
	assert_float_equal( eye.z, 8.0f, 1e-6f ); // yaw 0: in front, at +Z
	camera.yaw = 1.5707963f;
	eye = gelCamera_Eye( &camera );
	assert_float_equal( eye.x, 6.0f, 1e-5f ); // a quarter turn: at +X
	camera.pitch = 1.0f;
	assert_true( gelCamera_Eye( &camera ).y > 6.0f );

	// Up is up, right is right, near is in front.
	camera.yaw = camera.pitch = 0.0f;
	gelMat4 m = gelCamera_ViewProjection( &camera, 1.0f, camera.target, 1.0f );
	float middle[3], right[3], up[3], near[3];
	ProjectPoint( &m, camera.target, middle );
	ProjectPoint( &m, ( gelVec3 ){ 1.5f, 2.0f, 3.0f }, right );
	ProjectPoint( &m, ( gelVec3 ){ 1.0f, 2.5f, 3.0f }, up );
	ProjectPoint( &m, ( gelVec3 ){ 1.0f, 2.0f, 3.5f }, near );
	assert_float_equal( middle[0], 0.0f, 1e-6f );
	assert_float_equal( middle[1], 0.0f, 1e-6f );
	assert_true( right[0] > 0.1f && up[1] > 0.1f && near[2] < middle[2] );
}

// ---- pictures ----------------------------------------------------------------------------------------

static void TestPngKeepsEveryPixel( void** state )
{
	(void)state;
	char path[] = "/tmp/gel-test-png-XXXXXX";
	int handle = mkstemp( path );
	assert_true( handle >= 0 );
	close( handle );
	gelImage image;
	gelFindings findings = { .quiet = true };
	assert_true( gelCreateImage( &image, 37, 11 ) );
	for ( int i = 0; i < 3 * 37 * 11; ++i )
		image.pixels[i] = (uint8_t)( 37 * i );
	assert_true( gelWritePng( &image, path, &findings ) );

	png_image read = { .version = PNG_IMAGE_VERSION };
	assert_true( png_image_begin_read_from_file( &read, path ) );
	read.format = PNG_FORMAT_RGB;
	assert_int_equal( read.width, 37 );
	assert_int_equal( read.height, 11 );
	uint8_t pixels[3 * 37 * 11];
	assert_true( png_image_finish_read( &read, NULL, pixels, 0, NULL ) );
	assert_memory_equal( pixels, image.pixels, sizeof( pixels ) );
	gelFreeImage( &image );
	gelFreeFindings( &findings );
	unlink( path );
}

static void TestPasteIsCutAtTheBorder( void** state )
{
	(void)state;
	gelImage image, stamp;
	assert_true( gelCreateImage( &image, 8, 8 ) );
	assert_true( gelCreateImage( &stamp, 5, 5 ) );
	gelImage_Fill( &stamp, ( gelColor8 ){ 10, 20, 30 } );
	const int places[][2] = { { -3, -3 }, { 6, 6 }, { -5, 0 }, { 8, 0 }, { 0, -5 }, { 0, 8 }, { -100, 100 } };
	for ( size_t i = 0; i < sizeof( places ) / sizeof( places[0] ); ++i )
		gelImage_Paste( &image, &stamp, places[i][0], places[i][1] );
	int filled = 0;
	for ( int i = 0; i < 64; ++i )
		filled += gelImage_Pixel( &image, i % 8, i / 8 ).b == 30 ? 1 : 0;
	assert_int_equal( filled, 4 + 4 ); // two corners of 2 x 2
	assert_int_equal( gelImage_Pixel( &image, 1, 1 ).r, 10 );
	assert_int_equal( gelImage_Pixel( &image, 7, 7 ).r, 10 );
	gelFreeImage( &image );
	gelFreeImage( &stamp );
}

static int DarkPixels( const gelImage* image, int x0, int x1 )
{
	int dark = 0;
	for ( int y = 0; y < image->height; ++y )
	{
		for ( int x = x0; x < x1; ++x )
			dark += gelImage_Pixel( image, x, y ).r < 128 ? 1 : 0;
	}
	return dark;
}

// Every character of a caption leaves its own mark, in its own place.
static void TestCaptionsCanBeRead( void** state )
{
	(void)state;
	const gelLabelStyle style = { 24.0f, 3.0f, { 0, 0, 0 }, 1.0f };
	const char characters[] = "0123456789.=-tsm";
	gelImage images[sizeof( characters ) - 1];
	for ( size_t i = 0; i < sizeof( characters ) - 1; ++i )
	{
		char text[2] = { characters[i], 0 };
		assert_true( gelCreateImage( &images[i], 48, 40 ) );
		gelImage_Fill( &images[i], ( gelColor8 ){ 255, 255, 255 } );
		gelDrawLabel( &images[i], text, 8.0f, 32.0f, &style );
		assert_true( DarkPixels( &images[i], 0, 48 ) >= 6 );
		int width = (int)gelLabelWidth( text, &style );
		assert_int_equal( DarkPixels( &images[i], 0, 6 ), 0 );
		assert_int_equal( DarkPixels( &images[i], 8 + width, 48 ), 0 );
		for ( size_t k = 0; k < i; ++k )
			assert_memory_not_equal( images[i].pixels, images[k].pixels, 3 * 48 * 40 );
	}
	for ( size_t i = 0; i < sizeof( characters ) - 1; ++i )
		gelFreeImage( &images[i] );
}

static void TestLabelOutsideIsHarmless( void** state )
{
	(void)state;
	const gelLabelStyle style = { 24.0f, 3.0f, { 0, 0, 0 }, 1.0f };
	gelImage image;
	assert_true( gelCreateImage( &image, 8, 8 ) );
	gelDrawLabel( &image, "t = 1234567890 \xff\x80?", -30.0f, 4.0f, &style );
	gelDrawLabel( &image, "8", 1000.0f, 4.0f, &style );
	gelDrawLabel( &image, "8", 4.0f, -1000.0f, &style );
	gelFreeImage( &image );
}

static void TestSheetHoldsEveryTile( void** state )
{
	(void)state;
	for ( int count = 1; count <= 30; ++count )
	{
		gelContactSheet sheet;
		gelImage tile;
		int width, height;
		assert_true( gelCreateContactSheet( &sheet, count, 40, 30 ) );
		gelContactSheetSize( count, 40, 30, &width, &height );
		assert_true( sheet.columns * sheet.rows >= count && sheet.columns * ( sheet.rows - 1 ) < count );
		assert_int_equal( sheet.image.width, width );
		assert_int_equal( sheet.image.height, height );
		assert_true( gelCreateImage( &tile, 40, 30 ) );
		gelImage_Fill( &tile, ( gelColor8 ){ 200, 0, 0 } );
		for ( int i = 0; i < count; ++i )
			gelContactSheet_Set( &sheet, i, &tile, "" );
		int red = 0;
		for ( int i = 0; i < width * height; ++i )
			red += sheet.image.pixels[3 * i] == 200 ? 1 : 0;
		assert_int_equal( red, count * 40 * 30 ); // none is cut off, none covers another
		gelFreeImage( &tile );
		gelFreeContactSheet( &sheet );
	}
}

// ---- options -----------------------------------------------------------------------------------------

static void TestSequencePaths( void** state )
{
	(void)state;
	const struct
	{
		const char* path;
		int frame;
		const char* expected;
	} cases[] = {
		{ "a.png", 7, "a-0007.png" }, { "a.png", 12345, "a-12345.png" },
		{ "out/b-%04d.png", 7, "out/b-0007.png" }, { "%d.png", 10, "10.png" },
		{ "x%02d/y.png", 3, "x03/y.png" }, { "100%/a-%03d.png", 4, "100%/a-004.png" },
		{ "%s%n.png", 1, "%s%n-0001.png" }, // not ours to interpret
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		char* path = gelSequencePath( cases[i].path, cases[i].frame );
		assert_string_equal( path, cases[i].expected );
		free( path );
	}
}

// ---- scenes and recordings ---------------------------------------------------------------------------

typedef struct Stage
{
	uint8_t* bytes;
	gelAsset* asset;
	gelPackSet packs;
	gelProgram program;
} Stage;

static const char* const stagePaths[] = { "box.gel" };

static void OpenStage( Stage* stage, bool pinned )
{
	size_t byteCount = 0;
	memset( stage, 0, sizeof( *stage ) );
	gelInitTestProgram( &stage->program );
	stage->bytes = gelBakeTestBox( 3, 2, 2, 0.6, 0.4, 0.4, pinned, &byteCount );
	assert_int_equal( gelLoadAsset( stage->bytes, byteCount, NULL, &stage->asset, NULL ), gel_success );
	stage->packs = ( gelPackSet ){ &stage->asset, stagePaths, 1 };
}

static void CloseStage( Stage* stage )
{
	gelDestroyAsset( stage->asset );
	free( stage->bytes );
	gelFreeTestProgram( &stage->program );
}

static gelSceneSettings MakeSettings( const char* scene, double height, double step, int copies )
{
	return ( gelSceneSettings ){
		.kind = gelFindScene( scene ), .dropHeight = height, .seconds = 1.0, .step = step, .copies = copies
	};
}

static void TestBodiesStartApartAndAboveTheGround( void** state )
{
	(void)state;
	Stage stage;
	OpenStage( &stage, false );
	const gelSceneSettings settings = MakeSettings( "drop", 0.25, 0.0, 7 );
	gelScene scene;
	assert_true( gelCreateScene( &scene, &stage.packs, &settings, &stage.program.findings ) );
	assert_int_equal( scene.bodyCount, 7 );
	const gelRecordingSettings take = { 1, 60.0, 2, false, false, NULL };
	gelRecording r;
	assert_true( gelRecord( &r, &scene, &take, &stage.program ) );
	assert_float_equal( gelRecording_Stats( &r, 0, 0 )->bounds.min.y, 0.25f, 1e-5f );
	for ( int a = 0; a < 7; ++a )
	{
		gelAabb boxA = gelRecording_Stats( &r, 0, a )->bounds;
		assert_true( boxA.min.y > 0.249f );
		for ( int b = 0; b < a; ++b )
		{
			gelAabb boxB = gelRecording_Stats( &r, 0, b )->bounds;
			bool apart = boxA.min.x > boxB.max.x || boxB.min.x > boxA.max.x || boxA.min.z > boxB.max.z ||
				boxB.min.z > boxA.max.z;
			assert_true( apart );
		}
	}
	gelFreeRecording( &r );
	gelDestroyScene( &scene );
	CloseStage( &stage );
}

// Before the body lands it falls as every body does; later it lies on the ground and has changed its shape.
static void TestRecordingOfADrop( void** state )
{
	(void)state;
	Stage stage;
	OpenStage( &stage, false );
	const gelSceneSettings settings = MakeSettings( "drop", 0.5, 0.0, 1 );
	const gelRecordingSettings take = { 60, 60.0, 5, false, false, NULL };
	gelScene scene;
	gelRecording r;
	assert_true( gelCreateScene( &scene, &stage.packs, &settings, &stage.program.findings ) );
	assert_true( gelRecord( &r, &scene, &take, &stage.program ) );
	assert_int_equal( r.frameCount, 61 );
	assert_int_equal( r.stepCount, 60 );
	const int frames[] = { 0, 15, 30, 45, 60 };
	assert_int_equal( r.momentCount, 5 );
	assert_memory_equal( r.momentFrames, frames, sizeof( frames ) );
	assert_int_equal( gelRecording_FindMoment( &r, 45 ), 3 );
	assert_int_equal( gelRecording_FindMoment( &r, 44 ), -1 );

	// Backward Euler falls g h^2 n (n + 1) / 2 in n steps.
	float start = gelRecording_Stats( &r, 0, 0 )->dynamics.centerOfMass.y;
	float fallen = start - gelRecording_Stats( &r, 12, 0 )->dynamics.centerOfMass.y;
	assert_float_equal( fallen, 9.81f / 3600.0f * 78.0f, 2e-4f );
	assert_float_equal( (float)r.times[12], 0.2f, 1e-6f );

	float lowest = 1.0f;
	int contacts = 0;
	for ( int frame = 0; frame < r.frameCount; ++frame )
	{
		lowest = fminf( lowest, gelRecording_Stats( &r, frame, 0 )->bounds.min.y );
		contacts += r.contacts[frame];
	}
	assert_true( lowest > -0.01f && lowest < 0.01f );
	assert_true( contacts > 0 );
	assert_true( gelRecording_Stats( &r, 0, 0 )->bounds.min.y > 0.49f );
	assert_true( r.stage.max.y > 0.9f && r.stage.min.y < 0.1f );

	// A kept shape can be shown again exactly.
	gelVec3* nodes = malloc( (size_t)scene.nodeCount * sizeof( gelVec3 ) );
	assert_non_null( nodes );
	assert_int_equal( gelScene_SetNodes( &scene, r.nodes + 2 * (size_t)r.nodeCount ), gel_success );
	gelScene_GetNodes( &scene, nodes );
	for ( int i = 0; i < scene.nodeCount; ++i )
	{
		gelVec3 d = gelSub( nodes[i], r.nodes[2 * r.nodeCount + i] );
		assert_true( gelDot( d, d ) < 1e-12f );
	}
	free( nodes );
	gelFreeRecording( &r );
	gelDestroyScene( &scene );
	CloseStage( &stage );
}

// Moments near an impact move to it: the largest deformation of the drop is on the sheet.
static void TestMomentsSeekDeformation( void** state )
{
	(void)state;
	Stage stage;
	OpenStage( &stage, false );
	for ( int moments = 1; moments <= 12; ++moments )
	{
		const gelSceneSettings settings = MakeSettings( "drop", 0.5, 0.0, 1 );
		const gelRecordingSettings take = { 60, 60.0, moments, true, false, NULL };
		gelScene scene;
		gelRecording r;
		assert_true( gelCreateScene( &scene, &stage.packs, &settings, &stage.program.findings ) );
		assert_true( gelRecord( &r, &scene, &take, &stage.program ) );
		assert_int_equal( r.momentFrames[moments - 1], 60 );
		if ( moments > 1 ) assert_int_equal( r.momentFrames[0], 0 );
		for ( int i = 1; i + 1 < moments; ++i )
		{
			int grid = ( 60 * i + ( moments - 1 ) / 2 ) / ( moments - 1 );
			int window = 60 / ( 3 * ( moments - 1 ) );
			assert_true( r.momentFrames[i] > r.momentFrames[i - 1] );
			float shown = gelRecording_Stats( &r, r.momentFrames[i], 0 )->dynamics.elasticEnergy;
			for ( int frame = grid - window + 1; frame < grid + window; ++frame )
				assert_true( gelRecording_Stats( &r, frame, 0 )->dynamics.elasticEnergy <= shown );
		}
		gelFreeRecording( &r );
		gelDestroyScene( &scene );
	}
	CloseStage( &stage );
}

// Without a height the fall is short enough to be over within the time, whatever the size of the body.
static void TestFallFitsIntoTheTime( void** state )
{
	(void)state;
	Stage stage;
	OpenStage( &stage, false );
	const double seconds[] = { 0.1, 0.3, 2.0 };
	float last = 0.0f;
	for ( int i = 0; i < 3; ++i )
	{
		gelSceneSettings settings = MakeSettings( "drop", -1.0, 0.0, 1 );
		settings.seconds = seconds[i];
		gelScene scene;
		gelRecording r;
		const gelRecordingSettings take = { 1, 60.0, 2, false, false, NULL };
		assert_true( gelCreateScene( &scene, &stage.packs, &settings, &stage.program.findings ) );
		assert_true( gelRecord( &r, &scene, &take, &stage.program ) );
		float gap = gelRecording_Stats( &r, 0, 0 )->bounds.min.y;
		assert_true( sqrtf( 2.0f * gap / 9.81f ) < 0.31f * (float)seconds[i] );
		assert_true( gap > last && gap < 0.5f );
		last = gap;
		gelFreeRecording( &r );
		gelDestroyScene( &scene );
	}
	CloseStage( &stage );
}

// Frames at another rate than the steps: a frame shows the step that ends nearest to its time.
static void TestFrameRateIsIndependentOfTheStep( void** state )
{
	(void)state;
	const struct
	{
		double rate;
		int frames, steps;
	} cases[] = { { 60.0, 6, 6 }, { 30.0, 6, 12 }, { 120.0, 6, 3 }, { 24.0, 8, 20 } };
	Stage stage;
	OpenStage( &stage, false );
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		const gelSceneSettings settings = MakeSettings( "drop", -1.0, 0.0, 1 );
		const gelRecordingSettings take = { cases[i].frames, cases[i].rate, 0, false, false, NULL };
		gelScene scene;
		gelRecording r;
		assert_true( gelCreateScene( &scene, &stage.packs, &settings, &stage.program.findings ) );
		assert_true( gelRecord( &r, &scene, &take, &stage.program ) );
		assert_int_equal( r.stepCount, cases[i].steps );
		for ( int frame = 0; frame < r.frameCount; ++frame )
			assert_true( fabs( r.times[frame] - frame / cases[i].rate ) < 0.51 / 60.0 );
		gelFreeRecording( &r );
		gelDestroyScene( &scene );
	}
	CloseStage( &stage );
}

static void TestHangNeedsAndUsesPins( void** state )
{
	(void)state;
	Stage stage;
	gelScene scene;
	const gelSceneSettings settings = MakeSettings( "hang", -1.0, 0.0, 1 );
	// Without a pin set a handle holds the upper end; a scene that asks for pins is refused.
	OpenStage( &stage, false );
	assert_true( gelCreateScene( &scene, &stage.packs, &settings, &stage.program.findings ) );
	assert_int_equal( scene.def.handleCount, 1 );
	assert_in_range( scene.handles[0].pointCount, 1, GEL_HANDLE_POINTS );
	gelSceneDef pinned = scene.def;
	gelSceneBodyDef body = scene.def.bodies[0];
	body.pinned = true;
	pinned.bodies = &body;
	gelSceneSettings asking = settings;
	asking.def = &pinned;
	gelScene refused;
	assert_false( gelCreateScene( &refused, &stage.packs, &asking, &stage.program.findings ) );
	assert_int_equal( stage.program.findings.items[0].number, 704 );
	assert_int_equal( stage.program.findings.exitCode, gel_exitInput );
	gelDestroyScene( &scene );
	CloseStage( &stage );

	OpenStage( &stage, true );
	assert_true( gelCreateScene( &scene, &stage.packs, &settings, &stage.program.findings ) );
	const gelRecordingSettings take = { 30, 60.0, 2, false, false, NULL };
	gelRecording r;
	assert_true( gelRecord( &r, &scene, &take, &stage.program ) );
	uint64_t pinSet = 0;
	int pinNodes[64];
	assert_int_equal( gelAsset_GetPinSets( stage.asset, &pinSet, 1 ), 1 );
	int pinCount = gelAsset_GetPinnedNodes( stage.asset, pinSet, pinNodes, 64 );
	assert_in_range( pinCount, 1, 64 );
	for ( int i = 0; i < pinCount; ++i )
	{
		gelVec3 d = gelSub( r.nodes[pinNodes[i]], r.nodes[r.nodeCount + pinNodes[i]] );
		assert_true( gelDot( d, d ) < 1e-10f );
	}
	float sag = gelRecording_Stats( &r, 0, 0 )->dynamics.centerOfMass.y -
		gelRecording_Stats( &r, 30, 0 )->dynamics.centerOfMass.y;
	assert_true( sag > 0.002f );
	gelFreeRecording( &r );
	gelDestroyScene( &scene );
	CloseStage( &stage );
}

static void TestUnbakedStepIsRefused( void** state )
{
	(void)state;
	Stage stage;
	gelScene scene;
	OpenStage( &stage, false );
	const gelSceneSettings settings = MakeSettings( "drop", -1.0, 0.02, 1 );
	assert_false( gelCreateScene( &scene, &stage.packs, &settings, &stage.program.findings ) );
	assert_int_equal( stage.program.findings.items[0].number, 703 );
	assert_non_null( strstr( stage.program.findings.items[0].text, "0.0166667" ) );
	CloseStage( &stage );
	assert_null( gelFindScene( "no such scene" ) );
}

static void TestTableHasEveryFrame( void** state )
{
	(void)state;
	char path[] = "/tmp/gel-test-csv-XXXXXX";
	int handle = mkstemp( path );
	assert_true( handle >= 0 );
	close( handle );
	Stage stage;
	gelScene scene;
	gelRecording r;
	OpenStage( &stage, false );
	const gelSceneSettings settings = MakeSettings( "drop", -1.0, 0.0, 2 );
	const gelRecordingSettings take = { 9, 60.0, 0, false, false, NULL };
	assert_true( gelCreateScene( &scene, &stage.packs, &settings, &stage.program.findings ) );
	assert_true( gelRecord( &r, &scene, &take, &stage.program ) );
	assert_true( gelWriteCsv( &r, path, &stage.program.findings ) );
	size_t bytes = 0;
	char* text = (char*)gelReadFile( path, 1 << 20, &bytes, &stage.program.findings );
	assert_non_null( text );
	int lines = 0, commas = 0, headerCommas = 0;
	for ( const char* p = text; *p != 0; ++p )
	{
		commas += *p == ',' ? 1 : 0;
		if ( *p == '\n' && lines++ == 0 ) headerCommas = commas;
	}
	assert_int_equal( lines, 1 + 10 * 2 );
	assert_int_equal( commas, headerCommas * lines );
	free( text );
	unlink( path );
	gelFreeRecording( &r );
	gelDestroyScene( &scene );
	CloseStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestFramingFitsAndFills ),
		cmocka_unit_test( TestCameraRaysMeetWhatIsDrawn ),
		cmocka_unit_test( TestCameraLooksFromWhereItStands ),
		cmocka_unit_test( TestPngKeepsEveryPixel ),
		cmocka_unit_test( TestPasteIsCutAtTheBorder ),
		cmocka_unit_test( TestCaptionsCanBeRead ),
		cmocka_unit_test( TestLabelOutsideIsHarmless ),
		cmocka_unit_test( TestSheetHoldsEveryTile ),
		cmocka_unit_test( TestSequencePaths ),
		cmocka_unit_test( TestBodiesStartApartAndAboveTheGround ),
		cmocka_unit_test( TestRecordingOfADrop ),
		cmocka_unit_test( TestMomentsSeekDeformation ),
		cmocka_unit_test( TestFallFitsIntoTheTime ),
		cmocka_unit_test( TestFrameRateIsIndependentOfTheStep ),
		cmocka_unit_test( TestHangNeedsAndUsesPins ),
		cmocka_unit_test( TestUnbakedStepIsRefused ),
		cmocka_unit_test( TestTableHasEveryFrame ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
