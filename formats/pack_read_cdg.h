// SPDX-License-Identifier: MIT
// Taking collision triangles (CTRI) apart: indices and the quantized bounds of a tree node share the same
// words. And the implicit trees over them: a node is a range of a patch's triangles.
//
//   narrow, 6 words, counts <= 2^21 - 1            wide, 8 words
//   w0 = v0 | P[ 0..10] << 21                      w0 = v0 | flag bit 0 << 31
//   w1 = v1 | P[11..21] << 21                      w1 = v1 | flag bit 1 << 31
//   w2 = v2 | P[22..32] << 21                      w2 = v2
//   w3 = n0 | P[33..43] << 21                      w3 = n0
//   w4 = n1 | P[44..54] << 21                      w4 = n1
//   w5 = n2 | P[55..63] << 21 | flags << 30        w5 = n2,  w6 = P[0..31],  w7 = P[32..63]
//
// P is the b-DOP of the triangle's whole range: byte k is low[k], byte 4 + k is high[k].
#pragma once

#include "pack_layout.h"

#include <stdbool.h>

/// A collision triangle, unpacked.
typedef struct gelCdgTriangle
{
	uint32_t vertex[3];   // slots of CVTX, counter-clockwise from outside
	uint32_t neighbor[3]; // triangle across the edge (vertex[k], vertex[k + 1 mod 3]); GEL_CDG_NIL: none
	uint32_t flags;       // GEL_CDG_TRIANGLE_*
	uint64_t bounds;      // P
} gelCdgTriangle;

static inline uint32_t gelCdg_WidenIndex( uint32_t narrow )
{
	uint32_t index = narrow & GEL_CDG_NARROW_NIL;
	return index == GEL_CDG_NARROW_NIL ? GEL_CDG_NIL : index;
}

/// @param triangles section CTRI
/// @param words words per triangle: GEL_CDG_NARROW_WORDS or GEL_CDG_WIDE_WORDS
static inline gelCdgTriangle gelCdg_GetTriangle( const uint32_t* triangles, uint32_t words, uint32_t index )
{
	const uint32_t* w = triangles + (uint64_t)words * index;
	gelCdgTriangle t;
	if ( words == GEL_CDG_WIDE_WORDS )
	{
		for ( int k = 0; k < 3; ++k )
		{
			t.vertex[k] = w[k] & 0x7FFFFFFFu;
			t.neighbor[k] = w[3 + k];
		}
		t.flags = w[0] >> 31 | w[1] >> 31 << 1;
		t.bounds = (uint64_t)w[7] << 32 | w[6];
		return t;
	}
	t.bounds = 0;
	for ( int k = 0; k < 3; ++k )
	{
		t.vertex[k] = w[k] & GEL_CDG_NARROW_NIL;
		t.neighbor[k] = gelCdg_WidenIndex( w[3 + k] );
	}
	for ( int k = 0; k < 6; ++k )
	{
		t.bounds |= (uint64_t)( w[k] >> 21 ) << 11 * k; // the flags fall off the top
	}
	t.flags = w[5] >> 30;
	return t;
}

/// The reverse; used when packs are written and in tests. Indices must fit the kind of record.
static inline void gelCdg_PutTriangle( uint32_t* triangles, uint32_t words, uint32_t index, gelCdgTriangle t )
{
	uint32_t* w = triangles + (uint64_t)words * index;
	if ( words == GEL_CDG_WIDE_WORDS )
	{
		for ( int k = 0; k < 3; ++k )
		{
			w[k] = t.vertex[k];
			w[3 + k] = t.neighbor[k];
		}
		w[0] |= ( t.flags & 1u ) << 31;
		w[1] |= ( t.flags >> 1 & 1u ) << 31;
		w[6] = (uint32_t)t.bounds;
		w[7] = (uint32_t)( t.bounds >> 32 );
		return;
	}
	for ( int k = 0; k < 3; ++k )
	{
		w[k] = t.vertex[k] | (uint32_t)( t.bounds >> 11 * k & 0x7FFu ) << 21;
		w[3 + k] =
			( t.neighbor[k] & GEL_CDG_NARROW_NIL ) | (uint32_t)( t.bounds >> ( 33 + 11 * k ) & 0x7FFu ) << 21;
	}
	w[5] |= t.flags << 30; // P has 9 bits left for the last word
}

/// P alone. @param w the words of one triangle
static inline uint64_t gelCdg_GetBounds( const uint32_t* w, uint32_t words )
{
	if ( words == GEL_CDG_WIDE_WORDS ) return (uint64_t)w[7] << 32 | w[6];
	uint64_t low = w[0] >> 21 | w[1] >> 21 << 11, middle = w[2] >> 21 | w[3] >> 21 << 11,
			 high = w[4] >> 21 | w[5] >> 21 << 11; // 22 bits each
	return low | middle << 22 | high << 44;        // the flags fall off the top
}

/// Lower bound of the weight of node k in a quantized b-DOP, exact in float.
static inline float gelCdg_Low( uint64_t bounds, int k )
{
	return (float)( bounds >> 8 * k & 0xFFu ) * 0x1p-8f;
}

/// Upper bound of the weight of node k, exact in float. Equal to the lower one for a flat b-DOP: then the
/// stored byte is one less than that of the lower bound.
static inline float gelCdg_High( uint64_t bounds, int k )
{
	return (float)( ( bounds >> ( 32 + 8 * k ) & 0xFFu ) + 1u ) * 0x1p-8f;
}

/// A node of a patch's tree: the triangles first .. end - 1. Its own triangle is `first`, whose record also
/// holds the bounds of the whole range.
typedef struct gelCdgRange
{
	uint32_t first, end;
} gelCdgRange;

/// Children of a range with at least one triangle. The left one may be empty, both are for one triangle;
/// depth is floor(log2 n) + 1.
static inline void gelCdgRange_Split( gelCdgRange range, gelCdgRange* left, gelCdgRange* right )
{
	uint32_t i = range.first + 1, middle = i + ( range.end - i ) / 2;
	*left = ( gelCdgRange ){ i, middle };
	*right = ( gelCdgRange ){ middle, range.end };
}

/// Where weight k of a vertex slot is in CVTX.
static inline uint32_t gelCdg_WeightIndex( uint32_t slot, uint32_t k )
{
	return 4u * ( slot & ~( GEL_PACK_LANES - 1u ) ) + GEL_PACK_LANES * k + ( slot & ( GEL_PACK_LANES - 1u ) );
}

/// The vertex that all copies of a slot have in common: the lowest slot among them.
static inline uint32_t gelCdg_Weld( const gelPackPatch* patch, const uint32_t* welds, uint32_t slot )
{
	uint32_t local = slot - patch->vertexFirst;
	return local < patch->weldCount ? welds[patch->weldFirst + local] : slot;
}
