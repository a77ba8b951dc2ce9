// SPDX-License-Identifier: MIT
// Which format a cage file has, and what reads or writes it.
#include "cage/cage_formats.h"

#include "cage/whole_file.h"

#include "gelpack/asserts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- paths ----

static bool EndsWith( const char* path, const char* extension )
{
	size_t length = strlen( path ), extensionLength = strlen( extension );
	if ( length < extensionLength ) return false;
	for ( size_t i = 0; i < extensionLength; ++i )
	{
		char c = path[length - extensionLength + i];
		if ( c >= 'A' && c <= 'Z' ) c = (char)( c - 'A' + 'a' );
		if ( c != extension[i] ) return false;
	}
	return true;
}

static bool IsTetgenPath( const char* path )
{
	return EndsWith( path, ".node" ) || EndsWith( path, ".ele" );
}

bool gelCageFormat_FromPath( const char* path, gelCageFormat* outFormat )
{
	static const struct
	{
		const char* extension;
		gelCageFormat format;
	} table[] = {
		{ ".msh", gel_cageMsh2 },
		{ ".msh2", gel_cageMsh2 },
		{ ".msh4", gel_cageMsh4 },
		{ ".node", gel_cageTetgen },
		{ ".ele", gel_cageTetgen },
		{ ".vtk", gel_cageVtk },
		{ ".vtu", gel_cageVtu },
		{ ".usda", gel_cageUsda },
	};
	for ( size_t i = 0; i < sizeof( table ) / sizeof( table[0] ); ++i )
	{
		if ( !EndsWith( path, table[i].extension ) ) continue;
		*outFormat = table[i].format;
		return true;
	}
	return false;
}

static char* WithExtension( const char* path, size_t stemLength, const char* extension )
{
	GEL_ASSERT( stemLength <= strlen( path ) );
	size_t extensionLength = strlen( extension );
	char* out = malloc( stemLength + extensionLength + 1 );
	if ( out == NULL ) return NULL;
	memcpy( out, path, stemLength );
	memcpy( out + stemLength, extension, extensionLength + 1 );
	return out;
}

bool gelCagePaths( const char* path, char** outFirst, char** outSecond )
{
	size_t length = strlen( path );
	*outSecond = NULL;
	if ( !IsTetgenPath( path ) )
	{
		*outFirst = WithExtension( path, length, "" );
		return *outFirst != NULL;
	}
	size_t stem = (size_t)( strrchr( path, '.' ) - path );
	bool upper = path[stem + 1] == 'N' || path[stem + 1] == 'E'; // files from a DOS disk
	*outFirst = WithExtension( path, stem, upper ? ".NODE" : ".node" );
	*outSecond = WithExtension( path, stem, upper ? ".ELE" : ".ele" );
	if ( *outFirst != NULL && *outSecond != NULL ) return true;
	free( *outFirst );
	free( *outSecond );
	*outFirst = *outSecond = NULL;
	return false;
}

// ---- reading ----

char* gelLoadCageText( const char* path, size_t* outBytes, gelCageError* error )
{
	uint8_t* bytes;
	char reason[128];
	gelReadResult result =
		gelReadWholeFile( path, GEL_CAGE_MAX_BYTES, &bytes, outBytes, reason, sizeof( reason ) );
	if ( result == gel_readOk ) return (char*)bytes;
	gelCageFail( error, path, 0, "%s", reason );
	error->isIo = result == gel_readFailed;
	error->isMemory = result == gel_readNoMemory;
	return NULL;
}

// Gmsh files start with a section, Vega files have commands; TetGen's start with a number. The content
// decides, so that a file with a wrong extension is read or refused for what it is.
static gelCageFormat GuessFormat( const char* name, gelCageText text )
{
	gelCageWord word;
	text.hashComments = true;
	bool hasWord = gelCageText_NextWord( &text, &word );
	if ( hasWord && word.text[0] == '$' ) return gel_cageMsh2;
	if ( hasWord && word.text[0] == '*' ) return gel_cageVega;
	if ( IsTetgenPath( name ) ) return gel_cageTetgen;
	return EndsWith( name, ".veg" ) ? gel_cageVega
		: EndsWith( name, ".vtk" )  ? gel_cageVtk
		: EndsWith( name, ".vtu" )  ? gel_cageVtu
		: EndsWith( name, ".usda" ) ? gel_cageUsda
									: gel_cageMsh2;
}

static bool ReadTetgenPair(
	gelCageText* nodes, const char* second, size_t secondBytes, gelCageBuilder* builder )
{
	char *nodePath, *elePath;
	if ( !gelCagePaths( nodes->file, &nodePath, &elePath ) )
		return gelCageFailMemory( builder->error, nodes->file );
	bool ok = second != NULL ||
		gelCageFail( builder->error, nodes->file, 0, "the .ele file with the tets is missing" );
	if ( ok )
	{
		snprintf(
			builder->tetFile, sizeof( builder->tetFile ), "%s", elePath != NULL ? elePath : nodes->file );
		gelCageText tets;
		gelInitCageText( &tets, builder->tetFile, second, secondBytes, true, builder->error );
		ok = gelReadTetgenNodes( nodes, builder ) && gelReadTetgenTets( &tets, builder );
	}
	free( nodePath );
	free( elePath );
	return ok;
}

static bool Parse( const char* name, const char* bytes, size_t byteCount, const char* second,
	size_t secondBytes, bool mayInclude, gelCageBuilder* builder )
{
	GEL_ASSERT( bytes != NULL || byteCount == 0 );
	gelCageText text;
	snprintf( builder->nodeFile, sizeof( builder->nodeFile ), "%s", name );
	snprintf( builder->tetFile, sizeof( builder->tetFile ), "%s", name );
	gelInitCageText( &text, name, bytes, byteCount, false, builder->error );
	if ( byteCount == 0 ) return gelCageFail( builder->error, name, 0, "the file is empty" );
	switch ( GuessFormat( name, text ) )
	{
		case gel_cageTetgen:
			text.hashComments = true;
			return ReadTetgenPair( &text, second, secondBytes, builder );
		case gel_cageVega:
			text.hashComments = true;
			return gelReadVega( &text, builder, mayInclude );
		case gel_cageVtk:
		case gel_cageVtu:
		case gel_cageUsda:
			return gelCageFail( builder->error, name, 0,
				"VTK and USD files are written, but not read; use .msh, .node or .veg" );
		default:
			break;
	}
	const char* start = text.cursor + strspn( text.cursor, " \t\r\n" );
	if ( *start == '$' ) return gelReadMsh( &text, builder );
	return gelCageFail( builder->error, name, 0, "is no cage file: neither Gmsh MSH nor TetGen nor Vega" );
}

static bool ParseAndFinish( const char* name, const char* text, size_t bytes, const char* second,
	size_t secondBytes, bool mayInclude, gelCage* outCage, uint32_t* outTurned, gelCageError* error )
{
	gelCageBuilder builder = { .error = error };
	bool ok = Parse( name, text, bytes, second, secondBytes, mayInclude, &builder ) &&
		gelCageBuilder_Finish( &builder, outCage, outTurned );
	gelFreeCageBuilder( &builder );
	return ok;
}

static void Clear( gelCage* outCage, uint32_t* outTurned, gelCageError* error )
{
	*outCage = ( gelCage ){ 0 };
	*error = ( gelCageError ){ 0 };
	if ( outTurned != NULL ) *outTurned = 0;
}

bool gelParseCage( const char* name, const char* text, size_t bytes, const char* second, size_t secondBytes,
	gelCage* outCage, uint32_t* outTurned, gelCageError* error )
{
	Clear( outCage, outTurned, error );
	return ParseAndFinish( name, text, bytes, second, secondBytes, false, outCage, outTurned, error );
}

bool gelReadCage( const char* path, gelCage* outCage, uint32_t* outTurned, gelCageError* error )
{
	Clear( outCage, outTurned, error );
	char *firstPath, *secondPath;
	if ( !gelCagePaths( path, &firstPath, &secondPath ) ) return gelCageFailMemory( error, path );
	size_t bytes = 0, secondBytes = 0;
	char* text = gelLoadCageText( firstPath, &bytes, error );
	char* second =
		text != NULL && secondPath != NULL ? gelLoadCageText( secondPath, &secondBytes, error ) : NULL;
	bool ok = text != NULL && ( secondPath == NULL || second != NULL ) &&
		ParseAndFinish( firstPath, text, bytes, second, secondBytes, true, outCage, outTurned, error );
	free( text );
	free( second );
	free( firstPath );
	free( secondPath );
	return ok;
}

// ---- writing ----

char* gelFormatCage(
	const gelCage* cage, gelCageFormat format, size_t* outBytes, char** outSecond, size_t* outSecondBytes )
{
	gelCageOut out = { 0 }, second = { 0 };
	if ( outSecond != NULL ) *outSecond = NULL;
	switch ( format )
	{
		case gel_cageMsh2:
			gelWriteMsh2( cage, &out );
			break;
		case gel_cageMsh4:
			gelWriteMsh4( cage, &out );
			break;
		case gel_cageVtk:
			gelWriteVtk( cage, &out );
			break;
		case gel_cageVtu:
			gelWriteVtu( cage, &out );
			break;
		case gel_cageUsda:
			gelWriteUsda( cage, &out );
			break;
		case gel_cageTetgen:
			gelWriteTetgenNodes( cage, &out );
			gelWriteTetgenTets( cage, &second );
			*outSecond = gelCageOut_Finish( &second, outSecondBytes );
			out.failed = out.failed || *outSecond == NULL;
			break;
		case gel_cageVega:
			out.failed = true; // read only
			break;
	}
	char* text = gelCageOut_Finish( &out, outBytes );
	if ( text == NULL && format == gel_cageTetgen )
	{
		free( *outSecond );
		*outSecond = NULL;
	}
	return text;
}

void gelFreeCage( gelCage* cage )
{
	free( cage->positions );
	free( cage->tets );
	free( cage->regions );
	*cage = ( gelCage ){ 0 };
}
