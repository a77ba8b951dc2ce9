// SPDX-License-Identifier: MIT
// The command line of gel-preview, checked.
#pragma once

#include "common/program/program.h"
#include "preview/scene/scene.h"
#include "preview/scene/scene_file.h"
#include "preview/stage/overlay.h"

typedef enum gelOutputKind
{
	gel_outputSheet,    // one PNG: several moments in a grid
	gel_outputSequence, // one PNG per frame
	gel_outputTable,    // CSV: figures of every frame; needs no OpenGL
	gel_outputGif,      // one picture per frame in one file
	gel_outputGlb,      // animated meshes; needs no OpenGL
	gel_outputWindow,   // none: a person looks at it
} gelOutputKind;

typedef struct gelPreviewOptions
{
	gelSceneSettings scene;
	const char* sceneName;
	gelSceneFile sceneFile;       // read when sceneName is a file
	const char* const* packPaths; // packs of the command line, else of the scene file
	int packCount;
	int frames;       // after the first one, which shows the start
	bool framesGiven; // a window closes after so many pictures
	double frameRate; // [1/s]
	int moments;
	bool sideBySide;      // two packs, each in a picture of its own
	bool compare;         // the same, and how they differ
	double maxDifference; // part of the pixels that may differ [%]; < 0: any
	bool versusGiven;
	int versusChoice;
	int versus;             // gelPreviewSolver of a second picture; -1: none
	int laneCount;          // pictures side by side, without that of the difference
	const char* recordPath; // inputs of a window, or NULL
	const char* replayPath; // or NULL
	bool plain;             // no colors of the art
	const char* artPath;    // art of the first pack, or NULL: the file of its name beside it
	int samples;            // per pixel of a window
	const char* outPath;
	gelOutputKind outKind;
	bool sequence;
	const char* sizeText;
	int width, height; // size of one picture [pixels]
	const char* cameraText;
	float yaw, pitch; // [rad]
	const char* overlayText;
	gelOverlaySettings overlay;
	int solver;
	bool solverGiven;
} gelPreviewOptions;

/// Whether OpenGL is needed to make it.
bool gelOutputNeedsGl( gelOutputKind kind );

/// Begins the program with the options' table and checks what a table cannot. False: nothing more to do.
bool gelPreviewOptions_Parse( gelPreviewOptions* options, gelProgram* program, int argc, char** argv );

void gelFreePreviewOptions( gelPreviewOptions* options );

/// Path of frame number n of a sequence: "%04d" (or any "%d", "%0Nd") in the path is replaced, or put
/// before the extension when there is none. free() the result; NULL: out of memory.
char* gelSequencePath( const char* path, int frame );
