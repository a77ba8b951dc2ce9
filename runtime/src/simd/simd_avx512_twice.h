// SPDX-License-Identifier: MIT
// Thirty-two lanes in two registers of AVX-512: four blocks of eight elements. Part of simd.h.
//
// One register of elements is a chain of operations of which each waits for the one before, and the queue of
// instructions that a processor looks ahead in ends before the next chain begins. Two chains whose
// instructions alternate keep its units busy.
#pragma once

#include <immintrin.h>

#include "simd/simd_avx512_nodes.h"

typedef struct gelFloatW
{
	__m512 low, high;
} gelFloatW;
typedef uint32_t gelMaskW;

static inline gelFloatW gelLoadW( const float* p )
{
	return ( gelFloatW ){ _mm512_load_ps( p ), _mm512_load_ps( p + 16 ) };
}
static inline gelFloatW gelSplatW( float a )
{
	return ( gelFloatW ){ _mm512_set1_ps( a ), _mm512_set1_ps( a ) };
}
static inline void gelStoreW( float* p, gelFloatW a )
{
	_mm512_storeu_ps( p, a.low );
	_mm512_storeu_ps( p + 16, a.high );
}

#define GEL_OPERATION_W( name, operation )                                                                   \
	static inline gelFloatW name( gelFloatW a, gelFloatW b )                                                 \
	{                                                                                                        \
		return ( gelFloatW ){ operation( a.low, b.low ), operation( a.high, b.high ) };                      \
	}

GEL_OPERATION_W( gelAddW, _mm512_add_ps )
GEL_OPERATION_W( gelSubW, _mm512_sub_ps )
GEL_OPERATION_W( gelMulW, _mm512_mul_ps )
GEL_OPERATION_W( gelDivW, _mm512_div_ps )
GEL_OPERATION_W( gelMaxW, _mm512_max_ps )
GEL_OPERATION_W( gelMinW, _mm512_min_ps )

static inline gelFloatW gelSqrtW( gelFloatW a )
{
	return ( gelFloatW ){ _mm512_sqrt_ps( a.low ), _mm512_sqrt_ps( a.high ) };
}
static inline gelFloatW gelNegW( gelFloatW a )
{
	__m512 sign = _mm512_set1_ps( -0.0f );
	return ( gelFloatW ){ _mm512_xor_ps( a.low, sign ), _mm512_xor_ps( a.high, sign ) };
}
static inline gelFloatW gelAbsW( gelFloatW a )
{
	__m512 sign = _mm512_set1_ps( -0.0f );
	return ( gelFloatW ){ _mm512_andnot_ps( sign, a.low ), _mm512_andnot_ps( sign, a.high ) };
}
static inline gelMaskW gelGreaterW( gelFloatW a, gelFloatW b )
{
	return (gelMaskW)_mm512_cmp_ps_mask( a.low, b.low, _CMP_GT_OQ ) |
		(gelMaskW)_mm512_cmp_ps_mask( a.high, b.high, _CMP_GT_OQ ) << 16;
}
static inline gelMaskW gelAndW( gelMaskW a, gelMaskW b )
{
	return a & b;
}
static inline gelFloatW gelSelectW( gelMaskW mask, gelFloatW yes, gelFloatW no )
{
	return ( gelFloatW ){ _mm512_mask_blend_ps( (__mmask16)mask, no.low, yes.low ),
		_mm512_mask_blend_ps( (__mmask16)( mask >> 16 ), no.high, yes.high ) };
}
static inline int gelMaskBitsW( gelMaskW mask )
{
	return (int)mask;
}

/// x, y, z, w of thirty-two nodes.
typedef struct gelNodesW
{
	gelFloatW x, y, z, w;
} gelNodesW;

GEL_FORCE_INLINE gelNodesW gelJoinNodesW( gelNodes16 a, gelNodes16 b )
{
	return ( gelNodesW ){ { a.x, b.x }, { a.y, b.y }, { a.z, b.z }, { a.w, b.w } };
}
GEL_FORCE_INLINE gelNodes16 gelLowNodesW( gelNodesW n )
{
	return ( gelNodes16 ){ n.x.low, n.y.low, n.z.low, n.w.low };
}
GEL_FORCE_INLINE gelNodes16 gelHighNodesW( gelNodesW n )
{
	return ( gelNodes16 ){ n.x.high, n.y.high, n.z.high, n.w.high };
}

/// Nodes that follow each other.
GEL_FORCE_INLINE gelNodesW gelLoadNodesW( const void* nodes )
{
	return gelJoinNodesW( gelLoadNodes16( nodes ), gelLoadNodes16( (const float*)nodes + 64 ) );
}
GEL_FORCE_INLINE void gelStoreNodesW( void* nodes, gelNodesW n )
{
	gelStoreNodes16( nodes, gelLowNodesW( n ) );
	gelStoreNodes16( (float*)nodes + 64, gelHighNodesW( n ) );
}

// ---- four blocks of eight, some bytes apart --------------------------------------------------------------

GEL_FORCE_INLINE gelFloatW gelLoadBlocksW( const float* row, size_t stride )
{
	return ( gelFloatW ){ gelLoadBlocks16( row, stride ),
		gelLoadBlocks16( row + 2 * stride / sizeof( float ), stride ) };
}

/// Offsets are in bytes.
GEL_FORCE_INLINE gelNodesW gelGatherBlocksW( const void* nodes, const uint32_t* offset, size_t stride )
{
	return gelJoinNodesW( gelGatherBlocks16( nodes, offset, stride ),
		gelGatherBlocks16( nodes, offset + 2 * stride / sizeof( uint32_t ), stride ) );
}

/// Adds to the corners of block after block: the order is part of the result where they have common nodes.
GEL_FORCE_INLINE void gelScatterAddBlocksW(
	void* nodes, const uint32_t ( *offset )[8], size_t stride, const gelNodesW n[4] )
{
	gelNodes16 low[4], high[4];
	for ( int k = 0; k < 4; ++k )
	{
		low[k] = gelLowNodesW( n[k] );
		high[k] = gelHighNodesW( n[k] );
	}
	gelScatterAddBlocks16( nodes, offset, stride, low );
	gelScatterAddBlocks16( nodes, offset + 2 * stride / sizeof( *offset ), stride, high );
}
