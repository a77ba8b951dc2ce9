// SPDX-License-Identifier: MIT
// META: what a person or a pipeline may want to know about a pack; the runtime never reads it. No time, host,
// path or thread count, so that equal bakes have equal bytes.
#include "bake/passes/pack_parts.h"

#include "common/settings/setting_format.h"
#include "pack/pack_read.h"

#include <cholmod.h>
#include <gelpack/asserts.h>
#include <gelpack/base.h>
#include <inttypes.h>
#include <metis.h>
#include <stdio.h>

static json_t* MakeVersion( int major, int minor, int patch )
{
	return json_sprintf( "%d.%d.%d", major, minor, patch );
}

// 64-bit ids do not fit into the doubles of most JSON readers, so they are text.
static json_t* MakeId( uint64_t id )
{
	char text[32];
	snprintf( text, sizeof( text ), "%016" PRIx64, id );
	return json_string( text );
}

// Too many to be listed; MATL and TREF have them. The hash is that of all numbers of all tets.
static json_t* MakeMaterials( const gelBakeData* data )
{
	const gelBakeMaterials* materials = &data->materials;
	uint64_t hashes[2] = { gelPack_Hash( materials->items, materials->count * sizeof( gelPackMaterial ) ),
		gelPack_Hash( materials->tets, data->cage.tetCount * sizeof( uint32_t ) ) };
	return json_pack( "{s:i, s:o}", "count", (int)materials->count, "id",
		MakeId( gelPack_Hash( hashes, sizeof( hashes ) ) ) );
}

// By name, as in the pack, whatever the order in which they were given.
static json_t* MakeAttachments( const gelBakeData* data )
{
	json_t* array = json_array();
	for ( uint32_t i = 0; i < data->attachments.count; ++i )
	{
		const gelPackAttachment* a = data->attachments.items + i;
		const float *p = a->position, *q = a->rotation;
		json_array_append_new( array,
			json_pack( "{s:s, s:[f, f, f], s:[f, f, f, f], s:f}", "name", a->name, "position", (double)p[0],
				(double)p[1], (double)p[2], "rotation", (double)q[0], (double)q[1], (double)q[2],
				(double)q[3], "radius", (double)a->radius ) );
	}
	return array;
}

json_t* gelBuildSettingsJson( const gelBakeData* data )
{
	GEL_ASSERT( data->materials.count > 0 && data->settings != NULL );
	const gelBakeSettings* settings = data->settings;
	json_t* steps = json_array();
	for ( int i = 0; i < settings->stepCount; ++i )
		json_array_append_new( steps, json_real( (double)(float)settings->steps[i] ) );
	json_t* pinSets = json_array();
	for ( int i = 0; i < settings->pinSetCount; ++i )
	{
		json_array_append_new( pinSets,
			json_pack( "{s:o, s:i}", "id", MakeId( data->pinSetIds[i] ), "nodes",
				(int)settings->pinSets[i].nodeCount ) );
	}
	// Most settings come from the table; the rest depends on the cage, or is a list.
	json_t* json = gelMakeSettingsMeta( settings );
	json_object_set_new(
		json_object_get( json, "material" ), "name", json_string( data->materials.items[0].name ) );
	json_object_set_new( json, "steps", steps );
	json_object_set_new( json, "pinSets", pinSets );
	// not in packs without, so that those keep their bytes
	if ( settings->tetMaterials != NULL ) json_object_set_new( json, "materials", MakeMaterials( data ) );
	static const char* const kinds[] = { "none", "auto", "solid", "sheet", "rod" };
	if ( settings->particles.kind != gel_particlesNone )
		json_object_set_new( json, "particles",
			json_pack( "{s:s, s:i}", "kind", kinds[settings->particles.kind], "count",
				(int)data->particles.count ) );
	if ( settings->levelCount > 0 )
		json_object_set_new( json, "levels", json_integer( settings->levelCount ) );
	if ( settings->attachmentCount > 0 ) json_object_set_new( json, "attachments", MakeAttachments( data ) );
	return json;
}

static json_t* MakeCounts( const gelBakeData* data )
{
	return json_pack( "{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "nodes", (int)data->cage.nodeCount, "tets",
		(int)data->cage.tetCount, "parts", (int)data->cage.partCount, "vertices",
		(int)data->mesh->vertexCount, "positions", (int)data->mesh->weldCount, "triangles",
		(int)data->mesh->triangleCount, "colors", (int)data->coloring.colorCount, "factors",
		data->factorCount );
}

static json_t* MakeCollision( const gelBakeCdg* cdg )
{
	return json_pack( "{s:i, s:i, s:i, s:i, s:i, s:f}", "cells", (int)cdg->cellCount, "patches",
		(int)cdg->patchCount, "triangles", (int)cdg->triangleCount, "vertices", (int)cdg->vertexCount,
		"cutPatches", (int)cdg->cutCount, "area", cdg->area );
}

// Figures of the bake for people. The report of gel-bake takes the same from the pack itself, so that
// gel-inspect can say the same.
static json_t* MakeFactors( const gelBakeData* data )
{
	json_t* factors = json_array();
	for ( int i = 0; i < data->factorCount; ++i )
	{
		const gelBakeFactor* f = data->factors + i;
		json_array_append_new( factors,
			json_pack( "{s:f, s:o, s:i, s:i, s:I, s:I, s:f, s:f, s:f}", "step", f->step, "pinSet",
				MakeId( f->pinSetId ), "freeNodes", (int)f->n, "panels", (int)f->superCount, "nonzeros",
				(json_int_t)f->nonzeroCount, "values", (json_int_t)f->valueFirst[f->superCount],
				"minDiagonal", f->minDiagonal, "maxDiagonal", f->maxDiagonal, "residual", f->residual ) );
	}
	return factors;
}

// Numbers and titles only: the text of a finding may hold the name of a file.
json_t* gelBuildWarningsJson( const gelFindings* findings )
{
	json_t* warnings = json_array();
	for ( int i = 0; i < GEL_FINDING_COUNT; ++i )
	{
		int number = gelFinding_Number( i ), count = gelFindings_Total( findings, number );
		if ( count == 0 || gelFinding_Severity( number ) != gel_severityWarning ) continue;
		json_array_append_new( warnings,
			json_pack(
				"{s:i, s:i, s:s}", "number", number, "count", count, "title", gelFinding_Title( number ) ) );
	}
	return warnings;
}

// SHA-256 of the art files, for "is this pack that of my art?".
static json_t* MakeInput( const uint8_t hash[32] )
{
	char text[65];
	for ( int i = 0; i < 32; ++i )
		snprintf( text + 2 * i, 3, "%02x", hash[i] );
	return json_pack( "{s:s}", "sha256", text );
}

json_t* gelBuildLibrariesJson( void )
{
	return json_pack( "{s:o, s:o}", "cholmod",
		MakeVersion( CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION, CHOLMOD_SUBSUB_VERSION ), "metis",
		MakeVersion( METIS_VER_MAJOR, METIS_VER_MINOR, METIS_VER_SUBMINOR ) );
}

char* gelBuildMeta( const gelBakeData* data, const gelFindings* findings )
{
	json_t* statistics = json_pack( "{s:o, s:f, s:f, s:f, s:i, s:o}", "collision",
		MakeCollision( &data->cdg ), "volume", data->rest.volume, "minThickness", data->rest.minThickness,
		"embeddingError", data->embedding.maxError, "snappedPositions", (int)data->embedding.snapped,
		"factors", MakeFactors( data ) );
	json_t* root = json_pack( "{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:o}", "counts", MakeCounts( data ),
		"input", MakeInput( data->settings->inputHash ), "libraries", gelBuildLibrariesJson(), "settings",
		gelBuildSettingsJson( data ), "statistics", statistics, "version",
		MakeVersion( GEL_VERSION_MAJOR, GEL_VERSION_MINOR, GEL_VERSION_PATCH ), "tool", "gel-bake", "units",
		"m kg s, right-handed, Y up", "warnings", gelBuildWarningsJson( findings ) );
	char* text = root != NULL ? gelFormatStableJson( root ) : NULL;
	json_decref( root );
	return text;
}
