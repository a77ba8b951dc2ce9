// SPDX-License-Identifier: MIT
// Several pictures of one size in a grid, each with a caption.
#pragma once

#include "preview/render/image.h"

typedef struct gelContactSheet
{
	gelImage image;
	int columns, rows;
	int tileWidth, tileHeight;
	int gap; // [pixels]
} gelContactSheet;

/// Size that a sheet will have [pixels].
void gelContactSheetSize( int tileCount, int tileWidth, int tileHeight, int* outWidth, int* outHeight );

/// An empty sheet. False: out of memory.
bool gelCreateContactSheet( gelContactSheet* sheet, int tileCount, int tileWidth, int tileHeight );
void gelFreeContactSheet( gelContactSheet* sheet );

/// Puts a picture at place number tile, with a caption in its lower left corner.
void gelContactSheet_Set( gelContactSheet* sheet, int tile, const gelImage* picture, const char* caption );
