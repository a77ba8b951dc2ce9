// SPDX-License-Identifier: MIT
// How good the tets of a cage are.
#pragma once

#include "tetrafy/mesher/tet_mesh.h"

#define GEL_DIHEDRAL_BINS 18 // bins of 10 degrees

typedef struct gelCageQuality
{
	double volume;                   // [m^3]
	double minDihedral, maxDihedral; // [degrees]
	double meanRadiusRatio;          // mean of 3 r_in / r_circ: 1 for a regular tet, 0 for a flat one
	double minRadiusRatio;
	uint32_t worstTet;                     // the one with the smallest dihedral
	uint32_t below15;                      // tets with a dihedral below 15 degrees
	uint32_t histogram[GEL_DIHEDRAL_BINS]; // smallest dihedral of each tet
} gelCageQuality;

gelCageQuality gelMeasureCage( const gelTetMesh* mesh );

/// Mean distance [m] from the outside of the cage to the surface, by area, sampled at four points per
/// boundary face.
double gelMeasureGap( const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads );

/// Volume [m^3] of the solid inside a cage that bounds it, from a few thousand points; good to a few percent.
/// 0 for cages of very many tets, where that would take long.
double gelSampleSolid( const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads );
