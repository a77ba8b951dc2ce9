// SPDX-License-Identifier: MIT
// Figures of the collision geometry that are in no one section.
#include "inspect/inspect.h"

gelSurfaceFacts gelMeasureSurface( const gelPackView* view )
{
	static const uint32_t sections[] = { GEL_SECTION_CTET, GEL_SECTION_CPAT, GEL_SECTION_CVTX,
		GEL_SECTION_CTRI, GEL_SECTION_CSRC, GEL_SECTION_CADJ, GEL_SECTION_CBVH };
	gelSurfaceFacts facts = { 0 };
	if ( view->cells == NULL ) return facts;
	for ( uint32_t i = 0; i < view->header->cdgPatchCount; ++i )
	{
		const gelPackPatch* patch = view->patches + i;
		uint32_t depth = 0;
		while ( patch->triangleCount >> depth != 0 )
		{
			++depth;
		}
		facts.treeDepth = depth > facts.treeDepth ? depth : facts.treeDepth;
		facts.largestPatch =
			patch->triangleCount > facts.largestPatch ? patch->triangleCount : facts.largestPatch;
		facts.vertexCount += patch->vertexCount;
		facts.area += (double)patch->area;
	}
	facts.openEdges = view->cdgOpenEdges;
	for ( size_t i = 0; i < sizeof( sections ) / sizeof( sections[0] ); ++i )
	{
		facts.bytes += gelPack_FindSection( view, sections[i], 0 )->bytes;
	}
	facts.bytesPerTriangle = (double)facts.bytes / (double)view->header->artTriangleCount;
	return facts;
}
