// SPDX-License-Identifier: MIT
// The surface of a body as contact determination sees it: bounds of its parts without looking at vertices,
// and vertices on the grid of a pair of bodies, deformed when a patch is first looked into.
#pragma once

#include "state/coarse_tree.h"
#include "contact/detect/contact_kernels.h"
#include "contact/detect/contact_predicates.h"
#include "pack/pack_read_cdg.h"

typedef struct gelContactSurface
{
	const gelPackView* pack;
	const gelCoarseNode* tree; // over the cells, of the asset; the root is the last
	int treeCount;
	const gelVec3* nodes;        // deformed [m, body space]
	const gelCoarseBoxes* boxes; // boxes of the tree, refitted to the nodes
	double origin[3];            // where body space begins [m]

	// ---- set by gelContactSurface_Pair ----
	gelVec3 shift; // from body space to that of the pair, whose origin is in the middle of both [m]
	gelGrid grid;
	float slack; // how far rounding and snapping can take a vertex out of its bounds [m]

	// ---- scratch: set by gelDetectContacts ----
	// by slot of CVTX, right where the stamp of the patch is: coordinates of grid points, which float holds
	// exactly, in 16 bytes that are loaded at once
	gelVec4* points;
	gelDeformPatchFcn* deform; // set by gelFindTrianglePairs
	uint32_t* patchStamps;     // by patch; zero before their first use
	uint32_t stamp;            // mark of this pair: never 0, never used before with these stamps
} gelContactSurface;

/// The surface of anything that has a coarse tree and boxes: gelRefitCoarse_Ref or the kernel.
/// @param origin of body space in the world [m], three numbers
gelContactSurface gelMakeContactSurface( const gelPackView* pack, const gelCoarseNode* tree, int treeCount,
	const gelVec3* nodes, const gelCoarseBoxes* boxes, const double* origin );

/// Around the whole body [m, body space].
static inline const gelDop* gelContactSurface_GetBox( const gelContactSurface* surface )
{
	return &surface->boxes[surface->treeCount - 1].all;
}

/// Makes the grid of a pair. False: their boxes do not meet, so no triangles do.
bool gelContactSurface_Pair( gelContactSurface* a, gelContactSurface* b );

/// Deforms and snaps the vertices of a patch, unless that has been done for this pair.
void gelContactSurface_Deform( gelContactSurface* surface, uint32_t patch );

static inline gelGridPoint gelContactSurface_GetPoint( const gelContactSurface* surface, uint32_t slot )
{
	const gelVec4* p = surface->points + slot;
	return ( gelGridPoint ){ (int32_t)p->x, (int32_t)p->y, (int32_t)p->z };
}

/// Corners of a triangle of a patch that has been deformed.
static inline void gelContactSurface_GetCorners(
	const gelContactSurface* surface, uint32_t patch, uint32_t triangle, gelGridPoint out[3] )
{
	uint32_t slots[3];
	gelCdg_GetCorners( &surface->pack->cdg, surface->pack->patches + patch, triangle, slots );
	for ( int k = 0; k < 3; ++k )
		out[k] = gelContactSurface_GetPoint( surface, slots[k] );
}

/// Bounds along the axes of a gelDop, in the space of the pair [m].
typedef struct gelContactBounds
{
	float low[8], high[8];
} gelContactBounds;
