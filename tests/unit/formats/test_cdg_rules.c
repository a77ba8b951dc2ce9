// SPDX-License-Identifier: MIT
// Every rule about collision sections has a pack here that breaks it and nothing else: a baked pack with a
// few bytes changed and all hashes made right.
#include "test_support.h"

#include "cdg_stage.h"
#include "pack_drive.h"
#include "pack/pack_read_cdg.h"
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
	gelPackView view; // the pack before the edit
	float* floats;    // weights of a plain pack
	uint64_t* fixed;  // those of a packed one
	uint32_t *triangles, *sources;
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
	gelAssertPackOpens( bytes, byteCount, &pack.view );
	pack.floats = (float*)( vertices + 64u * inner->weights.offset64 );
	pack.fixed = (uint64_t*)( vertices + 64u * inner->weights.offset64 );
	pack.triangles = gelFindPackData( bytes, GEL_SECTION_CTRI, 0 );
	pack.sources = gelFindPackData( bytes, GEL_SECTION_CSRC, 0 );
	pack.links = gelFindPackData( bytes, GEL_SECTION_CADJ, 0 );
	pack.bvh = gelFindPackData( bytes, GEL_SECTION_CBVH, 0 );
	pack.cellCount = pack.header->cdgTetCount;
	pack.patchCount = pack.header->cdgPatchCount;
	pack.triangleCount = pack.header->cdgTriangleCount;
	return pack;
}

static const gelPackPatch* FindPatch( const Pack* p, uint32_t triangle )
{
	uint32_t i = 0;
	while ( triangle - p->patches[i].triangleFirst >= p->patches[i].triangleCount )
		++i;
	return p->patches + i;
}

static gelCdgTriangle GetTriangle( const Pack* p, uint32_t index )
{
	return gelCdg_GetTriangle( &p->view.cdg, FindPatch( p, index ), index );
}

// A triangle of another patch that is no neighbor yet becomes a border that does not exist.
static void PutTriangle( Pack* p, uint32_t index, gelCdgTriangle t )
{
	if ( p->view.cdg.words != GEL_CDG_SHORT_WORDS )
	{
		gelCdg_PutTriangle( p->triangles, p->view.cdg.words, index, t );
		return;
	}
	const gelPackPatch* patch = FindPatch( p, index );
	const gelCdgTriangle old = GetTriangle( p, index );
	uint32_t locals[3], codes[3];
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t inside = t.neighbor[k] - patch->triangleFirst;
		locals[k] = ( t.vertex[k] - patch->vertexFirst ) & 0xFFFFu;
		codes[k] = t.neighbor[k] == GEL_CDG_NIL ? GEL_CDG_SHORT_NIL : 0xFFFEu;
		if ( inside < patch->triangleCount ) codes[k] = inside;
		for ( int j = 0; j < 3; ++j )
		{
			if ( t.neighbor[k] == old.neighbor[j] )
				codes[k] = p->triangles[GEL_CDG_SHORT_WORDS * index + 2 + (uint32_t)j] >> 16;
		}
	}
	gelCdg_PutShort( p->triangles, index, locals, codes, t.bounds );
}

static void PutBits( gelBitArray array, uint32_t index, uint32_t value )
{
	uint8_t* bytes = (uint8_t*)(uintptr_t)array.data;
	for ( uint32_t b = 0; b < array.bits; ++b )
	{
		uint64_t at = (uint64_t)array.bits * index + b;
		bytes[at / 8] = (uint8_t)( ( bytes[at / 8] & ~( 1u << at % 8 ) ) | ( value >> b & 1u ) << at % 8 );
	}
}

static uint32_t GetWeld( const Pack* p, uint32_t index )
{
	return gelBitArray_Get( p->view.cdg.welds, index );
}

// A triangle all of whose neighbors are in its patch, or one on the border.
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
			if ( GetWeld( p, p->patches[i].weldFirst + k ) != *outSlot ) return p->patches[i].weldFirst + k;
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
EDIT( WeightNegative ) { p->floats[0] = -1.0f; }
EDIT( WeightNan ) { memset( p->floats, 0xFF, 4 ); }
EDIT( WeightSum )
{
	uint32_t slot = p->patches[0].vertexFirst + p->patches[0].vertexCount - 1;
	for ( uint32_t k = 0; k < 4; ++k ) p->floats[4 * ( slot / 8 * 8 ) + 8 * k + slot % 8] *= 1.0f - 0x1p-16f;
	memset( p->cells[0].low, 0, 4 );
}
EDIT( FixedSum )
{
	p->fixed[1] |= (uint64_t)0x1FFFFF << 21 | (uint64_t)0x1FFFFF << 42;
}
EDIT( FixedTopBit ) { p->fixed[2] |= (uint64_t)1 << 63; }
EDIT( FixedOutside )
{
	// all weight to the last node, of which the cell has less
	for ( int k = 0; k < 4; ++k ) if ( p->cells[0].high[3] < 254 ) p->fixed[0] = 0;
}
EDIT( FixedPadding )
{
	for ( uint32_t i = 0; i < p->patchCount; ++i ) if ( p->patches[i].vertexCount % 8 != 0 ) { p->fixed[p->patches[i].vertexFirst + p->patches[i].vertexCount] ^= 1; return; }
}
EDIT( FloatPadding )
{
	for ( uint32_t i = 0; i < p->patchCount; ++i )
	{
		uint32_t slot = p->patches[i].vertexFirst + p->patches[i].vertexCount;
		if ( slot % 8 == 0 ) continue;
		p->floats[slot / 8 * 32 + slot % 8] += 0.25f;
		return;
	}
}
EDIT( WeldRest ) { uint32_t* words = (uint32_t*)(uintptr_t)p->view.cdg.welds.data; words[gelBitArray_Words( p->view.cdg.welds.bits, p->view.cdgWeldCount ) - 1] = 1; }
EDIT( SourceRest ) { p->sources[gelBitArray_Words( p->view.cdg.sources.bits, p->triangleCount ) - 2] |= 1u << 31; }
EDIT( BorderRest ) { gelPackCdgVertices* v = gelFindPackData( p->bytes, GEL_SECTION_CVTX, 0 ); uint32_t* words = (uint32_t*)(uintptr_t)p->view.cdg.borders.data; words[v->borders.count - 1] = 1; }
EDIT( BorderWild ) { PutBits( p->view.cdg.borders, 0, p->triangleCount ); }
EDIT( BorderInside ) { PutBits( p->view.cdg.borders, 0, FindPatch( p, FindTriangle( p, true ) )->triangleFirst ); }
EDIT( BorderElsewhere )
{
	// another triangle of the same neighbor patch
	uint32_t n = gelBitArray_Get( p->view.cdg.borders, 0 );
	const gelPackPatch* patch = FindPatch( p, n );
	PutBits( p->view.cdg.borders, 0, n + 1 < patch->triangleFirst + patch->triangleCount ? n + 1 : n - 1 );
}
EDIT( BorderGap ) { p->patches[1].borderFirst += 1; }
EDIT( BorderOrder )
{
	uint32_t* w = p->triangles + GEL_CDG_SHORT_WORDS * FindTriangle( p, true ) + 2;
	for ( int k = 0; k < 3; ++k ) if ( w[k] >> 16 >= p->patches[0].triangleCount ) w[k] += 1u << 16;
}
EDIT( BorderUnused )
{
	// the last edge that leaves a patch is open now, so the last border is nobody's
	for ( uint32_t i = p->triangleCount; i-- > 0; )
	{
		uint32_t* w = p->triangles + GEL_CDG_SHORT_WORDS * i + 2;
		for ( int k = 2; k >= 0; --k )
		{
			if ( w[k] >> 16 < FindPatch( p, i )->triangleCount ) continue;
			w[k] |= 0xFFFF0000u;
			return;
		}
	}
}
EDIT( OtherVersion ) { gelFindPackEntry( p->bytes, GEL_SECTION_CPAT, 0 )->version = 1; }
EDIT( SourceVersion ) { gelFindPackEntry( p->bytes, GEL_SECTION_CSRC, 0 )->version = 1; }
EDIT( RecordVersion ) { gelFindPackEntry( p->bytes, GEL_SECTION_CTRI, 0 )->version = 1; }
EDIT( PlainRecordVersion ) { gelFindPackEntry( p->bytes, GEL_SECTION_CTRI, 0 )->version = 2; }
EDIT( WeldAhead ) { uint32_t slot, i = FindCopy( p, &slot ); PutBits( p->view.cdg.welds, i, slot + 1 ); }
EDIT( WeldOfCopy )
{
	uint32_t slot;
	FindCopy( p, &slot );
	PutBits( p->view.cdg.welds, p->patches[p->patchCount - 1].weldFirst, slot );
}
EDIT( WeldElsewhere )
{
	uint32_t slot, i = FindCopy( p, &slot );
	for ( uint32_t k = 0; k < p->patches[0].weldCount; ++k ) if ( p->patches[0].vertexFirst + k != GetWeld( p, i ) ) { PutBits( p->view.cdg.welds, i, p->patches[0].vertexFirst + k ); return; }
}
EDIT( VertexHeader ) { ( (gelPackCdgVertices*)gelFindPackData( p->bytes, GEL_SECTION_CVTX, 0 ) )->zero[7] = 1; }
EDIT( WeldArrayCount ) { ( (gelPackCdgVertices*)gelFindPackData( p->bytes, GEL_SECTION_CVTX, 0 ) )->welds.count -= 1; }
EDIT( WildSource ) { PutBits( p->view.cdg.sources, 1, p->header->artTriangleCount ); }
EDIT( CornerOutside ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.vertex[1] = p->patches[0].vertexFirst + p->patches[0].vertexCount; PutTriangle( p, 0, t ); }
EDIT( CornerWild ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.vertex[0] = p->patches[0].vertexFirst + 0xFFFFu; PutTriangle( p, 0, t ); }
EDIT( CornerTwice ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.vertex[1] = t.vertex[0]; PutTriangle( p, 0, t ); }
EDIT( NeighborWild ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.neighbor[2] = p->triangleCount; PutTriangle( p, 0, t ); }
EDIT( NeighborSelf ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.neighbor[2] = 0; PutTriangle( p, 0, t ); }
EDIT( NeighborTwice ) { gelCdgTriangle t = GetTriangle( p, 0 ); t.neighbor[0] = t.neighbor[1]; PutTriangle( p, 0, t ); }
EDIT( NeighborSwapped ) { uint32_t i = FindTriangle( p, true ); gelCdgTriangle t = GetTriangle( p, i ); uint32_t n = t.neighbor[0]; t.neighbor[0] = t.neighbor[1]; t.neighbor[1] = n; PutTriangle( p, i, t ); }
EDIT( NeighborMissing )
{
	// a border triangle loses a neighbor inside of its patch: flags and links stay right
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
	int layout; // 1: plain packs only, 2: packed ones only, 0: both
} s_edits[] = {
	{ "NoCells", NoCells, gel_packHeader, "counts of collision", 0 },
	{ "TooManyCells", TooManyCells, gel_packHeader, "counts of collision", 0 },
	{ "HugeTriangles", HugeTriangles, gel_packHeader, "counts of collision", 0 },
	{ "OddVertices", OddVertices, gel_packHeader, "counts of collision", 0 },
	{ "OtherCells", OtherCells, gel_packSize, "as many elements as the header", 0 },
	{ "OtherTriangles", OtherTriangles, gel_packSize, "as many elements as the header", 0 },
	{ "OtherVertices", OtherVertices, gel_packIndex, "every collision triangle, vertex and link", 0 },
	{ "WildTet", WildTet, gel_packIndex, "tet of a cell is", 0 },
	{ "TetsDescend", TetsDescend, gel_packStructure, "cells are tets of the cage", 0 },
	{ "OneForeignCell", OneForeignCell, gel_packStructure, "cells are tets of the cage", 0 },
	{ "NodesDescend", NodesDescend, gel_packIndex, "four different nodes", 0 },
	{ "WildNode", WildNode, gel_packIndex, "four different nodes", 0 },
	{ "OtherNodes", OtherNodes, gel_packStructure, "sorted corners of its tet", 0 },
	{ "OtherParity", OtherParity, gel_packStructure, "sorted corners of its tet", 0 },
	{ "CellFlags", CellFlags, gel_packValue, "unused flags of a cell", 0 },
	{ "EmptyCellBounds", EmptyCellBounds, gel_packValue, "bounds of a cell are not empty", 0 },
	{ "TightCellBounds", TightCellBounds, gel_packStructure, "bounds of a cell hold", 0 },
	{ "CellPatchGap", CellPatchGap, gel_packIndex, "cells have patches", 0 },
	{ "CellWithoutPatch", CellWithoutPatch, gel_packIndex, "cells have patches", 0 },
	{ "CellPatchEnd", CellPatchEnd, gel_packIndex, "every patch is in a cell", 0 },
	{ "PatchInOtherCell", PatchInOtherCell, gel_packIndex, "names the cell", 0 },
	{ "PatchInWildCell", PatchInWildCell, gel_packIndex, "names the cell", 0 },
	{ "PatchTriangleGap", PatchTriangleGap, gel_packIndex, "one patch's behind", 0 },
	{ "PatchWithoutTriangles", PatchWithoutTriangles, gel_packIndex, "one patch's behind", 0 },
	{ "PatchTrianglesOverflow", PatchTrianglesOverflow, gel_packIndex, "every collision triangle, vertex and link", 0 },
	{ "PatchVertexGap", PatchVertexGap, gel_packIndex, "one patch's behind", 0 },
	{ "PatchFewVertices", PatchFewVertices, gel_packIndex, "one patch's behind", 0 },
	{ "PatchManyWelds", PatchManyWelds, gel_packIndex, "one patch's behind", 0 },
	{ "PatchWeldGap", PatchWeldGap, gel_packIndex, "one patch's behind", 0 },
	{ "PatchLinkGap", PatchLinkGap, gel_packIndex, "one patch's behind", 0 },
	{ "PatchLinksOverflow", PatchLinksOverflow, gel_packIndex, "every collision triangle, vertex and link", 0 },
	{ "PatchFlags", PatchFlags, gel_packValue, "no borders without short", 1 },
	{ "CentroidOutside", CentroidOutside, gel_packValue, "weights of a centroid", 0 },
	{ "CentroidSum", CentroidSum, gel_packValue, "weights of a centroid", 0 },
	{ "AreaNegative", AreaNegative, gel_packValue, "areas of a patch", 0 },
	{ "AreaInfinite", AreaInfinite, gel_packValue, "areas of a patch", 0 },
	{ "TensorNegative", TensorNegative, gel_packValue, "areas of a patch", 0 },
	{ "VectorNan", VectorNan, gel_packValue, "areas of a patch", 0 },
	{ "WeightNegative", WeightNegative, gel_packValue, "between 0 and 1", 1 },
	{ "WeightNan", WeightNan, gel_packValue, "between 0 and 1", 1 },
	{ "WeightSum", WeightSum, gel_packValue, "sum to 1", 1 },
	{ "WeldAhead", WeldAhead, gel_packIndex, "lowest slot among copies", 0 },
	{ "WeldOfCopy", WeldOfCopy, gel_packStructure, "its own weld", 0 },
	{ "WeldElsewhere", WeldElsewhere, gel_packStructure, "same weights for the same nodes", 0 },
	{ "VertexHeader", VertexHeader, gel_packValue, "reserved bytes of an inner header", 0 },
	{ "WeldArrayCount", WeldArrayCount, gel_packSize, "number of elements that the counts", 0 },
	{ "WildSource", WildSource, gel_packIndex, "comes from an art triangle", 0 },
	{ "CornerOutside", CornerOutside, gel_packIndex, "are in its patch", 0 },
	{ "CornerWild", CornerWild, gel_packIndex, "are in its patch", 0 },
	{ "CornerTwice", CornerTwice, gel_packStructure, "are different", 0 },
	{ "NeighborWild", NeighborWild, gel_packIndex, "another collision triangle", 1 },
	{ "NeighborSelf", NeighborSelf, gel_packIndex, "another collision triangle", 0 },
	{ "NeighborTwice", NeighborTwice, gel_packStructure, "share one edge", 1 },
	{ "NeighborSwapped", NeighborSwapped, gel_packStructure, "points back", 1 },
	{ "NeighborMissing", NeighborMissing, gel_packStructure, "points back", 0 },
	{ "BorderFlag", BorderFlag, gel_packValue, "border flag", 1 },
	{ "OtherFlag", OtherFlag, gel_packValue, "border flag", 1 },
	{ "EmptyBounds", EmptyBounds, gel_packValue, "bounds of a collision triangle", 0 },
	{ "TightBounds", TightBounds, gel_packStructure, "bounds of a tree node", 0 },
	{ "ParentTighter", ParentTighter, gel_packStructure, "bounds of a tree node", 0 },
	{ "LinkWild", LinkWild, gel_packIndex, "links lead to other patches", 0 },
	{ "LinkSelf", LinkSelf, gel_packIndex, "links lead to other patches", 0 },
	{ "LinksDescend", LinksDescend, gel_packIndex, "links lead to other patches", 0 },
	{ "EntryOutside", EntryOutside, gel_packIndex, "in the patch of the link", 0 },
	{ "EntryElsewhere", EntryElsewhere, gel_packStructure, "touches the patch", 0 },
	{ "FixedSum", FixedSum, gel_packValue, "three weights", 2 },
	{ "FixedTopBit", FixedTopBit, gel_packValue, "three weights", 2 },
	{ "FixedOutside", FixedOutside, gel_packStructure, "bounds of a cell hold", 2 },
	{ "FixedPadding", FixedPadding, gel_packStructure, "padding repeats", 2 },
	{ "FloatPadding", FloatPadding, gel_packStructure, "padding repeats", 1 },
	{ "WeldRest", WeldRest, gel_packValue, "bits behind the last", 2 },
	{ "SourceRest", SourceRest, gel_packValue, "bits behind the last", 2 },
	{ "BorderRest", BorderRest, gel_packValue, "bits behind the last", 2 },
	{ "BorderWild", BorderWild, gel_packIndex, "another collision triangle", 2 },
	{ "BorderInside", BorderInside, gel_packStructure, "leads to another patch", 2 },
	{ "BorderElsewhere", BorderElsewhere, gel_packStructure, "points back", 2 },
	{ "BorderGap", BorderGap, gel_packIndex, "one patch's behind another's", 2 },
	{ "BorderOrder", BorderOrder, gel_packIndex, "numbered behind its triangles", 2 },
	{ "BorderUnused", BorderUnused, gel_packStructure, "points back", 2 },
	{ "OtherVersion", OtherVersion, gel_packStructure, "have one version", 2 },
	{ "SourceVersion", SourceVersion, gel_packSize, "as many elements as the header", 2 },
	{ "RecordVersion", RecordVersion, gel_packStructure, "have one version", 2 },
	{ "PlainRecordVersion", PlainRecordVersion, gel_packStructure, "have one version", 1 },
	{ "BvhBackwards", BvhBackwards, gel_packIndex, "behind their parent", 0 },
	{ "BvhWild", BvhWild, gel_packIndex, "behind their parent", 0 },
	{ "BvhTwoParents", BvhTwoParents, gel_packStructure, "one parent", 0 },
	{ "BvhLeafWild", BvhLeafWild, gel_packIndex, "a leaf is a cell", 0 },
	{ "BvhLeafTwice", BvhLeafTwice, gel_packStructure, "every cell is one leaf", 0 },
	{ "BvhOrphan", BvhOrphan, gel_packStructure, "has a parent", 0 },
};
// clang-format on

static void CheckEdits( const uint8_t* original, size_t byteCount, int layout )
{
	for ( size_t i = 0; i < sizeof( s_edits ) / sizeof( s_edits[0] ); ++i )
	{
		if ( s_edits[i].layout != 0 && s_edits[i].layout != layout ) continue;
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
}

static void EachEditIsRefusedByItsRule( void** state )
{
	(void)state;
	size_t byteCount, plainCount;
	uint8_t* packed = BakePack( &byteCount );
	uint8_t* narrow = gelMakePlainPack( packed, byteCount, GEL_CDG_NARROW_WORDS, &plainCount );
	CheckEdits( packed, byteCount, 2 );
	CheckEdits( narrow, plainCount, 1 );
	uint8_t* wide = gelMakePlainPack( packed, byteCount, GEL_CDG_WIDE_WORDS, &plainCount );
	CheckEdits( wide, plainCount, 1 );
	free( packed );
	free( narrow );
	free( wide );
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
		assert_int_equal( pack.cells[i].tet, GEL_CDG_NIL );
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

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( EachEditIsRefusedByItsRule ),
		cmocka_unit_test( CoarseCellsHaveNoTets ),
		cmocka_unit_test( DeepTreesAreRefused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
