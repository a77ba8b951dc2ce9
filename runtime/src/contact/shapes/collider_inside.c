// SPDX-License-Identifier: MIT
#include "contact/shapes/collider_inside.h"

#include "math/exit_direction.h"

// Parts of the size of the body, and of the least half extent of the shape.
#define GEL_VOTE_DEPTH      0.01f
#define GEL_VOTE_DEPTH_PART 0.25f

// Triangles face the shape when the cosine between their normal and the way out is below this.
#define GEL_FACING -0.5f

// A body is not where it should be when more than these parts of the votes do not face the shape, and their
// mean is shorter than this; or are wrong.
#define GEL_ASKANCE_VOTES  0.1f
#define GEL_VOTE_AGREEMENT 0.5f
#define GEL_WRONG_VOTES    1.0e-3f

// A piece of surface has a vector area when that is more than this part of its area.
#define GEL_VECTOR_AREA 0.3f

float gelGetVoteDepth( const gelBody* body, const gelShape* shape )
{
	gelVec3 e = gelShape_GetExtents( shape );
	float least = gelMinFloat( e.x, gelMinFloat( e.y, e.z ) );
	return gelMinFloat( GEL_VOTE_DEPTH * body->asset->restSize, GEL_VOTE_DEPTH_PART * least );
}

// A shape pushes on the outside of a body, so what touches it faces it, however the body is draped around it.
// Where the way out is that of the outward normal, the surface is seen from within; in between are the flanks
// of a body that the shape cuts through.
void gelExitVotes_Add( gelExitVotes* votes, const gelShape* shape, const gelVec3 corners[3], float voteDepth )
{
	GEL_ASSERT( voteDepth >= 0.0f );
	gelVec3 middle = gelScale( 1.0f / 3.0f, gelAdd( gelAdd( corners[0], corners[1] ), corners[2] ) ), way;
	float depth = -gelShape_GetDistance( shape, middle, &way );
	if ( !( depth > 0.0f ) ) return;
	gelVec3 area =
		gelScale( 0.5f, gelCross( gelSub( corners[1], corners[0] ), gelSub( corners[2], corners[0] ) ) );
	votes->vector = gelAdd( votes->vector, area );
	votes->area += gelLength( area );
	if ( depth < voteDepth ) return;
	float weight = depth * gelLength( area ), facing = depth * gelDot( area, way );
	votes->weight += weight;
	votes->wrong += gelMaxFloat( facing, 0.0f );
	if ( facing < GEL_FACING * weight ) return;
	votes->sum = gelMulAdd( votes->sum, weight, way );
	votes->askance += weight;
}

bool gelExitVotes_Differ( const gelExitVotes* votes )
{
	if ( votes->wrong > GEL_WRONG_VOTES * votes->weight ) return true;
	return votes->askance > GEL_ASKANCE_VOTES * votes->weight &&
		gelLength( votes->sum ) < GEL_VOTE_AGREEMENT * votes->askance;
}

static gelVec3 ToShape( const gelMat3* r, gelVec3 center, gelVec3 p )
{
	gelVec3 d = gelSub( p, center );
	return ( gelVec3 ){ gelDot( r->cx, d ), gelDot( r->cy, d ), gelDot( r->cz, d ) };
}

// ---- the middle ------------------------------------------------------------------------------------------

// Crossings of a triangle by the ray from the origin along the first of three coordinates, +1 from the back.
// Edges belong to the side where the cross product is not negative, the same for both triangles at an edge.
static int CountCrossing( float p[3][3] )
{
	float area[3];
	int positive = 0;
	for ( int k = 0; k < 3; ++k )
	{
		const float *a = p[( k + 1 ) % 3], *b = p[( k + 2 ) % 3];
		// the same bits for both directions of an edge
		bool isTurned = a[1] > b[1] || ( a[1] == b[1] && a[2] > b[2] );
		area[k] = isTurned ? -( b[1] * a[2] - b[2] * a[1] ) : a[1] * b[2] - a[2] * b[1];
		bool isPositive = isTurned ? !( -area[k] >= 0.0f ) : area[k] >= 0.0f;
		positive += isPositive;
	}
	if ( positive != 0 && positive != 3 ) return 0;
	float sum = area[0] + area[1] + area[2];
	float height = area[0] * p[0][0] + area[1] * p[1][0] + area[2] * p[2][0];
	if ( sum == 0.0f || !( ( height > 0.0f ) == ( sum > 0.0f ) ) ) return 0;
	return positive == 3 ? 1 : -1;
}

// A cell that the ray along an axis can meet.
static bool IsOnWay( const gelVec3 nodes[4], int axis )
{
	GEL_ASSERT( axis >= 0 && axis < 3 );
	const float* p = &nodes[0].x;
	bool isLow[3] = { false, false, false }, isHigh[3] = { false, false, false };
	for ( int k = 0; k < 4; ++k )
	{
		for ( int j = 0; j < 3; ++j )
		{
			isLow[j] = isLow[j] || p[3 * k + j] <= 0.0f;
			isHigh[j] = isHigh[j] || p[3 * k + j] >= 0.0f;
		}
	}
	int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
	return isHigh[axis] && isLow[u] && isHigh[u] && isLow[v] && isHigh[v];
}

static int CountCell( const gelPackView* pack, const gelPackCell* cell, const gelVec3 nodes[4], int axis )
{
	GEL_ASSERT( axis >= 0 && axis < 3 );
	int count = 0;
	for ( uint32_t i = 0; i < cell->patchCount; ++i )
	{
		const gelPackPatch* patch = pack->patches + cell->patchFirst + i;
		for ( uint32_t t = 0; t < patch->triangleCount; ++t )
		{
			uint32_t slots[3];
			float p[3][3];
			gelCdg_GetCorners( &pack->cdg, patch, patch->triangleFirst + t, slots );
			for ( int k = 0; k < 3; ++k )
			{
				float w[4];
				gelCdg_GetWeights( &pack->cdg, slots[k], w );
				gelVec3 at = gelScale( w[0], nodes[0] );
				for ( int j = 1; j < 4; ++j )
					at = gelMulAdd( at, w[j], nodes[j] );
				const float c[3] = { at.x, at.y, at.z };
				for ( int j = 0; j < 3; ++j )
					p[k][j] = c[( axis + j ) % 3];
			}
			count += CountCrossing( p );
		}
	}
	return count;
}

bool gelIsMiddleInBody( const gelBody* body, const gelVec3* x, const gelMat3* rotation, gelVec3 center )
{
	const gelPackView* pack = &body->asset->pack;
	int winding[3] = { 0, 0, 0 };
	for ( uint32_t index = 0; index < pack->header->cdgTetCount; ++index )
	{
		const gelPackCell* cell = pack->cells + index;
		gelVec3 nodes[4];
		for ( int k = 0; k < 4; ++k )
			nodes[k] = ToShape( rotation, center, x[cell->node[k]] );
		for ( int axis = 0; axis < 3; ++axis )
		{
			if ( IsOnWay( nodes, axis ) ) winding[axis] += CountCell( pack, cell, nodes, axis );
		}
	}
	// copies of a vertex in two cells may differ by rounding, so one ray may slip through: two have to agree
	return ( winding[0] != 0 ) + ( winding[1] != 0 ) + ( winding[2] != 0 ) >= 2;
}

// ---- the way out -----------------------------------------------------------------------------------------

bool gelExitVotes_FindWay( const gelExitVotes* votes, const gelShape* shape, gelExit* out )
{
	float length = gelLength( votes->vector );
	if ( !( length > GEL_VECTOR_AREA * votes->area ) ) return false;
	out->direction = gelScale( -1.0f / length, votes->vector );
	out->reach = gelShape_GetReach( shape, out->direction );
	return true;
}

gelExit gelFindExit( const gelBody* body, const gelVec3* x, const gelShape* shape, const gelMat3* rotation,
	gelVec3 center, const gelVec3* floor )
{
	gelWays ways = gelMakeWays();
	gelSpans own = gelMakeEmptySpans(), other = gelMakeEmptySpans();
	for ( int k = 0; k < ways.count; ++k )
	{
		gelVec3 way = gelMulMV( *rotation, ways.way[k] );
		for ( int i = 0; i < body->asset->nodeCount; ++i )
		{
			float t = gelDot( way, gelSub( x[i], center ) );
			gelSpans_Include( &own, k, t, t );
		}
		float reach = gelShape_GetReach( shape, ways.way[k] );
		gelSpans_Include( &other, k, -reach, reach );
	}
	gelVec3 up = { 0.0f, 0.0f, 0.0f };
	if ( floor ) up = ToShape( rotation, up, *floor );
	gelVec3 direction = gelFindShortestWay( &ways, &own, &other, floor ? &up : NULL );
	return ( gelExit ){ direction, gelShape_GetReach( shape, direction ) };
}
