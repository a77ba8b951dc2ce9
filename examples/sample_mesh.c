// SPDX-License-Identifier: MIT
// The whole way of a sample: field, surface, mesh with normals, UVs, groups and materials.
#include "samples.h"

#include "sample_shapes.h"
#include "sample_surface.h"

#include <stdlib.h>
#include <string.h>

// Marching tetrahedra make many small triangles; collapsing the shortest edges until about half are
// left is what makes the rest well shaped.
#define EXTRACT_FACTOR 1.8
#define SURFACE_TRIES  5

static gelField* BuildField( const gelSampleShape* shape, uint32_t seed, double edgeLength )
{
	gelField* field = calloc( 1, sizeof( gelField ) );
	if ( field == NULL ) return NULL;
	field->seed = seed;
	shape->build( field );
	if ( !gelField_Prepare( field, edgeLength ) )
	{
		free( field );
		return NULL;
	}
	return field;
}

static void FreeField( gelField* field )
{
	if ( field != NULL )
	{
		gelField_Release( field );
		free( field );
	}
}

// A first look through a coarse lattice (it may lose thin parts) tells the area and how many triangles the
// safe spacing will give.
static bool MeasureShape(
	const gelSampleShape* shape, double* outArea, double* outSpacing, double* outTriangles )
{
	gelField* field = BuildField( shape, 0, 1.0 );
	gelSampleSurface surface = { 0 };
	bool ok = field != NULL && gelExtractSampleSurface( field, 2.5 * field->thinnest, &surface );
	if ( ok )
	{
		*outArea = gelSampleSurface_Area( &surface );
		*outSpacing = field->thinnest;
		*outTriangles = 6.25 * surface.triangleCount;
	}
	gelFreeSampleSurface( &surface );
	FreeField( field );
	return ok;
}

// One piece, with the holes that the shape is meant to have. Where a gap is narrower than the lattice can
// see, the surface may bridge it, and a speck of detail may come loose.
static bool HasRightTopology( const gelSampleSurface* surface, const gelSampleShape* shape )
{
	int64_t euler = (int64_t)surface->pointCount - (int64_t)surface->triangleCount / 2;
	return euler == 2 - 2 * shape->holes && gelSampleSurface_CountPieces( surface ) == 1;
}

// Extracts with finer and finer lattices until the topology is right, in the end without small detail.
static bool ExtractSurface( const gelSampleShape* shape, uint32_t seed, double spacing, double edgeLength,
	gelField** outField, gelSampleSurface* out )
{
	enum
	{
		FINER_TRIES = 5,
		ALL_TRIES = 10,
	};
	for ( int i = 0; i < ALL_TRIES; ++i )
	{
		*outField = BuildField( shape, seed, i < FINER_TRIES ? edgeLength : 1.0 );
		if ( *outField == NULL || !gelExtractSampleSurface( *outField, spacing, out ) ) return false;
		if ( gelSampleSurface_Connect( out ) && HasRightTopology( out, shape ) ) return true;
		gelFreeSampleSurface( out );
		FreeField( *outField );
		*outField = NULL;
		spacing *= 0.87;
	}
	return false;
}

static bool MakeSurface(
	const gelSampleShape* shape, uint32_t target, uint32_t seed, gelField** outField, gelSampleSurface* out )
{
	double area, spacing, triangles;
	if ( !MeasureShape( shape, &area, &spacing, &triangles ) ) return false;
	// Triangles grow with the inverse square of the spacing. At low counts, where the last centimetre of a
	// tip cannot be drawn anyway, a coarser start saves time.
	double wanted = EXTRACT_FACTOR * target;
	spacing *=
		wanted > triangles ? sqrt( triangles / wanted ) : gelSampleClamp( 1.3 - 1.5e-5 * target, 1.0, 1.3 );
	double edgeLength = sqrt( area / target * 2.3094010767585034 ); // equilateral: area = sqrt(3)/4 length^2
	// Smoothing shows which edges are short for their place; the second collapse takes those.
	uint32_t nearly = target + target / 64 * 2;
	for ( int i = 0; i < SURFACE_TRIES; ++i )
	{
		bool made = ExtractSurface( shape, seed, spacing, edgeLength, outField, out ) &&
			gelSampleSurface_Simplify( out, nearly ) && gelSampleSurface_Smooth( out, *outField, 2, false ) &&
			gelSampleSurface_Simplify( out, target ) && gelSampleSurface_Smooth( out, *outField, 3, true );
		if ( !made || i + 1 == SURFACE_TRIES || gelSampleSurface_IsSimple( out ) ) return made;
		// 2 of 70 first tries fail, where a crease is narrower than an edge: another lattice gives other
		// triangles.
		gelFreeSampleSurface( out );
		FreeField( *outField );
		*outField = NULL;
		spacing *= 0.94;
	}
	return false;
}

// ---- mesh --------------------------------------------------------------------------------------

static char* CopyString( const char* text )
{
	size_t bytes = strlen( text ) + 1;
	char* copy = malloc( bytes );
	if ( copy != NULL ) memcpy( copy, text, bytes );
	return copy;
}

static bool AllocateMesh( gelMesh* mesh, uint32_t vertexCapacity, uint32_t triangleCount, int partCount )
{
	mesh->positions = malloc( (size_t)vertexCapacity * 3 * sizeof( float ) );
	mesh->normals = malloc( (size_t)vertexCapacity * 3 * sizeof( float ) );
	mesh->uvs = malloc( (size_t)vertexCapacity * 2 * sizeof( float ) );
	mesh->vertToSource = malloc( (size_t)vertexCapacity * sizeof( uint32_t ) );
	mesh->indices = malloc( (size_t)triangleCount * 3 * sizeof( uint32_t ) );
	mesh->triMaterial = malloc( (size_t)triangleCount * sizeof( uint32_t ) );
	mesh->materials = calloc( (size_t)partCount, sizeof( gelMeshMaterial ) );
	mesh->groups = calloc( (size_t)partCount, sizeof( gelMeshGroup ) );
	mesh->triangleCount = triangleCount;
	mesh->normalsFromFile = true;
	return mesh->positions != NULL && mesh->normals != NULL && mesh->uvs != NULL &&
		mesh->vertToSource != NULL && mesh->indices != NULL && mesh->triMaterial != NULL &&
		mesh->materials != NULL && mesh->groups != NULL;
}

// What turns surface points into render vertices. A point on the UV seam has two of them.
typedef struct MeshWriter
{
	gelMesh* mesh;
	gelField* field;
	const gelSampleSurface* surface;
	gelVec3d low, size;    // box around the points [m]
	double* angles;        // angle of each point about the vertical axis, as u in [0, 1)
	uint32_t* vertices[2]; // for each point, for u and u + 1; GEL_NO_INDEX: not made
	uint8_t* triParts;
} MeshWriter;

static void MeasureBounds( MeshWriter* w )
{
	gelVec3d low = w->surface->points[0], high = low;
	for ( uint32_t p = 1; p < w->surface->pointCount; ++p )
	{
		gelVec3d x = w->surface->points[p];
		low = gelMakeVec3d( fmin( low.x, x.x ), fmin( low.y, x.y ), fmin( low.z, x.z ) );
		high = gelMakeVec3d( fmax( high.x, x.x ), fmax( high.y, x.y ), fmax( high.z, x.z ) );
	}
	w->low = low;
	w->size = gelSubD( high, low );
}

static bool PrepareWriter( MeshWriter* w )
{
	uint32_t pointCount = w->surface->pointCount, triangleCount = w->surface->triangleCount;
	w->angles = malloc( pointCount * sizeof( double ) );
	w->vertices[0] = malloc( pointCount * sizeof( uint32_t ) );
	w->vertices[1] = malloc( pointCount * sizeof( uint32_t ) );
	w->triParts = malloc( triangleCount );
	if ( w->angles == NULL || w->vertices[0] == NULL || w->vertices[1] == NULL || w->triParts == NULL )
		return false;
	MeasureBounds( w );
	gelVec3d middle = gelMulAddD( w->low, 0.5, w->size );
	for ( uint32_t p = 0; p < pointCount; ++p )
	{
		gelVec3d d = gelSubD( w->surface->points[p], middle );
		double u = 0.5 + gelSampleAtan2( d.x, d.z ) * ( 0.5 / GEL_SAMPLE_PI ); // seam at the back
		w->angles[p] = u < 1.0 ? u : 0.0;
		w->vertices[0][p] = w->vertices[1][p] = GEL_NO_INDEX;
	}
	for ( size_t t = 0; t < triangleCount; ++t )
	{
		const uint32_t* c = w->surface->corners + 3 * t;
		const gelVec3d* x = w->surface->points;
		gelVec3d center = gelScaleD( 1.0 / 3.0, gelAddD( gelAddD( x[c[0]], x[c[1]] ), x[c[2]] ) );
		w->triParts[t] = (uint8_t)gelField_PartAt( w->field, center );
	}
	return true;
}

static uint32_t VertexOf( MeshWriter* w, uint32_t point, int turn )
{
	uint32_t* slot = w->vertices[turn] + point;
	if ( *slot != GEL_NO_INDEX ) return *slot;
	gelMesh* mesh = w->mesh;
	uint32_t v = mesh->vertexCount++;
	*slot = v;
	gelVec3d x = w->surface->points[point];
	gelVec3d n = gelSampleNormalize( gelField_Gradient( w->field, x ) );
	float* position = mesh->positions + 3 * (size_t)v;
	float* normal = mesh->normals + 3 * (size_t)v;
	position[0] = (float)x.x;
	position[1] = (float)( x.y - w->low.y ); // the lowest point stands on the ground
	position[2] = (float)x.z;
	normal[0] = (float)n.x;
	normal[1] = (float)n.y;
	normal[2] = (float)n.z;
	mesh->uvs[2 * (size_t)v] = (float)( w->angles[point] + turn );
	mesh->uvs[2 * (size_t)v + 1] = (float)( ( x.y - w->low.y ) / w->size.y );
	mesh->vertToSource[v] = point;
	return v;
}

// A triangle that spans more than half a turn crosses the seam: its low ends get u + 1.
static void WriteTriangle( MeshWriter* w, uint32_t t, uint32_t outTriangle )
{
	const uint32_t* c = w->surface->corners + 3 * (size_t)t;
	double low = fmin( w->angles[c[0]], fmin( w->angles[c[1]], w->angles[c[2]] ) );
	double high = fmax( w->angles[c[0]], fmax( w->angles[c[1]], w->angles[c[2]] ) );
	for ( int i = 0; i < 3; ++i )
	{
		int turn = high - low > 0.5 && w->angles[c[i]] < 0.5;
		w->mesh->indices[3 * (size_t)outTriangle + (size_t)i] = VertexOf( w, c[i], turn );
	}
}

// Triangles sorted by part; parts without triangles are left out.
static bool WriteParts( MeshWriter* w )
{
	gelMesh* mesh = w->mesh;
	uint32_t written = 0;
	for ( int part = 0; part < w->field->partCount; ++part )
	{
		uint32_t first = written;
		for ( uint32_t t = 0; t < w->surface->triangleCount; ++t )
		{
			if ( w->triParts[t] == part )
			{
				mesh->triMaterial[written] = mesh->materialCount;
				WriteTriangle( w, t, written++ );
			}
		}
		if ( written == first ) continue;
		const gelFieldPart* source = w->field->parts + part;
		gelMeshMaterial* material = mesh->materials + mesh->materialCount++;
		gelMeshGroup* group = mesh->groups + mesh->groupCount++;
		material->name = CopyString( source->name );
		memcpy( material->baseColor, source->color, sizeof( material->baseColor ) );
		group->name = CopyString( source->name );
		group->firstTriangle = first;
		group->triangleCount = written - first;
		if ( material->name == NULL || group->name == NULL ) return false;
	}
	return true;
}

static bool WriteMesh( gelField* field, const gelSampleSurface* surface, gelMesh* outMesh )
{
	MeshWriter w = { .mesh = outMesh, .field = field, .surface = surface };
	bool ok = AllocateMesh( outMesh, 2 * surface->pointCount, surface->triangleCount, field->partCount ) &&
		PrepareWriter( &w ) && WriteParts( &w ) && !field->outOfMemory;
	free( w.angles );
	free( w.vertices[0] );
	free( w.vertices[1] );
	free( w.triParts );
	ok = ok && gelMesh_Weld( outMesh );
	if ( ok ) gelMesh_ComputeBounds( outMesh );
	return ok;
}

bool gelMakeSample( const char* name, uint32_t targetTriangles, uint32_t seed, gelMesh* outMesh )
{
	memset( outMesh, 0, sizeof( *outMesh ) );
	const gelSampleShape* shape = gelFindSampleShape( name );
	if ( shape == NULL ) return false;
	uint32_t target = targetTriangles < GEL_SAMPLE_MIN_TRIANGLES ? GEL_SAMPLE_MIN_TRIANGLES : targetTriangles;
	target = target > GEL_SAMPLE_MAX_TRIANGLES ? GEL_SAMPLE_MAX_TRIANGLES : target;
	gelField* field = NULL;
	gelSampleSurface surface = { 0 };
	bool ok = MakeSurface( shape, target, seed, &field, &surface ) && WriteMesh( field, &surface, outMesh );
	gelFreeSampleSurface( &surface );
	FreeField( field );
	if ( !ok ) gelFreeMesh( outMesh );
	return ok;
}
