// SPDX-License-Identifier: MIT
// A 3x3 matrix per node, by columns: a cache line of sixteen floats, of which a column has four and the last
// four are not used. One register of AVX-512, one and a half of AVX2, three of four lanes. Part of simd.h.
#pragma once

#include "simd/simd.h"

#if defined( GEL_SIMD_AVX512VL )

typedef __m512 gelColumns;

GEL_FORCE_INLINE gelColumns gelLoadColumns( const void* line )
{
	return _mm512_load_ps( line );
}
GEL_FORCE_INLINE void gelStoreColumns( void* line, gelColumns a )
{
	_mm512_store_ps( line, a );
}
GEL_FORCE_INLINE gelColumns gelMakeColumns( gelFloat4 x, gelFloat4 y, gelFloat4 z )
{
	__m512 a = _mm512_zextps256_ps512( gelJoinW( x, y ) );
	return _mm512_insertf32x4( a, z, 2 );
}
GEL_FORCE_INLINE gelColumns gelAddColumns( gelColumns a, gelColumns b )
{
	return _mm512_add_ps( a, b );
}
GEL_FORCE_INLINE gelColumns gelScaleColumns( float s, gelColumns a )
{
	return _mm512_mul_ps( _mm512_set1_ps( s ), a );
}
GEL_FORCE_INLINE void gelSplitColumns( gelColumns a, gelFloat4 out[3] )
{
	out[0] = _mm512_castps512_ps128( a );
	out[1] = _mm512_extractf32x4_ps( a, 1 );
	out[2] = _mm512_extractf32x4_ps( a, 2 );
}

#elif defined( GEL_SIMD_AVX2 )

typedef struct gelColumns
{
	__m256 xy;
	__m128 z;
} gelColumns;

GEL_FORCE_INLINE gelColumns gelLoadColumns( const void* line )
{
	const float* p = line;
	return ( gelColumns ){ _mm256_load_ps( p ), _mm_load_ps( p + 8 ) };
}
GEL_FORCE_INLINE void gelStoreColumns( void* line, gelColumns a )
{
	float* p = line;
	_mm256_store_ps( p, a.xy );
	_mm_store_ps( p + 8, a.z );
}
GEL_FORCE_INLINE gelColumns gelMakeColumns( gelFloat4 x, gelFloat4 y, gelFloat4 z )
{
	return ( gelColumns ){ gelJoinW( x, y ), z };
}
GEL_FORCE_INLINE gelColumns gelAddColumns( gelColumns a, gelColumns b )
{
	return ( gelColumns ){ _mm256_add_ps( a.xy, b.xy ), _mm_add_ps( a.z, b.z ) };
}
GEL_FORCE_INLINE gelColumns gelScaleColumns( float s, gelColumns a )
{
	__m256 t = _mm256_set1_ps( s );
	return ( gelColumns ){ _mm256_mul_ps( t, a.xy ), _mm_mul_ps( _mm256_castps256_ps128( t ), a.z ) };
}
GEL_FORCE_INLINE void gelSplitColumns( gelColumns a, gelFloat4 out[3] )
{
	out[0] = gelLowW( a.xy );
	out[1] = gelHighW( a.xy );
	out[2] = a.z;
}

#else

typedef struct gelColumns
{
	gelFloat4 x, y, z;
} gelColumns;

GEL_FORCE_INLINE gelColumns gelLoadColumns( const void* line )
{
	const gelVec4* p = line;
	return ( gelColumns ){ gelLoad4( p ), gelLoad4( p + 1 ), gelLoad4( p + 2 ) };
}
GEL_FORCE_INLINE void gelStoreColumns( void* line, gelColumns a )
{
	gelVec4* p = line;
	gelStore4( p, a.x );
	gelStore4( p + 1, a.y );
	gelStore4( p + 2, a.z );
}
GEL_FORCE_INLINE gelColumns gelMakeColumns( gelFloat4 x, gelFloat4 y, gelFloat4 z )
{
	return ( gelColumns ){ x, y, z };
}
GEL_FORCE_INLINE gelColumns gelAddColumns( gelColumns a, gelColumns b )
{
	return ( gelColumns ){ gelAdd4( a.x, b.x ), gelAdd4( a.y, b.y ), gelAdd4( a.z, b.z ) };
}
GEL_FORCE_INLINE gelColumns gelScaleColumns( float s, gelColumns a )
{
	gelFloat4 t = gelSplat4( s );
	return ( gelColumns ){ gelMul4( t, a.x ), gelMul4( t, a.y ), gelMul4( t, a.z ) };
}
GEL_FORCE_INLINE void gelSplitColumns( gelColumns a, gelFloat4 out[3] )
{
	out[0] = a.x;
	out[1] = a.y;
	out[2] = a.z;
}

#endif
