// SPDX-License-Identifier: MIT
// Recording and replay in the window. A recording names its packs by what they are, so it can only be
// replayed with packs that are still there: it ends, and is written, before others take their place.
#include "preview/window/window_app.h"

#include "common/program/report.h"

#include <gelpack/asserts.h>

#include <stdio.h>

bool gelWindow_BeginLogs( gelWindowApp* app )
{
	const gelPreviewOptions* o = app->options;
	gelFindings* findings = &app->program->findings;
	if ( o->replayPath != NULL )
	{
		if ( !gelReadInputLog( &app->replay, o->replayPath, findings ) ) return false;
		return gelInputLog_CheckPacks( &app->replay, &app->packs.set, o->replayPath, findings ) &&
			gelSession_BeginReplay( &app->session, &app->replay, findings );
	}
	if ( o->recordPath == NULL ) return true;
	app->session.record = &app->record;
	if ( gelInputLog_Begin( &app->record, &app->packs.set, &app->session.settings ) ) return true;
	gelFindings_Add( findings, gel_findingNoMemory, NULL, "out of memory for the recording" );
	return false;
}

// Steps and the hash of the world at the end tell a replay whether it has come to the same.
static void WriteRecord( gelWindowApp* app )
{
	GEL_ASSERT( app->session.hasScene && app->options->recordPath != NULL );
	app->record.tickCount = app->session.tick;
	app->record.hash = gelWorld_HashState( app->session.scene.world );
	if ( gelWriteInputLog( &app->record, app->options->recordPath, &app->program->findings ) )
		gelProgram_Say( app->program, "%s", app->options->recordPath );
}

void gelWindow_EndRecord( gelWindowApp* app, const char* why )
{
	if ( app->session.record == NULL ) return;
	bool begun = app->session.hasScene;
	char text[200];
	if ( begun )
	{
		WriteRecord( app );
		snprintf( text, sizeof( text ),
			"the recording ends after %lld steps, because %s: what comes now is not recorded",
			(long long)app->session.tick, why );
	}
	else
		snprintf( text, sizeof( text ),
			"nothing is recorded, because %s: bake it with gel-bake and start with the pack", why );
	app->session.record = NULL;
	app->recordEnded = true;
	gelWindow_Say( app, text );
	gelFindings_Add(
		&app->program->findings, gel_findingRecordingCutShort, app->options->recordPath, "%s", text );
}

void gelWindow_EndLogs( gelWindowApp* app )
{
	if ( app->session.record != NULL && app->session.hasScene )
		WriteRecord( app );
	else if ( app->session.record != NULL )
		gelFindings_Add( &app->program->findings, gel_findingRecordingCutShort, app->options->recordPath,
			"nothing was recorded, because no pack was shown" );
	if ( app->session.replay != NULL )
		gelCheckReplay( &app->session, app->options->replayPath, app->program );
}
