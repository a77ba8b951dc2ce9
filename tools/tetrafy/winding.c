// SPDX-License-Identifier: MIT
// The generalized winding number: solid angles of all triangles over 4 pi (Jacobson et al. 2013), each by van
// Oosterom and Strackee's formula.
#include "surface_tree.h"

// A cluster is far when its distance exceeds this many radii (Barill et al. 2018 use 2).
#define GEL_FAR_FACTOR 2.5

#define GEL_PI 3.14159265358979323846

// Solid angle of a triangle seen from the origin; positive when its normal points away from the origin.
static double SolidAngle( gelDvec a, gelDvec b, gelDvec c )
{
	double la = gelDvec_Length( a ), lb = gelDvec_Length( b ), lc = gelDvec_Length( c );
	double det = gelDvec_Dot( a, gelDvec_Cross( b, c ) );
	double den =
		la * lb * lc + gelDvec_Dot( a, b ) * lc + gelDvec_Dot( b, c ) * la + gelDvec_Dot( c, a ) * lb;
	return 2.0 * atan2( det, den );
}

static double SlotAngle( const gelSurfaceTree* tree, uint32_t slot, gelDvec p )
{
	const gelDvec* c = tree->corners + 3 * (size_t)slot;
	return SolidAngle( gelDvec_Sub( c[0], p ), gelDvec_Sub( c[1], p ), gelDvec_Sub( c[2], p ) );
}

double gelSurfaceTree_Winding_Ref( const gelSurfaceTree* tree, gelDvec p )
{
	double sum = 0.0;
	for ( uint32_t i = 0; i < tree->slotCount; ++i )
		if ( tree->slotToTri[i] < tree->surface->properCount ) sum += SlotAngle( tree, i, p );
	return sum / ( 4.0 * GEL_PI );
}

double gelSurfaceTree_Winding( const gelSurfaceTree* tree, gelDvec p )
{
	double sum = 0.0;
	for ( uint32_t at = 0; at < tree->nodeCount; )
	{
		const gelTreeNode* node = tree->nodes + at;
		const gelTreeDipole* dipole = tree->dipoles + at;
		gelDvec d = gelDvec_Sub( dipole->centre, p );
		double distance2 = gelDvec_Dot( d, d ), reach = GEL_FAR_FACTOR * dipole->radius;
		if ( distance2 > reach * reach )
		{
			sum += gelDvec_Dot( dipole->areaVector, d ) / ( distance2 * sqrt( distance2 ) );
			at = node->skip;
			continue;
		}
		for ( uint32_t i = node->first; i < node->first + node->count; ++i )
			if ( tree->slotToTri[i] < tree->surface->properCount ) sum += SlotAngle( tree, i, p );
		at += 1;
	}
	return sum / ( 4.0 * GEL_PI );
}

bool gelSurfaceTree_IsInside( const gelSurfaceTree* tree, gelDvec p )
{
	double w = gelSurfaceTree_Winding( tree, p );
	// A closed surface gives whole numbers; when the far field blurs one too much, the plain sum decides.
	if ( tree->surface->closed && fabs( w - round( w ) ) > 0.2 ) w = gelSurfaceTree_Winding_Ref( tree, p );
	return fabs( w ) > 0.5;
}
