// SPDX-License-Identifier: MIT
// The cell size that gives about the wanted number of tets.
#pragma once

#include "tetrafy/mesher/classify.h"

typedef struct gelCellSearch
{
	double cell;   // [m]; 0: none was possible, and there is nothing to free
	uint32_t tets; // kept at this size
	int evaluations;
	gelLattice lattice; // lattice of that cell size, with its classes
	gelClassification classes;
} gelCellSearch;

/// Classifies a handful of lattices of several cell sizes and places. The sizes tried have three significant
/// digits, so that the result does not hang on the last bits of a measure of the surface.
/// Art without extent has no such size.
gelCellSearch gelFindCell( const gelSurfaceTree* tree, uint32_t targetTets, int threads );
void gelFreeCellSearch( gelCellSearch* search );

/// The smallest cell that the limit of a grid allows for a box [m].
double gelSmallestCell( const gelBox3d* box );
