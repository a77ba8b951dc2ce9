// SPDX-License-Identifier: MIT
// Options that bake art as a pack was baked: steps, modes, pins, scale, solvers, materials of parts.
#include "test_support.h"

#include "bake/settings/attachment_points.h"
#include "common/mesh/cage_file.h"
#include "bake/settings/material_file.h"
#include "preview/app/rebake_options.h"
#include "test_bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Baked
{
	uint8_t* bytes;
	gelAsset* asset;
	gelRebakeOptions options;
} Baked;

static Baked Bake( bool pinLeft, double artSize )
{
	Baked b = { 0 };
	size_t count = 0;
	b.bytes = gelBakeTestBox( 4, 2, 3, 0.8, 0.4, 0.4, pinLeft, &count );
	assert_int_equal( gelLoadAsset( b.bytes, count, NULL, &b.asset, NULL ), gel_success );
	gelRebakeOptions_AddPack( &b.options, b.asset, artSize );
	assert_false( b.options.isIncomplete );
	assert_null( b.options.items[b.options.count] );
	return b;
}

static void FreeBaked( Baked* b )
{
	gelFreeRebakeOptions( &b->options );
	gelDestroyAsset( b->asset );
	free( b->bytes );
}

static const char* FindValue( const gelRebakeOptions* o, const char* name )
{
	for ( int i = 0; i + 1 < o->count; ++i )
	{
		if ( strcmp( o->items[i], name ) == 0 ) return o->items[i + 1];
	}
	return NULL;
}

// Points come back to the bit.
static void TestAttachmentsAreKept( void** state )
{
	(void)state;
	static const gelBakeAttachment point = { "left ear", { 0.1, 0.3, 1.0 / 3.0 }, { 0.0, 0.6, 0.0, 0.8 },
		0.05 };
	gelCage cage = gelMakeBoxCage( 2, 1, 1, 0.8, 0.4, 0.4, gel_boxSplitSix );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.attachments = &point;
	settings.attachmentCount = 1;
	Baked b = { 0 };
	size_t count = 0;
	b.bytes = gelBakeTestBodyAs( &cage, &settings, &count );
	assert_int_equal( gelLoadAsset( b.bytes, count, NULL, &b.asset, NULL ), gel_success );
	gelRebakeOptions_AddPack( &b.options, b.asset, 0.0 );
	gelBakeAttachment found;
	int foundCount = 0;
	for ( int i = 0; i < b.options.count; ++i )
	{
		if ( strncmp( b.options.items[i], "--attach=", 9 ) != 0 ) continue;
		assert_null( gelParseAttachment( b.options.items[i] + 9, &found ) );
		foundCount += 1;
	}
	assert_int_equal( foundCount, 1 );
	assert_string_equal( found.name, point.name );
	for ( int k = 0; k < 3; ++k )
		assert_true( (float)found.position[k] == (float)point.position[k] );
	assert_true( (float)found.rotation[1] == 0.6f && (float)found.radius == 0.05f );
	gelFreeCage( &cage );
	FreeBaked( &b );
}

// The boxes hold the pinned nodes and no others.
static void TestPinsAreKept( void** state )
{
	(void)state;
	Baked b = Bake( true, 0.0 );
	uint64_t set = 0;
	assert_int_equal( gelAsset_GetPinSets( b.asset, &set, 1 ), 1 );
	int nodeCount = gelAsset_GetInfo( b.asset ).nodeCount, boxes = 0;
	int* pinned = calloc( (size_t)nodeCount, sizeof( int ) );
	gelVec3* rest = calloc( (size_t)nodeCount, sizeof( gelVec3 ) );
	int* inBox = calloc( (size_t)nodeCount, sizeof( int ) );
	int pinnedCount = gelAsset_GetPinnedNodes( b.asset, set, pinned, nodeCount );
	assert_true( pinnedCount > 0 && pinnedCount < nodeCount );
	gelAsset_GetRestNodes( b.asset, rest, nodeCount );
	for ( int i = 0; i < b.options.count; ++i )
	{
		double x[6];
		if ( sscanf( b.options.items[i], "--pin-box=%lf,%lf,%lf,%lf,%lf,%lf", x, x + 1, x + 2, x + 3, x + 4,
				 x + 5 ) != 6 )
			continue;
		boxes += 1;
		for ( int n = 0; n < nodeCount; ++n )
		{
			const double p[3] = { (double)rest[n].x, (double)rest[n].y, (double)rest[n].z };
			bool inside = true;
			for ( int k = 0; k < 3; ++k )
				inside = inside && p[k] >= x[k] && p[k] <= x[k + 3];
			inBox[n] = inBox[n] || inside;
		}
	}
	assert_true( boxes > 0 );
	for ( int i = 0; i < pinnedCount; ++i )
		inBox[pinned[i]] -= 1;
	for ( int n = 0; n < nodeCount; ++n )
		assert_int_equal( inBox[n], 0 );
	free( pinned );
	free( rest );
	free( inBox );
	FreeBaked( &b );
}

// Every step of the options can be stepped with in the pack, and the first one of the pack is among them.
static void TestStepsAreKept( void** state )
{
	(void)state;
	Baked b = Bake( false, 0.0 );
	gelFactorInfo factor;
	assert_true( gelAsset_GetFactors( b.asset, &factor, 1 ) >= 1 );
	const char* step = FindValue( &b.options, "--step" );
	assert_non_null( step );
	assert_true( (float)strtod( step, NULL ) == factor.step ); // to the bit
	assert_null( FindValue( &b.options, "--scale" ) );
	assert_null( FindValue( &b.options, "--particles" ) );
	FreeBaked( &b );
}

// Art in centimetres: the pack is in metres.
static void TestScaleIsFound( void** state )
{
	(void)state;
	Baked b = Bake( false, 80.0 );
	gelAabb box = gelAsset_GetInfo( b.asset ).restBounds;
	const char* scale = FindValue( &b.options, "--scale" );
	assert_non_null( scale );
	assert_true( fabs( strtod( scale, NULL ) * 80.0 - (double)( box.max.x - box.min.x ) ) < 1e-6 );
	FreeBaked( &b );
}

// Three parts in x: one as the command line says, two of one name, as soft borders have them.
static void PaintThirds( const double p[3], gelBakeMaterial* m )
{
	if ( p[0] < 0.25 ) return;
	m->name = "leg";
	m->youngsModulus = p[0] < 0.55 ? 1.7e6 : 3e7;
	m->poissonsRatio = 0.4999;
	m->density = 1234.5;
	m->damping = 0.3;
	m->dynamicFriction = 0.1;
}

static gelBakeSettings MakePaintedSettings( const double* step )
{
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.material.damping = 0.7;
	settings.material.staticFriction = 0.9;
	settings.material.dynamicFriction = 0.2;
	settings.hasWarp = true;
	settings.steps = step;
	settings.stepCount = 1;
	return settings;
}

// What gel-bake makes of the two files.
static gelBakeMaterial* ReadBack(
	const gelAsset* asset, const gelBakeMaterial* base, gelBakePool* pool, gelCage* cage )
{
	char folder[] = "/tmp/gel_rebake_XXXXXX", cagePath[64], path[64];
	assert_non_null( mkdtemp( folder ) );
	snprintf( cagePath, sizeof( cagePath ), "%s/a.msh", folder );
	snprintf( path, sizeof( path ), "%s/a.json", folder );
	assert_true( gelSaveCageOf( asset, cagePath ) && gelSaveMaterialsOf( asset, path ) );
	gelMaterialRegions regions;
	gelFindings findings = { 0 };
	const gelMesh noArt = { 0 };
	assert_true( gelLoadCage( cagePath, &findings, cage ) );
	assert_true( gelReadMaterialRegions( path, false, base, pool, &findings, &regions ) );
	gelBakeMaterial* made = gelPlaceMaterials( &regions, base, &noArt, cage, path, pool, &findings );
	assert_non_null( made );
	gelFreeFindings( &findings );
	remove( cagePath );
	remove( path );
	remove( folder );
	return made;
}

// Every tet has the material that it had, and the solver of the pack can be used again.
static void TestSolverAndMaterialsAreKept( void** state )
{
	(void)state;
	gelCage cage = gelMakeBoxCage( 4, 2, 2, 0.8, 0.4, 0.4, gel_boxSplitSix ), again = { 0 };
	const double step = 1.0 / 60.0;
	gelBakeSettings settings = MakePaintedSettings( &step );
	gelBakeMaterial* painted = gelPaintCage( &cage, &settings.material, PaintThirds );
	settings.tetMaterials = painted;
	Baked b = { 0 };
	size_t bytes = 0;
	b.bytes = gelBakeTestBodyAs( &cage, &settings, &bytes );
	assert_int_equal( gelLoadAsset( b.bytes, bytes, NULL, &b.asset, NULL ), gel_success );
	assert_int_equal( gelAsset_GetInfo( b.asset ).materialCount, 3 );
	gelRebakeOptions_AddPack( &b.options, b.asset, 0.0 );
	bool hasWarp = false;
	for ( int i = 0; i < b.options.count; ++i )
		hasWarp = hasWarp || strcmp( b.options.items[i], "--warp" ) == 0;
	assert_true( hasWarp );
	assert_string_equal( FindValue( &b.options, "--damping" ), "0.699999988" );
	assert_string_equal( FindValue( &b.options, "--static-friction" ), "0.899999976" );
	assert_string_equal( FindValue( &b.options, "--dynamic-friction" ), "0.200000003" );

	gelBakePool pool = { NULL };
	const gelBakeMaterial* made = ReadBack( b.asset, &settings.material, &pool, &again );
	int* tets = calloc( cage.tetCount, sizeof( int ) );
	assert_int_equal( again.tetCount, cage.tetCount );
	assert_int_equal( gelAsset_GetTetMaterials( b.asset, tets, (int)cage.tetCount ), cage.tetCount );
	for ( uint32_t t = 0; t < cage.tetCount; ++t )
	{
		gelMaterialInfo m = gelAsset_GetMaterial( b.asset, tets[t] );
		assert_true( (float)made[t].youngsModulus == m.youngsModulus && (float)made[t].density == m.density &&
			(float)made[t].poissonsRatio == m.poissonsRatio );
		assert_true( (float)made[t].damping == m.damping &&
			(float)made[t].staticFriction == m.staticFriction &&
			(float)made[t].dynamicFriction == m.dynamicFriction );
		if ( tets[t] == 1 ) assert_string_equal( made[t].name, "leg" );
	}
	free( tets );
	free( painted );
	gelFreeBakePool( &pool );
	gelFreeCage( &again );
	gelFreeCage( &cage );
	FreeBaked( &b );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestAttachmentsAreKept ),
		cmocka_unit_test( TestPinsAreKept ),
		cmocka_unit_test( TestStepsAreKept ),
		cmocka_unit_test( TestScaleIsFound ),
		cmocka_unit_test( TestSolverAndMaterialsAreKept ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
