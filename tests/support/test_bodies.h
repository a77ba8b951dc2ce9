// SPDX-License-Identifier: MIT
// Bodies for tests: regular cages of any size, surfaces that fit into them, and whole baked packs.
#pragma once

#include "bake/body/bake.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a box cell is cut into tets.
typedef enum gelBoxSplit
{
	gel_boxSplitFive, // parity split: neighbors are mirror images, one regular tet in the middle
	gel_boxSplitSix,  // Kuhn: six congruent tets around the diagonal, every cell alike
} gelBoxSplit;

/// Regular cage over the box [0, sx] x [0, sy] x [0, sz] [m] with nx x ny x nz cells. Node (i, j, k) has
/// the index i + (nx + 1) * (j + (ny + 1) * k). Free with gelFreeCage.
gelCage gelMakeBoxCage( int nx, int ny, int nz, double sx, double sy, double sz, gelBoxSplit split );

/// One tet: the origin and the three unit points, times size [m].
gelCage gelMakeTetCage( double size );

/// Both cages as the two parts of one, the second moved by offset [m].
gelCage gelJoinCages( const gelCage* a, const gelCage* b, const double offset[3] );

/// Closed boundary surface of a cage, facing outwards, complete with normals and welds.
/// @param shrink 0: exactly the boundary; else scaled by 1 - shrink about the mean of the nodes, which puts
///        the surface of a convex cage strictly inside
gelMesh gelMeshFromCageBoundary( const gelCage* cage, double shrink );

/// A program frame without a command line: quiet findings, a report, no progress.
void gelInitTestProgram( gelProgram* program );
void gelFreeTestProgram( gelProgram* program );

/// Nodes of a cage whose coordinate on an axis (0, 1, 2) lies in [low, high]. free() the nodes.
gelBakePinSet gelPinNodesInSlab( const gelCage* cage, int axis, double low, double high );

/// One material per tet: base, as paint changes it. NULL: paint is. free() it.
gelBakeMaterial* gelPaintCage( const gelCage* cage, const gelBakeMaterial* base,
	void ( *paint )( const double centroid[3], gelBakeMaterial* material ) );

/// Bakes a cage with its own boundary as art. free() the result, which is 64-byte
/// aligned as gelOpenAsset wants it. Fails the running test when the bake does.
/// @param material NULL: the default one
/// @param steps step lengths [s]; NULL: 1/60
uint8_t* gelBakeTestBody( const gelCage* cage, const gelBakeMaterial* material, const double* steps,
	int stepCount, const gelBakePinSet* pinSets, int pinSetCount, size_t* outBytes );

/// The same with settings of the caller's.
uint8_t* gelBakeTestBodyAs( const gelCage* cage, const gelBakeSettings* settings, size_t* outBytes );

/// A box body in one call: gelMakeBoxCage with six tets per cell, default material, 1/60 s; optionally
/// with one pin set, the nodes at x = 0.
uint8_t* gelBakeTestBox(
	int nx, int ny, int nz, double sx, double sy, double sz, bool pinLeft, size_t* outBytes );
