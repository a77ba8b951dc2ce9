// SPDX-License-Identifier: MIT
// Pictures are checked for what they must show: the body where it is, in its color, in front of what lies
// behind it, with its shadow, on a ground without seams. Skipped, loudly, where there is no OpenGL 3.3.
#include "test_support.h"

#include "preview/render/gl_context.h"
#include "preview/render/render_target.h"
#include "preview/render/renderer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH     320
#define HEIGHT    240
#define SLICES    48
#define STACKS    24
#define VERTICES  ( ( SLICES + 1 ) * ( STACKS + 1 ) )
#define TRIANGLES ( 2 * SLICES * STACKS )
#define PI        3.14159265f

static gelRenderTarget target;

// One sphere is enough: it has a known outline and known normals.
typedef struct Ball
{
	gelVec3 positions[VERTICES], normals[VERTICES];
	uint32_t triangles[3 * TRIANGLES];
} Ball;

static Ball* MakeBall( gelVec3 center, float radius )
{
	Ball* ball = malloc( sizeof( Ball ) );
	assert_non_null( ball );
	uint32_t* t = ball->triangles;
	for ( int j = 0; j <= STACKS; ++j )
	{
		for ( int i = 0; i <= SLICES; ++i )
		{
			float u = 2.0f * PI * (float)i / SLICES, v = PI * (float)j / STACKS;
			gelVec3 n = { sinf( v ) * sinf( u ), cosf( v ), sinf( v ) * cosf( u ) };
			uint32_t a = (uint32_t)( j * ( SLICES + 1 ) + i ), b = a + SLICES + 1;
			ball->normals[a] = n;
			ball->positions[a] = gelAdd( center, gelScale( radius, n ) );
			if ( i == SLICES || j == STACKS ) continue;
			const uint32_t quad[6] = { a, b, a + 1, a + 1, b, b + 1 };
			memcpy( t, quad, sizeof( quad ) );
			t += 6;
		}
	}
	return ball;
}

static void AddBall( gelRenderer* renderer, gelVec3 center, float radius, uint32_t color )
{
	Ball* ball = MakeBall( center, radius );
	int surface = gelRenderer_AddSurface(
		renderer, ball->triangles, TRIANGLES, VERTICES, gelColorFromHex( color ), 0.2f * radius );
	assert_true( surface >= 0 );
	gelRenderer_SetSurface( renderer, surface, ball->positions, ball->normals );
	free( ball );
}

static gelRenderer* MakeRendererOf( gelRenderQuality quality )
{
	char error[160] = "";
	gelRenderer* renderer = gelCreateRenderer( quality, error, sizeof( error ) );
	if ( renderer == NULL ) fail_msg( "%s", error );
	return renderer;
}

static gelRenderer* MakeRenderer( void )
{
	return MakeRendererOf( gel_renderPicture );
}

static gelRenderView MakeView( void )
{
	gelAabb stage = { { -1.0f, 0.0f, -1.0f }, { 1.0f, 2.0f, 1.0f } };
	return ( gelRenderView ){
		.camera = gelFrameBox( stage, 0.0f, 0.3f, (float)WIDTH / HEIGHT, 0.05f ),
		.framebuffer = target.framebuffer,
		.width = WIDTH,
		.height = HEIGHT,
		.stage = stage,
		.showGround = true,
	};
}

static gelImage Draw( gelRenderer* renderer, const gelRenderView* view )
{
	gelImage image = { 0 };
	assert_true( gelRenderer_Draw( renderer, view ) );
	assert_true( gelRenderTarget_Read( &target, &image ) );
	return image;
}

// A picture of nothing but the stage with one ball, or none when the radius is 0.
static gelImage DrawBall( gelVec3 center, float radius, uint32_t color )
{
	gelRenderer* renderer = MakeRenderer();
	gelRenderView view = MakeView();
	if ( radius > 0.0f ) AddBall( renderer, center, radius, color );
	gelImage image = Draw( renderer, &view );
	gelDestroyRenderer( renderer );
	return image;
}

typedef struct Pixel
{
	int x, y;
} Pixel;

static Pixel Project( const gelRenderView* view, gelVec3 p )
{
	gelMat4 m = gelCamera_ViewProjection(
		&view->camera, (float)WIDTH / HEIGHT, gelAabb_Center( view->stage ), gelAabb_Radius( view->stage ) );
	float clip[4];
	for ( int i = 0; i < 4; ++i )
		clip[i] = m.m[i] * p.x + m.m[4 + i] * p.y + m.m[8 + i] * p.z + m.m[12 + i];
	Pixel pixel = { (int)( ( 0.5f + 0.5f * clip[0] / clip[3] ) * WIDTH ),
		(int)( ( 0.5f - 0.5f * clip[1] / clip[3] ) * HEIGHT ) };
	assert_in_range( pixel.x, 0, WIDTH - 1 );
	assert_in_range( pixel.y, 0, HEIGHT - 1 );
	return pixel;
}

static gelColor8 ColorAt( const gelImage* image, Pixel p )
{
	return gelImage_Pixel( image, p.x, p.y );
}

static int Brightness( gelColor8 c )
{
	return c.r + c.g + c.b;
}

static bool IsReddish( gelColor8 c )
{
	return c.r > c.g + 40 && c.r > c.b + 40;
}

static bool IsBluish( gelColor8 c )
{
	return c.b > c.r + 40;
}

static void TestBodyIsWhereItIs( void** state )
{
	(void)state;
	const gelVec3 center = { 0.1f, 1.1f, 0.0f };
	const float radius = 0.6f;
	gelRenderView view = MakeView();
	gelImage image = DrawBall( center, radius, 0xE04030 );
	assert_true( IsReddish( ColorAt( &image, Project( &view, center ) ) ) );
	assert_false( IsReddish( gelImage_Pixel( &image, 4, 4 ) ) );
	assert_false( IsReddish( gelImage_Pixel( &image, WIDTH - 5, HEIGHT - 5 ) ) );

	// A sphere at the distance d fills the angle asin( r / d ); near the middle of the picture its outline
	// is a circle of that angle, up to the stretch of the projection (a few percent at this field of view).
	gelVec3 away = gelSub( gelCamera_Eye( &view.camera ), center );
	float angle = asinf( radius / sqrtf( gelDot( away, away ) ) );
	float pixels = tanf( angle ) / tanf( 0.5f * view.camera.fovY ) * 0.5f * HEIGHT;
	int covered = 0;
	for ( int y = 0; y < HEIGHT; ++y )
	{
		for ( int x = 0; x < WIDTH; ++x )
			covered += IsReddish( gelImage_Pixel( &image, x, y ) ) ? 1 : 0;
	}
	float expected = PI * pixels * pixels;
	assert_true( fabsf( (float)covered / expected - 1.0f ) < 0.06f );
	gelFreeImage( &image );
}

static void TestEveryColorIsKept( void** state )
{
	(void)state;
	const gelVec3 center = { 0.0f, 1.0f, 0.0f };
	gelRenderView view = MakeView();
	Pixel middle = Project( &view, center );
	gelImage red = DrawBall( center, 0.6f, 0xE04030 );
	gelImage green = DrawBall( center, 0.6f, 0x30B040 );
	gelImage blue = DrawBall( center, 0.6f, 0x3050E0 );
	gelColor8 r = ColorAt( &red, middle ), g = ColorAt( &green, middle ), b = ColorAt( &blue, middle );
	assert_true( r.r > r.g && r.r > r.b );
	assert_true( g.g > g.r && g.g > g.b );
	assert_true( b.b > b.r && b.b > b.g );
	gelFreeImage( &red );
	gelFreeImage( &green );
	gelFreeImage( &blue );
}

static void TestLightComesFromTheUpperLeft( void** state )
{
	(void)state;
	const gelVec3 center = { 0.0f, 1.1f, 0.0f };
	gelRenderView view = MakeView();
	gelImage image = DrawBall( center, 0.6f, 0xB0B0B0 );
	gelColor8 lit = ColorAt( &image, Project( &view, ( gelVec3 ){ -0.3f, 1.45f, 0.25f } ) );
	gelColor8 dark = ColorAt( &image, Project( &view, ( gelVec3 ){ 0.38f, 0.75f, 0.25f } ) );
	assert_true( Brightness( lit ) > Brightness( dark ) + 90 );
	gelFreeImage( &image );
}

static void TestShadowFallsOnTheGround( void** state )
{
	(void)state;
	gelRenderView view = MakeView();
	gelImage with = DrawBall( ( gelVec3 ){ -0.3f, 0.9f, 0.0f }, 0.35f, 0xE04030 );
	gelImage without = DrawBall( ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, 0.0f, 0 );
	// The light comes from the left of the camera and from the front, so the shadow lies to the right and
	// behind: search it along that line on the ground, and compare with the empty stage.
	int deepest = 0;
	gelColor8 shadow = { 0 };
	for ( float s = 0.0f; s < 1.0f; s += 0.02f )
	{
		Pixel p = Project( &view, ( gelVec3 ){ -0.3f + 0.75f * s, 0.0f, -0.66f * s } );
		if ( IsReddish( ColorAt( &with, p ) ) ) continue; // the ball itself
		int drop = Brightness( ColorAt( &without, p ) ) - Brightness( ColorAt( &with, p ) );
		if ( drop > deepest )
		{
			deepest = drop;
			shadow = ColorAt( &with, p );
		}
	}
	assert_true( deepest > 90 );
	// A gel colors its shadow.
	assert_true( shadow.r > shadow.g + 3 );
	// On the side of the light the ground is not in shadow.
	Pixel open = Project( &view, ( gelVec3 ){ -0.95f, 0.0f, 0.9f } );
	assert_true( abs( Brightness( ColorAt( &without, open ) ) - Brightness( ColorAt( &with, open ) ) ) < 25 );
	gelFreeImage( &with );
	gelFreeImage( &without );
}

static void TestContactIsDark( void** state )
{
	(void)state;
	gelRenderView view = MakeView();
	gelImage touching = DrawBall( ( gelVec3 ){ 0.0f, 0.5f, 0.0f }, 0.5f, 0xB0B0B0 );
	gelImage without = DrawBall( ( gelVec3 ){ 0.0f, 0.0f, 0.0f }, 0.0f, 0 );
	// In front of the ball, where the key light reaches the ground, only the open sky tells near from far.
	int last = 1000;
	const float distances[] = { 0.42f, 0.6f, 0.95f };
	for ( int i = 0; i < 3; ++i )
	{
		Pixel p = Project( &view, ( gelVec3 ){ -0.25f * distances[i], 0.0f, distances[i] } );
		int drop = Brightness( ColorAt( &without, p ) ) - Brightness( ColorAt( &touching, p ) );
		assert_true( drop < last );
		if ( i == 0 ) assert_true( drop > 25 );
		if ( i == 2 ) assert_true( abs( drop ) < 40 );
		last = drop;
	}
	gelFreeImage( &touching );
	gelFreeImage( &without );
}

static void TestNearHidesFar( void** state )
{
	(void)state;
	const gelVec3 near = { 0.0f, 1.0f, 0.7f }, far = { 0.0f, 1.0f, -0.7f };
	gelRenderView view = MakeView();
	gelImage images[2];
	for ( int i = 0; i < 2; ++i )
	{
		gelRenderer* renderer = MakeRenderer();
		AddBall( renderer, i == 0 ? near : far, 0.4f, i == 0 ? 0xE04030 : 0x3050E0 );
		AddBall( renderer, i == 0 ? far : near, 0.4f, i == 0 ? 0x3050E0 : 0xE04030 );
		images[i] = Draw( renderer, &view );
		gelDestroyRenderer( renderer );
		assert_true( IsReddish( ColorAt( &images[i], Project( &view, near ) ) ) );
		assert_true( IsBluish( ColorAt( &images[i], Project( &view, ( gelVec3 ){ 0.0f, 1.37f, -0.7f } ) ) ) );
	}
	// The order in which they were added means nothing.
	assert_memory_equal( images[0].pixels, images[1].pixels, 3 * WIDTH * HEIGHT );
	gelFreeImage( &images[0] );
	gelFreeImage( &images[1] );
}

static void TestGroundHidesWhatIsBelow( void** state )
{
	(void)state;
	gelRenderView view = MakeView();
	gelImage image = DrawBall( ( gelVec3 ){ 0.0f, -0.2f, 0.0f }, 0.5f, 0xE04030 );
	assert_true( IsReddish( ColorAt( &image, Project( &view, ( gelVec3 ){ 0.0f, 0.2f, 0.3f } ) ) ) );
	assert_false( IsReddish( ColorAt( &image, Project( &view, ( gelVec3 ){ 0.0f, -0.1f, 0.55f } ) ) ) );
	gelFreeImage( &image );
}

static void TestBodyIsSeenFromBelow( void** state )
{
	(void)state;
	const gelVec3 center = { 0.0f, 1.0f, 0.0f };
	gelRenderer* renderer = MakeRenderer();
	AddBall( renderer, center, 0.6f, 0xE04030 );
	gelRenderView view = MakeView();
	view.camera = gelFrameBox( view.stage, 0.0f, -0.8f, (float)WIDTH / HEIGHT, 0.05f );
	gelImage image = Draw( renderer, &view );
	assert_true( IsReddish( ColorAt( &image, Project( &view, center ) ) ) );
	gelFreeImage( &image );
	gelDestroyRenderer( renderer );
}

// The ground goes over into the sky without an edge, and nothing in the background is dark or clipped.
static void TestBackgroundIsSmooth( void** state )
{
	(void)state;
	gelRenderer* renderer = MakeRenderer();
	gelRenderView view = MakeView();
	view.camera.pitch = 0.1f; // low enough to see the horizon
	gelImage image = Draw( renderer, &view );
	gelDestroyRenderer( renderer );
	for ( int y = 1; y < HEIGHT; ++y )
	{
		gelColor8 above = gelImage_Pixel( &image, 10, y - 1 ), here = gelImage_Pixel( &image, 10, y );
		assert_true(
			abs( above.r - here.r ) <= 4 && abs( above.g - here.g ) <= 4 && abs( above.b - here.b ) <= 4 );
		assert_true( here.r > 120 && here.g > 120 && here.b > 120 );
		assert_true( here.r < 250 || here.g < 250 || here.b < 250 );
	}
	gelColor8 top = gelImage_Pixel( &image, 10, 0 );
	assert_true( top.b > top.r ); // sky
	gelFreeImage( &image );
}

static void TestLinesAreDrawnOverSurfaces( void** state )
{
	(void)state;
	gelRenderView view = MakeView();
	gelRenderer* renderer = MakeRenderer();
	AddBall( renderer, ( gelVec3 ){ 0.0f, 1.0f, 0.0f }, 0.5f, 0xF0F0F0 );
	gelImage plain = Draw( renderer, &view );
	const uint32_t pairs[4] = { 0, 1, 2, 3 };
	const gelVec3 ends[4] = { { -0.8f, 1.0f, 0.6f }, { 0.8f, 1.0f, 0.6f }, { -0.8f, 1.3f, -0.6f },
		{ 0.8f, 1.3f, -0.6f } };
	int lines = gelRenderer_AddLines( renderer, pairs, 2, 4, gelColorFromHex( 0x000000 ) );
	assert_true( lines >= 0 );
	gelRenderer_SetLines( renderer, lines, ends );
	gelImage lined = Draw( renderer, &view );
	int drops[2] = { 0, 0 };
	for ( int i = 0; i < 2; ++i )
	{
		Pixel p = Project( &view, ( gelVec3 ){ 0.0f, i == 0 ? 1.0f : 1.3f, i == 0 ? 0.6f : -0.6f } );
		for ( int dy = -2; dy <= 2; ++dy )
		{
			Pixel q = { p.x, p.y + dy };
			int drop = Brightness( ColorAt( &plain, q ) ) - Brightness( ColorAt( &lined, q ) );
			drops[i] = drop > drops[i] ? drop : drops[i];
		}
	}
	assert_true( drops[0] > 150 );          // in front of the ball
	assert_true( drops[1] > 5 );            // behind it: still there,
	assert_true( 3 * drops[1] < drops[0] ); // but faint
	gelFreeImage( &plain );
	gelFreeImage( &lined );
	gelDestroyRenderer( renderer );
}

static void TestVerticesMove( void** state )
{
	(void)state;
	gelRenderView view = MakeView();
	gelRenderer* renderer = MakeRenderer();
	const gelVec3 left = { -0.5f, 1.0f, 0.0f }, right = { 0.5f, 1.0f, 0.0f };
	AddBall( renderer, left, 0.3f, 0xE04030 );
	gelImage before = Draw( renderer, &view );
	gelImage again = Draw( renderer, &view );
	assert_memory_equal( before.pixels, again.pixels, 3 * WIDTH * HEIGHT );
	Ball* moved = MakeBall( right, 0.3f );
	gelRenderer_SetSurface( renderer, 0, moved->positions, moved->normals );
	free( moved );
	gelImage after = Draw( renderer, &view );
	assert_true( IsReddish( ColorAt( &before, Project( &view, left ) ) ) );
	assert_false( IsReddish( ColorAt( &before, Project( &view, right ) ) ) );
	assert_false( IsReddish( ColorAt( &after, Project( &view, left ) ) ) );
	assert_true( IsReddish( ColorAt( &after, Project( &view, right ) ) ) );
	gelFreeImage( &before );
	gelFreeImage( &again );
	gelFreeImage( &after );
	gelDestroyRenderer( renderer );
}

// A line that is not quite level crosses from one row of pixels to the next: with several samples per pixel
// it fades over, without them it jumps.
static void TestEdgesAreSmooth( void** state )
{
	(void)state;
	gelRenderView view = MakeView();
	gelRenderer* renderer = MakeRenderer();
	gelImage plain = Draw( renderer, &view );
	const uint32_t pair[2] = { 0, 1 };
	const gelVec3 ends[2] = { { -0.9f, 1.0f, 0.0f }, { 0.9f, 1.12f, 0.0f } };
	int lines = gelRenderer_AddLines( renderer, pair, 1, 2, gelColorFromHex( 0x000000 ) );
	assert_true( lines >= 0 );
	gelRenderer_SetLines( renderer, lines, ends );
	gelImage lined = Draw( renderer, &view );
	int fullest = 0, mixed = 0;
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int i = 0; i < WIDTH * HEIGHT; ++i )
		{
			Pixel p = { i % WIDTH, i / WIDTH };
			int drop = Brightness( ColorAt( &plain, p ) ) - Brightness( ColorAt( &lined, p ) );
			if ( pass == 0 )
				fullest = drop > fullest ? drop : fullest;
			else
				mixed += 6 * drop > fullest && 6 * drop < 5 * fullest ? 1 : 0;
		}
	}
	assert_true( fullest > 150 );
	assert_true( mixed > 20 );
	gelFreeImage( &plain );
	gelFreeImage( &lined );
	gelDestroyRenderer( renderer );
}

static int LargestStep( gelColor8 a, gelColor8 b )
{
	int r = abs( a.r - b.r ), g = abs( a.g - b.g ), c = abs( a.b - b.b );
	return r > g ? ( r > c ? r : c ) : ( g > c ? g : c );
}

// A window takes short cuts: fewer samples, light at vertices where those are close together, colors of sky
// and ground at the vertices of coarse strips. None of them may be seen, wherever the camera stands: level
// with the ground, above it, in the middle of it, far off.
static void TestWindowShowsWhatPicturesShow( void** state )
{
	(void)state;
	const float places[][2] = { { 0.03f, 1.0f }, { 0.3f, 1.0f }, { 0.9f, 1.0f }, { 1.45f, 1.0f },
		{ 0.5f, 0.1f }, { 0.6f, 8.0f } }; // pitch [rad], distance as a multiple of the usual one
	gelRenderer* renderers[2] = { MakeRenderer(), MakeRendererOf( gel_renderLive ) };
	for ( int withBall = 0; withBall < 2; ++withBall )
	{
		for ( int i = 0; withBall == 1 && i < 2; ++i )
		{
			AddBall( renderers[i], ( gelVec3 ){ 0.0f, 0.7f, 0.0f }, 0.6f, 0xE04030 );
			gelRenderer_SetSurfaceClosed( renderers[i], 0, true );
		}
		for ( size_t k = 0; k < sizeof( places ) / sizeof( places[0] ); ++k )
		{
			gelRenderView view = MakeView();
			view.camera.pitch = places[k][0];
			view.camera.distance *= places[k][1];
			gelImage picture = Draw( renderers[0], &view ), live = Draw( renderers[1], &view );
			int largest = 0, other = 0;
			for ( int i = 0; i < WIDTH * HEIGHT; ++i )
			{
				int step = LargestStep( gelImage_Pixel( &picture, i % WIDTH, i / WIDTH ),
					gelImage_Pixel( &live, i % WIDTH, i / WIDTH ) );
				largest = step > largest ? step : largest;
				other += step > 20 ? 1 : 0;
			}
			gelFreeImage( &picture );
			gelFreeImage( &live );
			if ( withBall == 0 ) assert_in_range( largest, 0, 2 );
			assert_in_range( other, 0, WIDTH * HEIGHT / 200 );
		}
	}
	gelDestroyRenderer( renderers[0] );
	gelDestroyRenderer( renderers[1] );
}

// An opaque slab, such as a piston, with a side that faces away from the light: coarse maps must not draw
// teeth on it.
static void TestOpaqueSidesAreEven( void** state )
{
	(void)state;
	static const uint32_t triangles[12] = { 0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7 };
	const gelVec3 across = { 1.0f, 0.0f, 0.0f }, up = { 0.0f, 1.0f, 0.0f };
	// the right side and the top
	const gelVec3 positions[8] = { { 0.7f, 0.9f, 0.7f }, { 0.7f, 0.9f, -0.7f }, { 0.7f, 1.1f, -0.7f },
		{ 0.7f, 1.1f, 0.7f }, { -0.7f, 1.1f, 0.7f }, { 0.7f, 1.1f, 0.7f }, { 0.7f, 1.1f, -0.7f },
		{ -0.7f, 1.1f, -0.7f } };
	const gelVec3 normals[8] = { across, across, across, across, up, up, up, up };
	for ( int quality = 0; quality < 2; ++quality )
	{
		gelRenderer* renderer = MakeRendererOf( quality == 0 ? gel_renderPicture : gel_renderLive );
		gelRenderView view = MakeView();
		view.camera.yaw = 0.6f;
		int slab = gelRenderer_AddSurface( renderer, triangles, 4, 8, gelColorFromHex( 0xA9B4BF ), 1e-6f );
		gelRenderer_SetSurface( renderer, slab, positions, normals );
		gelImage image = Draw( renderer, &view );
		int darkest = 3 * 255, brightest = 0;
		for ( float y = 0.94f; y < 1.07f; y += 0.02f )
		{
			for ( float z = -0.6f; z < 0.61f; z += 0.02f )
			{
				int b = Brightness( ColorAt( &image, Project( &view, ( gelVec3 ){ 0.7f, y, z } ) ) );
				darkest = b < darkest ? b : darkest;
				brightest = b > brightest ? b : brightest;
			}
		}
		assert_in_range( brightest - darkest, 0, 75 ); // sums of channels, up to 765
		gelFreeImage( &image );
		gelDestroyRenderer( renderer );
	}
}

static void TestCoveredColumnsAreLeftOut( void** state )
{
	(void)state;
	gelRenderer* renderer = MakeRendererOf( gel_renderLive );
	gelRenderView view = MakeView();
	AddBall( renderer, ( gelVec3 ){ 0.0f, 0.7f, 0.0f }, 0.6f, 0xE04030 );
	gelImage whole = Draw( renderer, &view );
	AddBall( renderer, ( gelVec3 ){ 0.0f, 0.7f, 0.0f }, 0.65f, 0x3040E0 );
	view.covered = WIDTH / 2;
	gelImage part = Draw( renderer, &view );
	for ( int y = 0; y < HEIGHT; ++y )
	{
		// samples of the last column may lie beyond it
		for ( int x = 0; x < WIDTH / 2 - 1; ++x )
			assert_int_equal(
				0, LargestStep( gelImage_Pixel( &whole, x, y ), gelImage_Pixel( &part, x, y ) ) );
	}
	Pixel p = Project( &view, ( gelVec3 ){ 0.2f, 0.7f, 0.6f } );
	assert_true( IsReddish( ColorAt( &whole, p ) ) );
	assert_false( IsReddish( ColorAt( &part, p ) ) );
	gelFreeImage( &whole );
	gelFreeImage( &part );
	gelDestroyRenderer( renderer );
}

static void TestTooLargeTargetIsRefused( void** state )
{
	(void)state;
	gelRenderTarget huge;
	assert_false( gelCreateRenderTarget( &huge, 1 << 20, 16, 0 ) );
	gelDestroyRenderTarget( &huge );
}

int main( void )
{
	gelGlContext context;
	if ( !gelCreateGlContext( &context ) )
	{
		fprintf( stderr, "SKIPPED: no OpenGL 3.3 without a window here: %s\n", context.error );
		return 77;
	}
	printf( "drawn by %s\n", context.renderer );
	if ( !gelCreateRenderTarget( &target, WIDTH, HEIGHT, GEL_PICTURE_SAMPLES ) )
	{
		fprintf( stderr, "FAILED: no %d x %d picture\n", WIDTH, HEIGHT );
		return 1;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBodyIsWhereItIs ),
		cmocka_unit_test( TestEveryColorIsKept ),
		cmocka_unit_test( TestLightComesFromTheUpperLeft ),
		cmocka_unit_test( TestShadowFallsOnTheGround ),
		cmocka_unit_test( TestContactIsDark ),
		cmocka_unit_test( TestNearHidesFar ),
		cmocka_unit_test( TestGroundHidesWhatIsBelow ),
		cmocka_unit_test( TestBodyIsSeenFromBelow ),
		cmocka_unit_test( TestBackgroundIsSmooth ),
		cmocka_unit_test( TestLinesAreDrawnOverSurfaces ),
		cmocka_unit_test( TestVerticesMove ),
		cmocka_unit_test( TestEdgesAreSmooth ),
		cmocka_unit_test( TestWindowShowsWhatPicturesShow ),
		cmocka_unit_test( TestOpaqueSidesAreEven ),
		cmocka_unit_test( TestCoveredColumnsAreLeftOut ),
		cmocka_unit_test( TestTooLargeTargetIsRefused ),
	};
	int failed = cmocka_run_group_tests( tests, NULL, NULL );
	gelDestroyRenderTarget( &target );
	gelDestroyGlContext( &context );
	return failed;
}
