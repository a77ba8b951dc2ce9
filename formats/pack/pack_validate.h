// SPDX-License-Identifier: MIT
// Inside of the pack validator: what its files share. Not part of the reader's interface.
#pragma once

#include "pack/pack_read.h"

/// State of one validation.
typedef struct gelPackChecker
{
	gelPackView* view; // header and sections are set before contents are checked
	gelPackFault* fault;
	uint8_t* scratch; // aligned to 8
} gelPackChecker;

/// One array of a section with an inner header.
typedef struct gelPackArrayRule
{
	uint32_t elementBytes;
	uint64_t count; // exact, or GEL_ANY_COUNT
} gelPackArrayRule;

#define GEL_ANY_COUNT UINT64_MAX

/// Records what is wrong. @return false, always
bool gelPackChecker_Fail( gelPackChecker* checker, gelPackCode code, const gelPackSection* section,
	uint64_t index, uint64_t byteOffset, const char* text );

/// The same for an element of an array: byteOffset is that of the element.
bool gelPackChecker_FailAt( gelPackChecker* checker, gelPackCode code, const gelPackSection* section,
	uint64_t index, const void* element, const char* text );

/// Checks the inner header of a section: arrays in order, aligned, inside, gaps zero, nothing behind.
bool gelPackChecker_CheckArrays( gelPackChecker* checker, const gelPackSection* section, uint32_t headerBytes,
	const gelPackArray* arrays, const gelPackArrayRule* rules, uint32_t arrayCount );

/// All sections but PINS and FACT (pack_validate.c). Sizes of plain arrays are known to be right.
bool gelPackChecker_CheckBody( gelPackChecker* checker );

/// VBAT (pack_validate_batch.c).
bool gelPackChecker_CheckBatches( gelPackChecker* checker );

/// NSRC and TSRC (pack_validate_batch.c).
bool gelPackChecker_CheckSources( gelPackChecker* checker );

/// ATCH (pack_validate_attach.c).
bool gelPackChecker_CheckAttachments( gelPackChecker* checker );

/// PINS and FACT (pack_validate_factor.c).
bool gelPackChecker_CheckPins( gelPackChecker* checker, const gelPackSection* section );
bool gelPackChecker_CheckFactor( gelPackChecker* checker, const gelPackSection* section );

/// UPDT, after the pin sets, and WFAC, after UPDT (pack_validate_warp.c).
bool gelPackChecker_CheckWarp( gelPackChecker* checker, const gelPackSection* section );
bool gelPackChecker_CheckWarpFactor( gelPackChecker* checker, const gelPackSection* section );

/// OPGR and OPSK, and whether all sections of particles are there or none; fills view->particles.
bool gelPackChecker_CheckParticles( gelPackChecker* checker );

/// The collision group, when there is one (pack_validate_cdg.c), after the body; its vertices
/// (pack_validate_vertices.c); its triangles and links (pack_validate_surface.c).
bool gelPackChecker_CheckCollision( gelPackChecker* checker );
bool gelPackChecker_CheckVertices( gelPackChecker* checker );
bool gelPackChecker_CheckSurface( gelPackChecker* checker );

/// SUPP, after the collision group (pack_validate_support.c).
bool gelPackChecker_CheckSupports( gelPackChecker* checker );

/// LODP and LMAP, after all others (pack_validate_levels.c): every level is a pack, and so checked like one.
bool gelPackChecker_CheckLevels(
	gelPackChecker* checker, void* scratch, size_t scratchBytes, uint32_t flags, gelPackView* outLevels );

/// What a packed array of integers has behind the last of them is zero.
bool gelPackChecker_CheckBits(
	gelPackChecker* checker, const gelPackSection* section, gelBitArray array, uint32_t count );

/// Start of a section's bytes.
const void* gelPackView_Bytes( const gelPackView* view, const gelPackSection* section );

/// Start of an array inside a section.
const void* gelPackView_Array( const gelPackView* view, const gelPackSection* section, gelPackArray array );

bool gelPack_IsZero( const uint8_t* bytes, uint64_t byteCount );

/// Finite and not so small that a processor that flushes denormals would see zero.
bool gelPack_IsPositive( float x );
bool gelPack_IsFinite( float x );

/// One bit per element in the scratch memory.
static inline bool gelTestAndSetBit( uint8_t* bits, uint64_t index )
{
	uint8_t mask = (uint8_t)( 1u << ( index & 7u ) );
	bool wasSet = ( bits[index >> 3] & mask ) != 0;
	bits[index >> 3] |= mask;
	return wasSet;
}
