// SPDX-License-Identifier: MIT
// Are the vertices of SUPP all that can be the lowest of their cell? Every vertex of a cell is held against
// the convex hull of those that are listed, by its distance in the four weights. Nothing here is shared with
// the bake, which makes the hull by facets: this is the method of Gilbert, Johnson and Keerthi (1988), which
// keeps the simplex of at most four supports that is nearest and exchanges corners until none is
// nearer.
#include "inspect/verify.h"

#include <gelpack/asserts.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 200 // the search takes ten, but for vertices that nearly lie in one plane

// The supports of a cell.
typedef struct SupportCell
{
	uint32_t count;
	uint32_t* slots;
	float ( *weights )[4];
} SupportCell;

// A support, as seen from the vertex that is held against them.
typedef struct Offset
{
	double w[4];
} Offset;

// Corners of a simplex and the weights of its point that is nearest to the origin.
typedef struct Simplex
{
	Offset corner[4];
	double share[4];
	int count;
} Simplex;

// All four weights count alike, as they do for the bake (GEL_SUPPORT_SLACK is in the same measure).
static double Dot( const Offset* a, const Offset* b )
{
	return a->w[0] * b->w[0] + a->w[1] * b->w[1] + a->w[2] * b->w[2] + a->w[3] * b->w[3];
}

// The point of the simplex that its shares name.
static Offset Mix( const Simplex* s )
{
	Offset p = { { 0.0, 0.0, 0.0, 0.0 } };
	for ( int i = 0; i < s->count; ++i )
	{
		for ( int k = 0; k < 4; ++k )
			p.w[k] += s->share[i] * s->corner[i].w[k];
	}
	return p;
}

// The point nearest to the origin of the whole plane, line or space through the corners: shares that add up
// to 1, from the normal equations of the edges at the first corner. @return false: the corners are not
// independent
static bool SolveShares( Simplex* s )
{
	GEL_ASSERT( s->count >= 1 && s->count <= 4 );
	double m[3][4];
	const int n = s->count - 1;
	Offset edge[3];
	for ( int i = 0; i < n; ++i )
	{
		for ( int k = 0; k < 4; ++k )
			edge[i].w[k] = s->corner[i + 1].w[k] - s->corner[0].w[k];
	}
	for ( int i = 0; i < n; ++i )
	{
		for ( int j = 0; j < n; ++j )
			m[i][j] = Dot( edge + i, edge + j );
		m[i][n] = -Dot( edge + i, s->corner );
	}
	for ( int i = 0; i < n; ++i ) // the matrix is positive definite: no pivots
	{
		if ( !( m[i][i] > 1e-12 * Dot( edge + i, edge + i ) ) ) return false;
		for ( int r = i + 1; r < n; ++r )
		{
			double factor = m[r][i] / m[i][i];
			for ( int c = i; c <= n; ++c )
				m[r][c] -= factor * m[i][c];
		}
	}
	s->share[0] = 1.0;
	for ( int i = n - 1; i >= 0; --i )
	{
		double value = m[i][n];
		for ( int c = i + 1; c < n; ++c )
			value -= m[i][c] * s->share[c + 1];
		s->share[i + 1] = value / m[i][i];
		s->share[0] -= s->share[i + 1];
	}
	return true;
}

// The part of a simplex whose point nearest to the origin is nearest: of all its corners, edges and faces
// that have their own inside. Slow and obvious.
static Simplex Reduce( const Simplex* s )
{
	Simplex best = { .count = 0 };
	double least = INFINITY;
	for ( int set = 1; set < 1 << s->count; ++set )
	{
		Simplex part = { .count = 0 };
		for ( int i = 0; i < s->count; ++i )
		{
			if ( ( set >> i & 1 ) != 0 ) part.corner[part.count++] = s->corner[i];
		}
		bool isInside = SolveShares( &part );
		for ( int i = 0; i < part.count && isInside; ++i )
			isInside = part.share[i] >= 0.0;
		Offset p = Mix( &part );
		if ( !isInside || Dot( &p, &p ) >= least ) continue;
		least = Dot( &p, &p );
		best = part;
	}
	return best;
}

// Distance of a vertex from the hull of the supports, in weights; not more than `slack`: whatever.
static double FindDistance( const SupportCell* s, const float w[4], double slack )
{
	GEL_ASSERT( s->count > 0 && slack >= 0.0 );
	Simplex simplex = { .count = 0 };
	Offset p = { { 0.0, 0.0, 0.0, 0.0 } };
	for ( int round = 0; round < MAX_ROUNDS; ++round )
	{
		// the one that is lowest along the way to the nearest point so far; the first at the start
		double lowest = INFINITY;
		Offset next = p;
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			Offset q;
			for ( int k = 0; k < 4; ++k )
				q.w[k] = (double)s->weights[i][k] - (double)w[k];
			if ( Dot( &p, &q ) >= lowest ) continue;
			lowest = Dot( &p, &q );
			next = q;
		}
		double square = Dot( &p, &p );
		// none is nearer by more than rounding, or it does not matter any more
		if ( round > 0 && ( square <= slack * slack || square - lowest <= 1e-9 * square ) ) break;
		simplex.corner[simplex.count++] = next;
		simplex = Reduce( &simplex );
		p = Mix( &simplex );
		if ( simplex.count == 4 ) return 0.0; // inside
	}
	return sqrt( Dot( &p, &p ) );
}

// ---- cells ----------------------------------------------------------------------------------------------

// The first support with the same weights as one before it; count: there is none.
static uint32_t FindTwin( const SupportCell* s )
{
	for ( uint32_t i = 1; i < s->count; ++i )
	{
		for ( uint32_t j = 0; j < i; ++j )
		{
			if ( memcmp( s->weights[i], s->weights[j], sizeof( s->weights[i] ) ) == 0 ) return i;
		}
	}
	return s->count;
}

// All patches of a cell share its weights, so their supports make one hull.
static void TakeSupports( const gelPackView* view, const gelPackCell* cell, SupportCell* out )
{
	out->count = 0;
	for ( uint32_t p = cell->patchFirst; p < cell->patchFirst + cell->patchCount; ++p )
	{
		const gelPackPatch* patch = view->patches + p;
		for ( uint32_t slot = patch->vertexFirst; slot < patch->vertexFirst + patch->vertexCount; ++slot )
		{
			if ( !gelSupports_Has( &view->supports, slot ) ) continue;
			out->slots[out->count] = slot;
			gelCdg_GetWeights( &view->cdg, slot, out->weights[out->count++] );
		}
	}
}

// A vertex outside of the hull by more than the slack could be lower than every support: a body would sink in
// there by that part of its cell.
static void VerifyCell(
	const gelInspectedPack* pack, uint32_t index, SupportCell* supports, gelFindings* findings )
{
	const gelPackView* view = &pack->view;
	const gelPackCell* cell = view->cells + index;
	const double slack = (double)view->supports.header->slack;
	const uint64_t at = (uint64_t)( (const uint8_t*)view->supports.bits - pack->bytes );
	TakeSupports( view, cell, supports );
	uint32_t twin = FindTwin( supports );
	if ( twin < supports->count )
	{
		gelFindings_Add( findings, gel_findingSupportWrong, pack->path,
			"section SUPP, slot %u, at byte %" PRIu64 ": cell %u has another support with the same weights",
			supports->slots[twin], at + supports->slots[twin] / 8, index );
		return;
	}
	for ( uint32_t p = cell->patchFirst; p < cell->patchFirst + cell->patchCount; ++p )
	{
		const gelPackPatch* patch = view->patches + p;
		for ( uint32_t slot = patch->vertexFirst; slot < patch->vertexFirst + patch->vertexCount; ++slot )
		{
			float w[4];
			gelCdg_GetWeights( &view->cdg, slot, w );
			double distance = FindDistance( supports, w, slack );
			if ( distance <= slack + 1e-9 ) continue;
			gelFindings_Add( findings, gel_findingSupportWrong, pack->path,
				"section SUPP, slot %u, at byte %" PRIu64
				": it is %.3g of cell %u away from the hull of the supports, %.3g are allowed",
				slot, at + slot / 8, distance, index, slack );
			return; // one per cell is enough
		}
	}
}

void gelVerifySupports( const gelInspectedPack* pack, gelFindings* findings )
{
	const gelPackView* view = &pack->view;
	if ( view->supports.header == NULL ) return;
	const size_t most = view->header->cdgVertexCount;
	SupportCell supports = { 0, malloc( most * sizeof( uint32_t ) ), malloc( most * sizeof( float[4] ) ) };
	if ( supports.slots == NULL || supports.weights == NULL )
		gelFindings_Add(
			findings, gel_findingNoMemory, pack->path, "there is no memory for %zu vertices", most );
	else
	{
		for ( uint32_t i = 0; i < view->header->cdgTetCount; ++i )
			VerifyCell( pack, i, &supports, findings );
	}
	free( supports.slots );
	free( supports.weights );
}
