// SPDX-License-Identifier: MIT
// An art mesh in memory, whatever file it came from. Render vertices keep their splits (UV and normal
// seams); vertToWeld joins those with bitwise equal positions, so that geometry never sees a seam.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GEL_MESH_MAX_TRIANGLES 16000000u
#define GEL_NO_INDEX           0xFFFFFFFFu

typedef struct gelMeshMaterial
{
	char* name; // never NULL
	float baseColor[4];
	char* picture; // file that OBJ or FBX names for it, as they write it, or NULL; glTF says more
				   // (preview/render)
} gelMeshMaterial;

/// A run of triangles that belong together: OBJ group or object, glTF node.
typedef struct gelMeshGroup
{
	char* name;    // never NULL
	char* parents; // names of the nodes above it and of its mesh, a line each, or NULL
	char* extras;  // JSON text of the glTF node's and mesh's extras, or NULL
	bool isHidden; // in the file's own scene
	uint32_t firstTriangle, triangleCount;
} gelMeshGroup;

/// A custom per-vertex attribute, such as glTF "_STIFFNESS".
typedef struct gelMeshAttribute
{
	char* name;
	uint32_t components; // 1..4
	float* values;       // components * vertexCount
} gelMeshAttribute;

/// A node of a glTF file that says more than where a mesh is: one without triangles that has extras, or one
/// that is marked as an attachment point, by its extras or its name.
typedef struct gelMeshPoint
{
	char* name;         // never NULL
	char* extras;       // JSON text of the extras of the node and its mesh, or NULL
	bool hasGroup;      // it has triangles, and so a group with these extras
	double position[3]; // its origin [m]; may be not finite
	double rotation[4]; // x y z w, of its axes; all zero: its scale is zero, they have no direction
} gelMeshPoint;

/// Extra that makes the node an attachment point. And what names of such nodes start with, in any case of
/// letters.
#define GEL_ATTACHMENT_EXTRA  "gelpack_attachment"
#define GEL_ATTACHMENT_PREFIX "attach_"

typedef struct gelMesh
{
	uint32_t vertexCount; // render vertices
	float* positions;     // 3 per vertex [m]; all finite
	float* normals; // 3 per vertex, unit length; always there after import (computed when the file has none)
	float* uvs;     // 2 per vertex, or NULL
	float* colors;  // 4 per vertex, or NULL
	/// OBJ: position index in the file; glTF: running vertex number over primitives in node order (primitives
	/// that share all their accessors under one transform share the numbers). Never falls from one vertex to
	/// the next.
	uint32_t* vertToSource;
	uint32_t sourceVertexCount; // vertices that the file holds, those that no triangle uses included
	bool normalsFromFile;

	uint32_t triangleCount;
	uint32_t* indices;     // 3 per triangle, render vertices, counter-clockwise from outside
	uint32_t* triMaterial; // per triangle, GEL_NO_INDEX: none

	uint32_t lineCount; // segments of polylines
	float* linePoints;  // 6 per segment: both ends [m]; NULL without

	uint32_t weldCount;   // distinct positions
	uint32_t* vertToWeld; // per render vertex; welds numbered by first occurrence

	gelMeshMaterial* materials;
	uint32_t materialCount;
	gelMeshGroup* groups;
	uint32_t groupCount;
	char* extras; // JSON text of the glTF scene's extras, or NULL
	gelMeshPoint* points;
	uint32_t pointCount;
	gelMeshAttribute* attributes;
	uint32_t attributeCount;

	float boundsMin[3], boundsMax[3];
} gelMesh;

void gelFreeMesh( gelMesh* mesh );

/// Fills vertToWeld and weldCount from the positions (bitwise equal, +0 == -0). False: out of memory.
bool gelMesh_Weld( gelMesh* mesh );

/// Angle-weighted smooth normals over welds, for meshes without their own; zero-area triangles are passed
/// over. Welds first if that was not done. False: out of memory.
bool gelMesh_ComputeNormals( gelMesh* mesh );

/// The same into normals that are there, for the vertices with missing[i] only. Needs the welds.
bool gelMesh_FillNormals( gelMesh* mesh, const bool* missing );

void gelMesh_ComputeBounds( gelMesh* mesh );

/// Multiplies the positions, for art that is not in metres, and welds and bounds them anew. False: out of
/// memory.
bool gelMesh_Scale( gelMesh* mesh, double scale );

/// Length of a segment [m].
double gelMesh_GetLineLength( const gelMesh* mesh, uint32_t line );

/// Numbers the ends of all segments, equal for equal positions.
/// @param outNumbers 2 per segment
/// @return how many positions there are; 0 without memory
uint32_t gelMesh_WeldLineEnds( const gelMesh* mesh, uint32_t* outNumbers );

/// Counts by weld: how far the surface is from a closed, oriented, manifold one.
typedef struct gelMeshTopology
{
	uint32_t edgeCount, openEdges, nonManifoldEdges, flippedEdges;
	uint32_t degenerateTriangles; // repeated weld or exactly zero area
	uint32_t duplicateTriangles;
	uint32_t componentCount;
	int64_t euler;       // V - E + F over used welds
	double area;         // [m^2]
	double signedVolume; // [m^3], meaningful when closed
	bool closed;         // every edge has exactly two triangles, in opposite directions
} gelMeshTopology;
/// Needs welds and bounds. Ends the tool without memory: what a bake makes depends on the counts.
gelMeshTopology gelMesh_Analyse( const gelMesh* mesh );
