// SPDX-License-Identifier: MIT
// Vectors, matrices and quaternions, one per lane: the wide twins of gel_math.h, operation by operation in
// the same order, so that each lane has the bits of the scalar code.
#pragma once

#include "simd/simd.h"

/// 3-vectors.
typedef struct gelVec3W
{
	gelFloatW x, y, z;
} gelVec3W;

/// 3x3 matrices, by columns.
typedef struct gelMat3W
{
	gelVec3W cx, cy, cz;
} gelMat3W;

GEL_FORCE_INLINE gelVec3W gelAddVecW( gelVec3W a, gelVec3W b )
{
	return ( gelVec3W ){ gelAddW( a.x, b.x ), gelAddW( a.y, b.y ), gelAddW( a.z, b.z ) };
}

GEL_FORCE_INLINE gelVec3W gelSubVecW( gelVec3W a, gelVec3W b )
{
	return ( gelVec3W ){ gelSubW( a.x, b.x ), gelSubW( a.y, b.y ), gelSubW( a.z, b.z ) };
}

GEL_FORCE_INLINE gelVec3W gelNegVecW( gelVec3W a )
{
	return ( gelVec3W ){ gelNegW( a.x ), gelNegW( a.y ), gelNegW( a.z ) };
}

GEL_FORCE_INLINE gelVec3W gelScaleVecW( gelFloatW s, gelVec3W a )
{
	return ( gelVec3W ){ gelMulW( s, a.x ), gelMulW( s, a.y ), gelMulW( s, a.z ) };
}

/// a + s b
GEL_FORCE_INLINE gelVec3W gelMulAddVecW( gelVec3W a, gelFloatW s, gelVec3W b )
{
	return ( gelVec3W ){ gelAddW( a.x, gelMulW( s, b.x ) ), gelAddW( a.y, gelMulW( s, b.y ) ),
		gelAddW( a.z, gelMulW( s, b.z ) ) };
}

GEL_FORCE_INLINE gelFloatW gelDotW( gelVec3W a, gelVec3W b )
{
	return gelAddW( gelAddW( gelMulW( a.x, b.x ), gelMulW( a.y, b.y ) ), gelMulW( a.z, b.z ) );
}

GEL_FORCE_INLINE gelVec3W gelSelectVecW( gelMaskW mask, gelVec3W yes, gelVec3W no )
{
	return ( gelVec3W ){ gelSelectW( mask, yes.x, no.x ), gelSelectW( mask, yes.y, no.y ),
		gelSelectW( mask, yes.z, no.z ) };
}

/// a b - c d
GEL_FORCE_INLINE gelFloatW gelMulSubW( gelFloatW a, gelFloatW b, gelFloatW c, gelFloatW d )
{
	return gelSubW( gelMulW( a, b ), gelMulW( c, d ) );
}

GEL_FORCE_INLINE gelVec3W gelCrossW( gelVec3W a, gelVec3W b )
{
	return ( gelVec3W ){ gelMulSubW( a.y, b.z, a.z, b.y ), gelMulSubW( a.z, b.x, a.x, b.z ),
		gelMulSubW( a.x, b.y, a.y, b.x ) };
}

GEL_FORCE_INLINE gelVec3W gelMulMVW( gelMat3W m, gelVec3W v )
{
	return ( gelVec3W ){
		gelAddW( gelAddW( gelMulW( m.cx.x, v.x ), gelMulW( m.cy.x, v.y ) ), gelMulW( m.cz.x, v.z ) ),
		gelAddW( gelAddW( gelMulW( m.cx.y, v.x ), gelMulW( m.cy.y, v.y ) ), gelMulW( m.cz.y, v.z ) ),
		gelAddW( gelAddW( gelMulW( m.cx.z, v.x ), gelMulW( m.cy.z, v.y ) ), gelMulW( m.cz.z, v.z ) ),
	};
}

/// a^T b
GEL_FORCE_INLINE gelMat3W gelMulTransposedMMW( gelMat3W a, gelMat3W b )
{
	return ( gelMat3W ){
		{ gelDotW( a.cx, b.cx ), gelDotW( a.cy, b.cx ), gelDotW( a.cz, b.cx ) },
		{ gelDotW( a.cx, b.cy ), gelDotW( a.cy, b.cy ), gelDotW( a.cz, b.cy ) },
		{ gelDotW( a.cx, b.cz ), gelDotW( a.cy, b.cz ), gelDotW( a.cz, b.cz ) },
	};
}

GEL_FORCE_INLINE gelMat3W gelSubMatW( gelMat3W a, gelMat3W b )
{
	return ( gelMat3W ){ gelSubVecW( a.cx, b.cx ), gelSubVecW( a.cy, b.cy ), gelSubVecW( a.cz, b.cz ) };
}

/// Term k of three of gelMakeDeformation, which must come in order: 0 begins, 2 adds the ones.
GEL_FORCE_INLINE void gelAddDeformationW( gelMat3W* F, int k, gelVec3W u, gelVec3W g )
{
	gelFloatW one = gelSplatW( 1.0f );
	F->cx = k == 0 ? gelScaleVecW( g.x, u ) : gelMulAddVecW( F->cx, g.x, u );
	F->cy = k == 0 ? gelScaleVecW( g.y, u ) : gelMulAddVecW( F->cy, g.y, u );
	F->cz = k == 0 ? gelScaleVecW( g.z, u ) : gelMulAddVecW( F->cz, g.z, u );
	if ( k < 2 ) return;
	F->cx.x = gelAddW( F->cx.x, one );
	F->cy.y = gelAddW( F->cy.y, one );
	F->cz.z = gelAddW( F->cz.z, one );
}

GEL_FORCE_INLINE gelMat3W gelScaleMatW( gelFloatW s, gelMat3W m )
{
	return ( gelMat3W ){ gelScaleVecW( s, m.cx ), gelScaleVecW( s, m.cy ), gelScaleVecW( s, m.cz ) };
}

GEL_FORCE_INLINE gelFloatW gelLengthSquaredQuatW( gelNodesW q )
{
	gelVec3W v = { q.x, q.y, q.z };
	return gelAddW( gelDotW( v, v ), gelMulW( q.w, q.w ) );
}

GEL_FORCE_INLINE gelNodesW gelMulQuatW( gelNodesW q, gelNodesW p )
{
	gelVec3W qv = { q.x, q.y, q.z }, pv = { p.x, p.y, p.z }, c = gelCrossW( qv, pv );
	return ( gelNodesW ){ gelAddW( gelAddW( c.x, gelMulW( q.w, p.x ) ), gelMulW( p.w, q.x ) ),
		gelAddW( gelAddW( c.y, gelMulW( q.w, p.y ) ), gelMulW( p.w, q.y ) ),
		gelAddW( gelAddW( c.z, gelMulW( q.w, p.z ) ), gelMulW( p.w, q.z ) ),
		gelSubW( gelMulW( q.w, p.w ), gelDotW( qv, pv ) ) };
}

/// Half the rotation matrices of unit quaternions x y z w, w the scalar part.
GEL_FORCE_INLINE gelMat3W gelMakeHalfMatFromQuatW( gelNodesW q )
{
	gelFloatW half = gelSplatW( 0.5f );
	gelFloatW xx = gelMulW( q.x, q.x ), yy = gelMulW( q.y, q.y ), zz = gelMulW( q.z, q.z );
	gelFloatW xy = gelMulW( q.x, q.y ), xz = gelMulW( q.x, q.z ), yz = gelMulW( q.y, q.z );
	gelFloatW xs = gelMulW( q.w, q.x ), ys = gelMulW( q.w, q.y ), zs = gelMulW( q.w, q.z );
	return ( gelMat3W ){
		{ gelSubW( half, gelAddW( yy, zz ) ), gelAddW( xy, zs ), gelSubW( xz, ys ) },
		{ gelSubW( xy, zs ), gelSubW( half, gelAddW( xx, zz ) ), gelAddW( yz, xs ) },
		{ gelAddW( xz, ys ), gelSubW( yz, xs ), gelSubW( half, gelAddW( xx, yy ) ) },
	};
}

/// Rotation matrices of unit quaternions x y z w, w the scalar part.
GEL_FORCE_INLINE gelMat3W gelMakeMatFromQuatW( gelNodesW q )
{
	gelFloatW one = gelSplatW( 1.0f );
	gelFloatW x2 = gelAddW( q.x, q.x ), y2 = gelAddW( q.y, q.y ), z2 = gelAddW( q.z, q.z );
	gelFloatW xx = gelMulW( q.x, x2 ), yy = gelMulW( q.y, y2 ), zz = gelMulW( q.z, z2 );
	gelFloatW xy = gelMulW( q.x, y2 ), xz = gelMulW( q.x, z2 ), yz = gelMulW( q.y, z2 );
	gelFloatW xs = gelMulW( q.w, x2 ), ys = gelMulW( q.w, y2 ), zs = gelMulW( q.w, z2 );
	return ( gelMat3W ){
		{ gelSubW( one, gelAddW( yy, zz ) ), gelAddW( xy, zs ), gelSubW( xz, ys ) },
		{ gelSubW( xy, zs ), gelSubW( one, gelAddW( xx, zz ) ), gelAddW( yz, xs ) },
		{ gelAddW( xz, ys ), gelSubW( yz, xs ), gelSubW( one, gelAddW( xx, yy ) ) },
	};
}
