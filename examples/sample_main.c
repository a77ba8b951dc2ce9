// SPDX-License-Identifier: MIT
// gel-sample: writes one of the sample meshes to a file.
#include "common/mesh/mesh_export.h"
#include "common/program/program.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Settings
{
	const char* outPath;
	int triangles;
	int seed;
	bool list;
} Settings;

static const gelProgramInfo s_info = {
	.name = "gel-sample",
	.summary = "makes detailed closed art meshes out of formulas",
	.operands = "NAME -o OUT.(obj|glb) | --list",
	.example = "gel-sample bear -o bear.glb --triangles 40000",
	.minOperands = 0,
	.maxOperands = 1,
};

static void ListSamples( const gelProgram* program )
{
	int count;
	const char* const* names = gelSampleNames( &count );
	for ( int i = 0; i < count; ++i )
		gelProgram_Say( program, "%-8s %s", names[i], gelSampleSummary( names[i] ) );
}

// An OBJ file may come with a material file of the same name.
static bool AddPaths( gelProgram* program, const char* path )
{
	gelPathSet* paths = &program->paths;
	bool ok = gelPathSet_AddOutput( paths, path, "-o", &program->findings );
	size_t stem = strlen( path ) - strlen( ".obj" );
	if ( !ok || strcmp( path + stem, ".obj" ) != 0 ) return ok;
	char* materials = strdup( path );
	if ( materials != NULL ) memcpy( materials + stem, ".mtl", 4 );
	ok = gelPathSet_AddOutput( paths, materials, "the material file", &program->findings );
	free( materials );
	return ok;
}

// What is wrong with the command line is said before the work is done.
static bool CheckCommand( gelProgram* program, const Settings* settings )
{
	gelFindings* findings = &program->findings;
	const char* name = program->operands.count == 1 ? program->operands.items[0] : NULL;
	if ( name == NULL )
	{
		gelFindings_Add(
			findings, gel_findingUsage, NULL, "name a sample, such as bear; --list shows them all" );
		return false;
	}
	if ( gelSampleSummary( name ) == NULL )
	{
		gelFindings_Add(
			findings, gel_findingNoSample, NULL, "there is no sample '%s'; --list shows them all", name );
		return false;
	}
	const char* ending = settings->outPath != NULL ? strrchr( settings->outPath, '.' ) : NULL;
	if ( ending == NULL || ( strcmp( ending, ".obj" ) != 0 && strcmp( ending, ".glb" ) != 0 ) )
	{
		gelFindings_Add( findings, gel_findingUsage, settings->outPath,
			"name the output with -o; its ending is .obj or .glb" );
		return false;
	}
	return AddPaths( program, settings->outPath );
}

static void ReportMesh( gelProgram* program, const gelMesh* mesh )
{
	gelMeshTopology topology = gelMesh_Analyse( mesh );
	gelReport_SetInt( &program->report, "mesh.triangles", mesh->triangleCount );
	gelReport_SetInt( &program->report, "mesh.vertices", mesh->vertexCount );
	gelReport_SetInt( &program->report, "mesh.welds", mesh->weldCount );
	gelReport_SetInt( &program->report, "mesh.euler", topology.euler );
	gelReport_SetReal( &program->report, "mesh.area", topology.area );
	gelReport_SetReal( &program->report, "mesh.volume", topology.signedVolume );
}

static void Run( gelProgram* program, const Settings* settings )
{
	const char* name = program->operands.items[0];
	gelMesh mesh;
	gelReport_SetString( &program->report, "input", name );
	gelReport_SetString( &program->report, "output", settings->outPath );
	gelReport_Phase( &program->report, "make" );
	double start = gelNow();
	if ( !gelMakeSample( name, (uint32_t)settings->triangles, (uint32_t)settings->seed, &mesh ) )
	{
		gelFindings_Add( &program->findings, gel_findingNoMemory, NULL, "not enough memory for %d triangles",
			settings->triangles );
		return;
	}
	double seconds = gelNow() - start;
	ReportMesh( program, &mesh );
	gelReport_Phase( &program->report, "write" );
	if ( gelExportMesh( &mesh, settings->outPath, &program->findings ) )
	{
		gelProgram_Say( program, "%s: %s, %u triangles, %u vertices, %.2f x %.2f x %.2f m, %.2f s",
			settings->outPath, name, mesh.triangleCount, mesh.vertexCount,
			mesh.boundsMax[0] - mesh.boundsMin[0], mesh.boundsMax[1] - mesh.boundsMin[1],
			mesh.boundsMax[2] - mesh.boundsMin[2], seconds );
	}
	gelReport_Phase( &program->report, NULL );
	gelFreeMesh( &mesh );
}

int main( int argc, char** argv )
{
	Settings settings = { .triangles = 20000 };
	const gelOption options[] = {
		{ .name = "output",
			.letter = 'o',
			.type = gel_optionString,
			.value = "FILE",
			.target = &settings.outPath,
			.help = "mesh to write: .obj or .glb" },
		{ .name = "triangles",
			.letter = 'n',
			.type = gel_optionInt,
			.value = "N",
			.target = &settings.triangles,
			.min = GEL_SAMPLE_MIN_TRIANGLES,
			.max = GEL_SAMPLE_MAX_TRIANGLES,
			.help = "triangles to make [20000]" },
		{ .name = "seed",
			.type = gel_optionInt,
			.value = "N",
			.target = &settings.seed,
			.min = 0,
			.max = 2147483647,
			.help = "another number gives other small detail [0]" },
		{ .name = "list",
			.type = gel_optionFlag,
			.target = &settings.list,
			.help = "print the names of all samples" },
		{ .name = NULL },
	};
	gelProgram program;
	if ( gelProgram_Begin( &program, &s_info, options, argc, argv ) )
	{
		if ( settings.list )
		{
			ListSamples( &program );
		}
		else if ( CheckCommand( &program, &settings ) )
		{
			Run( &program, &settings );
		}
	}
	return gelProgram_Finish( &program );
}
