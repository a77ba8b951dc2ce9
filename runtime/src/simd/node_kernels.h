// SPDX-License-Identifier: MIT
// Loops over nodes before and after a solve.
#pragma once

#include "math/vec4.h"
#include "pack/pack_read.h"
#include "simd/levels.h"

/// What the prediction of a step reads.
typedef struct gelNodePass
{
	const gelVec3 *x, *v, *forces;
	const float* invMasses;
	const gelPackNode* rest;
	int count;
	float h; // [s]
	gelVec3 gravity;
} gelNodePass;

typedef struct gelNodeKernels
{
	/// x~ = x + h (v + h g + h w f), u~ = x~ - rest; w of x~ is the inverse mass
	void ( *predict )( const gelNodePass* pass, gelVec4* xTilde, gelVec4* uTilde );
	/// y[row] = b[rowNodes[row]]
	void ( *gatherRows )( const uint32_t* rowNodes, uint32_t count, const gelVec4* b, gelVec4* y );
	/// p = x~ + y for the nodes of the rows; w of y is zero
	void ( *addRows )(
		const uint32_t* rowNodes, uint32_t count, const gelVec4* xTilde, const gelVec4* y, gelVec4* p );
	/// u = p - rest; w is of no use
	void ( *subtractRest )( const gelVec4* p, const gelPackNode* rest, int count, gelVec4* u );
	/// x = p
	void ( *store )( const gelVec4* p, int count, gelVec3* x );
	/// v = ( x - xOld ) / h. @return whether all coordinates of x are numbers between
	/// -limit and limit
	bool ( *difference )(
		const gelVec3* x, const gelVec3* xOld, int count, float invH, float limit, gelVec3* v );
	/// Least and greatest coordinates of finite positions.
	void ( *bound )( const gelVec3* x, int count, gelVec3* outLow, gelVec3* outHigh );
} gelNodeKernels;

const gelNodeKernels* gelGetNodeKernels( gelSimdLevel level );
