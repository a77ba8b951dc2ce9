// SPDX-License-Identifier: MIT
// Damaged cage files: every truncation and many flipped bytes of small valid files. A damaged file is refused
// with a message or still is a sound cage; under the sanitizers nothing may be read outside of the text.
// Replays the fuzz target's seeds in the same way.
#include "test_support.h"

#include "../fuzz/fuzz_cage.c"

#include <stdlib.h>
#include <string.h>

// First byte: which name the fuzz target takes (0 .msh, 1 .node, 2 .veg, 3 none). \xFF parts .node from .ele.
static const struct
{
	const char* name;
	const char* text;
} s_seeds[] = {
	{ "MSH 2.2",
		"\x04$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 "
		"1\n$EndNodes\n"
		"$Elements\n3\n1 2 2 0 1 1 2 3\n2 4 2 7 1 1 2 3 4\n3 4 2 8 2 2 3 4 5\n$EndElements\n" },
	{ "MSH 4.1",
		"\x04$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 1 7 0\n$EndEntities\n"
		"$Nodes\n2 5 1 5\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n2 1 1 1\n5\n1 1 1 .5 "
		".5\n$EndNodes\n"
		"$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 4\n3 2 3 4 5\n$EndElements\n" },
	{ "TetGen",
		"\x01# nodes\n5 3 1 1\n0 0 0 0 0.5 1\n1 1 0 0 0.5 1\n2 0 1 0 0.5 0\n3 0 0 1 0.5 1\n4 1 1 1 0 0\n"
		"\xFF"
		"2 4 1\n0 0 1 2 3 9\n1 1 2 3 4 9 # last\n" },
	{ "Vega",
		"\x02*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n*ELEMENTS\nTETS\n2 4 0\n1 1 2 "
		"3 4\n"
		"2 2 3 4 5\n*MATERIAL m\nENU, 1000, 1E6, 0.45\n*REGION\nall, m\n" },
	{ "huge counts",
		"\x04$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n4294967295 16777216 1 1\n3 1 0 16777216\n1\n" },
	{ "empty", "\x07" },
};

#define SEED_COUNT ( sizeof( s_seeds ) / sizeof( s_seeds[0] ) )

static void Try( const char* bytes, size_t count )
{
	// an exact allocation, so that the sanitizer sees any read behind its end
	uint8_t* copy = malloc( count > 0 ? count : 1 );
	memcpy( copy, bytes, count );
	LLVMFuzzerTestOneInput( copy, count );
	free( copy );
}

static void EveryTruncation( void** state )
{
	(void)state;
	for ( size_t s = 0; s < SEED_COUNT; ++s )
	{
		size_t length = strlen( s_seeds[s].text );
		for ( size_t i = 0; i <= length; ++i )
			Try( s_seeds[s].text, i );
	}
}

// Every byte replaced by bytes that matter to a parser.
static void EveryByteReplaced( void** state )
{
	(void)state;
	static const char replacements[] = "\0 \n\r#$*-+.e09\x7F\x80\xFF";
	for ( size_t s = 0; s < SEED_COUNT; ++s )
	{
		size_t length = strlen( s_seeds[s].text );
		char* text = malloc( length + 1 );
		memcpy( text, s_seeds[s].text, length + 1 );
		for ( size_t i = 0; i < length; ++i )
		{
			for ( size_t r = 0; r < sizeof( replacements ) - 1; ++r )
			{
				text[i] = replacements[r];
				Try( text, length );
			}
			for ( int bit = 0; bit < 8; ++bit )
			{
				text[i] = (char)( s_seeds[s].text[i] ^ ( 1 << bit ) );
				Try( text, length );
			}
			text[i] = s_seeds[s].text[i];
		}
		free( text );
	}
}

// Lines dropped, doubled and swapped: what careless editing and merging do.
static void ShuffledLines( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	for ( size_t s = 0; s < SEED_COUNT; ++s )
	{
		const char* lines[64];
		int lineCount = 0;
		for ( const char* c = s_seeds[s].text; *c && lineCount < 64;
			  c = strchr( c, '\n' ) ? strchr( c, '\n' ) + 1 : c + strlen( c ) )
		{
			lines[lineCount++] = c;
		}
		for ( int i = 0; i < 2000; ++i )
		{
			char text[4096];
			size_t used = 0;
			for ( int k = 0; k < lineCount; ++k )
			{
				int source = gelRandom_Uniform( &random, 0, 1 ) < 0.9
					? k
					: (int)( gelRandom_Next( &random ) % (unsigned)lineCount );
				size_t length = strcspn( lines[source], "\n" ) + 1;
				if ( gelRandom_Uniform( &random, 0, 1 ) < 0.03 || used + length >= sizeof( text ) ) continue;
				memcpy( text + used, lines[source], length - 1 );
				text[used + length - 1] = '\n';
				used += length;
			}
			Try( text, used );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( EveryTruncation ),
		cmocka_unit_test( EveryByteReplaced ),
		cmocka_unit_test( ShuffledLines ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
