// SPDX-License-Identifier: MIT
// Loops of contact determination.
#pragma once

#include "math/vec4.h"
#include "pack/pack_read.h"
#include "simd/levels.h"

struct gelCoarseBoxes;
struct gelContactBounds;
struct gelGrid;
struct gelPatchSearch;

/// Vertices of a patch on the grid of a pair of bodies, see contact_surface.h.
typedef void gelDeformPatchFcn( const gelPackView* pack, uint32_t patch, const gelVec3* nodes,
	const struct gelGrid* grid, gelVec4* points );

typedef struct gelContactKernels
{
	gelDeformPatchFcn* deformPatch;
	/// Finds the triangles of two patches that cross (contact_find.h). @return false: the patches are apart
	/// by more than the margin
	bool ( *searchPatches )( const struct gelPatchSearch* search );
	/// Children of a node of the coarse tree that a box meets, as bits.
	unsigned ( *meetChildren )( const struct gelCoarseBoxes* boxes, const struct gelContactBounds* box );
} gelContactKernels;

const gelContactKernels* gelGetContactKernels( gelSimdLevel level );
