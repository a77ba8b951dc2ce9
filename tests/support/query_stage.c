// SPDX-License-Identifier: MIT
#include "query_stage.h"

#include "test_surfaces.h"
#include "query/query_debug.h"
#include "state/world.h"

#include <stdlib.h>

#define CELLS 5

static gelMesh MakeArt( gelQueryArt art )
{
	if ( art == gel_queryTorus ) return gelMakeTestTorus( 0.55, 0.25, 12 );
	bool isHollow = art == gel_queryHollow || art == gel_queryTurned;
	gelMesh mesh = isHollow ? gelMakeTestHollow( 0.8, 0.4, 12 ) : gelMakeTestSphere( 0.8, 10 );
	for ( uint32_t i = 0; i < mesh.triangleCount && art == gel_queryTurned; ++i )
		gelFlipTriangle( &mesh, i );
	if ( art == gel_queryOpen )
	{
		uint8_t* keep = malloc( mesh.triangleCount );
		assert_non_null( keep );
		for ( uint32_t i = 0; i < mesh.triangleCount; ++i )
			keep[i] = i % 97 != 0;
		gelFilterTriangles( &mesh, keep );
		gelFinishMesh( &mesh );
		free( keep );
	}
	return mesh;
}

// The pack alone, of about a cell to 0.4 m. free() it.
static uint8_t* BakeQueryPack( gelQueryArt art, size_t* outBytes )
{
	gelCage cage = gelMakeBoxCage( CELLS, CELLS, CELLS, 2.0, 2.0, 2.0, gel_boxSplitFive );
	for ( uint32_t i = 0; i < 3 * cage.nodeCount; ++i )
		cage.positions[i] -= 1.0;
	gelMesh mesh = MakeArt( art );
	mesh.vertToSource = calloc( mesh.vertexCount, sizeof( uint32_t ) );
	assert_non_null( mesh.vertToSource );
	for ( uint32_t i = 0; i < mesh.vertexCount; ++i )
		mesh.vertToSource[i] = i;
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.collision = art == gel_queryCoarse ? gel_collisionCoarse : gel_collisionFine;
	gelProgram program;
	gelInitTestProgram( &program );
	uint8_t* bytes = gelBake( &mesh, &cage, &settings, &program, outBytes );
	if ( bytes == NULL ) fail_msg( "the body does not bake: %s", program.findings.items[0].text );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	return bytes;
}

gelQueryStage gelMakeQueryStageFromPack( uint8_t* pack, size_t packBytes )
{
	gelQueryStage stage = { .pack = pack, .packBytes = packBytes };
	assert_int_equal( gelOpenAsset( pack, packBytes, NULL, &stage.asset, NULL ), gel_success );
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	assert_int_equal( gelCreateWorld( &worldDef, &stage.world ), gel_success );
	gelBodyDef bodyDef = gelDefaultBodyDef();
	bodyDef.asset = stage.asset;
	assert_int_equal( gelCreateBody( stage.world, &bodyDef, &stage.body ), gel_success );
	stage.inside = gelGetBody( stage.body );
	stage.info = gelAsset_GetInfo( stage.asset );
	stage.rest = calloc( (size_t)stage.info.nodeCount, sizeof( gelVec3 ) );
	stage.nodes = calloc( (size_t)stage.info.nodeCount, sizeof( gelVec3 ) );
	stage.zeros = calloc( (size_t)stage.info.nodeCount, sizeof( gelVec3 ) );
	stage.vertices = calloc( (size_t)stage.info.patchVertexCount + 1, sizeof( gelVec3 ) );
	stage.triangles = calloc( (size_t)stage.info.patchTriangleCount + 1, 3 * sizeof( uint32_t ) );
	assert_true( stage.rest && stage.nodes && stage.zeros && stage.vertices && stage.triangles );
	gelAsset_GetRestNodes( stage.asset, stage.rest, stage.info.nodeCount );
	gelAsset_GetPatchTriangles( stage.asset, stage.triangles, 3 * stage.info.patchTriangleCount );
	gelQueryStage_Fetch( &stage );
	return stage;
}

gelQueryStage gelMakeQueryStage( gelQueryArt art )
{
	size_t bytes;
	uint8_t* pack = BakeQueryPack( art, &bytes );
	gelQueryStage stage = gelMakeQueryStageFromPack( pack, bytes );
	assert_true( stage.info.patchCount > 20 );
	assert_int_equal( stage.info.hasClosedSurface, art != gel_queryOpen );
	return stage;
}

void gelFreeQueryStage( gelQueryStage* stage )
{
	gelDestroyWorld( stage->world );
	gelDestroyAsset( stage->asset );
	free( stage->pack );
	free( stage->rest );
	free( stage->nodes );
	free( stage->zeros );
	free( stage->vertices );
	free( stage->triangles );
	*stage = ( gelQueryStage ){ 0 };
}

gelVec3 gelRandomVec3( gelRandom* random, double size )
{
	gelVec3 v;
	v.x = (float)gelRandom_Uniform( random, -size, size );
	v.y = (float)gelRandom_Uniform( random, -size, size );
	v.z = (float)gelRandom_Uniform( random, -size, size );
	return v;
}

static gelVec3 DeformNode( gelVec3 x, gelQueryShape shape, gelRandom* random )
{
	double cell = 2.0 / CELLS;
	gelVec3 noise = gelRandomVec3( random, cell );
	switch ( shape )
	{
		case gel_shapeBent:
			return gelMulAdd( x, 0.2f, noise );
		case gel_shapeCrumpled:
			return gelAdd( x, noise );
		case gel_shapeMirrored:
			return gelMulAdd( gelMakeVec3( -x.x, x.y, x.z ), 0.1f, noise );
		case gel_shapeSquashed:
			return gelMakeVec3( x.x, 1e-4f * x.y + 0.3f * x.x, x.z );
		case gel_shapeFlat:
			return gelMakeVec3( x.x + 0.2f * x.y, 0.0f, x.z - 0.3f * x.y );
		case gel_shapeLine:
			return gelMakeVec3( x.x + 0.2f * x.y - 0.1f * x.z, 0.0f, 0.0f );
		case gel_shapePoint:
			return gelMakeVec3( 0.5f, -0.25f, 0.125f );
		case gel_shapeFar:
			return gelAdd( gelMulAdd( x, 0.2f, noise ), gelMakeVec3( 1e4f, -2e3f, 3e3f ) );
		default:
			return x;
	}
}

void gelQueryStage_Fetch( gelQueryStage* stage )
{
	gelBody_GetNodePositions( stage->body, stage->nodes, stage->info.nodeCount );
	gelBody_GetPatchVertices( stage->body, stage->vertices, stage->info.patchVertexCount );
}

void gelQueryStage_Deform( gelQueryStage* stage, gelQueryShape shape, gelRandom* random )
{
	for ( int i = 0; i < stage->info.nodeCount; ++i )
		stage->nodes[i] = DeformNode( stage->rest[i], shape, random );
	assert_int_equal(
		gelBody_SetNodeState( stage->body, stage->nodes, stage->zeros, stage->info.nodeCount ), gel_success );
	gelQueryStage_Fetch( stage );
}

gelRay gelMakeRayThrough( gelVec3 origin, gelVec3 target )
{
	gelRay ray = gelDefaultRay();
	ray.origin = origin;
	ray.translation = gelSub( target, origin );
	ray.maxFraction = 1.5f;
	if ( gelLength( ray.translation ) == 0.0f ) ray.translation.x = 1.0f;
	return ray;
}

gelRay gelQueryStage_PickRay( const gelQueryStage* stage, gelRandom* random )
{
	uint64_t kind = gelRandom_Next( random ) >> 16;
	uint32_t t = (uint32_t)( gelRandom_Next( random ) >> 16 ) % (uint32_t)stage->info.patchTriangleCount;
	gelVec3 v[3];
	for ( int k = 0; k < 3; ++k )
		v[k] = stage->vertices[stage->triangles[3 * t + (uint32_t)k]];
	float w = (float)gelRandom_Uniform( random, 0.0, 1.0 );
	gelVec3 target = v[0];
	if ( kind % 4 == 1 ) target = gelAdd( gelScale( w, v[0] ), gelScale( 1.0f - w, v[1] ) );
	if ( kind % 4 == 2 ) target = gelScale( 1.0f / 3.0f, gelAdd( v[0], gelAdd( v[1], v[2] ) ) );
	if ( kind % 4 == 3 ) target = gelAdd( v[0], gelRandomVec3( random, 1.0 ) );
	static const double distances[] = { 0.2, 1.0, 2.0, 20.0 };
	gelVec3 origin = gelAdd( target, gelRandomVec3( random, distances[kind / 4 % 4] ) );
	gelRay ray = gelMakeRayThrough( origin, target );
	int axis = (int)( kind / 16 % 6 );
	if ( axis < 3 ) // along an axis, exactly through the target
	{
		gelVec3 back = { axis == 0 ? 2.0f : 0.0f, axis == 1 ? 2.0f : 0.0f, axis == 2 ? 2.0f : 0.0f };
		ray.origin = gelAdd( target, back );
		ray.translation = gelScale( -1.0f, back );
	}
	if ( axis == 3 ) ray = gelMakeRayThrough( v[0], v[1] ); // along an edge, from a corner
	return ray;
}
