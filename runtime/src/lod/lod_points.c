// SPDX-License-Identifier: MIT
// Points of a body in another level of detail: pinned nodes, and points that constraints hold.
#include "lod/lod_transfer.h"

#include "constraints/constraint_set.h"
#include "solvers/interact_points.h"
#include "math/polar.h"

#include <math.h>
#include <string.h>

// ---- pins ------------------------------------------------------------------------------------------------

// Where a point of the rest shape goes when pins near it are taken for a rigid thing: the rigid motion that
// fits them best, each counting by 1 / distance^6 (moving least squares, Schaefer, McPhail, Warren 2006).
// Pins far away, at another end of the body, do not matter, and no switch back and forth makes pins creep.
typedef struct NearPins
{
	const gelBody* body;
	double soften; // [m^2], so that a pin in the same place has a finite weight
} NearPins;

static gelVec3d GetRestPin( const gelBody* body, int pin )
{
	return gelToDouble( gelGetRestNode( body->asset->pack.nodes, body->pins[pin] ) );
}

static double GetPinWeight( const NearPins* near, int pin, gelVec3d rest )
{
	GEL_ASSERT( near->soften > 0.0 );
	gelVec3d away = gelSubD( GetRestPin( near->body, pin ), rest );
	double d2 = ( gelDotD( away, away ) + near->soften ) / near->soften;
	return 1.0 / ( d2 * d2 * d2 );
}

// @param values where the pins are
static gelVec3d FollowPins(
	const NearPins* near, gelVec3d rest, const gelVec3* values, const uint32_t* nodes )
{
	const gelBody* body = near->body;
	gelVec3d restCenter = { 0.0, 0.0, 0.0 }, center = { 0.0, 0.0, 0.0 };
	double total = 0.0;
	for ( int i = 0; i < body->pinCount; ++i )
	{
		double w = GetPinWeight( near, i, rest );
		restCenter = gelMulAddD( restCenter, w, GetRestPin( body, i ) );
		center = gelMulAddD( center, w, gelToDouble( values[nodes ? nodes[i] : (uint32_t)i] ) );
		total += w;
	}
	restCenter = gelScaleD( 1.0 / total, restCenter );
	center = gelScaleD( 1.0 / total, center );
	gelMat3d A = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
	for ( int i = 0; i < body->pinCount; ++i )
	{
		gelVec3d now = gelSubD( gelToDouble( values[nodes ? nodes[i] : (uint32_t)i] ), center );
		A = gelAddOuterD( A, gelScaleD( GetPinWeight( near, i, rest ), now ),
			gelSubD( GetRestPin( body, i ), restCenter ) );
	}
	gelMat3d R = gelMakeMat3dFromQuat( gelFindTurn( A, gelIdentityQuat() ) );
	return gelAddD( center, gelMulMVD( R, gelSubD( rest, restCenter ) ) );
}

static gelVec3 GetPinVelocity( const NearPins* near, gelVec3d rest )
{
	gelVec3d sum = { 0.0, 0.0, 0.0 };
	double total = 0.0;
	for ( int i = 0; i < near->body->pinCount; ++i )
	{
		double w = GetPinWeight( near, i, rest );
		sum = gelMulAddD( sum, w, gelToDouble( near->body->v[near->body->pins[i]] ) );
		total += w;
	}
	return gelToFloat( gelScaleD( 1.0 / total, sum ) );
}

void gelTransferPins( const gelBody* from, gelBody* to )
{
	GEL_ASSERT( from->asset->root == to->asset->root );
	double size = 1.0e-3 * (double)from->asset->restSize;
	NearPins near = { from, size * size };
	for ( int i = 0; i < to->pinCount && from->pinCount > 0; ++i )
	{
		gelVec3d rest = GetRestPin( to, i );
		to->x[to->pins[i]] = gelToFloat( FollowPins( &near, rest, from->x, from->pins ) );
		to->pinTargets[i] = gelToFloat( FollowPins( &near, rest, from->pinTargets, NULL ) );
		to->v[to->pins[i]] = GetPinVelocity( &near, rest );
	}
}

// ---- constraints -----------------------------------------------------------------------------------------

static gelVec3d GetRestPoint( const gelAsset* asset, const gelConstraintSlot* slot )
{
	GEL_ASSERT( slot->tet >= 0 && slot->tet < asset->tetCount );
	gelVec3d p = { 0.0, 0.0, 0.0 };
	const uint32_t* node = asset->pack.tets[slot->tet].node;
	for ( int k = 0; k < 4; ++k )
		p = gelMulAddD( p, slot->weight[k], gelToDouble( gelGetRestNode( asset->pack.nodes, node[k] ) ) );
	return p;
}

void gelTransferConstraints( const gelBody* from, gelBody* to )
{
	const gelConstraintSet* old = from->constraints;
	gelConstraintSet* set = to->constraints;
	if ( old == NULL || set == NULL ) return;
	memcpy( set->frames, old->frames, (size_t)old->frameCapacity * sizeof( gelFrameSlot ) );
	memcpy( set->slots, old->slots, (size_t)old->capacity * sizeof( gelConstraintSlot ) );
	for ( int i = 0; i < set->capacity; ++i )
	{
		gelConstraintSlot* slot = set->slots + i;
		if ( slot->kind == 0 ) continue;
		gelEmbeddedPoint point = gelFindRestPoint( to->asset, GetRestPoint( from->asset, slot ) );
		slot->tet = point.tet;
		memcpy( slot->weight, point.weight, sizeof( slot->weight ) );
	}
}
