// SPDX-License-Identifier: MIT
#include "preview/out/contact_sheet.h"

#include "preview/render/label.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <string.h>

// As wide as a page is, with few empty places; an empty place costs more the fewer tiles there are.
static int ChooseColumns( int tileCount, int tileWidth, int tileHeight )
{
	GEL_ASSERT( tileCount > 0 && tileWidth > 0 && tileHeight > 0 );
	int best = 1;
	float bestCost = INFINITY;
	for ( int columns = 1; columns <= tileCount; ++columns )
	{
		int rows = ( tileCount + columns - 1 ) / columns;
		float aspect = (float)( columns * tileWidth ) / (float)( rows * tileHeight );
		float empty = (float)( columns * rows - tileCount ) / (float)tileCount;
		float cost = fabsf( logf( aspect / 1.6f ) ) + 3.0f * empty;
		if ( cost < bestCost ) best = columns;
		bestCost = fminf( bestCost, cost );
	}
	return best;
}

static gelContactSheet LayOut( int tileCount, int tileWidth, int tileHeight )
{
	gelContactSheet sheet = { .tileWidth = tileWidth, .tileHeight = tileHeight };
	sheet.columns = ChooseColumns( tileCount, tileWidth, tileHeight );
	sheet.rows = ( tileCount + sheet.columns - 1 ) / sheet.columns;
	sheet.gap = ( tileWidth + tileHeight ) / 280;
	return sheet;
}

static void SheetSize( const gelContactSheet* sheet, int* outWidth, int* outHeight )
{
	*outWidth = sheet->columns * ( sheet->tileWidth + sheet->gap ) - sheet->gap;
	*outHeight = sheet->rows * ( sheet->tileHeight + sheet->gap ) - sheet->gap;
}

void gelContactSheetSize( int tileCount, int tileWidth, int tileHeight, int* outWidth, int* outHeight )
{
	gelContactSheet sheet = LayOut( tileCount, tileWidth, tileHeight );
	SheetSize( &sheet, outWidth, outHeight );
}

bool gelCreateContactSheet( gelContactSheet* sheet, int tileCount, int tileWidth, int tileHeight )
{
	*sheet = LayOut( tileCount, tileWidth, tileHeight );
	int width, height;
	SheetSize( sheet, &width, &height );
	if ( !gelCreateImage( &sheet->image, width, height ) ) return false;
	gelImage_Fill( &sheet->image, ( gelColor8 ){ 255, 255, 255 } );
	return true;
}

void gelFreeContactSheet( gelContactSheet* sheet )
{
	gelFreeImage( &sheet->image );
	memset( sheet, 0, sizeof( *sheet ) );
}

void gelContactSheet_Set( gelContactSheet* sheet, int tile, const gelImage* picture, const char* caption )
{
	GEL_ASSERT( tile >= 0 );
	int x = tile % sheet->columns * ( sheet->tileWidth + sheet->gap );
	int y = tile / sheet->columns * ( sheet->tileHeight + sheet->gap );
	gelImage_Paste( &sheet->image, picture, x, y );
	float size = fmaxf( 6.0f, 0.032f * (float)sheet->tileHeight );
	gelLabelStyle style = { size, fmaxf( 1.2f, 0.115f * size ), { 38, 46, 58 }, 0.85f };
	gelDrawLabel( &sheet->image, caption, (float)x + 1.2f * size,
		(float)( y + sheet->tileHeight ) - 1.2f * size, &style );
}
