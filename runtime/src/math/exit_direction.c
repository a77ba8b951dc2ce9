// SPDX-License-Identifier: MIT
#include "math/exit_direction.h"

// Directions that lead into what the body stands on are no way out.
#define GEL_INTO_FLOOR -0.5f

#define GEL_DIAGONAL 0.57735027f

gelWays gelMakeWays( void )
{
	return ( gelWays ){
		.way = { { 0.0f, 1.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 1.0f },
			{ GEL_DIAGONAL, GEL_DIAGONAL, GEL_DIAGONAL }, { GEL_DIAGONAL, GEL_DIAGONAL, -GEL_DIAGONAL },
			{ GEL_DIAGONAL, -GEL_DIAGONAL, GEL_DIAGONAL }, { -GEL_DIAGONAL, GEL_DIAGONAL, GEL_DIAGONAL } },
		.count = 7
	};
}

gelSpans gelMakeEmptySpans( void )
{
	gelSpans spans;
	for ( int k = 0; k < GEL_WAY_COUNT; ++k )
	{
		spans.low[k] = INFINITY;
		spans.high[k] = -INFINITY;
	}
	return spans;
}

void gelSpans_Include( gelSpans* spans, int way, float low, float high )
{
	GEL_ASSERT( way >= 0 && way < GEL_WAY_COUNT );
	spans->low[way] = gelMinFloat( low, spans->low[way] );
	spans->high[way] = gelMaxFloat( high, spans->high[way] );
}

gelVec3 gelFindShortestWay( const gelWays* ways, const gelSpans* a, const gelSpans* b, const gelVec3* floor )
{
	float best = INFINITY;
	gelVec3 out = ways->way[0];
	for ( int k = 0; k < 2 * ways->count; ++k )
	{
		bool isForward = k % 2 == 0;
		gelVec3 way = isForward ? ways->way[k / 2] : gelNeg( ways->way[k / 2] );
		float length = isForward ? b->high[k / 2] - a->low[k / 2] : a->high[k / 2] - b->low[k / 2];
		if ( floor && gelDot( *floor, way ) < GEL_INTO_FLOOR ) continue;
		if ( length >= best ) continue;
		best = length;
		out = way;
	}
	return out;
}
