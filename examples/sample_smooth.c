// SPDX-License-Identifier: MIT
// Evens out a surface: Delaunay flips, then points slide towards the middle of their neighbours and are
// put back onto the field's zero by Newton steps. Both refuse what would fold the surface.
#include "sample_surface.h"

#include <stdlib.h>

typedef struct Smoother
{
	gelSurface* surface;
	gelField* field;
	gelSampleVec* normals; // of the field at the points
} Smoother;

static gelSampleVec TriangleCross( const gelSurface* surface, uint32_t a, uint32_t b, uint32_t c )
{
	gelSampleVec p = surface->points[a];
	return gelSVCross( gelSVSub( surface->points[b], p ), gelSVSub( surface->points[c], p ) );
}

// Cotangent of the angle at p.
static double Cotangent( gelSampleVec p, gelSampleVec a, gelSampleVec b )
{
	gelSampleVec u = gelSVSub( a, p ), v = gelSVSub( b, p );
	double area = gelSVLength( gelSVCross( u, v ) );
	return gelSVDot( u, v ) / ( area > 1e-300 ? area : 1e-300 );
}

static bool AreNeighbours( const gelSurface* surface, uint32_t a, uint32_t b )
{
	uint32_t start = surface->pointToCorner[a], c = start;
	do
	{
		if ( surface->corners[gelNextCorner( c )] == b )
		{
			return true;
		}
		c = gelSwing( surface, c );
	} while ( c != start );
	return false;
}

static int Valence( const gelSurface* surface, uint32_t p )
{
	uint32_t start = surface->pointToCorner[p], c = start;
	int count = 0;
	do
	{
		count += 1;
		c = gelSwing( surface, c );
	} while ( c != start );
	return count;
}

// The edge of corner c may become the other diagonal of its two triangles: it is not Delaunay, the
// pair is nearly flat, and the new triangles face the same way.
static bool ShouldFlip( const gelSurface* surface, uint32_t c )
{
	uint32_t o = surface->opposite[c];
	uint32_t tip1 = surface->corners[c], tip2 = surface->corners[o];
	uint32_t a = surface->corners[gelNextCorner( c )], b = surface->corners[gelPreviousCorner( c )];
	const gelSampleVec* p = surface->points;
	if ( Cotangent( p[tip1], p[a], p[b] ) + Cotangent( p[tip2], p[a], p[b] ) > -0.02 )
	{
		return false;
	}
	gelSampleVec n1 = gelSVNormalize( TriangleCross( surface, tip1, a, b ) );
	gelSampleVec n2 = gelSVNormalize( TriangleCross( surface, tip2, b, a ) );
	gelSampleVec m1 = gelSVNormalize( TriangleCross( surface, tip1, a, tip2 ) );
	gelSampleVec m2 = gelSVNormalize( TriangleCross( surface, tip2, b, tip1 ) );
	double flat = 0.8; // cosine of the dihedral angle
	if ( gelSVDot( n1, n2 ) < flat || gelSVDot( m1, m2 ) < flat || gelSVDot( n1, m1 ) < flat ||
		gelSVDot( n1, m2 ) < flat )
	{
		return false;
	}
	return Valence( surface, a ) > 3 && Valence( surface, b ) > 3 && !AreNeighbours( surface, tip1, tip2 );
}

//        a                 a
//      / | \             /   \.        c and o are the corners at the tips
//  tip1  |  tip2  ->  tip1---tip2
//      \ | /             \   /
//        b                 b
static void Flip( gelSurface* surface, uint32_t c )
{
	uint32_t o = surface->opposite[c];
	uint32_t cn = gelNextCorner( c ), cp = gelPreviousCorner( c ), on = gelNextCorner( o ),
			 op = gelPreviousCorner( o );
	uint32_t a = surface->corners[cn], b = surface->corners[cp];
	uint32_t tip1 = surface->corners[c], tip2 = surface->corners[o];
	// Outer neighbours: across (b, tip1), (tip1, a), (a, tip2), (tip2, b).
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

static void FlipEdges( gelSurface* surface )
{
	for ( int pass = 0; pass < 4; ++pass )
	{
		uint32_t flips = 0;
		for ( uint32_t c = 0; c < 3 * surface->triangleCount; ++c )
		{
			if ( c < surface->opposite[c] && ShouldFlip( surface, c ) )
			{
				Flip( surface, c );
				flips += 1;
			}
		}
		if ( flips == 0 )
		{
			break;
		}
	}
}

// Towards the zero of the field by Newton steps along its gradient, at most reach far [m].
static gelSampleVec Project( gelField* field, gelSampleVec start, double reach, gelSampleVec* outNormal )
{
	gelSampleVec p = start;
	gelSampleVec gradient = gelField_Gradient( field, p );
	for ( int i = 0; i < 3; ++i )
	{
		double value = gelField_Evaluate( field, p );
		double slope2 = gelSVDot( gradient, gradient );
		if ( fabs( value ) < 1e-6 || slope2 < 0.01 )
		{
			break;
		}
		double step = gelSampleClamp( value / sqrt( slope2 ), -reach, reach );
		p = gelSVMulAdd( p, -step / sqrt( slope2 ), gradient );
	}
	*outNormal = gelSVNormalize( gradient );
	return p;
}

// With p at x no triangle around it turns by more than 60 degrees or gets thin.
static bool MayMove( const gelSurface* surface, uint32_t p, gelSampleVec x )
{
	uint32_t start = surface->pointToCorner[p], c = start;
	do
	{
		gelSampleVec q = surface->points[surface->corners[gelNextCorner( c )]];
		gelSampleVec r = surface->points[surface->corners[gelPreviousCorner( c )]];
		gelSampleVec old = surface->points[p];
		gelSampleVec before = gelSVCross( gelSVSub( q, old ), gelSVSub( r, old ) );
		gelSampleVec after = gelSVCross( gelSVSub( q, x ), gelSVSub( r, x ) );
		double lengthBefore = gelSVLength( before ), lengthAfter = gelSVLength( after );
		if ( gelSVDot( before, after ) < 0.5 * lengthBefore * lengthAfter )
		{
			return false;
		}
		gelSampleVec qr = gelSVSub( r, q ), xq = gelSVSub( q, x ), xr = gelSVSub( r, x );
		double sum = gelSVDot( qr, qr ) + gelSVDot( xq, xq ) + gelSVDot( xr, xr );
		if ( lengthAfter < 0.05 * sum && lengthAfter < lengthBefore )
		{
			return false;
		}
		c = gelSwing( surface, c );
	} while ( c != start );
	return true;
}

// The place in the tangent plane towards the area-weighted middle of the triangles around. Where the mesh
// is coarse against the curvature (fingertips at low counts) points stay: sliding would blunt the tip.
static gelSampleVec SlideTarget( const Smoother* s, uint32_t p, double* outReach )
{
	const gelSurface* surface = s->surface;
	gelSampleVec n = s->normals[p], x = surface->points[p];
	gelSampleVec sum = { 0.0, 0.0, 0.0 };
	double weight = 0.0, agreement = 1.0, reach2 = 1e300;
	uint32_t start = surface->pointToCorner[p], c = start;
	do
	{
		uint32_t q = surface->corners[gelNextCorner( c )], r = surface->corners[gelPreviousCorner( c )];
		gelSampleVec a = gelSVSub( surface->points[q], x ), b = gelSVSub( surface->points[r], x );
		double area = gelSVLength( gelSVCross( a, b ) );
		sum = gelSVMulAdd( sum, area / 3.0, gelSVAdd( a, b ) );
		weight += area;
		agreement = fmin( agreement, gelSVDot( n, s->normals[q] ) );
		reach2 = fmin( reach2, gelSVDot( a, a ) );
		c = gelSwing( surface, c );
	} while ( c != start );
	*outReach = 0.5 * sqrt( reach2 );
	double amount = 0.8 * gelSampleClamp( 2.0 * agreement - 0.6, 0.0, 1.0 );
	gelSampleVec d = gelSVScale( sum, amount / ( weight > 1e-300 ? weight : 1e-300 ) );
	d = gelSVMulAdd( d, -gelSVDot( d, n ), n );
	return gelSVAdd( x, d );
}

static void SlidePoints( Smoother* s )
{
	gelSurface* surface = s->surface;
	for ( uint32_t p = 0; p < surface->pointCount; ++p )
	{
		double reach;
		gelSampleVec normal;
		gelSampleVec x = SlideTarget( s, p, &reach );
		x = Project( s->field, x, reach, &normal );
		if ( MayMove( surface, p, x ) )
		{
			surface->points[p] = x;
			s->normals[p] = normal;
		}
	}
}

bool gelSurface_Smooth( gelSurface* surface, gelField* field, int rounds )
{
	Smoother s = { surface, field, malloc( surface->pointCount * sizeof( gelSampleVec ) + 1 ) };
	if ( s.normals == NULL )
	{
		return false;
	}
	for ( uint32_t p = 0; p < surface->pointCount; ++p )
	{
		s.normals[p] = gelSVNormalize( gelField_Gradient( field, surface->points[p] ) );
	}
	for ( int i = 0; i < rounds; ++i )
	{
		FlipEdges( surface );
		SlidePoints( &s );
	}
	FlipEdges( surface );
	free( s.normals );
	return !field->outOfMemory;
}
