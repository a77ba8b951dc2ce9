// SPDX-License-Identifier: MIT
#include "tetrafy/surface/surface_tree.h"

static double Clamp01( double t )
{
	return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static double SegmentDistance2( gelDvec p, gelDvec a, gelDvec b )
{
	gelDvec ab = gelDvec_Sub( b, a ), ap = gelDvec_Sub( p, a );
	double length2 = gelDvec_Dot( ab, ab );
	double t = length2 > 0.0 ? Clamp01( gelDvec_Dot( ap, ab ) / length2 ) : 0.0;
	gelDvec d = gelDvec_MulAdd( ap, -t, ab );
	return gelDvec_Dot( d, d );
}

static double TriangleDistance2( gelDvec p, const gelDvec* c )
{
	gelDvec n = gelDvec_Cross( gelDvec_Sub( c[1], c[0] ), gelDvec_Sub( c[2], c[0] ) );
	double size = gelDvec_Dot( n, n );
	bool above = size > 0.0;
	double nearest = INFINITY;
	for ( int i = 0; i < 3; ++i )
	{
		gelDvec a = c[i], b = c[( i + 1 ) % 3];
		nearest = gelMin( nearest, SegmentDistance2( p, a, b ) );
		above = above && gelDvec_Dot( n, gelDvec_Cross( gelDvec_Sub( b, a ), gelDvec_Sub( p, a ) ) ) >= 0.0;
	}
	if ( !above ) return nearest;
	double height = gelDvec_Dot( n, gelDvec_Sub( p, c[0] ) );
	return height * height / size;
}

static double BoxDistance2( gelDvec p, const gelDbox* box )
{
	gelDvec d = gelDvec_Sub( p, gelDvec_Max( box->min, gelDvec_Min( box->max, p ) ) );
	return gelDvec_Dot( d, d );
}

double gelSurfaceTree_Distance( const gelSurfaceTree* tree, gelDvec p )
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
		if ( BoxDistance2( p, &node->box ) > nearest )
		{
			at = node->skip;
			continue;
		}
		for ( uint32_t i = node->first; i < node->first + node->count; ++i )
			nearest = gelMin( nearest, TriangleDistance2( p, tree->corners + 3 * (size_t)i ) );
		at += 1;
	}
	return sqrt( nearest );
}
