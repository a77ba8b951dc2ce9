// SPDX-License-Identifier: MIT
// Edge collapse with quadric errors (Garland and Heckbert 1997) plus a term that prefers short edges, so
// that smooth regions become evenly fine and only thin parts keep smaller triangles. A collapse is done
// only when the link condition holds (Dey et al. 1999), so the topology never changes: no finger
// breaks off, no hole closes, at any count.
#include "sample_surface.h"

#include "common/program/heap.h"
#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// Weight of squared edge length against squared distance to the surface. With 0.002 length decides where an
// edge is shorter than about a third of the radius of curvature.
#define LENGTH_WEIGHT 0.002
#define MAX_VALENCE   64
#define MAX_ROUNDS    40 // 2^40 spans all costs there are

// Symmetric 4 x 4: sum over planes n, d of area * ( n x + d )^2, and the sum of the areas.
typedef struct Quadric
{
	double xx, xy, xz, yy, yz, zz, xd, yd, zd, dd;
	double area;
} Quadric;

typedef struct Simplifier
{
	gelSampleSurface* surface;
	Quadric* quadrics;
	uint32_t* stamps; // raised with each change of a point; old candidates are recognized by it
	uint32_t* marks;  // scratch of the link condition
	uint32_t mark;
	gelHeap heap;   // edges by cost: first and second are their points, with their stamps
	double limit;   // dearer candidates wait for a later round; keeps the heap small
	uint32_t alive; // triangles left
	bool relaxed;   // last resort: any triangle that keeps its side will do
	bool outOfMemory;
} Simplifier;

static void AddPlane( Quadric* q, gelVec3d n, double d, double w )
{
	q->xx += w * n.x * n.x;
	q->xy += w * n.x * n.y;
	q->xz += w * n.x * n.z;
	q->yy += w * n.y * n.y;
	q->yz += w * n.y * n.z;
	q->zz += w * n.z * n.z;
	q->xd += w * n.x * d;
	q->yd += w * n.y * d;
	q->zd += w * n.z * d;
	q->dd += w * d * d;
	q->area += w;
}

static Quadric SumQuadrics( const Quadric* a, const Quadric* b )
{
	return ( Quadric ){ a->xx + b->xx, a->xy + b->xy, a->xz + b->xz, a->yy + b->yy, a->yz + b->yz,
		a->zz + b->zz, a->xd + b->xd, a->yd + b->yd, a->zd + b->zd, a->dd + b->dd, a->area + b->area };
}

static double QuadricAt( const Quadric* q, gelVec3d p )
{
	double x = p.x, y = p.y, z = p.z;
	double sum = q->xx * x * x + q->yy * y * y + q->zz * z * z + q->dd;
	sum += 2.0 * ( q->xy * x * y + q->xz * x * z + q->yz * y * z + q->xd * x + q->yd * y + q->zd * z );
	return sum > 0.0 ? sum : 0.0;
}

static void FillQuadrics( Simplifier* s )
{
	const gelSampleSurface* surface = s->surface;
	for ( size_t t = 0; t < surface->triangleCount; ++t )
	{
		const uint32_t* c = surface->corners + 3 * t;
		gelVec3d a = surface->points[c[0]];
		gelVec3d cross =
			gelCrossD( gelSubD( surface->points[c[1]], a ), gelSubD( surface->points[c[2]], a ) );
		gelVec3d n = gelSampleNormalize( cross );
		// A third of the area to each corner, so that the sum over points is the sum over triangles.
		double third = gelLengthD( cross ) / 6.0;
		for ( int i = 0; i < 3; ++i )
			AddPlane( s->quadrics + c[i], n, -gelDotD( n, a ), third );
	}
}

// ---- candidates, cheapest first ----------------------------------------------------------------

static void Push( Simplifier* s, gelHeapItem candidate )
{
	if ( gelGrow( (void**)&s->heap.items, &s->heap.capacity, s->heap.count + 1, sizeof( gelHeapItem ) ) )
		gelHeap_Push( &s->heap, candidate );
	else
		s->outOfMemory = true;
}

// Where the joined point goes: the best of both ends and the middle.
static gelVec3d JoinedPoint( const Simplifier* s, uint32_t a, uint32_t b, double* outCost )
{
	Quadric q = SumQuadrics( s->quadrics + a, s->quadrics + b );
	gelVec3d pa = s->surface->points[a], pb = s->surface->points[b];
	gelVec3d d = gelSubD( pb, pa );
	gelVec3d best = gelMulAddD( pa, 0.5, d );
	double cost = QuadricAt( &q, best );
	double costA = QuadricAt( &q, pa ), costB = QuadricAt( &q, pb );
	// The middle keeps triangles even: an end has to be clearly better.
	if ( costA < 0.5 * cost && costA <= costB )
	{
		best = pa;
		cost = costA;
	}
	else if ( costB < 0.5 * cost )
	{
		best = pb;
		cost = costB;
	}
	*outCost = cost + LENGTH_WEIGHT * gelDotD( d, d ) * q.area;
	return best;
}

// With the stamps of both ends as they are now. A later change of an end makes the candidate stale, which is
// cheaper to see when it comes up than to search the heap for it.
static void PushEdge( Simplifier* s, uint32_t a, uint32_t b )
{
	GEL_ASSERT( a < s->surface->pointCount && b < s->surface->pointCount && a != b );
	gelHeapItem candidate = { 0.0, a < b ? a : b, a < b ? b : a, { 0, 0 } };
	candidate.stamps[0] = s->stamps[candidate.first];
	candidate.stamps[1] = s->stamps[candidate.second];
	JoinedPoint( s, candidate.first, candidate.second, &candidate.key );
	if ( candidate.key < s->limit ) Push( s, candidate );
}

static void PushAllEdges( Simplifier* s )
{
	s->heap.count = 0;
	const gelSampleSurface* surface = s->surface;
	for ( uint32_t c = 0; c < 3 * surface->triangleCount; ++c )
	{
		if ( surface->opposite[c] != GEL_DEAD_CORNER && c < surface->opposite[c] )
			PushEdge( s, surface->corners[gelNextCorner( c )], surface->corners[gelPreviousCorner( c )] );
	}
}

// ---- one collapse ------------------------------------------------------------------------------

// Corner whose edge runs from a to b, or GEL_DEAD_CORNER.
static uint32_t FindEdge( const gelSampleSurface* surface, uint32_t a, uint32_t b )
{
	uint32_t start = surface->pointToCorner[a], c = start;
	do
	{
		if ( surface->corners[gelNextCorner( c )] == b ) return gelPreviousCorner( c );
		c = gelSwing( surface, c );
	} while ( c != start );
	return GEL_DEAD_CORNER;
}

// The ends share exactly two neighbors, the tips of both triangles, and each tip keeps three.
static bool KeepsTopology( Simplifier* s, uint32_t a, uint32_t b, uint32_t tip1, uint32_t tip2 )
{
	const gelSampleSurface* surface = s->surface;
	// Neighbors of a are marked with a fresh number, so nothing is cleared between candidates.
	s->mark += 1;
	uint32_t start = surface->pointToCorner[a], c = start;
	do
	{
		s->marks[surface->corners[gelNextCorner( c )]] = s->mark;
		c = gelSwing( surface, c );
	} while ( c != start );
	int shared = 0;
	start = surface->pointToCorner[b], c = start;
	do
	{
		shared += s->marks[surface->corners[gelNextCorner( c )]] == s->mark;
		c = gelSwing( surface, c );
	} while ( c != start );
	return shared == 2 && tip1 != tip2 && gelGetValence( surface, tip1 ) > 3 &&
		gelGetValence( surface, tip2 ) > 3;
}

// 1 for an equilateral triangle, 0 for one without area.
static double TriangleQuality( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d* outCross )
{
	gelVec3d ab = gelSubD( b, a ), ac = gelSubD( c, a ), bc = gelSubD( c, b );
	*outCross = gelCrossD( ab, ac );
	double sum = gelDotD( ab, ab ) + gelDotD( ac, ac ) + gelDotD( bc, bc );
	return sum > 0.0 ? 3.4641016151377544 * gelLengthD( *outCross ) / sum : 0.0;
}

// Area-weighted normal at a point, not of unit length.
static gelVec3d PointNormal( const gelSampleSurface* surface, uint32_t p )
{
	gelVec3d sum = { 0.0, 0.0, 0.0 };
	uint32_t start = surface->pointToCorner[p], c = start;
	do
	{
		gelVec3d cross;
		TriangleQuality( surface->points[p], surface->points[surface->corners[gelNextCorner( c )]],
			surface->points[surface->corners[gelPreviousCorner( c )]], &cross );
		sum = gelAddD( sum, cross );
		c = gelSwing( surface, c );
	} while ( c != start );
	return sum;
}

// Triangles around p after p moved to x: none may turn far or become a sliver. Those with other are left out:
// they vanish. What is a sliver already is held against the normal of the point, because its own says
// nothing.
static bool KeepsShape( const Simplifier* s, uint32_t p, uint32_t other, gelVec3d x )
{
	const gelSampleSurface* surface = s->surface;
	gelVec3d normal = PointNormal( surface, p );
	uint32_t start = surface->pointToCorner[p], c = start;
	double minTurn = s->relaxed ? 0.1 : 0.45, minQuality = s->relaxed ? 0.03 : 0.25;
	do
	{
		uint32_t q = surface->corners[gelNextCorner( c )], r = surface->corners[gelPreviousCorner( c )];
		if ( q != other && r != other )
		{
			gelVec3d before, after;
			double old =
				TriangleQuality( surface->points[p], surface->points[q], surface->points[r], &before );
			double quality = TriangleQuality( x, surface->points[q], surface->points[r], &after );
			bool trusted = old > 0.25 && gelDotD( before, before ) > 4e-4 * gelDotD( normal, normal );
			gelVec3d reference = trusted ? before : normal;
			double cosine = gelDotD( reference, after );
			if ( cosine <= minTurn * gelLengthD( reference ) * gelLengthD( after ) ) return false;
			if ( quality < minQuality && quality < 0.6 * old ) return false;
		}
		c = gelSwing( surface, c );
	} while ( c != start );
	return true;
}

static void Link( gelSampleSurface* surface, uint32_t c, uint32_t d )
{
	surface->opposite[c] = d;
	surface->opposite[d] = c;
}

// Takes out the triangle of corner c, whose edge collapses, and gives its tip and the point kept a corner.
static void RemoveTriangle( gelSampleSurface* surface, uint32_t c, uint32_t kept )
{
	uint32_t n = gelNextCorner( c ), p = gelPreviousCorner( c );
	// The two triangles on the other sides become neighbors of each other across the edge that is left.
	uint32_t on = surface->opposite[n], op = surface->opposite[p];
	Link( surface, on, op );
	// on faces the edge that joins the tip to one end; both its ends have surviving corners beside it.
	surface->pointToCorner[surface->corners[c]] = surface->corners[gelNextCorner( on )] == surface->corners[c]
		? gelNextCorner( on )
		: gelPreviousCorner( on );
	surface->pointToCorner[kept] = surface->corners[gelNextCorner( on )] == surface->corners[c]
		? gelPreviousCorner( on )
		: gelNextCorner( on );
	surface->opposite[c] = surface->opposite[n] = surface->opposite[p] = GEL_DEAD_CORNER;
}

static void Collapse( Simplifier* s, uint32_t edge, gelVec3d x )
{
	gelSampleSurface* surface = s->surface;
	uint32_t other = surface->opposite[edge];
	uint32_t a = surface->corners[gelNextCorner( edge )], b = surface->corners[gelPreviousCorner( edge )];
	uint32_t start = surface->pointToCorner[b], c = start;
	do
	{
		surface->corners[c] = a;
		c = gelSwing( surface, c );
	} while ( c != start );
	RemoveTriangle( surface, edge, a );
	RemoveTriangle( surface, other, a );
	surface->pointToCorner[b] = GEL_DEAD_CORNER;
	surface->points[a] = x;
	s->quadrics[a] = SumQuadrics( s->quadrics + a, s->quadrics + b );
	s->stamps[a] += 1;
	s->stamps[b] += 1;
	s->alive -= 2;
	start = surface->pointToCorner[a], c = start;
	do
	{
		PushEdge( s, a, surface->corners[gelNextCorner( c )] );
		c = gelSwing( surface, c );
	} while ( c != start );
}

static void TryCollapse( Simplifier* s, const gelHeapItem* candidate )
{
	gelSampleSurface* surface = s->surface;
	uint32_t a = candidate->first, b = candidate->second;
	if ( s->stamps[a] != candidate->stamps[0] || s->stamps[b] != candidate->stamps[1] ) return;
	uint32_t edge = FindEdge( surface, a, b );
	if ( edge == GEL_DEAD_CORNER ) return;
	double cost;
	gelVec3d x = JoinedPoint( s, a, b, &cost );
	uint32_t tip1 = surface->corners[edge], tip2 = surface->corners[surface->opposite[edge]];
	if ( gelGetValence( surface, a ) + gelGetValence( surface, b ) - 4 <= ( s->relaxed ? MAX_VALENCE : 10 ) &&
		KeepsTopology( s, a, b, tip1, tip2 ) && KeepsShape( s, a, b, x ) && KeepsShape( s, b, a, x ) )
	{
		Collapse( s, edge, x );
	}
}

// Closes the gaps that removed triangles and points left; order is kept.
static bool Compact( gelSampleSurface* surface )
{
	uint32_t* moved = malloc( surface->pointCount * sizeof( uint32_t ) + 1 );
	if ( moved == NULL ) return false;
	uint32_t points = 0, triangles = 0;
	for ( uint32_t p = 0; p < surface->pointCount; ++p )
	{
		if ( surface->pointToCorner[p] != GEL_DEAD_CORNER )
		{
			surface->points[points] = surface->points[p];
			moved[p] = points++;
		}
	}
	for ( size_t t = 0; t < surface->triangleCount; ++t )
	{
		if ( surface->opposite[3 * t] != GEL_DEAD_CORNER )
		{
			for ( size_t i = 0; i < 3; ++i )
				surface->corners[3 * (size_t)triangles + i] = moved[surface->corners[3 * t + i]];
			triangles += 1;
		}
	}
	surface->pointCount = points;
	surface->triangleCount = triangles;
	free( moved );
	return gelSampleSurface_Connect( surface );
}

// A tenth of the mean cost.
static double FirstLimit( const Simplifier* s )
{
	const gelSampleSurface* surface = s->surface;
	double sum = 0.0;
	for ( uint32_t c = 0; c < 3 * surface->triangleCount; ++c )
	{
		double cost;
		JoinedPoint(
			s, surface->corners[gelNextCorner( c )], surface->corners[gelPreviousCorner( c )], &cost );
		sum += cost;
	}
	return 0.1 * sum / ( 3.0 * surface->triangleCount );
}

bool gelSampleSurface_Simplify( gelSampleSurface* surface, uint32_t triangleCount )
{
	Simplifier s = { .surface = surface, .alive = surface->triangleCount };
	s.quadrics = calloc( surface->pointCount, sizeof( Quadric ) );
	s.stamps = calloc( surface->pointCount, sizeof( uint32_t ) );
	s.marks = calloc( surface->pointCount, sizeof( uint32_t ) );
	s.outOfMemory = s.quadrics == NULL || s.stamps == NULL || s.marks == NULL;
	if ( !s.outOfMemory ) FillQuadrics( &s );
	// Each round starts from all edges again, with a higher limit: what was refused before may be fine after
	// its surroundings changed.
	s.limit = s.outOfMemory ? 0.0 : FirstLimit( &s );
	for ( int round = 0; round < MAX_ROUNDS && s.alive > triangleCount && !s.outOfMemory; ++round )
	{
		// Only if the count cannot be had otherwise: thin shapes at a few hundred triangles.
		s.relaxed = round >= MAX_ROUNDS - 4;
		PushAllEdges( &s );
		while ( s.heap.count > 0 && s.alive > triangleCount && !s.outOfMemory )
		{
			gelHeapItem candidate = gelHeap_Pop( &s.heap );
			TryCollapse( &s, &candidate );
		}
		s.limit *= 2.0;
	}
	bool ok = !s.outOfMemory && Compact( surface );
	free( s.quadrics );
	free( s.stamps );
	free( s.marks );
	free( s.heap.items );
	return ok;
}
