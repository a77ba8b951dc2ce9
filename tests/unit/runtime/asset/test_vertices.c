// SPDX-License-Identifier: MIT
// gelWorld_GetVertices: the bits of gelBody_GetPositions and gelBody_GetNormals for every solver, stride and
// number of threads; wrong calls write nothing.
#include "test_support.h"

#include "gelpack/interact.h"
#include "solvers/particles/particle_body.h"
#include "particle_stage.h"
#include "stage.h"
#include "test_pool.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BODIES 6
#define GUARD  0x7B

static gelParticleStageDef s_def;
static gelParticleStage s_particles;
static gelStage s_tets;

// Bodies of both kinds in one world, deformed and turned.
typedef struct Scene
{
	gelWorldId world;
	gelBodyId bodies[BODIES];
	int counts[BODIES];
	gelVec3 *positions[BODIES], *normals[BODIES]; // one by one
	char* out[2 * BODIES];
	int workers;
} Scene; // few bodies: threads share each of those with particles

#define MAX_STRIDE 32

static void MakeScene( Scene* scene, int workers )
{
	memset( scene, 0, sizeof( *scene ) );
	scene->workers = workers;
	gelWorldDef def = gelDefaultWorldDef();
	if ( workers > 1 ) def.tasks = ( gelTaskSystem ){ gelTestPool_ParallelFor, &scene->workers, workers };
	assert_int_equal( gelCreateWorld( &def, &scene->world ), gel_success );
	for ( int i = 0; i < BODIES; ++i )
	{
		gelBodyDef body = gelDefaultBodyDef();
		body.asset = i % 2 == 0 ? s_particles.asset : s_tets.asset;
		body.solver =
			gelDefaultSolverDef( i % 2 == 0 ? gel_solverOrientedParticles : gel_solverFastCorotated );
		body.transform.position = ( gelVec3 ){ 3.3f * (float)i, 1000.7f, 0.1f };
		body.angularVelocity = ( gelVec3 ){ 3.0f, 1.0f, (float)i };
		assert_int_equal( gelCreateBody( scene->world, &body, scene->bodies + i ), gel_success );
		scene->counts[i] = gelBody_GetPositions( scene->bodies[i], NULL, 0 );
	}
	for ( int i = 0; i < 10; ++i )
		assert_int_equal( gelWorld_Step( scene->world, s_tets.step ), gel_success );
	// an origin that is no float
	gelQuat q = { { 0.1f, 0.0f, 0.0f }, sqrtf( 1.0f - 0.01f ) };
	assert_int_equal(
		gelBody_Teleport( scene->bodies[0], ( gelTransform ){ gelMakeVec3( 0.3f, 7.7f, 1.1f ), q } ),
		gel_success );
	for ( int i = 0; i < BODIES; ++i )
	{
		size_t count = (size_t)scene->counts[i];
		scene->positions[i] = malloc( count * sizeof( gelVec3 ) );
		scene->normals[i] = malloc( count * sizeof( gelVec3 ) );
		scene->out[2 * i] = malloc( ( count + 1 ) * MAX_STRIDE );
		scene->out[2 * i + 1] = malloc( ( count + 1 ) * MAX_STRIDE );
		assert_true( scene->positions[i] && scene->normals[i] && scene->out[2 * i] && scene->out[2 * i + 1] );
		gelBody_GetPositions( scene->bodies[i], scene->positions[i], scene->counts[i] );
		assert_int_equal(
			gelBody_GetNormals( scene->bodies[i], scene->normals[i], scene->counts[i] ), scene->counts[i] );
	}
}

static void FreeScene( Scene* scene )
{
	gelDestroyWorld( scene->world );
	for ( int i = 0; i < BODIES; ++i )
	{
		free( scene->positions[i] );
		free( scene->normals[i] );
		free( scene->out[2 * i] );
		free( scene->out[2 * i + 1] );
	}
}

static void ClearOut( Scene* scene )
{
	for ( int i = 0; i < 2 * BODIES; ++i )
		memset( scene->out[i], GUARD, ( (size_t)scene->counts[i / 2] + 1 ) * MAX_STRIDE );
}

static void CheckOut( const char* out, int stride, int count, const gelVec3* expected )
{
	for ( int v = 0; v < count; ++v )
	{
		const char* at = out + (size_t)stride * (size_t)v;
		assert_memory_equal( at, expected + v, sizeof( gelVec3 ) );
		for ( int k = sizeof( gelVec3 ); k < stride; ++k )
			assert_int_equal( at[k], GUARD );
	}
	for ( int k = 0; k < MAX_STRIDE; ++k )
		assert_int_equal( out[(size_t)stride * (size_t)count + (size_t)k], GUARD );
}

static void Check( Scene* scene, int stride, int leftOut )
{
	gelVertexTarget targets[BODIES];
	int counts[BODIES];
	ClearOut( scene );
	for ( int i = 0; i < BODIES; ++i )
	{
		counts[i] = scene->counts[i] - ( i == 3 ? leftOut : 0 );
		targets[i] = ( gelVertexTarget ){ scene->bodies[i], (gelVec3*)(void*)scene->out[2 * i],
			(gelVec3*)(void*)scene->out[2 * i + 1], stride, i == 3 ? counts[i] : 1 << 30 };
	}
	assert_true( counts[0] > 2048 );
	targets[1].normals = NULL;
	targets[2].positions = NULL;
	assert_int_equal( gelWorld_GetVertices( scene->world, targets, BODIES ), gel_success );
	int step = stride == 0 ? (int)sizeof( gelVec3 ) : stride;
	for ( int i = 0; i < BODIES; ++i )
	{
		CheckOut( scene->out[2 * i], step, i == 2 ? 0 : counts[i], scene->positions[i] );
		CheckOut( scene->out[2 * i + 1], step, i == 1 ? 0 : counts[i], scene->normals[i] );
	}
}

static void TestSameBits( void** state )
{
	(void)state;
	for ( int workers = 1; workers <= 4; workers += workers )
	{
		Scene scene;
		MakeScene( &scene, workers );
		Check( &scene, 0, 0 );
		Check( &scene, 12, 1 );
		Check( &scene, 20, 30 );
		Check( &scene, 32, 0 );
		FreeScene( &scene );
	}
}

// An interleaved array: position, normal, position, normal.
static void TestInterleaved( void** state )
{
	(void)state;
	Scene scene;
	MakeScene( &scene, 2 );
	for ( int i = 0; i < 2; ++i )
	{
		gelVec3* out = (gelVec3*)(void*)scene.out[2 * i];
		gelVertexTarget target = { scene.bodies[i], out, out + 1, 24, scene.counts[i] };
		assert_int_equal( gelWorld_GetVertices( scene.world, &target, 1 ), gel_success );
		for ( int v = 0; v < scene.counts[i]; ++v )
		{
			assert_memory_equal( out + 2 * v, scene.positions[i] + v, sizeof( gelVec3 ) );
			assert_memory_equal( out + 2 * v + 1, scene.normals[i] + v, sizeof( gelVec3 ) );
		}
	}
	FreeScene( &scene );
}

static void TestWrongCalls( void** state )
{
	(void)state;
	Scene scene;
	MakeScene( &scene, 1 );
	ClearOut( &scene );
	gelVec3* out = (gelVec3*)(void*)scene.out[0];
	const gelVertexTarget fine = { scene.bodies[0], out, NULL, 0, scene.counts[0] };
	gelVertexTarget targets[2] = { fine, fine };
	gelWorldId none = { NULL };
	assert_int_equal( gelWorld_GetVertices( none, targets, 1 ), gel_errorArgument );
	assert_int_equal( gelWorld_GetVertices( scene.world, NULL, 1 ), gel_errorArgument );
	assert_int_equal( gelWorld_GetVertices( scene.world, targets, -1 ), gel_errorArgument );
	assert_int_equal( gelWorld_GetVertices( scene.world, targets, 2 ), gel_errorArgument ); // twice
	assert_int_equal( gelWorld_GetVertices( s_tets.world, targets, 1 ), gel_errorArgument );
	const int strides[] = { -12, 4, 8, 11, 13, 26 };
	for ( int i = 0; i < 6; ++i )
	{
		targets[0] = fine;
		targets[0].stride = strides[i];
		assert_int_equal( gelWorld_GetVertices( scene.world, targets, 1 ), gel_errorArgument );
	}
	targets[0] = targets[1] = fine;
	targets[1].capacity = -1;
	targets[1].body = scene.bodies[1];
	assert_int_equal( gelWorld_GetVertices( scene.world, targets, 2 ), gel_errorArgument );
	gelDestroyBody( scene.bodies[1] );
	assert_int_equal( gelWorld_GetVertices( scene.world, targets, 2 ), gel_errorStaleId );
	scene.world.world->isLocked = true;
	assert_int_equal( gelWorld_GetVertices( scene.world, targets, 1 ), gel_errorLocked );
	scene.world.world->isLocked = false;
	for ( int k = 0; k < MAX_STRIDE * scene.counts[0]; ++k )
		assert_int_equal( scene.out[0][k], GUARD );
	targets[0].capacity = 0;
	targets[1] = ( gelVertexTarget ){ scene.bodies[2], NULL, NULL, 0, 100 };
	assert_int_equal( gelWorld_GetVertices( scene.world, targets, 2 ), gel_success );
	assert_int_equal( gelWorld_GetVertices( scene.world, NULL, 0 ), gel_success );
	assert_int_equal( scene.out[0][0], GUARD );
	FreeScene( &scene );
}

// Far from the world's origin a vertex is where its particles are, up to the rounding of its coordinates.
static void TestFarAway( void** state )
{
	(void)state;
	Scene scene;
	MakeScene( &scene, 1 );
	gelVec3 far = { 1.0e5f, 3.3f, -2.0e4f };
	gelQuat q = { { 0.0f, 0.6f, 0.0f }, 0.8f };
	assert_int_equal( gelBody_Teleport( scene.bodies[0], ( gelTransform ){ far, q } ), gel_success );
	const gelBody* body = gelGetBody( scene.bodies[0] );
	const gelPackParticle* rest = body->asset->pack.particles.particles;
	const gelSkinVertex* skins = gelAsset_GetSkin( body->asset );
	gelVec3* restArt = scene.normals[0]; // reused
	gelBody_GetPositions( scene.bodies[0], scene.positions[0], scene.counts[0] );
	gelParticleStage_Fetch( &s_particles );
	gelBody_GetPositions( s_particles.body, restArt, scene.counts[0] );
	for ( int v = 0; v < scene.counts[0]; ++v )
	{
		double p[3] = { body->origin[0], body->origin[1], body->origin[2] };
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t j = skins[v].joint[k], slot = gelGetParticles( body )->model->particleSlots[j];
			const gelParticleState* s = gelGetParticles( body )->states + slot / 8;
			double R[3][3], weight = skins[v].weight[k] / 65535.0;
			gelGetRows( gelGetLaneQuat( s->q[0], (int)( slot % 8 ) ), R );
			gelVec3 x = gelGetLane3( s->x[0], (int)( slot % 8 ) );
			for ( int r = 0; r < 3; ++r )
			{
				p[r] += weight * (double)( &x.x )[r];
				for ( int c = 0; c < 3; ++c )
					p[r] += weight * R[r][c] * ( (double)( &restArt[v].x )[c] - (double)rest[j].position[c] );
			}
		}
		for ( int r = 0; r < 3; ++r )
		{
			double tolerance = 5e-6 + fabs( p[r] ) * 0x1p-24;
			assert_true( fabs( p[r] - (double)( &scene.positions[0][v].x )[r] ) <= tolerance );
		}
	}
	FreeScene( &scene );
}

static int MakeAssets( void** state )
{
	(void)state;
	gelInitParticleStage( &s_def );
	const uint32_t n[3] = { 4, 3, 3 };
	gelStageAddLattice( &s_def, n, 0.3, true );
	s_def.artFineness = 20; // more than a tile
	gelMakeParticleStage( &s_def, &s_particles );
	gelStageDef def = gelDefaultStageDef();
	for ( int k = 0; k < 3; ++k )
		def.cells[k] = 6;
	s_tets = gelMakeStage( &def );
	return 0;
}

static int FreeAssets( void** state )
{
	(void)state;
	gelFreeStage( &s_tets );
	gelFreeParticleStage( &s_particles );
	return 0;
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestSameBits ),
		cmocka_unit_test( TestInterleaved ),
		cmocka_unit_test( TestWrongCalls ),
		cmocka_unit_test( TestFarAway ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, MakeAssets, FreeAssets );
}
