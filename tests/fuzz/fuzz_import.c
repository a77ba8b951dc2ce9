// SPDX-License-Identifier: MIT
// A file is refused with an error, or gives a mesh that keeps every promise of mesh.h and reads back after
// export.
#include "fuzz.h"

#include "common/import/mesh_import.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void Demand( bool promise )
{
	if ( !promise ) abort();
}

static void CheckFloats( const float* values, size_t count )
{
	for ( size_t i = 0; values != NULL && i < count; ++i )
		Demand( isfinite( values[i] ) );
}

static void CheckMesh( const gelMesh* mesh )
{
	size_t vertices = mesh->vertexCount, triangles = mesh->triangleCount;
	Demand( triangles > 0 && mesh->positions != NULL && mesh->normals != NULL && mesh->vertToWeld != NULL );
	CheckFloats( mesh->positions, 3 * vertices );
	CheckFloats( mesh->normals, 3 * vertices );
	CheckFloats( mesh->uvs, 2 * vertices );
	CheckFloats( mesh->colors, 4 * vertices );
	for ( size_t i = 0; i < vertices; ++i )
	{
		const float* n = mesh->normals + 3 * i;
		Demand( fabs( (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2] - 1.0 ) < 1e-5 );
		Demand( mesh->vertToWeld[i] < mesh->weldCount && mesh->vertToSource[i] < mesh->sourceVertexCount );
		Demand( i == 0 || mesh->vertToSource[i] >= mesh->vertToSource[i - 1] );
	}
	for ( size_t i = 0; i < 3 * triangles; ++i )
		Demand( mesh->indices[i] < vertices );
	for ( size_t i = 0; i < triangles; ++i )
		Demand( mesh->triMaterial[i] == GEL_NO_INDEX || mesh->triMaterial[i] < mesh->materialCount );
	size_t covered = 0;
	for ( uint32_t i = 0; i < mesh->groupCount; ++i )
	{
		Demand( mesh->groups[i].name != NULL && mesh->groups[i].firstTriangle == covered );
		covered += mesh->groups[i].triangleCount;
	}
	Demand( covered == triangles );
	for ( uint32_t i = 0; i < mesh->attributeCount; ++i )
		CheckFloats( mesh->attributes[i].values, mesh->attributes[i].components * vertices );
	gelMeshTopology topology = gelMesh_Analyse( mesh );
	Demand( topology.edgeCount >= topology.openEdges + topology.nonManifoldEdges + topology.flippedEdges );
	Demand( topology.componentCount > 0 );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	uint8_t* copy = malloc( size + 1 ); // exactly what is promised: the bytes and a zero
	memcpy( copy, data, size );
	copy[size] = 0;
	gelFindings findings = { 0 };
	gelMesh mesh;
	bool ok = gelImportMeshFromMemory( "fuzz/input", copy, size, &findings, &mesh, NULL );
	Demand( ok == ( findings.errorCount == 0 ) );
	if ( ok )
		CheckMesh( &mesh );
	else
		Demand( findings.exitCode == 2 || findings.exitCode == 3 );
	gelFreeMesh( &mesh );
	gelFreeFindings( &findings );
	free( copy );
	return 0;
}
