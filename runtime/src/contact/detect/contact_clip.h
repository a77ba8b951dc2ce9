// SPDX-License-Identifier: MIT
// How much of a cut triangle is inside of the other body, and where its centroid is, without ever forming the
// polygon.
//
// In the affine coordinates of the triangle, corner + u e1 + v e2 with e1 and e2 to the other corners, area
// is in units of the whole triangle and flat triangles are no special case. By Green's theorem the area and
// the first moment are sums over the boundary of what is inside: segments of intersection curves, and pieces
// of the edges. On an edge everything is a polynomial in the fraction lambda, so its crossings need no
// sorting: what lies between an entry and the next exit is the sum over exits minus the sum over entries.
//
//   segment q0 -> q1:         area += q0 x q1,      moment += ( q0 x q1 ) ( q0 + q1 ) / 3
//   edge from v along d:      area += L1 ( v x d ), moment += ( v x d ) ( 2 L1 v + L2 d ) / 3
//      L1 = sum of lambda of exits - sum of lambda of entries + [the edge ends inside], L2: with lambda^2
//
// With the origin in the first corner v x d is zero for both edges at it, and 1 for the opposite one.
// (Civit-Flores, thesis, Eq. 5.4 and 5.7, with the sign that the latter lacks.)
#pragma once

#include "contact/detect/contact_scratch.h"

/// Adds the ends of one segment.
void gelAddEnds( const gelContactScratch* scratch, int side, uint32_t pair, gelEdgeSums* sums );

gelEdgeSums gelSumEdges( const gelContactScratch* scratch, int side, const gelCutTriangle* cut );

/// A triangle as the origin and the axes of its affine coordinates [grid units].
typedef struct gelClipFrame
{
	double origin[3], e1[3], e2[3], normal[3];
	double inverse; // 1 / |normal|^2; 0 for triangles without area, whose inside is never asked for
} gelClipFrame;

gelClipFrame gelMakeClipFrame( const gelContactSurface* surface, const gelCutTriangle* cut );

/// What one segment adds: sums of it are negative around holes.
gelClip gelClipSegment(
	const gelContactScratch* scratch, const gelClipFrame* frame, int side, uint32_t pair );

static inline void gelAddClip( gelClip* to, double factor, const gelClip* clip )
{
	to->area += factor * clip->area;
	for ( int k = 0; k < 3; ++k )
		to->weight[k] += factor * clip->weight[k];
}

/// What the edges add to all segments.
gelClip gelClipEdges( const gelEdgeSums* edges, bool isLastCornerInside );

/// The same with the area of a part and the centroid inside, whatever rounding has done to them.
gelClip gelTidyClip( gelClip clip );
