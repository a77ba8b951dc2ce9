// SPDX-License-Identifier: MIT
// Pictures as an animated GIF file: one palette for all of them, chosen from some, and ordered dithering.
#pragma once

#include "common/program/output_file.h"
#include "preview/render/image.h"

typedef struct gelGifPalette
{
	uint8_t colors[256][3];
	uint8_t nearest[32 * 32 * 32]; // palette entry for 5 bits of red, green, blue
	uint32_t counts[32 * 32 * 32];
} gelGifPalette;

typedef struct gelGif
{
	gelOutputFile file;
	void* gif; // GifFileType*
	gelGifPalette* palette;
	uint8_t* row;
	int width, height;
} gelGif;

/// Counts the colors of a picture.
void gelGifPalette_Count( gelGifPalette* palette, const gelImage* image );
/// Chooses 256 colors by what was counted: median cut (Heckbert 1982).
void gelGifPalette_Choose( gelGifPalette* palette );

/// Begins a file that repeats for ever. False: a finding was added.
bool gelGif_Begin(
	gelGif* gif, const char* path, int width, int height, gelGifPalette* palette, gelFindings* findings );
/// Adds a picture of that size, shown for so many hundredths of a second. False: it could not be written.
bool gelGif_Add( gelGif* gif, const gelImage* image, int centiseconds );
/// Ends and keeps the file, or drops it when something failed before. False: a finding was added.
bool gelGif_End( gelGif* gif, bool keep, gelFindings* findings );
