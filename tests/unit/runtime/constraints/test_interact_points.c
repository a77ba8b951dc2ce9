// SPDX-License-Identifier: MIT
// Forces, impulses and changes at embedded points: what reaches the nodes is what a rigid body would have
// got.
#include "test_support.h"

#include "solvers/interact_points.h"
#include "solvers/node_body.h"
#include "query_stage.h"
#include "state/world.h"

#include <math.h>

// A box whose nodes have masses 1 : 100, one of the nodes of tet 4 pinned on demand. Masses are part of the
// asset, so the test changes the body's copy of the inverses.
static gelStage MakeUneven( gelRandom* random, bool hasPinned, gelBody** outBody )
{
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelBody* body = *outBody = gelGetBody( stage.body );
	for ( int i = 0; i < stage.nodeCount; ++i )
		body->invMasses[i] = (float)pow( 10.0, gelRandom_Uniform( random, -1, 1 ) );
	if ( hasPinned ) body->invMasses[body->asset->pack.tets[4].node[2]] = 0.0f;
	return stage;
}

static gelEmbeddedPoint MakePoint( gelRandom* random, int tet )
{
	gelEmbeddedPoint point = { .tet = tet };
	double w[4], sum = 0.0;
	for ( int k = 0; k < 4; ++k )
		sum += w[k] = gelRandom_Uniform( random, 0.02, 1 );
	for ( int k = 0; k < 4; ++k )
		point.weight[k] = (float)( w[k] / sum );
	return point;
}

static gelVec3 MakeVector( gelRandom* random )
{
	return ( gelVec3 ){ (float)gelRandom_Uniform( random, -1, 1 ), (float)gelRandom_Uniform( random, -1, 1 ),
		(float)gelRandom_Uniform( random, -1, 1 ) };
}

static gelVec3 Interpolate( const gelBody* body, const gelEmbeddedPoint* point, const gelVec3* values )
{
	gelVec3 sum = { 0, 0, 0 };
	for ( int k = 0; k < 4; ++k )
		sum = gelMulAdd( sum, point->weight[k], values[body->asset->pack.tets[point->tet].node[k]] );
	return sum;
}

// The point moves by what was asked for; the change is that of one impulse m_p dp at p, in sum and in torque.
static void TestMove( void** state )
{
	(void)state;
	gelRandom random = { 1 };
	for ( int trial = 0; trial < 40; ++trial )
	{
		gelBody* body;
		gelStage stage = MakeUneven( &random, trial % 2 == 1, &body );
		gelEmbeddedPoint point = MakePoint( &random, 4 );
		gelVec3 wanted = gelScale( 0.1f, MakeVector( &random ) );
		gelStage_Fetch( &stage );
		gelVec3 p = Interpolate( body, &point, body->x );
		float mass;
		assert_int_equal( gelBody_GetPointMass( stage.body, &point, &mass ), gel_success );
		float dt = trial % 3 == 0 ? 0.0f : 0.02f;
		assert_int_equal( gelBody_MovePoint( stage.body, &point, wanted, dt ), gel_success );
		gelVec3 after = Interpolate( body, &point, body->x );
		assert_true( gelLength( gelSub( gelSub( after, p ), wanted ) ) < 2e-6f );
		gelVec3 v = Interpolate( body, &point, body->v );
		assert_true( gelLength( gelSub(
						 v, dt > 0.0f ? gelScale( 1.0f / dt, wanted ) : gelMakeVec3( 0, 0, 0 ) ) ) < 1e-5f );
		double sum[3] = { 0, 0, 0 }, torque[3] = { 0, 0, 0 };
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			gelVec3 old = stage.nodes[i], d = gelSub( body->x[i], old );
			if ( body->invMasses[i] == 0.0f )
			{
				assert_true( gelLength( d ) == 0.0f );
				continue;
			}
			double m = 1.0 / (double)body->invMasses[i];
			sum[0] += m * d.x, sum[1] += m * d.y, sum[2] += m * d.z;
			torque[0] += m * ( old.y * d.z - old.z * d.y );
			torque[1] += m * ( old.z * d.x - old.x * d.z );
			torque[2] += m * ( old.x * d.y - old.y * d.x );
		}
		if ( trial % 2 == 0 ) // a pinned node takes its share of the impulse to whoever holds it
		{
			gelVec3 j = gelScale( mass, wanted ), t = gelCross( p, j );
			assert_true( fabs( sum[0] - j.x ) + fabs( sum[1] - j.y ) + fabs( sum[2] - j.z ) <
				1e-4 * (double)gelLength( j ) + 1e-5 );
			assert_true( fabs( torque[0] - t.x ) + fabs( torque[1] - t.y ) + fabs( torque[2] - t.z ) <
				1e-3 * (double)gelLength( j ) + 1e-5 );
		}
		gelFreeStage( &stage );
	}
}

static void TestForceAndImpulse( void** state )
{
	(void)state;
	gelRandom random = { 2 };
	for ( int trial = 0; trial < 40; ++trial )
	{
		gelBody* body;
		gelStage stage = MakeUneven( &random, trial % 2 == 1, &body );
		gelEmbeddedPoint point = MakePoint( &random, 4 );
		gelVec3 f = MakeVector( &random ), origin = MakeVector( &random ),
				p = Interpolate( body, &point, body->x );
		assert_int_equal( gelBody_AddPointForce( stage.body, &point, f ), gel_success );
		gelVec3 sum = { 0, 0, 0 }, torque = { 0, 0, 0 };
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			sum = gelAdd( sum, body->forces[i] );
			torque = gelAdd( torque, gelCross( gelSub( body->x[i], origin ), body->forces[i] ) );
		}
		assert_true( gelLength( gelSub( sum, f ) ) < 1e-6f );
		assert_true( gelLength( gelSub( torque, gelCross( gelSub( p, origin ), f ) ) ) < 1e-5f );

		float mass;
		gelBody_GetPointMass( stage.body, &point, &mass );
		assert_int_equal( gelBody_AddPointImpulse( stage.body, &point, f ), gel_success );
		gelVec3 v = Interpolate( body, &point, body->v ), wanted = gelScale( 1.0f / mass, f );
		assert_true( gelLength( gelSub( v, wanted ) ) < 1e-5f * gelLength( wanted ) );
		gelVec3 target = MakeVector( &random );
		assert_int_equal( gelBody_SetPointVelocity( stage.body, &point, target ), gel_success );
		assert_true( gelLength( gelSub( Interpolate( body, &point, body->v ), target ) ) < 1e-5f );
		gelFreeStage( &stage );
	}
}

// Spreading a change by weights alone, without masses, breaks momentum when masses differ: the negative
// control.
static void TestMassFreeRuleIsWrong( void** state )
{
	(void)state;
	const double w[4] = { 0.4, 0.3, 0.2, 0.1 }, m[4] = { 1, 100, 1, 100 }, dp = 1.0;
	double w2 = 0, invMass = 0, right = 0, wrong = 0, moved = 0;
	for ( int k = 0; k < 4; ++k )
	{
		w2 += w[k] * w[k];
		invMass += w[k] * w[k] / m[k];
	}
	for ( int k = 0; k < 4; ++k )
	{
		right += m[k] * ( w[k] / m[k] / invMass ) * dp;
		wrong += m[k] * ( w[k] / w2 ) * dp;
		moved += w[k] * ( w[k] / m[k] / invMass ) * dp;
	}
	assert_true( fabs( moved - dp ) < 1e-12 );
	assert_true( fabs( right - dp / invMass ) < 1e-9 );
	assert_true( fabs( wrong - dp / invMass ) > 1e-2 * dp / invMass );
}

static void TestPinnedPointsRefuse( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	def.pinBoundary = true;
	gelStage stage = gelMakeStage( &def );
	const gelBody* body = gelGetBody( stage.body );
	gelEmbeddedPoint point = { 0, { 0.25f, 0.25f, 0.25f, 0.25f } };
	while ( gelNodeBody_GetInvPointMass( body, &point ) > 0.0f ) // a tet in a corner
		++point.tet;
	gelVec3 one = { 1, 1, 1 };
	float mass = 1.0f;
	assert_int_equal( gelBody_GetPointMass( stage.body, &point, &mass ), gel_success );
	assert_true( mass == 0.0f );
	assert_int_equal( gelBody_MovePoint( stage.body, &point, one, 0.0f ), gel_errorArgument );
	assert_int_equal( gelBody_SetPointVelocity( stage.body, &point, one ), gel_errorArgument );
	assert_int_equal( gelBody_AddPointImpulse( stage.body, &point, one ), gel_success ); // to no effect
	gelConstraintDef constraint = gelDefaultConstraintDef();
	constraint.point = point;
	gelConstraintId id;
	assert_int_equal( gelCreateConstraint( stage.body, &constraint, &id ), gel_errorArgument );
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
		assert_true( gelLength( stage.velocities[i] ) == 0.0f );
	gelFreeStage( &stage );
}

static void TestNodePoints( void** state )
{
	(void)state;
	gelStageDef def = gelDefaultStageDef();
	gelStage stage = gelMakeStage( &def );
	gelStage_Fetch( &stage );
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		gelEmbeddedPoint point = gelAsset_GetNodePoint( stage.asset, i );
		gelVec3 p;
		assert_int_equal( gelBody_GetPointPosition( stage.body, &point, &p ), gel_success );
		assert_memory_equal( &p, stage.nodes + i, sizeof( p ) );
	}
	assert_int_equal( gelAsset_GetNodePoint( stage.asset, -1 ).tet, -1 );
	assert_int_equal( gelAsset_GetNodePoint( stage.asset, stage.nodeCount ).tet, -1 );
	assert_int_equal( gelAsset_GetNodePoint( NULL, 0 ).tet, -1 );
	gelFreeStage( &stage );
}

// A place that is likely to be difficult: on a node, an edge, a face or in a tet, near one of these, or
// anywhere around the body.
static gelVec3 PickPlace( const gelQueryStage* stage, gelRandom* random )
{
	const gelBody* body = stage->inside;
	const uint32_t* node =
		body->asset->pack.tets[gelRandom_Next( random ) % (unsigned)body->asset->tetCount].node;
	double w[4], sum = 0.0;
	int count = 1 + (int)( gelRandom_Next( random ) % 4 );
	for ( int k = 0; k < count; ++k )
		sum += w[k] = gelRandom_Uniform( random, 1e-3, 1 );
	double p[3] = { 0.0, 0.0, 0.0 };
	for ( int k = 0; k < count; ++k )
	{
		gelVec3 x = body->x[node[k]];
		p[0] += w[k] / sum * x.x;
		p[1] += w[k] / sum * x.y;
		p[2] += w[k] / sum * x.z;
	}
	const double spreads[] = { 0.0, 1e-7, 1e-5, 1e-3, 0.3 };
	double spread = spreads[gelRandom_Next( random ) % 5];
	return gelToWorld( body,
		gelAdd( ( gelVec3 ){ (float)p[0], (float)p[1], (float)p[2] }, gelRandomVec3( random, spread ) ) );
}

// Onto a plane or a line askew: rounding leaves determinants that are nothing but noise.
static void Flatten( gelQueryStage* stage, bool isLine )
{
	for ( int i = 0; i < stage->info.nodeCount; ++i )
	{
		gelVec3 x = stage->rest[i];
		float s = x.x + 0.2f * x.y - 0.1f * x.z, t = isLine ? 0.0f : x.z;
		stage->nodes[i] =
			gelMakeVec3( 0.31f * s + 0.1f, 0.47f * s - 0.7f * t + 0.2f, -0.83f * s + 0.37f * t );
	}
	assert_int_equal(
		gelBody_SetNodeState( stage->body, stage->nodes, stage->zeros, stage->info.nodeCount ), gel_success );
}

// Every point that a search finds can be held and pushed, and is where it was looked for; on bodies that are
// bent, crumpled, turned inside out, squashed to a plane or a line.
static void TestFoundPointsCanBeHeld( void** state )
{
	(void)state;
	gelRandom random = { 11 };
	int foundCount = 0;
	for ( int art = 0; art < gel_queryArtCount; ++art )
	{
		gelQueryStage stage = gelMakeQueryStage( (gelQueryArt)art );
		for ( int shape = 0; shape < gel_shapeCount + 2; ++shape )
		{
			if ( shape < gel_shapeCount )
				gelQueryStage_Deform( &stage, (gelQueryShape)shape, &random );
			else
				Flatten( &stage, shape == gel_shapeCount );
			float slack = shape == gel_shapeFar ? 2e-3f : 1e-5f * stage.inside->asset->restSize;
			for ( int i = 0; i < 2000; ++i )
			{
				gelConstraintDef def = gelDefaultConstraintDef();
				def.kind = gel_constraintPoint;
				def.target = PickPlace( &stage, &random );
				assert_int_equal( gelBody_FindPoint( stage.body, def.target, &def.point ), gel_success );
				if ( def.point.tet < 0 ) continue;
				++foundCount;
				const float* w = def.point.weight;
				gelConstraintId id;
				if ( gelCreateConstraint( stage.body, &def, &id ) != gel_success )
					fail_msg( "art %d, shape %d: tet %d, %g %g %g %g", art, shape, def.point.tet,
						(double)w[0], (double)w[1], (double)w[2], (double)w[3] );
				gelDestroyConstraint( id );
				gelVec3 p;
				assert_int_equal( gelBody_GetPointPosition( stage.body, &def.point, &p ), gel_success );
				if ( !( gelLength( gelSub( p, def.target ) ) <= slack ) )
					fail_msg( "art %d, shape %d: off by %g", art, shape,
						(double)gelLength( gelSub( p, def.target ) ) );
			}
		}
		gelFreeQueryStage( &stage );
	}
	assert_true( foundCount > 50000 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestMove ),
		cmocka_unit_test( TestForceAndImpulse ),
		cmocka_unit_test( TestMassFreeRuleIsWrong ),
		cmocka_unit_test( TestPinnedPointsRefuse ),
		cmocka_unit_test( TestNodePoints ),
		cmocka_unit_test( TestFoundPointsCanBeHeld ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
