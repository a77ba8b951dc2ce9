// SPDX-License-Identifier: MIT
// The sections of the collision group, and what reports say about them.
#include "bake/surface/cdg.h"

#include "pack/pack_write.h"

#include <gelpack/asserts.h>

// Indices below `limit` in as few bits as they need.
static uint32_t* PackIndices(
	const uint32_t* values, uint32_t count, uint32_t limit, gelBakePool* pool, uint32_t* outWords )
{
	GEL_ASSERT( count == 0 || values != NULL );
	uint32_t bits = gelBitArray_Width( limit );
	*outWords = (uint32_t)gelBitArray_Words( bits, count );
	uint32_t* words = gelBakePool_Alloc( pool, *outWords, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < count; ++i )
		gelBitArray_Put( words, bits, i, values[i] );
	return words;
}

static void AddSupports( gelPackWriter* writer, const gelBakeCdg* cdg )
{
	if ( cdg->supports.vertexCount == 0 ) return;
	gelPackSupports header = { .slack = cdg->supports.slack };
	const gelPackInnerArray bits = { cdg->supports.bits, ( cdg->slotCount + 31 ) / 32, sizeof( uint32_t ) };
	gelPackWriter_AddBlob( writer, GEL_SECTION_SUPP, 0, 0, &header, sizeof( header ),
		offsetof( gelPackSupports, bits ), &bits, 1 );
}

// Sections are REQUIRED: a reader that knew only some of them would see patches without triangles.
void gelAddCdgSections( gelPackWriter* writer, const gelBakeCdg* cdg, uint32_t artTriangleCount )
{
	const uint16_t flags = GEL_SECTION_REQUIRED, version = GEL_PACK_CDG_VERSION;
	if ( cdg->cellCount == 0 ) return;
	gelBakePool scratch = { NULL };
	gelPackWriter_AddArray(
		writer, GEL_SECTION_CTET, 0, flags, cdg->cells, cdg->cellCount, sizeof( gelPackCell ) );
	gelPackWriter_AddArray(
		writer, GEL_SECTION_CPAT, 0, flags, cdg->patches, cdg->patchCount, sizeof( gelPackPatch ) );
	gelPackWriter_SetVersion( writer, version );
	gelPackCdgVertices header = { 0 };
	uint32_t weldWords, borderWords, sourceWords;
	uint32_t* welds = PackIndices( cdg->welds, cdg->weldCount, cdg->slotCount, &scratch, &weldWords );
	uint32_t* borders =
		PackIndices( cdg->borders, cdg->borderCount, cdg->triangleCount, &scratch, &borderWords );
	uint32_t* sources =
		PackIndices( cdg->sources, cdg->triangleCount, artTriangleCount, &scratch, &sourceWords );
	const gelPackInnerArray arrays[] = {
		{ cdg->weights, cdg->slotCount, sizeof( uint64_t ) },
		{ welds, weldWords, sizeof( uint32_t ) },
		{ borders, borderWords, sizeof( uint32_t ) },
	};
	gelPackWriter_AddBlob( writer, GEL_SECTION_CVTX, 0, flags, &header, sizeof( header ), 0, arrays, 3 );
	gelPackWriter_SetVersion( writer, version );
	gelPackWriter_AddArray( writer, GEL_SECTION_CTRI, 0, flags, cdg->triangles, cdg->triangleCount,
		cdg->words * (uint32_t)sizeof( uint32_t ) );
	if ( cdg->words == GEL_CDG_SHORT_WORDS ) gelPackWriter_SetVersion( writer, version );
	gelPackWriter_AddArray( writer, GEL_SECTION_CSRC, 0, flags, sources, sourceWords, sizeof( uint32_t ) );
	gelPackWriter_SetVersion( writer, version );
	gelPackWriter_AddArray(
		writer, GEL_SECTION_CADJ, 0, flags, cdg->links, cdg->linkCount, sizeof( gelPackLink ) );
	gelPackWriter_AddArray(
		writer, GEL_SECTION_CBVH, 0, flags, cdg->bvh, 2 * cdg->cellCount - 1, sizeof( gelPackBvhNode ) );
	AddSupports( writer, cdg );
	gelFreeBakePool( &scratch );
}

void gelSetCdgCounts( const gelBakeCdg* cdg, gelPackHeader* header )
{
	header->cdgVertexCount = cdg->slotCount;
	header->cdgTriangleCount = cdg->triangleCount;
	header->cdgPatchCount = cdg->patchCount;
	header->cdgTetCount = cdg->cellCount;
}

void gelReportCdg( const gelBakeCdg* cdg, gelReport* report )
{
	gelReport_SetInt( report, "collision.cells", cdg->cellCount );
	if ( cdg->cellCount == 0 ) return;
	gelReport_SetInt( report, "collision.patches", cdg->patchCount );
	gelReport_SetInt( report, "collision.triangles", cdg->triangleCount );
	gelReport_SetInt( report, "collision.vertices", cdg->vertexCount );
	gelReport_SetInt( report, "collision.welded_vertices", cdg->weldCount );
	gelReport_SetInt( report, "collision.links", cdg->linkCount );
	gelReport_SetInt( report, "collision.support_vertices", cdg->supports.vertexCount );
	gelReport_SetInt( report, "collision.cut_patches", cdg->cutCount );
	gelReport_SetInt( report, "collision.open_edges", cdg->openEdges );
	gelReport_SetInt( report, "collision.tree_depth", cdg->treeDepth );
	gelReport_SetInt( report, "collision.coarse_depth", cdg->bvhDepth );
	gelReport_SetReal( report, "collision.area", cdg->area );
}
