// SPDX-License-Identifier: MIT
// Pin sets and factors (formats/pack.md section 5). After these checks the runtime solves without looking
// at an index again, and may solve subtrees of the elimination tree at the same time.
#include "pack/pack_validate.h"

#include <math.h>
#include <string.h>

#define FAIL( code, index, element, text )                                                                   \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

bool gelPackChecker_CheckPins( gelPackChecker* checker, const gelPackSection* section )
{
	const uint32_t* pins = gelPackView_Bytes( checker->view, section );
	uint32_t nodeCount = checker->view->header->nodeCount;
	if ( section->count == 0 || section->count >= nodeCount )
		return FAIL( gel_packSize, 0, pins, "a pin set has at least one node and not all of them" );
	for ( uint32_t i = 0; i < section->count; ++i )
	{
		if ( pins[i] >= nodeCount || ( i > 0 && pins[i] <= pins[i - 1] ) )
			return FAIL( gel_packIndex, i, pins + i, "pinned nodes are nodes and ascend" );
	}
	if ( section->key == 0 || section->key != gelPack_Hash( pins, (size_t)section->bytes ) )
		return FAIL( gel_packStructure, 0, pins, "the key of a pin set is the hash of its nodes, not 0" );
	return true;
}

// The step length is a double that is exactly a float, and a sensible one.
static bool IsStep( uint64_t stepBits )
{
	double step;
	memcpy( &step, &stepBits, sizeof( step ) );
	return step >= GEL_PACK_MIN_STEP && step <= GEL_PACK_MAX_STEP && (double)(float)step == step;
}

static double StepOf( const gelPackFactor* header )
{
	double step;
	memcpy( &step, &header->stepBits, sizeof( step ) );
	return step;
}

// FACT is about the nodes of the cage, OPFA about particles.
static bool IsOfParticles( const gelPackSection* section )
{
	return section->fourcc == GEL_SECTION_OPFA;
}

static uint32_t CountUnknowns( const gelPackChecker* checker, const gelPackSection* section )
{
	const gelPackView* view = checker->view;
	return IsOfParticles( section ) ? view->particles.header->particleCount : view->header->nodeCount;
}

static bool CheckFactorHeader(
	gelPackChecker* checker, const gelPackSection* section, const gelPackFactor* h )
{
	uint32_t kind = IsOfParticles( section ) ? GEL_FACTOR_PARTICLES : GEL_FACTOR_FAST;
	if ( h->solverKind != kind || h->blockSize != 1 )
	{
		return FAIL( gel_packValue, 0, h,
			"the solver kind of a factor is 1, of particles 2, and its block size is 1" );
	}
	if ( IsOfParticles( section ) && h->pinSetId != 0 )
		return FAIL( gel_packValue, 0, &h->pinSetId, "a factor of particles has no pin set" );
	if ( !IsStep( h->stepBits ) )
		return FAIL( gel_packValue, 0, &h->stepBits, "the step length is a float between 1e-6 s and 1 s" );
	if ( section->key != gelPack_FactorKey( h->solverKind, StepOf( h ), h->pinSetId ) )
		return FAIL( gel_packStructure, 0, h, "the key of a factor is the hash of solver, step and pin set" );
	if ( !( h->regularisation >= 0.0f && h->regularisation <= 1e-2f ) )
		return FAIL( gel_packValue, 0, &h->regularisation, "the regularisation is between 0 and 0.01" );
	if ( !( h->residual >= 0.0f && h->residual <= 1e-3f ) )
		return FAIL( gel_packValue, 0, &h->residual, "the residual of a factor is between 0 and 0.001" );
	const gelPackSection* pins = NULL;
	if ( h->pinSetId != 0 )
	{
		pins = gelPack_FindSection( checker->view, GEL_SECTION_PINS, h->pinSetId );
		if ( pins == NULL )
			return FAIL( gel_packMissingSection, 0, &h->pinSetId, "the pin set of a factor is in the pack" );
	}
	uint32_t freeCount = CountUnknowns( checker, section ) - ( pins ? pins->count : 0 );
	if ( h->n != freeCount )
	{
		return FAIL( gel_packSize, 0, &h->n,
			"a factor has one row for each node that is not pinned, or for each particle" );
	}
	if ( h->superCount == 0 || h->superCount > h->n )
		return FAIL( gel_packSize, 0, &h->superCount, "a factor has between 1 and n panels" );
	return true;
}

static bool CheckPermutation(
	gelPackChecker* checker, const gelPackSection* section, const gelPackFactorView* f )
{
	uint32_t nodeCount = CountUnknowns( checker, section );
	uint8_t particles[GEL_PACK_MAX_PARTICLES / 8 + 1]; // a bit each; the scratch memory knows of nodes only
	uint8_t* taken = IsOfParticles( section ) ? particles : checker->scratch;
	memset( taken, 0, nodeCount / 8 + 1 );
	if ( f->header->pinSetId != 0 )
	{
		const gelPackSection* pinSection =
			gelPack_FindSection( checker->view, GEL_SECTION_PINS, f->header->pinSetId );
		const uint32_t* pins = gelPackView_Bytes( checker->view, pinSection );
		for ( uint32_t i = 0; i < pinSection->count; ++i )
			gelTestAndSetBit( taken, pins[i] );
	}
	for ( uint32_t i = 0; i < f->header->n; ++i )
	{
		if ( f->perm[i] >= nodeCount )
			return FAIL( gel_packIndex, i, f->perm + i, "rows of a factor belong to nodes" );
		if ( gelTestAndSetBit( taken, f->perm[i] ) )
		{
			return FAIL( gel_packStructure, i, f->perm + i,
				"every free node has exactly one row of the factor, pinned nodes have none" );
		}
	}
	return true;
}

// Offsets of the panels into rows and values. After this, every panel lies inside both arrays.
static bool CheckPanelOffsets(
	gelPackChecker* checker, const gelPackSection* section, const gelPackFactorView* f )
{
	const gelPackFactor* h = f->header;
	if ( f->superFirst[0] != 0 || f->rowFirst[0] != 0 || f->valueFirst[0] != 0 )
		return FAIL( gel_packIndex, 0, f->superFirst, "offsets of the first panel are 0" );
	for ( uint32_t s = 0; s < h->superCount; ++s )
	{
		if ( f->superFirst[s + 1] <= f->superFirst[s] || f->superFirst[s + 1] > h->n )
			return FAIL( gel_packIndex, s + 1, f->superFirst + s + 1, "panels have columns, in order" );
		if ( f->rowFirst[s + 1] <= f->rowFirst[s] || f->rowFirst[s + 1] > h->rows.count )
			return FAIL( gel_packIndex, s + 1, f->rowFirst + s + 1, "row offsets of panels increase" );
		uint64_t width = f->superFirst[s + 1] - f->superFirst[s];
		uint64_t rowCount = f->rowFirst[s + 1] - f->rowFirst[s];
		if ( rowCount < width )
			return FAIL( gel_packIndex, s, f->rowFirst + s, "a panel has at least its own columns as rows" );
		uint64_t stored = width * ( ( rowCount + 7 ) / 8 * 8 );
		uint64_t next = f->valueFirst[s] + ( stored + 15 ) / 16 * 16; // valueFirst[s] <= 2^32 here
		if ( f->valueFirst[s + 1] != next || next > h->values.count )
		{
			return FAIL( gel_packIndex, s + 1, f->valueFirst + s + 1,
				"value offsets follow from width and rows: rows padded to 8, panels to 16" );
		}
	}
	if ( f->superFirst[h->superCount] != h->n || f->rowFirst[h->superCount] != h->rows.count ||
		f->valueFirst[h->superCount] != h->values.count )
	{
		return FAIL( gel_packIndex, h->superCount, f->superFirst + h->superCount,
			"offsets behind the last panel are the number of columns, rows and values" );
	}
	return true;
}

// Index of the panel that a column belongs to.
static uint32_t FindPanel( const gelPackFactorView* f, uint32_t column )
{
	uint32_t first = 0, last = f->header->superCount - 1;
	while ( first < last )
	{
		uint32_t middle = first + ( last - first + 1 ) / 2;
		if ( f->superFirst[middle] <= column )
			first = middle;
		else
			last = middle - 1;
	}
	return first;
}

static bool HasRow( const uint32_t* rows, uint32_t count, uint32_t row )
{
	uint32_t first = 0, last = count;
	while ( first < last )
	{
		uint32_t middle = first + ( last - first ) / 2;
		if ( rows[middle] < row )
			first = middle + 1;
		else
			last = middle;
	}
	return first < count && rows[first] == row;
}

static bool CheckPanelRows(
	gelPackChecker* checker, const gelPackSection* section, const gelPackFactorView* f, uint32_t s )
{
	const uint32_t* rows = f->rows + f->rowFirst[s];
	uint32_t rowCount = f->rowFirst[s + 1] - f->rowFirst[s];
	uint32_t firstColumn = f->superFirst[s], width = f->superFirst[s + 1] - firstColumn;
	for ( uint32_t i = 0; i < rowCount; ++i )
	{
		if ( i < width ? rows[i] != firstColumn + i : rows[i] >= f->header->n || rows[i] <= rows[i - 1] )
		{
			return FAIL( gel_packIndex, f->rowFirst[s] + i, rows + i,
				"rows of a panel are its own columns, then larger ones, ascending, < n" );
		}
	}
	return true;
}

// The elimination tree: rows below a panel belong to its parent panel or are rows of that, so that panels
// in different subtrees never touch the same row. Binary search keeps this linear but for a logarithm,
// whatever the tree looks like.
static bool CheckPanelParent(
	gelPackChecker* checker, const gelPackSection* section, const gelPackFactorView* f, uint32_t s )
{
	const uint32_t* rows = f->rows + f->rowFirst[s];
	uint32_t rowCount = f->rowFirst[s + 1] - f->rowFirst[s];
	uint32_t width = f->superFirst[s + 1] - f->superFirst[s];
	uint32_t parent = rowCount == width ? f->header->superCount : FindPanel( f, rows[width] );
	if ( f->parent[s] != parent )
	{
		return FAIL( gel_packStructure, s, f->parent + s,
			"the parent of a panel is the panel of its first row below, or the panel count" );
	}
	for ( uint32_t i = width; i < rowCount; ++i )
	{
		const uint32_t* parentRows = f->rows + f->rowFirst[parent];
		if ( !HasRow( parentRows, f->rowFirst[parent + 1] - f->rowFirst[parent], rows[i] ) )
		{
			return FAIL( gel_packStructure, f->rowFirst[s] + i, rows + i,
				"the rows below a panel are rows of its parent" );
		}
	}
	return true;
}

static bool IsZeroFloat( const float* x )
{
	return gelPack_IsZero( (const uint8_t*)x, sizeof( float ) );
}

// Place of entry (i, j) of a panel: by columns, or (version 2) in tiles of 8 rows and up to 4 columns.
static uint64_t PlaceOf(
	const gelPackFactorView* f, uint64_t width, uint64_t paddedCount, uint64_t i, uint64_t j )
{
	if ( f->version == GEL_PACK_SECTION_VERSION ) return j * paddedCount + i;
	uint64_t group = j / 4 * 4, groupWidth = width - group < 4 ? width - group : 4;
	return group * paddedCount + i / 8 * 8 * groupWidth + ( j - group ) * 8 + i % 8;
}

// The diagonal of L: version 2 stores its inverse, which is rounded once more.
static bool PivotIsSound( const gelPackFactorView* f, float pivot, float inverse )
{
	const gelPackFactor* h = f->header;
	if ( !gelPack_IsPositive( pivot ) ) return false;
	if ( f->version == GEL_PACK_SECTION_VERSION ) return pivot >= h->minDiagonal && pivot <= h->maxDiagonal;
	double diagonal = 1.0 / (double)pivot;
	return pivot == inverse && diagonal >= (double)h->minDiagonal * ( 1.0 - 1e-5 ) &&
		diagonal <= (double)h->maxDiagonal * ( 1.0 + 1e-5 );
}

// One column of a panel: zeros above the diagonal, a sound pivot, finite numbers, zeros in the padding.
static bool CheckColumn( gelPackChecker* checker, const gelPackSection* section, const gelPackFactorView* f,
	uint32_t s, uint32_t above )
{
	uint64_t rowCount = f->rowFirst[s + 1] - f->rowFirst[s], paddedCount = ( rowCount + 7 ) / 8 * 8;
	uint32_t width = f->superFirst[s + 1] - f->superFirst[s], j = f->superFirst[s] + above;
	const float* values = f->values + f->valueFirst[s];
	for ( uint64_t i = 0; i < paddedCount; ++i )
	{
		const float* x = values + PlaceOf( f, width, paddedCount, i, above );
		if ( i < above || i >= rowCount ? !IsZeroFloat( x ) : !gelPack_IsFinite( *x ) )
		{
			return FAIL( gel_packValue, (uint64_t)( x - f->values ), x,
				"values of a factor are finite, and exactly 0 in padding and above the diagonal" );
		}
	}
	const float* pivot = values + PlaceOf( f, width, paddedCount, above, above );
	if ( !PivotIsSound( f, *pivot, f->invDiagonal[j] ) )
	{
		return FAIL( gel_packValue, (uint64_t)( pivot - f->values ), pivot,
			"diagonal values are > 0 and between minDiagonal and maxDiagonal" );
	}
	float inverse = f->invDiagonal[j];
	if ( f->version == GEL_PACK_SECTION_VERSION &&
		( !gelPack_IsPositive( inverse ) || fabs( (double)*pivot * inverse - 1.0 ) > 1e-5 ) )
	{
		return FAIL( gel_packValue, j, f->invDiagonal + j, "invDiagonal is 1 / diagonal" );
	}
	return true;
}

static bool CheckPanelValues(
	gelPackChecker* checker, const gelPackSection* section, const gelPackFactorView* f, uint32_t s )
{
	uint64_t rowCount = f->rowFirst[s + 1] - f->rowFirst[s], paddedCount = ( rowCount + 7 ) / 8 * 8;
	uint32_t width = f->superFirst[s + 1] - f->superFirst[s];
	for ( uint32_t j = 0; j < width; ++j )
	{
		if ( !CheckColumn( checker, section, f, s, j ) ) return false;
	}
	const float* end = f->values + f->valueFirst[s + 1];
	const float* x = f->values + f->valueFirst[s] + width * paddedCount;
	for ( ; x < end; ++x )
	{
		if ( !IsZeroFloat( x ) )
			return FAIL( gel_packValue, (uint64_t)( x - f->values ), x, "padding behind a panel is 0" );
	}
	return true;
}

// Version 2 has the diagonal of L only as a rounded inverse.
static bool IsDiagonal( const gelPackFactorView* f, float pivot, float wanted )
{
	if ( f->version == GEL_PACK_SECTION_VERSION ) return pivot == wanted;
	return fabs( 1.0 / (double)pivot - (double)wanted ) <= 1e-5 * (double)wanted;
}

// Figures of the header that follow from the panels.
static bool CheckFactorTotals(
	gelPackChecker* checker, const gelPackSection* section, const gelPackFactorView* f )
{
	const gelPackFactor* h = f->header;
	uint64_t stored = 0;
	bool hasMin = false, hasMax = false;
	for ( uint32_t s = 0; s < h->superCount; ++s )
	{
		uint64_t rowCount = f->rowFirst[s + 1] - f->rowFirst[s], paddedCount = ( rowCount + 7 ) / 8 * 8;
		uint64_t width = f->superFirst[s + 1] - f->superFirst[s];
		stored += width * rowCount - width * ( width - 1 ) / 2;
		for ( uint64_t j = 0; j < width; ++j )
		{
			float pivot = f->values[f->valueFirst[s] + PlaceOf( f, width, paddedCount, j, j )];
			hasMin = hasMin || IsDiagonal( f, pivot, h->minDiagonal );
			hasMax = hasMax || IsDiagonal( f, pivot, h->maxDiagonal );
		}
	}
	if ( !hasMin || !hasMax )
	{
		return FAIL( gel_packValue, 0, &h->minDiagonal,
			"minDiagonal and maxDiagonal are the smallest and largest diagonal value" );
	}
	if ( h->nonzeroCount < h->n || h->nonzeroCount > stored )
	{
		return FAIL( gel_packValue, 0, &h->nonzeroCount,
			"the number of nonzeros is at least n and at most what the panels store" );
	}
	return true;
}

bool gelPackChecker_CheckFactor( gelPackChecker* checker, const gelPackSection* section )
{
	const gelPackFactor* h = gelPackView_Bytes( checker->view, section );
	if ( section->bytes < sizeof( *h ) )
		return FAIL( gel_packSize, 0, h, "a section with several arrays has its inner header" );
	if ( !CheckFactorHeader( checker, section, h ) ) return false;
	gelPackArrayRule rules[8] = {
		{ sizeof( uint32_t ), h->n },
		{ sizeof( uint32_t ), (uint64_t)h->superCount + 1 },
		{ sizeof( uint32_t ), (uint64_t)h->superCount + 1 },
		{ sizeof( uint32_t ), GEL_ANY_COUNT },
		{ sizeof( uint64_t ), (uint64_t)h->superCount + 1 },
		{ sizeof( float ), GEL_ANY_COUNT },
		{ sizeof( float ), h->n },
		{ sizeof( uint32_t ), h->superCount },
	};
	if ( !gelPackChecker_CheckArrays( checker, section, sizeof( *h ), &h->perm, rules, 8 ) ) return false;
	if ( h->values.count > GEL_PACK_MAX_VALUES )
		return FAIL( gel_packSize, 0, &h->values, "a factor has at most 2^31 values" );
	gelPackFactorView f = gelPack_GetFactor( checker->view, section );
	if ( !CheckPermutation( checker, section, &f ) || !CheckPanelOffsets( checker, section, &f ) )
		return false;
	for ( uint32_t s = 0; s < h->superCount; ++s )
	{
		if ( !CheckPanelRows( checker, section, &f, s ) ) return false;
	}
	for ( uint32_t s = 0; s < h->superCount; ++s )
	{
		if ( !CheckPanelParent( checker, section, &f, s ) || !CheckPanelValues( checker, section, &f, s ) )
			return false;
	}
	return CheckFactorTotals( checker, section, &f );
}
