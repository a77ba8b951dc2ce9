// SPDX-License-Identifier: MIT
// Sums of products in double over eight lanes, with one order of additions on every machine.
#pragma once

#include "simd/simd.h"

/// Eight sums, one per lane.
typedef struct gelSumW
{
#if defined( GEL_SIMD_AVX2 )
	__m256d low, high;
#elif defined( GEL_SIMD_SSE2 )
	__m128d part[4];
#elif defined( GEL_SIMD_NEON )
	float64x2_t part[4];
#elif defined( GEL_SIMD_WASM )
	v128_t part[4];
#else
	double f[GEL_LANES];
#endif
} gelSumW;

static inline gelSumW gelZeroSumW( void )
{
	gelSumW r;
#if defined( GEL_SIMD_AVX2 )
	r.low = r.high = _mm256_setzero_pd();
#elif defined( GEL_SIMD_SSE2 )
	r.part[0] = r.part[1] = r.part[2] = r.part[3] = _mm_setzero_pd();
#elif defined( GEL_SIMD_NEON )
	r.part[0] = r.part[1] = r.part[2] = r.part[3] = vdupq_n_f64( 0.0 );
#elif defined( GEL_SIMD_WASM )
	r.part[0] = r.part[1] = r.part[2] = r.part[3] = wasm_f64x2_splat( 0.0 );
#else
	for ( int k = 0; k < GEL_LANES; ++k )
		r.f[k] = 0.0;
#endif
	return r;
}

/// sum + (double)a (double)b, lane by lane; the products are exact.
static inline gelSumW gelAddProductsW( gelSumW sum, gelFloatW a, gelFloatW b )
{
#if defined( GEL_SIMD_AVX2 )
	__m256d low = _mm256_mul_pd( _mm256_cvtps_pd( gelLowW( a ) ), _mm256_cvtps_pd( gelLowW( b ) ) );
	__m256d high = _mm256_mul_pd( _mm256_cvtps_pd( gelHighW( a ) ), _mm256_cvtps_pd( gelHighW( b ) ) );
	sum.low = _mm256_add_pd( sum.low, low );
	sum.high = _mm256_add_pd( sum.high, high );
#elif defined( GEL_SIMD_SSE2 )
	__m128 x[4] = { a.low, _mm_movehl_ps( a.low, a.low ), a.high, _mm_movehl_ps( a.high, a.high ) };
	__m128 y[4] = { b.low, _mm_movehl_ps( b.low, b.low ), b.high, _mm_movehl_ps( b.high, b.high ) };
	for ( int k = 0; k < 4; ++k )
		sum.part[k] = _mm_add_pd( sum.part[k], _mm_mul_pd( _mm_cvtps_pd( x[k] ), _mm_cvtps_pd( y[k] ) ) );
#elif defined( GEL_SIMD_NEON )
	float32x4_t x[2] = { a.low, a.high }, y[2] = { b.low, b.high };
	for ( int k = 0; k < 2; ++k )
	{
		float64x2_t low =
			vmulq_f64( vcvt_f64_f32( vget_low_f32( x[k] ) ), vcvt_f64_f32( vget_low_f32( y[k] ) ) );
		float64x2_t high = vmulq_f64( vcvt_high_f64_f32( x[k] ), vcvt_high_f64_f32( y[k] ) );
		sum.part[2 * k] = vaddq_f64( sum.part[2 * k], low );
		sum.part[2 * k + 1] = vaddq_f64( sum.part[2 * k + 1], high );
	}
#elif defined( GEL_SIMD_WASM )
	const v128_t x[2] = { a.low, a.high }, y[2] = { b.low, b.high };
	for ( int k = 0; k < 2; ++k )
	{
		v128_t u = wasm_i32x4_shuffle( x[k], x[k], 2, 3, 2, 3 ),
			   v = wasm_i32x4_shuffle( y[k], y[k], 2, 3, 2, 3 );
		v128_t low =
			wasm_f64x2_mul( wasm_f64x2_promote_low_f32x4( x[k] ), wasm_f64x2_promote_low_f32x4( y[k] ) );
		v128_t high = wasm_f64x2_mul( wasm_f64x2_promote_low_f32x4( u ), wasm_f64x2_promote_low_f32x4( v ) );
		sum.part[2 * k] = wasm_f64x2_add( sum.part[2 * k], low );
		sum.part[2 * k + 1] = wasm_f64x2_add( sum.part[2 * k + 1], high );
	}
#else
	for ( int k = 0; k < GEL_LANES; ++k )
		sum.f[k] += (double)a.f[k] * (double)b.f[k];
#endif
	return sum;
}

/// All lanes: k and k + 4, then neighbors, then the two halves.
static inline double gelTotalW( gelSumW sum )
{
	double f[GEL_LANES];
#if defined( GEL_SIMD_AVX2 )
	_mm256_storeu_pd( f, sum.low );
	_mm256_storeu_pd( f + 4, sum.high );
#elif defined( GEL_SIMD_SSE2 )
	for ( int k = 0; k < 4; ++k )
		_mm_storeu_pd( f + 2 * k, sum.part[k] );
#elif defined( GEL_SIMD_NEON )
	for ( int k = 0; k < 4; ++k )
		vst1q_f64( f + 2 * k, sum.part[k] );
#elif defined( GEL_SIMD_WASM )
	for ( int k = 0; k < 4; ++k )
		wasm_v128_store( f + 2 * k, sum.part[k] );
#else
	memcpy( f, sum.f, sizeof( f ) );
#endif
	return ( ( f[0] + f[4] ) + ( f[1] + f[5] ) ) + ( ( f[2] + f[6] ) + ( f[3] + f[7] ) );
}
