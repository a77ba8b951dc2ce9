// SPDX-License-Identifier: MIT
#include "state/body_contact.h"

gelBodyContact* gelBodyContact_LayOut( gelArena* arena, int nodeCount )
{
	GEL_ASSERT( nodeCount >= 0 );
	gelBodyContact* touch = gelArena_Take( arena, 1, sizeof( gelBodyContact ) );
	float* stiffness = gelArena_Take( arena, (size_t)nodeCount, sizeof( float ) );
	if ( touch == NULL ) return NULL;
	touch->stiffness = stiffness;
	return touch;
}

// Diagonal block of an element for corner i with gradient g of its shape function (isotropic, at rest):
//     V ( mu ( |g|^2 I + g g^T ) + lambda g g^T ),   its trace: V |g|^2 ( 4 mu + lambda )
static void AddStiffness( const gelPackView* pack, uint32_t tet, float* stiffness )
{
	GEL_ASSERT( tet < pack->header->tetCount );
	const gelPackTetRest* rest = pack->tetRests + tet;
	const gelPackMaterial* material = pack->materials + rest->material;
	float scale = rest->volume * ( 4.0f * material->mu + material->lambda ) / 3.0f;
	gelVec3 first = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 3; ++k )
	{
		gelVec3 g = gelGetGradient( rest, k );
		first = gelSub( first, g );
		stiffness[pack->tets[tet].node[k + 1]] += scale * gelLengthSquared( g );
	}
	stiffness[pack->tets[tet].node[0]] += scale * gelLengthSquared( first );
}

void gelBodyContact_Init( gelBody* body, const gelBodyDef* def )
{
	GEL_ASSERT( body->contact != NULL && gelIsContactFriction( def->contactFriction ) );
	gelBodyContact* touch = body->contact;
	touch->isEnabled = true;
	touch->isSelfEnabled = def->enableSelfContact;
	touch->category = def->contactCategory;
	touch->mask = def->contactMask;
	touch->friction = def->contactFriction;
	touch->thickness = def->contactThickness;
	if ( touch->stiffness == NULL ) return;
	for ( int t = 0; t < body->asset->tetCount; ++t )
		AddStiffness( &body->asset->pack, (uint32_t)t, touch->stiffness );
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		touch->stiffness[i] *= body->stiffnessScale;
}
