// SPDX-License-Identifier: MIT
#include "asset/rest_point.h"

#include <math.h>
#include <string.h>

static double GetWeights( const gelAsset* asset, int tet, gelVec3d p, double w[4] )
{
	GEL_ASSERT( tet >= 0 && tet < asset->tetCount );
	const gelPackTetRest* rest = asset->pack.tetRests + tet;
	gelVec3d away =
		gelSubD( p, gelToDouble( gelGetRestNode( asset->pack.nodes, asset->pack.tets[tet].node[0] ) ) );
	w[0] = 1.0;
	for ( int k = 0; k < 3; ++k )
	{
		w[k + 1] = gelDotD( gelToDouble( gelGetGradient( rest, k ) ), away );
		w[0] -= w[k + 1];
	}
	return fmin( fmin( w[0], w[1] ), fmin( w[2], w[3] ) );
}

gelEmbeddedPoint gelFindRestPoint( const gelAsset* asset, gelVec3d p )
{
	double best[4] = { 0 }, smallest = -INFINITY, sum = 0.0;
	gelEmbeddedPoint point = { .tet = 0 };
	for ( int t = 0; t < asset->tetCount; ++t )
	{
		double w[4], least = GetWeights( asset, t, p, w );
		if ( !( least > smallest ) ) continue;
		smallest = least;
		point.tet = t;
		memcpy( best, w, sizeof( best ) );
	}
	for ( int k = 0; k < 4; ++k )
	{
		best[k] = best[k] > 0.0 ? best[k] : 0.0;
		sum += best[k];
	}
	for ( int k = 0; k < 4; ++k )
		point.weight[k] = (float)( best[k] / sum );
	return point;
}
