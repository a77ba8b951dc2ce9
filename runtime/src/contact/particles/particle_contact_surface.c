// SPDX-License-Identifier: MIT
// Ellipsoids against surfaces: those of bodies with tets, and baked ones that stand as colliders. An
// ellipsoid has one contact with a surface, at the point that is nearest to its center when the ellipsoid is
// scaled to a unit sphere. There the normal of a triangle, of an edge or of a corner is the gradient of the
// ellipsoid.
#include "contact/detect/nearest_point.h"
#include "contact/particles/particle_contact.h"
#include "state/world.h"

// How far around a center triangles are looked for, in radii. A center that is behind the surface by more is
// not found any more: nothing is as fast as that in a sub-step.
#define GEL_SEARCH_RADII 2.0f

// A surface that ellipsoids can touch.
typedef struct gelEllipsoidSurface
{
	gelContactSurface surface;
	gelBody* body; // NULL: of a collider
	const gelCollider* collider;
	gelSurfacePieces pieces; // near to the body that looks for it
} gelEllipsoidSurface;

static void SetTetSide( gelEllipsoidContact* contact, gelBody* body, const gelNearestPoint* nearest )
{
	contact->body = body;
	contact->cellB = nearest->cell;
	for ( int k = 0; k < 4; ++k )
	{
		contact->node[k] = body->asset->pack.cells[nearest->cell].node[k];
		contact->weight[k] = nearest->weight[k];
	}
}

static void TestEllipsoid( gelEllipsoidStep* step, const gelEllipsoidSurface* other, int index, float h )
{
	GEL_ASSERT( index >= 0 && index < step->ellipsoidCount && h > 0.0f );
	const gelEllipsoid* ellipsoid = step->ellipsoids + index;
	gelVec3 center = gelAdd(
		ellipsoid->x, gelGetOffset( step->bodies[ellipsoid->owner].body->origin, other->surface.origin ) );
	gelSym3 S = gelEllipsoidStep_GetShape( step, index );
	gelNearestPoint nearest;
	if ( !gelFindNearestPoint( &other->surface, &other->pieces, center, S, GEL_SEARCH_RADII, &nearest ) )
		return;
	gelVec3 n = nearest.normal, point;
	float depth = gelGetEllipsoidReach( S, n, &point ) - gelDot( n, gelSub( center, nearest.point ) );
	bool isOutside = nearest.facing >= 0.0f && nearest.distance2 >= 1.0f;
	if ( isOutside || !( depth > 0.0f ) ) return;
	float friction[2];
	if ( other->body )
		gelGetBodyFriction( other->body, nearest.cell, friction );
	else
		gelGetColliderFriction( &other->collider->motion, friction );
	gelEllipsoidContact* contact = gelEllipsoidStep_Add( step, index, S, n, depth, friction );
	if ( contact == NULL ) return;
	contact->featureB = nearest.triangle;
	if ( other->body )
		SetTetSide( contact, other->body, &nearest );
	else
		gelSetColliderSide( contact, &other->collider->motion, other->surface.origin, nearest.point, h );
}

static void TestSurface(
	gelEllipsoidStep* step, gelEllipsoidSurface* other, const gelEllipsoidBody* body, float h )
{
	GEL_ASSERT( h > 0.0f );
	gelVec3 shift = gelGetOffset( body->body->origin, other->surface.origin );
	float most = 0.0f;
	for ( int k = body->ellipsoidFirst; k < body->ellipsoidFirst + body->ellipsoidCount; ++k )
		most = gelMaxFloat( step->places[k].w, most );
	// the box holds each ellipsoid, but not what is searched around it
	float more = ( GEL_SEARCH_RADII - 1.0f ) * most;
	gelVec3 wide = gelMakeVec3( more, more, more );
	gelFindSurfacePieces( &other->surface, gelSub( gelAdd( body->box.min, shift ), wide ),
		gelAdd( gelAdd( body->box.max, shift ), wide ), &other->pieces );
	for ( int k = 0; k < body->ellipsoidCount && other->pieces.count > 0; ++k )
		TestEllipsoid( step, other, body->ellipsoidFirst + k, h );
}

void gelFindEllipsoidSurfaces(
	struct gelWorld* world, const gelEllipsoidBody* body, const gelEllipsoidRound* round )
{
	gelEllipsoidStep* step = world->contact->ellipsoids;
	for ( int i = 0; i < world->liveCount && step->hasTets; ++i )
	{
		gelBody* other = world->live[i];
		const gelBodyContact* touch = other->contact;
		if ( gelGetParticles( other ) || touch == NULL || !touch->isEnabled ) continue;
		if ( !gelFiltersAgree( body->touch->filter, touch->filter ) ) continue;
		if ( !gelBody_NeedCoarse( other ) ) continue;
		gelEllipsoidSurface surface = { .surface = gelBody_GetContactSurface( other ), .body = other };
		TestSurface( step, &surface, body, round->h );
	}
	for ( int k = 0; k < world->colliderCount; ++k )
	{
		const gelCollider* collider = world->colliders + k;
		if ( !collider->isUsed || collider->surface == NULL ) continue;
		if ( !gelFiltersAgree( body->touch->filter, collider->def.filter ) ) continue;
		gelEllipsoidSurface surface = { .surface = gelColliderSurface_Get( collider->surface ),
			.collider = collider };
		TestSurface( step, &surface, body, round->h );
	}
}
