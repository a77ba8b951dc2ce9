// SPDX-License-Identifier: MIT
// Which part of a surface is inside of the other body, and what of it lies in each patch.
//
// The flood starts at cut triangles, across their edges that are inside, and stops at cut triangles: an edge
// that is crossed has cut triangles on both sides. Patches without cut triangles are inside as a whole or not
// at all. They cost the same however many triangles they have: vector area, area and centroid of the deformed
// patch follow from baked ones. (Civit-Flores, thesis, section 5.5.3.)
//
//   N = cof(F) N_m,  S <= sqrt( S_m tr( cof(F) T_m cof(F)^T ) ),  centroid by its weights
//
// The flood is breadth first from all cut triangles at once, so that triangles belong to the nearest curve.
// Where floods of two curves meet, the curves surround the same part.
#pragma once

#include "contact/detect/contact_scratch.h"

/// Floods one side, whose cut triangles have been made: marks, queue, parts; joins curves that surround the
/// same part in the forest of the side.
/// @param isByPatch false: triangle by triangle everywhere
/// @param skipsOpen what is behind open curves, or such that enclose next to nothing, is left alone
void gelFloodSurface(
	gelContactScratch* scratch, gelContactSurface* surface, int side, bool isByPatch, bool skipsOpen );

/// Removes all marks.
void gelCleanFlood( gelContactScratch* scratch, int side );

/// Vector area, area and centroid of a whole deformed patch [grid units].
gelPart gelMeasurePatch( const gelContactSurface* surface, uint32_t patch );
