// SPDX-License-Identifier: MIT
#include "test_support.h"

#include <math.h>

uint64_t gelRandom_Next( gelRandom* random )
{
	uint64_t x = random->state ? random->state : 0x9E3779B97F4A7C15u;
	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	random->state = x;
	return x * 0x2545F4914F6CDD1Du;
}

double gelRandom_Uniform( gelRandom* random, double low, double high )
{
	return low + ( high - low ) * ( (double)( gelRandom_Next( random ) >> 11 ) * 0x1p-53 );
}

double gelRandom_Normal( gelRandom* random )
{
	double u = 1.0 - gelRandom_Uniform( random, 0.0, 1.0 ); // (0, 1]
	double v = gelRandom_Uniform( random, 0.0, 1.0 );
	return sqrt( -2.0 * log( u ) ) * cos( 6.283185307179586 * v );
}
