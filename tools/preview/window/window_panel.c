// SPDX-License-Identifier: MIT
// The controls on the left of the window, and the figures below them.
#include "preview/window/window_app.h"

#include "common/mesh/material_presets.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <string.h>

#define GEL_MAX_STEPS 16

static const struct nk_color progressColor = { 255, 140, 0, 255 };

// ---- time --------------------------------------------------------------------------------------------

// Speed and pause are not recorded: they change when steps are made, not what they do.
static void ShowTime( gelWindowApp* app, struct nk_context* nk )
{
	gelSession* s = &app->session;
	nk_layout_row_dynamic( nk, 24, 3 );
	if ( nk_button_label( nk, s->playing ? "Pause" : "Play" ) ) s->playing = !s->playing;
	if ( nk_button_label( nk, "Step" ) )
	{
		s->playing = false;
		if ( !gelSession_ReplayEnded( s ) ) gelSession_Step( s );
		app->needsPicture = true;
	}
	if ( nk_button_label( nk, "Reset" ) ) gelSession_Input( s, ( gelInput ){ .kind = gel_inputReset } );
	nk_layout_row_dynamic( nk, 20, 1 );
	float speed = (float)s->speed;
	nk_property_float( nk, "#Speed", 0.01f, &speed, 2.0f, 0.05f, 0.01f );
	s->speed = (double)speed;
	char text[64];
	snprintf( text, sizeof( text ), "t = %.2f s%s", s->hasScene ? gelScene_Time( &s->scene ) : 0.0,
		s->replay != NULL ? gelSession_ReplayEnded( s ) ? "  replay ended" : "  replaying" : "" );
	nk_label( nk, text, NK_TEXT_LEFT );
}

// ---- what is simulated, and how ----------------------------------------------------------------------

static void ShowScenes( gelWindowApp* app, struct nk_context* nk )
{
	const char* names[32];
	int count = 0, current = -1;
	for ( const gelSceneKind* kind; count < 31 && ( kind = gelGetScene( count ) ) != NULL; ++count )
	{
		names[count] = gelSceneKind_Name( kind );
		if ( app->session.settings.def == NULL && app->session.settings.kind == kind ) current = count;
	}
	// A scene file stands behind the scenes that have a name.
	if ( current < 0 ) names[count] = app->session.settings.def->name;
	GEL_ASSERT( count >= 1 && ( current >= 0 || app->session.settings.def != NULL ) );
	int shown = current < 0 ? count : current;
	int picked = nk_combo( nk, names, current < 0 ? count + 1 : count, shown, 20, nk_vec2( 200, 260 ) );
	if ( picked == shown ) return;
	if ( gelSession_Input( &app->session, ( gelInput ){ .kind = gel_inputScene, .value = picked } ) )
		gelWindow_FrameScene( app );
}

static void ShowSolvers( gelSession* s, struct nk_context* nk )
{
	nk_layout_row_dynamic( nk, 18, 3 );
	for ( int i = 0; i < GEL_PREVIEW_SOLVERS; ++i )
	{
		bool chosen = (int)s->settings.solver == i;
		if ( nk_option_label( nk, gelPreviewSolver_Name( (gelPreviewSolver)i ), chosen ) && !chosen )
			gelSession_Input( s, ( gelInput ){ .kind = gel_inputSolver, .value = i } );
	}
}

static void ShowSteps( gelSession* s, struct nk_context* nk )
{
	float steps[GEL_MAX_STEPS];
	char texts[GEL_MAX_STEPS][32];
	const char* names[GEL_MAX_STEPS];
	int count = gelListSteps( s->packs, &s->settings, steps, GEL_MAX_STEPS ), current = 0;
	GEL_ASSERT( count >= 0 && count <= GEL_MAX_STEPS );
	for ( int i = 0; i < count; ++i )
	{
		snprintf( texts[i], sizeof( texts[i] ), "step %.3g ms", 1e3 * (double)steps[i] );
		names[i] = texts[i];
		if ( s->hasScene && steps[i] == s->scene.step ) current = i;
	}
	if ( count == 0 ) return;
	int picked = nk_combo( nk, names, count, current, 20, nk_vec2( 200, 160 ) );
	if ( picked != current )
		gelSession_Input( s, ( gelInput ){ .kind = gel_inputStep, .v = { { steps[picked], 0.0f, 0.0f } } } );
}

// Where the pack was baked for several steps, their factors serve other stiffnesses, too.
static void ShowStiffness( gelSession* s, struct nk_context* nk )
{
	float scales[GEL_MAX_STEPS];
	char texts[GEL_MAX_STEPS][32];
	const char* names[GEL_MAX_STEPS];
	int count = gelListStiffness( s->packs, &s->settings, s->scene.step, scales, GEL_MAX_STEPS );
	GEL_ASSERT( count >= 0 && count <= GEL_MAX_STEPS );
	int current = 0;
	float shown = s->settings.stiffnessScale > 0.0 ? (float)s->settings.stiffnessScale : 1.0f;
	for ( int i = 0; i < count; ++i )
	{
		snprintf( texts[i], sizeof( texts[i] ), "stiffness x %.3g", (double)scales[i] );
		names[i] = texts[i];
		if ( fabsf( scales[i] - shown ) < fabsf( scales[current] - shown ) ) current = i;
	}
	bool isFast = s->settings.solver == gel_previewFast || s->settings.solver == gel_previewQuality;
	if ( count < 2 || !isFast ) return;
	int picked = nk_combo( nk, names, count, current, 20, nk_vec2( 200, 160 ) );
	if ( picked != current )
		gelSession_Input(
			s, ( gelInput ){ .kind = gel_inputStiffness, .v = { { scales[picked], 0.0f, 0.0f } } } );
}

// What changes steps goes through gelSession_Input, so that recordings have it.
static void ShowPhysics( gelWindowApp* app, struct nk_context* nk )
{
	gelSession* s = &app->session;
	nk_layout_row_dynamic( nk, 22, 1 );
	ShowScenes( app, nk );
	ShowSolvers( s, nk );
	nk_layout_row_dynamic( nk, 22, 1 );
	ShowSteps( s, nk );
	ShowStiffness( s, nk );
	int passes = s->settings.passes;
	nk_property_int( nk, "#Iterations (0: own)", 0, &passes, 100, 1, 0.2f );
	if ( passes != s->settings.passes )
		gelSession_Input( s, ( gelInput ){ .kind = gel_inputPasses, .value = passes } );
	gelVec3 gravity = gelWorld_GetGravity( s->scene.world );
	float down = -gravity.y;
	nk_property_float( nk, "#Gravity m/s2", -30.0f, &down, 30.0f, 0.5f, 0.1f );
	if ( down != -gravity.y )
		gelSession_Input(
			s, ( gelInput ){ .kind = gel_inputGravity, .v = { { gravity.x, -down, gravity.z } } } );
}

static void ShowMaterials( gelWindowApp* app, struct nk_context* nk )
{
	const char* names[GEL_MATERIAL_PRESETS + 1] = { "material as baked" };
	char texts[GEL_MATERIAL_PRESETS][64];
	for ( int i = 0; i < GEL_MATERIAL_PRESETS; ++i )
	{
		const gelMaterialPreset* p = gelGetMaterialPreset( i );
		bool isMega = p->young >= 1e6;
		snprintf( texts[i], sizeof( texts[i] ), "%s  %.3g %s  nu %.2f  %.0f kg/m3", p->name,
			( isMega ? 1e-6 : 1e-3 ) * p->young, isMega ? "MPa" : "kPa", p->poisson, p->density );
		names[i + 1] = texts[i];
	}
	nk_layout_row_dynamic( nk, 22, 1 );
	GEL_ASSERT( app->material >= -1 && app->material < GEL_MATERIAL_PRESETS );
	int shown = app->material + 1;
	int picked = nk_combo( nk, names, GEL_MATERIAL_PRESETS + 1, shown, 20, nk_vec2( 280, 180 ) );
	if ( picked != shown ) gelWindow_SetMaterial( app, picked - 1 );
}

static void ShowBaking( gelWindowApp* app, struct nk_context* nk )
{
	if ( !gelWindowBaker_IsBusy( &app->baker ) ) return;
	char text[96];
	const gelWindowBaker* baker = &app->baker;
	const char* art = baker->job.state == gel_bakeRunning ? baker->current.art : baker->queue[0].art;
	const char* slash = strrchr( art, '/' );
	snprintf(
		text, sizeof( text ), "baking %.40s: %.30s", slash != NULL ? slash + 1 : art, app->baker.job.label );
	nk_layout_row_dynamic( nk, 15, 1 );
	nk_label( nk, text, NK_TEXT_LEFT );
	nk_size done = (nk_size)( 100.0 * app->baker.job.progress );
	nk_layout_row_dynamic( nk, 14, 1 );
	nk->style.progress.cursor_normal = nk_style_item_color( progressColor );
	nk_progress( nk, &done, 100, nk_false );
}

static void ShowOverlays( gelWindowApp* app, struct nk_context* nk )
{
	nk_layout_row_dynamic( nk, 22, 1 );
	int current = (int)app->overlay.kind;
	int picked = nk_combo( nk, gelOverlayNames(), gel_overlayKinds, current, 20, nk_vec2( 200, 240 ) );
	gelOverlaySettings next = { (gelOverlayKind)picked, app->overlay.level };
	bool hasLevel = next.kind == gel_overlayTree || next.kind == gel_overlayBoxes;
	if ( picked != current ) next.level = next.kind == gel_overlayTree ? 3 : -1;
	if ( hasLevel )
		nk_property_int( nk, "#Level", next.kind == gel_overlayTree ? 0 : -1, &next.level, 30, 1, 0.1f );
	if ( picked != current || next.level != app->overlay.level ) gelWindow_SetOverlay( app, next );
}

// What the colors of strain and stress stand for.
static void ShowLegend( gelWindowApp* app, struct nk_context* nk )
{
	const int steps = 32;
	char text[64] = "";
	struct nk_rect box;
	if ( app->hasStage ) gelStageView_DescribeHeat( &app->stage, text, sizeof( text ) );
	if ( text[0] == 0 ) return;
	nk_layout_row_dynamic( nk, 15, 2 );
	nk_label( nk, text, NK_TEXT_LEFT );
	if ( nk_widget( &box, nk ) == NK_WIDGET_INVALID ) return;
	float width = box.w / (float)steps;
	for ( int i = 0; i < steps; ++i )
	{
		gelColor c = gelHeatColor( (float)i / (float)( steps - 1 ) );
		struct nk_rect part = { box.x + width * (float)i, box.y, width + 1.0f, box.h };
		// sRGB by its mean exponent: nobody reads figures off a bar
		nk_fill_rect( nk_window_get_canvas( nk ), part, 0.0f,
			nk_rgb_f( powf( c.r, 0.4545f ), powf( c.g, 0.4545f ), powf( c.b, 0.4545f ) ) );
	}
}

// ---- figures -----------------------------------------------------------------------------------------

static void ShowNumbers( gelWindowApp* app, struct nk_context* nk )
{
	int64_t tets = 0, triangles = 0;
	size_t bytes = 0;
	const gelScene* scene = &app->session.scene;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		gelAssetInfo info = gelAsset_GetInfo( gelBody_GetAsset( scene->bodies[i] ) );
		tets += info.tetCount;
		triangles += info.triangleCount;
	}
	for ( int i = 0; i < app->packs.set.count; ++i )
		bytes += gelAsset_GetInfo( app->packs.assets[i] ).packBytes;
	gelFrameFigures f = gelFrameStats_Mean( &app->stats );
	char text[96];
	nk_layout_row_dynamic( nk, 15, 1 );
	snprintf( text, sizeof( text ), "%d bodies  %lld tets  %lld triangles", scene->bodyCount, (long long)tets,
		(long long)triangles );
	nk_label( nk, text, NK_TEXT_LEFT );
	snprintf( text, sizeof( text ), "packs %.2f MB  contacts %d", 1e-6 * (double)bytes, f.contacts );
	nk_label( nk, text, NK_TEXT_LEFT );
	snprintf( text, sizeof( text ), "step %.0f us  inverted %d", (double)f.stepMicroseconds, f.inverted );
	nk_label( nk, text, NK_TEXT_LEFT );
	snprintf( text, sizeof( text ), "steps %.1f  skin %.1f  draw %.1f ms", (double)f.simulate, (double)f.skin,
		(double)f.draw );
	nk_label( nk, text, NK_TEXT_LEFT );
}

// Three figures of each picture over time.
typedef struct Graph
{
	const char* names[3];
	size_t offsets[3]; // in gelFrameFigures
	const char* unit;
} Graph;

static const struct nk_color graphColors[3] = { { 255, 190, 60, 255 }, { 240, 90, 80, 255 },
	{ 90, 160, 250, 255 } };

static float FigureAt( const gelFrameStatsRing* ring, int picture, const Graph* graph, int figure )
{
	return *(const float*)( (const char*)gelFrameStats_Get( ring, picture ) + graph->offsets[figure] );
}

// Names in the colors of their curves, and the largest value, which the heights fit.
static void ShowGraphNames( struct nk_context* nk, const Graph* graph, float largest )
{
	char text[32];
	nk_layout_row_dynamic( nk, 15, 4 );
	for ( int k = 0; k < 3; ++k )
		nk_label_colored( nk, graph->names[k], NK_TEXT_LEFT, graphColors[k] );
	snprintf( text, sizeof( text ), "%.3g %s", (double)largest, graph->unit );
	nk_label( nk, text, NK_TEXT_RIGHT );
}

static void ShowGraph( gelWindowApp* app, struct nk_context* nk, const Graph* graph )
{
	struct nk_rect box;
	const gelFrameStatsRing* ring = &app->stats;
	float largest = 1e-9f;
	for ( int i = 0; i < 3 * ring->count; ++i )
		largest = fmaxf( largest, fabsf( FigureAt( ring, i / 3, graph, i % 3 ) ) );
	ShowGraphNames( nk, graph, largest );
	nk_layout_row_dynamic( nk, 44, 1 );
	if ( nk_widget( &box, nk ) == NK_WIDGET_INVALID ) return;
	struct nk_command_buffer* canvas = nk_window_get_canvas( nk );
	nk_fill_rect( canvas, box, 2.0f, nk_rgb( 30, 35, 42 ) );
	for ( int k = 0; k < 3; ++k )
	{
		float points[2 * GEL_STATS_LENGTH];
		for ( int i = 0; i < ring->count; ++i )
		{
			float value = fmaxf( FigureAt( ring, i, graph, k ), 0.0f );
			points[2 * i] = box.x + box.w * (float)i / (float)( GEL_STATS_LENGTH - 1 );
			points[2 * i + 1] = box.y + box.h * ( 1.0f - 0.95f * value / largest );
		}
		if ( ring->count > 1 ) nk_stroke_polyline( canvas, points, ring->count, 1.5f, graphColors[k] );
	}
}

static void ShowGraphs( gelWindowApp* app, struct nk_context* nk )
{
	static const Graph graphs[] = {
		{ { "steps", "skin", "draw" },
			{ offsetof( gelFrameFigures, simulate ), offsetof( gelFrameFigures, skin ),
				offsetof( gelFrameFigures, draw ) },
			"ms" },
		{ { "contacts", "bodies", "response" },
			{ offsetof( gelFrameFigures, contactPhase ), offsetof( gelFrameFigures, bodyPhase ),
				offsetof( gelFrameFigures, responsePhase ) },
			"us" },
		{ { "moving", "elastic", "height" },
			{ offsetof( gelFrameFigures, kinetic ), offsetof( gelFrameFigures, elastic ),
				offsetof( gelFrameFigures, potential ) },
			"J" },
	};
	for ( size_t i = 0; i < sizeof( graphs ) / sizeof( graphs[0] ); ++i )
		ShowGraph( app, nk, graphs + i );
}

// ---- all of it ---------------------------------------------------------------------------------------

static void ShowHelp( struct nk_context* nk )
{
	static const char* const lines[] = { "drag: grab and throw, elsewhere orbit",
		"ctrl click: pin, unpin   shift click: push", "wheel: zoom   middle: pan   F: frame",
		"space: play   .: step   S: slow   R: reset", "1 .. 5: solver   O: overlay   Tab: hide",
		"drop packs and meshes here" };
	nk_layout_row_dynamic( nk, 14, 1 );
	for ( size_t i = 0; i < sizeof( lines ) / sizeof( lines[0] ); ++i )
		nk_label_colored( nk, lines[i], NK_TEXT_LEFT, nk_rgb( 150, 160, 172 ) );
}

void gelWindow_ShowPanels( gelWindowApp* app )
{
	struct nk_context* nk = &app->ui.context;
	float height = (float)app->height / app->scale;
	if ( !app->showPanel ) return;
	nk->style.window.fixed_background = nk_style_item_color( nk_rgb( 46, 53, 61 ) );
	if ( nk_begin( nk, "gelpack", nk_rect( 0.0f, 0.0f, GEL_PANEL_WIDTH, height ), 0 ) )
	{
		ShowTime( app, nk );
		ShowBaking( app, nk );
		if ( app->session.hasScene )
		{
			ShowPhysics( app, nk );
			ShowMaterials( app, nk );
			ShowOverlays( app, nk );
			ShowLegend( app, nk );
			ShowNumbers( app, nk );
			ShowGraphs( app, nk );
		}
		if ( app->session.message[0] != 0 )
		{
			nk_layout_row_dynamic( nk, 44, 1 );
			nk_label_colored_wrap( nk, app->session.message, nk_rgb( 255, 170, 120 ) );
		}
		ShowHelp( nk );
	}
	nk_end( nk );
}
