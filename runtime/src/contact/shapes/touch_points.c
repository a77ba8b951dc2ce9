// SPDX-License-Identifier: MIT
#include "contact/shapes/touch_points.h"

#include "contact/detect/support_points.h"
#include "contact/shapes/collider_set.h"
#include "core/sort.h"
#include "state/world.h"

// Nodes do not speak for a vertex that they hardly move. One of four has at least a quarter.
#define GEL_OWN_WEIGHT 0.2f

// ---- the sheet -------------------------------------------------------------------------------------------

void gelPickSheet_Offer( gelPickSheet* sheet, const uint32_t node[4], const gelPick* point )
{
	for ( int k = 0; k < 4; ++k )
	{
		if ( point->w[k] < GEL_OWN_WEIGHT ) continue;
		gelPick* pick = sheet->picks + node[k];
		float score = point->depth * point->w[k];
		if ( !( score > pick->score ) ) continue;
		if ( pick->score == 0.0f ) sheet->touched[sheet->touchedCount++] = node[k];
		*pick = *point;
		pick->score = score;
	}
}

static int CompareNodes( const void* a, const void* b, const void* context )
{
	(void)context;
	uint32_t i = *(const uint32_t*)a, k = *(const uint32_t*)b;
	return i < k ? -1 : i > k;
}

void gelPickSheet_Sort( gelPickSheet* sheet, int most )
{
	GEL_ASSERT( most >= 0 );
	while ( sheet->touchedCount > most )
	{
		int least = 0;
		for ( int i = 1; i < sheet->touchedCount; ++i )
		{
			if ( sheet->picks[sheet->touched[i]].score < sheet->picks[sheet->touched[least]].score )
				least = i;
		}
		sheet->picks[sheet->touched[least]].score = 0.0f;
		sheet->touched[least] = sheet->touched[--sheet->touchedCount];
	}
	gelSort( sheet->touched, (size_t)sheet->touchedCount, sizeof( uint32_t ), CompareNodes, NULL );
}

void gelPickSheet_Clear( gelPickSheet* sheet )
{
	for ( int i = 0; i < sheet->touchedCount; ++i )
		sheet->picks[sheet->touched[i]].score = 0.0f;
	sheet->touchedCount = 0;
}

// The next node from k on that a point acts on; 4: none.
static int NextNode( const float w[4], int k )
{
	while ( k < 4 && w[k] == 0.0f )
		++k;
	return k;
}

// Cells that meet at a vertex have a copy each. They list the nodes that they share in the same order, and
// the others have weight zero.
bool gelIsSameVertex( const gelAsset* asset, const gelTouchPoint* point, const gelPick* pick )
{
	if ( point->slot == UINT32_MAX || pick->slot == UINT32_MAX ) return false;
	if ( point->cell == pick->cell ) return point->slot == pick->slot;
	const uint32_t* node = gelGetSurfaceNodes( asset, pick->cell );
	int i = NextNode( point->w, 0 ), k = NextNode( pick->w, 0 );
	while ( i < 4 && k < 4 && point->node[i] == node[k] && point->w[i] == pick->w[k] )
	{
		i = NextNode( point->w, i + 1 );
		k = NextNode( pick->w, k + 1 );
	}
	return i == 4 && k == 4;
}

// ---- half-spaces -----------------------------------------------------------------------------------------

static void OfferArt( const gelAsset* asset, uint32_t index, const float heights[4], gelPickSheet* sheet )
{
	gelSurfaceCell cell = gelGetSurfaceCell( asset, index );
	for ( uint32_t i = cell.begin; i < cell.end; ++i )
	{
		gelPick point = { .slot = gelSurfaceCell_GetSlot( &cell, i ), .cell = index };
		gelGetSlotWeights( asset, point.slot, point.w );
		const float* w = point.w;
		point.depth = -( w[0] * heights[0] + w[1] * heights[1] + w[2] * heights[2] + w[3] * heights[3] );
		if ( point.depth > 0.0f ) gelPickSheet_Offer( sheet, cell.node, &point );
	}
}

static void OfferCell(
	const gelAsset* asset, gelSimdLevel simd, uint32_t index, const float heights[4], gelPickSheet* sheet )
{
	gelSupportPoint points[GEL_MAX_CELL_POINTS];
	int count = gelScanSupport(
		gelGetSupportKernels( simd ), asset, index, heights, 0.0f, points, GEL_MAX_CELL_POINTS );
	const uint32_t* node = asset->pack.cells[index].node;
	for ( int i = 0; i < count && i < GEL_MAX_CELL_POINTS; ++i )
	{
		const float* w = points[i].w;
		gelPick point = {
			.w = { w[0], w[1], w[2], w[3] }, .depth = -points[i].height, .slot = points[i].slot, .cell = index
		};
		gelPickSheet_Offer( sheet, node, &point );
	}
}

// A vertex is a convex combination of its cell's nodes: none is below the lowest node.
void gelOfferHalfSpace( const gelBody* body, gelVec3 normal, float offset, gelPickSheet* sheet )
{
	const gelAsset* asset = body->asset;
	float lowest = INFINITY;
	for ( int i = 0; i < asset->nodeCount; ++i )
	{
		sheet->heights[i] = gelDot( normal, body->x[i] ) - offset;
		lowest = gelMinFloat( sheet->heights[i], lowest );
	}
	uint32_t cellCount = lowest < 0.0f ? gelCountSurfaceCells( asset ) : 0;
	for ( uint32_t index = 0; index < cellCount; ++index )
	{
		const uint32_t* node = gelGetSurfaceNodes( asset, index );
		const float heights[4] = { sheet->heights[node[0]], sheet->heights[node[1]], sheet->heights[node[2]],
			sheet->heights[node[3]] };
		if ( heights[0] >= 0.0f && heights[1] >= 0.0f && heights[2] >= 0.0f && heights[3] >= 0.0f ) continue;
		if ( asset->pack.cells )
			OfferCell( asset, body->simd, index, heights, sheet );
		else
			OfferArt( asset, index, heights, sheet );
	}
}
