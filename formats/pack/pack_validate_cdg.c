// SPDX-License-Identifier: MIT
// Contents of the collision group (formats/pack.md section 10): cells, patches, sources, coarse tree.
// Vertices are in pack_validate_vertices.c, triangles and what hangs on them in pack_validate_surface.c.
#include "pack/pack_read_cdg.h"
#include "pack/pack_validate.h"

#include "gelpack/asserts.h"

#include <math.h>
#include <string.h>

#define FAIL( code, section, index, element, text )                                                          \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

static const uint32_t s_group[] = { GEL_SECTION_CTET, GEL_SECTION_CPAT, GEL_SECTION_CVTX, GEL_SECTION_CTRI,
	GEL_SECTION_CSRC, GEL_SECTION_CADJ, GEL_SECTION_CBVH };
#define GROUP_COUNT ( sizeof( s_group ) / sizeof( s_group[0] ) )

static const gelPackSection* Find( const gelPackChecker* checker, uint32_t fourcc )
{
	return gelPack_FindSection( checker->view, fourcc, 0 );
}

static bool FailCounts( gelPackChecker* checker, const char* text )
{
	return gelPackChecker_Fail(
		checker, gel_packHeader, NULL, 0, offsetof( gelPackHeader, cdgVertexCount ), text );
}

static bool IsPacked( const gelPackSection* s )
{
	return s->version == GEL_PACK_CDG_VERSION;
}

static uint64_t CountSources( const gelPackHeader* h, const gelPackSection* s )
{
	if ( !IsPacked( s ) ) return h->cdgTriangleCount;
	return gelBitArray_Words( gelBitArray_Width( h->artTriangleCount ), h->cdgTriangleCount );
}

// Version 2 of CTRI leans on that of CPAT and CVTX, and those come together with that of CSRC.
static bool CheckVersions( gelPackChecker* checker )
{
	const gelPackSection* triangles = Find( checker, GEL_SECTION_CTRI );
	bool isPacked = IsPacked( Find( checker, GEL_SECTION_CVTX ) );
	bool isShort = triangles->stride == GEL_CDG_SHORT_WORDS * sizeof( uint32_t );
	if ( IsPacked( Find( checker, GEL_SECTION_CPAT ) ) == isPacked &&
		IsPacked( Find( checker, GEL_SECTION_CSRC ) ) == isPacked && IsPacked( triangles ) == isShort &&
		( isPacked || !isShort ) )
		return true;
	return FAIL( gel_packStructure, triangles, (uint64_t)( triangles - checker->view->sections ), triangles,
		"CPAT, CVTX and CSRC have one version; that of CTRI is 2 for short records, which need theirs to be "
		"2" );
}

// Counts of the header, and the sizes of the sections that follow from them alone.
static bool CheckCounts( gelPackChecker* checker )
{
	const gelPackHeader* h = checker->view->header;
	if ( h->cdgTetCount < 1 || h->cdgTetCount > GEL_PACK_MAX_TETS || h->cdgPatchCount < h->cdgTetCount ||
		h->cdgTriangleCount < h->cdgPatchCount || h->cdgTriangleCount > GEL_CDG_MAX_TRIANGLES ||
		h->cdgVertexCount > GEL_CDG_MAX_VERTICES || h->cdgVertexCount % GEL_PACK_LANES != 0 )
	{
		return FailCounts( checker,
			"counts of collision geometry are within their caps: cells <= patches <= triangles, vertices a "
			"multiple of 8" );
	}
	const struct
	{
		uint32_t fourcc;
		uint64_t count;
	} sizes[] = {
		{ GEL_SECTION_CTET, h->cdgTetCount },
		{ GEL_SECTION_CPAT, h->cdgPatchCount },
		{ GEL_SECTION_CTRI, h->cdgTriangleCount },
		{ GEL_SECTION_CSRC, CountSources( h, Find( checker, GEL_SECTION_CSRC ) ) },
		{ GEL_SECTION_CBVH, 2 * (uint64_t)h->cdgTetCount - 1 },
	};
	for ( size_t i = 0; i < sizeof( sizes ) / sizeof( sizes[0] ); ++i )
	{
		const gelPackSection* s = Find( checker, sizes[i].fourcc );
		if ( s->count == sizes[i].count ) continue;
		return FAIL( gel_packSize, s, (uint64_t)( s - checker->view->sections ), s,
			"a collision section has as many elements as the header counts" );
	}
	return true;
}

// ---- CTET ----------------------------------------------------------------------------------------

static void SortFour( uint32_t n[4], uint32_t* odd )
{
	static const uint8_t pairs[5][2] = { { 0, 1 }, { 2, 3 }, { 0, 2 }, { 1, 3 }, { 1, 2 } };
	for ( int i = 0; i < 5; ++i )
	{
		uint32_t a = n[pairs[i][0]], b = n[pairs[i][1]];
		if ( a <= b ) continue;
		n[pairs[i][0]] = b;
		n[pairs[i][1]] = a;
		*odd ^= 1u;
	}
}

// Six times the signed volume at rest, in double: a product of three floats cannot overflow.
static double Determinant( const gelPackNode* nodes, const uint32_t n[4] )
{
	double e[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		const gelPackNode *a = nodes + n[0], *b = nodes + n[k + 1];
		e[k][0] = (double)b->x - (double)a->x;
		e[k][1] = (double)b->y - (double)a->y;
		e[k][2] = (double)b->z - (double)a->z;
	}
	return e[0][0] * ( e[1][1] * e[2][2] - e[1][2] * e[2][1] ) +
		e[0][1] * ( e[1][2] * e[2][0] - e[1][0] * e[2][2] ) +
		e[0][2] * ( e[1][0] * e[2][1] - e[1][1] * e[2][0] );
}

static bool CheckCellTet( gelPackChecker* checker, const gelPackSection* s, uint32_t i )
{
	GEL_ASSERT( i < s->count );
	const gelPackView* view = checker->view;
	const gelPackCell* cells = gelPackView_Bytes( view, s );
	const gelPackCell* cell = cells + i;
	const uint32_t* n = cell->node;
	if ( !( n[0] < n[1] && n[1] < n[2] && n[2] < n[3] && n[3] < view->header->nodeCount ) )
		return FAIL( gel_packIndex, s, i, n, "a cell has four different nodes, ascending" );
	if ( ( cell->flags & ~GEL_CDG_CELL_ODD ) != 0 )
		return FAIL( gel_packValue, s, i, &cell->flags, "unused flags of a cell are 0" );
	if ( ( cell->tet == GEL_CDG_NIL ) != ( cells[0].tet == GEL_CDG_NIL ) ||
		( i > 0 && cell->tet != GEL_CDG_NIL && cell->tet <= cells[i - 1].tet ) )
	{
		return FAIL( gel_packStructure, s, i, cell,
			"cells are tets of the cage, ascending, or none of them is one of the cage" );
	}
	if ( cell->tet == GEL_CDG_NIL )
	{
		double det = Determinant( view->nodes, n );
		if ( cell->flags != 0 ? det < 0.0 : det > 0.0 ) return true;
		return FAIL( gel_packStructure, s, i, cell, "a cell has the orientation that its flag says" );
	}
	if ( cell->tet >= view->header->tetCount )
		return FAIL( gel_packIndex, s, i, cell, "the tet of a cell is a tet of the cage" );
	uint32_t sorted[4], odd = 0;
	memcpy( sorted, view->tets[cell->tet].node, sizeof( sorted ) );
	SortFour( sorted, &odd );
	if ( memcmp( sorted, n, sizeof( sorted ) ) != 0 || ( cell->flags != 0 ) != ( odd != 0 ) )
	{
		return FAIL(
			gel_packStructure, s, i, cell, "a cell has the sorted corners of its tet and their parity" );
	}
	return true;
}

static bool CheckCells( gelPackChecker* checker, const gelPackSection* s )
{
	const gelPackCell* cells = gelPackView_Bytes( checker->view, s );
	uint64_t patchEnd = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const gelPackCell* cell = cells + i;
		if ( !CheckCellTet( checker, s, i ) ) return false;
		for ( int k = 0; k < 4; ++k )
		{
			if ( cell->low[k] <= cell->high[k] + 1 ) continue;
			return FAIL( gel_packValue, s, i, cell->low + k, "the bounds of a cell are not empty" );
		}
		if ( cell->patchFirst != patchEnd || cell->patchCount < 1 )
		{
			return FAIL(
				gel_packIndex, s, i, &cell->patchFirst, "cells have patches, one cell's behind another's" );
		}
		patchEnd += cell->patchCount;
	}
	if ( patchEnd != checker->view->header->cdgPatchCount )
		return FAIL( gel_packIndex, s, s->count - 1, cells + s->count - 1, "every patch is in a cell" );
	checker->view->cells = cells;
	return true;
}

// ---- CPAT ----------------------------------------------------------------------------------------

static bool CheckPatchNumbers( gelPackChecker* checker, const gelPackSection* s, uint32_t i )
{
	GEL_ASSERT( i < s->count );
	const gelPackPatch* p = (const gelPackPatch*)gelPackView_Bytes( checker->view, s ) + i;
	double sum = 0.0;
	bool inside = true, finite = gelPack_IsFinite( p->area ) && p->area >= 0.0f;
	for ( int k = 0; k < 4; ++k )
	{
		inside = inside && p->centroid[k] >= 0.0f && p->centroid[k] <= 1.0f;
		sum += (double)p->centroid[k];
	}
	if ( !inside || !( fabs( sum - 1.0 ) <= 0x1p-22 ) )
	{
		return FAIL( gel_packValue, s, i, p->centroid,
			"the weights of a centroid are between 0 and 1 and sum to 1 within 2^-22" );
	}
	for ( int k = 0; k < 6; ++k )
	{
		finite = finite && gelPack_IsFinite( p->areaTensor[k] ) && gelPack_IsFinite( p->vectorArea[k % 3] );
		finite = finite && ( k >= 3 || p->areaTensor[k] >= 0.0f );
	}
	if ( !finite )
	{
		return FAIL( gel_packValue, s, i, p->vectorArea,
			"areas of a patch are finite; area and diagonal of the tensor are >= 0" );
	}
	return true;
}

typedef struct PatchEnds
{
	uint64_t triangle, vertex, weld, link;
} PatchEnds;

static bool CheckPatchRanges( gelPackChecker* checker, const gelPackSection* s, uint32_t i, PatchEnds* ends )
{
	GEL_ASSERT( i < s->count );
	const gelPackView* view = checker->view;
	const gelPackPatch* p = (const gelPackPatch*)gelPackView_Bytes( view, s ) + i;
	if ( p->cell >= view->header->cdgTetCount || i < view->cells[p->cell].patchFirst ||
		i - view->cells[p->cell].patchFirst >= view->cells[p->cell].patchCount )
	{
		return FAIL( gel_packIndex, s, i, &p->cell, "a patch names the cell that has it" );
	}
	if ( p->triangleFirst != ends->triangle || p->triangleCount < 1 || p->vertexFirst != ends->vertex ||
		p->vertexCount < 3 || p->weldFirst != ends->weld || p->weldCount > p->vertexCount ||
		p->linkFirst != ends->link )
	{
		return FAIL( gel_packIndex, s, i, p,
			"patches have triangles, vertices, welds and links, one patch's behind another's" );
	}
	// those of short records are checked with the triangles
	if ( p->borderFirst != 0 &&
		Find( checker, GEL_SECTION_CTRI )->stride != GEL_CDG_SHORT_WORDS * sizeof( uint32_t ) )
		return FAIL(
			gel_packValue, s, i, &p->borderFirst, "a patch has no borders without short triangle records" );
	ends->triangle += p->triangleCount;
	ends->vertex += ( (uint64_t)p->vertexCount + GEL_PACK_LANES - 1 ) / GEL_PACK_LANES * GEL_PACK_LANES;
	ends->weld += p->weldCount;
	ends->link += p->linkCount;
	return true;
}

static bool CheckPatches( gelPackChecker* checker, const gelPackSection* s )
{
	gelPackView* view = checker->view;
	const gelPackPatch* patches = gelPackView_Bytes( view, s );
	PatchEnds ends = { 0, 0, 0, 0 };
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		if ( !CheckPatchRanges( checker, s, i, &ends ) || !CheckPatchNumbers( checker, s, i ) ) return false;
	}
	if ( ends.triangle != view->header->cdgTriangleCount || ends.vertex != view->header->cdgVertexCount ||
		ends.link != Find( checker, GEL_SECTION_CADJ )->count || ends.weld > ends.vertex )
	{
		return FAIL( gel_packIndex, s, s->count - 1, patches + s->count - 1,
			"every collision triangle, vertex and link is in a patch" );
	}
	view->patches = patches;
	view->cdgWeldCount = (uint32_t)ends.weld;
	return true;
}

// ---- CSRC, CBVH ----------------------------------------------------------------------------------

static bool CheckSources( gelPackChecker* checker, const gelPackSection* s )
{
	const gelPackHeader* h = checker->view->header;
	gelBitArray sources = { gelPackView_Bytes( checker->view, s ), 32 };
	if ( IsPacked( s ) )
	{
		sources.bits = gelBitArray_Width( h->artTriangleCount );
		if ( !gelPackChecker_CheckBits( checker, s, sources, h->cdgTriangleCount ) ) return false;
	}
	for ( uint32_t i = 0; i < h->cdgTriangleCount; ++i )
	{
		if ( gelBitArray_Get( sources, i ) < h->artTriangleCount ) continue;
		return FAIL( gel_packIndex, s, i, (const uint8_t*)sources.data + (uint64_t)sources.bits * i / 8,
			"a collision triangle comes from an art triangle" );
	}
	checker->view->cdg.sources = sources;
	return true;
}

// Scratch: level of each node, 0 as long as no parent was seen; one bit per cell. 2n - 2 references to nodes
// behind the referring one, each at most once, make it a tree that reaches every node.
static bool CheckBvh( gelPackChecker* checker, const gelPackSection* s )
{
	gelPackView* view = checker->view;
	const gelPackBvhNode* nodes = gelPackView_Bytes( view, s );
	const uint32_t nodeCount = s->count, cellCount = view->header->cdgTetCount;
	uint8_t *level = checker->scratch, *seen = checker->scratch + nodeCount;
	memset( level, 0, nodeCount );
	memset( seen, 0, cellCount / 8 + 1 );
	level[0] = 1;
	uint32_t depth = 1;
	for ( uint32_t i = 0; i < nodeCount; ++i )
	{
		const gelPackBvhNode* node = nodes + i;
		if ( level[i] == 0 )
			return FAIL( gel_packStructure, s, i, node, "every node but the first has a parent" );
		depth = level[i] > depth ? level[i] : depth;
		if ( node->left == GEL_CDG_NIL )
		{
			if ( node->right >= cellCount ) return FAIL( gel_packIndex, s, i, node, "a leaf is a cell" );
			if ( gelTestAndSetBit( seen, node->right ) )
				return FAIL( gel_packStructure, s, i, node, "every cell is one leaf" );
			continue;
		}
		if ( node->left <= i || node->left >= nodeCount || node->right <= i || node->right >= nodeCount )
			return FAIL( gel_packIndex, s, i, node, "children stand behind their parent" );
		if ( node->left == node->right || level[node->left] != 0 || level[node->right] != 0 )
			return FAIL( gel_packStructure, s, i, node, "a node has one parent" );
		if ( level[i] == GEL_CDG_MAX_DEPTH )
			return FAIL( gel_packStructure, s, i, node, "the tree has at most 64 levels" );
		level[node->left] = level[node->right] = (uint8_t)( level[i] + 1 );
	}
	view->bvh = nodes;
	view->bvhDepth = depth;
	return true;
}

// ---- the group -----------------------------------------------------------------------------------

bool gelPackChecker_CheckCollision( gelPackChecker* checker )
{
	gelPackView* view = checker->view;
	const gelPackHeader* h = view->header;
	size_t count = 0, missing = 0;
	for ( size_t i = 0; i < GROUP_COUNT; ++i )
	{
		if ( Find( checker, s_group[i] ) != NULL )
			++count;
		else
			missing = i;
	}
	if ( count == 0 )
	{
		uint32_t counts = h->cdgVertexCount | h->cdgTriangleCount | h->cdgPatchCount | h->cdgTetCount;
		// a newer version may have sections of other names for them
		if ( counts == 0 || h->versionMinor > GEL_PACK_VERSION_MINOR ) return true;
		return FailCounts( checker, "counts of collision geometry are 0 in a pack without it" );
	}
	if ( count < GROUP_COUNT )
	{
		gelPackChecker_Fail( checker, gel_packMissingSection, NULL, 0, sizeof( gelPackHeader ),
			"CTET CPAT CVTX CTRI CSRC CADJ CBVH come together" );
		checker->fault->fourcc = s_group[missing];
		return false;
	}
	// In the order of dependence.
	return CheckCounts( checker ) && CheckVersions( checker ) &&
		CheckCells( checker, Find( checker, GEL_SECTION_CTET ) ) &&
		CheckPatches( checker, Find( checker, GEL_SECTION_CPAT ) ) &&
		gelPackChecker_CheckVertices( checker ) &&
		CheckSources( checker, Find( checker, GEL_SECTION_CSRC ) ) &&
		CheckBvh( checker, Find( checker, GEL_SECTION_CBVH ) ) && gelPackChecker_CheckSurface( checker );
}
