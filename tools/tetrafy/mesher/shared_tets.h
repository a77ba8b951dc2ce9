// SPDX-License-Identifier: MIT
// Which parts of the surface lie in a tet, and do they belong together?
#pragma once

#include "tetrafy/mesher/tet_mesh.h"

/// Triangles of the surface (slots of the tree). Zero bits are an empty list; free() the slots.
typedef struct gelSlotList
{
	uint32_t* slots;
	uint32_t count, capacity;
} gelSlotList;

/// Replaces the list by the triangles that meet a tet.
void gelFindSlotsInTet( const gelSurfaceTree* tree, const gelVec3d p[4], gelSlotList* list );

/// Tets that hold parts of the surface which should move on their own: pieces with air between them that are
/// not joined nearby, such as two fingers. The two sides of a thin sheet have solid between them and do not
/// count.
uint32_t gelCountSharedTets( const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads );

/// Sets of tets that share no node with one another.
uint32_t gelCountCagePieces( const gelTetMesh* mesh );
