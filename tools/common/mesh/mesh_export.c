// SPDX-License-Identifier: MIT
// OBJ: vertex i of the mesh becomes v i, vt i and vn i, so that the order survives a round trip. Colors go
// behind the position. Materials are written by name and color into an MTL file beside it.
#include "common/mesh/mesh_export.h"

#include "common/program/memory.h"
#include "common/program/number_text.h"
#include "common/program/output_file.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Text
{
	char* bytes;
	size_t count, capacity;
	bool failed;
} Text;

// Room for a piece of at most that many bytes.
static char* Reserve( Text* text, size_t bytes )
{
	GEL_ASSERT( text->count <= text->capacity );
	if ( !gelGrow( (void**)&text->bytes, &text->capacity, text->count + bytes, 1 ) )
	{
		text->failed = true;
		return NULL;
	}
	return text->bytes + text->count;
}

static void AddText( Text* text, const char* piece )
{
	size_t length = strlen( piece );
	char* out = Reserve( text, length );
	if ( out == NULL ) return;
	memcpy( out, piece, length );
	text->count += length;
}

// Blanks at the ends of a name and a '#' behind a blank would not be read back as part of it.
static void AddName( Text* text, const char* keyword, const char* name )
{
	AddText( text, keyword );
	size_t length = strlen( name );
	char* out = Reserve( text, length + 1 );
	if ( out == NULL ) return;
	for ( size_t i = 0; i < length; ++i )
	{
		bool edge = i == 0 || i + 1 == length;
		bool odd =
			(unsigned char)name[i] < 32 || name[i] == '#' || name[i] == '\\' || ( edge && name[i] == ' ' );
		out[i] = odd ? '_' : name[i];
	}
	out[length] = '\n';
	text->count += length + 1;
}

static void AddVector(
	Text* text, const char* keyword, const float* values, int count, const float* more, int moreCount )
{
	GEL_ASSERT( count >= 0 && moreCount >= 0 );
	char* out = Reserve( text, 8 + (size_t)( count + moreCount ) * ( GEL_FLOAT_TEXT_BYTES + 1 ) );
	if ( out == NULL ) return;
	char* p = out;
	for ( const char* k = keyword; *k != 0; )
		*p++ = *k++;
	for ( int i = 0; i < count + moreCount; ++i )
	{
		*p++ = ' ';
		p += gelPrintFloat( p, i < count ? values[i] : more[i - count] );
	}
	*p++ = '\n';
	text->count += (size_t)( p - out );
}

static void AddVertices( Text* text, const gelMesh* mesh )
{
	// alpha goes only where it says something: most readers know three components
	int colorCount = mesh->colors != NULL ? 3 : 0;
	for ( size_t i = 0; mesh->colors != NULL && i < mesh->vertexCount; ++i )
		if ( mesh->colors[4 * i + 3] != 1.0f ) colorCount = 4;
	for ( size_t i = 0; i < mesh->vertexCount; ++i )
		AddVector( text, "v", mesh->positions + 3 * i, 3, mesh->colors != NULL ? mesh->colors + 4 * i : NULL,
			colorCount );
	for ( size_t i = 0; mesh->uvs != NULL && i < mesh->vertexCount; ++i )
		AddVector( text, "vt", mesh->uvs + 2 * i, 2, NULL, 0 );
	for ( size_t i = 0; mesh->normals != NULL && i < mesh->vertexCount; ++i )
		AddVector( text, "vn", mesh->normals + 3 * i, 3, NULL, 0 );
}

static void AddFace( Text* text, const gelMesh* mesh, uint32_t triangle )
{
	GEL_ASSERT( triangle < mesh->triangleCount );
	const uint32_t* corners = mesh->indices + 3 * (size_t)triangle;
	char* out = Reserve( text, 128 );
	if ( out == NULL ) return;
	char* p = out;
	*p++ = 'f';
	for ( int k = 0; k < 3; ++k )
	{
		*p++ = ' ';
		p = gelPrintIndex( p, corners[k] + 1 );
		if ( mesh->uvs == NULL && mesh->normals == NULL ) continue;
		*p++ = '/';
		if ( mesh->uvs != NULL ) p = gelPrintIndex( p, corners[k] + 1 );
		if ( mesh->normals == NULL ) continue;
		*p++ = '/';
		p = gelPrintIndex( p, corners[k] + 1 );
	}
	*p++ = '\n';
	text->count += (size_t)( p - out );
}

static void AddFaces( Text* text, const gelMesh* mesh )
{
	uint32_t group = 0, material = GEL_NO_INDEX;
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
	{
		while ( group < mesh->groupCount && mesh->groups[group].firstTriangle <= t )
		{
			if ( mesh->groups[group].triangleCount > 0 ) AddName( text, "g ", mesh->groups[group].name );
			++group;
		}
		uint32_t wanted = mesh->triMaterial != NULL ? mesh->triMaterial[t] : GEL_NO_INDEX;
		if ( wanted != material )
			AddName( text, "usemtl ", wanted < mesh->materialCount ? mesh->materials[wanted].name : "" );
		material = wanted;
		AddFace( text, mesh, t );
	}
}

static bool HasMaterials( const gelMesh* mesh )
{
	for ( uint32_t t = 0; mesh->triMaterial != NULL && t < mesh->triangleCount; ++t )
		if ( mesh->triMaterial[t] < mesh->materialCount ) return true;
	return false;
}

static void AddMaterials( Text* text, const gelMesh* mesh )
{
	for ( uint32_t i = 0; i < mesh->materialCount; ++i )
	{
		AddName( text, "newmtl ", mesh->materials[i].name );
		AddVector( text, "Kd", mesh->materials[i].baseColor, 3, NULL, 0 );
		AddVector( text, "d", mesh->materials[i].baseColor + 3, 1, NULL, 0 );
	}
}

static bool Write( Text* text, const char* path, gelFindings* findings )
{
	if ( text->failed )
		gelFindings_Add( findings, gel_findingNoMemory, path, "out of memory while writing the mesh" );
	bool ok = !text->failed && gelWriteFile( path, text->bytes, text->count, findings );
	free( text->bytes );
	return ok;
}

static bool ExportObj( const gelMesh* mesh, const char* path, gelFindings* findings )
{
	Text text = { 0 };
	bool materials = HasMaterials( mesh );
	char* materialPath = strdup( path );
	if ( materialPath == NULL )
		text.failed = true;
	else
		memcpy( materialPath + strlen( path ) - 4, ".mtl", 4 ); // the path ends with .obj
	if ( materials && materialPath != NULL )
	{
		const char* slash = strrchr( materialPath, '/' );
		AddName( &text, "mtllib ", slash != NULL ? slash + 1 : materialPath );
	}
	AddVertices( &text, mesh );
	AddFaces( &text, mesh );
	bool ok = Write( &text, path, findings );
	if ( ok && materials )
	{
		Text library = { 0 };
		AddMaterials( &library, mesh );
		ok = Write( &library, materialPath, findings );
	}
	free( materialPath );
	return ok;
}

bool gelExportMesh( const gelMesh* mesh, const char* path, gelFindings* findings )
{
	const char* dot = strrchr( path, '.' );
	if ( dot != NULL && strcasecmp( dot, ".obj" ) == 0 ) return ExportObj( mesh, path, findings );
	if ( dot != NULL && strcasecmp( dot, ".glb" ) == 0 ) return gelExportGlb( mesh, path, findings );
	gelFindings_Add( findings, gel_findingUsage, path,
		"a mesh is written as .obj or .glb; give the file one of these endings" );
	return false;
}
