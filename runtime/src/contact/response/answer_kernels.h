// SPDX-License-Identifier: MIT
// Inner loops of the answers of points (point_answers.h).
#pragma once

#include "simd/levels.h"

typedef struct gelAnswerKernels
{
	/// out = sum of weights[k] rows[k]. @param count a multiple of 16; all aligned to 64 bytes
	void ( *blend )( const float* const rows[4], const float weights[4], int count, float* out );
	/// moves += impulse * row, component by component: x, y and z stand behind each other, stride floats
	/// each.
	/// @param stride a multiple of 16; all aligned to 64 bytes
	void ( *push )( const float* row, int stride, const float impulse[3], float* moves );
} gelAnswerKernels;

const gelAnswerKernels* gelGetAnswerKernels( gelSimdLevel level );
