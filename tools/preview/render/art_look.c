// SPDX-License-Identifier: MIT
#include "preview/render/art_look.h"

#include "common/import/mesh_import.h"
#include "preview/render/art_pictures.h"

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

// The file with the art of a pack: the same name with another ending. free() it; NULL: there is none.
static char* FindArtBeside( const char* pack )
{
	static const char* const ends[] = { ".glb", ".gltf", ".obj", ".fbx", ".ply", ".stl" };
	size_t length = strlen( pack );
	if ( length > 4 && strcasecmp( pack + length - 4, ".gel" ) == 0 ) length -= 4;
	char* path = malloc( length + 8 );
	for ( size_t i = 0; path != NULL && i < sizeof( ends ) / sizeof( ends[0] ); ++i )
	{
		struct stat info;
		snprintf( path, length + 8, "%.*s%s", (int)length, pack, ends[i] );
		if ( stat( path, &info ) == 0 && S_ISREG( info.st_mode ) ) return path;
	}
	free( path );
	return NULL;
}

// Packs keep vertices and triangles as the importer gives them, and where each vertex came from.
static bool IsArtOf( const gelMesh* mesh, const gelAsset* asset )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	if ( mesh->vertexCount != (uint32_t)info.vertexCount ||
		mesh->triangleCount != (uint32_t)info.triangleCount )
		return false;
	const uint32_t* sources = gelAsset_GetVertexSources( asset );
	return memcmp( mesh->indices, gelAsset_GetTriangles( asset ), 12 * (size_t)mesh->triangleCount ) == 0 &&
		( sources == NULL || memcmp( mesh->vertToSource, sources, 4 * (size_t)mesh->vertexCount ) == 0 );
}

// Moves texture coordinates to where the materials of their triangles want them (KHR_texture_transform).
static void PlacePictures( gelArtLook* look )
{
	const gelMesh* mesh = &look->mesh;
	bool* isDone = mesh->uvs != NULL ? calloc( (size_t)mesh->vertexCount + 1, sizeof( bool ) ) : NULL;
	for ( size_t i = 0; isDone != NULL && i < 3 * (size_t)mesh->triangleCount; ++i )
	{
		uint32_t material = mesh->triMaterial[i / 3], vertex = mesh->indices[i];
		if ( material == GEL_NO_INDEX || isDone[vertex] ) continue;
		const float* m = look->textures[material].place;
		float* uv = mesh->uvs + 2 * (size_t)vertex;
		isDone[vertex] = true;
		if ( m[0] == 0.0f && m[1] == 0.0f && m[3] == 0.0f && m[4] == 0.0f ) continue;
		float u = m[0] * uv[0] + m[1] * uv[1] + m[2], v = m[3] * uv[0] + m[4] * uv[1] + m[5];
		uv[0] = u;
		uv[1] = v;
	}
	free( isDone );
}

// What the pack says of its bake. NULL: nothing.
static json_t* ReadMeta( const gelAsset* asset )
{
	size_t bytes = 0;
	const char* text = gelAsset_GetMeta( asset, &bytes );
	return text != NULL ? json_loadb( text, bytes, 0, NULL ) : NULL;
}

// Reads the art of a pack. Art that is not that of the pack, and pictures that cannot be read, are warnings:
// the body is shown without them. False: nothing was loaded.
static bool LoadArtLook( gelArtLook* look, const char* path, const gelAsset* asset, gelFindings* findings )
{
	memset( look, 0, sizeof( *look ) );
	gelFindings own = { .quiet = true }; // what is wrong with the art was said when it was baked
	json_t* meta = ReadMeta( asset );
	const gelImportOptions options = { .nodes = json_string_value( json_object_get( meta, "nodes" ) ),
		.excluded = json_string_value( json_object_get( meta, "exclude" ) ) };
	bool ok = gelImportMeshWith( path, &options, &own, &look->mesh, NULL );
	json_decref( meta );
	gelFreeFindings( &own );
	if ( ok && !IsArtOf( &look->mesh, asset ) )
	{
		gelFreeMesh( &look->mesh );
		ok = false;
	}
	if ( !ok )
	{
		gelFindings_Add( findings, gel_findingArtNotOfPack, path,
			"this is not the art that the pack was baked from, so its colors are not shown; bake again, or "
			"name the right file with --art" );
		memset( look, 0, sizeof( *look ) );
		return false;
	}
	look->isLoaded = true;
	look->textures = calloc( (size_t)look->mesh.materialCount + 1, sizeof( gelArtTexture ) );
	if ( look->textures != NULL ) gelLoadArtPictures( path, &look->mesh, look->textures, findings );
	if ( look->textures != NULL ) PlacePictures( look );
	return true;
}

void gelFreeArtLook( gelArtLook* look )
{
	for ( uint32_t i = 0; look->textures != NULL && i < look->mesh.materialCount; ++i )
	{
		free( look->textures[i].pixels );
		free( look->textures[i].file );
	}
	free( look->textures );
	if ( look->isLoaded ) gelFreeMesh( &look->mesh );
	memset( look, 0, sizeof( *look ) );
}

char* gelLoadPackArt( gelArtLook* look, const char* pack, const char* art, bool isItsArt,
	const gelAsset* asset, gelFindings* findings )
{
	gelFindings quiet = { .quiet = true };
	bool isLoaded = art != NULL && LoadArtLook( look, art, asset, isItsArt ? findings : &quiet );
	gelFreeFindings( &quiet );
	if ( isLoaded || ( art != NULL && isItsArt ) ) return strdup( art );
	char* beside = FindArtBeside( pack );
	if ( beside != NULL ) LoadArtLook( look, beside, asset, findings );
	return beside;
}
