// SPDX-License-Identifier: MIT
// Nodes of bodies of one asset, one body per lane: x[lanes] y[lanes] z[lanes] of each.
#pragma once

#include "simd/wide_math.h"

// Floats of one node of all lanes.
#define GEL_NODE_W ( 3 * GEL_LANES )

GEL_FORCE_INLINE gelVec3W gelLoadLanesW( const float* node )
{
	return ( gelVec3W ){ gelLoadW( node ), gelLoadW( node + GEL_LANES ), gelLoadW( node + 2 * GEL_LANES ) };
}

GEL_FORCE_INLINE void gelStoreLanesW( float* node, gelVec3W a )
{
	gelStoreW( node, a.x );
	gelStoreW( node + GEL_LANES, a.y );
	gelStoreW( node + 2 * GEL_LANES, a.z );
}

// Nodes of tets are offsets into arrays of gelVec4, in bytes.
GEL_FORCE_INLINE float* gelFindCornerW( uint32_t node, float* nodes )
{
	size_t bytes = (size_t)node * ( GEL_NODE_W * sizeof( float ) / sizeof( gelVec4 ) );
	return (float*)(void*)( (char*)nodes + bytes );
}

GEL_FORCE_INLINE gelVec3W gelSplatVecW( float x, float y, float z )
{
	return ( gelVec3W ){ gelSplatW( x ), gelSplatW( y ), gelSplatW( z ) };
}

// Element i of an array of each body.
GEL_FORCE_INLINE gelVec3W gelCollectNodesW( const gelVec3* const* arrays, int i )
{
	gelFloat4 parts[GEL_LANES];
	for ( int k = 0; k < GEL_LANES; ++k )
		parts[k] = gelLoad3( arrays[k] + i );
	gelNodesW n = gelCollectLanesW( parts );
	return ( gelVec3W ){ n.x, n.y, n.z };
}

// Elements i .. i + 3 of an array of each body, i a multiple of 4.
GEL_FORCE_INLINE void gelCollectFourNodesW( const gelVec3* const* arrays, int i, gelVec3W out[4] )
{
	gelFloatW row[12];
	for ( int c = 0; c < 3; ++c )
	{
		gelFloat4 parts[GEL_LANES];
		for ( int k = 0; k < GEL_LANES; ++k )
			parts[k] = gelLoad4( &arrays[k][i].x + 4 * c );
		gelNodesW n = gelCollectLanesW( parts );
		row[4 * c] = n.x;
		row[4 * c + 1] = n.y;
		row[4 * c + 2] = n.z;
		row[4 * c + 3] = n.w;
	}
	for ( int m = 0; m < 4; ++m )
		out[m] = ( gelVec3W ){ row[3 * m], row[3 * m + 1], row[3 * m + 2] };
}

GEL_FORCE_INLINE void gelDistributeFourNodesW( gelVec3* const* arrays, int i, const gelVec3W in[4] )
{
	const gelNodesW n[3] = { { in[0].x, in[0].y, in[0].z, in[1].x }, { in[1].y, in[1].z, in[2].x, in[2].y },
		{ in[2].z, in[3].x, in[3].y, in[3].z } };
	for ( int c = 0; c < 3; ++c )
	{
		gelFloat4 parts[GEL_LANES];
		gelDistributeLanesW( n[c], parts );
		for ( int k = 0; k < GEL_LANES; ++k )
			gelStore4( &arrays[k][i].x + 4 * c, parts[k] );
	}
}
