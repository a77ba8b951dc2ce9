// SPDX-License-Identifier: MIT
// A run without a window. Figures are taken at every frame, shapes (nodes, not art) at the few moments that
// are shown: a film of a large body would not fit into memory otherwise. Moments may move to where the body
// is strained most near their place in time, because a contact sheet should show what happens.
#include "preview/play/recording.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

// Frame of moment i: spread evenly, the first and the last frame included.
static int MomentFrame( int i, int momentCount, int frames )
{
	GEL_ASSERT( i >= 0 && i < momentCount );
	if ( momentCount <= 1 ) return frames;
	return (int)( ( (int64_t)i * frames + ( momentCount - 1 ) / 2 ) / ( momentCount - 1 ) );
}

static bool Allocate( gelRecording* r, const gelScene* scene, const gelRecordingSettings* settings )
{
	r->frameCount = settings->frames + 1;
	r->bodyCount = scene->bodyCount;
	r->nodeCount = scene->shapeCount;
	r->particleBodies = gelScene_CountParticleBodies( scene );
	r->momentCount = settings->moments < r->frameCount ? settings->moments : r->frameCount;
	r->stage = gelAabb_Empty();
	size_t frames = (size_t)r->frameCount, moments = (size_t)r->momentCount;
	r->times = calloc( frames, sizeof( double ) );
	r->contacts = calloc( frames, sizeof( int ) );
	r->bodyContacts = calloc( frames, sizeof( int ) );
	r->stats = calloc( frames * (size_t)r->bodyCount, sizeof( gelFrameStats ) );
	r->momentFrames = calloc( moments + 1, sizeof( int ) );
	r->nodes = calloc( moments * (size_t)r->nodeCount + 1, sizeof( gelVec3 ) );
	r->contactMarkCounts = calloc( moments + 1, sizeof( int ) );
	size_t marks = settings->keepContacts ? moments * GEL_MAX_CONTACT_MARKS : 0;
	r->contactMarks = calloc( marks + 1, sizeof( gelContactMark ) );
	if ( r->contactMarkCounts == NULL || r->contactMarks == NULL ) return false;
	if ( r->times == NULL || r->contacts == NULL || r->bodyContacts == NULL || r->stats == NULL ||
		r->momentFrames == NULL || r->nodes == NULL )
	{
		return false;
	}
	for ( int i = 0; i < r->momentCount; ++i )
		r->momentFrames[i] = MomentFrame( i, r->momentCount, settings->frames );
	return true;
}

// Most art vertices that a body of the scene has.
static int LargestVertexCount( const gelScene* scene )
{
	int largest = 0;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		int count = gelBody_GetPositions( scene->bodies[i], NULL, 0 );
		largest = count > largest ? count : largest;
	}
	return largest;
}

static void Measure(
	gelFrameStats* stats, gelBodyId body, const gelScene* scene, gelVec3* vertices, int capacity )
{
	stats->dynamics = gelBody_GetDynamics( body );
	gelVec3 gravity = gelWorld_GetGravity( scene->world );
	gelVec3 center = stats->dynamics.centerOfMass;
	stats->potentialEnergy = -stats->dynamics.mass *
		( gravity.x * center.x + gravity.y * ( center.y - scene->ground ) + gravity.z * center.z );
	stats->bounds = gelAabb_Empty();
	int count = gelBody_GetPositions( body, vertices, capacity );
	for ( int i = 0; i < count; ++i )
		stats->bounds = gelAabb_Add( stats->bounds, vertices[i] );
}

static double ElasticEnergy( const gelRecording* r, int frame )
{
	GEL_ASSERT( frame >= 0 && frame < r->frameCount );
	double sum = 0.0;
	for ( int b = 0; b < r->bodyCount; ++b )
		sum += (double)gelRecording_Stats( r, frame, b )->dynamics.elasticEnergy;
	return sum;
}

// The moment that a frame could be shown at: it is on the grid, or near enough to a point of the grid. -1:
// none.
static int CandidateMoment( const gelRecording* r, const gelRecordingSettings* settings, int frame )
{
	int last = r->momentCount - 1;
	int exact = gelRecording_FindMoment( r, frame );
	if ( exact >= 0 || !settings->seekDeformation || last < 2 ) return exact;
	int nearest = (int)( (double)frame * last / settings->frames + 0.5 );
	if ( nearest <= 0 || nearest >= last ) return -1;
	// Up to a third of the distance of two moments to either side; the first and the last one stay where they
	// are.
	int off = abs( frame - MomentFrame( nearest, r->momentCount, settings->frames ) );
	return 3 * off * last <= settings->frames ? nearest : -1;
}

// Frames come in order, so a moment that may move first takes the earliest frame and then only better ones.
static void KeepMoment(
	gelRecording* r, const gelScene* scene, const gelRecordingSettings* settings, int frame )
{
	GEL_ASSERT( frame >= 0 );
	int moment = CandidateMoment( r, settings, frame );
	if ( moment < 0 ) return;
	int held = r->momentFrames[moment];
	// Strained more, by the elastic energy of all bodies [J].
	bool better = held >= frame || ElasticEnergy( r, frame ) > ElasticEnergy( r, held );
	if ( !better ) return;
	r->momentFrames[moment] = frame;
	gelScene_GetNodes( scene, r->nodes + (size_t)moment * (size_t)r->nodeCount );
	if ( settings->keepContacts )
		r->contactMarkCounts[moment] = gelGetContactMarks(
			scene, r->contactMarks + (size_t)moment * GEL_MAX_CONTACT_MARKS, GEL_MAX_CONTACT_MARKS );
}

static void Capture( gelRecording* r, const gelScene* scene, const gelRecordingSettings* settings, int frame,
	gelVec3* vertices, int capacity )
{
	for ( int b = 0; b < r->bodyCount; ++b )
	{
		gelFrameStats* stats = r->stats + (size_t)frame * (size_t)r->bodyCount + (size_t)b;
		Measure( stats, scene->bodies[b], scene, vertices, capacity );
	}
	r->contacts[frame] = gelWorld_GetCounters( scene->world ).groundContactCount;
	r->bodyContacts[frame] = gelWorld_GetContacts( scene->world, NULL, 0 );
	r->times[frame] = (double)r->stepCount * (double)scene->step;
	KeepMoment( r, scene, settings, frame );
}

static gelResult Advance(
	gelRecording* r, gelScene* scene, const gelRecordingSettings* settings, int64_t untilStep )
{
	while ( r->stepCount < untilStep )
	{
		gelResult result = gel_success;
		if ( settings->session == NULL )
			result = gelScene_Step( scene );
		else if ( !gelSession_Step( settings->session ) )
			result = gel_errorArgument;
		if ( result != gel_success ) return result;
		if ( scene->shapeCount != r->nodeCount )
			return gel_errorUnsupported; // a replay went on to other bodies
		// A replay changed the solver on the way: shapes are still there, but not all of them by the same
		// solver.
		if ( gelScene_CountParticleBodies( scene ) != r->particleBodies ) r->isMixed = true;
		double seconds = scene->stepSeconds;
		r->stepSeconds += seconds;
		r->slowestStep = seconds > r->slowestStep ? seconds : r->slowestStep;
		r->stepCount += 1;
	}
	r->repairedBodies = gelWorld_GetCounters( scene->world ).nonFiniteBodyCount;
	return gel_success;
}

static gelResult Run(
	gelRecording* r, gelScene* scene, const gelRecordingSettings* settings, gelProgram* program )
{
	int capacity = LargestVertexCount( scene );
	gelVec3* vertices = malloc( ( (size_t)capacity + 1 ) * sizeof( gelVec3 ) );
	gelResult result = vertices != NULL ? gel_success : gel_errorMemory;
	for ( int frame = 0; frame < r->frameCount && result == gel_success; ++frame )
	{
		// The step that ends nearest to the frame's time.
		double steps = (double)frame / ( settings->frameRate * (double)scene->step );
		result = Advance( r, scene, settings, (int64_t)( steps + 0.5 ) );
		if ( result == gel_success ) Capture( r, scene, settings, frame, vertices, capacity );
		gelProgress_Update( &program->progress, "simulate", (double)frame / (double)settings->frames );
	}
	free( vertices );
	return result;
}

static void MeasureStage( gelRecording* r )
{
	for ( int i = 0; i < r->momentCount; ++i )
	{
		for ( int b = 0; b < r->bodyCount; ++b )
			r->stage = gelAabb_Union( r->stage, gelRecording_Stats( r, r->momentFrames[i], b )->bounds );
	}
}

bool gelRecord(
	gelRecording* recording, gelScene* scene, const gelRecordingSettings* settings, gelProgram* program )
{
	memset( recording, 0, sizeof( *recording ) );
	gelResult result = Allocate( recording, scene, settings ) ? gel_success : gel_errorMemory;
	if ( result == gel_success ) result = Run( recording, scene, settings, program );
	if ( result == gel_success )
	{
		MeasureStage( recording );
		if ( recording->repairedBodies > 0 )
		{
			gelFindings_Add( &program->findings, gel_findingBodiesReset, NULL,
				"the simulation lost a body %d times and put it back; bake with a smaller step or a softer "
				"material",
				recording->repairedBodies );
		}
		return true;
	}
	if ( result == gel_errorMemory )
	{
		gelFindings_Add( &program->findings, gel_findingNoMemory, NULL,
			"out of memory for %d frames; ask for fewer --frames", settings->frames );
	}
	else
	{
		gelFindings_Add( &program->findings, gel_findingSimulationFailed, NULL, "step %d failed: %s",
			recording->stepCount + 1, gelResult_String( result ) );
	}
	gelFreeRecording( recording );
	return false;
}

void gelFreeRecording( gelRecording* r )
{
	free( r->times );
	free( r->contacts );
	free( r->bodyContacts );
	free( r->stats );
	free( r->momentFrames );
	free( r->nodes );
	free( r->contactMarks );
	free( r->contactMarkCounts );
	memset( r, 0, sizeof( *r ) );
}

const gelFrameStats* gelRecording_Stats( const gelRecording* r, int frame, int body )
{
	GEL_ASSERT( frame >= 0 && frame < r->frameCount && body >= 0 && body < r->bodyCount );
	return r->stats + (size_t)frame * (size_t)r->bodyCount + (size_t)body;
}

int gelRecording_FindMoment( const gelRecording* r, int frame )
{
	GEL_ASSERT( frame >= 0 );
	int low = 0, high = r->momentCount;
	while ( low < high )
	{
		int middle = ( low + high ) / 2;
		if ( r->momentFrames[middle] == frame ) return middle;
		if ( r->momentFrames[middle] < frame )
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}
