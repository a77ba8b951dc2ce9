// SPDX-License-Identifier: MIT
#include "common/import/gltf_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROTATION_TOLERANCE 1e-3 // far more than what an exporter's rounding does

typedef struct Walker
{
	gelImporter* importer;
	cgltf_data* data;
	gelGltfScene* scene;
	bool* visited; // per node: several scenes may share it
} Walker;

static const gelGltfTransform s_identity = {
	{ { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } },
	{ 0.0, 0.0, 0.0 },
	true,
};

// Always false, so that a refusal is one line.
static bool AddAtPlace( Walker* walker, const gelGltfPlace* place, int number, const char* problem )
{
	char text[256];
	gelFindings_Add( walker->importer->findings, number, walker->importer->path, "%s: %s",
		gelGltfPlace_Text( place, text, sizeof text ), problem );
	return false;
}

// Unit quaternion (x, y, z, w) to a matrix; glTF 2.0, section 3.5.3: T * R * S. Another length would scale
// and shear the body.
static void LocalFromParts( const cgltf_node* node, double length, gelGltfTransform* out )
{
	double x = node->rotation[0] / length, y = node->rotation[1] / length;
	double z = node->rotation[2] / length, w = node->rotation[3] / length;
	const double r[3][3] = {
		{ 1.0 - 2.0 * ( y * y + z * z ), 2.0 * ( x * y + z * w ), 2.0 * ( x * z - y * w ) },
		{ 2.0 * ( x * y - z * w ), 1.0 - 2.0 * ( x * x + z * z ), 2.0 * ( y * z + x * w ) },
		{ 2.0 * ( x * z + y * w ), 2.0 * ( y * z - x * w ), 1.0 - 2.0 * ( x * x + y * y ) },
	};
	for ( int c = 0; c < 3; ++c )
	{
		for ( int d = 0; d < 3; ++d )
			out->columns[c][d] = r[c][d] * node->scale[c];
		out->translation[c] = node->translation[c];
	}
}

static double RotationLength( const cgltf_node* node )
{
	double sum = 0.0;
	for ( int k = 0; k < 4; ++k )
		sum += (double)node->rotation[k] * (double)node->rotation[k];
	return sqrt( sum );
}

static bool LocalTransform( Walker* walker, const cgltf_node* node, gelGltfTransform* out )
{
	*out = ( gelGltfTransform ){ 0 };
	if ( !node->has_matrix )
	{
		// absent parts have their defaults in cgltf's node; what is not finite is refused with the mesh
		gelGltfPlace place = { walker->data, node - walker->data->nodes, -1, -1 };
		double length = RotationLength( node );
		if ( length == 0.0 )
			return AddAtPlace( walker, &place, gel_findingRotationZero,
				"its rotation is zero, which is no direction; reset it in the modeller" );
		if ( fabs( length - 1.0 ) > ROTATION_TOLERANCE )
			AddAtPlace( walker, &place, gel_findingGltfRuleBroken,
				"its rotation is no unit quaternion; only its direction was used" );
		LocalFromParts( node, length, out );
		return true;
	}
	for ( int c = 0; c < 3; ++c )
	{
		for ( int d = 0; d < 3; ++d )
			out->columns[c][d] = node->matrix[4 * c + d];
		out->translation[c] = node->matrix[12 + c];
	}
	return true;
}

static gelGltfTransform Combine( const gelGltfTransform* parent, const gelGltfTransform* local )
{
	gelGltfTransform world = { 0 };
	for ( int d = 0; d < 3; ++d )
	{
		for ( int c = 0; c < 3; ++c )
			world.columns[c][d] = parent->columns[0][d] * local->columns[c][0] +
				parent->columns[1][d] * local->columns[c][1] + parent->columns[2][d] * local->columns[c][2];
		world.translation[d] = parent->columns[0][d] * local->translation[0] +
			parent->columns[1][d] * local->translation[1] + parent->columns[2][d] * local->translation[2] +
			parent->translation[d];
	}
	world.identity = true;
	for ( int c = 0; c < 3; ++c )
	{
		world.identity &= world.translation[c] == 0.0;
		for ( int d = 0; d < 3; ++d )
			world.identity &= world.columns[c][d] == ( c == d ? 1.0 : 0.0 );
	}
	return world;
}

static bool IsFinite( const gelGltfTransform* transform )
{
	for ( int c = 0; c < 3; ++c )
	{
		if ( !isfinite( transform->translation[c] ) ) return false;
		for ( int d = 0; d < 3; ++d )
			if ( !isfinite( transform->columns[c][d] ) ) return false;
	}
	return true;
}

static bool SameTransform( const gelGltfTransform* a, const gelGltfTransform* b )
{
	return memcmp( a->columns, b->columns, sizeof a->columns ) == 0 &&
		memcmp( a->translation, b->translation, sizeof a->translation ) == 0;
}

// Attribute by attribute the same accessors: one set of vertices, as exporters write for several materials.
static bool SameAttributes( const cgltf_primitive* a, const cgltf_primitive* b )
{
	if ( a->attributes_count != b->attributes_count ) return false;
	for ( size_t i = 0; i < a->attributes_count; ++i )
		if ( a->attributes[i].data != b->attributes[i].data ||
			strcmp( a->attributes[i].name, b->attributes[i].name ) != 0 )
			return false;
	return true;
}

static bool CheckAccessor( Walker* walker, const gelGltfPlace* place, const char* role,
	const cgltf_accessor* accessor, size_t wantedCount )
{
	if ( !gelLoadAccessorBuffers( walker->importer, walker->data, accessor ) ) return false;
	const char* fault = gelFindAccessorFault( accessor );
	if ( fault == NULL && wantedCount != 0 && accessor->count != wantedCount )
		fault = "has a count that differs from that of the positions";
	if ( fault == NULL ) return true;
	char text[256];
	gelFindings_Add( walker->importer->findings, gel_findingAccessorUnreadable, walker->importer->path,
		"%s: accessor %zu (%.40s) %s; export the file again", gelGltfPlace_Text( place, text, sizeof text ),
		(size_t)( accessor - walker->data->accessors ), role, fault );
	return false;
}

// Whether an attribute is read by import_gltf.c.
static bool IsUsed( const cgltf_attribute* attribute )
{
	if ( attribute->name == NULL ) return false;
	return attribute->name[0] == '_' || strcmp( attribute->name, "POSITION" ) == 0 ||
		strcmp( attribute->name, "NORMAL" ) == 0 || strcmp( attribute->name, "TEXCOORD_0" ) == 0 ||
		strcmp( attribute->name, "COLOR_0" ) == 0;
}

static bool CheckPrimitive( Walker* walker, const gelGltfPlace* place, const cgltf_primitive* primitive )
{
	const cgltf_accessor* positions = NULL;
	for ( size_t i = 0; i < primitive->attributes_count; ++i )
	{
		const cgltf_attribute* attribute = primitive->attributes + i;
		if ( attribute->name != NULL && strcmp( attribute->name, "POSITION" ) == 0 )
			positions = attribute->data;
	}
	if ( positions == NULL )
		return AddAtPlace(
			walker, place, gel_findingPrimitiveUnreadable, "it has no POSITION; export the file again" );
	if ( primitive->has_draco_mesh_compression && positions->buffer_view == NULL )
		return AddAtPlace( walker, place, gel_findingGltfCompressed,
			"it is compressed (KHR_draco_mesh_compression), which is not read here; export it without "
			"compression" );
	if ( positions->type != cgltf_type_vec3 || positions->component_type == cgltf_component_type_r_32u )
		return AddAtPlace( walker, place, gel_findingPrimitiveUnreadable,
			"POSITION is not a vector of three floats or small integers" );
	for ( size_t i = 0; i < primitive->attributes_count; ++i )
	{
		const cgltf_attribute* attribute = primitive->attributes + i;
		if ( !IsUsed( attribute ) ) continue;
		if ( !CheckAccessor( walker, place, attribute->name, attribute->data, positions->count ) )
			return false;
	}
	const cgltf_accessor* indices = primitive->indices;
	if ( indices == NULL ) return true;
	if ( indices->type != cgltf_type_scalar ||
		( indices->component_type != cgltf_component_type_r_8u &&
			indices->component_type != cgltf_component_type_r_16u &&
			indices->component_type != cgltf_component_type_r_32u ) )
		return AddAtPlace(
			walker, place, gel_findingPrimitiveUnreadable, "the indices are not unsigned integers" );
	return CheckAccessor( walker, place, "indices", indices, 0 );
}

static size_t PositionCount( const cgltf_primitive* primitive )
{
	for ( size_t i = 0; i < primitive->attributes_count; ++i )
		if ( primitive->attributes[i].name != NULL &&
			strcmp( primitive->attributes[i].name, "POSITION" ) == 0 )
			return primitive->attributes[i].data->count;
	return 0;
}

static uint32_t CountTriangles( Walker* walker, const gelGltfPlace* place, const cgltf_primitive* primitive )
{
	size_t corners = primitive->indices != NULL ? primitive->indices->count : PositionCount( primitive );
	if ( primitive->type != cgltf_primitive_type_triangles ) return corners < 3 ? 0 : (uint32_t)corners - 2;
	if ( corners % 3 != 0 )
		AddAtPlace( walker, place, gel_findingTrianglesIncomplete,
			"its corners do not make whole triangles; the rest was left out" );
	return (uint32_t)( corners / 3 );
}

static bool AddLine(
	Walker* walker, const gelGltfPlace* place, const cgltf_primitive* primitive, uint32_t transform )
{
	gelGltfScene* scene = walker->scene;
	if ( !CheckPrimitive( walker, place, primitive ) ) return false;
	if ( !gelGrow(
			 (void**)&scene->lines, &scene->lineCapacity, scene->lineCount + 1, sizeof( gelGltfInstance ) ) )
		return gelImporter_OutOfMemory( walker->importer );
	gelGltfInstance* line = scene->lines + scene->lineCount++;
	*line = ( gelGltfInstance ){ .primitive = primitive, .place = *place, .transform = transform };
	line->vertexCount = (uint32_t)PositionCount( primitive );
	line->triangleCount = gelCountGltfSegments(
		primitive->type, primitive->indices != NULL ? primitive->indices->count : line->vertexCount );
	scene->segmentCount += line->triangleCount;
	uint64_t most = GEL_GLTF_MAX_UNFOLDED( walker->importer->bytesRead );
	if ( scene->segmentCount > GEL_MESH_MAX_TRIANGLES || scene->segmentCount > most )
		return AddAtPlace( walker, place, gel_findingMeshTooLarge,
			"with this the file unfolds to more lines than can be used; simplify them" );
	return true;
}

static bool AddInstance(
	Walker* walker, const gelGltfPlace* place, const cgltf_primitive* primitive, uint32_t transform )
{
	gelGltfScene* scene = walker->scene;
	bool triangles = primitive->type == cgltf_primitive_type_triangles ||
		primitive->type == cgltf_primitive_type_triangle_strip ||
		primitive->type == cgltf_primitive_type_triangle_fan;
	if ( gelIsGltfLine( primitive->type ) ) return AddLine( walker, place, primitive, transform );
	if ( !triangles )
	{
		++scene->skippedPrimitives;
		return true;
	}
	if ( !CheckPrimitive( walker, place, primitive ) ) return false;
	if ( !gelGrow( (void**)&scene->instances, &scene->instanceCapacity, scene->instanceCount + 1,
			 sizeof( gelGltfInstance ) ) )
		return gelImporter_OutOfMemory( walker->importer );
	gelGltfInstance* instance = scene->instances + scene->instanceCount;
	*instance = ( gelGltfInstance ){ .primitive = primitive, .place = *place, .transform = transform };
	instance->vertexCount = (uint32_t)PositionCount( primitive );
	instance->triangleCount = CountTriangles( walker, place, primitive );
	instance->firstVertex = (uint32_t)scene->vertexCount;
	const gelGltfInstance* before = scene->instanceCount > 0 ? instance - 1 : NULL;
	instance->sharesVertices = before != NULL && SameAttributes( before->primitive, primitive ) &&
		SameTransform( scene->transforms + before->transform, scene->transforms + transform );
	if ( instance->sharesVertices )
		instance->firstVertex = before->firstVertex;
	else
		scene->vertexCount += instance->vertexCount;
	scene->triangleCount += instance->triangleCount;
	++scene->instanceCount;
	uint64_t most = GEL_GLTF_MAX_UNFOLDED( walker->importer->bytesRead );
	if ( scene->vertexCount > GEL_MESH_MAX_VERTICES || scene->triangleCount > GEL_MESH_MAX_TRIANGLES ||
		scene->vertexCount > most || scene->triangleCount > most )
		return AddAtPlace( walker, place, gel_findingMeshTooLarge,
			"with this the file unfolds to more triangles or vertices than can be used; decimate the model" );
	return true;
}

static bool AddMesh( Walker* walker, int64_t node, const cgltf_mesh* mesh, const gelGltfTransform* world )
{
	gelGltfScene* scene = walker->scene;
	gelGltfPlace place = { walker->data, node, mesh - walker->data->meshes, -1 };
	if ( !IsFinite( world ) )
		return AddAtPlace( walker, &place, gel_findingValueNotFinite,
			"its transform is not finite; reset it in the modeller" );
	if ( !gelGrow( (void**)&scene->transforms, &scene->transformCapacity, scene->transformCount + 1,
			 sizeof( gelGltfTransform ) ) )
		return gelImporter_OutOfMemory( walker->importer );
	scene->transforms[scene->transformCount] = *world;
	uint32_t transform = (uint32_t)scene->transformCount++;
	bool morphed = false;
	for ( size_t i = 0; i < mesh->primitives_count; ++i )
	{
		place.primitive = (int64_t)i;
		morphed |= mesh->primitives[i].targets_count > 0;
		if ( !AddInstance( walker, &place, mesh->primitives + i, transform ) ) return false;
	}
	scene->morphedMeshes += morphed;
	return true;
}

static bool AddPoint( Walker* walker, size_t node, const gelGltfTransform* world )
{
	gelGltfScene* scene = walker->scene;
	if ( !gelGrow(
			 (void**)&scene->points, &scene->pointCapacity, scene->pointCount + 1, sizeof( gelGltfPoint ) ) )
		return gelImporter_OutOfMemory( walker->importer );
	scene->points[scene->pointCount++] = ( gelGltfPoint ){ node, *world };
	return true;
}

// Depth is bounded by gelCheckGltfNodes.
static bool WalkNode( Walker* walker, const cgltf_node* node, const gelGltfTransform* parent )
{
	size_t index = (size_t)( node - walker->data->nodes );
	if ( walker->visited[index] ) return true;
	walker->visited[index] = true;
	gelGltfTransform local;
	if ( !LocalTransform( walker, node, &local ) ) return false;
	gelGltfTransform world = Combine( parent, &local );
	walker->scene->skinnedNodes += node->skin != NULL && node->mesh != NULL;
	walker->scene->instancedNodes += node->has_mesh_gpu_instancing;
	if ( node->mesh != NULL && !AddMesh( walker, (int64_t)index, node->mesh, &world ) ) return false;
	if ( gelIsGltfPoint( node ) && !AddPoint( walker, index, &world ) ) return false;
	for ( size_t i = 0; i < node->children_count; ++i )
		if ( !WalkNode( walker, node->children[i], &world ) ) return false;
	return true;
}

static bool WalkScene( Walker* walker, const cgltf_scene* scene )
{
	for ( size_t i = 0; i < scene->nodes_count; ++i )
		if ( !WalkNode( walker, scene->nodes[i], &s_identity ) ) return false;
	return true;
}

static bool WalkFile( Walker* walker )
{
	const cgltf_data* data = walker->data;
	if ( data->scene != NULL ) return WalkScene( walker, data->scene );
	for ( size_t i = 0; i < data->scenes_count; ++i )
		if ( !WalkScene( walker, data->scenes + i ) ) return false;
	if ( data->scenes_count > 0 ) return true;
	for ( size_t i = 0; i < data->nodes_count; ++i )
		if ( data->nodes[i].parent == NULL && !WalkNode( walker, data->nodes + i, &s_identity ) )
			return false;
	if ( data->nodes_count > 0 ) return true;
	for ( size_t i = 0; i < data->meshes_count; ++i )
		if ( !AddMesh( walker, -1, data->meshes + i, &s_identity ) ) return false;
	return true;
}

static void Summarise( const Walker* walker )
{
	gelFindings* findings = walker->importer->findings;
	const char* path = walker->importer->path;
	const gelGltfScene* scene = walker->scene;
	if ( scene->skippedPrimitives > 0 )
		gelFindings_Add( findings, gel_findingGltfPointsUnused, path, "%u primitives of points were left out",
			scene->skippedPrimitives );
	if ( scene->skinnedNodes > 0 )
		gelFindings_Add( findings, gel_findingSkinsUnused, path,
			"%u skinned meshes were taken in their rest pose", scene->skinnedNodes );
	if ( scene->morphedMeshes > 0 )
		gelFindings_Add( findings, gel_findingMorphsUnused, path,
			"%u meshes with morph targets were taken without them", scene->morphedMeshes );
	if ( scene->instancedNodes > 0 )
		gelFindings_Add( findings, gel_findingInstancesUnused, path,
			"%u nodes ask for GPU instances (EXT_mesh_gpu_instancing); each mesh was taken once",
			scene->instancedNodes );
}

bool gelCollectGltfScene( gelImporter* importer, cgltf_data* data, gelGltfScene* out )
{
	*out = ( gelGltfScene ){ 0 };
	Walker walker = { importer, data, out, calloc( data->nodes_count + 1, sizeof( bool ) ) };
	if ( walker.visited == NULL ) return gelImporter_OutOfMemory( importer );
	bool ok = WalkFile( &walker );
	if ( ok ) Summarise( &walker );
	free( walker.visited );
	return ok;
}

void gelFreeGltfScene( gelGltfScene* scene )
{
	free( scene->instances );
	free( scene->transforms );
	free( scene->lines );
	free( scene->points );
	*scene = ( gelGltfScene ){ 0 };
}
