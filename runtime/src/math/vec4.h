// SPDX-License-Identifier: MIT
// Nodes as the wide kernels want them: 16 bytes each, so that one load brings a whole node.
#pragma once

#include "math/gel_math.h"

/// x, y, z and a fourth number: inverse mass [1/kg] with positions, zero with displacements.
typedef struct gelVec4
{
	_Alignas( 16 ) float x;
	float y, z, w;
} gelVec4;

static inline gelVec3 gelXyz( gelVec4 a )
{
	return ( gelVec3 ){ a.x, a.y, a.z };
}

static inline gelVec4 gelMakeVec4( gelVec3 a, float w )
{
	return ( gelVec4 ){ a.x, a.y, a.z, w };
}
