// SPDX-License-Identifier: MIT
// The table of materials (MATL): every material that the tets of a body have, each once. Tets refer to it by
// number, so a body may have as many as that number can tell, for instance those of a painted one.
#include "bake/body/bake_passes.h"

#include "pack/pack_read.h"

#include <string.h>

typedef struct Table
{
	gelBakeMaterials* out;
	uint32_t* slots; // entry + 1 by hash; 0: free
	uint32_t slotMask;
} Table;

// @return the entry, or GEL_PACK_MAX_MATERIALS: there is no room for it
static uint32_t FindOrAdd( Table* table, const gelPackMaterial* material )
{
	gelBakeMaterials* out = table->out;
	uint32_t at = (uint32_t)gelPack_Hash( material, sizeof( *material ) ) & table->slotMask;
	for ( ; table->slots[at] != 0; at = ( at + 1 ) & table->slotMask )
	{
		uint32_t i = table->slots[at] - 1;
		if ( memcmp( out->items + i, material, sizeof( *material ) ) == 0 ) return i;
	}
	if ( out->count == GEL_PACK_MAX_MATERIALS ) return GEL_PACK_MAX_MATERIALS;
	out->items[out->count++] = *material;
	table->slots[at] = out->count;
	return out->count - 1;
}

static bool IsSame( const gelBakeMaterial* a, const gelBakeMaterial* b )
{
	return a->name == b->name && a->density == b->density && a->youngsModulus == b->youngsModulus &&
		a->poissonsRatio == b->poissonsRatio && a->damping == b->damping &&
		a->staticFriction == b->staticFriction && a->dynamicFriction == b->dynamicFriction;
}

bool gelBuildMaterials( const gelBakeSettings* settings, const gelBakeCage* cage, gelBakePool* pool,
	gelFindings* findings, gelBakeMaterials* out )
{
	const gelBakeMaterial* given = settings->tetMaterials;
	uint32_t capacity = 1 + ( given != NULL ? cage->tetCount : 0 ), slotCount = 2;
	capacity = capacity < GEL_PACK_MAX_MATERIALS ? capacity : GEL_PACK_MAX_MATERIALS;
	while ( slotCount < 2 * capacity )
		slotCount *= 2;
	gelBakePool scratch = { NULL };
	*out = ( gelBakeMaterials ){ gelBakePool_Alloc( pool, capacity, sizeof( gelPackMaterial ) ), 0,
		gelBakePool_Alloc( pool, cage->tetCount, sizeof( uint32_t ) ) };
	Table table = { out, gelBakePool_Alloc( &scratch, slotCount, sizeof( uint32_t ) ), slotCount - 1 };
	gelPackMaterial packed;
	bool ok = gelBuildMaterial( &settings->material, findings, &packed );
	uint32_t entry = ok ? FindOrAdd( &table, &packed ) : 0;
	const gelBakeMaterial* last = &settings->material;
	for ( uint32_t t = 0; t < cage->tetCount && ok && given != NULL; ++t )
	{
		// neighbours mostly have the same
		const gelBakeMaterial* material = given + gelGetSourceTet( cage, t );
		if ( !IsSame( material, last ) )
		{
			ok = gelBuildMaterial( material, findings, &packed );
			entry = ok ? FindOrAdd( &table, &packed ) : 0;
			last = material;
		}
		out->tets[t] = entry;
		if ( entry < GEL_PACK_MAX_MATERIALS ) continue;
		gelFindings_Add( findings, gel_findingFormatLimit, cage->file,
			"the tets have more than %u different materials; round their values", GEL_PACK_MAX_MATERIALS );
		ok = false;
	}
	gelFreeBakePool( &scratch );
	return ok;
}
