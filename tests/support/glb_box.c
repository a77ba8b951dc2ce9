// SPDX-License-Identifier: MIT
#include "glb_box.h"

#include "bake/command/bake_command.h"
#include "capture.h"
#include "import_drive.h"
#include "pack/pack_layout.h"
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t CountVertices( const gelGlbBox* box )
{
	return 6u * (uint32_t)( ( box->divisions + 1 ) * ( box->divisions + 1 ) );
}

float* gelGlbBox_MakePositions( const gelGlbBox* box, uint32_t* outCount )
{
	uint32_t count = CountVertices( box ), at = 0;
	float* out = malloc( 3 * count * sizeof( float ) );
	assert_non_null( out );
	for ( int side = 0; side < 6; ++side )
	{
		int axis = side / 2, u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
		for ( int i = 0; i <= box->divisions; ++i )
		{
			for ( int k = 0; k <= box->divisions; ++k )
			{
				float* p = out + 3 * at++;
				p[axis] = side % 2 == 0 ? 0.0f : box->size[axis];
				p[u] = box->size[u] * (float)i / (float)box->divisions;
				p[v] = box->size[v] * (float)k / (float)box->divisions;
			}
		}
	}
	*outCount = count;
	return out;
}

// Counter-clockwise from outside.
static uint32_t* MakeIndices( const gelGlbBox* box, uint32_t* outCount )
{
	uint32_t n = (uint32_t)box->divisions, at = 0;
	uint32_t* out = malloc( 36 * (size_t)n * n * sizeof( uint32_t ) );
	assert_non_null( out );
	for ( uint32_t side = 0; side < 6; ++side )
	{
		for ( uint32_t i = 0; i < n * n; ++i )
		{
			uint32_t a = side * ( n + 1 ) * ( n + 1 ) + i / n * ( n + 1 ) + i % n, b = a + n + 1;
			uint32_t outward[6] = { a, b, b + 1, a, b + 1, a + 1 },
					 inward[6] = { a, b + 1, b, a, a + 1, b + 1 };
			memcpy( out + at, side % 2 == 1 ? outward : inward, sizeof( outward ) );
			at += 6;
		}
	}
	*outCount = at;
	return out;
}

typedef struct Bin
{
	uint8_t bytes[1 << 20];
	size_t count;
	char views[2048], accessors[2048], attributes[512];
	int viewCount;
} Bin;

// One accessor with a view of its own.
static void AddAccessor( Bin* bin, const void* data, size_t bytes, const char* format, uint32_t count )
{
	assert_true( bin->count + bytes + 4 < sizeof( bin->bytes ) );
	memcpy( bin->bytes + bin->count, data, bytes );
	const char* comma = bin->viewCount > 0 ? "," : "";
	char text[256];
	snprintf( text, sizeof( text ), "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", comma,
		bin->count, bytes );
	strcat( bin->views, text );
	snprintf(
		text, sizeof( text ), "%s{\"bufferView\":%d,\"count\":%u,%s}", comma, bin->viewCount, count, format );
	strcat( bin->accessors, text );
	bin->viewCount += 1;
	bin->count += ( bytes + 3 ) / 4 * 4;
}

static void AddAttributes( Bin* bin, const gelGlbBox* box, uint32_t vertexCount )
{
	for ( int i = 0; i < GEL_GLB_MAX_ATTRIBUTES && box->attributes[i].name != NULL; ++i )
	{
		const gelGlbAttribute* a = box->attributes + i;
		char text[160];
		snprintf( text, sizeof( text ), ",\"%s\":%d", a->name, bin->viewCount );
		strcat( bin->attributes, text );
		snprintf( text, sizeof( text ), "\"componentType\":%d,\"type\":\"%s\",\"normalized\":%s",
			a->componentType, a->type, a->normalized ? "true" : "false" );
		AddAccessor( bin, a->data, a->bytes, text, a->count > 0 ? a->count : vertexCount );
	}
}

static void PrintNodes( const gelGlbBox* box, char* nodes, char* numbers )
{
	int count = box->nodeCount > 0 ? box->nodeCount : 1;
	for ( int i = 0; i < count; ++i )
	{
		const char* extras = i == 0 ? box->nodeExtras : i == count - 1 ? box->lastNodeExtras : NULL;
		nodes += sprintf( nodes, "%s{\"mesh\":0,\"name\":\"part %d\",\"translation\":[%g,0,0]",
			i > 0 ? "," : "", i, 2.0 * (double)i * (double)box->size[0] );
		nodes += sprintf( nodes, extras != NULL ? ",\"extras\":%s}" : "}", extras );
		numbers += sprintf( numbers, "%s%d", i > 0 ? "," : "", i );
	}
	if ( box->moreNodeCount > 0 ) sprintf( nodes, ",%s", box->moreNodes );
	for ( int i = 0; i < box->moreNodeCount; ++i )
		numbers += sprintf( numbers, ",%d", count + i );
}

void gelWriteGlbBox( const char* name, const gelGlbBox* box )
{
	uint32_t vertexCount, indexCount;
	float* positions = gelGlbBox_MakePositions( box, &vertexCount );
	uint32_t* indices = MakeIndices( box, &indexCount );
	Bin* bin = calloc( 1, sizeof( Bin ) );
	char* json = malloc( 1 << 16 );
	char nodes[8192], numbers[256];
	assert_true( bin != NULL && json != NULL );
	AddAccessor( bin, positions, 3 * vertexCount * sizeof( float ),
		"\"componentType\":5126,\"type\":\"VEC3\"", vertexCount );
	AddAccessor( bin, indices, indexCount * sizeof( uint32_t ), "\"componentType\":5125,\"type\":\"SCALAR\"",
		indexCount );
	AddAttributes( bin, box, vertexCount );
	PrintNodes( box, nodes, numbers );
	snprintf( json, 1 << 16,
		"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[%s]%s%s}],\"nodes\":[%s],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0%s},\"indices\":1}]%s%s}],"
		"\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[%s],\"accessors\":[%s]}",
		numbers, box->sceneExtras != NULL ? ",\"extras\":" : "",
		box->sceneExtras != NULL ? box->sceneExtras : "", nodes, bin->attributes,
		box->meshExtras != NULL ? ",\"extras\":" : "", box->meshExtras != NULL ? box->meshExtras : "",
		bin->count, bin->views, bin->accessors );
	size_t byteCount;
	uint8_t* glb = gelMakeGlb( json, bin->bytes, bin->count, &byteCount );
	gelWriteTestFile( name, glb, byteCount );
	free( glb );
	free( json );
	free( bin );
	free( indices );
	free( positions );
}

static void ReadPack( const char* path, gelBakeRunResult* result )
{
	FILE* file = fopen( path, "rb" );
	if ( file == NULL ) return;
	fseek( file, 0, SEEK_END );
	result->byteCount = (size_t)ftell( file );
	rewind( file );
	result->bytes = aligned_alloc( 64, ( result->byteCount + 63 ) / 64 * 64 );
	assert_non_null( result->bytes );
	assert_int_equal( fread( result->bytes, 1, result->byteCount, file ), result->byteCount );
	fclose( file );
}

gelBakeRunResult gelRunBake( const char* input, const char* options )
{
	char in[1024], out[1024], text[1024];
	char* words[64] = { (char*)( uintptr_t ) "gel-bake", in, (char*)( uintptr_t ) "-o", out };
	int count = 4;
	snprintf( in, sizeof( in ), "%s/%s", gelImportFolder(), input );
	snprintf( out, sizeof( out ), "%s/%s.gel", gelImportFolder(), input );
	snprintf( text, sizeof( text ), "%s", options );
	for ( char* word = strtok( text, " " ); word != NULL && count < 63; word = strtok( NULL, " " ) )
		words[count++] = word;
	unlink( out );
	gelBakeRunResult result = { 0 };
	gelBakeCommand command;
	gelProgram program;
	gelCapture says, complains;
	gelCapture_Begin( &says, 1 );
	gelCapture_Begin( &complains, 2 );
	if ( gelBakeCommand_Parse( &command, &program, count, words ) ) gelBakeCommand_Run( &command, &program );
	gelFreeBakeCommand( &command );
	result.exitCode = gelProgram_Finish( &program );
	result.messages = gelCapture_End( &complains );
	free( gelCapture_End( &says ) );
	ReadPack( out, &result );
	assert_int_equal( result.exitCode == 0, result.bytes != NULL );
	return result;
}

void gelFreeBakeRun( gelBakeRunResult* result )
{
	free( result->messages );
	free( result->bytes );
	*result = ( gelBakeRunResult ){ 0 };
}

bool gelIsSamePack( const gelBakeRunResult* a, const gelBakeRunResult* b )
{
	const gelPackHeader *x = (const void*)a->bytes, *y = (const void*)b->bytes;
	if ( a->bytes == NULL || b->bytes == NULL || x->sectionCount != y->sectionCount ) return false;
	const gelPackSection *s = (const void*)( a->bytes + sizeof( *x ) ),
						 *t = (const void*)( b->bytes + sizeof( *y ) );
	int differentCount = 0;
	for ( uint32_t i = 0; i < x->sectionCount; ++i )
	{
		bool isSame = s[i].fourcc == t[i].fourcc && s[i].key == t[i].key && s[i].bytes == t[i].bytes &&
			memcmp( a->bytes + s[i].offset, b->bytes + t[i].offset, s[i].bytes ) == 0;
		differentCount += !isSame && s[i].fourcc != GEL_SECTION_META;
	}
	return differentCount == 0;
}
