// SPDX-License-Identifier: MIT
// Skinning: art vertices as weighted sums of cage nodes, their normals by weighted sums of cofactors.
#include "skin/skin_kernels.h"

#include "simd/simd_columns.h"
#include "simd/wide_elements.h"
#include "skin/wide_normals.h"

#include <string.h>

static void SkinPositions_W(
	const gelPackView* pack, const gelVec4* x, const double origin[4], int first, int count, gelVec3* out )
{
	for ( int i = first; i < first + count; ++i )
	{
		const float* w = pack->embedWeights + 32 * (size_t)( i / 8 ) + i % 8;
		const uint32_t* node = pack->tets[pack->embedTets[i]].node;
		gelFloat4 p = gelMul4( gelSplat4( w[0] ), gelLoad4( x + node[0] ) );
		p = gelAdd4( p, gelMul4( gelSplat4( w[8] ), gelLoad4( x + node[1] ) ) );
		p = gelAdd4( p, gelMul4( gelSplat4( w[16] ), gelLoad4( x + node[2] ) ) );
		p = gelAdd4( p, gelMul4( gelSplat4( w[24] ), gelLoad4( x + node[3] ) ) );
		gelStore3( out + i - first, gelAddOrigin4( p, origin ) );
	}
}

// ---- cofactors at the nodes ----------------------------------------------------------------------------

// Cofactors of the deformation gradients of a block of tets, times six times their volume, added to their
// nodes; the sum of the volumes is in the fourth float. Empty slots have no gradient and weigh nothing.
GEL_FORCE_INLINE void gelAddCofactorsW( const gelElementBlock* block, const gelVec4* x, gelCofactors* nodes )
{
	gelVec3W x0 = gelLoadDisplacementsW( block, 0, x ), g[3];
	gelFloatW one = gelSplatW( 1.0f ), zero = gelSplatW( 0.0f );
	gelMat3W F;
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3W d = gelSubVecW( gelLoadDisplacementsW( block, k + 1, x ), x0 );
		g[k] = gelLoadElementGradientW( block, k );
		F.cx = k == 0 ? gelScaleVecW( g[k].x, d ) : gelMulAddVecW( F.cx, g[k].x, d );
		F.cy = k == 0 ? gelScaleVecW( g[k].y, d ) : gelMulAddVecW( F.cy, g[k].y, d );
		F.cz = k == 0 ? gelScaleVecW( g[k].z, d ) : gelMulAddVecW( F.cz, g[k].z, d );
	}
	gelFloatW det = gelDotW( g[0], gelCrossW( g[1], g[2] ) ); // 1 / (6 V)
	gelFloatW weight = gelSelectW( gelGreaterW( det, zero ), gelDivW( one, det ), zero );
	gelMat3W C = gelCofactorW( F );
	C = ( gelMat3W ){ gelScaleVecW( weight, C.cx ), gelScaleVecW( weight, C.cy ),
		gelScaleVecW( weight, C.cz ) };
	gelFloat4 parts[3][GEL_LANES];
	gelDistributeLanesW( ( gelNodesW ){ C.cx.x, C.cx.y, C.cx.z, weight }, parts[0] );
	gelDistributeLanesW( ( gelNodesW ){ C.cy.x, C.cy.y, C.cy.z, zero }, parts[1] );
	gelDistributeLanesW( ( gelNodesW ){ C.cz.x, C.cz.y, C.cz.z, zero }, parts[2] );
	for ( int lane = 0; lane < GEL_LANES; ++lane )
	{
		gelColumns term = gelMakeColumns( parts[0][lane], parts[1][lane], parts[2][lane] );
		for ( int k = 0; k < 4; ++k )
		{
			gelCofactors* node = nodes + block->node[k][lane] / sizeof( gelVec4 );
			gelStoreColumns( node, gelAddColumns( gelLoadColumns( node ), term ) );
		}
	}
}

static void AverageCofactors_W(
	const gelElementBlock* blocks, int blockCount, const gelVec4* x, int nodeCount, gelCofactors* nodes )
{
	memset( nodes, 0, ( (size_t)nodeCount + 1 ) * sizeof( gelCofactors ) );
	for ( int i = 0; i < blockCount; ++i )
		gelAddCofactorsW( blocks + i, x, nodes );
	for ( int i = 0; i < nodeCount; ++i )
	{
		float sum = nodes[i].column[0].w, inv = sum > 0.0f ? 1.0f / sum : 0.0f;
		gelStoreColumns( nodes + i, gelScaleColumns( inv, gelLoadColumns( nodes + i ) ) );
	}
}

// ---- normals ---------------------------------------------------------------------------------------------

// Rest normals of the last few vertices.
GEL_FORCE_INLINE gelVec3W gelDecodeSomeW( const gelPackNormal* packed, int count )
{
	gelPackNormal some[GEL_LANES];
	memset( some, 0, sizeof( some ) );
	memcpy( some, packed, (size_t)count * sizeof( gelPackNormal ) );
	return gelDecodeNormalsW( some );
}

// Sum of w_k C_k of one vertex, by columns.
GEL_FORCE_INLINE void gelBlendCofactors(
	const gelPackView* pack, const gelCofactors* nodes, int i, gelFloat4 out[3] )
{
	const float* w = pack->embedWeights + 32 * (size_t)( i / 8 ) + i % 8;
	const uint32_t* node = pack->tets[pack->embedTets[i]].node;
	gelColumns n = gelScaleColumns( w[0], gelLoadColumns( nodes + node[0] ) );
	n = gelAddColumns( n, gelScaleColumns( w[8], gelLoadColumns( nodes + node[1] ) ) );
	n = gelAddColumns( n, gelScaleColumns( w[16], gelLoadColumns( nodes + node[2] ) ) );
	n = gelAddColumns( n, gelScaleColumns( w[24], gelLoadColumns( nodes + node[3] ) ) );
	gelSplitColumns( n, out );
}

// (sum of w_k C_k) r of eight vertices that follow each other. Embeddings are padded to eight.
GEL_FORCE_INLINE gelVec3W gelTurnNormalsW(
	const gelPackView* pack, const gelCofactors* nodes, int first, gelVec3W r )
{
	gelFloat4 parts[3][GEL_LANES];
	for ( int k = 0; k < GEL_LANES; ++k )
	{
		gelFloat4 columns[3];
		gelBlendCofactors( pack, nodes, first + k, columns );
		parts[0][k] = columns[0];
		parts[1][k] = columns[1];
		parts[2][k] = columns[2];
	}
	gelNodesW x = gelCollectLanesW( parts[0] ), y = gelCollectLanesW( parts[1] ),
			  z = gelCollectLanesW( parts[2] );
	return gelMulMVW( ( gelMat3W ){ { x.x, x.y, x.z }, { y.x, y.y, y.z }, { z.x, z.y, z.z } }, r );
}

// Unit normals of eight vertices; zero where they have no length. @return whether all have one
GEL_FORCE_INLINE bool gelNormalizeLanesW( gelVec3W v, gelFloat4 out[GEL_LANES] )
{
	gelFloatW length2 = gelDotW( v, v ), zero = gelSplatW( 0.0f );
	gelMaskW isFine = gelAndW( gelGreaterW( length2, gelSplatW( GEL_MIN_NORMAL2 ) ),
		gelGreaterW( gelSplatW( GEL_MAX_NORMAL2 ), length2 ) );
	gelFloatW inv = gelSelectW( isFine, gelDivW( gelSplatW( 1.0f ), gelSqrtW( length2 ) ), zero );
	v = gelSelectVecW( isFine, gelScaleVecW( inv, v ), ( gelVec3W ){ zero, zero, zero } );
	gelDistributeLanesW( ( gelNodesW ){ v.x, v.y, v.z, zero }, out );
	return gelMaskBitsW( isFine ) == GEL_ALL_LANES;
}

static int SkinNormals_W(
	const gelPackView* pack, const gelCofactors* nodes, int first, int count, gelVec3* out )
{
	int flatCount = 0, end = first + count;
	gelFloat4 parts[GEL_LANES];
	for ( ; first + GEL_LANES <= end; first += GEL_LANES, out += GEL_LANES )
	{
		gelVec3W rest = gelDecodeNormalsW( pack->normals + first );
		flatCount += !gelNormalizeLanesW( gelTurnNormalsW( pack, nodes, first, rest ), parts );
		// the fourth float of a store is overwritten by the next one
		for ( int k = 0; k < GEL_LANES - 1; ++k )
			gelStoreAny4( out + k, parts[k] );
		gelStore3( out + GEL_LANES - 1, parts[GEL_LANES - 1] );
	}
	if ( first == end ) return flatCount;
	gelVec3W rest = gelDecodeSomeW( pack->normals + first, end - first );
	flatCount += !gelNormalizeLanesW( gelTurnNormalsW( pack, nodes, first, rest ), parts );
	for ( int k = 0; first + k < end; ++k )
		gelStore3( out + k, parts[k] );
	return flatCount;
}

GEL_KERNELS( gelSkinKernels, gelGetSkinKernels ) = { SkinPositions_W, AverageCofactors_W, SkinNormals_W };
