// SPDX-License-Identifier: MIT
// What the colors of the strain and stress overlays stand for, in a corner of a picture.
#pragma once

#include "preview/render/image.h"

/// A bar from blue to red with a text above it, in the lower right corner.
void gelDrawHeatLegend( gelImage* image, const char* text );
