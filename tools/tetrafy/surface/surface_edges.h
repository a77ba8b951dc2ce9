// SPDX-License-Identifier: MIT
// Edges of a triangle surface in a hash table: how often each is used in each direction.
#pragma once

#include <gelpack/math_double.h>

#include <stdbool.h>

typedef struct gelSurfaceEdge
{
	uint64_t key;               // smaller point in the high half; 0 in both halves: empty slot
	uint32_t forward, backward; // uses from the smaller to the larger point, and back
} gelSurfaceEdge;

typedef struct gelEdgeTable
{
	gelSurfaceEdge* slots;
	uint64_t mask;  // slot count - 1
	uint64_t count; // edges
} gelEdgeTable;

typedef struct gelEdgeCounts
{
	uint32_t total, open, nonManifold, flipped; // edges
	uint32_t unbalanced;                        // edges that are not used equally often in both directions
	uint32_t firstOpen, firstNonManifold, firstFlipped; // a point of the first one, in triangle order
} gelEdgeCounts;

/// Triangles must have three different points.
gelEdgeTable gelMakeEdgeTable( const uint32_t* tris, uint32_t triCount );
void gelFreeEdgeTable( gelEdgeTable* table );

/// Marks triangles that repeat an earlier one in the same direction, and takes their edges out of the table.
/// @return how many
uint32_t gelEdgeTable_MarkDuplicates(
	gelEdgeTable* table, const uint32_t* tris, uint32_t triCount, uint8_t* outMarks );

/// Sets the marks of both points of every edge that is not used equally often in both directions.
void gelEdgeTable_MarkUnbalanced( const gelEdgeTable* table, uint8_t* outMarks );

gelEdgeCounts gelEdgeTable_Count( const gelEdgeTable* table, const uint32_t* tris, uint32_t triCount );
