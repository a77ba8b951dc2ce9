// SPDX-License-Identifier: MIT
// The read side of the pack format: validates a buffer once and completely, then hands out typed
// views into it. Part of the runtime library; needs nothing but the C library, allocates nothing.
#pragma once

#include "pack/pack_read_cdg.h"
#include "pack/pack_read_particles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What is wrong with a pack. Permanent numbers.
typedef enum gelPackCode
{
	gel_packOk = 0,
	gel_packTruncated,      // shorter than its header says, or than a header
	gel_packTrailing,       // longer than its header says
	gel_packMagic,          // not a pack, or damaged by a text-mode copy
	gel_packEndian,         // other byte order
	gel_packVersion,        // another major version
	gel_packHeader,         // a header field out of range or reserved and not zero
	gel_packTable,          // section table: order, overlap, alignment, bounds, gaps
	gel_packChecksum,       // a stored hash does not match
	gel_packUnknownSection, // REQUIRED and unknown, or a known section of an unknown version
	gel_packMissingSection, // a mandatory section, or a companion of one that is present
	gel_packSize,           // count or stride of a section, or an inner array out of place
	gel_packIndex,          // an index or range out of bounds, or an order that must ascend
	gel_packValue,          // a number that is not finite or outside its range
	gel_packStructure,      // not a permutation, colors that share a node, a broken tree or factor
	gel_packAlignment,      // the caller's buffer is not 64-byte aligned
	gel_packScratch,        // the caller's scratch memory is too small
	gel_packCodeCount
} gelPackCode;

/// Where a pack is wrong.
typedef struct gelPackFault
{
	gelPackCode code;
	uint32_t fourcc;     // section, 0: header or table
	uint64_t key;        // key of the section
	uint64_t index;      // element inside the section (or table entry)
	uint64_t byteOffset; // from the start of the file
	const char* text;    // static English text: what the rule is
} gelPackFault;

/// One factor: typed views of a FACT section.
typedef struct gelPackFactorView
{
	const gelPackFactor* header;
	const uint32_t *perm, *superFirst, *rowFirst, *rows, *parent;
	const uint64_t* valueFirst;
	const float *values, *invDiagonal;
	uint64_t key;
	uint32_t version; // section version: 1: values are L by columns, 2: solved columns in tiles
} gelPackFactorView;

/// Typed views of a whole validated pack. Plain pointers into the caller's buffer; NULL: not present.
typedef struct gelPackView
{
	const uint8_t* bytes;
	const gelPackHeader* header;
	const gelPackSection* sections;

	const char* meta; // JSON text, not zero terminated
	uint32_t metaBytes;
	const gelPackNode* nodes;
	const gelPackTet* tets;
	const gelPackTetRest* tetRests;
	const gelPackMass* masses;
	const gelPackMaterial* materials;
	uint32_t materialCount;
	uint32_t colorCount;
	const uint32_t *colorFirst, *colorTets;
	const uint32_t *gatherFirst, *gatherCorners;
	const uint32_t* volumeBatches;            // VBAT; NULL: not present
	uint32_t volumeBatchCount;                // slots, a multiple of 8
	const uint32_t *nodeSources, *tetSources; // NSRC, TSRC; NULL: not present, the same numbers
	const uint32_t* embedTets;
	const float* embedWeights;
	const uint32_t* embedSources;
	const gelPackTriangle* triangles;
	const gelPackNormal* normals;

	// Collision geometry; all NULL in a pack without it. Counts are in the header.
	const gelPackCell* cells;
	const gelPackPatch* patches;
	gelCdgView cdg;                      // vertices and triangles
	uint32_t cdgWeldCount, cdgOpenEdges; // vertices with copies; edges without a neighbor
	const gelPackLink* links;
	uint32_t linkCount;
	const gelPackBvhNode* bvh; // 2 * cdgTetCount - 1
	uint32_t bvhDepth;         // levels, 1 .. GEL_CDG_MAX_DEPTH
	gelSupportView supports;   // SUPP; header is NULL in a pack without

	gelParticleView particles; // header is NULL in a pack without

	const gelPackAttachment* attachments; // ATCH, by name; NULL: not present
	uint32_t attachmentCount;

	uint32_t levelCount; // coarser ones (LODP)
} gelPackView;

/// Views of an LMAP section: where the nodes of two neighboring levels are in each other's cage.
typedef struct gelPackMapView
{
	const uint32_t* coarseTets; // per node of the coarser one: tet of the finer one
	const float* coarseWeights; // 4 per node
	const uint32_t* fineTets;   // per node of the finer one: tet of the coarser one
	const float* fineWeights;
} gelPackMapView;

#define GEL_PACK_TRUST_CHECKSUM 1u // skip the section hashes: for packs inside a signed archive
#define GEL_PACK_IS_LEVEL       2u // refuse levels: for packs that are one

/// Scratch memory that gelPack_Open needs for this buffer [bytes]. Never more than a small multiple
/// of the size of the buffer; 0 when the buffer is so wrong that it will be refused anyway.
size_t gelPack_ScratchBytes( const void* bytes, size_t byteCount );

/// Checks every rule of formats/pack.md and fills view. The buffer must be 64-byte aligned, must not
/// change while the view is in use, and is never written.
/// @param scratch at least gelPack_ScratchBytes, any alignment; free again after the call
/// @param flags GEL_PACK_TRUST_CHECKSUM or 0
/// @return gel_packOk, or the code that is also in fault
gelPackCode gelPack_Open( const void* bytes, size_t byteCount, void* scratch, size_t scratchBytes,
	uint32_t flags, gelPackView* view, gelPackFault* fault );

/// The same, and hands out the views of the coarser levels, which are checked in any case.
/// @param levels [GEL_PACK_MAX_LEVELS], of which the first view->levelCount are filled; NULL: not wanted
gelPackCode gelPack_OpenLevels( const void* bytes, size_t byteCount, void* scratch, size_t scratchBytes,
	uint32_t flags, gelPackView* view, gelPackView* levels, gelPackFault* fault );

/// The map between level - 1 and level of a validated pack, 1 .. levelCount.
gelPackMapView gelPack_GetLevelMap( const gelPackView* view, uint32_t level );

/// Number of sections with this fourcc.
uint32_t gelPack_CountSections( const gelPackView* view, uint32_t fourcc );

/// The index-th section with this fourcc in table order, or NULL.
const gelPackSection* gelPack_GetSection( const gelPackView* view, uint32_t fourcc, uint32_t index );

/// The section with this fourcc and key, or NULL.
const gelPackSection* gelPack_FindSection( const gelPackView* view, uint32_t fourcc, uint64_t key );

/// Whether this version of the format has such a section.
bool gelPack_IsKnownSection( uint32_t fourcc );

/// Views of a FACT or OPFA section of a validated pack.
gelPackFactorView gelPack_GetFactor( const gelPackView* view, const gelPackSection* section );

/// Short English name of a code, for messages and logs: "truncated", "checksum", ...
const char* gelPackCode_String( gelPackCode code );

/// XXH64 with seed 0, as used all over the format. Own implementation: the runtime has no dependency.
uint64_t gelPack_Hash( const void* bytes, size_t byteCount );

/// Key of the FACT section for a solver, step length [s] and pin set. The step is rounded to float first.
uint64_t gelPack_FactorKey( uint32_t solverKind, double step, uint64_t pinSetId );
