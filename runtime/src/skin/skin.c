// SPDX-License-Identifier: MIT
// The art mesh on the deformed body: positions and normals, of one body or of many on all threads.
#include "solvers/particles/particle_body.h"
#include "math/polar.h"
#include "state/world.h"

#include <limits.h>
#include <string.h>

// Where the art of a body goes; as gelVertexTarget, but checked.
typedef struct Output
{
	char *positions, *normals; // of vertex 0; NULL: not wanted
	size_t stride;             // [bytes]
	int count;                 // vertices
} Output;

// ---- one body --------------------------------------------------------------------------------------------

// Positions in the scratch that kernels read, a register per node.
static void CopyNodes( gelBody* body )
{
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		body->p[i] = gelMakeVec4( body->x[i], 0.0f );
}

// What all vertices of a body need.
static void Prepare( gelBody* body, const Output* out )
{
	const gelAsset* asset = body->asset;
	if ( body->particles )
	{
		gelVec3 rounded = gelToWorld( body, gelMakeVec3( 0.0f, 0.0f, 0.0f ) );
		// what the origin is beside the float that is added to each vertex
		gelVec3 rest = { (float)( body->origin[0] - rounded.x ), (float)( body->origin[1] - rounded.y ),
			(float)( body->origin[2] - rounded.z ) };
		gelParticles_FillPalette( body->particles, rest );
		return;
	}
	CopyNodes( body );
	// Area vectors transform with cof(F). Per tet it is constant, which would show the cage's facets in the
	// shading, so it is averaged at the nodes and interpolated.
	if ( out->normals != NULL )
		body->kernels->averageCofactors(
			asset->elements, asset->blockCount, body->p, asset->nodeCount, body->cofactors );
}

// A body squeezed flat has no normals there: the rest normal turns with the element instead.
static gelVec3 TurnRestNormal( const gelBody* body, int i )
{
	const gelPackView* pack = &body->asset->pack;
	gelMat3 F = gelDeformationGradient( pack, pack->embedTets[i], body->x );
	gelQuat q = gelPolarSolve_Ref( F, gelIdentityQuat(), 20 );
	gelVec3 rest = gelDecodeNormal( pack->normals[i] );
	return gelMulMV( gelMakeMat3FromQuat( q ), gelScale( 1.0f / gelLength( rest ), rest ) );
}

static void SkinTetPositions( const gelBody* body, int first, int count, gelVec3* out )
{
	const double origin[4] = { body->origin[0], body->origin[1], body->origin[2], 0.0 };
	body->kernels->skinPositions( &body->asset->pack, body->p, origin, first, count, out );
}

static void SkinTetNormals( const gelBody* body, int first, int count, gelVec3* out )
{
	int flatCount = body->kernels->skinNormals( &body->asset->pack, body->cofactors, first, count, out );
	for ( int i = 0; i < count && flatCount > 0; ++i )
	{
		if ( out[i].x == 0.0f && out[i].y == 0.0f && out[i].z == 0.0f )
			out[i] = TurnRestNormal( body, first + i );
	}
}

// Vertices of tets are made side by side; with gaps between them, a few at a time.
#define GEL_SOME_VERTICES 128

static void SkinTets( const gelBody* body, int first, int count, char* out, size_t stride,
	void ( *skin )( const gelBody* body, int first, int count, gelVec3* out ) )
{
	if ( out == NULL ) return;
	if ( stride == sizeof( gelVec3 ) )
	{
		skin( body, first, count, (gelVec3*)(void*)( out + stride * (size_t)first ) );
		return;
	}
	for ( int done = 0; done < count; done += GEL_SOME_VERTICES )
	{
		gelVec3 some[GEL_SOME_VERTICES];
		int someCount = gelMinInt( count - done, GEL_SOME_VERTICES );
		skin( body, first + done, someCount, some );
		for ( int i = 0; i < someCount; ++i )
			memcpy( out + stride * (size_t)( first + done + i ), some + i, sizeof( gelVec3 ) );
	}
}

static int CountTiles( int vertexCount )
{
	return vertexCount / GEL_SKIN_TILE + ( vertexCount % GEL_SKIN_TILE > 0 );
}

// Vertices of some tiles of a body that is prepared.
static void SkinTiles( const gelBody* body, const Output* out, int tileFirst, int tileEnd )
{
	if ( body->particles )
	{
		gelSkinPass pass = { &body->particles->model->skin, body->particles->palette,
			gelToWorld( body, gelMakeVec3( 0.0f, 0.0f, 0.0f ) ), tileFirst, tileEnd, out->count,
			out->positions, out->normals, out->stride };
		body->kernels->particles.skinVertices( &pass );
		return;
	}
	int first = tileFirst * GEL_SKIN_TILE;
	int end = tileEnd < CountTiles( out->count ) ? tileEnd * GEL_SKIN_TILE : out->count;
	int count = end - first;
	SkinTets( body, first, count, out->positions, out->stride, SkinTetPositions );
	SkinTets( body, first, count, out->normals, out->stride, SkinTetNormals );
}

static void SkinBody( gelBody* body, const Output* out )
{
	if ( out->count <= 0 || ( out->positions == NULL && out->normals == NULL ) ) return;
	Prepare( body, out );
	SkinTiles( body, out, 0, CountTiles( out->count ) );
}

int gelBody_GetPositions( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL ) return 0;
	int vertexCount = body->asset->vertexCount;
	Output output = { (char*)out, NULL, sizeof( gelVec3 ), gelMinInt( vertexCount, outCapacity ) };
	SkinBody( body, &output );
	return vertexCount;
}

int gelBody_GetNormals( gelBodyId bodyId, gelVec3* out, int outCapacity )
{
	gelBody* body = gelGetBody( bodyId );
	if ( body == NULL || body->asset->pack.normals == NULL ) return 0;
	int vertexCount = body->asset->vertexCount;
	Output output = { NULL, (char*)out, sizeof( gelVec3 ), gelMinInt( vertexCount, outCapacity ) };
	SkinBody( body, &output );
	return vertexCount;
}

// ---- many bodies -----------------------------------------------------------------------------------------

static Output MakeOutput( const gelBody* body, const gelVertexTarget* target )
{
	return ( Output ){ (char*)target->positions, (char*)target->normals,
		target->stride == 0 ? sizeof( gelVec3 ) : (size_t)target->stride,
		gelMinInt( target->capacity, body->asset->vertexCount ) };
}

typedef struct VertexTask
{
	const gelVertexTarget* targets;
	int maxTiles; // bodies of more tiles are shared by threads, one body after another
	// ---- a body that is shared ----
	gelBody* body;
	Output output;
} VertexTask;

static bool IsShared( const VertexTask* task, const Output* output )
{
	bool isWanted = output->positions != NULL || output->normals != NULL;
	return isWanted && CountTiles( output->count ) > task->maxTiles;
}

// Threads have enough to do with whole bodies if there are several for each of them, but for giants.
static int GetMaxTiles( const struct gelWorld* world, int targetCount )
{
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
		Output output = MakeOutput( body, task->targets + i );
		if ( !IsShared( task, &output ) ) SkinBody( body, &output );
	}
}

static void SkinTiles_Task( int begin, int end, int worker, void* taskContext )
{
	(void)worker;
	const VertexTask* task = taskContext;
	SkinTiles( task->body, &task->output, begin, end );
}

static gelResult CheckTarget( const struct gelWorld* world, const gelVertexTarget* target, uint64_t call )
{
	gelBody* body = gelGetBody( target->body );
	if ( body == NULL ) return gel_errorStaleId;
	bool hasStride = target->stride == 0 || target->stride >= (int)sizeof( gelVec3 );
	if ( target->body.world != world || !hasStride || target->stride % 4 != 0 || target->capacity < 0 )
		return gel_errorArgument;
	if ( target->normals != NULL && body->asset->pack.normals == NULL ) return gel_errorUnsupported;
	if ( body->vertexCall == call ) return gel_errorArgument; // twice
	body->vertexCall = call;
	return gel_success;
}

gelResult gelWorld_GetVertices( gelWorldId worldId, const gelVertexTarget* targets, int count )
{
	struct gelWorld* world = worldId.world;
	if ( world == NULL || count < 0 || ( count > 0 && targets == NULL ) ) return gel_errorArgument;
	if ( world->isLocked ) return gel_errorLocked;
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
		Prepare( task.body, &task.output );
		gelWorld_ParallelFor( world, SkinTiles_Task, CountTiles( task.output.count ), &task );
	}
	return gel_success;
}
