// SPDX-License-Identifier: MIT
// Scenes as JSON (docs/preview.md). Angles are degrees in the file and radians from here on; lengths [m];
// members that are missing keep the value of gelInitSceneDef. Sizes and counts are bounded, because a scene
// file may come from a stranger, too.
#include "preview/scene/scene_file.h"

#include "common/program/json_place.h"
#include "common/program/output_file.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GEL_MAX_SCENE_BYTES ( (size_t)16 << 20 )
#define GEL_MAX_SCENE_PACKS 64
#define GEL_DEGREE          0.01745329252 // [rad]
#define GEL_FARTHEST        1e4           // [m]
#define GEL_LONGEST         3600          // [s]

// A turn is a rotation vector: its direction is the axis, its length the angle. Others than Euler angles need
// no order.
static gelQuat TurnOf( gelVec3 rotation )
{
	float angle = sqrtf( gelDot( rotation, rotation ) );
	return gelMakeQuatFromAxisAngle( gelNormalize( rotation ), angle );
}

// ---- motions -----------------------------------------------------------------------------------------

static bool ReadKey( gelJsonReader* r, const json_t* object, gelMotionKey* key, float earliest )
{
	double time = -1.0;
	bool ok = gelJson_CheckKeys( r, object, "time move turn" ) &&
		gelJson_Number( r, object, "time", 0.0, GEL_LONGEST, &time ) &&
		gelJson_Vector( r, object, "move", GEL_FARTHEST, 1.0, &key->position ) &&
		gelJson_Vector( r, object, "turn", 36000.0, GEL_DEGREE, &key->rotation );
	if ( !ok ) return false;
	if ( time < 0.0 ) return gelJson_Fail( r, "a key needs its \"time\"" );
	key->time = (float)time;
	// Strictly, so that no two keys divide by nothing between them.
	return key->time > earliest || gelJson_Fail( r, "the times of keys have to grow" );
}

static bool ReadMotion( gelJsonReader* r, const json_t* owner, gelMotion* motion )
{
	const json_t* object = json_object_get( owner, "motion" );
	if ( object == NULL ) return true;
	gelJson_EnterKey( r, "motion" );
	bool ok = gelJson_CheckKeys( r, object, "keys repeat" ) &&
		gelJson_Bool( r, object, "repeat", &motion->repeats );
	const json_t* keys = ok ? gelJson_Array( r, object, "keys", GEL_MAX_MOTION_KEYS ) : NULL;
	gelMotionKey read[GEL_MAX_MOTION_KEYS];
	memset( read, 0, sizeof( read ) );
	int count = (int)json_array_size( keys );
	gelJson_EnterKey( r, "keys" );
	for ( int i = 0; ok && i < count; ++i )
	{
		gelJson_EnterIndex( r, i );
		ok = ReadKey( r, json_array_get( keys, (size_t)i ), read + i, i > 0 ? read[i - 1].time : -1.0f );
		gelJson_Leave( r );
	}
	gelJson_Leave( r );
	ok = ok && !r->failed && ( gelMotion_Set( motion, read, count ) || gelJson_Fail( r, "out of memory" ) );
	gelJson_Leave( r );
	return ok;
}

// ---- parts -------------------------------------------------------------------------------------------

static bool ReadBody( gelJsonReader* r, const json_t* object, gelSceneBodyDef* body )
{
	gelVec3 turn = { 0.0f, 0.0f, 0.0f };
	bool ok =
		gelJson_CheckKeys( r, object, "pack at turn velocity spin solver pinned keepSpin sheet collapsed" ) &&
		gelJson_Integer( r, object, "pack", 0, GEL_MAX_SCENE_PACKS - 1, &body->pack ) &&
		gelJson_Vector( r, object, "at", GEL_FARTHEST, 1.0, &body->at ) &&
		gelJson_Vector( r, object, "turn", 36000.0, GEL_DEGREE, &turn ) &&
		gelJson_Vector( r, object, "velocity", 1000.0, 1.0, &body->velocity ) &&
		gelJson_Vector( r, object, "spin", 36000.0, GEL_DEGREE, &body->spin ) &&
		gelJson_Word( r, object, "solver", GEL_SOLVER_WORDS, &body->solver ) &&
		gelJson_Bool( r, object, "pinned", &body->pinned ) &&
		gelJson_Bool( r, object, "keepSpin", &body->keepSpin ) &&
		gelJson_Bool( r, object, "sheet", &body->isSheet ) &&
		gelJson_Bool( r, object, "collapsed", &body->isCollapsed );
	body->rotation = TurnOf( turn );
	// Kept for what is only known later: whether there is such a pack.
	gelJson_PlaceOf( r, "pack", &body->line, &body->column );
	return ok;
}

static bool ReadRegion( gelJsonReader* r, const json_t* object, gelAabb* region )
{
	*region = ( gelAabb ){ { 0.0f, 0.0f, 0.0f }, { 1.0f, 1.0f, 1.0f } };
	const json_t* member = json_object_get( object, "region" );
	if ( member == NULL ) return true;
	gelJson_EnterKey( r, "region" );
	bool ok = gelJson_CheckKeys( r, member, "min max" ) &&
		gelJson_Vector( r, member, "min", 10.0, 1.0, &region->min ) &&
		gelJson_Vector( r, member, "max", 10.0, 1.0, &region->max );
	gelVec3 a = region->min, b = region->max;
	if ( ok && ( a.x > b.x || a.y > b.y || a.z > b.z ) )
		ok = gelJson_Fail( r, "\"min\" of a region must not be above its \"max\"" );
	gelJson_Leave( r );
	return ok;
}

static bool ReadHandle( gelJsonReader* r, const json_t* object, gelHandleDef* handle, int bodyCount )
{
	GEL_ASSERT( bodyCount >= 0 );
	int kind = 0;
	double release = INFINITY;
	handle->body = 0;
	bool ok = gelJson_CheckKeys( r, object, "body region kind release motion" ) &&
		gelJson_Integer( r, object, "body", 0, bodyCount - 1, &handle->body ) &&
		ReadRegion( r, object, &handle->region ) && gelJson_Word( r, object, "kind", "hold|press", &kind ) &&
		gelJson_Number( r, object, "release", 0.0, GEL_LONGEST, &release ) &&
		ReadMotion( r, object, &handle->motion );
	handle->kind = (gelHandleKind)kind;
	handle->release = (float)release;
	gelJson_PlaceOf( r, "region", &handle->line, &handle->column );
	if ( ok && bodyCount == 0 ) return gelJson_Fail( r, "a handle needs a body to hold" );
	return ok;
}

// Sizes that a kind of collider does not have are most likely meant for another kind.
static bool CheckSizes( gelJsonReader* r, const json_t* object, gelColliderKind kind )
{
	static const char* const names[] = { "sphere", "capsule", "box", "plane" };
	static const char* const sizes[] = { "radius", "halfLength", "halfSize" };
	static const bool has[4][3] = { { true, false, false }, { true, true, false }, { false, false, true },
		{ false, false, false } };
	for ( int i = 0; i < 3; ++i )
	{
		if ( has[kind][i] || json_object_get( object, sizes[i] ) == NULL ) continue;
		gelJson_EnterKey( r, sizes[i] );
		gelJson_Fail( r, "a %s has no \"%s\"", names[kind], sizes[i] );
		gelJson_Leave( r );
		return false;
	}
	return true;
}

static bool ReadCollider( gelJsonReader* r, const json_t* object, gelSceneColliderDef* c )
{
	gelVec3 turn = { 0.0f, 0.0f, 0.0f };
	int kind = -1;
	double radius = 0.0, halfLength = 0.0, fixed = 0.6, sliding = 0.5;
	bool ok = gelJson_CheckKeys( r, object,
				  "kind at turn radius halfLength halfSize staticFriction dynamicFriction motion" ) &&
		gelJson_Word( r, object, "kind", "sphere|capsule|box|plane", &kind ) &&
		gelJson_Vector( r, object, "at", GEL_FARTHEST, 1.0, &c->position ) &&
		gelJson_Vector( r, object, "turn", 36000.0, GEL_DEGREE, &turn ) &&
		gelJson_Number( r, object, "radius", 0.0, 1000.0, &radius ) &&
		gelJson_Number( r, object, "halfLength", 0.0, 1000.0, &halfLength ) &&
		gelJson_Vector( r, object, "halfSize", 1000.0, 1.0, &c->halfSize ) &&
		gelJson_Number( r, object, "staticFriction", 0.0, 1000.0, &fixed ) &&
		gelJson_Number( r, object, "dynamicFriction", 0.0, 1000.0, &sliding ) &&
		ReadMotion( r, object, &c->motion );
	if ( !ok ) return false;
	if ( kind < 0 ) return gelJson_Fail( r, "a collider needs its \"kind\"" );
	c->kind = (gelColliderKind)kind;
	if ( !CheckSizes( r, object, c->kind ) ) return false;
	c->rotation = TurnOf( turn );
	c->radius = (float)radius;
	c->halfLength = (float)halfLength;
	c->staticFriction = (float)fixed;
	c->dynamicFriction = (float)sliding;
	bool isRound = c->kind == gel_colliderKindSphere || c->kind == gel_colliderKindCapsule;
	if ( isRound && radius <= 0.0 )
		return gelJson_Fail( r, "a sphere or capsule needs a \"radius\" above 0" );
	bool isFlat = c->halfSize.x <= 0.0f || c->halfSize.y <= 0.0f || c->halfSize.z <= 0.0f;
	if ( c->kind == gel_colliderKindBox && isFlat )
		return gelJson_Fail( r, "a box needs a \"halfSize\" above 0 along all axes" );
	return true;
}

static bool ReadGround( gelJsonReader* r, const json_t* root, gelSceneDef* def )
{
	const json_t* object = json_object_get( root, "ground" );
	if ( object == NULL ) return true;
	if ( json_is_boolean( object ) )
	{
		def->hasGround = json_is_true( object );
		return true;
	}
	double height = 0.0, fixed = 0.6, sliding = 0.5;
	gelJson_EnterKey( r, "ground" );
	bool ok = gelJson_CheckKeys( r, object, "height staticFriction dynamicFriction" ) &&
		gelJson_Number( r, object, "height", -GEL_FARTHEST, GEL_FARTHEST, &height ) &&
		gelJson_Number( r, object, "staticFriction", 0.0, 1000.0, &fixed ) &&
		gelJson_Number( r, object, "dynamicFriction", 0.0, 1000.0, &sliding );
	gelJson_Leave( r );
	def->ground = (float)height;
	def->groundStaticFriction = (float)fixed;
	def->groundDynamicFriction = (float)sliding;
	return ok;
}

static bool ReadCamera( gelJsonReader* r, const json_t* root, gelSceneCamera* camera )
{
	const json_t* object = json_object_get( root, "camera" );
	if ( object == NULL ) return true;
	double yaw = 25.0, pitch = 13.0, distance = 0.0;
	gelJson_EnterKey( r, "camera" );
	bool ok = gelJson_CheckKeys( r, object, "yaw pitch target distance" ) &&
		gelJson_Number( r, object, "yaw", -360.0, 360.0, &yaw ) &&
		gelJson_Number( r, object, "pitch", -85.0, 85.0, &pitch ) &&
		gelJson_Vector( r, object, "target", GEL_FARTHEST, 1.0, &camera->target ) &&
		gelJson_Number( r, object, "distance", 1e-3, GEL_FARTHEST, &distance );
	camera->hasTarget = json_object_get( object, "target" ) != NULL;
	if ( ok && camera->hasTarget != ( distance > 0.0 ) )
		ok = gelJson_Fail( r, "\"target\" and \"distance\" belong together" );
	gelJson_Leave( r );
	camera->isSet = true;
	camera->yaw = (float)( yaw * GEL_DEGREE );
	camera->pitch = (float)( pitch * GEL_DEGREE );
	camera->distance = (float)distance;
	return ok;
}

// ---- packs -------------------------------------------------------------------------------------------

// A path beside the scene file. NULL: out of memory.
static char* PathBeside( const char* scene, const char* name )
{
	const char* slash = strrchr( scene, '/' );
	size_t folder = slash != NULL && name[0] != '/' ? (size_t)( slash - scene ) + 1 : 0;
	size_t capacity = folder + strlen( name ) + 1;
	char* path = malloc( capacity );
	if ( path != NULL ) snprintf( path, capacity, "%.*s%s", (int)folder, scene, name );
	return path;
}

static bool ReadPacks( gelJsonReader* r, const json_t* root, gelSceneFile* file, const char* path )
{
	const json_t* packs = gelJson_Array( r, root, "packs", GEL_MAX_SCENE_PACKS );
	if ( packs == NULL ) return !r->failed;
	file->packs = calloc( json_array_size( packs ) + 1, sizeof( char* ) );
	bool ok = file->packs != NULL || gelJson_Fail( r, "out of memory" );
	gelJson_EnterKey( r, "packs" );
	for ( size_t i = 0; ok && i < json_array_size( packs ); ++i )
	{
		const json_t* name = json_array_get( packs, i );
		gelJson_EnterIndex( r, (int)i );
		ok = json_is_string( name ) && json_string_length( name ) > 0 &&
			strlen( json_string_value( name ) ) == json_string_length( name );
		if ( !ok )
			gelJson_Fail( r, "a pack is named by its path" );
		else
			file->packs[file->packCount] = PathBeside( path, json_string_value( name ) );
		ok = ok && ( file->packs[file->packCount++] != NULL || gelJson_Fail( r, "out of memory" ) );
		gelJson_Leave( r );
	}
	gelJson_Leave( r );
	return ok;
}

// ---- the file ----------------------------------------------------------------------------------------

static bool ReadParts(
	gelJsonReader* r, gelSceneDef* def, const json_t* bodies, const json_t* handles, const json_t* colliders )
{
	bool ok = true;
	gelJson_EnterKey( r, "bodies" );
	for ( int i = 0; ok && i < def->bodyCount; ++i )
	{
		gelJson_EnterIndex( r, i );
		ok = ReadBody( r, json_array_get( bodies, (size_t)i ), def->bodies + i );
		gelJson_Leave( r );
	}
	gelJson_Leave( r );
	gelJson_EnterKey( r, "handles" );
	for ( int i = 0; ok && i < def->handleCount; ++i )
	{
		gelJson_EnterIndex( r, i );
		ok = ReadHandle( r, json_array_get( handles, (size_t)i ), def->handles + i, def->bodyCount );
		gelJson_Leave( r );
	}
	gelJson_Leave( r );
	gelJson_EnterKey( r, "colliders" );
	for ( int i = 0; ok && i < def->colliderCount; ++i )
	{
		gelJson_EnterIndex( r, i );
		ok = ReadCollider( r, json_array_get( colliders, (size_t)i ), def->colliders + i );
		gelJson_Leave( r );
	}
	gelJson_Leave( r );
	return ok;
}

static bool ReadScene( gelJsonReader* r, gelSceneFile* file, const char* path )
{
	const json_t* root = r->root;
	if ( !gelJson_CheckKeys(
			 r, root, "name packs gravity ground step solver frames bodies handles colliders camera" ) )
		return false;
	const json_t* bodies = gelJson_Array( r, root, "bodies", GEL_MAX_SCENE_BODIES );
	const json_t* handles = gelJson_Array( r, root, "handles", GEL_MAX_SCENE_HANDLES );
	const json_t* colliders = gelJson_Array( r, root, "colliders", GEL_MAX_SCENE_COLLIDERS );
	if ( r->failed ) return false;
	const char* name = json_string_value( json_object_get( root, "name" ) );
	gelSceneDef* def = &file->def;
	if ( !gelInitSceneDef( def, name != NULL ? name : "scene file", (int)json_array_size( bodies ),
			 (int)json_array_size( handles ), (int)json_array_size( colliders ) ) )
		return gelJson_Fail( r, "out of memory" );
	def->file = path;
	if ( def->bodyCount == 0 )
	{
		gelJson_EnterKey( r, "bodies" );
		gelJson_Fail( r,
			bodies != NULL ? "\"bodies\" is empty: a scene needs at least one body"
						   : "a scene needs \"bodies\"" );
		gelJson_Leave( r );
		return false;
	}
	return ReadPacks( r, root, file, path ) &&
		gelJson_Vector( r, root, "gravity", 1000.0, 1.0, &def->gravity ) && ReadGround( r, root, def ) &&
		gelJson_Number( r, root, "step", 1e-5, 1.0, &def->step ) &&
		gelJson_Word( r, root, "solver", GEL_SOLVER_WORDS, &def->solver ) &&
		gelJson_Integer( r, root, "frames", 1, 36000, &def->frames ) && ReadCamera( r, root, &def->camera ) &&
		ReadParts( r, def, bodies, handles, colliders );
}

bool gelReadSceneFile( gelSceneFile* file, const char* path, gelFindings* findings )
{
	memset( file, 0, sizeof( *file ) );
	size_t bytes = 0;
	char* text = (char*)gelReadFile( path, GEL_MAX_SCENE_BYTES, &bytes, findings );
	if ( text == NULL ) return false;
	gelJsonReader reader;
	bool ok = gelJson_Open( &reader, path, text, bytes, gel_findingSceneFileWrong, findings );
	ok = ok && ReadScene( &reader, file, path );
	gelJson_Close( &reader );
	free( text );
	if ( !ok ) gelFreeSceneFile( file );
	return ok;
}

void gelFreeSceneFile( gelSceneFile* file )
{
	gelFreeSceneDef( &file->def );
	for ( int i = 0; i < file->packCount; ++i )
		free( file->packs[i] );
	free( file->packs );
	memset( file, 0, sizeof( *file ) );
}

bool gelSceneFile_CheckPacks(
	const gelSceneFile* file, const char* path, int packCount, gelFindings* findings )
{
	GEL_ASSERT( packCount >= 0 );
	for ( int i = 0; i < file->def.bodyCount; ++i )
	{
		if ( file->def.bodies[i].pack < packCount ) continue;
		gelFindings_Add( findings, gel_findingSceneFileWrong, path,
			"line %d, column %d: body %d wants pack number %d, but there %s %d, counted from 0",
			file->def.bodies[i].line, file->def.bodies[i].column, i, file->def.bodies[i].pack,
			packCount == 1 ? "is only" : "are only", packCount );
		return false;
	}
	return true;
}
