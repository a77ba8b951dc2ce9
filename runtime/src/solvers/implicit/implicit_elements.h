// SPDX-License-Identifier: MIT
// One pass of the implicit solver over the elements of a body: the rotation of each, its forces, and its
// stiffness.
#pragma once

#include "asset/blocks.h"
#include "solvers/implicit/implicit_kernels.h"
#include "solvers/implicit/differential.h"
#include "solvers/implicit/degenerate.h"

/// What a pass reads and writes.
typedef struct gelImplicitPass gelImplicitPass;
struct gelImplicitPass
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
	gelTwistBlock* twists; // NULL: none
	gelVec4* forces;       // by node; forceScale f is added

	// Elements with a witness, or with det F not above this, are left to gelUpdateLeftLanes.
	float degenerateBelow;
	const uint8_t* witnesses; // 8 per block; NULL: all elements are taken as healthy
	uint8_t* leftLanes;       // per block: one bit per lane that was left out; read with witnesses

	const gelStrainBlock* plastic; // subtracted from the strain; NULL: none
	gelStrainBlock* strains;       // receives the strain; NULL: nobody asks

	/// Mean twist stiffness of a slot [J], for experiments, whose twist it stores; NULL: X or 2.
	/// @param mean negative, or what it is to be
	float ( *findTwist )( const gelImplicitPass* pass, int slot, gelMat3 R, gelSym3 e, float mean );
};

/// Elements that the loop left out, one at a time.
void gelUpdateLeftLanes(
	const gelImplicitPass* pass, const gelRotationParams* params, const gelAsset* asset, uint8_t* witnesses );

/// Strain and stiffness of a slot at rotation R, and the forces on its corners 1 to 3, times forceScale,
/// which are not added. @param mean twist stiffness; negative: as the differential says
void gelUpdateSlot( const gelImplicitPass* pass, int slot, gelMat3 R, float mean, gelVec3 outForces[3] );
