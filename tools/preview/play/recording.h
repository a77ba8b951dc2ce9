// SPDX-License-Identifier: MIT
// A simulated stretch of time: figures of every frame, and the shapes at the frames that will be drawn.
// Shapes are kept as cage nodes, which are few; the art vertices follow from them when a frame is drawn.
#pragma once

#include "common/program/program.h"
#include "preview/play/session.h"

#include <gelpack/math_float.h>

/// Figures of one body at one frame.
typedef struct gelFrameStats
{
	gelBodyDynamics dynamics;
	float potentialEnergy; // above the ground [J]
	gelAabb bounds;        // box around the art vertices [m]
} gelFrameStats;

typedef struct gelRecordingSettings
{
	int frames;       // after the first one
	double frameRate; // [1/s]
	int moments;      // frames whose shapes are kept, first and last included; frames + 1: all
	/// Moments are spread evenly. With this each one but the first and the last may give way, by up to a
	/// third of the way to its neighbors, to the frame where the bodies are deformed most: an impact is over
	/// in a few frames, and a regular grid misses it.
	bool seekDeformation;
	bool keepContacts; // at the moments
	/// NULL, or the session that the scene belongs to: its inputs are replayed along.
	gelSession* session;
} gelRecordingSettings;

typedef struct gelRecording
{
	int frameCount, bodyCount, nodeCount;
	double* times;        // per frame [s]
	int* contacts;        // per frame: art vertices on the ground
	int* bodyContacts;    // per frame: contacts between bodies and with colliders
	gelFrameStats* stats; // per frame and body
	int momentCount;
	int* momentFrames;            // ascending
	gelVec3* nodes;               // per moment: nodeCount
	gelContactMark* contactMarks; // per moment: GEL_MAX_CONTACT_MARKS; NULL: not asked for
	int* contactMarkCounts;       // per moment
	gelAabb stage;                // box around the art vertices over all moments [m]
	int stepCount;
	double stepSeconds, slowestStep; // time spent in gelWorld_Step [s]
	int repairedBodies;              // times that a body had to be put back
	int particleBodies;              // at the start
	bool isMixed; // a replay went over to particles, or from them: only the nodes tell all shapes
} gelRecording;

/// Simulates. False: a finding was added and the recording is empty.
bool gelRecord(
	gelRecording* recording, gelScene* scene, const gelRecordingSettings* settings, gelProgram* program );
void gelFreeRecording( gelRecording* recording );

/// The figures of body b at a frame.
const gelFrameStats* gelRecording_Stats( const gelRecording* recording, int frame, int body );

/// Number of the moment that shows a frame, or -1.
int gelRecording_FindMoment( const gelRecording* recording, int frame );

/// Writes the figures as a table, one line per frame and body.
bool gelWriteCsv( const gelRecording* recording, const char* path, gelFindings* findings );

/// Adds counts, speeds, energies, volumes and heights to the report.
void gelReportRecording( const gelRecording* recording, const gelScene* scene, gelReport* report );
