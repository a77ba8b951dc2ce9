// SPDX-License-Identifier: MIT
// The lattice of cubic cells, each split into five tets, mirrored by parity so that neighbors share faces.
#pragma once

#include <gelpack/math_double.h>

#include <stdbool.h>

#define GEL_GRID_MAX_CELLS 5000000u
#define GEL_NO_TET         UINT32_MAX
#define GEL_LATTICE_SHIFTS 4

typedef struct gelLattice
{
	double cell;       // edge length before rounding [m]
	uint32_t count[3]; // cells per axis
	double* coord[3];  // count + 1 strictly increasing lattice planes per axis [m]
	bool rounded;      // the coordinates are floats
} gelLattice;

/// Cells that a box needs at a cell size, wherever the lattice is placed; a large number when it is too many.
uint64_t gelLattice_CellsNeeded( const gelBox3d* box, double cell );

/// Lays a lattice over a box, inflated by half a cell at least. Coordinates are rounded to floats, so that a
/// pack keeps them exactly, unless a cell is so small next to the coordinates that rounding would bend the
/// lattice.
/// @param shift 0 .. GEL_LATTICE_SHIFTS - 1: which of a few places the lattice takes relative to the box
/// @return false: more than GEL_GRID_MAX_CELLS cells, or planes that doubles cannot tell apart
bool gelMakeLattice( const gelBox3d* box, double cell, int shift, gelLattice* outLattice );
void gelFreeLattice( gelLattice* lattice );

/// Cell corners (codes x + 2y + 4z) that the corner tets 0..3 of a cell have as their right-angled corners;
/// the fifth tet is what they leave. In cell coordinates from 0 to 1, a point is in a corner tet when the sum
/// of its distances from that corner along the axes is at most 1.
const uint8_t* gelLattice_CornerCodes( uint32_t i, uint32_t j, uint32_t k );

uint32_t gelLattice_TetCount( const gelLattice* lattice );
uint64_t gelLattice_NodeCount( const gelLattice* lattice );

/// Lattice nodes of tet 5 * cell + k, in positive orientation.
void gelLattice_TetNodes( const gelLattice* lattice, uint32_t tet, uint32_t outNodes[4] );
gelVec3d gelLattice_NodePoint( const gelLattice* lattice, uint32_t node );
void gelLattice_TetPoints( const gelLattice* lattice, uint32_t tet, gelVec3d outPoints[4] );

/// The tet on the other side of a face (opposite vertex k), or GEL_NO_TET at the border of the lattice.
uint32_t gelLattice_Neighbor( const gelLattice* lattice, uint32_t tet, int face );
