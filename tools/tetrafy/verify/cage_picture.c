// SPDX-License-Identifier: MIT
// A small software renderer with a depth buffer: it needs no display, and the same cage gives the same
// pixels.
#include "tetrafy/verify/cage_picture.h"

#include "tetrafy/geometry/tet_memory.h"
#include "common/program/output_file.h"
#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

#include <png.h>
#include <stdlib.h>

#define GEL_VIEW_PIXELS 700
#define GEL_SUPERSAMPLE 2
#define GEL_VIEWS       2

typedef struct Rgb
{
	float r, g, b;
} Rgb;

typedef struct Canvas
{
	int size;     // pixels per side of one view, supersampled
	Rgb* pixels;  // size * size
	float* depth; // larger is nearer
	gelVec3d right, up, toEye;
	gelVec3d middle; // middle of what is seen, along right, up and toEye
	double scale;    // pixels per metre
} Canvas;

static const Rgb background = { 0.96f, 0.96f, 0.97f };
static const Rgb artColor = { 0.86f, 0.66f, 0.42f };
static const Rgb wireColor = { 0.10f, 0.22f, 0.42f };
static const Rgb badColor = { 0.85f, 0.10f, 0.08f };
static const Rgb glassColor = { 0.45f, 0.62f, 0.85f };

static Rgb Mix( Rgb a, Rgb b, float share )
{
	return ( Rgb ){ a.r + share * ( b.r - a.r ), a.g + share * ( b.g - a.g ), a.b + share * ( b.b - a.b ) };
}

static gelVec3d Unit( gelVec3d a )
{
	return gelScaleD( 1.0 / gelLengthD( a ), a );
}

static gelVec3d InView( const Canvas* canvas, gelVec3d p )
{
	return ( gelVec3d ){ gelDotD( p, canvas->right ), gelDotD( p, canvas->up ), gelDotD( p, canvas->toEye ) };
}

// Pixel coordinates and depth of a point.
static gelVec3d Project( const Canvas* canvas, gelVec3d p )
{
	gelVec3d d = gelScaleD( canvas->scale, gelSubD( InView( canvas, p ), canvas->middle ) );
	return ( gelVec3d ){ 0.5 * canvas->size + d.x, 0.5 * canvas->size - d.y, d.z };
}

static int ClampPixel( const Canvas* canvas, double x )
{
	return x < 0.0 ? 0 : x > canvas->size - 1.0 ? canvas->size - 1 : (int)x;
}

// Fills a triangle. Solid ones write depth; glass tints what is behind it.
static void FillTriangle( Canvas* canvas, const gelVec3d world[3], Rgb color, bool solid )
{
	gelVec3d p[3];
	for ( int i = 0; i < 3; ++i )
		p[i] = Project( canvas, world[i] );
	double area = ( p[1].x - p[0].x ) * ( p[2].y - p[0].y ) - ( p[1].y - p[0].y ) * ( p[2].x - p[0].x );
	if ( area == 0.0 ) return;
	int x0 = ClampPixel( canvas, gelMinDouble( p[0].x, gelMinDouble( p[1].x, p[2].x ) ) );
	int x1 = ClampPixel( canvas, gelMaxDouble( p[0].x, gelMaxDouble( p[1].x, p[2].x ) ) + 1.0 );
	int y0 = ClampPixel( canvas, gelMinDouble( p[0].y, gelMinDouble( p[1].y, p[2].y ) ) );
	int y1 = ClampPixel( canvas, gelMaxDouble( p[0].y, gelMaxDouble( p[1].y, p[2].y ) ) + 1.0 );
	for ( int y = y0; y <= y1; ++y )
	{
		for ( int x = x0; x <= x1; ++x )
		{
			double px = x + 0.5, py = y + 0.5;
			double u =
				( ( px - p[0].x ) * ( p[2].y - p[0].y ) - ( py - p[0].y ) * ( p[2].x - p[0].x ) ) / area;
			double v =
				( ( p[1].x - p[0].x ) * ( py - p[0].y ) - ( p[1].y - p[0].y ) * ( px - p[0].x ) ) / area;
			if ( u < 0.0 || v < 0.0 || u + v > 1.0 ) continue;
			float z = (float)( p[0].z + u * ( p[1].z - p[0].z ) + v * ( p[2].z - p[0].z ) );
			int at = y * canvas->size + x;
			// Art is drawn first and writes depth. Glass does not, so front faces of the cage behind one
			// another tint several times; back faces are not drawn at all.
			if ( z <= canvas->depth[at] ) continue;
			if ( solid ) canvas->depth[at] = z;
			canvas->pixels[at] = solid ? color : Mix( canvas->pixels[at], color, 0.16f );
		}
	}
}

// Lines are as wide as a pixel of the finished picture, that is GEL_SUPERSAMPLE samples. Hidden parts are
// drawn faintly: what is behind the art matters in a cage.
static void DrawLine( Canvas* canvas, gelVec3d a, gelVec3d b, Rgb color, float hiddenShare )
{
	gelVec3d p = Project( canvas, a ), q = Project( canvas, b );
	int steps = 1 + (int)gelMaxDouble( fabs( q.x - p.x ), fabs( q.y - p.y ) );
	for ( int i = 0; i <= steps && steps < 100000; ++i )
	{
		gelVec3d s = gelMulAddD( p, (double)i / steps, gelSubD( q, p ) );
		for ( int k = 0; k < GEL_SUPERSAMPLE * GEL_SUPERSAMPLE; ++k )
		{
			int x = (int)floor( s.x ) + k % GEL_SUPERSAMPLE, y = (int)floor( s.y ) + k / GEL_SUPERSAMPLE;
			if ( x < 0 || y < 0 || x >= canvas->size || y >= canvas->size ) continue;
			int at = y * canvas->size + x;
			bool hidden = (float)s.z < canvas->depth[at];
			canvas->pixels[at] = Mix( canvas->pixels[at], color, hidden ? hiddenShare : 0.8f );
		}
	}
}

static void DrawArt( Canvas* canvas, const gelSurface* surface, const uint8_t* bad )
{
	gelVec3d light =
		Unit( gelAddD( canvas->toEye, gelAddD( canvas->up, gelScaleD( -0.6, canvas->right ) ) ) );
	for ( uint32_t i = 0; i < surface->properCount; ++i )
	{
		gelVec3d p[3];
		for ( int k = 0; k < 3; ++k )
			p[k] = surface->points[surface->tris[3 * (size_t)i + k]];
		gelVec3d n = gelCrossD( gelSubD( p[1], p[0] ), gelSubD( p[2], p[0] ) );
		double length = gelLengthD( n );
		// Both sides are lit alike: inside-out art must not look like a hole.
		double lit = length > 0.0 ? fabs( gelDotD( n, light ) ) / length : 1.0;
		Rgb color = bad != NULL && bad[i] ? badColor : artColor;
		FillTriangle(
			canvas, p, Mix( ( Rgb ){ 0.12f, 0.10f, 0.12f }, color, (float)( 0.25 + 0.75 * lit ) ), true );
	}
}

static void DrawCage(
	Canvas* canvas, const gelTetMesh* cage, const gelTetFacesInfo* faces, const uint8_t* bad )
{
	for ( uint32_t i = 0; i < 4 * cage->tetCount; ++i )
	{
		if ( faces->neighbors[i] != GEL_NO_TET ) continue;
		gelVec3d p[3];
		gelTetMesh_FacePoints( cage, i / 4, (int)( i % 4 ), p );
		gelVec3d n = gelCrossD( gelSubD( p[1], p[0] ), gelSubD( p[2], p[0] ) );
		bool front = gelDotD( n, canvas->toEye ) > 0.0;
		if ( front ) FillTriangle( canvas, p, glassColor, false );
		for ( int k = 0; k < 3 && front; ++k )
			DrawLine( canvas, p[k], p[( k + 1 ) % 3], wireColor, 0.12f );
	}
	for ( uint32_t tet = 0; tet < cage->tetCount && bad != NULL; ++tet )
	{
		if ( !bad[tet] ) continue;
		gelVec3d p[4];
		gelTetMesh_TetPoints( cage, tet, p );
		for ( int a = 0; a < 4; ++a )
			for ( int b = a + 1; b < 4; ++b )
				DrawLine( canvas, p[a], p[b], badColor, 0.5f );
	}
}

static Canvas MakeCanvas( const gelSurface* surface, const gelTetMesh* cage, int view )
{
	GEL_ASSERT( view >= 0 );
	Canvas canvas = { .size = GEL_VIEW_PIXELS * GEL_SUPERSAMPLE };
	size_t count = (size_t)canvas.size * (size_t)canvas.size;
	canvas.pixels = gelTetAlloc( count, sizeof( Rgb ) );
	canvas.depth = gelTetAlloc( count, sizeof( float ) );
	for ( size_t i = 0; i < count; ++i )
	{
		canvas.pixels[i] = background;
		canvas.depth[i] = -INFINITY;
	}
	double side = view == 0 ? 1.0 : -1.0; // from the front left, from behind right
	canvas.toEye = Unit( ( gelVec3d ){ -0.55 * side, 0.35, side } );
	canvas.right = Unit( gelCrossD( ( gelVec3d ){ 0.0, 1.0, 0.0 }, canvas.toEye ) );
	canvas.up = gelCrossD( canvas.toEye, canvas.right );
	// What is seen fills the view.
	gelBox3d seen = gelBox3d_Empty();
	for ( size_t i = 0; i < 3 * (size_t)surface->triCount; ++i )
		gelBox3d_AddPoint( &seen, InView( &canvas, surface->points[surface->tris[i]] ) );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
		gelBox3d_AddPoint( &seen, InView( &canvas, cage->points[i] ) );
	gelVec3d size = gelSubD( seen.max, seen.min );
	canvas.middle = gelScaleD( 0.5, gelAddD( seen.min, seen.max ) );
	canvas.scale = 0.94 * canvas.size / gelMaxDouble( gelMaxDouble( size.x, size.y ), 1e-30 );
	return canvas;
}

static uint8_t ToByte( float x )
{
	float scaled = 255.0f * x + 0.5f;
	return scaled <= 0.0f ? 0 : scaled >= 255.0f ? 255 : (uint8_t)scaled;
}

// Averages the supersamples of one view into its part of the image.
static void Resolve( const Canvas* canvas, int view, uint8_t* rgb )
{
	float share = 1.0f / ( GEL_SUPERSAMPLE * GEL_SUPERSAMPLE );
	for ( int y = 0; y < GEL_VIEW_PIXELS; ++y )
	{
		for ( int x = 0; x < GEL_VIEW_PIXELS; ++x )
		{
			Rgb sum = { 0 };
			for ( int k = 0; k < GEL_SUPERSAMPLE * GEL_SUPERSAMPLE; ++k )
			{
				int sx = GEL_SUPERSAMPLE * x + k % GEL_SUPERSAMPLE,
					sy = GEL_SUPERSAMPLE * y + k / GEL_SUPERSAMPLE;
				Rgb p = canvas->pixels[sy * canvas->size + sx];
				sum = ( Rgb ){ sum.r + p.r, sum.g + p.g, sum.b + p.b };
			}
			uint8_t* out = rgb +
				3 * ( (size_t)y * GEL_VIEWS * GEL_VIEW_PIXELS + (size_t)( view * GEL_VIEW_PIXELS + x ) );
			out[0] = ToByte( share * sum.r );
			out[1] = ToByte( share * sum.g );
			out[2] = ToByte( share * sum.b );
		}
	}
}

static bool WritePng( const char* path, const uint8_t* rgb, gelFindings* findings )
{
	png_image image = { .version = PNG_IMAGE_VERSION,
		.width = GEL_VIEWS * GEL_VIEW_PIXELS,
		.height = GEL_VIEW_PIXELS,
		.format = PNG_FORMAT_RGB };
	png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX( image );
	void* memory = gelTetAlloc( bytes, 1 );
	bool ok = png_image_write_to_memory( &image, memory, &bytes, 0, rgb, 0, NULL ) != 0;
	if ( ok )
		ok = gelWriteFile( path, memory, bytes, findings );
	else
		gelFindings_Add(
			findings, gel_findingInternal, path, "the picture cannot be encoded: %s", image.message );
	free( memory );
	return ok;
}

bool gelWriteCagePicture( const char* path, const gelSurface* surface, const gelTetMesh* cage,
	const gelPictureMarks* marks, gelFindings* findings )
{
	gelTetFacesInfo faces = gelFindTetFaces( cage->tets, cage->tetCount );
	uint8_t* rgb = gelTetAlloc( (size_t)GEL_VIEWS * GEL_VIEW_PIXELS * GEL_VIEW_PIXELS, 3 );
	for ( int view = 0; view < GEL_VIEWS; ++view )
	{
		Canvas canvas = MakeCanvas( surface, cage, view );
		DrawArt( &canvas, surface, marks->badTris );
		DrawCage( &canvas, cage, &faces, marks->badTets );
		Resolve( &canvas, view, rgb );
		free( canvas.pixels );
		free( canvas.depth );
	}
	bool ok = WritePng( path, rgb, findings );
	free( rgb );
	gelFreeTetFaces( &faces );
	return ok;
}
