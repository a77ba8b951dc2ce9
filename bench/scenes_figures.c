// SPDX-License-Identifier: MIT
// What is read off a scene: times of steps, speeds, shapes and places.
#include "scenes_bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define MAX_SAMPLES 300
#define MIN_SAMPLES 8

// ---- times -----------------------------------------------------------------------------------------------

// Seconds of this thread on a processor, or of a clock on the wall where other threads help.
static double ReadClock( const gelBenchScene* scene )
{
	if ( scene->def.threads > 1 ) return gelNow();
	struct timespec now;
	clock_gettime( CLOCK_THREAD_CPUTIME_ID, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int CompareTimes( const void* a, const void* b )
{
	double x = *(const double*)a, y = *(const double*)b;
	return x < y ? -1 : x > y;
}

bool gelTimeScene( gelBenchScene* scene, double budget, int stepsPerSample, gelSceneTimes* out )
{
	double samples[MAX_SAMPLES], spent = 0.0;
	int count = 0;
	while ( count < MIN_SAMPLES || ( count < MAX_SAMPLES && spent < budget ) )
	{
		double start = ReadClock( scene );
		for ( int i = 0; i < stepsPerSample; ++i )
		{
			if ( gelWorld_Step( scene->world, scene->def.step ) != gel_success ) return false;
		}
		double seconds = ReadClock( scene ) - start;
		spent += seconds;
		samples[count++] = seconds / stepsPerSample;
	}
	qsort( samples, (size_t)count, sizeof( double ), CompareTimes );
	*out = ( gelSceneTimes ){ samples[0], samples[count / 2] };
	return true;
}

// A body alone in the air [s].
static bool TimeFlight( const gelBenchScene* scene, const gelAsset* asset, double budget, double* outSeconds )
{
	gelBenchSceneDef def = {
		.solver = scene->def.solver, .step = scene->def.step, .threads = 1, .hasGround = true
	};
	gelBenchScene flight;
	gelSceneTimes times = { 0.0, 0.0 };
	bool ok = gelMakeBenchScene( &def, &flight ) &&
		gelBenchScene_Add( &flight, asset, gelMakeVec3( 0.0f, 1000.0f, 0.0f ), 0.0f ) &&
		gelBenchScene_Run( &flight, 0.25 ) && gelTimeScene( &flight, budget, 1, &times );
	gelFreeBenchScene( &flight );
	*outSeconds = times.fastest;
	return ok;
}

bool gelTimeFlights( const gelBenchScene* scene, double budget, double* outSum )
{
	const gelAsset* assets[GEL_SCENE_MIXED] = { NULL };
	double seconds[GEL_SCENE_MIXED];
	int count = 0;
	*outSum = 0.0;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		const gelAsset* asset = gelBody_GetAsset( scene->bodies[i] );
		int k = 0;
		while ( k < count && assets[k] != asset )
			++k;
		if ( k == GEL_SCENE_MIXED ) return false;
		if ( k == count )
		{
			assets[count++] = asset;
			if ( !TimeFlight( scene, asset, budget, seconds + k ) ) return false;
		}
		*outSum += seconds[k];
	}
	return true;
}

// ---- motion and shape ------------------------------------------------------------------------------------

static double GetFastest( const gelVec3* v, int count )
{
	double fastest = 0.0;
	for ( int i = 0; i < count; ++i )
		fastest = fmax( fastest, (double)gelDot( v[i], v[i] ) );
	return sqrt( fastest );
}

gelSceneSpeed gelBenchScene_GetSpeed( const gelBenchScene* scene )
{
	gelSceneSpeed speed = { 0.0, 0.0 };
	double energy = 0.0, mass = 0.0; // [J], [kg]
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		gelBodyDynamics dynamics = gelBody_GetDynamics( scene->bodies[i] );
		energy += (double)dynamics.kineticEnergy;
		mass += (double)dynamics.mass;
		int count = gelBody_GetNodeVelocities( scene->bodies[i], NULL, 0 );
		gelVec3* v = malloc( (size_t)count * sizeof( gelVec3 ) );
		if ( v == NULL ) abort();
		gelBody_GetNodeVelocities( scene->bodies[i], v, count );
		speed.fastest = fmax( speed.fastest, GetFastest( v, count ) );
		free( v );
	}
	speed.rms = sqrt( 2.0 * energy / mass );
	return speed;
}

// Height of the lowest vertex of the art [m].
static double GetLowest( gelBodyId bodyId )
{
	int count = gelBody_GetPositions( bodyId, NULL, 0 );
	gelVec3* x = malloc( (size_t)count * sizeof( gelVec3 ) );
	if ( x == NULL ) abort();
	gelBody_GetPositions( bodyId, x, count );
	double lowest = INFINITY;
	for ( int i = 0; i < count; ++i )
		lowest = fmin( lowest, (double)x[i].y );
	free( x );
	return lowest;
}

static void FindDeepest( const gelBenchScene* scene, gelSceneRest* rest )
{
	rest->contactCount = gelWorld_GetContacts( scene->world, NULL, 0 );
	gelContact* contacts = calloc( (size_t)rest->contactCount + 1, sizeof( gelContact ) );
	if ( contacts == NULL ) abort();
	gelWorld_GetContacts( scene->world, contacts, rest->contactCount );
	for ( int i = 0; i < rest->contactCount; ++i )
		rest->depth = fmax( rest->depth, (double)contacts[i].depth );
	free( contacts );
}

gelSceneRest gelBenchScene_GetRest( const gelBenchScene* scene, double reach )
{
	gelSceneRest rest = { .leastVolume = INFINITY };
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		gelBodyDynamics dynamics = gelBody_GetDynamics( scene->bodies[i] );
		gelVec3 center = dynamics.centerOfMass;
		double volume =
			(double)dynamics.volume / (double)gelAsset_GetInfo( gelBody_GetAsset( scene->bodies[i] ) ).volume;
		rest.height += (double)center.y / scene->bodyCount;
		rest.volume += volume / scene->bodyCount;
		rest.leastVolume = fmin( rest.leastVolume, volume );
		rest.invertedTetCount += dynamics.invertedTetCount;
		rest.lostCount += center.y < 0.0f || hypot( (double)center.x, (double)center.z ) > reach;
		rest.below = fmax( rest.below, -GetLowest( scene->bodies[i] ) );
	}
	rest.resetCount = gelWorld_GetCounters( scene->world ).nonFiniteBodyCount;
	FindDeepest( scene, &rest );
	return rest;
}
