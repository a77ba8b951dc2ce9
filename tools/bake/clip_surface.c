// SPDX-License-Identifier: MIT
// Cuts all triangles: from the tet of its first corner, a triangle is followed through the faces that it
// crosses. Its polygons are cut into fans; sides of polygons are never divided, so the result is closed
// wherever the art is, whichever corner a fan starts from.
#include "cdg.h"

#include <string.h>

// Vertices by key: open addressing, numbered in the order of their first use.
typedef struct KeySlot
{
	uint64_t key; // of gelCdgKey, + 1
	uint32_t vertex;
} KeySlot;

typedef struct Cutter
{
	const gelCdgArt* art;
	const gelCdgCage* cage;
	const uint32_t* cells; // of the art points
	gelBakePool* pool;     // of the result
	gelBakePool scratch;

	KeySlot* table;
	uint32_t tableSize;       // a power of two
	uint32_t *stamps, *queue; // tets that the present triangle was seen in
	uint32_t* pointVertex;    // per art point: its vertex + 1

	gelCdgSurface* surface;
	gelCdgEdgeTag* tags;
	uint32_t vertexCapacity, triangleCapacity;
	gelCdgFault* fault;
} Cutter;

// Room for one more element; what was allocated before stays in the pool until it is freed whole.
static void* Grow( gelBakePool* pool, void* old, uint32_t count, uint32_t* capacity, size_t elementBytes )
{
	if ( count < *capacity ) return old;
	*capacity = *capacity < 1024 ? 1024 : 2 * *capacity;
	void* grown = gelBakePool_Alloc( pool, *capacity, elementBytes );
	if ( count > 0 ) memcpy( grown, old, count * elementBytes );
	return grown;
}

static uint64_t HashKey( uint64_t x )
{
	x ^= x >> 31;
	x *= 0x9E3779B97F4A7C15u;
	return x ^ x >> 29;
}

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
		{
			at = ( at + 1 ) & ( cutter->tableSize - 1 );
		}
		cutter->table[at] = old[i];
	}
}

static uint32_t AddVertex( Cutter* cutter, gelCdgKey key, gelCdgPlace place )
{
	gelCdgSurface* surface = cutter->surface;
	surface->vertices = Grow( cutter->pool, surface->vertices, surface->vertexCount, &cutter->vertexCapacity,
		sizeof( gelCdgVertex ) );
	surface->vertices[surface->vertexCount] = gelMakeCdgVertex( cutter->art, cutter->cage, key, place );
	return surface->vertexCount++;
}

static uint32_t FindVertex( Cutter* cutter, gelCdgKey key, gelCdgPlace place )
{
	if ( key.kind == gel_keyPoint )
	{
		uint32_t* vertex = cutter->pointVertex + key.a;
		if ( *vertex == 0 ) *vertex = AddVertex( cutter, key, place ) + 1;
		return *vertex - 1;
	}
	// indices of edges and faces are below 2^31 by the caps on triangles and tets
	uint64_t code = ( (uint64_t)key.kind << 62 | (uint64_t)key.a << 31 | key.b ) + 1;
	if ( 2 * cutter->surface->vertexCount >= cutter->tableSize ) GrowTable( cutter );
	uint32_t at = (uint32_t)HashKey( code ) & ( cutter->tableSize - 1 );
	while ( cutter->table[at].key != 0 && cutter->table[at].key != code )
	{
		at = ( at + 1 ) & ( cutter->tableSize - 1 );
	}
	if ( cutter->table[at].key == 0 )
	{
		uint32_t vertex = AddVertex( cutter, key, place );
		cutter->table[at] = ( KeySlot ){ code, vertex };
	}
	return cutter->table[at].vertex;
}

static void AddTriangle(
	Cutter* cutter, const uint32_t vertex[3], const gelCdgEdgeTag tags[3], uint32_t tet, uint32_t source )
{
	gelCdgSurface* surface = cutter->surface;
	uint32_t capacity = cutter->triangleCapacity;
	surface->triangles =
		Grow( cutter->pool, surface->triangles, surface->triangleCount, &capacity, sizeof( gelCdgTri ) );
	cutter->tags = Grow( &cutter->scratch, cutter->tags, surface->triangleCount, &cutter->triangleCapacity,
		3 * sizeof( gelCdgEdgeTag ) );
	gelCdgTri* triangle = surface->triangles + surface->triangleCount;
	triangle->tet = tet;
	triangle->source = source;
	for ( int k = 0; k < 3; ++k )
	{
		triangle->vertex[k] = vertex[k];
		cutter->tags[3 * (size_t)surface->triangleCount + (size_t)k] = tags[k];
	}
	surface->triangleCount += 1;
}

// Twice the area over the square of the longest side.
static double Fatness( gelDvec a, gelDvec b, gelDvec c )
{
	gelDvec u = gelDvec_Sub( b, a ), v = gelDvec_Sub( c, a ), w = gelDvec_Sub( c, b );
	gelDvec n = gelDvec_Cross( u, v );
	double longest = gelMax( gelDvec_Dot( u, u ), gelMax( gelDvec_Dot( v, v ), gelDvec_Dot( w, w ) ) );
	return longest > 0.0 ? sqrt( gelDvec_Dot( n, n ) ) / longest : 0.0;
}

// The corner whose fan has the fattest thinnest triangle; the lowest vertex of equals.
static int ChooseFan( const Cutter* cutter, const uint32_t* vertices, int count )
{
	gelDvec p[GEL_CDG_MAX_SIDES];
	for ( int i = 0; i < count; ++i )
	{
		p[i] = gelCdgVertex_Position( cutter->surface->vertices + vertices[i], cutter->cage->nodes );
	}
	int best = 0;
	double bestFatness = -1.0;
	for ( int i = 0; i < count; ++i )
	{
		double worst = INFINITY;
		for ( int j = 1; j + 1 < count; ++j )
		{
			worst = gelMin( worst, Fatness( p[i], p[( i + j ) % count], p[( i + j + 1 ) % count] ) );
		}
		if ( worst < bestFatness || ( worst == bestFatness && vertices[i] > vertices[best] ) ) continue;
		best = i;
		bestFatness = worst;
	}
	return best;
}

static gelCdgEdgeTag TagSide( const Cutter* cutter, uint32_t triangle, uint32_t tet, int line )
{
	if ( line < 3 ) return ( gelCdgEdgeTag ){ 1, cutter->art->sheets[3 * (size_t)triangle + (size_t)line] };
	return ( gelCdgEdgeTag ){ 2, cutter->cage->faces[4 * (size_t)tet + (size_t)( line - 3 )] };
}

static void AddPolygon( Cutter* cutter, const gelCdgPolygon* polygon, uint32_t triangle, uint32_t tet )
{
	uint32_t vertices[GEL_CDG_MAX_SIDES];
	gelCdgEdgeTag tags[GEL_CDG_MAX_SIDES];
	const int count = polygon->count;
	for ( int i = 0; i < count; ++i )
	{
		const gelCdgSide* side = polygon->sides + i;
		int before = polygon->sides[( i + count - 1 ) % count].line;
		gelCdgPlace place = { 0, tet };
		if ( side->key.kind == gel_keyEdgeFace )
		{
			// the vertex is between an art edge and a face
			place.side = 3 * triangle + (uint32_t)( side->line < 3 ? side->line : before );
			place.part = 4 * tet + (uint32_t)( ( side->line < 3 ? before : side->line ) - 3 );
		}
		for ( uint32_t m = 0; m < 6 && side->key.kind == gel_keyFaceEdge; ++m )
		{
			if ( cutter->cage->edges[6 * (size_t)tet + m] == side->key.b ) place.part = 6 * tet + m;
		}
		vertices[i] = FindVertex( cutter, side->key, place );
		tags[i] = TagSide( cutter, triangle, tet, side->line );
	}
	int fan = count > 3 ? ChooseFan( cutter, vertices, count ) : 0;
	for ( int j = 1; j + 1 < count; ++j )
	{
		int b = ( fan + j ) % count, c = ( fan + j + 1 ) % count;
		uint32_t index = cutter->surface->triangleCount;
		const uint32_t corners[3] = { vertices[fan], vertices[b], vertices[c] };
		const gelCdgEdgeTag sides[3] = {
			j == 1 ? tags[fan] : ( gelCdgEdgeTag ){ 0, 3 * ( index - 1 ) + 2 },
			tags[b],
			j + 2 == count ? tags[c] : ( gelCdgEdgeTag ){ 0, 3 * ( index + 1 ) },
		};
		AddTriangle( cutter, corners, sides, tet, cutter->art->sources[triangle] );
	}
}

static bool Fail( Cutter* cutter, gelCdgStatus status, uint32_t triangle )
{
	const gelCdgArt* art = cutter->art;
	const uint32_t* c = art->corners + 3 * (size_t)triangle;
	gelDvec sum = gelDvec_Add( gelDvec_Add( art->points[c[0]], art->points[c[1]] ), art->points[c[2]] );
	*cutter->fault = ( gelCdgFault ){ status, gelDvec_Mul( 1.0 / 3.0, sum ), art->sources[triangle] };
	return false;
}

static bool CutTriangle( Cutter* cutter, uint32_t triangle )
{
	const gelCdgCage* cage = cutter->cage;
	const uint32_t* c = cutter->art->corners + 3 * (size_t)triangle;
	const uint32_t *cells = cutter->cells, start = cells[c[0]];
	gelCdgPolygon polygon;
	if ( cells[c[1]] == start && cells[c[2]] == start )
	{
		// a tet is convex
		polygon.count = 3;
		for ( int k = 0; k < 3; ++k )
		{
			polygon.sides[k] = ( gelCdgSide ){ { gel_keyPoint, c[k], 0 }, k };
		}
		AddPolygon( cutter, &polygon, triangle, start );
		return true;
	}
	uint32_t count = 0, pointCount = 0;
	cutter->queue[count++] = start;
	cutter->stamps[start] = triangle + 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t tet = cutter->queue[i];
		if ( !gelClipTriangle( cutter->art, cage, cells, triangle, tet, &polygon ) )
			return Fail( cutter, gel_cdgOverlap, triangle );
		if ( polygon.count > 0 ) AddPolygon( cutter, &polygon, triangle, tet );
		for ( int s = 0; s < polygon.count; ++s )
		{
			pointCount += polygon.sides[s].key.kind == gel_keyPoint;
			if ( polygon.sides[s].line < 3 ) continue;
			uint32_t next = cage->neighbors[4 * (size_t)tet + (size_t)( polygon.sides[s].line - 3 )];
			if ( next == GEL_NO_INDEX ) return Fail( cutter, gel_cdgOutside, triangle );
			if ( cutter->stamps[next] == triangle + 1 ) continue;
			cutter->stamps[next] = triangle + 1;
			cutter->queue[count++] = next;
		}
	}
	// in a cage that overlaps itself a corner may be in a tet that the triangle does not lead to
	return pointCount == 3 || Fail( cutter, gel_cdgOverlap, triangle );
}

static bool CutAll( Cutter* cutter )
{
	const gelCdgArt* art = cutter->art;
	for ( uint32_t t = 0; t < art->triangleCount; ++t )
	{
		if ( !CutTriangle( cutter, t ) ) return false;
		if ( cutter->surface->triangleCount > GEL_CDG_MAX_TRIANGLES / 2 )
			return Fail( cutter, gel_cdgTooLarge, t );
	}
	return true;
}

bool gelCutSurface( const gelCdgArt* art, const gelCdgCage* cage, const uint32_t* hints, gelBakePool* pool,
	gelCdgSurface* out, gelCdgFault* fault )
{
	memset( out, 0, sizeof( *out ) );
	if ( art->oddEdge[0] != GEL_NO_INDEX )
	{
		*fault = ( gelCdgFault ){ gel_cdgOddEdge, art->points[art->oddEdge[0]], GEL_NO_INDEX };
		return false;
	}
	Cutter cutter = { .art = art, .cage = cage };
	cutter.pool = pool;
	cutter.surface = out;
	cutter.fault = fault;
	gelBakePool* scratch = &cutter.scratch;
	out->pointCells = gelBakePool_Alloc( pool, art->pointCount, sizeof( uint32_t ) );
	uint32_t outside = gelLocatePoints( art, cage, hints, out->pointCells, scratch );
	cutter.cells = out->pointCells;
	cutter.stamps = gelBakePool_Alloc( scratch, cage->tetCount, sizeof( uint32_t ) );
	cutter.queue = gelBakePool_Alloc( scratch, cage->tetCount, sizeof( uint32_t ) );
	cutter.pointVertex = gelBakePool_Alloc( scratch, art->pointCount, sizeof( uint32_t ) );
	bool ok = outside == GEL_NO_INDEX;
	if ( !ok ) *fault = ( gelCdgFault ){ gel_cdgOutside, art->points[outside], GEL_NO_INDEX };
	ok = ok && CutAll( &cutter );
	if ( ok ) gelPairTriangles( out, cage, cutter.tags, art->sheetCount, pool );
	gelFreeBakePool( scratch );
	return ok;
}
