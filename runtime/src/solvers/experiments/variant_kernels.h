// SPDX-License-Identifier: MIT
// Inner loops of experiments.
#pragma once

#include "solvers/implicit/implicit_kernels.h"

/// Eight tets of the element of Nesme et al. (qr_element.h).
typedef struct gelQrBlock
{
	_Alignas( 64 ) float edge[9][GEL_BLOCK_LANES]; // [3 k + d]: from corner 0 to corner k + 1 at rest [m]
	float local[6][GEL_BLOCK_LANES];               // xb xc yc xd yd zd at rest [m]
	float axis[6][GEL_BLOCK_LANES];                // the first two axes at rest
	float invSixVolume[GEL_BLOCK_LANES];           // 1 / (6 V) [1/m^3]
	float muVolume[GEL_BLOCK_LANES];               // mu V [J]
	float minBase[GEL_BLOCK_LANES],
		minHeight[GEL_BLOCK_LANES]; // least xb and yc [m]: below, axes are not taken from edges
} gelQrBlock;

typedef struct gelVariantKernels
{
	/// As gelImplicitKernels.updateImplicit, of any differential; pass->twists: those with a tensor.
	bool ( *updateVariant )( const struct gelImplicitPass* pass );
	/// With frames along edges. @param qr per block
	void ( *updateQr )( const struct gelImplicitPass* pass, const gelQrBlock* qr );
	/// y += K x with twists
	void ( *multiplyTwisted )( const gelStiffness* stiffness, const gelVec4* x, gelVec4* y );
} gelVariantKernels;

const gelVariantKernels* gelGetVariantKernels( gelSimdLevel level );
