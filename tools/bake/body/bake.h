// SPDX-License-Identifier: MIT
// gel-bake as a library: art mesh + cage -> bytes of a pack. main.c is only the command line around it.
#pragma once

#include "cage/cage_io.h"
#include "common/mesh/mesh.h"
#include "common/program/program.h"

typedef struct gelBakeMaterial
{
	const char* name;
	double density;       // [kg/m^3]
	double youngsModulus; // [Pa]
	double poissonsRatio;
	double damping; // [1/s]
	double staticFriction, dynamicFriction;
} gelBakeMaterial;

/// A set of cage nodes that follow the game instead of the physics.
typedef struct gelBakePinSet
{
	uint32_t* nodes; // sorted, unique
	uint32_t nodeCount;
} gelBakePinSet;

/// A point of the body that has a name.
typedef struct gelBakeAttachment
{
	char name[64];      // UTF-8, not empty
	double position[3]; // at rest [m]
	double rotation[4]; // unit quaternion x y z w: from its axes to those of the asset
	double radius;      // [m]; 0: the point alone
} gelBakeAttachment;

/// Collision geometry: whether, and along which cells the surface is cut.
typedef enum gelBakeCollision
{
	gel_collisionAuto, // as fine; without, and with a warning, where the art or the cage does not allow it
	gel_collisionNone,
	gel_collisionFine,   // along the tets of the cage; what does not allow it is an error
	gel_collisionCoarse, // along a coarser cage over the same nodes: fewer pieces for art of few triangles
} gelBakeCollision;

/// Where oriented particles are placed.
typedef enum gelParticleKind
{
	gel_particlesNone,
	gel_particlesAuto,  // rod where the art has lines, solid where it is closed, else sheet
	gel_particlesSolid, // in its volume
	gel_particlesSheet, // on its surface
	gel_particlesRod,   // along its lines; without lines, along its volume from end to end
} gelParticleKind;

typedef struct gelParticleSettings
{
	gelParticleKind kind;
	int count; // 0: as many as the shape asks for
	// Particles that the caller has placed, for use as a library; NULL: they are placed here.
	const struct gelPackParticle* given;
	uint32_t givenCount, givenKind;
	const uint32_t* givenEdges; // pairs, each once
	uint32_t givenEdgeCount;
	double givenStiffness; // k [J/m^5]; 0: from Young's modulus
} gelParticleSettings;

/// A coarser level: the same art in a coarser cage, baked.
typedef struct gelBakeLevel
{
	uint8_t* bytes; // of a pack without levels, as gelBake gives it
	size_t byteCount;
} gelBakeLevel;

typedef struct gelBakeSettings
{
	gelBakeMaterial material;
	// Per tet of the cage as it is given, for bodies of more than one material; NULL: `material` everywhere.
	// That one stays the first of the pack, and is that of oriented particles.
	const gelBakeMaterial* tetMaterials;
	const double* steps; // step lengths [s]; each is baked with every pin set and without pins
	int stepCount;
	bool isStatic; // a surface that the game moves as a rigid whole: collision geometry, no factors; no
				   // steps and no pin sets either; particles and hasWarp have no meaning then
	const gelBakePinSet* pinSets;
	int pinSetCount;
	const gelBakeAttachment* attachments; // each name once
	int attachmentCount;
	gelBakeCollision collision;
	const struct gelCdgArt* collisionArt; // of the mesh, by gelBuildCdgArt; NULL: made when it is needed
	gelParticleSettings particles;
	bool hasWarp; // also for the warp-cancelling solver
	// Coarser levels to put into the pack, from fine to coarse; with at most one pin set, which all of them
	// have.
	const gelBakeLevel* levels;
	int levelCount;
	int level;   // that this pack will be of another, for messages; 0: none
	int threads; // the bytes do not depend on it
	uint8_t
		inputHash[32]; // SHA-256 of the art files; goes into the provenance with the cage and these settings
	const char* name;  // of the asset, for META
	double scale;      // metres per unit of the art file, for META; the mesh is in metres already
	const char *artFile, *cageFile; // where mesh and cage came from, for messages only; NULL: nowhere
	// Called with the bytes of the pack while they are validated, by another thread if there are several.
	// They are of no use if gelBake returns NULL after that. Must not end the process. NULL: nothing is to be
	// done.
	void ( *draft )( void* context, const uint8_t* bytes, size_t byteCount );
	void* draftContext;
} gelBakeSettings;

gelBakeSettings gelDefaultBakeSettings( void ); // rubber-like: 1e5 Pa, 0.33, 1000 kg/m^3; one step of 1/60 s

/// Bakes. On failure errors are in program->findings and NULL is returned. The result was validated with the
/// runtime's own reader. free() it.
/// @param program findings, report and progress go there
uint8_t* gelBake( const gelMesh* mesh, const gelCage* cage, const gelBakeSettings* settings,
	gelProgram* program, size_t* outBytes );

/// Adds the step lengths that bodies in quality mode need, one for each given, as far as they are not there.
/// @param material in a body of several: gelGetQualityMaterial
/// @param steps [2 * count] [s]
/// @return how many there are then
int gelAddQualitySteps( const gelBakeMaterial* material, double* steps, int count );

/// The one of all tets with the largest Poisson's ratio, which decides about those steps.
/// @param tetCount of the cage; read if the settings have materials of tets
gelBakeMaterial gelGetQualityMaterial( const gelBakeSettings* settings, uint32_t tetCount );

/// Removes nodes without a tet, which mesh generators like to leave behind, with a warning. Node indices
/// change.
/// @param file that the cage came from, for the message
/// @return how many were dropped
uint32_t gelDropUnusedNodes( gelCage* cage, gelFindings* findings, const char* file );
