// SPDX-License-Identifier: MIT
// Art vertices of oriented particles in blocks of sixteen, for linear blend skinning: with t_j = x_j - R_j
// xb_j,
//
//   p = sum_j s_j ( R_j pb + t_j )          n = sum_j s_j R_j nb, then made one long
//
// Lanes hold vertices. A block has an entry for each particle that carries one of its vertices, with sixteen
// weights: matrices are read once for sixteen vertices, and the work grows with the number of entries. It is
// at least four; in the order of the art, 5 or 6 if neighbors in the list are neighbors on the surface, and
// as many as 50 if they are not. So a tile of 2048 vertices is sorted by what carries them if that saves more
// than storing vertices one by one costs. A tile is small enough for its output to stay in the cache.
#pragma once

#include "core/arena.h"
#include "skin/skin_kernels.h"

#define GEL_SKIN_LANES 16
_Static_assert( GEL_SKIN_TILE == 1 << 11, "numbers of vertices within a tile take 11 bits" );

/// Rest positions of a block, by coordinate [m].
typedef struct gelSkinRest
{
	_Alignas( 64 ) float x[3][GEL_SKIN_LANES];
} gelSkinRest;

/// Weights of one particle for the vertices of a block [1/65535].
typedef struct gelSkinEntry
{
	_Alignas( 32 ) uint16_t weight[GEL_SKIN_LANES];
} gelSkinEntry;

/// Lanes behind the last vertex of a tile repeat it.
typedef struct gelSkinModel
{
	int vertexCount, blockCount, tileCount;
	uint32_t* entryFirst;   // [blockCount + 1]
	gelSkinEntry* entries;  // entries of all blocks, one block after another
	uint16_t* particles;    // per entry
	gelSkinRest* rests;     // per block
	gelPackNormal* normals; // per lane of each block; NULL: the pack has none
	uint16_t* vertices;     // per lane of each block: the vertex, counted from the first of its tile
	uint8_t* isSorted;      // per tile; else lanes are in the order of the art
} gelSkinModel;

/// What one call of skinVertices reads and writes: blocks of whole tiles.
typedef struct gelSkinPass
{
	const gelSkinModel* skin;
	const gelVec4* palette; // four columns per particle: rotation, then translation
	gelVec3 origin;         // added to positions [m]
	int tileFirst, tileEnd;
	int vertexCount; // vertices from here on are not written
	// Of vertex 0, `stride` bytes apart; NULL: not wanted. Twelve bytes of each are written.
	char *positions, *normals;
	size_t stride;
} gelSkinPass;

typedef struct gelSkinBlockKernels
{
	/// Positions and normals of blocks. Unit normals; zero where the blended rotations cancel.
	void ( *vertices )( const gelSkinPass* pass );
} gelSkinBlockKernels;

const gelSkinBlockKernels* gelGetSkinBlockKernels( gelSimdLevel level );

/// Takes the memory of a model with particles from the arena of an asset.
gelSkinModel gelSkinModel_LayOut( gelArena* arena, const gelPackView* pack );
void gelSkinModel_Fill( gelSkinModel* model, const gelPackView* pack );

/// One lane of a block, the same bits as the kernels. @param outNormal NULL: not wanted
void gelSkinVertex_Ref(
	const gelSkinPass* pass, int block, int lane, gelVec3* outPosition, gelVec3* outNormal );
