// SPDX-License-Identifier: MIT
// The element of Nesme, Payan and Faure 2005: a frame along the edges of the deformed tet, and
// strain-displacement matrices of its deformed shape. With corners a b c d
//     axis1 = b - a, axis2 = c - a without its part along axis1, axis3 = axis1 x axis2        (unit vectors)
// the corners have coordinates b = (xb, 0, 0), c = (xc, yc, 0), d = (xd, yd, zd) in the frame, and the
// displacements from the rest shape in its own frame only six numbers. Gradients of the shape functions of
// the deformed tet, divided by the REST volume so that they are never singular:
//     6 V b_b = ( yc zd, -xc zd, xc yd - yc xd ),  6 V b_c = ( 0, xb zd, -xb yd ),  6 V b_d = ( 0, 0, xb yc )
// (the text loses the signs of gamma_b, delta_b and delta_d; only with these columns sum to zero and linear
// fields are reproduced). Strain = sym( sum u_i b_i^T ), forces -V sigma b_i: no net force and no net torque,
// which gradients of the rest shape would have here. Forces are no gradient of an energy. The matrix freezes
// frame and gradients, so it has no negative eigenvalue.
//
// The order of the corners matters: the longest rest edge comes first, and the largest face beside it. Where
// b - a or yc has shrunk to a thousandth, the frame is that of the polar decomposition.
#pragma once

#include "solvers/experiments/variant_kernels.h"
#include "solvers/implicit/implicit_elements.h"

/// Constants of all elements, and their nodes in the order of this element. @param blocks receive the nodes
void gelFillQrBlocks( const gelAsset* asset, gelQrBlock* qr, gelStiffnessBlock* blocks );

/// The slow twin of gelVariantKernels.updateQr.
void gelUpdateQr_Ref( const gelImplicitPass* pass, const gelQrBlock* qr );

/// Elements that the loop left out, one at a time.
void gelUpdateLeftQr( const gelImplicitPass* pass, const gelQrBlock* qr );
