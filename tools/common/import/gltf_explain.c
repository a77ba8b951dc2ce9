// SPDX-License-Identifier: MIT
// Why a glTF file was refused. cgltf gives one number for everything, so the JSON is read once more, slowly.
#include "common/import/gltf_internal.h"

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* gelGltfResultText( cgltf_result result )
{
	switch ( result )
	{
		case cgltf_result_data_too_short:
			return "the file is cut off";
		case cgltf_result_unknown_format:
			return "it is no glTF 2.0 file";
		case cgltf_result_invalid_json:
			return "the JSON does not follow the glTF schema";
		case cgltf_result_invalid_gltf:
			return "it breaks a rule of glTF";
		case cgltf_result_legacy_gltf:
			return "it is glTF 1.0";
		case cgltf_result_out_of_memory:
			return "it asks for more memory than its size can justify";
		default:
			return "it cannot be read";
	}
}

// Members whose type cgltf insists on.
static const struct
{
	const char* key;
	json_type type;
} s_types[] = {
	{ "asset", JSON_OBJECT },
	{ "scenes", JSON_ARRAY },
	{ "nodes", JSON_ARRAY },
	{ "meshes", JSON_ARRAY },
	{ "accessors", JSON_ARRAY },
	{ "bufferViews", JSON_ARRAY },
	{ "buffers", JSON_ARRAY },
	{ "materials", JSON_ARRAY },
	{ "textures", JSON_ARRAY },
	{ "images", JSON_ARRAY },
	{ "samplers", JSON_ARRAY },
	{ "skins", JSON_ARRAY },
	{ "cameras", JSON_ARRAY },
	{ "animations", JSON_ARRAY },
	{ "primitives", JSON_ARRAY },
	{ "attributes", JSON_OBJECT },
	{ "targets", JSON_ARRAY },
	{ "children", JSON_ARRAY },
	{ "joints", JSON_ARRAY },
	{ "weights", JSON_ARRAY },
	{ "matrix", JSON_ARRAY },
	{ "rotation", JSON_ARRAY },
	{ "scale", JSON_ARRAY },
	{ "translation", JSON_ARRAY },
	{ "sparse", JSON_OBJECT },
	{ "pbrMetallicRoughness", JSON_OBJECT },
	{ "baseColorTexture", JSON_OBJECT },
	{ "normalTexture", JSON_OBJECT },
	{ "extensionsUsed", JSON_ARRAY },
	{ "extensionsRequired", JSON_ARRAY },
};

// Members that hold the number of an element of a top-level array.
static const struct
{
	const char* key;
	const char* array;
} s_references[] = {
	{ "mesh", "meshes" },
	{ "skin", "skins" },
	{ "camera", "cameras" },
	{ "material", "materials" },
	{ "bufferView", "bufferViews" },
	{ "buffer", "buffers" },
	{ "indices", "accessors" },
	{ "scene", "scenes" },
};

typedef struct Explainer
{
	gelImporter* importer;
	const json_t* root;
	char path[256]; // path of the member at hand: meshes[0].primitives
} Explainer;

static bool Say( Explainer* e, const char* problem )
{
	gelFindings_Add( e->importer->findings, gel_findingGltfUnreadable, e->importer->path,
		"%s %s; export the file again", e->path, problem );
	return true;
}

// One member against the tables. @return whether a fault was reported
static bool ExplainMember( Explainer* e, const char* key, const json_t* value )
{
	for ( size_t i = 0; i < sizeof s_types / sizeof s_types[0]; ++i )
	{
		if ( strcmp( key, s_types[i].key ) != 0 || json_typeof( value ) == s_types[i].type ) continue;
		if ( strcmp( key, "scale" ) == 0 && json_is_number( value ) ) continue; // scale of a texture
		return Say( e, s_types[i].type == JSON_ARRAY ? "must be an array" : "must be an object" );
	}
	for ( size_t i = 0; i < sizeof s_references / sizeof s_references[0]; ++i )
	{
		if ( strcmp( key, s_references[i].key ) != 0 || !json_is_integer( value ) ) continue;
		json_int_t number = json_integer_value( value );
		if ( number >= 0 &&
			(size_t)number < json_array_size( json_object_get( e->root, s_references[i].array ) ) )
			continue;
		return Say( e, "is the number of something that does not exist" );
	}
	return false;
}

// Depth is bounded by gelCheckGltfJson.
static bool ExplainValue( Explainer* e, const json_t* value )
{
	size_t length = strlen( e->path );
	bool found = false;
	void* iterator = json_is_object( value ) ? json_object_iter( (json_t*)(uintptr_t)value ) : NULL;
	for ( ; iterator != NULL && !found;
		  iterator = json_object_iter_next( (json_t*)(uintptr_t)value, iterator ) )
	{
		const char* key = json_object_iter_key( iterator );
		// Members of others may be of any type.
		if ( strcmp( key, "extras" ) == 0 || strcmp( key, "extensions" ) == 0 ) continue;
		snprintf( e->path + length, sizeof e->path - length, "%s%.60s", length > 0 ? "." : "", key );
		found = ExplainMember( e, key, json_object_iter_value( iterator ) ) ||
			ExplainValue( e, json_object_iter_value( iterator ) );
	}
	for ( size_t i = 0; i < json_array_size( value ) && !found; ++i )
	{
		snprintf( e->path + length, sizeof e->path - length, "[%zu]", i );
		found = ExplainValue( e, json_array_get( value, i ) );
	}
	if ( !found ) e->path[length] = 0;
	return found;
}

// A node with two parents, one that is its own ancestor, or a child that does not exist.
static bool ExplainNodes( gelImporter* importer, const json_t* root )
{
	const json_t* nodes = json_object_get( root, "nodes" );
	size_t count = json_array_size( nodes );
	size_t* parents = calloc( count + 1, sizeof( size_t ) ); // parent + 1
	bool found = false;
	for ( size_t i = 0; i < count && parents != NULL && !found; ++i )
	{
		const json_t* children = json_object_get( json_array_get( nodes, i ), "children" );
		for ( size_t k = 0; k < json_array_size( children ) && !found; ++k )
		{
			json_int_t child = json_integer_value( json_array_get( children, k ) );
			found = child < 0 || (size_t)child >= count || parents[child] != 0;
			if ( found && child >= 0 && (size_t)child < count )
				gelFindings_Add( importer->findings, gel_findingGltfNotTree, importer->path,
					"node %lld is a child of node %zu and of node %zu, but can have one parent; export the "
					"file again",
					(long long)child, parents[child] - 1, i );
			else if ( found )
				gelFindings_Add( importer->findings, gel_findingGltfNotTree, importer->path,
					"node %zu has the child %lld, which does not exist; export the file again", i,
					(long long)child );
			else
				parents[child] = i + 1;
		}
	}
	// Quadratic for deep chains, so some thousand nodes have to be enough to find the loop that stopped the
	// import.
	for ( size_t i = 0; i < count && i < 4096 && parents != NULL && !found; ++i )
	{
		size_t steps = 0, node = i;
		while ( parents[node] != 0 && steps <= GEL_GLTF_MAX_DEPTH )
			node = parents[node] - 1, ++steps;
		found = steps > GEL_GLTF_MAX_DEPTH;
		if ( found )
			gelFindings_Add( importer->findings, gel_findingGltfNotTree, importer->path,
				"node %zu: its parents form a loop, or are more than %d; export the file again", i,
				GEL_GLTF_MAX_DEPTH );
	}
	free( parents );
	return found;
}

void gelExplainGltf( gelImporter* importer, const char* json, size_t bytes, cgltf_result result )
{
	json_error_t error;
	json_t* root = json == NULL ? NULL : json_loadb( json, bytes, JSON_DISABLE_EOF_CHECK, &error );
	Explainer explainer = { .importer = importer, .root = root };
	const char* version = json_string_value( json_object_get( json_object_get( root, "asset" ), "version" ) );
	bool legacy = version != NULL && version[0] == '1';
	// cgltf calls everything legacy that looks like glTF 1.0, where arrays were objects
	if ( result == cgltf_result_legacy_gltf && version != NULL && !legacy )
		result = cgltf_result_invalid_json;
	bool explained = false;
	if ( root == NULL && json != NULL && result != cgltf_result_out_of_memory )
	{
		gelFindings_Add( importer->findings, gel_findingGltfUnreadable, importer->path,
			"the JSON cannot be read: line %d, column %d: %.120s", error.line, error.column, error.text );
		explained = true;
	}
	else if ( root != NULL && !legacy && result != cgltf_result_out_of_memory )
		explained = ExplainValue( &explainer, root ) || ExplainNodes( importer, root );
	if ( !explained )
		gelFindings_Add( importer->findings, gel_findingGltfUnreadable, importer->path,
			"%s; export it again as glTF 2.0", gelGltfResultText( result ) );
	json_decref( root );
}
