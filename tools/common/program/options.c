// SPDX-License-Identifier: MIT
// One table of options parses, prints the help (options_help.c) and gives the key of the bake's cache
// (options_text.c). Long options as GNU has them, letters as POSIX has them; no abbreviations, since a new
// option would change what they mean. A mistake is one line, the usage, and exit code 1.
#include "common/program/options.h"

#include "common/program/clean_text.h"
#include "common/program/memory.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ListItem
{
	const gelOption* option;
	const char* value;
} ListItem;

typedef struct Parser
{
	const gelProgramInfo* info;
	const gelOption* own;
	const gelOption* common;
	gelParsedOperands* operands;
	int argc, next; // next: first word that was not used yet
	char** argv;
	ListItem* listItems; // in the order of the command line
	int listItemCount;
} Parser;

static gelParseResult Misuse( const Parser* parser, const char* format, ... )
	__attribute__( ( format( printf, 2, 3 ) ) );

// One line that says what is wrong, then the short usage.
static gelParseResult Misuse( const Parser* parser, const char* format, ... )
{
	char raw[1024], clean[2048];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( raw, sizeof( raw ), format, arguments );
	va_end( arguments );
	gelCleanTextTo( clean, sizeof( clean ), raw );
	fprintf( stderr, "%s: error: T0005: %s\n", parser->info->name, clean );
	gelPrintUsage( parser->info );
	return gel_parseError;
}

static bool IsDecimal( const char* text, size_t length )
{
	return length > 0 && strspn( text, "0123456789+-.eE" ) >= length && strpbrk( text, "0123456789" ) != NULL;
}

// strtod alone would also take spaces, hexadecimal, "inf" and "nan".
static bool ParseDecimal( const char* text, size_t length, double* out )
{
	char buffer[64];
	if ( length >= sizeof( buffer ) ) return false;
	memcpy( buffer, text, length );
	buffer[length] = 0;
	if ( !IsDecimal( buffer, length ) ) return false;
	char* end;
	*out = strtod( buffer, &end );
	return *end == 0 && isfinite( *out );
}

bool gelParseNumber( const char* text, double* out )
{
	const char* slash = strchr( text, '/' );
	if ( slash == NULL ) return ParseDecimal( text, strlen( text ), out );
	double numerator, denominator;
	if ( !ParseDecimal( text, (size_t)( slash - text ), &numerator ) ) return false;
	if ( !ParseDecimal( slash + 1, strlen( slash + 1 ), &denominator ) || denominator == 0.0 ) return false;
	*out = numerator / denominator;
	return isfinite( *out );
}

static const gelOption* FindIn( const gelOption* table, const char* name, size_t length, char letter )
{
	for ( const gelOption* o = table; o != NULL && o->name != NULL; ++o )
	{
		bool sameName = name != NULL && strlen( o->name ) == length && memcmp( o->name, name, length ) == 0;
		if ( sameName || ( letter != 0 && o->letter == letter ) ) return o;
	}
	return NULL;
}

// A tool's own option hides a common one of the same name.
static const gelOption* Find( const Parser* parser, const char* name, size_t length, char letter )
{
	const gelOption* option = FindIn( parser->own, name, length, letter );
	return option != NULL ? option : FindIn( parser->common, name, length, letter );
}

static bool TakesValue( const gelOption* option )
{
	return option->type != gel_optionFlag && option->type != gel_optionHelp &&
		option->type != gel_optionVersion;
}

static const char* ValueName( const gelOption* option )
{
	return option->value != NULL ? option->value : option->choices != NULL ? option->choices : "VALUE";
}

static gelParseResult SetNumber( const Parser* parser, const gelOption* option, const char* value )
{
	bool whole = option->type == gel_optionInt;
	bool limited = option->min < option->max;
	double number;
	if ( !gelParseNumber( value, &number ) || ( whole && number != floor( number ) ) )
	{
		return Misuse(
			parser, "--%s needs a %snumber, not '%s'", option->name, whole ? "whole " : "", value );
	}
	double low = limited ? option->min : whole ? INT_MIN : -HUGE_VAL;
	double high = limited ? option->max : whole ? INT_MAX : HUGE_VAL;
	if ( number < low || number > high )
	{
		return Misuse( parser, "--%s %s is out of range: it must lie between %.10g and %.10g", option->name,
			value, low, high );
	}
	if ( whole )
		*(int*)option->target = (int)number;
	else
		*(double*)option->target = number;
	return gel_parseOk;
}

static gelParseResult SetChoice( const Parser* parser, const gelOption* option, const char* value )
{
	size_t length = strlen( value );
	const char* choice = option->choices;
	for ( int index = 0;; ++index )
	{
		size_t choiceLength = strcspn( choice, "|" );
		if ( choiceLength == length && memcmp( choice, value, length ) == 0 )
		{
			*(int*)option->target = index;
			return gel_parseOk;
		}
		if ( choice[choiceLength] == 0 ) break;
		choice += choiceLength + 1;
	}
	return Misuse( parser, "--%s must be one of %s, not '%s'", option->name, option->choices, value );
}

static gelParseResult SetValue( Parser* parser, const gelOption* option, const char* value )
{
	switch ( option->type )
	{
		case gel_optionInt:
		case gel_optionFloat:
			return SetNumber( parser, option, value );
		case gel_optionChoice:
			return SetChoice( parser, option, value );
		case gel_optionList:
			parser->listItems[parser->listItemCount++] = ( ListItem ){ option, value };
			break;
		default:
			*(const char**)option->target = value;
			break;
	}
	if ( value[0] == 0 ) return Misuse( parser, "--%s has an empty %s", option->name, ValueName( option ) );
	return gel_parseOk;
}

// A word that starts with a dash is taken for an option, so that "-o --quiet" is caught; "-" is a standard
// stream and
// "-1.5" a number, or several ("-1,0,2"), unless a digit is an option here. "--name=-value" says it
// explicitly.
static bool LooksLikeValue( const Parser* parser, const char* word )
{
	if ( word[0] != '-' || word[1] == 0 ) return true;
	return strchr( "0123456789.", word[1] ) != NULL && Find( parser, NULL, 0, word[1] ) == NULL;
}

// An option that was recognized. attached is the text after "=" or after the letter, or NULL.
static gelParseResult Apply( Parser* parser, const gelOption* option, const char* attached )
{
	if ( option->given != NULL ) *option->given = true;
	if ( TakesValue( option ) )
	{
		if ( attached != NULL ) return SetValue( parser, option, attached );
		const char* word = parser->next < parser->argc ? parser->argv[parser->next] : NULL;
		if ( word != NULL && LooksLikeValue( parser, word ) )
		{
			parser->next += 1;
			return SetValue( parser, option, word );
		}
		if ( option->bare != NULL ) return SetValue( parser, option, option->bare );
		if ( word == NULL )
			return Misuse(
				parser, "--%s needs a value: --%s %s", option->name, option->name, ValueName( option ) );
		return Misuse( parser, "--%s needs a value (%s), but '%s' follows; write --%s=%s if that is meant",
			option->name, ValueName( option ), word, option->name, word );
	}
	bool isFlag = option->type == gel_optionFlag;
	bool isNo = isFlag && attached != NULL && strcmp( attached, "no" ) == 0;
	if ( attached != NULL && !isNo && !( isFlag && strcmp( attached, "yes" ) == 0 ) )
		return Misuse( parser, "--%s takes no value%s, but '%s' was given", option->name,
			isFlag ? " but yes or no" : "", attached );
	if ( isFlag )
	{
		*(bool*)option->target = !isNo;
		return gel_parseOk;
	}
	if ( option->type == gel_optionHelp ) gelPrintHelp( parser->info, parser->own, parser->common );
	if ( option->type == gel_optionVersion ) gelPrintVersion( parser->info );
	return gel_parseHelp;
}

static gelParseResult ParseLong( Parser* parser, const char* name )
{
	size_t length = strcspn( name, "=" );
	const gelOption* option = Find( parser, name, length, 0 );
	if ( option != NULL ) return Apply( parser, option, name[length] == '=' ? name + length + 1 : NULL );
	char typed[64];
	snprintf( typed, sizeof( typed ), "%.*s", (int)( length < 63 ? length : 63 ), name );
	const char* nearest = gelNearestOption( typed, parser->own, parser->common );
	if ( nearest != NULL ) return Misuse( parser, "unknown option --%s; did you mean --%s?", typed, nearest );
	return Misuse( parser, "unknown option --%s", typed );
}

// "-q", "-qv" (flags together), "-ofile", "-o file"
static gelParseResult ParseLetters( Parser* parser, const char* letters )
{
	size_t length = strcspn( letters, "=" );
	if ( length > 1 && Find( parser, letters, length, 0 ) != NULL )
	{
		// would else be "-o" with the value "utput"
		return Misuse( parser, "unknown option -%s; did you mean --%.*s?", letters, (int)length, letters );
	}
	while ( *letters )
	{
		const gelOption* option = Find( parser, NULL, 0, *letters );
		if ( option == NULL )
		{
			// "-output": most likely a long option with one dash too few
			const char* nearest =
				letters[1] ? gelNearestOption( letters, parser->own, parser->common ) : NULL;
			if ( nearest != NULL )
				return Misuse( parser, "unknown option -%s; did you mean --%s?", letters, nearest );
			return Misuse( parser, "unknown option -%.4s", letters );
		}
		letters += 1;
		bool attached = *letters == '=' || ( TakesValue( option ) && *letters );
		if ( *letters == '=' ) letters += 1; // as after a long name
		gelParseResult result = Apply( parser, option, attached ? letters : NULL );
		if ( result != gel_parseOk || attached ) return result;
	}
	return gel_parseOk;
}

static gelParseResult AddOperand( Parser* parser, const char* word )
{
	gelParsedOperands* operands = parser->operands;
	int capacity = (int)( sizeof( operands->items ) / sizeof( operands->items[0] ) );
	int limit = parser->info->maxOperands < capacity ? parser->info->maxOperands : capacity;
	if ( operands->count >= limit )
	{
		return Misuse( parser, "'%s' is one file too many; %s takes %s%d", word, parser->info->name,
			parser->info->minOperands == limit ? "" : "at most ", limit );
	}
	if ( word[0] == 0 ) return Misuse( parser, "an empty file name was given" );
	operands->items[operands->count++] = word;
	return gel_parseOk;
}

static gelParseResult ParseWords( Parser* parser )
{
	bool onlyOperands = false;
	while ( parser->next < parser->argc )
	{
		const char* word = parser->argv[parser->next++];
		gelParseResult result = gel_parseOk;
		if ( onlyOperands || word[0] != '-' || word[1] == 0 )
			result = AddOperand( parser, word );
		else if ( strcmp( word, "--" ) == 0 )
			onlyOperands = true;
		else if ( word[1] == '-' )
			result = ParseLong( parser, word + 2 );
		else
			result = ParseLetters( parser, word + 1 );
		if ( result != gel_parseOk ) return result;
	}
	int missing = parser->info->minOperands - parser->operands->count;
	if ( missing > 0 )
	{
		return Misuse(
			parser, "%s missing: %s", missing == 1 ? "a file is" : "files are", parser->info->operands );
	}
	return gel_parseOk;
}

// All list options share one block: the values of the first option, then those of the second, ...
static void GroupLists( const Parser* parser, const gelOption* table, int* used )
{
	for ( const gelOption* option = table; option != NULL && option->name != NULL; ++option )
	{
		if ( option->type != gel_optionList ) continue;
		// Room for as many words as the command line has is enough for all lists together.
		gelStringList* list = option->target;
		list->items = parser->operands->listMemory + *used;
		list->count = 0;
		for ( int i = 0; i < parser->listItemCount; ++i )
		{
			if ( parser->listItems[i].option != option ) continue;
			list->items[list->count++] = parser->listItems[i].value;
		}
		*used += list->count;
	}
}

gelParseResult gelParseOptions( const gelProgramInfo* info, const gelOption* own, const gelOption* common,
	int argc, char** argv, gelParsedOperands* outOperands )
{
	*outOperands = ( gelParsedOperands ){ 0 };
	size_t words = argc > 0 ? (size_t)argc : 1;
	outOperands->listMemory = gelTakeZeroed( words, sizeof( const char* ) );
	Parser parser = { info, own, common, outOperands, argc, 1, argv,
		gelTakeZeroed( words, sizeof( ListItem ) ), 0 };
	gelParseResult result = ParseWords( &parser );
	int used = 0;
	if ( result == gel_parseOk )
	{
		GroupLists( &parser, own, &used );
		GroupLists( &parser, common, &used );
	}
	free( parser.listItems );
	return result;
}

void gelFreeOperands( gelParsedOperands* operands )
{
	free( operands->listMemory );
	*operands = ( gelParsedOperands ){ 0 };
}
