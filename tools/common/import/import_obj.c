// SPDX-License-Identifier: MIT
// OBJ: scanned statements to a mesh. Polygons are cut into triangles, and each distinct triple of position,
// texture coordinate and normal becomes one render vertex. Render vertices stand in the order of their
// positions in the file, and for one position in order of first use.
#include "common/import/import_internal.h"

#include "common/import/import_obj_scan.h"
#include "common/mesh/triangulate.h"
#include "common/program/clean_text.h"

#include <stdlib.h>
#include <string.h>

typedef struct Builder
{
	gelImporter* importer;
	gelObjScan* scan;
	uint32_t* cornerToVariant; // per corner
	gelObjCorner* variants;    // distinct triples, in order of first use
	uint32_t variantCount;
	uint32_t* variantToVertex;
} Builder;

static uint32_t HashCorner( const gelObjCorner* corner )
{
	uint64_t h = corner->position * 0x9E3779B97F4A7C15ull;
	h = ( h ^ ( h >> 29 ) ^ corner->uv ) * 0xBF58476D1CE4E5B9ull;
	h = ( h ^ ( h >> 32 ) ^ corner->normal ) * 0x94D049BB133111EBull;
	return (uint32_t)( h >> 32 );
}

// Numbers the distinct triples. Memory: false.
static bool FindVariants( Builder* b )
{
	const gelObjFaces* faces = &b->scan->faces;
	size_t slotCount = 64;
	// A closed mesh has six corners per position but hardly more than one variant of it, so the table stays
	// half empty.
	while ( slotCount < faces->cornerCount + faces->cornerCount / 2 )
		slotCount *= 2;
	uint32_t* slots = calloc( slotCount, sizeof( uint32_t ) );
	b->cornerToVariant = malloc( ( faces->cornerCount + 1 ) * sizeof( uint32_t ) );
	b->variants = malloc( ( faces->cornerCount + 1 ) * sizeof( gelObjCorner ) );
	bool ok = slots != NULL && b->cornerToVariant != NULL && b->variants != NULL;
	for ( size_t i = 0; i < faces->cornerCount && ok; ++i )
	{
		const gelObjCorner* corner = faces->corners + i;
		size_t slot = HashCorner( corner ) & ( slotCount - 1 );
		for ( ; slots[slot] != 0; slot = ( slot + 1 ) & ( slotCount - 1 ) )
			if ( memcmp( b->variants + slots[slot] - 1, corner, sizeof *corner ) == 0 ) break;
		if ( slots[slot] == 0 )
		{
			b->variants[b->variantCount] = *corner;
			slots[slot] = ++b->variantCount;
		}
		b->cornerToVariant[i] = slots[slot] - 1;
	}
	free( slots );
	return ok;
}

// Stable counting sort of the variants by position.
static bool OrderVariants( Builder* b )
{
	uint32_t positionCount = b->scan->positionCount;
	uint32_t* starts = calloc( (size_t)positionCount + 1, sizeof( uint32_t ) );
	b->variantToVertex = malloc( ( (size_t)b->variantCount + 1 ) * sizeof( uint32_t ) );
	bool ok = starts != NULL && b->variantToVertex != NULL;
	if ( ok )
	{
		for ( uint32_t i = 0; i < b->variantCount; ++i )
			++starts[b->variants[i].position + 1];
		for ( uint32_t p = 0; p < positionCount; ++p )
			starts[p + 1] += starts[p];
		for ( uint32_t i = 0; i < b->variantCount; ++i )
			b->variantToVertex[i] = starts[b->variants[i].position]++;
	}
	free( starts );
	return ok;
}

static bool MakeVertices( Builder* b )
{
	const gelObjScan* scan = b->scan;
	gelMesh* mesh = b->importer->mesh;
	size_t count = b->variantCount;
	bool anyUv = false, anyNormal = false;
	for ( size_t i = 0; i < count; ++i )
	{
		anyUv |= b->variants[i].uv != GEL_NO_INDEX;
		anyNormal |= b->variants[i].normal != GEL_NO_INDEX;
	}
	mesh->positions = malloc( ( 3 * count + 1 ) * sizeof( float ) );
	mesh->vertToSource = malloc( ( count + 1 ) * sizeof( uint32_t ) );
	// absent texture coordinates are 0; absent normals are 0 here and computed afterwards
	if ( anyUv ) mesh->uvs = calloc( 2 * count, sizeof( float ) );
	if ( anyNormal ) mesh->normals = calloc( 3 * count, sizeof( float ) );
	if ( scan->colors != NULL ) mesh->colors = malloc( ( 4 * count + 1 ) * sizeof( float ) );
	if ( mesh->positions == NULL || mesh->vertToSource == NULL || ( anyUv && mesh->uvs == NULL ) ||
		( anyNormal && mesh->normals == NULL ) || ( scan->colors != NULL && mesh->colors == NULL ) )
		return false;
	mesh->vertexCount = (uint32_t)count;
	mesh->sourceVertexCount = scan->positionCount;
	for ( size_t i = 0; i < count; ++i )
	{
		const gelObjCorner* variant = b->variants + i;
		size_t at = b->variantToVertex[i], from = variant->position;
		memcpy( mesh->positions + 3 * at, scan->positions + 3 * from, 3 * sizeof( float ) );
		mesh->vertToSource[at] = variant->position;
		if ( mesh->colors != NULL )
			memcpy( mesh->colors + 4 * at, scan->colors + 4 * from, 4 * sizeof( float ) );
		if ( variant->uv != GEL_NO_INDEX )
			memcpy( mesh->uvs + 2 * at, scan->uvs + 2 * (size_t)variant->uv, 2 * sizeof( float ) );
		if ( variant->normal != GEL_NO_INDEX )
			memcpy(
				mesh->normals + 3 * at, scan->normals + 3 * (size_t)variant->normal, 3 * sizeof( float ) );
	}
	return true;
}

typedef struct FaceCutter
{
	gelTriangulator triangulator;
	const float** points;
	size_t pointCapacity;
	uint32_t* corners;
	size_t cornerCapacity;
	uint32_t fans, fanLine;
} FaceCutter;

// Triangles of one face, written at the mesh's end.
static bool CutFace( Builder* b, FaceCutter* cutter, const gelObjFace* face )
{
	gelMesh* mesh = b->importer->mesh;
	uint32_t first = face->firstCorner, count = face[1].firstCorner - first;
	if ( !GEL_GROW( cutter->points, cutter->pointCapacity, count ) ||
		!GEL_GROW( cutter->corners, cutter->cornerCapacity, 3 * (size_t)count ) )
		return false;
	for ( uint32_t i = 0; i < count; ++i )
		cutter->points[i] = b->scan->positions + 3 * (size_t)b->scan->faces.corners[first + i].position;
	gelTriangulation result = gelTriangulate( &cutter->triangulator, cutter->points, count, cutter->corners );
	if ( result == gel_triangulationMemory ) return false;
	if ( result == gel_triangulationFan && cutter->fans++ == 0 ) cutter->fanLine = face->line;
	for ( uint32_t i = 0; i < count - 2; ++i )
	{
		uint32_t* triangle = mesh->indices + 3 * (size_t)mesh->triangleCount;
		for ( int k = 0; k < 3; ++k )
			triangle[k] = b->variantToVertex[b->cornerToVariant[first + cutter->corners[3 * (size_t)i + k]]];
		mesh->triMaterial[mesh->triangleCount++] = face->material;
	}
	return true;
}

static bool MakeGroup( Builder* b, size_t index )
{
	gelMesh* mesh = b->importer->mesh;
	const char* name = b->scan->groupNames.names[b->scan->groups[index].name];
	gelMeshGroup* group = mesh->groups + index;
	*group = ( gelMeshGroup ){ .name = gelCleanText( name ), .firstTriangle = mesh->triangleCount };
	mesh->groupCount = (uint32_t)index + 1;
	return group->name != NULL;
}

static bool CutFaces( Builder* b, FaceCutter* cutter )
{
	const gelObjScan* scan = b->scan;
	gelMesh* mesh = b->importer->mesh;
	size_t triangles = scan->faces.cornerCount - 2 * scan->faces.faceCount;
	mesh->indices = malloc( ( 3 * triangles + 1 ) * sizeof( uint32_t ) );
	mesh->triMaterial = malloc( ( triangles + 1 ) * sizeof( uint32_t ) );
	mesh->groups = calloc( scan->groupCount + 1, sizeof( gelMeshGroup ) );
	if ( mesh->indices == NULL || mesh->triMaterial == NULL || mesh->groups == NULL ) return false;
	size_t nextGroup = 0;
	for ( size_t i = 0; i < scan->faces.faceCount; ++i )
	{
		if ( nextGroup < scan->groupCount && scan->groups[nextGroup].firstFace == i &&
			!MakeGroup( b, nextGroup++ ) )
			return false;
		uint32_t before = mesh->triangleCount;
		if ( !CutFace( b, cutter, scan->faces.faces + i ) ) return false;
		mesh->groups[nextGroup - 1].triangleCount += mesh->triangleCount - before;
	}
	return true;
}

static bool MakeTriangles( Builder* b )
{
	FaceCutter cutter = { 0 };
	bool ok = CutFaces( b, &cutter );
	if ( ok && cutter.fans > 0 )
		gelFindings_Add( b->importer->findings, gel_findingPolygonNotSimple, b->importer->path,
			"line %u: %u polygons cross or touch themselves, have no area or are too large, and were cut as "
			"plain fans; triangulate them in the modeller",
			cutter.fanLine, cutter.fans );
	gelFreeTriangulator( &cutter.triangulator );
	free( cutter.points );
	free( cutter.corners );
	return ok;
}

// Segments of polylines, for rods of particles.
static bool MakeLines( Builder* b )
{
	const gelObjScan* scan = b->scan;
	gelMesh* mesh = b->importer->mesh;
	if ( scan->lineCount == 0 ) return true;
	mesh->linePoints = malloc( 6 * scan->lineCount * sizeof( float ) );
	if ( mesh->linePoints == NULL ) return false;
	mesh->lineCount = (uint32_t)scan->lineCount;
	for ( size_t i = 0; i < 2 * scan->lineCount; ++i )
	{
		const float* from = scan->positions + 3 * (size_t)scan->lines[i];
		memcpy( mesh->linePoints + 3 * i, from, 3 * sizeof( float ) );
	}
	return true;
}

static bool Build( Builder* b )
{
	gelImporter* importer = b->importer;
	const gelObjFaces* faces = &b->scan->faces;
	if ( faces->cornerCount - 2 * faces->faceCount > GEL_MESH_MAX_TRIANGLES )
	{
		gelFindings_Add( importer->findings, gel_findingMeshTooLarge, importer->path,
			"%zu triangles are more than the %u that can be used; decimate the model",
			faces->cornerCount - 2 * faces->faceCount, GEL_MESH_MAX_TRIANGLES );
		return false;
	}
	if ( faces->faceCount == 0 ) return MakeLines( b ) || gelImporter_OutOfMemory( importer );
	if ( !gelReadObjMaterials( importer, b->scan ) ) return false;
	return ( FindVariants( b ) && OrderVariants( b ) && MakeVertices( b ) && MakeTriangles( b ) &&
			   MakeLines( b ) ) ||
		gelImporter_OutOfMemory( importer );
}

bool gelImportObj( gelImporter* importer, const uint8_t* text, size_t bytes )
{
	gelObjScan scan;
	Builder builder = { .importer = importer, .scan = &scan };
	bool ok = gelScanObj( importer, (const char*)text, bytes, &scan ) && Build( &builder );
	free( builder.cornerToVariant );
	free( builder.variants );
	free( builder.variantToVertex );
	gelFreeObjScan( &scan );
	return ok;
}
