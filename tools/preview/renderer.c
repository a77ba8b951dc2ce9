// SPDX-License-Identifier: MIT
// A picture is drawn in five passes:
//   1 shadow map      surfaces from the key light: depth, and color of what is nearest to the light
//   2 height maps     surfaces from below the ground and from above, parallel: what hides the sky
//   3 ground patch    two small textures over the ground around the bodies: soft shadow, open sky
//   4 sky, ground, surfaces
//   5 lines           hidden parts faint, then visible parts
#include "renderer.h"

#include "shaders.h"

#include <epoxy/gl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Mesh
{
	GLuint vertexArray, positions, normals, indices;
	GLuint colors, uvs; // 0: none
	GLuint texture;     // 0: none
	GLsizei indexCount;
	int vertexCount;
	gelColor color;
	float depth;       // [m]
	float hiddenAlpha; // of lines
	bool isClosed;     // its inner side is never seen
	gelAabb bounds;
} Mesh;

typedef struct MeshList
{
	Mesh* items;
	int count, capacity;
} MeshList;

typedef struct DepthMap
{
	GLuint framebuffer, depth, color; // color: 0 when only depth is kept
	int size;
} DepthMap;

// Attributes of a vertex beside position (0) and normal (1); the shaders know these numbers.
enum
{
	attributeColor = 2,
	attributePlace = 3,
};

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
	GLuint depthProgram, groundLightProgram, groundOpenProgram;
	GLuint skyProgram, groundProgram, farGroundProgram, surfaceProgram, lineProgram;
	GLuint emptyArray;  // for triangles that the vertex shader makes up
	GLuint frameBuffer; // uniform buffer with the gelFrameBlock
	GLuint compareSampler;
	GLuint white; // texture of surfaces that have none
	GLuint* textures;
	int textureCount;
	DepthMap shadow, height, top;
	PatchMap groundLight, groundOpen;
	MeshList surfaces, lines;
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

static GLuint MakeTexture( GLint format, GLenum layout, GLenum type, int size, GLint filter, float border )
{
	const GLfloat borderColor[4] = { border, border, border, border };
	GLuint texture;
	glGenTextures( 1, &texture );
	glBindTexture( GL_TEXTURE_2D, texture );
	glTexImage2D( GL_TEXTURE_2D, 0, format, size, size, 0, layout, type, NULL );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER );
	glTexParameterfv( GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, borderColor );
	return texture;
}

static void MakeDepthMap( DepthMap* map, int size, bool withColor )
{
	map->size = size;
	glGenFramebuffers( 1, &map->framebuffer );
	glBindFramebuffer( GL_FRAMEBUFFER, map->framebuffer );
	map->depth = MakeTexture( GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, size, GL_NEAREST, 1.0f );
	glFramebufferTexture2D( GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map->depth, 0 );
	glDrawBuffer( GL_NONE );
	glReadBuffer( GL_NONE );
	if ( withColor )
	{
		map->color = MakeTexture( GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, size, GL_NEAREST, 1.0f );
		glFramebufferTexture2D( GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, map->color, 0 );
		glDrawBuffer( GL_COLOR_ATTACHMENT0 );
	}
}

static void MakePatchMap( PatchMap* map, int size )
{
	map->size = size;
	glGenFramebuffers( 1, &map->framebuffer );
	glBindFramebuffer( GL_FRAMEBUFFER, map->framebuffer );
	map->color = MakeTexture( GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, size, GL_LINEAR, 1.0f );
	glFramebufferTexture2D( GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, map->color, 0 );
}

static bool BuildPrograms( gelRenderer* r, gelRenderQuality quality, char* error, int errorCapacity )
{
	const struct
	{
		GLuint* program;
		const char* vertex;
		const char* fragment;
	} programs[] = {
		{ &r->depthProgram, gelShaderDepthVertex, gelShaderTintFragment },
		{ &r->groundLightProgram, gelShaderPatchVertex, gelShaderGroundLightFragment },
		{ &r->groundOpenProgram, gelShaderPatchVertex, gelShaderGroundOpenFragment },
		{ &r->skyProgram, gelShaderSkyVertex, gelShaderSkyFragment },
		{ &r->groundProgram, gelShaderGroundVertex, gelShaderGroundFragment },
		{ &r->farGroundProgram, gelShaderGroundVertex, gelShaderFarGroundFragment },
		{ &r->surfaceProgram, gelShaderSurfaceVertex, gelShaderSurfaceFragment },
		{ &r->lineProgram, gelShaderLineVertex, gelShaderLineFragment },
	};
	for ( size_t i = 0; i < sizeof( programs ) / sizeof( programs[0] ); ++i )
	{
		*programs[i].program =
			gelBuildGlProgram( quality == gel_renderLive ? gelShaderLiveSettings : gelShaderPictureSettings,
				programs[i].vertex, programs[i].fragment, error, errorCapacity );
		if ( *programs[i].program == 0 ) return false;
	}
	return true;
}

gelRenderer* gelCreateRenderer( gelRenderQuality quality, char* error, int errorCapacity )
{
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
	MakeDepthMap( &r->shadow, live ? 384 : 1024, true );
	MakeDepthMap( &r->height, live ? 128 : 256, false );
	MakeDepthMap( &r->top, live ? 128 : 512, false );
	MakePatchMap( &r->groundLight, live ? 128 : 512 );
	MakePatchMap( &r->groundOpen, live ? 48 : 144 );
	const uint8_t white[4] = { 255, 255, 255, 255 };
	r->white = MakeTexture( GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 1, GL_NEAREST, 1.0f );
	glTexImage2D( GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, white );
	glGenSamplers( 1, &r->compareSampler );
	glSamplerParameteri( r->compareSampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE );
	glSamplerParameteri( r->compareSampler, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL );
	glSamplerParameteri( r->compareSampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR );
	glSamplerParameteri( r->compareSampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR );
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

static void DestroyMeshes( MeshList* list )
{
	for ( int i = 0; i < list->count; ++i )
	{
		Mesh* mesh = list->items + i;
		const GLuint buffers[5] = { mesh->positions, mesh->normals, mesh->indices, mesh->colors, mesh->uvs };
		glDeleteBuffers( 5, buffers );
		glDeleteVertexArrays( 1, &mesh->vertexArray );
	}
	free( list->items );
	*list = ( MeshList ){ 0 };
}

void gelRenderer_Clear( gelRenderer* renderer )
{
	DestroyMeshes( &renderer->surfaces );
	DestroyMeshes( &renderer->lines );
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
	const GLuint programs[] = { r->depthProgram, r->groundLightProgram, r->groundOpenProgram, r->skyProgram,
		r->groundProgram, r->farGroundProgram, r->surfaceProgram, r->lineProgram };
	for ( size_t i = 0; i < sizeof( programs ) / sizeof( programs[0] ); ++i )
	{
		glDeleteProgram( programs[i] );
	}
	const GLuint textures[] = { r->shadow.depth, r->shadow.color, r->height.depth, r->groundLight.color,
		r->groundOpen.color, r->top.depth };
	const GLuint framebuffers[] = { r->shadow.framebuffer, r->height.framebuffer, r->groundLight.framebuffer,
		r->groundOpen.framebuffer, r->top.framebuffer };
	glDeleteTextures( 6, textures );
	glDeleteFramebuffers( 5, framebuffers );
	glDeleteSamplers( 1, &r->compareSampler );
	glDeleteBuffers( 1, &r->frameBuffer );
	glDeleteVertexArrays( 1, &r->emptyArray );
	free( r );
}

// ---- meshes ------------------------------------------------------------------------------------------

static int AddMesh( MeshList* list, const uint32_t* indices, int indexCount, int vertexCount, gelColor color,
	bool withNormals )
{
	if ( list->count == list->capacity )
	{
		int capacity = list->capacity > 0 ? 2 * list->capacity : 8;
		Mesh* items = realloc( list->items, (size_t)capacity * sizeof( Mesh ) );
		if ( items == NULL ) return -1;
		list->items = items;
		list->capacity = capacity;
	}
	Mesh* mesh = list->items + list->count;
	memset( mesh, 0, sizeof( *mesh ) );
	mesh->indexCount = indexCount;
	mesh->vertexCount = vertexCount;
	mesh->color = color;
	mesh->bounds = gelAabb_Empty();

	glGenVertexArrays( 1, &mesh->vertexArray );
	glBindVertexArray( mesh->vertexArray );
	glGenBuffers( 1, &mesh->indices );
	glBindBuffer( GL_ELEMENT_ARRAY_BUFFER, mesh->indices );
	glBufferData( GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)indexCount * (GLsizeiptr)sizeof( uint32_t ), indices,
		GL_STATIC_DRAW );
	GLuint* buffers[2] = { &mesh->positions, &mesh->normals };
	for ( GLuint i = 0; i < ( withNormals ? 2u : 1u ); ++i )
	{
		glGenBuffers( 1, buffers[i] );
		glBindBuffer( GL_ARRAY_BUFFER, *buffers[i] );
		glBufferData(
			GL_ARRAY_BUFFER, (GLsizeiptr)vertexCount * (GLsizeiptr)sizeof( gelVec3 ), NULL, GL_STREAM_DRAW );
		glVertexAttribPointer( i, 3, GL_FLOAT, GL_FALSE, sizeof( gelVec3 ), NULL );
		glEnableVertexAttribArray( i );
	}
	glBindVertexArray( 0 );
	return list->count++;
}

static void SetBuffer( GLuint buffer, const gelVec3* values, int count )
{
	glBindBuffer( GL_ARRAY_BUFFER, buffer );
	glBufferData(
		GL_ARRAY_BUFFER, (GLsizeiptr)count * (GLsizeiptr)sizeof( gelVec3 ), values, GL_STREAM_DRAW );
}

int gelRenderer_AddSurface( gelRenderer* renderer, const uint32_t* triangles, int triangleCount,
	int vertexCount, gelColor color, float depth )
{
	if ( triangleCount > INT32_MAX / 3 ) return -1;
	int surface = AddMesh( &renderer->surfaces, triangles, 3 * triangleCount, vertexCount, color, true );
	if ( surface >= 0 ) renderer->surfaces.items[surface].depth = depth;
	return surface;
}

void gelRenderer_SetSurfaceClosed( gelRenderer* renderer, int surface, bool isClosed )
{
	renderer->surfaces.items[surface].isClosed = isClosed;
}

void gelRenderer_SetSurface(
	gelRenderer* renderer, int surface, const gelVec3* positions, const gelVec3* normals )
{
	Mesh* mesh = renderer->surfaces.items + surface;
	SetBuffer( mesh->positions, positions, mesh->vertexCount );
	SetBuffer( mesh->normals, normals, mesh->vertexCount );
	mesh->bounds = gelAabb_Empty();
	for ( int i = 0; i < mesh->vertexCount; ++i )
	{
		mesh->bounds = gelAabb_Add( mesh->bounds, positions[i] );
	}
}

static void SetAttribute(
	const Mesh* mesh, GLuint* buffer, GLuint location, int components, const void* values )
{
	if ( *buffer == 0 ) glGenBuffers( 1, buffer );
	glBindVertexArray( mesh->vertexArray );
	glBindBuffer( GL_ARRAY_BUFFER, *buffer );
	glBufferData( GL_ARRAY_BUFFER, (GLsizeiptr)mesh->vertexCount * components * (GLsizeiptr)sizeof( float ),
		values, GL_STREAM_DRAW );
	glVertexAttribPointer( location, components, GL_FLOAT, GL_FALSE, 0, NULL );
	glEnableVertexAttribArray( location );
	glBindVertexArray( 0 );
}

void gelRenderer_SetSurfaceColors( gelRenderer* renderer, int surface, const gelColor* colors )
{
	Mesh* mesh = renderer->surfaces.items + surface;
	if ( colors != NULL )
	{
		SetAttribute( mesh, &mesh->colors, attributeColor, 3, colors );
		return;
	}
	glBindVertexArray( mesh->vertexArray );
	glDisableVertexAttribArray( attributeColor );
	glBindVertexArray( 0 );
}

int gelRenderer_AddTexture( gelRenderer* renderer, const uint8_t* pixels, int width, int height )
{
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
	Mesh* mesh = renderer->surfaces.items + surface;
	SetAttribute( mesh, &mesh->uvs, attributePlace, 2, uvs );
	mesh->texture = renderer->textures[texture];
}

int gelRenderer_AddLines(
	gelRenderer* renderer, const uint32_t* pairs, int lineCount, int vertexCount, gelColor color )
{
	int lines = AddMesh( &renderer->lines, pairs, 2 * lineCount, vertexCount, color, false );
	if ( lines >= 0 ) renderer->lines.items[lines].hiddenAlpha = 0.1f;
	return lines;
}

void gelRenderer_SetLinesThrough( gelRenderer* renderer, int lines, float alpha )
{
	renderer->lines.items[lines].hiddenAlpha = alpha;
}

void gelRenderer_SetLines( gelRenderer* renderer, int lines, const gelVec3* positions )
{
	Mesh* mesh = renderer->lines.items + lines;
	SetBuffer( mesh->positions, positions, mesh->vertexCount );
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
	{
		box = ( gelAabb ){ { -1.0f, groundHeight, -1.0f }, { 1.0f, groundHeight, 1.0f } };
	}
	return box;
}

static gelFrameBlock MakeFrame( const gelRenderer* r, const gelRenderView* view )
{
	gelFrameBlock frame;
	float aspect = (float)view->width / (float)view->height;
	gelAabb box = SurfaceBounds( r, view->groundHeight );
	gelVec3 center = gelAabb_Center( box );
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
	memcpy( frame.eye, ( float[4] ){ eye.x, eye.y, eye.z, 1.0f }, sizeof( frame.eye ) );
	memcpy( frame.toLight, ( float[4] ){ toLight.x, toLight.y, toLight.z, 2.0f * radius },
		sizeof( frame.toLight ) );
	memcpy( frame.stage, ( float[4] ){ stageCenter.x, view->groundHeight, stageCenter.z, stageRadius },
		sizeof( frame.stage ) );
	memcpy( frame.patch, ( float[4] ){ patch.x, patch.z, half, view->groundHeight }, sizeof( frame.patch ) );
	gelVec3 look[3];
	gelCamera_Rays( &view->camera, aspect, look );
	for ( int i = 0; i < 3; ++i )
	{
		memcpy(
			frame.look[i], ( float[4] ){ look[i].x, look[i].y, look[i].z, 0.0f }, sizeof( frame.look[i] ) );
	}
	return frame;
}

static void DrawMesh( const Mesh* mesh, GLenum mode, GLuint program, float w )
{
	glUniform4f( glGetUniformLocation( program, "color" ), mesh->color.r, mesh->color.g, mesh->color.b, w );
	glVertexAttrib3f(
		attributeColor, mesh->color.r, mesh->color.g, mesh->color.b ); // where it has none of its own
	glBindVertexArray( mesh->vertexArray );
	glDrawElements( mode, mesh->indexCount, GL_UNSIGNED_INT, NULL );
}

static void DrawDepthMap( gelRenderer* r, const DepthMap* map, MapSide side )
{
	glBindFramebuffer( GL_FRAMEBUFFER, map->framebuffer );
	glViewport( 0, 0, map->size, map->size );
	glClearColor( 1.0f, 1.0f, 1.0f, 1.0f );
	glClear( GL_DEPTH_BUFFER_BIT | ( map->color != 0 ? GL_COLOR_BUFFER_BIT : 0u ) );
	glUseProgram( r->depthProgram );
	glUniform1i( glGetUniformLocation( r->depthProgram, "side" ), side );
	for ( int i = 0; i < r->surfaces.count; ++i )
	{
		DrawMesh( r->surfaces.items + i, GL_TRIANGLES, r->depthProgram, 1.0f );
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
	const GLuint textures[] = { r->shadow.depth, r->shadow.color, r->height.depth, r->groundLight.color,
		r->groundOpen.color, r->shadow.depth, r->top.depth };
	for ( GLuint unit = 0; unit < 7; ++unit )
	{
		glActiveTexture( GL_TEXTURE0 + unit );
		glBindTexture( GL_TEXTURE_2D, textures[unit] );
		glBindSampler( unit, unit == gel_unitShadowCompare ? r->compareSampler : 0 );
	}
	glActiveTexture( GL_TEXTURE0 );
}

// From front to back, so that hidden pixels cost nothing: without a GPU a pixel of the sky is dear, too.
static void DrawSurfaces( gelRenderer* r, const gelRenderView* view )
{
	glUseProgram( r->surfaceProgram );
	glActiveTexture( GL_TEXTURE0 + gel_unitBaseColor );
	glBindSampler( gel_unitBaseColor, 0 );
	for ( int i = 0; i < r->surfaces.count; ++i )
	{
		const Mesh* mesh = r->surfaces.items + i;
		glBindTexture( GL_TEXTURE_2D, mesh->texture != 0 ? mesh->texture : r->white );
		if ( mesh->isClosed )
			glEnable( GL_CULL_FACE );
		else
			glDisable( GL_CULL_FACE );
		DrawMesh( mesh, GL_TRIANGLES, r->surfaceProgram, mesh->depth );
	}
	glDisable( GL_CULL_FACE );
	glBindVertexArray( r->emptyArray );
	// From below the ground would hide everything.
	if ( view->showGround && gelCamera_Eye( &view->camera ).y > view->groundHeight )
	{
		glUseProgram( r->groundProgram ); // the patch around the bodies
		glDrawArrays( GL_TRIANGLE_STRIP, 0, 4 );
		glUseProgram( r->farGroundProgram ); // a ring around it, where no shadow falls
		glDrawArrays( GL_TRIANGLE_STRIP, 4, 10 );
	}
	glUseProgram( r->skyProgram );
	glDepthMask( GL_FALSE );
	glDrawArrays( GL_TRIANGLES, 0, 3 );
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
		glDepthFunc( pass == 0 ? GL_GREATER : GL_LEQUAL );
		for ( int i = 0; i < r->lines.count; ++i )
		{
			const Mesh* mesh = r->lines.items + i;
			float alpha = pass == 0 ? mesh->hiddenAlpha : fmaxf( 0.75f, mesh->hiddenAlpha );
			DrawMesh( mesh, GL_LINES, r->lineProgram, alpha );
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
	BindMaps( r );
	DrawPatchMap( r, &r->groundLight, r->groundLightProgram );
	DrawPatchMap( r, &r->groundOpen, r->groundOpenProgram );

	glEnable( GL_DEPTH_TEST );
	glEnable( GL_FRAMEBUFFER_SRGB );
	glBindFramebuffer( GL_FRAMEBUFFER, view->framebuffer );
	glViewport( 0, 0, view->width, view->height );
	glClear( GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT );
	DrawSurfaces( r, view );
	DrawLines( r );
	glBindVertexArray( 0 );
	return glGetError() == GL_NO_ERROR;
}
