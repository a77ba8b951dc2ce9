// SPDX-License-Identifier: MIT
// Which contacts of a pair are kept: by the slow obvious rule, and by what has to hold for any choice.
#include "test_support.h"

#include "contact_scene.h"
#include "contact/step/contact_step.h"
#include "state/world.h"

#include <stdlib.h>
#include <string.h>

#define MAX_FOUND 120

// Cosine of the angle up to which contacts push the same way.
static const float s_sameWay = 0.7f;

typedef struct Pile
{
	gelContactScene scene;
	gelBodyPair pair;
	gelFoundContact found[MAX_FOUND];
	int count;
} Pile;

static Pile MakePile( void )
{
	Pile pile = { .scene = gelMakeContactScene( NULL, 1.0 / 60.0 ) };
	gelShapeDef shape = gelDefaultShapeDef();
	int box = gelContactScene_AddShape( &pile.scene, &shape );
	for ( int i = 0; i < 2; ++i )
		gelContactScene_AddBody( &pile.scene, box, NULL, ( gelVec3 ){ 0.0f, 1.5f * (float)i, 0.0f } );
	pile.pair.a = gelGetBody( pile.scene.bodies[0] );
	pile.pair.b = gelGetBody( pile.scene.bodies[1] );
	return pile;
}

static gelVec3 MakeNormal( gelRandom* random )
{
	gelVec3 n = { (float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ),
		(float)gelRandom_Normal( random ) };
	n.y += 2.0f; // most push upwards
	float length = gelLength( n );
	return length > 0.1f ? gelScale( 1.0f / length, n ) : gelMakeVec3( 0.0f, 1.0f, 0.0f );
}

// A few cells, so that many contacts hang on the same nodes; no two are equally deep.
static void FindAtRandom( Pile* pile, gelRandom* random )
{
	pile->count = (int)( gelRandom_Next( random ) % MAX_FOUND );
	for ( int i = 0; i < pile->count; ++i )
	{
		gelFoundContact* c = pile->found + i;
		*c = ( gelFoundContact ){ .normal = MakeNormal( random ),
			.depth = 1.0e-4f * (float)i + (float)gelRandom_Uniform( random, 0.0, 0.01 ),
			.cellA = (uint32_t)( gelRandom_Next( random ) % 6 ),
			.cellB = (uint32_t)( gelRandom_Next( random ) % 6 ),
			.feature = ( gelRandom_Next( random ) & UINT64_C( 1 ) << 63 ) | (uint64_t)i << 32 };
		for ( int k = 0; k < 4; ++k )
		{
			c->weightsA[k] = (float)gelRandom_Uniform( random, 0.0, 1.0 );
			c->weightsB[k] = (float)gelRandom_Uniform( random, 0.0, 1.0 );
		}
	}
}

// Some of them carried load in the last step.
static void LoadAtRandom( Pile* pile, gelRandom* random )
{
	gelBodyContact* touch = pile->pair.a->contact;
	touch->cachedCount = 0;
	for ( int i = 0; i < pile->count && touch->cachedCount < 10; ++i )
	{
		if ( gelRandom_Uniform( random, 0.0, 1.0 ) > 0.1 ) continue;
		touch->cached[touch->cachedCount++] = ( gelCachedContact ){
			.feature = pile->found[i].feature, .other = GEL_OTHER_BODY | pile->pair.b->slot, .isUsed = 1
		};
	}
}

static bool IsLoaded( const Pile* pile, const gelFoundContact* c )
{
	const gelBodyContact* touch = pile->pair.a->contact;
	bool isLoaded = false;
	for ( int k = 0; k < touch->cachedCount; ++k )
		isLoaded = isLoaded || touch->cached[k].feature == c->feature;
	return isLoaded;
}

static uint32_t GetTopNode( const Pile* pile, const gelFoundContact* c )
{
	bool isOfB = c->feature >> 63 != 0;
	const gelBody* body = isOfB ? pile->pair.b : pile->pair.a;
	const float* w = isOfB ? c->weightsB : c->weightsA;
	int top = 0;
	for ( int k = 1; k < 4; ++k )
		top = w[k] > w[top] ? k : top;
	return body->asset->pack.cells[isOfB ? c->cellB : c->cellA].node[top];
}

static bool IsSamePush( const Pile* pile, const gelFoundContact* c, const gelFoundContact* d )
{
	return c->feature >> 63 == d->feature >> 63 && GetTopNode( pile, c ) == GetTopNode( pile, d ) &&
		gelDot( c->normal, d->normal ) >= s_sameWay;
}

// Those with load count as half as deep again.
static float GetRank( const Pile* pile, const gelFoundContact* c )
{
	return ( IsLoaded( pile, c ) ? 1.5f : 1.0f ) * c->depth;
}

// One after another: the deepest that is left goes in if it carried load, or if nothing that is in pushes
// like it.
static int Thin_Ref( const Pile* pile, gelFoundContact* out )
{
	bool isDone[MAX_FOUND] = { false }, isIn[MAX_FOUND] = { false };
	for ( int round = 0; round < pile->count; ++round )
	{
		int best = -1;
		for ( int i = 0; i < pile->count; ++i )
		{
			if ( isDone[i] ) continue;
			if ( best < 0 || GetRank( pile, pile->found + i ) > GetRank( pile, pile->found + best ) )
				best = i;
		}
		isDone[best] = isIn[best] = true;
		for ( int i = 0; i < pile->count && !IsLoaded( pile, pile->found + best ); ++i )
			isIn[best] = isIn[best] &&
				!( i != best && isIn[i] && IsSamePush( pile, pile->found + best, pile->found + i ) );
	}
	int count = 0;
	for ( int i = 0; i < pile->count; ++i )
	{
		if ( isIn[i] ) out[count++] = pile->found[i];
	}
	return count;
}

static void TestAgainstRule( void** state )
{
	(void)state;
	Pile pile = MakePile();
	gelRandom random = { 11 };
	int keptSum = 0, foundSum = 0;
	for ( int round = 0; round < 400; ++round )
	{
		gelFoundContact wanted[MAX_FOUND];
		FindAtRandom( &pile, &random );
		LoadAtRandom( &pile, &random );
		int wantedCount = Thin_Ref( &pile, wanted );
		foundSum += pile.count;
		int count = gelThinContacts( &pile.pair, pile.found, pile.count );
		assert_int_equal( count, wantedCount );
		assert_memory_equal( pile.found, wanted, (size_t)count * sizeof( gelFoundContact ) );
		keptSum += count;
		// once more: nothing is left to be left out
		assert_int_equal( gelThinContacts( &pile.pair, pile.found, count ), count );
	}
	assert_true( keptSum > foundSum / 10 && keptSum < foundSum * 9 / 10 );
	gelFreeContactScene( &pile.scene );
}

// In any order in which they come, the same ones stay, and in that order.
static void TestAnyOrder( void** state )
{
	(void)state;
	Pile pile = MakePile();
	gelRandom random = { 12 };
	for ( int round = 0; round < 100; ++round )
	{
		gelFoundContact turned[MAX_FOUND];
		FindAtRandom( &pile, &random );
		LoadAtRandom( &pile, &random );
		for ( int i = 0; i < pile.count; ++i )
			turned[i] = pile.found[pile.count - 1 - i];
		int count = gelThinContacts( &pile.pair, pile.found, pile.count );
		assert_int_equal( gelThinContacts( &pile.pair, turned, pile.count ), count );
		for ( int i = 0; i < count; ++i )
			assert_memory_equal( turned + i, pile.found + count - 1 - i, sizeof( gelFoundContact ) );
	}
	gelFreeContactScene( &pile.scene );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestAgainstRule ),
		cmocka_unit_test( TestAnyOrder ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
