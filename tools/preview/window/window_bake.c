// SPDX-License-Identifier: MIT
// Art that was dropped on the window, and materials that were chosen, wait in a queue and are baked one at a
// time, into a folder that goes when the window closes.
#include "preview/window/window_bake.h"

#include "common/import/mesh_import.h"
#include "common/mesh/material_presets.h"
#include "preview/app/rebake_options.h"

#include <gelpack/asserts.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool gelWindowBaker_Order( gelWindowBaker* baker, const char* art, int replaces, int material )
{
	GEL_ASSERT( art != NULL );
	if ( baker->queueCount == GEL_MAX_BAKE_QUEUE ) return false;
	char* copy = strdup( art );
	if ( copy == NULL ) return false;
	baker->queue[baker->queueCount++] = ( gelBakeOrder ){ copy, replaces, material };
	return true;
}

bool gelWindowBaker_IsBusy( const gelWindowBaker* baker )
{
	return baker->queueCount > 0 || baker->job.state == gel_bakeRunning;
}

void gelWindowBaker_DropReplacements( gelWindowBaker* baker )
{
	int kept = 0;
	for ( int i = 0; i < baker->queueCount; ++i )
	{
		if ( baker->queue[i].replaces >= 0 )
			free( baker->queue[i].art );
		else
			baker->queue[kept++] = baker->queue[i];
	}
	baker->queueCount = kept;
	if ( baker->job.state != gel_bakeRunning || baker->current.replaces < 0 ) return;
	gelBakeJob_Cancel( &baker->job );
	free( baker->current.art );
	baker->current.art = NULL;
}

// The art that was wanted cannot be baked.
static void Fail( gelWindowBaker* baker, const char* why )
{
	const char* art = baker->current.art != NULL ? baker->current.art : "";
	snprintf( baker->message, sizeof( baker->message ), "%.190s", why );
	snprintf( baker->failedArt, sizeof( baker->failedArt ), "%.150s", art );
	free( baker->current.art );
	baker->current.art = NULL;
}

// ---- starting ----------------------------------------------------------------------------------------

static bool MakeFolder( gelWindowBaker* baker )
{
	if ( baker->folder[0] != 0 ) return true;
	const char* base = getenv( "TMPDIR" );
	if ( base == NULL || strlen( base ) > 30 ) base = "/tmp";
	snprintf( baker->folder, sizeof( baker->folder ), "%s/gel-preview-XXXXXX", base );
	if ( mkdtemp( baker->folder ) != NULL ) return true;
	baker->folder[0] = 0;
	return false;
}

// Largest side of the art's box, in units of the file; 0: it cannot be read, which gel-bake will say.
static double MeasureArt( const char* path )
{
	gelMesh mesh;
	gelFindings findings = { .quiet = true };
	double size = 0.0;
	if ( gelImportMesh( path, &findings, &mesh, NULL ) )
	{
		for ( int k = 0; k < 3; ++k )
			size = fmax( size, (double)mesh.boundsMax[k] - (double)mesh.boundsMin[k] );
		gelFreeMesh( &mesh );
	}
	gelFreeFindings( &findings );
	return size;
}

static void AddMaterial( gelRebakeOptions* o, const gelMaterialPreset* preset )
{
	if ( preset == NULL ) return;
	gelRebakeOptions_AddReal( o, "young", preset->young );
	gelRebakeOptions_AddReal( o, "poisson", preset->poisson );
	gelRebakeOptions_AddReal( o, "density", preset->density );
	gelRebakeOptions_AddSetting( o, "material", &preset->name );
}

// As a pack was baked. False: it has more materials than can be written.
static bool AddPack( gelRebakeOptions* o, const gelAsset* asset, const char* art, const char* cage )
{
	char path[140];
	const char* materials = path;
	gelRebakeOptions_AddSetting( o, "cage", &cage );
	gelRebakeOptions_AddPack( o, asset, MeasureArt( art ) );
	if ( gelAsset_GetInfo( asset ).materialCount < 2 ) return true;
	snprintf( path, sizeof( path ), "%s.json", cage );
	gelRebakeOptions_AddSetting( o, "materials", &materials );
	return gelSaveMaterialsOf( asset, materials );
}

static void AddDefaults( gelRebakeOptions* o )
{
	gelRebakeOptions_AddReal( o, "step", 1.0 / 60.0 );
	gelRebakeOptions_AddReal( o, "step", 1.0 / 120.0 );
	gelRebakeOptions_AddSetting( o, "quality", NULL );
}

// Names of files for the next bake. False: there is no place for them.
static bool NameFiles( gelWindowBaker* baker, char* cage, size_t capacity )
{
	free( baker->packPath );
	baker->packPath = MakeFolder( baker ) ? malloc( sizeof( baker->folder ) + 32 ) : NULL;
	if ( baker->packPath == NULL ) return false;
	int number = baker->packNumber++;
	snprintf( baker->packPath, sizeof( baker->folder ) + 32, "%s/%d.gel", baker->folder, number );
	snprintf( cage, capacity, "%s/%d.msh", baker->folder, number );
	return true;
}

static void StartNext( gelWindowBaker* baker, const gelWindowPacks* packs )
{
	baker->current = baker->queue[0];
	memmove( baker->queue, baker->queue + 1, (size_t)( --baker->queueCount ) * sizeof( baker->queue[0] ) );
	char cage[128];
	if ( !NameFiles( baker, cage, sizeof( cage ) ) )
	{
		Fail( baker, "there is no place for temporary files" );
		return;
	}
	gelRebakeOptions o = { 0 };
	int replaced = baker->current.replaces;
	const gelAsset* old = replaced >= 0 && replaced < packs->set.count ? packs->assets[replaced] : NULL;
	bool isKept = true;
	if ( old != NULL && gelSaveCageOf( old, cage ) )
		isKept = AddPack( &o, old, baker->current.art, cage );
	else
		AddDefaults( &o );
	// Last, so that it wins over what the pack had.
	AddMaterial( &o, gelGetMaterialPreset( baker->current.material ) );
	baker->message[0] = 0;
	if ( o.isIncomplete || !isKept ||
		!gelStartBake( &baker->job, baker->current.art, baker->packPath, (const char* const*)o.items ) )
	{
		Fail( baker,
			o.isIncomplete ? "out of memory for a bake"
				: isKept   ? baker->job.error
						   : "the materials of the pack cannot be written" );
		baker->job.state = gel_bakeIdle;
	}
	gelFreeRebakeOptions( &o );
}

const char* gelWindowBaker_Poll( gelWindowBaker* baker, const gelWindowPacks* packs )
{
	switch ( gelBakeJob_Poll( &baker->job ) )
	{
		case gel_bakeRunning:
			return NULL;
		case gel_bakeDone:
			baker->job.state = gel_bakeIdle;
			baker->bakedCount += 1;
			return baker->packPath;
		case gel_bakeFailed:
			Fail( baker, baker->job.error );
			baker->job.state = gel_bakeIdle;
			return NULL;
		default:
			if ( baker->queueCount > 0 ) StartNext( baker, packs );
			return NULL;
	}
}

static void RemoveFolder( const char* folder )
{
	DIR* directory = opendir( folder );
	if ( directory == NULL ) return;
	for ( struct dirent* entry; ( entry = readdir( directory ) ) != NULL; )
	{
		char path[512];
		if ( entry->d_name[0] == '.' ) continue;
		snprintf( path, sizeof( path ), "%s/%.400s", folder, entry->d_name );
		unlink( path );
	}
	closedir( directory );
	rmdir( folder );
}

void gelFreeWindowBaker( gelWindowBaker* baker )
{
	bool running = baker->job.state == gel_bakeRunning;
	gelBakeJob_Cancel( &baker->job );
	if ( running ) free( baker->current.art );
	for ( int i = 0; i < baker->queueCount; ++i )
		free( baker->queue[i].art );
	free( baker->packPath );
	if ( baker->folder[0] != 0 ) RemoveFolder( baker->folder );
	memset( baker, 0, sizeof( *baker ) );
}
