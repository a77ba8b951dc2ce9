// SPDX-License-Identifier: MIT
// Regions of contact and their normals.
//
// Curves that surround the same part of either body, and the parts, are one region: something that one push
// can resolve. Its normal is that of the vector area of its curves, against which the volume of the overlap
// shrinks fastest (Civit-Flores, thesis, section 5.5.4). Curves run counter-clockwise around the part of A
// that is inside of B, so the way out for A is
//
//     n = - N / |N|,   N = sum over curves 1/2 sum q0 x q1
//
// Several curves whose normals are less than 30 degrees off their sum share one normal. If they are not,
// every point takes the normal of the nearest curve. If what they enclose is nothing against the area of the
// parts (a rod through a ring), the mean normal of the parts is all that is left, and if that is nothing,
// too, the region has none.
#pragma once

#include "contact/detect/contact_scratch.h"

/// Makes regions from curves and parts, and joins parts of a patch that one contact shall stand for.
/// @param triangleCounts of both surfaces
void gelMakeRegions( gelContactScratch* scratch, const uint32_t triangleCounts[gel_sideCount] );

/// The region of a part.
static inline uint32_t gelGetRegion( const gelContactScratch* scratch, const gelPart* part )
{
	return scratch->curves[part->label].region;
}
