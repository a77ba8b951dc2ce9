// SPDX-License-Identifier: MIT
// Questions to deformed bodies: where does a ray meet the surface, is a point inside, which point of the body
// is here. Included by gelpack.h.
//
// All positions are in world space [m]. The answers are those for the shape after the last gelWorld_Step (or
// gelBody_SetNodeState, gelBody_Reset, gelCreateBody). The first ray, inside or bounds that a body is asked
// for after that also brings its coarse tree up to date: about 20 ns per collision cell. Bodies that nobody
// asks do not pay for it. Any number of threads may ask between steps; when several ask the same body first,
// one of them does that work and the others wait for it. During a step the answer is gel_errorLocked. Nothing
// allocates. Same body, same question: same bits.
//
// Rays and insides need collision geometry in the pack (gelAssetInfo.patchCount > 0) and
// gelBodyDef.enableQueries; else the answer is gel_errorUnsupported.
#pragma once

#include "base.h"
#include "types.h"

/// A point that moves with the body: a tet of the cage and a weight for each of its corners, in the order of
/// gelAsset_GetTets. What rays and searches give out, and what positions and velocities are asked for.
typedef struct gelEmbeddedPoint
{
	int tet;         ///< -1: no point
	float weight[4]; ///< sum 1; all >= 0 for a point inside the tet
} gelEmbeddedPoint;

/// Which side of the surface a ray can hit.
typedef enum gelRayFaces
{
	gel_facesBoth = 0,
	gel_facesFront = 1, ///< only where the ray enters the body
	gel_facesBack = 2,  ///< only where it leaves
} gelRayFaces;

/// Says whether a ray may hit a body: false skips it. Called on the thread that casts the ray.
typedef bool gelRayFilterFcn( gelBodyId bodyId, void* context );

/// A ray, or rather a segment: origin + fraction * translation, 0 <= fraction <= maxFraction. Start from
/// gelDefaultRay().
typedef struct gelRay
{
	/// [m], finite. Default 0.
	gelVec3 origin;
	/// Direction and unit of the fractions [m], finite, not zero; any length. Default (0, -1, 0).
	gelVec3 translation;
	/// > 0, finite. Default 1. With a unit translation, fractions are distances [m].
	float maxFraction;
	/// Default gel_facesBoth.
	gelRayFaces faces;
	/// For gelWorld_CastRay: bodies that the ray may hit. Default NULL: all.
	gelRayFilterFcn* filter;
	void* filterContext;
} gelRay;

/// Where a ray meets the surface first.
typedef struct gelRayHit
{
	bool isHit;      ///< false: nothing there, and nothing else is set
	bool isBackFace; ///< the ray comes from inside
	gelBodyId body;
	float fraction;   ///< part of the translation up to the hit, 0 .. 1
	gelVec3 position; ///< on the surface [m, world space]
	gelVec3 normal;   ///< unit, of the deformed triangle, pointing out of the body
	int triangle;     ///< index in the art mesh, see gelAsset_GetTriangles
	int vertex[3];    ///< its art vertices: index what belongs to them (normals, texture coordinates) ...
	float weight[3];  ///< ... and mix it with these, >= 0, sum 1
	int cell, patch;  ///< where in the collision geometry
	int cellTriangle; ///< the triangle of the collision geometry, a part of the art triangle
	/// The same place, to follow it, or to pull at it. In packs with coarse collision cells (gel-bake
	/// --collision-cells coarse) it is the place that is the same at rest: on a deformed body the cage is not
	/// where the coarse cell puts it, and gelBody_GetPointPosition( point ) is off `position` by up to a
	/// fraction of a cell; gelBody_FindPoint( position ) gives the point that is there now. Of other packs it
	/// is `position`, within rounding.
	gelEmbeddedPoint point;
} gelRayHit;

/// Start of every gelRay: downwards, 1 m from the origin.
GEL_API gelRay gelDefaultRay( void );

/// The nearest hit on one body; equal fractions: the lowest collision triangle. The surface has no gaps: no
/// ray gets between two triangles that share an edge, however the body is deformed. About 0.3 us.
/// @param outHit isHit is false after any failure
GEL_API gelResult gelBody_CastRay( gelBodyId bodyId, const gelRay* ray, gelRayHit* outHit );

/// The nearest hit on all bodies that can answer; equal fractions: the body in the lowest slot. Bodies are
/// tried in the order in which the ray enters their boxes. Costs some nanoseconds per body that it is not
/// near.
GEL_API gelResult gelWorld_CastRay( gelWorldId worldId, const gelRay* ray, gelRayHit* outHit );

/// Many rays to one body, each as if cast alone. They are dealt out to the threads of gelWorldDef.tasks, so
/// filters can be called on any of them; not to be called from inside a task.
/// @param outHits count of them. After a failure no ray has been cast; gel_errorArgument: also for one bad
/// ray
GEL_API gelResult gelBody_CastRays( gelBodyId bodyId, const gelRay* rays, int count, gelRayHit* outHits );

/// Many rays to all bodies, likewise.
GEL_API gelResult gelWorld_CastRays( gelWorldId worldId, const gelRay* rays, int count, gelRayHit* outHits );

/// Whether a position [m, world space] is inside of the deformed art surface: the surface winds around it
/// (not zero times), so overlapping parts and parts turned inside out count as inside. Within rounding of the
/// surface (about 1e-6 of the body's size) either answer may come. Art with holes: two of three directions
/// decide.
GEL_API gelResult gelBody_ContainsPoint( gelBodyId bodyId, gelVec3 position, bool* outInside );

/// The point of the body that is at a position [m, world space] now, for grabbing: the tet of the deformed
/// cage in which it is deepest (tets can overlap). tet is -1 when the position is outside of the cage. Needs
/// no collision geometry. A pass over all tets, some nanoseconds each.
GEL_API gelResult gelBody_FindPoint( gelBodyId bodyId, gelVec3 position, gelEmbeddedPoint* outPoint );

/// Where an embedded point is now [m, world space]. gel_errorArgument: no such tet, or weights that are not
/// finite or do not sum to 1 within 1e-3.
GEL_API gelResult gelBody_GetPointPosition(
	gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3* outPosition );

/// How fast an embedded point moves [m/s]. gel_errorArgument as above.
GEL_API gelResult gelBody_GetPointVelocity(
	gelBodyId bodyId, const gelEmbeddedPoint* point, gelVec3* outVelocity );

/// A box around the deformed art [m, world space]: never too small, and on each side too large by at most 0.8
/// % of the longest side of the cage. Some microseconds. Without collision geometry or enableQueries: the box
/// of the cage, at no cost. Zero for a stale id.
GEL_API gelAabb gelBody_GetBounds( gelBodyId bodyId );

/// An art vertex as an embedded point; tet -1 when there is no such vertex.
GEL_API gelEmbeddedPoint gelAsset_GetVertexPoint( const gelAsset* asset, int vertex );
