// SPDX-License-Identifier: MIT
// Wide floats: the only file that knows intrinsics. Kernels (wide_*.h) are written once over the types and
// functions below and compiled once per instruction set, by a file that defines one of
//
//     GEL_SIMD_AVX2    8 lanes in one register
//     GEL_SIMD_SSE2    8 lanes in two registers of 4
//     GEL_SIMD_NEON    as SSE2, on 64-bit ARM
//     GEL_SIMD_NONE    plain C, for every other machine and for reading
//
// Every operation rounds as IEEE-754 asks, lane by lane: no fused multiply-add, no reciprocal estimates. So
// all backends and the scalar reference give the same bits. Comparisons with NaN are false. gelMaxW( a, b )
// is a > b ? a : b, which is b when one of them is NaN; the scalar code spells it out the same way.
#pragma once

#include "vec4.h"

#if defined( GEL_SIMD_AVX2 )
#include <immintrin.h>
#elif defined( GEL_SIMD_SSE2 )
#include <emmintrin.h>
#elif defined( GEL_SIMD_NEON )
#include <arm_neon.h>
#else
#include <math.h>
#include <string.h>
#endif

#define GEL_LANES 8

// Kernels are one function each: a call would put eight registers of eight lanes on the stack.
#if defined( __GNUC__ )
#define GEL_FORCE_INLINE static inline __attribute__( ( always_inline ) )
#else
#define GEL_FORCE_INLINE static inline
#endif

// ---- four lanes: one node, x y z w -------------------------------------------------------------------

#if defined( GEL_SIMD_AVX2 ) || defined( GEL_SIMD_SSE2 )

typedef __m128 gelFloat4;

static inline gelFloat4 gelLoad4( const void* p )
{
	return _mm_load_ps( p );
}
static inline void gelStore4( void* p, gelFloat4 a )
{
	_mm_store_ps( p, a );
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

#elif defined( GEL_SIMD_NEON )

typedef float32x4_t gelFloat4;

static inline gelFloat4 gelLoad4( const void* p )
{
	return vld1q_f32( p );
}
static inline void gelStore4( void* p, gelFloat4 a )
{
	vst1q_f32( p, a );
}
static inline gelFloat4 gelSplat4( float a )
{
	return vdupq_n_f32( a );
}
static inline gelFloat4 gelAdd4( gelFloat4 a, gelFloat4 b )
{
	return vaddq_f32( a, b );
}
static inline gelFloat4 gelSub4( gelFloat4 a, gelFloat4 b )
{
	return vsubq_f32( a, b );
}
static inline gelFloat4 gelMul4( gelFloat4 a, gelFloat4 b )
{
	return vmulq_f32( a, b );
}
static inline gelFloat4 gelNeg4( gelFloat4 a )
{
	return vnegq_f32( a );
}
static inline gelFloat4 gelLoad3( const void* p )
{
	const float* f = p;
	return vcombine_f32( vld1_f32( f ), vld1_lane_f32( f + 2, vdup_n_f32( 0.0f ), 0 ) );
}
static inline void gelStore3( void* p, gelFloat4 a )
{
	vst1_f32( p, vget_low_f32( a ) );
	vst1q_lane_f32( (float*)p + 2, a, 2 );
}
static inline gelFloat4 gelAddOrigin4( gelFloat4 a, const double* origin )
{
	float64x2_t xy = vaddq_f64( vcvt_f64_f32( vget_low_f32( a ) ), vld1q_f64( origin ) );
	float64x2_t zw = vaddq_f64( vcvt_high_f64_f32( a ), vld1q_f64( origin + 2 ) );
	return vcombine_f32( vcvt_f32_f64( xy ), vcvt_f32_f64( zw ) );
}
static inline void gelTranspose4( gelFloat4* a, gelFloat4* b, gelFloat4* c, gelFloat4* d )
{
	float32x4x2_t ab = vtrnq_f32( *a, *b ), cd = vtrnq_f32( *c, *d );
	*a = vcombine_f32( vget_low_f32( ab.val[0] ), vget_low_f32( cd.val[0] ) );
	*b = vcombine_f32( vget_low_f32( ab.val[1] ), vget_low_f32( cd.val[1] ) );
	*c = vcombine_f32( vget_high_f32( ab.val[0] ), vget_high_f32( cd.val[0] ) );
	*d = vcombine_f32( vget_high_f32( ab.val[1] ), vget_high_f32( cd.val[1] ) );
}

#else

typedef struct gelFloat4
{
	float f[4];
} gelFloat4;

#define GEL_EACH4( expression )                                                                              \
	gelFloat4 r;                                                                                             \
	for ( int k = 0; k < 4; ++k )                                                                            \
		r.f[k] = ( expression );                                                                             \
	return r

static inline gelFloat4 gelLoad4( const void* p )
{
	GEL_EACH4( ( (const float*)p )[k] );
}
static inline void gelStore4( void* p, gelFloat4 a )
{
	memcpy( p, &a, sizeof( a ) );
}
static inline gelFloat4 gelSplat4( float a )
{
	GEL_EACH4( a );
}
static inline gelFloat4 gelAdd4( gelFloat4 a, gelFloat4 b )
{
	GEL_EACH4( a.f[k] + b.f[k] );
}
static inline gelFloat4 gelSub4( gelFloat4 a, gelFloat4 b )
{
	GEL_EACH4( a.f[k] - b.f[k] );
}
static inline gelFloat4 gelMul4( gelFloat4 a, gelFloat4 b )
{
	GEL_EACH4( a.f[k] * b.f[k] );
}
static inline gelFloat4 gelNeg4( gelFloat4 a )
{
	GEL_EACH4( -a.f[k] );
}
static inline gelFloat4 gelLoad3( const void* p )
{
	GEL_EACH4( k < 3 ? ( (const float*)p )[k] : 0.0f );
}
static inline void gelStore3( void* p, gelFloat4 a )
{
	memcpy( p, &a, 3 * sizeof( float ) );
}
static inline gelFloat4 gelAddOrigin4( gelFloat4 a, const double* origin )
{
	GEL_EACH4( (float)( origin[k] + a.f[k] ) );
}
static inline void gelTranspose4( gelFloat4* a, gelFloat4* b, gelFloat4* c, gelFloat4* d )
{
	gelFloat4 m[4] = { *a, *b, *c, *d }, *out[4] = { a, b, c, d };
	for ( int i = 0; i < 4; ++i )
	{
		for ( int k = 0; k < 4; ++k )
			out[i]->f[k] = m[k].f[i];
	}
}

#endif

// ---- eight lanes: eight elements -----------------------------------------------------------------------

#if defined( GEL_SIMD_AVX2 )

typedef __m256 gelFloatW;

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

#elif defined( GEL_SIMD_SSE2 ) || defined( GEL_SIMD_NEON )

typedef struct gelFloatW
{
	gelFloat4 low, high;
} gelFloatW;

#if defined( GEL_SIMD_SSE2 )
#define GEL_DIV4( a, b )       _mm_div_ps( a, b )
#define GEL_SQRT4( a )         _mm_sqrt_ps( a )
#define GEL_MAX4( a, b )       _mm_max_ps( a, b )
#define GEL_MIN4( a, b )       _mm_min_ps( a, b )
#define GEL_ABS4( a )          _mm_andnot_ps( _mm_set1_ps( -0.0f ), a )
#define GEL_GREATER4( a, b )   _mm_cmpgt_ps( a, b )
#define GEL_AND4( a, b )       _mm_and_ps( a, b )
#define GEL_SELECT4( m, a, b ) _mm_or_ps( _mm_and_ps( m, a ), _mm_andnot_ps( m, b ) )
#define GEL_BITS4( m )         _mm_movemask_ps( m )
#else
#define GEL_AS_MASK( a )       vreinterpretq_u32_f32( a )
#define GEL_AS_FLOAT( a )      vreinterpretq_f32_u32( a )
#define GEL_DIV4( a, b )       vdivq_f32( a, b )
#define GEL_SQRT4( a )         vsqrtq_f32( a )
#define GEL_MAX4( a, b )       vbslq_f32( vcgtq_f32( a, b ), a, b )
#define GEL_MIN4( a, b )       vbslq_f32( vcltq_f32( a, b ), a, b )
#define GEL_ABS4( a )          vabsq_f32( a )
#define GEL_GREATER4( a, b )   GEL_AS_FLOAT( vcgtq_f32( a, b ) )
#define GEL_AND4( a, b )       GEL_AS_FLOAT( vandq_u32( GEL_AS_MASK( a ), GEL_AS_MASK( b ) ) )
#define GEL_SELECT4( m, a, b ) vbslq_f32( GEL_AS_MASK( m ), a, b )
#define GEL_BITS4( m )                                                                                       \
	(int)vaddvq_u32( vandq_u32( GEL_AS_MASK( m ),                                                            \
		vcombine_u32( vcreate_u32( 0x0000000200000001u ), vcreate_u32( 0x0000000800000004u ) ) ) )
#endif

static inline gelFloatW gelJoinW( gelFloat4 low, gelFloat4 high )
{
	return ( gelFloatW ){ low, high };
}
static inline gelFloat4 gelLowW( gelFloatW a )
{
	return a.low;
}
static inline gelFloat4 gelHighW( gelFloatW a )
{
	return a.high;
}
static inline gelFloatW gelLoadW( const float* p )
{
	return gelJoinW( gelLoad4( p ), gelLoad4( p + 4 ) );
}
static inline void gelStoreW( float* p, gelFloatW a )
{
	gelStore4( p, a.low );
	gelStore4( p + 4, a.high );
}
static inline gelFloatW gelSplatW( float a )
{
	return gelJoinW( gelSplat4( a ), gelSplat4( a ) );
}
static inline gelFloatW gelAddW( gelFloatW a, gelFloatW b )
{
	return gelJoinW( gelAdd4( a.low, b.low ), gelAdd4( a.high, b.high ) );
}
static inline gelFloatW gelSubW( gelFloatW a, gelFloatW b )
{
	return gelJoinW( gelSub4( a.low, b.low ), gelSub4( a.high, b.high ) );
}
static inline gelFloatW gelMulW( gelFloatW a, gelFloatW b )
{
	return gelJoinW( gelMul4( a.low, b.low ), gelMul4( a.high, b.high ) );
}
static inline gelFloatW gelDivW( gelFloatW a, gelFloatW b )
{
	return gelJoinW( GEL_DIV4( a.low, b.low ), GEL_DIV4( a.high, b.high ) );
}
static inline gelFloatW gelSqrtW( gelFloatW a )
{
	return gelJoinW( GEL_SQRT4( a.low ), GEL_SQRT4( a.high ) );
}
static inline gelFloatW gelMaxW( gelFloatW a, gelFloatW b )
{
	return gelJoinW( GEL_MAX4( a.low, b.low ), GEL_MAX4( a.high, b.high ) );
}
static inline gelFloatW gelMinW( gelFloatW a, gelFloatW b )
{
	return gelJoinW( GEL_MIN4( a.low, b.low ), GEL_MIN4( a.high, b.high ) );
}
static inline gelFloatW gelNegW( gelFloatW a )
{
	return gelJoinW( gelNeg4( a.low ), gelNeg4( a.high ) );
}
static inline gelFloatW gelAbsW( gelFloatW a )
{
	return gelJoinW( GEL_ABS4( a.low ), GEL_ABS4( a.high ) );
}
static inline gelFloatW gelGreaterW( gelFloatW a, gelFloatW b )
{
	return gelJoinW( GEL_GREATER4( a.low, b.low ), GEL_GREATER4( a.high, b.high ) );
}
static inline gelFloatW gelAndW( gelFloatW a, gelFloatW b )
{
	return gelJoinW( GEL_AND4( a.low, b.low ), GEL_AND4( a.high, b.high ) );
}
static inline gelFloatW gelSelectW( gelFloatW mask, gelFloatW yes, gelFloatW no )
{
	return gelJoinW( GEL_SELECT4( mask.low, yes.low, no.low ), GEL_SELECT4( mask.high, yes.high, no.high ) );
}
static inline int gelMaskBitsW( gelFloatW mask )
{
	return GEL_BITS4( mask.low ) | GEL_BITS4( mask.high ) << 4;
}
static inline void gelTransposeHalvesW( gelFloatW* a, gelFloatW* b, gelFloatW* c, gelFloatW* d )
{
	gelTranspose4( &a->low, &b->low, &c->low, &d->low );
	gelTranspose4( &a->high, &b->high, &c->high, &d->high );
}

#else

typedef struct gelFloatW
{
	float f[GEL_LANES];
} gelFloatW;

#define GEL_EACH( expression )                                                                               \
	gelFloatW r;                                                                                             \
	for ( int k = 0; k < GEL_LANES; ++k )                                                                    \
		r.f[k] = ( expression );                                                                             \
	return r

// A mask is 1 or 0 per lane here.
static inline gelFloatW gelLoadW( const float* p )
{
	GEL_EACH( p[k] );
}
static inline void gelStoreW( float* p, gelFloatW a )
{
	memcpy( p, &a, sizeof( a ) );
}
static inline gelFloatW gelSplatW( float a )
{
	GEL_EACH( a );
}
static inline gelFloatW gelAddW( gelFloatW a, gelFloatW b )
{
	GEL_EACH( a.f[k] + b.f[k] );
}
static inline gelFloatW gelSubW( gelFloatW a, gelFloatW b )
{
	GEL_EACH( a.f[k] - b.f[k] );
}
static inline gelFloatW gelMulW( gelFloatW a, gelFloatW b )
{
	GEL_EACH( a.f[k] * b.f[k] );
}
static inline gelFloatW gelDivW( gelFloatW a, gelFloatW b )
{
	GEL_EACH( a.f[k] / b.f[k] );
}
static inline gelFloatW gelSqrtW( gelFloatW a )
{
	GEL_EACH( sqrtf( a.f[k] ) );
}
static inline gelFloatW gelMaxW( gelFloatW a, gelFloatW b )
{
	GEL_EACH( a.f[k] > b.f[k] ? a.f[k] : b.f[k] );
}
static inline gelFloatW gelMinW( gelFloatW a, gelFloatW b )
{
	GEL_EACH( a.f[k] < b.f[k] ? a.f[k] : b.f[k] );
}
static inline gelFloatW gelNegW( gelFloatW a )
{
	GEL_EACH( -a.f[k] );
}
static inline gelFloatW gelAbsW( gelFloatW a )
{
	GEL_EACH( fabsf( a.f[k] ) );
}
static inline gelFloatW gelGreaterW( gelFloatW a, gelFloatW b )
{
	GEL_EACH( a.f[k] > b.f[k] ? 1.0f : 0.0f );
}
static inline gelFloatW gelAndW( gelFloatW a, gelFloatW b )
{
	GEL_EACH( a.f[k] != 0.0f && b.f[k] != 0.0f ? 1.0f : 0.0f );
}
static inline gelFloatW gelSelectW( gelFloatW mask, gelFloatW yes, gelFloatW no )
{
	GEL_EACH( mask.f[k] != 0.0f ? yes.f[k] : no.f[k] );
}
static inline int gelMaskBitsW( gelFloatW mask )
{
	int bits = 0;
	for ( int k = 0; k < GEL_LANES; ++k )
		bits |= ( mask.f[k] != 0.0f ) << k;
	return bits;
}
static inline gelFloatW gelJoinW( gelFloat4 low, gelFloat4 high )
{
	GEL_EACH( k < 4 ? low.f[k] : high.f[k - 4] );
}
static inline gelFloat4 gelLowW( gelFloatW a )
{
	GEL_EACH4( a.f[k] );
}
static inline gelFloat4 gelHighW( gelFloatW a )
{
	GEL_EACH4( a.f[k + 4] );
}
static inline void gelTransposeHalvesW( gelFloatW* a, gelFloatW* b, gelFloatW* c, gelFloatW* d )
{
	gelFloat4 low[4] = { gelLowW( *a ), gelLowW( *b ), gelLowW( *c ), gelLowW( *d ) };
	gelFloat4 high[4] = { gelHighW( *a ), gelHighW( *b ), gelHighW( *c ), gelHighW( *d ) };
	gelTranspose4( low, low + 1, low + 2, low + 3 );
	gelTranspose4( high, high + 1, high + 2, high + 3 );
	*a = gelJoinW( low[0], high[0] );
	*b = gelJoinW( low[1], high[1] );
	*c = gelJoinW( low[2], high[2] );
	*d = gelJoinW( low[3], high[3] );
}

#endif

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

/// Sums of the lanes of x, y and z, by a fixed tree: lane k and k + 4, then neighbours, then the two halves.
static inline gelFloat4 gelSumLanesW( gelFloatW x, gelFloatW y, gelFloatW z )
{
	gelFloat4 a = gelAdd4( gelLowW( x ), gelHighW( x ) );
	gelFloat4 b = gelAdd4( gelLowW( y ), gelHighW( y ) );
	gelFloat4 c = gelAdd4( gelLowW( z ), gelHighW( z ) );
	gelFloat4 d = gelSplat4( 0.0f );
	gelTranspose4( &a, &b, &c, &d );
	return gelAdd4( gelAdd4( a, b ), gelAdd4( c, d ) );
}

// ---- lanes among each other: boxes and rays --------------------------------------------------------------

#if defined( GEL_SIMD_AVX2 ) || defined( GEL_SIMD_SSE2 )

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

#elif defined( GEL_SIMD_NEON )

static inline gelFloat4 gelMax4( gelFloat4 a, gelFloat4 b )
{
	return GEL_MAX4( a, b );
}
static inline gelFloat4 gelMin4( gelFloat4 a, gelFloat4 b )
{
	return GEL_MIN4( a, b );
}
static inline float gelMaxLanes4( gelFloat4 a )
{
	return vmaxvq_f32( a );
}
static inline float gelMinLanes4( gelFloat4 a )
{
	return vminvq_f32( a );
}

#else

static inline gelFloat4 gelMax4( gelFloat4 a, gelFloat4 b )
{
	GEL_EACH4( a.f[k] > b.f[k] ? a.f[k] : b.f[k] );
}
static inline gelFloat4 gelMin4( gelFloat4 a, gelFloat4 b )
{
	GEL_EACH4( a.f[k] < b.f[k] ? a.f[k] : b.f[k] );
}
static inline float gelMaxLanes4( gelFloat4 a )
{
	float m = a.f[0];
	for ( int k = 1; k < 4; ++k )
		m = a.f[k] > m ? a.f[k] : m;
	return m;
}
static inline float gelMinLanes4( gelFloat4 a )
{
	float m = a.f[0];
	for ( int k = 1; k < 4; ++k )
		m = a.f[k] < m ? a.f[k] : m;
	return m;
}

#endif

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
#else
	gelFloatW r;
	for ( int k = 0; k < GEL_LANES; ++k )
		r.f[k] = (float)( bytes >> 8 * k & 0xFFu );
	return r;
#endif
}
