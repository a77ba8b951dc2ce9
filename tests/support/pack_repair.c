// SPDX-License-Identifier: MIT
// Apart from the rest of small_pack.h: the fuzz target uses it without a test framework.
#include "small_pack.h"

#include <string.h>

void gelRepairPackHashes( uint8_t* bytes, size_t byteCount )
{
	gelPackHeader header;
	if ( byteCount < sizeof( header ) ) return;
	memcpy( &header, bytes, sizeof( header ) );
	uint64_t room = ( byteCount - sizeof( header ) ) / sizeof( gelPackSection );
	uint64_t count = header.sectionCount < room ? header.sectionCount : room;
	uint8_t* table = bytes + sizeof( header );
	for ( uint64_t i = 0; i < count; ++i )
	{
		gelPackSection s;
		memcpy( &s, table + i * sizeof( s ), sizeof( s ) );
		if ( s.offset > byteCount || s.bytes > byteCount - s.offset ) continue;
		s.hash = gelPack_Hash( bytes + s.offset, (size_t)s.bytes );
		memcpy( table + i * sizeof( s ), &s, sizeof( s ) );
	}
	header.tableHash = gelPack_Hash( table, (size_t)count * sizeof( gelPackSection ) );
	header.headerHash = 0;
	header.headerHash = gelPack_Hash( &header, sizeof( header ) );
	memcpy( bytes, &header, sizeof( header ) );
}
