// SPDX-License-Identifier: MIT
// Bodies that were crushed into each other, with tets inside out. Surfaces of such tets face the wrong way,
// so contacts push in all directions at once: together they hold the bodies fast in each other, for good.
// Left out, they would let parts of the bodies pass. Instead all contacts of such a pair agree on one way
// apart, from the middle of one body to that of the other: those that push against it are left out, and
// those of tets inside out push along it.
#include "contact/step/contact_step.h"

#include <math.h>

#define GEL_FOUND_INVERTED ( gel_foundInvertedA | gel_foundInvertedB )

// One in so many contacts of tets inside out, and the bodies are taken for crushed into each other.
#define GEL_TANGLED_PART 10

// Center of mass [m, world space].
static void GetCenter( const gelBody* body, double out[3] )
{
	const gelPackMass* masses = body->asset->pack.masses;
	double sum[3] = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		double m = masses[i].mass;
		sum[0] += m * body->x[i].x;
		sum[1] += m * body->x[i].y;
		sum[2] += m * body->x[i].z;
	}
	for ( int k = 0; k < 3; ++k )
		out[k] = body->origin[k] + sum[k] / body->asset->mass;
}

// Unit vector from the middle of B to that of A; false: there is none.
static bool FindWayApart( const gelBodyPair* pair, gelVec3* out )
{
	double a[3], b[3];
	if ( pair->b == NULL || pair->a == pair->b ) return false;
	GetCenter( pair->a, a );
	GetCenter( pair->b, b );
	gelVec3 way = gelMakeVec3( (float)( a[0] - b[0] ), (float)( a[1] - b[1] ), (float)( a[2] - b[2] ) );
	float length = gelLength( way );
	if ( !( length > 1.0e-6f * pair->a->asset->restSize ) ) return false;
	*out = gelScale( 1.0f / length, way );
	return true;
}

static int CountInverted( const gelFoundContact* found, int count )
{
	GEL_ASSERT( count >= 0 );
	int sum = 0;
	for ( int i = 0; i < count; ++i )
		sum += ( found[i].flags & GEL_FOUND_INVERTED ) != 0;
	return sum;
}

// Whether the contact may stay, turned if need be. The points of a tet inside out have changed places, so
// their distance along the way counts whatever its sign.
static bool Turn( gelFoundContact* contact, gelVec3 way )
{
	if ( ( contact->flags & GEL_FOUND_INVERTED ) == 0 ) return gelDot( contact->normal, way ) >= 0.0f;
	contact->normal = way;
	contact->depth = fabsf( gelDot( way, gelSub( contact->pointB, contact->pointA ) ) );
	return true;
}

int gelUntangle( gelBodyPair* pair, gelFoundContact* found, int count )
{
	GEL_ASSERT( count >= 0 );
	int invertedCount = CountInverted( found, count ), kept = 0;
	pair->isTangled = GEL_TANGLED_PART * invertedCount > count;
	gelVec3 way;
	bool hasWay = pair->isTangled && FindWayApart( pair, &way );
	// what does not give way is not inside out: its contacts push the right way
	bool areInvertedKept = hasWay || pair->b == NULL;
	for ( int i = 0; i < count; ++i )
	{
		bool isKept = areInvertedKept || ( found[i].flags & GEL_FOUND_INVERTED ) == 0;
		if ( hasWay ) isKept = Turn( found + i, way );
		if ( isKept ) found[kept++] = found[i];
	}
	return kept;
}
