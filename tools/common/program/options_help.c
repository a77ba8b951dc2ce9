// SPDX-License-Identifier: MIT
// Help texts out of the option tables, and the guess at what a mistyped option was meant to be.
#include "common/program/options.h"

#include "pack/pack_layout.h"

#include <gelpack/asserts.h>
#include <gelpack/base.h>

#include <stdio.h>
#include <string.h>

#define LINE_COLUMNS     80
#define MAX_LEFT_COLUMNS 30 // a longer option gets a line of its own
#define MAX_NAME_LENGTH  63

// "  -o, --output FILE"
static int FormatLeft( char* out, size_t capacity, const gelOption* option )
{
	const char* value = option->value != NULL ? option->value
		: option->choices != NULL             ? option->choices
											  : "";
	char letter[8] = "    ";
	if ( option->letter != 0 ) snprintf( letter, sizeof( letter ), "-%c, ", option->letter );
	return snprintf( out, capacity, "  %s--%s%s%s", letter, option->name, value[0] ? " " : "", value );
}

static int LeftColumns( const gelOption* table, int columns )
{
	char left[256];
	for ( const gelOption* o = table; o != NULL && o->name != NULL; ++o )
	{
		int length = FormatLeft( left, sizeof( left ), o ) + 2;
		if ( length <= MAX_LEFT_COLUMNS && length > columns ) columns = length;
	}
	return columns;
}

// Prints words up to the right margin; later lines start at the column indent. UTF-8 continuation bytes take
// no room.
static void PrintWrapped( const char* text, int column, int indent )
{
	GEL_ASSERT( column >= 0 && indent >= 0 );
	while ( *text )
	{
		size_t length = strcspn( text, " " );
		int width = 0;
		for ( size_t i = 0; i < length; ++i )
			width += ( (unsigned char)text[i] & 0xC0 ) != 0x80;
		if ( column > indent && column + 1 + width > LINE_COLUMNS )
		{
			printf( "\n%*s", indent, "" );
			column = indent;
		}
		else if ( column > indent )
		{
			putchar( ' ' );
			column += 1;
		}
		fwrite( text, 1, length, stdout );
		column += width;
		text += length;
		text += strspn( text, " " );
	}
	putchar( '\n' );
}

static void PrintTable( const char* title, const gelOption* table, int columns )
{
	char left[256];
	if ( table == NULL || table->name == NULL ) return;
	printf( "\n%s:\n", title );
	for ( const gelOption* o = table; o->name != NULL; ++o )
	{
		int length = FormatLeft( left, sizeof( left ), o );
		if ( length + 2 > columns )
			printf( "%s\n%*s", left, columns, "" );
		else
			printf( "%-*s", columns, left );
		PrintWrapped( o->help != NULL ? o->help : "", columns, columns );
	}
}

void gelPrintHelp( const gelProgramInfo* info, const gelOption* own, const gelOption* common )
{
	int columns = LeftColumns( common, LeftColumns( own, 0 ) );
	printf( "%s:", info->name );
	PrintWrapped( info->summary, (int)strlen( info->name ) + 1, 2 );
	printf( "\nusage: %s %s [options]\n", info->name, info->operands );
	PrintTable( "options", own, columns );
	PrintTable( "common options", common, columns );
	printf( "\nexit codes:\n"
			"  0 done   1 usage   2 file cannot be read or written   3 input rejected\n"
			"  4 internal error   5 a requested limit was missed\n" );
	if ( info->example != NULL ) printf( "\nexample:\n  %s\n", info->example );
}

void gelPrintUsage( const gelProgramInfo* info )
{
	fprintf( stderr, "usage: %s %s [options]\n", info->name, info->operands );
	fprintf( stderr, "Run %s --help for all options.\n", info->name );
}

void gelPrintVersion( const gelProgramInfo* info )
{
	printf( "%s %d.%d.%d (pack format %d.%d)\n", info->name, GEL_VERSION_MAJOR, GEL_VERSION_MINOR,
		GEL_VERSION_PATCH, GEL_PACK_VERSION_MAJOR, GEL_PACK_VERSION_MINOR );
}

static int Min( int a, int b )
{
	return a < b ? a : b;
}

// Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbors each cost 1.
static int EditDistance( const char* a, const char* b )
{
	int rows[3][MAX_NAME_LENGTH + 1];
	int n = (int)strlen( a ), m = (int)strlen( b );
	if ( n > MAX_NAME_LENGTH || m > MAX_NAME_LENGTH ) return MAX_NAME_LENGTH;
	for ( int j = 0; j <= m; ++j )
		rows[0][j] = j;
	for ( int i = 1; i <= n; ++i )
	{
		int* row = rows[i % 3];
		const int* previous = rows[( i + 2 ) % 3];
		const int* beforePrevious = rows[( i + 1 ) % 3];
		row[0] = i;
		for ( int j = 1; j <= m; ++j )
		{
			row[j] = Min( Min( previous[j], row[j - 1] ) + 1, previous[j - 1] + ( a[i - 1] != b[j - 1] ) );
			bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
			if ( swapped ) row[j] = Min( row[j], beforePrevious[j - 2] + 1 );
		}
	}
	return rows[n % 3][m];
}

const char* gelNearestOption( const char* typed, const gelOption* own, const gelOption* common )
{
	const gelOption* tables[2] = { own, common };
	int length = (int)strlen( typed );
	int best = length < 5 ? 2 : 1 + length / 3; // farther than this is no likeness
	const char* nearest = NULL;
	for ( int t = 0; t < 2; ++t )
	{
		for ( const gelOption* o = tables[t]; o != NULL && o->name != NULL; ++o )
		{
			// a beginning of a name ("--out") is as near as one wrong letter
			bool isBeginning = length >= 2 && strncmp( o->name, typed, (size_t)length ) == 0;
			int distance = isBeginning ? 1 : EditDistance( typed, o->name );
			if ( distance >= ( nearest == NULL ? best + 1 : best ) ) continue;
			best = distance;
			nearest = o->name;
		}
	}
	return nearest;
}
