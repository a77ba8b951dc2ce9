// SPDX-License-Identifier: MIT
#include "headless.h"

#include "clean_text.h"
#include "contact_sheet.h"
#include "gl_context.h"
#include "recording.h"
#include "render_target.h"
#include "stage_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEL_MAX_SHEET_PIXELS ( (int64_t)100 * 1000 * 1000 )
#define GEL_PICTURE_MARGIN   0.06f

// What all pictures of a run share.
typedef struct Studio
{
	const gelPreviewOptions* options;
	gelProgram* program;
	gelScene* scene;
	const gelRecording* recording;
	gelStageView stage;
	gelRenderTarget target;
	gelRenderView view;
	json_t* outputs;
} Studio;

static void NoteOutput( Studio* studio, const char* path )
{
	json_array_append_new( studio->outputs, json_string( path ) );
	gelProgram_Say( studio->program, "%s", path );
}

// Draws one moment. False: a finding was added.
static bool DrawMoment( Studio* studio, int moment, gelImage* outImage )
{
	gelFindings* findings = &studio->program->findings;
	const gelRecording* r = studio->recording;
	gelResult result = gelScene_SetNodes( studio->scene, r->nodes + (size_t)moment * (size_t)r->nodeCount );
	if ( result != gel_success )
	{
		gelFindings_Add( findings, gel_finding705, NULL, "frame %d cannot be shown: %s",
			r->momentFrames[moment], gelResult_String( result ) );
		return false;
	}
	gelStageView_Update( &studio->stage );
	if ( !gelRenderer_Draw( studio->stage.renderer, &studio->view ) ||
		!gelRenderTarget_Read( &studio->target, outImage ) )
	{
		gelFindings_Add( findings, gel_finding707, NULL, "frame %d cannot be drawn; try a smaller --size",
			r->momentFrames[moment] );
		return false;
	}
	return true;
}

static void WriteSheet( Studio* studio )
{
	const gelPreviewOptions* o = studio->options;
	const gelRecording* r = studio->recording;
	gelContactSheet sheet;
	if ( !gelCreateContactSheet( &sheet, r->momentCount, o->width, o->height ) )
	{
		gelFindings_Add(
			&studio->program->findings, gel_finding3, NULL, "out of memory for the contact sheet" );
		return;
	}
	bool ok = true;
	for ( int i = 0; ok && i < r->momentCount; ++i )
	{
		gelImage picture;
		ok = DrawMoment( studio, i, &picture );
		if ( !ok ) break;
		char caption[32];
		snprintf( caption, sizeof( caption ), "t = %.2f s", r->times[r->momentFrames[i]] );
		gelContactSheet_Set( &sheet, i, &picture, caption );
		gelFreeImage( &picture );
		gelProgress_Update( &studio->program->progress, "draw", ( i + 1.0 ) / r->momentCount );
	}
	if ( ok && gelWritePng( &sheet.image, o->outPath, &studio->program->findings ) )
		NoteOutput( studio, o->outPath );
	gelFreeContactSheet( &sheet );
}

static void WriteSequence( Studio* studio )
{
	const gelRecording* r = studio->recording;
	bool ok = true;
	for ( int i = 0; ok && i < r->momentCount; ++i )
	{
		gelImage picture;
		if ( !DrawMoment( studio, i, &picture ) ) return;
		char* path = gelSequencePath( studio->options->outPath, r->momentFrames[i] );
		if ( path == NULL )
		{
			gelFindings_Add( &studio->program->findings, gel_finding3, NULL, "out of memory for a path" );
		}
		ok = path != NULL && gelWritePng( &picture, path, &studio->program->findings );
		if ( ok ) NoteOutput( studio, path );
		free( path );
		gelFreeImage( &picture );
		gelProgress_Update( &studio->program->progress, "draw", ( i + 1.0 ) / r->momentCount );
	}
}

// The camera sees everything over the whole time, and the ground under it.
static void AimCamera( Studio* studio )
{
	const gelPreviewOptions* o = studio->options;
	gelAabb box = studio->recording->stage;
	float ground = studio->scene->ground;
	gelAabb framed = box;
	if ( studio->scene->def.hasGround ) framed.min.y = fminf( box.min.y, ground );
	float aspect = (float)o->width / (float)o->height;
	const gelSceneCamera* own = &studio->scene->def.camera;
	float yaw = own->isSet ? own->yaw : o->yaw, pitch = own->isSet ? own->pitch : o->pitch;
	gelCamera camera = gelFrameBox( framed, yaw, pitch, aspect, GEL_PICTURE_MARGIN );
	if ( own->hasTarget )
	{
		camera.target = own->target;
		camera.distance = own->distance;
	}
	studio->view = ( gelRenderView ){
		.camera = camera,
		.framebuffer = studio->target.framebuffer,
		.width = o->width,
		.height = o->height,
		.stage = framed,
		.groundHeight = ground,
		.showGround = studio->scene->def.hasGround,
	};
}

static void DrawAll( Studio* studio )
{
	const gelPreviewOptions* o = studio->options;
	gelFindings* findings = &studio->program->findings;
	if ( !gelCreateRenderTarget( &studio->target, o->width, o->height, GEL_PICTURE_SAMPLES ) )
	{
		gelFindings_Add( findings, gel_finding707, NULL,
			"pictures of %d x %d are too large for this OpenGL driver", o->width, o->height );
		return;
	}
	gelRenderer* renderer = gelMakeRenderer( gel_renderPicture, findings );
	if ( renderer != NULL &&
		gelCreateStageView( &studio->stage, renderer, studio->scene, &o->overlay, findings ) )
	{
		AimCamera( studio );
		if ( o->outKind == gel_outputSheet )
			WriteSheet( studio );
		else
			WriteSequence( studio );
		gelDestroyStageView( &studio->stage );
	}
	gelDestroyRenderer( renderer );
	gelDestroyRenderTarget( &studio->target );
}

static void WriteOutputs( Studio* studio, gelGlContext* context )
{
	const gelPreviewOptions* o = studio->options;
	gelReport* report = &studio->program->report;
	studio->outputs = json_array();
	gelReport_Phase( report, o->outKind == gel_outputTable ? "write" : "render" );
	if ( o->outKind == gel_outputTable )
	{
		if ( gelWriteCsv( studio->recording, o->outPath, &studio->program->findings ) )
			NoteOutput( studio, o->outPath );
	}
	else
	{
		gelReport_SetString( report, "render.driver", context->renderer );
		gelReport_SetInt( report, "render.width", o->width );
		gelReport_SetInt( report, "render.height", o->height );
		gelReport_SetInt( report, "render.pictures", studio->recording->momentCount );
		DrawAll( studio );
	}
	gelReport_SetJson( report, "outputs", studio->outputs );
	gelReport_Phase( report, NULL );
}

// False: a finding was added and nothing is left.
static bool BeginSession( const gelPreviewOptions* o, gelProgram* program, const gelPackSet* packs,
	gelSession* session, gelInputLog* replay )
{
	gelFindings* findings = &program->findings;
	if ( o->replayPath != NULL && !gelReadInputLog( replay, o->replayPath, findings ) ) return false;
	bool ok = o->replayPath == NULL || gelInputLog_CheckPacks( replay, packs, o->replayPath, findings );
	ok = ok && gelCreateSession( session, packs, &o->scene, findings );
	if ( ok && o->replayPath != NULL && !gelSession_BeginReplay( session, replay, findings ) )
	{
		gelDestroySession( session );
		ok = false;
	}
	if ( !ok ) gelFreeInputLog( replay );
	return ok;
}

static void Simulate(
	const gelPreviewOptions* o, gelProgram* program, const gelPackSet* packs, gelGlContext* context )
{
	gelSession session;
	gelRecording recording;
	gelInputLog replay = { 0 };
	if ( !BeginSession( o, program, packs, &session, &replay ) ) return;
	gelScene* scene = &session.scene;
	gelReport_Phase( &program->report, "simulate" );
	int moments = o->outKind == gel_outputSheet ? o->moments
		: o->outKind == gel_outputTable         ? 0
												: o->frames + 1;
	const gelRecordingSettings settings = { o->frames, o->frameRate, moments, o->outKind == gel_outputSheet,
		&session };
	if ( gelRecord( &recording, scene, &settings, program ) )
	{
		gelReport_SetString( &program->report, "scene.name", o->sceneName );
		gelReportRecording( &recording, scene, &program->report );
		if ( session.replay != NULL && gelSession_ReplayEnded( &session ) )
			gelCheckReplay( &session, o->replayPath, program );
		Studio studio = { .options = o, .program = program, .scene = scene, .recording = &recording };
		WriteOutputs( &studio, context );
		gelFreeRecording( &recording );
	}
	gelDestroySession( &session );
	gelFreeInputLog( &replay );
}

static bool CheckSheetSize( const gelPreviewOptions* o, gelFindings* findings )
{
	int width, height;
	gelContactSheetSize( o->moments, o->width, o->height, &width, &height );
	if ( o->outKind != gel_outputSheet || (int64_t)width * height <= GEL_MAX_SHEET_PIXELS ) return true;
	gelFindings_Add( findings, gel_finding5, NULL,
		"a contact sheet of %d x %d pixels is too large; ask for fewer --moments or a smaller --size", width,
		height );
	return false;
}

void gelRunHeadless( const gelPreviewOptions* o, gelProgram* program )
{
	if ( !CheckSheetSize( o, &program->findings ) ) return;
	json_t* inputs = json_array();
	for ( int i = 0; i < o->packCount; ++i )
	{
		char* clean = gelCleanText( o->packPaths[i] ); // JSON is UTF-8, a file name need not be
		if ( clean != NULL ) json_array_append_new( inputs, json_string( clean ) );
		free( clean );
	}
	gelReport_SetJson( &program->report, "inputs", inputs );
	gelReport_Phase( &program->report, "load" );
	gelPackSet packs;
	if ( !gelLoadPacks( &packs, o->packPaths, o->packCount, &program->findings ) ) return;

	// Before the simulation, which can take long: a picture that cannot be drawn need not be computed.
	gelGlContext context = { 0 };
	bool ready = o->outKind == gel_outputTable || gelCreateGlContext( &context );
	if ( ready )
	{
		Simulate( o, program, &packs, &context );
	}
	else
	{
		gelFindings_Add( &program->findings, gel_finding701, NULL,
			"no OpenGL 3.3: %s; install libegl1 and libgl1-mesa-dri (no GPU or display is needed), or use "
			"--out "
			"PATH.csv, which draws nothing",
			context.error );
	}
	gelDestroyGlContext( &context );
	gelFreePacks( &packs );
}
