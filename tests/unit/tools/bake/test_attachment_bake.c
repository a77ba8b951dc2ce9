// SPDX-License-Identifier: MIT
// Attachment points on their way into a pack: where they are in the cage, by laws; what the format refuses;
// texts of the command line, recipes and nodes of the art, which mean the same; and who wins.
#include "test_support.h"

#include "glb_box.h"
#include "import_drive.h"
#include "inspect/verify.h"
#include "lod_stage.h"
#include "pack_drive.h"
#include "small_pack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- places ---------------------------------------------------------------------------------------------

// A pack of a cage that is the unit box, so that every distance is known.
static uint8_t* BakeBox( const gelBakeAttachment* points, int count, int* outWarnings, size_t* outBytes )
{
	gelCage cage = gelMakeBoxCage( 3, 2, 2, 1.0, 1.0, 1.0, gel_boxSplitSix );
	gelMesh mesh = gelMeshFromCageBoundary( &cage, 0.1 );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.attachments = points;
	settings.attachmentCount = count;
	settings.collision = gel_collisionNone;
	gelProgram program;
	gelInitTestProgram( &program );
	uint8_t* bytes = gelBake( &mesh, &cage, &settings, &program, outBytes );
	assert_non_null( bytes );
	*outWarnings = gelFindings_Total( &program.findings, gel_findingAttachmentOutsideCage );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	return bytes;
}

static void PlacesAreTheNearest( void** state )
{
	(void)state;
	enum
	{
		count = 200
	};
	gelBakeAttachment points[count];
	gelRandom random = { 3 };
	int outside = 0, warnings;
	for ( int i = 0; i < count; ++i )
	{
		points[i] = ( gelBakeAttachment ){ .rotation = { 0.0, 0.0, 0.0, 1.0 } };
		snprintf( points[i].name, sizeof( points[i].name ), "p%d", i );
		bool isOutside = false;
		for ( int k = 0; k < 3; ++k )
		{
			double x = gelRandom_Uniform( &random, -0.5, 1.5 );
			points[i].position[k] = i % 2 == 0 ? x : fmin( fmax( x, 0.0 ), 1.0 ); // half of them: surface too
			isOutside = isOutside || points[i].position[k] < 0.0 || points[i].position[k] > 1.0;
		}
		outside += isOutside;
	}
	size_t byteCount;
	uint8_t* bytes = BakeBox( points, count, &warnings, &byteCount );
	assert_int_equal( warnings, outside );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	assert_int_equal( view.attachmentCount, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const gelPackAttachment* a = view.attachments + i;
		double square = 0.0, place[3] = { 0.0, 0.0, 0.0 };
		for ( int k = 0; k < 4; ++k )
		{
			const gelPackNode* node = view.nodes + view.tets[a->tet].node[k];
			place[0] += (double)a->weight[k] * (double)node->x;
			place[1] += (double)a->weight[k] * (double)node->y;
			place[2] += (double)a->weight[k] * (double)node->z;
		}
		for ( int k = 0; k < 3; ++k )
		{
			double wanted = fmin( fmax( (double)a->position[k], 0.0 ), 1.0 ); // nearest point of the box
			square += ( place[k] - wanted ) * ( place[k] - wanted );
		}
		assert_true( sqrt( square ) < 3e-7 );
	}
	free( bytes );
}

// ---- the format -----------------------------------------------------------------------------------------

static const gelBakeAttachment s_three[] = {
	{ "tail", { 0.1, 0.2, 0.3 }, { 0.0, 0.0, 0.0, 1.0 }, 0.0 },
	{ "head", { 0.52, 0.63, 0.74 }, { 0.0, 0.6, 0.0, 0.8 }, 0.25 },
	{ "hat", { 0.5, 1.5, 0.5 }, { 0.5, 0.5, 0.5, 0.5 }, 0.0 },
};

static gelPackAttachment* GetSecond( uint8_t* bytes )
{
	return (gelPackAttachment*)gelFindPackData( bytes, GEL_SECTION_ATCH, 0 ) + 1;
}

typedef enum Field
{
	fieldName,
	fieldLong,
	fieldBehind,
	fieldTwice,
	fieldPosition,
	fieldRadius,
	fieldRotation,
	fieldTet,
	fieldWeight,
	fieldSum,
	fieldZero,
} Field;

static void Break( gelPackAttachment* a, Field field )
{
	switch ( field )
	{
		case fieldName:
			memset( a->name, 0, sizeof( a->name ) );
			break;
		case fieldLong:
			memset( a->name, 'x', sizeof( a->name ) );
			break;
		case fieldBehind:
			a->name[63] = 'x';
			a->name[62] = 0;
			break;
		case fieldTwice:
			memcpy( a->name, a[-1].name, sizeof( a->name ) );
			break;
		case fieldPosition:
			a->position[1] = NAN;
			break;
		case fieldRadius:
			a->radius = -1.0f;
			break;
		case fieldRotation:
			a->rotation[3] = 2.0f;
			break;
		case fieldTet:
			a->tet = 0x7FFFFFFF;
			break;
		case fieldWeight:
			a->weight[0] = -0.5f;
			break;
		case fieldSum:
			a->weight[a->weight[0] > 0.5f ? 1 : 0] += 0.25f;
			break;
		default:
			a->zero[2] = 1;
	}
}

static void RulesAreChecked( void** state )
{
	(void)state;
	static const struct
	{
		gelPackCode code;
		const char* rule;
	} cases[] = { { gel_packValue, "not empty" }, { gel_packValue, "ends in a zero" },
		{ gel_packValue, "zero behind it" }, { gel_packIndex, "none is there twice" },
		{ gel_packValue, "within 1e9" }, { gel_packValue, "radius" }, { gel_packValue, "unit quaternion" },
		{ gel_packIndex, "lies in a tet" }, { gel_packValue, "between 0 and 1" },
		{ gel_packValue, "sum to 1" }, { gel_packValue, "reserved" } };
	int warnings;
	size_t byteCount;
	uint8_t* pack = BakeBox( s_three, 3, &warnings, &byteCount );
	assert_int_equal( warnings, 1 );
	assert_string_equal( GetSecond( pack )[-1].name, "hat" ); // by name
	assert_string_equal( GetSecond( pack )->name, "head" );
	assert_true( gelDrivePack( pack, byteCount ) );
	for ( int i = 0; i <= fieldZero; ++i )
	{
		uint8_t* bytes = gelCopyPack( pack, byteCount );
		Break( GetSecond( bytes ), (Field)i );
		gelRepairPackHashes( bytes, byteCount );
		gelAssertPackRefused( bytes, byteCount, cases[i].code, cases[i].rule, GEL_SECTION_ATCH );
		free( bytes );
	}
	// no more, no less
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( pack, &sections );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( sections[i].entry.fourcc == GEL_SECTION_ATCH )
			sections[i].entry.bytes = sections[i].entry.count = 0;
	}
	size_t emptyBytes;
	uint8_t* empty = gelJoinSections( (const gelPackHeader*)(const void*)pack, sections, count, &emptyBytes );
	gelAssertPackRefused( empty, emptyBytes, gel_packSize, "1 to 1024", GEL_SECTION_ATCH );
	gelFreeSections( sections, count );
	free( empty );
	free( pack );
}

// With all hashes right: refused, or harmless.
static void DamageIsRefusedOrHarmless( void** state )
{
	(void)state;
	int warnings, accepted = 0;
	size_t byteCount, sectionBytes = 3 * sizeof( gelPackAttachment );
	uint8_t* pack = BakeBox( s_three, 3, &warnings, &byteCount );
	uint8_t* bytes = gelCopyPack( pack, byteCount );
	uint8_t* data = gelFindPackData( bytes, GEL_SECTION_ATCH, 0 );
	size_t stride = GEL_IS_SANITIZED ? 7 : 1;
	for ( size_t i = 0; i < 8 * sectionBytes; i += stride )
	{
		data[i / 8] ^= (uint8_t)( 1u << i % 8 );
		gelRepairPackHashes( bytes, byteCount );
		gelPackFault fault;
		gelPackCode code = gelTryPack( bytes, byteCount, NULL, &fault );
		if ( code == gel_packOk && i % ( 11 * stride ) == 0 ) assert_true( gelDrivePack( bytes, byteCount ) );
		if ( code != gel_packOk ) assert_int_equal( fault.fourcc, GEL_SECTION_ATCH );
		accepted += code == gel_packOk;
		data[i / 8] ^= (uint8_t)( 1u << i % 8 );
	}
	assert_true( accepted > 0 && accepted < (int)( 6 * sectionBytes / stride ) );
	free( bytes );
	free( pack );
}

// A level with other names is no level of this body.
static void LevelsHaveTheSameNames( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	def.warpLevels = 0;
	def.levelCount = 2;
	def.attachments = s_three;
	def.attachmentCount = 2;
	size_t byteCount;
	uint8_t* bytes = gelBakeLodPack( &def, &byteCount );
	uint8_t* level = gelFindPackData( bytes, GEL_SECTION_LODP, 0 );
	size_t levelBytes = (size_t)gelFindPackEntry( bytes, GEL_SECTION_LODP, 0 )->bytes;
	assert_true( gelDrivePack( bytes, byteCount ) );
	( (gelPackAttachment*)gelFindPackData( level, GEL_SECTION_ATCH, 0 ) )[1].name[0] = 'v';
	gelRepairPackHashes( level, levelBytes );
	gelRepairPackHashes( bytes, byteCount );
	gelAssertPackRefused( bytes, byteCount, gel_packStructure, "same attachment points", GEL_SECTION_LODP );
	free( bytes );
}

static void VerifyFindsMovedPoints( void** state )
{
	(void)state;
	for ( int i = 0; i < 3; ++i )
	{
		int warnings;
		gelInspectedPack pack = { .path = "points" };
		pack.bytes = BakeBox( s_three, 3, &warnings, &pack.byteCount );
		if ( i == 1 ) GetSecond( pack.bytes )->position[0] += 0.01f;
		if ( i == 2 ) memcpy( GetSecond( pack.bytes )->name, "he\xC0", 3 );
		gelRepairPackHashes( pack.bytes, pack.byteCount );
		gelAssertPackOpens( pack.bytes, pack.byteCount, &pack.view );
		gelProgram program;
		gelInitTestProgram( &program );
		assert_int_equal( gelVerifyPack( &pack, &program ), i == 0 );
		assert_int_equal(
			gelFindings_Total( &program.findings, gel_findingAttachmentWrong ), i == 0 ? 0 : 1 );
		gelFreeTestProgram( &program );
		free( pack.bytes );
	}
}

// ---- texts, recipes, nodes ------------------------------------------------------------------------------

static const gelGlbBox s_box = { .size = { 0.4f, 0.4f, 0.4f }, .divisions = 2 };
#define QUICK "--tets 30 --no-collision "

static gelBakeRunResult Bake( const gelGlbBox* box, const char* recipe, const char* options )
{
	char words[900];
	gelWriteGlbBox( "points.glb", box );
	snprintf( words, sizeof( words ), QUICK "%s", options );
	if ( recipe != NULL )
	{
		gelWriteTestFile( "recipe.json", recipe, strlen( recipe ) );
		snprintf( words, sizeof( words ), QUICK "--recipe %s/recipe.json %s", gelImportFolder(), options );
	}
	return gelRunBake( "points.glb", words );
}

// One point of a bake that has to succeed.
static gelPackAttachment GetPoint(
	const gelGlbBox* box, const char* recipe, const char* options, const char* name )
{
	gelBakeRunResult run = Bake( box, recipe, options );
	if ( run.exitCode != 0 ) fail_msg( "%s", run.messages );
	gelPackView view;
	gelAssertPackOpens( run.bytes, run.byteCount, &view );
	gelPackAttachment found = { 0 };
	for ( uint32_t i = 0; i < view.attachmentCount; ++i )
	{
		if ( strcmp( view.attachments[i].name, name ) == 0 ) found = view.attachments[i];
	}
	gelFreeBakeRun( &run );
	return found;
}

static void ExpectPoint(
	const gelPackAttachment* a, const double position[3], const double q[4], double radius )
{
	if ( a->name[0] == 0 ) fail_msg( "the point is not there" );
	double sign = 0.0;
	for ( int k = 0; k < 4; ++k )
		sign += (double)a->rotation[k] * q[k];
	for ( int k = 0; k < 3; ++k )
		assert_true( fabs( (double)a->position[k] - position[k] ) < 1e-6 );
	assert_true( fabs( fabs( sign ) - 1.0 ) < 1e-6 );
	assert_true( fabs( (double)a->radius - radius ) < 1e-6 );
}

static void WaysMeanTheSame( void** state )
{
	(void)state;
	gelGlbBox empty = s_box;
	empty.moreNodeCount = 1;
	empty.moreNodes =
		"{\"name\":\"head\",\"translation\":[0.1,0.2,0.3],\"rotation\":[0,0.6,0,0.8],\"extras\":{\"gelpack_"
		"attachment\":true,\"gelpack_radius\":0.05}}";
	gelBakeRunResult runs[4] = {
		Bake( &s_box, NULL, "--attach head=0.1,0.2,0.3:0,0.6,0,0.8:0.05" ),
		Bake( &s_box,
			"{ \"attachments\": { \"head\": { \"position\": [0.1, 0.2, 0.3], \"rotation\": [0, 1.2, 0, 1.6], "
			"\"radius\": 0.05 } } }",
			"" ),
		Bake( &s_box, "{ \"attachments\": { \"head\": [0.3, 0.1, 0.1] } }",
			"--attach=head=0.1,0.2,0.3:0,0.6,0,0.8:0.05" ),
		Bake( &empty, NULL, "" ),
	};
	for ( int i = 0; i < 4; ++i )
	{
		if ( runs[i].exitCode != 0 ) fail_msg( "%d: %s", i, runs[i].messages );
		gelPackView view;
		gelAssertPackOpens( runs[i].bytes, runs[i].byteCount, &view );
		assert_int_equal( view.attachmentCount, 1 );
		const double p[3] = { 0.1, 0.2, 0.3 }, q[4] = { 0.0, 0.6, 0.0, 0.8 };
		ExpectPoint( view.attachments, p, q, 0.05 );
		if ( i < 3 ) assert_true( gelIsSamePack( runs, runs + i ) );
	}
	for ( int i = 0; i < 4; ++i )
		gelFreeBakeRun( runs + i );
}

// y of the point along the normal, z as near as possible to the tangent.
static void NormalsAreAxes( void** state )
{
	(void)state;
	static const struct
	{
		const char* recipe;
		double y[3], z[3];
	} cases[] = {
		{ "{\"attachments\":{\"a\":{\"position\":[0,0,0],\"normal\":[0,0,2]}}}", { 0, 0, 1 }, { 0, -1, 0 } },
		{ "{\"attachments\":{\"a\":{\"position\":[0,0,0],\"normal\":[0,-1,0]}}}", { 0, -1, 0 },
			{ 0, 0, -1 } },
		{ "{\"attachments\":{\"a\":{\"position\":[0,0,0],\"normal\":[1,0,0],\"tangent\":[5,3,4]}}}",
			{ 1, 0, 0 }, { 0, 0.6, 0.8 } },
		{ "{\"attachments\":{\"a\":{\"position\":[0,0,0],\"normal\":[0,-1,0],\"tangent\":[1,0,0]}}}",
			{ 0, -1, 0 }, { 1, 0, 0 } },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		gelPackAttachment a = GetPoint( &s_box, cases[i].recipe, "", "a" );
		double x = a.rotation[0], y = a.rotation[1], z = a.rotation[2], w = a.rotation[3];
		double up[3] = { 2 * ( x * y - z * w ), 1 - 2 * ( x * x + z * z ), 2 * ( y * z + x * w ) };
		double front[3] = { 2 * ( x * z + y * w ), 2 * ( y * z - x * w ), 1 - 2 * ( x * x + y * y ) };
		for ( int k = 0; k < 3; ++k )
		{
			assert_true( fabs( up[k] - cases[i].y[k] ) < 1e-6 );
			assert_true( fabs( front[k] - cases[i].z[k] ) < 1e-6 );
		}
	}
}

static void NodesArePoints( void** state )
{
	(void)state;
	gelGlbBox box = s_box;
	box.moreNodeCount = 5; // the sixth is a child
	// a parent that turns and scales; names by prefix, by extras; one that is none after all
	box.moreNodes = "{\"name\":\"root\",\"translation\":[0.1,0,0],\"rotation\":[0,0.70710678,0,0.70710678],"
					"\"scale\":[2,2,-2],"
					"\"children\":[6]},{\"name\":\"Attach_hip\",\"translation\":[0.2,0.1,0.3]},"
					"{\"name\":\"e\",\"extras\":{\"gelpack_attachment\":\"named\",\"gelpack_young\":5e4}},"
					"{\"name\":\"attach_not\",\"extras\":{\"gelpack_attachment\":0}},"
					"{\"translation\":[0,0.1,0],\"extras\":{\"gelpack_attachment\":1}},"
					"{\"name\":\"ATTACH_child\",\"translation\":[0,0.1,0.05]}";
	const double none[4] = { 0, 0, 0, 1 }, half[4] = { 0, -0.70710678, 0, 0.70710678 };
	gelPackAttachment a = GetPoint( &box, NULL, "", "hip" );
	ExpectPoint( &a, ( const double[3] ){ 0.2, 0.1, 0.3 }, none, 0.0 );
	a = GetPoint( &box, NULL, "", "named" );
	ExpectPoint( &a, ( const double[3] ){ 0, 0, 0 }, none, 0.0 );
	a = GetPoint( &box, NULL, "", "node 5" );
	ExpectPoint( &a, ( const double[3] ){ 0, 0.1, 0 }, none, 0.0 );
	assert_int_equal( GetPoint( &box, NULL, "", "not" ).name[0], 0 );
	// z, mirrored: (0, 0.1, 0.05) -> scale (0, 0.2, -0.1) -> turn by a quarter about y (-0.1, 0.2, 0) -> +
	// 0.1
	a = GetPoint( &box, NULL, "", "child" );
	ExpectPoint( &a, ( const double[3] ){ 0.0, 0.2, 0.0 }, half, 0.0 );
	// centimetres, and a name that a recipe and the command line put elsewhere
	a = GetPoint(
		&box, "{\"attachments\":{\"hip\":[0.001,0,0],\"more\":[0,0.001,0]}}", "--scale 0.01", "hip" );
	ExpectPoint( &a, ( const double[3] ){ 0.001, 0, 0 }, none, 0.0 );
	a = GetPoint(
		&box, "{\"attachments\":{\"hip\":[0.001,0,0]}}", "--scale 0.01 --attach hip=0,0,0.002", "hip" );
	ExpectPoint( &a, ( const double[3] ){ 0, 0, 0.002 }, none, 0.0 );
	a = GetPoint( &box, "{\"attachments\":{\"more\":[0.001,0,0]}}", "--scale 0.01", "hip" );
	ExpectPoint( &a, ( const double[3] ){ 0.002, 0.001, 0.003 }, none, 0.0 );
	// and taken back
	assert_int_equal(
		GetPoint( &box, "{\"attachments\":{\"hip\":[0,0,0]}}", "--attach none", "hip" ).name[0], 0 );
	assert_int_equal( GetPoint( &box, "{\"attachments\":false}", "", "hip" ).name[0], 0 );
	a = GetPoint( &box, "{\"attachments\":false}", "--attach own=0,0,0", "own" );
	ExpectPoint( &a, ( const double[3] ){ 0, 0, 0 }, none, 0.0 );
	// the extras of an empty count as those of other nodes do
	gelBakeRunResult with = Bake( &box, NULL, "" );
	assert_int_equal( with.exitCode, 0 );
	const gelPackMaterial* m = gelFindPackData( with.bytes, GEL_SECTION_MATL, 0 );
	assert_true( m->youngsModulus == 5e4f );
	gelFreeBakeRun( &with );
	// a node with a mesh: its origin
	box = s_box;
	box.nodeExtras = "{\"gelpack_attachment\":\"origin\",\"gelpack_radius\":0.5}";
	a = GetPoint( &box, NULL, "", "origin" );
	ExpectPoint( &a, ( const double[3] ){ 0, 0, 0 }, none, 0.5 );
}

static void Expect( const gelBakeRunResult* run, int exitCode, const char* number, const char* wanted )
{
	if ( run->exitCode != exitCode || strstr( run->messages, number ) == NULL ||
		strstr( run->messages, wanted ) == NULL )
		fail_msg( "wanted '%s', exit %d; got %d, %s", wanted, exitCode, run->exitCode, run->messages );
}

static void MistakesAreTold( void** state )
{
	(void)state;
	static const char* const texts[][2] = {
		{ "--attach head", "NAME=X,Y,Z" },
		{ "--attach =1,2,3", "1 to 63 bytes" },
		{ "--attach a=1,2", "behind the name" },
		{ "--attach a=1,2,x", "behind the name" },
		{ "--attach a=1,2,3:1,2", "behind the name" },
		{ "--attach a=1,2,3:1:0,0,0,1", "behind the name" },
		{ "--attach a=1,2,3:0,0,0,1:1:1", "behind the name" },
		{ "--attach a=1,2,3:0,0,0,0", "no direction" },
		{ "--attach a=1,2,3:-1", "radius" },
		{ "--attach a=1e10,2,3", "within" },
		{ "--attach a=1,2,3 --attach a=1,2,3", "another of this name" },
		{ "--attach 0123456789012345678901234567890123456789012345678901234567890123=1,2,3",
			"1 to 63 bytes" },
		{ "--attach a\x1b=1,2,3", "printable" },
	};
	for ( size_t i = 0; i < sizeof( texts ) / sizeof( texts[0] ); ++i )
	{
		gelBakeRunResult run = Bake( &s_box, NULL, texts[i][0] );
		Expect( &run, 1, "T0005", texts[i][1] );
		gelFreeBakeRun( &run );
	}
	static const char* const recipes[][2] = {
		{ "{\n \"attachments\": [ ] }", "line 2, column 2: \"attachments\" has to be an object" },
		{ "{ \"attachments\": {\n \"a\": 3 } }", "line 2, column 2: it has to be a place" },
		{ "{ \"attachments\": {\n \"a\": [1, 2] } }",
			"line 2, column 2: it has to be an array of 3 numbers" },
		{ "{ \"attachments\": { \"a\": { \"radius\": 1 } } }", "\"position\" is missing" },
		{ "{ \"attachments\": { \"a\": {\n \"position\": [1, 2, \"x\"] } } }",
			"line 2, column 2: it has to be an array" },
		{ "{ \"attachments\": { \"a\": { \"position\": [1, 2, 3],\n  \"radius\": -1 } } }",
			"line 2, column 3: \"radius\"" },
		{ "{ \"attachments\": { \"a\": { \"position\": [1, 2, 3], \"place\": 1 } } }",
			"column 50: there is no" },
		{ "{ \"attachments\": { \"a\": { \"position\": [1, 2, 3], \"rotation\": [0, 0, 0, 0] } } }",
			"not zero" },
		{ "{ \"attachments\": { \"a\": { \"position\": [1, 2, 3], \"tangent\": [0, 0, 1] } } }",
			"without a \"normal\"" },
		{ "{ \"attachments\": { \"a\": { \"position\": [1, 2, 3], \"normal\": [0, 0, 1], \"tangent\": [0, 0, "
		  "2] } } }",
			"other than that" },
		{ "{ \"attachments\": { \"a\": { \"position\": [1, 2, 3], \"normal\": [0, 0, 1], \"rotation\": [0, "
		  "0, 0, 1] } } }",
			"no meaning with a \"rotation\"" },
		{ "{ \"attachments\": { \"\": [1, 2, 3] } }", "1 to 63 bytes" },
		{ "{ \"attachments\": { \"a=b\": [1, 2, 3] } }", "no '='" },
		{ "{ \"attachments\": { \"a\": [1, 2, 3], \"a\": [1, 2, 3] } }", "duplicate" },
	};
	for ( size_t i = 0; i < sizeof( recipes ) / sizeof( recipes[0] ); ++i )
	{
		gelBakeRunResult run = Bake( &s_box, recipes[i][0], "" );
		Expect( &run, 3, "T0553", recipes[i][1] );
		gelFreeBakeRun( &run );
	}
	static const char* const nodes[][2] = {
		{ "{\"name\":\"n\",\"extras\":{\"gelpack_attachment\":[1]}}",
			"node \"n\": extras.gelpack_attachment: " },
		{ "{\"name\":\"n\",\"extras\":{\"gelpack_attachment\":2}}",
			"node \"n\": extras.gelpack_attachment: " },
		{ "{\"name\":\"n\",\"extras\":{\"gelpack_attachment\":\"\"}}", "node \"n\": a name has 1 to 63" },
		{ "{\"name\":\"n\",\"extras\":{\"gelpack_attachment\":1,\"gelpack_radius\":\"x\"}}",
			"gelpack_radius" },
		{ "{\"name\":\"n\",\"extras\":{\"gelpack_radius\":1}}",
			"extras.gelpack_radius: there is no such setting" },
		{ "{\"name\":\"attach_n\",\"scale\":[0,0,0]}", "its scale is zero" },
		{ "{\"name\":\"attach_n\",\"extras\":{\"gelpack_yuong\":1}}", "extras.gelpack_yuong: there is no" },
	};
	gelGlbBox box = s_box;
	for ( size_t i = 0; i < sizeof( nodes ) / sizeof( nodes[0] ); ++i )
	{
		box.moreNodeCount = 1;
		box.moreNodes = nodes[i][0];
		gelBakeRunResult run = Bake( &box, NULL, "" );
		Expect( &run, 3, "T0555", nodes[i][1] );
		gelFreeBakeRun( &run );
	}
	box.moreNodeCount = 2;
	box.moreNodes = "{\"name\":\"attach_a\"},{\"name\":\"b\",\"extras\":{\"gelpack_attachment\":\"a\"}}";
	gelBakeRunResult run = Bake( &box, NULL, "" );
	Expect( &run, 3, "T0555", "node \"b\": there is another attachment point of this name" );
	gelFreeBakeRun( &run );
}

// Far from the body: a warning with the distance, once for each level.
static void OutsideIsTold( void** state )
{
	(void)state;
	gelBakeRunResult run = Bake( &s_box, NULL, "--attach hat=0.2,0.2,5 --lod 10" );
	Expect( &run, 0, "T0557", "\"hat\" at 0.2 0.2 5 is 4." );
	Expect( &run, 0, "T0557", "are its coordinates metres?" );
	const char* second = strstr( strstr( run.messages, "T0557" ) + 1, "T0557" );
	assert_non_null( second );
	gelFreeBakeRun( &run );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( PlacesAreTheNearest ),
		cmocka_unit_test( RulesAreChecked ),
		cmocka_unit_test( DamageIsRefusedOrHarmless ),
		cmocka_unit_test( LevelsHaveTheSameNames ),
		cmocka_unit_test( VerifyFindsMovedPoints ),
		cmocka_unit_test( WaysMeanTheSame ),
		cmocka_unit_test( NormalsAreAxes ),
		cmocka_unit_test( NodesArePoints ),
		cmocka_unit_test( MistakesAreTold ),
		cmocka_unit_test( OutsideIsTold ),
	};
	return cmocka_run_group_tests( tests, NULL, gelRemoveImportFolder );
}
