// SPDX-License-Identifier: MIT
// Inner loops of the implicit solver: over its elements, and over vectors of nodes.
#pragma once

#include "simd/levels.h"
#include "simd/tet_blocks.h"

#include <stdbool.h>

struct gelImplicitPass;

/// Eight tets as the implicit solver sees them in one Newton iteration, in the terms of differential.h and
/// scaled as the pass asks. Empty slots are zero but for their nodes.
typedef struct gelStiffnessBlock
{
	_Alignas( 64 ) uint32_t node[4][GEL_BLOCK_LANES];
	float gradient[9][GEL_BLOCK_LANES]; // [3 k + d]: component d of h of corner k + 1 [1/m]
	float a[GEL_BLOCK_LANES], b[GEL_BLOCK_LANES], c[GEL_BLOCK_LANES];
} gelStiffnessBlock;

/// T' of eight tets: xx yy zz xy xz yz (differential.h). Only experiments have it.
typedef struct gelTwistBlock
{
	_Alignas( 64 ) float T[6][GEL_BLOCK_LANES];
} gelTwistBlock;

/// The stiffness matrix of a body without its entries.
typedef struct gelStiffness gelStiffness;
struct gelStiffness
{
	gelStiffnessBlock* blocks;
	int blockCount;
	gelTwistBlock* twists; // NULL: none
	void ( *multiply )(
		const gelStiffness* stiffness, const gelVec4* x, gelVec4* y ); // with twists; NULL: without
};

/// Eight 3x3 blocks of a matrix, symmetric: xx yy zz xy xz yz.
typedef struct gelNodeBlock
{
	_Alignas( 64 ) float m[6][GEL_BLOCK_LANES];
} gelNodeBlock;

typedef struct gelImplicitKernels
{
	/// Rotations, forces and stiffness of all elements, see implicit_elements.h, of the differentials X
	/// and 2.
	/// @return false when a quaternion is no longer near unit length
	bool ( *updateImplicit )( const struct gelImplicitPass* pass );

	/// One bit per lane: det F is not above a limit.
	void ( *findFlat )(
		const gelElementBlock* blocks, int blockCount, const gelVec4* u, float limit, uint8_t* lanes );

	/// Adds the 3x3 blocks on the diagonal of the stiffness matrix: xx yy zz 0, xy xz yz 0 per node. Byte
	/// offsets of nodes count double.
	void ( *addDiagonal )( const gelStiffness* stiffness, gelVec4* blocks );

	/// y += K x, without twists
	void ( *multiplyStiffness )( const gelStiffness* stiffness, const gelVec4* x, gelVec4* y );
} gelImplicitKernels;

const gelImplicitKernels* gelGetImplicitKernels( gelSimdLevel level );

/// y += K x
static inline void gelMultiplyStiffness(
	gelSimdLevel level, const gelStiffness* stiffness, const gelVec4* x, gelVec4* y )
{
	if ( stiffness->multiply )
		stiffness->multiply( stiffness, x, y );
	else
		gelGetImplicitKernels( level )->multiplyStiffness( stiffness, x, y );
}

/// Loops of the iterative solvers over vectors of nodes. Vectors have a multiple of eight nodes, those behind
/// the last one are zero. Sums are taken in double, by eight accumulators and a fixed tree.
typedef struct gelVectorKernels
{
	/// sum of a_i . b_i; w takes part
	double ( *dot )( const gelVec4* a, const gelVec4* b, int count );
	/// d += s p, r -= s q. @return r . r
	double ( *advance )( float s, const gelVec4* p, const gelVec4* q, int count, gelVec4* d, gelVec4* r );
	/// out = a x + b y + c z; out may be one of them
	void ( *combine )( float a, const gelVec4* x, float b, const gelVec4* y, float c, const gelVec4* z,
		int count, gelVec4* out );
	/// y = z + s y
	void ( *turn )( const gelVec4* z, float s, int count, gelVec4* y );
	/// y_i = m_i x_i
	void ( *multiplyMasses )( const float* m, const gelVec4* x, int count, gelVec4* y );
	/// z_i = B_i r_i. @return r . z
	double ( *multiplyBlocks )( const gelNodeBlock* blocks, const gelVec4* r, int count, gelVec4* z );
} gelVectorKernels;

const gelVectorKernels* gelGetVectorKernels( gelSimdLevel level );
