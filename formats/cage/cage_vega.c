// SPDX-License-Identifier: MIT
// Vega FEM's .veg files (Sin, Schroeder, Barbic, "Vega: Nonlinear FEM Deformable Object Simulator"),
// volumetric meshes of tets:
//   *VERTICES       then the contents of a .node file
//   *ELEMENTS
//   TETS            then the contents of an .ele file
//   *INCLUDE name   stands for the contents of that file
// Commands that describe materials and sets are passed over. An included file lies in the same folder and
// includes no others, so that a mesh from elsewhere cannot make us open arbitrary files.
#include "cage/cage_formats.h"

#include "gelpack/asserts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INCLUDES 16

typedef struct Reader
{
	gelCageBuilder* builder;
	bool mayInclude;
	int includeCount;
	bool hasVertices, hasElements;
} Reader;

static bool ReadCommands( Reader* reader, gelCageText* text, int depth );

// ---- included files ----

typedef bool ReadFcn( Reader* reader, gelCageText* text );

// Plain names only: no folders, no hidden files, nothing that a shell or a file system reads as special.
static bool IsPlainName( gelCageWord name )
{
	if ( name.length == 0 || name.length > 255 || name.text[0] == '.' || name.text[0] == '-' ) return false;
	for ( size_t i = 0; i < name.length; ++i )
	{
		unsigned char c = (unsigned char)name.text[i];
		if ( c < 0x20 || c == 0x7F || c == '/' || c == '\\' || c == ':' ) return false;
	}
	return true;
}

static bool SiblingPath( const char* path, gelCageWord name, char* out, size_t capacity )
{
	GEL_ASSERT( capacity > 0 );
	const char* slash = strrchr( path, '/' );
	int folderLength = slash != NULL ? (int)( slash - path ) + 1 : 0;
	int length = snprintf( out, capacity, "%.*s%.*s", folderLength, path, (int)name.length, name.text );
	return length > 0 && (size_t)length < capacity;
}

// Reads the file that follows *INCLUDE with one of our functions.
static bool ReadIncluded( Reader* reader, gelCageText* text, ReadFcn* read )
{
	gelCageWord name;
	char path[sizeof( text->error->file )];
	if ( !gelCageText_NextWordOnLine( text, &name ) )
		return gelCageText_Fail( text, "*INCLUDE names no file" );
	if ( !reader->mayInclude ) return gelCageText_Fail( text, "*INCLUDE is not possible here" );
	if ( !IsPlainName( name ) )
		return gelCageText_Fail( text, "*INCLUDE takes the plain name of a file in the same folder" );
	if ( ++reader->includeCount > MAX_INCLUDES )
		return gelCageText_Fail( text, "there are more than %d includes", MAX_INCLUDES );
	if ( !SiblingPath( text->file, name, path, sizeof( path ) ) )
		return gelCageText_Fail( text, "the path is too long" );

	size_t bytes;
	char* contents = gelLoadCageText( path, &bytes, text->error );
	if ( contents == NULL ) return false;
	gelCageText included;
	gelInitCageText( &included, path, contents, bytes, true, text->error );
	bool ok = read( reader, &included );
	free( contents );
	return ok && gelCageText_EndLine( text );
}

// ---- blocks ----

static bool ReadNodes( Reader* reader, gelCageText* text )
{
	snprintf( reader->builder->nodeFile, sizeof( reader->builder->nodeFile ), "%s", text->file );
	return gelReadTetgenNodes( text, reader->builder );
}

static bool ReadTets( Reader* reader, gelCageText* text )
{
	snprintf( reader->builder->tetFile, sizeof( reader->builder->tetFile ), "%s", text->file );
	return gelReadTetgenTets( text, reader->builder );
}

// The data of a command: here, or in a file of its own.
static bool ReadBlock( Reader* reader, gelCageText* text, int depth, ReadFcn* read )
{
	GEL_ASSERT( depth >= 0 );
	gelCageText ahead = *text;
	gelCageWord word;
	bool includes = depth == 0 && gelCageText_NextWord( &ahead, &word ) && gelCageWord_Is( word, "*INCLUDE" );
	if ( !includes ) return read( reader, text );
	*text = ahead;
	return ReadIncluded( reader, text, read );
}

static bool ReadVertices( Reader* reader, gelCageText* text, int depth )
{
	if ( reader->hasVertices ) return gelCageText_Fail( text, "there is a second *VERTICES" );
	reader->hasVertices = true;
	return ReadBlock( reader, text, depth, ReadNodes );
}

static bool ReadElements( Reader* reader, gelCageText* text, int depth )
{
	gelCageWord kind;
	if ( reader->hasElements ) return gelCageText_Fail( text, "there is a second *ELEMENTS" );
	reader->hasElements = true;
	if ( !gelCageText_NextWord( text, &kind ) ) return gelCageText_Fail( text, "the file ends in *ELEMENTS" );
	bool isTets = gelCageWord_Is( kind, "TETS" ) || gelCageWord_Is( kind, "TET" );
	if ( !isTets )
	{
		return gelCageText_Fail( text, "elements of the kind '%.*s' are not supported; a cage holds TETS",
			kind.length < 32 ? (int)kind.length : 32, kind.text );
	}
	return gelCageText_EndLine( text ) && ReadBlock( reader, text, depth, ReadTets );
}

// ---- commands ----

static bool ReadIncludedCommands( Reader* reader, gelCageText* text )
{
	return ReadCommands( reader, text, 1 );
}

static bool IsOtherCommand( gelCageWord word )
{
	static const char* const known[] = { "*MATERIAL", "*SET", "*REGION" };
	for ( size_t i = 0; i < sizeof( known ) / sizeof( known[0] ); ++i )
	{
		if ( gelCageWord_Is( word, known[i] ) ) return true;
	}
	return false;
}

static bool ReadCommands( Reader* reader, gelCageText* text, int depth )
{
	gelCageWord word;
	bool passingOver = false; // data lines of a command that is passed over
	while ( gelCageText_NextWord( text, &word ) )
	{
		bool ok = true;
		bool isCommand = word.text[0] == '*';
		if ( isCommand ) passingOver = IsOtherCommand( word );
		if ( gelCageWord_Is( word, "*VERTICES" ) )
			ok = gelCageText_EndLine( text ) && ReadVertices( reader, text, depth );
		else if ( gelCageWord_Is( word, "*ELEMENTS" ) )
			ok = gelCageText_EndLine( text ) && ReadElements( reader, text, depth );
		else if ( gelCageWord_Is( word, "*INCLUDE" ) && depth == 0 )
			ok = ReadIncluded( reader, text, ReadIncludedCommands );
		else if ( gelCageWord_Is( word, "*INCLUDE" ) )
			ok = gelCageText_Fail( text, "an included file may not include others" );
		else if ( passingOver )
			gelCageText_SkipLine( text );
		else
			ok = gelCageText_Fail( text, "'%.*s' should be a command such as *VERTICES",
				word.length < 32 ? (int)word.length : 32, word.text );
		if ( !ok ) return false;
	}
	return true;
}

bool gelReadVega( gelCageText* text, gelCageBuilder* builder, bool mayInclude )
{
	Reader reader = { .builder = builder, .mayInclude = mayInclude };
	if ( !ReadCommands( &reader, text, 0 ) ) return false;
	if ( reader.hasVertices && reader.hasElements ) return true;
	return gelCageFail(
		text->error, text->file, 0, "the file has no %s", reader.hasVertices ? "*ELEMENTS" : "*VERTICES" );
}
