// SPDX-License-Identifier: MIT
// What is proven, and by what (all signs exact):
//     1. every tet has positive volume
//     2. every face has one tet, or two on its two sides
//     3. no boundary face meets a triangle of the art, touching included
//     4. every art point is in some tet, and strictly inside of one at most
// 3 and 4 together: a piece of the art with one point in the cage never leaves it. The last part of 4 is what
// clipping and embedding rely on; tets that were split apart may overlap where no art is.
#include "tetrafy/verify/cage_verify.h"

#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/geometry/exact_orient.h"
#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

// Exactly, as det > 0; a volume in doubles may have the wrong sign for slivers.
static void CheckVolumes( const gelTetMesh* mesh, gelCageProof* proof )
{
	for ( uint32_t tet = 0; tet < mesh->tetCount; ++tet )
	{
		gelVec3d p[4];
		gelTetMesh_TetPoints( mesh, tet, p );
		if ( gelOrient3d( p[0], p[1], p[2], p[3] ) > 0 ) continue;
		if ( proof->invertedTets == 0 ) proof->firstInverted = tet;
		proof->invertedTets += 1;
	}
}

static void CheckBoundary( const gelTetMesh* mesh, const gelTetFacesInfo* faces, const gelSurfaceTree* tree,
	int threads, gelCageProof* proof )
{
	(void)threads;
	int64_t count = 4 * (int64_t)mesh->tetCount;
	uint32_t touched = 0, first = UINT32_MAX;
#pragma omp parallel for schedule( dynamic, 64 ) num_threads( threads ) reduction( + : touched ) reduction( min : first )
	for ( int64_t i = 0; i < count; ++i )
	{
		if ( faces->neighbors[i] != GEL_NO_TET ) continue;
		gelVec3d p[3];
		gelTetMesh_FacePoints( mesh, (uint32_t)( i / 4 ), (int)( i % 4 ), p );
		uint32_t tri;
		if ( !gelSurfaceTree_MeetsTriangle( tree, p, &tri ) ) continue;
		touched += 1;
		tri = tree->surface->triToSource[tri];
		if ( tri < first ) first = tri;
	}
	proof->touchedFaces = touched;
	proof->firstTouchedTri = first;
}

static gelBox3d BoxOfTet( const gelVec3d p[4] )
{
	gelBox3d box = gelBox3d_Empty();
	for ( int k = 0; k < 4; ++k )
		gelBox3d_AddPoint( &box, p[k] );
	return box;
}

// How often each point of the surface is strictly inside a tet, and whether it is in one at all. Bit 7: in
// some tet; low bits: number of tets around it, saturating.
static void CoverPoints(
	const gelTetMesh* mesh, const gelSurfaceTree* tree, uint32_t tet, uint8_t* cover, uint32_t* lastTet )
{
	GEL_ASSERT( tet < mesh->tetCount );
	gelVec3d p[4];
	gelTetMesh_TetPoints( mesh, tet, p );
	gelBox3d box = BoxOfTet( p );
	for ( uint32_t at = 0; at < tree->nodeCount; )
	{
		const gelTreeNode* node = tree->nodes + at;
		bool isMissed = !gelBox3d_Overlaps( &box, &node->box );
		at = isMissed ? node->skip : at + 1;
		if ( isMissed ) continue;
		for ( uint32_t i = 3 * node->first; i < 3 * ( node->first + node->count ); ++i )
		{
			uint32_t point = tree->surface->tris[3 * (size_t)tree->slotToTri[i / 3] + i % 3];
			// A point of several triangles must not be counted several times; tet + 1, so that 0 means never.
			if ( lastTet[point] == tet + 1 ) continue; // seen with a neighboring triangle
			lastTet[point] = tet + 1;
			int where = gelPointInTet( tree->corners[i], p );
			if ( where < 0 ) continue;
			if ( where > 0 && ( cover[point] & 3 ) < 3 ) cover[point] += 1;
			cover[point] |= 128;
		}
	}
}

// Adds the counts of one thread to those of another; a sum that saturates does not depend on the order.
static void AddCover( uint8_t* cover, const uint8_t* other, uint32_t pointCount )
{
	for ( uint32_t i = 0; i < pointCount; ++i )
	{
		int sum = ( cover[i] & 3 ) + ( other[i] & 3 );
		cover[i] = (uint8_t)( ( ( cover[i] | other[i] ) & 128 ) | ( sum < 3 ? sum : 3 ) );
	}
}

// @return cover of every point, to be freed
static uint8_t* CoverAllPoints( const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads )
{
	GEL_ASSERT( threads > 0 );
	(void)threads;
	const uint32_t pointCount = tree->surface->pointCount;
	uint8_t* cover = gelTetAlloc( pointCount, 1 );
#pragma omp parallel num_threads( threads )
	{
		uint8_t* own = gelTetAlloc( pointCount, 1 );
		uint32_t* lastTet = gelTetAlloc( pointCount, sizeof( uint32_t ) );
#pragma omp for schedule( dynamic, 8 )
		for ( uint32_t tet = 0; tet < mesh->tetCount; ++tet )
			CoverPoints( mesh, tree, tet, own, lastTet );
#pragma omp critical( gelAddCover )
		AddCover( cover, own, pointCount );
		free( lastTet );
		free( own );
	}
	return cover;
}

// Does a point that lies inside of another tet, too, lie inside of this one?
static bool HoldsDoubledPoint(
	const gelTetMesh* mesh, const gelSurfaceTree* tree, uint32_t tet, const uint8_t* cover )
{
	GEL_ASSERT( tet < mesh->tetCount );
	gelVec3d p[4];
	gelTetMesh_TetPoints( mesh, tet, p );
	gelBox3d box = BoxOfTet( p );
	for ( uint32_t at = 0; at < tree->nodeCount; )
	{
		const gelTreeNode* node = tree->nodes + at;
		bool isMissed = !gelBox3d_Overlaps( &box, &node->box );
		at = isMissed ? node->skip : at + 1;
		if ( isMissed ) continue;
		for ( uint32_t i = 3 * node->first; i < 3 * ( node->first + node->count ); ++i )
		{
			uint32_t point = tree->surface->tris[3 * (size_t)tree->slotToTri[i / 3] + i % 3];
			if ( ( cover[point] & 3 ) > 1 && gelPointInTet( tree->corners[i], p ) > 0 ) return true;
		}
	}
	return false;
}

void gelMarkBadTets( const gelTetMesh* mesh, const gelSurfaceTree* tree, uint8_t* outMarks )
{
	gelTetFacesInfo faces = gelFindTetFaces( mesh->tets, mesh->tetCount );
	for ( uint32_t i = 0; i < mesh->tetCount && faces.badTets != NULL; ++i )
		outMarks[i] |= faces.badTets[i];
	gelFreeTetFaces( &faces );
	uint8_t* cover = CoverAllPoints( mesh, tree, 1 );
	bool doubled = false;
	for ( uint32_t i = 0; i < tree->surface->pointCount; ++i )
		doubled = doubled || ( cover[i] & 3 ) > 1;
	for ( uint32_t tet = 0; tet < mesh->tetCount && doubled; ++tet )
		outMarks[tet] |= HoldsDoubledPoint( mesh, tree, tet, cover );
	free( cover );
}

void gelMarkBadTriangles( const gelTetMesh* mesh, const gelSurfaceTree* tree, uint8_t* outMarks )
{
	const gelSurface* surface = tree->surface;
	gelTetFacesInfo faces = gelFindTetFaces( mesh->tets, mesh->tetCount );
	for ( uint32_t i = 0; i < 4 * mesh->tetCount; ++i )
	{
		if ( faces.neighbors[i] != GEL_NO_TET ) continue;
		gelVec3d p[3];
		gelTetMesh_FacePoints( mesh, i / 4, (int)( i % 4 ), p );
		uint32_t tri;
		if ( gelSurfaceTree_MeetsTriangle( tree, p, &tri ) ) outMarks[tri] = 1;
	}
	gelFreeTetFaces( &faces );
	uint8_t* cover = CoverAllPoints( mesh, tree, 1 );
	for ( size_t i = 0; i < 3 * (size_t)surface->triCount; ++i )
		if ( ( cover[surface->tris[i]] & 128 ) == 0 ) outMarks[i / 3] = 1;
	free( cover );
}

static void CheckPoints(
	const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads, gelCageProof* proof )
{
	GEL_ASSERT( threads >= 1 );
	const gelSurface* surface = tree->surface;
	uint8_t* cover = CoverAllPoints( mesh, tree, threads );
	uint8_t* used = gelTetAlloc( surface->pointCount, 1 );
	for ( size_t i = 0; i < 3 * (size_t)surface->triCount; ++i )
		used[surface->tris[i]] = 1;
	for ( uint32_t i = 0; i < surface->pointCount; ++i )
	{
		if ( used[i] && ( cover[i] & 128 ) == 0 )
		{
			if ( proof->outsidePoints == 0 ) proof->firstOutside = i;
			proof->outsidePoints += 1;
		}
		if ( ( cover[i] & 3 ) > 1 )
		{
			if ( proof->overlappedPoints == 0 ) proof->firstOverlapped = i;
			proof->overlappedPoints += 1;
		}
	}
	free( used );
	free( cover );
}

gelCageProof gelProveCage( const gelTetMesh* mesh, const gelSurfaceTree* tree, int threads )
{
	GEL_ASSERT( threads > 0 );
	gelCageProof proof = { 0 };
	CheckVolumes( mesh, &proof );
	gelTetFacesInfo faces = gelFindTetFaces( mesh->tets, mesh->tetCount );
	proof.crowdedFaces = faces.crowdedCount;
	proof.misorientedFaces = faces.misorientedCount;
	proof.firstBadTet = faces.firstBadTet;
	proof.boundaryFaces = faces.boundaryCount;
	// Tests with flat tets and faces would say nothing.
	if ( proof.invertedTets == 0 )
	{
		CheckBoundary( mesh, &faces, tree, threads, &proof );
		CheckPoints( mesh, tree, threads, &proof );
	}
	gelFreeTetFaces( &faces );
	return proof;
}

bool gelCageProof_Holds( const gelCageProof* proof )
{
	return proof->invertedTets == 0 && proof->crowdedFaces == 0 && proof->misorientedFaces == 0 &&
		proof->touchedFaces == 0 && proof->outsidePoints == 0 && proof->overlappedPoints == 0;
}

// First corner of a triangle of the mesh.
static gelVec3d PlaceOfTriangle( const gelSurface* surface, uint32_t source )
{
	uint32_t tri = 0;
	while ( tri + 1 < surface->triCount && surface->triToSource[tri] != source )
		tri += 1;
	return surface->points[surface->tris[3 * (size_t)tri]];
}

void gelCageProof_Report( const gelCageProof* proof, const gelTetMesh* mesh, const gelSurface* surface,
	const char* file, gelProgram* program )
{
	gelFindings* findings = &program->findings;
	if ( proof->invertedTets > 0 )
	{
		gelVec3d p = mesh->points[mesh->tets[4 * (size_t)proof->firstInverted]];
		gelFindings_Add( findings, gel_findingCageTetsInverted, file,
			"%u tets of the cage are flat or inverted (first: tet %u at %g %g %g)", proof->invertedTets,
			proof->firstInverted, p.x, p.y, p.z );
	}
	if ( proof->crowdedFaces + proof->misorientedFaces > 0 )
	{
		gelFindings_Add( findings, gel_findingCageNotConforming, file,
			"the cage does not conform: %u faces of more than two tets, %u faces seen twice from one side "
			"(first: tet %u)",
			proof->crowdedFaces, proof->misorientedFaces, proof->firstBadTet );
	}
	if ( proof->touchedFaces > 0 )
	{
		gelVec3d p = PlaceOfTriangle( surface, proof->firstTouchedTri );
		gelFindings_Add( findings, gel_findingCageMeetsArt, file,
			"%u faces on the outside of the cage meet the art (first: triangle %u at %.9g %.9g %.9g)",
			proof->touchedFaces, proof->firstTouchedTri, p.x, p.y, p.z );
	}
	if ( proof->outsidePoints > 0 )
	{
		gelVec3d p = surface->points[proof->firstOutside];
		gelFindings_Add( findings, gel_findingArtOutsideCage, file,
			"%u art vertices are outside the cage (first at %.9g %.9g %.9g)", proof->outsidePoints, p.x, p.y,
			p.z );
	}
	if ( proof->overlappedPoints > 0 )
	{
		gelVec3d p = surface->points[proof->firstOverlapped];
		gelFindings_Add( findings, gel_findingCageTetsOverlap, file,
			"%u art vertices are inside more than one tet (first at %.9g %.9g %.9g)", proof->overlappedPoints,
			p.x, p.y, p.z );
	}
}
