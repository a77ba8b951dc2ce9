// SPDX-License-Identifier: MIT
// Draws nuklear's panels with OpenGL 3.3. They are kept as a picture of their own, since without a GPU
// drawing them takes as long as drawing a body does.
#pragma once

#include "preview/window/nuklear_setup.h"

#include <stdbool.h>

typedef struct gelNuklear
{
	struct nk_context context;
	struct nk_font_atlas atlas;
	struct nk_buffer commands;
	struct nk_draw_null_texture plain;
	unsigned program, vertexArray, vertices, elements, texture;
	int projectionPlace;
	unsigned framebuffer, picture; // what was drawn last
	int width, height;             // size of the picture [pixels]
} gelNuklear;

/// Needs a current context. False: out of memory, or error says why.
bool gelCreateNuklear( gelNuklear* nuklear, char* error, int errorCapacity );
void gelDestroyNuklear( gelNuklear* nuklear );

/// Draws what was laid out since the last time into the picture. Panels are opaque and fill it.
/// @param width, height of the picture [pixels] @param scale pixels per unit of the panels
void gelNuklear_Draw( gelNuklear* nuklear, int width, int height, float scale );

/// Forgets what was laid out since the last time.
void gelNuklear_Skip( gelNuklear* nuklear );

/// Copies the picture to the left border of the window.
void gelNuklear_Show( const gelNuklear* nuklear );
