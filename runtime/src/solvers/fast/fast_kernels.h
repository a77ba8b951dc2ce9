// SPDX-License-Identifier: MIT
// Inner loops of the fast solver: elements, volume, quality mode, and bodies side by side.
#pragma once

#include "pack/pack_read.h"
#include "simd/levels.h"
#include "simd/tet_blocks.h"

struct gelLanes;

/// Loops over elements.
typedef struct gelElementKernels
{
	/// One step of the polar decomposition at displacements uRotation, then rhs += 2 h^2 mu V (R - F) g with
	/// the F of uTilde. @return false when a quaternion is no longer near unit length
	bool ( *updateElements )( const gelElementBlock* blocks, int blockCount, const gelVec4* uRotation,
		const gelVec4* uTilde, float h, gelQuat* q, gelVec4* rhs );

	/// One step of the polar decomposition at displacements u, then the gradient of h^2 times the elastic
	/// energy, added to gradient, and the energy, added to energy. @return false when a quaternion is no
	/// longer near unit length
	bool ( *differentiate )( const gelElementBlock* blocks, const float* lambdaVolumes, int blockCount,
		const gelVec4* u, float h, gelQuat* q, gelVec4* gradient, double* energy );

	/// Polar decomposition alone, for measurements and tests. @param F columns of eight matrices per block
	void ( *polarSteps )(
		const float ( *F )[9][GEL_BLOCK_LANES], gelQuat* q, int blockCount, int iterations );
} gelElementKernels;

const gelElementKernels* gelGetElementKernels( gelSimdLevel level );

/// Loops over volume constraints.
typedef struct gelVolumeKernels
{
	/// One sweep of volume constraints over positions (w: inverse masses).
	/// @param kappa 8 per block; NULL in a single sweep, for which all are zero
	/// @return whether it met a tet below GEL_FLAT_VOLUME of its rest volume
	bool ( *sweep )( const gelVolumeBlock* blocks, int blockCount, float h, float* kappa, gelVec4* x );
	/// One pass that brings tets below GEL_LEAST_VOLUME there. @return whether there was one
	bool ( *unfold )( const gelVolumeBlock* blocks, int blockCount, gelVec4* x );
} gelVolumeKernels;

const gelVolumeKernels* gelGetVolumeKernels( gelSimdLevel level );

/// Sums of the quality mode (quality.h). Vectors of nodes have a multiple of eight, those behind the last
/// one are zero.
typedef struct gelQualityKernels
{
	/// gradient = m (u - target), component by component. @return sum of m (u - target)^2
	double ( *inertia )(
		const gelVec4* masses, const gelVec4* u, const gelVec4* target, int count, gelVec4* gradient );
	/// out[k] = a[k] . b
	void ( *dots )( const gelVec4* const* a, int vectorCount, const gelVec4* b, int count, double* out );
	/// out = scale base + sum of c[k] a[k]; out may be one of them
	void ( *combine )( float scale, const gelVec4* base, const gelVec4* const* a, const float* c,
		int vectorCount, int count, gelVec4* out );
} gelQualityKernels;

const gelQualityKernels* gelGetQualityKernels( gelSimdLevel level );

/// Loops over bodies side by side (lanes.h); the steps are those of fast_corotated.h.
typedef struct gelLaneKernels
{
	int laneCount; // 8 or 16 bodies; 0: none
	/// x~ and its displacements
	void ( *predict )( const struct gelLanes* lanes );
	/// b += 2 h^2 mu V (R - F(u~)) g with the R of F(u). @return a bit per lane whose rotations are usable
	int ( *updateElements )( const struct gelLanes* lanes, float* u );
	/// y = A^-1 b by rows, then p = x~ + y for the free nodes
	void ( *solve )( const struct gelLanes* lanes, const gelPackFactorView* factor );
	/// u = p - rest
	void ( *subtractRest )( const struct gelLanes* lanes, float* u );
	/// One volume sweep over p. @param kappa NULL in a single sweep
	/// @return a bit per lane in which it met a tet below GEL_FLAT_VOLUME of its rest volume
	int ( *sweepVolume )( const struct gelLanes* lanes, float* kappa );
	/// out = p
	void ( *store )( const struct gelLanes* lanes );
	/// Sixteen lanes where these are eight; NULL: none
	const struct gelLaneKernels* wide;
} gelLaneKernels;

const gelLaneKernels* gelGetLaneKernels( gelSimdLevel level );
