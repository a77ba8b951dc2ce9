// SPDX-License-Identifier: MIT
// Rest normals as packs have them.
#pragma once

#include "skin/skin_kernels.h"
#include "simd/simd_vertices.h"
#include "simd/wide_math.h"

// Rest normals of as many vertices as lanes, not of unit length: gelDecodeNormal.
GEL_FORCE_INLINE gelVec3W gelDecodeNormalsW( const gelPackNormal* packed )
{
	gelFloatW u, v;
	gelLoadPairsW( packed, &u, &v );
	gelFloatW scale = gelSplatW( 1.0f / 32767.0f ), zero = gelSplatW( 0.0f );
	gelFloatW x = gelMulW( scale, u ), y = gelMulW( scale, v );
	gelFloatW z = gelSubW( gelSubW( gelSplatW( 1.0f ), gelAbsW( x ) ), gelAbsW( y ) );
	gelFloatW fold = gelMaxW( gelNegW( z ), zero ); // towards zero from either side
	x = gelSelectW( gelGreaterW( zero, x ), gelAddW( x, fold ), gelSubW( x, fold ) );
	y = gelSelectW( gelGreaterW( zero, y ), gelAddW( y, fold ), gelSubW( y, fold ) );
	return ( gelVec3W ){ x, y, z };
}
