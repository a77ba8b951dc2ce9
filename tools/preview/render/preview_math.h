// SPDX-License-Identifier: MIT
// Matrices of drawing: column-major, as OpenGL takes them.
#pragma once

#include <gelpack/math_float.h>

/// m[4 * column + row]
typedef struct gelMat4
{
	float m[16];
} gelMat4;

/// a after b.
static inline gelMat4 gelMat4_Mul( gelMat4 a, gelMat4 b )
{
	gelMat4 r;
	for ( int column = 0; column < 4; ++column )
	{
		for ( int row = 0; row < 4; ++row )
		{
			float sum = 0.0f;
			for ( int k = 0; k < 4; ++k )
				sum += a.m[4 * k + row] * b.m[4 * column + k];
			r.m[4 * column + row] = sum;
		}
	}
	return r;
}
