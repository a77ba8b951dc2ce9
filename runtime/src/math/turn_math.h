// SPDX-License-Identifier: MIT
// Rotation vectors and quaternions without libm, whose bits differ between machines. Series are cut where the
// rest is below half of float's last place. The wide twins are in wide_turns.h, with the same bits.
#pragma once

#include "math/gel_math.h"

/// No particle turns farther than this in one sub-step [rad]; squared.
#define GEL_MAX_TURN2 9.8696044f

/// sin(s)/s and cos(s) in z = s^2, for z up to (pi/2)^2.
static const float GEL_SINC_SERIES[7] = { 1.0f, -1.0f / 6.0f, 1.0f / 120.0f, -1.0f / 5040.0f,
	1.0f / 362880.0f, -1.0f / 39916800.0f, 1.0f / 6227020800.0f };
static const float GEL_COS_SERIES[8] = { 1.0f, -1.0f / 2.0f, 1.0f / 24.0f, -1.0f / 720.0f, 1.0f / 40320.0f,
	-1.0f / 3628800.0f, 1.0f / 479001600.0f, -1.0f / 87178291200.0f };

/// atan(u)/u in u^2, for u up to tan(pi/8).
static const float GEL_ATAN_SERIES[9] = { 1.0f, -1.0f / 3.0f, 1.0f / 5.0f, -1.0f / 7.0f, 1.0f / 9.0f,
	-1.0f / 11.0f, 1.0f / 13.0f, -1.0f / 15.0f, 1.0f / 17.0f };

static inline float gelSumSeries( const float* series, int count, float z )
{
	float sum = series[count - 1];
	for ( int k = count - 2; k >= 0; --k )
		sum = series[k] + z * sum;
	return sum;
}

/// The rotation by a vector t [rad], at most half a turn.
static inline gelQuat gelMakeTurn( gelVec3 t )
{
	float L = gelLengthSquared( t );
	float shorter = L > GEL_MAX_TURN2 ? sqrtf( GEL_MAX_TURN2 / L ) : 1.0f;
	float z = 0.25f * ( L > GEL_MAX_TURN2 ? GEL_MAX_TURN2 : L );
	float half = 0.5f * shorter * gelSumSeries( GEL_SINC_SERIES, 7, z );
	return ( gelQuat ){ gelScale( half, t ), gelSumSeries( GEL_COS_SERIES, 8, z ) };
}

/// The rotation vector of a quaternion near unit length, at most half a turn: with v = n sin(a/2), s =
/// cos(a/2) it is a n. Two halvings of the angle bring the arc tangent into the range of its series.
static inline gelVec3 gelGetTurn( gelQuat q )
{
	float sign = q.s < 0.0f ? -1.0f : 1.0f;
	float s = sign * q.s, v2 = gelLengthSquared( q.v );
	float a = s + sqrtf( v2 + s * s ); // |v| / a = tan(angle / 4)
	float t2 = v2 / ( a * a );
	float b = 1.0f + sqrtf( 1.0f + t2 ); // |v| / (a b) = tan(angle / 8)
	float f = gelSumSeries( GEL_ATAN_SERIES, 9, t2 / ( b * b ) );
	return gelScale( sign * 8.0f * f / ( a * b ), q.v );
}

/// a b^-1 of unit quaternions.
static inline gelQuat gelDivQuat( gelQuat a, gelQuat b )
{
	gelVec3 c = gelCross( a.v, b.v );
	return ( gelQuat ){ { b.s * a.v.x - a.s * b.v.x - c.x, b.s * a.v.y - a.s * b.v.y - c.y,
							b.s * a.v.z - a.s * b.v.z - c.z },
		a.s * b.s + gelDot( a.v, b.v ) };
}
