// SPDX-License-Identifier: MIT
// How the points of a body that are touched move by impulses on them, within one step. In the space of points
// that is a small dense matrix and two turns (constraint_schur.h has the derivation): with impulses f_j on
// points j, arms r from the center of mass, and rho = A^-1 M r,
//     t_j = I^-1 ( r_j x f_j ),   l_j = I^-1 ( rho_j x f_j - Q t_j )
//     move_i = sum over j of  a_ij f_j - t_j x rho_i + ( t_j - l_j ) x r_i,      a_ij = w_i^T A^-1 w_j
// For the fast solver that is exact: a_ij is a look-up in the inverse that the asset has (compliance.h), and
// sweeps over the contacts converge to the true impulses, with one true answer of the body at the end. Other
// solvers, cages without an inverse and bodies on constraints get a stand-in,
//     a_ij = 1 / m + softness * sum over nodes of w_i w_j / ( m_k + h^2 k_k ),   rho = 0
// which is rigid motion and the compliance of each node alone; the bodies' true answers then say how far to
// go (contact_solve.h).
#pragma once

#include "contact/contact_records.h"

/// Memory of the answers of an island: the desk of the worker.
typedef struct gelAnswerMemory
{
	float* floats;
	size_t count; // floats that are left
	float* blend;
} gelAnswerMemory;

/// Floats that the answers of so many points take.
size_t gelCountAnswerFloats( int pointCount );

/// Finds how a body answers: gelPrepareBodyContact was called, and its points are listed from
/// answers.first on.
void gelPreparePointAnswers( gelBody* body, gelAnswerMemory* memory );

/// Forgets the impulses so far.
void gelClearPointAnswers( gelBody* body );

/// What the impulses so far have moved a point [m].
gelVec3 gelGetPointChange( const gelContactPoint* point );

/// Gives a point an impulse [kg m].
void gelPushPoint( gelContactPoint* point, gelVec3 impulse );

/// How far an impulse of 1 kg m along a direction moves the point it acts on: the vector [1/kg].
gelVec3 gelGetOwnMove( const gelContactPoint* point, gelVec3 direction );

/// Moves the nodes of a body whose answers are exact by the impulses so far. @param nodal by node [kg m]
void gelMoveExactly( gelBody* body, const gelVec3* nodal );
