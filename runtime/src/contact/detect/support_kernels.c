// SPDX-License-Identifier: MIT
// Heights of vertices of a cell: lanes are vertices. Twins of gelFindLowest_Ref and gelScan_Ref.
#include "contact/detect/support_kernels.h"

#include "simd/wide_weights.h"

#include <math.h>

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
		gelLoadWeightsW( run->fixed, run->floats, first, w );
		gelFloatW heights = gelWeighW( w, wide );
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
	gelLoadWeightsW( run->fixed, run->floats, blocks[lane], w );
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
		gelLoadWeightsW( run->fixed, run->floats, first, w );
		gelFloatW heights = gelWeighW( w, wide );
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
