// SPDX-License-Identifier: MIT
// What the runtime adds to gelpack/math_float.h, under the same rule: no function here calls libm but sqrtf.
#pragma once

#include "core/core.h"
#include "gelpack/math_float.h"

/// Symmetric 3x3 matrix.
typedef struct gelSym3
{
	float xx, yy, zz, xy, xz, yz;
} gelSym3;

/// Within +-GEL_MAX_COORDINATE; false for NaN and infinity.
static inline bool gelIsUsable( gelVec3 a )
{
	return fabsf( a.x ) <= GEL_MAX_COORDINATE && fabsf( a.y ) <= GEL_MAX_COORDINATE &&
		fabsf( a.z ) <= GEL_MAX_COORDINATE;
}

/// Rotations that callers give are of unit length within 1e-3; false for NaN.
static inline bool gelIsUnitQuat( gelQuat q )
{
	return fabsf( gelLengthSquaredQuat( q ) - 1.0f ) < 2.0e-3f;
}

static inline bool gelIsTransform( gelTransform t )
{
	return gelIsUsable( t.position ) && gelIsUnitQuat( t.rotation );
}

static inline gelQuat gelNormalizeQuat( gelQuat q )
{
	float inv = 1.0f / sqrtf( gelLengthSquaredQuat( q ) );
	return ( gelQuat ){ gelScale( inv, q.v ), inv * q.s };
}

static inline gelTransform gelNormalizeTransform( gelTransform t )
{
	return ( gelTransform ){ t.position, gelNormalizeQuat( t.rotation ) };
}

static inline gelMat3 gelSubMat3( gelMat3 a, gelMat3 b )
{
	return ( gelMat3 ){ gelSub( a.cx, b.cx ), gelSub( a.cy, b.cy ), gelSub( a.cz, b.cz ) };
}

static inline gelMat3 gelMulAddMat3( gelMat3 a, float s, gelMat3 b )
{
	return ( gelMat3 ){ gelMulAdd( a.cx, s, b.cx ), gelMulAdd( a.cy, s, b.cy ), gelMulAdd( a.cz, s, b.cz ) };
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

/// s a of a symmetric matrix.
static inline gelVec3 gelMulSym3( gelSym3 s, gelVec3 a )
{
	return ( gelVec3 ){ s.xx * a.x + s.xy * a.y + s.xz * a.z, s.xy * a.x + s.yy * a.y + s.yz * a.z,
		s.xz * a.x + s.yz * a.y + s.zz * a.z };
}

/// r^T d: a direction in the space that r turns from.
static inline gelVec3 gelTurnBack( const gelMat3* r, gelVec3 d )
{
	return ( gelVec3 ){ gelDot( r->cx, d ), gelDot( r->cy, d ), gelDot( r->cz, d ) };
}

/// From one place of the world to another [m].
static inline gelVec3 gelGetOffset( const double place[3], const double origin[3] )
{
	return ( gelVec3 ){ (float)( place[0] - origin[0] ), (float)( place[1] - origin[1] ),
		(float)( place[2] - origin[2] ) };
}

/// Any unit vector across a unit vector.
static inline gelVec3 gelGetTangent( gelVec3 n )
{
	GEL_ASSERT( fabsf( gelLengthSquared( n ) - 1.0f ) < 1.0e-2f );
	gelVec3 axis = fabsf( n.x ) < 0.6f ? gelMakeVec3( 1.0f, 0.0f, 0.0f ) : gelMakeVec3( 0.0f, 1.0f, 0.0f );
	gelVec3 t = gelCross( n, axis );
	return gelScale( 1.0f / gelLength( t ), t );
}
