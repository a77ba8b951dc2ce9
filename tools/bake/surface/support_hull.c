// SPDX-License-Identifier: MIT
// The vertices of a cell that can be the lowest in some direction: the corners of their convex hull in the
// weights of the cell. Deformation maps weights to space affinely, so they stay its corners whatever the body
// does.
//
// Quickhull (Barber, Dobkin, Huhdanpaa 1996) with exact signs, so that nothing has to be merged or repaired.
// Weights are integers, three of which are coordinates; distances are those of all four. A point is let go
// when it is inside, or within the slack of a facet that sees it: the hull only grows from there, so it is
// never farther than that from what is kept. Points in one plane, on one line or in one place get corners of
// the cell as apexes: a pyramid has the corners of its base.
#include "bake/surface/cdg.h"

#include "tetrafy/geometry/exact_orient.h"

#include <gelpack/asserts.h>
#include <gelpack/math_double.h>

#include <math.h>
#include <string.h>

// A triangle of the hull, counter-clockwise from outside.
typedef struct Facet
{
	uint32_t corner[3];
	uint32_t across[3]; // facet across (corner k, corner k + 1)
	uint32_t outside;   // first point of its list: points that see it; GEL_NO_INDEX: none
	uint32_t stamp;     // the last point that was found to see it, + 1
	bool isUsed;
} Facet;

// An edge between what a new corner sees and what not.
typedef struct Rim
{
	uint32_t corner[2];   // in the direction of the facet that is seen
	uint32_t facet, side; // the one that is not, and which of its edges it is
} Rim;

typedef struct Hull
{
	gelVec3d* points;    // the first three weights, integers; behind the vertices the corners of the cell
	uint32_t pointCount; // vertices
	uint32_t* next;      // per point: the next in the list of its facet
	Facet* facets;
	uint32_t facetCount; // used and free
	uint32_t* freeFacets;
	uint32_t freeCount;
	Rim* rim;
	uint32_t rimCount;
	uint32_t* fan;       // per point of the rim: the new facet that starts there
	uint32_t* stack;     // facets to be looked at
	double slackSquared; // [weight units squared]
} Hull;

#define CELL_CORNERS 4u

// ---- distances in the four weights ---------------------------------------------------------------------

// The product of two vectors between points; the fourth weight changes by minus what the others do.
static double Dot( gelVec3d a, gelVec3d b )
{
	return gelDotD( a, b ) + ( a.x + a.y + a.z ) * ( b.x + b.y + b.z );
}

// In units of weights squared, by the metric of Dot: of the same size in all four directions.
static double SquaredToSegment( gelVec3d p, gelVec3d a, gelVec3d b )
{
	gelVec3d d = gelSubD( b, a ), q = gelSubD( p, a );
	double length = Dot( d, d ), t = length > 0.0 ? Dot( q, d ) / length : 0.0;
	gelVec3d rest = gelMulAddD( q, -( t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t ), d );
	return Dot( rest, rest );
}

// To the triangle, which may be flat.
static double SquaredToTriangle( gelVec3d p, const gelVec3d c[3] )
{
	gelVec3d u = gelSubD( c[1], c[0] ), v = gelSubD( c[2], c[0] ), q = gelSubD( p, c[0] );
	double uu = Dot( u, u ), uv = Dot( u, v ), vv = Dot( v, v ), qu = Dot( q, u ), qv = Dot( q, v );
	double det = uu * vv - uv * uv, s = qu * vv - qv * uv, t = qv * uu - qu * uv;
	if ( det > 0.0 && s >= 0.0 && t >= 0.0 && s + t <= det )
	{
		gelVec3d rest = gelMulAddD( gelMulAddD( q, -s / det, u ), -t / det, v );
		return Dot( rest, rest );
	}
	return fmin( SquaredToSegment( p, c[0], c[1] ),
		fmin( SquaredToSegment( p, c[1], c[2] ), SquaredToSegment( p, c[2], c[0] ) ) );
}

// ---- facets ---------------------------------------------------------------------------------------------

// Exact: weights are integers below 2^21, and the sign of their determinant is computed without rounding.
static bool Sees( const Hull* hull, uint32_t point, const Facet* facet )
{
	const gelVec3d* p = hull->points;
	return gelOrient3d( p[facet->corner[0]], p[facet->corner[1]], p[facet->corner[2]], p[point] ) > 0;
}

// Squared distance of a point from a facet that it sees, so not less than from the hull. Only vertices count:
// an apex is not part of what is kept.
static double GetSquaredDistance( const Hull* hull, uint32_t point, const Facet* facet )
{
	uint32_t real = 0;
	while ( real < 2 && facet->corner[real] >= hull->pointCount )
		++real;
	gelVec3d c[3];
	for ( uint32_t k = 0; k < 3; ++k )
	{
		uint32_t corner = facet->corner[k];
		c[k] = hull->points[corner < hull->pointCount ? corner : facet->corner[real]];
	}
	return SquaredToTriangle( hull->points[point], c );
}

static uint32_t AddFacet( Hull* hull, uint32_t a, uint32_t b, uint32_t c )
{
	uint32_t index = hull->freeCount > 0 ? hull->freeFacets[--hull->freeCount] : hull->facetCount++;
	hull->facets[index] = ( Facet ){ .corner = { a, b, c }, .outside = GEL_NO_INDEX, .isUsed = true };
	return index;
}

// Puts a point on the list of the first of the facets that it sees. None: it is inside.
static void Assign( Hull* hull, uint32_t point, const uint32_t* facets, uint32_t facetCount )
{
	Facet* seen = NULL;
	for ( uint32_t i = 0; i < facetCount; ++i )
	{
		Facet* facet = hull->facets + facets[i];
		if ( !Sees( hull, point, facet ) ) continue;
		if ( GetSquaredDistance( hull, point, facet ) <= hull->slackSquared ) return;
		if ( seen == NULL ) seen = facet;
	}
	if ( seen == NULL ) return;
	hull->next[point] = seen->outside;
	seen->outside = point;
}

// ---- the first tetrahedron ------------------------------------------------------------------------------

// How much a point adds to the span of those before: distance, area or volume; 0, exactly: nothing.
static double GetSpan( const Hull* hull, const uint32_t* corners, int count, uint32_t point )
{
	const gelVec3d* p = hull->points;
	gelVec3d a = p[corners[0]], d = gelSubD( p[point], a );
	if ( count == 1 ) return gelDotD( d, d ); // integers: exact
	gelVec3d n = gelCrossD( gelSubD( p[corners[1]], a ), d );
	if ( count == 2 ) return gelDotD( n, n );
	if ( gelOrient3d( a, p[corners[1]], p[corners[2]], p[point] ) == 0 ) return 0.0;
	n = gelCrossD( gelSubD( p[corners[1]], a ), gelSubD( p[corners[2]], a ) );
	return fmax( fabs( gelDotD( n, d ) ), 0x1p-1022 ); // rounding must not make it nothing
}

// The vertex that adds most, or where none adds anything, the corner of the cell that does.
static uint32_t FindWidest( const Hull* hull, const uint32_t* corners, int count )
{
	uint32_t best = GEL_NO_INDEX;
	double most = 0.0;
	for ( uint32_t i = 0; i < hull->pointCount + CELL_CORNERS; ++i )
	{
		if ( i == hull->pointCount && best != GEL_NO_INDEX ) break;
		double span = GetSpan( hull, corners, count, i );
		if ( span > most ) best = i;
		most = fmax( most, span );
	}
	GEL_ASSERT( best != GEL_NO_INDEX ); // corners of the cell are not in a plane
	return best;
}

// The widest tetrahedron that greedy choices find: the fewer points are outside of it, the less is left to
// do.
static void StartHull( Hull* hull )
{
	uint32_t c[4] = { 0 };
	uint32_t farthest = FindWidest( hull, c, 1 ); // from the first vertex, which may be in the middle
	if ( farthest < hull->pointCount ) c[0] = farthest;
	for ( int k = 1; k < 4; ++k )
		c[k] = FindWidest( hull, c, k );
	const gelVec3d* p = hull->points;
	if ( gelOrient3d( p[c[0]], p[c[1]], p[c[2]], p[c[3]] ) < 0 )
	{
		uint32_t swap = c[1];
		c[1] = c[2];
		c[2] = swap;
	}
	// seen from outside, with the other corner behind
	const uint32_t facets[4] = { AddFacet( hull, c[0], c[2], c[1] ), AddFacet( hull, c[0], c[1], c[3] ),
		AddFacet( hull, c[1], c[2], c[3] ), AddFacet( hull, c[2], c[0], c[3] ) };
	static const uint32_t across[4][3] = { { 3, 2, 1 }, { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 2 } };
	for ( int i = 0; i < 4; ++i )
	{
		for ( int k = 0; k < 3; ++k )
			hull->facets[facets[i]].across[k] = facets[across[i][k]];
	}
	for ( uint32_t i = 0; i < hull->pointCount; ++i )
		Assign( hull, i, facets, 4 ); // corners see none of their facets
}

// ---- growing --------------------------------------------------------------------------------------------

// The point on the list of a facet that is highest above it. Where several are, as on flat faces, the one
// that is farthest from a corner, which none between others is; then the first.
static uint32_t FindHighest( const Hull* hull, const Facet* facet )
{
	const gelVec3d* p = hull->points;
	gelVec3d a = p[facet->corner[0]];
	gelVec3d n = gelCrossD( gelSubD( p[facet->corner[1]], a ), gelSubD( p[facet->corner[2]], a ) );
	uint32_t best = facet->outside;
	double highest = -INFINITY, farthest = 0.0;
	for ( uint32_t i = facet->outside; i != GEL_NO_INDEX; i = hull->next[i] )
	{
		gelVec3d d = gelSubD( p[i], a );
		double height = gelDotD( n, d ), distance = gelDotD( d, d );
		if ( height < highest || ( height == highest && distance < farthest ) ||
			( height == highest && distance == farthest && i > best ) )
			continue;
		highest = height;
		farthest = distance;
		best = i;
	}
	return best;
}

// Takes out the facets that a point sees, from one of them on, and lists their rim.
// @return the points that were on their lists, as one list
static uint32_t TakeSeen( Hull* hull, uint32_t point, uint32_t first )
{
	uint32_t count = 0, loose = GEL_NO_INDEX;
	hull->rimCount = 0;
	hull->stack[count++] = first;
	hull->facets[first].stamp = point + 1;
	while ( count > 0 )
	{
		uint32_t index = hull->stack[--count];
		Facet* facet = hull->facets + index;
		for ( uint32_t i = facet->outside, after; i != GEL_NO_INDEX; i = after )
		{
			after = hull->next[i];
			hull->next[i] = loose;
			loose = i;
		}
		for ( uint32_t k = 0; k < 3; ++k )
		{
			Facet* other = hull->facets + facet->across[k];
			if ( other->stamp == point + 1 ) continue;
			if ( Sees( hull, point, other ) )
			{
				other->stamp = point + 1;
				hull->stack[count++] = facet->across[k];
				continue;
			}
			uint32_t side = 0;
			while ( other->corner[side] != facet->corner[( k + 1 ) % 3] )
				++side;
			hull->rim[hull->rimCount++] =
				( Rim ){ { facet->corner[k], facet->corner[( k + 1 ) % 3] }, facet->across[k], side };
		}
		facet->isUsed = false;
		facet->outside = GEL_NO_INDEX;
		hull->freeFacets[hull->freeCount++] = index;
	}
	return loose;
}

// A fan of facets from the rim to a new corner.
// @return the new facets, in the order of the rim
static const uint32_t* AddFan( Hull* hull, uint32_t point )
{
	uint32_t* added = hull->stack;
	for ( uint32_t i = 0; i < hull->rimCount; ++i )
	{
		const Rim* rim = hull->rim + i;
		added[i] = AddFacet( hull, rim->corner[0], rim->corner[1], point );
		hull->facets[added[i]].across[0] = rim->facet;
		hull->facets[rim->facet].across[rim->side] = added[i];
		hull->fan[rim->corner[0]] = added[i];
	}
	for ( uint32_t i = 0; i < hull->rimCount; ++i )
	{
		uint32_t after = hull->fan[hull->rim[i].corner[1]];
		hull->facets[added[i]].across[1] = after;
		hull->facets[after].across[2] = added[i];
	}
	return added;
}

// One step of Quickhull: the highest point replaces what it sees by a fan, and the points that stood on those
// facets are dealt out to the new ones or turn out to be inside.
static void Grow( Hull* hull, uint32_t index )
{
	uint32_t point = FindHighest( hull, hull->facets + index );
	uint32_t loose = TakeSeen( hull, point, index );
	const uint32_t* added = AddFan( hull, point );
	for ( uint32_t i = loose, after; i != GEL_NO_INDEX; i = after )
	{
		after = hull->next[i];
		if ( i != point ) Assign( hull, i, added, hull->rimCount );
	}
}

// Edges at each point whose facets are not in one plane: three or more at a corner, two on an edge, none on a
// face. Points that were corners for a while may have come to lie on a flat face of several facets.
static void CountCreases( Hull* hull )
{
	uint32_t* creases = hull->fan; // has done its duty
	memset( creases, 0, ( (size_t)hull->pointCount + CELL_CORNERS ) * sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < 3 * hull->facetCount; ++i )
	{
		const Facet *facet = hull->facets + i / 3, *other = hull->facets + facet->across[i % 3];
		const uint32_t a = facet->corner[i % 3], b = facet->corner[( i % 3 + 1 ) % 3];
		if ( !facet->isUsed || a > b ) continue; // every edge once
		uint32_t k = 0;
		while ( other->corner[k] == a || other->corner[k] == b )
			++k;
		const gelVec3d* p = hull->points;
		bool isFlat = gelOrient3d( p[facet->corner[0]], p[facet->corner[1]], p[facet->corner[2]],
						  p[other->corner[k]] ) == 0;
		creases[a] += !isFlat;
		creases[b] += !isFlat;
	}
}

// ---- interface ------------------------------------------------------------------------------------------

static Hull MakeHull( const uint64_t* weights, uint32_t count, double slack, gelBakePool* pool )
{
	// a hull of n corners has 2 n - 4 facets and 3 n - 6 edges; what a corner sees is freed before its fan
	// is made
	const size_t all = (size_t)count + CELL_CORNERS, most = 2 * all;
	Hull hull = { .pointCount = count };
	hull.points = gelBakePool_Alloc( pool, all, sizeof( gelVec3d ) );
	hull.next = gelBakePool_Alloc( pool, all, sizeof( uint32_t ) );
	hull.fan = gelBakePool_Alloc( pool, all, sizeof( uint32_t ) );
	hull.facets = gelBakePool_Alloc( pool, most, sizeof( Facet ) );
	hull.freeFacets = gelBakePool_Alloc( pool, most, sizeof( uint32_t ) );
	hull.stack = gelBakePool_Alloc( pool, most, sizeof( uint32_t ) );
	hull.rim = gelBakePool_Alloc( pool, most, sizeof( Rim ) );
	hull.slackSquared = slack * slack;
	for ( uint32_t i = 0; i < count; ++i )
	{
		hull.points[i] = ( gelVec3d ){ (double)( weights[i] & 0x1FFFFFu ),
			(double)( weights[i] >> 21 & 0x1FFFFFu ), (double)( weights[i] >> 42 & 0x1FFFFFu ) };
	}
	for ( uint32_t k = 0; k < 3; ++k )
		( &hull.points[count + k].x )[k] = (double)GEL_CDG_WEIGHT_SUM; // the fourth is the origin
	return hull;
}

uint32_t gelFindHullCorners(
	const uint64_t* weights, uint32_t count, double slack, gelBakePool* scratch, uint8_t* outIsCorner )
{
	GEL_ASSERT( count > 0 && slack >= 0.0 );
	Hull hull = MakeHull( weights, count, slack * (double)GEL_CDG_WEIGHT_SUM, scratch );
	StartHull( &hull );
	// new facets take the places of old ones, so one pass may leave some behind
	for ( bool hasGrown = true; hasGrown; )
	{
		hasGrown = false;
		for ( uint32_t i = 0; i < hull.facetCount; ++i )
		{
			while ( hull.facets[i].isUsed && hull.facets[i].outside != GEL_NO_INDEX )
			{
				Grow( &hull, i );
				hasGrown = true;
			}
		}
	}
	CountCreases( &hull );
	uint32_t cornerCount = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		outIsCorner[i] = hull.fan[i] >= 3;
		cornerCount += outIsCorner[i];
	}
	return cornerCount;
}
