// SPDX-License-Identifier: MIT
// Linear blend skinning of vertices in blocks (skin_blocks.h): the wide twin of gelSkinVertex_Ref. Eight or
// sixteen vertices at a time, each element of a matrix in all lanes.
#include "solvers/particles/skin_blocks.h"

// On AVX-512 the kernel is the one of sixteen lanes.
#if !defined( GEL_SIMD_AVX512VL )

#include "skin/wide_normals.h"

// Rows of the blended matrix at a time. All three need twelve registers for sums, which is more than pairs of
// four lanes leave.
#if defined( GEL_SIMD_AVX512 ) || defined( GEL_SIMD_AVX2 )
#define GEL_SKIN_ROWS 3
#else
#define GEL_SKIN_ROWS 1
#endif

// Some rows of 65535 times the blended matrices. @param columnCount 4, or 3 without translations
GEL_FORCE_INLINE void gelBlendRowsW(
	const gelSkinPass* pass, int block, int lane, int row, int columnCount, gelFloatW out[GEL_SKIN_ROWS][4] )
{
	const gelSkinModel* skin = pass->skin;
	uint32_t e = skin->entryFirst[block], end = skin->entryFirst[block + 1];
	const float* m = &pass->palette[4 * (size_t)skin->particles[e]].x + row;
	gelFloatW w = gelLoadWordsW( skin->entries[e].weight + lane );
	for ( int r = 0; r < GEL_SKIN_ROWS; ++r )
	{
		for ( int c = 0; c < columnCount; ++c )
			out[r][c] = gelMulW( w, gelSplatW( m[4 * c + r] ) );
	}
	for ( ++e; e < end; ++e )
	{
		m = &pass->palette[4 * (size_t)skin->particles[e]].x + row;
		w = gelLoadWordsW( skin->entries[e].weight + lane );
		for ( int r = 0; r < GEL_SKIN_ROWS; ++r )
		{
			for ( int c = 0; c < columnCount; ++c )
				out[r][c] = gelAddW( out[r][c], gelMulW( w, gelSplatW( m[4 * c + r] ) ) );
		}
	}
}

// Positions and normals of one half of a block, or of a whole one, by coordinate.
GEL_FORCE_INLINE void gelSkinLanesW( const gelSkinPass* pass, int block, int lane, bool hasPositions,
	bool hasNormals, gelFloatW p[3], gelFloatW n[3] )
{
	const gelSkinModel* skin = pass->skin;
	gelFloatW unit = gelSplatW( 1.0f / 65535.0f );
	const float* rest = skin->rests[block].x[0] + lane;
	gelVec3W x = { gelLoadW( rest ), gelLoadW( rest + GEL_SKIN_LANES ),
		gelLoadW( rest + 2 * GEL_SKIN_LANES ) };
	gelVec3W r = x;
	if ( hasNormals ) r = gelDecodeNormalsW( skin->normals + GEL_SKIN_LANES * (size_t)block + lane );
	for ( int row = 0; row < 3; row += GEL_SKIN_ROWS )
	{
		gelFloatW m[GEL_SKIN_ROWS][4];
		gelBlendRowsW( pass, block, lane, row, hasPositions ? 4 : 3, m );
		for ( int k = 0; k < GEL_SKIN_ROWS; ++k )
		{
			gelVec3W turn = { m[k][0], m[k][1], m[k][2] };
			gelFloatW origin = gelSplatW( ( &pass->origin.x )[row + k] );
			if ( hasPositions )
				p[row + k] = gelAddW( gelMulW( gelAddW( gelDotW( turn, x ), m[k][3] ), unit ), origin );
			if ( hasNormals ) n[row + k] = gelDotW( turn, r );
		}
	}
	if ( !hasNormals ) return;
	gelVec3W v = { n[0], n[1], n[2] };
	gelFloatW length2 = gelMaxW( gelDotW( v, v ), gelSplatW( GEL_MIN_NORMAL2 ) );
	gelFloatW inv = gelDivW( gelSplatW( 1.0f ), gelSqrtW( length2 ) );
	for ( int k = 0; k < 3; ++k )
		n[k] = gelMulW( inv, n[k] );
}

// Where the vertices of some lanes go.
typedef struct gelVertexLanes
{
	const uint16_t* vertices; // in their tile
	size_t stride;
	int count;  // vertices of the tile from here on are not written
	bool isRun; // they follow each other, without gaps
} gelVertexLanes;

// @param out the first vertex of the tile
GEL_FORCE_INLINE void gelStoreVerticesW( const gelVertexLanes* to, char* out, const gelFloatW a[3] )
{
	if ( to->isRun )
	{
		gelStoreTriplesW( out + sizeof( gelVec3 ) * to->vertices[0], a[0], a[1], a[2] );
		return;
	}
	gelFloat4 parts[GEL_LANES];
	gelDistributeLanesW( ( gelNodesW ){ a[0], a[1], a[2], a[2] }, parts );
	for ( int k = 0; k < GEL_LANES; ++k )
	{
		if ( to->vertices[k] < to->count ) gelStoreTriple( out + to->stride * to->vertices[k], parts[k] );
	}
}

GEL_FORCE_INLINE void gelSkinTileW( const gelSkinPass* pass, int tile, bool hasPositions, bool hasNormals )
{
	const gelSkinModel* skin = pass->skin;
	int vertexFirst = tile * GEL_SKIN_TILE, blocks = GEL_SKIN_TILE / GEL_SKIN_LANES;
	int blockEnd = gelMinInt( ( tile + 1 ) * blocks, skin->blockCount );
	bool hasRuns = !skin->isSorted[tile] && pass->stride == sizeof( gelVec3 );
	gelVertexLanes to = { NULL, pass->stride, pass->vertexCount - vertexFirst, false };
	char* positions = hasPositions ? pass->positions + pass->stride * (size_t)vertexFirst : NULL;
	char* normals = hasNormals ? pass->normals + pass->stride * (size_t)vertexFirst : NULL;
	for ( int block = tile * blocks; block < blockEnd; ++block )
	{
		for ( int lane = 0; lane < GEL_SKIN_LANES; lane += GEL_LANES )
		{
			int slot = GEL_SKIN_LANES * block + lane;
			gelFloatW p[3], n[3];
			to.vertices = skin->vertices + slot;
			to.isRun = hasRuns && slot + GEL_LANES <= pass->vertexCount;
			gelSkinLanesW( pass, block, lane, hasPositions, hasNormals, p, n );
			if ( hasPositions ) gelStoreVerticesW( &to, positions, p );
			if ( hasNormals ) gelStoreVerticesW( &to, normals, n );
		}
	}
}

static void SkinVertices_W( const gelSkinPass* pass )
{
	for ( int tile = pass->tileFirst; tile < pass->tileEnd; ++tile )
	{
		if ( pass->positions != NULL && pass->normals != NULL )
			gelSkinTileW( pass, tile, true, true );
		else if ( pass->positions != NULL )
			gelSkinTileW( pass, tile, true, false );
		else if ( pass->normals != NULL )
			gelSkinTileW( pass, tile, false, true );
	}
}

GEL_KERNELS_OF( gelSkinBlockKernels, gelGetSkinBlockKernels, avx2, avx512_wide ) = { SkinVertices_W };

#endif
