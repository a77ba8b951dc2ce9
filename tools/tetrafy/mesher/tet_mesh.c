// SPDX-License-Identifier: MIT
// From lattice tets to a mesh of its own, and who is whose neighbor in it. Neighbors are found by sorting
// faces, not by a hash: the order of tets and faces decides every number that comes later, and a sort has the
// same order on every machine.
#include "tetrafy/mesher/tet_mesh.h"

#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

// Nodes are numbered when the first tet that uses them comes by, so that nodes of one neighborhood have
// numbers near each other: the fit walks them in this order, and the bake keeps it as the order of the cage.
gelTetMesh gelMakeTetMesh( const gelLattice* lattice, const gelClassification* classification )
{
	gelTetMesh mesh = { .cell = lattice->cell, .rounded = lattice->rounded };
	uint32_t keep = classification->internal + classification->piercing;
	mesh.tets = gelTetAlloc( 4 * (size_t)keep, sizeof( uint32_t ) );
	mesh.classes = gelTetAlloc( keep, 1 );
	mesh.points = gelTetAlloc( 4 * (size_t)keep, sizeof( gelVec3d ) );
	uint32_t* latticeToNode = gelTetAlloc( gelLattice_NodeCount( lattice ), sizeof( uint32_t ) ); // 1-based

	uint32_t tetCount = gelLattice_TetCount( lattice );
	for ( uint32_t tet = 0; tet < tetCount; ++tet )
	{
		if ( classification->classes[tet] == gel_tetExternal ) continue;
		uint32_t nodes[4];
		gelLattice_TetNodes( lattice, tet, nodes );
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t* number = latticeToNode + nodes[k];
			if ( *number == 0 )
			{
				mesh.points[mesh.nodeCount] = gelLattice_NodePoint( lattice, nodes[k] );
				*number = ++mesh.nodeCount;
			}
			mesh.tets[4 * (size_t)mesh.tetCount + k] = *number - 1;
		}
		mesh.classes[mesh.tetCount++] = classification->classes[tet];
	}
	free( latticeToNode );
	// Four nodes per tet was the bound; inner nodes of the lattice have 8 or 32 corners, so most of it goes
	// back.
	mesh.points = gelTetGrow( mesh.points, (size_t)mesh.nodeCount + 1, sizeof( gelVec3d ) );
	return mesh;
}

void gelFreeTetMesh( gelTetMesh* mesh )
{
	free( mesh->points );
	free( mesh->tets );
	free( mesh->classes );
	*mesh = ( gelTetMesh ){ 0 };
}

void gelTetMesh_TetPoints( const gelTetMesh* mesh, uint32_t tet, gelVec3d outPoints[4] )
{
	GEL_ASSERT( tet < mesh->tetCount );
	for ( int k = 0; k < 4; ++k )
		outPoints[k] = mesh->points[mesh->tets[4 * (size_t)tet + k]];
}

void gelTetMesh_FacePoints( const gelTetMesh* mesh, uint32_t tet, int face, gelVec3d outPoints[3] )
{
	GEL_ASSERT( tet < mesh->tetCount && face >= 0 && face < 4 );
	for ( int k = 0; k < 3; ++k )
		outPoints[k] = mesh->points[mesh->tets[4 * (size_t)tet + gelTetFaces[face][k]]];
}

typedef struct FaceItem
{
	uint32_t nodes[3]; // ascending
	uint32_t corner;   // 4 * tet + face
	uint32_t odd;      // parity of the permutation that sorted them
} FaceItem;

// Bubble sort of three numbers. Each swap turns the face over, so two tets that see a face from its two sides
// (their outward normals are opposite) sort it with different parities: equal parities mean that one of them
// is inside out, or lies on the same side as the other.
static FaceItem FaceOf( const uint32_t* tets, uint32_t tet, int face )
{
	GEL_ASSERT( face >= 0 && face < 4 );
	FaceItem item = { .corner = 4 * tet + (uint32_t)face };
	for ( int k = 0; k < 3; ++k )
		item.nodes[k] = tets[4 * (size_t)tet + gelTetFaces[face][k]];
	static const int pairs[3][2] = { { 0, 1 }, { 1, 2 }, { 0, 1 } };
	for ( int i = 0; i < 3; ++i )
	{
		uint32_t *a = item.nodes + pairs[i][0], *b = item.nodes + pairs[i][1];
		if ( *a < *b ) continue;
		uint32_t keep = *a;
		*a = *b;
		*b = keep;
		item.odd ^= 1;
	}
	return item;
}

static int CompareFaces( const void* left, const void* right )
{
	const FaceItem* x = left;
	const FaceItem* y = right;
	for ( int k = 0; k < 3; ++k )
		if ( x->nodes[k] != y->nodes[k] ) return x->nodes[k] < y->nodes[k] ? -1 : 1;
	return x->corner < y->corner ? -1 : x->corner > y->corner;
}

// Notes the tets of faces [first, end) as bad.
static void NoteBad( gelTetFacesInfo* info, const FaceItem* first, const FaceItem* end, uint32_t tetCount )
{
	if ( info->badTets == NULL ) info->badTets = gelTetAlloc( tetCount, 1 );
	for ( const FaceItem* item = first; item < end; ++item )
	{
		uint32_t tet = item->corner / 4;
		info->badTets[tet] = 1;
		if ( tet < info->firstBadTet ) info->firstBadTet = tet;
	}
}

gelTetFacesInfo gelFindTetFaces( const uint32_t* tets, uint32_t tetCount )
{
	GEL_ASSERT( tetCount == 0 || tets != NULL );
	gelTetFacesInfo info = { .firstBadTet = GEL_NO_TET };
	size_t count = 4 * (size_t)tetCount;
	info.neighbors = gelTetAlloc( count, sizeof( uint32_t ) );
	memset( info.neighbors, 0xFF, count * sizeof( uint32_t ) );
	FaceItem* items = gelTetAlloc( count, sizeof( FaceItem ) );
	for ( size_t i = 0; i < count; ++i )
		items[i] = FaceOf( tets, (uint32_t)( i / 4 ), (int)( i % 4 ) );
	qsort( items, count, sizeof( FaceItem ), CompareFaces );
	for ( size_t i = 0, end; i < count; i = end )
	{
		for ( end = i + 1;
			  end < count && memcmp( items[i].nodes, items[end].nodes, sizeof items[i].nodes ) == 0; )
			end += 1;
		if ( end == i + 1 ) info.boundaryCount += 1;
		// Runs of equal faces: one use is the outside, two are neighbors, more cannot be in space without
		// overlap.
		if ( end > i + 2 )
		{
			info.crowdedCount += 1;
			NoteBad( &info, items + i, items + end, tetCount );
		}
		if ( end != i + 2 ) continue;
		info.neighbors[items[i].corner] = items[i + 1].corner / 4;
		info.neighbors[items[i + 1].corner] = items[i].corner / 4;
		if ( items[i].odd == items[i + 1].odd )
		{
			info.misorientedCount += 1;
			NoteBad( &info, items + i, items + end, tetCount );
		}
	}
	free( items );
	return info;
}

void gelFreeTetFaces( gelTetFacesInfo* faces )
{
	free( faces->neighbors );
	free( faces->badTets );
	*faces = ( gelTetFacesInfo ){ 0 };
}

void gelTetMesh_ToCage( const gelTetMesh* mesh, gelCage* outCage )
{
	*outCage = ( gelCage ){ .nodeCount = mesh->nodeCount, .tetCount = mesh->tetCount };
	outCage->positions = gelTetAlloc( 3 * (size_t)mesh->nodeCount, sizeof( double ) );
	outCage->tets = gelTetAlloc( 4 * (size_t)mesh->tetCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < mesh->nodeCount; ++i )
	{
		outCage->positions[3 * (size_t)i + 0] = mesh->points[i].x;
		outCage->positions[3 * (size_t)i + 1] = mesh->points[i].y;
		outCage->positions[3 * (size_t)i + 2] = mesh->points[i].z;
	}
	memcpy( outCage->tets, mesh->tets, 4 * (size_t)mesh->tetCount * sizeof( uint32_t ) );
}

// Classes stay 0 (Unknown) and the cell size 0: gelAdoptCage sets both when there is art to compare with. The
// array cageToNode is used twice: first as a mark of what a tet uses, then as the new number, which may be 0
// as well because every entry that is read has been marked.
gelTetMesh gelTetMesh_FromCage( const gelCage* cage )
{
	gelTetMesh mesh = { .tetCount = cage->tetCount };
	mesh.points = gelTetAlloc( cage->nodeCount, sizeof( gelVec3d ) );
	mesh.tets = gelTetAlloc( 4 * (size_t)cage->tetCount, sizeof( uint32_t ) );
	mesh.classes = gelTetAlloc( cage->tetCount, 1 );
	uint32_t* cageToNode = gelTetAlloc( cage->nodeCount, sizeof( uint32_t ) );
	for ( size_t i = 0; i < 4 * (size_t)cage->tetCount; ++i )
		cageToNode[cage->tets[i]] = 1;
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		if ( cageToNode[i] == 0 ) continue;
		mesh.points[mesh.nodeCount] = gelLoadVec3d( cage->positions + 3 * (size_t)i );
		cageToNode[i] = mesh.nodeCount++;
	}
	for ( size_t i = 0; i < 4 * (size_t)cage->tetCount; ++i )
		mesh.tets[i] = cageToNode[cage->tets[i]];
	free( cageToNode );
	return mesh;
}
