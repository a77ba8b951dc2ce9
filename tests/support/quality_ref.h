// SPDX-License-Identifier: MIT
// Scalar twins of the inner loops of the quality mode.
#pragma once

#include "asset/asset.h"

/// Derivative of the energy of one tet by its corners, and the energy, both scaled as mu and lambda are.
/// @param g gradients of the shape functions of corners 1 to 3 [1/m]
float gelDifferentiateTet_Ref(
	const gelMat3* F, gelQuat q, const gelVec3 g[3], float mu, float lambda, gelVec3 out[4] );

/// Twin of gelQualityKernels.differentiate. @return h^2 times the elastic energy
double gelDifferentiate_Ref(
	const gelAsset* asset, const gelVec4* u, float h, gelQuat* q, gelVec4* gradient );

/// Twin of gelQualityKernels.inertia.
double gelInertia_Ref(
	const gelVec4* masses, const gelVec4* u, const gelVec4* target, int count, gelVec4* gradient );

/// Twin of gelQualityKernels.dots, for one vector.
double gelDotVectors_Ref( const gelVec4* a, const gelVec4* b, int count );
