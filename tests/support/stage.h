// SPDX-License-Identifier: MIT
// A stage for tests of the runtime: a box is baked, loaded and placed in a world, and looked at from inside.
#pragma once

#include "test_bodies.h"

#include "gelpack/gelpack.h"

/// What to build. Start from gelDefaultStageDef().
typedef struct gelStageDef
{
	int cells[3];
	double size[3]; // [m]
	gelBoxSplit split;
	double youngsModulus, poissonsRatio, damping, friction;
	void ( *paint )(
		const double centroid[3], gelBakeMaterial* material ); // material of each tet; NULL: all alike
	double step;                                               // [s]
	double extraStep;                                          // a second one to bake, 0: none
	bool pinLeft;                                              // nodes at x = 0
	bool pinEnds;                                              // nodes at x = 0 and at the other end
	bool pinBoundary;                                          // all nodes on the surface of the box
	bool hasParticles;                                         // also bake oriented particles
	const gelBakeAttachment* attachments;
	int attachmentCount;
	gelWorldDef world;
	gelBodyDef body; // asset and pin set are filled in
} gelStageDef;

typedef struct gelStage
{
	gelCage cage;
	uint8_t* pack;
	size_t packBytes;
	gelAsset* asset;
	gelWorldId world;
	gelBodyId body;
	float step;
	int nodeCount, vertexCount;
	gelVec3 *rest, *nodes, *velocities; // nodeCount each; the last two for the test to use
	gelVec3 *positions, *normals;       // vertexCount each, for the test to use
} gelStage;

/// 3 x 3 x 3 cells of 1/3 m, rubber of 1e5 Pa, nu 0.33, 1/60 s, no gravity, no ground.
gelStageDef gelDefaultStageDef( void );

/// Fails the running test when anything goes wrong.
gelStage gelMakeStage( const gelStageDef* def );
void gelFreeStage( gelStage* stage );

/// Steps count times; fails the running test when a step does.
void gelStage_Step( gelStage* stage, int count );

/// Fetches nodes and velocities.
void gelStage_Fetch( gelStage* stage );

/// A body of def, undeformed and without forces, does not move by a single bit in so many steps, wherever it
/// is.
void gelAssertRestStays( gelStageDef def, int steps );
