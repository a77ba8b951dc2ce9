// SPDX-License-Identifier: MIT
#include "classify.h"

#include "tri_box.h"
#include "tri_tri.h"

#include <stdlib.h>

// Cells [low, high) per axis.
typedef struct CellRange
{
	uint32_t low[3], high[3];
} CellRange;

typedef struct PiercingPass
{
	const gelLattice* lattice;
	const gelDvec* corners; // of the triangle
	gelTriangleFrame frame;
	uint8_t* classes;
} PiercingPass;

// Several threads may find the same tet; all write the same value, so the order cannot matter.
static bool IsMarked( const uint8_t* flag )
{
	return __atomic_load_n( flag, __ATOMIC_RELAXED ) != gel_tetUnknown;
}

static void Mark( uint8_t* flag )
{
	__atomic_store_n( flag, (uint8_t)gel_tetPiercing, __ATOMIC_RELAXED );
}

// Closed cells that touch [low, high] along an axis, by comparison with the lattice planes themselves.
static void AxisRange( const gelLattice* lattice, int axis, double low, double high, CellRange* range )
{
	const double* x = lattice->coord[axis];
	uint32_t count = lattice->count[axis];
	double guess = floor( ( low - x[0] ) / lattice->cell );
	uint32_t first = guess > 0.0 ? ( guess < count ? (uint32_t)guess : count - 1 ) : 0;
	while ( first > 0 && x[first] >= low )
		first -= 1;
	while ( first + 1 < count && x[first + 1] < low )
		first += 1;
	uint32_t end = first + 1;
	while ( end < count && x[end] <= high )
		end += 1;
	range->low[axis] = first;
	range->high[axis] = end;
}

static void TestCell( const PiercingPass* pass, uint32_t i, uint32_t j, uint32_t k )
{
	const gelLattice* lattice = pass->lattice;
	uint32_t cell = i + lattice->count[0] * ( j + lattice->count[1] * k );
	for ( uint32_t tet = 5 * cell; tet < 5 * cell + 5; ++tet )
	{
		if ( IsMarked( pass->classes + tet ) ) continue;
		gelDvec points[4];
		gelLattice_TetPoints( lattice, tet, points );
		if ( gelTriangleMeetsTet( pass->corners, points ) ) Mark( pass->classes + tet );
	}
}

static bool MayMeetRange( const PiercingPass* pass, const CellRange* r )
{
	double* const* c = pass->lattice->coord;
	gelDbox box = { { c[0][r->low[0]], c[1][r->low[1]], c[2][r->low[2]] },
		{ c[0][r->high[0]], c[1][r->high[1]], c[2][r->high[2]] } };
	return gelTriangleMayMeetBox( &pass->frame, &box );
}

// Halves a range of cells until single cells are left: a large triangle costs about as much as the cells that
// it really crosses, not as the cells of its box.
static void VisitRange( const PiercingPass* pass, const CellRange* range )
{
	int axis = 0;
	uint32_t widest = 0;
	for ( int a = 0; a < 3; ++a )
	{
		uint32_t width = range->high[a] - range->low[a];
		if ( width > widest ) widest = width, axis = a;
	}
	if ( widest == 1 )
	{
		TestCell( pass, range->low[0], range->low[1], range->low[2] );
		return;
	}
	CellRange lower = *range, upper = *range;
	lower.high[axis] = upper.low[axis] = range->low[axis] + widest / 2;
	if ( MayMeetRange( pass, &lower ) ) VisitRange( pass, &lower );
	if ( MayMeetRange( pass, &upper ) ) VisitRange( pass, &upper );
}

static void MarkTriangle( const gelLattice* lattice, const gelDvec* corners, uint8_t* classes )
{
	PiercingPass pass = { .lattice = lattice, .corners = corners, .classes = classes };
	gelDbox box = gelDbox_Empty();
	for ( int i = 0; i < 3; ++i )
		gelDbox_AddPoint( &box, corners[i] );
	CellRange range;
	AxisRange( lattice, 0, box.min.x, box.max.x, &range );
	AxisRange( lattice, 1, box.min.y, box.max.y, &range );
	AxisRange( lattice, 2, box.min.z, box.max.z, &range );
	uint32_t cells = 1;
	for ( int axis = 0; axis < 3; ++axis )
		cells *= range.high[axis] - range.low[axis];
	if ( cells == 1 )
	{
		TestCell( &pass, range.low[0], range.low[1], range.low[2] );
		return;
	}
	pass.frame = gelMakeTriangleFrame( corners );
	VisitRange( &pass, &range );
}

static void MarkPiercing(
	const gelLattice* lattice, const gelSurfaceTree* tree, int threads, uint8_t* classes )
{
	(void)threads;
#pragma omp parallel for schedule( dynamic, 1024 ) num_threads( threads )
	for ( int64_t i = 0; i < (int64_t)tree->slotCount; ++i )
		MarkTriangle( lattice, tree->corners + 3 * i, classes );
}

static gelDvec TetCentre( const gelLattice* lattice, uint32_t tet )
{
	gelDvec p[4];
	gelLattice_TetPoints( lattice, tet, p );
	return gelDvec_Mul( 0.25, gelDvec_Add( gelDvec_Add( p[0], p[1] ), gelDvec_Add( p[2], p[3] ) ) );
}

typedef struct Flood
{
	const gelLattice* lattice;
	const gelSurfaceTree* tree;
	uint8_t* classes;
	uint32_t* queue; // tets of the component
	uint32_t count;
	bool reachesBorder;
} Flood;

static void Visit( Flood* flood, uint32_t tet )
{
	flood->classes[tet] = gel_tetExternal;
	flood->queue[flood->count++] = tet;
}

// Collects the component of a tet and labels it External for now.
static void CollectComponent( Flood* flood, uint32_t seed )
{
	flood->count = 0;
	flood->reachesBorder = false;
	Visit( flood, seed );
	for ( uint32_t at = 0; at < flood->count; ++at )
	{
		for ( int face = 0; face < 4; ++face )
		{
			uint32_t next = gelLattice_Neighbour( flood->lattice, flood->queue[at], face );
			if ( next == GEL_NO_TET )
				flood->reachesBorder = true;
			else if ( flood->classes[next] == gel_tetUnknown )
				Visit( flood, next );
		}
	}
}

static void LabelClosed( const Flood* flood )
{
	// Outside the box the winding number is zero; a component that reaches the border needs no sample.
	if ( flood->reachesBorder ||
		!gelSurfaceTree_IsInside( flood->tree, TetCentre( flood->lattice, flood->queue[0] ) ) )
		return;
	for ( uint32_t i = 0; i < flood->count; ++i )
		flood->classes[flood->queue[i]] = gel_tetInternal;
}

// Each tet by its own winding number: a flood would run out of the body through one large hole.
static void LabelOpen( const Flood* flood, int threads, gelClassification* out )
{
	(void)threads;
#pragma omp parallel for schedule( dynamic, 64 ) num_threads( threads )
	for ( int64_t i = 0; i < (int64_t)flood->count; ++i )
	{
		uint32_t tet = flood->queue[i];
		bool inside = gelSurfaceTree_IsInside( flood->tree, TetCentre( flood->lattice, tet ) );
		flood->classes[tet] = inside ? gel_tetInternal : gel_tetExternal;
	}
	for ( uint32_t i = 1; i < flood->count; ++i )
	{
		if ( flood->classes[flood->queue[i]] == flood->classes[flood->queue[0]] ) continue;
		if ( out->leaks == 0 ) out->firstLeak = TetCentre( flood->lattice, flood->queue[i] );
		out->leaks += 1;
		return;
	}
}

gelClassification gelClassify( const gelLattice* lattice, const gelSurfaceTree* tree, int threads )
{
	uint32_t count = gelLattice_TetCount( lattice );
	gelClassification out = { .classes = gelTetAlloc( count, 1 ) };
	MarkPiercing( lattice, tree, threads, out.classes );

	Flood flood = { .lattice = lattice, .tree = tree, .classes = out.classes };
	flood.queue = gelTetAlloc( count, sizeof( uint32_t ) );
	for ( uint32_t tet = 0; tet < count; ++tet )
	{
		if ( out.classes[tet] != gel_tetUnknown ) continue;
		CollectComponent( &flood, tet );
		if ( tree->surface->closed )
			LabelClosed( &flood );
		else
			LabelOpen( &flood, threads, &out );
		out.components += 1;
	}
	free( flood.queue );

	for ( uint32_t tet = 0; tet < count; ++tet )
	{
		out.external += out.classes[tet] == gel_tetExternal;
		out.internal += out.classes[tet] == gel_tetInternal;
		out.piercing += out.classes[tet] == gel_tetPiercing;
	}
	return out;
}

void gelFreeClassification( gelClassification* classification )
{
	free( classification->classes );
	*classification = ( gelClassification ){ 0 };
}
