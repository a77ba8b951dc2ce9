// SPDX-License-Identifier: MIT
#include "lod_stage.h"

#include "test_support.h"

#include <stdlib.h>

gelLodStageDef gelDefaultLodStageDef( void )
{
	gelLodStageDef def = {
		.youngsModulus = 1e5,
		.warpLevels = GEL_LOD_STAGE_LEVELS,
		.levelCount = GEL_LOD_STAGE_LEVELS,
		.threads = 1,
		.world = gelDefaultWorldDef(),
		.body = gelDefaultBodyDef(),
	};
	def.body.enableSleep = false; // tests look at how bodies move
	def.world.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	return def;
}

// The cage of a level: the box of the beam and a margin on all sides.
static gelCage MakeCage( int level )
{
	static const int cells[GEL_LOD_STAGE_LEVELS][3] = { { 12, 3, 3 }, { 7, 2, 2 }, { 4, 1, 1 } };
	static const double margins[GEL_LOD_STAGE_LEVELS] = { 0.002, 0.012, 0.03 };
	const int* n = cells[level];
	double m = margins[level];
	gelCage cage =
		gelMakeBoxCage( n[0], n[1], n[2], 1.0 + 2.0 * m, 0.2 + 2.0 * m, 0.2 + 2.0 * m, gel_boxSplitSix );
	for ( size_t i = 0; i < 3 * (size_t)cage.nodeCount; ++i )
		cage.positions[i] -= m;
	return cage;
}

static uint8_t* BakeLevel( const gelLodStageDef* def, int level, const gelMesh* art,
	const gelBakeLevel* levels, int levelCount, gelProgram* program, size_t* outBytes )
{
	gelCage cage = MakeCage( level );
	gelBakePinSet pins = gelPinNodesInSlab( &cage, 0, -1.0, 0.001 );
	gelBakeSettings settings = gelDefaultBakeSettings();
	double steps[2] = { 1.0 / 60.0 };
	settings.material.youngsModulus = def->youngsModulus;
	settings.steps = steps;
	settings.stepCount = def->hasQuality ? gelAddQualitySteps( &settings.material, steps, 1 ) : 1;
	settings.pinSets = &pins;
	settings.pinSetCount = def->pinLeft;
	settings.hasWarp = level < def->warpLevels;
	settings.threads = def->threads;
	settings.attachments = def->attachments;
	settings.attachmentCount = def->attachmentCount;
	settings.levels = levels;
	settings.levelCount = levelCount;
	if ( def->hasParticles && level == 0 ) settings.particles.kind = gel_particlesSolid;
	uint8_t* bytes = gelBake( art, &cage, &settings, program, outBytes );
	assert_non_null( bytes );
	free( pins.nodes );
	gelFreeCage( &cage );
	return bytes;
}

uint8_t* gelBakeLodPack( const gelLodStageDef* def, size_t* outBytes )
{
	gelProgram program;
	gelInitTestProgram( &program );
	gelCage box = gelMakeBoxCage( 20, 4, 4, 1.0, 0.2, 0.2, gel_boxSplitSix );
	gelMesh art = gelMeshFromCageBoundary( &box, 0.0 );
	gelBakeLevel levels[GEL_LOD_STAGE_LEVELS - 1] = { { NULL, 0 } };
	for ( int i = 1; i < def->levelCount; ++i )
		levels[i - 1].bytes = BakeLevel( def, i, &art, NULL, 0, &program, &levels[i - 1].byteCount );
	uint8_t* bytes = BakeLevel( def, 0, &art, levels, def->levelCount - 1, &program, outBytes );
	for ( int i = 1; i < def->levelCount; ++i )
		free( levels[i - 1].bytes );
	gelFreeMesh( &art );
	gelFreeCage( &box );
	gelFreeTestProgram( &program );
	return bytes;
}

gelLodStage gelMakeLodStage( const gelLodStageDef* def )
{
	gelLodStage stage = { 0 };
	stage.pack = gelBakeLodPack( def, &stage.packBytes );
	gelAssetDef assetDef = gelDefaultAssetDef();
	assetDef.allocator = def->world.allocator;
	assert_int_equal(
		gelOpenAsset( stage.pack, stage.packBytes, &assetDef, &stage.asset, NULL ), gel_success );
	assert_int_equal( gelCreateWorld( &def->world, &stage.world ), gel_success );
	gelBodyDef body = def->body;
	body.asset = stage.asset;
	gelAsset_GetPinSets( stage.asset, &body.pinSetId, 1 );
	assert_int_equal( gelCreateBody( stage.world, &body, &stage.body ), gel_success );
	stage.vertexCount = gelAsset_GetInfo( stage.asset ).vertexCount;
	return stage;
}

void gelFreeLodStage( gelLodStage* stage )
{
	gelDestroyWorld( stage->world );
	gelDestroyAsset( stage->asset );
	free( stage->pack );
	*stage = ( gelLodStage ){ 0 };
}

void gelLodStage_Step( gelLodStage* stage, int count )
{
	for ( int i = 0; i < count; ++i )
		assert_int_equal( gelWorld_Step( stage->world, 1.0f / 60.0f ), gel_success );
}
