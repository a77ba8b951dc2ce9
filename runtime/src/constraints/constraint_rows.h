// SPDX-License-Identifier: MIT
// Constraints of one step as linear rows on the displacements d = x - x^n of the nodes:
//     hard   H d = wanted           pins (point: 3 rows, line: 2, plane: 1), one-way attachments
//     soft   C s = wanted - H d     springs, and attachments that move their frame: impulses s [kg m]
// A row is axis^T [w_0 I, w_1 I, w_2 I, w_3 I] on the nodes of a tet; pinned nodes are not part of it, what
// they move is taken out of `wanted`.
//
// For solvers that iterate: hard rows by projection, S = 1 - H^T G^-1 H with G = H H^T (rows scaled to unit
// length) for all rows that share nodes at once. One projection after another would neither be symmetric nor
// keep the earlier rows, and conjugate gradients would lose their basis. A tiny multiple of the identity
// makes duplicate rows harmless. The filtered operator S A S and preconditioner S M^-1 S are symmetric:
//
//     gelConstraintRows_Prepare( body, h );              once per step, with body->xOld = x^n
//     gelConstraintRows_FactorClusters( body );          once per step
//     for every Newton iterate x_k:
//         b += gelConstraintRows_AddSoftForces           J^T C^-1 ( wanted - J ( x_k - x^n ) )
//         d_0 -> gelConstraintRows_Prescribe             nearest d with H ( x_k + d - x^n ) = wanted
//         r = S ( b - A d ), z = S M^-1 r, q = S A p     gelConstraintRows_Project
//         A p += gelConstraintRows_AddSoftProduct        J^T C^-1 J p
//     v = ( x - x^n ) / h, then gelConstraintRows_RemoveDrift
//     gelConstraintRows_Finish( body, h, x, b - A d )    reactions
//
// All arrays have one gelVec4 per node, in the order of nodes; w is left alone. Nothing is done for a body
// without constraints, and all calls are allowed then. (Civit-Flores, section 3.4, whose projection
// 1 - H^T H is one for rows of unit length that share nothing only.)
#pragma once

#include "constraints/constraint_set.h"

/// 1 / m of a point: sum of w^2 / m [1/kg].
static inline double gelGetPointInvMass( const gelBody* body, const gelConstraintPoint* point )
{
	double sum = 0.0;
	for ( int k = 0; k < 4; ++k )
		sum += (double)point->freeWeight[k] * point->freeWeight[k] * body->invMasses[point->node[k]];
	return sum;
}

/// Attachments that move their frame are soft in iterative solvers by a small part of the point's own inertia
/// [1/kg], for light frames by a larger one or by a part of the frame's: several of them on one light frame
/// have a singular compliance, and with 1e-4 alone frames of 0.05 to 5 kg on a box of 64 kg are unstable.
static inline double gelGetFrameSoftness( const gelBody* body, const gelConstraintPoint* point )
{
	double invMass = gelGetPointInvMass( body, point );
	double frame = (double)body->constraints->frames[point->frame].invMass;
	return 1.0e-4 * invMass + fmax( fmin( 1.0e-3 * invMass, 1.0e-2 * frame ), 1.0e-3 * frame );
}

/// Lists the rows of this step. @return whether there are any
bool gelConstraintRows_Prepare( gelBody* body, float h );

/// Groups the rows into clusters and factors their matrices.
void gelConstraintRows_FactorClusters( gelBody* body );

/// y <- S y
void gelConstraintRows_Project( const gelBody* body, gelVec4* y );

/// Changes d as little as possible so that the points of hard rows are where they are wanted at x + d, drift
/// included. x are positions in body space.
void gelConstraintRows_Prescribe( const gelBody* body, const gelVec3* x, gelVec4* d );

/// b += J^T C^-1 ( wanted - J ( x - x^n ) ) [kg m]: what springs pull at x, times h^2.
void gelConstraintRows_AddSoftForces( const gelBody* body, const gelVec3* x, gelVec4* b );

/// q += J^T C^-1 J p
void gelConstraintRows_AddSoftProduct( const gelBody* body, const gelVec4* p, gelVec4* q );

/// blocks[i] += the 3x3 block of node i of J^T C^-1 J, for preconditioners.
void gelConstraintRows_AddSoftBlocks( const gelBody* body, gelSym3* blocks );

/// Takes the drift out of velocities that were made from all of x - x^n.
void gelConstraintRows_RemoveDrift( const gelBody* body, float h, gelVec3* v );

/// Ends the step: reactions of all rows, where targets are now.
/// @param residual b - A d without projection [kg m]; NULL: no hard reactions
void gelConstraintRows_Finish( gelBody* body, float h, const gelVec3* x, const gelVec4* residual );

/// The same from set->impulses, for the fast corotated solver.
void gelConstraintRows_FinishImpulses( gelBody* body, float h );

/// What row r still wants at x: axis . ( wanted - sum of freeWeight ( x - x^n ) ), with or without drift [m].
double gelConstraintRows_GetError( const gelBody* body, int row, const gelVec3* x, bool withDrift );

/// Entry of the matrix C [1/kg]; 0 for hard rows.
double gelConstraintRows_GetCompliance( const gelConstraintSet* set, int rowA, int rowB );

/// H y of the rows of a cluster, scaled.
void gelConstraintRows_Gather(
	const gelConstraintSet* set, const gelConstraintCluster* cluster, const gelVec4* y, double* out );

static inline gelVec3 gelGetRowAxis( const gelConstraintSet* set, int row )
{
	const gelConstraintPoint* point = set->points + set->rowPoints[row];
	return point->axis[row - point->rowFirst];
}

static inline double gelDotDouble( gelVec3 a, gelVec3 b )
{
	return (double)a.x * b.x + (double)a.y * b.y + (double)a.z * b.z;
}
