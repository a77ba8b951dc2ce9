// SPDX-License-Identifier: MIT
// Steps of bodies of one asset, one body per lane (lanes.h): eight, or sixteen with AVX-512. Per body the
// operations are those of node_kernels.c, element_kernels.c, panel_kernels.c and volume_kernels.c, in the
// same order.
#include "solvers/fast/lanes.h"
#include "simd/simd.h"

// Without wide registers there is nothing to gain from bodies side by side.
#if defined( GEL_SIMD_NONE )

GEL_KERNELS( gelLaneKernels, gelGetLaneKernels ) = { 0 };

#else

#include "simd/wide_lanes_solve.h"
#include "simd/wide_polar.h"
#include "solvers/fast/unfolding.h"
#include "solvers/fast/wide_volume_moves.h"

// ---- nodes -----------------------------------------------------------------------------------------------

GEL_FORCE_INLINE void gelPredictLanesW( const gelLanes* lanes, int i, gelVec3W x, gelVec3W v, gelVec3W force )
{
	gelFloatW h = gelSplatW( lanes->h ), hw = gelSplatW( lanes->h * lanes->invMasses[i] );
	gelVec3W kick = gelScaleVecW( h, gelSplatVecW( lanes->gravity.x, lanes->gravity.y, lanes->gravity.z ) );
	gelVec3W velocity = gelMulAddVecW( gelAddVecW( v, kick ), hw, force );
	gelVec3W moved = gelMulAddVecW( x, h, velocity );
	const gelPackNode* rest = lanes->rest + i;
	gelStoreLanesW( lanes->xTilde + GEL_NODE_W * (size_t)i, moved );
	gelStoreLanesW( lanes->uTilde + GEL_NODE_W * (size_t)i,
		gelSubVecW( moved, gelSplatVecW( rest->x, rest->y, rest->z ) ) );
}

static void LanePredict_W( const gelLanes* lanes )
{
	int i = 0;
	for ( ; i + 4 <= lanes->nodeCount; i += 4 )
	{
		gelVec3W x[4], v[4], forces[4];
		gelCollectFourNodesW( lanes->x, i, x );
		gelCollectFourNodesW( lanes->v, i, v );
		for ( int m = 0; m < 4; ++m )
			forces[m] = gelSplatVecW( 0.0f, 0.0f, 0.0f );
		if ( lanes->hasForces ) gelCollectFourNodesW( lanes->forces, i, forces );
		for ( int m = 0; m < 4; ++m )
			gelPredictLanesW( lanes, i + m, x[m], v[m], forces[m] );
	}
	for ( ; i < lanes->nodeCount; ++i )
		gelPredictLanesW( lanes, i, gelCollectNodesW( lanes->x, i ), gelCollectNodesW( lanes->v, i ),
			gelCollectNodesW( lanes->forces, i ) );
}

static void LaneSubtractRest_W( const gelLanes* lanes, float* u )
{
	for ( int i = 0; i < lanes->nodeCount; ++i )
	{
		const gelPackNode* rest = lanes->rest + i;
		gelVec3W p = gelLoadLanesW( lanes->p + GEL_NODE_W * (size_t)i );
		gelStoreLanesW(
			u + GEL_NODE_W * (size_t)i, gelSubVecW( p, gelSplatVecW( rest->x, rest->y, rest->z ) ) );
	}
}

static void LaneStore_W( const gelLanes* lanes )
{
	int i = 0;
	for ( ; i + 4 <= lanes->nodeCount; i += 4 )
	{
		gelVec3W p[4];
		for ( int m = 0; m < 4; ++m )
			p[m] = gelLoadLanesW( lanes->p + GEL_NODE_W * (size_t)( i + m ) );
		gelDistributeFourNodesW( lanes->out, i, p );
	}
	for ( ; i < lanes->nodeCount; ++i )
	{
		gelVec3W p = gelLoadLanesW( lanes->p + GEL_NODE_W * (size_t)i );
		gelNodesW n = { p.x, p.y, p.z, gelSplatW( 0.0f ) };
		gelFloat4 parts[GEL_LANES];
		gelDistributeLanesW( n, parts );
		for ( int k = 0; k < GEL_LANES; ++k )
			gelStore3( lanes->out[k] + i, parts[k] );
	}
}

// ---- elements --------------------------------------------------------------------------------------------

// Gradient of corner k + 1 of slot `lane`.
GEL_FORCE_INLINE gelVec3W gelSplatGradientW( const gelElementBlock* block, int lane, int k )
{
	return ( gelVec3W ){ gelSplatW( block->gradient[3 * k][lane] ),
		gelSplatW( block->gradient[3 * k + 1][lane] ), gelSplatW( block->gradient[3 * k + 2][lane] ) };
}

GEL_FORCE_INLINE gelMat3W gelLaneDeformationW( const gelElementBlock* block, int lane, float* u )
{
	gelVec3W u0 = gelLoadLanesW( gelFindCornerW( block->node[0][lane], u ) );
	gelMat3W F;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W uk = gelSubVecW( gelLoadLanesW( gelFindCornerW( block->node[k + 1][lane], u ) ), u0 );
		gelAddDeformationW( &F, k, uk, gelSplatGradientW( block, lane, k ) );
	}
	return F;
}

// A slot whose rotation is found, and what its right-hand side needs.
typedef struct gelLaneSlotW
{
	const gelElementBlock* block;
	int lane;
	const float* scaled; // 2 h^2 mu V times the gradients, of the whole block
	gelMat3W F;
	gelNodesW q;
} gelLaneSlotW;

// Term k of three of the right-hand side. @param sum of the terms so far
GEL_FORCE_INLINE void gelAddTermW( const gelLaneSlotW* slot, int k, gelMat3W Q, gelVec3W* sum, float* rhs )
{
	const float* g = slot->scaled + 3 * GEL_BLOCK_LANES * k + slot->lane;
	gelVec3W term = gelMulMVW( Q,
		( gelVec3W ){
			gelSplatW( g[0] ), gelSplatW( g[GEL_BLOCK_LANES] ), gelSplatW( g[2 * GEL_BLOCK_LANES] ) } );
	*sum = k == 0 ? term : gelAddVecW( *sum, term );
	float* to = gelFindCornerW( slot->block->node[k + 1][slot->lane], rhs );
	gelStoreLanesW( to, gelAddVecW( gelLoadLanesW( to ), term ) );
	if ( k < 2 ) return;
	to = gelFindCornerW( slot->block->node[0][slot->lane], rhs );
	gelStoreLanesW( to, gelSubVecW( gelLoadLanesW( to ), *sum ) );
}

// The rotation of one slot and the right-hand side of the one before, in turns: the first is a chain of
// operations that wait for each other, mostly multiplications, the second adds and waits for memory.
GEL_FORCE_INLINE gelNodesW gelTurnSlotW(
	gelMat3W F, gelNodesW q, const gelLaneSlotW* last, bool hasLast, float* rhs, int* usable )
{
	gelMat3W R = gelMakeHalfMatFromQuatW( q ), Q;
	gelFloatW length2 = gelLengthSquaredQuatW( q );
	gelVec3W sum;
	*usable &= gelMaskBitsW( gelIsBoundedW( length2 ) );
	if ( hasLast ) Q = gelSubMatW( gelMakeMatFromQuatW( last->q ), last->F );
	gelMat3W Y = gelMulTransposedMMW( R, F );
	if ( hasLast ) gelAddTermW( last, 0, Q, &sum, rhs );
	gelPolarSystemW system = gelMakePolarSystemW( Y );
	gelMat3W cofactors = gelPolarCofactorsW( &system );
	if ( hasLast ) gelAddTermW( last, 1, Q, &sum, rhs );
	gelPolarQuotientW quotient = gelSolvePolarW( &system, &cofactors );
	if ( hasLast ) gelAddTermW( last, 2, Q, &sum, rhs );
	return gelFinishTurnW( F, Y, length2, system.xx, cofactors.cz.z, &quotient );
}

GEL_FORCE_INLINE void gelScaleGradientsW( const gelElementBlock* block, float twoH2, float* scaled )
{
	for ( int k = 0; k < 9; ++k )
	{
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
			scaled[GEL_BLOCK_LANES * k + lane] = twoH2 * block->muVolume[lane] * block->gradient[k][lane];
	}
}

static int LaneElements_W( const gelLanes* lanes, float* u )
{
	float twoH2 = 2.0f * lanes->elasticStep * lanes->elasticStep;
	float scaled[2][9 * GEL_BLOCK_LANES];
	int usable = GEL_ALL_LANES;
	size_t count = GEL_BLOCK_LANES * (size_t)lanes->blockCount;
	gelLaneSlotW last = { .block = lanes->elements };
	gelNodesW q[4];
	gelMat3W F = gelLaneDeformationW( lanes->elements, 0, u );
	for ( size_t slot = 0; slot < count; ++slot )
	{
		const gelElementBlock* block = lanes->elements + slot / GEL_BLOCK_LANES;
		int lane = (int)( slot % GEL_BLOCK_LANES );
		float* own = scaled[slot / GEL_BLOCK_LANES % 2];
		if ( lane == 0 ) gelScaleGradientsW( block, twoH2, own );
		if ( slot % 4 == 0 ) gelCollectFourSlotsW( lanes->q, slot, q );
		gelNodesW turn = gelTurnSlotW( F, q[slot % 4], &last, slot > 0, lanes->b, &usable );
		last = ( gelLaneSlotW ){ .block = block, .lane = lane, .scaled = own, .F = F };
		if ( u != lanes->uTilde ) last.F = gelLaneDeformationW( block, lane, lanes->uTilde );
		if ( slot + 1 < count )
			F = gelLaneDeformationW( lanes->elements + ( slot + 1 ) / GEL_BLOCK_LANES,
				(int)( ( slot + 1 ) % GEL_BLOCK_LANES ), u );
		last.q = q[slot % 4] = gelMulQuatW( q[slot % 4], turn );
		if ( slot % 4 == 3 ) gelDistributeFourSlotsW( lanes->q, slot - 3, q );
	}
	gelMat3W Q = gelSubMatW( gelMakeMatFromQuatW( last.q ), last.F );
	gelVec3W sum;
	for ( int k = 0; k < 3; ++k )
		gelAddTermW( &last, k, Q, &sum, lanes->b );
	return usable;
}

// ---- solve -----------------------------------------------------------------------------------------------

static void LaneSolve_W( const gelLanes* lanes, const gelPackFactorView* factor )
{
	uint32_t superCount = factor->header->superCount, n = factor->header->n;
	for ( uint32_t row = 0; row < n; ++row )
		gelStoreLanesW( lanes->y + GEL_NODE_W * (size_t)row,
			gelLoadLanesW( lanes->b + GEL_NODE_W * (size_t)factor->perm[row] ) );
	for ( uint32_t s = 0; s < superCount; ++s )
	{
		gelPanelW panel = gelGetPanelW( factor, s );
		LaneForward_W( &panel, lanes->y, lanes->solveScratch );
	}
	for ( uint32_t s = superCount; s-- > 0; )
	{
		gelPanelW panel = gelGetPanelW( factor, s );
		LaneBackward_W( &panel, lanes->y, lanes->solveScratch );
	}
	for ( uint32_t row = 0; row < n; ++row )
	{
		size_t node = GEL_NODE_W * (size_t)factor->perm[row];
		gelStoreLanesW( lanes->p + node,
			gelAddVecW( gelLoadLanesW( lanes->xTilde + node ),
				gelLoadLanesW( lanes->y + GEL_NODE_W * (size_t)row ) ) );
	}
}

// ---- volume ----------------------------------------------------------------------------------------------

// One slot under way.
typedef struct gelLaneVolumeW
{
	gelVolumeConstantsW constants;
	gelVolumeAreasW areas;
} gelLaneVolumeW;

GEL_FORCE_INLINE float gelGetInvMass( const gelLanes* lanes, const gelVolumeBlock* block, int lane, int k )
{
	return *(const float*)( (const char*)lanes->invMasses + block->node[k][lane] / 4 );
}

GEL_FORCE_INLINE gelLaneVolumeW gelBeginLaneVolumeW(
	const gelLanes* lanes, const gelVolumeBlock* block, int lane, float invH2 )
{
	gelVec3W p[4];
	gelFloatW w[4];
	float largest = 0.0f;
	for ( int k = 0; k < 4; ++k )
	{
		p[k] = gelLoadLanesW( gelFindCornerW( block->node[k][lane], lanes->p ) );
		float weight = gelGetInvMass( lanes, block, lane, k );
		w[k] = gelSplatW( weight );
		largest = weight > largest ? weight : largest;
	}
	gelLaneVolumeW slot = { .constants = { gelSplatW( block->restDet[lane] ),
								gelSplatW( invH2 * block->compliance[lane] ),
								gelSplatW( block->maxMove2[lane] ), gelSplatW( largest ) } };
	slot.areas = gelVolumeAreasOfW(
		&slot.constants, gelSubVecW( p[1], p[0] ), gelSubVecW( p[2], p[0] ), gelSubVecW( p[3], p[0] ), w );
	return slot;
}

GEL_FORCE_INLINE void gelEndLaneVolumeW(
	const gelLanes* lanes, const gelVolumeBlock* block, int lane, const gelLaneVolumeW* slot, gelFloatW s )
{
	for ( int k = 0; k < 4; ++k )
	{
		float* corner = gelFindCornerW( block->node[k][lane], lanes->p );
		gelVec3W at = gelLoadLanesW( corner );
		gelVec3W move = gelScaleVecW(
			gelMulW( gelSplatW( gelGetInvMass( lanes, block, lane, k ) ), s ), slot->areas.c[k] );
		gelStoreLanesW( corner, k == 0 ? gelSubVecW( at, move ) : gelAddVecW( at, move ) );
	}
}

// The slots of a block have no common node: one begins while the division of the one before it is under way.
// @return lanes with a tet that is nearly flat
GEL_FORCE_INLINE int gelLaneVolumeBlockW(
	const gelLanes* lanes, const gelVolumeBlock* block, float invH2, float* kappa )
{
	int flat = 0;
	gelLaneVolumeW slot = gelBeginLaneVolumeW( lanes, block, 0, invH2 );
	for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
	{
		gelLaneVolumeW last = slot;
		gelFloatW before = kappa ? gelLoadW( kappa + GEL_LANES * lane ) : gelSplatW( 0.0f );
		gelFloatW s = gelVolumeStepW( &last.constants, &last.areas, kappa ? &before : NULL );
		if ( kappa ) gelStoreW( kappa + GEL_LANES * lane, gelAddW( before, s ) );
		flat |= gelMaskBitsW( gelIsBelowVolumeW( &last.constants, &last.areas, GEL_FLAT_VOLUME ) );
		if ( lane + 1 < GEL_BLOCK_LANES ) slot = gelBeginLaneVolumeW( lanes, block, lane + 1, invH2 );
		gelEndLaneVolumeW( lanes, block, lane, &last, s );
	}
	return flat;
}

static int LaneVolume_W( const gelLanes* lanes, float* kappa )
{
	float invH2 = 1.0f / ( lanes->elasticStep * lanes->elasticStep );
	int flat = 0;
	for ( int i = 0; i < lanes->blockCount && kappa == NULL; ++i )
		flat |= gelLaneVolumeBlockW( lanes, lanes->volumes + i, invH2, NULL );
	for ( int i = 0; i < lanes->blockCount && kappa != NULL; ++i )
		flat |= gelLaneVolumeBlockW(
			lanes, lanes->volumes + i, invH2, kappa + GEL_LANES * GEL_BLOCK_LANES * (size_t)i );
	return flat;
}

// ---- the table -------------------------------------------------------------------------------------------

#if defined( GEL_SIMD_AVX512VL )
extern const gelLaneKernels gelLaneKernels_avx512_wide;
#define GEL_WIDE_LANES &gelLaneKernels_avx512_wide
#else
#define GEL_WIDE_LANES NULL
#endif

GEL_KERNELS( gelLaneKernels, gelGetLaneKernels ) = { GEL_LANES, LanePredict_W, LaneElements_W, LaneSolve_W,
	LaneSubtractRest_W, LaneVolume_W, LaneStore_W, GEL_WIDE_LANES };

#endif
