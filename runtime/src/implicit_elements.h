// SPDX-License-Identifier: MIT
// One pass of the implicit solver over the elements of a body: the rotation of each, its forces, and its
// stiffness.
#pragma once

#include "asset.h"
#include "differential.h"

/// What a pass reads and writes.
typedef struct gelImplicitPass
{
	const gelElementBlock* elements;
	const float* lambdaVolumes; // 8 per block: lambda V [J]
	int blockCount;
	const gelVec4* u; // displacements of the nodes from rest, and the padding node [m]
	float forceScale, stiffnessScale;
	gelDifferential differential;
	int polarSteps; // Newton iterations of the polar decomposition
	gelQuat* q;     // 8 per block
	gelStiffnessBlock* blocks;
	gelVec4* forces; // by node; forceScale f is added
} gelImplicitPass;

/// The slow twin of gelKernels.updateImplicit.
bool gelUpdateImplicit_Ref( const gelImplicitPass* pass );

/// Forces on the corners 1 to 3 of a slot at rotation R, times forceScale, without adding them.
/// @param mean twist stiffness; negative: as the differential says
void gelUpdateImplicitSlot_Ref(
	const gelImplicitPass* pass, int slot, gelMat3 R, float mean, gelVec3 outForces[3] );

/// Adds forces on the corners 1 to 3 of a slot, and the opposite of their sum on corner 0.
void gelAddCornerForces( const gelElementBlock* block, int lane, const gelVec3 forces[3], gelVec4* sums );

/// F of a slot.
gelMat3 gelGetSlotDeformation( const gelElementBlock* block, int lane, const gelVec4* u );

/// y += K x, the slow twin of gelKernels.multiplyStiffness.
void gelMultiplyStiffness_Ref( const gelStiffness* stiffness, const gelVec4* x, gelVec4* y );
