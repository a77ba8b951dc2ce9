// SPDX-License-Identifier: MIT
// Shapes of colliders as lines: round ones by circles, surfaces by their triangles.
#include "draw/draw_parts.h"

#include "contact/shapes/collider_set.h"
#include "query/surface_query.h"

#include <math.h>

#define GEL_COLLIDER_COLOR  0x6B7885u
#define GEL_CIRCLE_SEGMENTS 24
#define GEL_PLANE_LINES     10   // on each side of the middle
#define GEL_PLANE_SPACING   1.0f // [m]

typedef struct Pen
{
	const gelDebugDraw* draw;
	gelTransform transform; // place of the collider
} Pen;

static void DrawLine( const Pen* pen, gelVec3 from, gelVec3 to )
{
	gelDraw_Segment( pen->draw, gelTransformPoint( pen->transform, from ),
		gelTransformPoint( pen->transform, to ), GEL_COLLIDER_COLOR );
}

// A circle around `center` in the plane of two axes of a length.
static void DrawCircle( const Pen* pen, gelVec3 center, gelVec3 a, gelVec3 b )
{
	gelVec3 last = gelAdd( center, a );
	for ( int i = 1; i <= GEL_CIRCLE_SEGMENTS; ++i )
	{
		float angle = 6.28318531f * (float)i / GEL_CIRCLE_SEGMENTS;
		gelVec3 next = gelMulAdd( gelMulAdd( center, cosf( angle ), a ), sinf( angle ), b );
		DrawLine( pen, last, next );
		last = next;
	}
}

static void DrawBall( const Pen* pen, gelVec3 center, float radius )
{
	const gelVec3 axes[3] = { { radius, 0.0f, 0.0f }, { 0.0f, radius, 0.0f }, { 0.0f, 0.0f, radius } };
	for ( int k = 0; k < 3; ++k )
		DrawCircle( pen, center, axes[k], axes[( k + 1 ) % 3] );
}

static void DrawCapsule( const Pen* pen, float halfLength, float radius )
{
	gelVec3 top = { 0.0f, halfLength, 0.0f }, bottom = { 0.0f, -halfLength, 0.0f };
	DrawBall( pen, top, radius );
	DrawBall( pen, bottom, radius );
	for ( int k = 0; k < 4; ++k )
	{
		float sign = k < 2 ? radius : -radius;
		gelVec3 side = { k & 1 ? sign : 0.0f, 0.0f, k & 1 ? 0.0f : sign };
		DrawLine( pen, gelAdd( bottom, side ), gelAdd( top, side ) );
	}
}

// With a radius: the core, and the same box around all.
static void DrawBoxShape( const Pen* pen, gelVec3 half )
{
	for ( int k = 0; k < 8; ++k )
	{
		gelVec3 corner = { k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z };
		if ( !( k & 1 ) ) DrawLine( pen, corner, gelMakeVec3( half.x, corner.y, corner.z ) );
		if ( !( k & 2 ) ) DrawLine( pen, corner, gelMakeVec3( corner.x, half.y, corner.z ) );
		if ( !( k & 4 ) ) DrawLine( pen, corner, gelMakeVec3( corner.x, corner.y, half.z ) );
	}
}

// A piece of the plane around the collider, and its normal.
static void DrawPlane( const Pen* pen )
{
	float reach = GEL_PLANE_LINES * GEL_PLANE_SPACING;
	for ( int i = -GEL_PLANE_LINES; i <= GEL_PLANE_LINES; ++i )
	{
		float at = GEL_PLANE_SPACING * (float)i;
		DrawLine( pen, gelMakeVec3( at, 0.0f, -reach ), gelMakeVec3( at, 0.0f, reach ) );
		DrawLine( pen, gelMakeVec3( -reach, 0.0f, at ), gelMakeVec3( reach, 0.0f, at ) );
	}
	DrawLine( pen, gelMakeVec3( 0.0f, 0.0f, 0.0f ), gelMakeVec3( 0.0f, GEL_PLANE_SPACING, 0.0f ) );
}

static void DrawSurfaceShape( const Pen* pen, const gelAsset* asset )
{
	const gelPackView* pack = &asset->pack;
	for ( uint32_t i = 0; pen->draw->drawTriangle && i < pack->header->cdgPatchCount; ++i )
	{
		const gelPackPatch* patch = pack->patches + i;
		const gelPackCell* cell = pack->cells + patch->cell;
		gelVec3 x[4];
		for ( int k = 0; k < 4; ++k )
			x[k] = gelGetRestNode( pack->nodes, cell->node[k] );
		for ( uint32_t t = patch->triangleFirst; t < patch->triangleFirst + patch->triangleCount; ++t )
		{
			uint32_t slots[3];
			gelVec3 corners[3];
			gelCdg_GetCorners( &pack->cdg, patch, t, slots );
			for ( int k = 0; k < 3; ++k )
				corners[k] = gelTransformPoint( pen->transform, gelDeformVertex( &pack->cdg, slots[k], x ) );
			pen->draw->drawTriangle( corners, GEL_COLLIDER_COLOR, pen->draw->context );
		}
	}
}

void gelDraw_Colliders( const gelDebugDraw* draw, const struct gelWorld* world )
{
	for ( int i = 0; i < world->colliderCount; ++i )
	{
		const gelCollider* collider = world->colliders + i;
		const gelColliderDef* def = &collider->def;
		Pen pen = { draw, def->transform };
		if ( !collider->isUsed ) continue;
		gelVec3 round = { def->radius, def->radius, def->radius };
		switch ( def->shape )
		{
			case gel_shapePlane:
				DrawPlane( &pen );
				break;
			case gel_shapeSphere:
				DrawBall( &pen, gelMakeVec3( 0.0f, 0.0f, 0.0f ), def->radius );
				break;
			case gel_shapeCapsule:
				DrawCapsule( &pen, def->halfLength, def->radius );
				break;
			case gel_shapeBox:
				DrawBoxShape( &pen, gelAdd( def->halfExtents, round ) );
				break;
			case gel_shapeSurface:
				DrawSurfaceShape( &pen, def->asset );
				break;
		}
	}
}
