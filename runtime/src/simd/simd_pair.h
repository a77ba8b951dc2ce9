// SPDX-License-Identifier: MIT
// Eight lanes in two registers of four, over the functions of four lanes and the GEL_*4 macros of the file
// that includes this one. Part of simd.h.
#pragma once

typedef struct gelFloatW
{
	gelFloat4 low, high;
} gelFloatW;
typedef gelFloatW gelMaskW;

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
