// SPDX-License-Identifier: MIT
#include "cell_bounds.h"

static float MaxMagnitude( const gelVec3 x[4] )
{
	float m = 0.0f;
	for ( int i = 0; i < 4; ++i )
		m = fmaxf( m, fmaxf( fabsf( x[i].x ), fmaxf( fabsf( x[i].y ), fabsf( x[i].z ) ) ) );
	return m;
}

gelDop gelBoundCell_Ref( const gelVec3 x[4], const float a[4], const float b[4] )
{
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

static inline float Min( float a, float b )
{
	return a < b ? a : b;
}

static inline float Max( float a, float b )
{
	return a > b ? a : b;
}

// Every pair of nodes once: d serves both as pivots, with opposite signs. All lanes alike, for the compiler
// to make vectors of them.
gelDop gelBoundCell( const gelVec3 x[4], const float a[4], const float b[4] )
{
	float p[4][8], low[4][8], high[4][8], slack = GEL_BOUND_SLACK * MaxMagnitude( x );
	for ( int i = 0; i < 4; ++i )
	{
		gelProjectOnDop( x[i], p[i] );
		for ( int k = 0; k < 8; ++k )
			low[i][k] = high[i][k] = p[i][k];
	}
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
		{
			for ( int k = 0; k < 8; ++k )
			{
				float d = p[j][k] - p[i][k];
				float aj = a[j] * d, bj = b[j] * d, ai = -a[i] * d, bi = -b[i] * d;
				low[i][k] += Min( aj, bj );
				high[i][k] += Max( aj, bj );
				low[j][k] += Min( ai, bi );
				high[j][k] += Max( ai, bi );
			}
		}
	}
	gelDop dop;
	for ( int k = 0; k < 8; ++k )
	{
		dop.low[k] = Max( Max( low[0][k], low[1][k] ), Max( low[2][k], low[3][k] ) ) - slack;
		dop.high[k] = Min( Min( high[0][k], high[1][k] ), Min( high[2][k], high[3][k] ) ) + slack;
	}
	return dop;
}

// Children stand behind their parent, so one sweep from the end is enough.
void gelBody_RefitCoarse( gelBody* body )
{
	const gelPackView* pack = &body->asset->pack;
	if ( body->coarse == NULL ) return;
	for ( size_t i = gelGetCoarseCount( body->asset ); i-- > 0; )
	{
		const gelPackBvhNode* node = pack->bvh + i;
		if ( node->left != GEL_CDG_NIL )
		{
			body->coarse[i] = gelUnionDop( body->coarse + node->left, body->coarse + node->right );
			continue;
		}
		const gelPackCell* cell = pack->cells + node->right;
		gelVec3 x[4];
		float a[4], b[4];
		for ( int k = 0; k < 4; ++k )
		{
			x[k] = body->x[cell->node[k]];
			a[k] = (float)cell->low[k] * 0x1p-8f;
			b[k] = (float)( cell->high[k] + 1 ) * 0x1p-8f;
		}
		body->coarse[i] = gelBoundCell( x, a, b );
	}
}
