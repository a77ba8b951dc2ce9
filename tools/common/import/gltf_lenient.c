// SPDX-License-Identifier: MIT
// A second look at files that cgltf refuses and other loaders accept. cgltf checks the type of every member
// that it knows, and refuses scenes that list a node which has a parent. So the JSON is written again with
// those members alone that are used here, where their types are right, and the nodes of scenes are kept
// beside it.
//
//     refused JSON -> jansson -> known members of known types -> text -> cgltf
#include "common/import/gltf_internal.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind
{
	kind_any,
	kind_text,
	kind_number,
	kind_numbers, // array of nothing else
	kind_flag,
	kind_object,
	kind_list, // array of objects
} Kind;

// A member of the records of a kind; those of its own are the rows of its record.
typedef struct Member
{
	const char* record;
	const char* key;
	Kind kind;
	const char* inner; // record of what is in it
} Member;

static const Member s_members[] = {
	{ "root", "asset", kind_object, "asset" },
	{ "root", "extensionsRequired", kind_any, NULL },
	{ "root", "extensionsUsed", kind_any, NULL },
	{ "root", "scene", kind_number, NULL },
	{ "root", "scenes", kind_list, "scene" },
	{ "root", "nodes", kind_list, "node" },
	{ "root", "meshes", kind_list, "mesh" },
	{ "root", "accessors", kind_list, "accessor" },
	{ "root", "bufferViews", kind_list, "view" },
	{ "root", "buffers", kind_list, "buffer" },
	{ "root", "materials", kind_list, "material" },
	{ "root", "skins", kind_list, "skin" },
	{ "root", "animations", kind_list, "animation" },
	{ "asset", "version", kind_text, NULL },
	{ "asset", "minVersion", kind_text, NULL },
	{ "scene", "name", kind_text, NULL },
	{ "scene", "extras", kind_any, NULL },
	{ "node", "name", kind_text, NULL },
	{ "node", "children", kind_numbers, NULL },
	{ "node", "mesh", kind_number, NULL },
	{ "node", "skin", kind_number, NULL },
	{ "node", "matrix", kind_numbers, NULL },
	{ "node", "translation", kind_numbers, NULL },
	{ "node", "rotation", kind_numbers, NULL },
	{ "node", "scale", kind_numbers, NULL },
	{ "node", "weights", kind_numbers, NULL },
	{ "node", "extras", kind_any, NULL },
	{ "mesh", "name", kind_text, NULL },
	{ "mesh", "primitives", kind_list, "primitive" },
	{ "mesh", "weights", kind_numbers, NULL },
	{ "mesh", "extras", kind_any, NULL },
	{ "primitive", "attributes", kind_object, NULL },
	{ "primitive", "indices", kind_number, NULL },
	{ "primitive", "mode", kind_number, NULL },
	{ "primitive", "material", kind_number, NULL },
	{ "primitive", "targets", kind_list, NULL },
	{ "primitive", "extensions", kind_object, "primitive extensions" },
	{ "primitive extensions", "KHR_draco_mesh_compression", kind_object, NULL },
	{ "accessor", "bufferView", kind_number, NULL },
	{ "accessor", "byteOffset", kind_number, NULL },
	{ "accessor", "componentType", kind_number, NULL },
	{ "accessor", "count", kind_number, NULL },
	{ "accessor", "type", kind_text, NULL },
	{ "accessor", "normalized", kind_flag, NULL },
	{ "accessor", "sparse", kind_object, NULL },
	{ "view", "buffer", kind_number, NULL },
	{ "view", "byteOffset", kind_number, NULL },
	{ "view", "byteLength", kind_number, NULL },
	{ "view", "byteStride", kind_number, NULL },
	{ "view", "extensions", kind_object, "view extensions" },
	{ "view extensions", "EXT_meshopt_compression", kind_object, NULL },
	{ "view extensions", "KHR_meshopt_compression", kind_object, NULL },
	{ "buffer", "uri", kind_text, NULL },
	{ "buffer", "byteLength", kind_number, NULL },
	{ "material", "name", kind_text, NULL },
	{ "material", "pbrMetallicRoughness", kind_object, "pbr" },
	{ "pbr", "baseColorFactor", kind_numbers, NULL },
	{ "skin", "joints", kind_numbers, NULL },
	{ "skin", "inverseBindMatrices", kind_number, NULL },
	{ "animation", "name", kind_text, NULL },
	{ "animation", "samplers", kind_list, "sampler" },
	{ "animation", "channels", kind_list, "channel" },
	{ "sampler", "input", kind_number, NULL },
	{ "sampler", "output", kind_number, NULL },
	{ "sampler", "interpolation", kind_text, NULL },
	{ "channel", "sampler", kind_number, NULL },
	{ "channel", "target", kind_object, "target" },
	{ "target", "node", kind_number, NULL },
	{ "target", "path", kind_text, NULL },
};

static bool HoldsOnly( const json_t* array, bool wantsNumbers )
{
	for ( size_t i = 0; i < json_array_size( array ); ++i )
	{
		const json_t* value = json_array_get( array, i );
		if ( wantsNumbers ? !json_is_number( value ) : !json_is_object( value ) ) return false;
	}
	return json_is_array( array );
}

static bool IsOfKind( const json_t* value, Kind kind )
{
	switch ( kind )
	{
		case kind_text:
			return json_is_string( value );
		case kind_number:
			return json_is_number( value );
		case kind_numbers:
			return HoldsOnly( value, true );
		case kind_flag:
			return json_is_boolean( value );
		case kind_object:
			return json_is_object( value );
		case kind_list:
			return HoldsOnly( value, false );
		default:
			return value != NULL;
	}
}

// Whether a body can do without a member: then one of a wrong type is left out, and others are an error.
static bool IsOptional( const Member* member )
{
	return strcmp( member->key, "name" ) == 0 || strcmp( member->record, "material" ) == 0 ||
		strcmp( member->record, "pbr" ) == 0 || strcmp( member->key, "materials" ) == 0 ||
		strcmp( member->key, "animations" ) == 0;
}

static json_t* Reduce( const json_t* from, const char* record );

// A new reference; NULL: it cannot be used, or no memory.
static json_t* ReduceValue( json_t* value, const Member* member )
{
	if ( member->inner == NULL ) return json_incref( value );
	if ( member->kind == kind_object ) return Reduce( value, member->inner );
	json_t* list = json_array();
	for ( size_t i = 0; i < json_array_size( value ) && list != NULL; ++i )
	{
		if ( json_array_append_new( list, Reduce( json_array_get( value, i ), member->inner ) ) == 0 )
			continue;
		json_decref( list );
		list = NULL;
	}
	return list;
}

// The known members of a record; NULL: one is of a wrong type, or no memory. The table has no circles, so its
// depth bounds that of the calls.
static json_t* Reduce( const json_t* from, const char* record )
{
	json_t* to = json_object();
	for ( size_t i = 0; i < sizeof s_members / sizeof s_members[0] && to != NULL; ++i )
	{
		const Member* member = s_members + i;
		if ( strcmp( member->record, record ) != 0 ) continue;
		json_t* value = json_object_get( from, member->key );
		if ( value == NULL || ( !IsOfKind( value, member->kind ) && IsOptional( member ) ) ) continue;
		if ( IsOfKind( value, member->kind ) &&
			json_object_set_new( to, member->key, ReduceValue( value, member ) ) == 0 )
			continue;
		json_decref( to );
		to = NULL;
	}
	return to;
}

// Takes the lists of nodes out of the scenes. @return a new reference to an array per scene; NULL: no memory
static json_t* TakeSceneNodes( const json_t* root )
{
	const json_t* scenes = json_object_get( root, "scenes" );
	json_t* lists = json_array();
	for ( size_t i = 0; i < json_array_size( scenes ) && lists != NULL; ++i )
	{
		json_t* nodes = json_object_get( json_array_get( scenes, i ), "nodes" );
		json_array_append_new( lists, HoldsOnly( nodes, true ) ? json_incref( nodes ) : json_array() );
	}
	return lists;
}

char* gelReduceGltf( const char* text, size_t bytes, json_t** outSceneNodes )
{
	json_t* root = json_loadb( text, bytes, JSON_DISABLE_EOF_CHECK, NULL );
	json_t* reduced = json_is_object( root ) ? Reduce( root, "root" ) : NULL;
	*outSceneNodes = reduced != NULL ? TakeSceneNodes( root ) : NULL;
	char* out = *outSceneNodes != NULL ? json_dumps( reduced, JSON_COMPACT ) : NULL;
	json_decref( reduced );
	json_decref( root );
	if ( out == NULL ) json_decref( *outSceneNodes );
	if ( out == NULL ) *outSceneNodes = NULL;
	return out;
}
