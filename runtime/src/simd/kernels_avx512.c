// SPDX-License-Identifier: MIT
// The wide kernels, compiled for AVX-512 with registers of 256 bits: the same eight lanes, but twice as many
// registers. The element loops have registers of 512 bits for all but the last few blocks
// (kernels_avx512_quads.c); so do bodies side by side (kernels_avx512_lanes.c).
#include "simd/kernels.h"

#if defined( __AVX512VL__ )
#define GEL_SIMD_AVX2
#include "simd/wide_kernels.h"

static bool UpdateElements_Avx512( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
	const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs )
{
	int quads = blockCount & ~3;
	bool usable = gelUpdateElementQuads_Avx512( blocks, quads, uRotation, uTilde, h, q, rhs );
	gelQuat* rest = q + GEL_BLOCK_LANES * (size_t)quads;
	return UpdateElements_W( blocks + quads, blockCount - quads, uRotation, uTilde, h, rest, rhs ) && usable;
}

static bool Differentiate_Avx512( const gelElementBlock* blocks, const float* lambdaVolumes, int blockCount,
	const gelVec4* u, float h, gelQuat* q, gelVec4* gradient, double* energy )
{
	int quads = blockCount & ~3;
	size_t slot = GEL_BLOCK_LANES * (size_t)quads;
	bool usable = gelDifferentiateQuads_Avx512( blocks, lambdaVolumes, quads, u, h, q, gradient, energy );
	return Differentiate_W(
			   blocks + quads, lambdaVolumes + slot, blockCount - quads, u, h, q + slot, gradient, energy ) &&
		usable;
}

static void PolarSteps_Avx512(
	const float ( *F )[9][GEL_BLOCK_LANES], gelQuat* q, int blockCount, int iterations )
{
	int quads = blockCount & ~3;
	gelPolarQuads_Avx512( F, q, quads, iterations );
	PolarSteps_W( F + quads, q + GEL_BLOCK_LANES * (size_t)quads, blockCount - quads, iterations );
}

gelKernels gelGetKernels_Avx512( void )
{
	gelKernels kernels = MakeKernels_W( "avx512" );
	kernels.updateElements = UpdateElements_Avx512;
	kernels.quality.differentiate = Differentiate_Avx512;
	kernels.polarSteps = PolarSteps_Avx512;
	kernels.particles.skinVertices = gelSkinVertices_Avx512;
	kernels.wideLanes = gelGetWideLanes_Avx512();
	kernels.wideParticleLanes = gelGetWideParticleLanes_Avx512();
	return kernels;
}

#else

gelKernels gelGetKernels_Avx512( void )
{
	return ( gelKernels ){ NULL };
}

#endif
