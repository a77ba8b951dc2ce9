// SPDX-License-Identifier: MIT
// Signs of determinants of art points and cage nodes, never zero where a decision hangs on them.
//
// The art is moved by d = (e, e^2, e^3). A determinant that is exactly zero takes the sign of the first
// component, other than zero, of its gradient with respect to that movement:
//   det(face; point)            + (y-x) x (z-x)
//   det(triangle; node)         - (b-a) x (c-a)
//   det(art edge; cage edge)    + (b-a) x (y-x)
// because terms of higher order in e are smaller than those, and the determinants are linear in d. All three
// belong to one movement of one body, so the decisions contradict each other nowhere. Where every component
// is zero, the edges are parallel or the triangle has no area: such an edge does not tell the ends of the
// other apart, and such a triangle is pierced by nothing.
#include "bake/surface/cdg.h"

#include "tetrafy/geometry/exact_orient.h"

// First component of (y-x) x (z-x) that is not zero, as a sign.
static int NormalSign( gelVec3d x, gelVec3d y, gelVec3d z )
{
	int sign = gelOrient2d( x, y, z, 0 );
	if ( sign == 0 ) sign = gelOrient2d( x, y, z, 1 );
	if ( sign == 0 ) sign = gelOrient2d( x, y, z, 2 );
	return sign;
}

// +1: the point is outside of the face, whose corners run counter-clockwise seen from there. Never 0 but for
// a face without area.
int gelArtSideOfFace( gelVec3d x, gelVec3d y, gelVec3d z, gelVec3d point )
{
	int sign = gelOrient3d( x, y, z, point );
	return sign != 0 ? sign : NormalSign( x, y, z );
}

// +1: the node is above the triangle. The art moves and the node stays, so the gradient has the other sign.
int gelNodeSideOfArt( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d node )
{
	int sign = gelOrient3d( a, b, c, node );
	return sign != 0 ? sign : -NormalSign( a, b, c );
}

// A component of (b-a) x (y-x): with the edges in two parallel planes at distance 1 the determinant of
// their four ends is minus that component, and so the exact predicate for four points serves here too.
static int CrossSign( gelVec3d a, gelVec3d b, gelVec3d x, gelVec3d y, int axis )
{
	gelVec3d p[4] = { a, b, x, y };
	for ( int i = 0; i < 4; ++i )
	{
		double u = axis == 0 ? p[i].y : axis == 1 ? p[i].z : p[i].x;
		double v = axis == 0 ? p[i].z : axis == 1 ? p[i].x : p[i].y;
		p[i] = ( gelVec3d ){ u, v, i < 2 ? 0.0 : 1.0 };
	}
	return -gelOrient3d( p[0], p[1], p[2], p[3] );
}

// Sign of the volume of the tet a b x y: on which side of the art edge a b the cage edge x y passes. 0 only
// for parallel edges, which cannot cross.
int gelEdgeSide( gelVec3d a, gelVec3d b, gelVec3d x, gelVec3d y )
{
	int sign = gelOrient3d( a, b, x, y );
	for ( int axis = 0; axis < 3 && sign == 0; ++axis )
		sign = CrossSign( a, b, x, y, axis );
	return sign;
}
