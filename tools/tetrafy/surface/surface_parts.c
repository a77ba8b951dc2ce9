// SPDX-License-Identifier: MIT
// Parts of a surface that faces inwards while others face outwards: one winding number says nothing about
// both until they agree.
#include "common/program/union_find.h"
#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/surface/surface_tree.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

#define GEL_MAX_PARTS                                                                                        \
	1000u // parts that are looked at, in the order of the file: each costs a few winding numbers

// Triangles that hang together at points.
typedef struct Part
{
	double volume; // [m^3], signed
	double area;   // [m^2]
	bool closed;   // no edge is on a rim
	gelBox3d box;
	gelVec3d extremes[6]; // points: smallest and largest x, y, z
	uint32_t firstTri;    // index in the surface
	int depth;            // winding number of what lies around it; 0: nothing does
	bool turn;
} Part;

uint32_t* gelLabelParts( gelSurface* surface )
{
	uint32_t* labels = gelTetAlloc( surface->pointCount, sizeof( uint32_t ) );
	uint32_t* parents = gelTetAlloc( surface->pointCount, sizeof( uint32_t ) );
	uint32_t* rootToPart = gelTetAlloc( surface->pointCount, sizeof( uint32_t ) ); // 1-based
	for ( uint32_t i = 0; i < surface->pointCount; ++i )
		parents[i] = i;
	for ( uint32_t i = 0; i < surface->edgedCount; ++i )
	{
		const uint32_t* t = surface->tris + 3 * (size_t)i;
		gelJoinSets( parents, t[0], t[1] );
		gelJoinSets( parents, t[1], t[2] );
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < surface->properCount; ++i )
	{
		uint32_t* part = rootToPart + gelFindRoot( parents, surface->tris[3 * (size_t)i] );
		if ( *part == 0 ) *part = ++count;
	}
	for ( uint32_t i = 0; i < surface->pointCount; ++i )
		labels[i] = rootToPart[gelFindRoot( parents, i )] - 1;
	free( parents );
	free( rootToPart );
	surface->partCount = count;
	return labels;
}

static void AddCorner( Part* part, gelVec3d p )
{
	gelVec3d* e = part->extremes;
	if ( p.x < part->box.min.x ) e[0] = p;
	if ( p.x > part->box.max.x ) e[1] = p;
	if ( p.y < part->box.min.y ) e[2] = p;
	if ( p.y > part->box.max.y ) e[3] = p;
	if ( p.z < part->box.min.z ) e[4] = p;
	if ( p.z > part->box.max.z ) e[5] = p;
	gelBox3d_AddPoint( &part->box, p );
}

static Part* MeasureParts( const gelSurface* surface, const uint32_t* labels, uint32_t count )
{
	Part* parts = gelTetAlloc( count, sizeof( Part ) );
	for ( uint32_t i = 0; i < count; ++i )
		parts[i] = ( Part ){ .closed = true, .box = gelBox3d_Empty(), .firstTri = GEL_NO_INDEX };
	for ( uint32_t i = 0; i < surface->properCount; ++i )
	{
		const uint32_t* t = surface->tris + 3 * (size_t)i;
		Part* part = parts + labels[t[0]];
		if ( part->firstTri == GEL_NO_INDEX ) part->firstTri = i;
		// Volumes relative to a point of the part itself: with the world's origin, parts far away from it
		// would be differences of large numbers.
		gelVec3d origin = surface->points[surface->tris[3 * (size_t)part->firstTri]];
		gelVec3d p[3];
		for ( int k = 0; k < 3; ++k )
		{
			AddCorner( part, surface->points[t[k]] );
			p[k] = gelSubD( surface->points[t[k]], origin );
		}
		part->volume += gelDotD( p[0], gelCrossD( p[1], p[2] ) ) / 6.0;
		part->area += 0.5 * gelLengthD( gelCrossD( gelSubD( p[1], p[0] ), gelSubD( p[2], p[0] ) ) );
	}
	for ( uint32_t i = 0; i < surface->pointCount && surface->rims != NULL; ++i )
		if ( surface->rims[i] && labels[i] != GEL_NO_INDEX ) parts[labels[i]].closed = false;
	return parts;
}

// Winding number around a part, seen from just outside of its extreme points: its own is 0 there. A part that
// only reaches into another has an extreme point outside of it, so the smallest number counts.
static int DepthOf( const Part* part, const gelSurfaceTree* tree )
{
	double step = 1e-6 * gelLengthD( gelSubD( part->box.max, part->box.min ) ); // off the surface
	int depth = 0;
	for ( int i = 0; i < 6; ++i )
	{
		gelVec3d p = part->extremes[i];
		double* along = i < 2 ? &p.x : i < 4 ? &p.y : &p.z;
		*along += i % 2 ? step : -step;
		int around = (int)round( gelSurfaceTree_Winding( tree, p ) );
		if ( i == 0 || abs( around ) < abs( depth ) ) depth = around;
		if ( depth == 0 ) break;
	}
	return depth;
}

static void NoteReversed( gelSurface* surface, const Part* part )
{
	gelPlaceCount* place = &surface->reversedParts;
	uint32_t source = surface->triToSource[part->firstTri];
	if ( place->count == 0 || source < place->firstTriangle )
	{
		place->firstTriangle = source;
		place->firstPoint = surface->points[surface->tris[3 * (size_t)part->firstTri]];
	}
	place->count += 1;
}

// A part with nothing around it must face outwards. What is inside of one that does not is turned with it: a
// cavity stays a cavity.
static bool JudgeParts( gelSurface* surface, const gelSurfaceTree* tree, Part* parts, uint32_t count )
{
	GEL_ASSERT( count == surface->partCount );
	bool turns = false;
	for ( uint32_t i = 0; i < count && i < GEL_MAX_PARTS; ++i )
	{
		Part* part = parts + i;
		if ( !part->closed || !gelEnclosesVolume( part->volume, part->area ) ) continue;
		part->depth = DepthOf( part, tree );
		part->turn = part->depth < 0 || ( part->depth == 0 && part->volume < 0.0 );
		turns = turns || part->turn;
		// A part with the sign of its surroundings adds a second layer of solid; with the other sign it is a
		// cavity.
		surface->overlaps =
			surface->overlaps || ( part->depth != 0 && ( part->volume > 0.0 ) == ( part->depth > 0 ) );
		// before the surface was turned round as a whole
		if ( part->depth == 0 && ( part->volume < 0.0 ) != surface->insideOut ) NoteReversed( surface, part );
	}
	surface->overlaps = surface->overlaps || count > GEL_MAX_PARTS;
	return turns;
}

static void TurnParts( gelSurface* surface, const uint32_t* labels, const Part* parts )
{
	for ( uint32_t i = 0; i < surface->edgedCount; ++i )
	{
		uint32_t* t = surface->tris + 3 * (size_t)i;
		if ( labels[t[0]] == GEL_NO_INDEX || !parts[labels[t[0]]].turn ) continue;
		uint32_t keep = t[1];
		t[1] = t[2];
		t[2] = keep;
	}
}

bool gelOrientParts( gelSurface* surface, const gelSurfaceTree* tree, const uint32_t* labels )
{
	if ( surface->partCount < 2 ) return false;
	Part* parts = MeasureParts( surface, labels, surface->partCount );
	bool turns = JudgeParts( surface, tree, parts, surface->partCount );
	if ( turns )
	{
		TurnParts( surface, labels, parts );
		surface->signedVolume = 0.0;
		for ( uint32_t i = 0; i < surface->partCount; ++i )
			surface->signedVolume += parts[i].turn ? -parts[i].volume : parts[i].volume;
		surface->encloses = surface->closed && gelEnclosesVolume( surface->signedVolume, surface->area );
	}
	free( parts );
	return turns;
}
