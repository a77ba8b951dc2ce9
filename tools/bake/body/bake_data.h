// SPDX-License-Identifier: MIT
// What the passes of a bake make, and everything that goes into a pack. Each pass reads what the passes
// before it made and allocates its result from the bake's pool; the header of each folder declares its
// passes.
//
// Numbers that the runtime will see are rounded to float as early as possible, and later passes compute in
// double from the rounded numbers. So the pack agrees with itself: its system matrix is that of its own
// nodes, masses and materials, and can be rebuilt from it.
#pragma once

#include "bake/body/bake.h"
#include "bake/body/bake_pool.h"
#include "pack/pack_layout.h"
#include "pack/pack_write.h"

#include <gelpack/math_double.h>

/// Nodes and tets as they go into the pack.
typedef struct gelBakeCage
{
	const char* file; // path that it came from, for messages; NULL: none
	uint32_t nodeCount, tetCount;
	gelPackNode* nodes;
	gelPackTet* tets;
	uint32_t partCount;    // parts that share no node
	double maxCoordinate;  // largest absolute coordinate [m]; its float rounding is the cage's resolution
	uint32_t* sourceNodes; // node -> node of the cage as it was given; NULL: the same
	uint32_t* sourceTets;  // tet -> tet of the cage as it was given; NULL: the same
} gelBakeCage;

/// A corner of a tet [m].
static inline gelVec3d gelGetCorner( const gelPackNode* nodes, const gelPackTet* tet, int corner )
{
	const gelPackNode* node = nodes + tet->node[corner];
	return gelMakeVec3d( (double)node->x, (double)node->y, (double)node->z );
}

// Corners by node, in the sense of a sparse matrix: the transpose of the tets.
typedef struct gelBakeGather
{
	uint32_t* nodeFirst; // [nodeCount + 1]
	uint32_t* corners;   // [4 * tetCount]: 4 * tet + corner, ascending inside a node
} gelBakeGather;

typedef struct gelBakeMaterials
{
	gelPackMaterial* items; // the first is that of the settings, whether or not a tet has it
	uint32_t count;
	uint32_t* tets; // tet of the ordered cage -> item
} gelBakeMaterials;

typedef struct gelBakeRest
{
	gelPackTetRest* tets;
	double volume;       // sum of all tets [m^3]
	double minThickness; // worst ratio of smallest height to longest edge
} gelBakeRest;

typedef struct gelBakeColoring
{
	uint32_t colorCount;
	uint32_t* colorFirst; // [colorCount + 1]
	uint32_t* tets;       // [tetCount], ascending inside a color
} gelBakeColoring;

typedef struct gelBakeBatches
{
	uint32_t slotCount; // a multiple of 8
	uint32_t* slots;    // tets, GEL_PACK_NO_TET in empty slots
} gelBakeBatches;

typedef struct gelBakeEmbedding
{
	uint32_t* tets;   // per render vertex
	float* weights;   // 4 per render vertex, in [0, 1], sum 1
	uint32_t snapped; // positions that were outside by no more than rounding, and were moved in
	double maxError;  // farthest that an embedded vertex is from its art vertex at rest [m]
} gelBakeEmbedding;

typedef struct gelBakeAttachments
{
	gelPackAttachment* items; // by name
	uint32_t count;
} gelBakeAttachments;

/// A factor in supernodal panels, as the FACT section stores it.
typedef struct gelBakeFactor
{
	double step; // [s], exactly a float
	uint64_t pinSetId;
	uint32_t n, superCount;
	uint32_t* perm; // row of L -> node
	uint32_t *superFirst, *rowFirst, *rows, *parent;
	uint64_t* valueFirst;
	float *values, *invDiagonal;
	uint64_t nonzeroCount;
	double minDiagonal, maxDiagonal;
	double residual;
	uint64_t patternHash;
} gelBakeFactor;

/// Contents of the section SUPP.
typedef struct gelBakeSupports
{
	float slack;
	uint32_t vertexCount; // how many; 0: there is no such section
	uint32_t* bits;       // one per slot
} gelBakeSupports;

/// Contents of the sections CTET .. CBVH, and SUPP.
typedef struct gelBakeCdg
{
	uint32_t cellCount, patchCount, slotCount, triangleCount, weldCount, borderCount, linkCount;
	gelPackCell* cells;
	gelPackPatch* patches;
	uint64_t* weights;   // [slotCount]
	uint32_t* welds;     // [weldCount]
	uint32_t* borders;   // [borderCount], none but for short records
	uint32_t* triangles; // [words * triangleCount]
	uint32_t words;      // per triangle
	uint32_t* sources;   // [triangleCount]
	gelPackLink* links;
	gelPackBvhNode* bvh;
	gelBakeSupports supports;
	// figures for the report
	uint32_t vertexCount; // without padding
	uint32_t cutCount, bvhDepth, treeDepth, openEdges;
	double area; // [m^2]
} gelBakeCdg;

/// Contents of the sections OPGR, OPSK and OPFA.
typedef struct gelBakeParticles
{
	uint32_t count, edgeCount, kind; // count 0: there are none
	float stiffness;                 // k [J/m^5]
	gelPackParticle* particles;
	uint32_t *neighborFirst, *neighbors;
	uint32_t slotCount;
	uint32_t* batches;
	gelPackSkin *vertexSkins, *nodeSkins;
	uint32_t vertexCount, nodeCount;
	gelBakeFactor* factors;
	int factorCount;
} gelBakeParticles;

/// Contents of one LMAP: nodes of two neighboring levels in each other's cage.
typedef struct gelBakeLevelMap
{
	uint32_t fineCount, coarseCount;    // nodes
	uint32_t *coarseTets, *fineTets;    // indices of tets in the other cage
	float *coarseWeights, *fineWeights; // 4 per node
} gelBakeLevelMap;

/// Everything that goes into a pack.
typedef struct gelBakeData
{
	gelBakePool pool;
	const gelMesh* mesh;
	const gelBakeSettings* settings;
	gelBakeCage cage;
	gelBakeGather gather;
	gelBakeRest rest;
	gelBakeMaterials materials;
	gelPackMass* masses;
	gelBakeColoring coloring;
	gelBakeBatches batches;
	gelBakeEmbedding embedding;
	gelBakeAttachments attachments;
	gelBakeCdg cdg;
	gelBakeParticles particles;
	gelBakeFactor* factors;
	int factorCount;
	struct gelBakeWarp*
		warps; // trees of the warp-cancelling solver, per pin set and without pins; NULL: none
	int warpCount;
	gelBakeLevelMap* levelMaps; // [settings->levelCount]
	uint64_t* pinSetIds;        // [settings->pinSetCount]
	gelBakePinSet* pinSets;     // [settings->pinSetCount], by the nodes of the ordered cage
} gelBakeData;
