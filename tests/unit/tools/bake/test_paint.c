// SPDX-License-Identifier: MIT
// Painted bodies: the field that was painted is the field of the tets; one color is one material; threads
// make no difference; paint that cannot be is refused with the vertex.
#include "test_support.h"

#include "glb_box.h"
#include "import_drive.h"
#include "pack/pack_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gelGlbBox s_box = { .size = { 2.0f, 1.0f, 1.0f }, .divisions = 12 };

typedef struct Pack
{
	gelBakeRunResult run;
	void* scratch;
	gelPackView view;
} Pack;

static Pack Bake( const gelGlbBox* box, const char* options )
{
	Pack pack = { 0 };
	gelWriteGlbBox( "paint.glb", box );
	pack.run = gelRunBake( "paint.glb", options );
	if ( pack.run.exitCode != 0 ) fail_msg( "%s: %s", options, pack.run.messages );
	size_t bytes = gelPack_ScratchBytes( pack.run.bytes, pack.run.byteCount );
	pack.scratch = malloc( bytes + 1 );
	gelPackFault fault;
	assert_int_equal(
		gelPack_Open( pack.run.bytes, pack.run.byteCount, pack.scratch, bytes, 0, &pack.view, &fault ),
		gel_packOk );
	return pack;
}

static void FreePack( Pack* pack )
{
	free( pack->scratch );
	gelFreeBakeRun( &pack->run );
}

// The first coarser level.
static gelPackView OpenLevel( const Pack* pack )
{
	gelPackView view, levels[GEL_PACK_MAX_LEVELS];
	gelPackFault fault;
	assert_int_equal(
		gelPack_OpenLevels( pack->run.bytes, pack->run.byteCount, pack->scratch,
			gelPack_ScratchBytes( pack->run.bytes, pack->run.byteCount ), 0, &view, levels, &fault ),
		gel_packOk );
	assert_true( view.levelCount > 0 );
	return levels[0];
}

typedef double Field( const double p[3] );

static float* MakePaint( const gelGlbBox* box, Field* field, uint32_t* outCount )
{
	float* positions = gelGlbBox_MakePositions( box, outCount );
	for ( uint32_t i = 0; i < *outCount; ++i )
	{
		const double p[3] = { (double)positions[3 * i], (double)positions[3 * i + 1],
			(double)positions[3 * i + 2] };
		positions[i] = (float)field( p );
	}
	return positions;
}

static gelGlbAttribute Scalar( const char* name, const float* values, uint32_t count )
{
	return ( gelGlbAttribute ){ .name = name,
		.componentType = gel_glbFloat,
		.type = "SCALAR",
		.data = values,
		.bytes = count * sizeof( float ) };
}

// Difference between each tet and the field at its middle: the largest, and the root of the mean square.
// @param density whether it is that, and linear; else Young's modulus, in decades
static double GetMisfit( const gelPackView* view, Field* field, bool density, double* outMean )
{
	double largest = 0.0, sum = 0.0;
	uint32_t count = view->header->tetCount;
	for ( uint32_t t = 0; t < count; ++t )
	{
		double p[3] = { 0.0, 0.0, 0.0 };
		for ( int k = 0; k < 4; ++k )
		{
			const gelPackNode* n = view->nodes + view->tets[t].node[k];
			p[0] += 0.25 * (double)n->x;
			p[1] += 0.25 * (double)n->y;
			p[2] += 0.25 * (double)n->z;
		}
		const gelPackMaterial* m = view->materials + view->tetRests[t].material;
		double d = density ? (double)m->density - field( p ) : log10( (double)m->youngsModulus / field( p ) );
		largest = fmax( largest, fabs( d ) );
		sum += d * d;
	}
	*outMean = sqrt( sum / count );
	return largest;
}

// Two decades from one end to the other, and a tenth of that across.
static double SlopedStiffness( const double p[3] )
{
	return 1e4 * pow( 10.0, 1.0 * p[0] + 0.2 * p[1] );
}

static double SlopedDensity( const double p[3] )
{
	return 500.0 + 400.0 * p[0] + 100.0 * p[2];
}

// A linear field is harmonic, so its values on the surface are all there is to know about it. What is left is
// the outermost layer of tets, whose middles are not on the surface.
static void PaintedFieldIsTheFieldOfTheTets( void** state )
{
	(void)state;
	uint32_t count;
	gelGlbBox box = s_box;
	float* stiffness = MakePaint( &box, SlopedStiffness, &count );
	float* density = MakePaint( &box, SlopedDensity, &count );
	box.attributes[0] = Scalar( "_STIFFNESS", stiffness, count );
	box.attributes[1] = Scalar( "_DENSITY", density, count );
	Pack pack = Bake( &box, "--tets 800 --no-collision --name n -j 1" );
	double mean, largest = GetMisfit( &pack.view, SlopedStiffness, false, &mean );
	printf( "stiffness: %u tets, %u materials, largest misfit %.4f decades of 2.2, root mean square %.4f\n",
		pack.view.header->tetCount, pack.view.materialCount, largest, mean );
	assert_true( largest < 0.14 && mean < 0.015 );
	largest = GetMisfit( &pack.view, SlopedDensity, true, &mean );
	printf( "density: largest misfit %.1f kg/m^3 of 900, root mean square %.1f\n", largest, mean );
	assert_true( largest < 60.0 && mean < 8.0 );
	Pack other = Bake( &box, "--tets 800 --no-collision --name n -j 2" );
	assert_int_equal( pack.run.byteCount, other.run.byteCount );
	assert_memory_equal( pack.run.bytes, other.run.bytes, other.run.byteCount );
	FreePack( &other );
	// a coarser level is painted for its own tets
	other = Bake( &box, "--tets 300 --lod 60 --no-collision" );
	assert_true( GetMisfit( &other.view, SlopedStiffness, false, &mean ) < 0.2 );
	gelPackView level = OpenLevel( &other );
	assert_true( level.header->tetCount < 100 );
	largest = GetMisfit( &level, SlopedStiffness, false, &mean );
	printf( "stiffness of level 1: %u tets, largest misfit %.4f decades, root mean square %.4f\n",
		level.header->tetCount, largest, mean );
	assert_true( largest < 0.3 && mean < 0.1 );
	largest = GetMisfit( &level, SlopedDensity, true, &mean );
	printf( "density of level 1: largest misfit %.1f kg/m^3, root mean square %.1f\n", largest, mean );
	assert_true( largest < 170.0 && mean < 45.0 );
	// it is the field of a body that was baked with that cage alone, tet by tet
	Pack alone = Bake( &box, "--tets 60 --no-collision" );
	assert_int_equal( alone.view.header->tetCount, level.header->tetCount );
	for ( uint32_t t = 0; t < level.header->tetCount; ++t )
	{
		const gelPackMaterial *a = alone.view.materials + alone.view.tetRests[t].material,
							  *b = level.materials + level.tetRests[t].material;
		assert_true( a->youngsModulus == b->youngsModulus && a->density == b->density );
	}
	FreePack( &alone );
	FreePack( &other );
	FreePack( &pack );
	free( stiffness );
	free( density );
}

static double Half( const double p[3] )
{
	return p[0] / 2.0;
}

// Bytes and shorts from 0 to 1, and a channel of colors, with a range: the same field as in pascals.
static void RangesGiveMeaningToPaint( void** state )
{
	(void)state;
	uint32_t count;
	gelGlbBox box = s_box;
	float* paint = MakePaint( &box, Half, &count );
	uint16_t* shorts = calloc( count, sizeof( uint16_t ) );
	uint8_t* colors = calloc( count, 4 );
	for ( uint32_t i = 0; i < count; ++i )
	{
		shorts[i] = (uint16_t)lround( 65535.0 * (double)paint[i] );
		colors[4 * i + 1] = (uint8_t)lround( 255.0 * (double)paint[i] );
	}
	Pack packs[3];
	box.attributes[0] = Scalar( "_WEAR", paint, count );
	packs[0] = Bake( &box, "--tets 150 --no-collision --paint stiffness=_WEAR:1e4:1e6:log" );
	box.attributes[0] = ( gelGlbAttribute ){ "_STIFFNESS", gel_glbUnsignedShort, "SCALAR", true, shorts,
		2 * (size_t)count, 0 };
	packs[1] = Bake( &box, "--tets 150 --no-collision --paint stiffness=_STIFFNESS:1e4:1e6:log" );
	box.attributes[0] =
		( gelGlbAttribute ){ "COLOR_0", gel_glbUnsignedByte, "VEC4", true, colors, 4 * (size_t)count, 0 };
	const char* recipe = "{ \"paint\": { \"stiffness\": { \"channel\": \"color.g\", \"low\": 1e4, \"high\": "
						 "1e6, \"log\": true } } }";
	gelWriteTestFile( "recipe.json", recipe, strlen( recipe ) );
	char options[700];
	snprintf(
		options, sizeof( options ), "--tets 150 --no-collision --recipe %s/recipe.json", gelImportFolder() );
	packs[2] = Bake( &box, options );
	assert_int_equal( packs[0].view.header->tetCount, packs[2].view.header->tetCount );
	for ( uint32_t t = 0; t < packs[0].view.header->tetCount; ++t )
	{
		double young[3];
		for ( int i = 0; i < 3; ++i )
			young[i] = (double)packs[i].view.materials[packs[i].view.tetRests[t].material].youngsModulus;
		assert_true( young[0] > 0.99e4 && young[0] < 1.01e6 );
		// one step of 240 over two decades is 1.9 %, one of bytes 1.8 %
		assert_true( fabs( young[1] / young[0] - 1.0 ) < 0.025 && fabs( young[2] / young[0] - 1.0 ) < 0.045 );
	}
	for ( int i = 0; i < 3; ++i )
		FreePack( packs + i );
	free( colors );
	free( shorts );
	free( paint );
}

static double Constant( const double p[3] )
{
	(void)p;
	return 25000.0;
}

static double One( const double p[3] )
{
	(void)p;
	return 0.5;
}

static void OneColorIsOneMaterial( void** state )
{
	(void)state;
	uint32_t count;
	gelGlbBox box = s_box;
	Pack plain = Bake( &box, "--tets 100 --young 25000" );
	float *values = MakePaint( &box, Constant, &count ), *half = MakePaint( &box, One, &count );
	box.attributes[0] = Scalar( "_STIFFNESS", values, count );
	Pack painted = Bake( &box, "--tets 100" );
	assert_true( gelIsSamePack( &plain.run, &painted.run ) );
	// the middle between two values, in equal ratios
	box.attributes[0] = Scalar( "_STIFFNESS", half, count );
	Pack ranged = Bake( &box, "--tets 100 --paint stiffness=_STIFFNESS:2500:250000:log" );
	assert_true( gelIsSamePack( &plain.run, &ranged.run ) );
	// and what must differ does
	Pack off = Bake( &box, "--tets 100 --paint none" );
	assert_false( gelIsSamePack( &plain.run, &off.run ) );
	FreePack( &off );
	FreePack( &ranged );
	FreePack( &painted );
	FreePack( &plain );
	free( half );
	free( values );
}

static double LeftEnd( const double p[3] )
{
	return p[0] < 0.7 ? 1.0 : 0.0;
}

// Nodes are pinned where the paint is: those well inside of it, and none well outside.
static void PaintedNodesArePinned( void** state )
{
	(void)state;
	uint32_t count;
	gelGlbBox box = s_box;
	float* paint = MakePaint( &box, LeftEnd, &count );
	box.attributes[0] = Scalar( "_PIN", paint, count );
	Pack pack = Bake( &box, "--tets 300 --no-collision" );
	const gelPackSection* pins = NULL;
	for ( uint32_t i = 0; i < pack.view.header->sectionCount; ++i )
	{
		if ( pack.view.sections[i].fourcc == GEL_SECTION_PINS ) pins = pack.view.sections + i;
	}
	assert_non_null( pins );
	const uint32_t* nodes = (const void*)( pack.run.bytes + pins->offset );
	for ( uint32_t i = 0, next = 0; i < pack.view.header->nodeCount; ++i )
	{
		bool isPinned = next < pins->count && nodes[next] == i;
		next += isPinned;
		double x = (double)pack.view.nodes[i].x;
		if ( x < 0.4 && !isPinned ) fail_msg( "a node at x = %g is free", x );
		if ( x > 1.0 && isPinned ) fail_msg( "a node at x = %g is pinned", x );
	}
	// a box adds to them
	Pack both = Bake( &box, "--tets 300 --no-collision --pin-box=1.9,-1,-1,3,2,2" );
	uint32_t count2 = 0;
	for ( uint32_t i = 0; i < both.view.header->sectionCount; ++i )
	{
		if ( both.view.sections[i].fourcc == GEL_SECTION_PINS ) count2 = both.view.sections[i].count;
	}
	assert_true( count2 > pins->count );
	FreePack( &both );
	FreePack( &pack );
	free( paint );
}

static void ExpectRefusal( const gelGlbBox* box, const char* options, const char* wanted, int exitCode )
{
	gelWriteGlbBox( "wrong.glb", box );
	char all[256];
	snprintf( all, sizeof( all ), "--tets 40 --no-collision %s", options );
	gelBakeRunResult result = gelRunBake( "wrong.glb", all );
	if ( result.exitCode != exitCode || strstr( result.messages, wanted ) == NULL )
		fail_msg( "wanted '%s', exit %d; got %d, %s", wanted, exitCode, result.exitCode, result.messages );
	gelFreeBakeRun( &result );
}

static void WrongPaintIsRefused( void** state )
{
	(void)state;
	uint32_t count;
	gelGlbBox box = s_box;
	box.divisions = 2;
	float* paint = MakePaint( &box, Constant, &count );
	box.attributes[0] = Scalar( "_STIFFNESS", paint, count );
	static const struct
	{
		float value;
		const char* wanted;
	} cases[] = { { -1.0f, "T0556: _STIFFNESS of vertex 5 at" },
		{ 1e30f, "T0556: _STIFFNESS of vertex 5 at" }, { 1e-30f, "T0556: _STIFFNESS of vertex 5 at" },
		{ NAN, "NaN" }, { INFINITY, "NaN or infinity" } };
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		paint[5] = cases[i].value;
		ExpectRefusal( &box, "", cases[i].wanted, 3 );
	}
	paint[5] = 25000.0f;
	ExpectRefusal( &box, "--paint stiffness=_STIFFNESS:1:2", "is 25000, which is no value from 0 to 1", 3 );
	for ( uint32_t i = 0; i < count; ++i )
		paint[i] = 0.5f;
	ExpectRefusal( &box, "", "goes from 0 to 1, which is no Young's modulus in Pa", 3 );
	box.attributes[0].name = "_OTHER";
	ExpectRefusal( &box, "--paint density=_WEIGHT:1:2", "_WEIGHT is not there", 3 );
	ExpectRefusal( &box, "--paint density=color.r:1:2", "no vertex colors", 3 );
	box.attributes[0].name = "_STIFFNESS";
	box.attributes[0].count = count - 1;
	box.attributes[0].bytes -= 4;
	ExpectRefusal( &box, "", "error: T02", 3 );
	box.attributes[0].type = "VEC2";
	box.attributes[0].count = 0;
	float* pairs = calloc( count, 2 * sizeof( float ) );
	box.attributes[0].data = pairs;
	box.attributes[0].bytes = 2 * count * sizeof( float );
	ExpectRefusal( &box, "", "T0556: _STIFFNESS has several components", 3 );
	box.attributes[0] = Scalar( "_PIN", paint, count );
	paint[0] = 2.0f;
	ExpectRefusal( &box, "", "T0556: _PIN of vertex 0", 3 );
	box.attributes[0].name = NULL;
	static const char* const rules[] = { "young=_A", "stiffness", "stiffness=", "stiffness=red",
		"stiffness=color.x", "stiffness=_A:1", "stiffness=_A:1:x", "stiffness=_A:0:1", "stiffness=_A:1:1e99",
		"stiffness=_A:1:2:lag", "pin=_A:1:2", "stiffness=_A --paint stiffness=_B", "none --paint pin=_A" };
	for ( size_t i = 0; i < sizeof( rules ) / sizeof( rules[0] ); ++i )
	{
		char options[128];
		snprintf( options, sizeof( options ), "--paint %s", rules[i] );
		ExpectRefusal( &box, options, "T0005: --paint ", 1 );
	}
	free( pairs );
	free( paint );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( PaintedFieldIsTheFieldOfTheTets ),
		cmocka_unit_test( RangesGiveMeaningToPaint ),
		cmocka_unit_test( OneColorIsOneMaterial ),
		cmocka_unit_test( PaintedNodesArePinned ),
		cmocka_unit_test( WrongPaintIsRefused ),
	};
	return cmocka_run_group_tests( tests, NULL, gelRemoveImportFolder );
}
