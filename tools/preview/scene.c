// SPDX-License-Identifier: MIT
#include "scene.h"

#include "preview_math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEL_MAX_PREVIEW_FACTORS 1024           // formats/pack.md: sections of a pack
#define GEL_DEGREE              0.01745329252f // [rad]

// How one kind of scene sets a body up.
struct gelSceneKind
{
	const char* name;
	bool pinned;       // by the first pin set of the pack
	float gap;         // to the ground, as a part of the body's height
	float tiltDegrees; // of the first body
};

static const gelSceneKind sceneKinds[] = {
	// The tilt makes the body land on an edge and sway: a straight fall would hide most of the motion.
	{ "drop", false, 0.7f, 8.0f },
	{ "hang", true, 0.35f, 0.0f },
};

const gelSceneKind* gelFindScene( const char* name )
{
	for ( size_t i = 0; i < sizeof( sceneKinds ) / sizeof( sceneKinds[0] ); ++i )
	{
		if ( strcmp( sceneKinds[i].name, name ) == 0 ) return sceneKinds + i;
	}
	return NULL;
}

const char* gelSceneNames( void )
{
	return "drop, hang";
}

// ---- steps and pin sets ------------------------------------------------------------------------------

static uint64_t FirstPinSet( const gelAsset* asset )
{
	uint64_t id = 0;
	return gelAsset_GetPinSets( asset, &id, 1 ) > 0 ? id : 0;
}

static bool HasFactor( const gelAsset* asset, float step, uint64_t pinSetId )
{
	gelFactorInfo factors[GEL_MAX_PREVIEW_FACTORS];
	int count = gelAsset_GetFactors( asset, factors, GEL_MAX_PREVIEW_FACTORS );
	if ( count > GEL_MAX_PREVIEW_FACTORS ) count = GEL_MAX_PREVIEW_FACTORS;
	for ( int i = 0; i < count; ++i )
	{
		// "--step 1/60" is read in double, the pack holds the nearest float.
		if ( factors[i].step == step && factors[i].pinSetId == pinSetId ) return true;
	}
	return false;
}

// "0.0166667, 0.01": the step lengths of a pack, for messages.
static void ListSteps( const gelAsset* asset, uint64_t pinSetId, char* out, size_t capacity )
{
	gelFactorInfo factors[GEL_MAX_PREVIEW_FACTORS];
	int count = gelAsset_GetFactors( asset, factors, GEL_MAX_PREVIEW_FACTORS );
	if ( count > GEL_MAX_PREVIEW_FACTORS ) count = GEL_MAX_PREVIEW_FACTORS;
	size_t length = 0;
	out[0] = 0;
	for ( int i = 0; i < count && length < capacity; ++i )
	{
		if ( factors[i].pinSetId != pinSetId ) continue;
		int n = snprintf(
			out + length, capacity - length, "%s%.6g", length > 0 ? ", " : "", (double)factors[i].step );
		length += n > 0 ? (size_t)n : 0;
	}
	if ( length == 0 ) snprintf( out, capacity, "none" );
}

static bool AllHaveFactor( const gelPackSet* packs, const uint64_t* pinSets, float step )
{
	for ( int i = 0; i < packs->count; ++i )
	{
		if ( !HasFactor( packs->assets[i], step, pinSets[i] ) ) return false;
	}
	return true;
}

// The step asked for, or the first one of the first pack that all packs have.
static bool ChooseStep(
	const gelPackSet* packs, const uint64_t* pinSets, double asked, float* outStep, gelFindings* findings )
{
	char steps[128];
	if ( asked > 0.0 )
	{
		*outStep = (float)asked;
		for ( int i = 0; i < packs->count; ++i )
		{
			if ( HasFactor( packs->assets[i], *outStep, pinSets[i] ) ) continue;
			ListSteps( packs->assets[i], pinSets[i], steps, sizeof( steps ) );
			gelFindings_Add( findings, gel_finding703, packs->paths[i],
				"the step length %.6g s is not baked for this scene (baked: %s); choose one of these or bake "
				"again",
				asked, steps );
			return false;
		}
		return true;
	}
	gelFactorInfo factors[GEL_MAX_PREVIEW_FACTORS];
	int count = gelAsset_GetFactors( packs->assets[0], factors, GEL_MAX_PREVIEW_FACTORS );
	for ( int i = 0; i < count && i < GEL_MAX_PREVIEW_FACTORS; ++i )
	{
		if ( factors[i].pinSetId != pinSets[0] || !AllHaveFactor( packs, pinSets, factors[i].step ) )
			continue;
		*outStep = factors[i].step;
		return true;
	}
	ListSteps( packs->assets[0], pinSets[0], steps, sizeof( steps ) );
	gelFindings_Add( findings, gel_finding703, packs->paths[0],
		"no step length of this pack (%s) is baked into all packs for this scene; bake them with a common "
		"one",
		steps );
	return false;
}

static bool ChoosePinSets(
	const gelPackSet* packs, const gelSceneKind* kind, uint64_t* outPinSets, gelFindings* findings )
{
	for ( int i = 0; i < packs->count; ++i )
	{
		outPinSets[i] = kind->pinned ? FirstPinSet( packs->assets[i] ) : 0;
		if ( kind->pinned && outPinSets[i] == 0 )
		{
			gelFindings_Add( findings, gel_finding704, packs->paths[i],
				"the scene \"%s\" needs a pin set and this pack has none; bake it with one or use --scene "
				"drop",
				kind->name );
			return false;
		}
	}
	return true;
}

// ---- bodies ------------------------------------------------------------------------------------------

// Every body starts with another tilt, so that copies fall differently. Golden angle: never the same twice.
static gelQuat StartRotation( const gelSceneKind* kind, int body )
{
	float turn = 1.9f + 2.39996323f * (float)body;
	gelVec3 axis = { cosf( turn ), 0.0f, sinf( turn ) };
	return gelPvAxisAngle( axis, kind->tiltDegrees * GEL_DEGREE * ( 1.0f + 0.25f * (float)( body % 3 ) ) );
}

// Bounds of the art vertices of a body as it is now. False: out of memory.
static bool BodyBounds( gelBodyId body, gelAabb* outBounds )
{
	int count = gelBody_GetPositions( body, NULL, 0 );
	gelVec3* positions = malloc( ( (size_t)count + 1 ) * sizeof( gelVec3 ) );
	if ( positions == NULL ) return false;
	gelBody_GetPositions( body, positions, count );
	*outBounds = gelAabb_Empty();
	for ( int i = 0; i < count; ++i )
	{
		*outBounds = gelAabb_Add( *outBounds, positions[i] );
	}
	free( positions );
	return true;
}

static bool SayResult( gelResult result, const char* path, const char* doing, gelFindings* findings )
{
	if ( result == gel_success ) return true;
	int number = result == gel_errorMemory ? gel_finding3 : gel_finding705;
	gelFindings_Add( findings, number, path, "%s: %s", doing, gelResult_String( result ) );
	return false;
}

// Gap between the ground and a body of some height [m]. A body of the size of a house falls too slowly to
// land within a short simulation, so a fall takes at most this part of the time.
#define GEL_LONGEST_FALL 0.3f
static float StartGap( const gelScene* scene, const gelSceneSettings* settings, float height )
{
	if ( settings->dropHeight >= 0.0 ) return (float)settings->dropHeight;
	float gravity = -gelWorld_GetGravity( scene->world ).y;
	float fall = GEL_LONGEST_FALL * (float)settings->seconds;
	return fminf( settings->kind->gap * height, 0.5f * gravity * fall * fall );
}

static void SayOddSize( const char* path, float height, gelFindings* findings )
{
	if ( height >= 0.01f && height <= 20.0f ) return;
	gelFindings_Add( findings, gel_finding708, path,
		"the body is %.3g m high; lengths are in metres, so scale the art if that is not meant",
		(double)height );
}

// Bodies stand in rows of cells as large as the largest body, so that they start and land apart.
static bool PlaceBodies( gelScene* scene, const gelPackSet* packs, const gelSceneSettings* settings,
	const gelAabb* boxes, gelFindings* findings )
{
	float cell = 0.0f;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		cell = fmaxf( cell, fmaxf( boxes[i].max.x - boxes[i].min.x, boxes[i].max.z - boxes[i].min.z ) );
	}
	cell *= 1.2f;
	int columns = (int)ceilf( sqrtf( 1.6f * (float)scene->bodyCount ) );
	if ( scene->bodyCount <= 4 ) columns = scene->bodyCount;
	int rows = ( scene->bodyCount + columns - 1 ) / columns;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		gelAabb box = boxes[i];
		gelVec3 center = gelAabb_Center( box );
		float height = box.max.y - box.min.y;
		float gap = StartGap( scene, settings, height ) * ( 1.0f + 0.4f * (float)( i % 3 ) );
		if ( i < packs->count ) SayOddSize( packs->paths[scene->packs[i]], height, findings );
		gelVec3 position = { cell * ( (float)( i % columns ) - 0.5f * (float)( columns - 1 ) ) - center.x,
			gap - box.min.y, cell * ( 0.5f * (float)( rows - 1 ) - (float)( i / columns ) ) - center.z };
		gelResult result = gelBody_Reset( scene->bodies[i], position, StartRotation( settings->kind, i ) );
		if ( !SayResult( result, packs->paths[scene->packs[i]], "the body cannot be placed", findings ) )
			return false;
	}
	return true;
}

static bool CreateBodies( gelScene* scene, const gelPackSet* packs, const gelSceneSettings* settings,
	const uint64_t* pinSets, gelFindings* findings )
{
	gelAabb* boxes = calloc( (size_t)scene->bodyCount, sizeof( gelAabb ) );
	bool ok = boxes != NULL;
	for ( int i = 0; ok && i < scene->bodyCount; ++i )
	{
		int pack = i % packs->count;
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = packs->assets[pack];
		def.rotation = StartRotation( settings->kind, i );
		def.pinSetId = pinSets[pack];
		def.solver = settings->solver;
		gelResult result = gelCreateBody( scene->world, &def, scene->bodies + i );
		if ( !SayResult( result, packs->paths[pack], "the body cannot be made", findings ) )
		{
			free( boxes );
			return false;
		}
		scene->packs[i] = pack;
		scene->nodeCount += gelAsset_GetInfo( def.asset ).nodeCount;
		ok = BodyBounds( scene->bodies[i], boxes + i );
	}
	if ( !ok )
		gelFindings_Add( findings, gel_finding3, NULL, "out of memory for %d bodies", scene->bodyCount );
	ok = ok && PlaceBodies( scene, packs, settings, boxes, findings );
	free( boxes );
	return ok;
}

bool gelCreateScene(
	gelScene* scene, const gelPackSet* packs, const gelSceneSettings* settings, gelFindings* findings )
{
	memset( scene, 0, sizeof( *scene ) );
	int bodyCount = packs->count * settings->copies;
	uint64_t* pinSets = calloc( (size_t)packs->count, sizeof( uint64_t ) );
	scene->bodies = calloc( (size_t)bodyCount, sizeof( gelBodyId ) );
	scene->packs = calloc( (size_t)bodyCount, sizeof( int ) );
	bool ok = pinSets != NULL && scene->bodies != NULL && scene->packs != NULL;
	if ( !ok ) gelFindings_Add( findings, gel_finding3, NULL, "out of memory for %d bodies", bodyCount );
	ok = ok && ChoosePinSets( packs, settings->kind, pinSets, findings );
	ok = ok && ChooseStep( packs, pinSets, settings->step, &scene->step, findings );
	if ( ok )
	{
		gelWorldDef def = gelDefaultWorldDef();
		def.hasGround = true;
		def.bodyCapacity = bodyCount;
		ok = SayResult( gelCreateWorld( &def, &scene->world ), NULL, "the world cannot be made", findings );
	}
	scene->bodyCount = bodyCount;
	ok = ok && CreateBodies( scene, packs, settings, pinSets, findings );
	free( pinSets );
	if ( !ok ) gelDestroyScene( scene );
	return ok;
}

void gelDestroyScene( gelScene* scene )
{
	if ( scene->world.world != NULL ) gelDestroyWorld( scene->world );
	free( scene->bodies );
	free( scene->packs );
	memset( scene, 0, sizeof( *scene ) );
}

void gelScene_GetNodes( const gelScene* scene, gelVec3* outNodes )
{
	int left = scene->nodeCount;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		int count = gelBody_GetNodePositions( scene->bodies[i], outNodes, left );
		outNodes += count;
		left -= count;
	}
}

gelResult gelScene_SetNodes( gelScene* scene, const gelVec3* nodes )
{
	gelVec3* rest = calloc( (size_t)scene->nodeCount + 1, sizeof( gelVec3 ) ); // velocities: none
	if ( rest == NULL ) return gel_errorMemory;
	gelResult result = gel_success;
	for ( int i = 0; i < scene->bodyCount && result == gel_success; ++i )
	{
		int count = gelBody_GetNodePositions( scene->bodies[i], NULL, 0 );
		result = gelBody_SetNodeState( scene->bodies[i], nodes, rest, count );
		nodes += count;
	}
	free( rest );
	return result;
}
