// SPDX-License-Identifier: MIT
// Random rotations, deformation gradients and tets in double, and the singular value decomposition that the
// rotations of the runtime are measured against.
#pragma once

#include "test_support.h"

#include "solvers/experiments/rotation.h"

gelVec3d gelRandomVector( gelRandom* random );
gelMat3d gelRandomRotation( gelRandom* random );

/// Normally distributed entries: half of them are inverted.
gelMat3d gelRandomMatrix( gelRandom* random );

/// Singular values, the sign of det F in the smallest, and the rotation U V^T that belongs to them.
typedef struct gelReferenceSvd
{
	gelMat3d R;
	double s[3]; // descending
	gelMat3d V;
} gelReferenceSvd;
gelReferenceSvd gelComputeReferenceSvd( gelMat3d F );

/// Angle of the rotation between two [rad], accurate also for small ones.
double gelAngleBetween( gelMat3d a, gelMat3d b );

gelMat3d gelTransposed( gelMat3d a );
double gelMatDistance( gelMat3d a, gelMat3d b );

/// A tet of random shape with positive volume, and its constants. mu 1, lambda 0.7.
typedef struct gelRandomTet
{
	gelVec3d X[4];
	gelElementRest rest;
	double restDet; // det(Dm) = 6 V
} gelRandomTet;
gelRandomTet gelMakeRandomTet( gelRandom* random );

/// Where the corners are under F, about the origin.
void gelDeformTet( const gelRandomTet* tet, gelMat3d F, gelVec3d x[4] );

/// F with J in a range, by stretching a random one along the direction of its smallest singular value.
gelMat3d gelRandomGradient( gelRandom* random, double low, double high );
