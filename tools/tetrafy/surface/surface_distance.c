// SPDX-License-Identifier: MIT
#include "tetrafy/surface/surface_tree.h"

static double Clamp01( double t )
{
	return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static double SegmentDistance2( gelVec3d p, gelVec3d a, gelVec3d b )
{
	gelVec3d ab = gelSubD( b, a ), ap = gelSubD( p, a );
	double length2 = gelDotD( ab, ab );
	double t = length2 > 0.0 ? Clamp01( gelDotD( ap, ab ) / length2 ) : 0.0;
	gelVec3d d = gelMulAddD( ap, -t, ab );
	return gelDotD( d, d );
}

// Squares of distances [m^2] throughout; one root at the end. Above the triangle (on the inner side of all
// edges) the plane is nearest, elsewhere an edge.
static double TriangleDistance2( gelVec3d p, const gelVec3d* c )
{
	gelVec3d n = gelCrossD( gelSubD( c[1], c[0] ), gelSubD( c[2], c[0] ) );
	double size = gelDotD( n, n );
	bool above = size > 0.0;
	double nearest = INFINITY;
	for ( int i = 0; i < 3; ++i )
	{
		gelVec3d a = c[i], b = c[( i + 1 ) % 3];
		nearest = gelMinDouble( nearest, SegmentDistance2( p, a, b ) );
		above = above && gelDotD( n, gelCrossD( gelSubD( b, a ), gelSubD( p, a ) ) ) >= 0.0;
	}
	if ( !above ) return nearest;
	double height = gelDotD( n, gelSubD( p, c[0] ) );
	return height * height / size;
}

static double BoxDistance2( gelVec3d p, const gelBox3d* box )
{
	gelVec3d d = gelSubD( p, gelMaxVec3d( box->min, gelMinVec3d( box->max, p ) ) );
	return gelDotD( d, d );
}

double gelSurfaceTree_Distance( const gelSurfaceTree* tree, gelVec3d p )
{
	// A first guess from one descent towards the nearer child makes most of the tree out of reach.
	uint32_t at = 0;
	while ( tree->nodes[at].count == 0 )
	{
		uint32_t left = at + 1, right = tree->nodes[left].skip;
		at = BoxDistance2( p, &tree->nodes[right].box ) < BoxDistance2( p, &tree->nodes[left].box ) ? right
																									: left;
	}
	double nearest = TriangleDistance2( p, tree->corners + 3 * (size_t)tree->nodes[at].first );
	for ( at = 0; at < tree->nodeCount; )
	{
		const gelTreeNode* node = tree->nodes + at;
		bool isMissed = BoxDistance2( p, &node->box ) > nearest;
		at = isMissed ? node->skip : at + 1;
		if ( isMissed ) continue;
		for ( uint32_t i = node->first; i < node->first + node->count; ++i )
			nearest = gelMinDouble( nearest, TriangleDistance2( p, tree->corners + 3 * (size_t)i ) );
	}
	return sqrt( nearest );
}
