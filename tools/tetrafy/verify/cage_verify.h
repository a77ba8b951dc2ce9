// SPDX-License-Identifier: MIT
// Proof that a cage strictly bounds a surface. Nothing is written that did not pass.
#pragma once

#include "tetrafy/mesher/tet_mesh.h"

typedef struct gelCageProof
{
	uint32_t invertedTets; // volume <= 0, exactly
	uint32_t firstInverted;
	uint32_t crowdedFaces, misorientedFaces;
	uint32_t firstBadTet;
	uint32_t touchedFaces;    // boundary faces that meet the surface
	uint32_t firstTouchedTri; // triangle of the mesh
	uint32_t outsidePoints;   // points of the surface in no tet
	uint32_t firstOutside;
	uint32_t overlappedPoints; // points strictly inside more than one tet
	uint32_t firstOverlapped;
	uint32_t boundaryFaces;
} gelCageProof;

/// Checks everything. When no boundary face meets the surface and every point of the surface is in a tet,
/// each connected piece of the surface lies entirely inside: it would have to cross a boundary face to leave.
gelCageProof gelProveCage( const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads );

/// Marks triangles of the surface that boundary faces meet (one per face) or that have a corner outside; for
/// pictures.
void gelMarkBadTriangles( const gelTetMesh* mesh, const gelSurfaceTree* tree, uint8_t* outMarks );

/// Marks tets with faces of more than two tets or seen twice from one side, and tets that overlap on the art;
/// for pictures.
void gelMarkBadTets( const gelTetMesh* mesh, const gelSurfaceTree* tree, uint8_t* outMarks );

bool gelCageProof_Holds( const gelCageProof* proof );

/// Adds an error for everything that does not hold.
/// @param file that the errors are about; may be NULL
void gelCageProof_Report( const gelCageProof* proof, const gelTetMesh* mesh, const gelSurface* surface,
	const char* file, gelProgram* program );
