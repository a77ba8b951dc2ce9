// SPDX-License-Identifier: MIT
#include "preview/out/compare.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

static int LargestStep( const uint8_t* p, const uint8_t* q )
{
	int largest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		int d = abs( p[k] - q[k] );
		largest = d > largest ? d : largest;
	}
	return largest;
}

gelImageDifference gelCompareImages( const gelImage* a, const gelImage* b, int tolerance )
{
	GEL_ASSERT( tolerance >= 0 );
	gelImageDifference d = { 0 };
	size_t count = (size_t)a->width * (size_t)a->height;
	double sum = 0.0;
	for ( size_t i = 0; i < count; ++i )
	{
		const uint8_t *p = a->pixels + 3 * i, *q = b->pixels + 3 * i;
		int step = LargestStep( p, q );
		d.largest = step > d.largest ? step : d.largest;
		d.changedPixels += step > tolerance;
		sum += abs( p[0] - q[0] ) + abs( p[1] - q[1] ) + abs( p[2] - q[2] );
	}
	d.mean = count > 0 ? sum / ( 3.0 * (double)count ) : 0.0;
	d.changedPart = count > 0 ? (double)d.changedPixels / (double)count : 0.0;
	return d;
}

bool gelDrawDifference( const gelImage* a, const gelImage* b, gelImage* out )
{
	if ( !gelCreateImage( out, a->width, a->height ) ) return false;
	size_t count = (size_t)a->width * (size_t)a->height;
	for ( size_t i = 0; i < count; ++i )
	{
		const uint8_t *p = a->pixels + 3 * i, *q = b->pixels + 3 * i;
		uint8_t* o = out->pixels + 3 * i;
		int grey = 170 + ( 77 * p[0] + 150 * p[1] + 29 * p[2] ) / 768;
		int step = 4 * LargestStep( p, q ); // small differences are to be seen, too
		step = step > 255 ? 255 : step;
		o[0] = (uint8_t)( ( grey * ( 255 - step ) + 224 * step ) / 255 );
		o[1] = (uint8_t)( ( grey * ( 255 - step ) + 32 * step ) / 255 );
		o[2] = (uint8_t)( ( grey * ( 255 - step ) + 32 * step ) / 255 );
	}
	return true;
}
