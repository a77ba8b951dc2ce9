// SPDX-License-Identifier: MIT
// Constraints of the fast corotated solver, through the baked factor: the matrix A never changes, so rows are
// added by their Schur complement (Woodbury's formula read the other way round) after the volume stage:
//     ( H B H^T + C ) s = wanted - H d,     d += B H^T s
// where B is how a body answers to impulses (contact_response.h): A^-1 with a free rigid turn. Why not on the
// level of positions, moving the four nodes by their own masses: a stiff body would hang on a stretched tet,
// since the weight of the whole would pull at the mass of four nodes; figures are in docs/interaction.md.
//
// What it costs: A^-1 w for the weights w of a point is n floats, the same for x, y and z, and depends on
// nothing but the factor: three points are one solve, kept while the point lives. The turn is the same for
// all points: one solve of A rho = M r per step. After that everything is a few numbers per pair of points.
// With
//     t_j = I^-1 ( r_j x f ),   Q = sum m ( ( r . rho ) 1 - rho r^T ),   l_j = I^-1 ( rho_j x f - Q t_j )
//     ( B w_j f )( at p_i ) = a_ij f - t_j x rho_i + ( t_j - l_j ) x r_i
// since A is symmetric: the sum over the nodes of m a_j r is rho at the point j.
#pragma once

#include "constraints/constraint_rows.h"

typedef struct gelSchur gelSchur;

/// Takes memory for up to pointCapacity points from the arena of a body.
gelSchur* gelSchur_LayOut( gelArena* arena, const gelAsset* asset, int pointCapacity );

// Entries of gelConstraintCalls; gelSchur_Solve uses body->y as scratch.
void gelSchur_Solve( gelBody* body, float h, gelVec3* x );
void gelSchur_Filter( gelBody* body, gelVec3* displacements );
void gelSchur_Accept( gelBody* body, float scale );
void gelSchur_Finish( gelBody* body, float h );
