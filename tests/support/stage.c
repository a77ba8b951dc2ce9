// SPDX-License-Identifier: MIT
#include "stage.h"

#include "state/world.h"
#include "test_support.h"

#include <stdlib.h>

gelStageDef gelDefaultStageDef( void )
{
	gelStageDef def = {
		.cells = { 3, 3, 3 },
		.size = { 1.0, 1.0, 1.0 },
		.split = gel_boxSplitFive,
		.youngsModulus = 1e5,
		.poissonsRatio = 0.33,
		.friction = 0.5,
		.step = 1.0 / 60.0,
		.world = gelDefaultWorldDef(),
		.body = gelDefaultBodyDef(),
	};
	def.body.enableSleep = false; // tests look at how bodies move
	def.world.gravity = ( gelVec3 ){ 0.0f, 0.0f, 0.0f };
	return def;
}

// Nodes that the def asks to pin.
static gelBakePinSet FindPins( const gelStageDef* def, const gelCage* cage )
{
	gelBakePinSet pins = { .nodes = calloc( cage->nodeCount, sizeof( uint32_t ) ) };
	assert_non_null( pins.nodes );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		const double* x = cage->positions + 3 * (size_t)i;
		bool isLeft = x[0]<1e-9, isRight = x[0]> def->size[0] - 1e-9;
		bool isBoundary = isLeft || isRight;
		for ( int k = 1; k < 3; ++k )
			isBoundary = isBoundary || x[k] < 1e-9 || x[k] > def->size[k] - 1e-9;
		bool isPinned = ( def->pinLeft && isLeft ) || ( def->pinEnds && ( isLeft || isRight ) ) ||
			( def->pinBoundary && isBoundary );
		if ( isPinned ) pins.nodes[pins.nodeCount++] = i;
	}
	return pins;
}

static void BakeStage( const gelStageDef* def, gelStage* stage )
{
	stage->cage = gelMakeBoxCage(
		def->cells[0], def->cells[1], def->cells[2], def->size[0], def->size[1], def->size[2], def->split );
	gelBakeMaterial material = gelDefaultBakeSettings().material;
	material.youngsModulus = def->youngsModulus;
	material.poissonsRatio = def->poissonsRatio;
	material.damping = def->damping;
	material.staticFriction = material.dynamicFriction = def->friction;
	gelBakePinSet pins = FindPins( def, &stage->cage );
	double steps[4] = { def->step, def->extraStep };
	int stepCount = def->extraStep > 0.0 ? 2 : 1;
	gelBakeSettings settings = gelDefaultBakeSettings();
	gelBakeMaterial* tetMaterials = gelPaintCage( &stage->cage, &material, def->paint );
	settings.material = material;
	settings.tetMaterials = tetMaterials;
	material = gelGetQualityMaterial( &settings, stage->cage.tetCount );
	bool isFast = def->body.solver.type == gel_solverFastCorotated;
	if ( isFast && def->body.solver.fast.mode == gel_modeQuality )
		stepCount = gelAddQualitySteps( &material, steps, stepCount );
	settings.steps = steps;
	settings.stepCount = stepCount;
	settings.pinSets = &pins;
	settings.pinSetCount = pins.nodeCount > 0 ? 1 : 0;
	settings.attachments = def->attachments;
	settings.attachmentCount = def->attachmentCount;
	if ( def->hasParticles ) settings.particles.kind = gel_particlesSolid;
	settings.hasWarp = def->body.solver.type == gel_solverWarpCancelling;
	stage->pack = gelBakeTestBodyAs( &stage->cage, &settings, &stage->packBytes );
	free( tetMaterials );
	free( pins.nodes );
	stage->step = (float)def->step;
}

gelStage gelMakeStage( const gelStageDef* def )
{
	gelStage stage = { 0 };
	BakeStage( def, &stage );
	assert_int_equal( gelOpenAsset( stage.pack, stage.packBytes, NULL, &stage.asset, NULL ), gel_success );
	assert_int_equal( gelCreateWorld( &def->world, &stage.world ), gel_success );
	gelBodyDef bodyDef = def->body;
	bodyDef.asset = stage.asset;
	gelAsset_GetPinSets( stage.asset, &bodyDef.pinSetId, 1 );
	assert_int_equal( gelCreateBody( stage.world, &bodyDef, &stage.body ), gel_success );

	gelAssetInfo info = gelAsset_GetInfo( stage.asset );
	stage.nodeCount = info.nodeCount;
	stage.vertexCount = info.vertexCount;
	stage.rest = calloc( (size_t)info.nodeCount, sizeof( gelVec3 ) );
	stage.nodes = calloc( (size_t)info.nodeCount, sizeof( gelVec3 ) );
	stage.velocities = calloc( (size_t)info.nodeCount, sizeof( gelVec3 ) );
	stage.positions = calloc( (size_t)info.vertexCount, sizeof( gelVec3 ) );
	stage.normals = calloc( (size_t)info.vertexCount, sizeof( gelVec3 ) );
	assert_true( stage.rest && stage.nodes && stage.velocities && stage.positions && stage.normals );
	gelAsset_GetRestNodes( stage.asset, stage.rest, info.nodeCount );
	return stage;
}

void gelFreeStage( gelStage* stage )
{
	gelDestroyWorld( stage->world );
	gelDestroyAsset( stage->asset );
	gelFreeCage( &stage->cage );
	free( stage->pack );
	free( stage->rest );
	free( stage->nodes );
	free( stage->velocities );
	free( stage->positions );
	free( stage->normals );
	*stage = ( gelStage ){ 0 };
}

void gelStage_Step( gelStage* stage, int count )
{
	for ( int i = 0; i < count; ++i )
		assert_int_equal( gelWorld_Step( stage->world, stage->step ), gel_success );
}

void gelStage_Fetch( gelStage* stage )
{
	gelBody_GetNodePositions( stage->body, stage->nodes, stage->nodeCount );
	gelBody_GetNodeVelocities( stage->body, stage->velocities, stage->nodeCount );
}

void gelAssertRestStays( gelStageDef def, int steps )
{
	const gelVec3 places[] = { { 0.0f, 0.0f, 0.0f }, { 1234.5f, -77.7f, 1.0e5f } };
	for ( int p = 0; p < 2; ++p )
	{
		def.body.transform.position = places[p];
		gelStage stage = gelMakeStage( &def );
		gelStage_Step( &stage, steps );
		const gelBody* body = gelGetBody( stage.body );
		for ( int i = 0; i < stage.nodeCount; ++i )
		{
			assert_memory_equal( body->x + i, stage.rest + i, sizeof( gelVec3 ) );
			assert_true( body->v[i].x == 0.0f && body->v[i].y == 0.0f && body->v[i].z == 0.0f );
		}
		gelFreeStage( &stage );
	}
}
