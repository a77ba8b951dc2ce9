// SPDX-License-Identifier: MIT
// What contact at the price of flight rests on: the inverse of a factor is its inverse, points move as the
// body then does, and a body that lies on something is at rest in the eyes of its own solver, as large as its
// material says.
#include "test_support.h"

#include "contact/response/contact_solve.h"
#include "contact_scene.h"
#include "simd/supernodal_solve.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gelBody* GetBody( const gelContactScene* scene, int index )
{
	return gelGetBody( scene->bodies[index] );
}

// Rows of the inverse are what solves give, are symmetric, and are zero for pinned nodes.
static void TestInverse( void** state )
{
	(void)state;
	for ( int k = 0; k < 2; ++k )
	{
		gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
		gelShapeDef shape = gelDefaultShapeDef();
		shape.pinBottom = k == 1;
		gelContactScene_AddBody( &scene, gelContactScene_AddShape( &scene, &shape ), NULL, ( gelVec3 ){ 0 } );
		gelContactScene_Step( &scene, 1 );
		gelBody* body = GetBody( &scene, 0 );
		const gelCompliance* compliance = body->compliance;
		assert_non_null( compliance );
		uint32_t n = body->factor.header->n;
		float largest = 0.0f;
		for ( uint32_t row = 0; row < n; row += 7 )
		{
			memset( body->y, 0, ( (size_t)n + 1 ) * sizeof( gelVec4 ) );
			body->y[row].x = 1.0f;
			gelSolveFactor( body->simd, &body->factor, &body->y, 1, body->solveScratch );
			const float* from = compliance->rows + (size_t)body->factor.perm[row] * compliance->stride;
			for ( uint32_t i = 0; i < n; ++i )
			{
				uint32_t node = body->factor.perm[i];
				largest = fmaxf( largest, fabsf( from[node] ) );
				assert_float_equal( from[node], body->y[i].x, 2e-6f * from[body->factor.perm[row]] );
				assert_true( from[node] ==
					compliance->rows[(size_t)node * compliance->stride + body->factor.perm[row]] );
			}
			for ( int i = 0; i < body->pinCount; ++i )
				assert_true( from[body->pins[i]] == 0.0f );
		}
		assert_true( largest > 0.0f );
		gelFreeContactScene( &scene );
	}
}

// Two points of a turned, bent body: how far the matrix of points says that they move is how far they move.
static void TestPointsMoveAsPredicted( void** state )
{
	(void)state;
	gelContactScene scene = gelMakeContactScene( NULL, 1.0 / 60.0 );
	gelShapeDef shape = gelDefaultShapeDef();
	gelBodyDef def = gelDefaultBodyDef();
	def.transform.rotation = ( gelQuat ){ { 0.3f, 0.1f, -0.2f }, 0.927362f };
	gelContactScene_AddBody(
		&scene, gelContactScene_AddShape( &scene, &shape ), &def, ( gelVec3 ){ 0.0f, 0.3f, 0.0f } );
	gelContactScene_Step( &scene, 20 ); // it has landed on an edge
	gelBody* body = GetBody( &scene, 0 );
	gelBodyContact* touch = body->contact;
	gelContactPoint points[2] = { { .body = body, .node = { 0, 1, 5, 9 }, .w = { 0.4f, 0.3f, 0.2f, 0.1f } },
		{ .body = body, .node = { 20, 21, 30, 40 }, .w = { 0.1f, 0.5f, 0.2f, 0.2f }, .index = 1 } };
	points[0].next = points + 1;
	touch->answers = ( gelPointAnswers ){ .first = points, .last = points + 1, .count = 2 };
	touch->softness = 1.0f;
	const gelContactDesk* desk = scene.world.world->contact->desks;
	gelAnswerMemory memory = { desk->floats, desk->floatCount, desk->blend };
	gelPrepareBodyContact( body, 1.0f / 60.0f );
	gelPreparePointAnswers( body, &memory );
	assert_true( touch->answers.isExact && touch->answers.canTurn );
	const gelVec3 impulse[2] = { { 0.3f, -0.5f, 0.2f }, { -0.1f, 0.4f, 0.7f } };
	gelVec3* nodal = calloc( (size_t)body->asset->nodeCount, sizeof( gelVec3 ) );
	gelVec3* before = calloc( (size_t)body->asset->nodeCount, sizeof( gelVec3 ) );
	memcpy( before, body->x, (size_t)body->asset->nodeCount * sizeof( gelVec3 ) );
	double sum = 0.0, momentum = 0.0;
	for ( int i = 0; i < 2; ++i )
	{
		gelPushPoint( points + i, impulse[i] );
		sum += (double)impulse[i].y;
		for ( int k = 0; k < 4; ++k )
			nodal[points[i].node[k]] = gelMulAdd( nodal[points[i].node[k]], points[i].w[k], impulse[i] );
	}
	gelVec3 wanted[2] = { gelGetPointChange( points ), gelGetPointChange( points + 1 ) };
	gelMoveExactly( body, nodal );
	for ( int i = 0; i < 2; ++i )
	{
		gelVec3 moved = { 0.0f, 0.0f, 0.0f };
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t node = points[i].node[k];
			moved = gelMulAdd( moved, points[i].w[k], gelSub( body->x[node], before[node] ) );
		}
		assert_true( gelLength( wanted[i] ) > 1e-4f );
		assert_true( gelLength( gelSub( moved, wanted[i] ) ) < 1e-3f * gelLength( wanted[i] ) + 2e-7f );
	}
	for ( int i = 0; i < body->asset->nodeCount; ++i )
		momentum += (double)( body->asset->pack.masses[i].mass * ( body->x[i].y - before[i].y ) );
	assert_true( fabs( momentum - sum ) < 1e-3 * fabs( sum ) + 1e-4 );
	free( nodal );
	free( before );
	gelFreeContactScene( &scene );
}

static const struct
{
	const char* name;
	gelSolverType solver;
	gelSolverMode mode;
} solvers[] = { { "quality", gel_solverFastCorotated, gel_modeQuality },
	{ "implicit", gel_solverImplicit, gel_modePlain } };

// Volume of a soft box on the ground over its volume at rest, and how fast it still is [m/s].
static double LieDown( int solver, double step, double* outSpeed )
{
	gelContactScene scene = gelMakeContactScene( NULL, step );
	gelShapeDef shape = gelDefaultShapeDef();
	shape.size[0] = shape.size[1] = shape.size[2] = 0.5;
	shape.youngsModulus = 5e4;
	shape.poissonsRatio = 0.4;
	gelBodyDef def = gelDefaultBodyDef();
	def.enableSleep = false;
	def.solver = gelDefaultSolverDef( solvers[solver].solver );
	if ( solvers[solver].mode == gel_modeQuality ) def.solver.fast.mode = gel_modeQuality;
	gelContactScene_AddBody( &scene, gelContactScene_AddShape( &scene, &shape ), &def, ( gelVec3 ){ 0 } );
	double rest = (double)gelBody_GetDynamics( scene.bodies[0] ).volume;
	gelContactScene_Step( &scene, (int)( 4.0 / step ) );
	gelBodyDynamics end = gelBody_GetDynamics( scene.bodies[0] );
	*outSpeed = sqrt( 2.0 * (double)end.kineticEnergy / (double)end.mass );
	gelFreeContactScene( &scene );
	return (double)end.volume / rest;
}

// The same volume for any step length, and still: answered by the matrix of the fast solver alone it was
// 0.955 to 0.989.
static void TestVolumeAtRest( void** state )
{
	(void)state;
	for ( int k = 0; k < 2; ++k )
	{
		double least = 1.0, most = 0.0;
		for ( int i = 0; i < 3; ++i )
		{
			double speed, volume = LieDown( k, 1.0 / ( 30.0 * ( 1 << i ) ), &speed );
			least = fmin( least, volume );
			most = fmax( most, volume );
			if ( !GEL_IS_SANITIZED && speed > 1e-4 ) fail_msg( "%s: %g m/s at rest", solvers[k].name, speed );
		}
		print_message( "%s: volume %.4f to %.4f\n", solvers[k].name, least, most );
		assert_true( most < 0.999 ); // its weight presses it
		assert_true( most - least < 0.002 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestInverse ),
		cmocka_unit_test( TestPointsMoveAsPredicted ),
		cmocka_unit_test( TestVolumeAtRest ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
