// SPDX-License-Identifier: MIT
#include "test_support.h"

#include "gelpack/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>

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

void* gelTestAlloc( size_t count, size_t elementBytes )
{
	size_t bytes = ( count * elementBytes + 63 ) / 64 * 64;
	void* memory = aligned_alloc( 64, bytes );
	assert_non_null( memory );
	return memset( memory, 0, bytes );
}

void gelSolveTestSystem( double* m, double* b, int n )
{
	for ( int k = 0; k < n; ++k )
	{
		int best = k;
		for ( int i = k + 1; i < n; ++i )
			best = fabs( m[i * n + k] ) > fabs( m[best * n + k] ) ? i : best;
		for ( int j = 0; j < n && best != k; ++j )
		{
			double t = m[k * n + j];
			m[k * n + j] = m[best * n + j];
			m[best * n + j] = t;
		}
		double t = b[k];
		b[k] = b[best];
		b[best] = t;
		for ( int i = k + 1; i < n; ++i )
		{
			double f = m[i * n + k] / m[k * n + k];
			for ( int j = k; j < n; ++j )
				m[i * n + j] -= f * m[k * n + j];
			b[i] -= f * b[k];
		}
	}
	for ( int i = n; i-- > 0; )
	{
		for ( int j = i + 1; j < n; ++j )
			b[i] -= m[i * n + j] * b[j];
		b[i] /= m[i * n + i];
	}
}

static atomic_int s_mistakeCount;

static bool HearMistake( gelResult result, const char* function, int line )
{
	assert_true( result == gel_errorArgument || result == gel_errorStaleId || result == gel_errorLocked );
	assert_true( function[0] != 0 && line > 0 );
	s_mistakeCount += 1;
	return false;
}

void gelAllowMistakes( void )
{
	s_mistakeCount = 0;
	gelSetAssertFcn( HearMistake );
}

int gelCountMistakes( void )
{
	return s_mistakeCount;
}
