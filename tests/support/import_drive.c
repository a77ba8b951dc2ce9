// SPDX-License-Identifier: MIT
#include "import_drive.h"

#include "capture.h"
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char s_folder[512];

const char* gelImportFolder( void )
{
	if ( s_folder[0] == 0 ) snprintf( s_folder, sizeof s_folder, "%s", gelMakeFolder() );
	return s_folder;
}

int gelRemoveImportFolder( void** state )
{
	(void)state;
	if ( s_folder[0] != 0 ) gelRemoveFolder( s_folder );
	s_folder[0] = 0;
	return 0;
}

void gelWriteTestFile( const char* name, const void* bytes, size_t count )
{
	char path[1024];
	snprintf( path, sizeof path, "%s/%s", gelImportFolder(), name );
	FILE* file = fopen( path, "wb" );
	assert_non_null( file );
	assert_int_equal( fwrite( bytes, 1, count, file ), count );
	assert_int_equal( fclose( file ), 0 );
}

void gelImportFile( gelImportRun* run, const char* name )
{
	gelImportFileWith( run, name, &( gelImportOptions ){ 0 } );
}

void gelImportFileWith( gelImportRun* run, const char* name, const gelImportOptions* options )
{
	char path[1024];
	snprintf( path, sizeof path, "%s/%s", gelImportFolder(), name );
	*run = ( gelImportRun ){ 0 };
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	run->ok = gelImportMeshWith( path, options, &run->findings, &run->mesh, &run->files );
	free( gelCapture_End( &capture ) );
	// the law of every import: a mesh, or at least one error and nothing of a mesh
	assert_int_equal( run->ok, run->findings.errorCount == 0 );
	assert_int_equal( run->ok, run->mesh.triangleCount > 0 );
	assert_int_equal( run->ok, run->mesh.positions != NULL );
	if ( !run->ok ) assert_in_range( run->findings.exitCode, gel_exitIo, gel_exitInput );
}

void gelImportBytes( gelImportRun* run, const char* name, const void* bytes, size_t count )
{
	gelWriteTestFile( name, bytes, count );
	gelImportFile( run, name );
}

void gelImportText( gelImportRun* run, const char* name, const char* text )
{
	gelImportBytes( run, name, text, strlen( text ) );
}

static void StoreU32( uint8_t* p, size_t value )
{
	for ( int i = 0; i < 4; ++i )
		p[i] = (uint8_t)( value >> ( 8 * i ) );
}

uint8_t* gelMakeGlb( const char* json, const void* bin, size_t binBytes, size_t* outBytes )
{
	size_t jsonBytes = strlen( json ), padded = ( jsonBytes + 3 ) / 4 * 4,
		   paddedBin = ( binBytes + 3 ) / 4 * 4;
	size_t total = 12 + 8 + padded + 8 + paddedBin;
	uint8_t* file = calloc( total, 1 );
	assert_non_null( file );
	memcpy( file, "glTF", 4 );
	StoreU32( file + 4, 2 );
	StoreU32( file + 8, total );
	StoreU32( file + 12, padded );
	memcpy( file + 16, "JSON", 4 );
	memset( file + 20, ' ', padded );
	memcpy( file + 20, json, jsonBytes );
	StoreU32( file + 20 + padded, paddedBin );
	memcpy( file + 24 + padded, "BIN", 4 );
	if ( binBytes > 0 ) memcpy( file + 28 + padded, bin, binBytes );
	*outBytes = total;
	return file;
}

void gelImportGlb( gelImportRun* run, const char* json, const void* bin, size_t binBytes )
{
	size_t bytes;
	uint8_t* file = gelMakeGlb( json, bin, binBytes, &bytes );
	gelImportBytes( run, "test.glb", file, bytes );
	free( file );
}

void gelFreeImportRun( gelImportRun* run )
{
	gelFreeMesh( &run->mesh );
	gelFreeFindings( &run->findings );
	gelFreeImportFiles( &run->files );
}

const char* gelFindText( const gelImportRun* run, int number )
{
	for ( int i = run->findings.count - 1; i >= 0; --i )
		if ( run->findings.items[i].number == number ) return run->findings.items[i].text;
	return NULL;
}
