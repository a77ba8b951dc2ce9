// SPDX-License-Identifier: MIT
// Textures of the art: PNG and JPEG pictures in a glTF file, in its JSON and beside it are read, damaged ones
// are warnings; pictures, places and base colors go into animated GLB files.
#include "test_support.h"

#include "preview/render/art_pictures.h"
#include "preview/out/glb_out.h"
#include "preview/render/picture_decode.h"
#include "test_bodies.h"

#include <cgltf.h>
#include <png.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h> // needs stdio.h before it

#define PICTURE_SIDE 32

// The left half is of one color, the right half of another.
static const uint8_t halves[2][3] = { { 220, 40, 30 }, { 20, 60, 210 } };

static void FillPicture( uint8_t* rgb )
{
	for ( int i = 0; i < PICTURE_SIDE * PICTURE_SIDE; ++i )
		memcpy( rgb + 3 * i, halves[i % PICTURE_SIDE >= PICTURE_SIDE / 2], 3 );
}

// free() the result.
static uint8_t* MakeJpeg( int components, bool isProgressive, size_t* outBytes )
{
	struct jpeg_compress_struct info;
	struct jpeg_error_mgr errors;
	unsigned char* bytes = NULL;
	unsigned long count = 0;
	uint8_t rgb[3 * PICTURE_SIDE * PICTURE_SIDE];
	FillPicture( rgb );
	info.err = jpeg_std_error( &errors );
	jpeg_create_compress( &info );
	jpeg_mem_dest( &info, &bytes, &count );
	info.image_width = info.image_height = PICTURE_SIDE;
	info.input_components = components;
	info.in_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
	jpeg_set_defaults( &info );
	jpeg_set_quality( &info, 95, TRUE );
	if ( isProgressive ) jpeg_simple_progression( &info );
	jpeg_start_compress( &info, TRUE );
	while ( info.next_scanline < PICTURE_SIDE )
	{
		uint8_t line[4 * PICTURE_SIDE];
		for ( int i = 0; i < components * PICTURE_SIDE; ++i )
			line[i] = rgb[3 * ( i / components ) + i % components % 3];
		JSAMPROW rows[1] = { line };
		jpeg_write_scanlines( &info, rows, 1 );
	}
	jpeg_finish_compress( &info );
	jpeg_destroy_compress( &info );
	*outBytes = count;
	return bytes;
}

// free() the result.
static uint8_t* MakePng( size_t* outBytes )
{
	uint8_t rgb[3 * PICTURE_SIDE * PICTURE_SIDE];
	FillPicture( rgb );
	png_image image = {
		.version = PNG_IMAGE_VERSION, .width = PICTURE_SIDE, .height = PICTURE_SIDE, .format = PNG_FORMAT_RGB
	};
	png_alloc_size_t count = 1 << 16;
	uint8_t* bytes = malloc( count );
	assert_true( png_image_write_to_memory( &image, bytes, &count, 0, rgb, 0, NULL ) );
	*outBytes = count;
	return bytes;
}

static void CheckHalves( const gelArtTexture* texture )
{
	assert_non_null( texture->pixels );
	assert_int_equal( texture->width, PICTURE_SIDE );
	assert_int_equal( texture->height, PICTURE_SIDE );
	for ( int half = 0; half < 2; ++half )
	{
		const uint8_t* pixel = texture->pixels + 4 * ( 5 * PICTURE_SIDE + 4 + half * 20 );
		for ( int c = 0; c < 3; ++c )
			assert_true( abs( pixel[c] - halves[half][c] ) <= 6 ); // JPEG keeps colors nearly
		assert_int_equal( pixel[3], 255 );
	}
}

static void FreeTexture( gelArtTexture* texture )
{
	free( texture->pixels );
	free( texture->file );
	*texture = ( gelArtTexture ){ 0 };
}

static void TestPicturesAreDecoded( void** state )
{
	(void)state;
	for ( int kind = 0; kind < 4; ++kind )
	{
		size_t count = 0;
		uint8_t* bytes = kind == 0 ? MakePng( &count ) : MakeJpeg( kind == 3 ? 1 : 3, kind == 2, &count );
		gelArtTexture texture = { 0 };
		assert_null( gelDecodePicture( &texture, bytes, count ) );
		if ( kind < 3 )
			CheckHalves( &texture );
		else
			assert_true( texture.pixels[0] == texture.pixels[1] && texture.pixels[1] == texture.pixels[2] );
		FreeTexture( &texture );
		free( bytes );
	}
}

// Cut off anywhere, or with a wrong byte anywhere: no crash, and no pixels without success.
static void TestDamagedPictures( void** state )
{
	(void)state;
	gelArtTexture texture = { 0 };
	for ( int kind = 0; kind < 2; ++kind )
	{
		size_t count = 0;
		uint8_t* bytes = kind == 0 ? MakePng( &count ) : MakeJpeg( 3, false, &count );
		uint8_t* copy = malloc( count );
		for ( size_t length = 0; length < count - 16; ++length ) // the end itself may be missing
		{
			memcpy( copy, bytes, length );
			assert_non_null( gelDecodePicture( &texture, copy, length ) );
			assert_null( texture.pixels );
		}
		for ( size_t i = 0; i < count; ++i )
		{
			memcpy( copy, bytes, count );
			copy[i] ^= 0x5A;
			const char* problem = gelDecodePicture( &texture, copy, count );
			assert_true( ( problem == NULL ) == ( texture.pixels != NULL ) );
			FreeTexture( &texture );
		}
		free( copy );
		free( bytes );
	}
	size_t count = 0;
	uint8_t* inks = MakeJpeg( 4, false, &count );
	assert_non_null( gelDecodePicture( &texture, inks, count ) );
	free( inks );
}

// ---- glTF files --------------------------------------------------------------------------------------

static const char* TemporaryPath( const char* name )
{
	static char paths[4][128];
	static int next;
	char* path = paths[next++ & 3];
	snprintf( path, sizeof( paths[0] ), "test_preview_art-%ld-%s", (long)getpid(), name );
	return path;
}

static void WriteBytes( const char* path, const void* bytes, size_t count )
{
	FILE* file = fopen( path, "wb" );
	assert_non_null( file );
	assert_int_equal( fwrite( bytes, 1, count, file ), count );
	fclose( file );
}

// free() the result.
static char* EncodeBase64( const uint8_t* bytes, size_t count )
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char* text = calloc( count / 3 * 4 + 8, 1 );
	for ( size_t i = 0, out = 0; i < count; i += 3 )
	{
		size_t left = count - i;
		uint32_t bits = (uint32_t)bytes[i] << 16 | ( left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0 ) |
			( left > 2 ? bytes[i + 2] : 0u );
		text[out++] = digits[bits >> 18];
		text[out++] = digits[bits >> 12 & 63];
		text[out++] = left > 1 ? digits[bits >> 6 & 63] : '=';
		text[out++] = left > 2 ? digits[bits & 63] : '=';
	}
	return text;
}

// Pictures beside the file, in its JSON, missing, outside of its folder, and no picture.
static void TestPicturesOfAFile( void** state )
{
	(void)state;
	size_t jpegBytes = 0, pngBytes = 0;
	uint8_t *jpeg = MakeJpeg( 3, true, &jpegBytes ), *png = MakePng( &pngBytes );
	const char *beside = TemporaryPath( "a b.jpg" ), *art = TemporaryPath( "art.gltf" );
	WriteBytes( beside, jpeg, jpegBytes );
	char* base64 = EncodeBase64( png, pngBytes );
	char name[160];
	snprintf( name, sizeof( name ), "%s", beside );
	*strchr( name, ' ' ) = '+'; // replaced by %20 below
	FILE* file = fopen( art, "wb" );
	fprintf( file, "{ \"images\": [ { \"uri\": \"%.*s%%20%s\" }, ", (int)( strchr( name, '+' ) - name ), name,
		strchr( name, '+' ) + 1 );
	fprintf( file, "{ \"uri\": \"data:image/png;base64,%s\" }, { \"uri\": \"none.png\" }, ", base64 );
	fprintf( file, "{ \"uri\": \"/etc/hostname\" }, { \"uri\": \"data:image/png;base64,?\" } ],\n" );
	fprintf( file,
		"\"textures\": [ {\"source\":0}, {\"source\":1}, {\"source\":2}, {\"source\":3}, {\"source\":4}, "
		"{\"source\":9} ], \"materials\": [ {}" );
	for ( int i = 0; i < 6; ++i )
		fprintf( file, ", { \"pbrMetallicRoughness\": { \"baseColorTexture\": { \"index\": %d } } }", i );
	fprintf( file, " ] }" );
	fclose( file );
	gelArtTexture textures[7] = { 0 };
	gelFindings findings = { .quiet = true };
	const gelMesh mesh = { .materialCount = 7 };
	gelLoadArtPictures( art, &mesh, textures, &findings );
	assert_null( textures[0].pixels );
	CheckHalves( textures + 1 );
	CheckHalves( textures + 2 );
	assert_int_equal( textures[2].fileBytes, pngBytes );
	assert_memory_equal( textures[2].file, png, pngBytes );
	for ( int i = 3; i < 7; ++i )
		assert_null( textures[i].pixels );
	// One finding for all that is missing.
	assert_int_equal( findings.count, 1 );
	assert_non_null(
		strstr( findings.items[0].text, "material 3 is not shown, nor are 3 others: it is not there" ) );
	for ( int i = 0; i < 7; ++i )
		FreeTexture( textures + i );
	gelFreeFindings( &findings );
	unlink( art );
	unlink( beside );
	free( base64 );
	free( jpeg );
	free( png );
}

// OBJ and FBX name files, with folders of other machines; v runs up.
static void TestPicturesThatMaterialsName( void** state )
{
	(void)state;
	size_t pngBytes = 0;
	uint8_t* png = MakePng( &pngBytes );
	const char *beside = TemporaryPath( "skin.png" ), *art = TemporaryPath( "art.obj" );
	WriteBytes( beside, png, pngBytes );
	char elsewhere[300] = "C:/art/new/", up[300] = "../";
	strcat( elsewhere, beside );
	strcat( up, "none.png" );
	char* own = strdup( beside );
	gelMeshMaterial materials[4] = { { .picture = own }, { .picture = elsewhere }, { .picture = up }, { 0 } };
	float uvs[2] = { 0 };
	const gelMesh mesh = { .materialCount = 4, .materials = materials, .uvs = uvs };
	gelArtTexture textures[4] = { 0 };
	gelFindings findings = { .quiet = true };
	gelLoadArtPictures( art, &mesh, textures, &findings );
	CheckHalves( textures );
	CheckHalves( textures + 1 );
	assert_true( textures[2].isWanted && textures[2].pixels == NULL );
	assert_false( textures[3].isWanted );
	assert_true( textures[0].place[4] == -1.0f && textures[0].place[5] == 1.0f );
	assert_int_equal( findings.count, 1 );
	for ( int i = 0; i < 4; ++i )
		FreeTexture( textures + i );
	gelFreeFindings( &findings );
	unlink( beside );
	free( own );
	free( png );
}

// Alpha, light of its own, and where a picture lies.
static void TestLooksOfMaterials( void** state )
{
	(void)state;
	static const char json[] =
		"{\"images\":[{\"uri\":\"none.png\"}],\"textures\":[{\"source\":0}],\"materials\":["
		"{\"alphaMode\":\"MASK\"},{\"alphaMode\":\"MASK\",\"alphaCutoff\":0.25},{\"alphaMode\":\"BLEND\"},"
		"{\"emissiveFactor\":[1,0.5,0]},{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,"
		"\"extensions\":"
		"{\"KHR_texture_transform\":{\"offset\":[0.5,0.25],\"scale\":[2,4]}}}}},"
		"{\"alphaMode\":7,\"emissiveFactor\":{},\"pbrMetallicRoughness\":[]}]}";
	const char* art = TemporaryPath( "looks.gltf" );
	WriteBytes( art, json, strlen( json ) );
	const gelMesh mesh = { .materialCount = 6 };
	gelArtTexture t[6] = { 0 };
	gelFindings findings = { .quiet = true };
	gelLoadArtPictures( art, &mesh, t, &findings );
	assert_true( t[0].alphaCutoff == 0.5f && t[1].alphaCutoff == 0.25f && t[2].alphaCutoff < 0.0f );
	assert_true( t[3].emission[0] == 1.0f && t[3].emission[1] == 0.5f && t[3].emission[2] == 0.0f );
	const float place[6] = { 2.0f, 0.0f, 0.5f, 0.0f, 4.0f, 0.25f };
	for ( int i = 0; i < 6; ++i )
		assert_true( t[4].place[i] == place[i] );
	assert_true( t[5].alphaCutoff == 0.0f && t[5].emission[0] == 0.0f && !t[5].isWanted );
	for ( int i = 0; i < 6; ++i )
		FreeTexture( t + i );
	gelFreeFindings( &findings );
	unlink( art );
}

// ---- GLB files ---------------------------------------------------------------------------------------

// A look with colors of vertices and three materials: a JPEG and a PNG picture, and a plain color; some
// triangles have none.
static gelArtLook MakeLook( const gelAsset* asset )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	gelArtLook look = { .isLoaded = true };
	gelMesh* mesh = &look.mesh;
	mesh->vertexCount = (uint32_t)info.vertexCount;
	mesh->triangleCount = (uint32_t)info.triangleCount;
	mesh->uvs = malloc( 2 * (size_t)info.vertexCount * sizeof( float ) );
	mesh->triMaterial = malloc( (size_t)info.triangleCount * sizeof( uint32_t ) );
	mesh->materials = calloc( 3, sizeof( gelMeshMaterial ) );
	mesh->materialCount = 3;
	look.textures = calloc( 4, sizeof( gelArtTexture ) );
	for ( int i = 0; i < 2 * info.vertexCount; ++i )
		mesh->uvs[i] = 0.01f * (float)i;
	mesh->colors = malloc( 4 * (size_t)info.vertexCount * sizeof( float ) );
	for ( int i = 0; i < 4 * info.vertexCount; ++i )
		mesh->colors[i] = (float)( i % 7 ) / 7.0f;
	for ( int i = 0; i < info.triangleCount; ++i )
		mesh->triMaterial[i] = i % 4 == 3 ? GEL_NO_INDEX : (uint32_t)( i % 4 );
	for ( int i = 0; i < 3; ++i )
	{
		const float color[4] = { 0.25f * (float)( i + 1 ), 0.5f, 1.0f, i == 2 ? 0.5f : 1.0f };
		memcpy( mesh->materials[i].baseColor, color, sizeof( color ) );
		mesh->materials[i].name = strdup( "m" );
	}
	look.textures[0].file = MakeJpeg( 3, false, &look.textures[0].fileBytes );
	look.textures[1].file = MakePng( &look.textures[1].fileBytes );
	for ( int i = 0; i < 2; ++i )
		assert_null(
			gelDecodePicture( look.textures + i, look.textures[i].file, look.textures[i].fileBytes ) );
	return look;
}

static const cgltf_accessor* FindAttribute( const cgltf_primitive* p, cgltf_attribute_type type )
{
	for ( size_t i = 0; i < p->attributes_count; ++i )
	{
		if ( p->attributes[i].type == type ) return p->attributes[i].data;
	}
	return NULL;
}

static void CheckBody( const cgltf_mesh* mesh, const gelArtLook* look, const gelAsset* asset )
{
	static const char* const types[] = { "image/jpeg", "image/png" };
	size_t corners = 0;
	assert_int_equal( mesh->primitives_count, 4 );
	for ( size_t m = 0; m < 4; ++m )
	{
		const cgltf_primitive* p = mesh->primitives + m;
		const cgltf_pbr_metallic_roughness* pbr = &p->material->pbr_metallic_roughness;
		for ( size_t i = 0; i < p->indices->count; ++i )
		{
			size_t t = 4 * ( i / 3 ) + m; // every fourth triangle has this material
			assert_int_equal(
				cgltf_accessor_read_index( p->indices, i ), gelAsset_GetTriangles( asset )[3 * t + i % 3] );
		}
		corners += p->indices->count;
		for ( int c = 0; m < 3 && c < 4; ++c )
			assert_true( fabsf( pbr->base_color_factor[c] - look->mesh.materials[m].baseColor[c] ) < 1e-6f );
		const cgltf_accessor* colors = FindAttribute( p, cgltf_attribute_type_color );
		assert_int_equal( colors->count, look->mesh.vertexCount );
		for ( size_t v = 0; v < colors->count; ++v )
		{
			float color[4];
			cgltf_accessor_read_float( colors, v, color, 4 );
			assert_memory_equal( color, look->mesh.colors + 4 * v, sizeof( color ) );
		}
		// where there is no material nothing but these colors is seen
		for ( int c = 0; m == 3 && c < 4; ++c )
			assert_true( pbr->base_color_factor[c] == 1.0f );
		const cgltf_texture* texture = pbr->base_color_texture.texture;
		assert_true( ( texture != NULL ) == ( m < 2 ) );
		if ( texture == NULL ) continue;
		const cgltf_buffer_view* view = texture->image->buffer_view;
		assert_string_equal( texture->image->mime_type, types[m] );
		assert_int_equal( view->size, look->textures[m].fileBytes );
		assert_memory_equal(
			(const uint8_t*)view->buffer->data + view->offset, look->textures[m].file, view->size );
		const cgltf_accessor* uvs = FindAttribute( p, cgltf_attribute_type_texcoord );
		for ( size_t v = 0; v < uvs->count; ++v )
		{
			float uv[2];
			cgltf_accessor_read_float( uvs, v, uv, 2 );
			assert_true( uv[0] == look->mesh.uvs[2 * v] && uv[1] == look->mesh.uvs[2 * v + 1] );
		}
		assert_int_equal( p->targets_count, 2 );
	}
	assert_int_equal( corners, 3 * (size_t)gelAsset_GetInfo( asset ).triangleCount );
}

static void TestGlbKeepsTheLook( void** state )
{
	(void)state;
	static const char* const paths[] = { "box.gel" };
	gelProgram program;
	gelInitTestProgram( &program );
	size_t byteCount = 0;
	uint8_t* bytes = gelBakeTestBox( 3, 2, 2, 0.6, 0.4, 0.4, false, &byteCount );
	gelAsset* asset;
	assert_int_equal( gelLoadAsset( bytes, byteCount, NULL, &asset, NULL ), gel_success );
	const gelPackSet packs = { &asset, paths, 1 };
	const gelSceneSettings settings = {
		.kind = gelFindScene( "drop" ), .dropHeight = 0.2, .seconds = 1.0, .copies = 2
	};
	gelScene scene;
	gelRecording recording;
	assert_true( gelCreateScene( &scene, &packs, &settings, &program.findings ) );
	const gelRecordingSettings take = { 20, 60.0, 3, false, false, NULL };
	assert_true( gelRecord( &recording, &scene, &take, &program ) );
	gelArtLook look = MakeLook( asset );
	const char* path = TemporaryPath( "look.glb" );
	assert_true( gelWriteAnimatedGlb( &recording, &scene, &look, path, &program ) );

	cgltf_options options = { 0 };
	cgltf_data* data = NULL;
	assert_int_equal( cgltf_parse_file( &options, path, &data ), cgltf_result_success );
	assert_int_equal( cgltf_load_buffers( &options, data, path ), cgltf_result_success );
	assert_int_equal( cgltf_validate( data ), cgltf_result_success );
	assert_int_equal( data->images_count, 2 ); // once for both bodies
	assert_int_equal( data->meshes_count, 2 );
	for ( int i = 0; i < 2; ++i )
		CheckBody( data->meshes + i, &look, asset );
	cgltf_free( data );
	unlink( path );
	gelFreeArtLook( &look );
	gelFreeRecording( &recording );
	gelDestroyScene( &scene );
	gelDestroyAsset( asset );
	free( bytes );
	gelFreeTestProgram( &program );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestPicturesAreDecoded ),
		cmocka_unit_test( TestDamagedPictures ),
		cmocka_unit_test( TestPicturesOfAFile ),
		cmocka_unit_test( TestPicturesThatMaterialsName ),
		cmocka_unit_test( TestLooksOfMaterials ),
		cmocka_unit_test( TestGlbKeepsTheLook ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
