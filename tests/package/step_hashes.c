// SPDX-License-Identifier: MIT
// Prints a hash of what scenes are like after some steps: SCENE SOLVER LEVEL WORKERS HASH. Two builds of the
// runtime that print the same give the same bits.
//
//     step_hashes PACK [all]     all: with every level of SIMD and tasks in another order, too
#include "gelpack.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define STEP       ( 1.0f / 60.0f ) // [s]
#define STEP_COUNT 40

typedef struct Scene
{
	const char* name;
	bool hasGround, enableContact;
	int bodyCount;
} Scene;

// Each does what the one before does, and more.
static const Scene scenes[] = {
	{ "flight", false, false, 1 },
	{ "ground", true, false, 1 },
	{ "pile", true, true, 3 },
};

static const struct
{
	const char* name;
	gelSolverType type;
	gelSolverMode mode;
} solvers[] = {
	{ "fast", gel_solverFastCorotated, gel_modePlain },
	{ "quality", gel_solverFastCorotated, gel_modeQuality },
	{ "implicit", gel_solverImplicit, gel_modePlain },
	{ "warp", gel_solverWarpCancelling, gel_modePlain },
	{ "particles", gel_solverOrientedParticles, gel_modePlain },
};

// Tasks one by one, the last first: what order threads take them in must not matter.
static void RunBackwards( void* context, gelTaskFcn* task, int count, int grain, void* taskContext )
{
	(void)context;
	int parts = ( count + grain - 1 ) / grain;
	for ( int i = parts - 1; i >= 0; --i )
		task( i * grain, ( i + 1 ) * grain < count ? ( i + 1 ) * grain : count, i % 2, taskContext );
}

static bool AddBodies( gelWorldId world, const gelAsset* asset, const Scene* scene, int solver )
{
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.solver = gelDefaultSolverDef( solvers[solver].type );
	if ( solvers[solver].type == gel_solverFastCorotated ) def.solver.fast.mode = solvers[solver].mode;
	def.angularVelocity = ( gelVec3 ){ 1.0f, 2.0f, 0.5f };
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		gelBodyId body;
		def.transform.position = ( gelVec3 ){ 0.07f * (float)i, 0.3f + 0.3f * (float)i, 0.0f };
		if ( gelCreateBody( world, &def, &body ) != gel_success ) return false;
	}
	return true;
}

static void PrintHash(
	const gelAsset* asset, const Scene* scene, int solver, gelSimdLevel level, int workers )
{
	gelWorldDef def = gelDefaultWorldDef();
	def.hasGround = scene->hasGround;
	def.enableContact = scene->enableContact;
	def.simd = level;
	if ( workers > 1 ) def.tasks = ( gelTaskSystem ){ .parallelFor = RunBackwards, .workerCount = workers };
	gelWorldId world;
	if ( gelCreateWorld( &def, &world ) != gel_success ) return; // not on this processor
	bool ok = AddBodies( world, asset, scene, solver );
	for ( int i = 0; i < STEP_COUNT && ok; ++i )
		ok = gelWorld_Step( world, STEP ) == gel_success;
	if ( ok )
		printf( "%s %s %d %d %016llx\n", scene->name, solvers[solver].name, (int)level, workers,
			(unsigned long long)gelWorld_HashState( world ) );
	gelDestroyWorld( world );
}

int main( int argc, char** argv )
{
	gelAsset* asset;
	if ( argc < 2 || gelLoadAssetFile( argv[1], NULL, &asset, NULL ) != gel_success ) return 1;
	const int last = argc > 2 ? gel_simdAvx512 : gel_simdAutomatic;
	for ( size_t s = 0; s < sizeof( scenes ) / sizeof( scenes[0] ); ++s )
	{
		for ( int solver = 0; solver < 5; ++solver )
		{
			for ( int level = gel_simdAutomatic; level <= last; ++level )
				PrintHash( asset, scenes + s, solver, (gelSimdLevel)level, 1 );
			PrintHash( asset, scenes + s, solver, gel_simdAutomatic, 2 );
		}
	}
	gelDestroyAsset( asset );
	return 0;
}
