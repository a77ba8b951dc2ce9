// SPDX-License-Identifier: MIT
// Compressed parts of a glTF file, made what they would have been without compression before anything looks
// at them:
//
//     EXT_meshopt_compression, KHR_meshopt_compression    a buffer view; it gets a buffer of its own
//     KHR_draco_mesh_compression                          a primitive; its accessors get views of their own
//
// A small file can ask for much, so what all of them unfold to is bounded by the size of the file.
#include "common/import/gltf_internal.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef GEL_HAS_DRACO
#include "common/import/draco_decoder.h"
#endif
#ifdef GEL_HAS_MESHOPT
#include <meshoptimizer.h>
#endif

// Most bytes that come out of compressed data. meshoptimizer reaches 64 for one with constant values, and
// Draco less.
#define UNFOLDED_BASE     ( (size_t)64 << 20 )
#define UNFOLDED_PER_BYTE 256u

// Memory of the Draco library for its tables, measured at 400 times the compressed bytes for scans.
#define DRACO_BASE     ( (size_t)64 << 20 )
#define DRACO_PER_BYTE 4000u

struct gelGltfDecoded
{
	gelGltfDecoded* next;
	cgltf_buffer buffer;
	cgltf_buffer_view view;              // Draco
	const cgltf_buffer_view* compressed; // where it comes from
	uint8_t bytes[];
};

static bool Refuse( gelImporter* importer, const char* where, int number, const char* problem )
{
	gelFindings_Add( importer->findings, number, importer->path, "%s: %s", where, problem );
	return false;
}

void gelFreeGltfDecoded( gelImporter* importer )
{
	while ( importer->decoded != NULL )
	{
		gelGltfDecoded* next = importer->decoded->next;
		free( importer->decoded );
		importer->decoded = next;
	}
}

// A buffer for count elements. NULL: an error was added.
static gelGltfDecoded* AddDecoded( gelImporter* importer, const char* where,
	const cgltf_buffer_view* compressed, size_t count, size_t elementBytes )
{
	GEL_ASSERT( elementBytes > 0 );
	size_t most = UNFOLDED_BASE + UNFOLDED_PER_BYTE * importer->bytesRead - importer->decodedBytes;
	if ( count > most / elementBytes )
	{
		Refuse( importer, where, gel_findingMeshTooLarge,
			"the compressed data unfolds to much more than its size can justify" );
		return NULL;
	}
	size_t bytes = count * elementBytes;
	gelGltfDecoded* made = malloc( sizeof( gelGltfDecoded ) + bytes + 1 );
	if ( made == NULL )
	{
		gelImporter_OutOfMemory( importer );
		return NULL;
	}
	memset( made, 0, sizeof *made );
	importer->decodedBytes += bytes;
	made->next = importer->decoded;
	importer->decoded = made;
	made->compressed = compressed;
	made->buffer = ( cgltf_buffer ){ .data = made->bytes, .size = bytes };
	made->view = ( cgltf_buffer_view ){ .buffer = &made->buffer, .size = bytes };
	return made;
}

// ---- meshoptimizer ----------------------------------------------------------------------------------------

// What is wrong with the numbers of a compressed view, or NULL.
static const char* FindMeshoptFault( const cgltf_buffer_view* view )
{
	const cgltf_meshopt_compression* from = &view->meshopt_compression;
	const cgltf_buffer* buffer = from->buffer;
	const bool isIndices = from->mode != cgltf_meshopt_compression_mode_attributes;
	const size_t stride = from->stride;
	if ( from->offset > buffer->size || from->size > buffer->size - from->offset )
		return "reaches beyond its buffer";
	if ( from->mode == cgltf_meshopt_compression_mode_invalid ) return "has an unknown mode";
	if ( isIndices ? stride != 2 && stride != 4 : stride == 0 || stride % 4 != 0 || stride > 256 )
		return "has a wrong stride";
	if ( from->mode == cgltf_meshopt_compression_mode_triangles && from->count % 3 != 0 )
		return "holds no whole triangles";
	if ( from->count == 0 || from->count > GEL_MESH_MAX_VERTICES || view->size / stride < from->count )
		return "has a count that does not fit its view";
	switch ( from->filter )
	{
		case cgltf_meshopt_compression_filter_none:
			return NULL;
		case cgltf_meshopt_compression_filter_octahedral:
		case cgltf_meshopt_compression_filter_color:
			return isIndices || ( stride != 4 && stride != 8 ) ? "has a filter that does not fit" : NULL;
		case cgltf_meshopt_compression_filter_quaternion:
			return isIndices || stride != 8 ? "has a filter that does not fit" : NULL;
		default:
			return isIndices ? "has a filter that does not fit" : NULL;
	}
}

#ifdef GEL_HAS_MESHOPT
static bool DecodeMeshopt( const cgltf_meshopt_compression* from, uint8_t* out )
{
	const uint8_t* data = (const uint8_t*)from->buffer->data + from->offset;
	int result = 0;
	if ( from->mode == cgltf_meshopt_compression_mode_attributes )
		result = meshopt_decodeVertexBuffer( out, from->count, from->stride, data, from->size );
	else if ( from->mode == cgltf_meshopt_compression_mode_triangles )
		result = meshopt_decodeIndexBuffer( out, from->count, from->stride, data, from->size );
	else
		result = meshopt_decodeIndexSequence( out, from->count, from->stride, data, from->size );
	if ( result != 0 ) return false;
	if ( from->filter == cgltf_meshopt_compression_filter_octahedral )
		meshopt_decodeFilterOct( out, from->count, from->stride );
	else if ( from->filter == cgltf_meshopt_compression_filter_quaternion )
		meshopt_decodeFilterQuat( out, from->count, from->stride );
	else if ( from->filter == cgltf_meshopt_compression_filter_exponential )
		meshopt_decodeFilterExp( out, from->count, from->stride );
	return true;
}

// The first byte is the kind, and the version in its lower half: 0 for attributes and up to 1 for indices are
// what EXT_meshopt_compression has.
static bool IsOfNewerCodec( const cgltf_meshopt_compression* from )
{
	static const uint8_t kinds[] = { [cgltf_meshopt_compression_mode_attributes] = 0xA0,
		[cgltf_meshopt_compression_mode_triangles] = 0xE1,
		[cgltf_meshopt_compression_mode_indices] = 0xD1 };
	uint8_t first = from->size > 0 ? ( (const uint8_t*)from->buffer->data )[from->offset] : 0;
	return ( first & 0xF0 ) == ( kinds[from->mode] & 0xF0 ) && first > kinds[from->mode];
}
#endif

// A name for messages. Views have no place in a mesh: several primitives may use one.
static const char* NameView( const cgltf_data* data, const cgltf_buffer_view* view, char out[64] )
{
	snprintf( out, 64, "buffer view %zu (meshopt)", (size_t)( view - data->buffer_views ) );
	return out;
}

bool gelDecodeGltfView( gelImporter* importer, cgltf_data* data, cgltf_buffer_view* view )
{
	char where[64], text[128];
	const cgltf_meshopt_compression* from = &view->meshopt_compression;
	NameView( data, view, where );
	if ( !gelLoadGltfBuffer( importer, data, from->buffer ) ) return false;
	const char* fault = FindMeshoptFault( view );
	if ( fault != NULL )
	{
		snprintf( text, sizeof text, "it %s; export the file again", fault );
		return Refuse( importer, where, gel_findingCompressedDamaged, text );
	}
#ifdef GEL_HAS_MESHOPT
	// This filter came with KHR_meshopt_compression, for colors only.
	if ( from->filter == cgltf_meshopt_compression_filter_color )
		return Refuse( importer, where, gel_findingGltfCompressed,
			"the color filter of KHR_meshopt_compression is not read here; export with "
			"EXT_meshopt_compression, or without compression" );
	gelGltfDecoded* made = AddDecoded( importer, where, view, from->count, from->stride );
	if ( made == NULL ) return false;
	if ( !DecodeMeshopt( from, made->bytes ) )
	{
		if ( IsOfNewerCodec( from ) )
			return Refuse( importer, where, gel_findingGltfCompressed,
				"it is of a newer codec than this build's meshoptimizer reads; export with "
				"EXT_meshopt_compression, or without compression" );
		return Refuse( importer, where, gel_findingCompressedDamaged,
			"the compressed data is damaged; export the file again" );
	}
	view->buffer = &made->buffer;
	view->offset = 0;
	view->size = made->buffer.size;
	return true;
#else
	return Refuse( importer, where, gel_findingGltfCompressed,
		"this build has no meshoptimizer (package libmeshoptimizer-dev); export the mesh without "
		"compression" );
#endif
}

// ---- Draco ------------------------------------------------------------------------------------------------

bool gelNeedsGltfDraco( const cgltf_primitive* primitive )
{
	if ( !primitive->has_draco_mesh_compression ) return false;
	const cgltf_accessor* positions = gelFindGltfAttribute( primitive, "POSITION" );
	// Files may bring the mesh without compression as well.
	return positions != NULL && positions->buffer_view == NULL;
}

#ifdef GEL_HAS_DRACO
typedef struct DracoReader
{
	gelImporter* importer;
	cgltf_data* data;
	const char* where;
	const cgltf_draco_mesh_compression* from;
	gelDracoMesh* mesh;
} DracoReader;

static bool IsDamaged( const DracoReader* reader, const char* problem )
{
	return Refuse( reader->importer, reader->where, gel_findingCompressedDamaged, problem );
}

static cgltf_component_type GetComponentType( const gelDracoAttribute* from )
{
	const bool isSigned = from->kind == gel_dracoSigned;
	if ( from->kind == gel_dracoFloat ) return cgltf_component_type_r_32f;
	if ( from->componentBytes == 1 ) return isSigned ? cgltf_component_type_r_8 : cgltf_component_type_r_8u;
	if ( from->componentBytes == 2 ) return isSigned ? cgltf_component_type_r_16 : cgltf_component_type_r_16u;
	return cgltf_component_type_r_32u; // glTF has no others of four bytes
}

// Lets an accessor read decoded bytes. An accessor has one compressed primitive, but for instances of that.
static bool Attach(
	DracoReader* reader, cgltf_accessor* accessor, size_t count, size_t elementBytes, gelGltfDecoded** out )
{
	*out = NULL;
	if ( accessor->buffer_view != NULL || accessor->is_sparse )
		return IsDamaged( reader,
			"an accessor of compressed data has data of its own, or of another primitive, as well; export "
			"the "
			"file again" );
	gelGltfDecoded* made =
		AddDecoded( reader->importer, reader->where, reader->from->buffer_view, count, elementBytes );
	if ( made == NULL ) return false;
	accessor->buffer_view = &made->view;
	accessor->offset = 0;
	accessor->stride = elementBytes;
	accessor->count = count;
	*out = made;
	return true;
}

static bool ReadDracoIndices( DracoReader* reader, cgltf_primitive* primitive )
{
	size_t corners = 3 * gelDraco_GetTriangleCount( reader->mesh );
	if ( primitive->indices == NULL )
		return IsDamaged( reader, "it has no accessor for its indices; export the file again" );
	gelGltfDecoded* made;
	if ( corners == 0 ) return IsDamaged( reader, "the compressed data holds no triangles" );
	if ( !Attach( reader, primitive->indices, corners, sizeof( uint32_t ), &made ) ) return false;
	primitive->indices->component_type = cgltf_component_type_r_32u;
	primitive->type = cgltf_primitive_type_triangles; // strips come out as triangles
	uint32_t* indices = malloc( corners * sizeof( uint32_t ) );
	if ( indices == NULL ) return gelImporter_OutOfMemory( reader->importer );
	bool ok = gelDraco_CopyIndices( reader->mesh, indices );
	memcpy( made->bytes, indices, corners * sizeof( uint32_t ) );
	free( indices );
	return ok || IsDamaged( reader, "the compressed data names vertices that it does not have" );
}

static bool ReadDracoAttribute( DracoReader* reader, cgltf_primitive* primitive, const cgltf_attribute* from )
{
	cgltf_accessor* accessor = NULL;
	for ( size_t i = 0; i < primitive->attributes_count; ++i )
		if ( strcmp( primitive->attributes[i].name, from->name ) == 0 )
			accessor = primitive->attributes[i].data;
	// cgltf reads the id as the number of an accessor
	uint32_t id = (uint32_t)( from->data - reader->data->accessors );
	gelDracoAttribute attribute;
	if ( accessor == NULL ) return true; // nobody asks for it
	if ( !gelDraco_FindAttribute( reader->mesh, id, &attribute ) )
		return IsDamaged( reader, "an attribute is not in the compressed data; export the file again" );
	if ( attribute.kind == gel_dracoOther ||
		attribute.components != (uint32_t)cgltf_num_components( accessor->type ) )
		return IsDamaged(
			reader, "an attribute is of another type in the compressed data; export the file again" );
	size_t count = gelDraco_GetVertexCount( reader->mesh );
	gelGltfDecoded* made;
	if ( !Attach( reader, accessor, count, (size_t)attribute.componentBytes * attribute.components, &made ) )
		return false;
	accessor->component_type = GetComponentType( &attribute );
	return gelDraco_CopyAttribute( reader->mesh, id, made->bytes ) ||
		IsDamaged( reader, "the compressed data does not have all vertices" );
}

static bool ReadDraco( DracoReader* reader, cgltf_primitive* primitive )
{
	if ( gelDraco_GetVertexCount( reader->mesh ) == 0 )
		return IsDamaged( reader, "the compressed data holds no vertices" );
	if ( !ReadDracoIndices( reader, primitive ) ) return false;
	for ( size_t i = 0; i < reader->from->attributes_count; ++i )
		if ( !ReadDracoAttribute( reader, primitive, reader->from->attributes + i ) ) return false;
	return true;
}

static bool OpenDraco( DracoReader* reader )
{
	const cgltf_buffer_view* view = reader->from->buffer_view;
	const uint8_t* bytes = (const uint8_t*)view->buffer->data + view->offset;
	switch ( gelDecodeDraco( bytes, view->size, DRACO_BASE + DRACO_PER_BYTE * view->size, &reader->mesh ) )
	{
		case gel_dracoDone:
			return true;
		case gel_dracoNoMemory:
			return gelImporter_OutOfMemory( reader->importer );
		case gel_dracoTooLarge:
			return Refuse( reader->importer, reader->where, gel_findingMeshTooLarge,
				"the compressed data unfolds to much more than its size can justify" );
		default:
			return IsDamaged( reader, "the compressed data is damaged; export the file again" );
	}
}
#endif

bool gelDecodeGltfDraco(
	gelImporter* importer, cgltf_data* data, const gelGltfPlace* place, cgltf_primitive* primitive )
{
	char where[256];
	gelGltfPlace_Text( place, where, sizeof where );
#ifdef GEL_HAS_DRACO
	DracoReader reader = { importer, data, where, &primitive->draco_mesh_compression, NULL };
	cgltf_buffer_view* view = reader.from->buffer_view;
	if ( !gelLoadGltfBuffer( importer, data, view->buffer ) ) return false;
	if ( view->offset > view->buffer->size || view->size > view->buffer->size - view->offset )
		return IsDamaged( &reader, "its compressed data reaches beyond its buffer; export the file again" );
	bool ok = OpenDraco( &reader ) && ReadDraco( &reader, primitive );
	gelFreeDraco( reader.mesh );
	return ok;
#else
	(void)data;
	(void)primitive;
	return Refuse( importer, where, gel_findingGltfCompressed,
		"it is compressed, and this build has no Draco (package libdraco-dev); export it without "
		"compression" );
#endif
}
