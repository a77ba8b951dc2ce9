// SPDX-License-Identifier: MIT
#include "preview/render/heat_legend.h"

#include "preview/render/label.h"
#include "preview/render/overlay_heat.h"

#include <math.h>

static uint8_t Encode( float linear )
{
	float s = linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf( linear, 1.0f / 2.4f ) - 0.055f;
	return (uint8_t)( 255.0f * fminf( fmaxf( s, 0.0f ), 1.0f ) + 0.5f ); // IEC 61966-2-1
}

void gelDrawHeatLegend( gelImage* image, const char* text )
{
	float size = fmaxf( 6.0f, 0.028f * (float)image->height );
	const gelLabelStyle style = { size, fmaxf( 1.0f, 0.115f * size ), { 38, 46, 58 }, 0.85f };
	int border = (int)( 1.2f * size ), height = (int)size, width = (int)gelLabelWidth( text, &style );
	int left = image->width - border - width, top = image->height - border - height;
	if ( left < 0 || top < 2 * height || width < 2 ) return;
	gelDrawLabel( image, text, (float)left, (float)top - 0.5f * size, &style );
	for ( int x = 0; x < width; ++x )
	{
		gelColor c = gelHeatColor( (float)x / (float)( width - 1 ) );
		for ( int y = top; y < top + height; ++y )
		{
			uint8_t* pixel = image->pixels + 3 * ( (size_t)y * (size_t)image->width + (size_t)( left + x ) );
			pixel[0] = Encode( c.r );
			pixel[1] = Encode( c.g );
			pixel[2] = Encode( c.b );
		}
	}
}
