// SPDX-License-Identifier: MIT
// Prints a hash of what two bodies are like after some steps, at each level of SIMD: two builds of the
// runtime that print the same give the same bits.
#include "gelpack.h"

#include <stdio.h>

static int PrintHash( const gelAsset* asset, gelSimdLevel level )
{
	gelWorldDef worldDef = gelDefaultWorldDef();
	worldDef.hasGround = true;
	worldDef.simd = level;
	gelWorldId world;
	if ( gelCreateWorld( &worldDef, &world ) != gel_success ) return 0; // not on this processor
	gelBodyDef def = gelDefaultBodyDef();
	def.asset = asset;
	gelBodyId bodies[2];
	for ( int i = 0; i < 2; ++i )
	{
		def.transform.position.y = 1.0f + 0.6f * (float)i;
		def.solver = gelDefaultSolverDef( i == 0 ? gel_solverFastCorotated : gel_solverImplicit );
		if ( gelCreateBody( world, &def, bodies + i ) != gel_success ) return 1;
	}
	for ( int step = 0; step < 60; ++step )
	{
		if ( gelWorld_Step( world, 1.0f / 60.0f ) != gel_success ) return 1;
	}
	printf( "%d %016llx %016llx\n", (int)level, (unsigned long long)gelBody_HashState( bodies[0] ),
		(unsigned long long)gelBody_HashState( bodies[1] ) );
	gelDestroyWorld( world );
	return 0;
}

int main( int argc, char** argv )
{
	gelAsset* asset;
	if ( argc != 2 || gelLoadAssetFile( argv[1], NULL, &asset, NULL ) != gel_success ) return 1;
	int status = 0;
	for ( int level = gel_simdAutomatic; level <= gel_simdAvx512; ++level )
		status |= PrintHash( asset, (gelSimdLevel)level );
	gelDestroyAsset( asset );
	return status;
}
