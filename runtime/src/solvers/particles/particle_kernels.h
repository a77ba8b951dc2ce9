// SPDX-License-Identifier: MIT
// Inner loops of the oriented particles: of one body, and of bodies side by side.
#pragma once

#include "math/vec4.h"
#include "pack/pack_read.h"
#include "simd/levels.h"

struct gelParticleLanes;
struct gelParticlePass;

/// Loops of the oriented particles (particle_model.h), with the bits of the functions for one slot there.
typedef struct gelParticleKernels
{
	void ( *predict )( const struct gelParticlePass* pass );
	/// Rotations, one block after another. @return false when a quaternion is no longer near unit length
	bool ( *sweep )( const struct gelParticlePass* pass, bool isBackward );
	void ( *sum )( const struct gelParticlePass* pass );
	void ( *finish )( const struct gelParticlePass* pass );
	/// Nodes of the cage by their skins. @param palette four columns per particle: rotation, then translation
	void ( *skinNodes )(
		const gelVec4* palette, const gelPackSkin* skins, const gelVec4* rest, int count, gelVec3* out );
} gelParticleKernels;

const gelParticleKernels* gelGetParticleKernels( gelSimdLevel level );

/// Iterations of oriented particles of bodies side by side (particle_lanes.h).
typedef struct gelParticleLaneKernels
{
	int laneCount; // 8 or 16 bodies; 0: none
	/// Rotations, right-hand sides and positions, so many times, of one sub-step.
	/// @return a bit per lane whose rotations are usable
	int ( *iterate )( const struct gelParticleLanes* lanes, const gelPackFactorView* factor, int iterations );
	/// Sixteen lanes where these are eight; NULL: none
	const struct gelParticleLaneKernels* wide;
} gelParticleLaneKernels;

const gelParticleLaneKernels* gelGetParticleLaneKernels( gelSimdLevel level );
