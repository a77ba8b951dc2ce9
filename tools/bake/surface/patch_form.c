// SPDX-License-Identifier: MIT
// Patches: connected pieces of the surface inside one tet. A piece that is not a disk (a ring around a limb,
// a sheet with holes where it dips into another tet) is cut into disks, because a contact point stands for
// one piece; a closed surface inside of one tet stays whole.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

struct Draft;

typedef struct Former
{
	const gelCdgSurface* surface;
	const gelCdgCage* cage;
	gelCdgPatches* patches;
	uint32_t* label;  // per triangle: the piece that it is in at present
	bool* done;       // per triangle
	uint32_t* stamps; // per vertex
	uint32_t labelCount, stampCount;
	uint32_t* work;     // [triangleCount]
	uint32_t* gathered; // triangles of the finished patches of the present tet
	struct Draft* drafts;
	uint32_t gatheredCount, draftCount;
} Former;

static int CompareIndices( const void* left, const void* right )
{
	uint32_t a = *(const uint32_t*)left, b = *(const uint32_t*)right;
	return a < b ? -1 : a > b;
}

// Gathers the piece around `seed` that has its label; the piece gets a new one. @return size
static uint32_t GatherPiece( Former* former, uint32_t seed, uint32_t* out )
{
	uint32_t old = former->label[seed], fresh = ++former->labelCount, count = 0;
	const gelCdgTri* triangles = former->surface->triangles;
	out[count++] = seed;
	former->label[seed] = fresh;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t n = triangles[out[i]].neighbor[k];
			if ( n == GEL_NO_INDEX || former->label[n] != old ) continue;
			former->label[n] = fresh;
			out[count++] = n;
		}
	}
	return count;
}

// V - E + F is 1, or the piece is a closed surface.
// Euler's number of the piece from counts alone: every inner edge is counted by two triangles, a border by
// one, so E = (3 F + borders) / 2. A disk has 1, a closed surface around a ball 2.
static bool IsSimple( Former* former, const uint32_t* piece, uint32_t count )
{
	const gelCdgTri* triangles = former->surface->triangles;
	uint32_t label = former->label[piece[0]], stamp = ++former->stampCount;
	int64_t vertexCount = 0, borderCount = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const gelCdgTri* t = triangles + piece[i];
		for ( int k = 0; k < 3; ++k )
		{
			vertexCount += former->stamps[t->vertex[k]] != stamp;
			former->stamps[t->vertex[k]] = stamp;
			borderCount += t->neighbor[k] == GEL_NO_INDEX || former->label[t->neighbor[k]] != label;
		}
	}
	int64_t edgeCount = ( 3 * (int64_t)count + borderCount ) / 2;
	int64_t euler = vertexCount - edgeCount + (int64_t)count;
	return euler == 1 || ( euler == 2 && borderCount == 0 );
}

typedef struct Sorted
{
	double middle;
	uint32_t triangle;
} Sorted;

static int CompareSorted( const void* left, const void* right )
{
	const Sorted *a = left, *b = right;
	if ( a->middle != b->middle ) return a->middle < b->middle ? -1 : 1;
	return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

// Gives the halves of a piece along its longest b-DOP axis labels of their own.
// Weights 0 to 3 are measured in turn; the fifth round sorts along the one that was widest.
static void Halve( Former* former, const uint32_t* piece, uint32_t count )
{
	GEL_ASSERT( count > 1 );
	gelBakePool scratch = { NULL };
	const gelCdgSurface* surface = former->surface;
	Sorted* sorted = gelBakePool_Alloc( &scratch, count, sizeof( Sorted ) );
	double best = -1.0;
	uint32_t bestNode = 0;
	for ( int axis = 0; axis < 5; ++axis )
	{
		uint32_t node = axis < 4 ? former->cage->tets[surface->triangles[piece[0]].tet].node[axis] : bestNode;
		double low = 1.0, high = 0.0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			double sum = 0.0;
			for ( int k = 0; k < 3; ++k )
			{
				uint32_t v = surface->triangles[piece[i]].vertex[k];
				double w = (double)gelCdgVertex_Weight( surface->vertices + v, node );
				sum += w;
				low = gelMinDouble( low, w );
				high = gelMaxDouble( high, w );
			}
			sorted[i] = ( Sorted ){ sum, piece[i] };
		}
		if ( axis == 4 || high - low <= best ) continue;
		best = high - low;
		bestNode = node;
	}
	qsort( sorted, count, sizeof( Sorted ), CompareSorted );
	for ( uint32_t i = 0; i < count; ++i )
		former->label[sorted[i].triangle] = former->labelCount + 1 + ( i >= count / 2 );
	former->labelCount += 2;
	gelFreeBakePool( &scratch );
}

// A patch while those of a tet are collected.
typedef struct Draft
{
	uint32_t lowest;       // triangle
	uint32_t first, count; // in Former.gathered
} Draft;

static int CompareDrafts( const void* left, const void* right )
{
	const Draft *a = left, *b = right;
	return a->lowest < b->lowest ? -1 : a->lowest > b->lowest;
}

// Whether a triangle can join a disk and leave it one: it touches the disk along one edge and nowhere else,
// or along two.
static bool CanJoin( const Former* former, uint32_t triangle, uint32_t diskLabel, uint32_t stamp )
{
	const gelCdgTri* t = former->surface->triangles + triangle;
	int edgeCount = 0, opposite = 0;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t n = t->neighbor[k];
		if ( n == GEL_NO_INDEX || former->label[n] != diskLabel ) continue;
		edgeCount += 1;
		opposite = ( k + 2 ) % 3;
	}
	return edgeCount == 2 || ( edgeCount == 1 && former->stamps[t->vertex[opposite]] != stamp );
}

// Grows a disk from a triangle through the piece that it is in, breadth first. The disk gets a new label.
static uint32_t GrowDisk( Former* former, uint32_t seed, uint32_t* out )
{
	const gelCdgTri* triangles = former->surface->triangles;
	uint32_t pieceLabel = former->label[seed], diskLabel = ++former->labelCount, stamp = ++former->stampCount;
	uint32_t count = 0, looked = 0;
	out[count++] = seed;
	former->label[seed] = diskLabel;
	while ( looked < count )
	{
		const gelCdgTri* t = triangles + out[looked++];
		for ( int k = 0; k < 3; ++k )
			former->stamps[t->vertex[k]] = stamp;
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t n = t->neighbor[k];
			if ( n == GEL_NO_INDEX || former->label[n] != pieceLabel ||
				!CanJoin( former, n, diskLabel, stamp ) )
				continue;
			for ( int c = 0; c < 3; ++c )
				former->stamps[triangles[n].vertex[c]] = stamp;
			former->label[n] = diskLabel;
			out[count++] = n;
		}
	}
	return count;
}

// Sorts a piece with a label of its own. Most are all that is left of their tet, whose triangles are sorted.
static void SortPiece(
	const Former* former, const uint32_t* triangles, uint32_t count, uint32_t* piece, uint32_t size )
{
	if ( size < count / 8 )
	{
		qsort( piece, size, sizeof( uint32_t ), CompareIndices );
		return;
	}
	uint32_t label = former->label[piece[0]];
	for ( uint32_t i = 0, found = 0; found < size && i < count; ++i )
	{
		if ( former->label[triangles[i]] == label ) piece[found++] = triangles[i];
	}
}

// @param triangles of the tet, from the first one of the piece on
static void AddDraft( Former* former, const uint32_t* triangles, uint32_t count, uint32_t size )
{
	GEL_ASSERT( size > 0 && size <= count );
	uint32_t* piece = former->gathered + former->gatheredCount;
	SortPiece( former, triangles, count, piece, size );
	former->drafts[former->draftCount++] = ( Draft ){ piece[0], former->gatheredCount, size };
	former->gatheredCount += size;
	for ( uint32_t i = 0; i < size; ++i )
		former->done[piece[i]] = true;
}

// All patches of a tet. A piece that is no disk loses the disk around its first triangle, and what is left is
// looked at again. If the disk is less than half of it, it is halved instead: so the rounds are few, whatever
// the surface.
static void FinishPieces( Former* former, const uint32_t* triangles, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		while ( !former->done[triangles[i]] )
		{
			uint32_t* piece = former->gathered + former->gatheredCount;
			uint32_t size = GatherPiece( former, triangles[i], piece );
			if ( size == 1 || IsSimple( former, piece, size ) )
			{
				AddDraft( former, triangles + i, count - i, size );
				break;
			}
			former->patches->cutCount += 1;
			uint32_t diskSize = GrowDisk( former, triangles[i], former->work );
			if ( 2 * diskSize >= size || size < 64 )
			{
				memcpy( piece, former->work, diskSize * sizeof( uint32_t ) );
				AddDraft( former, triangles + i, count - i, diskSize );
				break;
			}
			Halve( former, piece, size );
		}
	}
}

// Patches of a tet stand in the order of their lowest triangle, whatever order they were found in.
static void FinishTet( Former* former, const uint32_t* triangles, uint32_t count )
{
	gelCdgPatches* p = former->patches;
	former->gatheredCount = former->draftCount = 0;
	FinishPieces( former, triangles, count );
	qsort( former->drafts, former->draftCount, sizeof( Draft ), CompareDrafts );
	for ( uint32_t i = 0; i < former->draftCount; ++i )
	{
		const Draft* draft = former->drafts + i;
		uint32_t first = p->patchFirst[p->patchCount];
		memcpy( p->triangles + first, former->gathered + draft->first, draft->count * sizeof( uint32_t ) );
		p->patchFirst[++p->patchCount] = first + draft->count;
	}
}

// Triangles by tet, ascending inside. @return [tetCount + 1] starts
static uint32_t* SortByTet(
	const gelCdgSurface* surface, uint32_t tetCount, uint32_t* out, gelBakePool* pool )
{
	uint32_t* first = gelBakePool_Alloc( pool, (size_t)tetCount + 2, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < surface->triangleCount; ++i )
		first[surface->triangles[i].tet + 2] += 1;
	for ( uint32_t t = 2; t < tetCount + 2; ++t )
		first[t] += first[t - 1];
	for ( uint32_t i = 0; i < surface->triangleCount; ++i )
		out[first[surface->triangles[i].tet + 1]++] = i;
	return first;
}

// Patches as in Civit-Flores 5.4.1, who asks for simply connected ones and does not say how to get them.
gelCdgPatches gelFormPatches( const gelCdgSurface* surface, const gelCdgCage* cage, gelBakePool* pool )
{
	GEL_ASSERT( cage->tetCount > 0 );
	gelBakePool scratch = { NULL };
	gelCdgPatches patches = { 0 };
	patches.patchFirst = gelBakePool_Alloc( pool, (size_t)surface->triangleCount + 1, sizeof( uint32_t ) );
	patches.triangles = gelBakePool_Alloc( pool, surface->triangleCount, sizeof( uint32_t ) );
	Former former = { .surface = surface, .cage = cage, .patches = &patches };
	former.label = gelBakePool_Alloc( &scratch, surface->triangleCount, sizeof( uint32_t ) );
	former.stamps = gelBakePool_Alloc( &scratch, surface->vertexCount, sizeof( uint32_t ) );
	former.done = gelBakePool_Alloc( &scratch, surface->triangleCount, sizeof( bool ) );
	former.work = gelBakePool_Alloc( &scratch, surface->triangleCount, sizeof( uint32_t ) );
	former.gathered = gelBakePool_Alloc( &scratch, surface->triangleCount, sizeof( uint32_t ) );
	former.drafts = gelBakePool_Alloc( &scratch, surface->triangleCount, sizeof( Draft ) );
	uint32_t* sorted = gelBakePool_Alloc( &scratch, surface->triangleCount, sizeof( uint32_t ) );
	uint32_t* first = SortByTet( surface, cage->tetCount, sorted, &scratch );
	for ( uint32_t i = 0; i < surface->triangleCount; ++i )
		former.label[i] = surface->triangles[i].tet;
	former.labelCount = cage->tetCount;
	for ( uint32_t tet = 0; tet < cage->tetCount; ++tet )
	{
		uint32_t count = first[tet + 1] - first[tet];
		if ( count > 0 ) FinishTet( &former, sorted + first[tet], count );
	}
	gelFreeBakePool( &scratch );
	return patches;
}
