// SPDX-License-Identifier: MIT
#include "state/cell_bounds.h"

static float MaxMagnitude( const gelVec3 x[4] )
{
	float m = 0.0f;
	for ( int i = 0; i < 4; ++i )
		m = fmaxf( m, fmaxf( fabsf( x[i].x ), fmaxf( fabsf( x[i].y ), fabsf( x[i].z ) ) ) );
	return m;
}

gelDop gelBoundCell_Ref( const gelVec3 x[4], const float a[4], const float b[4] )
{
	GEL_ASSERT( a[0] <= b[0] && a[1] <= b[1] && a[2] <= b[2] && a[3] <= b[3] );
	float p[4][8], slack = GEL_BOUND_SLACK * MaxMagnitude( x );
	for ( int i = 0; i < 4; ++i )
		gelProjectOnDop( x[i], p[i] );
	gelDop dop;
	for ( int k = 0; k < 8; ++k )
	{
		float low = -INFINITY, high = INFINITY;
		for ( int pivot = 0; pivot < 4; ++pivot )
		{
			float l = p[pivot][k], h = p[pivot][k];
			for ( int i = 0; i < 4; ++i )
			{
				float d = p[i][k] - p[pivot][k];
				l += fminf( a[i] * d, b[i] * d );
				h += fmaxf( a[i] * d, b[i] * d );
			}
			low = fmaxf( low, l );
			high = fminf( high, h );
		}
		dop.low[k] = low - slack;
		dop.high[k] = high + slack;
	}
	return dop;
}
