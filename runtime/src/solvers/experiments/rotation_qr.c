// SPDX-License-Identifier: MIT
#include "solvers/experiments/rotation.h"

// Below this part of the largest entry a direction is noise.
#define GEL_QR_TINY 1.0e-4f

// a without its part along the unit vector n.
static gelVec3 Reject( gelVec3 a, gelVec3 n )
{
	return gelMulAdd( a, -gelDot( a, n ), n );
}

gelMat3 gelRotationQr( gelMat3 F, gelMat3 last )
{
	float size = gelMaxEntry( F );
	if ( !( size > 0.0f ) ) return last;
	float inv = 1.0f / size;
	gelVec3 a = gelScale( inv, F.cx ), b = gelScale( inv, F.cy );
	float length = gelLength( a );
	gelVec3 axis1 = length > GEL_QR_TINY ? gelScale( 1.0f / length, a ) : last.cx;
	b = Reject( Reject( b, axis1 ), axis1 ); // twice: once leaves rounding that is not small beside a short b
	length = gelLength( b );
	gelVec3 axis2 =
		length > GEL_QR_TINY ? gelScale( 1.0f / length, b ) : gelMakeOrthogonal( axis1, last.cy, last.cz );
	return ( gelMat3 ){ axis1, axis2, gelCross( axis1, axis2 ) };
}
