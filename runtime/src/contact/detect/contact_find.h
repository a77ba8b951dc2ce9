// SPDX-License-Identifier: MIT
// Which triangles of two bodies cross. Coarse trees first, then the trees of patches against each other, then
// triangle against triangle (contact_predicates.h). Nothing is refitted but the coarse boxes; vertices are
// deformed for patches that may touch. (Civit-Flores, thesis, section 5.5.)
#pragma once

#include "contact/detect/contact_surface.h"

/// Two triangles that cross.
typedef struct gelTrianglePair
{
	uint32_t triangleA, triangleB;
	uint32_t patchA, patchB;
	gelTriangleCrossing crossings[2]; // start and end of the segment
} gelTrianglePair;

typedef struct gelTrianglePairs
{
	gelTrianglePair* items;
	uint32_t count, capacity;
	// Not 0: there was no room for all pairs, or far too many triangles had to be tested (bodies that have
	// collapsed onto each other). The search has been given up then, and what there is, is not complete.
	uint32_t lostCount;
	uint32_t exactCount; // how many of those below were tested by signs
	uint32_t testCount;  // triangles tested against each other
	uint64_t* keys;      // for sorting, two per pair
	uint32_t* order;     // one per pair
} gelTrianglePairs;

/// Ranges of so many triangles are not split any more, at most.
#define GEL_MAX_LEAF 160u
#define GEL_BOX_RUNS ( GEL_MAX_LEAF / 8u )

/// Two patches whose trees are searched.
typedef struct gelPatchSearch
{
	gelContactSurface* surface[2];
	uint32_t patch[2];
	uint32_t leafSize; // ranges of so many triangles are compared triangle by triangle
	bool isOfOne;      // both are of one body
	float margin;      // patches that are this near count as candidates [m]
	gelTrianglePairs* pairs;
} gelPatchSearch;

/// Directions along which the patches are likely to be apart, from B to A: between their normals, and from
/// middle to middle across that. Unit vectors.
void gelFindPatchAxes( const gelPatchSearch* search, gelVec3 out[2] );

/// Boxes of triangles compared per pair that there is room for, at most. A hundred are usual per pair that
/// crosses.
#define GEL_MAX_BOX_TESTS 512u

/// Counts boxes that have been compared, and gives up when there are too many.
static inline void gelCountBoxTests( gelTrianglePairs* pairs, uint32_t count )
{
	pairs->testCount += count;
	if ( pairs->testCount / GEL_MAX_BOX_TESTS > pairs->capacity ) ++pairs->lostCount;
}

/// Triangles tested by signs per pair that there is room for, at most. Five are usual per pair that crosses.
#define GEL_MAX_EXACT_TESTS 16u

/// Counts triangles that are tested by signs, and gives up when there are too many. @param lanes a bit for
/// each
static inline void gelCountExactTests( gelTrianglePairs* pairs, unsigned lanes )
{
	for ( ; lanes != 0; lanes &= lanes - 1u )
		++pairs->exactCount;
	if ( pairs->exactCount / GEL_MAX_EXACT_TESTS > pairs->capacity ) ++pairs->lostCount;
}

/// Tests two triangles of the patches exactly, and keeps them if they cross.
void gelTestTriangles( const gelPatchSearch* search, uint32_t triangleA, uint32_t triangleB );

/// Keeps two triangles that cross, unless the search has been given up.
void gelKeepCrossing( const gelPatchSearch* search, uint32_t triangleA, uint32_t triangleB,
	const gelTriangleCrossing crossings[2] );

typedef struct gelFindSettings
{
	const gelContactKernels* kernels;
	// two ranges of no more triangles than its root are compared triangle by triangle; 0: default
	uint32_t fewPairs;
} gelFindSettings;

/// Appends all pairs of a and b, for which gelContactSurface_Pair was true, and sorts them by triangle A,
/// then B; patches with pairs, and their neighbors in the trees, are deformed afterwards.
void gelFindTrianglePairs(
	gelContactSurface* a, gelContactSurface* b, const gelFindSettings* settings, gelTrianglePairs* pairs );

/// All pairs of one body with itself, in both orders: a pair and its mirror image. Triangles of one patch, or
/// with a common vertex, are left out.
void gelFindOwnPairs( gelContactSurface* surface, const gelFindSettings* settings, gelTrianglePairs* pairs );

/// The order of pairs by triangle of side 0 (A) or 1, then by that of the other side.
/// @param keys for sorting, two per pair
void gelOrderPairs( const gelTrianglePairs* pairs, int side, uint64_t* keys, uint32_t* order );
