// SPDX-License-Identifier: MIT
// The dense kernels in plain C. fmaf rounds once, as the instruction does that the other versions use; a
// processor without the instruction takes long for it.
#include "solvers/warp/dense_kernels.h"

#include <math.h>

#define GEL_PRODUCT_BLOCKS  1
#define GEL_PRODUCT_COLUMNS 4

typedef struct gelRows
{
	float v[GEL_TILE];
} gelRows;

static inline gelRows gelLoadRows( const float* p )
{
	gelRows r;
	for ( int i = 0; i < GEL_TILE; ++i )
		r.v[i] = p[i];
	return r;
}

static inline void gelStoreRows( float* p, gelRows a )
{
	for ( int i = 0; i < GEL_TILE; ++i )
		p[i] = a.v[i];
}

static inline gelRows gelSplatRows( float a )
{
	gelRows r;
	for ( int i = 0; i < GEL_TILE; ++i )
		r.v[i] = a;
	return r;
}

static inline gelRows gelMulRows( gelRows a, gelRows b )
{
	for ( int i = 0; i < GEL_TILE; ++i )
		a.v[i] *= b.v[i];
	return a;
}

static inline gelRows gelFmaRows( gelRows a, gelRows b, gelRows c )
{
	for ( int i = 0; i < GEL_TILE; ++i )
		c.v[i] = fmaf( a.v[i], b.v[i], c.v[i] );
	return c;
}

static inline gelRows gelFmaNegRows( gelRows a, gelRows b, gelRows c )
{
	for ( int i = 0; i < GEL_TILE; ++i )
		c.v[i] = fmaf( -a.v[i], b.v[i], c.v[i] );
	return c;
}

static inline void gelAddPart( const float* from, int count, float* to )
{
	for ( int i = 0; i < count; ++i )
		to[i] += from[i];
}

static inline float gelSumRows( gelRows a )
{
	for ( int half = GEL_TILE / 2; half > 0; half /= 2 )
	{
		for ( int i = 0; i < half; ++i )
			a.v[i] += a.v[i + half];
	}
	return a.v[0];
}

#include "solvers/warp/wide_dense.h"

gelDenseKernels gelGetDense_Plain( void )
{
	return MakeDense_D();
}
