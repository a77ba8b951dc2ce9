// SPDX-License-Identifier: MIT
// scene PACK: the scene of scene.mjs by the native library; prints the hash of the world every hundred steps.
// Three bodies fall on each other and on the ground, each by another solver where the pack has it.
#include <gelpack/gelpack.h>

#include <inttypes.h>
#include <stdio.h>

int main( int argc, char** argv )
{
	gelAsset* asset;
	if ( argc != 2 || gelLoadAssetFile( argv[1], NULL, &asset, NULL ) != gel_success ) return 1;
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = worldDef.enableContact = true;
	gelWorldId world;
	if ( gelCreateWorld( &worldDef, &world ) != gel_success ) return 1;
	const gelSolverType solvers[] = { gel_solverFastCorotated, gel_solverImplicit, gel_solverWarpCancelling,
		gel_solverFastCorotated, gel_solverOrientedParticles };
	for ( int i = 0; i < 5; ++i )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = asset;
		def.solver = gelDefaultSolverDef( solvers[i] );
		if ( i == 3 ) def.solver.fast.mode = gel_modeQuality;
		def.transform.position = ( gelVec3 ){ 0.25f * (float)( i % 2 ), 0.75f + 1.25f * (float)i, 0.0f };
		gelBodyId body;
		if ( gelCreateBody( world, &def, &body ) != gel_success ) return 1;
	}
	for ( int step = 1; step <= 600; ++step )
	{
		if ( gelWorld_Step( world, 1.0f / 60.0f ) != gel_success ) return 1;
		if ( step % 100 == 0 ) printf( "%d %016" PRIx64 "\n", step, gelWorld_HashState( world ) );
	}
	gelDestroyWorld( world );
	gelDestroyAsset( asset );
	return 0;
}
