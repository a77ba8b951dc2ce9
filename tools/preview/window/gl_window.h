// SPDX-License-Identifier: MIT
// A window with an OpenGL 3.3 core context (GLFW).
#pragma once

#include <stdbool.h>

typedef struct GLFWwindow GLFWwindow;

typedef struct gelGlWindow
{
	GLFWwindow* handle;
	char renderer[96]; // what draws
	char error[200];   // why there is no window
} gelGlWindow;

/// Opens a window and makes its context current. False: error says why.
bool gelCreateGlWindow( gelGlWindow* window, int width, int height, const char* title );

/// Allowed on a window that could not be made, and on zeros.
void gelDestroyGlWindow( gelGlWindow* window );
