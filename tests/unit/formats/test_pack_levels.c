// SPDX-License-Identifier: MIT
// Rules of LODP and LMAP: each has an edit that breaks it and nothing else. And what the bake makes: nodes
// are where their weights say, by brute force, whatever the number of threads.
#include "test_support.h"

#include "lod_stage.h"
#include "pack_drive.h"
#include "small_pack.h"

#include "inspect/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gelPackLevelMap* GetMap( uint8_t* bytes )
{
	return gelFindPackData( bytes, GEL_SECTION_LMAP, 0 );
}

static float* GetWeights( uint8_t* bytes )
{
	gelPackLevelMap* map = GetMap( bytes );
	return (float*)( (uint8_t*)map + 64u * map->coarseWeights.offset64 );
}

static void NameNoTet( uint8_t* bytes )
{
	gelPackLevelMap* map = GetMap( bytes );
	( (uint32_t*)( (uint8_t*)map + 64u * map->fineTets.offset64 ) )[2] = 0x7FFFFFFFu;
}

static void MakeNotANumber( uint8_t* bytes )
{
	GetWeights( bytes )[5] = NAN;
}

static void MakeWeightLarge( uint8_t* bytes )
{
	GetWeights( bytes )[5] = 1.5f;
}

static void MakeSumWrong( uint8_t* bytes )
{
	float* w = GetWeights( bytes ) + 4;
	w[w[1] > 0.5f ? 0 : 1] += 0.01f;
}

static void LoseNode( uint8_t* bytes )
{
	--GetMap( bytes )->coarseTets.count;
}

static void UseReserved( uint8_t* bytes )
{
	GetMap( bytes )->zero[7] = 1;
}

static void SkipLevel( uint8_t* bytes )
{
	gelFindPackEntry( bytes, GEL_SECTION_LODP, 1 )->key = 3;
	gelFindPackEntry( bytes, GEL_SECTION_LMAP, 1 )->key = 3;
}

static void StartAtZero( uint8_t* bytes )
{
	gelFindPackEntry( bytes, GEL_SECTION_LODP, 0 )->key = 0;
	gelFindPackEntry( bytes, GEL_SECTION_LMAP, 0 )->key = 0;
}

static void LoseMap( uint8_t* bytes )
{
	gelFindPackEntry( bytes, GEL_SECTION_LMAP, 1 )->key = 5;
}

static uint8_t* GetLevel( uint8_t* bytes, uint32_t index, size_t* outBytes )
{
	*outBytes = (size_t)gelFindPackEntry( bytes, GEL_SECTION_LODP, index )->bytes;
	return gelFindPackData( bytes, GEL_SECTION_LODP, index );
}

// Inside of a level, whose own hashes are made right again.
static void BreakLevelTet( uint8_t* bytes )
{
	size_t levelBytes;
	uint8_t* level = GetLevel( bytes, 1, &levelBytes );
	( (gelPackTet*)gelFindPackData( level, GEL_SECTION_TETS, 0 ) )->node[1] = 0xFFFFFFu;
	gelRepairPackHashes( level, levelBytes );
}

static void ChangeLevelArt( uint8_t* bytes )
{
	size_t levelBytes;
	uint8_t* level = GetLevel( bytes, 0, &levelBytes );
	gelPackTriangle* t = gelFindPackData( level, GEL_SECTION_VIDX, 0 );
	gelPackTriangle first = t[0];
	t[0] = t[1];
	t[1] = first;
	gelRepairPackHashes( level, levelBytes );
}

static void TruncateLevel( uint8_t* bytes )
{
	size_t levelBytes;
	uint8_t* level = GetLevel( bytes, 0, &levelBytes );
	( (gelPackHeader*)level )->fileBytes += 64;
	gelRepairPackHashes( level, levelBytes );
}

static void ForgetMagic( uint8_t* bytes )
{
	size_t levelBytes;
	GetLevel( bytes, 1, &levelBytes )[1] = 'X';
}

static void TestRules( void** state )
{
	(void)state;
	static const struct
	{
		const char* name;
		void ( *edit )( uint8_t* bytes );
		gelPackCode code;
		const char* rule;
		uint32_t fourcc;
	} cases[] = {
		{ "no tet", NameNoTet, gel_packIndex, "lies in a tet of the other level", GEL_SECTION_LMAP },
		{ "NaN", MakeNotANumber, gel_packValue, "between 0 and 1", GEL_SECTION_LMAP },
		{ "large", MakeWeightLarge, gel_packValue, "between 0 and 1", GEL_SECTION_LMAP },
		{ "sum", MakeSumWrong, gel_packValue, "sum to 1", GEL_SECTION_LMAP },
		{ "node", LoseNode, gel_packSize, "number of elements", GEL_SECTION_LMAP },
		{ "reserved", UseReserved, gel_packValue, "reserved", GEL_SECTION_LMAP },
		{ "skipped", SkipLevel, gel_packStructure, "keys 1, 2", GEL_SECTION_LODP },
		{ "zero", StartAtZero, gel_packStructure, "keys 1, 2", GEL_SECTION_LODP },
		{ "no map", LoseMap, gel_packMissingSection, "map of the same key", GEL_SECTION_LODP },
		{ "level", BreakLevelTet, gel_packIndex, "corners of a tet", GEL_SECTION_LODP },
		{ "art", ChangeLevelArt, gel_packStructure, "same art", GEL_SECTION_LODP },
		{ "truncated", TruncateLevel, gel_packTruncated, "as long as", GEL_SECTION_LODP },
		{ "magic", ForgetMagic, gel_packMagic, "starts with", GEL_SECTION_LODP },
	};
	gelLodStageDef def = gelDefaultLodStageDef();
	def.warpLevels = 0;
	size_t byteCount;
	uint8_t* pack = gelBakeLodPack( &def, &byteCount );
	gelPackView view;
	gelAssertPackOpens( pack, byteCount, &view );
	assert_int_equal( view.levelCount, 2 );
	assert_true( gelDrivePack( pack, byteCount ) );
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		uint8_t* bytes = gelCopyPack( pack, byteCount );
		print_message( "%s\n", cases[i].name );
		cases[i].edit( bytes );
		gelRepairPackHashes( bytes, byteCount );
		gelAssertPackRefused( bytes, byteCount, cases[i].code, cases[i].rule, cases[i].fourcc );
		free( bytes );
	}
	free( pack );
}

// Random numbers in a map or in a level, with all hashes right: refused, or harmless to a body that goes
// through the levels.
static void TestDamage( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	def.warpLevels = 0;
	def.levelCount = 2;
	gelRandom random = { 7 };
	size_t byteCount, levelBytes;
	uint8_t* pack = gelBakeLodPack( &def, &byteCount );
	int driven = 0;
	for ( int i = 0; i < 60; ++i )
	{
		uint8_t* bytes = gelCopyPack( pack, byteCount );
		uint8_t* level = GetLevel( bytes, 0, &levelBytes );
		bool inMap = i % 2 == 0;
		uint64_t size = inMap ? gelFindPackEntry( bytes, GEL_SECTION_LMAP, 0 )->bytes : levelBytes;
		uint8_t* at = inMap ? (uint8_t*)GetMap( bytes ) : level;
		at[gelRandom_Next( &random ) % size] ^= (uint8_t)( 1u << gelRandom_Next( &random ) % 8 );
		gelRepairPackHashes( level, levelBytes );
		gelRepairPackHashes( bytes, byteCount );
		driven += gelDrivePack( bytes, byteCount );
		free( bytes );
	}
	print_message( "%d of 60 packs were accepted\n", driven );
	assert_true( driven > 0 && driven < 60 );
	free( pack );
}

// Puts other bytes into the first level, or takes sections away.
static uint8_t* Rebuild( const uint8_t* pack, const uint8_t* level, size_t levelBytes, size_t* outBytes )
{
	gelLooseSection* sections;
	uint32_t count = gelSplitPack( pack, &sections );
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( sections[i].entry.fourcc != GEL_SECTION_LODP || sections[i].entry.key != 1 ) continue;
		free( sections[i].data );
		sections[i].data = malloc( levelBytes );
		assert_non_null( sections[i].data );
		memcpy( sections[i].data, level, levelBytes );
		sections[i].entry.bytes = levelBytes;
		sections[i].entry.count = (uint32_t)levelBytes;
	}
	uint8_t* out = gelJoinSections( (const gelPackHeader*)(const void*)pack, sections, count, outBytes );
	gelFreeSections( sections, count );
	return out;
}

static void TestWrongLevels( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	def.warpLevels = 0;
	def.levelCount = 2;
	size_t byteCount, otherBytes, builtBytes;
	uint8_t* pack = gelBakeLodPack( &def, &byteCount );
	// nested: a pack that has a level itself
	uint8_t* built = Rebuild( pack, pack, byteCount, &builtBytes );
	gelAssertPackRefused( built, builtBytes, gel_packStructure, "no levels of its own", GEL_SECTION_LODP );
	free( built );
	// as fine as the pack
	def.levelCount = 1;
	uint8_t* same = gelBakeLodPack( &def, &otherBytes );
	built = Rebuild( pack, same, otherBytes, &builtBytes );
	gelAssertPackRefused( built, builtBytes, gel_packStructure, "fewer tets", GEL_SECTION_LODP );
	free( built );
	free( same );
	// other art
	uint8_t* box = gelBakeTestBox( 2, 1, 1, 1.0, 1.0, 1.0, false, &otherBytes );
	built = Rebuild( pack, box, otherBytes, &builtBytes );
	gelAssertPackRefused( built, builtBytes, gel_packStructure, "same art", GEL_SECTION_LODP );
	free( built );
	free( box );
	// pins in the level alone
	def.levelCount = 2;
	def.pinLeft = true;
	uint8_t* pinned = gelBakeLodPack( &def, &otherBytes );
	size_t levelBytes;
	uint8_t* level = GetLevel( pinned, 0, &levelBytes );
	built = Rebuild( pack, level, levelBytes, &builtBytes );
	gelAssertPackRefused( built, builtBytes, gel_packStructure, "one pin set", GEL_SECTION_LODP );
	free( built );
	free( pinned );
	free( pack );
}

// Largest smallest weight of a point over all tets.
static double FindBest( const gelPackView* cage, const gelPackNode* p )
{
	double best = -INFINITY;
	for ( uint32_t t = 0; t < cage->header->tetCount; ++t )
	{
		const gelPackNode* x0 = cage->nodes + cage->tets[t].node[0];
		double d[3] = { (double)p->x - x0->x, (double)p->y - x0->y, (double)p->z - x0->z };
		double first = 1.0, least = INFINITY;
		for ( int k = 0; k < 3; ++k )
		{
			const float* g = cage->tetRests[t].invDm + 3 * k;
			double w = g[0] * d[0] + g[1] * d[1] + g[2] * d[2];
			first -= w;
			least = fmin( least, w );
		}
		best = fmax( best, fmin( least, first ) );
	}
	return best;
}

static void CheckPlaces(
	const gelPackView* from, const gelPackView* to, const uint32_t* tets, const float* weights )
{
	int outsideCount = 0;
	for ( uint32_t i = 0; i < from->header->nodeCount; ++i )
	{
		const gelPackNode* p = from->nodes + i;
		double d[3] = { -(double)p->x, -(double)p->y, -(double)p->z };
		for ( int k = 0; k < 4; ++k )
		{
			const gelPackNode* corner = to->nodes + to->tets[tets[i]].node[k];
			double w = weights[4 * (size_t)i + (size_t)k];
			d[0] += w * corner->x;
			d[1] += w * corner->y;
			d[2] += w * corner->z;
		}
		double distance = sqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] );
		bool isInside = FindBest( to, p ) >= 0.0;
		outsideCount += !isInside;
		assert_true( distance < ( isInside ? 1e-6 : 0.06 ) ); // the largest margin is 0.03 m on each side
	}
	print_message( "%d of %u nodes are outside\n", outsideCount, from->header->nodeCount );
}

static void TestMaps( void** state )
{
	(void)state;
	gelLodStageDef def = gelDefaultLodStageDef();
	gelInspectedPack pack = { .path = "levels" };
	pack.bytes = gelBakeLodPack( &def, &pack.byteCount );
	def.threads = 2;
	size_t otherBytes;
	uint8_t* other = gelBakeLodPack( &def, &otherBytes );
	assert_int_equal( otherBytes, pack.byteCount );
	assert_memory_equal( other, pack.bytes, otherBytes );
	free( other );

	gelAssertPackOpens( pack.bytes, pack.byteCount, &pack.view );
	gelProgram program;
	gelInitTestProgram( &program );
	assert_true( gelVerifyPack( &pack, &program ) );
	gelPackView fine = pack.view;
	for ( uint32_t i = 1; i <= pack.view.levelCount; ++i )
	{
		char path[64];
		gelInspectedPack level;
		assert_true( gelOpenLevel( &pack, i, path, sizeof( path ), &level ) );
		gelPackMapView map = gelPack_GetLevelMap( &pack.view, i );
		CheckPlaces( &level.view, &fine, map.coarseTets, map.coarseWeights );
		CheckPlaces( &fine, &level.view, map.fineTets, map.fineWeights );
		fine = level.view;
	}
	// a node that is somewhere else is found
	gelPackLevelMap* header = GetMap( pack.bytes );
	float* w = (float*)( (uint8_t*)header + 64u * header->fineWeights.offset64 );
	for ( uint32_t i = 0; i < pack.view.header->nodeCount - 1; ++i, w += 4 )
	{
		if ( w[0] * w[1] * w[2] * w[3] > 0.0f && fabsf( w[0] - w[1] ) > 0.1f ) break;
	}
	float first = w[0];
	w[0] = w[1];
	w[1] = first;
	gelRepairPackHashes( pack.bytes, pack.byteCount );
	assert_false( gelVerifyPack( &pack, &program ) );
	gelFreeTestProgram( &program );
	free( pack.bytes );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( TestRules ),
		cmocka_unit_test( TestDamage ),
		cmocka_unit_test( TestWrongLevels ),
		cmocka_unit_test( TestMaps ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
