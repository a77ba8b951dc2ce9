// SPDX-License-Identifier: MIT
// Where the picture is taken from: a perspective camera that looks at a target.
#pragma once

#include "preview/render/preview_math.h"

typedef struct gelCamera
{
	gelVec3 target; // [m]
	float yaw;      // about +Y, 0: the camera stands at +Z of the target [rad]
	float pitch;    // above the horizon [rad]
	float distance; // from the target [m]
	float fovY;     // full vertical angle of view [rad]
	float shift;    // way of the picture to the right, in half widths: what is left of it may be covered
} gelCamera;

/// Places the camera so that a box fills the picture.
/// @param aspect width / height
/// @param margin free border as a part of the picture's half size, 0 .. 0.9
gelCamera gelFrameBox( gelAabb box, float yaw, float pitch, float aspect, float margin );

gelVec3 gelCamera_Eye( const gelCamera* camera );

/// Rays from the eye: outLook[0] points ahead, outLook[1] and outLook[2] reach to the right and upper border.
void gelCamera_Rays( const gelCamera* camera, float aspect, gelVec3 outLook[3] );

/// World to clip space. The depth range is chosen around a sphere that encloses what is drawn.
gelMat4 gelCamera_ViewProjection( const gelCamera* camera, float aspect, gelVec3 center, float radius );

/// World to clip space for a parallel projection that looks along -axis at a sphere: the shadow map of a
/// far light, or the view of the ground from below.
gelMat4 gelParallelProjection( gelVec3 center, float radius, gelVec3 axis, gelVec3 up );
