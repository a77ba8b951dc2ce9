// SPDX-License-Identifier: MIT
// The loops over nodes before and after the solve. The four lanes are the components of one node: x y z w.
#pragma once

#include "kernels.h"
#include "simd.h"

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
