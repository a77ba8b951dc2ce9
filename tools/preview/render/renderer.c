// SPDX-License-Identifier: MIT
// A picture is drawn in five passes:
//   1 shadow map      surfaces from the key light: depth, and color of what is nearest to the light
//   2 height maps     surfaces from below the ground and from above, parallel: what hides the sky
//   3 ground patch    two small textures over the ground around the bodies: how open the sky is, and from
//                     that and a soft shadow the ground as it is seen
//   4 sky, ground, surfaces
//   5 lines           hidden parts faint, then visible parts
#include "preview/render/renderer.h"

#include "preview/render/render_mesh.h"
#include "preview/render/shaders.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Longer edges on the screen would show that shadows are known at their ends only.
#define GEL_DENSE_EDGE_PIXELS 16.0f

typedef struct DepthMap
{
	GLuint framebuffer, depth, color; // color: 0 when only depth is kept
	int size;
} DepthMap;

// Where a depth map is seen from; the shader knows these numbers.
typedef enum MapSide
{
	sideLight = 0,
	sideBelow = 1,
	sideAbove = 2,
} MapSide;

typedef struct PatchMap
{
	GLuint framebuffer, color;
	int size;
} PatchMap;

struct gelRenderer
{
	GLuint depthProgram, groundOpenProgram, groundPictureProgram;
	GLuint skyProgram, groundProgram, farGroundProgram, surfaceProgram, lineProgram;
	GLuint clipProgram;  // for surfaces with alpha
	GLuint denseProgram; // for surfaces whose vertices are close together on the screen; 0: none
	GLuint emptyArray;   // for triangles that the vertex shader makes up
	GLuint frameBuffer;  // uniform buffer with the gelFrameBlock
	GLuint compareSampler;
	GLuint white; // texture of surfaces that have none
	GLuint* textures;
	int textureCount;
	DepthMap shadow, height, top;
	PatchMap groundPicture, groundOpen;
	gelRenderMeshList surfaces, lines;
	bool encodes; // the shaders turn linear light into sRGB, else the framebuffer does
};

gelColor gelColorFromHex( uint32_t hex )
{
	float c[3];
	for ( int i = 0; i < 3; ++i )
	{
		float s = (float)( ( hex >> ( 16 - 8 * i ) ) & 255u ) / 255.0f;
		c[i] = s <= 0.04045f ? s / 12.92f : powf( ( s + 0.055f ) / 1.055f, 2.4f ); // IEC 61966-2-1
	}
	return ( gelColor ){ c[0], c[1], c[2] };
}

// ---- making and destroying ---------------------------------------------------------------------------

// Maps have a free border, so what lies beyond it is as what lies on it.
static GLuint MakeTexture( GLint format, GLenum layout, GLenum type, int size, GLint filter )
{
	GEL_ASSERT( size > 0 );
	GLuint texture;
	glGenTextures( 1, &texture );
	glBindTexture( GL_TEXTURE_2D, texture );
	glTexImage2D( GL_TEXTURE_2D, 0, format, size, size, 0, layout, type, NULL );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE );
	return texture;
}

static void MakeDepthMap( DepthMap* map, int size, bool withColor )
{
	GEL_ASSERT( size > 0 );
	map->size = size;
	glGenFramebuffers( 1, &map->framebuffer );
	glBindFramebuffer( GL_FRAMEBUFFER, map->framebuffer );
	map->depth = MakeTexture( GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, size, GL_NEAREST );
	glFramebufferTexture2D( GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map->depth, 0 );
	glDrawBuffer( GL_NONE );
	glReadBuffer( GL_NONE );
	if ( withColor )
	{
		map->color = MakeTexture( GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, size, GL_NEAREST );
		glFramebufferTexture2D( GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, map->color, 0 );
		glDrawBuffer( GL_COLOR_ATTACHMENT0 );
	}
}

static void MakePatchMap( PatchMap* map, int size, GLint format )
{
	map->size = size;
	glGenFramebuffers( 1, &map->framebuffer );
	glBindFramebuffer( GL_FRAMEBUFFER, map->framebuffer );
	map->color = MakeTexture( format, GL_RGBA, GL_UNSIGNED_BYTE, size, GL_LINEAR );
	glFramebufferTexture2D( GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, map->color, 0 );
}

static bool BuildPrograms( gelRenderer* r, gelRenderQuality quality, char* error, int errorCapacity )
{
	const char* settings = quality == gel_renderLive ? gelShaderLiveSettings : gelShaderPictureSettings;
	const struct
	{
		GLuint* program;
		const char* vertex;
		const char* fragment;
	} programs[] = {
		{ &r->depthProgram, gelShaderDepthVertex, gelShaderTintFragment },
		{ &r->groundOpenProgram, gelShaderPatchVertex, gelShaderGroundOpenFragment },
		{ &r->groundPictureProgram, gelShaderPatchVertex, gelShaderGroundPictureFragment },
		{ &r->skyProgram, gelShaderSkyVertex, gelShaderSmoothFragment },
		{ &r->groundProgram, gelShaderGroundVertex, gelShaderGroundFragment },
		{ &r->farGroundProgram, gelShaderFarGroundVertex, gelShaderSmoothFragment },
		{ &r->surfaceProgram, gelShaderSurfaceVertex, gelShaderSurfaceFragment },
		{ &r->lineProgram, gelShaderLineVertex, gelShaderLineFragment },
	};
	for ( size_t i = 0; i < sizeof( programs ) / sizeof( programs[0] ); ++i )
	{
		*programs[i].program =
			gelBuildGlProgram( settings, programs[i].vertex, programs[i].fragment, error, errorCapacity );
		if ( *programs[i].program == 0 ) return false;
	}
	char clipSettings[2048];
	snprintf( clipSettings, sizeof clipSettings, "%s%s", settings, gelShaderClipSettings );
	r->clipProgram = gelBuildGlProgram(
		clipSettings, gelShaderSurfaceVertex, gelShaderSurfaceFragment, error, errorCapacity );
	if ( r->clipProgram == 0 ) return false;
	if ( quality != gel_renderLive ) return true;
	r->denseProgram = gelBuildGlProgram(
		gelShaderDenseSettings, gelShaderSurfaceVertex, gelShaderSurfaceFragment, error, errorCapacity );
	return r->denseProgram != 0;
}

gelRenderer* gelCreateRenderer( gelRenderQuality quality, char* error, int errorCapacity )
{
	GEL_ASSERT( errorCapacity > 0 );
	gelRenderer* r = calloc( 1, sizeof( *r ) );
	if ( r == NULL )
	{
		snprintf( error, (size_t)errorCapacity, "out of memory" );
		return NULL;
	}
	glGenVertexArrays( 1, &r->emptyArray );
	glGenBuffers( 1, &r->frameBuffer );
	glBindBuffer( GL_UNIFORM_BUFFER, r->frameBuffer );
	glBufferData( GL_UNIFORM_BUFFER, sizeof( gelFrameBlock ), NULL, GL_DYNAMIC_DRAW );
	bool live = quality == gel_renderLive;
	r->encodes = live;
	// Sizes in pixels. Live ones are for software drivers: the whole frame has to be drawn in 16 ms on two
	// cores.
	MakeDepthMap( &r->shadow, live ? 384 : 1024, true );
	MakeDepthMap( &r->height, live ? 128 : 256, false );
	MakeDepthMap( &r->top, live ? 128 : 512, false );
	// Linear light in 8 bits would show steps.
	MakePatchMap( &r->groundPicture, live ? 128 : 512, live ? GL_RGBA8 : GL_RGBA16F );
	MakePatchMap( &r->groundOpen, live ? 48 : 144, GL_RGBA8 );
	const uint8_t white[4] = { 255, 255, 255, 255 };
	r->white = MakeTexture( GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 1, GL_NEAREST );
	glTexImage2D( GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, white );
	glGenSamplers( 1, &r->compareSampler );
	glSamplerParameteri( r->compareSampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE );
	glSamplerParameteri( r->compareSampler, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL );
	glSamplerParameteri( r->compareSampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR );
	glSamplerParameteri( r->compareSampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR );
	glSamplerParameteri( r->compareSampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE );
	glSamplerParameteri( r->compareSampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE );
	if ( !BuildPrograms( r, quality, error, errorCapacity ) )
	{
		gelDestroyRenderer( r );
		return NULL;
	}
	GLenum glError = glGetError();
	if ( glError != GL_NO_ERROR )
	{
		snprintf( error, (size_t)errorCapacity, "OpenGL error 0x%04x", (unsigned)glError );
		gelDestroyRenderer( r );
		return NULL;
	}
	return r;
}

void gelRenderer_Clear( gelRenderer* renderer )
{
	gelRenderMeshList_Free( &renderer->surfaces );
	gelRenderMeshList_Free( &renderer->lines );
	glDeleteTextures( renderer->textureCount, renderer->textures );
	free( renderer->textures );
	renderer->textures = NULL;
	renderer->textureCount = 0;
}

void gelDestroyRenderer( gelRenderer* r )
{
	if ( r == NULL ) return;
	gelRenderer_Clear( r );
	glDeleteTextures( 1, &r->white );
	const GLuint programs[] = { r->depthProgram, r->groundPictureProgram, r->groundOpenProgram, r->skyProgram,
		r->groundProgram, r->farGroundProgram, r->surfaceProgram, r->denseProgram, r->clipProgram,
		r->lineProgram };
	for ( size_t i = 0; i < sizeof( programs ) / sizeof( programs[0] ); ++i )
		glDeleteProgram( programs[i] );
	const GLuint textures[] = { r->shadow.depth, r->shadow.color, r->height.depth, r->groundPicture.color,
		r->groundOpen.color, r->top.depth };
	const GLuint framebuffers[] = { r->shadow.framebuffer, r->height.framebuffer,
		r->groundPicture.framebuffer, r->groundOpen.framebuffer, r->top.framebuffer };
	glDeleteTextures( 6, textures );
	glDeleteFramebuffers( 5, framebuffers );
	glDeleteSamplers( 1, &r->compareSampler );
	glDeleteBuffers( 1, &r->frameBuffer );
	glDeleteVertexArrays( 1, &r->emptyArray );
	free( r );
}

// ---- meshes ------------------------------------------------------------------------------------------

int gelRenderer_AddSurface( gelRenderer* renderer, const uint32_t* triangles, int triangleCount,
	int vertexCount, gelColor color, float depth )
{
	if ( triangleCount > INT32_MAX / 3 ) return -1;
	int surface =
		gelRenderMeshList_Add( &renderer->surfaces, triangles, 3 * triangleCount, vertexCount, color, true );
	if ( surface >= 0 ) renderer->surfaces.items[surface].depth = depth;
	return surface;
}

void gelRenderer_SetSurfaceClosed( gelRenderer* renderer, int surface, bool isClosed )
{
	GEL_ASSERT( surface >= 0 && surface < renderer->surfaces.count );
	renderer->surfaces.items[surface].isClosed = isClosed;
}

void gelRenderer_SetSurface(
	gelRenderer* renderer, int surface, const gelVec3* positions, const gelVec3* normals )
{
	GEL_ASSERT( surface >= 0 );
	gelRenderMesh* mesh = renderer->surfaces.items + surface;
	gelRenderMesh_SetVectors( mesh, mesh->positions, positions );
	gelRenderMesh_SetVectors( mesh, mesh->normals, normals );
	gelRenderMesh_MeasureEdges( mesh, positions );
	mesh->bounds = gelAabb_Empty();
	for ( int i = 0; i < mesh->vertexCount; ++i )
		mesh->bounds = gelAabb_Add( mesh->bounds, positions[i] );
}

void gelRenderer_SetSurfaceColors( gelRenderer* renderer, int surface, const gelColor* colors )
{
	GEL_ASSERT( surface >= 0 && surface < renderer->surfaces.count );
	gelRenderMesh* mesh = renderer->surfaces.items + surface;
	if ( colors != NULL )
	{
		gelRenderMesh_SetAttribute( mesh, &mesh->colors, gel_attributeColor, 3, colors );
		return;
	}
	glBindVertexArray( mesh->vertexArray );
	glDisableVertexAttribArray( gel_attributeColor );
	glBindVertexArray( 0 );
}

int gelRenderer_AddTexture( gelRenderer* renderer, const uint8_t* pixels, int width, int height )
{
	GEL_ASSERT( width > 0 && height > 0 );
	GLint limit = 0;
	glGetIntegerv( GL_MAX_TEXTURE_SIZE, &limit );
	if ( width > limit || height > limit ) return -1;
	GLuint* textures =
		realloc( renderer->textures, ( (size_t)renderer->textureCount + 1 ) * sizeof( GLuint ) );
	if ( textures == NULL ) return -1;
	renderer->textures = textures;
	GLuint* texture = textures + renderer->textureCount;
	glGenTextures( 1, texture );
	glBindTexture( GL_TEXTURE_2D, *texture );
	glPixelStorei( GL_UNPACK_ALIGNMENT, 1 );
	glTexImage2D( GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR );
	glGenerateMipmap( GL_TEXTURE_2D );
	return renderer->textureCount++;
}

void gelRenderer_SetSurfaceTexture( gelRenderer* renderer, int surface, const float* uvs, int texture )
{
	GEL_ASSERT( surface >= 0 && surface < renderer->surfaces.count && texture < renderer->textureCount );
	gelRenderMesh* mesh = renderer->surfaces.items + surface;
	gelRenderMesh_SetAttribute( mesh, &mesh->uvs, gel_attributePlace, 2, uvs );
	mesh->texture = renderer->textures[texture];
}

void gelRenderer_SetSurfaceLook(
	gelRenderer* renderer, int surface, gelColor emission, float opacity, float cutoff )
{
	GEL_ASSERT( surface >= 0 && surface < renderer->surfaces.count );
	gelRenderMesh* mesh = renderer->surfaces.items + surface;
	const float glow[4] = { emission.r, emission.g, emission.b, opacity };
	memcpy( mesh->glow, glow, sizeof glow );
	mesh->cutoff = cutoff;
}

int gelRenderer_AddLines(
	gelRenderer* renderer, const uint32_t* pairs, int lineCount, int vertexCount, gelColor color )
{
	int lines = gelRenderMeshList_Add( &renderer->lines, pairs, 2 * lineCount, vertexCount, color, false );
	if ( lines >= 0 ) renderer->lines.items[lines].hiddenAlpha = 0.1f;
	return lines;
}

void gelRenderer_SetLinesThrough( gelRenderer* renderer, int lines, float alpha )
{
	GEL_ASSERT( lines >= 0 && lines < renderer->lines.count );
	renderer->lines.items[lines].hiddenAlpha = alpha;
}

void gelRenderer_SetLines( gelRenderer* renderer, int lines, const gelVec3* positions )
{
	GEL_ASSERT( lines >= 0 && lines < renderer->lines.count );
	gelRenderMesh* mesh = renderer->lines.items + lines;
	gelRenderMesh_SetVectors( mesh, mesh->positions, positions );
}

// ---- drawing -----------------------------------------------------------------------------------------

static gelAabb SurfaceBounds( const gelRenderer* r, float groundHeight )
{
	gelAabb box = gelAabb_Empty();
	for ( int i = 0; i < r->surfaces.count; ++i )
	{
		if ( r->surfaces.items[i].vertexCount > 0 ) box = gelAabb_Union( box, r->surfaces.items[i].bounds );
	}
	if ( !( box.min.x <= box.max.x ) )
		box = ( gelAabb ){ { -1.0f, groundHeight, -1.0f }, { 1.0f, groundHeight, 1.0f } };
	return box;
}

static gelFrameBlock MakeFrame( const gelRenderer* r, const gelRenderView* view )
{
	gelFrameBlock frame;
	float aspect = (float)view->width / (float)view->height;
	gelAabb box = SurfaceBounds( r, view->groundHeight );
	gelVec3 center = gelAabb_Center( box );
	// 2 % of border around the bodies, so that texels at the edge of a map are free.
	float radius = fmaxf( gelAabb_Radius( box ), 1e-4f ) * 1.02f;
	float stageRadius = fmaxf( gelAabb_Radius( view->stage ), radius );
	gelVec3 stageCenter = gelAabb_Center( view->stage );
	frame.viewProjection = gelCamera_ViewProjection( &view->camera, aspect, stageCenter, stageRadius );

	// The key light stands to the left of the camera, high up, and turns with it, so that the lit side
	// is always seen.
	float yaw = view->camera.yaw - 0.85f;
	float climb = 0.92f; // [rad]
	gelVec3 toLight = { sinf( yaw ) * cosf( climb ), sinf( climb ), cosf( yaw ) * cosf( climb ) };
	frame.lightProjection = gelParallelProjection( center, radius, toLight, ( gelVec3 ){ 0.0f, 1.0f, 0.0f } );

	// The patch has to hold the shadow, which moves away from under a body by height / tan( climb ).
	float height = fmaxf( box.max.y - view->groundHeight, 0.0f );
	float reach = height / tanf( climb );
	float half = 1.6f * radius + 0.5f * reach;
	gelVec3 patch = { center.x - 0.5f * reach * sinf( yaw ), view->groundHeight,
		center.z - 0.5f * reach * cosf( yaw ) };
	frame.heightProjection = gelParallelProjection(
		patch, half, ( gelVec3 ){ 0.0f, -1.0f, 0.0f }, ( gelVec3 ){ 0.0f, 0.0f, 1.0f } );

	frame.topProjection = gelParallelProjection(
		center, radius, ( gelVec3 ){ 0.0f, 1.0f, 0.0f }, ( gelVec3 ){ 0.0f, 0.0f, -1.0f } );

	gelVec3 eye = gelCamera_Eye( &view->camera );
	// Vectors as vec4, and the free fourth component carries a length that the shaders need: std140 would pad
	// them anyway.
	memcpy( frame.eye, ( float[4] ){ eye.x, eye.y, eye.z, 1.0f }, sizeof( frame.eye ) );
	memcpy( frame.toLight, ( float[4] ){ toLight.x, toLight.y, toLight.z, 2.0f * radius },
		sizeof( frame.toLight ) );
	memcpy( frame.stage, ( float[4] ){ stageCenter.x, view->groundHeight, stageCenter.z, stageRadius },
		sizeof( frame.stage ) );
	memcpy( frame.patch, ( float[4] ){ patch.x, patch.z, half, view->groundHeight }, sizeof( frame.patch ) );
	gelVec3 side = gelNormalize( gelCross( ( gelVec3 ){ 0.0f, 1.0f, 0.0f }, toLight ) );
	gelVec3 up = gelCross( toLight, side );
	memcpy( frame.lamp[0], ( float[4] ){ side.x, side.y, side.z, 0.0f }, sizeof( frame.lamp[0] ) );
	memcpy( frame.lamp[1], ( float[4] ){ up.x, up.y, up.z, 0.0f }, sizeof( frame.lamp[1] ) );
	gelVec3 look[3];
	gelCamera_Rays( &view->camera, aspect, look );
	for ( int i = 0; i < 3; ++i )
	{
		memcpy(
			frame.look[i], ( float[4] ){ look[i].x, look[i].y, look[i].z, 0.0f }, sizeof( frame.look[i] ) );
	}
	return frame;
}

static void DrawDepthMap( gelRenderer* r, const DepthMap* map, MapSide side )
{
	glBindFramebuffer( GL_FRAMEBUFFER, map->framebuffer );
	glViewport( 0, 0, map->size, map->size );
	glClearColor( 1.0f, 1.0f, 1.0f, 1.0f );
	glClear( GL_DEPTH_BUFFER_BIT | ( map->color != 0 ? GL_COLOR_BUFFER_BIT : 0u ) );
	glUseProgram( r->depthProgram );
	// Asked for by name in each frame: three times, against thousands of vertices.
	glUniform1i( glGetUniformLocation( r->depthProgram, "side" ), side );
	for ( int i = 0; i < r->surfaces.count; ++i )
	{
		gelRenderMesh_CullInside( r->surfaces.items + i );
		gelRenderMesh_Draw( r->surfaces.items + i, GL_TRIANGLES, r->depthProgram, 1.0f );
	}
}

static void DrawPatchMap( gelRenderer* r, const PatchMap* map, GLuint program )
{
	glBindFramebuffer( GL_FRAMEBUFFER, map->framebuffer );
	glViewport( 0, 0, map->size, map->size );
	glUseProgram( program );
	glBindVertexArray( r->emptyArray );
	glDrawArrays( GL_TRIANGLES, 0, 3 );
}

static void BindMaps( const gelRenderer* r )
{
	const GLuint textures[] = { r->shadow.depth, r->shadow.color, r->height.depth, r->groundPicture.color,
		r->groundOpen.color, r->shadow.depth, r->top.depth };
	for ( GLuint unit = 0; unit < 7; ++unit )
	{
		glActiveTexture( GL_TEXTURE0 + unit );
		glBindTexture( GL_TEXTURE_2D, textures[unit] );
		glBindSampler( unit, unit == gel_unitShadowCompare ? r->compareSampler : 0 );
	}
	glActiveTexture( GL_TEXTURE0 );
}

// Pixels in the length of the longest edge, where the surface is nearest to the eye.
static float EdgePixels( const gelRenderMesh* mesh, const gelRenderView* view )
{
	gelVec3 eye = gelCamera_Eye( &view->camera );
	gelVec3 d = gelSub( eye, gelAabb_Center( mesh->bounds ) );
	float distance = sqrtf( gelDot( d, d ) ) - gelAabb_Radius( mesh->bounds );
	// Height of what the camera sees at that distance [m].
	float unit = 2.0f * tanf( 0.5f * view->camera.fovY ) * fmaxf( distance, 0.01f * view->camera.distance );
	return mesh->longestEdge / unit * (float)view->height;
}

// Small triangles have their light worked out at vertices, which are fewer than the pixels that a driver
// without a GPU shades for them (whole blocks for each triangle) and lie no further apart than the texels of
// the maps.
static GLuint SurfaceProgram( const gelRenderer* r, const gelRenderMesh* mesh, const gelRenderView* view )
{
	if ( mesh->cutoff != 0.0f ) return r->clipProgram;
	bool isDense = r->denseProgram != 0 && mesh->isClosed && EdgePixels( mesh, view ) < GEL_DENSE_EDGE_PIXELS;
	return isDense ? r->denseProgram : r->surfaceProgram;
}

// From front to back, so that hidden pixels cost nothing: without a GPU a pixel of the sky is dear, too.
static void DrawSurfaces( gelRenderer* r, const gelRenderView* view )
{
	glActiveTexture( GL_TEXTURE0 + gel_unitBaseColor );
	glBindSampler( gel_unitBaseColor, 0 );
	for ( int i = 0; i < r->surfaces.count; ++i )
	{
		const gelRenderMesh* mesh = r->surfaces.items + i;
		GLuint program = SurfaceProgram( r, mesh, view );
		glBindTexture( GL_TEXTURE_2D, mesh->texture != 0 ? mesh->texture : r->white );
		gelRenderMesh_CullInside( mesh );
		glUseProgram( program );
		glUniform4fv( glGetUniformLocation( program, "glow" ), 1, mesh->glow );
		glUniform1f( glGetUniformLocation( program, "cutoff" ), mesh->cutoff );
		gelRenderMesh_Draw( mesh, GL_TRIANGLES, program, mesh->depth );
	}
	glDisable( GL_CULL_FACE );
	glBindVertexArray( r->emptyArray );
	// From below the ground would hide everything.
	if ( view->showGround && gelCamera_Eye( &view->camera ).y > view->groundHeight )
	{
		glUseProgram( r->groundProgram ); // the patch around the bodies
		glDrawArrays( GL_TRIANGLE_STRIP, 0, 4 );
		glUseProgram( r->farGroundProgram ); // where no shadow falls
		glDrawArraysInstanced( GL_TRIANGLE_STRIP, 0, 2 * ( GEL_GROUND_SPOKES + 1 ), GEL_GROUND_RINGS );
	}
	glUseProgram( r->skyProgram );
	glDepthMask( GL_FALSE );
	glDrawArraysInstanced( GL_TRIANGLE_STRIP, 0, 2 * ( GEL_SKY_COLUMNS + 1 ), GEL_SKY_ROWS );
	glDepthMask( GL_TRUE );
}

static void DrawLines( gelRenderer* r )
{
	if ( r->lines.count == 0 ) return;
	glUseProgram( r->lineProgram );
	glEnable( GL_BLEND );
	glBlendFunc( GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA );
	glDepthMask( GL_FALSE );
	for ( int pass = 0; pass < 2; ++pass )
	{
		// Hidden parts first: where both are drawn, the visible ones lie on top.
		glDepthFunc( pass == 0 ? GL_GREATER : GL_LEQUAL );
		for ( int i = 0; i < r->lines.count; ++i )
		{
			const gelRenderMesh* mesh = r->lines.items + i;
			float alpha = pass == 0 ? mesh->hiddenAlpha : fmaxf( 0.75f, mesh->hiddenAlpha );
			gelRenderMesh_Draw( mesh, GL_LINES, r->lineProgram, alpha );
		}
	}
	glDepthFunc( GL_LEQUAL );
	glDepthMask( GL_TRUE );
	glDisable( GL_BLEND );
}

bool gelRenderer_Draw( gelRenderer* r, const gelRenderView* view )
{
	gelFrameBlock frame = MakeFrame( r, view );
	glBindBuffer( GL_UNIFORM_BUFFER, r->frameBuffer );
	glBufferSubData( GL_UNIFORM_BUFFER, 0, sizeof( frame ), &frame );
	glBindBufferBase( GL_UNIFORM_BUFFER, 0, r->frameBuffer );
	glDisable( GL_CULL_FACE );
	glDisable( GL_BLEND );
	glDisable( GL_FRAMEBUFFER_SRGB );
	glEnable( GL_MULTISAMPLE );
	glEnable( GL_DEPTH_TEST );
	glDepthFunc( GL_LEQUAL );
	glDepthMask( GL_TRUE );

	glEnable( GL_DEPTH_CLAMP ); // what lies outside of a map's depth still casts its shadow
	DrawDepthMap( r, &r->shadow, sideLight );
	DrawDepthMap( r, &r->height, sideBelow );
	DrawDepthMap( r, &r->top, sideAbove );
	glDisable( GL_DEPTH_CLAMP );
	glDisable( GL_DEPTH_TEST );
	glDisable( GL_CULL_FACE );
	BindMaps( r );
	DrawPatchMap( r, &r->groundOpen, r->groundOpenProgram );
	DrawPatchMap( r, &r->groundPicture, r->groundPictureProgram );

	glEnable( GL_DEPTH_TEST );
	if ( !r->encodes ) glEnable( GL_FRAMEBUFFER_SRGB );
	glBindFramebuffer( GL_FRAMEBUFFER, view->framebuffer );
	glViewport( 0, 0, view->width, view->height );
	glClear( GL_DEPTH_BUFFER_BIT ); // every pixel is drawn
	// Pixels under the panel of the window need no drawing.
	glScissor( view->covered, 0, view->width - view->covered, view->height );
	glEnable( GL_SCISSOR_TEST );
	DrawSurfaces( r, view );
	DrawLines( r );
	glDisable( GL_SCISSOR_TEST );
	glBindVertexArray( 0 );
	return glGetError() == GL_NO_ERROR;
}
