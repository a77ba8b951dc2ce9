// SPDX-License-Identifier: MIT
// Rigid motions as a second level of the linear solver. Of a stiff body they are what conjugate gradients
// find last: every node alone is held by its neighbors, only all together can they move. Without them, stiff
// bodies move in slow motion when iterations are few, and their pins report forces that do not carry them.
//
// The rigid motions Z, as far as pins and constraints allow them, are solved for exactly before and after the
// iterations,
//     d += Z ( Z^T A Z )^-1 Z^T r,
// and kept out of the directions between (Saad, Yeung, Erhel and Guyomarc'h 2000, "A deflated version of the
// conjugate gradient algorithm"). Afterwards Z^T r = 0: force and torque of the residual are zero, so that
// the momentum of a free body and the reactions of a held one are right however few iterations there were.
#pragma once

#include "solvers/implicit/linear_solve.h"

#define GEL_RIGID_MODES 6

typedef struct gelRigidModes
{
	int count;
	gelVec4* z[GEL_RIGID_MODES];
	gelVec4* Az[GEL_RIGID_MODES];                     // projected
	double matrix[GEL_RIGID_MODES * GEL_RIGID_MODES]; // factor of Z^T A Z, count x count
} gelRigidModes;

/// Takes the memory of the vectors.
gelRigidModes gelRigidModes_LayOut( gelArena* arena, int vectorCount );

/// Finds the rigid motions of positions x [m, body space]: those that pins allow, or all six, projected, of a
/// body with constraints. modes->count may be 0.
void gelRigidModes_Find( gelRigidModes* modes, const gelLinearSystem* system, const gelVec3* x );

/// To be called after that, with the matrix of the system: as many products as there are modes, three less of
/// a free body.
void gelRigidModes_Factor( gelRigidModes* modes, const gelLinearSystem* system );

/// The exact step along the modes: changes the residual r, which is projected, and the solution d.
void gelRigidModes_Correct(
	const gelRigidModes* modes, const gelLinearSystem* system, gelVec4* r, gelVec4* d );

/// p -= Z ( Z^T A Z )^-1 ( A Z )^T z
void gelRigidModes_Deflate(
	const gelRigidModes* modes, const gelLinearSystem* system, const gelVec4* z, gelVec4* p );

/// Whether pins and the constraints of this step, springs included, leave a body no rigid motion.
bool gelIsHeld( const gelBody* body );
