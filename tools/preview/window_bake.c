// SPDX-License-Identifier: MIT
#include "window_bake.h"

#include "cage_file.h"
#include "material_presets.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define GEL_MAX_REBAKE_STEPS 8

static bool EndsWith( const char* text, const char* end )
{
	size_t length = strlen( text ), endLength = strlen( end );
	return length > endLength && strcasecmp( text + length - endLength, end ) == 0;
}

bool gelIsArtPath( const char* path )
{
	return EndsWith( path, ".obj" ) || EndsWith( path, ".glb" ) || EndsWith( path, ".gltf" );
}

bool gelWindowBaker_Order( gelWindowBaker* baker, const char* art, int replaces, int material )
{
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

// Writes the cage that a pack was baked with, so that only the material changes.
static bool SaveCageOf( const gelAsset* asset, const char* path )
{
	gelAssetInfo info = gelAsset_GetInfo( asset );
	gelVec3* nodes = malloc( ( (size_t)info.nodeCount + 1 ) * sizeof( gelVec3 ) );
	double* positions = malloc( ( 3 * (size_t)info.nodeCount + 1 ) * sizeof( double ) );
	uint32_t* tets = malloc( ( 4 * (size_t)info.tetCount + 1 ) * sizeof( uint32_t ) );
	bool ok = nodes != NULL && positions != NULL && tets != NULL;
	if ( ok )
	{
		gelAsset_GetRestNodes( asset, nodes, info.nodeCount );
		for ( int i = 0; i < info.nodeCount; ++i )
			positions[3 * i] = nodes[i].x, positions[3 * i + 1] = nodes[i].y,
						  positions[3 * i + 2] = nodes[i].z;
		memcpy( tets, gelAsset_GetTets( asset ), 4 * (size_t)info.tetCount * sizeof( uint32_t ) );
		const gelCage cage = { positions, (uint32_t)info.nodeCount, tets, (uint32_t)info.tetCount, NULL };
		gelFindings findings = { 0 };
		ok = gelSaveCage( &cage, path, &findings );
		gelFreeFindings( &findings );
	}
	free( nodes );
	free( positions );
	free( tets );
	return ok;
}

// Options of gel-bake, and the texts that they point to.
typedef struct Options
{
	const char* items[GEL_MAX_BAKE_OPTIONS];
	int count;
	char texts[24][40];
	int textCount;
} Options;

static void AddOption( Options* o, const char* name, double value )
{
	char* text = o->texts[o->textCount++];
	snprintf( text, sizeof( o->texts[0] ), "%.9g", value );
	o->items[o->count++] = name;
	o->items[o->count++] = text;
}

// The step lengths of the pack that is replaced; the quality mode adds its own.
static void AddSteps( Options* o, const gelAsset* asset )
{
	gelFactorInfo factors[64];
	int count = gelAsset_GetFactors( asset, factors, 64 ), added = 0;
	for ( int i = 0; i < count && i < 64 && added < GEL_MAX_REBAKE_STEPS; ++i )
	{
		bool known = false;
		for ( int k = 0; k < i; ++k )
			known = known || factors[k].step == factors[i].step;
		if ( known ) continue;
		AddOption( o, "--step", (double)factors[i].step );
		added += 1;
	}
}

static void StartNext( gelWindowBaker* baker, const gelWindowPacks* packs )
{
	baker->current = baker->queue[0];
	memmove( baker->queue, baker->queue + 1, (size_t)( --baker->queueCount ) * sizeof( baker->queue[0] ) );
	char cage[128];
	Options o = { 0 };
	free( baker->packPath );
	baker->packPath = MakeFolder( baker ) ? malloc( sizeof( baker->folder ) + 32 ) : NULL;
	if ( baker->packPath == NULL )
	{
		snprintf( baker->message, sizeof( baker->message ), "there is no place for temporary files" );
		free( baker->current.art );
		return;
	}
	int number = baker->packNumber++;
	snprintf( baker->packPath, sizeof( baker->folder ) + 32, "%s/%d.gel", baker->folder, number );
	snprintf( cage, sizeof( cage ), "%s/%d.msh", baker->folder, number );
	int replaced = baker->current.replaces;
	bool hasPack = replaced >= 0 && replaced < packs->set.count;
	if ( hasPack && SaveCageOf( packs->assets[replaced], cage ) )
	{
		o.items[o.count++] = "--cage";
		o.items[o.count++] = cage;
		AddSteps( &o, packs->assets[replaced] );
	}
	else
	{
		AddOption( &o, "--step", 1.0 / 60.0 );
		AddOption( &o, "--step", 1.0 / 120.0 );
		o.items[o.count++] = "--quality";
	}
	const gelMaterialPreset* preset = gelGetMaterialPreset( baker->current.material );
	if ( preset != NULL )
	{
		AddOption( &o, "--young", preset->young );
		AddOption( &o, "--poisson", preset->poisson );
		AddOption( &o, "--density", preset->density );
		o.items[o.count++] = "--material";
		o.items[o.count++] = preset->name;
	}
	baker->message[0] = 0;
	if ( !gelStartBake( &baker->job, baker->current.art, baker->packPath, o.items ) )
		snprintf( baker->message, sizeof( baker->message ), "%s", baker->job.error );
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
			snprintf( baker->message, sizeof( baker->message ), "%s", baker->job.error );
			baker->job.state = gel_bakeIdle;
			free( baker->current.art );
			baker->current.art = NULL;
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
