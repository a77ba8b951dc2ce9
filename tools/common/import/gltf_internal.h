// SPDX-License-Identifier: MIT
// What the parts of the glTF importer share: checks, buffers, accessors.
#pragma once

#include "common/import/import_internal.h"

#include <cgltf.h>
#include <jansson.h>

/// Deepest nesting of JSON and of nodes.
#define GEL_GLTF_MAX_DEPTH 512
/// Elements of an accessor that has no buffer view, so that no small file asks for much memory.
#define GEL_GLTF_MAX_ZEROS 1000000u

/// Vertices and triangles that a file of that size may unfold to through instances and zeros.
#define GEL_GLTF_MAX_UNFOLDED( bytes ) ( (uint64_t)1000000u + 16u * (uint64_t)( bytes ) )

/// Where a message points: `node 3 "tail", mesh 1 "body", primitive 0`. Unused parts are negative.
typedef struct gelGltfPlace
{
	const cgltf_data* data;
	int64_t node, mesh, primitive;
} gelGltfPlace;

/// The place in words, valid until the next call with the same buffer.
const char* gelGltfPlace_Text( const gelGltfPlace* place, char* out, size_t capacity );

/// A string of the JSON as text: cgltf leaves escapes such as \\u00e9 in place. NULL: out of memory.
char* gelDecodeGltfString( const char* raw );

/// The same as a name for people: without what would spoil a terminal.
char* gelMakeGltfName( const char* raw );

/// Extras of a node and of its mesh in one value, a new reference; where both are objects, the node's members
/// win. NULL: none. @param outIsBroken whether some are no valid JSON
json_t* gelMergeGltfExtras( const cgltf_data* data, const gelGltfPlace* place, bool* outIsBroken );

/// Looks at JSON text before cgltf does: nesting, and zero bytes. False: an error was added.
bool gelCheckGltfJson( gelImporter* importer, const char* json, size_t bytes );

/// JSON that cgltf refuses, with nothing but what is used here. @return heap memory; NULL: what is used is
/// wrong, too, or no memory
/// @param outSceneNodes an array for each scene: the nodes that it lists; cgltf takes no scene that lists a
/// child
char* gelReduceGltf( const char* text, size_t bytes, json_t** outSceneNodes );

/// Says as well as possible why cgltf refused the JSON, and adds the error.
void gelExplainGltf( gelImporter* importer, const char* json, size_t bytes, cgltf_result result );

/// A result of cgltf in words.
const char* gelGltfResultText( cgltf_result result );

/// Refuses files that need a reader of a later version (glTF 2.0, section 3.2: asset.minVersion).
bool gelCheckGltfVersion( gelImporter* importer, const cgltf_data* data );

/// Warns of extensions that the file needs and that are not known.
void gelCheckGltfExtensions( gelImporter* importer, const cgltf_data* data );

/// Refuses loops and extreme depth in the node hierarchy.
bool gelCheckGltfNodes( gelImporter* importer, const cgltf_data* data );

/// What is wrong with an accessor, or NULL. Views, buffers (where loaded), strides, sparse parts, counts:
/// after this every element can be read. The text needs "accessor N " in front.
const char* gelFindAccessorFault( const cgltf_accessor* accessor );

/// Runs cgltf_validate where that is safe; a file that breaks a rule outside of what is read here gets a
/// warning.
void gelValidateGltf( gelImporter* importer, cgltf_data* data );

/// Loads the buffer of an accessor's views unless that was done. False: an error was added.
bool gelLoadAccessorBuffers( gelImporter* importer, cgltf_data* data, const cgltf_accessor* accessor );

/// Loads a buffer unless that was done. False: an error was added.
bool gelLoadGltfBuffer( gelImporter* importer, cgltf_data* data, cgltf_buffer* buffer );

/// The accessor of an attribute, or NULL.
cgltf_accessor* gelFindGltfAttribute( const cgltf_primitive* primitive, const char* name );

// ---- compressed data: gltf_compressed.c -----------------------------------------------------------------

/// Decodes a view of meshoptimizer, which is then one of a buffer of its own. False: an error was added.
bool gelDecodeGltfView( gelImporter* importer, cgltf_data* data, cgltf_buffer_view* view );

/// Whether the data of a primitive is there in the form of Draco only.
bool gelNeedsGltfDraco( const cgltf_primitive* primitive );
/// Decodes that, and gives its accessors what was decoded. False: an error was added.
bool gelDecodeGltfDraco(
	gelImporter* importer, cgltf_data* data, const gelGltfPlace* place, cgltf_primitive* primitive );

/// After gelFreeGltf.
void gelFreeGltfDecoded( gelImporter* importer );

/// Reads all elements as floats, `components` of each (fewer in the accessor: the rest of out stays as it
/// is). The accessor must be free of faults.
void gelReadAccessorFloats( const cgltf_accessor* accessor, uint32_t components, float* out );

/// Reads one element of an accessor that is not sparse, up to a matrix of 4 x 4.
void gelReadAccessorAt( const cgltf_accessor* accessor, size_t index, uint32_t components, float* out );

/// Reads all elements as indices. The accessor must be free of faults.
void gelReadAccessorIndices( const cgltf_accessor* accessor, uint32_t* out );
