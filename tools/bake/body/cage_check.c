// SPDX-License-Identifier: MIT
// Is it a cage at all? It may come from any program, so indices, numbers and faces are checked before a later
// pass relies on them. Volumes are checked where they are computed, in rest_shape.c.
#include "bake/body/body_passes.h"
#include "common/program/union_find.h"

#include <gelpack/asserts.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool CheckIndices( const gelCage* cage, const char* file, gelFindings* findings )
{
	if ( cage->nodeCount == 0 || cage->tetCount == 0 )
	{
		gelFindings_Add( findings, gel_findingCageUnusable, file, "the cage is empty: %u nodes, %u tets",
			cage->nodeCount, cage->tetCount );
		return false;
	}
	if ( cage->nodeCount > GEL_PACK_MAX_NODES || cage->tetCount > GEL_PACK_MAX_TETS )
	{
		gelFindings_Add( findings, gel_findingFormatLimit, file,
			"the cage has %u nodes and %u tets; a pack holds at most %u and %u", cage->nodeCount,
			cage->tetCount, GEL_PACK_MAX_NODES, GEL_PACK_MAX_TETS );
		return false;
	}
	for ( uint32_t t = 0; t < cage->tetCount; ++t )
	{
		const uint32_t* n = cage->tets + 4 * (size_t)t;
		bool inside = n[0] < cage->nodeCount && n[1] < cage->nodeCount && n[2] < cage->nodeCount &&
			n[3] < cage->nodeCount;
		bool distinct =
			n[0] != n[1] && n[0] != n[2] && n[0] != n[3] && n[1] != n[2] && n[1] != n[3] && n[2] != n[3];
		if ( inside && distinct ) continue;
		gelFindings_Add( findings, gel_findingCageUnusable, file,
			"tet %u has the nodes %u %u %u %u: they have to be distinct and below %u", t, n[0], n[1], n[2],
			n[3], cage->nodeCount );
		return false;
	}
	return true;
}

static bool CheckNodesUsed( const gelCage* cage, gelBakePool* pool, const char* file, gelFindings* findings )
{
	bool* used = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( bool ) );
	for ( size_t i = 0; i < 4 * (size_t)cage->tetCount; ++i )
		used[cage->tets[i]] = true;
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		if ( used[i] ) continue;
		gelFindings_Add( findings, gel_findingCageUnusable, file,
			"node %u belongs to no tet, so it has no mass; remove it from the cage", i );
		return false;
	}
	return true;
}

static bool RoundNodes( const gelCage* cage, const char* file, gelFindings* findings, gelBakeCage* out )
{
	double low[3] = { DBL_MAX, DBL_MAX, DBL_MAX }, high[3] = { -DBL_MAX, -DBL_MAX, -DBL_MAX };
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		const double* p = cage->positions + 3 * (size_t)i;
		// the bound keeps squares and products of coordinates inside the range of a float
		if ( !( fabs( p[0] ) <= 1e12 && fabs( p[1] ) <= 1e12 && fabs( p[2] ) <= 1e12 ) )
		{
			gelFindings_Add( findings, gel_findingCageUnusable, file,
				"node %u at %g %g %g is not within 1e12 m of the origin", i, p[0], p[1], p[2] );
			return false;
		}
		// adding 0 turns -0 into +0
		out->nodes[i] = ( gelPackNode ){ (float)p[0] + 0.0f, (float)p[1] + 0.0f, (float)p[2] + 0.0f, 0.0f };
		for ( int c = 0; c < 3; ++c )
		{
			low[c] = fmin( low[c], p[c] );
			high[c] = fmax( high[c], p[c] );
			out->maxCoordinate = fmax( out->maxCoordinate, fabs( p[c] ) );
		}
	}
	double size = fmax( fmax( high[0] - low[0], high[1] - low[1] ), high[2] - low[2] );
	// A float has 24 bits: from 1000 body lengths on, 10 of them are spent on where the body is.
	// The import says so itself of art that suffers.
	if ( out->maxCoordinate > 1000.0 * size && gelFindings_Total( findings, gel_findingMeshFarAway ) == 0 )
	{
		gelFindings_Add( findings, gel_findingCageFarAway, file,
			"the cage is %g m large but reaches %g m away from the origin, which costs precision; move the "
			"art to the origin",
			size, out->maxCoordinate );
	}
	return true;
}

// A face by its ascending nodes; parity tells the two sides apart.
typedef struct Face
{
	uint32_t node[3];
	uint32_t tet; // 2 * tet + parity
} Face;

static int CompareFaces( const void* a, const void* b )
{
	const Face *x = a, *y = b;
	for ( int c = 0; c < 3; ++c )
	{
		if ( x->node[c] != y->node[c] ) return x->node[c] < y->node[c] ? -1 : 1;
	}
	return x->tet < y->tet ? -1 : x->tet > y->tet;
}

static void SwapSort( uint32_t* a, uint32_t* b, uint32_t* parity )
{
	if ( *a < *b ) return;
	uint32_t t = *a;
	*a = *b;
	*b = t;
	*parity ^= 1;
}

// Two positive tets on the two sides of a face list it in opposite directions. The same direction twice, or a
// third tet, means that tets overlap.
static bool CheckFaces( const gelBakeCage* cage, const char* file, gelFindings* findings )
{
	GEL_ASSERT( cage->tets != NULL );
	// Faces seen from outside in counter-clockwise order, face k opposite corner k; as gelTetFaces of the
	// mesher, which this folder does not need otherwise.
	static const int corner[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
	gelBakePool pool = { NULL };
	size_t faceCount = 4 * (size_t)cage->tetCount;
	Face* faces = gelBakePool_Alloc( &pool, faceCount, sizeof( Face ) );
	for ( size_t i = 0; i < faceCount; ++i )
	{
		uint32_t parity = 0, *n = faces[i].node;
		for ( int c = 0; c < 3; ++c )
			n[c] = cage->tets[i / 4].node[corner[i % 4][c]];
		SwapSort( n, n + 1, &parity );
		SwapSort( n + 1, n + 2, &parity );
		SwapSort( n, n + 1, &parity );
		faces[i].tet = 2 * (uint32_t)( i / 4 ) + parity;
	}
	qsort( faces, faceCount, sizeof( Face ), CompareFaces );
	uint32_t badCount = 0, firstBad = 0;
	for ( size_t i = 1; i < faceCount; ++i )
	{
		if ( memcmp( faces[i].node, faces[i - 1].node, sizeof( faces[i].node ) ) != 0 ) continue;
		bool third = i >= 2 && memcmp( faces[i].node, faces[i - 2].node, sizeof( faces[i].node ) ) == 0;
		if ( !third && ( ( faces[i].tet ^ faces[i - 1].tet ) & 1 ) != 0 ) continue;
		firstBad = badCount == 0 ? (uint32_t)i : firstBad;
		badCount += 1;
	}
	if ( badCount > 0 )
	{
		const Face* f = faces + firstBad;
		gelFindings_Add( findings, gel_findingBakeTetsOverlap, file,
			"%u faces have more than one tet on one side (first: nodes %u %u %u of tets %u and %u); the cage "
			"overlaps itself there",
			badCount, f->node[0], f->node[1], f->node[2], ( f - 1 )->tet / 2, f->tet / 2 );
	}
	gelFreeBakePool( &pool );
	return badCount == 0;
}

// A body in parts is allowed: separate chunks of debris may be meant. But it is said, because most often a
// limb was too thin for the cage.
static void CountParts( gelBakeCage* cage, const char* file, gelFindings* findings )
{
	GEL_ASSERT( cage->tetCount > 0 );
	gelBakePool pool = { NULL };
	uint32_t* parent = gelBakePool_Alloc( &pool, cage->nodeCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
		parent[i] = i;
	cage->partCount = cage->nodeCount;
	for ( uint32_t i = 0; i < 4 * cage->tetCount; ++i )
	{
		const uint32_t* node = cage->tets[i / 4].node;
		cage->partCount -= gelJoinSets( parent, node[0], node[i % 4] );
	}
	gelFreeBakePool( &pool );
	if ( cage->partCount > 1 )
	{
		gelFindings_Add( findings, gel_findingCageParts, file,
			"the cage has %u parts that share no node; they will fall apart. Use larger tets (fewer --tets) "
			"to join them, or bake them one by one",
			cage->partCount );
	}
}

bool gelCheckCage(
	const gelCage* cage, const char* file, gelBakePool* pool, gelFindings* findings, gelBakeCage* out )
{
	GEL_ASSERT( cage != NULL && pool != NULL && findings != NULL );
	memset( out, 0, sizeof( *out ) );
	out->file = file;
	if ( !CheckIndices( cage, file, findings ) || !CheckNodesUsed( cage, pool, file, findings ) )
		return false;
	out->nodeCount = cage->nodeCount;
	out->tetCount = cage->tetCount;
	out->nodes = gelBakePool_Alloc( pool, cage->nodeCount, sizeof( gelPackNode ) );
	out->tets = gelBakePool_Alloc( pool, cage->tetCount, sizeof( gelPackTet ) );
	if ( !RoundNodes( cage, file, findings, out ) ) return false;
	memcpy( out->tets, cage->tets, cage->tetCount * sizeof( gelPackTet ) );
	if ( !CheckFaces( out, file, findings ) ) return false;
	CountParts( out, file, findings );
	return true;
}

// Mesh generators leave nodes behind, for instance those of a surface mesh in the same file. They are dropped
// for cages from files only; a cage that reaches gelCheckCage with one is an error, as a node without mass
// cannot be stepped.
uint32_t gelDropUnusedNodes( gelCage* cage, gelFindings* findings, const char* file )
{
	GEL_ASSERT( cage->nodeCount == 0 || cage->positions != NULL );
	gelBakePool pool = { NULL };
	uint32_t* map = gelBakePool_Alloc( &pool, cage->nodeCount, sizeof( uint32_t ) );
	for ( size_t i = 0; i < 4 * (size_t)cage->tetCount; ++i )
	{
		if ( cage->tets[i] < cage->nodeCount ) map[cage->tets[i]] = 1;
	}
	uint32_t kept = 0, firstDropped = GEL_NO_INDEX;
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		if ( map[i] == 0 )
		{
			firstDropped = firstDropped == GEL_NO_INDEX ? i : firstDropped;
			continue;
		}
		memmove( cage->positions + 3 * (size_t)kept, cage->positions + 3 * (size_t)i, 3 * sizeof( double ) );
		map[i] = kept++;
	}
	uint32_t dropped = cage->nodeCount - kept;
	for ( size_t i = 0; i < 4 * (size_t)cage->tetCount && dropped > 0; ++i )
	{
		// a wild index stays wild: gelCheckCage will name it
		cage->tets[i] = cage->tets[i] < cage->nodeCount ? map[cage->tets[i]] : GEL_NO_INDEX;
	}
	if ( dropped > 0 )
	{
		gelFindings_Add( findings, gel_findingCageNodesDropped, file,
			"%u of %u nodes belong to no tet and were dropped (first: node %u)", dropped, cage->nodeCount,
			firstDropped );
	}
	cage->nodeCount = kept;
	gelFreeBakePool( &pool );
	return dropped;
}
