// SPDX-License-Identifier: MIT
// Two bodies for tests of contact determination, and the figures that its laws are about.
#pragma once

#include "contact/detect/contact_detect.h"
#include "contact/detect/contact_scratch.h"
#include "query_stage.h"

typedef struct gelContactStage
{
	gelQueryStage stage;
	gelContactSurface surface; // set by gelContactStage_Look
} gelContactStage;

/// Fails the running test when anything goes wrong.
gelContactStage gelMakeContactStage( gelQueryArt art );
/// The surface of a mesh in a regular cage of n^3 cells over the cube [-extent, extent]^3.
gelContactStage gelMakeContactStageFromMesh( const gelMesh* mesh, int n, double extent );
void gelFreeContactStage( gelContactStage* stage );

/// Takes the body as it is now.
void gelContactStage_Look( gelContactStage* stage );

/// Moves the body, rotated about its own origin first.
void gelContactStage_Move( gelContactStage* stage, gelVec3 translation );
void gelContactStage_Place( gelContactStage* stage, gelQuat rotation, gelVec3 translation );

/// Gives each node the position map( rest position ) [m, world].
typedef gelVec3 gelNodeMap( gelVec3 rest, void* context );
void gelContactStage_Map( gelContactStage* stage, gelNodeMap* map, void* context );

/// Pairs of two surfaces without any tree: every triangle against every other. gelContactSurface_Pair was
/// true.
void gelFindTrianglePairs_Ref( gelContactSurface* a, gelContactSurface* b, gelTrianglePairs* pairs );

/// Memory for two stages; free() it.
gelContactScratch* gelMakeTestScratch(
	const gelContactStage* a, const gelContactStage* b, uint32_t maxPairs, void** outMemory );

/// Everything with the fastest kernels of this machine.
gelDetectOptions gelMakeTestOptions( void );

/// Two of them, with memory, options and the outcome of a determination.
typedef struct gelContactCouple
{
	gelContactStage a, b;
	gelContactScratch* scratch;
	void* memory;
	gelDetectOptions options;
	gelDetectStats stats;
	int count;
} gelContactCouple;

gelContactCouple gelMakeContactCouple( gelContactStage a, gelContactStage b, uint32_t maxPairs );
void gelFreeContactCouple( gelContactCouple* couple );

/// Looks at both and determines their contacts.
int gelDetectOnStage( gelContactStage* a, gelContactStage* b, gelContactScratch* scratch,
	const gelDetectOptions* options, gelFoundContact* out, int capacity, gelDetectStats* stats );

/// What of a surface is inside of the other one, added up triangle by triangle after a determination without
/// patch flood [m].
typedef struct gelInnerFigures
{
	double vectorArea[3], area;
	double volume; // share of the surface in the volume of the overlap, about the origin of the pair
} gelInnerFigures;
gelInnerFigures gelMeasureInner(
	const gelContactScratch* scratch, const gelContactSurface* surface, int side );
