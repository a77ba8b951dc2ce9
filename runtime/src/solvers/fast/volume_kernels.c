// SPDX-License-Identifier: MIT
// The volume sweep over batches of eight tets without common nodes.
#include "solvers/fast/fast_kernels.h"
#include "solvers/fast/unfolding.h"
#include "solvers/fast/wide_volume_moves.h"

// Corners of the tets of a block, and what their constraints are made of.
typedef struct gelVolumeLanesW
{
	gelNodesW p[4];
	gelVolumeConstantsW constants;
	gelVolumeAreasW areas;
} gelVolumeLanesW;

// @param part of the rest volume that is wanted @param invH2 0: without compliance
GEL_FORCE_INLINE gelVolumeLanesW gelBeginVolumeBlockW(
	const gelVolumeBlock* block, gelFloatW part, gelFloatW invH2, const gelVec4* x )
{
	gelVolumeLanesW lanes;
	gelNodesW* p = lanes.p;
	for ( int k = 0; k < 4; ++k )
		p[k] = gelGatherW( x, block->node[k] );
	gelVec3W x0 = { p[0].x, p[0].y, p[0].z };
	gelVec3W e1 = gelSubVecW( ( gelVec3W ){ p[1].x, p[1].y, p[1].z }, x0 );
	gelVec3W e2 = gelSubVecW( ( gelVec3W ){ p[2].x, p[2].y, p[2].z }, x0 );
	gelVec3W e3 = gelSubVecW( ( gelVec3W ){ p[3].x, p[3].y, p[3].z }, x0 );
	const gelFloatW w[4] = { p[0].w, p[1].w, p[2].w, p[3].w };
	lanes.constants = ( gelVolumeConstantsW ){ gelMulW( part, gelLoadW( block->restDet ) ),
		gelMulW( invH2, gelLoadW( block->compliance ) ), gelLoadW( block->maxMove2 ),
		gelMaxW( gelMaxW( w[0], w[1] ), gelMaxW( w[2], w[3] ) ) };
	lanes.areas = gelVolumeAreasOfW( &lanes.constants, e1, e2, e3, w );
	return lanes;
}

GEL_FORCE_INLINE void gelEndVolumeBlockW(
	const gelVolumeBlock* block, const gelVolumeLanesW* lanes, gelFloatW s, gelVec4* x )
{
	const gelNodesW* p = lanes->p;
	for ( int k = 0; k < 4; ++k )
	{
		gelVec3W at = { p[k].x, p[k].y, p[k].z };
		gelVec3W move = gelScaleVecW( gelMulW( p[k].w, s ), lanes->areas.c[k] );
		gelVec3W moved = k == 0 ? gelSubVecW( at, move ) : gelAddVecW( at, move );
		gelScatterW( x, block->node[k], ( gelNodesW ){ moved.x, moved.y, moved.z, p[k].w } );
	}
}

// @param kappa NULL: zero, and nobody asks for it afterwards @return lanes that are nearly flat
GEL_FORCE_INLINE int gelSolveVolumeBlockW(
	const gelVolumeBlock* block, gelFloatW invH2, float* kappa, gelVec4* x )
{
	gelVolumeLanesW lanes = gelBeginVolumeBlockW( block, gelSplatW( 1.0f ), invH2, x );
	gelFloatW before = kappa ? gelLoadW( kappa ) : gelSplatW( 0.0f );
	gelFloatW s = gelVolumeStepW( &lanes.constants, &lanes.areas, kappa ? &before : NULL );
	if ( kappa ) gelStoreW( kappa, gelAddW( before, s ) );
	gelEndVolumeBlockW( block, &lanes, s, x );
	return gelMaskBitsW( gelIsBelowVolumeW( &lanes.constants, &lanes.areas, GEL_FLAT_VOLUME ) );
}

static bool SweepVolume_W( const gelVolumeBlock* blocks, int blockCount, float h, float* kappa, gelVec4* x )
{
	gelFloatW invH2 = gelSplatW( 1.0f / ( h * h ) );
	int flat = 0;
	if ( kappa )
	{
		for ( int i = 0; i < blockCount; ++i )
			flat |= gelSolveVolumeBlockW( blocks + i, invH2, kappa + GEL_LANES * (size_t)i, x );
	}
	else
	{
		for ( int i = 0; i < blockCount; ++i )
			flat |= gelSolveVolumeBlockW( blocks + i, invH2, NULL, x );
	}
	return flat != 0;
}

// Squared areas by inverse masses below this [m^4/kg] tell no direction: the tet is a point, or pinned.
#define GEL_MIN_AREAS 1.0e-30f

static bool UnfoldTets_W( const gelVolumeBlock* blocks, int blockCount, gelVec4* x )
{
	int folded = 0;
	gelFloatW part = gelSplatW( GEL_LEAST_VOLUME ), zero = gelSplatW( 0.0f );
	for ( int i = 0; i < blockCount; ++i )
	{
		gelVolumeLanesW lanes = gelBeginVolumeBlockW( blocks + i, part, zero, x );
		gelMaskW isFolded = gelAndW( gelIsBelowVolumeW( &lanes.constants, &lanes.areas, 1.0f ),
			gelGreaterW( lanes.areas.sum, gelSplatW( GEL_MIN_AREAS ) ) );
		if ( gelMaskBitsW( isFolded ) == 0 ) continue;
		folded |= gelMaskBitsW( isFolded );
		lanes.areas.sum = gelSelectW( isFolded, lanes.areas.sum, gelSplatW( 1.0f ) );
		lanes.areas.wanted = gelSelectW( isFolded, lanes.areas.wanted, zero );
		gelFloatW s = gelVolumeStepW( &lanes.constants, &lanes.areas, NULL );
		gelEndVolumeBlockW( blocks + i, &lanes, s, x );
	}
	return folded != 0;
}

GEL_KERNELS( gelVolumeKernels, gelGetVolumeKernels ) = { SweepVolume_W, UnfoldTets_W };
