// SPDX-License-Identifier: MIT
// Sixteen lanes in one register of AVX-512: two blocks of eight elements at once, or sixteen bodies. Part of
// simd.h, with what the element loop and the loops over bodies side by side need, and nothing else.
//
// The element loop is a long chain of operations, and a processor can look only so many instructions ahead.
// Half as many of them for the same work let it see twice as far, even where a register of 512 bits takes
// two turns in a unit of 256.
#pragma once

#include <immintrin.h>

#include "simd/simd_avx512_nodes.h"

typedef __m512 gelFloatW;
typedef __mmask16 gelMaskW;

static inline gelFloatW gelLoadW( const float* p )
{
	return _mm512_load_ps( p );
}

static inline gelFloatW gelSplatW( float a )
{
	return _mm512_set1_ps( a );
}
static inline void gelStoreW( float* p, gelFloatW a )
{
	_mm512_storeu_ps( p, a );
}
static inline gelFloatW gelAddW( gelFloatW a, gelFloatW b )
{
	return _mm512_add_ps( a, b );
}
static inline gelFloatW gelSubW( gelFloatW a, gelFloatW b )
{
	return _mm512_sub_ps( a, b );
}
static inline gelFloatW gelMulW( gelFloatW a, gelFloatW b )
{
	return _mm512_mul_ps( a, b );
}
static inline gelFloatW gelDivW( gelFloatW a, gelFloatW b )
{
	return _mm512_div_ps( a, b );
}
static inline gelFloatW gelSqrtW( gelFloatW a )
{
	return _mm512_sqrt_ps( a );
}
static inline gelFloatW gelMaxW( gelFloatW a, gelFloatW b )
{
	return _mm512_max_ps( a, b );
}
static inline gelFloatW gelMinW( gelFloatW a, gelFloatW b )
{
	return _mm512_min_ps( a, b );
}
static inline gelFloatW gelNegW( gelFloatW a )
{
	return _mm512_xor_ps( a, _mm512_set1_ps( -0.0f ) );
}
static inline gelFloatW gelAbsW( gelFloatW a )
{
	return _mm512_andnot_ps( _mm512_set1_ps( -0.0f ), a );
}
static inline gelMaskW gelGreaterW( gelFloatW a, gelFloatW b )
{
	return _mm512_cmp_ps_mask( a, b, _CMP_GT_OQ );
}
static inline gelMaskW gelAndW( gelMaskW a, gelMaskW b )
{
	return (gelMaskW)( a & b );
}
static inline gelFloatW gelSelectW( gelMaskW mask, gelFloatW yes, gelFloatW no )
{
	return _mm512_mask_blend_ps( mask, no, yes );
}
static inline int gelMaskBitsW( gelMaskW mask )
{
	return mask;
}

typedef gelNodes16 gelNodesW;

#define gelLoadNodesW        gelLoadNodes16
#define gelStoreNodesW       gelStoreNodes16
#define gelCollectLanesW     gelCollectLanes16
#define gelDistributeLanesW  gelDistributeLanes16
#define gelLoadBlocksW       gelLoadBlocks16
#define gelGatherBlocksW     gelGatherBlocks16
#define gelScatterAddBlocksW gelScatterAddBlocks16
