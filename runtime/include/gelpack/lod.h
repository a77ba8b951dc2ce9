// SPDX-License-Identifier: MIT
// Levels of detail: a pack may hold the same art in several cages, from fine to coarse (gel-bake --lod). A
// body goes from one to another while it lives; see docs/lod.md for what that keeps and what it costs.
#pragma once

#include "types.h"

/// Levels of an asset at most, the pack itself included.
#define GEL_MAX_LEVELS 8

/// How many levels an asset has, at least 1: level 0 is the pack itself. The same for every level of it. 0
/// for NULL.
GEL_API int gelAsset_GetLevelCount( const gelAsset* asset );

/// A level as an asset of its own, with nodes and tets of its own and the same art vertices and triangles. It
/// belongs to the asset that was loaded and goes with it. NULL when there is no such level.
GEL_API const gelAsset* gelAsset_GetLevel( const gelAsset* asset, int level );

/// The level that a body is simulated with; -1 for a stale id.
GEL_API int gelBody_GetLevel( gelBodyId bodyId );

/// Simulates a body with another level from the next step on. Between steps only; memory of the body is
/// allocated anew. The ids of body, constraints and frames stay valid; embedded points (a tet and weights)
/// and numbers of nodes and tets of the old level do not. Position, turn and motion of the body as a whole
/// stay what they were, to rounding; its deformation as far as both cages can express it, which is none for a
/// body at rest. The motion inside it never gets more energy per mass. So do permanent strains, forces, pin
/// targets, user data, contact settings, and sleep. On failure nothing has changed: gel_errorArgument: no
/// such level; gel_errorUnsupported: a body of particles, or the level was baked without what the solver
/// needs; gel_errorNoFactor: not for the step length in use or the settings of the body; gel_errorMemory,
/// gel_errorLocked, gel_errorStaleId.
GEL_API gelResult gelBody_SetLevel( gelBodyId bodyId, int level );

/// The level that a saved state of this body (interact.h) belongs to, so that it can be set before the state
/// is restored; -1: a stale id, or not a state of its asset.
GEL_API int gelBody_GetStateLevel( gelBodyId bodyId, const void* buffer, size_t byteCount );

/// Which level bodies are to have. Start from gelDefaultLodPolicy().
typedef struct gelLodPolicy
{
	/// Level k + 1 is for bodies at least distances[k] sizes of themselves away; the size is the longest side
	/// of the rest shape. At least 0, not falling. Default 8, 16, 32, ...
	float distances[GEL_MAX_LEVELS - 1];
	/// A body that is in a coarser level gets the finer one when it is nearer than (1 - hysteresis) of the
	/// distance, or when there is as much room in the budget, so that nothing flickers. 0 .. 0.9. Default
	/// 0.15.
	float hysteresis;
	/// Budget of a step: tets of all bodies that are awake. What is farthest, by its size, gets coarser
	/// first. 0: no budget. Default 0.
	int maxTets;
	/// Bodies that change in one call at most, for an even load; those that get coarser come first. 0: no
	/// limit. Default 0.
	int maxSwitches;
	/// Filled by gelDefaultLodPolicy().
	uint32_t cookie;
} gelLodPolicy;

/// Start of every gelLodPolicy.
GEL_API gelLodPolicy gelDefaultLodPolicy( void );

/// Gives every body that has levels the one that the policy asks for, seen from eye [m, world space]. Bodies
/// that cannot have it keep theirs. The result depends on nothing but world, eye and policy.
/// @param outSwitchCount NULL, or receives how many bodies have changed
/// @return gel_errorMemory: those that come behind the one without memory have not changed
GEL_API gelResult gelWorld_UpdateLevels(
	gelWorldId worldId, gelVec3 eye, const gelLodPolicy* policy, int* outSwitchCount );
