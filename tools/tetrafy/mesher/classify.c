// SPDX-License-Identifier: MIT
// Three steps:
//     1. Every tet that meets a triangle of the surface is Piercing. Touching counts: a cage that is too
//     large
//        by a tet is right, one that is too small is not.
//     2. The others fall apart into sets joined by faces. None of their faces meets the surface, so no set
//        crosses it.
//     3. A closed surface has one winding number per set: one sample decides. An open one decides tet by tet.
//
// Marking is nearly all of the time (a few lattices of the search times all triangles). It goes triangle by
// triangle over the tree of the surface, and most of it is left out: once a cell's tets are marked, nothing
// behind a box that lies in such cells needs to be opened.
#include "tetrafy/mesher/classify.h"

#include "tetrafy/geometry/tet_memory.h"
#include "tetrafy/geometry/tri_box.h"
#include "tetrafy/geometry/tri_tri.h"

#include <gelpack/asserts.h>

#include <stdlib.h>

// What is clear in cell coordinates: far above their rounding errors, which stay below 2^-52 times coordinate
// over cell size. Lattices whose cells are so small that this does not hold (pass->blurred) use exact tests
// only.
#define GEL_CLEARLY 1e-6

// Subtrees of at most this many nodes are the pieces of work of the threads; many more than threads.
#define GEL_SUBTREE_NODES 512u

// Boxes over more cells than this are not worth a look of their own.
#define GEL_LOOK_CELLS 8u

// Cells [low, high) per axis.
typedef struct CellRange
{
	uint32_t low[3], high[3];
} CellRange;

typedef struct PiercingPass
{
	const gelLattice* lattice;
	const gelVec3d* corners; // corners of the triangle
	gelTriangleFrame frame;
	uint8_t* classes;
	double invCell; // [1/m]
	bool blurred;
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
static void AxisRange( const PiercingPass* pass, int axis, double low, double high, CellRange* range )
{
	GEL_ASSERT( axis >= 0 && axis < 3 );
	const double* x = pass->lattice->coord[axis];
	uint32_t count = pass->lattice->count[axis];
	double guess = ( low - x[0] ) * pass->invCell; // truncated below; the planes themselves decide
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

// Distances of the triangle's corners from the four cut-off corners of a cell, in units of the cell.
typedef struct CellView
{
	double sums[4][3]; // [corner tet][vertex]
	bool inside[3];    // vertices clearly in the cell
} CellView;

// Manhattan distances of the vertices from the four corners: a corner tet is the set of points in the cell
// with a sum of at most 1, the center tet the set with all four sums of at least 1.
static CellView ViewFromCell( const PiercingPass* pass, uint32_t i, uint32_t j, uint32_t k )
{
	double* const* c = pass->lattice->coord;
	const uint8_t* codes = gelLattice_CornerCodes( i, j, k );
	double sx = 1.0 / ( c[0][i + 1] - c[0][i] ), sy = 1.0 / ( c[1][j + 1] - c[1][j] );
	double sz = 1.0 / ( c[2][k + 1] - c[2][k] );
	CellView view;
	for ( int v = 0; v < 3; ++v )
	{
		double x = ( pass->corners[v].x - c[0][i] ) * sx, y = ( pass->corners[v].y - c[1][j] ) * sy;
		double z = ( pass->corners[v].z - c[2][k] ) * sz;
		double low = gelMinDouble( x, gelMinDouble( y, z ) ), high = gelMaxDouble( x, gelMaxDouble( y, z ) );
		view.inside[v] = low > GEL_CLEARLY && high < 1.0 - GEL_CLEARLY;
		for ( int t = 0; t < 4; ++t )
		{
			double sum = codes[t] & 1 ? 1.0 - x : x;
			sum += codes[t] & 2 ? 1.0 - y : y;
			view.sums[t][v] = sum + ( codes[t] & 4 ? 1.0 - z : z );
		}
	}
	return view;
}

typedef enum Verdict
{
	verdictUnclear,
	verdictMeets,
	verdictApart,
} Verdict;

// A vertex clearly in the cell and clearly inside the cutting plane is in the tet. All three beyond the
// plane: apart, since tet and triangle are convex. What is left (a triangle that reaches in from another
// cell, or lies within rounding of the plane) is for the exact test.
static Verdict JudgeCornerTet( const CellView* view, int t )
{
	const double* s = view->sums[t];
	for ( int v = 0; v < 3; ++v )
		if ( view->inside[v] && s[v] < 1.0 - GEL_CLEARLY ) return verdictMeets;
	return gelMinDouble( s[0], gelMinDouble( s[1], s[2] ) ) > 1.0 + GEL_CLEARLY ? verdictApart
																				: verdictUnclear;
}

// The other way round: cut off by one corner's plane as a whole means apart, one vertex in the cell and
// beyond all four planes means inside.
static Verdict JudgeCenterTet( const CellView* view )
{
	for ( int t = 0; t < 4; ++t )
	{
		const double* s = view->sums[t];
		if ( gelMaxDouble( s[0], gelMaxDouble( s[1], s[2] ) ) < 1.0 - GEL_CLEARLY ) return verdictApart;
	}
	for ( int v = 0; v < 3; ++v )
	{
		double a = gelMinDouble( view->sums[0][v], view->sums[1][v] ),
			   b = gelMinDouble( view->sums[2][v], view->sums[3][v] );
		if ( view->inside[v] && gelMinDouble( a, b ) > 1.0 + GEL_CLEARLY ) return verdictMeets;
	}
	return verdictUnclear;
}

// Most pairs are decided by a look in cell coordinates; what is close goes to the exact test.
static void TestCell( const PiercingPass* pass, uint32_t i, uint32_t j, uint32_t k )
{
	const gelLattice* lattice = pass->lattice;
	uint32_t first = 5 * ( i + lattice->count[0] * ( j + lattice->count[1] * k ) );
	uint8_t* classes = pass->classes + first;
	bool all = true;
	for ( int t = 0; t < 5; ++t )
		all = all && IsMarked( classes + t );
	if ( all ) return;
	CellView view = ViewFromCell( pass, i, j, k );
	for ( int t = 0; t < 5; ++t )
	{
		if ( IsMarked( classes + t ) ) continue;
		Verdict verdict = pass->blurred ? verdictUnclear
			: t < 4                     ? JudgeCornerTet( &view, t )
										: JudgeCenterTet( &view );
		if ( verdict == verdictApart ) continue;
		gelVec3d points[4];
		gelLattice_TetPoints( lattice, first + (uint32_t)t, points );
		if ( verdict == verdictMeets || gelTriangleMeetsTet( pass->corners, points ) ) Mark( classes + t );
	}
}

// A closed box of cells against the triangle, conservatively: "may" is never wrong.
static bool MayMeetRange( const PiercingPass* pass, const CellRange* r )
{
	double* const* c = pass->lattice->coord;
	gelBox3d box = { { c[0][r->low[0]], c[1][r->low[1]], c[2][r->low[2]] },
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

// Cells that a box touches. @return how many
static uint64_t CellsOfBox( const PiercingPass* pass, const gelBox3d* box, CellRange* range )
{
	AxisRange( pass, 0, box->min.x, box->max.x, range );
	AxisRange( pass, 1, box->min.y, box->max.y, range );
	AxisRange( pass, 2, box->min.z, box->max.z, range );
	uint64_t cells = 1;
	for ( int axis = 0; axis < 3; ++axis )
		cells *= range->high[axis] - range->low[axis];
	return cells;
}

static void MarkTriangle( PiercingPass* pass, const gelVec3d* corners )
{
	pass->corners = corners;
	gelBox3d box = gelBox3d_Empty();
	for ( int i = 0; i < 3; ++i )
		gelBox3d_AddPoint( &box, corners[i] );
	CellRange range;
	if ( CellsOfBox( pass, &box, &range ) == 1 )
	{
		TestCell( pass, range.low[0], range.low[1], range.low[2] );
		return;
	}
	pass->frame = gelMakeTriangleFrame( corners );
	VisitRange( pass, &range );
}

// Part of the box [low, high] along one axis that is in a cell, in cell coordinates from 0 to 1.
typedef struct Span
{
	double low, high;
} Span;

static Span SpanInCell( const double* planes, uint32_t at, double low, double high )
{
	double scale = 1.0 / ( planes[at + 1] - planes[at] );
	return ( Span ){ gelMaxDouble( 0.0, ( low - planes[at] ) * scale ),
		gelMinDouble( 1.0, ( high - planes[at] ) * scale ) };
}

// Is every tet of the cell marked, or clearly apart from the part of the box that is in the cell?
// Only box against tets, so that the verdict holds for every triangle of a subtree at once.
static bool CellIsSettled( const PiercingPass* pass, const gelBox3d* box, uint32_t i, uint32_t j, uint32_t k )
{
	const gelLattice* lattice = pass->lattice;
	const uint8_t* classes = pass->classes + 5 * ( i + lattice->count[0] * ( j + lattice->count[1] * k ) );
	unsigned missing = 0;
	for ( int t = 0; t < 5; ++t )
		missing |= (unsigned)!IsMarked( classes + t ) << t;
	if ( missing == 0 ) return true;
	Span x = SpanInCell( lattice->coord[0], i, box->min.x, box->max.x );
	Span y = SpanInCell( lattice->coord[1], j, box->min.y, box->max.y );
	Span z = SpanInCell( lattice->coord[2], k, box->min.z, box->max.z );
	const uint8_t* codes = gelLattice_CornerCodes( i, j, k );
	bool cutOff = false; // by one corner tet: apart from the center tet
	for ( int t = 0; t < 4; ++t )
	{
		double low = codes[t] & 1 ? 1.0 - x.high : x.low, high = codes[t] & 1 ? 1.0 - x.low : x.high;
		low += codes[t] & 2 ? 1.0 - y.high : y.low, high += codes[t] & 2 ? 1.0 - y.low : y.high;
		low += codes[t] & 4 ? 1.0 - z.high : z.low, high += codes[t] & 4 ? 1.0 - z.low : z.high;
		if ( ( missing >> t & 1 ) != 0 && low <= 1.0 + GEL_CLEARLY ) return false;
		cutOff = cutOff || high < 1.0 - GEL_CLEARLY;
	}
	return ( missing >> 4 ) == 0 || cutOff;
}

// Can nothing in the box mark another tet? Most subtrees end here: a cell needs few triangles to be marked.
static bool BoxIsSettled( const PiercingPass* pass, const gelBox3d* box )
{
	CellRange range;
	if ( pass->blurred || CellsOfBox( pass, box, &range ) > GEL_LOOK_CELLS ) return false;
	for ( uint32_t k = range.low[2]; k < range.high[2]; ++k )
		for ( uint32_t j = range.low[1]; j < range.high[1]; ++j )
			for ( uint32_t i = range.low[0]; i < range.high[0]; ++i )
				if ( !CellIsSettled( pass, box, i, j, k ) ) return false;
	return true;
}

// Boxes are looked at again on the way down: meanwhile earlier triangles of the subtree, or another thread,
// have marked more cells. Whether a thread sees the other's marks changes only how much it skips, never what
// is marked in the end.
static void MarkSubtree( PiercingPass* pass, const gelSurfaceTree* tree, uint32_t root )
{
	for ( uint32_t at = root; at < tree->nodes[root].skip; )
	{
		const gelTreeNode* node = tree->nodes + at;
		bool isMissed = BoxIsSettled( pass, &node->box );
		at = isMissed ? node->skip : at + 1;
		if ( isMissed ) continue;
		for ( uint32_t i = node->first; i < node->first + node->count; ++i )
			MarkTriangle( pass, tree->corners + 3 * (size_t)i );
	}
}

static void MarkPiercing(
	const gelLattice* lattice, const gelSurfaceTree* tree, int threads, uint8_t* classes )
{
	GEL_ASSERT( threads >= 1 );
	(void)threads;
	// Cell coordinates lose their meaning when a cell is as small as the rounding of the art's coordinates,
	// far from the origin: cells of 1e-8 of the coordinates have errors of 2^-52 * 1e8 = 2e-8, well below
	// GEL_CLEARLY.
	const gelBox3d* box = &tree->surface->box;
	gelVec3d size = gelMaxVec3d( gelScaleD( -1.0, box->min ), box->max );
	PiercingPass pass = { .lattice = lattice, .classes = classes, .invCell = 1.0 / lattice->cell };
	pass.blurred = lattice->cell < 1e-8 * gelMaxDouble( size.x, gelMaxDouble( size.y, size.z ) );
	uint32_t* roots = gelTetAlloc( tree->nodeCount, sizeof( uint32_t ) );
	int64_t rootCount = 0;
	for ( uint32_t at = 0; at < tree->nodeCount; )
	{
		bool small = tree->nodes[at].skip - at <= GEL_SUBTREE_NODES;
		if ( small ) roots[rootCount++] = at;
		at = small ? tree->nodes[at].skip : at + 1;
	}
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( threads ) firstprivate( pass )
	for ( int64_t i = 0; i < rootCount; ++i )
		MarkSubtree( &pass, tree, roots[i] );
	free( roots );
}

// Any inner point would do; the center is farthest from the faces, and so from the surface beside the tet,
// where far-field winding numbers are least exact.
static gelVec3d TetCenter( const gelLattice* lattice, uint32_t tet )
{
	gelVec3d p[4];
	gelLattice_TetPoints( lattice, tet, p );
	return gelScaleD( 0.25, gelAddD( gelAddD( p[0], p[1] ), gelAddD( p[2], p[3] ) ) );
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
	GEL_ASSERT( tet < gelLattice_TetCount( flood->lattice ) );
	flood->classes[tet] = gel_tetExternal;
	flood->queue[flood->count++] = tet;
}

// Collects the component of a tet and labels it External for now.
// External is also the mark "seen" of the flood; what turns out to be inside is relabelled.
static void CollectComponent( Flood* flood, uint32_t seed )
{
	flood->count = 0;
	flood->reachesBorder = false;
	Visit( flood, seed );
	for ( uint32_t at = 0; at < flood->count; ++at )
	{
		for ( int face = 0; face < 4; ++face )
		{
			uint32_t next = gelLattice_Neighbor( flood->lattice, flood->queue[at], face );
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
		!gelSurfaceTree_IsInside( flood->tree, TetCenter( flood->lattice, flood->queue[0] ) ) )
		return;
	for ( uint32_t i = 0; i < flood->count; ++i )
		flood->classes[flood->queue[i]] = gel_tetInternal;
}

// Each tet by its own winding number: a flood would run out of the body through one large hole.
static void LabelOpen( const Flood* flood, int threads, gelClassification* out )
{
	GEL_ASSERT( threads >= 1 );
	(void)threads;
#pragma omp parallel for schedule( dynamic, 64 ) num_threads( threads )
	for ( int64_t i = 0; i < (int64_t)flood->count; ++i )
	{
		uint32_t tet = flood->queue[i];
		bool inside = gelSurfaceTree_IsInside( flood->tree, TetCenter( flood->lattice, tet ) );
		flood->classes[tet] = inside ? gel_tetInternal : gel_tetExternal;
	}
	// The first tet that disagrees with the seed is the place to tell: the queue is in order of distance from
	// the seed, so that the change of sides is near it.
	for ( uint32_t i = 1; i < flood->count; ++i )
	{
		if ( flood->classes[flood->queue[i]] == flood->classes[flood->queue[0]] ) continue;
		if ( out->leaks == 0 ) out->firstLeak = TetCenter( flood->lattice, flood->queue[i] );
		out->leaks += 1;
		return;
	}
}

gelClassification gelClassify( const gelLattice* lattice, const gelSurfaceTree* tree, int threads )
{
	GEL_ASSERT( threads > 0 );
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
