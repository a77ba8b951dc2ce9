// SPDX-License-Identifier: MIT
// What gel-inspect does with particles: the skinned mesh that it writes is valid, is the art at rest, and
// moves as the runtime skins; factors of particles are checked against their graph.
#include "test_support.h"

#include "math/gel_math.h"
#include "inspect/verify.h"
#include "common/import/mesh_import.h"
#include "particle_stage.h"
#include "test_bodies.h"

#include <cgltf.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage;

// A twisted cloud of particles, as a file in a folder of its own.
static void Make( char folder[64], char path[96] )
{
	gelInitParticleStage( &s_def );
	gelStageAddCloud( &s_def, 12, 5 );
	gelMakeParticleStage( &s_def, &s_stage );
	strcpy( folder, "/tmp/gel-skin-XXXXXX" );
	assert_non_null( mkdtemp( folder ) );
	snprintf( path, 96, "%s/body.gel", folder );
	FILE* file = fopen( path, "wb" );
	assert_non_null( file );
	assert_int_equal( fwrite( s_stage.pack, 1, s_stage.packBytes, file ), s_stage.packBytes );
	fclose( file );
}

static void Remove( const char* folder, const char* name )
{
	char path[128];
	snprintf( path, sizeof( path ), "%s/%s", folder, name );
	unlink( path );
	rmdir( folder );
}

static const cgltf_accessor* Find( const cgltf_data* data, const char* name )
{
	const cgltf_primitive* p = data->meshes[0].primitives;
	for ( size_t i = 0; i < p->attributes_count; ++i )
	{
		if ( strcmp( p->attributes[i].name, name ) == 0 ) return p->attributes[i].data;
	}
	fail_msg( "no %s", name );
	return NULL;
}

// The vertex as a viewer skins it, joints where their nodes say.
static gelVec3 Skin( const cgltf_data* data, size_t vertex )
{
	float p[3], weights[4];
	cgltf_uint joints[4];
	cgltf_accessor_read_float( Find( data, "POSITION" ), vertex, p, 3 );
	cgltf_accessor_read_float( Find( data, "WEIGHTS_0" ), vertex, weights, 4 );
	cgltf_accessor_read_uint( Find( data, "JOINTS_0" ), vertex, joints, 4 );
	gelVec3 sum = { 0.0f, 0.0f, 0.0f };
	for ( int k = 0; k < 4; ++k )
	{
		float bind[16], local[3], world[16];
		assert_true( joints[k] < data->skins[0].joints_count );
		cgltf_accessor_read_float( data->skins[0].inverse_bind_matrices, joints[k], bind, 16 );
		cgltf_node_transform_world( data->skins[0].joints[joints[k]], world );
		for ( int row = 0; row < 3; ++row )
			local[row] = bind[row] * p[0] + bind[4 + row] * p[1] + bind[8 + row] * p[2] + bind[12 + row];
		gelVec3 at = { 0.0f, 0.0f, 0.0f };
		for ( int row = 0; row < 3; ++row )
			( &at.x )[row] = world[row] * local[0] + world[4 + row] * local[1] + world[8 + row] * local[2] +
				world[12 + row];
		sum = gelMulAdd( sum, weights[k], at );
	}
	return sum;
}

static void SkinIsThatOfTheRuntime( void** state )
{
	(void)state;
	char folder[64], path[96], skinPath[96];
	Make( folder, path );
	snprintf( skinPath, sizeof( skinPath ), "%s/body.glb", folder );
	gelFindings findings = { 0 };
	gelInspectedPack pack;
	assert_true( gelInspectedPack_Open( &pack, path, &findings ) );
	assert_true( gelWriteSkinGlb( &pack, skinPath, &findings ) );
	gelInspectedPack_Close( &pack );

	cgltf_options options = { 0 };
	cgltf_data* data = NULL;
	assert_int_equal( cgltf_parse_file( &options, skinPath, &data ), cgltf_result_success );
	assert_int_equal( cgltf_load_buffers( &options, data, skinPath ), cgltf_result_success );
	assert_int_equal( cgltf_validate( data ), cgltf_result_success );
	assert_int_equal( data->skins[0].joints_count, s_stage.count );
	int count = gelAsset_GetInfo( s_stage.asset ).vertexCount;
	assert_int_equal( Find( data, "POSITION" )->count, count );
	gelVec3* moved = malloc( (size_t)count * sizeof( gelVec3 ) );
	assert_non_null( moved );
	// at rest, then after a step in which every particle has turned
	gelParticle rest[16];
	gelAsset_GetParticles( s_stage.asset, rest, 16 );
	gelRandom random = { 3 };
	for ( int i = 0; i < s_stage.count; ++i )
		s_stage.poses[i].angularVelocity = gelMakeVec3( (float)gelRandom_Normal( &random ),
			(float)gelRandom_Normal( &random ), (float)gelRandom_Normal( &random ) );
	for ( int pass = 0; pass < 2; ++pass )
	{
		gelBody_GetPositions( s_stage.body, moved, count );
		for ( int i = 0; i < s_stage.count; ++i )
		{
			cgltf_node* node = data->skins[0].joints[i];
			gelQuat q = gelMulQuat( s_stage.poses[i].rotation, rest[i].rotation );
			memcpy( node->translation, &s_stage.poses[i].position, sizeof( node->translation ) );
			const float rotation[4] = { q.v.x, q.v.y, q.v.z, q.s };
			if ( pass == 1 ) memcpy( node->rotation, rotation, sizeof( rotation ) );
			for ( int k = 0; k < 4 && pass == 0; ++k )
				assert_true( fabsf( node->rotation[k] - rotation[k] ) < 1e-6f );
		}
		for ( int i = 0; i < count; ++i )
			assert_true( gelLength( gelSub( Skin( data, (size_t)i ), moved[i] ) ) < 1e-5f );
		gelParticleStage_Put( &s_stage );
		gelParticleStage_Step( &s_stage, 5 );
	}
	free( moved );
	cgltf_free( data );

	// and the importer takes it as art
	gelMesh mesh = { 0 };
	assert_true( gelImportMesh( skinPath, &findings, &mesh, NULL ) );
	assert_int_equal( mesh.vertexCount, count );
	gelFreeMesh( &mesh );
	gelFreeFindings( &findings );
	gelFreeParticleStage( &s_stage );
	unlink( path );
	Remove( folder, "body.glb" );
}

static void FactorsAreThoseOfTheGraph( void** state )
{
	(void)state;
	char folder[64], path[96];
	Make( folder, path );
	gelFindings findings = { 0 };
	gelInspectedPack pack;
	assert_true( gelInspectedPack_Open( &pack, path, &findings ) );
	uint32_t factorCount = gelPack_CountSections( &pack.view, GEL_SECTION_OPFA );
	assert_int_equal( factorCount, 5 );
	for ( uint32_t i = 0; i < factorCount; ++i )
	{
		gelPackFactorView f =
			gelPack_GetFactor( &pack.view, gelPack_GetSection( &pack.view, GEL_SECTION_OPFA, i ) );
		double tolerance =
			f.version == GEL_PACK_SECTION_VERSION ? GEL_FACTOR_TOLERANCE : GEL_SOLVED_TOLERANCE;
		gelFactorCheck check = gelCheckParticleFactor( &pack.view, &f );
		assert_false( check.outOfMemory );
		assert_true( check.patternHash == f.header->patternHash && check.residual <= tolerance );
		// another value, another stiffness, another mass
		size_t value = (size_t)( (const uint8_t*)f.values - pack.bytes );
		size_t mass = (size_t)( (const uint8_t*)&pack.view.particles.particles[3].mass - pack.bytes );
		size_t stiffness = (size_t)( (const uint8_t*)&pack.view.particles.header->stiffness - pack.bytes );
		const size_t places[3] = { value, mass, stiffness };
		for ( int k = 0; k < 3; ++k )
		{
			float old, wrong;
			memcpy( &old, pack.bytes + places[k], sizeof( old ) );
			wrong = 1.01f * old;
			memcpy( pack.bytes + places[k], &wrong, sizeof( wrong ) );
			assert_true( gelCheckParticleFactor( &pack.view, &f ).residual > tolerance );
			memcpy( pack.bytes + places[k], &old, sizeof( old ) );
		}
	}
	gelInspectedPack_Close( &pack );
	gelFreeFindings( &findings );
	gelFreeParticleStage( &s_stage );
	Remove( folder, "body.gel" );
}

static void PacksWithoutParticlesAreRefused( void** state )
{
	(void)state;
	char path[1024];
	snprintf( path, sizeof( path ), "%s/small-0.1.gel", GEL_TEST_DATA );
	gelFindings findings = { 0 };
	gelInspectedPack pack;
	assert_true( gelInspectedPack_Open( &pack, path, &findings ) );
	assert_false( gelWriteSkinGlb( &pack, "/tmp/never-written.glb", &findings ) );
	assert_int_equal( gelFindings_Total( &findings, gel_findingNoPackParticles ), 1 );
	gelInspectedPack_Close( &pack );
	gelFreeFindings( &findings );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( SkinIsThatOfTheRuntime ),
		cmocka_unit_test( FactorsAreThoseOfTheGraph ),
		cmocka_unit_test( PacksWithoutParticlesAreRefused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
