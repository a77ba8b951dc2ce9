// SPDX-License-Identifier: MIT
// The generalized winding number: solid angles of all triangles over 4 pi (Jacobson et al. 2013), each by van
// Oosterom and Strackee's formula.
#include "tetrafy/surface/surface_tree.h"

#include <gelpack/asserts.h>

// A cluster is far when its distance exceeds this many radii (Barill et al. 2018 use 2).
#define GEL_FAR_FACTOR 2.5

#define GEL_PI 3.14159265358979323846

// Solid angle of a triangle seen from the origin; positive when its normal points away from the origin.
static double SolidAngle( gelVec3d a, gelVec3d b, gelVec3d c )
{
	double la = gelLengthD( a ), lb = gelLengthD( b ), lc = gelLengthD( c );
	double det = gelDotD( a, gelCrossD( b, c ) );
	double den = la * lb * lc + gelDotD( a, b ) * lc + gelDotD( b, c ) * la + gelDotD( c, a ) * lb;
	return 2.0 * atan2( det, den );
}

static double SlotAngle( const gelSurfaceTree* tree, uint32_t slot, gelVec3d p )
{
	GEL_ASSERT( slot < tree->slotCount );
	const gelVec3d* c = tree->corners + 3 * (size_t)slot;
	return SolidAngle( gelSubD( c[0], p ), gelSubD( c[1], p ), gelSubD( c[2], p ) );
}

double gelSurfaceTree_Winding_Ref( const gelSurfaceTree* tree, gelVec3d p )
{
	double sum = 0.0;
	for ( uint32_t i = 0; i < tree->slotCount; ++i )
		if ( tree->slotToTri[i] < tree->surface->properCount ) sum += SlotAngle( tree, i, p );
	return sum / ( 4.0 * GEL_PI );
}

// A sum of angles, most of which wait as the argument of one complex number: a product adds arguments, and
// costs a fraction of an arctangent.
// The factor is 1 + i slope, so the product grows in length but never has to be normalized before it is
// settled.
typedef struct AngleSum
{
	double re, im; // argument at most 45 degrees
	double sum;    // [rad]
} AngleSum;

static void Settle( AngleSum* angles )
{
	angles->sum += atan2( angles->im, angles->re );
	angles->re = 1.0;
	angles->im = 0.0;
}

// Adds the argument of re + i im.
static void AddArgument( AngleSum* angles, double re, double im )
{
	double slope = im / re;
	// Wide angles, and p on the plane or on the surface itself (re <= 0, or 0 / 0), go through the arctangent
	// at once. Below 45 degrees each, the sum of two stays below 90, where x is positive and the argument is
	// still unique.
	if ( !( re > 0.0 && fabs( slope ) < 1.0 ) )
	{
		angles->sum += atan2( im, re );
		return;
	}
	double x = angles->re - slope * angles->im, y = angles->im + slope * angles->re;
	angles->re = x;
	angles->im = y;
	if ( fabs( y ) > x || x > 1e100 ) Settle( angles );
}

// Half the solid angle of a slot's triangle.
static void AddHalfAngle( AngleSum* angles, const gelSurfaceTree* tree, uint32_t slot, gelVec3d p )
{
	GEL_ASSERT( slot < tree->slotCount );
	const gelVec3d* corners = tree->corners + 3 * (size_t)slot;
	gelVec3d a = gelSubD( corners[0], p ), b = gelSubD( corners[1], p ), c = gelSubD( corners[2], p );
	double la = gelLengthD( a ), lb = gelLengthD( b ), lc = gelLengthD( c );
	double re = la * lb * lc + gelDotD( a, b ) * lc + gelDotD( b, c ) * la + gelDotD( c, a ) * lb;
	AddArgument( angles, re, gelDotD( a, gelCrossD( b, c ) ) );
}

double gelSurfaceTree_Winding( const gelSurfaceTree* tree, gelVec3d p )
{
	double far = 0.0;
	AngleSum near = { .re = 1.0 };
	for ( uint32_t at = 0; at < tree->nodeCount; )
	{
		const gelTreeNode* node = tree->nodes + at;
		const gelTreeDipole* dipole = tree->dipoles + at;
		gelVec3d d = gelSubD( dipole->center, p );
		double distance2 = gelDotD( d, d ), reach = GEL_FAR_FACTOR * dipole->radius;
		if ( distance2 > reach * reach )
		{
			// Solid angle of a small flat patch: area vector . d / |d|^3 [sr].
			far += gelDotD( dipole->areaVector, d ) / ( distance2 * sqrt( distance2 ) );
			at = node->skip;
			continue;
		}
		for ( uint32_t i = node->first; i < node->first + node->count; ++i )
			if ( tree->slotToTri[i] < tree->surface->properCount ) AddHalfAngle( &near, tree, i, p );
		at += 1;
	}
	Settle( &near );
	return ( far + 2.0 * near.sum ) / ( 4.0 * GEL_PI );
}

bool gelSurfaceTree_IsInside( const gelSurfaceTree* tree, gelVec3d p )
{
	double w = gelSurfaceTree_Winding( tree, p );
	// A closed surface gives whole numbers; when the far field blurs one too much, the plain sum decides.
	if ( tree->surface->closed && fabs( w - round( w ) ) > 0.2 ) w = gelSurfaceTree_Winding_Ref( tree, p );
	return fabs( w ) > 0.5;
}
