// SPDX-License-Identifier: MIT
// Evens out a surface: Delaunay flips, then points slide towards the middle of their neighbors and are
// put back onto the field's zero by Newton steps. Both refuse what would fold the surface.
#include "sample_surface.h"

#include "common/program/memory.h"

#include <stdlib.h>

#define ON_BORDER 255 // in place of a part
#define MIN_SLOPE 0.6 // least gradient of the field [m/m]; a distance has 1

typedef struct Smoother
{
	gelSampleSurface* surface;
	gelField* field;
	gelVec3d* normals; // directions of the field's gradient at the points
} Smoother;

// Cotangent of the angle at p.
static double Cotangent( gelVec3d p, gelVec3d a, gelVec3d b )
{
	gelVec3d u = gelSubD( a, p ), v = gelSubD( b, p );
	double area = gelLengthD( gelCrossD( u, v ) );
	return gelDotD( u, v ) / ( area > 1e-300 ? area : 1e-300 );
}

static bool AreNeighbors( const gelSampleSurface* surface, uint32_t a, uint32_t b )
{
	uint32_t start = surface->pointToCorner[a], c = start;
	do
	{
		if ( surface->corners[gelNextCorner( c )] == b ) return true;
		c = gelSwing( surface, c );
	} while ( c != start );
	return false;
}

// Unit normal of a triangle; its quality is 1 for an equilateral one down to 0 for one without area.
static gelVec3d NormalAndQuality( gelVec3d a, gelVec3d b, gelVec3d c, double* outQuality )
{
	gelVec3d ab = gelSubD( b, a ), ac = gelSubD( c, a ), bc = gelSubD( c, b );
	gelVec3d cross = gelCrossD( ab, ac );
	double sum = gelDotD( ab, ab ) + gelDotD( ac, ac ) + gelDotD( bc, bc );
	double length = gelLengthD( cross );
	*outQuality = sum > 0.0 ? 3.4641016151377544 * length / sum : 0.0;
	return gelScaleD( length > 1e-300 ? 1.0 / length : 0.0, cross );
}

// Cosine of the angle between a triangle and the field at its corners.
static double Agreement( const Smoother* s, gelVec3d normal, uint32_t a, uint32_t b, uint32_t c )
{
	gelVec3d sum = gelAddD( gelAddD( s->normals[a], s->normals[b] ), s->normals[c] );
	return gelDotD( normal, gelSampleNormalize( sum ) );
}

// The edge of corner c may become the other diagonal of its two triangles when it is not Delaunay, the pair
// is nearly flat and the new triangles look where the field does. The normal of a sliver says nothing: with
// one of those only the field is asked.
static bool ShouldFlip( const Smoother* s, uint32_t c )
{
	const gelSampleSurface* surface = s->surface;
	uint32_t o = surface->opposite[c];
	uint32_t tip1 = surface->corners[c], tip2 = surface->corners[o];
	uint32_t a = surface->corners[gelNextCorner( c )], b = surface->corners[gelPreviousCorner( c )];
	const gelVec3d* p = surface->points;
	if ( Cotangent( p[tip1], p[a], p[b] ) + Cotangent( p[tip2], p[a], p[b] ) > -0.02 ) return false;
	double q1, q2, r1, r2;
	gelVec3d n1 = NormalAndQuality( p[tip1], p[a], p[b], &q1 );
	gelVec3d n2 = NormalAndQuality( p[tip2], p[b], p[a], &q2 );
	gelVec3d m1 = NormalAndQuality( p[tip1], p[a], p[tip2], &r1 );
	gelVec3d m2 = NormalAndQuality( p[tip2], p[b], p[tip1], &r2 );
	const double flat = 0.8; // cosine of the dihedral angle
	// Slivers have no normals worth comparing; a flip that makes both triangles better is taken across a
	// sharper edge, too.
	bool sliver = fmin( q1, q2 ) < 0.2 && fmin( r1, r2 ) > fmin( q1, q2 );
	if ( gelDotD( m1, m2 ) < ( sliver ? 0.3 : flat ) || ( !sliver && gelDotD( n1, n2 ) < flat ) )
		return false;
	if ( Agreement( s, m1, tip1, a, tip2 ) < 0.6 || Agreement( s, m2, tip2, b, tip1 ) < 0.6 ) return false;
	return gelGetValence( surface, a ) > 3 && gelGetValence( surface, b ) > 3 &&
		!AreNeighbors( surface, tip1, tip2 );
}

//        a                 a
//      / | \             /   \.        c and o are the corners at the tips
//  tip1  |  tip2  ->  tip1---tip2
//      \ | /             \   /
//        b                 b
static void Flip( gelSampleSurface* surface, uint32_t c )
{
	uint32_t o = surface->opposite[c];
	uint32_t cn = gelNextCorner( c ), cp = gelPreviousCorner( c ), on = gelNextCorner( o ),
			 op = gelPreviousCorner( o );
	uint32_t a = surface->corners[cn], b = surface->corners[cp];
	uint32_t tip1 = surface->corners[c], tip2 = surface->corners[o];
	// Outer neighbors: across (b, tip1), (tip1, a), (a, tip2), (tip2, b).
	uint32_t bt1 = surface->opposite[cn], t1a = surface->opposite[cp];
	uint32_t at2 = surface->opposite[on], t2b = surface->opposite[op];
	// c's triangle becomes (tip1, a, tip2), o's becomes (tip2, b, tip1).
	surface->corners[cp] = tip2;
	surface->corners[op] = tip1;
	surface->opposite[c] = at2;
	surface->opposite[at2] = c;
	surface->opposite[cp] = t1a;
	surface->opposite[t1a] = cp;
	surface->opposite[o] = bt1;
	surface->opposite[bt1] = o;
	surface->opposite[op] = t2b;
	surface->opposite[t2b] = op;
	surface->opposite[cn] = on;
	surface->opposite[on] = cn;
	surface->pointToCorner[a] = cn;
	surface->pointToCorner[b] = on;
	surface->pointToCorner[tip1] = c;
	surface->pointToCorner[tip2] = o;
}

static void FlipEdges( const Smoother* s )
{
	gelSampleSurface* surface = s->surface;
	for ( int pass = 0; pass < 4; ++pass )
	{
		uint32_t flips = 0;
		for ( uint32_t c = 0; c < 3 * surface->triangleCount; ++c )
		{
			if ( c < surface->opposite[c] && ShouldFlip( s, c ) )
			{
				Flip( surface, c );
				flips += 1;
			}
		}
		if ( flips == 0 ) break;
	}
}

// Moves p onto the zero of the field by Newton steps along its gradient, at most reach far in all [m].
// Refused where the field is flat: in a narrow crotch the steps would end in the opposite wall.
static bool Project( gelField* field, double reach, gelVec3d* p, gelVec3d* outNormal )
{
	gelVec3d start = *p;
	gelVec3d gradient = gelField_Gradient( field, start );
	double slope2 = gelDotD( gradient, gradient );
	if ( slope2 < MIN_SLOPE * MIN_SLOPE ) return false;
	for ( int i = 0; i < 3; ++i )
	{
		double value = gelField_Evaluate( field, *p );
		if ( fabs( value ) < 1e-6 ) break;
		*p = gelMulAddD( *p, -value / slope2, gradient );
	}
	*outNormal = gelSampleNormalize( gradient );
	return gelLengthD( gelSubD( *p, start ) ) <= reach;
}

// With p at x no triangle around it turns by more than an angle, given by its cosine, or gets thin. A
// triangle that is a sliver now has no say: there the new one has to agree with the field.
static bool MayMove( const Smoother* s, uint32_t p, gelVec3d x, double minCosine )
{
	const gelSampleSurface* surface = s->surface;
	uint32_t start = surface->pointToCorner[p], c = start;
	do
	{
		gelVec3d q = surface->points[surface->corners[gelNextCorner( c )]];
		gelVec3d r = surface->points[surface->corners[gelPreviousCorner( c )]];
		double qualityBefore, qualityAfter;
		gelVec3d before = NormalAndQuality( surface->points[p], q, r, &qualityBefore );
		gelVec3d after = NormalAndQuality( x, q, r, &qualityAfter );
		if ( gelDotD( qualityBefore > 0.2 ? before : s->normals[p], after ) < minCosine ) return false;
		if ( qualityAfter < 0.2 && qualityAfter < qualityBefore ) return false;
		c = gelSwing( surface, c );
	} while ( c != start );
	return true;
}

// The place in the tangent plane towards the area-weighted middle of the triangles around. Where the mesh
// is coarse against the curvature (fingertips at low counts) points stay: sliding would blunt the tip.
static gelVec3d SlideTarget( const Smoother* s, uint32_t p, double* outReach )
{
	const gelSampleSurface* surface = s->surface;
	gelVec3d n = s->normals[p], x = surface->points[p];
	gelVec3d sum = { 0.0, 0.0, 0.0 };
	double weight = 0.0, agreement = 1.0, reach2 = 1e300;
	uint32_t start = surface->pointToCorner[p], c = start;
	do
	{
		uint32_t q = surface->corners[gelNextCorner( c )], r = surface->corners[gelPreviousCorner( c )];
		gelVec3d a = gelSubD( surface->points[q], x ), b = gelSubD( surface->points[r], x );
		double area = gelLengthD( gelCrossD( a, b ) );
		sum = gelMulAddD( sum, area / 3.0, gelAddD( a, b ) );
		weight += area;
		agreement = fmin( agreement, gelDotD( n, s->normals[q] ) );
		reach2 = fmin( reach2, gelDotD( a, a ) );
		c = gelSwing( surface, c );
	} while ( c != start );
	*outReach = 0.5 * sqrt( reach2 );
	double amount = 0.8 * gelSampleClamp( 2.0 * agreement - 0.6, 0.0, 1.0 );
	gelVec3d d = gelScaleD( amount / ( weight > 1e-300 ? weight : 1e-300 ), sum );
	d = gelMulAddD( d, -gelDotD( d, n ), n );
	return gelAddD( x, d );
}

static void SlidePoints( Smoother* s )
{
	gelSampleSurface* surface = s->surface;
	for ( uint32_t p = 0; p < surface->pointCount; ++p )
	{
		double reach;
		gelVec3d normal;
		gelVec3d x = SlideTarget( s, p, &reach );
		// A point that looks elsewhere after the move has jumped to the other wall of a crease.
		if ( Project( s->field, reach, &x, &normal ) && gelDotD( normal, s->normals[p] ) > 0.5 &&
			MayMove( s, p, x, 0.5 ) )
		{
			surface->points[p] = x;
			s->normals[p] = normal;
		}
	}
}

// ---- borders between parts ---------------------------------------------------------------------

// Where along the edge from a (of this part) to b the part changes, as a fraction.
static double FindBorder( gelField* field, gelVec3d a, gelVec3d b, int part )
{
	double low = 0.0, high = 1.0;
	for ( int i = 0; i < 7; ++i )
	{
		double middle = 0.5 * ( low + high );
		gelVec3d x = gelMulAddD( a, middle, gelSubD( b, a ) );
		if ( gelField_PartAt( field, x ) == part )
			low = middle;
		else
			high = middle;
	}
	return high;
}

// Moves a point to the nearest place where the border crosses one of its edges, within limit of the edge's
// length. @return true when the point is on the border now
static bool SnapPoint( Smoother* s, const uint8_t* parts, uint32_t p, double limit )
{
	gelSampleSurface* surface = s->surface;
	double best = limit, length = 0.0;
	gelVec3d target = surface->points[p];
	uint32_t start = surface->pointToCorner[p], c = start;
	do
	{
		uint32_t q = surface->corners[gelNextCorner( c )];
		if ( parts[q] != parts[p] && parts[q] != ON_BORDER )
		{
			gelVec3d a = surface->points[p], d = gelSubD( surface->points[q], a );
			double t = FindBorder( s->field, a, surface->points[q], parts[p] );
			if ( t < best )
			{
				best = t;
				length = gelLengthD( d );
				target = gelMulAddD( a, t, d );
			}
		}
		c = gelSwing( surface, c );
	} while ( c != start );
	if ( best >= limit ) return false;
	gelVec3d normal;
	if ( !Project( s->field, 0.3 * length, &target, &normal ) || gelDotD( normal, s->normals[p] ) < 0.2 ||
		!MayMove( s, p, target, 0.8 ) )
	{
		return false;
	}
	surface->points[p] = target;
	s->normals[p] = normal;
	return true;
}

// Lays edges along the borders between parts, so that colors do not end in saw teeth. An edge that crosses a
// border has its nearer end put there; what could not move in the first pass lets the other end come.
static void SnapToBorders( Smoother* s )
{
	gelSampleSurface* surface = s->surface;
	uint8_t* parts = gelTake( surface->pointCount );
	for ( uint32_t p = 0; p < surface->pointCount; ++p )
		parts[p] = (uint8_t)gelField_PartAt( s->field, surface->points[p] );
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( uint32_t p = 0; p < surface->pointCount; ++p )
		{
			if ( parts[p] != ON_BORDER && SnapPoint( s, parts, p, pass == 0 ? 0.5 : 0.8 ) )
				parts[p] = ON_BORDER;
		}
	}
	free( parts );
}

bool gelSampleSurface_Smooth( gelSampleSurface* surface, gelField* field, int rounds, bool snap )
{
	Smoother s = { surface, field, gelTake( surface->pointCount * sizeof( gelVec3d ) ) };
	for ( uint32_t p = 0; p < surface->pointCount; ++p )
		s.normals[p] = gelSampleNormalize( gelField_Gradient( field, surface->points[p] ) );
	for ( int i = 0; i < rounds; ++i )
	{
		FlipEdges( &s );
		SlidePoints( &s );
	}
	FlipEdges( &s );
	if ( snap ) SnapToBorders( &s );
	free( s.normals );
	return !field->outOfMemory;
}
