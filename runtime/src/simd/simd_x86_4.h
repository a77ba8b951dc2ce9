// SPDX-License-Identifier: MIT
// Four lanes on x86, one node: x y z w. Part of simd.h.
#pragma once

#include <emmintrin.h>

typedef __m128 gelFloat4;

static inline gelFloat4 gelLoad4( const void* p )
{
	return _mm_load_ps( p );
}
static inline void gelStore4( void* p, gelFloat4 a )
{
	_mm_store_ps( p, a );
}
// At any float.
static inline void gelStoreAny4( void* p, gelFloat4 a )
{
	_mm_storeu_ps( p, a );
}
static inline gelFloat4 gelSplat4( float a )
{
	return _mm_set1_ps( a );
}
static inline gelFloat4 gelAdd4( gelFloat4 a, gelFloat4 b )
{
	return _mm_add_ps( a, b );
}
static inline gelFloat4 gelSub4( gelFloat4 a, gelFloat4 b )
{
	return _mm_sub_ps( a, b );
}
static inline gelFloat4 gelMul4( gelFloat4 a, gelFloat4 b )
{
	return _mm_mul_ps( a, b );
}
static inline gelFloat4 gelNeg4( gelFloat4 a )
{
	return _mm_xor_ps( a, _mm_set1_ps( -0.0f ) );
}
// x y z of three floats in memory and zero; may read nothing behind them.
static inline gelFloat4 gelLoad3( const void* p )
{
	__m128 xy = _mm_castsi128_ps( _mm_loadl_epi64( p ) ); // any alignment
	return _mm_movelh_ps( xy, _mm_load_ss( (const float*)p + 2 ) );
}
static inline void gelStore3( void* p, gelFloat4 a )
{
	_mm_storel_epi64( p, _mm_castps_si128( a ) ); // any alignment
	_mm_store_ss( (float*)p + 2, _mm_movehl_ps( a, a ) );
}
// (float)( origin + (double)a ) for x, y, z; origin has four doubles.
static inline gelFloat4 gelAddOrigin4( gelFloat4 a, const double* origin )
{
	__m128d xy = _mm_add_pd( _mm_cvtps_pd( a ), _mm_loadu_pd( origin ) );
	__m128d zw = _mm_add_pd( _mm_cvtps_pd( _mm_movehl_ps( a, a ) ), _mm_loadu_pd( origin + 2 ) );
	return _mm_movelh_ps( _mm_cvtpd_ps( xy ), _mm_cvtpd_ps( zw ) );
}
static inline void gelTranspose4( gelFloat4* a, gelFloat4* b, gelFloat4* c, gelFloat4* d )
{
	_MM_TRANSPOSE4_PS( *a, *b, *c, *d );
}
static inline gelFloat4 gelMax4( gelFloat4 a, gelFloat4 b )
{
	return _mm_max_ps( a, b );
}
static inline gelFloat4 gelMin4( gelFloat4 a, gelFloat4 b )
{
	return _mm_min_ps( a, b );
}
// The largest, the smallest lane.
static inline float gelMaxLanes4( gelFloat4 a )
{
	__m128 m = _mm_max_ps( a, _mm_movehl_ps( a, a ) );
	return _mm_cvtss_f32( _mm_max_ss( m, _mm_shuffle_ps( m, m, 1 ) ) );
}
static inline float gelMinLanes4( gelFloat4 a )
{
	__m128 m = _mm_min_ps( a, _mm_movehl_ps( a, a ) );
	return _mm_cvtss_f32( _mm_min_ss( m, _mm_shuffle_ps( m, m, 1 ) ) );
}
