// SPDX-License-Identifier: MIT
// A loaded pack: the validated views plus what is derived from them once, at load.
#pragma once

#include "asset/compliance.h"
#include "core/arena.h"
#include "math/gel_math.h"
#include "gelpack/gelpack.h"
#include "simd/tet_blocks.h"
#include "asset/support_lists.h"
#include "pack/pack_read.h"

/// Values of gelSolverType.
#define GEL_SOLVER_COUNT 4

struct gelAsset
{
	gelAllocator allocator;
	size_t bytes;    // size of this block
	void* ownedPack; // NULL when the game's buffer is used in place
	size_t ownedBytes;

	gelPackView pack;
	int nodeCount, tetCount, vertexCount, triangleCount;
	gelAabb restBounds; // box around the art [m]
	gelVec3 restCenter; // center of the box around the cage nodes [m]
	float restSize;     // longest side of that box [m]
	float mass, volume; // [kg], [m^3]
	float maxPoisson;   // largest Poisson's ratio of the materials in use
	float meanYoung;    // Young's modulus, mean over the volume [Pa]
	bool hasDamping;
	bool isSurfaceClosed; // every edge of the collision geometry has a neighbor

	// Per tet. Determinant of the rest edges [m^3], 6 V, evaluated by the very operations of the volume
	// constraint, so that an undeformed tet has exactly zero volume error.
	float* restDets;
	float* maxVolumeMoves; // half the shortest rest edge [m]
	float* nodeDampings;   // [1/s], mean over the node's tets by volume
	float* nodeStiffness;  // trace of the node's diagonal block of the stiffness matrix at rest, over 3 [N/m]

	// Tets in the order and layout of the inner loops (blocks.h): blocks of eight without common nodes. The
	// order is part of the result: sums over tets and constraints run in it.
	gelElementBlock* elements;
	gelVolumeBlock* volumes;
	float* lambdaVolumes; // 8 per block: lambda V [J], 0 for empty slots
	uint32_t* slotTets;   // 8 per block: tet of the slot, GEL_NO_TET: empty
	int blockCount;
	size_t solveScratch; // floats that a solve with any of the factors needs

	gelCompliance* compliances; // answers of contact, for factors that are not guides
	uint32_t complianceCount;

	struct gelCoarseNode* coarse; // tree over the collision cells (coarse_tree.h), NULL without
	int coarseCount;
	gelSupportLists supports; // lowest vertices of collision cells

	void* models[GEL_SOLVER_COUNT]; // what solvers derived (asset_model.h); NULL: the pack has nothing for it

	// Levels of detail (asset_levels.c). The asset that was loaded is level 0 and owns the others.
	int level;
	struct gelAsset* root;
	int levelCount;                          // in the root: number of all levels
	struct gelAsset* levels[GEL_MAX_LEVELS]; // in the root: itself, then the coarser ones
	gelPackMapView maps[GEL_MAX_LEVELS];     // in the root: [k] is between k - 1 and k

	// Art vertices by tet: tetVertices[tetVertexFirst[t] .. tetVertexFirst[t + 1] - 1], ascending.
	uint32_t* tetVertexFirst;
	uint32_t* tetVertices;
};

/// Makes an asset from validated views, without levels. @return NULL: no memory
gelAsset* gelMakeAsset( const gelPackView* view, const gelAllocator* allocator );

/// Makes the coarser levels of a root. @return false: no memory
bool gelAsset_MakeLevels( gelAsset* root, const gelPackView* levels );

/// Nodes of a pin set, ascending, and their count; NULL when the asset has no such set. Id 0 is the empty
/// set: NULL and 0.
const uint32_t* gelAsset_FindPinSet( const gelAsset* asset, uint64_t pinSetId, int* outCount );

/// The factor of the fast corotated solver for a step length [s] and pin set; false: not baked.
bool gelAsset_FindFactor(
	const gelAsset* asset, float step, uint64_t pinSetId, gelPackFactorView* outFactor );

/// The inverse of a factor; NULL: the asset has none.
const gelCompliance* gelAsset_FindCompliance( const gelAsset* asset, const gelPackFactor* factor );

/// Gradient of the shape function of corner k + 1 [1/m].
static inline gelVec3 gelGetGradient( const gelPackTetRest* rest, int k )
{
	return ( gelVec3 ){ rest->invDm[3 * k], rest->invDm[3 * k + 1], rest->invDm[3 * k + 2] };
}

static inline gelVec3 gelGetRestNode( const gelPackNode* nodes, uint32_t i )
{
	return ( gelVec3 ){ nodes[i].x, nodes[i].y, nodes[i].z };
}

/// Weights of an art vertex (blocks of 8 vertices).
static inline void gelGetWeights( const float* embedWeights, uint32_t vertex, float w[4] )
{
	const float* block = embedWeights + 32 * (size_t)( vertex / 8 ) + vertex % 8;
	w[0] = block[0];
	w[1] = block[8];
	w[2] = block[16];
	w[3] = block[24];
}
