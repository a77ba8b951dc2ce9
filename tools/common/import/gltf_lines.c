// SPDX-License-Identifier: MIT
// Lines of a glTF file: LINES, LINE_STRIP and LINE_LOOP (glTF 2.0, section 3.7.2.1) as segments in the world.
#include "common/import/gltf_scene.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool gelIsGltfLine( cgltf_primitive_type type )
{
	return type == cgltf_primitive_type_lines || type == cgltf_primitive_type_line_strip ||
		type == cgltf_primitive_type_line_loop;
}

uint32_t gelCountGltfSegments( cgltf_primitive_type type, size_t cornerCount )
{
	if ( cornerCount < 2 ) return 0;
	if ( type == cgltf_primitive_type_lines ) return (uint32_t)( cornerCount / 2 );
	return (uint32_t)cornerCount - ( type == cgltf_primitive_type_line_strip ? 1 : 0 );
}

// Corner k of segment s.
static size_t CornerOf( cgltf_primitive_type type, size_t s, size_t k, size_t cornerCount )
{
	return type == cgltf_primitive_type_lines ? 2 * s + k : ( s + k ) % cornerCount;
}

static bool AddSegments( gelImporter* importer, const gelGltfInstance* line,
	const gelGltfTransform* transform, const float* positions, const uint32_t* corners, size_t cornerCount )
{
	GEL_ASSERT( positions != NULL );
	gelMesh* mesh = importer->mesh;
	for ( size_t i = 0; corners != NULL && i < cornerCount; ++i )
	{
		if ( corners[i] >= line->vertexCount )
			return gelRefuseGltf( importer, &line->place, gel_findingGltfIndexMissing,
				"an index is beyond the vertices of the lines; export the file again" );
	}
	for ( size_t s = 0; s < line->triangleCount; ++s )
	{
		for ( size_t k = 0; k < 2; ++k )
		{
			size_t corner = CornerOf( line->primitive->type, s, k, cornerCount );
			size_t vertex = corners != NULL ? corners[corner] : corner;
			gelVec3 p = gelMoveGltfPoint( transform, positions + 3 * vertex );
			memcpy( mesh->linePoints + 6 * (size_t)mesh->lineCount + 3 * k, &p, sizeof p );
			if ( !isfinite( p.x ) || !isfinite( p.y ) || !isfinite( p.z ) )
				return gelRefuseGltf( importer, &line->place, gel_findingValueNotFinite,
					"positions of lines are not finite, or the transform makes them so" );
		}
		++mesh->lineCount;
	}
	return true;
}

static bool ReadLine( gelImporter* importer, const gelGltfScene* scene, const gelGltfInstance* line )
{
	const cgltf_accessor *positions = gelFindGltfPositions( line->primitive ),
						 *indices = line->primitive->indices;
	float* points = malloc( ( 3 * (size_t)line->vertexCount + 1 ) * sizeof( float ) );
	uint32_t* corners = indices ? malloc( ( indices->count + 1 ) * sizeof( uint32_t ) ) : NULL;
	bool ok = points != NULL && ( indices == NULL || corners != NULL );
	if ( !ok ) gelImporter_OutOfMemory( importer );
	if ( ok ) gelReadAccessorFloats( positions, 3, points );
	if ( ok && indices ) gelReadAccessorIndices( indices, corners );
	ok = ok &&
		AddSegments( importer, line, scene->transforms + line->transform, points, corners,
			indices ? indices->count : line->vertexCount );
	free( points );
	free( corners );
	return ok;
}

bool gelReadGltfLines( gelImporter* importer, const gelGltfScene* scene )
{
	if ( scene->segmentCount == 0 ) return true;
	importer->mesh->linePoints = malloc( 6 * (size_t)scene->segmentCount * sizeof( float ) );
	if ( importer->mesh->linePoints == NULL ) return gelImporter_OutOfMemory( importer );
	for ( size_t i = 0; i < scene->lineCount; ++i )
	{
		if ( !ReadLine( importer, scene, scene->lines + i ) ) return false;
	}
	return true;
}
