// SPDX-License-Identifier: MIT
// The order matters: weld and sort triangles into runs, drop repetitions (they would count twice in the
// winding number), make neighbors agree, measure, and turn a surface inside out as a whole if its volume is
// negative. Parts that disagree with other parts are turned later, when there is a tree to ask what lies
// around them (surface_parts.c).
#include "tetrafy/surface/surface.h"

#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/geometry/exact_orient.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_VOLUME 1e-6 // part of area^1.5; a ball has 0.094, a square plate of 1 to 1000 has 4e-4

bool gelEnclosesVolume( double volume, double area )
{
	return fabs( volume ) >= LEAST_VOLUME * pow( area, 1.5 );
}

void gelFreeSurface( gelSurface* surface )
{
	free( surface->rims );
	free( surface->points );
	free( surface->tris );
	free( surface->triToSource );
	*surface = ( gelSurface ){ 0 };
}

// One point per weld, at the position of its first render vertex.
static void TakePoints( const gelMesh* mesh, gelSurface* surface )
{
	surface->pointCount = mesh->weldCount;
	surface->points = gelTetAlloc( mesh->weldCount, sizeof( gelVec3d ) );
	// Backwards, so that the first vertex of a weld is the last to write.
	for ( uint32_t v = mesh->vertexCount; v-- > 0; )
	{
		const float* p = mesh->positions + 3 * (size_t)v;
		surface->points[mesh->vertToWeld[v]] = ( gelVec3d ){ p[0], p[1], p[2] };
	}
}

// The run that a triangle belongs to: 0 proper, 1 three points on a line, 2 fewer than three points.
static uint8_t RunOf( const gelSurface* surface, const uint32_t* t )
{
	if ( t[0] == t[1] || t[1] == t[2] || t[2] == t[0] ) return 2;
	return gelCollinear( surface->points[t[0]], surface->points[t[1]], surface->points[t[2]] ) ? 1 : 0;
}

// The smallest number in the file is told, not the first in our order: artists look it up in their tool.
static void CountPlace( gelPlaceCount* place, const gelSurface* surface, uint32_t tri )
{
	GEL_ASSERT( tri < surface->triCount );
	uint32_t source = surface->triToSource[tri];
	if ( place->count == 0 || source < place->firstTriangle )
	{
		place->firstTriangle = source;
		place->firstPoint = surface->points[surface->tris[3 * (size_t)tri]];
	}
	place->count += 1;
}

// The three runs one after the other, each in the order of the file.
static void TakeTriangles( const gelMesh* mesh, gelSurface* surface )
{
	uint32_t count = mesh->triangleCount;
	surface->tris = gelTetAlloc( 3 * (size_t)count, sizeof( uint32_t ) );
	surface->triToSource = gelTetAlloc( count, sizeof( uint32_t ) );
	uint8_t* runs = gelTetAlloc( count, 1 );
	// Counting sort into three runs; starts[] is shifted by one while counting, then starts[r] is where run r
	// goes on.
	uint32_t starts[4] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		const uint32_t* v = mesh->indices + 3 * (size_t)i;
		uint32_t t[3] = { mesh->vertToWeld[v[0]], mesh->vertToWeld[v[1]], mesh->vertToWeld[v[2]] };
		runs[i] = RunOf( surface, t );
		starts[runs[i] + 1] += 1;
	}
	surface->properCount = starts[1];
	surface->edgedCount = starts[1] + starts[2];
	surface->triCount = count;
	starts[2] = surface->edgedCount;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t at = starts[runs[i]]++;
		for ( int k = 0; k < 3; ++k )
			surface->tris[3 * (size_t)at + k] = mesh->vertToWeld[mesh->indices[3 * (size_t)i + k]];
		surface->triToSource[at] = i;
	}
	for ( uint32_t i = surface->properCount; i < count; ++i )
		CountPlace( &surface->degenerate, surface, i );
	free( runs );
}

// Removes the marked triangles and keeps the order of the rest.
static void DropMarked( gelSurface* surface, const uint8_t* marks )
{
	uint32_t kept = 0, proper = 0, edged = 0;
	for ( uint32_t i = 0; i < surface->triCount; ++i )
	{
		if ( marks[i] ) continue;
		memmove( surface->tris + 3 * (size_t)kept, surface->tris + 3 * (size_t)i, 3 * sizeof( uint32_t ) );
		surface->triToSource[kept++] = surface->triToSource[i];
		proper += i < surface->properCount;
		edged += i < surface->edgedCount;
	}
	surface->properCount = proper;
	surface->edgedCount = edged;
	surface->triCount = kept;
}

static void DropDuplicates( gelSurface* surface, gelEdgeTable* edges )
{
	uint8_t* marks = gelTetAlloc( surface->triCount, 1 );
	if ( gelEdgeTable_MarkDuplicates( edges, surface->tris, surface->edgedCount, marks ) > 0 )
	{
		for ( uint32_t i = 0; i < surface->edgedCount; ++i )
			if ( marks[i] ) CountPlace( &surface->duplicate, surface, i );
		DropMarked( surface, marks );
	}
	free( marks );
}

static void Measure( gelSurface* surface )
{
	surface->box = gelBox3d_Empty();
	for ( size_t i = 0; i < 3 * (size_t)surface->triCount; ++i )
		gelBox3d_AddPoint( &surface->box, surface->points[surface->tris[i]] );
	// Volumes of the tets to the box center: sums near the origin cancel least.
	gelVec3d center = gelScaleD( 0.5, gelAddD( surface->box.min, surface->box.max ) );
	for ( uint32_t i = 0; i < surface->properCount; ++i )
	{
		const uint32_t* t = surface->tris + 3 * (size_t)i;
		gelVec3d a = gelSubD( surface->points[t[0]], center );
		gelVec3d b = gelSubD( surface->points[t[1]], center );
		gelVec3d c = gelSubD( surface->points[t[2]], center );
		surface->signedVolume += gelDotD( a, gelCrossD( b, c ) ) / 6.0;
		surface->area += 0.5 * gelLengthD( gelCrossD( gelSubD( b, a ), gelSubD( c, a ) ) );
	}
}

// Degenerate triangles are turned as well: those with three points on a line still have edges with
// directions.
static void TurnRound( gelSurface* surface )
{
	for ( uint32_t i = 0; i < surface->triCount; ++i )
	{
		uint32_t* t = surface->tris + 3 * (size_t)i;
		uint32_t keep = t[1];
		t[1] = t[2];
		t[2] = keep;
	}
	surface->signedVolume = -surface->signedVolume;
	surface->insideOut = true;
}

gelSurface gelMakeSurface( const gelMesh* mesh )
{
	gelSurface surface = { 0 };
	TakePoints( mesh, &surface );
	TakeTriangles( mesh, &surface );
	gelEdgeTable edges = gelMakeEdgeTable( surface.tris, surface.edgedCount );
	DropDuplicates( &surface, &edges );
	surface.edges = gelEdgeTable_Count( &edges, surface.tris, surface.edgedCount );
	uint32_t unbalanced = surface.edges.unbalanced;
	// Balance has to be seen after triangles were turned, the counts for the report before: they tell what
	// the file has.
	if ( surface.edges.flipped > 0 )
	{
		gelFreeEdgeTable( &edges );
		gelOrientSurface( &surface );
		edges = gelMakeEdgeTable( surface.tris, surface.edgedCount );
		unbalanced = gelEdgeTable_Count( &edges, surface.tris, surface.edgedCount ).unbalanced;
	}
	if ( unbalanced > 0 )
	{
		surface.rims = gelTetAlloc( surface.pointCount, 1 );
		gelEdgeTable_MarkUnbalanced( &edges, surface.rims );
	}
	gelFreeEdgeTable( &edges );
	surface.closed = surface.properCount > 0 && unbalanced == 0;
	Measure( &surface );
	surface.encloses = surface.closed && gelEnclosesVolume( surface.signedVolume, surface.area );
	if ( surface.encloses && surface.signedVolume < 0.0 ) TurnRound( &surface );
	return surface;
}

static void ReportPlace(
	gelProgram* program, const char* file, int finding, const gelPlaceCount* place, const char* text )
{
	if ( place->count == 0 ) return;
	gelFindings_Add( &program->findings, finding, file, "%u triangles %s (first: triangle %u at %g %g %g)",
		place->count, text, place->firstTriangle, place->firstPoint.x, place->firstPoint.y,
		place->firstPoint.z );
}

static void ReportEdges( const gelSurface* surface, const char* file, gelProgram* program )
{
	const gelEdgeCounts* edges = &surface->edges;
	if ( edges->open > 0 )
	{
		gelVec3d p = surface->points[edges->firstOpen];
		bool few = edges->open < edges->total / 100; // small holes in a scan are normal
		gelFindings_Add( &program->findings, few ? gel_findingMeshSmallHoles : gel_findingMeshNotClosed, file,
			"%u open edges (first at %g %g %g): holes are closed for the cage", edges->open, p.x, p.y, p.z );
	}
	if ( edges->nonManifold > 0 )
	{
		gelVec3d p = surface->points[edges->firstNonManifold];
		gelFindings_Add( &program->findings, gel_findingEdgesShared, file,
			"%u edges belong to more than two triangles (first at %g %g %g)", edges->nonManifold, p.x, p.y,
			p.z );
	}
	if ( edges->flipped > 0 && surface->turned.count == 0 )
	{
		gelVec3d p = surface->points[edges->firstFlipped];
		gelFindings_Add( &program->findings, gel_findingWindingMixed, file,
			"%u edges join triangles that face opposite ways (first at %g %g %g); recalculate normals in the "
			"source",
			edges->flipped, p.x, p.y, p.z );
	}
}

static void ReportReversed( const gelSurface* surface, const char* file, gelProgram* program )
{
	const gelPlaceCount* parts = &surface->reversedParts;
	if ( parts->count > 0 && surface->partCount > 1 )
	{
		gelFindings_Add( &program->findings, gel_findingInsideOut, file,
			"%u of %u parts are inside out (first: triangle %u at %g %g %g); turned round for the cage",
			parts->count, surface->partCount, parts->firstTriangle, parts->firstPoint.x, parts->firstPoint.y,
			parts->firstPoint.z );
	}
	else if ( surface->insideOut )
	{
		gelFindings_Add( &program->findings, gel_findingInsideOut, file,
			"the surface is inside out (volume %g m^3); turned round for the cage", -surface->signedVolume );
	}
}

void gelSurface_Report( const gelSurface* surface, const char* file, gelProgram* program )
{
	ReportPlace( program, file, gel_findingTrianglesFlat, &surface->degenerate,
		"have no area; they are bounded but enclose nothing" );
	ReportPlace(
		program, file, gel_findingTrianglesRepeated, &surface->duplicate, "repeat another one; dropped" );
	ReportEdges( surface, file, program );
	ReportPlace( program, file, gel_findingTrianglesTurned, &surface->turned,
		"face the other way than their neighbors; turned for the cage, recalculate normals in the source" );
	ReportReversed( surface, file, program );
	gelReport_SetInt( &program->report, "surface.triangles", surface->triCount );
	gelReport_SetInt( &program->report, "surface.points", surface->pointCount );
	gelReport_SetInt( &program->report, "surface.parts", surface->partCount );
	gelReport_SetInt( &program->report, "surface.reversed_parts", surface->reversedParts.count );
	gelReport_SetBool( &program->report, "surface.closed", surface->closed );
	gelReport_SetInt( &program->report, "surface.open_edges", surface->edges.open );
	gelReport_SetInt( &program->report, "surface.nonmanifold_edges", surface->edges.nonManifold );
	gelReport_SetInt( &program->report, "surface.flipped_edges", surface->edges.flipped );
	gelReport_SetInt( &program->report, "surface.turned_triangles", surface->turned.count );
	gelReport_SetInt( &program->report, "surface.degenerate_triangles", surface->degenerate.count );
	gelReport_SetInt( &program->report, "surface.duplicate_triangles", surface->duplicate.count );
	gelReport_SetReal( &program->report, "surface.area", surface->area );
	gelReport_SetReal( &program->report, "surface.volume", surface->signedVolume );
}
