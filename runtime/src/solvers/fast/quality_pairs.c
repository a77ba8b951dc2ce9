// SPDX-License-Identifier: MIT
// Limited-memory BFGS: pairs s_i (moves) and y_i (changes of the gradient) correct the inverse of the factor.
// The two-loop recursion (Nocedal 1980)
//     q = -g;  newest to oldest: alpha_i = s_i . q / s_i . y_i,  q -= alpha_i y_i
//     d = A^-1 q;  oldest to newest: beta_i = y_i . d / s_i . y_i,  d += ( alpha_i - beta_i ) s_i
// with all products s_i . y_j kept, so that a half of it is one pass of products and one of sums over the
// vectors instead of two passes per pair.
#include "solvers/fast/quality.h"

void gelQuality_ListPairs( gelQuality* quality )
{
	for ( int i = 0; i < GEL_QUALITY_PAIRS; ++i )
	{
		size_t pair = (size_t)( ( quality->oldest + i ) % GEL_QUALITY_PAIRS );
		quality->s[i] = quality->state + 1 + 2 * pair * (size_t)quality->vectorCount;
		quality->y[i] = quality->s[i] + quality->vectorCount;
	}
}

void gelQuality_BeginDirection( gelQuality* quality, const gelQualityKernels* kernels )
{
	int count = quality->pairCount;
	double sg[GEL_QUALITY_PAIRS];
	float c[GEL_QUALITY_PAIRS];
	kernels->dots( (const gelVec4* const*)quality->s, count, quality->g, quality->vectorCount, sg );
	for ( int i = count - 1; i >= 0; --i )
	{
		double sq = -sg[i];
		for ( int j = i + 1; j < count; ++j )
			sq -= quality->alpha[j] * quality->sy[i][j];
		quality->alpha[i] = sq / quality->sy[i][i];
		c[i] = (float)-quality->alpha[i];
	}
	kernels->combine(
		-1.0f, quality->g, (const gelVec4* const*)quality->y, c, count, quality->vectorCount, quality->d );
}

void gelQuality_EndDirection( gelQuality* quality, const gelQualityKernels* kernels )
{
	int count = quality->pairCount;
	double yd[GEL_QUALITY_PAIRS];
	float c[GEL_QUALITY_PAIRS];
	kernels->dots( (const gelVec4* const*)quality->y, count, quality->d, quality->vectorCount, yd );
	double change[GEL_QUALITY_PAIRS];
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; j < i; ++j )
			yd[i] += change[j] * quality->sy[j][i];
		change[i] = quality->alpha[i] - yd[i] / quality->sy[i][i];
		c[i] = (float)change[i];
	}
	kernels->combine(
		1.0f, quality->d, (const gelVec4* const*)quality->s, c, count, quality->vectorCount, quality->d );
	const gelVec4* g = quality->g;
	kernels->dots( &g, 1, quality->d, quality->vectorCount, &quality->slope );
}

// The oldest pair makes room.
static void DropOldest( gelQuality* quality )
{
	quality->oldest = ( quality->oldest + 1 ) % GEL_QUALITY_PAIRS;
	gelQuality_ListPairs( quality );
	int last = --quality->pairCount;
	for ( int i = 0; i < last; ++i )
	{
		for ( int j = i; j < last; ++j )
			quality->sy[i][j] = quality->sy[i + 1][j + 1];
	}
}

bool gelQuality_AddPair( gelQuality* quality, const gelQualityKernels* kernels, float scale, double slope1 )
{
	// s . y by the slopes at both ends, against what a straight line would be; false for NaN, too
	if ( !( slope1 - quality->slope > -1.0e-3 * quality->slope ) ) return false;
	if ( quality->pairCount == GEL_QUALITY_PAIRS ) DropOldest( quality );
	int last = quality->pairCount, count = quality->vectorCount;
	const gelVec4* g = quality->g;
	const float minus = -1.0f;
	kernels->combine( scale, quality->d, NULL, NULL, 0, count, quality->s[last] );
	kernels->combine( 1.0f, quality->gTrial, &g, &minus, 1, count, quality->y[last] );
	double products[GEL_QUALITY_PAIRS];
	kernels->dots( (const gelVec4* const*)quality->s, last + 1, quality->y[last], count, products );
	if ( !( products[last] > 0.0 ) ) return false;
	for ( int i = 0; i <= last; ++i )
		quality->sy[i][last] = products[i];
	++quality->pairCount;
	return true;
}
