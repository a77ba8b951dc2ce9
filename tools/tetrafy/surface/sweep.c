// SPDX-License-Identifier: MIT
// Only one corner moves, on a straight line, so every contact time is the root of a linear function:
//     surface vertex s and the face:      f(t) = det( x(t), p, q, s )
//     surface edge u-w and an edge x-p:   f(t) = det( x(t), p, u, w )
//     the node and a surface triangle:    f(t) = det( s0, s1, s2, x(t) )
// Floating point is enough: the result only guides the motion, exact tests confirm where it ends.
#include "tetrafy/surface/sweep.h"

#include "tetrafy/geometry/box_plane.h"

#include <gelpack/asserts.h>

// Widening of "inside" tests at a contact, relative: misses between neighboring triangles would be worse
// than contacts that are none.
#define GEL_INSIDE_SLACK 1e-9

typedef struct Sweep
{
	gelVec3d x0, move; // x(t) = x0 + t move
	gelVec3d p, q;
	gelVec3d n0, dn; // normal of the face at t: n0 + t dn; f(t) of a point s is (n0 + t dn) . (s - p)
	double scale;    // size of the coordinates [m]
	double limit;    // contact time so far
	gelVec3d normal; // normal of that contact
	gelBox3d ends;   // box around p, q and x0
	gelBox3d swept;  // ends and x at the limit
	gelVec3d nEnd;   // normal of the face at the limit
	// The plane of the face at t = 0 and at the limit.
	gelBoxPlane plane0, planeEnd;
	// The three sides of the face, and how far the swept tet reaches along their normals: of the face at
	// t = 0, relative to p, and of all of it.
	gelBoxPlane sides[3];
	double sideFixed[3];
} Sweep;

// First root in [0, limit) of a linear function with these values at t = 0 and t = 1; otherwise limit.
// A function that moves away from zero has no root; one that starts at zero touches already, which exact
// tests excluded, so the answer 0 only stops the node.
static double LinearRoot( double f0, double f1, double limit )
{
	if ( f0 == 0.0 ) return 0.0;
	if ( f0 > 0.0 ? f1 >= f0 : f1 <= f0 ) return limit;
	double t = f0 / ( f0 - f1 );
	return t < limit ? t : limit;
}

static gelVec3d PointAt( const Sweep* sweep, double t )
{
	return gelMulAddD( sweep->x0, t, sweep->move );
}

// The limit only shrinks, and all bounds of the swept tet shrink with it: later boxes are compared with less.
static void SetLimit( Sweep* sweep, double limit, gelVec3d normal )
{
	sweep->limit = limit;
	sweep->normal = normal;
	sweep->swept = sweep->ends;
	gelBox3d_AddPoint( &sweep->swept, PointAt( sweep, limit ) );
	sweep->nEnd = gelMulAddD( sweep->n0, limit, sweep->dn );
	sweep->planeEnd = gelMakeBoxPlane( sweep->nEnd, sweep->p, sweep->scale );
	for ( int i = 0; i < 3; ++i )
	{
		gelBoxPlane* side = sweep->sides + i;
		side->offset = gelMaxDouble( sweep->sideFixed[i], gelDotD( side->normal, PointAt( sweep, limit ) ) );
	}
}

// Outward normals of the sides of the face at t = 0.
static void SetSides( Sweep* sweep )
{
	gelVec3d xp = gelSubD( sweep->p, sweep->x0 ), pq = gelSubD( sweep->q, sweep->p );
	gelVec3d qx = gelSubD( sweep->x0, sweep->q );
	sweep->sides[0] = gelMakeBoxPlane( gelCrossD( xp, sweep->n0 ), sweep->p, sweep->scale );
	sweep->sides[1] = gelMakeBoxPlane( gelCrossD( pq, sweep->n0 ), sweep->q, sweep->scale );
	sweep->sides[2] = gelMakeBoxPlane( gelCrossD( qx, sweep->n0 ), sweep->x0, sweep->scale );
	for ( int i = 0; i < 3; ++i )
		sweep->sideFixed[i] = sweep->sides[i].offset;
}

// Is s, which is in the plane of (a, b, c), inside?
static bool InTriangle( gelVec3d s, gelVec3d a, gelVec3d b, gelVec3d c )
{
	gelVec3d n = gelCrossD( gelSubD( b, a ), gelSubD( c, a ) );
	double slack = -GEL_INSIDE_SLACK * gelDotD( n, n );
	return gelDotD( n, gelCrossD( gelSubD( b, a ), gelSubD( s, a ) ) ) >= slack &&
		gelDotD( n, gelCrossD( gelSubD( c, b ), gelSubD( s, b ) ) ) >= slack &&
		gelDotD( n, gelCrossD( gelSubD( a, c ), gelSubD( s, c ) ) ) >= slack;
}

// Do two segments in one plane cross?
static bool SegmentsCross( gelVec3d a, gelVec3d b, gelVec3d u, gelVec3d w )
{
	gelVec3d ab = gelSubD( b, a ), uw = gelSubD( w, u ), au = gelSubD( u, a );
	gelVec3d n = gelCrossD( ab, uw );
	double size = gelDotD( n, n );
	if ( size == 0.0 ) return true; // parallel and coplanar: take it as a contact, which is the safe side
	double onAb = gelDotD( gelCrossD( au, uw ), n ), onUw = gelDotD( gelCrossD( au, ab ), n );
	double slack = GEL_INSIDE_SLACK * size;
	return onAb >= -slack && onAb <= size + slack && onUw >= -slack && onUw <= size + slack;
}

// The face's plane turns about p-q while x moves; the contact normal is that of the face then.
static void MeetVertex( Sweep* sweep, gelVec3d s, double f0, double f1 )
{
	double t = LinearRoot( f0, f1, sweep->limit );
	if ( t >= sweep->limit || !InTriangle( s, PointAt( sweep, t ), sweep->p, sweep->q ) ) return;
	SetLimit( sweep, t, gelMulAddD( sweep->n0, t, sweep->dn ) );
}

// Surface edge u-w against the moving edge from x to a fixed end.
static void MeetEdge( Sweep* sweep, gelVec3d u, gelVec3d w, gelVec3d end )
{
	gelVec3d side = gelCrossD( gelSubD( u, end ), gelSubD( w, end ) );
	double f0 = gelDotD( side, gelSubD( sweep->x0, end ) );
	double f1 = f0 + gelDotD( side, sweep->move );
	double t = LinearRoot( f0, f1, sweep->limit );
	if ( t >= sweep->limit || !SegmentsCross( PointAt( sweep, t ), end, u, w ) ) return;
	SetLimit( sweep, t, gelCrossD( gelSubD( PointAt( sweep, t ), end ), gelSubD( w, u ) ) );
}

// The node itself reaches a triangle from above or below: it can go on in the plane of that triangle.
static void MeetNode( Sweep* sweep, const gelVec3d* c )
{
	gelVec3d n = gelCrossD( gelSubD( c[1], c[0] ), gelSubD( c[2], c[0] ) );
	double f0 = gelDotD( n, gelSubD( sweep->x0, c[0] ) );
	double f1 = f0 + gelDotD( n, sweep->move );
	double t = LinearRoot( f0, f1, sweep->limit );
	if ( t >= sweep->limit || !InTriangle( PointAt( sweep, t ), c[0], c[1], c[2] ) ) return;
	SetLimit( sweep, t, n );
}

static void MeetTriangle( Sweep* sweep, const gelVec3d* c, int uses )
{
	GEL_ASSERT( c != NULL );
	double f0[3], fEnd[3];
	for ( int i = 0; i < 3; ++i )
	{
		gelVec3d d = gelSubD( c[i], sweep->p );
		f0[i] = gelDotD( sweep->n0, d );
		fEnd[i] = gelDotD( sweep->nEnd, d );
	}
	// All on one side of the face's plane at the start and at the limit: on that side all the time.
	double low = gelMinDouble( gelMinDouble( f0[0], f0[1] ),
		gelMinDouble( f0[2], gelMinDouble( fEnd[0], gelMinDouble( fEnd[1], fEnd[2] ) ) ) );
	double high = gelMaxDouble( gelMaxDouble( f0[0], f0[1] ),
		gelMaxDouble( f0[2], gelMaxDouble( fEnd[0], gelMaxDouble( fEnd[1], fEnd[2] ) ) ) );
	if ( low > 0.0 || high < 0.0 ) return;
	for ( int i = 0; i < 3; ++i )
	{
		double f1 = f0[i] + gelDotD( sweep->dn, gelSubD( c[i], sweep->p ) );
		if ( uses >> i & 1 ) MeetVertex( sweep, c[i], f0[i], f1 );
		if ( ( uses >> ( 3 + i ) & 1 ) == 0 ) continue;
		MeetEdge( sweep, c[i], c[( i + 1 ) % 3], sweep->p );
		MeetEdge( sweep, c[i], c[( i + 1 ) % 3], sweep->q );
	}
	MeetNode( sweep, c );
}

// Can anything in the box be touched before the limit?
static bool MayTouchBox( const Sweep* sweep, const gelBox3d* box )
{
	if ( !gelBox3d_Overlaps( &sweep->swept, box ) ) return false;
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
		bool isMissed = !MayTouchBox( sweep, &node->box );
		at = isMissed ? node->skip : at + 1;
		if ( isMissed ) continue;
		for ( uint32_t i = node->first; i < node->first + node->count; ++i )
			MeetTriangle( sweep, tree->corners + 3 * (size_t)i, tree->firstUses[i] );
	}
}

void gelSweepFace( const gelSurfaceTree* tree, const gelTreeCut* cut, gelVec3d x0, gelVec3d x1, gelVec3d p,
	gelVec3d q, gelContact* contact )
{
	Sweep sweep = { .x0 = x0, .move = gelSubD( x1, x0 ), .p = p, .q = q, .ends = gelBox3d_Empty() };
	sweep.n0 = gelCrossD( gelSubD( p, x0 ), gelSubD( q, x0 ) );
	// d/dt (p - x) x (q - x) = -m x (q - p) ... with m the move: the terms in t^2 cancel.
	sweep.dn = gelCrossD( gelSubD( q, p ), sweep.move );
	gelBox3d_AddPoint( &sweep.ends, x0 );
	gelBox3d_AddPoint( &sweep.ends, p );
	gelBox3d_AddPoint( &sweep.ends, q );
	// Nodes stay near the surface: within its box and a few cells around it.
	sweep.scale = gelBox3d_Scale( &sweep.ends ) + gelBox3d_Scale( &tree->surface->box );
	sweep.plane0 = gelMakeBoxPlane( sweep.n0, p, sweep.scale );
	SetSides( &sweep );
	SetLimit( &sweep, contact->time, contact->normal );
	for ( uint32_t i = 0; i < cut->count; ++i )
		SweepSubtree( &sweep, tree, cut->roots[i] );
	contact->time = sweep.limit;
	contact->normal = sweep.normal;
}
