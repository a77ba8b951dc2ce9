// SPDX-License-Identifier: MIT
#include "preview/out/glb_parts.h"

#include "preview/render/picture_decode.h"
#include "preview/stage/stage_view.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

const gelArtLook* gelGlb_GetLook( const gelGlbParts* parts, int body )
{
	GEL_ASSERT( body >= 0 && body < parts->scene->bodyCount );
	if ( parts->looks == NULL ) return NULL;
	const gelArtLook* look = parts->looks + parts->scene->packs[body];
	return look->isLoaded && ( look->mesh.materialCount > 0 || look->mesh.colors != NULL ) ? look : NULL;
}

uint64_t gelGlb_CountLookBytes( const gelGlbParts* parts )
{
	uint64_t bytes = 0;
	for ( int i = 0; i < parts->scene->bodyCount; ++i )
	{
		const gelArtLook* look = gelGlb_GetLook( parts, i );
		if ( look == NULL ) continue;
		if ( look->mesh.uvs != NULL ) bytes += 8u * (uint64_t)look->mesh.vertexCount;
		if ( look->mesh.colors != NULL ) bytes += 16u * (uint64_t)look->mesh.vertexCount;
		for ( uint32_t m = 0; look->textures != NULL && m < look->mesh.materialCount; ++m )
			bytes += ( look->textures[m].fileBytes + 3u ) & ~(uint64_t)3;
	}
	return bytes;
}

static json_t* MakeMaterial( gelColor c, float alpha )
{
	return json_pack( "{s:{s:[f,f,f,f],s:f,s:f}}", "pbrMetallicRoughness", "baseColorFactor", (double)c.r,
		(double)c.g, (double)c.b, (double)alpha, "metallicFactor", 0.0, "roughnessFactor", 0.45 );
}

// Files of the pictures of a pack, once for all of its bodies; texture number t shows image number t.
static void AddImages( gelGlbParts* parts, int pack, const gelArtLook* look )
{
	if ( parts->packImages[pack] != 0 ) return;
	parts->packImages[pack] = (int)json_array_size( parts->images ) + 1;
	for ( uint32_t m = 0; m < look->mesh.materialCount; ++m )
	{
		const gelArtTexture* texture = look->textures + m;
		if ( texture->pixels == NULL ) continue;
		const char* type = gelIsJpeg( texture->file, texture->fileBytes ) ? "image/jpeg" : "image/png";
		int view = gelGlbBuffer_AddView( &parts->buffer, texture->file, texture->fileBytes, 0 );
		json_array_append_new(
			parts->images, json_pack( "{s:i,s:s}", "bufferView", view, "mimeType", type ) );
		json_array_append_new(
			parts->textures, json_pack( "{s:i}", "source", (int)json_array_size( parts->textures ) ) );
	}
}

int gelGlb_AddMaterials( gelGlbParts* parts, int body )
{
	GEL_ASSERT( body >= 0 );
	int first = (int)json_array_size( parts->materials );
	const gelArtLook* look = gelGlb_GetLook( parts, body );
	bool hasPictures = look != NULL && look->textures != NULL && look->mesh.uvs != NULL;
	if ( hasPictures ) AddImages( parts, parts->scene->packs[body], look );
	int image = hasPictures ? parts->packImages[parts->scene->packs[body]] - 1 : 0;
	for ( uint32_t m = 0; look != NULL && m < look->mesh.materialCount; ++m )
	{
		json_t* material =
			MakeMaterial( gelMaterialColor( look, m, body ), look->mesh.materials[m].baseColor[3] );
		if ( hasPictures && look->textures[m].pixels != NULL )
			json_object_set_new( json_object_get( material, "pbrMetallicRoughness" ), "baseColorTexture",
				json_pack( "{s:i}", "index", image++ ) );
		json_array_append_new( parts->materials, material );
	}
	// color of triangles without a material
	gelColor color = look != NULL ? gelMaterialColor( look, GEL_NO_INDEX, body ) : gelBodyColor( body );
	json_array_append_new( parts->materials, MakeMaterial( color, 1.0f ) );
	return first;
}

static void AddPrimitive(
	gelGlbParts* parts, json_t* primitives, const uint32_t* corners, size_t count, int material )
{
	int indices = gelGlbBuffer_AddAccessor(
		&parts->buffer, corners, 4 * count, gel_glbUnsignedInt, "SCALAR", count, gel_glbElements );
	json_array_append_new( primitives, json_pack( "{s:i,s:i}", "indices", indices, "material", material ) );
}

json_t* gelGlb_AddPrimitives( gelGlbParts* parts, int body, int firstMaterial )
{
	GEL_ASSERT( firstMaterial >= 0 );
	const gelAsset* asset = gelBody_GetAsset( parts->scene->bodies[body] );
	const gelArtLook* look = gelGlb_GetLook( parts, body );
	size_t triangles = (size_t)gelAsset_GetInfo( asset ).triangleCount;
	const uint32_t* all = gelAsset_GetTriangles( asset );
	json_t* primitives = json_array();
	if ( look == NULL )
	{
		AddPrimitive( parts, primitives, all, 3 * triangles, firstMaterial );
		return primitives;
	}
	uint32_t* corners = malloc( ( 3 * triangles + 1 ) * sizeof( uint32_t ) );
	for ( uint32_t m = 0; corners != NULL && m <= look->mesh.materialCount; ++m )
	{
		uint32_t wanted = m < look->mesh.materialCount ? m : GEL_NO_INDEX;
		size_t count = 0;
		for ( size_t t = 0; t < triangles; ++t )
		{
			if ( look->mesh.triMaterial[t] != wanted ) continue;
			memcpy( corners + count, all + 3 * t, 3 * sizeof( uint32_t ) );
			count += 3;
		}
		if ( count > 0 ) AddPrimitive( parts, primitives, corners, count, firstMaterial + (int)m );
	}
	if ( corners == NULL )
	{
		json_decref( primitives );
		primitives = NULL;
	}
	free( corners );
	return primitives;
}
