// SPDX-License-Identifier: MIT
// Inner loops of skinning: art vertices by the nodes of their tets.
#pragma once

#include "pack/pack_read.h"
#include "simd/levels.h"
#include "simd/tet_blocks.h"

/// Vertices of a tile: few enough for their output to stay in the cache.
#define GEL_SKIN_TILE 2048

/// Squared lengths of deformed normals outside of this are those of an element squeezed flat or gone wild.
#define GEL_MIN_NORMAL2 1.0e-24f
#define GEL_MAX_NORMAL2 1.0e24f

/// Columns of the mean cofactor matrix at a node, x y z each, in a cache line of their own.
typedef struct gelCofactors
{
	_Alignas( 64 ) gelVec4 column[4]; // the last one is padding
} gelCofactors;

typedef struct gelSkinKernels
{
	/// Deformed art vertices first .. first + count - 1. @param origin of the body, three doubles and a zero
	void ( *positions )( const gelPackView* pack, const gelVec4* x, const double origin[4], int first,
		int count, gelVec3* out );

	/// Cofactors of the deformation gradients, averaged by volume over the tets around each node; one record
	/// more than nodes, for padding.
	void ( *averageCofactors )(
		const gelElementBlock* blocks, int blockCount, const gelVec4* x, int nodeCount, gelCofactors* nodes );

	/// Deformed normals of art vertices first .. first + count - 1 by the cofactors of the nodes; first is a
	/// multiple of eight. Those that have no length are zero. @return 0 when there are none of them
	int ( *normals )(
		const gelPackView* pack, const gelCofactors* nodes, int first, int count, gelVec3* out );
} gelSkinKernels;

const gelSkinKernels* gelGetSkinKernels( gelSimdLevel level );
