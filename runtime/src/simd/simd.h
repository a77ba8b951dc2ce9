// SPDX-License-Identifier: MIT
// Wide floats: this file and simd_*.h are the only ones that know intrinsics. Kernels (wide_*.h) are written
// once over these types and functions and compiled once per instruction set, with one of
//
//     GEL_SIMD_AVX2    8 lanes in one register
//     GEL_SIMD_SSE2    8 lanes in two registers of 4
//     GEL_SIMD_NEON    as SSE2, on 64-bit ARM
//     GEL_SIMD_WASM    as SSE2, in WebAssembly
//     GEL_SIMD_NONE    plain C, for every other machine and for reading
//     GEL_SIMD_AVX512  16 lanes in one register, for bodies or vertices side by side
//     GEL_SIMD_AVX512_TWICE  32 lanes in two registers, for the element loops
//
// and with GEL_SIMD_AVX512VL beside GEL_SIMD_AVX2 where registers of AVX-512 may be used as well.
//
// Every operation rounds as IEEE-754 asks, lane by lane: no fused multiply-add, no reciprocal estimates. So
// all backends and the scalar reference give the same bits. Comparisons with NaN are false. gelMaxW( a, b )
// is a > b ? a : b, which is b when one of them is NaN; the scalar code spells it out the same way.
#pragma once

#include "math/vec4.h"
#include "simd/simd_target.h"

// Kernels are one function each: a call would put eight registers of eight lanes on the stack. Plain lanes
// are on the stack anyway, and one function of them takes the compiler minutes.
#if defined( __GNUC__ ) && !defined( GEL_SIMD_NONE )
#define GEL_FORCE_INLINE static inline __attribute__( ( always_inline ) )
#else
#define GEL_FORCE_INLINE static inline
#endif

#if defined( GEL_SIMD_AVX512_TWICE )
#define GEL_LANES 32
#elif defined( GEL_SIMD_AVX512 )
#define GEL_LANES 16
#else
#define GEL_LANES 8
#endif

/// gelMaskBitsW of a mask with all lanes.
#define GEL_ALL_LANES ( GEL_LANES == 32 ? -1 : (int)( ( 1u << GEL_LANES % 32 ) - 1 ) )

#if defined( GEL_SIMD_AVX512_TWICE )
#include "simd/simd_avx512_twice.h"
#elif defined( GEL_SIMD_AVX512 )
#include "simd/simd_avx512.h"
#elif defined( GEL_SIMD_AVX2 ) || defined( GEL_SIMD_SSE2 )
#include "simd/simd_x86.h"
#elif defined( GEL_SIMD_NEON )
#include "simd/simd_neon.h"
#elif defined( GEL_SIMD_WASM )
#include "simd/simd_wasm.h"
#else
#include "simd/simd_plain.h"
#endif

#if !defined( GEL_SIMD_AVX512 ) && !defined( GEL_SIMD_AVX512_TWICE )

// ---- eight nodes at once -----------------------------------------------------------------------------

/// x, y, z, w of eight nodes.
typedef struct gelNodesW
{
	gelFloatW x, y, z, w;
} gelNodesW;

/// Offsets are in bytes.
GEL_FORCE_INLINE gelNodesW gelGatherW( const gelVec4* nodes, const uint32_t offset[GEL_LANES] )
{
	const char* p = (const char*)nodes;
	gelNodesW r;
	r.x = gelJoinW( gelLoad4( p + offset[0] ), gelLoad4( p + offset[4] ) );
	r.y = gelJoinW( gelLoad4( p + offset[1] ), gelLoad4( p + offset[5] ) );
	r.z = gelJoinW( gelLoad4( p + offset[2] ), gelLoad4( p + offset[6] ) );
	r.w = gelJoinW( gelLoad4( p + offset[3] ), gelLoad4( p + offset[7] ) );
	gelTransposeHalvesW( &r.x, &r.y, &r.z, &r.w );
	return r;
}

/// Eight nodes that follow each other.
static inline gelNodesW gelLoadNodesW( const void* nodes )
{
	const gelVec4* p = nodes;
	gelNodesW r;
	r.x = gelJoinW( gelLoad4( p ), gelLoad4( p + 4 ) );
	r.y = gelJoinW( gelLoad4( p + 1 ), gelLoad4( p + 5 ) );
	r.z = gelJoinW( gelLoad4( p + 2 ), gelLoad4( p + 6 ) );
	r.w = gelJoinW( gelLoad4( p + 3 ), gelLoad4( p + 7 ) );
	gelTransposeHalvesW( &r.x, &r.y, &r.z, &r.w );
	return r;
}

/// Adds to eight nodes. The offsets must differ, but for the padding node.
GEL_FORCE_INLINE void gelScatterAddW( gelVec4* nodes, const uint32_t offset[GEL_LANES], gelNodesW a )
{
	gelTransposeHalvesW( &a.x, &a.y, &a.z, &a.w );
	gelFloat4 terms[GEL_LANES] = { gelLowW( a.x ), gelLowW( a.y ), gelLowW( a.z ), gelLowW( a.w ),
		gelHighW( a.x ), gelHighW( a.y ), gelHighW( a.z ), gelHighW( a.w ) };
	for ( int k = 0; k < GEL_LANES; ++k )
	{
		void* to = (char*)nodes + offset[k];
		gelStore4( to, gelAdd4( gelLoad4( to ), terms[k] ) );
	}
}

/// The offsets must differ, but for the padding node.
GEL_FORCE_INLINE void gelScatterW( gelVec4* nodes, const uint32_t offset[GEL_LANES], gelNodesW a )
{
	char* p = (char*)nodes;
	gelTransposeHalvesW( &a.x, &a.y, &a.z, &a.w );
	gelStore4( p + offset[0], gelLowW( a.x ) );
	gelStore4( p + offset[1], gelLowW( a.y ) );
	gelStore4( p + offset[2], gelLowW( a.z ) );
	gelStore4( p + offset[3], gelLowW( a.w ) );
	gelStore4( p + offset[4], gelHighW( a.x ) );
	gelStore4( p + offset[5], gelHighW( a.y ) );
	gelStore4( p + offset[6], gelHighW( a.z ) );
	gelStore4( p + offset[7], gelHighW( a.w ) );
}

/// The nodes that are in parts[], one per lane, and back.
GEL_FORCE_INLINE gelNodesW gelCollectLanesW( const gelFloat4 parts[GEL_LANES] )
{
	gelNodesW r = { gelJoinW( parts[0], parts[4] ), gelJoinW( parts[1], parts[5] ),
		gelJoinW( parts[2], parts[6] ), gelJoinW( parts[3], parts[7] ) };
	gelTransposeHalvesW( &r.x, &r.y, &r.z, &r.w );
	return r;
}
GEL_FORCE_INLINE void gelDistributeLanesW( gelNodesW a, gelFloat4 parts[GEL_LANES] )
{
	gelTransposeHalvesW( &a.x, &a.y, &a.z, &a.w );
	const gelFloatW rows[4] = { a.x, a.y, a.z, a.w };
	for ( int k = 0; k < 4; ++k )
	{
		parts[k] = gelLowW( rows[k] );
		parts[k + 4] = gelHighW( rows[k] );
	}
}

/// Eight nodes that follow each other.
static inline void gelStoreNodesW( void* nodes, gelNodesW a )
{
	gelVec4* p = nodes;
	gelTransposeHalvesW( &a.x, &a.y, &a.z, &a.w );
	gelStore4( p, gelLowW( a.x ) );
	gelStore4( p + 1, gelLowW( a.y ) );
	gelStore4( p + 2, gelLowW( a.z ) );
	gelStore4( p + 3, gelLowW( a.w ) );
	gelStore4( p + 4, gelHighW( a.x ) );
	gelStore4( p + 5, gelHighW( a.y ) );
	gelStore4( p + 6, gelHighW( a.z ) );
	gelStore4( p + 7, gelHighW( a.w ) );
}

/// As above for one block of eight; with sixteen lanes `stride` bytes lie between two blocks.
static inline gelFloatW gelLoadBlocksW( const float* row, size_t stride )
{
	(void)stride;
	return gelLoadW( row );
}
GEL_FORCE_INLINE gelNodesW gelGatherBlocksW( const gelVec4* nodes, const uint32_t* offset, size_t stride )
{
	(void)stride;
	return gelGatherW( nodes, offset );
}
GEL_FORCE_INLINE void gelScatterAddBlocksW(
	gelVec4* nodes, const uint32_t ( *offset )[GEL_LANES], size_t stride, const gelNodesW a[4] )
{
	(void)stride;
	for ( int k = 0; k < 4; ++k )
		gelScatterAddW( nodes, offset[k], a[k] );
}

/// The lower halves of a and b, and the upper ones.
static inline gelFloatW gelLowHalvesW( gelFloatW a, gelFloatW b )
{
	return gelJoinW( gelLowW( a ), gelLowW( b ) );
}
static inline gelFloatW gelHighHalvesW( gelFloatW a, gelFloatW b )
{
#if defined( GEL_SIMD_AVX2 )
	return _mm256_permute2f128_ps( a, b, 0x31 );
#else
	return gelJoinW( gelHighW( a ), gelHighW( b ) );
#endif
}

/// Sums of the lanes of x, y and z, by a fixed tree: lane k and k + 4, then neighbors, then the two halves.
static inline gelFloat4 gelSumLanesW( gelFloatW x, gelFloatW y, gelFloatW z )
{
	gelFloat4 a = gelAdd4( gelLowW( x ), gelHighW( x ) );
	gelFloat4 b = gelAdd4( gelLowW( y ), gelHighW( y ) );
	gelFloat4 c = gelAdd4( gelLowW( z ), gelHighW( z ) );
	gelFloat4 d = gelSplat4( 0.0f );
	gelTranspose4( &a, &b, &c, &d );
	return gelAdd4( gelAdd4( a, b ), gelAdd4( c, d ) );
}

/// The same for two of each.
static inline void gelSumTwoW( const gelFloatW* x, const gelFloatW* y, const gelFloatW* z, gelVec4* out )
{
	gelFloatW a = gelAddW( gelLowHalvesW( x[0], x[1] ), gelHighHalvesW( x[0], x[1] ) );
	gelFloatW b = gelAddW( gelLowHalvesW( y[0], y[1] ), gelHighHalvesW( y[0], y[1] ) );
	gelFloatW c = gelAddW( gelLowHalvesW( z[0], z[1] ), gelHighHalvesW( z[0], z[1] ) );
	gelFloatW d = gelSplatW( 0.0f );
	gelTransposeHalvesW( &a, &b, &c, &d );
	gelFloatW sum = gelAddW( gelAddW( a, b ), gelAddW( c, d ) );
	gelStore4( out, gelLowW( sum ) );
	gelStore4( out + 1, gelHighW( sum ) );
}

// ---- lanes among each other: boxes and rays --------------------------------------------------------------

// Number of the lowest bit that is set. There must be one.
static inline unsigned gelLowestBit( unsigned bits )
{
#if defined( __GNUC__ )
	return (unsigned)__builtin_ctz( bits );
#else
	unsigned k = 0;
	for ( ; ( bits >> k & 1u ) == 0; ++k )
	{
	}
	return k;
#endif
}

// Eight bytes as floats, the lowest first.
static inline gelFloatW gelBytesW( uint64_t bytes )
{
#if defined( GEL_SIMD_AVX2 )
	return _mm256_cvtepi32_ps( _mm256_cvtepu8_epi32( _mm_loadl_epi64( (const __m128i*)&bytes ) ) );
#elif defined( GEL_SIMD_SSE2 )
	__m128i zero = _mm_setzero_si128();
	__m128i words = _mm_unpacklo_epi8( _mm_loadl_epi64( (const __m128i*)&bytes ), zero );
	return gelJoinW( _mm_cvtepi32_ps( _mm_unpacklo_epi16( words, zero ) ),
		_mm_cvtepi32_ps( _mm_unpackhi_epi16( words, zero ) ) );
#elif defined( GEL_SIMD_NEON )
	uint16x8_t words = vmovl_u8( vcreate_u8( bytes ) );
	return gelJoinW( vcvtq_f32_u32( vmovl_u16( vget_low_u16( words ) ) ),
		vcvtq_f32_u32( vmovl_u16( vget_high_u16( words ) ) ) );
#elif defined( GEL_SIMD_WASM )
	v128_t words = wasm_u16x8_load8x8( &bytes );
	return gelJoinW( wasm_f32x4_convert_u32x4( wasm_u32x4_extend_low_u16x8( words ) ),
		wasm_f32x4_convert_u32x4( wasm_u32x4_extend_high_u16x8( words ) ) );
#else
	gelFloatW r;
	for ( int k = 0; k < GEL_LANES; ++k )
		r.f[k] = (float)( bytes >> 8 * k & 0xFFu );
	return r;
#endif
}

// The nearest integers to ( x + offset ) * scale, computed in double; below 2^23 in magnitude.
GEL_FORCE_INLINE gelFloatW gelSnapW( gelFloatW x, double offset, double scale )
{
#if defined( GEL_SIMD_AVX2 )
	__m256d o = _mm256_set1_pd( offset ), s = _mm256_set1_pd( scale );
	__m256d low = _mm256_mul_pd( _mm256_add_pd( _mm256_cvtps_pd( gelLowW( x ) ), o ), s );
	__m256d high = _mm256_mul_pd( _mm256_add_pd( _mm256_cvtps_pd( gelHighW( x ) ), o ), s );
	return gelJoinW(
		_mm_cvtepi32_ps( _mm256_cvtpd_epi32( low ) ), _mm_cvtepi32_ps( _mm256_cvtpd_epi32( high ) ) );
#else
	_Alignas( 32 ) float lanes[GEL_LANES];
	gelStoreW( lanes, x );
	for ( int k = 0; k < GEL_LANES; ++k )
		lanes[k] = (float)lrint( ( (double)lanes[k] + offset ) * scale );
	return gelLoadW( lanes );
#endif
}

// Three integers of 21 bits each out of eight of 64.
GEL_FORCE_INLINE void gelUnpackWeightsW(
	const uint64_t* packed, const uint32_t index[GEL_LANES], gelFloatW w[3] )
{
#if defined( GEL_SIMD_AVX2 )
	// lanes 0 1 4 5 and 2 3 6 7, so that taking every other word of both makes 0 1 2 3 4 5 6 7
	const uint64_t a[GEL_LANES] = { packed[index[0]], packed[index[1]], packed[index[2]], packed[index[3]],
		packed[index[4]], packed[index[5]], packed[index[6]], packed[index[7]] };
	__m256i p = _mm256_set_epi64x( (int64_t)a[5], (int64_t)a[4], (int64_t)a[1], (int64_t)a[0] );
	__m256i q = _mm256_set_epi64x( (int64_t)a[7], (int64_t)a[6], (int64_t)a[3], (int64_t)a[2] );
	__m256i mask = _mm256_set1_epi32( 0x1FFFFF );
	for ( int k = 0; k < 3; ++k )
	{
		__m256 even = _mm256_castsi256_ps( _mm256_srli_epi64( p, 21 * k ) );
		__m256 odd = _mm256_castsi256_ps( _mm256_srli_epi64( q, 21 * k ) );
		__m256i words = _mm256_castps_si256( _mm256_shuffle_ps( even, odd, 0x88 ) );
		w[k] = _mm256_cvtepi32_ps( _mm256_and_si256( words, mask ) );
	}
#elif defined( GEL_SIMD_SSE2 )
	gelFloat4 half[2][3];
	for ( int i = 0; i < 2; ++i )
	{
		const uint32_t* four = index + 4 * i;
		__m128i p = _mm_unpacklo_epi64( _mm_loadl_epi64( (const void*)( packed + four[0] ) ),
			_mm_loadl_epi64( (const void*)( packed + four[1] ) ) );
		__m128i q = _mm_unpacklo_epi64( _mm_loadl_epi64( (const void*)( packed + four[2] ) ),
			_mm_loadl_epi64( (const void*)( packed + four[3] ) ) );
		for ( int k = 0; k < 3; ++k )
		{
			__m128 even = _mm_castsi128_ps( _mm_srli_epi64( p, 21 * k ) );
			__m128 odd = _mm_castsi128_ps( _mm_srli_epi64( q, 21 * k ) );
			__m128i words = _mm_castps_si128( _mm_shuffle_ps( even, odd, 0x88 ) );
			half[i][k] = _mm_cvtepi32_ps( _mm_and_si128( words, _mm_set1_epi32( 0x1FFFFF ) ) );
		}
	}
	for ( int k = 0; k < 3; ++k )
		w[k] = gelJoinW( half[0][k], half[1][k] );
#else
	_Alignas( 32 ) float rows[3][GEL_LANES];
	for ( int i = 0; i < GEL_LANES; ++i )
	{
		for ( int k = 0; k < 3; ++k )
			rows[k][i] = (float)(int32_t)( packed[index[i]] >> 21 * k & 0x1FFFFFu );
	}
	for ( int k = 0; k < 3; ++k )
		w[k] = gelLoadW( rows[k] );
#endif
}

#endif

#if !defined( GEL_SIMD_AVX512_TWICE )

// ---- one slot of a block, each lane another body ---------------------------------------------------------

/// Elements i .. i + 3 of an array of each body, i a multiple of 4, and back.
GEL_FORCE_INLINE void gelCollectFourSlotsW( gelQuat* const* arrays, size_t i, gelNodesW q[4] )
{
#if defined( GEL_SIMD_AVX512 )
	gelCollectLines16( (void* const*)arrays, 16 * i, q );
#else
	for ( size_t slot = 0; slot < 4; ++slot )
	{
		gelFloat4 parts[GEL_LANES];
		for ( int k = 0; k < GEL_LANES; ++k )
			parts[k] = gelLoad4( arrays[k] + i + slot );
		q[slot] = gelCollectLanesW( parts );
	}
#endif
}
GEL_FORCE_INLINE void gelDistributeFourSlotsW( gelQuat* const* arrays, size_t i, const gelNodesW q[4] )
{
#if defined( GEL_SIMD_AVX512 )
	gelDistributeLines16( (void* const*)arrays, 16 * i, q );
#else
	for ( size_t slot = 0; slot < 4; ++slot )
	{
		gelFloat4 parts[GEL_LANES];
		gelDistributeLanesW( q[slot], parts );
		for ( int k = 0; k < GEL_LANES; ++k )
			gelStore4( arrays[k] + i + slot, parts[k] );
	}
#endif
}

#endif
