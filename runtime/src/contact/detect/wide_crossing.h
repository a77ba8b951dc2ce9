// SPDX-License-Identifier: MIT
// Eight pairs of triangles at a time: which of them cross, and where.
//
// Signs of determinants as in contact_predicates.h, but in float and with a bound of their error. What the
// bound does not decide is left to exact arithmetic, so nothing but time depends on it. Points are relative
// to b[0]: coordinates of the grid are below 2^23, so differences of any two of them are exact in float.
#pragma once

#include "simd/wide_math.h"

// Signs, one bit per lane.
typedef struct Crossings_W
{
	unsigned apart;       // a plane separates them, certainly
	unsigned certain;     // all signs are
	unsigned above[2][3]; // corners of A are above the plane of B, and of B above that of A
	unsigned edges[2][3]; // edges of A pass through B, and of B through A
} Crossings_W;

GEL_FORCE_INLINE gelFloatW GetSize_W( gelVec3W a )
{
	return gelMaxW( gelAbsW( a.x ), gelMaxW( gelAbsW( a.y ), gelAbsW( a.z ) ) );
}

GEL_FORCE_INLINE unsigned GetBits_W( gelFloatW a, gelFloatW b )
{
	return (unsigned)gelMaskBitsW( gelGreaterW( a, b ) );
}

// Corners d against a plane. @param bound of the error of d
GEL_FORCE_INLINE void SortSides_W(
	const gelFloatW d[3], gelFloatW bound, unsigned above[3], Crossings_W* out )
{
	gelFloatW least = gelMinW( d[0], gelMinW( d[1], d[2] ) ), most = gelMaxW( d[0], gelMaxW( d[1], d[2] ) );
	gelFloatW nearest = gelMinW( gelAbsW( d[0] ), gelMinW( gelAbsW( d[1] ), gelAbsW( d[2] ) ) );
	out->apart |= GetBits_W( least, bound ) | GetBits_W( gelNegW( bound ), most );
	out->certain &= GetBits_W( nearest, bound );
	for ( int k = 0; k < 3; ++k )
		above[k] = GetBits_W( d[k], gelSplatW( 0.0f ) );
}

// Lanes in which three signs are the same.
GEL_FORCE_INLINE unsigned AreSame_W( unsigned a, unsigned b, unsigned c )
{
	return ~( ( a ^ b ) | ( a ^ c ) );
}

// An edge passes through a triangle when its ends are on different sides of the plane and all edges of the
// triangle are passed on the same side. Orientation of the edges u of A and e of B, which start at a and b:
//   e . ( u x ( b - a ) ) = u . ( b x e ) - e . ( u x a ),  and b x e is 0, b1 x b2 or 0.
// Errors: a determinant is a sum of products of three differences. They add up to at most 6 r1 r2 r3 with
// the largest components r, and each is rounded six times at most, so 2^-21 instead of 6 * 2^-24 leaves room
// for the rounding of the bounds.
GEL_FORCE_INLINE Crossings_W CrossTriangles_W( const gelVec3W pointsA[3], const gelVec3W pointsB[3] )
{
	Crossings_W out = { .certain = ~0u };
	const gelFloatW slack = gelSplatW( 6.0f * 0x1p-21f );
	gelVec3W a[3], u[3], b1 = gelSubVecW( pointsB[1], pointsB[0] ), b2 = gelSubVecW( pointsB[2], pointsB[0] );
	for ( int k = 0; k < 3; ++k )
	{
		a[k] = gelSubVecW( pointsA[k], pointsB[0] );
		u[k] = gelSubVecW( pointsA[( k + 1 ) % 3], pointsA[k] );
	}
	gelFloatW sizeA = gelMaxW( GetSize_W( a[0] ), gelMaxW( GetSize_W( a[1] ), GetSize_W( a[2] ) ) );
	gelFloatW sizeU = gelMaxW( GetSize_W( u[0] ), gelMaxW( GetSize_W( u[1] ), GetSize_W( u[2] ) ) );
	gelFloatW sizeB = gelMaxW( GetSize_W( b1 ), GetSize_W( b2 ) );
	gelFloatW areaB = gelMulW( slack, gelMulW( sizeB, sizeB ) );
	gelFloatW areaU = gelMulW( slack, gelMulW( sizeU, sizeU ) );

	gelVec3W normalB = gelCrossW( b1, b2 ), normalA = gelCrossW( u[2], u[0] );
	gelFloatW sides[3] = { gelDotW( normalB, a[0] ), gelDotW( normalB, a[1] ), gelDotW( normalB, a[2] ) };
	SortSides_W( sides, gelMulW( areaB, sizeA ), out.above[0], &out );
	gelFloatW height = gelDotW( normalA, a[0] );
	sides[0] = gelNegW( height );
	sides[1] = gelSubW( gelDotW( normalA, b1 ), height );
	sides[2] = gelSubW( gelDotW( normalA, b2 ), height );
	SortSides_W( sides, gelMulW( areaU, gelAddW( sizeA, sizeB ) ), out.above[1], &out );

	gelFloatW nearest = gelSplatW( INFINITY );
	unsigned signs[3][3];
	gelVec3W b21 = gelSubVecW( b2, b1 );
	for ( int i = 0; i < 3; ++i )
	{
		gelVec3W moment = gelCrossW( u[i], a[i] );
		gelFloatW first = gelNegW( gelDotW( b1, moment ) ), last = gelDotW( b2, moment );
		gelFloatW middle = gelSubW( gelDotW( u[i], normalB ), gelDotW( b21, moment ) );
		nearest =
			gelMinW( gelMinW( nearest, gelAbsW( first ) ), gelMinW( gelAbsW( last ), gelAbsW( middle ) ) );
		signs[i][0] = GetBits_W( first, gelSplatW( 0.0f ) );
		signs[i][1] = GetBits_W( middle, gelSplatW( 0.0f ) );
		signs[i][2] = GetBits_W( last, gelSplatW( 0.0f ) );
	}
	// edges of B are at most twice as long as b1 and b2
	gelFloatW reach = gelMulW( slack, gelMulW( gelAddW( sizeB, sizeB ), sizeA ) );
	out.certain &= GetBits_W( nearest, gelMulW( sizeU, gelAddW( reach, areaB ) ) );
	for ( int k = 0; k < 3; ++k )
	{
		int next = ( k + 1 ) % 3;
		out.edges[0][k] =
			( out.above[0][k] ^ out.above[0][next] ) & AreSame_W( signs[k][0], signs[k][1], signs[k][2] );
		out.edges[1][k] =
			( out.above[1][k] ^ out.above[1][next] ) & AreSame_W( signs[0][k], signs[1][k], signs[2][k] );
	}
	return out;
}

// Start and end of the segment of a lane. @return whether there is one
GEL_FORCE_INLINE bool TakeCrossing_W( const Crossings_W* c, unsigned lane, gelTriangleCrossing out[2] )
{
	int count = 0;
	for ( int body = 0; body < 2; ++body )
	{
		for ( int k = 0; k < 3; ++k )
		{
			if ( ( c->edges[body][k] >> lane & 1u ) == 0 ) continue;
			bool enters = ( c->above[body][k] >> lane & 1u ) != 0, isStart = body == 0 ? !enters : enters;
			out[isStart ? 0 : 1] = ( gelTriangleCrossing ){ (uint8_t)body, (uint8_t)k, enters, isStart };
			++count;
		}
	}
	GEL_ASSERT( count == 0 || count == 2 );
	return count == 2;
}
