// SPDX-License-Identifier: MIT
// The number of kept tets is a step function of the cell size, nearly but not quite falling, and each look at
// it is a whole classification. So: a guess from volume and area, steps along the power law that counts
// follow, a bracket for safety, at most a dozen looks, and the best of all of them. Then the same at the best
// of four places of the lattice.
#include "tetrafy/mesher/cell_search.h"

#include <gelpack/asserts.h>

#include <stdio.h>
#include <stdlib.h>

#define GEL_MAX_EVALUATIONS 12

typedef struct Search
{
	const gelSurfaceTree* tree;
	uint32_t target;
	int threads;
	double smallest; // cell that the limit of the grid allows [m]
} Search;

// Three significant decimal digits.
static double RoundCell( double cell )
{
	GEL_ASSERT( cell > 0.0 );
	char text[32];
	snprintf( text, sizeof text, "%.2e", cell );
	return strtod( text, NULL );
}

// First guess: tets of the volume plus those of a layer along the surface, 5 V / h^3 + 6 A / h^2 = N. The
// factor of the area is the mean over the test shapes; the search corrects it.
static double FirstCell( const gelSurface* surface, double target )
{
	GEL_ASSERT( target > 0.0 );
	double volume = surface->closed ? fabs( surface->signedVolume ) : 0.0;
	gelVec3d size = gelSubD( surface->box.max, surface->box.min );
	double high = fmax( gelLengthD( size ), 1e-30 ), low = 1e-6 * high;
	// Bisection of the logarithm; the left side falls strictly with h, and 60 halvings of a range of 1e6
	// exhaust a double.
	for ( int i = 0; i < 60; ++i )
	{
		double middle = sqrt( low * high );
		double tets = 5.0 * volume / ( middle * middle * middle ) + 6.0 * surface->area / ( middle * middle );
		if ( tets > target )
			low = middle;
		else
			high = middle;
	}
	return high;
}

// The smallest cell that keeps the grid within a number of cells.
static double SmallestCell( const gelBox3d* box, uint64_t maxCells )
{
	GEL_ASSERT( maxCells > 0 );
	gelVec3d size = gelSubD( box->max, box->min );
	double high = fmax( gelLengthD( size ), 1e-30 ), low = 1e-6 * high;
	for ( int i = 0; i < 50; ++i )
	{
		double middle = sqrt( low * high );
		if ( gelLattice_CellsNeeded( box, middle ) > maxCells )
			low = middle;
		else
			high = middle;
	}
	return high;
}

double gelSmallestCell( const gelBox3d* box )
{
	// A hair larger, so that rounding to three digits does not fall below the limit again and fail.
	return 1.001 * SmallestCell( box, GEL_GRID_MAX_CELLS );
}

static double Miss( uint32_t count, uint32_t target )
{
	return fabs( (double)count - (double)target );
}

// Classifies at a cell size and keeps the result if it is the best so far. @return the number of kept tets
static uint32_t Evaluate( gelCellSearch* best, const Search* search, double cell, int shift )
{
	GEL_ASSERT( cell > 0.0 && shift >= 0 );
	best->evaluations += 1;
	gelLattice lattice;
	if ( !gelMakeLattice( &search->tree->surface->box, cell, shift, &lattice ) ) return 0;
	gelClassification classes = gelClassify( &lattice, search->tree, search->threads );
	// Ties go to the larger cell: the same number of tets from fewer, better filled cells.
	uint32_t count = classes.internal + classes.piercing;
	double miss = Miss( count, search->target ), bestMiss = Miss( best->tets, search->target );
	if ( best->cell == 0.0 || miss < bestMiss || ( miss == bestMiss && cell > best->cell ) )
	{
		gelFreeLattice( &best->lattice );
		gelFreeClassification( &best->classes );
		best->cell = cell;
		best->tets = count;
		best->lattice = lattice;
		best->classes = classes;
		return count;
	}
	gelFreeLattice( &lattice );
	gelFreeClassification( &classes );
	return count;
}

// Between a layer (h^-2) and a volume (h^-3).
static double ScaledCell( double cell, uint32_t count, uint32_t target )
{
	GEL_ASSERT( cell > 0.0 && target > 0 );
	// Steps are limited, because the law is poor far away from the present size.
	double next = cell * pow( fmax( count, 1.0 ) / target, 1.0 / 2.4 );
	return fmin( fmax( next, 0.4 * cell ), 2.5 * cell );
}

// The kept count falls with the cell size, but not strictly: the bracket only guides the next guess, and the
// best of all that were seen is taken; between equals the larger cell.
static void SearchCells(
	gelCellSearch* best, const Search* search, double cell, int shift, int maxEvaluations )
{
	double low = 0.0, high = INFINITY; // cells with too many and with too few tets
	cell = RoundCell( fmax( cell, search->smallest ) );
	for ( int i = 0; i < maxEvaluations; ++i )
	{
		uint32_t count = Evaluate( best, search, cell, shift );
		if ( count > 0 && Miss( count, search->target ) <= 0.02 * search->target ) break;
		if ( count > search->target )
			low = fmax( low, cell );
		else
			high = fmin( high, cell );
		double next = ScaledCell( cell, count, search->target );
		if ( !( next > low && next < high ) )
			next = low == 0.0 ? 0.5 * high : high == INFINITY ? 2.0 * low : sqrt( low * high );
		next = RoundCell( fmax( next, search->smallest ) );
		if ( next == cell || next == low || next == high ) break;
		cell = next;
	}
}

// The place of the lattice that keeps the fewest tets at one cell size. The fewer, the smaller are the cells
// for the same number of tets, and the tighter is the cage: the volume falls by 3 to 6 percent.
static int BestShift( gelCellSearch* found, const Search* search, uint32_t* outCount )
{
	int bestShift = 0;
	*outCount = found->tets;
	for ( int shift = 1; shift < GEL_LATTICE_SHIFTS; ++shift )
	{
		gelLattice lattice;
		if ( !gelMakeLattice( &search->tree->surface->box, found->cell, shift, &lattice ) ) continue;
		gelClassification classes = gelClassify( &lattice, search->tree, search->threads );
		uint32_t count = classes.internal + classes.piercing;
		found->evaluations += 1;
		if ( count < *outCount )
		{
			*outCount = count;
			bestShift = shift;
		}
		gelFreeClassification( &classes );
		gelFreeLattice( &lattice );
	}
	return bestShift;
}

gelCellSearch gelFindCell( const gelSurfaceTree* tree, uint32_t targetTets, int threads )
{
	GEL_ASSERT( targetTets > 0 && threads > 0 );
	const gelBox3d* box = &tree->surface->box;
	Search search = { .tree = tree, .target = targetTets, .threads = threads };
	search.smallest = gelSmallestCell( box );
	// A guess from the area alone is far too small for needles and ribbons; a grid of few cells comes first
	// there.
	double coarse = SmallestCell( box, 2000 + 20 * (uint64_t)targetTets );
	gelCellSearch found = { 0 };
	if ( gelLengthD( gelSubD( box->max, box->min ) ) == 0.0 ) return found;
	SearchCells(
		&found, &search, fmax( FirstCell( tree->surface, targetTets ), coarse ), 0, GEL_MAX_EVALUATIONS );
	uint32_t count = 0;
	int shift = found.cell > 0.0 ? BestShift( &found, &search, &count ) : 0;
	if ( shift == 0 ) return found;

	gelCellSearch better = { .evaluations = found.evaluations };
	SearchCells(
		&better, &search, ScaledCell( found.cell, count, targetTets ), shift, GEL_MAX_EVALUATIONS / 2 );
	// The other place has to be at least as near to the target, or near enough.
	double miss = Miss( better.tets, targetTets );
	// Without the allowance of 5 % a place that is tighter by far would be given up for three tets of
	// difference.
	bool good = miss <= fmax( 0.05 * targetTets, Miss( found.tets, targetTets ) );
	found.evaluations = better.evaluations;
	gelFreeCellSearch( better.cell > 0.0 && good ? &found : &better );
	return better.cell > 0.0 ? better : found;
}

void gelFreeCellSearch( gelCellSearch* search )
{
	gelFreeLattice( &search->lattice );
	gelFreeClassification( &search->classes );
	*search = ( gelCellSearch ){ 0 };
}
