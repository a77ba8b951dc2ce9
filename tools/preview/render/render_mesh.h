// SPDX-License-Identifier: MIT
// Triangles and lines in buffers of the driver, for the renderer.
#pragma once

#include "preview/render/renderer.h"

#include <epoxy/gl.h>

typedef struct gelRenderMesh
{
	GLuint vertexArray, positions, normals, indices;
	GLuint colors, uvs; // 0: none
	GLuint texture;     // 0: none
	GLsizei indexCount;
	int vertexCount;
	gelColor color;
	float depth;       // [m]
	float hiddenAlpha; // opacity of lines behind other things
	bool isClosed;     // its inner side is never seen
	float glow[4];     // light of its own; opacity
	float cutoff;      // least alpha that is drawn; 0: all; negative: as much as alpha says
	uint32_t* corners; // corners of triangles, until their edges are measured; else NULL
	float longestEdge; // longest edge of the triangles, in their first shape [m]
	gelAabb bounds;
} gelRenderMesh;

typedef struct gelRenderMeshList
{
	gelRenderMesh* items;
	int count;
	size_t capacity;
} gelRenderMeshList;

// Attributes of a vertex beside position (0) and normal (1); the shaders know these numbers.
enum
{
	gel_attributeColor = 2,
	gel_attributePlace = 3,
};

/// @param withNormals whether a vertex has one: then these are triangles, else lines
/// @return its number, or -1: out of memory
int gelRenderMeshList_Add( gelRenderMeshList* list, const uint32_t* indices, int indexCount, int vertexCount,
	gelColor color, bool withNormals );
void gelRenderMeshList_Free( gelRenderMeshList* list );

/// Positions or normals for all vertices.
void gelRenderMesh_SetVectors( const gelRenderMesh* mesh, GLuint buffer, const gelVec3* values );
/// Another attribute for all vertices; makes its buffer first where that is 0.
void gelRenderMesh_SetAttribute(
	const gelRenderMesh* mesh, GLuint* buffer, GLuint location, int components, const void* values );

/// Measures the edges of the triangles, once.
void gelRenderMesh_MeasureEdges( gelRenderMesh* mesh, const gelVec3* positions );

/// Draws with a program that has a uniform "color". @param w fourth component of that
void gelRenderMesh_Draw( const gelRenderMesh* mesh, GLenum mode, GLuint program, float w );
/// Switches culling on for a closed surface: its inner side is behind its outer side, wherever one looks
/// from.
void gelRenderMesh_CullInside( const gelRenderMesh* mesh );
