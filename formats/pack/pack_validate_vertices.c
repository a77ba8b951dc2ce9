// SPDX-License-Identifier: MIT
// Collision vertices (CVTX, formats/pack.md section 10): weights, welds, and the copies that deform alike.
#include "pack/pack_validate.h"

#include <math.h>

#define FAIL( code, section, index, element, text )                                                          \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

bool gelPackChecker_CheckBits(
	gelPackChecker* checker, const gelPackSection* section, gelBitArray array, uint32_t count )
{
	const uint64_t end = (uint64_t)array.bits * count, words = gelBitArray_Words( array.bits, count );
	const uint32_t* w = array.data;
	for ( uint64_t i = end / 32; i < words; ++i )
	{
		if ( ( i == end / 32 ? w[i] >> ( end & 31u ) : w[i] ) == 0 ) continue;
		return FAIL( gel_packValue, section, i, w + i, "bits behind the last integer of an array are 0" );
	}
	return true;
}

// ---- weights -----------------------------------------------------------------------------------------

static bool CheckFloatVertex( gelPackChecker* checker, const gelPackSection* s, const gelCdgView* cdg,
	const gelPackCell* cell, uint32_t slot )
{
	const float* block = cdg->floatWeights + 4u * ( slot & ~( GEL_PACK_LANES - 1u ) );
	float w[4];
	double sum = 0.0;
	gelCdg_GetWeights( cdg, slot, w );
	for ( uint32_t k = 0; k < 4; ++k )
	{
		if ( !( w[k] >= 0.0f && w[k] <= 1.0f ) )
			return FAIL( gel_packValue, s, slot, block, "weights of a collision vertex are between 0 and 1" );
		if ( w[k] * 256.0f < (float)cell->low[k] || w[k] * 256.0f > (float)( cell->high[k] + 1 ) )
			return FAIL( gel_packStructure, s, slot, block, "the bounds of a cell hold its vertices" );
		sum += (double)w[k];
	}
	if ( fabs( sum - 1.0 ) > 0x1p-22 )
	{
		return FAIL(
			gel_packValue, s, slot, block, "the weights of a collision vertex sum to 1 within 2^-22" );
	}
	return true;
}

// What is wrong with a vertex, as a sign: negative if anything is. No branch, so that a compiler can look at
// several vertices at once. Bit 63 is reserved; the fourth weight is negative where the others exceed 1.
static inline int32_t FindFixedFault( uint64_t x, const int32_t low[4], const int32_t high[4] )
{
	int32_t a = (int32_t)( x & 0x1FFFFFu ), b = (int32_t)( x >> 21 & 0x1FFFFFu );
	int32_t c = (int32_t)( x >> 42 & 0x1FFFFFu ), d = (int32_t)GEL_CDG_WEIGHT_SUM - a - b - c;
	return (int32_t)( x >> 32 ) | d | ( a - low[0] ) | ( high[0] - a ) | ( b - low[1] ) | ( high[1] - b ) |
		( c - low[2] ) | ( high[2] - c ) | ( d - low[3] ) | ( high[3] - d );
}

static bool CheckFixedVertices(
	gelPackChecker* checker, const gelPackSection* s, const gelCdgView* cdg, const gelPackPatch* patch )
{
	const gelPackCell* cell = checker->view->cells + patch->cell;
	const uint64_t* weights = cdg->fixedWeights + patch->vertexFirst;
	int32_t low[4], high[4], fault = 0;
	for ( int k = 0; k < 4; ++k )
	{
		low[k] = (int32_t)cell->low[k] << 13;
		high[k] = ( (int32_t)cell->high[k] + 1 ) << 13;
	}
	for ( uint32_t i = 0; i < patch->vertexCount; ++i )
		fault |= FindFixedFault( weights[i], low, high );
	if ( fault >= 0 ) return true;
	uint32_t i = 0;
	while ( FindFixedFault( weights[i], low, high ) >= 0 )
		++i;
	static const int32_t none[4] = { -1, -1, -1, -1 }, any[4] = { 1 << 22, 1 << 22, 1 << 22, 1 << 22 };
	if ( FindFixedFault( weights[i], none, any ) < 0 )
	{
		return FAIL( gel_packValue, s, patch->vertexFirst + i, weights + i,
			"three weights of a collision vertex sum to at most 1, and the bit above them is 0" );
	}
	return FAIL(
		gel_packStructure, s, patch->vertexFirst + i, weights + i, "the bounds of a cell hold its vertices" );
}

static uint32_t GetBits( float value )
{
	uint32_t bits;
	memcpy( &bits, &value, sizeof( bits ) );
	return bits;
}

static bool CheckPadding(
	gelPackChecker* checker, const gelPackSection* s, const gelCdgView* cdg, const gelPackPatch* patch )
{
	uint32_t end = patch->vertexFirst + patch->vertexCount;
	float last[4], w[4];
	gelCdg_GetWeights( cdg, end - 1, last );
	for ( uint32_t slot = end; slot % GEL_PACK_LANES != 0; ++slot )
	{
		gelCdg_GetWeights( cdg, slot, w );
		bool isFixed = cdg->fixedWeights != NULL;
		if ( isFixed ? cdg->fixedWeights[slot] == cdg->fixedWeights[end - 1]
					 : memcmp( w, last, sizeof( w ) ) == 0 )
			continue;
		return FAIL( gel_packStructure, s, slot, gelPackView_Bytes( checker->view, s ),
			"padding repeats the last vertex of a patch" );
	}
	return true;
}

// ---- welds -------------------------------------------------------------------------------------------

// Same bits for the nodes that both cells have, zero bits elsewhere: the two deform to the same position.
// Nodes ascend in both.
static bool DeformAlike(
	const float a[4], const uint32_t nodeA[4], const float b[4], const uint32_t nodeB[4] )
{
	int i = 0, j = 0;
	uint32_t different = 0;
	while ( i < 4 && j < 4 )
	{
		if ( nodeA[i] == nodeB[j] )
			different |= GetBits( a[i++] ) ^ GetBits( b[j++] );
		else if ( nodeA[i] < nodeB[j] )
			different |= GetBits( a[i++] );
		else
			different |= GetBits( b[j++] );
	}
	for ( ; i < 4; ++i )
		different |= GetBits( a[i] );
	for ( ; j < 4; ++j )
		different |= GetBits( b[j] );
	return different == 0;
}

static bool HasSlot( const gelPackPatch* patch, uint32_t slot )
{
	return slot - patch->vertexFirst < patch->vertexCount; // wraps below the first
}

// The patch of a vertex: mostly that of the vertex before. Else the last that does not start behind it.
static const gelPackPatch* FindOwner( const gelPackView* view, const gelPackPatch* last, uint32_t slot )
{
	if ( HasSlot( last, slot ) ) return last;
	uint32_t first = 0, end = view->header->cdgPatchCount;
	while ( end - first > 1 )
	{
		uint32_t middle = first + ( end - first ) / 2;
		bool isBehind = view->patches[middle].vertexFirst <= slot;
		first = isBehind ? middle : first;
		end = isBehind ? end : middle;
	}
	return view->patches + first;
}

static bool FailWeld( gelPackChecker* checker, const gelPackSection* s, uint32_t index, gelPackCode code,
	const gelCdgView* cdg, const char* text )
{
	const uint8_t* bytes = cdg->welds.data;
	return FAIL( code, s, index, bytes + (uint64_t)cdg->welds.bits * index / 8, text );
}

static bool CheckWelds(
	gelPackChecker* checker, const gelPackSection* s, const gelCdgView* cdg, const gelPackPatch* patch )
{
	const gelPackView* view = checker->view;
	const gelPackPatch* owner = patch;
	for ( uint32_t i = 0; i < patch->weldCount; ++i )
	{
		uint32_t slot = patch->vertexFirst + i, weld = gelBitArray_Get( cdg->welds, patch->weldFirst + i );
		if ( weld > slot )
		{
			return FailWeld( checker, s, patch->weldFirst + i, gel_packIndex, cdg,
				"a weld is the lowest slot among copies" );
		}
		if ( weld == slot ) continue;
		owner = FindOwner( view, owner, weld );
		uint32_t local = weld - owner->vertexFirst;
		if ( owner == patch || local >= owner->weldCount ||
			gelBitArray_Get( cdg->welds, owner->weldFirst + local ) != weld )
		{
			return FailWeld( checker, s, patch->weldFirst + i, gel_packStructure, cdg,
				"a weld is a welded vertex of another patch that is its own weld" );
		}
		float a[4], b[4];
		gelCdg_GetWeights( cdg, slot, a );
		gelCdg_GetWeights( cdg, weld, b );
		if ( !DeformAlike( a, view->cells[patch->cell].node, b, view->cells[owner->cell].node ) )
		{
			return FailWeld( checker, s, patch->weldFirst + i, gel_packStructure, cdg,
				"copies of a vertex have the same weights for the same nodes, and none for others" );
		}
	}
	return true;
}

// ---- the section -------------------------------------------------------------------------------------

static bool CheckArrays( gelPackChecker* checker, const gelPackSection* s, gelCdgView* cdg )
{
	const gelPackView* view = checker->view;
	const gelPackHeader* h = view->header;
	const gelPackCdgVertices* header = gelPackView_Bytes( view, s );
	const bool isPacked = s->version == GEL_PACK_CDG_VERSION;
	const uint32_t bits = isPacked ? gelBitArray_Width( h->cdgVertexCount ) : 32;
	const gelPackArrayRule packed[3] = {
		{ sizeof( uint64_t ), h->cdgVertexCount },
		{ sizeof( uint32_t ), gelBitArray_Words( bits, view->cdgWeldCount ) },
		{ sizeof( uint32_t ), GEL_ANY_COUNT }, // as many as the triangles refer to
	};
	const gelPackArrayRule plain[2] = {
		{ sizeof( float ), 4 * (uint64_t)h->cdgVertexCount },
		{ sizeof( uint32_t ), view->cdgWeldCount },
	};
	if ( s->bytes < sizeof( *header ) )
		return FAIL( gel_packSize, s, 0, header, "a section with inner arrays holds its inner header" );
	uint32_t borderBits = isPacked ? 0 : header->borders.offset64 | header->borders.count;
	if ( borderBits != 0 || !gelPack_IsZero( header->zero, sizeof( header->zero ) ) )
		return FAIL( gel_packValue, s, 0, header->zero, "reserved bytes of an inner header are 0" );
	if ( !gelPackChecker_CheckArrays(
			 checker, s, sizeof( *header ), &header->weights, isPacked ? packed : plain, isPacked ? 3 : 2 ) )
		return false;
	const void* weights = gelPackView_Array( view, s, header->weights );
	cdg->fixedWeights = isPacked ? weights : NULL;
	cdg->floatWeights = isPacked ? NULL : weights;
	cdg->welds = ( gelBitArray ){ gelPackView_Array( view, s, header->welds ), bits };
	return !isPacked || gelPackChecker_CheckBits( checker, s, cdg->welds, view->cdgWeldCount );
}

bool gelPackChecker_CheckVertices( gelPackChecker* checker )
{
	gelPackView* view = checker->view;
	const gelPackSection* s = gelPack_FindSection( view, GEL_SECTION_CVTX, 0 );
	gelCdgView cdg = { .triangles = NULL };
	if ( !CheckArrays( checker, s, &cdg ) ) return false;
	for ( uint32_t i = 0; i < view->header->cdgPatchCount; ++i )
	{
		const gelPackPatch* patch = view->patches + i;
		const gelPackCell* cell = view->cells + patch->cell;
		if ( cdg.fixedWeights != NULL && !CheckFixedVertices( checker, s, &cdg, patch ) ) return false;
		for ( uint32_t v = 0; v < patch->vertexCount && cdg.floatWeights != NULL; ++v )
		{
			if ( !CheckFloatVertex( checker, s, &cdg, cell, patch->vertexFirst + v ) ) return false;
		}
		if ( !CheckPadding( checker, s, &cdg, patch ) || !CheckWelds( checker, s, &cdg, patch ) )
			return false;
	}
	view->cdg = cdg;
	return true;
}
