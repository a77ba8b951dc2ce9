// SPDX-License-Identifier: MIT
// Four and eight lanes in plain C, for every other machine and for reading. Part of simd.h.
#pragma once

#include <math.h>
#include <string.h>

// ---- four lanes: one node, x y z w -------------------------------------------------------------------

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
// At any float.
static inline void gelStoreAny4( void* p, gelFloat4 a )
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

// ---- eight lanes: eight elements -----------------------------------------------------------------------

typedef struct gelFloatW
{
	float f[GEL_LANES];
} gelFloatW;
typedef gelFloatW gelMaskW;

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
