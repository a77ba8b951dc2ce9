// SPDX-License-Identifier: MIT
// Which triangles of two bodies cross. Coarse trees first, then the trees of patches against each other, then
// triangle against triangle (contact_predicates.h). Nothing is refitted but the coarse boxes; vertices are
// deformed for patches that may touch. (Civit-Flores, thesis, section 5.5.)
#pragma once

#include "contact_surface.h"

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
	uint32_t exactCount; // of those below, tested by signs
	uint32_t testCount;  // triangles tested against each other
	// for sorting
	uint64_t* keys;  // two per pair
	uint32_t* order; // one per pair
} gelTrianglePairs;

/// Bound of gelFindSettings.fewPairs.
#define GEL_MAX_FEW_PAIRS 64u

/// Two patches whose trees are searched.
typedef struct gelPatchSearch
{
	gelContactSurface* surface[2];
	uint32_t patch[2];
	uint32_t fewPairs;
	bool isOfOne; // both are of one body
	gelTrianglePairs* pairs;
	_Alignas( 32 ) float axes[3][8]; // x, y and z of eight directions
} gelPatchSearch;

/// Tests two triangles of the patches exactly, and keeps them if they cross.
void gelTestTriangles( const gelPatchSearch* search, uint32_t triangleA, uint32_t triangleB );

typedef struct gelFindSettings
{
	const struct gelKernels* kernels; // NULL: scalar
	uint32_t fewPairs;                // two ranges with no more pairs of triangles are tested pair by pair;
									  // 0: default
} gelFindSettings;

/// Appends all pairs of a and b, for which gelContactSurface_Pair was true, and sorts them by triangle A,
/// then B; patches with pairs, and their neighbours in the trees, are deformed afterwards.
void gelFindTrianglePairs(
	gelContactSurface* a, gelContactSurface* b, const gelFindSettings* settings, gelTrianglePairs* pairs );

/// All pairs of one body with itself, in both orders: a pair and its mirror image. Triangles of one patch, or
/// with a common vertex, are left out.
void gelFindOwnPairs( gelContactSurface* surface, const gelFindSettings* settings, gelTrianglePairs* pairs );

/// The same without any tree: every triangle against every other.
void gelFindTrianglePairs_Ref( gelContactSurface* a, gelContactSurface* b, gelTrianglePairs* pairs );

/// The order of pairs by triangle of side 0 (A) or 1, then by that of the other side.
/// @param keys for sorting, two per pair
void gelOrderPairs( const gelTrianglePairs* pairs, int side, uint64_t* keys, uint32_t* order );
