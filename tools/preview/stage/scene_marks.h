// SPDX-License-Identifier: MIT
// Lines that show what belongs to a whole scene: contacts, intersection curves, handles, attachment points.
#pragma once

#include "preview/scene/scene.h"
#include "preview/stage/marks.h"

#define GEL_MAX_CURVE_MARKS  ( 1 << 15 )
#define GEL_MAX_HANDLE_MARKS ( GEL_MAX_SCENE_HANDLES * GEL_HANDLE_POINTS * 4 )

/// A cross at each contact, and its normal. @param size of the normals [m]
void gelMarkContacts( gelMarks* marks, const gelContactMark* contacts, int count, float size );

/// The curves in which surfaces of bodies cross. False: out of memory.
bool gelMarkCurves( gelMarks* marks, const gelScene* scene );

/// A cross at every point that a handle holds, and a line from it to the handle at a time [s].
void gelMarkHandles( gelMarks* marks, const gelScene* scene, double time, float size );

/// Axes of the attachment points of all bodies: that along y is the longest, that along x the shortest.
void gelMarkAttachments( gelMarks* marks, const gelScene* scene, float size );

/// Lines that this takes, at least 1.
int gelCountAttachmentMarks( const gelScene* scene );
