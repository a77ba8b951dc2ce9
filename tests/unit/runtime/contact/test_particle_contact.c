// SPDX-License-Identifier: MIT
// Bodies of particles touch each other and colliders: momentum, friction, stacks, sleep, filters, events, and
// the same bits on any number of threads.
#include "test_support.h"

#include "counting_allocator.h"
#include "math/gel_math.h"
#include "particle_stage.h"
#include "test_pool.h"

#include <math.h>
#include <string.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage;
static const gelVec3 s_none = { 0.0f, 0.0f, 0.0f };

static void InitBlocks( bool hasGround )
{
	gelInitParticleStage( &s_def );
	gelStageAddBlock( &s_def );
	s_def.world.hasGround = hasGround;
	s_def.world.gravity.y = hasGround ? -9.81f : 0.0f;
	s_def.youngsModulus = 2e5;
}

static gelBodyId AddBlock( gelVec3 position, gelVec3 velocity )
{
	gelBodyDef def = s_def.body;
	def.transform.position = position;
	def.linearVelocity = velocity;
	return gelParticleStage_AddBody( &s_stage, def );
}

static gelVec3 GetCenter( gelBodyId id )
{
	return gelBody_GetDynamics( id ).centerOfMass;
}

// ---- laws ------------------------------------------------------------------------------------------------

// Two blocks meet off center. Momenta stay, energy does not grow, and they do not pass.
static void TestMomentum( void** state )
{
	(void)state;
	InitBlocks( false );
	s_def.body.linearVelocity.x = 2.0f;
	gelMakeParticleStage( &s_def, &s_stage );
	gelBodyId other = AddBlock( ( gelVec3 ){ 0.45f, 0.13f, 0.04f }, ( gelVec3 ){ -1.0f, 0.0f, 0.0f } );
	const gelBodyId ids[2] = { s_stage.body, other };
	double before[6] = { 0.0 }, energy = 0.0, most = 0.0;
	for ( int step = 0; step <= 40; ++step )
	{
		double now[6] = { 0.0 }, sum = 0.0;
		for ( int i = 0; i < 2; ++i )
		{
			gelBodyDynamics d = gelBody_GetDynamics( ids[i] );
			gelVec3 p = d.linearMomentum, x = d.centerOfMass,
					l = gelAdd( d.angularMomentum, gelCross( x, p ) );
			const double values[6] = { p.x, p.y, p.z, l.x, l.y, l.z };
			for ( int k = 0; k < 6; ++k )
				now[k] += values[k];
			sum += (double)d.kineticEnergy + (double)d.elasticEnergy;
		}
		for ( int k = 0; k < 6 && step > 0; ++k )
			assert_true( fabs( now[k] - before[k] ) < ( k < 3 ? 1e-3 : 0.25 ) );
		if ( step == 0 ) memcpy( before, now, sizeof( now ) );
		most = fmax( most, sum );
		energy = step == 0 ? sum : energy;
		gelParticleStage_Step( &s_stage, 1 );
	}
	assert_true( most < 1.001 * energy );
	assert_true( GetCenter( other ).x > GetCenter( s_stage.body ).x + 0.2f );
	gelFreeParticleStage( &s_stage );
}

// A tower of three on the ground stays by friction, ellipsoids on ellipsoids, sleeps, and wakes when it is
// hit.
static void TestTower( void** state )
{
	(void)state;
	InitBlocks( true );
	s_def.youngsModulus = 2e6;
	s_def.damping = 2.0;
	s_def.body.transform.position = ( gelVec3 ){ 0.0f, 0.05f, 0.0f };
	s_def.body.enableSleep = true;
	gelMakeParticleStage( &s_def, &s_stage );
	gelBodyId ids[3] = { s_stage.body };
	for ( int i = 1; i < 3; ++i )
		ids[i] = AddBlock( ( gelVec3 ){ 0.005f * (float)i, 0.05f + 0.3f * (float)i, 0.0f }, s_none );
	gelParticleStage_Step( &s_stage, 200 );
	for ( int i = 0; i < 3; ++i )
	{
		gelVec3 c = GetCenter( ids[i] );
		assert_true( fabsf( c.y - 0.15f - 0.3f * (float)i ) < 0.01f );
		// from its first fall it leans by a fortieth of its height, and sleeps so
		assert_true( fabsf( c.x - 0.1f - 0.005f * (float)i ) < 0.025f );
		assert_false( gelBody_IsAwake( ids[i] ) );
	}
	gelContactEvent events[8];
	assert_int_equal( gelWorld_GetContactEvents( s_stage.world, events, 8 ), 0 ); // sleepers tell nothing
	gelBodyId ellipsoid = AddBlock( ( gelVec3 ){ -0.6f, 0.32f, 0.05f }, ( gelVec3 ){ 6.0f, 0.0f, 0.0f } );
	gelParticleStage_Step( &s_stage, 10 );
	assert_true( gelBody_IsAwake( ids[1] ) && gelBody_IsAwake( ids[2] ) );
	assert_true( gelBody_GetDynamics( ids[1] ).linearMomentum.x > 1.0f );
	gelDestroyBody( ellipsoid );
	gelFreeParticleStage( &s_stage );
}

// ---- colliders -------------------------------------------------------------------------------------------

static gelColliderId AddCollider( gelColliderShape shape, gelVec3 position, float angle )
{
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = shape;
	def.radius = shape == gel_shapeBox ? 0.0f : 0.3f;
	def.halfLength = 0.5f;
	def.halfExtents = ( gelVec3 ){ 1.0f, 0.1f, 1.0f };
	def.transform.position = position;
	def.transform.rotation = ( gelQuat ){ { 0.0f, 0.0f, sinf( 0.5f * angle ) }, cosf( 0.5f * angle ) };
	gelColliderId id;
	assert_int_equal( gelCreateCollider( s_stage.world, &def, &id ), gel_success );
	return id;
}

// On a slope of a plane or a box it stays below the angle of friction and slides above it, by Coulomb's law.
static void TestSlope( void** state )
{
	(void)state;
	for ( int kind = 0; kind < 4; ++kind )
	{
		InitBlocks( false );
		double angle = atan( kind % 2 == 0 ? 0.35 : 0.9 );
		// gravity is turned instead of the slope
		s_def.world.gravity =
			( gelVec3 ){ (float)( 9.81 * sin( angle ) ), (float)( -9.81 * cos( angle ) ), 0.0f };
		s_def.youngsModulus = 1e6;
		s_def.body.transform.position = ( gelVec3 ){ kind < 2 ? 0.0f : -0.9f, 0.05f, 0.0f };
		gelMakeParticleStage( &s_def, &s_stage );
		bool isPlane = kind < 2;
		AddCollider( isPlane ? gel_shapePlane : gel_shapeBox,
			( gelVec3 ){ 0.0f, isPlane ? 0.0f : -0.1f, 0.0f }, 0.0f );
		int count = isPlane ? 60 : 30;
		gelParticleStage_Step( &s_stage, 30 );
		double before = GetCenter( s_stage.body ).x, mass = gelBody_GetDynamics( s_stage.body ).mass;
		double speed = (double)gelBody_GetDynamics( s_stage.body ).linearMomentum.x / mass;
		gelParticleStage_Step( &s_stage, count );
		double t = count / 60.0, moved = GetCenter( s_stage.body ).x - before - speed * t;
		double coulomb = 0.5 * 9.81 * t * t * ( sin( angle ) - 0.5 * cos( angle ) );
		if ( kind % 2 == 0 ) assert_true( fabs( moved + speed * t ) < 0.01 );
		if ( kind % 2 == 1 ) assert_true( moved > 0.8 * coulomb && moved < 1.2 * coulomb );
		assert_true( GetCenter( s_stage.body ).y > 0.12f );
		gelFreeParticleStage( &s_stage );
	}
}

// At rest on a collider of each shape: nobody is inside, and the reaction is the weight.
static void TestRestOnShapes( void** state )
{
	(void)state;
	static const gelColliderShape shapes[4] = { gel_shapePlane, gel_shapeSphere, gel_shapeCapsule,
		gel_shapeBox };
	for ( int k = 0; k < 4; ++k )
	{
		InitBlocks( false );
		s_def.world.gravity.y = -9.81f;
		s_def.body.transform.position = ( gelVec3 ){ -0.1f, 0.06f, -0.1f };
		gelMakeParticleStage( &s_def, &s_stage );
		bool isFlat = shapes[k] == gel_shapePlane || shapes[k] == gel_shapeBox;
		float top = shapes[k] == gel_shapePlane ? 0.0f : isFlat ? -0.1f : -0.3f;
		gelColliderId id =
			AddCollider( shapes[k], ( gelVec3 ){ 0.0f, top, 0.0f }, isFlat ? 0.0f : 1.5707963f );
		gelParticleStage_Step( &s_stage, isFlat ? 90 : 30 );
		gelReaction reaction;
		double force = 0.0;
		for ( int i = 0; i < 10; ++i )
		{
			gelParticleStage_Step( &s_stage, 1 );
			assert_int_equal( gelCollider_GetReaction( id, &reaction ), gel_success );
			force += 0.1 * (double)reaction.force.y;
		}
		double weight = 9.81 * (double)gelBody_GetDynamics( s_stage.body ).mass;
		gelParticleStage_Fetch( &s_stage );
		for ( int i = 0; i < s_stage.count && isFlat; ++i )
			assert_true( s_stage.poses[i].position.y > 0.045f );
		for ( int i = 0; i < s_stage.count && shapes[k] == gel_shapeSphere; ++i )
		{
			gelVec3 d = gelSub( s_stage.poses[i].position, gelMakeVec3( 0.0f, -0.3f, 0.0f ) );
			assert_true( gelLength( d ) > 0.34f );
		}
		if ( isFlat ) assert_true( fabs( force + weight ) < 0.05 * weight );
		assert_true( force < -0.3 * weight );
		assert_true( GetCenter( s_stage.body ).y > 0.05f );
		gelFreeParticleStage( &s_stage );
	}
}

// A moving belt carries the block along, a fast block does not pass a thin wall.
static void TestMovingAndFast( void** state )
{
	(void)state;
	InitBlocks( false );
	s_def.world.gravity.y = -9.81f;
	s_def.body.transform.position = ( gelVec3 ){ 0.0f, 0.05f, 0.0f };
	gelMakeParticleStage( &s_def, &s_stage );
	gelColliderId belt = AddCollider( gel_shapeBox, ( gelVec3 ){ 0.0f, -0.1f, 0.0f }, 0.0f );
	for ( int i = 1; i <= 60; ++i )
	{
		gelTransform pose = { { 0.5f * (float)i / 60.0f, -0.1f, 0.0f }, gelIdentityQuat() };
		assert_int_equal( gelCollider_SetTarget( belt, pose ), gel_success );
		gelParticleStage_Step( &s_stage, 1 );
	}
	double speed = (double)gelBody_GetDynamics( s_stage.body ).linearMomentum.x /
		(double)gelBody_GetDynamics( s_stage.body ).mass;
	assert_true( fabs( speed - 0.5 ) < 0.05 );
	gelBodyId bullet = AddBlock( ( gelVec3 ){ 0.4f, 3.0f, 0.0f }, ( gelVec3 ){ 0.0f, -60.0f, 0.0f } );
	gelParticleStage_Step( &s_stage, 30 );
	assert_true( GetCenter( bullet ).y > 0.05f );
	gelFreeParticleStage( &s_stage );
}

// ---- interface -------------------------------------------------------------------------------------------

static int CountEvents( gelContactEventType type )
{
	gelContactEvent events[16];
	int count = gelWorld_GetContactEvents( s_stage.world, events, 16 ), found = 0;
	for ( int i = 0; i < count; ++i )
		found += events[i].type == type;
	return found;
}

// A block falls on the ground and stays there, then another comes to lie on it: the ground is told of once,
// as a contact with nobody, and carries what lies on it.
static void TestGroundIsTold( void** state )
{
	(void)state;
	InitBlocks( true );
	s_def.youngsModulus = 2e6;
	s_def.damping = 2.0;
	s_def.body.transform.position.y = 0.1f;
	s_def.body.enableSleep = false;
	gelMakeParticleStage( &s_def, &s_stage );
	double weight = 9.81 * (double)gelBody_GetDynamics( s_stage.body ).mass;
	for ( int round = 0; round < 2; ++round )
	{
		int begins = 0;
		double force = 0.0;
		for ( int i = 0; i < 240; ++i )
		{
			gelParticleStage_Step( &s_stage, 1 );
			gelContact contacts[128];
			int count = gelWorld_GetContacts( s_stage.world, contacts, 128 );
			for ( int k = 0; k < count && i >= 180; ++k )
			{
				if ( contacts[k].bodyB.index1 != 0 ) continue;
				assert_true(
					contacts[k].bodyA.index1 == s_stage.body.index1 && contacts[k].normal.y == 1.0f );
				assert_int_equal( contacts[k].colliderB.index1, 0 );
				assert_true( contacts[k].depth > 0.0f && fabsf( contacts[k].pointA.y ) < 0.01f );
				force += (double)contacts[k].impulse.y;
			}
			gelContactEvent events[8];
			int eventCount = gelWorld_GetContactEvents( s_stage.world, events, 8 ), groundCount = 0;
			for ( int k = 0; k < eventCount && k < 8; ++k )
			{
				if ( events[k].bodyB.index1 != 0 ) continue;
				++groundCount;
				begins += i < 60 && events[k].type == gel_touchBegin && events[k].impulse.y > 0.0f;
				assert_true( i < 60 || events[k].type == gel_touchPersist );
			}
			assert_true( i < 60 || groundCount == 1 );
		}
		assert_true( round == 0 ? begins >= 1 : begins == 0 );
		assert_true( fabs( force - ( round + 1 ) * weight ) < 0.1 * weight );
		if ( round == 0 ) AddBlock( ( gelVec3 ){ 0.0f, 0.36f, 0.0f }, s_none );
	}
	gelFreeParticleStage( &s_stage );
}

static void TestEventsAndFilters( void** state )
{
	(void)state;
	InitBlocks( false );
	gelMakeParticleStage( &s_def, &s_stage );
	gelBodyId other = AddBlock( ( gelVec3 ){ 0.33f, 0.0f, 0.0f }, ( gelVec3 ){ -1.0f, 0.0f, 0.0f } );
	int begins = 0, ends = 0, persists = 0;
	for ( int i = 0; i < 60; ++i )
	{
		gelParticleStage_Step( &s_stage, 1 );
		begins += CountEvents( gel_touchBegin );
		ends += CountEvents( gel_touchEnd );
		persists += CountEvents( gel_touchPersist );
		gelContact contacts[64];
		gelContactEvent event;
		int count = gelWorld_GetContacts( s_stage.world, contacts, 64 );
		if ( gelWorld_GetContactEvents( s_stage.world, &event, 1 ) == 0 || event.type == gel_touchEnd )
			continue;
		assert_int_equal( event.contactCount, count );
		gelVec3 sum = { 0.0f, 0.0f, 0.0f };
		for ( int k = 0; k < count; ++k )
		{
			assert_true( contacts[k].bodyA.index1 == s_stage.body.index1 );
			assert_true( contacts[k].bodyB.index1 == other.index1 );
			assert_true( contacts[k].normal.x < -0.5f && contacts[k].depth > 0.0f );
			sum = gelAdd( sum, contacts[k].impulse );
		}
		assert_true( gelLength( gelSub( sum, event.impulse ) ) <= 1e-4f * gelLength( sum ) );
	}
	assert_true( begins >= 1 && ends == begins && persists >= 1 );
	// each kind of refusal lets them pass
	for ( int k = 0; k < 3; ++k )
	{
		InitBlocks( false );
		gelFreeParticleStage( &s_stage );
		gelMakeParticleStage( &s_def, &s_stage );
		other = AddBlock( gelMakeVec3( 0.5f, 0.0f, 0.0f ), gelMakeVec3( -2.0f, 0.0f, 0.0f ) );
		if ( k == 0 )
			assert_int_equal( gelBody_SetContactFilter( other, ( gelContactFilter ){ 2, 2 } ), gel_success );
		if ( k == 1 ) assert_int_equal( gelBody_EnableContact( other, false ), gel_success );
		if ( k == 2 ) assert_int_equal( gelWorld_EnableContact( s_stage.world, false ), gel_success );
		gelParticleStage_Step( &s_stage, 30 );
		assert_true( fabsf( GetCenter( other ).x - 0.1f + 0.5f ) < 1e-3f );
		assert_int_equal( gelWorld_GetContacts( s_stage.world, NULL, 0 ), 0 );
	}
	gelFreeParticleStage( &s_stage );
}

// The ends of a chain that is bent to a loop meet.
static void TestSelf( void** state )
{
	(void)state;
	float nearest[2];
	for ( int k = 0; k < 2; ++k )
	{
		gelInitParticleStage( &s_def );
		gelStageAddChain( &s_def, 9, 0.1, 0.05 );
		s_def.world.enableContact = true;
		s_def.body.enableSelfContact = k == 1;
		s_def.youngsModulus = 1e3;
		gelMakeParticleStage( &s_def, &s_stage );
		for ( int i = 0; i < s_stage.count; ++i ) // both ends fly at each other
			s_stage.poses[i].linearVelocity.x = i < 2 ? 4.0f : i > 6 ? -4.0f : 0.0f;
		gelParticleStage_Put( &s_stage );
		nearest[k] = 1e9f;
		for ( int i = 0; i < 40; ++i )
		{
			gelParticleStage_Step( &s_stage, 1 );
			gelVec3 d = gelSub( s_stage.poses[1].position, s_stage.poses[7].position );
			nearest[k] = fminf( nearest[k], gelLength( d ) );
		}
		gelFreeParticleStage( &s_stage );
	}
	assert_true( nearest[0] < 0.03f && nearest[1] > 0.07f );
}

// A heap of bodies on a board, one of them with itself: the same bits on one thread and four, with a list
// that has room for all contacts and with one that has not.
static void TestThreads( void** state )
{
	(void)state;
	uint64_t hashes[4] = { 0, 0, 0, 0 };
	int workerCount = 4;
	for ( int k = 0; k < 4; ++k )
	{
		int stepCount = k < 2 ? 50 : 20;
		InitBlocks( true );
		if ( k >= 2 ) s_def.world.contactCapacity = 20;
		if ( k % 2 == 1 )
			s_def.world.tasks = ( gelTaskSystem ){
				.parallelFor = gelTestPool_ParallelFor, .context = &workerCount, .workerCount = 4
			};
		gelMakeParticleStage( &s_def, &s_stage );
		gelBodyId ids[12];
		AddCollider( gel_shapeBox, gelMakeVec3( 1.1f, 0.0f, 0.0f ), 0.1f );
		for ( int i = 0; i < 12; ++i )
		{
			s_def.body.solver.particles.subSteps = i % 3 == 0 ? 4 : 0;
			s_def.body.enableSelfContact = i == 5;
			ids[i] = AddBlock( gelMakeVec3( 0.2f * (float)( i % 3 ), 0.4f + 0.32f * (float)( i / 2 ),
								   0.1f * (float)( i % 2 ) ),
				gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
		}
		s_def.body.solver.particles.subSteps = 0;
		int contactCount = 0, dropped = 0;
		for ( int i = 0; i < stepCount; ++i )
		{
			gelParticleStage_Step( &s_stage, 1 );
			contactCount += gelWorld_GetContactCounters( s_stage.world ).contactCount;
			dropped += gelWorld_GetContactCounters( s_stage.world ).droppedContactCount;
		}
		assert_true( k < 2 ? contactCount > 200 && dropped == 0 : dropped > 0 );
		for ( int i = 0; i < 12; ++i )
			hashes[k] = 31 * hashes[k] + gelBody_HashState( ids[i] );
		gelFreeParticleStage( &s_stage );
	}
	assert_true( hashes[0] == hashes[1] && hashes[2] == hashes[3] );
}

// No memory is taken in a step, and a full list drops contacts without harm.
static void TestCapacity( void** state )
{
	(void)state;
	int calls = 0;
	InitBlocks( true );
	s_def.world.contactCapacity = 5;
	s_def.world.contactPairCapacity = 2;
	s_def.world.allocator = gelMakeCountingAllocator( &calls );
	gelMakeParticleStage( &s_def, &s_stage );
	for ( int i = 0; i < 4; ++i )
		AddBlock( gelMakeVec3( 0.01f, 0.3f + 0.3f * (float)i, 0.0f ), s_none );
	int before = calls;
	int dropped = 0;
	for ( int i = 0; i < 20; ++i )
	{
		gelParticleStage_Step( &s_stage, 1 );
		dropped += gelWorld_GetContactCounters( s_stage.world ).droppedContactCount;
		assert_true( gelWorld_GetContacts( s_stage.world, NULL, 0 ) <= 5 );
	}
	assert_int_equal( calls, before );
	assert_true( dropped > 0 );
	gelFreeParticleStage( &s_stage );
}

// Speeds and places without reason, next to a block that rests: who is lost within a sub-step touches nothing
// and is put back after the step, and the block is not harmed.
static void TestWild( void** state )
{
	(void)state;
	int lost = 0;
	for ( int k = 0; k < 16; ++k )
	{
		InitBlocks( true );
		for ( uint32_t i = 0; i < s_def.count && k >= 8; ++i )
			s_def.particles[i].mass = s_def.particles[i].mass * 3e-15f; // a push is enough for 1e23 m/s
		if ( k >= 8 ) s_def.youngsModulus = 1e-10;
		s_def.body.enableSelfContact = k % 2 == 0;
		gelMakeParticleStage( &s_def, &s_stage );
		AddCollider( gel_shapeBox, gelMakeVec3( -3.0f, 0.0f, 0.0f ), 0.3f );
		gelBodyId block = AddBlock( gelMakeVec3( 0.29f, 0.05f, 0.0f ), s_none );
		gelParticleStage_Fetch( &s_stage );
		for ( int i = 0; i < s_stage.count; ++i )
		{
			gelParticlePose* pose = s_stage.poses + i;
			if ( k / 2 == 0 ) pose->linearVelocity.x = 9e8f;
			if ( k / 2 == 1 ) pose->linearVelocity.x = i % 2 == 0 ? 9e8f : -9e8f;
			if ( k / 2 == 2 ) pose->angularVelocity.z = 9e8f;
			if ( k / 2 == 3 ) pose->position.x = i % 3 == 0 ? 9e8f : 0.3f;
		}
		assert_int_equal(
			gelBody_SetParticlePoses( s_stage.body, s_stage.poses, s_stage.count ), gel_success );
		for ( int i = 0; i < 4; ++i )
		{
			gelEmbeddedPoint point = gelAsset_GetVertexPoint( s_stage.asset, 0 );
			gelBody_AddPointForce(
				s_stage.body, &point, gelMakeVec3( 1e9f, -1e9f, k % 4 < 2 ? 0.0f : 1e9f ) );
			gelParticleStage_Step( &s_stage, 1 );
			lost += gelWorld_GetCounters( s_stage.world ).nonFiniteBodyCount;
			assert_true( fabsf( GetCenter( block ).x - 0.39f ) < 0.01f );
		}
		gelFreeParticleStage( &s_stage );
	}
	assert_true( lost > 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestMomentum ),
		cmocka_unit_test( TestTower ),
		cmocka_unit_test( TestSlope ),
		cmocka_unit_test( TestRestOnShapes ),
		cmocka_unit_test( TestMovingAndFast ),
		cmocka_unit_test( TestEventsAndFilters ),
		cmocka_unit_test( TestGroundIsTold ),
		cmocka_unit_test( TestSelf ),
		cmocka_unit_test( TestThreads ),
		cmocka_unit_test( TestCapacity ),
		cmocka_unit_test( TestWild ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
