// SPDX-License-Identifier: MIT
// Regions of materials, from a file of their own (--materials) or as members of a recipe; the two differ in
// the keys beside them and in the number of their findings. Numbers of materials are read by the rows of the
// table, as those of the body itself.
#include "bake/settings/material_file.h"

#include "pack/pack_layout.h"
#include "common/program/json_place.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GEL_MAX_MATERIAL_FILE ( (size_t)4 << 20 ) // bytes
#define GEL_MAX_REGIONS       4096
#define GEL_MAX_REACH         1e9 // [m]

typedef struct NamedMaterials
{
	gelBakeMaterial* items;
	size_t count;
} NamedMaterials;

static bool ReadMaterials( gelJsonReader* r, const json_t* root, const gelBakeMaterial* base,
	gelBakePool* pool, NamedMaterials* out )
{
	json_t* object = json_object_get( root, "materials" );
	gelJson_EnterKey( r, "materials" );
	bool ok = json_is_object( object ) ||
		gelJson_Fail( r, "\"materials\" has to be an object { } of materials by name" );
	out->items = gelBakePool_Alloc( pool, json_object_size( object ) + 1, sizeof( gelBakeMaterial ) );
	const char* name;
	json_t* value;
	json_object_foreach( object, name, value )
	{
		if ( !ok ) break;
		gelBakeMaterial* m = out->items + out->count++;
		// What a material does not say is that of the body, so { "soft": { "young": 1e4 } } is complete.
		*m = *base;
		m->name = gelBakePool_CopyText( pool, name );
		gelJson_EnterKey( r, m->name );
		if ( strlen( name ) >= sizeof( ( (gelPackMaterial*)NULL )->name ) )
			ok = gelJson_Fail( r, "the name of a material has at most 23 bytes" );
		ok = ok && gelReadMaterialNumbers( r, value, m );
		gelJson_Leave( r );
	}
	gelJson_Leave( r );
	return ok;
}

static bool FindMaterial(
	gelJsonReader* r, const json_t* region, const NamedMaterials* materials, gelMaterialRegion* out )
{
	const char* name = json_string_value( json_object_get( region, "material" ) );
	for ( size_t i = 0; i < materials->count && name != NULL; ++i )
	{
		if ( strcmp( materials->items[i].name, name ) != 0 ) continue;
		out->material = materials->items[i];
		return true;
	}
	return gelJson_FailMember( r, "material", "has to be a name of \"materials\"" );
}

// An array of so many numbers within the reach of coordinates.
static bool ReadNumbers( gelJsonReader* r, const json_t* region, const char* key, size_t count, double* out )
{
	return gelReadJsonNumbers( json_object_get( region, key ), count, GEL_MAX_REACH, out ) ||
		gelJson_FailMember(
			r, key, "has to be an array of %d numbers within +-%g", (int)count, GEL_MAX_REACH );
}

static bool ReadBox( gelJsonReader* r, const json_t* region, gelMaterialRegion* out )
{
	double numbers[6];
	if ( !ReadNumbers( r, region, "box", 6, numbers ) ) return false;
	for ( int c = 0; c < 3; ++c )
	{
		out->low[c] = fmin( numbers[c], numbers[3 + c] );
		out->high[c] = fmax( numbers[c], numbers[3 + c] );
	}
	return true;
}

static bool ReadSphere( gelJsonReader* r, const json_t* region, gelMaterialRegion* out )
{
	double numbers[4];
	if ( !ReadNumbers( r, region, "sphere", 4, numbers ) ) return false;
	memcpy( out->center, numbers, sizeof( out->center ) );
	out->radius = numbers[3];
	if ( out->radius >= 0.0 ) return true;
	gelJson_EnterKey( r, "sphere" );
	gelJson_Fail( r, "the radius of a sphere, its last number, is not below 0" );
	gelJson_Leave( r );
	return false;
}

static bool ReadTets( gelJsonReader* r, const json_t* region, gelMaterialRegion* out )
{
	double numbers[2];
	if ( !ReadNumbers( r, region, "tets", 2, numbers ) ) return false;
	bool ok = numbers[0] >= 0.0 && numbers[0] <= numbers[1] && numbers[0] == floor( numbers[0] ) &&
		numbers[1] == floor( numbers[1] );
	out->tetFirst = ok ? (uint32_t)numbers[0] : 0;
	out->tetLast = ok ? (uint32_t)numbers[1] : 0;
	return ok || gelJson_FailMember( r, "tets", "has to be the first and the last tet, counted from 0" );
}

static bool ReadCageRegion( gelJsonReader* r, const json_t* region, gelMaterialRegion* out )
{
	int number = 0;
	if ( !gelJson_Integer( r, region, "cage_region", 1, INT32_MAX, &number ) ) return false;
	out->cageRegion = (uint32_t)number;
	return true;
}

static bool ReadName(
	gelJsonReader* r, const json_t* region, const char* key, gelBakePool* pool, gelMaterialRegion* out )
{
	const char* name = json_string_value( json_object_get( region, key ) );
	if ( name == NULL ) gelJson_FailMember( r, key, "has to be a name in the art" );
	out->artName = name != NULL ? gelBakePool_CopyText( pool, name ) : NULL;
	return name != NULL;
}

// Where a region is: exactly one of the kinds.
static bool ReadPlace( gelJsonReader* r, const json_t* region, gelBakePool* pool, gelMaterialRegion* out )
{
	static const char* const keys[] = { "box", "sphere", "tets", "cage_region", "art_material", "art_group" };
	int count = 0;
	for ( int i = 0; i < (int)( sizeof( keys ) / sizeof( keys[0] ) ); ++i )
	{
		if ( json_object_get( region, keys[i] ) == NULL ) continue;
		out->kind = (gelRegionKind)i;
		count += 1;
	}
	if ( count != 1 )
		return gelJson_Fail(
			r, "a region has exactly one of box, sphere, tets, cage_region, art_material, art_group" );
	switch ( out->kind )
	{
		case gel_regionBox:
			return ReadBox( r, region, out );
		case gel_regionSphere:
			return ReadSphere( r, region, out );
		case gel_regionTets:
			return ReadTets( r, region, out );
		case gel_regionCage:
			return ReadCageRegion( r, region, out );
		default:
			return ReadName( r, region, keys[out->kind], pool, out );
	}
}

static bool ReadRegions( gelJsonReader* r, const json_t* root, const NamedMaterials* materials,
	gelBakePool* pool, gelMaterialRegions* out )
{
	const json_t* array = gelJson_Array( r, root, "regions", GEL_MAX_REGIONS );
	size_t count = json_array_size( array );
	out->items = gelBakePool_Alloc( pool, count + 1, sizeof( gelMaterialRegion ) );
	gelJson_EnterKey( r, "regions" );
	for ( size_t i = 0; i < count && !r->failed; ++i )
	{
		const json_t* region = json_array_get( array, i );
		gelMaterialRegion* item = out->items + out->count++;
		gelJson_EnterIndex( r, (int)i );
		// Kept for findings that come later, when cage and art are there: a region without a tet, an unknown
		// art group.
		char place[320];
		gelJson_PrintPlace( r, place, sizeof( place ) );
		item->place = gelBakePool_CopyText( pool, place );
		if ( gelJson_CheckKeys(
				 r, region, "material blend box sphere tets cage_region art_material art_group" ) &&
			FindMaterial( r, region, materials, item ) && ReadPlace( r, region, pool, item ) )
			gelJson_Number( r, region, "blend", 0.0, GEL_MAX_REACH, &item->blend );
		gelJson_Leave( r );
	}
	gelJson_Leave( r );
	return !r->failed;
}

static bool ReadText( gelJsonReader* reader, bool isRecipe, const gelBakeMaterial* base, gelBakePool* pool,
	gelMaterialRegions* out )
{
	NamedMaterials materials = { 0 };
	return ( isRecipe || gelJson_CheckKeys( reader, reader->root, "materials regions" ) ) &&
		ReadMaterials( reader, reader->root, base, pool, &materials ) &&
		ReadRegions( reader, reader->root, &materials, pool, out );
}

bool gelReadMaterialRegions( const char* path, bool isRecipe, const gelBakeMaterial* base, gelBakePool* pool,
	gelFindings* findings, gelMaterialRegions* out )
{
	GEL_ASSERT( path != NULL && base != NULL );
	*out = ( gelMaterialRegions ){ 0 };
	size_t bytes = 0;
	char* text = (char*)gelReadFile( path, GEL_MAX_MATERIAL_FILE, &bytes, findings );
	if ( text == NULL ) return false;
	gelJsonReader reader;
	int number = isRecipe ? gel_findingRecipeWrong : gel_findingMaterialFileWrong;
	bool ok = gelJson_Open( &reader, path, text, bytes, number, findings ) &&
		ReadText( &reader, isRecipe, base, pool, out );
	gelJson_Close( &reader );
	free( text );
	return ok;
}

bool gelReadExtrasRegions( const gelRecipeSource* source, const gelBakeMaterial* base, gelBakePool* pool,
	gelFindings* findings, gelMaterialRegions* out )
{
	*out = ( gelMaterialRegions ){ 0 };
	gelJsonReader reader;
	bool ok = gelOpenRecipeSource( &reader, source, findings ) && ReadText( &reader, true, base, pool, out );
	gelJson_Close( &reader );
	return ok;
}
