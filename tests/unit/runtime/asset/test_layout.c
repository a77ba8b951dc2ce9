// SPDX-License-Identifier: MIT
// Laws of the order in which a pack keeps nodes and tets: the order of the cage does not matter for speed,
// and for motion only as far as rounding goes; what a game knows by the numbers of its cage is found again.
#include "test_support.h"

#include "small_pack.h"
#include "test_bodies.h"

#include "asset/asset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Setup
{
	gelCage cage;
	uint8_t* pack;
	size_t packBytes;
	gelAsset* asset;
} Setup;

static gelCage MakeBeam( void )
{
	return gelMakeBoxCage( 15, 5, 6, 1.5, 0.5, 0.6, gel_boxSplitSix ); // 2700 tets
}

// Numbers 0 .. count - 1 in an order of their own for each seed.
static uint32_t* MakePermutation( uint32_t count, uint64_t seed )
{
	uint32_t* p = calloc( count, sizeof( uint32_t ) );
	assert_non_null( p );
	gelRandom random = { seed };
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t j = (uint32_t)( gelRandom_Next( &random ) % ( i + 1 ) );
		p[i] = p[j];
		p[j] = i;
	}
	return p;
}

// The same cage with other numbers.
static gelCage ShuffleCage( const gelCage* cage, uint64_t seed )
{
	uint32_t* nodes = MakePermutation( cage->nodeCount, seed );
	uint32_t* tets = MakePermutation( cage->tetCount, seed + 1 );
	gelCage out = *cage;
	out.positions = calloc( 3 * (size_t)cage->nodeCount, sizeof( double ) );
	out.tets = calloc( 4 * (size_t)cage->tetCount, sizeof( uint32_t ) );
	assert_true( out.positions != NULL && out.tets != NULL );
	for ( size_t i = 0; i < 3 * (size_t)cage->nodeCount; ++i )
		out.positions[3 * (size_t)nodes[i / 3] + i % 3] = cage->positions[i];
	for ( size_t i = 0; i < 4 * (size_t)cage->tetCount; ++i )
		out.tets[4 * (size_t)tets[i / 4] + i % 4] = nodes[cage->tets[i]];
	free( nodes );
	free( tets );
	return out;
}

// Bakes the cage with its left end pinned, and takes it.
static Setup Bake( gelCage cage, double poissonsRatio )
{
	gelBakePinSet pins = { .nodes = calloc( cage.nodeCount, sizeof( uint32_t ) ) };
	assert_non_null( pins.nodes );
	for ( uint32_t i = 0; i < cage.nodeCount; ++i )
	{
		if ( cage.positions[3 * (size_t)i] < 1e-9 ) pins.nodes[pins.nodeCount++] = i;
	}
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.material.poissonsRatio = poissonsRatio;
	settings.pinSets = &pins;
	settings.pinSetCount = 1;
	settings.collision = gel_collisionNone;
	Setup s = { .cage = cage };
	s.pack = gelBakeTestBodyAs( &cage, &settings, &s.packBytes );
	assert_int_equal( gelOpenAsset( s.pack, s.packBytes, NULL, &s.asset, NULL ), gel_success );
	free( pins.nodes );
	return s;
}

static void Free( Setup* s )
{
	gelDestroyAsset( s->asset );
	gelFreeCage( &s->cage );
	free( s->pack );
}

static uint32_t GetSource( const uint32_t* sources, uint32_t i )
{
	return sources != NULL ? sources[i] : i;
}

// Positions [m] after some swings of the beam, by the numbers of the cage.
static gelVec3* Swing( const Setup* s )
{
	const size_t n = s->cage.nodeCount;
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelWorldId world;
	gelBodyDef bodyDef = gelDefaultBodyDef();
	gelBodyId body;
	bodyDef.asset = s->asset;
	gelAsset_GetPinSets( s->asset, &bodyDef.pinSetId, 1 );
	assert_int_equal( gelCreateWorld( &worldDef, &world ), gel_success );
	assert_int_equal( gelCreateBody( world, &bodyDef, &body ), gel_success );
	for ( int i = 0; i < 40; ++i )
		assert_int_equal( gelWorld_Step( world, 1.0f / 60.0f ), gel_success );
	gelVec3 *x = calloc( n, sizeof( gelVec3 ) ), *out = calloc( n, sizeof( gelVec3 ) );
	assert_true( x != NULL && out != NULL );
	assert_int_equal( gelBody_GetNodePositions( body, x, (int)n ), (int)n );
	for ( uint32_t i = 0; i < n; ++i )
		out[GetSource( gelAsset_GetSourceNodes( s->asset ), i )] = x[i];
	free( x );
	gelDestroyWorld( world );
	return out;
}

// Mean distance of the smallest and the largest node of a tet, and of the smallest nodes of tets that follow
// each other, in numbers of nodes.
static double MeasureSpan( const gelAsset* asset )
{
	const uint32_t* tets = gelAsset_GetTets( asset );
	double sum = 0.0;
	uint32_t before = 0;
	for ( int t = 0; t < asset->tetCount; ++t )
	{
		uint32_t low = UINT32_MAX, high = 0;
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t node = tets[4 * t + k];
			low = node < low ? node : low;
			high = node > high ? node : high;
		}
		sum += (double)( high - low ) + fabs( (double)low - (double)before );
		before = low;
	}
	return sum / asset->tetCount;
}

static void ShuffledCagesAreAsLocal( void** state )
{
	(void)state;
	Setup regular = Bake( MakeBeam(), 0.33 ), shuffled = Bake( ShuffleCage( &regular.cage, 5 ), 0.33 );
	assert_true( MeasureSpan( shuffled.asset ) < 1.2 * MeasureSpan( regular.asset ) );
	Free( &regular );
	Free( &shuffled );
}

// Cages that are in a good order, or too small for it to matter, keep it.
static void GoodOrdersAreKept( void** state )
{
	(void)state;
	gelCage small = gelMakeBoxCage( 4, 4, 4, 1.0, 1.0, 1.0, gel_boxSplitSix );
	Setup setups[] = { Bake( MakeBeam(), 0.33 ), Bake( ShuffleCage( &small, 3 ), 0.33 ) };
	for ( int i = 0; i < 2; ++i )
	{
		assert_null( gelAsset_GetSourceNodes( setups[i].asset ) );
		assert_null( gelAsset_GetSourceTets( setups[i].asset ) );
		assert_memory_equal( gelAsset_GetTets( setups[i].asset ), setups[i].cage.tets,
			4 * (size_t)setups[i].cage.tetCount * sizeof( uint32_t ) );
		Free( setups + i );
	}
	gelFreeCage( &small );
}

static void SourcesLeadBackToTheCage( void** state )
{
	(void)state;
	gelCage beam = MakeBeam();
	Setup s = Bake( ShuffleCage( &beam, 7 ), 0.33 );
	const uint32_t* nodes = gelAsset_GetSourceNodes( s.asset );
	const uint32_t *tets = gelAsset_GetTets( s.asset ), *sourceTets = gelAsset_GetSourceTets( s.asset );
	assert_true( nodes != NULL && sourceTets != NULL );
	for ( uint32_t i = 0; i < s.cage.nodeCount; ++i )
	{
		const double* x = s.cage.positions + 3 * (size_t)nodes[i];
		const gelPackNode* node = s.asset->pack.nodes + i;
		assert_true( node->x == (float)x[0] && node->y == (float)x[1] && node->z == (float)x[2] );
	}
	for ( size_t i = 0; i < 4 * (size_t)s.cage.tetCount; ++i )
		assert_int_equal( nodes[tets[i]], s.cage.tets[4 * (size_t)sourceTets[i / 4] + i % 4] );
	uint64_t pinSet;
	int pins[64];
	assert_int_equal( gelAsset_GetPinSets( s.asset, &pinSet, 1 ), 1 );
	assert_int_equal( gelAsset_GetPinnedNodes( s.asset, pinSet, pins, 64 ), 6 * 7 );
	for ( int i = 0; i < 6 * 7; ++i )
		assert_true( s.asset->pack.nodes[pins[i]].x == 0.0f );
	Free( &s );
	gelFreeCage( &beam );
}

// Without volume constraints, which are projected one after the other, order is a matter of rounding.
static void MotionDoesNotDependOnTheOrder( void** state )
{
	(void)state;
	Setup regular = Bake( MakeBeam(), 0.0 ), shuffled = Bake( ShuffleCage( &regular.cage, 9 ), 0.0 );
	uint32_t* map = MakePermutation( regular.cage.nodeCount, 9 ); // as ShuffleCage
	gelVec3 *a = Swing( &regular ), *b = Swing( &shuffled );
	float moved = 0.0f;
	for ( uint32_t i = 0; i < regular.cage.nodeCount; ++i )
	{
		gelVec3 p = a[i], q = b[map[i]];
		assert_true( fabsf( p.x - q.x ) < 1e-5f && fabsf( p.y - q.y ) < 1e-5f && fabsf( p.z - q.z ) < 1e-5f );
		moved = fmaxf( moved, fabsf( p.y - (float)regular.cage.positions[3 * (size_t)i + 1] ) );
	}
	assert_true( moved > 0.01f );
	free( a );
	free( b );
	free( map );
	Free( &regular );
	Free( &shuffled );
}

static bool AreSectionsEqual( const Setup* a, const Setup* b, uint32_t fourcc )
{
	const gelPackSection* s = gelPack_GetSection( &a->asset->pack, fourcc, 0 );
	const gelPackSection* t = gelPack_GetSection( &b->asset->pack, fourcc, 0 );
	return s->bytes == t->bytes && memcmp( a->pack + s->offset, b->pack + t->offset, s->bytes ) == 0;
}

// Two shuffles of a cage are the same body, bit for bit, and the same shuffle is the same pack.
static void OrderOfTheCageIsForgotten( void** state )
{
	(void)state;
	static const uint32_t same[] = { GEL_SECTION_NODE, GEL_SECTION_TETS, GEL_SECTION_TREF, GEL_SECTION_MASS,
		GEL_SECTION_COLR, GEL_SECTION_VBAT, GEL_SECTION_GATH, GEL_SECTION_PINS, GEL_SECTION_FACT };
	gelCage beam = MakeBeam();
	Setup a = Bake( ShuffleCage( &beam, 11 ), 0.33 ), b = Bake( ShuffleCage( &beam, 13 ), 0.33 );
	Setup c = Bake( ShuffleCage( &beam, 11 ), 0.33 );
	for ( size_t i = 0; i < sizeof( same ) / sizeof( same[0] ); ++i )
		assert_true( AreSectionsEqual( &a, &b, same[i] ) );
	assert_false( AreSectionsEqual( &a, &b, GEL_SECTION_NSRC ) );
	assert_false( AreSectionsEqual( &a, &b, GEL_SECTION_TSRC ) );
	assert_int_equal( a.packBytes, c.packBytes );
	assert_memory_equal( a.pack, c.pack, a.packBytes );
	Free( &a );
	Free( &b );
	Free( &c );
	gelFreeCage( &beam );
}

static void RepeatNode( uint8_t* bytes )
{
	uint32_t* sources = gelFindPackData( bytes, GEL_SECTION_NSRC, 0 );
	sources[5] = sources[17];
}

static void NameNoNode( uint8_t* bytes )
{
	( (uint32_t*)gelFindPackData( bytes, GEL_SECTION_NSRC, 0 ) )[3] = 16 * 6 * 7;
}

static void RepeatTet( uint8_t* bytes )
{
	uint32_t* sources = gelFindPackData( bytes, GEL_SECTION_TSRC, 0 );
	sources[0] = sources[2699];
}

static void NameNoTet( uint8_t* bytes )
{
	( (uint32_t*)gelFindPackData( bytes, GEL_SECTION_TSRC, 0 ) )[2699] = UINT32_MAX;
}

static void LoseTet( uint8_t* bytes )
{
	( (uint32_t*)gelFindPackData( bytes, GEL_SECTION_TSRC, 0 ) )[2699] = 0; // padding now
	gelFindPackEntry( bytes, GEL_SECTION_TSRC, 0 )->count -= 1;
	gelFindPackEntry( bytes, GEL_SECTION_TSRC, 0 )->bytes -= sizeof( uint32_t );
}

static void EachEditIsRefused( void** state )
{
	(void)state;
	static const gelPackEdit cases[] = {
		{ RepeatNode, gel_packStructure, GEL_SECTION_NSRC, "every source is there once" },
		{ NameNoNode, gel_packIndex, GEL_SECTION_NSRC, "below the number" },
		{ RepeatTet, gel_packStructure, GEL_SECTION_TSRC, "every source is there once" },
		{ NameNoTet, gel_packIndex, GEL_SECTION_TSRC, "below the number" },
		{ LoseTet, gel_packSize, GEL_SECTION_TSRC, "one source for each" },
	};
	gelCage beam = MakeBeam();
	Setup s = Bake( ShuffleCage( &beam, 15 ), 0.33 );
	gelAssertEditsRefused( cases, sizeof( cases ) / sizeof( cases[0] ), s.pack, s.packBytes );
	Free( &s );
	gelFreeCage( &beam );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( ShuffledCagesAreAsLocal ),
		cmocka_unit_test( GoodOrdersAreKept ),
		cmocka_unit_test( SourcesLeadBackToTheCage ),
		cmocka_unit_test( MotionDoesNotDependOnTheOrder ),
		cmocka_unit_test( OrderOfTheCageIsForgotten ),
		cmocka_unit_test( EachEditIsRefused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
