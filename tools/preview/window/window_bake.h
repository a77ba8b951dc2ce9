// SPDX-License-Identifier: MIT
// Baking for the window: art that is dropped on it, and packs that get another material.
#pragma once

#include "preview/app/bake_job.h"
#include "preview/window/window_packs.h"

#define GEL_MAX_BAKE_QUEUE 64

/// One thing to bake.
typedef struct gelBakeOrder
{
	char* art;    // path
	int replaces; // number of the pack that it takes the place of; -1: it is new
	int material; // number of the preset; -1: that of gel-bake
} gelBakeOrder;

typedef struct gelWindowBaker
{
	gelBakeJob job;
	gelBakeOrder current;
	gelBakeOrder queue[GEL_MAX_BAKE_QUEUE];
	int queueCount;
	char folder[64]; // folder of packs and cages that were made; empty: none yet
	char* packPath;  // the pack that is being made
	int packNumber;
	int bakedCount;
	char message[200];   // why the last one failed
	char failedArt[160]; // its file
} gelWindowBaker;

/// Puts art at the end of the queue. False: the queue is full, or out of memory.
bool gelWindowBaker_Order( gelWindowBaker* baker, const char* art, int replaces, int material );

/// Starts the next order when nothing runs, and looks after what runs.
/// @return path of a pack that has just been finished (valid until the next call), or NULL
const char* gelWindowBaker_Poll( gelWindowBaker* baker, const gelWindowPacks* packs );

/// Forgets the orders that were to take the place of a pack, and ends the one that runs if it is such.
void gelWindowBaker_DropReplacements( gelWindowBaker* baker );

bool gelWindowBaker_IsBusy( const gelWindowBaker* baker );

/// Ends what runs and removes the files that were made.
void gelFreeWindowBaker( gelWindowBaker* baker );
