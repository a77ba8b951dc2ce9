// SPDX-License-Identifier: MIT
#include "common/import/gltf_scene.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Walker
{
	gelImporter* importer;
	cgltf_data* data;
	gelGltfScene* scene;
	bool* visited; // per node: several scenes may share it
} Walker;

bool gelRefuseGltf( gelImporter* importer, const gelGltfPlace* place, int number, const char* problem )
{
	char text[256];
	gelFindings_Add( importer->findings, number, importer->path, "%s: %s",
		gelGltfPlace_Text( place, text, sizeof text ), problem );
	return false;
}

static bool AddAtPlace( Walker* walker, const gelGltfPlace* place, int number, const char* problem )
{
	return gelRefuseGltf( walker->importer, place, number, problem );
}

cgltf_accessor* gelFindGltfAttribute( const cgltf_primitive* primitive, const char* name )
{
	for ( size_t i = 0; i < primitive->attributes_count; ++i )
	{
		const cgltf_attribute* attribute = primitive->attributes + i;
		if ( attribute->name != NULL && strcmp( attribute->name, name ) == 0 ) return attribute->data;
	}
	return NULL;
}

const cgltf_accessor* gelFindGltfPositions( const cgltf_primitive* primitive )
{
	return gelFindGltfAttribute( primitive, "POSITION" );
}

static bool SameTransform( const gelGltfTransform* a, const gelGltfTransform* b )
{
	return memcmp( &a->linear, &b->linear, sizeof a->linear ) == 0 &&
		memcmp( &a->translation, &b->translation, sizeof a->translation ) == 0;
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

bool gelCheckGltfAccessor( gelImporter* importer, cgltf_data* data, const gelGltfPlace* place,
	const char* role, const cgltf_accessor* accessor, size_t wantedCount )
{
	if ( !gelLoadAccessorBuffers( importer, data, accessor ) ) return false;
	const char* fault = gelFindAccessorFault( accessor );
	if ( fault == NULL && wantedCount != 0 && accessor->count != wantedCount )
		fault = "has a count that differs from that of the positions";
	if ( fault == NULL ) return true;
	char text[256];
	// Numbers that nobody has data for are garbage, and not a large model.
	const bool isTooLarge = accessor->buffer_view != NULL && accessor->count > GEL_MESH_MAX_VERTICES &&
		accessor->count <= (size_t)GEL_IMPORT_MAX_BYTES;
	gelFindings_Add( importer->findings, isTooLarge ? gel_findingMeshTooLarge : gel_findingAccessorUnreadable,
		importer->path,
		isTooLarge ? "%s: accessor %zu (%.40s) %s; decimate the model"
				   : "%s: accessor %zu (%.40s) %s; export the file again",
		gelGltfPlace_Text( place, text, sizeof text ), (size_t)( accessor - data->accessors ), role, fault );
	return false;
}

static bool CheckAccessor( Walker* walker, const gelGltfPlace* place, const char* role,
	const cgltf_accessor* accessor, size_t wantedCount )
{
	return gelCheckGltfAccessor( walker->importer, walker->data, place, role, accessor, wantedCount );
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
	const cgltf_accessor* positions = gelFindGltfPositions( primitive );
	if ( positions == NULL )
		return AddAtPlace(
			walker, place, gel_findingPrimitiveUnreadable, "it has no POSITION; export the file again" );
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

static uint32_t CountTriangles( Walker* walker, const gelGltfPlace* place, const cgltf_primitive* primitive )
{
	size_t corners =
		primitive->indices != NULL ? primitive->indices->count : gelFindGltfPositions( primitive )->count;
	if ( primitive->type != cgltf_primitive_type_triangles ) return corners < 3 ? 0 : (uint32_t)corners - 2;
	if ( corners % 3 != 0 )
		AddAtPlace( walker, place, gel_findingTrianglesIncomplete,
			"its corners do not make whole triangles; the rest was left out" );
	return (uint32_t)( corners / 3 );
}

static bool AddLine(
	Walker* walker, const gelGltfPlace* place, const cgltf_primitive* primitive, uint32_t transform )
{
	GEL_ASSERT( transform < walker->scene->transformCount );
	gelGltfScene* scene = walker->scene;
	if ( !CheckPrimitive( walker, place, primitive ) ) return false;
	if ( !GEL_GROW( scene->lines, scene->lineCapacity, scene->lineCount + 1 ) )
		return gelImporter_OutOfMemory( walker->importer );
	gelGltfInstance* line = scene->lines + scene->lineCount++;
	*line = ( gelGltfInstance ){ .primitive = primitive, .place = *place, .transform = transform };
	line->vertexCount = (uint32_t)gelFindGltfPositions( primitive )->count;
	line->triangleCount = gelCountGltfSegments(
		primitive->type, primitive->indices != NULL ? primitive->indices->count : line->vertexCount );
	scene->segmentCount += line->triangleCount;
	uint64_t most = GEL_GLTF_MAX_UNFOLDED( walker->importer->bytesRead );
	if ( scene->segmentCount > GEL_MESH_MAX_TRIANGLES || scene->segmentCount > most )
		return AddAtPlace( walker, place, gel_findingMeshTooLarge,
			"with this the file unfolds to more lines than can be used; simplify them" );
	return true;
}

// Vertices are shared between neighboring primitives that have the same accessors and the same transform, as
// exporters write one mesh of several materials: else seams between materials would be doubled vertices, and
// the art would have other counts than the artist sees.
static bool AddInstance( Walker* walker, const gelGltfPlace* place, cgltf_primitive* primitive,
	const cgltf_skin* skin, uint32_t transform )
{
	GEL_ASSERT( transform < walker->scene->transformCount );
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
	if ( gelNeedsGltfDraco( primitive ) &&
		!gelDecodeGltfDraco( walker->importer, walker->data, place, primitive ) )
		return false;
	if ( !CheckPrimitive( walker, place, primitive ) ) return false;
	if ( !GEL_GROW( scene->instances, scene->instanceCapacity, scene->instanceCount + 1 ) )
		return gelImporter_OutOfMemory( walker->importer );
	gelGltfInstance* instance = scene->instances + scene->instanceCount;
	*instance =
		( gelGltfInstance ){ .primitive = primitive, .place = *place, .transform = transform, .skin = skin };
	instance->vertexCount = (uint32_t)gelFindGltfPositions( primitive )->count;
	instance->triangleCount = CountTriangles( walker, place, primitive );
	instance->firstVertex = (uint32_t)scene->vertexCount;
	if ( !gelCheckGltfDeform( walker->importer, walker->data, scene, instance ) ) return false;
	instance->isMirrored = gelDeterminantD( scene->transforms[transform].linear ) < 0.0;
	const gelGltfInstance* before = scene->instanceCount > 0 ? instance - 1 : NULL;
	instance->sharesVertices = before != NULL && SameAttributes( before->primitive, primitive ) &&
		SameTransform( scene->transforms + before->transform, scene->transforms + transform ) &&
		gelIsSameDeformGltf( scene, before, instance );
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
	const cgltf_skin* skin = node >= 0 ? walker->data->nodes[node].skin : NULL;
	gelGltfScene* scene = walker->scene;
	gelGltfPlace place = { walker->data, node, mesh - walker->data->meshes, -1 };
	if ( !gelIsFiniteGltf( world ) )
		return AddAtPlace( walker, &place, gel_findingValueNotFinite,
			"its transform is not finite; reset it in the modeller" );
	if ( !GEL_GROW( scene->transforms, scene->transformCapacity, scene->transformCount + 1 ) )
		return gelImporter_OutOfMemory( walker->importer );
	scene->transforms[scene->transformCount] = *world;
	uint32_t transform = (uint32_t)scene->transformCount++;
	bool morphed = false;
	for ( size_t i = 0; i < mesh->primitives_count; ++i )
	{
		place.primitive = (int64_t)i;
		morphed |= mesh->primitives[i].targets_count > 0;
		if ( !AddInstance( walker, &place, mesh->primitives + i, skin, transform ) ) return false;
	}
	scene->morphedMeshes += morphed;
	return true;
}

static bool AddPoint( Walker* walker, size_t node, const gelGltfTransform* world )
{
	GEL_ASSERT( node < walker->data->nodes_count );
	gelGltfScene* scene = walker->scene;
	if ( !GEL_GROW( scene->points, scene->pointCapacity, scene->pointCount + 1 ) )
		return gelImporter_OutOfMemory( walker->importer );
	scene->points[scene->pointCount++] = ( gelGltfPoint ){ node, *world };
	return true;
}

// Depth is bounded by gelCheckGltfNodes.
// A node that several scenes list is taken once.
static bool WalkNode( Walker* walker, const cgltf_node* node )
{
	size_t index = (size_t)( node - walker->data->nodes );
	if ( walker->visited[index] ) return true;
	walker->visited[index] = true;
	const gelGltfTransform* world =
		gelFindGltfWorld( walker->importer, walker->data, &walker->scene->pose, node );
	if ( world == NULL ) return false;
	walker->scene->skinnedNodes += node->skin != NULL && node->mesh != NULL;
	walker->scene->instancedNodes += node->has_mesh_gpu_instancing;
	if ( node->mesh != NULL && !AddMesh( walker, (int64_t)index, node->mesh, world ) ) return false;
	if ( gelIsGltfPoint( node ) && !AddPoint( walker, index, world ) ) return false;
	for ( size_t i = 0; i < node->children_count; ++i )
		if ( !WalkNode( walker, node->children[i] ) ) return false;
	return true;
}

// Nodes of a scene that cgltf was not told of.
static bool WalkList( Walker* walker, const json_t* nodes )
{
	for ( size_t i = 0; i < json_array_size( nodes ); ++i )
	{
		json_int_t index = json_integer_value( json_array_get( nodes, i ) );
		if ( index < 0 || (size_t)index >= walker->data->nodes_count )
		{
			gelFindings_Add( walker->importer->findings, gel_findingGltfUnreadable, walker->importer->path,
				"a scene lists node %lld, which does not exist; export the file again", (long long)index );
			return false;
		}
		if ( !WalkNode( walker, walker->data->nodes + index ) ) return false;
	}
	return true;
}

static bool WalkScene( Walker* walker, const cgltf_scene* scene )
{
	const json_t* lists = walker->importer->sceneNodes;
	if ( lists != NULL )
		return WalkList( walker, json_array_get( lists, (size_t)( scene - walker->data->scenes ) ) );
	for ( size_t i = 0; i < scene->nodes_count; ++i )
		if ( !WalkNode( walker, scene->nodes[i] ) ) return false;
	return true;
}

// The scene that the file shows; without one all scenes; without scenes all roots; without nodes all meshes:
// files of converters often lack the upper floors.
static bool WalkFile( Walker* walker )
{
	const cgltf_data* data = walker->data;
	if ( data->scene != NULL ) return WalkScene( walker, data->scene );
	for ( size_t i = 0; i < data->scenes_count; ++i )
		if ( !WalkScene( walker, data->scenes + i ) ) return false;
	if ( data->scenes_count > 0 ) return true;
	for ( size_t i = 0; i < data->nodes_count; ++i )
		if ( data->nodes[i].parent == NULL && !WalkNode( walker, data->nodes + i ) ) return false;
	if ( data->nodes_count > 0 ) return true;
	const gelGltfTransform* world = gelFindGltfWorld( walker->importer, data, &walker->scene->pose, NULL );
	for ( size_t i = 0; i < data->meshes_count; ++i )
		if ( !AddMesh( walker, -1, data->meshes + i, world ) ) return false;
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
		gelFindings_Add( findings, gel_findingSkinsAtRest, path, "%u skinned meshes were taken in %s",
			scene->skinnedNodes,
			walker->importer->options.animation != NULL ? "the pose of the animation" : "their rest pose" );
	if ( scene->morphedMeshes > 0 )
		gelFindings_Add( findings, gel_findingMorphsAtRest, path,
			"%u meshes with morph targets were taken with %s weights", scene->morphedMeshes,
			walker->importer->options.animation != NULL ? "the animation's" : "their default" );
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
	out->joints = calloc( data->skins_count + 1, sizeof( gelGltfTransform* ) );
	out->skinCount = data->skins_count;
	bool ok = out->joints != NULL || gelImporter_OutOfMemory( importer );
	ok = ok && gelPoseGltf( importer, data, &out->pose ) && WalkFile( &walker );
	if ( ok ) Summarise( &walker );
	free( walker.visited );
	return ok;
}

void gelFreeGltfScene( gelGltfScene* scene )
{
	for ( size_t i = 0; scene->joints != NULL && i < scene->skinCount; ++i )
		free( scene->joints[i] );
	free( scene->joints );
	gelFreeGltfPose( &scene->pose );
	free( scene->instances );
	free( scene->transforms );
	free( scene->lines );
	free( scene->points );
	*scene = ( gelGltfScene ){ 0 };
}
