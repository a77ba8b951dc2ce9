// SPDX-License-Identifier: MIT
// MTL text by our own scan: tinyobjloader-c opens such files itself, wherever they are, and overruns its name
// buffer.
#include "common/import/import_obj_scan.h"

#include "common/program/clean_text.h"
#include "common/program/confined_path.h"
#include "common/program/number_text.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader
{
	gelImporter* importer;
	const gelNameTable* names;
	gelMeshMaterial* materials;
	bool* defined;
	const char* path;
	uint32_t current; // material at hand, GEL_NO_INDEX for one that no face uses
	uint32_t line;
} Reader;

static size_t LineLength( const char* p )
{
	return strcspn( p, "\r\n" );
}

static const char* SkipBlanks( const char* p )
{
	return p + strspn( p, " \t" );
}

// Up to three numbers. @return how many were read
static int ReadValues( const char* p, float values[3] )
{
	GEL_ASSERT( p != NULL );
	int count = 0;
	while ( count < 3 )
	{
		p = gelScanFloat( SkipBlanks( p ), values + count );
		if ( p == NULL || !isfinite( values[count] ) ) break;
		++count;
	}
	return count;
}

static float Clamp01( float x )
{
	return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

static bool IsKeyword( const char* p, const char* keyword )
{
	size_t length = strlen( keyword );
	return strncmp( p, keyword, length ) == 0 && ( p[length] == ' ' || p[length] == '\t' );
}

static void StartMaterial( Reader* reader, const char* p )
{
	p = SkipBlanks( p );
	size_t length = LineLength( p );
	while ( length > 0 && ( p[length - 1] == ' ' || p[length - 1] == '\t' ) )
		--length;
	reader->current = gelNameTable_Find( reader->names, p, length );
	if ( reader->current != GEL_NO_INDEX ) reader->defined[reader->current] = true;
}

// "map_Kd -s 1 1 1 -clamp on my skin.png": options with a word or some numbers each, and then the name.
static bool ReadPicture( Reader* reader, const char* p )
{
	p = SkipBlanks( p );
	while ( p[0] == '-' && p[1] >= 'a' && p[1] <= 'z' )
	{
		p = SkipBlanks( p + strcspn( p, " \t\r\n" ) );
		float value;
		const char* end = gelScanFloat( p, &value );
		if ( end == NULL ) end = p + strcspn( p, " \t\r\n" ); // "on"
		for ( ; end != NULL; end = gelScanFloat( p, &value ) )
			p = SkipBlanks( end );
	}
	size_t length = LineLength( p );
	while ( length > 0 && ( p[length - 1] == ' ' || p[length - 1] == '\t' ) )
		--length;
	char** picture = &reader->materials[reader->current].picture;
	if ( length == 0 || *picture != NULL ) return true;
	*picture = strndup( p, length );
	for ( char* c = *picture; c != NULL && *c != 0; ++c )
		if ( *c == '\\' ) *c = '/';
	return *picture != NULL;
}

static void ReadLine( Reader* reader, const char* p )
{
	p = SkipBlanks( p );
	if ( IsKeyword( p, "newmtl" ) ) StartMaterial( reader, p + 6 );
	if ( reader->current == GEL_NO_INDEX ) return;
	if ( IsKeyword( p, "map_Kd" ) )
	{
		if ( !ReadPicture( reader, p + 6 ) ) gelImporter_OutOfMemory( reader->importer );
		return;
	}
	float* color = reader->materials[reader->current].baseColor;
	float values[3];
	int wanted = IsKeyword( p, "Kd" ) ? 3 : IsKeyword( p, "d" ) || IsKeyword( p, "Tr" ) ? 1 : 0;
	if ( wanted == 0 ) return;
	const char* operands = SkipBlanks( p + strcspn( p, " \t" ) );
	if ( strncmp( operands, "-halo", 5 ) == 0 ) operands += 5;
	if ( strncmp( operands, "spectral", 8 ) == 0 || strncmp( operands, "xyz", 3 ) == 0 )
		return; // not colors as such
	int count = ReadValues( operands, values );
	if ( count == 0 )
	{
		gelFindings_Add( reader->importer->findings, gel_findingMtlGarbled, reader->path,
			"line %u: a number was expected; the value was left out", reader->line );
		return;
	}
	if ( wanted == 3 ) // one number means grey
		for ( int k = 0; k < 3; ++k )
			color[k] = Clamp01( values[count == 3 ? k : 0] );
	else
		color[3] = Clamp01( p[0] == 'T' ? 1.0f - values[0] : values[0] );
}

static bool ReadLibrary( Reader* reader, const char* path )
{
	size_t bytes;
	char* text = (char*)gelImporter_ReadFile( reader->importer, path, &bytes );
	if ( text == NULL ) return false;
	reader->path = path;
	reader->current = GEL_NO_INDEX;
	reader->line = 1;
	for ( const char* p = text; *p != 0; ++reader->line ) // a zero byte in the file ends it early
	{
		ReadLine( reader, p );
		p += LineLength( p );
		p += *p == 0 ? 0 : p[0] == '\r' && p[1] == '\n' ? 2 : 1;
	}
	free( text );
	return true;
}

// Reads name beside the art file. @return 1 done, 0 there is no such file, -1 an error was added
static int TryLibrary( Reader* reader, const char* name )
{
	char* path = gelImporter_BesidePath( reader->importer, name );
	if ( path == NULL )
	{
		gelImporter_OutOfMemory( reader->importer );
		return -1;
	}
	int result = gelFileExists( path ) ? ( ReadLibrary( reader, path ) ? 1 : -1 ) : 0;
	free( path );
	return result;
}

// An mtllib line is one name with blanks in it, or several names.
static bool ReadLibraries( Reader* reader, char* line )
{
	gelFindings* findings = reader->importer->findings;
	const char* path = reader->importer->path;
	int result = gelIsConfinedPath( line ) ? TryLibrary( reader, line ) : 0;
	if ( result != 0 ) return result > 0;
	bool whole = strpbrk( line, " \t" ) == NULL;
	char* state = NULL;
	for ( char* name = strtok_r( line, " \t", &state ); name != NULL; name = strtok_r( NULL, " \t", &state ) )
	{
		if ( !gelIsConfinedPath( name ) )
		{
			gelFindings_Add( findings, gel_findingMtlOutsideFolder, path,
				"material file \"%.200s\" lies outside of the mesh's folder and was not read; put it beside "
				"the mesh",
				name );
			continue;
		}
		result = whole ? 0 : TryLibrary( reader, name );
		if ( result < 0 ) return false;
		if ( result == 0 )
			gelFindings_Add( findings, gel_findingMtlMissing, path,
				"material file \"%.200s\" is missing; its materials are grey. Put it beside the mesh", name );
	}
	return true;
}

static bool ReadAll( Reader* reader, const gelNameTable* libraries )
{
	for ( uint32_t i = 0; i < libraries->count; ++i )
	{
		char* line = strdup( libraries->names[i] );
		if ( line == NULL ) return gelImporter_OutOfMemory( reader->importer );
		for ( char* p = line; *p != 0; ++p )
			if ( *p == '\\' ) *p = '/'; // folders as some systems write them
		bool ok = ReadLibraries( reader, line );
		free( line );
		if ( !ok ) return false;
	}
	return true;
}

// Says which materials no file defines; without any file that was said before.
static void ReportUndefined( const Reader* reader, uint32_t count )
{
	uint32_t undefined = 0, first = 0;
	for ( uint32_t i = 0; i < count; ++i )
		if ( !reader->defined[i] && undefined++ == 0 ) first = i;
	if ( undefined > 0 )
		gelFindings_Add( reader->importer->findings, gel_findingMaterialUndefined, reader->importer->path,
			"%u materials are in no material file and stay grey (first: \"%.200s\")", undefined,
			reader->materials[first].name );
}

bool gelReadObjMaterials( gelImporter* importer, const gelObjScan* scan )
{
	uint32_t count = scan->materialNames.count;
	gelMeshMaterial* materials = calloc( (size_t)count + 1, sizeof( gelMeshMaterial ) );
	bool* defined = calloc( (size_t)count + 1, sizeof( bool ) );
	importer->mesh->materials = materials;
	bool ok = materials != NULL && defined != NULL;
	for ( uint32_t i = 0; i < count && ok; ++i )
	{
		const char* name = scan->materialNames.names[i];
		materials[i] =
			( gelMeshMaterial ){ .name = gelCleanText( name ), .baseColor = { 0.8f, 0.8f, 0.8f, 1.0f } };
		importer->mesh->materialCount = i + 1;
		ok = materials[i].name != NULL;
	}
	if ( !ok )
	{
		free( defined );
		return gelImporter_OutOfMemory( importer );
	}
	Reader reader = {
		.importer = importer, .names = &scan->materialNames, .materials = materials, .defined = defined
	};
	int filesBefore = importer->files.count;
	ok = ReadAll( &reader, &scan->libraries );
	if ( ok && importer->files.count > filesBefore ) ReportUndefined( &reader, count );
	free( defined );
	return ok;
}
