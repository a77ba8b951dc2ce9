// SPDX-License-Identifier: MIT
// Skinning: art vertices as weighted sums of cage nodes, their normals by weighted sums of cofactors.
#pragma once

#include "kernels.h"
#include "wide_math.h"

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

// Rest normals of up to eight vertices, not of unit length. Octahedral map: the sphere is projected on the
// octahedron |x| + |y| + |z| = 1, whose lower half is folded outwards over the upper one.
GEL_FORCE_INLINE gelVec3W gelDecodeNormalsW( const gelPackNormal* packed, int count )
{
	_Alignas( 64 ) float u[GEL_LANES] = { 0.0f }, v[GEL_LANES] = { 0.0f };
	for ( int k = 0; k < count; ++k )
	{
		u[k] = (float)packed[k].u;
		v[k] = (float)packed[k].v;
	}
	gelFloatW scale = gelSplatW( 1.0f / 32767.0f ), zero = gelSplatW( 0.0f );
	gelFloatW x = gelMulW( scale, gelLoadW( u ) ), y = gelMulW( scale, gelLoadW( v ) );
	gelFloatW z = gelSubW( gelSubW( gelSplatW( 1.0f ), gelAbsW( x ) ), gelAbsW( y ) );
	gelFloatW fold = gelMaxW( gelNegW( z ), zero ); // towards zero from either side
	x = gelSelectW( gelGreaterW( zero, x ), gelAddW( x, fold ), gelSubW( x, fold ) );
	y = gelSelectW( gelGreaterW( zero, y ), gelAddW( y, fold ), gelSubW( y, fold ) );
	return ( gelVec3W ){ x, y, z };
}

// (sum of w_k C_k) r of one vertex.
GEL_FORCE_INLINE gelFloat4 gelTurnNormal4(
	const gelPackView* pack, const gelVec4 ( *cofactors )[3], int i, const float r[3][GEL_LANES], int lane )
{
	const float* w = pack->embedWeights + 32 * (size_t)( i / 8 ) + i % 8;
	const uint32_t* node = pack->tets[pack->embedTets[i]].node;
	gelFloat4 n[3];
	for ( int d = 0; d < 3; ++d )
	{
		n[d] = gelMul4( gelSplat4( w[0] ), gelLoad4( cofactors[node[0]] + d ) );
		for ( int k = 1; k < 4; ++k )
			n[d] = gelAdd4( n[d], gelMul4( gelSplat4( w[8 * k] ), gelLoad4( cofactors[node[k]] + d ) ) );
		n[d] = gelMul4( gelSplat4( r[d][lane] ), n[d] );
	}
	return gelAdd4( gelAdd4( n[0], n[1] ), n[2] );
}

static int SkinNormals_W( const gelPackView* pack, const gelVec4 ( *cofactors )[3], int count, gelVec3* out )
{
	int flatCount = 0;
	for ( int first = 0; first < count; first += GEL_LANES )
	{
		int some = count - first < GEL_LANES ? count - first : GEL_LANES;
		gelVec3W rest = gelDecodeNormalsW( pack->normals + first, some );
		_Alignas( 64 ) float r[3][GEL_LANES];
		gelStoreW( r[0], rest.x );
		gelStoreW( r[1], rest.y );
		gelStoreW( r[2], rest.z );
		gelFloat4 parts[GEL_LANES];
		for ( int k = 0; k < GEL_LANES; ++k )
			parts[k] = k < some ? gelTurnNormal4( pack, cofactors, first + k, (const float( * )[8])r, k )
								: gelSplat4( 1.0f );
		gelNodesW n = gelCollectLanesW( parts );
		gelVec3W v = { n.x, n.y, n.z };
		gelFloatW length2 = gelDotW( v, v ), zero = gelSplatW( 0.0f );
		gelMaskW isFine = gelAndW( gelGreaterW( length2, gelSplatW( GEL_MIN_NORMAL2 ) ),
			gelGreaterW( gelSplatW( GEL_MAX_NORMAL2 ), length2 ) );
		gelFloatW inv = gelSelectW( isFine, gelDivW( gelSplatW( 1.0f ), gelSqrtW( length2 ) ), zero );
		flatCount += gelMaskBitsW( isFine ) != GEL_ALL_LANES;
		v = gelSelectVecW( isFine, gelScaleVecW( inv, v ), ( gelVec3W ){ zero, zero, zero } );
		gelDistributeLanesW( ( gelNodesW ){ v.x, v.y, v.z, zero }, parts );
		for ( int k = 0; k < some; ++k )
			gelStore3( out + first + k, parts[k] );
	}
	return flatCount;
}
