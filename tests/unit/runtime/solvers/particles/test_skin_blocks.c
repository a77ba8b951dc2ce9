// SPDX-License-Identifier: MIT
// Skinning of art on particles: blocks hold every vertex once with the weights of the pack, in whichever
// order; all kernels give the bits of the code for one vertex, write what they should and nothing else, and
// are near the definition in double.
#include "test_support.h"

#include "skin/node_skin.h"
#include "solvers/particles/skin_blocks.h"
#include "math/turn_math.h"

#include <math.h>
#include <string.h>

#define MAX_VERTICES  6000
#define MAX_PARTICLES 4096

// A pack of nothing but vertices with skins, in a cage of one tet.
typedef struct Art
{
	gelPackHeader header;
	gelPackParticles particleHeader;
	gelPackTet tet;
	gelPackNode nodes[4];
	gelPackSkin skins[MAX_VERTICES];
	gelPackNormal normals[MAX_VERTICES];
	uint32_t embedTets[MAX_VERTICES];
	float embedWeights[4 * ( MAX_VERTICES + 8 )];
	gelPackView view;
	gelSkinModel skin;
	void* memory;
	size_t memoryBytes;
	_Alignas( 64 ) gelVec4 palette[4 * MAX_PARTICLES];
} Art;

static Art s_art;

typedef enum Order
{
	ORDER_ALONG,     // neighbors in the list have the same particles, nearly
	ORDER_SCATTERED, // one of few fours, at random
	ORDER_WILD,      // any four
} Order;

static gelPackSkin MakeSkin( Order order, int i, int vertexCount, int particleCount, gelRandom* random )
{
	gelPackSkin skin = { { 0 }, { 0 } };
	int used = 1 + (int)( gelRandom_Next( random ) % 4 ), left = 65535;
	int base = order == ORDER_ALONG ? i * particleCount / vertexCount
									: (int)( gelRandom_Next( random ) % (unsigned)particleCount );
	if ( order == ORDER_SCATTERED ) base = base % 12 * particleCount / 12;
	if ( order != ORDER_WILD ) used = 4;
	for ( int k = 0; k < used; ++k )
	{
		int any = (int)( gelRandom_Next( random ) % (unsigned)particleCount );
		skin.particle[k] = (uint16_t)( order == ORDER_WILD ? any : ( base + k ) % particleCount );
		int share = k == used - 1 ? left : (int)( gelRandom_Next( random ) % (unsigned)( left + 1 ) );
		skin.weight[k] = (uint16_t)share;
		left -= share;
	}
	return skin;
}

static void MakePalette( int particleCount, gelRandom* random )
{
	for ( int i = 0; i < particleCount; ++i )
	{
		gelMat3 R = gelMakeMat3FromQuat( gelMakeTurn( gelMakeVec3( (float)gelRandom_Normal( random ),
			(float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ) ) ) );
		const gelVec3 columns[4] = { R.cx, R.cy, R.cz,
			gelMakeVec3( (float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ), 0.5f ) };
		for ( int k = 0; k < 4; ++k )
			s_art.palette[4 * i + k] = gelMakeVec4( columns[k], 0.0f );
	}
}

static void MakeArt( Order order, int vertexCount, int particleCount, gelRandom* random )
{
	memset( &s_art, 0, sizeof( s_art ) );
	s_art.header.artVertexCount = (uint32_t)vertexCount;
	s_art.particleHeader.particleCount = (uint32_t)particleCount;
	for ( uint32_t k = 0; k < 4; ++k )
	{
		s_art.tet.node[k] = k;
		s_art.nodes[k] = ( gelPackNode ){ .x = k == 1, .y = k == 2, .z = k == 3 };
	}
	for ( int i = 0; i < vertexCount; ++i )
	{
		s_art.skins[i] = MakeSkin( order, i, vertexCount, particleCount, random );
		s_art.normals[i].u = (int16_t)( gelRandom_Next( random ) % 65535 - 32767 );
		s_art.normals[i].v = (int16_t)( gelRandom_Next( random ) % 65535 - 32767 );
		for ( int k = 0; k < 4; ++k )
			s_art.embedWeights[32 * ( i / 8 ) + 8 * k + i % 8] =
				(float)gelRandom_Uniform( random, -1.0, 2.0 );
	}
	s_art.view = ( gelPackView ){ .header = &s_art.header,
		.nodes = s_art.nodes,
		.tets = &s_art.tet,
		.embedTets = s_art.embedTets,
		.embedWeights = s_art.embedWeights,
		.normals = s_art.normals };
	s_art.view.particles.header = &s_art.particleHeader;
	s_art.view.particles.vertexSkins = s_art.skins;
	MakePalette( particleCount, random );
	gelArena arena = { 0 };
	gelSkinModel_LayOut( &arena, &s_art.view );
	const gelAllocator allocator = { 0 };
	s_art.memoryBytes = arena.bytes;
	s_art.memory = gelAllocate( &allocator, arena.bytes );
	assert_non_null( s_art.memory );
	arena = ( gelArena ){ .base = s_art.memory };
	s_art.skin = gelSkinModel_LayOut( &arena, &s_art.view );
	assert_int_equal( arena.bytes, s_art.memoryBytes );
	gelSkinModel_Fill( &s_art.skin, &s_art.view );
}

static void FreeArt( void )
{
	const gelAllocator allocator = { 0 };
	gelFree( &allocator, s_art.memory, s_art.memoryBytes );
}

static int GetVertex( int slot )
{
	return slot / GEL_SKIN_TILE * GEL_SKIN_TILE + s_art.skin.vertices[slot];
}

// Weight of a particle for a vertex, by the pack.
static int GetWeight( const gelPackSkin* skin, int particle )
{
	int sum = 0;
	for ( int k = 0; k < 4; ++k )
		sum += skin->particle[k] == particle ? skin->weight[k] : 0;
	return sum;
}

// Every vertex is in one lane, or at the end of a tile repeated, with the weights of the pack.
static void CheckBlocks( int vertexCount )
{
	static uint8_t seen[MAX_VERTICES];
	memset( seen, 0, sizeof( seen ) );
	const gelSkinModel* skin = &s_art.skin;
	assert_int_equal( skin->blockCount, ( vertexCount + 15 ) / 16 );
	for ( int block = 0; block < skin->blockCount; ++block )
	{
		for ( int lane = 0; lane < GEL_SKIN_LANES; ++lane )
		{
			int slot = GEL_SKIN_LANES * block + lane, v = GetVertex( slot ), sum = 0;
			assert_in_range( v, 0, vertexCount - 1 );
			assert_true( seen[v] == 0 || slot >= vertexCount );
			seen[v] = 1;
			if ( !skin->isSorted[slot / GEL_SKIN_TILE] && slot < vertexCount ) assert_int_equal( v, slot );
			assert_memory_equal( skin->normals + slot, s_art.normals + v, sizeof( gelPackNormal ) );
			for ( uint32_t e = skin->entryFirst[block]; e < skin->entryFirst[block + 1]; ++e )
			{
				int weight = skin->entries[e].weight[lane];
				assert_int_equal( weight, GetWeight( s_art.skins + v, skin->particles[e] ) );
				sum += weight;
			}
			assert_int_equal( sum, 65535 );
		}
	}
	for ( int v = 0; v < vertexCount; ++v )
		assert_true( seen[v] );
}

// Art in a good order is left in it; art in a bad one costs little more.
static void TestOrders( void** state )
{
	(void)state;
	gelRandom random = { 21 };
	const int counts[] = { 1, 15, 16, 17, 2047, 2048, 2049, 6000 };
	for ( int c = 0; c < 8; ++c )
	{
		for ( int order = ORDER_ALONG; order <= ORDER_WILD; ++order )
		{
			MakeArt( (Order)order, counts[c], 100, &random );
			CheckBlocks( counts[c] );
			const gelSkinModel* skin = &s_art.skin;
			double entries = (double)skin->entryFirst[skin->blockCount] / skin->blockCount;
			if ( order == ORDER_ALONG && counts[c] > 2000 )
				assert_true( entries < 6.0 && !skin->isSorted[0] );
			if ( order == ORDER_SCATTERED && counts[c] > 2000 )
				assert_true( entries < 6.0 && skin->isSorted[0] );
			FreeArt();
		}
	}
	MakeArt( ORDER_WILD, 3000, MAX_PARTICLES, &random );
	CheckBlocks( 3000 );
	FreeArt();
}

// ---- kernels ---------------------------------------------------------------------------------------------

static const gelSimdLevel s_levels[] = { gel_simdScalar, gel_simdSse2, gel_simdAvx2, gel_simdNeon,
	gel_simdAvx512 };

#define MAX_STRIDE 36
#define GUARD      0x5A

static gelVec3 s_positions[MAX_VERTICES], s_normals[MAX_VERTICES]; // art by the reference, by vertex
static char s_buffers[2][MAX_STRIDE * MAX_VERTICES + 64];

// What a kernel wrote: the bits of the reference for the first vertices, and guards everywhere else.
static void CheckBuffer( const char* buffer, size_t stride, int count, const gelVec3* expected )
{
	size_t at = 0;
	for ( int v = 0; v < count; ++v )
	{
		assert_memory_equal( buffer + stride * (size_t)v, expected + v, sizeof( gelVec3 ) );
		for ( at = stride * (size_t)v + sizeof( gelVec3 ); at < stride * (size_t)( v + 1 ); ++at )
			assert_int_equal( buffer[at], GUARD );
	}
	for ( size_t k = 0; k < 48; ++k )
		assert_int_equal( buffer[stride * (size_t)count + k], GUARD );
}

// @param shift floats that the output is off an aligned place
static void CheckKernel( gelSimdLevel level, gelSkinPass pass, int shift, bool hasP, bool hasN )
{
	memset( s_buffers, GUARD, sizeof( s_buffers ) );
	char* p = s_buffers[0] + sizeof( float ) * (size_t)shift;
	char* n = s_buffers[1] + sizeof( float ) * (size_t)shift;
	pass.positions = hasP ? p : NULL;
	pass.normals = hasN ? n : NULL;
	gelGetSkinBlockKernels( level )->vertices( &pass );
	CheckBuffer( p, pass.stride, hasP ? pass.vertexCount : 0, s_positions );
	CheckBuffer( n, pass.stride, hasN ? pass.vertexCount : 0, s_normals );
	for ( int k = 0; k < shift; ++k )
		assert_int_equal( s_buffers[0][k], GUARD );
}

static void MakeReference( const gelSkinPass* pass )
{
	for ( int slot = 0; slot < GEL_SKIN_LANES * pass->skin->blockCount; ++slot )
	{
		int v = GetVertex( slot );
		gelSkinVertex_Ref(
			pass, slot / GEL_SKIN_LANES, slot % GEL_SKIN_LANES, s_positions + v, s_normals + v );
	}
}

static void TestTwins( void** state )
{
	(void)state;
	gelRandom random = { 4 };
	const int counts[] = { 1, 7, 8, 9, 16, 23, 33, 2048, 2061, 4100 };
	const size_t strides[] = { 12, 16, 24, 36 };
	for ( int c = 0; c < 10; ++c )
	{
		MakeArt( (Order)( c % 3 ), counts[c], c < 5 ? 4 : 60, &random );
		gelSkinPass pass = { &s_art.skin, s_art.palette, { 10.1f, -200.7f, 3.0e4f }, 0, s_art.skin.tileCount,
			counts[c], NULL, NULL, 12 };
		MakeReference( &pass );
		for ( int level = 0; level < 5; ++level )
		{
			if ( gelFindSimdLevel( s_levels[level] ) != s_levels[level] ) continue;
			for ( int s = 0; s < 4; ++s )
			{
				pass.stride = strides[s];
				// all of them, all but some, a few
				pass.vertexCount = s == 0 ? counts[c]
					: s == 1              ? 1 + counts[c] / 2
										  : gelMinInt( 5, counts[c] );
				pass.tileEnd = ( pass.vertexCount + GEL_SKIN_TILE - 1 ) / GEL_SKIN_TILE;
				CheckKernel( s_levels[level], pass, s, true, true );
				CheckKernel( s_levels[level], pass, s, true, false );
				CheckKernel( s_levels[level], pass, s, false, true );
			}
		}
		FreeArt();
	}
}

// One tile of several, as threads do it.
static void TestTiles( void** state )
{
	(void)state;
	gelRandom random = { 7 };
	MakeArt( ORDER_SCATTERED, 5000, 30, &random );
	gelSkinPass pass = { &s_art.skin, s_art.palette, { 0.0f, 0.0f, 0.0f }, 1, 2, 5000, s_buffers[0],
		s_buffers[1], 12 };
	MakeReference( &pass );
	memset( s_buffers, GUARD, sizeof( s_buffers ) );
	gelGetSkinBlockKernels( gelFindSimdLevel( gel_simdAutomatic ) )->vertices( &pass );
	size_t tileBytes = GEL_SKIN_TILE * sizeof( gelVec3 );
	for ( size_t k = 0; k < tileBytes; ++k )
		assert_true( s_buffers[0][k] == GUARD && s_buffers[1][k] == GUARD );
	CheckBuffer( s_buffers[0] + tileBytes, 12, GEL_SKIN_TILE, s_positions + GEL_SKIN_TILE );
	CheckBuffer( s_buffers[1] + tileBytes, 12, GEL_SKIN_TILE, s_normals + GEL_SKIN_TILE );
	FreeArt();
}

// ---- the definition --------------------------------------------------------------------------------------

// Sums of s_j M_j of a vertex times something, in double.
static void Blend( const gelPackSkin* skin, const double x[4], double out[3] )
{
	out[0] = out[1] = out[2] = 0.0;
	for ( int k = 0; k < 4; ++k )
	{
		const gelVec4* columns = s_art.palette + 4 * skin->particle[k];
		for ( int r = 0; r < 3; ++r )
		{
			for ( int c = 0; c < 4; ++c )
				out[r] += skin->weight[k] / 65535.0 * (double)( &columns[c].x )[r] * x[c];
		}
	}
}

// Errors of a few roundings: at most 64 entries in a wild block, of which all but four are zero and exact;
// sums of up to 8 products of numbers below 4.
static void TestDefinition( void** state )
{
	(void)state;
	gelRandom random = { 31 };
	for ( int order = ORDER_ALONG; order <= ORDER_WILD; ++order )
	{
		MakeArt( (Order)order, 3000, 50, &random );
		gelSkinPass pass = { &s_art.skin, s_art.palette, { 1.0f, 2.0f, 3.0f }, 0, s_art.skin.tileCount, 3000,
			NULL, NULL, 12 };
		MakeReference( &pass );
		for ( int v = 0; v < 3000; ++v )
		{
			const float* w = s_art.embedWeights + 32 * ( v / 8 ) + v % 8;
			gelVec3 decoded = gelDecodeNormal( s_art.normals[v] );
			const double rest[4] = { w[8], w[16], w[24], 1.0 },
						 flat[4] = { decoded.x, decoded.y, decoded.z, 0.0 };
			double p[3], n[3];
			Blend( s_art.skins + v, rest, p );
			Blend( s_art.skins + v, flat, n );
			double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
			for ( int r = 0; r < 3; ++r )
			{
				assert_true( fabs( p[r] + r + 1.0 - (double)( &s_positions[v].x )[r] ) < 4e-6 );
				assert_true( fabs( n[r] - length * (double)( &s_normals[v].x )[r] ) < 1e-6 );
			}
		}
		FreeArt();
	}
}

// Rotations that cancel leave no normal, and no NaN.
static void TestNoNormal( void** state )
{
	(void)state;
	gelRandom random = { 2 };
	MakeArt( ORDER_ALONG, 40, 4, &random );
	memset( s_art.palette, 0, sizeof( s_art.palette ) );
	gelSkinPass pass = { &s_art.skin, s_art.palette, { 0.0f, 0.0f, 0.0f }, 0, 1, 40, NULL, NULL, 12 };
	MakeReference( &pass );
	for ( int v = 0; v < 40; ++v )
		assert_true( gelLength( s_normals[v] ) == 0.0f );
	FreeArt();
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestOrders ),
		cmocka_unit_test( TestTwins ),
		cmocka_unit_test( TestTiles ),
		cmocka_unit_test( TestDefinition ),
		cmocka_unit_test( TestNoNormal ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
