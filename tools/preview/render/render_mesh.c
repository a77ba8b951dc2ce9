// SPDX-License-Identifier: MIT
#include "preview/render/render_mesh.h"

#include "common/program/memory.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

int gelRenderMeshList_Add( gelRenderMeshList* list, const uint32_t* indices, int indexCount, int vertexCount,
	gelColor color, bool withNormals )
{
	GEL_ASSERT( indexCount >= 0 && vertexCount >= 0 );
	if ( !GEL_GROW( list->items, list->capacity, (size_t)list->count + 1 ) ) return -1;
	gelRenderMesh* mesh = list->items + list->count;
	memset( mesh, 0, sizeof( *mesh ) );
	mesh->indexCount = indexCount;
	mesh->vertexCount = vertexCount;
	mesh->color = color;
	mesh->bounds = gelAabb_Empty();

	size_t indexBytes = (size_t)indexCount * sizeof( uint32_t );
	if ( withNormals )
	{
		mesh->corners = malloc( indexBytes + 1 );
		if ( mesh->corners == NULL ) return -1;
		if ( indexCount > 0 ) memcpy( mesh->corners, indices, indexBytes );
	}
	glGenVertexArrays( 1, &mesh->vertexArray );
	glBindVertexArray( mesh->vertexArray );
	glGenBuffers( 1, &mesh->indices );
	glBindBuffer( GL_ELEMENT_ARRAY_BUFFER, mesh->indices );
	glBufferData( GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)indexBytes, indices, GL_STATIC_DRAW );
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

void gelRenderMeshList_Free( gelRenderMeshList* list )
{
	for ( int i = 0; i < list->count; ++i )
	{
		gelRenderMesh* mesh = list->items + i;
		const GLuint buffers[5] = { mesh->positions, mesh->normals, mesh->indices, mesh->colors, mesh->uvs };
		glDeleteBuffers( 5, buffers );
		glDeleteVertexArrays( 1, &mesh->vertexArray );
		free( mesh->corners );
	}
	free( list->items );
	*list = ( gelRenderMeshList ){ 0 };
}

void gelRenderMesh_SetVectors( const gelRenderMesh* mesh, GLuint buffer, const gelVec3* values )
{
	glBindBuffer( GL_ARRAY_BUFFER, buffer );
	glBufferData( GL_ARRAY_BUFFER, (GLsizeiptr)mesh->vertexCount * (GLsizeiptr)sizeof( gelVec3 ), values,
		GL_STREAM_DRAW );
}

void gelRenderMesh_SetAttribute(
	const gelRenderMesh* mesh, GLuint* buffer, GLuint location, int components, const void* values )
{
	GEL_ASSERT( components >= 1 && components <= 4 );
	if ( *buffer == 0 ) glGenBuffers( 1, buffer );
	glBindVertexArray( mesh->vertexArray );
	glBindBuffer( GL_ARRAY_BUFFER, *buffer );
	glBufferData( GL_ARRAY_BUFFER, (GLsizeiptr)mesh->vertexCount * components * (GLsizeiptr)sizeof( float ),
		values, GL_STREAM_DRAW );
	glVertexAttribPointer( location, components, GL_FLOAT, GL_FALSE, 0, NULL );
	glEnableVertexAttribArray( location );
	glBindVertexArray( 0 );
}

void gelRenderMesh_MeasureEdges( gelRenderMesh* mesh, const gelVec3* positions )
{
	if ( mesh->corners == NULL ) return;
	for ( GLsizei i = 0; i < mesh->indexCount; ++i )
	{
		GLsizei next = i % 3 == 2 ? i - 2 : i + 1;
		gelVec3 d = gelSub( positions[mesh->corners[i]], positions[mesh->corners[next]] );
		mesh->longestEdge = fmaxf( mesh->longestEdge, gelDot( d, d ) );
	}
	mesh->longestEdge = sqrtf( mesh->longestEdge );
	free( mesh->corners );
	mesh->corners = NULL;
}

void gelRenderMesh_Draw( const gelRenderMesh* mesh, GLenum mode, GLuint program, float w )
{
	glUniform4f( glGetUniformLocation( program, "color" ), mesh->color.r, mesh->color.g, mesh->color.b, w );
	glVertexAttrib3f(
		gel_attributeColor, mesh->color.r, mesh->color.g, mesh->color.b ); // where it has none of its own
	glBindVertexArray( mesh->vertexArray );
	glDrawElements( mode, mesh->indexCount, GL_UNSIGNED_INT, NULL );
}

void gelRenderMesh_CullInside( const gelRenderMesh* mesh )
{
	if ( mesh->isClosed )
		glEnable( GL_CULL_FACE );
	else
		glDisable( GL_CULL_FACE );
}
