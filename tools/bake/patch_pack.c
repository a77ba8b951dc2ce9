// SPDX-License-Identifier: MIT
// From patches to the records of a pack: triangles in the order of their trees, vertices copied for each
// patch, constants of patches and cells, links, coarse tree. Constants are computed in double from the
// rounded weights, as the runtime will see them.
#include "cdg.h"

#include <stdlib.h>
#include <string.h>

struct Placed;

typedef struct Packer
{
	const gelCdgSurface* surface;
	const gelCdgCage* cage;
	const gelCdgPatches* patches;
	gelBakePool* pool;
	gelBakePool scratch;
	gelBakeCdg* out;

	uint32_t* order;          // [triangleCount]: new index -> triangle of the surface
	uint32_t* newIndex;       // the reverse
	gelCdgTri* sorted;        // by new index: what follows reads them in the order of memory
	uint64_t* bounds;         // by new index
	uint32_t* patchOf;        // by new index
	uint32_t* cornerSlots;    // 3 per triangle, by new index
	uint32_t* useCount;       // per vertex: patches that have it
	uint32_t* owner;          // per vertex: its lowest slot
	struct Placed* placed;    // per vertex
	gelBdop* boundsScratch;   // [largestPatch]
	uint32_t largestPatch;    // triangles
	uint32_t largestBorder;   // triangles and borders of one patch
	uint32_t largestVertices; // of one patch
	uint32_t patch, nodes[4]; // the present one and the nodes of its cell
	gelDbox* boxes;           // per cell, at rest
} Packer;

static uint32_t GetTet( const Packer* packer, uint32_t patch )
{
	return packer->surface->triangles[packer->patches->triangles[packer->patches->patchFirst[patch]]].tet;
}

// Weights and rest position of a vertex in the nodes of the present patch.
typedef struct Placed
{
	float weights[4];
	gelDvec position;
	uint32_t stamp; // patch + 1
	uint32_t slot;  // GEL_NO_INDEX: none yet
} Placed;

static Placed* GetPlaced( Packer* packer, uint32_t vertex )
{
	Placed* placed = packer->placed + vertex;
	if ( placed->stamp == packer->patch + 1 ) return placed;
	placed->stamp = packer->patch + 1;
	placed->slot = GEL_NO_INDEX;
	placed->position = ( gelDvec ){ 0.0, 0.0, 0.0 };
	for ( int k = 0; k < 4; ++k )
	{
		float w = gelCdgVertex_Weight( packer->surface->vertices + vertex, packer->nodes[k] );
		placed->weights[k] = w;
		placed->position =
			gelDvec_MulAdd( placed->position, (double)w, packer->cage->nodes[packer->nodes[k]] );
	}
	return placed;
}

// ---- triangles in tree order ---------------------------------------------------------------------------

static void OrderPatch( Packer* packer, const gelPackPatch* patch )
{
	uint32_t first = patch->triangleFirst, count = patch->triangleCount, depth = 0;
	uint32_t* order = packer->order + first;
	memcpy( order, packer->patches->triangles + first, count * sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		packer->boundsScratch[i] = gelBdop_Empty();
		for ( int k = 0; k < 3; ++k )
		{
			const Placed* placed = GetPlaced( packer, packer->surface->triangles[order[i]].vertex[k] );
			gelBdop_Add( packer->boundsScratch + i, placed->weights );
		}
	}
	gelBuildBdopTree( packer->boundsScratch, order, count, packer->bounds + first );
	for ( uint32_t i = 0; i < count; ++i )
	{
		packer->newIndex[order[i]] = first + i;
		packer->sorted[first + i] = packer->surface->triangles[order[i]];
	}
	while ( count >> depth != 0 )
	{
		++depth;
	}
	packer->out->treeDepth = depth > packer->out->treeDepth ? depth : packer->out->treeDepth;
}

// ---- vertices ------------------------------------------------------------------------------------------

// How many patches have each vertex, and the patch of each triangle.
static void CountUses( Packer* packer )
{
	const uint32_t vertexCount = packer->surface->vertexCount;
	const gelCdgPatches* p = packer->patches;
	uint32_t* stamps = gelBakePool_Alloc( &packer->scratch, vertexCount, sizeof( uint32_t ) );
	for ( uint32_t patch = 0; patch < p->patchCount; ++patch )
	{
		uint32_t size = p->patchFirst[patch + 1] - p->patchFirst[patch];
		packer->largestPatch = size > packer->largestPatch ? size : packer->largestPatch;
		for ( uint32_t i = p->patchFirst[patch]; i < p->patchFirst[patch + 1]; ++i )
		{
			packer->patchOf[i] = patch;
			for ( int k = 0; k < 3; ++k )
			{
				uint32_t v = packer->surface->triangles[p->triangles[i]].vertex[k];
				if ( stamps[v] == patch + 1 ) continue;
				stamps[v] = patch + 1;
				packer->useCount[v] += 1;
			}
		}
	}
	uint64_t copyCount = 0;
	for ( uint32_t v = 0; v < vertexCount; ++v )
	{
		packer->owner[v] = GEL_NO_INDEX;
		copyCount += packer->useCount[v];
		packer->out->weldCount += packer->useCount[v] > 1 ? packer->useCount[v] : 0;
	}
	packer->out->vertexCount = (uint32_t)copyCount;
}

// Three weights of 21 bits; the fourth is what is missing to 1.
static void PutWeights( Packer* packer, uint32_t slot, const float w[4] )
{
	uint64_t bits = 0;
	for ( int k = 0; k < 3; ++k )
	{
		bits |= (uint64_t)( w[k] * (float)GEL_CDG_WEIGHT_SUM ) << 21 * k;
	}
	packer->out->weights[slot] = bits;
}

// Copies the vertices of a patch: first those that other patches have too, each kind by first use.
static void PlaceVertices( Packer* packer, gelPackPatch* patch )
{
	gelBakeCdg* out = packer->out;
	const float* last = NULL;
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( uint32_t i = 0; i < 3 * patch->triangleCount; ++i )
		{
			uint32_t v = packer->sorted[patch->triangleFirst + i / 3].vertex[i % 3];
			Placed* placed = packer->placed + v;
			if ( placed->slot != GEL_NO_INDEX || ( packer->useCount[v] > 1 ) != ( pass == 0 ) ) continue;
			placed->slot = patch->vertexFirst + patch->vertexCount++;
			if ( packer->owner[v] == GEL_NO_INDEX ) packer->owner[v] = placed->slot;
			PutWeights( packer, placed->slot, placed->weights );
			last = placed->weights;
			if ( pass == 0 ) out->welds[patch->weldFirst + patch->weldCount++] = packer->owner[v];
		}
	}
	for ( uint32_t slot = patch->vertexFirst + patch->vertexCount; slot % GEL_PACK_LANES != 0; ++slot )
	{
		PutWeights( packer, slot, last );
	}
	for ( uint32_t i = 0; i < 3 * patch->triangleCount; ++i )
	{
		packer->cornerSlots[3 * (size_t)patch->triangleFirst + i] =
			packer->placed[packer->sorted[patch->triangleFirst + i / 3].vertex[i % 3]].slot;
	}
}

// ---- constants -----------------------------------------------------------------------------------------

typedef struct Sums
{
	gelDvec N;
	double S, T[6], centroid[4], mean[4];
} Sums;

static void SumTriangle( const Packer* packer, const gelCdgTri* t, Sums* sums )
{
	const Placed *a = packer->placed + t->vertex[0], *b = packer->placed + t->vertex[1];
	const Placed* c = packer->placed + t->vertex[2];
	gelDvec n = gelDvec_Mul( 0.5,
		gelDvec_Cross( gelDvec_Sub( b->position, a->position ), gelDvec_Sub( c->position, a->position ) ) );
	double s = sqrt( gelDvec_Dot( n, n ) ), inverse = s > 0.0 ? 1.0 / s : 0.0;
	sums->N = gelDvec_Add( sums->N, n );
	sums->S += s;
	const double tensor[6] = { n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z };
	for ( int k = 0; k < 6; ++k )
	{
		sums->T[k] += tensor[k] * inverse;
	}
	for ( int k = 0; k < 4; ++k )
	{
		double w = (double)a->weights[k] + (double)b->weights[k] + (double)c->weights[k];
		sums->centroid[k] += s * w;
		sums->mean[k] += w;
	}
}

static void SetConstants( Packer* packer, gelPackPatch* patch )
{
	Sums sums = { 0 };
	for ( uint32_t i = 0; i < patch->triangleCount; ++i )
	{
		SumTriangle( packer, packer->sorted + patch->triangleFirst + i, &sums );
	}
	const double* weights = sums.S > 0.0 ? sums.centroid : sums.mean; // of a patch without area: the middle
	double sum = weights[0] + weights[1] + weights[2] + weights[3];
	for ( int k = 0; k < 4; ++k )
	{
		patch->centroid[k] = (float)( weights[k] / sum );
	}
	// adding 0 turns -0 into +0
	patch->vectorArea[0] = (float)sums.N.x + 0.0f;
	patch->vectorArea[1] = (float)sums.N.y + 0.0f;
	patch->vectorArea[2] = (float)sums.N.z + 0.0f;
	patch->area = (float)sums.S;
	for ( int k = 0; k < 6; ++k )
	{
		patch->areaTensor[k] = (float)sums.T[k] + 0.0f;
	}
	packer->out->area += sums.S;
}

// ---- records -------------------------------------------------------------------------------------------

static bool IsOddPermutation( const uint32_t corners[4] )
{
	int inversions = 0;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
		{
			inversions += corners[i] > corners[j];
		}
	}
	return inversions % 2 != 0;
}

static void AddToCell( Packer* packer, gelPackCell* cell, const gelPackPatch* patch, gelBdop* bounds )
{
	gelDbox* box = packer->boxes + ( cell - packer->out->cells );
	for ( uint32_t i = 0; i < 3 * patch->triangleCount; ++i )
	{
		const Placed* placed = packer->placed + packer->sorted[patch->triangleFirst + i / 3].vertex[i % 3];
		gelBdop_Add( bounds, placed->weights );
		gelDbox_AddPoint( box, placed->position );
	}
	uint64_t bits = gelBdop_Quantize( bounds );
	for ( int k = 0; k < 4; ++k )
	{
		cell->low[k] = (uint8_t)( bits >> 8 * k );
		cell->high[k] = (uint8_t)( bits >> ( 32 + 8 * k ) );
	}
	cell->patchCount += 1;
}

static gelPackCell* StartCell( Packer* packer, uint32_t tet, uint32_t patch, bool cageTets )
{
	gelPackCell* cell = packer->out->cells + packer->out->cellCount++;
	cell->tet = cageTets ? tet : GEL_CDG_NIL;
	memcpy( cell->node, packer->cage->tets[tet].node, sizeof( cell->node ) );
	gelSortNodes( cell->node );
	memcpy( packer->nodes, cell->node, sizeof( packer->nodes ) );
	cell->flags = IsOddPermutation( packer->cage->tets[tet].node ) ? GEL_CDG_CELL_ODD : 0;
	cell->patchFirst = patch;
	packer->boxes[packer->out->cellCount - 1] = gelDbox_Empty();
	return cell;
}

static void FillPatches( Packer* packer, bool cageTets )
{
	gelBakeCdg* out = packer->out;
	gelPackCell* cell = NULL;
	gelBdop bounds = gelBdop_Empty();
	uint32_t slotEnd = 0, weldEnd = 0, cellTet = GEL_NO_INDEX;
	for ( uint32_t i = 0; i < out->patchCount; ++i )
	{
		gelPackPatch* patch = out->patches + i;
		uint32_t tet = GetTet( packer, i );
		if ( tet != cellTet )
		{
			cell = StartCell( packer, tet, i, cageTets );
			cellTet = tet;
			bounds = gelBdop_Empty();
		}
		patch->triangleFirst = packer->patches->patchFirst[i];
		patch->triangleCount = packer->patches->patchFirst[i + 1] - patch->triangleFirst;
		patch->vertexFirst = slotEnd;
		patch->weldFirst = weldEnd;
		patch->cell = out->cellCount - 1;
		packer->patch = i;
		OrderPatch( packer, patch );
		PlaceVertices( packer, patch );
		slotEnd = patch->vertexFirst +
			( patch->vertexCount + GEL_PACK_LANES - 1 ) / GEL_PACK_LANES * GEL_PACK_LANES;
		weldEnd = patch->weldFirst + patch->weldCount;
		packer->largestVertices =
			patch->vertexCount > packer->largestVertices ? patch->vertexCount : packer->largestVertices;
		SetConstants( packer, patch );
		AddToCell( packer, cell, patch, &bounds );
	}
	out->slotCount = slotEnd;
}

// Neighbours by new index; GEL_CDG_NIL: none.
static void RenumberNeighbors( Packer* packer )
{
	for ( uint32_t i = 0; i < packer->surface->triangleCount; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* n = packer->sorted[i].neighbor + k;
			*n = *n == GEL_NO_INDEX ? GEL_CDG_NIL : packer->newIndex[*n];
		}
	}
}

// Edges that lead out of a patch, by patch, triangle and edge.
static void FillBorders( Packer* packer )
{
	gelBakeCdg* out = packer->out;
	uint32_t capacity = 0;
	for ( int pass = 0; pass < 2; ++pass )
	{
		if ( pass == 1 ) out->borders = gelBakePool_Alloc( packer->pool, capacity, sizeof( uint32_t ) );
		for ( uint32_t p = 0; p < out->patchCount; ++p )
		{
			gelPackPatch* patch = out->patches + p;
			uint32_t first = out->borderCount;
			patch->borderFirst = first;
			for ( uint32_t i = 0; i < 3 * patch->triangleCount; ++i )
			{
				uint32_t n = packer->sorted[patch->triangleFirst + i / 3].neighbor[i % 3];
				if ( n == GEL_CDG_NIL || packer->patchOf[n] == p ) continue;
				capacity += pass == 0;
				if ( pass == 1 ) out->borders[out->borderCount++] = n;
			}
			uint32_t codes = patch->triangleCount + out->borderCount - first;
			packer->largestBorder = codes > packer->largestBorder ? codes : packer->largestBorder;
		}
	}
}

static uint32_t ChooseWords( const Packer* packer, uint32_t leastWords )
{
	const gelBakeCdg* out = packer->out;
	bool isShort =
		packer->largestBorder <= GEL_CDG_SHORT_NIL && packer->largestVertices <= GEL_CDG_SHORT_VERTICES;
	bool isNarrow = out->slotCount <= GEL_CDG_NARROW_NIL && out->triangleCount <= GEL_CDG_NARROW_NIL;
	uint32_t words = isShort ? GEL_CDG_SHORT_WORDS : isNarrow ? GEL_CDG_NARROW_WORDS : GEL_CDG_WIDE_WORDS;
	return words > leastWords ? words : leastWords;
}

static void PutTriangle( Packer* packer, const gelPackPatch* patch, uint32_t index, uint32_t* border )
{
	gelBakeCdg* out = packer->out;
	gelCdgTriangle record = { .bounds = packer->bounds[index] };
	uint32_t locals[3], codes[3];
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t n = packer->sorted[index].neighbor[k];
		bool inside = n != GEL_CDG_NIL && packer->patchOf[n] == packer->patchOf[index];
		record.vertex[k] = packer->cornerSlots[3 * (size_t)index + (size_t)k];
		record.neighbor[k] = n;
		if ( !inside ) record.flags = GEL_CDG_TRIANGLE_BORDER;
		out->openEdges += n == GEL_CDG_NIL;
		locals[k] = record.vertex[k] - patch->vertexFirst;
		codes[k] = inside ? n - patch->triangleFirst : GEL_CDG_SHORT_NIL;
		if ( !inside && n != GEL_CDG_NIL ) codes[k] = patch->triangleCount + ( *border )++;
	}
	if ( out->words == GEL_CDG_SHORT_WORDS )
		gelCdg_PutShort( out->triangles, index, locals, codes, record.bounds );
	else
		gelCdg_PutTriangle( out->triangles, out->words, index, record );
}

static void FillTriangles( Packer* packer, uint32_t leastWords )
{
	gelBakeCdg* out = packer->out;
	out->words = ChooseWords( packer, leastWords );
	out->triangles =
		gelBakePool_Alloc( packer->pool, out->words * (size_t)out->triangleCount, sizeof( uint32_t ) );
	for ( uint32_t p = 0; p < out->patchCount; ++p )
	{
		gelPackPatch* patch = out->patches + p;
		uint32_t border = 0;
		for ( uint32_t i = 0; i < patch->triangleCount; ++i )
		{
			uint32_t index = patch->triangleFirst + i;
			PutTriangle( packer, patch, index, &border );
			out->sources[index] = packer->sorted[index].source;
		}
	}
}

static int CompareLinks( const void* left, const void* right )
{
	const gelPackLink *a = left, *b = right;
	if ( a->patch != b->patch ) return a->patch < b->patch ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

// Needs the borders: each leads along a link, and the lowest triangle of each patch is its entry.
static void FillLinks( Packer* packer )
{
	gelBakeCdg* out = packer->out;
	out->links = gelBakePool_Alloc( packer->pool, out->borderCount, sizeof( gelPackLink ) );
	for ( uint32_t p = 0; p < out->patchCount; ++p )
	{
		gelPackPatch* patch = out->patches + p;
		gelPackLink* links = out->links + out->linkCount;
		uint32_t end = p + 1 < out->patchCount ? patch[1].borderFirst : out->borderCount, found = 0, kept = 0;
		for ( uint32_t i = patch->borderFirst; i < end; ++i )
		{
			links[found++] = ( gelPackLink ){ packer->patchOf[out->borders[i]], out->borders[i] };
		}
		qsort( links, found, sizeof( gelPackLink ), CompareLinks );
		for ( uint32_t i = 0; i < found; ++i )
		{
			if ( kept == 0 || links[kept - 1].patch != links[i].patch ) links[kept++] = links[i];
		}
		patch->linkFirst = out->linkCount;
		patch->linkCount = kept;
		out->linkCount += kept;
	}
}

// Only short records need them; links are made of them in any case.
static void DropBorders( gelBakeCdg* out )
{
	if ( out->words == GEL_CDG_SHORT_WORDS ) return;
	out->borderCount = 0;
	for ( uint32_t p = 0; p < out->patchCount; ++p )
	{
		out->patches[p].borderFirst = 0;
	}
}

static void FillBvh( Packer* packer )
{
	gelBakeCdg* out = packer->out;
	out->bvh = gelBuildCoarseBvh( packer->boxes, out->cellCount, packer->pool );
	uint32_t nodeCount = 2 * out->cellCount - 1;
	uint8_t* level = gelBakePool_Alloc( &packer->scratch, nodeCount, 1 );
	level[0] = 1;
	for ( uint32_t i = 0; i < nodeCount; ++i )
	{
		out->bvhDepth = level[i] > out->bvhDepth ? level[i] : out->bvhDepth;
		if ( out->bvh[i].left == GEL_CDG_NIL ) continue;
		level[out->bvh[i].left] = level[out->bvh[i].right] = (uint8_t)( level[i] + 1 );
	}
}

static void AllocateScratch( Packer* packer )
{
	gelBakePool* scratch = &packer->scratch;
	const size_t count = packer->surface->triangleCount;
	packer->order = gelBakePool_Alloc( scratch, count, sizeof( uint32_t ) );
	packer->newIndex = gelBakePool_Alloc( scratch, count, sizeof( uint32_t ) );
	packer->sorted = gelBakePool_Alloc( scratch, count, sizeof( gelCdgTri ) );
	packer->bounds = gelBakePool_Alloc( scratch, count, sizeof( uint64_t ) );
	packer->cornerSlots = gelBakePool_Alloc( scratch, 3 * count, sizeof( uint32_t ) );
	packer->placed = gelBakePool_Alloc( scratch, packer->surface->vertexCount, sizeof( Placed ) );
	packer->boundsScratch = gelBakePool_Alloc( scratch, packer->largestPatch, sizeof( gelBdop ) );
	packer->boxes = gelBakePool_Alloc( scratch, packer->patches->patchCount, sizeof( gelDbox ) );
}

bool gelPackPatches( const gelCdgSurface* surface, const gelCdgCage* cage, const gelCdgPatches* patches,
	bool cageTets, uint32_t leastWords, gelBakePool* pool, gelBakeCdg* out )
{
	memset( out, 0, sizeof( *out ) );
	Packer packer = { .surface = surface, .cage = cage, .patches = patches, .pool = pool, .out = out };
	const uint32_t triangleCount = surface->triangleCount, patchCount = patches->patchCount;
	out->triangleCount = triangleCount;
	out->patchCount = patchCount;
	out->cutCount = patches->cutCount;
	packer.useCount = gelBakePool_Alloc( &packer.scratch, surface->vertexCount, sizeof( uint32_t ) );
	packer.owner = gelBakePool_Alloc( &packer.scratch, surface->vertexCount, sizeof( uint32_t ) );
	packer.patchOf = gelBakePool_Alloc( &packer.scratch, triangleCount, sizeof( uint32_t ) );
	CountUses( &packer );
	uint64_t slotCapacity = (uint64_t)out->vertexCount + ( GEL_PACK_LANES - 1 ) * (uint64_t)patchCount;
	bool fits = slotCapacity <= GEL_CDG_MAX_VERTICES && triangleCount <= GEL_CDG_MAX_TRIANGLES;
	if ( fits )
	{
		AllocateScratch( &packer );
		out->cells = gelBakePool_Alloc( pool, patchCount, sizeof( gelPackCell ) );
		out->patches = gelBakePool_Alloc( pool, patchCount, sizeof( gelPackPatch ) );
		out->weights = gelBakePool_Alloc( pool, slotCapacity, sizeof( uint64_t ) );
		out->welds = gelBakePool_Alloc( pool, out->weldCount, sizeof( uint32_t ) );
		out->sources = gelBakePool_Alloc( pool, triangleCount, sizeof( uint32_t ) );
		FillPatches( &packer, cageTets );
		RenumberNeighbors( &packer );
		FillBorders( &packer );
		FillTriangles( &packer, leastWords );
		FillLinks( &packer );
		DropBorders( out );
		FillBvh( &packer );
	}
	gelFreeBakePool( &packer.scratch );
	return fits;
}

gelCdgView gelBakeCdg_View( const gelBakeCdg* cdg )
{
	return ( gelCdgView ){
		.triangles = cdg->triangles,
		.words = cdg->words,
		.fixedWeights = cdg->weights,
		.welds = { cdg->welds, 32 },
		.borders = { cdg->borders, 32 },
		.sources = { cdg->sources, 32 },
	};
}
