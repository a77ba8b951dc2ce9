// SPDX-License-Identifier: MIT
// Dense kernels over rows of sixteen floats (wide_rows.h).
#include "solvers/warp/dense_kernels.h"
#include "solvers/warp/wide_rows.h"

#include <math.h>
#include <string.h>

// AVX2 and AVX-512 have kernels that need fused multiply-add besides.
#if !defined( GEL_SIMD_AVX2 ) || defined( GEL_SIMD_FMA ) || defined( GEL_SIMD_NATIVE )

#if defined( __GNUC__ )
#define GEL_DENSE_INLINE static inline __attribute__( ( always_inline ) )
#define GEL_UNROLL       _Pragma( "GCC unroll 32" )
#else
#define GEL_DENSE_INLINE static inline
#define GEL_UNROLL
#endif

// Columns first .. first + columns - 1 of `blocks` blocks of C.
GEL_DENSE_INLINE void SubtractShape_D( float* const* c, const float* const* a, const float* b, int depth,
	int first, const int blocks, const int columns )
{
	gelRows sum[GEL_PRODUCT_BLOCKS][GEL_PRODUCT_COLUMNS];
	GEL_UNROLL
	for ( int r = 0; r < blocks; ++r )
	{
		GEL_UNROLL
		for ( int k = 0; k < columns; ++k )
			sum[r][k] = gelLoadRows( c[r] + GEL_TILE * ( first + k ) );
	}
	for ( int d = 0; d < depth; ++d )
	{
		gelRows left[GEL_PRODUCT_BLOCKS];
		GEL_UNROLL
		for ( int r = 0; r < blocks; ++r )
			left[r] = gelLoadRows( a[r] + GEL_TILE * (size_t)d );
		const float* right = b + GEL_TILE * (size_t)d + first;
		GEL_UNROLL
		for ( int k = 0; k < columns; ++k )
		{
			gelRows s = gelSplatRows( right[k] );
			GEL_UNROLL
			for ( int r = 0; r < blocks; ++r )
				sum[r][k] = gelFmaNegRows( left[r], s, sum[r][k] );
		}
	}
	GEL_UNROLL
	for ( int r = 0; r < blocks; ++r )
	{
		GEL_UNROLL
		for ( int k = 0; k < columns; ++k )
			gelStoreRows( c[r] + GEL_TILE * ( first + k ), sum[r][k] );
	}
}

static void SubtractProduct_D( const gelDenseProduct* product )
{
	float* c = product->c;
	size_t step = product->cStep;
	for ( int block = 0; block < product->blockCount; )
	{
		float* to[GEL_PRODUCT_BLOCKS];
		const float* from[GEL_PRODUCT_BLOCKS];
		int left = product->blockCount - block, count = left < GEL_PRODUCT_BLOCKS ? left : GEL_PRODUCT_BLOCKS;
		for ( int r = 0; r < count; ++r )
		{
			to[r] = c;
			from[r] = product->a + product->aStep * (size_t)( block + r );
			c += step;
			step += product->cGrow;
		}
		for ( int first = 0; first < GEL_TILE; first += GEL_PRODUCT_COLUMNS )
		{
			if ( count == GEL_PRODUCT_BLOCKS )
				SubtractShape_D(
					to, from, product->b, product->depth, first, GEL_PRODUCT_BLOCKS, GEL_PRODUCT_COLUMNS );
			else if ( GEL_PRODUCT_BLOCKS > 2 && count == 2 )
				SubtractShape_D( to, from, product->b, product->depth, first, GEL_PRODUCT_BLOCKS > 2 ? 2 : 1,
					GEL_PRODUCT_COLUMNS );
			else
				SubtractShape_D( to, from, product->b, product->depth, first, 1, GEL_PRODUCT_COLUMNS );
		}
		block += count;
	}
}

// Right-looking: column j, then all columns behind it.
static bool FactorTile_D( float* tile, float* inverse )
{
	float rows[GEL_TILE_FLOATS] = { 0.0f }; // rows of the inverse, one after another
	for ( int j = 0; j < GEL_TILE; ++j )
	{
		float pivot = tile[GEL_TILE * j + j];
		if ( !( pivot > 0.0f && pivot < INFINITY ) ) return false;
		float root = sqrtf( pivot ), scale = 1.0f / root;
		gelRows column = gelMulRows( gelLoadRows( tile + GEL_TILE * j ), gelSplatRows( scale ) );
		gelStoreRows( tile + GEL_TILE * j, column );
		for ( int i = 0; i < j; ++i )
			tile[GEL_TILE * j + i] = 0.0f;
		tile[GEL_TILE * j + j] = root;
		column = gelLoadRows( tile + GEL_TILE * j );
		for ( int k = j + 1; k < GEL_TILE; ++k )
		{
			float s = tile[GEL_TILE * j + k];
			gelStoreRows( tile + GEL_TILE * k,
				gelFmaNegRows( column, gelSplatRows( s ), gelLoadRows( tile + GEL_TILE * k ) ) );
		}
		// L X = I, row by row
		rows[GEL_TILE * j + j] += 1.0f;
		gelRows row = gelMulRows( gelLoadRows( rows + GEL_TILE * j ), gelSplatRows( scale ) );
		gelStoreRows( rows + GEL_TILE * j, row );
		for ( int k = j + 1; k < GEL_TILE; ++k )
		{
			float s = tile[GEL_TILE * j + k];
			gelStoreRows( rows + GEL_TILE * k,
				gelFmaNegRows( row, gelSplatRows( s ), gelLoadRows( rows + GEL_TILE * k ) ) );
		}
	}
	for ( int i = 0; i < GEL_TILE; ++i )
	{
		for ( int j = 0; j < GEL_TILE; ++j )
			inverse[GEL_TILE * j + i] = rows[GEL_TILE * i + j];
	}
	return true;
}

static void MultiplyTiles_D( float* a, size_t step, int blockCount, const float* b )
{
	for ( int block = 0; block < blockCount; ++block, a += step )
	{
		float old[GEL_TILE_FLOATS];
		memcpy( old, a, sizeof( old ) );
		for ( int j = 0; j < GEL_TILE; ++j )
		{
			gelRows sum = gelMulRows( gelLoadRows( old ), gelSplatRows( b[j] ) );
			for ( int k = 1; k <= j; ++k )
				sum =
					gelFmaRows( gelLoadRows( old + GEL_TILE * k ), gelSplatRows( b[GEL_TILE * k + j] ), sum );
			gelStoreRows( a + GEL_TILE * j, sum );
		}
	}
}

static void SubtractForward_D(
	const float* a, size_t step, int blockCount, int depth, const float* x, float* y )
{
	for ( int block = 0; block < blockCount; ++block, a += step, y += GEL_TILE )
	{
		gelRows sum = gelLoadRows( y );
		for ( int k = 0; k < depth; ++k )
			sum = gelFmaNegRows( gelLoadRows( a + GEL_TILE * (size_t)k ), gelSplatRows( x[k] ), sum );
		gelStoreRows( y, sum );
	}
}

static void SubtractBackward_D(
	const float* a, size_t step, int blockCount, int depth, const float* y, float* x )
{
	for ( int first = 0; first < depth; first += 8 ) // depth is a multiple of sixteen
	{
		gelRows sum[8];
		GEL_UNROLL
		for ( int k = 0; k < 8; ++k )
			sum[k] = gelSplatRows( 0.0f );
		const float* from = a + GEL_TILE * (size_t)first;
		for ( int block = 0; block < blockCount; ++block, from += step )
		{
			gelRows right = gelLoadRows( y + GEL_TILE * (size_t)block );
			GEL_UNROLL
			for ( int k = 0; k < 8; ++k )
				sum[k] = gelFmaRows( gelLoadRows( from + GEL_TILE * k ), right, sum[k] );
		}
		for ( int k = 0; k < 8; ++k )
			x[first + k] -= gelSumRows( sum[k] );
	}
}

static void AddRows_D( const float* from, int rowCount, int columnCount, float* to )
{
	for ( int c = 0; c < columnCount; ++c )
		gelAddPart( from + GEL_TILE * (size_t)c, rowCount, to + GEL_TILE * (size_t)c );
}

GEL_KERNELS_OF( gelDenseKernels, gelGetDenseKernels, avx2_fma, avx512_wide ) = { SubtractProduct_D,
	FactorTile_D, MultiplyTiles_D, SubtractForward_D, SubtractBackward_D, AddRows_D };

#endif
