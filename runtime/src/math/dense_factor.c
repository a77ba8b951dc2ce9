// SPDX-License-Identifier: MIT
#include "math/dense_factor.h"
#include "gelpack/asserts.h"

#include <math.h>
#include <stddef.h>

void gelFactorDense( double* matrix, int count, double limit )
{
	GEL_ASSERT( count >= 0 && limit >= 0.0 );
	for ( int i = 0; i < count; ++i )
	{
		double* rowI = matrix + (size_t)i * (size_t)count;
		for ( int j = 0; j <= i; ++j )
		{
			const double* rowJ = matrix + (size_t)j * (size_t)count;
			double sum = rowI[j];
			for ( int k = 0; k < j; ++k )
				sum -= rowI[k] * rowJ[k];
			if ( j < i )
				rowI[j] = sum * rowJ[j];
			else
				rowI[i] = sum > limit ? 1.0 / sqrt( sum ) : 0.0;
		}
	}
}

void gelSolveDense( const double* matrix, int count, double* y )
{
	GEL_ASSERT( count >= 0 && ( count == 0 || ( matrix != NULL && y != NULL ) ) );
	for ( int i = 0; i < count; ++i )
	{
		const double* row = matrix + (size_t)i * (size_t)count;
		for ( int k = 0; k < i; ++k )
			y[i] -= row[k] * y[k];
		y[i] *= row[i];
	}
	for ( int i = count; i-- > 0; )
	{
		y[i] *= matrix[(size_t)i * (size_t)count + (size_t)i];
		for ( int k = 0; k < i; ++k )
			y[k] -= matrix[(size_t)i * (size_t)count + (size_t)k] * y[i];
	}
}
