// SPDX-License-Identifier: MIT
// Four lanes on 64-bit ARM; eight are two registers (simd_pair.h). Part of simd.h.
#pragma once

#include <arm_neon.h>

typedef float32x4_t gelFloat4;

static inline gelFloat4 gelLoad4( const void* p )
{
	return vld1q_f32( p );
}
static inline void gelStore4( void* p, gelFloat4 a )
{
	vst1q_f32( p, a );
}
// At any float.
static inline void gelStoreAny4( void* p, gelFloat4 a )
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

#include "simd/simd_pair.h"
