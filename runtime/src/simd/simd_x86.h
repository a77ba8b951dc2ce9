// SPDX-License-Identifier: MIT
// Eight lanes on x86: one register of AVX2 or two of SSE2 (simd_pair.h). Part of simd.h.
#pragma once

#if defined( GEL_SIMD_AVX2 )
#include <immintrin.h>
#else
#include <emmintrin.h>
#endif

#include "simd/simd_x86_4.h"

// ---- eight lanes: eight elements -----------------------------------------------------------------------

#if defined( GEL_SIMD_AVX2 )

typedef __m256 gelFloatW;
typedef gelFloatW gelMaskW;

static inline gelFloatW gelLoadW( const float* p )
{
	return _mm256_load_ps( p );
}
static inline void gelStoreW( float* p, gelFloatW a )
{
	_mm256_store_ps( p, a );
}
static inline gelFloatW gelSplatW( float a )
{
	return _mm256_set1_ps( a );
}
static inline gelFloatW gelAddW( gelFloatW a, gelFloatW b )
{
	return _mm256_add_ps( a, b );
}
static inline gelFloatW gelSubW( gelFloatW a, gelFloatW b )
{
	return _mm256_sub_ps( a, b );
}
static inline gelFloatW gelMulW( gelFloatW a, gelFloatW b )
{
	return _mm256_mul_ps( a, b );
}
static inline gelFloatW gelDivW( gelFloatW a, gelFloatW b )
{
	return _mm256_div_ps( a, b );
}
static inline gelFloatW gelSqrtW( gelFloatW a )
{
	return _mm256_sqrt_ps( a );
}
static inline gelFloatW gelMaxW( gelFloatW a, gelFloatW b )
{
	return _mm256_max_ps( a, b );
}
static inline gelFloatW gelMinW( gelFloatW a, gelFloatW b )
{
	return _mm256_min_ps( a, b );
}
static inline gelFloatW gelNegW( gelFloatW a )
{
	return _mm256_xor_ps( a, _mm256_set1_ps( -0.0f ) );
}
static inline gelFloatW gelAbsW( gelFloatW a )
{
	return _mm256_andnot_ps( _mm256_set1_ps( -0.0f ), a );
}
// Masks: all bits of a lane or none.
static inline gelFloatW gelGreaterW( gelFloatW a, gelFloatW b )
{
	return _mm256_cmp_ps( a, b, _CMP_GT_OQ );
}
static inline gelFloatW gelAndW( gelFloatW a, gelFloatW b )
{
	return _mm256_and_ps( a, b );
}
static inline gelFloatW gelSelectW( gelFloatW mask, gelFloatW yes, gelFloatW no )
{
	return _mm256_blendv_ps( no, yes, mask );
}
// One bit per lane.
static inline int gelMaskBitsW( gelFloatW mask )
{
	return _mm256_movemask_ps( mask );
}
static inline gelFloatW gelJoinW( gelFloat4 low, gelFloat4 high )
{
	return _mm256_insertf128_ps( _mm256_castps128_ps256( low ), high, 1 );
}
static inline gelFloat4 gelLowW( gelFloatW a )
{
	return _mm256_castps256_ps128( a );
}
static inline gelFloat4 gelHighW( gelFloatW a )
{
	return _mm256_extractf128_ps( a, 1 );
}
// Transposes the 4x4 block of the lower and that of the upper lanes.
static inline void gelTransposeHalvesW( gelFloatW* a, gelFloatW* b, gelFloatW* c, gelFloatW* d )
{
	__m256 t0 = _mm256_unpacklo_ps( *a, *b ), t1 = _mm256_unpackhi_ps( *a, *b );
	__m256 t2 = _mm256_unpacklo_ps( *c, *d ), t3 = _mm256_unpackhi_ps( *c, *d );
	*a = _mm256_shuffle_ps( t0, t2, 0x44 );
	*b = _mm256_shuffle_ps( t0, t2, 0xEE );
	*c = _mm256_shuffle_ps( t1, t3, 0x44 );
	*d = _mm256_shuffle_ps( t1, t3, 0xEE );
}

#else

#define GEL_DIV4( a, b )       _mm_div_ps( a, b )
#define GEL_SQRT4( a )         _mm_sqrt_ps( a )
#define GEL_MAX4( a, b )       _mm_max_ps( a, b )
#define GEL_MIN4( a, b )       _mm_min_ps( a, b )
#define GEL_ABS4( a )          _mm_andnot_ps( _mm_set1_ps( -0.0f ), a )
#define GEL_GREATER4( a, b )   _mm_cmpgt_ps( a, b )
#define GEL_AND4( a, b )       _mm_and_ps( a, b )
#define GEL_SELECT4( m, a, b ) _mm_or_ps( _mm_and_ps( m, a ), _mm_andnot_ps( m, b ) )
#define GEL_BITS4( m )         _mm_movemask_ps( m )
#include "simd/simd_pair.h"

#endif
