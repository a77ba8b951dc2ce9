// SPDX-License-Identifier: MIT
#include "collider_contacts.h"

#include "ground.h"

// What the loops over cells share.
typedef struct gelColliderSearch
{
	gelBody* body;
	const gelVec3* x; // candidate positions
	const gelColliderMotion* collider;
	gelVec3 startCenter, endCenter; // of the collider, in body space [m]
	gelVec3 extents;                // of the shape
	float h;
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
	out->cell = s->body->asset->pack.cells + index;
	gelVec3 low = { INFINITY, INFINITY, INFINITY }, high = gelNeg( low );
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = out->cell->node[k];
		out->start[k] = ToCollider( &s->collider->start.rotation, s->startCenter, s->body->xOld[node] );
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
	point->depth = gelDot( point->normal, gelSub( point->place, end ) ) - height;
	return point->depth > 0.0f;
}

// For each corner of the cell the vertex where depth times weight is largest.
static int PickVertices( const gelColliderSearch* s, const gelCellMotion* cell, gelColliderPoint out[4] )
{
	gelColliderPoint best[4];
	float score[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
	// vertices of a patch stand behind those of the patch before, and the padding between repeats one
	const gelPackView* pack = &s->body->asset->pack;
	const gelPackPatch* front = pack->patches + cell->cell->patchFirst;
	const gelPackPatch* back = front + cell->cell->patchCount - 1;
	for ( uint32_t slot = front->vertexFirst; slot < back->vertexFirst + back->vertexCount; ++slot )
	{
		gelColliderPoint point = { .feature = slot };
		gelCdg_GetWeights( &pack->cdg, slot, point.w );
		if ( !TestPoint( s, cell, &point ) ) continue;
		for ( int k = 0; k < 4; ++k )
		{
			if ( !( point.depth * point.w[k] > score[k] ) ) continue;
			score[k] = point.depth * point.w[k];
			best[k] = point;
		}
	}
	int count = 0;
	for ( int k = 0; k < 4; ++k )
	{
		bool isNew = score[k] > 0.0f;
		for ( int j = 0; j < count; ++j )
			isNew = isNew && out[j].feature != best[k].feature;
		if ( isNew ) out[count++] = best[k];
	}
	return count;
}

// Weights in the cell of the point of a triangle that is deepest in the shape. False: none is inside.
static bool WeighTriangle(
	const gelColliderSearch* s, const gelCellMotion* cell, const uint32_t slots[3], float w[4] )
{
	float corner[3][4], t[3];
	gelVec3 p[3];
	for ( int k = 0; k < 3; ++k )
	{
		gelCdg_GetWeights( &s->body->asset->pack.cdg, slots[k], corner[k] );
		p[k] = Mix( cell->end, corner[k] );
	}
	if ( !gelShape_FindDeepest( &s->collider->shape, p, t ) ) return false;
	for ( int k = 0; k < 4; ++k )
		w[k] = t[0] * corner[0][k] + t[1] * corner[1][k] + t[2] * corner[2][k];
	return true;
}

// The deepest point of the triangles of a cell, none of whose vertices is inside.
static int PickTriangle( const gelColliderSearch* s, const gelCellMotion* motion, gelColliderPoint* out )
{
	const gelPackView* pack = &s->body->asset->pack;
	if ( s->collider->shape.isHalfSpace ) return 0;
	const gelPackCell* cell = motion->cell;
	float deepest = 0.0f;
	for ( uint32_t patch = cell->patchFirst; patch < cell->patchFirst + cell->patchCount; ++patch )
	{
		const gelPackPatch* p = pack->patches + patch;
		for ( uint32_t i = p->triangleFirst; i < p->triangleFirst + p->triangleCount; ++i )
		{
			uint32_t slots[3];
			gelCdg_GetCorners( &pack->cdg, p, i, slots );
			gelColliderPoint point = { .feature = (uint64_t)1 << 32 | i };
			if ( !WeighTriangle( s, motion, slots, point.w ) || !TestPoint( s, motion, &point ) ) continue;
			if ( !( point.depth > deepest ) ) continue;
			deepest = point.depth;
			*out = point;
		}
	}
	return deepest > 0.0f;
}

static float MixFriction( const gelColliderSearch* s, const gelContactItem* item )
{
	const gelColliderMotion* c = s->collider;
	const gelPackMaterial* material = gelGetCellMaterial( &s->body->asset->pack, item->cellA );
	float fixed = material->staticFriction, moving = material->dynamicFriction;
	if ( s->body->touch->friction >= 0.0f ) fixed = moving = s->body->touch->friction;
	fixed = 0.5f * ( c->staticFriction + fixed );
	moving = fminf( fixed, 0.5f * ( c->dynamicFriction + moving ) );
	gelVec3 slide = gelScale( -1.0f / s->h, item->b.move );
	for ( int k = 0; k < 4; ++k )
		slide = gelMulAdd( slide, item->a.w[k], s->body->v[item->a.node[k]] );
	slide = gelTangential( slide, item->normal );
	return gelLengthSquared( slide ) > GEL_STICK_SPEED * GEL_STICK_SPEED ? moving : fixed;
}

// How the point of the collider at `place` moves over the step, in body space.
static gelVec3 GetColliderMove( const gelColliderSearch* s, gelVec3 place )
{
	gelVec3 from = gelAdd( s->startCenter, gelMulMV( s->collider->start.rotation, place ) );
	gelVec3 to = gelAdd( s->endCenter, gelMulMV( s->collider->end.rotation, place ) );
	return gelSub( to, from );
}

// With D, the motion of the point against the collider, and the depth at its end, the gap at the start is
// -depth - n . D. What starts outside may come to the surface; what starts inside has to leave, not faster
// than a body should be thrown out of a place that the game has put it in.
static gelContactItem MakeItem(
	const gelColliderSearch* s, const gelCellMotion* cell, const gelColliderPoint* point )
{
	gelContactItem item = { .a = { .body = s->body },
		.normal = gelMulMV( s->collider->end.rotation, point->normal ),
		.b = { .move = GetColliderMove( s, point->place ) },
		.depth = point->depth,
		.cellA = (uint32_t)( cell->cell - s->body->asset->pack.cells ),
		.collider1 = s->collider->index + 1,
		.feature = point->feature };
	gelVec3 move = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = item.a.node[k] = cell->cell->node[k];
		item.a.w[k] = point->w[k];
		move = gelMulAdd( move, point->w[k], gelSub( s->x[node], s->body->xOld[node] ) );
	}
	float gap = -point->depth - gelDot( item.normal, gelSub( move, item.b.move ) );
	item.floor = gap >= 0.0f ? -gap : fminf( -gap, GEL_DEPENETRATION_SPEED * s->h );
	item.force.mu = MixFriction( s, &item );
	return item;
}

int gelFindColliderContacts(
	gelBody* body, const gelColliderMotion* collider, float h, gelContactItem* out, int capacity )
{
	gelColliderSearch search = { body, body->x, collider, ToBodySpace( body, collider->start.position ),
		ToBodySpace( body, collider->end.position ), gelShape_GetExtents( &collider->shape ), h };
	int count = 0;
	uint32_t cellCount = body->asset->pack.header->cdgTetCount;
	for ( uint32_t index = 0; index < cellCount; ++index )
	{
		gelCellMotion cell;
		if ( !EnterCell( &search, index, &cell ) ) continue;
		gelColliderPoint picked[4];
		int pickedCount = PickVertices( &search, &cell, picked );
		if ( pickedCount == 0 ) pickedCount = PickTriangle( &search, &cell, picked );
		for ( int k = 0; k < pickedCount; ++k, ++count )
		{
			if ( count < capacity ) out[count] = MakeItem( &search, &cell, picked + k );
		}
	}
	return count;
}
