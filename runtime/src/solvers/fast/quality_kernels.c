// SPDX-License-Identifier: MIT
// Sums over vectors of nodes for the quality mode (quality.h), two nodes at a time.
#include "solvers/fast/fast_kernels.h"
#include "solvers/fast/quality_sums.h"
#include "simd/simd.h"

GEL_FORCE_INLINE float gelSumOfPieceW( gelFloatW a )
{
	_Alignas( 64 ) float lane[GEL_LANES];
	gelStoreW( lane, a );
	return gelSumLanes( lane );
}

// Two nodes in a register.
GEL_FORCE_INLINE gelFloatW gelLoadTwoW( const gelVec4* nodes )
{
	return gelLoadW( &nodes->x );
}

static double Inertia_W(
	const gelVec4* masses, const gelVec4* u, const gelVec4* target, int count, gelVec4* gradient )
{
	double total = 0.0;
	for ( int first = 0; first < count; first += GEL_SUM_NODES )
	{
		int end = first + GEL_SUM_NODES < count ? first + GEL_SUM_NODES : count;
		gelFloatW sum = gelSplatW( 0.0f );
		for ( int i = first; i < end; i += 2 )
		{
			gelFloatW away = gelSubW( gelLoadTwoW( u + i ), gelLoadTwoW( target + i ) );
			gelFloatW g = gelMulW( gelLoadTwoW( masses + i ), away );
			gelStoreW( &gradient[i].x, g );
			sum = gelAddW( sum, gelMulW( g, away ) );
		}
		total += (double)gelSumOfPieceW( sum );
	}
	return total;
}

static void DotVectors_W( const gelVec4* const* a, int vectorCount, const gelVec4* b, int count, double* out )
{
	for ( int k = 0; k < vectorCount; ++k )
		out[k] = 0.0;
	for ( int first = 0; first < count; first += GEL_SUM_NODES )
	{
		int end = first + GEL_SUM_NODES < count ? first + GEL_SUM_NODES : count;
		for ( int k = 0; k < vectorCount; ++k )
		{
			// four sums that do not wait for each other
			const gelVec4* v = a[k];
			gelFloatW s0 = gelSplatW( 0.0f ), s1 = s0, s2 = s0, s3 = s0;
			for ( int i = first; i < end; i += 8 )
			{
				s0 = gelAddW( s0, gelMulW( gelLoadTwoW( v + i ), gelLoadTwoW( b + i ) ) );
				s1 = gelAddW( s1, gelMulW( gelLoadTwoW( v + i + 2 ), gelLoadTwoW( b + i + 2 ) ) );
				s2 = gelAddW( s2, gelMulW( gelLoadTwoW( v + i + 4 ), gelLoadTwoW( b + i + 4 ) ) );
				s3 = gelAddW( s3, gelMulW( gelLoadTwoW( v + i + 6 ), gelLoadTwoW( b + i + 6 ) ) );
			}
			out[k] += (double)gelSumOfPieceW( gelAddW( gelAddW( s0, s1 ), gelAddW( s2, s3 ) ) );
		}
	}
}

static void CombineVectors_W( float scale, const gelVec4* base, const gelVec4* const* a, const float* c,
	int vectorCount, int count, gelVec4* out )
{
	for ( int i = 0; i < count; i += 2 )
	{
		gelFloatW sum = gelMulW( gelSplatW( scale ), gelLoadTwoW( base + i ) );
		for ( int k = 0; k < vectorCount; ++k )
			sum = gelAddW( sum, gelMulW( gelSplatW( c[k] ), gelLoadTwoW( a[k] + i ) ) );
		gelStoreW( &out[i].x, sum );
	}
}

GEL_KERNELS( gelQualityKernels, gelGetQualityKernels ) = { Inertia_W, DotVectors_W, CombineVectors_W };
