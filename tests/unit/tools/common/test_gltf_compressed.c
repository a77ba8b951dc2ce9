// SPDX-License-Identifier: MIT
// Compressed glTF: a unit box in every form of it comes out as the box; damaged and boastful data is refused.
#include "test_support.h"

#include "capture.h"
#include "import_drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/fuzz_import.c"

// The corners of the box are those of the bits of their number, x first. Bytes as the encoders of the
// libraries made them of it, Draco with 10 bits for positions and colors that are the positions.
// clang-format off
static const uint8_t s_sequential[136] = {
	0x44, 0x52, 0x41, 0x43, 0x4F, 0x02, 0x02, 0x01, 0x00, 0x00, 0x00, 0x0C, 0x08, 0x01, 0x00, 0x01,
	0x02, 0x02, 0x01, 0x03, 0x04, 0x05, 0x06, 0x05, 0x07, 0x06, 0x00, 0x02, 0x04, 0x02, 0x05, 0x04,
	0x01, 0x06, 0x03, 0x03, 0x06, 0x07, 0x00, 0x04, 0x01, 0x01, 0x04, 0x06, 0x02, 0x03, 0x05, 0x03,
	0x07, 0x05, 0x01, 0x02, 0x00, 0x09, 0x03, 0x00, 0x00, 0x02, 0x02, 0x04, 0x00, 0x01, 0x02, 0x01,
	0x00, 0x01, 0x01, 0x00, 0x03, 0x03, 0x01, 0x28, 0x01, 0x18, 0x03, 0x00, 0x48, 0xB1, 0x50, 0x22,
	0x2D, 0x46, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0x03, 0x00, 0x00, 0x00, 0x01, 0x01, 0x00, 0x03,
	0x03, 0x01, 0x28, 0x01, 0x18, 0x03, 0x00, 0x48, 0xB1, 0x28, 0x09, 0xA2, 0x11, 0x06, 0x01, 0x00,
	0x00, 0x00, 0x00, 0xFF, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3F, 0x0A,
};
static const uint8_t s_edgebreaker[122] = {
	0x44, 0x52, 0x41, 0x43, 0x4F, 0x02, 0x02, 0x01, 0x01, 0x00, 0x00, 0x00, 0x08, 0x0C, 0x01, 0x0B,
	0x01, 0x00, 0x03, 0xAF, 0x3E, 0x0A, 0x01, 0x01, 0x10, 0xFF, 0x02, 0x35, 0x41, 0x02, 0xFF, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x09, 0x03, 0x00, 0x00, 0x02, 0x01, 0x02, 0x02, 0x04, 0x00,
	0x01, 0x01, 0x01, 0x01, 0x01, 0x00, 0x03, 0x03, 0x01, 0x28, 0x01, 0x18, 0x03, 0x00, 0x84, 0xB0,
	0x07, 0x25, 0x20, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3F, 0x0A, 0x01, 0x01,
	0x01, 0x01, 0x01, 0x03, 0x01, 0x2E, 0x01, 0x0C, 0x01, 0x06, 0x07, 0x00, 0x27, 0x84, 0x62, 0x4C,
	0xFE, 0x82, 0x00, 0x00, 0x00, 0x00, 0xFF, 0x00, 0x00, 0x00,
};
static const uint8_t s_positions[91] = {
	0xA0, 0x00, 0x00, 0x01, 0x3F, 0xFF, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01,
	0x3F, 0xFF, 0x00, 0x00, 0x7E, 0x7D, 0x7E, 0x7D, 0x7E, 0x7D, 0x7E, 0x00, 0x00, 0x01, 0x0C, 0xCC,
	0x00, 0x00, 0xFF, 0xFF, 0xFF, 0x01, 0x0C, 0xCC, 0x00, 0x00, 0x7E, 0x7D, 0x7E, 0x00, 0x00, 0x01,
	0x00, 0xC0, 0x00, 0x00, 0xFF, 0x01, 0x00, 0xC0, 0x00, 0x00, 0x7E, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
};
static const uint8_t s_quantized[76] = {
	0xA0, 0x01, 0x19, 0x99, 0x00, 0x00, 0x01, 0x3F, 0xFF, 0x00, 0x00, 0xFE, 0xFD, 0xFE, 0xFD, 0xFE,
	0xFD, 0xFE, 0x01, 0x04, 0x84, 0x00, 0x00, 0x01, 0x0C, 0xCC, 0x00, 0x00, 0xFE, 0xFD, 0xFE, 0x01,
	0x00, 0x40, 0x00, 0x00, 0x01, 0x00, 0xC0, 0x00, 0x00, 0xFE, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
};
static const uint8_t s_exponential[77] = {
	0xA0, 0x00, 0x02, 0x08, 0x78, 0x78, 0x78, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x20, 0x00, 0x00,
	0x00, 0x00, 0x01, 0x0C, 0xCC, 0x00, 0x00, 0x08, 0x07, 0x08, 0x00, 0x01, 0x20, 0x00, 0x00, 0x00,
	0x00, 0x01, 0x00, 0xC0, 0x00, 0x00, 0x08, 0x00, 0x01, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0xF5, 0x00, 0x00, 0x00, 0xF5, 0x00, 0x00, 0x00, 0xF5,
};
static const uint8_t s_octahedral[55] = {
	0xA0, 0x01, 0x3F, 0xFF, 0x00, 0x00, 0xAB, 0xAC, 0xAB, 0xFD, 0xA8, 0xA7, 0xA8, 0x01, 0x0C, 0xCC,
	0x00, 0x00, 0xAB, 0xFD, 0xA8, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0xAB, 0xAB, 0x7F, 0x7F,
};
static const uint8_t s_triangles[37] = {
	0xE1, 0xFE, 0x1E, 0xFF, 0x1E, 0x73, 0x12, 0xA1, 0x0F, 0x67, 0x12, 0x95, 0x0F, 0xF0, 0x04, 0xFF,
	0x02, 0x02, 0x02, 0x00, 0x00, 0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xA9, 0x86, 0x65, 0x89, 0x68,
	0x98, 0x01, 0x69, 0x00, 0x00,
};
static const uint8_t s_sequence[41] = {
	0xD1, 0x00, 0x08, 0x02, 0x00, 0x04, 0x04, 0x04, 0x04, 0x04, 0x02, 0x08, 0x02, 0x16, 0x04, 0x0C,
	0x0A, 0x10, 0x02, 0x06, 0x10, 0x0A, 0x00, 0x0C, 0x04, 0x1A, 0x10, 0x06, 0x00, 0x08, 0x08, 0x12,
	0x08, 0x08, 0x06, 0x10, 0x06, 0x00, 0x00, 0x00, 0x00,
};
// clang-format on

#define ASSET                                                                                                \
	"\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}]"

typedef struct Piece
{
	const void* bytes;
	size_t count;
} Piece;

// A GLB with two pieces in its buffer, and JSON that says where they are.
static uint8_t* MakeFile( const char* format, Piece first, Piece second, size_t* outBytes )
{
	char json[4096];
	uint8_t bin[1024];
	assert_true( first.count + second.count <= sizeof bin );
	memcpy( bin, first.bytes, first.count );
	if ( second.count > 0 ) memcpy( bin + first.count, second.bytes, second.count );
	snprintf( json, sizeof json, format, first.count + second.count, first.count, first.count, second.count );
	return gelMakeGlb( json, bin, first.count + second.count, outBytes );
}

#define DRACO                                                                                                \
	"{" ASSET ",\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],"     \
	"\"accessors\":[{\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"},"                                 \
	"{\"componentType\":5121,\"normalized\":true,\"count\":8,\"type\":\"VEC4\"},"                            \
	"{\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}],"                                            \
	"\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],"                                               \
	"\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],"                                                   \
	"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1},\"indices\":2,"             \
	"\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{\"POSITION\":0,"       \
	"\"COLOR_0\":1}}}}]}]}"

// Vertices of a stride in a mode with a filter, and indices in a mode.
#define MESHOPT( extension, stride, filter, mode, accessor )                                                 \
	"{" ASSET ",\"buffers\":[{\"byteLength\":%zu},{\"byteLength\":400,\"extensions\":{\"" extension          \
	"\":{\"fallback\":true}}}],\"bufferViews\":[{\"buffer\":1,\"byteLength\":" #stride                       \
	"0,\"byteStride\":" #stride ",\"extensions\":{\"" extension                                              \
	"\":{\"buffer\":0,\"byteLength\":%zu,\"byteStride\":" #stride                                            \
	",\"count\":8,\"mode\":\"ATTRIBUTES\",\"filter\":\"" filter                                              \
	"\"}}},{\"buffer\":1,\"byteOffset\":200,\"byteLength\":144,\"extensions\":{\"" extension                 \
	"\":{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":4,\"count\":36,\"mode\":\"" mode  \
	"\"}}}],\"accessors\":[" accessor ",{\"bufferView\":1,\"componentType\":5125,\"count\":36,"              \
	"\"type\":\"SCALAR\"}],\"extensionsRequired\":[\"" extension                                             \
	"\"],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]}"

#define FLOATS "{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\"}"
#define SHORTS "{\"bufferView\":0,\"componentType\":5122,\"normalized\":true,\"count\":8,\"type\":\"VEC3\"}"
#define BYTES  "{\"bufferView\":0,\"componentType\":5120,\"normalized\":true,\"count\":8,\"type\":\"VEC3\"}"

#define PIECE( array )                                                                                       \
	{                                                                                                        \
		array, sizeof array                                                                                  \
	}

static const struct
{
	const char* name;
	const char* json;
	Piece first, second;
	double corner[2]; // where the sides of the box are
} s_forms[] = {
	{ "Draco, edgebreaker", DRACO, PIECE( s_edgebreaker ), { NULL, 0 }, { 0.0, 1.0 } },
	{ "Draco, sequential", DRACO, PIECE( s_sequential ), { NULL, 0 }, { 0.0, 1.0 } },
	{ "meshopt", MESHOPT( "EXT_meshopt_compression", 12, "NONE", "TRIANGLES", FLOATS ), PIECE( s_positions ),
		PIECE( s_triangles ), { 0.0, 1.0 } },
	{ "meshopt, sequence of indices", MESHOPT( "EXT_meshopt_compression", 12, "NONE", "INDICES", FLOATS ),
		PIECE( s_positions ), PIECE( s_sequence ), { 0.0, 1.0 } },
	{ "meshopt, quantized", MESHOPT( "KHR_meshopt_compression", 8, "NONE", "TRIANGLES", SHORTS ),
		PIECE( s_quantized ), PIECE( s_triangles ), { 0.0, 1.0 } },
	{ "meshopt, exponential", MESHOPT( "EXT_meshopt_compression", 12, "EXPONENTIAL", "TRIANGLES", FLOATS ),
		PIECE( s_exponential ), PIECE( s_triangles ), { 0.0, 1.0 } },
	{ "meshopt, octahedral", MESHOPT( "EXT_meshopt_compression", 4, "OCTAHEDRAL", "TRIANGLES", BYTES ),
		PIECE( s_octahedral ), PIECE( s_triangles ), { -0.57735, 0.57735 } },
};
#define FORM_COUNT ( sizeof s_forms / sizeof s_forms[0] )

// A build without the libraries refuses all of it.
static bool CanRead( void )
{
	gelImportRun run;
	size_t bytes;
	bool canRead = true;
	for ( size_t i = 1; i < 3; ++i )
	{
		uint8_t* file = MakeFile( s_forms[i].json, s_forms[i].first, s_forms[i].second, &bytes );
		gelImportBytes( &run, "form.glb", file, bytes );
		canRead &= run.ok || run.findings.items[0].number != gel_findingGltfCompressed;
		gelFreeImportRun( &run );
		free( file );
	}
	return canRead;
}

// Corners are welded, so that the order of vertices, which Draco changes, does not count.
static void CheckBox( const char* name, const gelMesh* mesh, const double corner[2] )
{
	gelMeshTopology topology = gelMesh_Analyse( mesh );
	double side = corner[1] - corner[0], tolerance = 0.02 * side;
	if ( mesh->triangleCount != 12 || mesh->weldCount != 8 || !topology.closed ||
		fabs( topology.signedVolume - side * side * side ) > tolerance )
		fail_msg( "%s: %u triangles, %u corners, volume %g", name, mesh->triangleCount, mesh->weldCount,
			topology.signedVolume );
	for ( size_t i = 0; i < 3 * (size_t)mesh->vertexCount; ++i )
	{
		double p = (double)mesh->positions[i];
		if ( fabs( p - corner[0] ) > tolerance && fabs( p - corner[1] ) > tolerance )
			fail_msg( "%s: a coordinate is %g", name, p );
		if ( mesh->colors == NULL ) continue;
		double color = (double)mesh->colors[4 * ( i / 3 ) + i % 3];
		if ( fabs( color - p ) > tolerance ) fail_msg( "%s: a color is %g at %g", name, color, p );
	}
}

static void EveryFormIsTheBox( void** state )
{
	(void)state;
	if ( !CanRead() ) skip();
	for ( size_t i = 0; i < FORM_COUNT; ++i )
	{
		gelImportRun run;
		size_t bytes;
		uint8_t* file = MakeFile( s_forms[i].json, s_forms[i].first, s_forms[i].second, &bytes );
		gelImportBytes( &run, "form.glb", file, bytes );
		if ( !run.ok ) fail_msg( "%s: %s", s_forms[i].name, run.findings.items[0].text );
		assert_int_equal( run.mesh.colors != NULL, i < 2 );
		CheckBox( s_forms[i].name, &run.mesh, s_forms[i].corner );
		gelFreeImportRun( &run );
		free( file );
	}
}

// Two nodes with the compressed mesh: it is decoded once, and is there twice.
static void InstancesShareWhatWasDecoded( void** state )
{
	(void)state;
	if ( !CanRead() ) skip();
	for ( size_t i = 0; i < FORM_COUNT; ++i )
	{
		char json[4096];
		snprintf( json, sizeof json, "%s", s_forms[i].json );
		char* nodes = strstr( json, "\"scene\":0" );
		char rest[4096];
		snprintf( rest, sizeof rest, "%s", strstr( nodes, ",\"buffers\"" ) );
		snprintf( nodes, sizeof json - (size_t)( nodes - json ),
			"\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"translation\":[5,0,0]}]%s", rest );
		gelImportRun run;
		size_t bytes;
		uint8_t* file = MakeFile( json, s_forms[i].first, s_forms[i].second, &bytes );
		gelImportBytes( &run, "twice.glb", file, bytes );
		if ( !run.ok ) fail_msg( "%s: %s", s_forms[i].name, run.findings.items[0].text );
		assert_int_equal( run.mesh.triangleCount, 24 );
		assert_int_equal( run.mesh.weldCount, 16 );
		gelFreeImportRun( &run );
		free( file );
	}
}

// The law of every import for data cut off, changed and moved, and a finding that is about the data.
static void DamagedDataIsRefused( void** state )
{
	(void)state;
	gelRandom random = { 77 };
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	for ( int i = 0; i < 3000; ++i )
	{
		size_t form = (size_t)i % FORM_COUNT, bytes;
		uint8_t first[512];
		Piece piece = { first, s_forms[form].first.count }, second = s_forms[form].second;
		memcpy( first, s_forms[form].first.bytes, piece.count );
		for ( uint64_t k = 1 + gelRandom_Next( &random ) % 4; k > 0; --k )
			first[gelRandom_Next( &random ) % piece.count] = (uint8_t)gelRandom_Next( &random );
		if ( i % 5 == 0 ) piece.count = 1 + gelRandom_Next( &random ) % piece.count;
		uint8_t* file = MakeFile( s_forms[form].json, piece, second, &bytes );
		LLVMFuzzerTestOneInput( file, bytes );
		free( file );
	}
	free( gelCapture_End( &capture ) );
}

static void ExpectRefusal( const char* json, Piece first, Piece second, int number, const char* part )
{
	gelImportRun run;
	size_t bytes;
	uint8_t* file = MakeFile( json, first, second, &bytes );
	gelImportBytes( &run, "refused.glb", file, bytes );
	assert_false( run.ok );
	if ( run.findings.items[0].number != number || strstr( run.findings.items[0].text, part ) == NULL )
		fail_msg( "T%04d %s, not %s", run.findings.items[0].number, run.findings.items[0].text, part );
	gelFreeImportRun( &run );
	free( file );
}

// A few bytes that claim to be gigabytes.
static void BombsAreRefused( void** state )
{
	(void)state;
	if ( !CanRead() ) skip();
	static const char view[] = "\"count\":8,\"mode\"", huge[] = "\"count\":40000000,\"mode\"";
	static const char length[] = "\"byteLength\":120,", long_[] = "\"byteLength\":480000000,";
	const char* json = s_forms[2].json;
	char bomb[4096];
	const char *a = strstr( json, length ), *b = strstr( json, view );
	snprintf( bomb, sizeof bomb, "%.*s%s%.*s%s%s", (int)( a - json ), json, long_,
		(int)( b - a - (int)strlen( length ) ), a + strlen( length ), huge, b + strlen( view ) );
	ExpectRefusal(
		bomb, s_forms[2].first, s_forms[2].second, gel_findingMeshTooLarge, "unfolds to much more" );

	// Draco: the count of faces stands behind the header of 11 bytes, seven bits in each byte.
	uint8_t data[sizeof s_sequential + 8];
	memcpy( data, s_sequential, 11 );
	memcpy( data + 11, "\xFF\xFF\xFF\xFF\x03\xFF\xFF\xFF\xFF\x03", 10 );
	memcpy( data + 21, s_sequential + 13, sizeof s_sequential - 13 );
	gelImportRun run;
	size_t bytes;
	uint8_t* file =
		MakeFile( DRACO, ( Piece ){ data, sizeof s_sequential + 8 }, ( Piece ){ NULL, 0 }, &bytes );
	gelImportBytes( &run, "bomb.glb", file, bytes );
	assert_false( run.ok );
	int number = run.findings.items[0].number;
	assert_true( number == gel_findingMeshTooLarge || number == gel_findingCompressedDamaged );
	gelFreeImportRun( &run );
	free( file );
}

static void FaultsHaveAPlace( void** state )
{
	(void)state;
	if ( !CanRead() ) skip();
	ExpectRefusal( DRACO, ( Piece ){ s_edgebreaker, 20 }, ( Piece ){ NULL, 0 }, gel_findingCompressedDamaged,
		"node 0, mesh 0, primitive 0: the compressed data is damaged" );
	ExpectRefusal( s_forms[2].json, ( Piece ){ s_triangles, sizeof s_triangles }, s_forms[2].second,
		gel_findingCompressedDamaged, "buffer view 0 (meshopt): the compressed data is damaged" );
	static const char wrong[] = MESHOPT( "EXT_meshopt_compression", 10, "NONE", "TRIANGLES", FLOATS );
	ExpectRefusal( wrong, s_forms[2].first, s_forms[2].second, gel_findingCompressedDamaged,
		"buffer view 0 (meshopt): it has a wrong stride" );
	uint8_t newer[sizeof s_positions];
	memcpy( newer, s_positions, sizeof newer );
	newer[0] = 0xA7; // a version that no reader knows
	ExpectRefusal( s_forms[2].json, ( Piece ){ newer, sizeof newer }, s_forms[2].second,
		gel_findingGltfCompressed, "newer codec" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( EveryFormIsTheBox ),
		cmocka_unit_test( InstancesShareWhatWasDecoded ),
		cmocka_unit_test( DamagedDataIsRefused ),
		cmocka_unit_test( BombsAreRefused ),
		cmocka_unit_test( FaultsHaveAPlace ),
	};
	return cmocka_run_group_tests_name( "gltf_compressed", tests, NULL, gelRemoveImportFolder );
}
