// SPDX-License-Identifier: MIT
// Laws of the rotations and transforms that games get (gelpack/math_float.h).
#include "test_support.h"

#include <gelpack/gelpack.h>

static gelTransform MakeTransform( gelRandom* random )
{
	gelVec3 axis = { (float)gelRandom_Uniform( random, -1.0, 1.0 ),
		(float)gelRandom_Uniform( random, -1.0, 1.0 ), 1.0f };
	gelQuat turn =
		gelMakeQuatFromAxisAngle( gelNormalize( axis ), (float)gelRandom_Uniform( random, -3.0, 3.0 ) );
	return ( gelTransform ){ { (float)gelRandom_Uniform( random, -2.0, 2.0 ), 0.5f, -1.0f }, turn };
}

// A few roundings of numbers up to 4.
static void AssertNear( gelVec3 a, gelVec3 b )
{
	assert_true( gelLength( gelSub( a, b ) ) < 1e-5f );
}

static void TestTransforms( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	for ( int i = 0; i < 100; ++i )
	{
		gelTransform a = MakeTransform( &random ), b = MakeTransform( &random );
		gelVec3 p = { (float)gelRandom_Uniform( &random, -1.0, 1.0 ), 0.25f, -0.75f };
		AssertNear( gelTransformPoint( gelIdentityTransform(), p ), p );
		AssertNear( gelInvTransformPoint( a, gelTransformPoint( a, p ) ), p );
		AssertNear( gelTransformPoint( gelMulTransforms( a, b ), p ),
			gelTransformPoint( a, gelTransformPoint( b, p ) ) );
		AssertNear( gelRotate( a.rotation, p ), gelMulMV( gelMakeMat3FromQuat( a.rotation ), p ) );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = { cmocka_unit_test( TestTransforms ) };
	return cmocka_run_group_tests( tests, NULL, NULL );
}
