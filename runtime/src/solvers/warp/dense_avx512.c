// SPDX-License-Identifier: MIT
// The dense kernels, compiled for AVX-512: sixteen rows in one register.
#include "solvers/warp/dense_kernels.h"

#if defined( __AVX512VL__ ) && defined( __FMA__ )

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

#include "solvers/warp/wide_dense.h"

gelDenseKernels gelGetDense_Avx512( void )
{
	return MakeDense_D();
}

#else

gelDenseKernels gelGetDense_Avx512( void )
{
	return ( gelDenseKernels ){ NULL };
}

#endif
