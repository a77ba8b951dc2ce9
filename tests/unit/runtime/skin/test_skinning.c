// SPDX-License-Identifier: MIT
// Skinned positions and normals: exact for affine deformations, near the geometric normals for others.
#include "test_support.h"

#include "state/body.h"
#include "math/gel_math.h"
#include "stage.h"

#include <math.h>
#include <stdlib.h>

// Deforms all nodes by x -> F x + t.
static void Deform( gelStage* stage, gelMat3 F, gelVec3 t )
{
	for ( int i = 0; i < stage->nodeCount; ++i )
	{
		stage->nodes[i] = gelAdd( gelMulMV( F, stage->rest[i] ), t );
		stage->velocities[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	assert_int_equal(
		gelBody_SetNodeState( stage->body, stage->nodes, stage->velocities, stage->nodeCount ), gel_success );
}

static void TestAffineIsExact( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelVec3* restPositions = calloc( (size_t)stage.vertexCount, sizeof( gelVec3 ) );
	gelVec3* restNormals = calloc( (size_t)stage.vertexCount, sizeof( gelVec3 ) );
	assert_true( restPositions && restNormals );
	assert_int_equal(
		gelBody_GetPositions( stage.body, restPositions, stage.vertexCount ), stage.vertexCount );
	assert_int_equal( gelBody_GetNormals( stage.body, restNormals, stage.vertexCount ), stage.vertexCount );

	gelMat3 F = { { 1.3f, 0.2f, -0.1f }, { -0.4f, 0.8f, 0.3f }, { 0.1f, 0.5f, 1.1f } };
	gelVec3 t = { 3.0f, -2.0f, 1.0f };
	Deform( &stage, F, t );
	gelBody_GetPositions( stage.body, stage.positions, stage.vertexCount );
	gelBody_GetNormals( stage.body, stage.normals, stage.vertexCount );
	gelMat3 C = gelCofactor( F );
	for ( int i = 0; i < stage.vertexCount; ++i )
	{
		gelVec3 p = gelAdd( gelMulMV( F, restPositions[i] ), t );
		assert_true( gelLength( gelSub( p, stage.positions[i] ) ) < 3e-6f );
		gelVec3 n = gelMulMV( C, restNormals[i] );
		n = gelScale( 1.0f / gelLength( n ), n );
		assert_true( gelLength( gelSub( n, stage.normals[i] ) ) < 1e-5f );
		assert_true( fabsf( gelLength( stage.normals[i] ) - 1.0f ) < 1e-6f );
	}
	free( restPositions );
	free( restNormals );
	gelFreeStage( &stage );
}

static gelVec3 FaceNormal( const gelVec3* positions, const uint32_t v[3] )
{
	gelVec3 a = positions[v[0]];
	gelVec3 n = gelCross( gelSub( positions[v[1]], a ), gelSub( positions[v[2]], a ) );
	return gelScale( 1.0f / gelLength( n ), n );
}

// A bent box: skinned normals against those of the deformed triangles, at the corners that lie inside a face
// of the box (where the rest normal is the face's own). They are smooth over the cage while the surface is
// faceted, and on the boundary see one side only: one cell bends by 0.1 rad.
static void TestBentNormals( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	for ( int k = 0; k < 3; ++k )
		def.cells[k] = 8;
	gelStage stage = gelMakeStage( &def );
	const uint32_t* triangles = gelAsset_GetTriangles( stage.asset );
	int cornerCount = 3 * gelAsset_GetInfo( stage.asset ).triangleCount, checked = 0;
	bool* isInside = calloc( (size_t)cornerCount, sizeof( bool ) );
	assert_non_null( isInside );
	gelBody_GetPositions( stage.body, stage.positions, stage.vertexCount );
	gelBody_GetNormals( stage.body, stage.normals, stage.vertexCount );
	for ( int i = 0; i < cornerCount; ++i )
	{
		gelVec3 face = FaceNormal( stage.positions, triangles + i - i % 3 );
		isInside[i] = gelDot( stage.normals[triangles[i]], face ) > 0.9999f;
	}

	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		double angle = 0.8 * stage.rest[i].x, r = 2.0 + stage.rest[i].y; // round a circle
		stage.nodes[i] =
			gelMakeVec3( (float)( r * sin( angle ) ), (float)( r * cos( angle ) ), stage.rest[i].z );
		stage.velocities[i] = gelMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
	gelBody_GetPositions( stage.body, stage.positions, stage.vertexCount );
	gelBody_GetNormals( stage.body, stage.normals, stage.vertexCount );
	for ( int i = 0; i < cornerCount; ++i )
	{
		if ( !isInside[i] ) continue;
		gelVec3 face = FaceNormal( stage.positions, triangles + i - i % 3 );
		assert_true( gelDot( stage.normals[triangles[i]], face ) > cosf( 0.1f ) );
		++checked;
	}
	assert_true( checked > cornerCount / 2 );
	free( isInside );
	gelFreeStage( &stage );
}

// Volume times cofactor matrix, and volume in w, of the tets around each node: the obvious way.
static void SumCofactors( const gelStage* stage, gelVec4 ( *sums )[3] )
{
	const gelPackView* pack = &stage->asset->pack;
	for ( uint32_t t = 0; t < (uint32_t)stage->asset->tetCount; ++t )
	{
		float volume = pack->tetRests[t].volume;
		gelMat3 C = gelCofactor( gelDeformationGradient( pack, t, stage->nodes ) );
		const gelVec3 columns[3] = { C.cx, C.cy, C.cz };
		for ( int k = 0; k < 12; ++k )
		{
			gelVec4* sum = &sums[pack->tets[t].node[k / 3]][k % 3];
			gelVec3 more = gelAdd( gelXyz( *sum ), gelScale( volume, columns[k % 3] ) );
			*sum = gelMakeVec4( more, sum->w + volume );
		}
	}
}

// Normals of a crumpled body are those that the definition gives, whatever the number that is asked for, and
// nothing is written behind them.
static void TestCrumpledNormals( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	const gelPackView* pack = &stage.asset->pack;
	gelVec3* restNormals = calloc( (size_t)stage.vertexCount, sizeof( gelVec3 ) );
	gelVec4( *sums )[3] = calloc( (size_t)stage.nodeCount, sizeof( *sums ) );
	assert_true( restNormals != NULL && sums != NULL );
	gelBody_GetNormals( stage.body, restNormals, stage.vertexCount );
	gelRandom random = { 4 };
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		gelVec3 noise = { (float)gelRandom_Uniform( &random, -0.1, 0.1 ),
			(float)gelRandom_Uniform( &random, -0.1, 0.1 ), (float)gelRandom_Uniform( &random, -0.1, 0.1 ) };
		stage.nodes[i] = gelAdd( stage.rest[i], noise );
	}
	gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
	SumCofactors( &stage, sums );
	for ( int count = 1; count <= stage.vertexCount; count += count < 20 ? 1 : 13 )
	{
		for ( int i = 0; i < stage.vertexCount; ++i )
			stage.normals[i] = gelMakeVec3( 9.0f, 9.0f, 9.0f );
		gelBody_GetNormals( stage.body, stage.normals, count );
		for ( int i = 0; i < count; ++i )
		{
			gelVec3 n = { 0.0f, 0.0f, 0.0f };
			for ( int k = 0; k < 4; ++k )
			{
				const gelVec4* sum = sums[pack->tets[pack->embedTets[i]].node[k]];
				float w = pack->embedWeights[32 * ( i / 8 ) + 8 * k + i % 8] / sum->w;
				gelMat3 C = { gelXyz( sum[0] ), gelXyz( sum[1] ), gelXyz( sum[2] ) };
				n = gelAdd( n, gelScale( w, gelMulMV( C, restNormals[i] ) ) );
			}
			n = gelScale( 1.0f / gelLength( n ), n );
			assert_true( gelLength( gelSub( n, stage.normals[i] ) ) < 1e-5f );
		}
		for ( int i = count; i < stage.vertexCount; ++i )
			assert_true( stage.normals[i].x == 9.0f && stage.normals[i].z == 9.0f );
	}
	free( restNormals );
	free( sums );
	gelFreeStage( &stage );
}

static void TestCountsAndCapacities( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	assert_int_equal( gelBody_GetPositions( stage.body, NULL, 0 ), stage.vertexCount );
	assert_int_equal( gelBody_GetNormals( stage.body, NULL, 0 ), stage.vertexCount );
	assert_int_equal( gelBody_GetNodePositions( stage.body, NULL, 0 ), stage.nodeCount );
	gelVec3 two[3] = { { 9, 9, 9 }, { 9, 9, 9 }, { 9, 9, 9 } };
	assert_int_equal( gelBody_GetPositions( stage.body, two, 2 ), stage.vertexCount );
	assert_true( two[2].x == 9.0f && two[1].x != 9.0f );
	assert_int_equal( gelBody_GetPositions( stage.body, two, -1 ), stage.vertexCount );
	gelFreeStage( &stage );
}

// A body squeezed into a plane or a point still gives unit normals.
static void TestFlatBody( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	for ( int flat = 0; flat < 2; ++flat )
	{
		float s = flat == 0 ? 1.0f : 0.0f;
		Deform( &stage, ( gelMat3 ){ { s, 0, 0 }, { 0, s, 0 }, { 0, 0, 0 } }, gelMakeVec3( 0, 0, 0 ) );
		gelBody_GetNormals( stage.body, stage.normals, stage.vertexCount );
		for ( int i = 0; i < stage.vertexCount; ++i )
			assert_true( fabsf( gelLength( stage.normals[i] ) - 1.0f ) < 1e-5f );
	}
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestAffineIsExact ),
		cmocka_unit_test( TestBentNormals ),
		cmocka_unit_test( TestCrumpledNormals ),
		cmocka_unit_test( TestCountsAndCapacities ),
		cmocka_unit_test( TestFlatBody ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
