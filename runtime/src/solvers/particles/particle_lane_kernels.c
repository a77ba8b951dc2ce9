// SPDX-License-Identifier: MIT
// Iterations of oriented particles of many bodies, one per lane (particle_lanes.h). Per body the operations
// are those of particle_kernels.c, in the same order.
#include "solvers/particles/particle_kernels.h"

#include "solvers/particles/particle_lanes.h"
#include "simd/simd.h"

// Without wide registers there is nothing to gain from bodies side by side.
#if defined( GEL_SIMD_NONE )

GEL_KERNELS( gelParticleLaneKernels, gelGetParticleLaneKernels ) = { 0 };

#else

#include "simd/wide_lanes_solve.h"
#include "simd/wide_polar.h"

// ---- between bodies and lanes ----------------------------------------------------------------------------

// Eight slots of one component: a row of a block of each body. In the lanes a slot has `stride` components.
GEL_FORCE_INLINE void gelCollectRowW( const float* const rows[GEL_LANES], int stride, float* out )
{
	for ( int half = 0; half < 2; ++half )
	{
		gelFloat4 parts[GEL_LANES];
		for ( int k = 0; k < GEL_LANES; ++k )
			parts[k] = gelLoad4( rows[k] + 4 * half );
		gelNodesW n = gelCollectLanesW( parts );
		const gelFloatW slots[4] = { n.x, n.y, n.z, n.w };
		for ( int k = 0; k < 4; ++k )
			gelStoreW( out + GEL_LANES * stride * ( 4 * half + k ), slots[k] );
	}
}

GEL_FORCE_INLINE void gelDistributeRowW( float* const rows[GEL_LANES], int stride, const float* in )
{
	for ( int half = 0; half < 2; ++half )
	{
		const float* slot = in + GEL_LANES * stride * 4 * half;
		gelNodesW n = { gelLoadW( slot ), gelLoadW( slot + GEL_LANES * stride ),
			gelLoadW( slot + GEL_LANES * stride * 2 ), gelLoadW( slot + GEL_LANES * stride * 3 ) };
		gelFloat4 parts[GEL_LANES];
		gelDistributeLanesW( n, parts );
		for ( int k = 0; k < GEL_LANES; ++k )
			gelStore4( rows[k] + 4 * half, parts[k] );
	}
}

static void LaneLoadParticles_W( const gelParticleLanes* lanes )
{
	for ( int b = 0; b < lanes->model->blockCount; ++b )
	{
		size_t first = GEL_LANES * GEL_BLOCK_LANES * (size_t)b; // slot
		const float* rows[GEL_LANES];
		for ( int c = 0; c < 4; ++c )
		{
			for ( int k = 0; k < GEL_LANES; ++k )
				rows[k] = lanes->states[k][b].q[c];
			gelCollectRowW( rows, 4, lanes->q + 4 * first + GEL_LANES * c );
		}
		for ( int c = 0; c < GEL_LANE_TARGET; ++c )
		{
			for ( int k = 0; k < GEL_LANES; ++k )
				rows[k] = c < 3 ? lanes->targets[k][b].x[c] : lanes->targets[k][b].c[c - 3];
			gelCollectRowW( rows, GEL_LANE_TARGET, lanes->target + GEL_LANE_TARGET * first + GEL_LANES * c );
		}
	}
	for ( int row = 0; row < 3 * GEL_BLOCK_LANES * lanes->model->blockCount; ++row )
	{
		gelFloat4 parts[GEL_LANES];
		for ( int k = 0; k < GEL_LANES; ++k )
			parts[k] = gelLoad4( lanes->poses[k] + row );
		gelNodesW n = gelCollectLanesW( parts );
		float* to = lanes->pose + GEL_LANES * 4 * (size_t)row;
		gelStoreW( to, n.x );
		gelStoreW( to + GEL_LANES, n.y );
		gelStoreW( to + 2 * GEL_LANES, n.z );
		gelStoreW( to + 3 * GEL_LANES, n.w );
	}
}

static void LaneStoreParticles_W( const gelParticleLanes* lanes )
{
	for ( int b = 0; b < lanes->model->blockCount; ++b )
	{
		size_t first = GEL_LANES * GEL_BLOCK_LANES * (size_t)b;
		for ( int c = 0; c < 4; ++c )
		{
			float* rows[GEL_LANES];
			for ( int k = 0; k < GEL_LANES; ++k )
				rows[k] = lanes->states[k][b].q[c];
			gelDistributeRowW( rows, 4, lanes->q + 4 * first + GEL_LANES * c );
		}
	}
	for ( int row = 0; row < 3 * GEL_BLOCK_LANES * lanes->model->blockCount; ++row )
	{
		const float* from = lanes->pose + GEL_LANES * 4 * (size_t)row;
		gelNodesW n = { gelLoadW( from ), gelLoadW( from + GEL_LANES ), gelLoadW( from + 2 * GEL_LANES ),
			gelLoadW( from + 3 * GEL_LANES ) };
		gelFloat4 parts[GEL_LANES];
		gelDistributeLanesW( n, parts );
		for ( int k = 0; k < GEL_LANES; ++k )
			gelStore4( lanes->poses[k] + row, parts[k] );
	}
}

// ---- one particle of all bodies --------------------------------------------------------------------------

GEL_FORCE_INLINE float* gelGetLanePoseW( const gelParticleLanes* lanes, uint32_t offset )
{
	return lanes->pose + offset / GEL_POSE_BYTES * (size_t)( GEL_LANE_POSE * GEL_LANES );
}

GEL_FORCE_INLINE gelVec3W gelLoadPoseRowW( const float* pose, int row )
{
	return gelLoadLanesW( pose + 4 * GEL_LANES * row );
}

GEL_FORCE_INLINE gelFloatW gelLoadPlaceW( const float* pose, int row )
{
	return gelLoadW( pose + GEL_LANES * ( 4 * row + 3 ) );
}

// A slot of a block; links that only fill the batch lead to itself and come last.
typedef struct gelLaneSlot
{
	const gelParticleBlock* block;
	int lane;
} gelLaneSlot;

GEL_FORCE_INLINE const gelParticleLink* gelGetLaneLinkW(
	const gelParticleLanes* lanes, gelLaneSlot slot, uint32_t n )
{
	if ( n >= slot.block->linkCount ) return NULL;
	const gelParticleLink* link = lanes->model->links + slot.block->linkFirst + n;
	return link->pose[slot.lane] == slot.block->pose[slot.lane] ? NULL : link;
}

// gelParticleMatrixW of one slot.
GEL_FORCE_INLINE gelMat3W gelLaneMatrixW(
	const gelParticleLanes* lanes, gelLaneSlot slot, const float* own, const float* target )
{
	gelVec3W zero = gelSplatVecW( 0.0f, 0.0f, 0.0f ), rows[3] = { zero, zero, zero };
	const gelFloatW x[3] = { gelLoadPlaceW( own, 0 ), gelLoadPlaceW( own, 1 ), gelLoadPlaceW( own, 2 ) };
	const gelParticleLink* link;
	int lane = slot.lane;
	for ( uint32_t n = 0; ( link = gelGetLaneLinkW( lanes, slot, n ) ) != NULL; ++n )
	{
		const float* other = gelGetLanePoseW( lanes, link->pose[lane] );
		gelFloatW xx = gelSplatW( link->moment[0][lane] ), yy = gelSplatW( link->moment[1][lane] );
		gelFloatW zz = gelSplatW( link->moment[2][lane] ), xy = gelSplatW( link->moment[3][lane] );
		gelFloatW xz = gelSplatW( link->moment[4][lane] ), yz = gelSplatW( link->moment[5][lane] );
		gelVec3W lever = gelSplatVecW( link->lever[0][lane], link->lever[1][lane], link->lever[2][lane] );
		for ( int a = 0; a < 3; ++a )
		{
			gelVec3W row = gelLoadPoseRowW( other, a );
			gelVec3W turned = { gelDotW( row, ( gelVec3W ){ xx, xy, xz } ),
				gelDotW( row, ( gelVec3W ){ xy, yy, yz } ), gelDotW( row, ( gelVec3W ){ xz, yz, zz } ) };
			gelFloatW away = gelSubW( gelLoadPlaceW( other, a ), x[a] );
			rows[a] = gelAddVecW( rows[a], gelMulAddVecW( turned, away, lever ) );
		}
	}
	gelFloatW h2 = gelSplatW( lanes->h * lanes->h );
	for ( int a = 0; a < 3; ++a )
		rows[a] = gelMulAddVecW( gelLoadLanesW( target + 3 * GEL_LANES * ( a + 1 ) ), h2, rows[a] );
	return ( gelMat3W ){ { rows[0].x, rows[1].x, rows[2].x }, { rows[0].y, rows[1].y, rows[2].y },
		{ rows[0].z, rows[1].z, rows[2].z } };
}

// Particles of a batch that are turned together: a rotation is a chain of operations that wait for each
// other, too long for the processor to look past it to the next.
#define GEL_TURN_STAGES 4

// Turns up to GEL_TURN_STAGES particles of one batch, of all bodies. @return lanes whose quaternions are near
// unit length
GEL_FORCE_INLINE int gelTurnLanesW( const gelParticleLanes* lanes, const gelLaneSlot* slots, int count )
{
	gelMat3W C[GEL_TURN_STAGES];
	gelNodesW q[GEL_TURN_STAGES];
	float* at[GEL_TURN_STAGES];
	int usable = GEL_ALL_LANES;
	for ( int i = 0; i < count; ++i )
	{
		uint32_t offset = slots[i].block->pose[slots[i].lane];
		size_t index = offset / GEL_POSE_BYTES;
		at[i] = lanes->q + 4 * GEL_LANES * index;
		C[i] = gelScaleMatW( gelSplatW( GEL_PARTICLE_MATRIX_SCALE ),
			gelLaneMatrixW( lanes, slots[i], gelGetLanePoseW( lanes, offset ),
				lanes->target + GEL_LANE_TARGET * GEL_LANES * index ) );
		q[i] = ( gelNodesW ){ gelLoadW( at[i] ), gelLoadW( at[i] + GEL_LANES ),
			gelLoadW( at[i] + 2 * GEL_LANES ), gelLoadW( at[i] + 3 * GEL_LANES ) };
	}
	for ( int k = 0; k < lanes->polarSteps; ++k )
	{
		for ( int i = 0; i < count; ++i )
			q[i] = gelPolarStepW( C[i], q[i] );
	}
	for ( int i = 0; i < count; ++i )
	{
		gelStoreW( at[i], q[i].x );
		gelStoreW( at[i] + GEL_LANES, q[i].y );
		gelStoreW( at[i] + 2 * GEL_LANES, q[i].z );
		gelStoreW( at[i] + 3 * GEL_LANES, q[i].w );
		gelMat3W R = gelMakeMatFromQuatW( q[i] );
		float* own = gelGetLanePoseW( lanes, slots[i].block->pose[slots[i].lane] );
		gelStoreLanesW( own, ( gelVec3W ){ R.cx.x, R.cy.x, R.cz.x } );
		gelStoreLanesW( own + 4 * GEL_LANES, ( gelVec3W ){ R.cx.y, R.cy.y, R.cz.y } );
		gelStoreLanesW( own + 8 * GEL_LANES, ( gelVec3W ){ R.cx.z, R.cy.z, R.cz.z } );
		usable &= gelMaskBitsW( gelIsUnitW( q[i] ) );
	}
	return usable;
}

// Right-hand sides of one particle of all bodies.
GEL_FORCE_INLINE void gelSumLanesOfW( const gelParticleLanes* lanes, gelLaneSlot slot )
{
	int lane = slot.lane;
	size_t index = slot.block->pose[lane] / GEL_POSE_BYTES;
	const float* own = gelGetLanePoseW( lanes, slot.block->pose[lane] );
	gelFloatW zero = gelSplatW( 0.0f ), sum[3] = { zero, zero, zero };
	const gelFloatW x[3] = { gelLoadPlaceW( own, 0 ), gelLoadPlaceW( own, 1 ), gelLoadPlaceW( own, 2 ) };
	const gelParticleLink* link;
	for ( uint32_t n = 0; ( link = gelGetLaneLinkW( lanes, slot, n ) ) != NULL; ++n )
	{
		const float* other = gelGetLanePoseW( lanes, link->pose[lane] );
		gelVec3W arm = gelSplatVecW( link->arm[0][lane], link->arm[1][lane], link->arm[2][lane] );
		gelFloatW stiffness = gelSplatW( link->stiffness[lane] );
		for ( int a = 0; a < 3; ++a )
		{
			gelFloatW pull = gelMulW( stiffness, gelSubW( gelLoadPlaceW( other, a ), x[a] ) );
			sum[a] = gelAddW( sum[a], gelSubW( pull, gelDotW( gelLoadPoseRowW( other, a ), arm ) ) );
		}
	}
	const gelParticleBlock* block = slot.block;
	gelVec3W arm = gelSplatVecW( block->armSum[0][lane], block->armSum[1][lane], block->armSum[2][lane] );
	for ( int a = 0; a < 3; ++a )
		sum[a] = gelSubW( sum[a], gelDotW( gelLoadPoseRowW( own, a ), arm ) );
	gelVec3W target = gelLoadLanesW( lanes->target + GEL_LANE_TARGET * GEL_LANES * index );
	gelVec3W away = gelSubVecW( target, ( gelVec3W ){ x[0], x[1], x[2] } );
	gelVec3W r = gelMulAddVecW( gelScaleVecW( gelSplatW( block->mass[lane] ), away ),
		gelSplatW( lanes->h * lanes->h ), ( gelVec3W ){ sum[0], sum[1], sum[2] } );
	gelStoreLanesW( lanes->y + GEL_NODE_W * (size_t)lanes->slotRows[index], r );
}

// ---- an iteration ----------------------------------------------------------------------------------------

GEL_FORCE_INLINE bool gelIsLaneSlotW( const gelParticleLanes* lanes, int slot )
{
	return lanes->model->slotParticles[slot] != GEL_PACK_NO_PARTICLE;
}

static int LaneTurnParticles_W( const gelParticleLanes* lanes, bool isBackward )
{
	int usable = GEL_ALL_LANES, blockCount = lanes->model->blockCount;
	for ( int n = 0; n < blockCount; ++n )
	{
		int b = isBackward ? blockCount - 1 - n : n, count = 0;
		gelLaneSlot slots[GEL_BLOCK_LANES];
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
		{
			if ( gelIsLaneSlotW( lanes, GEL_BLOCK_LANES * b + lane ) )
				slots[count++] = ( gelLaneSlot ){ lanes->model->blocks + b, lane };
		}
		for ( int i = 0; i < count; i += GEL_TURN_STAGES )
			usable &= gelTurnLanesW( lanes, slots + i, gelMinInt( count - i, GEL_TURN_STAGES ) );
	}
	return usable;
}

static void LaneSumParticles_W( const gelParticleLanes* lanes )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * lanes->model->blockCount; ++slot )
	{
		if ( !gelIsLaneSlotW( lanes, slot ) ) continue;
		gelSumLanesOfW(
			lanes, ( gelLaneSlot ){ lanes->model->blocks + slot / GEL_BLOCK_LANES, slot % GEL_BLOCK_LANES } );
	}
}

static void LaneMoveParticles_W( const gelParticleLanes* lanes, const gelPackFactorView* factor )
{
	for ( uint32_t s = 0; s < factor->header->superCount; ++s )
	{
		gelPanelW panel = gelGetPanelW( factor, s );
		LaneForward_W( &panel, lanes->y, lanes->solveScratch );
	}
	for ( uint32_t s = factor->header->superCount; s-- > 0; )
	{
		gelPanelW panel = gelGetPanelW( factor, s );
		LaneBackward_W( &panel, lanes->y, lanes->solveScratch );
	}
	for ( int slot = 0; slot < GEL_BLOCK_LANES * lanes->model->blockCount; ++slot )
	{
		if ( !gelIsLaneSlotW( lanes, slot ) ) continue;
		float* pose = lanes->pose + GEL_LANE_POSE * GEL_LANES * (size_t)slot;
		const float* y = lanes->y + GEL_NODE_W * (size_t)lanes->slotRows[slot];
		for ( int a = 0; a < 3; ++a )
		{
			float* place = pose + GEL_LANES * ( 4 * a + 3 );
			gelStoreW( place, gelAddW( gelLoadW( place ), gelLoadW( y + GEL_LANES * a ) ) );
		}
	}
}

static int LaneIterate_W( const gelParticleLanes* lanes, const gelPackFactorView* factor, int iterations )
{
	int usable = GEL_ALL_LANES;
	LaneLoadParticles_W( lanes );
	for ( int i = 0; i < iterations; ++i )
	{
		usable &= LaneTurnParticles_W( lanes, i % 2 == 1 );
		LaneSumParticles_W( lanes );
		LaneMoveParticles_W( lanes, factor );
	}
	LaneStoreParticles_W( lanes );
	return usable;
}

#if defined( GEL_SIMD_AVX512VL )
extern const gelParticleLaneKernels gelParticleLaneKernels_avx512_wide;
#define GEL_WIDE_PARTICLE_LANES &gelParticleLaneKernels_avx512_wide
#else
#define GEL_WIDE_PARTICLE_LANES NULL
#endif

GEL_KERNELS( gelParticleLaneKernels, gelGetParticleLaneKernels ) = { GEL_LANES, LaneIterate_W,
	GEL_WIDE_PARTICLE_LANES };

#endif
