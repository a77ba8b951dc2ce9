// SPDX-License-Identifier: MIT
// STL, PLY and FBX: one box in every form of them comes out as the box; faults have a place; and what other
// programs write is told by name.
#include "test_support.h"

#include "capture.h"
#include "import_drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/fuzz_import.c"

// The corners of the unit box are those of the bits of their number, x first.
static const uint8_t s_quads[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 },
	{ 0, 4, 6, 2 }, { 1, 3, 7, 5 } };

static double CornerOf( int corner, int axis )
{
	return (double)( corner >> axis & 1 );
}

typedef struct File
{
	uint8_t bytes[8192];
	size_t count;
} File;

static void AddText( File* file, const char* text )
{
	size_t length = strlen( text );
	assert_true( file->count + length < sizeof file->bytes );
	memcpy( file->bytes + file->count, text, length );
	file->count += length;
}

// A number in the order of bytes of the form.
static void AddBytes( File* file, const void* value, size_t bytes, bool isBig )
{
	assert_true( file->count + bytes < sizeof file->bytes );
	for ( size_t i = 0; i < bytes; ++i )
		file->bytes[file->count + i] = ( (const uint8_t*)value )[isBig ? bytes - 1 - i : i];
	file->count += bytes;
}

// ---- STL --------------------------------------------------------------------------------------------------

static void MakeTextStl( File* file )
{
	char line[128];
	file->count = 0;
	for ( int t = 0; t < 12; ++t )
	{
		if ( t % 6 == 0 ) AddText( file, t == 0 ? "solid half one\r\n" : "endsolid\nsolid\n" );
		AddText( file, "facet normal 0 0 0\n outer loop\n" );
		for ( int k = 0; k < 3; ++k )
		{
			int corner = s_quads[t / 2][k == 0 ? 0 : k + t % 2];
			snprintf( line, sizeof line, "  vertex %g %ge0 %g\n", CornerOf( corner, 0 ),
				CornerOf( corner, 1 ), CornerOf( corner, 2 ) );
			AddText( file, line );
		}
		AddText( file, " endloop\nendfacet\n" );
	}
	AddText( file, "endsolid\n" );
}

static void MakeBinaryStl( File* file, const char* header )
{
	const uint32_t count = 12;
	memset( file, 0, sizeof *file );
	memcpy( file->bytes, header, strlen( header ) );
	file->count = 80;
	AddBytes( file, &count, 4, false );
	for ( int t = 0; t < 12; ++t )
	{
		file->count += 12; // normal
		for ( int k = 0; k < 3; ++k )
			for ( int axis = 0; axis < 3; ++axis )
			{
				float p = (float)CornerOf( s_quads[t / 2][k == 0 ? 0 : k + t % 2], axis );
				AddBytes( file, &p, 4, false );
			}
		file->count += 2;
	}
}

// ---- PLY --------------------------------------------------------------------------------------------------

typedef enum PlyForm
{
	ply_text,
	ply_little,
	ply_big
} PlyForm;

static void AddNumber( File* file, PlyForm form, double value, char type )
{
	char text[32];
	const float f = (float)value;
	const int32_t i = (int32_t)value;
	const uint8_t b = (uint8_t)value;
	snprintf( text, sizeof text, "%g ", value );
	if ( form == ply_text )
		AddText( file, text );
	else if ( type == 'd' )
		AddBytes( file, &value, 8, form == ply_big );
	else if ( type == 'f' )
		AddBytes( file, &f, 4, form == ply_big );
	else if ( type == 'i' )
		AddBytes( file, &i, 4, form == ply_big );
	else
		AddBytes( file, &b, 1, false );
}

// Vertices with what is unknown between what is known, an unknown element, and faces as quads or as strips.
static void MakePly( File* file, PlyForm form, bool hasStrips )
{
	static const char* const forms[] = { "ascii", "binary_little_endian", "binary_big_endian" };
	char header[1024];
	snprintf( header, sizeof header,
		"ply\nformat %s 1.0\ncomment made by a test\nelement vertex 8\nproperty float x\nproperty double y\n"
		"property list uchar int neighbors\nproperty float z\nproperty uchar red\nproperty uchar green\n"
		"property uchar blue\nelement odd 2\nproperty int what\nelement %s %d\nproperty list %s int "
		"vertex_indices\n"
		"end_header\n",
		forms[form], hasStrips ? "tristrips" : "face", hasStrips ? 1 : 6, hasStrips ? "int" : "uchar" );
	file->count = 0;
	AddText( file, header );
	for ( int i = 0; i < 8; ++i )
	{
		AddNumber( file, form, CornerOf( i, 0 ), 'f' );
		AddNumber( file, form, CornerOf( i, 1 ), 'd' );
		AddNumber( file, form, i % 2, 'b' );
		if ( i % 2 > 0 ) AddNumber( file, form, -7, 'i' );
		AddNumber( file, form, CornerOf( i, 2 ), 'f' );
		for ( int axis = 0; axis < 3; ++axis )
			AddNumber( file, form, 255.0 * CornerOf( i, axis ), 'b' );
	}
	AddNumber( file, form, 1.0, 'i' );
	AddNumber( file, form, 2.0, 'i' );
	if ( hasStrips ) AddNumber( file, form, 6 * 5 - 1, 'i' );
	for ( int q = 0; q < 6; ++q )
	{
		static const int order[2][4] = { { 0, 1, 2, 3 }, { 1, 2, 0, 3 } }; // a strip goes across
		if ( !hasStrips ) AddNumber( file, form, 4, 'b' );
		for ( int k = 0; k < 4; ++k )
			AddNumber( file, form, s_quads[q][order[hasStrips][k]], 'i' );
		if ( hasStrips && q < 5 ) AddNumber( file, form, -1, 'i' );
	}
}

// ---- laws -------------------------------------------------------------------------------------------------

static void CheckBox( const char* name, gelImportRun* run, bool hasColors )
{
	if ( !run->ok ) fail_msg( "%s: %s", name, run->findings.items[0].text );
	const gelMesh* mesh = &run->mesh;
	gelMeshTopology topology = gelMesh_Analyse( mesh );
	if ( mesh->triangleCount != 12 || mesh->vertexCount != 8 || !topology.closed ||
		fabs( topology.signedVolume - 1.0 ) > 1e-6 )
		fail_msg( "%s: %u triangles, %u vertices, volume %g", name, mesh->triangleCount, mesh->vertexCount,
			topology.signedVolume );
	assert_int_equal( run->findings.count, 0 );
	uint32_t covered = 0;
	for ( uint32_t i = 0; i < mesh->groupCount; ++i )
		covered += mesh->groups[i].triangleCount;
	assert_int_equal( covered, 12 );
	assert_int_equal( mesh->colors != NULL, hasColors );
	for ( uint32_t i = 0; i < 8 && hasColors; ++i )
		for ( uint32_t k = 0; k < 4; ++k )
			assert_true( mesh->colors[4 * i + k] == ( k < 3 ? mesh->positions[3 * i + k] : 1.0f ) );
}

static void EveryFormIsTheBox( void** state )
{
	(void)state;
	static File file;
	gelImportRun run;
	MakeTextStl( &file );
	gelImportBytes( &run, "box.stl", file.bytes, file.count );
	CheckBox( "STL, text", &run, false );
	assert_int_equal( run.mesh.groupCount, 2 );
	assert_string_equal( run.mesh.groups[0].name, "half one" );
	assert_string_equal( run.mesh.groups[1].name, "solid 1" );
	assert_int_equal( run.mesh.groups[1].firstTriangle, 6 );
	gelFreeImportRun( &run );
	static const char* const headers[] = { "made by a test", "solid, says the header of a binary file" };
	for ( int i = 0; i < 2; ++i )
	{
		MakeBinaryStl( &file, headers[i] );
		gelImportBytes( &run, "box.bin", file.bytes, file.count ); // by its bytes, whatever its name
		CheckBox( headers[i], &run, false );
		gelFreeImportRun( &run );
	}
	for ( int form = 0; form < 3; ++form )
		for ( int hasStrips = 0; hasStrips < 2; ++hasStrips )
		{
			MakePly( &file, (PlyForm)form, hasStrips );
			gelImportBytes( &run, "box.ply", file.bytes, file.count );
			CheckBox( hasStrips ? "PLY, strips" : "PLY", &run, true );
			gelFreeImportRun( &run );
		}
}

static void ExpectText( const char* name, const void* bytes, size_t count, int number, const char* part )
{
	gelImportRun run;
	gelImportBytes( &run, name, bytes, count );
	assert_false( run.ok );
	if ( run.findings.items[0].number != number || strstr( run.findings.items[0].text, part ) == NULL )
		fail_msg( "T%04d %s, not %s", run.findings.items[0].number, run.findings.items[0].text, part );
	gelFreeImportRun( &run );
}

#define PLY_HEAD                                                                                             \
	"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACE "element face 1\nproperty list uchar int vertex_index\nend_header\n"

static void FaultsHaveAPlace( void** state )
{
	(void)state;
	static const struct
	{
		const char* name;
		const char* text;
		int number;
		const char* part;
	} cases[] = {
		{ "a.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", gel_findingMeshDamaged,
			"header: it does not end" },
		{ "a.ply", "ply\nformat morse 1.0\nend_header\n", gel_findingMeshDamaged, "format is unknown" },
		{ "a.ply", "ply\nend_header\n", gel_findingMeshDamaged, "line with the format" },
		{ "a.ply", "ply\nformat ascii 1.0\nproperty float x\nend_header\n", gel_findingMeshDamaged,
			"no element" },
		{ "a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty quark x\nend_header\n",
			gel_findingMeshDamaged, "unknown type" },
		{ "a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 nan\n3 0 1 2\n", gel_findingValueNotFinite,
			"vertex 2" },
		{ "a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", gel_findingObjIndexMissing, "face 0" },
		{ "a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1", gel_findingMeshDamaged,
			"face 0: the file ends" },
		{ "a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 0\n0 1 0\n99 0 1 2", gel_findingMeshDamaged, "longer than" },
		{ "a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 zero 0\n0 1 0\n3 0 1 2", gel_findingMeshDamaged,
			"vertex 1: a number" },
		{ "a.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty int x\nend_header\n1\n",
			gel_findingMeshDamaged, "more than the file can hold" },
		{ "a.ply", PLY_HEAD "end_header\n0 0 0\n1 0 0\n0 1 0\n", gel_findingNoTriangles, "no triangles" },
		{ "a.stl", "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 x 0\n",
			gel_findingNumberUnreadable, "line 5" },
		{ "a.stl", "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\n",
			gel_findingMeshDamaged, "line 7: a facet" },
		{ "a.stl", "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n",
			gel_findingMeshDamaged, "cut off" },
		{ "a.stl", "solid a\nendsolid a\n", gel_findingNoTriangles, "no triangles" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
		ExpectText( cases[i].name, cases[i].text, strlen( cases[i].text ), cases[i].number, cases[i].part );
	static File file;
	MakeBinaryStl( &file, "cut" );
	ExpectText( "cut.stl", file.bytes, file.count - 1, gel_findingMeshDamaged, "cut off" );
	ExpectText( "cut.stl", file.bytes, 20, gel_findingMeshDamaged, "cut off" );
	memset( file.bytes + 84 + 50 + 12, 0xFF, 4 );
	ExpectText( "nan.stl", file.bytes, file.count, gel_findingValueNotFinite, "triangle 1" );
}

static void OthersAreToldByName( void** state )
{
	(void)state;
	static const struct
	{
		const char* start;
		const char* part;
	} cases[] = {
		{ "BLENDER-v300", "Blender" },
		{ "#usda 1.0\n", "USD" },
		{ "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"x\">", "COLLADA" },
		{ "<?xml version=\"1.0\"?>\n<note/>", "XML" },
		{ "PK\x03\x04stuff 3D/3dmodel.model", "3MF" },
		{ "PK\x03\x04stuff", "unpack" },
		{ "version https://git-lfs.github.com/spec/v1\n", "git lfs pull" },
		{ "<!DOCTYPE html>", "web page" },
		{ "OFF\n3 1 0\n", "OFF" },
		{ "//Maya ASCII 2020 scene", "Maya" },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
		ExpectText(
			"other.obj", cases[i].start, strlen( cases[i].start ), gel_findingNotMesh, cases[i].part );
}

// A box of one metre, in centimetres and with z up, moved along x and up.
static const char s_fbx[] =
	"; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXHeaderVersion: 1003\n FBXVersion: 7400\n}\n"
	"GlobalSettings: {\n Version: 1000\n Properties70: {\n"
	"  P: \"UpAxis\", \"int\", \"Integer\", \"\",2\n  P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n"
	"  P: \"FrontAxis\", \"int\", \"Integer\", \"\",1\n  P: \"FrontAxisSign\", \"int\", \"Integer\", "
	"\"\",-1\n"
	"  P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n  P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n"
	"  P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1\n }\n}\n"
	"Objects: {\n Geometry: 1, \"Geometry::box\", \"Mesh\" {\n"
	"  Vertices: *24 {\n   a: 0,0,0,100,0,0,0,100,0,100,100,0,0,0,100,100,0,100,0,100,100,100,100,100\n  }\n"
	"  PolygonVertexIndex: *24 {\n   a: 0,2,3,-2,4,5,7,-7,0,1,5,-5,2,6,7,-4,0,4,6,-3,1,3,7,-6\n  }\n"
	"  GeometryVersion: 124\n }\n"
	" Model: 2, \"Model::crate\", \"Mesh\" {\n  Version: 232\n  Properties70: {\n"
	"   P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",300,0,200\n  }\n }\n}\n"
	"Connections: {\n C: \"OO\",1,2\n C: \"OO\",2,0\n}\n";

static void FbxIsInMetresWithYUp( void** state )
{
	(void)state;
	gelImportRun run;
	gelImportText( &run, "box.fbx", s_fbx );
	bool isMissing = !run.ok && run.findings.items[0].number == gel_findingNotMesh;
	if ( !isMissing )
	{
		CheckBox( "FBX", &run, false );
		const float low[3] = { 3.0f, 2.0f, -1.0f };
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( fabs( (double)run.mesh.boundsMin[k] - (double)low[k] ) < 1e-6 );
			assert_true( fabs( (double)run.mesh.boundsMax[k] - (double)low[k] - 1.0 ) < 1e-6 );
		}
		assert_string_equal( run.mesh.groups[0].name, "crate" );
	}
	gelFreeImportRun( &run );
	if ( isMissing ) skip(); // this build has no ufbx
	gelImportText( &run, "cut.fbx", "; FBX 7.4.0 project file\nObjects: {\n Geometry: 1, \"Geom" );
	assert_false( run.ok );
	assert_int_equal( run.findings.items[0].number, gel_findingFbxUnreadable );
	gelFreeImportRun( &run );
	const gelImportOptions options = { .animation = "walk" };
	gelImportFileWith( &run, "box.fbx", &options );
	assert_int_equal( run.findings.items[0].number, gel_findingAnimationMissing );
	gelFreeImportRun( &run );
}

// The law of every import, for files cut off and changed.
static void DamagedFilesAreRefused( void** state )
{
	(void)state;
	static File seeds[7], file;
	gelRandom random = { 5 };
	MakeTextStl( seeds );
	MakeBinaryStl( seeds + 1, "made by a test" );
	for ( int form = 0; form < 3; ++form )
		MakePly( seeds + 2 + form, (PlyForm)form, form == 1 );
	MakePly( seeds + 5, ply_text, true );
	seeds[6].count = 0;
	AddText( seeds + 6, s_fbx );
	gelCapture capture;
	gelCapture_Begin( &capture, 2 );
	for ( int i = 0; i < 6000; ++i )
	{
		const File* seed = seeds + i % 7;
		memcpy( file.bytes, seed->bytes, seed->count );
		file.count = i % 4 == 0 ? gelRandom_Next( &random ) % seed->count : seed->count;
		for ( uint64_t k = 1 + gelRandom_Next( &random ) % 4; k > 0; --k )
		{
			size_t at = gelRandom_Next( &random ) % ( i % 2 == 0 ? seed->count : 400 );
			file.bytes[at] =
				(uint8_t)( i % 3 == 0 ? '0' + gelRandom_Next( &random ) % 10 : gelRandom_Next( &random ) );
		}
		LLVMFuzzerTestOneInput( file.bytes, file.count );
	}
	free( gelCapture_End( &capture ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( EveryFormIsTheBox ),
		cmocka_unit_test( FbxIsInMetresWithYUp ),
		cmocka_unit_test( FaultsHaveAPlace ),
		cmocka_unit_test( OthersAreToldByName ),
		cmocka_unit_test( DamagedFilesAreRefused ),
	};
	return cmocka_run_group_tests_name( "import_scans", tests, NULL, gelRemoveImportFolder );
}
