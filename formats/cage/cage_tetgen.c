// SPDX-License-Identifier: MIT
// TetGen's pair of files (H. Si, TetGen user manual, section "File formats"):
//   .node   count dimension attributes marker?      .ele   count nodesPerTet attributes
//           id x y z [attributes] [marker]                 id n1 n2 n3 n4 [attributes]
// Ids start at 0 or 1; '#' starts a comment. The first attribute of a tet is its region.
#include "cage/cage_formats.h"

#include <math.h>

#define MAX_ATTRIBUTES 64
#define MIN_NODE_BYTES 8  // "1 0 0 0\n"
#define MIN_TET_BYTES  10 // "1 1 2 3 4\n"

static bool SkipReals( gelCageText* text, const char* name, uint64_t count )
{
	double ignored;
	for ( uint64_t i = 0; i < count; ++i )
	{
		if ( !gelCageText_ReadReal( text, name, &ignored ) ) return false;
	}
	return true;
}

bool gelReadTetgenNodes( gelCageText* text, gelCageBuilder* builder )
{
	uint32_t count;
	uint64_t dimension = 3, attributes = 0, markers = 0;
	bool ok = gelCageText_ReadCount( text, "node count", MIN_NODE_BYTES, GEL_CAGE_MAX_NODES, &count ) &&
		gelCageText_ReadOptionalUInt( text, "dimension", 3, &dimension ) &&
		gelCageText_ReadOptionalUInt( text, "attribute count", MAX_ATTRIBUTES, &attributes ) &&
		gelCageText_ReadOptionalUInt( text, "boundary marker flag", 1, &markers ) &&
		gelCageText_EndLine( text );
	if ( !ok ) return false;
	if ( dimension != 3 )
		return gelCageText_Fail( text, "the nodes have dimension %d instead of 3", (int)dimension );

	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t id;
		double p[3];
		if ( !gelCageText_ReadUInt( text, "node number", INT64_MAX, &id ) ) return false;
		uint64_t line = text->wordLine;
		ok = gelCageText_ReadReal( text, "coordinate", p + 0 ) &&
			gelCageText_ReadReal( text, "coordinate", p + 1 ) &&
			gelCageText_ReadReal( text, "coordinate", p + 2 ) &&
			SkipReals( text, "node attribute", attributes ) &&
			SkipReals( text, "boundary marker", markers ) && gelCageText_EndLine( text ) &&
			gelCageBuilder_AddNode( builder, id, p, line );
		if ( !ok ) return false;
	}
	return true;
}

// Region attributes are reals in TetGen, but number things.
static bool ReadRegion( gelCageText* text, uint32_t* outRegion )
{
	double value;
	if ( !gelCageText_ReadReal( text, "region attribute", &value ) ) return false;
	if ( value < 0.0 || value > UINT32_MAX || value != floor( value ) )
	{
		return gelCageText_Fail(
			text, "the region attribute %g is not a whole number from 0 to %u", value, UINT32_MAX );
	}
	*outRegion = (uint32_t)value;
	return true;
}

bool gelReadTetgenTets( gelCageText* text, gelCageBuilder* builder )
{
	uint32_t count;
	uint64_t corners = 4, attributes = 0;
	bool ok = gelCageText_ReadCount( text, "tet count", MIN_TET_BYTES, GEL_CAGE_MAX_TETS, &count ) &&
		gelCageText_ReadOptionalUInt( text, "number of nodes per tet", 1000, &corners ) &&
		gelCageText_ReadOptionalUInt( text, "attribute count", MAX_ATTRIBUTES, &attributes ) &&
		gelCageText_EndLine( text );
	if ( !ok ) return false;
	if ( corners == 10 )
	{
		return gelCageText_Fail(
			text, "these are second-order tets with 10 nodes; make the mesh again without -o2" );
	}
	if ( corners != 4 ) return gelCageText_Fail( text, "an element has %d nodes; a tet has 4", (int)corners );

	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t id, nodes[4];
		uint32_t region = 0;
		if ( !gelCageText_ReadUInt( text, "tet number", INT64_MAX, &id ) ) return false;
		uint64_t line = text->wordLine;
		for ( int k = 0; k < 4; ++k )
		{
			if ( !gelCageText_ReadUInt( text, "node number", INT64_MAX, nodes + k ) ) return false;
		}
		ok = ( attributes == 0 ||
				 ( ReadRegion( text, &region ) && SkipReals( text, "tet attribute", attributes - 1 ) ) ) &&
			gelCageText_EndLine( text ) && gelCageBuilder_AddTet( builder, id, nodes, region, line );
		if ( !ok ) return false;
	}
	return true;
}

void gelWriteTetgenNodes( const gelCage* cage, gelCageOut* out )
{
	gelCageOut_Print( out, "%u 3 0 0\n", cage->nodeCount );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		gelCageOut_Print( out, "%u", i + 1 );
		gelCageOut_Point( out, " ", cage->positions + 3 * (size_t)i );
		gelCageOut_Print( out, "\n" );
	}
}

void gelWriteTetgenTets( const gelCage* cage, gelCageOut* out )
{
	gelCageOut_Print( out, "%u 4 %d\n", cage->tetCount, cage->regions != NULL );
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
	{
		const uint32_t* n = cage->tets + 4 * (size_t)i;
		gelCageOut_Print( out, "%u %u %u %u %u", i + 1, n[0] + 1, n[1] + 1, n[2] + 1, n[3] + 1 );
		if ( cage->regions != NULL ) gelCageOut_Print( out, " %u", cage->regions[i] );
		gelCageOut_Print( out, "\n" );
	}
}
