// SPDX-License-Identifier: MIT
// How far two pictures are apart.
#pragma once

#include "preview/render/image.h"

typedef struct gelImageDifference
{
	int changedPixels;  // pixels with a channel that differs by more than the tolerance
	int largest;        // difference of a channel, 0 .. 255
	double mean;        // mean difference of all channels
	double changedPart; // changedPixels over all pixels, 0 .. 1
} gelImageDifference;

/// Compares two pictures of the same size. @param tolerance of a channel, 0 .. 255
gelImageDifference gelCompareImages( const gelImage* a, const gelImage* b, int tolerance );

/// A picture of the difference: the first one, pale and grey, with what differs in red over it. False: out of
/// memory.
bool gelDrawDifference( const gelImage* a, const gelImage* b, gelImage* out );
