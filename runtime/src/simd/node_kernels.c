// SPDX-License-Identifier: MIT
// The loops over nodes before and after the solve. Four lanes are the components of one node: x y z w; eight
// are whatever follows each other in an array of gelVec3.
#include "simd/node_kernels.h"

#include "math/gel_math.h"
#include "simd/simd.h"

static void PredictNodes_W( const gelNodePass* pass, gelVec4* xTilde, gelVec4* uTilde )
{
	gelFloat4 h = gelSplat4( pass->h ), kick = gelMul4( h, gelLoad3( &pass->gravity ) );
	for ( int i = 0; i < pass->count; ++i )
	{
		float w = pass->invMasses[i];
		gelFloat4 velocity = gelAdd4( gelLoad3( pass->v + i ), kick );
		velocity = gelAdd4( velocity, gelMul4( gelSplat4( pass->h * w ), gelLoad3( pass->forces + i ) ) );
		gelFloat4 x = gelAdd4( gelLoad3( pass->x + i ), gelMul4( h, velocity ) );
		gelStore4( xTilde + i, x );
		xTilde[i].w = w;
		gelStore4( uTilde + i, gelSub4( x, gelLoad3( pass->rest + i ) ) );
	}
}

static void GatherRows_W( const uint32_t* rowNodes, uint32_t count, const gelVec4* b, gelVec4* y )
{
	for ( uint32_t row = 0; row < count; ++row )
		gelStore4( y + row, gelLoad4( b + rowNodes[row] ) );
}

static void AddRows_W(
	const uint32_t* rowNodes, uint32_t count, const gelVec4* xTilde, const gelVec4* y, gelVec4* p )
{
	for ( uint32_t row = 0; row < count; ++row )
	{
		uint32_t node = rowNodes[row];
		gelStore4( p + node, gelAdd4( gelLoad4( xTilde + node ), gelLoad4( y + row ) ) );
	}
}

static void SubtractRest_W( const gelVec4* p, const gelPackNode* rest, int count, gelVec4* u )
{
	for ( int i = 0; i < count; ++i )
		gelStore4( u + i, gelSub4( gelLoad4( p + i ), gelLoad3( rest + i ) ) );
}

static void StoreNodes_W( const gelVec4* p, int count, gelVec3* x )
{
	for ( int i = 0; i < count; ++i )
		gelStore3( x + i, gelLoad4( p + i ) );
}

static bool DifferencePositions_W(
	const gelVec3* x, const gelVec3* xOld, int count, float invH, float limit, gelVec3* v )
{
	const float *to = &x->x, *from = &xOld->x;
	float* out = &v->x;
	int i = 0, floatCount = 3 * count, within = GEL_ALL_LANES;
	for ( ; i + GEL_LANES <= floatCount; i += GEL_LANES )
	{
		gelFloatW a = gelLoadW( to + i );
		gelStoreW( out + i, gelMulW( gelSplatW( invH ), gelSubW( a, gelLoadW( from + i ) ) ) );
		within &= gelMaskBitsW( gelGreaterW( gelSplatW( limit ), gelAbsW( a ) ) );
	}
	for ( ; i < floatCount; ++i )
	{
		out[i] = invH * ( to[i] - from[i] );
		within &= fabsf( to[i] ) < limit ? GEL_ALL_LANES : 0;
	}
	return within == GEL_ALL_LANES;
}

// Three registers are eight nodes. The order only matters for the sign of zero.
static void BoundNodes_W( const gelVec3* x, int count, gelVec3* outLow, gelVec3* outHigh )
{
	gelVec3 low = x[0], high = x[0];
	const float* p = &x->x;
	int i = 0;
	if ( count >= GEL_LANES )
	{
		gelFloatW lows[3], highs[3];
		for ( int k = 0; k < 3; ++k )
			lows[k] = highs[k] = gelLoadW( p + GEL_LANES * k );
		for ( i = GEL_LANES; i + GEL_LANES <= count; i += GEL_LANES )
		{
			for ( int k = 0; k < 3; ++k )
			{
				gelFloatW a = gelLoadW( p + 3 * i + GEL_LANES * k );
				lows[k] = gelMinW( lows[k], a );
				highs[k] = gelMaxW( highs[k], a );
			}
		}
		_Alignas( 64 ) gelVec3 ends[2][GEL_LANES];
		for ( int k = 0; k < 3; ++k )
		{
			gelStoreW( &ends[0][0].x + GEL_LANES * k, lows[k] );
			gelStoreW( &ends[1][0].x + GEL_LANES * k, highs[k] );
		}
		for ( int k = 0; k < GEL_LANES; ++k )
		{
			low = gelMinVec3( low, ends[0][k] );
			high = gelMaxVec3( high, ends[1][k] );
		}
	}
	for ( ; i < count; ++i )
	{
		low = gelMinVec3( low, x[i] );
		high = gelMaxVec3( high, x[i] );
	}
	*outLow = low;
	*outHigh = high;
}

GEL_KERNELS( gelNodeKernels, gelGetNodeKernels ) = { PredictNodes_W, GatherRows_W, AddRows_W, SubtractRest_W,
	StoreNodes_W, DifferencePositions_W, BoundNodes_W };
