// SPDX-License-Identifier: MIT
// The cage while it is being made: nodes, tets, and the faces between them.
#pragma once

#include "cage/cage_io.h"
#include "tetrafy/mesher/classify.h"

typedef struct gelTetMesh
{
	gelVec3d* points; // per node [m]
	uint32_t nodeCount;
	uint32_t* tets;   // 4 nodes each, positive volume
	uint8_t* classes; // gelTetClass per tet: Internal or Piercing
	uint32_t tetCount;
	double cell;  // [m], the size that guards and stop criteria are relative to
	bool rounded; // node coordinates are floats, and stay so
} gelTetMesh;

/// The tets that are not External; nodes in order of first use, tets in lattice order.
gelTetMesh gelMakeTetMesh( const gelLattice* lattice, const gelClassification* classification );
void gelFreeTetMesh( gelTetMesh* mesh );

void gelTetMesh_TetPoints( const gelTetMesh* mesh, uint32_t tet, gelVec3d outPoints[4] );
void gelTetMesh_FacePoints( const gelTetMesh* mesh, uint32_t tet, int face, gelVec3d outPoints[3] );

/// neighbors[4 * tet + k]: the tet on the other side of face k, or GEL_NO_TET.
typedef struct gelTetFacesInfo
{
	uint32_t* neighbors;
	uint32_t boundaryCount;
	uint32_t crowdedCount;     // faces of more than two tets
	uint32_t misorientedCount; // faces that two tets see from the same side
	uint32_t firstBadTet;      // first tet of the last two kinds
	uint8_t* badTets;          // per tet: has such a face; NULL: none has
} gelTetFacesInfo;

gelTetFacesInfo gelFindTetFaces( const uint32_t* tets, uint32_t tetCount );
void gelFreeTetFaces( gelTetFacesInfo* faces );

void gelTetMesh_ToCage( const gelTetMesh* mesh, gelCage* outCage );

/// Nodes that no tet uses are left out; the others keep their order.
gelTetMesh gelTetMesh_FromCage( const gelCage* cage );
