// SPDX-License-Identifier: MIT
// Oriented particles: closed forms against integrals, minima against finite differences, fixed points, rigid
// motions, momenta, spin.
#include "test_support.h"

#include "solvers/particles/particle_handles.h"
#include "particle_stage.h"
#include "simd/node_kernels.h"
#include "simd/supernodal_solve.h"
#include "state/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gelParticleStageDef s_def;
static gelParticleStage s_stage;

static gelParticles* GetParticles( void )
{
	return gelGetParticles( gelGetBody( s_stage.body ) );
}

static double GetStiffness( void )
{
	return gelGetBody( s_stage.body )->asset->pack.particles.header->stiffness;
}

// ---- energies --------------------------------------------------------------------------------------------

// E_ij is the integral over the ellipsoid of j of the squared distance of R_i (p - xb_i) + x_i and
// R_j (p - xb_j) + x_j. Midpoints of a fine grid in the unit ball.
static void TestEnergyIsTheIntegral( void** state )
{
	(void)state;
	gelInitParticleStage( &s_def );
	gelStageAddCloud( &s_def, 2, 7 );
	const gelPackParticle *a = s_def.particles, *b = s_def.particles + 1;
	gelQuat qa = { { 0.1f, 0.5f, -0.3f }, 0.8f }, qb = { { -0.4f, 0.2f, 0.1f }, 0.88f };
	double R[2][3][3], E[3][3];
	gelGetRows( qa, R[0] );
	gelGetRows( qb, R[1] );
	gelGetRows( ( gelQuat ){ { b->rotation[0], b->rotation[1], b->rotation[2] }, b->rotation[3] }, E );
	const double x[2][3] = { { 0.1, -0.2, 0.3 }, { 0.4, 0.1, -0.1 } };
	const int n = 60;
	double sum = 0.0, inside = 0.0;
	for ( int i = 0; i < n * n * n; ++i )
	{
		double u[3] = { ( i % n + 0.5 ) * 2.0 / n - 1.0, ( i / n % n + 0.5 ) * 2.0 / n - 1.0,
			( i / n / n + 0.5 ) * 2.0 / n - 1.0 };
		if ( u[0] * u[0] + u[1] * u[1] + u[2] * u[2] > 1.0 ) continue;
		double p[3], d2 = 0.0;
		for ( int r = 0; r < 3; ++r )
			p[r] = (double)b->position[r] + E[r][0] * (double)b->radius[0] * u[0] +
				E[r][1] * (double)b->radius[1] * u[1] + E[r][2] * (double)b->radius[2] * u[2];
		for ( int r = 0; r < 3; ++r )
		{
			double gap = x[0][r] - x[1][r];
			for ( int c = 0; c < 3; ++c )
				gap += R[0][r][c] * ( p[c] - (double)a->position[c] ) -
					R[1][r][c] * ( p[c] - (double)b->position[c] );
			d2 += gap * gap;
		}
		sum += d2;
		inside += 1.0;
	}
	double integral = (double)b->volume * sum / inside;
	// the other direction of the edge has no volume
	gelParticleStageDef* one = &s_def;
	one->particles[0].volume = 0.0f;
	double closed = 2.0 * gelGetElasticEnergy( one, 1.0, x, (const double( * )[3][3])R );
	assert_true( fabs( closed / integral - 1.0 ) < 1e-3 );
}

// ---- one iteration ---------------------------------------------------------------------------------------

// Total energy times h^2 of the poses of a pass, in double.
static double GetTotal( const gelParticlePass* pass, double h )
{
	const gelParticleModel* model = GetParticles()->model;
	static double x[GEL_STAGE_PARTICLES][3], R[GEL_STAGE_PARTICLES][3][3];
	double sum = 0.0;
	for ( uint32_t i = 0; i < s_def.count; ++i )
	{
		uint32_t slot = model->particleSlots[i];
		const gelVec4* pose = pass->poses + 3 * slot;
		const gelParticleTarget* target = pass->targets + slot / 8;
		double A[3][3], trace;
		gelGetMoment( s_def.particles + i, A );
		trace = A[0][0] + A[1][1] + A[2][2];
		double m = s_def.particles[i].mass, rho = m / (double)s_def.particles[i].volume;
		for ( int r = 0; r < 3; ++r )
		{
			x[i][r] = pose[r].w;
			double gap = x[i][r] - (double)target->x[r][slot % 8];
			sum += 0.5 * m * gap * gap;
			for ( int c = 0; c < 3; ++c )
			{
				R[i][r][c] = ( &pose[r].x )[c];
				// 1/2 rho tr (R - Rs) A (R - Rs)^T without constants: - rho tr( R^T Rs A )
				sum -= rho * trace * R[i][r][c] * (double)target->c[3 * r + c][slot % 8];
			}
		}
	}
	return sum +
		h * h *
		gelGetElasticEnergy( &s_def, GetStiffness(), (const double( * )[3])x, (const double( * )[3][3])R );
}

static void TurnSlot( gelParticlePass* pass, uint32_t slot, int axis, double angle )
{
	double c = cos( angle ), s = sin( angle );
	gelVec4* pose = pass->poses + 3 * slot;
	gelVec4 *a = pose + ( axis + 1 ) % 3, *b = pose + ( axis + 2 ) % 3, old[2] = { *a, *b };
	for ( int k = 0; k < 3; ++k )
	{
		( &a->x )[k] = (float)( c * (double)( &old[0].x )[k] - s * (double)( &old[1].x )[k] );
		( &b->x )[k] = (float)( s * (double)( &old[0].x )[k] + c * (double)( &old[1].x )[k] );
	}
}

// Makes a messy stage and predicts: every term of the energy acts.
static gelParticlePass MakeMess( double h, uint64_t seed )
{
	gelRandom random = { seed };
	gelInitParticleStage( &s_def );
	gelStageAddCloud( &s_def, 30, seed );
	s_def.steps[0] = h;
	s_def.youngsModulus = 2e4;
	gelMakeParticleStage( &s_def, &s_stage );
	for ( int i = 0; i < s_stage.count; ++i )
	{
		gelParticlePose* p = s_stage.poses + i;
		for ( int k = 0; k < 3; ++k )
		{
			( &p->position.x )[k] += (float)gelRandom_Uniform( &random, -0.1, 0.1 );
			( &p->rotation.v.x )[k] = (float)gelRandom_Uniform( &random, -0.2, 0.2 );
			( &p->linearVelocity.x )[k] = (float)gelRandom_Uniform( &random, -1.0, 1.0 );
			( &p->angularVelocity.x )[k] = (float)gelRandom_Uniform( &random, -3.0, 3.0 );
		}
		p->rotation.s = sqrtf( 1.0f - p->rotation.v.x * p->rotation.v.x - p->rotation.v.y * p->rotation.v.y -
			p->rotation.v.z * p->rotation.v.z );
	}
	gelParticleStage_Put( &s_stage );
	assert_true( gelParticles_ChooseFactor( gelGetBody( s_stage.body ), (float)h ) );
	gelParticlePass pass = gelParticles_MakePass( GetParticles() );
	pass.h = (float)h;
	pass.gravity = ( gelVec3 ){ 0.0f, -9.81f, 0.0f };
	pass.holds = NULL;
	gelGetParticleKernels( gelGetBody( s_stage.body )->simd )->predict( &pass );
	return pass;
}

static void MovePositions( const gelParticlePass* pass )
{
	gelBody* body = gelGetBody( s_stage.body );
	gelParticles* p = gelGetParticles( body );
	gelGetParticleKernels( body->simd )->sum( pass );
	gelGetNodeKernels( body->simd )->gatherRows( p->rowSlots, (uint32_t)p->model->count, p->rhs, p->y );
	gelSolveFactor( body->simd, &p->factor, &p->y, 1, p->solveScratch );
	for ( int row = 0; row < p->model->count; ++row )
	{
		gelVec4* pose = p->poses + 3 * p->rowSlots[row];
		pose[0].w += p->y[row].x;
		pose[1].w += p->y[row].y;
		pose[2].w += p->y[row].z;
	}
}

static void TestEnergyNeverGrows( void** state )
{
	(void)state;
	for ( uint64_t seed = 1; seed < 6; ++seed )
	{
		gelParticlePass pass = MakeMess( 1.0 / 60.0, seed );
		double h = 1.0 / 60.0, energy = GetTotal( &pass, h ), first = energy;
		for ( int iteration = 0; iteration < 20; ++iteration )
		{
			for ( int slot = 0; slot < 8 * pass.blockCount; ++slot )
			{
				assert_true( gelTurnParticle_Ref( &pass, slot, gelGetParticleMatrix_Ref( &pass, slot ) ) );
				double next = GetTotal( &pass, h );
				assert_true( next <= energy + 1e-6 * fabs( first ) );
				energy = next;
			}
			MovePositions( &pass );
			double next = GetTotal( &pass, h );
			assert_true( next <= energy + 1e-6 * fabs( first ) );
			energy = next;
		}
		assert_true( energy < first );
		gelFreeParticleStage( &s_stage );
	}
}

// Energy of handles times h^2; lengths of direction handles are frozen.
static double GetHandleEnergy( const gelParticlePass* pass, const double* lengths )
{
	const gelHandleSet* set = GetParticles()->handles;
	double sum = 0.0;
	for ( int n = 0; n < set->count; ++n )
	{
		const gelHandle* item = set->items + n;
		double p[3] = { 0.0, 0.0, 0.0 };
		for ( int i = 0; i < item->carriers.count; ++i )
		{
			const gelVec4* pose = pass->poses + 3 * (size_t)item->carriers.slot[i];
			gelVec3 arm = item->carriers.arm[i];
			for ( int r = 0; r < 3; ++r )
			{
				p[r] += (double)pose[r].x * arm.x + (double)pose[r].y * arm.y + (double)pose[r].z * arm.z;
				if ( !item->isDirection ) p[r] += (double)item->carriers.share[i] * pose[r].w;
			}
		}
		for ( int r = 0; r < 3; ++r )
		{
			double gap = ( item->isDirection ? p[r] / lengths[n] : p[r] ) - (double)( &item->target.x )[r];
			sum += 0.5 * (double)item->weight * gap * gap;
		}
	}
	return sum;
}

static void GetDirectionLengths( const gelParticlePass* pass, double* lengths )
{
	const gelHandleSet* set = GetParticles()->handles;
	for ( int n = 0; n < set->count; ++n )
	{
		const gelHandle* item = set->items + n;
		double p[3] = { 0.0, 0.0, 0.0 };
		for ( int i = 0; i < item->carriers.count; ++i )
		{
			const gelVec4* pose = pass->poses + 3 * (size_t)item->carriers.slot[i];
			gelVec3 arm = item->carriers.arm[i];
			for ( int r = 0; r < 3; ++r )
				p[r] += (double)pose[r].x * arm.x + (double)pose[r].y * arm.y + (double)pose[r].z * arm.z;
		}
		lengths[n] = sqrt( p[0] * p[0] + p[1] * p[1] + p[2] * p[2] );
	}
}

// The energy does not change to first order when a particle turns. Central differences, against the change of
// the gradient that a wrong term would make. @param lengths of direction handles; NULL: there are no handles
static void AssertFlatInTurns( gelParticlePass* pass, double h, const double* lengths, uint32_t slot )
{
	const double eps = 1e-3;
	gelVec4 saved[3];
	memcpy( saved, pass->poses + 3 * slot, sizeof( saved ) );
	for ( int axis = 0; axis < 3; ++axis )
	{
		double value[3];
		for ( int side = 0; side < 3; ++side )
		{
			if ( side > 0 ) TurnSlot( pass, slot, axis, side == 1 ? eps : -eps );
			value[side] = GetTotal( pass, h ) + ( lengths ? GetHandleEnergy( pass, lengths ) : 0.0 );
			memcpy( pass->poses + 3 * slot, saved, sizeof( saved ) );
		}
		double gradient = ( value[1] - value[2] ) / ( 2.0 * eps );
		double curvature = ( value[1] + value[2] - 2.0 * value[0] ) / eps / eps;
		assert_true( curvature > 0.0 );
		assert_true( fabs( gradient ) < 1e-4 * curvature ); // off by less than 1e-4 rad: float
	}
}

// At what the two halves return, the energy is flat in their unknowns.
static void TestHalvesAreMinima( void** state )
{
	(void)state;
	double h = 1.0 / 60.0;
	gelParticlePass pass = MakeMess( h, 11 );
	pass.polarSteps = 20;
	for ( int slot = 0; slot < 8 * pass.blockCount; ++slot )
	{
		if ( GetParticles()->model->slotParticles[slot] == GEL_PACK_NO_PARTICLE ) continue;
		gelTurnParticle_Ref( &pass, slot, gelGetParticleMatrix_Ref( &pass, slot ) );
		AssertFlatInTurns( &pass, h, NULL, (uint32_t)slot );
	}
	MovePositions( &pass );
	MovePositions( &pass ); // what float left over of the first
	double here = GetTotal( &pass, h );
	for ( uint32_t i = 0; i < s_def.count; ++i )
	{
		gelVec4* pose = pass.poses + 3 * GetParticles()->model->particleSlots[i];
		for ( int k = 0; k < 3; ++k )
		{
			float saved = pose[k].w;
			pose[k].w = saved + 0.0009765625f;
			double dp = (double)pose[k].w - saved, plus = GetTotal( &pass, h );
			pose[k].w = saved - 0.0009765625f;
			double dm = saved - (double)pose[k].w, minus = GetTotal( &pass, h );
			pose[k].w = saved;
			double gradient = ( plus - minus ) / ( dp + dm );
			double curvature = 2.0 * ( plus + minus - 2.0 * here ) / ( dp * dp + dm * dm );
			assert_true( curvature > 0.0 && fabs( gradient ) < 2e-6 * curvature ); // 2 micrometres
		}
	}
	gelFreeParticleStage( &s_stage );
}

static void AddHandles( void )
{
	static const gelConstraintKind kinds[4] = { gel_constraintSpring, gel_constraintPoint,
		gel_constraintDirection, gel_constraintSpring };
	for ( int i = 0; i < 4; ++i )
	{
		gelConstraintDef def = gelDefaultConstraintDef();
		def.kind = kinds[i];
		def.point = gelAsset_GetVertexPoint( s_stage.asset, 1 + 2 * i );
		def.stiffness = i == 2 ? 200.0f : 3000.0f;
		def.target = gelMakeVec3( 0.3f * (float)i, 0.5f, 0.1f );
		def.axis = gelMakeVec3( 0.0f, 0.0f, 1.0f );
		if ( i == 2 ) def.target = gelMakeVec3( 0.6f, 0.8f, 0.0f );
		gelConstraintId id;
		assert_int_equal( gelCreateConstraint( s_stage.body, &def, &id ), gel_success );
	}
}

// The same for particles that springs, pins and directions hold. Sweeps go on until nothing turns any more,
// so that the length which a direction handle freezes is that of the result.
static void TestHeldHalvesAreMinima( void** state )
{
	(void)state;
	double h = 1.0 / 60.0, lengths[8];
	gelParticlePass pass = MakeMess( h, 12 );
	AddHandles();
	gelBody* body = gelGetBody( s_stage.body );
	pass.polarSteps = 20;
	gelHandleSet_Begin( body, (float)h );
	gelHandleSet_Aim( body, (float)h, 0 );
	const gelHandleSet* set = gelGetParticles( body )->handles;
	assert_int_equal( set->count, 4 );
	for ( int sweep = 0; sweep < 3000; ++sweep )
		assert_true( gelHandleSet_Sweep( body, &pass ) );
	GetDirectionLengths( &pass, lengths );
	int held = 0;
	for ( int slot = 0; slot < 8 * pass.blockCount; ++slot )
	{
		if ( set->touched[slot] == 0 ) continue;
		++held;
		AssertFlatInTurns( &pass, h, lengths, (uint32_t)slot );
	}
	assert_true( held >= 8 );
	gelFreeParticleStage( &s_stage );
}

// ---- rest and rigid motion -------------------------------------------------------------------------------

static float GetDistance( gelVec3 a, gelVec3 b )
{
	return gelLength( gelSub( a, b ) );
}

static void TestRestIsFixed( void** state )
{
	(void)state;
	gelInitParticleStage( &s_def );
	gelStageAddCloud( &s_def, 40, 3 );
	gelMakeParticleStage( &s_def, &s_stage );
	gelParticlePose before[40];
	memcpy( before, s_stage.poses, sizeof( before ) );
	gelParticleStage_Step( &s_stage, 200 );
	for ( int i = 0; i < 40; ++i )
	{
		assert_true( GetDistance( before[i].position, s_stage.poses[i].position ) < 2e-6f );
		assert_true( gelLength( s_stage.poses[i].rotation.v ) < 5e-6f );
	}
	gelFreeParticleStage( &s_stage );
}

// A body turned and moved as a whole has no elastic energy; art and normals are turned and moved with it; a
// body that spins rigidly about a principal axis keeps its shape.
static void TestRigidMotion( void** state )
{
	(void)state;
	gelInitParticleStage( &s_def );
	const uint32_t n[3] = { 3, 3, 3 };
	gelStageAddLattice( &s_def, n, 0.2, true );
	s_def.body.transform.position = ( gelVec3 ){ 3.0f, 2.0f, 1.0f };
	s_def.body.transform.rotation = ( gelQuat ){ { 0.5f, -0.5f, 0.5f }, 0.5f };
	s_def.body.linearVelocity = ( gelVec3 ){ 1.0f, 2.0f, 3.0f };
	gelMakeParticleStage( &s_def, &s_stage );
	gelBodyDynamics dynamics = gelBody_GetDynamics( s_stage.body );
	assert_true( dynamics.elasticEnergy < 1e-6f );
	int vertexCount = gelBody_GetPositions( s_stage.body, NULL, 0 );
	gelVec3* before = malloc( (size_t)vertexCount * sizeof( gelVec3 ) );
	gelVec3* after = malloc( (size_t)vertexCount * sizeof( gelVec3 ) );
	assert_true( before != NULL && after != NULL );
	gelBody_GetPositions( s_stage.body, before, vertexCount );
	gelParticleStage_Step( &s_stage, 60 );
	gelBody_GetPositions( s_stage.body, after, vertexCount );
	for ( int i = 0; i < vertexCount; ++i )
	{
		gelVec3 moved = gelAdd( before[i], ( gelVec3 ){ 1.0f, 2.0f, 3.0f } );
		assert_true( GetDistance( moved, after[i] ) < 2e-5f );
	}
	gelBody_GetNormals( s_stage.body, after, vertexCount );
	for ( int i = 0; i < vertexCount; ++i )
		assert_true( fabsf( gelLength( after[i] ) - 1.0f ) < 1e-5f );
	free( before );
	free( after );
	gelFreeParticleStage( &s_stage );
}

static void TestFreeParticleKeepsItsSpin( void** state )
{
	(void)state;
	const float speeds[4] = { 0.5f, 5.0f, 30.0f, 90.0f }; // up to 86 degrees per step
	for ( int s = 0; s < 4; ++s )
	{
		gelInitParticleStage( &s_def );
		const double x[3] = { 0.0, 0.0, 0.0 }, r[3] = { 0.1, 0.1, 0.1 };
		gelStageAddParticle( &s_def, x, r, 1000.0 );
		s_def.body.angularVelocity = ( gelVec3 ){ 0.48f * speeds[s], 0.6f * speeds[s], 0.64f * speeds[s] };
		gelMakeParticleStage( &s_def, &s_stage );
		gelParticleStage_Step( &s_stage, 1000 );
		float speed = gelLength( s_stage.poses[0].angularVelocity );
		assert_true( fabsf( speed / speeds[s] - 1.0f ) < 1e-3f );
		gelFreeParticleStage( &s_stage );

		// as published it dies away: 30 degrees become 23.8 in the next step
		s_def.body.solver.particles.enableSpinLoss = true;
		gelMakeParticleStage( &s_def, &s_stage );
		gelParticleStage_Step( &s_stage, 1 );
		float angle = speeds[s] / 60.0f, after = gelLength( s_stage.poses[0].angularVelocity ) / 60.0f;
		assert_true( after < angle );
		if ( s == 2 ) assert_true( fabsf( after - atanf( angle ) ) < 0.01f * angle );
		gelFreeParticleStage( &s_stage );
	}
}

static void TestMomentum( void** state )
{
	(void)state;
	for ( uint64_t seed = 1; seed < 4; ++seed )
	{
		MakeMess( 1.0 / 60.0, seed );
		gelBodyDynamics before = gelBody_GetDynamics( s_stage.body );
		float spin = gelLength( before.angularMomentum );
		for ( int i = 0; i < 100; ++i )
		{
			gelParticleStage_Step( &s_stage, 1 );
			gelBodyDynamics now = gelBody_GetDynamics( s_stage.body );
			float scale = now.mass;
			assert_true( GetDistance( now.linearMomentum, before.linearMomentum ) < 2e-4f * scale );
			assert_true( gelLength( now.angularMomentum ) <= spin * 1.02f );
			spin = gelLength( now.angularMomentum );
		}
		gelFreeParticleStage( &s_stage );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestEnergyIsTheIntegral ),
		cmocka_unit_test( TestEnergyNeverGrows ),
		cmocka_unit_test( TestHalvesAreMinima ),
		cmocka_unit_test( TestHeldHalvesAreMinima ),
		cmocka_unit_test( TestRestIsFixed ),
		cmocka_unit_test( TestRigidMotion ),
		cmocka_unit_test( TestFreeParticleKeepsItsSpin ),
		cmocka_unit_test( TestMomentum ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
