// SPDX-License-Identifier: MIT
// FBX by ufbx, which parses, bounds its memory, and says where everything is: in metres, y up, skins and
// blend shapes at rest or in the pose of an animation. Builds without ufbx (no GEL_HAS_UFBX) name the file
// and say what to do.
#include "common/import/import_internal.h"

#ifdef GEL_HAS_UFBX

#include "common/program/clean_text.h"

#include <gelpack/asserts.h>

#include <ufbx.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Memory of the library, as of arrays that are packed by zlib and may unfold by a factor of 1000.
#define MEMORY_BASE     ( (size_t)256 << 20 )
#define MEMORY_PER_BYTE 100u
// Vertices and triangles that a file of that size may unfold to through instances.
#define MAX_UNFOLDED( bytes ) ( (uint64_t)1000000u + 16u * (uint64_t)( bytes ) )

// A corner as its vertex will be: equal ones are joined.
typedef struct Vertex
{
	float position[3], normal[3], uv[2], color[4];
} Vertex;

typedef struct Reader
{
	gelImporter* importer;
	const ufbx_scene* scene;
	bool hasNormals, hasUvs, hasColors;
	uint64_t triangleCount; // sum over the nodes
	size_t vertexCapacity[4];
	size_t sourceCapacity;
	uint32_t deformedMeshes;
} Reader;

static bool RefuseNode( Reader* reader, const ufbx_node* node, int number, const char* problem )
{
	char name[64];
	snprintf( name, sizeof name, "%.60s", node->name.data );
	gelFindings_Add( reader->importer->findings, number, reader->importer->path, "node %u \"%s\": %s",
		node->typed_id, name, problem );
	return false;
}

// ---- vertices ---------------------------------------------------------------------------------------------

static void StoreFloats( float* out, const double* from, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
		out[i] = isfinite( from[i] ) ? (float)from[i] : 0.0f;
}

static bool FillVertex(
	Reader* reader, const ufbx_node* node, const ufbx_matrix* normals, uint32_t corner, Vertex* out )
{
	const ufbx_mesh* mesh = node->mesh;
	memset( out, 0, sizeof *out );
	ufbx_vec3 p = ufbx_get_vertex_vec3( &mesh->skinned_position, corner );
	if ( mesh->skinned_is_local ) p = ufbx_transform_position( &node->geometry_to_world, p );
	for ( size_t k = 0; k < 3; ++k )
	{
		out->position[k] = (float)p.v[k];
		if ( !isfinite( out->position[k] ) )
			return RefuseNode( reader, node, gel_findingValueNotFinite,
				"a position is not finite, or its transform makes it so; reset it in the modeller" );
	}
	if ( mesh->skinned_normal.exists )
	{
		ufbx_vec3 n = ufbx_get_vertex_vec3( &mesh->skinned_normal, corner );
		if ( mesh->skinned_is_local ) n = ufbx_transform_direction( normals, n );
		double length = sqrt( n.x * n.x + n.y * n.y + n.z * n.z );
		for ( size_t k = 0; k < 3 && length > 0.0 && isfinite( length ); ++k )
			out->normal[k] = (float)( n.v[k] / length );
	}
	if ( mesh->vertex_uv.exists )
		StoreFloats( out->uv, ufbx_get_vertex_vec2( &mesh->vertex_uv, corner ).v, 2 );
	const ufbx_vec4 white = { .v = { 1.0, 1.0, 1.0, 1.0 } };
	ufbx_vec4 color = mesh->vertex_color.exists ? ufbx_get_vertex_vec4( &mesh->vertex_color, corner ) : white;
	StoreFloats( out->color, color.v, 4 );
	return true;
}

static bool GrowArray( float** array, size_t* capacity, size_t count )
{
	return GEL_GROW( *array, *capacity, count + 1 );
}

static bool AppendVertices( Reader* reader, const Vertex* vertices, size_t count )
{
	gelMesh* mesh = reader->importer->mesh;
	size_t first = mesh->vertexCount, end = first + count;
	if ( !GrowArray( &mesh->positions, reader->vertexCapacity, 3 * end ) ||
		( reader->hasNormals && !GrowArray( &mesh->normals, reader->vertexCapacity + 1, 3 * end ) ) ||
		( reader->hasUvs && !GrowArray( &mesh->uvs, reader->vertexCapacity + 2, 2 * end ) ) ||
		( reader->hasColors && !GrowArray( &mesh->colors, reader->vertexCapacity + 3, 4 * end ) ) ||
		!GEL_GROW( mesh->vertToSource, reader->sourceCapacity, end + 1 ) )
		return gelImporter_OutOfMemory( reader->importer );
	for ( size_t i = 0; i < count; ++i )
	{
		const Vertex* from = vertices + i;
		size_t at = first + i;
		memcpy( mesh->positions + 3 * at, from->position, sizeof from->position );
		if ( reader->hasNormals ) memcpy( mesh->normals + 3 * at, from->normal, sizeof from->normal );
		if ( reader->hasUvs ) memcpy( mesh->uvs + 2 * at, from->uv, sizeof from->uv );
		if ( reader->hasColors ) memcpy( mesh->colors + 4 * at, from->color, sizeof from->color );
		mesh->vertToSource[at] = (uint32_t)at;
	}
	mesh->vertexCount = mesh->sourceVertexCount = (uint32_t)end;
	return true;
}

// ---- triangles --------------------------------------------------------------------------------------------

static uint32_t FindMaterial( const ufbx_node* node, size_t face )
{
	const ufbx_mesh* mesh = node->mesh;
	uint32_t slot = face < mesh->face_material.count ? mesh->face_material.data[face] : 0;
	const ufbx_material_list* list = node->materials.count > 0 ? &node->materials : &mesh->materials;
	return slot < list->count && list->data[slot] != NULL ? list->data[slot]->typed_id : GEL_NO_INDEX;
}

// Corners of all triangles of a node, as vertices that are joined afterwards.
static bool FillCorners(
	Reader* reader, const ufbx_node* node, uint32_t* scratch, Vertex* corners, size_t* outCount )
{
	const ufbx_mesh* mesh = node->mesh;
	gelMesh* out = reader->importer->mesh;
	const ufbx_matrix normals = ufbx_matrix_for_normals( &node->geometry_to_world );
	const bool isMirrored = ufbx_matrix_determinant( &node->geometry_to_world ) < 0.0;
	size_t count = 0;
	for ( size_t f = 0; f < mesh->faces.count; ++f )
	{
		const ufbx_face face = mesh->faces.data[f];
		if ( face.num_indices < 3 || ( f < mesh->face_hole.count && mesh->face_hole.data[f] ) ) continue;
		uint32_t made = ufbx_triangulate_face( scratch, 3 * mesh->max_face_triangles, mesh, face );
		for ( uint32_t i = 0; i < 3 * made; ++i )
		{
			uint32_t k = i % 3, from = i - k + ( isMirrored && k > 0 ? 3 - k : k );
			if ( !FillVertex( reader, node, &normals, scratch[from], corners + count++ ) ) return false;
		}
		for ( uint32_t i = 0; i < made; ++i )
			out->triMaterial[out->triangleCount + ( count / 3 - made ) + i] = FindMaterial( node, f );
	}
	*outCount = count;
	return true;
}

static bool JoinCorners( Reader* reader, const ufbx_node* node, Vertex* corners, size_t count )
{
	gelMesh* mesh = reader->importer->mesh;
	uint32_t* indices = mesh->indices + 3 * (size_t)mesh->triangleCount;
	const ufbx_vertex_stream stream = { corners, count, sizeof( Vertex ) };
	ufbx_error error;
	size_t joined = count > 0 ? ufbx_generate_indices( &stream, 1, indices, count, NULL, &error ) : 0;
	if ( count > 0 && joined == 0 ) return gelImporter_OutOfMemory( reader->importer );
	for ( size_t i = 0; i < count; ++i )
		indices[i] += mesh->vertexCount;
	if ( mesh->vertexCount + joined > GEL_MESH_MAX_VERTICES )
		return RefuseNode(
			reader, node, gel_findingMeshTooLarge, "there are more vertices than can be used" );
	mesh->triangleCount += (uint32_t)( count / 3 );
	return AppendVertices( reader, corners, joined );
}

static bool MakeParents( const ufbx_node* node, gelMeshGroup* group )
{
	size_t length = 0, room = node->mesh->name.length + 2;
	for ( const ufbx_node* at = node; at != NULL; at = at->parent )
	{
		room += at->name.length + 1;
		group->isHidden |= !at->visible;
	}
	group->parents = malloc( room );
	if ( group->parents == NULL ) return false;
	length = (size_t)snprintf( group->parents, room, "%s\n", node->mesh->name.data );
	for ( const ufbx_node* at = node->parent; at != NULL; at = at->parent )
		length += (size_t)snprintf( group->parents + length, room - length, "%s\n", at->name.data );
	return true;
}

static bool OpenGroup( Reader* reader, const ufbx_node* node )
{
	gelMesh* mesh = reader->importer->mesh;
	gelMeshGroup* group = mesh->groups + mesh->groupCount;
	char fallback[32];
	snprintf( fallback, sizeof fallback, "node %u", node->typed_id );
	*group = ( gelMeshGroup ){ .firstTriangle = mesh->triangleCount };
	group->name = gelCleanText( node->name.length > 0 ? node->name.data : fallback );
	++mesh->groupCount;
	if ( group->name == NULL || !MakeParents( node, group ) )
		return gelImporter_OutOfMemory( reader->importer );
	return true;
}

static bool AddNode( Reader* reader, const ufbx_node* node )
{
	const ufbx_mesh* mesh = node->mesh;
	gelMesh* out = reader->importer->mesh;
	if ( !OpenGroup( reader, node ) ) return false;
	Vertex* corners = malloc( ( 3 * mesh->num_triangles + 1 ) * sizeof( Vertex ) );
	uint32_t* scratch = malloc( ( 3 * mesh->max_face_triangles + 1 ) * sizeof( uint32_t ) );
	size_t count = 0;
	bool ok = corners != NULL && scratch != NULL;
	if ( !ok ) gelImporter_OutOfMemory( reader->importer );
	uint32_t before = out->triangleCount;
	ok = ok && FillCorners( reader, node, scratch, corners, &count ) &&
		JoinCorners( reader, node, corners, count );
	out->groups[out->groupCount - 1].triangleCount = out->triangleCount - before;
	reader->deformedMeshes += mesh->all_deformers.count > 0;
	free( corners );
	free( scratch );
	return ok;
}

// ---- the scene --------------------------------------------------------------------------------------------

static bool MakeMaterials( Reader* reader )
{
	gelMesh* mesh = reader->importer->mesh;
	size_t count = reader->scene->materials.count;
	mesh->materials = calloc( count + 1, sizeof( gelMeshMaterial ) );
	if ( mesh->materials == NULL ) return gelImporter_OutOfMemory( reader->importer );
	for ( size_t i = 0; i < count; ++i )
	{
		const ufbx_material* from = reader->scene->materials.data[i];
		gelMeshMaterial* to = mesh->materials + i;
		const ufbx_material_map* color = &from->pbr.base_color;
		// A picture takes the place of the color.
		const bool hasColor = color->has_value && color->texture == NULL;
		for ( size_t k = 0; k < 3; ++k )
		{
			double value = hasColor ? color->value_vec4.v[k] : 1.0;
			to->baseColor[k] = value >= 0.0 && value <= 1.0 ? (float)value : 1.0f;
		}
		to->baseColor[3] = 1.0f;
		to->name = gelCleanText( from->name.data );
		if ( color->texture != NULL && color->texture->relative_filename.length > 0 )
		{
			to->picture = strdup( color->texture->relative_filename.data );
			for ( char* c = to->picture; c != NULL && *c != 0; ++c )
				if ( *c == '\\' ) *c = '/';
		}
		++mesh->materialCount;
		if ( to->name == NULL ) return gelImporter_OutOfMemory( reader->importer );
	}
	return true;
}

// What all nodes need together. False: it is more than can be used.
static bool Count( Reader* reader )
{
	gelMesh* mesh = reader->importer->mesh;
	size_t groups = 0;
	for ( size_t i = 0; i < reader->scene->nodes.count; ++i )
	{
		const ufbx_node* node = reader->scene->nodes.data[i];
		if ( node->mesh == NULL || node->mesh->num_triangles == 0 ) continue;
		++groups;
		reader->triangleCount += node->mesh->num_triangles;
		reader->hasNormals |= node->mesh->skinned_normal.exists;
		reader->hasUvs |= node->mesh->vertex_uv.exists;
		reader->hasColors |= node->mesh->vertex_color.exists;
		if ( reader->triangleCount > GEL_MESH_MAX_TRIANGLES ||
			reader->triangleCount > MAX_UNFOLDED( reader->importer->bytesRead ) )
			return RefuseNode( reader, node, gel_findingMeshTooLarge,
				"with this the file unfolds to more triangles than can be used; decimate the model" );
	}
	mesh->indices = malloc( ( 3 * (size_t)reader->triangleCount + 1 ) * sizeof( uint32_t ) );
	mesh->triMaterial = malloc( ( (size_t)reader->triangleCount + 1 ) * sizeof( uint32_t ) );
	mesh->groups = calloc( groups + 1, sizeof( gelMeshGroup ) );
	return ( mesh->indices != NULL && mesh->triMaterial != NULL && mesh->groups != NULL ) ||
		gelImporter_OutOfMemory( reader->importer );
}

static bool ReadScene( Reader* reader )
{
	if ( !Count( reader ) || !MakeMaterials( reader ) ) return false;
	for ( size_t i = 0; i < reader->scene->nodes.count; ++i )
	{
		const ufbx_node* node = reader->scene->nodes.data[i];
		if ( node->mesh != NULL && node->mesh->num_triangles > 0 && !AddNode( reader, node ) ) return false;
	}
	if ( reader->deformedMeshes > 0 )
		gelFindings_Add( reader->importer->findings, gel_findingSkinsAtRest, reader->importer->path,
			"%u skinned or morphed meshes were taken in %s", reader->deformedMeshes,
			reader->importer->options.animation != NULL ? "the pose of the animation" : "their rest pose" );
	return true;
}

static bool RefuseFile( gelImporter* importer, const ufbx_error* error )
{
	switch ( error->type )
	{
		case UFBX_ERROR_OUT_OF_MEMORY:
			return gelImporter_OutOfMemory( importer );
		case UFBX_ERROR_MEMORY_LIMIT:
		case UFBX_ERROR_ALLOCATION_LIMIT:
			gelFindings_Add( importer->findings, gel_findingMeshTooLarge, importer->path,
				"the file asks for more memory than its size can justify; export it again" );
			return false;
		default:
			gelFindings_Add( importer->findings, gel_findingFbxUnreadable, importer->path,
				"%.100s%s%.100s; export it again, or as glTF (GLB)", error->description.data,
				error->info_length > 0 ? ": " : "", error->info );
			return false;
	}
}

static const ufbx_anim* FindAnimation( gelImporter* importer, const ufbx_scene* scene )
{
	const char* name = importer->options.animation;
	const ufbx_anim_stack* stack = ufbx_find_anim_stack( scene, name );
	char* end;
	unsigned long number = strtoul( name, &end, 10 );
	if ( stack == NULL && name[0] >= '0' && name[0] <= '9' && *end == 0 && number < scene->anim_stacks.count )
		stack = scene->anim_stacks.data[number];
	if ( stack != NULL ) return stack->anim;
	gelFindings_Add( importer->findings, gel_findingAnimationMissing, importer->path,
		"there is no animation \"%.60s\"; the file has %zu (first: \"%.60s\")", name,
		scene->anim_stacks.count, scene->anim_stacks.count > 0 ? scene->anim_stacks.data[0]->name.data : "" );
	return NULL;
}

static bool ReadPose( gelImporter* importer, const ufbx_scene* scene )
{
	Reader reader = { .importer = importer, .scene = scene };
	if ( importer->options.animation == NULL ) return ReadScene( &reader );
	const ufbx_anim* anim = FindAnimation( importer, scene );
	if ( anim == NULL ) return false;
	ufbx_error error;
	const ufbx_evaluate_opts options = { .evaluate_skinning = true };
	ufbx_scene* posed = ufbx_evaluate_scene( scene, anim, importer->options.time, &options, &error );
	if ( posed == NULL ) return RefuseFile( importer, &error );
	reader.scene = posed;
	bool ok = ReadScene( &reader );
	ufbx_free_scene( posed );
	return ok;
}

bool gelImportFbx( gelImporter* importer, const uint8_t* data, size_t bytes )
{
	const size_t most = MEMORY_BASE + MEMORY_PER_BYTE * bytes;
	const ufbx_load_opts options = {
		.temp_allocator = { .memory_limit = most },
		.result_allocator = { .memory_limit = most },
		.ignore_animation = importer->options.animation == NULL,
		.ignore_embedded = true,
		.evaluate_skinning = true,
		.index_error_handling = UFBX_INDEX_ERROR_HANDLING_ABORT_LOADING,
		.node_depth_limit = 512,
		.target_axes = ufbx_axes_right_handed_y_up,
		.target_unit_meters = 1.0,
		.file_format = UFBX_FILE_FORMAT_FBX,
	};
	ufbx_error error;
	ufbx_scene* scene = ufbx_load_memory( data, bytes, &options, &error );
	if ( scene == NULL ) return RefuseFile( importer, &error );
	bool ok = ReadPose( importer, scene );
	ufbx_free_scene( scene );
	return ok;
}

#else

bool gelImportFbx( gelImporter* importer, const uint8_t* data, size_t bytes )
{
	return gelRefuseForeignFile( importer, data, bytes );
}

#endif
