// SPDX-License-Identifier: MIT
#include "common/program/path_clash.h"

#include "cage/cage_io.h"
#include "common/program/memory.h"
#include "common/program/output_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct gelNamedPath
{
	char* path;     // as it was given
	char* resolved; // behind symbolic links
	const char* role;
	bool isOutput;
	bool clashes;
	bool exists;     // then file says which one it is
	bool isSpecial;  // a device, pipe or folder: nothing that an output would replace
	bool hasFolder;  // then folder and the last part of the path say which one it is
	dev_t device[2]; // device of the file, device of its folder
	ino_t inode[2];
};

static const char* LastPart( const char* path )
{
	const char* slash = strrchr( path, '/' );
	return slash != NULL ? slash + 1 : path;
}

static bool Identify( const char* path, dev_t* outDevice, ino_t* outInode, mode_t* outMode )
{
	struct stat status;
	if ( stat( path, &status ) != 0 ) return false;
	*outDevice = status.st_dev;
	*outInode = status.st_ino;
	*outMode = status.st_mode;
	return true;
}

static void FreeItem( gelNamedPath* item )
{
	free( item->path );
	free( item->resolved );
	*item = ( gelNamedPath ){ 0 };
}

// A path that cannot be resolved is compared by its text; opening it will say why.
static void MakeItem( gelNamedPath* item, const char* path, const char* role, bool isOutput )
{
	*item = ( gelNamedPath ){ .role = role, .isOutput = isOutput };
	item->path = gelHaveMemory( strdup( path ), strlen( path ) + 1 );
	item->resolved = gelFollowLinks( path );
	if ( item->resolved == NULL ) item->resolved = gelHaveMemory( strdup( path ), strlen( path ) + 1 );
	mode_t mode = 0;
	item->exists = Identify( item->resolved, item->device + 0, item->inode + 0, &mode );
	item->isSpecial = item->exists && !S_ISREG( mode );
	char* name = item->resolved + ( LastPart( item->resolved ) - item->resolved );
	char first = name[0];
	name[0] = 0; // leaves the folder
	item->hasFolder =
		Identify( item->resolved[0] != 0 ? item->resolved : ".", item->device + 1, item->inode + 1, &mode );
	name[0] = first;
}

static bool IsSame( const gelNamedPath* a, const gelNamedPath* b )
{
	if ( a->isSpecial || b->isSpecial ) return false;
	if ( strcmp( a->resolved, b->resolved ) == 0 ) return true;
	// Files that are there are one if device and inode are, whatever links and names lead to them. Of a file
	// that is still to be made only the folder can be compared, and the name in it.
	if ( a->exists && b->exists ) return a->device[0] == b->device[0] && a->inode[0] == b->inode[0];
	return a->hasFolder && b->hasFolder && a->device[1] == b->device[1] && a->inode[1] == b->inode[1] &&
		strcmp( LastPart( a->resolved ), LastPart( b->resolved ) ) == 0;
}

// One clash is enough: the command has to be given again anyway.
static bool Compare( gelPathSet* set, gelNamedPath* item, gelFindings* findings )
{
	for ( int i = 0; i < set->count; ++i )
	{
		gelNamedPath* other = set->items + i;
		if ( ( !item->isOutput && !other->isOutput ) || !IsSame( item, other ) ) continue;
		const gelNamedPath* out = item->isOutput ? item : other;
		const gelNamedPath* lost = item->isOutput ? other : item;
		gelFindings_Add( findings, gel_findingUsage, NULL,
			"%s '%s' would overwrite '%s' (%s); give it another name", out->role, out->path, lost->path,
			lost->role );
		item->clashes = other->clashes = true;
		return false;
	}
	return true;
}

static bool Add( gelPathSet* set, gelNamedPath* item, gelFindings* findings )
{
	bool ok = Compare( set, item, findings );
	if ( !GEL_GROW( set->items, set->capacity, (size_t)set->count + 1 ) )
		gelExitWithoutMemory( sizeof( *item ), "use shorter lists of files" );
	set->items[set->count++] = *item;
	return ok;
}

static bool AddPath(
	gelPathSet* set, const char* path, const char* role, bool isOutput, gelFindings* findings )
{
	gelNamedPath item;
	if ( path == NULL ) return true;
	MakeItem( &item, path, role, isOutput );
	return Add( set, &item, findings );
}

bool gelPathSet_AddInput( gelPathSet* set, const char* path, const char* role, gelFindings* findings )
{
	return AddPath( set, path, role, false, findings );
}

bool gelPathSet_AddOutput( gelPathSet* set, const char* path, const char* role, gelFindings* findings )
{
	return AddPath( set, path, role, true, findings );
}

bool gelPathSet_AllowsOutput( gelPathSet* set, const char* path, const char* role, gelFindings* findings )
{
	gelNamedPath item;
	MakeItem( &item, path, role, true );
	bool ok = Compare( set, &item, findings );
	FreeItem( &item );
	return ok;
}

bool gelPathSet_AddCage(
	gelPathSet* set, const char* path, const char* role, bool isOutput, gelFindings* findings )
{
	char *first = NULL, *second = NULL;
	if ( path == NULL ) return true;
	if ( !gelCagePaths( path, &first, &second ) )
	{
		gelFindings_Add( findings, gel_findingNoMemory, path, "there is no memory for its name" );
		return false;
	}
	bool ok =
		AddPath( set, first, role, isOutput, findings ) && AddPath( set, second, role, isOutput, findings );
	free( first );
	free( second );
	return ok;
}

bool gelPathSet_HasClash( const gelPathSet* set, const char* path )
{
	for ( int i = 0; i < set->count; ++i )
	{
		if ( set->items[i].clashes && strcmp( set->items[i].path, path ) == 0 ) return true;
	}
	return false;
}

void gelFreePathSet( gelPathSet* set )
{
	for ( int i = 0; i < set->count; ++i )
		FreeItem( set->items + i );
	free( set->items );
	*set = ( gelPathSet ){ 0 };
}
