// SPDX-License-Identifier: MIT
#include "contact_scene.h"

#include "asset/asset.h"
#include "samples.h"
#include "test_support.h"
#include "test_surfaces.h"
#include "tetrafy/pipeline/tetrafy.h"

#include <math.h>
#include <stdlib.h>

gelShapeDef gelDefaultShapeDef( void )
{
	return ( gelShapeDef ){ .cells = { 3, 3, 3 },
		.size = { 1.0, 1.0, 1.0 },
		.inset = 0.02,
		.youngsModulus = 1e5,
		.poissonsRatio = 0.33,
		.density = 1000.0,
		.friction = 0.5 };
}

gelContactScene gelMakeContactScene( const gelWorldDef* def, double step )
{
	gelContactScene scene = { .step = (float)step };
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	if ( def ) worldDef = *def;
	worldDef.enableContact = true;
	assert_int_equal( gelCreateWorld( &worldDef, &scene.world ), gel_success );
	return scene;
}

void gelFreeContactScene( gelContactScene* scene )
{
	gelDestroyWorld( scene->world );
	for ( int i = 0; i < scene->assetCount; ++i )
	{
		gelDestroyAsset( scene->assets[i] );
		free( scene->packs[i] );
	}
	*scene = ( gelContactScene ){ 0 };
}

static gelMesh MakeArt( const gelShapeDef* shape, const gelCage* cage )
{
	if ( !shape->isBall ) return gelMeshFromCageBoundary( cage, shape->inset );
	double radius = 0.5 * shape->size[0];
	gelMesh mesh = gelMakeTestSphere( radius * ( 1.0 - shape->inset ), 16 );
	for ( uint32_t i = 0; i < 3 * mesh.vertexCount; ++i )
		mesh.positions[i] += (float)radius;
	gelFinishMesh( &mesh );
	mesh.vertToSource = calloc( mesh.vertexCount, sizeof( uint32_t ) );
	assert_non_null( mesh.vertToSource );
	for ( uint32_t i = 0; i < mesh.vertexCount; ++i )
		mesh.vertToSource[i] = i;
	return mesh;
}

// Adds what was baked. The mesh, the cage and the pins are freed.
static int AddAsset( gelContactScene* scene, gelMesh* mesh, gelCage* cage, gelBakeSettings* settings,
	gelBakePinSet* pins, gelProgram* program )
{
	double steps[4] = { scene->step };
	settings->steps = steps;
	settings->stepCount = settings->isStatic ? 0 : gelAddQualitySteps( &settings->material, steps, 1 );
	settings->hasWarp = !settings->isStatic;
	settings->pinSets = pins;
	settings->collision = gel_collisionFine;
	size_t bytes;
	int index = scene->assetCount++;
	scene->packs[index] = gelBake( mesh, cage, settings, program, &bytes );
	if ( scene->packs[index] == NULL ) fail_msg( "%s", program->findings.items[0].text );
	assert_int_equal(
		gelOpenAsset( scene->packs[index], bytes, NULL, scene->assets + index, NULL ), gel_success );
	free( pins->nodes );
	gelFreeMesh( mesh );
	gelFreeCage( cage );
	return index;
}

static gelBakePinSet PinRim( const gelShapeDef* shape, const gelCage* cage )
{
	gelBakePinSet pins = { calloc( cage->nodeCount, sizeof( uint32_t ) ), 0 };
	assert_non_null( pins.nodes );
	for ( uint32_t i = 0; i < cage->nodeCount; ++i )
	{
		const double* p = cage->positions + 3 * (size_t)i;
		bool isInside =
			p[0] > 1e-9 && p[0] < shape->size[0] - 1e-9 && p[2] > 1e-9 && p[2] < shape->size[2] - 1e-9;
		if ( !isInside ) pins.nodes[pins.nodeCount++] = i;
	}
	return pins;
}

int gelContactScene_AddShape( gelContactScene* scene, const gelShapeDef* shape )
{
	gelCage cage = gelMakeBoxCage( shape->cells[0], shape->cells[1], shape->cells[2], shape->size[0],
		shape->size[1], shape->size[2], gel_boxSplitFive );
	gelMesh mesh = MakeArt( shape, &cage );
	gelBakePinSet pins = shape->pinRim ? PinRim( shape, &cage )
									   : gelPinNodesInSlab( &cage, shape->pinLeft ? 0 : 1, -1.0, 0.0 );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.material.youngsModulus = shape->youngsModulus;
	settings.material.poissonsRatio = shape->poissonsRatio;
	settings.material.density = shape->density;
	settings.material.staticFriction = settings.material.dynamicFriction = shape->friction;
	if ( shape->dynamicFriction > 0.0 ) settings.material.dynamicFriction = shape->dynamicFriction;
	settings.pinSetCount = shape->pinBottom || shape->pinRim || shape->pinLeft ? 1 : 0;
	gelProgram program;
	gelInitTestProgram( &program );
	int index = AddAsset( scene, &mesh, &cage, &settings, &pins, &program );
	gelFreeTestProgram( &program );
	return index;
}

gelSampleDef gelDefaultSampleDef( const char* name )
{
	return ( gelSampleDef ){ .name = name,
		.triangles = 2000,
		.tets = 100,
		.scale = 1.0,
		.youngsModulus = 1e5,
		.density = 1000.0,
		.friction = 0.5 };
}

int gelContactScene_AddSample( gelContactScene* scene, const gelSampleDef* sample )
{
	gelProgram program;
	gelInitTestProgram( &program );
	gelMesh mesh;
	gelCage cage;
	gelTetrafySettings cageSettings = gelDefaultTetrafySettings();
	gelTetrafyStats stats;
	cageSettings.targetTets = sample->tets;
	assert_true( gelMakeSample( sample->name, (uint32_t)sample->triangles, 1, &mesh ) );
	for ( uint32_t i = 0; i < 3 * mesh.vertexCount; ++i )
		mesh.positions[i] = (float)( sample->scale * (double)mesh.positions[i] );
	gelFinishMesh( &mesh );
	assert_true( gelTetrafy( &mesh, &cageSettings, &program, &cage, &stats ) );
	double height = (double)mesh.boundsMax[1];
	gelBakePinSet pins = gelPinNodesInSlab( &cage, 1, -height, 0.05 * height );
	gelBakeSettings settings = gelDefaultBakeSettings();
	settings.material.youngsModulus = sample->youngsModulus;
	settings.material.density = sample->density;
	settings.material.staticFriction = settings.material.dynamicFriction = sample->friction;
	settings.isStatic = sample->isStatic;
	settings.pinSetCount = sample->pinBottom ? 1 : 0;
	gelBakeMaterial* tetMaterials = gelPaintCage( &cage, &settings.material, sample->paint );
	settings.tetMaterials = tetMaterials;
	int index = AddAsset( scene, &mesh, &cage, &settings, &pins, &program );
	free( tetMaterials );
	gelFreeTestProgram( &program );
	return index;
}

int gelContactScene_AddBody( gelContactScene* scene, int shape, const gelBodyDef* def, gelVec3 position )
{
	gelBodyDef bodyDef = def ? *def : gelDefaultBodyDef();
	bodyDef.asset = scene->assets[shape];
	bodyDef.transform.position = position;
	gelAsset_GetPinSets( bodyDef.asset, &bodyDef.pinSetId, 1 );
	int index = scene->bodyCount++;
	assert_int_equal( gelCreateBody( scene->world, &bodyDef, scene->bodies + index ), gel_success );
	return index;
}

void gelContactScene_Step( gelContactScene* scene, int count )
{
	for ( int i = 0; i < count; ++i )
		assert_int_equal( gelWorld_Step( scene->world, scene->step ), gel_success );
	assert_int_equal( gelWorld_GetCounters( scene->world ).nonFiniteBodyCount, 0 );
}

// In double from nodes: the floats of gelBodyDynamics would hide what is looked for.
static void AddBody( gelBodyId bodyId, gelVec3 gravity, gelSceneSums* sums )
{
	gelAssetInfo info = gelAsset_GetInfo( gelBody_GetAsset( bodyId ) );
	gelVec3* x = calloc( 2 * (size_t)info.nodeCount, sizeof( gelVec3 ) );
	assert_non_null( x );
	gelVec3* v = x + info.nodeCount;
	gelBody_GetNodePositions( bodyId, x, info.nodeCount );
	gelBody_GetNodeVelocities( bodyId, v, info.nodeCount );
	for ( int i = 0; i < info.nodeCount; ++i )
	{
		double m = gelBody_GetAsset( bodyId )->pack.masses[i].mass;
		double px = m * v[i].x, py = m * v[i].y, pz = m * v[i].z;
		sums->mass += m;
		sums->momentum[0] += px;
		sums->momentum[1] += py;
		sums->momentum[2] += pz;
		sums->angularMomentum[0] += x[i].y * pz - x[i].z * py;
		sums->angularMomentum[1] += x[i].z * px - x[i].x * pz;
		sums->angularMomentum[2] += x[i].x * py - x[i].y * px;
		sums->kinetic += 0.5 * ( px * v[i].x + py * v[i].y + pz * v[i].z );
		sums->potential -=
			m * ( (double)gravity.x * x[i].x + (double)gravity.y * x[i].y + (double)gravity.z * x[i].z );
	}
	sums->elastic += gelBody_GetDynamics( bodyId ).elasticEnergy;
	free( x );
}

gelSceneSums gelContactScene_Sum( const gelContactScene* scene )
{
	gelSceneSums sums = { 0 };
	for ( int i = 0; i < scene->bodyCount; ++i )
		AddBody( scene->bodies[i], gelWorld_GetGravity( scene->world ), &sums );
	return sums;
}

double gelGetFastestNode( gelBodyId bodyId )
{
	gelAssetInfo info = gelAsset_GetInfo( gelBody_GetAsset( bodyId ) );
	gelVec3* v = calloc( (size_t)info.nodeCount, sizeof( gelVec3 ) );
	assert_non_null( v );
	gelBody_GetNodeVelocities( bodyId, v, info.nodeCount );
	double fastest = 0.0;
	for ( int i = 0; i < info.nodeCount; ++i )
		fastest = fmax(
			fastest, sqrt( (double)v[i].x * v[i].x + (double)v[i].y * v[i].y + (double)v[i].z * v[i].z ) );
	free( v );
	return fastest;
}

double gelContactScene_GetDepth( const gelContactScene* scene )
{
	int count = gelWorld_GetContacts( scene->world, NULL, 0 );
	gelContact* contacts = calloc( (size_t)count + 1, sizeof( gelContact ) );
	assert_non_null( contacts );
	gelWorld_GetContacts( scene->world, contacts, count );
	double depth = 0.0;
	for ( int i = 0; i < count; ++i )
		depth = fmax( depth, contacts[i].depth );
	free( contacts );
	return depth;
}

double gelGetSharedPart( gelBodyId bodyId, gelBodyId otherId )
{
	gelAabb box = gelBody_GetBounds( bodyId );
	gelRandom random = { 7 };
	int inside = 0, shared = 0;
	for ( int i = 0; i < 4000; ++i )
	{
		gelVec3 p = { (float)gelRandom_Uniform( &random, (double)box.min.x, (double)box.max.x ),
			(float)gelRandom_Uniform( &random, (double)box.min.y, (double)box.max.y ),
			(float)gelRandom_Uniform( &random, (double)box.min.z, (double)box.max.z ) };
		bool isInBody, isInOther;
		assert_int_equal( gelBody_ContainsPoint( bodyId, p, &isInBody ), gel_success );
		if ( !isInBody ) continue;
		assert_int_equal( gelBody_ContainsPoint( otherId, p, &isInOther ), gel_success );
		++inside;
		shared += isInOther;
	}
	assert_true( inside > 200 );
	return (double)shared / (double)inside;
}

double gelContactScene_GetSharedPart( const gelContactScene* scene )
{
	double largest = 0.0;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		for ( int k = 0; k < scene->bodyCount; ++k )
			if ( k != i ) largest = fmax( largest, gelGetSharedPart( scene->bodies[i], scene->bodies[k] ) );
	}
	return largest;
}
