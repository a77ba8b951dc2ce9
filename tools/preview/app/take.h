// SPDX-License-Identifier: MIT
// One simulated run that is shown: its session, its recording, and its pictures. Two of them stand side by
// side when packs or solvers are compared.
#pragma once

#include "preview/app/preview_options.h"
#include "preview/play/recording.h"
#include "preview/render/render_target.h"
#include "preview/stage/stage_view.h"

typedef struct gelTake
{
	gelSession session;
	gelRecording recording;
	gelInputLog replay;
	gelStageView stage;
	bool hasStage;
	gelArtLook* looks; // per pack
	gelPackSet packs;  // borrowed: all packs, or one of them
	char caption[40];
} gelTake;

/// Simulates. False: a finding was added and nothing is left.
bool gelCreateTake( gelTake* take, const gelPreviewOptions* options, const gelPackSet* packs,
	gelPreviewSolver solver, gelProgram* program );
void gelDestroyTake( gelTake* take );

/// Reads colors and textures of the packs whose art is at hand; without memory for them none are shown.
void gelTake_LoadLooks( gelTake* take, const gelPreviewOptions* options, gelFindings* findings );

/// Puts the take into a renderer. False: a finding was added.
bool gelTake_Show(
	gelTake* take, gelRenderer* renderer, const gelPreviewOptions* options, gelProgram* program );

/// Draws one moment of it into a target. False: a finding was added.
bool gelTake_Draw( gelTake* take, int moment, const gelRenderView* view, gelRenderTarget* target,
	gelImage* outImage, gelProgram* program );
