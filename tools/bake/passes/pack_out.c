// SPDX-License-Identifier: MIT
// From the results of the passes to the sections of a pack.
#include "bake/passes/pack_parts.h"
#include "bake/body/body_passes.h"
#include "bake/factor/factor_passes.h"
#include "bake/particles/particle_passes.h"
#include "bake/surface/surface_passes.h"

#include "common/program/memory.h"
#include "pack/pack_read.h"
#include "pack/pack_write.h"
#include "bake/factor/warp_bake.h"

#include <gelpack/asserts.h>

#include <math.h>
#include <string.h>

// Octahedral map: the unit octahedron |x| + |y| + |z| = 1 seen along z, its lower half folded outwards
// (Cigolle et al. 2014). snorm16 keeps normals to about 0.005 degrees.
static gelPackNormal EncodeNormal( const float n[3] )
{
	double x = (double)n[0], y = (double)n[1], z = (double)n[2];
	double sum = fabs( x ) + fabs( y ) + fabs( z );
	if ( !( sum > 0.0 ) ) return ( gelPackNormal ){ 0, 0 }; // +z
	double u = x / sum, v = y / sum;
	if ( z < 0.0 )
	{
		double foldedU = copysign( 1.0 - fabs( v ), u );
		v = copysign( 1.0 - fabs( u ), v );
		u = foldedU;
	}
	return ( gelPackNormal ){ (int16_t)lround( 32767.0 * u ), (int16_t)lround( 32767.0 * v ) };
}

static void AddEmbedding( gelPackWriter* writer, const gelBakeData* data, gelBakePool* pool )
{
	const uint32_t count = data->mesh->vertexCount;
	const uint32_t padded = ( count + GEL_PACK_LANES - 1 ) / GEL_PACK_LANES * GEL_PACK_LANES;
	uint32_t* tets = gelBakePool_Alloc( pool, padded, sizeof( uint32_t ) );
	float* weights = gelBakePool_Alloc( pool, 4 * (size_t)padded, sizeof( float ) );
	for ( uint32_t i = 0; i < padded; ++i )
	{
		// Padding repeats the last vertex, so that kernels may compute it; nobody reads the result.
		uint32_t v = i < count ? i : count - 1;
		tets[i] = data->embedding.tets[v];
		for ( uint32_t k = 0; k < 4; ++k )
		{
			//
			//     eight vertices:  w0 w0 w0 w0 w0 w0 w0 w0 | w1 .. | w2 .. | w3 ..     one block of 32 floats
			size_t block = 4 * (size_t)( i / GEL_PACK_LANES * GEL_PACK_LANES );
			weights[block + k * GEL_PACK_LANES + i % GEL_PACK_LANES] =
				data->embedding.weights[4 * (size_t)v + k];
		}
	}
	gelPackEmbedding header = { 0 };
	const gelPackInnerArray arrays[] = {
		{ tets, padded, sizeof( uint32_t ) },
		{ weights, 4 * padded, sizeof( float ) },
		{ data->mesh->vertToSource, count, sizeof( uint32_t ) },
	};
	gelPackWriter_AddBlob( writer, GEL_SECTION_VEMB, 0, 0, &header, sizeof( header ), 0, arrays, 3 );
}

static void AddArt( gelPackWriter* writer, const gelBakeData* data )
{
	const gelMesh* mesh = data->mesh;
	gelBakePool pool = { NULL };
	AddEmbedding( writer, data, &pool );
	gelPackWriter_AddArray(
		writer, GEL_SECTION_VIDX, 0, 0, mesh->indices, mesh->triangleCount, sizeof( gelPackTriangle ) );
	if ( mesh->normals != NULL )
	{
		gelPackNormal* normals = gelBakePool_Alloc( &pool, mesh->vertexCount, sizeof( gelPackNormal ) );
		for ( uint32_t i = 0; i < mesh->vertexCount; ++i )
			normals[i] = EncodeNormal( mesh->normals + 3 * (size_t)i );
		gelPackWriter_AddArray(
			writer, GEL_SECTION_VNRM, 0, 0, normals, mesh->vertexCount, sizeof( gelPackNormal ) );
	}
	gelFreeBakePool( &pool );
}

static void AddCage( gelPackWriter* writer, const gelBakeData* data )
{
	const uint32_t nodeCount = data->cage.nodeCount, tetCount = data->cage.tetCount;
	gelPackWriter_AddArray(
		writer, GEL_SECTION_NODE, 0, 0, data->cage.nodes, nodeCount, sizeof( gelPackNode ) );
	gelPackWriter_AddArray( writer, GEL_SECTION_TETS, 0, 0, data->cage.tets, tetCount, sizeof( gelPackTet ) );
	gelPackWriter_AddArray(
		writer, GEL_SECTION_TREF, 0, 0, data->rest.tets, tetCount, sizeof( gelPackTetRest ) );
	gelPackWriter_AddArray( writer, GEL_SECTION_MASS, 0, 0, data->masses, nodeCount, sizeof( gelPackMass ) );
	gelPackWriter_AddArray( writer, GEL_SECTION_MATL, 0, 0, data->materials.items, data->materials.count,
		sizeof( gelPackMaterial ) );

	gelPackColoring coloring = { 0 };
	const gelPackInnerArray colorArrays[] = {
		{ data->coloring.colorFirst, data->coloring.colorCount + 1, sizeof( uint32_t ) },
		{ data->coloring.tets, tetCount, sizeof( uint32_t ) },
	};
	gelPackWriter_AddBlob( writer, GEL_SECTION_COLR, 0, 0, &coloring, sizeof( coloring ), 0, colorArrays, 2 );

	gelPackWriter_AddArray(
		writer, GEL_SECTION_VBAT, 0, 0, data->batches.slots, data->batches.slotCount, sizeof( uint32_t ) );

	// Only when the order was changed: a pack without these is numbered like its cage.
	if ( data->cage.sourceNodes != NULL )
	{
		gelPackWriter_AddArray(
			writer, GEL_SECTION_NSRC, 0, 0, data->cage.sourceNodes, nodeCount, sizeof( uint32_t ) );
		gelPackWriter_AddArray(
			writer, GEL_SECTION_TSRC, 0, 0, data->cage.sourceTets, tetCount, sizeof( uint32_t ) );
	}

	gelPackGather gather = { 0 };
	const gelPackInnerArray gatherArrays[] = {
		{ data->gather.nodeFirst, nodeCount + 1, sizeof( uint32_t ) },
		{ data->gather.corners, 4 * tetCount, sizeof( uint32_t ) },
	};
	gelPackWriter_AddBlob( writer, GEL_SECTION_GATH, 0, 0, &gather, sizeof( gather ), 0, gatherArrays, 2 );

	for ( int i = 0; i < data->settings->pinSetCount; ++i )
	{
		const gelBakePinSet* pins = data->pinSets + i;
		gelPackWriter_AddArray( writer, GEL_SECTION_PINS, data->pinSetIds[i], 0, pins->nodes, pins->nodeCount,
			sizeof( uint32_t ) );
	}
}

uint8_t* gelWritePack(
	const gelBakeData* data, const char* meta, const uint8_t provenance[32], size_t* outBytes )
{
	GEL_ASSERT( meta != NULL && data->cage.tetCount > 0 );
	gelPackHeader counts = { 0 };
	gelPackWriter* writer = gelCreatePackWriter();
	if ( writer == NULL ) gelExitWithoutMemory( sizeof( counts ), "use a coarser cage" );
	// Counts in the header are what arrays of sections are checked against, before any of them is read.
	counts.nodeCount = data->cage.nodeCount;
	counts.tetCount = data->cage.tetCount;
	counts.artVertexCount = data->mesh->vertexCount;
	counts.artTriangleCount = data->mesh->triangleCount;
	gelSetCdgCounts( &data->cdg, &counts );
	gelPackWriter_SetCounts( writer, &counts );
	gelPackWriter_SetProvenance( writer, provenance );
	gelPackWriter_AddArray( writer, GEL_SECTION_META, 0, 0, meta, (uint32_t)strlen( meta ), 1 );
	AddCage( writer, data );
	AddArt( writer, data );
	if ( data->attachments.count > 0 )
		gelPackWriter_AddArray( writer, GEL_SECTION_ATCH, 0, 0, data->attachments.items,
			data->attachments.count, sizeof( gelPackAttachment ) );
	gelAddCdgSections( writer, &data->cdg, data->mesh->triangleCount );
	for ( int i = 0; i < data->factorCount; ++i )
		gelAddFactorSection( writer, GEL_SECTION_FACT, GEL_FACTOR_FAST, data->factors + i );
	gelAddParticleSections( writer, &data->particles );
	gelAddWarpSections( writer, data );
	gelAddLevelSections( writer, data );
	uint8_t* bytes = gelPackWriter_Finish( writer, outBytes );
	if ( bytes == NULL && gelPackWriter_LacksMemory( writer ) )
		gelExitWithoutMemory( strlen( meta ), "use a coarser cage" );
	gelDestroyPackWriter( writer );
	return bytes;
}
