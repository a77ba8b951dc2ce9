// SPDX-License-Identifier: MIT
#include "solvers/particles/skin_blocks.h"

#include "skin/node_skin.h"

#include <string.h>

// What storing a block vertex by vertex costs, in entries.
#define GEL_SCATTER_ENTRIES 2

#define GEL_TILE_BLOCKS ( GEL_SKIN_TILE / GEL_SKIN_LANES )

// One tile while its order is sought.
typedef struct Tile
{
	// What carries each vertex in the upper bits, then its number in the tile; once more for sorting.
	uint64_t keys[2][GEL_SKIN_TILE];
	const uint64_t* order; // NULL: that of the art
	int first, count, entryCount;
} Tile;

#define GEL_TILE_BITS 11
_Static_assert( 1 << GEL_TILE_BITS == GEL_SKIN_TILE, "a number within the tile has its bits" );

static int GetVertex( const Tile* tile, int index )
{
	int last = gelMinInt( index, tile->count - 1 );
	if ( tile->order == NULL ) return tile->first + last;
	return tile->first + (int)( tile->order[last] & ( GEL_SKIN_TILE - 1 ) );
}

// Particles of a skin, ascending. The last one stands in for those that it does not have: three of four sort
// beside the four.
static uint64_t MakeKey( const gelPackSkin* skin, int bits )
{
	uint16_t sorted[4];
	int count = 0;
	for ( int k = 0; k < 4; ++k )
	{
		if ( skin->weight[k] == 0 ) continue;
		int at = count++;
		for ( ; at > 0 && sorted[at - 1] > skin->particle[k]; --at )
			sorted[at] = sorted[at - 1];
		sorted[at] = skin->particle[k];
	}
	uint64_t key = 0;
	for ( int k = 0; k < 4 && count > 0; ++k )
		key = key << bits | sorted[k < count ? k : count - 1];
	return key;
}

static int CountBits( uint32_t particleCount )
{
	int bits = 1;
	for ( ; particleCount > 1u << bits; ++bits )
	{
	}
	return bits;
}

// By counting, a byte after the other: equals stay in the order of the art.
static const uint64_t* SortKeys( Tile* tile, int keyBits )
{
	uint64_t *from = tile->keys[0], *to = tile->keys[1];
	for ( int shift = GEL_TILE_BITS; shift < GEL_TILE_BITS + keyBits; shift += 8 )
	{
		uint16_t first[257] = { 0 };
		for ( int i = 0; i < tile->count; ++i )
			++first[( from[i] >> shift & 255 ) + 1];
		for ( int k = 1; k < 257; ++k )
			first[k] = (uint16_t)( first[k] + first[k - 1] );
		for ( int i = 0; i < tile->count; ++i )
			to[first[from[i] >> shift & 255]++] = from[i];
		uint64_t* swapped = from;
		from = to;
		to = swapped;
	}
	return from;
}

static int CountTileEntries( const Tile* tile, const gelPackSkin* skins )
{
	uint8_t lastBlock[GEL_PACK_MAX_PARTICLES] = { 0 }; // the last block that a particle was met in, from 1
	_Static_assert( GEL_TILE_BLOCKS < 256, "blocks of a tile are numbered by bytes" );
	int count = 0;
	for ( int i = 0; i < tile->count; ++i )
	{
		const gelPackSkin* skin = skins + GetVertex( tile, i );
		uint8_t block = (uint8_t)( i / GEL_SKIN_LANES + 1 );
		for ( int k = 0; k < 4; ++k )
		{
			if ( skin->weight[k] == 0 || lastBlock[skin->particle[k]] == block ) continue;
			lastBlock[skin->particle[k]] = block;
			++count;
		}
	}
	return count;
}

static int CountTileBlocks( const Tile* tile )
{
	return ( tile->count + GEL_SKIN_LANES - 1 ) / GEL_SKIN_LANES;
}

// Finds the better of two orders.
static void OrderTile( Tile* tile, const gelPackView* pack, int index )
{
	const gelPackSkin* skins = pack->particles.vertexSkins;
	int bits = CountBits( pack->particles.header->particleCount );
	tile->first = index * GEL_SKIN_TILE;
	tile->count = gelMinInt( (int)pack->header->artVertexCount - tile->first, GEL_SKIN_TILE );
	tile->order = NULL;
	tile->entryCount = CountTileEntries( tile, skins );
	int scatter = GEL_SCATTER_ENTRIES * CountTileBlocks( tile ), least = 4 * CountTileBlocks( tile );
	if ( tile->entryCount <= least + scatter ) return; // no other order is much better
	for ( int i = 0; i < tile->count; ++i )
		tile->keys[0][i] = MakeKey( skins + tile->first + i, bits ) << GEL_TILE_BITS | (uint64_t)i;
	int artCount = tile->entryCount;
	tile->order = SortKeys( tile, 4 * bits );
	tile->entryCount = CountTileEntries( tile, skins );
	if ( tile->entryCount + scatter < artCount ) return;
	tile->order = NULL;
	tile->entryCount = artCount;
}

// | entryFirst | entries | particles | rests | normals | vertices | isSorted |
gelSkinModel gelSkinModel_LayOut( gelArena* arena, const gelPackView* pack )
{
	gelSkinModel skin = { .vertexCount = (int)pack->header->artVertexCount };
	skin.blockCount = ( skin.vertexCount + GEL_SKIN_LANES - 1 ) / GEL_SKIN_LANES;
	skin.tileCount = ( skin.vertexCount + GEL_SKIN_TILE - 1 ) / GEL_SKIN_TILE;
	size_t entryCount = 0, blocks = (size_t)skin.blockCount, lanes = GEL_SKIN_LANES * blocks;
	for ( int i = 0; i < skin.tileCount; ++i )
	{
		Tile tile;
		OrderTile( &tile, pack, i );
		entryCount += (size_t)tile.entryCount;
	}
	skin.entryFirst = gelArena_Take( arena, blocks + 1, sizeof( uint32_t ) );
	skin.entries = gelArena_Take( arena, entryCount, sizeof( gelSkinEntry ) );
	skin.particles = gelArena_Take( arena, entryCount, sizeof( uint16_t ) );
	skin.rests = gelArena_Take( arena, blocks, sizeof( gelSkinRest ) );
	skin.normals = gelArena_Take( arena, pack->normals ? lanes : 0, sizeof( gelPackNormal ) );
	skin.vertices = gelArena_Take( arena, lanes, sizeof( uint16_t ) );
	skin.isSorted = gelArena_Take( arena, (size_t)skin.tileCount, sizeof( uint8_t ) );
	return skin;
}

// A rest position, from the cage.
static gelVec3 GetRestVertex( const gelPackView* pack, int v )
{
	const float* w = pack->embedWeights + 32 * (size_t)( v / 8 ) + v % 8;
	const uint32_t* node = pack->tets[pack->embedTets[v]].node;
	gelVec3 p = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
	{
		const gelPackNode* x = pack->nodes + node[k];
		p = gelMulAdd( p, w[8 * k], gelMakeVec3( x->x, x->y, x->z ) );
	}
	return p;
}

// Adds the weights of a vertex to the entries of its block. @return the end of the entries
static uint32_t AddSkin( gelSkinModel* skin, const gelPackSkin* from, uint32_t first, uint32_t end, int lane )
{
	for ( int k = 0; k < 4; ++k )
	{
		if ( from->weight[k] == 0 ) continue;
		uint32_t e = first;
		while ( e < end && skin->particles[e] != from->particle[k] )
			++e;
		if ( e == end )
		{
			skin->particles[e] = from->particle[k];
			skin->entries[e] = ( gelSkinEntry ){ { 0 } };
			++end;
		}
		uint16_t* weight = skin->entries[e].weight + lane;
		*weight = (uint16_t)( *weight + from->weight[k] );
	}
	return end;
}

static uint32_t FillTile( gelSkinModel* skin, const gelPackView* pack, const Tile* tile, uint32_t entryEnd )
{
	int blockFirst = tile->first / GEL_SKIN_LANES, blockEnd = blockFirst + CountTileBlocks( tile );
	for ( int block = blockFirst; block < blockEnd; ++block )
	{
		uint32_t entryFirst = entryEnd;
		skin->entryFirst[block] = entryFirst;
		for ( int lane = 0; lane < GEL_SKIN_LANES; ++lane )
		{
			int slot = GEL_SKIN_LANES * block + lane, v = GetVertex( tile, slot - tile->first );
			gelVec3 rest = GetRestVertex( pack, v );
			for ( int k = 0; k < 3; ++k )
				skin->rests[block].x[k][lane] = ( &rest.x )[k];
			if ( skin->normals != NULL ) skin->normals[slot] = pack->normals[v];
			skin->vertices[slot] = (uint16_t)( v - tile->first );
			entryEnd = AddSkin( skin, pack->particles.vertexSkins + v, entryFirst, entryEnd, lane );
		}
	}
	return entryEnd;
}

void gelSkinModel_Fill( gelSkinModel* skin, const gelPackView* pack )
{
	uint32_t entryEnd = 0;
	for ( int i = 0; i < skin->tileCount; ++i )
	{
		Tile tile;
		OrderTile( &tile, pack, i );
		skin->isSorted[i] = tile.order != NULL;
		entryEnd = FillTile( skin, pack, &tile, entryEnd );
	}
	skin->entryFirst[skin->blockCount] = entryEnd;
}

// ---- one vertex ------------------------------------------------------------------------------------------

void gelSkinVertex_Ref(
	const gelSkinPass* pass, int block, int lane, gelVec3* outPosition, gelVec3* outNormal )
{
	const gelSkinModel* skin = pass->skin;
	float m[3][4]; // 65535 times the blended matrix
	for ( uint32_t e = skin->entryFirst[block]; e < skin->entryFirst[block + 1]; ++e )
	{
		const float* columns = &pass->palette[4 * (size_t)skin->particles[e]].x;
		float w = (float)skin->entries[e].weight[lane];
		for ( int k = 0; k < 12; ++k )
		{
			float term = w * columns[4 * ( k % 4 ) + k / 4];
			m[k / 4][k % 4] = e == skin->entryFirst[block] ? term : m[k / 4][k % 4] + term;
		}
	}
	gelVec3 n = { 0.0f, 0.0f, 0.0f };
	if ( outNormal != NULL ) n = gelDecodeNormal( skin->normals[GEL_SKIN_LANES * block + lane] );
	for ( int r = 0; r < 3; ++r )
	{
		float x = skin->rests[block].x[0][lane], y = skin->rests[block].x[1][lane];
		float sum = m[r][0] * x + m[r][1] * y + m[r][2] * skin->rests[block].x[2][lane] + m[r][3];
		( &outPosition->x )[r] = sum * ( 1.0f / 65535.0f ) + ( &pass->origin.x )[r];
		if ( outNormal != NULL ) ( &outNormal->x )[r] = m[r][0] * n.x + m[r][1] * n.y + m[r][2] * n.z;
	}
	if ( outNormal == NULL ) return;
	float length2 = gelMaxFloat( gelDot( *outNormal, *outNormal ), GEL_MIN_NORMAL2 );
	*outNormal = gelScale( 1.0f / sqrtf( length2 ), *outNormal );
}
