// SPDX-License-Identifier: MIT
// Cage files: what was written is read back bit for bit, foreign files are understood, wrong ones refused
// with the right line.
#include "test_support.h"

#include "common/mesh/cage_file.h"
#include "cage/cage_io.h"
#include "capture.h"
#include "common/program/output_file.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gelCage s_cage;
static gelCageError s_error;
static uint32_t s_turned;

static bool Parse( const char* name, const char* text, const char* second )
{
	gelFreeCage( &s_cage );
	return gelParseCage( name, text, strlen( text ), second, second != NULL ? strlen( second ) : 0, &s_cage,
		&s_turned, &s_error );
}

static int TearDown( void** state )
{
	(void)state;
	gelFreeCage( &s_cage );
	return 0;
}

// ---- round trips ----

// A fan of tets round an edge with awkward numbers as coordinates; regions when asked for.
static gelCage MakeFan( uint32_t tetCount, bool withRegions )
{
	gelRandom random = { 11 };
	gelCage cage = { malloc( 3 * sizeof( double ) * ( tetCount + 3 ) ), tetCount + 3,
		malloc( 16 * (size_t)tetCount ), tetCount, NULL };
	double ends[6] = { -0.0, -1.0, 1e-310, 1.0 / 3.0, 1.1, 0.1f };
	memcpy( cage.positions, ends, sizeof( ends ) );
	for ( uint32_t i = 0; i <= tetCount; ++i )
	{
		double angle = 6.0 * i / ( tetCount + 1.0 ), radius = gelRandom_Uniform( &random, 1.0, 1e4 );
		double p[3] = { radius * cos( angle ), gelRandom_Normal( &random ), radius * sin( angle ) };
		memcpy( cage.positions + 3 * (size_t)( i + 2 ), p, sizeof( p ) );
	}
	for ( uint32_t i = 0; i < tetCount; ++i )
	{
		uint32_t tet[4] = { 1, 0, i + 2, i + 3 };
		memcpy( cage.tets + 4 * (size_t)i, tet, sizeof( tet ) );
	}
	if ( !withRegions ) return cage;
	static const uint32_t regions[4] = { 7, 7, 0, 4294967295u };
	cage.regions = malloc( 4 * (size_t)tetCount );
	for ( uint32_t i = 0; i < tetCount; ++i )
		cage.regions[i] = regions[i % 4];
	return cage;
}

static const struct
{
	const char* name;
	gelCageFormat format;
} s_formats[] = { { "a.msh", gel_cageMsh2 }, { "a.msh4", gel_cageMsh4 }, { "a.node", gel_cageTetgen } };

static void AssertSameCage( const gelCage* a, const gelCage* b )
{
	assert_int_equal( a->nodeCount, b->nodeCount );
	assert_int_equal( a->tetCount, b->tetCount );
	assert_memory_equal( a->positions, b->positions, 24 * (size_t)a->nodeCount ); // also the sign of zero
	assert_memory_equal( a->tets, b->tets, 16 * (size_t)a->tetCount );
	assert_int_equal( a->regions != NULL, b->regions != NULL );
	if ( a->regions != NULL ) assert_memory_equal( a->regions, b->regions, 4 * (size_t)a->tetCount );
}

static void AssertRoundTrip( const gelCage* cage, const char* name, gelCageFormat format )
{
	size_t bytes, secondBytes = 0, bytes2, secondBytes2 = 0;
	char *second = NULL, *second2 = NULL;
	char* text = gelFormatCage( cage, format, &bytes, &second, &secondBytes );
	assert_non_null( text );
	assert_int_equal( strlen( text ), bytes );
	if ( !Parse( name, text, second ) ) fail_msg( "%s line %d: %s", name, (int)s_error.line, s_error.text );
	assert_int_equal( s_turned, 0 );
	AssertSameCage( cage, &s_cage );
	char* text2 = gelFormatCage( &s_cage, format, &bytes2, &second2, &secondBytes2 );
	assert_string_equal( text, text2 );
	if ( second != NULL ) assert_string_equal( second, second2 );
	free( text );
	free( text2 );
	free( second );
	free( second2 );
}

static void WhatIsWrittenIsReadBack( void** state )
{
	(void)state;
	for ( size_t f = 0; f < sizeof( s_formats ) / sizeof( s_formats[0] ); ++f )
	{
		for ( uint32_t tetCount = 1; tetCount < 40; tetCount += 13 )
		{
			for ( int withRegions = 0; withRegions < 2; ++withRegions )
			{
				gelCage cage = MakeFan( tetCount, withRegions );
				AssertRoundTrip( &cage, s_formats[f].name, s_formats[f].format );
				gelFreeCage( &cage );
			}
		}
	}
}

// Some programs that link us speak German.
static void NumbersIgnoreTheLocale( void** state )
{
	(void)state;
	static const char* const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE" };
	const char* found = NULL;
	for ( size_t i = 0; i < 4 && found == NULL; ++i )
		found = setlocale( LC_ALL, names[i] );
	if ( found == NULL ) skip();
	gelCage cage = MakeFan( 5, true );
	AssertRoundTrip( &cage, "a.msh", gel_cageMsh2 );
	gelFreeCage( &cage );
	setlocale( LC_ALL, "C" );
}

static void VtkHasEverything( void** state )
{
	(void)state;
	gelCage cage = MakeFan( 3, true );
	size_t bytes;
	char* text = gelFormatCage( &cage, gel_cageVtk, &bytes, NULL, NULL );
	assert_non_null( text );
	assert_ptr_equal( strstr( text, "# vtk DataFile Version 3.0\n" ), text );
	assert_non_null( strstr( text, "\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 double\n-0 -1 " ) );
	assert_non_null( strstr( text, "\nCELLS 3 15\n4 1 0 2 3\n" ) );
	assert_non_null( strstr( text, "\nCELL_TYPES 3\n10\n10\n10\nCELL_DATA 3\n" ) );
	assert_non_null( strstr( text, "LOOKUP_TABLE default\n7\n7\n0\n" ) );
	free( text );
	gelFreeCage( &cage );
}

static void VtuHasEverything( void** state )
{
	(void)state;
	gelCage cage = MakeFan( 3, true );
	size_t bytes;
	char* text = gelFormatCage( &cage, gel_cageVtu, &bytes, NULL, NULL );
	assert_non_null( text );
	assert_ptr_equal( strstr( text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\"" ), text );
	assert_non_null( strstr( text, "NumberOfPoints=\"6\" NumberOfCells=\"3\"" ) );
	assert_non_null( strstr( text, "\"connectivity\" format=\"ascii\">\n1 0 2 3\n" ) );
	assert_non_null( strstr( text, "\"offsets\" format=\"ascii\">\n4\n8\n12\n</DataArray>" ) );
	assert_non_null( strstr( text, "\"types\" format=\"ascii\">\n10\n10\n10\n</DataArray>" ) );
	assert_non_null( strstr( text, "\"region\" format=\"ascii\">\n7\n7\n0\n</DataArray>" ) );
	assert_non_null( strstr( text, "</VTKFile>\n" ) );
	free( text );
	gelFreeCage( &cage );
}

static void UsdaHasEverything( void** state )
{
	(void)state;
	gelCage cage = MakeFan( 3, false );
	size_t bytes;
	char* text = gelFormatCage( &cage, gel_cageUsda, &bytes, NULL, NULL );
	assert_non_null( text );
	assert_ptr_equal( strstr( text, "#usda 1.0\n(" ), text );
	assert_non_null( strstr( text, "def TetMesh \"cage\"\n{" ) );
	assert_non_null( strstr( text, "point3f[] points = [\n        (-0, -1, " ) );
	assert_non_null( strstr( text, "int4[] tetVertexIndices = [\n        (1, 0, 2, 3),\n" ) );
	int points = 0;
	for ( const char* at = text; ( at = strstr( at, "        (" ) ) != NULL; ++at )
		++points;
	assert_int_equal( points, 6 + 3 );
	assert_non_null( strstr( text, ")\n    ]\n}\n" ) );
	free( text );
	gelFreeCage( &cage );
}

static void ExtensionsPickTheFormat( void** state )
{
	(void)state;
	gelCageFormat format;
	assert_true( gelCageFormat_FromPath( "a/b.msh", &format ) && format == gel_cageMsh2 );
	assert_true( gelCageFormat_FromPath( "b.MSH4", &format ) && format == gel_cageMsh4 );
	assert_true( gelCageFormat_FromPath( "b.ele", &format ) && format == gel_cageTetgen );
	assert_true( gelCageFormat_FromPath( "b.vtk", &format ) && format == gel_cageVtk );
	assert_false( gelCageFormat_FromPath( "b.veg", &format ) );
	assert_false( gelCageFormat_FromPath( "msh", &format ) );
	char *first, *second;
	assert_true( gelCagePaths( "x.y/a.1.ele", &first, &second ) );
	assert_string_equal( first, "x.y/a.1.node" );
	assert_string_equal( second, "x.y/a.1.ele" );
	free( first );
	free( second );
}

// ---- foreign files ----

#define NODES2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define HEAD2  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD4  "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"

static void AssertUnitTet( void )
{
	assert_int_equal( s_cage.nodeCount, 4 );
	assert_int_equal( s_cage.tetCount, 1 );
	const double expected[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
	const uint32_t tet[4] = { 0, 1, 2, 3 };
	assert_memory_equal( s_cage.positions, expected, sizeof( expected ) );
	assert_memory_equal( s_cage.tets, tet, sizeof( tet ) );
}

static void ForeignFilesAreUnderstood( void** state )
{
	(void)state;
	static const struct
	{
		const char* name;
		const char *text, *second;
		uint32_t region;
	} cases[] = {
		// names, a comment section, points, lines and triangles; sparse ids out of order; CRLF
		{ "a.msh",
			"$Comments\r\nany $Nodes here\r\n$EndComments\r\n$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n"
			"$PhysicalNames\r\n1\r\n3 5 \"body\"\r\n$EndPhysicalNames\r\n"
			"$Nodes\r\n4\r\n900 0 0 0\r\n7 1.0 0 0\r\n12345678901 0 1e0 0\r\n8 0 0 +1\r\n$EndNodes\r\n"
			"$Elements\r\n4\r\n1 15 2 0 1 900\r\n2 1 2 0 1 900 7\r\n3 2 2 0 1 7 8 900\r\n"
			"9 4 3 5 1 0 900 7 12345678901 8\r\n$EndElements\r\n",
			NULL, 5 },
		// elements before nodes, no tags, no last line feed, a negative physical group
		{ "a.msh", HEAD2 "$Elements\n1\n1 4 1 -3 1 2 3 4\n$EndElements\n" NODES2, NULL, 3 },
		{ "a", "\xEF\xBB\xBF" HEAD2 NODES2 "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements", NULL, 0 },
		// 4.1: several blocks, parametric nodes, an empty block, entities of every dimension, faces to pass
		// over
		{ "a.msh",
			HEAD4 "$Entities\n1 1 1 2\n1 0 0 0 0\n1 0 0 0 1 0 0 0 2 1 -1\n1 0 0 0 1 1 0 0 1 1\n"
				  "1 0 0 0 1 1 1 0 1 1\n2 0 0 0 1 1 1 2 6 9 1 1\n$EndEntities\n"
				  "$Nodes\n3 4 1 40\n0 1 0 1\n10\n0 0 0\n2 1 1 2\n20\n30\n1 0 0 .5 .5\n0 1 0 .25 .5\n3 2 0 "
				  "1\n40\n0 0 1\n$EndNodes\n"
				  "$Elements\n3 2 1 2\n2 1 2 1\n1 10 20 30\n2 1 3 0\n3 2 4 1\n2 10 20 30 40\n$EndElements\n"
				  "$Periodic\n0\n$EndPeriodic\n",
			NULL, 6 },
		{ "a.msh",
			HEAD4 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
				  "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
			NULL, 0 },
		// TetGen: 0-based, comments, attributes and markers, blank lines
		{ "a.node",
			"# made by hand\n\n4 3 1 1 # header\n0 0 0 0 9.5 1\n1 1 0 0 9.5 1\n\n# between\n2 0 1 0 9.5 "
			"-1\n3 0 0 1 9.5 1\n# end",
			"1 4 2\n0 0 1 2 3 12 0.5\n# Generated by tetgen\n", 12 },
		{ "a.ele", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "1 4 0\n1 1 2 3 4\n", 0 },
		{ "a.node", "4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1", "1\n1 1 2 3 4", 0 },
		{ "a.veg",
			"# Vega mesh\n*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n\n*ELEMENTS\nTETS\n1 4 "
			"0\n1 1 2 3 4\n\n"
			"*MATERIAL rubber\nENU, 1000, 1E6, 0.45\n*SET all\n1, 2,\n3\n*REGION\nall, rubber\n",
			NULL, 0 },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		if ( !Parse( cases[i].name, cases[i].text, cases[i].second ) )
			fail_msg( "case %d, line %d: %s", (int)i, (int)s_error.line, s_error.text );
		AssertUnitTet();
		assert_int_equal( s_cage.regions != NULL ? s_cage.regions[0] : 0, cases[i].region );
	}
}

// Gmsh writes the points of its geometry too.
static void NodesWithoutTetsAreKept( void** state )
{
	(void)state;
	static const char text[] = HEAD2 "$Nodes\n5\n1 0 0 0\n9 2 2 2\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
									 "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";
	assert_true( Parse( "a.msh", text, NULL ) );
	assert_int_equal( s_cage.nodeCount, 5 );
	assert_int_equal( s_cage.tets[1], 2 ); // the order of the file stays
}

static void NegativeTetsAreTurned( void** state )
{
	(void)state;
	assert_true( Parse( "a.msh", HEAD2 NODES2 "$Elements\n1\n1 4 0 1 2 4 3\n$EndElements\n", NULL ) );
	assert_int_equal( s_turned, 1 );
	AssertUnitTet();
}

// ---- refusals ----

#define ELEMENTS2( line ) HEAD2 NODES2 "$Elements\n1\n" line "\n$EndElements\n"
#define NODE2( line )     HEAD2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n" line "\n4 0 0 1\n$EndNodes\n"
#define NODE4( text )     HEAD4 "$Nodes\n" text "$EndNodes\n"
#define TG_NODES          "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
#define VEGA_NODES        "*VERTICES\n" TG_NODES

static void WrongFilesAreRefused( void** state )
{
	(void)state;
	static const struct
	{
		const char *name, *text, *second;
		int line; // line that the error names
		const char* message;
	} cases[] = {
		{ "a.msh", "", NULL, 0, "empty" },
		{ "a.msh", "hello world\n", NULL, 0, "no cage file" },
		{ "a", "\x89PNG\r\n\x1A\n", NULL, 0, "no cage file" },
		{ "a.vtk", "# vtk DataFile Version 3.0\n", NULL, 0, "not read" },
		{ "a.msh", "$MeshFormat\n2.2 1 8\n\1\0\0\0\n$EndMeshFormat\n", NULL, 2, "binary" },
		{ "a.msh", "$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", NULL, 2, "version '4.0'" },
		{ "a.msh", "$MeshFormat\n", NULL, 0, "ends" },
		{ "a.msh", "$NOD\n1\n1 0 0 0\n$ENDNOD\n", NULL, 1, "no end" },
		{ "a.msh", NODES2, NULL, 1, "before $MeshFormat" },
		{ "a.msh", HEAD2, NULL, 0, "no section $Nodes" },
		{ "a.msh", HEAD2 NODES2, NULL, 0, "no section $Elements" },
		{ "a.msh", HEAD2 NODES2 NODES2, NULL, 11, "second section $Nodes" },
		{ "a.msh", HEAD2 "$Other\n1\n$EndNodes\n", NULL, 4, "$Other has no end" },
		{ "a.msh", HEAD2 "stray\n", NULL, 4, "section" },
		{ "a.msh", HEAD2 "$Nodes\n4000000\n1 0 0 0\n", NULL, 5, "too short" },
		{ "a.msh", HEAD2 "$Nodes\n99999999999999999999\n", NULL, 5, "node count" },
		{ "a.msh", HEAD2 "$Nodes\n-4\n", NULL, 5, "'-4' is no node count" },
		{ "a.msh", HEAD2 "$Nodes\n0\n$EndNodes\n$Elements\n0\n$EndElements\n", NULL, 0, "no nodes" },
		{ "a.msh", HEAD2 NODES2 "$Elements\n0\n$EndElements\n", NULL, 0, "no tets" },
		{ "a.msh", NODE2( "3 0 nan 0" ), NULL, 8, "finite" },
		{ "a.msh", NODE2( "3 0 -Inf 0" ), NULL, 8, "finite" },
		{ "a.msh", NODE2( "3 0 1e999 0" ), NULL, 8, "finite" },
		{ "a.msh", NODE2( "3 0 1e99 0" ), NULL, 8, "out of range" },
		{ "a.msh", NODE2( "3 0 0x1p3 0" ), NULL, 8, "finite" },
		{ "a.msh", NODE2( "3 0 1,5 0" ), NULL, 8, "'1,5' is no coordinate" },
		{ "a.msh", NODE2( "3 0 1" ), NULL, 9, "too much on this line" },
		{ "a.msh", NODE2( "3 0 1 0 0" ), NULL, 8, "too much on this line" },
		{ "a.msh", NODE2( "x 0 1 0" ), NULL, 8, "node number" },
		{ "a.msh", NODE2( "2 0 1 0" ) "$Elements\n1\n1 4 0 1 2 2 4\n$EndElements\n", NULL, 8,
			"node number 2 occurs twice" },
		{ "a.msh", ELEMENTS2( "1 4 0 1 2 3 5" ), NULL, 13, "node 5, which does not exist" },
		{ "a.msh", ELEMENTS2( "1 4 0 1 2 3 0" ), NULL, 13, "node 0, which does not exist" },
		{ "a.msh", ELEMENTS2( "1 4 0 1 2 3" ), NULL, 14, "node number" },
		{ "a.msh", ELEMENTS2( "1 4 0 1 2 3 4 5" ), NULL, 13, "too much" },
		{ "a.msh", ELEMENTS2( "1 4 99 1 2 3 4" ), NULL, 13, "tag count" },
		{ "a.msh", ELEMENTS2( "1 4 1 99999999999 1 2 3 4" ), NULL, 13, "out of range" },
		{ "a.msh", ELEMENTS2( "1 11 0 1 2 3 4 1 2 3 4 1 2" ), NULL, 13, "higher order" },
		{ "a.msh", ELEMENTS2( "1 5 0 1 2 3 4 1 2 3 4" ), NULL, 13, "not a tet" },
		{ "a.msh", ELEMENTS2( "1 4 0 1 2 3 3" ), NULL, 13, "no volume" },
		{ "a.msh", HEAD2 NODES2 "$Elements\n2\n1 4 0 1 2 3 4\n1 4 0 1 2 3 4\n$EndElements\n", NULL, 14,
			"tet number 1 occurs twice" },
		{ "a.msh", HEAD2 NODES2 "$Elements\n2\n1 4 0 1 2 3 4\n$EndElements\n", NULL, 14, "element number" },
		{ "a.msh", HEAD2 NODES2 "$Elements\n1\n1 4 0 1 2 3 4\n2 4 0 1 2 3 4\n$EndElements\n", NULL, 14,
			"$EndElements should be here" },
		{ "a.msh",
			HEAD2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 "
				  "4\n$EndElements\n",
			NULL, 13, "no volume" },
		{ "a.msh", NODE4( "1 2 1 2\n3 1 0 3\n1\n2\n3\n" ), NULL, 6, "limit" },
		{ "a.msh", NODE4( "1 2 1 2\n3 1 0 1\n1\n0 0 0\n" ), NULL, 0, "2 nodes were announced" },
		{ "a.msh", NODE4( "1 1 1 1\n4 1 0 1\n1\n0 0 0\n" ), NULL, 6, "entity dimension" },
		{ "a.msh", NODE4( "1 1 1 1\n3 1 2 1\n1\n0 0 0\n" ), NULL, 6, "parametric" },
		{ "a.msh", HEAD4 "$Elements\n1 1 1 1\n3 1 11 1\n1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n", NULL, 6,
			"higher order" },
		{ "a.msh", HEAD4 "$Elements\n1 2 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n", NULL, 0, "1 fewer" },
		{ "a.msh", HEAD4 "$Entities\n0 0 0 1\n-1 0 0 0 0 0 0 0 0\n$EndEntities\n", NULL, 5 + 1,
			"out of range" },
		{ "a.node", TG_NODES, NULL, 0, ".ele file" },
		{ "a.node", "4 2 0 0\n1 0 0\n2 1 0\n3 0 1\n4 1 1\n# padding", "1 4 0\n1 1 2 3 4\n", 1,
			"dimension 2" },
		{ "a.node", "4 3 0 2\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "1 4 0\n1 1 2 3 4\n", 1, "marker flag" },
		{ "a.node", "2 3 1 0\n1 0 0 0 1\n2 1 0 0\n", "1 4 0\n1 1 2 3 4\n", 0, "node attribute" },
		{ "a.node", "", "1 4 0\n1 1 2 3 4\n", 0, "empty" },
		{ "a.node", "# nothing\n", "1 4 0\n1 1 2 3 4\n", 0, "node count" },
		{ "a.node", TG_NODES, "1 10 0\n1 1 2 3 4 1 2 3 4 1 2\n", 1, "second-order" },
		{ "a.node", TG_NODES, "1 8 0\n1 1 2 3 4 1 2 3 4\n", 1, "8 nodes" },
		{ "a.node", TG_NODES, "1 4 1\n1 1 2 3 4 1.5\n", 2, "region attribute 1.5" },
		{ "a.node", TG_NODES, "1 4 1\n1 1 2 3 4 -1\n", 2, "region attribute -1" },
		{ "a.node", TG_NODES, "1 4 0\n1 0 1 2 3\n", 2, "node 0, which does not exist" },
		{ "a.node", TG_NODES, "2 4 0\n1 1 2 3 4\n", 0, "ends where a tet number" },
		{ "a.veg", VEGA_NODES, NULL, 0, "no *ELEMENTS" },
		{ "a.veg", "*ELEMENTS\nTETS\n1 4 0\n1 1 2 3 4\n", NULL, 0, "no *VERTICES" },
		{ "a.veg", VEGA_NODES "*ELEMENTS\nCUBIC\n1 8 0\n", NULL, 8, "'CUBIC'" },
		{ "a.veg", VEGA_NODES VEGA_NODES, NULL, 7, "second *VERTICES" },
		{ "a.veg", VEGA_NODES "*ELEMENT\nTETS\n", NULL, 7, "'*ELEMENT' should be a command" },
		{ "a.veg", "*VERTICES\n*INCLUDE b.node\n", NULL, 2, "not possible" },
		{ "a.veg", "8 3 0 0\n", NULL, 1, "command" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		bool ok = Parse( cases[i].name, cases[i].text, cases[i].second );
		bool asExpected = !ok && strstr( s_error.text, cases[i].message ) != NULL &&
			( cases[i].line == 0 || s_error.line == (uint64_t)cases[i].line );
		if ( !asExpected )
		{
			fail_msg( "case %d ('%s'): ok %d, line %d: %s", (int)i, cases[i].message, ok, (int)s_error.line,
				s_error.text );
		}
		assert_null( s_cage.positions );
		assert_false( s_error.isIo );
	}
}

// ---- files ----

static const char* Write( const char* folder, const char* name, const char* text )
{
	static char path[700];
	gelFindings findings = { 0 };
	snprintf( path, sizeof( path ), "%s/%s", folder, name );
	assert_true( gelWriteFile( path, text, strlen( text ), &findings ) );
	return path;
}

static bool Read( const char* path )
{
	gelFreeCage( &s_cage );
	return gelReadCage( path, &s_cage, &s_turned, &s_error );
}

static void VegaIncludesStayInTheFolder( void** state )
{
	(void)state;
	static const char* const wrong[] = { "../b.node", "/etc/passwd", "x/b.node", ".", ".hidden", "..", "-",
		"missing.node", "a.veg" };
	const char* folder = gelMakeFolder();
	Write( folder, "b.node", TG_NODES );
	Write( folder, "b.ele", "1 4 0\n1 1 2 3 4\n" );
	Write( folder, "m.veg", "*MATERIAL m\nENU, 1, 1, 0.3\n*INCLUDE n.veg\n" );
	assert_true( Read(
		Write( folder, "a.veg", "*VERTICES\n*INCLUDE b.node\n*ELEMENTS\nTETS\n*INCLUDE b.ele # tets\n" ) ) );
	AssertUnitTet();
	for ( size_t i = 0; i < sizeof( wrong ) / sizeof( wrong[0] ); ++i )
	{
		char text[100];
		snprintf( text, sizeof( text ), "*VERTICES\n*INCLUDE %s\n", wrong[i] );
		assert_false( Read( Write( folder, "a.veg", text ) ) );
		assert_true( s_error.text[0] != 0 );
	}
	// errors name the included file; included files include nothing
	Write( folder, "b.ele", "1 4 0\n1 1 2 3 9\n" );
	assert_false(
		Read( Write( folder, "a.veg", "*VERTICES\n*INCLUDE b.node\n*ELEMENTS\nTETS\n*INCLUDE b.ele\n" ) ) );
	assert_non_null( strstr( s_error.file, "b.ele" ) );
	assert_int_equal( s_error.line, 2 );
	assert_false( Read( Write( folder, "a.veg", "*INCLUDE m.veg\n" ) ) );
	assert_non_null( strstr( s_error.text, "may not include others" ) );
	gelRemoveFolder( folder );
}

static void SavingAndLoading( void** state )
{
	(void)state;
	static const char* const names[] = { "a.msh", "a.msh4", "a.node", "b.ele" };
	const char* folder = gelMakeFolder();
	gelCage cage = MakeFan( 9, true );
	gelFindings findings = { 0 };
	char path[700];
	for ( size_t i = 0; i < 4; ++i )
	{
		snprintf( path, sizeof( path ), "%s/%s", folder, names[i] );
		gelFreeCage( &s_cage );
		assert_true( gelSaveCage( &cage, path, &findings ) );
		assert_true( gelLoadCage( path, &findings, &s_cage ) );
		AssertSameCage( &cage, &s_cage );
	}
	assert_int_equal( gelCountFiles( folder ), 6 );
	assert_int_equal( findings.count, 0 );

	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	snprintf( path, sizeof( path ), "%s/a.obj", folder );
	assert_false( gelSaveCage( &cage, path, &findings ) );
	assert_int_equal( findings.exitCode, gel_exitUsage );
	gelFreeCage( &s_cage );
	assert_false( gelLoadCage( path, &findings, &s_cage ) );
	assert_int_equal( findings.exitCode, gel_exitIo );
	assert_false( gelLoadCage( Write( folder, "c.msh", "$MeshFormat\n9 0 8\n" ), &findings, &s_cage ) );
	snprintf( path, sizeof( path ), "%s/missing/a.node", folder );
	assert_false( gelSaveCage( &cage, path, &findings ) );
	char* printed = gelCapture_End( &capture );
	assert_non_null( strstr( printed, "c.msh: error: T0301: line 2: MSH version '9'" ) );
	free( printed );
	gelFreeFindings( &findings );
	gelFreeCage( &cage );
	gelRemoveFolder( folder );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown( WhatIsWrittenIsReadBack, TearDown ),
		cmocka_unit_test_teardown( NumbersIgnoreTheLocale, TearDown ),
		cmocka_unit_test( VtkHasEverything ),
		cmocka_unit_test( VtuHasEverything ),
		cmocka_unit_test( UsdaHasEverything ),
		cmocka_unit_test( ExtensionsPickTheFormat ),
		cmocka_unit_test_teardown( ForeignFilesAreUnderstood, TearDown ),
		cmocka_unit_test_teardown( NodesWithoutTetsAreKept, TearDown ),
		cmocka_unit_test_teardown( NegativeTetsAreTurned, TearDown ),
		cmocka_unit_test_teardown( WrongFilesAreRefused, TearDown ),
		cmocka_unit_test_teardown( VegaIncludesStayInTheFolder, TearDown ),
		cmocka_unit_test_teardown( SavingAndLoading, TearDown ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
