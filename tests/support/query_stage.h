// SPDX-License-Identifier: MIT
// A stage for tests of queries: a closed surface in a regular cage, with collision geometry, bent in ways
// that physics would rarely think of.
#pragma once

#include "stage.h"
#include "test_support.h"

struct gelBody;

typedef enum gelQueryArt
{
	gel_queryEllipsoid, // 800 triangles
	gel_queryTorus,     // a hole
	gel_queryHollow,    // a ball with a hollow: two closed surfaces
	gel_queryCoarse,    // the ball, cut along a coarser cage
	gel_queryOpen,      // the ball without some triangles
	gel_queryTurned,    // the hollow ball, all of it inside out
	gel_queryArtCount
} gelQueryArt;

typedef enum gelQueryShape
{
	gel_shapeRest,
	gel_shapeBent,     // every node moved by a fifth of a cell
	gel_shapeCrumpled, // every node moved by a whole cell: many tets inverted
	gel_shapeMirrored,
	gel_shapeSquashed, // 1e-4 of its height, tilted
	gel_shapeFlat,     // exactly in a plane
	gel_shapeLine,     // exactly on a line
	gel_shapePoint,    // all nodes at one place
	gel_shapeFar,      // bent, 10 km away
	gel_shapeCount
} gelQueryShape;

typedef struct gelQueryStage
{
	uint8_t* pack;
	size_t packBytes;
	gelAsset* asset;
	gelAssetInfo info;
	gelWorldId world;
	gelBodyId body;
	struct gelBody* inside;
	gelVec3 *rest, *nodes, *zeros;
	gelVec3* vertices;   // patchVertexCount
	uint32_t* triangles; // corners of the collision geometry's triangles
} gelQueryStage;

/// Fails the running test when anything goes wrong.
gelQueryStage gelMakeQueryStage( gelQueryArt art );

/// The same from a pack, which the stage takes over.
gelQueryStage gelMakeQueryStageFromPack( uint8_t* pack, size_t packBytes );
void gelFreeQueryStage( gelQueryStage* stage );

/// Bends the body and fetches the deformed collision vertices.
void gelQueryStage_Deform( gelQueryStage* stage, gelQueryShape shape, gelRandom* random );

/// Fetches nodes and collision vertices.
void gelQueryStage_Fetch( gelQueryStage* stage );

gelVec3 gelRandomVec3( gelRandom* random, double size );

/// A ray that wants to cause trouble: through corners, along edges, along axes, from inside, from far away.
gelRay gelQueryStage_PickRay( const gelQueryStage* stage, gelRandom* random );

/// The ray from origin through target, one and a half times as long.
gelRay gelMakeRayThrough( gelVec3 origin, gelVec3 target );
