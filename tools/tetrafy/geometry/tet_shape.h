// SPDX-License-Identifier: MIT
// Volume, angles and quality of one tet.
#pragma once

#include <gelpack/math_double.h>

#define GEL_DEGREES 57.295779513082320877 // degrees of a radian

double gelTetVolume( const gelVec3d p[4] ); // [m^3], signed
/// Gradients of the barycentric coordinates [1/m]; not finite where the tet is flat.
/// @return six times its volume [m^3], signed
double gelTetGradients( const gelVec3d p[4], gelVec3d outGradients[4] );
double gelTetRadiusRatio( const gelVec3d p[4] );
double gelTetSmallestDihedral( const gelVec3d p[4] ); // [degrees]

/// Cosines of the smallest and largest of the six dihedral angles; the largest cosine is the smallest angle.
void gelTetDihedrals( const gelVec3d p[4], double* outCosSmallest, double* outCosLargest );
