// SPDX-License-Identifier: MIT
// Runs gel-bake as a process of its own while the window goes on, and follows its progress. A process, so
// that art that cannot be baked, however broken, never takes the window along.
#pragma once

#include <stdbool.h>

typedef enum gelBakeState
{
	gel_bakeIdle,
	gel_bakeRunning,
	gel_bakeDone,
	gel_bakeFailed,
} gelBakeState;

typedef struct gelBakeJob
{
	gelBakeState state;
	int process;     // its id
	int terminal;    // our end of the pseudo terminal that it writes its progress to; -1: none
	double progress; // 0 .. 1
	char label[48];  // what it does now
	char error[200]; // first error that it said
	char line[400];  // the line that is being received
	int lineLength;
} gelBakeJob;

/// Starts `gel-bake ART -o PACK options...`. gel-bake is looked for beside this program, then on the PATH.
/// False: error says why.
/// @param options ends with NULL
bool gelStartBake( gelBakeJob* job, const char* art, const char* pack, const char* const* options );

/// Hears what it says, without waiting. @return its state
gelBakeState gelBakeJob_Poll( gelBakeJob* job );

/// Ends it if it runs, and forgets it.
void gelBakeJob_Cancel( gelBakeJob* job );
