// SPDX-License-Identifier: MIT
// Vertices of skinned and morphed meshes as viewers show them (glTF 2.0, sections 3.7.2.2 and 3.7.3.3):
//
//     morphed p = p + sum of weight * displacement         over the targets of the mesh
//     skinned p = sum of weight * joint world * inverse bind * morphed p
//
// A skin says by itself where its vertices are: the transform of the node that has the mesh does not count.
#include "common/import/gltf_scene.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Four joints in each set of JOINTS_n and WEIGHTS_n.
#define MAX_SETS 4

static const cgltf_accessor* FindAttribute(
	const cgltf_attribute* attributes, size_t count, const char* name )
{
	for ( size_t i = 0; i < count; ++i )
		if ( attributes[i].name != NULL && strcmp( attributes[i].name, name ) == 0 )
			return attributes[i].data;
	return NULL;
}

static const cgltf_accessor* FindSet( const cgltf_primitive* primitive, const char* kind, int set )
{
	char name[32];
	snprintf( name, sizeof name, "%s_%d", kind, set );
	return FindAttribute( primitive->attributes, primitive->attributes_count, name );
}

// ---- weights of morph targets ---------------------------------------------------------------------------

// The animation's, the node's or the mesh's weight, in this order.
static double WeightOf( const gelGltfScene* scene, const gelGltfPlace* place, size_t target )
{
	const cgltf_mesh* mesh = place->data->meshes + place->mesh;
	if ( place->node >= 0 )
	{
		const cgltf_node* node = place->data->nodes + place->node;
		const float* posed = scene->pose.weights[place->node];
		if ( posed != NULL )
			return target < scene->pose.weightCounts[place->node] ? (double)posed[target] : 0.0;
		if ( node->weights_count > 0 )
			return target < node->weights_count ? (double)node->weights[target] : 0.0;
	}
	return target < mesh->weights_count ? (double)mesh->weights[target] : 0.0;
}

static bool IsMorphed( const gelGltfScene* scene, const gelGltfInstance* instance )
{
	for ( size_t i = 0; i < instance->primitive->targets_count; ++i )
		if ( WeightOf( scene, &instance->place, i ) != 0.0 ) return true;
	return false;
}

bool gelIsDeformedGltf( const gelGltfScene* scene, const gelGltfInstance* instance )
{
	return instance->skin != NULL || IsMorphed( scene, instance );
}

bool gelIsSameDeformGltf( const gelGltfScene* scene, const gelGltfInstance* a, const gelGltfInstance* b )
{
	return a->skin == b->skin && !IsMorphed( scene, a ) && !IsMorphed( scene, b );
}

// ---- checks ---------------------------------------------------------------------------------------------

static bool CheckTargets(
	gelImporter* importer, cgltf_data* data, gelGltfScene* scene, const gelGltfInstance* instance )
{
	for ( size_t i = 0; i < instance->primitive->targets_count; ++i )
	{
		const cgltf_morph_target* target = instance->primitive->targets + i;
		if ( WeightOf( scene, &instance->place, i ) == 0.0 ) continue;
		// Targets may share their data, so their number is bounded for itself.
		scene->morphReads += instance->vertexCount;
		if ( scene->morphReads > GEL_GLTF_MAX_UNFOLDED( importer->bytesRead ) )
			return gelRefuseGltf( importer, &instance->place, gel_findingMeshTooLarge,
				"its morph targets unfold to more than can be used; bake them into the mesh" );
		for ( size_t k = 0; k < target->attributes_count; ++k )
		{
			const cgltf_attribute* attribute = target->attributes + k;
			const char* name = attribute->name != NULL ? attribute->name : "";
			if ( strcmp( name, "POSITION" ) != 0 && strcmp( name, "NORMAL" ) != 0 ) continue;
			if ( !gelCheckGltfAccessor( importer, data, &instance->place, "morph target", attribute->data,
					 instance->vertexCount ) )
				return false;
			if ( attribute->data->type != cgltf_type_vec3 )
				return gelRefuseGltf( importer, &instance->place, gel_findingPrimitiveUnreadable,
					"a morph target is not made of vectors of three" );
		}
	}
	return true;
}

static bool CheckSets( gelImporter* importer, cgltf_data* data, const gelGltfInstance* instance )
{
	for ( int set = 0; set < MAX_SETS; ++set )
	{
		const cgltf_accessor* joints = FindSet( instance->primitive, "JOINTS", set );
		const cgltf_accessor* weights = FindSet( instance->primitive, "WEIGHTS", set );
		if ( joints == NULL || weights == NULL ) break;
		if ( !gelCheckGltfAccessor(
				 importer, data, &instance->place, "joints", joints, instance->vertexCount ) ||
			!gelCheckGltfAccessor(
				importer, data, &instance->place, "weights of joints", weights, instance->vertexCount ) )
			return false;
		if ( joints->type != cgltf_type_vec4 || weights->type != cgltf_type_vec4 )
			return gelRefuseGltf( importer, &instance->place, gel_findingPrimitiveUnreadable,
				"joints or their weights are not vectors of four" );
	}
	return true;
}

static bool CheckBinds( gelImporter* importer, cgltf_data* data, const gelGltfInstance* instance )
{
	const cgltf_accessor* binds = instance->skin->inverse_bind_matrices;
	if ( binds == NULL ) return true;
	if ( !gelCheckGltfAccessor( importer, data, &instance->place, "inverse bind matrices", binds, 0 ) )
		return false;
	bool isUsable = binds->type == cgltf_type_mat4 && binds->count >= instance->skin->joints_count &&
		binds->component_type == cgltf_component_type_r_32f && !binds->is_sparse;
	return isUsable ||
		gelRefuseGltf( importer, &instance->place, gel_findingPrimitiveUnreadable,
			"its skin does not have an inverse bind matrix of floats for each joint; export the file again" );
}

bool gelCheckGltfDeform(
	gelImporter* importer, cgltf_data* data, gelGltfScene* scene, gelGltfInstance* instance )
{
	// A mesh without joints hangs on its node, whatever skin that has: so do viewers.
	const bool hasSets = FindSet( instance->primitive, "JOINTS", 0 ) != NULL &&
		FindSet( instance->primitive, "WEIGHTS", 0 ) != NULL;
	if ( !hasSets || ( instance->skin != NULL && instance->skin->joints_count == 0 ) ) instance->skin = NULL;
	if ( !CheckTargets( importer, data, scene, instance ) ) return false;
	return instance->skin == NULL ||
		( CheckSets( importer, data, instance ) && CheckBinds( importer, data, instance ) );
}

// ---- joints ---------------------------------------------------------------------------------------------

// From the vertices of a skin to the world, for each joint. Made once per skin.
static const gelGltfTransform* FindJoints(
	gelImporter* importer, const cgltf_data* data, gelGltfScene* scene, const gelGltfInstance* instance )
{
	const cgltf_skin* skin = instance->skin;
	gelGltfTransform** joints = scene->joints + ( skin - data->skins );
	if ( *joints != NULL ) return *joints;
	*joints = calloc( skin->joints_count, sizeof( gelGltfTransform ) );
	if ( *joints == NULL )
	{
		gelImporter_OutOfMemory( importer );
		return NULL;
	}
	for ( size_t i = 0; i < skin->joints_count; ++i )
	{
		const gelGltfTransform* world = gelFindGltfWorld( importer, data, &scene->pose, skin->joints[i] );
		if ( world == NULL ) return NULL;
		( *joints )[i] = *world;
		if ( skin->inverse_bind_matrices == NULL ) continue;
		float matrix[16];
		gelReadAccessorAt( skin->inverse_bind_matrices, i, 16, matrix );
		gelGltfTransform bind = gelMakeGltfTransform( matrix );
		( *joints )[i] = gelCombineGltf( world, &bind );
	}
	return *joints;
}

// ---- vertices -------------------------------------------------------------------------------------------

static bool AddTarget( const gelGltfInstance* instance, const cgltf_morph_target* target, const char* name,
	double weight, float* scratch, float* values )
{
	const cgltf_accessor* accessor = FindAttribute( target->attributes, target->attributes_count, name );
	if ( accessor == NULL || values == NULL ) return false;
	gelReadAccessorFloats( accessor, 3, scratch );
	for ( size_t i = 0; i < 3 * (size_t)instance->vertexCount; ++i )
		values[i] = (float)( (double)values[i] + weight * (double)scratch[i] );
	return true;
}

static bool Morph( gelImporter* importer, const gelGltfScene* scene, const gelGltfInstance* instance,
	float* positions, float* normals )
{
	if ( !IsMorphed( scene, instance ) ) return true;
	float* scratch = malloc( 3 * (size_t)instance->vertexCount * sizeof( float ) );
	if ( scratch == NULL ) return gelImporter_OutOfMemory( importer );
	bool hasPositions = false, hasNormals = false;
	for ( size_t i = 0; i < instance->primitive->targets_count; ++i )
	{
		double weight = WeightOf( scene, &instance->place, i );
		const cgltf_morph_target* target = instance->primitive->targets + i;
		if ( weight == 0.0 ) continue;
		hasPositions |= AddTarget( instance, target, "POSITION", weight, scratch, positions );
		hasNormals |= AddTarget( instance, target, "NORMAL", weight, scratch, normals );
	}
	// Normals of another shape are worse than none: those are computed.
	if ( hasPositions && !hasNormals && normals != NULL )
		memset( normals, 0, 3 * (size_t)instance->vertexCount * sizeof( float ) );
	free( scratch );
	return true;
}

// Joints and weights of all vertices, as floats: numbers of joints are small integers.
typedef struct Influences
{
	float* joints[MAX_SETS];
	float* weights[MAX_SETS];
	int count;
} Influences;

static bool ReadInfluences( const gelGltfInstance* instance, Influences* out )
{
	*out = ( Influences ){ 0 };
	for ( int set = 0; set < MAX_SETS; ++set )
	{
		const cgltf_accessor* joints = FindSet( instance->primitive, "JOINTS", set );
		const cgltf_accessor* weights = FindSet( instance->primitive, "WEIGHTS", set );
		if ( joints == NULL || weights == NULL ) break;
		size_t count = 4 * (size_t)instance->vertexCount;
		out->joints[set] = malloc( count * sizeof( float ) );
		out->weights[set] = malloc( count * sizeof( float ) );
		out->count = set + 1;
		if ( out->joints[set] == NULL || out->weights[set] == NULL ) return false;
		gelReadAccessorFloats( joints, 4, out->joints[set] );
		gelReadAccessorFloats( weights, 4, out->weights[set] );
	}
	return true;
}

static void FreeInfluences( Influences* influences )
{
	for ( int set = 0; set < influences->count; ++set )
	{
		free( influences->joints[set] );
		free( influences->weights[set] );
	}
}

static void AddJoint( gelGltfTransform* sum, double weight, const gelGltfTransform* joint )
{
	sum->linear = gelMulAddMatD( sum->linear, weight, joint->linear );
	sum->translation = gelMulAddD( sum->translation, weight, joint->translation );
}

// Weights that do not add up to one are divided by their sum; without any, the first joint has the vertex.
// False: a joint does not exist.
static bool Blend( const Influences* influences, const gelGltfTransform* joints, size_t jointCount,
	size_t vertex, gelGltfTransform* out )
{
	double total = 0.0;
	*out = ( gelGltfTransform ){ 0 };
	for ( int i = 0; i < 4 * influences->count; ++i )
	{
		double weight = (double)influences->weights[i / 4][4 * vertex + (size_t)i % 4];
		float joint = influences->joints[i / 4][4 * vertex + (size_t)i % 4];
		if ( !( weight > 0.0 ) ) continue;
		if ( !( joint >= 0.0f && (double)joint < (double)jointCount ) ) return false;
		AddJoint( out, weight, joints + (size_t)joint );
		total += weight;
	}
	if ( !( total > 0.0 ) || !isfinite( total ) )
	{
		float joint = influences->joints[0][4 * vertex];
		*out = joints[joint >= 0.0f && (double)joint < (double)jointCount ? (size_t)joint : 0];
		return true;
	}
	gelGltfTransform sum = { 0 };
	AddJoint( &sum, 1.0 / total, out );
	*out = sum;
	return true;
}

static bool Skin( gelImporter* importer, const cgltf_data* data, gelGltfScene* scene,
	gelGltfInstance* instance, float* positions, float* normals )
{
	const gelGltfTransform* joints = FindJoints( importer, data, scene, instance );
	if ( joints == NULL ) return false;
	Influences influences;
	bool hasMemory = ReadInfluences( instance, &influences ), ok = hasMemory;
	size_t mirrored = 0, vertex = 0;
	for ( ; vertex < instance->vertexCount && ok; ++vertex )
	{
		gelGltfTransform blend;
		ok = Blend( &influences, joints, instance->skin->joints_count, vertex, &blend );
		if ( !ok ) break;
		gelVec3 p = gelMoveGltfPoint( &blend, positions + 3 * vertex );
		memcpy( positions + 3 * vertex, &p, sizeof p );
		if ( normals != NULL ) gelTurnGltfNormals( &blend, normals + 3 * vertex, 1 );
		mirrored += gelDeterminantD( blend.linear ) < 0.0;
	}
	instance->isMirrored = 2 * mirrored > instance->vertexCount;
	FreeInfluences( &influences );
	if ( !hasMemory ) return gelImporter_OutOfMemory( importer );
	return ok ||
		gelRefuseGltf( importer, &instance->place, gel_findingGltfIndexMissing,
			"a vertex names a joint that its skin does not have; export the file again" );
}

bool gelDeformGltf( gelImporter* importer, const cgltf_data* data, gelGltfScene* scene,
	gelGltfInstance* instance, float* positions, float* normals )
{
	GEL_ASSERT( positions != NULL );
	if ( !Morph( importer, scene, instance, positions, normals ) ) return false;
	return instance->skin == NULL || Skin( importer, data, scene, instance, positions, normals );
}
