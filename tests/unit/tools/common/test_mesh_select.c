// SPDX-License-Identifier: MIT
// Which parts of a file are the body: by name, and by what exporters put beside it.
#include "test_support.h"

#include "import_drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Each object is a triangle of its own, at its number along x.
static void WriteObj( const char* name, const char* const* objects, int count )
{
	char text[4096];
	size_t at = 0;
	for ( int i = 0; i < count; ++i )
		at += (size_t)snprintf( text + at, sizeof text - at,
			"o %s\nv %d 0 0\nv %d 1 0\nv %d 0 1\nf -3 -2 -1\n", objects[i], i, i, i );
	gelWriteTestFile( name, text, at );
}

// The parts that are left, by their places, as "0 2 ".
static void ExpectParts( const char* file, const gelImportOptions* options, const char* expected )
{
	gelImportRun run;
	char places[256] = "";
	size_t at = 0;
	gelImportFileWith( &run, file, options );
	if ( !run.ok ) fail_msg( "%s", run.findings.items[0].text );
	for ( uint32_t i = 0; i < run.mesh.groupCount; ++i )
	{
		const gelMeshGroup* group = run.mesh.groups + i;
		assert_int_equal( group->triangleCount, 1 );
		assert_int_equal( group->firstTriangle, i );
		const float* corner = run.mesh.positions + 3 * (size_t)run.mesh.indices[3 * i];
		at += (size_t)snprintf( places + at, sizeof places - at, "%d ", (int)corner[0] );
	}
	assert_int_equal( run.mesh.vertexCount, 3 * run.mesh.groupCount );
	assert_string_equal( places, expected );
	gelFreeImportRun( &run );
}

static void GlobsNameParts( void** state )
{
	(void)state;
	static const char* const objects[] = { "body", "arm.L", "arm.R", "hat" };
	WriteObj( "parts.obj", objects, 4 );
	static const struct
	{
		const char* nodes;
		const char* excluded;
		const char* expected;
	} cases[] = {
		{ NULL, NULL, "0 1 2 3 " },
		{ "body", NULL, "0 " },
		{ "arm.*", NULL, "1 2 " },
		{ "hat, arm.?", NULL, "1 2 3 " },
		{ NULL, "hat", "0 1 2 " },
		{ "*", "arm.L", "0 2 3 " },
		{ "[ab]*", "*.R", "0 1 " },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		const gelImportOptions options = { .nodes = cases[i].nodes, .excluded = cases[i].excluded };
		ExpectParts( "parts.obj", &options, cases[i].expected );
	}
}

static void NamesThatAreNotThereAreErrors( void** state )
{
	(void)state;
	static const char* const objects[] = { "body", "hat" };
	WriteObj( "parts.obj", objects, 2 );
	static const gelImportOptions cases[] = { { .nodes = "bdoy" }, { .excluded = "helmet" },
		{ .nodes = "hat", .excluded = "h*" } };
	static const char* const parts[] = { "--node: no part is named \"bdoy\"; the file has \"body\", \"hat\"",
		"--exclude: no part", "leave no part" };
	for ( size_t i = 0; i < 3; ++i )
	{
		gelImportRun run;
		gelImportFileWith( &run, "parts.obj", cases + i );
		assert_false( run.ok );
		assert_int_equal( run.findings.items[0].number, gel_findingPartMissing );
		if ( strstr( run.findings.items[0].text, parts[i] ) == NULL )
			fail_msg( "%s", run.findings.items[0].text );
		gelFreeImportRun( &run );
	}
}

static void ConventionsAreKnown( void** state )
{
	(void)state;
	static const char* const objects[] = { "rock_LOD0", "rock_LOD1", "UCX_rock_01", "tree.lod1", "tree-lod2",
		"Lodge", "stone-colonly", "UBX_rock", "bush_LOD1" };
	WriteObj( "levels.obj", objects, 9 );
	const gelImportOptions all = { .nodes = "*" }, none = { 0 };
	ExpectParts( "levels.obj", &none, "0 3 5 8 " ); // a lone or finest level stays
	ExpectParts( "levels.obj", &all, "0 1 2 3 4 5 6 7 8 " );
	// Where there is nothing else, it is the body.
	WriteObj( "hulls.obj", objects + 6, 2 );
	ExpectParts( "hulls.obj", &none, "0 1 " );
	gelImportRun run;
	gelImportFile( &run, "levels.obj" );
	assert_int_equal( run.findings.count, 1 );
	assert_int_equal( run.findings.items[0].number, gel_findingPartsLeftOut );
	assert_non_null( strstr( run.findings.items[0].text, "5 of 9 parts" ) );
	gelFreeImportRun( &run );
}

// A node goes with the nodes above it: by their names, and hidden with them.
static void NodesBelowGoAlong( void** state )
{
	(void)state;
	static const char json[] =
		"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,2,4]}],"
		"\"nodes\":[{\"name\":\"root\",\"children\":[1]},{\"name\":\"a\",\"mesh\":0},"
		"{\"name\":\"ghost\",\"children\":[3],\"extensions\":{\"KHR_node_visibility\":{\"visible\":false}}},"
		"{\"name\":\"b\",\"mesh\":0,\"translation\":[1,0,0]},{\"name\":\"c\",\"mesh\":1,\"translation\":[2,0,"
		"0]}],"
		"\"extensionsUsed\":[\"KHR_node_visibility\"],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]},"
		"{\"name\":\"wedge\",\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36}]}";
	static const float positions[9] = { 0, 0, 0, 0, 1, 0, 0, 0, 1 };
	size_t bytes;
	uint8_t* file = gelMakeGlb( json, positions, sizeof positions, &bytes );
	gelWriteTestFile( "nodes.glb", file, bytes );
	free( file );
	static const struct
	{
		const char* nodes;
		const char* expected;
	} cases[] = { { NULL, "0 2 " }, { "*", "0 1 2 " }, { "root", "0 " }, { "gho*", "1 " },
		{ "wedge", "2 " } };
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		const gelImportOptions options = { .nodes = cases[i].nodes };
		ExpectParts( "nodes.glb", &options, cases[i].expected );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( GlobsNameParts ),
		cmocka_unit_test( NamesThatAreNotThereAreErrors ),
		cmocka_unit_test( ConventionsAreKnown ),
		cmocka_unit_test( NodesBelowGoAlong ),
	};
	return cmocka_run_group_tests_name( "mesh_select", tests, NULL, gelRemoveImportFolder );
}
