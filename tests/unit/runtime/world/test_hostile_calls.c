// SPDX-License-Identifier: MIT
// A monkey that calls everything with numbers at the edge of what is allowed does not get the world to lose
// its mind; and no public function is forgotten by the tests of hostile calls.
#include "test_support.h"

#include "hostile_scene.h"
#include "state/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- a monkey ----------------------------------------------------------------------------------------

// Small, large, and at the very edge of what is allowed.
static float PickNumber( gelRandom* random )
{
	switch ( gelRandom_Next( random ) % 8 )
	{
		case 0:
			return 0.0f;
		case 1:
			return 1.0e9f;
		case 2:
			return -1.0e9f;
		case 3:
			return (float)( 1.0e6 * gelRandom_Normal( random ) );
		case 4:
			return 1.0e-38f;
		case 5:
			return NAN;
		default:
			return (float)gelRandom_Normal( random );
	}
}

static gelVec3 PickVector( gelRandom* random )
{
	return ( gelVec3 ){ PickNumber( random ), PickNumber( random ), PickNumber( random ) };
}

static gelQuat PickQuat( gelRandom* random )
{
	gelQuat q = { { (float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ),
					  (float)gelRandom_Normal( random ) },
		0.1f };
	float inv = 1.0f / sqrtf( gelLengthSquaredQuat( q ) );
	return ( gelQuat ){ gelScale( inv, q.v ), inv * q.s };
}

static void Poke( gelRandom* random, gelHostileScene* scene )
{
	gelBodyId body = scene->body;
	gelEmbeddedPoint point = { (int)( gelRandom_Next( random ) % 100 ), { 0.7f, 0.1f, 0.1f, 0.1f } };
	gelConstraintDef hold = gelMakeHold( scene, (gelConstraintKind)( gelRandom_Next( random ) % 4 ) );
	gelFrameDef frameDef = gelDefaultFrameDef();
	gelTransform pose = { PickVector( random ), PickQuat( random ) };
	gelConstraintId ids[16], id;
	int count = gelBody_GetConstraints( body, ids, 16 );
	gelConstraintId any =
		count > 0 ? ids[gelRandom_Next( random ) % (uint64_t)count] : ( gelConstraintId ){ 0 };
	switch ( gelRandom_Next( random ) % 16 )
	{
		case 0:
			gelBody_AddPointForce( body, &point, PickVector( random ) );
			break;
		case 1:
			gelBody_AddPointImpulse( body, &point, PickVector( random ) );
			break;
		case 2:
			gelBody_SetPointVelocity( body, &point, PickVector( random ) );
			break;
		case 3:
			gelBody_MovePoint( body, &point, PickVector( random ), PickNumber( random ) );
			break;
		case 4:
		case 5:
			hold.point = point;
			hold.target = PickVector( random );
			hold.axis = PickVector( random );
			hold.stiffness = fabsf( PickNumber( random ) );
			hold.damping = fabsf( PickNumber( random ) );
			if ( gelRandom_Next( random ) % 2 ) hold.frame = scene->frame;
			gelCreateConstraint( body, &hold, &id );
			break;
		case 6:
			gelConstraint_SetTarget( any, PickVector( random ) );
			break;
		case 7:
			gelConstraint_SetAxis( any, PickVector( random ) );
			break;
		case 8:
			gelDestroyConstraint( any );
			break;
		case 9:
			gelFrame_SetTransform( scene->frame, pose );
			break;
		case 10:
			gelBody_Teleport( body, ( gelTransform ){ PickVector( random ), PickQuat( random ) } );
			break;
		case 11:
			if ( gelRandom_Next( random ) % 4 == 0 )
				gelBody_Reset( body, ( gelTransform ){ PickVector( random ), PickQuat( random ) } );
			break;
		case 12:
			gelWorld_SetGravity( scene->stage.world, PickVector( random ) );
			break;
		case 13:
			gelDestroyFrame( scene->frame );
			frameDef.mass = fabsf( PickNumber( random ) );
			frameDef.inertia = ( gelVec3 ){ 1e-3f, 1.0f, 1e3f };
			gelCreateFrame( body, &frameDef, &scene->frame );
			break;
		case 14:
			gelBody_AddNodeForce( body, 3, PickVector( random ) );
			break;
		default:
			gelConstraint_SetSpring( any, fabsf( PickNumber( random ) ), fabsf( PickNumber( random ) ) );
			break;
	}
}

static void TestMonkey( void** state )
{
	(void)state;
	const gelSolverType solvers[3] = { gel_solverFastCorotated, gel_solverImplicit,
		gel_solverWarpCancelling };
	for ( int s = 0; s < 3; ++s )
	{
		for ( uint64_t seed = 1; seed <= 4; ++seed )
		{
			gelRandom random = { seed };
			gelHostileScene scene = gelMakeHostileScene( solvers[s] );
			for ( int i = 0; i < 400; ++i )
			{
				Poke( &random, &scene );
				if ( i % 2 == 0 ) gelStage_Step( &scene.stage, 1 );
				gelStage_Fetch( &scene.stage );
				for ( int k = 0; k < scene.stage.nodeCount; ++k )
				{
					gelVec3 x = scene.stage.nodes[k], v = scene.stage.velocities[k];
					assert_true( isfinite( x.x ) && isfinite( x.y ) && isfinite( x.z ) );
					assert_true( isfinite( v.x ) && isfinite( v.y ) && isfinite( v.z ) );
				}
				gelReaction reaction;
				if ( gelFrame_GetReaction( scene.frame, &reaction ) == gel_success )
					assert_false( isnan( reaction.force.x + reaction.force.y + reaction.force.z ) );
			}
			// what is left can be used
			gelWorld_SetGravity( scene.stage.world, ( gelVec3 ){ 0.0f, -9.81f, 0.0f } );
			gelConstraintId ids[16];
			for ( int k = gelBody_GetConstraints( scene.body, ids, 16 ); k-- > 0; )
				gelDestroyConstraint( ids[k] );
			gelBody_Reset( scene.body,
				( gelTransform ){
					( gelVec3 ){ 0.0f, 0.1f, 0.0f }, ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f } } );
			int before = gelWorld_GetCounters( scene.stage.world ).nonFiniteBodyCount;
			gelStage_Step( &scene.stage, 60 );
			assert_int_equal( gelWorld_GetCounters( scene.stage.world ).nonFiniteBodyCount, before );
			assert_true( fabsf( gelBody_GetDynamics( scene.body ).centerOfMass.y - 0.45f ) < 0.1f );
			gelFreeStage( &scene.stage );
		}
	}
}

// ---- completeness ------------------------------------------------------------------------------------

// Appends a file to a text.
static void ReadText( char* text, size_t capacity, const char* folder, const char* name )
{
	char path[1024];
	snprintf( path, sizeof( path ), "%s/../../%s/%s", GEL_TEST_DATA, folder, name );
	FILE* file = fopen( path, "rb" );
	assert_non_null( file );
	size_t length = strlen( text );
	size_t count = fread( text + length, 1, capacity - length - 1, file );
	assert_true( count > 0 );
	text[length + count] = 0;
	fclose( file );
}

static int AssertAllAreTried( const char* header, const char* tests )
{
	int count = 0;
	for ( const char* at = strstr( header, "\nGEL_API" ); at; at = strstr( at + 1, "\nGEL_API" ), ++count )
	{
		const char* end = strchr( at, '(' );
		assert_non_null( end );
		const char* start = end;
		while ( start[-1] != ' ' && start[-1] != '*' )
			--start;
		char name[128];
		snprintf( name, sizeof( name ), "%.*s", (int)( end - start + 1 ), start );
		if ( strstr( tests, name ) == NULL ) fail_msg( "%s is not tried", name );
	}
	return count;
}

// Every function of the public headers is called by a test of hostile calls, or by that of its topic.
static void TestEveryFunctionIsHere( void** state )
{
	(void)state;
	const char* headers[11] = { "debug_draw.h", "base.h", "contact.h", "gelpack.h", "interact.h", "query.h",
		"collider.h", "warp.h", "particles.h", "lod.h", "attach.h" };
	const char* topics[8] = { "world/test_hostile_ids.c", "world/test_hostile_numbers.c",
		"world/test_hostile_calls.c", "contact/test_colliders.c", "solvers/warp/test_warp_bodies.c",
		"solvers/particles/test_particle_bodies.c", "lod/test_lod_policy.c",
		"constraints/test_attachments.c" };
	size_t capacity = 1 << 20;
	char *header = calloc( capacity, 1 ), *tests = calloc( capacity, 1 );
	assert_true( header != NULL && tests != NULL );
	for ( int i = 0; i < 11; ++i )
		ReadText( header, capacity, "runtime/include/gelpack", headers[i] );
	for ( int i = 0; i < 8; ++i )
		ReadText( tests, capacity, "tests/unit/runtime", topics[i] );
	assert_true( AssertAllAreTried( header, tests ) > 100 );
	free( header );
	free( tests );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestMonkey ),
		cmocka_unit_test( TestEveryFunctionIsHere ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
