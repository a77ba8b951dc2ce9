// SPDX-License-Identifier: MIT
// Holds a report against a JSON schema, of which it knows the words below and refuses others, and prints the
// names of all keys of the report: "a.b", and "a[].b" for those of elements of a list.
//
//     report_probe SCHEMA.json REPORT.json
//     report_probe SCHEMA.json
//     report_probe --print REPORT.json KEY
//
// The second prints the names that the schema has, behind the tool that they are of: "gel-bake a[].b", "a.*"
// where any key may stand, "Every tool c". The third prints one value of a report.
#include <jansson.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static json_t* s_root; // the schema
static bool s_isQuiet;

static bool Fault( const char* path, const char* what, const char* detail )
{
	if ( !s_isQuiet ) fprintf( stderr, "%s: %s%s\n", path[0] != 0 ? path : "report", what, detail );
	return false;
}

static bool IsType( json_t* value, const char* type )
{
	return ( strcmp( type, "object" ) == 0 && json_is_object( value ) ) ||
		( strcmp( type, "array" ) == 0 && json_is_array( value ) ) ||
		( strcmp( type, "string" ) == 0 && json_is_string( value ) ) ||
		( strcmp( type, "integer" ) == 0 && json_is_integer( value ) ) ||
		( strcmp( type, "number" ) == 0 && json_is_number( value ) ) ||
		( strcmp( type, "boolean" ) == 0 && json_is_boolean( value ) ) ||
		( strcmp( type, "null" ) == 0 && json_is_null( value ) );
}

static bool HasType( json_t* value, json_t* types )
{
	bool found = json_is_string( types ) && IsType( value, json_string_value( types ) );
	for ( size_t i = 0; i < json_array_size( types ); ++i )
		found = found || IsType( value, json_string_value( json_array_get( types, i ) ) );
	return found;
}

static bool Matches( const char* text, const char* pattern )
{
	regex_t regex;
	if ( regcomp( &regex, pattern, REG_EXTENDED | REG_NOSUB ) != 0 ) return false;
	bool isMatch = regexec( &regex, text, 0, NULL, 0 ) == 0;
	regfree( &regex );
	return isMatch;
}

static bool IsAmong( json_t* value, json_t* values )
{
	for ( size_t i = 0; i < json_array_size( values ); ++i )
	{
		if ( json_equal( json_array_get( values, i ), value ) ) return true;
	}
	return false;
}

static bool Check( json_t* schema, json_t* value, const char* path );

// Whether it would pass, without a word.
static bool Passes( json_t* schema, json_t* value )
{
	bool wasQuiet = s_isQuiet;
	s_isQuiet = true;
	bool ok = Check( schema, value, "" );
	s_isQuiet = wasQuiet;
	return ok;
}

static bool CheckNumber( json_t* schema, json_t* value, const char* path )
{
	json_t* low = json_object_get( schema, "minimum" );
	json_t* high = json_object_get( schema, "maximum" );
	double x = json_number_value( value );
	if ( !json_is_number( value ) ) return true;
	if ( low != NULL && x < json_number_value( low ) ) return Fault( path, "it is too small", "" );
	if ( high != NULL && x > json_number_value( high ) ) return Fault( path, "it is too large", "" );
	return true;
}

static bool CheckMember( json_t* schema, const char* key, json_t* value, const char* path )
{
	json_t* names = json_object_get( schema, "propertyNames" );
	json_t* own = json_object_get( json_object_get( schema, "properties" ), key );
	json_t* others = json_object_get( schema, "additionalProperties" );
	char inner[512];
	snprintf( inner, sizeof( inner ), "%s%s%s", path, path[0] != 0 ? "." : "", key );
	if ( names != NULL )
	{
		json_t* name = json_string( key );
		bool ok = Check( names, name, inner );
		json_decref( name );
		if ( !ok ) return false;
	}
	if ( own != NULL ) return Check( own, value, inner );
	if ( json_is_false( others ) ) return Fault( inner, "no such key is allowed", "" );
	return !json_is_object( others ) || Check( others, value, inner );
}

static bool CheckMembers( json_t* schema, json_t* value, const char* path )
{
	bool ok = true;
	const char* key;
	json_t* member;
	json_t* required = json_object_get( schema, "required" );
	for ( size_t i = 0; json_is_object( value ) && i < json_array_size( required ); ++i )
	{
		const char* name = json_string_value( json_array_get( required, i ) );
		if ( json_object_get( value, name ) == NULL ) ok = Fault( path, "there is no ", name );
	}
	json_object_foreach( value, key, member )
	{
		ok = CheckMember( schema, key, member, path ) && ok;
	}
	return ok;
}

static bool KnowsWords( json_t* schema, const char* path )
{
	static const char words[] =
		" $schema $defs $ref title description type const enum pattern minimum maximum required properties "
		"additionalProperties propertyNames items allOf if then ";
	const char* key;
	json_t* ignored;
	json_object_foreach( schema, key, ignored )
	{
		char word[64];
		snprintf( word, sizeof( word ), " %s ", key );
		if ( strstr( words, word ) == NULL ) return Fault( path, "the probe does not know the word ", key );
	}
	return true;
}

static bool Check( json_t* schema, json_t* value, const char* path )
{
	bool ok = KnowsWords( schema, path );
	const char* reference = json_string_value( json_object_get( schema, "$ref" ) );
	const char* pattern = json_string_value( json_object_get( schema, "pattern" ) );
	json_t *types = json_object_get( schema, "type" ), *constant = json_object_get( schema, "const" );
	json_t *values = json_object_get( schema, "enum" ), *items = json_object_get( schema, "items" );
	json_t *all = json_object_get( schema, "allOf" ), *condition = json_object_get( schema, "if" );
	if ( reference != NULL )
	{
		json_t* defs = json_object_get( s_root, "$defs" );
		json_t* target =
			strncmp( reference, "#/$defs/", 8 ) == 0 ? json_object_get( defs, reference + 8 ) : NULL;
		ok = ( target != NULL ? Check( target, value, path ) : Fault( path, "no such ", reference ) ) && ok;
	}
	if ( types != NULL && !HasType( value, types ) ) return Fault( path, "it is of another type", "" );
	if ( constant != NULL && !json_equal( constant, value ) ) return Fault( path, "it is another value", "" );
	if ( values != NULL && !IsAmong( value, values ) ) return Fault( path, "it is none of the values", "" );
	if ( pattern != NULL && json_is_string( value ) && !Matches( json_string_value( value ), pattern ) )
		ok = Fault( path, "it does not match ", pattern );
	ok = CheckNumber( schema, value, path ) && ok;
	ok = CheckMembers( schema, value, path ) && ok;
	for ( size_t i = 0; items != NULL && i < json_array_size( value ); ++i )
	{
		char inner[512];
		snprintf( inner, sizeof( inner ), "%s[%zu]", path, i );
		ok = Check( items, json_array_get( value, i ), inner ) && ok;
	}
	for ( size_t i = 0; i < json_array_size( all ); ++i )
		ok = Check( json_array_get( all, i ), value, path ) && ok;
	if ( condition != NULL && Passes( condition, value ) )
		ok = Check( json_object_get( schema, "then" ), value, path ) && ok;
	return ok;
}

static void PrintNames( json_t* value, const char* path )
{
	char inner[512];
	const char* key;
	json_t* member;
	if ( !json_is_object( value ) && !json_is_array( value ) ) puts( path );
	json_object_foreach( value, key, member )
	{
		snprintf( inner, sizeof( inner ), "%s%s%s", path, path[0] != 0 ? "." : "", key );
		PrintNames( member, inner );
	}
	for ( size_t i = 0; i < json_array_size( value ); ++i )
	{
		snprintf( inner, sizeof( inner ), "%s[]", path );
		PrintNames( json_array_get( value, i ), inner );
	}
}

// ---- names of the schema --------------------------------------------------------------------------------

static json_t* Resolve( json_t* schema )
{
	const char* reference = json_string_value( json_object_get( schema, "$ref" ) );
	bool isAlias = reference != NULL && json_object_get( schema, "properties" ) == NULL;
	return isAlias ? json_object_get( json_object_get( s_root, "$defs" ), reference + 8 ) : schema;
}

static void PrintSchema( const char* tool, json_t* schema, const char* path );

static void PrintProperties( const char* tool, json_t* schema, const char* path )
{
	const char* key;
	json_t* member;
	char inner[512];
	json_object_foreach( json_object_get( schema, "properties" ), key, member )
	{
		snprintf( inner, sizeof( inner ), "%s%s%s", path, path[0] != 0 ? "." : "", key );
		PrintSchema( tool, member, inner );
	}
}

// Leaves only.
static void PrintSchema( const char* tool, json_t* unresolved, const char* path )
{
	json_t* schema = Resolve( unresolved );
	json_t *items = json_object_get( schema, "items" ), *types = json_object_get( schema, "type" );
	json_t* others = json_object_get( schema, "additionalProperties" );
	const char* type = json_string_value( json_is_array( types ) ? json_array_get( types, 0 ) : types );
	char inner[512];
	bool isList = type != NULL && strcmp( type, "array" ) == 0;
	bool isObject = type != NULL && strcmp( type, "object" ) == 0;
	snprintf( inner, sizeof( inner ), isList ? "%s[]" : "%s.*", path );
	if ( isList && items != NULL )
		PrintSchema( tool, items, inner );
	else if ( isObject && json_object_get( schema, "properties" ) != NULL )
		PrintProperties( tool, schema, path );
	else if ( isObject && json_is_object( others ) )
		PrintSchema( tool, others, inner );
	else
		printf( "%s %s\n", tool, isList || isObject ? inner : path );
}

static void PrintAllOfSchema( void )
{
	size_t index;
	json_t* branch;
	PrintProperties( "Every tool", s_root, "" );
	json_array_foreach( json_object_get( s_root, "allOf" ), index, branch )
	{
		json_t* of =
			json_object_get( json_object_get( json_object_get( branch, "if" ), "properties" ), "tool" );
		const char* tool = json_string_value( json_object_get( of, "const" ) );
		json_t* then = json_object_get( branch, "then" );
		const char* reference = json_string_value( json_object_get( then, "$ref" ) );
		PrintProperties( tool, then, "" );
		if ( reference != NULL )
			PrintProperties( tool, json_object_get( json_object_get( s_root, "$defs" ), reference + 8 ), "" );
	}
}

static int PrintValue( const char* path, const char* key )
{
	json_t* report = json_load_file( path, 0, NULL );
	const json_t* value = json_object_get( report, key );
	if ( value != NULL ) json_dumpf( value, stdout, JSON_INDENT( 1 ) | JSON_SORT_KEYS | JSON_ENCODE_ANY );
	json_decref( report );
	return value != NULL ? 0 : 1;
}

int main( int argc, char** argv )
{
	if ( argc == 4 && strcmp( argv[1], "--print" ) == 0 ) return PrintValue( argv[2], argv[3] );
	json_t* schema = argc == 2 || argc == 3 ? json_load_file( argv[1], 0, NULL ) : NULL;
	json_t* report = argc == 3 ? json_load_file( argv[2], 0, NULL ) : NULL;
	bool ok = schema != NULL && ( report != NULL || argc == 2 );
	s_root = schema;
	if ( ok && argc == 2 )
		PrintAllOfSchema();
	else if ( ok )
	{
		ok = Check( schema, report, "" );
		PrintNames( report, "" );
	}
	else
		fprintf( stderr, "usage: report_probe SCHEMA.json [REPORT.json]\n" );
	json_decref( schema );
	json_decref( report );
	return ok ? 0 : 1;
}
