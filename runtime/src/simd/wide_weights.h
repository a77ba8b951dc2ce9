// SPDX-License-Identifier: MIT
// Weights of eight vertices of a cell (section CVTX of a pack) and what follows from them.
#pragma once

#include "pack/pack_layout.h"
#include "simd/wide_math.h"

/// Weights of eight vertices from a slot on, which is a multiple of 8 in its array. Those of 21 bits are
/// integers below 2^22 until the end, so that differences are exact.
/// @param fixed NULL: they are floats, in blocks of eight vertices
GEL_FORCE_INLINE void gelLoadWeightsW(
	const uint64_t* fixed, const float* floats, uint32_t slot, gelFloatW w[4] )
{
	static const uint32_t lanes[GEL_LANES] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	if ( fixed == NULL )
	{
		for ( uint32_t k = 0; k < 4; ++k )
			w[k] = gelLoadW( floats + 4u * (size_t)slot + GEL_LANES * k );
		return;
	}
	gelUnpackWeightsW( fixed + slot, lanes, w );
	w[3] = gelSubW( gelSubW( gelSubW( gelSplatW( (float)GEL_CDG_WEIGHT_SUM ), w[0] ), w[1] ), w[2] );
	for ( int k = 0; k < 4; ++k )
		w[k] = gelMulW( w[k], gelSplatW( GEL_CDG_WEIGHT_UNIT ) );
}

/// ((w0 h0 + w1 h1) + w2 h2) + w3 h3
GEL_FORCE_INLINE gelFloatW gelWeighW( const gelFloatW w[4], const gelFloatW h[4] )
{
	gelFloatW sum = gelMulW( w[0], h[0] );
	for ( int k = 1; k < 4; ++k )
		sum = gelAddW( sum, gelMulW( w[k], h[k] ) );
	return sum;
}
