// SPDX-License-Identifier: MIT
// Bodies of particles that are held: sag by stiffness, iterations and step length; handles by Woodbury
// against the whole matrix; a twisted chain; bodies that find back from one point.
#include "test_support.h"

#include "solvers/particles/particle_handles.h"
#include "particle_stage.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage;

static gelVec3 GetPoint( const gelEmbeddedPoint* point )
{
	gelVec3 p;
	assert_int_equal( gelBody_GetPointPosition( s_stage.body, point, &p ), gel_success );
	return p;
}

// Nodes of the cage with x at its lowest (sign -1) or highest end, as points.
static int FindEnd( int sign, gelEmbeddedPoint* out )
{
	gelVec3 nodes[512];
	int count = gelAsset_GetRestNodes( s_stage.asset, nodes, 512 ), found = 0;
	assert_true( count <= 512 );
	float end = nodes[0].x;
	for ( int i = 0; i < count; ++i )
		end = sign < 0 ? fminf( end, nodes[i].x ) : fmaxf( end, nodes[i].x );
	for ( int i = 0; i < count; ++i )
	{
		if ( fabsf( nodes[i].x - end ) < 1e-5f ) out[found++] = gelAsset_GetNodePoint( s_stage.asset, i );
	}
	return found;
}

static gelConstraintId Pin( const gelEmbeddedPoint* point )
{
	gelConstraintDef def = gelDefaultConstraintDef();
	def.kind = gel_constraintPoint;
	def.point = *point;
	def.target = GetPoint( point );
	gelConstraintId id;
	assert_int_equal( gelCreateConstraint( s_stage.body, &def, &id ), gel_success );
	return id;
}

static void ClampLeft( void )
{
	gelEmbeddedPoint points[16];
	int count = FindEnd( -1, points );
	for ( int i = 0; i < count; ++i )
		Pin( points + i );
}

// Sag of the free end of a bar of 20 particles at rest [m].
static double MeasureSag( double k, int iterations, double step, int stepCount )
{
	gelInitParticleStage( &s_def );
	gelStageAddChain( &s_def, 20, 0.05, 0.05 );
	s_def.stiffness = k;
	s_def.steps[0] = step;
	s_def.world.gravity.y = -9.81f;
	s_def.body.solver.particles.iterations = iterations;
	gelMakeParticleStage( &s_def, &s_stage );
	ClampLeft();
	gelParticleStage_Step( &s_stage, stepCount );
	double sag = -(double)s_stage.poses[19].position.y;
	gelFreeParticleStage( &s_stage );
	return sag;
}

static void TestSag( void** state )
{
	(void)state;
	const double k = 4e10, h = 1.0 / 30.0;
	double one = MeasureSag( k, 10, h, 600 );
	double two = MeasureSag( 2.0 * k, 10, h, 600 ), four = MeasureSag( 4.0 * k, 10, h, 600 );
	assert_true( one > 1e-3 && one < 0.1 ); // small against the length of 1 m
	assert_true( fabs( two / one - 0.5 ) < 0.05 );
	assert_true( fabs( four / one - 0.25 ) < 0.025 );
	double hundred = MeasureSag( k, 100, h, 600 ), thousand = MeasureSag( k, 1000, h, 200 );
	// a body in equilibrium stays there: far closer than the tenth that a game would not see
	assert_true( fabs( hundred / one - 1.0 ) < 0.01 && fabs( thousand / one - 1.0 ) < 0.01 );
	double fine = MeasureSag( k, 10, h / 4.0, 2400 );
	assert_true( fabs( fine / one - 1.0 ) < 0.01 );
}

// ---- Woodbury --------------------------------------------------------------------------------------------

// The increment of positions with springs against that of the matrix in which they are.
static void TestHandlesAreTheWholeMatrix( void** state )
{
	(void)state;
	gelInitParticleStage( &s_def );
	const uint32_t cells[3] = { 4, 3, 2 };
	gelStageAddLattice( &s_def, cells, 0.1, true );
	gelMakeParticleStage( &s_def, &s_stage );
	gelEmbeddedPoint points[16];
	int found = FindEnd( 1, points );
	assert_true( found >= 4 );
	for ( int i = 0; i < 4; ++i )
	{
		gelConstraintDef def = gelDefaultConstraintDef();
		def.kind = gel_constraintSpring;
		def.point = points[i];
		def.target = gelAdd( GetPoint( points + i ), gelMakeVec3( 0.1f, 0.02f * (float)i, 0.05f ) );
		def.stiffness = i == 3 ? 1e7f : 300.0f * (float)( i + 1 );
		gelConstraintId id;
		assert_int_equal( gelCreateConstraint( s_stage.body, &def, &id ), gel_success );
	}
	gelBody* body = gelGetBody( s_stage.body );
	gelParticles* p = gelGetParticles( body );
	float h = s_stage.step;
	assert_true( gelParticles_ChooseFactor( body, h ) );
	gelParticlePass pass = gelParticles_MakePass( p );
	pass.h = h;
	gelHandleSet_Begin( body, h );
	gelGetParticleKernels( body->simd )->predict( &pass ); // at rest: poses are those of the state
	gelHandleSet_Aim( body, h, 0 );
	int n = p->model->count;
	memset( p->y, 0, (size_t)n * sizeof( gelVec4 ) ); // the increment without handles at rest
	gelHandleSet_Solve( body, &pass, true );

	double* A = calloc( (size_t)( n * n ), sizeof( double ) );
	assert_non_null( A );
	double k = body->asset->pack.particles.header->stiffness, b[3][64] = { { 0.0 } };
	for ( int d = 0; d < 3; ++d )
	{
		memset( A, 0, (size_t)( n * n ) * sizeof( double ) );
		for ( int i = 0; i < n; ++i )
			A[i * n + i] = s_def.particles[i].mass;
		for ( uint32_t e = 0; e < s_def.edgeCount; ++e )
		{
			int i = (int)s_def.edges[e][0], j = (int)s_def.edges[e][1];
			double s = (double)h * h * k * ( (double)s_def.particles[i].volume + s_def.particles[j].volume );
			A[i * n + i] += s, A[j * n + j] += s, A[i * n + j] -= s, A[j * n + i] -= s;
		}
		for ( int c = 0; c < p->handles->pointCount; ++c )
		{
			const gelHandle* item = p->handles->items + c;
			gelVec3 gap = gelSub( item->target, gelGetCarried( &item->carriers, p->poses ) );
			for ( int u = 0; u < item->carriers.count; ++u )
			{
				int i = (int)p->model->slotParticles[item->carriers.slot[u]];
				double w = (double)item->weight * item->carriers.share[u];
				b[d][i] += w * (double)( &gap.x )[d];
				for ( int v = 0; v < item->carriers.count; ++v )
					A[i * n + (int)p->model->slotParticles[item->carriers.slot[v]]] +=
						w * (double)item->carriers.share[v];
			}
		}
		gelSolveTestSystem( A, b[d], n );
	}
	double error = 0.0, size = 0.0;
	for ( int row = 0; row < n; ++row )
	{
		int i = (int)p->model->slotParticles[p->rowSlots[row]];
		for ( int d = 0; d < 3; ++d )
		{
			error = fmax( error, fabs( (double)( &p->y[row].x )[d] - b[d][i] ) );
			size = fmax( size, fabs( b[d][i] ) );
		}
	}
	assert_true( size > 0.01 && error < 1e-5 * size );
	free( A );
	gelFreeParticleStage( &s_stage );
}

static void TestPinsHold( void** state )
{
	(void)state;
	gelInitParticleStage( &s_def );
	const uint32_t n[3] = { 6, 3, 3 };
	gelStageAddLattice( &s_def, n, 0.1, true );
	s_def.world.gravity.y = -9.81f;
	gelMakeParticleStage( &s_def, &s_stage );
	gelEmbeddedPoint points[32];
	int count = FindEnd( -1, points );
	gelVec3 wanted[32];
	gelConstraintId ids[32];
	for ( int i = 0; i < count && i < 8; ++i )
	{
		wanted[i] = GetPoint( points + i );
		ids[i] = Pin( points + i );
	}
	float mass = 0.0f;
	for ( uint32_t i = 0; i < s_def.count; ++i )
		mass += s_def.particles[i].mass;
	gelParticleStage_Step( &s_stage, 600 );
	gelVec3 force = { 0.0f, 0.0f, 0.0f };
	for ( int i = 0; i < count && i < 8; ++i )
	{
		gelReaction reaction;
		assert_true( gelLength( gelSub( GetPoint( points + i ), wanted[i] ) ) < 1e-4f );
		assert_int_equal( gelConstraint_GetReaction( ids[i], &reaction ), gel_success );
		force = gelAdd( force, reaction.force );
	}
	// at rest the pins carry the weight
	assert_true( fabsf( force.y / ( -9.81f * mass ) - 1.0f ) < 0.01f );
	assert_true( fabsf( force.x ) < 0.01f * 9.81f * mass && fabsf( force.z ) < 0.01f * 9.81f * mass );
	// a pin that moves takes its point along
	for ( int step = 0; step < 60; ++step )
	{
		for ( int i = 0; i < count && i < 8; ++i )
		{
			wanted[i].y += 0.01f;
			assert_int_equal( gelConstraint_SetTarget( ids[i], wanted[i] ), gel_success );
		}
		gelParticleStage_Step( &s_stage, 1 );
		assert_true( gelLength( gelSub( GetPoint( points ), wanted[0] ) ) < 5e-4f );
	}
	gelFreeParticleStage( &s_stage );
}

// ---- extremes --------------------------------------------------------------------------------------------

static float GetFarthest( void )
{
	gelParticle rest[GEL_STAGE_PARTICLES];
	gelAsset_GetParticles( s_stage.asset, rest, GEL_STAGE_PARTICLES );
	gelVec3 shift = gelSub( s_stage.poses[0].position,
		gelMulMV( gelMakeMat3FromQuat( s_stage.poses[0].rotation ), rest[0].position ) );
	float far = 0.0f;
	for ( int i = 0; i < s_stage.count; ++i )
	{
		gelVec3 turned = gelMulMV( gelMakeMat3FromQuat( s_stage.poses[0].rotation ), rest[i].position );
		far = fmaxf( far, gelLength( gelSub( s_stage.poses[i].position, gelAdd( turned, shift ) ) ) );
	}
	return far;
}

// One end held at place and direction, the other turned by 360 degrees; then let go.
static void TestTwistedChain( void** state )
{
	(void)state;
	gelInitParticleStage( &s_def );
	gelStageAddChain( &s_def, 20, 0.05, 0.05 );
	s_def.stiffness = 4e9;
	s_def.steps[0] = 1.0 / 30.0;
	gelMakeParticleStage( &s_def, &s_stage );
	ClampLeft();
	gelEmbeddedPoint ends[16];
	int count = FindEnd( 1, ends );
	assert_true( count >= 1 );
	gelConstraintDef def = gelDefaultConstraintDef();
	def.kind = gel_constraintDirection;
	def.point = ends[0];
	def.stiffness = 5000.0f;
	gelConstraintId ids[3];
	for ( int k = 0; k < 3; ++k )
	{
		def.target = def.axis = ( gelVec3 ){ k == 0, k == 1, k == 2 };
		assert_int_equal( gelCreateConstraint( s_stage.body, &def, ids + k ), gel_success );
	}
	def.kind = gel_constraintPoint;
	def.target = GetPoint( ends );
	gelConstraintId pin;
	assert_int_equal( gelCreateConstraint( s_stage.body, &def, &pin ), gel_success );
	for ( int step = 0; step <= 120; ++step )
	{
		float angle = 6.2831853f * (float)step / 120.0f, c = cosf( angle ), s = sinf( angle );
		assert_int_equal( gelConstraint_SetAxis( ids[1], gelMakeVec3( 0.0f, c, s ) ), gel_success );
		assert_int_equal( gelConstraint_SetAxis( ids[2], gelMakeVec3( 0.0f, -s, c ) ), gel_success );
		gelParticleStage_Step( &s_stage, 1 );
	}
	// half way along the chain has turned by half: the twist is spread, not lost
	gelMat3 R = gelMakeMat3FromQuat( s_stage.poses[10].rotation ),
			first = gelMakeMat3FromQuat( s_stage.poses[0].rotation );
	assert_true( R.cy.y < -0.5f && first.cy.y > 0.9f );
	for ( int i = 0; i < s_stage.count; ++i )
		assert_true(
			gelIsUsable( s_stage.poses[i].position ) && gelLength( s_stage.poses[i].position ) < 3.0f );
	for ( int k = 0; k < 3; ++k )
		gelDestroyConstraint( ids[k] );
	gelDestroyConstraint( pin );
	gelParticleStage_Step( &s_stage, 600 );
	assert_true( GetFarthest() < 0.02f );
	gelFreeParticleStage( &s_stage );
}

// All particles in one point: back in shape within 16 frames, as in the paper, where the center is held. And
// mirrored ones turn round.
static void TestFindsBack( void** state )
{
	(void)state;
	for ( int kind = 0; kind < 3; ++kind )
	{
		gelInitParticleStage( &s_def );
		const uint32_t n[3] = { 5, 5, 4 };
		gelStageAddLattice( &s_def, n, 0.1, true );
		s_def.steps[0] = 1.0 / 30.0;
		s_def.body.solver.particles.iterations = 10;
		gelMakeParticleStage( &s_def, &s_stage );
		gelVec3 center = s_stage.poses[50].position;
		for ( int i = 0; i < s_stage.count; ++i )
		{
			gelVec3 arm = gelSub( s_stage.poses[i].position, center );
			arm.x = -arm.x;
			if ( kind == 0 ) s_stage.poses[i].position = center;
			if ( kind == 1 ) s_stage.poses[i].position = gelAdd( center, arm );
			if ( kind == 2 && i < 25 ) s_stage.poses[i].position = gelAdd( center, gelScale( -1.0f, arm ) );
		}
		gelParticleStage_Put( &s_stage );
		float size = 0.57f;
		gelParticleStage_Step( &s_stage, 16 );
		float after = GetFarthest();
		gelParticleStage_Step( &s_stage, 300 );
		for ( int i = 0; i < s_stage.count; ++i )
			assert_true( gelIsUsable( s_stage.poses[i].position ) );
		if ( kind == 0 ) assert_true( after < 0.05f * size );
		assert_true( GetFarthest() < 0.01f * size );
		gelFreeParticleStage( &s_stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestSag ),
		cmocka_unit_test( TestHandlesAreTheWholeMatrix ),
		cmocka_unit_test( TestPinsHold ),
		cmocka_unit_test( TestTwistedChain ),
		cmocka_unit_test( TestFindsBack ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
