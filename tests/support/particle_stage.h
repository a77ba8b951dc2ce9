// SPDX-License-Identifier: MIT
// Bodies of particles for tests: given particles are baked, loaded and placed in a world, and their energy is
// computed here in double from its definition.
#pragma once

#include "gelpack/gelpack.h"
#include "pack/pack_layout.h"

#include <stdbool.h>
#include <stdint.h>

#define GEL_STAGE_PARTICLES 512

/// What to build.
typedef struct gelParticleStageDef
{
	gelPackParticle particles[GEL_STAGE_PARTICLES];
	uint32_t edges[8 * GEL_STAGE_PARTICLES][2];
	uint32_t count, edgeCount, kind;
	int artFineness;      // edges of the art along one of the cage; 0: 1
	double stiffness;     // k [J/m^5]; 0: from Young's modulus
	double youngsModulus; // [Pa]
	double damping;       // [1/s]
	double steps[3];      // [s]
	int stepCount;
	gelWorldDef world;
	gelBodyDef body;   // asset and solver are filled in
	bool mayBeRefused; // by the bake
} gelParticleStageDef;

typedef struct gelParticleStage
{
	uint8_t* pack;
	size_t packBytes;
	gelAsset* asset;
	gelWorldId world;
	gelBodyId body;
	float step;
	int count;
	gelParticlePose poses[GEL_STAGE_PARTICLES]; // for the test to use
} gelParticleStage;

/// No particles yet; no gravity, no ground, 1/60 s.
void gelInitParticleStage( gelParticleStageDef* def );

/// Adds a particle with the axes of the world. @return its index
uint32_t gelStageAddParticle(
	gelParticleStageDef* def, const double position[3], const double radius[3], double density );

/// A straight chain along x.
void gelStageAddChain( gelParticleStageDef* def, uint32_t count, double distance, double radius );

/// A box of particles with edges along the axes and (if wanted) the diagonals of its faces.
void gelStageAddLattice( gelParticleStageDef* def, const uint32_t n[3], double distance, bool hasDiagonals );

/// A cube of 27 balls of 5 cm, 0.3 m wide, 14 kg, whose lowest ball is in the origin; in a world with
/// contact.
void gelStageAddBlock( gelParticleStageDef* def );

/// Random ellipsoids, turned in any way, with a random connected graph.
void gelStageAddCloud( gelParticleStageDef* def, uint32_t count, uint64_t seed );

/// Fails the running test when anything goes wrong.
/// @return false: the bake has refused, and may
bool gelMakeParticleStage( const gelParticleStageDef* def, gelParticleStage* out );
void gelFreeParticleStage( gelParticleStage* stage );
void gelParticleStage_Step( gelParticleStage* stage, int count );
/// Another body; asset and solver are filled in.
gelBodyId gelParticleStage_AddBody( const gelParticleStage* stage, gelBodyDef def );
void gelParticleStage_Fetch( gelParticleStage* stage );
void gelParticleStage_Put( gelParticleStage* stage );

/// Rotation matrix of a quaternion, by rows.
void gelGetRows( gelQuat q, double R[3][3] );

/// Moment matrix Ab of a particle [m^5].
void gelGetMoment( const gelPackParticle* particle, double out[3][3] );

/// Elastic energy of poses, by its definition [J].
double gelGetElasticEnergy(
	const gelParticleStageDef* def, double k, const double ( *x )[3], const double ( *R )[3][3] );
