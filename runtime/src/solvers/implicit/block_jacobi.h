// SPDX-License-Identifier: MIT
// The block Jacobi preconditioner: inverses of the 3x3 blocks on the diagonal of the system matrix. With h =
// h_i of a tet, its block of node i is a (h . h) I + (b + c) h h^T: contract the twist form of differential.h
// with dx_i = u. The tensor of twist is left out, which may be indefinite: a preconditioner must not.
#pragma once

#include "solvers/implicit/implicit_kernels.h"

/// Inverts m_i I + sums_i + soft_i for nodes 0 .. nodeCount - 1, in double. Zero for held nodes and for the
/// padding up to count, a multiple of eight.
/// @param invMasses 0: held
/// @param sums xx yy zz 0, xy xz yz 0 per node (gelImplicitKernels.addDiagonal)
/// @param soft NULL, or more blocks
void gelInvertNodeBlocks( const float* masses, const float* invMasses, const gelVec4* sums,
	const gelSym3* soft, int nodeCount, int count, gelNodeBlock* out );
