// SPDX-License-Identifier: MIT
// Loops over elements in one pass over memory, eight tets at a time (sixteen or thirty-two with AVX-512: two
// or four blocks): deformation gradient, rotation, then the right-hand side of the fast mode, or energy and
// gradient of the quality mode (quality.h). Twins of gelUpdateRotations_Ref, gelComputeCorners_Ref and
// gelAddCorners_Ref together, and of gelDifferentiate_Ref.
#include "solvers/fast/fast_kernels.h"
#include "solvers/fast/quality_sums.h"
#include "simd/wide_elements.h"
#include "simd/wide_polar.h"

// ---- fast mode -------------------------------------------------------------------------------------------

GEL_FORCE_INLINE void gelRightHandSideW(
	const gelElementBlock* block, gelMat3W F, gelNodesW q, gelFloatW twoH2, gelVec4* rhs )
{
	gelMat3W Q = gelSubMatW( gelMakeMatFromQuatW( q ), F );
	gelFloatW c = gelMulW( twoH2, gelLoadBlocksW( block->muVolume, GEL_BLOCK_STRIDE ) );
	gelNodesW b[4];
	gelVec3W sum;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W term = gelMulMVW( Q, gelScaleVecW( c, gelLoadElementGradientW( block, k ) ) );
		sum = k == 0 ? term : gelAddVecW( sum, term );
		b[k + 1] = ( gelNodesW ){ term.x, term.y, term.z, gelSplatW( 0.0f ) };
	}
	sum = gelNegVecW( sum );
	b[0] = ( gelNodesW ){ sum.x, sum.y, sum.z, gelSplatW( 0.0f ) };
	// no two tets of a block have a common node: each node gets its terms in the order of the blocks
	gelScatterAddBlocksW( rhs, block->node, GEL_BLOCK_STRIDE, b );
}

// Registers of tets that go through the stages together. One element is a chain of operations that wait for
// each other, too long for the processor to look past it to the next; cut into stages over a few it always
// finds work.
#define GEL_STAGES 4

// Up to GEL_STAGES registers of tets. @return lanes whose quaternion was usable, in all of them
GEL_FORCE_INLINE int gelUpdateStagedW( const gelElementBlock* blocks, int count, const gelVec4* uRotation,
	const gelVec4* uTilde, gelFloatW twoH2, gelQuat* q, gelVec4* rhs )
{
	gelMat3W F[GEL_STAGES];
	gelNodesW turn[GEL_STAGES];
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < count; ++i )
		F[i] = gelDeformationW( blocks + GEL_BLOCKS_W * i, uRotation );
	for ( int i = 0; i < count; ++i )
	{
		gelFloatW length2;
		turn[i] = gelFindTurnW( F[i], gelLoadNodesW( q + GEL_LANES * i ), &length2 );
		usable &= gelMaskBitsW( gelIsBoundedW( length2 ) );
	}
	for ( int i = 0; i < count && uTilde != uRotation; ++i )
		F[i] = gelDeformationW( blocks + GEL_BLOCKS_W * i, uTilde );
	for ( int i = 0; i < count; ++i )
	{
		gelNodesW turned = gelMulQuatW( gelLoadNodesW( q + GEL_LANES * i ), turn[i] );
		gelStoreNodesW( q + GEL_LANES * i, turned );
		gelRightHandSideW( blocks + GEL_BLOCKS_W * i, F[i], turned, twoH2, rhs );
	}
	return usable;
}

// blockCount must be a multiple of GEL_BLOCKS_W.
static bool UpdateElements_W( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
	const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs )
{
	gelFloatW twoH2 = gelSplatW( 2.0f * h * h );
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < blockCount; i += GEL_BLOCKS_W * GEL_STAGES )
	{
		int count = ( blockCount - i ) / GEL_BLOCKS_W;
		usable &= gelUpdateStagedW( blocks + i, count < GEL_STAGES ? count : GEL_STAGES, uRotation, uTilde,
			twoH2, q + GEL_BLOCK_LANES * (size_t)i, rhs );
	}
	return usable == GEL_ALL_LANES;
}

// ---- quality mode ----------------------------------------------------------------------------------------

// P V = 2 h^2 mu V (F - R) + h^2 lambda V (J - 1) cof F, added to the gradient by corners.
// @return h^2 V Psi
GEL_FORCE_INLINE gelFloatW gelAddStressW( const gelElementBlock* block, const float* lambdaVolumes,
	gelMat3W F, gelNodesW q, gelFloatW h2, gelVec4* gradient )
{
	gelFloatW half = gelSplatW( 0.5f ), one = gelSplatW( 1.0f ), zero = gelSplatW( 0.0f );
	gelMat3W D = gelSubMatW( F, gelMakeMatFromQuatW( q ) ), C = gelCofactorW( F );
	gelFloatW mu = gelMulW( h2, gelLoadBlocksW( block->muVolume, GEL_BLOCK_STRIDE ) );
	gelFloatW lambda =
		gelMulW( h2, gelLoadBlocksW( lambdaVolumes, GEL_BLOCK_LANES * sizeof( *lambdaVolumes ) ) );
	gelFloatW J1 = gelSubW( gelDotW( F.cx, C.cx ), one );
	gelFloatW stretch2 =
		gelAddW( gelAddW( gelDotW( D.cx, D.cx ), gelDotW( D.cy, D.cy ) ), gelDotW( D.cz, D.cz ) );
	gelFloatW pressure = gelMulW( lambda, J1 ), twoMu = gelAddW( mu, mu );
	gelMat3W P = {
		gelMulAddVecW( gelScaleVecW( twoMu, D.cx ), pressure, C.cx ),
		gelMulAddVecW( gelScaleVecW( twoMu, D.cy ), pressure, C.cy ),
		gelMulAddVecW( gelScaleVecW( twoMu, D.cz ), pressure, C.cz ),
	};
	gelNodesW f[4];
	gelVec3W sum;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W term = gelMulMVW( P, gelLoadElementGradientW( block, k ) );
		sum = k == 0 ? term : gelAddVecW( sum, term );
		f[k + 1] = ( gelNodesW ){ term.x, term.y, term.z, zero };
	}
	sum = gelNegVecW( sum );
	f[0] = ( gelNodesW ){ sum.x, sum.y, sum.z, zero };
	gelScatterAddBlocksW( gradient, block->node, GEL_BLOCK_STRIDE, f );
	return gelAddW( gelMulW( mu, stretch2 ), gelMulW( gelMulW( half, pressure ), J1 ) );
}

// Adds up block by block.
GEL_FORCE_INLINE double gelAddEnergyW( double energy, gelFloatW added )
{
	_Alignas( 64 ) float lane[GEL_LANES];
	gelStoreW( lane, added );
	for ( int i = 0; i < GEL_BLOCKS_W; ++i )
		energy += (double)gelSumLanes( lane + GEL_BLOCK_LANES * i );
	return energy;
}

// Stages as above. @return lanes whose quaternion was usable, in all registers
GEL_FORCE_INLINE int gelDifferentiateStagedW( const gelElementBlock* blocks, const float* lambdaVolumes,
	int count, const gelVec4* u, gelFloatW h2, gelQuat* q, gelVec4* gradient, double* energy )
{
	gelMat3W F[GEL_STAGES];
	gelNodesW turn[GEL_STAGES];
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < count; ++i )
		F[i] = gelDeformationW( blocks + GEL_BLOCKS_W * i, u );
	for ( int i = 0; i < count; ++i )
	{
		gelFloatW length2;
		turn[i] = gelFindTurnW( F[i], gelLoadNodesW( q + GEL_LANES * i ), &length2 );
		usable &= gelMaskBitsW( gelIsBoundedW( length2 ) );
	}
	for ( int i = 0; i < count; ++i )
	{
		gelNodesW turned = gelMulQuatW( gelLoadNodesW( q + GEL_LANES * i ), turn[i] );
		gelStoreNodesW( q + GEL_LANES * i, turned );
		*energy = gelAddEnergyW( *energy,
			gelAddStressW(
				blocks + GEL_BLOCKS_W * i, lambdaVolumes + GEL_LANES * i, F[i], turned, h2, gradient ) );
	}
	return usable;
}

// blockCount must be a multiple of GEL_BLOCKS_W.
static bool Differentiate_W( const gelElementBlock* blocks, const float* lambdaVolumes, int blockCount,
	const gelVec4* u, float h, gelQuat* q, gelVec4* gradient, double* energy )
{
	gelFloatW h2 = gelSplatW( h * h );
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < blockCount; i += GEL_BLOCKS_W * GEL_STAGES )
	{
		int count = ( blockCount - i ) / GEL_BLOCKS_W;
		size_t slot = GEL_BLOCK_LANES * (size_t)i;
		usable &= gelDifferentiateStagedW( blocks + i, lambdaVolumes + slot,
			count < GEL_STAGES ? count : GEL_STAGES, u, h2, q + slot, gradient, energy );
	}
	return usable == GEL_ALL_LANES;
}

// ---- rotations alone -------------------------------------------------------------------------------------

// blockCount must be a multiple of GEL_BLOCKS_W.
static void PolarSteps_W( const float ( *F )[9][GEL_BLOCK_LANES], gelQuat* q, int blockCount, int iterations )
{
	for ( int k = 0; k < iterations; ++k )
	{
		for ( int i = 0; i < blockCount; i += GEL_BLOCKS_W )
		{
			gelFloatW m[9];
			for ( int e = 0; e < 9; ++e )
				m[e] = gelLoadBlocksW( F[i][e], sizeof( *F ) );
			gelMat3W f = { { m[0], m[1], m[2] }, { m[3], m[4], m[5] }, { m[6], m[7], m[8] } };
			gelNodesW from = gelLoadNodesW( q + GEL_BLOCK_LANES * (size_t)i );
			gelStoreNodesW( q + GEL_BLOCK_LANES * (size_t)i, gelPolarStepW( f, from ) );
		}
	}
}

// ---- the table -------------------------------------------------------------------------------------------

#if defined( GEL_SIMD_AVX512VL )

// Registers of 256 bits: the same eight lanes as AVX2, but twice as many registers. Two registers of 512 bits
// at a time do all but the last few blocks.
extern const gelElementKernels gelElementKernels_avx512_quads;

static bool UpdateElements_Avx512( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
	const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs )
{
	int quads = blockCount & ~3;
	bool usable =
		gelElementKernels_avx512_quads.updateElements( blocks, quads, uRotation, uTilde, h, q, rhs );
	gelQuat* rest = q + GEL_BLOCK_LANES * (size_t)quads;
	return UpdateElements_W( blocks + quads, blockCount - quads, uRotation, uTilde, h, rest, rhs ) && usable;
}

static bool Differentiate_Avx512( const gelElementBlock* blocks, const float* lambdaVolumes, int blockCount,
	const gelVec4* u, float h, gelQuat* q, gelVec4* gradient, double* energy )
{
	int quads = blockCount & ~3;
	size_t slot = GEL_BLOCK_LANES * (size_t)quads;
	bool usable = gelElementKernels_avx512_quads.differentiate(
		blocks, lambdaVolumes, quads, u, h, q, gradient, energy );
	return Differentiate_W(
			   blocks + quads, lambdaVolumes + slot, blockCount - quads, u, h, q + slot, gradient, energy ) &&
		usable;
}

static void PolarSteps_Avx512(
	const float ( *F )[9][GEL_BLOCK_LANES], gelQuat* q, int blockCount, int iterations )
{
	int quads = blockCount & ~3;
	gelElementKernels_avx512_quads.polarSteps( F, q, quads, iterations );
	PolarSteps_W( F + quads, q + GEL_BLOCK_LANES * (size_t)quads, blockCount - quads, iterations );
}

GEL_KERNELS( gelElementKernels, gelGetElementKernels ) = { UpdateElements_Avx512, Differentiate_Avx512,
	PolarSteps_Avx512 };

#else

GEL_KERNELS( gelElementKernels, gelGetElementKernels ) = { UpdateElements_W, Differentiate_W, PolarSteps_W };

#endif
