// SPDX-License-Identifier: MIT
#include "glb_out.h"

#include "output_file.h"
#include "stage_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	typeFloat = 5126,
	typeUnsignedInt = 5125,
	targetArray = 34962,
	targetElements = 34963,
};

typedef struct Builder
{
	const gelRecording* recording;
	gelScene* scene;
	uint8_t* bin;
	size_t used;
	json_t *accessors, *views;
} Builder;

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
	gelFindings_Add( findings, gel_finding5, path,
		"the GLB file would have %.1f GB; ask for fewer --moments (now %d)", 1e-9 * (double)bytes, moments );
	return false;
}

static json_t* VectorJson( gelVec3 v )
{
	return json_pack( "[f,f,f]", (double)v.x, (double)v.y, (double)v.z );
}

// Appends bytes as a buffer view with one accessor. @return number of the accessor
static int AddAccessor( Builder* b, const void* bytes, size_t byteCount, int componentType, const char* type,
	size_t count, int target, const gelAabb* bounds )
{
	memcpy( b->bin + b->used, bytes, byteCount );
	json_t* view = json_pack( "{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)b->used, "byteLength",
		(json_int_t)byteCount );
	if ( target != 0 ) json_object_set_new( view, "target", json_integer( target ) );
	json_t* accessor = json_pack( "{s:i,s:i,s:I,s:s}", "bufferView", (int)json_array_size( b->views ),
		"componentType", componentType, "count", (json_int_t)count, "type", type );
	if ( bounds != NULL )
	{
		json_object_set_new( accessor, "min", VectorJson( bounds->min ) );
		json_object_set_new( accessor, "max", VectorJson( bounds->max ) );
	}
	json_array_append_new( b->views, view );
	json_array_append_new( b->accessors, accessor );
	b->used += byteCount;
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
static json_t* AddShape( Builder* b, const gelVec3* positions, const gelVec3* normals, int count )
{
	gelAabb box = BoundsOf( positions, count );
	size_t bytes = (size_t)count * sizeof( gelVec3 );
	int position = AddAccessor( b, positions, bytes, typeFloat, "VEC3", (size_t)count, targetArray, &box );
	json_t* shape = json_pack( "{s:i}", "POSITION", position );
	if ( normals != NULL )
		json_object_set_new( shape, "NORMAL",
			json_integer(
				AddAccessor( b, normals, bytes, typeFloat, "VEC3", (size_t)count, targetArray, NULL ) ) );
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

static gelResult TakeShape( Builder* b, int body, int moment, Shape* shape )
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
		positions[i] = gelPvSub( positions[i], shape->firstPositions[i] );
		if ( shape->hasNormals ) normals[i] = gelPvSub( normals[i], shape->firstNormals[i] );
	}
	return gel_success;
}

static json_t* AddMesh( Builder* b, int body, gelResult* outResult )
{
	const gelAsset* asset = gelBody_GetAsset( b->scene->bodies[body] );
	size_t corners = 3 * (size_t)gelAsset_GetInfo( asset ).triangleCount;
	json_t* targets = json_array();
	json_t* weights = json_array();
	json_t* attributes = NULL;
	Shape shape;
	*outResult = AllocateShape( &shape, asset ) ? gel_success : gel_errorMemory;
	int indices = *outResult == gel_success ? AddAccessor( b, gelAsset_GetTriangles( asset ), 4 * corners,
												  typeUnsignedInt, "SCALAR", corners, targetElements, NULL )
											: 0;
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
			json_array_append_new( targets, added ), json_array_append_new( weights, json_real( 0.0 ) );
	}
	FreeShape( &shape );
	json_t* primitive =
		json_pack( "{s:o?,s:i,s:i}", "attributes", attributes, "indices", indices, "material", body );
	if ( json_array_size( targets ) > 0 ) json_object_set( primitive, "targets", targets );
	json_t* mesh = json_pack( "{s:[o]}", "primitives", primitive );
	if ( json_array_size( weights ) > 0 ) json_object_set( mesh, "weights", weights );
	json_decref( targets );
	json_decref( weights );
	return mesh;
}

// ---- animation ---------------------------------------------------------------------------------------

// At moment m target m - 1 has weight 1 and all others 0; between moments weights go over linearly.
static json_t* AddAnimation( Builder* b )
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
		int input = AddAccessor( b, times, 4 * moments, typeFloat, "SCALAR", moments, 0, NULL );
		json_t* accessor = json_array_get( b->accessors, (size_t)input );
		json_object_set_new( accessor, "min", json_pack( "[f]", (double)times[0] ) );
		json_object_set_new( accessor, "max", json_pack( "[f]", (double)times[moments - 1] ) );
		int output =
			AddAccessor( b, weights, 4 * moments * targets, typeFloat, "SCALAR", moments * targets, 0, NULL );
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

static json_t* MaterialJson( int body )
{
	gelColor c = gelBodyColor( body );
	return json_pack( "{s:{s:[f,f,f,f],s:f,s:f}}", "pbrMetallicRoughness", "baseColorFactor", (double)c.r,
		(double)c.g, (double)c.b, 1.0, "metallicFactor", 0.0, "roughnessFactor", 0.45 );
}

// The whole JSON part, or NULL.
static json_t* BuildJson( Builder* b, gelResult* outResult )
{
	json_t *nodes = json_array(), *meshes = json_array(), *materials = json_array(), *roots = json_array();
	*outResult = gel_success;
	for ( int i = 0; i < b->scene->bodyCount && *outResult == gel_success; ++i )
	{
		char name[32];
		snprintf( name, sizeof( name ), "body %d", i );
		json_array_append_new( meshes, AddMesh( b, i, outResult ) );
		json_array_append_new( materials, MaterialJson( i ) );
		json_array_append_new( nodes, json_pack( "{s:s,s:i}", "name", name, "mesh", i ) );
		json_array_append_new( roots, json_integer( i ) );
	}
	json_t* root = json_pack( "{s:{s:s,s:s},s:i,s:[{s:o}],s:o,s:o,s:o}", "asset", "version", "2.0",
		"generator", "gel-preview", "scene", 0, "scenes", "nodes", roots, "nodes", nodes, "meshes", meshes,
		"materials", materials );
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
static bool WriteFile( const Builder* b, const json_t* root, const char* path, gelFindings* findings )
{
	char* text = json_dumps( root, JSON_COMPACT | JSON_REAL_PRECISION( 9 ) );
	if ( text == NULL )
	{
		gelFindings_Add( findings, gel_finding3, path, "out of memory for the JSON of a GLB file" );
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

bool gelWriteAnimatedGlb(
	const gelRecording* recording, gelScene* scene, const char* path, gelProgram* program )
{
	gelFindings* findings = &program->findings;
	uint64_t bytes = CountBytes( scene, (uint64_t)recording->momentCount );
	Builder b = { .recording = recording,
		.scene = scene,
		.bin = malloc( (size_t)bytes + 1 ),
		.accessors = json_array(),
		.views = json_array() };
	gelResult result = b.bin != NULL ? gel_success : gel_errorMemory;
	json_t* root = result == gel_success ? BuildJson( &b, &result ) : NULL;
	bool ok = result == gel_success && root != NULL && WriteFile( &b, root, path, findings );
	if ( result != gel_success )
		gelFindings_Add( findings, result == gel_errorMemory ? gel_finding3 : gel_finding705, path,
			"the GLB file cannot be made: %s", gelResult_String( result ) );
	json_decref( root );
	json_decref( b.accessors );
	json_decref( b.views );
	free( b.bin );
	return ok;
}
