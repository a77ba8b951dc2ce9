// SPDX-License-Identifier: MIT
#include "contact/shapes/collider_near.h"

// Planes that are tried between a body and a shape.
#define GEL_APART_PLANES 4

// Rounding of places, in sizes of the body.
#define GEL_NEAR_MARGIN 1.0e-5f

static gelVec3 ToShape( const gelMat3* r, gelVec3 a )
{
	return gelMakeVec3( gelDot( r->cx, a ), gelDot( r->cy, a ), gelDot( r->cz, a ) );
}

static gelVec3 GetCenter( const gelBody* body, const gelColliderPose* pose )
{
	return gelMakeVec3( (float)( pose->position[0] - body->origin[0] ),
		(float)( pose->position[1] - body->origin[1] ), (float)( pose->position[2] - body->origin[2] ) );
}

// ---- sides of boxes --------------------------------------------------------------------------------------

// A box of the body's space in that of a pose.
static gelAabb TurnBox( const gelAabb* box, const gelColliderPose* pose, gelVec3 center )
{
	const gelMat3* r = &pose->rotation;
	gelVec3 half = gelScale( 0.5f, gelSub( box->max, box->min ) );
	gelVec3 middle = ToShape( r, gelSub( gelScale( 0.5f, gelAdd( box->min, box->max ) ), center ) );
	gelMat3 size = { { fabsf( r->cx.x ), fabsf( r->cx.y ), fabsf( r->cx.z ) },
		{ fabsf( r->cy.x ), fabsf( r->cy.y ), fabsf( r->cy.z ) },
		{ fabsf( r->cz.x ), fabsf( r->cz.y ), fabsf( r->cz.z ) } };
	half = ToShape( &size, half );
	return ( gelAabb ){ gelSub( middle, half ), gelAdd( middle, half ) };
}

// How far a span along an axis reaches to the edge of the core.
static float GetRoom( float low, float high, float core )
{
	return core - gelMaxFloat( -low, high );
}

// Whether what is in the span `high side up` of an axis is over the upper side and leaves by it alone.
static bool IsOver( float low, float core, float radius, float room, float margin )
{
	float depth = gelMaxFloat( core - low, 0.0f ) + radius + margin; // from the upper end of the core on
	return low > margin && room > depth && core + low > depth;
}

static gelColliderPose GetSidePose( const gelColliderPose* pose, int axis, float sign, float reach )
{
	const gelVec3 axes[3] = { pose->rotation.cx, pose->rotation.cy, pose->rotation.cz };
	gelColliderPose side = *pose;
	side.rotation.cy = gelScale( sign, axes[axis] );
	side.rotation.cx = axes[( axis + 1 ) % 3];
	side.rotation.cz = gelCross( side.rotation.cx, side.rotation.cy );
	side.position[0] += (double)( reach * side.rotation.cy.x );
	side.position[1] += (double)( reach * side.rotation.cy.y );
	side.position[2] += (double)( reach * side.rotation.cy.z );
	return side;
}

bool gelFindColliderSide(
	const gelBody* body, const gelAabb* swept, const gelColliderMotion* collider, gelColliderMotion* out )
{
	const gelShape* shape = &collider->shape;
	if ( shape->isHalfSpace ) return false;
	gelAabb box = TurnBox( swept, &collider->start, GetCenter( body, &collider->start ) );
	if ( !collider->isStill )
	{
		gelAabb end = TurnBox( swept, &collider->end, GetCenter( body, &collider->end ) );
		box = ( gelAabb ){ gelMinVec3( box.min, end.min ), gelMaxVec3( box.max, end.max ) };
	}
	const float low[3] = { box.min.x, box.min.y, box.min.z }, high[3] = { box.max.x, box.max.y, box.max.z };
	const float core[3] = { shape->core.x, shape->core.y, shape->core.z };
	float margin = GEL_NEAR_MARGIN * ( body->asset->restSize + core[0] + core[1] + core[2] );
	for ( int axis = 0; axis < 3; ++axis )
	{
		int b = ( axis + 1 ) % 3, c = ( axis + 2 ) % 3;
		float room = gelMinFloat( GetRoom( low[b], high[b], core[b] ), GetRoom( low[c], high[c], core[c] ) );
		bool isAbove = IsOver( low[axis], core[axis], shape->radius, room, margin );
		if ( !isAbove && !IsOver( -high[axis], core[axis], shape->radius, room, margin ) ) continue;
		float sign = isAbove ? 1.0f : -1.0f, reach = core[axis] + shape->radius;
		*out = *collider;
		out->shape = ( gelShape ){ .isHalfSpace = true };
		out->start = GetSidePose( &collider->start, axis, sign, reach );
		out->end = GetSidePose( &collider->end, axis, sign, reach );
		return true;
	}
	return false;
}

// ---- planes between --------------------------------------------------------------------------------------

// The node that is lowest along a direction of the shape's space, at the start or at the end of the step.
// @return where it is in that space
static gelVec3 FindLowest( const gelBody* body, const gelColliderMotion* collider, gelVec3 startCenter,
	gelVec3 endCenter, gelVec3 direction )
{
	const gelMat3 *r0 = &collider->start.rotation, *r1 = &collider->end.rotation;
	gelVec3 n0 = gelMulMV( *r0, direction ), n1 = gelMulMV( *r1, direction );
	float offset = gelDot( n1, endCenter ) - gelDot( n0, startCenter ), lowest = INFINITY;
	int node = 0;
	bool isEnd = false;
	for ( int i = 0; i < body->asset->nodeCount; ++i )
	{
		float start = gelDot( n0, body->xOld[i] ), end = gelDot( n1, body->x[i] ) - offset;
		float low = gelMinFloat( start, end );
		if ( !( low < lowest ) ) continue;
		lowest = low;
		node = i;
		isEnd = end < start;
	}
	return isEnd ? ToShape( r1, gelSub( body->x[node], endCenter ) )
				 : ToShape( r0, gelSub( body->xOld[node], startCenter ) );
}

static gelVec3 FindNearest( const gelShape* shape, gelVec3 p )
{
	return gelMaxVec3( gelNeg( shape->core ), gelMinVec3( shape->core, p ) );
}

bool gelIsColliderApart(
	const gelBody* body, const gelColliderMotion* collider, gelVec3 startCenter, gelVec3 endCenter )
{
	GEL_ASSERT( !collider->shape.isHalfSpace );
	const gelAabb* box = &body->box;
	gelVec3 middle = gelScale( 0.5f, gelAdd( box->min, box->max ) );
	middle = ToShape( &collider->start.rotation, gelSub( middle, startCenter ) );
	gelVec3 away = gelSub( middle, FindNearest( &collider->shape, middle ) );
	for ( int k = 0; k < GEL_APART_PLANES; ++k )
	{
		float length = gelLength( away );
		if ( !( length > 0.0f ) ) return false;
		gelVec3 n = gelScale( 1.0f / length, away );
		gelVec3 p = FindLowest( body, collider, startCenter, endCenter, n );
		float margin = GEL_NEAR_MARGIN * ( body->asset->restSize + gelLength( p ) );
		if ( gelDot( n, p ) > gelShape_GetReach( &collider->shape, n ) + margin ) return true;
		gelVec3 gap = gelSub( p, FindNearest( &collider->shape, p ) );
		float gapLength = gelLength( gap );
		if ( !( gapLength > 0.0f ) ) return false;
		// between the plane before and the one that the lowest node asks for
		away = gelMulAdd( n, 1.0f / gapLength, gap );
	}
	return false;
}
