// SPDX-License-Identifier: MIT
// Art for files that have lines and nothing else: tubes of eight sides around the polylines, with flat ends.
#include "common/import/import_internal.h"

#include <gelpack/asserts.h>
#include <gelpack/math_double.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDES 8u

// Radius, as a part of the length of all lines: a quarter of the distance of twenty particles, which is the
// least that a particle of a rod has.
#define RADIUS_PART ( 1.0 / 80.0 )

// Segments as a graph.
typedef struct Graph
{
	uint32_t segmentCount, pointCount;
	uint32_t* ends;  // 2 per segment: points
	uint32_t* first; // [pointCount + 1] in at
	uint32_t* at;    // segments by point
	bool* isUsed;    // per segment
	const float* linePoints;
} Graph;

// Numbers points and lists the segments of each; segments without a length are used up already.
static bool FillGraph( const gelMesh* mesh, Graph* graph )
{
	uint32_t n = mesh->lineCount;
	graph->segmentCount = n;
	graph->linePoints = mesh->linePoints;
	graph->ends = malloc( 2 * (size_t)n * sizeof( uint32_t ) );
	graph->first = calloc( 2 * (size_t)n + 2, sizeof( uint32_t ) );
	graph->at = malloc( 2 * (size_t)n * sizeof( uint32_t ) );
	graph->isUsed = calloc( n, sizeof( bool ) );
	bool ok = graph->ends && graph->first && graph->at && graph->isUsed;
	graph->pointCount = ok ? gelMesh_WeldLineEnds( mesh, graph->ends ) : 0;
	if ( graph->pointCount == 0 ) return false;
	for ( uint32_t i = 0; i < 2 * n; ++i )
	{
		graph->isUsed[i / 2] = !( gelMesh_GetLineLength( mesh, i / 2 ) > 0.0 );
		if ( !graph->isUsed[i / 2] ) ++graph->first[graph->ends[i] + 2];
	}
	for ( uint32_t k = 2; k < graph->pointCount + 2; ++k )
		graph->first[k] += graph->first[k - 1];
	for ( uint32_t i = 0; i < 2 * n; ++i )
	{
		if ( !graph->isUsed[i / 2] ) graph->at[graph->first[graph->ends[i] + 1]++] = i / 2;
	}
	return true;
}

static void FreeGraph( Graph* graph )
{
	free( graph->ends );
	free( graph->first );
	free( graph->at );
	free( graph->isUsed );
}

static uint32_t GetDegree( const Graph* graph, uint32_t point )
{
	return graph->first[point + 1] - graph->first[point];
}

// The segment to go on with from a point that two meet at; GEL_NO_INDEX: none.
// Where three and more meet, every branch begins a tube of its own.
static uint32_t GetNext( const Graph* graph, uint32_t point )
{
	GEL_ASSERT( point < graph->pointCount );
	if ( GetDegree( graph, point ) != 2 ) return GEL_NO_INDEX;
	for ( uint32_t k = graph->first[point]; k < graph->first[point + 1]; ++k )
	{
		if ( !graph->isUsed[graph->at[k]] ) return graph->at[k];
	}
	return GEL_NO_INDEX;
}

// ---- tubes -----------------------------------------------------------------------------------------------

typedef struct Tube
{
	gelMesh* mesh;
	double radius;
	gelVec3d u;  // across the tube, carried along without twist
	bool isOpen; // there is a ring to go on from
} Tube;

static bool Normalize( gelVec3d* v )
{
	double length = gelLengthD( *v );
	if ( !( length > 1e-12 ) ) return false;
	*v = ( gelVec3d ){ v->x / length, v->y / length, v->z / length };
	return true;
}

static void AddTriangle( gelMesh* mesh, uint32_t a, uint32_t b, uint32_t c )
{
	GEL_ASSERT( a != b && b != c && c != a );
	uint32_t* out = mesh->indices + 3 * (size_t)mesh->triangleCount;
	out[0] = a;
	out[1] = b;
	out[2] = c;
	mesh->triMaterial[mesh->triangleCount++] = GEL_NO_INDEX;
}

static uint32_t AddVertex( gelMesh* mesh, gelVec3d p )
{
	gelVec3 rounded = gelToFloat( p );
	memcpy( mesh->positions + 3 * (size_t)mesh->vertexCount, &rounded, sizeof( rounded ) );
	return mesh->vertexCount++;
}

// Takes u into the plane across t; any direction there where it has none.
// A frame that is carried on has no twist, other than Frenet's, which flips where a curve straightens.
static void CarryAlong( Tube* tube, gelVec3d t )
{
	tube->u = gelMulAddD( tube->u, -gelDotD( tube->u, t ), t );
	if ( Normalize( &tube->u ) ) return;
	bool isX = fabs( t.x ) < 0.6;
	gelVec3d axis = isX ? ( gelVec3d ){ 1.0, 0.0, 0.0 } : ( gelVec3d ){ 0.0, 1.0, 0.0 };
	tube->u = gelMulAddD( axis, isX ? -t.x : -t.y, t );
	Normalize( &tube->u );
}

// @return the first vertex
static uint32_t AddRing( Tube* tube, gelVec3d center, gelVec3d t )
{
	CarryAlong( tube, t );
	gelVec3d v = gelCrossD( t, tube->u );
	uint32_t first = tube->mesh->vertexCount;
	for ( uint32_t i = 0; i < SIDES; ++i )
	{
		double angle = 6.283185307179586 * i / SIDES;
		gelVec3d out = gelMulAddD( gelScaleD( cos( angle ), tube->u ), sin( angle ), v );
		AddVertex( tube->mesh, gelMulAddD( center, tube->radius, out ) );
	}
	return first;
}

// Sides between two rings.
static void JoinRings( gelMesh* mesh, uint32_t from, uint32_t to )
{
	for ( uint32_t i = 0; i < SIDES; ++i )
	{
		uint32_t k = ( i + 1 ) % SIDES;
		AddTriangle( mesh, from + i, from + k, to + k );
		AddTriangle( mesh, from + i, to + k, to + i );
	}
}

static void AddCap( gelMesh* mesh, uint32_t ring, gelVec3d center, bool isEnd )
{
	uint32_t middle = AddVertex( mesh, center );
	for ( uint32_t i = 0; i < SIDES; ++i )
	{
		uint32_t a = ring + i, b = ring + ( i + 1 ) % SIDES;
		AddTriangle( mesh, middle, isEnd ? a : b, isEnd ? b : a );
	}
}

// One segment after another from a point, until lines end or branch.
static void AddChain( Graph* graph, Tube* tube, uint32_t point, uint32_t segment )
{
	GEL_ASSERT( segment < graph->segmentCount );
	gelVec3d direction = { 0.0, 0.0, 0.0 }, center = direction;
	uint32_t ring = 0;
	tube->isOpen = false;
	tube->u = direction;
	while ( segment != GEL_NO_INDEX )
	{
		graph->isUsed[segment] = true;
		bool isForward = graph->ends[2 * (size_t)segment] == point;
		const float* line = graph->linePoints + 6 * (size_t)segment;
		const float *from = line + ( isForward ? 0 : 3 ), *to = line + ( isForward ? 3 : 0 );
		gelVec3d end = { (double)to[0], (double)to[1], (double)to[2] };
		center = ( gelVec3d ){ (double)from[0], (double)from[1], (double)from[2] };
		gelVec3d next = gelSubD( end, center );
		Normalize( &next );
		// A ring between two segments stands in the plane that halves their angle, so that both sides have
		// the same length.
		gelVec3d t = tube->isOpen ? gelAddD( direction, next ) : next;
		if ( !Normalize( &t ) ) t = next; // it turns back
		uint32_t made = AddRing( tube, center, t );
		if ( tube->isOpen )
			JoinRings( tube->mesh, ring, made );
		else
			AddCap( tube->mesh, made, center, false );
		ring = made;
		tube->isOpen = true;
		direction = next;
		center = end;
		point = graph->ends[2 * (size_t)segment + ( isForward ? 1 : 0 )];
		segment = GetNext( graph, point );
	}
	uint32_t last = AddRing( tube, center, direction );
	JoinRings( tube->mesh, ring, last );
	AddCap( tube->mesh, last, center, true );
}

static void AddChains( Graph* graph, Tube* tube )
{
	for ( uint32_t i = 0; i < 2 * graph->segmentCount; ++i ) // from ends and branches, then closed loops
	{
		uint32_t point = graph->ends[i];
		if ( !graph->isUsed[i / 2] && GetDegree( graph, point ) != 2 ) AddChain( graph, tube, point, i / 2 );
	}
	for ( uint32_t i = 0; i < graph->segmentCount; ++i )
	{
		if ( !graph->isUsed[i] ) AddChain( graph, tube, graph->ends[2 * (size_t)i], i );
	}
}

// Arrays for one chain per segment, the most that there can be.
static bool Reserve( gelMesh* mesh )
{
	size_t vertices = ( 2 * SIDES + 2 ) * (size_t)mesh->lineCount,
		   triangles = 4 * SIDES * (size_t)mesh->lineCount;
	mesh->positions = malloc( 3 * vertices * sizeof( float ) );
	mesh->vertToSource = malloc( vertices * sizeof( uint32_t ) );
	mesh->indices = malloc( 3 * triangles * sizeof( uint32_t ) );
	mesh->triMaterial = malloc( triangles * sizeof( uint32_t ) );
	mesh->groups = calloc( 1, sizeof( gelMeshGroup ) );
	if ( !mesh->positions || !mesh->vertToSource || !mesh->indices || !mesh->triMaterial || !mesh->groups )
		return false;
	mesh->groups[0].name = calloc( 8, 1 );
	mesh->groupCount = 1;
	return mesh->groups[0].name != NULL;
}

bool gelMakeTubes( gelImporter* importer )
{
	gelMesh* mesh = importer->mesh;
	double length = 0.0;
	for ( uint32_t i = 0; i < mesh->lineCount; ++i )
		length += gelMesh_GetLineLength( mesh, i );
	if ( !( length > 0.0 && length < 1e30 ) ) return true; // the caller says that there are no triangles
	if ( 4 * SIDES * (uint64_t)mesh->lineCount > GEL_MESH_MAX_TRIANGLES )
	{
		gelFindings_Add( importer->findings, gel_findingMeshTooLarge, importer->path,
			"%u lines are more than the %u that can be used as a rod; simplify them", mesh->lineCount,
			GEL_MESH_MAX_TRIANGLES / ( 4 * SIDES ) );
		return false;
	}
	Graph graph = { 0 };
	Tube tube = { .mesh = mesh, .radius = RADIUS_PART * length };
	bool ok = Reserve( mesh ) && FillGraph( mesh, &graph );
	if ( ok ) AddChains( &graph, &tube );
	FreeGraph( &graph );
	if ( !ok ) return gelImporter_OutOfMemory( importer );
	memcpy( mesh->groups[0].name, "lines", 6 );
	mesh->groups[0].triangleCount = mesh->triangleCount;
	mesh->sourceVertexCount = mesh->vertexCount;
	for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
		mesh->vertToSource[i] = i;
	gelFindings_Add( importer->findings, gel_findingLinesMadeTubes, importer->path,
		"the file has %u lines and no triangles: tubes with a radius of %.3g were put around them",
		mesh->lineCount, tube.radius );
	return true;
}
