// SPDX-License-Identifier: MIT
// Colliders of a world: slots with generations, poses now and at the end of the next step.
#pragma once

#include "contact/shapes/collider_contacts.h"
#include "contact/shapes/collider_surface.h"
#include "gelpack/collider.h"

typedef struct gelCollider
{
	bool isUsed;
	uint32_t generation;         // grows with every destroyed collider
	gelColliderDef def;          // pose: as it was given
	gelTransform from, goal;     // ends of the way through several steps in a row
	gelTransform target;         // at the end of the next step
	gelColliderMotion motion;    // start: where it is now
	gelColliderSurface* surface; // what gel_shapeSurface has, else NULL
	gelReaction reaction;        // what bodies did to it in the last step
} gelCollider;

/// To be called before a step: where each collider will be at its end.
void gelWorld_AimColliders( struct gelWorld* world );

/// Several steps in a row: targets are reached at the end of the last one.
void gelWorld_BeginSteps( struct gelWorld* world );
/// Sets the targets of step `index` of `count`, from 0.
void gelWorld_AimAtPart( struct gelWorld* world, int index, int count );

/// Where a collider is within a step, 0: at its start, 1: at its end.
gelColliderPose gelCollider_GetTransformAt( const gelCollider* collider, float t );

/// To be called after a step: they are there now.
void gelWorld_SettleColliders( struct gelWorld* world );

/// Gives the memory of all surfaces back, when the world goes.
void gelWorld_FreeColliders( struct gelWorld* world );

/// Poses and targets, as a part of the state of a world: bytes that are needed, and written.
size_t gelWorld_GetColliderBytes( const struct gelWorld* world );
void gelWorld_SaveColliders( const struct gelWorld* world, uint8_t* to );
/// Whether bytes are such a part, of the colliders that the world has.
gelResult gelWorld_JudgeColliders( const struct gelWorld* world, const uint8_t* from, size_t byteCount );
void gelWorld_RestoreColliders( struct gelWorld* world, const uint8_t* from );

// ---- in the contact step: collider_step.c -------------------------------------------------------------

/// The ground as a half-space that nobody has made; its second axis is the normal.
gelColliderMotion gelMakeGround( const gelStepContext* ctx );

/// Whether a body touches the ground (0) or a collider, 1-based, as far as filters and switches go.
bool gelMeetsCollider( const struct gelWorld* world, const gelBody* body, uint32_t collider1 );

/// Whether a box can be reached by a moving shape, or nearly. @param start, end of the shape, in the space of
/// the box
bool gelMayReach(
	const gelAabb* box, gelVec3 start, gelVec3 end, const gelColliderMotion* motion, float reach );

/// A shape that stands, for queries. @return false: the def is bad, or has a surface
bool gelMakeQueryMotion( const gelColliderDef* def, gelColliderMotion* out );

/// Adds what the points of a body did to their colliders.
void gelSumPointReactions( struct gelWorld* world, const gelBody* body, float h );
/// The same for a contact with a surface.
void gelAddSurfaceReaction( struct gelWorld* world, const gelContactItem* item, float h );
