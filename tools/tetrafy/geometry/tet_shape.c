// SPDX-License-Identifier: MIT
#include "tetrafy/geometry/tet_shape.h"

#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

double gelTetVolume( const gelVec3d p[4] )
{
	gelVec3d a = gelSubD( p[1], p[0] ), b = gelSubD( p[2], p[0] ), c = gelSubD( p[3], p[0] );
	return gelDotD( a, gelCrossD( b, c ) ) / 6.0;
}

double gelTetGradients( const gelVec3d p[4], gelVec3d outGradients[4] )
{
	GEL_ASSERT( p != outGradients );
	// row k of Dm^-1 is the cross product of the two other columns over the determinant
	gelMat3d Dm = { gelSubD( p[1], p[0] ), gelSubD( p[2], p[0] ), gelSubD( p[3], p[0] ) };
	gelMat3d cofactor = gelCofactorD( Dm );
	double det = gelDotD( Dm.cx, cofactor.cx );
	const gelVec3d rows[3] = { cofactor.cx, cofactor.cy, cofactor.cz };
	outGradients[0] = ( gelVec3d ){ 0.0, 0.0, 0.0 };
	for ( int k = 0; k < 3; ++k )
	{
		outGradients[k + 1] = ( gelVec3d ){ rows[k].x / det, rows[k].y / det, rows[k].z / det };
		outGradients[0] = gelSubD( outGradients[0], outGradients[k + 1] );
	}
	return det;
}

// 3 r_in / r_circ with the two radii below: 3 * 3V/A * 12V/|..| = 108 V^2 / ( A |..| ). Flat and inverted
// tets are 0.
double gelTetRadiusRatio( const gelVec3d p[4] )
{
	// r_in = 3 V / A, r_circ = |a^2 (b x c) + b^2 (c x a) + c^2 (a x b)| / (12 V)
	gelVec3d a = gelSubD( p[1], p[0] ), b = gelSubD( p[2], p[0] ), c = gelSubD( p[3], p[0] );
	gelVec3d bc = gelCrossD( b, c ), ca = gelCrossD( c, a ), ab = gelCrossD( a, b );
	double volume = gelDotD( a, bc ) / 6.0;
	gelVec3d sum = gelScaleD( gelDotD( a, a ), bc );
	sum = gelMulAddD( sum, gelDotD( b, b ), ca );
	sum = gelMulAddD( sum, gelDotD( c, c ), ab );
	gelVec3d opposite = gelCrossD( gelSubD( b, a ), gelSubD( c, a ) );
	double area = 0.5 * ( gelLengthD( bc ) + gelLengthD( ca ) + gelLengthD( ab ) + gelLengthD( opposite ) );
	double bottom = area * gelLengthD( sum );
	return volume > 0.0 && bottom > 0.0 ? 108.0 * volume * volume / bottom : 0.0;
}

void gelTetDihedrals( const gelVec3d p[4], double* outCosSmallest, double* outCosLargest )
{
	gelVec3d normals[4]; // outward, unit
	for ( int k = 0; k < 4; ++k )
	{
		const uint8_t* f = gelTetFaces[k];
		gelVec3d n = gelCrossD( gelSubD( p[f[1]], p[f[0]] ), gelSubD( p[f[2]], p[f[0]] ) );
		double length = gelLengthD( n );
		normals[k] = gelScaleD( length > 0.0 ? 1.0 / length : 0.0, n );
	}
	double smallest = -1.0, largest = 1.0;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
		{
			double c =
				-gelDotD( normals[i], normals[j] ); // the angle inside is pi minus that between the normals
			smallest = gelMaxDouble( smallest, c );
			largest = gelMinDouble( largest, c );
		}
	}
	*outCosSmallest = gelMinDouble( smallest, 1.0 );
	*outCosLargest = gelMaxDouble( largest, -1.0 );
}

double gelTetSmallestDihedral( const gelVec3d p[4] )
{
	double cosSmallest, unused;
	gelTetDihedrals( p, &cosSmallest, &unused );
	return GEL_DEGREES * acos( cosSmallest );
}
