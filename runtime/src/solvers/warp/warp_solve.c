// SPDX-License-Identifier: MIT
// Solves with a factor of warp_factor.h, one supernode after another; each reads its panel once per way.
#include "solvers/warp/warp_factor.h"

#include <string.h>

// x <- -x of one tile.
static void Negate( float* x )
{
	for ( int i = 0; i < GEL_TILE; ++i )
		x[i] = -x[i];
}

static void LoadOwn( const gelWarpFront* front, const float* b, float* x )
{
	memcpy( x, b, 3 * (size_t)front->width * sizeof( float ) );
	memset( x + 3 * front->width, 0, ( front->columns - 3 * front->width ) * sizeof( float ) );
}

static void SolveForward( const gelWarpTree* tree, const gelDenseKernels* dense, const gelWarpFront* front,
	uint32_t s, float* b, float* x )
{
	GEL_ASSERT( s < tree->superCount );
	float* own = b + 3 * (size_t)tree->superFirst[s];
	LoadOwn( front, own, x );
	for ( int k = 0; k < front->tileCount; ++k )
	{
		float *part = x + GEL_TILE * k, solved[GEL_TILE] = { 0.0f };
		dense->subtractForward( front->panel + front->step * (size_t)k, 0, 1, GEL_TILE * k, x, part );
		dense->subtractForward( front->tiles + GEL_TILE_FLOATS * (size_t)k, 0, 1, GEL_TILE, part, solved );
		memcpy( part, solved, sizeof( solved ) );
		Negate( part );
	}
	memcpy( own, x, 3 * (size_t)front->width * sizeof( float ) );
	float* y = x + front->columns;
	memset( y, 0, GEL_TILE * (size_t)front->blockCount * sizeof( float ) );
	dense->subtractForward( front->panel + front->step * (size_t)front->tileCount, front->step,
		front->blockCount, (int)front->columns, x, y );
	const uint32_t* rows = tree->rows + tree->rowFirst[s];
	for ( uint32_t i = 0; i < front->below; ++i )
	{
		float* to = b + 3 * (size_t)rows[i];
		to[0] += y[3 * i];
		to[1] += y[3 * i + 1];
		to[2] += y[3 * i + 2];
	}
}

static void SolveBackward( const gelWarpTree* tree, const gelDenseKernels* dense, const gelWarpFront* front,
	uint32_t s, float* b, float* x )
{
	GEL_ASSERT( s < tree->superCount );
	float *own = b + 3 * (size_t)tree->superFirst[s], *y = x + front->columns;
	const uint32_t* rows = tree->rows + tree->rowFirst[s];
	memset( y, 0, GEL_TILE * (size_t)front->blockCount * sizeof( float ) );
	for ( uint32_t i = 0; i < front->below; ++i )
		memcpy( y + 3 * i, b + 3 * (size_t)rows[i], 3 * sizeof( float ) );
	LoadOwn( front, own, x );
	dense->subtractBackward( front->panel + front->step * (size_t)front->tileCount, front->step,
		front->blockCount, (int)front->columns, y, x );
	for ( int k = front->tileCount - 1; k >= 0; --k )
	{
		float *part = x + GEL_TILE * k, solved[GEL_TILE] = { 0.0f };
		const float* below = front->panel + front->step * ( (size_t)k + 1 ) + GEL_TILE_FLOATS * (size_t)k;
		dense->subtractBackward(
			below, front->step, front->tileCount - 1 - k, GEL_TILE, part + GEL_TILE, part );
		dense->subtractBackward( front->tiles + GEL_TILE_FLOATS * (size_t)k, 0, 1, GEL_TILE, part, solved );
		memcpy( part, solved, sizeof( solved ) );
		Negate( part );
	}
	memcpy( own, x, 3 * (size_t)front->width * sizeof( float ) );
}

void gelSolveWarp( const gelWarpTree* tree, const gelDenseKernels* dense, const gelWarpFactor* factor,
	float* b, float* scratch )
{
	GEL_ASSERT( b != NULL && scratch != NULL );
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		gelWarpFront front = gelGetWarpFront( tree, factor, s );
		SolveForward( tree, dense, &front, s, b, scratch );
	}
	for ( uint32_t s = tree->superCount; s > 0; --s )
	{
		gelWarpFront front = gelGetWarpFront( tree, factor, s - 1 );
		SolveBackward( tree, dense, &front, s - 1, b, scratch );
	}
}
