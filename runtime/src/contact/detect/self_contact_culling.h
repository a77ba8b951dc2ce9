// SPDX-License-Identifier: MIT
// Cells of one body that cannot touch each other.
//
// A body with self-contact would otherwise pay for the search of every cell against all around it, whose
// boxes always meet, though nothing touches. What tells without looking at a triangle: all of a cell's
// surface is in its tet. Pieces of one tet are deformed alike, so they never meet if they did not at rest,
// whatever becomes of the tet; and tets that a plane through one's face separates meet at most at the nodes
// that they share, where their triangles are neighbors.
#pragma once

#include "contact/detect/contact_surface.h"

/// Whether the surface in two cells of a body cannot cross. False: it has to be searched.
bool gelAreCellsApart( const gelContactSurface* surface, uint32_t cellA, uint32_t cellB );
