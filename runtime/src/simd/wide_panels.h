// SPDX-License-Identifier: MIT
// A panel of solved columns as the wide solves see it (formats/pack.md, FACT version 2).
#pragma once

#include "pack/pack_read.h"
#include "simd/simd.h"

#include <stddef.h>

// What the panels of one solve have in common.
typedef struct gelPanelW
{
	const float* values;
	const uint32_t* rows;
	uint32_t first, width, rowCount, blockCount; // blocks of 8 rows
	ptrdiff_t ahead;                             // which values to ask memory for [floats from those in use]
} gelPanelW;

GEL_FORCE_INLINE gelPanelW gelGetPanelW( const gelPackFactorView* factor, uint32_t s )
{
	uint32_t first = factor->superFirst[s], rowFirst = factor->rowFirst[s];
	uint32_t rowCount = factor->rowFirst[s + 1] - rowFirst;
	return ( gelPanelW ){ factor->values + factor->valueFirst[s], factor->rows + rowFirst, first,
		factor->superFirst[s + 1] - first, rowCount, ( rowCount + 7 ) / 8, 0 };
}

// Asks for the cache lines of a tile of 32 floats `ahead` of the values in use. Any place will do: what is
// asked for is not read.
GEL_FORCE_INLINE void gelPrefetchTile( const float* values, ptrdiff_t ahead )
{
#if defined( __GNUC__ )
	uintptr_t place = (uintptr_t)values + (uintptr_t)( ahead * (ptrdiff_t)sizeof( float ) );
	__builtin_prefetch( (const void*)place, 0, 3 );
	__builtin_prefetch( (const void*)( place + 64 ), 0, 3 );
#else
	(void)values;
	(void)ahead;
#endif
}
