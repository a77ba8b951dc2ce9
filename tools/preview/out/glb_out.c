// SPDX-License-Identifier: MIT
#include "preview/out/glb_out.h"

#include "common/program/output_file.h"
#include "preview/out/glb_parts.h"

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

static json_t* VectorJson( gelVec3 v )
{
	return json_pack( "[f,f,f]", (double)v.x, (double)v.y, (double)v.z );
}

int gelGlb_AddView( gelGlbParts* b, const void* bytes, size_t byteCount, int target )
{
	size_t padded = ( byteCount + 3 ) & ~(size_t)3;
	memcpy( b->bin + b->used, bytes, byteCount );
	memset( b->bin + b->used + byteCount, 0, padded - byteCount );
	json_t* view = json_pack( "{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)b->used, "byteLength",
		(json_int_t)byteCount );
	if ( target != 0 ) json_object_set_new( view, "target", json_integer( target ) );
	json_array_append_new( b->views, view );
	b->used += padded;
	return (int)json_array_size( b->views ) - 1;
}

int gelGlb_AddAccessor( gelGlbParts* b, const void* bytes, size_t byteCount, int componentType,
	const char* type, size_t count, int target, const gelAabb* bounds )
{
	json_t* accessor =
		json_pack( "{s:i,s:i,s:I,s:s}", "bufferView", gelGlb_AddView( b, bytes, byteCount, target ),
			"componentType", componentType, "count", (json_int_t)count, "type", type );
	if ( bounds != NULL )
	{
		json_object_set_new( accessor, "min", VectorJson( bounds->min ) );
		json_object_set_new( accessor, "max", VectorJson( bounds->max ) );
	}
	json_array_append_new( b->accessors, accessor );
	return (int)json_array_size( b->accessors ) - 1;
}

static gelAabb BoundsOf( const gelVec3* values, int count )
{
	gelAabb box = gelAabb_Empty();
	for ( int i = 0; i < count; ++i )
		box = gelAabb_Add( box, values[i] );
	return box;
}

// Positions and normals of one shape, or what they differ by from those of the first: { POSITION, NORMAL }.
static json_t* AddShape( gelGlbParts* b, const gelVec3* positions, const gelVec3* normals, int count )
{
	gelAabb box = BoundsOf( positions, count );
	size_t bytes = (size_t)count * sizeof( gelVec3 );
	int position =
		gelGlb_AddAccessor( b, positions, bytes, gel_glbFloat, "VEC3", (size_t)count, gel_glbArray, &box );
	json_t* shape = json_pack( "{s:i}", "POSITION", position );
	if ( normals != NULL )
		json_object_set_new( shape, "NORMAL",
			json_integer( gelGlb_AddAccessor(
				b, normals, bytes, gel_glbFloat, "VEC3", (size_t)count, gel_glbArray, NULL ) ) );
	return shape;
}

// ---- meshes ------------------------------------------------------------------------------------------

typedef struct Shape
{
	gelVec3 *positions, *normals;           // of a moment
	gelVec3 *firstPositions, *firstNormals; // of the first one
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
	const gelRecording* r = b->recording;
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
			json_integer( gelGlb_AddAccessor(
				b, look->mesh.uvs, 8 * count, gel_glbFloat, "VEC2", count, gel_glbArray, NULL ) ) );
	if ( look->mesh.colors != NULL )
		json_object_set_new( attributes, "COLOR_0",
			json_integer( gelGlb_AddAccessor(
				b, look->mesh.colors, 16 * count, gel_glbFloat, "VEC4", count, gel_glbArray, NULL ) ) );
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
		int input = gelGlb_AddAccessor( b, times, 4 * moments, gel_glbFloat, "SCALAR", moments, 0, NULL );
		json_t* accessor = json_array_get( b->accessors, (size_t)input );
		json_object_set_new( accessor, "min", json_pack( "[f]", (double)times[0] ) );
		json_object_set_new( accessor, "max", json_pack( "[f]", (double)times[moments - 1] ) );
		int output = gelGlb_AddAccessor(
			b, weights, 4 * moments * targets, gel_glbFloat, "SCALAR", moments * targets, 0, NULL );
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
	json_object_set( root, "accessors", b->accessors );
	json_object_set( root, "bufferViews", b->views );
	json_object_set_new( root, "buffers", json_pack( "[{s:I}]", "byteLength", (json_int_t)b->used ) );
	return root;
}

// ---- file --------------------------------------------------------------------------------------------

static void PutU32( uint8_t* out, size_t value )
{
	for ( int i = 0; i < 4; ++i )
		out[i] = (uint8_t)( value >> ( 8 * i ) );
}

// 12 bytes header | JSON chunk, padded with blanks | BIN chunk, whose parts are all multiples of 4 bytes.
static bool WriteFile( const gelGlbParts* b, const json_t* root, const char* path, gelFindings* findings )
{
	char* text = json_dumps( root, JSON_COMPACT | JSON_REAL_PRECISION( 9 ) );
	if ( text == NULL )
	{
		gelFindings_Add( findings, gel_findingNoMemory, path, "out of memory for the JSON of a GLB file" );
		return false;
	}
	size_t length = strlen( text ), padded = ( length + 3 ) & ~(size_t)3;
	uint8_t header[20] = "glTF", chunk[8];
	PutU32( header + 4, 2 );
	PutU32( header + 8, 12 + 8 + padded + 8 + b->used );
	PutU32( header + 12, padded );
	memcpy( header + 16, "JSON", 4 );
	PutU32( chunk, b->used );
	memcpy( chunk + 4, "BIN", 4 );
	gelOutputFile file;
	bool ok = gelOutputFile_Begin( &file, path, findings );
	if ( ok )
	{
		fwrite( header, 1, sizeof( header ), file.stream );
		fwrite( text, 1, length, file.stream );
		fwrite( "   ", 1, padded - length, file.stream );
		fwrite( chunk, 1, sizeof( chunk ), file.stream );
		fwrite( b->bin, 1, b->used, file.stream );
		ok = gelOutputFile_Commit( &file, findings );
	}
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
		.accessors = json_array(),
		.views = json_array(),
		.materials = json_array(),
		.images = json_array(),
		.textures = json_array(),
		.packImages = calloc( (size_t)packCount, sizeof( int ) ) };
	b.capacity =
		(size_t)( CountBytes( scene, (uint64_t)recording->momentCount ) + gelGlb_CountLookBytes( &b ) );
	b.bin = b.capacity <= 2 * GEL_MAX_GLB_BYTES ? malloc( b.capacity + 1 ) : NULL; // pictures are huge
	gelResult result = b.bin != NULL && b.packImages != NULL ? gel_success : gel_errorMemory;
	json_t* root = result == gel_success ? BuildJson( &b, &result ) : NULL;
	bool ok = result == gel_success && root != NULL && WriteFile( &b, root, path, findings );
	if ( result != gel_success )
		gelFindings_Add( findings,
			result == gel_errorMemory ? gel_findingNoMemory : gel_findingSimulationFailed, path,
			"the GLB file cannot be made: %s", gelResult_String( result ) );
	json_decref( root );
	json_t* const lists[] = { b.accessors, b.views, b.materials, b.images, b.textures };
	for ( size_t i = 0; i < sizeof( lists ) / sizeof( lists[0] ); ++i )
		json_decref( lists[i] );
	free( b.packImages );
	free( b.bin );
	return ok;
}
