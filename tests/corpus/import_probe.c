// SPDX-License-Identifier: MIT
// Imports one mesh and prints what it found as one line of JSON, for import_corpus.sh.
#include "common/mesh/mesh_export.h"
#include "common/import/mesh_import.h"

#include <stdio.h>

static void Print( const gelMesh* mesh )
{
	gelMeshTopology t = gelMesh_Analyse( mesh );
	printf( "{\"source\":%u,\"vertices\":%u,\"welds\":%u,\"triangles\":%u,\"components\":%u,\"open\":%u,"
			"\"nonManifold\":%u,"
			"\"flipped\":%u,\"degenerate\":%u,\"duplicate\":%u,\"closed\":%s,\"euler\":%lld,\"volume\":%.9g,"
			"\"groups\":%u,\"materials\":%u,\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]}\n",
		mesh->sourceVertexCount, mesh->vertexCount, mesh->weldCount, mesh->triangleCount, t.componentCount,
		t.openEdges, t.nonManifoldEdges, t.flippedEdges, t.degenerateTriangles, t.duplicateTriangles,
		t.closed ? "true" : "false", (long long)t.euler, t.signedVolume, mesh->groupCount,
		mesh->materialCount, mesh->boundsMin[0], mesh->boundsMin[1], mesh->boundsMin[2], mesh->boundsMax[0],
		mesh->boundsMax[1], mesh->boundsMax[2] );
}

int main( int argc, char** argv )
{
	if ( argc != 2 && argc != 3 )
	{
		fprintf( stderr, "usage: import_probe MESH [OUT.(obj|glb)]\n" );
		return gel_exitUsage;
	}
	gelFindings findings = { 0 };
	gelMesh mesh;
	if ( gelImportMesh( argv[1], &findings, &mesh, NULL ) )
	{
		Print( &mesh );
		if ( argc == 3 ) gelExportMesh( &mesh, argv[2], &findings );
	}
	int exitCode = findings.exitCode;
	gelFreeMesh( &mesh );
	gelFreeFindings( &findings );
	return exitCode;
}
