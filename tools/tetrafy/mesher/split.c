// SPDX-License-Identifier: MIT
// Corners (4 * tet + k) that stay together are joined with union-find over the glued faces; each set becomes
// a node. An edge or vertex that meets the surface or lies inside has only such faces around it, so its whole
// fan is glued and it is never doubled; one outside is doubled exactly when its fan falls apart.
//
// Cutting every face that does not pierce the surface, as the thesis words it, would also cut through solid
// parts that are thicker than a tet. Only faces outside of the solid are cut. Moving apart is left to the
// fit: here both sides still coincide, and they may overlap later without harm, because no boundary face ever
// crosses the art, so every art point stays in exactly one tet.
//
//                  tet A | tet B            face in air           A's nodes | B's nodes
//              ( finger )|( finger )      ------------------->    same place, other numbers
#include "tetrafy/mesher/split.h"

#include "tetrafy/geometry/tet_memory.h"
#include "common/program/union_find.h"
#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// In the order of cost: a class is a byte, exact triangle tests follow a tree, winding numbers sum one. The
// center stands for the whole face: a face that does not meet the surface is on one side of it.
static bool IsGlued(
	const gelTetMesh* mesh, const gelSurfaceTree* tree, uint32_t tet, int face, uint32_t other )
{
	GEL_ASSERT( tet < mesh->tetCount && face >= 0 && face < 4 );
	if ( mesh->classes[tet] == gel_tetInternal || mesh->classes[other] == gel_tetInternal ) return true;
	gelVec3d p[3];
	gelTetMesh_FacePoints( mesh, tet, face, p );
	if ( gelSurfaceTree_MeetsTriangle( tree, p, NULL ) ) return true;
	gelVec3d center = gelScaleD( 1.0 / 3.0, gelAddD( p[0], gelAddD( p[1], p[2] ) ) );
	return gelSurfaceTree_IsInside( tree, center );
}

// The corners of the two tets that are the same node of the lattice; face corners are not in the same order
// on both sides, so they are matched by node.
static void JoinFace( const gelTetMesh* mesh, uint32_t tet, int face, uint32_t other, uint32_t* parents )
{
	GEL_ASSERT( tet < mesh->tetCount && other < mesh->tetCount && face >= 0 && face < 4 );
	for ( int i = 0; i < 3; ++i )
	{
		uint32_t corner = 4 * tet + gelTetFaces[face][i];
		for ( uint32_t k = 4 * other; k < 4 * other + 4; ++k )
			if ( mesh->tets[k] == mesh->tets[corner] ) gelJoinSets( parents, corner, k );
	}
}

// New nodes in order of first use.
static uint32_t RenumberNodes( gelTetMesh* mesh, uint32_t* parents )
{
	size_t corners = 4 * (size_t)mesh->tetCount;
	gelVec3d* points = gelTetAlloc( corners, sizeof( gelVec3d ) );
	uint32_t* rootToNode = gelTetAlloc( corners, sizeof( uint32_t ) );
	uint32_t count = 0;
	for ( size_t i = 0; i < corners; ++i )
	{
		uint32_t root = gelFindRoot( parents, (uint32_t)i ); // at most i: it was seen before or is i itself
		if ( root == i )
		{
			points[count] = mesh->points[mesh->tets[i]];
			rootToNode[root] = count++;
		}
		mesh->tets[i] = rootToNode[root];
	}
	free( rootToNode );
	free( mesh->points );
	mesh->points = gelTetGrow( points, (size_t)count + 1, sizeof( gelVec3d ) );
	uint32_t added = count - mesh->nodeCount;
	mesh->nodeCount = count;
	return added;
}

gelSplitCounts gelSplitFeatures( gelTetMesh* mesh, const gelSurfaceTree* tree, int threads )
{
	GEL_ASSERT( threads > 0 );
	(void)threads;
	gelSplitCounts counts = { 0 };
	gelTetFacesInfo faces = gelFindTetFaces( mesh->tets, mesh->tetCount );
	// Each face once, from its tet with the lower number. Judging is parallel, joining is not: sets must not
	// depend on the order in which threads come by.
	int64_t corners = 4 * (int64_t)mesh->tetCount;
	uint8_t* glued = gelTetAlloc( (size_t)corners, 1 );
#pragma omp parallel for schedule( dynamic, 64 ) num_threads( threads )
	for ( int64_t i = 0; i < corners; ++i )
	{
		uint32_t tet = (uint32_t)( i / 4 ), other = faces.neighbors[i];
		if ( other != GEL_NO_TET && other > tet )
			glued[i] = IsGlued( mesh, tree, tet, (int)( i % 4 ), other );
	}
	uint32_t* parents = gelTetAlloc( (size_t)corners, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < corners; ++i )
		parents[i] = i;
	for ( uint32_t i = 0; i < corners; ++i )
	{
		uint32_t tet = i / 4, other = faces.neighbors[i];
		if ( other == GEL_NO_TET || other < tet ) continue;
		if ( glued[i] )
			JoinFace( mesh, tet, (int)( i % 4 ), other, parents );
		else
			counts.splitFaces += 1;
	}
	counts.addedNodes = RenumberNodes( mesh, parents );
	free( parents );
	free( glued );
	gelFreeTetFaces( &faces );
	return counts;
}
