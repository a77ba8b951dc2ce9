// SPDX-License-Identifier: MIT
#include "solvers/warp/warp_factor.h"

#include "state/world.h"

#include <stdatomic.h>
#include <string.h>

// Row blocks of a panel that a thread takes at a time, and operations of a supernode from which on several
// threads work on it.
#define GEL_PANEL_CHUNK 6
#define GEL_SHARED_COST 4000000u

void gelMakeWarpElement(
	const gelPackView* pack, uint32_t tet, const gelQuat turns[4], float scale, gelMat3 blocks[10] )
{
	GEL_ASSERT( tet < pack->header->tetCount );
	const gelPackTetRest* rest = pack->tetRests + tet;
	const gelPackMaterial* material = pack->materials + rest->material;
	float mu = scale * rest->volume * material->mu, lambda = scale * rest->volume * material->lambda;
	gelVec3 g[4], turned[4][4]; // turned[i][j]: a_i g_j
	gelMat3 a[4];
	for ( int k = 0; k < 3; ++k )
		g[k + 1] = ( gelVec3 ){ rest->invDm[3 * k], rest->invDm[3 * k + 1], rest->invDm[3 * k + 2] };
	g[0] = gelScale( -1.0f, gelAdd( gelAdd( g[1], g[2] ), g[3] ) );
	for ( int i = 0; i < 4; ++i )
	{
		a[i] = gelMakeMat3FromQuat( turns[i] );
		for ( int j = 0; j < 4; ++j )
			turned[i][j] = gelMulMV( a[i], g[j] );
	}
	for ( int i = 0, k = 0; i < 4; ++i )
	{
		for ( int j = 0; j <= i; ++j, ++k )
		{
			// column c: mu ( g_i . g_j ) ( a_i a_j^T )_c + mu ( a_i g_j ) ( a_j g_i )_c
			// + lambda ( a_i g_i ) ( a_j g_j )_c
			float both = mu * gelDot( g[i], g[j] );
			gelVec3 p = turned[j][i], q = turned[j][j];
			gelVec3 rowX = { a[j].cx.x, a[j].cy.x, a[j].cz.x }, rowY = { a[j].cx.y, a[j].cy.y, a[j].cz.y };
			gelVec3 rowZ = { a[j].cx.z, a[j].cy.z, a[j].cz.z };
			blocks[k].cx =
				gelMulAdd( gelMulAdd( gelScale( both, gelMulMV( a[i], rowX ) ), mu * p.x, turned[i][j] ),
					lambda * q.x, turned[i][i] );
			blocks[k].cy =
				gelMulAdd( gelMulAdd( gelScale( both, gelMulMV( a[i], rowY ) ), mu * p.y, turned[i][j] ),
					lambda * q.y, turned[i][i] );
			blocks[k].cz =
				gelMulAdd( gelMulAdd( gelScale( both, gelMulMV( a[i], rowZ ) ), mu * p.z, turned[i][j] ),
					lambda * q.z, turned[i][i] );
		}
	}
}

void gelMakeTurnedElement( const gelWarpSystem* system, uint32_t tet, gelMat3 blocks[10] )
{
	GEL_ASSERT( tet < system->pack->header->tetCount );
	uint32_t slot = system->tetSlots[tet];
	gelQuat turns[4];
	for ( int k = 0; k < 4; ++k )
		turns[k] =
			gelGetTetTurn( system->turns + slot / GEL_BLOCK_LANES, (int)( slot % GEL_BLOCK_LANES ), k );
	gelMakeWarpElement( system->pack, tet, turns, system->scale, blocks );
}

// Entry of a front, by scalars of its own nodes or of those below.
static float* GetPanelEntry( const gelWarpFront* front, uint32_t row, uint32_t column )
{
	return front->panel + row / GEL_TILE * front->step + GEL_TILE * (size_t)column + row % GEL_TILE;
}

static float* GetUpdateEntry( const gelWarpFront* front, uint32_t row, uint32_t column )
{
	return front->update + gelGetUpdateOffset( row / GEL_TILE ) + GEL_TILE * (size_t)column + row % GEL_TILE;
}

// First scalar row of a node in the panel.
static uint32_t GetPanelRow( const gelWarpFront* front, uint32_t node )
{
	return node < front->width ? 3 * node : front->columns + 3 * ( node - front->width );
}

// Adds block (row, column) of nodes, or the lower part of it on the diagonal. row >= column
static void AddBlock( const gelWarpFront* front, uint32_t row, uint32_t column, const float m[3][3] )
{
	bool isPanel = column < front->width, isDiagonal = row == column;
	uint32_t i = isPanel ? GetPanelRow( front, row ) : 3 * ( row - front->width );
	uint32_t j = isPanel ? 3 * column : 3 * ( column - front->width );
	for ( uint32_t c = 0; c < 3; ++c )
	{
		for ( uint32_t r = isDiagonal ? c : 0; r < 3; ++r )
		{
			float* entry =
				isPanel ? GetPanelEntry( front, i + r, j + c ) : GetUpdateEntry( front, i + r, j + c );
			*entry += m[c][r];
		}
	}
}

static void AddTet( const gelWarpSystem* system, const gelWarpFront* front, uint32_t entry )
{
	const uint16_t* corner = system->tree->corners + 4 * (size_t)entry;
	uint32_t tet = system->tree->tets[entry];
	gelMat3 blocks[10];
	uint32_t slot = system->tetSlots[tet];
	gelQuat turns[4];
	for ( int k = 0; k < 4; ++k )
		turns[k] =
			gelGetTetTurn( system->turns + slot / GEL_BLOCK_LANES, (int)( slot % GEL_BLOCK_LANES ), k );
	gelMakeWarpElement( system->pack, tet, turns, system->scale, blocks );
	for ( int i = 0, k = 0; i < 4; ++i )
	{
		for ( int j = 0; j <= i; ++j, ++k )
		{
			uint32_t row = corner[i], column = corner[j];
			if ( row == GEL_WARP_PINNED || column == GEL_WARP_PINNED ) continue;
			gelMat3 b = row >= column ? blocks[k] : gelTranspose( blocks[k] );
			const float m[3][3] = { { b.cx.x, b.cx.y, b.cx.z }, { b.cy.x, b.cy.y, b.cy.z },
				{ b.cz.x, b.cz.y, b.cz.z } };
			AddBlock( front, row >= column ? row : column, row >= column ? column : row, m );
		}
	}
}

static void Assemble( const gelWarpSystem* system, const gelWarpFront* front, uint32_t s )
{
	GEL_ASSERT( s < system->tree->superCount );
	const gelWarpTree* tree = system->tree;
	size_t panelFloats = (size_t)( tree->panelFirst[s + 1] - tree->panelFirst[s] );
	size_t updateFloats = (size_t)( tree->updateFirst[s + 1] - tree->updateFirst[s] );
	memset( front->panel, 0, panelFloats * sizeof( float ) );
	if ( updateFloats > 0 ) memset( front->update, 0, updateFloats * sizeof( float ) );
	for ( uint32_t c = 3 * front->width; c < front->columns; ++c )
		*GetPanelEntry( front, c, c ) = 1.0f;
	for ( uint32_t c = 0; c < 3 * front->width; ++c )
		*GetPanelEntry( front, c, c ) = system->masses[tree->perm[tree->superFirst[s] + c / 3]];
	for ( uint32_t k = tree->tetFirst[s]; k < tree->tetFirst[s + 1]; ++k )
		AddTet( system, front, k );
}

// ---- the update of a child ------------------------------------------------------------------------------

// Rows of a child's update that follow each other in the parent's front as well.
typedef struct Run
{
	uint32_t first, count; // scalars of the child's update
	uint32_t to;           // scalar of the parent's panel or update
	bool isBelow;          // in the parent
} Run;

// The run that starts with a row. @return the row behind it
static uint32_t FindRun(
	const gelWarpFront* front, const uint32_t* places, uint32_t row, uint32_t count, Run* run )
{
	GEL_ASSERT( row < count );
	uint32_t end = row + 1, place = places[row];
	bool isBelow = place >= front->width;
	while ( end < count && places[end] == places[end - 1] + 1 && ( places[end] >= front->width ) == isBelow )
		++end;
	*run = ( Run ){ 3 * row, 3 * ( end - row ), 3 * ( isBelow ? place - front->width : place ), isBelow };
	return end;
}

static uint32_t MinU32( uint32_t a, uint32_t b )
{
	return a < b ? a : b;
}

// Rows of one run times columns of another that does not start behind it, up to the diagonal.
static void AddRuns( const gelDenseKernels* dense, const gelWarpFront* child, const gelWarpFront* front,
	const Run* rows, const Run* columns )
{
	for ( uint32_t done = 0; done < rows->count; )
	{
		uint32_t from = rows->first + done, to = rows->to + done;
		uint32_t count = MinU32( GEL_TILE - from % GEL_TILE, GEL_TILE - to % GEL_TILE );
		count = MinU32( count, rows->count - done );
		uint32_t columnCount = MinU32( columns->count, from + count - columns->first );
		uint32_t row = rows->isBelow && !columns->isBelow ? front->columns + to : to;
		float* target = columns->isBelow ? GetUpdateEntry( front, to, columns->to )
										 : GetPanelEntry( front, row, columns->to );
		dense->addRows( GetUpdateEntry( child, from, columns->first ), (int)count, (int)columnCount, target );
		done += count;
	}
}

static void AddChild( const gelWarpSystem* system, const gelWarpFront* front, uint32_t c )
{
	GEL_ASSERT( c < system->tree->superCount );
	const gelWarpTree* tree = system->tree;
	gelWarpFront child = gelGetWarpFront( tree, &system->factor, c );
	const uint32_t* places = tree->places + tree->rowFirst[c];
	for ( uint32_t row = 0; row < child.below; )
	{
		Run rows, columns;
		row = FindRun( front, places, row, child.below, &rows );
		for ( uint32_t column = 0; 3 * column < rows.first + rows.count; )
		{
			column = FindRun( front, places, column, child.below, &columns );
			AddRuns( system->dense, &child, front, &rows, &columns );
		}
	}
}

// ---- factorization --------------------------------------------------------------------------------------

// Threads that may be used; calls of gelWorld_ParallelFor cost a few microseconds.
static int CountWorkers( const gelWarpSystem* system )
{
	if ( system->world == NULL || system->world->def.tasks.parallelFor == NULL ) return 1;
	return system->world->def.tasks.workerCount;
}

// Row blocks begin .. end - 1 of column k, whose tile on the diagonal is factored.
typedef struct PanelTask
{
	const gelDenseKernels* dense;
	const gelWarpFront* front;
	int k, blockCount;
} PanelTask;

static void SubtractColumn( const PanelTask* task, int begin, int end )
{
	const gelWarpFront* front = task->front;
	const float* block = front->panel + front->step * (size_t)task->k;
	const float* from = front->panel + front->step * (size_t)begin;
	gelDenseProduct product = { front->panel + front->step * (size_t)begin +
			GEL_TILE_FLOATS * (size_t)task->k,
		front->step, 0, from, front->step, block, end - begin, GEL_TILE * task->k };
	task->dense->subtractProduct( &product );
}

static void SolveColumn_Task( int begin, int end, int worker, void* taskContext )
{
	(void)worker;
	const PanelTask* task = taskContext;
	const gelWarpFront* front = task->front;
	int first = task->k + 1 + begin * GEL_PANEL_CHUNK, last = task->k + 1 + end * GEL_PANEL_CHUNK;
	if ( last > task->blockCount ) last = task->blockCount;
	SubtractColumn( task, first, last );
	task->dense->multiplyTiles(
		front->panel + front->step * (size_t)first + GEL_TILE_FLOATS * (size_t)task->k, front->step,
		last - first, front->tiles + GEL_TILE_FLOATS * (size_t)task->k );
}

static bool FactorPanel( const gelWarpSystem* system, const gelWarpFront* front, bool isShared )
{
	int blockCount = front->tileCount + front->blockCount;
	for ( int k = 0; k < front->tileCount; ++k )
	{
		PanelTask task = { system->dense, front, k, blockCount };
		float* tile = front->panel + front->step * (size_t)k + GEL_TILE_FLOATS * (size_t)k;
		SubtractColumn( &task, k, k + 1 );
		if ( !system->dense->factorTile( tile, front->tiles + GEL_TILE_FLOATS * (size_t)k ) ) return false;
		int chunkCount = ( blockCount - k - 1 + GEL_PANEL_CHUNK - 1 ) / GEL_PANEL_CHUNK;
		if ( isShared )
			gelWorld_ParallelFor( system->world, SolveColumn_Task, chunkCount, &task );
		else
			SolveColumn_Task( 0, chunkCount, 0, &task );
	}
	return true;
}

bool gelFactorWarpPanel( const gelWarpSystem* system, const gelWarpFront* front )
{
	return FactorPanel( system, front, false );
}

static void SubtractSquare_Task( int begin, int end, int worker, void* taskContext )
{
	(void)worker;
	const PanelTask* task = taskContext;
	const gelWarpFront* front = task->front;
	const float* below = front->panel + front->step * (size_t)front->tileCount;
	for ( int j = begin; j < end; ++j )
	{
		size_t block = (size_t)j;
		gelDenseProduct product = { front->update + gelGetUpdateOffset( block ) + GEL_TILE_FLOATS * block,
			GEL_TILE_FLOATS * ( block + 1 ), GEL_TILE_FLOATS, below + front->step * block, front->step,
			below + front->step * block, front->blockCount - j, (int)front->columns };
		task->dense->subtractProduct( &product );
	}
}

static void SubtractSquare( const gelWarpSystem* system, const gelWarpFront* front, bool isShared )
{
	PanelTask task = { system->dense, front, 0, 0 };
	if ( isShared )
		gelWorld_ParallelFor( system->world, SubtractSquare_Task, front->blockCount, &task );
	else
		SubtractSquare_Task( 0, front->blockCount, 0, &task );
}

// @param isShared all threads work on this one
static int FactorSuper( const gelWarpSystem* system, uint32_t s, bool isShared )
{
	GEL_ASSERT( s < system->tree->superCount );
	const gelWarpTree* tree = system->tree;
	gelWarpFront front = gelGetWarpFront( tree, &system->factor, s );
	float lift = 0.0f;
	int liftCount = 0;
	for ( ;; )
	{
		Assemble( system, &front, s );
		for ( uint32_t k = tree->childFirst[s]; k < tree->childFirst[s + 1]; ++k )
			AddChild( system, &front, tree->children[k] );
		for ( uint32_t c = 0; c < 3 * front.width && lift > 0.0f; ++c )
			*GetPanelEntry( &front, c, c ) *= 1.0f + lift;
		if ( FactorPanel( system, &front, isShared ) || liftCount == GEL_WARP_LIFTS ) break;
		lift = liftCount == 0 ? GEL_WARP_FIRST_LIFT : 10.0f * lift;
		++liftCount;
	}
	SubtractSquare( system, &front, isShared );
	return liftCount;
}

// ---- threads --------------------------------------------------------------------------------------------

// Supernodes of one height, which do not know of each other.
typedef struct HeightTask
{
	const gelWarpSystem* system;
	const uint8_t* isWanted;
	const uint32_t* supers;
	atomic_int liftCount;
} HeightTask;

static void FactorHeight_Task( int begin, int end, int worker, void* taskContext )
{
	(void)worker;
	HeightTask* task = taskContext;
	for ( int i = begin; i < end; ++i )
	{
		uint32_t s = task->supers[i];
		if ( task->isWanted == NULL || task->isWanted[s] )
			atomic_fetch_add( &task->liftCount, FactorSuper( task->system, s, false ) );
	}
}

// Bottom up; few large ones by all threads together. Sums have the same order however the work is shared.
static int FactorByHeight( const gelWarpSystem* system, const uint8_t* isWanted )
{
	const gelWarpTree* tree = system->tree;
	int liftCount = 0, workers = CountWorkers( system );
	for ( uint32_t h = 0; h < tree->heightCount; ++h )
	{
		uint32_t first = tree->heightFirst[h], end = tree->heightFirst[h + 1];
		int wanted = 0;
		for ( uint32_t i = first; i < end; ++i )
			wanted += isWanted == NULL || isWanted[tree->byHeight[i]];
		if ( wanted == 0 ) continue;
		if ( wanted >= 2 * workers )
		{
			HeightTask task = { system, isWanted, tree->byHeight + first, 0 };
			gelWorld_ParallelFor( system->world, FactorHeight_Task, (int)( end - first ), &task );
			liftCount += atomic_load( &task.liftCount );
			continue;
		}
		for ( uint32_t i = first; i < end; ++i )
		{
			uint32_t s = tree->byHeight[i];
			if ( isWanted && !isWanted[s] ) continue;
			liftCount += FactorSuper( system, s, tree->costs[s] > GEL_SHARED_COST );
		}
	}
	return liftCount;
}

int gelFactorWarp( const gelWarpSystem* system, const uint8_t* isWanted )
{
	if ( CountWorkers( system ) > 1 ) return FactorByHeight( system, isWanted );
	int liftCount = 0;
	for ( uint32_t s = 0; s < system->tree->superCount; ++s )
	{
		if ( isWanted == NULL || isWanted[s] ) liftCount += FactorSuper( system, s, false );
	}
	return liftCount;
}
