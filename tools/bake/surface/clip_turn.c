// SPDX-License-Identifier: MIT
// Closed parts of the art that are inside out. Everything behind this takes the surface as facing outwards:
// which way a ray is going, what a contact pushes against, and which triangles have the solid between them.
// A part faces the right way if it encloses a positive volume with nothing around it, or a negative one
// inside of another: a cavity. What is inside of a part that is turned is turned with it.
#include "bake/surface/cdg.h"
#include "tetrafy/surface/surface.h"
#include "common/program/union_find.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// Triangles that are looked at in the search for what is around parts; beyond, parts stay as they are.
#define MAX_WORK ( (uint64_t)1 << 28 )

// Triangles that hang together at edges.
typedef struct Part
{
	double volume; // [m^3], signed
	double area;   // [m^2]
	bool closed;   // as many triangles in both directions at each edge, and around some volume
	bool turn;
	gelBox3d box;
	uint32_t extremes[6]; // points: smallest and largest x, y, z
	uint32_t first, end;  // range of its triangles in Parts.order
} Part;

typedef struct Parts
{
	const gelCdgArt* art;
	Part* parts;
	uint32_t count;
	uint32_t* labels; // per triangle
	uint32_t* order;  // triangles by part
	uint64_t work;
	gelBakePool scratch;
} Parts;

// Parts hang together at edges, not at points: two boxes that touch with a corner are judged one by one.
static void LabelTriangles( Parts* parts, const gelCdgHalf* halves )
{
	const uint32_t count = parts->art->triangleCount;
	uint32_t* parents = gelBakePool_Alloc( &parts->scratch, count, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < count; ++i )
		parents[i] = i;
	for ( uint32_t i = 0, end = 0; i < 3 * count; i = end )
	{
		end = gelCdgHalf_End( halves, i, 3 * count );
		for ( uint32_t j = i + 1; j < end; ++j )
			gelJoinSets( parents, halves[i].place / 3, halves[j].place / 3 );
	}
	uint32_t* rootToPart = gelBakePool_Alloc( &parts->scratch, count, sizeof( uint32_t ) ); // 1-based
	parts->labels = gelBakePool_Alloc( &parts->scratch, count, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t* part = rootToPart + gelFindRoot( parents, i );
		if ( *part == 0 ) *part = ++parts->count;
		parts->labels[i] = *part - 1;
	}
}

// Counting sort: `end` counts first, then runs from the start of the part to its end.
static void SortTriangles( Parts* parts )
{
	const uint32_t count = parts->art->triangleCount;
	parts->order = gelBakePool_Alloc( &parts->scratch, count, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < count; ++i )
		parts->parts[parts->labels[i]].end += 1;
	for ( uint32_t i = 0, sum = 0; i < parts->count; ++i )
	{
		uint32_t size = parts->parts[i].end;
		parts->parts[i].first = parts->parts[i].end = sum;
		sum += size;
	}
	for ( uint32_t i = 0; i < count; ++i )
		parts->order[parts->parts[parts->labels[i]].end++] = i;
}

// Extreme points are on the outside of their part for certain, which no point in the middle is.
static void AddCorner( Part* part, uint32_t point, const gelVec3d* points )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		double x = ( &points[point].x )[axis];
		if ( x < ( &part->box.min.x )[axis] ) part->extremes[2 * axis] = point;
		if ( x > ( &part->box.max.x )[axis] ) part->extremes[2 * axis + 1] = point;
	}
	gelBox3d_AddPoint( &part->box, points[point] );
}

// Signed volume V = 1/6 sum p0 . (p1 x p2), by the divergence theorem, from a corner of the part: far from
// the origin of the world the terms would cancel badly.
static void MeasurePart( const Parts* parts, Part* part )
{
	const gelCdgArt* art = parts->art;
	gelVec3d origin = art->points[art->corners[3 * (size_t)parts->order[part->first]]];
	for ( uint32_t i = part->first; i < part->end; ++i )
	{
		const uint32_t* c = art->corners + 3 * (size_t)parts->order[i];
		gelVec3d p[3];
		for ( int k = 0; k < 3; ++k )
		{
			AddCorner( part, c[k], art->points );
			p[k] = gelSubD( art->points[c[k]], origin );
		}
		gelVec3d n = gelCrossD( gelSubD( p[1], p[0] ), gelSubD( p[2], p[0] ) );
		part->volume += gelDotD( p[0], gelCrossD( p[1], p[2] ) ) / 6.0;
		part->area += 0.5 * sqrt( gelDotD( n, n ) );
	}
	part->closed = part->closed && gelEnclosesVolume( part->volume, part->area );
}

// @return whether there is anything to turn: a closed part with a negative volume
static bool MeasureParts( Parts* parts, const gelCdgHalf* halves )
{
	const gelCdgArt* art = parts->art;
	parts->parts = gelBakePool_Alloc( &parts->scratch, parts->count, sizeof( Part ) );
	SortTriangles( parts );
	for ( uint32_t i = 0; i < parts->count; ++i )
	{
		parts->parts[i].closed = true;
		parts->parts[i].box = gelBox3d_Empty();
	}
	for ( uint32_t i = 0, end = 0; i < 3 * art->triangleCount; i = end )
	{
		uint32_t forward = 0;
		end = gelCdgHalf_End( halves, i, 3 * art->triangleCount );
		for ( uint32_t j = i; j < end; ++j )
			forward += art->corners[halves[j].place] == halves[j].low;
		if ( 2 * forward != end - i ) parts->parts[parts->labels[halves[i].place / 3]].closed = false;
	}
	bool suspicious = false;
	for ( uint32_t i = 0; i < parts->count; ++i )
	{
		MeasurePart( parts, parts->parts + i );
		suspicious = suspicious || ( parts->parts[i].closed && parts->parts[i].volume < 0.0 );
	}
	return suspicious;
}

// How often a triangle winds around a point, both seen along an axis. Ends of edges at the height of the
// point count as below it, and both triangles of an edge compute the same: no line gets between them.
static int WindTriangle( const double* q[3], const double* p, int u, int v )
{
	int winding = 0;
	for ( int k = 0; k < 3; ++k )
	{
		const double *a = q[k], *b = q[( k + 1 ) % 3];
		if ( ( a[v] <= p[v] ) == ( b[v] <= p[v] ) ) continue;
		const double *low = a[v] <= p[v] ? a : b, *high = low == a ? b : a;
		double left = ( high[u] - low[u] ) * ( p[v] - low[v] ) - ( high[v] - low[v] ) * ( p[u] - low[u] );
		if ( left < 0.0 ) continue;
		winding += low == a ? 1 : -1;
	}
	return winding;
}

// How often a part winds around a point: crossings with the line from it along an axis, forwards or
// backwards.
static int CountWinding( Parts* parts, const Part* part, gelVec3d point, int axis, double sign )
{
	GEL_ASSERT( axis >= 0 && axis < 3 );
	const gelCdgArt* art = parts->art;
	const double* p = &point.x;
	const int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
	int winding = 0;
	parts->work += part->end - part->first;
	for ( uint32_t i = part->first; i < part->end; ++i )
	{
		const uint32_t* c = art->corners + 3 * (size_t)parts->order[i];
		const double* q[3] = { &art->points[c[0]].x, &art->points[c[1]].x, &art->points[c[2]].x };
		int around = WindTriangle( q, p, u, v );
		if ( around == 0 ) continue;
		gelVec3d normal = gelCrossD( gelSubD( art->points[c[1]], art->points[c[0]] ),
			gelSubD( art->points[c[2]], art->points[c[0]] ) );
		const double* n = &normal.x;
		double ahead =
			q[0][axis] - p[axis] - ( n[u] * ( p[u] - q[0][u] ) + n[v] * ( p[v] - q[0][v] ) ) / n[axis];
		if ( sign * ahead > 0.0 ) winding += sign > 0.0 ? around : -around;
	}
	return winding;
}

static bool HasPoint( const gelBox3d* box, gelVec3d p )
{
	return box->min.x <= p.x && p.x <= box->max.x && box->min.y <= p.y && p.y <= box->max.y &&
		box->min.z <= p.z && p.z <= box->max.z;
}

// How often all other parts wind around one, at its extreme points. A part that only reaches into another has
// such a point outside of it, so the smallest number counts.
static int FindDepth( Parts* parts, const Part* part )
{
	int depth = 0;
	for ( int i = 0; i < 6; ++i )
	{
		gelVec3d p = parts->art->points[part->extremes[i]];
		int around = 0;
		for ( uint32_t j = 0; j < parts->count; ++j )
		{
			const Part* other = parts->parts + j;
			if ( other == part || !other->closed || !HasPoint( &other->box, p ) ) continue;
			around += CountWinding( parts, other, p, i / 2, i % 2 ? 1.0 : -1.0 );
		}
		parts->work += parts->count;
		if ( i == 0 || abs( around ) < abs( depth ) ) depth = around;
		if ( depth == 0 ) break;
	}
	return depth;
}

// A negative number of windings means that what is around is inside out as a whole; the part inside of it was
// made to fit and is turned with it.
static void JudgeParts( Parts* parts, gelCdgArt* art )
{
	for ( uint32_t i = 0; i < parts->count && parts->work < MAX_WORK; ++i )
	{
		Part* part = parts->parts + i;
		if ( !part->closed ) continue;
		int depth = FindDepth( parts, part );
		part->turn = depth < 0 || ( depth == 0 && part->volume < 0.0 );
		if ( !part->turn ) continue;
		if ( art->turnedParts == 0 ) art->turnedSource = art->sources[parts->order[part->first]];
		art->turnedParts += 1;
	}
}

// Sides (a, b), (b, c), (c, a) become (a, c), (c, b), (b, a).
static void TurnTriangles( const Parts* parts, gelCdgArt* art, gelCdgHalf* halves )
{
	for ( uint32_t i = 0; i < art->triangleCount; ++i )
	{
		uint32_t* c = art->corners + 3 * (size_t)i;
		if ( !parts->parts[parts->labels[i]].turn ) continue;
		uint32_t keep = c[1];
		c[1] = c[2];
		c[2] = keep;
	}
	for ( uint32_t i = 0; i < 3 * art->triangleCount; ++i )
	{
		uint32_t triangle = halves[i].place / 3;
		if ( parts->parts[parts->labels[triangle]].turn )
			halves[i].place = 3 * triangle + 2 - halves[i].place % 3;
	}
}

void gelTurnParts( gelCdgArt* art, gelCdgHalf* halves )
{
	Parts parts = { .art = art };
	LabelTriangles( &parts, halves );
	if ( parts.count > 0 && MeasureParts( &parts, halves ) )
	{
		JudgeParts( &parts, art );
		if ( art->turnedParts > 0 ) TurnTriangles( &parts, art, halves );
	}
	gelFreeBakePool( &parts.scratch );
}
