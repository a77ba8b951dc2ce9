// SPDX-License-Identifier: MIT
#include "contact/particles/particle_grid.h"

#include <string.h>

// Number of its own cell among the 27 around an ellipsoid.
#define GEL_MIDDLE_CELL 13

// Cells are numbered from minus this to this along an axis, 2^61.
#define GEL_LAST_CELL 2305843009213693952.0

static uint32_t CountBuckets( int ellipsoidCount )
{
	uint32_t count = 64;
	while ( count < 2u * (uint32_t)ellipsoidCount )
		count *= 2;
	return count;
}

gelEllipsoidGrid gelEllipsoidGrid_LayOut( gelArena* arena, int capacity )
{
	GEL_ASSERT( capacity >= 0 );
	gelEllipsoidGrid grid = { .capacity = capacity, .bucketCount = CountBuckets( capacity ) };
	grid.cells = gelArena_Take( arena, (size_t)capacity, sizeof( gelEllipsoidCell ) );
	grid.starts = gelArena_Take( arena, (size_t)grid.bucketCount + 1, sizeof( uint32_t ) );
	grid.members = gelArena_Take( arena, (size_t)capacity, sizeof( int ) );
	return grid;
}

gelEllipsoidCell gelMakeEllipsoidCell( const double center[3], float radius )
{
	int exponent = GEL_ELLIPSOID_LEVELS;
	if ( radius < INFINITY ) frexpf( 2.0f * radius, &exponent ); // the diameter is below 2^exponent
	int level = exponent + GEL_LEVEL_BIAS;
	level = level < 0 ? 0 : level > GEL_ELLIPSOID_LEVELS - 1 ? GEL_ELLIPSOID_LEVELS - 1 : level;
	gelEllipsoidCell cell = { .level = level };
	double scale = ldexp( 1.0, GEL_LEVEL_BIAS - level );
	for ( int k = 0; k < 3; ++k ) // who is farther away shares the last cells; NaN stays in the first
	{
		double at = floor( center[k] * scale );
		cell.at[k] = at > GEL_LAST_CELL ? (int64_t)GEL_LAST_CELL
			: at > -GEL_LAST_CELL       ? (int64_t)at
										: -(int64_t)GEL_LAST_CELL;
	}
	return cell;
}

// Large primes spread neighbors (Teschner et al. 2003); the multiplication mixes high bits into low ones.
static uint32_t GetBucket( const gelEllipsoidGrid* grid, gelEllipsoidCell cell )
{
	uint32_t hash = (uint32_t)cell.at[0] * 73856093u ^ (uint32_t)cell.at[1] * 19349663u ^
		(uint32_t)cell.at[2] * 83492791u ^ (uint32_t)cell.level * 2654435761u;
	hash = ( hash ^ hash >> 15 ) * 2246822519u;
	return ( hash ^ hash >> 13 ) & ( grid->bucketCount - 1 );
}

// Counting sort: from the last ellipsoid to the first, so that lists come out in their order.
void gelEllipsoidGrid_Build( gelEllipsoidGrid* grid, int count )
{
	GEL_ASSERT( count <= grid->capacity );
	grid->count = count;
	grid->bucketCount = CountBuckets( count ); // few ellipsoids do not pay for the table of many
	grid->levels = 0;
	memset( grid->starts, 0, ( (size_t)grid->bucketCount + 1 ) * sizeof( uint32_t ) );
	for ( int i = 0; i < count; ++i )
	{
		++grid->starts[GetBucket( grid, grid->cells[i] )];
		grid->levels |= (uint64_t)1 << grid->cells[i].level;
	}
	uint32_t sum = 0;
	for ( uint32_t b = 0; b <= grid->bucketCount; ++b )
	{
		sum += grid->starts[b];
		grid->starts[b] = sum;
	}
	for ( int i = count; i-- > 0; )
		grid->members[--grid->starts[GetBucket( grid, grid->cells[i] )]] = i;
}

static bool IsSameCell( const gelEllipsoidCell* a, const gelEllipsoidCell* b )
{
	return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2] && a->level == b->level;
}

// What one cell adds to an answer.
static int QueryCell(
	const gelEllipsoidGrid* grid, gelEllipsoidCell cell, int first, int count, int* out, int capacity )
{
	GEL_ASSERT( count >= 0 && capacity >= 0 );
	uint32_t bucket = GetBucket( grid, cell );
	for ( uint32_t k = grid->starts[bucket]; k < grid->starts[bucket + 1]; ++k )
	{
		int other = grid->members[k];
		if ( other < first || !IsSameCell( grid->cells + other, &cell ) ) continue;
		if ( count < capacity ) out[count] = other;
		++count;
	}
	return count;
}

// Cell of a coarser level that a cell is in.
static gelEllipsoidCell Coarsen( gelEllipsoidCell cell, int level )
{
	GEL_ASSERT( level >= cell.level );
	int shift = level - cell.level;
	for ( int k = 0; k < 3; ++k )
		cell.at[k] >>= shift; // rounds down
	cell.level = level;
	return cell;
}

int gelEllipsoidGrid_Query( const gelEllipsoidGrid* grid, int i, int* out, int capacity )
{
	gelEllipsoidCell own = grid->cells[i];
	int count = 0;
	for ( int level = own.level; level < GEL_ELLIPSOID_LEVELS; ++level )
	{
		if ( ( grid->levels >> level & 1 ) == 0 ) continue;
		bool isOwn = level == own.level;
		gelEllipsoidCell middle = Coarsen( own, level ), cell = middle;
		for ( int n = isOwn ? GEL_MIDDLE_CELL : 0; n < 27; ++n )
		{
			cell.at[0] = middle.at[0] + n % 3 - 1;
			cell.at[1] = middle.at[1] + n / 3 % 3 - 1;
			cell.at[2] = middle.at[2] + n / 9 - 1;
			int first = isOwn && n == GEL_MIDDLE_CELL ? i + 1 : 0;
			count = QueryCell( grid, cell, first, count, out, capacity );
		}
	}
	return count;
}
