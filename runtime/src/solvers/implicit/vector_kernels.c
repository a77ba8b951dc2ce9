// SPDX-License-Identifier: MIT
// Loops of the iterative solvers over vectors of nodes, two or eight nodes at a time.
#include "solvers/implicit/implicit_kernels.h"

#include "simd/simd_sums.h"
#include "simd/wide_math.h"

// Two nodes at a time.
GEL_FORCE_INLINE gelFloatW gelLoadPairW( const gelVec4* nodes, int i )
{
	return gelLoadW( &nodes[i].x );
}

static double DotNodes_W( const gelVec4* a, const gelVec4* b, int count )
{
	gelSumW sum = gelZeroSumW();
	for ( int i = 0; i < count; i += 2 )
		sum = gelAddProductsW( sum, gelLoadPairW( a, i ), gelLoadPairW( b, i ) );
	return gelTotalW( sum );
}

static double AdvanceNodes_W( float s, const gelVec4* p, const gelVec4* q, int count, gelVec4* d, gelVec4* r )
{
	gelSumW sum = gelZeroSumW();
	gelFloatW step = gelSplatW( s );
	for ( int i = 0; i < count; i += 2 )
	{
		gelStoreW( &d[i].x, gelAddW( gelLoadPairW( d, i ), gelMulW( step, gelLoadPairW( p, i ) ) ) );
		gelFloatW left = gelSubW( gelLoadPairW( r, i ), gelMulW( step, gelLoadPairW( q, i ) ) );
		gelStoreW( &r[i].x, left );
		sum = gelAddProductsW( sum, left, left );
	}
	return gelTotalW( sum );
}

static void CombineNodes_W(
	float a, const gelVec4* x, float b, const gelVec4* y, float c, const gelVec4* z, int count, gelVec4* out )
{
	gelFloatW wa = gelSplatW( a ), wb = gelSplatW( b ), wc = gelSplatW( c );
	for ( int i = 0; i < count; i += 2 )
	{
		gelFloatW xy = gelAddW( gelMulW( wa, gelLoadPairW( x, i ) ), gelMulW( wb, gelLoadPairW( y, i ) ) );
		gelStoreW( &out[i].x, gelAddW( xy, gelMulW( wc, gelLoadPairW( z, i ) ) ) );
	}
}

static void TurnNodes_W( const gelVec4* z, float s, int count, gelVec4* y )
{
	gelFloatW scale = gelSplatW( s );
	for ( int i = 0; i < count; i += 2 )
		gelStoreW( &y[i].x, gelAddW( gelLoadPairW( z, i ), gelMulW( scale, gelLoadPairW( y, i ) ) ) );
}

static void MultiplyMasses_W( const float* m, const gelVec4* x, int count, gelVec4* y )
{
	for ( int i = 0; i < count; i += 2 )
	{
		gelFloatW masses = gelJoinW( gelSplat4( m[i] ), gelSplat4( m[i + 1] ) );
		gelStoreW( &y[i].x, gelMulW( masses, gelLoadPairW( x, i ) ) );
	}
}

static double MultiplyBlocks_W( const gelNodeBlock* blocks, const gelVec4* r, int count, gelVec4* z )
{
	gelSumW sum = gelZeroSumW();
	for ( int i = 0; i < count; i += GEL_LANES, ++blocks )
	{
		gelNodesW n = gelLoadNodesW( r + i );
		gelFloatW xx = gelLoadW( blocks->m[0] ), yy = gelLoadW( blocks->m[1] ), zz = gelLoadW( blocks->m[2] );
		gelFloatW xy = gelLoadW( blocks->m[3] ), xz = gelLoadW( blocks->m[4] ), yz = gelLoadW( blocks->m[5] );
		gelVec3W v = { n.x, n.y, n.z };
		gelVec3W y = { gelDotW( ( gelVec3W ){ xx, xy, xz }, v ), gelDotW( ( gelVec3W ){ xy, yy, yz }, v ),
			gelDotW( ( gelVec3W ){ xz, yz, zz }, v ) };
		gelStoreNodesW( z + i, ( gelNodesW ){ y.x, y.y, y.z, gelSplatW( 0.0f ) } );
		sum = gelAddProductsW( sum, v.x, y.x );
		sum = gelAddProductsW( sum, v.y, y.y );
		sum = gelAddProductsW( sum, v.z, y.z );
	}
	return gelTotalW( sum );
}

GEL_KERNELS( gelVectorKernels, gelGetVectorKernels ) = { DotNodes_W, AdvanceNodes_W, CombineNodes_W,
	TurnNodes_W, MultiplyMasses_W, MultiplyBlocks_W };
