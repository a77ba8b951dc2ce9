// SPDX-License-Identifier: MIT
// Skins, morph targets and animations of glTF files: vertices are where glTF 2.0 says that viewers show them.
#include "test_support.h"

#include "import_drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A square, two joints, and two keys of animations at 1 s and 3 s.
typedef struct Bin
{
	float positions[4][3];  // 0
	uint16_t indices[6];    // 48
	uint8_t joints[4][4];   // 60
	float weights[4][4];    // 76
	float binds[2][16];     // 140
	float moved[4][3];      // 268: displacements of a morph target
	float times[2];         // 316
	float places[2][3];     // 324
	float turns[2][4];      // 348
	float morphs[2];        // 380
	float splines[2][3][3]; // 388
} Bin;
_Static_assert( sizeof( Bin ) == 460, "offsets stand in the JSON texts below" );

#define VIEW( offset, bytes ) "{\"buffer\":0,\"byteOffset\":" #offset ",\"byteLength\":" #bytes "}"
#define FLOATS( view, count, type )                                                                          \
	"{\"bufferView\":" #view ",\"componentType\":5126,\"count\":" #count ",\"type\":\"" type "\"}"
#define HEAD                                                                                                 \
	"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":460}],\"bufferViews\":[" VIEW(            \
		0, 48 ) "," VIEW( 48, 12 ) "," VIEW( 60, 16 ) "," VIEW( 76, 64 ) "," VIEW( 140, 128 ) "," VIEW( 268, \
		48 ) "," VIEW( 316, 8 ) "," VIEW( 324, 24 ) "," VIEW( 348, 32 ) "," VIEW( 380, 8 ) "," VIEW( 388,    \
		72 ) "],\"accessors\":[" FLOATS( 0, 4,                                                               \
		"VEC3" ) ",{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"               \
				 "{\"bufferView\":2,\"componentType\":5121,\"count\":4,\"type\":\"VEC4\"}," FLOATS(          \
					 3, 4, "VEC4" ) "," FLOATS( 4, 2, "MAT4" ) "," FLOATS( 5, 4, "VEC3" ) "," FLOATS( 6, 2,  \
					 "SCALAR" ) "," FLOATS( 7, 2, "VEC3" ) "," FLOATS( 8, 2, "VEC4" ) "," FLOATS( 9, 2,      \
					 "SCALAR" ) "," FLOATS( 10, 6, "VEC3" ) "],\"scene\":0,"
#define SKIN_MESH                                                                                            \
	"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,\"WEIGHTS_0\":3},"          \
	"\"indices\":1}]}],\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":4}]"

static Bin MakeBin( void )
{
	Bin bin = {
		.positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } },
		.indices = { 0, 1, 2, 0, 2, 3 },
		.joints = { { 0, 1, 0, 0 }, { 0, 1, 0, 0 }, { 0, 1, 0, 0 }, { 0, 1, 0, 0 } },
		.weights = { { 1, 0, 0, 0 }, { 0.25f, 0.75f, 0, 0 }, { 0.5f, 0.5f, 0, 0 }, { 0, 1, 0, 0 } },
		.moved = { { 0, 0, 1 }, { 0, 0, 2 }, { 0, 0, 3 }, { 0, 0, 4 } },
		.times = { 1, 3 },
		.places = { { 1, 2, 3 }, { 5, 6, 7 } },
		.turns = { { 0, 0, 0, 1 }, { 0, 0, 0.70710678f, 0.70710678f } },
		.morphs = { 0.0f, 2.0f },
		.splines = { { { 9, 9, 9 }, { 1, 0, 0 }, { 2, 0, 0 } }, { { -1, 0, 0 }, { 4, 0, 0 }, { 9, 9, 9 } } },
	};
	for ( int j = 0; j < 2; ++j )
		for ( int k = 0; k < 4; ++k )
			bin.binds[j][5 * k] = 1.0f;
	return bin;
}

static void Import( gelImportRun* run, const char* rest, const Bin* bin, const char* animation, double time )
{
	char json[8192];
	snprintf( json, sizeof json, HEAD "%s}", rest );
	size_t bytes;
	uint8_t* file = gelMakeGlb( json, bin, sizeof *bin, &bytes );
	gelWriteTestFile( "pose.glb", file, bytes );
	free( file );
	gelImportFileWith(
		run, "pose.glb", &( gelImportOptions ){ .threads = 1, .animation = animation, .time = time } );
}

static void ExpectVertex( const gelImportRun* run, uint32_t vertex, double x, double y, double z )
{
	assert_true( run->ok );
	const float* p = run->mesh.positions + 3 * (size_t)vertex;
	double d = fabs( p[0] - x ) + fabs( p[1] - y ) + fabs( p[2] - z );
	if ( !( d < 1e-5 ) )
		fail_msg( "vertex %u: %g %g %g instead of %g %g %g", vertex, p[0], p[1], p[2], x, y, z );
}

// Joints at (1,2,3) and, below the first, at (1,2,4), scaled twice: vertices are blends of both places.
#define JOINTS "{\"translation\":[1,2,3],\"children\":[2]},{\"translation\":[0,0,1],\"scale\":[2,2,2]}]"

static void VerticesFollowJointsAndNotTheirNode( void** state )
{
	(void)state;
	Bin bin = MakeBin();
	static const char* const nodes[] = { "{\"mesh\":0,\"skin\":0}",
		"{\"mesh\":0,\"skin\":0,\"translation\":[9,9,9],\"rotation\":[0,1,0,0],\"scale\":[-3,3,3]}" };
	for ( int i = 0; i < 2; ++i )
	{
		char rest[2048];
		snprintf( rest, sizeof rest, "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[%s," JOINTS "," SKIN_MESH,
			nodes[i] );
		gelImportRun run;
		Import( &run, rest, &bin, NULL, 0.0 );
		ExpectVertex( &run, 0, 1.0, 2.0, 3.0 );                      // all of the first joint
		ExpectVertex( &run, 1, 1.0 + 0.25 + 0.75 * 2.0, 2.0, 3.75 ); // scaled by 1 and by 2
		ExpectVertex( &run, 2, 1.0 + 1.5, 2.0 + 1.5, 3.5 );
		ExpectVertex( &run, 3, 1.0, 4.0, 4.0 );
		assert_true( run.mesh.normals[2] > 0.9f ); // still counter-clockwise from above
		assert_non_null( gelFindText( &run, gel_findingSkinsAtRest ) );
		gelFreeImportRun( &run );
	}
}

// With inverse binds that undo the joints, weights of any size and sum leave every vertex where it is.
static void BoundSkeletonChangesNothing( void** state )
{
	(void)state;
	Bin bin = MakeBin();
	for ( int k = 0; k < 3; ++k )
	{
		bin.binds[0][12 + k] = (float)-( k + 1 );
		bin.binds[1][5 * k] = 0.5f;
		bin.binds[1][12 + k] = (float)-( k == 2 ? 4 : k + 1 ) / 2.0f;
	}
	const float factors[] = { 1.0f, 3.0f, 0.125f, 0.0f };
	for ( int i = 0; i < 4; ++i )
	{
		Bin scaled = bin;
		for ( int k = 0; k < 16; ++k )
			scaled.weights[k / 4][k % 4] *= factors[i];
		gelImportRun run;
		Import( &run,
			"\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0,\"skin\":0}," JOINTS "," SKIN_MESH,
			&scaled, NULL, 0.0 );
		for ( uint32_t v = 0; v < 4; ++v )
			ExpectVertex( &run, v, bin.positions[v][0], bin.positions[v][1], bin.positions[v][2] );
		gelFreeImportRun( &run );
	}
}

static void MirroringJointsKeepTrianglesOutside( void** state )
{
	(void)state;
	Bin bin = MakeBin();
	bin.binds[0][0] = bin.binds[1][0] = -1.0f;
	gelImportRun run;
	Import( &run, "\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0,\"skin\":0}," JOINTS "," SKIN_MESH,
		&bin, NULL, 0.0 );
	ExpectVertex( &run, 1, 1.0 - 0.25 - 1.5, 2.0, 3.75 );
	assert_true( run.mesh.normals[2] > 0.9f );
	gelFreeImportRun( &run );
}

static void WrongSkinsAreRefused( void** state )
{
	(void)state;
	static const struct
	{
		const char* skin;
		int number;
	} cases[] = {
		{ "\"joints\":[1],\"inverseBindMatrices\":4", gel_findingGltfIndexMissing }, // joint 1 of one
		{ "\"joints\":[1,2,1],\"inverseBindMatrices\":4", gel_findingPrimitiveUnreadable },
		{ "\"joints\":[1,2],\"inverseBindMatrices\":0", gel_findingPrimitiveUnreadable },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		Bin bin = MakeBin();
		char rest[2048];
		snprintf( rest, sizeof rest,
			"\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0,\"skin\":0}," JOINTS
			",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,\"WEIGHTS_0\":3},"
			"\"indices\":1}]}],\"skins\":[{%s}]",
			cases[i].skin );
		gelImportRun run;
		Import( &run, rest, &bin, NULL, 0.0 );
		assert_false( run.ok );
		assert_non_null( gelFindText( &run, cases[i].number ) );
		gelFreeImportRun( &run );
	}
}

// Weights of the node win over those of the mesh; a target without weight does not count.
static void MorphTargetsHaveTheirWeights( void** state )
{
	(void)state;
	static const struct
	{
		const char *node, *mesh;
		double weight;
	} cases[] = {
		{ "", "", 0.0 },
		{ "", ",\"weights\":[0.5]", 0.5 },
		{ ",\"weights\":[2]", ",\"weights\":[0.5]", 2.0 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		Bin bin = MakeBin();
		char rest[2048];
		snprintf( rest, sizeof rest,
			"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"scale\":[1,1,2]%s}],\"meshes\":[{"
			"\"primitives\":[{"
			"\"attributes\":{\"POSITION\":0},\"indices\":1,\"targets\":[{\"POSITION\":5}]}]%s}]",
			cases[i].node, cases[i].mesh );
		gelImportRun run;
		Import( &run, rest, &bin, NULL, 0.0 );
		for ( uint32_t v = 0; v < 4; ++v )
			ExpectVertex(
				&run, v, bin.positions[v][0], bin.positions[v][1], 2.0 * cases[i].weight * ( v + 1 ) );
		gelFreeImportRun( &run );
	}
}

#define CHANNEL( sampler, path ) "{\"sampler\":" #sampler ",\"target\":{\"node\":0,\"path\":\"" path "\"}}"
#define ANIMATED                                                                                                                           \
	"\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{"                                 \
	"\"POSITION\":0},\"indices\":1,\"targets\":[{\"POSITION\":5}]}]}],\"animations\":[{\"name\":\"go\","                                   \
	"\"channels\":[" CHANNEL( 0,                                                                                                           \
		"translation" ) "],\"samplers\":[{\"input\":6,\"output\":7}]},{\"name\":"                                                          \
						"\"jump\",\"channels\":[" CHANNEL( 0,                                                                              \
							"translation" ) "],\"samplers\":[{\"input\":6,\"output\":7,"                                                   \
											"\"interpolation\":\"STEP\"}]},{\"name\":\"turn\",\"channels\":"                               \
											"[" CHANNEL( 0,                                                                                \
												"rotation" ) "],"                                                                          \
															 "\"samplers\":[{\"input\":6,\"output\":8}]},{"                                \
															 "\"name\":\"swell\",\"channels\":[" CHANNEL( 0,                               \
																 "weights" ) "],\"samplers\":[{\"input\":6,"                               \
																			 "\"output\":9}]},{\"name\":"                                  \
																			 "\"curve\",\"channels\":"                                     \
																			 "[" CHANNEL( 0,                                               \
																				 "translation" ) "],"                                      \
																								 "\"sampler"                               \
																								 "s\":[{"                                  \
																								 "\"input\""                               \
																								 ":6,"                                     \
																								 "\"output"                                \
																								 "\":10,"                                  \
																								 "\"interpo"                               \
																								 "lation\":"                               \
																								 "\"CUBICSP"                               \
																								 "LINE\"}]}"                               \
																								 ","                                       \
																								 "{\"name\""                               \
																								 ":\"short"                                \
																								 "\","                                     \
																								 "\"channel"                               \
																								 "s\":"                                    \
																								 "[" CHANNEL(                              \
																									 0,                                    \
																									 "trans"                               \
																									 "latio"                               \
																									 "n" ) "],\"samplers\":[{\"input\":6," \
																										   "\"output\":7,\"interpolation\":\"CUBICSPLINE\"}]}]"

static void AnimationsGiveThePose( void** state )
{
	(void)state;
	// vertex 1 is at (1,0,0)
	const double s = sqrt( 0.5 );
	const struct
	{
		const char* animation;
		double time, x, y, z;
	} cases[] = {
		{ NULL, 0.0, 1, 0, 0 },
		{ "go", 0.0, 2, 2, 3 },    // before the first key
		{ "go", 1.5, 3, 3, 4 },    // a quarter of the way
		{ "go", 9.0, 6, 6, 7 },    // behind the last
		{ "0", 9.0, 6, 6, 7 },     // by number
		{ "jump", 2.9, 2, 2, 3 },  // the first key still
		{ "turn", 2.0, s, s, 0 },  // half of a right angle
		{ "swell", 2.0, 1, 0, 2 }, // half of a weight of 2 of a displacement by 2
		// halfway between 1 and 4 with tangents 2 and -1 over 2 s: 2.5 + 2 * (2 + 1) / 8
		{ "curve", 2.0, 1 + 3.25, 0, 0 },
	};
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		Bin bin = MakeBin();
		gelImportRun run;
		Import( &run, ANIMATED, &bin, cases[i].animation, cases[i].time );
		ExpectVertex( &run, 1, cases[i].x, cases[i].y, cases[i].z );
		gelFreeImportRun( &run );
	}
}

static void WrongAnimationsAreRefused( void** state )
{
	(void)state;
	Bin bin = MakeBin();
	gelImportRun run;
	Import( &run, ANIMATED, &bin, "walk", 0.0 );
	assert_non_null( strstr( gelFindText( &run, gel_findingAnimationMissing ), "\"go\", \"jump\"" ) );
	gelFreeImportRun( &run );
	Import( &run, ANIMATED, &bin, "short", 0.0 );
	assert_non_null( gelFindText( &run, gel_findingAccessorUnreadable ) );
	gelFreeImportRun( &run );
	static const char flat[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
	gelWriteTestFile( "flat.obj", flat, strlen( flat ) );
	gelImportFileWith( &run, "flat.obj", &( gelImportOptions ){ .animation = "go" } );
	assert_non_null( gelFindText( &run, gel_findingAnimationMissing ) );
	gelFreeImportRun( &run );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( VerticesFollowJointsAndNotTheirNode ),
		cmocka_unit_test( BoundSkeletonChangesNothing ),
		cmocka_unit_test( MirroringJointsKeepTrianglesOutside ),
		cmocka_unit_test( WrongSkinsAreRefused ),
		cmocka_unit_test( MorphTargetsHaveTheirWeights ),
		cmocka_unit_test( AnimationsGiveThePose ),
		cmocka_unit_test( WrongAnimationsAreRefused ),
	};
	return cmocka_run_group_tests( tests, NULL, gelRemoveImportFolder );
}
