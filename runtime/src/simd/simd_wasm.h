// SPDX-License-Identifier: MIT
// Four lanes of WebAssembly (SIMD128); eight are two registers (simd_pair.h). Part of simd.h.
#pragma once

#include <wasm_simd128.h>

typedef v128_t gelFloat4;

static inline gelFloat4 gelLoad4( const void* p )
{
	return wasm_v128_load( p );
}
static inline void gelStore4( void* p, gelFloat4 a )
{
	wasm_v128_store( p, a );
}
// At any float.
static inline void gelStoreAny4( void* p, gelFloat4 a )
{
	wasm_v128_store( p, a );
}
static inline gelFloat4 gelSplat4( float a )
{
	return wasm_f32x4_splat( a );
}
static inline gelFloat4 gelAdd4( gelFloat4 a, gelFloat4 b )
{
	return wasm_f32x4_add( a, b );
}
static inline gelFloat4 gelSub4( gelFloat4 a, gelFloat4 b )
{
	return wasm_f32x4_sub( a, b );
}
static inline gelFloat4 gelMul4( gelFloat4 a, gelFloat4 b )
{
	return wasm_f32x4_mul( a, b );
}
static inline gelFloat4 gelNeg4( gelFloat4 a )
{
	return wasm_f32x4_neg( a );
}
// x y z of three floats in memory and zero; may read nothing behind them.
static inline gelFloat4 gelLoad3( const void* p )
{
	const float* f = p;
	return wasm_v128_load32_lane( f + 2, wasm_v128_load64_zero( f ), 2 );
}
static inline void gelStore3( void* p, gelFloat4 a )
{
	wasm_v128_store64_lane( p, a, 0 );
	wasm_v128_store32_lane( (float*)p + 2, a, 2 );
}
// (float)( origin + (double)a ) for x, y, z; origin has four doubles.
static inline gelFloat4 gelAddOrigin4( gelFloat4 a, const double* origin )
{
	v128_t upper = wasm_i32x4_shuffle( a, a, 2, 3, 2, 3 );
	v128_t xy = wasm_f64x2_add( wasm_f64x2_promote_low_f32x4( a ), wasm_v128_load( origin ) );
	v128_t zw = wasm_f64x2_add( wasm_f64x2_promote_low_f32x4( upper ), wasm_v128_load( origin + 2 ) );
	return wasm_i32x4_shuffle(
		wasm_f32x4_demote_f64x2_zero( xy ), wasm_f32x4_demote_f64x2_zero( zw ), 0, 1, 4, 5 );
}
static inline void gelTranspose4( gelFloat4* a, gelFloat4* b, gelFloat4* c, gelFloat4* d )
{
	v128_t ab = wasm_i32x4_shuffle( *a, *b, 0, 4, 1, 5 ), abUpper = wasm_i32x4_shuffle( *a, *b, 2, 6, 3, 7 );
	v128_t cd = wasm_i32x4_shuffle( *c, *d, 0, 4, 1, 5 ), cdUpper = wasm_i32x4_shuffle( *c, *d, 2, 6, 3, 7 );
	*a = wasm_i64x2_shuffle( ab, cd, 0, 2 );
	*b = wasm_i64x2_shuffle( ab, cd, 1, 3 );
	*c = wasm_i64x2_shuffle( abUpper, cdUpper, 0, 2 );
	*d = wasm_i64x2_shuffle( abUpper, cdUpper, 1, 3 );
}

// wasm_f32x4_pmax( x, y ) is x < y ? y : x, so arguments change places: b when one is NaN (simd.h).
#define GEL_DIV4( a, b )       wasm_f32x4_div( a, b )
#define GEL_SQRT4( a )         wasm_f32x4_sqrt( a )
#define GEL_MAX4( a, b )       wasm_f32x4_pmax( b, a )
#define GEL_MIN4( a, b )       wasm_f32x4_pmin( b, a )
#define GEL_ABS4( a )          wasm_f32x4_abs( a )
#define GEL_GREATER4( a, b )   wasm_f32x4_gt( a, b )
#define GEL_AND4( a, b )       wasm_v128_and( a, b )
#define GEL_SELECT4( m, a, b ) wasm_v128_bitselect( a, b, m )
#define GEL_BITS4( m )         (int)wasm_i32x4_bitmask( m )

static inline gelFloat4 gelMax4( gelFloat4 a, gelFloat4 b )
{
	return GEL_MAX4( a, b );
}
static inline gelFloat4 gelMin4( gelFloat4 a, gelFloat4 b )
{
	return GEL_MIN4( a, b );
}
// The largest, the smallest lane.
static inline float gelMaxLanes4( gelFloat4 a )
{
	v128_t m = gelMax4( a, wasm_i32x4_shuffle( a, a, 2, 3, 2, 3 ) );
	return wasm_f32x4_extract_lane( gelMax4( m, wasm_i32x4_shuffle( m, m, 1, 1, 1, 1 ) ), 0 );
}
static inline float gelMinLanes4( gelFloat4 a )
{
	v128_t m = gelMin4( a, wasm_i32x4_shuffle( a, a, 2, 3, 2, 3 ) );
	return wasm_f32x4_extract_lane( gelMin4( m, wasm_i32x4_shuffle( m, m, 1, 1, 1, 1 ) ), 0 );
}

#include "simd/simd_pair.h"
