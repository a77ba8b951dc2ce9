// SPDX-License-Identifier: MIT
// The first byte picks the name; a byte 0xFF separates the .node text from the .ele text. What is accepted
// must survive writing and reading.
#include "fuzz.h"

#include "cage/cage_io.h"

#include <stdlib.h>
#include <string.h>

static void CheckRoundTrip( const gelCage* cage )
{
	size_t bytes, againBytes;
	gelCage again;
	gelCageError error;
	char* text = gelFormatCage( cage, gel_cageMsh4, &bytes, NULL, NULL );
	if ( text == NULL || !gelParseCage( "a.msh", text, bytes, NULL, 0, &again, NULL, &error ) ) abort();
	char* textAgain = gelFormatCage( &again, gel_cageMsh4, &againBytes, NULL, NULL );
	if ( textAgain == NULL || bytes != againBytes || memcmp( text, textAgain, bytes ) != 0 ) abort();
	free( text );
	free( textAgain );
	gelFreeCage( &again );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	static const char* const names[] = { "a.msh", "a.node", "a.veg", "a" };
	if ( size == 0 ) return 0;
	char* text = malloc( size ); // the first byte makes room for the zero
	memcpy( text, data + 1, size - 1 );
	text[size - 1] = 0;
	char* split = memchr( text, 0xFF, size - 1 );
	size_t firstBytes = split != NULL ? (size_t)( split - text ) : size - 1;
	if ( split != NULL ) *split = 0;
	gelCage cage;
	gelCageError error;
	bool ok = gelParseCage( names[data[0] % 4], text, firstBytes, split != NULL ? split + 1 : NULL,
		split != NULL ? size - 2 - firstBytes : 0, &cage, NULL, &error );
	if ( ok ) CheckRoundTrip( &cage );
	if ( !ok && error.text[0] == 0 ) abort(); // refused without a word
	if ( ok ) gelFreeCage( &cage );
	free( text );
	return 0;
}
