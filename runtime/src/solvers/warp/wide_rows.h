// SPDX-License-Identifier: MIT
// Sixteen floats with fused multiply-add, for the dense kernels:
//
//     gelLoadRows gelStoreRows gelSplatRows gelMulRows gelFmaRows ( a b + c ) gelFmaNegRows ( c - a b )
//     gelAddPart ( to[i] += from[i] for the first rows ) gelSumRows ( as a tree )
//     GEL_PRODUCT_BLOCKS, GEL_PRODUCT_COLUMNS: shape of the product that fills the registers
#pragma once

#include "simd/simd_target.h"
#include "solvers/warp/dense_kernels.h"

#if defined( GEL_SIMD_AVX512 )

// One register.
#include <immintrin.h>

#define GEL_PRODUCT_BLOCKS  3
#define GEL_PRODUCT_COLUMNS 8

typedef __m512 gelRows;

static inline gelRows gelLoadRows( const float* p )
{
	return _mm512_loadu_ps( p );
}

static inline void gelStoreRows( float* p, gelRows a )
{
	_mm512_storeu_ps( p, a );
}

static inline gelRows gelSplatRows( float a )
{
	return _mm512_set1_ps( a );
}

static inline gelRows gelMulRows( gelRows a, gelRows b )
{
	return _mm512_mul_ps( a, b );
}

static inline gelRows gelFmaRows( gelRows a, gelRows b, gelRows c )
{
	return _mm512_fmadd_ps( a, b, c );
}

static inline gelRows gelFmaNegRows( gelRows a, gelRows b, gelRows c )
{
	return _mm512_fnmadd_ps( a, b, c );
}

static inline void gelAddPart( const float* from, int count, float* to )
{
	__mmask16 mask = (__mmask16)( ( 1u << count ) - 1u );
	_mm512_mask_storeu_ps(
		to, mask, _mm512_add_ps( _mm512_maskz_loadu_ps( mask, to ), _mm512_maskz_loadu_ps( mask, from ) ) );
}

static inline float gelSumRows( gelRows a )
{
	__m256 eight = _mm256_add_ps( _mm512_castps512_ps256( a ), _mm512_extractf32x8_ps( a, 1 ) );
	__m128 four = _mm_add_ps( _mm256_castps256_ps128( eight ), _mm256_extractf128_ps( eight, 1 ) );
	__m128 two = _mm_add_ps( four, _mm_movehl_ps( four, four ) );
	return _mm_cvtss_f32( _mm_add_ss( two, _mm_shuffle_ps( two, two, 1 ) ) );
}

#elif defined( GEL_SIMD_FMA )

// Two registers.
#include <immintrin.h>

#define GEL_PRODUCT_BLOCKS  1
#define GEL_PRODUCT_COLUMNS 4

typedef struct gelRows
{
	__m256 a, b;
} gelRows;

static inline gelRows gelLoadRows( const float* p )
{
	return ( gelRows ){ _mm256_loadu_ps( p ), _mm256_loadu_ps( p + 8 ) };
}

static inline void gelStoreRows( float* p, gelRows r )
{
	_mm256_storeu_ps( p, r.a );
	_mm256_storeu_ps( p + 8, r.b );
}

static inline gelRows gelSplatRows( float s )
{
	__m256 r = _mm256_set1_ps( s );
	return ( gelRows ){ r, r };
}

static inline gelRows gelMulRows( gelRows x, gelRows y )
{
	return ( gelRows ){ _mm256_mul_ps( x.a, y.a ), _mm256_mul_ps( x.b, y.b ) };
}

static inline gelRows gelFmaRows( gelRows x, gelRows y, gelRows z )
{
	return ( gelRows ){ _mm256_fmadd_ps( x.a, y.a, z.a ), _mm256_fmadd_ps( x.b, y.b, z.b ) };
}

static inline gelRows gelFmaNegRows( gelRows x, gelRows y, gelRows z )
{
	return ( gelRows ){ _mm256_fnmadd_ps( x.a, y.a, z.a ), _mm256_fnmadd_ps( x.b, y.b, z.b ) };
}

static inline void gelAddPart( const float* from, int count, float* to )
{
	int i = 0;
	for ( ; i + 4 <= count; i += 4 )
		_mm_storeu_ps( to + i, _mm_add_ps( _mm_loadu_ps( to + i ), _mm_loadu_ps( from + i ) ) );
	for ( ; i < count; ++i )
		to[i] += from[i];
}

static inline float gelSumRows( gelRows r )
{
	__m256 eight = _mm256_add_ps( r.a, r.b );
	__m128 four = _mm_add_ps( _mm256_castps256_ps128( eight ), _mm256_extractf128_ps( eight, 1 ) );
	__m128 two = _mm_add_ps( four, _mm_movehl_ps( four, four ) );
	return _mm_cvtss_f32( _mm_add_ss( two, _mm_shuffle_ps( two, two, 1 ) ) );
}

#else

// Plain C. fmaf rounds once, as the instruction does that the other versions use; a processor without the
// instruction takes long for it.
#include <math.h>

#define GEL_PRODUCT_BLOCKS  1
#define GEL_PRODUCT_COLUMNS 4

typedef struct gelRows
{
	float v[GEL_TILE];
} gelRows;

static inline gelRows gelLoadRows( const float* p )
{
	gelRows r;
	for ( int i = 0; i < GEL_TILE; ++i )
		r.v[i] = p[i];
	return r;
}

static inline void gelStoreRows( float* p, gelRows a )
{
	for ( int i = 0; i < GEL_TILE; ++i )
		p[i] = a.v[i];
}

static inline gelRows gelSplatRows( float a )
{
	gelRows r;
	for ( int i = 0; i < GEL_TILE; ++i )
		r.v[i] = a;
	return r;
}

static inline gelRows gelMulRows( gelRows a, gelRows b )
{
	for ( int i = 0; i < GEL_TILE; ++i )
		a.v[i] *= b.v[i];
	return a;
}

static inline gelRows gelFmaRows( gelRows a, gelRows b, gelRows c )
{
	for ( int i = 0; i < GEL_TILE; ++i )
		c.v[i] = fmaf( a.v[i], b.v[i], c.v[i] );
	return c;
}

static inline gelRows gelFmaNegRows( gelRows a, gelRows b, gelRows c )
{
	for ( int i = 0; i < GEL_TILE; ++i )
		c.v[i] = fmaf( -a.v[i], b.v[i], c.v[i] );
	return c;
}

static inline void gelAddPart( const float* from, int count, float* to )
{
	for ( int i = 0; i < count; ++i )
		to[i] += from[i];
}

static inline float gelSumRows( gelRows a )
{
	for ( int half = GEL_TILE / 2; half > 0; half /= 2 )
	{
		for ( int i = 0; i < half; ++i )
			a.v[i] += a.v[i + half];
	}
	return a.v[0];
}

#endif
