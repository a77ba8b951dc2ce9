// SPDX-License-Identifier: MIT
// The art mesh on the deformed body: positions and normals, of one body or of many on all threads.
#include "skin/skin_kernels.h"
#include "solvers/solver.h"
#include "state/world.h"

#include <limits.h>

// ---- one body --------------------------------------------------------------------------------------------

static int CountTiles( int vertexCount )
{
	return vertexCount / GEL_SKIN_TILE + ( vertexCount % GEL_SKIN_TILE > 0 );
}

static void SkinBody( gelBody* body, const gelSkinOutput* out )
{
	GEL_ASSERT( out->count <= body->asset->vertexCount );
	if ( out->count <= 0 || ( out->positions == NULL && out->normals == NULL ) ) return;
	body->solver->prepareSkin( body, out->normals != NULL );
	body->solver->skinTiles( body, out, 0, CountTiles( out->count ) );
}

int gelBody_GetPositions( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	gelBody* body = gelAskBody( bodyId );
	if ( body == NULL ) return 0;
	int vertexCount = body->asset->vertexCount;
	gelSkinOutput output = { (char*)out, NULL, sizeof( gelVec3 ), gelMinInt( vertexCount, outCapacity ) };
	SkinBody( body, &output );
	return vertexCount;
}

int gelBody_GetNormals( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	gelBody* body = gelAskBody( bodyId );
	if ( body == NULL || body->asset->pack.normals == NULL ) return 0;
	int vertexCount = body->asset->vertexCount;
	gelSkinOutput output = { NULL, (char*)out, sizeof( gelVec3 ), gelMinInt( vertexCount, outCapacity ) };
	SkinBody( body, &output );
	return vertexCount;
}

// ---- many bodies -----------------------------------------------------------------------------------------

static gelSkinOutput MakeOutput( const gelBody* body, const gelVertexTarget* target )
{
	GEL_ASSERT(
		target->capacity >= 0 && ( target->stride == 0 || target->stride >= (int)sizeof( gelVec3 ) ) );
	return ( gelSkinOutput ){ (char*)target->positions, (char*)target->normals,
		target->stride == 0 ? sizeof( gelVec3 ) : (size_t)target->stride,
		gelMinInt( target->capacity, body->asset->vertexCount ) };
}

typedef struct VertexTask
{
	const gelVertexTarget* targets;
	int maxTiles; // bodies of more tiles are shared by threads, one body after another
	// ---- a body that is shared ----
	gelBody* body;
	gelSkinOutput output;
} VertexTask;

static bool IsShared( const VertexTask* task, const gelSkinOutput* output )
{
	bool isWanted = output->positions != NULL || output->normals != NULL;
	return isWanted && CountTiles( output->count ) > task->maxTiles;
}

// Threads have enough to do with whole bodies if there are several for each of them, but for giants.
static int GetMaxTiles( const struct gelWorld* world, int targetCount )
{
	GEL_ASSERT( targetCount >= 0 );
	const gelTaskSystem* tasks = &world->def.tasks;
	bool hasThreads = tasks->parallelFor != NULL && tasks->workerCount > 1;
	if ( !hasThreads ) return INT_MAX;
	return targetCount / 4 >= tasks->workerCount ? 16 : 1;
}

static void SkinBodies_Task( int begin, int end, int worker, void* taskContext )
{
	(void)worker;
	const VertexTask* task = taskContext;
	for ( int i = begin; i < end; ++i )
	{
		gelBody* body = gelGetBody( task->targets[i].body );
		gelSkinOutput output = MakeOutput( body, task->targets + i );
		if ( !IsShared( task, &output ) ) SkinBody( body, &output );
	}
}

static void SkinTiles_Task( int begin, int end, int worker, void* taskContext )
{
	(void)worker;
	const VertexTask* task = taskContext;
	task->body->solver->skinTiles( task->body, &task->output, begin, end );
}

static gelResult CheckTarget( const struct gelWorld* world, const gelVertexTarget* target, uint64_t call )
{
	gelBody* body = gelGetBody( target->body );
	if ( body == NULL ) return GEL_CALLER_ERROR( gel_errorStaleId );
	bool hasStride = target->stride == 0 || target->stride >= (int)sizeof( gelVec3 );
	if ( target->body.world != world || !hasStride || target->stride % 4 != 0 || target->capacity < 0 )
		return GEL_CALLER_ERROR( gel_errorArgument );
	if ( target->normals != NULL && body->asset->pack.normals == NULL ) return gel_errorUnsupported;
	if ( body->vertexCall == call ) return GEL_CALLER_ERROR( gel_errorArgument ); // twice
	body->vertexCall = call;
	return gel_success;
}

gelResult gelWorld_GetVertices( gelWorldId worldId, const gelVertexTarget* targets, int count )
{
	struct gelWorld* world = worldId.world;
	if ( world == NULL || count < 0 || ( count > 0 && targets == NULL ) )
		return GEL_CALLER_ERROR( gel_errorArgument );
	if ( world->isLocked ) return GEL_CALLER_ERROR( gel_errorLocked );
	++world->vertexCalls;
	for ( int i = 0; i < count; ++i )
	{
		gelResult result = CheckTarget( world, targets + i, world->vertexCalls );
		if ( result != gel_success ) return result;
	}
	VertexTask task = { .targets = targets, .maxTiles = GetMaxTiles( world, count ) };
	gelWorld_ParallelFor( world, SkinBodies_Task, count, &task );
	for ( int i = 0; i < count; ++i )
	{
		task.body = gelGetBody( targets[i].body );
		task.output = MakeOutput( task.body, targets + i );
		if ( !IsShared( &task, &task.output ) ) continue;
		task.body->solver->prepareSkin( task.body, task.output.normals != NULL );
		gelWorld_ParallelFor( world, SkinTiles_Task, CountTiles( task.output.count ), &task );
	}
	return gel_success;
}
