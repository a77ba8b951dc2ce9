// SPDX-License-Identifier: MIT
#include "preview/render/render_target.h"

#include <gelpack/asserts.h>

#include <epoxy/gl.h>

#include <string.h>

bool gelCreateRenderTarget( gelRenderTarget* target, int width, int height, int samples )
{
	GEL_ASSERT( width > 0 && height > 0 && samples >= 0 );
	memset( target, 0, sizeof( *target ) );
	target->width = width;
	target->height = height;
	GLint maxSize = 0, maxSamples = 0;
	glGetIntegerv( GL_MAX_RENDERBUFFER_SIZE, &maxSize );
	glGetIntegerv( GL_MAX_SAMPLES, &maxSamples );
	if ( width > maxSize || height > maxSize ) return false;
	if ( samples > maxSamples ) samples = maxSamples;

	GLuint buffers[3], framebuffers[2];
	glGenRenderbuffers( 3, buffers );
	glGenFramebuffers( 2, framebuffers );
	target->color = buffers[0];
	target->depth = buffers[1];
	target->resolveColor = buffers[2];
	target->framebuffer = framebuffers[0];
	target->resolveFramebuffer = framebuffers[1];

	glBindRenderbuffer( GL_RENDERBUFFER, target->color );
	glRenderbufferStorageMultisample( GL_RENDERBUFFER, samples, GL_SRGB8_ALPHA8, width, height );
	glBindRenderbuffer( GL_RENDERBUFFER, target->depth );
	glRenderbufferStorageMultisample( GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height );
	glBindRenderbuffer( GL_RENDERBUFFER, target->resolveColor );
	glRenderbufferStorage( GL_RENDERBUFFER, GL_SRGB8_ALPHA8, width, height );

	glBindFramebuffer( GL_FRAMEBUFFER, target->resolveFramebuffer );
	glFramebufferRenderbuffer( GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->resolveColor );
	bool ok = glCheckFramebufferStatus( GL_FRAMEBUFFER ) == GL_FRAMEBUFFER_COMPLETE;
	glBindFramebuffer( GL_FRAMEBUFFER, target->framebuffer );
	glFramebufferRenderbuffer( GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->color );
	glFramebufferRenderbuffer( GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->depth );
	ok = ok && glCheckFramebufferStatus( GL_FRAMEBUFFER ) == GL_FRAMEBUFFER_COMPLETE;
	if ( !ok || glGetError() != GL_NO_ERROR )
	{
		gelDestroyRenderTarget( target );
		return false;
	}
	return true;
}

void gelDestroyRenderTarget( gelRenderTarget* target )
{
	if ( target->framebuffer == 0 ) return;
	const GLuint buffers[3] = { target->color, target->depth, target->resolveColor };
	const GLuint framebuffers[2] = { target->framebuffer, target->resolveFramebuffer };
	glDeleteFramebuffers( 2, framebuffers );
	glDeleteRenderbuffers( 3, buffers );
	memset( target, 0, sizeof( *target ) );
}

void gelRenderTarget_Show( gelRenderTarget* target, unsigned framebuffer )
{
	glDisable( GL_FRAMEBUFFER_SRGB ); // the bytes are sRGB already, and shown as they are
	glBindFramebuffer( GL_READ_FRAMEBUFFER, target->framebuffer );
	glBindFramebuffer( GL_DRAW_FRAMEBUFFER, framebuffer );
	glBlitFramebuffer( 0, 0, target->width, target->height, 0, 0, target->width, target->height,
		GL_COLOR_BUFFER_BIT, GL_NEAREST );
	glBindFramebuffer( GL_FRAMEBUFFER, framebuffer );
}

bool gelRenderTarget_Read( gelRenderTarget* target, gelImage* outImage )
{
	if ( !gelCreateImage( outImage, target->width, target->height ) ) return false;
	glBindFramebuffer( GL_READ_FRAMEBUFFER, target->framebuffer );
	glBindFramebuffer( GL_DRAW_FRAMEBUFFER, target->resolveFramebuffer );
	glBlitFramebuffer( 0, 0, target->width, target->height, 0, 0, target->width, target->height,
		GL_COLOR_BUFFER_BIT, GL_NEAREST );
	glBindFramebuffer( GL_READ_FRAMEBUFFER, target->resolveFramebuffer );
	glPixelStorei( GL_PACK_ALIGNMENT, 1 );
	glReadPixels( 0, 0, target->width, target->height, GL_RGB, GL_UNSIGNED_BYTE, outImage->pixels );
	if ( glGetError() != GL_NO_ERROR )
	{
		gelFreeImage( outImage );
		return false;
	}
	gelImage_FlipRows( outImage ); // OpenGL's first row is the lowest
	return true;
}
