// SPDX-License-Identifier: MIT
// Constants of the tets in the layout of the inner loops, which go over blocks of eight without common nodes.
// Arrays of nodes have one more element than nodes: the padding node, which is zero and stays zero.
#pragma once

#include "math/vec4.h"

#include <stdint.h>

#define GEL_BLOCK_LANES 8

/// Constants of eight tets without common nodes, for the element loop. Nodes are byte offsets into arrays of
/// gelVec4. Empty slots have no stiffness and the padding node behind the last one.
typedef struct gelElementBlock
{
	_Alignas( 64 ) uint32_t node[4][GEL_BLOCK_LANES];
	float gradient[9][GEL_BLOCK_LANES]; // [3 k + d]: component d of the gradient of corner k + 1 [1/m]
	float muVolume[GEL_BLOCK_LANES];    // mu V [J]
} gelElementBlock;

/// The same tets for the volume sweep. Empty slots are inert constraints on the padding node.
typedef struct gelVolumeBlock
{
	_Alignas( 64 ) uint32_t node[4][GEL_BLOCK_LANES];
	float restDet[GEL_BLOCK_LANES];    // 6 V [m^3]
	float compliance[GEL_BLOCK_LANES]; // (6 V)^2 / (lambda V) [m^6/J]
	float maxMove2[GEL_BLOCK_LANES];   // square of the longest move of a node in one projection [m^2]
} gelVolumeBlock;

/// Plastic or total strain of eight tets: xx yy zz xy xz yz in the frame of the element.
typedef struct gelStrainBlock
{
	_Alignas( 64 ) float e[6][GEL_BLOCK_LANES];
} gelStrainBlock;
