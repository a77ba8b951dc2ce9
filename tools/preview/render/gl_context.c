// SPDX-License-Identifier: MIT
#include "preview/render/gl_context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define GEL_MAX_EGL_DEVICES 8

static bool Fail( gelGlContext* context, const char* format, ... )
	__attribute__( ( format( printf, 2, 3 ) ) );
static bool Fail( gelGlContext* context, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( context->error, sizeof( context->error ), format, arguments );
	va_end( arguments );
	return false;
}

// Leaves a display either with a current context of the right version, or as if nothing had been tried.
static bool TryDisplay( gelGlContext* context, EGLDisplay display )
{
	if ( display == EGL_NO_DISPLAY ) return Fail( context, "EGL has no display" );
	if ( !eglInitialize( display, NULL, NULL ) )
		return Fail( context, "EGL cannot be initialized (error 0x%04x)", (unsigned)eglGetError() );
	context->display = display;

	bool surfaceless = epoxy_has_egl_extension( display, "EGL_KHR_surfaceless_context" );
	const EGLint configAttributes[] = { EGL_SURFACE_TYPE, surfaceless ? 0 : EGL_PBUFFER_BIT,
		EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE };
	const EGLint contextAttributes[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
		EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE };
	const EGLint surfaceAttributes[] = { EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE };

	EGLConfig config = NULL;
	EGLint configCount = 0;
	EGLContext made = EGL_NO_CONTEXT;
	EGLSurface surface = EGL_NO_SURFACE;
	if ( eglBindAPI( EGL_OPENGL_API ) &&
		eglChooseConfig( display, configAttributes, &config, 1, &configCount ) && configCount == 1 )
	{
		made = eglCreateContext( display, config, EGL_NO_CONTEXT, contextAttributes );
		if ( !surfaceless ) surface = eglCreatePbufferSurface( display, config, surfaceAttributes );
	}
	context->context = made;
	context->surface = surface;
	if ( made != EGL_NO_CONTEXT && eglMakeCurrent( display, surface, surface, made ) &&
		epoxy_gl_version() >= 33 )
	{
		return true;
	}
	Fail(
		context, "the driver offers no OpenGL 3.3 core context (EGL error 0x%04x)", (unsigned)eglGetError() );
	gelDestroyGlContext( context );
	return false;
}

static bool TryDevices( gelGlContext* context )
{
	EGLDeviceEXT devices[GEL_MAX_EGL_DEVICES];
	EGLint deviceCount = 0;
	if ( !eglQueryDevicesEXT( GEL_MAX_EGL_DEVICES, devices, &deviceCount ) ) return false;
	for ( int i = 0; i < deviceCount; ++i )
	{
		if ( TryDisplay( context, eglGetPlatformDisplayEXT( EGL_PLATFORM_DEVICE_EXT, devices[i], NULL ) ) )
			return true;
	}
	return false;
}

bool gelCreateGlContext( gelGlContext* context )
{
	memset( context, 0, sizeof( *context ) );
	// epoxy aborts the process when it is asked for a function of a missing libEGL.
	if ( !epoxy_has_egl() ) return Fail( context, "libEGL is not installed" );

	bool found = false;
	bool hasPlatforms = epoxy_has_egl_extension( EGL_NO_DISPLAY, "EGL_EXT_platform_base" );
	if ( hasPlatforms && epoxy_has_egl_extension( EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless" ) )
	{
		found = TryDisplay(
			context, eglGetPlatformDisplayEXT( EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL ) );
	}
	if ( !found && hasPlatforms && epoxy_has_egl_extension( EGL_NO_DISPLAY, "EGL_EXT_device_enumeration" ) )
		found = TryDevices( context );
	if ( !found ) found = TryDisplay( context, eglGetDisplay( EGL_DEFAULT_DISPLAY ) );
	if ( !found ) return false;

	const char* renderer = (const char*)glGetString( GL_RENDERER );
	snprintf( context->renderer, sizeof( context->renderer ), "%s", renderer != NULL ? renderer : "unknown" );
	context->error[0] = 0;
	return true;
}

void gelDestroyGlContext( gelGlContext* context )
{
	if ( context->display == NULL ) return;
	eglMakeCurrent( context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT );
	if ( context->surface != NULL ) eglDestroySurface( context->display, context->surface );
	if ( context->context != NULL ) eglDestroyContext( context->display, context->context );
	// The display stays initialized: EGL hands the same one to everybody in the process, and drivers that are
	// unloaded and loaded again leak.
	eglReleaseThread();
	context->display = NULL;
	context->context = NULL;
	context->surface = NULL;
}
