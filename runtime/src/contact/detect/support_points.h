// SPDX-License-Identifier: MIT
// Vertices of a cell near a plane: the lowest one, or all below a height. Heights of the surface in a cell
// follow from those of its four nodes,
//
//   height = ((w0 h0 + w1 h1) + w2 h2) + w3 h3
//
// so a half-space, or the tangent plane of anything, is four numbers per cell and nothing is deformed. A pack
// marks the vertices that can be the lowest of their cell in some direction, and the asset lists them
// (support_lists.h); without marks all vertices of the cell are looked at. Eight at a time
// (support_kernels.c), with the bits of the scalar twins.
#pragma once

#include "asset/asset.h"
#include "contact/detect/support_kernels.h"

/// The lowest vertex of a cell; of several the one with the lowest slot. It is at most the slack of the pack,
/// 1e-5, times the difference of the highest and the lowest of h above the lowest of all vertices, listed or
/// not. If no height is below infinity, the first vertex.
/// @param kernels NULL: the scalar twins
/// @param cell of CTET
/// @param h heights of the four nodes of the cell [m]
gelSupportPoint gelFindLowestSupport(
	const gelSupportKernels* kernels, const gelAsset* asset, uint32_t cell, const float h[4] );

/// Vertices of a cell below a height, by ascending slot. Copies of a vertex in several patches of the cell
/// are one, if the pack marks supports; else each counts.
/// @param below [m]; a vertex at this height is not below
/// @param out the first `capacity` of them
/// @return how many there are, whether or not they fitted
int gelScanSupport( const gelSupportKernels* kernels, const gelAsset* asset, uint32_t cell, const float h[4],
	float below, gelSupportPoint* out, int capacity );
