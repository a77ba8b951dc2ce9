// SPDX-License-Identifier: MIT
#include "cell_search.h"

#include <stdio.h>
#include <stdlib.h>

#define GEL_MAX_EVALUATIONS 12

// Three significant decimal digits.
static double RoundCell( double cell )
{
	char text[32];
	snprintf( text, sizeof text, "%.2e", cell );
	return strtod( text, NULL );
}

// First guess: tets of the volume plus those of a layer along the surface, 5 V / h^3 + 6 A / h^2 = N. The
// factor of the area is the mean over the test shapes; the search corrects it.
static double FirstCell( const gelSurface* surface, double target )
{
	double volume = surface->closed ? fabs( surface->signedVolume ) : 0.0;
	gelDvec size = gelDvec_Sub( surface->box.max, surface->box.min );
	double high = fmax( gelDvec_Length( size ), 1e-30 ), low = 1e-6 * high;
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
static double SmallestCell( const gelDbox* box, uint64_t maxCells )
{
	gelDvec size = gelDvec_Sub( box->max, box->min );
	double high = fmax( gelDvec_Length( size ), 1e-30 ), low = 1e-6 * high;
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

static double Miss( uint32_t count, uint32_t target )
{
	return fabs( (double)count - (double)target );
}

// Classifies at a cell size and keeps the result if it is the best so far. @return the number of kept tets
static uint32_t Evaluate(
	gelCellSearch* best, const gelSurfaceTree* tree, double cell, uint32_t target, int threads )
{
	best->evaluations += 1;
	gelLattice lattice;
	if ( !gelMakeLattice( &tree->surface->box, cell, &lattice ) ) return 0;
	gelClassification classes = gelClassify( &lattice, tree, threads );
	uint32_t count = classes.internal + classes.piercing;
	double miss = Miss( count, target ), bestMiss = Miss( best->tets, target );
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

// The kept count falls with the cell size, but not strictly: the bracket only guides the next guess, and the
// best of all that were seen is taken; between equals the larger cell.
gelCellSearch gelFindCell( const gelSurfaceTree* tree, uint32_t targetTets, int threads )
{
	gelCellSearch best = { 0 };
	const gelDbox* box = &tree->surface->box;
	double smallest = SmallestCell( box, GEL_GRID_MAX_CELLS );
	// A guess from the area alone is far too small for needles and ribbons; a grid of few cells comes first
	// there.
	double coarse = SmallestCell( box, 2000 + 20 * (uint64_t)targetTets );
	double low = 0.0, high = INFINITY; // cells with too many and with too few tets
	double cell = fmax( FirstCell( tree->surface, targetTets ), coarse );
	cell = RoundCell( fmax( cell, 1.001 * smallest ) );
	while ( best.evaluations < GEL_MAX_EVALUATIONS )
	{
		uint32_t count = Evaluate( &best, tree, cell, targetTets, threads );
		if ( count > 0 && Miss( count, targetTets ) <= 0.02 * targetTets ) break;
		if ( count > targetTets )
			low = fmax( low, cell );
		else
			high = fmin( high, cell );

		// Between a layer (h^-2) and a volume (h^-3).
		double next = cell * pow( fmax( count, 1.0 ) / targetTets, 1.0 / 2.4 );
		next = fmin( fmax( next, 0.4 * cell ), 2.5 * cell );
		if ( !( next > low && next < high ) )
			next = low == 0.0 ? 0.5 * high : high == INFINITY ? 2.0 * low : sqrt( low * high );
		next = RoundCell( fmax( next, 1.001 * smallest ) );
		if ( next == cell || next == low || next == high ) break;
		cell = next;
	}
	return best;
}

void gelFreeCellSearch( gelCellSearch* search )
{
	gelFreeLattice( &search->lattice );
	gelFreeClassification( &search->classes );
	*search = ( gelCellSearch ){ 0 };
}
