// SPDX-License-Identifier: MIT
// The surface of an asset as a collider: its rest shape, moved as a rigid whole. Contacts are found by the
// same determination as between bodies (contact_detect.h), so the surface may be as detailed as art is.
#pragma once

#include "state/coarse_tree.h"
#include "contact/detect/contact_surface.h"

typedef struct gelColliderPose gelColliderPose;

/// One block of memory; nodes and boxes are those of the start of a step.
typedef struct gelColliderSurface
{
	size_t bytes;
	const gelAsset* asset;
	double origin[3]; // where nodes and boxes count from [m, world space]: the place of the collider
	gelVec3* nodes;   // positions of the cage nodes [m]
	gelCoarseBoxes* boxes;
	bool isStale;        // the pose has changed
	uint32_t placeCount; // how often it was put somewhere
} gelColliderSurface;

/// @param asset with collision geometry @return NULL: there is no memory
gelColliderSurface* gelCreateColliderSurface( const gelAllocator* allocator, const gelAsset* asset );
void gelFreeColliderSurface( const gelAllocator* allocator, gelColliderSurface* surface );

/// Puts nodes and boxes where the pose says, if that has not been done.
void gelColliderSurface_Place( gelColliderSurface* surface, gelSimdLevel simd, const gelColliderPose* pose );

/// As contact determination wants it.
gelContactSurface gelColliderSurface_Get( const gelColliderSurface* surface );

/// Box of the surface where it was placed [m, relative to its origin].
gelAabb gelColliderSurface_GetBox( const gelColliderSurface* surface );
