// SPDX-License-Identifier: MIT
// The one math header of the runtime: 3-vectors, 3x3 matrices, quaternions, all float and inline.
// No function here calls libm but sqrtf, which IEEE-754 rounds correctly, so bits do not depend on the
// machine.
#pragma once

#include "core/core.h"
#include "gelpack/types.h"

#include <math.h>

/// 3x3 matrix, by columns: M v = v.x cx + v.y cy + v.z cz.
typedef struct gelMat3
{
	gelVec3 cx, cy, cz;
} gelMat3;

/// Symmetric 3x3 matrix.
typedef struct gelSym3
{
	float xx, yy, zz, xy, xz, yz;
} gelSym3;

static inline gelVec3 gelMakeVec3( float x, float y, float z )
{
	return ( gelVec3 ){ x, y, z };
}

static inline gelVec3 gelAdd( gelVec3 a, gelVec3 b )
{
	return ( gelVec3 ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline gelVec3 gelSub( gelVec3 a, gelVec3 b )
{
	return ( gelVec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline gelVec3 gelNeg( gelVec3 a )
{
	return ( gelVec3 ){ -a.x, -a.y, -a.z };
}

static inline gelVec3 gelScale( float s, gelVec3 a )
{
	return ( gelVec3 ){ s * a.x, s * a.y, s * a.z };
}

/// a + s b, two roundings per component.
static inline gelVec3 gelMulAdd( gelVec3 a, float s, gelVec3 b )
{
	return ( gelVec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline float gelDot( gelVec3 a, gelVec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline gelVec3 gelCross( gelVec3 a, gelVec3 b )
{
	return ( gelVec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline float gelLengthSquared( gelVec3 a )
{
	return gelDot( a, a );
}

static inline float gelLength( gelVec3 a )
{
	return sqrtf( gelDot( a, a ) );
}

static inline gelVec3 gelMinVec3( gelVec3 a, gelVec3 b )
{
	return ( gelVec3 ){ a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z };
}

static inline gelVec3 gelMaxVec3( gelVec3 a, gelVec3 b )
{
	return ( gelVec3 ){ a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z };
}

/// a > b ? a : b, also for NaN: fmaxf would ignore it, wide instructions do not.
static inline float gelMaxFloat( float a, float b )
{
	return a > b ? a : b;
}

static inline float gelMinFloat( float a, float b )
{
	return a < b ? a : b;
}

/// Within +-GEL_MAX_COORDINATE; false for NaN and infinity.
static inline bool gelIsUsable( gelVec3 a )
{
	return fabsf( a.x ) <= GEL_MAX_COORDINATE && fabsf( a.y ) <= GEL_MAX_COORDINATE &&
		fabsf( a.z ) <= GEL_MAX_COORDINATE;
}

static inline gelMat3 gelIdentity( void )
{
	return ( gelMat3 ){ { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
}

static inline gelMat3 gelSubMat3( gelMat3 a, gelMat3 b )
{
	return ( gelMat3 ){ gelSub( a.cx, b.cx ), gelSub( a.cy, b.cy ), gelSub( a.cz, b.cz ) };
}

static inline gelMat3 gelMulAddMat3( gelMat3 a, float s, gelMat3 b )
{
	return ( gelMat3 ){ gelMulAdd( a.cx, s, b.cx ), gelMulAdd( a.cy, s, b.cy ), gelMulAdd( a.cz, s, b.cz ) };
}

static inline gelVec3 gelMulMV( gelMat3 m, gelVec3 v )
{
	return ( gelVec3 ){ m.cx.x * v.x + m.cy.x * v.y + m.cz.x * v.z,
		m.cx.y * v.x + m.cy.y * v.y + m.cz.y * v.z, m.cx.z * v.x + m.cy.z * v.y + m.cz.z * v.z };
}

/// a^T b
static inline gelMat3 gelMulTransposedMM( gelMat3 a, gelMat3 b )
{
	return ( gelMat3 ){
		{ gelDot( a.cx, b.cx ), gelDot( a.cy, b.cx ), gelDot( a.cz, b.cx ) },
		{ gelDot( a.cx, b.cy ), gelDot( a.cy, b.cy ), gelDot( a.cz, b.cy ) },
		{ gelDot( a.cx, b.cz ), gelDot( a.cy, b.cz ), gelDot( a.cz, b.cz ) },
	};
}

/// a b^T
static inline gelMat3 gelMulByTransposedMM( gelMat3 a, gelMat3 b )
{
	return ( gelMat3 ){
		gelMulMV( a, gelMakeVec3( b.cx.x, b.cy.x, b.cz.x ) ),
		gelMulMV( a, gelMakeVec3( b.cx.y, b.cy.y, b.cz.y ) ),
		gelMulMV( a, gelMakeVec3( b.cx.z, b.cy.z, b.cz.z ) ),
	};
}

static inline gelMat3 gelTranspose( gelMat3 m )
{
	return ( gelMat3 ){ { m.cx.x, m.cy.x, m.cz.x }, { m.cx.y, m.cy.y, m.cz.y }, { m.cx.z, m.cy.z, m.cz.z } };
}

static inline float gelDeterminant( gelMat3 m )
{
	return gelDot( m.cx, gelCross( m.cy, m.cz ) );
}

/// cof(M) = det(M) M^-T, also for singular M: area vectors transform with it.
static inline gelMat3 gelCofactor( gelMat3 m )
{
	return ( gelMat3 ){ gelCross( m.cy, m.cz ), gelCross( m.cz, m.cx ), gelCross( m.cx, m.cy ) };
}

static inline float gelFrobeniusSquared( gelMat3 m )
{
	return gelLengthSquared( m.cx ) + gelLengthSquared( m.cy ) + gelLengthSquared( m.cz );
}

/// Largest magnitude of an entry; NaN may be overlooked.
static inline float gelMaxEntry( gelMat3 m )
{
	gelVec3 a = { fabsf( m.cx.x ), fabsf( m.cx.y ), fabsf( m.cx.z ) };
	gelVec3 b = { fabsf( m.cy.x ), fabsf( m.cy.y ), fabsf( m.cy.z ) };
	gelVec3 c = { fabsf( m.cz.x ), fabsf( m.cz.y ), fabsf( m.cz.z ) };
	gelVec3 d = gelMaxVec3( gelMaxVec3( a, b ), c );
	return gelMaxFloat( gelMaxFloat( d.x, d.y ), d.z );
}

static inline gelQuat gelIdentityQuat( void )
{
	return ( gelQuat ){ { 0.0f, 0.0f, 0.0f }, 1.0f };
}

/// Rotation p first, then q.
static inline gelQuat gelMulQuat( gelQuat q, gelQuat p )
{
	gelVec3 c = gelCross( q.v, p.v );
	return ( gelQuat ){ { c.x + q.s * p.v.x + p.s * q.v.x, c.y + q.s * p.v.y + p.s * q.v.y,
							c.z + q.s * p.v.z + p.s * q.v.z },
		q.s * p.s - gelDot( q.v, p.v ) };
}

static inline float gelLengthSquaredQuat( gelQuat q )
{
	return gelDot( q.v, q.v ) + q.s * q.s;
}

/// I + sum of u[k] g[k]^T over three: the deformation gradient of displacements u of the corners of a tet
/// relative to its first one, with gradients g of their shape functions. Added last, the ones take no bits
/// from small sums.
static inline gelMat3 gelMakeDeformation( const gelVec3 u[3], const gelVec3 g[3] )
{
	gelMat3 F = { gelScale( g[0].x, u[0] ), gelScale( g[0].y, u[0] ), gelScale( g[0].z, u[0] ) };
	for ( int k = 1; k < 3; ++k )
	{
		F.cx = gelMulAdd( F.cx, g[k].x, u[k] );
		F.cy = gelMulAdd( F.cy, g[k].y, u[k] );
		F.cz = gelMulAdd( F.cz, g[k].z, u[k] );
	}
	F.cx.x += 1.0f;
	F.cy.y += 1.0f;
	F.cz.z += 1.0f;
	return F;
}

/// Half the rotation matrix of a unit quaternion.
static inline gelMat3 gelMakeHalfMat3FromQuat( gelQuat q )
{
	float xx = q.v.x * q.v.x, yy = q.v.y * q.v.y, zz = q.v.z * q.v.z;
	float xy = q.v.x * q.v.y, xz = q.v.x * q.v.z, yz = q.v.y * q.v.z;
	float xs = q.s * q.v.x, ys = q.s * q.v.y, zs = q.s * q.v.z;
	return ( gelMat3 ){
		{ 0.5f - ( yy + zz ), xy + zs, xz - ys },
		{ xy - zs, 0.5f - ( xx + zz ), yz + xs },
		{ xz + ys, yz - xs, 0.5f - ( xx + yy ) },
	};
}

/// Rotation matrix of a unit quaternion.
static inline gelMat3 gelMakeMat3FromQuat( gelQuat q )
{
	float x2 = q.v.x + q.v.x, y2 = q.v.y + q.v.y, z2 = q.v.z + q.v.z;
	float xx = q.v.x * x2, yy = q.v.y * y2, zz = q.v.z * z2;
	float xy = q.v.x * y2, xz = q.v.x * z2, yz = q.v.y * z2;
	float xs = q.s * x2, ys = q.s * y2, zs = q.s * z2;
	return ( gelMat3 ){
		{ 1.0f - ( yy + zz ), xy + zs, xz - ys },
		{ xy - zs, 1.0f - ( xx + zz ), yz + xs },
		{ xz + ys, yz - xs, 1.0f - ( xx + yy ) },
	};
}

/// det[x1-x0, x2-x0, x3-x0] [m^3]: six times the signed volume.
static inline float gelTetDeterminant( gelVec3 x0, gelVec3 x1, gelVec3 x2, gelVec3 x3 )
{
	return gelDot( gelSub( x1, x0 ), gelCross( gelSub( x2, x0 ), gelSub( x3, x0 ) ) );
}

/// sym( R^T F ) - I
static inline gelSym3 gelCorotatedStrain( gelMat3 R, gelMat3 F )
{
	gelMat3 S = gelMulTransposedMM( R, F );
	return ( gelSym3 ){ S.cx.x - 1.0f, S.cy.y - 1.0f, S.cz.z - 1.0f, 0.5f * ( S.cx.y + S.cy.x ),
		0.5f * ( S.cx.z + S.cz.x ), 0.5f * ( S.cy.z + S.cz.y ) };
}
