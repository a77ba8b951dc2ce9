// SPDX-License-Identifier: MIT
// From patches to the records of a pack: triangles in the order of their trees, vertices copied for each
// patch, constants of patches and cells, links, coarse tree. Constants are computed in double from the
// rounded weights, as the runtime will see them.
#include "bake/surface/cdg.h"

#include <gelpack/asserts.h>

#include <stdlib.h>
#include <string.h>

typedef struct Packer
{
	const gelCdgSurface* surface;
	const gelCdgCage* cage;
	const gelCdgPatches* patches;
	int threads;
	gelBakePool* pool;
	gelBakePool scratch;
	gelBakeCdg* out;

	uint32_t* order;          // [triangleCount]: new index -> triangle of the surface
	uint32_t* newIndex;       // the reverse
	gelCdgTri* sorted;        // by new index: what follows reads them in the order of memory
	uint64_t* bounds;         // by new index
	uint32_t* patchOf;        // by new index
	uint32_t* cornerSlots;    // 3 per triangle, by new index
	uint32_t* slotVertex;     // per slot: the vertex that is copied there
	uint32_t* useCount;       // per vertex: patches that have it
	double* areas;            // per patch [m^2]
	uint32_t largestPatch;    // triangles
	uint32_t largestBorder;   // triangles and borders of one patch
	uint32_t largestVertices; // vertices of the largest patch
	gelBox3d* boxes;          // per cell, at rest
} Packer;

static uint32_t Larger( uint32_t a, uint32_t b )
{
	return a > b ? a : b;
}

// All triangles of a patch are in one tet, so the first one tells.
static uint32_t GetTet( const Packer* packer, uint32_t patch )
{
	GEL_ASSERT( patch < packer->patches->patchCount );
	return packer->surface->triangles[packer->patches->triangles[packer->patches->patchFirst[patch]]].tet;
}

// Weights and rest position of a vertex in the nodes of the present patch.
typedef struct Placed
{
	float weights[4];
	gelVec3d position;
	uint32_t slot; // GEL_NO_INDEX: none yet
} Placed;

// What each thread has for itself.
typedef struct Placer
{
	Placed* placed; // [largestVertices], of the present patch in the order of first use
	// Per vertex its number among all that this thread has placed. Those above `before` are of the present
	// patch.
	uint32_t* numbers;
	uint32_t count, before;
	uint32_t nodes[4];      // corners of the present cell
	gelBdop* boundsScratch; // [largestPatch]
} Placer;

// Looked up once per vertex and patch: a weight has to be found among the nodes of the vertex, which stand in
// another order than those of the cell.
static Placed* GetPlaced( const Packer* packer, Placer* placer, uint32_t vertex )
{
	if ( placer->numbers[vertex] > placer->before )
		return placer->placed + ( placer->numbers[vertex] - placer->before - 1 );
	Placed* placed = placer->placed + ( placer->count - placer->before );
	placer->numbers[vertex] = ++placer->count;
	placed->slot = GEL_NO_INDEX;
	placed->position = ( gelVec3d ){ 0.0, 0.0, 0.0 };
	for ( int k = 0; k < 4; ++k )
	{
		float w = gelCdgVertex_Weight( packer->surface->vertices + vertex, placer->nodes[k] );
		placed->weights[k] = w;
		placed->position = gelMulAddD( placed->position, (double)w, packer->cage->nodes[placer->nodes[k]] );
	}
	return placed;
}

// ---- triangles in tree order ---------------------------------------------------------------------------

// From here on the number of a triangle is its place in the tree.
static void OrderPatch( const Packer* packer, Placer* placer, const gelPackPatch* patch )
{
	uint32_t first = patch->triangleFirst, count = patch->triangleCount;
	uint32_t* order = packer->order + first;
	memcpy( order, packer->patches->triangles + first, count * sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		placer->boundsScratch[i] = gelBdop_Empty();
		for ( int k = 0; k < 3; ++k )
		{
			const Placed* placed =
				GetPlaced( packer, placer, packer->surface->triangles[order[i]].vertex[k] );
			gelBdop_Add( placer->boundsScratch + i, placed->weights );
		}
	}
	gelBuildBdopTree( placer->boundsScratch, order, count, packer->bounds + first );
	for ( uint32_t i = 0; i < count; ++i )
	{
		packer->newIndex[order[i]] = first + i;
		packer->sorted[first + i] = packer->surface->triangles[order[i]];
	}
}

// ---- vertices ------------------------------------------------------------------------------------------

// How many patches have each vertex, how many vertices each patch has, and the patch of each triangle.
static void CountUses( Packer* packer )
{
	const uint32_t vertexCount = packer->surface->vertexCount;
	const gelCdgPatches* p = packer->patches;
	gelBakeCdg* out = packer->out;
	uint32_t* stamps = gelBakePool_Alloc( &packer->scratch, vertexCount, sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < p->patchCount; ++i )
	{
		gelPackPatch* patch = out->patches + i;
		patch->triangleFirst = p->patchFirst[i];
		patch->triangleCount = p->patchFirst[i + 1] - p->patchFirst[i];
		for ( uint32_t t = p->patchFirst[i]; t < p->patchFirst[i + 1]; ++t )
		{
			packer->patchOf[t] = i;
			for ( int k = 0; k < 3; ++k )
			{
				uint32_t v = packer->surface->triangles[p->triangles[t]].vertex[k];
				if ( stamps[v] == i + 1 ) continue;
				stamps[v] = i + 1;
				packer->useCount[v] += 1;
				patch->vertexCount += 1;
			}
		}
		packer->largestPatch = Larger( packer->largestPatch, patch->triangleCount );
		packer->largestVertices = Larger( packer->largestVertices, patch->vertexCount );
	}
	uint64_t copyCount = 0;
	for ( uint32_t v = 0; v < vertexCount; ++v )
	{
		copyCount += packer->useCount[v];
		out->weldCount += packer->useCount[v] > 1 ? packer->useCount[v] : 0;
	}
	out->vertexCount = (uint32_t)copyCount;
}

// Three weights of 21 bits; the fourth is what is missing to 1.
static void PutWeights( const Packer* packer, uint32_t slot, const float w[4] )
{
	GEL_ASSERT( slot < packer->out->slotCount );
	uint64_t bits = 0;
	for ( int k = 0; k < 3; ++k )
		bits |= (uint64_t)( w[k] * (float)GEL_CDG_WEIGHT_SUM ) << 21 * k;
	packer->out->weights[slot] = bits;
}

// Copies the vertices of a patch: first those that other patches have too, each kind by first use.
static void PlaceVertices( const Packer* packer, Placer* placer, gelPackPatch* patch )
{
	const float* last = NULL;
	uint32_t slot = patch->vertexFirst;
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( uint32_t i = 0; i < 3 * patch->triangleCount; ++i )
		{
			uint32_t v = packer->sorted[patch->triangleFirst + i / 3].vertex[i % 3];
			Placed* placed = GetPlaced( packer, placer, v );
			if ( placed->slot != GEL_NO_INDEX || ( packer->useCount[v] > 1 ) != ( pass == 0 ) ) continue;
			packer->slotVertex[slot] = v;
			placed->slot = slot++;
			PutWeights( packer, placed->slot, placed->weights );
			last = placed->weights;
			patch->weldCount += pass == 0;
		}
	}
	for ( ; slot % GEL_PACK_LANES != 0; ++slot )
		PutWeights( packer, slot, last );
	for ( uint32_t i = 0; i < 3 * patch->triangleCount; ++i )
	{
		uint32_t v = packer->sorted[patch->triangleFirst + i / 3].vertex[i % 3];
		packer->cornerSlots[3 * (size_t)patch->triangleFirst + i] = GetPlaced( packer, placer, v )->slot;
	}
}

// Every copy of a vertex names the lowest one.
static void FillWelds( Packer* packer )
{
	gelBakeCdg* out = packer->out;
	uint32_t count = 0;
	// the lowest slot of each vertex + 1
	uint32_t* owner = gelBakePool_Alloc( &packer->scratch, packer->surface->vertexCount, sizeof( uint32_t ) );
	for ( uint32_t p = 0; p < out->patchCount; ++p )
	{
		gelPackPatch* patch = out->patches + p;
		patch->weldFirst = count;
		for ( uint32_t slot = patch->vertexFirst; slot < patch->vertexFirst + patch->weldCount; ++slot )
		{
			uint32_t v = packer->slotVertex[slot];
			if ( owner[v] == 0 ) owner[v] = slot + 1;
			out->welds[count++] = owner[v] - 1;
		}
	}
}

// ---- constants -----------------------------------------------------------------------------------------

typedef struct Sums
{
	gelVec3d N;
	double S, T[6], centroid[4], mean[4];
} Sums;

// Constants of a patch at rest, over its triangles with corners v, area s and normal n (Civit-Flores):
//
//   N = 1/2 sum (v2 - v1) x (v3 - v1)            vector area [m^2]                  (5.3)
//   S = sum s                                    area [m^2]                         (5.5)
//   c = 1 / (3 S) sum s (v1 + v2 + v3)           centroid, kept as weights          (5.6)
//   T = sum s n n^T                              area tensor [m^2], xx yy zz xy xz yz
//
// With the cofactors C of a deformation, N becomes C N exactly, and sqrt( S tr( C T C^T ) ) bounds the area
// from above within 4 % on average. The thesis takes S itself, which is off by a third (T is ours).
static void SumTriangle( const Placed* a, const Placed* b, const Placed* c, Sums* sums )
{
	gelVec3d n = gelScaleD(
		0.5, gelCrossD( gelSubD( b->position, a->position ), gelSubD( c->position, a->position ) ) );
	double s = sqrt( gelDotD( n, n ) ), inverse = s > 0.0 ? 1.0 / s : 0.0;
	sums->N = gelAddD( sums->N, n );
	sums->S += s;
	const double tensor[6] = { n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.x * n.z, n.y * n.z };
	for ( int k = 0; k < 6; ++k )
		sums->T[k] += tensor[k] * inverse;
	for ( int k = 0; k < 4; ++k )
	{
		double w = (double)a->weights[k] + (double)b->weights[k] + (double)c->weights[k];
		sums->centroid[k] += s * w;
		sums->mean[k] += w;
	}
}

// @return the area [m^2]
static double SetConstants( const Packer* packer, Placer* placer, gelPackPatch* patch )
{
	Sums sums = { 0 };
	for ( uint32_t i = 0; i < patch->triangleCount; ++i )
	{
		const uint32_t* v = packer->sorted[patch->triangleFirst + i].vertex;
		SumTriangle( GetPlaced( packer, placer, v[0] ), GetPlaced( packer, placer, v[1] ),
			GetPlaced( packer, placer, v[2] ), &sums );
	}
	const double* weights = sums.S > 0.0 ? sums.centroid : sums.mean; // a patch without area: the middle
	double sum = weights[0] + weights[1] + weights[2] + weights[3];
	for ( int k = 0; k < 4; ++k )
		patch->centroid[k] = (float)( weights[k] / sum );
	// adding 0 turns -0 into +0
	patch->vectorArea[0] = (float)sums.N.x + 0.0f;
	patch->vectorArea[1] = (float)sums.N.y + 0.0f;
	patch->vectorArea[2] = (float)sums.N.z + 0.0f;
	patch->area = (float)sums.S;
	for ( int k = 0; k < 6; ++k )
		patch->areaTensor[k] = (float)sums.T[k] + 0.0f;
	return sums.S;
}

// ---- records -------------------------------------------------------------------------------------------

// Nodes of cells ascend, so that all cells add up a common vertex in the same order. What that does to the
// orientation of the tet is told by a flag.
static bool IsOddPermutation( const uint32_t corners[4] )
{
	int inversions = 0;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = i + 1; j < 4; ++j )
			inversions += corners[i] > corners[j];
	}
	return inversions % 2 != 0;
}

static void AddToCell(
	const Packer* packer, Placer* placer, const gelPackPatch* patch, gelBdop* bounds, gelBox3d* box )
{
	for ( uint32_t i = 0; i < 3 * patch->triangleCount; ++i )
	{
		uint32_t v = packer->sorted[patch->triangleFirst + i / 3].vertex[i % 3];
		const Placed* placed = GetPlaced( packer, placer, v );
		gelBdop_Add( bounds, placed->weights );
		gelBox3d_AddPoint( box, placed->position );
	}
}

// All that is in one cell.
static void FillCell( const Packer* packer, Placer* placer, gelPackCell* cell )
{
	gelBdop bounds = gelBdop_Empty();
	gelBox3d box = gelBox3d_Empty();
	memcpy( placer->nodes, cell->node, sizeof( placer->nodes ) );
	for ( uint32_t i = cell->patchFirst; i < cell->patchFirst + cell->patchCount; ++i )
	{
		gelPackPatch* patch = packer->out->patches + i;
		placer->before = placer->count;
		OrderPatch( packer, placer, patch );
		PlaceVertices( packer, placer, patch );
		packer->areas[i] = SetConstants( packer, placer, patch );
		AddToCell( packer, placer, patch, &bounds, &box );
	}
	packer->boxes[cell - packer->out->cells] = box;
	uint64_t bits = gelBdop_Quantize( &bounds );
	for ( int k = 0; k < 4; ++k )
	{
		cell->low[k] = (uint8_t)( bits >> 8 * k );
		cell->high[k] = (uint8_t)( bits >> ( 32 + 8 * k ) );
	}
}

// A cell without a tet of its own (coarse cells) is deformed by its nodes like any other, but has no
// rotation.
static gelPackCell* StartCell( Packer* packer, uint32_t tet, uint32_t patch, bool cageTets )
{
	gelPackCell* cell = packer->out->cells + packer->out->cellCount++;
	cell->tet = cageTets ? tet : GEL_CDG_NIL;
	memcpy( cell->node, packer->cage->tets[tet].node, sizeof( cell->node ) );
	gelSortNodes( cell->node );
	cell->flags = IsOddPermutation( packer->cage->tets[tet].node ) ? GEL_CDG_CELL_ODD : 0;
	cell->patchFirst = patch;
	return cell;
}

// The cell and the slots of every patch, which follow from counts alone.
static void LayOutPatches( Packer* packer, bool cageTets )
{
	gelBakeCdg* out = packer->out;
	gelPackCell* cell = NULL;
	uint32_t cellTet = GEL_NO_INDEX;
	for ( uint32_t i = 0; i < out->patchCount; ++i )
	{
		gelPackPatch* patch = out->patches + i;
		uint32_t tet = GetTet( packer, i ), depth = 0;
		if ( tet != cellTet ) cell = StartCell( packer, tet, i, cageTets );
		cellTet = tet;
		cell->patchCount += 1;
		patch->cell = out->cellCount - 1;
		patch->vertexFirst = out->slotCount;
		out->slotCount += ( patch->vertexCount + GEL_PACK_LANES - 1 ) / GEL_PACK_LANES * GEL_PACK_LANES;
		while ( patch->triangleCount >> depth != 0 )
			++depth;
		out->treeDepth = Larger( out->treeDepth, depth );
	}
}

static void FillPatches( Packer* packer )
{
	gelBakeCdg* out = packer->out;
#pragma omp parallel num_threads( packer->threads )
	{
		gelBakePool pool = { NULL };
		Placer placer = { .placed = gelBakePool_Alloc( &pool, packer->largestVertices, sizeof( Placed ) ) };
		placer.numbers = gelBakePool_Alloc( &pool, packer->surface->vertexCount, sizeof( uint32_t ) );
		placer.boundsScratch = gelBakePool_Alloc( &pool, packer->largestPatch, sizeof( gelBdop ) );
#pragma omp for schedule( dynamic, 1 )
		for ( uint32_t i = 0; i < out->cellCount; ++i )
			FillCell( packer, &placer, out->cells + i );
		gelFreeBakePool( &pool );
	}
	for ( uint32_t i = 0; i < out->patchCount; ++i )
		out->area += packer->areas[i];
}

// Neighbors by new index; GEL_CDG_NIL: none. @return edges that lead out of the patch
static uint32_t RenumberNeighbors( const Packer* packer, uint32_t p )
{
	const gelPackPatch* patch = packer->out->patches + p;
	uint32_t count = 0;
	for ( uint32_t i = 0; i < 3 * patch->triangleCount; ++i )
	{
		uint32_t* n = packer->sorted[patch->triangleFirst + i / 3].neighbor + i % 3;
		*n = *n == GEL_NO_INDEX ? GEL_CDG_NIL : packer->newIndex[*n];
		count += *n != GEL_CDG_NIL && packer->patchOf[*n] != p;
	}
	return count;
}

// Edges that lead out of a patch, by patch, triangle and edge.
static void FillBorders( Packer* packer )
{
	gelBakeCdg* out = packer->out;
	uint32_t* counts = gelBakePool_Alloc( &packer->scratch, out->patchCount, sizeof( uint32_t ) );
#pragma omp parallel for schedule( dynamic, 16 ) num_threads( packer->threads )
	for ( uint32_t p = 0; p < out->patchCount; ++p )
		counts[p] = RenumberNeighbors( packer, p );
	for ( uint32_t p = 0; p < out->patchCount; ++p )
	{
		out->patches[p].borderFirst = out->borderCount;
		out->borderCount += counts[p];
		packer->largestBorder = Larger( packer->largestBorder, out->patches[p].triangleCount + counts[p] );
	}
	out->borders = gelBakePool_Alloc( packer->pool, out->borderCount, sizeof( uint32_t ) );
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

// @param border of the next edge that leads out of the patch. @return open edges
static uint32_t PutTriangle(
	const Packer* packer, const gelPackPatch* patch, uint32_t index, uint32_t* border )
{
	gelBakeCdg* out = packer->out;
	gelCdgTriangle record = { .bounds = packer->bounds[index] };
	uint32_t locals[3], codes[3], openEdges = 0;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t n = packer->sorted[index].neighbor[k];
		bool inside = n != GEL_CDG_NIL && packer->patchOf[n] == packer->patchOf[index];
		record.vertex[k] = packer->cornerSlots[3 * (size_t)index + (size_t)k];
		record.neighbor[k] = n;
		if ( !inside ) record.flags = GEL_CDG_TRIANGLE_BORDER;
		openEdges += n == GEL_CDG_NIL;
		locals[k] = record.vertex[k] - patch->vertexFirst;
		codes[k] = inside ? n - patch->triangleFirst : GEL_CDG_SHORT_NIL;
		if ( inside || n == GEL_CDG_NIL ) continue;
		out->borders[patch->borderFirst + *border] = n;
		codes[k] = patch->triangleCount + ( *border )++;
	}
	if ( out->words == GEL_CDG_SHORT_WORDS )
		gelCdg_PutShort( out->triangles, index, locals, codes, record.bounds );
	else
		gelCdg_PutTriangle( out->triangles, out->words, index, record );
	out->sources[index] = packer->sorted[index].source;
	return openEdges;
}

static void FillTriangles( Packer* packer, uint32_t leastWords )
{
	gelBakeCdg* out = packer->out;
	uint32_t openEdges = 0;
	out->words = ChooseWords( packer, leastWords );
	out->triangles =
		gelBakePool_Alloc( packer->pool, out->words * (size_t)out->triangleCount, sizeof( uint32_t ) );
#pragma omp parallel for schedule( dynamic, 16 ) num_threads( packer->threads ) reduction( + : openEdges )
	for ( uint32_t p = 0; p < out->patchCount; ++p )
	{
		const gelPackPatch* patch = out->patches + p;
		uint32_t border = 0;
		for ( uint32_t i = 0; i < patch->triangleCount; ++i )
			openEdges += PutTriangle( packer, patch, patch->triangleFirst + i, &border );
	}
	out->openEdges = openEdges;
}

static int CompareLinks( const void* left, const void* right )
{
	const gelPackLink *a = left, *b = right;
	if ( a->patch != b->patch ) return a->patch < b->patch ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

// The links of a patch, in the place of its borders. @return how many
static uint32_t FindLinks( const Packer* packer, uint32_t p )
{
	const gelBakeCdg* out = packer->out;
	const gelPackPatch* patch = out->patches + p;
	gelPackLink* links = out->links + patch->borderFirst;
	uint32_t end = p + 1 < out->patchCount ? patch[1].borderFirst : out->borderCount, found = 0, kept = 0;
	for ( uint32_t i = patch->borderFirst; i < end; ++i )
		links[found++] = ( gelPackLink ){ packer->patchOf[out->borders[i]], out->borders[i] };
	qsort( links, found, sizeof( gelPackLink ), CompareLinks );
	for ( uint32_t i = 0; i < found; ++i )
		if ( kept == 0 || links[kept - 1].patch != links[i].patch ) links[kept++] = links[i];
	return kept;
}

// Needs the borders: each leads along a link, and the lowest triangle of each patch is its entry.
static void FillLinks( Packer* packer )
{
	gelBakeCdg* out = packer->out;
	out->links = gelBakePool_Alloc( packer->pool, out->borderCount, sizeof( gelPackLink ) );
#pragma omp parallel for schedule( dynamic, 16 ) num_threads( packer->threads )
	for ( uint32_t p = 0; p < out->patchCount; ++p )
		out->patches[p].linkCount = FindLinks( packer, p );
	for ( uint32_t p = 0; p < out->patchCount; ++p )
	{
		gelPackPatch* patch = out->patches + p;
		memmove( out->links + out->linkCount, out->links + patch->borderFirst,
			patch->linkCount * sizeof( gelPackLink ) );
		patch->linkFirst = out->linkCount;
		out->linkCount += patch->linkCount;
	}
}

// Only short records need them; links are made of them in any case.
static void DropBorders( gelBakeCdg* out )
{
	if ( out->words == GEL_CDG_SHORT_WORDS ) return;
	out->borderCount = 0;
	for ( uint32_t p = 0; p < out->patchCount; ++p )
		out->patches[p].borderFirst = 0;
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
	packer->areas = gelBakePool_Alloc( scratch, packer->patches->patchCount, sizeof( double ) );
	packer->boxes = gelBakePool_Alloc( scratch, packer->patches->patchCount, sizeof( gelBox3d ) );
}

bool gelPackPatches( const gelCdgSurface* surface, const gelCdgCage* cage, const gelCdgPatches* patches,
	bool cageTets, uint32_t leastWords, int threads, gelBakePool* pool, gelBakeCdg* out )
{
	GEL_ASSERT( threads >= 1 );
	memset( out, 0, sizeof( *out ) );
	Packer packer = { .surface = surface, .cage = cage, .patches = patches, .threads = threads };
	packer.pool = pool;
	packer.out = out;
	const uint32_t triangleCount = surface->triangleCount, patchCount = patches->patchCount;
	out->triangleCount = triangleCount;
	out->patchCount = patchCount;
	out->cutCount = patches->cutCount;
	packer.useCount = gelBakePool_Alloc( &packer.scratch, surface->vertexCount, sizeof( uint32_t ) );
	packer.patchOf = gelBakePool_Alloc( &packer.scratch, triangleCount, sizeof( uint32_t ) );
	out->patches = gelBakePool_Alloc( pool, patchCount, sizeof( gelPackPatch ) );
	CountUses( &packer );
	uint64_t slotCapacity = (uint64_t)out->vertexCount + ( GEL_PACK_LANES - 1 ) * (uint64_t)patchCount;
	bool fits = slotCapacity <= GEL_CDG_MAX_VERTICES && triangleCount <= GEL_CDG_MAX_TRIANGLES;
	if ( fits )
	{
		AllocateScratch( &packer );
		out->cells = gelBakePool_Alloc( pool, patchCount, sizeof( gelPackCell ) );
		out->weights = gelBakePool_Alloc( pool, slotCapacity, sizeof( uint64_t ) );
		out->welds = gelBakePool_Alloc( pool, out->weldCount, sizeof( uint32_t ) );
		out->sources = gelBakePool_Alloc( pool, triangleCount, sizeof( uint32_t ) );
		packer.slotVertex = gelBakePool_Alloc( &packer.scratch, slotCapacity, sizeof( uint32_t ) );
		LayOutPatches( &packer, cageTets );
		FillPatches( &packer );
		FillWelds( &packer );
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
