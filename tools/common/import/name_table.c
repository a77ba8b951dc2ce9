// SPDX-License-Identifier: MIT
#include "common/import/name_table.h"

#include "common/import/import_internal.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

// FNV-1a with a finish that spreads it; the numbers do not depend on it.
static uint32_t HashName( const char* name, size_t length )
{
	uint32_t hash = 2166136261u;
	for ( size_t i = 0; i < length; ++i )
		hash = ( hash ^ (uint8_t)name[i] ) * 16777619u;
	hash = ( hash ^ ( hash >> 16 ) ) * 0x85EBCA6Bu;
	return hash ^ ( hash >> 13 );
}

// The slot that holds the name or is free for it.
static uint32_t FindSlot( const gelNameTable* table, const char* name, size_t length )
{
	GEL_ASSERT( table->count < table->slotCount ); // so that the search ends
	uint32_t slot = HashName( name, length ) & ( table->slotCount - 1 );
	for ( ; table->slots[slot] != 0; slot = ( slot + 1 ) & ( table->slotCount - 1 ) )
	{
		const char* other = table->names[table->slots[slot] - 1];
		if ( strncmp( other, name, length ) == 0 && other[length] == 0 ) break;
	}
	return slot;
}

static bool GrowSlots( gelNameTable* table )
{
	if ( (uint64_t)table->count * 2 < table->slotCount ) return true;
	uint32_t slotCount = table->slotCount == 0 ? 16 : table->slotCount * 2;
	uint32_t* slots = calloc( slotCount, sizeof( uint32_t ) );
	if ( slots == NULL ) return false;
	free( table->slots );
	table->slots = slots;
	table->slotCount = slotCount;
	for ( uint32_t i = 0; i < table->count; ++i )
		slots[FindSlot( table, table->names[i], strlen( table->names[i] ) )] = i + 1;
	return true;
}

bool gelNameTable_Add( gelNameTable* table, const char* name, size_t length, uint32_t* outNumber )
{
	GEL_ASSERT( name != NULL && length > 0 );
	if ( !GrowSlots( table ) ) return false;
	uint32_t slot = FindSlot( table, name, length );
	if ( table->slots[slot] == 0 )
	{
		if ( !GEL_GROW( table->names, table->capacity, (size_t)table->count + 1 ) ) return false;
		char* copy = malloc( length + 1 );
		if ( copy == NULL ) return false;
		memcpy( copy, name, length );
		copy[length] = 0;
		table->names[table->count] = copy;
		table->slots[slot] = ++table->count;
	}
	*outNumber = table->slots[slot] - 1;
	return true;
}

uint32_t gelNameTable_Find( const gelNameTable* table, const char* name, size_t length )
{
	if ( table->slotCount == 0 ) return GEL_NO_INDEX;
	return table->slots[FindSlot( table, name, length )] -
		1; // a free slot gives 0 - 1, which is GEL_NO_INDEX
}

void gelFreeNameTable( gelNameTable* table )
{
	for ( uint32_t i = 0; i < table->count; ++i )
		free( table->names[i] );
	free( table->names );
	free( table->slots );
	*table = ( gelNameTable ){ 0 };
}
