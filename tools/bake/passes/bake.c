// SPDX-License-Identifier: MIT
// The order of the passes, and the report about them.
//
//     cage -> check, round -> order -> gather -> materials -> rest shapes -> masses     "mechanics"
//          -> colors, batches                                                           orders of the sweep
//     art  -> embed in cage tets, attachment points                                     "embed"
//          -> collision geometry: art cut by the cage                                   "collision"
//     cage -> factors per pin set and step, warp trees; levels of detail; particles
//          -> META and provenance -> pack -> validate -> report
//
// Passes depend on those to their left only. Cheap checks come first, so that a mistake ends a bake before
// anything slow has run.
#include "bake/passes/pack_parts.h"
#include "bake/body/body_passes.h"
#include "bake/factor/factor_passes.h"
#include "bake/particles/particle_passes.h"
#include "bake/surface/surface_passes.h"

#include "common/mesh/pack_figures.h"
#include "pack/pack_read.h"
#include "bake/factor/warp_bake.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

static void BeginPhase( gelProgram* program, const char* name, double fraction )
{
	gelReport_Phase( &program->report, name );
	gelProgress_Update( &program->progress, name, fraction );
}

// Rods and sheets of particles have triangles, too: lines of an OBJ file become tubes when they are imported.
static bool CheckArt( const gelMesh* mesh, const char* file, gelFindings* findings )
{
	if ( mesh->vertexCount == 0 || mesh->triangleCount == 0 )
	{
		gelFindings_Add( findings, gel_findingArtEmpty, file, "the art has %u vertices and %u triangles",
			mesh->vertexCount, mesh->triangleCount );
		return false;
	}
	if ( mesh->vertexCount <= GEL_PACK_MAX_VERTICES && mesh->triangleCount <= GEL_PACK_MAX_TRIANGLES )
		return true;
	gelFindings_Add( findings, gel_findingFormatLimit, file,
		"the art has %u vertices and %u triangles; a pack holds at most %u and %u", mesh->vertexCount,
		mesh->triangleCount, GEL_PACK_MAX_VERTICES, GEL_PACK_MAX_TRIANGLES );
	return false;
}

static bool RunPasses( gelBakeData* data, const gelCage* cage, gelProgram* program )
{
	gelFindings* findings = &program->findings;
	BeginPhase( program, "mechanics", 0.0 );
	if ( !CheckArt( data->mesh, data->settings->artFile, findings ) ) return false;
	if ( !gelCheckCage( cage, data->settings->cageFile, &data->pool, findings, &data->cage ) ) return false;
	gelOrderCage( &data->cage, &data->pool );
	data->gather = gelBuildGather( &data->cage, &data->pool );
	if ( !gelBuildMaterials( data->settings, &data->cage, &data->pool, findings, &data->materials ) ||
		!gelBuildRestShapes( &data->cage, data->materials.tets, &data->pool, findings, &data->rest ) ||
		!gelBuildMasses( &data->cage, &data->gather, &data->rest, data->materials.items, &data->pool,
			findings, &data->masses ) )
	{
		return false;
	}
	if ( !gelColorTets( &data->cage, &data->pool, findings, &data->coloring ) ) return false;
	data->batches = gelBuildBatches( &data->cage, &data->pool );

	BeginPhase( program, "embed", 0.2 );
	if ( !gelEmbedVertices( data->mesh, data->settings->artFile, &data->cage, data->settings->threads,
			 &data->pool, findings, &data->embedding ) )
	{
		return false;
	}
	if ( !gelBuildAttachments( data, findings ) ) return false;
	BeginPhase( program, "collision", 0.3 );
	if ( !gelBuildCdg( data, &data->pool, findings, &data->cdg ) ) return false;
	if ( !gelBuildFactors( data, program ) || !gelBuildWarp( data, findings ) ) return false;
	if ( !gelBuildLevels( data, findings ) ) return false;
	if ( data->settings->particles.kind == gel_particlesNone || data->settings->isStatic ) return true;
	BeginPhase( program, "particles", 0.8 );
	return gelBuildParticles( data, findings );
}

// Nothing leaves the bake that the runtime would refuse. Memory is taken before the draft exists, so that
// a lack of it leaves none behind.
// The draft, if there is one, is the file on disk under its temporary name (bake_command.c); it gets its real
// name only after the validation beside it was successful.
static bool CheckPack(
	const gelBakeSettings* settings, const uint8_t* bytes, size_t byteCount, gelProgram* program )
{
	GEL_ASSERT( bytes != NULL && byteCount >= sizeof( gelPackHeader ) );
	gelBakePool pool = { NULL };
	gelPackView view;
	gelPackFault fault = { 0 };
	size_t scratchBytes = gelPack_ScratchBytes( bytes, byteCount );
	void* scratch = gelBakePool_Alloc( &pool, scratchBytes, 1 );
	bool ok = false;
#pragma omp parallel sections num_threads( settings->draft != NULL && settings->threads > 1 ? 2 : 1 )
	{
#pragma omp section
		if ( settings->draft != NULL ) settings->draft( settings->draftContext, bytes, byteCount );
#pragma omp section
		ok = gelPack_Open( bytes, byteCount, scratch, scratchBytes, 0, &view, &fault ) == gel_packOk;
	}
	gelFreeBakePool( &pool );
	if ( ok ) return true;
	const char name[5] = { (char)fault.fourcc, (char)( fault.fourcc >> 8 ), (char)( fault.fourcc >> 16 ),
		(char)( fault.fourcc >> 24 ), 0 };
	gelFindings_Add( &program->findings, gel_findingInternal, NULL,
		"the baked pack breaks a rule of its format: %s, section %s, element %llu: %s",
		gelPackCode_String( fault.code ), fault.fourcc != 0 ? name : "table", (unsigned long long)fault.index,
		fault.text != NULL ? fault.text : "" );
	return false;
}

// From the pack, as gel-inspect does it: the same figures, in the same order.
static void ReportFactors( const uint8_t* bytes, gelReport* report )
{
	const gelPackHeader* header = (const gelPackHeader*)(const void*)bytes;
	const gelPackSection* sections = (const gelPackSection*)(const void*)( bytes + sizeof( gelPackHeader ) );
	json_t* factors = json_array();
	for ( uint32_t i = 0; i < header->sectionCount; ++i )
	{
		const gelPackSection* s = sections + i;
		if ( s->fourcc != GEL_SECTION_FACT ) continue;
		json_array_append_new(
			factors, gelMakeFactorJson( s, (const gelPackFactor*)(const void*)( bytes + s->offset ) ) );
	}
	gelReport_SetJson( report, "factors", factors );
}

static void ReportSections( const uint8_t* bytes, gelReport* report )
{
	const gelPackHeader* header = (const gelPackHeader*)(const void*)bytes;
	const gelPackSection* sections = (const gelPackSection*)(const void*)( bytes + sizeof( gelPackHeader ) );
	json_t* sizes = json_object();
	for ( uint32_t i = 0; i < header->sectionCount; ++i )
	{
		char name[5] = { 0 };
		memcpy( name, &sections[i].fourcc, 4 );
		json_int_t before = json_integer_value( json_object_get( sizes, name ) );
		json_object_set_new( sizes, name, json_integer( before + (json_int_t)sections[i].bytes ) );
	}
	gelReport_SetJson( report, "section_bytes", sizes );
}

static double GetMass( const gelBakeData* data )
{
	double mass = 0.0;
	for ( uint32_t t = 0; t < data->cage.tetCount; ++t )
	{
		const gelPackTetRest* tet = data->rest.tets + t;
		mass += (double)data->materials.items[tet->material].density * (double)tet->volume;
	}
	return mass;
}

static void FillReport( const gelBakeData* data, const uint8_t* bytes, size_t byteCount, gelReport* report )
{
	gelReport_SetInt( report, "counts.nodes", data->cage.nodeCount );
	gelReport_SetInt( report, "counts.tets", data->cage.tetCount );
	gelReport_SetInt( report, "counts.parts", data->cage.partCount );
	gelReport_SetInt( report, "counts.vertices", data->mesh->vertexCount );
	gelReport_SetInt( report, "counts.positions", data->mesh->weldCount );
	gelReport_SetInt( report, "counts.triangles", data->mesh->triangleCount );
	gelReport_SetInt( report, "counts.colors", data->coloring.colorCount );
	gelReport_SetInt( report, "counts.factors", data->factorCount );
	gelReport_SetInt( report, "counts.bytes", (int64_t)byteCount );
	gelReport_SetReal( report, "quality.volume", data->rest.volume );
	gelReport_SetInt( report, "counts.materials", data->materials.count );
	gelReport_SetReal( report, "quality.mass", GetMass( data ) );
	gelReport_SetReal( report, "quality.min_thickness", data->rest.minThickness );
	gelReport_SetReal( report, "quality.embedding_error", data->embedding.maxError );
	gelReport_SetInt( report, "quality.snapped_positions", data->embedding.snapped );
	gelReportAttachments( data, report );
	gelReportCdg( &data->cdg, report );
	gelReportParticles( &data->particles, report );
	gelReportWarp( data, report );
	gelReportLevels( data->settings, report );
	ReportFactors( bytes, report );
	ReportSections( bytes, report );
}

// @return NULL when the pack is over a cap or breaks a rule
static uint8_t* MakePack( gelBakeData* data, const gelCage* cage, gelProgram* program, size_t* outBytes )
{
	gelFindings* findings = &program->findings;
	BeginPhase( program, "pack", 0.9 );
	uint8_t provenance[32];
	gelBuildProvenance( data, cage, findings, provenance );
	char* meta = gelBuildMeta( data, findings );
	uint8_t* bytes = meta != NULL ? gelWritePack( data, meta, provenance, outBytes ) : NULL;
	// The warp-cancelling solver needs an asset to factor, and an asset needs a pack: written once without
	// WFAC, then again with it. Provenance and META are those of the first.
	if ( bytes != NULL && data->warpCount > 0 )
	{
		bool ok = gelFactorWarpAtRest( data, bytes, *outBytes, findings );
		free( bytes );
		bytes = ok ? gelWritePack( data, meta, provenance, outBytes ) : NULL;
	}
	if ( bytes == NULL )
		gelFindings_Add(
			findings, gel_findingFormatLimit, NULL, "the pack is too large; use a coarser cage" );
	free( meta );
	BeginPhase( program, "validate", 0.95 );
	if ( bytes != NULL && !CheckPack( data->settings, bytes, *outBytes, program ) )
	{
		free( bytes );
		bytes = NULL;
	}
	return bytes;
}

uint8_t* gelBake( const gelMesh* mesh, const gelCage* cage, const gelBakeSettings* settings,
	gelProgram* program, size_t* outBytes )
{
	GEL_ASSERT( mesh != NULL && cage != NULL && settings != NULL && program != NULL && outBytes != NULL );
	GEL_ASSERT( settings->threads >= 1 && ( settings->stepCount == 0 || settings->steps != NULL ) );
	gelBakeData data;
	memset( &data, 0, sizeof( data ) );
	data.mesh = mesh;
	data.settings = settings;
	// Findings of a batch or of an earlier level may be there already.
	const int errorsBefore = program->findings.errorCount;
	uint8_t* bytes = NULL;
	*outBytes = 0;
	if ( RunPasses( &data, cage, program ) && program->findings.errorCount == errorsBefore )
		bytes = MakePack( &data, cage, program, outBytes );
	if ( bytes != NULL ) FillReport( &data, bytes, *outBytes, &program->report );
	gelReport_Phase( &program->report, NULL );
	gelProgress_Clear( &program->progress );
	gelFreeBakePool( &data.pool );
	return bytes;
}
