// SPDX-License-Identifier: MIT
// Walls and slopes of built-in scenes, made of box colliders.
#pragma once

#include "preview/scene/scene_def.h"

#define GEL_RING_WALLS 14

/// Walls around a place, leaning outwards: a bowl without its floor, or a funnel. Writes GEL_RING_WALLS
/// colliders.
/// @param inner,outer radius at the lower and upper edge [m] @param low,high heights of the edges [m]
void gelAddRing( gelSceneColliderDef* out, float inner, float outer, float low, float high );

/// A slope from (-length/2, height) down to (length/2, 0) along x. Writes one collider.
#define GEL_RAMP_PARTS 3
void gelAddRamp( gelSceneColliderDef* out, float length, float height, float width );

/// A box. Writes one collider.
void gelAddBox( gelSceneColliderDef* out, gelVec3 middle, gelVec3 halfSize );
