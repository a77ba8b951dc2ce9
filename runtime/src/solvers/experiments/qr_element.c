// SPDX-License-Identifier: MIT
#include "solvers/experiments/qr_element.h"

#include "asset/blocks.h"
#include "math/polar.h"

#include <string.h>

// Below this part of its rest length an edge says nothing about a direction.
#define GEL_QR_SHRUNK 1.0e-3f

// Iterations for a frame by polar decomposition.
#define GEL_QR_POLAR_STEPS 10

static float FaceArea2( gelVec3 a, gelVec3 b, gelVec3 c )
{
	return gelLengthSquared( gelCross( gelSub( b, a ), gelSub( c, a ) ) );
}

// Longest edge first, then the corner that makes the larger face with it; the direction of the edge keeps the
// orientation.
static void OrderCorners( const gelVec3 x[4], int order[4] )
{
	float longest = -1.0f;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
		{
			float length2 = gelLengthSquared( gelSub( x[j], x[i] ) );
			if ( !( length2 > longest ) ) continue;
			longest = length2;
			order[0] = i;
			order[1] = j;
		}
	}
	int rest[2], count = 0;
	for ( int k = 0; k < 4; ++k )
	{
		if ( k != order[0] && k != order[1] ) rest[count++] = k;
	}
	const gelVec3 *a = x + order[0], *b = x + order[1];
	bool isSecond = FaceArea2( *a, *b, x[rest[1]] ) > FaceArea2( *a, *b, x[rest[0]] );
	order[2] = rest[isSecond ? 1 : 0];
	order[3] = rest[isSecond ? 0 : 1];
	int inversions = 0;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
			inversions += order[i] > order[j];
	}
	if ( inversions % 2 == 0 ) return;
	int first = order[0];
	order[0] = order[1];
	order[1] = first;
}

/// Frame and coordinates of a deformed tet.
typedef struct gelQrFrame
{
	gelMat3 axes; // columns
	float xb, xc, yc, xd, yd, zd;
} gelQrFrame;

// Coordinates in a frame that need not lie along the edges are those of the nearest one that does: what is
// left of b and c out of place is dropped.
static gelQrFrame MakeCoordinates( gelMat3 axes, const gelVec3 e[3] )
{
	return ( gelQrFrame ){ axes, gelDot( axes.cx, e[0] ), gelDot( axes.cx, e[1] ), gelDot( axes.cy, e[1] ),
		gelDot( axes.cx, e[2] ), gelDot( axes.cy, e[2] ), gelDot( axes.cz, e[2] ) };
}

static gelQrFrame MakeFrame( const gelVec3 e[3] )
{
	gelQrFrame frame;
	frame.xb = gelLength( e[0] );
	frame.axes.cx = gelScale( 1.0f / frame.xb, e[0] );
	frame.xc = gelDot( frame.axes.cx, e[1] );
	gelVec3 t = gelMulAdd( e[1], -frame.xc, frame.axes.cx );
	frame.yc = gelLength( t );
	frame.axes.cy = gelScale( 1.0f / frame.yc, t );
	frame.axes.cz = gelCross( frame.axes.cx, frame.axes.cy );
	frame.xd = gelDot( frame.axes.cx, e[2] );
	frame.yd = gelDot( frame.axes.cy, e[2] );
	frame.zd = gelDot( frame.axes.cz, e[2] );
	return frame;
}

static void FillLane(
	const gelAsset* asset, uint32_t tet, gelQrBlock* qr, gelStiffnessBlock* stiffness, int lane )
{
	GEL_ASSERT( lane >= 0 && lane < GEL_BLOCK_LANES );
	const gelPackView* pack = &asset->pack;
	if ( tet == GEL_NO_TET )
	{
		// the unit tet without stiffness
		for ( int k = 0; k < 3; ++k )
			qr->edge[4 * k][lane] = 1.0f;
		qr->local[0][lane] = qr->local[2][lane] = qr->local[5][lane] = 1.0f;
		qr->axis[0][lane] = qr->axis[4][lane] = 1.0f;
		for ( int k = 0; k < 4; ++k )
			stiffness->node[k][lane] = (uint32_t)( sizeof( gelVec4 ) * (size_t)asset->nodeCount );
		return;
	}
	const uint32_t* node = pack->tets[tet].node;
	gelVec3 x[4], e[3];
	int order[4] = { 0, 1, 2, 3 };
	for ( int k = 0; k < 4; ++k )
		x[k] = gelGetRestNode( pack->nodes, node[k] );
	OrderCorners( x, order );
	for ( int k = 0; k < 4; ++k )
		stiffness->node[k][lane] = (uint32_t)sizeof( gelVec4 ) * node[order[k]];
	for ( int k = 0; k < 3; ++k )
	{
		e[k] = gelSub( x[order[k + 1]], x[order[0]] );
		gelSetLaneVector( qr->edge, k, lane, e[k] );
	}
	gelQrFrame frame = MakeFrame( e );
	const float local[6] = { frame.xb, frame.xc, frame.yc, frame.xd, frame.yd, frame.zd };
	for ( int k = 0; k < 6; ++k )
		qr->local[k][lane] = local[k];
	gelSetLaneVector( qr->axis, 0, lane, frame.axes.cx );
	gelSetLaneVector( qr->axis, 1, lane, frame.axes.cy );
	qr->invSixVolume[lane] = 1.0f / asset->restDets[tet];
	qr->muVolume[lane] = gelGetMuVolume( pack, tet );
	qr->minBase[lane] = GEL_QR_SHRUNK * frame.xb;
	qr->minHeight[lane] = GEL_QR_SHRUNK * frame.yc;
}

void gelFillQrBlocks( const gelAsset* asset, gelQrBlock* qr, gelStiffnessBlock* blocks )
{
	GEL_ASSERT( qr != NULL && blocks != NULL );
	memset( qr, 0, (size_t)asset->blockCount * sizeof( gelQrBlock ) );
	for ( int slot = 0; slot < GEL_BLOCK_LANES * asset->blockCount; ++slot )
	{
		int block = slot / GEL_BLOCK_LANES;
		FillLane( asset, asset->slotTets[slot], qr + block, blocks + block, slot % GEL_BLOCK_LANES );
	}
}

// Edges of the deformed tet.
static void GetEdges( const gelImplicitPass* pass, const gelQrBlock* qr, int slot, gelVec3 e[3] )
{
	GEL_ASSERT( slot >= 0 && slot < GEL_BLOCK_LANES * pass->blockCount );
	int block = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
	const gelStiffnessBlock* stiffness = pass->blocks + block;
	gelVec3 u0 = gelGetNodeAt( pass->u, stiffness->node[0][lane] );
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 change = gelSub( gelGetNodeAt( pass->u, stiffness->node[k + 1][lane] ), u0 );
		e[k] = gelAdd( gelGetLaneVector( qr[block].edge, k, lane ), change );
	}
}

// Forces and stiffness of a slot in a frame.
static void UpdateQrSlot(
	const gelImplicitPass* pass, const gelQrBlock* qr, int slot, const gelQrFrame* frame )
{
	GEL_ASSERT( slot >= 0 && slot < GEL_BLOCK_LANES * pass->blockCount );
	int lane = slot % GEL_BLOCK_LANES;
	gelStiffnessBlock* block = pass->blocks + slot / GEL_BLOCK_LANES;
	float v = qr->invSixVolume[lane], mu = qr->muVolume[lane], lambda = pass->lambdaVolumes[slot];
	// gradients b_b, b_c, b_d: nonzero components
	float bx = v * ( frame->yc * frame->zd ), by = v * -( frame->xc * frame->zd );
	float bz = v * ( frame->xc * frame->yd - frame->yc * frame->xd );
	float cy = v * ( frame->xb * frame->zd ), cz = v * -( frame->xb * frame->yd );
	float dz = v * ( frame->xb * frame->yc );
	float ub = frame->xb - qr->local[0][lane];
	float ucx = frame->xc - qr->local[1][lane], ucy = frame->yc - qr->local[2][lane];
	float udx = frame->xd - qr->local[3][lane], udy = frame->yd - qr->local[4][lane];
	float udz = frame->zd - qr->local[5][lane];

	gelSym3 e = { ub * bx, ucy * cy, udz * dz, 0.5f * ( ub * by + ucx * cy ),
		0.5f * ( ub * bz + ucx * cz + udx * dz ), 0.5f * ( ucy * cz + udy * dz ) };
	gelSym3 Z = gelScaleSymAdd( 2.0f * mu, e, lambda * gelSymTrace( e ) );
	gelVec3 g[3] = { { bx, by, bz }, { 0.0f, cy, cz }, { 0.0f, 0.0f, dz } }, forces[4];
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 force = gelMulMV( frame->axes, gelMulSymV( Z, g[k] ) );
		forces[k + 1] = gelScale( -pass->forceScale, force );
		gelSetLaneVector( block->gradient, k, lane, gelMulMV( frame->axes, g[k] ) );
	}
	forces[0] = gelNeg( gelAdd( gelAdd( forces[1], forces[2] ), forces[3] ) );
	for ( int k = 0; k < 4; ++k )
		gelAddToNodeAt( pass->forces, block->node[k][lane], forces[k] );
	block->a[lane] = block->b[lane] = pass->stiffnessScale * mu;
	block->c[lane] = pass->stiffnessScale * lambda;
}

void gelUpdateQr_Ref( const gelImplicitPass* pass, const gelQrBlock* qr )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * pass->blockCount; ++slot )
	{
		int block = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
		gelVec3 e[3];
		GetEdges( pass, qr, slot, e );
		gelQrFrame frame = MakeFrame( e );
		if ( lane == 0 ) pass->leftLanes[block] = 0;
		if ( frame.xb > qr[block].minBase[lane] && frame.yc > qr[block].minHeight[lane] )
			UpdateQrSlot( pass, qr + block, slot, &frame );
		else
			pass->leftLanes[block] = (uint8_t)( pass->leftLanes[block] | 1u << lane );
	}
}

void gelUpdateLeftQr( const gelImplicitPass* pass, const gelQrBlock* qr )
{
	for ( int slot = 0; slot < GEL_BLOCK_LANES * pass->blockCount; ++slot )
	{
		int block = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
		if ( ( pass->leftLanes[block] >> lane & 1 ) == 0 ) continue;
		gelMat3 F = gelGetSlotDeformation( pass->elements + block, lane, pass->u );
		pass->q[slot] = gelPolarSolve_Ref( F, pass->q[slot], GEL_QR_POLAR_STEPS );
		gelMat3 R = gelMakeMat3FromQuat( pass->q[slot] ), axes;
		axes.cx = gelMulMV( R, gelGetLaneVector( qr[block].axis, 0, lane ) );
		axes.cy = gelMulMV( R, gelGetLaneVector( qr[block].axis, 1, lane ) );
		axes.cz = gelCross( axes.cx, axes.cy );
		gelVec3 e[3];
		GetEdges( pass, qr, slot, e );
		gelQrFrame frame = MakeCoordinates( axes, e );
		UpdateQrSlot( pass, qr + block, slot, &frame );
	}
}
