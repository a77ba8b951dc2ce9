// SPDX-License-Identifier: MIT
#include "contact/detect/self_contact_culling.h"

// Rounding of the distance of a node from a plane, relative to the length of what it is made of.
#define GEL_PLANE_ROUNDING 1.0e-6f

// A deformed cell: its corners, and as bits which of them the other one has, too.
typedef struct OwnCell
{
	gelVec3 x[4];
	unsigned shared;
} OwnCell;

static OwnCell MakeCell( const gelContactSurface* s, const gelPackCell* cell, const gelPackCell* other )
{
	OwnCell out = { .shared = 0u };
	for ( unsigned k = 0; k < 4; ++k )
	{
		uint32_t node = cell->node[k];
		out.x[k] = s->nodes[node];
		bool isShared = node == other->node[0] || node == other->node[1] || node == other->node[2] ||
			node == other->node[3];
		out.shared |= isShared ? 1u << k : 0u;
	}
	return out;
}

// Whether all of b that is not shared is beyond the face of a that is opposite to a corner, as seen from
// there. The face has to hold all that is shared.
static bool IsBeyondFace( const OwnCell* a, const OwnCell* b, unsigned corner, float slack )
{
	GEL_ASSERT( corner < 4 && slack >= 0.0f );
	if ( a->shared >> corner & 1u ) return false;
	gelVec3 p = a->x[( corner + 1 ) % 4];
	gelVec3 n = gelCross( gelSub( a->x[( corner + 2 ) % 4], p ), gelSub( a->x[( corner + 3 ) % 4], p ) );
	float inside = gelDot( n, gelSub( a->x[corner], p ) ), length = gelLength( n );
	if ( !( fabsf( inside ) > 0.0f ) ) return false; // flat: it has no inside
	// Cells with common nodes may touch the plane, as those of a regular cage do: contacts of a body with
	// itself that are no deeper than rounding do not count (contact_rays.c).
	float sign = b->shared != 0u ? -1.0f : 1.0f;
	slack = b->shared != 0u ? 0.0f : slack;
	bool isBeyond = true;
	for ( unsigned k = 0; k < 4; ++k )
	{
		gelVec3 way = gelSub( b->x[k], p );
		float distance = inside > 0.0f ? -gelDot( n, way ) : gelDot( n, way );
		float least = length * ( slack + sign * GEL_PLANE_ROUNDING * gelLength( way ) );
		isBeyond = isBeyond && ( ( b->shared >> k & 1u ) != 0u || distance > least );
	}
	return isBeyond;
}

bool gelAreCellsApart( const gelContactSurface* surface, uint32_t cellA, uint32_t cellB )
{
	if ( cellA == cellB ) return true;
	const gelPackCell *cells = surface->pack->cells, *first = cells + cellA, *second = cells + cellB;
	OwnCell a = MakeCell( surface, first, second ), b = MakeCell( surface, second, first );
	float slack = 2.0f * surface->slack;
	bool isApart = false;
	for ( unsigned k = 0; k < 4 && !isApart; ++k )
		isApart = IsBeyondFace( &a, &b, k, slack ) || IsBeyondFace( &b, &a, k, slack );
	return isApart;
}
