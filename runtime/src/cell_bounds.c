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

static gelDop Union( const gelDop* p, const gelDop* q )
{
	gelDop u;
	for ( int k = 0; k < 8; ++k )
	{
		u.low[k] = fminf( p->low[k], q->low[k] );
		u.high[k] = fmaxf( p->high[k], q->high[k] );
	}
	return u;
}

void gelRefitCoarse_Ref( const gelPackView* pack, const gelVec3* nodes, gelDop* boxes )
{
	for ( size_t i = 2 * (size_t)pack->header->cdgTetCount - 1; i-- > 0; )
	{
		const gelPackBvhNode* node = pack->bvh + i;
		if ( node->left != GEL_CDG_NIL )
		{
			boxes[i] = Union( boxes + node->left, boxes + node->right );
			continue;
		}
		const gelPackCell* cell = pack->cells + node->right;
		gelVec3 x[4];
		float a[4], b[4];
		for ( int k = 0; k < 4; ++k )
		{
			x[k] = nodes[cell->node[k]];
			a[k] = (float)cell->low[k] * 0x1p-8f;
			b[k] = (float)( cell->high[k] + 1 ) * 0x1p-8f;
		}
		boxes[i] = gelBoundCell_Ref( x, a, b );
	}
}

void gelBody_RefitCoarse( gelBody* body )
{
	if ( body->coarse ) body->kernels->refitCoarse( &body->asset->pack, body->x, body->coarse );
}
