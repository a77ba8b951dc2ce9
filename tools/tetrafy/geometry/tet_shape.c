// SPDX-License-Identifier: MIT
#include "tetrafy/geometry/tet_shape.h"

#include "tetrafy/geometry/tri_tri.h"

double gelTetVolume( const gelDvec p[4] )
{
	gelDvec a = gelDvec_Sub( p[1], p[0] ), b = gelDvec_Sub( p[2], p[0] ), c = gelDvec_Sub( p[3], p[0] );
	return gelDvec_Dot( a, gelDvec_Cross( b, c ) ) / 6.0;
}

double gelTetRadiusRatio( const gelDvec p[4] )
{
	// r_in = 3 V / A, r_circ = |a^2 (b x c) + b^2 (c x a) + c^2 (a x b)| / (12 V)
	gelDvec a = gelDvec_Sub( p[1], p[0] ), b = gelDvec_Sub( p[2], p[0] ), c = gelDvec_Sub( p[3], p[0] );
	gelDvec bc = gelDvec_Cross( b, c ), ca = gelDvec_Cross( c, a ), ab = gelDvec_Cross( a, b );
	double volume = gelDvec_Dot( a, bc ) / 6.0;
	gelDvec sum = gelDvec_Mul( gelDvec_Dot( a, a ), bc );
	sum = gelDvec_MulAdd( sum, gelDvec_Dot( b, b ), ca );
	sum = gelDvec_MulAdd( sum, gelDvec_Dot( c, c ), ab );
	gelDvec opposite = gelDvec_Cross( gelDvec_Sub( b, a ), gelDvec_Sub( c, a ) );
	double area = 0.5 *
		( gelDvec_Length( bc ) + gelDvec_Length( ca ) + gelDvec_Length( ab ) + gelDvec_Length( opposite ) );
	double bottom = area * gelDvec_Length( sum );
	return volume > 0.0 && bottom > 0.0 ? 108.0 * volume * volume / bottom : 0.0;
}

void gelTetDihedrals( const gelDvec p[4], double* outCosSmallest, double* outCosLargest )
{
	gelDvec normals[4]; // outward, unit
	for ( int k = 0; k < 4; ++k )
	{
		const uint8_t* f = gelTetFaces[k];
		gelDvec n = gelDvec_Cross( gelDvec_Sub( p[f[1]], p[f[0]] ), gelDvec_Sub( p[f[2]], p[f[0]] ) );
		double length = gelDvec_Length( n );
		normals[k] = gelDvec_Mul( length > 0.0 ? 1.0 / length : 0.0, n );
	}
	double smallest = -1.0, largest = 1.0;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
		{
			double c = -gelDvec_Dot(
				normals[i], normals[j] ); // the angle inside is pi minus that between the normals
			smallest = gelMax( smallest, c );
			largest = gelMin( largest, c );
		}
	}
	*outCosSmallest = gelMin( smallest, 1.0 );
	*outCosLargest = gelMax( largest, -1.0 );
}

double gelTetSmallestDihedral( const gelDvec p[4] )
{
	double cosSmallest, unused;
	gelTetDihedrals( p, &cosSmallest, &unused );
	return GEL_DEGREES * acos( cosSmallest );
}
