// SPDX-License-Identifier: MIT
// A scene for builds that leave parts out: two bodies of the fast solver fall on each other and on the
// ground, a ray looks for them. Prints a hash of it at each level of SIMD, and what becomes of bodies of the
// other solvers.
#include "gelpack.h"

#include <stdio.h>

static void PrintScene( const gelAsset* asset, gelSimdLevel level )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = worldDef.enableContact = true;
	worldDef.simd = level;
	gelWorldId world;
	if ( gelCreateWorld( &worldDef, &world ) != gel_success ) return; // not on this processor, or left out
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	def.constraintCapacity = def.frameCapacity = 0; // saved states, and so hashes, have a place for each
	gelBodyId bodies[2];
	for ( int i = 0; i < 2; ++i )
	{
		def.transform.position = ( gelVec3 ){ 0.1f * (float)i, 1.0f + 0.5f * (float)i, 0.0f };
		if ( gelCreateBody( world, &def, bodies + i ) != gel_success ) return;
	}
	for ( int step = 0; step < 60; ++step )
	{
		if ( gelWorld_Step( world, 1.0f / 60.0f ) != gel_success ) return;
	}
	gelRay ray = gelDefaultRay();
	ray.origin = ( gelVec3 ){ 0.3f, 5.0f, 0.0f };
	ray.maxFraction = 10.0f;
	gelRayHit hit;
	if ( gelWorld_CastRay( world, &ray, &hit ) != gel_success ) return;
	printf( "%d %016llx %016llx %d %.9g\n", (int)level, (unsigned long long)gelBody_HashState( bodies[0] ),
		(unsigned long long)gelBody_HashState( bodies[1] ), gelWorld_GetContactCounters( world ).contactCount,
		hit.isHit ? (double)hit.fraction : -1.0 );
	gelDestroyWorld( world );
}

static void PrintSolvers( const gelAsset* asset )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	gelWorldId world;
	if ( gelCreateWorld( &worldDef, &world ) != gel_success ) return;
	for ( int type = gel_solverFastCorotated; type <= gel_solverOrientedParticles; ++type )
	{
		gelBodyDef def = gelDefaultBodyDef();
		def.asset = asset;
		def.solver = gelDefaultSolverDef( (gelSolverType)type );
		gelBodyId body;
		printf( "solver %d: %s\n", type, gelResult_String( gelCreateBody( world, &def, &body ) ) );
	}
	gelDestroyWorld( world );
}

int main( int argc, char** argv )
{
	gelAsset* asset;
	if ( argc != 2 || gelLoadAssetFile( argv[1], NULL, &asset, NULL ) != gel_success ) return 1;
	for ( int level = gel_simdAutomatic; level <= gel_simdAvx512; ++level )
		PrintScene( asset, (gelSimdLevel)level );
	PrintSolvers( asset );
	gelDestroyAsset( asset );
	return 0;
}
