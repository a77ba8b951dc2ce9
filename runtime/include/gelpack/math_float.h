// SPDX-License-Identifier: MIT
// Vectors, 3x3 matrices, unit quaternions and boxes in float: all inline, nothing to link. The runtime
// computes with the same functions. Only sqrtf is called of libm, which IEEE-754 rounds correctly, so bits do
// not depend on the machine; gelMakeQuatFromAxisAngle is the exception, and the step does not use it.
// Right-handed axes, column vectors, angles in radians. math_double.h has the same in double. Neither is
// called math.h, which would hide that of the C library from games that search this folder.
#pragma once

#include "types.h"

#include <math.h>

/// A value of a plain struct, in C and in C++: GEL_LITERAL( gelVec3 ){ x, y, z }.
#ifdef __cplusplus
#define GEL_LITERAL( type ) type
#else
#define GEL_LITERAL( type ) ( type )
#endif

/// 3x3 matrix, by columns: M v = v.x cx + v.y cy + v.z cz.
typedef struct gelMat3
{
	gelVec3 cx, cy, cz;
} gelMat3;

// ---- numbers ---------------------------------------------------------------------------------------------

/// a > b ? a : b, also for NaN: fmaxf would ignore it, wide instructions do not.
static inline float gelMaxFloat( float a, float b )
{
	return a > b ? a : b;
}

/// a < b ? a : b, also for NaN.
static inline float gelMinFloat( float a, float b )
{
	return a < b ? a : b;
}

// ---- vectors ---------------------------------------------------------------------------------------------

/// The vector (x, y, z).
static inline gelVec3 gelMakeVec3( float x, float y, float z )
{
	return GEL_LITERAL( gelVec3 ){ x, y, z };
}

/// a + b
static inline gelVec3 gelAdd( gelVec3 a, gelVec3 b )
{
	return GEL_LITERAL( gelVec3 ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

/// a - b
static inline gelVec3 gelSub( gelVec3 a, gelVec3 b )
{
	return GEL_LITERAL( gelVec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

/// -a
static inline gelVec3 gelNeg( gelVec3 a )
{
	return GEL_LITERAL( gelVec3 ){ -a.x, -a.y, -a.z };
}

/// s a
static inline gelVec3 gelScale( float s, gelVec3 a )
{
	return GEL_LITERAL( gelVec3 ){ s * a.x, s * a.y, s * a.z };
}

/// a + s b, two roundings per component.
static inline gelVec3 gelMulAdd( gelVec3 a, float s, gelVec3 b )
{
	return GEL_LITERAL( gelVec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

/// a . b
static inline float gelDot( gelVec3 a, gelVec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// a x b
static inline gelVec3 gelCross( gelVec3 a, gelVec3 b )
{
	return GEL_LITERAL( gelVec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

/// a . a
static inline float gelLengthSquared( gelVec3 a )
{
	return gelDot( a, a );
}

/// |a|
static inline float gelLength( gelVec3 a )
{
	return sqrtf( gelDot( a, a ) );
}

/// The unit vector along a; zero stays zero.
static inline gelVec3 gelNormalize( gelVec3 a )
{
	float length = gelLength( a );
	return length > 0.0f ? gelScale( 1.0f / length, a ) : a;
}

/// The smaller of both, component by component.
static inline gelVec3 gelMinVec3( gelVec3 a, gelVec3 b )
{
	return GEL_LITERAL( gelVec3 ){ a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z };
}

/// The larger of both, component by component.
static inline gelVec3 gelMaxVec3( gelVec3 a, gelVec3 b )
{
	return GEL_LITERAL( gelVec3 ){ a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z };
}

// ---- matrices --------------------------------------------------------------------------------------------

/// The matrix that changes nothing.
static inline gelMat3 gelIdentity( void )
{
	return GEL_LITERAL( gelMat3 ){ { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
}

/// m v
static inline gelVec3 gelMulMV( gelMat3 m, gelVec3 v )
{
	return GEL_LITERAL( gelVec3 ){ m.cx.x * v.x + m.cy.x * v.y + m.cz.x * v.z,
		m.cx.y * v.x + m.cy.y * v.y + m.cz.y * v.z, m.cx.z * v.x + m.cy.z * v.y + m.cz.z * v.z };
}

/// m^T
static inline gelMat3 gelTranspose( gelMat3 m )
{
	return GEL_LITERAL(
		gelMat3 ){ { m.cx.x, m.cy.x, m.cz.x }, { m.cx.y, m.cy.y, m.cz.y }, { m.cx.z, m.cy.z, m.cz.z } };
}

/// Volume of the parallelepiped of the columns; negative for a reflection.
static inline float gelDeterminant( gelMat3 m )
{
	return gelDot( m.cx, gelCross( m.cy, m.cz ) );
}

// ---- rotations -------------------------------------------------------------------------------------------

/// The rotation that changes nothing.
static inline gelQuat gelIdentityQuat( void )
{
	return GEL_LITERAL( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f };
}

/// Rotation by an angle [rad] about a unit axis, by the sine and cosine of libm.
static inline gelQuat gelMakeQuatFromAxisAngle( gelVec3 axis, float angle )
{
	return GEL_LITERAL( gelQuat ){ gelScale( sinf( 0.5f * angle ), axis ), cosf( 0.5f * angle ) };
}

/// Rotation p first, then q.
static inline gelQuat gelMulQuat( gelQuat q, gelQuat p )
{
	gelVec3 c = gelCross( q.v, p.v );
	return GEL_LITERAL( gelQuat ){ { c.x + q.s * p.v.x + p.s * q.v.x, c.y + q.s * p.v.y + p.s * q.v.y,
									   c.z + q.s * p.v.z + p.s * q.v.z },
		q.s * p.s - gelDot( q.v, p.v ) };
}

/// The rotation back: the inverse of a unit quaternion.
static inline gelQuat gelConjugate( gelQuat q )
{
	return GEL_LITERAL( gelQuat ){ gelNeg( q.v ), q.s };
}

/// 1 for a rotation, up to rounding.
static inline float gelLengthSquaredQuat( gelQuat q )
{
	return gelDot( q.v, q.v ) + q.s * q.s;
}

/// v turned by a unit quaternion: v + s t + q.v x t with t = 2 q.v x v.
static inline gelVec3 gelRotate( gelQuat q, gelVec3 v )
{
	gelVec3 t = gelScale( 2.0f, gelCross( q.v, v ) );
	return gelAdd( gelAdd( v, gelScale( q.s, t ) ), gelCross( q.v, t ) );
}

/// Rotation matrix of a unit quaternion.
static inline gelMat3 gelMakeMat3FromQuat( gelQuat q )
{
	float x2 = q.v.x + q.v.x, y2 = q.v.y + q.v.y, z2 = q.v.z + q.v.z;
	float xx = q.v.x * x2, yy = q.v.y * y2, zz = q.v.z * z2;
	float xy = q.v.x * y2, xz = q.v.x * z2, yz = q.v.y * z2;
	float xs = q.s * x2, ys = q.s * y2, zs = q.s * z2;
	return GEL_LITERAL( gelMat3 ){
		{ 1.0f - ( yy + zz ), xy + zs, xz - ys },
		{ xy - zs, 1.0f - ( xx + zz ), yz + xs },
		{ xz + ys, yz - xs, 1.0f - ( xx + yy ) },
	};
}

// ---- transforms ------------------------------------------------------------------------------------------

/// No shift and no rotation.
static inline gelTransform gelIdentityTransform( void )
{
	return GEL_LITERAL( gelTransform ){ { 0.0f, 0.0f, 0.0f }, { { 0.0f, 0.0f, 0.0f }, 1.0f } };
}

/// A point of the local frame in that of the world: turned, then shifted.
static inline gelVec3 gelTransformPoint( gelTransform t, gelVec3 p )
{
	return gelAdd( t.position, gelRotate( t.rotation, p ) );
}

/// A point of the world in the local frame.
static inline gelVec3 gelInvTransformPoint( gelTransform t, gelVec3 p )
{
	return gelRotate( gelConjugate( t.rotation ), gelSub( p, t.position ) );
}

/// b first, then a: where something is that stands at b in the frame of a.
static inline gelTransform gelMulTransforms( gelTransform a, gelTransform b )
{
	return GEL_LITERAL(
		gelTransform ){ gelTransformPoint( a, b.position ), gelMulQuat( a.rotation, b.rotation ) };
}

// ---- boxes -----------------------------------------------------------------------------------------------

/// The box that holds nothing; the first point added becomes both corners.
static inline gelAabb gelAabb_Empty( void )
{
	return GEL_LITERAL( gelAabb ){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

/// The smallest box around a box and a point.
static inline gelAabb gelAabb_Add( gelAabb box, gelVec3 p )
{
	return GEL_LITERAL( gelAabb ){
		{ fminf( box.min.x, p.x ), fminf( box.min.y, p.y ), fminf( box.min.z, p.z ) },
		{ fmaxf( box.max.x, p.x ), fmaxf( box.max.y, p.y ), fmaxf( box.max.z, p.z ) },
	};
}

/// The smallest box around two boxes.
static inline gelAabb gelAabb_Union( gelAabb a, gelAabb b )
{
	// The empty box has its ends swapped: both of them would count.
	return b.min.x <= b.max.x ? gelAabb_Add( gelAabb_Add( a, b.min ), b.max ) : a;
}

/// The middle of a box [m].
static inline gelVec3 gelAabb_Center( gelAabb box )
{
	return gelScale( 0.5f, gelAdd( box.min, box.max ) );
}

/// Half of the diagonal [m].
static inline float gelAabb_Radius( gelAabb box )
{
	return 0.5f * gelLength( gelSub( box.max, box.min ) );
}
