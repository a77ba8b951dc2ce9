// SPDX-License-Identifier: MIT
// Ellipsoids in eight fields of two shades, so that their turns are seen.
#pragma once

#include "preview/stage/draw_list.h"

typedef struct gelEllipsoidView
{
	int count;                    // as many as were there first; 0: nothing is drawn
	int surface;                  // in the renderer
	gelVec3 *positions, *normals; // vertices of all of them
} gelEllipsoidView;

/// Adds the ellipsoids of a list. False: out of memory, and nothing is left.
bool gelCreateEllipsoidView( gelEllipsoidView* view, const gelDrawList* list, gelRenderer* renderer );
void gelDestroyEllipsoidView( gelEllipsoidView* view );

/// Takes over where they are now.
void gelEllipsoidView_Update( gelEllipsoidView* view, const gelDrawList* list, gelRenderer* renderer );
