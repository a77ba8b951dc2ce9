// SPDX-License-Identifier: MIT
// The fronts of the warp-cancelling solver (formats/pack.md section 12). After these checks the runtime adds
// tets and updates into fronts without looking at an index again.
#include "pack/pack_validate.h"

#include "pack/pack_read_warp.h"

#include <string.h>

#define FAIL( code, index, element, text )                                                                   \
	gelPackChecker_FailAt( checker, code, section, index, element, text )

static bool CheckHeader( gelPackChecker* checker, const gelPackSection* section, const gelPackWarp* h )
{
	if ( section->bytes < sizeof( *h ) )
		return FAIL( gel_packSize, 0, h, "a section with several arrays has its inner header" );
	const gelPackSection* pins = gelPack_FindSection( checker->view, GEL_SECTION_PINS, h->pinSetId );
	if ( section->key != h->pinSetId )
		return FAIL( gel_packStructure, 0, h, "the key of fronts is their pin set" );
	if ( h->pinSetId != 0 && pins == NULL )
		return FAIL( gel_packMissingSection, 0, h, "the pin set of fronts is in the pack" );
	if ( h->n != checker->view->header->nodeCount - ( pins ? pins->count : 0 ) )
		return FAIL( gel_packSize, 0, &h->n, "fronts have a column for each node that is not pinned" );
	if ( h->superCount == 0 || h->superCount > h->n )
		return FAIL( gel_packSize, 0, &h->superCount, "there are between 1 and n supernodes" );
	if ( !gelPack_IsZero( h->zero, sizeof( h->zero ) ) )
		return FAIL( gel_packValue, 0, h->zero, "reserved bytes are 0" );
	uint64_t offsets = (uint64_t)h->superCount + 1;
	const gelPackArrayRule rules[] = { { 4, h->n }, { 4, offsets }, { 4, offsets }, { 4, GEL_ANY_COUNT },
		{ 4, h->rows.count }, { 4, h->superCount }, { 4, offsets }, { 4, GEL_ANY_COUNT },
		{ 2, 4 * (uint64_t)h->tets.count }, { 8, h->superCount } };
	return gelPackChecker_CheckArrays( checker, section, sizeof( *h ), &h->perm, rules, 10 );
}

static bool CheckColumns( gelPackChecker* checker, const gelPackSection* section, const gelWarpTree* tree )
{
	uint32_t nodeCount = checker->view->header->nodeCount, pinCount = 0;
	const uint32_t* pins = NULL;
	if ( section->key != 0 )
	{
		const gelPackSection* set = gelPack_FindSection( checker->view, GEL_SECTION_PINS, section->key );
		pins = gelPackView_Bytes( checker->view, set );
		pinCount = set->count;
	}
	memset( checker->scratch, 0, nodeCount / 8 + 1 );
	for ( uint32_t i = 0; i < pinCount; ++i )
		gelTestAndSetBit( checker->scratch, pins[i] );
	for ( uint32_t c = 0; c < tree->n; ++c )
	{
		if ( tree->perm[c] >= nodeCount || gelTestAndSetBit( checker->scratch, tree->perm[c] ) )
			return FAIL(
				gel_packIndex, c, tree->perm + c, "columns are the nodes that are not pinned, once" );
	}
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		const uint32_t* first = tree->superFirst + s;
		if ( first[0] >= first[1] || first[1] > tree->n || ( s == 0 && first[0] != 0 ) )
			return FAIL( gel_packIndex, s, first, "columns of supernodes run from 0 to n and increase" );
	}
	if ( tree->superFirst[tree->superCount] != tree->n )
		return FAIL( gel_packIndex, 0, tree->superFirst, "columns of supernodes end at n" );
	return true;
}

// Offsets from 0 to end that do not fall.
static bool CheckOffsets( gelPackChecker* checker, const gelPackSection* section, const uint32_t* offsets,
	uint32_t count, uint32_t end )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( ( i == 0 && offsets[0] != 0 ) || offsets[i + 1] < offsets[i] || offsets[i + 1] > end )
			return FAIL( gel_packIndex, i, offsets + i, "offsets run from 0 to the end and do not fall" );
	}
	if ( offsets[count] != end )
		return FAIL( gel_packIndex, count, offsets + count, "offsets end at the end" );
	return true;
}

// The column of a node of a front.
static uint32_t GetColumn( const gelWarpTree* tree, uint32_t s, uint32_t node )
{
	uint32_t width = tree->superFirst[s + 1] - tree->superFirst[s];
	return node < width ? tree->superFirst[s] + node : tree->rows[tree->rowFirst[s] + node - width];
}

static uint32_t CountNodes( const gelWarpTree* tree, uint32_t s )
{
	return tree->superFirst[s + 1] - tree->superFirst[s] + tree->rowFirst[s + 1] - tree->rowFirst[s];
}

static bool CheckRows(
	gelPackChecker* checker, const gelPackSection* section, const gelWarpTree* tree, uint32_t s )
{
	const uint32_t *first = tree->rows + tree->rowFirst[s], *end = tree->rows + tree->rowFirst[s + 1];
	for ( const uint32_t* row = first; row < end; ++row )
	{
		bool ascends = row == first ? *row >= tree->superFirst[s + 1] : *row > row[-1];
		if ( !ascends || *row >= tree->n )
			return FAIL(
				gel_packIndex, s, row, "rows are columns behind those of their supernode and ascend" );
	}
	if ( CountNodes( tree, s ) >= GEL_WARP_PINNED )
		return FAIL( gel_packSize, s, tree->rowFirst + s, "a front has fewer than 65535 nodes" );
	const uint32_t* parent = tree->parents + s;
	bool isRoot = first == end;
	if ( isRoot ? *parent != tree->superCount : *parent <= s || *parent >= tree->superCount )
		return FAIL(
			gel_packIndex, s, parent, "a parent comes behind its children; those of roots are none" );
	if ( !isRoot && ( *first < tree->superFirst[*parent] || *first >= tree->superFirst[*parent + 1] ) )
		return FAIL( gel_packStructure, s, parent, "the first row of a supernode is a column of its parent" );
	return true;
}

static bool CheckPlaces(
	gelPackChecker* checker, const gelPackSection* section, const gelWarpTree* tree, uint32_t s )
{
	for ( uint32_t k = tree->rowFirst[s]; k < tree->rowFirst[s + 1]; ++k )
	{
		const uint32_t* place = tree->places + k;
		uint32_t parent = tree->parents[s];
		if ( *place >= CountNodes( tree, parent ) || GetColumn( tree, parent, *place ) != tree->rows[k] )
			return FAIL( gel_packStructure, k, place, "a place is where the parent's front has the row" );
	}
	return true;
}

static bool IsPinned( const gelPackView* view, uint64_t pinSetId, uint32_t node )
{
	const gelPackSection* set = pinSetId ? gelPack_FindSection( view, GEL_SECTION_PINS, pinSetId ) : NULL;
	if ( set == NULL ) return false;
	const uint32_t* pins = gelPackView_Bytes( view, set );
	uint32_t low = 0, high = set->count;
	while ( low < high )
	{
		uint32_t middle = low + ( high - low ) / 2;
		if ( pins[middle] < node )
			low = middle + 1;
		else
			high = middle;
	}
	return low < set->count && pins[low] == node;
}

static bool CheckTet(
	gelPackChecker* checker, const gelPackSection* section, const gelWarpTree* tree, uint32_t s, uint32_t k )
{
	const gelPackView* view = checker->view;
	const uint32_t* tet = tree->tets + k;
	if ( *tet >= view->header->tetCount || gelTestAndSetBit( checker->scratch, *tet ) )
		return FAIL( gel_packIndex, k, tet, "tets of fronts are tets, each at most once" );
	bool isOwn = false;
	for ( int c = 0; c < 4; ++c )
	{
		const uint16_t* corner = tree->corners + 4 * (size_t)k + c;
		uint32_t node = view->tets[*tet].node[c];
		bool isRight = *corner == GEL_WARP_PINNED
			? IsPinned( view, section->key, node )
			: *corner < CountNodes( tree, s ) && tree->perm[GetColumn( tree, s, *corner )] == node;
		if ( !isRight )
			return FAIL( gel_packStructure, k, corner, "a corner is where the front has its node" );
		isOwn = isOwn || *corner < tree->superFirst[s + 1] - tree->superFirst[s];
	}
	if ( !isOwn ) return FAIL( gel_packStructure, k, tet, "a tet is with the supernode of its first column" );
	return true;
}

// Tets without a column are in no front.
static bool CheckTets( gelPackChecker* checker, const gelPackSection* section, const gelWarpTree* tree )
{
	const gelPackView* view = checker->view;
	memset( checker->scratch, 0, view->header->tetCount / 8 + 1 );
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		for ( uint32_t k = tree->tetFirst[s]; k < tree->tetFirst[s + 1]; ++k )
		{
			if ( !CheckTet( checker, section, tree, s, k ) ) return false;
		}
		uint32_t width = tree->superFirst[s + 1] - tree->superFirst[s];
		if ( tree->costs[s] != gelGetWarpCost( width, CountNodes( tree, s ) - width ) )
			return FAIL( gel_packValue, s, tree->costs + s, "the cost of a supernode is that of its size" );
	}
	for ( uint32_t t = 0; t < view->header->tetCount; ++t )
	{
		if ( gelTestAndSetBit( checker->scratch, t ) ) continue;
		bool isHeld = true;
		for ( int c = 0; c < 4; ++c )
			isHeld = isHeld && IsPinned( view, section->key, view->tets[t].node[c] );
		if ( !isHeld )
			return FAIL( gel_packStructure, t, tree->tets, "every tet with a column is in a front" );
	}
	return true;
}

bool gelPackChecker_CheckWarp( gelPackChecker* checker, const gelPackSection* section )
{
	if ( !CheckHeader( checker, section, gelPackView_Bytes( checker->view, section ) ) ) return false;
	gelWarpTree tree = gelPack_GetWarpTree( checker->view, section );
	const gelPackWarp* h = gelPackView_Bytes( checker->view, section );
	if ( !CheckColumns( checker, section, &tree ) ||
		!CheckOffsets( checker, section, tree.rowFirst, tree.superCount, h->rows.count ) ||
		!CheckOffsets( checker, section, tree.tetFirst, tree.superCount, h->tets.count ) )
		return false;
	for ( uint32_t s = 0; s < tree.superCount; ++s )
	{
		if ( !CheckRows( checker, section, &tree, s ) ) return false;
	}
	for ( uint32_t s = 0; s < tree.superCount; ++s )
	{
		if ( !CheckPlaces( checker, section, &tree, s ) ) return false;
	}
	return CheckTets( checker, section, &tree );
}

// ---- factors at rest ------------------------------------------------------------------------------------

static bool AreFinite( const float* values, uint64_t count, uint64_t* outIndex )
{
	for ( uint64_t i = 0; i < count; ++i )
	{
		*outIndex = i;
		if ( !gelPack_IsFinite( values[i] ) ) return false;
	}
	return true;
}

bool gelPackChecker_CheckWarpFactor( gelPackChecker* checker, const gelPackSection* section )
{
	const gelPackView* view = checker->view;
	const gelPackWarpFactor* h = gelPackView_Bytes( view, section );
	if ( section->bytes < sizeof( *h ) )
		return FAIL( gel_packSize, 0, h, "a section with several arrays has its inner header" );
	double step;
	memcpy( &step, &h->stepBits, sizeof( step ) );
	bool isStep = step >= GEL_PACK_MIN_STEP && step <= GEL_PACK_MAX_STEP && (double)(float)step == step;
	if ( h->solverKind != GEL_FACTOR_WARP || h->blockSize != 3 || !isStep )
		return FAIL(
			gel_packValue, 0, h, "the kind is 3, the block size 3, the step a float from 1e-6 to 1 s" );
	if ( section->key != gelPack_FactorKey( h->solverKind, step, h->pinSetId ) )
		return FAIL( gel_packStructure, 0, h, "the key of a factor is the hash of solver, step and pin set" );
	const gelPackSection* fronts = gelPack_FindSection( view, GEL_SECTION_UPDT, h->pinSetId );
	if ( fronts == NULL || !gelPack_IsZero( h->zero, sizeof( h->zero ) ) )
		return FAIL( gel_packMissingSection, 0, h, "the fronts of a factor are in the pack" );
	gelWarpTree tree = gelPack_GetWarpTree( view, fronts );
	gelWarpSizes sizes = gelGetWarpSizes( &tree );
	const gelPackArrayRule rules[] = { { 4, sizes.panels }, { 4, sizes.updates }, { 4, sizes.tiles } };
	if ( !gelPackChecker_CheckArrays( checker, section, sizeof( *h ), &h->panels, rules, 3 ) ) return false;
	gelWarpNumbers numbers = gelPack_GetWarpNumbers( view, section );
	uint64_t i;
	if ( !AreFinite( numbers.panels, sizes.panels, &i ) )
		return FAIL( gel_packValue, i, numbers.panels + i, "numbers of a factor are finite" );
	if ( !AreFinite( numbers.updates, sizes.updates, &i ) )
		return FAIL( gel_packValue, i, numbers.updates + i, "numbers of a factor are finite" );
	if ( !AreFinite( numbers.tiles, sizes.tiles, &i ) )
		return FAIL( gel_packValue, i, numbers.tiles + i, "numbers of a factor are finite" );
	return true;
}
