// SPDX-License-Identifier: MIT
// Plain values: vectors, definitions, infos. SI units, right-handed, Y up.
#pragma once

#include "base.h"

typedef struct gelVec3
{
	float x, y, z;
} gelVec3;

/// Unit quaternion, v + s.
typedef struct gelQuat
{
	gelVec3 v;
	float s;
} gelQuat;

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
/// recognised as stale as long as its world lives.
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
} gelSolverType;

/// Where and why a pack was refused.
typedef struct gelLoadError
{
	gelResult result;
	char section[8];     ///< four letters, zero terminated; empty: the header or the section table
	uint64_t key;        ///< key of the section
	uint64_t index;      ///< element of the section
	uint64_t byteOffset; ///< from the start of the pack
	const char* rule;    ///< static text: the rule that is broken
} gelLoadError;

/// How to load a pack. Start from gelDefaultAssetDef().
typedef struct gelAssetDef
{
	gelAllocator allocator;
	/// Skips the checksums of the sections, for packs inside a signed archive. All rules that keep
	/// memory safe are checked always. Default false.
	bool trustChecksums;
	uint32_t cookie;
} gelAssetDef;

/// Facts about an asset.
typedef struct gelAssetInfo
{
	int nodeCount, tetCount;
	int vertexCount, triangleCount; ///< of the art mesh
	int materialCount;
	int factorCount; ///< baked (step length, pin set) pairs
	int pinSetCount; ///< without the empty one
	int colorCount;
	bool hasNormals;    ///< the pack carries rest normals, without which gelBody_GetNormals gives none
	float mass;         ///< [kg]
	float volume;       ///< of the cage [m^3]
	gelAabb restBounds; ///< of the art mesh at rest [m]
	size_t packBytes;
	uint8_t provenance[32]; ///< SHA-256 of what it was baked from
} gelAssetInfo;

/// One (step length, pin set) that an asset can be simulated with.
typedef struct gelFactorInfo
{
	float step; ///< [s]
	uint64_t pinSetId;
	int freeNodeCount;
	size_t bytes;
} gelFactorInfo;

/// An infinite static plane: points with dot( normal, x ) >= offset are outside.
typedef struct gelPlane
{
	gelVec3 normal; ///< unit length
	float offset;   ///< [m]
} gelPlane;

/// How to make a world. Start from gelDefaultWorldDef().
typedef struct gelWorldDef
{
	gelVec3 gravity; ///< [m/s^2]. Default (0, -9.81, 0).
	bool hasGround;  ///< Default false.
	gelPlane ground; ///< Default y >= 0.
	float groundStaticFriction,
		groundDynamicFriction; ///< combined with the body's by the mean. Default 0.6, 0.5.
	int bodyCapacity;          ///< bodies that may live at the same time. Default 256.
	gelAllocator allocator;
	gelTaskSystem tasks;
	gelLogFcn* log;
	void* logContext;
	uint32_t cookie;
} gelWorldDef;

/// How to place one asset in a world. Start from gelDefaultBodyDef().
typedef struct gelBodyDef
{
	/// Baked data; must outlive the body. Required.
	const gelAsset* asset;
	gelSolverType solver;
	gelVec3 position;        ///< of the asset's origin [m]
	gelQuat rotation;        ///< unit length. Default identity.
	gelVec3 linearVelocity;  ///< [m/s]
	gelVec3 angularVelocity; ///< about the centre of mass [rad/s]
	/// Baked pin set: its nodes follow their targets instead of the physics. 0: none.
	uint64_t pinSetId;
	/// Local/global passes per step. 0: by step length (1 up to 10 ms, 2 up to 1/60 s, else 3).
	int passes;
	/// Volume sweeps per step. 0: by Poisson's ratio (1 up to 0.4, 2 up to 0.45, else 5).
	int volumeSweeps;
	void* userData;
	uint32_t cookie;
} gelBodyDef;

/// What a step did.
typedef struct gelWorldCounters
{
	uint64_t stepCount;
	int bodyCount;
	int tetCount;
	int groundContactCount; ///< art vertices on the ground in the last step
	int nonFiniteBodyCount; ///< bodies that were put back because a step gave NaN or infinity
} gelWorldCounters;

/// Energies and momenta of a body, for tests, graphs and gates.
typedef struct gelBodyDynamics
{
	float mass;              ///< [kg]
	gelVec3 centerOfMass;    ///< [m]
	gelVec3 linearMomentum;  ///< [kg m/s]
	gelVec3 angularMomentum; ///< about the centre of mass [kg m^2/s]
	float kineticEnergy;     ///< [J]
	float elasticEnergy;     ///< [J], stretch and volume terms
	float volume;            ///< of the deformed cage [m^3]
	int invertedTetCount;
} gelBodyDynamics;
