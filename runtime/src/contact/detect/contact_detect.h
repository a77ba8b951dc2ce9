// SPDX-License-Identifier: MIT
// Contact determination of two deformed surfaces: from positions of nodes to contact points with normal,
// depth and area. (Civit-Flores, thesis, section 5.5.)
//
//   pairs    triangles that cross, by trees that are never refitted            contact_find.h
//   curves   their segments joined to closed intersection curves               contact_curves.h
//   flood    which part of each surface is inside of the other one             contact_flood.h
//   points   one per patch and connected part: centroid, area, vector area     contact_clip.h
//   regions  curves and parts that belong together, and their normal           contact_regions.h
//   rays     for each point the point of the other surface that it came by     contact_rays.h
//
// Nothing is allocated, and the result depends on nothing but the surfaces and the options.
//
//   gelContactLimits limits = { .maxPairs = GEL_CONTACT_DEFAULT_PAIRS };
//   gelContactLimits_Include( &limits, packA ), gelContactLimits_Include( &limits, packB ) ...
//   void* memory = ...gelContactScratch_GetBytes( &limits )...
//   gelContactScratch* scratch = gelContactScratch_Init( &limits, memory ); // once per worker
//   a = gelMakeContactSurface( ... ), b = gelMakeContactSurface( ... );    // whenever nodes have moved
//   count = gelDetectContacts( &a, &b, scratch, &options, out, capacity, &stats );
#pragma once

#include "contact/detect/contact_surface.h"

/// How a contact was found.
enum
{
	gel_foundOpen = 1u,       // a curve of its region does not close: the surface has a hole there
	gel_foundComplex = 2u,    // several curves or parts: the normal may be one of several of the region
	gel_foundFallback = 4u,   // no curves: one body is inside of the other. Normal: the shortest way out
	gel_foundFromB = 8u,      // point B is a reduced point and A was met by the ray; else the other way
	gel_foundInvertedA = 16u, // the tet of A has been turned inside out: damp or skip
	gel_foundInvertedB = 32u,
	gel_foundMeanNormal = 64u, // the curves enclose too little: normal of the surfaces, by area
};

/// A contact between a point of A and a point of B.
typedef struct gelFoundContact
{
	uint32_t cellA, cellB; // cells (CTET) with the points: weights are of gelPackCell.node
	float weightsA[4], weightsB[4];
	gelVec3 pointA, pointB; // [m], both in the space of body A: add gelContactSurface.origin of A
	gelVec3 normal;         // unit, from B to A; pointA has to go this way
	float depth;            // dot( normal, pointB - pointA ) [m], at least 0
	float area;             // size of the part of surface that the reduced point stands for [m^2]
	uint32_t region;        // contacts with the same number have a common cause
	uint32_t flags;         // gel_found*
	// Key of the reduced point, the same in every step as long as its patch has as many parts: bit 63: it is
	// of B; bits 32 .. 62: patch; bits 0 .. 31: part of the patch
	uint64_t feature;
} gelFoundContact;

/// Phases of a determination, see gelDetectStats.seconds.
typedef enum gelDetectPhase
{
	gel_phasePairs,
	gel_phaseCurves,
	gel_phaseFlood, // with areas and centroids
	gel_phaseRegions,
	gel_phaseRays,
	gel_detectPhaseCount
} gelDetectPhase;

/// What happened. All counts are of one call.
typedef struct gelDetectStats
{
	uint32_t testCount;     // triangles tested against each other
	uint32_t pairCount;     // triangles that cross
	uint32_t lostPairCount; // not 0: too many pairs or tests; the fallback took over, see gelDetect*Contacts
	uint32_t curveCount, openCurveCount;
	uint32_t regionCount, complexRegionCount;
	uint32_t droppedRegionCount; // without a usable normal, or flooding most of an open surface
	uint32_t cutTriangleCount, innerTriangleCount; // both surfaces together; the latter in cut patches only
	uint32_t cutPatchCount, innerPatchCount;
	uint32_t pointCount; // reduced points
	uint32_t rayCount;
	uint32_t missedCount;                 // reduced points without a partner
	uint32_t droppedCount;                // contacts for which there was no room: the deepest were kept
	uint32_t conflictCount;               // ends of segments that contradict each other: a defect, 0
	double seconds[gel_detectPhaseCount]; // only with a clock
} gelDetectStats;

typedef struct gelDetectOptions
{
	gelSimdLevel simd;         // level of the world; gel_simdAutomatic: the base level
	bool isContainmentChecked; // look for a body inside of the other when nothing crosses
	// ---- for measurements and tests ----
	bool noPatchFlood;                  // triangles only
	uint32_t fewPairs;                  // see gelFindSettings
	double ( *clock )( void* context ); // seconds from any start; NULL: no times
	void* clockContext;
} gelDetectOptions;

gelDetectOptions gelDefaultDetectOptions( void );

/// What one scratch can work on.
typedef struct gelContactLimits
{
	uint32_t maxVertices, maxTriangles, maxPatches; // most that any pack has
	uint32_t maxPairs;                              // triangles that cross, of one pair of bodies
} gelContactLimits;

/// Some 350 bytes each. Scans of 100K triangles that overlap deeply have some thousands.
#define GEL_CONTACT_DEFAULT_PAIRS ( 1u << 15 )

/// Makes limits large enough for a pack with collision geometry.
void gelContactLimits_Include( gelContactLimits* limits, const gelPackView* pack );

/// Memory of one worker. Opaque: contact_scratch.h
typedef struct gelContactScratch gelContactScratch;

/// Bytes of memory for gelContactScratch_Init.
size_t gelContactScratch_GetBytes( const gelContactLimits* limits );

/// @param memory aligned to 64 bytes; need not be zeroed. @return in the memory
gelContactScratch* gelContactScratch_Init( const gelContactLimits* limits, void* memory );

/// Contacts of two bodies. B is the one that symbolic translation moves: let it be the same one in every
/// step.
/// @param a, b packs must be within the limits of the scratch
/// @param out sorted: reduced points of A by patch, then those of B
/// @param stats overwritten; NULL is allowed
/// @return number of contacts
int gelDetectContacts( gelContactSurface* a, gelContactSurface* b, gelContactScratch* scratch,
	const gelDetectOptions* options, gelFoundContact* out, int capacity, gelDetectStats* stats );

/// Contacts of a body with itself. Triangles of one patch, or with a common vertex, do not collide. Ties are
/// broken by perturbing every vertex (gelOrientPerturbed). Curves that end in a crease are open: then only
/// the triangles along them are taken for being inside. Both points of a contact are of the body, each part
/// of the surface is A for its own contacts; pointA has to go along the normal, pointB against it.
/// When there is no room for all pairs of triangles, those that were found first make contacts as if all
/// their curves were open: there is no other body to be pushed out of.
int gelDetectSelfContacts( gelContactSurface* surface, gelContactScratch* scratch,
	const gelDetectOptions* options, gelFoundContact* out, int capacity, gelDetectStats* stats );

/// Whether the bodies overlap at all: crossing triangles, or one inside of the other.
bool gelDoSurfacesOverlap(
	gelContactSurface* a, gelContactSurface* b, gelContactScratch* scratch, const gelDetectOptions* options );

/// Finds the intersection curves of two surfaces and leaves them in the scratch, on the grid of the pair
/// (contact_curves.h). @return number of curves; 0 also for too many pairs
uint32_t gelFindIntersectionCurves(
	gelContactSurface* a, gelContactSurface* b, gelContactScratch* scratch, const gelDetectOptions* options );
