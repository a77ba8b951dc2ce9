// SPDX-License-Identifier: MIT
// glTF and GLB: every way to store triangles that the format knows, and every fault with its place.
#include "test_support.h"

#include "import_drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Two triangles of a unit square in z = 0, then numbers that single tests use.
typedef struct Bin
{
	float positions[4][3];   // 0
	uint16_t indices[6];     // 48
	uint8_t bytes[12];       // 60
	float extra[4][4];       // 72
	int16_t quantized[4][4]; // 136, stride 8
	uint32_t wide[6];        // 168
} Bin;
_Static_assert( sizeof( Bin ) == 192, "offsets stand in the JSON texts below" );

static const Bin s_bin = {
	.positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } },
	.indices = { 0, 1, 2, 0, 2, 3 },
	.bytes = { 0, 1, 2, 0, 2, 3, 0, 51, 102, 255, 3, 1 },
	.extra = { { 0.5f, 1, 2, 1 }, { 3, 4, 5, 1 }, { 6, 7, 8, 1 }, { 9, 10, 11, 1 } },
	.quantized = { { 0, 0, 0, 9 }, { 32767, 0, 0, 9 }, { 32767, 32767, 0, 9 }, { 0, 32767, 0, 9 } },
	.wide = { 0, 1, 2, 0, 2, 3 },
};

#define ASSET  "\"asset\":{\"version\":\"2.0\"}"
#define SCENE  "\"scene\":0,\"scenes\":[{\"nodes\":[0]}]"
#define NODE   "\"nodes\":[{\"mesh\":0}]"
#define BUFFER "\"buffers\":[{\"byteLength\":192}]"
#define VIEWS                                                                                                \
	"\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12},"  \
	"{\"buffer\":0,\"byteOffset\":60,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":72,\"byteLength\":64}," \
	"{\"buffer\":0,\"byteOffset\":136,\"byteLength\":32,\"byteStride\":8},"                                  \
	"{\"buffer\":0,\"byteOffset\":168,\"byteLength\":24},"                                                   \
	"{\"buffer\":0,\"byteOffset\":72,\"byteLength\":64,\"byteStride\":16}]"
#define ACCESSORS                                                                                            \
	"{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"                               \
	"{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}"
#define SQUARE_MESH "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]"

static void Import( gelImportRun* run, const char* rest )
{
	char json[8192];
	snprintf( json, sizeof json, "{" ASSET "," BUFFER "," VIEWS ",%s}", rest );
	gelImportGlb( run, json, &s_bin, sizeof s_bin );
}

static void ExpectSquare( gelImportRun* run, const char* name, uint32_t vertices, double area )
{
	if ( !run->ok ) fail_msg( "%s: %s", name, run->findings.items[0].text );
	gelMeshTopology topology = gelMesh_Analyse( &run->mesh );
	if ( run->mesh.triangleCount != 2 || run->mesh.vertexCount != vertices ||
		fabs( topology.area - area ) > 1e-6 * area || topology.flippedEdges != 0 )
		fail_msg( "%s: %u triangles, %u vertices, area %g", name, run->mesh.triangleCount,
			run->mesh.vertexCount, topology.area );
}

// One square, stored in every way: index types, modes, sparse, quantized, interleaved.
static void StorageDoesNotMatter( void** state )
{
	(void)state;
	static const struct
	{
		const char* name;
		const char* accessors;
		const char* primitive;
		uint32_t vertices;
		double area;
	} cases[] = {
		{ "16-bit indices", ACCESSORS, "\"attributes\":{\"POSITION\":0},\"indices\":1", 4, 1.0 },
		{ "8-bit indices",
			"{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":2,"
			"\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"}",
			"\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":4", 4, 1.0 },
		{ "32-bit indices",
			"{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":5,"
			"\"componentType\":5125,\"count\":6,\"type\":\"SCALAR\"}",
			"\"attributes\":{\"POSITION\":0},\"indices\":1", 4, 1.0 },
		{ "fan without indices", ACCESSORS, "\"attributes\":{\"POSITION\":0},\"mode\":6", 4, 1.0 },
		{ "quantized, normalized",
			"{\"bufferView\":4,\"componentType\":5122,\"normalized\":true,\"count\":4,\"type\":\"VEC3\"}",
			"\"attributes\":{\"POSITION\":0},\"mode\":6", 4, 1.0 },
		{ "quantized, plain", "{\"bufferView\":4,\"componentType\":5122,\"count\":4,\"type\":\"VEC3\"}",
			"\"attributes\":{\"POSITION\":0},\"mode\":6", 4, 32767.0 * 32767.0 },
		// elements 1 and 3 (bytes 70, 71 are 3 and 1) become (3,4,5)... of the interleaved view: not a
		// square, but two triangles
		{ "strip", ACCESSORS, "\"attributes\":{\"POSITION\":0},\"mode\":5", 4, 1.0 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		char rest[4096];
		snprintf( rest, sizeof rest,
			SCENE "," NODE ",\"accessors\":[%s],\"meshes\":[{\"primitives\":[{%s}]}]", cases[i].accessors,
			cases[i].primitive );
		gelImportRun run;
		Import( &run, rest );
		if ( strcmp( cases[i].name, "strip" ) == 0 )
		{
			// v0 v1 v2, v1 v3 v2 (glTF 2.0, section 3.7.2.1)
			static const uint32_t strip[6] = { 0, 1, 2, 1, 3, 2 };
			assert_memory_equal( run.mesh.indices, strip, sizeof strip );
		}
		else
			ExpectSquare( &run, cases[i].name, cases[i].vertices, cases[i].area );
		gelFreeImportRun( &run );
	}
}

// Sparse values are packed tightly even where the base is interleaved.
static void SparseElementsReplaceTheBase( void** state )
{
	(void)state;
	gelImportRun run;
	Import( &run,
		SCENE
		"," NODE
		",\"accessors\":[{\"bufferView\":6,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{"
		"\"count\":2,\"indices\":{\"bufferView\":2,\"byteOffset\":4,\"componentType\":5121},\"values\":{"
		"\"bufferView\":0,"
		"\"byteOffset\":12}}}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":6}]}"
		"]" );
	assert_true( run.ok );
	static const float expected[12] = { 0.5f, 1, 2, 3, 4, 5, 1, 0, 0, 1, 1, 0 };
	assert_memory_equal( run.mesh.positions, expected, sizeof expected );
	gelFreeImportRun( &run );
	// without a base, everything else is zero
	Import( &run,
		SCENE "," NODE
			  ",\"accessors\":[{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
			  "\"indices\":{\"bufferView\":2,\"byteOffset\":1,\"componentType\":5121},\"values\":{"
			  "\"bufferView\":0,\"byteOffset\":"
			  "24}}}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":6}]}]" );
	static const float zeros[12] = { 0, 0, 0, 1, 1, 0 };
	assert_memory_equal( run.mesh.positions, zeros, sizeof zeros );
	gelFreeImportRun( &run );
}

static void AttributesAreRead( void** state )
{
	(void)state;
	gelImportRun run;
	Import( &run,
		SCENE ",\"nodes\":[{\"mesh\":0,\"name\":\"tail\",\"extras\":{\"b\":2,\"c\":[1, "
			  "2]}}],\"accessors\":[" ACCESSORS
			  ",{\"bufferView\":6,\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"},"
			  "{\"bufferView\":2,\"byteOffset\":6,\"componentType\":5121,\"normalized\":true,\"count\":4,"
			  "\"type\":\"SCALAR\"},"
			  "{\"bufferView\":6,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
			  "{\"bufferView\":6,\"byteOffset\":4,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}],"
			  "\"materials\":[{\"name\":\"skin\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.25,0."
			  "125,1]}},{}],"
			  "\"meshes\":[{\"extras\":{\"a\":1,\"b\":1},\"primitives\":[{\"attributes\":{\"POSITION\":0,"
			  "\"TEXCOORD_0\":2,"
			  "\"_STIFFNESS\":3,\"COLOR_0\":4,\"NORMAL\":5},\"indices\":1,\"material\":0}]}]" );
	assert_true( run.ok );
	const gelMesh* mesh = &run.mesh;
	static const float uvs[8] = { 0.5f, 1, 3, 4, 6, 7, 9, 10 }, color[4] = { 3, 4, 5, 1 };
	assert_memory_equal( mesh->uvs, uvs, sizeof uvs );
	assert_memory_equal( mesh->colors + 4, color, sizeof color );
	assert_true( mesh->normalsFromFile );
	assert_true( fabsf( mesh->normals[0] - 1.0f / sqrtf( 6.0f ) ) < 1e-7f );
	assert_int_equal( mesh->attributeCount, 1 );
	assert_string_equal( mesh->attributes[0].name, "_STIFFNESS" );
	assert_int_equal( mesh->attributes[0].components, 1 );
	static const float stiffness[4] = { 0.0f, 51.0f / 255.0f, 102.0f / 255.0f, 1.0f };
	assert_memory_equal( mesh->attributes[0].values, stiffness, sizeof stiffness );
	assert_int_equal( mesh->materialCount, 2 );
	assert_string_equal( mesh->materials[0].name, "skin" );
	assert_true( mesh->materials[0].baseColor[1] == 0.25f && mesh->materials[1].baseColor[1] == 1.0f );
	assert_int_equal( mesh->triMaterial[1], 0 );
	assert_string_equal( mesh->groups[0].name, "tail" );
	assert_string_equal( mesh->groups[0].extras, "{\"a\":1,\"b\":2,\"c\":[1,2]}" );
	gelFreeImportRun( &run );
}

// Scale, turn, move and mirror through a chain of nodes; the law: the square keeps facing outwards of the
// mirror.
static void TransformsGoDownTheHierarchy( void** state )
{
	(void)state;
	gelImportRun run;
	Import( &run,
		"\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"translation\":[10,0,0],\"children\":[1]},"
		"{\"scale\":[2,-3,1],\"children\":[2]},{\"mesh\":0,\"rotation\":[0,0,0.70710678118,0.70710678118]}],"
		"\"accessors\":[" ACCESSORS "]," SQUARE_MESH );
	ExpectSquare( &run, "mirrored", 4, 6.0 );
	// (1,0) turns to (0,1), scales to (0,-3), moves to (10,-3)
	assert_true(
		fabsf( run.mesh.positions[3] - 10.0f ) < 1e-5f && fabsf( run.mesh.positions[4] + 3.0f ) < 1e-5f );
	// the mirror in y swaps two corners, so the normal is still +z
	assert_true( run.mesh.normals[2] > 0.999f );
	gelFreeImportRun( &run );
	Import( &run,
		SCENE
		",\"nodes\":[{\"mesh\":0,\"matrix\":[0,0,2,0, 0,1,0,0, 1,0,0,0, 5,6,7,1]}],\"accessors\":[" ACCESSORS
		"]," SQUARE_MESH );
	ExpectSquare( &run, "matrix", 4, 2.0 );
	// corner 2 is (1,1,0): x goes to 2 z, y stays
	static const float corner[3] = { 5, 7, 9 };
	assert_memory_equal( run.mesh.positions + 6, corner, sizeof corner );
	gelFreeImportRun( &run );
}

// Rounding by an exporter is no news, and any length gives the same turn.
static void RotationsAreNormalized( void** state )
{
	(void)state;
	gelImportRun unit, near, far;
#define TURNED( rotation )                                                                                   \
	SCENE ",\"nodes\":[{\"mesh\":0,\"rotation\":[" rotation "]}],\"accessors\":[" ACCESSORS "]," SQUARE_MESH
	Import( &unit, TURNED( "0.6,0,0,0.8" ) );
	Import( &near, TURNED( "0.6003,0,0,0.8004" ) );
	Import( &far, TURNED( "6,0,0,8" ) );
	assert_true( unit.ok && near.ok && far.ok );
	assert_null( gelFindText( &near, gel_findingGltfRuleBroken ) );
	assert_non_null( gelFindText( &far, gel_findingGltfRuleBroken ) );
	for ( int i = 0; i < 12; ++i )
	{
		assert_true( fabsf( unit.mesh.positions[i] - near.mesh.positions[i] ) < 1e-6f );
		assert_true( fabsf( unit.mesh.positions[i] - far.mesh.positions[i] ) < 1e-6f );
	}
	gelFreeImportRun( &unit );
	gelFreeImportRun( &near );
	gelFreeImportRun( &far );
}

static void LaterVersionsAreRefused( void** state )
{
	(void)state;
	static const struct
	{
		const char* version;
		bool ok;
	} cases[] = { { "2.0", true }, { "1.0", true }, { "2", true }, { "2.1", false }, { "3.0", false },
		{ "10", false } };
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		char json[4096];
		gelImportRun run;
		snprintf( json, sizeof json,
			"{\"asset\":{\"version\":\"2.1\",\"minVersion\":\"%s\"}," BUFFER "," VIEWS "," SCENE "," NODE
			",\"accessors\":[" ACCESSORS "]," SQUARE_MESH "}",
			cases[i].version );
		gelImportGlb( &run, json, &s_bin, sizeof s_bin );
		assert_int_equal( run.ok, cases[i].ok );
		const char* text = gelFindText( &run, gel_findingGltfUnreadable );
		if ( !cases[i].ok ) assert_true( text != NULL && strstr( text, cases[i].version ) != NULL );
		gelFreeImportRun( &run );
	}
}

// Normals go with the inverse transpose: under a scale of (1,1,4), (1,0,1) becomes (4,0,1) / sqrt(17).
static void NormalsFollowTheInverseTranspose( void** state )
{
	(void)state;
	Bin bin = s_bin;
	for ( int i = 0; i < 4; ++i )
		bin.extra[i][0] = 1.0f, bin.extra[i][1] = 0.0f, bin.extra[i][2] = 1.0f;
	gelImportRun run;
	gelImportGlb( &run,
		"{" ASSET "," BUFFER "," VIEWS "," SCENE
		",\"nodes\":[{\"mesh\":0,\"scale\":[1,1,-4]}],\"accessors\":[" ACCESSORS
		",{\"bufferView\":6,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":2},\"indices\":1}]}]}",
		&bin, sizeof bin );
	assert_true( run.ok );
	assert_true( fabsf( run.mesh.normals[0] - 4.0f / sqrtf( 17.0f ) ) < 1e-6f );
	assert_true( fabsf( run.mesh.normals[2] + 1.0f / sqrtf( 17.0f ) ) < 1e-6f );
	gelFreeImportRun( &run );
}

static void ScenesChooseNodes( void** state )
{
	(void)state;
	static const struct
	{
		const char* json;
		uint32_t triangles, groups;
	} cases[] = {
		{ "\"scene\":1,\"scenes\":[{\"nodes\":[0,1]},{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":0}]",
			2, 1 },
		{ "\"scenes\":[{\"nodes\":[0]},{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"scale\":[2,2,"
		  "2]}]",
			4, 2 },
		{ "\"nodes\":[{\"children\":[1]},{\"mesh\":0},{\"mesh\":0}]", 4, 2 },
		{ "\"extensionsUsed\":[]", 2, 1 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		char rest[2048];
		snprintf( rest, sizeof rest, "%s,\"accessors\":[" ACCESSORS "]," SQUARE_MESH, cases[i].json );
		gelImportRun run;
		Import( &run, rest );
		assert_true( run.ok );
		assert_int_equal( run.mesh.triangleCount, cases[i].triangles );
		assert_int_equal( run.mesh.groupCount, cases[i].groups );
		gelFreeImportRun( &run );
	}
}

// Primitives that follow each other with the same accessors share their vertices; vertices that none uses
// vanish.
static void SharedAccessorsShareVertices( void** state )
{
	(void)state;
	gelImportRun run;
	Import( &run,
		SCENE "," NODE ",\"accessors\":[" ACCESSORS
			  ",{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"},"
			  "{\"bufferView\":1,\"byteOffset\":6,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
			  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":2},{\"attributes\":{"
			  "\"POSITION\":0},"
			  "\"indices\":3}]}]" );
	ExpectSquare( &run, "shared", 4, 1.0 );
	assert_int_equal( run.mesh.sourceVertexCount, 4 );
	gelFreeImportRun( &run );
	Import( &run,
		SCENE "," NODE ",\"accessors\":[" ACCESSORS
			  ",{\"bufferView\":1,\"byteOffset\":6,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
			  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":2}]}]" );
	static const uint32_t sources[3] = { 0, 2, 3 };
	assert_int_equal( run.mesh.vertexCount, 3 );
	assert_memory_equal( run.mesh.vertToSource, sources, sizeof sources );
	assert_non_null( gelFindText( &run, gel_findingVerticesUnused ) );
	gelFreeImportRun( &run );
}

static void BuffersComeFromManyPlaces( void** state )
{
	(void)state;
	gelImportRun run;
	char json[4096];
	static const char head[] =
		"{" ASSET "," VIEWS "," SCENE "," NODE ",\"accessors\":[" ACCESSORS "]," SQUARE_MESH;
	gelWriteTestFile( "a b.bin", &s_bin, sizeof s_bin );
	snprintf( json, sizeof json, "%s,\"buffers\":[{\"uri\":\"a%%20b.bin\",\"byteLength\":192}]}", head );
	gelImportText( &run, "external.gltf", json );
	ExpectSquare( &run, "external", 4, 1.0 );
	assert_int_equal( run.files.count, 2 );
	gelFreeImportRun( &run );

	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char text[512];
	const uint8_t* bytes = (const uint8_t*)&s_bin;
	for ( size_t i = 0; i < 64; ++i )
	{
		uint32_t bits = (uint32_t)bytes[3 * i] << 16 | (uint32_t)bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
		for ( size_t k = 0; k < 4; ++k )
			text[4 * i + k] = digits[bits >> ( 18 - 6 * k ) & 63];
	}
	text[256] = 0;
	snprintf( json, sizeof json,
		"%s,\"buffers\":[{\"uri\":\"data:application/octet-stream;base64,%s\",\"byteLength\":192}]}", head,
		text );
	gelImportText( &run, "embedded.gltf", json );
	ExpectSquare( &run, "embedded", 4, 1.0 );
	gelFreeImportRun( &run );
	snprintf( json, sizeof json, "%s,\"buffers\":[{\"uri\":\"data:;base64,%.200s\",\"byteLength\":192}]}",
		head, text );
	gelImportText( &run, "embedded.gltf", json );
	assert_non_null( strstr( gelFindText( &run, gel_findingBufferIncomplete ), "150 bytes of the 192" ) );
	gelFreeImportRun( &run );
}

static void BuffersOutsideAreRefused( void** state )
{
	(void)state;
	static const char* const uris[] = { "../a.bin", "/etc/passwd", "x/../../a.bin", "file:///etc/passwd",
		"http://x/a.bin", "%2e%2e/a.bin", "%2Fetc%2Fpasswd", "..%5Ca.bin", "c:a.bin", "a%00.bin", "a%zz.bin",
		"" };
	for ( size_t i = 0; i < sizeof uris / sizeof uris[0]; ++i )
	{
		char json[4096];
		snprintf( json, sizeof json,
			"{" ASSET "," VIEWS "," SCENE "," NODE ",\"accessors\":[" ACCESSORS "]," SQUARE_MESH
			",\"buffers\":[{\"uri\":\"%s\",\"byteLength\":192}]}",
			uris[i] );
		gelImportRun run;
		gelImportText( &run, "outside.gltf", json );
		if ( gelFindText( &run, gel_findingBufferOutsideFolder ) == NULL )
			fail_msg( "%s: %s", uris[i], run.findings.items[0].text );
		assert_int_equal( run.files.count, 1 );
		gelFreeImportRun( &run );
	}
}

static void FaultsAreRefusedWithTheirPlace( void** state )
{
	(void)state;
#define POSITION_MESH "\"meshes\":[{\"name\":\"body\",\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]"
	static const struct
	{
		const char* json;
		int number;
		const char* part;
	} cases[] = {
		{ SCENE "," NODE, gel_findingGltfUnreadable, "nodes[0].mesh" },
		{ SCENE ",\"nodes\":[{\"children\":[1]},{\"children\":[0]}]", gel_findingGltfNotTree, "loop" },
		{ SCENE ",\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]", gel_findingGltfNotTree, "node 2" },
		{ SCENE ",\"nodes\":[{\"children\":[7]}]", gel_findingGltfNotTree, "node 0 has the child 7" },
		{ SCENE ",\"nodes\":{\"a\":{}}", gel_findingGltfUnreadable, "nodes must be an array" },
		{ SCENE "," NODE ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":5,\"type\":"
				"\"VEC3\"}]," POSITION_MESH,
			gel_findingAccessorUnreadable,
			"node 0, mesh 0 \"body\", primitive 0: accessor 0 (POSITION) reaches beyond" },
		{ SCENE "," NODE ",\"accessors\":[{\"bufferView\":0,\"byteOffset\":18446744073709551608,"
				"\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]," POSITION_MESH,
			gel_findingAccessorUnreadable, "accessor 0" },
		{ SCENE "," NODE ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":0,\"type\":"
				"\"VEC3\"}]," POSITION_MESH,
			gel_findingAccessorUnreadable, "no elements" },
		{ SCENE "," NODE ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":-1,\"type\":"
				"\"VEC3\"}]," POSITION_MESH,
			gel_findingAccessorUnreadable, "accessor 0" },
		{ SCENE
			"," NODE
			",\"accessors\":[{\"componentType\":5126,\"count\":2000000000,\"type\":\"VEC3\"}]," POSITION_MESH,
			gel_findingAccessorUnreadable, "accessor 0" },
		{ SCENE
			"," NODE
			",\"accessors\":[{\"componentType\":5126,\"count\":3000000,\"type\":\"VEC3\"}]," POSITION_MESH,
			gel_findingAccessorUnreadable, "no data" },
		{ SCENE "," NODE ",\"accessors\":[{\"bufferView\":0,\"componentType\":1,\"count\":3,\"type\":"
				"\"VEC3\"}]," POSITION_MESH,
			gel_findingAccessorUnreadable, "unknown type" },
		{ SCENE "," NODE ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"
				"\"VEC2\"}]," POSITION_MESH,
			gel_findingPrimitiveUnreadable, "POSITION" },
		{ SCENE "," NODE ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":"
				"\"VEC3\",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":2,\"byteOffset\":9,"
				"\"componentType\":5121},\"values\":{\"bufferView\":0}}}]," POSITION_MESH,
			gel_findingAccessorUnreadable, "sparse index out of range" },
		{ SCENE "," NODE ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":"
				"\"VEC3\",\"sparse\":{\"count\":4,\"indices\":{\"bufferView\":2,\"byteOffset\":9,"
				"\"componentType\":5121},\"values\":{\"bufferView\":0}}}]," POSITION_MESH,
			gel_findingAccessorUnreadable, "sparse elements beyond" },
		{ SCENE "," NODE ",\"accessors\":[" ACCESSORS
				"],\"meshes\":[{\"primitives\":[{\"attributes\":{\"NORMAL\":0}}]}]",
			gel_findingPrimitiveUnreadable, "no POSITION" },
		{ SCENE "," NODE ",\"accessors\":[" ACCESSORS
				"],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":0}]}]",
			gel_findingPrimitiveUnreadable, "indices" },
		{ SCENE "," NODE
				",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},{"
				"\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}]," SQUARE_MESH,
			gel_findingGltfIndexMissing, "index 2 (accessor 1) is 2, but there are 2 vertices" },
		{ SCENE "," NODE ",\"accessors\":[" ACCESSORS
				",{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"meshes\":[{"
				"\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":2}}]}]",
			gel_findingAccessorUnreadable, "accessor 2 (NORMAL) has a count" },
		{ SCENE ",\"nodes\":[{\"mesh\":0,\"scale\":[1e300,1,1]}],\"accessors\":[" ACCESSORS "]," SQUARE_MESH,
			gel_findingValueNotFinite, "node 0" },
		{ SCENE ",\"nodes\":[{\"mesh\":0,\"scale\":[3e38,1,1],\"children\":[]}],\"accessors\":[{"
				"\"bufferView\":6,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]," POSITION_MESH,
			gel_findingValueNotFinite, "range of float" },
		{ SCENE ",\"nodes\":[{\"mesh\":0,\"rotation\":[0,0,0,0]}],\"accessors\":[" ACCESSORS "]," SQUARE_MESH,
			gel_findingRotationZero, "node 0" },
		{ SCENE ",\"nodes\":[{}]", gel_findingNoTriangles, "no triangles" },
		{ SCENE "," NODE ",\"accessors\":[" ACCESSORS
				"],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}]",
			gel_findingNoTriangles, "no triangles" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		gelImportRun run;
		Import( &run, cases[i].json );
		if ( run.ok ) fail_msg( "case %zu was accepted", i );
		assert_int_equal( run.findings.errorCount, 1 );
		assert_int_equal( run.findings.exitCode, gel_exitInput );
		const char* text = gelFindText( &run, cases[i].number );
		if ( text == NULL || strstr( text, cases[i].part ) == NULL )
			fail_msg( "case %zu: %s", i, run.findings.items[run.findings.count - 1].text );
		gelFreeImportRun( &run );
	}
}

static void NumbersThatAreNotFiniteAreRefused( void** state )
{
	(void)state;
	static const float values[3] = { NAN, INFINITY, -INFINITY };
	for ( int i = 0; i < 3; ++i )
	{
		Bin bin = s_bin;
		bin.positions[i][i] = values[i];
		gelImportRun run;
		gelImportGlb( &run,
			"{" ASSET "," BUFFER "," VIEWS "," SCENE "," NODE ",\"accessors\":[" ACCESSORS "]," SQUARE_MESH
			"}",
			&bin, sizeof bin );
		assert_non_null(
			strstr( gelFindText( &run, gel_findingValueNotFinite ), "node 0, mesh 0, primitive 0" ) );
		gelFreeImportRun( &run );
	}
}

// Every prefix of a valid GLB is refused.
static void CutOffFilesAreRefused( void** state )
{
	(void)state;
	size_t bytes;
	uint8_t* file = gelMakeGlb( "{" ASSET "," BUFFER "," VIEWS "," SCENE "," NODE ",\"accessors\":[" ACCESSORS
								"]," SQUARE_MESH "}",
		&s_bin, sizeof s_bin, &bytes );
	for ( size_t count = 0; count < bytes; count += 7 )
	{
		gelImportRun run;
		gelImportBytes( &run, "cut.glb", file, count );
		assert_false( run.ok );
		gelFreeImportRun( &run );
	}
	// a buffer that claims more than the chunk has
	free( file );
	gelImportRun run;
	gelImportGlb( &run,
		"{" ASSET ",\"buffers\":[{\"byteLength\":99999999999}]," VIEWS "," SCENE "," NODE
		",\"accessors\":[" ACCESSORS "]," SQUARE_MESH "}",
		&s_bin, sizeof s_bin );
	assert_non_null(
		strstr( gelFindText( &run, gel_findingBufferIncomplete ), "192 bytes of the 99999999999" ) );
	gelFreeImportRun( &run );
}

static void DeepAndWideFilesAreRefused( void** state )
{
	(void)state;
	size_t depth = 100000;
	char* text = malloc( 8 * depth + 200 );
	int at = sprintf( text, "{" ASSET ",\"extras\":" );
	memset( text + at, '[', depth );
	memset( text + at + depth, ']', depth );
	strcpy( text + at + 2 * depth, "}" );
	gelImportRun run;
	gelImportText( &run, "deep.gltf", text );
	assert_non_null( gelFindText( &run, gel_findingJsonTooDeep ) );
	gelFreeImportRun( &run );
	// empty materials: 3 bytes of JSON each, more than a kilobyte in memory
	at = sprintf( text, "{" ASSET ",\"materials\":[" );
	for ( size_t i = 0; i < 2 * depth; ++i )
		at += sprintf( text + at, i > 0 ? ",{}" : "{}" );
	sprintf( text + at, "]}" );
	gelImportText( &run, "wide.gltf", text );
	assert_non_null( strstr( gelFindText( &run, gel_findingGltfUnreadable ), "memory" ) );
	gelFreeImportRun( &run );
	// a chain of nodes
	at = sprintf( text, "{" ASSET ",\"nodes\":[" );
	for ( size_t i = 0; i < 2000; ++i )
		at += sprintf( text + at, "{\"children\":[%zu]},", i + 1 );
	sprintf( text + at, "{}]}" );
	gelImportText( &run, "chain.gltf", text );
	assert_non_null( gelFindText( &run, gel_findingGltfNotTree ) );
	gelFreeImportRun( &run );
	// a thousand nodes with a mesh of a million zeros each
	at = sprintf( text,
		"{" ASSET ",\"accessors\":[{\"componentType\":5126,\"count\":900000,\"type\":\"VEC3\"}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{}" );
	for ( size_t i = 0; i < 1000; ++i )
		at += sprintf( text + at, ",{\"mesh\":0,\"scale\":[%zu,1,1]}", i + 1 );
	sprintf( text + at, "]}" );
	gelImportText( &run, "zeros.gltf", text );
	assert_non_null( gelFindText( &run, gel_findingMeshTooLarge ) );
	gelFreeImportRun( &run );
	free( text );
}

static void WarningsLeaveTheMeshAlone( void** state )
{
	(void)state;
	static const struct
	{
		const char* json;
		int number;
	} cases[] = {
		{ SCENE "," NODE ",\"accessors\":[" ACCESSORS "]," SQUARE_MESH ",\"extensionsRequired\":[\"ACME_x\"]",
			gel_findingExtensionUnknown },
		{ SCENE "," NODE ",\"accessors\":[" ACCESSORS
				",{\"bufferView\":0,\"componentType\":5126,\"count\":99,\"type\":\"VEC3\"}]," SQUARE_MESH,
			gel_findingGltfRuleBroken },
		{ SCENE ",\"nodes\":[{\"mesh\":0,\"rotation\":[0,0,3,4]}],\"accessors\":[" ACCESSORS "]," SQUARE_MESH,
			gel_findingGltfRuleBroken },
		{ SCENE "," NODE ",\"accessors\":[" ACCESSORS
				"],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1},{"
				"\"attributes\":{\"POSITION\":0},\"mode\":0}]}]",
			gel_findingGltfPointsUnused },
		{ SCENE ",\"nodes\":[{\"mesh\":0,\"skin\":0}],\"skins\":[{\"joints\":[0]}],\"accessors\":[" ACCESSORS
				"]," SQUARE_MESH,
			gel_findingSkinsAtRest },
		{ SCENE "," NODE ",\"accessors\":[" ACCESSORS
				"],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"targets\":[{"
				"\"POSITION\":0}]}]}]",
			gel_findingMorphsAtRest },
		{ SCENE ",\"nodes\":[{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{"
				"\"TRANSLATION\":0}}}}],\"accessors\":[" ACCESSORS "]," SQUARE_MESH,
			gel_findingInstancesUnused },
		{ SCENE "," NODE ",\"accessors\":[" ACCESSORS "],\"meshes\":[{\"primitives\":[{\"attributes\":{"
				"\"POSITION\":0,\"TEXCOORD_0\":0},\"indices\":1}]}]",
			gel_findingAttributeUnused },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		gelImportRun run;
		Import( &run, cases[i].json );
		ExpectSquare( &run, "warned", 4, 1.0 );
		if ( gelFindText( &run, cases[i].number ) == NULL ) fail_msg( "case %zu", i );
		gelFreeImportRun( &run );
	}
	gelImportRun run;
	Import( &run,
		SCENE "," NODE ",\"accessors\":[" ACCESSORS
			  "],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]" );
	assert_true( run.ok && run.mesh.triangleCount == 1 );
	assert_non_null( gelFindText( &run, gel_findingTrianglesIncomplete ) );
	gelFreeImportRun( &run );
}

// Lines alone become segments with tubes around them; beside triangles they are segments only.
static void LinesAreRods( void** state )
{
	(void)state;
	static const struct
	{
		const char* meshes;
		uint32_t lineCount;
		bool hasTubes;
	} cases[] = {
		{ "[{\"attributes\":{\"POSITION\":0},\"mode\":1}]", 2, true },
		{ "[{\"attributes\":{\"POSITION\":0},\"mode\":3}]", 3, true },
		{ "[{\"attributes\":{\"POSITION\":0},\"mode\":2}]", 4, true },
		{ "[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":3}]", 5, true },
		{ "[{\"attributes\":{\"POSITION\":0},\"indices\":1},{\"attributes\":{\"POSITION\":0},\"mode\":3}]", 3,
			false },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		char json[2048];
		snprintf( json, sizeof json,
			SCENE ",\"nodes\":[{\"mesh\":0,\"translation\":[5,0,0]}],\"accessors\":[" ACCESSORS
				  "],\"meshes\":[{\"primitives\":%s}]",
			cases[i].meshes );
		gelImportRun run;
		Import( &run, json );
		assert_true( run.ok );
		assert_int_equal( run.mesh.lineCount, cases[i].lineCount );
		assert_int_equal( gelFindText( &run, gel_findingLinesMadeTubes ) != NULL, cases[i].hasTubes );
		for ( size_t k = 0; k < 6 * (size_t)run.mesh.lineCount; k += 3 )
			assert_true( run.mesh.linePoints[k] >= 5.0f && run.mesh.linePoints[k] <= 6.0f );
		gelMeshTopology topology = gelMesh_Analyse( &run.mesh );
		if ( cases[i].hasTubes ) assert_true( topology.openEdges == 0 && topology.signedVolume > 0.0 );
		if ( i == 1 ) assert_true( topology.closed );
		if ( !cases[i].hasTubes ) assert_int_equal( run.mesh.triangleCount, 2 );
		gelFreeImportRun( &run );
	}
	gelImportRun run;
	Import( &run,
		SCENE "," NODE
			  ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"
			  "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}],\"meshes\":[{"
			  "\"primitives\":"
			  "[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":1}]}]" );
	assert_false( run.ok );
	assert_non_null( gelFindText( &run, gel_findingGltfIndexMissing ) );
	gelFreeImportRun( &run );
}

// What other loaders accept: members that nobody uses of wrong types, scenes that list a node below another.
static void OddFilesAreRead( void** state )
{
	(void)state;
#define ODD_REST ",\"accessors\":[" ACCESSORS "]," SQUARE_MESH
	static const struct
	{
		const char* json;
		uint32_t triangles;
	} cases[] = {
		{ "\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"children\":[1]},{\"mesh\":0}]" ODD_REST,
			2 },
		{ "\"scene\":0,\"scenes\":[{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0,\"children\":[1]},{\"mesh\":0}"
		  "]" ODD_REST,
			2 },
		{ "\"scenes\":[{\"nodes\":[0]},{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0,\"children\":[1]},{\"mesh\":0}"
		  "]" ODD_REST,
			4 },
		{ SCENE "," NODE ",\"cameras\":{\"a\":1},\"images\":\"none\"" ODD_REST, 2 },
		{ SCENE ",\"nodes\":[{\"mesh\":0,\"name\":7,\"camera\":\"main\"}]" ODD_REST, 2 },
		{ SCENE "," NODE ",\"materials\":[{\"name\":[],\"emissiveFactor\":1}]" ODD_REST, 2 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		gelImportRun run;
		Import( &run, cases[i].json );
		if ( !run.ok ) fail_msg( "case %zu: %s", i, run.findings.items[0].text );
		assert_int_equal( run.mesh.triangleCount, cases[i].triangles );
		assert_non_null( gelFindText( &run, gel_findingGltfRuleBroken ) );
		gelFreeImportRun( &run );
	}
	gelImportRun run;
	Import(
		&run, "\"scene\":0,\"scenes\":[{\"nodes\":[9]}],\"nodes\":[{\"mesh\":0}],\"cameras\":{}" ODD_REST );
	assert_false( run.ok );
	assert_non_null( strstr( gelFindText( &run, gel_findingGltfUnreadable ), "node 9" ) );
	gelFreeImportRun( &run );
}

// A buffer beside the folder of the art is read where the person has named a folder that holds both, and
// links do not lead out.
static void ProjectsHoldBuffers( void** state )
{
	(void)state;
	char json[4096], folder[1024], art[1100], other[1100];
	snprintf( json, sizeof json,
		"{" ASSET ",\"buffers\":[{\"byteLength\":192,\"uri\":\"../bin/a.bin\"}]," VIEWS "," SCENE "," NODE
		",\"accessors\":[" ACCESSORS "]," SQUARE_MESH "}" );
	snprintf( folder, sizeof folder, "%s", gelImportFolder() );
	snprintf( art, sizeof art, "%s/art", folder );
	snprintf( other, sizeof other, "%s/bin", folder );
	assert_int_equal( mkdir( art, 0700 ) | mkdir( other, 0700 ), 0 );
	gelWriteTestFile( "art/a.gltf", json, strlen( json ) );
	gelWriteTestFile( "bin/a.bin", &s_bin, sizeof s_bin );
	const char* projects[4] = { NULL, art, "/nowhere", folder };
	for ( int i = 0; i < 4; ++i )
	{
		gelImportRun run;
		gelImportFileWith( &run, "art/a.gltf", &( gelImportOptions ){ .project = projects[i] } );
		assert_int_equal( run.ok, i == 3 );
		if ( i < 3 ) assert_non_null( gelFindText( &run, gel_findingBufferOutsideFolder ) );
		gelFreeImportRun( &run );
	}
	strcat( art, "/a.gltf" );
	strcat( other, "/a.bin" );
	assert_int_equal( unlink( art ) | unlink( other ), 0 );
	*strrchr( art, '/' ) = *strrchr( other, '/' ) = 0;
	assert_int_equal( rmdir( art ) | rmdir( other ), 0 );
}

// What is no number in a picture's place does no harm; in a corner's it does.
static void NumbersThatNobodyNeedsAreReplaced( void** state )
{
	(void)state;
	Bin bin = s_bin;
	memset( &bin.extra[1], 0xFF, sizeof bin.extra[1] ); // NaN
	static const char* const roles[] = { "NORMAL", "COLOR_0", "POSITION" };
	for ( int i = 0; i < 3; ++i )
	{
		char json[4096];
		gelImportRun run;
		snprintf( json, sizeof json,
			"{" ASSET "," BUFFER "," VIEWS "," SCENE "," NODE ",\"accessors\":[" ACCESSORS
			",{\"bufferView\":6,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}],"
			"\"meshes\":[{\"primitives\":[{\"attributes\":{%s\"%s\":2},\"indices\":1}]}]}",
			i < 2 ? "\"POSITION\":0," : "", roles[i] );
		gelImportGlb( &run, json, &bin, sizeof bin );
		assert_int_equal( run.ok, i < 2 );
		assert_non_null( gelFindText( &run, i < 2 ? gel_findingValuesReplaced : gel_findingValueNotFinite ) );
		gelFreeImportRun( &run );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( LinesAreRods ),
		cmocka_unit_test( StorageDoesNotMatter ),
		cmocka_unit_test( SparseElementsReplaceTheBase ),
		cmocka_unit_test( AttributesAreRead ),
		cmocka_unit_test( TransformsGoDownTheHierarchy ),
		cmocka_unit_test( RotationsAreNormalized ),
		cmocka_unit_test( LaterVersionsAreRefused ),
		cmocka_unit_test( NormalsFollowTheInverseTranspose ),
		cmocka_unit_test( ScenesChooseNodes ),
		cmocka_unit_test( SharedAccessorsShareVertices ),
		cmocka_unit_test( BuffersComeFromManyPlaces ),
		cmocka_unit_test( BuffersOutsideAreRefused ),
		cmocka_unit_test( FaultsAreRefusedWithTheirPlace ),
		cmocka_unit_test( NumbersThatAreNotFiniteAreRefused ),
		cmocka_unit_test( CutOffFilesAreRefused ),
		cmocka_unit_test( DeepAndWideFilesAreRefused ),
		cmocka_unit_test( WarningsLeaveTheMeshAlone ),
		cmocka_unit_test( OddFilesAreRead ),
		cmocka_unit_test( ProjectsHoldBuffers ),
		cmocka_unit_test( NumbersThatNobodyNeedsAreReplaced ),
	};
	return cmocka_run_group_tests_name( "mesh_import_gltf", tests, NULL, gelRemoveImportFolder );
}
