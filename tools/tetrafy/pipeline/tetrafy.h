// SPDX-License-Identifier: MIT
// gel-tetrafy as a library: art mesh -> bounding tetrahedral cage. main.c is only the command line around it.
#pragma once

#include "cage/cage_io.h"
#include "common/mesh/mesh.h"
#include "common/program/program.h"

/// Range of a number of tets to aim at, for every tool that takes one. A grid cell alone has five.
#define GEL_MIN_TARGET_TETS 5
#define GEL_MAX_TARGET_TETS 5000000

typedef struct gelTetrafySettings
{
	int targetTets;  // aim at this many tets; used when cellSize is 0
	double cellSize; // [m], edge of a grid cell; 0: from targetTets
	int fitPasses;   // ODT passes
	int relaxPasses; // interior smoothing passes
	bool noSplit;    // leave close but separate parts of the art glued together
	bool manifold;   // fill places where the outside of the cage would not be a manifold
	// NULL, or a cage to check and refit instead of making one; it must bound the art
	const gelCage* fromCage;
	const char* artPath; // named in findings about the cage; may be NULL
	// NULL, or a PNG of the cage around the art; also written when no cage could be made
	const char* picturePath;
	int threads; // the result does not depend on it
} gelTetrafySettings;

gelTetrafySettings gelDefaultTetrafySettings( void );

typedef struct gelTetrafyStats
{
	double cellSize; // [m]
	uint32_t gridCells[3];
	uint32_t piercing, internal, external; // tets by class
	double cageVolume, solidVolume;        // [m^3]
	double meanGap;                        // [m], from the cage's outside to the art
	double minDihedral, maxDihedral;       // [degrees]
	uint32_t pieces;                       // sets of tets that share no node
} gelTetrafyStats;

/// Art that cages are made for: cleaned, with its search tree, once for any number of cages.
typedef struct gelTetrafyArt gelTetrafyArt;

/// Cleans a mesh. @return NULL: nothing to bound, as program->findings says
/// Shares the work as tasks with the OpenMP threads of the caller, if there are any.
/// @param artPath named in findings; may be NULL
gelTetrafyArt* gelPrepareArt( const gelMesh* mesh, const char* artPath, gelProgram* program );

/// The same for a caller that has no threads yet.
gelTetrafyArt* gelPrepareArtOnThreads(
	const gelMesh* mesh, const char* artPath, int threads, gelProgram* program );

/// Reports what was found, also where the art goes through itself. To be called once, before the first cage.
void gelReportArt( gelTetrafyArt* art, const char* artPath, gelProgram* program );
void gelFreeArt( gelTetrafyArt* art );

/// Builds and verifies a cage. On failure errors are in program->findings.
/// @param outStats may be NULL
bool gelMakeCage( const gelTetrafyArt* art, const gelTetrafySettings* settings, gelProgram* program,
	gelCage* outCage, gelTetrafyStats* outStats );

/// All of it for one cage.
bool gelTetrafy( const gelMesh* mesh, const gelTetrafySettings* settings, gelProgram* program,
	gelCage* outCage, gelTetrafyStats* outStats );
