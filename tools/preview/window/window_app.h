// SPDX-License-Identifier: MIT
// gel-preview in a window: what its parts share. window_app.c runs it, window_pointer.c hears mouse and keys,
// window_panel.c shows the controls.
#pragma once

#include "preview/app/preview_options.h"
#include "preview/play/session.h"
#include "preview/render/render_target.h"
#include "preview/stage/stage_view.h"
#include "preview/window/frame_stats.h"
#include "preview/window/gl_window.h"
#include "preview/window/nuklear_gl.h"
#include "preview/window/window_bake.h"
#include "preview/window/window_packs.h"

#define GEL_PANEL_WIDTH 344.0f // [window units]

/// What the left or right button does while it is held.
typedef enum gelPointerMode
{
	gel_pointerIdle,
	gel_pointerOrbit,
	gel_pointerPan,
	gel_pointerGrab,
	gel_pointerPanel, // it began on a panel
} gelPointerMode;

typedef struct gelPointer
{
	gelPointerMode mode;
	double x, y;   // [window units]
	gelVec3 plane; // a point that is dragged moves in the plane through this one, facing the camera [m]
	int orbits, pans, zooms;
	int presses;       // on a panel that it has not been told of yet: a click may be shorter than a picture
	bool isShownDown;  // the panels were told that the button is down
	float scroll;      // notches of the wheel since the last picture
	unsigned text[16]; // characters for the panels
	int textCount;
} gelPointer;

typedef struct gelWindowApp
{
	const gelPreviewOptions* options;
	gelProgram* program;
	gelGlWindow window;
	gelNuklear ui;
	gelRenderer* renderer;
	gelRenderTarget target;  // for smooth edges; without it pictures are drawn into the window itself
	int fitWidth, fitHeight; // size of the window, when the target was made for it [pixels]
	gelWindowPacks packs;
	gelWindowBaker baker;
	int material; // preset that was asked for last; -1: none
	gelSession session;
	gelStageView stage;
	bool hasStage;
	gelOverlaySettings overlay;
	gelCamera camera;
	gelAabb stageBox; // what the camera was set up for [m]
	gelPointer pointer;
	gelFrameStatsRing stats;
	bool showPanel;
	bool needsPicture; // something changed since the last one
	double stirTime;   // when something changed last [s]
	double panelTime;  // when the panel was drawn last [s]
	int width, height; // size of the framebuffer [pixels]
	float scale;       // pixels per window unit
	int pictureCount, drawnCount, screenshotCount;
	double workSeconds, slowestWork; // spent on pictures [s]
	gelInputLog record, replay;
	bool recordEnded; // and message says why
} gelWindowApp;

/// Connects mouse, keys and dropped files.
void gelWindow_ListenToPointer( gelWindowApp* app );
/// Moves what is dragged; hands mouse and keys to the panels. Before each layout of the panels.
void gelWindow_UpdatePointer( gelWindowApp* app );

/// Whether the mouse is over a panel, or holds a part of one.
bool gelWindow_IsOverPanel( gelWindowApp* app );

/// Lays the panels out and does what was asked for in them.
void gelWindow_ShowPanels( gelWindowApp* app );

/// Part of the window's width that the panel covers.
float gelWindow_CoveredPart( const gelWindowApp* app );

/// Puts the camera where everything is seen, beside the panel.
void gelWindow_FrameScene( gelWindowApp* app );

/// Another overlay for all bodies; without it if it cannot be had.
void gelWindow_SetOverlay( gelWindowApp* app, gelOverlaySettings overlay );

/// What the panel tells the person.
void gelWindow_Say( gelWindowApp* app, const char* text );

/// Starts to record or to replay, if that was asked for. False: a finding was added.
bool gelWindow_BeginLogs( gelWindowApp* app );
/// Other packs are about to take the place of those that are recorded: writes the recording, if there is one,
/// and says so in the panel and as a finding.
void gelWindow_EndRecord( gelWindowApp* app, const char* why );
/// Writes the recording, or compares the end of the replay.
void gelWindow_EndLogs( gelWindowApp* app );

/// Saves what is drawn now as a PNG file in the current folder.
void gelWindow_Screenshot( gelWindowApp* app );

/// Bakes all packs whose art is known anew with a material, in the background; -1: as they were at first.
void gelWindow_SetMaterial( gelWindowApp* app, int preset );

/// Files that were dropped: packs are shown beside those that are there, art is baked first.
void gelWindow_AddFiles( gelWindowApp* app, int count, const char* const* paths );
