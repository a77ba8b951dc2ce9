// SPDX-License-Identifier: MIT
// Debug drawing: bodies, what holds them, and where they touch.
#include "draw/draw_parts.h"

#include "constraints/constraint_set.h"
#include "contact/step/contact_step.h"
#include "gelpack/gelpack.h"
#include "gelpack/math_double.h"
#include "query/query_debug.h"
#include "solvers/solver.h"

#include <math.h>

#define GEL_CAGE_COLOR       0x16324Fu
#define GEL_NODE_COLOR       0x2E6DA4u
#define GEL_PIN_COLOR        0xE4572Eu
#define GEL_INVERTED_COLOR   0xD5004Au
#define GEL_AWAKE_COLOR      0x2E9E6Bu
#define GEL_ASLEEP_COLOR     0x8C8C8Cu
#define GEL_CONSTRAINT_COLOR 0x7A0F8Fu
#define GEL_CONTACT_COLOR    0x00582Bu
#define GEL_CURVE_COLOR      0x140A2Eu
#define GEL_MAX_DRAW_LEVEL   30

gelDebugDraw gelDefaultDebugDraw( void )
{
	return ( gelDebugDraw ){ .boxLevel = -1, .normalLength = 0.1f, .cookie = GEL_COOKIE };
}

static bool DrawIsValid( const gelDebugDraw* draw )
{
	return draw != NULL && draw->cookie == GEL_COOKIE && draw->patchLevel >= 0 &&
		draw->patchLevel <= GEL_MAX_DRAW_LEVEL && draw->boxLevel >= -1 && isfinite( draw->normalLength );
}

// ---- parts -------------------------------------------------------------------------------------------

void gelDraw_Box( const gelDebugDraw* draw, gelAabb box, uint32_t color )
{
	// corner k has the high x, y, z for bits 0, 1, 2 of k
	gelVec3 corners[8];
	for ( int k = 0; k < 8; ++k )
		corners[k] = gelMakeVec3(
			k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z );
	for ( int k = 0; k < 8; ++k )
	{
		for ( int bit = 1; bit < 8; bit *= 2 )
		{
			if ( !( k & bit ) ) gelDraw_Segment( draw, corners[k], corners[k | bit], color );
		}
	}
}

uint32_t gelDraw_PickColor( uint32_t index )
{
	static const uint32_t palette[] = { 0xE4572E, 0x17BEBB, 0xFFC914, 0x76B041, 0x8F5BD6, 0x3A86FF, 0xFF70A6,
		0xB5651D, 0x2E9E6B, 0xF6A35C, 0x5C6BC0, 0xA8C256, 0xD65DB1, 0x00A6D6 };
	uint32_t h = index * 0x9E3779B9u;
	h = ( h ^ h >> 15 ) * 0x85EBCA6Bu;
	return palette[( h ^ h >> 13 ) % ( sizeof( palette ) / sizeof( palette[0] ) )];
}

static gelBodyId MakeId( struct gelWorld* world, const gelBody* body )
{
	return ( gelBodyId ){ world, body->slot + 1, world->slots[body->slot].generation };
}

// ---- the cage ----------------------------------------------------------------------------------------

static void DrawTetEdges( const gelDebugDraw* draw, const gelBody* body, uint32_t tet, uint32_t color )
{
	GEL_ASSERT( tet < (uint32_t)body->asset->tetCount );
	const uint32_t* node = body->asset->pack.tets[tet].node;
	for ( int a = 0; a < 4; ++a )
	{
		for ( int b = a + 1; b < 4; ++b )
			gelDraw_Segment(
				draw, gelToWorld( body, body->x[node[a]] ), gelToWorld( body, body->x[node[b]] ), color );
	}
}

// Whether a tet is the first one with both nodes, so that an edge is drawn once. Tets around a node ascend.
static bool IsFirstWith( const gelPackView* pack, uint32_t tet, uint32_t a, uint32_t b )
{
	for ( uint32_t i = pack->gatherFirst[a]; i < pack->gatherFirst[a + 1]; ++i )
	{
		uint32_t other = pack->gatherCorners[i] / 4;
		if ( other >= tet ) return true;
		for ( int k = 0; k < 4; ++k )
		{
			if ( pack->tets[other].node[k] == b ) return false;
		}
	}
	return true;
}

static void DrawCage( const gelDebugDraw* draw, const gelBody* body )
{
	const gelPackView* pack = &body->asset->pack;
	for ( uint32_t t = 0; draw->enableCage && t < (uint32_t)body->asset->tetCount; ++t )
	{
		const uint32_t* node = pack->tets[t].node;
		for ( int k = 0; k < 6; ++k )
		{
			static const int ends[6][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 } };
			uint32_t a = node[ends[k][0]], b = node[ends[k][1]];
			if ( IsFirstWith( pack, t, a, b ) )
				gelDraw_Segment(
					draw, gelToWorld( body, body->x[a] ), gelToWorld( body, body->x[b] ), GEL_CAGE_COLOR );
		}
	}
	for ( int i = 0, pin = 0; draw->enableNodes && i < body->asset->nodeCount; ++i )
	{
		bool isPinned = pin < body->pinCount && body->pins[pin] == (uint32_t)i;
		pin += isPinned;
		gelDraw_Point( draw, gelToWorld( body, body->x[i] ), isPinned ? GEL_PIN_COLOR : GEL_NODE_COLOR );
	}
	for ( uint32_t t = 0; draw->enableInverted && t < (uint32_t)body->asset->tetCount; ++t )
	{
		const uint32_t* n = pack->tets[t].node;
		float det = gelTetDeterminant( body->x[n[0]], body->x[n[1]], body->x[n[2]], body->x[n[3]] );
		if ( det / body->asset->restDets[t] <= 0.0f ) DrawTetEdges( draw, body, t, GEL_INVERTED_COLOR );
	}
}

// ---- a body as a whole -------------------------------------------------------------------------------

static void DrawConstraints( const gelDebugDraw* draw, const gelBody* body )
{
	const gelConstraintSet* set = body->constraints;
	if ( set == NULL || !draw->enableConstraints ) return;
	for ( int i = 0; i < set->capacity; ++i )
	{
		const gelConstraintSlot* slot = set->slots + i;
		if ( slot->kind == 0 ) continue;
		gelVec3 place = gelMakeVec3( 0.0f, 0.0f, 0.0f );
		for ( int k = 0; k < 4; ++k )
			place = gelMulAdd( place, slot->weight[k], body->x[body->asset->pack.tets[slot->tet].node[k]] );
		place = gelToWorld( body, place );
		gelDraw_Point( draw, place, GEL_CONSTRAINT_COLOR );
		if ( slot->kind == gel_constraintDirection + 1 ) continue; // its target is no place
		double target[3];
		set->calls->getTarget( set, slot, target );
		gelDraw_Segment( draw, place, gelToFloat( gelLoadVec3d( target ) ), GEL_CONSTRAINT_COLOR );
	}
	for ( int i = 0; i < set->frameCapacity; ++i )
	{
		const gelFrameSlot* frame = set->frames + i;
		if ( frame->isUsed ) gelDraw_Transform( draw, ( gelTransform ){ frame->position, frame->rotation } );
	}
}

static void DrawBody( const gelDebugDraw* draw, struct gelWorld* world, gelBody* body )
{
	gelBodyId id = MakeId( world, body );
	DrawCage( draw, body );
	gelDraw_Surface( draw, body );
	DrawConstraints( draw, body );
	if ( draw->enableParticles && body->solver->draw )
	{
		uint32_t color =
			draw->getBodyColor ? draw->getBodyColor( id, draw->context ) : gelDraw_PickColor( body->slot );
		body->solver->draw( body, draw, color );
	}
	if ( draw->enableBounds )
		gelDraw_Box( draw, gelBody_GetBounds( id ), body->isAsleep ? GEL_ASLEEP_COLOR : GEL_AWAKE_COLOR );
	if ( draw->enableTransforms ) gelDraw_Transform( draw, gelBody_GetTransform( id ) );
	int attachmentCount = draw->enableAttachments ? gelAsset_GetAttachmentCount( body->asset ) : 0;
	for ( int i = 0; i < attachmentCount; ++i )
	{
		gelTransform transform;
		if ( gelBody_GetAttachmentTransform( id, i, &transform ) == gel_success )
			gelDraw_Transform( draw, transform );
	}
}

// ---- the world ---------------------------------------------------------------------------------------

static void DrawContact( const gelContact* contact, void* context )
{
	const gelDebugDraw* draw = context;
	gelDraw_Point( draw, contact->pointA, GEL_CONTACT_COLOR );
	gelDraw_Segment( draw, contact->pointA, gelMulAdd( contact->pointA, draw->normalLength, contact->normal ),
		GEL_CONTACT_COLOR );
}

static void DrawCurve( const gelCurveSegment* segment, void* context )
{
	gelDraw_Segment( context, segment->from, segment->to, GEL_CURVE_COLOR );
}

gelResult gelWorld_Draw( gelWorldId worldId, const gelDebugDraw* draw )
{
	struct gelWorld* world = worldId.world;
	if ( world == NULL || !DrawIsValid( draw ) ) return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	gelDebugDraw copy = *draw;
	for ( int i = 0; i < world->liveCount; ++i )
		DrawBody( draw, world, world->live[i] );
	if ( draw->enableColliders ) gelDraw_Colliders( draw, world );
	if ( draw->enableContacts ) gelVisitContacts( world, DrawContact, &copy );
	for ( int i = 0; draw->enableCurves && i < world->liveCount; ++i )
	{
		for ( int k = i + 1; k < world->liveCount; ++k )
		{
			if ( gelAreNear( world->live[i], world->live[k], 0.0f ) )
				gelVisitCurves( world, world->live[i], world->live[k], DrawCurve, &copy );
		}
	}
	return gel_success;
}
