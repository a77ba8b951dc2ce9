// SPDX-License-Identifier: MIT
// Rotation vectors and quaternions, one per lane: the wide twins of turn_math.h.
#pragma once

#include "math/turn_math.h"
#include "simd/wide_math.h"

GEL_FORCE_INLINE gelFloatW gelSumSeriesW( const float* series, int count, gelFloatW z )
{
	gelFloatW sum = gelSplatW( series[count - 1] );
	for ( int k = count - 2; k >= 0; --k )
		sum = gelAddW( gelSplatW( series[k] ), gelMulW( z, sum ) );
	return sum;
}

GEL_FORCE_INLINE gelNodesW gelMakeTurnW( gelVec3W t )
{
	gelFloatW L = gelDotW( t, t ), most = gelSplatW( GEL_MAX_TURN2 );
	gelMaskW isFar = gelGreaterW( L, most );
	gelFloatW shorter = gelSelectW( isFar, gelSqrtW( gelDivW( most, L ) ), gelSplatW( 1.0f ) );
	gelFloatW z = gelMulW( gelSplatW( 0.25f ), gelSelectW( isFar, most, L ) );
	gelFloatW half = gelMulW( gelMulW( gelSplatW( 0.5f ), shorter ), gelSumSeriesW( GEL_SINC_SERIES, 7, z ) );
	gelVec3W v = gelScaleVecW( half, t );
	return ( gelNodesW ){ v.x, v.y, v.z, gelSumSeriesW( GEL_COS_SERIES, 8, z ) };
}

GEL_FORCE_INLINE gelVec3W gelGetTurnW( gelNodesW q )
{
	gelFloatW one = gelSplatW( 1.0f );
	gelFloatW sign = gelSelectW( gelGreaterW( gelSplatW( 0.0f ), q.w ), gelSplatW( -1.0f ), one );
	gelVec3W v = { q.x, q.y, q.z };
	gelFloatW s = gelMulW( sign, q.w ), v2 = gelDotW( v, v );
	gelFloatW a = gelAddW( s, gelSqrtW( gelAddW( v2, gelMulW( s, s ) ) ) );
	gelFloatW t2 = gelDivW( v2, gelMulW( a, a ) );
	gelFloatW b = gelAddW( one, gelSqrtW( gelAddW( one, t2 ) ) );
	gelFloatW f = gelSumSeriesW( GEL_ATAN_SERIES, 9, gelDivW( t2, gelMulW( b, b ) ) );
	gelFloatW scale = gelDivW( gelMulW( gelMulW( sign, gelSplatW( 8.0f ) ), f ), gelMulW( a, b ) );
	return gelScaleVecW( scale, v );
}

GEL_FORCE_INLINE gelNodesW gelDivQuatW( gelNodesW a, gelNodesW b )
{
	gelVec3W av = { a.x, a.y, a.z }, bv = { b.x, b.y, b.z }, c = gelCrossW( av, bv );
	return ( gelNodesW ){ gelSubW( gelMulSubW( b.w, a.x, a.w, b.x ), c.x ),
		gelSubW( gelMulSubW( b.w, a.y, a.w, b.y ), c.y ), gelSubW( gelMulSubW( b.w, a.z, a.w, b.z ), c.z ),
		gelAddW( gelMulW( a.w, b.w ), gelDotW( av, bv ) ) };
}

/// First-order renormalization.
GEL_FORCE_INLINE gelNodesW gelRenormalizeW( gelNodesW q )
{
	gelFloatW n = gelSubW( gelSplatW( 1.5f ), gelMulW( gelSplatW( 0.5f ), gelLengthSquaredQuatW( q ) ) );
	return ( gelNodesW ){ gelMulW( n, q.x ), gelMulW( n, q.y ), gelMulW( n, q.z ), gelMulW( n, q.w ) };
}
