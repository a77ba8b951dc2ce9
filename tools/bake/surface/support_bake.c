// SPDX-License-Identifier: MIT
// Vertices that can be the lowest of their cell, cell by cell (SUPP).
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

// Vertices of a cell, padding left out.
typedef struct CellVertices
{
	uint32_t count;
	uint32_t* slots;
	uint64_t* weights;
} CellVertices;

static CellVertices ListVertices( const gelBakeCdg* cdg, const gelPackCell* cell, gelBakePool* pool )
{
	const gelPackPatch *first = cdg->patches + cell->patchFirst, *last = first + cell->patchCount - 1;
	const size_t capacity = last->vertexFirst + last->vertexCount - first->vertexFirst;
	CellVertices v = { .slots = gelBakePool_Alloc( pool, capacity, sizeof( uint32_t ) ) };
	v.weights = gelBakePool_Alloc( pool, capacity, sizeof( uint64_t ) );
	for ( const gelPackPatch* patch = first; patch <= last; ++patch )
	{
		for ( uint32_t i = 0; i < patch->vertexCount; ++i )
		{
			v.slots[v.count] = patch->vertexFirst + i;
			v.weights[v.count++] = cdg->weights[patch->vertexFirst + i];
		}
	}
	return v;
}

// @param marks one byte per slot: 1 for a support of the cell. @return how many there are
static uint32_t MarkSupports( const gelBakeCdg* cdg, const gelPackCell* cell, float slack, uint8_t* marks )
{
	gelBakePool scratch = { NULL };
	CellVertices v = ListVertices( cdg, cell, &scratch );
	uint8_t* isCorner = gelBakePool_Alloc( &scratch, v.count, 1 );
	uint32_t count = gelFindHullCorners( v.weights, v.count, (double)slack, &scratch, isCorner );
	for ( uint32_t i = 0; i < v.count; ++i )
		marks[v.slots[i]] = isCorner[i];
	GEL_ASSERT( count > 0 );
	gelFreeBakePool( &scratch );
	return count;
}

void gelBuildSupports( gelBakeCdg* cdg, float slack, int threads, gelBakePool* pool )
{
	GEL_ASSERT( threads >= 1 && slack >= 0.0f && slack <= GEL_SUPPORT_MAX_SLACK );
	gelBakePool scratch = { NULL };
	uint8_t* marks = gelBakePool_Alloc( &scratch, cdg->slotCount, 1 ); // threads cannot share words
	uint32_t vertexCount = 0;
#pragma omp parallel for schedule( dynamic, 8 ) num_threads( threads ) reduction( + : vertexCount )
	for ( uint32_t c = 0; c < cdg->cellCount; ++c )
		vertexCount += MarkSupports( cdg, cdg->cells + c, slack, marks );
	uint32_t* bits = gelBakePool_Alloc( pool, ( cdg->slotCount + 31 ) / 32, sizeof( uint32_t ) );
	for ( uint32_t slot = 0; slot < cdg->slotCount; ++slot )
		bits[slot / 32] |= (uint32_t)marks[slot] << slot % 32;
	cdg->supports = ( gelBakeSupports ){ slack, vertexCount, bits };
	gelFreeBakePool( &scratch );
}
