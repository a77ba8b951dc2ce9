// SPDX-License-Identifier: MIT
#include "random_tets.h"

#include <math.h>

gelVec3d gelRandomVector( gelRandom* random )
{
	double x = gelRandom_Normal( random ), y = gelRandom_Normal( random ), z = gelRandom_Normal( random );
	return ( gelVec3d ){ x, y, z };
}

static gelVec3d Normalized( gelVec3d a )
{
	return gelScaleD( 1.0 / sqrt( gelDotD( a, a ) ), a );
}

gelMat3d gelRandomRotation( gelRandom* random )
{
	gelVec3d a = Normalized( gelRandomVector( random ) ), b = gelRandomVector( random );
	b = Normalized( gelMulAddD( b, -gelDotD( a, b ), a ) );
	return ( gelMat3d ){ a, b, gelCrossD( a, b ) };
}

gelMat3d gelRandomMatrix( gelRandom* random )
{
	gelVec3d a = gelRandomVector( random ), b = gelRandomVector( random ), c = gelRandomVector( random );
	return ( gelMat3d ){ a, b, c };
}

gelMat3d gelTransposed( gelMat3d a )
{
	return ( gelMat3d ){ { a.cx.x, a.cy.x, a.cz.x }, { a.cx.y, a.cy.y, a.cz.y }, { a.cx.z, a.cy.z, a.cz.z } };
}

double gelMatDistance( gelMat3d a, gelMat3d b )
{
	gelMat3d d = gelMulAddMatD( a, -1.0, b );
	return sqrt( gelContractD( d, d ) );
}

// |A - B|_F = 2 sqrt(2) sin( angle/2 )
double gelAngleBetween( gelMat3d a, gelMat3d b )
{
	return 2.0 * asin( fmin( 1.0, gelMatDistance( a, b ) / ( 2.0 * sqrt( 2.0 ) ) ) );
}

// One-sided Jacobi (Hestenes): turns pairs of columns of F V until they are orthogonal. Never forms F^T F, so
// that it is a different way from the one under test.
gelReferenceSvd gelComputeReferenceSvd( gelMat3d F )
{
	gelVec3d c[3] = { F.cx, F.cy, F.cz };
	gelVec3d v[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
	for ( int sweep = 0; sweep < 40; ++sweep )
	{
		for ( int k = 0; k < 3; ++k )
		{
			const int p = k == 2 ? 1 : 0, q = k == 0 ? 1 : 2; // the longer column becomes the first of a pair
			double angle =
				0.5 * atan2( 2.0 * gelDotD( c[p], c[q] ), gelDotD( c[p], c[p] ) - gelDotD( c[q], c[q] ) );
			double cs = cos( angle ), sn = sin( angle );
			gelVec3d cp = c[p], vp = v[p];
			c[p] = gelMulAddD( gelScaleD( cs, cp ), sn, c[q] );
			c[q] = gelMulAddD( gelScaleD( -sn, cp ), cs, c[q] );
			v[p] = gelMulAddD( gelScaleD( cs, vp ), sn, v[q] );
			v[q] = gelMulAddD( gelScaleD( -sn, vp ), cs, v[q] );
		}
	}
	int order[3] = { 0, 1, 2 };
	for ( int i = 0; i < 3; ++i )
		for ( int j = i + 1; j < 3; ++j )
			if ( gelDotD( c[order[j]], c[order[j]] ) > gelDotD( c[order[i]], c[order[i]] ) )
			{
				int swap = order[i];
				order[i] = order[j];
				order[j] = swap;
			}
	gelReferenceSvd svd;
	gelVec3d v1 = v[order[0]], v2 = v[order[1]], v3 = gelCrossD( v1, v2 );
	gelVec3d u1 = Normalized( c[order[0]] ), u2 = Normalized( c[order[1]] ), u3 = gelCrossD( u1, u2 );
	svd.s[0] = sqrt( gelDotD( c[order[0]], c[order[0]] ) );
	svd.s[1] = sqrt( gelDotD( c[order[1]], c[order[1]] ) );
	svd.s[2] = gelDotD( u3, gelMulMVD( F, v3 ) );
	svd.V = ( gelMat3d ){ v1, v2, v3 };
	svd.R = gelMulMMD( ( gelMat3d ){ u1, u2, u3 }, gelTransposed( svd.V ) );
	return svd;
}

gelRandomTet gelMakeRandomTet( gelRandom* random )
{
	gelRandomTet tet;
	gelMat3d Dm;
	do
	{
		for ( int i = 0; i < 4; ++i )
			tet.X[i] = gelRandomVector( random );
		Dm = ( gelMat3d ){ gelSubD( tet.X[1], tet.X[0] ), gelSubD( tet.X[2], tet.X[0] ),
			gelSubD( tet.X[3], tet.X[0] ) };
		tet.restDet = gelDeterminantD( Dm );
	} while ( tet.restDet < 0.5 );
	gelMat3d cofactor = gelCofactorD( Dm ); // Dm^-T det: its columns are the gradients times det
	tet.rest = ( gelElementRest ){ { gelToFloat( gelScaleD( 1.0 / tet.restDet, cofactor.cx ) ),
									   gelToFloat( gelScaleD( 1.0 / tet.restDet, cofactor.cy ) ),
									   gelToFloat( gelScaleD( 1.0 / tet.restDet, cofactor.cz ) ) },
		(float)( tet.restDet / 6.0 ), 1.0f, 0.7f };
	return tet;
}

void gelDeformTet( const gelRandomTet* tet, gelMat3d F, gelVec3d x[4] )
{
	for ( int i = 0; i < 4; ++i )
		x[i] = gelMulMVD( F, tet->X[i] );
}

gelMat3d gelRandomGradient( gelRandom* random, double low, double high )
{
	gelMat3d U = gelRandomRotation( random ), V = gelRandomRotation( random );
	double J = gelRandom_Uniform( random, low, high );
	double a = gelRandom_Uniform( random, 0.6, 1.6 ), b = gelRandom_Uniform( random, 0.6, 1.6 );
	gelMat3d D = { { a, 0.0, 0.0 }, { 0.0, b, 0.0 }, { 0.0, 0.0, J / ( a * b ) } };
	return gelMulMMD( U, gelMulMMD( D, gelTransposed( V ) ) );
}
