// SPDX-License-Identifier: MIT
// Sessions: grabbing, pinning, pushing, changing settings; recording inputs and replaying them bit for bit.
#include "test_support.h"

#include "preview/play/input_log.h"
#include "common/program/output_file.h"
#include "preview/play/session.h"
#include "query_stage.h"
#include "test_bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Stage
{
	gelQueryStage query; // a ball with collision geometry, which rays can hit
	gelPackSet packs;
	gelProgram program;
	gelSession session;
} Stage;

static const char* const stagePaths[] = { "box.gel" };

static gelSceneSettings DropSettings( void )
{
	return (
		gelSceneSettings ){ .kind = gelFindScene( "drop" ), .dropHeight = 0.3, .seconds = 1.0, .copies = 1 };
}

static void OpenStage( Stage* stage )
{
	memset( stage, 0, sizeof( *stage ) );
	gelInitTestProgram( &stage->program );
	stage->query = gelMakeQueryStage( gel_queryEllipsoid );
	stage->packs = ( gelPackSet ){ &stage->query.asset, stagePaths, 1 };
	const gelSceneSettings settings = DropSettings();
	assert_true( gelCreateSession( &stage->session, &stage->packs, &settings, &stage->program.findings ) );
}

static void CloseStage( Stage* stage )
{
	gelDestroySession( &stage->session );
	gelFreeQueryStage( &stage->query );
	gelFreeTestProgram( &stage->program );
}

// A ray from above through the middle of the first body.
static gelInput RayFromAbove( const gelSession* session, gelInputKind kind )
{
	gelVec3 center = gelBody_GetDynamics( session->scene.bodies[0] ).centerOfMass;
	return ( gelInput ){ .kind = kind,
		.v = { { center.x + 0.01f, center.y + 5.0f, center.z + 0.02f }, { 0.0f, -1.0f, 0.0f } } };
}

static void StepTimes( gelSession* session, int count )
{
	for ( int i = 0; i < count; ++i )
		assert_true( gelSession_Step( session ) );
}

static float Height( const gelSession* session )
{
	return gelBody_GetDynamics( session->scene.bodies[0] ).centerOfMass.y;
}

static void TestGrabLiftsAndThrowFlies( void** state )
{
	(void)state;
	Stage stage;
	OpenStage( &stage );
	gelSession* s = &stage.session;
	StepTimes( s, 120 );
	float lying = Height( s );
	// Beside the body there is nothing to grab.
	gelInput miss = RayFromAbove( s, gel_inputGrab );
	miss.v[0].x += 50.0f;
	assert_false( gelSession_Input( s, miss ) );
	assert_false( s->isGrabbing );

	assert_true( gelSession_Input( s, RayFromAbove( s, gel_inputGrab ) ) );
	assert_true( s->isGrabbing );
	gelVec3 target = s->grabTarget;
	for ( int i = 0; i < 60; ++i )
	{
		target.y += 0.02f;
		gelInput drag = { .kind = gel_inputDrag, .v = { target } };
		assert_true( gelSession_Input( s, drag ) );
		StepTimes( s, 1 );
	}
	assert_true( Height( s ) > lying + 0.5f );
	assert_true( fabsf( gelSession_GrabPoint( s ).y - target.y ) < 0.6f );
	// Let go in motion: it flies on upwards for a while.
	float before = Height( s );
	assert_true( gelSession_Input( s, ( gelInput ){ .kind = gel_inputRelease } ) );
	StepTimes( s, 3 );
	assert_true( Height( s ) > before );
	StepTimes( s, 240 );
	assert_true( Height( s ) < lying + 0.2f );
	CloseStage( &stage );
}

static void TestPinsHoldAndLetGo( void** state )
{
	(void)state;
	Stage stage;
	OpenStage( &stage );
	gelSession* s = &stage.session;
	assert_true( gelSession_Input( s, RayFromAbove( s, gel_inputPin ) ) );
	assert_int_equal( s->pinCount, 1 );
	float start = Height( s );
	StepTimes( s, 120 );
	assert_true( Height( s ) > start - 0.25f );
	// The same place again: unpinned. And it can be done from the list, too.
	gelInput again = { .kind = gel_inputPin,
		.v = { { s->pins[0].target.x, s->pins[0].target.y + 5.0f, s->pins[0].target.z },
			{ 0.0f, -1.0f, 0.0f } } };
	assert_true( gelSession_Input( s, again ) );
	assert_int_equal( s->pinCount, 0 );
	assert_true( gelSession_Input( s, RayFromAbove( s, gel_inputPin ) ) );
	assert_true( gelSession_Input( s, ( gelInput ){ .kind = gel_inputUnpin } ) );
	assert_int_equal( s->pinCount, 0 );
	assert_int_equal( gelBody_GetConstraints( s->scene.bodies[0], NULL, 0 ), 0 );
	CloseStage( &stage );
}

static void TestPushMovesTheBody( void** state )
{
	(void)state;
	Stage stage;
	OpenStage( &stage );
	gelSession* s = &stage.session;
	gelVec3 center = gelBody_GetDynamics( s->scene.bodies[0] ).centerOfMass;
	gelInput push = { .kind = gel_inputPush,
		.v = { { center.x - 5.0f, center.y, center.z }, { 1.0f, 0.0f, 0.0f } } };
	assert_true( gelSession_Input( s, push ) );
	gelBodyDynamics d = gelBody_GetDynamics( s->scene.bodies[0] );
	assert_true( fabsf( d.linearMomentum.x / d.mass - 1.5f ) < 0.01f );
	CloseStage( &stage );
}

// Another solver goes on from the same shape; one that is not baked is refused, and nothing changes.
static void TestSettingsChangeInFlight( void** state )
{
	(void)state;
	Stage stage;
	OpenStage( &stage );
	gelSession* s = &stage.session;
	StepTimes( s, 8 );
	gelBodyDynamics before = gelBody_GetDynamics( s->scene.bodies[0] );
	assert_true(
		gelSession_Input( s, ( gelInput ){ .kind = gel_inputSolver, .value = gel_previewImplicit } ) );
	gelBodyDynamics after = gelBody_GetDynamics( s->scene.bodies[0] );
	assert_true( fabsf( after.centerOfMass.y - before.centerOfMass.y ) < 1e-6f );
	assert_true( fabsf( after.linearMomentum.y - before.linearMomentum.y ) < 1e-3f * before.mass );
	assert_int_equal( s->scene.stepCount, 8 );
	assert_true( gelSession_Input( s, ( gelInput ){ .kind = gel_inputSolver, .value = gel_previewFast } ) );
	float step = s->scene.step;
	assert_false(
		gelSession_Input( s, ( gelInput ){ .kind = gel_inputStep, .v = { { 0.3f, 0.0f, 0.0f } } } ) );
	assert_true( s->message[0] != 0 );
	assert_true( s->scene.step == step );
	assert_true( gelSession_Input( s, ( gelInput ){ .kind = gel_inputScene, .value = 1 } ) );
	assert_string_equal( s->scene.def.name, "hang" );
	assert_false( gelSession_Input( s, ( gelInput ){ .kind = gel_inputScene, .value = 99 } ) );
	assert_string_equal( s->scene.def.name, "hang" );
	CloseStage( &stage );
}

static void TestTimeGoesWithTheClock( void** state )
{
	(void)state;
	Stage stage;
	OpenStage( &stage );
	gelSession* s = &stage.session;
	s->playing = false;
	assert_int_equal( gelSession_Advance( s, 1.0, 10.0 ), 0 );
	s->playing = true;
	assert_int_equal( gelSession_Advance( s, 0.501, 10.0 ), 30 );
	s->speed = 0.1;
	assert_int_equal( gelSession_Advance( s, 0.5, 10.0 ), 3 );
	CloseStage( &stage );
}

// ---- recording and replay ----------------------------------------------------------------------------

// Everything that a person can do, at odd moments.
static void Play( gelSession* s )
{
	StepTimes( s, 7 );
	gelSession_Input( s, RayFromAbove( s, gel_inputGrab ) );
	for ( int i = 0; i < 20; ++i )
	{
		gelVec3 target = { 0.01f * (float)i, 1.0f + 0.013f * (float)i, 0.3f };
		gelSession_Input( s, ( gelInput ){ .kind = gel_inputDrag, .v = { target } } );
		StepTimes( s, 1 );
	}
	gelSession_Input( s, ( gelInput ){ .kind = gel_inputRelease } );
	StepTimes( s, 3 );
	gelSession_Input( s, RayFromAbove( s, gel_inputPin ) );
	StepTimes( s, 9 );
	gelSession_Input( s, ( gelInput ){ .kind = gel_inputSolver, .value = gel_previewImplicit } );
	StepTimes( s, 5 );
	gelSession_Input( s, ( gelInput ){ .kind = gel_inputGravity, .v = { { 1.0f, -5.0f, 0.1f } } } );
	gelSession_Input( s, ( gelInput ){ .kind = gel_inputPasses, .value = 2 } );
	StepTimes( s, 5 );
	gelSession_Input( s, RayFromAbove( s, gel_inputPush ) );
	gelSession_Input( s, ( gelInput ){ .kind = gel_inputSolver, .value = gel_previewFast } );
	StepTimes( s, 11 );
}

static char* TemporaryPath( char* out, size_t capacity, const char* name )
{
	snprintf( out, capacity, "%s-%ld-%s", "test_preview_session", (long)getpid(), name );
	return out;
}

static void TestReplayIsExact( void** state )
{
	(void)state;
	Stage stage;
	char path[128];
	OpenStage( &stage );
	gelInputLog log = { 0 }, read;
	stage.session.record = &log;
	assert_true( gelInputLog_Begin( &log, &stage.packs, &stage.session.settings ) );
	Play( &stage.session );
	log.tickCount = stage.session.tick;
	log.hash = gelWorld_HashState( stage.session.scene.world );
	assert_true( log.count > 25 );
	TemporaryPath( path, sizeof( path ), "log.txt" );
	assert_true( gelWriteInputLog( &log, path, &stage.program.findings ) );
	gelFreeInputLog( &log );
	gelDestroySession( &stage.session );

	assert_true( gelReadInputLog( &read, path, &stage.program.findings ) );
	assert_true( gelInputLog_CheckPacks( &read, &stage.packs, path, &stage.program.findings ) );
	const gelSceneSettings other = {
		.kind = gelFindScene( "spin" ), .dropHeight = -1.0, .seconds = 2.0, .copies = 2
	};
	assert_true( gelCreateSession( &stage.session, &stage.packs, &other, &stage.program.findings ) );
	assert_true( gelSession_BeginReplay( &stage.session, &read, &stage.program.findings ) );
	// While a replay runs a person changes nothing.
	assert_false( gelSession_Input( &stage.session, ( gelInput ){ .kind = gel_inputReset } ) );
	while ( !gelSession_ReplayEnded( &stage.session ) )
		StepTimes( &stage.session, 1 );
	assert_true( gelWorld_HashState( stage.session.scene.world ) == read.hash );
	gelCheckReplay( &stage.session, path, &stage.program );
	assert_int_equal( stage.program.findings.errorCount, 0 );

	// One bit of one input: the end is another, and is told.
	read.items[3].v[0].x += 1e-3f;
	assert_true( gelSession_BeginReplay( &stage.session, &read, &stage.program.findings ) );
	while ( !gelSession_ReplayEnded( &stage.session ) )
		StepTimes( &stage.session, 1 );
	gelCheckReplay( &stage.session, path, &stage.program );
	assert_int_equal( stage.program.findings.exitCode, gel_exitLimit );
	read.packs[0][0] ^= 1;
	assert_false( gelInputLog_CheckPacks( &read, &stage.packs, path, &stage.program.findings ) );
	gelFreeInputLog( &read );
	unlink( path );
	CloseStage( &stage );
}

// Damaged recordings are refused, or read as something that can be replayed; never worse.
static void TestDamagedLogs( void** state )
{
	(void)state;
	Stage stage;
	char path[128];
	OpenStage( &stage );
	gelInputLog log = { 0 };
	stage.session.record = &log;
	assert_true( gelInputLog_Begin( &log, &stage.packs, &stage.session.settings ) );
	Play( &stage.session );
	log.tickCount = stage.session.tick;
	TemporaryPath( path, sizeof( path ), "damaged.txt" );
	assert_true( gelWriteInputLog( &log, path, &stage.program.findings ) );
	gelFreeInputLog( &log );
	size_t bytes = 0;
	char* text = (char*)gelReadFile( path, 1 << 20, &bytes, &stage.program.findings );
	assert_non_null( text );
	gelRandom random = { 5 };
	int refused = 0;
	gelFindings quiet = { .quiet = true };
	for ( int round = 0; round < 300; ++round )
	{
		size_t at = (size_t)gelRandom_Uniform( &random, 0.0, (double)bytes );
		char old = text[at];
		text[at] = (char)gelRandom_Uniform( &random, 1.0, 127.0 );
		size_t length = round % 3 == 0 ? at : bytes;
		assert_true( gelWriteFile( path, text, length, &quiet ) );
		if ( gelReadInputLog( &log, path, &quiet ) )
			gelFreeInputLog( &log );
		else
			refused += 1;
		text[at] = old;
	}
	assert_true( refused > 100 );
	assert_int_equal( gelFindings_Total( &quiet, gel_findingInputLogWrong ), refused );
	gelFreeFindings( &quiet );
	free( text );
	unlink( path );
	CloseStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestGrabLiftsAndThrowFlies ),
		cmocka_unit_test( TestPinsHoldAndLetGo ),
		cmocka_unit_test( TestPushMovesTheBody ),
		cmocka_unit_test( TestSettingsChangeInFlight ),
		cmocka_unit_test( TestTimeGoesWithTheClock ),
		cmocka_unit_test( TestReplayIsExact ),
		cmocka_unit_test( TestDamagedLogs ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
