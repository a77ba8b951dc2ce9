// SPDX-License-Identifier: MIT
// gel-inspect --verify finds what the reader of the runtime lets pass: packs that are well-formed, but wrong.
#include "test_support.h"

#include "capture.h"
#include "inspect/verify.h"
#include "small_pack.h"
#include "test_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Verifies a pack after an edit; the hashes are repaired and the reader must still accept it.
// @return the number of the first finding, 0: none
static int FindFinding( uint8_t* bytes, size_t byteCount )
{
	gelRepairPackHashes( bytes, byteCount );
	gelInspectedPack pack = { .path = "test.gel", .bytes = bytes, .byteCount = byteCount };
	gelAssertPackOpens( bytes, byteCount, &pack.view );
	gelProgram program;
	gelInitTestProgram( &program );
	bool passed = gelVerifyPack( &pack, &program );
	int number = program.findings.count > 0 ? program.findings.items[0].number : 0;
	assert_int_equal( passed, number == 0 || gelFinding_Severity( number ) != gel_severityError );
	if ( !passed ) assert_int_equal( program.findings.exitCode, gel_exitInput );
	gelFreeTestProgram( &program );
	return number;
}

typedef void EditFcn( uint8_t* bytes );

static void Nothing( uint8_t* bytes )
{
	(void)bytes;
}

static void CutMeta( uint8_t* bytes )
{
	memset( gelFindPackData( bytes, GEL_SECTION_META, 0 ), '{', 18 );
}

static void MakeMetaText( uint8_t* bytes )
{
	memcpy( gelFindPackData( bytes, GEL_SECTION_META, 0 ), "\"no object here!!\"", 18 );
}

static void BreakMetaEncoding( uint8_t* bytes )
{
	char* meta = gelFindPackData( bytes, GEL_SECTION_META, 0 );
	meta[10] = (char)0xC3; // a lead byte without its follower
}

static void BreakName( uint8_t* bytes )
{
	gelPackMaterial* materials = gelFindPackData( bytes, GEL_SECTION_MATL, 0 );
	materials[1].name[0] = (char)0xFF;
}

static void ClearProvenance( uint8_t* bytes )
{
	memset( ( (gelPackHeader*)bytes )->provenance, 0, 32 );
}

static void ChangeMass( uint8_t* bytes )
{
	gelPackMass* m = (gelPackMass*)gelFindPackData( bytes, GEL_SECTION_MASS, 0 ) + 4;
	m->mass *= 1.00001f;
	m->invMass = 1.0f / m->mass;
}

static void ChangePatternHash( uint8_t* bytes )
{
	( (gelPackFactor*)gelFindPackData( bytes, GEL_SECTION_FACT, 0 ) )->patternHash ^= 1;
}

// One value below the diagonal of one panel, by a quarter of a thousandth.
static void ChangeFactorValue( uint8_t* bytes )
{
	gelPackFactor* f = gelFindPackData( bytes, GEL_SECTION_FACT, 1 );
	float* values = (float*)( (uint8_t*)f + 64u * f->values.offset64 );
	assert_true( values[1] != 0.0f );
	values[1] *= 1.0f + 0x1p-12f;
}

// Another stiffness, all numbers of the material agreeing with each other.
static void ChangeStiffness( uint8_t* bytes )
{
	gelPackMaterial* m = gelFindPackData( bytes, GEL_SECTION_MATL, 0 );
	m->youngsModulus *= 1.001f;
	m->mu *= 1.001f;
	m->lambda *= 1.001f;
}

// Two nodes of the free factor change their rows.
static void SwapRows( uint8_t* bytes )
{
	gelPackFactor* f = gelFindPackData( bytes, GEL_SECTION_FACT, 1 );
	uint32_t* perm = (uint32_t*)( (uint8_t*)f + 64u * f->perm.offset64 );
	uint32_t node = perm[0];
	perm[0] = perm[3];
	perm[3] = node;
}

static void EachEditIsFound( void** state )
{
	(void)state;
	static const struct
	{
		EditFcn* edit;
		int number;
	} cases[] = {
		{ Nothing, 0 },
		{ CutMeta, 610 },
		{ MakeMetaText, 610 },
		{ BreakMetaEncoding, 610 },
		{ BreakName, 615 },
		{ ClearProvenance, 611 },
		{ ChangeMass, 612 },
		{ ChangePatternHash, 613 },
		{ ChangeFactorValue, 614 },
		{ ChangeStiffness, 614 },
		{ SwapRows, 614 },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		size_t byteCount;
		uint8_t* bytes = gelMakeSmallPack( &byteCount );
		cases[i].edit( bytes );
		int number = FindFinding( bytes, byteCount );
		if ( number != cases[i].number )
			fail_msg( "case %zu gives T%04d, expected T%04d", i, number, cases[i].number );
		free( bytes );
	}
}

// Packs as the bake makes them pass, with and without pins.
static void BakedPacksPass( void** state )
{
	(void)state;
	for ( int pinned = 0; pinned < 2; ++pinned )
	{
		size_t byteCount;
		uint8_t* bytes = gelBakeTestBox( 4, 2, 3, 2.0, 1.0, 1.5, pinned, &byteCount );
		assert_int_equal( FindFinding( bytes, byteCount ), 0 );
		free( bytes );
	}
}

// Whatever passes the reader can be verified without a fault; the verdict may be anything.
static void HostilePacksAreVerifiedWithoutFault( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	uint8_t* damaged = gelCopyPack( bytes, byteCount );
	gelRandom random = { 5 };
	int verifiedCount = 0;
	for ( int round = 0; round < 4000; ++round )
	{
		memcpy( damaged, bytes, byteCount );
		damaged[gelRandom_Next( &random ) % byteCount] = (uint8_t)gelRandom_Next( &random );
		gelRepairPackHashes( damaged, byteCount );
		gelInspectedPack pack = { .path = "test.gel", .bytes = damaged, .byteCount = byteCount };
		gelPackFault fault;
		if ( gelTryPack( damaged, byteCount, &pack.view, &fault ) != gel_packOk ) continue;
		gelCapture capture;
		gelCapture_Begin( &capture, 2 );
		gelProgram program;
		gelInitTestProgram( &program );
		gelPackFacts facts = gelMeasurePack( &pack.view );
		gelReportPack( &program.report, &pack, &facts );
		gelVerifyPack( &pack, &program );
		gelFreeTestProgram( &program );
		free( gelCapture_End( &capture ) );
		++verifiedCount;
	}
	assert_true( verifiedCount > 50 );
	free( damaged );
	free( bytes );
}

// The figures of the text and of the report.
static void FactsOfTheSmallPack( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = gelMakeSmallPack( &byteCount );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	gelPackFacts facts = gelMeasurePack( &view );
	assert_true( fabs( facts.mass - 2100.0 ) < 1e-3 && fabs( facts.volume - 2.0 ) < 1e-6 );
	assert_true( facts.cageMin[0] == 0.0 && facts.cageMax[0] == 2.0 && facts.cageMax[2] == 1.0 );
	assert_true( fabs( facts.artMin[0] - 0.2 ) < 1e-6 && fabs( facts.artMax[0] - 1.8 ) < 1e-6 );
	assert_true(
		fabs( facts.minTetVolume - 1.0 / 6.0 ) < 1e-6 && fabs( facts.maxTetVolume - 1.0 / 3.0 ) < 1e-6 );
	gelInspectedPack pack = { .path = "small.gel", .bytes = bytes, .byteCount = byteCount, .view = view };
	gelProgram program;
	gelInitTestProgram( &program );
	gelReportPack( &program.report, &pack, &facts );
	assert_int_equal( json_array_size( json_object_get( program.report.root, "sections" ) ), 14 );
	assert_int_equal( json_array_size( json_object_get( program.report.root, "factors" ) ), 2 );
	assert_string_equal(
		json_string_value( json_object_get( json_object_get( program.report.root, "meta" ), "name" ) ),
		"small" );
	gelFreeTestProgram( &program );
	free( bytes );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( EachEditIsFound ),
		cmocka_unit_test( BakedPacksPass ),
		cmocka_unit_test( HostilePacksAreVerifiedWithoutFault ),
		cmocka_unit_test( FactsOfTheSmallPack ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
