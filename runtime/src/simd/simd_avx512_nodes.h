// SPDX-License-Identifier: MIT
// Sixteen nodes in four registers of AVX-512. Part of simd.h.
#pragma once

#include <immintrin.h>

#include "simd/simd_x86_4.h"

/// x, y, z, w of sixteen nodes.
typedef struct gelNodes16
{
	__m512 x, y, z, w;
} gelNodes16;

// Transposes the 4x4 block of every four lanes.
static inline void gelTransposeQuarters16( gelNodes16* n )
{
	__m512 t0 = _mm512_unpacklo_ps( n->x, n->y ), t1 = _mm512_unpackhi_ps( n->x, n->y );
	__m512 t2 = _mm512_unpacklo_ps( n->z, n->w ), t3 = _mm512_unpackhi_ps( n->z, n->w );
	n->x = _mm512_shuffle_ps( t0, t2, 0x44 );
	n->y = _mm512_shuffle_ps( t0, t2, 0xEE );
	n->z = _mm512_shuffle_ps( t1, t3, 0x44 );
	n->w = _mm512_shuffle_ps( t1, t3, 0xEE );
}

// Transposes the 4x4 matrix of quarters.
static inline gelNodes16 gelExchangeQuarters16( gelNodes16 n )
{
	__m512 a = _mm512_shuffle_f32x4( n.x, n.y, 0x88 ), b = _mm512_shuffle_f32x4( n.x, n.y, 0xDD );
	__m512 c = _mm512_shuffle_f32x4( n.z, n.w, 0x88 ), d = _mm512_shuffle_f32x4( n.z, n.w, 0xDD );
	return ( gelNodes16 ){ _mm512_shuffle_f32x4( a, c, 0x88 ), _mm512_shuffle_f32x4( b, d, 0x88 ),
		_mm512_shuffle_f32x4( a, c, 0xDD ), _mm512_shuffle_f32x4( b, d, 0xDD ) };
}

/// Sixteen nodes that follow each other.
static inline gelNodes16 gelLoadNodes16( const void* nodes )
{
	const float* p = nodes;
	gelNodes16 n = gelExchangeQuarters16( ( gelNodes16 ){
		_mm512_load_ps( p ), _mm512_load_ps( p + 16 ), _mm512_load_ps( p + 32 ), _mm512_load_ps( p + 48 ) } );
	gelTransposeQuarters16( &n );
	return n;
}

static inline void gelStoreNodes16( void* nodes, gelNodes16 n )
{
	float* p = nodes;
	gelTransposeQuarters16( &n );
	n = gelExchangeQuarters16( n );
	_mm512_store_ps( p, n.x );
	_mm512_store_ps( p + 16, n.y );
	_mm512_store_ps( p + 32, n.z );
	_mm512_store_ps( p + 48, n.w );
}

/// The nodes that are in parts[], one per lane, and back.
GEL_FORCE_INLINE __m512 gelJoinFour16( __m128 a, __m128 b, __m128 c, __m128 d )
{
	__m256 low = _mm256_insertf128_ps( _mm256_castps128_ps256( a ), b, 1 );
	__m256 high = _mm256_insertf128_ps( _mm256_castps128_ps256( c ), d, 1 );
	return _mm512_insertf32x8( _mm512_castps256_ps512( low ), high, 1 );
}
GEL_FORCE_INLINE gelNodes16 gelCollectLanes16( const gelFloat4 parts[16] )
{
	gelNodes16 n = { gelJoinFour16( parts[0], parts[4], parts[8], parts[12] ),
		gelJoinFour16( parts[1], parts[5], parts[9], parts[13] ),
		gelJoinFour16( parts[2], parts[6], parts[10], parts[14] ),
		gelJoinFour16( parts[3], parts[7], parts[11], parts[15] ) };
	gelTransposeQuarters16( &n );
	return n;
}
GEL_FORCE_INLINE void gelDistributeLanes16( gelNodes16 n, gelFloat4 parts[16] )
{
	gelTransposeQuarters16( &n );
	const __m512 rows[4] = { n.x, n.y, n.z, n.w };
	for ( int k = 0; k < 4; ++k )
	{
		parts[k] = _mm512_castps512_ps128( rows[k] );
		parts[k + 4] = _mm512_extractf32x4_ps( rows[k], 1 );
		parts[k + 8] = _mm512_extractf32x4_ps( rows[k], 2 );
		parts[k + 12] = _mm512_extractf32x4_ps( rows[k], 3 );
	}
}

/// Four nodes of each of sixteen arrays: a cache line, `offset` bytes from the start of the array. Element k
/// of n has lane by lane the k-th nodes.
GEL_FORCE_INLINE void gelCollectLines16( void* const arrays[16], size_t offset, gelNodes16 n[4] )
{
	gelNodes16 rows[4]; // [r]: of arrays r, r + 4, r + 8, r + 12
	for ( int r = 0; r < 4; ++r )
	{
		const char* const line[4] = { (const char*)arrays[r] + offset, (const char*)arrays[r + 4] + offset,
			(const char*)arrays[r + 8] + offset, (const char*)arrays[r + 12] + offset };
		rows[r] = gelExchangeQuarters16( ( gelNodes16 ){ _mm512_load_ps( line[0] ), _mm512_load_ps( line[1] ),
			_mm512_load_ps( line[2] ), _mm512_load_ps( line[3] ) } );
	}
	n[0] = ( gelNodes16 ){ rows[0].x, rows[1].x, rows[2].x, rows[3].x };
	n[1] = ( gelNodes16 ){ rows[0].y, rows[1].y, rows[2].y, rows[3].y };
	n[2] = ( gelNodes16 ){ rows[0].z, rows[1].z, rows[2].z, rows[3].z };
	n[3] = ( gelNodes16 ){ rows[0].w, rows[1].w, rows[2].w, rows[3].w };
	for ( int k = 0; k < 4; ++k )
		gelTransposeQuarters16( n + k );
}
GEL_FORCE_INLINE void gelDistributeLines16( void* const arrays[16], size_t offset, const gelNodes16 n[4] )
{
	gelNodes16 t[4] = { n[0], n[1], n[2], n[3] };
	for ( int k = 0; k < 4; ++k )
		gelTransposeQuarters16( t + k );
	const gelNodes16 rows[4] = { { t[0].x, t[1].x, t[2].x, t[3].x }, { t[0].y, t[1].y, t[2].y, t[3].y },
		{ t[0].z, t[1].z, t[2].z, t[3].z }, { t[0].w, t[1].w, t[2].w, t[3].w } };
	for ( int r = 0; r < 4; ++r )
	{
		gelNodes16 lines = gelExchangeQuarters16( rows[r] );
		_mm512_store_ps( (char*)arrays[r] + offset, lines.x );
		_mm512_store_ps( (char*)arrays[r + 4] + offset, lines.y );
		_mm512_store_ps( (char*)arrays[r + 8] + offset, lines.z );
		_mm512_store_ps( (char*)arrays[r + 12] + offset, lines.w );
	}
}

// ---- two blocks of eight, some bytes apart -------------------------------------------------------------

static inline __m512 gelLoadBlocks16( const float* row, size_t stride )
{
	__m256 high = _mm256_load_ps( row + stride / sizeof( float ) );
	return _mm512_insertf32x8( _mm512_castps256_ps512( _mm256_load_ps( row ) ), high, 1 );
}

// Nodes of the slots `lane` and `lane + 4` of both blocks.
GEL_FORCE_INLINE __m512 gelLoadFour16( const void* nodes, const uint32_t* a, const uint32_t* b, int lane )
{
	const char* p = nodes;
	return gelJoinFour16( gelLoad4( p + a[lane] ), gelLoad4( p + a[lane + 4] ), gelLoad4( p + b[lane] ),
		gelLoad4( p + b[lane + 4] ) );
}

/// Offsets are in bytes.
GEL_FORCE_INLINE gelNodes16 gelGatherBlocks16( const void* nodes, const uint32_t* offset, size_t stride )
{
	const uint32_t* second = offset + stride / sizeof( uint32_t );
	gelNodes16 n = { gelLoadFour16( nodes, offset, second, 0 ), gelLoadFour16( nodes, offset, second, 1 ),
		gelLoadFour16( nodes, offset, second, 2 ), gelLoadFour16( nodes, offset, second, 3 ) };
	gelTransposeQuarters16( &n );
	return n;
}

static inline void gelAddToNode( void* nodes, uint32_t offset, __m128 term )
{
	float* to = (float*)(void*)( (char*)nodes + offset );
	_mm_store_ps( to, _mm_add_ps( _mm_load_ps( to ), term ) );
}

// Adds the quarters `part` and `part` + 1 of four corners to the nodes of one block.
#define GEL_ADD_BLOCK( nodes, offset, n, part )                                                              \
	for ( int k = 0; k < 4; ++k )                                                                            \
	{                                                                                                        \
		gelAddToNode( nodes, offset[k][0], _mm512_extractf32x4_ps( n[k].x, part ) );                         \
		gelAddToNode( nodes, offset[k][1], _mm512_extractf32x4_ps( n[k].y, part ) );                         \
		gelAddToNode( nodes, offset[k][2], _mm512_extractf32x4_ps( n[k].z, part ) );                         \
		gelAddToNode( nodes, offset[k][3], _mm512_extractf32x4_ps( n[k].w, part ) );                         \
		gelAddToNode( nodes, offset[k][4], _mm512_extractf32x4_ps( n[k].x, part + 1 ) );                     \
		gelAddToNode( nodes, offset[k][5], _mm512_extractf32x4_ps( n[k].y, part + 1 ) );                     \
		gelAddToNode( nodes, offset[k][6], _mm512_extractf32x4_ps( n[k].z, part + 1 ) );                     \
		gelAddToNode( nodes, offset[k][7], _mm512_extractf32x4_ps( n[k].w, part + 1 ) );                     \
	}

/// Adds to the four corners of the first block, then to those of the second: the order is part of the result
/// where they have common nodes. Within a block the offsets must differ, but for the padding node.
GEL_FORCE_INLINE void gelScatterAddBlocks16(
	void* nodes, const uint32_t ( *offset )[8], size_t stride, gelNodes16 n[4] )
{
	const uint32_t( *second )[8] = offset + stride / sizeof( *offset );
	for ( int k = 0; k < 4; ++k )
		gelTransposeQuarters16( n + k );
	GEL_ADD_BLOCK( nodes, offset, n, 0 )
	GEL_ADD_BLOCK( nodes, second, n, 2 )
}
