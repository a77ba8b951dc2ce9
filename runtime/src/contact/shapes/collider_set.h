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

/// Marks the awake bodies that a collider may touch in this step: gelBodyContact.isNearCollider.
void gelFindNearColliders( struct gelWorld* world, const gelStepContext* ctx );

/// Whether a box can be reached by a moving shape, or nearly. @param start, end of the shape, in the space of
/// the box
bool gelMayReach(
	const gelAabb* box, gelVec3 start, gelVec3 end, const gelColliderMotion* motion, float reach );

/// A shape that stands, for queries. @return false: the def is bad, or has a surface
bool gelMakeQueryMotion( const gelColliderDef* def, gelColliderMotion* out );

/// Lists the contacts of a body at its candidate positions with all colliders.
void gelFillColliderItems( const struct gelWorld* world, gelBody* body, float h, gelItemList* list );

/// Adds what solved contacts did to their colliders.
void gelSumReactions( struct gelWorld* world, const gelContactItem* items, int count, float h );
