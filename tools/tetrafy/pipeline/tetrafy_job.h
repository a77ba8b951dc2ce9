// SPDX-License-Identifier: MIT
// One run of the mesher, for the files that make it up: tetrafy.c does, tetrafy_report.c tells.
#pragma once

#include "tetrafy/mesher/cell_search.h"
#include "tetrafy/mesher/tet_mesh.h"
#include "tetrafy/pipeline/tetrafy.h"
#include "tetrafy/surface/surface_tree.h"

struct gelTetrafyArt
{
	gelSurface surface;
	gelSurfaceTree tree; // tree over the surface
	bool crosses;        // the surface goes through itself
};

typedef struct gelTetrafyJob
{
	const gelTetrafySettings* settings;
	gelProgram* program;
	const gelSurface* surface;
	const gelSurfaceTree* tree;
	bool crosses; // the surface goes through itself
	gelTetMesh cage;
	gelTetrafyStats stats;
} gelTetrafyJob;

void gelReportSearch( gelTetrafyJob* job, const gelCellSearch* search );
void gelReportClasses( gelTetrafyJob* job, const gelLattice* lattice, const gelClassification* classes );

/// Figures of the finished cage: volume, angles, gap, shared tets, places where it is not a manifold.
void gelReportCage( gelTetrafyJob* job );

/// Writes settings->picturePath. Thin tets are red, and triangles that a cage that failed does not bound.
void gelDrawJob( gelTetrafyJob* job );
