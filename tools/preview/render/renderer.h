// SPDX-License-Identifier: MIT
// Draws lit surfaces and lines over a ground with OpenGL 3.3 core. It knows nothing of packs, bodies or
// windows: whoever owns the context and the framebuffer (render_target.h off screen) hands in vertices and a
// view.
#pragma once

#include "preview/render/camera.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gelRenderer gelRenderer;

/// Linear light, 0 .. 1.
typedef struct gelColor
{
	float r, g, b;
} gelColor;

/// sRGB bytes as in 0xRRGGBB.
gelColor gelColorFromHex( uint32_t hex );

/// One picture.
typedef struct gelRenderView
{
	gelCamera camera;
	unsigned framebuffer;
	int width, height;
	int covered;        // columns on the left that something else will be drawn over; they are left out
	gelAabb stage;      // all that pictures of this series show; sets how far the ground fades [m]
	float groundHeight; // [m]
	bool showGround;
} gelRenderView;

/// How much work goes into a picture. Both show the same things in the same light.
typedef enum gelRenderQuality
{
	gel_renderPicture, // for files: fine shadows
	gel_renderLive,    // for a window: the same with fewer samples, many times faster without a GPU
} gelRenderQuality;

/// Needs a current context. NULL: error says why.
gelRenderer* gelCreateRenderer( gelRenderQuality quality, char* error, int errorCapacity );
void gelDestroyRenderer( gelRenderer* renderer );

/// Removes all surfaces and lines; their numbers are given out again.
void gelRenderer_Clear( gelRenderer* renderer );

/// Adds a surface of triangles (3 indices each, counter-clockwise from outside).
/// @param depth distance after which light inside the body is mostly absorbed [m]
/// @return its number, or -1: out of memory
int gelRenderer_AddSurface( gelRenderer* renderer, const uint32_t* triangles, int triangleCount,
	int vertexCount, gelColor color, float depth );

/// Whether a surface has no border: then its inner side need not be drawn. False at first.
void gelRenderer_SetSurfaceClosed( gelRenderer* renderer, int surface, bool isClosed );

/// Moves the vertices of a surface [m] with their unit normals.
void gelRenderer_SetSurface(
	gelRenderer* renderer, int surface, const gelVec3* positions, const gelVec3* normals );

/// Gives every vertex of a surface a color of its own in place of the surface's. NULL: that again.
void gelRenderer_SetSurfaceColors( gelRenderer* renderer, int surface, const gelColor* colors );

/// Adds a picture (RGBA, 8 bit sRGB, first row at v = 0, repeated) for surfaces.
/// @return its number, or -1: too large for the driver, or out of memory
int gelRenderer_AddTexture( gelRenderer* renderer, const uint8_t* pixels, int width, int height );

/// Multiplies the color of a surface by a texture. @param uvs 2 per vertex
void gelRenderer_SetSurfaceTexture( gelRenderer* renderer, int surface, const float* uvs, int texture );

/// Gives a surface light of its own, and alpha: that of its texture times the opacity.
/// @param cutoff least alpha that is drawn; 0: all is; negative: so much of it as alpha says
void gelRenderer_SetSurfaceLook(
	gelRenderer* renderer, int surface, gelColor emission, float opacity, float cutoff );

/// Adds a set of lines (2 indices each), drawn over the surfaces; hidden parts shine through faintly.
/// @return its number, or -1: out of memory
int gelRenderer_AddLines(
	gelRenderer* renderer, const uint32_t* pairs, int lineCount, int vertexCount, gelColor color );
void gelRenderer_SetLines( gelRenderer* renderer, int lines, const gelVec3* positions );
/// How much of hidden lines is seen, 0 .. 1. At first 0.1.
void gelRenderer_SetLinesThrough( gelRenderer* renderer, int lines, float alpha );

/// Draws everything. False: OpenGL reported an error.
bool gelRenderer_Draw( gelRenderer* renderer, const gelRenderView* view );
