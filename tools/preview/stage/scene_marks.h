// SPDX-License-Identifier: MIT
// Lines that show what a recording knows and the world does not any more: contacts, handles.
#pragma once

#include "preview/scene/scene.h"
#include "preview/stage/marks.h"

#define GEL_MAX_HANDLE_MARKS ( GEL_MAX_SCENE_HANDLES * GEL_HANDLE_POINTS * 4 )

/// A cross at each contact, and its normal. @param size of the normals [m]
void gelMarkContacts( gelMarks* marks, const gelContactMark* contacts, int count, float size );

/// A cross at every point that a handle holds, and a line from it to the handle at a time [s].
void gelMarkHandles( gelMarks* marks, const gelScene* scene, double time, float size );
