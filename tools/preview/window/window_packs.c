// SPDX-License-Identifier: MIT
#include "preview/window/window_packs.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

static void Refresh( gelWindowPacks* packs, int count )
{
	packs->set = ( gelPackSet ){ packs->assets, packs->paths, count };
}

static void FreePath( gelWindowPacks* packs, int index )
{
	GEL_ASSERT( index >= 0 && index < GEL_MAX_WINDOW_PACKS );
	free( (void*)(uintptr_t)packs->paths[index] );
}

bool gelWindowPacks_Load( gelWindowPacks* packs, const char* path, int replaced, gelFindings* findings )
{
	int at = replaced >= 0 ? replaced : packs->set.count;
	if ( at == GEL_MAX_WINDOW_PACKS )
	{
		gelFindings_Add( findings, gel_findingUsage, path, "no more than %d packs", GEL_MAX_WINDOW_PACKS );
		return false;
	}
	gelPackSet one;
	const char* const paths[1] = { path };
	if ( !gelLoadPacks( &one, paths, 1, findings ) ) return false;
	char* copy = strdup( path );
	char* first = replaced < 0 ? strdup( path ) : packs->firsts[at];
	if ( copy == NULL || first == NULL )
	{
		free( copy );
		if ( replaced < 0 ) free( first );
		gelFreePacks( &one );
		gelFindings_Add( findings, gel_findingNoMemory, path, "out of memory for a path" );
		return false;
	}
	if ( replaced >= 0 )
	{
		gelDestroyAsset( packs->assets[at] );
		FreePath( packs, at );
	}
	packs->assets[at] = one.assets[0];
	packs->paths[at] = copy;
	packs->firsts[at] = first;
	free( one.assets );
	Refresh( packs, replaced >= 0 ? packs->set.count : at + 1 );
	return true;
}

void gelWindowPacks_FindArt(
	gelWindowPacks* packs, int index, const char* art, bool isItsArt, bool plain, gelFindings* findings )
{
	GEL_ASSERT( index >= 0 );
	gelArtLook* look = packs->looks + index;
	gelFindings quiet = { .quiet = true }; // nobody sees the colors
	gelFreeArtLook( look );
	char* found = gelLoadPackArt(
		look, packs->firsts[index], art, isItsArt, packs->assets[index], plain ? &quiet : findings );
	free( packs->arts[index] );
	packs->arts[index] = found;
	gelFreeFindings( &quiet );
	if ( plain ) gelFreeArtLook( look );
}

static void RemovePack( gelWindowPacks* packs, int index )
{
	GEL_ASSERT( index >= 0 && index < packs->set.count );
	int left = packs->set.count - 1 - index;
	gelDestroyAsset( packs->assets[index] );
	FreePath( packs, index );
	free( packs->firsts[index] );
	memmove( packs->firsts + index, packs->firsts + index + 1, (size_t)left * sizeof( packs->firsts[0] ) );
	free( packs->arts[index] );
	memmove( packs->arts + index, packs->arts + index + 1, (size_t)left * sizeof( packs->arts[0] ) );
	packs->arts[packs->set.count - 1] = NULL;
	gelFreeArtLook( packs->looks + index );
	memmove( packs->looks + index, packs->looks + index + 1, (size_t)left * sizeof( packs->looks[0] ) );
	memset( packs->looks + packs->set.count - 1, 0, sizeof( packs->looks[0] ) );
	memmove( packs->assets + index, packs->assets + index + 1, (size_t)left * sizeof( packs->assets[0] ) );
	memmove( packs->paths + index, packs->paths + index + 1, (size_t)left * sizeof( packs->paths[0] ) );
	Refresh( packs, packs->set.count - 1 );
}

void gelFreeWindowPacks( gelWindowPacks* packs )
{
	while ( packs->set.count > 0 )
		RemovePack( packs, packs->set.count - 1 );
}
