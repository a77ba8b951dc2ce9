// SPDX-License-Identifier: MIT
// The volume sweep over batches of eight tets without common nodes.
#include "solvers/fast/fast_kernels.h"
#include "solvers/fast/wide_volume_moves.h"

// @param kappa NULL: zero, and nobody asks for it afterwards
GEL_FORCE_INLINE void gelSolveVolumeBlockW(
	const gelVolumeBlock* block, gelFloatW invH2, float* kappa, gelVec4* x )
{
	gelNodesW p[4];
	for ( int k = 0; k < 4; ++k )
		p[k] = gelGatherW( x, block->node[k] );
	gelVec3W x0 = { p[0].x, p[0].y, p[0].z };
	gelVec3W e1 = gelSubVecW( ( gelVec3W ){ p[1].x, p[1].y, p[1].z }, x0 );
	gelVec3W e2 = gelSubVecW( ( gelVec3W ){ p[2].x, p[2].y, p[2].z }, x0 );
	gelVec3W e3 = gelSubVecW( ( gelVec3W ){ p[3].x, p[3].y, p[3].z }, x0 );
	const gelFloatW w[4] = { p[0].w, p[1].w, p[2].w, p[3].w };
	gelVolumeConstantsW constants = { gelLoadW( block->restDet ),
		gelMulW( invH2, gelLoadW( block->compliance ) ), gelLoadW( block->maxMove2 ),
		gelMaxW( gelMaxW( w[0], w[1] ), gelMaxW( w[2], w[3] ) ) };
	gelVolumeAreasW areas = gelVolumeAreasOfW( &constants, e1, e2, e3, w );
	gelFloatW before = kappa ? gelLoadW( kappa ) : gelSplatW( 0.0f );
	gelFloatW s = gelVolumeStepW( &constants, &areas, kappa ? &before : NULL );
	if ( kappa ) gelStoreW( kappa, gelAddW( before, s ) );
	for ( int k = 0; k < 4; ++k )
	{
		gelVec3W at = { p[k].x, p[k].y, p[k].z }, move = gelScaleVecW( gelMulW( w[k], s ), areas.c[k] );
		gelVec3W moved = k == 0 ? gelSubVecW( at, move ) : gelAddVecW( at, move );
		gelScatterW( x, block->node[k], ( gelNodesW ){ moved.x, moved.y, moved.z, p[k].w } );
	}
}

static void SweepVolume_W( const gelVolumeBlock* blocks, int blockCount, float h, float* kappa, gelVec4* x )
{
	gelFloatW invH2 = gelSplatW( 1.0f / ( h * h ) );
	if ( kappa )
	{
		for ( int i = 0; i < blockCount; ++i )
			gelSolveVolumeBlockW( blocks + i, invH2, kappa + GEL_LANES * (size_t)i, x );
	}
	else
	{
		for ( int i = 0; i < blockCount; ++i )
			gelSolveVolumeBlockW( blocks + i, invH2, NULL, x );
	}
}

GEL_KERNELS( gelVolumeKernels, gelGetVolumeKernels ) = { SweepVolume_W };
