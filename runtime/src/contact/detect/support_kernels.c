// SPDX-License-Identifier: MIT
// Heights of vertices of a cell: lanes are vertices. Twins of gelFindLowest_Ref and gelScan_Ref.
#include "contact/detect/support_kernels.h"

#include "simd/wide_math.h"

#include <math.h>

// Weights of eight vertices. Those of 21 bits are integers below 2^22 until the end, so that differences are
// exact.
GEL_FORCE_INLINE void LoadWeights_W( const gelSupportRun* run, uint32_t first, gelFloatW w[4] )
{
	static const uint32_t lanes[GEL_LANES] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	if ( run->fixed == NULL )
	{
		for ( uint32_t k = 0; k < 4; ++k )
			w[k] = gelLoadW( run->floats + 4u * (size_t)first + GEL_LANES * k );
		return;
	}
	gelUnpackWeightsW( run->fixed + first, lanes, w );
	w[3] = gelSubW( gelSubW( gelSubW( gelSplatW( (float)GEL_CDG_WEIGHT_SUM ), w[0] ), w[1] ), w[2] );
	for ( int k = 0; k < 4; ++k )
		w[k] = gelMulW( w[k], gelSplatW( GEL_CDG_WEIGHT_UNIT ) );
}

GEL_FORCE_INLINE gelFloatW GetHeights_W( const gelFloatW w[4], const gelFloatW h[4] )
{
	gelFloatW sum = gelMulW( w[0], h[0] );
	for ( int k = 1; k < 4; ++k )
		sum = gelAddW( sum, gelMulW( w[k], h[k] ) );
	return sum;
}

GEL_FORCE_INLINE uint32_t GetSlot_W( const gelSupportRun* run, uint32_t index )
{
	return run->slots != NULL ? run->slots[index] : run->firstSlot + index;
}

// Lanes that count, of the block that starts with vertex `first`.
GEL_FORCE_INLINE unsigned GetLanes_W( const gelSupportRun* run, uint32_t first )
{
	uint32_t left = run->count - first;
	return left >= GEL_LANES ? 0xFFu : ( 1u << left ) - 1u;
}

// One lane of a block.
GEL_FORCE_INLINE gelSupportPoint TakeLane_W(
	const gelSupportRun* run, uint32_t first, unsigned lane, const gelFloatW w[4], const float* heights )
{
	_Alignas( 32 ) float rows[4][GEL_LANES];
	for ( int k = 0; k < 4; ++k )
		gelStoreW( rows[k], w[k] );
	return ( gelSupportPoint ){ GetSlot_W( run, first + lane ), heights[lane],
		{ rows[0][lane], rows[1][lane], rows[2][lane], rows[3][lane] } };
}

// What fills the last block up repeats the last vertex, in lanes behind it: it never wins, since a lower lane
// of the same block is as low, or an earlier block.
static void FindLowest_W( const gelSupportRun* run, const float h[4], gelSupportPoint* best )
{
	const gelFloatW wide[4] = { gelSplatW( h[0] ), gelSplatW( h[1] ), gelSplatW( h[2] ), gelSplatW( h[3] ) };
	// the lowest of each lane so far, and the block that it is in
	gelFloatW lowest = gelSplatW( best->height ), w[4];
	uint32_t blocks[GEL_LANES] = { 0 };
	unsigned found = 0;
	for ( uint32_t first = 0; first < run->count; first += GEL_LANES )
	{
		LoadWeights_W( run, first, w );
		gelFloatW heights = GetHeights_W( w, wide );
		gelMaskW isLower = gelGreaterW( lowest, heights );
		unsigned lower = (unsigned)gelMaskBitsW( isLower );
		if ( lower == 0 ) continue;
		lowest = gelSelectW( isLower, heights, lowest );
		found |= lower;
		for ( ; lower != 0; lower &= lower - 1u )
			blocks[gelLowestBit( lower )] = first;
	}
	_Alignas( 32 ) float heights[GEL_LANES];
	gelStoreW( heights, lowest );
	unsigned lane = GEL_LANES;
	for ( ; found != 0; found &= found - 1u )
	{
		unsigned k = gelLowestBit( found );
		if ( lane == GEL_LANES || heights[k] < heights[lane] ||
			( heights[k] == heights[lane] && blocks[k] < blocks[lane] ) )
			lane = k;
	}
	if ( lane == GEL_LANES ) return;
	LoadWeights_W( run, blocks[lane], w );
	*best = TakeLane_W( run, blocks[lane], lane, w, heights );
}

static int Scan_W(
	const gelSupportRun* run, const float h[4], float below, gelSupportPoint* out, int capacity, int count )
{
	const gelFloatW wide[4] = { gelSplatW( h[0] ), gelSplatW( h[1] ), gelSplatW( h[2] ), gelSplatW( h[3] ) };
	const gelFloatW limit = gelSplatW( below );
	for ( uint32_t first = 0; first < run->count; first += GEL_LANES )
	{
		gelFloatW w[4];
		LoadWeights_W( run, first, w );
		gelFloatW heights = GetHeights_W( w, wide );
		unsigned lower = (unsigned)gelMaskBitsW( gelGreaterW( limit, heights ) ) & GetLanes_W( run, first );
		if ( lower == 0 ) continue;
		_Alignas( 32 ) float values[GEL_LANES];
		gelStoreW( values, heights );
		for ( ; lower != 0; lower &= lower - 1u, ++count )
		{
			if ( count < capacity ) out[count] = TakeLane_W( run, first, gelLowestBit( lower ), w, values );
		}
	}
	return count;
}

GEL_KERNELS( gelSupportKernels, gelGetSupportKernels ) = { FindLowest_W, Scan_W };
