// SPDX-License-Identifier: MIT
// Rotations from the signed singular value decomposition.
#include "solvers/experiments/rotation.h"

#include <float.h>

// One Jacobi rotation that makes entry (p, q) of the symmetric a zero, and the same turn applied to the
// columns of v.
static void Annihilate( float a[3][3], float v[3][3], int p, int q )
{
	GEL_ASSERT( p >= 0 && p < 3 && q >= 0 && q < 3 && p != q );
	if ( fabsf( a[p][q] ) < FLT_MIN ) return;
	float theta = ( a[q][q] - a[p][p] ) / ( 2.0f * a[p][q] );
	float t = 1.0f / ( fabsf( theta ) + sqrtf( theta * theta + 1.0f ) );
	if ( theta < 0.0f ) t = -t;
	float c = 1.0f / sqrtf( t * t + 1.0f ), s = t * c;
	float apq = a[p][q];
	a[p][p] -= t * apq;
	a[q][q] += t * apq;
	a[p][q] = a[q][p] = 0.0f;
	int r = 3 - p - q;
	float arp = a[r][p], arq = a[r][q];
	a[r][p] = a[p][r] = c * arp - s * arq;
	a[r][q] = a[q][r] = s * arp + c * arq;
	for ( int i = 0; i < 3; ++i )
	{
		float vip = v[i][p], viq = v[i][q];
		v[i][p] = c * vip - s * viq;
		v[i][q] = s * vip + c * viq;
	}
}

// Eigenvectors of F^T F, a rotation, by descending eigenvalue. Its condition number is the square of that of
// F, which does not matter: only the two largest directions are used.
static gelMat3 FindAxes( gelMat3 F )
{
	gelMat3 m = gelMulTransposedMM( F, F );
	float a[3][3] = { { m.cx.x, m.cy.x, m.cz.x }, { m.cx.y, m.cy.y, m.cz.y }, { m.cx.z, m.cy.z, m.cz.z } };
	float v[3][3] = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
	for ( int sweep = 0; sweep < 5; ++sweep )
	{
		Annihilate( a, v, 0, 1 );
		Annihilate( a, v, 0, 2 );
		Annihilate( a, v, 1, 2 );
	}
	int first = a[0][0] >= a[1][1] ? 0 : 1;
	if ( a[2][2] > a[first][first] ) first = 2;
	int second = ( first + 1 ) % 3, third = ( first + 2 ) % 3;
	if ( a[third][third] > a[second][second] ) second = third;
	gelVec3 v1 = { v[0][first], v[1][first], v[2][first] };
	gelVec3 v2 = { v[0][second], v[1][second], v[2][second] };
	return ( gelMat3 ){ v1, v2, gelCross( v1, v2 ) };
}

// Columns of U are F v / |F v| for the two largest, and their cross product: the sign of det F needs no test,
// it ends in s[2].
gelSignedSvd gelComputeSignedSvd( gelMat3 F, gelMat3 last )
{
	gelSignedSvd svd = { last, gelIdentity(), { 0.0f, 0.0f, 0.0f } };
	float size = gelMaxEntry( F );
	if ( !( size > FLT_MIN ) || !( size <= FLT_MAX ) ) return svd;
	float inv = 1.0f / size;
	F = ( gelMat3 ){ gelScale( inv, F.cx ), gelScale( inv, F.cy ), gelScale( inv, F.cz ) };
	svd.V = FindAxes( F );
	gelVec3 a = gelMulMV( F, svd.V.cx ), b = gelMulMV( F, svd.V.cy ), c = gelMulMV( F, svd.V.cz );
	float s1 = gelLength( a );
	svd.U.cx = gelScale( 1.0f / s1, a ); // s1 >= 1/sqrt(3): the largest entry of F is 1 now
	b = gelMulAdd( b, -gelDot( b, svd.U.cx ), svd.U.cx );
	float s2 = gelLength( b );
	// A needle: any turn about it is as good.
	svd.U.cy = s2 < 1.0e-4f * s1
		? gelMakeOrthogonal( svd.U.cx, gelMulMV( last, svd.V.cy ), gelMulMV( last, svd.V.cz ) )
		: gelScale( 1.0f / s2, b );
	svd.U.cz = gelCross( svd.U.cx, svd.U.cy );
	svd.s[0] = size * s1;
	svd.s[1] = size * s2;
	svd.s[2] = size * gelDot( svd.U.cz, c );
	return svd;
}

gelMat3 gelRotationIsvd( gelMat3 F, gelMat3 last )
{
	gelSignedSvd svd = gelComputeSignedSvd( F, last );
	return gelMulByTransposedMM( svd.U, svd.V );
}

static float Similarity( gelMat3 a, gelMat3 b )
{
	return gelDot( a.cx, b.cx ) + gelDot( a.cy, b.cy ) + gelDot( a.cz, b.cz );
}

// One of the three axes carries the inversion. When an element turns inside out it is the shortest; from
// then on the axis whose rotation is nearest to the last one, even when it is not the shortest any more.
gelMat3 gelRotationCsvd( gelMat3 F, gelMat3 last, bool* isInverted )
{
	gelSignedSvd svd = gelComputeSignedSvd( F, last );
	gelMat3 best = gelMulByTransposedMM( svd.U, svd.V );
	bool wasInverted = *isInverted;
	*isInverted = svd.s[2] < 0.0f;
	if ( !*isInverted || !wasInverted ) return best;
	gelMat3 U = svd.U;
	gelMat3 others[2] = {
		{ gelNeg( U.cx ), U.cy, gelNeg( U.cz ) },
		{ U.cx, gelNeg( U.cy ), gelNeg( U.cz ) },
	};
	for ( int i = 0; i < 2; ++i )
	{
		gelMat3 R = gelMulByTransposedMM( others[i], svd.V );
		if ( Similarity( R, last ) > Similarity( best, last ) ) best = R;
	}
	return best;
}
