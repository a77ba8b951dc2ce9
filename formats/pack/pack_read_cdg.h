// SPDX-License-Identifier: MIT
// Reading collision geometry (formats/pack.md section 10): triangles, whose words hold indices and the
// quantized bounds of a tree node, weights, and integers of few bits. All that know how the sections store
// them are the functions here. And the implicit trees: a node is a range of a patch's triangles.
//
//   short, 5 words                  narrow, 6 words                            wide, 8 words
//   w0 = P[0..31]                   w0 = v0 | P[ 0..10] << 21                  w0 = v0 | flag bit 0 << 31
//   w1 = P[32..63]                  w1 = v1 | P[11..21] << 21                  w1 = v1 | flag bit 1 << 31
//   w2 = l0 | c0 << 16              w2 = v2 | P[22..32] << 21                  w2 = v2
//   w3 = l1 | c1 << 16              w3 = n0 | P[33..43] << 21                  w3 = n0
//   w4 = l2 | c2 << 16              w4 = n1 | P[44..54] << 21                  w4 = n1
//                                   w5 = n2 | P[55..63] << 21 | flags << 30    w5 = n2,  w6 w7 = P
//
// P is the b-DOP of the triangle's whole range: byte k is low[k], byte 4 + k is high[k]. l is a vertex of the
// patch. c is a triangle of the patch, or from the patch's triangle count on an entry of its borders, or NIL.
#pragma once

#include "pack/pack_layout.h"

#include <stdbool.h>
#include <string.h>

// ---- integers of equal width ---------------------------------------------------------------------------

/// One behind another, the first from the lowest bit of the first byte on. Eight bytes from the first one of
/// any of them can be read; with 32 bits it is a plain array.
typedef struct gelBitArray
{
	const void* data;
	uint32_t bits; // width of an integer, 1 .. 32
} gelBitArray;

static inline uint32_t gelBitArray_Get( gelBitArray array, uint32_t index )
{
	if ( array.bits == 32 ) return ( (const uint32_t*)array.data )[index];
	uint64_t at = (uint64_t)array.bits * index, window;
	memcpy( &window, (const uint8_t*)array.data + ( at >> 3 ), sizeof( window ) );
	return (uint32_t)( window >> ( at & 7u ) ) & ( ( 1u << array.bits ) - 1u );
}

/// Bits that hold every index below `count`, at least 1.
static inline uint32_t gelBitArray_Width( uint32_t count )
{
	uint32_t bits = 1;
	while ( bits < 32 && (uint64_t)count > (uint64_t)1 << bits )
		++bits;
	return bits;
}

/// Words of an array in a pack: two more than its bits need, so that reads may go beyond the last integer.
static inline uint64_t gelBitArray_Words( uint32_t bits, uint32_t count )
{
	return ( (uint64_t)bits * count + 31u ) / 32u + 2u;
}

/// @param words zero, as many as gelBitArray_Words says
static inline void gelBitArray_Put( uint32_t* words, uint32_t bits, uint32_t index, uint32_t value )
{
	uint64_t at = (uint64_t)bits * index, shifted = (uint64_t)value << ( at & 31u );
	words[at >> 5] |= (uint32_t)shifted;
	words[( at >> 5 ) + 1] |= (uint32_t)( shifted >> 32 );
}

// ---- the surface -----------------------------------------------------------------------------------------

/// What a validated pack has of it.
typedef struct gelCdgView
{
	const uint32_t* triangles; // CTRI
	uint32_t words;            // per triangle: GEL_CDG_*_WORDS
	// CVTX, one of them: floats in blocks of 8 slots, or 21 bits per weight
	const float* floatWeights;
	const uint64_t* fixedWeights;
	gelBitArray welds;   // lowest slot among the copies of a vertex
	gelBitArray borders; // triangles of other patches; short records only
	gelBitArray sources; // CSRC: art triangle of each triangle
} gelCdgView;

/// Weights of the four ascending nodes of its cell. Those of 21 bits are exact in float and sum to 1 exactly.
static inline void gelCdg_GetWeights( const gelCdgView* cdg, uint32_t slot, float w[4] )
{
	if ( cdg->fixedWeights != NULL )
	{
		uint64_t x = cdg->fixedWeights[slot];
		uint32_t a = (uint32_t)x & 0x1FFFFFu, b = (uint32_t)( x >> 21 ) & 0x1FFFFFu,
				 c = (uint32_t)( x >> 42 ) & 0x1FFFFFu;
		w[0] = (float)(int32_t)a * GEL_CDG_WEIGHT_UNIT;
		w[1] = (float)(int32_t)b * GEL_CDG_WEIGHT_UNIT;
		w[2] = (float)(int32_t)c * GEL_CDG_WEIGHT_UNIT;
		w[3] = (float)(int32_t)( GEL_CDG_WEIGHT_SUM - a - b - c ) * GEL_CDG_WEIGHT_UNIT;
		return;
	}
	const float* block = cdg->floatWeights + 4u * ( slot & ~( GEL_PACK_LANES - 1u ) );
	for ( uint32_t k = 0; k < 4; ++k )
		w[k] = block[GEL_PACK_LANES * k + ( slot & ( GEL_PACK_LANES - 1u ) )];
}

/// The vertex that all copies of a slot have in common: the lowest slot among them.
static inline uint32_t gelCdg_GetWeld( const gelCdgView* cdg, const gelPackPatch* patch, uint32_t slot )
{
	uint32_t local = slot - patch->vertexFirst;
	return local < patch->weldCount ? gelBitArray_Get( cdg->welds, patch->weldFirst + local ) : slot;
}

/// Art triangle (VIDX) that a triangle was cut from.
static inline uint32_t gelCdg_GetSource( const gelCdgView* cdg, uint32_t triangle )
{
	return gelBitArray_Get( cdg->sources, triangle );
}

// ---- supports --------------------------------------------------------------------------------------------

/// SUPP: vertices that can be the lowest of their cell. NULL in a pack without.
typedef struct gelSupportView
{
	const gelPackSupports* header;
	const uint32_t* bits; // one per slot
} gelSupportView;

static inline bool gelSupports_Has( const gelSupportView* supports, uint32_t slot )
{
	return ( supports->bits[slot / 32u] >> ( slot & 31u ) & 1u ) != 0;
}

// ---- triangles -------------------------------------------------------------------------------------------

/// P of a triangle: bounds of the tree node that starts with it.
static inline uint64_t gelCdg_GetBounds( const gelCdgView* cdg, uint32_t triangle )
{
	const uint32_t* w = cdg->triangles + (uint64_t)cdg->words * triangle;
	if ( cdg->words == GEL_CDG_SHORT_WORDS ) return (uint64_t)w[1] << 32 | w[0];
	if ( cdg->words == GEL_CDG_WIDE_WORDS ) return (uint64_t)w[7] << 32 | w[6];
	uint64_t low = w[0] >> 21 | w[1] >> 21 << 11, middle = w[2] >> 21 | w[3] >> 21 << 11,
			 high = w[4] >> 21 | w[5] >> 21 << 11; // 22 bits each
	return low | middle << 22 | high << 44;        // the flags fall off the top
}

/// Slots of the corners, counter-clockwise from outside.
/// @param patch the one that has the triangle
static inline void gelCdg_GetCorners(
	const gelCdgView* cdg, const gelPackPatch* patch, uint32_t triangle, uint32_t slots[3] )
{
	const uint32_t* w = cdg->triangles + (uint64_t)cdg->words * triangle;
	bool isShort = cdg->words == GEL_CDG_SHORT_WORDS;
	uint32_t first = isShort ? patch->vertexFirst : 0;
	uint32_t mask = isShort ? 0xFFFFu : cdg->words == GEL_CDG_WIDE_WORDS ? 0x7FFFFFFFu : GEL_CDG_NARROW_NIL;
	w += isShort ? 2 : 0;
	slots[0] = first + ( w[0] & mask );
	slots[1] = first + ( w[1] & mask );
	slots[2] = first + ( w[2] & mask );
}

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

/// Triangle across an edge of a short record.
static inline uint32_t gelCdg_FollowCode( const gelCdgView* cdg, const gelPackPatch* patch, uint32_t code )
{
	if ( code < patch->triangleCount ) return patch->triangleFirst + code;
	if ( code == GEL_CDG_SHORT_NIL ) return GEL_CDG_NIL;
	return gelBitArray_Get( cdg->borders, patch->borderFirst + code - patch->triangleCount );
}

/// Triangle across the edge (corner k, corner k + 1 mod 3); GEL_CDG_NIL: none.
/// @param patch the one that has the triangle
static inline uint32_t gelCdg_GetNeighbor(
	const gelCdgView* cdg, const gelPackPatch* patch, uint32_t triangle, int k )
{
	const uint32_t* w = cdg->triangles + (uint64_t)cdg->words * triangle;
	if ( cdg->words == GEL_CDG_SHORT_WORDS ) return gelCdg_FollowCode( cdg, patch, w[2 + k] >> 16 );
	return cdg->words == GEL_CDG_WIDE_WORDS ? w[3 + k] : gelCdg_WidenIndex( w[3 + k] );
}

/// @param patch the one that has the triangle
static inline gelCdgTriangle gelCdg_GetTriangle(
	const gelCdgView* cdg, const gelPackPatch* patch, uint32_t triangle )
{
	const uint32_t* w = cdg->triangles + (uint64_t)cdg->words * triangle;
	gelCdgTriangle t = { .bounds = gelCdg_GetBounds( cdg, triangle ) };
	gelCdg_GetCorners( cdg, patch, triangle, t.vertex );
	for ( int k = 0; k < 3; ++k )
	{
		t.neighbor[k] = gelCdg_GetNeighbor( cdg, patch, triangle, k );
		if ( cdg->words == GEL_CDG_SHORT_WORDS && w[2 + k] >> 16 >= patch->triangleCount )
			t.flags = GEL_CDG_TRIANGLE_BORDER;
	}
	if ( cdg->words == GEL_CDG_WIDE_WORDS ) t.flags = w[0] >> 31 | w[1] >> 31 << 1;
	if ( cdg->words == GEL_CDG_NARROW_WORDS ) t.flags = w[5] >> 30;
	return t;
}

/// The reverse, for records without a patch: narrow and wide. Indices must fit the kind of record.
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

/// A short record. @param codes triangles of the patch, borders behind them, or GEL_CDG_SHORT_NIL
static inline void gelCdg_PutShort(
	uint32_t* triangles, uint32_t index, const uint32_t locals[3], const uint32_t codes[3], uint64_t bounds )
{
	uint32_t* w = triangles + (uint64_t)GEL_CDG_SHORT_WORDS * index;
	w[0] = (uint32_t)bounds;
	w[1] = (uint32_t)( bounds >> 32 );
	for ( int k = 0; k < 3; ++k )
		w[2 + k] = locals[k] | codes[k] << 16;
}

// ---- bounds and trees ------------------------------------------------------------------------------------

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
