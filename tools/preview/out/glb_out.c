// SPDX-License-Identifier: MIT
// A film as an animated mesh that every glTF viewer plays: the first moment is the mesh, each further one a
// morph target (differences of positions and normals), and one animation blends from target to target. Bytes
// grow with moments times vertices, and the table of weights with the square of the moments.
#include "preview/out/glb_out.h"

#include "common/program/memory.h"
#include "preview/out/glb_parts.h"

#include <gelpack/asserts.h>
#include <gelpack/math_float.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- bytes -------------------------------------------------------------------------------------------

static uint64_t CountBytes( const gelScene* scene, uint64_t moments )
{
	uint64_t bytes = 0;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		gelAssetInfo info = gelAsset_GetInfo( gelBody_GetAsset( scene->bodies[i] ) );
		bytes += 12u * (uint64_t)info.triangleCount + moments * 24u * (uint64_t)info.vertexCount;
	}
	// Times, and the table of weights.
	return bytes + 4u * moments * ( 1u + moments );
}

bool gelCheckGlbSize( const gelScene* scene, int moments, const char* path, gelFindings* findings )
{
	uint64_t bytes = CountBytes( scene, (uint64_t)moments );
	if ( bytes <= GEL_MAX_GLB_BYTES ) return true;
	gelFindings_Add( findings, gel_findingUsage, path,
		"the GLB file would have %.1f GB; ask for fewer --moments (now %d)", 1e-9 * (double)bytes, moments );
	return false;
}

static gelAabb BoundsOf( const gelVec3* values, int count )
{
	GEL_ASSERT( count > 0 );
	gelAabb box = gelAabb_Empty();
	for ( int i = 0; i < count; ++i )
		box = gelAabb_Add( box, values[i] );
	return box;
}

// Positions and normals of one shape, or what they differ by from those of the first: { POSITION, NORMAL }.
static json_t* AddShape( gelGlbParts* b, const gelVec3* positions, const gelVec3* normals, int count )
{
	GEL_ASSERT( count > 0 );
	gelAabb box = BoundsOf( positions, count );
	size_t bytes = (size_t)count * sizeof( gelVec3 );
	int position = gelGlbBuffer_AddAccessor(
		&b->buffer, positions, bytes, gel_glbFloat, "VEC3", (size_t)count, gel_glbArray );
	gelGlbBuffer_SetBounds( &b->buffer, &box.min.x, &box.max.x, 3 );
	json_t* shape = json_pack( "{s:i}", "POSITION", position );
	if ( normals != NULL )
		json_object_set_new( shape, "NORMAL",
			json_integer( gelGlbBuffer_AddAccessor(
				&b->buffer, normals, bytes, gel_glbFloat, "VEC3", (size_t)count, gel_glbArray ) ) );
	return shape;
}

// ---- meshes ------------------------------------------------------------------------------------------

typedef struct Shape
{
	gelVec3 *positions, *normals;           // art at a moment [m]
	gelVec3 *firstPositions, *firstNormals; // art at the first moment [m]
	int count;
	bool hasNormals;
} Shape;

static bool AllocateShape( Shape* shape, const gelAsset* asset )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	*shape = ( Shape ){ .count = info.vertexCount, .hasNormals = info.hasNormals };
	gelVec3** arrays[4] = { &shape->positions, &shape->normals, &shape->firstPositions,
		&shape->firstNormals };
	bool ok = true;
	for ( int i = 0; i < 4; ++i )
	{
		*arrays[i] = malloc( ( (size_t)info.vertexCount + 1 ) * sizeof( gelVec3 ) );
		ok = ok && *arrays[i] != NULL;
	}
	return ok;
}

static void FreeShape( Shape* shape )
{
	free( shape->positions );
	free( shape->normals );
	free( shape->firstPositions );
	free( shape->firstNormals );
}

static gelResult TakeShape( gelGlbParts* b, int body, int moment, Shape* shape )
{
	GEL_ASSERT( moment >= 0 && moment < b->recording->momentCount );
	const gelRecording* r = b->recording;
	// The scene is set to the recorded moment and skinned again: recordings hold nodes, which are few, not
	// art.
	gelResult result = gelScene_SetNodes( b->scene, r->nodes + (size_t)moment * (size_t)r->nodeCount );
	if ( result != gel_success ) return result;
	gelVec3* positions = moment == 0 ? shape->firstPositions : shape->positions;
	gelVec3* normals = moment == 0 ? shape->firstNormals : shape->normals;
	gelBody_GetPositions( b->scene->bodies[body], positions, shape->count );
	if ( shape->hasNormals ) gelBody_GetNormals( b->scene->bodies[body], normals, shape->count );
	for ( int i = 0; moment > 0 && i < shape->count; ++i )
	{
		positions[i] = gelSub( positions[i], shape->firstPositions[i] );
		if ( shape->hasNormals ) normals[i] = gelSub( normals[i], shape->firstNormals[i] );
	}
	return gel_success;
}

// Where a vertex is in the pictures, and its color (linear, as glTF wants it).
static void AddVertexLooks( gelGlbParts* b, int body, json_t* attributes )
{
	const gelArtLook* look = gelGlb_GetLook( b, body );
	if ( look == NULL ) return;
	size_t count = look->mesh.vertexCount;
	if ( look->mesh.uvs != NULL )
		json_object_set_new( attributes, "TEXCOORD_0",
			json_integer( gelGlbBuffer_AddAccessor(
				&b->buffer, look->mesh.uvs, 8 * count, gel_glbFloat, "VEC2", count, gel_glbArray ) ) );
	if ( look->mesh.colors != NULL )
		json_object_set_new( attributes, "COLOR_0",
			json_integer( gelGlbBuffer_AddAccessor(
				&b->buffer, look->mesh.colors, 16 * count, gel_glbFloat, "VEC4", count, gel_glbArray ) ) );
}

// Attributes of the first moment, and what the others differ by from it. @return attributes
static json_t* AddShapes( gelGlbParts* b, int body, json_t* targets, gelResult* outResult )
{
	json_t* attributes = NULL;
	Shape shape;
	*outResult =
		AllocateShape( &shape, gelBody_GetAsset( b->scene->bodies[body] ) ) ? gel_success : gel_errorMemory;
	for ( int m = 0; m < b->recording->momentCount && *outResult == gel_success; ++m )
	{
		*outResult = TakeShape( b, body, m, &shape );
		if ( *outResult != gel_success ) break;
		const gelVec3* normals = m == 0 ? shape.firstNormals : shape.normals;
		json_t* added = AddShape( b, m == 0 ? shape.firstPositions : shape.positions,
			shape.hasNormals ? normals : NULL, shape.count );
		if ( m == 0 )
			attributes = added;
		else
			json_array_append_new( targets, added );
	}
	FreeShape( &shape );
	if ( attributes != NULL ) AddVertexLooks( b, body, attributes );
	return attributes;
}

// All primitives of a body share its vertices.
static json_t* AddMesh( gelGlbParts* b, int body, gelResult* outResult )
{
	GEL_ASSERT( body >= 0 );
	json_t* targets = json_array();
	json_t* weights = json_array();
	json_t* attributes = AddShapes( b, body, targets, outResult );
	json_t* primitives = gelGlb_AddPrimitives( b, body, gelGlb_AddMaterials( b, body ) );
	if ( primitives == NULL ) *outResult = gel_errorMemory;
	for ( size_t i = 0; i < json_array_size( targets ); ++i )
		json_array_append_new( weights, json_real( 0.0 ) );
	for ( size_t i = 0; i < json_array_size( primitives ); ++i )
	{
		json_t* primitive = json_array_get( primitives, i );
		// Shared by reference; jansson writes it out for each.
		json_object_set( primitive, "attributes", attributes );
		if ( json_array_size( targets ) > 0 ) json_object_set( primitive, "targets", targets );
	}
	json_t* mesh = json_pack( "{s:o?}", "primitives", primitives );
	if ( json_array_size( weights ) > 0 ) json_object_set( mesh, "weights", weights );
	json_decref( attributes );
	json_decref( targets );
	json_decref( weights );
	return mesh;
}

// ---- animation ---------------------------------------------------------------------------------------

// At moment m target m - 1 has weight 1 and all others 0; between moments weights go over linearly.
static json_t* AddAnimation( gelGlbParts* b )
{
	const gelRecording* r = b->recording;
	size_t moments = (size_t)r->momentCount, targets = moments - 1;
	float* times = calloc( moments, sizeof( float ) );
	float* weights = calloc( moments * targets + 1, sizeof( float ) );
	json_t* channels = json_array();
	json_t* animation = NULL;
	if ( times != NULL && weights != NULL )
	{
		for ( size_t m = 0; m < moments; ++m )
		{
			times[m] = (float)r->times[r->momentFrames[m]];
			if ( m > 0 ) weights[m * targets + m - 1] = 1.0f;
		}
		int input =
			gelGlbBuffer_AddAccessor( &b->buffer, times, 4 * moments, gel_glbFloat, "SCALAR", moments, 0 );
		gelGlbBuffer_SetBounds( &b->buffer, times, times + moments - 1, 1 );
		int output = gelGlbBuffer_AddAccessor(
			&b->buffer, weights, 4 * moments * targets, gel_glbFloat, "SCALAR", moments * targets, 0 );
		for ( int body = 0; body < b->scene->bodyCount; ++body )
			json_array_append_new( channels,
				json_pack( "{s:i,s:{s:i,s:s}}", "sampler", 0, "target", "node", body, "path", "weights" ) );
		animation = json_pack( "{s:s,s:O,s:[{s:i,s:i,s:s}]}", "name", b->scene->def.name, "channels",
			channels, "samplers", "input", input, "output", output, "interpolation", "LINEAR" );
	}
	free( times );
	free( weights );
	json_decref( channels );
	return animation;
}

// The whole JSON part, or NULL.
static json_t* BuildJson( gelGlbParts* b, gelResult* outResult )
{
	json_t *nodes = json_array(), *meshes = json_array(), *roots = json_array();
	*outResult = gel_success;
	for ( int i = 0; i < b->scene->bodyCount && *outResult == gel_success; ++i )
	{
		char name[32];
		snprintf( name, sizeof( name ), "body %d", i );
		json_array_append_new( meshes, AddMesh( b, i, outResult ) );
		json_array_append_new( nodes, json_pack( "{s:s,s:i}", "name", name, "mesh", i ) );
		json_array_append_new( roots, json_integer( i ) );
	}
	json_t* root = json_pack( "{s:{s:s,s:s},s:i,s:[{s:o}],s:o,s:o,s:O}", "asset", "version", "2.0",
		"generator", "gel-preview", "scene", 0, "scenes", "nodes", roots, "nodes", nodes, "meshes", meshes,
		"materials", b->materials );
	if ( json_array_size( b->images ) > 0 )
	{
		json_object_set( root, "images", b->images );
		json_object_set( root, "textures", b->textures );
	}
	if ( *outResult == gel_success && b->recording->momentCount > 1 )
	{
		json_t* animation = AddAnimation( b );
		if ( animation == NULL ) *outResult = gel_errorMemory;
		if ( animation != NULL ) json_object_set_new( root, "animations", json_pack( "[o]", animation ) );
	}
	json_object_set( root, "accessors", b->buffer.accessors );
	json_object_set( root, "bufferViews", b->buffer.views );
	json_object_set_new( root, "buffers", json_pack( "[{s:I}]", "byteLength", (json_int_t)b->buffer.count ) );
	return root;
}

// ---- file --------------------------------------------------------------------------------------------

static bool WriteFile( const gelGlbParts* b, const json_t* root, const char* path, gelFindings* findings )
{
	char* text = gelFormatGlbJson( root );
	if ( text == NULL )
		gelFindings_Add( findings, gel_findingNoMemory, path, "out of memory for the JSON of a GLB file" );
	bool ok =
		text != NULL && gelWriteGlb( path, text, strlen( text ), b->buffer.bytes, b->buffer.count, findings );
	free( text );
	return ok;
}

bool gelWriteAnimatedGlb( const gelRecording* recording, gelScene* scene, const gelArtLook* looks,
	const char* path, gelProgram* program )
{
	gelFindings* findings = &program->findings;
	int packCount = 1;
	for ( int i = 0; i < scene->bodyCount; ++i )
		packCount = scene->packs[i] >= packCount ? scene->packs[i] + 1 : packCount;
	gelGlbParts b = { .recording = recording,
		.scene = scene,
		.looks = looks,
		.buffer = gelMakeGlbBuffer(),
		.materials = json_array(),
		.images = json_array(),
		.textures = json_array(),
		.packImages = calloc( (size_t)packCount, sizeof( int ) ) };
	uint64_t bytes = CountBytes( scene, (uint64_t)recording->momentCount ) + gelGlb_CountLookBytes( &b );
	bool hasRoom = bytes <= 2 * GEL_MAX_GLB_BYTES && // pictures may be huge
		gelGrow( (void**)&b.buffer.bytes, &b.buffer.capacity, (size_t)bytes, 1 );
	gelResult result = hasRoom && b.packImages != NULL ? gel_success : gel_errorMemory;
	json_t* root = result == gel_success ? BuildJson( &b, &result ) : NULL;
	if ( b.buffer.failed ) result = gel_errorMemory;
	bool ok = result == gel_success && root != NULL && WriteFile( &b, root, path, findings );
	if ( result != gel_success )
		gelFindings_Add( findings,
			result == gel_errorMemory ? gel_findingNoMemory : gel_findingSimulationFailed, path,
			"the GLB file cannot be made: %s", gelResult_String( result ) );
	json_decref( root );
	json_decref( b.materials );
	json_decref( b.images );
	json_decref( b.textures );
	gelFreeGlbBuffer( &b.buffer );
	free( b.packImages );
	return ok;
}
