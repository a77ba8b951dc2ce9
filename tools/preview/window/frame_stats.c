// SPDX-License-Identifier: MIT
#include "preview/window/frame_stats.h"

#include <gelpack/asserts.h>

void gelFrameStats_Add( gelFrameStatsRing* ring, const gelFrameFigures* figures )
{
	GEL_ASSERT( ring->next >= 0 && ring->next < GEL_STATS_LENGTH );
	ring->items[ring->next] = *figures;
	ring->next = ( ring->next + 1 ) % GEL_STATS_LENGTH;
	if ( ring->count < GEL_STATS_LENGTH ) ring->count += 1;
}

const gelFrameFigures* gelFrameStats_Get( const gelFrameStatsRing* ring, int i )
{
	GEL_ASSERT( i >= 0 && i < ring->count );
	int first = ring->next + GEL_STATS_LENGTH - ring->count;
	return ring->items + ( first + i ) % GEL_STATS_LENGTH;
}

gelFrameFigures gelFrameStats_Mean( const gelFrameStatsRing* ring )
{
	gelFrameFigures mean = { 0 };
	int count = ring->count < 30 ? ring->count : 30;
	for ( int i = ring->count - count; i < ring->count; ++i )
	{
		const gelFrameFigures* f = gelFrameStats_Get( ring, i );
		float w = 1.0f / (float)count;
		mean.simulate += w * f->simulate;
		mean.skin += w * f->skin;
		mean.draw += w * f->draw;
		mean.kinetic += w * f->kinetic;
		mean.elastic += w * f->elastic;
		mean.potential += w * f->potential;
		mean.stepMicroseconds += w * f->stepMicroseconds;
		mean.contacts = f->contacts;
		mean.inverted = f->inverted;
	}
	return mean;
}
