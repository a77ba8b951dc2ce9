// SPDX-License-Identifier: MIT
// Binary glTF: one set of vertices, a node for each group, a primitive for each run of one material. The JSON
// comes from cgltf_write; the file from glb_file.h, because it writes files neither atomically nor with
// errors. The binary chunk holds attributes, then indices, each 4-byte aligned.
#include "common/mesh/mesh_export.h"

#include "common/mesh/glb_file.h"
#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <cgltf.h>
#include <cgltf_write.h>
#include <jansson.h>

#include <stdlib.h>
#include <string.h>

#define STANDARD_ATTRIBUTES 4u

typedef struct Run
{
	uint32_t group; // GEL_NO_INDEX: none
	uint32_t material;
	uint32_t first, count;
} Run;

typedef struct Builder
{
	const gelMesh* mesh;
	cgltf_data data;
	Run* runs;
	size_t runCount;
	size_t nodeCount;
	cgltf_attribute* attributes;
	size_t attributeCount;
	uint8_t* bin;
	size_t binBytes;
	char** names; // escaped copies
	size_t nameCount;
	bool failed;
} Builder;

// A name as it stands between the quotes of a JSON string; cgltf_write does not escape.
static char* Escape( Builder* b, const char* name )
{
	json_t* value = json_string( name );
	// Names are never the reason for a file that cannot be written.
	if ( value == NULL ) value = json_string_nocheck( "?" ); // not UTF-8
	char* quoted = value != NULL ? json_dumps( value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII ) : NULL;
	json_decref( value );
	if ( quoted == NULL )
	{
		b->failed = true;
		return NULL;
	}
	size_t length = strlen( quoted );
	memmove( quoted, quoted + 1, length - 2 );
	quoted[length - 2] = 0;
	b->names[b->nameCount++] = quoted;
	return quoted;
}

static uint32_t GroupOf( const gelMesh* mesh, uint32_t triangle, uint32_t* cursor )
{
	GEL_ASSERT( triangle < mesh->triangleCount );
	while ( *cursor < mesh->groupCount &&
		mesh->groups[*cursor].firstTriangle + mesh->groups[*cursor].triangleCount <= triangle )
		++*cursor;
	return *cursor < mesh->groupCount && mesh->groups[*cursor].firstTriangle <= triangle ? *cursor
																						 : GEL_NO_INDEX;
}

// Runs of triangles with one group and one material.
// A group with two materials by turns has many runs: triangles keep their order, which packs refer to.
static void FindRuns( Builder* b )
{
	const gelMesh* mesh = b->mesh;
	size_t capacity = 0;
	uint32_t cursor = 0;
	for ( uint32_t t = 0; t < mesh->triangleCount; ++t )
	{
		uint32_t group = GroupOf( mesh, t, &cursor );
		uint32_t material = mesh->triMaterial != NULL ? mesh->triMaterial[t] : GEL_NO_INDEX;
		if ( material >= mesh->materialCount ) material = GEL_NO_INDEX;
		Run* last = b->runCount > 0 ? b->runs + b->runCount - 1 : NULL;
		if ( last != NULL && last->group == group && last->material == material )
		{
			++last->count;
			continue;
		}
		b->nodeCount += last == NULL || last->group != group;
		if ( !GEL_GROW( b->runs, capacity, b->runCount + 1 ) )
		{
			b->failed = true;
			return;
		}
		b->runs[b->runCount++] = ( Run ){ group, material, t, 1 };
	}
}

static bool Allocate( Builder* b )
{
	const gelMesh* mesh = b->mesh;
	cgltf_data* data = &b->data;
	size_t most = STANDARD_ATTRIBUTES + mesh->attributeCount;
	b->attributes = calloc( most, sizeof( cgltf_attribute ) );
	b->names = calloc( b->nodeCount + mesh->materialCount + mesh->attributeCount + 1, sizeof( char* ) );
	data->accessors = calloc( most + b->runCount, sizeof( cgltf_accessor ) );
	data->buffer_views = calloc( most + b->runCount, sizeof( cgltf_buffer_view ) );
	data->buffers = calloc( 1, sizeof( cgltf_buffer ) );
	data->meshes = calloc( b->nodeCount, sizeof( cgltf_mesh ) );
	data->nodes = calloc( b->nodeCount, sizeof( cgltf_node ) );
	data->scenes = calloc( 1, sizeof( cgltf_scene ) );
	data->materials = calloc( (size_t)mesh->materialCount + 1, sizeof( cgltf_material ) );
	b->failed = b->failed || b->attributes == NULL || b->names == NULL || data->accessors == NULL ||
		data->buffer_views == NULL || data->buffers == NULL || data->meshes == NULL || data->nodes == NULL ||
		data->scenes == NULL || data->materials == NULL;
	return !b->failed;
}

// A view and an accessor over the next bytes of the buffer.
static cgltf_accessor* AddAccessor(
	Builder* b, cgltf_type type, cgltf_component_type component, size_t count )
{
	cgltf_data* data = &b->data;
	cgltf_buffer_view* view = data->buffer_views + data->buffer_views_count++;
	cgltf_accessor* accessor = data->accessors + data->accessors_count++;
	*view = ( cgltf_buffer_view ){ .buffer = data->buffers, .offset = b->binBytes };
	view->size = count * cgltf_calc_size( type, component );
	*accessor =
		( cgltf_accessor ){ .type = type, .component_type = component, .count = count, .buffer_view = view };
	b->binBytes += view->size; // a multiple of 4: only floats and 32-bit indices are written
	return accessor;
}

static void AddAttribute( Builder* b, char* name, const float* values, uint32_t components )
{
	GEL_ASSERT( components >= 1 && components <= 4 );
	if ( values == NULL ) return;
	static const cgltf_type types[5] = { cgltf_type_invalid, cgltf_type_scalar, cgltf_type_vec2,
		cgltf_type_vec3, cgltf_type_vec4 };
	cgltf_accessor* accessor =
		AddAccessor( b, types[components], cgltf_component_type_r_32f, b->mesh->vertexCount );
	b->attributes[b->attributeCount++] = ( cgltf_attribute ){ .name = name, .data = accessor };
}

static void AddAttributes( Builder* b )
{
	static char position[] = "POSITION", normal[] = "NORMAL", uv[] = "TEXCOORD_0", color[] = "COLOR_0";
	const gelMesh* mesh = b->mesh;
	AddAttribute( b, position, mesh->positions, 3 );
	cgltf_accessor* accessor = b->attributes[0].data;
	accessor->has_min = true;
	accessor->has_max = true;
	for ( int d = 0; d < 3; ++d )
	{
		accessor->min[d] = mesh->positions[d];
		accessor->max[d] = mesh->positions[d];
	}
	for ( size_t i = 0; i < 3 * (size_t)mesh->vertexCount; ++i )
	{
		if ( mesh->positions[i] < accessor->min[i % 3] ) accessor->min[i % 3] = mesh->positions[i];
		if ( mesh->positions[i] > accessor->max[i % 3] ) accessor->max[i % 3] = mesh->positions[i];
	}
	AddAttribute( b, normal, mesh->normals, 3 );
	AddAttribute( b, uv, mesh->uvs, 2 );
	AddAttribute( b, color, mesh->colors, 4 );
	for ( uint32_t i = 0; i < mesh->attributeCount; ++i )
		AddAttribute( b, Escape( b, mesh->attributes[i].name ), mesh->attributes[i].values,
			mesh->attributes[i].components );
}

static void AddMaterials( Builder* b )
{
	for ( uint32_t i = 0; i < b->mesh->materialCount; ++i )
	{
		cgltf_material* material = b->data.materials + i;
		material->name = Escape( b, b->mesh->materials[i].name );
		material->has_pbr_metallic_roughness = true;
		memcpy( material->pbr_metallic_roughness.base_color_factor, b->mesh->materials[i].baseColor,
			4 * sizeof( float ) );
		material->pbr_metallic_roughness.roughness_factor = 0.8f;
		material->alpha_mode =
			b->mesh->materials[i].baseColor[3] < 1.0f ? cgltf_alpha_mode_blend : cgltf_alpha_mode_opaque;
	}
	b->data.materials_count = b->mesh->materialCount;
}

static bool AddPrimitives( Builder* b, cgltf_mesh* mesh, const Run* runs, size_t count )
{
	GEL_ASSERT( count > 0 );
	mesh->primitives = calloc( count, sizeof( cgltf_primitive ) );
	if ( mesh->primitives == NULL ) return false;
	mesh->primitives_count = count;
	for ( size_t i = 0; i < count; ++i )
	{
		cgltf_primitive* primitive = mesh->primitives + i;
		primitive->type = cgltf_primitive_type_triangles;
		primitive->attributes = b->attributes;
		primitive->attributes_count = b->attributeCount;
		primitive->indices =
			AddAccessor( b, cgltf_type_scalar, cgltf_component_type_r_32u, 3 * (size_t)runs[i].count );
		if ( runs[i].material != GEL_NO_INDEX ) primitive->material = b->data.materials + runs[i].material;
	}
	return true;
}

static bool AddNodes( Builder* b )
{
	cgltf_data* data = &b->data;
	data->scenes->nodes = calloc( b->nodeCount, sizeof( cgltf_node* ) );
	if ( data->scenes->nodes == NULL ) return false;
	for ( size_t i = 0, end; i < b->runCount; i = end )
	{
		for ( end = i; end < b->runCount && b->runs[end].group == b->runs[i].group; )
			++end;
		cgltf_node* node = data->nodes + data->nodes_count;
		node->mesh = data->meshes + data->meshes_count++;
		data->scenes->nodes[data->nodes_count++] = node;
		if ( b->runs[i].group != GEL_NO_INDEX )
		{
			node->name = Escape( b, b->mesh->groups[b->runs[i].group].name );
			node->extras.data = b->mesh->groups[b->runs[i].group].extras;
		}
		if ( !AddPrimitives( b, node->mesh, b->runs + i, end - i ) ) return false;
	}
	data->scenes->nodes_count = data->nodes_count;
	data->scenes_count = 1;
	data->scene = data->scenes;
	return true;
}

// Attributes in the order of their views, then all indices: the runs cover the triangles in order.
static bool FillBin( Builder* b )
{
	const gelMesh* mesh = b->mesh;
	b->bin = malloc( b->binBytes );
	if ( b->bin == NULL ) return false;
	const float* arrays[STANDARD_ATTRIBUTES] = { mesh->positions, mesh->normals, mesh->uvs, mesh->colors };
	static const size_t components[STANDARD_ATTRIBUTES] = { 3, 3, 2, 4 };
	uint8_t* p = b->bin;
	for ( size_t i = 0; i < STANDARD_ATTRIBUTES + mesh->attributeCount; ++i )
	{
		bool standard = i < STANDARD_ATTRIBUTES;
		const float* values = standard ? arrays[i] : mesh->attributes[i - STANDARD_ATTRIBUTES].values;
		size_t width = standard ? components[i] : mesh->attributes[i - STANDARD_ATTRIBUTES].components;
		if ( values == NULL ) continue;
		memcpy( p, values, width * mesh->vertexCount * sizeof( float ) );
		p += width * mesh->vertexCount * sizeof( float );
	}
	memcpy( p, mesh->indices, 3 * (size_t)mesh->triangleCount * sizeof( uint32_t ) );
	return true;
}

// The JSON chunk, which ends with a zero byte that is not counted. NULL: out of memory.
static char* FormatJson( Builder* b, size_t* outBytes )
{
	cgltf_options options = { .type = cgltf_file_type_glb };
	size_t capacity = cgltf_write( &options, NULL, 0, &b->data );
	char* json = malloc( capacity );
	if ( json == NULL ) return NULL;
	cgltf_write( &options, json, capacity, &b->data );
	*outBytes = capacity - 1;
	return json;
}

static void FreeBuilder( Builder* b )
{
	for ( size_t i = 0; i < b->nameCount; ++i )
		free( b->names[i] );
	free( b->names );
	for ( size_t i = 0; b->data.meshes != NULL && i < b->data.meshes_count; ++i )
		free( b->data.meshes[i].primitives );
	if ( b->data.scenes != NULL ) free( b->data.scenes->nodes );
	free( b->data.scenes );
	free( b->data.meshes );
	free( b->data.nodes );
	free( b->data.materials );
	free( b->data.accessors );
	free( b->data.buffer_views );
	free( b->data.buffers );
	free( b->attributes );
	free( b->runs );
	free( b->bin );
}

static bool Build( Builder* b )
{
	FindRuns( b );
	if ( b->failed || !Allocate( b ) ) return false;
	static char version[] = "2.0", generator[] = "gelpack";
	b->data.asset.version = version;
	b->data.asset.generator = generator;
	AddAttributes( b );
	AddMaterials( b );
	if ( !AddNodes( b ) || !FillBin( b ) ) return false;
	b->data.buffers->size = b->binBytes;
	b->data.buffers_count = 1;
	return !b->failed;
}

bool gelExportGlb( const gelMesh* mesh, const char* path, gelFindings* findings )
{
	if ( mesh->triangleCount == 0 || mesh->vertexCount == 0 )
	{
		gelFindings_Add( findings, gel_findingNoTriangles, path, "there are no triangles to write" );
		return false;
	}
	Builder builder = { .mesh = mesh };
	size_t bytes = 0;
	char* json = Build( &builder ) ? FormatJson( &builder, &bytes ) : NULL;
	bool ok = false;
	if ( json == NULL )
		gelFindings_Add( findings, gel_findingNoMemory, path, "out of memory while writing the mesh" );
	else if ( gelCountGlbBytes( bytes, builder.binBytes ) > 0xFFFFFFFFu )
		gelFindings_Add( findings, gel_findingMeshTooLarge, path,
			"the mesh is too large for a GLB file; write an OBJ file" );
	else
		ok = gelWriteGlb( path, json, bytes, builder.bin, builder.binBytes, findings );
	FreeBuilder( &builder );
	free( json );
	return ok;
}
