// SPDX-License-Identifier: MIT
// Gmsh MSH, ASCII (Gmsh reference manual, "MSH file format"): the frame of sections, and the layout of
// version 2:
//   $Nodes     count, then: id x y z
//   $Elements  count, then: id type tagCount [physical group, entity, ...] nodes
#include "cage/cage_msh.h"

#include <stdlib.h>
#include <string.h>

#define MIN_NODE_BYTES    8 // "1 0 0 0\n"
#define MIN_ELEMENT_BYTES 7 // "1 15 0 1" is the shortest element, a point without tags
#define MAX_TAGS          64

typedef struct Reader
{
	gelCageText* text;
	gelCageBuilder* builder;
	gelMshVolumes volumes;
	bool version4;
	bool hasFormat, hasNodes, hasElements, hasEntities;
} Reader;

bool gelCheckMshElementType( gelCageText* text, uint64_t type, bool* outIsTet )
{
	// Lines, triangles, quads and points of all orders. Other numbers are volumes, or unknown.
	static const uint8_t flat[] = { 1, 2, 3, 8, 9, 10, 15, 16, 20, 21, 22, 23, 24, 25, 26, 27, 28 };
	*outIsTet = type == 4;
	if ( *outIsTet ) return true;
	for ( size_t i = 0; i < sizeof( flat ); ++i )
	{
		if ( flat[i] == type ) return true;
	}
	if ( type == 11 || ( type >= 29 && type <= 31 ) )
	{
		return gelCageText_Fail(
			text, "element type %d is a tet of higher order; save the mesh with order 1", (int)type );
	}
	return gelCageText_Fail( text, "element type %d is not a tet; a cage holds tets only", (int)type );
}

static bool ReadFormat( Reader* reader )
{
	gelCageText* text = reader->text;
	gelCageWord version;
	uint64_t binary, dataBytes;
	if ( !gelCageText_NextWord( text, &version ) )
		return gelCageText_Fail( text, "the file ends in $MeshFormat" );
	bool version2 = gelCageWord_Is( version, "2" ) || gelCageWord_Is( version, "2.0" ) ||
		gelCageWord_Is( version, "2.1" ) || gelCageWord_Is( version, "2.2" );
	reader->version4 = gelCageWord_Is( version, "4.1" );
	if ( !version2 && !reader->version4 )
	{
		return gelCageText_Fail( text,
			"MSH version '%.*s' is not supported; save the mesh as version 2.2 or 4.1",
			version.length < 16 ? (int)version.length : 16, version.text );
	}
	if ( !gelCageText_ReadUInt( text, "file type", 1, &binary ) ) return false;
	if ( binary != 0 )
		return gelCageText_Fail( text, "binary MSH files are not supported; save the mesh as ASCII" );
	return gelCageText_ReadUInt( text, "data size", 64, &dataBytes ) &&
		gelCageText_Expect( text, "$EndMeshFormat" );
}

static bool ReadNodes( gelCageText* text, gelCageBuilder* builder )
{
	uint32_t count;
	if ( !gelCageText_ReadCount( text, "node count", MIN_NODE_BYTES, GEL_CAGE_MAX_NODES, &count ) )
		return false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t id;
		double p[3];
		if ( !gelCageText_ReadUInt( text, "node number", INT64_MAX, &id ) ) return false;
		uint64_t line = text->wordLine;
		bool ok = gelCageText_ReadReal( text, "coordinate", p + 0 ) &&
			gelCageText_ReadReal( text, "coordinate", p + 1 ) &&
			gelCageText_ReadReal( text, "coordinate", p + 2 ) && gelCageText_EndLine( text ) &&
			gelCageBuilder_AddNode( builder, id, p, line );
		if ( !ok ) return false;
	}
	return true;
}

// The first tag is the physical group; it is negative when the group uses the element turned round.
static bool ReadTags( gelCageText* text, uint32_t* outRegion )
{
	uint64_t count;
	*outRegion = 0;
	if ( !gelCageText_ReadUInt( text, "tag count", MAX_TAGS, &count ) ) return false;
	for ( uint64_t i = 0; i < count; ++i )
	{
		int64_t tag;
		if ( !gelCageText_ReadInt( text, "tag", &tag ) ) return false;
		if ( i > 0 ) continue;
		uint64_t group = (uint64_t)llabs( tag );
		if ( group > UINT32_MAX )
			return gelCageText_Fail( text, "physical group %lld is out of range", (long long)tag );
		*outRegion = (uint32_t)group;
	}
	return true;
}

static bool ReadElements( gelCageText* text, gelCageBuilder* builder )
{
	uint32_t count;
	if ( !gelCageText_ReadCount( text, "element count", MIN_ELEMENT_BYTES, UINT32_MAX, &count ) )
		return false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t id, type, nodes[4];
		uint32_t region;
		bool isTet;
		if ( !gelCageText_ReadUInt( text, "element number", INT64_MAX, &id ) ) return false;
		uint64_t line = text->wordLine;
		if ( !gelCageText_ReadUInt( text, "element type", 1000, &type ) ) return false;
		if ( !gelCheckMshElementType( text, type, &isTet ) ) return false;
		if ( !isTet )
		{
			gelCageText_SkipLine( text );
			continue;
		}
		if ( !ReadTags( text, &region ) ) return false;
		for ( int k = 0; k < 4; ++k )
		{
			if ( !gelCageText_ReadUInt( text, "node number", INT64_MAX, nodes + k ) ) return false;
		}
		if ( !gelCageText_EndLine( text ) || !gelCageBuilder_AddTet( builder, id, nodes, region, line ) )
			return false;
	}
	return true;
}

// Sections that say nothing about the geometry: names, periodicity, data, comments, those of the future.
static bool SkipSection( gelCageText* text, gelCageWord name )
{
	gelCageWord word;
	uint64_t line = text->wordLine;
	while ( gelCageText_NextWord( text, &word ) )
	{
		bool isEnd = word.length == name.length + 3 && gelCageWord_StartsWith( word, "$End" ) &&
			memcmp( word.text + 4, name.text + 1, name.length - 1 ) == 0;
		if ( isEnd ) return true;
		gelCageText_SkipLine( text );
	}
	return gelCageFail( text->error, text->file, line, "section %.*s has no end",
		name.length < 32 ? (int)name.length : 32, name.text );
}

static bool ReadOnce( Reader* reader, bool* seen, const char* name )
{
	if ( *seen ) return gelCageText_Fail( reader->text, "there is a second section %s", name );
	if ( !reader->hasFormat && seen != &reader->hasFormat )
		return gelCageText_Fail( reader->text, "section %s comes before $MeshFormat", name );
	*seen = true;
	return true;
}

static bool ReadSection( Reader* reader, gelCageWord name )
{
	gelCageText* text = reader->text;
	gelCageBuilder* builder = reader->builder;
	if ( gelCageWord_Is( name, "$MeshFormat" ) )
		return ReadOnce( reader, &reader->hasFormat, "$MeshFormat" ) && ReadFormat( reader );
	if ( gelCageWord_Is( name, "$Nodes" ) )
	{
		return ReadOnce( reader, &reader->hasNodes, "$Nodes" ) &&
			( reader->version4 ? gelReadMsh4Nodes( text, builder ) : ReadNodes( text, builder ) ) &&
			gelCageText_Expect( text, "$EndNodes" );
	}
	if ( gelCageWord_Is( name, "$Elements" ) )
	{
		return ReadOnce( reader, &reader->hasElements, "$Elements" ) &&
			( reader->version4 ? gelReadMsh4Elements( text, builder ) : ReadElements( text, builder ) ) &&
			gelCageText_Expect( text, "$EndElements" );
	}
	if ( gelCageWord_Is( name, "$Entities" ) && reader->version4 )
	{
		return ReadOnce( reader, &reader->hasEntities, "$Entities" ) &&
			gelReadMsh4Entities( text, &reader->volumes ) && gelCageText_Expect( text, "$EndEntities" );
	}
	return SkipSection( text, name );
}

static bool ReadSections( Reader* reader )
{
	gelCageText* text = reader->text;
	gelCageWord word;
	while ( gelCageText_NextWord( text, &word ) )
	{
		if ( word.text[0] != '$' || word.length < 2 )
			return gelCageText_Fail( text, "a section such as $Nodes should start here" );
		if ( !ReadSection( reader, word ) ) return false;
	}
	const char* missing = !reader->hasFormat ? "$MeshFormat" : !reader->hasNodes ? "$Nodes" : "$Elements";
	if ( !reader->hasElements || !reader->hasNodes || !reader->hasFormat )
		return gelCageFail( text->error, text->file, 0, "the file has no section %s", missing );
	return true;
}

bool gelReadMsh( gelCageText* text, gelCageBuilder* builder )
{
	Reader reader = { .text = text, .builder = builder };
	bool ok = ReadSections( &reader );
	if ( ok && reader.version4 ) gelResolveMsh4Regions( builder, &reader.volumes );
	free( reader.volumes.items );
	return ok;
}
