// SPDX-License-Identifier: MIT
// The inner loops of the quality mode step by step: the slow twin of element_kernels.c and quality_kernels.c.
#include "quality_ref.h"

#include "math/polar.h"
#include "solvers/fast/quality_sums.h"

// With Psi = mu |F - R|^2 + lambda/2 (J - 1)^2 the first Piola-Kirchhoff stress is
//     P = 2 mu (F - R) + lambda (J - 1) cof F
// (the rotation minimizes |F - R|, so its own change adds nothing), and the force on corner k is -V P g_k.
float gelDifferentiateTet_Ref(
	const gelMat3* F, gelQuat q, const gelVec3 g[3], float mu, float lambda, gelVec3 out[4] )
{
	gelMat3 D = gelSubMat3( *F, gelMakeMat3FromQuat( q ) );
	gelMat3 C = { gelCross( F->cy, F->cz ), gelCross( F->cz, F->cx ), gelCross( F->cx, F->cy ) };
	float J1 = gelDot( F->cx, C.cx ) - 1.0f;
	float stretch2 = gelDot( D.cx, D.cx ) + gelDot( D.cy, D.cy ) + gelDot( D.cz, D.cz );
	float pressure = lambda * J1, twoMu = mu + mu;
	gelMat3 P = { gelMulAdd( gelScale( twoMu, D.cx ), pressure, C.cx ),
		gelMulAdd( gelScale( twoMu, D.cy ), pressure, C.cy ),
		gelMulAdd( gelScale( twoMu, D.cz ), pressure, C.cz ) };
	for ( int k = 0; k < 3; ++k )
		out[k + 1] = gelMulMV( P, g[k] );
	out[0] = gelNeg( gelAdd( gelAdd( out[1], out[2] ), out[3] ) );
	return mu * stretch2 + 0.5f * pressure * J1;
}

// Displacements of a slot's nodes and its gradients; F = I + sum of u_k g_k^T.
static gelMat3 Deform( const gelElementBlock* block, int lane, const gelVec4* u, gelVec3 g[3] )
{
	const gelVec4* n0 = (const gelVec4*)( (const char*)u + block->node[0][lane] );
	gelVec3 u0 = gelXyz( *n0 );
	gelVec3 uk[3];
	for ( int k = 0; k < 3; ++k )
	{
		const gelVec4* n = (const gelVec4*)( (const char*)u + block->node[k + 1][lane] );
		uk[k] = gelSub( gelXyz( *n ), u0 );
		g[k] = ( gelVec3 ){ block->gradient[3 * k][lane], block->gradient[3 * k + 1][lane],
			block->gradient[3 * k + 2][lane] };
	}
	return gelMakeDeformation( uk, g );
}

double gelDifferentiate_Ref( const gelAsset* asset, const gelVec4* u, float h, gelQuat* q, gelVec4* gradient )
{
	double energy = 0.0;
	for ( int b = 0; b < asset->blockCount; ++b )
	{
		const gelElementBlock* block = asset->elements + b;
		float lanes[GEL_BLOCK_LANES];
		for ( int lane = 0; lane < GEL_BLOCK_LANES; ++lane )
		{
			int slot = GEL_BLOCK_LANES * b + lane;
			gelVec3 g[3], f[4];
			gelMat3 F = Deform( block, lane, u, g );
			q[slot] = gelPolarStep_Ref( F, q[slot], NULL );
			lanes[lane] = gelDifferentiateTet_Ref(
				&F, q[slot], g, h * h * block->muVolume[lane], h * h * asset->lambdaVolumes[slot], f );
			for ( int k = 0; k < 4; ++k )
			{
				gelVec4* to = (gelVec4*)( (char*)gradient + block->node[k][lane] );
				*to = gelMakeVec4( gelAdd( gelXyz( *to ), f[k] ), 0.0f );
			}
		}
		energy += (double)gelSumLanes( lanes );
	}
	return energy;
}

double gelInertia_Ref(
	const gelVec4* masses, const gelVec4* u, const gelVec4* target, int count, gelVec4* gradient )
{
	const float *m = &masses->x, *x = &u->x, *t = &target->x;
	double total = 0.0;
	for ( int first = 0; first < count; first += GEL_SUM_NODES )
	{
		float lanes[8] = { 0.0f };
		for ( int i = 4 * first; i < 4 * gelMinInt( first + GEL_SUM_NODES, count ); ++i )
		{
			float away = x[i] - t[i], g = m[i] * away;
			( &gradient->x )[i] = g;
			lanes[i % 8] += g * away;
		}
		total += (double)gelSumLanes( lanes );
	}
	return total;
}

double gelDotVectors_Ref( const gelVec4* a, const gelVec4* b, int count )
{
	double total = 0.0;
	for ( int first = 0; first < count; first += GEL_SUM_NODES )
	{
		float sums[4][8] = { { 0.0f } }, lanes[8];
		for ( int i = 4 * first; i < 4 * gelMinInt( first + GEL_SUM_NODES, count ); ++i )
			sums[i / 8 % 4][i % 8] += ( &a->x )[i] * ( &b->x )[i];
		for ( int k = 0; k < 8; ++k )
			lanes[k] = ( sums[0][k] + sums[1][k] ) + ( sums[2][k] + sums[3][k] );
		total += (double)gelSumLanes( lanes );
	}
	return total;
}
