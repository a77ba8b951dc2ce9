// SPDX-License-Identifier: MIT
#include "contact/contact_records.h"

static gelVec3 GetVelocity( const gelContactPoint* point, float h )
{
	GEL_ASSERT( h > 0.0f );
	if ( point->body == NULL ) return gelScale( 1.0f / h, point->move );
	const gelVec3* v = point->body->v;
	gelVec3 sum = gelScale( point->w[0], v[point->node[0]] );
	for ( int k = 1; k < 4; ++k )
		sum = gelMulAdd( sum, point->w[k], v[point->node[k]] );
	return sum;
}

void gelGetBodyFriction( const gelBody* body, uint32_t cell, float out[2] )
{
	const gelPackMaterial* material = gelGetCellMaterial( &body->asset->pack, cell );
	bool isGiven = body->contact->friction >= 0.0f;
	out[0] = isGiven ? body->contact->friction : material->staticFriction;
	out[1] = isGiven ? body->contact->friction : material->dynamicFriction;
}

float gelMixFriction(
	const gelContactItem* item, const float frictionA[2], const float frictionB[2], float h )
{
	GEL_ASSERT( h > 0.0f && item->a.body != NULL );
	float fixed = 0.5f * ( frictionA[0] + frictionB[0] );
	float moving = fminf( fixed, 0.5f * ( frictionA[1] + frictionB[1] ) );
	gelVec3 slide =
		gelTangential( gelSub( GetVelocity( &item->a, h ), GetVelocity( &item->b, h ) ), item->normal );
	return gelLengthSquared( slide ) > GEL_STICK_SPEED * GEL_STICK_SPEED ? moving : fixed;
}

float gelGetContactFriction( const gelContactItem* item, const float frictionB[2], float h )
{
	float frictionA[2];
	gelGetBodyFriction( item->a.body, item->cellA, frictionA );
	return gelMixFriction( item, frictionA, frictionB, h );
}
