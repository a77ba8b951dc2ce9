// SPDX-License-Identifier: MIT
#include "solvers/warp/warp_left.h"

#include <string.h>

// Distinct supernodes among the rows of a supernode: rows ascend, so equal ones follow each other.
static uint32_t CountTargets( const gelWarpTree* tree, uint32_t s )
{
	GEL_ASSERT( s < tree->superCount );
	uint32_t count = 0, end = 0; // columns of the last one
	for ( uint32_t k = tree->rowFirst[s]; k < tree->rowFirst[s + 1]; ++k )
	{
		if ( tree->rows[k] < end ) continue;
		uint32_t low = 0, high = tree->superCount;
		while ( low + 1 < high )
		{
			uint32_t middle = low + ( high - low ) / 2;
			if ( tree->superFirst[middle] <= tree->rows[k] )
				low = middle;
			else
				high = middle;
		}
		end = tree->superFirst[low + 1];
		++count;
	}
	return count;
}

gelWarpLeft gelWarpLeft_LayOut( gelArena* arena, const gelWarpTree* tree, uint32_t nodeCount )
{
	GEL_ASSERT( nodeCount > 0 );
	size_t sources = 0, supers = tree->superCount, tets = tree->tetFirst[supers];
	for ( uint32_t s = 0; s < tree->superCount; ++s )
		sources += CountTargets( tree, s );
	gelWarpLeft left = { 0 };
	left.superOf = gelArena_Take( arena, tree->n, sizeof( uint32_t ) );
	left.touchFirst = gelArena_Take( arena, supers + 1, sizeof( uint32_t ) );
	left.touches = gelArena_Take( arena, 4 * tets, sizeof( uint32_t ) );
	left.sourceFirst = gelArena_Take( arena, supers + 1, sizeof( uint32_t ) );
	left.sources = gelArena_Take( arena, sources, sizeof( uint32_t ) );
	left.columnOf = gelArena_Take( arena, nodeCount, sizeof( uint32_t ) );
	left.places = gelArena_Take( arena, tree->n, sizeof( uint32_t ) );
	// rows of a descendant that reach into a panel, by its columns that do, each up to a tile more
	size_t rows = (size_t)tree->maxBelow + GEL_TILE, columns = (size_t)tree->maxColumns + 2 * GEL_TILE;
	left.product = gelArena_Take( arena, rows * columns, sizeof( float ) );
	return left;
}

// Supernodes of the corners of a tet, each once. @return how many
static int GetTouched( const gelWarpLeft* left, const gelPackTet* tet, uint32_t out[4] )
{
	int count = 0;
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t column = left->columnOf[tet->node[k]];
		if ( column == UINT32_MAX ) continue;
		bool isKnown = false;
		for ( int i = 0; i < count; ++i )
			isKnown = isKnown || out[i] == left->superOf[column];
		if ( !isKnown ) out[count++] = left->superOf[column];
	}
	return count;
}

// Offsets from counts, which are one place behind; moves of offsets while lists are filled are undone by
// Back.
static void AddUp( uint32_t* first, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
		first[i + 1] += first[i];
}

static void Back( uint32_t* first, uint32_t count )
{
	for ( uint32_t i = count; i > 0; --i )
		first[i] = first[i - 1];
	first[0] = 0;
}

static void ListTouches( gelWarpLeft* left, const gelWarpTree* tree, const gelPackView* pack )
{
	uint32_t tetCount = tree->tetFirst[tree->superCount], out[4];
	for ( uint32_t pass = 0; pass < 2; ++pass )
	{
		for ( uint32_t k = 0; k < tetCount; ++k )
		{
			int count = GetTouched( left, pack->tets + tree->tets[k], out );
			for ( int i = 0; i < count; ++i )
			{
				if ( pass == 0 )
					++left->touchFirst[out[i] + 1];
				else
					left->touches[left->touchFirst[out[i]]++] = tree->tets[k];
			}
		}
		if ( pass == 0 ) AddUp( left->touchFirst, tree->superCount );
	}
	Back( left->touchFirst, tree->superCount );
}

static void ListSources( gelWarpLeft* left, const gelWarpTree* tree )
{
	for ( uint32_t pass = 0; pass < 2; ++pass )
	{
		for ( uint32_t s = 0; s < tree->superCount; ++s )
		{
			uint32_t last = UINT32_MAX;
			for ( uint32_t k = tree->rowFirst[s]; k < tree->rowFirst[s + 1]; ++k )
			{
				uint32_t target = left->superOf[tree->rows[k]];
				if ( target == last ) continue;
				last = target;
				if ( pass == 0 )
					++left->sourceFirst[target + 1];
				else
					left->sources[left->sourceFirst[target]++] = s;
			}
		}
		if ( pass == 0 ) AddUp( left->sourceFirst, tree->superCount );
	}
	Back( left->sourceFirst, tree->superCount );
}

void gelWarpLeft_Fill( gelWarpLeft* left, const gelWarpTree* tree, const gelPackView* pack )
{
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		for ( uint32_t c = tree->superFirst[s]; c < tree->superFirst[s + 1]; ++c )
			left->superOf[c] = s;
	}
	for ( uint32_t i = 0; i < pack->header->nodeCount; ++i )
		left->columnOf[i] = UINT32_MAX;
	for ( uint32_t c = 0; c < tree->n; ++c )
		left->columnOf[tree->perm[c]] = c;
	memset( left->touchFirst, 0, ( (size_t)tree->superCount + 1 ) * sizeof( uint32_t ) );
	memset( left->sourceFirst, 0, ( (size_t)tree->superCount + 1 ) * sizeof( uint32_t ) );
	ListTouches( left, tree, pack );
	ListSources( left, tree );
}

// ---- one panel ------------------------------------------------------------------------------------------

static float* GetEntry( const gelWarpFront* front, uint32_t row, uint32_t column )
{
	return front->panel + row / GEL_TILE * front->step + GEL_TILE * (size_t)column + row % GEL_TILE;
}

// Where the columns of a front are in its panel.
static void MarkPlaces(
	const gelWarpTree* tree, const gelWarpLeft* left, const gelWarpFront* front, uint32_t s )
{
	GEL_ASSERT( s < tree->superCount );
	for ( uint32_t k = 0; k < front->width; ++k )
		left->places[tree->superFirst[s] + k] = 3 * k;
	for ( uint32_t k = 0; k < front->below; ++k )
		left->places[tree->rows[tree->rowFirst[s] + k]] = front->columns + 3 * k;
}

// Entries of a tet whose column belongs to the supernode.
static void AddTet( const gelWarpSystem* system, const gelWarpLeft* left, const gelWarpFront* front,
	uint32_t s, uint32_t tet )
{
	GEL_ASSERT( s < system->tree->superCount );
	gelMat3 blocks[10];
	uint32_t columns[4];
	gelMakeTurnedElement( system, tet, blocks );
	for ( int i = 0; i < 4; ++i )
		columns[i] = left->columnOf[system->pack->tets[tet].node[i]];
	for ( int i = 0, k = 0; i < 4; ++i )
	{
		for ( int j = 0; j <= i; ++j, ++k )
		{
			if ( columns[i] == UINT32_MAX || columns[j] == UINT32_MAX ) continue;
			bool isTurned = columns[i] < columns[j];
			uint32_t row = isTurned ? columns[j] : columns[i], column = isTurned ? columns[i] : columns[j];
			if ( left->superOf[column] != s ) continue;
			gelMat3 b = isTurned ? gelTranspose( blocks[k] ) : blocks[k];
			const float* m = &b.cx.x; // by columns
			uint32_t r = left->places[row], c = left->places[column];
			for ( uint32_t e = 0; e < 9; ++e )
			{
				if ( row != column || e % 3 >= e / 3 ) *GetEntry( front, r + e % 3, c + e / 3 ) += m[e];
			}
		}
	}
}

// L L^T of the rows of a descendant from the first one in the supernode on, times those in it, taken away.
static void SubtractSource(
	const gelWarpSystem* system, const gelWarpLeft* left, const gelWarpFront* front, uint32_t s, uint32_t d )
{
	GEL_ASSERT( d < s && s < system->tree->superCount );
	const gelWarpTree* tree = system->tree;
	gelWarpFront source = gelGetWarpFront( tree, &system->factor, d );
	const uint32_t* rows = tree->rows + tree->rowFirst[d];
	uint32_t first = 0;
	while ( rows[first] < tree->superFirst[s] )
		++first;
	uint32_t end = first;
	while ( end < source.below && rows[end] < tree->superFirst[s + 1] )
		++end;
	// whole tiles around scalar rows 3 first .. 3 below - 1 and columns 3 first .. 3 end - 1
	int firstBlock = (int)( 3 * first / GEL_TILE ), endTile = (int)( ( 3 * end + GEL_TILE - 1 ) / GEL_TILE );
	int blockCount = source.blockCount - firstBlock, tileCount = endTile - firstBlock;
	const float* below = source.panel + source.step * (size_t)source.tileCount;
	size_t step = GEL_TILE_FLOATS * (size_t)tileCount;
	memset( left->product, 0, step * (size_t)blockCount * sizeof( float ) );
	for ( int t = 0; t < tileCount; ++t )
	{
		const float* right = below + source.step * (size_t)( firstBlock + t );
		gelDenseProduct product = { left->product + GEL_TILE_FLOATS * (size_t)t + step * (size_t)t, step, 0,
			right, source.step, right, blockCount - t, (int)source.columns };
		system->dense->subtractProduct( &product );
	}
	uint32_t base = GEL_TILE * (uint32_t)firstBlock;
	for ( uint32_t j = 3 * first; j < 3 * end; ++j )
	{
		uint32_t column = left->places[rows[j / 3]] + j % 3;
		for ( uint32_t i = j; i < 3 * source.below; ++i )
		{
			const float* value = left->product + ( i - base ) / GEL_TILE * step +
				GEL_TILE * (size_t)( j - base ) + ( i - base ) % GEL_TILE;
			*GetEntry( front, left->places[rows[i / 3]] + i % 3, column ) += *value;
		}
	}
}

static void MakePanel(
	const gelWarpSystem* system, const gelWarpLeft* left, const gelWarpFront* front, uint32_t s )
{
	GEL_ASSERT( s < system->tree->superCount );
	const gelWarpTree* tree = system->tree;
	size_t floats = (size_t)( tree->panelFirst[s + 1] - tree->panelFirst[s] );
	memset( front->panel, 0, floats * sizeof( float ) );
	MarkPlaces( tree, left, front, s );
	for ( uint32_t c = 0; c < front->columns; ++c )
		*GetEntry( front, c, c ) =
			c < 3 * front->width ? system->masses[tree->perm[tree->superFirst[s] + c / 3]] : 1.0f;
	for ( uint32_t k = left->touchFirst[s]; k < left->touchFirst[s + 1]; ++k )
		AddTet( system, left, front, s, left->touches[k] );
	for ( uint32_t k = left->sourceFirst[s]; k < left->sourceFirst[s + 1]; ++k )
		SubtractSource( system, left, front, s, left->sources[k] );
}

int gelFactorWarpLeft( const gelWarpSystem* system, const gelWarpLeft* left, const uint8_t* isWanted )
{
	const gelWarpTree* tree = system->tree;
	int liftCount = 0;
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		if ( isWanted && !isWanted[s] ) continue;
		gelWarpFront front = gelGetWarpFront( tree, &system->factor, s );
		MakePanel( system, left, &front, s );
		float lift = 0.0f;
		for ( int tries = 0; !gelFactorWarpPanel( system, &front ) && tries < GEL_WARP_LIFTS;
			  ++tries, ++liftCount )
		{
			lift = tries == 0 ? GEL_WARP_FIRST_LIFT : 10.0f * lift;
			MakePanel( system, left, &front, s );
			for ( uint32_t c = 0; c < 3 * front.width; ++c )
				*GetEntry( &front, c, c ) *= 1.0f + lift;
		}
	}
	return liftCount;
}
