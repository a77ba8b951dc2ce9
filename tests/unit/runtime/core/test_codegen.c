// SPDX-License-Identifier: MIT
// What our flags promise: the compiler rounds where the source says so, and nowhere else. Baked bytes and
// step bits rest on it.
#include "test_support.h"

typedef struct Triple
{
	double x, y, z;
} Triple;

__attribute__( ( noinline ) ) static Triple RoundToFloat( Triple p )
{
	return ( Triple ){ (float)p.x, (float)p.y, (float)p.z };
}

__attribute__( ( noinline ) ) static Triple RoundIf( int condition, Triple p )
{
	return condition ? ( Triple ){ (float)p.x, (float)p.y, (float)p.z } : p;
}

__attribute__( ( noinline ) ) static float MultiplyAdd( float a, float b, float c )
{
	return a * b + c;
}

static void MembersAreRounded( void** state )
{
	(void)state;
	const Triple p = { 0.1, 0.2, 0.3 };
	volatile float fx = 0.1f, fy = 0.2f, fz = 0.3f;
	Triple a = RoundToFloat( p ), b = RoundIf( 1, p ), c = RoundIf( 0, p );
	assert_true( a.x == (double)fx && a.y == (double)fy && a.z == (double)fz );
	assert_true( b.x == (double)fx && b.y == (double)fy && b.z == (double)fz );
	assert_true( c.x == p.x && c.y == p.y && c.z == p.z );
}

static void ProductsAreRoundedBeforeSums( void** state )
{
	(void)state;
	// (1 + e)^2 = 1 + 2e + e^2; the last term is lost by a product that is rounded, kept by a fused one
	float e = 0x1p-13f;
	volatile float one = 1.0f + e;
	assert_true( MultiplyAdd( one, one, -( 1.0f + 2.0f * e ) ) == 0.0f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( MembersAreRounded ),
		cmocka_unit_test( ProductsAreRoundedBeforeSums ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
