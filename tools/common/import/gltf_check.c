// SPDX-License-Identifier: MIT
// Checks around cgltf. Its parser bounds what it reads by the JSON, but it trusts sizes: cgltf_validate reads
// sparse and index data before it has compared the views with their buffers, its sums wrap around, it loads
// misaligned words through pointers, and its search for loops takes quadratic time. So everything is checked
// here first.
#include "common/import/gltf_internal.h"

#include <gelpack/asserts.h>

#include <jansson.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* gelGltfPlace_Text( const gelGltfPlace* place, char* out, size_t capacity )
{
	GEL_ASSERT( capacity > 0 );
	size_t at = 0;
	out[0] = 0;
	const struct
	{
		const char* kind;
		int64_t index;
		const char* name;
	} parts[3] = {
		{ "node", place->node, place->node >= 0 ? place->data->nodes[place->node].name : NULL },
		{ "mesh", place->mesh, place->mesh >= 0 ? place->data->meshes[place->mesh].name : NULL },
		{ "primitive", place->primitive, NULL },
	};
	for ( int i = 0; i < 3 && at < capacity; ++i )
	{
		if ( parts[i].index < 0 ) continue;
		int written = parts[i].name != NULL
			? snprintf( out + at, capacity - at, "%s%s %lld \"%.60s\"", at > 0 ? ", " : "", parts[i].kind,
				  (long long)parts[i].index, parts[i].name )
			: snprintf( out + at, capacity - at, "%s%s %lld", at > 0 ? ", " : "", parts[i].kind,
				  (long long)parts[i].index );
		at += written > 0 ? (size_t)written : 0;
	}
	return out;
}

char* gelDecodeGltfString( const char* raw )
{
	size_t length = strlen( raw );
	// cgltf hands out strings as they stand in the file, escapes included; jansson knows how to read them.
	if ( strchr( raw, '\\' ) == NULL ) return strdup( raw );
	char* quoted = malloc( length + 3 );
	if ( quoted == NULL ) return NULL;
	quoted[0] = '"';
	memcpy( quoted + 1, raw, length );
	memcpy( quoted + 1 + length, "\"", 2 );
	json_t* value = json_loads( quoted, JSON_DECODE_ANY, NULL );
	free( quoted );
	char* decoded = strdup( json_is_string( value ) ? json_string_value( value ) : raw );
	json_decref( value );
	return decoded;
}

// cgltf parses with recursion; depth is bounded before it sees the text.
bool gelCheckGltfJson( gelImporter* importer, const char* json, size_t bytes )
{
	int depth = 0;
	bool inString = false;
	for ( size_t i = 0; i < bytes; ++i )
	{
		char c = json[i];
		if ( inString )
		{
			if ( c == '\\' )
				++i;
			else if ( c == '"' )
				inString = false;
			continue;
		}
		if ( c == '"' )
			inString = true;
		else if ( c == '{' || c == '[' )
			++depth;
		else if ( c == '}' || c == ']' )
			--depth;
		if ( depth > GEL_GLTF_MAX_DEPTH )
		{
			gelFindings_Add( importer->findings, gel_findingJsonTooDeep, importer->path,
				"byte %zu: the JSON is nested more than %d deep; this is no glTF file that a modeller writes",
				i, GEL_GLTF_MAX_DEPTH );
			return false;
		}
	}
	return true;
}

// "2.1" -> 2001. Unreadable text counts as 2.0: the parser has read the file.
static long ParseVersion( const char* text )
{
	char* end;
	long major = strtol( text, &end, 10 );
	long minor = *end == '.' ? strtol( end + 1, &end, 10 ) : 0;
	bool readable = end != text && major >= 0 && major < 1000 && minor >= 0 && minor < 1000;
	return readable ? 1000 * major + minor : 2000;
}

bool gelCheckGltfVersion( gelImporter* importer, const cgltf_data* data )
{
	const char* least = data->asset.min_version;
	if ( least == NULL || ParseVersion( least ) <= 2000 ) return true;
	gelFindings_Add( importer->findings, gel_findingGltfUnreadable, importer->path,
		"asset.minVersion: the file needs a reader of glTF %.20s, and this one knows 2.0; export it as glTF "
		"2.0",
		least );
	return false;
}

void gelCheckGltfExtensions( gelImporter* importer, const cgltf_data* data )
{
	// those that change nothing about the shape, or that are read
	static const char* const known[] = { "KHR_mesh_quantization", "KHR_texture_", "EXT_texture_",
		"KHR_materials_", "KHR_lights_punctual", "KHR_xmp", "KHR_animation_pointer",
		"EXT_mesh_gpu_instancing", "MSFT_texture_dds", "KHR_techniques_webgl", "EXT_lights",
		"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression" };
	for ( size_t i = 0; i < data->extensions_required_count; ++i )
	{
		const char* name = data->extensions_required[i];
		bool found = false;
		for ( size_t k = 0; k < sizeof known / sizeof known[0] && !found; ++k )
			found = strncmp( name, known[k], strlen( known[k] ) ) == 0;
		if ( !found )
			gelFindings_Add( importer->findings, gel_findingExtensionUnknown, importer->path,
				"the file needs the extension \"%.80s\", which is not known here; check that the shape is "
				"complete",
				name );
	}
}

bool gelCheckGltfNodes( gelImporter* importer, const cgltf_data* data )
{
	for ( size_t i = 0; i < data->nodes_count; ++i )
	{
		int depth = 0;
		// Each chain is cut at the bound, so that a loop costs no more than a deep tree.
		for ( const cgltf_node* node = data->nodes[i].parent; node != NULL; node = node->parent )
		{
			if ( ++depth <= GEL_GLTF_MAX_DEPTH ) continue;
			gelFindings_Add( importer->findings, gel_findingGltfNotTree, importer->path,
				"node %zu: its parents form a loop, or are more than %d; export the file again", i,
				GEL_GLTF_MAX_DEPTH );
			return false;
		}
	}
	return true;
}

// Whether count elements fit: offset + stride * (count - 1) + elementBytes <= available, without wrapping
// around.
static bool Fits( size_t offset, size_t stride, size_t count, size_t elementBytes, size_t available )
{
	GEL_ASSERT( elementBytes > 0 );
	if ( offset > available || elementBytes > available - offset ) return false;
	return count <= 1 || stride == 0 || count - 1 <= ( available - offset - elementBytes ) / stride;
}

// Written as a difference: offset + size may wrap around.
static bool ViewFits( const cgltf_buffer_view* view )
{
	return view->offset <= view->buffer->size && view->size <= view->buffer->size - view->offset;
}

static uint32_t SparseIndex( const cgltf_accessor_sparse* sparse, size_t i )
{
	GEL_ASSERT( i < sparse->count );
	const uint8_t* p = (const uint8_t*)sparse->indices_buffer_view->buffer->data +
		sparse->indices_buffer_view->offset + sparse->indices_byte_offset;
	uint32_t value = 0; // little-endian, as the format and every machine that we run on
	size_t bytes = cgltf_component_size( sparse->indices_component_type );
	memcpy( &value, p + i * bytes, bytes );
	return value;
}

static const char* FindSparseFault( const cgltf_accessor* accessor )
{
	const cgltf_accessor_sparse* sparse = &accessor->sparse;
	cgltf_component_type type = sparse->indices_component_type;
	if ( type != cgltf_component_type_r_8u && type != cgltf_component_type_r_16u &&
		type != cgltf_component_type_r_32u )
		return "has sparse indices of a wrong type";
	if ( sparse->count == 0 || sparse->count > accessor->count )
		return "has a wrong count of sparse elements";
	if ( !ViewFits( sparse->indices_buffer_view ) || !ViewFits( sparse->values_buffer_view ) )
		return "has a sparse view that reaches beyond its buffer";
	size_t indexBytes = cgltf_component_size( type );
	size_t valueBytes = cgltf_calc_size( accessor->type, accessor->component_type );
	if ( !Fits( sparse->indices_byte_offset, indexBytes, sparse->count, indexBytes,
			 sparse->indices_buffer_view->size ) ||
		!Fits( sparse->values_byte_offset, valueBytes, sparse->count, valueBytes,
			sparse->values_buffer_view->size ) )
		return "has sparse elements beyond their view";
	if ( sparse->indices_buffer_view->buffer->data == NULL ) return NULL;
	for ( size_t i = 0; i < sparse->count; ++i )
		if ( SparseIndex( sparse, i ) >= accessor->count ) return "has a sparse index out of range";
	return NULL;
}

const char* gelFindAccessorFault( const cgltf_accessor* accessor )
{
	size_t elementBytes = cgltf_calc_size( accessor->type, accessor->component_type );
	if ( elementBytes == 0 ) return "has an unknown type";
	if ( accessor->count == 0 ) return "has no elements";
	if ( accessor->count > GEL_MESH_MAX_VERTICES ) return "has more elements than can be used";
	const cgltf_buffer_view* view = accessor->buffer_view;
	if ( view == NULL && accessor->count > GEL_GLTF_MAX_ZEROS ) return "has many elements but no data";
	if ( view != NULL )
	{
		if ( !ViewFits( view ) ) return "uses a view that reaches beyond its buffer";
		if ( accessor->stride < elementBytes ) return "has a stride smaller than its elements";
		if ( !Fits( accessor->offset, accessor->stride, accessor->count, elementBytes, view->size ) )
			return "reaches beyond its buffer view";
	}
	return accessor->is_sparse ? FindSparseFault( accessor ) : NULL;
}

static bool IsAligned( const cgltf_buffer_view* view, size_t offset, cgltf_component_type type )
{
	size_t bytes = cgltf_component_size( type );
	uintptr_t address = (uintptr_t)view->buffer->data + view->offset + offset;
	return bytes == 0 || address % bytes == 0;
}

static bool IsSafeToValidate( const cgltf_accessor* accessor )
{
	if ( gelFindAccessorFault( accessor ) != NULL ) return false;
	const cgltf_accessor_sparse* sparse = &accessor->sparse;
	if ( accessor->is_sparse &&
		!IsAligned(
			sparse->indices_buffer_view, sparse->indices_byte_offset, sparse->indices_component_type ) )
		return false;
	return accessor->buffer_view == NULL ||
		IsAligned( accessor->buffer_view, accessor->offset, accessor->component_type );
}

void gelValidateGltf( gelImporter* importer, cgltf_data* data )
{
	for ( size_t i = 0; i < data->accessors_count; ++i )
	{
		if ( IsSafeToValidate( data->accessors + i ) ) continue;
		const char* fault = gelFindAccessorFault( data->accessors + i );
		gelFindings_Add( importer->findings, gel_findingGltfRuleBroken, importer->path,
			"accessor %zu %s; what uses it was not needed or could still be read", i,
			fault != NULL ? fault : "is not aligned to its component size" );
		return;
	}
	cgltf_result result = cgltf_validate( data );
	if ( result != cgltf_result_success )
		gelFindings_Add( importer->findings, gel_findingGltfRuleBroken, importer->path,
			"outside of the mesh data, the file breaks a rule: %s", gelGltfResultText( result ) );
}
