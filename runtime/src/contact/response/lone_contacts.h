// SPDX-License-Identifier: MIT
// Contacts of one body with what moves as it is told: the ground, shapes, surfaces. All there is to them is
// one small dense matrix, how far an impulse on one of them moves another (point_answers.h), here written out
// along the normal and two tangents of each. Two ways take turns on it:
//   - sweeps of projected Gauss-Seidel, which find out who pushes, who sticks and who slides,
//   - one exact solve for all that push: three equations where a contact sticks, one along the normal where
//   it slides, with the friction that it has.
// Sweeps alone need hundreds where contacts stick, since all of them hold each other. What a solve takes too
// far, pulling or friction beyond its cone, the next sweep takes back; a solve that does not make things
// better is forgotten.
#pragma once

#include "contact/response/contact_solve.h"

/// Contacts that are solved so at most, and unknowns of one solve.
#define GEL_MAX_LONE_CONTACTS 48
#define GEL_MAX_LONE_UNKNOWNS 96

/// Arrays come in groups along the normal (0) and the tangents (1, 2), each of `stride` floats by contact.
typedef struct gelLoneContacts
{
	int count, stride; // stride: a multiple of 8
	float* axes;       // x, y and z of the normals, then of the tangents
	float* turns;      // axis x rho, in the same way [m]
	float* arms;       // axis x r [m]
	float* matrix;     // [3 stride * ( 3 contact + axis )]: what a unit impulse moves all of them [1/kg]
	float* moves;      // D along the axes, along the normal above the floor [m]
	float* forces;     // impulses of the step so far [kg m]
	float* kept;       // moves and forces before a solve
	float* mu;
	float* invs;     // kg: one over what the contact moves by itself, 0: it takes no part; then sideways
	float* factor;   // [GEL_MAX_LONE_UNKNOWNS squared]
	float* unknowns; // [GEL_MAX_LONE_UNKNOWNS]
} gelLoneContacts;

/// Loops over them (lone_contact_kernels.c).
typedef struct gelLoneKernels
{
	/// A column of the matrix. @param row a_ij of the point that is pushed @param axis of the impulse
	/// @param turn, free t_j and t_j - l_j of a unit impulse
	void ( *fillColumn )( const gelLoneContacts* contacts, const float* row, gelVec3 axis, gelVec3 turn,
		gelVec3 free, float* out );
	/// One sweep. @return how far the largest change has moved a contact [m^2]
	float ( *sweep )( const gelLoneContacts* contacts );
	/// Solves symmetric equations with the upper triangle of contacts->factor, rows of `stride` floats, for
	/// contacts->unknowns.
	void ( *solve )( const gelLoneContacts* contacts, int count, int stride );
	/// moves += scale times a column
	void ( *addColumn )( const gelLoneContacts* contacts, int column, float scale );
} gelLoneKernels;

const gelLoneKernels* gelGetLoneKernels( gelSimdLevel level );

/// Floats that a worker needs for them.
size_t gelCountLoneFloats( int pointCount );

/// The arrays in memory of gelCountLoneFloats( count ) floats, aligned to 64 bytes; all but the matrix are
/// zero.
gelLoneContacts gelLayOutLone( float* floats, int count );

/// Changes the forces, and the moves by what they do, until the laws of contact_force.h hold.
/// @param residual what is not worth a change [m]
void gelIterateLone( const gelLoneContacts* contacts, const gelLoneKernels* kernels, float residual );

/// Whether an island is one body whose answers are exact, and few enough contacts with what moves as it is
/// told.
bool gelIsLone( const gelIslandWork* work );

/// Finds the impulses of such an island; the answers of its points have been found (gelPrepareIsland).
/// Afterwards they know the turn, and touch->nodal has the impulses.
void gelSolveLone( const gelIslandWork* work );
