// SPDX-License-Identifier: MIT
// The factor of the warp-cancelled matrix: against a dense matrix in double, with pins and without; the same
// bits from all kernels; part of it anew gives the bits of all of it anew.
#include "test_support.h"

#include "query_stage.h"
#include "stage.h"

#include "asset/asset.h"
#include "bake/factor/warp_bake.h"
#include "solvers/warp/warp_factor.h"
#include "solvers/warp/warp_left.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bench
{
	gelStage stage;
	gelBakePool pool;
	gelWarpTree tree;
	gelTurnBlock* turns; // slot t is tet t
	uint32_t* tetSlots;
	float* masses;
	gelWarpSystem system;
} Bench;

static gelQuat RandomTurn( gelRandom* random, double angle )
{
	gelVec3 v = gelRandomVec3( random, angle );
	float length2 = gelDot( v, v ) + 1.0f, scale = 1.0f / sqrtf( length2 );
	return ( gelQuat ){ gelScale( scale, v ), scale };
}

static gelWarpFactor MakeFactor( Bench* bench )
{
	const gelWarpTree* tree = &bench->tree;
	return ( gelWarpFactor ){ gelBakePool_Alloc(
								  &bench->pool, (size_t)tree->panelFirst[tree->superCount], sizeof( float ) ),
		gelBakePool_Alloc( &bench->pool, (size_t)tree->updateFirst[tree->superCount] + 1, sizeof( float ) ),
		gelBakePool_Alloc(
			&bench->pool, GEL_TILE_FLOATS * (size_t)tree->tileFirst[tree->superCount], sizeof( float ) ) };
}

static const gelDenseKernels* GetDense( int index )
{
	static const gelSimdLevel levels[3] = { gel_simdScalar, gel_simdAvx2, gel_simdAvx512 };
	bool isThere = gelFindSimdLevel( levels[index] ) == levels[index];
	return isThere ? gelFindDense( levels[index] ) : NULL;
}

static Bench MakeBench( int x, int y, int z, bool isPinned, double angle )
{
	gelStageDef def = gelDefaultStageDef();
	def.cells[0] = x;
	def.cells[1] = y;
	def.cells[2] = z;
	def.pinLeft = isPinned;
	Bench bench = { .stage = gelMakeStage( &def ) };
	const gelAsset* asset = bench.stage.asset;
	gelPackFactorView view;
	uint64_t pinSetId = 0;
	gelAsset_GetPinSets( asset, &pinSetId, 1 );
	assert_true( gelAsset_FindFactor( asset, bench.stage.step, pinSetId, &view ) );
	gelBakeFactor panels = { .n = view.header->n, .superCount = view.header->superCount };
	panels.perm = (uint32_t*)(uintptr_t)view.perm;
	panels.superFirst = (uint32_t*)(uintptr_t)view.superFirst;
	panels.rowFirst = (uint32_t*)(uintptr_t)view.rowFirst;
	panels.rows = (uint32_t*)(uintptr_t)view.rows;
	assert_true( gelBuildWarpTree( &panels, asset->pack.tets, (uint32_t)asset->tetCount,
		(uint32_t)asset->nodeCount, &bench.pool, &bench.tree ) );
	gelRandom random = { 7 };
	bench.turns = gelBakePool_Alloc( &bench.pool, (size_t)asset->tetCount / 8 + 1, sizeof( gelTurnBlock ) );
	bench.tetSlots = gelBakePool_Alloc( &bench.pool, (size_t)asset->tetCount, sizeof( uint32_t ) );
	bench.masses = gelBakePool_Alloc( &bench.pool, (size_t)asset->nodeCount, sizeof( float ) );
	for ( int t = 0; t < asset->tetCount; ++t )
	{
		for ( int k = 0; k < 4; ++k )
			gelSetTetTurn( bench.turns + t / 8, t % 8, k, RandomTurn( &random, angle ) );
		bench.tetSlots[t] = (uint32_t)t;
	}
	for ( int i = 0; i < asset->nodeCount; ++i )
		bench.masses[i] = asset->pack.masses[i].mass;
	bench.system = ( gelWarpSystem ){ .pack = &asset->pack,
		.dense = GetDense( 0 ),
		.masses = bench.masses,
		.scale = bench.stage.step * bench.stage.step };
	bench.system.factor = MakeFactor( &bench );
	return bench;
}

// The bench may have moved.
static const gelWarpSystem* GetSystem( Bench* bench )
{
	bench->system.tree = &bench->tree;
	bench->system.turns = bench->turns;
	bench->system.tetSlots = bench->tetSlots;
	return &bench->system;
}

static void FreeBench( Bench* bench )
{
	gelFreeBakePool( &bench->pool );
	gelFreeStage( &bench->stage );
}

// ---- a dense matrix in double ---------------------------------------------------------------------------

static void GetTurn( gelQuat q, double m[3][3] )
{
	double x = q.v.x, y = q.v.y, z = q.v.z, s = q.s;
	const double r[3][3] = { { 1 - 2 * ( y * y + z * z ), 2 * ( x * y - s * z ), 2 * ( x * z + s * y ) },
		{ 2 * ( x * y + s * z ), 1 - 2 * ( x * x + z * z ), 2 * ( y * z - s * x ) },
		{ 2 * ( x * z - s * y ), 2 * ( y * z + s * x ), 1 - 2 * ( x * x + y * y ) } };
	memcpy( m, r, sizeof( r ) );
}

// Adds a_i K0_ij a_j^T of a tet, K0 from Hooke's law entry by entry.
static void AddDenseTet( const Bench* bench, uint32_t t, const uint32_t* columnOf, double* A, size_t n )
{
	const gelPackView* pack = bench->system.pack;
	const gelPackTetRest* rest = pack->tetRests + t;
	const gelPackMaterial* material = pack->materials + rest->material;
	double g[4][3] = { { 0 } }, a[4][3][3];
	for ( int c = 0; c < 3; ++c )
	{
		for ( int k = 1; k < 4; ++k )
		{
			g[k][c] = rest->invDm[3 * ( k - 1 ) + c];
			g[0][c] -= g[k][c];
		}
	}
	for ( int k = 0; k < 4; ++k )
		GetTurn( gelGetTetTurn( bench->turns + t / 8, (int)( t % 8 ), k ), a[k] );
	double scale = (double)bench->system.scale * rest->volume;
	for ( int i = 0; i < 4; ++i )
	{
		for ( int j = 0; j < 4; ++j )
		{
			double K[3][3], half[3][3] = { { 0 } };
			double both = g[i][0] * g[j][0] + g[i][1] * g[j][1] + g[i][2] * g[j][2];
			for ( int r = 0; r < 3; ++r )
			{
				for ( int c = 0; c < 3; ++c )
					K[r][c] = scale *
						( material->mu * ( ( r == c ? both : 0.0 ) + g[j][r] * g[i][c] ) +
							material->lambda * g[i][r] * g[j][c] );
			}
			for ( int r = 0; r < 3; ++r )
			{
				for ( int c = 0; c < 3; ++c )
				{
					for ( int k = 0; k < 3; ++k )
						half[r][c] += a[i][r][k] * K[k][c];
				}
			}
			uint32_t row = columnOf[pack->tets[t].node[i]], column = columnOf[pack->tets[t].node[j]];
			if ( row == GEL_NO_INDEX || column == GEL_NO_INDEX ) continue;
			for ( int r = 0; r < 3; ++r )
			{
				for ( int c = 0; c < 3; ++c )
				{
					for ( int k = 0; k < 3; ++k )
						A[( 3 * row + (size_t)r ) * n + 3 * column + (size_t)c] += half[r][k] * a[j][c][k];
				}
			}
		}
	}
}

static double* MakeDense( Bench* bench )
{
	size_t n = 3 * (size_t)bench->tree.n;
	int nodeCount = bench->stage.asset->nodeCount;
	double* A = gelBakePool_Alloc( &bench->pool, n * n, sizeof( double ) );
	uint32_t* columnOf = gelBakePool_Alloc( &bench->pool, (size_t)nodeCount, sizeof( uint32_t ) );
	for ( int i = 0; i < nodeCount; ++i )
		columnOf[i] = GEL_NO_INDEX;
	for ( uint32_t c = 0; c < bench->tree.n; ++c )
	{
		columnOf[bench->tree.perm[c]] = c;
		for ( size_t d = 0; d < 3; ++d )
			A[( 3 * c + d ) * ( n + 1 )] = bench->masses[bench->tree.perm[c]];
	}
	for ( int t = 0; t < bench->stage.asset->tetCount; ++t )
		AddDenseTet( bench, (uint32_t)t, columnOf, A, n );
	return A;
}

// Largest error of a solution that is known: b = A x.
static double SolveKnown( Bench* bench, const double* A )
{
	const gelWarpSystem* system = GetSystem( bench );
	size_t n = 3 * (size_t)bench->tree.n;
	gelRandom random = { 3 };
	double* x = gelBakePool_Alloc( &bench->pool, n, sizeof( double ) );
	float* b = gelBakePool_Alloc( &bench->pool, n, sizeof( float ) );
	float* scratch = gelBakePool_Alloc( &bench->pool, gelGetWarpScratch( &bench->tree ), sizeof( float ) );
	for ( size_t i = 0; i < n; ++i )
		x[i] = gelRandom_Uniform( &random, -1.0, 1.0 );
	for ( size_t i = 0; i < n; ++i )
	{
		double sum = 0.0;
		for ( size_t j = 0; j < n; ++j )
			sum += A[i * n + j] * x[j];
		b[i] = (float)sum;
	}
	gelSolveWarp( &bench->tree, system->dense, &system->factor, b, scratch );
	double error = 0.0;
	for ( size_t i = 0; i < n; ++i )
		error = fmax( error, fabs( (double)b[i] - x[i] ) );
	return error;
}

static void SolvesWhatADenseMatrixSays( void** state )
{
	(void)state;
	static const int sizes[][3] = { { 1, 1, 1 }, { 3, 3, 3 }, { 7, 4, 3 }, { 12, 2, 2 } };
	for ( int i = 0; i < 8; ++i )
	{
		const int* size = sizes[i / 2];
		Bench bench = MakeBench( size[0], size[1], size[2], i % 2 != 0, i < 4 ? 0.0 : 0.3 );
		double* A = MakeDense( &bench );
		assert_int_equal( gelFactorWarp( GetSystem( &bench ), NULL ), 0 );
		double error = SolveKnown( &bench, A );
		if ( !( error < 1e-4 ) ) fail_msg( "size %d: off by %g", i, error );
		FreeBench( &bench );
	}
}

static bool HasSameBits( const Bench* bench, const gelWarpFactor* a, const gelWarpFactor* b )
{
	const gelWarpTree* tree = &bench->tree;
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		gelWarpFront x = gelGetWarpFront( tree, a, s ), y = gelGetWarpFront( tree, b, s );
		size_t panel = (size_t)( tree->panelFirst[s + 1] - tree->panelFirst[s] ) * sizeof( float );
		size_t update = (size_t)( tree->updateFirst[s + 1] - tree->updateFirst[s] ) * sizeof( float );
		size_t tiles = GEL_TILE_FLOATS * (size_t)x.tileCount * sizeof( float );
		if ( memcmp( x.panel, y.panel, panel ) != 0 || memcmp( x.update, y.update, update ) != 0 )
			return false;
		if ( memcmp( x.tiles, y.tiles, tiles ) != 0 ) return false;
	}
	return true;
}

static void AllKernelsGiveTheSameBits( void** state )
{
	(void)state;
	Bench bench = MakeBench( 6, 5, 4, false, 0.2 );
	GetSystem( &bench );
	gelFactorWarp( &bench.system, NULL );
	gelWarpFactor plain = bench.system.factor;
	for ( int i = 1; i < 3; ++i )
	{
		if ( GetDense( i ) == NULL ) continue;
		bench.system.dense = GetDense( i );
		bench.system.factor = MakeFactor( &bench );
		gelFactorWarp( &bench.system, NULL );
		assert_true( HasSameBits( &bench, &plain, &bench.system.factor ) );
	}
	FreeBench( &bench );
}

// New turns for the tets of some supernodes: those and their ancestors anew are as good as all anew, and
// nothing else has changed.
static void PartIsAsGoodAsAll( void** state )
{
	(void)state;
	Bench bench = MakeBench( 8, 6, 5, false, 0.2 );
	const gelWarpTree* tree = &bench.tree;
	assert_true( tree->superCount > 8 );
	gelRandom random = { 11 };
	uint8_t* isWanted = gelBakePool_Alloc( &bench.pool, tree->superCount, 1 );
	GetSystem( &bench );
	gelFactorWarp( &bench.system, NULL );
	gelWarpFactor part = bench.system.factor, all = MakeFactor( &bench );
	for ( int round = 0; round < 12; ++round )
	{
		memset( isWanted, 0, tree->superCount );
		uint32_t count = 0, s = (uint32_t)gelRandom_Uniform( &random, 0.0, tree->superCount - 0.01 );
		for ( uint32_t k = tree->tetFirst[s]; k < tree->tetFirst[s + 1]; ++k )
			gelSetTetTurn( bench.turns + tree->tets[k] / 8, (int)( tree->tets[k] % 8 ), round % 4,
				RandomTurn( &random, 0.3 ) );
		for ( ; s < tree->superCount; s = tree->parents[s], ++count )
			isWanted[s] = 1;
		assert_true( count < tree->superCount );
		bench.system.factor = part;
		gelFactorWarp( &bench.system, isWanted );
		bench.system.factor = all;
		gelFactorWarp( &bench.system, NULL );
		assert_true( HasSameBits( &bench, &part, &all ) );
	}
	FreeBench( &bench );
}

// Without updates the same matrix is factored, by sums in another order; and part of it anew is as good as
// all.
static void LeftLookingIsTheSame( void** state )
{
	(void)state;
	for ( int isPinned = 0; isPinned < 2; ++isPinned )
	{
		Bench bench = MakeBench( 7, 5, 4, isPinned != 0, 0.25 );
		const gelWarpTree* tree = &bench.tree;
		double* A = MakeDense( &bench );
		GetSystem( &bench );
		gelArena arena = { 0 };
		gelWarpLeft_LayOut( &arena, tree, (uint32_t)bench.stage.nodeCount );
		arena = ( gelArena ){ .base = gelBakePool_Alloc( &bench.pool, arena.bytes, 1 ) };
		gelWarpLeft left = gelWarpLeft_LayOut( &arena, tree, (uint32_t)bench.stage.nodeCount );
		gelWarpLeft_Fill( &left, tree, bench.system.pack );
		gelWarpFactor part = MakeFactor( &bench ), all = MakeFactor( &bench );
		part.updates = all.updates = NULL;
		bench.system.factor = part;
		assert_int_equal( gelFactorWarpLeft( &bench.system, &left, NULL ), 0 );
		double error = SolveKnown( &bench, A );
		if ( !( error < 1e-4 ) ) fail_msg( "off by %g", error );
		gelRandom random = { 17 };
		uint8_t* isWanted = gelBakePool_Alloc( &bench.pool, tree->superCount, 1 );
		for ( int round = 0; round < 8; ++round )
		{
			memset( isWanted, 0, tree->superCount );
			uint32_t s = (uint32_t)gelRandom_Uniform( &random, 0.0, tree->superCount - 0.01 );
			for ( uint32_t k = tree->tetFirst[s]; k < tree->tetFirst[s + 1]; ++k )
				gelSetTetTurn( bench.turns + tree->tets[k] / 8, (int)( tree->tets[k] % 8 ), round % 4,
					RandomTurn( &random, 0.3 ) );
			for ( ; s < tree->superCount; s = tree->parents[s] )
				isWanted[s] = 1;
			bench.system.factor = part;
			gelFactorWarpLeft( &bench.system, &left, isWanted );
			bench.system.factor = all;
			gelFactorWarpLeft( &bench.system, &left, NULL );
			size_t bytes = (size_t)tree->panelFirst[tree->superCount] * sizeof( float );
			assert_memory_equal( part.panels, all.panels, bytes );
		}
		FreeBench( &bench );
	}
}

// One chain of a binary tree: a refresh is local.
static void TreeIsBushy( void** state )
{
	(void)state;
	Bench bench = MakeBench( 10, 10, 10, false, 0.0 );
	const gelWarpTree* tree = &bench.tree;
	uint64_t total = 0, dearest = 0;
	for ( uint32_t s = 0; s < tree->superCount; ++s )
	{
		uint64_t path = 0;
		total += tree->costs[s];
		for ( uint32_t up = s; up < tree->superCount; up = tree->parents[up] )
			path += tree->costs[up];
		dearest = path > dearest ? path : dearest;
		if ( tree->childFirst[s] == tree->childFirst[s + 1] )
			assert_true( tree->superFirst[s + 1] - tree->superFirst[s] <= 32 );
	}
	assert_true( dearest < total * 3 / 4 );
	FreeBench( &bench );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( SolvesWhatADenseMatrixSays ),
		cmocka_unit_test( AllKernelsGiveTheSameBits ),
		cmocka_unit_test( PartIsAsGoodAsAll ),
		cmocka_unit_test( LeftLookingIsTheSame ),
		cmocka_unit_test( TreeIsBushy ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
