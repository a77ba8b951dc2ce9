// SPDX-License-Identifier: MIT
#include "contact/shapes/collider_contacts.h"

#include "contact/detect/support_points.h"
#include "contact/shapes/collider_inside.h"
#include "contact/shapes/collider_near.h"
#include "contact/shapes/collider_set.h"
#include "state/world.h"

// What triangles are deeper than their corners that is not worth a search, in sizes of the body.
#define GEL_TRIANGLE_DEPTH 2.0e-3f

// Vertices that are less deep make no new points, in sizes of the body: a body at rest would gather them all.
#define GEL_LEAST_DEPTH 2.0e-5f

// Nearest ways out that are no contradiction to that of the others: cosine of the angle.
#define GEL_SAME_WAY 0.5f

// Cells whose points are moved out when a body and a shape are inside of each other.
#define GEL_MAX_MOVED_CELLS 32u

// What the loops over cells share.
typedef struct gelColliderSearch
{
	gelBody* body;
	const gelVec3 *xOld, *x; // positions at the start, and candidates
	const gelColliderMotion* collider;
	gelVec3 startCenter, endCenter; // places of the collider, in body space [m]
	float endOffset;                // n . x of the surface of a half-space at the end, in body space [m]
	gelVec3 extents;                // half sides of a box around the shape [m]
	float voteDepth;                // [m]
	const gelExit* way;             // for what starts inside; NULL: the nearest one of each point
	gelPickSheet* sheet;            // NULL: is anything inside?
	bool isAny;
} gelColliderSearch;

// A cell in the space of the collider, at both ends of the step.
typedef struct gelCellMotion
{
	const gelPackCell* cell;
	uint32_t index;
	gelVec3 start[4], end[4];
} gelCellMotion;

static gelVec3 ToBodySpace( const gelBody* body, const double position[3] )
{
	return ( gelVec3 ){ (float)( position[0] - body->origin[0] ), (float)( position[1] - body->origin[1] ),
		(float)( position[2] - body->origin[2] ) };
}

// r^T ( p - center )
static gelVec3 ToCollider( const gelMat3* r, gelVec3 center, gelVec3 p )
{
	gelVec3 d = gelSub( p, center );
	return ( gelVec3 ){ gelDot( r->cx, d ), gelDot( r->cy, d ), gelDot( r->cz, d ) };
}

static gelVec3 Mix( const gelVec3 p[4], const float w[4] )
{
	gelVec3 sum = gelScale( w[0], p[0] );
	for ( int k = 1; k < 4; ++k )
		sum = gelMulAdd( sum, w[k], p[k] );
	return sum;
}

// False: nothing of the cell can touch the shape.
static bool EnterCell( const gelColliderSearch* s, uint32_t index, gelCellMotion* out )
{
	GEL_ASSERT( index < s->body->asset->pack.header->cdgTetCount );
	out->cell = s->body->asset->pack.cells + index;
	out->index = index;
	gelVec3 low = { INFINITY, INFINITY, INFINITY }, high = gelNeg( low );
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = out->cell->node[k];
		out->start[k] = ToCollider( &s->collider->start.rotation, s->startCenter, s->xOld[node] );
		out->end[k] = ToCollider( &s->collider->end.rotation, s->endCenter, s->x[node] );
		low = gelMinVec3( low, gelMinVec3( out->start[k], out->end[k] ) );
		high = gelMaxVec3( high, gelMaxVec3( out->start[k], out->end[k] ) );
	}
	if ( s->collider->shape.isHalfSpace ) return low.y < 0.0f;
	gelVec3 e = s->extents;
	return low.x < e.x && low.y < e.y && low.z < e.z && high.x > -e.x && high.y > -e.y && high.z > -e.z;
}

// The way out is that of the start of the step. A point that was outside came in by the side that faced it,
// however deep it is now: the nearest way from there may be the far side of a thin shape. One that started
// inside takes the way that was nearest then.
static bool TestPoint( const gelColliderSearch* s, const gelCellMotion* cell, gelPick* point )
{
	const gelShape* shape = &s->collider->shape;
	gelVec3 start = Mix( cell->start, point->w ), end = Mix( cell->end, point->w );
	gelVec3 move = gelSub( end, start ), endNormal;
	point->place = start;
	float height = gelShape_GetDistance( shape, start, &point->normal );
	if ( height >= 0.0f )
	{
		// what has moved less than it is away from the surface cannot have passed it
		float endHeight = gelShape_GetDistance( shape, end, &endNormal ), fraction;
		if ( endHeight >= 0.0f && gelLength( move ) <= height + endHeight ) return false;
		if ( !gelShape_FindEntry( shape, start, end, &fraction ) ) return false;
		point->place = gelMulAdd( start, fraction, move );
		height = gelShape_GetDistance( shape, point->place, &point->normal );
	}
	else if ( s->way && gelDot( s->way->direction, point->normal ) < GEL_SAME_WAY )
	{
		point->normal = s->way->direction;
		height = gelDot( point->normal, start ) - s->way->reach;
	}
	point->depth = gelDot( point->normal, gelSub( point->place, end ) ) - height;
	return point->depth > 0.0f;
}

static void Offer( gelColliderSearch* s, const gelCellMotion* cell, const gelPick* point )
{
	s->isAny = true;
	if ( s->sheet ) gelPickSheet_Offer( s->sheet, cell->cell->node, point );
}

// All vertices of a cell.
static void OfferVertices( gelColliderSearch* s, const gelCellMotion* cell )
{
	// vertices of a patch stand behind those of the patch before, and the padding between repeats one
	const gelPackView* pack = &s->body->asset->pack;
	const gelPackPatch* front = pack->patches + cell->cell->patchFirst;
	const gelPackPatch* back = front + cell->cell->patchCount - 1;
	for ( uint32_t slot = front->vertexFirst; slot < back->vertexFirst + back->vertexCount; ++slot )
	{
		gelPick point = { .slot = slot, .cell = cell->index };
		gelCdg_GetWeights( &pack->cdg, slot, point.w );
		if ( TestPoint( s, cell, &point ) ) Offer( s, cell, &point );
	}
}

// Heights of the nodes of a cell at the end of the step above a plane that has all of the shape below it, and
// the cell on its way out. @return whether any of them is below
static bool GetHeights( const gelColliderSearch* s, const gelCellMotion* cell, float heights[4] )
{
	const float equal[4] = { 0.25f, 0.25f, 0.25f, 0.25f };
	gelVec3 normal;
	gelShape_GetDistance( &s->collider->shape, Mix( cell->start, equal ), &normal );
	float reach = gelShape_GetReach( &s->collider->shape, normal );
	bool isBelow = false;
	for ( int k = 0; k < 4; ++k )
	{
		heights[k] = gelDot( normal, cell->end[k] ) - reach;
		isBelow = isBelow || heights[k] < 0.0f;
	}
	return isBelow;
}

// Vertices of a cell that is near the shape. Where all of them are above the plane nothing touches, triangles
// included; a flat face is met first by those that can be the lowest of the cell. @return false: nothing
// touches
static bool OfferNear( gelColliderSearch* s, const gelCellMotion* cell, const float heights[4] )
{
	gelSupportPoint points[GEL_MAX_CELL_POINTS];
	int count = gelScanSupport( gelGetSupportKernels( s->body->simd ), s->body->asset, cell->index, heights,
		0.0f, points, GEL_MAX_CELL_POINTS );
	if ( count == 0 ) return false;
	if ( s->collider->shape.radius > 0.0f )
	{
		OfferVertices( s, cell );
		return true;
	}
	for ( int i = 0; i < count && i < GEL_MAX_CELL_POINTS; ++i )
	{
		const float* w = points[i].w;
		gelPick point = { .w = { w[0], w[1], w[2], w[3] }, .slot = points[i].slot, .cell = cell->index };
		if ( TestPoint( s, cell, &point ) ) Offer( s, cell, &point );
	}
	return true;
}

// Whether a triangle may be notably deeper in between its corners than there: where the surface of the shape
// turns by an angle a under a triangle of the size r, that is at most about r a.
static bool IsDeeperBetween( const gelColliderSearch* s, const gelVec3 p[3] )
{
	gelVec3 normal[3];
	float size2 = 0.0f, turn = 0.0f, highest = -INFINITY;
	for ( int k = 0; k < 3; ++k )
		highest = gelMaxFloat( gelShape_GetDistance( &s->collider->shape, p[k], normal + k ), highest );
	if ( highest < -s->voteDepth ) return false; // its corners tell enough
	for ( int k = 0; k < 3; ++k )
	{
		size2 = gelMaxFloat( gelLengthSquared( gelSub( p[k], p[( k + 1 ) % 3] ) ), size2 );
		turn = gelMaxFloat( 1.0f - gelDot( normal[k], normal[( k + 1 ) % 3] ), turn );
	}
	float least = GEL_TRIANGLE_DEPTH * s->body->asset->restSize;
	return size2 * turn > least * least;
}

// Points in the middle of triangles that are large for the shape.
static void OfferTriangle(
	gelColliderSearch* s, const gelCellMotion* cell, const gelPackPatch* patch, uint32_t triangle )
{
	const gelCdgView* cdg = &s->body->asset->pack.cdg;
	uint32_t slots[3];
	float corner[3][4], t[3];
	gelVec3 p[3];
	gelCdg_GetCorners( cdg, patch, triangle, slots );
	for ( int k = 0; k < 3; ++k )
	{
		gelCdg_GetWeights( cdg, slots[k], corner[k] );
		p[k] = Mix( cell->end, corner[k] );
	}
	if ( !IsDeeperBetween( s, p ) || !gelShape_FindDeepest( &s->collider->shape, p, t ) ) return;
	gelPick point = { .slot = UINT32_MAX, .cell = cell->index };
	for ( int k = 0; k < 4; ++k )
		point.w[k] = t[0] * corner[0][k] + t[1] * corner[1][k] + t[2] * corner[2][k];
	if ( TestPoint( s, cell, &point ) ) Offer( s, cell, &point );
}

// Whether the surface of the shape turns under a cell by so much that triangles may be deeper than their
// corners.
static bool IsCurvedUnder( const gelColliderSearch* s, const gelCellMotion* cell )
{
	gelVec3 normal[4];
	float size2 = 0.0f, turn = 0.0f;
	for ( int k = 0; k < 4; ++k )
		gelShape_GetDistance( &s->collider->shape, cell->end[k], normal + k );
	for ( int k = 0; k < 4; ++k )
	{
		for ( int j = 0; j < k; ++j )
		{
			size2 = gelMaxFloat( gelLengthSquared( gelSub( cell->end[k], cell->end[j] ) ), size2 );
			turn = gelMaxFloat( 1.0f - gelDot( normal[k], normal[j] ), turn );
		}
	}
	float least = GEL_TRIANGLE_DEPTH * s->body->asset->restSize;
	return size2 * turn > least * least;
}

static void OfferTriangles( gelColliderSearch* s, const gelCellMotion* cell )
{
	if ( !IsCurvedUnder( s, cell ) ) return;
	const gelPackPatch* patches = s->body->asset->pack.patches + cell->cell->patchFirst;
	for ( uint32_t i = 0; i < cell->cell->patchCount; ++i )
	{
		for ( uint32_t k = 0; k < patches[i].triangleCount; ++k )
			OfferTriangle( s, cell, patches + i, patches[i].triangleFirst + k );
	}
}

gelVec3 gelColliderMotion_GetMove( const gelColliderMotion* motion, const double origin[3], gelVec3 place )
{
	if ( motion->isStill ) return gelMakeVec3( 0.0f, 0.0f, 0.0f );
	// relative to the collider where it starts, then from there to its end
	gelVec3 center = { (float)( motion->start.position[0] - origin[0] ),
		(float)( motion->start.position[1] - origin[1] ), (float)( motion->start.position[2] - origin[2] ) };
	gelVec3 shift = { (float)( motion->end.position[0] - motion->start.position[0] ),
		(float)( motion->end.position[1] - motion->start.position[1] ),
		(float)( motion->end.position[2] - motion->start.position[2] ) };
	gelVec3 from = gelSub( place, center );
	gelVec3 local = ToCollider( &motion->start.rotation, gelMakeVec3( 0.0f, 0.0f, 0.0f ), from );
	return gelAdd( shift, gelSub( gelMulMV( motion->end.rotation, local ), from ) );
}

// Where a point in the collider's space is at the start of the step, in body space.
static gelVec3 GetStartPlace( const gelColliderSearch* s, gelVec3 local )
{
	return gelAdd( s->startCenter, gelMulMV( s->collider->start.rotation, local ) );
}

// With D, the motion of the point against the collider, and the depth at its end, the gap at the start is
// -depth - n . D.
static gelTouchPoint* AddPoint( const gelColliderSearch* s, uint32_t owner, const gelPick* pick )
{
	gelBodyContact* touch = s->body->contact;
	if ( touch->pointCount == touch->pointCapacity ) return NULL;
	gelTouchPoint* point = touch->points + touch->pointCount++;
	*point = ( gelTouchPoint ){ .normal = gelMulMV( s->collider->end.rotation, pick->normal ),
		.move = gelColliderMotion_GetMove( s->collider, s->body->origin, GetStartPlace( s, pick->place ) ),
		.depth = pick->depth,
		.owner = owner,
		.slot = pick->slot,
		.cell = pick->cell,
		.collider1 = s->collider->index + 1,
		.mu = s->way ? 0.0f : -1.0f };
	const uint32_t* node = gelGetSurfaceNodes( s->body->asset, pick->cell );
	gelVec3 move = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
	{
		point->node[k] = node[k];
		point->w[k] = pick->w[k];
		move = gelMulAdd( move, pick->w[k], gelSub( s->x[node[k]], s->xOld[node[k]] ) );
	}
	point->gap = -pick->depth - gelDot( point->normal, gelSub( move, point->move ) );
	return point;
}

static gelColliderSearch MakeSearch(
	gelBody* body, const gelVec3* xOld, const gelColliderMotion* collider, gelPickSheet* sheet )
{
	const double *to = collider->end.position, *o = body->origin;
	gelVec3 n = collider->end.rotation.cy;
	// in double: far from the world's origin the terms nearly cancel
	double offset = n.x * ( to[0] - o[0] ) + n.y * ( to[1] - o[1] ) + n.z * ( to[2] - o[2] );
	return ( gelColliderSearch ){ body, xOld, body->x, collider,
		ToBodySpace( body, collider->start.position ), ToBodySpace( body, to ), (float)offset,
		gelShape_GetExtents( &collider->shape ), gelGetVoteDepth( body, &collider->shape ), NULL, sheet,
		false };
}

// Sides of the box around the shape, a bit each, that nodes are beyond on all of their way: a cell with all
// nodes beyond one side does not touch.
static void MarkSides( const gelColliderSearch* s )
{
	gelVec3 e = s->extents;
	for ( int i = 0; i < s->body->asset->nodeCount; ++i )
	{
		gelVec3 start = ToCollider( &s->collider->start.rotation, s->startCenter, s->xOld[i] );
		gelVec3 end = ToCollider( &s->collider->end.rotation, s->endCenter, s->x[i] );
		gelVec3 low = gelMinVec3( start, end ), high = gelMaxVec3( start, end );
		s->sheet->sides[i] = (uint8_t)( ( low.x >= e.x ) | ( low.y >= e.y ) << 1 | ( low.z >= e.z ) << 2 |
			( high.x <= -e.x ) << 3 | ( high.y <= -e.y ) << 4 | ( high.z <= -e.z ) << 5 );
	}
}

// Offers points where the body and the shape touch. @return how deep
static float OfferTouching( gelColliderSearch* s )
{
	const gelAsset* asset = s->body->asset;
	MarkSides( s );
	for ( uint32_t index = 0; index < asset->pack.header->cdgTetCount; ++index )
	{
		const uint8_t* sides = s->sheet->sides;
		const uint32_t* node = asset->pack.cells[index].node;
		gelCellMotion cell;
		float heights[4];
		if ( ( sides[node[0]] & sides[node[1]] & sides[node[2]] & sides[node[3]] ) != 0 ) continue;
		if ( !EnterCell( s, index, &cell ) || !GetHeights( s, &cell, heights ) ) continue;
		if ( OfferNear( s, &cell, heights ) ) OfferTriangles( s, &cell );
	}
	float deepest = 0.0f;
	for ( int i = 0; i < s->sheet->touchedCount; ++i )
		deepest = gelMaxFloat( s->sheet->picks[s->sheet->touched[i]].depth, deepest );
	return deepest;
}

// Points all over the body, to be moved out along one way: as if the shape were a half-space.
static void OfferMoved( const gelColliderSearch* s, const gelExit* way )
{
	const gelPackView* pack = &s->body->asset->pack;
	uint32_t cellCount = pack->header->cdgTetCount;
	uint32_t step = ( cellCount + GEL_MAX_MOVED_CELLS - 1 ) / GEL_MAX_MOVED_CELLS;
	for ( uint32_t index = 0; index < cellCount; index += step )
	{
		gelCellMotion cell;
		EnterCell( s, index, &cell );
		gelPick point = {
			.normal = way->direction, .slot = pack->patches[cell.cell->patchFirst].vertexFirst, .cell = index
		};
		gelCdg_GetWeights( &pack->cdg, point.slot, point.w );
		point.place = Mix( cell.start, point.w );
		if ( gelDot( way->direction, point.place ) >= way->reach ) continue;
		point.depth = way->reach - gelDot( way->direction, Mix( cell.end, point.w ) );
		if ( point.depth > 0.0f ) gelPickSheet_Offer( s->sheet, cell.cell->node, &point );
	}
}

static void Vote( const gelColliderSearch* s, const gelCellMotion* cell, gelExitVotes* votes )
{
	const gelPackView* pack = &s->body->asset->pack;
	const gelPackPatch* patches = pack->patches + cell->cell->patchFirst;
	for ( uint32_t i = 0; i < cell->cell->patchCount; ++i )
	{
		for ( uint32_t t = 0; t < patches[i].triangleCount; ++t )
		{
			uint32_t slots[3];
			gelVec3 corners[3];
			gelCdg_GetCorners( &pack->cdg, patches + i, patches[i].triangleFirst + t, slots );
			for ( int k = 0; k < 3; ++k )
			{
				float w[4];
				gelCdg_GetWeights( &pack->cdg, slots[k], w );
				corners[k] = Mix( cell->start, w );
			}
			gelExitVotes_Add( votes, &s->collider->shape, corners, s->voteDepth );
		}
	}
}

// The piece of surface that is in the shape at the start of the step.
static gelExitVotes AskTriangles( const gelColliderSearch* s )
{
	gelExitVotes votes = { 0 };
	uint32_t cellCount = s->body->asset->pack.header->cdgTetCount;
	for ( uint32_t index = 0; index < cellCount; ++index )
	{
		gelCellMotion cell;
		if ( EnterCell( s, index, &cell ) ) Vote( s, &cell, &votes );
	}
	return votes;
}

// Whether the shape is in the body with its middle, at the start of the step.
static bool IsShapeInBody( const gelColliderSearch* s )
{
	const gelAabb* box = &s->body->box;
	gelVec3 c = s->startCenter;
	bool isNear = c.x > box->min.x && c.y > box->min.y && c.z > box->min.z && c.x < box->max.x &&
		c.y < box->max.y && c.z < box->max.z;
	return isNear && gelIsMiddleInBody( s->body, s->xOld, &s->collider->start.rotation, c );
}

// ---- points that carry load ------------------------------------------------------------------------------

// A point of the last step where it is now. It need not be inside.
static gelPick MeasurePoint( const gelColliderSearch* s, uint32_t cell, uint32_t slot )
{
	gelPick point = { .slot = slot, .cell = cell, .normal = { 0.0f, 1.0f, 0.0f } };
	const uint32_t* node = gelGetSurfaceNodes( s->body->asset, cell );
	gelGetSlotWeights( s->body->asset, slot, point.w );
	gelVec3 start = { 0.0f, 0.0f, 0.0f }, end = start;
	for ( int k = 0; k < 4; ++k )
	{
		start = gelMulAdd( start, point.w[k], s->xOld[node[k]] );
		end = gelMulAdd( end, point.w[k], s->x[node[k]] );
	}
	point.place = ToCollider( &s->collider->start.rotation, s->startCenter, start );
	if ( s->collider->shape.isHalfSpace )
	{
		point.depth = s->endOffset - gelDot( s->collider->end.rotation.cy, end );
		return point;
	}
	end = ToCollider( &s->collider->end.rotation, s->endCenter, end );
	float height = gelShape_GetDistance( &s->collider->shape, point.place, &point.normal );
	point.depth = gelDot( point.normal, gelSub( point.place, end ) ) - height;
	return point;
}

// @return how many
static int AddLoaded( const gelColliderSearch* s, float h )
{
	const gelBodyContact* touch = s->body->contact;
	int count = 0;
	for ( int i = 0; i < touch->cachedCount; ++i )
	{
		const gelCachedContact* cached = touch->cached + i;
		if ( cached->other != s->collider->index + 1 ) continue;
		gelPick pick = MeasurePoint( s, cached->cell, (uint32_t)cached->feature );
		gelTouchPoint* point = AddPoint( s, (uint32_t)( cached->feature >> 32 ), &pick );
		if ( point == NULL ) break;
		point->load = gelScale( h * h, cached->load );
		point->rate = cached->rate;
		point->change = cached->change;
		point->isLoaded = true;
		++count;
	}
	return count;
}

// Adds what nodes have chosen, each vertex once.
static void AddPicked( const gelColliderSearch* s )
{
	const gelBodyContact* touch = s->body->contact;
	gelPickSheet_Sort( s->sheet, touch->pointCapacity - touch->pointCount );
	for ( int i = 0; i < s->sheet->touchedCount; ++i )
	{
		uint32_t owner = s->sheet->touched[i];
		const gelPick* pick = s->sheet->picks + owner;
		bool isNew = pick->depth > GEL_LEAST_DEPTH * s->body->asset->restSize;
		for ( int k = 0; k < touch->pointCount && isNew; ++k )
			isNew = touch->points[k].collider1 != s->collider->index + 1 ||
				!gelIsSameVertex( s->body->asset, touch->points + k, pick );
		if ( isNew ) AddPoint( s, owner, pick );
	}
	gelPickSheet_Clear( s->sheet );
}

// ---- one collider ----------------------------------------------------------------------------------------

// Normal and place of points below a plane, which the search leaves out.
static void FillHalfSpacePicks( const gelColliderSearch* s )
{
	for ( int i = 0; i < s->sheet->touchedCount; ++i )
	{
		gelPick* pick = s->sheet->picks + s->sheet->touched[i];
		float score = pick->score;
		*pick = MeasurePoint( s, pick->cell, pick->slot );
		pick->score = score;
	}
}

// The plane through the collider where it is at the end of the step, in body space.
static void OfferPlane( const gelColliderSearch* s )
{
	gelOfferHalfSpace( s->body, s->collider->end.rotation.cy, s->endOffset, s->sheet );
	FillHalfSpacePicks( s );
}

// Ways out that contradict each other: all points get one.
static void FindOneWay( gelColliderSearch* s, float deepest, const gelVec3* floor, gelExit* way )
{
	gelExitVotes votes = { 0 };
	if ( deepest > 0.5f * s->voteDepth ) votes = AskTriangles( s ); // few are so deep
	if ( !gelExitVotes_Differ( &votes ) && !IsShapeInBody( s ) ) return;
	gelPickSheet_Clear( s->sheet ); // not by ways of their own
	if ( gelExitVotes_FindWay( &votes, &s->collider->shape, way ) )
	{
		s->way = way;
		OfferTouching( s );
		s->way = NULL;
		return;
	}
	*way = gelFindExit(
		s->body, s->xOld, &s->collider->shape, &s->collider->start.rotation, s->startCenter, floor );
	OfferMoved( s, way );
	s->way = way; // it is not touched there: no friction
}

void gelFindColliderPoints( gelBody* body, const gelColliderMotion* collider, float h, bool isNear,
	bool isFirst, const gelVec3* floor, gelPickSheet* sheet )
{
	GEL_ASSERT( h > 0.0f && sheet->touchedCount == 0 );
	gelColliderSearch search = MakeSearch( body, body->xOld, collider, sheet );
	if ( ( !isFirst || AddLoaded( &search, h ) == 0 ) && !isNear ) return;
	gelExit way;
	if ( collider->shape.isHalfSpace )
		OfferPlane( &search );
	else if ( !gelIsColliderApart( body, collider, search.startCenter, search.endCenter ) )
		FindOneWay( &search, OfferTouching( &search ), floor, &way );
	AddPicked( &search );
}

bool gelTouchesShape( gelBody* body, const gelColliderMotion* collider )
{
	gelColliderSearch search = MakeSearch( body, body->x, collider, NULL );
	for ( uint32_t index = 0; index < body->asset->pack.header->cdgTetCount && !search.isAny; ++index )
	{
		gelCellMotion cell;
		if ( !EnterCell( &search, index, &cell ) ) continue;
		OfferVertices( &search, &cell );
		if ( !collider->shape.isHalfSpace ) OfferTriangles( &search, &cell );
	}
	return search.isAny;
}
