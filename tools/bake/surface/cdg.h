// SPDX-License-Identifier: MIT
// The contact determination geometry (CDG): the art surface, cut along the inner faces of a cage, as
// patches that each lie in one tet. One file per pass, in the order in which gelBuildCdg (collide.c) runs
// them; all are usable on their own by tests.
//
// What decides topology is exact. The art is thought to be moved by (e, e^2, e^3) with e -> 0+, that is, a
// point on a face of the cage counts as being on its positive side along x, else y, else z. Then no art
// vertex is on a face, no art edge meets a cage edge and no cage node is on a triangle: every polygon below
// is that of a generic position, and a vertex that coincides with another has a key of its own.
#pragma once

#include "bake/surface/surface_passes.h"
#include "pack/pack_read_cdg.h"
#include "common/program/thread_index.h"

#include <gelpack/math_double.h>

// ---- clip_signs.c: exact signs under the symbolic translation ----------------------------------------

/// Side of the plane of cage nodes (x, y, z), counter-clockwise, on which an art point is. Never 0 unless the
/// nodes are collinear.
int gelArtSideOfFace( gelVec3d x, gelVec3d y, gelVec3d z, gelVec3d point );

/// Side of the art triangle (a, b, c) on which a cage node is: 1 above, -1 below, 0: the triangle has no
/// area.
int gelNodeSideOfArt( gelVec3d a, gelVec3d b, gelVec3d c, gelVec3d node );

/// Sign of det[ b-a, x-a, y-a ] of an art edge (a, b) and a cage edge (x, y). 0: they are parallel.
int gelEdgeSide( gelVec3d a, gelVec3d b, gelVec3d x, gelVec3d y );

// ---- clip_cage.c: faces and edges of the cells --------------------------------------------------------

/// Corners of the face opposite to corner k, counter-clockwise from outside.
extern const uint8_t GEL_CELL_FACE[4][3];
/// Corners of edge m of a tet.
extern const uint8_t GEL_CELL_EDGE[6][2];
/// Edge j (corner j to corner j + 1) of face k, as an index into GEL_CELL_EDGE.
extern const uint8_t GEL_CELL_FACE_EDGE[4][3];

/// The tets that cut the surface: those of the cage, or of a coarser one over the same nodes.
typedef struct gelCdgCage
{
	uint32_t nodeCount, tetCount, faceCount, edgeCount;
	const gelPackTet* tets;
	gelVec3d* nodes;     // widened from float
	uint32_t* neighbors; // 4 per tet, across the face opposite to corner k; GEL_NO_INDEX: outside
	uint32_t* faces;     // 4 per tet: numbers of the faces, the same in both tets
	uint32_t* edges;     // 6 per tet: numbers of the edges, the same in all tets
} gelCdgCage;

gelCdgCage gelBuildCdgCage( const gelPackNode* nodes, uint32_t nodeCount, const gelPackTet* tets,
	uint32_t tetCount, gelBakePool* pool );

// ---- clip_art.c: the welded surface and its edges -----------------------------------------------------

/// The art by positions. Triangles with a repeated position are left out.
typedef struct gelCdgArt
{
	uint32_t pointCount, triangleCount;
	gelVec3d* points;     // per weld
	uint32_t* weldToVert; // lowest render vertex
	uint32_t* corners;    // 3 per triangle: points
	uint32_t* sources;    // triangle of the mesh
	/// 3 per triangle: number of side (corner k, corner k + 1). At most two triangles, with opposite
	/// directions, have the same one: those that are joined there. More triangles at an edge are several
	/// sheets.
	uint32_t* sheets;
	uint32_t sheetCount;
	uint32_t openEdges, flippedEdges, nonManifoldEdges, droppedTriangles;
	uint32_t turnedParts, turnedSource; // parts that were inside out, a triangle of the mesh of the first
	uint32_t oddEdge[2]; // points of an edge that cannot be paired, GEL_NO_INDEX: there is none
} gelCdgArt;

gelCdgArt gelBuildCdgArt( const gelMesh* mesh, gelBakePool* pool );

/// One side of one triangle.
typedef struct gelCdgHalf
{
	uint32_t low, high; // points
	uint32_t place;     // 3 * triangle + side
} gelCdgHalf;

/// Behind the last half of the edge that has the first one; halves are sorted by edges.
uint32_t gelCdgHalf_End( const gelCdgHalf* halves, uint32_t first, uint32_t count );

// ---- clip_turn.c: parts that are inside out -----------------------------------------------------------

/// Turns closed parts round so that all face outwards, cavities into the hollow. Only corners and halves
/// change: triangles of the mesh stay as they are.
void gelTurnParts( gelCdgArt* art, gelCdgHalf* halves );

// ---- clip_locate.c: the cell of each art point --------------------------------------------------------

/// @param hints a tet for each point where the search starts; NULL: none
/// @param outCells [pointCount], the one tet that contains the point (moved as above); GEL_NO_INDEX for
/// points of no triangle, which may be anywhere
/// @return GEL_NO_INDEX, or the first point that is in no tet
uint32_t gelLocatePoints( const gelCdgArt* art, const gelCdgCage* cage, const uint32_t* hints, int threads,
	uint32_t* outCells, gelBakePool* pool );

// ---- clip_cells.c: the polygons of triangles in tets --------------------------------------------------

/// What a vertex is, so that all who meet it make the same one.
typedef enum gelCdgKeyKind
{
	gel_keyPoint,    // art point
	gel_keyEdgeFace, // art edge (sheet) through a cage face
	gel_keyFaceEdge, // art triangle through a cage edge
} gelCdgKeyKind;

typedef struct gelCdgKey
{
	gelCdgKeyKind kind;
	uint32_t a, b; // point, 0 - sheet, cage face - art triangle, cage edge
} gelCdgKey;

/// One side of a polygon: its first vertex and what it lies on.
typedef struct gelCdgSide
{
	gelCdgKey key;
	int line; // 0 .. 2: edge of the triangle; 3 + k: face of the tet opposite to corner k
} gelCdgSide;

#define GEL_CDG_MAX_SIDES 7

typedef struct gelCdgPolygon
{
	int count;                           // 0: the triangle does not meet the tet
	gelCdgSide sides[GEL_CDG_MAX_SIDES]; // counter-clockwise like the triangle
} gelCdgPolygon;

/// Clips one triangle to one tet by signs alone.
/// @param cells from gelLocatePoints
/// @return false: the sides do not close, because tets overlap
bool gelClipTriangle( const gelCdgArt* art, const gelCdgCage* cage, const uint32_t* cells, uint32_t triangle,
	uint32_t tet, gelCdgPolygon* out );

// ---- clip_surface.c: all polygons, triangulated, with neighbors --------------------------------------

/// A vertex as weights of cage nodes, computed once; weights of nodes that it does not depend on are absent.
typedef struct gelCdgVertex
{
	uint32_t node[4]; // ascending; GEL_NO_INDEX behind the last
	float weight[4];  // barycentric, one per `node`; multiples of 2^-21 in [0, 1[, sum 1 exactly; may be 0
} gelCdgVertex;

typedef struct gelCdgTri
{
	uint32_t vertex[3];
	uint32_t neighbor[3]; // across (vertex k, vertex k + 1); GEL_NO_INDEX: none
	uint32_t tet;         // index in the gelCdgCage
	uint32_t source;      // triangle of the mesh
} gelCdgTri;

/// The cut surface, closed where the art is.
typedef struct gelCdgSurface
{
	uint32_t vertexCount, triangleCount;
	gelCdgVertex* vertices;
	gelCdgTri* triangles; // by art triangle
	uint32_t* pointCells; // per art point: the tet that contains it; GEL_NO_INDEX: of no triangle
} gelCdgSurface;

typedef enum gelCdgStatus
{
	gel_cdgOk,
	gel_cdgOutside,  // the art reaches the outside of the cage
	gel_cdgOverlap,  // tets of the cage overlap
	gel_cdgOddEdge,  // an edge of the art has triangles that cannot be paired
	gel_cdgTooLarge, // over a limit of the pack format
} gelCdgStatus;

typedef struct gelCdgFault
{
	gelCdgStatus status;
	gelVec3d place;  // [m]
	uint32_t source; // triangle of the mesh, or GEL_NO_INDEX
} gelCdgFault;

/// @param hints a tet for each art point where the search for it starts; NULL: unknown
/// @param threads at least 1; the result is the same
/// @param fault set when the result is false
bool gelCutSurface( const gelCdgArt* art, const gelCdgCage* cage, const uint32_t* hints, int threads,
	gelBakePool* pool, gelCdgSurface* out, gelCdgFault* fault );

// ---- coarse_cells.c -----------------------------------------------------------------------------------

typedef struct gelCoarseCells
{
	uint32_t tetCount;
	gelPackTet* tets;
	uint32_t* pointCells; // per art point: the tet that contains it; GEL_NO_INDEX: of no triangle
} gelCoarseCells;

/// Tets of a coarser cage over some of the same nodes that bounds the art strictly, too.
/// @param surface the art, cut along `cage`
gelCoarseCells gelCoarsenCells(
	const gelCdgArt* art, const gelCdgCage* cage, const gelCdgSurface* surface, gelBakePool* pool );

// ---- clip_weights.c -----------------------------------------------------------------------------------

/// One of the places where a key was met; the vertex does not depend on which.
typedef struct gelCdgPlace
{
	uint32_t side; // gel_keyEdgeFace: 3 * art triangle + side
	uint32_t part; // gel_keyPoint: tet; gel_keyEdgeFace: 4 * tet + face; gel_keyFaceEdge: 6 * tet + edge
} gelCdgPlace;

/// Weights of a vertex from its key.
gelCdgVertex gelMakeCdgVertex(
	const gelCdgArt* art, const gelCdgCage* cage, gelCdgKey key, gelCdgPlace place );

/// Rounds weights of the first `count` nodes to what a pack stores; the other nodes become GEL_NO_INDEX.
/// @param w at least 0, any sum above 0
void gelCdgVertex_SetWeights( gelCdgVertex* vertex, const double* w, int count );

/// Rest position [m] from the rounded weights.
gelVec3d gelCdgVertex_Position( const gelCdgVertex* vertex, const gelVec3d* nodes );

/// Ascending.
void gelSortNodes( uint32_t nodes[4] );

/// Weight of a node, 0 for one that the vertex does not depend on.
float gelCdgVertex_Weight( const gelCdgVertex* vertex, uint32_t node );

// ---- clip_neighbors.c ---------------------------------------------------------------------------------

/// What each side of a cut triangle lies on, for pairing.
typedef struct gelCdgEdgeTag
{
	uint32_t kind;  // 0: a diagonal, 1: a sheet of the art, 2: a face of the cage inside one art triangle
	uint32_t index; // half edge of the other triangle; sheet; face
} gelCdgEdgeTag;

/// Fills the neighbors. tags: 3 per triangle. Where two triangles share two edges one gets a vertex in its
/// middle, so that every edge of a triangle has another neighbor.
void gelPairTriangles( gelCdgSurface* surface, const gelCdgCage* cage, const gelCdgEdgeTag* tags,
	uint32_t sheetCount, gelBakePool* pool );

// ---- patch_form.c: connected pieces in one tet --------------------------------------------------------

typedef struct gelCdgPatches
{
	uint32_t patchCount;
	uint32_t* patchFirst; // [patchCount + 1] into triangles
	uint32_t* triangles;  // [triangleCount]; inside a patch ascending, until the tree orders them
	uint32_t cutCount;    // pieces that were not simply connected
} gelCdgPatches;

gelCdgPatches gelFormPatches( const gelCdgSurface* surface, const gelCdgCage* cage, gelBakePool* pool );

// ---- bdop_tree.c ----------------------------------------------------------------------------------------

/// b-DOP: bounds of the weights of the four ascending nodes of a tet.
typedef struct gelBdop
{
	float low[4], high[4];
} gelBdop;

gelBdop gelBdop_Empty( void );
void gelBdop_Add( gelBdop* bounds, const float weights[4] );

/// Byte k: low of node k, byte 4 + k: high. Conservative, exact at 0 and 1 (formats/pack.md section 10).
uint64_t gelBdop_Quantize( const gelBdop* bounds );

/// Orders the triangles of a range so that the implicit tree over it has tight bounds.
/// @param bounds of each element; permuted together with `items`
/// @param items what the caller knows the elements by; ties are broken by it
/// @param outBounds [count]: of the whole range that starts with each element
void gelBuildBdopTree( gelBdop* bounds, uint32_t* items, uint32_t count, uint64_t* outBounds );

// ---- coarse_bvh.c ---------------------------------------------------------------------------------------

/// Binary tree over boxes: root first, children behind their parents, at most GEL_CDG_MAX_DEPTH levels.
/// @return [2 * count - 1]
gelPackBvhNode* gelBuildCoarseBvh( const gelBox3d* boxes, uint32_t count, gelBakePool* pool );

// ---- patch_pack.c: the records of the pack --------------------------------------------------------------

/// @param cageTets the tets are those of the pack's cage
/// @param leastWords no shorter triangle records than these even where they suffice, for tests
/// @param threads at least 1; the result is the same
/// @return false: over a limit
bool gelPackPatches( const gelCdgSurface* surface, const gelCdgCage* cage, const gelCdgPatches* patches,
	bool cageTets, uint32_t leastWords, int threads, gelBakePool* pool, gelBakeCdg* out );

/// The records as a reader would see them.
gelCdgView gelBakeCdg_View( const gelBakeCdg* cdg );

// ---- support_hull.c -------------------------------------------------------------------------------------

/// Marks vertices such that all others are within `slack` of the convex hull of the marked ones; the distance
/// of two points is the root of the sum of their four squared differences of weights. Of vertices in the same
/// place at most the first is marked.
/// @param weights 21 bits each, as in CVTX
/// @param outIsCorner [count], zero before; 1 for a marked one
/// @return how many are marked
uint32_t gelFindHullCorners(
	const uint64_t* weights, uint32_t count, double slack, gelBakePool* scratch, uint8_t* outIsCorner );

// ---- support_bake.c -------------------------------------------------------------------------------------

/// What vertices that are not listed may be off by, in weights: far below what is seen, and above the
/// rounding of weights (2^-21), so that flat faces have no more than their outline. Ten times as much leaves
/// 2 to 4 % less, a hundred times as much 9 to 21 % (bear, box, jelly, Armadillo: 10K triangles in 500 tets).
#define GEL_SUPPORT_SLACK 1.0e-5f

/// The vertices of each cell that can be its lowest (SUPP), from cells, patches and weights.
/// @param threads at least 1; the result is the same
void gelBuildSupports( gelBakeCdg* cdg, float slack, int threads, gelBakePool* pool );
