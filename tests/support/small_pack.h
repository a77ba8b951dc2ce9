// SPDX-License-Identifier: MIT
// A complete pack of a few kilobytes, made by hand: without the bake, so that the reader, the writer and
// the bake can be tested against each other. And tools to damage packs on purpose.
#pragma once

#include "pack/pack_read.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GEL_SMALL_PACK_STEP ( 1.0 / 60.0 ) // [s], before rounding to float

/// Two cells of 1 m, 5 tets each, in a cage of 12 nodes; a bipyramid of 12 triangles and 9 vertices (one tip
/// is split) as art; two materials; a factor for 1/60 s without pins and one with the nodes x = 0 pinned.
/// The bytes are 64-byte aligned; free() them.
uint8_t* gelMakeSmallPack( size_t* outBytes );

/// Id of the small pack's one pin set.
uint64_t gelSmallPackPinSetId( void );

/// Recomputes every hash of a pack: sections, table, header. Any bytes may be given; what does not lie
/// inside the file is left alone.
void gelRepairPackHashes( uint8_t* bytes, size_t byteCount );

/// Entry of the index-th section with a name, or NULL. For packs that were valid a moment ago.
gelPackSection* gelFindPackEntry( uint8_t* bytes, uint32_t fourcc, uint32_t index );

/// Start of the index-th section with a name.
void* gelFindPackData( uint8_t* bytes, uint32_t fourcc, uint32_t index );

/// Copy with 64-byte alignment in memory of exactly this size, so that a sanitizer sees every byte read
/// beyond it. free() it.
uint8_t* gelCopyPack( const uint8_t* bytes, size_t byteCount );

/// One section in the hands of a test.
typedef struct gelLooseSection
{
	gelPackSection entry; // offset and hash are made anew by gelJoinSections
	uint8_t* data;        // entry.bytes
} gelLooseSection;

/// Takes a pack apart. @return the number of sections; outSections is to be freed with gelFreeSections
uint32_t gelSplitPack( const uint8_t* bytes, gelLooseSection** outSections );
void gelFreeSections( gelLooseSection* sections, uint32_t count );

/// Lays sections out behind a header in the order given, without judging them: the way to a pack that is
/// wrong in one respect only. The header's size, count and hashes are made anew. free() the result.
uint8_t* gelJoinSections(
	const gelPackHeader* header, const gelLooseSection* sections, uint32_t count, size_t* outBytes );

/// The same collision geometry in version 1 of its sections, with triangles of so many words (narrow or
/// wide). free() the result.
uint8_t* gelMakePlainPack( const uint8_t* pack, size_t byteCount, uint32_t words, size_t* outBytes );

/// Opens with scratch memory of exactly the size that is asked for. Asserts that a refused pack hands
/// nothing out. view may be NULL.
gelPackCode gelTryPack( const uint8_t* bytes, size_t byteCount, gelPackView* view, gelPackFault* fault );

/// Asserts that a pack opens.
void gelAssertPackOpens( const uint8_t* bytes, size_t byteCount, gelPackView* view );

/// Asserts that a pack is refused with this code, by a rule whose text contains `rule`, in this section (0:
/// any).
void gelAssertPackRefused(
	const uint8_t* bytes, size_t byteCount, gelPackCode code, const char* rule, uint32_t fourcc );

/// A change that breaks one rule, and what the reader says to it.
typedef struct gelPackEdit
{
	void ( *edit )( uint8_t* bytes );
	gelPackCode code;
	uint32_t fourcc;
	const char* rule; // a part of it
} gelPackEdit;

/// Asserts that a pack is refused after each of the edits alone, with all hashes right.
void gelAssertEditsRefused(
	const gelPackEdit* edits, size_t editCount, const uint8_t* pack, size_t byteCount );
