// SPDX-License-Identifier: MIT
// What spares the search for contacts with a shape never hides one: against every vertex and the middles of
// all triangles, on their way through the step.
#include "test_support.h"

#include "contact/shapes/collider_near.h"
#include "contact_scene.h"
#include "query/query_debug.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CASES 800
#define TIMES 5 // moments of a step that are looked at

// A bear that is somewhere in a step, and all points of its surface that are looked at.
typedef struct Setup
{
	gelContactScene scene;
	gelBody* body;
	gelAabb swept;
} Setup;

static Setup MakeSetup( void )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	Setup s = { .scene = gelMakeContactScene( &worldDef, 1.0 / 60.0 ) };
	gelSampleDef sample = gelDefaultSampleDef( "bear" );
	gelBodyDef def = gelDefaultBodyDef();
	int asset = gelContactScene_AddSample( &s.scene, &sample );
	def.linearVelocity = gelMakeVec3( 2.0f, -3.0f, 1.0f );
	def.angularVelocity = gelMakeVec3( 3.0f, 1.0f, -2.0f );
	gelContactScene_AddBody( &s.scene, asset, &def, ( gelVec3 ){ 0.0f, 0.0f, 0.0f } );
	gelContactScene_Step( &s.scene, 3 );
	s.body = gelGetBody( s.scene.bodies[0] );
	s.swept = ( gelAabb ){ s.body->x[0], s.body->x[0] };
	for ( int i = 0; i < s.body->asset->nodeCount; ++i )
	{
		s.swept.min = gelMinVec3( s.swept.min, gelMinVec3( s.body->x[i], s.body->xOld[i] ) );
		s.swept.max = gelMaxVec3( s.swept.max, gelMaxVec3( s.body->x[i], s.body->xOld[i] ) );
	}
	return s;
}

static gelVec3 RandomVector( gelRandom* random, double size )
{
	return gelMakeVec3( (float)gelRandom_Uniform( random, -size, size ),
		(float)gelRandom_Uniform( random, -size, size ), (float)gelRandom_Uniform( random, -size, size ) );
}

static gelMat3 RandomTurn( gelRandom* random, double size )
{
	gelVec3 v = RandomVector( random, size );
	float length = sqrtf( 1.0f + gelLengthSquared( v ) );
	return gelMakeMat3FromQuat( ( gelQuat ){ gelScale( 1.0f / length, v ), 1.0f / length } );
}

// A sphere, capsule, box or plate of any size that moves a little, or stands.
static gelColliderMotion MakeMotion( const Setup* s, gelRandom* random, bool isUpright )
{
	gelColliderMotion motion = { .isStill = gelRandom_Uniform( random, 0.0, 1.0 ) < 0.5 };
	const gelVec3 axes = { gelRandom_Uniform( random, 0.0, 1.0 ) < 0.7 ? 1.0f : 0.0f, 1.0f,
		gelRandom_Uniform( random, 0.0, 1.0 ) < 0.7 ? 1.0f : 0.0f };
	double size = pow( 10.0, gelRandom_Uniform( random, -1.5, 0.7 ) );
	gelVec3 core = RandomVector( random, size ), place = RandomVector( random, 0.4 + size );
	motion.shape.core =
		gelMakeVec3( fabsf( axes.x * core.x ), fabsf( axes.y * core.y ), fabsf( axes.z * core.z ) );
	motion.shape.radius = gelRandom_Uniform( random, 0.0, 1.0 ) < 0.5 ? 0.0f : 0.2f * (float)size;
	motion.start.rotation = motion.end.rotation = RandomTurn( random, isUpright ? 0.01 : 2.0 );
	for ( int k = 0; k < 3; ++k )
		motion.start.position[k] = motion.end.position[k] = s->body->origin[k] + (double)( &place.x )[k];
	if ( motion.isStill ) return motion;
	motion.end.position[1] += gelRandom_Uniform( random, -0.05, 0.05 );
	gelMat3 turn = RandomTurn( random, 0.02 ), *r = &motion.end.rotation;
	*r = ( gelMat3 ){ gelMulMV( turn, r->cx ), gelMulMV( turn, r->cy ), gelMulMV( turn, r->cz ) };
	return motion;
}

static gelVec3 ToPose( const gelBody* body, const gelColliderPose* pose, gelVec3 p )
{
	gelVec3 center = { (float)( pose->position[0] - body->origin[0] ),
		(float)( pose->position[1] - body->origin[1] ), (float)( pose->position[2] - body->origin[2] ) };
	gelVec3 d = gelSub( p, center );
	return gelMakeVec3(
		gelDot( pose->rotation.cx, d ), gelDot( pose->rotation.cy, d ), gelDot( pose->rotation.cz, d ) );
}

// A vertex in the space of a collider at both ends of the step.
static void FollowVertex(
	const Setup* s, const gelColliderMotion* motion, uint32_t cell, uint32_t slot, gelVec3 out[2] )
{
	const gelPackView* pack = &s->body->asset->pack;
	float w[4];
	gelCdg_GetWeights( &pack->cdg, slot, w );
	gelVec3 start = { 0.0f, 0.0f, 0.0f }, end = start;
	for ( int k = 0; k < 4; ++k )
	{
		start = gelMulAdd( start, w[k], s->body->xOld[pack->cells[cell].node[k]] );
		end = gelMulAdd( end, w[k], s->body->x[pack->cells[cell].node[k]] );
	}
	out[0] = ToPose( s->body, &motion->start, start );
	out[1] = ToPose( s->body, &motion->end, end );
}

typedef void VisitFcn( const gelVec3 place[2], void* context );

static void VisitVertices( const Setup* s, const gelColliderMotion* motion, VisitFcn* visit, void* context )
{
	const gelPackView* pack = &s->body->asset->pack;
	for ( uint32_t cell = 0; cell < pack->header->cdgTetCount; ++cell )
	{
		for ( uint32_t p = 0; p < pack->cells[cell].patchCount; ++p )
		{
			const gelPackPatch* patch = pack->patches + pack->cells[cell].patchFirst + p;
			for ( uint32_t t = 0; t < patch->triangleCount; ++t )
			{
				uint32_t slots[3];
				gelVec3 sum[2] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
				gelCdg_GetCorners( &pack->cdg, patch, patch->triangleFirst + t, slots );
				for ( int k = 0; k < 3; ++k )
				{
					gelVec3 place[2];
					FollowVertex( s, motion, cell, slots[k], place );
					visit( place, context );
					sum[0] = gelMulAdd( sum[0], 1.0f / 3.0f, place[0] );
					sum[1] = gelMulAdd( sum[1], 1.0f / 3.0f, place[1] );
				}
				visit( sum, context );
			}
		}
	}
}

// ---- apart -----------------------------------------------------------------------------------------------

typedef struct Nearest
{
	const gelShape* shape;
	float distance;
} Nearest;

static void MeasureNearest( const gelVec3 place[2], void* context )
{
	Nearest* nearest = context;
	for ( int i = 0; i < TIMES; ++i )
	{
		float t = (float)i / ( TIMES - 1 );
		gelVec3 p = gelMulAdd( gelScale( 1.0f - t, place[0] ), t, place[1] ), normal;
		nearest->distance = fminf( nearest->distance, gelShape_GetDistance( nearest->shape, p, &normal ) );
	}
}

static void TestApart( void** state )
{
	(void)state;
	Setup s = MakeSetup();
	gelRandom random = { 5 };
	int apart = 0, clear = 0;
	for ( int i = 0; i < CASES; ++i )
	{
		gelColliderMotion motion = MakeMotion( &s, &random, false );
		gelVec3 zero = { 0.0f, 0.0f, 0.0f };
		gelVec3 from = gelNeg( gelMulMV( motion.start.rotation, ToPose( s.body, &motion.start, zero ) ) );
		gelVec3 to = gelNeg( gelMulMV( motion.end.rotation, ToPose( s.body, &motion.end, zero ) ) );
		bool isApart = gelIsColliderApart( s.body, &motion, from, to );
		if ( !isApart && i % 8 != 0 ) continue;
		Nearest nearest = { &motion.shape, INFINITY };
		VisitVertices( &s, &motion, MeasureNearest, &nearest );
		if ( isApart ) assert_true( nearest.distance > 0.0f );
		apart += isApart && i % 8 == 0;
		clear += nearest.distance > 0.05f && i % 8 == 0;
	}
	print_message( "%d of %d that are apart by 5 cm or more are told\n", apart, clear );
	assert_true( clear > CASES / 80 && apart > clear * 3 / 4 );
	gelFreeContactScene( &s.scene );
}

// ---- sides of boxes --------------------------------------------------------------------------------------

typedef struct Comparison
{
	const gelColliderMotion *shape, *side;
	int insideCount;
	float worst; // difference of the depths of what is inside [m]
} Comparison;

// Both ends of the step, each in the space of the shape there: a plane of the side's pose is one of it.
static void CompareDepths( const gelVec3 place[2], void* context )
{
	Comparison* c = context;
	const gelMat3* r = &c->shape->start.rotation;
	gelVec3 way = c->side->start.rotation.cy;
	gelVec3 axis = { gelDot( r->cx, way ), gelDot( r->cy, way ), gelDot( r->cz, way ) };
	float reach = gelShape_GetReach( &c->shape->shape, axis );
	for ( int k = 0; k < 2; ++k )
	{
		gelVec3 normal;
		float distance = gelShape_GetDistance( &c->shape->shape, place[k], &normal );
		float height = gelDot( axis, place[k] ) - reach;
		if ( distance >= 0.0f && height >= 0.0f ) continue;
		++c->insideCount;
		c->worst = fmaxf( c->worst, fabsf( distance - height ) );
		assert_true( gelDot( normal, axis ) > 0.9999f );
	}
}

static void TestSides( void** state )
{
	(void)state;
	Setup s = MakeSetup();
	gelRandom random = { 7 };
	int found = 0;
	Comparison c = { 0 };
	for ( int i = 0; i < CASES; ++i )
	{
		gelColliderMotion motion = MakeMotion( &s, &random, i % 2 == 0 ), side;
		if ( !gelFindColliderSide( s.body, &s.swept, &motion, &side ) ) continue;
		assert_true( side.shape.isHalfSpace );
		++found;
		c.shape = &motion;
		c.side = &side;
		VisitVertices( &s, &motion, CompareDepths, &c );
	}
	print_message(
		"%d sides, %d points inside, depths equal to %g m\n", found, c.insideCount, (double)c.worst );
	assert_true( found > CASES / 100 && c.insideCount > 1000 && c.worst < 5e-6f );
	gelFreeContactScene( &s.scene );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestApart ),
		cmocka_unit_test( TestSides ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
