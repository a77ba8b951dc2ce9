// SPDX-License-Identifier: MIT
// Captions on pictures and plots, drawn with rounded strokes of our own. There are shapes for digits, letters
// and a few signs.
#pragma once

#include "preview/render/image.h"

typedef struct gelLabelStyle
{
	float size;   // height of a digit [pixels]
	float weight; // width of a stroke [pixels]
	gelColor8 color;
	float alpha; // 0 .. 1
} gelLabelStyle;

/// Width of a text [pixels].
float gelLabelWidth( const char* text, const gelLabelStyle* style );

/// Draws a text; (x, y) is the left end of its base line. A character without a shape leaves a gap.
void gelDrawLabel( gelImage* image, const char* text, float x, float y, const gelLabelStyle* style );
