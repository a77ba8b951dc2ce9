// SPDX-License-Identifier: MIT
// STL, as scans and CAD come: triangles without a link between them, as text or as records of 50 bytes.
// Corners in the same place become one vertex. Normals are left out: they are those of the triangles, and
// smooth ones are computed.
#include "common/import/import_internal.h"

#include "common/program/clean_text.h"
#include "common/program/number_text.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HEADER_BYTES 84u // text of 80, and the count of triangles
#define RECORD_BYTES 50u // normal, three corners, two bytes that exporters use for colors

typedef struct Reader
{
	gelImporter* importer;
	const char* p; // text
	uint32_t line;
	size_t positionCapacity, groupCapacity;
	uint32_t cornerCount;
} Reader;

static uint32_t LoadU32( const uint8_t* p )
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// Bytes that a binary file of its count of triangles has; 0: too short for a count.
static uint64_t CountBytes( const uint8_t* data, size_t bytes )
{
	return bytes < HEADER_BYTES ? 0 : HEADER_BYTES + (uint64_t)RECORD_BYTES * LoadU32( data + 80 );
}

static bool IsText( const uint8_t* data )
{
	const char* text = (const char*)data + strspn( (const char*)data, " \t\r\n" );
	return strncasecmp( text, "solid", 5 ) == 0 && ( text[5] == 0 || strchr( " \t\r\n", text[5] ) != NULL );
}

bool gelIsStl( const uint8_t* data, size_t bytes )
{
	return IsText( data ) || ( bytes > HEADER_BYTES && CountBytes( data, bytes ) == bytes );
}

// ---- both -------------------------------------------------------------------------------------------------

static bool OpenGroup( Reader* reader, const char* name, size_t length )
{
	gelMesh* mesh = reader->importer->mesh;
	size_t count = mesh->groupCount;
	if ( !GEL_GROW( mesh->groups, reader->groupCapacity, count + 1 ) )
		return gelImporter_OutOfMemory( reader->importer );
	char text[128], fallback[32];
	snprintf( text, sizeof text, "%.*s", (int)( length < 100 ? length : 100 ), name );
	snprintf( fallback, sizeof fallback, "solid %zu", count );
	mesh->groups[count] = ( gelMeshGroup ){ .firstTriangle = reader->cornerCount / 3 };
	mesh->groups[count].name = gelCleanText( text[0] != 0 ? text : fallback );
	++mesh->groupCount;
	return mesh->groups[count].name != NULL || gelImporter_OutOfMemory( reader->importer );
}

// Joins equal corners: vertices are the welds, in the order in which the file has them.
static bool MakeMesh( Reader* reader )
{
	gelMesh* mesh = reader->importer->mesh;
	uint32_t triangles = reader->cornerCount / 3;
	if ( triangles == 0 ) return true; // refused for that afterwards
	mesh->vertexCount = 3 * triangles;
	if ( !gelMesh_Weld( mesh ) ) return gelImporter_OutOfMemory( reader->importer );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
		if ( mesh->vertToWeld[i] == count )
			memmove(
				mesh->positions + 3 * (size_t)count++, mesh->positions + 3 * (size_t)i, 3 * sizeof( float ) );
	GEL_ASSERT( count == mesh->weldCount );
	mesh->indices = mesh->vertToWeld;
	mesh->vertToWeld = NULL;
	mesh->vertexCount = mesh->sourceVertexCount = count;
	mesh->triangleCount = triangles;
	mesh->triMaterial = malloc( (size_t)triangles * sizeof( uint32_t ) );
	mesh->vertToSource = malloc( (size_t)count * sizeof( uint32_t ) );
	if ( mesh->triMaterial == NULL || mesh->vertToSource == NULL )
		return gelImporter_OutOfMemory( reader->importer );
	memset( mesh->triMaterial, 0xFF, (size_t)triangles * sizeof( uint32_t ) ); // GEL_NO_INDEX
	for ( uint32_t i = 0; i < count; ++i )
		mesh->vertToSource[i] = i;
	for ( uint32_t i = 0; i < mesh->groupCount; ++i )
	{
		uint32_t end = i + 1 < mesh->groupCount ? mesh->groups[i + 1].firstTriangle : triangles;
		mesh->groups[i].triangleCount = end - mesh->groups[i].firstTriangle;
	}
	return true;
}

static bool RefuseCount( Reader* reader, uint64_t triangles )
{
	gelFindings_Add( reader->importer->findings, gel_findingMeshTooLarge, reader->importer->path,
		"%llu triangles are more than the %u that can be used; decimate the model",
		(unsigned long long)triangles, GEL_MESH_MAX_TRIANGLES );
	return false;
}

// ---- binary -----------------------------------------------------------------------------------------------

static bool ReadBinary( Reader* reader, const uint8_t* data, size_t bytes )
{
	gelImporter* importer = reader->importer;
	uint64_t wanted = CountBytes( data, bytes );
	if ( wanted == 0 || wanted > bytes )
	{
		gelFindings_Add( importer->findings, gel_findingMeshDamaged, importer->path,
			"the file holds %zu bytes of the %llu that its count of triangles needs: it was cut off; export "
			"it again",
			bytes, (unsigned long long)wanted );
		return false;
	}
	uint32_t count = LoadU32( data + 80 );
	if ( count > GEL_MESH_MAX_TRIANGLES ) return RefuseCount( reader, count );
	importer->mesh->positions = malloc( ( 9 * (size_t)count + 1 ) * sizeof( float ) );
	if ( importer->mesh->positions == NULL ) return gelImporter_OutOfMemory( importer );
	for ( uint32_t t = 0; t < count; ++t )
	{
		float* out = importer->mesh->positions + 9 * (size_t)t;
		memcpy( out, data + HEADER_BYTES + RECORD_BYTES * (size_t)t + 12, 9 * sizeof( float ) );
		for ( int k = 0; k < 9; ++k )
		{
			if ( isfinite( out[k] ) ) continue;
			gelFindings_Add( importer->findings, gel_findingValueNotFinite, importer->path,
				"triangle %u: a coordinate is NaN or infinite; export the file again", t );
			return false;
		}
	}
	if ( !OpenGroup( reader, "", 0 ) ) return false;
	reader->cornerCount = 3 * count;
	return true;
}

// ---- text -------------------------------------------------------------------------------------------------

static bool IsWord( const char* p, const char* word )
{
	size_t length = strlen( word );
	return strncasecmp( p, word, length ) == 0 &&
		( p[length] == 0 || strchr( " \t\r\n", p[length] ) != NULL );
}

static bool Complain( Reader* reader, int number, const char* problem )
{
	gelFindings_Add(
		reader->importer->findings, number, reader->importer->path, "line %u: %s", reader->line, problem );
	return false;
}

static bool ReadVertex( Reader* reader )
{
	gelMesh* mesh = reader->importer->mesh;
	size_t at = 3 * (size_t)reader->cornerCount;
	if ( reader->cornerCount >= 3 * GEL_MESH_MAX_TRIANGLES )
		return RefuseCount( reader, GEL_MESH_MAX_TRIANGLES + 1ull );
	if ( !GEL_GROW( mesh->positions, reader->positionCapacity, at + 3 ) )
		return gelImporter_OutOfMemory( reader->importer );
	const char* p = reader->p + strlen( "vertex" );
	for ( int k = 0; k < 3; ++k )
	{
		float* out = mesh->positions + at + k;
		p += strspn( p, " \t" );
		p = gelScanFloat( p, out );
		if ( p == NULL || !isfinite( *out ) )
			return Complain( reader, gel_findingNumberUnreadable, "a vertex needs three finite numbers" );
	}
	++reader->cornerCount;
	return true;
}

static bool ReadStatement( Reader* reader, uint32_t* facetStart )
{
	const char* p = reader->p;
	if ( IsWord( p, "vertex" ) ) return ReadVertex( reader );
	if ( IsWord( p, "solid" ) )
	{
		const char* name = p + 5 + strspn( p + 5, " \t" );
		return OpenGroup( reader, name, strcspn( name, "\r\n" ) );
	}
	if ( IsWord( p, "facet" ) ) *facetStart = reader->cornerCount;
	if ( IsWord( p, "endfacet" ) && reader->cornerCount != *facetStart + 3 )
		return Complain(
			reader, gel_findingMeshDamaged, "a facet does not have three vertices; export the file again" );
	return true;
}

static bool ReadText( Reader* reader, const char* text )
{
	uint32_t facetStart = 0;
	reader->line = 1;
	for ( reader->p = text; *reader->p != 0; ++reader->line )
	{
		reader->p += strspn( reader->p, " \t" );
		if ( !ReadStatement( reader, &facetStart ) ) return false;
		reader->p += strcspn( reader->p, "\r\n" );
		reader->p += reader->p[0] == '\r' && reader->p[1] == '\n';
		reader->p += *reader->p != 0;
	}
	if ( reader->cornerCount % 3 == 0 ) return true;
	return Complain(
		reader, gel_findingMeshDamaged, "the file ends within a facet: it was cut off; export it again" );
}

bool gelImportStl( gelImporter* importer, const uint8_t* data, size_t bytes )
{
	Reader reader = { .importer = importer };
	// The count decides, and not the word at the start: binary files of some exporters start with "solid",
	// too.
	bool isText = IsText( data ) && CountBytes( data, bytes ) != bytes;
	bool ok = isText ? ReadText( &reader, (const char*)data ) : ReadBinary( &reader, data, bytes );
	return ok && MakeMesh( &reader );
}
