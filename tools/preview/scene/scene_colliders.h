// SPDX-License-Identifier: MIT
// Colliders at work, and their shapes as surfaces to draw.
#pragma once

#include "common/program/findings.h"
#include "preview/scene/scene_def.h"

#include <gelpack/gelpack.h>

/// Where a collider is at a time [s].
gelTransform gelSceneCollider_Pose( const gelSceneColliderDef* def, float time );

/// Puts it into a world.
gelResult gelCreateSceneCollider( gelWorldId world, const gelSceneColliderDef* def, gelColliderId* outId );

/// A surface around the origin; free() its arrays.
typedef struct gelColliderMesh
{
	gelVec3 *positions, *normals;
	uint32_t* triangles;
	int vertexCount, triangleCount;
} gelColliderMesh;

/// False: out of memory.
bool gelMakeColliderMesh( gelColliderMesh* mesh, const gelSceneColliderDef* def );
void gelFreeColliderMesh( gelColliderMesh* mesh );

/// Box that a collider takes at a time [m]; nothing for a plane.
gelAabb gelSceneCollider_Bounds( const gelSceneColliderDef* def, float time );
/// Box of all places that its motion brings it to until a time [s]: where it starts and where its keys are.
gelAabb gelSceneCollider_PathBounds( const gelSceneColliderDef* def, float until );
/// The part of that box which a picture of bodies should show: all of a collider that moves, and of others
/// what is near the bodies. @param bodies box of the bodies, not empty [m]
gelAabb gelSceneCollider_ShownBounds( const gelSceneColliderDef* def, float until, gelAabb bodies );
