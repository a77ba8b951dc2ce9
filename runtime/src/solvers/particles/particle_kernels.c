// SPDX-License-Identifier: MIT
// Eight oriented particles at a time: the wide twins of particle_ref.c, where the formulas are. No two
// particles of a block are neighbors, so a block may turn all of its particles at once and is still a sweep
// of Gauss and Seidel.
#include "solvers/particles/particle_kernels.h"

#include "solvers/particles/particle_model.h"
#include "simd/wide_elements.h"
#include "simd/wide_polar.h"
#include "simd/wide_turns.h"

// Three rows [R | x] per lane.
typedef struct gelPosesW
{
	gelNodesW row[3];
} gelPosesW;

GEL_FORCE_INLINE gelPosesW gelGatherPosesW( const gelVec4* poses, const uint32_t offset[GEL_LANES] )
{
	return ( gelPosesW ){ { gelGatherW( poses, offset ), gelGatherW( poses + 1, offset ),
		gelGatherW( poses + 2, offset ) } };
}

GEL_FORCE_INLINE void gelScatterPosesW(
	gelVec4* poses, const uint32_t offset[GEL_LANES], gelMat3W R, gelVec3W x )
{
	gelScatterW( poses, offset, ( gelNodesW ){ R.cx.x, R.cy.x, R.cz.x, x.x } );
	gelScatterW( poses + 1, offset, ( gelNodesW ){ R.cx.y, R.cy.y, R.cz.y, x.y } );
	gelScatterW( poses + 2, offset, ( gelNodesW ){ R.cx.z, R.cy.z, R.cz.z, x.z } );
}

GEL_FORCE_INLINE gelVec3W gelLoadRowsW( const float* rows )
{
	return ( gelVec3W ){ gelLoadW( rows ), gelLoadW( rows + GEL_LANES ), gelLoadW( rows + 2 * GEL_LANES ) };
}

GEL_FORCE_INLINE void gelStoreRowsW( float* rows, gelVec3W a )
{
	gelStoreW( rows, a.x );
	gelStoreW( rows + GEL_LANES, a.y );
	gelStoreW( rows + 2 * GEL_LANES, a.z );
}

GEL_FORCE_INLINE gelNodesW gelLoadQuatsW( const float* rows )
{
	return ( gelNodesW ){ gelLoadW( rows ), gelLoadW( rows + GEL_LANES ), gelLoadW( rows + 2 * GEL_LANES ),
		gelLoadW( rows + 3 * GEL_LANES ) };
}

GEL_FORCE_INLINE void gelStoreQuatsW( float* rows, gelNodesW q )
{
	gelStoreW( rows, q.x );
	gelStoreW( rows + GEL_LANES, q.y );
	gelStoreW( rows + 2 * GEL_LANES, q.z );
	gelStoreW( rows + 3 * GEL_LANES, q.w );
}

GEL_FORCE_INLINE gelSym3W gelLoadSymW( const float* rows )
{
	return ( gelSym3W ){ gelLoadW( rows ), gelLoadW( rows + GEL_LANES ), gelLoadW( rows + 2 * GEL_LANES ),
		gelLoadW( rows + 3 * GEL_LANES ), gelLoadW( rows + 4 * GEL_LANES ),
		gelLoadW( rows + 5 * GEL_LANES ) };
}

GEL_FORCE_INLINE gelVec3W gelMulRowW( gelVec3W a, gelSym3W s )
{
	return ( gelVec3W ){ gelDotW( a, ( gelVec3W ){ s.xx, s.xy, s.xz } ),
		gelDotW( a, ( gelVec3W ){ s.xy, s.yy, s.yz } ), gelDotW( a, ( gelVec3W ){ s.xz, s.yz, s.zz } ) };
}

static void PredictParticles_W( const gelParticlePass* pass )
{
	gelFloatW h = gelSplatW( pass->h ), zero = gelSplatW( 0.0f );
	gelVec3W gravity = { gelSplatW( pass->gravity.x ), gelSplatW( pass->gravity.y ),
		gelSplatW( pass->gravity.z ) };
	for ( int b = 0; b < pass->blockCount; ++b )
	{
		const gelParticleBlock* block = pass->blocks + b;
		gelParticleState* state = pass->states + b;
		gelParticleTarget* target = pass->targets + b;
		gelVec3W x = gelLoadRowsW( state->x[0] );
		gelVec3W t = gelScaleVecW( h, gelLoadRowsW( state->w[0] ) );
		gelNodesW q = gelLoadQuatsW( state->q[0] );
		gelStoreRowsW( pass->starts[b].x[0], x );
		gelStoreQuatsW( pass->starts[b].q[0], q );
		gelFloatW falls = gelSelectW( gelGreaterW( gelLoadW( block->mass ), zero ), h, zero );
		gelVec3W v = gelLoadRowsW( state->v[0] ), first = gelMulAddVecW( x, h, v );
		x = gelMulAddVecW( x, h, gelMulAddVecW( v, falls, gravity ) );
		gelNodesW turned = gelRenormalizeW( gelMulQuatW( gelMakeTurnW( t ), q ) );
		gelMat3W R = gelMakeMatFromQuatW( turned ), Rs = R;
		if ( pass->isLinear )
		{
			Rs = gelMakeMatFromQuatW( q );
			Rs.cx = gelAddVecW( Rs.cx, gelCrossW( t, Rs.cx ) );
			Rs.cy = gelAddVecW( Rs.cy, gelCrossW( t, Rs.cy ) );
			Rs.cz = gelAddVecW( Rs.cz, gelCrossW( t, Rs.cz ) );
		}
		gelSym3W A = gelLoadSymW( block->inertia[0] );
		gelStoreRowsW( target->x[0], x );
		gelStoreRowsW( target->c[0], gelMulRowW( ( gelVec3W ){ Rs.cx.x, Rs.cy.x, Rs.cz.x }, A ) );
		gelStoreRowsW( target->c[3], gelMulRowW( ( gelVec3W ){ Rs.cx.y, Rs.cy.y, Rs.cz.y }, A ) );
		gelStoreRowsW( target->c[6], gelMulRowW( ( gelVec3W ){ Rs.cx.z, Rs.cy.z, Rs.cz.z }, A ) );
		gelStoreQuatsW( state->q[0], turned );
		gelScatterPosesW( pass->poses, block->pose, R, first );
	}
}

// The matrices of a block, from neighbors as they are now.
GEL_FORCE_INLINE gelMat3W gelParticleMatrixW(
	const gelParticlePass* pass, const gelParticleBlock* block, const float* target, gelVec3W x )
{
	gelFloatW zero = gelSplatW( 0.0f ), h2 = gelSplatW( pass->h * pass->h );
	const gelFloatW own[3] = { x.x, x.y, x.z };
	gelVec3W rows[3] = { { zero, zero, zero }, { zero, zero, zero }, { zero, zero, zero } };
	for ( uint32_t n = 0; n < block->linkCount; ++n )
	{
		const gelParticleLink* link = pass->links + block->linkFirst + n;
		gelPosesW other = gelGatherPosesW( pass->poses, link->pose );
		gelSym3W B = gelLoadSymW( link->moment[0] );
		gelVec3W lever = gelLoadRowsW( link->lever[0] );
		for ( int a = 0; a < 3; ++a )
		{
			gelNodesW row = other.row[a];
			gelVec3W turned = gelMulRowW( ( gelVec3W ){ row.x, row.y, row.z }, B );
			rows[a] = gelAddVecW( rows[a], gelMulAddVecW( turned, gelSubW( row.w, own[a] ), lever ) );
		}
	}
	for ( int a = 0; a < 3; ++a )
		rows[a] = gelMulAddVecW( gelLoadRowsW( target + 3 * GEL_LANES * a ), h2, rows[a] );
	return ( gelMat3W ){ { rows[0].x, rows[1].x, rows[2].x }, { rows[0].y, rows[1].y, rows[2].y },
		{ rows[0].z, rows[1].z, rows[2].z } };
}

// Lanes that are to stay, as a mask.
GEL_FORCE_INLINE gelMaskW gelMakeHoldMaskW( uint8_t bits )
{
	_Alignas( 64 ) float held[GEL_LANES];
	for ( int k = 0; k < GEL_LANES; ++k )
		held[k] = (float)( bits >> k & 1 );
	return gelGreaterW( gelLoadW( held ), gelSplatW( 0.0f ) );
}

static bool SweepParticles_W( const gelParticlePass* pass, bool isBackward )
{
	int usable = GEL_ALL_LANES;
	for ( int n = 0; n < pass->blockCount; ++n )
	{
		int b = isBackward ? pass->blockCount - 1 - n : n;
		const gelParticleBlock* block = pass->blocks + b;
		gelParticleState* state = pass->states + b;
		gelPosesW own = gelGatherPosesW( pass->poses, block->pose );
		gelVec3W x = { own.row[0].w, own.row[1].w, own.row[2].w };
		gelMat3W C = gelScaleMatW( gelSplatW( GEL_PARTICLE_MATRIX_SCALE ),
			gelParticleMatrixW( pass, block, pass->targets[b].c[0], x ) );
		gelNodesW q = gelLoadQuatsW( state->q[0] ), old = q;
		for ( int k = 0; k < pass->polarSteps; ++k )
			q = gelPolarStepW( C, q );
		usable &= gelMaskBitsW( gelIsUnitW( q ) );
		if ( pass->holds != NULL && pass->holds[b] != 0 )
		{
			gelMaskW held = gelMakeHoldMaskW( pass->holds[b] );
			q = ( gelNodesW ){ gelSelectW( held, old.x, q.x ), gelSelectW( held, old.y, q.y ),
				gelSelectW( held, old.z, q.z ), gelSelectW( held, old.w, q.w ) };
		}
		gelStoreQuatsW( state->q[0], q );
		gelScatterPosesW( pass->poses, block->pose, gelMakeMatFromQuatW( q ), x );
	}
	return usable == GEL_ALL_LANES;
}

static void SumParticles_W( const gelParticlePass* pass )
{
	gelFloatW zero = gelSplatW( 0.0f ), h2 = gelSplatW( pass->h * pass->h );
	for ( int b = 0; b < pass->blockCount; ++b )
	{
		const gelParticleBlock* block = pass->blocks + b;
		gelPosesW own = gelGatherPosesW( pass->poses, block->pose );
		gelFloatW sum[3] = { zero, zero, zero };
		for ( uint32_t n = 0; n < block->linkCount; ++n )
		{
			const gelParticleLink* link = pass->links + block->linkFirst + n;
			gelPosesW other = gelGatherPosesW( pass->poses, link->pose );
			gelVec3W arm = gelLoadRowsW( link->arm[0] );
			gelFloatW stiffness = gelLoadW( link->stiffness );
			for ( int a = 0; a < 3; ++a )
			{
				gelNodesW row = other.row[a];
				gelFloatW pull = gelMulW( stiffness, gelSubW( row.w, own.row[a].w ) );
				gelFloatW term = gelSubW( pull, gelDotW( ( gelVec3W ){ row.x, row.y, row.z }, arm ) );
				sum[a] = gelAddW( sum[a], term );
			}
		}
		gelVec3W arm = gelLoadRowsW( block->armSum[0] );
		gelVec3W target = gelLoadRowsW( pass->targets[b].x[0] );
		gelVec3W x = { own.row[0].w, own.row[1].w, own.row[2].w };
		for ( int a = 0; a < 3; ++a )
		{
			gelVec3W row = { own.row[a].x, own.row[a].y, own.row[a].z };
			sum[a] = gelSubW( sum[a], gelDotW( row, arm ) );
		}
		gelVec3W elastic = { sum[0], sum[1], sum[2] };
		gelVec3W r =
			gelMulAddVecW( gelScaleVecW( gelLoadW( block->mass ), gelSubVecW( target, x ) ), h2, elastic );
		gelStoreNodesW( pass->rhs + GEL_LANES * (size_t)b, ( gelNodesW ){ r.x, r.y, r.z, zero } );
	}
}

static void FinishParticles_W( const gelParticlePass* pass )
{
	gelFloatW rate = gelSplatW( pass->keep / pass->h );
	for ( int b = 0; b < pass->blockCount; ++b )
	{
		gelParticleState* state = pass->states + b;
		const gelParticleStart* start = pass->starts + b;
		gelPosesW own = gelGatherPosesW( pass->poses, pass->blocks[b].pose );
		gelVec3W x = { own.row[0].w, own.row[1].w, own.row[2].w };
		gelNodesW turned = gelDivQuatW( gelLoadQuatsW( state->q[0] ), gelLoadQuatsW( start->q[0] ) );
		gelStoreRowsW( state->v[0], gelScaleVecW( rate, gelSubVecW( x, gelLoadRowsW( start->x[0] ) ) ) );
		gelStoreRowsW( state->w[0], gelScaleVecW( rate, gelGetTurnW( turned ) ) );
		gelStoreRowsW( state->x[0], x );
	}
}

// ---- nodes of the cage -----------------------------------------------------------------------------------

// Columns of sum of s_j M_j of one node: 0 and 1, 2 and 3. A palette entry is four columns of 4 floats.
GEL_FORCE_INLINE void gelBlendW( const gelVec4* palette, const gelPackSkin* skin, gelFloatW out[2] )
{
	const float unit = 1.0f / 65535.0f;
	for ( int k = 0; k < 4; ++k )
	{
		const float* m = &palette[4 * (size_t)skin->particle[k]].x;
		gelFloatW s = gelSplatW( unit * (float)skin->weight[k] );
		gelFloatW a = gelMulW( s, gelLoadW( m ) ), b = gelMulW( s, gelLoadW( m + 8 ) );
		out[0] = k == 0 ? a : gelAddW( out[0], a );
		out[1] = k == 0 ? b : gelAddW( out[1], b );
	}
}

static void SkinNodes_W(
	const gelVec4* palette, const gelPackSkin* skins, const gelVec4* rest, int count, gelVec3* out )
{
	for ( int i = 0; i < count; ++i )
	{
		gelFloatW columns[2];
		gelBlendW( palette, skins + i, columns );
		gelVec4 p = rest[i];
		gelFloatW xy = gelMulW( columns[0], gelJoinW( gelSplat4( p.x ), gelSplat4( p.y ) ) );
		gelFloatW z1 = gelMulW( columns[1], gelJoinW( gelSplat4( p.z ), gelSplat4( 1.0f ) ) );
		gelFloatW sum = gelAddW( xy, z1 );
		gelStore3( out + i, gelAdd4( gelLowW( sum ), gelHighW( sum ) ) );
	}
}

GEL_KERNELS( gelParticleKernels, gelGetParticleKernels ) = { PredictParticles_W, SweepParticles_W,
	SumParticles_W, FinishParticles_W, SkinNodes_W };
