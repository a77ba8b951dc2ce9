// SPDX-License-Identifier: MIT
// Gmsh MSH 4.1, ASCII: nodes and elements come in blocks, one per geometric entity, and the physical groups
// stand with the entities.
//   $Entities  points curves surfaces volumes
//              point:  tag x y z groupCount groups
//              others: tag minX minY minZ maxX maxY maxZ groupCount groups boundaryCount boundary
//   $Nodes     blocks nodes minTag maxTag, then per block: dim tag parametric count, ids, then: x y z [u v w]
//   $Elements  blocks elements minTag maxTag, then per block: dim tag type count, then: id nodes
#include "cage/cage_msh.h"

#include "gelpack/asserts.h"

#include <stdlib.h>

#define MIN_BLOCK_BYTES   8  // "3 1 0 0\n"
#define MIN_ENTITY_BYTES  10 // "1 0 0 0 0\n" is a point
#define MIN_NODE_BYTES    8  // "1\n0 0 0\n"
#define MIN_ELEMENT_BYTES 4  // "1 1\n" is a point

typedef struct gelMshVolume
{
	uint32_t tag;
	uint32_t group; // physical group, 0: none
} gelMshVolume;

static bool AddVolume( gelCageText* text, gelMshVolumes* volumes, gelMshVolume volume )
{
	if ( volumes->count == volumes->capacity )
	{
		uint32_t capacity = volumes->capacity == 0 ? 16 : 2 * volumes->capacity;
		gelMshVolume* items = realloc( volumes->items, capacity * sizeof( gelMshVolume ) );
		if ( items == NULL ) return gelCageFailMemory( text->error, text->file );
		volumes->items = items;
		volumes->capacity = capacity;
	}
	volumes->items[volumes->count++] = volume;
	return true;
}

// One entity on one line. The first physical group counts.
static bool ReadEntity( gelCageText* text, int dimension, gelMshVolume* outVolume )
{
	GEL_ASSERT( dimension >= 0 && dimension <= 3 );
	int64_t tag, group = 0;
	uint64_t groupCount;
	double ignored;
	if ( !gelCageText_ReadInt( text, "entity tag", &tag ) ) return false;
	for ( int i = 0; i < ( dimension == 0 ? 3 : 6 ); ++i )
	{
		if ( !gelCageText_ReadReal( text, "bound of an entity", &ignored ) ) return false;
	}
	if ( !gelCageText_ReadUInt( text, "number of physical groups", UINT32_MAX, &groupCount ) ) return false;
	if ( groupCount > 0 && !gelCageText_ReadInt( text, "physical group", &group ) ) return false;
	gelCageText_SkipLine( text ); // more groups, and the boundary
	if ( dimension < 3 ) return true;
	if ( tag < 0 || tag > UINT32_MAX || llabs( group ) > UINT32_MAX )
		return gelCageText_Fail( text, "a volume or its physical group has a number out of range" );
	*outVolume = ( gelMshVolume ){ (uint32_t)tag, (uint32_t)llabs( group ) };
	return true;
}

bool gelReadMsh4Entities( gelCageText* text, gelMshVolumes* volumes )
{
	uint32_t counts[4];
	for ( int d = 0; d < 4; ++d )
	{
		if ( !gelCageText_ReadCount( text, "entity count", MIN_ENTITY_BYTES, UINT32_MAX, counts + d ) )
			return false;
	}
	for ( int d = 0; d < 4; ++d )
	{
		for ( uint32_t i = 0; i < counts[d]; ++i )
		{
			gelMshVolume volume = { 0, 0 };
			if ( !ReadEntity( text, d, &volume ) ) return false;
			if ( d == 3 && !AddVolume( text, volumes, volume ) ) return false;
		}
	}
	return true;
}

static bool ReadTagRange( gelCageText* text )
{
	uint64_t ignored;
	return gelCageText_ReadUInt( text, "smallest tag", INT64_MAX, &ignored ) &&
		gelCageText_ReadUInt( text, "largest tag", INT64_MAX, &ignored );
}

// Ids of a block stand before its coordinates, so they are read with a second cursor that stays behind.
static bool ReadNodeBlock( gelCageText* text, gelCageBuilder* builder, uint32_t count )
{
	gelCageText ids = *text;
	uint64_t id;
	double p[3];
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !gelCageText_ReadUInt( text, "node number", INT64_MAX, &id ) ) return false;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bool ok = gelCageText_ReadUInt( &ids, "node number", INT64_MAX, &id ) &&
			gelCageText_ReadReal( text, "coordinate", p + 0 ) &&
			gelCageText_ReadReal( text, "coordinate", p + 1 ) &&
			gelCageText_ReadReal( text, "coordinate", p + 2 ) &&
			gelCageBuilder_AddNode( builder, id, p, ids.wordLine );
		if ( !ok ) return false;
		gelCageText_SkipLine( text ); // parameters on the entity
	}
	return true;
}

bool gelReadMsh4Nodes( gelCageText* text, gelCageBuilder* builder )
{
	uint32_t blockCount, nodeCount, inBlock;
	uint64_t dimension, parametric;
	int64_t tag;
	bool ok = gelCageText_ReadCount( text, "block count", MIN_BLOCK_BYTES, UINT32_MAX, &blockCount ) &&
		gelCageText_ReadCount( text, "node count", MIN_NODE_BYTES, GEL_CAGE_MAX_NODES, &nodeCount ) &&
		ReadTagRange( text );
	for ( uint32_t i = 0; ok && i < blockCount; ++i )
	{
		ok = gelCageText_ReadUInt( text, "entity dimension", 3, &dimension ) &&
			gelCageText_ReadInt( text, "entity tag", &tag ) &&
			gelCageText_ReadUInt( text, "parametric flag", 1, &parametric ) &&
			gelCageText_ReadCount(
				text, "node count", MIN_NODE_BYTES, nodeCount - builder->nodeCount, &inBlock ) &&
			ReadNodeBlock( text, builder, inBlock );
	}
	if ( ok && builder->nodeCount != nodeCount )
	{
		return gelCageText_Fail(
			text, "%u nodes were announced, but the blocks have %u", nodeCount, builder->nodeCount );
	}
	return ok;
}

static bool ReadElementBlock(
	gelCageText* text, gelCageBuilder* builder, uint32_t volume, bool isTet, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t id, nodes[4];
		if ( !gelCageText_ReadUInt( text, "element number", INT64_MAX, &id ) ) return false;
		uint64_t line = text->wordLine;
		if ( !isTet )
		{
			gelCageText_SkipLine( text );
			continue;
		}
		for ( int k = 0; k < 4; ++k )
		{
			if ( !gelCageText_ReadUInt( text, "node number", INT64_MAX, nodes + k ) ) return false;
		}
		if ( !gelCageText_EndLine( text ) || !gelCageBuilder_AddTet( builder, id, nodes, volume, line ) )
			return false;
	}
	return true;
}

bool gelReadMsh4Elements( gelCageText* text, gelCageBuilder* builder )
{
	uint32_t blockCount, elementCount, inBlock, left;
	uint64_t dimension, type;
	int64_t tag;
	bool isTet;
	bool ok = gelCageText_ReadCount( text, "block count", MIN_BLOCK_BYTES, UINT32_MAX, &blockCount ) &&
		gelCageText_ReadCount( text, "element count", MIN_ELEMENT_BYTES, UINT32_MAX, &elementCount ) &&
		ReadTagRange( text );
	left = ok ? elementCount : 0;
	for ( uint32_t i = 0; ok && i < blockCount; ++i )
	{
		ok = gelCageText_ReadUInt( text, "entity dimension", 3, &dimension ) &&
			gelCageText_ReadInt( text, "entity tag", &tag ) &&
			gelCageText_ReadUInt( text, "element type", 1000, &type ) &&
			gelCheckMshElementType( text, type, &isTet ) &&
			gelCageText_ReadCount( text, "element count", MIN_ELEMENT_BYTES, left, &inBlock );
		if ( ok && isTet && ( tag < 0 || tag > UINT32_MAX ) )
			return gelCageText_Fail( text, "volume %lld has a number out of range", (long long)tag );
		ok = ok && ReadElementBlock( text, builder, isTet ? (uint32_t)tag : 0, isTet, inBlock );
		left -= ok ? inBlock : 0;
	}
	if ( ok && left != 0 )
	{
		return gelCageText_Fail(
			text, "%u elements were announced, but the blocks have %u fewer", elementCount, left );
	}
	return ok;
}

static int CompareVolumes( const void* a, const void* b )
{
	const gelMshVolume *x = a, *y = b;
	if ( x->tag != y->tag ) return x->tag < y->tag ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static uint32_t GroupOf( const gelMshVolumes* volumes, uint32_t tag )
{
	uint32_t low = 0, high = volumes->count;
	while ( low < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( volumes->items[middle].tag < tag )
			low = middle + 1;
		else
			high = middle;
	}
	return low < volumes->count && volumes->items[low].tag == tag ? volumes->items[low].group : 0;
}

void gelResolveMsh4Regions( gelCageBuilder* builder, gelMshVolumes* volumes )
{
	if ( volumes->count > 0 ) qsort( volumes->items, volumes->count, sizeof( gelMshVolume ), CompareVolumes );
	for ( uint32_t t = 0; t < builder->tetCount; ++t )
		builder->regions[t] = GroupOf( volumes, builder->regions[t] );
}
