// SPDX-License-Identifier: MIT
// The surface of a body cell by cell: vertices that the same four nodes move. Those of the collision
// geometry, which has vertices in every cell that it passes; a pack without it is held by its art vertices
// alone: a large triangle may then sink in between its corners.
#pragma once

#include "asset/asset.h"
#include "asset/coarse_nodes.h"
#include "pack/pack_read_cdg.h"

/// Vertices that one tet deforms.
typedef struct gelSurfaceCell
{
	const uint32_t* node;
	uint32_t begin, end;  // positions in list, or slots if that is NULL
	const uint32_t* list; // art vertices
} gelSurfaceCell;

static inline uint32_t gelCountSurfaceCells( const gelAsset* asset )
{
	return asset->pack.cells ? asset->pack.header->cdgTetCount : (uint32_t)asset->tetCount;
}

static inline gelSurfaceCell gelGetSurfaceCell( const gelAsset* asset, uint32_t index )
{
	const gelPackView* pack = &asset->pack;
	if ( pack->cells == NULL )
	{
		const uint32_t* first = asset->tetVertexFirst + index;
		return ( gelSurfaceCell ){ pack->tets[index].node, first[0], first[1], asset->tetVertices };
	}
	// vertices of a patch stand behind those of the patch before, and the padding between repeats one
	const gelPackCell* cell = pack->cells + index;
	const gelPackPatch *front = pack->patches + cell->patchFirst, *back = front + cell->patchCount - 1;
	return ( gelSurfaceCell ){ cell->node, front->vertexFirst, back->vertexFirst + back->vertexCount, NULL };
}

static inline const uint32_t* gelGetSurfaceNodes( const gelAsset* asset, uint32_t index )
{
	return asset->pack.cells ? asset->pack.cells[index].node : asset->pack.tets[index].node;
}

/// The vertex at a position of a cell.
static inline uint32_t gelSurfaceCell_GetSlot( const gelSurfaceCell* cell, uint32_t position )
{
	return cell->list ? cell->list[position] : position;
}

static inline void gelGetSlotWeights( const gelAsset* asset, uint32_t slot, float w[4] )
{
	if ( asset->pack.cells )
		gelCdg_GetWeights( &asset->pack.cdg, slot, w );
	else
		gelGetWeights( asset->pack.embedWeights, slot, w );
}

/// Whether a vertex is of a cell.
static inline bool gelIsSlotOfCell( const gelAsset* asset, uint32_t index, uint32_t slot )
{
	gelSurfaceCell cell = gelGetSurfaceCell( asset, index );
	if ( cell.list == NULL ) return slot >= cell.begin && slot < cell.end;
	return slot < (uint32_t)asset->vertexCount && asset->pack.embedTets[slot] == index;
}

/// A cell of a coarser cage has no tet of its own: the tet of an art vertex of its surface stands for it.
static inline const gelPackMaterial* gelGetSurfaceMaterial( const gelAsset* asset, uint32_t index )
{
	const gelPackView* pack = &asset->pack;
	if ( pack->cells ) return gelGetCellMaterial( pack, index );
	return pack->materials + pack->tetRests[index].material;
}
