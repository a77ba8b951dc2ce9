// SPDX-License-Identifier: MIT
// Dense float kernels of the warp-cancelling solver: what a supernode needs to be factored and solved with.
//
// Matrices are stored by blocks of sixteen rows; inside a block, column after column:
//
//     entry (i, j) is at block( i / 16 )[16 j + i % 16]
//
// so that a block of L is read from its first to its last float both as the left operand of a product,
// sixteen rows at a time, and as the right one, row by row. A tile is sixteen columns of a block.
//
// Every sum is one chain of fused multiply-adds over ascending columns, with one rounding each, so that all
// instruction sets, all block shapes and all thread counts give the same bits.
#pragma once

#include "core/core.h"
#include "simd/levels.h"

#define GEL_TILE        16
#define GEL_TILE_FLOATS ( GEL_TILE * GEL_TILE )

/// C -= A B^T for sixteen columns of C, that is sixteen rows of B.
typedef struct gelDenseProduct
{
	float* c;            // first block
	size_t cStep, cGrow; // floats from one block of C to the next, and by how much that grows every time
	const float* a;      // first block
	size_t aStep;        // floats from one block to the next
	const float* b;      // its one block
	int blockCount;      // blocks of C, and as many of A
	int depth;           // columns of A and B
} gelDenseProduct;

typedef struct gelDenseKernels
{
	void ( *subtractProduct )( const gelDenseProduct* product );

	/// Cholesky factor of a symmetric tile, of which the lower part is read; zero above the diagonal. The
	/// inverse of the factor as well. @return false, nothing of use written: a pivot is not positive
	bool ( *factorTile )( float* tile, float* inverse );

	/// X = A B^T in place, for one tile of each block. B is a lower triangular tile.
	void ( *multiplyTiles )( float* a, size_t step, int blockCount, const float* b );

	/// y -= A x; y has sixteen values per block
	void ( *subtractForward )(
		const float* a, size_t step, int blockCount, int depth, const float* x, float* y );

	/// x -= A^T y. Sums over a block's rows are taken as a tree: lanes 8, 4, 2, 1 apart.
	void ( *subtractBackward )(
		const float* a, size_t step, int blockCount, int depth, const float* y, float* x );

	/// to[16 c + i] += from[16 c + i] for i < rowCount (at most sixteen), c < columnCount
	void ( *addRows )( const float* from, int rowCount, int columnCount, float* to );
} gelDenseKernels;

/// Kernels of a level, for a processor with fused multiply-add if the level is AVX2 or AVX-512. NULL: this
/// build has none.
const gelDenseKernels* gelGetDenseKernels( gelSimdLevel level );

/// Those that go with the other kernels of a level, all with the same bits.
static inline const gelDenseKernels* gelFindDense( gelSimdLevel level )
{
	return gelGetDenseKernels( gelHasFma() ? level : gelGetBaseLevel() );
}
