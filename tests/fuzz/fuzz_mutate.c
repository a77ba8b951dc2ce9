// SPDX-License-Identifier: MIT
#include "fuzz.h"

#include "small_pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void gelDemand( bool promise, const char* what )
{
	if ( promise ) return;
	fprintf( stderr, "broken promise: %s\n", what );
	abort();
}

// Marsaglia's xorshift64.
uint32_t gelNextRandom( uint64_t* state )
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)( *state >> 32 );
}

size_t gelMutateBytes( uint8_t* data, size_t size, size_t maxSize, uint64_t* random )
{
	for ( uint32_t i = gelNextRandom( random ) % 4 + 1; i > 0 && size > 0; --i )
	{
		size_t at = gelNextRandom( random ) % size, from = gelNextRandom( random ) % size;
		size_t count = gelNextRandom( random ) % 16 + 1;
		count = count < size - at ? count : size - at;
		switch ( gelNextRandom( random ) % 5 )
		{
			case 0: // a bit
				data[at] ^= (uint8_t)( 1u << gelNextRandom( random ) % 8 );
				break;
			case 1: // a byte
				data[at] = (uint8_t)gelNextRandom( random );
				break;
			case 2: // what stands elsewhere
				memmove( data + at, data + from, count < size - from ? count : size - from );
				break;
			case 3: // less
				memmove( data + at, data + at + count, size - at - count );
				size -= count;
				break;
			default: // more
				if ( size + count > maxSize ) break;
				memmove( data + at + count, data + at, size - at );
				size += count;
				break;
		}
	}
	return size;
}

// A number of four bytes at a place of a section becomes another one.
static void ChangeWord( uint8_t* section, size_t bytes, uint64_t* random )
{
	static const uint32_t borders[] = { 0, 1, 2, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0x7F800000u,
		0xFF800000u, 0x7FC00000u, 0x7F7FFFFFu, 0x00000001u, 0x3F800000u, 0xBF800000u };
	uint32_t value, other;
	size_t at = gelNextRandom( random ) % ( bytes / 4 ) * 4,
		   from = gelNextRandom( random ) % ( bytes / 4 ) * 4;
	memcpy( &value, section + at, 4 );
	memcpy( &other, section + from, 4 );
	switch ( gelNextRandom( random ) % 6 )
	{
		case 0:
			value = borders[gelNextRandom( random ) % ( sizeof( borders ) / sizeof( borders[0] ) )];
			break;
		case 1:
			value += 1;
			break;
		case 2:
			value -= 1;
			break;
		case 3: // an array that stays one, in another order
			memcpy( section + from, &value, 4 );
			value = other;
			break;
		case 4: // a few percent of a float
			value ^= gelNextRandom( random ) & 0x000FFFFFu;
			break;
		default:
			value = other;
			break;
	}
	memcpy( section + at, &value, 4 );
}

size_t gelMutatePack( uint8_t* data, size_t size, size_t maxSize, unsigned seed )
{
	uint64_t random = seed * 0x9E3779B97F4A7C15ull + 1;
	gelPackHeader header;
	// Now and then without knowing what it is: headers, table, length.
	if ( size < sizeof( header ) || gelNextRandom( &random ) % 16 == 0 )
		return gelMutateBytes( data, size, maxSize, &random );
	memcpy( &header, data, sizeof( header ) );
	size_t most = ( size - sizeof( header ) ) / sizeof( gelPackSection );
	size_t count = header.sectionCount < most ? header.sectionCount : most;
	for ( uint32_t i = gelNextRandom( &random ) % 3 + 1; i > 0 && count > 0; --i )
	{
		gelPackSection entry;
		size_t place = sizeof( header ) + gelNextRandom( &random ) % count * sizeof( entry );
		memcpy( &entry, data + place, sizeof( entry ) );
		bool isInside = entry.offset <= size && entry.bytes <= size - entry.offset && entry.bytes >= 4;
		if ( isInside && gelNextRandom( &random ) % 8 != 0 )
			ChangeWord( data + entry.offset, (size_t)entry.bytes, &random );
		else
			ChangeWord( data + place, sizeof( entry ), &random );
	}
	if ( gelNextRandom( &random ) % 8 == 0 ) ChangeWord( data, sizeof( header ), &random );
	gelRepairPackHashes( data, size );
	return size;
}

const char* gelMakeFuzzFile( const uint8_t* data, size_t size, const char* extension )
{
	static char s_path[64];
	snprintf( s_path, sizeof( s_path ), "/tmp/gelpack-fuzz-%ld%s", (long)getpid(), extension );
	FILE* stream = fopen( s_path, "wb" );
	gelDemand( stream != NULL && fwrite( data, 1, size, stream ) == size && fclose( stream ) == 0,
		"a file in /tmp" );
	return s_path;
}
