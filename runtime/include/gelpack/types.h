// SPDX-License-Identifier: MIT
// Plain values: vectors, definitions, infos. SI units, right-handed, Y up.
#pragma once

#include "base.h"

typedef struct gelVec3
{
	float x, y, z;
} gelVec3;

/// Unit quaternion: vector part v, scalar part s.
typedef struct gelQuat
{
	gelVec3 v;
	float s;
} gelQuat;

/// Where something is, and how it is turned: x' = rotation x + position.
typedef struct gelTransform
{
	gelVec3 position; ///< [m]
	gelQuat rotation; ///< unit length within 1e-3
} gelTransform;

/// Axis-aligned box [m].
typedef struct gelAabb
{
	gelVec3 min, max;
} gelAabb;

/// Baked data of one body: immutable, shared by all its instances and by all threads.
typedef struct gelAsset gelAsset;

/// A world. Opaque. Zero means "no world".
typedef struct gelWorldId
{
	struct gelWorld* world;
} gelWorldId;

/// A body in a world. Opaque: compare, copy, store. Zero means "no body". A destroyed body's id is
/// recognized as stale as long as its world lives.
typedef struct gelBodyId
{
	struct gelWorld* world;
	uint32_t index1; // 1-based
	uint32_t generation;
} gelBodyId;

/// How a body is simulated. More families join this list; a pack says which it was baked for.
typedef enum gelSolverType
{
	gel_solverFastCorotated = 0, ///< corotated FEM by operator splitting (Kugelstadt et al. 2018)
	gel_solverImplicit = 1, ///< corotated FEM by Newton steps with an iterative solver, see gelImplicitDef
	/// Corotated FEM with a direct solver whose factor is refreshed where rotations changed (Hecht et al.
	/// 2012): for stiff bodies, slivers, sheets and strong contrasts; see gelWarpDef
	gel_solverWarpCancelling = 2,
	/// Ellipsoids with rotations (Choi and Lee 2017): cheapest, also for rods and sheets; see particles.h
	gel_solverOrientedParticles = 3,
} gelSolverType;

/// How the fast corotated solver steps a body. docs/solvers.md has the figures.
typedef enum gelSolverMode
{
	/// As published: stretch, then volume. Fastest; sag of a clamped beam is 0.4 to 3 times that of the
	/// material, depending on Poisson's ratio, step length and volume sweeps.
	gel_modePlain = 0,
	/// Stretch and volume together: bodies at rest hang and lie exactly as their material says, and vibrate
	/// as backward Euler does. Costs up to three times as much. The pack must have been baked for it by
	/// gel-bake --quality.
	gel_modeQuality = 1,
} gelSolverMode;

/// Which instructions the inner loops use. All give the same bits.
typedef enum gelSimdLevel
{
	gel_simdAutomatic = 0, ///< the fastest that the processor has
	gel_simdScalar = 1,    ///< plain C
	gel_simdSse2 = 2,
	gel_simdAvx2 = 3,
	gel_simdNeon = 4,
	gel_simdAvx512 = 5,
	gel_simdWasm = 6, ///< 128 bits of WebAssembly
} gelSimdLevel;

/// Where and why a pack was refused.
typedef struct gelLoadError
{
	gelResult result;
	char section[8];     ///< four letters, zero terminated; empty: the header or the section table
	uint64_t key;        ///< key of the section
	uint64_t index;      ///< element of the section
	uint64_t byteOffset; ///< from the start of the pack
	const char* rule;    ///< static text, never NULL: the rule that is broken; empty after success
} gelLoadError;

/// How to load a pack. Start from gelDefaultAssetDef().
typedef struct gelAssetDef
{
	/// Memory of the asset. Default: malloc and free.
	gelAllocator allocator;
	/// Skips the checksums of the sections, for packs inside a signed archive. All rules that keep
	/// memory safe are checked always. Default false.
	bool isTrusted;
	/// Filled by gelDefaultAssetDef(): a def that did not start there is refused.
	uint32_t cookie;
} gelAssetDef;

/// Facts about an asset.
typedef struct gelAssetInfo
{
	int nodeCount, tetCount;        ///< sizes of the cage
	int vertexCount, triangleCount; ///< sizes of the art mesh
	int materialCount;
	int factorCount;      ///< baked (step length, pin set) pairs
	int pinSetCount;      ///< without the empty one
	int colorCount;       ///< groups of tets that share no node
	bool hasNormals;      ///< the pack carries rest normals, without which gelBody_GetNormals gives none
	float mass;           ///< [kg]
	float volume;         ///< rest volume of the cage [m^3]
	gelAabb restBounds;   ///< box around the art mesh at rest [m, asset space]
	size_t packBytes;     ///< size of the pack
	size_t derivedBytes;  ///< what the runtime has derived from it when it was loaded, for all bodies
	int cellCount;        ///< cells of the collision geometry: tets with surface inside; 0: the pack has none
	int patchCount;       ///< pieces of the surface, one or more per cell
	int patchVertexCount; ///< vertices of all patches, copies and padding included
	int patchTriangleCount; ///< art triangles cut along the cage
	int coarseLevelCount;   ///< levels of the tree over the cells
	bool hasClosedSurface;  ///< the collision geometry has no border
	uint8_t provenance[32]; ///< SHA-256 of what it was baked from
} gelAssetInfo;

/// A material of an asset, as it was baked.
typedef struct gelMaterialInfo
{
	const char* name;                      ///< owned by the asset, never NULL
	float density;                         ///< [kg/m^3]
	float youngsModulus;                   ///< [Pa]
	float poissonsRatio;                   ///< [0, 0.4999]
	float mu, lambda;                      ///< Lame parameters [Pa]
	float damping;                         ///< extra velocity damping [1/s]
	float staticFriction, dynamicFriction; ///< Coulomb coefficients
} gelMaterialInfo;

/// One (step length, pin set) that an asset can be simulated with.
typedef struct gelFactorInfo
{
	float step;        ///< [s]; gelWorld_Step wants exactly this float
	uint64_t pinSetId; ///< 0: no pins
	int freeNodeCount; ///< nodes that the physics moves
	size_t bytes;      ///< size of the factor in the pack
} gelFactorInfo;

/// An infinite static plane: points with dot( normal, x ) >= offset are outside.
typedef struct gelPlane
{
	gelVec3 normal; ///< unit length within 1e-3
	float offset;   ///< [m]
} gelPlane;

/// Who touches whom: two bodies, or a body and a collider, touch when each one's mask has a bit of the
/// other's category.
typedef struct gelContactFilter
{
	uint32_t category; ///< who it is. Default 1
	uint32_t mask;     ///< whom it touches. Default all bits
} gelContactFilter;

/// How to make a world. Start from gelDefaultWorldDef().
typedef struct gelWorldDef
{
	/// [m/s^2]. Default (0, -9.81, 0).
	gelVec3 gravity;
	/// Whether there is a ground plane. Default false.
	bool hasGround;
	/// Read when hasGround. Default y >= 0.
	gelPlane ground;
	/// Coulomb coefficients of the ground, >= 0, combined with the body's by the mean. Dynamic is never more
	/// than static. Default 0.6 and 0.5.
	float groundStaticFriction, groundDynamicFriction;
	/// Bodies that may live at the same time, 1 .. 2^24. Default 256.
	int bodyCapacity;
	/// Colliders that may live at the same time, 0 .. 2^24. Read when enableContact. Default 64.
	int colliderCapacity;
	/// Whether bodies touch each other (contact.h) and colliders (collider.h); memory for it is reserved
	/// then. Default false.
	bool enableContact;
	/// Contacts between bodies in one step, 1 .. 2^24; of more the deepest are kept. 1.1 KB each, taken as
	/// bodies come (docs/memory.md). Default 4096.
	int contactCapacity;
	/// Triangles of one pair of bodies that cross, 0 .. 2^20; of more only the depth of the bodies in each
	/// other is known (gelContactCounters.crowdedPairCount). 640 bytes each, once per world. Default 0: 24
	/// times the root of the triangles of the largest collision surface, at least 1024, at most 32768.
	int trianglePairCapacity;
	/// Pairs of bodies whose boxes overlap in one step, 1 .. 2^24; more pass through each other. Default
	/// 1024.
	int contactPairCapacity;
	/// Memory of the world and its bodies: one block each. Default: malloc and free.
	gelAllocator allocator;
	/// Threads. Default: everything on the calling thread.
	gelTaskSystem tasks;
	/// For tests and measurements; a level that the processor does not have is refused. Default automatic.
	gelSimdLevel simd;
	/// Seconds since any moment, for gelWorld_GetStepTimes; called on the thread that steps. Default NULL: no
	/// times. Results do not depend on it.
	double ( *clock )( void* context );
	void* clockContext;
	/// Receives a line when the caller should fix something; called on the thread that calls the function.
	/// Default NULL: silence.
	gelLogFcn* log;
	void* logContext;
	/// Given back by gelWorld_GetUserData. Default NULL.
	void* userData;
	/// Filled by gelDefaultWorldDef(): a def that did not start there is refused.
	uint32_t cookie;
} gelWorldDef;

typedef enum gelPreconditioner
{
	gel_preconditionBlocks = 0, ///< inverse 3x3 blocks of the diagonal
	gel_preconditionNone = 1,
	/// The baked factor of the fast corotated solver. Iterations hardly depend on the stiffness then; the
	/// step length must have been baked. For bodies with E h^2 / (density * cell^2) above about 1000.
	gel_preconditionFactor = 2,
} gelPreconditioner;

/// Settings of gel_solverImplicit: Newton steps on backward Euler, solved without assembling a matrix. Lame's
/// mu and lambda act together, so statics are those of the material; cost grows with stiffness, so cages
/// should be small (below 5000 tets). Takes any step length.
typedef struct gelImplicitDef
{
	/// Newton iterations per step, 1 .. 100. Default 1. Shorter steps are worth more than more iterations.
	int newtonIterations;
	/// Iterations of the linear solver per Newton iteration, 1 .. 10000. Default 20. Too few make stiff
	/// bodies move as if gravity were weaker.
	int linearIterations;
	/// Residual at which the linear solver stops, relative to the right-hand side, 0 .. 1. Default 1e-3;
	/// below 1e-5 float has no more to give.
	float tolerance;
	gelPreconditioner preconditioner;
	/// Rayleigh damping: part of the mass matrix [1/s], in addition to that of the materials, and of the
	/// stiffness matrix [s]. 0 .. 1e6. Default 0.
	float massDamping, stiffnessDamping;
	/// Solves for rigid motions exactly, beside the iterations, where the body is too stiff for these to
	/// reach across it: modulus h^2 / (density * cell^2) above 100, and where it moves a frame with a mass.
	/// Without, stiff bodies move as if gravity were weaker, reactions of constraints are wrong and momentum
	/// that is shared with a frame is lost unless linearIterations is large. Also starts steps that turn the
	/// body from the motion of a rigid one; without, spin and swings are lost unless newtonIterations is
	/// large. Default true.
	bool enableRigidModes;
	/// No inertia: every step moves towards equilibrium of the forces; velocities are those of that motion. A
	/// body whose pins and constraints leave it a rigid motion keeps its mass, but not its velocity, from
	/// step to step. Default false.
	bool isQuasiStatic;
	/// For experiments alone, see experimental.h. Default NULL.
	const struct gelImplicitVariant* variant;
} gelImplicitDef;

/// Permanent deformation. The elastic strain beyond a yield point relaxes into plastic strain, at a rate that
/// does not depend on the step length, up to a largest plastic strain. Strains are sizes (Frobenius norm) of
/// the symmetric strain of an element: stretched to 1.1 times its length, an element has about 0.1.
typedef struct gelPlasticityDef
{
	/// Default false: all deformation springs back, and the fields below are not read. With gel_modeQuality
	/// bodies with it are refused, gel_errorUnsupported.
	bool enableYield;
	/// Elastic strain above which the body yields, 0 .. 10. Default 0.05.
	float yieldStrain;
	/// The same as stress [Pa], 0 .. 1e12: size of the deviatoric stress. Default 0: use yieldStrain.
	float yieldStress;
	/// How fast the excess relaxes [1/s], 0 .. 1e9. Default 50: half of it in 14 ms.
	float creepRate;
	/// Plastic strain that is never exceeded, 0 .. 0.9. Default 0.5.
	float maxStrain;
	/// Only changes of shape become permanent, changes of volume spring back. Default true.
	bool isVolumeKept;
} gelPlasticityDef;

/// Which parts of its factor a body with gel_solverWarpCancelling refreshes in a step.
typedef enum gelWarpSchedule
{
	gel_warpQuality = 0, ///< all whose error is above the tolerance, whatever that costs
	gel_warpTime = 1,    ///< the worst ones first, as many as the budget allows
	gel_warpHybrid = 2,  ///< all above maxTolerance, then those above the tolerance within the budget
} gelWarpSchedule;

/// Settings of gel_solverWarpCancelling. The pack must have been baked with --warp.
typedef struct gelWarpDef
{
	gelWarpSchedule schedule;
	/// Error of an element as a velocity [m/s], 0 .. 1e6: what the stale matrix does wrong to its momentum in
	/// a step, by its mass. Default 2. 0 refreshes whatever has changed.
	float tolerance;
	/// Largest tolerance that gel_warpHybrid may take, at least the tolerance. Default 6.
	float maxTolerance;
	/// Operations per step, as a part of those of a whole factorization, 0 .. 1. Default 0.33. Counted, not
	/// timed: results are the same on every machine. After a solve that has left more than half of its
	/// right-hand side everything is refreshed, whatever the schedule.
	float budget;
	/// Corrections of a solve by the exact matrix, 0 .. 100. Up to eight more follow where a hundredth of the
	/// right-hand side is left after them; a tenth, if there are to be none. Default 1.
	int refinements;
	/// Leaves the rotations of nodes out: more refreshes, but stable where neighboring elements turn against
	/// each other, as in thin sheets with creases. Default false.
	bool isSheet;
	/// Above this error [m/s] elements that are not refreshed are damped towards rigid motion; 0: never.
	/// Default 0.
	float dampAbove;
	/// Rayleigh damping as in gelImplicitDef.
	float massDamping, stiffnessDamping;
	/// A body whose factor with its updates would take more than this keeps the factor alone, which is two to
	/// four times smaller; refreshes then take longer, and one thread each [bytes]. Default 256 MB.
	size_t maxFactorBytes;
	/// For experiments alone, see experimental.h: how rotations of flat and inverted elements are found.
	/// Default NULL.
	const struct gelImplicitVariant* variant;
} gelWarpDef;

/// Settings of gel_solverOrientedParticles. No pin sets, modes, stiffness scale or plasticity; constraints
/// hold points and directions.
typedef struct gelParticleDef
{
	/// Sub-steps per step, 0 .. 64. Default 0: 1, in worlds with a ground 3, and 6 for bodies that take part
	/// in contact. The pack must have been baked for the step length divided by them; gel-bake does for 1, 2,
	/// 3, 4 and 6.
	int subSteps;
	/// Iterations per sub-step, 0 .. 1000. Default 0: so many that a step has about ten, but at least 2.
	int iterations;
	/// Predicts rotations as published, by adding matrices, which loses spin: a free particle that turned by
	/// 30 degrees in a step turns by 24 in the next. Default false: spin is kept.
	bool enableSpinLoss;
} gelParticleDef;

/// Settings of gel_solverFastCorotated.
typedef struct gelFastDef
{
	/// Default gel_modePlain.
	gelSolverMode mode;
	/// Multiplies Young's modulus, 1e-6 .. 1e6. A factor that was baked for the step length b serves steps of
	/// h seconds with a scale of (b/h)^2, since its matrix depends on both through their product only. In
	/// plain mode exactly that factor has to be there: a pack baked for 1/60 s and 1/30 s allows a scale of 4
	/// in steps of 1/60 s and of 1/4 in steps of 1/30 s. gelCreateBody refuses a scale that no step length
	/// of the pack allows (gel_errorNoFactor). Default 1.
	float stiffnessScale;
	/// Keeps the angular momentum of a body that nothing holds or touches. Without it a body of 1 m and 1 MPa
	/// that turns once per second loses a quarter of its spin in a second of 10 ms steps, in both modes: that
	/// is backward Euler. Costs about 40 ns per node and step. Default false: as published, and the loss
	/// helps bodies to come to rest.
	bool enableSpinKeeping;
	/// Local/global passes per step, 0 .. 1000. Default 0: by step length (1 up to 10 ms, 2 up to 1/60 s,
	/// else 3). More passes make the sag near pinned nodes right at long steps; they do not reduce the
	/// damping of rotation that is part of backward Euler. In quality mode: iterations of the search, at
	/// least 2. Default 0: by Poisson's ratio (3 up to 0.4, 4 up to 0.45, else 6), 2 more above 10 ms, 4 more
	/// above 1/60 s, 1 less above 30000 tets; they change how a body moves, not where it comes to rest.
	int passes;
	/// Volume sweeps per step, 0 .. 1000. Default 0: by Poisson's ratio (1 up to 0.4, 2 up to 0.45, else 5).
	/// More sweeps keep the volume better (0.3 % instead of 0.6 % for 5 instead of 2 on a strained beam of nu
	/// 0.49) and make the body stiffer. Not read in quality mode.
	int volumeSweeps;
} gelFastDef;

/// Which solver moves a body, with its settings. Start from gelDefaultSolverDef( type ).
typedef struct gelSolverDef
{
	/// Says which of the settings below are meant.
	gelSolverType type;
	union
	{
		gelFastDef fast;
		gelImplicitDef implicit;
		gelWarpDef warp;
		gelParticleDef particles;
	};
} gelSolverDef;

/// How to place one asset in a world. Start from gelDefaultBodyDef().
typedef struct gelBodyDef
{
	/// Baked data; must outlive the body. Required.
	const gelAsset* asset;
	/// Default gelDefaultSolverDef( gel_solverFastCorotated ).
	gelSolverDef solver;
	/// Permanent deformation. With the fast corotated solver volume always springs back.
	gelPlasticityDef plasticity;
	/// Where the asset's origin and axes are [m, world space], within +-1e9. Default: those of the world.
	gelTransform transform;
	/// [m/s]. Default 0.
	gelVec3 linearVelocity;
	/// About the center of mass [rad/s]. Default 0.
	gelVec3 angularVelocity;
	/// Baked pin set: its nodes follow their targets instead of the physics. Default 0: none.
	uint64_t pinSetId;
	/// Keeps bounds of the surface up to date for rays and insides (query.h), as far as the pack has
	/// collision geometry. Costs up to 100 bytes per cell, in memory that steps share, and
	/// about 15 ns per cell in a step in which somebody asks. Default true.
	bool enableQueries;
	/// Takes part in contact (contact.h) if its world has it and its pack has collision geometry, which
	/// bodies of oriented particles do not need. Costs 10 kB and 100 bytes per node (docs/memory.md). Default
	/// true.
	bool enableContact;
	/// Parts of the body touch each other, too, as far as it takes part in contact. Costs a search in every
	/// step. Default false.
	bool enableSelfContact;
	/// Which bodies and colliders it touches.
	gelContactFilter contactFilter;
	/// How thick its thinnest parts are that others must not pass through within a step [m], 0 .. 1e6. Where
	/// bounds of their surfaces meet, two bodies then move against each other by no more than half of this
	/// per step. Default 0: the smallest side of its box counts, and only bodies are braked whose bounds do
	/// not meet yet.
	float contactThickness;
	/// Coulomb coefficient of the whole body in contact with other bodies, 0 .. 1e6; -1: those of its
	/// materials. Default -1.
	float contactFriction;
	/// Lets the body fall asleep when no node has moved faster than 5 cm/s for half a second (single
	/// nodes of a body that touches something: 25 cm/s, if the body as a whole is slower than 2.5 cm/s): it
	/// stops, and costs nothing until it is woken (gelBody_SetAwake). Default true.
	bool enableSleep;
	/// Constraints (interact.h) that the body can have at the same time, 0 .. 64. Each costs 104 bytes; with
	/// its first one the body takes the memory of their rows: for 16 24 kB, and with the fast corotated
	/// solver 88 bytes per node. Default 16.
	int constraintCapacity;
	/// Frames for attachments (interact.h), 0 .. 64. Default 4.
	int frameCapacity;
	/// Given back by gelBody_GetUserData. Default NULL.
	void* userData;
	/// Filled by gelDefaultBodyDef(): a def that did not start there is refused.
	uint32_t cookie;
} gelBodyDef;

/// What has happened in a world.
typedef struct gelWorldCounters
{
	uint64_t stepCount;     ///< since the world was made
	int bodyCount;          ///< now
	int awakeBodyCount;     ///< now
	int tetCount;           ///< tets of all bodies, now
	int groundContactCount; ///< art vertices that stood for their tet on the ground in the last step
	int nonFiniteBodyCount; ///< times that a body was put back at rest because a step gave NaN or infinity
	int unfoldedBodyCount;  ///< times that a body came to rest inside out and got its rest shape
} gelWorldCounters;

/// What a world has taken from its allocator, by owner [bytes]: docs/memory.md has the formulas. Assets are
/// not in it.
typedef struct gelWorldMemory
{
	size_t total;       ///< sum of all below, to the byte
	size_t slots;       ///< places for bodies, colliders, pairs, events: by the capacities of gelWorldDef
	size_t bodies;      ///< the bodies themselves
	size_t constraints; ///< rows of bodies that have been held by constraints
	size_t workers;     ///< scratch of each thread: by the largest body
	size_t contacts;    ///< lists of contacts and their answers: grows with the number of bodies
	size_t detection;   ///< search for contacts between surfaces: by the largest surface
	size_t colliders;   ///< surfaces of colliders
	size_t particles;   ///< contact of ellipsoids
} gelWorldMemory;

/// Where the time of the last step went [s]. Zeros without gelWorldDef.clock.
typedef struct gelStepTimes
{
	double total;
	double contacts; ///< which bodies touch, and where
	double pairs;    ///< the part of it that finds bodies whose boxes overlap
	double bodies;   ///< solvers; bodies that touch nothing but the ground end here
	double response; ///< contacts of the others, and the end of their steps
} gelStepTimes;

/// Energies and momenta of a body, for tests, graphs and gates.
typedef struct gelBodyDynamics
{
	float mass;              ///< [kg], pinned nodes included
	gelVec3 centerOfMass;    ///< [m, world space]
	gelVec3 linearMomentum;  ///< [kg m/s]
	gelVec3 angularMomentum; ///< about the center of mass [kg m^2/s]
	float kineticEnergy;     ///< [J]
	float elasticEnergy;     ///< [J], stretch and volume terms
	float volume;            ///< volume of the deformed cage [m^3]
	int invertedTetCount;    ///< tets turned inside out
} gelBodyDynamics;

/// Where gelWorld_GetVertices puts the art of a body: arrays of their own, or parts of an interleaved one.
typedef struct gelVertexTarget
{
	gelBodyId body;
	gelVec3* positions; ///< where the first vertex goes [m, world space]; NULL: not wanted
	gelVec3* normals;   ///< where the first normal goes, unit length; NULL: not wanted
	/// From one vertex to the next, in both arrays [bytes]: a multiple of 4, at least 12; 0: 12. What is
	/// between is left alone.
	int stride;
	int capacity; ///< vertices that there is room for; those that do not fit are left out
} gelVertexTarget;
