// SPDX-License-Identifier: MIT
// Intersection curves: the segments in which triangles cross, joined end to end.
//
// An end of a segment is where an edge of one body passes through a triangle of the other. The edge has two
// triangles, both of which cross that triangle there, so exactly two segments end at the same edge and
// triangle, one with its start. Integers say which: no distance, and no tolerance, is involved. What finds no
// partner is at an edge without a neighbor: the surface is open, and so is the curve.
//
// Curves run counter-clockwise around the part of A that is inside of B, and clockwise around that of B.
#pragma once

#include "contact/detect/contact_scratch.h"

/// Joins the pairs of the scratch, which are sorted, to curves: segments, next, prev, pairCurves, curves.
/// Curves are numbered by their lowest pair. @return ends that contradict each other: 0
uint32_t gelJoinIntersectionCurves(
	gelContactScratch* scratch, const gelContactSurface* a, const gelContactSurface* b );
