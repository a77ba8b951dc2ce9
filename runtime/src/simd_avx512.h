// SPDX-License-Identifier: MIT
// Sixteen lanes in one register of AVX-512: two blocks of eight elements at once, or sixteen bodies. Part of
// simd.h, with what the element loop and the loops over bodies side by side need, and nothing else.
//
// The element loop is a long chain of operations, and a processor can look only so many instructions ahead.
// Half as many of them for the same work let it see twice as far, even where a register of 512 bits takes
// two turns in a unit of 256.
#pragma once

#include <immintrin.h>

#include "simd_x86_4.h"

typedef __m512 gelFloatW;
typedef __mmask16 gelMaskW;

static inline gelFloatW gelLoadW( const float* p )
{
	return _mm512_load_ps( p );
}

static inline gelFloatW gelSplatW( float a )
{
	return _mm512_set1_ps( a );
}
static inline void gelStoreW( float* p, gelFloatW a )
{
	_mm512_storeu_ps( p, a );
}
static inline gelFloatW gelAddW( gelFloatW a, gelFloatW b )
{
	return _mm512_add_ps( a, b );
}
static inline gelFloatW gelSubW( gelFloatW a, gelFloatW b )
{
	return _mm512_sub_ps( a, b );
}
static inline gelFloatW gelMulW( gelFloatW a, gelFloatW b )
{
	return _mm512_mul_ps( a, b );
}
static inline gelFloatW gelDivW( gelFloatW a, gelFloatW b )
{
	return _mm512_div_ps( a, b );
}
static inline gelFloatW gelSqrtW( gelFloatW a )
{
	return _mm512_sqrt_ps( a );
}
static inline gelFloatW gelMaxW( gelFloatW a, gelFloatW b )
{
	return _mm512_max_ps( a, b );
}
static inline gelFloatW gelMinW( gelFloatW a, gelFloatW b )
{
	return _mm512_min_ps( a, b );
}
static inline gelFloatW gelNegW( gelFloatW a )
{
	return _mm512_xor_ps( a, _mm512_set1_ps( -0.0f ) );
}
static inline gelFloatW gelAbsW( gelFloatW a )
{
	return _mm512_andnot_ps( _mm512_set1_ps( -0.0f ), a );
}
static inline gelMaskW gelGreaterW( gelFloatW a, gelFloatW b )
{
	return _mm512_cmp_ps_mask( a, b, _CMP_GT_OQ );
}
static inline gelMaskW gelAndW( gelMaskW a, gelMaskW b )
{
	return (gelMaskW)( a & b );
}
static inline gelFloatW gelSelectW( gelMaskW mask, gelFloatW yes, gelFloatW no )
{
	return _mm512_mask_blend_ps( mask, no, yes );
}
static inline int gelMaskBitsW( gelMaskW mask )
{
	return mask;
}

/// x, y, z, w of sixteen nodes.
typedef struct gelNodesW
{
	gelFloatW x, y, z, w;
} gelNodesW;

// Transposes the 4x4 block of every four lanes.
static inline void gelTransposeQuartersW( gelNodesW* n )
{
	__m512 t0 = _mm512_unpacklo_ps( n->x, n->y ), t1 = _mm512_unpackhi_ps( n->x, n->y );
	__m512 t2 = _mm512_unpacklo_ps( n->z, n->w ), t3 = _mm512_unpackhi_ps( n->z, n->w );
	n->x = _mm512_shuffle_ps( t0, t2, 0x44 );
	n->y = _mm512_shuffle_ps( t0, t2, 0xEE );
	n->z = _mm512_shuffle_ps( t1, t3, 0x44 );
	n->w = _mm512_shuffle_ps( t1, t3, 0xEE );
}

// Transposes the 4x4 matrix of quarters.
static inline gelNodesW gelExchangeQuartersW( gelNodesW n )
{
	__m512 a = _mm512_shuffle_f32x4( n.x, n.y, 0x88 ), b = _mm512_shuffle_f32x4( n.x, n.y, 0xDD );
	__m512 c = _mm512_shuffle_f32x4( n.z, n.w, 0x88 ), d = _mm512_shuffle_f32x4( n.z, n.w, 0xDD );
	return ( gelNodesW ){ _mm512_shuffle_f32x4( a, c, 0x88 ), _mm512_shuffle_f32x4( b, d, 0x88 ),
		_mm512_shuffle_f32x4( a, c, 0xDD ), _mm512_shuffle_f32x4( b, d, 0xDD ) };
}

/// Sixteen nodes that follow each other.
static inline gelNodesW gelLoadNodesW( const void* nodes )
{
	const float* p = nodes;
	gelNodesW n = gelExchangeQuartersW( ( gelNodesW ){
		_mm512_load_ps( p ), _mm512_load_ps( p + 16 ), _mm512_load_ps( p + 32 ), _mm512_load_ps( p + 48 ) } );
	gelTransposeQuartersW( &n );
	return n;
}

static inline void gelStoreNodesW( void* nodes, gelNodesW n )
{
	float* p = nodes;
	gelTransposeQuartersW( &n );
	n = gelExchangeQuartersW( n );
	_mm512_store_ps( p, n.x );
	_mm512_store_ps( p + 16, n.y );
	_mm512_store_ps( p + 32, n.z );
	_mm512_store_ps( p + 48, n.w );
}

/// The nodes that are in parts[], one per lane, and back.
GEL_FORCE_INLINE gelFloatW gelJoinFourW( __m128 a, __m128 b, __m128 c, __m128 d )
{
	__m256 low = _mm256_insertf128_ps( _mm256_castps128_ps256( a ), b, 1 );
	__m256 high = _mm256_insertf128_ps( _mm256_castps128_ps256( c ), d, 1 );
	return _mm512_insertf32x8( _mm512_castps256_ps512( low ), high, 1 );
}
GEL_FORCE_INLINE gelNodesW gelCollectLanesW( const gelFloat4 parts[GEL_LANES] )
{
	gelNodesW n = { gelJoinFourW( parts[0], parts[4], parts[8], parts[12] ),
		gelJoinFourW( parts[1], parts[5], parts[9], parts[13] ),
		gelJoinFourW( parts[2], parts[6], parts[10], parts[14] ),
		gelJoinFourW( parts[3], parts[7], parts[11], parts[15] ) };
	gelTransposeQuartersW( &n );
	return n;
}
GEL_FORCE_INLINE void gelDistributeLanesW( gelNodesW n, gelFloat4 parts[GEL_LANES] )
{
	gelTransposeQuartersW( &n );
	const gelFloatW rows[4] = { n.x, n.y, n.z, n.w };
	for ( int k = 0; k < 4; ++k )
	{
		parts[k] = _mm512_castps512_ps128( rows[k] );
		parts[k + 4] = _mm512_extractf32x4_ps( rows[k], 1 );
		parts[k + 8] = _mm512_extractf32x4_ps( rows[k], 2 );
		parts[k + 12] = _mm512_extractf32x4_ps( rows[k], 3 );
	}
}

// ---- two blocks of eight, some bytes apart -------------------------------------------------------------

static inline gelFloatW gelLoadBlocksW( const float* row, size_t stride )
{
	__m256 high = _mm256_load_ps( row + stride / sizeof( float ) );
	return _mm512_insertf32x8( _mm512_castps256_ps512( _mm256_load_ps( row ) ), high, 1 );
}

// Nodes of the slots `lane` and `lane + 4` of both blocks.
GEL_FORCE_INLINE gelFloatW gelLoadFourW( const void* nodes, const uint32_t* a, const uint32_t* b, int lane )
{
	const char* p = nodes;
	return gelJoinFourW( gelLoad4( p + a[lane] ), gelLoad4( p + a[lane + 4] ), gelLoad4( p + b[lane] ),
		gelLoad4( p + b[lane + 4] ) );
}

/// Offsets are in bytes.
GEL_FORCE_INLINE gelNodesW gelGatherBlocksW( const void* nodes, const uint32_t* offset, size_t stride )
{
	const uint32_t* second = offset + stride / sizeof( uint32_t );
	gelNodesW n = { gelLoadFourW( nodes, offset, second, 0 ), gelLoadFourW( nodes, offset, second, 1 ),
		gelLoadFourW( nodes, offset, second, 2 ), gelLoadFourW( nodes, offset, second, 3 ) };
	gelTransposeQuartersW( &n );
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
GEL_FORCE_INLINE void gelScatterAddBlocksW(
	void* nodes, const uint32_t ( *offset )[8], size_t stride, gelNodesW n[4] )
{
	const uint32_t( *second )[8] = offset + stride / sizeof( *offset );
	for ( int k = 0; k < 4; ++k )
		gelTransposeQuartersW( n + k );
	GEL_ADD_BLOCK( nodes, offset, n, 0 )
	GEL_ADD_BLOCK( nodes, second, n, 2 )
}
