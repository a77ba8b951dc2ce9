// SPDX-License-Identifier: MIT
// gel-inspect as a library: opens a pack with the reader of the runtime, measures it, prints it, and checks
// what the runtime does not need to check.
#pragma once

#include "common/program/program.h"
#include "pack/pack_read.h"

/// A pack in memory, validated.
typedef struct gelInspectedPack
{
	const char* path;
	uint8_t* bytes; // 64-byte aligned
	size_t byteCount;
	gelPackView view;
} gelInspectedPack;

// A painted body has thousands of materials; the text lists this many of them.
#define GEL_MAX_LISTED_MATERIALS 24

/// Figures that are in no one section.
typedef struct gelPackFacts
{
	double mass;                   // [kg]
	double volume;                 // rest volume of the cage [m^3]
	double cageMin[3], cageMax[3]; // at rest [m]
	double artMin[3], artMax[3];
	double minTetVolume, maxTetVolume; // [m^3]
	uint32_t minColorTets, maxColorTets;
	uint32_t materialTets[GEL_MAX_LISTED_MATERIALS]; // tets of the first materials
	uint64_t paddingBytes;                           // header, table and gaps
} gelPackFacts;

// ---- inspect_open.c ------------------------------------------------------------------------------

/// Reads and validates a pack. false: a finding T0001 or T06xx says why.
bool gelInspectedPack_Open( gelInspectedPack* pack, const char* path, gelFindings* findings );
void gelInspectedPack_Close( gelInspectedPack* pack );
gelPackFacts gelMeasurePack( const gelPackView* view );

/// Rest position of an art vertex [m].
void gelGetArtPosition( const gelPackView* view, uint32_t vertex, double out[3] );

/// Largest absolute coordinate of a node [m]: what errors of positions are relative to, because the floats of
/// a pack have 24 bits wherever the body stands.
double gelGetLargestCoordinate( const gelPackView* view );

/// Four letters of a section name, zero terminated.
typedef struct gelSectionName
{
	char text[5];
} gelSectionName;
gelSectionName gelMakeSectionName( uint32_t fourcc );

/// Figures of the collision geometry; all zero when there is none.
typedef struct gelSurfaceFacts
{
	uint32_t vertexCount;    // copies counted, padding not
	uint32_t treeDepth;      // levels of the deepest tree of a patch
	uint32_t largestPatch;   // triangles
	uint32_t openEdges;      // without a neighbor
	uint32_t supportCount;   // vertices in SUPP; 0: there is no such section
	double area;             // [m^2]
	uint64_t bytes;          // size of the seven sections of the group
	double bytesPerTriangle; // size by triangle of the art
} gelSurfaceFacts;
gelSurfaceFacts gelMeasureSurface( const gelPackView* view );

/// META as JSON, or NULL with an error text (at least 256 characters) that says where it stops being JSON.
json_t* gelParseMeta( const gelPackView* view, char* outError, size_t errorCapacity );

// ---- inspect_print.c, inspect_report.c -----------------------------------------------------------

void gelPrintPack( const gelProgram* program, const gelInspectedPack* pack, const gelPackFacts* facts );
void gelReportPack( gelReport* report, const gelInspectedPack* pack, const gelPackFacts* facts );

// ---- inspect_levels.c ----------------------------------------------------------------------------

/// Levels of detail; nothing for a pack without.
void gelPrintLevels( const gelProgram* program, const gelPackView* view );
void gelReportLevelsOf( gelReport* report, const gelPackView* view );

/// A level, 1 .. levelCount, as a pack in the memory of the one around it; not to be closed.
/// @param pathBuffer gets the name of the level, for messages @return false: no memory
bool gelOpenLevel(
	const gelInspectedPack* pack, uint32_t level, char* pathBuffer, size_t capacity, gelInspectedPack* out );

/// Whether the map between level - 1 and level says where the nodes are.
void gelVerifyMap( const gelInspectedPack* pack, uint32_t level, const gelPackView* fine,
	const gelPackView* coarse, gelFindings* findings );

// ---- inspect_diff.c --------------------------------------------------------------------------------------

/// Says and reports in what two packs differ. @return whether their bytes are the same
bool gelDiffPacks( const gelInspectedPack* a, const gelInspectedPack* b, gelProgram* program );

// ---- inspect_skin.c ----------------------------------------------------------------------------------

/// Writes the rest body of a pack with particles as a skinned mesh. false: a finding says why.
bool gelWriteSkinGlb( const gelInspectedPack* pack, const char* path, gelFindings* findings );
