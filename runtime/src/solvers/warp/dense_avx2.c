// SPDX-License-Identifier: MIT
// The dense kernels, compiled for AVX2 with fused multiply-add: sixteen rows in two registers.
#include "solvers/warp/dense_kernels.h"

#if defined( __AVX2__ ) && defined( __FMA__ )

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

#include "solvers/warp/wide_dense.h"

gelDenseKernels gelGetDense_Avx2( void )
{
	return MakeDense_D();
}

#else

gelDenseKernels gelGetDense_Avx2( void )
{
	return ( gelDenseKernels ){ NULL };
}

#endif
