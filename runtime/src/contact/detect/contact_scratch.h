// SPDX-License-Identifier: MIT
// Memory of contact determination, laid out once for the largest surfaces and the most pairs that it is going
// to see. Arrays by triangle and patch are zero between calls: each call cleans up what it has touched, so
// that small contacts of large surfaces stay cheap.
//
//   | scratch | by pair: pairs, segments, ends, next, prev, curves, hash, keys |
//   | by surface, twice: points | patchStamps | triangleMarks | patchMarks | partHeads | queue | cuts | parts
//   |
#pragma once

#include "core/forest.h"
#include "contact/detect/contact_detect.h"
#include "contact/detect/contact_find.h"

/// Nothing, in lists of indices.
#define GEL_NONE UINT32_MAX

/// Where two triangles cross, in the space of the grid.
typedef struct gelSegment
{
	double q[2][3];   // from start to end
	double lambda[2]; // where the crossed edges are met, 0 .. 1, in the direction of their triangle
} gelSegment;

/// What makes ends of two segments the same place: an edge of one body and a triangle of the other one.
typedef struct gelEndKey
{
	uint32_t low, high; // the triangles at the edge; an edge without a neighbor: GEL_CDG_NIL - edge
	uint32_t face;      // crossed triangle; bit 31: it is of A
} gelEndKey;

enum
{
	gel_sideA,
	gel_sideB,
	gel_sideCount
};

/// Labels of an intersection curve as a node of three forests: parts of A, parts of B, regions of both.
enum
{
	gel_forestRegion = gel_sideCount,
	gel_forestCount
};

/// A part of a triangle, see contact_clip.h.
typedef struct gelClip
{
	double area;      // in units of the triangle's, 0 .. 1
	double weight[3]; // weights of the corners, times area: the centroid
} gelClip;

/// What the segments of a cut triangle add up to on its edges.
typedef struct gelEdgeSums
{
	int net[3];                 // entries minus exits
	double first[3], second[3]; // sums of lambda and of lambda^2, exits minus entries
	uint32_t crossed;           // bit per edge
} gelEdgeSums;

/// A chain of segments.
typedef struct gelCurve
{
	double vectorArea[3];  // 1/2 sum q0 x q1: that of the part of A that it surrounds [grid units^2]
	double length;         // [grid units]
	uint32_t first, count; // pair, and how many follow by next
	uint32_t parent[gel_forestCount];
	uint32_t region;
	gelVec3 normal; // from B to A: that of its vector area, or of its region
	bool isOpen;
	// ---- while a cut triangle is looked at ----
	uint32_t cut;      // the triangle that is cut
	gelClip clip;      // sum of the segments in it
	gelEdgeSums edges; // sums over its edges
} gelCurve;

/// Curves and parts that belong together.
typedef struct gelRegion
{
	double vectorArea[3]; // sum over all curves [grid units^2]
	double meanNormal[3]; // sum over the parts, from B to A, times area
	double area;          // sum over the parts on both sides [grid units^2]
	gelVec3 normal;       // from B to A
	uint32_t curveCount;
	uint32_t flags;    // gel_found*
	bool hasOneNormal; // else points take those of their curves
	bool isDropped;
} gelRegion;

/// A triangle that crosses others.
typedef struct gelCutTriangle
{
	uint32_t triangle, patch;
	uint32_t first, count; // range in the order of its side
	uint32_t label;        // curve; that of the first segment
	uint8_t inside[3];     // whether corners are: 0, 1, GEL_UNKNOWN
	uint8_t crossedEdges;  // bit per edge
} gelCutTriangle;

#define GEL_UNKNOWN 2u

/// What lies inside of the other body of one patch and belongs to one curve.
typedef struct gelPart
{
	double vectorArea[3], area; // [grid units^2]
	double moment[4];           // area times weights of the cell
	uint32_t patch, label;
	uint32_t next; // the next one of the same patch
} gelPart;

/// Adds the sums of a part to another one.
static inline void gelAddPart( gelPart* to, const gelPart* part )
{
	for ( int k = 0; k < 3; ++k )
		to->vectorArea[k] += part->vectorArea[k];
	for ( int k = 0; k < 4; ++k )
		to->moment[k] += part->moment[k];
	to->area += part->area;
}

/// In triangleMarks: 0: not seen; GEL_MARK_CUT | cut; label + 1: inside. In patchMarks: 0; GEL_MARK_CUT: has
/// cut triangles; label + 1: all of it is inside.
#define GEL_MARK_CUT   0x80000000u
#define GEL_MARK_PATCH ( UINT64_C( 1 ) << 63 )

typedef struct gelContactSideScratch
{
	gelVec4* points;
	uint32_t *patchStamps, *triangleMarks, *patchMarks;
	uint32_t* partHeads; // first part of a patch + 1
	// triangles (bits 0 .. 31, patch above) and patches (GEL_MARK_PATCH | patch) that are inside, in the
	// order in which they were found
	uint64_t* queue;
	uint32_t queueCount;
	uint32_t* order; // pairs by triangle of this side
	gelCutTriangle* cuts;
	uint32_t cutCount;
	gelPart* parts;
	uint32_t partCount, partCapacity;
	uint32_t innerTriangles; // inside, those of whole patches included
} gelContactSideScratch;

struct gelContactScratch
{
	gelContactLimits limits;
	uint32_t stamp;
	gelTrianglePairs pairs;
	gelSegment* segments;  // by pair, like the next ones
	gelEndKey* ends;       // two per pair
	uint32_t *next, *prev; // pairs along a curve
	uint32_t* pairCurves;
	gelCurve* curves;
	uint32_t curveCount;
	gelRegion* regions;
	uint32_t regionCount;
	uint32_t* table; // hash: end + 1
	uint64_t* keys;  // for sorting, two per pair
	gelContactSideScratch side[gel_sideCount];
};

/// Lets both surfaces use the memory. @param b NULL: one body
void gelContactScratch_Bind( gelContactScratch* scratch, gelContactSurface* a, gelContactSurface* b );

/// Root in a forest: the lowest curve that belongs to it.
static inline uint32_t gelFindRoot( gelCurve* curves, int forest, uint32_t i )
{
	return gelForest_Find( ( gelForest ){ &curves->parent[forest], sizeof( gelCurve ) }, i );
}

static inline void gelJoinCurves( gelCurve* curves, int forest, uint32_t i, uint32_t j )
{
	gelForest_Join( ( gelForest ){ &curves->parent[forest], sizeof( gelCurve ) }, i, j );
}
