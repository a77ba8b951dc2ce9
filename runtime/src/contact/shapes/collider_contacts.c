// SPDX-License-Identifier: MIT
#include "contact/shapes/collider_contacts.h"

#include "contact/shapes/collider_inside.h"

// What triangles are deeper than their corners that is not worth a search, in sizes of the body.
#define GEL_TRIANGLE_DEPTH 2.0e-3f

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
	gelVec3 extents;                // half sides of a box around the shape [m]
	float h;
	float voteDepth;    // [m]
	const gelExit* way; // for what starts inside; NULL: the nearest one of each point
} gelColliderSearch;

// A cell in the space of the collider, at both ends of the step.
typedef struct gelCellMotion
{
	const gelPackCell* cell;
	gelVec3 start[4], end[4];
} gelCellMotion;

// A point of the surface that is inside.
typedef struct gelColliderPoint
{
	float w[4];
	gelVec3 normal; // in the space of the collider
	gelVec3 place;  // there too: where it is, or where it came in
	float depth;    // along the normal, at the end of the step [m]
	uint64_t feature;
} gelColliderPoint;

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
static bool TestPoint( const gelColliderSearch* s, const gelCellMotion* cell, gelColliderPoint* point )
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

// For each corner of the cell the point where depth times weight is largest: deep and spread.
typedef struct gelColliderPicks
{
	gelColliderPoint best[4];
	float score[4];
} gelColliderPicks;

static void Offer( gelColliderPicks* picks, const gelColliderPoint* point )
{
	for ( int k = 0; k < 4; ++k )
	{
		if ( !( point->depth * point->w[k] > picks->score[k] ) ) continue;
		picks->score[k] = point->depth * point->w[k];
		picks->best[k] = *point;
	}
}

static void OfferVertices( const gelColliderSearch* s, const gelCellMotion* cell, gelColliderPicks* picks )
{
	// vertices of a patch stand behind those of the patch before, and the padding between repeats one
	const gelPackView* pack = &s->body->asset->pack;
	const gelPackPatch* front = pack->patches + cell->cell->patchFirst;
	const gelPackPatch* back = front + cell->cell->patchCount - 1;
	for ( uint32_t slot = front->vertexFirst; slot < back->vertexFirst + back->vertexCount; ++slot )
	{
		gelColliderPoint point = { .feature = slot };
		gelCdg_GetWeights( &pack->cdg, slot, point.w );
		if ( TestPoint( s, cell, &point ) ) Offer( picks, &point );
	}
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
static void OfferTriangle( const gelColliderSearch* s, const gelCellMotion* cell, const gelPackPatch* patch,
	uint32_t triangle, gelColliderPicks* picks )
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
	gelColliderPoint point = { .feature = (uint64_t)1 << 32 | triangle };
	for ( int k = 0; k < 4; ++k )
		point.w[k] = t[0] * corner[0][k] + t[1] * corner[1][k] + t[2] * corner[2][k];
	if ( TestPoint( s, cell, &point ) ) Offer( picks, &point );
}

static void OfferTriangles( const gelColliderSearch* s, const gelCellMotion* cell, gelColliderPicks* picks )
{
	if ( s->collider->shape.isHalfSpace ) return;
	const gelPackPatch* patches = s->body->asset->pack.patches + cell->cell->patchFirst;
	for ( uint32_t i = 0; i < cell->cell->patchCount; ++i )
	{
		for ( uint32_t k = 0; k < patches[i].triangleCount; ++k )
			OfferTriangle( s, cell, patches + i, patches[i].triangleFirst + k, picks );
	}
}

// @return how many; each is listed once
static int PickPoints( const gelColliderSearch* s, const gelCellMotion* cell, gelColliderPoint out[4] )
{
	gelColliderPicks picks = { .score = { 0.0f, 0.0f, 0.0f, 0.0f } };
	OfferVertices( s, cell, &picks );
	OfferTriangles( s, cell, &picks );
	int count = 0;
	for ( int k = 0; k < 4; ++k )
	{
		bool isNew = picks.score[k] > 0.0f;
		for ( int j = 0; j < count; ++j )
			isNew = isNew && out[j].feature != picks.best[k].feature;
		if ( isNew ) out[count++] = picks.best[k];
	}
	return count;
}

gelVec3 gelColliderMotion_GetMove( const gelColliderMotion* motion, const double origin[3], gelVec3 place )
{
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
// -depth - n . D. What starts outside may come to the surface; what starts inside must not get deeper, and is
// pushed out by positions alone (contact_push.c).
static gelContactItem MakeItem(
	const gelColliderSearch* s, const gelCellMotion* cell, const gelColliderPoint* point )
{
	gelContactItem item = { .a = { .body = s->body },
		.normal = gelMulMV( s->collider->end.rotation, point->normal ),
		.b = { .move = gelColliderMotion_GetMove(
				   s->collider, s->body->origin, GetStartPlace( s, point->place ) ) },
		.cellA = (uint32_t)( cell->cell - s->body->asset->pack.cells ),
		.collider1 = s->collider->index + 1,
		.feature = point->feature };
	gelVec3 move = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = item.a.node[k] = cell->cell->node[k];
		item.a.w[k] = point->w[k];
		move = gelMulAdd( move, point->w[k], gelSub( s->x[node], s->xOld[node] ) );
	}
	float gap = -point->depth - gelDot( item.normal, gelSub( move, item.b.move ) );
	item.depth = fmaxf( -gap, 0.0f );
	item.floor = -fmaxf( gap, 0.0f );
	const float friction[2] = { s->collider->staticFriction, s->collider->dynamicFriction };
	item.force.mu = gelGetContactFriction( &item, friction, s->h );
	return item;
}

static gelColliderSearch MakeSearch(
	gelBody* body, const gelVec3* xOld, const gelColliderMotion* collider, float h )
{
	GEL_ASSERT( h >= 0.0f );
	return ( gelColliderSearch ){ body, xOld, body->x, collider,
		ToBodySpace( body, collider->start.position ), ToBodySpace( body, collider->end.position ),
		gelShape_GetExtents( &collider->shape ), h, gelGetVoteDepth( body, &collider->shape ), NULL };
}

// NULL: it only counts, or not even that.
static gelContactItem* List(
	gelItemList* list, const gelColliderSearch* s, const gelCellMotion* cell, const gelColliderPoint* point )
{
	gelContactItem* item = gelItemList_Add( list, point->depth );
	if ( item ) *item = MakeItem( s, cell, point );
	return item;
}

// Points where the body and the shape touch. @return how deep
static float FindTouching( const gelColliderSearch* s, gelItemList* list )
{
	float deepest = 0.0f;
	uint32_t cellCount = s->body->asset->pack.header->cdgTetCount;
	for ( uint32_t index = 0; index < cellCount; ++index )
	{
		gelCellMotion cell;
		if ( !EnterCell( s, index, &cell ) ) continue;
		gelColliderPoint picked[4];
		int pickedCount = PickPoints( s, &cell, picked );
		for ( int k = 0; k < pickedCount; ++k )
		{
			deepest = gelMaxFloat( picked[k].depth, deepest );
			List( list, s, &cell, picked + k );
		}
	}
	return deepest;
}

// Points all over the body, to be moved out along one way: as if the shape were a half-space.
static void FindMoved( const gelColliderSearch* s, const gelExit* way, gelItemList* list )
{
	const gelPackView* pack = &s->body->asset->pack;
	uint32_t cellCount = pack->header->cdgTetCount;
	uint32_t step = ( cellCount + GEL_MAX_MOVED_CELLS - 1 ) / GEL_MAX_MOVED_CELLS;
	for ( uint32_t index = 0; index < cellCount; index += step )
	{
		gelCellMotion cell;
		EnterCell( s, index, &cell );
		gelColliderPoint point = { .normal = way->direction,
			.feature = pack->patches[cell.cell->patchFirst].vertexFirst };
		gelCdg_GetWeights( &pack->cdg, (uint32_t)point.feature, point.w );
		point.place = Mix( cell.start, point.w );
		if ( gelDot( way->direction, point.place ) >= way->reach ) continue;
		point.depth = way->reach - gelDot( way->direction, Mix( cell.end, point.w ) );
		gelContactItem* item = List( list, s, &cell, &point );
		if ( item ) item->force.mu = 0.0f; // it is not touched there
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

void gelFindColliderContacts(
	gelBody* body, const gelColliderMotion* collider, float h, const gelVec3* floor, gelItemList* list )
{
	GEL_ASSERT( h > 0.0f && list != NULL );
	gelColliderSearch search = MakeSearch( body, body->xOld, collider, h );
	int count = list->count;
	float deepest = FindTouching( &search, list );
	if ( collider->shape.isHalfSpace ) return;
	gelExitVotes votes = { 0 };
	if ( deepest > 0.5f * search.voteDepth ) votes = AskTriangles( &search ); // few are so deep
	if ( !gelExitVotes_Differ( &votes ) && !IsShapeInBody( &search ) ) return;
	list->count = count; // not by ways of their own
	gelExit way;
	if ( gelExitVotes_FindWay( &votes, &collider->shape, &way ) )
	{
		search.way = &way;
		FindTouching( &search, list );
		return;
	}
	way = gelFindExit(
		body, body->xOld, &collider->shape, &collider->start.rotation, search.startCenter, floor );
	FindMoved( &search, &way, list );
}

bool gelTouchesShape( gelBody* body, const gelColliderMotion* collider )
{
	gelColliderSearch search = MakeSearch( body, body->x, collider, 1.0f );
	bool touches = false;
	for ( uint32_t index = 0; index < body->asset->pack.header->cdgTetCount && !touches; ++index )
	{
		gelCellMotion cell;
		gelColliderPoint picked[4];
		touches = EnterCell( &search, index, &cell ) && PickPoints( &search, &cell, picked ) > 0;
	}
	return touches;
}
