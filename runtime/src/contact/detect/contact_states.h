// SPDX-License-Identifier: MIT
// Which corners of cut triangles are inside of the other body: from the crossings alone, no point is tested.
//
// Along an edge of a triangle, entries into the other body and exits alternate, so their difference is -1, 0
// or 1 and says on which side its ends are, or that they are on the same one. Fractions along the edge do not
// matter: where bodies touch, they are equal, and their order is worth nothing. Only if all edges of
// connected cut triangles have as many entries as exits, geometry decides: by what the entries and exits, or
// loops inside of the triangles, enclose.
#pragma once

#include "contact/detect/contact_scratch.h"

/// Makes the cut triangles of a side: its pairs by triangle, marks, states of all corners.
void gelMakeCutTriangles( gelContactScratch* scratch, const gelContactSurface* surface, int side );
