// SPDX-License-Identifier: MIT
// Cuts all triangles: from the tet of its first corner, a triangle is followed through the faces that it
// crosses. Its polygons are cut into fans; sides of polygons are never divided, so the result is closed
// wherever the art is, whichever corner a fan starts from.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

#include <string.h>

// Vertices by key: open addressing, numbered in the order of their first use.
typedef struct KeySlot
{
	uint64_t key; // key by gelCdgKey, + 1
	uint32_t vertex;
} KeySlot;

// The polygon of a triangle in a tet.
typedef struct Piece
{
	uint32_t triangle, tet;
	uint32_t sideFirst;
	int count; // number of its sides
} Piece;

// Art triangles that one thread cuts at a time, and how many such chunks are cut before their vertices are
// numbered. The first keeps what is cut in the cache and is enough work for a thread, the second bounds the
// memory; the result depends on neither.
#define GEL_CHUNK_TRIANGLES 512u
#define GEL_CHUNKS          64u

typedef struct Chunk
{
	gelBakePool pool;
	Piece* pieces; // by triangle
	uint32_t pieceCount, pieceCapacity;
	gelCdgSide* sides; // key.a becomes the vertex once they are numbered
	uint32_t sideCount, sideCapacity;
	uint32_t newTriangles;  // triangles that the pieces will be cut into
	uint32_t triangleFirst; // first of its triangles
	gelCdgFault fault;      // fault of the triangle behind the last piece
} Chunk;

// A vertex that is numbered but not made yet.
typedef struct NewVertex
{
	gelCdgKey key;
	gelCdgPlace place;
} NewVertex;

typedef struct Cutter
{
	const gelCdgArt* art;
	const gelCdgCage* cage;
	const uint32_t* cells; // cell of each art point
	gelBakePool* pool;     // memory of the result
	gelBakePool scratch;

	Chunk chunks[GEL_CHUNKS];
	KeySlot* table;
	uint32_t tableSize;    // a power of two
	uint32_t* pointVertex; // per art point: its vertex + 1
	NewVertex* newVertices;
	uint32_t newCapacity, vertexFirst; // the first one of the present chunks

	gelCdgSurface* surface;
	gelCdgEdgeTag* tags;
	uint32_t vertexCapacity, triangleCapacity;
} Cutter;

// What each thread has for itself.
typedef struct Trail
{
	uint32_t *stamps, *queue; // tets that the present triangle was seen in
} Trail;

// Room for `needed` elements; what was allocated before stays in the pool until it is freed whole.
static void* Grow(
	gelBakePool* pool, void* old, uint32_t count, uint32_t needed, uint32_t* capacity, size_t elementBytes )
{
	GEL_ASSERT( needed > 0 && elementBytes > 0 );
	if ( needed <= *capacity ) return old;
	*capacity = *capacity < 512 ? 1024 : 2 * *capacity;
	if ( *capacity < needed ) *capacity = needed;
	void* grown = gelBakePool_Alloc( pool, *capacity, elementBytes );
	if ( count > 0 ) memcpy( grown, old, count * elementBytes );
	return grown;
}

// Multiplication by 2^64 over the golden ratio (Knuth, The Art of Computer Programming 3, 6.4) spreads keys
// whose low bits are small indices. The hash only finds slots; numbers of vertices follow from the order of
// use.
static uint64_t HashKey( uint64_t x )
{
	x ^= x >> 31;
	x *= 0x9E3779B97F4A7C15u;
	return x ^ x >> 29;
}

// Half full at most: linear probing then looks at one or two slots.
static void GrowTable( Cutter* cutter )
{
	uint32_t oldSize = cutter->tableSize;
	KeySlot* old = cutter->table;
	cutter->tableSize = oldSize == 0 ? 4096 : 2 * oldSize;
	cutter->table = gelBakePool_Alloc( &cutter->scratch, cutter->tableSize, sizeof( KeySlot ) );
	for ( uint32_t i = 0; i < oldSize; ++i )
	{
		if ( old[i].key == 0 ) continue;
		uint32_t at = (uint32_t)HashKey( old[i].key ) & ( cutter->tableSize - 1 );
		while ( cutter->table[at].key != 0 )
			at = ( at + 1 ) & ( cutter->tableSize - 1 );
		cutter->table[at] = old[i];
	}
}

// ---- numbers of vertices -------------------------------------------------------------------------------

// Where a vertex of a polygon is; asked only of the first that meets it.
static gelCdgPlace FindPlace( const Cutter* cutter, const Piece* piece, const gelCdgSide* sides, int i )
{
	const gelCdgSide* side = sides + i;
	int before = sides[( i + piece->count - 1 ) % piece->count].line;
	gelCdgPlace place = { 0, piece->tet };
	if ( side->key.kind == gel_keyEdgeFace )
	{
		// the vertex is between an art edge and a face
		place.side = 3 * piece->triangle + (uint32_t)( side->line < 3 ? side->line : before );
		place.part = 4 * piece->tet + (uint32_t)( ( side->line < 3 ? before : side->line ) - 3 );
	}
	for ( uint32_t m = 0; m < 6 && side->key.kind == gel_keyFaceEdge; ++m )
	{
		if ( cutter->cage->edges[6 * (size_t)piece->tet + m] == side->key.b ) place.part = 6 * piece->tet + m;
	}
	return place;
}

static uint32_t AddVertex( Cutter* cutter, const Piece* piece, const gelCdgSide* sides, int i )
{
	uint32_t count = cutter->surface->vertexCount - cutter->vertexFirst;
	cutter->newVertices = Grow(
		&cutter->scratch, cutter->newVertices, count, count + 1, &cutter->newCapacity, sizeof( NewVertex ) );
	cutter->newVertices[count] = ( NewVertex ){ sides[i].key, FindPlace( cutter, piece, sides, i ) };
	return cutter->surface->vertexCount++;
}

static uint32_t FindVertex( Cutter* cutter, const Piece* piece, const gelCdgSide* sides, int i )
{
	gelCdgKey key = sides[i].key;
	if ( key.kind == gel_keyPoint )
	{
		uint32_t* vertex = cutter->pointVertex + key.a;
		if ( *vertex == 0 ) *vertex = AddVertex( cutter, piece, sides, i ) + 1;
		return *vertex - 1;
	}
	// indices of edges and faces are below 2^31 by the caps on triangles and tets
	uint64_t code = ( (uint64_t)key.kind << 62 | (uint64_t)key.a << 31 | key.b ) + 1;
	if ( 2 * cutter->surface->vertexCount >= cutter->tableSize ) GrowTable( cutter );
	uint32_t at = (uint32_t)HashKey( code ) & ( cutter->tableSize - 1 );
	while ( cutter->table[at].key != 0 && cutter->table[at].key != code )
		at = ( at + 1 ) & ( cutter->tableSize - 1 );
	if ( cutter->table[at].key == 0 )
	{
		uint32_t vertex = AddVertex( cutter, piece, sides, i );
		cutter->table[at] = ( KeySlot ){ code, vertex };
	}
	return cutter->table[at].vertex;
}

// ---- triangles of a polygon ----------------------------------------------------------------------------

// Twice the area over the square of the longest side.
// The measure is 0 for a flat triangle and 0.87 for an equilateral one; it needs no angles.
static double Fatness( gelVec3d a, gelVec3d b, gelVec3d c )
{
	gelVec3d u = gelSubD( b, a ), v = gelSubD( c, a ), w = gelSubD( c, b );
	gelVec3d n = gelCrossD( u, v );
	double longest = gelMaxDouble( gelDotD( u, u ), gelMaxDouble( gelDotD( v, v ), gelDotD( w, w ) ) );
	return longest > 0.0 ? sqrt( gelDotD( n, n ) ) / longest : 0.0;
}

// The corner whose fan has the fattest thinnest triangle; the lowest vertex of equals.
static int ChooseFan( const Cutter* cutter, const gelCdgSide* sides, int count )
{
	GEL_ASSERT( count >= 3 );
	gelVec3d p[GEL_CDG_MAX_SIDES];
	for ( int i = 0; i < count; ++i )
		p[i] = gelCdgVertex_Position( cutter->surface->vertices + sides[i].key.a, cutter->cage->nodes );
	int best = 0;
	double bestFatness = -1.0;
	for ( int i = 0; i < count; ++i )
	{
		double worst = INFINITY;
		for ( int j = 1; j + 1 < count; ++j )
			worst = gelMinDouble( worst, Fatness( p[i], p[( i + j ) % count], p[( i + j + 1 ) % count] ) );
		if ( worst < bestFatness || ( worst == bestFatness && sides[i].key.a > sides[best].key.a ) ) continue;
		best = i;
		bestFatness = worst;
	}
	return best;
}

// What a side of a polygon lies on, which is all that clip_neighbors.c needs to find who is across.
static gelCdgEdgeTag TagSide( const Cutter* cutter, uint32_t triangle, uint32_t tet, int line )
{
	if ( line < 3 ) return ( gelCdgEdgeTag ){ 1, cutter->art->sheets[3 * (size_t)triangle + (size_t)line] };
	return ( gelCdgEdgeTag ){ 2, cutter->cage->faces[4 * (size_t)tet + (size_t)( line - 3 )] };
}

// @param index of its first triangle
// A fan of count - 2 triangles. Inner sides know their neighbor already; outer ones keep their tags.
static void AddPolygon( const Cutter* cutter, const Piece* piece, const gelCdgSide* sides, uint32_t index )
{
	gelCdgEdgeTag tags[GEL_CDG_MAX_SIDES];
	const int count = piece->count;
	for ( int i = 0; i < count; ++i )
		tags[i] = TagSide( cutter, piece->triangle, piece->tet, sides[i].line );
	int fan = count > 3 ? ChooseFan( cutter, sides, count ) : 0;
	for ( int j = 1; j + 1 < count; ++j, ++index )
	{
		int b = ( fan + j ) % count, c = ( fan + j + 1 ) % count;
		gelCdgTri* triangle = cutter->surface->triangles + index;
		gelCdgEdgeTag* tag = cutter->tags + 3 * (size_t)index;
		triangle->tet = piece->tet;
		triangle->source = cutter->art->sources[piece->triangle];
		triangle->vertex[0] = sides[fan].key.a;
		triangle->vertex[1] = sides[b].key.a;
		triangle->vertex[2] = sides[c].key.a;
		tag[0] = j == 1 ? tags[fan] : ( gelCdgEdgeTag ){ 0, 3 * ( index - 1 ) + 2 };
		tag[1] = tags[b];
		tag[2] = j + 2 == count ? tags[c] : ( gelCdgEdgeTag ){ 0, 3 * ( index + 1 ) };
	}
}

// ---- cutting -------------------------------------------------------------------------------------------

// The place is the middle of the triangle [m], for the message.
static gelCdgFault MakeFault( const gelCdgArt* art, gelCdgStatus status, uint32_t triangle )
{
	const uint32_t* c = art->corners + 3 * (size_t)triangle;
	gelVec3d sum = gelAddD( gelAddD( art->points[c[0]], art->points[c[1]] ), art->points[c[2]] );
	return ( gelCdgFault ){ status, gelScaleD( 1.0 / 3.0, sum ), art->sources[triangle] };
}

static void AddPiece( Chunk* chunk, uint32_t triangle, uint32_t tet, const gelCdgSide* sides, int count )
{
	GEL_ASSERT( count >= 3 && count <= GEL_CDG_MAX_SIDES );
	chunk->pieces = Grow( &chunk->pool, chunk->pieces, chunk->pieceCount, chunk->pieceCount + 1,
		&chunk->pieceCapacity, sizeof( Piece ) );
	chunk->sides = Grow( &chunk->pool, chunk->sides, chunk->sideCount, chunk->sideCount + (uint32_t)count,
		&chunk->sideCapacity, sizeof( gelCdgSide ) );
	chunk->pieces[chunk->pieceCount++] = ( Piece ){ triangle, tet, chunk->sideCount, count };
	memcpy( chunk->sides + chunk->sideCount, sides, (size_t)count * sizeof( gelCdgSide ) );
	chunk->sideCount += (uint32_t)count;
	chunk->newTriangles += (uint32_t)count - 2;
}

// Walks over the tets that the triangle meets, each once. The faces that its polygon uses lead to the next
// ones, so no tet is tried that it does not touch.
static gelCdgStatus CutTriangle( const Cutter* cutter, Trail* trail, uint32_t triangle, Chunk* out )
{
	const gelCdgCage* cage = cutter->cage;
	const uint32_t* c = cutter->art->corners + 3 * (size_t)triangle;
	const uint32_t *cells = cutter->cells, start = cells[c[0]];
	gelCdgPolygon polygon;
	if ( cells[c[1]] == start && cells[c[2]] == start )
	{
		// a tet is convex
		for ( int k = 0; k < 3; ++k )
			polygon.sides[k] = ( gelCdgSide ){ { gel_keyPoint, c[k], 0 }, k };
		AddPiece( out, triangle, start, polygon.sides, 3 );
		return gel_cdgOk;
	}
	uint32_t count = 0, pointCount = 0;
	trail->queue[count++] = start;
	trail->stamps[start] = triangle + 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t tet = trail->queue[i];
		if ( !gelClipTriangle( cutter->art, cage, cells, triangle, tet, &polygon ) ) return gel_cdgOverlap;
		if ( polygon.count > 0 ) AddPiece( out, triangle, tet, polygon.sides, polygon.count );
		for ( int s = 0; s < polygon.count; ++s )
		{
			pointCount += polygon.sides[s].key.kind == gel_keyPoint;
			if ( polygon.sides[s].line < 3 ) continue;
			uint32_t next = cage->neighbors[4 * (size_t)tet + (size_t)( polygon.sides[s].line - 3 )];
			if ( next == GEL_NO_INDEX ) return gel_cdgOutside;
			if ( trail->stamps[next] == triangle + 1 ) continue;
			trail->stamps[next] = triangle + 1;
			trail->queue[count++] = next;
		}
	}
	// in a cage that overlaps itself a corner may be in a tet that the triangle does not lead to
	return pointCount == 3 ? gel_cdgOk : gel_cdgOverlap;
}

// The largest surface; a chunk alone may have no more either.
#define GEL_MAX_CUT_TRIANGLES ( GEL_CDG_MAX_TRIANGLES / 2 )

static void CutChunk( const Cutter* cutter, Trail* trail, uint32_t first, Chunk* out )
{
	uint32_t left = cutter->art->triangleCount - first;
	uint32_t end = first + ( left < GEL_CHUNK_TRIANGLES ? left : GEL_CHUNK_TRIANGLES );
	out->pieceCount = out->sideCount = out->newTriangles = 0;
	out->fault.status = gel_cdgOk;
	for ( uint32_t t = first; t < end && out->fault.status == gel_cdgOk; ++t )
	{
		gelCdgStatus status = CutTriangle( cutter, trail, t, out );
		if ( status == gel_cdgOk && out->newTriangles > GEL_MAX_CUT_TRIANGLES ) status = gel_cdgTooLarge;
		if ( status != gel_cdgOk ) out->fault = MakeFault( cutter->art, status, t );
	}
}

// In the order of the art, so that numbers and faults do not depend on who cut what.
static bool NumberChunk( Cutter* cutter, Chunk* chunk, gelCdgFault* fault )
{
	gelCdgSurface* surface = cutter->surface;
	chunk->triangleFirst = surface->triangleCount;
	for ( uint32_t i = 0; i < chunk->pieceCount; ++i )
	{
		const Piece* piece = chunk->pieces + i;
		gelCdgSide* sides = chunk->sides + piece->sideFirst;
		uint32_t vertices[GEL_CDG_MAX_SIDES];
		for ( int k = 0; k < piece->count; ++k )
			vertices[k] = FindVertex( cutter, piece, sides, k );
		for ( int k = 0; k < piece->count; ++k )
			sides[k].key.a = vertices[k];
		surface->triangleCount += (uint32_t)piece->count - 2;
		if ( surface->triangleCount <= GEL_MAX_CUT_TRIANGLES ) continue;
		*fault = MakeFault( cutter->art, gel_cdgTooLarge, piece->triangle );
		return false;
	}
	if ( chunk->fault.status == gel_cdgOk ) return true;
	*fault = chunk->fault;
	return false;
}

// Vertices get their numbers here, on one thread and in the order of the triangles: that is why the bytes do
// not depend on the number of threads. Memory for what all threads fill next is made at the same time.
static bool NumberChunks( Cutter* cutter, uint32_t chunkCount, gelCdgFault* fault )
{
	gelCdgSurface* surface = cutter->surface;
	uint32_t triangleCount = surface->triangleCount, vertexCount = surface->vertexCount;
	cutter->vertexFirst = vertexCount;
	for ( uint32_t i = 0; i < chunkCount; ++i )
	{
		if ( !NumberChunk( cutter, cutter->chunks + i, fault ) ) return false;
	}
	surface->vertices = Grow( cutter->pool, surface->vertices, vertexCount, surface->vertexCount,
		&cutter->vertexCapacity, sizeof( gelCdgVertex ) );
	uint32_t capacity = cutter->triangleCapacity;
	surface->triangles = Grow( cutter->pool, surface->triangles, triangleCount, surface->triangleCount,
		&capacity, sizeof( gelCdgTri ) );
	cutter->tags = Grow( &cutter->scratch, cutter->tags, triangleCount, surface->triangleCount,
		&cutter->triangleCapacity, 3 * sizeof( gelCdgEdgeTag ) );
	return true;
}

static void AddPolygons( const Cutter* cutter, const Chunk* chunk )
{
	uint32_t index = chunk->triangleFirst;
	for ( uint32_t i = 0; i < chunk->pieceCount; ++i )
	{
		const Piece* piece = chunk->pieces + i;
		AddPolygon( cutter, piece, chunk->sides + piece->sideFirst, index );
		index += (uint32_t)piece->count - 2;
	}
}

// Cuts the triangles from `first` on, as many as all chunks hold: polygons side by side, then the numbers of
// their vertices one after the other, then vertices and triangles side by side.
static bool CutChunks( Cutter* cutter, Trail* trails, int threads, uint32_t first, gelCdgFault* fault )
{
	uint32_t left = cutter->art->triangleCount - first, chunkCount = GEL_CHUNKS;
	if ( left < GEL_CHUNKS * GEL_CHUNK_TRIANGLES )
		chunkCount = ( left + GEL_CHUNK_TRIANGLES - 1 ) / GEL_CHUNK_TRIANGLES;
	(void)threads;
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( threads ) if ( chunkCount > 1 )
	for ( uint32_t i = 0; i < chunkCount; ++i )
		CutChunk( cutter, trails + gelThreadIndex(), first + i * GEL_CHUNK_TRIANGLES, cutter->chunks + i );
	if ( !NumberChunks( cutter, chunkCount, fault ) ) return false;
	const uint32_t newCount = cutter->surface->vertexCount - cutter->vertexFirst;
#pragma omp parallel num_threads( threads ) if ( chunkCount > 1 )
	{
#pragma omp for schedule( dynamic, 256 )
		for ( uint32_t i = 0; i < newCount; ++i )
		{
			const NewVertex* from = cutter->newVertices + i;
			cutter->surface->vertices[cutter->vertexFirst + i] =
				gelMakeCdgVertex( cutter->art, cutter->cage, from->key, from->place );
		}
#pragma omp for schedule( dynamic, 1 )
		for ( uint32_t i = 0; i < chunkCount; ++i )
			AddPolygons( cutter, cutter->chunks + i );
	}
	return true;
}

// Each thread has a trail of its own; the chunks are shared out as threads come free.
static bool CutAll( Cutter* cutter, int threads, gelCdgFault* fault )
{
	bool ok = true;
	const uint32_t tetCount = cutter->cage->tetCount;
	Trail* trails = gelBakePool_Alloc( &cutter->scratch, (size_t)threads, sizeof( Trail ) );
	for ( int i = 0; i < threads; ++i )
	{
		trails[i].stamps = gelBakePool_Alloc( &cutter->scratch, tetCount, sizeof( uint32_t ) );
		trails[i].queue = gelBakePool_Alloc( &cutter->scratch, tetCount, sizeof( uint32_t ) );
	}
	for ( uint64_t first = 0; ok && first < cutter->art->triangleCount;
		  first += GEL_CHUNKS * GEL_CHUNK_TRIANGLES )
	{
		ok = CutChunks( cutter, trails, threads, (uint32_t)first, fault );
	}
	for ( uint32_t i = 0; i < GEL_CHUNKS; ++i )
		gelFreeBakePool( &cutter->chunks[i].pool );
	return ok;
}

bool gelCutSurface( const gelCdgArt* art, const gelCdgCage* cage, const uint32_t* hints, int threads,
	gelBakePool* pool, gelCdgSurface* out, gelCdgFault* fault )
{
	GEL_ASSERT( threads >= 1 && fault != NULL );
	memset( out, 0, sizeof( *out ) );
	if ( art->oddEdge[0] != GEL_NO_INDEX )
	{
		*fault = ( gelCdgFault ){ gel_cdgOddEdge, art->points[art->oddEdge[0]], GEL_NO_INDEX };
		return false;
	}
	Cutter cutter = { .art = art, .cage = cage };
	cutter.pool = pool;
	cutter.surface = out;
	gelBakePool* scratch = &cutter.scratch;
	out->pointCells = gelBakePool_Alloc( pool, art->pointCount, sizeof( uint32_t ) );
	uint32_t outside = gelLocatePoints( art, cage, hints, threads, out->pointCells, scratch );
	cutter.cells = out->pointCells;
	cutter.pointVertex = gelBakePool_Alloc( scratch, art->pointCount, sizeof( uint32_t ) );
	bool ok = outside == GEL_NO_INDEX;
	if ( !ok ) *fault = ( gelCdgFault ){ gel_cdgOutside, art->points[outside], GEL_NO_INDEX };
	ok = ok && CutAll( &cutter, threads, fault );
	if ( ok ) gelPairTriangles( out, cage, cutter.tags, art->sheetCount, pool );
	gelFreeBakePool( scratch );
	return ok;
}
