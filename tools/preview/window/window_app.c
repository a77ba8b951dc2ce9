// SPDX-License-Identifier: MIT
// The window: a loop of input, steps, panels and picture. Nothing is drawn while nothing changes, so that a
// preview that is left open costs no battery.
//
//     events -> pointer and keys -> gelSession_Input      (recorded, if asked for)
//            -> baker: art that was dropped is baked in another process, and its pack loaded
//            -> steps for the time that has passed -> panels -> stage -> picture
#include "preview/window/window_app.h"

#include "common/import/mesh_import.h"
#include "common/program/report.h"
#include "preview/stage/overlay_heat.h"
#include "preview/window/window.h"

#include <gelpack/asserts.h>

#include <epoxy/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#define GEL_WINDOW_MARGIN 0.25f // free border around the scene
#define GEL_WINDOW_PERIOD                                                                                    \
	( 1.0 / 60.0 )             // time of a picture, where the driver does not wait for the screen [s]
#define GEL_STEP_BUDGET   0.1  // wall clock for the steps of one picture [s]
#define GEL_LONGEST_PAUSE 0.1  // a longer time between two pictures is not caught up [s]
#define GEL_PANEL_PERIOD  0.08 // time for which the panel's figures stay; nobody reads faster [s]
#define GEL_SETTLE_TIME   0.3  // pictures go on that long after a change: panels follow later [s]

// ---- scene and camera --------------------------------------------------------------------------------

float gelWindow_CoveredPart( const gelWindowApp* app )
{
	float width = (float)app->width / app->scale;
	float part = GEL_PANEL_WIDTH / fmaxf( width, 1.0f );
	return app->showPanel && part < 0.7f ? part : 0.0f; // a tiny window is all panel
}

void gelWindow_FrameScene( gelWindowApp* app )
{
	gelAabb box = { { -1.0f, 0.0f, -1.0f }, { 1.0f, 1.0f, 1.0f } };
	float yaw = app->options->yaw, pitch = app->options->pitch;
	if ( app->session.hasScene )
	{
		const gelScene* scene = &app->session.scene;
		box = gelScene_Bounds( scene );
		const gelAabb bodies = box;
		for ( int i = 0; i < scene->def.colliderCount; ++i )
			// Where colliders will come by is in view from the start.
			box = gelAabb_Union(
				box, gelSceneCollider_ShownBounds( scene->def.colliders + i, INFINITY, bodies ) );
		if ( scene->def.hasGround ) box.min.y = fminf( box.min.y, scene->ground );
		if ( scene->def.camera.isSet ) yaw = scene->def.camera.yaw, pitch = scene->def.camera.pitch;
	}
	float aspect = app->height > 0 ? (float)app->width / (float)app->height : 1.0f;
	app->stageBox = box;
	// The scene is framed for the part of the window that the panel leaves free.
	aspect *= 1.0f - gelWindow_CoveredPart( app );
	app->camera = gelFrameBox( box, yaw, pitch, aspect, GEL_WINDOW_MARGIN );
	if ( app->session.hasScene && app->session.scene.def.camera.hasTarget )
	{
		app->camera.target = app->session.scene.def.camera.target;
		app->camera.distance = app->session.scene.def.camera.distance;
	}
	app->needsPicture = true;
}

// Gives the renderer what is in the scene now; without an overlay when that cannot be had.
static void MakeStage( gelWindowApp* app )
{
	if ( app->hasStage ) gelDestroyStageView( &app->stage );
	app->hasStage = false;
	app->session.sceneIsNew = false;
	app->needsPicture = true;
	gelRenderer_Clear( app->renderer );
	if ( !app->session.hasScene ) return;
	gelFindings findings = { 0 };
	app->hasStage = gelCreateStageView(
		&app->stage, app->renderer, &app->session.scene, &app->overlay, app->packs.looks, &findings );
	if ( !app->hasStage )
	{
		if ( findings.count > 0 )
			snprintf( app->session.message, sizeof( app->session.message ), "%s", findings.items[0].text );
		app->overlay = ( gelOverlaySettings ){ gel_overlayNone, -1 };
		app->hasStage = gelCreateStageView(
			&app->stage, app->renderer, &app->session.scene, &app->overlay, app->packs.looks, &findings );
	}
	gelFreeFindings( &findings );
}

void gelWindow_SetOverlay( gelWindowApp* app, gelOverlaySettings overlay )
{
	if ( app->session.hasScene && !gelCanShowOverlay( &app->session.scene, overlay.kind ) )
	{
		gelWindow_Say( app, GEL_NO_PARTICLES_TEXT );
		return;
	}
	app->overlay = overlay;
	MakeStage( app );
}

void gelWindow_Say( gelWindowApp* app, const char* text )
{
	snprintf( app->session.message, sizeof( app->session.message ), "%s", text );
}

// Loads a pack and finds its art: the one that is known, or that of --art, or the one that lies beside it.
static bool LoadPack(
	gelWindowApp* app, const char* path, int replaced, const char* art, gelFindings* findings )
{
	if ( !gelWindowPacks_Load( &app->packs, path, replaced, findings ) ) return false;
	gelWindowPacks_FindArt( &app->packs, replaced >= 0 ? replaced : app->packs.set.count - 1,
		art != NULL ? art : app->options->artPath, art != NULL, app->options->plain, findings );
	return true;
}

// The packs have changed: the scene starts anew.
static void RestartScene( gelWindowApp* app, gelFindings* findings )
{
	bool wasEmpty = !app->session.hasScene;
	char ended[sizeof( app->session.message )]; // what was said about the recording stays
	snprintf( ended, sizeof( ended ), "%s", app->recordEnded ? app->session.message : "" );
	app->recordEnded = false;
	if ( gelSession_SetPacks( &app->session, &app->packs.set, findings ) )
	{
		gelWindow_Say( app, ended );
		if ( wasEmpty ) app->session.playing = true;
		gelWindow_FrameScene( app );
	}
	app->needsPicture = true;
}

void gelWindow_AddFiles( gelWindowApp* app, int count, const char* const* paths )
{
	GEL_ASSERT( count >= 0 );
	gelFindings findings = { 0 };
	int added = 0;
	if ( app->session.replay != NULL )
	{
		gelWindow_Say( app, "files cannot be added while a recording is replayed" );
		return;
	}
	for ( int i = 0; i < count; ++i )
	{
		if ( gelIsArtName( paths[i] ) )
		{
			if ( !gelWindowBaker_Order( &app->baker, paths[i], -1, app->material ) )
				gelWindow_Say( app, "too much is waiting to be baked" );
		}
		else if ( LoadPack( app, paths[i], -1, NULL, &findings ) )
			added += 1;
		else if ( findings.count > 0 )
			gelWindow_Say( app, findings.items[findings.count - 1].text );
	}
	if ( added > 0 )
	{
		// the packs that are new are not in the scene yet
		if ( app->session.hasScene ) gelWindow_EndRecord( app, "files were added" );
		RestartScene( app, &findings );
	}
	app->needsPicture = true;
	gelFreeFindings( &findings );
}

// The scene must not use a pack that goes.
static void LeaveScene( gelWindowApp* app )
{
	gelSession_DropScene( &app->session );
	if ( app->hasStage ) gelDestroyStageView( &app->stage );
	app->hasStage = false;
}

// Packs as they were before another material was chosen; what is being baked is not wanted any more.
static void RestorePacks( gelWindowApp* app )
{
	gelFindings findings = { 0 };
	gelWindowBaker_DropReplacements( &app->baker );
	gelWindow_EndRecord( app, "the first material was chosen again" );
	LeaveScene( app );
	for ( int i = 0; i < app->packs.set.count; ++i )
	{
		if ( strcmp( app->packs.paths[i], app->packs.firsts[i] ) == 0 ) continue;
		if ( !gelWindowPacks_Load( &app->packs, app->packs.firsts[i], i, &findings ) && findings.count > 0 )
			gelWindow_Say( app, findings.items[findings.count - 1].text );
	}
	RestartScene( app, &findings );
	gelFreeFindings( &findings );
}

void gelWindow_SetMaterial( gelWindowApp* app, int preset )
{
	int ordered = 0;
	if ( app->session.replay != NULL )
	{
		gelWindow_Say( app, "a material cannot be chosen while a recording is replayed" );
		return;
	}
	app->material = preset;
	if ( preset < 0 )
	{
		RestorePacks( app );
		return;
	}
	for ( int i = 0; i < app->packs.set.count; ++i )
	{
		if ( app->packs.arts[i] != NULL &&
			gelWindowBaker_Order( &app->baker, app->packs.arts[i], i, preset ) )
			ordered += 1;
	}
	if ( ordered == 0 && app->packs.set.count > 0 )
		gelWindow_Say( app,
			"a material needs the art to bake it with: start with --art FILE, or put it beside the pack" );
}

// Takes over what has been baked.
static void PollBaker( gelWindowApp* app )
{
	if ( gelWindowBaker_IsBusy( &app->baker ) ) app->needsPicture = true;
	const char* made = gelWindowBaker_Poll( &app->baker, &app->packs );
	if ( app->baker.message[0] != 0 )
	{
		gelWindow_Say( app, app->baker.message );
		gelFindings_Add( &app->program->findings, gel_findingRebakeFailed, app->baker.failedArt, "%s",
			app->baker.message );
		app->baker.message[0] = 0;
	}
	if ( made == NULL ) return;
	gelFindings findings = { 0 };
	int replaced = app->baker.current.replaces;
	// A pack that is made here is gone when the window closes, so nothing with it can be replayed.
	gelWindow_EndRecord( app, replaced >= 0 ? "another material was baked" : "art was baked" );
	if ( replaced >= 0 ) LeaveScene( app );
	bool ok = LoadPack( app, made, replaced, app->baker.current.art, &findings );
	free( app->baker.current.art );
	app->baker.current.art = NULL;
	if ( ok || replaced >= 0 ) RestartScene( app, &findings );
	gelFreeFindings( &findings );
}

// ---- pictures ----------------------------------------------------------------------------------------

static bool FitTarget( gelWindowApp* app )
{
	glfwGetFramebufferSize( app->window.handle, &app->width, &app->height );
	int windowWidth = 0, windowHeight = 0;
	glfwGetWindowSize( app->window.handle, &windowWidth, &windowHeight );
	app->scale = windowWidth > 0 ? (float)app->width / (float)windowWidth : 1.0f;
	// A window that is minimized, or pulled to nothing, has no pixels.
	if ( app->width <= 0 || app->height <= 0 ) return false;
	if ( app->fitWidth == app->width && app->fitHeight == app->height ) return true;
	app->fitWidth = app->width;
	app->fitHeight = app->height;
	app->needsPicture = true;
	gelDestroyRenderTarget( &app->target );
	// Where there can be none, edges are not smooth.
	if ( app->options->samples > 0 )
		gelCreateRenderTarget( &app->target, app->width, app->height, app->options->samples );
	return true;
}

static void MeasureFigures( gelWindowApp* app, gelFrameFigures* f )
{
	const gelScene* scene = &app->session.scene;
	gelVec3 gravity = gelWorld_GetGravity( scene->world );
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		gelBodyDynamics d = gelBody_GetDynamics( scene->bodies[i] );
		f->kinetic += d.kineticEnergy;
		f->elastic += d.elasticEnergy;
		// Energy of height: -m g . x, relative to the ground [J].
		f->potential -= d.mass *
			( gravity.x * d.centerOfMass.x + gravity.y * ( d.centerOfMass.y - scene->ground ) +
				gravity.z * d.centerOfMass.z );
		f->inverted += d.invertedTetCount;
	}
	gelStepTimes times = gelWorld_GetStepTimes( scene->world );
	f->contactPhase = (float)( 1e6 * times.contacts );
	f->bodyPhase = (float)( 1e6 * times.bodies );
	f->responsePhase = (float)( 1e6 * times.response );
	f->contacts = gelWorld_GetCounters( scene->world ).groundContactCount +
		gelWorld_GetContacts( scene->world, NULL, 0 );
}

static bool DrawScene( gelWindowApp* app, const gelCamera* camera, unsigned framebuffer, int covered )
{
	const gelScene* scene = &app->session.scene;
	bool hasScene = app->session.hasScene;
	const gelRenderView view = {
		.camera = *camera,
		.framebuffer = framebuffer,
		.width = app->width,
		.height = app->height,
		.covered = covered,
		.stage = app->stageBox,
		.groundHeight = hasScene ? scene->ground : 0.0f,
		.showGround = !hasScene || scene->def.hasGround,
	};
	return gelRenderer_Draw( app->renderer, &view );
}

// The panel was laid out for this picture; what it shows is drawn anew when somebody is at it, else now and
// then.
static void DrawPanel( gelWindowApp* app, double now )
{
	int width = (int)fminf( ceilf( GEL_PANEL_WIDTH * app->scale ), (float)app->width );
	bool isDue = now - app->panelTime >= GEL_PANEL_PERIOD || gelWindow_IsOverPanel( app ) ||
		app->ui.width != width || app->ui.height != app->height;
	if ( isDue && app->showPanel )
	{
		gelNuklear_Draw( &app->ui, width, app->height, app->scale );
		app->panelTime = now;
	}
	else
		gelNuklear_Skip( &app->ui );
	if ( app->showPanel ) gelNuklear_Show( &app->ui );
}

// Into the window: the scene beside the panel, and the panel.
static void DrawWindow( gelWindowApp* app, double now )
{
	DrawScene( app, &app->camera, app->target.framebuffer,
		(int)( gelWindow_CoveredPart( app ) * (float)app->width ) );
	if ( app->target.framebuffer != 0 ) gelRenderTarget_Show( &app->target, 0 );
	DrawPanel( app, now );
	// So that the time of drawing is measured where it is spent, and the mouse does not run ahead of queued
	// pictures.
	glFinish();
	glfwSwapBuffers( app->window.handle );
}

// A cross at every pin, and a line from what is grabbed to where it is pulled.
static void MarkPointer( gelWindowApp* app )
{
	const gelSession* s = &app->session;
	gelMarks* marks = &app->stage.pointer;
	float size = app->stage.markSize;
	gelMarks_Clear( marks );
	for ( int i = 0; i < s->pinCount; ++i )
	{
		gelVec3 place = s->pins[i].target;
		gelBody_GetPointPosition( s->scene.bodies[s->pins[i].body], &s->pins[i].point, &place );
		gelMarks_AddCross( marks, place, 1.6f * size );
	}
	if ( s->isGrabbing )
	{
		gelMarks_AddCross( marks, s->grabTarget, size );
		gelMarks_AddLine( marks, gelSession_GrabPoint( s ), s->grabTarget );
	}
	gelMarks_Show( marks, app->renderer );
}

static void UpdateStage( gelWindowApp* app )
{
	gelContactMark contacts[GEL_MAX_CONTACT_MARKS];
	const gelScene* scene = &app->session.scene;
	gelStageView_Update( &app->stage, gelScene_Time( scene ) );
	if ( app->overlay.kind == gel_overlayContacts )
		gelStageView_ShowContacts(
			&app->stage, contacts, gelGetContactMarks( scene, contacts, GEL_MAX_CONTACT_MARKS ) );
	MarkPointer( app );
}

// Steps, skins and draws. Panels are laid out every time, because mouse and keys act on them then.
static void MakePicture( gelWindowApp* app, double elapsed )
{
	gelFrameFigures f = { 0 };
	double start = gelNow();
	int steps = gelSession_Advance( &app->session, elapsed, GEL_STEP_BUDGET );
	double simulated = gelNow();
	if ( app->session.sceneIsNew ) MakeStage( app );
	gelWindow_ShowPanels( app );
	if ( app->session.sceneIsNew ) MakeStage( app ); // chosen in a panel
	if ( steps > 0 || app->needsPicture ) app->stirTime = start;
	app->needsPicture = false;
	app->pictureCount += 1;
	// Panels were laid out above, which is what makes buttons work; only drawing is left out.
	if ( start - app->stirTime > GEL_SETTLE_TIME )
	{
		gelNuklear_Skip( &app->ui );
		return;
	}
	double laidOut = gelNow();
	if ( app->hasStage ) UpdateStage( app );
	double skinned = gelNow();
	DrawWindow( app, start );
	double end = gelNow();
	app->drawnCount += 1;
	app->workSeconds += end - start;
	// The first pictures compile shaders.
	if ( end - start > app->slowestWork && app->drawnCount > 3 ) app->slowestWork = end - start;
	f.simulate = (float)( 1e3 * ( simulated - start ) );
	f.skin = (float)( 1e3 * ( skinned - laidOut ) );
	f.draw = (float)( 1e3 * ( laidOut - simulated + end - skinned ) );
	f.stepMicroseconds = app->session.hasScene ? (float)( 1e6 * app->session.scene.stepSeconds ) : 0.0f;
	if ( app->session.hasScene ) MeasureFigures( app, &f );
	if ( steps > 0 ) gelFrameStats_Add( &app->stats, &f );
}

// The scene without the panel, and in the middle.
static bool TakePicture( gelWindowApp* app, gelImage* outImage )
{
	gelRenderTarget target;
	gelCamera camera = app->camera;
	camera.shift = 0.0f;
	if ( !gelCreateRenderTarget( &target, app->width, app->height, app->options->samples ) ) return false;
	bool ok = DrawScene( app, &camera, target.framebuffer, 0 ) && gelRenderTarget_Read( &target, outImage );
	gelDestroyRenderTarget( &target );
	return ok;
}

void gelWindow_Screenshot( gelWindowApp* app )
{
	char path[64], heat[64] = "";
	gelImage image;
	snprintf( path, sizeof( path ), "gel-preview-%03d.png", app->screenshotCount++ );
	if ( app->width <= 0 || app->height <= 0 || !TakePicture( app, &image ) ) return;
	if ( app->hasStage ) gelStageView_DescribeHeat( &app->stage, heat, sizeof( heat ) );
	if ( heat[0] != 0 ) gelDrawHeatLegend( &image, heat );
	if ( gelWritePng( &image, path, &app->program->findings ) ) gelWindow_Say( app, path );
	gelFreeImage( &image );
}

// ---- report ------------------------------------------------------------------------------------------

static void Report( gelWindowApp* app, double seconds )
{
	static const char* const names[gel_inputKinds] = { "grabs", "drags", "releases", "pins", "pushes",
		"resets", "solver_changes", "step_changes", "pass_changes", "gravity_changes", "scene_changes",
		"stiffness_changes", "unpins" };
	gelReport* report = &app->program->report;
	char key[64];
	gelReport_SetString( report, "window.driver", app->window.renderer );
	gelReport_SetInt( report, "window.width", app->width );
	gelReport_SetInt( report, "window.height", app->height );
	gelReport_SetInt( report, "window.pictures", app->pictureCount );
	gelReport_SetReal( report, "window.seconds", seconds );
	double mean = app->drawnCount > 0 ? app->workSeconds / app->drawnCount : 0.0;
	gelReport_SetReal( report, "window.mean_picture_ms", 1e3 * mean );
	gelReport_SetReal( report, "window.slowest_picture_ms", 1e3 * app->slowestWork );
	gelFrameFigures f = gelFrameStats_Mean( &app->stats );
	gelReport_SetReal( report, "window.simulate_ms", (double)f.simulate );
	gelReport_SetReal( report, "window.skin_ms", (double)f.skin );
	gelReport_SetReal( report, "window.draw_ms", (double)f.draw );
	gelReport_SetInt( report, "window.packs", app->packs.set.count );
	gelReport_SetInt( report, "window.baked", app->baker.bakedCount );
	gelReport_SetInt( report, "window.steps", app->session.tick );
	gelReport_SetInt( report, "window.orbits", app->pointer.orbits );
	gelReport_SetInt( report, "window.pans", app->pointer.pans );
	gelReport_SetInt( report, "window.zooms", app->pointer.zooms );
	for ( int i = 0; i < gel_inputKinds; ++i )
	{
		snprintf( key, sizeof( key ), "window.%s", names[i] );
		gelReport_SetInt( report, key, app->session.counts[i] );
	}
	gelReport_SetString( report, "window.solver", gelPreviewSolver_Name( app->session.settings.solver ) );
	gelReport_SetBool( report, "window.playing", app->session.playing );
}

// ---- the loop ----------------------------------------------------------------------------------------

static void WaitUntil( double time )
{
	double left = time - gelNow();
	if ( left <= 0.0 ) return;
	struct timespec pause = { 0, (long)( 1e9 * fmin( left, 0.1 ) ) };
	nanosleep( &pause, NULL );
}

static bool Ended( const gelWindowApp* app )
{
	if ( glfwWindowShouldClose( app->window.handle ) ) return true;
	if ( app->options->framesGiven && app->pictureCount >= app->options->frames ) return true;
	return app->options->replayPath != NULL && app->options->framesGiven &&
		gelSession_ReplayEnded( &app->session );
}

static void Loop( gelWindowApp* app )
{
	double last = gelNow();
	while ( !Ended( app ) )
	{
		// Nothing moves: wait for the person instead of drawing the same picture again.
		bool idle = !app->session.playing && !app->needsPicture && !app->options->framesGiven &&
			!gelWindowBaker_IsBusy( &app->baker );
		if ( idle )
			glfwWaitEventsTimeout( 0.1 );
		else
			glfwPollEvents();
		double now = gelNow(), elapsed = fmin( now - last, GEL_LONGEST_PAUSE );
		last = now;
		if ( !FitTarget( app ) )
		{
			glfwWaitEventsTimeout( 0.05 );
			continue;
		}
		PollBaker( app );
		gelWindow_UpdatePointer( app );
		MakePicture( app, elapsed );
		WaitUntil( now + GEL_WINDOW_PERIOD );
	}
}

static bool Open( gelWindowApp* app )
{
	gelFindings* findings = &app->program->findings;
	char error[160] = "";
	if ( !gelCreateGlWindow( &app->window, app->options->width, app->options->height, "gel-preview" ) )
	{
		gelFindings_Add( findings, gel_findingNoWindow, NULL,
			"%s; set DISPLAY or WAYLAND_DISPLAY, or give --out PATH.png (pictures) or --out PATH.csv "
			"(figures), which need no display",
			app->window.error );
		return false;
	}
	app->renderer = gelMakeRenderer( gel_renderLive, findings );
	if ( app->renderer == NULL ) return false;
	if ( gelCreateNuklear( &app->ui, error, sizeof( error ) ) ) return true;
	gelFindings_Add( findings, gel_findingDrawingFailed, NULL, "the panels cannot be drawn: %s", error );
	return false;
}

static void Close( gelWindowApp* app )
{
	if ( app->hasStage ) gelDestroyStageView( &app->stage );
	if ( app->window.handle != NULL )
	{
		gelDestroyNuklear( &app->ui );
		gelDestroyRenderer( app->renderer );
		gelDestroyRenderTarget( &app->target );
		gelDestroyGlWindow( &app->window );
	}
	gelDestroySession( &app->session );
	gelFreeWindowBaker( &app->baker );
	gelFreeWindowPacks( &app->packs );
	gelFreeInputLog( &app->record );
	gelFreeInputLog( &app->replay );
}

// Art that cannot be read is told at once, too; its warnings are those of gel-bake.
static bool OrderArt( gelWindowApp* app, const char* path )
{
	gelMesh mesh;
	gelFindings* findings = &app->program->findings;
	// Only whether the art can be read is of interest here.
	bool quiet = findings->quiet, strict = findings->warningsAsErrors;
	findings->quiet = true;
	findings->warningsAsErrors = false;
	bool ok = gelImportMesh( path, findings, &mesh, NULL );
	findings->quiet = quiet;
	findings->warningsAsErrors = strict;
	if ( !ok ) return false;
	gelFreeMesh( &mesh );
	if ( gelWindowBaker_Order( &app->baker, path, -1, -1 ) ) return true;
	gelFindings_Add(
		findings, gel_findingUsage, path, "no more than %d files can be baked", GEL_MAX_BAKE_QUEUE );
	return false;
}

// Packs are loaded before the window opens, so that a wrong one is told at once; art is baked in it.
static bool LoadOperands( gelWindowApp* app )
{
	for ( int i = 0; i < app->options->packCount; ++i )
	{
		const char* path = app->options->packPaths[i];
		const char* art = i == 0 ? app->options->artPath : NULL;
		bool ok = gelIsArtName( path ) ? OrderArt( app, path )
									   : LoadPack( app, path, -1, art, &app->program->findings );
		if ( !ok ) return false;
	}
	return true;
}

void gelRunWindow( const gelPreviewOptions* options, gelProgram* program )
{
	gelWindowApp app = { .options = options,
		.program = program,
		.overlay = options->overlay,
		.scale = 1.0f,
		.showPanel = true,
		.material = -1,
		.width = options->width,
		.height = options->height };
	bool ok = LoadOperands( &app );
	ok = ok && Open( &app );
	ok = ok && gelCreateSession( &app.session, &app.packs.set, &options->scene, &program->findings );
	ok = ok && gelWindow_BeginLogs( &app );
	if ( ok )
	{
		FitTarget( &app );
		gelWindow_ListenToPointer( &app );
		gelWindow_FrameScene( &app );
		MakeStage( &app );
		double start = gelNow();
		Loop( &app );
		Report( &app, gelNow() - start );
		gelWindow_EndLogs( &app );
	}
	Close( &app );
}
