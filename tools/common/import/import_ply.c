// SPDX-License-Identifier: MIT
// PLY, as scanners write it: a header in words, then elements one after the other, as text or in either order
// of bytes.
//
//     header -> Element: Property...     "vertex" -> positions, normals, texture coordinates, colors
//                                        "face", "tristrips" -> triangles; others are passed over
#include "common/import/import_internal.h"

#include "common/mesh/triangulate.h"
#include "common/program/number_text.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ELEMENTS   16
#define MAX_PROPERTIES 64
#define NAME_BYTES     32
// Corners of one face; more are no face that anybody drew.
#define MAX_CORNERS 65536u

typedef enum Type
{
	type_i8,
	type_u8,
	type_i16,
	type_u16,
	type_i32,
	type_u32,
	type_f32,
	type_f64,
	type_count
} Type;

static const size_t s_typeBytes[type_count] = { 1, 1, 2, 2, 4, 4, 4, 8 };
static const char* const s_typeNames[type_count][2] = {
	{ "char", "int8" },
	{ "uchar", "uint8" },
	{ "short", "int16" },
	{ "ushort", "uint16" },
	{ "int", "int32" },
	{ "uint", "uint32" },
	{ "float", "float32" },
	{ "double", "float64" },
};

// What a property of a vertex is for.
typedef enum Role
{
	role_none,
	role_position,
	role_normal = role_position + 3,
	role_uv = role_normal + 3,
	role_color = role_uv + 2,
	role_end = role_color + 4
} Role;

typedef struct Property
{
	char name[NAME_BYTES];
	Type type, countType; // type of the values, and of their count
	bool isList;
	Role role;
} Property;

typedef struct Element
{
	char name[NAME_BYTES];
	uint64_t count;
	Property properties[MAX_PROPERTIES];
	uint32_t propertyCount;
} Element;

typedef enum Form
{
	form_text,
	form_little,
	form_big
} Form;

typedef struct Reader
{
	gelImporter* importer;
	const uint8_t* p;
	const uint8_t* end;
	Form form;
	Element elements[MAX_ELEMENTS];
	uint32_t elementCount;
	uint64_t row; // number of what is read of the element
	const Element* element;
	gelTriangulator triangulator;
	const float** points;
	size_t pointCapacity;
	uint32_t* corners;
	size_t cornerCapacity;
	uint32_t* list; // values of the property that was read last
	size_t listCapacity;
	size_t indexCapacity;
	uint32_t fans, smallFaces;
	uint64_t firstFan, firstSmall;
} Reader;

static bool Refuse( Reader* reader, int number, const char* problem )
{
	gelFindings* findings = reader->importer->findings;
	if ( reader->element == NULL )
		gelFindings_Add( findings, number, reader->importer->path, "header: %s", problem );
	else
		gelFindings_Add( findings, number, reader->importer->path, "%s %llu: %s", reader->element->name,
			(unsigned long long)reader->row, problem );
	return false;
}

// ---- header -----------------------------------------------------------------------------------------------

// The next line, without its end, cut to the capacity. False: there is none.
static bool NextLine( Reader* reader, char* out, size_t capacity )
{
	if ( reader->p >= reader->end ) return false;
	size_t length = 0;
	while ( reader->p < reader->end && *reader->p != '\n' && *reader->p != '\r' )
	{
		if ( length + 1 < capacity ) out[length++] = (char)*reader->p;
		++reader->p;
	}
	out[length] = 0;
	const bool isPair = reader->end - reader->p > 1 && reader->p[0] == '\r' && reader->p[1] == '\n';
	if ( reader->p < reader->end ) reader->p += isPair ? 2 : 1;
	return true;
}

static Type FindType( const char* name )
{
	for ( int i = 0; i < type_count; ++i )
		if ( name != NULL &&
			( strcmp( name, s_typeNames[i][0] ) == 0 || strcmp( name, s_typeNames[i][1] ) == 0 ) )
			return (Type)i;
	return type_count;
}

static Role FindRole( const char* name )
{
	static const struct
	{
		const char* name;
		Role role;
	} roles[] = { { "x", role_position }, { "y", role_position + 1 }, { "z", role_position + 2 },
		{ "nx", role_normal }, { "ny", role_normal + 1 }, { "nz", role_normal + 2 }, { "s", role_uv },
		{ "t", role_uv + 1 }, { "u", role_uv }, { "v", role_uv + 1 }, { "texture_u", role_uv },
		{ "texture_v", role_uv + 1 }, { "red", role_color }, { "green", role_color + 1 },
		{ "blue", role_color + 2 }, { "alpha", role_color + 3 }, { "r", role_color }, { "g", role_color + 1 },
		{ "b", role_color + 2 } };
	for ( size_t i = 0; i < sizeof roles / sizeof roles[0]; ++i )
		if ( strcmp( roles[i].name, name ) == 0 ) return roles[i].role;
	return role_none;
}

static bool AddElement( Reader* reader, char** state )
{
	const char *name = strtok_r( NULL, " \t", state ), *count = strtok_r( NULL, " \t", state );
	if ( reader->elementCount == MAX_ELEMENTS || name == NULL || count == NULL || count[0] < '0' ||
		count[0] > '9' )
		return Refuse(
			reader, gel_findingMeshDamaged, "an element needs a name and a count, and there are 16 at most" );
	Element* element = reader->elements + reader->elementCount++;
	*element = ( Element ){ .count = strtoull( count, NULL, 10 ) };
	snprintf( element->name, sizeof element->name, "%.31s", name );
	return true;
}

static bool AddProperty( Reader* reader, char** state )
{
	Element* element = reader->elementCount > 0 ? reader->elements + reader->elementCount - 1 : NULL;
	if ( element == NULL || element->propertyCount == MAX_PROPERTIES )
		return Refuse(
			reader, gel_findingMeshDamaged, "a property has no element, or an element more than 64" );
	Property* property = element->properties + element->propertyCount++;
	const char* type = strtok_r( NULL, " \t", state );
	property->isList = type != NULL && strcmp( type, "list" ) == 0;
	if ( property->isList )
	{
		property->countType = FindType( strtok_r( NULL, " \t", state ) );
		type = strtok_r( NULL, " \t", state );
	}
	property->type = FindType( type );
	const char* name = strtok_r( NULL, " \t", state );
	if ( name == NULL || property->type == type_count ||
		( property->isList && property->countType == type_count ) )
		return Refuse( reader, gel_findingMeshDamaged, "a property has an unknown type or no name" );
	snprintf( property->name, sizeof property->name, "%.31s", name );
	property->role = property->isList ? role_none : FindRole( property->name );
	return true;
}

static bool ReadHeader( Reader* reader )
{
	char line[512];
	bool hasForm = false;
	while ( NextLine( reader, line, sizeof line ) )
	{
		char* state = NULL;
		const char* word = strtok_r( line, " \t", &state );
		if ( word == NULL || strcmp( word, "comment" ) == 0 || strcmp( word, "obj_info" ) == 0 ) continue;
		if ( strcmp( word, "end_header" ) == 0 )
			return hasForm || Refuse( reader, gel_findingMeshDamaged, "the line with the format is missing" );
		if ( strcmp( word, "element" ) == 0 && !AddElement( reader, &state ) ) return false;
		if ( strcmp( word, "property" ) == 0 && !AddProperty( reader, &state ) ) return false;
		if ( strcmp( word, "format" ) != 0 ) continue;
		const char* form = strtok_r( NULL, " \t", &state );
		hasForm = form != NULL &&
			( strcmp( form, "ascii" ) == 0 || strcmp( form, "binary_little_endian" ) == 0 ||
				strcmp( form, "binary_big_endian" ) == 0 );
		if ( !hasForm ) return Refuse( reader, gel_findingMeshDamaged, "the format is unknown" );
		reader->form = form[0] == 'a' ? form_text : form[7] == 'l' ? form_little : form_big;
	}
	return Refuse( reader, gel_findingMeshDamaged, "it does not end: the file was cut off" );
}

// ---- values -----------------------------------------------------------------------------------------------

static bool ReadBinaryValue( Reader* reader, Type type, double* out )
{
	size_t bytes = s_typeBytes[type];
	if ( bytes > (size_t)( reader->end - reader->p ) ) return false;
	uint64_t bits = 0;
	for ( size_t i = 0; i < bytes; ++i )
		bits |= (uint64_t)reader->p[i] << ( 8 * ( reader->form == form_little ? i : bytes - 1 - i ) );
	reader->p += bytes;
	const uint32_t low = (uint32_t)bits;
	float f32;
	memcpy( &f32, &low, sizeof f32 );
	switch ( type )
	{
		case type_i8:
			*out = (double)(int8_t)bits;
			return true;
		case type_i16:
			*out = (double)(int16_t)bits;
			return true;
		case type_i32:
			*out = (double)(int32_t)low;
			return true;
		case type_f32:
			*out = (double)f32;
			return true;
		case type_f64:
			memcpy( out, &bits, sizeof *out );
			return true;
		default:
			*out = (double)bits;
			return true;
	}
}

// Positions of scans do not need more digits than a float has; whole numbers of any type are exact.
static bool ReadTextValue( Reader* reader, Type type, double* out )
{
	while ( reader->p < reader->end && *reader->p != 0 && strchr( " \t\r\n", *reader->p ) != NULL )
		++reader->p;
	const char* text = (const char*)reader->p;
	if ( type == type_i32 || type == type_u32 )
	{
		char* end;
		long long value = strtoll( text, &end, 10 );
		if ( end == text ) return false;
		*out = (double)value;
		reader->p = (const uint8_t*)end;
		return true;
	}
	float value = NAN;
	const char* end = gelScanFloat( text, &value );
	if ( end == NULL )
	{
		// "nan" and "-inf" in normals and qualities are left out; in positions they are refused.
		size_t length = strcspn( text, " \t\r\n" );
		if ( length == 0 || strspn( text, "+-nainfNAINF" ) < length ) return false;
		end = text + length;
	}
	*out = (double)value;
	reader->p = (const uint8_t*)end;
	return true;
}

static bool ReadValue( Reader* reader, Type type, double* out )
{
	bool ok =
		reader->form == form_text ? ReadTextValue( reader, type, out ) : ReadBinaryValue( reader, type, out );
	return ok ||
		Refuse( reader, gel_findingMeshDamaged,
			reader->p >= reader->end ? "the file ends here: it was cut off; export it again"
									 : "a number was expected" );
}

// The values of a list as indices; what is none becomes GEL_NO_INDEX.
static bool ReadList( Reader* reader, const Property* property, uint32_t* outCount )
{
	double count = 0.0, value = 0.0;
	*outCount = 0;
	if ( !ReadValue( reader, property->countType, &count ) ) return false;
	// A strip holds many triangles, and a value takes a byte at least.
	if ( !( count >= 0.0 && count <= (double)( reader->end - reader->p ) ) )
		return Refuse( reader, gel_findingMeshDamaged, "a list is longer than the rest of the file" );
	uint32_t length = (uint32_t)count;
	if ( !GEL_GROW( reader->list, reader->listCapacity, (size_t)length + 1 ) )
		return gelImporter_OutOfMemory( reader->importer );
	for ( uint32_t i = 0; i < length; ++i )
	{
		if ( !ReadValue( reader, property->type, &value ) ) return false;
		reader->list[i] = value >= 0.0 && value < 4294967295.0 ? (uint32_t)value : GEL_NO_INDEX;
	}
	*outCount = length;
	return true;
}

// ---- vertices ---------------------------------------------------------------------------------------------

static bool HasRoles( const Element* element, Role first, int count )
{
	for ( int k = 0; k < count; ++k )
	{
		bool found = false;
		for ( uint32_t i = 0; i < element->propertyCount; ++i )
			found |= element->properties[i].role == (Role)( (int)first + k );
		if ( !found ) return false;
	}
	return true;
}

// Colors are whole numbers from 0 to the largest of their type, or from 0 to 1.
static float ScaleColor( Type type, double value )
{
	double largest = type == type_u8 ? 255.0 : type == type_u16 ? 65535.0 : 1.0;
	double scaled = value / largest;
	return scaled >= 0.0 && scaled <= 1.0 ? (float)scaled : scaled > 1.0 ? 1.0f : 0.0f;
}

static void StoreValue( gelMesh* mesh, size_t vertex, const Property* property, double value )
{
	int role = (int)property->role;
	if ( role >= role_color )
	{
		if ( mesh->colors != NULL )
			mesh->colors[4 * vertex + (size_t)( role - role_color )] = ScaleColor( property->type, value );
	}
	else if ( role >= role_uv )
	{
		if ( mesh->uvs != NULL ) mesh->uvs[2 * vertex + (size_t)( role - role_uv )] = (float)value;
	}
	else if ( role >= role_normal )
	{
		if ( mesh->normals != NULL )
			mesh->normals[3 * vertex + (size_t)( role - role_normal )] = (float)value;
	}
	else if ( role >= role_position )
		mesh->positions[3 * vertex + (size_t)( role - role_position )] = (float)value;
}

static bool AllocateVertices( Reader* reader, const Element* element )
{
	gelMesh* mesh = reader->importer->mesh;
	size_t count = (size_t)element->count;
	mesh->positions = calloc( 3 * count + 1, sizeof( float ) );
	mesh->vertToSource = malloc( ( count + 1 ) * sizeof( uint32_t ) );
	const bool hasNormals = HasRoles( element, role_normal, 3 ), hasUvs = HasRoles( element, role_uv, 2 ),
			   hasColors = HasRoles( element, role_color, 3 );
	if ( hasNormals ) mesh->normals = calloc( 3 * count + 1, sizeof( float ) );
	if ( hasUvs ) mesh->uvs = calloc( 2 * count + 1, sizeof( float ) );
	if ( hasColors ) mesh->colors = malloc( ( 4 * count + 1 ) * sizeof( float ) );
	if ( mesh->positions == NULL || mesh->vertToSource == NULL || ( hasNormals && mesh->normals == NULL ) ||
		( hasUvs && mesh->uvs == NULL ) || ( hasColors && mesh->colors == NULL ) )
		return gelImporter_OutOfMemory( reader->importer );
	for ( size_t i = 0; i < count; ++i )
		mesh->vertToSource[i] = (uint32_t)i;
	for ( size_t i = 0; hasColors && i < 4 * count; ++i )
		mesh->colors[i] = 1.0f;
	mesh->vertexCount = mesh->sourceVertexCount = (uint32_t)count;
	return true;
}

static bool ReadVertices( Reader* reader, const Element* element )
{
	gelMesh* mesh = reader->importer->mesh;
	if ( mesh->positions != NULL )
		return Refuse( reader, gel_findingMeshDamaged, "there are two elements of vertices" );
	if ( !HasRoles( element, role_position, 3 ) )
		return Refuse( reader, gel_findingMeshDamaged, "vertices need the properties x, y and z" );
	if ( element->count > GEL_MESH_MAX_VERTICES )
		return Refuse(
			reader, gel_findingMeshTooLarge, "there are more vertices than can be used; decimate the model" );
	if ( !AllocateVertices( reader, element ) ) return false;
	for ( ; reader->row < element->count; ++reader->row )
	{
		size_t vertex = (size_t)reader->row;
		for ( uint32_t i = 0; i < element->propertyCount; ++i )
		{
			const Property* property = element->properties + i;
			double value = 0.0;
			uint32_t unused;
			if ( property->isList ? !ReadList( reader, property, &unused )
								  : !ReadValue( reader, property->type, &value ) )
				return false;
			StoreValue( mesh, vertex, property, value );
		}
		for ( size_t k = 0; k < 3; ++k )
			if ( !isfinite( mesh->positions[3 * vertex + k] ) )
				return Refuse( reader, gel_findingValueNotFinite, "a coordinate is NaN or infinite" );
		for ( size_t k = 0; mesh->uvs != NULL && k < 2; ++k )
			if ( !isfinite( mesh->uvs[2 * vertex + k] ) ) mesh->uvs[2 * vertex + k] = 0.0f;
		for ( size_t k = 0; mesh->normals != NULL && k < 3; ++k )
			if ( !isfinite( mesh->normals[3 * vertex + k] ) ) mesh->normals[3 * vertex + k] = 0.0f;
	}
	return true;
}

// ---- faces ------------------------------------------------------------------------------------------------

static bool CheckCorners( Reader* reader, uint32_t first, uint32_t count )
{
	const gelMesh* mesh = reader->importer->mesh;
	for ( uint32_t i = first; i < first + count; ++i )
	{
		if ( reader->list[i] < mesh->vertexCount ) continue;
		return Refuse( reader, gel_findingObjIndexMissing,
			"it names a vertex that does not exist; export the file again" );
	}
	return true;
}

// Corners by their place in the list.
static bool AddTriangle( Reader* reader, uint32_t a, uint32_t b, uint32_t c )
{
	gelMesh* mesh = reader->importer->mesh;
	size_t at = 3 * (size_t)mesh->triangleCount;
	if ( mesh->triangleCount == GEL_MESH_MAX_TRIANGLES )
		return Refuse( reader, gel_findingMeshTooLarge,
			"there are more triangles than can be used; decimate the model" );
	if ( !GEL_GROW( mesh->indices, reader->indexCapacity, at + 3 ) )
		return gelImporter_OutOfMemory( reader->importer );
	mesh->indices[at] = reader->list[a];
	mesh->indices[at + 1] = reader->list[b];
	mesh->indices[at + 2] = reader->list[c];
	++mesh->triangleCount;
	return true;
}

static bool AddFace( Reader* reader, uint32_t count )
{
	if ( count < 3 || count > MAX_CORNERS )
	{
		if ( reader->smallFaces++ == 0 ) reader->firstSmall = reader->row;
		return true;
	}
	if ( !CheckCorners( reader, 0, count ) ) return false;
	if ( count == 3 ) return AddTriangle( reader, 0, 1, 2 );
	if ( !GEL_GROW( reader->points, reader->pointCapacity, count ) ||
		!GEL_GROW( reader->corners, reader->cornerCapacity, 3 * (size_t)count ) )
		return gelImporter_OutOfMemory( reader->importer );
	for ( uint32_t i = 0; i < count; ++i )
		reader->points[i] = reader->importer->mesh->positions + 3 * (size_t)reader->list[i];
	gelTriangulation result = gelTriangulate( &reader->triangulator, reader->points, count, reader->corners );
	if ( result == gel_triangulationMemory ) return gelImporter_OutOfMemory( reader->importer );
	if ( result == gel_triangulationFan && reader->fans++ == 0 ) reader->firstFan = reader->row;
	for ( uint32_t i = 0; i < count - 2; ++i )
	{
		const uint32_t* corner = reader->corners + 3 * (size_t)i;
		if ( !AddTriangle( reader, corner[0], corner[1], corner[2] ) ) return false;
	}
	return true;
}

// Strips, one after the other with -1 between them; every other triangle of one runs the other way round.
static bool AddStrips( Reader* reader, uint32_t count )
{
	for ( uint32_t first = 0; first < count; )
	{
		uint32_t length = 0;
		while ( first + length < count && reader->list[first + length] != GEL_NO_INDEX )
			++length;
		if ( !CheckCorners( reader, first, length ) ) return false;
		for ( uint32_t i = 0; i + 2 < length; ++i )
		{
			uint32_t a = first + i;
			if ( !AddTriangle( reader, a + i % 2, a + 1 - i % 2, a + 2 ) ) return false;
		}
		first += length + 1;
	}
	return true;
}

static bool IsIndexList( const Property* property )
{
	return property->isList &&
		( strcmp( property->name, "vertex_indices" ) == 0 || strcmp( property->name, "vertex_index" ) == 0 );
}

static bool ReadRows( Reader* reader, const Element* element )
{
	const bool isFace = strcmp( element->name, "face" ) == 0,
			   isStrip = strcmp( element->name, "tristrips" ) == 0;
	for ( ; reader->row < element->count; ++reader->row )
	{
		for ( uint32_t i = 0; i < element->propertyCount; ++i )
		{
			const Property* property = element->properties + i;
			double value;
			uint32_t count = 0;
			if ( property->isList ? !ReadList( reader, property, &count )
								  : !ReadValue( reader, property->type, &value ) )
				return false;
			if ( !IsIndexList( property ) ) continue;
			if ( isFace && !AddFace( reader, count ) ) return false;
			if ( isStrip && !AddStrips( reader, count ) ) return false;
		}
	}
	return true;
}

static bool ReadElements( Reader* reader )
{
	for ( uint32_t i = 0; i < reader->elementCount; ++i )
	{
		const Element* element = reader->elements + i;
		reader->element = element;
		reader->row = 0;
		if ( element->propertyCount == 0 ) continue;
		// A row takes a byte at least, so no count asks for more than the file can hold.
		if ( element->count > (uint64_t)( reader->end - reader->p ) )
			return Refuse(
				reader, gel_findingMeshDamaged, "there are more than the file can hold: it was cut off" );
		if ( strcmp( element->name, "vertex" ) == 0 ? !ReadVertices( reader, element )
													: !ReadRows( reader, element ) )
			return false;
	}
	return true;
}

static bool FinishMesh( Reader* reader )
{
	gelMesh* mesh = reader->importer->mesh;
	gelFindings* findings = reader->importer->findings;
	if ( reader->smallFaces > 0 )
		gelFindings_Add( findings, gel_findingFaceTooShort, reader->importer->path,
			"%u faces have fewer than three corners, or more than 65536, and were left out (first: face "
			"%llu)",
			reader->smallFaces, (unsigned long long)reader->firstSmall );
	if ( reader->fans > 0 )
		gelFindings_Add( findings, gel_findingPolygonNotSimple, reader->importer->path,
			"face %llu: %u polygons cross or touch themselves, have no area or are too large, and were cut "
			"as plain "
			"fans; triangulate them in the modeller",
			(unsigned long long)reader->firstFan, reader->fans );
	if ( mesh->triangleCount == 0 ) return true; // refused for that afterwards
	mesh->triMaterial = malloc( (size_t)mesh->triangleCount * sizeof( uint32_t ) );
	mesh->groups = calloc( 1, sizeof( gelMeshGroup ) );
	if ( mesh->triMaterial == NULL || mesh->groups == NULL )
		return gelImporter_OutOfMemory( reader->importer );
	memset( mesh->triMaterial, 0xFF, (size_t)mesh->triangleCount * sizeof( uint32_t ) ); // GEL_NO_INDEX
	mesh->groupCount = 1;
	mesh->groups[0].triangleCount = mesh->triangleCount;
	mesh->groups[0].name = strdup( "ply" );
	return mesh->groups[0].name != NULL || gelImporter_OutOfMemory( reader->importer );
}

bool gelIsPly( const uint8_t* data, size_t bytes )
{
	return bytes >= 4 && memcmp( data, "ply", 3 ) == 0 && ( data[3] == '\n' || data[3] == '\r' );
}

bool gelImportPly( gelImporter* importer, const uint8_t* data, size_t bytes )
{
	GEL_ASSERT( gelIsPly( data, bytes ) );
	Reader* reader = calloc( 1, sizeof( Reader ) );
	if ( reader == NULL ) return gelImporter_OutOfMemory( importer );
	reader->importer = importer;
	reader->p = data;
	reader->end = data + bytes;
	bool ok = ReadHeader( reader ) && ReadElements( reader ) && FinishMesh( reader );
	gelFreeTriangulator( &reader->triangulator );
	free( reader->points );
	free( reader->corners );
	free( reader->list );
	free( reader );
	return ok;
}
