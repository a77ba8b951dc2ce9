// SPDX-License-Identifier: MIT
// Events: every touch begins once and ends once, in between it goes on; they agree with the list of contacts.
#include "test_support.h"

#include "contact_scene.h"

#include <math.h>

enum
{
	capacity = 64
};

static int CountEvents( const gelContactScene* scene, gelContactEventType type )
{
	gelContactEvent events[capacity];
	int count = gelWorld_GetContactEvents( scene->world, events, capacity ), found = 0;
	assert_true( count <= capacity );
	for ( int i = 0; i < count; ++i )
		found += events[i].type == type && events[i].bodyB.index1 + events[i].colliderB.index1 > 0;
	return found;
}

static bool IsSame( gelBodyId a, gelBodyId b )
{
	return a.index1 == b.index1 && a.generation == b.generation;
}

// Events that are not ends share out the contacts among them, and sum them up.
static void CheckAgainstContacts( const gelContactScene* scene )
{
	static gelContact contacts[4096];
	gelContactEvent events[capacity];
	int contactCount = gelWorld_GetContacts( scene->world, contacts, 4096 );
	int count = gelWorld_GetContactEvents( scene->world, events, capacity ), sum = 0;
	for ( int i = 0; i < count; ++i )
	{
		const gelContactEvent* e = events + i;
		sum += e->contactCount;
		assert_true( e->contactFirst >= 0 && e->contactFirst + e->contactCount <= contactCount );
		assert_false( e->bodyB.index1 != 0 && e->colliderB.index1 != 0 ); // neither: the ground
		if ( e->type == gel_touchEnd ) assert_int_equal( e->contactCount, 0 );
		float area = 0.0f, depth = 0.0f;
		double impulse = 0.0;
		for ( int k = 0; k < e->contactCount; ++k )
		{
			const gelContact* c = contacts + e->contactFirst + k;
			assert_true( IsSame( c->bodyA, e->bodyA ) && IsSame( c->bodyB, e->bodyB ) );
			assert_int_equal( c->colliderB.index1, e->colliderB.index1 );
			area += c->area;
			depth = fmaxf( depth, c->depth );
			impulse += (double)c->impulse.y;
		}
		assert_float_equal( e->area, area, 1e-5f );
		assert_float_equal( e->depth, depth, 0.0f );
		assert_float_equal( e->impulse.y, (float)impulse, 1e-3f * ( 1.0f + fabsf( e->impulse.y ) ) );
	}
	assert_int_equal( sum, contactCount );
}

static gelBodyDef MakeSleeper( void )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.enableSleep = true;
	return def;
}

// A box falls on another one: one begin, persistence, silence in sleep, an end when it is taken away.
static void TestLifeOfATouch( void** state )
{
	(void)state;
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef shape = gelDefaultShapeDef();
	shape.youngsModulus = 2e6;
	int box = gelContactScene_AddShape( &scene, &shape );
	gelBodyDef def = MakeSleeper();
	gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.02f, 1.1f, 0.01f } );
	int begun = 0, ended = 0, persisted = 0;
	for ( int i = 0; i < 300; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		CheckAgainstContacts( &scene );
		begun += CountEvents( &scene, gel_touchBegin );
		ended += CountEvents( &scene, gel_touchEnd );
		persisted += CountEvents( &scene, gel_touchPersist );
		assert_true( begun - ended == 0 || begun - ended == 1 ); // it may bounce
	}
	assert_int_equal( begun - ended, 1 );
	assert_true( persisted > 20 );
	assert_false( gelBody_IsAwake( scene.bodies[0] ) );
	assert_int_equal( gelWorld_GetContactEvents( scene.world, NULL, 0 ), 0 );

	gelBody_Reset( scene.bodies[1],
		( gelTransform ){ ( gelVec3 ){ 5.0f, 3.0f, 0.0f }, ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f } } );
	gelContactScene_Step( &scene, 1 );
	assert_int_equal( CountEvents( &scene, gel_touchEnd ), 1 );
	assert_int_equal( CountEvents( &scene, gel_touchBegin ), 0 );
	gelContactScene_Step( &scene, 1 );
	gelFreeContactScene( &scene );
}

// A box lands: the ground tells once that it begins, carries the weight, and falls silent when the box
// sleeps. Also in a world whose bodies do not touch each other.
static void TestLanding( void** state )
{
	(void)state;
	for ( int k = 0; k < 2; ++k )
	{
		gelWorldDef worldDef = gelDefaultWorldDef();
		worldDef.hasGround = true;
		gelContactScene scene = gelMakeContactScene( &worldDef, 1.0 / 60.0 );
		gelShapeDef shape = gelDefaultShapeDef();
		gelBodyDef def = MakeSleeper();
		def.enableContact = k == 0;
		int box = gelContactScene_AddShape( &scene, &shape );
		gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.0f, 0.2f, 0.0f } );
		int begun = 0, ended = 0, first = -1;
		double hardest = 0.0;
		for ( int i = 0; i < 240; ++i )
		{
			gelContactScene_Step( &scene, 1 );
			gelContactEvent event;
			int count = gelWorld_GetContactEvents( scene.world, &event, 1 );
			if ( count == 0 ) continue;
			assert_int_equal( count, 1 );
			assert_true( event.bodyB.index1 == 0 && event.colliderB.index1 == 0 );
			assert_int_equal( event.contactCount, gelWorld_GetContacts( scene.world, NULL, 0 ) );
			begun += event.type == gel_touchBegin;
			ended += event.type == gel_touchEnd;
			if ( first < 0 ) first = i;
			hardest = fmax( hardest, (double)event.impulse.y );
		}
		double weight = 9.81 / 60.0 * (double)gelBody_GetDynamics( scene.bodies[0] ).mass;
		assert_in_range( first, 10, 13 ); // a fall by 0.2 m
		assert_int_equal( begun - ended, 1 );
		assert_true( hardest > 3.0 * weight ); // the blow
		assert_false( gelBody_IsAwake( scene.bodies[0] ) );
		assert_int_equal( gelWorld_GetContactEvents( scene.world, NULL, 0 ), 0 );
		gelFreeContactScene( &scene );
	}
}

// Bodies and colliders in one list; what is destroyed has ended, and who comes next in its slot is new.
static void TestCollidersAndGoneBodies( void** state )
{
	(void)state;
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelContactScene scene = gelMakeContactScene( &worldDef, 1.0 / 60.0 );
	gelShapeDef shape = gelDefaultShapeDef();
	shape.youngsModulus = 2e6;
	int box = gelContactScene_AddShape( &scene, &shape );
	gelColliderDef plane = gelDefaultColliderDef();
	gelColliderId ground;
	assert_int_equal( gelCreateCollider( scene.world, &plane, &ground ), gel_success );
	gelBodyDef def = gelDefaultBodyDef();
	def.enableSleep = false; // sleepers are silent
	gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.02f, 0.97f, 0.01f } );
	for ( int i = 0; i < 60; ++i )
	{
		gelContactScene_Step( &scene, 1 );
		CheckAgainstContacts( &scene );
	}
	gelContactEvent events[capacity];
	assert_int_equal( gelWorld_GetContactEvents( scene.world, events, capacity ), 2 );
	assert_true( IsSame( events[0].bodyA, scene.bodies[0] ) && IsSame( events[0].bodyB, scene.bodies[1] ) );
	assert_int_equal( events[1].colliderB.index1, ground.index1 );
	assert_true( events[1].impulse.y > 1.5f * events[0].impulse.y * -1.0f ); // two boxes weigh more than one

	gelDestroyBody( scene.bodies[1] );
	gelContactScene_AddBody( &scene, box, &def, ( gelVec3 ){ 0.02f, 0.94f, 0.01f } );
	scene.bodies[1] = scene.bodies[2];
	scene.bodyCount = 2;
	gelContactScene_Step( &scene, 1 );
	assert_int_equal( CountEvents( &scene, gel_touchEnd ), 1 );
	assert_int_equal( CountEvents( &scene, gel_touchBegin ), 1 );
	CheckAgainstContacts( &scene );
	gelDestroyCollider( ground );
	gelContactScene_Step( &scene, 1 );
	assert_int_equal( CountEvents( &scene, gel_touchEnd ), 1 );
	assert_int_equal( gelWorld_EnableContact( scene.world, false ), gel_success );
	gelContactScene_Step( &scene, 1 );
	assert_int_equal( CountEvents( &scene, gel_touchEnd ), 1 );
	assert_int_equal( gelWorld_GetContactEvents( ( gelWorldId ){ 0 }, events, capacity ), 0 );
	gelFreeContactScene( &scene );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestLifeOfATouch ),
		cmocka_unit_test( TestLanding ),
		cmocka_unit_test( TestCollidersAndGoneBodies ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
