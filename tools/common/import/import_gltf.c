// SPDX-License-Identifier: MIT
// glTF and GLB: cgltf parses, gltf_check.c distrusts, gltf_scene.c flattens, and this file makes the mesh.
//
//     bytes -> gelCheckGltfJson -> cgltf_parse -> versions, extensions, nodes -> gelCollectGltfScene
//           -> arrays of the mesh, instance by instance (a primitive of a mesh at a node of the scene)
//
// Positions end up in the space of the scene [m by definition of glTF], transforms applied in double and
// rounded once.
#include "common/import/import_internal.h"

#include "common/import/gltf_memory.h"
#include "common/import/gltf_scene.h"
#include "common/import/name_table.h"
#include "common/program/clean_text.h"

#include <gelpack/asserts.h>

#include <jansson.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Distinct custom attributes in one file.
#define MAX_ATTRIBUTES 16u

typedef struct Builder
{
	gelImporter* importer;
	const cgltf_data* data;
	gelGltfScene* scene;
	gelMesh* mesh;
	gelNameTable attributeNames;
} Builder;

static bool Refuse( Builder* b, const gelGltfPlace* place, int number, const char* problem )
{
	return gelRefuseGltf( b->importer, place, number, problem );
}

static bool AllFinite( const float* values, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
		if ( !isfinite( values[i] ) ) return false;
	return true;
}

static void TransformPositions( const gelGltfTransform* transform, float* positions, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
	{
		gelVec3 p = gelMoveGltfPoint( transform, positions + 3 * i );
		memcpy( positions + 3 * i, &p, sizeof p );
	}
}

// By the cofactors: the inverse transpose times the determinant, there even where the inverse is not.
void gelTurnGltfNormals( const gelGltfTransform* transform, float* normals, size_t count )
{
	gelMat3d cofactors = gelCofactorD( transform->linear );
	// Cofactors of a mirror point inwards: det * A^-T, and det is negative.
	double sign = gelDeterminantD( transform->linear ) < 0.0 ? -1.0 : 1.0;
	for ( size_t i = 0; i < count; ++i )
	{
		float* out = normals + 3 * i;
		gelVec3d n = gelMulMVD( cofactors, ( gelVec3d ){ (double)out[0], (double)out[1], (double)out[2] } );
		double length = gelLengthD( n );
		bool usable = length > 0.0 && isfinite( length );
		out[0] = usable ? (float)( sign * n.x / length ) : 0.0f;
		out[1] = usable ? (float)( sign * n.y / length ) : 0.0f;
		out[2] = usable ? (float)( sign * n.z / length ) : 0.0f;
	}
}

// An optional array of the mesh, made when the first primitive brings it; others keep the filler.
static float* OptionalArray( Builder* b, float** array, uint32_t components, float filler )
{
	GEL_ASSERT( components >= 1 && components <= 4 );
	if ( *array != NULL ) return *array;
	size_t count = (size_t)b->scene->vertexCount * components;
	*array = malloc( ( count + 1 ) * sizeof( float ) );
	for ( size_t i = 0; i < count && *array != NULL; ++i )
		( *array )[i] = filler;
	return *array;
}

// A name of the file, decoded and printable. NULL: out of memory.
char* gelMakeGltfName( const char* raw )
{
	char* decoded = gelDecodeGltfString( raw );
	char* name = decoded != NULL ? gelCleanText( decoded ) : NULL;
	free( decoded );
	return name;
}

// The custom attribute of that name. NULL: out of memory, or too many (then *outSkip is set).
static gelMeshAttribute* CustomAttribute( Builder* b, const cgltf_attribute* attribute, bool* outSkip )
{
	gelMesh* mesh = b->mesh;
	size_t length = strlen( attribute->name );
	uint32_t number = gelNameTable_Find( &b->attributeNames, attribute->name, length );
	if ( number != GEL_NO_INDEX ) return mesh->attributes + number;
	*outSkip = mesh->attributeCount == MAX_ATTRIBUTES;
	if ( *outSkip || !gelNameTable_Add( &b->attributeNames, attribute->name, length, &number ) ) return NULL;
	if ( mesh->attributes == NULL ) mesh->attributes = calloc( MAX_ATTRIBUTES, sizeof( gelMeshAttribute ) );
	if ( mesh->attributes == NULL ) return NULL;
	gelMeshAttribute* made = mesh->attributes + mesh->attributeCount++;
	// The first primitive that has an attribute says how many components it has; later ones have to agree.
	made->name = gelMakeGltfName( attribute->name );
	made->components = (uint32_t)cgltf_num_components( attribute->data->type );
	if ( made->name == NULL || OptionalArray( b, &made->values, made->components, 0.0f ) == NULL )
		return NULL;
	return made;
}

static bool ReadCustom( Builder* b, const gelGltfInstance* instance, const cgltf_attribute* attribute )
{
	const cgltf_accessor* accessor = attribute->data;
	if ( accessor->type > cgltf_type_vec4 )
	{
		Refuse( b, &instance->place, gel_findingAttributeUnused,
			"a custom attribute is a matrix and was left out" );
		return true;
	}
	bool skip = false;
	gelMeshAttribute* target = CustomAttribute( b, attribute, &skip );
	if ( skip )
	{
		Refuse( b, &instance->place, gel_findingAttributeUnused,
			"there are too many custom attributes; one was left out" );
		return true;
	}
	if ( target == NULL ) return gelImporter_OutOfMemory( b->importer );
	// Told, and read as far as both go: paint with one component too many is still paint.
	if ( target->components != cgltf_num_components( accessor->type ) )
		Refuse( b, &instance->place, gel_findingAttributeUnused,
			"a custom attribute has another number of components than elsewhere in the file" );
	float* values = target->values + (size_t)instance->firstVertex * target->components;
	gelReadAccessorFloats( accessor, target->components, values );
	return AllFinite( values, (size_t)instance->vertexCount * target->components ) ||
		Refuse( b, &instance->place, gel_findingValueNotFinite,
			"a custom attribute holds NaN or infinity; export the file again" );
}

// One of the arrays that gelMesh names; wanted: least number of components.
static bool ReadStandard( Builder* b, const gelGltfInstance* instance, const cgltf_attribute* attribute,
	float** array, uint32_t components, uint32_t wanted, float filler )
{
	GEL_ASSERT( wanted <= components );
	uint32_t own = (uint32_t)cgltf_num_components( attribute->data->type );
	if ( own < wanted || own > components )
	{
		Refuse( b, &instance->place, gel_findingAttributeUnused,
			"an attribute has a wrong number of components and was left out" );
		return true;
	}
	if ( OptionalArray( b, array, components, filler ) == NULL )
		return gelImporter_OutOfMemory( b->importer );
	float* values = *array + (size_t)instance->firstVertex * components;
	gelReadAccessorFloats( attribute->data, components, values );
	size_t count = (size_t)instance->vertexCount * components, bad = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		if ( isfinite( values[i] ) ) continue;
		values[i] = filler;
		++bad;
	}
	if ( bad > 0 && array == &b->mesh->positions )
		return Refuse( b, &instance->place, gel_findingValueNotFinite,
			"positions hold NaN or infinity; export the file again" );
	// No physics depends on the others: missing normals are computed, and a place of a picture is as good as
	// another.
	if ( bad > 0 )
		Refuse( b, &instance->place, gel_findingValuesReplaced,
			"normals, texture coordinates or colors hold NaN or infinity, which was replaced" );
	return true;
}

static bool ReadVertices( Builder* b, gelGltfInstance* instance )
{
	gelMesh* mesh = b->mesh;
	bool normals = false;
	for ( size_t i = 0; i < instance->primitive->attributes_count; ++i )
	{
		const cgltf_attribute* attribute = instance->primitive->attributes + i;
		const char* name = attribute->name != NULL ? attribute->name : "";
		bool ok = true;
		if ( strcmp( name, "POSITION" ) == 0 )
			ok = ReadStandard( b, instance, attribute, &mesh->positions, 3, 3, 0.0f );
		else if ( strcmp( name, "NORMAL" ) == 0 )
			ok = normals = ReadStandard( b, instance, attribute, &mesh->normals, 3, 3, 0.0f );
		else if ( strcmp( name, "TEXCOORD_0" ) == 0 )
			ok = ReadStandard( b, instance, attribute, &mesh->uvs, 2, 2, 0.0f );
		else if ( strcmp( name, "COLOR_0" ) == 0 )
			ok = ReadStandard( b, instance, attribute, &mesh->colors, 4, 3, 1.0f );
		else if ( name[0] == '_' )
			ok = ReadCustom( b, instance, attribute );
		if ( !ok ) return false;
	}
	const gelGltfTransform* transform = b->scene->transforms + instance->transform;
	// Exporters apply transforms themselves as a rule; then positions are those of the file, bit for bit, and
	// packs do not depend on our arithmetic.
	const bool isDeformed = gelIsDeformedGltf( b->scene, instance );
	if ( transform->identity && !isDeformed ) return true; // keeps the bits
	float* positions = mesh->positions + 3 * (size_t)instance->firstVertex;
	float* turned =
		normals && mesh->normals != NULL ? mesh->normals + 3 * (size_t)instance->firstVertex : NULL;
	if ( isDeformed && !gelDeformGltf( b->importer, b->data, b->scene, instance, positions, turned ) )
		return false;
	if ( instance->skin == NULL )
	{
		TransformPositions( transform, positions, instance->vertexCount );
		if ( turned != NULL ) gelTurnGltfNormals( transform, turned, instance->vertexCount );
	}
	return AllFinite( positions, 3 * (size_t)instance->vertexCount ) ||
		Refuse( b, &instance->place, gel_findingValueNotFinite,
			"the transform moves vertices beyond the range of float; scale the model down" );
}

// Corner k of triangle t in the list of corners; glTF 2.0, section 3.7.2.1.
static size_t CornerOf( cgltf_primitive_type type, size_t t, int k )
{
	GEL_ASSERT( k >= 0 && k < 3 );
	if ( type == cgltf_primitive_type_triangle_strip )
		// Every other triangle of a strip runs the other way round.
		return k == 0 ? t : k == 1 ? t + 1 + t % 2 : t + 2 - t % 2;
	if ( type == cgltf_primitive_type_triangle_fan ) return k == 0 ? 0 : t + (size_t)k;
	return 3 * t + (size_t)k;
}

static bool CheckIndices( Builder* b, const gelGltfInstance* instance, const uint32_t* corners, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
	{
		if ( corners[i] < instance->vertexCount ) continue;
		char text[256];
		gelFindings_Add( b->importer->findings, gel_findingGltfIndexMissing, b->importer->path,
			"%s: index %zu (accessor %zu) is %u, but there are %u vertices; export the file again",
			gelGltfPlace_Text( &instance->place, text, sizeof text ), i,
			(size_t)( instance->primitive->indices - b->data->accessors ), corners[i],
			instance->vertexCount );
		return false;
	}
	return true;
}

static bool ReadTriangles( Builder* b, const gelGltfInstance* instance )
{
	gelMesh* mesh = b->mesh;
	const cgltf_primitive* primitive = instance->primitive;
	uint32_t* corners = NULL;
	if ( primitive->indices != NULL )
	{
		corners = malloc( ( primitive->indices->count + 1 ) * sizeof( uint32_t ) );
		if ( corners == NULL ) return gelImporter_OutOfMemory( b->importer );
		gelReadAccessorIndices( primitive->indices, corners );
		if ( !CheckIndices( b, instance, corners, primitive->indices->count ) )
		{
			free( corners );
			return false;
		}
	}
	// a mirror turns triangles inside out; swapping two corners turns them back
	bool mirrored = instance->isMirrored;
	uint32_t material =
		primitive->material != NULL ? (uint32_t)( primitive->material - b->data->materials ) : GEL_NO_INDEX;
	for ( uint32_t t = 0; t < instance->triangleCount; ++t )
	{
		uint32_t* triangle = mesh->indices + 3 * (size_t)mesh->triangleCount;
		for ( int k = 0; k < 3; ++k )
		{
			size_t corner = CornerOf( primitive->type, t, k );
			int slot = mirrored && k > 0 ? 3 - k : k;
			triangle[slot] = instance->firstVertex + ( corners != NULL ? corners[corner] : (uint32_t)corner );
		}
		mesh->triMaterial[mesh->triangleCount++] = material;
	}
	free( corners );
	return true;
}

// The value that stands at extras, or NULL for none or one that is no JSON. cgltf notes where it stands; for
// a string that is inside of the quotes.
static json_t* ParseExtras( const cgltf_data* data, const cgltf_extras* extras )
{
	size_t start = extras->start_offset, end = extras->end_offset;
	if ( start >= end || end > data->json_size ) return NULL;
	if ( start > 0 && end < data->json_size && data->json[start - 1] == '"' ) --start, ++end;
	return json_loadb( data->json + start, end - start, JSON_DECODE_ANY, NULL );
}

json_t* gelMergeGltfExtras( const cgltf_data* data, const gelGltfPlace* place, bool* outIsBroken )
{
	static const cgltf_extras none = { 0 };
	const cgltf_extras* nodeExtras = place->node >= 0 ? &data->nodes[place->node].extras : &none;
	const cgltf_extras* meshExtras = place->mesh >= 0 ? &data->meshes[place->mesh].extras : &none;
	json_t* node = ParseExtras( data, nodeExtras );
	json_t* merged = ParseExtras( data, meshExtras );
	*outIsBroken =
		( node == NULL && nodeExtras->end_offset > 0 ) || ( merged == NULL && meshExtras->end_offset > 0 );
	if ( json_is_object( node ) && json_is_object( merged ) )
		json_object_update( merged, node );
	else if ( node != NULL )
	{
		json_decref( merged );
		merged = json_incref( node );
	}
	json_decref( node );
	return merged;
}

// Whether there are settings of a body in extras that cannot be read; others leave them out with a warning.
static bool HasSettings( const cgltf_data* data, const cgltf_extras* extras )
{
	static const char key[] = "\"gelpack";
	size_t end = extras->end_offset <= data->json_size ? extras->end_offset : 0;
	for ( size_t i = extras->start_offset; i + sizeof( key ) - 1 <= end; ++i )
	{
		if ( memcmp( data->json + i, key, sizeof( key ) - 1 ) == 0 ) return true;
	}
	return false;
}

static bool MakeExtras( Builder* b, const gelGltfPlace* place, char** out )
{
	bool isBroken = false;
	json_t* merged = gelMergeGltfExtras( b->data, place, &isBroken );
	bool isLost = isBroken &&
		( ( place->node >= 0 && HasSettings( b->data, &b->data->nodes[place->node].extras ) ) ||
			( place->mesh >= 0 && HasSettings( b->data, &b->data->meshes[place->mesh].extras ) ) );
	if ( isLost )
	{
		json_decref( merged );
		return Refuse( b, place, gel_findingArtSettingsWrong,
			"the extras hold settings of Gelpack, but are no JSON that can be read; numbers may be too "
			"large" );
	}
	if ( isBroken )
		Refuse( b, place, gel_findingExtrasInvalid, "the extras are no valid JSON and were left out" );
	if ( merged != NULL ) *out = json_dumps( merged, JSON_COMPACT | JSON_ENCODE_ANY );
	bool ok = merged == NULL || *out != NULL;
	json_decref( merged );
	return ok || gelImporter_OutOfMemory( b->importer );
}

// Extras of the scene that is read.
static bool MakeSceneExtras( Builder* b )
{
	const cgltf_data* data = b->data;
	const cgltf_scene* scene = data->scene != NULL ? data->scene
		: data->scenes_count == 1                  ? data->scenes
												   : NULL;
	json_t* extras = scene != NULL ? ParseExtras( data, &scene->extras ) : NULL;
	if ( extras == NULL && scene != NULL && HasSettings( data, &scene->extras ) )
	{
		gelFindings_Add( b->importer->findings, gel_findingArtSettingsWrong, b->importer->path,
			"scene: the extras hold settings of Gelpack, but are no JSON that can be read; numbers may be "
			"too large" );
		return false;
	}
	if ( extras == NULL ) return true;
	b->mesh->extras = json_dumps( extras, JSON_COMPACT | JSON_ENCODE_ANY );
	json_decref( extras );
	return b->mesh->extras != NULL || gelImporter_OutOfMemory( b->importer );
}

static bool IsVisible( const cgltf_node* node )
{
	for ( size_t i = 0; i < node->extensions_count; ++i )
	{
		const cgltf_extension* extension = node->extensions + i;
		if ( extension->name == NULL || strcmp( extension->name, "KHR_node_visibility" ) != 0 ) continue;
		json_t* value = extension->data != NULL ? json_loads( extension->data, 0, NULL ) : NULL;
		bool isHidden = json_is_false( json_object_get( value, "visible" ) );
		json_decref( value );
		if ( isHidden ) return false;
	}
	return true;
}

// Names of the nodes above and of the mesh, a line each; and whether one of the nodes is hidden.
static bool MakeParents( Builder* b, const gelGltfPlace* place, gelMeshGroup* group )
{
	const cgltf_node* node = place->node >= 0 ? b->data->nodes + place->node : NULL;
	const char* names[GEL_GLTF_MAX_DEPTH + 2] = { b->data->meshes[place->mesh].name };
	size_t count = 1, length = 0, room = 1;
	for ( ; node != NULL && count <= GEL_GLTF_MAX_DEPTH; node = node->parent )
	{
		group->isHidden |= !IsVisible( node );
		if ( node->parent != NULL ) names[count++] = node->parent->name;
	}
	for ( size_t i = 0; i < count; ++i )
		room += names[i] != NULL ? strlen( names[i] ) + 1 : 0;
	char* raw = malloc( room );
	if ( raw == NULL ) return false;
	raw[0] = 0;
	for ( size_t i = 0; i < count; ++i )
		if ( names[i] != NULL ) length += (size_t)snprintf( raw + length, room - length, "%s\n", names[i] );
	group->parents = gelDecodeGltfString( raw );
	free( raw );
	return group->parents != NULL;
}

// One group for each node with a mesh.
static bool OpenGroup( Builder* b, const gelGltfInstance* instance )
{
	gelMesh* mesh = b->mesh;
	const gelGltfPlace* place = &instance->place;
	gelMeshGroup* group = mesh->groups + mesh->groupCount;
	const char* name = place->node >= 0 ? b->data->nodes[place->node].name : NULL;
	if ( name == NULL || name[0] == 0 ) name = b->data->meshes[place->mesh].name;
	char fallback[32];
	if ( name == NULL || name[0] == 0 )
	{
		snprintf( fallback, sizeof fallback, "%s %lld", place->node >= 0 ? "node" : "mesh",
			(long long)( place->node >= 0 ? place->node : place->mesh ) );
		name = fallback;
	}
	*group = ( gelMeshGroup ){ .name = gelMakeGltfName( name ), .firstTriangle = mesh->triangleCount };
	++mesh->groupCount;
	if ( group->name == NULL || !MakeParents( b, place, group ) )
		return gelImporter_OutOfMemory( b->importer );
	return MakeExtras( b, place, &group->extras );
}

static bool MakeMaterials( Builder* b )
{
	gelMesh* mesh = b->mesh;
	mesh->materials = calloc( b->data->materials_count + 1, sizeof( gelMeshMaterial ) );
	if ( mesh->materials == NULL ) return gelImporter_OutOfMemory( b->importer );
	for ( size_t i = 0; i < b->data->materials_count; ++i )
	{
		const cgltf_material* from = b->data->materials + i;
		gelMeshMaterial* to = mesh->materials + i;
		const float* color = from->has_pbr_specular_glossiness && !from->has_pbr_metallic_roughness
			? from->pbr_specular_glossiness.diffuse_factor
			: from->pbr_metallic_roughness.base_color_factor;
		bool given = from->has_pbr_specular_glossiness || from->has_pbr_metallic_roughness;
		for ( int k = 0; k < 4; ++k )
			to->baseColor[k] = given && isfinite( color[k] ) ? color[k] : 1.0f;
		char fallback[32];
		snprintf( fallback, sizeof fallback, "material %zu", i );
		const char* name = from->name != NULL && from->name[0] != 0 ? from->name : fallback;
		to->name = gelMakeGltfName( name );
		++mesh->materialCount;
		if ( to->name == NULL ) return gelImporter_OutOfMemory( b->importer );
	}
	return true;
}

static bool FillMesh( Builder* b )
{
	gelMesh* mesh = b->mesh;
	gelGltfScene* scene = b->scene;
	mesh->vertexCount = (uint32_t)scene->vertexCount;
	mesh->sourceVertexCount = mesh->vertexCount;
	mesh->indices = malloc( ( 3 * (size_t)scene->triangleCount + 1 ) * sizeof( uint32_t ) );
	mesh->triMaterial = malloc( ( (size_t)scene->triangleCount + 1 ) * sizeof( uint32_t ) );
	mesh->groups = calloc( scene->instanceCount + 1, sizeof( gelMeshGroup ) );
	mesh->vertToSource = malloc( ( (size_t)mesh->vertexCount + 1 ) * sizeof( uint32_t ) );
	if ( mesh->indices == NULL || mesh->triMaterial == NULL || mesh->groups == NULL ||
		mesh->vertToSource == NULL )
		return gelImporter_OutOfMemory( b->importer );
	for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
		mesh->vertToSource[i] = i;
	if ( !MakeMaterials( b ) ) return false;
	for ( size_t i = 0; i < scene->instanceCount; ++i )
	{
		gelGltfInstance* instance = scene->instances + i;
		if ( instance->sharesVertices )
			instance->isMirrored = instance[-1].isMirrored;
		else if ( !ReadVertices( b, instance ) )
			return false;
		bool sameNode = i > 0 && instance->transform == instance[-1].transform;
		if ( !sameNode && !OpenGroup( b, instance ) ) return false;
		uint32_t before = mesh->triangleCount;
		if ( !ReadTriangles( b, instance ) ) return false;
		mesh->groups[mesh->groupCount - 1].triangleCount += mesh->triangleCount - before;
	}
	return true;
}

static bool ImportParsed( gelImporter* importer, cgltf_data* data )
{
	gelGltfScene scene = { 0 };
	Builder builder = { .importer = importer, .data = data, .scene = &scene, .mesh = importer->mesh };
	bool ok = gelCheckGltfVersion( importer, data );
	if ( ok ) gelCheckGltfExtensions( importer, data );
	ok = ok && gelCheckGltfNodes( importer, data ) && gelCollectGltfScene( importer, data, &scene );
	ok = ok && ( scene.triangleCount == 0 || FillMesh( &builder ) ) && gelReadGltfLines( importer, &scene ) &&
		MakeSceneExtras( &builder ) && gelReadGltfPoints( importer, data, &scene );
	if ( ok ) gelValidateGltf( importer, data );
	gelFreeNameTable( &builder.attributeNames );
	gelFreeGltfScene( &scene );
	return ok;
}

// The JSON inside the file's bytes: all of a .gltf, the first chunk of a GLB. NULL: cgltf will say what is
// wrong.
static const char* FindJson( const uint8_t* data, size_t bytes, size_t* outBytes )
{
	if ( bytes < 4 || memcmp( data, "glTF", 4 ) != 0 )
	{
		*outBytes = bytes;
		return (const char*)data;
	}
	uint32_t length;
	if ( bytes < 20 ) return NULL;
	memcpy( &length, data + 12, sizeof length );
	if ( length > bytes - 20 ) return NULL;
	*outBytes = length;
	return (const char*)data + 20;
}

// The binary chunk of a GLB file behind its JSON.
static void FindBin( const uint8_t* data, size_t bytes, cgltf_data* out )
{
	size_t jsonBytes = 0, at;
	uint32_t length;
	if ( bytes < 20 || memcmp( data, "glTF", 4 ) != 0 || FindJson( data, bytes, &jsonBytes ) == NULL ) return;
	at = 20 + jsonBytes;
	if ( bytes - at < 8 || memcmp( data + at + 4, "BIN", 4 ) != 0 ) return;
	memcpy( &length, data + at, sizeof length );
	if ( length > bytes - at - 8 ) return;
	out->bin = data + at + 8;
	out->bin_size = length;
}

// Parses what the file holds, without what is not used. NULL: an error was added, or the file stays refused
// for what it is.
static cgltf_data* ParseAgain( gelImporter* importer, gelGltfMemory* memory, const char* reduced )
{
	cgltf_data* parsed = NULL;
	size_t length = strlen( reduced );
	if ( gelParseGltf( memory, (const uint8_t*)reduced, length, length, &parsed ) != cgltf_result_success )
		return NULL;
	gelFindings_Add( importer->findings, gel_findingGltfRuleBroken, importer->path,
		"the JSON does not follow the schema of glTF, where nothing that is used here depends on it" );
	return parsed;
}

bool gelImportGltf( gelImporter* importer, const uint8_t* data, size_t bytes )
{
	if ( bytes >= 3 && memcmp( data, "\xEF\xBB\xBF", 3 ) == 0 ) data += 3, bytes -= 3;
	size_t jsonBytes = 0;
	const char* json = FindJson( data, bytes, &jsonBytes );
	if ( json != NULL && !gelCheckGltfJson( importer, json, jsonBytes ) ) return false;
	gelGltfMemory memory;
	cgltf_data* parsed = NULL;
	char* reduced = NULL; // extras are read from it
	cgltf_result result = gelParseGltf( &memory, data, bytes, jsonBytes, &parsed );
	if ( result == cgltf_result_out_of_memory && !memory.exhausted )
		return gelImporter_OutOfMemory( importer );
	const bool mayBeOdd = result == cgltf_result_invalid_json || result == cgltf_result_invalid_gltf ||
		result == cgltf_result_legacy_gltf;
	if ( mayBeOdd && json != NULL ) reduced = gelReduceGltf( json, jsonBytes, &importer->sceneNodes );
	if ( reduced != NULL ) parsed = ParseAgain( importer, &memory, reduced );
	if ( reduced != NULL && parsed != NULL ) FindBin( data, bytes, parsed );
	if ( parsed == NULL ) gelExplainGltf( importer, json, jsonBytes, result );
	bool ok = parsed != NULL && ImportParsed( importer, parsed );
	if ( parsed != NULL ) gelFreeGltf( parsed );
	gelFreeGltfDecoded( importer );
	json_decref( importer->sceneNodes );
	importer->sceneNodes = NULL;
	free( reduced );
	return ok;
}
