// SPDX-License-Identifier: MIT
// The rest body of a pack with particles as a skinned mesh in a GLB file, for engines that skin on the
// graphics card: a joint for each particle, its weights as JOINTS_0 and WEIGHTS_0. A joint stands where its
// particle is at rest, turned as the axes of its ellipsoid; the game moves it to position and R Eb
// (particles.h). The binary chunk holds the arrays in the order of Array below.
#include "inspect/inspect.h"

#include "common/mesh/glb_file.h"

#include <gelpack/asserts.h>
#include <gelpack/gelpack.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum Array
{
	arrayPositions,
	arrayNormals,
	arrayJoints,
	arrayWeights,
	arrayIndices,
	arrayBinds,
	arrayCount,
} Array;

typedef struct Skin
{
	const gelAsset* asset;
	gelAssetInfo info;
	gelParticle* particles;
	int particleCount;
	uint8_t* data[arrayCount];
	size_t bytes[arrayCount]; // multiples of 4
	gelVec3 low, high;        // box around the positions [m]
	gelGlbBuffer buffer;
} Skin;

static void FreeSkin( Skin* skin )
{
	for ( int i = 0; i < arrayCount; ++i )
		free( skin->data[i] );
	free( skin->particles );
	gelFreeGlbBuffer( &skin->buffer );
}

// Positions and normals of a body at rest at the origin.
static bool FillVertices( Skin* skin )
{
	GEL_ASSERT( skin->info.vertexCount > 0 );
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.bodyCapacity = 1;
	gelWorldId world = { NULL };
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = skin->asset;
	def.solver = gelDefaultSolverDef( gel_solverOrientedParticles );
	gelBodyId body;
	int count = skin->info.vertexCount;
	bool ok = gelCreateWorld( &worldDef, &world ) == gel_success &&
		gelCreateBody( world, &def, &body ) == gel_success;
	gelVec3* positions = (gelVec3*)(void*)skin->data[arrayPositions];
	if ( ok ) gelBody_GetPositions( body, positions, count );
	if ( ok && skin->info.hasNormals )
		gelBody_GetNormals( body, (gelVec3*)(void*)skin->data[arrayNormals], count );
	if ( world.world ) gelDestroyWorld( world );
	skin->low = skin->high = positions[0];
	for ( int i = 0; i < count; ++i )
	{
		const gelVec3* p = positions + i;
		skin->low =
			( gelVec3 ){ fminf( skin->low.x, p->x ), fminf( skin->low.y, p->y ), fminf( skin->low.z, p->z ) };
		skin->high = ( gelVec3 ){ fmaxf( skin->high.x, p->x ), fmaxf( skin->high.y, p->y ),
			fmaxf( skin->high.z, p->z ) };
	}
	return ok;
}

// Joints that carry nothing are 0, as the format wants it.
static void FillWeights( Skin* skin )
{
	const gelSkinVertex* from = gelAsset_GetSkin( skin->asset );
	uint16_t *joints = (uint16_t*)(void*)skin->data[arrayJoints],
			 *weights = (uint16_t*)(void*)skin->data[arrayWeights];
	for ( int i = 0; i < skin->info.vertexCount; ++i )
	{
		for ( int k = 0; k < 4; ++k )
		{
			weights[4 * (size_t)i + (size_t)k] = from[i].weight[k];
			joints[4 * (size_t)i + (size_t)k] = from[i].weight[k] > 0 ? from[i].joint[k] : 0;
		}
	}
}

// Inverse of the joint's rest transform, by columns: Eb^T ( p - xb ).
static void FillBinds( Skin* skin )
{
	GEL_ASSERT( skin->particleCount > 0 && skin->particles != NULL );
	float* out = (float*)(void*)skin->data[arrayBinds];
	for ( int i = 0; i < skin->particleCount; ++i, out += 16 )
	{
		const gelParticle* p = skin->particles + i;
		double x = p->rotation.v.x, y = p->rotation.v.y, z = p->rotation.v.z, w = p->rotation.s;
		double s = 2.0 / ( x * x + y * y + z * z + w * w );
		const double e[3][3] = {
			{ 1.0 - s * ( y * y + z * z ), s * ( x * y - w * z ), s * ( x * z + w * y ) },
			{ s * ( x * y + w * z ), 1.0 - s * ( x * x + z * z ), s * ( y * z - w * x ) },
			{ s * ( x * z - w * y ), s * ( y * z + w * x ), 1.0 - s * ( x * x + y * y ) },
		};
		for ( int row = 0; row < 3; ++row )
		{
			for ( int column = 0; column < 3; ++column )
				out[4 * column + row] = (float)e[column][row];
			out[12 + row] = (float)-( e[0][row] * (double)p->position.x + e[1][row] * (double)p->position.y +
				e[2][row] * (double)p->position.z );
		}
		out[3] = out[7] = out[11] = 0.0f;
		out[15] = 1.0f;
	}
}

// Sizes first, then memory for all, then contents: a lack of memory leaves nothing half made.
static bool FillSkin( Skin* skin )
{
	size_t vertices = (size_t)skin->info.vertexCount, triangles = (size_t)skin->info.triangleCount;
	skin->particleCount = gelAsset_GetParticles( skin->asset, NULL, 0 );
	const size_t bytes[arrayCount] = { 12 * vertices, skin->info.hasNormals ? 12 * vertices : 0, 8 * vertices,
		8 * vertices, 12 * triangles, 64 * (size_t)skin->particleCount };
	skin->particles = malloc( (size_t)skin->particleCount * sizeof( gelParticle ) );
	bool ok = skin->particles != NULL;
	for ( int i = 0; i < arrayCount; ++i )
	{
		skin->bytes[i] = bytes[i];
		skin->data[i] = malloc( bytes[i] + 4 );
		ok = ok && skin->data[i] != NULL;
	}
	if ( !ok || !FillVertices( skin ) ) return false;
	gelAsset_GetParticles( skin->asset, skin->particles, skin->particleCount );
	FillWeights( skin );
	FillBinds( skin );
	memcpy( skin->data[arrayIndices], gelAsset_GetTriangles( skin->asset ), skin->bytes[arrayIndices] );
	return true;
}

// ---- JSON ------------------------------------------------------------------------------------------------

// An accessor over an array; in their order. @return its number
static int AddAccessor( Skin* skin, Array array, int component, const char* type, int count )
{
	GEL_ASSERT( count >= 0 );
	int target = array == arrayBinds ? 0 : array == arrayIndices ? gel_glbElements : gel_glbArray;
	return gelGlbBuffer_AddAccessor(
		&skin->buffer, skin->data[array], skin->bytes[array], component, type, (size_t)count, target );
}

// Node 0 has the mesh, node 1 the joints, which follow.
static void AddNodes( json_t* root, Skin* skin )
{
	json_t *nodes = json_array(), *joints = json_array(), *children = json_array();
	json_array_append_new( nodes, json_pack( "{s:s, s:i, s:i}", "name", "body", "mesh", 0, "skin", 0 ) );
	for ( int i = 0; i < skin->particleCount; ++i )
	{
		json_array_append_new( joints, json_integer( 2 + i ) );
		json_array_append_new( children, json_integer( 2 + i ) );
	}
	json_array_append_new( nodes, json_pack( "{s:s, s:o}", "name", "particles", "children", children ) );
	for ( int i = 0; i < skin->particleCount; ++i )
	{
		const gelParticle* p = skin->particles + i;
		const float q[4] = { p->rotation.v.x, p->rotation.v.y, p->rotation.v.z, p->rotation.s };
		json_array_append_new( nodes,
			json_pack( "{s:o, s:o, s:o}", "name", json_sprintf( "particle %d", i ), "translation",
				gelMakeGlbVector( &p->position.x, 3 ), "rotation", gelMakeGlbVector( q, 4 ) ) );
	}
	json_object_set_new( root, "nodes", nodes );
	int binds = AddAccessor( skin, arrayBinds, gel_glbFloat, "MAT4", skin->particleCount );
	json_object_set_new( root, "skins",
		json_pack( "[{s:i, s:i, s:o}]", "inverseBindMatrices", binds, "skeleton", 1, "joints", joints ) );
}

static json_t* MakeJson( Skin* skin )
{
	int n = skin->info.vertexCount;
	size_t total = 0;
	for ( int i = 0; i < arrayCount; ++i )
		total += skin->bytes[i];
	json_t* root =
		json_pack( "{s:{s:s, s:s}, s:i, s:[{s:[i, i]}], s:O, s:O, s:[{s:I}]}", "asset", "version", "2.0",
			"generator", "gelpack", "scene", 0, "scenes", "nodes", 0, 1, "accessors", skin->buffer.accessors,
			"bufferViews", skin->buffer.views, "buffers", "byteLength", (json_int_t)total );
	json_t* attributes = json_object();
	json_object_set_new( attributes, "POSITION",
		json_integer( AddAccessor( skin, arrayPositions, gel_glbFloat, "VEC3", n ) ) );
	gelGlbBuffer_SetBounds( &skin->buffer, &skin->low.x, &skin->high.x, 3 );
	if ( skin->info.hasNormals )
		json_object_set_new( attributes, "NORMAL",
			json_integer( AddAccessor( skin, arrayNormals, gel_glbFloat, "VEC3", n ) ) );
	json_object_set_new( attributes, "JOINTS_0",
		json_integer( AddAccessor( skin, arrayJoints, gel_glbUnsignedShort, "VEC4", n ) ) );
	json_object_set_new( attributes, "WEIGHTS_0",
		json_integer( AddAccessor( skin, arrayWeights, gel_glbUnsignedShort, "VEC4", n ) ) );
	json_object_set_new(
		json_array_get( skin->buffer.accessors, json_array_size( skin->buffer.accessors ) - 1 ), "normalized",
		json_true() );
	int indices =
		AddAccessor( skin, arrayIndices, gel_glbUnsignedInt, "SCALAR", 3 * skin->info.triangleCount );
	json_object_set_new( root, "meshes",
		json_pack( "[{s:[{s:o, s:i}]}]", "primitives", "attributes", attributes, "indices", indices ) );
	AddNodes( root, skin );
	return root;
}

// ---- the file --------------------------------------------------------------------------------------------

// The header of a GLB file counts bytes in 32 bits.
static bool WriteSkin( Skin* skin, const char* path, gelFindings* findings )
{
	skin->buffer = gelMakeGlbBuffer();
	json_t* root = FillSkin( skin ) ? MakeJson( skin ) : NULL;
	char* json = root != NULL && !skin->buffer.failed ? gelFormatGlbJson( root ) : NULL;
	size_t jsonBytes = json != NULL ? strlen( json ) : 0;
	bool fits = json != NULL && gelCountGlbBytes( jsonBytes, skin->buffer.count ) <= 0xFFFFFFFFu;
	if ( !fits )
		gelFindings_Add( findings, gel_findingNoMemory, path, "there is no memory for the skinned mesh" );
	bool ok = fits && gelWriteGlb( path, json, jsonBytes, skin->buffer.bytes, skin->buffer.count, findings );
	free( json );
	json_decref( root );
	return ok;
}

bool gelWriteSkinGlb( const gelInspectedPack* pack, const char* path, gelFindings* findings )
{
	GEL_ASSERT( path != NULL );
	if ( pack->view.particles.header == NULL )
	{
		gelFindings_Add( findings, gel_findingNoPackParticles, pack->path,
			"there are no particles that could be joints; bake it with --particles" );
		return false;
	}
	gelAsset* asset = NULL;
	if ( gelLoadAsset( pack->bytes, pack->byteCount, NULL, &asset, NULL ) != gel_success )
	{
		gelFindings_Add( findings, gel_findingNoMemory, pack->path, "there is no memory to load the pack" );
		return false;
	}
	Skin skin = { .asset = asset, .info = gelAsset_GetInfo( asset ) };
	bool ok = WriteSkin( &skin, path, findings );
	FreeSkin( &skin );
	gelDestroyAsset( asset );
	return ok;
}
