// SPDX-License-Identifier: MIT
// Panels of nuklear in OpenGL. They are drawn into a picture of their own and copied into the window: figures
// change ten times a second, the scene sixty, and on a driver without a GPU text is dear.
#include "preview/window/nuklear_gl.h"

#include "preview/render/shaders.h"

#include <gelpack/asserts.h>

#include <epoxy/gl.h>

#include <stddef.h>
#include <string.h>

typedef struct Vertex
{
	float position[2];
	float uv[2];
	uint8_t color[4];
} Vertex;

static const char* const vertexSource = "layout( location = 0 ) in vec2 position;\n"
										"layout( location = 1 ) in vec2 uv;\n"
										"layout( location = 2 ) in vec4 tint;\n"
										"uniform vec2 window;\n"
										"out vec2 place;\n"
										"out vec4 ownColor;\n"
										"void main()\n"
										"{\n"
										"	place = uv;\n"
										"	ownColor = tint;\n"
										"	vec2 p = 2.0 * position / window - 1.0;\n"
										"	gl_Position = vec4( p.x, -p.y, 0.0, 1.0 );\n"
										"}\n";

static const char* const fragmentSource = "in vec2 place;\n"
										  "in vec4 ownColor;\n"
										  "uniform sampler2D font;\n"
										  "out vec4 result;\n"
										  "void main()\n"
										  "{\n"
										  "	result = ownColor * texture( font, place );\n"
										  "}\n";

static bool MakeFont( gelNuklear* n )
{
	nk_font_atlas_init_default( &n->atlas );
	nk_font_atlas_begin( &n->atlas );
	struct nk_font* font = nk_font_atlas_add_default( &n->atlas, 13.0f, NULL );
	int width = 0, height = 0;
	const void* pixels = nk_font_atlas_bake( &n->atlas, &width, &height, NK_FONT_ATLAS_RGBA32 );
	if ( font == NULL || pixels == NULL ) return false;
	glGenTextures( 1, &n->texture );
	glBindTexture( GL_TEXTURE_2D, n->texture );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR );
	// Glyphs as alpha of white; a white pixel of the same texture ("plain") fills areas, so that text and
	// areas are one draw.
	glTexImage2D( GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels );
	nk_font_atlas_end( &n->atlas, nk_handle_id( (int)n->texture ), &n->plain );
	return nk_init_default( &n->context, &font->handle ) != 0;
}

static void MakeBuffers( gelNuklear* n )
{
	GLuint buffers[2];
	glGenBuffers( 2, buffers );
	n->vertices = buffers[0];
	n->elements = buffers[1];
	glGenVertexArrays( 1, &n->vertexArray );
	glBindVertexArray( n->vertexArray );
	glBindBuffer( GL_ARRAY_BUFFER, n->vertices );
	glBindBuffer( GL_ELEMENT_ARRAY_BUFFER, n->elements );
	const GLsizei stride = sizeof( Vertex );
	glVertexAttribPointer( 0, 2, GL_FLOAT, GL_FALSE, stride, (const void*)offsetof( Vertex, position ) );
	glVertexAttribPointer( 1, 2, GL_FLOAT, GL_FALSE, stride, (const void*)offsetof( Vertex, uv ) );
	glVertexAttribPointer( 2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, (const void*)offsetof( Vertex, color ) );
	for ( GLuint i = 0; i < 3; ++i )
		glEnableVertexAttribArray( i );
	glBindVertexArray( 0 );
}

bool gelCreateNuklear( gelNuklear* n, char* error, int errorCapacity )
{
	GEL_ASSERT( errorCapacity > 0 );
	memset( n, 0, sizeof( *n ) );
	n->program =
		gelBuildGlProgram( gelShaderLiveSettings, vertexSource, fragmentSource, error, errorCapacity );
	if ( n->program == 0 ) return false;
	n->projectionPlace = glGetUniformLocation( n->program, "window" );
	glUniform1i( glGetUniformLocation( n->program, "font" ), 0 );
	nk_buffer_init_default( &n->commands );
	MakeBuffers( n );
	if ( MakeFont( n ) ) return true;
	gelDestroyNuklear( n );
	return false;
}

void gelDestroyNuklear( gelNuklear* n )
{
	if ( n->program == 0 ) return;
	const GLuint buffers[2] = { n->vertices, n->elements };
	glDeleteBuffers( 2, buffers );
	glDeleteVertexArrays( 1, &n->vertexArray );
	glDeleteTextures( 1, &n->texture );
	glDeleteProgram( n->program );
	glDeleteFramebuffers( 1, &n->framebuffer );
	glDeleteTextures( 1, &n->picture );
	nk_font_atlas_clear( &n->atlas );
	nk_buffer_free( &n->commands );
	nk_free( &n->context );
	memset( n, 0, sizeof( *n ) );
}

static void Convert( gelNuklear* n, struct nk_buffer* vertices, struct nk_buffer* elements )
{
	static const struct nk_draw_vertex_layout_element layout[] = {
		{ NK_VERTEX_POSITION, NK_FORMAT_FLOAT, offsetof( Vertex, position ) },
		{ NK_VERTEX_TEXCOORD, NK_FORMAT_FLOAT, offsetof( Vertex, uv ) },
		{ NK_VERTEX_COLOR, NK_FORMAT_R8G8B8A8, offsetof( Vertex, color ) },
		{ NK_VERTEX_LAYOUT_END },
	};
	// In order, because versions of nuklear name the null texture differently.
	const struct nk_convert_config config = { 1.0f, NK_ANTI_ALIASING_ON, NK_ANTI_ALIASING_ON, 22, 22, 22,
		n->plain, layout, sizeof( Vertex ), 4 };
	nk_convert( &n->context, &n->commands, vertices, elements, &config );
}

static void FitPicture( gelNuklear* n, int width, int height )
{
	if ( n->framebuffer == 0 ) glGenFramebuffers( 1, &n->framebuffer );
	glBindFramebuffer( GL_FRAMEBUFFER, n->framebuffer );
	if ( n->width == width && n->height == height ) return;
	if ( n->picture == 0 ) glGenTextures( 1, &n->picture );
	glBindTexture( GL_TEXTURE_2D, n->picture );
	glTexImage2D( GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL );
	glTexParameteri( GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST ); // it has no smaller ones
	glFramebufferTexture2D( GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, n->picture, 0 );
	n->width = width;
	n->height = height;
}

void gelNuklear_Show( const gelNuklear* n )
{
	glDisable( GL_FRAMEBUFFER_SRGB );
	glBindFramebuffer( GL_READ_FRAMEBUFFER, n->framebuffer );
	glBindFramebuffer( GL_DRAW_FRAMEBUFFER, 0 );
	glBlitFramebuffer(
		0, 0, n->width, n->height, 0, 0, n->width, n->height, GL_COLOR_BUFFER_BIT, GL_NEAREST );
	glBindFramebuffer( GL_FRAMEBUFFER, 0 );
}

void gelNuklear_Skip( gelNuklear* n )
{
	nk_clear( &n->context );
}

void gelNuklear_Draw( gelNuklear* n, int width, int height, float scale )
{
	GEL_ASSERT( scale > 0.0f );
	FitPicture( n, width, height );
	struct nk_buffer vertices, elements;
	nk_buffer_init_default( &vertices );
	nk_buffer_init_default( &elements );
	Convert( n, &vertices, &elements );

	glDisable( GL_DEPTH_TEST );
	glDisable( GL_CULL_FACE );
	glDisable( GL_FRAMEBUFFER_SRGB ); // colors of the panels are sRGB already
	glEnable( GL_BLEND );
	glBlendFunc( GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA );
	glEnable( GL_SCISSOR_TEST );
	glViewport( 0, 0, width, height );
	glUseProgram( n->program );
	glUniform2f( n->projectionPlace, (float)width / scale, (float)height / scale );
	glActiveTexture( GL_TEXTURE0 );
	glBindSampler( 0, 0 );
	glBindVertexArray( n->vertexArray );
	glBindBuffer( GL_ARRAY_BUFFER, n->vertices );
	glBufferData( GL_ARRAY_BUFFER, (GLsizeiptr)vertices.allocated, nk_buffer_memory_const( &vertices ),
		GL_STREAM_DRAW );
	glBufferData( GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)elements.allocated,
		nk_buffer_memory_const( &elements ), GL_STREAM_DRAW );

	const struct nk_draw_command* command;
	size_t offset = 0;
	nk_draw_foreach( command, &n->context, &n->commands )
	{
		if ( command->elem_count == 0 ) continue;
		const struct nk_rect clip = command->clip_rect;
		glBindTexture( GL_TEXTURE_2D, (GLuint)command->texture.id );
		// nuklear counts in window units from the top, OpenGL in pixels from the bottom.
		glScissor( (GLint)( clip.x * scale ), height - (GLint)( ( clip.y + clip.h ) * scale ),
			(GLsizei)( clip.w * scale ), (GLsizei)( clip.h * scale ) );
		glDrawElements( GL_TRIANGLES, (GLsizei)command->elem_count, GL_UNSIGNED_SHORT, (const void*)offset );
		offset += command->elem_count * sizeof( nk_draw_index );
	}
	glDisable( GL_SCISSOR_TEST );
	glDisable( GL_BLEND );
	glBindVertexArray( 0 );
	nk_clear( &n->context );
	nk_buffer_clear( &n->commands );
	nk_buffer_free( &vertices );
	nk_buffer_free( &elements );
}
