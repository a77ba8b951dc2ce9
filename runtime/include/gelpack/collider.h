// SPDX-License-Identifier: MIT
// Things that bodies touch and that do not give way: floors, walls, limbs, pistons. They stand still or move
// as the game says. Included by gelpack.h.
//
//     gelColliderDef def = gelDefaultColliderDef();
//     def.shape = gel_shapeCapsule;
//     def.radius = 0.1f;
//     def.halfLength = 0.4f;                               // along the collider's y axis
//     gelColliderId arm;
//     gelCreateCollider( world, &def, &arm );
//     ...
//     gelCollider_SetTarget( arm, poseOfTheBone );         // before each gelWorld_Step
//
// The world must have been made with gelWorldDef.enableContact, and colliders touch the bodies that take part
// in contact (contact.h): those of packs with collision geometry, and those of particles.
//
// Bodies are pushed out of a collider and along with it, and rub on it by Coulomb's law. What they do to it
// in return can be asked for (gelCollider_GetReaction), so that the game may move it accordingly.
#pragma once

#include "base.h"
#include "interact.h"
#include "types.h"

/// A collider in a world. Opaque: compare, copy, store. Zero means "no collider". A destroyed collider's id
/// is recognized as stale as long as its world lives.
typedef struct gelColliderId
{
	struct gelWorld* world;
	uint32_t index1; // 1-based
	uint32_t generation;
} gelColliderId;

typedef enum gelColliderShape
{
	gel_shapePlane = 0, ///< all below the collider's y = 0 is solid
	gel_shapeSphere = 1,
	gel_shapeCapsule = 2, ///< around a segment along the collider's y axis
	gel_shapeBox = 3,
	gel_shapeSurface = 4, ///< surface of a pack at rest (gel-bake --static), as detailed as its art; it must
						  ///< be closed
} gelColliderShape;

/// How to make a collider. Start from gelDefaultColliderDef().
typedef struct gelColliderDef
{
	/// Default gel_shapePlane.
	gelColliderShape shape;
	/// Radius of spheres and capsules, > 0; of boxes: how far beyond the half extents they reach, with round
	/// edges, >= 0 [m]. At most 1e6. Default 0.
	float radius;
	/// Capsules: half of the segment, without the caps [m], >= 0. Default 0.
	float halfLength;
	/// Boxes: half sizes without the radius [m], >= 0; > 0 if that is 0: a flat box has no inside. Default 0.
	gelVec3 halfExtents;
	/// Surface of gel_shapeSurface: a pack with collision geometry; must outlive the collider. Default NULL.
	const gelAsset* asset;
	/// Default: the world's origin and axes.
	gelTransform transform;
	/// Coulomb coefficients, 0 .. 1e6, combined with the body's by the mean. Dynamic is never more than
	/// static. Default 0.6 and 0.5.
	float staticFriction, dynamicFriction;
	/// Thickness of gel_shapeSurface, as gelBodyDef.contactThickness, for walls that fast bodies must not
	/// pass [m]. Default 0.
	float thickness;
	/// Which bodies it touches.
	gelContactFilter filter;
	/// Given back by gelCollider_GetUserData. Default NULL.
	void* userData;
	/// Filled by gelDefaultColliderDef(): a def that did not start there is refused.
	uint32_t cookie;
} gelColliderDef;

/// Start of every gelColliderDef.
GEL_API gelColliderDef gelDefaultColliderDef( void );

/// Adds a collider to a world; only those with a surface take memory. gel_errorFull: see
/// gelWorldDef.colliderCapacity; gel_errorUnsupported: the world was made without contact
/// (gelWorldDef.enableContact), or the pack has no collision geometry.
GEL_API gelResult gelCreateCollider(
	gelWorldId worldId, const gelColliderDef* def, gelColliderId* outColliderId );

/// Removes a collider; bodies that slept on it wake up.
GEL_API void gelDestroyCollider( gelColliderId colliderId );

/// Whether the id belongs to a collider that lives. Its world must.
GEL_API bool gelCollider_IsValid( gelColliderId colliderId );

/// Puts another pointer in place of gelColliderDef.userData. gel_errorStaleId.
GEL_API gelResult gelCollider_SetUserData( gelColliderId colliderId, void* userData );

/// The pointer that the game left there; NULL for a stale id.
GEL_API void* gelCollider_GetUserData( gelColliderId colliderId );

/// Where the collider is to be at the end of the next step [m, world space]. It pushes what is in its way,
/// with the speed of this motion, and then stands still until told otherwise. Wakes up the bodies around it.
GEL_API gelResult gelCollider_SetTarget( gelColliderId colliderId, gelTransform target );

/// Puts the collider somewhere else at once [m, world space]: what it then overlaps is pushed out slowly.
GEL_API gelResult gelCollider_Teleport( gelColliderId colliderId, gelTransform transform );

/// Where the collider is now [m, world space]: after a step at its target.
GEL_API gelResult gelCollider_GetTransform( gelColliderId colliderId, gelTransform* outTransform );

/// Bodies with collision geometry that overlap a shape where they are now, by their slots: something of their
/// surface is in it, or it is inside of them. No collider is made; the filter of the def is compared
/// with those of bodies that take part in contact. Not for surfaces.
GEL_API int gelWorld_OverlapShape(
	gelWorldId worldId, const gelColliderDef* def, gelBodyId* out, int outCapacity );

/// Force [N] and torque about its position [N m] of all bodies on the collider in the last step; zero before
/// one.
GEL_API gelResult gelCollider_GetReaction( gelColliderId colliderId, gelReaction* outReaction );
