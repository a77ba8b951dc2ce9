// SPDX-License-Identifier: MIT
// States in which the wide kernels must agree with the scalar reference, and the instruction sets to try.
#pragma once

#include "math/gel_math.h"
#include "test_support.h"

static const gelSimdLevel s_levels[] = { gel_simdScalar, gel_simdSse2, gel_simdAvx2, gel_simdAvx512,
	gel_simdNeon };
enum
{
	levelCount = sizeof( s_levels ) / sizeof( s_levels[0] )
};

// What a case does to the nodes of a body.
typedef enum Mess
{
	messSmall,    // a few percent
	messRandom,   // a soup: half of the tets inverted
	messMirrored, // all of them, with noise
	messPoint,    // all nodes in one point
	messPlane,    // flat
	messHuge,     // `huge` times too large
	messTiny,     // 1e-20 of the size
	messCount
} Mess;

/// A node of a body in that state. @param huge scale of messHuge: where products do not yet overflow to NaN,
/// whose sign is free
static inline gelVec3 MakeMess( Mess mess, gelVec3 rest, float huge, gelRandom* random )
{
	float size = mess == messSmall ? 0.05f : mess == messMirrored ? 1e-3f : 0.5f;
	gelVec3 noise = { (float)gelRandom_Uniform( random, -size, size ),
		(float)gelRandom_Uniform( random, -size, size ), (float)gelRandom_Uniform( random, -size, size ) };
	gelVec3 x = gelAdd( rest, noise );
	switch ( mess )
	{
		case messMirrored:
			return gelMakeVec3( -x.x, x.y, x.z );
		case messPoint:
			return gelMakeVec3( 0.25f, 0.5f, -1.0f );
		case messPlane:
			return gelMakeVec3( x.x, 0.0f, x.z );
		case messHuge:
			return gelScale( huge, x );
		case messTiny:
			return gelScale( 1e-20f, x );
		default:
			return x;
	}
}

static inline gelQuat gelRandomQuat( gelRandom* random )
{
	gelQuat q = { { (float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ),
					  (float)gelRandom_Normal( random ) },
		(float)gelRandom_Normal( random ) };
	float inv = 1.0f / sqrtf( gelLengthSquaredQuat( q ) );
	return ( gelQuat ){ gelScale( inv, q.v ), inv * q.s };
}
