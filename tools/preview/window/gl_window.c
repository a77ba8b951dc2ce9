// SPDX-License-Identifier: MIT
#include "preview/window/gl_window.h"

#include <gelpack/asserts.h>

#include <epoxy/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>
#include <string.h>

static bool Fail( gelGlWindow* window, const char* what )
{
	const char* why = NULL;
	glfwGetError( &why );
	snprintf( window->error, sizeof( window->error ), "%s%s%s", what, why != NULL ? ": " : "",
		why != NULL ? why : "" );
	return false;
}

static GLFWwindow* TryApi( int api, int width, int height, const char* title )
{
	glfwDefaultWindowHints();
	glfwWindowHint( GLFW_CONTEXT_CREATION_API, api );
	glfwWindowHint( GLFW_CONTEXT_VERSION_MAJOR, 3 );
	glfwWindowHint( GLFW_CONTEXT_VERSION_MINOR, 3 );
	glfwWindowHint( GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE );
	glfwWindowHint( GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE );
	glfwWindowHint( GLFW_DEPTH_BITS, 24 );
	glfwWindowHint( GLFW_STENCIL_BITS, 0 );
	return glfwCreateWindow( width, height, title, NULL, NULL );
}

bool gelCreateGlWindow( gelGlWindow* window, int width, int height, const char* title )
{
	GEL_ASSERT( width > 0 && height > 0 );
	memset( window, 0, sizeof( *window ) );
	if ( !glfwInit() ) return Fail( window, "there is no display to open a window on" );
	window->handle = TryApi( GLFW_NATIVE_CONTEXT_API, width, height, title );
	if ( window->handle == NULL ) window->handle = TryApi( GLFW_EGL_CONTEXT_API, width, height, title );
	if ( window->handle == NULL )
	{
		Fail( window, "the display offers no OpenGL 3.3 window" );
		glfwTerminate();
		return false;
	}
	glfwMakeContextCurrent( window->handle );
	if ( epoxy_gl_version() < 33 )
	{
		Fail( window, "the driver offers less than OpenGL 3.3" );
		gelDestroyGlWindow( window );
		return false;
	}
	glfwSwapInterval( 1 );
	const char* renderer = (const char*)glGetString( GL_RENDERER );
	snprintf( window->renderer, sizeof( window->renderer ), "%s", renderer != NULL ? renderer : "unknown" );
	return true;
}

void gelDestroyGlWindow( gelGlWindow* window )
{
	if ( window->handle == NULL ) return;
	glfwDestroyWindow( window->handle );
	window->handle = NULL;
	// GLFW stays: the program ends now, and drivers that are unloaded leave memory behind that nobody can
	// tell from a leak of ours.
}
