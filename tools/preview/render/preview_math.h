// SPDX-License-Identifier: MIT
// The little linear algebra that drawing needs. Column vectors, column-major matrices as OpenGL takes them;
// right-handed, Y up [m].
#pragma once

#include <gelpack/types.h>

#include <math.h>

/// m[4 * column + row]
typedef struct gelMat4
{
	float m[16];
} gelMat4;

static inline gelVec3 gelPvAdd( gelVec3 a, gelVec3 b )
{
	return ( gelVec3 ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline gelVec3 gelPvSub( gelVec3 a, gelVec3 b )
{
	return ( gelVec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline gelVec3 gelPvScale( float s, gelVec3 a )
{
	return ( gelVec3 ){ s * a.x, s * a.y, s * a.z };
}

static inline float gelPvDot( gelVec3 a, gelVec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline gelVec3 gelPvCross( gelVec3 a, gelVec3 b )
{
	return ( gelVec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/// Zero stays zero.
static inline gelVec3 gelPvNormalize( gelVec3 a )
{
	float length = sqrtf( gelPvDot( a, a ) );
	return length > 0.0f ? gelPvScale( 1.0f / length, a ) : a;
}

/// v turned by the unit quaternion q.
static inline gelVec3 gelPvRotate( gelQuat q, gelVec3 v )
{
	gelVec3 t = gelPvScale( 2.0f, gelPvCross( q.v, v ) );
	return gelPvAdd( gelPvAdd( v, gelPvScale( q.s, t ) ), gelPvCross( q.v, t ) );
}

/// Turn by an angle [rad] about a unit axis.
static inline gelQuat gelPvAxisAngle( gelVec3 axis, float angle )
{
	return ( gelQuat ){ gelPvScale( sinf( 0.5f * angle ), axis ), cosf( 0.5f * angle ) };
}

/// a after b.
static inline gelMat4 gelMat4_Mul( gelMat4 a, gelMat4 b )
{
	gelMat4 r;
	for ( int column = 0; column < 4; ++column )
	{
		for ( int row = 0; row < 4; ++row )
		{
			float sum = 0.0f;
			for ( int k = 0; k < 4; ++k )
			{
				sum += a.m[4 * k + row] * b.m[4 * column + k];
			}
			r.m[4 * column + row] = sum;
		}
	}
	return r;
}

/// The empty box: grows by gelAabb_Add.
static inline gelAabb gelAabb_Empty( void )
{
	return ( gelAabb ){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

static inline gelAabb gelAabb_Add( gelAabb box, gelVec3 p )
{
	box.min = ( gelVec3 ){ fminf( box.min.x, p.x ), fminf( box.min.y, p.y ), fminf( box.min.z, p.z ) };
	box.max = ( gelVec3 ){ fmaxf( box.max.x, p.x ), fmaxf( box.max.y, p.y ), fmaxf( box.max.z, p.z ) };
	return box;
}

static inline gelAabb gelAabb_Union( gelAabb a, gelAabb b )
{
	// The empty box has its ends swapped: both of them would count.
	return b.min.x <= b.max.x ? gelAabb_Add( gelAabb_Add( a, b.min ), b.max ) : a;
}

static inline gelVec3 gelAabb_Center( gelAabb box )
{
	return gelPvScale( 0.5f, gelPvAdd( box.min, box.max ) );
}

/// Half of the diagonal [m].
static inline float gelAabb_Radius( gelAabb box )
{
	gelVec3 d = gelPvSub( box.max, box.min );
	return 0.5f * sqrtf( gelPvDot( d, d ) );
}
