// SPDX-License-Identifier: MIT
// Pairs that have not moved keep their contacts: the bits are those of looking at every pair in every step,
// also after a state came back, and depths follow what moves by less than the margin.
#include "test_support.h"

#include "contact_scene.h"
#include "contact/step/contact_seen.h"
#include "gelpack/collider.h"
#include "state/world.h"

#include <stdlib.h>

#define BODIES 7

// Boxes on each other beside a ball, in a bowl that is moved.
static gelContactScene MakePile( gelColliderId* outBowl )
{
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef shape = gelDefaultShapeDef();
	for ( int k = 0; k < 3; ++k )
	{
		shape.cells[k] = 2;
		shape.size[k] = 0.5;
	}
	shape.youngsModulus = 1e6;
	int box = gelContactScene_AddShape( &scene, &shape );
	shape.isBall = true;
	int ball = gelContactScene_AddShape( &scene, &shape );
	gelSampleDef bowl = gelDefaultSampleDef( "bowl" );
	bowl.isStatic = true;
	bowl.scale = 3.0;
	gelColliderDef collider = gelDefaultColliderDef();
	collider.shape = gel_shapeSurface;
	collider.asset = scene.assets[gelContactScene_AddSample( &scene, &bowl )];
	collider.transform.position.x = 4.0f;
	collider.transform.position.y = 0.2f;
	assert_int_equal( gelCreateCollider( scene.world, &collider, outBowl ), gel_success );
	for ( int i = 0; i < BODIES; ++i )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.enableSleep = false;
		gelVec3 inPile = { 0.02f * (float)( i % 2 ), 0.5f * (float)i, 0.0f };
		gelVec3 inBowl = { 4.0f, 0.8f + 0.6f * (float)( i - 4 ), 0.05f * (float)i };
		gelContactScene_AddBody( &scene, i < 4 ? box : ball, &def, i < 4 ? inPile : inBowl );
	}
	return scene;
}

// Now and then a push on a body, and a bowl that goes a little way.
static void Disturb( gelContactScene* scene, gelColliderId bowl, int step, gelRandom* random )
{
	if ( step % 140 != 139 ) return;
	gelBodyId body = scene->bodies[gelRandom_Uniform( random, 0.0, 1.0 ) < 0.5 ? 3 : 5];
	float size = (float)gelRandom_Uniform( random, 0.0, 0.2 );
	gelBody* inside = gelGetBody( body );
	for ( int i = 0; i < inside->asset->nodeCount; ++i )
		inside->v[i] = gelAdd( inside->v[i], ( gelVec3 ){ 0.3f * size, size, 0.1f * size } );
	gelTransform to;
	assert_int_equal( gelCollider_GetTransform( bowl, &to ), gel_success );
	to.position.x += step % 280 == 279 ? 0.001f : 0.0f;
	assert_int_equal( gelCollider_SetTarget( bowl, to ), gel_success );
}

static void TestSameBitsAsLooking( void** state )
{
	(void)state;
	gelContactScene scenes[2];
	gelColliderId bowls[2];
	gelRandom random[2] = { { 7 }, { 7 } };
	int stillCount = 0, touchingCount = 0;
	for ( int k = 0; k < 2; ++k )
		scenes[k] = MakePile( bowls + k );
	for ( int i = 0; i < 560; ++i )
	{
		for ( int k = 0; k < 2; ++k )
		{
			if ( k == 1 ) scenes[k].world.world->contact->seenPairCount = 0; // nothing to be taken over
			Disturb( scenes + k, bowls[k], i, random + k );
			gelContactScene_Step( scenes + k, 1 );
		}
		gelContactCounters a = gelWorld_GetContactCounters( scenes[0].world ),
						   b = gelWorld_GetContactCounters( scenes[1].world );
		assert_true( gelWorld_HashState( scenes[0].world ) == gelWorld_HashState( scenes[1].world ) );
		assert_int_equal( a.contactCount, b.contactCount );
		assert_int_equal( b.stillPairCount, 0 );
		stillCount += a.stillPairCount;
		touchingCount += a.touchingPairCount;
	}
	assert_true( stillCount > 300 && touchingCount > stillCount );
	for ( int k = 0; k < 2; ++k )
		gelFreeContactScene( scenes + k );
}

static void TestStatesComeBack( void** state )
{
	(void)state;
	gelColliderId bowl;
	gelContactScene scene = MakePile( &bowl );
	gelContactScene_Step( &scene, 480 );
	assert_true( gelWorld_GetContactCounters( scene.world ).stillPairCount > 0 );
	size_t bytes = gelWorld_GetStateBytes( scene.world );
	void* saved = malloc( bytes );
	assert_non_null( saved );
	assert_int_equal( gelWorld_SaveState( scene.world, saved, bytes ), gel_success );
	gelContactScene_Step( &scene, 40 );
	uint64_t wanted = gelWorld_HashState( scene.world );
	gelContactScene_Step( &scene, 7 );
	assert_int_equal( gelWorld_RestoreState( scene.world, saved, bytes ), gel_success );
	gelContactScene_Step( &scene, 40 );
	assert_true( gelWorld_HashState( scene.world ) == wanted );
	free( saved );
	gelFreeContactScene( &scene );
}

// How far a point of a body is above the place where it was seen [m].
static double GetRise( const gelBody* body, uint32_t cell, const float weights[4] )
{
	double rise = body->origin[1] - body->contact->seenOrigin[1];
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t node = body->asset->pack.cells[cell].node[k];
		rise += (double)weights[k] * ( (double)body->x[node].y - (double)body->contact->seen[node].y );
	}
	return rise;
}

// The depth of a contact changes as its points move along the normal, from B to A.
static void TestDepthsFollow( void** state )
{
	(void)state;
	gelColliderId bowl;
	gelContactScene scene = MakePile( &bowl );
	gelContactScene_Step( &scene, 1 );
	gelBody *a = gelGetBody( scene.bodies[2] ), *b = gelGetBody( scene.bodies[3] );
	gelRandom random = { 3 };
	for ( int round = 0; round < 50; ++round )
	{
		gelBodyPair pair = { .a = a, .b = b };
		gelFoundContact found = { .normal = { 0.0f, 1.0f, 0.0f }, .depth = 0.01f };
		found.cellA = (uint32_t)( gelRandom_Next( &random ) % a->asset->pack.header->cdgTetCount );
		found.cellB = (uint32_t)( gelRandom_Next( &random ) % b->asset->pack.header->cdgTetCount );
		for ( int k = 0; k < 4; ++k )
			found.weightsA[k] = found.weightsB[3 - k] = 0.1f * (float)( k + 1 );
		for ( int i = 0; i < a->asset->nodeCount; ++i )
			a->x[i].y += (float)gelRandom_Uniform( &random, -1e-4, 1e-4 );
		b->origin[1] += gelRandom_Uniform( &random, -1e-4, 1e-4 );
		double wanted =
			0.01 + GetRise( b, found.cellB, found.weightsB ) - GetRise( a, found.cellA, found.weightsA );
		assert_float_equal( gelFollowDepth( &pair, &found ), wanted, 1e-7 );
	}
	gelFreeContactScene( &scene );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestSameBitsAsLooking ),
		cmocka_unit_test( TestStatesComeBack ),
		cmocka_unit_test( TestDepthsFollow ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
