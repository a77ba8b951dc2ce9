// SPDX-License-Identifier: MIT
// Sorting without memory, and disjoint sets.
#include "core/forest.h"
#include "core/sort.h"
#include "test_support.h"

#include <stdbool.h>

typedef struct Item
{
	uint32_t key, place, parent;
} Item;

static int Compare( const void* a, const void* b, const void* context )
{
	uint32_t x = ( (const Item*)a )->key, y = ( (const Item*)b )->key;
	int sign = *(const int*)context;
	return x < y ? -sign : x > y ? sign : 0;
}

// In order both ways, nothing lost, whatever the length and however many are equal.
static void TestSort( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	for ( int count = 0; count < 100; ++count )
	{
		Item items[100];
		bool isThere[100] = { false };
		int sign = count % 2 == 0 ? 1 : -1;
		for ( int i = 0; i < count; ++i )
			items[i] = ( Item ){ (uint32_t)gelRandom_Uniform( &random, 0.0, count / 2.0 ), (uint32_t)i, 0 };
		gelSort( items, (size_t)count, sizeof( Item ), Compare, &sign );
		for ( int i = 0; i < count; ++i )
		{
			assert_true( i == 0 || Compare( items + i - 1, items + i, &sign ) <= 0 );
			assert_false( isThere[items[i].place] );
			isThere[items[i].place] = true;
		}
	}
}

// Against labels that are painted over; the root of a set is its lowest item.
static void TestForest( void** state )
{
	(void)state;
	gelRandom random = { 6 };
	Item items[60];
	uint32_t labels[60];
	gelForest forest = { &items->parent, sizeof( Item ) };
	for ( uint32_t i = 0; i < 60; ++i )
		items[i].parent = labels[i] = i;
	for ( int n = 0; n < 80; ++n )
	{
		uint32_t a = (uint32_t)gelRandom_Uniform( &random, 0.0, 60.0 );
		uint32_t b = (uint32_t)gelRandom_Uniform( &random, 0.0, 60.0 );
		gelForest_Join( forest, a, b );
		uint32_t low = labels[a] < labels[b] ? labels[a] : labels[b], high = labels[a] ^ labels[b] ^ low;
		for ( int i = 0; i < 60; ++i )
			labels[i] = labels[i] == high ? low : labels[i];
		for ( uint32_t i = 0; i < 60; ++i )
			assert_int_equal( gelForest_Find( forest, i ), labels[i] );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestSort ),
		cmocka_unit_test( TestForest ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
