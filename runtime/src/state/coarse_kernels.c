// SPDX-License-Identifier: MIT
// Boxes of the coarse tree from the deformed nodes: lanes are the children of a node. Twin of
// gelRefitCoarse_Ref.
#include "state/coarse_kernels.h"

#include "simd/wide_math.h"

GEL_FORCE_INLINE gelVec3W GatherNodes_W( const gelVec3* nodes, const uint32_t index[GEL_LANES] )
{
	gelVec3W r;
	gelFloatW w;
	r.x = gelJoinW( gelLoad3( nodes + index[0] ), gelLoad3( nodes + index[4] ) );
	r.y = gelJoinW( gelLoad3( nodes + index[1] ), gelLoad3( nodes + index[5] ) );
	r.z = gelJoinW( gelLoad3( nodes + index[2] ), gelLoad3( nodes + index[6] ) );
	w = gelJoinW( gelLoad3( nodes + index[3] ), gelLoad3( nodes + index[7] ) );
	gelTransposeHalvesW( &r.x, &r.y, &r.z, &w );
	return r;
}

// ---- boxes -----------------------------------------------------------------------------------------------

// Largest coordinate of four corners.
GEL_FORCE_INLINE gelFloatW MaxMagnitude_W( const gelVec3W x[4] )
{
	gelFloatW m = gelSplatW( 0.0f );
	for ( int k = 0; k < 4; ++k )
		m = gelMaxW( m, gelMaxW( gelAbsW( x[k].x ), gelMaxW( gelAbsW( x[k].y ), gelAbsW( x[k].z ) ) ) );
	return m;
}

// Twin of gelBoundCell_Ref along one axis: every pair of corners once, since the two are each other's pivots
// with opposite signs.
GEL_FORCE_INLINE void BoundAxis_W( const gelFloatW x[4], const gelFloatW a[4], const gelFloatW b[4],
	gelFloatW slack, float* outLow, float* outHigh )
{
	gelFloatW low[4] = { x[0], x[1], x[2], x[3] }, high[4] = { x[0], x[1], x[2], x[3] };
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
		{
			gelFloatW d = gelSubW( x[j], x[i] ), e = gelNegW( d );
			gelFloatW aj = gelMulW( a[j], d ), bj = gelMulW( b[j], d );
			gelFloatW ai = gelMulW( a[i], e ), bi = gelMulW( b[i], e );
			low[i] = gelAddW( low[i], gelMinW( aj, bj ) );
			high[i] = gelAddW( high[i], gelMaxW( aj, bj ) );
			low[j] = gelAddW( low[j], gelMinW( ai, bi ) );
			high[j] = gelAddW( high[j], gelMaxW( ai, bi ) );
		}
	}
	gelFloatW lowest = gelMaxW( gelMaxW( low[0], low[1] ), gelMaxW( low[2], low[3] ) );
	gelFloatW highest = gelMinW( gelMinW( high[0], high[1] ), gelMinW( high[2], high[3] ) );
	gelStoreW( outLow, gelSubW( lowest, slack ) );
	gelStoreW( outHigh, gelAddW( highest, slack ) );
}

// Bounds of all lanes, as if they were cells.
GEL_FORCE_INLINE void BoundCells_W( const gelVec3W x[4], const gelCoarseNode* node, gelCoarseBoxes* out )
{
	gelFloatW a[4], b[4], p[4], slack = gelMulW( gelSplatW( GEL_BOUND_SLACK ), MaxMagnitude_W( x ) );
	gelFloatW unit = gelSplatW( 0x1p-8f ), one = gelSplatW( 1.0f );
	for ( int k = 0; k < 4; ++k )
	{
		a[k] = gelMulW( gelBytesW( node->low[k] ), unit );
		b[k] = gelMulW( gelAddW( gelBytesW( node->high[k] ), one ), unit );
	}
	const gelFloatW px[4] = { x[0].x, x[1].x, x[2].x, x[3].x }, py[4] = { x[0].y, x[1].y, x[2].y, x[3].y },
					pz[4] = { x[0].z, x[1].z, x[2].z, x[3].z };
	BoundAxis_W( px, a, b, slack, out->low[0], out->high[0] );
	BoundAxis_W( py, a, b, slack, out->low[1], out->high[1] );
	BoundAxis_W( pz, a, b, slack, out->low[2], out->high[2] );
	for ( int k = 0; k < 4; ++k )
		p[k] = gelAddW( gelAddW( px[k], py[k] ), pz[k] );
	BoundAxis_W( p, a, b, slack, out->low[3], out->high[3] );
	for ( int k = 0; k < 4; ++k )
		p[k] = gelSubW( gelAddW( px[k], py[k] ), pz[k] );
	BoundAxis_W( p, a, b, slack, out->low[4], out->high[4] );
	for ( int k = 0; k < 4; ++k )
		p[k] = gelAddW( gelSubW( px[k], py[k] ), pz[k] );
	BoundAxis_W( p, a, b, slack, out->low[5], out->high[5] );
	for ( int k = 0; k < 4; ++k )
		p[k] = gelAddW( gelSubW( py[k], px[k] ), pz[k] );
	BoundAxis_W( p, a, b, slack, out->low[6], out->high[6] );
}

// ---- the tree --------------------------------------------------------------------------------------------

// Smallest lanes of four rows.
GEL_FORCE_INLINE gelFloat4 MinLanes_W( const float* rows )
{
	gelFloatW a = gelLoadW( rows ), b = gelLoadW( rows + GEL_LANES );
	gelFloatW c = gelLoadW( rows + 2 * GEL_LANES ), d = gelLoadW( rows + 3 * GEL_LANES );
	gelTransposeHalvesW( &a, &b, &c, &d );
	gelFloatW m = gelMinW( gelMinW( a, b ), gelMinW( c, d ) );
	return gelMin4( gelLowW( m ), gelHighW( m ) );
}

GEL_FORCE_INLINE gelFloat4 MaxLanes_W( const float* rows )
{
	gelFloatW a = gelLoadW( rows ), b = gelLoadW( rows + GEL_LANES );
	gelFloatW c = gelLoadW( rows + 2 * GEL_LANES ), d = gelLoadW( rows + 3 * GEL_LANES );
	gelTransposeHalvesW( &a, &b, &c, &d );
	gelFloatW m = gelMaxW( gelMaxW( a, b ), gelMaxW( c, d ) );
	return gelMax4( gelLowW( m ), gelHighW( m ) );
}

static inline void UniteLanes_W( gelCoarseBoxes* boxes )
{
	// rows 3 .. 6 overlap with 0 .. 3, which does not matter
	_Alignas( 16 ) float low[4], high[4];
	gelStore4( low, MinLanes_W( boxes->low[3] ) );
	gelStore4( high, MaxLanes_W( boxes->high[3] ) );
	gelStore4( boxes->all.low, MinLanes_W( boxes->low[0] ) );
	gelStore4( boxes->all.high, MaxLanes_W( boxes->high[0] ) );
	for ( int k = 0; k < 4; ++k )
	{
		boxes->all.low[3 + k] = low[k];
		boxes->all.high[3 + k] = high[k];
	}
	boxes->all.low[7] = boxes->all.high[7] = 0.0f;
}

// Lanes that are not cells.
static inline void PutChildren_W( const gelCoarseNode* node, gelCoarseBoxes* boxes, gelCoarseBoxes* out )
{
	for ( int lane = 0; lane < GEL_COARSE_LANES; ++lane )
	{
		uint32_t child = node->child[lane];
		if ( gelIsCell( child ) ) continue;
		for ( int k = 0; k < GEL_DOP_AXES; ++k )
		{
			out->low[k][lane] = child == GEL_CDG_NIL ? INFINITY : boxes[child].all.low[k];
			out->high[k][lane] = child == GEL_CDG_NIL ? -INFINITY : boxes[child].all.high[k];
		}
	}
}

static void RefitCoarse_W(
	const gelCoarseNode* tree, int treeCount, const gelVec3* nodes, gelCoarseBoxes* boxes )
{
	for ( int i = 0; i < treeCount; ++i )
	{
		gelVec3W x[4];
		for ( int k = 0; k < 4; ++k )
			x[k] = GatherNodes_W( nodes, tree[i].node[k] );
		BoundCells_W( x, tree + i, boxes + i );
		PutChildren_W( tree + i, boxes, boxes + i );
		UniteLanes_W( boxes + i );
	}
}

GEL_KERNELS( gelCoarseKernels, gelGetCoarseKernels ) = { RefitCoarse_W };
