// SPDX-License-Identifier: MIT
// JSON and other texts that people write: recipes, materials, manifests, scenes, recorded inputs. The first
// byte picks the reader. A text is refused with a finding, or read; never both, never neither.
#include "fuzz.h"

#include "bake/command/bake_batch.h"
#include "bake/settings/material_file.h"
#include "bake/settings/recipe.h"
#include "preview/play/input_log.h"
#include "preview/scene/scene_file.h"

static bool ReadBatch( const char* path, gelBakePool* pool, gelFindings* findings )
{
	gelBatchManifest manifest;
	return gelReadBatchManifest( path, pool, findings, &manifest );
}

static bool ReadRecipe( const char* path, gelBakePool* pool, gelFindings* findings )
{
	gelRecipe recipe;
	return gelReadRecipe( path, pool, findings, &recipe );
}

static bool ReadMaterials( const char* path, gelBakePool* pool, gelFindings* findings )
{
	const gelBakeMaterial base = gelDefaultBakeSettings().material;
	gelMaterialRegions regions;
	return gelReadMaterialRegions( path, false, &base, pool, findings, &regions );
}

static bool ReadScene( const char* path, gelBakePool* pool, gelFindings* findings )
{
	(void)pool;
	gelSceneFile file;
	bool ok = gelReadSceneFile( &file, path, findings );
	if ( ok ) gelFreeSceneFile( &file );
	return ok;
}

static bool ReadInputs( const char* path, gelBakePool* pool, gelFindings* findings )
{
	(void)pool;
	gelInputLog log;
	bool ok = gelReadInputLog( &log, path, findings );
	if ( ok ) gelFreeInputLog( &log );
	return ok;
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	typedef bool Read( const char*, gelBakePool*, gelFindings* );
	static Read* const readers[] = { ReadRecipe, ReadMaterials, ReadBatch, ReadScene, ReadInputs };
	if ( size == 0 ) return 0;
	const char* path = gelMakeFuzzFile( data + 1, size - 1, ".json" );
	gelBakePool pool = { 0 };
	gelFindings findings = { .silent = true };
	bool ok = readers[data[0] % ( sizeof( readers ) / sizeof( readers[0] ) )]( path, &pool, &findings );
	gelDemand( ok == ( findings.errorCount == 0 ), "a text is read, or refused with a word" );
	gelFreeFindings( &findings );
	gelFreeBakePool( &pool );
	return 0;
}
