// SPDX-License-Identifier: MIT
// Collision geometry for tests: a mesh cut along a cage by the passes of the bake, and the figures that the
// laws are about.
#pragma once

#include "bake/surface/cdg.h"
#include "test_bodies.h"

typedef struct gelCdgStage
{
	gelProgram program;
	gelBakePool pool;
	gelBakeCage cage;
	gelCdgArt art;
	gelCdgCage cells;
	gelCdgSurface surface;
	gelCdgFault fault;
	bool ok;
} gelCdgStage;

/// Checks the cage and cuts the mesh; ok says whether that was possible.
void gelCdgStage_Begin( gelCdgStage* stage, const gelMesh* mesh, const gelCage* cage );
void gelCdgStage_End( gelCdgStage* stage );

/// Asserts what holds for every cut surface: corners in the tet of the triangle, weights, symmetric
/// neighbors, and for each art triangle the vector area of its pieces.
void gelCheckCutSurface( const gelCdgStage* stage );

/// Area [m^2], vector area [m^2], signed volume [m^3], V - E + F.
typedef struct gelCdgFigures
{
	double area, volume;
	gelVec3d vectorArea;
	int64_t euler;
	uint32_t openEdges;
} gelCdgFigures;
gelCdgFigures gelMeasureCutSurface( const gelCdgStage* stage );
gelCdgFigures gelMeasureArt( const gelCdgArt* art );

/// A closed mesh from corners; render vertices are as given, welds are made.
gelMesh gelMakeTestMesh( const double* points, uint32_t pointCount, const uint32_t* corners, uint32_t count );

/// Bakes with collision geometry (it has to be possible). free() the result.
uint8_t* gelBakeWithCollision( const gelMesh* mesh, const gelCage* cage, size_t* outBytes );
