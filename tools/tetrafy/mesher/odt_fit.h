// SPDX-License-Identifier: MIT
// Fitting: moves the nodes of a cage towards optimal Delaunay positions until its outside is about to touch
// the art.
#pragma once

#include "tetrafy/mesher/tet_mesh.h"

typedef struct gelFitSettings
{
	int passes;    // at most
	bool boundary; // also move nodes on the outside; false: smooth the inside only
	double rate;   // share of the way to the optimal position taken per pass, (0, 1]
	double
		dihedralGuard; // [degrees]: no move makes an angle smaller than this, unless it was and gets larger
	int threads;       // at least 1; the result is the same
} gelFitSettings;

gelFitSettings gelDefaultFitSettings( void );

typedef struct gelFitStats
{
	int passes;        // made
	uint32_t moves;    // accepted
	uint32_t contacts; // moves that the surface cut short
	uint32_t refused;  // moves that the exact test refused at least once
	double lastMove;   // largest move of the last pass [m]
} gelFitStats;

/// The cage must bound the surface strictly; it does so at every instant of the motion, and at the end.
gelFitStats gelFitCage( gelTetMesh* mesh, const gelSurfaceTree* tree, const gelFitSettings* settings );

/// Displacement of vertex k of the tets around a node to the volume-weighted mean of their circumcenters. For
/// tests.
gelVec3d gelOdtDisplacement( const gelTetMesh* mesh, const uint32_t* corners, uint32_t cornerCount );
