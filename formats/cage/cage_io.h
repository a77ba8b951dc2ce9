// SPDX-License-Identifier: MIT
// Cage files: Gmsh MSH 2.2 and 4.1 ASCII (read, write), TetGen .node/.ele (read, write), legacy VTK
// (write), Vega .veg (read). Tools only. Readers distrust every byte.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GEL_CAGE_MAX_NODES ( 1u << 24 )
#define GEL_CAGE_MAX_TETS  ( 1u << 24 )
#define GEL_CAGE_MAX_BYTES ( (size_t)1 << 30 ) // longest file that is read
#define GEL_CAGE_MAX_COORD 1e12                // [m]; cubes of it are far from overflow

/// A tetrahedral mesh. Positions are doubles so that a cage survives a round trip through text.
typedef struct gelCage
{
	double* positions; // 3 per node [m]
	uint32_t nodeCount;
	uint32_t* tets; // 4 per tet, positive orientation, 0-based
	uint32_t tetCount;
	uint32_t* regions; // per tet region number, or NULL
} gelCage;

typedef enum gelCageFormat
{
	gel_cageMsh2,
	gel_cageMsh4,
	gel_cageTetgen,
	gel_cageVtk,
	gel_cageVtu,
	gel_cageUsda,
	gel_cageVega,
} gelCageFormat;

/// Why a cage file was refused: one clear line, with the line number where there is one (else 0).
typedef struct gelCageError
{
	bool isIo;     // the file could not be read or written (exit 2), as opposed to wrong content (exit 3)
	bool isMemory; // there was not enough memory (exit 4)
	char file[512];
	uint64_t line;
	char text[256];
} gelCageError;

/// Reads any supported cage file; the format follows from the extension (.msh .node .ele .veg) and the
/// content. Tets listed with negative orientation are turned round and counted in outTurned (may be
/// NULL); degenerate ones, repeated ids and non-finite numbers are refused. Nodes that no tet uses are
/// kept: Gmsh writes the points of its geometry too, and the tools drop them with a finding. Regions are the
/// physical groups of Gmsh and the region attributes of TetGen; 0 means none. Nodes and tets keep the order
/// of the file.
bool gelReadCage( const char* path, gelCage* outCage, uint32_t* outTurned, gelCageError* error );

/// The same from memory. The byte behind each text must be zero. Files that the text names are not opened.
/// @param name path for messages and for the choice of the format
/// @param second the .ele text when text is that of a .node file, else NULL
bool gelParseCage( const char* name, const char* text, size_t bytes, const char* second, size_t secondBytes,
	gelCage* outCage, uint32_t* outTurned, gelCageError* error );

/// Text of a cage in a format, zero terminated, to be freed by the caller. TetGen has two files: the
/// .node text comes first, outSecond gets the .ele text (NULL for the others).
char* gelFormatCage(
	const gelCage* cage, gelCageFormat format, size_t* outBytes, char** outSecond, size_t* outSecondBytes );

/// Format for writing that follows from a path's extension; false when there is none.
/// .msh means MSH 2.2, .msh4 MSH 4.1, .node/.ele TetGen, .vtk and .vtu VTK, .usda USD.
bool gelCageFormat_FromPath( const char* path, gelCageFormat* outFormat );

/// For TetGen the two files that a path stands for ("a.node", "a.ele"), for others the path and NULL. free()
/// both.
bool gelCagePaths( const char* path, char** outFirst, char** outSecond );

void gelFreeCage( gelCage* cage );
