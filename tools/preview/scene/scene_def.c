// SPDX-License-Identifier: MIT
#include "preview/scene/scene_def.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* gelPreviewSolver_Name( gelPreviewSolver solver )
{
	static const char* const names[GEL_PREVIEW_SOLVERS] = { "fast", "quality", "implicit", "particles",
		"warp" };
	return names[solver];
}

static gelVec3 Mix( gelVec3 a, gelVec3 b, float t )
{
	return gelAdd( a, gelScale( t, gelSub( b, a ) ) );
}

gelMotionKey gelMotion_At( const gelMotion* motion, float time )
{
	if ( motion->keyCount == 0 ) return ( gelMotionKey ){ .time = time };
	const gelMotionKey* keys = motion->keys;
	const gelMotionKey* last = keys + motion->keyCount - 1;
	float length = last->time - keys[0].time;
	if ( motion->repeats && length > 0.0f && time > last->time )
		time = keys[0].time + fmodf( time - keys[0].time, length );
	if ( time <= keys[0].time ) return keys[0];
	if ( time >= last->time ) return *last;
	int i = 0;
	while ( keys[i + 1].time <= time )
		i += 1;
	float t = ( time - keys[i].time ) / ( keys[i + 1].time - keys[i].time );
	t = t * t * ( 3.0f - 2.0f * t );
	return ( gelMotionKey ){ time, Mix( keys[i].position, keys[i + 1].position, t ),
		Mix( keys[i].rotation, keys[i + 1].rotation, t ) };
}

bool gelMotion_Set( gelMotion* motion, const gelMotionKey* keys, int count )
{
	GEL_ASSERT( count >= 0 );
	motion->keys = malloc( ( (size_t)count + 1 ) * sizeof( gelMotionKey ) );
	if ( motion->keys == NULL ) return false;
	if ( count > 0 ) memcpy( motion->keys, keys, (size_t)count * sizeof( gelMotionKey ) );
	motion->keyCount = count;
	return true;
}

bool gelInitSceneDef( gelSceneDef* def, const char* name, int bodies, int handles, int colliders )
{
	GEL_ASSERT( bodies >= 0 && handles >= 0 && colliders >= 0 );
	*def = ( gelSceneDef ){
		.gravity = { 0.0f, -9.81f, 0.0f },
		.hasGround = true,
		.groundStaticFriction = 0.6f,
		.groundDynamicFriction = 0.5f,
		.bodies = calloc( (size_t)bodies + 1, sizeof( gelSceneBodyDef ) ),
		.handles = calloc( (size_t)handles + 1, sizeof( gelHandleDef ) ),
		.colliders = calloc( (size_t)colliders + 1, sizeof( gelSceneColliderDef ) ),
		.bodyCount = bodies,
		.handleCount = handles,
		.colliderCount = colliders,
		.solver = -1,
	};
	snprintf( def->name, sizeof( def->name ), "%s", name );
	if ( def->bodies == NULL || def->handles == NULL || def->colliders == NULL )
	{
		def->handleCount = 0;
		def->colliderCount = 0;
		gelFreeSceneDef( def );
		return false;
	}
	for ( int i = 0; i < bodies; ++i )
		def->bodies[i] = ( gelSceneBodyDef ){ .rotation = { { 0.0f, 0.0f, 0.0f }, 1.0f }, .solver = -1 };
	for ( int i = 0; i < handles; ++i )
		def->handles[i].release = INFINITY;
	for ( int i = 0; i < colliders; ++i )
		def->colliders[i] = ( gelSceneColliderDef ){
			.rotation = { { 0.0f, 0.0f, 0.0f }, 1.0f },
			.staticFriction = 0.6f,
			.dynamicFriction = 0.5f,
		};
	return true;
}

void gelFreeSceneDef( gelSceneDef* def )
{
	for ( int i = 0; i < def->handleCount; ++i )
		free( def->handles[i].motion.keys );
	for ( int i = 0; i < def->colliderCount; ++i )
		free( def->colliders[i].motion.keys );
	free( def->bodies );
	free( def->handles );
	free( def->colliders );
	memset( def, 0, sizeof( *def ) );
}
