// SPDX-License-Identifier: MIT
// What a person does to a scene, as inputs with a step number. The window sends inputs; a replay takes them
// from a file; both go through Apply, so that a recording that is replayed gives the same bits. Nothing else
// may change the state between steps.
#include "preview/play/session.h"

#include "common/program/report.h"

#include <gelpack/asserts.h>
#include <gelpack/math_float.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEL_RAY_REACH 1e4f // in units of the ray's direction, which is of unit length [m]
// A push gives the whole body this speed [m/s], if it were rigid.
#define GEL_PUSH_SPEED 1.5f

static bool Fail( gelSession* s, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
static bool Fail( gelSession* s, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( s->message, sizeof( s->message ), format, arguments );
	va_end( arguments );
	return false;
}

// ---- scenes ------------------------------------------------------------------------------------------

// Takes shape and motion of all bodies over into another scene of the same packs.
static gelResult CopyState( const gelScene* from, gelScene* to )
{
	gelVec3* x = malloc( ( (size_t)from->nodeCount + 1 ) * sizeof( gelVec3 ) );
	gelVec3* v = malloc( ( (size_t)from->nodeCount + 1 ) * sizeof( gelVec3 ) );
	gelResult result = x != NULL && v != NULL ? gel_success : gel_errorMemory;
	for ( int i = 0; i < from->bodyCount && result == gel_success; ++i )
	{
		// particles cannot be made of nodes: they start where the scene does
		if ( gelBody_GetParticlePoses( to->bodies[i], NULL, 0 ) > 0 ) continue;
		int count = gelBody_GetNodePositions( from->bodies[i], x, from->nodeCount );
		gelBody_GetNodeVelocities( from->bodies[i], v, from->nodeCount );
		result = gelBody_SetNodeState( to->bodies[i], x, v, count );
	}
	free( x );
	free( v );
	// Another step length: the number of steps that comes nearest to the time that has passed.
	to->stepCount = (int64_t)( gelScene_Time( from ) / (double)to->step + 0.5 );
	if ( result == gel_success )
		result = gelWorld_SetGravity( to->world, gelWorld_GetGravity( from->world ) );
	return result;
}

static gelResult HoldPin( gelSession* s, gelSessionPin* pin )
{
	gelConstraintDef def = gelDefaultConstraintDef();
	def.point = pin->point;
	def.target = pin->target;
	return gelCreateConstraint( s->scene.bodies[pin->body], &def, &pin->constraint );
}

static void DropGrab( gelSession* s )
{
	if ( s->isGrabbing ) gelDestroyConstraint( s->grab );
	s->isGrabbing = false;
}

// Makes the scene anew with the settings. With keep the bodies stay as they are.
static bool Rebuild( gelSession* s, const gelSceneSettings* settings, bool keep, gelFindings* findings )
{
	// The new scene first: if it cannot be made, the old one stays, and the message says why.
	gelScene scene;
	gelFindings quiet = { .quiet = true };
	gelFindings* used = findings != NULL ? findings : &quiet;
	bool ok = s->packs->count > 0 && gelCreateScene( &scene, s->packs, settings, used );
	if ( !ok )
	{
		const char* why = used->count > 0 ? used->items[used->count - 1].text : "there is no pack";
		Fail( s, "%s", why );
		gelFreeFindings( &quiet );
		return false;
	}
	DropGrab( s );
	keep = keep && s->hasScene;
	if ( keep )
	{
		gelResult result = CopyState( &s->scene, &scene );
		if ( result != gel_success ) Fail( s, "the state is lost: %s", gelResult_String( result ) );
	}
	if ( s->hasScene ) gelDestroyScene( &s->scene );
	s->scene = scene;
	s->settings = *settings;
	s->hasScene = true;
	s->sceneIsNew = true;
	if ( !keep ) s->pinCount = 0;
	// Pins are embedded points, which have the same meaning in the new scene of the same packs.
	for ( int i = 0; i < s->pinCount; ++i )
		HoldPin( s, s->pins + i );
	gelFreeFindings( &quiet );
	return true;
}

// Rods and sheets are what particles are for; a cage around them is a poor one.
static bool AreThin( const gelPackSet* packs )
{
	for ( int i = 0; i < packs->count; ++i )
	{
		const gelAsset* asset = packs->assets[i];
		if ( gelAsset_GetParticles( asset, NULL, 0 ) == 0 ||
			gelAsset_GetParticleShape( asset ) == gel_particlesInVolume )
			return false;
	}
	return packs->count > 0;
}

static gelSceneSettings ChooseSolver( const gelSceneSettings* settings, const gelPackSet* packs )
{
	gelSceneSettings chosen = *settings;
	if ( chosen.chooseSolver ) chosen.solver = AreThin( packs ) ? gel_previewParticles : gel_previewFast;
	return chosen;
}

bool gelCreateSession(
	gelSession* session, const gelPackSet* packs, const gelSceneSettings* settings, gelFindings* findings )
{
	memset( session, 0, sizeof( *session ) );
	session->packs = packs;
	session->settings = ChooseSolver( settings, packs );
	session->speed = 1.0;
	session->playing = true;
	return packs->count == 0 || Rebuild( session, &session->settings, false, findings );
}

void gelDestroySession( gelSession* session )
{
	if ( session->hasScene ) gelDestroyScene( &session->scene );
	memset( session, 0, sizeof( *session ) );
}

static void RestartRecord( gelSession* s )
{
	if ( s->record == NULL ) return;
	gelInputLog* log = s->record;
	log->count = 0;
	if ( !gelInputLog_Begin( log, s->packs, &s->settings ) ) Fail( s, "out of memory for the recording" );
	s->tick = 0;
}

void gelSession_DropScene( gelSession* session )
{
	if ( session->hasScene ) gelDestroyScene( &session->scene );
	session->hasScene = false;
	session->isGrabbing = false;
	session->pinCount = 0;
	session->sceneIsNew = true;
}

bool gelSession_SetPacks( gelSession* session, const gelPackSet* packs, gelFindings* findings )
{
	gelSession_DropScene( session );
	session->packs = packs;
	session->lag = 0.0;
	gelSceneSettings settings = ChooseSolver( &session->settings, packs );
	bool ok = packs->count > 0 && Rebuild( session, &settings, false, findings );
	if ( !ok && packs->count > 0 )
	{
		// The settings were those of other packs: their own first step, the plain solver.
		settings.step = 0.0;
		settings.solver = gel_previewFast;
		settings.stiffnessScale = 0.0;
		ok = Rebuild( session, &settings, false, findings );
	}
	RestartRecord( session );
	return ok;
}

// ---- inputs ------------------------------------------------------------------------------------------

static gelRay MakeRay( const gelInput* input )
{
	gelRay ray = gelDefaultRay();
	ray.origin = input->v[0];
	ray.translation = input->v[1];
	ray.maxFraction = GEL_RAY_REACH;
	return ray;
}

static bool Grab( gelSession* s, const gelInput* input )
{
	DropGrab( s );
	gelRay ray = MakeRay( input );
	gelRayHit hit;
	gelResult result = gelWorld_Grab( s->scene.world, &ray, NULL, &s->grab, &hit );
	if ( result != gel_success ) return Fail( s, "grab: %s", gelResult_String( result ) );
	s->isGrabbing = hit.isHit;
	s->grabTarget = hit.position;
	return hit.isHit;
}

static int FindBody( const gelSession* s, gelBodyId id )
{
	for ( int i = 0; i < s->scene.bodyCount; ++i )
	{
		// Bodies of a scene are never destroyed while it lives, so generations need no look.
		if ( s->scene.bodies[i].index1 == id.index1 ) return i;
	}
	return -1;
}

// The pin near a place, or -1.
static int NearestPin( const gelSession* s, int body, gelVec3 place, float reach )
{
	GEL_ASSERT( body >= 0 && body < s->scene.bodyCount );
	for ( int i = 0; i < s->pinCount; ++i )
	{
		gelVec3 at = s->pins[i].target;
		gelBody_GetPointPosition( s->scene.bodies[s->pins[i].body], &s->pins[i].point, &at );
		gelVec3 d = gelSub( at, place );
		if ( s->pins[i].body == body && gelDot( d, d ) <= reach * reach ) return i;
	}
	return -1;
}

static void RemovePin( gelSession* s, int pin )
{
	GEL_ASSERT( pin >= 0 && pin < s->pinCount );
	gelDestroyConstraint( s->pins[pin].constraint );
	memmove( s->pins + pin, s->pins + pin + 1, (size_t)( --s->pinCount - pin ) * sizeof( *s->pins ) );
}

static bool TogglePin( gelSession* s, const gelInput* input )
{
	gelRay ray = MakeRay( input );
	gelRayHit hit;
	gelResult result = gelWorld_CastRay( s->scene.world, &ray, &hit );
	if ( result != gel_success || !hit.isHit ) return false;
	int body = FindBody( s, hit.body );
	// A click near a pin removes it: within 6 % of the size of the body, about the width of a pointer.
	float size = gelAabb_Radius( gelAsset_GetInfo( gelBody_GetAsset( hit.body ) ).restBounds );
	int near = NearestPin( s, body, hit.position, 0.06f * size );
	if ( near >= 0 )
	{
		RemovePin( s, near );
		return true;
	}
	if ( s->pinCount == GEL_MAX_SESSION_PINS ) return Fail( s, "no more than %d pins", GEL_MAX_SESSION_PINS );
	gelSessionPin* pin = s->pins + s->pinCount;
	*pin = ( gelSessionPin ){ .body = body, .point = hit.point, .target = hit.position };
	result = HoldPin( s, pin );
	if ( result != gel_success ) return Fail( s, "pin: %s", gelResult_String( result ) );
	s->pinCount += 1;
	return true;
}

static bool Push( gelSession* s, const gelInput* input )
{
	gelRay ray = MakeRay( input );
	gelRayHit hit;
	gelResult result = gelWorld_CastRay( s->scene.world, &ray, &hit );
	if ( result != gel_success || !hit.isHit ) return false;
	float mass = gelAsset_GetInfo( gelBody_GetAsset( hit.body ) ).mass;
	// In proportion to the mass [kg m/s], so that a push moves a mouse and an elephant alike.
	gelVec3 impulse = gelScale( GEL_PUSH_SPEED * mass, gelNormalize( input->v[1] ) );
	result = gelBody_AddPointImpulse( hit.body, &hit.point, impulse );
	return result == gel_success || Fail( s, "push: %s", gelResult_String( result ) );
}

static bool Drag( gelSession* s, const gelInput* input )
{
	if ( !s->isGrabbing ) return false;
	s->grabTarget = input->v[0];
	return gelConstraint_SetTarget( s->grab, input->v[0] ) == gel_success;
}

// Inputs that change settings and need the scene made anew.
static bool ChangeSettings( gelSession* s, const gelInput* input )
{
	gelSceneSettings settings = s->settings;
	bool keep = true;
	switch ( input->kind )
	{
		case gel_inputSolver:
			settings.solver = (gelPreviewSolver)input->value;
			settings.chooseSolver = false;
			break;
		case gel_inputStep:
			settings.step = (double)input->v[0].x;
			break;
		case gel_inputPasses:
			settings.passes = input->value;
			break;
		case gel_inputStiffness:
			settings.stiffnessScale = (double)input->v[0].x;
			break;
		case gel_inputScene:
			settings.kind = gelGetScene( input->value );
			settings.def = NULL;
			keep = false;
			break;
		default:
			keep = false;
			break;
	}
	if ( settings.def == NULL && settings.kind == NULL ) return Fail( s, "there is no such scene" );
	// Only the fast solver has scales of stiffness, from its factors.
	if ( settings.solver != gel_previewFast && settings.solver != gel_previewQuality )
		settings.stiffnessScale = 0.0;
	bool ok = Rebuild( s, &settings, keep, NULL );
	if ( !ok && input->kind == gel_inputSolver && settings.step > 0.0 )
	{
		settings.step = 0.0; // another solver may be baked for other steps only
		ok = Rebuild( s, &settings, keep, NULL );
	}
	return ok;
}

static bool Apply( gelSession* s, const gelInput* input )
{
	switch ( input->kind )
	{
		case gel_inputGrab:
			return Grab( s, input );
		case gel_inputDrag:
			return Drag( s, input );
		case gel_inputRelease:
			DropGrab( s );
			return true;
		case gel_inputPin:
			return TogglePin( s, input );
		case gel_inputPush:
			return Push( s, input );
		case gel_inputGravity:
			return gelWorld_SetGravity( s->scene.world, input->v[0] ) == gel_success;
		case gel_inputUnpin:
			while ( s->pinCount > 0 )
				RemovePin( s, s->pinCount - 1 );
			return true;
		default:
			return ChangeSettings( s, input );
	}
}

bool gelSession_Input( gelSession* session, gelInput input )
{
	// A replay is not disturbed: its end has to be the recorded one.
	if ( !session->hasScene || session->replay != NULL ) return false;
	input.tick = session->tick;
	session->message[0] = 0;
	bool ok = Apply( session, &input );
	if ( ok ) session->counts[input.kind] += 1;
	if ( ok && session->record != NULL && !gelInputLog_Add( session->record, &input ) )
		Fail( session, "out of memory for the recording" );
	return ok;
}

// ---- time --------------------------------------------------------------------------------------------

bool gelSession_Step( gelSession* s )
{
	if ( !s->hasScene ) return false;
	const gelInputLog* log = s->replay;
	// Inputs of a step come before it, as they did when they were recorded.
	while ( log != NULL && s->replayNext < log->count && log->items[s->replayNext].tick <= s->tick )
	{
		const gelInput* input = log->items + s->replayNext++;
		if ( Apply( s, input ) ) s->counts[input->kind] += 1;
	}
	gelResult result = gelScene_Step( &s->scene );
	s->tick += 1;
	if ( result == gel_success ) return true;
	s->playing = false;
	return Fail( s, "the step failed: %s", gelResult_String( result ) );
}

int gelSession_Advance( gelSession* s, double seconds, double budget )
{
	GEL_ASSERT( seconds >= 0.0 );
	if ( !s->hasScene || !s->playing ) return 0;
	double start = gelNow(), step = (double)s->scene.step;
	int count = 0;
	// Whole steps only; what is left of a frame waits for the next. [s]
	s->lag += seconds * s->speed;
	while ( s->lag >= step && !gelSession_ReplayEnded( s ) )
	{
		s->lag -= step;
		if ( !gelSession_Step( s ) ) break;
		count += 1;
		// A simulation that is slower than the time shows slow motion instead of standing still.
		if ( gelNow() - start > budget ) s->lag = 0.0;
	}
	return count;
}

bool gelSession_BeginReplay( gelSession* session, const gelInputLog* log, gelFindings* findings )
{
	gelSceneSettings settings = session->settings;
	const gelSceneSettings* from = &log->settings;
	settings.dropHeight = from->dropHeight;
	settings.seconds = from->seconds;
	settings.step = from->step;
	settings.copies = from->copies;
	settings.solver = from->solver;
	settings.chooseSolver = false;
	settings.passes = from->passes;
	settings.stiffnessScale = from->stiffnessScale;
	if ( log->scene >= 0 )
	{
		settings.kind = gelGetScene( log->scene );
		settings.def = NULL;
	}
	if ( !Rebuild( session, &settings, false, findings ) ) return false;
	session->replay = log;
	session->replayNext = 0;
	session->tick = 0;
	session->lag = 0.0;
	return true;
}

bool gelSession_ReplayEnded( const gelSession* session )
{
	return session->replay != NULL && session->tick >= session->replay->tickCount;
}

void gelCheckReplay( const gelSession* session, const char* path, gelProgram* program )
{
	gelReport_SetInt( &program->report, "replay.steps", session->tick );
	gelReport_SetInt( &program->report, "replay.inputs", session->replay->count );
	if ( !gelSession_ReplayEnded( session ) )
	{
		gelFindings_Add( &program->findings, gel_findingReplayCutShort, path,
			"only %lld of %lld steps were replayed, so the end was not compared; ask for more --frames",
			(long long)session->tick, (long long)session->replay->tickCount );
		return;
	}
	uint64_t hash = gelWorld_HashState( session->scene.world );
	bool same = hash == session->replay->hash;
	gelReport_SetBool( &program->report, "replay.exact", same );
	if ( same ) return;
	gelFindings_Add( &program->findings, gel_findingReplayDiffers, path,
		"after %lld steps the state is not the recorded one (%016llx instead of %016llx); it was recorded by "
		"another version or on another kind of machine",
		(long long)session->tick, (unsigned long long)hash, (unsigned long long)session->replay->hash );
}

bool gelSession_ShowByNodes( gelSession* session, gelFindings* findings )
{
	gelSceneSettings settings = session->settings;
	settings.solver = gel_previewImplicit; // takes any step, and will not be stepped
	settings.step = (double)session->scene.step;
	settings.stiffnessScale = 0.0;
	return Rebuild( session, &settings, false, findings );
}

gelVec3 gelSession_GrabPoint( const gelSession* session )
{
	gelVec3 place = session->grabTarget;
	gelEmbeddedPoint point;
	if ( session->isGrabbing && gelConstraint_GetPoint( session->grab, &point ) == gel_success )
		gelBody_GetPointPosition( session->grab.body, &point, &place );
	return place;
}
