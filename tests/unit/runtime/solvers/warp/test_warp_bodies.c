// SPDX-License-Identifier: MIT
// Bodies with the warp-cancelling solver: a stale factor is exact under rigid motion, refreshed where it is
// not, and never more often than the schedule says.
#include "test_support.h"

#include "world/body_state.h"
#include "stage.h"
#include "solvers/warp/warp_body.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gelStageDef MakeDef( int x, int y, int z, double modulus )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = x;
	def.cells[1] = y;
	def.cells[2] = z;
	def.size[0] = 0.2 * x;
	def.size[1] = 0.2 * y;
	def.size[2] = 0.2 * z;
	def.youngsModulus = modulus;
	def.body.solver = gelDefaultSolverDef( gel_solverWarpCancelling );
	return def;
}

static const gelBody* LookInside( const gelStage* stage )
{
	return gelGetBody( stage->body );
}

// Turns the far end about the x axis by a speed [rad/s], the near end stays.
static void Twist( gelStage* stage, const gelStageDef* def, float angle )
{
	const gelBody* body = LookInside( stage );
	float y = (float)( 0.5 * def->size[1] ), z = (float)( 0.5 * def->size[2] );
	for ( int k = 0; k < body->pinCount; ++k )
	{
		gelVec3 p = stage->rest[body->pins[k]];
		if ( p.x < 1e-3f ) continue;
		float c = cosf( angle ), s = sinf( angle );
		gelVec3 to = { p.x, y + c * ( p.y - y ) - s * ( p.z - z ), z + s * ( p.y - y ) + c * ( p.z - z ) };
		assert_int_equal( gelBody_SetPinTarget( stage->body, (int)body->pins[k], to ), gel_success );
	}
}

// Twists a beam by a whole turn and back. @return mean number of refreshed supernodes per step
static double TwistBeam( const gelStageDef* def, int steps, gelVec3* path, float* worstResidual )
{
	gelStage stage = gelMakeStage( def );
	double count = 0.0;
	int watched = 0; // a corner of the middle
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		gelVec3 p = stage.rest[i];
		if ( fabs( p.x - 0.5 * def->size[0] ) < 1e-3 &&
			p.y + p.z > stage.rest[watched].y + stage.rest[watched].z )
			watched = i;
	}
	for ( int i = 0; i < steps; ++i )
	{
		float phase = (float)( i + 1 ) / (float)steps;
		Twist( &stage, def, 6.2831853f * ( phase < 0.5f ? 2.0f * phase : 2.0f - 2.0f * phase ) );
		gelStage_Step( &stage, 1 );
		gelWarpStats stats = gelBody_GetWarpStats( stage.body );
		count += stats.refreshedCount;
		assert_int_equal( stats.liftCount, 0 );
		*worstResidual = fmaxf( *worstResidual, stats.residual );
		gelStage_Fetch( &stage );
		path[i] = stage.nodes[watched];
	}
	assert_int_equal( gelWorld_GetCounters( stage.world ).nonFiniteBodyCount, 0 );
	gelFreeStage( &stage );
	return count / steps;
}

static float GetDistance( const gelVec3* a, const gelVec3* b, int count )
{
	float most = 0.0f;
	for ( int i = 0; i < count; ++i )
		most = fmaxf( most, gelLength( gelSub( a[i], b[i] ) ) );
	return most;
}

#define PATH_STEPS 120

// Refreshing everything is the implicit solver with an exact solution of its linear systems; the larger the
// tolerance, the fewer refreshes, and the further from that.
static void ToleranceTradesErrorForRefreshes( void** state )
{
	(void)state;
	static const float tolerances[] = { 0.0f, 0.01f, 1.0f, 1000.0f };
	gelVec3 path[4][PATH_STEPS], exact[PATH_STEPS];
	gelStageDef def = MakeDef( 10, 3, 3, 1e6 );
	def.pinEnds = true;
	def.body.solver.warp.refinements = 0;
	double counts[4];
	float errors[4], residual = 0.0f;
	for ( int i = 0; i < 4; ++i )
	{
		def.body.solver.warp.tolerance = tolerances[i];
		def.body.solver.warp.maxTolerance = 1e6f;
		counts[i] = TwistBeam( &def, PATH_STEPS, path[i], &residual );
	}
	gelImplicitDef shared = gelWarp_GetImplicitDef( &def.body );
	def.body.solver = gelDefaultSolverDef( gel_solverImplicit );
	def.body.solver.implicit = shared;
	gelImplicitVariant variant = gelDefaultImplicitVariant();
	variant.differential = gel_differentialTwo;
	def.body.solver.implicit.variant = &variant;
	def.body.solver.implicit.linearIterations = 2000;
	def.body.solver.implicit.tolerance = 0.0f;
	TwistBeam( &def, PATH_STEPS, exact, &residual );
	for ( int i = 0; i < 4; ++i )
	{
		errors[i] = GetDistance( path[i], exact, PATH_STEPS );
		if ( i == 0 ) continue;
		assert_true( counts[i] < counts[i - 1] );
		assert_true( errors[i] > 0.9f * errors[i - 1] );
	}
	if ( !( errors[0] < 1e-4f && errors[3] > 10.0f * errors[0] ) )
		fail_msg( "off by %g m, and by %g m without refreshes", (double)errors[0], (double)errors[3] );
}

// With one correction the exact system is solved to a hundredth at least, whatever the schedule.
static void CorrectionsKeepTheResidualSmall( void** state )
{
	(void)state;
	gelVec3 path[PATH_STEPS];
	gelStageDef def = MakeDef( 10, 3, 3, 1e6 );
	def.pinEnds = true;
	for ( int schedule = 0; schedule < 3; schedule += 2 ) // a budget alone cannot promise anything
	{
		def.body.solver.warp.schedule = (gelWarpSchedule)schedule;
		float residual = 0.0f;
		TwistBeam( &def, PATH_STEPS, path, &residual );
		if ( !( residual < 1e-2f ) ) fail_msg( "schedule %d leaves %g", schedule, (double)residual );
	}
}

// A bent body whose factor is fresh, then turned as a whole by any angle: nothing is stale.
static void RigidTurnsNeedNoRefresh( void** state )
{
	(void)state;
	gelStageDef def = MakeDef( 6, 2, 2, 1e6 );
	def.body.solver.warp.tolerance = 0.0f;
	gelStage stage = gelMakeStage( &def );
	for ( int i = 0; i < stage.nodeCount; ++i )
	{
		gelVec3 p = stage.rest[i];
		stage.nodes[i] = ( gelVec3 ){ p.x, p.y + 0.3f * p.x * p.x, p.z - 0.2f * p.x };
		stage.velocities[i] = ( gelVec3 ){ p.y, 2.0f * p.x, -p.z };
	}
	gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
	gelStage_Step( &stage, 2 );
	gelBody* body = gelGetBody( stage.body );
	gelWarp* warp = gelGetWarp( body );
	float before = gelBody_GetWarpStats( stage.body ).error;
	assert_true( before > 1e-3f );
	warp->def.tolerance = 1e6f; // look, but do not touch
	gelRandom random = { 5 };
	for ( int round = 0; round < 20; ++round )
	{
		gelQuat q = { { (float)gelRandom_Uniform( &random, -1, 1 ),
						  (float)gelRandom_Uniform( &random, -1, 1 ),
						  (float)gelRandom_Uniform( &random, -1, 1 ) },
			(float)gelRandom_Uniform( &random, -1, 1 ) };
		float length = sqrtf( gelLengthSquaredQuat( q ) );
		q = ( gelQuat ){ gelScale( 1.0f / length, q.v ), q.s / length };
		gelMat3 R = gelMakeMat3FromQuat( q );
		for ( int slot = 0; slot < GEL_BLOCK_LANES * body->asset->blockCount; ++slot )
			body->q[slot] = gelMulQuat( q, body->q[slot] );
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			gelQuat node = gelMulQuat( q,
				( gelQuat ){ { warp->nodeTurns[i].x, warp->nodeTurns[i].y, warp->nodeTurns[i].z },
					warp->nodeTurns[i].w } );
			body->v[i] = gelMulMV( R, body->v[i] );
			warp->nodeTurns[i] = gelMakeVec4( node.v, node.s );
		}
		gelWarp_Refresh( body, stage.step, stage.step * stage.step );
		float turned = gelBody_GetWarpStats( stage.body ).error;
		if ( !( turned < 0.01f * before ) ) fail_msg( "%g of %g m/s", (double)turned, (double)before );
	}
	gelFreeStage( &stage );
}

// A ball of stiff rubber that spins: its elements turn with its nodes, and nothing has to be done.
static void SpinNeedsNoRefresh( void** state )
{
	(void)state;
	gelStageDef def = MakeDef( 3, 3, 3, 1e7 );
	def.body.angularVelocity = ( gelVec3 ){ 1.0f, 3.0f, 0.5f };
	gelStage stage = gelMakeStage( &def );
	int count = 0;
	for ( int i = 0; i < 120; ++i )
	{
		gelStage_Step( &stage, 1 );
		count += gelBody_GetWarpStats( stage.body ).refreshedCount;
	}
	assert_int_equal( count, 0 );
	gelFreeStage( &stage );
}

static void StifferBodiesNeedFewerRefreshes( void** state )
{
	(void)state;
	double last = 1e9;
	for ( double modulus = 1e5; modulus < 2e8; modulus *= 10.0 )
	{
		gelStageDef def = MakeDef( 10, 3, 3, modulus );
		def.pinLeft = true;
		def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
		gelStage stage = gelMakeStage( &def );
		double count = 0.0;
		for ( int i = 0; i < 120; ++i )
		{
			gelStage_Step( &stage, 1 );
			count += gelBody_GetWarpStats( stage.body ).refreshedCount;
		}
		assert_true( count < last || count == 0.0 );
		last = count;
		gelFreeStage( &stage );
	}
	assert_true( last < 100.0 );
}

// What the stale stiffness of a tet, W Kt W^T with the W of now, answers to a translation, to which the true
// one answers nothing: a ghost force, by the largest that a matrix of this size could give.
static double GetGhostForce( const gelBody* body, uint32_t tet )
{
	const gelWarp* warp = gelGetWarp( body );
	const gelPackView* pack = &body->asset->pack;
	uint32_t slot = warp->tetSlots[tet];
	gelQuat turns[4];
	gelMat3 Rn[4], blocks[10];
	for ( int k = 0; k < 4; ++k )
	{
		const gelVec4* q = warp->nodeTurns + pack->tets[tet].node[k];
		turns[k] = gelGetTetTurn( warp->turns + slot / GEL_BLOCK_LANES, (int)( slot % GEL_BLOCK_LANES ), k );
		Rn[k] = gelMakeMat3FromQuat( ( gelQuat ){ { q->x, q->y, q->z }, q->w } );
	}
	gelMakeWarpElement( pack, tet, turns, 1.0f, blocks );
	double ghost2 = 0.0, size2 = 0.0;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			gelVec3 sum = { 0.0f, 0.0f, 0.0f }, way = { axis == 0, axis == 1, axis == 2 };
			for ( int j = 0; j < 4; ++j )
			{
				gelMat3 block =
					i >= j ? blocks[i * ( i + 1 ) / 2 + j] : gelTranspose( blocks[j * ( j + 1 ) / 2 + i] );
				gelVec3 f = gelMulMV( Rn[i], gelMulMV( block, gelMulMV( gelTranspose( Rn[j] ), way ) ) );
				sum = gelAdd( sum, f );
				size2 += (double)gelDot( f, f );
			}
			ghost2 += (double)gelDot( sum, sum );
		}
	}
	return sqrt( ghost2 / ( 4.0 * size2 ) ); // a translation is 1 on each of four nodes
}

static double GetMeanGhostForce( const gelBody* body )
{
	double sum = 0.0;
	for ( int t = 0; t < body->asset->tetCount; ++t )
		sum += GetGhostForce( body, (uint32_t)t );
	return sum / body->asset->tetCount;
}

// Nothing drives a free body: its energy does not grow, its momentum stays. Ghost forces are below a
// hundredth on average, although they are not nothing.
static void FreeBodiesCalmDown( void** state )
{
	(void)state;
	for ( int schedule = 0; schedule < 3; ++schedule )
	{
		gelStageDef def = MakeDef( 4, 3, 3, 1e5 );
		def.body.solver.warp.schedule = (gelWarpSchedule)schedule;
		def.body.solver.warp.budget = 0.2f;
		def.body.linearVelocity = ( gelVec3 ){ 1.0f, -2.0f, 0.5f };
		gelStage stage = gelMakeStage( &def );
		gelStage_Fetch( &stage );
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			gelVec3 p = stage.rest[i];
			stage.velocities[i] =
				gelAdd( stage.velocities[i], ( gelVec3 ){ -4.0f * p.y, 3.0f * p.x * p.x, p.x } );
		}
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		double momentum[2][3] = { { 0 } }, energy = 1e30, ghosts = 0.0;
		for ( int i = 0; i <= 600; ++i )
		{
			if ( i > 0 ) gelStage_Step( &stage, 1 );
			if ( i % 10 == 0 ) ghosts += GetMeanGhostForce( LookInside( &stage ) ) / 61.0;
			if ( i % 60 != 0 ) continue;
			gelBodyDynamics now = gelBody_GetDynamics( stage.body );
			double sum = (double)now.kineticEnergy + (double)now.elasticEnergy;
			if ( !( sum <= 1.001 * energy ) ) fail_msg( "energy rises from %g to %g J", energy, sum );
			energy = sum;
			gelStage_Fetch( &stage );
			for ( int k = 0; k < stage.nodeCount && ( i == 0 || i == 600 ); ++k )
			{
				double m = stage.asset->pack.masses[k].mass;
				momentum[i / 600][0] += m * stage.velocities[k].x;
				momentum[i / 600][1] += m * stage.velocities[k].y;
				momentum[i / 600][2] += m * stage.velocities[k].z;
			}
		}
		for ( int k = 0; k < 3; ++k )
			assert_true( fabs( momentum[1][k] - momentum[0][k] ) < 1e-3 * fabs( momentum[0][k] ) );
		print_message( "schedule %d: ghost forces of %.5f\n", schedule, ghosts );
		assert_true( ghosts > 1e-7 && ghosts < 0.01 );
		gelFreeStage( &stage );
	}
}

// No step spends more than its budget, and no supernode waits for ever.
static void BudgetIsKept( void** state )
{
	(void)state;
	gelStageDef def = MakeDef( 12, 3, 3, 1e5 );
	def.pinEnds = true;
	def.body.solver.warp.schedule = gel_warpTime;
	def.body.solver.warp.budget = 0.4f;
	def.body.solver.warp.tolerance = 1e-3f;
	gelStage stage = gelMakeStage( &def );
	const gelWarp* warp = gelGetWarp( LookInside( &stage ) );
	double total = 0.0;
	for ( int i = 0; i < 240; ++i )
	{
		Twist( &stage, &def, 3.0f * sinf( 0.05f * (float)i ) );
		gelStage_Step( &stage, 1 );
		gelWarpStats stats = gelBody_GetWarpStats( stage.body );
		assert_true( stats.operations <= 0.4f );
		total += stats.operations;
		if ( i < 60 ) continue;
		for ( uint32_t s = 0; s < warp->tree->superCount; ++s )
		{
			if ( warp->errors[s] > 0.5f * stats.error ) assert_true( warp->ages[s] < 1.0f );
		}
	}
	assert_true( total > 0.8 * 0.4 * 240.0 ); // there is enough to do
	gelFreeStage( &stage );
}

// Without refreshes, a stale body that is damped moves less within itself, and as a whole as before.
static void DampingCalmsWhatIsStale( void** state )
{
	(void)state;
	gelBodyDynamics after[2];
	for ( int isDamped = 0; isDamped < 2; ++isDamped )
	{
		gelStageDef def = MakeDef( 6, 3, 3, 1e5 );
		def.body.solver.warp.schedule = gel_warpTime;
		def.body.solver.warp.budget = 0.0f;
		gelStage stage = gelMakeStage( &def );
		gelStage_Fetch( &stage );
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			gelVec3 p = stage.rest[i];
			stage.velocities[i] =
				( gelVec3 ){ 1.0f - 8.0f * p.y * p.x, 12.0f * p.z * p.x, -8.0f * p.y * p.x };
		}
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		gelStage_Step( &stage, 5 );
		gelGetWarp( gelGetBody( stage.body ) )->def.dampAbove = isDamped ? 0.05f : 0.0f;
		assert_true( gelBody_GetWarpStats( stage.body ).error > 0.1f );
		gelStage_Step( &stage, 1 );
		after[isDamped] = gelBody_GetDynamics( stage.body );
		gelStage_Step( &stage, 600 );
		gelBodyDynamics late = gelBody_GetDynamics( stage.body );
		assert_true( late.kineticEnergy < after[isDamped].kineticEnergy );
		assert_int_equal( gelWorld_GetCounters( stage.world ).nonFiniteBodyCount, 0 );
		gelFreeStage( &stage );
	}
	float momentum = gelLength( after[0].linearMomentum ), spin = gelLength( after[0].angularMomentum );
	assert_true( gelLength( gelSub( after[1].linearMomentum, after[0].linearMomentum ) ) < 1e-3f * momentum );
	assert_true( gelLength( gelSub( after[1].angularMomentum, after[0].angularMomentum ) ) < 0.02f * spin );
	assert_true( after[1].kineticEnergy < 0.995f * after[0].kineticEnergy );
}

// The factor is no state: it is made from what is saved.
static void RestoredBodiesGoOnWithTheSameBits( void** state )
{
	(void)state;
	gelStageDef def = MakeDef( 8, 3, 3, 1e5 );
	def.pinLeft = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	gelStage stage = gelMakeStage( &def );
	gelStage_Step( &stage, 40 );
	size_t bytes = gelBody_GetStateBytes( stage.body );
	void *saved = malloc( bytes ), *other = malloc( bytes );
	assert_int_equal( gelBody_SaveState( stage.body, saved, bytes ), gel_success );
	gelStage_Step( &stage, 100 );
	uint64_t hash = gelBody_HashState( stage.body );
	assert_int_equal( gelBody_RestoreState( stage.body, saved, bytes ), gel_success );
	gelStage_Step( &stage, 100 );
	assert_int_equal( gelBody_HashState( stage.body ), hash );
	for ( int i = 0; i < 200; ++i ) // any state that was saved can be restored
	{
		gelStage_Step( &stage, 1 );
		assert_int_equal( gelBody_SaveState( stage.body, other, bytes ), gel_success );
		assert_int_equal( gelBody_RestoreState( stage.body, other, bytes ), gel_success );
	}
	gelBody_Reset( stage.body,
		( gelTransform ){ ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f } } );
	gelStage_Step( &stage, 40 );
	assert_int_equal( gelBody_RestoreState( stage.body, saved, bytes ), gel_success );
	gelStage_Step( &stage, 100 );
	assert_int_equal( gelBody_HashState( stage.body ), hash );
	free( saved );
	free( other );
	gelFreeStage( &stage );
}

// What the bake has made is what a body would make.
static void RestFactorIsInThePack( void** state )
{
	(void)state;
	for ( int isPinned = 0; isPinned < 2; ++isPinned )
	{
		gelStageDef def = MakeDef( 5, 4, 3, 1e6 );
		def.pinLeft = isPinned != 0;
		def.damping = 0.5;
		gelStage stage = gelMakeStage( &def );
		assert_int_equal( gelPack_CountSections( &stage.asset->pack, GEL_SECTION_WFAC ), 1 + isPinned );
		gelStage_Step( &stage, 1 );
		gelBody* body = gelGetBody( stage.body );
		gelWarp* warp = gelGetWarp( body );
		assert_true( warp->isAtRest && warp->factorStep == stage.step );
		size_t bytes = (size_t)warp->tree->panelFirst[warp->tree->superCount] * sizeof( float );
		size_t updateBytes = (size_t)warp->tree->updateFirst[warp->tree->superCount] * sizeof( float );
		float *panels = malloc( bytes ), *updates = malloc( updateBytes );
		memcpy( panels, warp->factor.panels, bytes );
		memcpy( updates, warp->factor.updates, updateBytes );
		memset( warp->factor.panels, 0, bytes );
		gelWarp_Restore( warp );
		gelWarp_Refresh( body, stage.step, stage.step * stage.step );
		assert_memory_equal( panels, warp->factor.panels, bytes );
		assert_memory_equal( updates, warp->factor.updates, updateBytes );
		free( panels );
		free( updates );
		gelFreeStage( &stage );
	}
}

// A body that may not keep its updates moves as one that may.
static void LeanBodiesMoveTheSame( void** state )
{
	(void)state;
	gelVec3 path[2][PATH_STEPS];
	gelStageDef def = MakeDef( 10, 3, 3, 1e6 );
	def.pinEnds = true;
	float residual = 0.0f;
	for ( int i = 0; i < 2; ++i )
	{
		def.body.solver.warp.maxFactorBytes = i == 0 ? (size_t)1 << 30 : 1;
		assert_true( TwistBeam( &def, PATH_STEPS, path[i], &residual ) > 0.5 );
	}
	float apart = GetDistance( path[0], path[1], PATH_STEPS );
	if ( !( apart < 1e-5f && apart > 0.0f ) ) fail_msg( "%g m apart", (double)apart );
	gelStage fat, lean;
	def.body.solver.warp.maxFactorBytes = (size_t)1 << 30;
	fat = gelMakeStage( &def );
	def.body.solver.warp.maxFactorBytes = 1;
	lean = gelMakeStage( &def );
	assert_true( LookInside( &lean )->bytes < LookInside( &fat )->bytes );
	gelFreeStage( &lean );
	gelFreeStage( &fat );
}

// Any step length will do; its factor is made when it is asked for.
static void OtherStepLengthsWork( void** state )
{
	(void)state;
	gelStageDef def = MakeDef( 6, 2, 2, 1e6 );
	def.pinLeft = true;
	def.world.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	gelStage stage = gelMakeStage( &def );
	for ( int i = 0; i < 200; ++i )
	{
		assert_int_equal( gelWorld_Step( stage.world, i % 3 == 0 ? 0.01f : 0.02f ), gel_success );
		assert_true( gelBody_GetWarpStats( stage.body ).residual < 1e-2f );
	}
	gelFreeStage( &stage );
}

// A box whose nodes are anywhere finds back with every method that leads inverted elements home, each on a
// way of its own; methods and their settings are those of gelImplicitVariant.
static void RotationsAreChosen( void** state )
{
	(void)state;
	const gelRotationKind kinds[] = { gel_rotationDapd, gel_rotationApd, gel_rotationQr, gel_rotationIsvd,
		gel_rotationCsvd, gel_rotationProject, gel_rotationReflect };
	uint64_t hashes[9];
	for ( int i = 0; i < 9; ++i )
	{
		gelStageDef def = MakeDef( 3, 3, 3, 1e5 );
		gelImplicitVariant variant = gelDefaultImplicitVariant();
		variant.rotation = kinds[i % 7];
		if ( i == 7 ) variant.degeneratePush = 5.0f;
		if ( i == 8 ) variant.rotation = gel_rotationDapd, variant.hasExactForces = true;
		if ( i > 0 ) def.body.solver.warp.variant = &variant;
		gelStage stage = gelMakeStage( &def );
		gelStage_Fetch( &stage );
		gelRandom random = { 9 };
		for ( int k = 0; k < 3 * stage.nodeCount; ++k )
			( &stage.nodes->x )[k] = (float)gelRandom_Uniform( &random, 0.0, 0.6 );
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		gelStage_Step( &stage, 3 );
		hashes[i] = gelBody_HashState( stage.body );
		for ( int k = 0; k < i; ++k )
			assert_true( hashes[k] != hashes[i] );
		gelStage_Step( &stage, 300 );
		int inverted = gelBody_GetDynamics( stage.body ).invertedTetCount;
		if ( inverted > 0 ) fail_msg( "%d: %d tets are inverted", i, inverted );
		gelFreeStage( &stage );
	}
}

// Nodes anywhere, pins too, and fast: a factor that has nothing to do with the matrix any more does not make
// a body explode, not even if it is to have no corrections or no refreshes.
static void WildBodiesDoNotExplode( void** state )
{
	(void)state;
	for ( int i = 0; i < 2; ++i )
	{
		gelStageDef def = MakeDef( 8, 2, 2, 1e7 );
		def.pinLeft = true;
		if ( i == 0 )
			def.body.solver.warp.refinements = 0;
		else
			def.body.solver.warp.schedule = gel_warpTime, def.body.solver.warp.budget = 0.0f;
		gelStage stage = gelMakeStage( &def );
		gelStage_Fetch( &stage );
		gelRandom random = { 1 };
		for ( int k = 0; k < stage.nodeCount; ++k )
		{
			stage.nodes[k] = ( gelVec3 ){ (float)gelRandom_Uniform( &random, -1, 1 ),
				(float)gelRandom_Uniform( &random, -1, 1 ), (float)gelRandom_Uniform( &random, -1, 1 ) };
			stage.velocities[k].x = (float)gelRandom_Uniform( &random, -100, 100 );
		}
		gelBody_SetNodeState( stage.body, stage.nodes, stage.velocities, stage.nodeCount );
		gelBodyDynamics before = gelBody_GetDynamics( stage.body );
		gelStage_Step( &stage, 120 );
		gelBodyDynamics after = gelBody_GetDynamics( stage.body );
		float from = before.kineticEnergy + before.elasticEnergy,
			  to = after.kineticEnergy + after.elasticEnergy;
		if ( !( to < from ) ) fail_msg( "%d: from %g J to %g J", i, (double)from, (double)to );
		gelFreeStage( &stage );
	}
}

static void BadSettingsAreRefused( void** state )
{
	(void)state;
	gelStageDef def = MakeDef( 2, 2, 2, 1e5 );
	gelStage stage = gelMakeStage( &def );
	gelBodyDef good = gelDefaultBodyDef();
	good.asset = stage.asset;
	good.solver = gelDefaultSolverDef( gel_solverWarpCancelling );
	gelBodyDef bad[7] = { good, good, good, good, good, good, good };
	bad[0].solver.warp.schedule = (gelWarpSchedule)3;
	bad[1].solver.warp.tolerance = NAN;
	bad[2].solver.warp.budget = 1.5f;
	bad[3].solver.warp.refinements = -1;
	bad[4].solver.warp.maxTolerance = 0.5f * bad[4].solver.warp.tolerance;
	bad[5].solver.warp.stiffnessDamping = INFINITY;
	gelImplicitVariant variant = gelDefaultImplicitVariant();
	variant.rotation = (gelRotationKind)99;
	bad[6].solver.warp.variant = &variant;
	gelBodyId id = { 0 };
	assert_int_equal( gelBody_GetWarpStats( id ).superCount, 0 );
	assert_int_equal( gelAsset_MakeWarpFactor( NULL, 0.01f, 0, NULL, NULL, NULL ), gel_errorArgument );
	assert_true(
		gelWarpDef_IsValid( &good.solver.warp ) && gelDefaultWarpDef().budget == good.solver.warp.budget );
	for ( int i = 0; i < 7; ++i )
		assert_int_equal( gelCreateBody( stage.world, bad + i, &id ), gel_errorArgument );
	assert_int_equal( gelCreateBody( stage.world, &good, &id ), gel_success );
	gelFreeStage( &stage );
	def.body.solver = gelDefaultSolverDef( gel_solverFastCorotated );
	stage = gelMakeStage( &def ); // not baked for it
	good.asset = stage.asset;
	assert_int_equal( gelCreateBody( stage.world, &good, &id ), gel_errorUnsupported );
	assert_false( gelAsset_CanStep( stage.asset, &good, 0.01f ) );
	gelFreeStage( &stage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( ToleranceTradesErrorForRefreshes ),
		cmocka_unit_test( CorrectionsKeepTheResidualSmall ),
		cmocka_unit_test( RigidTurnsNeedNoRefresh ),
		cmocka_unit_test( SpinNeedsNoRefresh ),
		cmocka_unit_test( StifferBodiesNeedFewerRefreshes ),
		cmocka_unit_test( FreeBodiesCalmDown ),
		cmocka_unit_test( BudgetIsKept ),
		cmocka_unit_test( DampingCalmsWhatIsStale ),
		cmocka_unit_test( RestoredBodiesGoOnWithTheSameBits ),
		cmocka_unit_test( RestFactorIsInThePack ),
		cmocka_unit_test( LeanBodiesMoveTheSame ),
		cmocka_unit_test( OtherStepLengthsWork ),
		cmocka_unit_test( RotationsAreChosen ),
		cmocka_unit_test( WildBodiesDoNotExplode ),
		cmocka_unit_test( BadSettingsAreRefused ),
	};
	gelAllowMistakes();
	return cmocka_run_group_tests( tests, NULL, NULL );
}
