// SPDX-License-Identifier: MIT
// Laws of the mechanical passes: volumes, masses, gradients, gather lists and colors.
#include "test_support.h"

#include "bake/body/body_passes.h"
#include "test_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture
{
	gelCage cage;
	gelProgram program;
	gelBakeData data;
} Fixture;

// Interior nodes are moved about, so that no two tets are alike; the boundary and with it the volume stay.
static void JitterInterior( gelCage* cage, double amount, gelRandom* random )
{
	double high[3] = { 0.0, 0.0, 0.0 };
	for ( size_t i = 0; i < 3 * (size_t)cage->nodeCount; ++i )
		high[i % 3] = fmax( high[i % 3], cage->positions[i] );
	for ( size_t i = 0; i < cage->nodeCount; ++i )
	{
		double* p = cage->positions + 3 * i;
		bool inside = true;
		for ( int c = 0; c < 3; ++c )
			inside = inside && p[c] > 0.0 && p[c] < high[c];
		for ( int c = 0; c < 3 && inside; ++c )
			p[c] += gelRandom_Uniform( random, -amount, amount );
	}
}

static void Setup( Fixture* f, gelCage cage )
{
	memset( f, 0, sizeof( *f ) );
	f->cage = cage;
	gelInitTestProgram( &f->program );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.material.density = 1234.5;
	gelFindings* findings = &f->program.findings;
	gelBakeData* d = &f->data;
	assert_true( gelCheckCage( &f->cage, NULL, &d->pool, findings, &d->cage ) );
	assert_true( gelBuildMaterials( &settings, &d->cage, &d->pool, findings, &d->materials ) );
	d->gather = gelBuildGather( &d->cage, &d->pool );
	assert_true( gelBuildRestShapes( &d->cage, d->materials.tets, &d->pool, findings, &d->rest ) );
	assert_true( gelBuildMasses(
		&d->cage, &d->gather, &d->rest, d->materials.items, &d->pool, findings, &d->masses ) );
	assert_true( gelColorTets( &d->cage, &d->pool, findings, &d->coloring ) );
}

static void Teardown( Fixture* f )
{
	gelFreeBakePool( &f->data.pool );
	gelFreeTestProgram( &f->program );
	gelFreeCage( &f->cage );
}

static void SetupJittered( Fixture* f, gelBoxSplit split )
{
	gelRandom random = { 7 };
	gelCage cage = gelMakeBoxCage( 5, 4, 3, 1.5, 1.0, 0.5, split );
	JitterInterior( &cage, 0.03, &random );
	Setup( f, cage );
}

static void TestMassesSumToDensityTimesVolume( void** state )
{
	(void)state;
	for ( int split = 0; split < 2; ++split )
	{
		Fixture f;
		SetupJittered( &f, split == 0 ? gel_boxSplitFive : gel_boxSplitSix );
		double mass = 0.0;
		for ( uint32_t i = 0; i < f.data.cage.nodeCount; ++i )
		{
			const gelPackMass* m = f.data.masses + i;
			mass += (double)m->mass;
			assert_true( m->mass > 0.0f );
			assert_true( fabs( (double)m->mass * (double)m->invMass - 1.0 ) < 2e-7 );
		}
		assert_true( fabs( f.data.rest.volume - 0.75 ) < 1e-6 * 0.75 );
		// one rounding to float per tet and per node
		assert_true( fabs( mass - 1234.5 * 0.75 ) < 1e-6 * mass );
		Teardown( &f );
	}
}

// F = sum_i x_i g_i^T is the identity at rest, and the map's own matrix for any affine map.
static void TestGradientsReproduceAffineMaps( void** state )
{
	(void)state;
	Fixture f;
	SetupJittered( &f, gel_boxSplitFive );
	const double M[3][3] = { { 1.2, 0.3, -0.1 }, { 0.2, 0.7, 0.4 }, { -0.5, 0.1, 1.1 } };
	for ( uint32_t t = 0; t < f.data.cage.tetCount; ++t )
	{
		const float* B = f.data.rest.tets[t].invDm;
		double g[4][3] = { { 0.0 } }, F[3][3] = { { 0.0 } };
		for ( int k = 0; k < 9; ++k )
		{
			g[1 + k / 3][k % 3] = (double)B[k];
			g[0][k % 3] -= (double)B[k];
		}
		for ( int i = 0; i < 4; ++i )
		{
			const gelPackNode* n = f.data.cage.nodes + f.data.cage.tets[t].node[i];
			for ( int r = 0; r < 9; ++r )
			{
				const double* m = M[r / 3];
				double y = m[0] * (double)n->x + m[1] * (double)n->y + m[2] * (double)n->z;
				F[r / 3][r % 3] += y * g[i][r % 3];
			}
		}
		for ( int r = 0; r < 9; ++r )
			assert_true( fabs( F[r / 3][r % 3] - M[r / 3][r % 3] ) < 1e-5 );
	}
	Teardown( &f );
}

static void TestGatherIsInverseOfTets( void** state )
{
	(void)state;
	Fixture f;
	SetupJittered( &f, gel_boxSplitSix );
	const gelBakeGather* gather = &f.data.gather;
	uint32_t cornerCount = 4 * f.data.cage.tetCount;
	bool* seen = calloc( cornerCount, sizeof( bool ) );
	assert_int_equal( gather->nodeFirst[0], 0 );
	assert_int_equal( gather->nodeFirst[f.data.cage.nodeCount], cornerCount );
	for ( uint32_t node = 0; node < f.data.cage.nodeCount; ++node )
	{
		assert_true( gather->nodeFirst[node] < gather->nodeFirst[node + 1] );
		for ( uint32_t k = gather->nodeFirst[node]; k < gather->nodeFirst[node + 1]; ++k )
		{
			uint32_t corner = gather->corners[k];
			assert_true( corner < cornerCount && !seen[corner] );
			assert_true( k == gather->nodeFirst[node] || gather->corners[k - 1] < corner );
			assert_int_equal( f.data.cage.tets[corner / 4].node[corner % 4], node );
			seen[corner] = true;
		}
	}
	free( seen );
	Teardown( &f );
}

static void CheckColoring( const gelBakeData* data )
{
	const gelBakeColoring* coloring = &data->coloring;
	bool* seen = calloc( data->cage.tetCount, sizeof( bool ) );
	uint32_t* nodeColor = calloc( data->cage.nodeCount, sizeof( uint32_t ) );
	assert_int_equal( coloring->colorFirst[0], 0 );
	assert_int_equal( coloring->colorFirst[coloring->colorCount], data->cage.tetCount );
	uint32_t before = UINT32_MAX;
	for ( uint32_t c = 0; c < coloring->colorCount; ++c )
	{
		uint32_t size = coloring->colorFirst[c + 1] - coloring->colorFirst[c];
		assert_true( size > 0 && size <= before ); // the largest first
		before = size;
		for ( uint32_t i = coloring->colorFirst[c]; i < coloring->colorFirst[c + 1]; ++i )
		{
			uint32_t t = coloring->tets[i];
			assert_true( t < data->cage.tetCount && !seen[t] );
			seen[t] = true;
			for ( int k = 0; k < 4; ++k )
			{
				uint32_t* color = nodeColor + data->cage.tets[t].node[k];
				assert_int_not_equal( *color, c + 1 );
				*color = c + 1;
			}
		}
	}
	free( seen );
	free( nodeColor );
}

static void TestColorsShareNoNode( void** state )
{
	(void)state;
	Fixture f;
	SetupJittered( &f, gel_boxSplitFive );
	CheckColoring( &f.data );
	Teardown( &f );
	SetupJittered( &f, gel_boxSplitSix );
	CheckColoring( &f.data );
	Teardown( &f );
}

// A fan of tets around one edge needs as many colors as it has tets: more than one word of bits.
static void TestFanNeedsOneColorPerTet( void** state )
{
	(void)state;
	enum
	{
		count = 150
	};
	gelCage cage = { 0 };
	cage.nodeCount = count + 2;
	cage.tetCount = count;
	cage.positions = calloc( 3 * (size_t)cage.nodeCount, sizeof( double ) );
	cage.tets = calloc( 4 * (size_t)cage.tetCount, sizeof( uint32_t ) );
	cage.positions[3 * 1 + 1] = 1.0; // node 0 at the origin, node 1 above it
	for ( uint32_t i = 0; i < count; ++i )
	{
		cage.positions[3 * ( i + 2 )] = cos( 6.283185307179586 * i / count );
		cage.positions[3 * ( i + 2 ) + 2] = sin( 6.283185307179586 * i / count );
		// seen from above the angle runs clockwise (x to z about -y), which makes this order positive
		const uint32_t tet[4] = { 0, 1, ( i + 1 ) % count + 2, i + 2 };
		memcpy( cage.tets + 4 * (size_t)i, tet, sizeof( tet ) );
	}
	Fixture f;
	Setup( &f, cage );
	assert_int_equal( f.data.coloring.colorCount, count );
	CheckColoring( &f.data );
	Teardown( &f );
}

static void TestLameParameters( void** state )
{
	(void)state;
	gelFindings findings = { .quiet = true };
	gelBakeMaterial material = gelDefaultBakeSettings().material;
	gelPackMaterial packed;
	material.youngsModulus = 3e6;
	material.poissonsRatio = 0.25; // mu = lambda = E / 2.5
	assert_true( gelBuildMaterial( &material, &findings, &packed ) );
	assert_true( fabsf( packed.mu - 1.2e6f ) < 1.0f && fabsf( packed.lambda - 1.2e6f ) < 1.0f );
	material.poissonsRatio = 0.0;
	assert_true( gelBuildMaterial( &material, &findings, &packed ) );
	assert_true( packed.lambda == 0.0f && packed.mu == 1.5e6f );
	material.name = "a name that is longer than \xE2\x82\xAC the field";
	assert_true( gelBuildMaterial( &material, &findings, &packed ) );
	assert_int_equal( packed.name[23], 0 );
	gelFreeFindings( &findings );
}

static void TestMaterialRanges( void** state )
{
	(void)state;
	const double bad[][6] = {
		// density, E, nu, damping, friction
		{ 0.0, 1e5, 0.3, 0.0, 0.5, 0.5 },
		{ -1.0, 1e5, 0.3, 0.0, 0.5, 0.5 },
		{ NAN, 1e5, 0.3, 0.0, 0.5, 0.5 },
		{ 1e3, 0.0, 0.3, 0.0, 0.5, 0.5 },
		{ 1e3, INFINITY, 0.3, 0.0, 0.5, 0.5 },
		{ 1e3, 1e5, -0.1, 0.0, 0.5, 0.5 },
		{ 1e3, 1e5, 0.5, 0.0, 0.5, 0.5 },
		{ 1e3, 1e5, NAN, 0.0, 0.5, 0.5 },
		{ 1e3, 1e5, 0.3, -1.0, 0.5, 0.5 },
		{ 1e3, 1e5, 0.3, 0.0, -0.5, 0.5 },
		{ 1e3, 1e5, 0.3, 0.0, 0.5, NAN },
		{ 1e-40, 1e5, 0.3, 0.0, 0.5, 0.5 },
	};
	for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
	{
		gelFindings findings = { .quiet = true };
		gelPackMaterial packed;
		gelBakeMaterial material = { "m", bad[i][0], bad[i][1], bad[i][2], bad[i][3], bad[i][4], bad[i][5] };
		assert_false( gelBuildMaterial( &material, &findings, &packed ) );
		assert_int_equal( findings.exitCode, gel_exitUsage );
		gelFreeFindings( &findings );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestMassesSumToDensityTimesVolume ),
		cmocka_unit_test( TestGradientsReproduceAffineMaps ),
		cmocka_unit_test( TestGatherIsInverseOfTets ),
		cmocka_unit_test( TestColorsShareNoNode ),
		cmocka_unit_test( TestFanNeedsOneColorPerTet ),
		cmocka_unit_test( TestLameParameters ),
		cmocka_unit_test( TestMaterialRanges ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
