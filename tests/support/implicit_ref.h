// SPDX-License-Identifier: MIT
// The element loops of the implicit solver, one tet at a time: the slow twins of implicit_kernels.c and of
// variant_kernels.c.
#pragma once

#include "solvers/implicit/implicit_elements.h"

/// The slow twin of gelImplicitKernels.updateImplicit and gelVariantKernels.updateVariant.
bool gelUpdateImplicit_Ref( const gelImplicitPass* pass );

/// y += K x, the slow twin of gelImplicitKernels.multiplyStiffness.
void gelMultiplyStiffness_Ref( const gelStiffness* stiffness, const gelVec4* x, gelVec4* y );

/// The slow twin of gelImplicitKernels.addDiagonal.
void gelAddDiagonal_Ref( const gelStiffness* stiffness, gelVec4* blocks );
