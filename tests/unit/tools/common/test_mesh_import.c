// SPDX-License-Identifier: MIT
// OBJ files: every form that modellers write, and every fault with the line that it stands on.
#include "test_support.h"

#include "import_drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUBE_VERTICES "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
#define CUBE_FACES    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"

static void ExpectCube( const char* name, const char* text )
{
	gelImportRun run;
	gelImportText( &run, "cube.obj", text );
	if ( !run.ok ) fail_msg( "%s: %s", name, run.findings.items[0].text );
	gelMeshTopology topology = gelMesh_Analyse( &run.mesh );
	if ( run.mesh.triangleCount != 12 || run.mesh.weldCount != 8 || !topology.closed || topology.euler != 2 ||
		fabs( topology.signedVolume - 8.0 ) > 1e-12 || topology.area != 24.0 )
		fail_msg( "%s: %u triangles, %u welds, volume %g", name, run.mesh.triangleCount, run.mesh.weldCount,
			topology.signedVolume );
	gelFreeImportRun( &run );
}

// The same cube in every spelling.
static void SpellingsGiveTheSameCube( void** state )
{
	(void)state;
	static const struct
	{
		const char* name;
		const char* text;
	} cases[] = {
		{ "plain", CUBE_VERTICES CUBE_FACES },
		{ "faces first", CUBE_FACES CUBE_VERTICES },
		{ "no newline at the end",
			CUBE_VERTICES "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8" },
		{ "byte order mark", "\xEF\xBB\xBF" CUBE_VERTICES CUBE_FACES },
		{ "negative",
			CUBE_VERTICES "f -5 -6 -7 -8\nf -4 -3 -2 -1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n" },
		{ "tabs and blanks",
			"\tv\t-1   -1\t-1 \nv 1 -1 -1\t\nv 1 1 -1\n  v -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 "
			"1\n\n \t\n" CUBE_FACES },
		{ "comments",
			"# a cube\n#v 9 9 9\n" CUBE_VERTICES
			"f 4 3 2 1 # bottom\nf 5 6 7 8\n#\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n" },
		{ "number forms",
			"v -1.0 -1. -1e0\nv +1 -.1e1 -10e-1\nv 01 1.000000000000000000000 -1\nv -1 1E+0 -1\nv -1 -1 1\nv "
			"1 -1 1\nv 1 1 1\nv -1 1 1\n" CUBE_FACES },
		{ "w component",
			"v -1 -1 -1 1\nv 1 -1 -1 1.0\nv 1 1 -1 1\nv -1 1 -1 1\nv -1 -1 1 1\nv 1 -1 1 1\nv 1 1 1 1\nv -1 "
			"1 1 1\n" CUBE_FACES },
		{ "carriage returns",
			"v -1 -1 -1\rv 1 -1 -1\rv 1 1 -1\rv -1 1 -1\rv -1 -1 1\rv 1 -1 1\rv 1 1 1\rv -1 1 1\rf 4 3 2 "
			"1\rf 5 6 7 8\rf 1 2 6 5\rf 2 3 7 6\rf 3 4 8 7\rf 4 1 5 8\r" },
		{ "CRLF",
			"v -1 -1 -1\r\nv 1 -1 -1\r\nv 1 1 -1\r\nv -1 1 -1\r\nv -1 -1 1\r\nv 1 -1 1\r\nv 1 1 1\r\nv -1 1 "
			"1\r\nf 4 3 2 1\r\nf 5 6 7 8\r\nf 1 2 6 5\r\nf 2 3 7 6\r\nf 3 4 8 7\r\nf 4 1 5 8\r\n" },
		{ "continuation lines",
			"v -1 \\\n-1 \\\r\n -1\nv 1 -1 -1\nv 1\\\n 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 "
			"1\nf 4 3 \\\n2 1\nf 5 6\\\n 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n" },
		{ "groups and unknown words",
			"o thing\ng a\n" CUBE_VERTICES "s off\ng b\nusemtl x\ncstype bezier\n" CUBE_FACES },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
		ExpectCube( cases[i].name, cases[i].text );
}

static void ColorsFillUpWithWhite( void** state )
{
	(void)state;
	gelImportRun run;
	gelImportText( &run, "c.obj", "v 0 0 0\nv 1 0 0 0.25 0.5 0.75\nv 0 1 0 1 0 0 0.5\nf 1 2 3\n" );
	static const float expected[12] = { 1, 1, 1, 1, 0.25f, 0.5f, 0.75f, 1, 1, 0, 0, 0.5f };
	assert_non_null( run.mesh.colors );
	assert_memory_equal( run.mesh.colors, expected, sizeof expected );
	gelFreeImportRun( &run );
}

// A seam: one position with two texture coordinates is two render vertices and one weld.
static void SeamsSplitRenderVerticesOnly( void** state )
{
	(void)state;
	gelImportRun run;
	gelImportText( &run, "s.obj",
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvt 0.5 0.5\n"
		"f 2/4 4/3 3/3\nf 1/1 2/2 3/3\n" );
	assert_true( run.ok );
	assert_int_equal( run.mesh.vertexCount, 5 );
	assert_int_equal( run.mesh.weldCount, 4 );
	// order: by position in the file, then by first use
	static const uint32_t sources[5] = { 0, 1, 1, 2, 3 };
	static const uint32_t indices[6] = { 1, 4, 3, 0, 2, 3 };
	static const float uvs[10] = { 0, 0, 0.5f, 0.5f, 1, 0, 0, 1, 0, 1 };
	assert_memory_equal( run.mesh.vertToSource, sources, sizeof sources );
	assert_memory_equal( run.mesh.indices, indices, sizeof indices );
	assert_memory_equal( run.mesh.uvs, uvs, sizeof uvs );
	assert_false( run.mesh.normalsFromFile );
	for ( uint32_t i = 0; i < 5; ++i )
		assert_true( run.mesh.normals[3 * i + 2] == 1.0f );
	gelFreeImportRun( &run );
}

static void NormalsOfTheFileAreKeptAndCompleted( void** state )
{
	(void)state;
	gelImportRun run;
	gelImportText( &run, "n.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 3 0 4\nvn 0 0 0\nf 1//1 2//2 3\n" );
	assert_true( run.ok && run.mesh.normalsFromFile );
	assert_true( run.mesh.normals[0] == 0.6f && run.mesh.normals[2] == 0.8f );
	assert_true( run.mesh.normals[5] == 1.0f && run.mesh.normals[8] == 1.0f );
	assert_non_null( gelFindText( &run, gel_findingNormalsComputed ) );
	gelFreeImportRun( &run );
}

// Groups are runs of triangles; those without faces vanish, neighbors of one name join.
static void GroupsAreRuns( void** state )
{
	(void)state;
	gelImportRun run;
	gelImportText( &run, "g.obj",
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no first thing \nf 1 2 3\ng empty\ng left arm # comment\nf 1 2 "
		"3\nusemtl a\ng left arm\nf 3 2 1\n" );
	assert_true( run.ok );
	assert_int_equal( run.mesh.groupCount, 3 );
	assert_string_equal( run.mesh.groups[0].name, "default" );
	assert_string_equal( run.mesh.groups[1].name, "first thing" );
	assert_string_equal( run.mesh.groups[2].name, "left arm" );
	assert_int_equal( run.mesh.groups[2].firstTriangle, 2 );
	assert_int_equal( run.mesh.groups[2].triangleCount, 2 );
	gelFreeImportRun( &run );
}

// Whatever bytes a name has, it ends up as printable UTF-8.
static void NamesAreMadePrintable( void** state )
{
	(void)state;
	gelImportRun run;
	gelImportText(
		&run, "n.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\ng caf\xC3\xA9 caf\xE9\x1B[31m\nusemtl a\tb\nf 1 2 3\n" );
	assert_true( run.ok );
	assert_string_equal( run.mesh.groups[0].name, "caf\xC3\xA9 caf\\xE9\\x1B[31m" );
	assert_string_equal( run.mesh.materials[0].name, "a\\tb" );
	gelFreeImportRun( &run );
}

static void MaterialsTakeTheirColorsFromTheLibrary( void** state )
{
	(void)state;
	gelImportRun run;
	static const char library[] =
		"newmtl red paint\r\nKd 1 0.5 0.25\r\nd 0.5\r\nnewmtl b\r\nTr 0.25\nKd 0.125\n"
		"map_Kd -s 1 2 1 -clamp on -o 0.5 tex\\my skin.png \r\nmap_Kd second.png\n";
	gelWriteTestFile( "two words.mtl", library, sizeof library - 1 );
	gelImportText( &run, "m.obj",
		"mtllib two words.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl b\nf 1 2 3\nusemtl red paint\nf 1 2 "
		"3\nusemtl none\nf 1 2 3\nusemtl\nf 1 2 3\n" );
	assert_true( run.ok );
	assert_int_equal( run.mesh.materialCount, 3 );
	assert_string_equal( run.mesh.materials[1].name, "red paint" );
	static const float red[4] = { 1, 0.5f, 0.25f, 0.5f }, grey[4] = { 0.125f, 0.125f, 0.125f, 0.75f };
	assert_memory_equal( run.mesh.materials[1].baseColor, red, sizeof red );
	assert_memory_equal( run.mesh.materials[0].baseColor, grey, sizeof grey );
	assert_string_equal( run.mesh.materials[0].picture, "tex/my skin.png" );
	assert_null( run.mesh.materials[1].picture );
	static const uint32_t materials[4] = { 0, 1, 2, GEL_NO_INDEX };
	assert_memory_equal( run.mesh.triMaterial, materials, sizeof materials );
	assert_non_null( strstr( gelFindText( &run, gel_findingMaterialUndefined ), "none" ) );
	assert_int_equal( run.files.count, 2 );
	assert_non_null( strstr( run.files.paths[1], "two words.mtl" ) );
	gelFreeImportRun( &run );
}

static void MissingLibrariesAreWarnings( void** state )
{
	(void)state;
	gelImportRun run;
	gelImportText( &run, "m.obj",
		"mtllib no.mtl\nmtllib ../up.mtl /etc/passwd\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl q\nf 1 2 3\n" );
	assert_true( run.ok );
	assert_non_null( strstr( gelFindText( &run, gel_findingMtlMissing ), "no.mtl" ) );
	assert_non_null( strstr( gelFindText( &run, gel_findingMtlOutsideFolder ), "/etc/passwd" ) );
	assert_int_equal( run.files.count, 1 );
	gelFreeImportRun( &run );
}

// An L-shaped polygon, a polygon with a bridged hole, and one on the side: the triangles cover the area once.
static void PolygonsAreCutInsideOnly( void** state )
{
	(void)state;
	static const struct
	{
		const char* text;
		uint32_t triangles;
		double area;
		bool fan;
	} cases[] = {
		{ "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 3 4 5 6 1 2\n", 4, 3.0, false },
		{ "v 0 0 0\nv 0 2 0\nv 0 2 1\nv 0 1 1\nv 0 1 2\nv 0 0 2\nf 6 5 4 3 2 1\n", 4, 3.0, false },
		{ "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 0\nv 1 2 0\nv 2 2 0\nv 2 1 0\nf 1 2 3 4 1 5 6 7 8 5\n",
			8, 15.0, false },
		{ "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4 5\n", 3, 4.0, false },
		{ "v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 2 0\nf 1 2 3 4\n", 2, 4.0, true },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		gelImportRun run;
		gelImportText( &run, "p.obj", cases[i].text );
		assert_true( run.ok );
		gelMeshTopology topology = gelMesh_Analyse( &run.mesh );
		assert_int_equal( run.mesh.triangleCount, cases[i].triangles );
		assert_true( topology.area == cases[i].area );
		assert_int_equal( topology.degenerateTriangles, 0 );
		assert_int_equal( gelFindText( &run, gel_findingPolygonNotSimple ) != NULL, cases[i].fan );
		gelFreeImportRun( &run );
	}
}

// A line far longer than any buffer of the library, and a face of far more corners.
static void LongLinesAreRead( void** state )
{
	(void)state;
	const int corners = 3000;
	char* text = malloc( 200000 );
	int at = 0;
	for ( int i = 0; i < corners; ++i )
	{
		double angle = 6.283185307179586 * i / corners;
		at += sprintf( text + at, "v %.9g %.9g 0\n", cos( angle ), sin( angle ) );
	}
	at += sprintf( text + at, "f" );
	for ( int i = 0; i < corners; ++i )
		at += sprintf( text + at, " %d", i + 1 );
	gelImportRun run;
	gelImportBytes( &run, "long.obj", text, (size_t)at );
	assert_true( run.ok );
	assert_int_equal( run.mesh.triangleCount, corners - 2 );
	assert_true( fabs( gelMesh_Analyse( &run.mesh ).area - 3.14159 ) < 1e-4 );
	gelFreeImportRun( &run );
	free( text );
}

// Faces of 3 to 40 corners, with and without texture coordinates and normals: what the library reads in
// blocks and what goes past it stand in the order of the file.
static void FacesKeepTheirOrder( void** state )
{
	(void)state;
	char* text = malloc( 4000000 );
	int at = 0, faces = 6000;
	gelRandom random = { 7 };
	for ( int i = 0; i < 100; ++i )
		at += sprintf( text + at, "v %d %d %d\nvt %d 0\nvn 0 0 %d\n", i, i * i % 17, i % 5, i, i + 1 );
	uint32_t* firsts = malloc( (size_t)faces * sizeof( uint32_t ) );
	uint32_t* counts = malloc( (size_t)faces * sizeof( uint32_t ) );
	for ( int i = 0; i < faces; ++i )
	{
		counts[i] = 3 + (uint32_t)( gelRandom_Next( &random ) % ( i % 50 == 0 ? 38 : 6 ) );
		firsts[i] = (uint32_t)( gelRandom_Next( &random ) % ( 100 - counts[i] ) );
		at += sprintf( text + at, "f" );
		for ( uint32_t k = 0; k < counts[i]; ++k )
		{
			uint32_t v = firsts[i] + k + 1;
			static const char* const forms[4] = { " %u", " %u/%u", " %u//%u", " %u/%u/%u" };
			at += sprintf( text + at, forms[i % 4], v, v, v );
		}
		at += sprintf( text + at, "\n" );
	}
	gelImportRun run;
	gelImportBytes( &run, "order.obj", text, (size_t)at );
	assert_true( run.ok );
	uint32_t triangle = 0;
	for ( int i = 0; i < faces; ++i )
	{
		uint32_t least = 1000, most = 0;
		for ( uint32_t k = 0; k < 3 * ( counts[i] - 2 ); ++k )
		{
			uint32_t v = run.mesh.indices[3 * triangle + k], source = run.mesh.vertToSource[v];
			least = source < least ? source : least;
			most = source > most ? source : most;
			if ( i % 2 == 1 ) assert_true( run.mesh.uvs[2 * v] == (float)source );
		}
		assert_int_equal( least, firsts[i] );
		assert_int_equal( most, firsts[i] + counts[i] - 1 );
		triangle += counts[i] - 2;
	}
	assert_int_equal( triangle, run.mesh.triangleCount );
	gelFreeImportRun( &run );
	free( text );
	free( firsts );
	free( counts );
}

// Positions must be the floats nearest to the text. The C library is the slow twin.
static void NumbersAreReadExactly( void** state )
{
	(void)state;
	gelRandom random = { 11 };
	char* text = malloc( 4000000 );
	float* expected = malloc( 90000 * sizeof( float ) );
	int at = 0, count = 0;
	for ( int i = 0; i < 30000; ++i )
	{
		at += sprintf( text + at, "v" );
		for ( int k = 0; k < 3; ++k )
		{
			char number[64];
			uint32_t bits = (uint32_t)gelRandom_Next( &random );
			float value;
			memcpy( &value, &bits, sizeof value );
			if ( !isfinite( value ) ) value = 1.0f;
			if ( i % 3 == 0 ) value = (float)gelRandom_Uniform( &random, -100.0, 100.0 );
			// halfway between two floats and a little off it, where double rounding goes wrong
			double wanted = i % 5 == 0 ? ( (double)value + (double)nextafterf( value, 2.0f * value ) ) / 2.0
									   : (double)value;
			static const int digits[6] = { 9, 6, 17, 3, 25, 12 };
			snprintf( number, sizeof number, "%.*g", digits[( i + k ) % 6], wanted );
			expected[count] = strtof( number, NULL );
			if ( !isfinite( expected[count] ) )
				snprintf( number, sizeof number, "0" ), expected[count] = 0.0f;
			++count;
			at += sprintf( text + at, " %s", number );
		}
		at += sprintf( text + at, "\n" );
	}
	for ( int i = 0; i < 30000; i += 3 )
		at += sprintf( text + at, "f %d %d %d\n", i + 1, i + 2, i + 3 );
	gelImportRun run;
	gelImportBytes( &run, "exact.obj", text, (size_t)at );
	assert_true( run.ok );
	assert_int_equal( run.mesh.vertexCount, 30000 );
	assert_memory_equal( run.mesh.positions, expected, 90000 * sizeof( float ) );
	gelFreeImportRun( &run );
	free( text );
	free( expected );
}

static void OddThingsAreReported( void** state )
{
	(void)state;
	static const struct
	{
		const char* text;
		int number;
		const char* part;
	} cases[] = {
		{ "v 0 0 0\nv 1 0 0\nv 0 1 3.1+e2\nf 1 2 3\n", gel_findingNumberGarbled, "line 3" },
		{ "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\nf\nf 1 2 3\n", gel_findingFaceTooShort, "line 4: 2 faces" },
		{ "v 0 0 0\nv 1 0 0\nv 0 1 0\np 1\nl 1 2\nf 1 2 3\n", gel_findingObjPointsUnused, "line 4: 1 point" },
		{ "v 0 0 0\nv 1 0 0\nv 0 1 0\ncurv 0 1 1 2\nf 1 2 3\n", gel_findingStatementsUnused, "line 4" },
		{ "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 7 7 7\nf 1 2 3\n", gel_findingVerticesUnused, "1 of 4" },
		{ "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/9/3 2/0 3\n", gel_findingObjAttributeMissing, "line 4: 3 " },
		{ "v 500000 0 0\nv 500001 0 0\nv 500000 1 0\nf 1 2 3\n", gel_findingMeshFarAway, "from the origin" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		gelImportRun run;
		gelImportText( &run, "odd.obj", cases[i].text );
		assert_true( run.ok );
		assert_int_equal( run.mesh.triangleCount, 1 );
		const char* text = gelFindText( &run, cases[i].number );
		if ( text == NULL || strstr( text, cases[i].part ) == NULL )
			fail_msg( "case %zu: %s", i, text != NULL ? text : "no finding" );
		gelFreeImportRun( &run );
	}
}

static void FaultsAreRefusedWithTheirLine( void** state )
{
	(void)state;
	static const struct
	{
		const char* text;
		int number;
		const char* part;
	} cases[] = {
		{ "", gel_findingFileEmpty, "empty" },
		{ "hello, world\n", gel_findingNotMesh, "no OBJ file" },
		{ "v 0 0 0\nv 1 0 0\nv 0 1 0\n", gel_findingNoTriangles, "no triangles" },
		{ "# only a comment\n", gel_findingNoTriangles, "no triangles" },
		{ "v 0 0 nan\nf 1 1 1\n", gel_findingNumberUnreadable, "line 1" },
		{ "v 0 0 0\nv 0 -inf 0\n", gel_findingNumberUnreadable, "line 2" },
		{ "v 0 0 1e39\n", gel_findingNumberUnreadable, "fit a float" },
		{ "v 0 0 1.#IND\n", gel_findingNumberUnreadable, "1.#IND" },
		{ "v 1,5 0 0\n", gel_findingNumberUnreadable, "commas" },
		{ "v 0x10 0 0\n", gel_findingNumberUnreadable, "0x10" },
		{ "v 0 . 0\n", gel_findingNumberUnreadable, "line 1" },
		{ "v 1 2\n", gel_findingNumberCount, "three numbers" },
		{ "vt\n", gel_findingNumberCount, "vt" },
		{ "\n\nvn 1 0\n", gel_findingNumberCount, "line 3" },
		{ "v 1 2 3 4 5 6 7 8 9\n", gel_findingNumberCount, "too many" },
		{ "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", gel_findingObjIndexMissing, "line 4: vertex index 4" },
		{ "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", gel_findingObjIndexMissing, "line 4" },
		{ "v 0 0 0\nf -1 -2 -3\n", gel_findingObjIndexMissing, "line 2: vertex index -2" },
		{ "v 0 0 0\nf 1 2 99999999999999999999\n", gel_findingObjIndexMissing, "line 2" },
		{ "v 0 0 0\nf 1 2 -99999999999999999999\n", gel_findingObjIndexMissing, "line 2" },
		{ "v 0 0 0\nf 1 2 x\n", gel_findingCornerUnreadable, "line 2" },
		{ "v 0 0 0\nf 1/1/1/1 2 3\n", gel_findingCornerUnreadable, "line 2" },
		{ "v 0 0 0\nf 1.5 2 3\n", gel_findingCornerUnreadable, "line 2" },
		{ "v 0 0 0 \\\n\\\n\nf 1/ /1 2\n", gel_findingCornerUnreadable, "line 4" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		gelImportRun run;
		gelImportText( &run, "bad.obj", cases[i].text );
		assert_false( run.ok );
		assert_int_equal( run.findings.exitCode, gel_exitInput );
		assert_int_equal( run.findings.errorCount, 1 );
		const char* text = gelFindText( &run, cases[i].number );
		if ( text == NULL || strstr( text, cases[i].part ) == NULL )
			fail_msg( "case %zu: %s", i, run.findings.items[run.findings.count - 1].text );
		gelFreeImportRun( &run );
	}
}

static void ForeignFilesAreNamed( void** state )
{
	(void)state;
	static const struct
	{
		const char* bytes;
		size_t count;
		const char* part;
	} cases[] = {
		{ "\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16, "PNG image" },
		{ "\xFF\xD8\xFF\xE0\0\x10JFIF", 10, "JPEG image" },
		{ "\xFE\xFF\0v\0 \0"
		  "0",
			8, "UTF-16" },
		{ "\xFF\xFEv\0 \0"
		  "0\0",
			8, "UTF-16" },
		{ "v\0 \0"
		  "0\0 \0"
		  "0\0 \0"
		  "0\0\n\0",
			16, "UTF-16" },
		{ "v 0 0 0\nv\0 1 1 1\n", 17, "binary" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		gelImportRun run;
		gelImportBytes( &run, "foreign.obj", cases[i].bytes, cases[i].count );
		assert_false( run.ok );
		const char* text = gelFindText( &run, gel_findingNotMesh );
		if ( text == NULL || strstr( text, cases[i].part ) == NULL ) fail_msg( "case %zu: %s", i, text );
		gelFreeImportRun( &run );
	}
	// a zero byte beyond what the first look sees
	char text[600];
	memset( text, '\n', sizeof text );
	text[500] = 0;
	gelImportRun run;
	gelImportBytes( &run, "late.obj", text, sizeof text );
	assert_non_null( strstr( gelFindText( &run, gel_findingNotMesh ), "line 501" ) );
	gelFreeImportRun( &run );
}

// The content decides: JSON under the name of an OBJ file is read as glTF, and an OBJ under that of a GLB as
// OBJ.
static void ContentBeatsTheName( void** state )
{
	(void)state;
	gelImportRun run;
	gelImportText( &run, "x.obj", "{\"asset\":{\"version\":\"2.0\"}}" );
	assert_non_null( gelFindText( &run, gel_findingNoTriangles ) );
	gelFreeImportRun( &run );
	gelImportText( &run, "x.glb", CUBE_VERTICES CUBE_FACES );
	assert_true( run.ok );
	gelFreeImportRun( &run );
}

static void FilesThatCannotBeReadAreInputOutputErrors( void** state )
{
	(void)state;
	gelImportRun run;
	gelImportFile( &run, "does-not-exist.obj" );
	assert_int_equal( run.findings.exitCode, gel_exitIo );
	gelFreeImportRun( &run );
	gelImportFile( &run, "." );
	assert_int_equal( run.findings.exitCode, gel_exitIo );
	gelFreeImportRun( &run );
}

// SHA-256 over the contents in order of reading: here of one file, "f 1 1 1\nv 0 0 0\n".
static void FilesAreHashed( void** state )
{
	(void)state;
	gelImportRun run, again;
	gelImportText( &run, "h.obj", "f 1 1 1\nv 0 0 0\n" );
	gelImportText( &again, "h.obj", "f 1 1 1\nv 0 0 1\n" );
	assert_true( run.ok );
	static const uint8_t expected[4] = { 0xb4, 0x67, 0x1f, 0x89 };
	assert_memory_equal( run.files.sha256, expected, sizeof expected );
	assert_memory_not_equal( run.files.sha256, again.files.sha256, 32 );
	gelFreeImportRun( &run );
	gelFreeImportRun( &again );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( SpellingsGiveTheSameCube ),
		cmocka_unit_test( ColorsFillUpWithWhite ),
		cmocka_unit_test( SeamsSplitRenderVerticesOnly ),
		cmocka_unit_test( NormalsOfTheFileAreKeptAndCompleted ),
		cmocka_unit_test( GroupsAreRuns ),
		cmocka_unit_test( NamesAreMadePrintable ),
		cmocka_unit_test( MaterialsTakeTheirColorsFromTheLibrary ),
		cmocka_unit_test( MissingLibrariesAreWarnings ),
		cmocka_unit_test( PolygonsAreCutInsideOnly ),
		cmocka_unit_test( LongLinesAreRead ),
		cmocka_unit_test( FacesKeepTheirOrder ),
		cmocka_unit_test( NumbersAreReadExactly ),
		cmocka_unit_test( OddThingsAreReported ),
		cmocka_unit_test( FaultsAreRefusedWithTheirLine ),
		cmocka_unit_test( ForeignFilesAreNamed ),
		cmocka_unit_test( ContentBeatsTheName ),
		cmocka_unit_test( FilesThatCannotBeReadAreInputOutputErrors ),
		cmocka_unit_test( FilesAreHashed ),
	};
	return cmocka_run_group_tests_name( "mesh_import", tests, NULL, gelRemoveImportFolder );
}
