// SPDX-License-Identifier: MIT
// Factors against a dense double Cholesky of a matrix that is assembled here from scratch.
#include "test_support.h"

#include "bake/body/body_passes.h"
#include "bake/factor/factor_passes.h"
#include "test_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture
{
	gelProgram program;
	gelBakeData data;
	gelBakeGraph graph;
	gelBakeFactor factor;
	gelFactorStatus status;
	double* A;     // dense, by free nodes
	double* panel; // dense L out of the panels, by rows of L
} Fixture;

static const double s_step = 1.0 / 128.0; // exactly a float

// The definition, tet by tet: A_ij = delta_ij m_i + sum 2 h^2 mu V (g_i . g_j).
static void AssembleDense( Fixture* f )
{
	const gelBakeData* d = &f->data;
	size_t n = f->graph.n;
	f->A = calloc( n * n, sizeof( double ) );
	for ( uint32_t i = 0; i < n; ++i )
		f->A[i * n + i] = (double)d->masses[f->graph.freeToNode[i]].mass;
	for ( uint32_t t = 0; t < d->cage.tetCount; ++t )
	{
		const gelPackTetRest* rest = d->rest.tets + t;
		double g[4][3] = { { 0.0 } };
		for ( int k = 0; k < 9; ++k )
		{
			g[1 + k / 3][k % 3] = (double)rest->invDm[k];
			g[0][k % 3] -= (double)rest->invDm[k];
		}
		for ( int k = 0; k < 16; ++k )
		{
			uint32_t i = f->graph.nodeToFree[d->cage.tets[t].node[k / 4]];
			uint32_t j = f->graph.nodeToFree[d->cage.tets[t].node[k % 4]];
			if ( i == GEL_NO_INDEX || j == GEL_NO_INDEX ) continue;
			const double *a = g[k / 4], *b = g[k % 4];
			f->A[i * n + j] += 2.0 * s_step * s_step * (double)d->materials.items[rest->material].mu *
				(double)rest->volume * ( a[0] * b[0] + a[1] * b[1] + a[2] * b[2] );
		}
	}
}

// Also checks that the panels cover every column exactly once and keep their layout rules.
static void UnpackPanels( Fixture* f )
{
	const gelBakeFactor* L = &f->factor;
	size_t n = L->n;
	f->panel = calloc( n * n, sizeof( double ) );
	assert_int_equal( L->superFirst[0], 0 );
	assert_int_equal( L->superFirst[L->superCount], n );
	for ( uint32_t s = 0; s < L->superCount; ++s )
	{
		const uint32_t* rows = L->rows + L->rowFirst[s];
		uint32_t first = L->superFirst[s], width = L->superFirst[s + 1] - first;
		uint32_t count = L->rowFirst[s + 1] - L->rowFirst[s], leading = ( count + 7 ) / 8 * 8;
		assert_true( width > 0 && width <= GEL_BAKE_MAX_PANEL_WIDTH && count >= width );
		assert_int_equal( L->valueFirst[s] % 16, 0 );
		assert_true( L->valueFirst[s + 1] - L->valueFirst[s] >= (uint64_t)leading * width );
		uint32_t parent = count == width ? L->superCount : 0;
		for ( uint32_t i = 0; i < count; ++i )
			assert_true( i < width ? rows[i] == first + i : rows[i] > rows[i - 1] && rows[i] < n );
		while ( count > width && L->superFirst[parent + 1] <= rows[width] )
			parent += 1;
		assert_int_equal( L->parent[s], parent );
		for ( size_t k = 0; k < L->valueFirst[s + 1] - L->valueFirst[s]; ++k )
		{
			size_t c = k / leading, i = k % leading;
			float value = L->values[L->valueFirst[s] + k];
			bool stored = c < width && i >= c && i < count;
			if ( stored ) f->panel[rows[i] * n + first + c] = (double)value;
			if ( !stored ) assert_true( value == 0.0f && !signbit( value ) );
		}
	}
}

static void Setup( Fixture* f, const gelCage* cage, const gelBakePinSet* pins )
{
	memset( f, 0, sizeof( *f ) );
	gelInitTestProgram( &f->program );
	gelBakeSettings settings = gelDefaultBakeSettings();
	gelFindings* findings = &f->program.findings;
	gelBakeData* d = &f->data;
	assert_true( gelCheckCage( cage, NULL, &d->pool, findings, &d->cage ) );
	assert_true( gelBuildMaterials( &settings, &d->cage, &d->pool, findings, &d->materials ) );
	d->gather = gelBuildGather( &d->cage, &d->pool );
	assert_true( gelBuildRestShapes( &d->cage, d->materials.tets, &d->pool, findings, &d->rest ) );
	assert_true( gelBuildMasses(
		&d->cage, &d->gather, &d->rest, d->materials.items, &d->pool, findings, &d->masses ) );
	f->graph = gelBuildGraph( &d->cage, &d->gather, pins != NULL ? pins->nodes : NULL,
		pins != NULL ? pins->nodeCount : 0, &d->pool );
	const uint32_t* order = gelOrderNodes( &f->graph, &d->pool );
	assert_non_null( order );
	gelBakeMatrix A = gelAssembleMatrix(
		&d->cage, &d->gather, &d->rest, d->materials.items, d->masses, &f->graph, s_step, &d->pool );
	f->status = gelFactorMatrix( &A, &f->graph, order, &d->pool, &f->factor );
}

static void Teardown( Fixture* f )
{
	free( f->A );
	free( f->panel );
	gelFreeBakePool( &f->data.pool );
	gelFreeTestProgram( &f->program );
}

// max |L L^T - P A P^T| / max |A|, by hand.
static double DenseResidual( const Fixture* f )
{
	size_t n = f->factor.n;
	double worst = 0.0, norm = 0.0;
	for ( size_t i = 0; i < n; ++i )
	{
		for ( size_t j = 0; j <= i; ++j )
		{
			double sum = 0.0;
			for ( size_t k = 0; k <= j; ++k )
				sum += f->panel[i * n + k] * f->panel[j * n + k];
			uint32_t a = f->graph.nodeToFree[f->factor.perm[i]], b = f->graph.nodeToFree[f->factor.perm[j]];
			worst = fmax( worst, fabs( sum - f->A[a * n + b] ) );
			norm = fmax( norm, fabs( f->A[a * n + b] ) );
		}
	}
	return worst / norm;
}

// Solves with the rounded L in double and compares A x with the right-hand side.
static void CheckSolve( const Fixture* f )
{
	size_t n = f->factor.n;
	gelRandom random = { 99 };
	double *b = calloc( n, sizeof( double ) ), *y = calloc( n, sizeof( double ) ),
		   *x = calloc( n, sizeof( double ) );
	for ( size_t i = 0; i < n; ++i )
		b[i] = gelRandom_Normal( &random );
	for ( size_t i = 0; i < n; ++i )
	{
		y[i] = b[f->graph.nodeToFree[f->factor.perm[i]]];
		for ( size_t k = 0; k < i; ++k )
			y[i] -= f->panel[i * n + k] * y[k];
		y[i] *= (double)f->factor.invDiagonal[i];
	}
	for ( size_t i = n; i-- > 0; )
	{
		for ( size_t k = i + 1; k < n; ++k )
			y[i] -= f->panel[k * n + i] * y[k];
		y[i] *= (double)f->factor.invDiagonal[i];
		x[f->graph.nodeToFree[f->factor.perm[i]]] = y[i];
	}
	for ( size_t i = 0; i < n; ++i )
	{
		double sum = -b[i];
		for ( size_t j = 0; j < n; ++j )
			sum += f->A[i * n + j] * x[j];
		assert_true( fabs( sum ) < 1e-5 );
	}
	free( b );
	free( y );
	free( x );
}

static void CheckFactor( const gelCage* cage, const gelBakePinSet* pins )
{
	Fixture f;
	Setup( &f, cage, pins );
	assert_int_equal( f.status, gel_factorOk );
	assert_int_equal( f.factor.n, cage->nodeCount - ( pins != NULL ? pins->nodeCount : 0 ) );
	AssembleDense( &f );
	UnpackPanels( &f );
	double residual = DenseResidual( &f );
	assert_true( residual < 1e-6 );
	assert_true( fabs( residual - f.factor.residual ) < 1e-12 );
	CheckSolve( &f );
	bool* seen = calloc( cage->nodeCount, sizeof( bool ) );
	for ( uint32_t i = 0; pins != NULL && i < pins->nodeCount; ++i )
		seen[pins->nodes[i]] = true;
	for ( uint32_t i = 0; i < f.factor.n; ++i )
	{
		assert_false( seen[f.factor.perm[i]] ); // neither pinned nor twice
		seen[f.factor.perm[i]] = true;
		double diagonal = f.panel[(size_t)i * f.factor.n + i];
		assert_true( fabs( diagonal * (double)f.factor.invDiagonal[i] - 1.0 ) < 1e-7 );
	}
	free( seen );
	Teardown( &f );
}

static void TestBoxes( void** state )
{
	(void)state;
	const int sizes[][3] = { { 1, 1, 1 }, { 2, 1, 1 }, { 3, 3, 3 }, { 12, 2, 2 }, { 5, 5, 5 } };
	for ( size_t i = 0; i < sizeof( sizes ) / sizeof( sizes[0] ); ++i )
	{
		const int* s = sizes[i];
		gelCage cage = gelMakeBoxCage( s[0], s[1], s[2], 0.1 * s[0], 0.2 * s[1], 0.1 * s[2],
			i % 2 == 0 ? gel_boxSplitFive : gel_boxSplitSix );
		CheckFactor( &cage, NULL );
		gelFreeCage( &cage );
	}
}

static void TestPinsAreRemoved( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 6, 2, 2, 3.0, 1.0, 1.0, gel_boxSplitFive );
	gelBakePinSet ends[] = { gelPinNodesInSlab( &cage, 0, 0.0, 0.0 ),
		gelPinNodesInSlab( &cage, 0, 1.4, 1.6 ) };
	CheckFactor( &cage, ends + 0 );
	CheckFactor( &cage, ends + 1 ); // the free nodes fall into two parts
	free( ends[0].nodes );
	free( ends[1].nodes );
	gelFreeCage( &cage );
}

static void TestAlmostAllPinned( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 2, 2, 2, 1.0, 1.0, 1.0, gel_boxSplitSix );
	uint32_t nodes[27];
	for ( uint32_t freeNode = 0; freeNode < 27; freeNode += 13 )
	{
		gelBakePinSet pins = { nodes, 0 };
		for ( uint32_t i = 0; i < 27; ++i )
		{
			if ( i != freeNode ) nodes[pins.nodeCount++] = i;
		}
		CheckFactor( &cage, &pins );
		pins.nodeCount -= 1; // two free nodes that do not touch, or do
		CheckFactor( &cage, &pins );
	}
	gelFreeCage( &cage );
}

static void TestSingleTetAndTwoParts( void** state )
{
	(void)state;
	const double offset[3] = { 10.0, 0.0, 0.0 };
	gelCage tet = gelMakeTetCage( 0.5 ), box = gelMakeBoxCage( 3, 2, 2, 1.0, 1.0, 1.0, gel_boxSplitSix );
	gelCage both = gelJoinCages( &tet, &box, offset ),
			more = gelJoinCages( &both, &tet, ( double[3] ){ 0.0, 9.0, 0.0 } );
	CheckFactor( &tet, NULL );
	CheckFactor( &both, NULL );
	CheckFactor( &more, NULL );
	gelFreeCage( &tet );
	gelFreeCage( &box );
	gelFreeCage( &both );
	gelFreeCage( &more );
}

// Two tets of one body that differ by 1e4 in size: pivots differ by more than a float can hold.
static void TestBadConditionIsRefused( void** state )
{
	(void)state;
	gelCage big = gelMakeTetCage( 1000.0 ), small = gelMakeTetCage( 0.01 );
	gelCage both = gelJoinCages( &big, &small, ( double[3] ){ 5000.0, 0.0, 0.0 } );
	Fixture f;
	Setup( &f, &both, NULL );
	assert_int_equal( f.status, gel_factorConditioned );
	Teardown( &f );
	gelFreeCage( &big );
	gelFreeCage( &small );
	gelFreeCage( &both );
}

// The order is what makes large bodies affordable: without one this beam fills up to more than twice as much.
static void TestOrderReducesFill( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 10, 10, 10, 1.0, 1.0, 1.0, gel_boxSplitFive );
	Fixture f;
	Setup( &f, &cage, NULL );
	assert_int_equal( f.status, gel_factorOk );
	assert_true( f.factor.nonzeroCount < 90000 ); // natural order: about 180,000
	assert_true( f.factor.residual < 1e-6 );
	Teardown( &f );
	gelFreeCage( &cage );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestBoxes ),
		cmocka_unit_test( TestPinsAreRemoved ),
		cmocka_unit_test( TestAlmostAllPinned ),
		cmocka_unit_test( TestSingleTetAndTwoParts ),
		cmocka_unit_test( TestBadConditionIsRefused ),
		cmocka_unit_test( TestOrderReducesFill ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
