// SPDX-License-Identifier: MIT
// The order of the sums of the quality mode, which scalar and wide loops share: floats in eight lanes over a
// piece of a vector, then a fixed tree over the lanes, then doubles from piece to piece.
#pragma once

// Nodes in a piece: short enough for float, long enough for the tree not to matter.
#define GEL_SUM_NODES 64

static inline float gelSumLanes( const float lane[8] )
{
	return ( ( lane[0] + lane[4] ) + ( lane[1] + lane[5] ) ) +
		( ( lane[2] + lane[6] ) + ( lane[3] + lane[7] ) );
}
