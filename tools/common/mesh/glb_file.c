// SPDX-License-Identifier: MIT
// A GLB file (glTF 2.0, chapter 4), little-endian:
//
//     "glTF" 2 length | length "JSON" text, blanks up to 4 bytes | length "BIN\0" bytes, zeros up to 4 bytes
//
// Lengths have 32 bits; callers ask gelCountGlbBytes before they write.
#include "common/mesh/glb_file.h"

#include "common/program/memory.h"
#include "common/program/output_file.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

static size_t PadTo4( size_t bytes )
{
	return ( bytes + 3 ) & ~(size_t)3;
}

gelGlbBuffer gelMakeGlbBuffer( void )
{
	return ( gelGlbBuffer ){ .views = json_array(), .accessors = json_array() };
}

void gelFreeGlbBuffer( gelGlbBuffer* buffer )
{
	json_decref( buffer->views );
	json_decref( buffer->accessors );
	free( buffer->bytes );
}

int gelGlbBuffer_AddView( gelGlbBuffer* b, const void* bytes, size_t byteCount, int target )
{
	GEL_ASSERT( b->count % 4 == 0 );
	size_t padded = PadTo4( byteCount );
	// Without memory views go on being listed, so that callers need one test at the end.
	if ( !b->failed && gelGrow( (void**)&b->bytes, &b->capacity, b->count + padded, 1 ) )
	{
		memcpy( b->bytes + b->count, bytes, byteCount );
		memset( b->bytes + b->count + byteCount, 0, padded - byteCount );
	}
	else
	{
		b->failed = true;
	}
	json_t* view = json_pack( "{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)b->count, "byteLength",
		(json_int_t)byteCount );
	if ( target != 0 ) json_object_set_new( view, "target", json_integer( target ) );
	json_array_append_new( b->views, view );
	b->count += padded;
	return (int)json_array_size( b->views ) - 1;
}

int gelGlbBuffer_AddAccessor( gelGlbBuffer* b, const void* bytes, size_t byteCount, int componentType,
	const char* type, size_t count, int target )
{
	GEL_ASSERT( count > 0 && type != NULL );
	int view = gelGlbBuffer_AddView( b, bytes, byteCount, target );
	json_array_append_new( b->accessors,
		json_pack( "{s:i,s:i,s:I,s:s}", "bufferView", view, "componentType", componentType, "count",
			(json_int_t)count, "type", type ) );
	return (int)json_array_size( b->accessors ) - 1;
}

void gelGlbBuffer_SetBounds( gelGlbBuffer* b, const float* low, const float* high, int components )
{
	GEL_ASSERT( json_array_size( b->accessors ) > 0 );
	json_t* accessor = json_array_get( b->accessors, json_array_size( b->accessors ) - 1 );
	json_object_set_new( accessor, "min", gelMakeGlbVector( low, components ) );
	json_object_set_new( accessor, "max", gelMakeGlbVector( high, components ) );
}

json_t* gelMakeGlbVector( const float* values, int count )
{
	json_t* out = json_array();
	for ( int i = 0; i < count; ++i )
		json_array_append_new( out, json_real( (double)values[i] ) );
	return out;
}

char* gelFormatGlbJson( const json_t* root )
{
	return json_dumps( root, JSON_COMPACT | JSON_REAL_PRECISION( 9 ) ); // nine digits give the float back
}

uint64_t gelCountGlbBytes( size_t jsonBytes, size_t binBytes )
{
	return (uint64_t)12 + 8 + PadTo4( jsonBytes ) + 8 + binBytes;
}

static void StoreU32( uint8_t* p, uint64_t value )
{
	for ( int i = 0; i < 4; ++i )
		p[i] = (uint8_t)( value >> ( 8 * i ) );
}

bool gelWriteGlb( const char* path, const char* json, size_t jsonBytes, const uint8_t* bin, size_t binBytes,
	gelFindings* findings )
{
	GEL_ASSERT( binBytes % 4 == 0 && gelCountGlbBytes( jsonBytes, binBytes ) <= 0xFFFFFFFFu );
	uint8_t header[20] = "glTF", chunk[8];
	StoreU32( header + 4, 2 );
	StoreU32( header + 8, gelCountGlbBytes( jsonBytes, binBytes ) );
	StoreU32( header + 12, PadTo4( jsonBytes ) );
	memcpy( header + 16, "JSON", 4 );
	StoreU32( chunk, binBytes );
	// With the zero of the literal.
	memcpy( chunk + 4, "BIN", 4 );
	gelOutputFile file;
	if ( !gelOutputFile_Begin( &file, path, findings ) ) return false;
	gelOutputFile_Write( &file, header, sizeof( header ) );
	gelOutputFile_Write( &file, json, jsonBytes );
	gelOutputFile_Write( &file, "   ", PadTo4( jsonBytes ) - jsonBytes );
	gelOutputFile_Write( &file, chunk, sizeof( chunk ) );
	gelOutputFile_Write( &file, bin, binBytes );
	return gelOutputFile_Commit( &file, findings );
}
