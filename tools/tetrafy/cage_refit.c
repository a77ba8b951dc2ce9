// SPDX-License-Identifier: MIT
#include "cage_refit.h"

#include "cage_quality.h"
#include "tri_tri.h"

#include <stdlib.h>

// Triangles of the surface (slots of the tree) that meet a tet.
typedef struct SlotList
{
	uint32_t* slots;
	uint32_t count, capacity;
} SlotList;

static void FindSlotsInTet( const gelSurfaceTree* tree, const gelDvec p[4], SlotList* list )
{
	list->count = 0;
	gelDbox box = gelDbox_Empty();
	for ( int k = 0; k < 4; ++k )
		gelDbox_AddPoint( &box, p[k] );
	for ( uint32_t at = 0; at < tree->nodeCount; )
	{
		const gelTreeNode* node = tree->nodes + at;
		if ( !gelDbox_Overlaps( &box, &node->box ) )
		{
			at = node->skip;
			continue;
		}
		for ( uint32_t i = node->first; i < node->first + node->count; ++i )
		{
			if ( !gelTriangleMeetsTet( tree->corners + 3 * (size_t)i, p ) ) continue;
			if ( list->count == list->capacity )
			{
				list->capacity = 2 * list->capacity + 64;
				list->slots = gelTetGrow( list->slots, list->capacity, sizeof( uint32_t ) );
			}
			list->slots[list->count++] = i;
		}
		at += 1;
	}
}

gelTetMesh gelAdoptCage( const gelCage* cage, const gelSurfaceTree* tree, int threads )
{
	(void)threads;
	gelTetMesh mesh = gelTetMesh_FromCage( cage );
	mesh.rounded = true;
	for ( size_t i = 0; i < 3 * (size_t)cage->nodeCount; ++i )
		mesh.rounded = mesh.rounded && cage->positions[i] == (double)(float)cage->positions[i];
	double volume = 0.0;
	for ( uint32_t tet = 0; tet < mesh.tetCount; ++tet )
	{
		gelDvec p[4];
		gelTetMesh_TetPoints( &mesh, tet, p );
		volume += gelTetVolume( p );
	}
	mesh.cell = cbrt( 5.0 * volume / mesh.tetCount ); // a cell has five tets
#pragma omp parallel num_threads( threads )
	{
		SlotList list = { 0 };
#pragma omp for schedule( dynamic, 64 )
		for ( int64_t tet = 0; tet < (int64_t)mesh.tetCount; ++tet )
		{
			gelDvec p[4];
			gelTetMesh_TetPoints( &mesh, (uint32_t)tet, p );
			FindSlotsInTet( tree, p, &list );
			mesh.classes[tet] = list.count > 0 ? gel_tetPiercing : gel_tetInternal;
		}
		free( list.slots );
	}
	return mesh;
}

// Scratch of one thread for joining triangles at their common points.
typedef struct Patches
{
	SlotList list;
	uint32_t* parents; // per entry of the list
	uint32_t capacity;
	uint32_t* pointToEntry; // entry + 1 that last had the point
} Patches;

static uint32_t FindRoot( uint32_t* parents, uint32_t entry )
{
	while ( parents[entry] != entry )
	{
		parents[entry] = parents[parents[entry]];
		entry = parents[entry];
	}
	return entry;
}

// How many pieces do the triangles that meet a tet form?
static uint32_t CountPatches( const gelSurfaceTree* tree, const gelDvec p[4], Patches* patches )
{
	const gelSurface* surface = tree->surface;
	FindSlotsInTet( tree, p, &patches->list );
	uint32_t count = patches->list.count, pieces = count;
	if ( patches->capacity < count )
	{
		patches->capacity = 2 * count;
		patches->parents = gelTetGrow( patches->parents, patches->capacity, sizeof( uint32_t ) );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		patches->parents[i] = i;
		const uint32_t* t = surface->tris + 3 * (size_t)tree->slotToTri[patches->list.slots[i]];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* entry = patches->pointToEntry + t[k];
			if ( *entry != 0 )
			{
				uint32_t a = FindRoot( patches->parents, *entry - 1 ), b = FindRoot( patches->parents, i );
				pieces -= a != b;
				patches->parents[a > b ? a : b] = a > b ? b : a;
			}
			*entry = i + 1;
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		const uint32_t* t = surface->tris + 3 * (size_t)tree->slotToTri[patches->list.slots[i]];
		for ( int k = 0; k < 3; ++k )
			patches->pointToEntry[t[k]] = 0;
	}
	return pieces;
}

uint32_t gelCountSharedTets( const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads )
{
	(void)threads;
	uint32_t shared = 0;
#pragma omp parallel num_threads( threads ) reduction( + : shared )
	{
		Patches patches = { 0 };
		patches.pointToEntry = gelTetAlloc( tree->surface->pointCount, sizeof( uint32_t ) );
#pragma omp for schedule( dynamic, 64 )
		for ( int64_t tet = 0; tet < (int64_t)mesh->tetCount; ++tet )
		{
			gelDvec p[4];
			gelTetMesh_TetPoints( mesh, (uint32_t)tet, p );
			shared += CountPatches( tree, p, &patches ) > 1;
		}
		free( patches.list.slots );
		free( patches.parents );
		free( patches.pointToEntry );
	}
	return shared;
}
