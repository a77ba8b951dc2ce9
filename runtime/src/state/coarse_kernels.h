// SPDX-License-Identifier: MIT
// The refit of a coarse tree.
#pragma once

#include "state/coarse_tree.h"
#include "simd/levels.h"

typedef struct gelCoarseKernels
{
	/// Boxes from deformed nodes, the bits of gelRefitCoarse_Ref.
	void ( *refit )( const gelCoarseNode* tree, int treeCount, const gelVec3* nodes, gelCoarseBoxes* boxes );
} gelCoarseKernels;

const gelCoarseKernels* gelGetCoarseKernels( gelSimdLevel level );
