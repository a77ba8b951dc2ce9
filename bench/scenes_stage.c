// SPDX-License-Identifier: MIT
// Worlds of the suite "scenes", and how bodies and colliders are arranged in them.
#include "scenes_bench.h"

#include <math.h>
#include <stdlib.h>

// Turns between neighbors, so that no two lie alike: the golden angle [rad].
static const float s_turn = 2.39996f;

// ---- worlds ----------------------------------------------------------------------------------------------

static void* TakeMemory( void* context, size_t bytes, size_t alignment )
{
	gelSceneMemory* memory = context;
	void* block = aligned_alloc( alignment, ( bytes + alignment - 1 ) / alignment * alignment );
	if ( block == NULL ) return NULL;
	memory->bytes += bytes;
	++memory->blockCount;
	return block;
}

static void GiveBack( void* context, void* block, size_t bytes )
{
	gelSceneMemory* memory = context;
	if ( block != NULL ) memory->bytes -= bytes;
	free( block );
}

bool gelMakeBenchScene( const gelBenchSceneDef* def, gelBenchScene* out )
{
	*out = ( gelBenchScene ){ .def = *def };
	out->crew.workerCount = def->threads;
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = def->hasGround;
	worldDef.enableContact = true;
	if ( def->bodyCapacity > 0 ) worldDef.bodyCapacity = def->bodyCapacity;
	worldDef.allocator = ( gelAllocator ){ TakeMemory, GiveBack, &out->memory };
	if ( def->threads > 1 )
		worldDef.tasks = ( gelTaskSystem ){ gelCrew_ParallelFor, &out->crew, def->threads };
	return gelCreateWorld( &worldDef, &out->world ) == gel_success;
}

void gelFreeBenchScene( gelBenchScene* scene )
{
	if ( scene->world.world ) gelDestroyWorld( scene->world );
	gelFreeCrew( &scene->crew );
	scene->world.world = NULL;
}

bool gelBenchScene_Add( gelBenchScene* scene, const gelAsset* asset, gelVec3 position, float turn )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.solver = scene->def.solver;
	if ( scene->def.sleep != gel_sceneSleepDefault ) def.enableSleep = scene->def.sleep == gel_sceneSleep;
	def.transform.position = position;
	def.transform.rotation = ( gelQuat ){ { 0.0f, sinf( 0.5f * turn ), 0.0f }, cosf( 0.5f * turn ) };
	if ( scene->bodyCount == GEL_SCENE_MAX_BODIES ||
		gelCreateBody( scene->world, &def, scene->bodies + scene->bodyCount ) != gel_success )
		return false;
	double height = (double)gelBody_GetDynamics( scene->bodies[scene->bodyCount] ).centerOfMass.y;
	int count = ++scene->bodyCount;
	scene->startHeight += ( height - scene->startHeight ) / count;
	return true;
}

bool gelBenchScene_Run( gelBenchScene* scene, double seconds )
{
	int count = (int)lround( seconds / (double)scene->def.step );
	for ( int i = 0; i < count; ++i )
	{
		if ( gelWorld_Step( scene->world, scene->def.step ) != gel_success ) return false;
	}
	return true;
}

// ---- one body by itself ----------------------------------------------------------------------------------

// Height at which the lowest vertex of the art is at y = 0.
static float GetStand( const gelBenchBody* body )
{
	return -body->info.restBounds.min.y;
}

// Far above the ground, and farther from each other than they are long.
bool gelArrangeFlight( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	bool ok = true;
	for ( int i = 0; ok && i < count; ++i )
		ok = gelBenchScene_Add( scene, assets->bear.asset,
			gelMakeVec3( 2.0f * (float)( i % 10 ), 1000.0f, 2.0f * (float)( i / 10 ) ), s_turn * (float)i );
	return ok;
}

// On the ground, not touching each other: a square of them.
bool gelArrangeGround( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	bool ok = true;
	int side = (int)ceil( sqrt( (double)count ) );
	for ( int i = 0; ok && i < count; ++i )
		ok = gelBenchScene_Add( scene, assets->bear.asset,
			gelMakeVec3( (float)( i % side ), GetStand( &assets->bear ), (float)( i / side ) ),
			s_turn * (float)i );
	return ok;
}

static bool AddCollider( gelBenchScene* scene, const gelColliderDef* def )
{
	gelColliderId id;
	return gelCreateCollider( scene->world, def, &id ) == gel_success;
}

static bool AddBox( gelBenchScene* scene, gelVec3 center, gelVec3 halfExtents )
{
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeBox;
	def.transform.position = center;
	def.halfExtents = halfExtents;
	return AddCollider( scene, &def );
}

// A plane in place of the ground.
bool gelArrangePlane( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	gelColliderDef def = gelDefaultColliderDef();
	return AddCollider( scene, &def ) && gelArrangeGround( assets, scene, count );
}

// A box in place of the ground, whose upper side is at y = 0.
bool gelArrangeSlab( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	return AddBox( scene, gelMakeVec3( 0.0f, -0.5f, 0.0f ), gelMakeVec3( 5.0f, 0.5f, 5.0f ) ) &&
		gelArrangeGround( assets, scene, count );
}

// The ground, and a capsule beside the body: their boxes overlap, their surfaces are 3 cm or more apart.
bool gelArrangeCapsule( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	gelAabb box = assets->bear.info.restBounds;
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeCapsule;
	def.radius = 0.1f;
	def.halfLength = 0.3f;
	// an upright post at a corner of the box, which the round body leaves empty
	def.transform.position = gelMakeVec3( box.max.x + 0.03f, 0.4f, box.max.z + 0.03f );
	return AddCollider( scene, &def ) && gelArrangeGround( assets, scene, count );
}

// ---- many bodies -----------------------------------------------------------------------------------------

// Boxes on each other, each a little beside the one below.
static bool AddStack( gelBenchScene* scene, const gelBenchBody* box, int count )
{
	float size = box->info.restBounds.max.y - box->info.restBounds.min.y;
	bool ok = true;
	for ( int i = 0; ok && i < count; ++i )
		ok = gelBenchScene_Add( scene, box->asset,
			gelMakeVec3( i % 2 == 0 ? 0.0f : 0.02f, GetStand( box ) + size * (float)i, 0.0f ), 0.0f );
	return ok;
}

bool gelArrangeStack( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	return AddStack( scene, &assets->box, count );
}

// The same of stiffer boxes.
bool gelArrangeTower( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	return AddStack( scene, &assets->stiffBox, count );
}

// Inner half sides of the pit [m]: room for three bears side by side, and hardly more.
#define PIT_X 0.88f
#define PIT_Z 0.72f

// Four walls of 0.2 m around layers of nine.
bool gelArrangePit( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	const float thick = 0.1f, high = 3.0f;
	bool ok = true;
	for ( int side = -1; ok && side <= 1; side += 2 )
		ok = AddBox( scene, gelMakeVec3( (float)side * ( PIT_X + thick ), high, 0.0f ),
				 gelMakeVec3( thick, high, PIT_Z + 2.0f * thick ) ) &&
			AddBox( scene, gelMakeVec3( 0.0f, high, (float)side * ( PIT_Z + thick ) ),
				gelMakeVec3( PIT_X + 2.0f * thick, high, thick ) );
	for ( int i = 0; ok && i < count; ++i )
		ok = gelBenchScene_Add( scene, assets->bear.asset,
			gelMakeVec3( 0.58f * (float)( i % 3 - 1 ), GetStand( &assets->bear ) + 0.56f * (float)( i / 9 ),
				0.47f * (float)( i / 3 % 3 - 1 ) ),
			i % 2 == 0 ? 0.0f : 3.14159f );
	return ok;
}

// Three kinds of small bodies over a bowl that is a surface.
bool gelArrangeBowl( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	gelColliderDef def = gelDefaultColliderDef();
	def.shape = gel_shapeSurface;
	def.asset = assets->bowl.asset;
	bool ok = AddCollider( scene, &def );
	for ( int i = 0; ok && i < count; ++i )
		ok = gelBenchScene_Add( scene, assets->small[i % 3].asset,
			gelMakeVec3( 0.32f * (float)( i % 3 - 1 ) + 0.01f * (float)( i / 9 ),
				0.8f + 0.35f * (float)( i / 9 ), 0.32f * (float)( i / 3 % 3 - 1 ) ),
			0.0f );
	return ok;
}

// Five kinds of bodies, layers of nine over the open ground, turned differently: they fall into a heap.
bool gelArrangeHeap( const gelSceneAssets* assets, gelBenchScene* scene, int count )
{
	bool ok = true;
	for ( int i = 0; ok && i < count; ++i )
		ok = gelBenchScene_Add( scene, assets->mixed[i % GEL_SCENE_MIXED].asset,
			gelMakeVec3( 0.75f * (float)( i % 3 - 1 ) - 0.05f * (float)( i / 9 ),
				0.05f + 1.0f * (float)( i / 9 ), 0.75f * (float)( i / 3 % 3 - 1 ) ),
			s_turn * (float)i );
	return ok;
}
