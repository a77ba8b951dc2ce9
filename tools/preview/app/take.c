// SPDX-License-Identifier: MIT
#include "preview/app/take.h"

#include "preview/out/glb_out.h"
#include "preview/stage/overlay_heat.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

// False: a finding was added and nothing is left.
static bool BeginSession(
	gelTake* take, const gelPreviewOptions* o, gelPreviewSolver solver, gelFindings* findings )
{
	if ( o->replayPath != NULL && !gelReadInputLog( &take->replay, o->replayPath, findings ) ) return false;
	bool ok = o->replayPath == NULL ||
		gelInputLog_CheckPacks( &take->replay, &take->packs, o->replayPath, findings );
	gelSceneSettings settings = o->scene;
	settings.solver = solver;
	settings.chooseSolver = settings.chooseSolver && o->versus < 0;
	ok = ok && gelCreateSession( &take->session, &take->packs, &settings, findings );
	ok = ok && ( o->replayPath == NULL || gelSession_BeginReplay( &take->session, &take->replay, findings ) );
	if ( !ok )
	{
		gelDestroySession( &take->session );
		gelFreeInputLog( &take->replay );
	}
	return ok;
}

static int MomentsOf( const gelPreviewOptions* o )
{
	switch ( o->outKind )
	{
		case gel_outputSheet:
		case gel_outputGlb:
			return o->moments;
		case gel_outputTable:
			return 0;
		default:
			return o->frames + 1;
	}
}

bool gelCreateTake( gelTake* take, const gelPreviewOptions* o, const gelPackSet* packs,
	gelPreviewSolver solver, gelProgram* program )
{
	memset( take, 0, sizeof( *take ) );
	take->packs = *packs;
	if ( !BeginSession( take, o, solver, &program->findings ) ) return false;
	// Pictures side by side have to show the same moments.
	bool seek = o->outKind == gel_outputSheet && o->laneCount == 1;
	const gelRecordingSettings settings = { o->frames, o->frameRate, MomentsOf( o ), seek,
		o->overlay.kind == gel_overlayContacts, &take->session };
	// Before the simulation, which can take long.
	bool fits = o->outKind != gel_outputGlb ||
		gelCheckGlbSize( &take->session.scene, o->moments, o->outPath, &program->findings );
	if ( !fits || !gelRecord( &take->recording, &take->session.scene, &settings, program ) )
	{
		gelDestroySession( &take->session );
		gelFreeInputLog( &take->replay );
		return false;
	}
	if ( take->session.replay != NULL ) gelCheckReplay( &take->session, o->replayPath, program );
	if ( take->recording.isMixed && !gelSession_ShowByNodes( &take->session, &program->findings ) )
	{
		gelDestroyTake( take );
		return false;
	}
	return true;
}

// --art is the art of the first pack, and of all others that were baked from it.
void gelTake_LoadLooks( gelTake* take, const gelPreviewOptions* o, gelFindings* findings )
{
	if ( take->looks != NULL ) return;
	gelArtLook* looks = calloc( (size_t)take->packs.count + 1, sizeof( gelArtLook ) );
	for ( int i = 0; looks != NULL && i < take->packs.count; ++i )
	{
		bool isFirst = take->packs.paths[i] == o->packPaths[0];
		if ( !o->plain )
			free( gelLoadPackArt(
				looks + i, take->packs.paths[i], o->artPath, isFirst, take->packs.assets[i], findings ) );
	}
	take->looks = looks;
}

void gelDestroyTake( gelTake* take )
{
	for ( int i = 0; take->looks != NULL && i < take->packs.count; ++i )
		gelFreeArtLook( take->looks + i );
	free( take->looks );
	if ( take->hasStage ) gelDestroyStageView( &take->stage );
	gelFreeRecording( &take->recording );
	gelDestroySession( &take->session );
	gelFreeInputLog( &take->replay );
	memset( take, 0, sizeof( *take ) );
}

bool gelTake_Show( gelTake* take, gelRenderer* renderer, const gelPreviewOptions* o, gelProgram* program )
{
	if ( take->hasStage ) gelDestroyStageView( &take->stage );
	gelTake_LoadLooks( take, o, &program->findings );
	take->hasStage = gelCreateStageView(
		&take->stage, renderer, &take->session.scene, &o->overlay, take->looks, &program->findings );
	return take->hasStage;
}

bool gelTake_Draw( gelTake* take, int moment, const gelRenderView* view, gelRenderTarget* target,
	gelImage* outImage, gelProgram* program )
{
	GEL_ASSERT( moment >= 0 && moment < take->recording.momentCount );
	const gelRecording* r = &take->recording;
	int frame = r->momentFrames[moment];
	gelResult result =
		gelScene_SetNodes( &take->session.scene, r->nodes + (size_t)moment * (size_t)r->nodeCount );
	if ( result != gel_success )
	{
		gelFindings_Add( &program->findings, gel_findingSimulationFailed, NULL,
			"frame %d cannot be shown: %s", frame, gelResult_String( result ) );
		return false;
	}
	gelStageView_Update( &take->stage, r->times[frame] );
	gelStageView_ShowContacts( &take->stage,
		r->contactMarks + ( r->contactMarkCounts[moment] > 0 ? (size_t)moment * GEL_MAX_CONTACT_MARKS : 0 ),
		r->contactMarkCounts[moment] );
	if ( gelRenderer_Draw( take->stage.renderer, view ) && gelRenderTarget_Read( target, outImage ) )
	{
		char legend[64];
		gelStageView_DescribeHeat( &take->stage, legend, sizeof( legend ) );
		if ( legend[0] != 0 ) gelDrawHeatLegend( outImage, legend );
		return true;
	}
	gelFindings_Add( &program->findings, gel_findingDrawingFailed, NULL,
		"frame %d cannot be drawn; try a smaller --size", frame );
	return false;
}
