// SPDX-License-Identifier: MIT
// Only one corner moves, on a straight line, so every contact time is the root of a linear function:
//     surface vertex s and the face:      f(t) = det( x(t), p, q, s )
//     surface edge u-w and an edge x-p:   f(t) = det( x(t), p, u, w )
//     the node and a surface triangle:    f(t) = det( s0, s1, s2, x(t) )
// Floating point is enough: the result only guides the motion, exact tests confirm where it ends.
#include "tetrafy/surface/sweep.h"

#include "tetrafy/geometry/box_plane.h"

// Widening of "inside" tests at a contact, relative: misses between neighbouring triangles would be worse
// than contacts that are none.
#define GEL_INSIDE_SLACK 1e-9

typedef struct Sweep
{
	gelDvec x0, move; // x(t) = x0 + t move
	gelDvec p, q;
	gelDvec n0, dn; // normal of the face at t: n0 + t dn; f(t) of a point s is (n0 + t dn) . (s - p)
	double scale;   // size of the coordinates [m]
	double limit;   // contact time so far
	gelDvec normal; // of that contact
	gelDbox ends;   // of p, q and x0
	gelDbox swept;  // also of x at the limit
	gelDvec nEnd;   // normal of the face at the limit
	// The plane of the face at t = 0 and at the limit.
	gelBoxPlane plane0, planeEnd;
	// The three sides of the face, and how far the swept tet reaches along their normals: of the face at
	// t = 0, relative to p, and of all of it.
	gelBoxPlane sides[3];
	double sideFixed[3];
} Sweep;

// First root in [0, limit) of a linear function with these values at t = 0 and t = 1; otherwise limit.
static double LinearRoot( double f0, double f1, double limit )
{
	if ( f0 == 0.0 ) return 0.0;
	if ( f0 > 0.0 ? f1 >= f0 : f1 <= f0 ) return limit;
	double t = f0 / ( f0 - f1 );
	return t < limit ? t : limit;
}

static gelDvec PointAt( const Sweep* sweep, double t )
{
	return gelDvec_MulAdd( sweep->x0, t, sweep->move );
}

static void SetLimit( Sweep* sweep, double limit, gelDvec normal )
{
	sweep->limit = limit;
	sweep->normal = normal;
	sweep->swept = sweep->ends;
	gelDbox_AddPoint( &sweep->swept, PointAt( sweep, limit ) );
	sweep->nEnd = gelDvec_MulAdd( sweep->n0, limit, sweep->dn );
	sweep->planeEnd = gelMakeBoxPlane( sweep->nEnd, sweep->p, sweep->scale );
	for ( int i = 0; i < 3; ++i )
	{
		gelBoxPlane* side = sweep->sides + i;
		side->offset = gelMax( sweep->sideFixed[i], gelDvec_Dot( side->normal, PointAt( sweep, limit ) ) );
	}
}

// Outward normals of the sides of the face at t = 0.
static void SetSides( Sweep* sweep )
{
	gelDvec xp = gelDvec_Sub( sweep->p, sweep->x0 ), pq = gelDvec_Sub( sweep->q, sweep->p );
	gelDvec qx = gelDvec_Sub( sweep->x0, sweep->q );
	sweep->sides[0] = gelMakeBoxPlane( gelDvec_Cross( xp, sweep->n0 ), sweep->p, sweep->scale );
	sweep->sides[1] = gelMakeBoxPlane( gelDvec_Cross( pq, sweep->n0 ), sweep->q, sweep->scale );
	sweep->sides[2] = gelMakeBoxPlane( gelDvec_Cross( qx, sweep->n0 ), sweep->x0, sweep->scale );
	for ( int i = 0; i < 3; ++i )
		sweep->sideFixed[i] = sweep->sides[i].offset;
}

// Is s, which is in the plane of (a, b, c), inside?
static bool InTriangle( gelDvec s, gelDvec a, gelDvec b, gelDvec c )
{
	gelDvec n = gelDvec_Cross( gelDvec_Sub( b, a ), gelDvec_Sub( c, a ) );
	double slack = -GEL_INSIDE_SLACK * gelDvec_Dot( n, n );
	return gelDvec_Dot( n, gelDvec_Cross( gelDvec_Sub( b, a ), gelDvec_Sub( s, a ) ) ) >= slack &&
		gelDvec_Dot( n, gelDvec_Cross( gelDvec_Sub( c, b ), gelDvec_Sub( s, b ) ) ) >= slack &&
		gelDvec_Dot( n, gelDvec_Cross( gelDvec_Sub( a, c ), gelDvec_Sub( s, c ) ) ) >= slack;
}

// Do two segments in one plane cross?
static bool SegmentsCross( gelDvec a, gelDvec b, gelDvec u, gelDvec w )
{
	gelDvec ab = gelDvec_Sub( b, a ), uw = gelDvec_Sub( w, u ), au = gelDvec_Sub( u, a );
	gelDvec n = gelDvec_Cross( ab, uw );
	double size = gelDvec_Dot( n, n );
	if ( size == 0.0 ) return true; // parallel and coplanar: take it as a contact, which is the safe side
	double onAb = gelDvec_Dot( gelDvec_Cross( au, uw ), n ), onUw = gelDvec_Dot( gelDvec_Cross( au, ab ), n );
	double slack = GEL_INSIDE_SLACK * size;
	return onAb >= -slack && onAb <= size + slack && onUw >= -slack && onUw <= size + slack;
}

static void MeetVertex( Sweep* sweep, gelDvec s, double f0, double f1 )
{
	double t = LinearRoot( f0, f1, sweep->limit );
	if ( t >= sweep->limit || !InTriangle( s, PointAt( sweep, t ), sweep->p, sweep->q ) ) return;
	SetLimit( sweep, t, gelDvec_MulAdd( sweep->n0, t, sweep->dn ) );
}

// Surface edge u-w against the moving edge from x to a fixed end.
static void MeetEdge( Sweep* sweep, gelDvec u, gelDvec w, gelDvec end )
{
	gelDvec side = gelDvec_Cross( gelDvec_Sub( u, end ), gelDvec_Sub( w, end ) );
	double f0 = gelDvec_Dot( side, gelDvec_Sub( sweep->x0, end ) );
	double f1 = f0 + gelDvec_Dot( side, sweep->move );
	double t = LinearRoot( f0, f1, sweep->limit );
	if ( t >= sweep->limit || !SegmentsCross( PointAt( sweep, t ), end, u, w ) ) return;
	SetLimit( sweep, t, gelDvec_Cross( gelDvec_Sub( PointAt( sweep, t ), end ), gelDvec_Sub( w, u ) ) );
}

static void MeetNode( Sweep* sweep, const gelDvec* c )
{
	gelDvec n = gelDvec_Cross( gelDvec_Sub( c[1], c[0] ), gelDvec_Sub( c[2], c[0] ) );
	double f0 = gelDvec_Dot( n, gelDvec_Sub( sweep->x0, c[0] ) );
	double f1 = f0 + gelDvec_Dot( n, sweep->move );
	double t = LinearRoot( f0, f1, sweep->limit );
	if ( t >= sweep->limit || !InTriangle( PointAt( sweep, t ), c[0], c[1], c[2] ) ) return;
	SetLimit( sweep, t, n );
}

static void MeetTriangle( Sweep* sweep, const gelDvec* c, int uses )
{
	double f0[3], fEnd[3];
	for ( int i = 0; i < 3; ++i )
	{
		gelDvec d = gelDvec_Sub( c[i], sweep->p );
		f0[i] = gelDvec_Dot( sweep->n0, d );
		fEnd[i] = gelDvec_Dot( sweep->nEnd, d );
	}
	// All on one side of the face's plane at the start and at the limit: on that side all the time.
	double low =
		gelMin( gelMin( f0[0], f0[1] ), gelMin( f0[2], gelMin( fEnd[0], gelMin( fEnd[1], fEnd[2] ) ) ) );
	double high =
		gelMax( gelMax( f0[0], f0[1] ), gelMax( f0[2], gelMax( fEnd[0], gelMax( fEnd[1], fEnd[2] ) ) ) );
	if ( low > 0.0 || high < 0.0 ) return;
	for ( int i = 0; i < 3; ++i )
	{
		double f1 = f0[i] + gelDvec_Dot( sweep->dn, gelDvec_Sub( c[i], sweep->p ) );
		if ( uses >> i & 1 ) MeetVertex( sweep, c[i], f0[i], f1 );
		if ( ( uses >> ( 3 + i ) & 1 ) == 0 ) continue;
		MeetEdge( sweep, c[i], c[( i + 1 ) % 3], sweep->p );
		MeetEdge( sweep, c[i], c[( i + 1 ) % 3], sweep->q );
	}
	MeetNode( sweep, c );
}

// Can anything in the box be touched before the limit?
static bool MayTouchBox( const Sweep* sweep, const gelDbox* box )
{
	if ( !gelDbox_Overlaps( &sweep->swept, box ) ) return false;
	// On one side of the face at the start and at the limit: on that side all the time.
	if ( gelBoxIsAbove( &sweep->plane0, box ) && gelBoxIsAbove( &sweep->planeEnd, box ) ) return false;
	if ( gelBoxIsBelow( &sweep->plane0, box ) && gelBoxIsBelow( &sweep->planeEnd, box ) ) return false;
	return !gelBoxIsAbove( &sweep->sides[0], box ) && !gelBoxIsAbove( &sweep->sides[1], box ) &&
		!gelBoxIsAbove( &sweep->sides[2], box );
}

static void SweepSubtree( Sweep* sweep, const gelSurfaceTree* tree, uint32_t root )
{
	for ( uint32_t at = root, end = tree->nodes[root].skip; at < end; )
	{
		const gelTreeNode* node = tree->nodes + at;
		if ( !MayTouchBox( sweep, &node->box ) )
		{
			at = node->skip;
			continue;
		}
		for ( uint32_t i = node->first; i < node->first + node->count; ++i )
			MeetTriangle( sweep, tree->corners + 3 * (size_t)i, tree->firstUses[i] );
		at += 1;
	}
}

void gelSweepFace( const gelSurfaceTree* tree, const gelTreeCut* cut, gelDvec x0, gelDvec x1, gelDvec p,
	gelDvec q, gelContact* contact )
{
	Sweep sweep = { .x0 = x0, .move = gelDvec_Sub( x1, x0 ), .p = p, .q = q, .ends = gelDbox_Empty() };
	sweep.n0 = gelDvec_Cross( gelDvec_Sub( p, x0 ), gelDvec_Sub( q, x0 ) );
	// d/dt (p - x) x (q - x) = -m x (q - p) ... with m the move: the terms in t^2 cancel.
	sweep.dn = gelDvec_Cross( gelDvec_Sub( q, p ), sweep.move );
	gelDbox_AddPoint( &sweep.ends, x0 );
	gelDbox_AddPoint( &sweep.ends, p );
	gelDbox_AddPoint( &sweep.ends, q );
	// Nodes stay near the surface: within its box and a few cells around it.
	sweep.scale = gelDbox_Scale( &sweep.ends ) + gelDbox_Scale( &tree->surface->box );
	sweep.plane0 = gelMakeBoxPlane( sweep.n0, p, sweep.scale );
	SetSides( &sweep );
	SetLimit( &sweep, contact->time, contact->normal );
	for ( uint32_t i = 0; i < cut->count; ++i )
		SweepSubtree( &sweep, tree, cut->roots[i] );
	contact->time = sweep.limit;
	contact->normal = sweep.normal;
}
