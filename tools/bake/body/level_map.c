// SPDX-License-Identifier: MIT
// Levels of detail: where the nodes of each cage are in the next coarser one and the other way round, at
// rest. Tets are found by a uniform grid. A node outside of the other cage gets a point of it that is near:
// extrapolation by weights would let any error of a tet grow with every change of level.
#include "bake/body/body_passes.h"

#include "common/mesh/pack_figures.h"
#include "pack/pack_read.h"

#include <gelpack/asserts.h>

#include <float.h>
#include <math.h>

// Cells along a side at most.
#define GEL_MAX_GRID 128

// A cage, and which tets have boxes that meet each cell of a grid over it.
typedef struct LevelGrid
{
	const gelPackNode* nodes;
	const gelPackTet* tets;
	uint32_t nodeCount, tetCount;
	gelVec3d low; // [m]
	double cell;  // [m]
	int count[3];
	uint32_t* first; // [cells + 1]
	uint32_t* items; // tets, ascending inside a cell
} LevelGrid;

static gelVec3d GetNode( const gelPackNode* nodes, uint32_t i )
{
	return gelMakeVec3d( (double)nodes[i].x, (double)nodes[i].y, (double)nodes[i].z );
}

static int ClampCell( double i, int count )
{
	return i < 0.0 ? 0 : i > count - 1 ? count - 1 : (int)i;
}

// The cell that a point is in, or the one nearest to it.
static void GetCell( const LevelGrid* grid, gelVec3d p, int out[3] )
{
	out[0] = ClampCell( floor( ( p.x - grid->low.x ) / grid->cell ), grid->count[0] );
	out[1] = ClampCell( floor( ( p.y - grid->low.y ) / grid->cell ), grid->count[1] );
	out[2] = ClampCell( floor( ( p.z - grid->low.z ) / grid->cell ), grid->count[2] );
}

static size_t CellIndex( const LevelGrid* grid, int x, int y, int z )
{
	return ( (size_t)z * (size_t)grid->count[1] + (size_t)y ) * (size_t)grid->count[0] + (size_t)x;
}

// Cells of the box of a tet, ends included.
static void GetCells( const LevelGrid* grid, uint32_t tet, int low[3], int high[3] )
{
	GEL_ASSERT( tet < grid->tetCount );
	gelBox3d box = gelBox3d_Empty();
	for ( int k = 0; k < 4; ++k )
		gelBox3d_AddPoint( &box, gelGetCorner( grid->nodes, grid->tets + tet, k ) );
	GetCell( grid, box.min, low );
	GetCell( grid, box.max, high );
}

// About as many cells as tets.
static void ChooseCells( LevelGrid* grid )
{
	gelBox3d box = gelBox3d_Empty();
	for ( uint32_t i = 0; i < grid->nodeCount; ++i )
		gelBox3d_AddPoint( &box, GetNode( grid->nodes, i ) );
	gelVec3d size = gelSubD( box.max, box.min );
	const double sides[3] = { size.x, size.y, size.z };
	double longest = fmax( fmax( 0.0, size.x ), fmax( size.y, size.z ) );
	grid->low = box.min;
	// Cubic cells. A thin cage then has fewer cells than tets, which only makes lists longer.
	grid->cell = longest / fmin( fmax( cbrt( (double)grid->tetCount ), 1.0 ), (double)GEL_MAX_GRID );
	for ( int c = 0; c < 3; ++c )
	{
		double count = ceil( sides[c] / grid->cell );
		grid->count[c] = count < 1.0 ? 1 : count > GEL_MAX_GRID ? GEL_MAX_GRID : (int)count;
	}
}

// Counts tets per cell, or, with items, puts them there; first[] moves on while filling.
static void VisitTets( LevelGrid* grid, bool fill )
{
	for ( uint32_t t = 0; t < grid->tetCount; ++t )
	{
		int low[3], high[3];
		GetCells( grid, t, low, high );
		for ( int z = low[2]; z <= high[2]; ++z )
		{
			for ( int y = low[1]; y <= high[1]; ++y )
			{
				for ( int x = low[0]; x <= high[0]; ++x )
				{
					size_t cell = CellIndex( grid, x, y, z );
					if ( fill )
						grid->items[grid->first[cell]++] = t;
					else
						++grid->first[cell + 1];
				}
			}
		}
	}
}

static LevelGrid BuildGrid( const gelPackNode* nodes, uint32_t nodeCount, const gelPackTet* tets,
	uint32_t tetCount, gelBakePool* pool )
{
	GEL_ASSERT( nodeCount > 0 && tetCount > 0 );
	LevelGrid grid = { .nodes = nodes, .tets = tets, .nodeCount = nodeCount, .tetCount = tetCount };
	ChooseCells( &grid );
	size_t cellCount = CellIndex( &grid, 0, 0, grid.count[2] );
	grid.first = gelBakePool_Alloc( pool, cellCount + 1, sizeof( uint32_t ) );
	VisitTets( &grid, false );
	for ( size_t i = 0; i < cellCount; ++i )
		grid.first[i + 1] += grid.first[i];
	grid.items = gelBakePool_Alloc( pool, grid.first[cellCount], sizeof( uint32_t ) );
	VisitTets( &grid, true );
	// Filling has moved each start to the end of its list, that is to the start of the next: shift them back
	// by one.
	for ( size_t i = cellCount; i > 0; --i )
		grid.first[i] = grid.first[i - 1];
	grid.first[0] = 0;
	return grid;
}

// Barycentric weights of p, by Cramer's rule. @return the smallest
static double GetWeights( const LevelGrid* grid, uint32_t tet, gelVec3d p, double w[4] )
{
	gelVec3d x0 = gelGetCorner( grid->nodes, grid->tets + tet, 0 ), d = gelSubD( p, x0 ), e[3];
	for ( int k = 0; k < 3; ++k )
		e[k] = gelSubD( gelGetCorner( grid->nodes, grid->tets + tet, k + 1 ), x0 );
	double det = gelDeterminantD( ( gelMat3d ){ e[0], e[1], e[2] } );
	w[1] = gelDeterminantD( ( gelMat3d ){ d, e[1], e[2] } ) / det;
	w[2] = gelDeterminantD( ( gelMat3d ){ e[0], d, e[2] } ) / det;
	w[3] = gelDeterminantD( ( gelMat3d ){ e[0], e[1], d } ) / det;
	w[0] = 1.0 - w[1] - w[2] - w[3];
	return fmin( fmin( w[0], w[1] ), fmin( w[2], w[3] ) );
}

typedef struct LevelPlace
{
	uint32_t tet;
	double distance; // from the point that the weights name [m]; 0: inside
	double smallest; // weight, before those below 0 became 0
	double w[4];
} LevelPlace;

// Inside before outside, then near before far, then deep before shallow, then by index.
static bool IsBetter( const LevelPlace* a, const LevelPlace* b )
{
	if ( a->distance != b->distance ) return a->distance < b->distance;
	if ( a->smallest != b->smallest ) return a->smallest > b->smallest;
	return a->tet < b->tet;
}

static void VisitCell( const LevelGrid* grid, size_t cell, gelVec3d p, LevelPlace* best )
{
	for ( uint32_t i = grid->first[cell]; i < grid->first[cell + 1]; ++i )
	{
		LevelPlace place = { .tet = grid->items[i] };
		place.smallest = GetWeights( grid, place.tet, p, place.w );
		place.distance = gelClampWeights( grid->nodes, grid->tets + place.tet, p, place.w );
		// Clamped weights of an inner point are the weights themselves, but their sum is rounded and so is
		// the distance: exactly 0 is what ends the search.
		if ( place.smallest >= 0.0 ) place.distance = 0.0; // rounding
		if ( IsBetter( &place, best ) ) *best = place;
	}
}

// Cells at this distance (largest difference of an index) from one.
static void VisitShell(
	const LevelGrid* grid, const int center[3], int distance, gelVec3d p, LevelPlace* best )
{
	GEL_ASSERT( distance >= 0 );
	int low[3], high[3];
	for ( int c = 0; c < 3; ++c )
	{
		low[c] = center[c] > distance ? center[c] - distance : 0;
		high[c] = center[c] + distance < grid->count[c] ? center[c] + distance : grid->count[c] - 1;
	}
	for ( int z = low[2]; z <= high[2]; ++z )
	{
		for ( int y = low[1]; y <= high[1]; ++y )
		{
			for ( int x = low[0]; x <= high[0]; ++x )
			{
				int away[3] = { x - center[0], y - center[1], z - center[2] }, farthest = 0;
				for ( int c = 0; c < 3; ++c )
				{
					int a = away[c] < 0 ? -away[c] : away[c];
					farthest = a > farthest ? a : farthest;
				}
				if ( farthest == distance ) VisitCell( grid, CellIndex( grid, x, y, z ), p, best );
			}
		}
	}
}

// A tet that has the point inside is listed in the cell of the point. Else the first shell with tets and the
// one behind it decide.
static LevelPlace Locate( const LevelGrid* grid, gelVec3d p )
{
	LevelPlace best = { .tet = UINT32_MAX, .distance = DBL_MAX };
	int center[3];
	GetCell( grid, p, center );
	int last = 2 * GEL_MAX_GRID;
	for ( int distance = 0; distance <= last; ++distance )
	{
		VisitShell( grid, center, distance, p, &best );
		if ( best.distance == 0.0 ) break;
		if ( best.tet != UINT32_MAX && last == 2 * GEL_MAX_GRID ) last = distance + 1;
	}
	return best;
}

static void PlaceNodes( const gelPackNode* nodes, uint32_t nodeCount, const LevelGrid* grid, int threads,
	gelBakePool* pool, uint32_t** outTets, float** outWeights )
{
	GEL_ASSERT( threads >= 1 );
	uint32_t* tets = gelBakePool_Alloc( pool, nodeCount, sizeof( uint32_t ) );
	float* weights = gelBakePool_Alloc( pool, 4 * (size_t)nodeCount, sizeof( float ) );
	const int count = (int)nodeCount;
	(void)threads;
#pragma omp parallel for schedule( dynamic, 256 ) num_threads( threads > 0 ? threads : 1 )
	for ( int i = 0; i < count; ++i )
	{
		LevelPlace place = Locate( grid, GetNode( nodes, (uint32_t)i ) );
		tets[i] = place.tet;
		for ( int k = 0; k < 4; ++k )
			weights[4 * (size_t)i + (size_t)k] = (float)place.w[k];
	}
	gelCleanFloats( weights, 4 * (size_t)nodeCount );
	*outTets = tets;
	*outWeights = weights;
}

// The pack that a level is, which was validated when it was baked.
static gelPackView OpenLevel( const gelBakeLevel* level, gelBakePool* pool )
{
	gelPackView view;
	size_t scratchBytes = gelPack_ScratchBytes( level->bytes, level->byteCount );
	void* scratch = gelBakePool_Alloc( pool, scratchBytes + 1, 1 );
	gelPack_Open( level->bytes, level->byteCount, scratch, scratchBytes, 0, &view, NULL );
	return view;
}

bool gelBuildLevels( gelBakeData* data, gelFindings* findings )
{
	GEL_ASSERT( data->settings->levelCount >= 0 );
	const gelBakeSettings* settings = data->settings;
	data->levelMaps =
		gelBakePool_Alloc( &data->pool, (size_t)settings->levelCount, sizeof( gelBakeLevelMap ) );
	gelBakePool scratch = { NULL };
	LevelGrid fine = { 0 };
	bool ok = settings->levelCount == 0 || settings->pinSetCount <= 1;
	if ( !ok )
		gelFindings_Add( findings, gel_findingPinSetUnusable, settings->artFile,
			"there are %d; a pack with levels of detail has one at most", settings->pinSetCount );
	if ( settings->levelCount > 0 )
		fine = BuildGrid(
			data->cage.nodes, data->cage.nodeCount, data->cage.tets, data->cage.tetCount, &scratch );
	for ( int i = 0; i < settings->levelCount && ok; ++i )
	{
		gelPackView view = OpenLevel( settings->levels + i, &scratch );
		const gelPackHeader* h = view.header;
		// Level after level gets coarser, or changing between them would save nothing.
		ok = h != NULL && h->tetCount < fine.tetCount;
		if ( !ok )
			gelFindings_Add( findings, gel_findingLevelNotCoarser, settings->artFile,
				"level %d has %u tets, the one before it has %u; ask for fewer, or leave it out", i + 1,
				h != NULL ? h->tetCount : 0, fine.tetCount );
		if ( !ok ) break;
		LevelGrid coarse = BuildGrid( view.nodes, h->nodeCount, view.tets, h->tetCount, &scratch );
		gelBakeLevelMap* map = data->levelMaps + i;
		map->fineCount = fine.nodeCount;
		map->coarseCount = coarse.nodeCount;
		PlaceNodes( coarse.nodes, coarse.nodeCount, &fine, settings->threads, &data->pool, &map->coarseTets,
			&map->coarseWeights );
		PlaceNodes( fine.nodes, fine.nodeCount, &coarse, settings->threads, &data->pool, &map->fineTets,
			&map->fineWeights );
		fine = coarse;
	}
	gelFreeBakePool( &scratch );
	return ok;
}

void gelAddLevelSections( gelPackWriter* writer, const gelBakeData* data )
{
	for ( int i = 0; i < data->settings->levelCount; ++i )
	{
		const gelBakeLevel* level = data->settings->levels + i;
		const gelBakeLevelMap* map = data->levelMaps + i;
		// Counts in the table of sections have 32 bits. A level of more than 4 GB is counted in blocks, and
		// packs are padded to whole blocks.
		uint32_t stride = level->byteCount <= UINT32_MAX ? 1 : GEL_PACK_ALIGNMENT;
		gelPackWriter_AddArray( writer, GEL_SECTION_LODP, (uint64_t)i + 1, 0, level->bytes,
			(uint32_t)( level->byteCount / stride ), stride );
		gelPackLevelMap header = { 0 };
		const gelPackInnerArray arrays[] = {
			{ map->coarseTets, map->coarseCount, sizeof( uint32_t ) },
			{ map->coarseWeights, 4 * map->coarseCount, sizeof( float ) },
			{ map->fineTets, map->fineCount, sizeof( uint32_t ) },
			{ map->fineWeights, 4 * map->fineCount, sizeof( float ) },
		};
		gelPackWriter_AddBlob(
			writer, GEL_SECTION_LMAP, (uint64_t)i + 1, 0, &header, sizeof( header ), 0, arrays, 4 );
	}
}

void gelReportLevels( const gelBakeSettings* settings, gelReport* report )
{
	if ( settings->levelCount == 0 ) return;
	json_t* levels = json_array();
	for ( int i = 0; i < settings->levelCount; ++i )
	{
		const gelPackHeader* h = (const gelPackHeader*)(const void*)settings->levels[i].bytes;
		json_array_append_new( levels, gelMakeLevelJson( h ) );
	}
	gelReport_SetJson( report, "levels", levels );
}
