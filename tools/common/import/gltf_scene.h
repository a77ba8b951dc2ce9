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
	const cgltf_skin* skin; // NULL: the vertices move with the node
	bool isMirrored;        // triangles are inside out; of skins known when vertices are read
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

/// Where the nodes are, and what an animation says of morph targets; per node.
typedef struct gelGltfPose
{
	gelGltfTransform* worlds; // where isKnown
	bool* isKnown;
	float** weights; // NULL: not animated
	size_t* weightCounts;
	size_t nodeCount;
} gelGltfPose;

typedef struct gelGltfScene
{
	gelGltfPose pose;
	gelGltfTransform** joints; // per skin: from its vertices to the world, per joint; NULL: not asked for yet
	size_t skinCount;
	uint64_t morphReads; // vertices of morph targets that have to be read
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
/// The inverse transpose of a transform times normals, unit length again, or zero where there is no such.
void gelTurnGltfNormals( const gelGltfTransform* transform, float* normals, size_t count );
/// The attribute POSITION, which is there in primitives of a scene.
const cgltf_accessor* gelFindGltfPositions( const cgltf_primitive* primitive );
/// Adds a finding about a place. Always false, so that a refusal is one line.
bool gelRefuseGltf( gelImporter* importer, const gelGltfPlace* place, int number, const char* problem );

/// Loads the buffers of an accessor and checks it. False: an error was added.
/// @param wantedCount elements that it must have; 0: any number
bool gelCheckGltfAccessor( gelImporter* importer, cgltf_data* data, const gelGltfPlace* place,
	const char* role, const cgltf_accessor* accessor, size_t wantedCount );

// ---- pose: gltf_pose.c ----------------------------------------------------------------------------------

/// Puts the nodes into the pose of the animation that was asked for, if any. False: errors were added.
bool gelPoseGltf( gelImporter* importer, cgltf_data* data, gelGltfPose* pose );
void gelFreeGltfPose( gelGltfPose* pose );

/// World transform of a node, by its parents. NULL: an error was added. @param node NULL: the world itself
const gelGltfTransform* gelFindGltfWorld(
	gelImporter* importer, const cgltf_data* data, gelGltfPose* pose, const cgltf_node* node );

/// First local, then parent.
gelGltfTransform gelCombineGltf( const gelGltfTransform* parent, const gelGltfTransform* local );
/// A transform of the columns of a matrix; `identity` is false.
gelGltfTransform gelMakeGltfTransform( const float matrix[16] );
bool gelIsFiniteGltf( const gelGltfTransform* transform );

// ---- skins and morph targets: gltf_skin.c ---------------------------------------------------------------

/// Checks what skin and morph targets of an instance need; takes a skin that has no meaning for it away.
/// False: errors were added.
bool gelCheckGltfDeform(
	gelImporter* importer, cgltf_data* data, gelGltfScene* scene, gelGltfInstance* instance );

/// Whether vertices are elsewhere than its positions, moved by its transform, say.
bool gelIsDeformedGltf( const gelGltfScene* scene, const gelGltfInstance* instance );

/// Whether the same vertices come out of both.
bool gelIsSameDeformGltf( const gelGltfScene* scene, const gelGltfInstance* a, const gelGltfInstance* b );

/// Moves vertices by morph targets, and by the skin, if there is one, to where they are in the world.
/// @param normals NULL: none
bool gelDeformGltf( gelImporter* importer, const cgltf_data* data, gelGltfScene* scene,
	gelGltfInstance* instance, float* positions, float* normals );

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
