// SPDX-License-Identifier: MIT
// A panel of solved columns as the wide solves see it (formats/pack.md, FACT version 2).
#pragma once

#include "pack_read.h"
#include "simd.h"

// What the panels of one solve have in common.
typedef struct gelPanelW
{
	const float* values;
	const uint32_t* rows;
	uint32_t first, width, rowCount, blockCount; // blocks of 8 rows
} gelPanelW;

GEL_FORCE_INLINE gelPanelW gelGetPanelW( const gelPackFactorView* factor, uint32_t s )
{
	uint32_t first = factor->superFirst[s], rowFirst = factor->rowFirst[s];
	uint32_t rowCount = factor->rowFirst[s + 1] - rowFirst;
	return ( gelPanelW ){ factor->values + factor->valueFirst[s], factor->rows + rowFirst, first,
		factor->superFirst[s + 1] - first, rowCount, ( rowCount + 7 ) / 8 };
}
