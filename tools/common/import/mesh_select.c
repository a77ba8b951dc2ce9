// SPDX-License-Identifier: MIT
// Which parts of a file are the body: those that --node names, without those that --exclude names; and, where
// nothing was named, without what exporters put beside the body by convention:
//
//     coarser levels of detail      rock_LOD1, where there is a rock_LOD0
//     hulls for collision           UCX_rock, UBX_, USP_, UCP_ (Unreal), rock-colonly, rock-convcolonly
//     (Godot) hidden nodes                  KHR_node_visibility, FBX
//
// A part is a group of the mesh: a node of glTF or FBX, a group or object of OBJ, a solid of STL.
#include "common/import/import_internal.h"

#include <gelpack/asserts.h>

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_PATTERN_BYTES 256

// ---- names ------------------------------------------------------------------------------------------------

// Whether a glob is the name of the group, or of a node above it.
static bool IsNamed( const gelMeshGroup* group, const char* glob )
{
	if ( fnmatch( glob, group->name, 0 ) == 0 ) return true;
	for ( const char* at = group->parents; at != NULL && *at != 0; )
	{
		char name[MAX_PATTERN_BYTES];
		size_t length = strcspn( at, "\n" );
		snprintf( name, sizeof name, "%.*s", (int)( length < 255 ? length : 255 ), at );
		if ( fnmatch( glob, name, 0 ) == 0 ) return true;
		at += length + ( at[length] != 0 );
	}
	return false;
}

// The next glob of a list with commas, without blanks around it. NULL: there is no more.
static const char* NextGlob( const char* list, char out[MAX_PATTERN_BYTES] )
{
	list += strspn( list, ", " );
	if ( *list == 0 ) return NULL;
	size_t length = strcspn( list, "," ),
		   kept = length < MAX_PATTERN_BYTES - 1 ? length : MAX_PATTERN_BYTES - 1;
	while ( kept > 0 && list[kept - 1] == ' ' )
		--kept;
	memcpy( out, list, kept );
	out[kept] = 0;
	return list + length;
}

static bool RefuseGlob( gelImporter* importer, const char* option, const char* glob )
{
	const gelMesh* mesh = importer->mesh;
	char names[512] = "";
	size_t at = 0;
	for ( uint32_t i = 0; i < mesh->groupCount && at + 80 < sizeof names; ++i )
		at += (size_t)snprintf(
			names + at, sizeof names - at, "%s\"%.60s\"", i > 0 ? ", " : "", mesh->groups[i].name );
	gelFindings_Add( importer->findings, gel_findingPartMissing, importer->path,
		"%s: no part is named \"%.60s\"; the file has %s%s", option, glob, names,
		at + 80 < sizeof names ? "" : " ..." );
	return false;
}

// Marks the groups that a list names. False: a glob names none.
static bool MarkNamed( gelImporter* importer, const char* option, const char* list, bool* marks )
{
	const gelMesh* mesh = importer->mesh;
	char glob[MAX_PATTERN_BYTES];
	for ( const char* at = NextGlob( list, glob ); at != NULL; at = NextGlob( at, glob ) )
	{
		bool found = false;
		for ( uint32_t i = 0; i < mesh->groupCount; ++i )
		{
			if ( !IsNamed( mesh->groups + i, glob ) ) continue;
			marks[i] = found = true;
		}
		if ( !found ) return RefuseGlob( importer, option, glob );
	}
	return true;
}

// ---- conventions ------------------------------------------------------------------------------------------

static bool EndsWith( const char* name, const char* ending )
{
	size_t length = strlen( name ), count = strlen( ending );
	return length > count && strcasecmp( name + length - count, ending ) == 0;
}

static bool IsHull( const char* name )
{
	static const char* const prefixes[] = { "UCX_", "UBX_", "USP_", "UCP_", "MCDCX_" };
	for ( size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; ++i )
		if ( strncasecmp( name, prefixes[i], strlen( prefixes[i] ) ) == 0 ) return true;
	return EndsWith( name, "-colonly" ) || EndsWith( name, "-convcolonly" );
}

// "rock_LOD2" -> 2, and the length of "rock". Negative: no level.
static int FindLevel( const char* name, size_t* outStem )
{
	size_t length = strlen( name );
	if ( length < 4 || !isdigit( (unsigned char)name[length - 1] ) ||
		strncasecmp( name + length - 4, "lod", 3 ) != 0 )
		return -1;
	*outStem = length - 4;
	while ( *outStem > 0 && strchr( "_-. ", name[*outStem - 1] ) != NULL )
		--*outStem;
	return name[length - 1] - '0';
}

// A level is left out where the same thing is there in a finer one.
static bool HasFinerLevel( const gelMesh* mesh, uint32_t index )
{
	size_t stem = 0, other = 0;
	const char* name = mesh->groups[index].name;
	int level = FindLevel( name, &stem );
	for ( uint32_t i = 0; i < mesh->groupCount && level > 0; ++i )
	{
		int found = FindLevel( mesh->groups[i].name, &other );
		if ( found >= 0 && found < level && other == stem &&
			strncmp( mesh->groups[i].name, name, stem ) == 0 )
			return true;
	}
	return false;
}

// @return how many are left out
static uint32_t MarkConventions( const gelMesh* mesh, bool* marks )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < mesh->groupCount; ++i )
	{
		marks[i] = mesh->groups[i].isHidden || IsHull( mesh->groups[i].name ) || HasFinerLevel( mesh, i );
		count += marks[i];
	}
	if ( count < mesh->groupCount ) return count;
	memset( marks, 0, mesh->groupCount * sizeof( bool ) ); // it is all that there is
	return 0;
}

static void ReportLeftOut( gelImporter* importer, const bool* isOut, uint32_t count )
{
	const gelMesh* mesh = importer->mesh;
	uint32_t first = 0;
	while ( !isOut[first] )
		++first;
	gelFindings_Add( importer->findings, gel_findingPartsLeftOut, importer->path,
		"%u of %u parts were left out as levels of detail, collision hulls or hidden (first: \"%.60s\"); "
		"--node names "
		"what is wanted",
		count, mesh->groupCount, mesh->groups[first].name );
}

// ---- the mesh ---------------------------------------------------------------------------------------------

static void DropGroups( gelMesh* mesh, const bool* isOut )
{
	uint32_t triangles = 0, groups = 0;
	for ( uint32_t i = 0; i < mesh->groupCount; ++i )
	{
		gelMeshGroup group = mesh->groups[i];
		if ( isOut[i] )
		{
			free( group.name );
			free( group.parents );
			free( group.extras );
			continue;
		}
		memmove( mesh->indices + 3 * (size_t)triangles, mesh->indices + 3 * (size_t)group.firstTriangle,
			3 * (size_t)group.triangleCount * sizeof( uint32_t ) );
		memmove( mesh->triMaterial + triangles, mesh->triMaterial + group.firstTriangle,
			group.triangleCount * sizeof( uint32_t ) );
		group.firstTriangle = triangles;
		triangles += group.triangleCount;
		mesh->groups[groups++] = group;
	}
	mesh->groupCount = groups;
	mesh->triangleCount = triangles;
}

static bool Select( gelImporter* importer, bool* isOut, bool* named )
{
	gelMesh* mesh = importer->mesh;
	const char *nodes = importer->options.nodes, *excluded = importer->options.excluded;
	uint32_t count = 0;
	if ( nodes == NULL ) count = MarkConventions( mesh, isOut );
	if ( count > 0 ) ReportLeftOut( importer, isOut, count );
	if ( nodes != NULL && !MarkNamed( importer, "--node", nodes, named ) ) return false;
	for ( uint32_t i = 0; nodes != NULL && i < mesh->groupCount; ++i )
		isOut[i] = !named[i];
	if ( excluded != NULL && !MarkNamed( importer, "--exclude", excluded, isOut ) ) return false;
	uint32_t out = 0;
	for ( uint32_t i = 0; i < mesh->groupCount; ++i )
		out += isOut[i];
	importer->hasSelected = out > 0;
	if ( out > 0 ) DropGroups( mesh, isOut );
	if ( mesh->groupCount > 0 ) return true;
	gelFindings_Add( importer->findings, gel_findingPartMissing, importer->path,
		"--node and --exclude leave no part of the file" );
	return false;
}

bool gelSelectParts( gelImporter* importer )
{
	uint32_t count = importer->mesh->groupCount;
	if ( count == 0 ) return true;
	bool* marks = calloc( 2 * (size_t)count, sizeof( bool ) );
	bool ok = marks != NULL ? Select( importer, marks, marks + count ) : gelImporter_OutOfMemory( importer );
	free( marks );
	return ok;
}
