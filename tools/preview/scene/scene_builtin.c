// SPDX-License-Identifier: MIT
// Sizes in these scenes are parts of the body's size, so that a mouse and a house behave alike; only gravity
// knows about metres.
#include "preview/scene/scene_builtin.h"

#include "preview/scene/scene_arena.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <string.h>

#define GEL_DEGREE 0.01745329252f // [rad]

typedef enum Feature
{
	featurePinned = 1,   // hangs on its first pin set, if the pack has one
	featureFloating = 2, // no gravity
	featureSpin = 4,     // turns at the start
	featureGrounded = 8, // stands on the ground
} Feature;

struct gelSceneKind
{
	const char* name;
	int features;
	float gap;         // to the ground, as a part of the body's height
	float tiltDegrees; // tilt of the first body
	int handlesPerBody;
	/// Writes the handles of body number i; size is that of its box [m]. False: out of memory.
	bool ( *addHandles )( gelSceneDef* def, int i, gelVec3 size );
	int collidersPerBody, colliders; // so many for each body and for the scene
	/// Places bodies and colliders in its own way; size is that of the largest body [m]. False: out of
	/// memory.
	bool ( *arrange )( gelSceneDef* def, gelVec3 size );
	int fewestBodies; // with one copy of each pack: packs are repeated
};

// Slices of a body's box from below and above.
static const gelAabb lowerSlice = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.15f, 1.0f } };
static const gelAabb upperSlice = { { 0.0f, 0.85f, 0.0f }, { 1.0f, 1.0f, 1.0f } };
static const gelAabb leftSlice = { { 0.0f, 0.0f, 0.0f }, { 0.15f, 1.0f, 1.0f } };
static const gelAabb rightSlice = { { 0.85f, 0.0f, 0.0f }, { 1.0f, 1.0f, 1.0f } };
static const gelAabb backSlice = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 1.0f, 0.15f } };

static gelMotionKey Key( float time, gelVec3 position, gelVec3 rotation )
{
	return ( gelMotionKey ){ time, position, rotation };
}

static const gelVec3 none = { 0.0f, 0.0f, 0.0f };

// Ropes and sheets that lie: they are long rather than high.
static bool IsLying( gelVec3 size )
{
	return size.y < 0.3f * fmaxf( size.x, size.z );
}

// By the upper end; what lies, by the end of its length, so that it swings down.
static bool AddHang( gelSceneDef* def, int i, gelVec3 size )
{
	GEL_ASSERT( i >= 0 && i < def->bodyCount );
	gelAabb end = size.x >= size.z ? leftSlice : backSlice;
	def->handles[i] =
		( gelHandleDef ){ .body = i, .region = IsLying( size ) ? end : upperSlice, .release = INFINITY };
	return true;
}

static bool AddPair( gelSceneDef* def, int i, gelAabb first, gelAabb second, const gelMotionKey* firstEnd,
	const gelMotionKey* secondEnd )
{
	GEL_ASSERT( 2 * i + 1 < def->handleCount );
	const gelMotionKey* ends[2] = { firstEnd, secondEnd };
	for ( int k = 0; k < 2; ++k )
	{
		gelHandleDef* handle = def->handles + 2 * i + k;
		*handle = ( gelHandleDef ){ .body = i, .region = k == 0 ? first : second, .release = INFINITY };
		const gelMotionKey keys[] = { Key( 0.2f, none, none ), *ends[k] };
		if ( !gelMotion_Set( &handle->motion, keys, 2 ) ) return false;
	}
	return true;
}

static bool AddStretch( gelSceneDef* def, int i, gelVec3 size )
{
	GEL_ASSERT( i >= 0 && i < def->bodyCount );
	float far = 0.35f * size.x;
	gelMotionKey left = Key( 1.2f, ( gelVec3 ){ -far, 0.0f, 0.0f }, none );
	gelMotionKey right = Key( 1.2f, ( gelVec3 ){ far, 0.0f, 0.0f }, none );
	return AddPair( def, i, leftSlice, rightSlice, &left, &right );
}

static bool AddTwist( gelSceneDef* def, int i, gelVec3 size )
{
	GEL_ASSERT( i >= 0 && i < def->bodyCount );
	(void)size;
	gelMotionKey lower = Key( 1.4f, none, ( gelVec3 ){ 0.0f, -80.0f * GEL_DEGREE, 0.0f } );
	gelMotionKey upper = Key( 1.4f, none, ( gelVec3 ){ 0.0f, 80.0f * GEL_DEGREE, 0.0f } );
	return AddPair( def, i, lowerSlice, upperSlice, &lower, &upper );
}

// ---- scenes with colliders -----------------------------------------------------------------------------

static float Largest( gelVec3 size )
{
	return fmaxf( size.x, fmaxf( size.y, size.z ) );
}

// A plate comes down on each body to half of its height, waits, and goes away.
static bool ArrangeSquash( gelSceneDef* def, gelVec3 size )
{
	gelVec3 half = { 0.75f * size.x, 0.04f * size.y, 0.75f * size.z };
	const gelVec3 down = { 0.0f, -0.55f * size.y, 0.0f };
	const gelMotionKey keys[] = { Key( 0.1f, none, none ), Key( 0.8f, down, none ), Key( 1.1f, down, none ),
		Key( 1.5f, ( gelVec3 ){ 0.0f, 0.6f * size.y, 0.0f }, none ) };
	for ( int i = 0; i < def->bodyCount; ++i )
	{
		gelVec3 at = def->bodies[i].at;
		gelAddBox( def->colliders + i, ( gelVec3 ){ at.x, at.y + 1.05f * size.y + half.y, at.z }, half );
		if ( !gelMotion_Set( &def->colliders[i].motion, keys, 4 ) ) return false;
	}
	return true;
}

// Bodies in layers of three over the middle, each layer turned, so that they fall onto each other.
static void StackBodies( gelSceneDef* def, float size, float radius, float low )
{
	GEL_ASSERT( size > 0.0f );
	for ( int i = 0; i < def->bodyCount; ++i )
	{
		int layer = i / 3;
		float angle = 2.0943951f * (float)( i % 3 ) + 0.9f * (float)layer;
		def->bodies[i].at =
			( gelVec3 ){ radius * cosf( angle ), low + 1.25f * size * (float)layer, radius * sinf( angle ) };
		gelVec3 axis = gelNormalize( ( gelVec3 ){ cosf( 3.0f * angle ), 0.6f, sinf( 5.0f * angle ) } );
		def->bodies[i].rotation = gelMakeQuatFromAxisAngle( axis, 0.7f * (float)i );
	}
	def->camera.isSet = true;
	def->camera.yaw = 25.0f * GEL_DEGREE;
	def->camera.pitch = 32.0f * GEL_DEGREE;
}

static bool ArrangeBowl( gelSceneDef* def, gelVec3 box )
{
	float size = Largest( box );
	gelAddRing( def->colliders, 0.9f * size, 2.3f * size, 0.0f, 1.1f * size );
	StackBodies( def, size, 0.65f * size, 0.5f * size );
	return true;
}

static void MakeSlippery( gelSceneDef* def, float friction )
{
	for ( int i = 0; i < def->colliderCount; ++i )
		def->colliders[i].staticFriction = def->colliders[i].dynamicFriction = friction;
}

// Bodies come one after the other, each a little beside the middle, so that it slides down the wall and turns
// before it passes the outlet, which is a little wider than a body is long: two at once would get stuck.
static bool ArrangeFunnel( gelSceneDef* def, gelVec3 box )
{
	float size = Largest( box ), low = 2.0f * size, high = 3.5f * size;
	gelAddRing( def->colliders, 0.7f * size, 1.8f * size, low, high );
	MakeSlippery( def, 0.05f );
	StackBodies( def, size, 0.4f * size, high );
	for ( int i = 0; i < def->bodyCount; ++i )
		def->bodies[i].at.y = high - 0.7f * size + 2.0f * size * (float)i;
	return true;
}

static bool ArrangeRamp( gelSceneDef* def, gelVec3 box )
{
	float size = Largest( box ), length = 5.0f * size, height = 2.2f * size;
	gelAddRamp( def->colliders, length, height, 1.6f * size * (float)def->bodyCount );
	MakeSlippery( def, 0.2f );
	for ( int i = 0; i < def->bodyCount; ++i )
		def->bodies[i].at = ( gelVec3 ){ -0.34f * length, 0.84f * height + 0.25f * size,
			1.5f * size * ( (float)i - 0.5f * (float)( def->bodyCount - 1 ) ) };
	return true;
}

static const gelSceneKind sceneKinds[] = {
	// The tilt makes the body land on an edge and sway: a straight fall would hide most of the motion.
	{ "drop", 0, 0.7f, 8.0f, 0, NULL, 0, 0, NULL, 0 },
	{ "hang", featurePinned, 0.35f, 0.0f, 1, AddHang, 0, 0, NULL, 0 },
	{ "squash", featureGrounded, 0.0f, 0.0f, 0, NULL, 1, 0, ArrangeSquash, 0 },
	{ "stretch", 0, 0.3f, 0.0f, 2, AddStretch, 0, 0, NULL, 0 },
	{ "twist", 0, 0.15f, 0.0f, 2, AddTwist, 0, 0, NULL, 0 },
	{ "spin", featureFloating | featureSpin, 0.3f, 0.0f, 0, NULL, 0, 0, NULL, 0 },
	{ "bowl", 0, 0.0f, 0.0f, 0, NULL, 0, GEL_RING_WALLS, ArrangeBowl, 9 },
	{ "ramp", 0, 0.0f, 0.0f, 0, NULL, 0, GEL_RAMP_PARTS, ArrangeRamp, 0 },
	{ "funnel", 0, 0.0f, 0.0f, 0, NULL, 0, GEL_RING_WALLS, ArrangeFunnel, 3 },
};
#define GEL_SCENE_KINDS ( (int)( sizeof( sceneKinds ) / sizeof( sceneKinds[0] ) ) )

const gelSceneKind* gelGetScene( int index )
{
	return index >= 0 && index < GEL_SCENE_KINDS ? sceneKinds + index : NULL;
}

const gelSceneKind* gelFindScene( const char* name )
{
	for ( int i = 0; i < GEL_SCENE_KINDS; ++i )
	{
		if ( strcmp( sceneKinds[i].name, name ) == 0 ) return sceneKinds + i;
	}
	return NULL;
}

const char* gelSceneKind_Name( const gelSceneKind* kind )
{
	return kind->name;
}

const char* gelSceneNames( void )
{
	static char names[128];
	size_t at = 0;
	for ( int i = 0; i < GEL_SCENE_KINDS && at < sizeof( names ); ++i )
		at += (size_t)snprintf(
			names + at, sizeof( names ) - at, "%s%s", i > 0 ? ", " : "", sceneKinds[i].name );
	GEL_ASSERT( at < sizeof( names ) );
	return names;
}

// ---- places ------------------------------------------------------------------------------------------

// Every body starts with another tilt, so that copies fall differently. Golden angle: never the same twice.
static gelQuat StartRotation( const gelSceneKind* kind, int body )
{
	float turn = 1.9f + 2.39996323f * (float)body;
	gelVec3 axis = { cosf( turn ), 0.0f, sinf( turn ) };
	return gelMakeQuatFromAxisAngle(
		axis, kind->tiltDegrees * GEL_DEGREE * ( 1.0f + 0.25f * (float)( body % 3 ) ) );
}

static gelVec3 PackSize( const gelPackSet* packs, int pack )
{
	gelAabb box = gelAsset_GetInfo( packs->assets[pack] ).restBounds;
	return gelSub( box.max, box.min );
}

static gelVec3 LargestPack( const gelPackSet* packs )
{
	gelVec3 size = none;
	for ( int i = 0; i < packs->count; ++i )
	{
		gelVec3 own = PackSize( packs, i );
		size = ( gelVec3 ){ fmaxf( size.x, own.x ), fmaxf( size.y, own.y ), fmaxf( size.z, own.z ) };
	}
	return size;
}

// Gap between the ground and a body of some size [m]. A body of the size of a house falls too slowly to
// land within a short simulation, so a fall takes at most this part of the time.
#define GEL_LONGEST_FALL 0.3f
static float StartGap(
	const gelSceneDef* def, const gelSceneKind* kind, const gelBuiltinSettings* settings, gelVec3 size )
{
	float length = fmaxf( size.x, size.z ), height = IsLying( size ) ? 0.5f * length : size.y;
	if ( kind->features & featureGrounded ) return 0.0f;
	if ( settings->dropHeight >= 0.0 ) return (float)settings->dropHeight;
	if ( kind->addHandles == AddHang && IsLying( size ) ) return 1.1f * length; // it reaches down that far
	if ( kind->handlesPerBody > 0 || ( kind->features & featureFloating ) ) return kind->gap * height;
	float fall = GEL_LONGEST_FALL * (float)settings->seconds;
	return fminf( kind->gap * height, -0.5f * def->gravity.y * fall * fall );
}

// Bodies stand in rows of cells as large as the largest body, so that they start and land apart.
static void PlaceBodies(
	gelSceneDef* def, const gelSceneKind* kind, const gelPackSet* packs, const gelBuiltinSettings* settings )
{
	float cell = 0.0f;
	for ( int i = 0; i < packs->count; ++i )
	{
		gelVec3 size = PackSize( packs, i );
		// A tilted box is wider.
		float lean = sinf( 1.5f * kind->tiltDegrees * GEL_DEGREE ) * size.y;
		cell = fmaxf( cell, fmaxf( size.x, size.z ) + lean );
	}
	cell *= kind->handlesPerBody == 2 ? 1.9f : 1.2f;
	int count = def->bodyCount;
	int columns = count <= 4 ? count : (int)ceilf( sqrtf( 1.6f * (float)count ) );
	int rows = ( count + columns - 1 ) / columns;
	for ( int i = 0; i < count; ++i )
	{
		gelSceneBodyDef* body = def->bodies + i;
		gelVec3 size = PackSize( packs, body->pack );
		float gap = StartGap( def, kind, settings, size ) * ( 1.0f + 0.4f * (float)( i % 3 ) );
		body->at = ( gelVec3 ){ cell * ( (float)( i % columns ) - 0.5f * (float)( columns - 1 ) ), gap,
			cell * ( 0.5f * (float)( rows - 1 ) - (float)( i / columns ) ) };
		body->rotation = StartRotation( kind, i );
	}
}

static bool HasPinSet( const gelAsset* asset )
{
	return gelAsset_GetPinSets( asset, NULL, 0 ) > 0;
}

// Pinned bodies need no handle: those that are left move up.
static bool AddHandles( gelSceneDef* def, const gelSceneKind* kind, const gelPackSet* packs )
{
	for ( int i = 0; i < def->bodyCount; ++i )
	{
		if ( !kind->addHandles( def, i, PackSize( packs, def->bodies[i].pack ) ) ) return false;
	}
	int kept = 0;
	for ( int i = 0; i < def->handleCount; ++i )
	{
		if ( !def->bodies[def->handles[i].body].pinned ) def->handles[kept++] = def->handles[i];
	}
	def->handleCount = kept;
	return true;
}

bool gelMakeBuiltinScene( gelSceneDef* def, const gelSceneKind* kind, const gelPackSet* packs,
	const gelBuiltinSettings* settings, gelFindings* findings )
{
	int bodies = packs->count * settings->copies;
	if ( settings->copies == 1 && bodies < kind->fewestBodies ) bodies = kind->fewestBodies;
	bool ok = gelInitSceneDef( def, kind->name, bodies, kind->handlesPerBody * bodies,
		kind->colliders + kind->collidersPerBody * bodies );
	if ( ok )
	{
		if ( kind->features & featureFloating ) def->gravity = none;
		for ( int i = 0; i < bodies; ++i )
		{
			gelSceneBodyDef* body = def->bodies + i;
			body->pack = i % packs->count;
			body->pinned = ( kind->features & featurePinned ) && HasPinSet( packs->assets[body->pack] );
			body->keepSpin = ( kind->features & featureSpin ) != 0;
			if ( body->keepSpin ) body->spin = ( gelVec3 ){ 0.0f, 9.0f, 0.0f };
		}
		PlaceBodies( def, kind, packs, settings );
		ok = kind->addHandles == NULL || AddHandles( def, kind, packs );
		ok = ok && ( kind->arrange == NULL || kind->arrange( def, LargestPack( packs ) ) );
		if ( !ok ) gelFreeSceneDef( def );
	}
	if ( !ok ) gelFindings_Add( findings, gel_findingNoMemory, NULL, "out of memory for a scene" );
	return ok;
}
