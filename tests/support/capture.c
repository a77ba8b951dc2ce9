// SPDX-License-Identifier: MIT
#include "capture.h"

#include "test_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void gelCapture_Begin( gelCapture* capture, int descriptor )
{
	fflush( NULL );
	FILE* file = tmpfile();
	assert_non_null( file );
	*capture = ( gelCapture ){ descriptor, dup( descriptor ), file };
	assert_true( capture->saved >= 0 && dup2( fileno( file ), descriptor ) >= 0 );
}

char* gelCapture_End( gelCapture* capture )
{
	FILE* file = capture->file;
	fflush( NULL );
	dup2( capture->saved, capture->descriptor );
	close( capture->saved );
	fseek( file, 0, SEEK_END );
	size_t bytes = (size_t)ftell( file );
	rewind( file );
	char* text = malloc( bytes + 1 );
	assert_non_null( text );
	assert_int_equal( fread( text, 1, bytes, file ), bytes );
	text[bytes] = 0;
	fclose( file );
	return text;
}

const char* gelMakeFolder( void )
{
	static char folder[512];
	const char* parent = getenv( "TMPDIR" );
	snprintf( folder, sizeof( folder ), "%s/gelpack-test-XXXXXX", parent != NULL ? parent : "/tmp" );
	assert_non_null( mkdtemp( folder ) );
	return folder;
}

static int VisitFiles( const char* folder, int removeThem )
{
	DIR* dir = opendir( folder );
	assert_non_null( dir );
	int count = 0;
	const struct dirent* entry;
	while ( ( entry = readdir( dir ) ) != NULL )
	{
		if ( strcmp( entry->d_name, "." ) == 0 || strcmp( entry->d_name, ".." ) == 0 ) continue;
		count += 1;
		char path[1024];
		snprintf( path, sizeof( path ), "%s/%s", folder, entry->d_name );
		if ( removeThem ) (void)remove( path );
	}
	closedir( dir );
	return count;
}

int gelCountFiles( const char* folder )
{
	return VisitFiles( folder, 0 );
}

void gelRemoveFolder( const char* folder )
{
	VisitFiles( folder, 1 );
	assert_int_equal( rmdir( folder ), 0 );
}
