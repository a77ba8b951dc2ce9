// SPDX-License-Identifier: MIT
// Every rule about collision sections has a pack here that breaks it and nothing else: a baked pack with a
// few bytes changed and all hashes made right. And damage at random: refused or harmless.
#include "test_support.h"

#include "cdg_stage.h"
#include "pack_drive.h"
#include "pack_read_cdg.h"
#include "small_pack.h"
#include "test_surfaces.h"

#include <stdlib.h>
#include <string.h>

// A baked pack in the hands of an edit.
typedef struct Pack
{
	uint8_t* bytes;
	size_t byteCount;
	gelPackHeader* header;
	gelPackCell* cells;
	gelPackPatch* patches;
	float* weights;
	uint32_t *welds, *triangles, *sources;
	gelPackLink* links;
	gelPackBvhNode* bvh;
	uint32_t cellCount, patchCount, triangleCount;
} Pack;

static uint8_t* BakePack( size_t* outBytes )
{
	const double low[3] = { 0.3, 0.2, 0.25 }, high[3] = { 1.7, 0.8, 0.85 };
	gelCage cage = gelMakeBoxCage( 2, 1, 1, 2.0, 1.0, 1.0, gel_boxSplitFive );
	gelMesh mesh = gelMakeTestBoxSurface( low, high );
	uint8_t* bytes = gelBakeWithCollision( &mesh, &cage, outBytes );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	return bytes;
}

static Pack OpenPack( uint8_t* bytes, size_t byteCount )
{
	Pack pack = { .bytes = bytes, .byteCount = byteCount, .header = (gelPackHeader*)bytes };
	pack.cells = gelFindPackData( bytes, GEL_SECTION_CTET, 0 );
	pack.patches = gelFindPackData( bytes, GEL_SECTION_CPAT, 0 );
	uint8_t* vertices = gelFindPackData( bytes, GEL_SECTION_CVTX, 0 );
	const gelPackCdgVertices* inner = (const gelPackCdgVertices*)vertices;
	pack.weights = (float*)( vertices + 64u * inner->weights.offset64 );
	pack.welds = (uint32_t*)( vertices + 64u * inner->welds.offset64 );
	pack.triangles = gelFindPackData( bytes, GEL_SECTION_CTRI, 0 );
	pack.sources = gelFindPackData( bytes, GEL_SECTION_CSRC, 0 );
	pack.links = gelFindPackData( bytes, GEL_SECTION_CADJ, 0 );
	pack.bvh = gelFindPackData( bytes, GEL_SECTION_CBVH, 0 );
	pack.cellCount = pack.header->cdgTetCount;
	pack.patchCount = pack.header->cdgPatchCount;
	pack.triangleCount = pack.header->cdgTriangleCount;
	return pack;
}

static gelCdgTriangle GetTriangle( const Pack* p, uint32_t index )
{
	const gelCdgView view = { .triangles = p->triangles, .words = GEL_CDG_NARROW_WORDS };
	return gelCdg_GetTriangle( &view, NULL, index );
}

static void PutTriangle( Pack* p, uint32_t index, gelCdgTriangle t )
{
	gelCdg_PutTriangle( p->triangles, GEL_CDG_NARROW_WORDS, index, t );
}

// A triangle all of whose neighbours are in its patch, or one on the border.
static uint32_t FindTriangle( const Pack* p, bool border )
{
	for ( uint32_t i = 0; i < p->triangleCount; ++i )
	{
		if ( ( GetTriangle( p, i ).flags != 0 ) == border ) return i;
	}
	fail_msg( "no such triangle" );
	return 0;
}

// The first welded vertex that is not its own weld. @return its place among the welds
static uint32_t FindCopy( const Pack* p, uint32_t* outSlot )
{
	for ( uint32_t i = 0; i < p->patchCount; ++i )
	{
		for ( uint32_t k = 0; k < p->patches[i].weldCount; ++k )
		{
			*outSlot = p->patches[i].vertexFirst + k;
			if ( p->welds[p->patches[i].weldFirst + k] != *outSlot ) return p->patches[i].weldFirst + k;
		}
	}
	*outSlot = 0;
	fail_msg( "no copies" );
	return 0;
}

#define EDIT( name ) static void name( Pack* p )
// clang-format off
EDIT( NoCells ) { p->header->cdgTetCount = 0; }
EDIT( TooManyCells ) { p->header->cdgTetCount = p->header->cdgPatchCount + 1; }
EDIT( HugeTriangles ) { p->header->cdgTriangleCount = UINT32_MAX; }
EDIT( OddVertices ) { p->header->cdgVertexCount += 4; }
EDIT( OtherCells ) { p->header->cdgTetCount -= 1; }
EDIT( OtherTriangles ) { p->header->cdgTriangleCount -= 1; }
EDIT( OtherVertices ) { p->header->cdgVertexCount -= 8; }
EDIT( WildTet ) { p->cells[p->cellCount - 1].tet = 1000; }
EDIT( TetsDescend ) { p->cells[1].tet = p->cells[0].tet; }
EDIT( OneForeignCell ) { p->cells[1].tet = GEL_CDG_NIL; }
EDIT( NodesDescend ) { p->cells[0].node[1] = p->cells[0].node[0]; }
EDIT( WildNode ) { p->cells[0].node[3] = 1u << 20; }
EDIT( OtherNodes ) { p->cells[0].node[3] += p->cells[0].node[3] < 11 ? 1 : 0; p->cells[0].node[0] += p->cells[0].node[3] == 11; }
EDIT( OtherParity ) { p->cells[0].flags ^= GEL_CDG_CELL_ODD; }
EDIT( CellFlags ) { p->cells[0].flags |= 2; }
EDIT( EmptyCellBounds ) { p->cells[0].low[2] = 9; p->cells[0].high[2] = 7; }
EDIT( TightCellBounds ) { p->cells[0].low[0] = 255; p->cells[0].high[0] = 255; }
EDIT( CellPatchGap ) { p->cells[1].patchFirst += 1; }
EDIT( CellWithoutPatch ) { p->cells[p->cellCount - 1].patchCount = 0; }
EDIT( CellPatchEnd ) { p->cells[p->cellCount - 1].patchCount += 1; }
EDIT( PatchInOtherCell ) { p->patches[0].cell = 1; }
EDIT( PatchInWildCell ) { p->patches[0].cell = UINT32_MAX; }
EDIT( PatchTriangleGap ) { p->patches[1].triangleFirst += 1; }
EDIT( PatchWithoutTriangles ) { p->patches[0].triangleCount = 0; }
EDIT( PatchTrianglesOverflow ) { p->patches[p->patchCount - 1].triangleCount = UINT32_MAX; }
EDIT( PatchVertexGap ) { p->patches[1].vertexFirst += 8; }
EDIT( PatchFewVertices ) { p->patches[0].vertexCount = 2; }
EDIT( PatchManyWelds ) { p->patches[0].weldCount = p->patches[0].vertexCount + 1; }
EDIT( PatchWeldGap ) { p->patches[1].weldFirst += 1; }
EDIT( PatchLinkGap ) { p->patches[1].linkFirst += 1; }
EDIT( PatchLinksOverflow ) { p->patches[p->patchCount - 1].linkCount += 1; }
EDIT( PatchFlags ) { p->patches[0].borderFirst = 1; }
EDIT( CentroidOutside ) { p->patches[0].centroid[0] = -0.25f; }
EDIT( CentroidSum ) { p->patches[0].centroid[0] *= 0.5f; }
EDIT( AreaNegative ) { p->patches[0].area = -1.0f; }
EDIT( AreaInfinite ) { p->patches[0].area = 1e38f * 10.0f; }
EDIT( TensorNegative ) { p->patches[0].areaTensor[1] = -1.0f; }
EDIT( VectorNan ) { memset( p->patches[0].vectorArea, 0xFF, 4 ); }
EDIT( WeightNegative ) { p->weights[0] = -1.0f; }
EDIT( WeightNan ) { memset( p->weights, 0xFF, 4 ); }
EDIT( WeightSum )
{
	uint32_t slot = p->patches[0].vertexFirst + p->patches[0].vertexCount - 1;
	for ( uint32_t k = 0; k < 4; ++k ) p->weights[4 * ( slot / 8 * 8 ) + 8 * k + slot % 8] *= 1.0f - 0x1p-16f;
	memset( p->cells[0].low, 0, 4 );
}
EDIT( WeldAhead ) { uint32_t slot, i = FindCopy( p, &slot ); p->welds[i] = slot + 1; }
EDIT( WeldOfCopy )
{
	uint32_t slot;
	FindCopy( p, &slot );
	p->welds[p->patches[p->patchCount - 1].weldFirst] = slot;
}
EDIT( WeldElsewhere )
{
	uint32_t slot, i = FindCopy( p, &slot );
	for ( uint32_t k = 0; k < p->patches[0].weldCount; ++k ) if ( p->patches[0].vertexFirst + k != p->welds[i] ) { p->welds[i] = p->patches[0].vertexFirst + k; return; }
}
EDIT( VertexHeader ) { ( (gelPackCdgVertices*)gelFindPackData( p->bytes, GEL_SECTION_CVTX, 0 ) )->zero[7] = 1; }
EDIT( WeldArrayCount ) { ( (gelPackCdgVertices*)gelFindPackData( p->bytes, GEL_SECTION_CVTX, 0 ) )->welds.count -= 1; }
EDIT( WildSource ) { p->sources[1] = p->header->artTriangleCount; }
EDIT( CornerOutside ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.vertex[1] = p->patches[0].vertexFirst + p->patches[0].vertexCount; PutTriangle( p, 0, t ); }
EDIT( CornerWild ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.vertex[0] = GEL_CDG_NARROW_NIL; PutTriangle( p, 0, t ); }
EDIT( CornerTwice ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.vertex[1] = t.vertex[0]; PutTriangle( p, 0, t ); }
EDIT( NeighborWild ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.neighbor[2] = p->triangleCount; PutTriangle( p, 0, t ); }
EDIT( NeighborSelf ) { gelCdgTriangle t = GetTriangle( p, 3 ); t.neighbor[0] = 3; PutTriangle( p, 3, t ); }
EDIT( NeighborTwice ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.neighbor[0] = t.neighbor[1]; PutTriangle( p, 0, t ); }
EDIT( NeighborSwapped ) { uint32_t i = FindTriangle( p, true ); gelCdgTriangle t = GetTriangle( p, i ); uint32_t n = t.neighbor[0]; t.neighbor[0] = t.neighbor[1]; t.neighbor[1] = n; PutTriangle( p, i, t ); }
EDIT( NeighborMissing )
{
	// a border triangle loses a neighbour inside of its patch: flags and links stay right
	for ( uint32_t i = 0; i < p->patches[0].triangleCount; ++i )
	{
		gelCdgTriangle t = GetTriangle( p, i );
		for ( int k = 0; k < 3 && t.flags != 0; ++k )
		{
			if ( t.neighbor[k] >= p->patches[0].triangleCount ) continue;
			t.neighbor[k] = GEL_CDG_NIL;
			PutTriangle( p, i, t );
			return;
		}
	}
}
EDIT( BorderFlag ) { uint32_t i = FindTriangle( p, true ); gelCdgTriangle t = GetTriangle( p, i ); t.flags = 0; PutTriangle( p, i, t ); }
EDIT( OtherFlag ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.flags |= 2; PutTriangle( p, 0, t ); }
EDIT( EmptyBounds ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.bounds = 0x0000000000090000u; PutTriangle( p, 0, t ); }
EDIT( TightBounds ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.bounds = 0; PutTriangle( p, 0, t ); }
EDIT( ParentTighter )
{
	// the root of a patch with several triangles loses what only a child needs
	for ( uint32_t i = 0; i < p->patchCount; ++i )
	{
		if ( p->patches[i].triangleCount < 4 ) continue;
		uint32_t child = p->patches[i].triangleFirst + 1;
		gelCdgTriangle t = GetTriangle( p, child );
		t.bounds = 0xFFFFFFFF00000000u;
		PutTriangle( p, child, t );
		return;
	}
}
EDIT( LinkWild ) { p->links[0].patch = p->patchCount; }
EDIT( LinkSelf ) { p->links[0].patch = 0; }
EDIT( LinksDescend ) { p->links[1] = p->links[0]; }
EDIT( EntryOutside ) { p->links[0].entry = p->patches[0].triangleFirst; }
EDIT( EntryElsewhere )
{
	for ( uint32_t i = 0; i < p->patchCount; ++i )
	{
		for ( uint32_t l = 0; l < p->patches[i].linkCount; ++l )
		{
			gelPackLink* link = p->links + p->patches[i].linkFirst + l;
			const gelPackPatch* other = p->patches + link->patch;
			for ( uint32_t t = other->triangleFirst; t < other->triangleFirst + other->triangleCount; ++t )
			{
				bool touches = false;
				for ( int k = 0; k < 3; ++k ) touches = touches || GetTriangle( p, t ).neighbor[k] - p->patches[i].triangleFirst < p->patches[i].triangleCount;
				if ( touches ) continue;
				link->entry = t;
				return;
			}
		}
	}
}
EDIT( BvhBackwards ) { p->bvh[0].left = 0; }
EDIT( BvhWild ) { p->bvh[0].right = 2 * p->cellCount - 1; }
EDIT( BvhTwoParents ) { p->bvh[0].left = p->bvh[0].right; }
EDIT( BvhLeafWild ) { p->bvh[2 * p->cellCount - 2].right = p->cellCount; }
EDIT( BvhLeafTwice ) { for ( uint32_t i = 0; i < 2 * p->cellCount - 2; ++i ) if ( p->bvh[i].left == GEL_CDG_NIL ) { p->bvh[2 * p->cellCount - 2].right = p->bvh[i].right; return; } }
EDIT( BvhOrphan ) { p->bvh[0] = ( gelPackBvhNode ){ GEL_CDG_NIL, 0 }; }

static const struct
{
	const char* name;
	void ( *edit )( Pack* p );
	gelPackCode code;
	const char* rule;
} s_edits[] = {
	{ "NoCells", NoCells, gel_packHeader, "counts of collision" },
	{ "TooManyCells", TooManyCells, gel_packHeader, "counts of collision" },
	{ "HugeTriangles", HugeTriangles, gel_packHeader, "counts of collision" },
	{ "OddVertices", OddVertices, gel_packHeader, "counts of collision" },
	{ "OtherCells", OtherCells, gel_packSize, "as many elements as the header" },
	{ "OtherTriangles", OtherTriangles, gel_packSize, "as many elements as the header" },
	{ "OtherVertices", OtherVertices, gel_packIndex, "every collision triangle, vertex and link" },
	{ "WildTet", WildTet, gel_packIndex, "tet of a cell is" },
	{ "TetsDescend", TetsDescend, gel_packStructure, "cells are tets of the cage" },
	{ "OneForeignCell", OneForeignCell, gel_packStructure, "cells are tets of the cage" },
	{ "NodesDescend", NodesDescend, gel_packIndex, "four different nodes" },
	{ "WildNode", WildNode, gel_packIndex, "four different nodes" },
	{ "OtherNodes", OtherNodes, gel_packStructure, "sorted corners of its tet" },
	{ "OtherParity", OtherParity, gel_packStructure, "sorted corners of its tet" },
	{ "CellFlags", CellFlags, gel_packValue, "unused flags of a cell" },
	{ "EmptyCellBounds", EmptyCellBounds, gel_packValue, "bounds of a cell are not empty" },
	{ "TightCellBounds", TightCellBounds, gel_packStructure, "bounds of a cell hold" },
	{ "CellPatchGap", CellPatchGap, gel_packIndex, "cells have patches" },
	{ "CellWithoutPatch", CellWithoutPatch, gel_packIndex, "cells have patches" },
	{ "CellPatchEnd", CellPatchEnd, gel_packIndex, "every patch is in a cell" },
	{ "PatchInOtherCell", PatchInOtherCell, gel_packIndex, "names the cell" },
	{ "PatchInWildCell", PatchInWildCell, gel_packIndex, "names the cell" },
	{ "PatchTriangleGap", PatchTriangleGap, gel_packIndex, "one patch's behind" },
	{ "PatchWithoutTriangles", PatchWithoutTriangles, gel_packIndex, "one patch's behind" },
	{ "PatchTrianglesOverflow", PatchTrianglesOverflow, gel_packIndex, "every collision triangle, vertex and link" },
	{ "PatchVertexGap", PatchVertexGap, gel_packIndex, "one patch's behind" },
	{ "PatchFewVertices", PatchFewVertices, gel_packIndex, "one patch's behind" },
	{ "PatchManyWelds", PatchManyWelds, gel_packIndex, "one patch's behind" },
	{ "PatchWeldGap", PatchWeldGap, gel_packIndex, "one patch's behind" },
	{ "PatchLinkGap", PatchLinkGap, gel_packIndex, "one patch's behind" },
	{ "PatchLinksOverflow", PatchLinksOverflow, gel_packIndex, "every collision triangle, vertex and link" },
	{ "PatchFlags", PatchFlags, gel_packValue, "flags of a patch" },
	{ "CentroidOutside", CentroidOutside, gel_packValue, "weights of a centroid" },
	{ "CentroidSum", CentroidSum, gel_packValue, "weights of a centroid" },
	{ "AreaNegative", AreaNegative, gel_packValue, "areas of a patch" },
	{ "AreaInfinite", AreaInfinite, gel_packValue, "areas of a patch" },
	{ "TensorNegative", TensorNegative, gel_packValue, "areas of a patch" },
	{ "VectorNan", VectorNan, gel_packValue, "areas of a patch" },
	{ "WeightNegative", WeightNegative, gel_packValue, "between 0 and 1" },
	{ "WeightNan", WeightNan, gel_packValue, "between 0 and 1" },
	{ "WeightSum", WeightSum, gel_packValue, "sum to 1" },
	{ "WeldAhead", WeldAhead, gel_packIndex, "lowest slot among copies" },
	{ "WeldOfCopy", WeldOfCopy, gel_packStructure, "its own weld" },
	{ "WeldElsewhere", WeldElsewhere, gel_packStructure, "same weights for the same nodes" },
	{ "VertexHeader", VertexHeader, gel_packValue, "reserved bytes of an inner header" },
	{ "WeldArrayCount", WeldArrayCount, gel_packSize, "number of elements that the counts" },
	{ "WildSource", WildSource, gel_packIndex, "comes from an art triangle" },
	{ "CornerOutside", CornerOutside, gel_packIndex, "are in its patch" },
	{ "CornerWild", CornerWild, gel_packIndex, "are in its patch" },
	{ "CornerTwice", CornerTwice, gel_packStructure, "are different" },
	{ "NeighborWild", NeighborWild, gel_packIndex, "another collision triangle" },
	{ "NeighborSelf", NeighborSelf, gel_packIndex, "another collision triangle" },
	{ "NeighborTwice", NeighborTwice, gel_packStructure, "share one edge" },
	{ "NeighborSwapped", NeighborSwapped, gel_packStructure, "points back" },
	{ "NeighborMissing", NeighborMissing, gel_packStructure, "points back" },
	{ "BorderFlag", BorderFlag, gel_packValue, "border flag" },
	{ "OtherFlag", OtherFlag, gel_packValue, "border flag" },
	{ "EmptyBounds", EmptyBounds, gel_packValue, "bounds of a collision triangle" },
	{ "TightBounds", TightBounds, gel_packStructure, "bounds of a tree node" },
	{ "ParentTighter", ParentTighter, gel_packStructure, "bounds of a tree node" },
	{ "LinkWild", LinkWild, gel_packIndex, "links lead to other patches" },
	{ "LinkSelf", LinkSelf, gel_packIndex, "links lead to other patches" },
	{ "LinksDescend", LinksDescend, gel_packIndex, "links lead to other patches" },
	{ "EntryOutside", EntryOutside, gel_packIndex, "in the patch of the link" },
	{ "EntryElsewhere", EntryElsewhere, gel_packStructure, "touches the patch" },
	{ "BvhBackwards", BvhBackwards, gel_packIndex, "behind their parent" },
	{ "BvhWild", BvhWild, gel_packIndex, "behind their parent" },
	{ "BvhTwoParents", BvhTwoParents, gel_packStructure, "one parent" },
	{ "BvhLeafWild", BvhLeafWild, gel_packIndex, "a leaf is a cell" },
	{ "BvhLeafTwice", BvhLeafTwice, gel_packStructure, "every cell is one leaf" },
	{ "BvhOrphan", BvhOrphan, gel_packStructure, "has a parent" },
};
// clang-format on

static void EachEditIsRefusedByItsRule( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* original = BakePack( &byteCount );
	gelPackView view;
	gelAssertPackOpens( original, byteCount, &view );
	assert_non_null( view.cells );
	for ( size_t i = 0; i < sizeof( s_edits ) / sizeof( s_edits[0] ); ++i )
	{
		uint8_t* bytes = gelCopyPack( original, byteCount );
		Pack pack = OpenPack( bytes, byteCount );
		s_edits[i].edit( &pack );
		if ( memcmp( bytes, original, byteCount ) == 0 ) fail_msg( "%s changes nothing", s_edits[i].name );
		gelRepairPackHashes( bytes, byteCount );
		gelPackFault fault;
		gelPackCode code = gelTryPack( bytes, byteCount, NULL, &fault );
		if ( code != s_edits[i].code || strstr( fault.text, s_edits[i].rule ) == NULL )
		{
			fail_msg( "%s: expected '%s: %s', got '%s: %s'", s_edits[i].name,
				gelPackCode_String( s_edits[i].code ), s_edits[i].rule, gelPackCode_String( code ),
				fault.text );
		}
		free( bytes );
	}
	free( original );
}

// The sections come together or not at all, and the header knows.
static void TheGroupIsWhole( void** state )
{
	(void)state;
	static const uint32_t group[] = { GEL_SECTION_CTET, GEL_SECTION_CPAT, GEL_SECTION_CVTX, GEL_SECTION_CTRI,
		GEL_SECTION_CSRC, GEL_SECTION_CADJ, GEL_SECTION_CBVH };
	size_t byteCount, otherCount;
	uint8_t* original = BakePack( &byteCount );
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( original, &sections );
	gelPackHeader header = *(const gelPackHeader*)original;
	for ( int g = 0; g <= 7; ++g )
	{
		// all but one; at last none
		gelLooseSection kept[1024];
		uint32_t keptCount = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			bool member = false;
			for ( int k = 0; k < 7; ++k )
			{
				member = member || ( sections[i].entry.fourcc == group[k] && ( g == 7 || g == k ) );
			}
			if ( !member ) kept[keptCount++] = sections[i];
			if ( member ) assert_int_equal( sections[i].entry.flags, GEL_SECTION_REQUIRED );
		}
		uint8_t* bytes = gelJoinSections( &header, kept, keptCount, &otherCount );
		if ( g < 7 )
			gelAssertPackRefused( bytes, otherCount, gel_packMissingSection, "come together", group[g] );
		else
			gelAssertPackRefused( bytes, otherCount, gel_packHeader, "are 0 in a pack without it", 0 );
		free( bytes );
	}
	gelFreeSections( sections, count );
	free( original );
}

// Cells that are no tets of the cage say so, all of them, and their orientation is checked by itself.
static void CoarseCellsHaveNoTets( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 4, 4, 4, 3.0, 3.0, 3.0, gel_boxSplitFive );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 0.2 );
	gelProgram program;
	gelInitTestProgram( &program );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.collision = gel_collisionCoarse;
	size_t byteCount;
	uint8_t* bytes = gelBake( &mesh, &cage, &settings, &program, &byteCount );
	assert_non_null( bytes );
	Pack pack = OpenPack( bytes, byteCount );
	for ( uint32_t i = 0; i < pack.cellCount; ++i )
	{
		assert_int_equal( pack.cells[i].tet, GEL_CDG_NIL );
	}
	pack.cells[3].flags ^= GEL_CDG_CELL_ODD;
	gelRepairPackHashes( bytes, byteCount );
	gelAssertPackRefused(
		bytes, byteCount, gel_packStructure, "orientation that its flag says", GEL_SECTION_CTET );
	free( bytes );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

// A coarse tree that is a chain has more levels than a traversal has room for.
static void DeepTreesAreRefused( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 3, 3, 3, 3.0, 3.0, 3.0, gel_boxSplitSix );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 0.2 );
	size_t byteCount;
	uint8_t* bytes = gelBakeWithCollision( &mesh, &cage, &byteCount );
	Pack pack = OpenPack( bytes, byteCount );
	assert_true( pack.cellCount > GEL_CDG_MAX_DEPTH );
	for ( uint32_t i = 0; i < pack.cellCount; ++i )
	{
		// inner node 2i, leaf 2i + 1; the last one is a leaf at the end of the chain
		pack.bvh[2 * i] = ( gelPackBvhNode ){ 2 * i + 1, 2 * i + 2 };
		if ( i + 1 < pack.cellCount )
			pack.bvh[2 * i + 1] = ( gelPackBvhNode ){ GEL_CDG_NIL, i };
		else
			pack.bvh[2 * i] = ( gelPackBvhNode ){ GEL_CDG_NIL, i };
	}
	gelRepairPackHashes( bytes, byteCount );
	gelAssertPackRefused( bytes, byteCount, gel_packStructure, "64 levels", GEL_SECTION_CBVH );
	free( bytes );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
}

// Bits and words of the collision sections, hashes made right: refused, or every index can be followed.
static void DamageIsRefusedOrHarmless( void** state )
{
	(void)state;
	static const uint32_t words[] = { 0, 1, 2, 7, 8, 63, 0x1FFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
		0x7F800000, 0x3F800000, 0x3F000000 };
	size_t byteCount;
	uint8_t* original = BakePack( &byteCount );
	uint8_t* damaged = gelCopyPack( original, byteCount );
	gelRandom random = { 31 };
	int acceptedCount = 0, refusedCount = 0;
	for ( int round = 0; round < 30000; ++round )
	{
		memcpy( damaged, original, byteCount );
		size_t place; // anywhere in a section of the group
		do
		{
			const gelPackSection* table = (const gelPackSection*)( original + sizeof( gelPackHeader ) );
			const gelPackSection* s =
				table + gelRandom_Next( &random ) % ( (const gelPackHeader*)original )->sectionCount;
			place = ( s->fourcc & 0xFF ) == 'C' && s->fourcc != GEL_SECTION_COLR
				? s->offset + gelRandom_Next( &random ) % s->bytes
				: 0;
		} while ( place == 0 );
		if ( round % 2 == 0 )
			damaged[place] ^= (uint8_t)( 1u << gelRandom_Next( &random ) % 8 );
		else
			memcpy( damaged + place / 4 * 4, words + gelRandom_Next( &random ) % 13, 4 );
		gelRepairPackHashes( damaged, byteCount );
		gelPackView view;
		gelPackFault fault;
		bool accepted = gelTryPack( damaged, byteCount, &view, &fault ) == gel_packOk;
		if ( accepted ) gelTouchPack( &view );
		if ( accepted && round % 8 == 0 ) assert_true( gelDrivePack( damaged, byteCount ) );
		acceptedCount += accepted;
		refusedCount += !accepted;
	}
	assert_true( acceptedCount > 500 && refusedCount > 5000 );
	free( damaged );
	free( original );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( EachEditIsRefusedByItsRule ),
		cmocka_unit_test( TheGroupIsWhole ),
		cmocka_unit_test( CoarseCellsHaveNoTets ),
		cmocka_unit_test( DeepTreesAreRefused ),
		cmocka_unit_test( DamageIsRefusedOrHarmless ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
