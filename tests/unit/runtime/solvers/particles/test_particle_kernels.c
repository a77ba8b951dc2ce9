// SPDX-License-Identifier: MIT
// The wide kernels of oriented particles have the bits of the code for one particle, for every instruction
// set of this machine; skinning is what its definition says.
#include "test_support.h"

#include "solvers/particles/particle_body.h"
#include "particle_stage.h"
#include "math/turn_math.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage;

static const gelSimdLevel s_levels[] = { gel_simdScalar, gel_simdSse2, gel_simdAvx2, gel_simdNeon,
	gel_simdAvx512 };

// Arrays of a pass that belong to a test.
typedef struct Buffers
{
	gelParticleState states[64];
	gelParticleStart starts[64];
	gelParticleTarget targets[64];
	gelVec4 poses[3 * 512], rhs[512];
	uint8_t holds[64];
} Buffers;

static Buffers s_one, s_other;

static void Mess( Buffers* b, int slots, gelRandom* random, double size )
{
	memset( b, 0, sizeof( *b ) );
	for ( int slot = 0; slot < slots; ++slot )
	{
		gelParticleState* s = b->states + slot / 8;
		for ( int k = 0; k < 3; ++k )
		{
			s->x[k][slot % 8] = (float)gelRandom_Uniform( random, -1.0, 1.0 );
			s->v[k][slot % 8] = (float)( size * gelRandom_Normal( random ) );
			s->w[k][slot % 8] = (float)( 10.0 * size * gelRandom_Normal( random ) );
			s->q[k][slot % 8] = 0.0f;
		}
		gelQuat q = gelMakeTurn( gelMakeVec3( (float)gelRandom_Normal( random ),
			(float)gelRandom_Normal( random ), (float)gelRandom_Normal( random ) ) );
		gelSetLaneQuat( s->q[0], slot % 8, q );
		b->holds[slot / 8] |= (uint8_t)( ( gelRandom_Next( random ) % 5 == 0 ) << slot % 8 );
	}
}

static void Connect( gelParticlePass* pass, Buffers* b )
{
	pass->states = b->states;
	pass->starts = b->starts;
	pass->targets = b->targets;
	pass->poses = b->poses;
	pass->rhs = b->rhs;
	pass->holds = b->holds;
}

// Starts of held lanes aside, everything that a kernel writes.
static void CheckSame( void )
{
	assert_memory_equal( s_one.states, s_other.states, sizeof( s_one.states ) );
	assert_memory_equal( s_one.starts, s_other.starts, sizeof( s_one.starts ) );
	assert_memory_equal( s_one.targets, s_other.targets, sizeof( s_one.targets ) );
	assert_memory_equal( s_one.poses, s_other.poses, sizeof( s_one.poses ) );
	assert_memory_equal( s_one.rhs, s_other.rhs, sizeof( s_one.rhs ) );
}

static void Compare( const gelParticleKernels* kernels, gelParticlePass pass, bool isBackward )
{
	gelParticlePass wide = pass;
	int slots = 8 * pass.blockCount;
	Connect( &pass, &s_one );
	Connect( &wide, &s_other );
	kernels->predict( &wide );
	for ( int slot = 0; slot < slots; ++slot )
		gelPredictParticle_Ref( &pass, slot );
	CheckSame();
	kernels->sweep( &wide, isBackward );
	for ( int n = 0; n < slots; ++n )
	{
		int slot = isBackward ? 8 * ( pass.blockCount - 1 - n / 8 ) + n % 8 : n;
		if ( ( pass.holds[slot / 8] >> slot % 8 & 1 ) == 0 )
			gelTurnParticle_Ref( &pass, slot, gelGetParticleMatrix_Ref( &pass, slot ) );
	}
	CheckSame();
	kernels->sum( &wide );
	for ( int slot = 0; slot < slots; ++slot )
		gelSumParticle_Ref( &pass, slot );
	CheckSame();
	kernels->finish( &wide );
	for ( int slot = 0; slot < slots; ++slot )
		gelFinishParticle_Ref( &pass, slot );
	CheckSame();
}

static void TestTwins( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	const uint32_t counts[4] = { 1, 9, 40, 200 };
	for ( int c = 0; c < 4; ++c )
	{
		gelInitParticleStage( &s_def );
		gelStageAddCloud( &s_def, counts[c], c + 1 );
		gelMakeParticleStage( &s_def, &s_stage );
		gelParticlePass pass = gelParticles_MakePass( gelGetParticles( gelGetBody( s_stage.body ) ) );
		assert_true( pass.blockCount <= 64 );
		pass.h = 1.0f / 60.0f;
		pass.gravity = ( gelVec3 ){ 0.1f, -9.81f, 0.2f };
		for ( int level = 0; level < 5; ++level )
		{
			gelSimdLevel simd = s_levels[level];
			for ( int run = 0; run < 8 && gelFindSimdLevel( simd ) == simd; ++run )
			{
				// slow, fast, beyond half a turn per step, and absurd
				const double sizes[4] = { 0.1, 3.0, 100.0, 1e8 };
				Mess( &s_one, 8 * pass.blockCount, &random, sizes[run / 2] );
				s_other = s_one;
				pass.isLinear = run % 2 == 1;
				pass.keep = run % 2 == 1 ? 0.9f : 1.0f;
				Compare( gelGetParticleKernels( simd ), pass, run % 2 == 1 );
			}
		}
		gelFreeParticleStage( &s_stage );
	}
}

// exp and log of rotations against libm in double.
static void TestTurns( void** state )
{
	(void)state;
	gelRandom random = { 9 };
	for ( int i = 0; i < 20000; ++i )
	{
		double angle = pow( 10.0, gelRandom_Uniform( &random, -6.0, log10( 3.14 ) ) ), n[3], length = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			n[k] = gelRandom_Normal( &random );
			length += n[k] * n[k];
		}
		double scale = angle / sqrt( length );
		gelVec3 t = { (float)( scale * n[0] ), (float)( scale * n[1] ), (float)( scale * n[2] ) };
		gelQuat q = gelMakeTurn( t );
		double exact = sqrt( (double)t.x * t.x + (double)t.y * t.y + (double)t.z * t.z );
		assert_true( fabs( (double)q.s - cos( 0.5 * exact ) ) < 2e-7 );
		assert_true( fabs( (double)gelLength( q.v ) / sin( 0.5 * exact ) - 1.0 ) < 5e-7 );
		gelVec3 back = gelGetTurn( q );
		assert_true( gelLength( gelSub( back, t ) ) < 1e-6f * (float)exact );
		back = gelGetTurn( ( gelQuat ){ gelNeg( q.v ), -q.s } ); // the same rotation
		assert_true( gelLength( gelSub( back, t ) ) < 1e-6f * (float)exact );
	}
	gelVec3 far = gelGetTurn( gelMakeTurn( gelMakeVec3( 100.0f, 0.0f, 0.0f ) ) );
	assert_true( fabsf( fabsf( far.x ) - 3.14159f ) < 1e-3f ); // no more than half a turn
	assert_true( gelLength( gelGetTurn( gelIdentityQuat() ) ) == 0.0f );
}

// p = sum of s_j ( R_j (pb - xb_j) + x_j ), by doubles from what the game gets; the palette says the same.
static void TestSkin( void** state )
{
	(void)state;
	gelRandom random = { 3 };
	gelInitParticleStage( &s_def );
	gelStageAddCloud( &s_def, 30, 4 );
	s_def.body.transform.position = ( gelVec3 ){ 5.0f, 6.0f, 7.0f };
	gelMakeParticleStage( &s_def, &s_stage );
	int count = gelBody_GetPositions( s_stage.body, NULL, 0 );
	gelVec3* rest = malloc( (size_t)count * sizeof( gelVec3 ) );
	gelVec3* now = malloc( (size_t)count * sizeof( gelVec3 ) );
	gelVec3* normals = malloc( (size_t)count * sizeof( gelVec3 ) );
	gelVec3* restNormals = malloc( (size_t)count * sizeof( gelVec3 ) );
	assert_true( rest != NULL && now != NULL && normals != NULL && restNormals != NULL );
	gelBody_GetPositions( s_stage.body, rest, count );
	gelBody_GetNormals( s_stage.body, restNormals, count );
	for ( int i = 0; i < s_stage.count; ++i )
	{
		gelVec3 t = { (float)gelRandom_Normal( &random ), (float)gelRandom_Normal( &random ), 0.3f };
		s_stage.poses[i].rotation = gelMakeTurn( t );
		s_stage.poses[i].position.x += (float)gelRandom_Uniform( &random, -0.3, 0.3 );
	}
	gelParticleStage_Put( &s_stage );
	gelParticleStage_Fetch( &s_stage );
	gelBody_GetPositions( s_stage.body, now, count );
	gelBody_GetNormals( s_stage.body, normals, count );
	const gelSkinVertex* skin = gelAsset_GetSkin( s_stage.asset );
	gelPaletteMatrix palette[30];
	gelVec3 origin = { 4.0f, 6.0f, 8.0f };
	assert_int_equal( gelBody_GetPalette( s_stage.body, origin, palette, 30 ), 30 );
	for ( int i = 0; i < count; ++i )
	{
		double p[3] = { 0.0 }, n[3] = { 0.0 }, viaPalette[3] = { origin.x, origin.y, origin.z };
		const double asset[3] = { (double)rest[i].x - 5.0, (double)rest[i].y - 6.0, (double)rest[i].z - 7.0 };
		for ( int k = 0; k < 4; ++k )
		{
			int j = skin[i].joint[k];
			double R[3][3], s = skin[i].weight[k] / 65535.0;
			gelGetRows( s_stage.poses[j].rotation, R );
			for ( int r = 0; r < 3; ++r )
			{
				p[r] += s * (double)( &s_stage.poses[j].position.x )[r];
				for ( int c = 0; c < 3; ++c )
				{
					p[r] += s * R[r][c] * ( asset[c] - (double)s_def.particles[j].position[c] );
					n[r] += s * R[r][c] * (double)( &restNormals[i].x )[c];
					viaPalette[r] += s * (double)palette[j].m[r][c] * asset[c];
				}
				viaPalette[r] += s * (double)palette[j].m[r][3];
			}
		}
		double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
		for ( int r = 0; r < 3; ++r )
		{
			assert_true( fabs( p[r] - (double)( &now[i].x )[r] ) < 5e-6 );
			assert_true( fabs( viaPalette[r] - (double)( &now[i].x )[r] ) < 5e-6 );
			assert_true( fabs( n[r] / length - (double)( &normals[i].x )[r] ) < 1e-4 );
		}
	}
	free( rest );
	free( now );
	free( normals );
	free( restNormals );
	gelFreeParticleStage( &s_stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestTwins ),
		cmocka_unit_test( TestTurns ),
		cmocka_unit_test( TestSkin ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
