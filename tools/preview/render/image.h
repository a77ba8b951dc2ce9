// SPDX-License-Identifier: MIT
// RGB pictures in memory, 8 bit sRGB, first row on top.
#pragma once

#include "common/program/findings.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gelImage
{
	int width, height;
	uint8_t* pixels; // 3 per pixel, rows without padding
} gelImage;

typedef struct gelColor8
{
	uint8_t r, g, b;
} gelColor8;

/// All black. False: out of memory.
bool gelCreateImage( gelImage* image, int width, int height );
void gelFreeImage( gelImage* image );
void gelImage_FlipRows( gelImage* image );
void gelImage_Fill( gelImage* image, gelColor8 color );
gelColor8 gelImage_Pixel( const gelImage* image, int x, int y );

/// Copies source into image; its upper left corner goes to (x, y). What lies outside is cut off.
void gelImage_Paste( gelImage* image, const gelImage* source, int x, int y );

/// Writes a PNG file atomically. False: a finding was added and nothing is left behind.
bool gelWritePng( const gelImage* image, const char* path, gelFindings* findings );
