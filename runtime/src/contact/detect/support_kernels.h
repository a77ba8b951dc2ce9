// SPDX-License-Identifier: MIT
// The loops over vertices of a cell (support_points.h).
#pragma once

#include "pack/pack_read.h"
#include "simd/levels.h"

/// A vertex of a cell and how high it is.
typedef struct gelSupportPoint
{
	uint32_t slot; // CVTX
	float height;  // [m]
	float w[4];    // weights of the nodes of the cell: the bits of gelCdg_GetWeights
} gelSupportPoint;

/// Vertices whose weights stand one behind another. Those of the last vertex are repeated up to a multiple of
/// eight.
typedef struct gelSupportRun
{
	uint32_t count;        // > 0
	uint32_t firstSlot;    // slots ascend from here, unless they are listed
	const uint32_t* slots; // NULL: not listed
	const uint64_t* fixed; // weights of 21 bits; NULL: floats
	const float* floats;   // blocks of eight vertices
} gelSupportRun;

typedef struct gelSupportKernels
{
	/// Takes the first vertex of the run that is lower than *best and than all others of it, if there is one.
	void ( *findLowest )( const gelSupportRun* run, const float h[4], gelSupportPoint* best );

	/// Appends vertices with a height below `below`, as far as there is room. @return count and how many they
	/// are
	int ( *scan )( const gelSupportRun* run, const float h[4], float below, gelSupportPoint* out,
		int capacity, int count );
} gelSupportKernels;

const gelSupportKernels* gelGetSupportKernels( gelSimdLevel level );

/// Scalar twins.
void gelFindLowest_Ref( const gelSupportRun* run, const float h[4], gelSupportPoint* best );
int gelScan_Ref(
	const gelSupportRun* run, const float h[4], float below, gelSupportPoint* out, int capacity, int count );

/// A vertex of a run.
gelSupportPoint gelSupportRun_Get( const gelSupportRun* run, uint32_t index, const float h[4] );
