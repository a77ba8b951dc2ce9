// SPDX-License-Identifier: MIT
// Vertices that can be the lowest of their cell on their way into a pack: the hull by its law, whatever the
// points look like; what is baked; what the format refuses, and what only gel-inspect --verify finds.
#include "test_support.h"

#include "bake/surface/cdg.h"
#include "cdg_stage.h"
#include "inspect/verify.h"
#include "pack_drive.h"
#include "small_pack.h"
#include "test_surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the hull -------------------------------------------------------------------------------------------

typedef enum Cloud
{
	cloudRandom,
	cloudBall,  // all on the hull
	cloudPlane, // exactly flat
	cloudSheet, // flat but for rounding
	cloudLine,
	cloudPoint,
	cloudLattice, // many in one plane, on one line, twice
	cloudFew,
	cloudCount
} Cloud;

static uint64_t Pack( uint32_t a, uint32_t b, uint32_t c )
{
	return (uint64_t)a | (uint64_t)b << 21 | (uint64_t)c << 42;
}

static uint64_t MakePoint( gelRandom* random, Cloud cloud )
{
	const double unit = (double)GEL_CDG_WEIGHT_SUM;
	double x = gelRandom_Uniform( random, 0, 0.3 ), y = gelRandom_Uniform( random, 0, 0.3 ),
		   z = gelRandom_Uniform( random, 0, 0.3 );
	uint32_t i = (uint32_t)( gelRandom_Next( random ) % 5 ), j = (uint32_t)( gelRandom_Next( random ) % 5 ),
			 k = (uint32_t)( gelRandom_Next( random ) % 5 );
	double length =
		sqrt( ( x - 0.15 ) * ( x - 0.15 ) + ( y - 0.15 ) * ( y - 0.15 ) + ( z - 0.15 ) * ( z - 0.15 ) );
	switch ( cloud )
	{
		case cloudBall:
			x = 0.15 + 0.1 * ( x - 0.15 ) / length;
			y = 0.15 + 0.1 * ( y - 0.15 ) / length;
			z = 0.15 + 0.1 * ( z - 0.15 ) / length;
			break;
		case cloudPlane:
			return Pack( (uint32_t)( x * unit ), (uint32_t)( y * unit ),
				1300000u - (uint32_t)( x * unit ) - (uint32_t)( y * unit ) );
		case cloudSheet:
			z = 0.5 * x + 0.25 * y;
			break;
		case cloudLine:
			return Pack( 3 * ( 1000u * i + 100u * j ), 1000u * i + 100u * j, 7 );
		case cloudPoint:
			return Pack( 5, 6, 7 );
		case cloudLattice:
			return Pack( 1000u * i, 1000u * j, 1000u * k );
		default:
			break;
	}
	return Pack( (uint32_t)( x * unit ), (uint32_t)( y * unit ), (uint32_t)( z * unit ) );
}

static void GetWeights( uint64_t packed, double w[4] )
{
	const gelCdgView view = { .fixedWeights = &packed };
	float f[4];
	gelCdg_GetWeights( &view, 0, f );
	for ( int k = 0; k < 4; ++k )
		w[k] = (double)f[k];
}

// The lowest point in a direction is among the marked ones, or no lower than these by more than the slack.
static void CheckDirection(
	const uint64_t* points, uint32_t count, const uint8_t* isCorner, const double h[4], double slack )
{
	double lowest = INFINITY, lowestMarked = INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		double w[4];
		GetWeights( points[i], w );
		double height = w[0] * h[0] + w[1] * h[1] + w[2] * h[2] + w[3] * h[3];
		lowest = fmin( lowest, height );
		if ( isCorner[i] != 0 ) lowestMarked = fmin( lowestMarked, height );
	}
	double high = fmax( fmax( h[0], h[1] ), fmax( h[2], h[3] ) ),
		   low = fmin( fmin( h[0], h[1] ), fmin( h[2], h[3] ) );
	assert_true( lowestMarked - lowest <= slack * ( high - low ) + 1e-14 );
}

static void CheckHull( const uint64_t* points, uint32_t count, double slack, gelRandom* random )
{
	gelBakePool pool = { NULL };
	uint8_t* isCorner = calloc( count, 1 );
	uint32_t marked = gelFindHullCorners( points, count, slack, &pool, isCorner );
	assert_true( marked >= 1 && marked <= count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t j = 0; j < i; ++j )
			assert_false( isCorner[i] != 0 && points[i] == points[j] ); // the first of several
		marked -= isCorner[i];
	}
	assert_int_equal( marked, 0 );
	for ( int round = 0; round < 200; ++round )
	{
		double h[4];
		for ( int k = 0; k < 4; ++k )
			h[k] = round % 3 == 0 ? (double)( gelRandom_Next( random ) % 3 ) : gelRandom_Normal( random );
		CheckDirection( points, count, isCorner, h, slack );
	}
	free( isCorner );
	gelFreeBakePool( &pool );
}

static void HullsHoldTheirPoints( void** state )
{
	(void)state;
	gelRandom random = { 5 };
	for ( int round = 0; round < ( GEL_IS_SANITIZED ? 80 : 400 ); ++round )
	{
		Cloud cloud = (Cloud)( round % cloudCount );
		uint32_t count = 1 + (uint32_t)( gelRandom_Next( &random ) % ( cloud == cloudFew ? 6 : 200 ) );
		uint64_t points[200];
		for ( uint32_t i = 0; i < count; ++i )
			points[i] = MakePoint( &random, cloud );
		CheckHull( points, count, 0.0, &random );
		CheckHull( points, count, 1.0e-5, &random );
		CheckHull( points, count, 1.0e-2, &random );
	}
}

static uint32_t CountCorners( const uint64_t* points, uint32_t count, double slack )
{
	gelBakePool pool = { NULL };
	uint8_t* isCorner = calloc( count, 1 );
	uint32_t marked = gelFindHullCorners( points, count, slack, &pool, isCorner );
	free( isCorner );
	gelFreeBakePool( &pool );
	return marked;
}

// Nothing is kept without need: a box has eight corners however many points are on its faces, a square four.
static void HullsAreSmall( void** state )
{
	(void)state;
	uint64_t box[9 * 9 * 9], square[9 * 9], line[9];
	for ( uint32_t i = 0; i < 9 * 9 * 9; ++i )
		box[i] =
			Pack( 1000u + 50000u * ( i % 9 ), 2000u + 50000u * ( i / 9 % 9 ), 3000u + 50000u * ( i / 81 ) );
	memcpy( square, box, sizeof( square ) );
	memcpy( line, box, sizeof( line ) );
	assert_int_equal( CountCorners( box, 9 * 9 * 9, 0.0 ), 8 );
	assert_int_equal( CountCorners( square, 9 * 9, 0.0 ), 4 );
	assert_int_equal( CountCorners( line, 9, 0.0 ), 2 );
	assert_int_equal( CountCorners( line, 1, 0.0 ), 1 );
	// rounding of a flat face is within the slack: its outline, and a few that were in the way to it
	uint64_t sheet[9 * 9];
	for ( uint32_t i = 0; i < 9 * 9; ++i )
		sheet[i] = square[i] + ( (uint64_t)( i * i % 3 ) << 42 );
	assert_true( CountCorners( sheet, 9 * 9, 1.0e-5 ) <= 8 );
}

// ---- packs ----------------------------------------------------------------------------------------------

static uint8_t* BakeTorus( int threads, bool isStatic, size_t* outBytes )
{
	gelCage cage = gelMakeBoxCage( 4, 4, 2, 3.0, 3.0, 1.5, gel_boxSplitSix );
	gelMesh mesh = gelMakeTestTorus( 0.8, 0.4, 11 );
	for ( size_t i = 0; i < (size_t)mesh.vertexCount; ++i )
	{
		mesh.positions[3 * i] += 1.5f;
		mesh.positions[3 * i + 1] += 1.5f;
		mesh.positions[3 * i + 2] += 0.75f;
	}
	gelFinishMesh( &mesh );
	if ( mesh.vertToSource == NULL ) mesh.vertToSource = calloc( mesh.vertexCount, sizeof( uint32_t ) );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.collision = gel_collisionFine;
	settings.threads = threads;
	settings.isStatic = isStatic;
	gelProgram program;
	gelInitTestProgram( &program );
	uint8_t* bytes = gelBake( &mesh, &cage, &settings, &program, outBytes );
	assert_non_null( bytes );
	gelFreeTestProgram( &program );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	return bytes;
}

static void BakedMarksAreSupports( void** state )
{
	(void)state;
	size_t byteCount, otherCount;
	uint8_t *bytes = BakeTorus( 1, false, &byteCount ), *other = BakeTorus( 3, false, &otherCount );
	assert_int_equal( byteCount, otherCount );
	assert_memory_equal( bytes, other, byteCount );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	assert_non_null( view.supports.header );
	assert_true( view.supports.header->slack == GEL_SUPPORT_SLACK );
	gelRandom random = { 7 };
	uint32_t marked = 0, all = 0;
	for ( uint32_t c = 0; c < view.header->cdgTetCount; ++c )
	{
		const gelPackCell* cell = view.cells + c;
		uint64_t points[4096];
		uint8_t isMarked[4096];
		uint32_t count = 0;
		for ( uint32_t p = cell->patchFirst; p < cell->patchFirst + cell->patchCount; ++p )
		{
			const gelPackPatch* patch = view.patches + p;
			for ( uint32_t slot = patch->vertexFirst; slot < patch->vertexFirst + patch->vertexCount; ++slot )
			{
				points[count] = view.cdg.fixedWeights[slot];
				isMarked[count++] = gelSupports_Has( &view.supports, slot );
				marked += gelSupports_Has( &view.supports, slot );
			}
		}
		for ( int round = 0; round < 50; ++round )
		{
			double h[4];
			for ( int k = 0; k < 4; ++k )
				h[k] = gelRandom_Normal( &random );
			CheckDirection( points, count, isMarked, h, (double)GEL_SUPPORT_SLACK );
		}
		all += count;
	}
	assert_true( marked < all * 9 / 10 );
	free( bytes );
	free( other );
}

static void StaticSurfacesHaveNone( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = BakeTorus( 1, true, &byteCount );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	assert_non_null( view.cells );
	assert_null( view.supports.header );
	free( bytes );
}

// ---- the format -----------------------------------------------------------------------------------------

static gelPackSupports* Open( uint8_t* bytes )
{
	return gelFindPackData( bytes, GEL_SECTION_SUPP, 0 );
}

static uint32_t* GetBits( uint8_t* bytes )
{
	return (uint32_t*)(void*)( (uint8_t*)Open( bytes ) + 64u * Open( bytes )->bits.offset64 );
}

static gelPackPatch* GetPatches( uint8_t* bytes )
{
	return gelFindPackData( bytes, GEL_SECTION_CPAT, 0 );
}

#define EDIT( name ) static void name( uint8_t* bytes )
// clang-format off
EDIT( SlackNegative ) { Open( bytes )->slack = -1.0e-6f; }
EDIT( SlackLarge ) { Open( bytes )->slack = 0.07f; }
EDIT( SlackNan ) { Open( bytes )->slack = NAN; }
EDIT( Reserved ) { Open( bytes )->zero0 = 1; }
EDIT( ReservedEnd ) { Open( bytes )->zero[47] = 1; }
EDIT( BitCount ) { Open( bytes )->bits.count -= 1; }
EDIT( BitCountHuge ) { Open( bytes )->bits.count = 0xFFFFFFFFu; }
EDIT( BitPlace ) { Open( bytes )->bits.offset64 += 1; }
EDIT( PaddingMarked )
{
	const gelPackPatch* p = GetPatches( bytes );
	while ( p->vertexCount % 8 == 0 ) ++p;
	uint32_t slot = p->vertexFirst + p->vertexCount;
	GetBits( bytes )[slot / 32] |= 1u << slot % 32;
}
EDIT( CellWithout )
{
	// slots of the second cell
	const gelPackCell* cell = (const gelPackCell*)gelFindPackData( bytes, GEL_SECTION_CTET, 0 ) + 1;
	const gelPackPatch* p = GetPatches( bytes ) + cell->patchFirst;
	for ( uint32_t slot = p->vertexFirst; slot < p[cell->patchCount].vertexFirst; ++slot ) GetBits( bytes )[slot / 32] &= ~( 1u << slot % 32 );
}
EDIT( BitsBehind )
{
	uint32_t slots = ( (const gelPackHeader*)(void*)bytes )->cdgVertexCount;
	assert_true( slots % 32 != 0 );
	GetBits( bytes )[slots / 32] |= 0x80000000u;
}
// clang-format on

static const gelPackEdit s_edits[] = {
	{ SlackNegative, gel_packValue, GEL_SECTION_SUPP, "slack of supports" },
	{ SlackLarge, gel_packValue, GEL_SECTION_SUPP, "slack of supports" },
	{ SlackNan, gel_packValue, GEL_SECTION_SUPP, "slack of supports" },
	{ Reserved, gel_packValue, GEL_SECTION_SUPP, "reserved bytes" },
	{ ReservedEnd, gel_packValue, GEL_SECTION_SUPP, "reserved bytes" },
	{ BitCount, gel_packSize, GEL_SECTION_SUPP, "number of elements" },
	{ BitCountHuge, gel_packSize, GEL_SECTION_SUPP, "number of elements" },
	{ BitPlace, gel_packSize, GEL_SECTION_SUPP, "first multiple of 64" },
	{ PaddingMarked, gel_packIndex, GEL_SECTION_SUPP, "not padding" },
	{ CellWithout, gel_packStructure, GEL_SECTION_SUPP, "every cell has a support" },
	{ BitsBehind, gel_packValue, GEL_SECTION_SUPP, "behind the last slot" },
};

static void BrokenMarksAreRefused( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* bytes = BakeTorus( 1, false, &byteCount );
	gelAssertEditsRefused( s_edits, sizeof( s_edits ) / sizeof( s_edits[0] ), bytes, byteCount );
	free( bytes );
}

static bool IsCollision( uint32_t fourcc )
{
	return ( fourcc & 0xFF ) == 'C' && fourcc != GEL_SECTION_COLR;
}

// The section without the others, and the others without it.
static void MarksNeedTheirVertices( void** state )
{
	(void)state;
	for ( int way = 0; way < 2; ++way )
	{
		size_t byteCount, otherCount;
		uint8_t* bytes = BakeTorus( 1, false, &byteCount );
		gelLooseSection *sections, kept[1024];
		uint32_t count = gelSplitPack( bytes, &sections ), keptCount = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			uint32_t fourcc = sections[i].entry.fourcc;
			if ( way == 0 ? !IsCollision( fourcc ) : fourcc != GEL_SECTION_SUPP )
				kept[keptCount++] = sections[i];
		}
		gelPackHeader header = *(const gelPackHeader*)bytes;
		if ( way == 0 )
			header.cdgTetCount = header.cdgPatchCount = header.cdgTriangleCount = header.cdgVertexCount = 0;
		uint8_t* other = gelJoinSections( &header, kept, keptCount, &otherCount );
		gelPackView view;
		if ( way == 0 )
			gelAssertPackRefused(
				other, otherCount, gel_packMissingSection, "beside the sections", GEL_SECTION_SUPP );
		else
			gelAssertPackOpens( other, otherCount, &view );
		free( other );
		gelFreeSections( sections, count );
		free( bytes );
	}
}

// Bits and words, hashes made right: refused, or every index can be followed.
static void DamageIsRefusedOrHarmless( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* original = BakeTorus( 1, false, &byteCount );
	const gelPackSection* s = gelFindPackEntry( original, GEL_SECTION_SUPP, 0 );
	uint8_t* damaged = gelCopyPack( original, byteCount );
	gelRandom random = { 9 };
	static const uint32_t words[] = { 0, 1, 7, 8, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000,
		0x3F800000 };
	int refused = 0;
	for ( int round = 0; round < ( GEL_IS_SANITIZED ? 300 : 3000 ); ++round )
	{
		size_t end = round % 3 == 0 ? 64 : s->bytes; // header, or anywhere
		size_t place = s->offset + gelRandom_Next( &random ) % end;
		memcpy( damaged, original, byteCount );
		if ( round % 2 == 0 )
			damaged[place] ^= (uint8_t)( 1u << gelRandom_Next( &random ) % 8 );
		else
			memcpy( damaged + place / 4 * 4, words + gelRandom_Next( &random ) % 9, 4 );
		gelRepairPackHashes( damaged, byteCount );
		gelPackView view;
		gelPackFault fault;
		bool accepted = gelTryPack( damaged, byteCount, &view, &fault ) == gel_packOk;
		if ( accepted ) gelTouchPack( &view );
		if ( accepted && round % 8 == 0 ) assert_true( gelDrivePack( damaged, byteCount ) );
		refused += !accepted;
	}
	assert_true( refused > 100 );
	free( damaged );
	free( original );
}

// ---- what only gel-inspect finds ------------------------------------------------------------------------

static int Verify( uint8_t* bytes, size_t byteCount )
{
	gelRepairPackHashes( bytes, byteCount );
	gelInspectedPack pack = { .path = "test.gel", .bytes = bytes, .byteCount = byteCount };
	gelAssertPackOpens( bytes, byteCount, &pack.view );
	gelProgram program;
	gelInitTestProgram( &program );
	gelVerifySupports( &pack, &program.findings );
	int number = program.findings.count > 0 ? program.findings.items[0].number : 0;
	gelFreeTestProgram( &program );
	return number;
}

static void MissingVerticesAreFound( void** state )
{
	(void)state;
	size_t byteCount;
	uint8_t* original = BakeTorus( 1, false, &byteCount );
	assert_int_equal( Verify( original, byteCount ), 0 );
	gelPackView view;
	gelAssertPackOpens( original, byteCount, &view );
	uint32_t tried = 0, found = 0;
	for ( uint32_t slot = 0; slot < view.header->cdgVertexCount; slot += 97 )
	{
		if ( !gelSupports_Has( &view.supports, slot ) ) continue;
		uint8_t* bytes = gelCopyPack( original, byteCount );
		GetBits( bytes )[slot / 32] ^= 1u << slot % 32;
		found += Verify( bytes, byteCount ) == gel_findingSupportWrong;
		tried += 1;
		free( bytes );
	}
	// nearly all are needed: few are within the slack of the others
	assert_true( tried > 10 && found * 10 >= tried * 9 );
	free( original );
}

// A vertex that several patches of a cell have is marked in one of them.
static void CopiesAreFound( void** state )
{
	(void)state;
	// a ring in one tet is cut into patches that are disks
	gelCage cage = gelMakeTetCage( 10.0 );
	gelMesh mesh = gelMakeTestTorus( 0.5, 0.2, 8 );
	for ( size_t i = 0; i < 3 * (size_t)mesh.vertexCount; ++i )
		mesh.positions[i] += 1.0f;
	gelFinishMesh( &mesh );
	size_t byteCount;
	uint8_t* bytes = gelBakeWithCollision( &mesh, &cage, &byteCount );
	gelFreeMesh( &mesh );
	gelFreeCage( &cage );
	gelPackView view;
	gelAssertPackOpens( bytes, byteCount, &view );
	for ( uint32_t p = 1; p < view.header->cdgPatchCount; ++p )
	{
		const gelPackPatch *a = view.patches + p - 1, *b = a + 1;
		for ( uint32_t i = 0; i < a->vertexCount * b->vertexCount && a->cell == b->cell; ++i )
		{
			uint32_t first = a->vertexFirst + i % a->vertexCount,
					 second = b->vertexFirst + i / a->vertexCount;
			if ( view.cdg.fixedWeights[first] != view.cdg.fixedWeights[second] ) continue;
			assert_false( gelSupports_Has( &view.supports, second ) );
			if ( !gelSupports_Has( &view.supports, first ) ) continue;
			GetBits( bytes )[second / 32] |= 1u << second % 32;
			assert_int_equal( Verify( bytes, byteCount ), gel_findingSupportWrong );
			free( bytes );
			return;
		}
	}
	fail_msg( "no cell has copies" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( HullsHoldTheirPoints ),
		cmocka_unit_test( HullsAreSmall ),
		cmocka_unit_test( BakedMarksAreSupports ),
		cmocka_unit_test( StaticSurfacesHaveNone ),
		cmocka_unit_test( BrokenMarksAreRefused ),
		cmocka_unit_test( MarksNeedTheirVertices ),
		cmocka_unit_test( DamageIsRefusedOrHarmless ),
		cmocka_unit_test( MissingVerticesAreFound ),
		cmocka_unit_test( CopiesAreFound ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
