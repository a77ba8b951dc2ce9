// SPDX-License-Identifier: MIT
// Vertices between memory and lanes: short integers as floats, and x y z of each lane stored as three floats
// that follow each other. Part of simd.h.
#pragma once

#include "simd/simd.h"

#include <string.h>

#if defined( GEL_SIMD_AVX512 )

/// Sixteen integers of 16 bits without a sign.
GEL_FORCE_INLINE gelFloatW gelLoadWordsW( const uint16_t* words )
{
	return _mm512_cvtepi32_ps( _mm512_cvtepu16_epi32( _mm256_load_si256( (const void*)words ) ) );
}

/// Pairs of 16-bit integers with a sign as floats: the lower halves in *low, the upper ones in *high.
GEL_FORCE_INLINE void gelLoadPairsW( const void* pairs, gelFloatW* low, gelFloatW* high )
{
	__m512i words = _mm512_loadu_si512( pairs );
	*low = _mm512_cvtepi32_ps( _mm512_srai_epi32( _mm512_slli_epi32( words, 16 ), 16 ) );
	*high = _mm512_cvtepi32_ps( _mm512_srai_epi32( words, 16 ) );
}

/// Three floats per lane, one lane after another, at any float.
GEL_FORCE_INLINE void gelStoreTriplesW( void* out, gelFloatW x, gelFloatW y, gelFloatW z )
{
	// Out of x and y first, lanes of z are left open: float k of the 48 is component k % 3 of lane k / 3.
	const __m512i xy[3] = { _mm512_setr_epi32( 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5 ),
		_mm512_setr_epi32( 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26 ),
		_mm512_setr_epi32( 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0 ) };
	const __m512i all[3] = { _mm512_setr_epi32( 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15 ),
		_mm512_setr_epi32( 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15 ),
		_mm512_setr_epi32( 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31 ) };
	for ( int k = 0; k < 3; ++k )
	{
		__m512 part = _mm512_permutex2var_ps( x, xy[k], y );
		_mm512_storeu_ps( (float*)out + 16 * k, _mm512_permutex2var_ps( part, all[k], z ) );
	}
}

/// Three floats and nothing behind them.
GEL_FORCE_INLINE void gelStoreTriple( void* out, gelFloat4 a )
{
	_mm_mask_storeu_ps( out, 7, a );
}

#else

GEL_FORCE_INLINE gelFloatW gelLoadWordsW( const uint16_t* words )
{
#if defined( GEL_SIMD_AVX2 )
	return _mm256_cvtepi32_ps( _mm256_cvtepu16_epi32( _mm_load_si128( (const void*)words ) ) );
#elif defined( GEL_SIMD_SSE2 )
	__m128i all = _mm_load_si128( (const void*)words ), zero = _mm_setzero_si128();
	return gelJoinW( _mm_cvtepi32_ps( _mm_unpacklo_epi16( all, zero ) ),
		_mm_cvtepi32_ps( _mm_unpackhi_epi16( all, zero ) ) );
#elif defined( GEL_SIMD_NEON )
	uint16x8_t all = vld1q_u16( words );
	return gelJoinW( vcvtq_f32_u32( vmovl_u16( vget_low_u16( all ) ) ),
		vcvtq_f32_u32( vmovl_u16( vget_high_u16( all ) ) ) );
#elif defined( GEL_SIMD_WASM )
	return gelJoinW( wasm_f32x4_convert_u32x4( wasm_u32x4_load16x4( words ) ),
		wasm_f32x4_convert_u32x4( wasm_u32x4_load16x4( words + 4 ) ) );
#else
	gelFloatW r;
	for ( int k = 0; k < GEL_LANES; ++k )
		r.f[k] = (float)words[k];
	return r;
#endif
}

GEL_FORCE_INLINE void gelLoadPairsW( const void* pairs, gelFloatW* low, gelFloatW* high )
{
#if defined( GEL_SIMD_AVX2 )
	__m256i words = _mm256_loadu_si256( pairs );
	*low = _mm256_cvtepi32_ps( _mm256_srai_epi32( _mm256_slli_epi32( words, 16 ), 16 ) );
	*high = _mm256_cvtepi32_ps( _mm256_srai_epi32( words, 16 ) );
#elif defined( GEL_SIMD_WASM )
	v128_t a = wasm_v128_load( pairs ), b = wasm_v128_load( (const char*)pairs + 16 );
	*low = gelJoinW( wasm_f32x4_convert_i32x4( wasm_i32x4_shr( wasm_i32x4_shl( a, 16 ), 16 ) ),
		wasm_f32x4_convert_i32x4( wasm_i32x4_shr( wasm_i32x4_shl( b, 16 ), 16 ) ) );
	*high = gelJoinW( wasm_f32x4_convert_i32x4( wasm_i32x4_shr( a, 16 ) ),
		wasm_f32x4_convert_i32x4( wasm_i32x4_shr( b, 16 ) ) );
#else
	int16_t halves[2 * GEL_LANES];
	memcpy( halves, pairs, sizeof( halves ) );
	_Alignas( 32 ) float u[GEL_LANES], v[GEL_LANES];
	for ( int k = 0; k < GEL_LANES; ++k )
	{
		u[k] = (float)halves[2 * k];
		v[k] = (float)halves[2 * k + 1];
	}
	*low = gelLoadW( u );
	*high = gelLoadW( v );
#endif
}

GEL_FORCE_INLINE void gelStoreTriplesW( void* out, gelFloatW x, gelFloatW y, gelFloatW z )
{
	gelFloat4 parts[GEL_LANES];
	gelDistributeLanesW( ( gelNodesW ){ x, y, z, z }, parts );
	// the fourth float of a store is overwritten by the next one
	for ( int k = 0; k < GEL_LANES - 1; ++k )
		gelStoreAny4( (float*)out + 3 * k, parts[k] );
	gelStore3( (float*)out + 3 * ( GEL_LANES - 1 ), parts[GEL_LANES - 1] );
}

GEL_FORCE_INLINE void gelStoreTriple( void* out, gelFloat4 a )
{
	gelStore3( out, a );
}

#endif
