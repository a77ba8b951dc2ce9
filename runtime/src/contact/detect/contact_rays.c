// SPDX-License-Identifier: MIT
#include "contact/detect/contact_rays.h"

#include "query/surface_query.h"

// Rays start so much before their point, in cells: the centroid of a part is near the surface, not on it.
#define GEL_RAY_START 1.0e-3

// Depths of more than so many cells are looked at twice.
#define GEL_DEEP_CELLS 2.0

// Contacts of a body with itself that are less deep than this, in cells, are rounding: slivers along the cuts
// of its surface cross each other even at rest.
#define GEL_OWN_SLOP 1.0e-4

// Hits outside of the region that a ray goes on behind.
#define GEL_MAX_RESTARTS 8

// ---- points ----------------------------------------------------------------------------------------------

gelSurfacePoint gelMakeSurfacePoint( const gelContactSurface* surface, uint32_t cell, const float weights[4] )
{
	GEL_ASSERT( cell < surface->pack->header->cdgTetCount );
	gelSurfacePoint point = { .cell = cell };
	for ( int i = 0; i < 4; ++i )
	{
		gelVec3 x = surface->nodes[surface->pack->cells[cell].node[i]];
		point.weights[i] = weights[i];
		point.position[0] += (double)weights[i] * (double)x.x;
		point.position[1] += (double)weights[i] * (double)x.y;
		point.position[2] += (double)weights[i] * (double)x.z;
	}
	for ( int k = 0; k < 3; ++k )
		point.position[k] += surface->grid.offset[k];
	return point;
}

double gelGetCellSize( const gelContactSurface* surface, uint32_t cell )
{
	GEL_ASSERT( cell < surface->pack->header->cdgTetCount );
	const uint32_t* node = surface->pack->cells[cell].node;
	float largest = 0.0f;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = 0; j < i; ++j )
		{
			float square = gelLengthSquared( gelSub( surface->nodes[node[i]], surface->nodes[node[j]] ) );
			largest = gelMaxFloat( largest, square );
		}
	}
	return sqrt( (double)largest );
}

// Whether a cell has been turned inside out.
static bool IsInverted( const gelContactSurface* surface, uint32_t index )
{
	GEL_ASSERT( index < surface->pack->header->cdgTetCount );
	const gelPackCell* cell = surface->pack->cells + index;
	gelVec3 x[4];
	gelGetCellNodes( surface->nodes, cell, x );
	gelMat3 D = { gelSub( x[1], x[0] ), gelSub( x[2], x[0] ), gelSub( x[3], x[0] ) };
	float det = gelDeterminant( D );
	return ( cell->flags & GEL_CDG_CELL_ODD ) != 0 ? det > 0.0f : det < 0.0f;
}

void gelPutPoints(
	const gelRayCaster* c, const gelSurfacePoint* a, const gelSurfacePoint* b, gelFoundContact* out )
{
	const gelContactSurface *surfaceA = c->surface[gel_sideA], *surfaceB = c->surface[gel_sideB];
	const double* offset = surfaceA->grid.offset;
	double n[3] = { (double)out->normal.x, (double)out->normal.y, (double)out->normal.z }, depth = 0.0;
	for ( int k = 0; k < 3; ++k )
		depth += n[k] * ( b->position[k] - a->position[k] );
	out->cellA = a->cell;
	out->cellB = b->cell;
	for ( int k = 0; k < 4; ++k )
	{
		out->weightsA[k] = a->weights[k];
		out->weightsB[k] = b->weights[k];
	}
	out->pointA = gelMakeVec3( (float)( a->position[0] - offset[0] ), (float)( a->position[1] - offset[1] ),
		(float)( a->position[2] - offset[2] ) );
	out->pointB = gelMakeVec3( (float)( b->position[0] - offset[0] ), (float)( b->position[1] - offset[1] ),
		(float)( b->position[2] - offset[2] ) );
	out->depth = depth > 0.0 ? (float)depth : 0.0f;
	if ( IsInverted( surfaceA, a->cell ) ) out->flags |= gel_foundInvertedA;
	if ( IsInverted( surfaceB, b->cell ) ) out->flags |= gel_foundInvertedB;
}

// ---- rays ------------------------------------------------------------------------------------------------

// A search in a surface. False: the ray does not meet its box.
static bool MakeSearch( const gelContactSurface* surface, const double origin[3], gelVec3 direction,
	double maxDistance, gelBodyRay* ray, gelSurfaceSearch* out )
{
	GEL_ASSERT( maxDistance > 0.0 );
	const gelDop* box = gelContactSurface_GetBox( surface );
	gelAabb aabb = { { box->low[0], box->low[1], box->low[2] },
		{ box->high[0], box->high[1], box->high[2] } };
	double o[3], t[3] = { (double)direction.x, (double)direction.y, (double)direction.z };
	for ( int k = 0; k < 3; ++k )
		o[k] = origin[k] - surface->grid.offset[k];
	if ( !gelMakeBoxRay( &aabb, o, t, maxDistance, ray ) ) return false;
	*out = ( gelSurfaceSearch ){
		.pack = surface->pack,
		.nodes = surface->nodes,
		.tree = surface->tree,
		.root = (uint32_t)surface->treeCount - 1,
		.boxes = surface->boxes,
		.ray = ray,
		.limit = ray->trace.maxDistance * ( 1.0f + 0x1p-20f ) + ray->slack,
		.best = { .triangle = GEL_CDG_NIL },
	};
	return true;
}

// Where on the surface a hit is, in the weights of its cell.
static gelSurfacePoint FindPoint( const gelContactSurface* surface, const gelSurfaceHit* hit )
{
	const gelPackView* pack = surface->pack;
	const gelPackPatch* patch = pack->patches + hit->patch;
	uint32_t slots[3];
	float weights[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
	gelCdg_GetCorners( &pack->cdg, patch, hit->triangle, slots );
	for ( int i = 0; i < 3; ++i )
	{
		float w[4];
		gelCdg_GetWeights( &pack->cdg, slots[i], w );
		for ( int k = 0; k < 4; ++k )
			weights[k] += (float)hit->at.weight[i] * w[k];
	}
	return gelMakeSurfacePoint( surface, patch->cell, weights );
}

bool gelCastOut( gelRayCaster* c, int side, const double origin[3], gelVec3 direction, double minDistance,
	double maxDistance, gelContactHit* out )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	double o[3] = { origin[0] + minDistance * (double)direction.x,
		origin[1] + minDistance * (double)direction.y, origin[2] + minDistance * (double)direction.z };
	gelBodyRay ray;
	gelSurfaceSearch search;
	++c->rayCount;
	if ( !( maxDistance > minDistance ) ) return false;
	if ( !MakeSearch( c->surface[side], o, direction, maxDistance - minDistance, &ray, &search ) )
		return false;
	search.faces = gel_facesBack;
	c->search( &search );
	if ( search.best.triangle == GEL_CDG_NIL ) return false;
	out->triangle = search.best.triangle;
	out->patch = search.best.patch;
	out->distance = minDistance + ( ray.start + search.best.at.distance ) / ray.unit;
	out->at = FindPoint( c->surface[side], &search.best );
	return true;
}

int gelCountSurfaceWinding( gelRayCaster* c, int side, const double origin[3] )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	static const gelVec3 directions[3] = { { 0.8017837f, 0.2672612f, 0.5345225f },
		{ -0.4242641f, 0.8485281f, 0.3162278f }, { 0.1825742f, -0.3651484f, -0.9128709f } };
	int windings[3] = { 0, 0, 0 };
	const gelDop* box = gelContactSurface_GetBox( c->surface[side] );
	double size = 0.0;
	for ( int k = 0; k < 3; ++k )
		size += 2.0 * ( (double)box->high[k] - (double)box->low[k] );
	for ( int i = 0; i < 3; ++i )
	{
		gelBodyRay ray;
		gelSurfaceSearch search;
		++c->rayCount;
		if ( !MakeSearch( c->surface[side], origin, directions[i], size, &ray, &search ) ) continue;
		search.counts = true;
		search.limit = INFINITY;
		c->search( &search );
		windings[i] = search.winding;
	}
	return windings[0] == windings[1] || windings[0] == windings[2] ? windings[0] : windings[1];
}

// ---- partners --------------------------------------------------------------------------------------------

// Whether a curve belongs to the region of another one. Inside of one body, both sides of a region are on the
// same surface: partners are on the other one.
static bool IsPartner( gelRayCaster* c, uint32_t curve, uint32_t other )
{
	gelCurve* curves = c->scratch->curves;
	if ( curves[curve].region != curves[other].region ) return false;
	if ( !c->isOfOne ) return true;
	return gelFindRoot( curves, gel_sideA, curve ) != gelFindRoot( curves, gel_sideA, other );
}

// Whether a triangle lies in the region of a curve, at least partly.
static bool IsInRegion( gelRayCaster* c, int side, const gelContactHit* hit, uint32_t curve, bool* isCut )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	const gelContactScratch* s = c->scratch;
	const gelContactSideScratch* own = s->side + side;
	uint32_t mark = own->triangleMarks[hit->triangle];
	*isCut = ( mark & GEL_MARK_CUT ) != 0;
	if ( *isCut )
	{
		const gelCutTriangle* cut = own->cuts + ( mark & ~GEL_MARK_CUT );
		for ( uint32_t i = cut->first; i < cut->first + cut->count; ++i )
		{
			if ( IsPartner( c, curve, s->pairCurves[own->order[i]] ) ) return true;
		}
		return false;
	}
	if ( mark == 0 ) mark = own->patchMarks[hit->patch];
	return mark != 0 && ( mark & GEL_MARK_CUT ) == 0 && IsPartner( c, curve, mark - 1 );
}

static gelSurfacePoint FindCentroid( const gelContactSurface* surface, const gelPart* part )
{
	double clamped[4], sum = 0.0;
	float weights[4];
	for ( int k = 0; k < 4; ++k )
	{
		clamped[k] = part->moment[k] > 0.0 ? part->moment[k] : 0.0;
		sum += clamped[k];
	}
	for ( int k = 0; k < 4; ++k )
		weights[k] = sum > 0.0 ? (float)( clamped[k] / sum ) : 0.25f;
	return gelMakeSurfacePoint( surface, surface->pack->patches[part->patch].cell, weights );
}

// The normal of a part, along a direction.
static double ProjectNormal( const gelPart* part, gelVec3 n )
{
	return part->vectorArea[0] * (double)n.x + part->vectorArea[1] * (double)n.y +
		part->vectorArea[2] * (double)n.z;
}

// Where the ray leaves the other body through the region of a curve. @param size of the cell it starts in [m]
static bool FindExit( gelRayCaster* c, int side, uint32_t curve, const double from[3], gelVec3 way,
	double size, double reach, gelContactHit* out )
{
	int other = c->isOfOne ? side : 1 - side;
	double start = -GEL_RAY_START * size;
	for ( int i = 0; i < GEL_MAX_RESTARTS; ++i )
	{
		bool isCut;
		gelContactHit leave;
		if ( !gelCastOut( c, other, from, way, start, reach, out ) ) return false;
		if ( IsInRegion( c, other, out, curve, &isCut ) )
		{
			if ( c->isOfOne || !( isCut || out->distance > GEL_DEEP_CELLS * size ) ) return true;
			return !gelCastOut( c, side, from, way, 0.0, out->distance, &leave );
		}
		if ( c->isOfOne && out->distance > GEL_RAY_START * size ) return false; // has left the own part first
		start = out->distance + 1e-6 * reach;
	}
	return false;
}

bool gelFindPartner( gelRayCaster* c, int side, const gelPart* part, gelFoundContact* out )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	const gelContactScratch* s = c->scratch;
	const gelContactSurface *own = c->surface[side], *other = c->surface[1 - side];
	const gelCurve* curve = s->curves + part->label;
	const gelRegion* region = s->regions + curve->region;
	gelVec3 n = region->hasOneNormal ? region->normal : curve->normal;
	gelVec3 way = side == gel_sideA ? n : gelNeg( n ); // out of the other body
	if ( !( ProjectNormal( part, way ) < 0.0 ) ) return false;

	gelSurfacePoint from = FindCentroid( own, part );
	const gelDop* box = gelContactSurface_GetBox( other );
	double size = gelGetCellSize( own, from.cell ), reach = 0.0;
	for ( int k = 0; k < 3; ++k )
		reach += (double)box->high[k] - (double)box->low[k];
	gelContactHit hit;
	if ( !FindExit( c, side, part->label, from.position, way, size, reach, &hit ) ) return false;
	*out = ( gelFoundContact ){
		.normal = n,
		.area = (float)( part->area / ( own->grid.scale * own->grid.scale ) ),
		.region = curve->region,
		.flags = region->flags | ( side == gel_sideB ? gel_foundFromB : 0u ),
	};
	gelPutPoints( c, side == gel_sideA ? &from : &hit.at, side == gel_sideA ? &hit.at : &from, out );
	return !c->isOfOne || (double)out->depth > GEL_OWN_SLOP * size;
}
