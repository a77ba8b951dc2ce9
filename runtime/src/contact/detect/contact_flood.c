// SPDX-License-Identifier: MIT
#include "contact/detect/contact_flood.h"

#include "contact/detect/contact_clip.h"
#include "contact/detect/contact_rays.h"
#include "contact/detect/contact_states.h"
#include "query/surface_query.h"

// The patch of a triangle that is the neighbor of one of `patch`.
static uint32_t FindPatchOfNeighbor( const gelPackView* pack, uint32_t index, uint32_t triangle )
{
	GEL_ASSERT( index < pack->header->cdgPatchCount && triangle < pack->header->cdgTriangleCount );
	const gelPackPatch* patch = pack->patches + index;
	if ( triangle - patch->triangleFirst < patch->triangleCount ) return index;
	for ( uint32_t i = 0; i < patch->linkCount; ++i )
	{
		uint32_t other = pack->links[patch->linkFirst + i].patch;
		const gelPackPatch* p = pack->patches + other;
		if ( triangle - p->triangleFirst < p->triangleCount ) return other;
	}
	return index;
}

// ---- sums ------------------------------------------------------------------------------------------------

typedef struct Flood
{
	gelContactScratch* scratch;
	gelContactSideScratch* own;
	gelContactSurface* surface;
	int side;
	bool isByPatch, skipsOpen;
} Flood;

// The part of a patch that belongs to a curve; NULL: there is no room.
static gelPart* NeedPart( Flood* f, uint32_t patch, uint32_t label )
{
	gelContactSideScratch* own = f->own;
	uint32_t first = own->partHeads[patch];
	for ( uint32_t i = first; i != 0; i = own->parts[i - 1].next )
	{
		if ( own->parts[i - 1].label == label ) return own->parts + i - 1;
	}
	if ( own->partCount == own->partCapacity ) return NULL;
	gelPart* part = own->parts + own->partCount++;
	*part = ( gelPart ){ .patch = patch, .label = label, .next = first };
	own->partHeads[patch] = own->partCount;
	return part;
}

// Adds a part of a triangle: `area` of it, with the centroid weights / area.
static void AddTriangle( Flood* f, uint32_t patch, uint32_t triangle, uint32_t label, gelClip clip )
{
	gelPart* part = NeedPart( f, patch, label );
	if ( part == NULL ) return;
	const gelPackView* pack = f->surface->pack;
	uint32_t slots[3];
	gelCdg_GetCorners( &pack->cdg, pack->patches + patch, triangle, slots );
	gelGridPoint a = gelContactSurface_GetPoint( f->surface, slots[0] ),
				 b = gelContactSurface_GetPoint( f->surface, slots[1] ),
				 c = gelContactSurface_GetPoint( f->surface, slots[2] );
	double u[3] = { b.x - a.x, b.y - a.y, b.z - a.z }, v[3] = { c.x - a.x, c.y - a.y, c.z - a.z };
	double n[3] = { 0.5 * ( u[1] * v[2] - u[2] * v[1] ), 0.5 * ( u[2] * v[0] - u[0] * v[2] ),
		0.5 * ( u[0] * v[1] - u[1] * v[0] ) };
	double area = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
	for ( int k = 0; k < 3; ++k )
		part->vectorArea[k] += clip.area * n[k];
	part->area += clip.area * area;
	for ( int i = 0; i < 3; ++i )
	{
		float w[4];
		gelCdg_GetWeights( &pack->cdg, slots[i], w );
		for ( int k = 0; k < 4; ++k )
			part->moment[k] += area * clip.weight[i] * (double)w[k];
	}
}

// Adds a triangle that is inside as a whole.
static void AddWhole(
	const gelContactSurface* surface, const gelPackPatch* patch, uint32_t triangle, gelPart* to )
{
	const gelCdgView* cdg = &surface->pack->cdg;
	uint32_t slots[3];
	gelCdg_GetCorners( cdg, patch, triangle, slots );
	const gelVec4 *a = surface->points + slots[0], *b = surface->points + slots[1],
				  *c = surface->points + slots[2];
	// differences of grid points, so exact
	double u[3] = { (double)( b->x - a->x ), (double)( b->y - a->y ), (double)( b->z - a->z ) };
	double v[3] = { (double)( c->x - a->x ), (double)( c->y - a->y ), (double)( c->z - a->z ) };
	double n[3] = { 0.5 * ( u[1] * v[2] - u[2] * v[1] ), 0.5 * ( u[2] * v[0] - u[0] * v[2] ),
		0.5 * ( u[0] * v[1] - u[1] * v[0] ) };
	double area = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
	float w[3][4];
	for ( int i = 0; i < 3; ++i )
		gelCdg_GetWeights( cdg, slots[i], w[i] );
	for ( int k = 0; k < 3; ++k )
		to->vectorArea[k] += n[k];
	to->area += area;
	for ( int k = 0; k < 4; ++k )
		to->moment[k] += area / 3.0 * (double)( w[0][k] + w[1][k] + w[2][k] );
}

// Adds the triangles of a patch that the flood has reached. One after another as they are stored, whatever
// way the flood took: it goes through many patches at once, which do not fit into a cache together.
static void SumPatch( Flood* f, uint32_t index )
{
	const gelPackPatch* patch = f->surface->pack->patches + index;
	uint32_t current = 0;
	gelPart sum = { 0 }, *part = NULL;
	gelContactSurface_Deform( f->surface, index );
	for ( uint32_t i = patch->triangleFirst; i < patch->triangleFirst + patch->triangleCount; ++i )
	{
		uint32_t mark = f->own->triangleMarks[i];
		if ( mark == 0 || ( mark & GEL_MARK_CUT ) != 0 ) continue;
		if ( mark != current )
		{
			if ( part != NULL ) gelAddPart( part, &sum );
			sum = ( gelPart ){ 0 };
			part = NeedPart( f, index, mark - 1 );
			current = mark;
		}
		AddWhole( f->surface, patch, i, &sum );
	}
	if ( part != NULL ) gelAddPart( part, &sum );
}

// cof( F ), F = D_s D_m^-1 with the edges of the cell as columns: cof( D_s ) cof( D_m )^-1, and the inverse
// of a cofactor matrix is D_m^T / det( D_m ).
static void MakeCofactor( const gelContactSurface* surface, const gelPackCell* cell, double C[3][3] )
{
	double s[3][3], m[3][3], cof[3][3];
	for ( int j = 0; j < 3; ++j )
	{
		gelVec3 x = gelSub( surface->nodes[cell->node[j + 1]], surface->nodes[cell->node[0]] );
		gelPackNode p = surface->pack->nodes[cell->node[j + 1]], o = surface->pack->nodes[cell->node[0]];
		s[j][0] = (double)x.x, s[j][1] = (double)x.y, s[j][2] = (double)x.z;
		m[j][0] = (double)p.x - (double)o.x, m[j][1] = (double)p.y - (double)o.y;
		m[j][2] = (double)p.z - (double)o.z;
	}
	for ( int j = 0; j < 3; ++j )
	{
		const double *a = s[( j + 1 ) % 3], *b = s[( j + 2 ) % 3];
		cof[j][0] = a[1] * b[2] - a[2] * b[1];
		cof[j][1] = a[2] * b[0] - a[0] * b[2];
		cof[j][2] = a[0] * b[1] - a[1] * b[0];
	}
	double det = m[0][0] * ( m[1][1] * m[2][2] - m[1][2] * m[2][1] ) +
		m[0][1] * ( m[1][2] * m[2][0] - m[1][0] * m[2][2] ) +
		m[0][2] * ( m[1][0] * m[2][1] - m[1][1] * m[2][0] );
	double inverse = det != 0.0 ? 1.0 / det : 0.0;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
			C[i][k] = inverse * ( cof[0][i] * m[0][k] + cof[1][i] * m[1][k] + cof[2][i] * m[2][k] );
	}
}

gelPart gelMeasurePatch( const gelContactSurface* surface, uint32_t index )
{
	GEL_ASSERT( index < surface->pack->header->cdgPatchCount );
	const gelPackPatch* patch = surface->pack->patches + index;
	const float* t = patch->areaTensor;
	const double T[3][3] = { { (double)t[0], (double)t[3], (double)t[4] },
		{ (double)t[3], (double)t[1], (double)t[5] }, { (double)t[4], (double)t[5], (double)t[2] } };
	double C[3][3], unit = surface->grid.scale * surface->grid.scale, trace = 0.0;
	gelPart part = { .patch = index };
	MakeCofactor( surface, surface->pack->cells + patch->cell, C );
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			part.vectorArea[i] += unit * C[i][j] * (double)patch->vectorArea[j];
			for ( int k = 0; k < 3; ++k )
				trace += C[i][j] * T[j][k] * C[i][k];
		}
	}
	part.area = unit * sqrt( fmax( (double)patch->area * trace, 0.0 ) );
	for ( int k = 0; k < 4; ++k )
		part.moment[k] = part.area * (double)patch->centroid[k];
	return part;
}

static void AddPatch( Flood* f, uint32_t patch, uint32_t label )
{
	gelPart* part = NeedPart( f, patch, label );
	if ( part == NULL ) return;
	uint32_t next = part->next;
	*part = gelMeasurePatch( f->surface, patch );
	part->label = label;
	part->next = next;
}

// ---- cut triangles ---------------------------------------------------------------------------------------

// Sums up the segments of a cut triangle by curve. @param id names the triangle in both bodies
static void SumByCurve( Flood* f, const gelCutTriangle* cut, uint32_t id )
{
	gelContactScratch* s = f->scratch;
	gelClipFrame frame = gelMakeClipFrame( f->surface, cut );
	for ( uint32_t i = cut->first; i < cut->first + cut->count; ++i )
	{
		uint32_t pair = f->own->order[i];
		gelCurve* curve = s->curves + s->pairCurves[pair];
		if ( curve->cut != id )
		{
			curve->cut = id;
			curve->clip = ( gelClip ){ 0 };
			curve->edges = ( gelEdgeSums ){ 0 };
		}
		gelClip clip = gelClipSegment( s, &frame, f->side, pair );
		gelAddClip( &curve->clip, 1.0, &clip );
		gelAddEnds( s, f->side, pair, &curve->edges );
	}
}

// Whether a curve surrounds, maybe with pieces of edges, a part of a triangle on its own, if all corners are
// outside: it enters every edge as often as it leaves it.
static bool IsIsland( const gelCurve* curve )
{
	const int* net = curve->edges.net;
	return net[0] == 0 && net[1] == 0 && net[2] == 0;
}

// What a curve cuts out of a triangle whose last corner is outside.
static gelClip GetClip( const gelCurve* curve )
{
	gelClip clip = curve->clip, edges = gelClipEdges( &curve->edges, false );
	gelAddClip( &clip, 1.0, &edges );
	return clip;
}

// A triangle with all corners outside may have islands inside of the other body that have nothing to do with
// each other. If one of its curves is around a hole, they have: then, and in any other triangle, all is one
// part, which the curves surround together.
static void AddCut( Flood* f, uint32_t index )
{
	gelContactScratch* s = f->scratch;
	gelCutTriangle* cut = f->own->cuts + index;
	uint32_t id = (uint32_t)f->side << 31 | index, label = GEL_NONE;
	bool hasIslands = cut->inside[0] == 0 && cut->inside[1] == 0 && cut->inside[2] == 0;
	SumByCurve( f, cut, id );
	for ( uint32_t i = cut->first; i < cut->first + cut->count && hasIslands; ++i )
	{
		const gelCurve* curve = s->curves + s->pairCurves[f->own->order[i]];
		hasIslands = !IsIsland( curve ) || GetClip( curve ).area >= 0.0;
	}
	gelClip rest = { cut->inside[2], { 0.0, 0.0, 0.0 } };
	for ( int k = 0; k < 3; ++k )
		rest.weight[k] = cut->inside[2] / 3.0;
	for ( uint32_t i = cut->first; i < cut->first + cut->count; ++i )
	{
		uint32_t number = s->pairCurves[f->own->order[i]];
		gelCurve* curve = s->curves + number;
		if ( curve->cut != id ) continue; // has been here
		curve->cut = GEL_NONE;
		gelClip clip = GetClip( curve );
		if ( hasIslands && IsIsland( curve ) )
		{
			AddTriangle( f, cut->patch, cut->triangle, number, gelTidyClip( clip ) );
			continue;
		}
		gelAddClip( &rest, 1.0, &clip );
		if ( label == GEL_NONE ) label = number;
		gelJoinCurves( s->curves, f->side, label, number );
	}
	if ( label == GEL_NONE ) return;
	cut->label = label;
	AddTriangle( f, cut->patch, cut->triangle, label, gelTidyClip( rest ) );
}

// ---- spreading -------------------------------------------------------------------------------------------

static void VisitPatch( Flood* f, uint32_t patch, uint32_t label )
{
	uint32_t* mark = f->own->patchMarks + patch;
	if ( *mark == 0 )
	{
		*mark = label + 1;
		f->own->queue[f->own->queueCount++] = GEL_MARK_PATCH | patch;
	}
	else
		gelJoinCurves( f->scratch->curves, f->side, *mark - 1, label );
}

// A triangle across an edge that is inside, seen from a patch.
static void Visit( Flood* f, uint32_t fromPatch, uint32_t triangle, uint32_t label )
{
	if ( triangle == GEL_CDG_NIL ) return;
	gelContactSideScratch* own = f->own;
	uint32_t* mark = own->triangleMarks + triangle;
	if ( *mark == label + 1 ) return;
	if ( *mark != 0 )
	{
		uint32_t other = *mark & GEL_MARK_CUT ? own->cuts[*mark & ~GEL_MARK_CUT].label : *mark - 1;
		gelJoinCurves( f->scratch->curves, f->side, other, label );
		return;
	}
	uint32_t patch = FindPatchOfNeighbor( f->surface->pack, fromPatch, triangle );
	if ( f->isByPatch && ( own->patchMarks[patch] & GEL_MARK_CUT ) == 0 )
	{
		VisitPatch( f, patch, label );
		return;
	}
	*mark = label + 1;
	own->queue[own->queueCount++] = (uint64_t)patch << 32 | triangle;
}

// Vector area of a curve, in cells, below which rounding may have made it.
#define GEL_MIN_OWN_CURVE 1.0e-4

static bool IsWorthFlooding( const Flood* f, const gelCutTriangle* cut )
{
	const gelCurve* curve = f->scratch->curves + cut->label;
	double size =
		f->surface->grid.scale * gelGetCellSize( f->surface, f->surface->pack->patches[cut->patch].cell );
	const double* N = curve->vectorArea;
	return !curve->isOpen &&
		sqrt( N[0] * N[0] + N[1] * N[1] + N[2] * N[2] ) > GEL_MIN_OWN_CURVE * size * size;
}

static void Start( Flood* f )
{
	gelContactSideScratch* own = f->own;
	const gelPackView* pack = f->surface->pack;
	for ( uint32_t i = 0; i < own->cutCount; ++i )
	{
		own->patchMarks[own->cuts[i].patch] = GEL_MARK_CUT;
		AddCut( f, i );
	}
	for ( uint32_t i = 0; i < own->cutCount; ++i )
	{
		const gelCutTriangle* cut = own->cuts + i;
		if ( f->skipsOpen && !IsWorthFlooding( f, cut ) ) continue;
		for ( int k = 0; k < 3; ++k )
		{
			if ( cut->inside[k] != 1 || ( cut->crossedEdges >> k & 1u ) != 0 ) continue;
			uint32_t across = gelCdg_GetNeighbor( &pack->cdg, pack->patches + cut->patch, cut->triangle, k );
			Visit( f, cut->patch, across, cut->label );
		}
	}
}

static void SpreadTriangle( Flood* f, uint32_t patch, uint32_t triangle )
{
	const gelPackView* pack = f->surface->pack;
	uint32_t label = f->own->triangleMarks[triangle] - 1;
	++f->own->innerTriangles;
	for ( int k = 0; k < 3; ++k )
		Visit( f, patch, gelCdg_GetNeighbor( &pack->cdg, pack->patches + patch, triangle, k ), label );
}

// Patches with cut triangles need no visit from here. They are connected, so what of them is inside reaches
// up to a cut triangle of theirs, from where the flood comes to this patch.
static void SpreadPatch( Flood* f, uint32_t index )
{
	const gelPackPatch* patch = f->surface->pack->patches + index;
	uint32_t label = f->own->patchMarks[index] - 1;
	f->own->innerTriangles += patch->triangleCount;
	AddPatch( f, index, label );
	for ( uint32_t i = 0; i < patch->linkCount; ++i )
	{
		uint32_t other = f->surface->pack->links[patch->linkFirst + i].patch;
		if ( ( f->own->patchMarks[other] & GEL_MARK_CUT ) == 0 ) VisitPatch( f, other, label );
	}
}

// Patches in which the flood went by triangle: those with cut triangles, or all.
static void SumPatches( Flood* f )
{
	uint32_t last = GEL_NONE;
	for ( uint32_t i = 0; i < f->own->cutCount && f->isByPatch; ++i ) // by triangle, so by patch
	{
		if ( f->own->cuts[i].patch != last ) SumPatch( f, f->own->cuts[i].patch );
		last = f->own->cuts[i].patch;
	}
	for ( uint32_t i = 0; i < f->surface->pack->header->cdgPatchCount && !f->isByPatch; ++i )
		SumPatch( f, i );
}

void gelFloodSurface(
	gelContactScratch* s, gelContactSurface* surface, int side, bool isByPatch, bool skipsOpen )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	Flood flood = { s, s->side + side, surface, side, isByPatch, skipsOpen };
	Start( &flood );
	for ( uint32_t i = 0; i < flood.own->queueCount; ++i )
	{
		uint64_t item = flood.own->queue[i];
		if ( item & GEL_MARK_PATCH )
			SpreadPatch( &flood, (uint32_t)item );
		else
			SpreadTriangle( &flood, (uint32_t)( item >> 32 ), (uint32_t)item );
	}
	SumPatches( &flood );
}

void gelCleanFlood( gelContactScratch* s, int side )
{
	GEL_ASSERT( side >= 0 && side < gel_sideCount );
	gelContactSideScratch* own = s->side + side;
	for ( uint32_t i = 0; i < own->cutCount; ++i )
	{
		own->triangleMarks[own->cuts[i].triangle] = 0;
		own->patchMarks[own->cuts[i].patch] = 0;
	}
	for ( uint32_t i = 0; i < own->queueCount; ++i )
	{
		if ( own->queue[i] & GEL_MARK_PATCH )
			own->patchMarks[(uint32_t)own->queue[i]] = 0;
		else
			own->triangleMarks[(uint32_t)own->queue[i]] = 0;
	}
	for ( uint32_t i = 0; i < own->partCount; ++i )
		own->partHeads[own->parts[i].patch] = 0;
}
