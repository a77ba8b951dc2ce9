// SPDX-License-Identifier: MIT
// Buffers of a glTF file: the GLB chunk, base64 text, or a file beside it. Sizes are compared before anything
// is allocated, so a small file cannot ask for a large buffer.
#define _XOPEN_SOURCE 700 // realpath
#include "common/import/gltf_internal.h"

#include "common/program/confined_path.h"

#include <stdlib.h>
#include <string.h>

static bool Refuse(
	gelImporter* importer, const cgltf_data* data, const cgltf_buffer* buffer, const char* problem )
{
	gelFindings_Add( importer->findings, gel_findingBufferIncomplete, importer->path, "buffer %zu: %s",
		(size_t)( buffer - data->buffers ), problem );
	return false;
}

static bool TooShort(
	gelImporter* importer, const cgltf_data* data, const cgltf_buffer* buffer, size_t bytes )
{
	gelFindings_Add( importer->findings, gel_findingBufferIncomplete, importer->path,
		"buffer %zu holds %zu bytes of the %zu that it should; the file was cut off, export it again",
		(size_t)( buffer - data->buffers ), bytes, buffer->size );
	return false;
}

static int Base64Value( char c )
{
	if ( c >= 'A' && c <= 'Z' ) return c - 'A';
	if ( c >= 'a' && c <= 'z' ) return c - 'a' + 26;
	if ( c >= '0' && c <= '9' ) return c - '0' + 52;
	if ( c == '+' || c == '-' ) return 62;
	if ( c == '/' || c == '_' ) return 63;
	return -1;
}

static bool LoadBase64( gelImporter* importer, const cgltf_data* data, cgltf_buffer* buffer )
{
	const char* comma = strchr( buffer->uri, ',' );
	if ( comma == NULL || comma - buffer->uri < 7 || strncmp( comma - 7, ";base64", 7 ) != 0 )
		return Refuse( importer, data, buffer, "a data URI must be base64; export the file as GLB" );
	const char* text = comma + 1;
	size_t length = strlen( text );
	while ( length > 0 && text[length - 1] == '=' )
		--length;
	size_t bytes = length / 4 * 3 + ( length % 4 == 0 ? 0 : length % 4 - 1 );
	if ( bytes < buffer->size ) return TooShort( importer, data, buffer, bytes );
	uint8_t* out = malloc( bytes + 1 );
	if ( out == NULL ) return gelImporter_OutOfMemory( importer );
	uint32_t bits = 0;
	size_t at = 0;
	for ( size_t i = 0; i < length; ++i )
	{
		int value = Base64Value( text[i] );
		if ( value < 0 )
		{
			free( out );
			return Refuse(
				importer, data, buffer, "the base64 text holds other characters; export the file again" );
		}
		// Three bytes of four characters; the first of each four completes none.
		bits = ( bits << 6 ) | (uint32_t)value;
		if ( i % 4 != 0 ) out[at++] = (uint8_t)( bits >> ( 6 - 2 * ( i % 4 ) ) );
	}
	buffer->data = out;
	buffer->data_free_method = cgltf_data_free_method_file_release;
	return true;
}

// Whether a file that there is lies in a folder, after all links.
static bool IsInFolder( const char* path, const char* folder )
{
	char* file = realpath( path, NULL );
	char* root = realpath( folder, NULL );
	size_t length = root != NULL ? strlen( root ) : 0;
	bool isInside = file != NULL && length > 0 && strncmp( file, root, length ) == 0 &&
		( file[length] == '/' || root[length - 1] == '/' );
	free( file );
	free( root );
	return isInside;
}

// A name that leads up, where the person has said how far that may be.
static bool IsAllowed( const gelImporter* importer, const char* name )
{
	const char* project = importer->options.project;
	if ( gelIsConfinedPath( name ) || project == NULL || name[0] == '/' ) return gelIsConfinedPath( name );
	char* path = gelImporter_BesidePath( importer, name );
	bool isAllowed = path != NULL && IsInFolder( path, project );
	free( path );
	return isAllowed;
}

static bool LoadFile( gelImporter* importer, const cgltf_data* data, cgltf_buffer* buffer )
{
	char* name = gelDecodeGltfString( buffer->uri );
	if ( name == NULL ) return gelImporter_OutOfMemory( importer );
	// No scheme (http:, file:, C:), no way up and out: art comes from strangers, and reading what it names
	// would hand out other files of the machine.
	if ( strchr( name, ':' ) != NULL || !gelDecodePercents( name ) || !IsAllowed( importer, name ) )
	{
		gelFindings_Add( importer->findings, gel_findingBufferOutsideFolder, importer->path,
			"buffer %zu: \"%.200s\" is not a file below the mesh's folder and is not read; put the buffer "
			"beside the mesh, or give the folder that holds both as --project",
			(size_t)( buffer - data->buffers ), buffer->uri );
		free( name );
		return false;
	}
	char* path = gelImporter_BesidePath( importer, name );
	free( name );
	if ( path == NULL ) return gelImporter_OutOfMemory( importer );
	size_t bytes = 0;
	uint8_t* bytesRead = gelImporter_ReadFile( importer, path, &bytes );
	free( path );
	if ( bytesRead == NULL ) return false;
	buffer->data = bytesRead;
	buffer->data_free_method = cgltf_data_free_method_file_release;
	return bytes >= buffer->size || TooShort( importer, data, buffer, bytes );
}

bool gelLoadGltfBuffer( gelImporter* importer, cgltf_data* data, cgltf_buffer* buffer )
{
	if ( buffer->data != NULL ) return true;
	if ( buffer->uri != NULL )
		return strncmp( buffer->uri, "data:", 5 ) == 0 ? LoadBase64( importer, data, buffer )
													   : LoadFile( importer, data, buffer );
	if ( buffer != data->buffers || data->bin == NULL )
		return Refuse(
			importer, data, buffer, "it has neither a URI nor a GLB chunk; export the file again" );
	if ( data->bin_size < buffer->size ) return TooShort( importer, data, buffer, data->bin_size );
	// cgltf keeps the chunk inside the file's bytes; nothing writes to it and nothing frees it
	memcpy( &buffer->data, &data->bin, sizeof buffer->data );
	buffer->data_free_method = cgltf_data_free_method_none;
	return true;
}

static bool LoadView( gelImporter* importer, cgltf_data* data, cgltf_buffer_view* view )
{
	if ( view->has_meshopt_compression && view->buffer >= data->buffers &&
		view->buffer < data->buffers + data->buffers_count )
		return gelDecodeGltfView( importer, data, view );
	return view->buffer->data != NULL || gelLoadGltfBuffer( importer, data, view->buffer );
}

bool gelLoadAccessorBuffers( gelImporter* importer, cgltf_data* data, const cgltf_accessor* accessor )
{
	if ( accessor->buffer_view != NULL && !LoadView( importer, data, accessor->buffer_view ) ) return false;
	if ( !accessor->is_sparse ) return true;
	return LoadView( importer, data, accessor->sparse.indices_buffer_view ) &&
		LoadView( importer, data, accessor->sparse.values_buffer_view );
}
