// SPDX-License-Identifier: MIT
// The sections of the collision group, and what reports say about them.
#include "cdg.h"

#include "pack_write.h"

void gelAddCdgSections( gelPackWriter* writer, const gelBakeCdg* cdg )
{
	const uint16_t flags = GEL_SECTION_REQUIRED;
	if ( cdg->cellCount == 0 ) return;
	gelPackWriter_AddArray(
		writer, GEL_SECTION_CTET, 0, flags, cdg->cells, cdg->cellCount, sizeof( gelPackCell ) );
	gelPackWriter_AddArray(
		writer, GEL_SECTION_CPAT, 0, flags, cdg->patches, cdg->patchCount, sizeof( gelPackPatch ) );
	gelPackCdgVertices header = { 0 };
	const gelPackInnerArray arrays[] = {
		{ cdg->weights, 4 * cdg->slotCount, sizeof( float ) },
		{ cdg->welds, cdg->weldCount, sizeof( uint32_t ) },
	};
	gelPackWriter_AddBlob( writer, GEL_SECTION_CVTX, 0, flags, &header, sizeof( header ), 0, arrays, 2 );
	gelPackWriter_AddArray( writer, GEL_SECTION_CTRI, 0, flags, cdg->triangles, cdg->triangleCount,
		cdg->words * (uint32_t)sizeof( uint32_t ) );
	gelPackWriter_AddArray(
		writer, GEL_SECTION_CSRC, 0, flags, cdg->sources, cdg->triangleCount, sizeof( uint32_t ) );
	gelPackWriter_AddArray(
		writer, GEL_SECTION_CADJ, 0, flags, cdg->links, cdg->linkCount, sizeof( gelPackLink ) );
	gelPackWriter_AddArray(
		writer, GEL_SECTION_CBVH, 0, flags, cdg->bvh, 2 * cdg->cellCount - 1, sizeof( gelPackBvhNode ) );
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
	gelReport_SetInt( report, "collision.cut_patches", cdg->cutCount );
	gelReport_SetInt( report, "collision.open_edges", cdg->openEdges );
	gelReport_SetInt( report, "collision.tree_depth", cdg->treeDepth );
	gelReport_SetInt( report, "collision.coarse_depth", cdg->bvhDepth );
	gelReport_SetReal( report, "collision.area", cdg->area );
}
