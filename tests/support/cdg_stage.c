// SPDX-License-Identifier: MIT
#include "cdg_stage.h"

#include "bake/body/body_passes.h"
#include "test_support.h"
#include "test_surfaces.h"

#include <stdlib.h>
#include <string.h>

void gelCdgStage_Begin( gelCdgStage* stage, const gelMesh* mesh, const gelCage* cage )
{
	memset( stage, 0, sizeof( *stage ) );
	gelInitTestProgram( &stage->program );
	assert_true( gelCheckCage( cage, NULL, &stage->pool, &stage->program.findings, &stage->cage ) );
	stage->art = gelBuildCdgArt( mesh, &stage->pool );
	stage->cells = gelBuildCdgCage(
		stage->cage.nodes, stage->cage.nodeCount, stage->cage.tets, stage->cage.tetCount, &stage->pool );
	stage->ok =
		gelCutSurface( &stage->art, &stage->cells, NULL, 1, &stage->pool, &stage->surface, &stage->fault );
}

void gelCdgStage_End( gelCdgStage* stage )
{
	gelFreeBakePool( &stage->pool );
	gelFreeTestProgram( &stage->program );
}

static gelVec3d GetPosition( const gelCdgStage* stage, uint32_t vertex )
{
	return gelCdgVertex_Position( stage->surface.vertices + vertex, stage->cells.nodes );
}

static gelVec3d GetVectorArea( gelVec3d a, gelVec3d b, gelVec3d c )
{
	return gelScaleD( 0.5, gelCrossD( gelSubD( b, a ), gelSubD( c, a ) ) );
}

static void CheckCorner( const gelCdgStage* stage, const gelCdgTri* t, int k )
{
	const gelCdgVertex* v = stage->surface.vertices + t->vertex[k];
	const uint32_t* n = stage->cells.tets[t->tet].node;
	double sum = 0.0;
	for ( int j = 0; j < 4 && v->node[j] != GEL_NO_INDEX; ++j )
	{
		assert_true( v->node[j] == n[0] || v->node[j] == n[1] || v->node[j] == n[2] || v->node[j] == n[3] );
		assert_true( j == 0 || v->node[j] > v->node[j - 1] );
		assert_true( v->weight[j] >= 0.0f && v->weight[j] <= 1.0f );
		sum += (double)v->weight[j];
	}
	assert_true( sum == 1.0 );
}

static void CheckNeighbors( const gelCdgSurface* s, uint32_t i )
{
	const gelCdgTri* t = s->triangles + i;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t n = t->neighbor[k], found = 0;
		if ( n == GEL_NO_INDEX ) continue;
		assert_true( n < s->triangleCount && n != i && n != t->neighbor[( k + 1 ) % 3] );
		for ( int j = 0; j < 3; ++j )
		{
			const gelCdgTri* u = s->triangles + n;
			found += u->neighbor[j] == i && u->vertex[j] == t->vertex[( k + 1 ) % 3] &&
				u->vertex[( j + 1 ) % 3] == t->vertex[k];
		}
		assert_int_equal( found, 1 );
	}
}

void gelCheckCutSurface( const gelCdgStage* stage )
{
	const gelCdgSurface* s = &stage->surface;
	const gelCdgArt* art = &stage->art;
	gelVec3d* sums = calloc( art->triangleCount, sizeof( gelVec3d ) );
	uint32_t* order = calloc( 1 + art->sources[art->triangleCount - 1], sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < art->triangleCount; ++i )
		order[art->sources[i]] = i;
	for ( uint32_t i = 0; i < s->triangleCount; ++i )
	{
		const gelCdgTri* t = s->triangles + i;
		for ( int k = 0; k < 3; ++k )
			CheckCorner( stage, t, k );
		CheckNeighbors( s, i );
		gelVec3d N = GetVectorArea( GetPosition( stage, t->vertex[0] ), GetPosition( stage, t->vertex[1] ),
			GetPosition( stage, t->vertex[2] ) );
		sums[order[t->source]] = gelAddD( sums[order[t->source]], N );
	}
	double scale = stage->cage.maxCoordinate;
	for ( uint32_t i = 0; i < art->triangleCount; ++i )
	{
		const uint32_t* c = art->corners + 3 * (size_t)i;
		gelVec3d a = art->points[c[0]], b = art->points[c[1]], p = art->points[c[2]];
		gelVec3d error = gelSubD( sums[i], GetVectorArea( a, b, p ) );
		double perimeter = sqrt( gelDotD( gelSubD( b, a ), gelSubD( b, a ) ) ) +
			sqrt( gelDotD( gelSubD( p, a ), gelSubD( p, a ) ) ) +
			sqrt( gelDotD( gelSubD( p, b ), gelSubD( p, b ) ) );
		// rounding of weights moves the outline of a triangle by 2^-22 of a tet
		assert_true( sqrt( gelDotD( error, error ) ) <= 0x1p-22 * scale * perimeter );
	}
	free( sums );
	free( order );
}

static void AddTriangle( gelCdgFigures* f, gelVec3d a, gelVec3d b, gelVec3d c )
{
	gelVec3d N = GetVectorArea( a, b, c );
	f->vectorArea = gelAddD( f->vectorArea, N );
	f->area += sqrt( gelDotD( N, N ) );
	f->volume += gelDotD( a, gelCrossD( b, c ) ) / 6.0;
}

gelCdgFigures gelMeasureCutSurface( const gelCdgStage* stage )
{
	const gelCdgSurface* s = &stage->surface;
	gelCdgFigures f = { 0 };
	for ( uint32_t i = 0; i < s->triangleCount; ++i )
	{
		const gelCdgTri* t = s->triangles + i;
		AddTriangle( &f, GetPosition( stage, t->vertex[0] ), GetPosition( stage, t->vertex[1] ),
			GetPosition( stage, t->vertex[2] ) );
		for ( int k = 0; k < 3; ++k )
			f.openEdges += t->neighbor[k] == GEL_NO_INDEX;
	}
	f.euler = (int64_t)s->vertexCount - ( 3 * (int64_t)s->triangleCount + f.openEdges ) / 2 +
		(int64_t)s->triangleCount;
	return f;
}

gelCdgFigures gelMeasureArt( const gelCdgArt* art )
{
	gelCdgFigures f = { 0 };
	uint8_t* used = calloc( art->pointCount, 1 );
	uint32_t* sheetUses = calloc( art->sheetCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < art->triangleCount; ++i )
	{
		const uint32_t* c = art->corners + 3 * (size_t)i;
		AddTriangle( &f, art->points[c[0]], art->points[c[1]], art->points[c[2]] );
		for ( int k = 0; k < 3; ++k )
		{
			used[c[k]] = 1;
			sheetUses[art->sheets[3 * (size_t)i + (size_t)k]] += 1;
		}
	}
	f.euler = (int64_t)art->triangleCount - (int64_t)art->sheetCount;
	for ( uint32_t i = 0; i < art->pointCount; ++i )
		f.euler += used[i];
	for ( uint32_t i = 0; i < art->sheetCount; ++i )
		f.openEdges += sheetUses[i] == 1;
	free( used );
	free( sheetUses );
	return f;
}

gelMesh gelMakeTestMesh( const double* points, uint32_t pointCount, const uint32_t* corners, uint32_t count )
{
	gelMesh mesh = { 0 };
	mesh.vertexCount = pointCount;
	mesh.triangleCount = count;
	mesh.positions = calloc( 3 * (size_t)pointCount, sizeof( float ) );
	mesh.vertToSource = calloc( pointCount, sizeof( uint32_t ) );
	mesh.indices = calloc( 3 * (size_t)count, sizeof( uint32_t ) );
	for ( size_t i = 0; i < 3 * (size_t)pointCount; ++i )
	{
		mesh.positions[i] = (float)points[i];
		mesh.vertToSource[i / 3] = (uint32_t)( i / 3 );
	}
	memcpy( mesh.indices, corners, 3 * (size_t)count * sizeof( uint32_t ) );
	mesh.triMaterial = calloc( count, sizeof( uint32_t ) );
	gelFinishMesh( &mesh );
	return mesh;
}

uint8_t* gelBakeWithCollision( const gelMesh* mesh, const gelCage* cage, size_t* outBytes )
{
	gelProgram program;
	gelInitTestProgram( &program );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.collision = gel_collisionFine;
	// surfaces from formulas come from no file
	gelMesh art = *mesh;
	uint32_t* sources = calloc( mesh->vertexCount, sizeof( uint32_t ) );
	if ( art.vertToSource == NULL ) art.vertToSource = sources;
	uint8_t* bytes = gelBake( &art, cage, &settings, &program, outBytes );
	free( sources );
	if ( bytes == NULL ) fail_msg( "%s", program.findings.count > 0 ? program.findings.items[0].text : "" );
	gelFreeTestProgram( &program );
	return bytes;
}
