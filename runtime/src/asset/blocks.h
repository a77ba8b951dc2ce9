// SPDX-License-Identifier: MIT
// Constants of the tets in the layout of the inner loops.
#pragma once

#include "asset/asset.h"

/// In gelAsset.slotTets: an empty slot.
#define GEL_NO_TET GEL_PACK_NO_TET

int gelCountBlocks( const gelPackView* pack );

/// Fills slotTets, elements, volumes and lambdaVolumes, which are zeroed. Needs restDets and maxVolumeMoves.
void gelFillBlocks( gelAsset* asset );

/// mu V of a tet [J].
static inline float gelGetMuVolume( const gelPackView* pack, uint32_t tet )
{
	const gelPackTetRest* rest = pack->tetRests + tet;
	return pack->materials[rest->material].mu * rest->volume;
}

/// lambda of a tet [Pa]; 0: volume costs nothing.
static inline float gelGetLambda( const gelPackView* pack, uint32_t tet )
{
	return pack->materials[pack->tetRests[tet].material].lambda;
}

/// Compliance of a tet whose volume costs nothing: a sweep moves it by less than a rounding, and still
/// notices when it folds. [m^6/J]; by h^2 of the shortest step it is a float.
#define GEL_FREE_COMPLIANCE 1.0e26f

/// (6 V)^2 / (lambda V) [m^6/J]
static inline float gelGetVolumeCompliance( const gelAsset* asset, uint32_t tet )
{
	if ( gelGetLambda( &asset->pack, tet ) <= 0.0f ) return GEL_FREE_COMPLIANCE;
	double det = asset->restDets[tet], volume = asset->pack.tetRests[tet].volume;
	return (float)( det * det / ( (double)gelGetLambda( &asset->pack, tet ) * volume ) );
}

// ---- lanes of a block -------------------------------------------------------------------------------------

/// Adds forces on the corners 1 to 3 of a slot, and the opposite of their sum on corner 0.
void gelAddCornerForces( const gelElementBlock* block, int lane, const gelVec3 forces[3], gelVec4* sums );

/// F of a slot.
gelMat3 gelGetSlotDeformation( const gelElementBlock* block, int lane, const gelVec4* u );

/// Node at a byte offset.
static inline gelVec3 gelGetNodeAt( const gelVec4* nodes, uint32_t offset )
{
	return gelXyz( *(const gelVec4*)( (const char*)nodes + offset ) );
}

static inline void gelAddToNodeAt( gelVec4* nodes, uint32_t offset, gelVec3 a )
{
	gelVec4* to = (gelVec4*)( (char*)nodes + offset );
	*to = gelMakeVec4( gelAdd( gelXyz( *to ), a ), to->w );
}

static inline gelVec3 gelGetLaneVector( const float ( *rows )[GEL_BLOCK_LANES], int k, int lane )
{
	return ( gelVec3 ){ rows[3 * k][lane], rows[3 * k + 1][lane], rows[3 * k + 2][lane] };
}

static inline void gelSetLaneVector( float ( *rows )[GEL_BLOCK_LANES], int k, int lane, gelVec3 v )
{
	rows[3 * k][lane] = v.x;
	rows[3 * k + 1][lane] = v.y;
	rows[3 * k + 2][lane] = v.z;
}

static inline gelSym3 gelGetLaneStrain( const gelStrainBlock* block, int lane )
{
	return ( gelSym3 ){ block->e[0][lane], block->e[1][lane], block->e[2][lane], block->e[3][lane],
		block->e[4][lane], block->e[5][lane] };
}

static inline void gelSetLaneStrain( gelStrainBlock* block, int lane, gelSym3 e )
{
	const float rows[6] = { e.xx, e.yy, e.zz, e.xy, e.xz, e.yz };
	for ( int k = 0; k < 6; ++k )
		block->e[k][lane] = rows[k];
}
