// SPDX-License-Identifier: MIT
// The block Jacobi preconditioner: inverses of the 3x3 blocks on the diagonal of the system matrix.
#pragma once

#include "kernels.h"

/// Adds the blocks of the stiffness matrix to blocks, one per node. With h = h_i of a tet, its block of node
/// i is a (h . h) I + (b + c) h h^T: contract the twist form with dx_i = u. The tensor of twist is left out:
/// it may be indefinite, and a preconditioner must not.
void gelAddStiffnessBlocks( const gelStiffness* stiffness, gelSym3* blocks );

/// Inverts ( m_i I + blocks[i] ) for nodes 0 .. nodeCount - 1, in double. Zero for nodes that isHeld marks
/// and for the padding up to count, a multiple of eight.
/// @param invMasses 0: held
void gelInvertNodeBlocks( const float* masses, const float* invMasses, const gelSym3* blocks, int nodeCount,
	int count, gelNodeBlock* out );
