// SPDX-License-Identifier: MIT
#include "plot.h"

#include "preview/render/label.h"

#include <math.h>
#include <stdio.h>

#define PANEL_WIDTH  420
#define PANEL_HEIGHT 270
#define MARGIN_LEFT  70
#define MARGIN_BELOW 46
#define MARGIN_ABOVE 26
#define MARGIN_RIGHT 14
#define HEADER       64

static const gelColor8 black = { 20, 20, 20 }, gray = { 222, 222, 222 };
static const gelColor8 palette[] = { { 31, 119, 180 }, { 214, 39, 40 }, { 44, 160, 44 }, { 255, 127, 14 },
	{ 148, 103, 189 }, { 23, 190, 207 }, { 140, 86, 75 }, { 90, 90, 90 } };

// The part of a panel where lines are drawn [pixels], and what it shows.
typedef struct Frame
{
	double left, top, width, height;
	double xLow, xHigh, yLow, yHigh;
} Frame;

static void Blend( gelImage* image, int x, int y, gelColor8 color, double cover )
{
	if ( x < 0 || y < 0 || x >= image->width || y >= image->height || !( cover > 0.0 ) ) return;
	if ( cover > 1.0 ) cover = 1.0;
	uint8_t* pixel = image->pixels + 3 * ( (size_t)y * (size_t)image->width + (size_t)x );
	const uint8_t c[3] = { color.r, color.g, color.b };
	for ( int i = 0; i < 3; ++i )
		pixel[i] = (uint8_t)( pixel[i] + cover * ( c[i] - pixel[i] ) + 0.5 );
}

// A straight line with smooth edges: cover falls with the distance from the segment.
static void DrawLine(
	gelImage* image, double x0, double y0, double x1, double y1, double width, gelColor8 color )
{
	double dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy, border = 0.5 * width + 1.0;
	int left = (int)floor( fmin( x0, x1 ) - border ), right = (int)ceil( fmax( x0, x1 ) + border );
	for ( int px = left; px <= right; ++px )
	{
		// rows that the line can touch in this column
		double a = y0, b = y1;
		if ( fabs( dx ) > 1e-9 )
		{
			double t0 = fmin( fmax( ( px - border - x0 ) / dx, 0.0 ), 1.0 );
			double t1 = fmin( fmax( ( px + 1.0 + border - x0 ) / dx, 0.0 ), 1.0 );
			a = y0 + t0 * dy;
			b = y0 + t1 * dy;
		}
		int top = (int)floor( fmin( a, b ) - border ), bottom = (int)ceil( fmax( a, b ) + border );
		for ( int py = top; py <= bottom; ++py )
		{
			double qx = px + 0.5 - x0, qy = py + 0.5 - y0;
			double t = square > 0.0 ? fmin( fmax( ( qx * dx + qy * dy ) / square, 0.0 ), 1.0 ) : 0.0;
			Blend( image, px, py, color, 0.5 * width + 0.5 - hypot( qx - t * dx, qy - t * dy ) );
		}
	}
}

static void DrawText( gelImage* image, const char* text, double x, double y, double size, double align )
{
	const gelLabelStyle style = { (float)size, 1.3f, black, 1.0f };
	gelDrawLabel( image, text, (float)( x - align * gelLabelWidth( text, &style ) ), (float)y, &style );
}

// A round number of which 3 to 8 fit into the range.
static double TickStep( double range )
{
	double step = pow( 10.0, floor( log10( range ) ) );
	if ( range / step < 2.0 ) return step / 4.0;
	if ( range / step < 4.0 ) return step / 2.0;
	return range / step > 8.0 ? 2.0 * step : step;
}

static void DrawAxes( gelImage* image, const Frame* f, const gelPlot* plot )
{
	char text[32];
	double step = TickStep( f->xHigh - f->xLow );
	for ( double v = ceil( f->xLow / step - 1e-9 ) * step; v <= f->xHigh + 1e-9 * step; v += step )
	{
		double x = f->left + f->width * ( v - f->xLow ) / ( f->xHigh - f->xLow );
		DrawLine( image, x, f->top, x, f->top + f->height, 1.0, gray );
		snprintf( text, sizeof( text ), "%g", fabs( v ) < 1e-9 * step ? 0.0 : v );
		DrawText( image, text, x, f->top + f->height + 17.0, 9.0, 0.5 );
	}
	step = TickStep( f->yHigh - f->yLow );
	for ( double v = ceil( f->yLow / step - 1e-9 ) * step; v <= f->yHigh + 1e-9 * step; v += step )
	{
		double y = f->top + f->height * ( f->yHigh - v ) / ( f->yHigh - f->yLow );
		DrawLine( image, f->left, y, f->left + f->width, y, 1.0, gray );
		snprintf( text, sizeof( text ), "%g", fabs( v ) < 1e-9 * step ? 0.0 : v );
		DrawText( image, text, f->left - 6.0, y + 4.5, 9.0, 1.0 );
	}
	double right = f->left + f->width, bottom = f->top + f->height;
	DrawLine( image, f->left, f->top, f->left, bottom, 1.2, black );
	DrawLine( image, f->left, bottom, right, bottom, 1.2, black );
	DrawText( image, plot->xLabel, right, bottom + 34.0, 9.0, 1.0 );
}

// Cuts a segment to the range of y; false: nothing of it is left.
static bool ClipToFrame( const Frame* f, double p[2], double q[2] )
{
	if ( !isfinite( p[1] ) || !isfinite( q[1] ) ) return false;
	const double bounds[2] = { f->yLow, f->yHigh };
	for ( int side = 0; side < 2; ++side )
	{
		double sign = side == 0 ? 1.0 : -1.0, bound = bounds[side];
		bool pOut = sign * ( p[1] - bound ) < 0.0, qOut = sign * ( q[1] - bound ) < 0.0;
		if ( pOut && qOut ) return false;
		if ( !pOut && !qOut ) continue;
		double t = ( bound - p[1] ) / ( q[1] - p[1] );
		double* out = pOut ? p : q;
		out[0] = p[0] + t * ( q[0] - p[0] );
		out[1] = bound;
	}
	return true;
}

static void DrawSeries( gelImage* image, const Frame* f, const gelPlotSeries* s, gelColor8 color )
{
	for ( int i = 0; i + 1 < s->count; ++i )
	{
		double p[2] = { s->x[i], s->y[i] }, q[2] = { s->x[i + 1], s->y[i + 1] };
		if ( !ClipToFrame( f, p, q ) ) continue;
		double sx = f->width / ( f->xHigh - f->xLow ), sy = f->height / ( f->yHigh - f->yLow );
		DrawLine( image, f->left + sx * ( p[0] - f->xLow ), f->top + sy * ( f->yHigh - p[1] ),
			f->left + sx * ( q[0] - f->xLow ), f->top + sy * ( f->yHigh - q[1] ), 1.5, color );
	}
}

// The range of all data, the same for all panels.
static Frame FindRange( const gelPlot* plot )
{
	Frame f = { .xLow = INFINITY, .xHigh = -INFINITY, .yLow = INFINITY, .yHigh = -INFINITY };
	for ( int p = 0; p < plot->rows * plot->columns; ++p )
	{
		for ( int k = 0; k < plot->panels[p].seriesCount; ++k )
		{
			const gelPlotSeries* s = plot->panels[p].series + k;
			for ( int i = 0; i < s->count; ++i )
			{
				f.xLow = fmin( f.xLow, s->x[i] );
				f.xHigh = fmax( f.xHigh, s->x[i] );
				if ( !isfinite( s->y[i] ) ) continue;
				f.yLow = fmin( f.yLow, s->y[i] );
				f.yHigh = fmax( f.yHigh, s->y[i] );
			}
		}
	}
	if ( plot->yLow < plot->yHigh )
	{
		f.yLow = plot->yLow;
		f.yHigh = plot->yHigh;
	}
	if ( !( f.xLow < f.xHigh ) ) f.xLow = 0.0, f.xHigh = 1.0;
	if ( !( f.yLow < f.yHigh ) ) f.yHigh = f.yLow + 1.0;
	return f;
}

static void DrawHeader( gelImage* image, const gelPlot* plot )
{
	DrawText( image, plot->title, MARGIN_LEFT, 24.0, 13.0, 0.0 );
	double x = MARGIN_LEFT;
	DrawText( image, plot->yLabel, x, 48.0, 9.0, 0.0 );
	const gelLabelStyle style = { 9.0f, 1.3f, black, 1.0f };
	x += gelLabelWidth( plot->yLabel, &style ) + 30.0;
	for ( int i = 0; i < plot->legendCount; ++i )
	{
		DrawLine( image, x, 44.0, x + 22.0, 44.0, 2.5, palette[i % 8] );
		DrawText( image, plot->legend[i], x + 28.0, 48.0, 9.0, 0.0 );
		x += 28.0 + gelLabelWidth( plot->legend[i], &style ) + 20.0;
	}
}

bool gelWritePlot( const gelPlot* plot, const char* path, gelFindings* findings )
{
	gelImage image;
	int width = PANEL_WIDTH * plot->columns, height = HEADER + PANEL_HEIGHT * plot->rows;
	if ( width < 800 ) width = 800; // the legend needs room
	if ( !gelCreateImage( &image, width, height ) )
	{
		gelFindings_Add( findings, gel_findingInternal, path, "out of memory for a plot" );
		return false;
	}
	gelImage_Fill( &image, ( gelColor8 ){ 255, 255, 255 } );
	DrawHeader( &image, plot );
	Frame f = FindRange( plot );
	for ( int p = 0; p < plot->rows * plot->columns; ++p )
	{
		int cell = width / plot->columns;
		f.left = p % plot->columns * cell + MARGIN_LEFT;
		f.top = HEADER + (double)( p / plot->columns ) * PANEL_HEIGHT + MARGIN_ABOVE;
		f.width = cell - MARGIN_LEFT - MARGIN_RIGHT;
		f.height = PANEL_HEIGHT - MARGIN_ABOVE - MARGIN_BELOW;
		DrawAxes( &image, &f, plot );
		for ( int k = 0; k < plot->panels[p].seriesCount; ++k )
			DrawSeries( &image, &f, plot->panels[p].series + k, palette[k % 8] );
		DrawText( &image, plot->panels[p].title, f.left, f.top - 8.0, 10.0, 0.0 );
	}
	bool ok = gelWritePng( &image, path, findings );
	gelFreeImage( &image );
	return ok;
}
