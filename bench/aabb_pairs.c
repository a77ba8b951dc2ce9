// SPDX-License-Identifier: MIT
// Crossing triangles of two trees of boxes: both are descended together, the larger box first, and triangles
// whose boxes meet are tested by the signs of volumes in double, planes first (after Moeller 1997).
#include "aabb_tree.h"

#define GEL_PAIR_STACK 512

static bool DoBoxesMeet( const gelAabbNode* a, const gelAabbNode* b )
{
	return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] &&
		b->min[1] <= a->max[1] && a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

static float GetSize( const gelAabbNode* n )
{
	return ( n->max[0] - n->min[0] ) + ( n->max[1] - n->min[1] ) + ( n->max[2] - n->min[2] );
}

static double Orient( gelVec3 a, gelVec3 b, gelVec3 c, gelVec3 d )
{
	double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y, uz = (double)b.z - (double)a.z;
	double vx = (double)c.x - (double)a.x, vy = (double)c.y - (double)a.y, vz = (double)c.z - (double)a.z;
	double wx = (double)d.x - (double)a.x, wy = (double)d.y - (double)a.y, wz = (double)d.z - (double)a.z;
	return wx * ( uy * vz - uz * vy ) + wy * ( uz * vx - ux * vz ) + wz * ( ux * vy - uy * vx );
}

static bool AreApart( const gelVec3 a[3], const gelVec3 b[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		float p[3] = { ( &a[0].x )[k], ( &a[1].x )[k], ( &a[2].x )[k] };
		float q[3] = { ( &b[0].x )[k], ( &b[1].x )[k], ( &b[2].x )[k] };
		float lowP = p[0] < p[1] ? p[0] : p[1], highP = p[0] > p[1] ? p[0] : p[1];
		float lowQ = q[0] < q[1] ? q[0] : q[1], highQ = q[0] > q[1] ? q[0] : q[1];
		lowP = lowP < p[2] ? lowP : p[2], highP = highP > p[2] ? highP : p[2];
		lowQ = lowQ < q[2] ? lowQ : q[2], highQ = highQ > q[2] ? highQ : q[2];
		if ( lowP > highQ || lowQ > highP ) return true;
	}
	return false;
}

// Edges of a through b, given on which sides of b its corners are.
static bool DoesEdgePass( const gelVec3 a[3], const double side[3], const gelVec3 b[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		int next = ( k + 1 ) % 3;
		if ( ( side[k] > 0.0 ) == ( side[next] > 0.0 ) ) continue;
		bool x = Orient( a[k], a[next], b[0], b[1] ) > 0.0, y = Orient( a[k], a[next], b[1], b[2] ) > 0.0;
		if ( x == y && y == ( Orient( a[k], a[next], b[2], b[0] ) > 0.0 ) ) return true;
	}
	return false;
}

static bool DoCross( const gelVec3 a[3], const gelVec3 b[3] )
{
	double sideA[3], sideB[3];
	if ( AreApart( a, b ) ) return false;
	for ( int k = 0; k < 3; ++k )
		sideA[k] = Orient( b[0], b[1], b[2], a[k] );
	if ( ( sideA[0] > 0.0 ) == ( sideA[1] > 0.0 ) && ( sideA[1] > 0.0 ) == ( sideA[2] > 0.0 ) ) return false;
	for ( int k = 0; k < 3; ++k )
		sideB[k] = Orient( a[0], a[1], a[2], b[k] );
	if ( ( sideB[0] > 0.0 ) == ( sideB[1] > 0.0 ) && ( sideB[1] > 0.0 ) == ( sideB[2] > 0.0 ) ) return false;
	return DoesEdgePass( a, sideA, b ) || DoesEdgePass( b, sideB, a );
}

static void GetCorners( const gelAabbTree* tree, const gelVec3* positions, uint32_t triangle, gelVec3 out[3] )
{
	for ( uint32_t k = 0; k < 3; ++k )
		out[k] = positions[tree->corners[3 * (size_t)triangle + k]];
}

static uint32_t CountLeaves( const gelAabbTree* a, const gelVec3* positionsA, const gelAabbNode* p,
	const gelAabbTree* b, const gelVec3* positionsB, const gelAabbNode* q )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		gelVec3 s[3], t[3];
		GetCorners( a, positionsA, p->first + i, s );
		for ( uint32_t j = 0; j < q->count; ++j )
		{
			GetCorners( b, positionsB, q->first + j, t );
			count += DoCross( s, t );
		}
	}
	return count;
}

uint32_t gelAabbTree_CountPairs(
	const gelAabbTree* a, const gelVec3* positionsA, const gelAabbTree* b, const gelVec3* positionsB )
{
	struct
	{
		uint32_t p, q;
	} stack[GEL_PAIR_STACK];
	int depth = 0;
	uint32_t count = 0;
	stack[depth].p = stack[depth].q = 0;
	++depth;
	while ( depth > 0 )
	{
		--depth;
		uint32_t i = stack[depth].p, j = stack[depth].q;
		const gelAabbNode *p = a->nodes + i, *q = b->nodes + j;
		if ( !DoBoxesMeet( p, q ) ) continue;
		if ( p->count > 0 && q->count > 0 )
		{
			count += CountLeaves( a, positionsA, p, b, positionsB, q );
			continue;
		}
		bool splitsP = q->count > 0 || ( p->count == 0 && GetSize( p ) >= GetSize( q ) );
		for ( uint32_t k = 0; k < 2 && depth < GEL_PAIR_STACK; ++k )
		{
			stack[depth].p = splitsP ? p->first + k : i;
			stack[depth].q = splitsP ? j : q->first + k;
			++depth;
		}
	}
	return count;
}
