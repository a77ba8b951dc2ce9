// SPDX-License-Identifier: MIT
// Vertices that can be the lowest of their cell, one behind another: the pack only marks them (SUPP). Weights
// are in the layout of CVTX, so that loops over eight vertices at a time run over the lists of cells as they
// run over the vertices of patches.
#pragma once

#include "pack/pack_read.h"

/// Lists of all cells; all NULL where the pack does not mark them.
typedef struct gelSupportLists
{
	uint32_t* first; // [cells + 1]: entries of each cell, multiples of 8, filled up by its last support
	uint32_t* slots; // [entries], ascending in a cell
	uint64_t* fixed; // [entries], or
	float* floats;   // [4 * entries], in blocks of 8: as the pack has them
} gelSupportLists;

/// Entries that gelFillSupportLists will make; 0: none are marked.
size_t gelCountSupportEntries( const gelPackView* pack );
void gelFillSupportLists( const gelPackView* pack, gelSupportLists* lists );

/// Entries of a cell without those that fill it up.
static inline uint32_t gelSupportLists_GetCount( const gelSupportLists* lists, uint32_t cell )
{
	uint32_t first = lists->first[cell], end = lists->first[cell + 1];
	while ( end - first > 1 && lists->slots[end - 1] == lists->slots[end - 2] )
		--end;
	return end - first;
}
