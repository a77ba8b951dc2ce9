// SPDX-License-Identifier: MIT
// What is written reads back to the same bits.
#include "test_support.h"

#include "capture.h"
#include "import_drive.h"
#include "common/mesh/mesh_export.h"
#include "common/program/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float RandomFloat( gelRandom* random, int kind )
{
	if ( kind == 0 ) return (float)gelRandom_Uniform( random, -10.0, 10.0 );
	uint32_t bits = (uint32_t)gelRandom_Next( random );
	float value;
	memcpy( &value, &bits, sizeof value );
	return isfinite( value ) ? value : -0.0f;
}

// Random vertices with everything that a mesh can have; every vertex is used.
static gelMesh MakeMesh( uint64_t seed, uint32_t count, bool rich )
{
	gelRandom random = { seed };
	gelMesh mesh = { .vertexCount = count, .triangleCount = count, .sourceVertexCount = count };
	mesh.positions = malloc( 3 * count * sizeof( float ) );
	mesh.normals = malloc( 3 * count * sizeof( float ) );
	mesh.indices = malloc( 3 * count * sizeof( uint32_t ) );
	mesh.triMaterial = malloc( count * sizeof( uint32_t ) );
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		mesh.positions[i] = RandomFloat( &random, rich ? (int)( i % 4 ) / 3 : 0 );
		mesh.indices[i] = i % 3 == 0 ? i / 3 : (uint32_t)( gelRandom_Next( &random ) % count );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		double n[3] = { gelRandom_Normal( &random ), gelRandom_Normal( &random ),
			gelRandom_Normal( &random ) };
		double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
		for ( int d = 0; d < 3; ++d )
			mesh.normals[3 * i + d] = (float)( n[d] / length );
		mesh.triMaterial[i] = i < count / 3 ? GEL_NO_INDEX : i % 7 < 3 ? 0 : 1;
	}
	if ( !rich ) return mesh;
	mesh.uvs = malloc( 2 * count * sizeof( float ) );
	mesh.colors = malloc( 4 * count * sizeof( float ) );
	for ( uint32_t i = 0; i < 4 * count; ++i )
		mesh.colors[i] = (float)gelRandom_Uniform( &random, 0.0, 1.0 );
	for ( uint32_t i = 0; i < 2 * count; ++i )
		mesh.uvs[i] = RandomFloat( &random, 0 );
	static const char* const names[3] = { "left \"arm\"", "b\\c", "caf\xC3\xA9" };
	mesh.groups = calloc( 3, sizeof( gelMeshGroup ) );
	mesh.groupCount = 3;
	for ( uint32_t i = 0; i < 3; ++i )
		mesh.groups[i] = ( gelMeshGroup ){ .name = strdup( names[i] ),
			.extras = i == 1 ? strdup( "{\"stiff\":[1,2.5]}" ) : NULL,
			.firstTriangle = i * ( count / 3 ),
			.triangleCount = i == 2 ? count - 2 * ( count / 3 ) : count / 3 };
	mesh.materials = calloc( 2, sizeof( gelMeshMaterial ) );
	mesh.materialCount = 2;
	mesh.materials[0] =
		( gelMeshMaterial ){ .name = strdup( "skin" ), .baseColor = { 0.1f, 0.2f, 0.3f, 1.0f } };
	mesh.materials[1] =
		( gelMeshMaterial ){ .name = strdup( "eyes" ), .baseColor = { 1.0f, 0.7f, 0.0f, 0.5f } };
	mesh.attributes = calloc( 1, sizeof( gelMeshAttribute ) );
	mesh.attributeCount = 1;
	mesh.attributes[0] = ( gelMeshAttribute ){ strdup( "_PIN" ), 2, malloc( 2 * count * sizeof( float ) ) };
	memcpy( mesh.attributes[0].values, mesh.uvs, 2 * count * sizeof( float ) );
	return mesh;
}

static void ExpectSame( const gelMesh* a, const gelMesh* b )
{
	assert_int_equal( a->vertexCount, b->vertexCount );
	assert_int_equal( a->triangleCount, b->triangleCount );
	size_t count = a->vertexCount;
	assert_memory_equal( a->positions, b->positions, 3 * count * sizeof( float ) );
	assert_memory_equal( a->normals, b->normals, 3 * count * sizeof( float ) );
	assert_memory_equal( a->indices, b->indices, 3 * (size_t)a->triangleCount * sizeof( uint32_t ) );
	assert_int_equal( a->uvs != NULL, b->uvs != NULL );
	if ( a->uvs != NULL ) assert_memory_equal( a->uvs, b->uvs, 2 * count * sizeof( float ) );
	assert_int_equal( a->colors != NULL, b->colors != NULL );
	if ( a->colors != NULL ) assert_memory_equal( a->colors, b->colors, 4 * count * sizeof( float ) );
	for ( uint32_t i = 0; i < a->triangleCount; ++i )
	{
		bool some = a->triMaterial[i] < a->materialCount;
		assert_int_equal( some, b->triMaterial[i] < b->materialCount );
		if ( !some ) continue;
		const gelMeshMaterial *m = a->materials + a->triMaterial[i], *n = b->materials + b->triMaterial[i];
		assert_string_equal( m->name, n->name );
		assert_memory_equal( m->baseColor, n->baseColor, sizeof m->baseColor );
	}
}

static void Export( const gelMesh* mesh, const char* name )
{
	char path[1024];
	snprintf( path, sizeof path, "%s/%s", gelImportFolder(), name );
	gelFindings findings = { 0 };
	assert_true( gelExportMesh( mesh, path, &findings ) );
	assert_int_equal( findings.count, 0 );
	gelFreeFindings( &findings );
}

static void ObjReadsBack( void** state )
{
	(void)state;
	for ( int rich = 0; rich < 2; ++rich )
	{
		gelMesh mesh = MakeMesh( 3, 2000, rich );
		Export( &mesh, "round.obj" );
		gelImportRun run;
		gelImportFile( &run, "round.obj" );
		assert_true( run.ok );
		ExpectSame( &mesh, &run.mesh );
		assert_int_equal( run.mesh.groupCount, rich ? 3 : 1 );
		if ( rich ) assert_string_equal( run.mesh.groups[2].name, "caf\xC3\xA9" );
		gelFreeImportRun( &run );
		gelFreeMesh( &mesh );
	}
}

static void GlbReadsBack( void** state )
{
	(void)state;
	for ( int rich = 0; rich < 2; ++rich )
	{
		gelMesh mesh = MakeMesh( 4, 2000, rich );
		Export( &mesh, "round.glb" );
		gelImportRun run;
		gelImportFile( &run, "round.glb" );
		assert_true( run.ok );
		assert_null( gelFindText( &run, gel_findingGltfRuleBroken ) ); // cgltf_validate is content
		ExpectSame( &mesh, &run.mesh );
		assert_int_equal( run.mesh.groupCount, rich ? 3 : 1 );
		for ( uint32_t i = 0; rich && i < 3; ++i )
		{
			assert_string_equal( run.mesh.groups[i].name, mesh.groups[i].name );
			assert_int_equal( run.mesh.groups[i].firstTriangle, mesh.groups[i].firstTriangle );
			assert_int_equal( run.mesh.groups[i].triangleCount, mesh.groups[i].triangleCount );
		}
		if ( rich )
		{
			assert_string_equal( run.mesh.groups[1].extras, mesh.groups[1].extras );
			assert_int_equal( run.mesh.attributeCount, 1 );
			assert_string_equal( run.mesh.attributes[0].name, "_PIN" );
			assert_memory_equal(
				run.mesh.attributes[0].values, mesh.attributes[0].values, 2 * 2000 * sizeof( float ) );
		}
		gelFreeImportRun( &run );
		gelFreeMesh( &mesh );
	}
}

// Digits that say something: without zeros at either end, the point and the exponent.
static int CountDigits( const char* text )
{
	int count = 0, zeros = 0;
	for ( ; *text != 0 && *text != 'e'; ++text )
	{
		if ( *text < '0' || *text > '9' ) continue;
		zeros = *text == '0' ? zeros + 1 : 0;
		if ( count > 0 || *text != '0' )
			++count;
		else
			zeros = 0;
	}
	return count - zeros;
}

// As few digits as the C library needs when asked for 6, 7, 8 and 9 in turn, and the same float when read.
static void FloatsArePrintedForReadingBack( void** state )
{
	(void)state;
	gelRandom random = { 9 };
	for ( int i = 0; i < 200000; ++i )
	{
		float value = RandomFloat( &random, i % 2 );
		if ( i % 7 == 0 ) value = (float)( (double)( gelRandom_Next( &random ) % 100000 ) / 1000.0 );
		char text[GEL_FLOAT_TEXT_BYTES], twin[400];
		int length = gelPrintFloat( text, value );
		assert_true( length > 0 && length < GEL_FLOAT_TEXT_BYTES && (size_t)length == strlen( text ) );
		float back = strtof( text, NULL );
		if ( memcmp( &back, &value, sizeof value ) != 0 )
			fail_msg( "%.9g was printed as %s", (double)value, text );
		int precision = 6;
		do
			snprintf( twin, sizeof twin, "%.*g", precision++, (double)value );
		while ( strtof( twin, NULL ) != value );
		if ( CountDigits( text ) > CountDigits( twin ) ) fail_msg( "%s was printed as %s", twin, text );
	}
}

static void UnknownEndingsAreRefused( void** state )
{
	(void)state;
	gelMesh mesh = MakeMesh( 5, 10, false );
	gelFindings findings = { 0 };
	char path[1024];
	snprintf( path, sizeof path, "%s/x.stl", gelImportFolder() );
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	bool written = gelExportMesh( &mesh, path, &findings );
	int exitCode = findings.exitCode;
	written |= gelExportMesh( &mesh, "/nowhere/at/all.obj", &findings );
	written |= gelExportMesh( &mesh, "/nowhere/at/all.glb", &findings );
	free( gelCapture_End( &capture ) );
	assert_false( written );
	assert_int_equal( exitCode, gel_exitUsage );
	assert_int_equal( findings.errorCount, 3 );
	gelFreeFindings( &findings );
	gelFreeMesh( &mesh );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( ObjReadsBack ),
		cmocka_unit_test( GlbReadsBack ),
		cmocka_unit_test( FloatsArePrintedForReadingBack ),
		cmocka_unit_test( UnknownEndingsAreRefused ),
	};
	return cmocka_run_group_tests_name( "mesh_export", tests, NULL, gelRemoveImportFolder );
}
