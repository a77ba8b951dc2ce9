// SPDX-License-Identifier: MIT
// Material values: ranges, and the Lame parameters
//   mu     = E / (2 (1 + nu))                    [Pa]
//   lambda = E nu / ((1 + nu) (1 - 2 nu))        [Pa]
// of the energy density mu |F - R|^2 + lambda / 2 (det F - 1)^2 (Kugelstadt et al. 2018), whose small-strain
// limit is Hooke's law without further factors.
#include "bake/body/body_passes.h"

#include "common/program/clean_text.h"
#include "pack/pack_read.h"
#include "common/settings/setting_table.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <string.h>

// Limits are those of the setting. At a Poisson's ratio of 0.5 lambda is infinite; below 0 it is negative and
// the volume term unstable.
typedef struct Range
{
	const char *option, *name;
	double value;
	const char* unit;
} Range;

static bool CheckRange( const Range* range, gelFindings* findings )
{
	const gelSetting* setting = gelFindSetting( range->option );
	bool lowIsOpen = setting->min == GEL_ABOVE_ZERO;
	double low = lowIsOpen ? 0.0 : setting->min;
	bool aboveLow = lowIsOpen ? range->value > low : range->value >= low;
	if ( aboveLow && range->value <= setting->max ) return true; // false for NaN
	gelFindings_Add( findings, gel_findingMaterialRange, NULL, "%s is %g%s; it has to be in %c%g, %g]",
		range->name, range->value, range->unit, lowIsOpen ? '(' : '[', low, setting->max );
	return false;
}

bool gelBuildMaterial( const gelBakeMaterial* material, gelFindings* findings, gelPackMaterial* out )
{
	GEL_ASSERT( material != NULL && out != NULL );
	const Range ranges[] = {
		{ "density", "density", material->density, " kg/m^3" },
		{ "young", "Young's modulus", material->youngsModulus, " Pa" },
		{ "poisson", "Poisson's ratio", material->poissonsRatio, "" },
		{ "damping", "damping", material->damping, " 1/s" },
		{ "static-friction", "static friction", material->staticFriction, "" },
		{ "dynamic-friction", "dynamic friction", material->dynamicFriction, "" },
	};
	bool ok = true;
	for ( size_t i = 0; i < sizeof( ranges ) / sizeof( ranges[0] ); ++i )
		ok = CheckRange( ranges + i, findings ) && ok;
	if ( !ok ) return false;

	double E = material->youngsModulus, nu = material->poissonsRatio;
	memset( out, 0, sizeof( *out ) );
	gelCleanTextTo( out->name, sizeof( out->name ), material->name != NULL ? material->name : "" );
	out->density = (float)material->density;
	out->youngsModulus = (float)E;
	out->poissonsRatio = (float)nu;
	out->mu = (float)( E / ( 2.0 * ( 1.0 + nu ) ) );
	// From E and nu in double: near nu = 0.5 the difference 1 - 2 nu loses its digits in float.
	out->lambda = (float)( E * nu / ( ( 1.0 + nu ) * ( 1.0 - 2.0 * nu ) ) );
	out->damping = (float)material->damping;
	out->staticFriction = (float)material->staticFriction;
	out->dynamicFriction = (float)material->dynamicFriction;
	if ( out->density >= 1e-30f && out->mu >= 1e-30f ) return true;
	gelFindings_Add( findings, gel_findingMaterialRange, NULL,
		"density %g kg/m^3 or Young's modulus %g Pa is too small for a 32-bit float", material->density, E );
	return false;
}

// ---- the table (MATL) -----------------------------------------------------------------------------------

// Every material that the tets of a body have, each once. Tets refer to it by number, so a body may have as
// many as that number can tell, for instance those of a painted one.
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
	// Bytes are compared, names included: two materials of equal values may have different names, which games
	// ask for.
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
	GEL_ASSERT( cage->tetCount > 0 );
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
		// neighbors mostly have the same
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
