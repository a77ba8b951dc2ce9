// SPDX-License-Identifier: MIT
// One particle at a time, in plain C: what the wide kernels (particle_kernels.c) do to eight, operation by
// operation in the same order. Particles on handles are turned by this code, too.
#include "solvers/particles/particle_body.h"
#include "math/polar.h"
#include "math/turn_math.h"

static gelSym3 GetSym( const float* rows, int lane )
{
	gelVec3 a = gelGetLane3( rows, lane ), b = gelGetLane3( rows + 3 * GEL_BLOCK_LANES, lane );
	return ( gelSym3 ){ a.x, a.y, a.z, b.x, b.y, b.z };
}

// First-order renormalization against float drift.
static gelQuat Renormalize( gelQuat q )
{
	float n = 1.5f - 0.5f * gelLengthSquaredQuat( q );
	return ( gelQuat ){ gelScale( n, q.v ), n * q.s };
}

static void SetPose( gelVec4* pose, gelMat3 R, gelVec3 x )
{
	pose[0] = ( gelVec4 ){ R.cx.x, R.cy.x, R.cz.x, x.x };
	pose[1] = ( gelVec4 ){ R.cx.y, R.cy.y, R.cz.y, x.y };
	pose[2] = ( gelVec4 ){ R.cx.z, R.cy.z, R.cz.z, x.z };
}

// Row a S of a row vector and a symmetric matrix.
static gelVec3 MulRow( gelVec3 a, gelSym3 s )
{
	return ( gelVec3 ){ a.x * s.xx + a.y * s.xy + a.z * s.xz, a.x * s.xy + a.y * s.yy + a.z * s.yz,
		a.x * s.xz + a.y * s.yz + a.z * s.zz };
}

void gelPredictParticle_Ref( const gelParticlePass* pass, int slot )
{
	GEL_ASSERT( slot >= 0 );
	int b = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
	const gelParticleBlock* block = pass->blocks + b;
	gelParticleState* state = pass->states + b;
	gelParticleTarget* target = pass->targets + b;
	float h = pass->h;
	gelVec3 x = gelGetLane3( state->x[0], lane ), t = gelScale( h, gelGetLane3( state->w[0], lane ) );
	gelQuat q = gelGetLaneQuat( state->q[0], lane );
	gelSetLane3( pass->starts[b].x[0], lane, x );
	gelSetLaneQuat( pass->starts[b].q[0], lane, q );
	float falls = block->mass[lane] > 0.0f ? h : 0.0f; // empty slots stay
	gelVec3 v = gelGetLane3( state->v[0], lane ), start = gelMulAdd( x, h, v );
	x = gelMulAdd( x, h, gelMulAdd( v, falls, pass->gravity ) );
	gelQuat turned = Renormalize( gelMulQuat( gelMakeTurn( t ), q ) );
	gelMat3 R = gelMakeMat3FromQuat( turned ), Rs = R;
	if ( pass->isLinear )
	{
		Rs = gelMakeMat3FromQuat( q );
		Rs.cx = gelAdd( Rs.cx, gelCross( t, Rs.cx ) );
		Rs.cy = gelAdd( Rs.cy, gelCross( t, Rs.cy ) );
		Rs.cz = gelAdd( Rs.cz, gelCross( t, Rs.cz ) );
	}
	gelSym3 A = GetSym( block->inertia[0], lane );
	gelSetLane3( target->x[0], lane, x );
	gelSetLane3( target->c[0], lane, MulRow( gelMakeVec3( Rs.cx.x, Rs.cy.x, Rs.cz.x ), A ) );
	gelSetLane3( target->c[3], lane, MulRow( gelMakeVec3( Rs.cx.y, Rs.cy.y, Rs.cz.y ), A ) );
	gelSetLane3( target->c[6], lane, MulRow( gelMakeVec3( Rs.cx.z, Rs.cy.z, Rs.cz.z ), A ) );
	gelSetLaneQuat( state->q[0], lane, turned );
	SetPose( pass->poses + 3 * (size_t)slot, R, start );
}

static const gelVec4* GetOther( const gelParticlePass* pass, const gelParticleLink* link, int lane )
{
	return pass->poses + link->pose[lane] / sizeof( gelVec4 );
}

gelMat3 gelGetParticleMatrix_Ref( const gelParticlePass* pass, int slot )
{
	int b = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
	const gelParticleBlock* block = pass->blocks + b;
	const gelVec4* own = pass->poses + 3 * (size_t)slot;
	gelVec3 rows[3] = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
	for ( uint32_t n = 0; n < block->linkCount; ++n )
	{
		const gelParticleLink* link = pass->links + block->linkFirst + n;
		const gelVec4* other = GetOther( pass, link, lane );
		gelSym3 B = GetSym( link->moment[0], lane );
		gelVec3 lever = gelGetLane3( link->lever[0], lane );
		for ( int a = 0; a < 3; ++a )
		{
			gelVec3 turned = MulRow( gelXyz( other[a] ), B );
			rows[a] = gelAdd( rows[a], gelMulAdd( turned, other[a].w - own[a].w, lever ) );
		}
	}
	float h2 = pass->h * pass->h;
	for ( int a = 0; a < 3; ++a )
		rows[a] = gelMulAdd( gelGetLane3( pass->targets[b].c[3 * a], lane ), h2, rows[a] );
	return ( gelMat3 ){ { rows[0].x, rows[1].x, rows[2].x }, { rows[0].y, rows[1].y, rows[2].y },
		{ rows[0].z, rows[1].z, rows[2].z } };
}

bool gelTurnParticle_Ref( const gelParticlePass* pass, int slot, gelMat3 C )
{
	GEL_ASSERT( slot >= 0 );
	int b = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
	gelVec4* own = pass->poses + 3 * (size_t)slot;
	gelQuat q = gelGetLaneQuat( pass->states[b].q[0], lane );
	float scale = GEL_PARTICLE_MATRIX_SCALE;
	gelMat3 scaled = { gelScale( scale, C.cx ), gelScale( scale, C.cy ), gelScale( scale, C.cz ) };
	for ( int k = 0; k < pass->polarSteps; ++k )
		q = gelPolarStep_Ref( scaled, q, NULL );
	gelSetLaneQuat( pass->states[b].q[0], lane, q );
	SetPose( own, gelMakeMat3FromQuat( q ), gelMakeVec3( own[0].w, own[1].w, own[2].w ) );
	float length2 = gelLengthSquaredQuat( q );
	return length2 > 0.5f && length2 < 2.0f;
}

void gelSumParticle_Ref( const gelParticlePass* pass, int slot )
{
	int b = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
	const gelParticleBlock* block = pass->blocks + b;
	const gelVec4* own = pass->poses + 3 * (size_t)slot;
	float sum[3] = { 0.0f, 0.0f, 0.0f };
	for ( uint32_t n = 0; n < block->linkCount; ++n )
	{
		const gelParticleLink* link = pass->links + block->linkFirst + n;
		const gelVec4* other = GetOther( pass, link, lane );
		gelVec3 arm = gelGetLane3( link->arm[0], lane );
		for ( int a = 0; a < 3; ++a )
			sum[a] += link->stiffness[lane] * ( other[a].w - own[a].w ) - gelDot( gelXyz( other[a] ), arm );
	}
	float h2 = pass->h * pass->h, m = block->mass[lane];
	gelVec3 arm = gelGetLane3( block->armSum[0], lane ), target = gelGetLane3( pass->targets[b].x[0], lane );
	gelVec3 elastic = { sum[0] - gelDot( gelXyz( own[0] ), arm ), sum[1] - gelDot( gelXyz( own[1] ), arm ),
		sum[2] - gelDot( gelXyz( own[2] ), arm ) };
	gelVec3 x = { own[0].w, own[1].w, own[2].w };
	pass->rhs[slot] = gelMakeVec4( gelMulAdd( gelScale( m, gelSub( target, x ) ), h2, elastic ), 0.0f );
}

void gelFinishParticle_Ref( const gelParticlePass* pass, int slot )
{
	int b = slot / GEL_BLOCK_LANES, lane = slot % GEL_BLOCK_LANES;
	gelParticleState* state = pass->states + b;
	const gelVec4* own = pass->poses + 3 * (size_t)slot;
	float rate = pass->keep / pass->h;
	gelVec3 x = { own[0].w, own[1].w, own[2].w };
	gelVec3 turn = gelGetTurn(
		gelDivQuat( gelGetLaneQuat( state->q[0], lane ), gelGetLaneQuat( pass->starts[b].q[0], lane ) ) );
	gelSetLane3(
		state->v[0], lane, gelScale( rate, gelSub( x, gelGetLane3( pass->starts[b].x[0], lane ) ) ) );
	gelSetLane3( state->w[0], lane, gelScale( rate, turn ) );
	gelSetLane3( state->x[0], lane, x );
}
