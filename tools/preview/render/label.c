// SPDX-License-Identifier: MIT
// Text in pictures without a font: glyphs of strokes, drawn by distance. The result is the same on every
// machine, and in any size.
#include "preview/render/label.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stddef.h>

#define GEL_MAX_STROKE_POINTS 16
#define GEL_ROUNDINGS         2    // each doubles the points of a stroke
#define GEL_COLUMN_WIDTH      0.8f // part of a row's height

// Strokes of a glyph: pairs of digits are points (column, row), a blank starts a new stroke. Columns count
// from the left, rows from the top of a digit (0) over the top of a small letter (2) and the base line (6) to
// the tail of a g (8).
// Strokes are rounded by cutting their corners (Chaikin 1974); a point that stands twice stays sharp.
typedef struct Glyph
{
	char character;
	int advance; // columns to the next glyph
	const char* strokes;
} Glyph;

static const Glyph glyphs[] = {
	{ '0', 6, "204046060020" },
	{ '1', 6, "12303036" },
	{ '2', 6, "02004043060646" },
	{ '3', 6, "0100404323 2343460605" },
	{ '4', 6, "363030040444" },
	{ '5', 6, "400000030342460605" },
	{ '6', 6, "41400006464202" },
	{ '7', 6, "00404016" },
	{ '8', 6, "230300404323 230306464323" },
	{ '9', 6, "05064640000444" },
	{ '.', 3, "1616" },
	{ '=', 6, "0343 0545" },
	{ '-', 6, "0444" },
	{ 't', 5, "10151636 0232" },
	{ 's', 5, "3332020434360605" },
	{ 'm', 8, "0206 0402333336 3432636366" },
	{ 'A', 6, "06202046 1434" },
	{ 'B', 6, "0006 00303303 03434606" },
	{ 'C', 6, "414000064645" },
	{ 'D', 6, "0006 00404606" },
	{ 'E', 6, "400000060646 0333" },
	{ 'F', 6, "40000006 0333" },
	{ 'G', 6, "4140000646434323" },
	{ 'H', 6, "0006 4046 0343" },
	{ 'I', 3, "1016" },
	{ 'J', 6, "40460605" },
	{ 'K', 6, "0006 4004 1346" },
	{ 'L', 6, "00060646" },
	{ 'M', 6, "0600002424404046" },
	{ 'N', 6, "060000464640" },
	{ 'O', 6, "204046060020" },
	{ 'P', 6, "0006 00404303" },
	{ 'Q', 6, "204046060020 3446" },
	{ 'R', 6, "0006 00404303 2346" },
	{ 'S', 6, "4140000343460605" },
	{ 'T', 6, "0040 2026" },
	{ 'U', 6, "00064640" },
	{ 'V', 6, "00262640" },
	{ 'W', 6, "0016162222363640" },
	{ 'X', 6, "0046 4006" },
	{ 'Y', 6, "0023 4023 2326" },
	{ 'Z', 6, "004040060646" },
	{ 'a', 5, "02323636 34040636" },
	{ 'b', 5, "0006 02323606" },
	{ 'c', 5, "32020636" },
	{ 'd', 5, "3036 32020636" },
	{ 'e', 5, "043434320206 0636" },
	{ 'f', 4, "301016 0222" },
	{ 'g', 5, "32020636 323808" },
	{ 'h', 5, "0006 04023236" },
	{ 'i', 3, "1216 1010" },
	{ 'j', 3, "121808 1010" },
	{ 'k', 5, "0006 3204 1436" },
	{ 'l', 3, "1016" },
	{ 'n', 5, "0206 04023236" },
	{ 'o', 5, "123236060212" },
	{ 'p', 5, "0208 02323606" },
	{ 'q', 5, "3238 32020636" },
	{ 'r', 5, "0206 040232" },
	{ 'u', 5, "02063632 3236" },
	{ 'v', 5, "02161632" },
	{ 'w', 6, "0216162323363642" },
	{ 'x', 5, "0236 3206" },
	{ 'y', 5, "0216 3208" },
	{ 'z', 5, "023232060636" },
	{ '/', 6, "0640" },
	{ '(', 4, "20121426" },
	{ ')', 4, "00121406" },
	{ ',', 3, "1608" },
	{ ':', 3, "1313 1616" },
	{ '+', 6, "0444 2226" },
	{ '[', 4, "201010161626" },
	{ ']', 4, "001010161606" },
	{ '^', 6, "022042" },
	{ '_', 6, "0747" },
	{ ' ', 4, "" },
};

typedef struct Stroke
{
	float x[GEL_MAX_STROKE_POINTS << GEL_ROUNDINGS], y[GEL_MAX_STROKE_POINTS << GEL_ROUNDINGS];
	int count;
} Stroke;

static const Glyph* FindGlyph( char character )
{
	for ( size_t i = 0; i < sizeof( glyphs ) / sizeof( glyphs[0] ); ++i )
	{
		if ( glyphs[i].character == character ) return glyphs + i;
	}
	return &glyphs[sizeof( glyphs ) / sizeof( glyphs[0] ) - 1];
}

// Reads the stroke that starts at text. @return what follows it
static const char* ReadStroke( const char* text, Stroke* out )
{
	out->count = 0;
	while ( text[0] != 0 && text[0] != ' ' )
	{
		out->x[out->count] = GEL_COLUMN_WIDTH * (float)( text[0] - '0' );
		// Row 6 is the base line: up is negative.
		out->y[out->count] = (float)( text[1] - '6' );
		out->count += 1;
		text += 2;
	}
	return text[0] == ' ' ? text + 1 : text;
}

static void RoundStroke( Stroke* s )
{
	if ( s->count < 3 ) return;
	Stroke r;
	r.count = 0;
	r.x[0] = s->x[0], r.y[r.count++] = s->y[0];
	for ( int i = 0; i + 1 < s->count; ++i )
	{
		for ( int k = 0; k < 2; ++k )
		{
			float t = k == 0 ? 0.25f : 0.75f;
			if ( ( i == 0 && k == 0 ) || ( i + 2 == s->count && k == 1 ) ) continue; // ends stay
			r.x[r.count] = s->x[i] + t * ( s->x[i + 1] - s->x[i] );
			r.y[r.count++] = s->y[i] + t * ( s->y[i + 1] - s->y[i] );
		}
	}
	r.x[r.count] = s->x[s->count - 1], r.y[r.count++] = s->y[s->count - 1];
	*s = r;
}

static float DistanceToStroke( const Stroke* s, float x, float y )
{
	float nearest = 1e30f;
	for ( int i = 0; i + 1 < s->count; ++i )
	{
		float dx = s->x[i + 1] - s->x[i], dy = s->y[i + 1] - s->y[i];
		float px = x - s->x[i], py = y - s->y[i];
		float square = dx * dx + dy * dy;
		float t = square > 0.0f ? fminf( fmaxf( ( px * dx + py * dy ) / square, 0.0f ), 1.0f ) : 0.0f;
		nearest = fminf( nearest, hypotf( px - t * dx, py - t * dy ) );
	}
	return nearest;
}

static void Blend( gelImage* image, int x, int y, const gelLabelStyle* style, float cover )
{
	if ( x < 0 || y < 0 || x >= image->width || y >= image->height || cover <= 0.0f ) return;
	uint8_t* pixel = image->pixels + 3 * ( (size_t)y * (size_t)image->width + (size_t)x );
	const uint8_t color[3] = { style->color.r, style->color.g, style->color.b };
	for ( int i = 0; i < 3; ++i )
	{
		float mixed = (float)pixel[i] + style->alpha * cover * ( (float)color[i] - (float)pixel[i] );
		pixel[i] = (uint8_t)( mixed + 0.5f );
	}
}

// Each pixel takes the nearest stroke of its glyph, so that crossings are not drawn twice.
static void DrawGlyph( gelImage* image, const Glyph* glyph, float x, float y, const gelLabelStyle* style )
{
	GEL_ASSERT( glyph != NULL );
	Stroke strokes[4];
	int strokeCount = 0;
	for ( const char* text = glyph->strokes; *text != 0 && strokeCount < 4; ++strokeCount )
	{
		text = ReadStroke( text, strokes + strokeCount );
		for ( int i = 0; i < GEL_ROUNDINGS; ++i )
			RoundStroke( strokes + strokeCount );
	}
	float unit = style->size / 6.0f;
	float border = style->weight + 1.0f;
	int x0 = (int)floorf( x - border ), x1 = (int)ceilf( x + (float)glyph->advance * unit + border );
	int y0 = (int)floorf( y - style->size - border ), y1 = (int)ceilf( y + 2.0f * unit + border );
	for ( int py = y0; py <= y1; ++py )
	{
		for ( int px = x0; px <= x1; ++px )
		{
			float distance = 1e30f;
			for ( int i = 0; i < strokeCount; ++i )
			{
				float d = DistanceToStroke(
					strokes + i, ( (float)px + 0.5f - x ) / unit, ( (float)py + 0.5f - y ) / unit );
				distance = fminf( distance, d * unit );
			}
			// Coverage from the distance to the middle of the stroke: 1 inside, falling to 0 over one pixel
			// at its edge.
			Blend( image, px, py, style, fminf( 0.5f * style->weight + 0.5f - distance, 1.0f ) );
		}
	}
}

static float Advance( const Glyph* glyph, const gelLabelStyle* style )
{
	return (float)glyph->advance * GEL_COLUMN_WIDTH * style->size / 6.0f;
}

float gelLabelWidth( const char* text, const gelLabelStyle* style )
{
	float width = 0.0f;
	for ( ; *text != 0; ++text )
		width += Advance( FindGlyph( *text ), style );
	return width;
}

void gelDrawLabel( gelImage* image, const char* text, float x, float y, const gelLabelStyle* style )
{
	for ( ; *text != 0; ++text )
	{
		const Glyph* glyph = FindGlyph( *text );
		DrawGlyph( image, glyph, x, y, style );
		x += Advance( glyph, style );
	}
}
