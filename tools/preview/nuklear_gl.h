// SPDX-License-Identifier: MIT
// Draws nuklear's panels with OpenGL 3.3 over what is in the framebuffer.
#pragma once

#include "nuklear_setup.h"

#include <stdbool.h>

typedef struct gelNuklear
{
	struct nk_context context;
	struct nk_font_atlas atlas;
	struct nk_buffer commands;
	struct nk_draw_null_texture plain;
	unsigned program, vertexArray, vertices, elements, texture;
	int projectionPlace;
} gelNuklear;

/// Needs a current context. False: out of memory, or error says why.
bool gelCreateNuklear( gelNuklear* nuklear, char* error, int errorCapacity );
void gelDestroyNuklear( gelNuklear* nuklear );

/// Draws what was laid out since the last time. @param scale pixels per unit of the panels
void gelNuklear_Draw( gelNuklear* nuklear, int width, int height, float scale );
