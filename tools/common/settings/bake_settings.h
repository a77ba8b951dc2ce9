// SPDX-License-Identifier: MIT
// What can be asked of a bake, as plain values. setting_table.h says how each is called on the command line,
// in recipes, in the extras of the art and in META.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- parts ----------------------------------------------------------------------------------------------

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
	uint8_t* bytes; // a pack without levels, as gelBake gives it
	size_t byteCount;
} gelBakeLevel;

// ---- the body -------------------------------------------------------------------------------------------

/// What gelBake gets, apart from mesh and cage.
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
	const struct gelCdgArt* collisionArt; // art of the mesh, by gelBuildCdgArt; NULL: made when it is needed
	gelParticleSettings particles;
	bool hasWarp; // also for the warp-cancelling solver
	// Coarser levels to put into the pack, from fine to coarse; with at most one pin set, which all of them
	// have.
	const gelBakeLevel* levels;
	int levelCount;
	int level;   // level that this pack will be of another, for messages; 0: none
	int threads; // the bytes do not depend on it
	uint8_t
		inputHash[32]; // SHA-256 of the art files; goes into the provenance with the cage and these settings
	const char* name;  // name of the asset, for META
	double scale;      // metres per unit of the art file, for META; the mesh is in metres already
	const char* animation;          // pose of the art, for META; the mesh has it already. NULL: at rest
	double animationTime;           // [s]
	const char* nodes;              // globs of the parts of the art that were read, for META; NULL: all
	const char* excluded;           // globs of the parts that were not
	const char *artFile, *cageFile; // where mesh and cage came from, for messages only; NULL: nowhere
	// Called with the bytes of the pack while they are validated, by another thread if there are several.
	// They are of no use if gelBake returns NULL after that. Must not end the process. NULL: nothing is to be
	// done.
	void ( *draft )( void* context, const uint8_t* bytes, size_t byteCount );
	void* draftContext;
} gelBakeSettings;

// Rubber-like: 1e5 Pa, 0.33, 1000 kg/m^3; one step of 1/60 s.
gelBakeSettings gelDefaultBakeSettings( void );

// ---- the command ----------------------------------------------------------------------------------------

/// An axis-aligned box [m], corners included.
typedef struct gelPinBox
{
	double low[3], high[3];
} gelPinBox;

typedef enum gelPaintKind
{
	gel_paintStiffness, // Young's modulus [Pa]
	gel_paintDensity,   // [kg/m^3]
	gel_paintPin,       // 0: free, 1: held
	gel_paintKindCount,
} gelPaintKind;

/// Where one of these is painted, and what the paint means.
typedef struct gelPaintRule
{
	bool isGiven;
	char channel[64]; // "color.r", or the name of an attribute such as "_STIFFNESS"
	bool hasRange;    // the paint goes from 0 (low) to 1 (high); else it is the value itself
	double low, high;
	bool isLog; // equal ratios instead of equal steps between low and high
} gelPaintRule;

typedef struct gelPaintRules
{
	gelPaintRule rules[gel_paintKindCount];
	bool isOff; // no paint counts
} gelPaintRules;

/// Limits that a build sets to a baked body (bake/gates/gates.h).
typedef struct gelGates
{
	double maxBytes;        // largest pack; 0: no limit
	double maxRuntimeBytes; // largest body in a game; 0: no limit
	double maxStepMicros;   // estimated time of a step on one thread of this machine [us]; 0: no limit
	bool soak;              // try the body out (soak.h)
	double maxStrain;       // in the soak; 0: no limit
	double maxPenetration;  // after the drop, relative to the size of the body
	double maxEnergyGrowth; // largest growth in a body that nothing moves
} gelGates;

gelGates gelDefaultGates( void );

/// A list of values of one type, which the member says. Who fills it owns the memory.
typedef struct gelValueList
{
	void* items;
	int count;
} gelValueList;

/// Everything that gel-bake can be asked for; members that are rows of the table, and what those are part of.
typedef struct gelBakeRequest
{
	gelBakeSettings
		settings; // settings of the body; steps, pins, attachments and levels below are put into it
	const char* outputPath;
	const char* cagePath;      // NULL: the cage is made from the art
	const char* recipePath;    // NULL: none
	const char* materialsPath; // NULL: none
	const char* depfilePath;   // NULL: none
	const char* projectPath;   // folder that art may name files of; NULL: its own
	int targetTets;            // when the cage is made
	gelValueList levels;       // int: tets to aim at, of coarser levels
	gelValueList steps;        // double [s]; none: those of the settings
	bool forQuality;           // also bake what the quality mode needs
	gelValueList pinBoxes;     // gelPinBox
	gelValueList
		attachments; // gelBakeAttachment: of the command line first, then of the recipe, then of the art
	gelPaintRules paint;
	bool noCollision;
	int collisionCells; // 0: fine, 1: coarse, 2: auto
	gelGates gates;
	bool verify;              // compare with the pack that is there instead of writing it
	const char* manifestPath; // NULL: one asset
	const char* shardText;    // NULL: all of the manifest
	int jobs;                 // processes of a batch
	const char* cachePath;    // NULL: none
	bool force;               // bake in spite of the cache
} gelBakeRequest;

gelBakeRequest gelDefaultBakeRequest( void );
