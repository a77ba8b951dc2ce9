// SPDX-License-Identifier: MIT
#include "preview/app/preview_options.h"

#include "common/import/mesh_import.h"

#include <gelpack/asserts.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define GEL_MAX_PICTURE_SIZE 8192
#define GEL_MIN_PICTURE_SIZE 16
#define GEL_MAX_MOMENTS      100
#define GEL_DEGREE           0.01745329252f // [rad]

static const gelProgramInfo s_previewInfo = {
	.name = "gel-preview",
	.summary = "shows baked bodies in a window to play with, or draws them into files without one",
	.operands = "[PACK.gel...] [--out PATH.(png|gif|glb|csv)]",
	.example = "gel-preview bear.gel --scene drop --frames 90 --out bear.png",
	.minOperands = 0,
	.maxOperands = 64,
};

static bool EndsWith( const char* text, const char* end )
{
	size_t length = strlen( text ), endLength = strlen( end );
	return length > endLength && strcasecmp( text + length - endLength, end ) == 0;
}

// Finds "%d" or "%0Nd" (N one digit). @return its length, 0: none
static size_t FindPattern( const char* path, const char** outAt, int* outDigits )
{
	for ( const char* p = strchr( path, '%' ); p != NULL; p = strchr( p + 1, '%' ) )
	{
		*outAt = p;
		*outDigits = 1;
		if ( p[1] == 'd' ) return 2;
		if ( p[1] == '0' && p[2] >= '1' && p[2] <= '9' && p[3] == 'd' )
		{
			*outDigits = p[2] - '0';
			return 4;
		}
	}
	return 0;
}

char* gelSequencePath( const char* path, int frame )
{
	GEL_ASSERT( frame >= 0 );
	const char* at = NULL;
	int digits = 4;
	size_t patternLength = FindPattern( path, &at, &digits );
	const char* separator = "";
	if ( patternLength == 0 )
	{
		at = path + strlen( path ) - strlen( ".png" );
		digits = 4;
		separator = "-";
	}
	GEL_ASSERT( frame >= 0 && digits >= 0 );
	digits = digits < 10 ? digits : 10; // an int has no more; capacity counts on it
	size_t capacity = strlen( path ) + 16;
	char* result = malloc( capacity );
	if ( result == NULL ) return NULL;
	snprintf( result, capacity, "%.*s%s%0*d%s", (int)( at - path ), path, separator, digits, frame,
		at + patternLength );
	return result;
}

static bool Reject( gelProgram* program, const char* format, ... )
	__attribute__( ( format( printf, 2, 3 ) ) );
static bool Reject( gelProgram* program, const char* format, ... )
{
	char text[512];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof( text ), format, arguments );
	va_end( arguments );
	gelFindings_Add( &program->findings, gel_findingUsage, NULL, "%s", text );
	return false;
}

static bool ChooseOutput( gelPreviewOptions* o, gelProgram* program )
{
	if ( o->outPath == NULL )
	{
		o->outKind = gel_outputWindow;
		return !o->sequence || Reject( program, "--sequence writes pictures: give --out PATH.png" );
	}
	if ( o->packCount == 0 ) return Reject( program, "--out needs a pack to show" );
	if ( o->recordPath != NULL )
		return Reject( program, "--record notes what happens in a window, so it does not go with --out" );
	static const struct
	{
		const char* end;
		gelOutputKind kind;
	} kinds[] = { { ".csv", gel_outputTable }, { ".gif", gel_outputGif }, { ".glb", gel_outputGlb },
		{ ".png", gel_outputSheet } };
	o->outKind = gel_outputWindow;
	for ( size_t i = 0; i < sizeof( kinds ) / sizeof( kinds[0] ); ++i )
	{
		if ( EndsWith( o->outPath, kinds[i].end ) ) o->outKind = kinds[i].kind;
	}
	if ( o->outKind == gel_outputWindow )
		return Reject( program, "the kind of \"%s\" is not known: use .png, .gif, .glb or .csv", o->outPath );
	if ( o->sequence && o->outKind != gel_outputSheet )
		return Reject( program, "--sequence writes pictures, so \"%s\" has to end in .png", o->outPath );
	const char* at;
	int digits;
	bool sequence = o->sequence || FindPattern( o->outPath, &at, &digits ) > 0;
	if ( o->outKind == gel_outputSheet && sequence ) o->outKind = gel_outputSequence;
	return true;
}

bool gelOutputNeedsGl( gelOutputKind kind )
{
	return kind != gel_outputTable && kind != gel_outputGlb;
}

// Whether one or two pictures stand side by side.
static bool ChooseLanes( gelPreviewOptions* o, gelProgram* program )
{
	if ( o->versusGiven ) o->versus = o->versusChoice;
	GEL_ASSERT( o->versus >= -1 && o->versus < GEL_PREVIEW_SOLVERS );
	bool packs = o->sideBySide || o->compare;
	o->laneCount = packs || o->versus >= 0 ? 2 : 1;
	if ( o->laneCount == 1 ) return true;
	if ( !gelOutputNeedsGl( o->outKind ) || o->outKind == gel_outputWindow )
		return Reject(
			program, "--side-by-side, --compare and --versus draw pictures: give --out PATH.png or .gif" );
	if ( packs && o->versus < 0 && o->packCount != 2 )
		return Reject( program, "two packs can be shown side by side, not %d", o->packCount );
	return o->maxDifference < 0.0 || o->compare || Reject( program, "--max-difference goes with --compare" );
}

static bool ParseSize( gelPreviewOptions* o, gelProgram* program )
{
	if ( o->sizeText == NULL ) o->sizeText = o->outKind == gel_outputWindow ? "1280x720" : "480x480";
	char* end = NULL;
	long width = strtol( o->sizeText, &end, 10 ), height = 0;
	bool ok = isdigit( (unsigned char)o->sizeText[0] ) && ( *end == 'x' || *end == 'X' ) &&
		isdigit( (unsigned char)end[1] );
	if ( ok )
	{
		height = strtol( end + 1, &end, 10 );
		ok = *end == 0;
	}
	ok = ok && width >= GEL_MIN_PICTURE_SIZE && width <= GEL_MAX_PICTURE_SIZE &&
		height >= GEL_MIN_PICTURE_SIZE && height <= GEL_MAX_PICTURE_SIZE;
	if ( !ok )
		return Reject(
			program, "--size \"%s\" is not WxH with 16 to 8192 pixels, such as 480x480", o->sizeText );
	o->width = (int)width;
	o->height = (int)height;
	return true;
}

static bool ParseCamera( gelPreviewOptions* o, gelProgram* program )
{
	char text[64];
	double yaw = 0.0, pitch = 0.0;
	bool ok = snprintf( text, sizeof( text ), "%s", o->cameraText ) < (int)sizeof( text );
	char* comma = strchr( text, ',' );
	if ( ok && comma != NULL )
	{
		*comma = 0;
		ok = gelParseNumber( text, &yaw ) && gelParseNumber( comma + 1, &pitch );
	}
	if ( !ok || comma == NULL || yaw < -360.0 || yaw > 360.0 || pitch < -85.0 || pitch > 85.0 )
	{
		return Reject( program,
			"--camera \"%s\" is not YAW,PITCH in degrees (-360 to 360, -85 to 85), such as 25,14",
			o->cameraText );
	}
	o->yaw = (float)yaw * GEL_DEGREE;
	o->pitch = (float)pitch * GEL_DEGREE;
	return true;
}

static bool CheckOverlay( gelPreviewOptions* o, gelProgram* program )
{
	if ( gelParseOverlay( o->overlayText, &o->overlay ) ) return true;
	return Reject( program,
		"there is no overlay \"%s\"; the overlays are: none, cage, patches, tree:LEVEL (such as tree:3), "
		"boxes, boxes:LEVEL, strain, stress, inverted, contacts, curves, particles, attachments",
		o->overlayText );
}

// Before anything is simulated: minutes of work must not end at the one picture that would overwrite an
// input.
static bool CheckSequencePaths( gelPreviewOptions* o, gelProgram* program )
{
	bool ok = true;
	for ( int i = 0; ok && i <= o->frames; ++i )
	{
		char* path = gelSequencePath( o->outPath, i );
		ok = path != NULL && gelPathSet_AllowsOutput( &program->paths, path, "--out", &program->findings );
		if ( path == NULL )
			gelFindings_Add( &program->findings, gel_findingNoMemory, NULL, "out of memory for a path" );
		free( path );
	}
	return ok;
}

static bool CheckPaths( gelPreviewOptions* o, gelProgram* program )
{
	for ( int i = 0; i < o->packCount; ++i )
	{
		const char* path = o->packPaths[i];
		bool isArt = gelIsArtName( path );
		if ( isArt && ( o->recordPath != NULL || o->replayPath != NULL ) )
			return Reject( program,
				"\"%s\" would be baked for this window only: --record and --replay need the pack, so bake it "
				"with gel-bake first",
				path );
		if ( !gelPathSet_AddInput( &program->paths, path, "a pack", &program->findings ) ) return false;
	}
	if ( o->replayPath != NULL &&
		!gelPathSet_AddInput( &program->paths, o->replayPath, "--replay", &program->findings ) )
		return false;
	if ( o->recordPath != NULL &&
		!gelPathSet_AddOutput( &program->paths, o->recordPath, "--record", &program->findings ) )
		return false;
	if ( o->artPath != NULL &&
		!gelPathSet_AddInput( &program->paths, o->artPath, "--art", &program->findings ) )
		return false;
	if ( o->outKind == gel_outputWindow ) return true;
	if ( o->outKind == gel_outputSequence ) return CheckSequencePaths( o, program );
	return gelPathSet_AddOutput( &program->paths, o->outPath, "--out", &program->findings );
}

// A name, or a file that ends in .json; what the file says holds where the command line says nothing.
static bool ChooseScene( gelPreviewOptions* o, gelProgram* program )
{
	o->packPaths = program->operands.items;
	o->packCount = program->operands.count;
	// the last choice is another name of the first
	o->scene.threads = program->threads;
	o->scene.solver = (gelPreviewSolver)( o->solver % GEL_PREVIEW_SOLVERS );
	o->scene.kind = gelFindScene( EndsWith( o->sceneName, ".json" ) ? "drop" : o->sceneName );
	if ( o->scene.kind == NULL )
		return Reject( program, "there is no scene \"%s\"; the scenes are: %s, or a file that ends in .json",
			o->sceneName, gelSceneNames() );
	o->scene.chooseSolver = !o->solverGiven;
	if ( !EndsWith( o->sceneName, ".json" ) ) return true;
	if ( !gelReadSceneFile( &o->sceneFile, o->sceneName, &program->findings ) ) return false;
	const gelSceneDef* def = &o->sceneFile.def;
	if ( o->packCount == 0 )
	{
		o->packPaths = (const char* const*)o->sceneFile.packs;
		o->packCount = o->sceneFile.packCount;
	}
	o->scene.def = def;
	if ( def->frames > 0 && !o->framesGiven ) o->frames = def->frames;
	if ( def->solver >= 0 && !o->solverGiven )
	{
		o->scene.solver = (gelPreviewSolver)def->solver;
		o->scene.chooseSolver = false;
	}
	return gelSceneFile_CheckPacks( &o->sceneFile, o->sceneName, o->packCount, &program->findings );
}

void gelFreePreviewOptions( gelPreviewOptions* options )
{
	gelFreeSceneFile( &options->sceneFile );
}

static bool CheckOptions( gelPreviewOptions* o, gelProgram* program )
{
	if ( o->scene.level > 0 && ( o->recordPath != NULL || o->replayPath != NULL ) )
		return Reject( program, "--level has no meaning together with --record and --replay" );
	if ( !ChooseScene( o, program ) ) return false;
	GEL_ASSERT( o->frames >= 1 && o->frameRate > 0.0 );
	o->scene.seconds = o->frames / o->frameRate;
	if ( !ChooseOutput( o, program ) || !ChooseLanes( o, program ) || !ParseSize( o, program ) ||
		!ParseCamera( o, program ) )
		return false;
	if ( !CheckOverlay( o, program ) || !CheckPaths( o, program ) ) return false;
	// A moment is one of the frames; more moments than frames would show some twice.
	if ( o->moments == 0 ) o->moments = o->outKind == gel_outputGlb ? 61 : 6;
	if ( o->moments > o->frames + 1 ) o->moments = o->frames + 1;
	return true;
}

bool gelPreviewOptions_Parse( gelPreviewOptions* o, gelProgram* program, int argc, char** argv )
{
	*o = ( gelPreviewOptions ){
		.scene = { .dropHeight = -1.0, .copies = 1 },
		.sceneName = "drop",
		.frames = 90,
		.frameRate = 60.0,
		.maxDifference = -1.0,
		.versus = -1,
		.samples = 0,
		.cameraText = "25,13",
		.overlayText = "none",
	};
	char sceneHelp[200];
	snprintf( sceneHelp, sizeof( sceneHelp ), "what happens: %s, or a FILE.json [drop]", gelSceneNames() );
	// clang-format off
	const gelOption table[] = {
		{ .name = "out", .letter = 'o', .type = gel_optionString, .value = "PATH", .target = &o->outPath,
			.help = "x.png: contact sheet; x-%04d.png: a picture per frame; x.gif; x.glb: animated mesh; x.csv: figures [none: a window]" },
		{ .name = "scene", .type = gel_optionString, .value = "NAME|FILE", .target = &o->sceneName,
			.help = sceneHelp },
		{ .name = "frames", .type = gel_optionInt, .value = "N", .target = &o->frames, .min = 1, .max = 36000,
			.given = &o->framesGiven,
			.help = "frames to simulate after the first one; a window closes after so many pictures [90]" },
		{ .name = "frame-rate", .type = gel_optionFloat, .value = "HZ", .target = &o->frameRate, .min = 1, .max = 10000,
			.help = "frames per simulated second [60]" },
		{ .name = "step", .type = gel_optionFloat, .value = "S", .target = &o->scene.step, .min = 1e-5, .max = 1,
			.help = "step length [s], such as 1/60; has to be baked [the pack's first]" },
		{ .name = "solver", .type = gel_optionChoice, .value = "NAME", .target = &o->solver,
			.given = &o->solverGiven,
			.choices = GEL_SOLVER_WORDS "|fast-corotated",
			.help = "how bodies are simulated; fast-corotated is another name of fast [fast; rods and sheets: particles]" },
		{ .name = "height", .type = gel_optionFloat, .value = "M", .target = &o->scene.dropHeight, .min = 0, .max = 1000,
			.help = "gap between the ground and the body at the start [m] [by its size and the time]" },
		{ .name = "copies", .type = gel_optionInt, .value = "N", .target = &o->scene.copies, .min = 1, .max = 256,
			.help = "bodies of each pack, side by side [1]" },
		{ .name = "level", .type = gel_optionInt, .value = "N", .target = &o->scene.level, .min = 0, .max = GEL_MAX_LEVELS - 1,
			.help = "level of detail of packs baked with --lod; of those that have fewer, the coarsest [0]" },
		{ .name = "moments", .type = gel_optionInt, .value = "N", .target = &o->moments, .min = 1, .max = GEL_MAX_MOMENTS,
			.help = "pictures on a contact sheet, or shapes in a GLB file, spread over the time [6; GLB: 61]" },
		{ .name = "side-by-side", .type = gel_optionFlag, .target = &o->sideBySide,
			.help = "show each of two packs in a picture of its own" },
		{ .name = "versus", .type = gel_optionChoice, .value = "NAME", .target = &o->versusChoice,
			.given = &o->versusGiven, .choices = GEL_SOLVER_WORDS,
			.help = "show the same with this solver in a second picture" },
		{ .name = "compare", .type = gel_optionFlag, .target = &o->compare,
			.help = "side by side, and a third picture with what differs in red" },
		{ .name = "max-difference", .type = gel_optionFloat, .value = "PERCENT", .target = &o->maxDifference,
			.min = 0, .max = 100, .help = "with --compare: exit 5 when more of the pixels differ" },
		{ .name = "sequence", .type = gel_optionFlag, .target = &o->sequence,
			.help = "write one picture per frame: x-0000.png, x-0001.png, ..." },
		{ .name = "size", .type = gel_optionString, .value = "WxH", .target = &o->sizeText,
			.help = "size of one picture in pixels [480x480; of a window 1280x720]" },
		{ .name = "camera", .type = gel_optionString, .value = "YAW,PITCH", .target = &o->cameraText,
			.help = "direction of the camera in degrees [25,13]" },
		{ .name = "record", .type = gel_optionString, .value = "FILE", .target = &o->recordPath,
			.help = "write what is done in the window to FILE, to be replayed" },
		{ .name = "replay", .type = gel_optionString, .value = "FILE", .target = &o->replayPath,
			.help = "do what was recorded, bit for bit; with --out or in the window" },
		{ .name = "art", .type = gel_optionString, .value = "FILE", .target = &o->artPath,
			.help = "art of the first pack, for its colors and other materials, and of other packs that were baked from it [of its name, beside it]" },
		{ .name = "plain", .type = gel_optionFlag, .target = &o->plain,
			.help = "show every body in one color of its own, not in those of its art" },
		{ .name = "smooth", .type = gel_optionInt, .value = "N", .target = &o->samples, .min = 0, .max = 16,
			.help = "samples per pixel of the window, for smooth edges; costs time without a GPU [0]" },
		{ .name = "overlay", .type = gel_optionString, .value = "NAME", .target = &o->overlayText,
			.help = "cage, patches, tree:LEVEL, boxes, boxes:LEVEL, strain, stress, inverted, contacts, curves, particles or attachments: show insides [none]" },
		{ .name = NULL },
	};
	// clang-format on
	// an empty window waits for packs to be dropped on it; without a display there is nothing to wait for
	static gelProgramInfo info;
	info = s_previewInfo;
	if ( argc == 1 && getenv( "DISPLAY" ) == NULL && getenv( "WAYLAND_DISPLAY" ) == NULL )
		info.minOperands = 1;
	if ( !gelProgram_Begin( program, &info, table, argc, argv ) ) return false;
	return CheckOptions( o, program );
}
