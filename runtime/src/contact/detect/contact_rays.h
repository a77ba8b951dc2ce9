// SPDX-License-Identifier: MIT
// Correspondences: for a reduced point of one surface the point of the other one that it has to meet.
//
// A ray leaves the point along the way out. Where it leaves the other body, through the part of that which is
// inside of the own one, is the partner; from there to the point is the depth. If the way is long, or the
// partner is on a triangle that is only partly inside, the ray is cast at the own surface, too: when it
// leaves the own body first, the partner has nothing to do with the point. (Civit-Flores, thesis,
// section 5.5.5.)
#pragma once

#include "contact/detect/contact_scratch.h"
#include "query/surface_query.h"

/// A point of a surface.
typedef struct gelSurfacePoint
{
	uint32_t cell;
	float weights[4];
	double position[3]; // space of the pair [m]
} gelSurfacePoint;

/// What rays are cast with.
typedef struct gelRayCaster
{
	gelContactScratch* scratch;
	gelContactSurface* surface[gel_sideCount];
	gelSearchFcn* search;
	uint32_t rayCount;
	bool isOfOne; // both are one body: parts are those of side A
} gelRayCaster;

/// A hit of a ray in a surface.
typedef struct gelContactHit
{
	gelSurfacePoint at;
	uint32_t triangle, patch;
	double distance; // [m]
} gelContactHit;

/// The first place where a ray leaves a body.
/// @param origin space of the pair [m]
/// @param direction unit
bool gelCastOut( gelRayCaster* caster, int side, const double origin[3], gelVec3 direction,
	double minDistance, double maxDistance, gelContactHit* out );

/// The contact of a reduced point. False: it has no partner.
/// @param side whose part it is
bool gelFindPartner( gelRayCaster* caster, int side, const gelPart* part, gelFoundContact* out );

/// Place of weights in a cell, in the space of the pair [m].
gelSurfacePoint gelMakeSurfacePoint(
	const gelContactSurface* surface, uint32_t cell, const float weights[4] );

/// Writes both points, the cells and the depth of a contact whose normal is set.
void gelPutPoints(
	const gelRayCaster* caster, const gelSurfacePoint* a, const gelSurfacePoint* b, gelFoundContact* out );

/// How often a surface winds around a point; three rays, of which two agree.
int gelCountSurfaceWinding( gelRayCaster* caster, int side, const double origin[3] );

/// The longest edge of a deformed cell [m].
double gelGetCellSize( const gelContactSurface* surface, uint32_t cell );
