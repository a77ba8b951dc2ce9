// SPDX-License-Identifier: MIT
// Drives a target where there is no libFuzzer:
//
//     fuzz_pack [-runs=N] [-seed=S] FILE...     every file as it is, then N changes of each
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ( (size_t)1 << 20 )

// Targets without a mutator of their own are linked with this one.
__attribute__( ( weak ) ) size_t LLVMFuzzerCustomMutator(
	uint8_t* data, size_t size, size_t maxSize, unsigned seed )
{
	uint64_t random = seed * 0x9E3779B97F4A7C15ull + 1;
	return gelMutateBytes( data, size, maxSize, &random );
}

// Memory of exactly the size, so that a sanitizer sees a byte too many.
static void Run( const uint8_t* data, size_t size )
{
	uint8_t* copy = malloc( size > 0 ? size : 1 );
	gelDemand( copy != NULL, "memory" );
	memcpy( copy, data, size );
	LLVMFuzzerTestOneInput( copy, size );
	free( copy );
}

static long RunFile( const char* path, long runs, unsigned seed )
{
	static uint8_t s_input[MAX_BYTES], s_changed[MAX_BYTES];
	FILE* stream = fopen( path, "rb" );
	if ( stream == NULL ) return 0;
	size_t size = fread( s_input, 1, MAX_BYTES, stream );
	fclose( stream );
	Run( s_input, size );
	for ( long i = 0; i < runs; ++i )
	{
		// changes pile up, and start again now and then
		size_t changed = size;
		memcpy( s_changed, s_input, size );
		for ( long k = 0; k <= i % 3; ++k )
			changed = LLVMFuzzerCustomMutator(
				s_changed, changed, MAX_BYTES, seed + (unsigned)( 1000003 * k + i ) );
		Run( s_changed, changed );
	}
	return 1 + runs;
}

int main( int argc, char** argv )
{
	long runs = 0, total = 0;
	unsigned seed = 1;
	for ( int i = 1; i < argc; ++i )
	{
		if ( strncmp( argv[i], "-runs=", 6 ) == 0 )
			runs = atol( argv[i] + 6 );
		else if ( strncmp( argv[i], "-seed=", 6 ) == 0 )
			seed = (unsigned)atol( argv[i] + 6 );
		else
			total += RunFile( argv[i], runs, seed );
	}
	printf( "%ld inputs\n", total );
	return total > 0 ? 0 : 1;
}
