// SPDX-License-Identifier: MIT
// Bodies of oriented particles (gel_solverOrientedParticles): a few dozen ellipsoids carry the motion, the
// art follows by linear blend skinning. Included by gelpack.h. A guide is docs/particles.md.
//
// The cheapest way to simulate a body, and the only one for rods and sheets: gel-bake --particles. Points,
// springs, rays and queries work as for other solvers, since the cage follows the particles as the art does.
// In a world with contact (contact.h) they touch as ellipsoids: each other, colliders, and the surfaces of
// bodies with tets.
#pragma once

#include "base.h"
#include "types.h"

/// What a body of particles was made of.
typedef enum gelParticleShape
{
	gel_particlesInVolume = 0,
	gel_particlesOnSurface = 1,
	gel_particlesOnCurve = 2,
} gelParticleShape;

/// One particle at rest.
typedef struct gelParticle
{
	gelVec3 position; ///< [m, asset space]
	gelQuat rotation; ///< from the axes of the ellipsoid to those of the asset
	gelVec3 radius;   ///< [m]
	float mass;       ///< [kg]
} gelParticle;

/// Where a particle is now.
typedef struct gelParticlePose
{
	gelVec3 position; ///< [m, world space]
	gelQuat rotation; ///< from rest; the axes of the ellipsoid are turned by rest rotation, then by this
	gelVec3 linearVelocity;  ///< [m/s]
	gelVec3 angularVelocity; ///< [rad/s]
} gelParticlePose;

/// Rows of a matrix that takes rest positions (asset space) to deformed ones: p = m (x, y, z, 1).
typedef struct gelPaletteMatrix
{
	float m[3][4];
} gelPaletteMatrix;

/// Particles that carry an art vertex, and how much: weights are 1/65535 and sum to 65535. As glTF has it in
/// JOINTS_0 and WEIGHTS_0 with unsigned shorts.
typedef struct gelSkinVertex
{
	uint16_t joint[4], weight[4];
} gelSkinVertex;

/// Particles of an asset; 0 when it was baked without.
GEL_API int gelAsset_GetParticles( const gelAsset* asset, gelParticle* out, int outCapacity );

/// Pairs of particles that hold each other, two indices each. @return the number of pairs
GEL_API int gelAsset_GetParticleEdges( const gelAsset* asset, int* out, int outCapacity );

/// What the particles of an asset were made of; meaningless for an asset without them.
GEL_API gelParticleShape gelAsset_GetParticleShape( const gelAsset* asset );

/// Skin of the art vertices, owned by the asset; NULL without particles.
GEL_API const gelSkinVertex* gelAsset_GetSkin( const gelAsset* asset );

/// Poses of the particles of a body; 0 for a body with another solver.
GEL_API int gelBody_GetParticlePoses( gelBodyId bodyId, gelParticlePose* out, int outCapacity );

/// Puts the particles of a body elsewhere. count must be their number, positions and velocities within +-1e9,
/// rotations of unit length within 1e-3. gel_errorUnsupported for a body with another solver.
GEL_API gelResult gelBody_SetParticlePoses( gelBodyId bodyId, const gelParticlePose* poses, int count );

/// One matrix per particle, for games that skin on the graphics card: vertex = sum of weight / 65535 times
/// palette[joint] (rest position, 1). World space, rounded to float there; far from the world's origin ask
/// for them relative to a place near the body.
/// @param origin [m, world space] that the result is relative to
GEL_API int gelBody_GetPalette( gelBodyId bodyId, gelVec3 origin, gelPaletteMatrix* out, int outCapacity );
