// SPDX-License-Identifier: MIT
// Skinning: art vertices as weighted sums of cage nodes. Twin of the loops in skin.c.
#pragma once

#include "kernels.h"
#include "simd.h"

static void SkinPositions_W(
	const gelPackView* pack, const gelVec4* x, const double origin[4], int count, gelVec3* out )
{
	for ( int i = 0; i < count; ++i )
	{
		const float* w = pack->embedWeights + 32 * (size_t)( i / 8 ) + i % 8;
		const uint32_t* node = pack->tets[pack->embedTets[i]].node;
		gelFloat4 p = gelMul4( gelSplat4( w[0] ), gelLoad4( x + node[0] ) );
		p = gelAdd4( p, gelMul4( gelSplat4( w[8] ), gelLoad4( x + node[1] ) ) );
		p = gelAdd4( p, gelMul4( gelSplat4( w[16] ), gelLoad4( x + node[2] ) ) );
		p = gelAdd4( p, gelMul4( gelSplat4( w[24] ), gelLoad4( x + node[3] ) ) );
		gelStore3( out + i, gelAddOrigin4( p, origin ) );
	}
}
