// SPDX-License-Identifier: MIT
// Which tets of the lattice meet the surface, and which of the others are inside.
#pragma once

#include "tetrafy/mesher/mesher_grid.h"
#include "tetrafy/surface/surface_tree.h"

typedef enum gelTetClass
{
	gel_tetUnknown, // only while classifying
	gel_tetExternal,
	gel_tetInternal,
	gel_tetPiercing,
} gelTetClass;

typedef struct gelClassification
{
	uint8_t* classes; // gelTetClass per lattice tet
	uint32_t external, internal, piercing;
	uint32_t components; // face-connected sets of tets that do not meet the surface
	// Such a set, of an open surface, that is inside at one end and outside at the other: a hole wider than a
	// cell.
	uint32_t leaks;
	gelVec3d firstLeak; // [m], where the first one changes sides
} gelClassification;

/// @param threads the result does not depend on it
gelClassification gelClassify( const gelLattice* lattice, const gelSurfaceTree* tree, int threads );
void gelFreeClassification( gelClassification* classification );
