// SPDX-License-Identifier: MIT
// The node hierarchy of a glTF file as a flat list of placed primitives.
#pragma once

#include "common/import/gltf_internal.h"

#include <gelpack/math_double.h>

/// One triangle primitive of a mesh at a node.
typedef struct gelGltfInstance
{
	const cgltf_primitive* primitive;
	gelGltfPlace place;
	uint32_t transform;   // in transforms
	uint32_t firstVertex; // in the running numbers over all primitives
	uint32_t vertexCount;
	bool sharesVertices; // its vertices are those of the instance before it
	uint32_t triangleCount;
} gelGltfInstance;

/// World transform: x -> linear x + translation [m].
typedef struct gelGltfTransform
{
	gelMat3d linear;
	gelVec3d translation;
	bool identity;
} gelGltfTransform;

/// A node that has extras, or a name that marks it, and where it is.
typedef struct gelGltfPoint
{
	size_t node;
	gelGltfTransform world;
} gelGltfPoint;

typedef struct gelGltfScene
{
	gelGltfInstance* instances;
	size_t instanceCount, instanceCapacity;
	gelGltfTransform* transforms;
	size_t transformCount, transformCapacity;
	uint64_t vertexCount, triangleCount;
	gelGltfInstance* lines; // primitives of lines; triangleCount is that of their segments
	size_t lineCount, lineCapacity;
	uint64_t segmentCount;
	gelGltfPoint* points;
	size_t pointCount, pointCapacity;
	uint32_t skippedPrimitives; // points
	uint32_t skinnedNodes, morphedMeshes, instancedNodes;
} gelGltfScene;

/// Walks the default scene (all scenes if there is none, all roots if there are no scenes, all meshes if
/// there are no nodes), loads and checks what the triangles need. False: errors were added.
bool gelCollectGltfScene( gelImporter* importer, cgltf_data* data, gelGltfScene* out );

void gelFreeGltfScene( gelGltfScene* scene );

/// The transform of a point. Rounded to float it may be infinite.
gelVec3 gelMoveGltfPoint( const gelGltfTransform* transform, const float p[3] );
/// The attribute POSITION, which is there in primitives of a scene.
const cgltf_accessor* gelFindGltfPositions( const cgltf_primitive* primitive );
/// Adds a finding about a place. Always false, so that a refusal is one line.
bool gelRefuseGltf( gelImporter* importer, const gelGltfPlace* place, int number, const char* problem );

// ---- points: gltf_points.c -----------------------------------------------------------------------------

/// Whether a node may be one: it has extras, or a name that marks attachment points.
bool gelIsGltfPoint( const cgltf_node* node );

/// Reads the points of a scene into the importer's mesh. False: errors were added.
bool gelReadGltfPoints( gelImporter* importer, const cgltf_data* data, const gelGltfScene* scene );

// ---- lines: gltf_lines.c ------------------------------------------------------------------------------

bool gelIsGltfLine( cgltf_primitive_type type );
uint32_t gelCountGltfSegments( cgltf_primitive_type type, size_t cornerCount );

/// Reads the lines of a scene into the importer's mesh. False: errors were added.
bool gelReadGltfLines( gelImporter* importer, const gelGltfScene* scene );
