// SPDX-License-Identifier: MIT
// Ellipsoids against surfaces: those of bodies with tets, and baked ones that stand as colliders. A ellipsoid
// has one contact with a surface, at the point that is nearest to its center when the ellipsoid is scaled to
// a unit sphere. There the normal of a triangle, of an edge or of a corner is the gradient of the ellipsoid.
#include "contact/particles/particle_contact.h"
#include "state/coarse_tree.h"
#include "contact/shapes/collider_set.h"
#include "query/surface_query.h"
#include "state/world.h"

// How far around a center triangles are looked for, in radii. A center that is behind the surface by more is
// not found any more: nothing is as fast as that in a sub-step.
#define GEL_SEARCH_RADII 2.0f

// Distances that differ by less than this part are those of one edge or corner. The triangle that faces the
// center most then says which side is outside.
#define GEL_SAME_DISTANCE 1.0e-4f

// Every level leaves at most seven children behind; a patch of 2^29 triangles has 30 levels.
#define GEL_ELLIPSOID_TREE_STACK  ( 7 * GEL_CDG_MAX_DEPTH + 8 )
#define GEL_ELLIPSOID_PATCH_STACK 32

// A surface that ellipsoids can touch.
typedef struct gelEllipsoidSurface
{
	const gelPackView* pack;
	const gelCoarseNode* tree;
	int treeCount;
	const gelVec3* nodes;
	const gelCoarseBoxes* boxes;
	const double* origin;
	gelBody* body; // NULL: of a collider
	const gelCollider* collider;
	uint32_t category, mask;
} gelEllipsoidSurface;

// One ellipsoid and what has been found around it.
typedef struct gelNearest
{
	const gelEllipsoidSurface* surface;
	gelVec3 center;    // middle of the ellipsoid, in the space of the surface [m]
	gelVec3 low, high; // box that is searched
	gelVec3 rows[3];   // upper triangle U with U^T U = shape^-1: U ( p - center ) is 1 long on the ellipsoid
	gelVec3 x[4];      // corners of the cell
	float best2;       // scaled distance, squared
	float facing;      // how much the triangle faces the center, signed by the side
	gelVec3 point;     // [m]
	float weight[4];
	uint32_t cell, triangle;
} gelNearest;

// ---- closest point ---------------------------------------------------------------------------------------

// Point of a triangle nearest to the origin as weights of corners, by regions (Ericson 2005, section 5.1.5).
static void FindClosest( const gelVec3 p[3], float w[3] )
{
	gelVec3 ab = gelSub( p[1], p[0] ), ac = gelSub( p[2], p[0] );
	float d1 = -gelDot( ab, p[0] ), d2 = -gelDot( ac, p[0] );
	float d3 = -gelDot( ab, p[1] ), d4 = -gelDot( ac, p[1] );
	float d5 = -gelDot( ab, p[2] ), d6 = -gelDot( ac, p[2] );
	float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
	float v = 0.0f, u = 0.0f; // weights of corners 1 and 2
	if ( d1 <= 0.0f && d2 <= 0.0f )
		v = u = 0.0f;
	else if ( d3 >= 0.0f && d4 <= d3 )
		v = 1.0f;
	else if ( d6 >= 0.0f && d5 <= d6 )
		u = 1.0f;
	else if ( vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f )
		v = d1 / ( d1 - d3 );
	else if ( vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f )
		u = d2 / ( d2 - d6 );
	else if ( va <= 0.0f && d4 >= d3 && d5 >= d6 )
	{
		u = ( d4 - d3 ) / ( ( d4 - d3 ) + ( d5 - d6 ) );
		v = 1.0f - u;
	}
	else
	{
		float inv = 1.0f / ( va + vb + vc );
		v = vb * inv;
		u = vc * inv;
	}
	w[0] = 1.0f - v - u;
	w[1] = v;
	w[2] = u;
}

static gelVec3 Scale( const gelNearest* s, gelVec3 p )
{
	gelVec3 d = gelSub( p, s->center );
	return ( gelVec3 ){ gelDot( s->rows[0], d ), gelDot( s->rows[1], d ), gelDot( s->rows[2], d ) };
}

static void TryTriangle( gelNearest* s, const gelPackPatch* patch, uint32_t triangle )
{
	const gelCdgView* cdg = &s->surface->pack->cdg;
	uint32_t slots[3];
	gelVec3 p[3], q[3];
	float w[3];
	gelCdg_GetCorners( cdg, patch, triangle, slots );
	for ( int k = 0; k < 3; ++k )
	{
		p[k] = gelDeformVertex( cdg, slots[k], s->x );
		q[k] = Scale( s, p[k] );
	}
	FindClosest( q, w );
	gelVec3 at = gelMulAdd( gelMulAdd( gelScale( w[0], q[0] ), w[1], q[1] ), w[2], q[2] );
	gelVec3 normal = gelCross( gelSub( q[1], q[0] ), gelSub( q[2], q[0] ) );
	float area = gelLength( normal ), distance2 = gelLengthSquared( at );
	if ( !( area > 0.0f ) ) return;              // also NaN
	float facing = -gelDot( normal, at ) / area; // scaling keeps which side is which
	bool isSame = fabsf( distance2 - s->best2 ) <= GEL_SAME_DISTANCE * s->best2;
	if ( isSame ? !( fabsf( facing ) > fabsf( s->facing ) ) : !( distance2 < s->best2 ) ) return;
	s->best2 = gelMinFloat( distance2, s->best2 );
	s->facing = facing;
	s->point = gelMulAdd( gelMulAdd( gelScale( w[0], p[0] ), w[1], p[1] ), w[2], p[2] );
	s->triangle = triangle;
	s->cell = patch->cell;
	float corner[3][4];
	for ( int k = 0; k < 3; ++k )
		gelCdg_GetWeights( cdg, slots[k], corner[k] );
	for ( int k = 0; k < 4; ++k )
		s->weight[k] = w[0] * corner[0][k] + w[1] * corner[1][k] + w[2] * corner[2][k];
}

// ---- search ----------------------------------------------------------------------------------------------

// Whether triangles with weights in these intervals may be in the box that is searched: bounds along the axes
// with the first corner as pivot (cell_bounds.h), which rounding widens.
static bool MayBeNear( const gelNearest* s, uint64_t bounds )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		float pivot = ( &s->x[0].x )[axis], low = pivot, high = pivot, size = fabsf( pivot );
		for ( int k = 1; k < 4; ++k )
		{
			float d = ( &s->x[k].x )[axis] - pivot;
			float a = d * gelCdg_Low( bounds, k ), b = d * gelCdg_High( bounds, k );
			low += a < b ? a : b;
			high += a < b ? b : a;
			size += fabsf( d );
		}
		float slack = GEL_BOUND_SLACK * size;
		if ( low - slack > ( &s->high.x )[axis] || high + slack < ( &s->low.x )[axis] ) return false;
	}
	return true;
}

static void TryPatch( gelNearest* s, const gelPackPatch* patch )
{
	gelCdgRange stack[GEL_ELLIPSOID_PATCH_STACK];
	int depth = 0;
	stack[depth++] = ( gelCdgRange ){ patch->triangleFirst, patch->triangleFirst + patch->triangleCount };
	while ( depth > 0 )
	{
		gelCdgRange range = stack[--depth], half[2];
		if ( !MayBeNear( s, gelCdg_GetBounds( &s->surface->pack->cdg, range.first ) ) ) continue;
		TryTriangle( s, patch, range.first );
		gelCdgRange_Split( range, half, half + 1 );
		for ( int i = 0; i < 2; ++i )
		{
			if ( half[i].first < half[i].end ) stack[depth++] = half[i];
		}
	}
}

static void TryCell( gelNearest* s, uint32_t index )
{
	const gelPackCell* cell = s->surface->pack->cells + index;
	gelGetCellNodes( s->surface->nodes, cell, s->x );
	for ( uint32_t p = cell->patchFirst; p < cell->patchFirst + cell->patchCount; ++p )
		TryPatch( s, s->surface->pack->patches + p );
}

static bool IsNearLane( const gelNearest* s, const gelCoarseBoxes* boxes, int lane )
{
	return boxes->low[0][lane] <= s->high.x && boxes->high[0][lane] >= s->low.x &&
		boxes->low[1][lane] <= s->high.y && boxes->high[1][lane] >= s->low.y &&
		boxes->low[2][lane] <= s->high.z && boxes->high[2][lane] >= s->low.z;
}

static void Search( gelNearest* s )
{
	const gelEllipsoidSurface* surface = s->surface;
	uint32_t stack[GEL_ELLIPSOID_TREE_STACK];
	int depth = 0;
	stack[depth++] = (uint32_t)surface->treeCount - 1;
	while ( depth > 0 )
	{
		uint32_t child = stack[--depth];
		if ( gelIsCell( child ) )
		{
			TryCell( s, child & ~GEL_COARSE_CELL );
			continue;
		}
		const gelCoarseNode* node = surface->tree + child;
		for ( int lane = 0; lane < GEL_COARSE_LANES && node->child[lane] != GEL_CDG_NIL; ++lane )
		{
			if ( IsNearLane( s, surface->boxes + child, lane ) ) stack[depth++] = node->child[lane];
		}
	}
}

// Rows of U from the shape: its inverse, then Cholesky. False: the ellipsoid is flat.
static bool SetMetric( gelNearest* s, gelSym3 S )
{
	float cxx = S.yy * S.zz - S.yz * S.yz, cxy = S.xz * S.yz - S.xy * S.zz, cxz = S.xy * S.yz - S.xz * S.yy;
	float det = S.xx * cxx + S.xy * cxy + S.xz * cxz;
	if ( !( det > 0.0f ) ) return false;
	float inv = 1.0f / det;
	float xx = inv * cxx, xy = inv * cxy, xz = inv * cxz;
	float yy = inv * ( S.xx * S.zz - S.xz * S.xz ), yz = inv * ( S.xy * S.xz - S.xx * S.yz );
	float zz = inv * ( S.xx * S.yy - S.xy * S.xy );
	float a = sqrtf( xx ), b = xy / a, c = xz / a;
	float d = sqrtf( gelMaxFloat( yy - b * b, 0.0f ) ), e = ( yz - b * c ) / d;
	float f = sqrtf( gelMaxFloat( zz - c * c - e * e, 0.0f ) );
	s->rows[0] = gelMakeVec3( a, b, c );
	s->rows[1] = gelMakeVec3( 0.0f, d, e );
	s->rows[2] = gelMakeVec3( 0.0f, 0.0f, f );
	return a > 0.0f && d > 0.0f && f > 0.0f && a < INFINITY && d < INFINITY && f < INFINITY;
}

// ---- contacts --------------------------------------------------------------------------------------------

// Gradient of the ellipsoid at the point, U^T U ( center - point ), turned outwards.
static bool GetNormal( const gelNearest* s, gelVec3* outNormal )
{
	gelVec3 q = Scale( s, s->point );
	gelVec3 n = gelMulAdd( gelMulAdd( gelScale( q.x, s->rows[0] ), q.y, s->rows[1] ), q.z, s->rows[2] );
	float length = gelLength( n );
	if ( !( length > 0.0f && length < INFINITY ) ) return false;
	*outNormal = gelScale( ( s->facing < 0.0f ? 1.0f : -1.0f ) / length, n );
	return true;
}

static void SetSurfaceSide( const gelEllipsoidSurface* surface, const gelNearest* s, const float frictionA[2],
	float h, gelEllipsoidContact* contact )
{
	GEL_ASSERT( h > 0.0f );
	float frictionB[2];
	contact->featureB = s->triangle;
	contact->cellB = s->cell;
	if ( surface->body )
	{
		const gelPackMaterial* material = gelGetCellMaterial( surface->pack, s->cell );
		bool isGiven = surface->body->contact->friction >= 0.0f;
		frictionB[0] = isGiven ? surface->body->contact->friction : material->staticFriction;
		frictionB[1] = isGiven ? surface->body->contact->friction : material->dynamicFriction;
		contact->body = surface->body;
		for ( int k = 0; k < 4; ++k )
		{
			contact->node[k] = surface->pack->cells[s->cell].node[k];
			contact->weight[k] = s->weight[k];
		}
	}
	else
	{
		const gelColliderMotion* motion = &surface->collider->motion;
		frictionB[0] = motion->staticFriction;
		frictionB[1] = motion->dynamicFriction;
		contact->collider1 = motion->index + 1;
		contact->velocityB =
			gelScale( 1.0f / h, gelColliderMotion_GetMove( motion, surface->origin, s->point ) );
	}
	contact->friction[0] = 0.5f * ( frictionA[0] + frictionB[0] );
	contact->friction[1] = gelMinFloat( contact->friction[0], 0.5f * ( frictionA[1] + frictionB[1] ) );
}

static void TestEllipsoid( gelEllipsoidStep* step, const gelEllipsoidSurface* surface, int index, float h )
{
	GEL_ASSERT( index >= 0 && index < step->ellipsoidCount && h > 0.0f );
	const gelEllipsoid* ellipsoid = step->ellipsoids + index;
	const gelEllipsoidBody* owner = step->bodies + ellipsoid->owner;
	const double *o = owner->body->origin, *to = surface->origin;
	gelVec3 shift = { (float)( o[0] - to[0] ), (float)( o[1] - to[1] ), (float)( o[2] - to[2] ) };
	gelSym3 S = gelEllipsoidStep_GetShape( step, index );
	gelNearest s = { .surface = surface, .center = gelAdd( ellipsoid->x, shift ), .cell = GEL_CDG_NIL };
	gelVec3 half = gelScale( GEL_SEARCH_RADII,
		gelMakeVec3( sqrtf( gelMaxFloat( S.xx, 0.0f ) ), sqrtf( gelMaxFloat( S.yy, 0.0f ) ),
			sqrtf( gelMaxFloat( S.zz, 0.0f ) ) ) );
	s.low = gelSub( s.center, half );
	s.high = gelAdd( s.center, half );
	s.best2 = GEL_SEARCH_RADII * GEL_SEARCH_RADII;
	gelVec3 n;
	if ( !SetMetric( &s, S ) ) return;
	Search( &s );
	if ( s.cell == GEL_CDG_NIL || ( s.facing >= 0.0f && s.best2 >= 1.0f ) || !GetNormal( &s, &n ) ) return;
	gelVec3 point = gelMulSym3( S, n );
	float reach = sqrtf( gelMaxFloat( gelDot( n, point ), 1.0e-30f ) );
	float depth = reach - gelDot( n, gelSub( s.center, s.point ) );
	gelEllipsoidContact* contact = depth > 0.0f ? gelEllipsoidStep_Add( step, index ) : NULL;
	if ( contact == NULL ) return;
	contact->normal = n;
	contact->depth = depth;
	contact->armA = gelScale( -1.0f / reach, point );
	SetSurfaceSide( surface, &s, owner->friction, h, contact );
}

static bool BoxesMeet( const gelAabb* a, gelVec3 shift, const gelDop* b )
{
	return a->min.x + shift.x <= b->high[0] && a->max.x + shift.x >= b->low[0] &&
		a->min.y + shift.y <= b->high[1] && a->max.y + shift.y >= b->low[1] &&
		a->min.z + shift.z <= b->high[2] && a->max.z + shift.z >= b->low[2];
}

static void TestSurface(
	gelEllipsoidStep* step, const gelEllipsoidSurface* surface, const gelEllipsoidBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	const gelDop* around = &surface->boxes[surface->treeCount - 1].all;
	const double *o = body->body->origin, *to = surface->origin;
	gelVec3 shift = { (float)( o[0] - to[0] ), (float)( o[1] - to[1] ), (float)( o[2] - to[2] ) };
	if ( !gelBodyContact_FiltersAgree( body->touch, surface->category, surface->mask ) ) return;
	if ( !BoxesMeet( &body->box, shift, around ) ) return;
	for ( int k = body->ellipsoidFirst; k < body->ellipsoidFirst + body->ellipsoidCount; ++k )
	{
		const gelEllipsoid* ellipsoid = step->ellipsoids + k;
		gelVec3 r = { ellipsoid->reach, ellipsoid->reach, ellipsoid->reach };
		gelAabb box = { gelSub( ellipsoid->x, r ), gelAdd( ellipsoid->x, r ) };
		if ( BoxesMeet( &box, shift, around ) ) TestEllipsoid( step, surface, k, h );
	}
}

static gelEllipsoidSurface MakeBodySurface( gelBody* body )
{
	const gelAsset* asset = body->asset;
	return ( gelEllipsoidSurface ){ &asset->pack, asset->coarse, asset->coarseCount, body->x, body->coarse,
		body->origin, body, NULL, body->contact->category, body->contact->mask };
}

static gelEllipsoidSurface MakeColliderSurface( const gelCollider* collider )
{
	const gelColliderSurface* s = collider->surface;
	return ( gelEllipsoidSurface ){ &s->asset->pack, s->asset->coarse, s->asset->coarseCount, s->nodes,
		s->boxes, s->origin, NULL, collider, collider->def.category, collider->def.mask };
}

void gelFindEllipsoidSurfaces(
	struct gelWorld* world, const gelEllipsoidBody* body, const gelEllipsoidRound* round )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	for ( int i = 0; i < world->liveCount; ++i )
	{
		gelBody* other = world->live[i];
		if ( gelGetParticles( other ) || other->contact == NULL || !other->contact->isEnabled ) continue;
		if ( !gelBody_NeedCoarse( other ) ) continue;
		gelEllipsoidSurface surface = MakeBodySurface( other );
		TestSurface( step, &surface, body, round->h );
	}
	for ( int k = 0; k < world->colliderCount; ++k )
	{
		const gelCollider* collider = world->colliders + k;
		if ( !collider->isUsed || collider->surface == NULL ) continue;
		gelEllipsoidSurface surface = MakeColliderSurface( collider );
		TestSurface( step, &surface, body, round->h );
	}
}
