// SPDX-License-Identifier: MIT
// Panels out of a column factor. The runtime solves panel by panel with dense kernels; wide panels amortize
// the gather of their rows, zeros inside of them cost memory traffic, and the solve is bound by that traffic.
//
// Columns j and j + 1 belong together when the pattern of j, without its diagonal, is that of j + 1 (a chain
// of the elimination tree; Liu, Ng, Peyton 1993). Then a panel is merged with the panel that follows when it
// is its child in the tree and the modelled cost does not grow (relaxed supernodes, Ashcraft and Grimes
// 1989).
//
// A panel as stored, column by column; L11 is a lower triangle, its upper part is zeros:
//
//         width
//       +------+ 0
//       | L11  |          rows[0 .. width)    the panel's own columns
//       +------+ width
//       | L21  |          rows[width ..)      rows below, ascending: columns of its ancestors
//       +------+ width + below
//       | 0    |          padding to a multiple of GEL_PACK_LANES
//       +------+ leading
#include "bake/factor/factor_passes.h"

#include <gelpack/asserts.h>

#include <float.h>
#include <math.h>

typedef struct Panel
{
	uint32_t first, width; // columns
	uint32_t below;        // rows under the diagonal block
} Panel;

static uint32_t GetLeading( const Panel* panel )
{
	return ( panel->width + panel->below + GEL_PACK_LANES - 1 ) / GEL_PACK_LANES * GEL_PACK_LANES;
}

// Stored floats; panels start at multiples of 16.
static uint64_t GetValueCount( const Panel* panel )
{
	return ( (uint64_t)GetLeading( panel ) * panel->width + 15 ) / 16 * 16;
}

// Cost of a panel in a solve, in units of one stored float: its values, index and gather of every row below,
// and the start of the panel. Measured on boxes of 700 to 5000 nodes these weights leave 30 % fewer panels
// and 30 % fewer gathered rows than merging for size alone, for 5 % more bytes; three times the weights cost
// 30 % more bytes.
static uint64_t GetCost( const Panel* panel )
{
	return GetValueCount( panel ) + 2 * (uint64_t)panel->below + 8;
}

static uint32_t CountBelow( const gelBakeColumns* L, uint32_t column )
{
	GEL_ASSERT( L->columnCount[column] >= 1 ); // the diagonal is there
	return (uint32_t)L->columnCount[column] - 1;
}

// The first row under the diagonal is the parent in the elimination tree; GEL_NO_INDEX: a root.
static uint32_t GetParentColumn( const gelBakeColumns* L, uint32_t column )
{
	return CountBelow( L, column ) == 0 ? GEL_NO_INDEX : (uint32_t)L->rows[L->columnFirst[column] + 1];
}

// One row less and the parent next door is enough to know that the patterns agree: a child's rows without its
// parent are always rows of the parent.
static bool ContinuesChain( const gelBakeColumns* L, uint32_t column )
{
	return GetParentColumn( L, column - 1 ) == column &&
		CountBelow( L, column - 1 ) == CountBelow( L, column ) + 1;
}

// Merges the newest panels into `panel` while that pays. @return panels left on the stack
static uint32_t MergeChildren( const gelBakeColumns* L, const Panel* stack, uint32_t count, Panel* panel )
{
	while ( count > 0 )
	{
		// After postordering a panel's children stand directly before it, the last child at the top of the
		// stack. A merged panel has the rows of the parent below it, so zeros are only added in the columns
		// of the child.
		const Panel* child = stack + count - 1;
		uint32_t parent = GetParentColumn( L, child->first + child->width - 1 );
		bool isChild = parent != GEL_NO_INDEX && parent < panel->first + panel->width;
		Panel merged = { child->first, child->width + panel->width, panel->below };
		if ( !isChild || merged.width > GEL_BAKE_MAX_PANEL_WIDTH ) break;
		if ( GetCost( &merged ) > GetCost( child ) + GetCost( panel ) ) break;
		*panel = merged;
		count -= 1;
	}
	return count;
}

static uint32_t FindPanels( const gelBakeColumns* L, Panel* panels )
{
	uint32_t count = 0;
	for ( uint32_t first = 0; first < L->n; )
	{
		uint32_t end = first + 1;
		while ( end < L->n && end - first < GEL_BAKE_MAX_PANEL_WIDTH && ContinuesChain( L, end ) )
			end += 1;
		Panel panel = { first, end - first, CountBelow( L, end - 1 ) };
		count = MergeChildren( L, panels, count, &panel );
		panels[count++] = panel;
		first = end;
	}
	return count;
}

// Rows of panel s: its own columns, then the pattern of its last column. By the theory of the elimination
// tree that pattern contains those of all its columns.
static void FillRows( const gelBakeColumns* L, const Panel* panel, uint32_t* rows )
{
	GEL_ASSERT( panel->width > 0 );
	for ( uint32_t c = 0; c < panel->width; ++c )
		rows[c] = panel->first + c;
	uint32_t last = panel->first + panel->width - 1;
	for ( uint32_t k = 0; k < panel->below; ++k )
		rows[panel->width + k] = (uint32_t)L->rows[L->columnFirst[last] + 1 + (int)k];
}

static void FillValues( const gelBakeColumns* L, const Panel* panel, const uint32_t* rows,
	uint32_t* rowToLocal, gelBakeFactor* out, float* values )
{
	uint32_t leading = GetLeading( panel );
	for ( uint32_t k = 0; k < panel->width + panel->below; ++k )
		rowToLocal[rows[k]] = k;
	for ( uint32_t c = 0; c < panel->width; ++c )
	{
		uint32_t j = panel->first + c;
		for ( int k = L->columnFirst[j]; k < L->columnFirst[j] + L->columnCount[j]; ++k )
		{
			values[(size_t)c * leading + rowToLocal[L->rows[k]]] =
				(float)L->values[k] + 0.0f; // -0 becomes +0
		}
		double diagonal = L->values[L->columnFirst[j]];
		out->minDiagonal = fmin( out->minDiagonal, diagonal );
		out->maxDiagonal = fmax( out->maxDiagonal, diagonal );
		// inverse of the rounded diagonal, so that the solve inverts the factor that is stored
		out->invDiagonal[j] = (float)( 1.0 / (double)values[(size_t)c * leading + c] );
		out->nonzeroCount += (uint64_t)L->columnCount[j];
	}
}

// Counted in 64 bits before anything is allocated: a cage at the limit of nodes has a factor far above the
// limit of values, which must end as a finding and not as an overflow.
static bool LayOutPanels( const Panel* panels, gelBakePool* pool, gelBakeFactor* out )
{
	out->superFirst = gelBakePool_Alloc( pool, (size_t)out->superCount + 1, sizeof( uint32_t ) );
	out->rowFirst = gelBakePool_Alloc( pool, (size_t)out->superCount + 1, sizeof( uint32_t ) );
	out->valueFirst = gelBakePool_Alloc( pool, (size_t)out->superCount + 1, sizeof( uint64_t ) );
	uint64_t rowCount = 0;
	for ( uint32_t s = 0; s < out->superCount; ++s )
	{
		rowCount += panels[s].width + panels[s].below;
		out->superFirst[s + 1] = panels[s].first + panels[s].width;
		out->rowFirst[s + 1] = (uint32_t)rowCount;
		out->valueFirst[s + 1] = out->valueFirst[s] + GetValueCount( panels + s );
		if ( out->valueFirst[s + 1] >= GEL_PACK_MAX_VALUES || rowCount >= GEL_PACK_MAX_VALUES ) return false;
	}
	return true;
}

// Parent of a panel: the panel of its first row below the diagonal block.
static void FillParents( const gelBakeFactor* factor, const uint32_t* columnToPanel, uint32_t* parent )
{
	for ( uint32_t s = 0; s < factor->superCount; ++s )
	{
		uint32_t width = factor->superFirst[s + 1] - factor->superFirst[s];
		uint32_t firstBelow = factor->rowFirst[s] + width;
		bool isRoot = firstBelow == factor->rowFirst[s + 1];
		parent[s] = isRoot ? factor->superCount : columnToPanel[factor->rows[firstBelow]];
	}
}

bool gelFormSupernodes( const gelBakeColumns* L, gelBakePool* pool, gelBakeFactor* out )
{
	GEL_ASSERT( L->n > 0 );
	gelBakePool scratch = { NULL };
	Panel* panels = gelBakePool_Alloc( &scratch, L->n, sizeof( Panel ) );
	out->n = L->n;
	out->superCount = FindPanels( L, panels );
	out->nonzeroCount = 0;
	out->minDiagonal = DBL_MAX;
	out->maxDiagonal = 0.0;
	bool ok = LayOutPanels( panels, pool, out );
	if ( ok )
	{
		uint32_t* rowToLocal = gelBakePool_Alloc( &scratch, L->n, sizeof( uint32_t ) );
		uint32_t* columnToPanel = gelBakePool_Alloc( &scratch, L->n, sizeof( uint32_t ) );
		out->rows = gelBakePool_Alloc( pool, out->rowFirst[out->superCount], sizeof( uint32_t ) );
		out->values = gelBakePool_Alloc( pool, out->valueFirst[out->superCount], sizeof( float ) );
		out->invDiagonal = gelBakePool_Alloc( pool, L->n, sizeof( float ) );
		out->parent = gelBakePool_Alloc( pool, out->superCount, sizeof( uint32_t ) );
		for ( uint32_t s = 0; s < out->superCount; ++s )
		{
			uint32_t* rows = out->rows + out->rowFirst[s];
			FillRows( L, panels + s, rows );
			FillValues( L, panels + s, rows, rowToLocal, out, out->values + out->valueFirst[s] );
			for ( uint32_t c = 0; c < panels[s].width; ++c )
				columnToPanel[panels[s].first + c] = s;
		}
		FillParents( out, columnToPanel, out->parent );
	}
	gelFreeBakePool( &scratch );
	return ok;
}
