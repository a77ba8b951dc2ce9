// SPDX-License-Identifier: MIT
#include "contact/response/answer_kernels.h"

#include "simd/simd.h"

static void BlendRows_W( const float* const rows[4], const float weights[4], int count, float* out )
{
	gelFloatW w[4];
	for ( int k = 0; k < 4; ++k )
		w[k] = gelSplatW( weights[k] );
	for ( int i = 0; i < count; i += GEL_LANES )
	{
		gelFloatW low =
			gelAddW( gelMulW( w[0], gelLoadW( rows[0] + i ) ), gelMulW( w[1], gelLoadW( rows[1] + i ) ) );
		gelFloatW high =
			gelAddW( gelMulW( w[2], gelLoadW( rows[2] + i ) ), gelMulW( w[3], gelLoadW( rows[3] + i ) ) );
		gelStoreW( out + i, gelAddW( low, high ) );
	}
}

static void PushPoints_W( const float* row, int stride, const float impulse[3], float* moves )
{
	for ( int d = 0; d < 3; ++d )
	{
		gelFloatW s = gelSplatW( impulse[d] );
		float* to = moves + (long)d * stride;
		for ( int i = 0; i < stride; i += GEL_LANES )
			gelStoreW( to + i, gelAddW( gelLoadW( to + i ), gelMulW( s, gelLoadW( row + i ) ) ) );
	}
}

GEL_KERNELS( gelAnswerKernels, gelGetAnswerKernels ) = { BlendRows_W, PushPoints_W };
