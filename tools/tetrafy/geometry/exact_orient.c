// SPDX-License-Identifier: MIT
// Orientation with a floating point filter and an exact fallback by expansions: a number is kept as a sum of
// doubles that do not overlap, smallest first. Written from the theory in Shewchuk 1997, "Adaptive precision
// floating-point arithmetic and fast robust geometric predicates": one filter and one exact stage instead of
// his adaptive ones, and no state to set up, so that threads may call it. Needs round-to-nearest and no fused
// operations but the ones written here.
#include "tetrafy/geometry/exact_orient.h"

#include <gelpack/asserts.h>

// Filter bound of Shewchuk's orient3d: (7 + 56 eps) eps with eps = 2^-53.
#define GEL_ORIENT_ERROR 7.7715611723761027e-16

// Longest expansion below: three products of a 16-term minor with a 2-term difference.
#define GEL_MAX_TERMS 192

typedef struct Expansion
{
	int count;
	double terms[GEL_MAX_TERMS];
} Expansion;

// Knuth's TWO-SUM: sum + error = a + b exactly, whichever is larger, in round-to-nearest.
static void TwoSum( double a, double b, double* sum, double* error )
{
	double s = a + b;
	double bVirtual = s - a;
	double aVirtual = s - bVirtual;
	*error = ( a - aVirtual ) + ( b - bVirtual );
	*sum = s;
}

static void PushTerm( Expansion* e, double term )
{
	if ( term != 0.0 ) e->terms[e->count++] = term;
}

// Kept apart from Expansion, which is large: a difference of two doubles has two terms.
typedef struct Pair
{
	int count;
	double terms[2];
} Pair;

// Terms smallest first, like those of an expansion.
static Pair Difference( double a, double b )
{
	double sum, error;
	TwoSum( a, -b, &sum, &error );
	if ( error == 0.0 ) return ( Pair ){ sum != 0.0, { sum, 0.0 } };
	return ( Pair ){ 2, { error, sum } };
}

// Adds one double to an expansion (Shewchuk's GROW-EXPANSION, zeros left out).
static void Grow( Expansion* e, double b )
{
	double q = b;
	int kept = 0;
	for ( int i = 0; i < e->count; ++i )
	{
		double error;
		TwoSum( q, e->terms[i], &q, &error );
		if ( error != 0.0 ) e->terms[kept++] = error;
	}
	e->count = kept;
	PushTerm( e, q );
}

// out += sign * a * b. Every product of two doubles is a sum of two.
static void AddProduct( Expansion* out, const double* a, int aCount, const Pair* b, double sign )
{
	for ( int i = 0; i < aCount; ++i )
	{
		for ( int j = 0; j < b->count; ++j )
		{
			double x = sign * a[i];
			double high = x * b->terms[j];
			double low = fma( x, b->terms[j], -high );
			Grow( out, low );
			Grow( out, high );
		}
	}
}

// out = a b - c d
static void Minor( Expansion* out, const Pair* a, const Pair* b, const Pair* c, const Pair* d )
{
	out->count = 0;
	AddProduct( out, a->terms, a->count, b, 1.0 );
	AddProduct( out, c->terms, c->count, d, -1.0 );
}

// Terms do not overlap, so the largest (last) one outweighs all others together.
static int SignOf( const Expansion* e )
{
	if ( e->count == 0 ) return 0;
	return e->terms[e->count - 1] > 0.0 ? 1 : -1;
}

// Coordinate differences are exact as pairs, so nothing is lost before the products. Sizes: minors 2 * 2 * 2
// * 2 = 16 terms, the determinant three times 16 * 2 * 2 = 192.
int gelOrient3d_Exact( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d d )
{
	Pair ux = Difference( b.x, a.x ), uy = Difference( b.y, a.y ), uz = Difference( b.z, a.z );
	Pair vx = Difference( c.x, a.x ), vy = Difference( c.y, a.y ), vz = Difference( c.z, a.z );
	Pair wx = Difference( d.x, a.x ), wy = Difference( d.y, a.y ), wz = Difference( d.z, a.z );

	Expansion yz, zx, xy, det;
	Minor( &yz, &vy, &wz, &vz, &wy );
	Minor( &zx, &vz, &wx, &vx, &wz );
	Minor( &xy, &vx, &wy, &vy, &wx );
	det.count = 0;
	AddProduct( &det, yz.terms, yz.count, &ux, 1.0 );
	AddProduct( &det, zx.terms, zx.count, &uy, 1.0 );
	AddProduct( &det, xy.terms, xy.count, &uz, 1.0 );
	return SignOf( &det );
}

int gelOrient3d( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d d )
{
	double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
	double vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
	double wx = d.x - a.x, wy = d.y - a.y, wz = d.z - a.z;
	double vywz = vy * wz, vzwy = vz * wy, vzwx = vz * wx, vxwz = vx * wz, vxwy = vx * wy, vywx = vy * wx;
	double det = ux * ( vywz - vzwy ) + uy * ( vzwx - vxwz ) + uz * ( vxwy - vywx );
	double permanent = ( fabs( vywz ) + fabs( vzwy ) ) * fabs( ux ) +
		( fabs( vzwx ) + fabs( vxwz ) ) * fabs( uy ) + ( fabs( vxwy ) + fabs( vywx ) ) * fabs( uz );
	// The permanent is the determinant with all signs positive: what rounding errors are relative to. Nearly
	// all calls end here.
	double bound = GEL_ORIENT_ERROR * permanent;
	if ( det > bound ) return 1;
	if ( det < -bound ) return -1;
	return gelOrient3d_Exact( a, b, c, d );
}

int gelOrient2d( gelVec3d a, gelVec3d b, gelVec3d c, int axis )
{
	GEL_ASSERT( axis >= 0 && axis < 3 );
	// The two coordinates that are left, in cyclic order (y z, z x, x y), so that the sign is that of the
	// normal's component along the axis.
	double ax = axis == 0 ? a.y : axis == 1 ? a.z : a.x, ay = axis == 0 ? a.z : axis == 1 ? a.x : a.y;
	double bx = axis == 0 ? b.y : axis == 1 ? b.z : b.x, by = axis == 0 ? b.z : axis == 1 ? b.x : b.y;
	double cx = axis == 0 ? c.y : axis == 1 ? c.z : c.x, cy = axis == 0 ? c.z : axis == 1 ? c.x : c.y;
	// The fourth point lifts the plane triangle to a tet of height 1.
	return gelOrient3d( ( gelVec3d ){ ax, ay, 0.0 }, ( gelVec3d ){ bx, by, 0.0 }, ( gelVec3d ){ cx, cy, 0.0 },
		( gelVec3d ){ ax, ay, 1.0 } );
}

int gelCollinear( gelVec3d a, gelVec3d b, gelVec3d c )
{
	return gelOrient2d( a, b, c, 0 ) == 0 && gelOrient2d( a, b, c, 1 ) == 0 && gelOrient2d( a, b, c, 2 ) == 0;
}
