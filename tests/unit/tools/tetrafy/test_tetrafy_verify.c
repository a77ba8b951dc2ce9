// SPDX-License-Identifier: MIT
// What is said about a cage: every rule of the verification broken on its own, loose nodes, the number of
// tets, places where the outside touches itself, and what floats and files can hold.
#include "test_support.h"

#include "tetrafy/verify/cage_manifold.h"
#include "tetrafy/verify/cage_verify.h"
#include "test_bodies.h"
#include "test_surfaces.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Result
{
	bool ok;
	int exitCode;
	gelCage cage;
	uint32_t totals[430]; // findings by number
} Result;

static Result Tetrafy( const gelMesh* mesh, const gelTetrafySettings* settings )
{
	gelProgram program;
	gelInitTestProgram( &program );
	Result result = { 0 };
	result.ok = gelTetrafy( mesh, settings, &program, &result.cage, NULL );
	result.exitCode = program.findings.exitCode;
	for ( int i = 400; i < 430; ++i )
		result.totals[i] = (uint32_t)gelFindings_Total( &program.findings, i );
	gelFreeTestProgram( &program );
	return result;
}

// Which of the errors 420 .. 424 a cage has, as bits 0 .. 4.
static int Verify( const gelMesh* mesh, const gelCage* cage )
{
	gelProgram program;
	gelInitTestProgram( &program );
	gelSurface surface = gelMakeSurface( mesh );
	gelSurfaceTree tree = gelMakeSurfaceTree( &surface );
	gelTetMesh tets = gelTetMesh_FromCage( cage );
	gelCageProof proof = gelProveCage( &tets, &tree, 1 );
	gelCageProof_Report( &proof, &tets, &surface, NULL, &program );
	int errors = 0;
	for ( int i = 0; i < program.findings.count; ++i )
		errors |= 1 << ( program.findings.items[i].number - 420 );
	assert_int_equal( gelCageProof_Holds( &proof ), errors == 0 );
	gelFreeTetMesh( &tets );
	gelFreeSurfaceTree( &tree );
	gelFreeSurface( &surface );
	gelFreeTestProgram( &program );
	return errors;
}

// How many tets a picture of the cage would show in red for their faces or overlaps, and whether one is
// among them.
static uint32_t CountRedTets( const gelMesh* mesh, const gelCage* cage, uint32_t tet )
{
	gelSurface surface = gelMakeSurface( mesh );
	gelSurfaceTree tree = gelMakeSurfaceTree( &surface );
	gelTetMesh tets = gelTetMesh_FromCage( cage );
	uint8_t* marks = calloc( cage->tetCount, 1 );
	gelMarkBadTets( &tets, &tree, marks );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < cage->tetCount; ++i )
		count += marks[i];
	assert_int_equal( marks[tet], count > 0 );
	free( marks );
	gelFreeTetMesh( &tets );
	gelFreeSurfaceTree( &tree );
	gelFreeSurface( &surface );
	return count;
}

static void AddTet( gelCage* cage, const uint32_t* nodes )
{
	cage->tets = realloc( cage->tets, 4 * ( (size_t)cage->tetCount + 1 ) * sizeof( uint32_t ) );
	memcpy( cage->tets + 4 * (size_t)cage->tetCount, nodes, 4 * sizeof( uint32_t ) );
	cage->tetCount += 1;
}

static uint32_t AddNode( gelCage* cage, double x, double y, double z )
{
	cage->positions = realloc( cage->positions, 3 * ( (size_t)cage->nodeCount + 1 ) * sizeof( double ) );
	double p[3] = { x, y, z };
	memcpy( cage->positions + 3 * (size_t)cage->nodeCount, p, sizeof p );
	return cage->nodeCount++;
}

static gelCage MakeCage( const gelMesh* mesh )
{
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	Result result = Tetrafy( mesh, &settings );
	assert_true( result.ok );
	assert_int_equal( Verify( mesh, &result.cage ), 0 );
	assert_int_equal( CountRedTets( mesh, &result.cage, 0 ), 0 );
	return result.cage;
}

static void InvertedTetIsFound( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestSphere( 1.0, 12 );
	gelCage cage = MakeCage( &mesh );
	uint32_t keep = cage.tets[0];
	cage.tets[0] = cage.tets[1];
	cage.tets[1] = keep;
	assert_true( Verify( &mesh, &cage ) & 1 ); // 420
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
}

// A tet that is there three times has faces of three tets and more.
static void CrowdedFacesAreFound( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestBoxSurface( ( double[] ){ 0, 0, 0 }, ( double[] ){ 1, 1, 1 } );
	gelCage cage = MakeCage( &mesh );
	uint32_t nodes[4];
	memcpy( nodes, cage.tets, sizeof nodes );
	AddTet( &cage, nodes );
	AddTet( &cage, nodes );
	assert_true( Verify( &mesh, &cage ) & 1 << 1 ); // 421
	uint32_t red = CountRedTets( &mesh, &cage, 0 );
	assert_true( red >= 3 && red <= 7 ); // the three, and those behind their faces
	gelFreeCage( &cage );

	// two tets on the same side of a face around a small box
	gelCage pair = { 0 };
	for ( int i = 0; i < 5; ++i )
		AddNode( &pair, i == 1 ? 60 : -20, i == 2 ? 60 : -20, i == 3 ? 60 : i == 4 ? 40 : -20 );
	AddTet( &pair, ( uint32_t[] ){ 0, 1, 2, 3 } );
	AddTet( &pair, ( uint32_t[] ){ 0, 1, 2, 4 } );
	assert_int_equal( Verify( &mesh, &pair ), 1 << 1 | 1 << 4 ); // 421, and they overlap
	assert_int_equal( CountRedTets( &mesh, &pair, 1 ), 2 );
	gelFreeCage( &pair );
	gelFreeMesh( &mesh );
}

// A dent into a large triangle leaves all vertices of the art inside.
static void ContactIsFound( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestBoxSurface( ( double[] ){ 0, 0, 0 }, ( double[] ){ 1, 1, 1 } );
	gelCage cage = MakeCage( &mesh );
	uint32_t nearest = 0;
	double least = INFINITY;
	for ( uint32_t i = 0; i < cage.nodeCount; ++i )
	{
		const double* p = cage.positions + 3 * (size_t)i;
		double distance = hypot( p[1] - 0.5, p[2] - 0.5 );
		if ( p[0] > 1.0 && distance < least ) least = distance, nearest = i;
	}
	cage.positions[3 * (size_t)nearest] = 0.99;
	assert_int_equal( Verify( &mesh, &cage ), 1 << 2 ); // 422
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
}

static void ArtOutsideIsFound( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestSphere( 1.0, 12 );
	gelCage cage = MakeCage( &mesh );
	for ( uint32_t i = 0; i < 3 * cage.nodeCount; ++i )
		cage.positions[i] *= 0.5;
	assert_int_equal( Verify( &mesh, &cage ), 1 << 3 ); // 423
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
}

// One more tet around everything.
static void OverlapIsFound( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestSphere( 1.0, 12 );
	gelCage cage = MakeCage( &mesh );
	uint32_t nodes[4];
	for ( int i = 0; i < 4; ++i )
		nodes[i] = AddNode( &cage, i == 1 ? 60 : -20, i == 2 ? 60 : -20, i == 3 ? 60 : -20 );
	AddTet( &cage, nodes );
	assert_int_equal( Verify( &mesh, &cage ), 1 << 4 ); // 424
	assert_true( CountRedTets( &mesh, &cage, cage.tetCount - 1 ) > 1 );
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
}

// Nodes that no tet uses, first, in the middle and last: dropped with a word, and nothing else changes.
static void LooseNodesAreDropped( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestSphere( 1.0, 12 );
	gelCage cage = MakeCage( &mesh );
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	settings.fromCage = &cage;
	Result tight = Tetrafy( &mesh, &settings );
	assert_true( tight.ok );
	assert_int_equal( tight.totals[425], 0 );
	for ( uint32_t at = 0; at <= cage.nodeCount; at += cage.nodeCount / 2 )
	{
		gelCage loose = { .nodeCount = cage.nodeCount + 1, .tetCount = cage.tetCount };
		loose.positions = calloc( 3 * (size_t)loose.nodeCount, sizeof( double ) );
		loose.tets = malloc( 4 * (size_t)cage.tetCount * sizeof( uint32_t ) );
		for ( uint32_t i = 0; i < cage.nodeCount; ++i )
			memcpy( loose.positions + 3 * (size_t)( i + ( i >= at ) ), cage.positions + 3 * (size_t)i,
				3 * sizeof( double ) );
		for ( uint32_t i = 0; i < 4 * cage.tetCount; ++i )
			loose.tets[i] = cage.tets[i] + ( cage.tets[i] >= at );
		settings.fromCage = &loose;
		Result result = Tetrafy( &mesh, &settings );
		assert_true( result.ok );
		assert_int_equal( result.totals[425], 1 );
		assert_int_equal( result.cage.nodeCount, cage.nodeCount );
		assert_memory_equal(
			result.cage.positions, tight.cage.positions, 3 * cage.nodeCount * sizeof( double ) );
		assert_memory_equal( result.cage.tets, tight.cage.tets, 4 * cage.tetCount * sizeof( uint32_t ) );
		gelFreeCage( &result.cage );
		gelFreeCage( &loose );
	}
	gelFreeCage( &tight.cage );
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
}

static uint32_t CountDefects( const gelCage* cage )
{
	gelTetMesh mesh = gelTetMesh_FromCage( cage );
	gelManifoldDefects defects = gelFindManifoldDefects( &mesh );
	uint32_t count = defects.vertexCount + defects.edgeCount;
	gelFreeManifoldDefects( &defects );
	gelFreeTetMesh( &mesh );
	return count;
}

// --manifold heals cages that need it, or says that it could not; and the number of tets that is judged is
// the one that comes out.
static void ManifoldIsKeptOrTold( void** state )
{
	(void)state;
	uint32_t healed = 0, missed = 0, met = 0;
	for ( int i = 0; i < 12; ++i )
	{
		gelMesh mesh = gelMakeTestDebris( 70 + (uint64_t)i, 30 );
		gelTetrafySettings settings = gelDefaultTetrafySettings();
		settings.targetTets = 400 + 100 * i;
		settings.fitPasses = 1;
		settings.noSplit = i % 2;
		Result plain = Tetrafy( &mesh, &settings );
		settings.manifold = true;
		Result filled = Tetrafy( &mesh, &settings );
		assert_true( plain.ok && filled.ok );
		assert_int_equal( plain.totals[428], 0 );
		assert_int_equal( filled.totals[428], CountDefects( &filled.cage ) > 0 );
		healed += CountDefects( &plain.cage ) > 0 && CountDefects( &filled.cage ) == 0;
		bool off = fabs( filled.cage.tetCount - (double)settings.targetTets ) > 0.15 * settings.targetTets;
		assert_int_equal( filled.totals[411], off );
		missed += off;
		met += !off;
		gelFreeCage( &plain.cage );
		gelFreeCage( &filled.cage );
		gelFreeMesh( &mesh );
	}
	assert_true( healed > 0 && missed > 0 && met > 0 );
}

static bool HasFloats( const gelCage* cage )
{
	for ( uint32_t i = 0; i < 3 * cage->nodeCount; ++i )
		if ( cage->positions[i] != (double)(float)cage->positions[i] ) return false;
	return true;
}

// A cage keeps to floats, and bounds the art, or it says that it cannot.
static void FarArtIsTold( void** state )
{
	(void)state;
	static const double places[] = { 0.0, 1e4, 1e5, 3e5, 1e6, 4e6 };
	uint32_t told = 0;
	for ( int i = 0; i < 6; ++i )
	{
		double x = places[i];
		gelMesh mesh = gelMakeTestBoxSurface( ( double[] ){ x, 0, 0 }, ( double[] ){ x + 1, 1, 1 } );
		gelTetrafySettings settings = gelDefaultTetrafySettings();
		Result result = Tetrafy( &mesh, &settings );
		assert_true( result.ok );
		assert_int_equal( Verify( &mesh, &result.cage ), 0 );
		assert_int_equal( result.totals[412], !HasFloats( &result.cage ) );
		if ( i == 0 ) assert_int_equal( result.totals[412], 0 );
		told += result.totals[412];
		gelFreeCage( &result.cage );
		gelFreeMesh( &mesh );
	}
	assert_true( told > 0 );
}

// A cage from elsewhere comes in doubles and leaves in floats.
static void GivenCageIsRounded( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestSphere( 1.0, 12 );
	gelCage cage = MakeCage( &mesh );
	for ( uint32_t i = 0; i < 3 * cage.nodeCount; ++i )
		cage.positions[i] *= 1.001;
	assert_false( HasFloats( &cage ) );
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	settings.fromCage = &cage;
	for ( settings.fitPasses = 0; settings.fitPasses < 2; ++settings.fitPasses )
	{
		Result result = Tetrafy( &mesh, &settings );
		assert_true( result.ok );
		assert_true( HasFloats( &result.cage ) );
		assert_int_equal( result.totals[412], 0 );
		assert_int_equal( Verify( &mesh, &result.cage ), 0 );
		gelFreeCage( &result.cage );
	}
	gelFreeCage( &cage );
	gelFreeMesh( &mesh );
}

// No cage is made that a reader of cages would refuse; and cells larger than the art are told.
static void CellsFitTheArt( void** state )
{
	(void)state;
	gelMesh mesh = gelMakeTestBoxSurface( ( double[] ){ 0, 0, 0 }, ( double[] ){ 1, 1, 1 } );
	gelMesh huge = gelMakeTestBoxSurface( ( double[] ){ 0, 0, 0 }, ( double[] ){ 2e12, 1e12, 1e12 } );
	gelTetrafySettings settings = gelDefaultTetrafySettings();
	Result result = Tetrafy( &huge, &settings );
	assert_false( result.ok );
	assert_int_equal( result.totals[427], 1 );
	assert_int_equal( result.exitCode, gel_exitInput );
	for ( double cell = 0.4; cell < 1e15; cell *= 10.0 )
	{
		settings.cellSize = cell;
		result = Tetrafy( &mesh, &settings );
		assert_int_equal( result.ok, cell < 1e12 );
		assert_int_equal( result.totals[427], !result.ok );
		assert_int_equal( result.exitCode, result.ok ? 0 : gel_exitInput );
		if ( result.ok ) assert_int_equal( result.totals[429], result.cage.tetCount < 5 );
		if ( cell > 30.0 ) assert_int_equal( result.totals[429], 1 );
		gelFreeCage( &result.cage );
	}
	gelFreeMesh( &mesh );
	gelFreeMesh( &huge );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( InvertedTetIsFound ),
		cmocka_unit_test( CrowdedFacesAreFound ),
		cmocka_unit_test( ContactIsFound ),
		cmocka_unit_test( ArtOutsideIsFound ),
		cmocka_unit_test( OverlapIsFound ),
		cmocka_unit_test( LooseNodesAreDropped ),
		cmocka_unit_test( ManifoldIsKeptOrTold ),
		cmocka_unit_test( FarArtIsTold ),
		cmocka_unit_test( GivenCageIsRounded ),
		cmocka_unit_test( CellsFitTheArt ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
