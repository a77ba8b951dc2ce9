// SPDX-License-Identifier: MIT
// A scene that a person plays with: time, speed, grabs, pins, and settings that change while it runs.
// Everything that changes the simulation comes in as a gelInput, so that it can be recorded and replayed.
// Knows neither window nor renderer.
#pragma once

#include "common/program/program.h"
#include "preview/play/input_log.h"

#define GEL_MAX_SESSION_PINS 16

typedef struct gelSessionPin
{
	int body;
	gelEmbeddedPoint point;
	gelVec3 target; // [m]
	gelConstraintId constraint;
} gelSessionPin;

typedef struct gelSession
{
	const gelPackSet* packs; // borrowed
	gelSceneSettings settings;
	gelScene scene;
	bool hasScene;
	bool sceneIsNew; // it was made anew since somebody last looked: draw it from the beginning
	bool playing;
	double speed; // rate of the time: 1 real time, 0.1 slow motion
	double lag;   // time that is still to be simulated [s]
	int64_t tick; // steps since the session began, over all resets
	gelConstraintId grab;
	bool isGrabbing;
	gelVec3 grabTarget;
	gelSessionPin pins[GEL_MAX_SESSION_PINS];
	int pinCount;
	gelInputLog* record;       // NULL: nothing is recorded
	const gelInputLog* replay; // NULL: inputs come from a person
	int replayNext;
	char message[240]; // what went wrong last; empty: nothing
	int counts[gel_inputKinds];
} gelSession;

/// Begins with a scene. False: a finding was added; the session is empty but may be used.
bool gelCreateSession(
	gelSession* session, const gelPackSet* packs, const gelSceneSettings* settings, gelFindings* findings );
void gelDestroySession( gelSession* session );

/// Other packs: the scene starts anew. Recording starts over.
bool gelSession_SetPacks( gelSession* session, const gelPackSet* packs, gelFindings* findings );

/// Ends the scene, so that its packs may go; gelSession_SetPacks makes the next one.
void gelSession_DropScene( gelSession* session );

/// Does to the scene what a person asks for, unless a replay is running. False: it could not be done, and
/// message says why.
bool gelSession_Input( gelSession* session, gelInput input );

/// One step. False: message says why; the session is paused then.
bool gelSession_Step( gelSession* session );

/// Lets wall-clock time pass [s]: as many steps as it takes, but not for longer than budget [s].
/// @return steps that were made
int gelSession_Advance( gelSession* session, double seconds, double budget );

/// Replays from now on: makes the scene that the log starts with. False: a finding was added.
bool gelSession_BeginReplay( gelSession* session, const gelInputLog* log, gelFindings* findings );
/// Whether all inputs were replayed and all steps made.
bool gelSession_ReplayEnded( const gelSession* session );

/// When a run is over: says so when the state at the end of the replay is not the recorded one, or when the
/// end was not reached (path is the recording's).
void gelCheckReplay( const gelSession* session, const char* path, gelProgram* program );

/// Makes the scene anew with bodies that have nodes only, to show shapes of recordings that are mixed. False:
/// a finding was added.
bool gelSession_ShowByNodes( gelSession* session, gelFindings* findings );

/// Where a grabbed or pinned point is now [m].
gelVec3 gelSession_GrabPoint( const gelSession* session );
