// SPDX-License-Identifier: MIT
// Lines that come and go: contacts, pins, what is grabbed.
#pragma once

#include "preview/render/renderer.h"

typedef struct gelMarks
{
	int lines; // in the renderer
	int capacity, count;
	gelVec3* ends; // two per line
} gelMarks;

/// False: out of memory.
bool gelCreateMarks( gelMarks* marks, gelRenderer* renderer, int capacity, uint32_t color );
void gelDestroyMarks( gelMarks* marks );

void gelMarks_Clear( gelMarks* marks );
/// Lines beyond the capacity are left out.
void gelMarks_AddLine( gelMarks* marks, gelVec3 from, gelVec3 to );
/// Three lines of some length through a place.
void gelMarks_AddCross( gelMarks* marks, gelVec3 place, float length );
/// Hands the lines to the renderer.
void gelMarks_Show( gelMarks* marks, gelRenderer* renderer );
